/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-entry.h"
#include "stint-job-group.h"

G_BEGIN_DECLS

/* What the window says of a job of the history, and of a group of them. Translated, and clean. */

/* (transfer full): when a job started: "14:03" today, else with the day. @usec: since 1970 */
char *stint_history_text_format_time (gint64 usec, GDateTime *now, gboolean day_is_known);

/* (transfer full): how it ended, in the words of the other lists. */
char *stint_history_text_dup_outcome (const StintEntry *entry);

/* (transfer full): how it ended, when it ran, for how long, its tags and its directory, in a line. */
char *stint_history_text_dup_facts (const StintEntry *entry, GDateTime *now);

/* (transfer full): "#nightly #slow"; empty: it has none. */
char *stint_history_text_dup_tags (const StintEntry *entry);

/* The name of the icon, and the style class, that go with how it ended. */
const char *stint_history_text_get_icon (const StintEntry *entry);
const char *stint_history_text_get_style (const StintEntry *entry);

/* (transfer full): the title of a group, of which @entry is a job: "Today", "~/src", "make all". */
char *
stint_history_text_dup_group (StintHistoryGroup kind, const StintEntry *entry, GDateTime *now);

/* (transfer full): "14 jobs", and "2 failed"; empty: not known yet, or none. */
char *stint_history_text_dup_count (StintJobGroup *group);
char *stint_history_text_dup_failures (StintJobGroup *group);

G_END_DECLS
