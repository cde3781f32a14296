/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who asked what, and what has not been answered yet, in both directions: two id spaces that have
 * nothing to do with each other. The bytes are stint-acp-channel.c's affair.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-connection.h"

#include "stint-acp-channel.h"
#include "stint-acp-request-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* Milliseconds between two `logged`. */
#define LOGGED_INTERVAL 250

/* So many requests with long answers are worked on at a time. */
#define MAX_LARGE 8

struct _StintAcpConnection
{
  GObject parent_instance;

  StintAcpChannel *channel; /* (nullable): closed */
  GHashTable *calls;        /* of GTask by the id in its data: what we asked */
  GPtrArray *requests;      /* of StintAcpRequest: what the agent asked */
  GPtrArray *large;         /* those of them that are worked on and may get a long answer; not
                             * while a person is asked */
  GQueue waiting;           /* of StintAcpRequest: as large, and nobody works on them yet */
  gboolean handing_on;
  gint64 next_id;
  gboolean ended;
  gint64 last_read;
  int log_error;
  guint logged_source;
};

enum
{
  SIGNAL_REQUEST,
  SIGNAL_NOTIFICATION,
  SIGNAL_MESSAGE,
  SIGNAL_LOGGED,
  SIGNAL_CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAcpConnection, stint_acp_connection, G_TYPE_OBJECT)

static JsonNode *
object_to_node (JsonObject *object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  json_node_take_object (node, object);
  return node;
}

/* Takes @node: (transfer full). From now on a thread may read it: nobody changes it. */
static void
send_node (StintAcpConnection *self, StintAcpDirection direction, JsonNode *node)
{
  g_autoptr (JsonNode) sent = node;

  if (self->channel == NULL || (self->ended && direction == STINT_ACP_TO_AGENT))
    return;
  stint_acp_channel_send (self->channel, direction, json_node_ref (sent));
  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, direction, g_get_real_time (), sent);
}

/* Calls of ours */

typedef struct
{
  StintAcpConnection *connection; /* (unowned): the task holds it */
  gint64 id;
  GSource *cancel_source;
} Call;

static void
call_free (gpointer data)
{
  Call *call = data;

  if (call->cancel_source != NULL)
    {
      g_source_destroy (call->cancel_source);
      g_source_unref (call->cancel_source);
    }
  g_free (call);
}

/* Returns: (transfer full) (nullable): the task, which waits no longer. */
static GTask *
take_call (StintAcpConnection *self, gint64 id)
{
  GTask *task = NULL;

  if (g_hash_table_steal_extended (self->calls, &id, NULL, (gpointer *) &task))
    {
      Call *call = g_task_get_task_data (task);

      if (call->cancel_source != NULL)
        g_source_destroy (call->cancel_source);
    }
  return task;
}

static gboolean
handle_call_cancelled (GCancellable *cancellable, gpointer data)
{
  Call *call = data;
  StintAcpConnection *self = call->connection;
  JsonObject *params = json_object_new ();
  g_autoptr (GTask) task = NULL;

  json_object_set_int_member (params, "requestId", call->id);
  stint_acp_connection_notify (self, "$/cancel_request", object_to_node (params));
  task = take_call (self, call->id);
  g_task_return_error_if_cancelled (task);
  return G_SOURCE_REMOVE;
}

static void
return_closed (GTask *task)
{
  g_task_return_new_error (task, G_IO_ERROR, G_IO_ERROR_CLOSED, "%s",
                           _ ("The connection to the agent is closed"));
}

void
stint_acp_connection_call_async (StintAcpConnection *self,
                                 const char *method,
                                 JsonNode *params,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  JsonObject *object;
  Call *call;

  g_return_if_fail (STINT_IS_ACP_CONNECTION (self) && method != NULL);

  if (params == NULL)
    params = object_to_node (json_object_new ());
  task = g_task_new (self, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_acp_connection_call_async);
  if (self->channel == NULL || self->ended)
    {
      json_node_unref (params);
      return_closed (task);
      return;
    }

  call = g_new0 (Call, 1);
  call->connection = self;
  call->id = self->next_id++;
  if (cancellable != NULL)
    {
      call->cancel_source = g_cancellable_source_new (cancellable);
      g_source_set_callback (call->cancel_source, G_SOURCE_FUNC (handle_call_cancelled), call,
                             NULL);
      g_source_attach (call->cancel_source, g_main_context_get_thread_default ());
    }
  g_task_set_task_data (task, call, call_free);

  object = json_object_new ();
  json_object_set_string_member (object, "jsonrpc", "2.0");
  json_object_set_int_member (object, "id", call->id);
  json_object_set_string_member (object, "method", method);
  json_object_set_member (object, "params", params);
  g_hash_table_insert (self->calls, &call->id, g_steal_pointer (&task));
  send_node (self, STINT_ACP_TO_AGENT, object_to_node (object));
}

JsonNode *
stint_acp_connection_call_finish (StintAcpConnection *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

/* What of an error is for people: many agents say in `data` what matters. */
static char *
dup_error_text (JsonObject *error)
{
  const char *message = stint_acp_get_string (error, "message");
  const char *details = stint_acp_get_string (error, "data");

  if (details == NULL)
    details = stint_acp_get_string (stint_acp_get_object (error, "data"), "details");
  if (details == NULL)
    details = stint_acp_get_string (stint_acp_get_object (error, "data"), "message");
  if (message == NULL || *message == '\0')
    message = details != NULL ? g_steal_pointer (&details) : _ ("The agent gives no reason");
  /* Translators: an error's message and its details */
  return details != NULL ? g_strdup_printf (_ ("%s (%s)"), message, details) : g_strdup (message);
}

static void
handle_response (StintAcpConnection *self, StintAcpMessage *message)
{
  g_autofree char *text = NULL;
  g_autoptr (GTask) task = NULL;

  if (JSON_NODE_HOLDS_VALUE (message->id) && json_node_get_value_type (message->id) == G_TYPE_INT64)
    task = take_call (self, json_node_get_int (message->id));
  if (task == NULL)
    {
      g_debug ("The agent answers what was not asked, or is no longer wanted");
      return;
    }
  if (message->error == NULL)
    {
      g_task_return_pointer (task, json_node_ref (message->result),
                             (GDestroyNotify) json_node_unref);
      return;
    }
  text = dup_error_text (message->error);
  g_task_return_new_error (
      task, STINT_ACP_ERROR,
      (int) CLAMP (stint_acp_get_int (message->error, "code", STINT_ACP_INTERNAL_ERROR), G_MININT,
                   G_MAXINT),
      "%s", text);
}

/* Requests of the agent's */

static void hand_on (StintAcpConnection *self);

void
stint_acp_connection_answer (StintAcpConnection *self, StintAcpRequest *request, JsonObject *object)
{
  g_autoptr (StintAcpRequest) alive = g_object_ref (request);

  g_ptr_array_remove_fast (self->requests, request);
  send_node (self, STINT_ACP_TO_AGENT, object_to_node (object));
  if (g_ptr_array_remove_fast (self->large, request))
    hand_on (self);
}

static void
emit_request (StintAcpConnection *self, StintAcpRequest *request)
{
  gboolean taken = FALSE;

  g_signal_emit (self, signals[SIGNAL_REQUEST], 0, request, &taken);
  if (!taken)
    stint_acp_request_return_error (request, STINT_ACP_METHOD_NOT_FOUND, "Method not found: %s",
                                    stint_acp_request_get_method (request));
}

/* An agent that asks for much and reads nothing of it would have us keep all of it: these requests wait
 * for their turn, and for the agent to read. */
static gboolean
is_large (StintAcpRequest *request)
{
  const char *method = stint_acp_request_get_method (request);

  return g_str_equal (method, "fs/read_text_file") || g_str_equal (method, "terminal/output");
}

static void
hand_on (StintAcpConnection *self)
{
  g_autoptr (StintAcpConnection) alive = g_object_ref (self);
  StintAcpRequest *next;

  /* What is answered at once leads here again. */
  if (self->handing_on)
    return;
  self->handing_on = TRUE;
  while (self->waiting.length > 0 && self->large->len < MAX_LARGE && self->channel != NULL &&
         !stint_acp_channel_is_full (self->channel) &&
         (next = g_queue_pop_head (&self->waiting)) != NULL)
    {
      g_autoptr (StintAcpRequest) request = next;

      /* It may have been taken back. */
      if (stint_acp_request_is_answered (request))
        continue;
      g_ptr_array_add (self->large, g_object_ref (request));
      if (!stint_acp_request_go_on (request))
        emit_request (self, request);
    }
  self->handing_on = FALSE;
}

void
stint_acp_connection_set_aside (StintAcpConnection *self, StintAcpRequest *request)
{
  if (g_ptr_array_remove_fast (self->large, request))
    hand_on (self);
}

void
stint_acp_connection_take_back (StintAcpConnection *self, StintAcpRequest *request)
{
  if (!is_large (request))
    {
      stint_acp_request_go_on (request);
      return;
    }
  g_queue_push_head (&self->waiting, g_object_ref (request));
  hand_on (self);
}

static void
handle_request (StintAcpConnection *self, StintAcpMessage *message)
{
  g_autoptr (StintAcpRequest) request = stint_acp_request_new (self, message);

  g_ptr_array_add (self->requests, g_object_ref (request));
  if (!is_large (request))
    {
      emit_request (self, request);
      return;
    }
  g_queue_push_tail (&self->waiting, g_object_ref (request));
  hand_on (self);
}

static void
cancel_request (StintAcpConnection *self, JsonNode *id)
{
  for (guint i = 0; id != NULL && i < self->requests->len; i++)
    if (json_node_equal (stint_acp_request_get_id (self->requests->pdata[i]), id))
      {
        stint_acp_request_cancel (self->requests->pdata[i]);
        return;
      }
}

static void
handle_notification (StintAcpConnection *self, StintAcpMessage *message)
{
  JsonObject *params = stint_acp_node_object (message->params);

  if (g_str_equal (message->method, "$/cancel_request"))
    {
      if (params != NULL)
        cancel_request (self, json_object_get_member (params, "requestId"));
      return;
    }
  g_signal_emit (self, signals[SIGNAL_NOTIFICATION], 0, message->method, message->params);
}

/* The channel */

static void
handle_message (StintAcpMessage *message, gpointer data)
{
  g_autoptr (StintAcpConnection) self = g_object_ref (data);
  g_autoptr (StintAcpMessage) owned = message;

  g_signal_emit (self, signals[SIGNAL_MESSAGE], 0, STINT_ACP_FROM_AGENT, message->time,
                 message->node);
  if (self->channel == NULL)
    return;
  switch (message->kind)
    {
    case STINT_ACP_KIND_REQUEST:
      handle_request (self, message);
      break;
    case STINT_ACP_KIND_NOTIFICATION:
      handle_notification (self, message);
      break;
    case STINT_ACP_KIND_RESPONSE:
      handle_response (self, message);
      break;
    default:
      break;
    }
}

static gboolean
emit_logged (gpointer data)
{
  StintAcpConnection *self = data;

  self->logged_source = 0;
  g_signal_emit (self, signals[SIGNAL_LOGGED], 0);
  return G_SOURCE_REMOVE;
}

static void
handle_logged (gpointer data)
{
  StintAcpConnection *self = data;

  if (self->logged_source == 0 &&
      g_signal_has_handler_pending (self, signals[SIGNAL_LOGGED], 0, FALSE))
    self->logged_source = g_timeout_add (LOGGED_INTERVAL, emit_logged, self);
}

static void
handle_drained (gpointer data)
{
  hand_on (data);
}

/* Nobody answers any more, and nobody can be answered. */
static void
fail_all (StintAcpConnection *self)
{
  g_autoptr (GPtrArray) requests = g_steal_pointer (&self->requests);
  g_autoptr (GPtrArray) tasks = g_ptr_array_new_with_free_func (g_object_unref);
  GHashTableIter iter;
  gpointer task;

  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_set_size (self->large, 0);
  g_queue_clear_full (&self->waiting, g_object_unref);
  g_hash_table_iter_init (&iter, self->calls);
  while (g_hash_table_iter_next (&iter, NULL, &task))
    g_ptr_array_add (tasks, g_object_ref (task));
  for (guint i = 0; i < tasks->len; i++)
    {
      g_autoptr (GTask) taken =
          take_call (self, ((Call *) g_task_get_task_data (tasks->pdata[i]))->id);

      /* A callback may have closed the connection itself. */
      if (taken != NULL)
        return_closed (taken);
    }
  for (guint i = 0; i < requests->len; i++)
    stint_acp_request_abandon (requests->pdata[i]);
}

static void
handle_ended (const GError *error, gpointer data)
{
  g_autoptr (StintAcpConnection) self = g_object_ref (data);

  self->ended = TRUE;
  fail_all (self);
  g_signal_emit (self, signals[SIGNAL_CLOSED], 0, error);
}

void
stint_acp_connection_notify (StintAcpConnection *self, const char *method, JsonNode *params)
{
  JsonObject *object;

  g_return_if_fail (STINT_IS_ACP_CONNECTION (self) && method != NULL);

  object = json_object_new ();
  json_object_set_string_member (object, "jsonrpc", "2.0");
  json_object_set_string_member (object, "method", method);
  json_object_set_member (object, "params",
                          params != NULL ? params : object_to_node (json_object_new ()));
  send_node (self, STINT_ACP_TO_AGENT, object_to_node (object));
}

void
stint_acp_connection_note (StintAcpConnection *self, JsonNode *node)
{
  g_return_if_fail (STINT_IS_ACP_CONNECTION (self) && node != NULL);
  send_node (self, STINT_ACP_HOST, node);
}

void
stint_acp_connection_close_input (StintAcpConnection *self)
{
  g_return_if_fail (STINT_IS_ACP_CONNECTION (self));

  if (self->channel != NULL)
    stint_acp_channel_close_input (self->channel);
}

void
stint_acp_connection_close (StintAcpConnection *self)
{
  g_return_if_fail (STINT_IS_ACP_CONNECTION (self));

  if (self->channel == NULL)
    return;
  self->last_read = stint_acp_channel_get_last_read (self->channel);
  self->log_error = stint_acp_channel_get_log_error (self->channel);
  g_clear_pointer (&self->channel, stint_acp_channel_free);
  g_clear_handle_id (&self->logged_source, g_source_remove);
  fail_all (self);
}

gboolean
stint_acp_connection_is_closed (StintAcpConnection *self)
{
  return self->channel == NULL || self->ended;
}

gint64
stint_acp_connection_get_last_read (StintAcpConnection *self)
{
  return self->channel != NULL ? stint_acp_channel_get_last_read (self->channel) : self->last_read;
}

int
stint_acp_connection_get_log_error (StintAcpConnection *self)
{
  return self->channel != NULL ? stint_acp_channel_get_log_error (self->channel) : self->log_error;
}

/* The object */

static void
stint_acp_connection_dispose (GObject *object)
{
  stint_acp_connection_close (STINT_ACP_CONNECTION (object));
  G_OBJECT_CLASS (stint_acp_connection_parent_class)->dispose (object);
}

static void
stint_acp_connection_finalize (GObject *object)
{
  StintAcpConnection *self = STINT_ACP_CONNECTION (object);

  g_hash_table_unref (self->calls);
  g_ptr_array_unref (self->requests);
  g_ptr_array_unref (self->large);
  g_queue_clear_full (&self->waiting, g_object_unref);
  G_OBJECT_CLASS (stint_acp_connection_parent_class)->finalize (object);
}

static void
stint_acp_connection_class_init (StintAcpConnectionClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_acp_connection_dispose;
  object_class->finalize = stint_acp_connection_finalize;

  signals[SIGNAL_REQUEST] = g_signal_new ("request", STINT_TYPE_ACP_CONNECTION, G_SIGNAL_RUN_LAST,
                                          0, g_signal_accumulator_true_handled, NULL, NULL,
                                          G_TYPE_BOOLEAN, 1, STINT_TYPE_ACP_REQUEST);
  signals[SIGNAL_NOTIFICATION] =
      g_signal_new ("notification", STINT_TYPE_ACP_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE,
                    JSON_TYPE_NODE | G_SIGNAL_TYPE_STATIC_SCOPE);
  signals[SIGNAL_MESSAGE] = g_signal_new (
      "message", STINT_TYPE_ACP_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
      G_TYPE_INT, G_TYPE_INT64, JSON_TYPE_NODE | G_SIGNAL_TYPE_STATIC_SCOPE);
  signals[SIGNAL_LOGGED] = g_signal_new ("logged", STINT_TYPE_ACP_CONNECTION, G_SIGNAL_RUN_LAST, 0,
                                         NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SIGNAL_CLOSED] =
      g_signal_new ("closed", STINT_TYPE_ACP_CONNECTION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_ERROR | G_SIGNAL_TYPE_STATIC_SCOPE);
}

static void
stint_acp_connection_init (StintAcpConnection *self)
{
  self->calls = g_hash_table_new_full (g_int64_hash, g_int64_equal, NULL, g_object_unref);
  self->requests = g_ptr_array_new_with_free_func (g_object_unref);
  self->large = g_ptr_array_new_with_free_func (g_object_unref);
  g_queue_init (&self->waiting);
}

StintAcpConnection *
stint_acp_connection_new (int read_fd, int write_fd, const char *directory)
{
  static const StintAcpChannelFuncs funcs = { handle_message, handle_logged, handle_drained,
                                              handle_ended };
  StintAcpConnection *self = g_object_new (STINT_TYPE_ACP_CONNECTION, NULL);

  self->channel = stint_acp_channel_new (read_fd, write_fd, directory, &funcs, self);
  return self;
}
