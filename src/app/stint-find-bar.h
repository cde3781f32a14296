/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-transcript.h"

G_BEGIN_DECLS

#define STINT_TYPE_FIND_BAR (stint_find_bar_get_type ())
G_DECLARE_FINAL_TYPE (StintFindBar, stint_find_bar, STINT, FIND_BAR, GtkWidget)

/*
 * Asks what to find in a whole transcript, and goes from hit to hit.
 *
 * Signals:
 *
 *   hit (guint64 start, guint64 end)  this one is to be shown: offsets in the output
 *   closed ()                         the user has had enough
 */

/**
 * stint_find_bar_set_transcript:
 * @self: a find bar
 * @transcript: (nullable): what is searched
 */
void stint_find_bar_set_transcript (StintFindBar *self, StintTranscript *transcript);

/**
 * stint_find_bar_open:
 * @self: a find bar
 * @from: the offset from which on a hit is wanted first
 *
 * Shows it, with the focus in its entry.
 */
void stint_find_bar_open (StintFindBar *self, guint64 from);
void stint_find_bar_close (StintFindBar *self);

/* Shows the next or the previous hit, around the end. */
void stint_find_bar_next (StintFindBar *self);
void stint_find_bar_previous (StintFindBar *self);

/* (transfer full) (nullable): what it looks for, as a PCRE2 pattern. */
char *stint_find_bar_dup_pattern (StintFindBar *self, gboolean *caseless);

G_END_DECLS
