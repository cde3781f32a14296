/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * One agent and one session with it: what is asked for before it is started, and what others can see
 * of it. How it lives is in the other stint-agent-session-*.c.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include <glib/gi18n-lib.h>
#include <unistd.h>

enum
{
  PROP_0,
  PROP_STATE,
  PROP_JOB,
  PROP_CONVERSATION,
  PROP_POLICY,
  PROP_STEP,
  PROP_USAGE,
  PROP_STOP_REASON,
  N_PROPS,
};

enum
{
  SIGNAL_TURN_ENDED,
  SIGNAL_PROBLEM,
  SIGNAL_RESTARTED,
  N_SIGNALS,
};

static GParamSpec *properties[N_PROPS];
static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAgentSession, stint_agent_session, G_TYPE_OBJECT)

static void
notify (StintAgentSession *self, guint property)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[property]);
}

void
stint_agent_session_set_state (StintAgentSession *self, StintAgentState state)
{
  if (self->state == state)
    return;
  self->state = state;
  notify (self, PROP_STATE);
}

void
stint_agent_session_update_state (StintAgentSession *self)
{
  gboolean waits = g_list_model_get_n_items (G_LIST_MODEL (self->requests)) > 0;

  if (waits && self->state == STINT_AGENT_TURN)
    stint_agent_session_set_state (self, STINT_AGENT_WAITING);
  else if (!waits && self->state == STINT_AGENT_WAITING)
    stint_agent_session_set_state (self, STINT_AGENT_TURN);
}

void
stint_agent_session_set_step (StintAgentSession *self, StintAgentStep step)
{
  if (self->step == step)
    return;
  self->step = step;
  notify (self, PROP_STEP);
}

static void
set_string (StintAgentSession *self, char **place, const char *value, guint property)
{
  char *old = *place;

  if (g_strcmp0 (old, value) == 0)
    return;
  *place = g_strdup (value);
  g_free (old);
  if (property != PROP_0)
    notify (self, property);
}

void
stint_agent_session_take_job (StintAgentSession *self, StintJob *job)
{
  self->job = job;
  notify (self, PROP_JOB);
}

void
stint_agent_session_set_stop_reason (StintAgentSession *self, const char *reason)
{
  set_string (self, &self->stop_reason, reason, PROP_STOP_REASON);
}

void
stint_agent_session_set_usage (StintAgentSession *self, const char *usage)
{
  set_string (self, &self->usage, usage, PROP_USAGE);
}

void
stint_agent_session_set_error (StintAgentSession *self, const char *error)
{
  set_string (self, &self->error, error, PROP_0);
}

void
stint_agent_session_emit_turn_ended (StintAgentSession *self, const char *reason)
{
  g_signal_emit (self, signals[SIGNAL_TURN_ENDED], 0, reason);
}

void
stint_agent_session_emit_problem (StintAgentSession *self, const GError *error)
{
  g_signal_emit (self, signals[SIGNAL_PROBLEM], 0, error);
}

void
stint_agent_session_emit_restarted (StintAgentSession *self, StintAgentSession *next)
{
  g_signal_emit (self, signals[SIGNAL_RESTARTED], 0, next);
}

void
stint_agent_session_check_log (StintAgentSession *self)
{
  g_autoptr (GError) error = NULL;
  int code = self->connection != NULL ? stint_acp_connection_get_log_error (self->connection) : 0;

  if (code == 0 || self->log_failure_told)
    return;
  self->log_failure_told = TRUE;
  error = g_error_new (G_IO_ERROR, g_io_error_from_errno (code),
                       /* Translators: %s is the system's reason */
                       _ ("The conversation with the agent cannot be kept: %s"), g_strerror (code));
  stint_agent_session_emit_problem (self, error);
}

gboolean
stint_agent_session_is_over (StintAgentSession *self)
{
  return self->state == STINT_AGENT_STOPPING || self->state == STINT_AGENT_ENDED;
}

void
stint_agent_session_note (StintAgentSession *self, JsonObject *note)
{
  JsonNode *node = stint_acp_node_new (note);

  if (self->connection != NULL)
    {
      stint_acp_connection_note (self->connection, node);
      return;
    }
  stint_conversation_feed (self->conversation, STINT_ACP_HOST, g_get_real_time (), node);
  json_node_unref (node);
}

void
stint_agent_session_note_notice (StintAgentSession *self,
                                 StintNoticeSeverity severity,
                                 const char *text)
{
  static const char *const words[] = { "info", "warning", "error" };
  JsonObject *note = json_object_new (), *notice = json_object_new ();

  json_object_set_string_member (notice, "severity", words[severity]);
  json_object_set_string_member (notice, "text", text);
  json_object_set_object_member (note, "notice", notice);
  stint_agent_session_note (self, note);
}

/* Before it is started */

void
stint_agent_session_set_limits (StintAgentSession *self, const StintAgentLimits *limits)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL);
  self->limits = *limits;
}

void
stint_agent_session_add_directory (StintAgentSession *self, const char *directory)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL &&
                    g_path_is_absolute (directory));
  g_ptr_array_add (self->directories, g_strdup (directory));
}

void
stint_agent_session_set_name (StintAgentSession *self, const char *name)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL);
  set_string (self, &self->name, name, PROP_0);
}

void
stint_agent_session_set_wishes (StintAgentSession *self, StintJobSpec *wishes)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL &&
                    STINT_IS_JOB_SPEC (wishes));

  g_set_object (&self->wishes, wishes);
  if (stint_job_spec_get_name (wishes) != NULL)
    set_string (self, &self->name, stint_job_spec_get_name (wishes), PROP_0);
  if (stint_job_spec_has_timeout (wishes))
    self->timeout = stint_job_spec_get_timeout (wishes);
  if (stint_job_spec_has_idle_timeout (wishes))
    self->limits.idle = stint_job_spec_get_idle_timeout (wishes);
  if (stint_job_spec_has_grace (wishes))
    self->limits.cancel_grace = stint_job_spec_get_grace (wishes);
  if (stint_job_spec_get_session_id (wishes) != NULL)
    set_string (self, &self->wanted_id, stint_job_spec_get_session_id (wishes), PROP_0);
}

void
stint_agent_session_set_timeout (StintAgentSession *self, gint64 usec)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL && usec >= 0);
  self->timeout = usec;
}

void
stint_agent_session_set_session_id (StintAgentSession *self, const char *session_id)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL);
  set_string (self, &self->wanted_id, session_id, PROP_0);
}

void
stint_agent_session_set_probes (StintAgentSession *self)
{
  self->probes = TRUE;
}

/* Facts */

StintAgentState
stint_agent_session_get_state (StintAgentSession *self)
{
  return self->state;
}

const char *
stint_agent_session_get_state_words (StintAgentSession *self)
{
  switch (self->state)
    {
    case STINT_AGENT_STARTING:
      return g_list_model_get_n_items (G_LIST_MODEL (self->requests)) > 0 ? _ ("Waiting for you")
                                                                          : _ ("Starting…");
    case STINT_AGENT_READY:
      /* Translators: an agent waits for a prompt */
      return _ ("Ready");
    case STINT_AGENT_TURN:
      return _ ("Working…");
    case STINT_AGENT_WAITING:
      return _ ("Waiting for you");
    case STINT_AGENT_CANCELLING:
      return _ ("Cancelling…");
    case STINT_AGENT_STOPPING:
      switch (self->step)
        {
        case STINT_AGENT_STEP_CLOSE_INPUT:
          return _ ("Stopping: asked to end…");
        case STINT_AGENT_STEP_TERMINATE:
          return _ ("Stopping: being terminated…");
        case STINT_AGENT_STEP_KILL:
          return _ ("Stopping: being killed…");
        case STINT_AGENT_STEP_NONE:
        case STINT_AGENT_STEP_CANCEL:
        default:
          return _ ("Stopping…");
        }
    case STINT_AGENT_ENDED:
      return _ ("Ended");
    default:
      return "";
    }
}

StintJob *
stint_agent_session_get_job (StintAgentSession *self)
{
  return self->job;
}

StintAgentProfile *
stint_agent_session_get_profile (StintAgentSession *self)
{
  return self->profile;
}

const char *
stint_agent_session_get_directory (StintAgentSession *self)
{
  return self->directory;
}

StintConversation *
stint_agent_session_get_conversation (StintAgentSession *self)
{
  return self->conversation;
}

const char *
stint_agent_session_get_stop_reason (StintAgentSession *self)
{
  return self->stop_reason;
}

StintAgentStep
stint_agent_session_get_step (StintAgentSession *self)
{
  return self->step;
}

const char *
stint_agent_session_get_usage (StintAgentSession *self)
{
  return self->usage;
}

const char *
stint_agent_session_get_session_id (StintAgentSession *self)
{
  return self->session_id;
}

const char *
stint_agent_session_get_error (StintAgentSession *self)
{
  return self->error;
}

StintReason
stint_agent_session_get_stop_cause (StintAgentSession *self)
{
  return self->stop_cause;
}

StintAgentPolicy
stint_agent_session_get_policy (StintAgentSession *self)
{
  return self->policy;
}

void
stint_agent_session_set_policy (StintAgentSession *self, StintAgentPolicy policy)
{
  g_return_if_fail (STINT_IS_AGENT_SESSION (self));

  if (self->policy == policy)
    return;
  self->policy = policy;
  notify (self, PROP_POLICY);
  stint_agent_session_apply_policy (self);
}

GListModel *
stint_agent_session_get_requests (StintAgentSession *self)
{
  return G_LIST_MODEL (self->requests);
}

GListModel *
stint_agent_session_get_prompts (StintAgentSession *self)
{
  return G_LIST_MODEL (self->prompts);
}

GListModel *
stint_agent_session_get_options (StintAgentSession *self)
{
  return G_LIST_MODEL (self->options);
}

GListModel *
stint_agent_session_get_commands (StintAgentSession *self)
{
  return G_LIST_MODEL (self->commands);
}

static gboolean
takes (StintAgentSession *self, const char *what)
{
  return stint_acp_get_boolean (stint_acp_get_object (self->capabilities, "promptCapabilities"),
                                what, FALSE);
}

gboolean
stint_agent_session_takes_images (StintAgentSession *self)
{
  return takes (self, "image");
}

gboolean
stint_agent_session_takes_embedded (StintAgentSession *self)
{
  return takes (self, "embeddedContext");
}

StintAcpConnection *
stint_agent_session_get_connection (StintAgentSession *self)
{
  return self->connection;
}

JsonObject *
stint_agent_session_get_capabilities (StintAgentSession *self)
{
  return self->capabilities;
}

JsonArray *
stint_agent_session_get_auth_methods (StintAgentSession *self)
{
  return self->auth_methods;
}

/* The object */

static void
stint_agent_session_dispose (GObject *object)
{
  StintAgentSession *self = STINT_AGENT_SESSION (object);
  guint *sources[] = { &self->start_source, &self->turn_source, &self->idle_source,
                       &self->step_source, &self->close_source };
  int *fds[] = { &self->read_fd, &self->write_fd, &self->narration_fd };

  for (guint i = 0; i < G_N_ELEMENTS (sources); i++)
    g_clear_handle_id (sources[i], g_source_remove);
  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    if (*fds[i] >= 0)
      close (g_steal_fd (fds[i]));
  g_clear_object (&self->narrator);
  g_clear_object (&self->connection);
  g_clear_object (&self->terminals);
  g_clear_object (&self->files);
  g_clear_object (&self->job);
  G_OBJECT_CLASS (stint_agent_session_parent_class)->dispose (object);
}

static void
stint_agent_session_finalize (GObject *object)
{
  StintAgentSession *self = STINT_AGENT_SESSION (object);

  g_clear_object (&self->jobs);
  g_clear_object (&self->profile);
  g_clear_object (&self->wishes);
  g_clear_object (&self->conversation);
  g_clear_object (&self->requests);
  g_clear_object (&self->prompts);
  g_clear_object (&self->options);
  g_clear_object (&self->commands);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->capabilities, json_object_unref);
  g_clear_pointer (&self->auth_methods, json_array_unref);
  g_clear_pointer (&self->followers, g_ptr_array_unref);
  g_ptr_array_unref (self->directories);
  g_free (self->directory);
  g_free (self->name);
  g_free (self->wanted_id);
  g_free (self->session_id);
  g_free (self->stop_reason);
  g_free (self->usage);
  g_free (self->error);
  G_OBJECT_CLASS (stint_agent_session_parent_class)->finalize (object);
}

static void
stint_agent_session_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  StintAgentSession *self = STINT_AGENT_SESSION (object);

  switch (property)
    {
    case PROP_STATE:
      g_value_set_int (value, self->state);
      break;
    case PROP_JOB:
      g_value_set_object (value, self->job);
      break;
    case PROP_CONVERSATION:
      g_value_set_object (value, self->conversation);
      break;
    case PROP_POLICY:
      g_value_set_int (value, self->policy);
      break;
    case PROP_STEP:
      g_value_set_int (value, self->step);
      break;
    case PROP_USAGE:
      g_value_set_string (value, self->usage);
      break;
    case PROP_STOP_REASON:
      g_value_set_string (value, self->stop_reason);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
    }
}

static void
stint_agent_session_set_property (GObject *object,
                                  guint property,
                                  const GValue *value,
                                  GParamSpec *pspec)
{
  if (property == PROP_POLICY)
    stint_agent_session_set_policy (STINT_AGENT_SESSION (object), g_value_get_int (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
}

static void
stint_agent_session_class_init (StintAgentSessionClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_agent_session_dispose;
  object_class->finalize = stint_agent_session_finalize;
  object_class->get_property = stint_agent_session_get_property;
  object_class->set_property = stint_agent_session_set_property;

  properties[PROP_STATE] = g_param_spec_int ("state", NULL, NULL, 0, STINT_AGENT_ENDED, 0, flags);
  properties[PROP_JOB] = g_param_spec_object ("job", NULL, NULL, STINT_TYPE_JOB, flags);
  properties[PROP_CONVERSATION] =
      g_param_spec_object ("conversation", NULL, NULL, STINT_TYPE_CONVERSATION, flags);
  properties[PROP_POLICY] =
      g_param_spec_int ("policy", NULL, NULL, 0, STINT_AGENT_ALLOW, 0, flags | G_PARAM_WRITABLE);
  properties[PROP_STEP] = g_param_spec_int ("step", NULL, NULL, 0, STINT_AGENT_STEP_KILL, 0, flags);
  properties[PROP_USAGE] = g_param_spec_string ("usage", NULL, NULL, NULL, flags);
  properties[PROP_STOP_REASON] = g_param_spec_string ("stop-reason", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SIGNAL_TURN_ENDED] =
      g_signal_new ("turn-ended", STINT_TYPE_AGENT_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[SIGNAL_PROBLEM] = g_signal_new ("problem", STINT_TYPE_AGENT_SESSION, G_SIGNAL_RUN_LAST, 0,
                                          NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[SIGNAL_RESTARTED] =
      g_signal_new ("restarted", STINT_TYPE_AGENT_SESSION, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 1, STINT_TYPE_AGENT_SESSION);
}

static void
stint_agent_session_init (StintAgentSession *self)
{
  self->read_fd = self->write_fd = self->narration_fd = -1;
  self->limits = STINT_AGENT_LIMITS_DEFAULT;
  self->directories = g_ptr_array_new_with_free_func (g_free);
  self->conversation = stint_conversation_new ();
  self->cancellable = g_cancellable_new ();
  self->requests = g_list_store_new (STINT_TYPE_AGENT_REQUEST);
  self->prompts = g_list_store_new (STINT_TYPE_AGENT_PROMPT);
  self->options = stint_agent_options_new ();
  self->commands = g_list_store_new (STINT_TYPE_AGENT_COMMAND);
}

StintAgentSession *
stint_agent_session_new (StintJobList *jobs, StintAgentProfile *profile, const char *directory)
{
  StintAgentSession *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs) && STINT_IS_AGENT_PROFILE (profile), NULL);
  g_return_val_if_fail (g_path_is_absolute (directory), NULL);

  self = g_object_new (STINT_TYPE_AGENT_SESSION, NULL);
  self->jobs = g_object_ref (jobs);
  self->profile = g_object_ref (profile);
  self->directory = g_strdup (directory);
  g_ptr_array_add (self->directories, g_strdup (directory));
  return self;
}
