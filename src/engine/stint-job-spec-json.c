/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A spec as JSON, for the history: complete but for the inherited environment and the values of
 * secrets.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-job-spec-private.h"
#include "stint-json.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Arguments and paths are bytes. JSON is text: what is not is kept as {"bytes": BASE64}. */
static void
add_bytes (JsonBuilder *builder, const char *bytes)
{
  g_autofree char *encoded = NULL;

  if (bytes == NULL || g_utf8_validate (bytes, -1, NULL))
    {
      if (bytes == NULL)
        json_builder_add_null_value (builder);
      else
        json_builder_add_string_value (builder, bytes);
      return;
    }
  encoded = g_base64_encode ((const guchar *) bytes, strlen (bytes));
  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "bytes");
  json_builder_add_string_value (builder, encoded);
  json_builder_end_object (builder);
}

static char *
dup_bytes (JsonNode *node)
{
  g_autofree guchar *decoded = NULL;
  JsonNode *member;
  gsize length;

  if (node == NULL || JSON_NODE_HOLDS_NULL (node))
    return NULL;
  if (JSON_NODE_HOLDS_VALUE (node) && json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  if (!JSON_NODE_HOLDS_OBJECT (node))
    return NULL;
  member = json_object_get_member (json_node_get_object (node), "bytes");
  if (member == NULL || json_node_get_value_type (member) != G_TYPE_STRING)
    return NULL;
  decoded = g_base64_decode (json_node_get_string (member), &length);
  return g_strndup ((const char *) decoded, length);
}

/* [NAME, VALUE], [NAME] for an unset one, [NAME, null] for a secret. */
static void
add_env_change (JsonBuilder *builder, StintJobSpec *self, const char *change)
{
  const char *equals = strchr (change, '=');
  g_autofree char *name =
    equals != NULL ? g_strndup (change, (gsize) (equals - change)) : g_strdup (change);

  json_builder_begin_array (builder);
  add_bytes (builder, name);
  if (equals != NULL && stint_job_spec_is_secret (self, name))
    json_builder_add_null_value (builder);
  else if (equals != NULL)
    add_bytes (builder, equals + 1);
  json_builder_end_array (builder);
}

static void
add_env (JsonBuilder *builder, StintJobSpec *self)
{
  const char *const *changes = stint_job_spec_get_env_changes (self);

  json_builder_set_member_name (builder, "env");
  json_builder_begin_array (builder);
  for (guint i = 0; changes[i] != NULL; i++)
    add_env_change (builder, self, changes[i]);
  for (guint i = 0; i < self->missing_secrets->len; i++)
    {
      json_builder_begin_array (builder);
      add_bytes (builder, self->missing_secrets->pdata[i]);
      json_builder_add_null_value (builder);
      json_builder_end_array (builder);
    }
  json_builder_end_array (builder);
}

static void
add_bytes_member (JsonBuilder *builder, const char *name, const char *bytes)
{
  if (bytes == NULL)
    return;
  json_builder_set_member_name (builder, name);
  add_bytes (builder, bytes);
}

static void
add_int_member (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
add_array_member (JsonBuilder *builder,
                  const char *name,
                  const char *const *strings,
                  void (*add) (JsonBuilder *, const char *))
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
  for (guint i = 0; strings[i] != NULL; i++)
    add (builder, strings[i]);
  json_builder_end_array (builder);
}

static void
add_then (JsonBuilder *builder, StintJobSpec *self)
{
  json_builder_begin_array (builder);
  for (guint i = 0; i < self->then->len; i++)
    {
      const StintThenLine *then = self->then->pdata[i];

      json_builder_begin_object (builder);
      add_bytes_member (builder, "when", stint_then_to_nick (then->when));
      add_bytes_member (builder, "shell", then->line);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_schedule (JsonBuilder *builder, StintJobSpec *self)
{
  if (self->start_delay > 0)
    add_int_member (builder, "startDelay", self->start_delay);
  if (self->start_at > 0)
    add_int_member (builder, "startAt", self->start_at);
  if (self->retries > 0)
    {
      add_int_member (builder, "retries", self->retries);
      add_int_member (builder, "retryDelay", self->retry_delay);
    }
  if (self->then->len == 0)
    return;
  json_builder_set_member_name (builder, "then");
  add_then (builder, self);
}

char *
stint_job_spec_then_to_text (StintJobSpec *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) node = NULL;

  add_then (builder, self);
  node = json_builder_get_root (builder);
  return stint_json_to_text (node, FALSE);
}

JsonNode *
stint_job_spec_to_json (StintJobSpec *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  json_builder_begin_object (builder);
  add_bytes_member (builder, "kind", stint_job_kind_to_nick (self->kind));
  if (self->shell_line != NULL)
    add_bytes_member (builder, "shell", self->shell_line);
  if (stint_job_spec_has_shell (self))
    add_bytes_member (builder, "interpreter", self->argv[0]);
  if (self->shell_line == NULL)
    add_array_member (builder, "argv", (const char *const *) self->argv, add_bytes);
  add_bytes_member (builder, "name", self->name);
  add_bytes_member (builder, "directory", self->directory);
  add_bytes_member (builder, "stdin", self->stdin_text);
  add_env (builder, self);
  add_array_member (builder, "tags", stint_job_spec_get_tags (self), add_bytes);
  add_int_member (builder, "timeout", stint_job_spec_get_timeout (self));
  if (self->idle_timeout != STINT_UNSET)
    add_int_member (builder, "idleTimeout", self->idle_timeout);
  if (self->idle_by != STINT_IDLE_BY_OUTPUT)
    add_int_member (builder, "idleBy", self->idle_by);
  if (self->on_idle != STINT_ON_IDLE_TERMINATE)
    add_int_member (builder, "onIdle", self->on_idle);
  add_int_member (builder, "grace", stint_job_spec_get_grace (self));
  add_int_member (builder, "outputLimit", (gint64) self->output_limit);
  if (self->niceness != STINT_UNSET)
    add_int_member (builder, "niceness", self->niceness);
  add_int_member (builder, "leftovers", self->leftovers);
  if (self->tty != STINT_UNSET)
    add_int_member (builder, "tty", self->tty);
  add_int_member (builder, "columns", self->columns);
  add_int_member (builder, "rows", self->rows);
  if (self->unkept)
    add_int_member (builder, "unkept", 1);
  add_schedule (builder, self);
  if (self->parent != 0)
    add_int_member (builder, "parent", (gint64) self->parent);
  if (self->session)
    add_int_member (builder, "session", 1);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static gint64
get_int (JsonObject *object, const char *name, gint64 low, gint64 high, gint64 fallback)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return fallback;
  return CLAMP (json_node_get_int (node), low, high);
}

static JsonArray *
get_array (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  return node != NULL && JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
}

/* Returns: (transfer full): the strings of an array, whatever else it holds left out. */
static GPtrArray *
get_strings (JsonObject *object, const char *name)
{
  g_autoptr (GPtrArray) strings = g_ptr_array_new_null_terminated (0, g_free, TRUE);
  JsonArray *array = get_array (object, name);

  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      char *string = dup_bytes (json_array_get_element (array, i));

      if (string != NULL)
        g_ptr_array_add (strings, string);
    }
  return g_steal_pointer (&strings);
}

static void
read_env (StintJobSpec *self, JsonObject *object)
{
  JsonArray *changes = get_array (object, "env");

  for (guint i = 0; changes != NULL && i < json_array_get_length (changes); i++)
    {
      JsonNode *node = json_array_get_element (changes, i);
      JsonArray *change = JSON_NODE_HOLDS_ARRAY (node) ? json_node_get_array (node) : NULL;
      guint n = change != NULL ? json_array_get_length (change) : 0;
      g_autofree char *name = n > 0 ? dup_bytes (json_array_get_element (change, 0)) : NULL;
      g_autofree char *value = n > 1 ? dup_bytes (json_array_get_element (change, 1)) : NULL;

      if (name == NULL || *name == '\0')
        continue;
      if (n == 1)
        g_ptr_array_add (self->env_changes, g_steal_pointer (&name));
      else if (value != NULL)
        g_ptr_array_add (self->env_changes, g_strconcat (name, "=", value, NULL));
      else
        stint_job_spec_add_missing_secret (self, name);
    }
}

static void
read_then (StintJobSpec *self, JsonArray *lines)
{
  for (guint i = 0; lines != NULL && i < json_array_get_length (lines); i++)
    {
      JsonNode *node = json_array_get_element (lines, i);
      JsonObject *then = JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      g_autofree char *nick = then != NULL ? dup_bytes (json_object_get_member (then, "when")) : NULL;
      g_autofree char *line = then != NULL ? dup_bytes (json_object_get_member (then, "shell")) : NULL;
      StintThen when;

      if (line != NULL && stint_then_from_nick (nick, &when))
        stint_job_spec_add_then (self, when, line);
    }
}

void
stint_job_spec_add_then_from_text (StintJobSpec *self, const char *text)
{
  g_autoptr (JsonNode) node = text != NULL ? json_from_string (text, NULL) : NULL;

  if (node != NULL && JSON_NODE_HOLDS_ARRAY (node))
    read_then (self, json_node_get_array (node));
}

static void
read_schedule (StintJobSpec *self, JsonObject *object)
{
  self->start_delay = get_int (object, "startDelay", 0, G_MAXINT64 / 4, 0);
  self->start_at = get_int (object, "startAt", 0, G_MAXINT64 / 4, 0);
  self->retries = (guint) get_int (object, "retries", 0, STINT_MAX_RETRIES, 0);
  self->retry_delay = get_int (object, "retryDelay", 0, G_MAXINT64 / 4, STINT_DEFAULT_RETRY_DELAY);
  read_then (self, get_array (object, "then"));
}

StintJobSpec *
stint_job_spec_from_json (JsonNode *node, GError **error)
{
  g_autoptr (StintJobSpec) self = NULL;
  g_autoptr (GPtrArray) argv = NULL, tags = NULL;
  g_autofree char *nick = NULL, *line = NULL, *shell = NULL;
  StintJobKind kind;
  JsonObject *object;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED, _ ("A job's description is not an object"));
      return NULL;
    }
  object = json_node_get_object (node);
  nick = dup_bytes (json_object_get_member (object, "kind"));
  line = dup_bytes (json_object_get_member (object, "shell"));
  argv = get_strings (object, "argv");
  if (!stint_job_kind_from_nick (nick, &kind) || (line == NULL && argv->len == 0))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED,
                           _ ("A job's description has no kind or no command"));
      return NULL;
    }

  self = line != NULL ? stint_job_spec_new_shell (kind, line)
                      : stint_job_spec_new (kind, (const char *const *) argv->pdata);
  shell = dup_bytes (json_object_get_member (object, "interpreter"));
  if (shell != NULL && g_path_is_absolute (shell))
    stint_job_spec_set_shell (self, shell);
  self->name = dup_bytes (json_object_get_member (object, "name"));
  self->directory = dup_bytes (json_object_get_member (object, "directory"));
  self->stdin_text = dup_bytes (json_object_get_member (object, "stdin"));
  read_env (self, object);
  tags = get_strings (object, "tags");
  for (guint i = 0; i < tags->len; i++)
    stint_job_spec_add_tag (self, tags->pdata[i]);
  self->timeout = get_int (object, "timeout", 0, G_MAXINT64 / 4, 0);
  self->idle_timeout = get_int (object, "idleTimeout", 0, G_MAXINT64 / 4, STINT_UNSET);
  self->idle_by = (StintIdleBy) get_int (object, "idleBy", 0, STINT_IDLE_BY_ACTIVITY, 0);
  self->on_idle = (StintOnIdle) get_int (object, "onIdle", 0, STINT_ON_IDLE_NOTIFY, 0);
  self->grace = get_int (object, "grace", 0, G_MAXINT64 / 4, STINT_DEFAULT_GRACE);
  self->output_limit =
    (guint64) get_int (object, "outputLimit", 0, G_MAXINT64, STINT_DEFAULT_OUTPUT_LIMIT);
  self->niceness = (int) get_int (object, "niceness", 0, STINT_MAX_NICENESS, STINT_UNSET);
  self->leftovers = (StintLeftovers) get_int (object, "leftovers", 0, 1, 0);
  self->tty = (int) get_int (object, "tty", 0, 1, STINT_UNSET);
  self->columns = (guint) get_int (object, "columns", 1, G_MAXUINT16, 80);
  self->rows = (guint) get_int (object, "rows", 1, G_MAXUINT16, 24);
  self->unkept = get_int (object, "unkept", 0, 1, 0) != 0;
  read_schedule (self, object);
  self->parent = (guint64) get_int (object, "parent", 0, G_MAXINT64, 0);
  self->session = get_int (object, "session", 0, 1, 0) != 0;
  return g_steal_pointer (&self);
}
