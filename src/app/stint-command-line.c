/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A command line, as the window process sees it. A client is answered when the last reference to
 * its GApplicationCommandLine goes: that is how it is made to wait. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-command-line.h"

#include "stint-agent-launch.h"
#include "stint-client.h"
#include "stint-error.h"
#include "stint-json.h"
#include "stint-launch.h"
#include "stint-report.h"
#include "stint-sequence.h"
#include "stint-units.h"

#include <glib/gi18n.h>

/* What is not written by then when the process ends is on a disk that does not answer. */
#define FLUSH_SECONDS 2

/* A job that waits no longer than this is not said to wait. */
#define QUEUED_MSEC 500

/* One job of one client, and what follows it. Lives until the client is answered and all results are
 * written. */
typedef struct
{
  GApplicationCommandLine *command_line; /* (nullable): once the client has been answered */
  StintJobList *jobs;
  StintJob *job;
  char *client; /* (nullable): its unique bus name */
  GAction *cancel;
  gulong cancel_id;
  gulong state_id;
  gulong id_id;
  guint watch_id;
  guint queued_id; /* says so when it is still queued after a moment */
  gboolean wait;
  gboolean quiet;
  gboolean told_id;
  gboolean to_stdout; /* --json - */
  GFile *json;        /* (nullable): --json FILE */
  GString *results;   /* for that file: an object a line */
} Run;

/* Results that are being written. */
static guint n_writing;

static void update (Run *run);

static void
run_free (Run *run)
{
  g_clear_signal_handler (&run->cancel_id, run->cancel);
  g_clear_signal_handler (&run->state_id, run->job);
  g_clear_signal_handler (&run->id_id, run->job);
  g_clear_handle_id (&run->watch_id, g_bus_unwatch_name);
  g_clear_handle_id (&run->queued_id, g_source_remove);
  g_clear_object (&run->command_line);
  g_clear_object (&run->cancel);
  g_clear_object (&run->job);
  g_clear_object (&run->json);
  g_clear_object (&run->jobs);
  g_string_free (run->results, TRUE);
  g_free (run->client);
  g_free (run);
}

static void
answer (Run *run, int status)
{
  if (run->command_line == NULL)
    return;
  g_application_command_line_set_exit_status (run->command_line, status);
  g_clear_object (&run->command_line);
}

/* Returns: FALSE if there is a file to be written first: then it goes on after that. */
static gboolean
take_result (Run *run)
{
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *text = NULL;

  if (run->json == NULL && !run->to_stdout)
    return TRUE;
  node = stint_report_new (run->job);
  text = stint_json_to_text (node, FALSE);
  g_string_append_printf (run->results, "%s\n", text);
  if (run->to_stdout && run->command_line != NULL)
    g_application_command_line_print (run->command_line, "%s\n", text);
  return run->json == NULL;
}

static void
tell_id (Run *run)
{
  if (run->told_id || run->command_line == NULL || stint_job_get_id (run->job) == 0)
    return;
  run->told_id = TRUE;
  if (!run->quiet && !run->to_stdout)
    g_application_command_line_print (run->command_line, "%" G_GUINT64_FORMAT "\n",
                                      stint_job_get_id (run->job));
}

static void
set_job (Run *run, StintJob *job)
{
  g_clear_signal_handler (&run->state_id, run->job);
  g_clear_signal_handler (&run->id_id, run->job);
  g_set_object (&run->job, job);
  run->state_id = g_signal_connect_swapped (job, "notify::state", G_CALLBACK (update), run);
  run->id_id = g_signal_connect_swapped (job, "notify::id", G_CALLBACK (update), run);
}

/* What follows has been submitted before we are told of the end. Returns: whether there is any. */
static gboolean
turn_to_follower (Run *run)
{
  g_autoptr (GPtrArray) followers = stint_job_list_dup_followers (run->jobs, run->job);

  if (followers->len == 0)
    return FALSE;
  set_job (run, followers->pdata[0]);
  update (run);
  return TRUE;
}

static void
go_on (Run *run, gboolean written)
{
  StintResult *result = stint_job_get_result (run->job);
  int status = written ? stint_result_get_exit_status (result) : STINT_EXIT_OWN_FAILURE;

  if (result->reason == STINT_REASON_FAILED && run->command_line != NULL)
    g_application_command_line_printerr (
        run->command_line, "stint: %s\n",
        result->error != NULL ? result->error : _ ("the job could not be started"));
  else
    tell_id (run);
  if (!run->wait)
    answer (run, !written || result->reason == STINT_REASON_FAILED ? status : 0);
  if (written && (run->wait || run->json != NULL) && turn_to_follower (run))
    return;
  answer (run, status);
  run_free (run);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Run *run = user_data;
  g_autoptr (GError) error = NULL;
  gboolean written = g_file_replace_contents_finish (G_FILE (source), result, NULL, &error);

  n_writing--;
  if (!written && run->command_line != NULL)
    g_application_command_line_printerr (run->command_line, "stint: %s\n", error->message);
  else if (!written)
    g_printerr ("stint: %s\n", error->message);
  go_on (run, written);
}

/* The file may be on a disk that takes its time. */
static void
finish (Run *run)
{
  g_autoptr (GBytes) bytes = NULL;

  /* It ends only once. */
  g_clear_signal_handler (&run->state_id, run->job);
  g_clear_signal_handler (&run->id_id, run->job);
  if (take_result (run))
    {
      go_on (run, TRUE);
      return;
    }
  bytes = g_bytes_new (run->results->str, run->results->len);
  n_writing++;
  g_file_replace_contents_bytes_async (run->json, bytes, NULL, FALSE, G_FILE_CREATE_NONE, NULL,
                                       on_written, run);
}

/* Nobody waits for what starts in an hour. Returns: whether the client needs no more. */
static gboolean
answer_if_later (Run *run)
{
  if (run->wait || stint_job_get_id (run->job) == 0 ||
      stint_job_get_start_left (run->job) == STINT_NEVER)
    return FALSE;
  tell_id (run);
  answer (run, 0);
  return run->json == NULL;
}

/* Its last act may be to free @run. */
static void
update (Run *run)
{
  switch (stint_job_get_state (run->job))
    {
    case STINT_JOB_RUNNING:
    case STINT_JOB_STOPPING:
      tell_id (run);
      if (run->wait)
        break;
      answer (run, 0);
      if (run->json == NULL)
        run_free (run);
      break;
    case STINT_JOB_FINISHED:
      finish (run);
      break;
    case STINT_JOB_QUEUED:
      if (answer_if_later (run))
        run_free (run);
      break;
    case STINT_JOB_STARTING:
    default:
      break;
    }
}

static gboolean
on_still_queued (gpointer user_data)
{
  Run *run = user_data;

  run->queued_id = 0;
  if (stint_job_get_state (run->job) != STINT_JOB_QUEUED || run->command_line == NULL)
    return G_SOURCE_REMOVE;
  if (stint_job_get_start_left (run->job) != STINT_NEVER)
    g_application_command_line_printerr (run->command_line, "%s",
                                         _ ("stint: waits until its time has come\n"));
  /* Without a position it waits for nobody: its place in the history is being made. */
  else if (stint_job_get_queue_position (run->job) > 0)
    g_application_command_line_printerr (run->command_line, "%s",
                                         _ ("stint: waits until another job has ended\n"));
  return G_SOURCE_REMOVE;
}

/* Whoever waited wants neither the job nor what would have followed it. */
static void
cancel (Run *run)
{
  stint_job_list_remove_continuation (run->jobs, run->job, STINT_SEQUENCE_RETRY);
  stint_job_list_remove_continuation (run->jobs, run->job, STINT_SEQUENCE_THEN);
  stint_job_stop (run->job, STINT_REASON_CANCELLED, -1);
}

/* The client that waited is gone: killed, or its terminal closed. */
static void
on_client_vanished (GDBusConnection *bus, const char *name, gpointer user_data)
{
  cancel (user_data);
}

static void
on_cancel (Run *run, GVariant *client)
{
  if (g_strcmp0 (g_variant_get_string (client, NULL), run->client) == 0)
    cancel (run);
}

static void
watch_client (Run *run, StintApplication *application)
{
  GVariant *data = g_application_command_line_get_platform_data (run->command_line);
  GDBusConnection *bus = g_application_get_dbus_connection (G_APPLICATION (application));

  if (data != NULL)
    g_variant_lookup (data, STINT_CLIENT_NAME_KEY, "s", &run->client);
  g_clear_pointer (&data, g_variant_unref);
  if (run->client == NULL || bus == NULL || !g_dbus_is_unique_name (run->client))
    return;
  run->watch_id = g_bus_watch_name_on_connection (bus, run->client, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                  NULL, on_client_vanished, run, NULL);
  run->cancel = g_object_ref (
      g_action_map_lookup_action (G_ACTION_MAP (application), STINT_CLIENT_CANCEL_ACTION));
  run->cancel_id = g_signal_connect_swapped (run->cancel, "activate", G_CALLBACK (on_cancel), run);
}

static void
follow (StintApplication *application,
        GApplicationCommandLine *command_line,
        const StintLaunch *launch,
        StintJob *job)
{
  const char *json = stint_run_options_get_json (launch->options);
  Run *run = g_new0 (Run, 1);

  run->command_line = g_object_ref (command_line);
  run->jobs = g_object_ref (stint_application_get_jobs (application));
  run->results = g_string_new (NULL);
  run->wait = launch->wait;
  run->quiet = stint_run_options_get_quiet (launch->options);
  run->to_stdout = g_strcmp0 (json, "-") == 0;
  if (json != NULL && !run->to_stdout)
    run->json = g_application_command_line_create_file_for_arg (command_line, json);
  if (run->wait)
    watch_client (run, application);
  set_job (run, job);
  if (!run->quiet)
    run->queued_id = g_timeout_add (QUEUED_MSEC, on_still_queued, run);
  update (run);
}

/* The client's environment, but for what its terminal is: this one's is VTE. */
static char **
dup_environment (const char *const *of_client)
{
  char **environment = g_strdupv ((char **) of_client);

  environment = g_environ_setenv (environment, "TERM", "xterm-256color", TRUE);
  environment = g_environ_setenv (environment, "COLORTERM", "truecolor", TRUE);
  environment = g_environ_unsetenv (environment, "COLUMNS");
  return g_environ_unsetenv (environment, "LINES");
}

static int
run_job (StintApplication *application,
         GApplicationCommandLine *command_line,
         const StintLaunch *launch)
{
  g_autoptr (StintJobSpec) spec = stint_launch_dup_spec (launch);
  g_auto (GStrv) environment = 
      dup_environment (g_application_command_line_get_environ (command_line));
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;

  stint_job_spec_resolve (spec, g_application_command_line_get_cwd (command_line),
                          stint_application_get_workspace (application),
                          (const char *const *) environment);
  job = stint_application_start (application, spec, &error);
  if (job == NULL)
    {
      g_application_command_line_printerr (command_line, "stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  follow (application, command_line, launch, job);
  return g_application_command_line_get_exit_status (command_line);
}

static int
run_agent (StintApplication *application,
           GApplicationCommandLine *command_line,
           const StintLaunch *launch)
{
  g_auto (GStrv) environment =
      dup_environment (g_application_command_line_get_environ (command_line));
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GError) error = NULL;

  job = stint_agent_launch (application, launch, g_application_command_line_get_cwd (command_line),
                            (const char *const *) environment, &error);
  if (job == NULL)
    {
      g_application_command_line_printerr (command_line, "stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  follow (application, command_line, launch, job);
  return g_application_command_line_get_exit_status (command_line);
}

StintJob *
stint_command_line_start (StintApplication *application,
                          const char *const *words,
                          const char *directory,
                          const char *const *environment,
                          GError **error)
{
  g_autoptr (StintLaunch) launch = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_auto (GStrv) inherited = NULL;

  g_return_val_if_fail (STINT_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (words != NULL && environment != NULL, NULL);

  launch = stint_launch_parse (words, error);
  if (launch == NULL)
    return NULL;
  if (launch->mode != STINT_LAUNCH_RUN)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NO_COMMAND,
                           _ ("There is no command to run"));
      return NULL;
    }
  if (launch->wait || launch->foreground || launch->max_jobs >= 0 ||
      stint_run_options_get_json (launch->options) != NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: options, and the program that has them */
                   _ ("%s are options of “%s” only"), "--wait, --foreground, --json, --max-jobs", "stint");
      return NULL;
    }
  spec = stint_launch_dup_spec (launch);
  inherited = dup_environment (environment);
  stint_job_spec_resolve (spec, directory, stint_application_get_workspace (application),
                          (const char *const *) inherited);
  return stint_application_submit (application, spec, error);
}

int
stint_command_line_handle (StintApplication *application, GApplicationCommandLine *command_line)
{
  g_auto (GStrv) argv = NULL;
  g_autoptr (StintLaunch) launch = NULL;
  g_autoptr (GError) error = NULL;
  int argc;

  g_return_val_if_fail (STINT_IS_APPLICATION (application), STINT_EXIT_OWN_FAILURE);
  g_return_val_if_fail (G_IS_APPLICATION_COMMAND_LINE (command_line), STINT_EXIT_OWN_FAILURE);

  argv = g_application_command_line_get_arguments (command_line, &argc);
  launch = stint_launch_parse ((const char *const *) argv + MIN (argc, 1), &error);
  if (launch == NULL)
    {
      g_application_command_line_printerr (command_line, "stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }

  if (launch->max_jobs >= 0)
    stint_application_set_max_running (application, (guint) launch->max_jobs);
  switch (launch->mode)
    {
    case STINT_LAUNCH_RUN:
      return run_job (application, command_line, launch);
    case STINT_LAUNCH_AGENT:
      return run_agent (application, command_line, launch);
    case STINT_LAUNCH_NEW_JOB:
      stint_application_ask_new_job (application,
                                     g_application_command_line_get_cwd (command_line));
      return 0;
    case STINT_LAUNCH_HISTORY:
      stint_application_present_list (application, launch->query);
      return 0;
    case STINT_LAUNCH_PRESENT:
    case STINT_LAUNCH_HELP:
    case STINT_LAUNCH_VERSION:
    default:
      stint_application_present (application);
      return 0;
    }
}

static gboolean
on_flush_timeout (gpointer user_data)
{
  *(gboolean *) user_data = TRUE;
  return G_SOURCE_CONTINUE;
}

gboolean
stint_command_line_flush (void)
{
  gboolean over = FALSE;
  guint timeout_id;

  if (n_writing == 0)
    return TRUE;
  timeout_id = g_timeout_add_seconds (FLUSH_SECONDS, on_flush_timeout, &over);
  while (n_writing > 0 && !over)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout_id);
  return n_writing == 0;
}
