/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job as a dictionary: for the bus, and as JSON for scripts.
 */
#define G_LOG_DOMAIN "stint-bus"
#include "config.h"

#include "stint-job-facts.h"

#include "stint-report.h"
#include "stint-units.h"

const char *
stint_job_state_to_nick (StintJobState state)
{
  switch (state)
    {
    case STINT_JOB_QUEUED:
      return "queued";
    case STINT_JOB_STARTING:
      return "starting";
    case STINT_JOB_RUNNING:
      return "running";
    case STINT_JOB_STOPPING:
      return "stopping";
    case STINT_JOB_FINISHED:
      return "finished";
    default:
      g_return_val_if_reached ("finished");
    }
}

static void
add (GVariantBuilder *builder, const char *name, GVariant *value)
{
  g_variant_builder_add (builder, "{sv}", name, value);
}

/* The bus takes only UTF-8, and drops whoever sends anything else. */
static void
add_text (GVariantBuilder *builder, const char *name, const char *text)
{
  if (text != NULL)
    add (builder, name, g_variant_new_take_string (g_utf8_make_valid (text, -1)));
}

static void
add_bytes (GVariantBuilder *builder, const char *name, const char *bytes)
{
  if (bytes != NULL)
    add (builder, name, g_variant_new_bytestring (bytes));
}

static void
add_left (GVariantBuilder *builder, const char *name, gint64 usec)
{
  if (usec != STINT_NEVER)
    add (builder, name, g_variant_new_int64 (MAX (usec, 0) / 1000));
}

static void
add_tags (GVariantBuilder *builder, StintJobSpec *spec)
{
  const char *const *tags = stint_job_spec_get_tags (spec);
  GVariantBuilder list;

  g_variant_builder_init (&list, G_VARIANT_TYPE ("as"));
  for (guint i = 0; tags[i] != NULL; i++)
    g_variant_builder_add_value (&list,
                                 g_variant_new_take_string (g_utf8_make_valid (tags[i], -1)));
  add (builder, "tags", g_variant_builder_end (&list));
}

static void
add_spec (GVariantBuilder *builder, StintJobSpec *spec)
{
  g_autofree char *command = stint_job_spec_dup_command_line (spec);

  add_text (builder, "name", stint_job_spec_get_name (spec));
  add_text (builder, "kind", stint_job_kind_to_nick (stint_job_spec_get_kind (spec)));
  add (builder, "argv", g_variant_new_bytestring_array (stint_job_spec_get_argv (spec), -1));
  add_text (builder, "command", command);
  add (builder, "tty", g_variant_new_boolean (stint_job_spec_get_tty (spec)));
  add_bytes (builder, "cwd", stint_job_spec_get_directory (spec));
  add_tags (builder, spec);
}

static void
add_origin (GVariantBuilder *builder, guint64 follows, guint attempt)
{
  if (follows != 0)
    add (builder, "follows", g_variant_new_uint64 (follows));
  add (builder, "attempt", g_variant_new_uint32 (attempt));
}

/* What cannot say how far it is says nothing here. */
static void
add_progress (GVariantBuilder *builder, StintJob *job)
{
  guint percent;
  StintProgress progress = stint_job_get_progress (job, &percent);

  if (progress != STINT_PROGRESS_NONE && progress != STINT_PROGRESS_UNKNOWN)
    add (builder, "progress", g_variant_new_uint32 (percent));
}

static void
add_life (GVariantBuilder *builder, StintJob *job)
{
  g_autofree char *started = stint_report_dup_time (stint_job_get_started_at (job));
  StintReason stop_reason = stint_job_get_stop_reason (job);

  add_text (builder, "state", stint_job_state_to_nick (stint_job_get_state (job)));
  add (builder, "paused", g_variant_new_boolean (stint_job_get_paused (job)));
  if (stint_job_get_pid (job) > 0)
    add (builder, "pid", g_variant_new_int32 (stint_job_get_pid (job)));
  add_text (builder, "startedAt", started);
  if (started != NULL)
    add (builder, "elapsedMs", g_variant_new_int64 (stint_job_get_elapsed (job) / 1000));
  add_left (builder, "timeoutLeftMs", stint_job_get_timeout_left (job));
  add_left (builder, "idleLeftMs", stint_job_get_idle_left (job));
  add_left (builder, "killLeftMs", stint_job_get_kill_left (job));
  add (builder, "outputBytes", g_variant_new_uint64 (stint_job_get_output_bytes (job)));
  add_progress (builder, job);
  if (stop_reason != STINT_REASON_NONE)
    add_text (builder, "stopReason", stint_reason_to_nick (stop_reason));
  add_text (builder, "warning", stint_job_get_warning (job));
  add_bytes (builder, "directory", stint_job_get_directory (job));
}

static void
add_result (GVariantBuilder *builder, const StintResult *result)
{
  g_autofree char *sentence = stint_result_dup_sentence (result);

  add_text (builder, "reason", stint_reason_to_nick (result->reason));
  if (result->has_exit_code)
    add (builder, "exitCode", g_variant_new_int32 (result->exit_code));
  if (result->term_signal != 0)
    add (builder, "signal",
         g_variant_new_take_string (stint_signal_dup_name (result->term_signal)));
  add (builder, "exitStatus", g_variant_new_int32 (stint_result_get_exit_status (result)));
  add (builder, "durationMs", g_variant_new_int64 (result->duration / 1000));
  add (builder, "cpuMs", g_variant_new_int64 (result->cpu_time / 1000));
  add (builder, "maxRssBytes", g_variant_new_int64 (result->max_rss));
  add (builder, "escalated", g_variant_new_boolean (result->escalated));
  add (builder, "leftovers", g_variant_new_uint32 (result->leftovers));
  add_text (builder, "sentence", sentence);
  add_text (builder, "error", result->error);
}

GVariant *
stint_job_facts_new (StintJob *job)
{
  GVariantBuilder builder;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add (&builder, "id", g_variant_new_uint64 (stint_job_get_id (job)));
  add_text (&builder, "title", stint_job_get_title (job));
  add_spec (&builder, stint_job_get_spec (job));
  add_text (&builder, "owner", stint_job_is_elsewhere (job) ? "terminal" : "window");
  add_origin (&builder, stint_job_get_follows (job), stint_job_get_attempt (job));
  add_life (&builder, job);
  if (stint_job_get_result (job) != NULL)
    add_result (&builder, stint_job_get_result (job));
  return g_variant_builder_end (&builder);
}

GVariant *
stint_job_facts_new_elsewhere (const StintLeftJob *left, gint64 started_at)
{
  g_autofree char *title = stint_job_spec_dup_title (left->spec);
  g_autofree char *started = stint_report_dup_time (started_at);
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  add (&builder, "id", g_variant_new_uint64 (left->id));
  add_text (&builder, "title", title);
  add_spec (&builder, left->spec);
  add_text (&builder, "owner", "terminal");
  add_origin (&builder, left->follows, left->attempt);
  add_text (&builder, "state", stint_job_state_to_nick (STINT_JOB_RUNNING));
  add_text (&builder, "startedAt", started);
  if (started_at != 0)
    add (&builder, "elapsedMs",
         g_variant_new_int64 (MAX (g_get_real_time () - started_at, 0) / 1000));
  add_bytes (&builder, "directory", left->directory);
  return g_variant_builder_end (&builder);
}

static JsonNode *
to_json (GVariant *value)
{
  JsonNode *node = json_node_alloc ();

  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING))
    return json_node_init_string (node, g_variant_get_string (value, NULL));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BYTESTRING))
    {
      g_autofree char *text = g_utf8_make_valid (g_variant_get_bytestring (value), -1);

      return json_node_init_string (node, text);
    }
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_BOOLEAN))
    return json_node_init_boolean (node, g_variant_get_boolean (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    return json_node_init_int (node, g_variant_get_int32 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    return json_node_init_int (node, g_variant_get_uint32 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return json_node_init_int (node, g_variant_get_int64 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    return json_node_init_int (node, (gint64) g_variant_get_uint64 (value));
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY))
    {
      g_autoptr (JsonArray) array = json_array_new ();
      gsize n = g_variant_n_children (value);

      for (gsize i = 0; i < n; i++)
        {
          g_autoptr (GVariant) child = g_variant_get_child_value (value, i);

          json_array_add_element (array, to_json (child));
        }
      return json_node_init_array (node, array);
    }
  return json_node_init_null (node);
}

JsonNode *
stint_job_facts_to_json (GVariant *facts)
{
  g_autoptr (JsonObject) object = json_object_new ();
  JsonNode *node = json_node_alloc ();
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_return_val_if_fail (g_variant_is_of_type (facts, G_VARIANT_TYPE_VARDICT), NULL);

  g_variant_iter_init (&iter, facts);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value))
    json_object_set_member (object, name, to_json (value));
  return json_node_init_object (node, object);
}
