/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result object of the command line's contract.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-report.h"

#include "stint-json.h"
#include "stint-text.h"

#include "protocol.h"

#define MAX_TEXT (1024 * 1024)

/* JSON is text; what is not UTF-8 is shown as well as it can be. */
static void
add_bytes_as_text (JsonBuilder *builder, const char *name, const char *bytes)
{
  g_autofree char *text = bytes != NULL ? g_utf8_make_valid (bytes, -1) : NULL;

  stint_json_add_string (builder, name, text);
}

static void
add_argv (JsonBuilder *builder, StintJobSpec *spec)
{
  const char *const *argv = stint_job_spec_get_argv (spec);

  json_builder_set_member_name (builder, "argv");
  json_builder_begin_array (builder);
  for (guint i = 0; argv[i] != NULL; i++)
    {
      g_autofree char *text = g_utf8_make_valid (argv[i], -1);

      json_builder_add_string_value (builder, text);
    }
  json_builder_end_array (builder);
}

char *
stint_report_dup_time (gint64 usec)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *seconds = NULL;

  if (usec == 0)
    return NULL;
  time = g_date_time_new_from_unix_utc (usec / G_USEC_PER_SEC);
  seconds = g_date_time_format (time, "%Y-%m-%dT%H:%M:%S");
  return g_strdup_printf ("%s.%03dZ", seconds, (int) (usec / 1000 % 1000));
}

static void
add_survivors (JsonBuilder *builder, const StintResult *result)
{
  json_builder_set_member_name (builder, "survivors");
  json_builder_begin_array (builder);
  for (guint i = 0; i < result->n_survivors; i++)
    {
      json_builder_begin_object (builder);
      stint_json_add_int (builder, "pid", result->survivors[i].pid);
      stint_json_add_string (builder, "name", result->survivors[i].name);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_ending (JsonBuilder *builder, const StintResult *result)
{
  g_autofree char *signal_name =
    result->term_signal != 0 ? stint_signal_dup_name (result->term_signal) : NULL;

  stint_json_add_string (builder, "reason", stint_reason_to_nick (result->reason));
  json_builder_set_member_name (builder, "exitCode");
  if (result->has_exit_code)
    json_builder_add_int_value (builder, result->exit_code);
  else
    json_builder_add_null_value (builder);
  stint_json_add_string (builder, "signal", signal_name);
  stint_json_add_bool (builder, "escalated", result->escalated);
  stint_json_add_int (builder, "leftovers", result->leftovers);
  add_survivors (builder, result);
}

/* Returns: (transfer full): the end of a stream; empty, with the reason to @problem, if it cannot be
 * read. */
static char *
read_text (StintTranscript *transcript, StintStream stream, char **problem)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;

  if (transcript == NULL)
    return g_strdup ("");
  bytes = stint_reader_read_stream (stint_transcript_get_reader (transcript), stream, MAX_TEXT, &error);
  if (bytes != NULL)
    return stint_text_from_bytes (bytes);
  if (*problem == NULL)
    *problem = g_strdup (error->message);
  return g_strdup ("");
}

/* Returns: (transfer full) (nullable): the file that is kept, if there is one. */
static char *
dup_transcript_path (StintJob *job)
{
  const char *directory = stint_job_get_directory (job);
  g_autofree char *path = NULL;

  if (directory == NULL || stint_job_is_scratch (job))
    return NULL;
  path = g_build_filename (directory, KEEPER_FILE_OUTPUT, NULL);
  return g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

JsonNode *
stint_report_new (StintJob *job)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  StintJobSpec *spec = stint_job_get_spec (job);
  const StintResult *result = stint_job_get_result (job);
  StintTranscript *transcript = stint_job_get_transcript (job);
  g_autofree char *started = NULL, *out = NULL, *err = NULL, *problem = NULL;
  g_autofree char *path = dup_transcript_path (job);
  gboolean tty = stint_job_spec_get_tty (spec);

  g_return_val_if_fail (result != NULL, NULL);

  started = stint_report_dup_time (result->started_at);
  out = read_text (transcript, STINT_STREAM_STDOUT, &problem);
  if (!tty)
    err = read_text (transcript, STINT_STREAM_STDERR, &problem);

  json_builder_begin_object (builder);
  stint_json_add_int (builder, "id", (gint64) stint_job_get_id (job));
  add_bytes_as_text (builder, "name", stint_job_spec_get_name (spec));
  stint_json_add_string (builder, "kind", stint_job_kind_to_nick (stint_job_spec_get_kind (spec)));
  add_argv (builder, spec);
  add_bytes_as_text (builder, "cwd", stint_job_spec_get_directory (spec));
  stint_json_add_string (builder, "startedAt", started);
  stint_json_add_int (builder, "durationMs", result->duration / 1000);
  add_ending (builder, result);
  stint_json_add_string (builder, "stdout", out);
  stint_json_add_string (builder, "stderr", err);
  stint_json_add_int (builder, "stdoutBytes", (gint64) result->stdout_bytes);
  stint_json_add_int (builder, "stderrBytes", (gint64) result->stderr_bytes);
  stint_json_add_bool (builder, "truncated",
                       result->lost_bytes > 0 || result->hole_bytes > 0 ||
                           result->stdout_bytes > MAX_TEXT || result->stderr_bytes > MAX_TEXT);
  stint_json_add_int (builder, "cpuMs", result->cpu_time / 1000);
  stint_json_add_int (builder, "maxRssBytes", result->max_rss);
  add_bytes_as_text (builder, "transcript", path);
  stint_json_add_string (builder, "error",
                         result->error != NULL      ? result->error
                         : result->store_error != 0 ? stint_job_get_warning (job)
                                                    : problem);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}
