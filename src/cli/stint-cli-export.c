/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl export`: what a job of the history put out, for other programs.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-export.h"

#include "stint-cli-file.h"
#include "stint-cli-lookup.h"
#include "stint-cli-save.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-job-store.h"
#include "stint-result.h"
#include "stint-standard-descriptors.h"
#include "stint-units.h"

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  guint64 id; /* 0: the last one */
  gboolean help;
  char *format;
  char *stream;
  char *output;
  StintExportOptions options;
} Export;

static void
export_clear (Export *export)
{
  g_free (export->format);
  g_free (export->stream);
  g_free (export->output);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Export, export_clear)

static void
complain (const GError *error)
{
  g_printerr ("stintctl: %s\n", error->message);
}

static gboolean
parse_id (const char *const *words, Export *export, GError **error)
{
  g_autofree char *clean = NULL;

  if (words == NULL || words[0] == NULL || words[1] != NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("export takes one job: its number, or “last”; see stintctl export --help"));
      return FALSE;
    }
  if (strcmp (words[0], "last") == 0 ||
      g_ascii_string_to_unsigned (words[0], 10, 1, STINT_MAX_JOB_ID, &export->id, NULL))
    return TRUE;
  clean = stint_text_clean (words[0], 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“%s” is no job: a job is a number, or “last”"), clean);
  return FALSE;
}

static gboolean
parse_streams (Export *export, GError **error)
{
  g_autofree char *clean = NULL;

  if (export->stream == NULL)
    return TRUE;
  if (strcmp (export->stream, "stdout") == 0)
    export->options.streams = STINT_STREAMS_STDOUT;
  else if (strcmp (export->stream, "stderr") == 0)
    export->options.streams = STINT_STREAMS_STDERR;
  if (export->options.streams != STINT_STREAMS_BOTH)
    return TRUE;
  clean = stint_text_clean (export->stream, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("--stream takes “stdout” or “stderr”, and “%s” is neither"), clean);
  return FALSE;
}

static gboolean
parse_format (Export *export, GError **error)
{
  if (export->format != NULL)
    return stint_cli_parse_format ("--format", export->format, &export->options.format, error);
  export->options.format =
      export->output != NULL ? stint_export_format_from_file (export->output) : STINT_EXPORT_TEXT;
  return TRUE;
}

static gboolean
parse (Export *export, const char *const *argv, GError **error)
{
  g_auto (GStrv) words = NULL, rest = NULL;
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  const GOptionEntry entries[] = {
    { "format", 0, 0, G_OPTION_ARG_STRING, &export->format, NULL, NULL },
    { "stream", 0, 0, G_OPTION_ARG_STRING, &export->stream, NULL, NULL },
    { "timestamps", 0, 0, G_OPTION_ARG_NONE, &export->options.timestamps, NULL, NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &export->output, NULL, NULL },
    { "help", 0, 0, G_OPTION_ARG_NONE, &export->help, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &rest, NULL, NULL },
    { NULL },
  };

  g_ptr_array_add (all, (char *) "stintctl");
  for (guint i = 0; argv[i] != NULL; i++)
    g_ptr_array_add (all, (char *) argv[i]);
  g_ptr_array_add (all, NULL);
  words = g_strdupv ((char **) all->pdata);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse_strv (context, &words, error))
    return FALSE;
  return export->help || (parse_id ((const char *const *) rest, export, error) &&
                          parse_streams (export, error) && parse_format (export, error));
}

/* Returns: the reader of what is kept of @job's output, or NULL. */
static StintReader *
open_output (StintCliJob *job, GError **error)
{
  /* Where it ends is not yet known, and what the limit removes neither. */
  if (job->running && stint_job_store_is_locked (job->directory))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a job's number */
                   _ ("Job %" PRIu64 " is still running; it can be exported when it has ended"),
                   job->id);
      return NULL;
    }
  if (!stint_cli_check_kept (job->directory, job->id, error))
    return NULL;
  return stint_reader_new (job->directory);
}

static gboolean
write_output (Export *export, StintReader *reader, GError **error)
{
  g_autoptr (GOutputStream) out = NULL;
  StintCliFile *file;

  if (export->output == NULL)
    {
      if (!stint_standard_descriptor_was_open (STDOUT_FILENO))
        {
          g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED, _ ("Standard output is closed"));
          return FALSE;
        }
      out = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
      return stint_export_write (reader, &export->options, out, NULL, NULL, NULL, error);
    }
  file = stint_cli_file_open (export->output, error);
  if (file == NULL)
    return FALSE;
  if (stint_export_write (reader, &export->options, stint_cli_file_get_stream (file), NULL, NULL,
                          NULL, error))
    return stint_cli_file_commit (file, error);
  stint_cli_file_free (file);
  return FALSE;
}

static gboolean
run (Export *export, GError **error)
{
  g_autofree char *state = stint_job_directories_dup_state ();
  g_autofree char *title = NULL, *command = NULL;
  g_autoptr (StintCliJob) job = stint_cli_lookup (state, export->id, error);
  g_autoptr (StintReader) reader = job != NULL ? open_output (job, error) : NULL;

  if (reader == NULL)
    return FALSE;
  title = stint_job_spec_dup_title (job->spec);
  command = stint_job_spec_dup_command_line (job->spec);
  export->options.title = title;
  export->options.command = command;
  export->options.tty = stint_job_spec_get_tty (job->spec);
  export->options.started_at = job->started_at;
  stint_job_spec_get_size (job->spec, &export->options.columns, &export->options.rows);
  return write_output (export, reader, error);
}

static void
print_help (void)
{
  g_print (_ ("Usage: stintctl export [OPTION…] ID|last\n\n"
              "Writes the output of a job that has ended.\n\n"));
  g_print ("  %-30s %s\n", "--format FORMAT",
           _ ("raw, text, html or asciicast; without it by FILE's suffix, else text"));
  g_print ("  %-30s %s\n", "--stream stdout|stderr", _ ("Only one of the streams"));
  g_print ("  %-30s %s\n", "--timestamps", _ ("Begin each line of text or html with its time"));
  g_print ("  %-30s %s\n", "-o, --output FILE", _ ("Write to FILE instead of standard output"));
}

int
stint_cli_export (const char *const *argv)
{
  g_auto (Export) export = { 0 };
  g_autoptr (GError) error = NULL;

  if (!parse (&export, argv, &error))
    {
      complain (error);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (export.help)
    {
      print_help ();
      return 0;
    }
  if (run (&export, &error))
    return 0;
  complain (error);
  return STINT_EXIT_OWN_FAILURE;
}
