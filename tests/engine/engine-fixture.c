/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See engine-fixture.h.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "engine-fixture.h"

#include "stint-scratch-store.h"
#include "stint-text.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static gboolean
turn (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
fixture_start_watchdog (void)
{
  static guint source;

  if (source == 0)
    source = g_timeout_add (10, turn, NULL);
}

StintJobSpec *
fixture_shell (const char *line)
{
  StintJobSpec *spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);

  stint_job_spec_set_directory (spec, "/");
  return spec;
}

StintJobList *
fixture_list (void)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();

  return stint_job_list_new (store);
}

StintJob *
fixture_submit (StintJobList *list, StintJobSpec *spec)
{
  g_autoptr (GError) error = NULL;
  StintJob *job = stint_job_list_submit (list, spec, NULL, &error);

  g_assert_no_error (error);
  return job;
}

void
fixture_wait_for_all (StintJobList *list)
{
  wait_until (stint_job_list_get_n_active (list) == 0 && stint_job_list_get_n_saving (list) == 0);
}

StintJob *
fixture_run (StintJobSpec *spec)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJob) job = fixture_submit (list, spec);

  fixture_wait_for_all (list);
  return g_steal_pointer (&job);
}

char *
fixture_read (StintJob *job, StintStream stream)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  StintTranscript *transcript = stint_job_get_transcript (job);

  if (transcript == NULL)
    return g_strdup ("");
  bytes = stint_reader_read_stream (stint_transcript_get_reader (transcript), stream, G_MAXINT32, &error);
  g_assert_no_error (error);
  return stint_text_from_bytes (bytes);
}

static gboolean
has_written (StintJob *job, const char *text)
{
  g_autofree char *output = fixture_read (job, STINT_STREAM_STDOUT);

  return strstr (output, text) != NULL;
}

void
fixture_wait_for_output (StintJob *job, const char *text)
{
  wait_until (has_written (job, text));
}

int
fixture_read_number (StintJob *job, const char *name)
{
  g_autofree char *output = fixture_read (job, STINT_STREAM_STDOUT);
  const char *at = strstr (output, name);

  g_assert_nonnull (at);
  return atoi (at + strlen (name));
}

gboolean
fixture_pid_exists (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d", pid);

  g_assert_cmpint (pid, >, 1);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

guint
fixture_count_children (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());
  g_autofree char *children = NULL;
  g_auto (GStrv) words = NULL;
  guint n = 0;

  g_assert_true (g_file_get_contents (path, &children, NULL, NULL));
  words = g_strsplit (children, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    n += *words[i] != '\0';
  return n;
}

guint
fixture_count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

GDBusConnection *
fixture_connect_to_bus (GTestDBus *daemon)
{
  g_autoptr (GError) error = NULL;
  GDBusConnection *bus = g_dbus_connection_new_for_address_sync (
      g_test_dbus_get_bus_address (daemon),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);

  g_assert_no_error (error);
  return bus;
}
