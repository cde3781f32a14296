/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The window process. Owns everything that lives longer than the window, and brings it together:
 * the list, the history, the shutdown, the settings, what went wrong. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-application-private.h"

#include "stint-agent-launch.h"
#include "stint-bus.h"
#include "stint-command-line.h"
#include "stint-ended-jobs.h"
#include "stint-error.h"
#include "stint-job-defaults.h"
#include "stint-notifier-actions.h"
#include "stint-resources.h"
#include "stint-scratch-store.h"
#include "stint-shortcuts.h"

#include <glib/gi18n.h>

G_DEFINE_FINAL_TYPE (StintApplication, stint_application, ADW_TYPE_APPLICATION)

/* Jobs keep the process, whether or not it has a window. */
static void
on_n_active (StintApplication *self)
{
  gboolean active;

  /* The end of the last job may be told of after the application's own. */
  if (self->jobs == NULL)
    return;
  active = stint_job_list_get_n_active (self->jobs) > 0;
  if (active == self->held)
    return;
  self->held = active;
  if (active)
    g_application_hold (G_APPLICATION (self));
  else
    g_application_release (G_APPLICATION (self));
}

static void
on_job_problem (StintApplication *self, StintJob *job, GError *error)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("“%s” could not be saved"), stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
  self->exit_status = 1;
}

static void
on_continuation_failed (StintApplication *self,
                        StintJob *job,
                        StintContinuation *continuation,
                        GError *error)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("What should have followed “%s” was not started"),
                           stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
}

static void
on_history_problem (StintApplication *self, GError *error)
{
  stint_problems_raise (self->problems, _ ("The history has a problem"), error);
  /* One that was moved aside is replaced, and what is new is saved. */
  if (!g_error_matches (error, STINT_ERROR, STINT_ERROR_DAMAGED) &&
      !g_error_matches (error, STINT_ERROR, STINT_ERROR_TOO_NEW))
    self->exit_status = 1;
}

static void
on_max_running (StintApplication *self)
{
  stint_job_list_set_max_running (self->jobs, stint_settings_get_max_running (self->settings));
}

static void
on_closed (StintApplication *self, GError *error)
{
  if (error != NULL)
    self->exit_status = 1;
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
  g_application_quit (G_APPLICATION (self));
}

static void
on_close_wanted (StintApplication *self)
{
  stint_closing_close (self->closing, FALSE);
}

/* The jobs hold the application. */
static void
on_background (StintApplication *self)
{
  stint_background_set_active (self->background, TRUE);
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
}

static void
on_ready (StintApplication *self, StintJobSpec *spec)
{
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;

  /* Submitting could be too late: a secret was waited for. */
  if (self->jobs == NULL)
    return;
  /* A session is nothing without who speaks with it. */
  job = stint_job_spec_get_session (spec) ? stint_agent_launch_spec (self, spec, &error)
                                          : stint_application_start (self, spec, &error);
  if (job == NULL)
    stint_problems_raise (self->problems, _ ("The job was not started"), error);
}

static void
on_environment_problem (StintApplication *self, GError *error)
{
  stint_problems_raise (self->problems, _ ("Your login shell did not tell its environment"), error);
}

static void
on_presets_problem (StintApplication *self, GError *error)
{
  stint_problems_raise (self->problems, _ ("The presets have a problem"), error);
}

static void
on_window_start (StintApplication *self, StintJobSpec *spec)
{
  stint_starter_start (self->starter, spec, self->window != NULL ? GTK_WINDOW (self->window) : NULL);
}

static void
on_preset_start (StintApplication *self, StintJobSpec *spec)
{
  stint_application_present (self);
  on_window_start (self, spec);
}

static void
on_scheduled_problem (StintApplication *self, GError *error)
{
  stint_problems_raise (self->problems, _ ("Scheduled jobs could not be kept"), error);
}

static void
keep_scheduled (StintApplication *self)
{
  stint_scheduled_keep (self->scheduled, self->jobs);
}

static void
set_up_scheduled (StintApplication *self)
{
  self->scheduled = stint_scheduled_new (stint_history_get_directory (self->history));
  g_signal_connect_object (self->scheduled, "start", G_CALLBACK (on_window_start), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->scheduled, "problem", G_CALLBACK (on_scheduled_problem), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->shutdown, "begun", G_CALLBACK (keep_scheduled), self,
                           G_CONNECT_SWAPPED);
}

static StintJob *
start_for_bus (const char *const *words,
               const char *directory,
               const char *const *environment,
               gpointer user_data,
               GError **error)
{
  return stint_command_line_start (STINT_APPLICATION (user_data), words, directory, environment,
                                   error);
}

static void
present_for_bus (StintJob *job, gpointer user_data)
{
  stint_application_show_job (STINT_APPLICATION (user_data), job);
}

/* For notifications: what the user sees need not be told. */
static gboolean
sees_job (StintJob *job, gpointer user_data)
{
  StintApplication *self = STINT_APPLICATION (user_data);

  return self->window != NULL && gtk_window_is_active (GTK_WINDOW (self->window)) &&
         stint_window_shows_job (self->window, job);
}

/* Before the name on the bus is taken: from then on somebody may ask for them. */
static void
make_jobs (StintApplication *self)
{
  static const StintJobServiceHost host = { start_for_bus, present_for_bus };

  if (self->jobs != NULL)
    return;
  self->history = stint_history_new (NULL);
  self->jobs = stint_job_list_new (STINT_JOB_STORE (self->history));
  self->service = stint_job_service_new (self->jobs, &host, self);
  self->search_provider = stint_search_provider_new (
      G_APPLICATION (self), stint_history_get_directory (self->history));
  g_signal_connect_object (self->search_provider, "open",
                           G_CALLBACK (stint_application_open_job), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_provider, "search",
                           G_CALLBACK (stint_application_present_list), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->search_provider, "index-lost",
                           G_CALLBACK (stint_history_index_again), self->history,
                           G_CONNECT_SWAPPED);
}

static gboolean
stint_application_dbus_register (GApplication *application,
                                 GDBusConnection *bus,
                                 const char *object_path,
                                 GError **error)
{
  StintApplication *self = STINT_APPLICATION (application);

  if (!G_APPLICATION_CLASS (stint_application_parent_class)
           ->dbus_register (application, bus, object_path, error))
    return FALSE;
  make_jobs (self);
  return stint_job_service_export (self->service, bus, object_path, error) &&
         stint_search_provider_export (self->search_provider, bus, error);
}

static void
stint_application_dbus_unregister (GApplication *application,
                                   GDBusConnection *bus,
                                   const char *object_path)
{
  StintApplication *self = STINT_APPLICATION (application);

  if (self->service != NULL)
    stint_job_service_unexport (self->service);
  if (self->search_provider != NULL)
    stint_search_provider_unexport (self->search_provider);
  G_APPLICATION_CLASS (stint_application_parent_class)
      ->dbus_unregister (application, bus, object_path);
}

static void
set_up_jobs (StintApplication *self)
{
  make_jobs (self);
  self->board = stint_job_board_new (self->jobs);
  stint_ended_jobs_limit (self->jobs, self->board);
  self->shutdown = stint_shutdown_new (self->jobs);
  self->background = stint_background_new (G_APPLICATION (self), self->jobs);
  self->closing = stint_closing_new (self->jobs, self->shutdown, self->settings);

  g_signal_connect_object (self->history, "problem", G_CALLBACK (on_history_problem), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->jobs, "problem", G_CALLBACK (on_job_problem), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->jobs, "continuation-failed", G_CALLBACK (on_continuation_failed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->jobs, "notify::n-active", G_CALLBACK (on_n_active), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->settings, "notify::max-running", G_CALLBACK (on_max_running), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->closing, "background", G_CALLBACK (on_background), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->closing, "done", G_CALLBACK (on_closed), self, G_CONNECT_SWAPPED);
  on_max_running (self);
  self->notifier =
      stint_notifier_new (G_APPLICATION (self), self->jobs, self->settings, sees_job, self);
  self->agent_asks = stint_agent_asks_new (self->jobs, self->board, self->notifier);
  self->terminal_asks = stint_terminal_asks_new (self->jobs, self->board, self->notifier, sees_job,
                                                 self, STINT_TERMINAL_ASKS_QUIET_MS);
  self->inhibitor = stint_inhibitor_new (GTK_APPLICATION (self), self->jobs, self->settings);
  stint_notifier_actions_install (self, self->jobs);
  set_up_scheduled (self);
  stint_shutdown_watch_signals (self->shutdown);
  self->earlier = stint_earlier_jobs_new (self->history, self->jobs, self->board, self->settings,
                                          self->problems);
}

/* Started by the session and not from a terminal, jobs get what a terminal would have given them. */
static void
set_up_starting (StintApplication *self)
{
  gboolean is_service =
      (g_application_get_flags (G_APPLICATION (self)) & G_APPLICATION_IS_SERVICE) != 0;
  g_autoptr (StintLoginEnvironment) environment =
      is_service ? stint_login_environment_new (NULL, STINT_LOGIN_ENVIRONMENT_TIMEOUT) : NULL;

  self->starter = stint_starter_new (self->settings, environment);
  g_signal_connect_object (self->starter, "ready", G_CALLBACK (on_ready), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->starter, "problem", G_CALLBACK (on_environment_problem), self,
                           G_CONNECT_SWAPPED);
  self->presets = stint_presets_new (NULL);
  g_signal_connect_object (self->presets, "problem", G_CALLBACK (on_presets_problem), self,
                           G_CONNECT_SWAPPED);
  self->preset_actions = stint_preset_actions_new (GTK_APPLICATION (self), self->presets);
  g_signal_connect_object (self->preset_actions, "start", G_CALLBACK (on_preset_start), self,
                           G_CONNECT_SWAPPED);
}

static void
stint_application_startup (GApplication *application)
{
  StintApplication *self = STINT_APPLICATION (application);

  g_resources_register (stint_get_resource ());
  G_APPLICATION_CLASS (stint_application_parent_class)->startup (application);

  gtk_window_set_default_icon_name (APP_ID);
  /* A command that gets the focus is not meant to be replaced. */
  g_object_set (gtk_settings_get_default (), "gtk-label-select-on-focus", FALSE, NULL);
  stint_application_install_actions (self);
  stint_shortcuts_apply (GTK_APPLICATION (self), FALSE);

  self->settings = stint_settings_new ();
  self->palette = stint_palette_new (self->settings);
  self->problems = stint_problems_new ();
  set_up_jobs (self);
  set_up_starting (self);
}

static void
stint_application_activate (GApplication *application)
{
  stint_application_present (STINT_APPLICATION (application));
}

static int
stint_application_command_line (GApplication *application, GApplicationCommandLine *command_line)
{
  return stint_command_line_handle (STINT_APPLICATION (application), command_line);
}

/* GApplication's own would take options of its own out of a job's command. */
static gboolean
stint_application_local_command_line (GApplication *application,
                                      char ***arguments,
                                      int *exit_status)
{
  g_autoptr (GError) error = NULL;

  if ((g_application_get_flags (application) & G_APPLICATION_IS_SERVICE) == 0)
    return FALSE;
  *exit_status = 0;
  if (!g_application_register (application, NULL, &error))
    {
      g_printerr ("stint: %s\n", error->message);
      *exit_status = 1;
    }
  return TRUE;
}

static void
on_stopped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  gboolean *stopped = user_data;

  stint_shutdown_wait_finish (STINT_SHUTDOWN (source), result, NULL);
  *stopped = TRUE;
}

/* At the end of the desktop's session GTK quits without asking. The main loop goes on until the jobs
 * have been stopped, which is bounded; what went wrong has been said by StintClosing. */
static void
stop_jobs (StintApplication *self)
{
  gboolean stopped = FALSE;

  if (self->shutdown == NULL || stint_shutdown_get_begun (self->shutdown) ||
      stint_job_list_get_n_active (self->jobs) + stint_job_list_get_n_saving (self->jobs) == 0)
    return;
  stint_shutdown_begin (self->shutdown, "end of the session");
  stint_shutdown_wait_async (self->shutdown, on_stopped, &stopped);
  while (!stopped)
    g_main_context_iteration (NULL, TRUE);
}

static void
stint_application_shutdown (GApplication *application)
{
  StintApplication *self = STINT_APPLICATION (application);

  stop_jobs (self);
  if (self->earlier != NULL)
    stint_earlier_jobs_stop (self->earlier);
  if (self->settings_dialog != NULL)
    gtk_window_destroy (self->settings_dialog);
  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
  if (!stint_command_line_flush ())
    g_printerr ("stint: %s\n", _ ("A result could not be written in time"));
  if (self->presets != NULL && !stint_presets_flush (self->presets))
    g_printerr ("stint: %s\n", _ ("The presets could not be written in time"));
  g_clear_object (&self->preset_actions);
  g_clear_object (&self->presets);
  g_clear_object (&self->starter);
  g_clear_object (&self->scheduled);
  g_clear_object (&self->earlier);
  g_clear_object (&self->background);
  g_clear_object (&self->notifier);
  g_clear_object (&self->inhibitor);
  g_clear_object (&self->closing);
  g_clear_object (&self->shutdown);
  g_clear_object (&self->agent_asks);
  g_clear_object (&self->terminal_asks);
  g_clear_object (&self->board);
  g_clear_object (&self->search_provider);
  g_clear_object (&self->service);
  g_clear_object (&self->jobs);
  if (self->history != NULL && !stint_history_close (self->history))
    {
      g_printerr ("stint: %s\n",
                  _ ("The history does not answer; what it lacks is completed at the next start"));
      self->exit_status = 1;
    }
  g_clear_object (&self->history);
  stint_scratch_store_remove_all ();

  G_APPLICATION_CLASS (stint_application_parent_class)->shutdown (application);
}

static void
stint_application_dispose (GObject *object)
{
  StintApplication *self = STINT_APPLICATION (object);

  g_clear_weak_pointer (&self->window);
  g_clear_weak_pointer (&self->settings_dialog);
  g_clear_object (&self->palette);
  g_clear_object (&self->service);
  g_clear_object (&self->jobs);
  g_clear_object (&self->history);
  g_clear_object (&self->problems);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_application_parent_class)->dispose (object);
}

static void
stint_application_class_init (StintApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_application_dispose;
  application_class->startup = stint_application_startup;
  application_class->activate = stint_application_activate;
  application_class->command_line = stint_application_command_line;
  application_class->local_command_line = stint_application_local_command_line;
  application_class->shutdown = stint_application_shutdown;
  application_class->dbus_register = stint_application_dbus_register;
  application_class->dbus_unregister = stint_application_dbus_unregister;
}

static void
stint_application_init (StintApplication *self)
{
}

StintApplication *
stint_application_new (GApplicationFlags flags)
{
  flags |= G_APPLICATION_HANDLES_COMMAND_LINE | G_APPLICATION_SEND_ENVIRONMENT;
  return g_object_new (STINT_TYPE_APPLICATION,
                       "application-id", APP_ID,
                       "flags", flags,
                       "resource-base-path", "/io/github/stint/Stint",
                       "register-session", TRUE,
                       NULL);
}

void
stint_application_present (StintApplication *self)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));

  if (self->window == NULL)
    {
      StintWindow *window =
          stint_window_new (ADW_APPLICATION (self), self->jobs, self->board, self->settings,
                            self->problems);

      g_signal_connect_object (window, "start", G_CALLBACK (on_window_start), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (window, "close-wanted", G_CALLBACK (on_close_wanted), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (window, "shown-changed", G_CALLBACK (stint_notifier_seen_changed),
                               self->notifier, G_CONNECT_SWAPPED);
      g_signal_connect_object (window, "notify::is-active",
                               G_CALLBACK (stint_notifier_seen_changed), self->notifier,
                               G_CONNECT_SWAPPED);
      stint_window_set_history (window, self->history);
      g_signal_connect_object (window, "new-job-wanted", G_CALLBACK (stint_starter_prepare),
                               self->starter, G_CONNECT_SWAPPED);
      stint_window_set_presets (window, self->presets,
                                stint_preset_actions_get_menu (self->preset_actions));
      g_set_weak_pointer (&self->window, window);
      stint_closing_set_window (self->closing, GTK_WINDOW (window));
    }
  stint_background_set_active (self->background, FALSE);
  gtk_window_present (GTK_WINDOW (self->window));
  stint_scheduled_offer (self->scheduled, GTK_WINDOW (self->window));
}

void
stint_application_present_list (StintApplication *self, const char *query)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));

  stint_application_present (self);
  stint_window_show_history (self->window, query);
}

void
stint_application_open_job (StintApplication *self, guint64 id)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));

  stint_application_present (self);
  stint_window_open_job (self->window, id);
}

void
stint_application_ask_new_job (StintApplication *self, const char *directory)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));

  stint_application_present (self);
  stint_window_ask_new_job (self->window, directory);
}

StintJob *
stint_application_submit (StintApplication *self, StintJobSpec *spec, GError **error)
{
  guint columns, rows;

  g_return_val_if_fail (STINT_IS_APPLICATION (self), NULL);
  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  if (self->window != NULL && stint_window_get_terminal_size (self->window, &columns, &rows))
    stint_job_spec_set_size (spec, columns, rows);
  stint_job_defaults_apply (self->settings, spec);
  return stint_job_list_submit (self->jobs, spec, NULL, error);
}

StintJob *
stint_application_start (StintApplication *self, StintJobSpec *spec, GError **error)
{
  g_autoptr (StintJob) job = stint_application_submit (self, spec, error);

  if (job == NULL)
    return NULL;
  stint_application_present (self);
  stint_window_show_job (self->window, job);
  return g_steal_pointer (&job);
}

StintJobList *
stint_application_get_jobs (StintApplication *self)
{
  g_return_val_if_fail (STINT_IS_APPLICATION (self), NULL);

  return self->jobs;
}

void
stint_application_set_max_running (StintApplication *self, guint max_running)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));

  stint_job_list_set_max_running (self->jobs, max_running);
}

void
stint_application_show_job (StintApplication *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));
  g_return_if_fail (STINT_IS_JOB (job));

  stint_application_present (self);
  stint_window_show_job (self->window, job);
}

void
stint_application_run_again (StintApplication *self, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = NULL;

  g_return_if_fail (STINT_IS_APPLICATION (self));
  g_return_if_fail (STINT_IS_JOB (job));

  spec = stint_job_spec_copy (stint_job_get_spec (job));
  on_window_start (self, spec);
}

const char *
stint_application_get_workspace (StintApplication *self)
{
  g_return_val_if_fail (STINT_IS_APPLICATION (self), NULL);

  return stint_settings_get_workspace (self->settings);
}

StintSettings *
stint_application_get_settings (StintApplication *self)
{
  g_return_val_if_fail (STINT_IS_APPLICATION (self), NULL);

  return self->settings;
}

void
stint_application_start_from_window (StintApplication *self, StintJobSpec *spec)
{
  g_return_if_fail (STINT_IS_APPLICATION (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  on_window_start (self, spec);
}

int
stint_application_get_exit_status (StintApplication *self)
{
  g_return_val_if_fail (STINT_IS_APPLICATION (self), 1);

  return self->exit_status;
}
