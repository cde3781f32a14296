/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job-list.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_APPLICATION (stint_application_get_type ())
G_DECLARE_FINAL_TYPE (StintApplication, stint_application, STINT, APPLICATION, AdwApplication)

/**
 * stint_application_new:
 * @flags: %G_APPLICATION_IS_SERVICE for the window process of the session, %G_APPLICATION_NON_UNIQUE
 *   without a bus
 *
 * The window process: it owns the jobs, their history and the window.
 *
 * Returns: (transfer full): the application
 */
StintApplication *stint_application_new (GApplicationFlags flags);

/* Shows the window, and makes it if there is none. */
void stint_application_present (StintApplication *self);

/* Shows the jobs of the past. @query: (nullable): what to look for among them. */
void stint_application_present_list (StintApplication *self, const char *query);

/* Shows a job of the past, or one that runs, as chosen from the list of the history. */
void stint_application_open_job (StintApplication *self, guint64 id);

/* @directory: (nullable) (type filename): what the dialog begins with. */
void stint_application_ask_new_job (StintApplication *self, const char *directory);

/* Shows a job's page. */
void stint_application_show_job (StintApplication *self, StintJob *job);

/* Runs it again, as it was, and shows it. */
void stint_application_run_again (StintApplication *self, StintJob *job);

/* stint_application_start() without showing anything. */
StintJob *stint_application_submit (StintApplication *self, StintJobSpec *spec, GError **error);

/**
 * stint_application_start:
 * @self: the application
 * @spec: what to run, resolved; it gets the size of the pane
 * @error: it is refused
 *
 * Submits a job and shows it.
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintJob *stint_application_start (StintApplication *self, StintJobSpec *spec, GError **error);

/* (transfer none) */
StintJobList *stint_application_get_jobs (StintApplication *self);

/* How many jobs run at once, until the setting is changed or this process ends; 0: no limit. */
void stint_application_set_max_running (StintApplication *self, guint max_running);

/* (nullable) (type filename) */
const char *stint_application_get_workspace (StintApplication *self);

/* (transfer none) */
StintSettings *stint_application_get_settings (StintApplication *self);

/* As what is started in the window: with the login environment, and secrets that are asked for. */
void stint_application_start_from_window (StintApplication *self, StintJobSpec *spec);

/* 0, or 1 if something could not be ended or saved. */
int stint_application_get_exit_status (StintApplication *self);

G_END_DECLS
