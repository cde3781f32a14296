/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The sessions that an agent keeps: which they are, and what it can do with them.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>

/* An agent that gives the same page for ever is not asked for ever. */
#define MAX_PAGES 100

gboolean
stint_agent_session_can_list (StintAgentSession *self)
{
  return stint_agent_session_has_capability (self, "list");
}

gboolean
stint_agent_session_can_delete (StintAgentSession *self)
{
  return stint_agent_session_has_capability (self, "delete");
}

gboolean
stint_agent_session_can_load (StintAgentSession *self)
{
  return stint_acp_get_boolean (self->capabilities, "loadSession", FALSE);
}

gboolean
stint_agent_session_can_resume (StintAgentSession *self)
{
  return stint_agent_session_has_capability (self, "resume");
}

void
stint_stored_session_free (StintStoredSession *self)
{
  g_free (self->id);
  g_free (self->directory);
  g_free (self->title);
  g_free (self->updated);
  g_free (self);
}

typedef struct
{
  GPtrArray *sessions;
  guint n_pages;
} Listing;

static void
listing_free (gpointer data)
{
  Listing *listing = data;

  g_ptr_array_unref (listing->sessions);
  g_free (listing);
}

static void list_page (GTask *task, const char *cursor);

static void
handle_page (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);
  JsonObject *result = stint_acp_node_object (node);
  JsonArray *array = stint_acp_get_array (result, "sessions");
  const char *cursor = stint_acp_get_string (result, "nextCursor");
  Listing *listing = g_task_get_task_data (task);

  if (error != NULL)
    {
      g_task_return_error (task, error);
      return;
    }
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = stint_acp_array_object (array, i);
      StintStoredSession *stored;

      if (stint_acp_get_string (object, "sessionId") == NULL)
        continue;
      stored = g_new0 (StintStoredSession, 1);
      stored->id = g_strdup (stint_acp_get_string (object, "sessionId"));
      stored->directory = g_strdup (stint_acp_get_string (object, "cwd"));
      stored->title = g_strdup (stint_acp_get_string (object, "title"));
      stored->updated = g_strdup (stint_acp_get_string (object, "updatedAt"));
      g_ptr_array_add (listing->sessions, stored);
    }
  if (cursor != NULL && ++listing->n_pages < MAX_PAGES)
    list_page (task, cursor);
  else
    g_task_return_pointer (task, g_ptr_array_ref (listing->sessions),
                           (GDestroyNotify) g_ptr_array_unref);
}

static void
return_unable (GTask *task)
{
  g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_INVALID, "%s",
                           _ ("The agent cannot do that, or is not there"));
}

static void
list_page (GTask *task, const char *cursor)
{
  StintAgentSession *self = g_task_get_source_object (task);
  JsonObject *params;

  if (self->connection == NULL)
    {
      return_unable (task);
      return;
    }
  params = json_object_new ();
  json_object_set_string_member (params, "cwd", self->directory);
  if (cursor != NULL)
    json_object_set_string_member (params, "cursor", cursor);
  stint_acp_connection_call_async (self->connection, "session/list", stint_acp_node_new (params),
                                   g_task_get_cancellable (task), handle_page, g_object_ref (task));
}

void
stint_agent_session_list_async (StintAgentSession *self,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Listing *listing = g_new0 (Listing, 1);

  g_task_set_source_tag (task, stint_agent_session_list_async);
  listing->sessions = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_stored_session_free);
  g_task_set_task_data (task, listing, listing_free);
  if (stint_agent_session_can_list (self))
    list_page (task, NULL);
  else
    return_unable (task);
}

GPtrArray *
stint_agent_session_list_finish (StintAgentSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
handle_deleted (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (GTask) task = data;
  GError *error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), async_result, &error);

  /* It is gone, whoever removed it. */
  if (g_error_matches (error, STINT_ACP_ERROR, STINT_ACP_NOT_FOUND))
    g_clear_error (&error);
  if (error != NULL)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
stint_agent_session_delete_async (StintAgentSession *self,
                                  const char *session_id,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  JsonObject *params;

  g_task_set_source_tag (task, stint_agent_session_delete_async);
  if (!stint_agent_session_can_delete (self) || self->connection == NULL)
    {
      return_unable (task);
      return;
    }
  params = json_object_new ();
  json_object_set_string_member (params, "sessionId", session_id);
  stint_acp_connection_call_async (self->connection, "session/delete", stint_acp_node_new (params),
                                   cancellable, handle_deleted, g_steal_pointer (&task));
}

gboolean
stint_agent_session_delete_finish (StintAgentSession *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), FALSE);
  return g_task_propagate_boolean (G_TASK (result), error);
}
