/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * "Test" of an agent: it is run as far as `initialize`, and what it answers is told.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>

typedef struct
{
  StintAgentSession *session;
  StintAgentAnswer *answer; /* (nullable): once it has answered */
} Probe;

static void
probe_free (gpointer data)
{
  Probe *probe = data;

  g_clear_object (&probe->session);
  g_clear_pointer (&probe->answer, stint_agent_answer_free);
  g_free (probe);
}

void
stint_agent_answer_free (StintAgentAnswer *self)
{
  g_free (self->name);
  g_free (self->version);
  g_strfreev (self->logins);
  g_free (self);
}

/* The answer itself, of which the session keeps only what it needs. */
static void
handle_message (StintAcpConnection *connection,
                int direction,
                gint64 time,
                JsonNode *node,
                GTask *task)
{
  Probe *probe = g_task_get_task_data (task);
  JsonObject *result = stint_acp_get_object (stint_acp_node_object (node), "result");
  JsonObject *info = stint_acp_get_object (result, "agentInfo");
  const char *name = stint_acp_get_string (info, "title");

  if (direction != STINT_ACP_FROM_AGENT || probe->answer != NULL ||
      !stint_acp_has (result, "protocolVersion"))
    return;
  probe->answer = g_new0 (StintAgentAnswer, 1);
  probe->answer->name = g_strdup (name != NULL ? name : stint_acp_get_string (info, "name"));
  probe->answer->version = g_strdup (stint_acp_get_string (info, "version"));
  probe->answer->protocol = stint_acp_get_int (result, "protocolVersion", 0);
}

static void
fill_in (Probe *probe)
{
  StintAgentSession *session = probe->session;
  JsonArray *methods = stint_agent_session_get_auth_methods (session);
  g_autoptr (GPtrArray) logins = g_ptr_array_new_null_terminated (0, g_free, TRUE);

  for (guint i = 0; methods != NULL && i < json_array_get_length (methods); i++)
    {
      const char *name = stint_acp_get_string (stint_acp_array_object (methods, i), "name");

      if (name != NULL)
        g_ptr_array_add (logins, g_strdup (name));
    }
  g_ptr_array_add (logins, NULL);
  probe->answer->loads_sessions = stint_agent_session_can_load (session);
  probe->answer->resumes_sessions = stint_agent_session_can_resume (session);
  probe->answer->takes_images = stint_agent_session_takes_images (session);
  probe->answer->logins = g_strdupv ((char **) logins->pdata);
}

static void
handle_state (StintAgentSession *session, GParamSpec *pspec, GTask *task)
{
  Probe *probe = g_task_get_task_data (task);
  StintAgentState state = stint_agent_session_get_state (session);

  if (stint_agent_session_get_connection (session) != NULL && state == STINT_AGENT_READY)
    {
      if (probe->answer != NULL)
        fill_in (probe);
      stint_agent_session_stop (session);
    }
  else if (state == STINT_AGENT_ENDED)
    {
      g_signal_handlers_disconnect_by_data (session, task);
      if (g_task_return_error_if_cancelled (task))
        {
        }
      else if (probe->answer != NULL && probe->answer->logins != NULL)
        g_task_return_pointer (task, g_steal_pointer (&probe->answer),
                               (GDestroyNotify) stint_agent_answer_free);
      else
        g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_FAILED, "%s",
                                 stint_agent_session_get_error (session));
      g_object_unref (task);
    }
}

static void
handle_job_state (StintJob *job, GParamSpec *pspec, GTask *task)
{
  Probe *probe = g_task_get_task_data (task);
  StintAcpConnection *connection = stint_agent_session_get_connection (probe->session);

  if (connection == NULL)
    return;
  g_signal_handlers_disconnect_by_data (job, task);
  g_signal_connect_object (connection, "message", G_CALLBACK (handle_message), task, 0);
}

static void
handle_cancelled (GCancellable *cancellable, GTask *task)
{
  stint_agent_session_stop (((Probe *) g_task_get_task_data (task))->session);
}

void
stint_agent_profile_test_async (StintAgentProfile *self,
                                gpointer jobs,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, cancellable, callback, user_data);
  Probe *probe = g_new0 (Probe, 1);
  GError *error = NULL;

  g_return_if_fail (STINT_IS_AGENT_PROFILE (self) && STINT_IS_JOB_LIST (jobs));

  g_task_set_source_tag (task, stint_agent_profile_test_async);
  g_task_set_check_cancellable (task, FALSE);
  g_task_set_task_data (task, probe, probe_free);
  probe->session = stint_agent_session_new (jobs, self, g_get_home_dir ());
  stint_agent_session_set_probes (probe->session);
  if (!stint_agent_session_start (probe->session, &error))
    {
      g_task_return_error (task, error);
      return;
    }
  /* The session connects in its own handler of the same signal, which comes first. */
  g_signal_connect_object (stint_agent_session_get_job (probe->session), "notify::state",
                           G_CALLBACK (handle_job_state), task, 0);
  if (cancellable != NULL)
    g_signal_connect_object (cancellable, "cancelled", G_CALLBACK (handle_cancelled), task, 0);
  g_signal_connect (probe->session, "notify::state", G_CALLBACK (handle_state),
                    g_steal_pointer (&task));
}

StintAgentAnswer *
stint_agent_profile_test_finish (StintAgentProfile *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, self), NULL);
  return g_task_propagate_pointer (G_TASK (result), error);
}
