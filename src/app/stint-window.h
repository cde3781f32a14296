/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-history.h"
#include "stint-job-board.h"
#include "stint-presets.h"
#include "stint-problems.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_WINDOW (stint_window_get_type ())
G_DECLARE_FINAL_TYPE (StintWindow, stint_window, STINT, WINDOW, AdwApplicationWindow)

/*
 * Signals:
 *
 *   start (StintJobSpec *spec)  the user wants this to be run
 *   new-job-wanted ()           the user is about to describe a new job
 *   close-wanted ()             the user wants to close the window, which is left open
 *   shown-changed ()            it shows another job
 */

/**
 * stint_window_new:
 * @application: the application
 * @jobs: the jobs, and those of the history
 * @board: what it lists
 * @settings: its size, and what jobs begin with
 * @problems: what it tells
 *
 * Returns: (transfer none): the window, to be presented
 */
StintWindow *stint_window_new (AdwApplication *application,
                               StintJobList *jobs,
                               StintJobBoard *board,
                               StintSettings *settings,
                               StintProblems *problems);

/* What the history's page shows. */
void stint_window_set_history (StintWindow *self, StintHistory *history);

/* Selects a job and shows its page. */
void stint_window_show_job (StintWindow *self, StintJob *job);

/* Whether its page is shown. */
gboolean stint_window_shows_job (StintWindow *self, StintJob *job);

/* Shows the list, where it and the page do not both fit. */
void stint_window_show_list (StintWindow *self);

/* @search: (nullable): what to look for there. */
void stint_window_show_history (StintWindow *self, const char *search);

/* Shows a job of the history, with Back. */
void stint_window_open_job (StintWindow *self, guint64 id);

/* @directory: (nullable) (type filename): what the dialog's directory begins with. */
void stint_window_ask_new_job (StintWindow *self, const char *directory);

/* The same with all that a spec says, to be changed and run. */
void stint_window_edit_job (StintWindow *self, StintJobSpec *spec);

/* @menu: the section of the menu that starts them. */
void stint_window_set_presets (StintWindow *self, StintPresets *presets, GMenuModel *menu);
void stint_window_manage_presets (StintWindow *self);

/* The size of the terminal that a job started now would get; FALSE if it is not known. */
gboolean stint_window_get_terminal_size (StintWindow *self, guint *columns, guint *rows);

G_END_DECLS
