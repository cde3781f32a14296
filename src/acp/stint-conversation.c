/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Makes a conversation of the messages that pass, live or from a log: both give the same. It asks
 * nothing and answers nothing. What an agent says may lack anything or come twice: tool calls are
 * made when they are first named, by whatever names them.
 *
 * The tool calls' own affairs are in stint-conversation-tools.c.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-conversation-private.h"

#include "stint-json.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* A longer message goes on in another item: a view draws an item as one. */
#define MAX_TEXT (256 * 1024)

/* How much of a log is fed at a time. */
#define BATCH 200

enum
{
  PROP_0,
  PROP_TITLE,
  PROP_AGENT,
  N_PROPS,
};

enum
{
  SIGNAL_ITEM_APPENDED,
  SIGNAL_ITEM_CHANGED,
  SIGNAL_DISPLAY_OUTPUT,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

static void list_model_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintConversation,
                               stint_conversation,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

void
stint_conversation_emit_item_changed (StintConversation *self, StintConversationItem *item, gint64 time)
{
  stint_conversation_item_emit_changed (item, time);
  g_signal_emit (self, signals[SIGNAL_ITEM_CHANGED], 0, item);
}

void
stint_conversation_emit_display_output (StintConversation *self,
                                        StintConversationItem *item,
                                        const char *text)
{
  g_signal_emit (self, signals[SIGNAL_DISPLAY_OUTPUT], 0, item, text);
}

/* The message that grew grows no more. */
static void
close_message (StintConversation *self)
{
  StintConversationItem *item = g_steal_pointer (&self->message);

  g_clear_pointer (&self->message_id, g_free);
  if (item == NULL)
    return;
  stint_conversation_item_set_open (item, FALSE);
  stint_conversation_emit_item_changed (self, item, stint_conversation_item_get_end_time (item));
}

void
stint_conversation_add (StintConversation *self, StintConversationItem *item)
{
  close_message (self);
  g_ptr_array_add (self->items, item);
  g_list_model_items_changed (G_LIST_MODEL (self), self->items->len - 1, 0, 1);
}

/* Content */

char *
stint_conversation_dup_block (JsonObject *block)
{
  const char *type = stint_acp_get_string (block, "type");
  const char *mime_type = stint_acp_get_string (block, "mimeType");
  const char *uri = stint_acp_get_string (block, "uri");
  JsonObject *resource;

  if (g_strcmp0 (type, "text") == 0)
    return g_strdup (stint_acp_get_string (block, "text"));
  if (g_strcmp0 (type, "resource_link") == 0)
    {
      const char *name = stint_acp_get_string (block, "name");

      return g_strdup_printf ("[%s](%s)", name != NULL ? name : uri, uri != NULL ? uri : "");
    }
  if (g_strcmp0 (type, "image") == 0)
    /* Translators: %s is a type such as "image/png" */
    return g_strdup_printf (_ ("[Image: %s]"), mime_type != NULL ? mime_type : "?");
  if (g_strcmp0 (type, "audio") == 0)
    /* Translators: %s is a type such as "audio/wav" */
    return g_strdup_printf (_ ("[Sound: %s]"), mime_type != NULL ? mime_type : "?");

  resource = stint_acp_get_object (block, "resource");
  if (stint_acp_get_string (resource, "text") != NULL)
    return g_strdup (stint_acp_get_string (resource, "text"));
  uri = stint_acp_get_string (resource, "uri");
  return uri != NULL ? g_strdup_printf ("[%s]", uri) : NULL;
}

static void
add_chunk (StintConversation *self, StintConversationKind kind, JsonObject *update, gint64 time)
{
  g_autofree char *text = stint_conversation_dup_block (stint_acp_get_object (update, "content"));
  const char *id = stint_acp_get_string (update, "messageId");
  StintConversationItem *item = self->message;

  if (text == NULL || *text == '\0')
    return;
  if (item == NULL || stint_conversation_item_get_kind (item) != kind ||
      (id != NULL && g_strcmp0 (id, self->message_id) != 0) ||
      stint_conversation_item_get_length (item) > MAX_TEXT)
    {
      item = stint_conversation_item_new (kind, time);
      stint_conversation_item_set_open (item, TRUE);
      stint_conversation_add (self, item);
      self->message = item;
      self->message_id = g_strdup (id);
    }
  stint_conversation_item_append (item, text, time);
  g_signal_emit (self, signals[SIGNAL_ITEM_APPENDED], 0, item, text);
}

static void
add_text (StintConversation *self, StintConversationKind kind, const char *text, gint64 time)
{
  StintConversationItem *item = stint_conversation_item_new (kind, time);

  stint_conversation_item_set_text (item, text);
  stint_conversation_add (self, item);
}

static void
add_notice (StintConversation *self, StintNoticeSeverity severity, const char *text, gint64 time)
{
  StintConversationItem *item = stint_conversation_item_new (STINT_CONVERSATION_NOTICE, time);

  stint_conversation_item_set_text (item, text);
  stint_conversation_item_set_severity (item, severity);
  stint_conversation_add (self, item);
}

static StintNoticeSeverity
parse_severity (const char *word)
{
  return g_strcmp0 (word, "error") == 0     ? STINT_NOTICE_ERROR
         : g_strcmp0 (word, "warning") == 0 ? STINT_NOTICE_WARNING
                                            : STINT_NOTICE_INFO;
}

static void
handle_notice (StintConversation *self, JsonObject *update, gint64 time)
{
  const char *title = stint_acp_get_string (update, "title");
  const char *description = stint_acp_get_string (update, "description");
  g_autofree char *text = NULL;

  if (title == NULL)
    return;
  text = description != NULL ? g_strdup_printf ("%s\n%s", title, description) : g_strdup (title);
  add_notice (self, parse_severity (stint_acp_get_string (update, "severity")), text, time);
}

static void
handle_compaction (StintConversation *self, JsonObject *update, gint64 time)
{
  const char *status = stint_acp_get_string (update, "status");

  if (g_strcmp0 (status, "completed") == 0)
    add_notice (self, STINT_NOTICE_INFO, _ ("The agent has summarized the conversation so far"),
                time);
  else if (g_strcmp0 (status, "failed") == 0)
    add_notice (self, STINT_NOTICE_WARNING, _ ("The agent could not summarize the conversation"),
                time);
}

static void
handle_plan (StintConversation *self, JsonObject *update, gint64 time)
{
  JsonArray *entries = stint_acp_get_array (update, "entries");
  GPtrArray *place;
  gboolean open = FALSE;

  if (entries == NULL)
    return;
  if (self->plan == NULL)
    {
      StintConversationItem *item = stint_conversation_item_new (STINT_CONVERSATION_PLAN, time);

      self->plan = item;
      stint_conversation_add (self, item);
    }
  place = stint_conversation_item_get_entries (self->plan);
  g_ptr_array_set_size (place, 0);
  for (guint i = 0; i < json_array_get_length (entries); i++)
    {
      JsonObject *entry = stint_acp_array_object (entries, i);
      const char *text = stint_acp_get_string (entry, "content");
      StintToolStatus status =
          stint_conversation_parse_status (stint_acp_get_string (entry, "status"));

      if (text == NULL)
        continue;
      open = open || status != STINT_TOOL_COMPLETED;
      g_ptr_array_add (
          place, stint_plan_entry_new (text, stint_acp_get_string (entry, "priority"), status));
    }
  stint_conversation_item_set_open (self->plan, open);
  stint_conversation_emit_item_changed (self, self->plan, time);
}

static void
set_title (StintConversation *self, const char *title)
{
  char *old = self->title;

  if (g_strcmp0 (old, title) == 0)
    return;
  self->title = g_strdup (title);
  g_free (old);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TITLE]);
}

static void
set_agent (StintConversation *self, JsonObject *info)
{
  const char *name = stint_acp_get_string (info, "title");

  if (name == NULL)
    name = stint_acp_get_string (info, "name");
  if (name == NULL || g_strcmp0 (name, self->agent) == 0)
    return;
  g_free (self->agent);
  self->agent = g_strdup (name);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_AGENT]);
}

/* What the agent tells */

static void
handle_update (StintConversation *self, JsonObject *params, gint64 time)
{
  JsonObject *update = stint_acp_get_object (params, "update");
  const char *kind = stint_acp_get_string (update, "sessionUpdate");
  const char *session_id = stint_acp_get_string (params, "sessionId");

  /* Another session of the same agent's. */
  if (self->session_id != NULL && session_id != NULL && !g_str_equal (session_id, self->session_id))
    return;
  if (kind == NULL)
    return;

  if (g_str_equal (kind, "agent_message_chunk"))
    add_chunk (self, STINT_CONVERSATION_ANSWER, update, time);
  else if (g_str_equal (kind, "agent_thought_chunk"))
    add_chunk (self, STINT_CONVERSATION_THOUGHT, update, time);
  else if (g_str_equal (kind, "user_message_chunk"))
    {
      /* In a turn it is an echo of what we said. */
      if (!self->in_turn)
        add_chunk (self, STINT_CONVERSATION_PROMPT, update, time);
    }
  else if (g_str_equal (kind, "tool_call"))
    stint_conversation_update_tool (self, update, TRUE, time);
  else if (g_str_equal (kind, "tool_call_update"))
    stint_conversation_update_tool (self, update, FALSE, time);
  else if (g_str_equal (kind, "plan"))
    handle_plan (self, update, time);
  else if (g_str_equal (kind, "notice"))
    handle_notice (self, update, time);
  else if (g_str_equal (kind, "compaction_update"))
    handle_compaction (self, update, time);
  else if (g_str_equal (kind, "session_info_update") && json_object_has_member (update, "title"))
    set_title (self, stint_acp_get_string (update, "title"));
}

static void
add_stop (StintConversation *self, const char *reason, const char *text, gint64 time)
{
  StintConversationItem *item = stint_conversation_item_new (STINT_CONVERSATION_STOP, time);
  g_autofree char *words = NULL;

  if (text != NULL)
    /* Translators: how a turn ended, and what the agent said about it */
    words = g_strdup_printf (_ ("%s: %s"), stint_stop_reason_to_words (reason), text);
  stint_conversation_item_set_stop_reason (item, reason);
  stint_conversation_item_set_text (item,
                                    words != NULL ? words : stint_stop_reason_to_words (reason));
  stint_conversation_add (self, item);
}

static void
end_turn (StintConversation *self, const char *reason, const char *text, gint64 time)
{
  g_autofree char *cause = g_steal_pointer (&self->cause);

  self->in_turn = FALSE;
  /* Why Stint cancelled it says more than that it was cancelled. */
  if (cause != NULL && !g_str_equal (reason, "end_turn"))
    {
      reason = cause;
      text = NULL;
    }
  add_stop (self, reason, text, time);
  self->plan = NULL;
}

/* Returns: whether @node is an id as Stint gives them. */
static gboolean
get_own_id (JsonNode *node, gint64 *id)
{
  if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_INT64)
    return FALSE;
  *id = json_node_get_int (node);
  return TRUE;
}

static void
handle_answer (StintConversation *self, StintAcpMessage *message, gint64 time)
{
  g_autofree char *method = NULL;
  JsonObject *result = stint_acp_node_object (message->result);
  gint64 id;

  if (!get_own_id (message->id, &id))
    return;
  method = g_strdup (g_hash_table_lookup (self->asked, &id));
  if (method == NULL)
    return;
  g_hash_table_remove (self->asked, &id);
  if (g_str_equal (method, "session/prompt") && self->in_turn)
    {
      const char *reason = stint_acp_get_string (result, "stopReason");

      if (message->error != NULL)
        end_turn (self, self->cancelled ? "cancelled" : "error",
                  self->cancelled ? NULL : stint_acp_get_string (message->error, "message"), time);
      else
        end_turn (self, reason != NULL ? reason : "unknown", NULL, time);
    }
  else if (g_str_equal (method, "initialize"))
    {
      set_agent (self, stint_acp_get_object (result, "agentInfo"));
      self->can_continue = stint_acp_can_continue (stint_acp_get_object (result, "agentCapabilities"));
    }
  else if ((g_str_equal (method, "session/load") || g_str_equal (method, "session/resume")) &&
           message->error != NULL)
    {
      /* The agent has lost it; what follows belongs to a new one. */
      g_clear_pointer (&self->session_id, g_free);
    }
  else if (g_str_equal (method, "session/new") && self->session_id == NULL)
    {
      self->session_id = g_strdup (stint_acp_get_string (result, "sessionId"));
    }
}

static void
feed_from_agent (StintConversation *self, StintAcpMessage *message, gint64 time)
{
  JsonObject *params = stint_acp_node_object (message->params);

  if (message->kind == STINT_ACP_KIND_RESPONSE)
    handle_answer (self, message, time);
  else if (g_str_equal (message->method, "session/update"))
    handle_update (self, params, time);
  else if (g_str_equal (message->method, "session/request_permission") &&
           message->kind == STINT_ACP_KIND_REQUEST)
    stint_conversation_ask (self, message->id, params, time);
}

/* What Stint says */

/* (nullable) (transfer full): as the user said it: of a file the name, whatever the agent gets of it */
static char *
dup_own_block (JsonObject *block)
{
  const char *uri = stint_acp_get_string (stint_acp_get_object (block, "resource"), "uri");
  g_autofree char *path = uri != NULL ? g_filename_from_uri (uri, NULL, NULL) : NULL;
  g_autofree char *name = path != NULL ? g_filename_display_basename (path) : NULL;

  return name != NULL ? g_strdup_printf ("[%s](%s)", name, uri) : stint_conversation_dup_block (block);
}

static void
handle_prompt (StintConversation *self, JsonObject *params, gint64 time)
{
  JsonArray *blocks = stint_acp_get_array (params, "prompt");
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; blocks != NULL && i < json_array_get_length (blocks); i++)
    {
      g_autofree char *part = dup_own_block (stint_acp_array_object (blocks, i));

      if (part == NULL)
        continue;
      if (text->len > 0)
        g_string_append_c (text, '\n');
      g_string_append (text, part);
    }
  self->in_turn = TRUE;
  self->cancelled = FALSE;
  self->turn++;
  self->plan = NULL;
  g_clear_pointer (&self->cause, g_free);
  add_text (self, STINT_CONVERSATION_PROMPT, text->str, time);
}

static void
note_asked (StintConversation *self, StintAcpMessage *message)
{
  gint64 id;

  if (get_own_id (message->id, &id))
    g_hash_table_replace (self->asked, g_memdup2 (&id, sizeof id), g_strdup (message->method));
}

static void
feed_to_agent (StintConversation *self, StintAcpMessage *message, gint64 time)
{
  JsonObject *params = stint_acp_node_object (message->params);

  if (message->kind == STINT_ACP_KIND_RESPONSE)
    {
      stint_conversation_decide (self, message->id, stint_acp_node_object (message->result), time);
      return;
    }
  if (message->kind == STINT_ACP_KIND_REQUEST)
    note_asked (self, message);
  if (g_str_equal (message->method, "session/prompt"))
    handle_prompt (self, params, time);
  else if (g_str_equal (message->method, "session/cancel"))
    {
      self->cancelled = TRUE;
      stint_conversation_cancel_tools (self, time);
    }
  else if (g_str_equal (message->method, "session/load") ||
           g_str_equal (message->method, "session/resume"))
    {
      g_free (self->session_id);
      self->session_id = g_strdup (stint_acp_get_string (params, "sessionId"));
    }
}

/* What only Stint knows */

static void
feed_from_host (StintConversation *self, JsonObject *note, gint64 time)
{
  JsonObject *notice = stint_acp_get_object (note, "notice");
  JsonObject *terminal = stint_acp_get_object (note, "terminal");
  JsonObject *written = stint_acp_get_object (note, "write");
  const char *cause = stint_acp_get_string (note, "cause");
  const char *stop = stint_acp_get_string (note, "stop");

  if (stint_acp_get_string (notice, "text") != NULL)
    add_notice (self, parse_severity (stint_acp_get_string (notice, "severity")),
                stint_acp_get_string (notice, "text"), time);
  if (stint_acp_get_string (terminal, "terminalId") != NULL)
    stint_conversation_note_terminal (self, stint_acp_get_string (terminal, "terminalId"),
                                      (guint64) stint_acp_get_int (terminal, "jobId", 0));
  if (written != NULL)
    stint_conversation_note_write (self, written, time);
  if (cause != NULL)
    {
      g_free (self->cause);
      self->cause = g_strdup (cause);
    }
  if (stop != NULL && self->in_turn)
    {
      stint_conversation_cancel_tools (self, time);
      end_turn (self, stop, stint_acp_get_string (note, "text"), time);
    }
  if (stint_acp_get_int (note, "dropped", 0) > 0)
    add_notice (self, STINT_NOTICE_WARNING,
                _ ("The protocol log was full: what came then was not kept"), time);
}

void
stint_conversation_feed (StintConversation *self,
                         StintAcpDirection direction,
                         gint64 time,
                         JsonNode *message)
{
  g_autoptr (StintAcpMessage) decoded = NULL;

  g_return_if_fail (STINT_IS_CONVERSATION (self));

  if (message == NULL || direction == STINT_ACP_JUNK || stint_acp_node_object (message) == NULL)
    return;
  if (direction == STINT_ACP_HOST)
    {
      feed_from_host (self, stint_acp_node_object (message), time);
      return;
    }
  decoded = stint_acp_message_from_node (json_node_ref (message), NULL);
  if (decoded == NULL)
    return;
  if (direction == STINT_ACP_FROM_AGENT)
    feed_from_agent (self, decoded, time);
  else
    feed_to_agent (self, decoded, time);
}

void
stint_conversation_add_notice (StintConversation *self,
                               StintNoticeSeverity severity,
                               const char *text)
{
  g_return_if_fail (STINT_IS_CONVERSATION (self) && text != NULL);
  add_notice (self, severity, text, g_get_real_time ());
}

/* Loading */

static void
read_batch (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  StintAcpLogReader *reader = data;
  g_autoptr (GPtrArray) batch =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_acp_log_entry_free);
  StintAcpLogEntry *entry;

  while (batch->len < BATCH && (entry = stint_acp_log_reader_next (reader)) != NULL)
    g_ptr_array_add (batch, entry);
  g_task_return_pointer (task, g_steal_pointer (&batch), (GDestroyNotify) g_ptr_array_unref);
}

static void
handle_batch (GObject *source, GAsyncResult *result, gpointer data)
{
  StintConversation *self = STINT_CONVERSATION (source);
  g_autoptr (GTask) task = data;
  g_autoptr (GPtrArray) batch = g_task_propagate_pointer (G_TASK (result), NULL);
  g_autoptr (GTask) next = NULL;

  if (g_task_return_error_if_cancelled (task))
    return;
  for (guint i = 0; batch != NULL && i < batch->len; i++)
    {
      const StintAcpLogEntry *entry = batch->pdata[i];

      stint_conversation_feed (self, entry->direction, entry->time, entry->node);
    }
  if (batch == NULL || batch->len == 0)
    {
      close_message (self);
      g_task_return_boolean (task, TRUE);
      return;
    }
  next = g_task_new (self, NULL, handle_batch, g_object_ref (task));
  g_task_set_priority (next, G_PRIORITY_DEFAULT_IDLE);
  g_task_set_task_data (next, g_task_get_task_data (task), NULL);
  g_task_run_in_thread (next, read_batch);
}

void
stint_conversation_load_async (StintConversation *self,
                               const char *directory,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = NULL, first = NULL;
  StintAcpLogReader *reader;
  GError *error = NULL;

  g_return_if_fail (STINT_IS_CONVERSATION (self) && directory != NULL);

  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_conversation_load_async);
  reader = stint_acp_log_reader_new (directory, &error);
  if (reader == NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  g_task_set_task_data (task, reader, (GDestroyNotify) stint_acp_log_reader_free);
  first = g_task_new (self, NULL, handle_batch, g_object_ref (task));
  g_task_set_task_data (first, reader, NULL);
  g_task_run_in_thread (first, read_batch);
}

gboolean
stint_conversation_load_finish (StintConversation *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}

const char *
stint_conversation_get_title (StintConversation *self)
{
  return self->title;
}

const char *
stint_conversation_get_agent (StintConversation *self)
{
  return self->agent;
}

const char *
stint_conversation_get_session_id (StintConversation *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION (self), NULL);
  return self->session_id;
}

gboolean
stint_conversation_can_continue (StintConversation *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION (self), FALSE);
  return self->session_id != NULL && self->can_continue;
}

/* The model and the object */

static GType
get_item_type (GListModel *model)
{
  return STINT_TYPE_CONVERSATION_ITEM;
}

static guint
get_n_items (GListModel *model)
{
  return STINT_CONVERSATION (model)->items->len;
}

static gpointer
get_item (GListModel *model, guint position)
{
  StintConversation *self = STINT_CONVERSATION (model);

  return position < self->items->len ? g_object_ref (self->items->pdata[position]) : NULL;
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
stint_conversation_finalize (GObject *object)
{
  StintConversation *self = STINT_CONVERSATION (object);

  g_ptr_array_unref (self->items);
  g_hash_table_unref (self->asked);
  g_hash_table_unref (self->tools);
  g_hash_table_unref (self->permissions);
  g_hash_table_unref (self->terminals);
  g_hash_table_unref (self->displays);
  g_free (self->message_id);
  g_free (self->session_id);
  g_free (self->cause);
  g_free (self->title);
  g_free (self->agent);
  G_OBJECT_CLASS (stint_conversation_parent_class)->finalize (object);
}

static void
stint_conversation_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  StintConversation *self = STINT_CONVERSATION (object);

  switch (property)
    {
    case PROP_TITLE:
      g_value_set_string (value, self->title);
      break;
    case PROP_AGENT:
      g_value_set_string (value, self->agent);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
stint_conversation_class_init (StintConversationClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = stint_conversation_finalize;
  object_class->get_property = stint_conversation_get_property;

  properties[PROP_TITLE] = g_param_spec_string ("title", NULL, NULL, NULL, flags);
  properties[PROP_AGENT] = g_param_spec_string ("agent", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_ITEM_APPENDED] = g_signal_new (
      "item-appended", STINT_TYPE_CONVERSATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
      2, STINT_TYPE_CONVERSATION_ITEM, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
  signals[SIGNAL_ITEM_CHANGED] =
      g_signal_new ("item-changed", STINT_TYPE_CONVERSATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, STINT_TYPE_CONVERSATION_ITEM);
  signals[SIGNAL_DISPLAY_OUTPUT] = g_signal_new (
      "display-output", STINT_TYPE_CONVERSATION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
      G_TYPE_NONE, 2, STINT_TYPE_CONVERSATION_ITEM, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
}

static void
stint_conversation_init (StintConversation *self)
{
  self->items = g_ptr_array_new_with_free_func (g_object_unref);
  self->asked = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  stint_conversation_init_tools (self);
}

StintConversation *
stint_conversation_new (void)
{
  return g_object_new (STINT_TYPE_CONVERSATION, NULL);
}
