/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

#define STINT_TYPE_SETTINGS (stint_settings_get_type ())
G_DECLARE_FINAL_TYPE (StintSettings, stint_settings, STINT, SETTINGS, GObject)

/*
 * The settings, as typed properties named like the keys of the schema, which says what each means.
 * A key is added there, as a property, and to a page of the settings dialog.
 */

/**
 * stint_settings_new:
 *
 * The user's settings. Where the schema is not installed, these are the defaults, and what is
 * changed is not kept.
 *
 * Returns: (transfer full): the settings
 */
StintSettings *stint_settings_new (void);

/* 0: no limit. */
guint stint_settings_get_max_running (StintSettings *self);

/* (nullable) (type filename): where jobs run that name no directory. */
const char *stint_settings_get_workspace (StintSettings *self);

guint stint_settings_get_scrollback_lines (StintSettings *self);

/* (nullable): a Pango font description; %NULL: the system's monospace font. */
const char *stint_settings_get_font (StintSettings *self);

/* How much larger or smaller the font is shown. */
guint stint_settings_get_font_percent (StintSettings *self);

/* Whether long lines go on in the next row, where the output is not a program's that knows its width. */
gboolean stint_settings_get_wrap (StintSettings *self);

gboolean stint_settings_get_confirm_close (StintSettings *self);

/* Microseconds. */
gint64 stint_settings_get_grace (StintSettings *self);

/* What a job of this kind begins with. Microseconds; 0: no limit. */
gint64 stint_settings_get_timeout (StintSettings *self, StintJobKind kind);
gint64 stint_settings_get_idle_timeout (StintSettings *self, StintJobKind kind);

/* (nullable) (type filename): the shell that runs shell lines, %NULL: /bin/sh. */
const char *stint_settings_get_shell (StintSettings *self);

/* Microseconds: what ended sooner than this is not told of. */
gint64 stint_settings_get_notify_min_duration (StintSettings *self);
/* (nullable): names of commands or jobs, with white space between them, that are not told of. */
const char *stint_settings_get_notify_not_for (StintSettings *self);
gboolean stint_settings_get_notify_finished (StintSettings *self);
gboolean stint_settings_get_notify_failed (StintSettings *self);
gboolean stint_settings_get_notify_needs_you (StintSettings *self);
gboolean stint_settings_get_notify_limit_warning (StintSettings *self);

/* Whether the computer is kept from suspending while jobs run. */
gboolean stint_settings_get_inhibit_suspend (StintSettings *self);

/* Whether closing the window leaves the jobs running, where it does not ask. */
gboolean stint_settings_get_background_on_close (StintSettings *self);

/* "system", "light", "dark" or "high-contrast". */
const char *stint_settings_get_palette (StintSettings *self);

/* How long jobs are kept in the history, how many, and how much output. 0: no limit. */
guint stint_settings_get_history_days (StintSettings *self);
guint stint_settings_get_history_jobs (StintSettings *self);
guint64 stint_settings_get_history_bytes (StintSettings *self);

/* How much of each job's output is searched; from its beginning and its end. */
guint64 stint_settings_get_history_search_bytes (StintSettings *self);

/* How the history is sorted, a nick of its orders, and what stands together in it: "none", "day",
 * "directory" or "command". Its columns, and how wide they are, are properties only. */
const char *stint_settings_get_history_sort (StintSettings *self);
const char *stint_settings_get_history_group (StintSettings *self);

/* 0 to 19: how much lower a job's CPU priority is, unless its maker said it. */
guint stint_settings_get_job_niceness (StintSettings *self);

void stint_settings_get_window (StintSettings *self, int *width, int *height, gboolean *maximized);

/* A width or height below 1 leaves what was kept. */
void stint_settings_set_window (StintSettings *self, int width, int height, gboolean maximized);

G_END_DECLS
