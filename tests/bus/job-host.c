/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the window process is to stintctl: the name on the bus, the jobs as an object, the history. No
 * window. Ends when its standard input does.
 */
#include "config.h"

#include "stint-bus.h"
#include "stint-history.h"
#include "stint-job-service.h"
#include "stint-run-options.h"
#include "stint-shutdown.h"

#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

static GMainLoop *loop;

static StintJob *
start (const char *const *words,
       const char *directory,
       const char *const *environment,
       gpointer jobs,
       GError **error)
{
  g_autoptr (StintRunOptions) options = stint_run_options_parse (words, NULL, error);
  g_autoptr (StintJobSpec) spec = NULL;

  if (options == NULL)
    return NULL;
  spec = stint_run_options_to_spec (options, STINT_JOB_KIND_SHELL, FALSE);
  stint_job_spec_resolve (spec, directory, NULL, environment);
  return stint_job_list_submit (jobs, spec, NULL, error);
}

static void
handle_name (GDBusConnection *bus, const char *name, gpointer data)
{
  if (write (STDOUT_FILENO, "ready\n", 6) != 6)
    g_main_loop_quit (loop);
}

static void
handle_shutdown (GObject *source, GAsyncResult *result, gpointer data)
{
  g_main_loop_quit (loop);
}

static gboolean
handle_input (int fd, GIOCondition condition, gpointer shutdown)
{
  stint_shutdown_begin (shutdown, "end of input");
  stint_shutdown_wait_async (shutdown, handle_shutdown, NULL);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  const StintJobServiceHost host = { start, NULL };
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);
  g_autoptr (StintHistory) history = stint_history_new (NULL);
  g_autoptr (StintJobList) jobs = stint_job_list_new (STINT_JOB_STORE (history));
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (jobs);
  g_autoptr (StintJobService) service = stint_job_service_new (jobs, &host, jobs);
  guint name_id;

  signal (SIGPIPE, SIG_IGN);
  g_assert_nonnull (bus);
  if (argc > 1)
    stint_job_list_set_max_running (jobs, (guint) g_ascii_strtoull (argv[1], NULL, 10));
  loop = g_main_loop_new (NULL, FALSE);
  g_assert_true (stint_job_service_export (service, bus, STINT_BUS_PATH, NULL));
  name_id = g_bus_own_name_on_connection (bus, APP_ID, G_BUS_NAME_OWNER_FLAGS_NONE, handle_name, NULL,
                                          NULL, NULL);
  g_unix_fd_add (STDIN_FILENO, G_IO_HUP, handle_input, shutdown);
  g_main_loop_run (loop);
  g_bus_unown_name (name_id);
  g_clear_object (&service);
  stint_history_close (history);
  g_main_loop_unref (loop);
  return 0;
}
