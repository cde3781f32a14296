/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl output` and `stintctl follow`: a job's output from its transcript, while it is written and
 * afterwards. Who writes it is not asked: its file tells when it grows, and its lock when no more comes.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-output.h"

#include "stint-cli-lookup.h"
#include "stint-cli-window.h"
#include "stint-cli-words.h"
#include "stint-error.h"
#include "stint-export.h"
#include "stint-job-store.h"
#include "stint-result.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <signal.h>
#include <unistd.h>

#define CHUNK 65536

/* What a job directory calls its output, as it is written and once it is compressed. */
#define OUTPUT "output"
#define COMPRESSED "output.zst"

/* How often the file system's news are heard at most, ms. */
#define NEWS_MSEC 20

/* (transfer full) (nullable): the facts of the one job that @words name, which has a directory. */
static GVariant *
find (char **words, const char *verb, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  g_autoptr (GVariant) facts = NULL;
  const char *directory;

  if (words[0] == NULL || words[1] != NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a verb, twice */
                   _ ("%s takes one job: its number, its name, or “last”; see stintctl %s --help"),
                   verb, verb);
      return NULL;
    }
  window = stint_cli_window_connect (FALSE, NULL);
  facts = stint_cli_find_job (window, words[0], FALSE, error);
  if (facts == NULL)
    return NULL;
  directory = stint_cli_get_bytes (facts, "directory");
  if (!stint_cli_check_kept (directory, stint_cli_get_id (facts), error))
    return NULL;
  return g_steal_pointer (&facts);
}

static gboolean
parse_stream (const char *stream, StintStreams *streams, GError **error)
{
  *streams = STINT_STREAMS_BOTH;
  if (g_strcmp0 (stream, "stdout") == 0)
    *streams = STINT_STREAMS_STDOUT;
  else if (g_strcmp0 (stream, "stderr") == 0)
    *streams = STINT_STREAMS_STDERR;
  else if (stream != NULL)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("--stream takes “stdout” or “stderr”"));
      return FALSE;
    }
  return TRUE;
}

static gboolean
write_output (GVariant *facts, StintExportFormat format, StintStreams streams, GError **error)
{
  g_autoptr (StintReader) reader = stint_reader_new (stint_cli_get_bytes (facts, "directory"));
  g_autoptr (GOutputStream) out = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
  gboolean tty = FALSE;
  const StintExportOptions options = {
    .format = format,
    .streams = streams,
    .tty = g_variant_lookup (facts, "tty", "b", &tty) && tty,
  };

  return stint_export_write (reader, &options, out, NULL, NULL, NULL, error);
}

int
stint_cli_output (const char *const *argv)
{
  gboolean help = FALSE, raw = FALSE;
  g_autofree char *stream = NULL;
  const GOptionEntry entries[] = {
    { "raw", 0, 0, G_OPTION_ARG_NONE, &raw, NULL, NULL },
    { "stream", 0, 0, G_OPTION_ARG_STRING, &stream, NULL, NULL },
    { "help", 0, 0, G_OPTION_ARG_NONE, &help, NULL, NULL },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = stint_cli_words_parse (argv, entries, &error);
  g_autoptr (GVariant) facts = NULL;
  StintStreams streams;

  if (words != NULL && help)
    {
      g_print (_ ("Usage: stintctl output [OPTION…] JOB\n\n"
                  "Writes what a job has put out so far, as lines of text.\n\n"));
      stint_cli_print_option ("--raw", _ ("As it was written, with all control sequences"));
      stint_cli_print_option ("--stream stdout|stderr", _ ("Only one of the streams"));
      return 0;
    }
  if (words != NULL && parse_stream (stream, &streams, &error))
    facts = find (words, "output", &error);
  if (facts != NULL &&
      write_output (facts, raw ? STINT_EXPORT_RAW : STINT_EXPORT_TEXT, streams, &error))
    return 0;
  stint_cli_complain (error);
  return STINT_EXIT_OWN_FAILURE;
}

/* follow */

typedef struct
{
  const char *directory;
  int fd; /* of the output, -1: it is not there yet */
  off_t offset;
  gboolean ended;
  GError *error;
  GMainLoop *loop;
} Follow;

/* The same file, compressed since, is no file to follow. */
static void
open_output (Follow *follow)
{
  g_autofree char *path = g_build_filename (follow->directory, OUTPUT, NULL);

  if (follow->fd < 0)
    follow->fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
}

static gboolean
write_all (const char *bytes, gsize length)
{
  while (length > 0)
    {
      gssize n = write (STDOUT_FILENO, bytes, length);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return FALSE;
      bytes += n;
      length -= (gsize) n;
    }
  return TRUE;
}

/* The output limit takes the middle away, maybe before it was seen. */
static void
pass_hole (Follow *follow)
{
  off_t data = lseek (follow->fd, follow->offset, SEEK_DATA);
  g_autofree char *size = NULL;

  if (data <= follow->offset)
    return;
  size = g_format_size ((guint64) (data - follow->offset));
  /* Translators: an amount of bytes */
  g_printerr (_ ("stintctl: %s are missing here: the output limit removed them\n"), size);
  follow->offset = data;
}

/* FALSE: nobody reads, or it cannot be read. */
static gboolean
pass_on (Follow *follow)
{
  char buffer[CHUNK];
  gssize n;

  open_output (follow);
  if (follow->fd < 0)
    return TRUE;
  for (;;)
    {
      pass_hole (follow);
      n = pread (follow->fd, buffer, sizeof buffer, follow->offset);
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_set_error (&follow->error, G_IO_ERROR, (int) g_io_error_from_errno (errno),
                       _ ("The output cannot be read: %s"), g_strerror (errno));
          return FALSE;
        }
      if (n == 0)
        return TRUE;
      if (!write_all (buffer, (gsize) n))
        return FALSE;
      follow->offset += n;
    }
}

static void
on_news (Follow *follow)
{
  if (!pass_on (follow))
    g_main_loop_quit (follow->loop);
}

static void
wait_in_thread (GTask *task, gpointer source, gpointer directory, GCancellable *cancellable)
{
  GError *error = NULL;

  if (stint_job_store_wait_until_unlocked (directory, &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Follow *follow = user_data;

  follow->ended = g_task_propagate_boolean (G_TASK (result), &follow->error);
  if (follow->ended)
    pass_on (follow);
  g_main_loop_quit (follow->loop);
}

static gboolean
follow_job (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, OUTPUT, NULL);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  g_autoptr (GFileMonitor) monitor = g_file_monitor_file (file, G_FILE_MONITOR_NONE, NULL, error);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GTask) task = NULL;
  Follow follow = { directory, -1, 0, FALSE, NULL, loop };

  if (monitor == NULL)
    return FALSE;
  g_file_monitor_set_rate_limit (monitor, NEWS_MSEC);
  g_signal_connect_swapped (monitor, "changed", G_CALLBACK (on_news), &follow);
  task = g_task_new (NULL, NULL, on_ended, &follow);
  g_task_set_task_data (task, g_strdup (directory), g_free);
  if (pass_on (&follow))
    {
      g_task_run_in_thread (task, wait_in_thread);
      g_main_loop_run (loop);
    }
  if (follow.fd >= 0)
    close (follow.fd);
  if (follow.error == NULL)
    return TRUE;
  g_propagate_error (error, follow.error);
  return FALSE;
}

/* What is compressed has ended. */
static gboolean
has_plain_output (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, COMPRESSED, NULL);

  return !g_file_test (path, G_FILE_TEST_EXISTS);
}

int
stint_cli_follow (const char *const *argv)
{
  gboolean help = FALSE;
  const GOptionEntry entries[] = {
    { "help", 0, 0, G_OPTION_ARG_NONE, &help, NULL, NULL },
    { NULL },
  };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = stint_cli_words_parse (argv, entries, &error);
  g_autoptr (GVariant) facts = NULL;
  gboolean ok = FALSE;

  if (words != NULL && help)
    {
      g_print (_ ("Usage: stintctl follow JOB\n\n"
                  "Writes what a job has put out and puts out, as it is, until it has ended.\n"));
      return 0;
    }
  /* Who reads no more ends this; that is told by write(). */
  signal (SIGPIPE, SIG_IGN);
  if (words != NULL)
    facts = find (words, "follow", &error);
  if (facts != NULL)
    {
      const char *directory = stint_cli_get_bytes (facts, "directory");

      ok = stint_cli_has_finished (facts) || !has_plain_output (directory)
               ? write_output (facts, STINT_EXPORT_RAW, STINT_STREAMS_BOTH, &error)
               : follow_job (directory, &error);
    }
  if (ok)
    return 0;
  stint_cli_complain (error);
  return STINT_EXIT_OWN_FAILURE;
}
