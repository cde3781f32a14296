/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Not built yet: what the headers promise, doing nothing.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-request.h"
#include "stint-agent-profile.h"
#include "stint-agent-session.h"

struct _StintAgentRequest
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (StintAgentRequest, stint_agent_request, G_TYPE_OBJECT)

static void
stint_agent_request_class_init (StintAgentRequestClass *klass)
{
}

static void
stint_agent_request_init (StintAgentRequest *self)
{
}

StintAgentRequestKind
stint_agent_request_get_kind (StintAgentRequest *self)
{
  return 0;
}

const char *
stint_agent_request_get_title (StintAgentRequest *self)
{
  return NULL;
}

StintConversationItem *
stint_agent_request_get_item (StintAgentRequest *self)
{
  return NULL;
}

GPtrArray *
stint_agent_request_get_choices (StintAgentRequest *self)
{
  return NULL;
}

JsonObject *
stint_agent_request_get_schema (StintAgentRequest *self)
{
  return NULL;
}

const char *
stint_agent_request_get_url (StintAgentRequest *self)
{
  return NULL;
}

gboolean
stint_agent_request_is_answered (StintAgentRequest *self)
{
  return 0;
}

void
stint_agent_request_choose (StintAgentRequest *self, const char *choice_id)
{
}

void
stint_agent_request_reject (StintAgentRequest *self)
{
}

gboolean
stint_agent_request_accept (StintAgentRequest *self, JsonNode *content, GError **error)
{
  return 0;
}

void
stint_agent_request_dismiss (StintAgentRequest *self)
{
}


struct _StintAgentProfile
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (StintAgentProfile, stint_agent_profile, G_TYPE_OBJECT)

static void
stint_agent_profile_class_init (StintAgentProfileClass *klass)
{
}

static void
stint_agent_profile_init (StintAgentProfile *self)
{
}


struct _StintAgentProfiles
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (StintAgentProfiles, stint_agent_profiles, G_TYPE_OBJECT)

static void
stint_agent_profiles_class_init (StintAgentProfilesClass *klass)
{
}

static void
stint_agent_profiles_init (StintAgentProfiles *self)
{
}

StintAgentProfile *
stint_agent_profile_new (const char *id, const char *name, const char *command)
{
  return NULL;
}

StintAgentProfile *
stint_agent_profile_new_for_command (const char *const *argv)
{
  return NULL;
}

const char *
stint_agent_profile_get_id (StintAgentProfile *self)
{
  return NULL;
}

const char *
stint_agent_profile_get_name (StintAgentProfile *self)
{
  return NULL;
}

const char *
stint_agent_profile_get_command (StintAgentProfile *self)
{
  return NULL;
}

void
stint_agent_profile_set_command (StintAgentProfile *self, const char *command)
{
}

void
stint_agent_profile_set_name (StintAgentProfile *self, const char *name)
{
}

char **
stint_agent_profile_dup_argv (StintAgentProfile *self, GError **error)
{
  return NULL;
}

const char *const *
stint_agent_profile_get_environ (StintAgentProfile *self)
{
  return NULL;
}

void
stint_agent_profile_set_environ (StintAgentProfile *self, const char *const *environ)
{
}

gboolean
stint_agent_profile_get_files (StintAgentProfile *self)
{
  return 0;
}

void
stint_agent_profile_set_files (StintAgentProfile *self, gboolean files)
{
}

gboolean
stint_agent_profile_get_terminals (StintAgentProfile *self)
{
  return 0;
}

void
stint_agent_profile_set_terminals (StintAgentProfile *self, gboolean terminals)
{
}

gboolean
stint_agent_profile_is_known (StintAgentProfile *self)
{
  return 0;
}

gboolean
stint_agent_profile_is_installed (StintAgentProfile *self)
{
  return 0;
}

const char *
stint_agent_profile_get_install (StintAgentProfile *self)
{
  return NULL;
}

const char *
stint_agent_profile_get_website (StintAgentProfile *self)
{
  return NULL;
}

void
stint_agent_answer_free (StintAgentAnswer *self)
{
}

void
stint_agent_profile_test_async (StintAgentProfile *self, gpointer jobs, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
}

StintAgentAnswer *
stint_agent_profile_test_finish (StintAgentProfile *self, GAsyncResult *result, GError **error)
{
  return NULL;
}

StintAgentProfiles *
stint_agent_profiles_new (const char *file)
{
  return NULL;
}

const GError *
stint_agent_profiles_get_error (StintAgentProfiles *self)
{
  return NULL;
}

StintAgentProfile *
stint_agent_profiles_lookup (StintAgentProfiles *self, const char *id)
{
  return NULL;
}

void
stint_agent_profiles_add (StintAgentProfiles *self, StintAgentProfile *profile)
{
}

void
stint_agent_profiles_remove (StintAgentProfiles *self, StintAgentProfile *profile)
{
}

gboolean
stint_agent_profiles_save (StintAgentProfiles *self, GError **error)
{
  return 0;
}

StintAgentProfile *
stint_agent_profiles_find (StintAgentProfiles *self, const char *text)
{
  return NULL;
}


struct _StintAgentSession
{
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (StintAgentSession, stint_agent_session, G_TYPE_OBJECT)

static void
stint_agent_session_class_init (StintAgentSessionClass *klass)
{
}

static void
stint_agent_session_init (StintAgentSession *self)
{
}

StintAgentSession *
stint_agent_session_new (StintJobList *jobs, StintAgentProfile *profile, const char *directory)
{
  return NULL;
}

void
stint_agent_session_set_limits (StintAgentSession *self, const StintAgentLimits *limits)
{
}

void
stint_agent_session_add_directory (StintAgentSession *self, const char *directory)
{
}

void
stint_agent_session_set_name (StintAgentSession *self, const char *name)
{
}

void
stint_agent_session_set_timeout (StintAgentSession *self, gint64 usec)
{
}

void
stint_agent_session_set_session_id (StintAgentSession *self, const char *session_id)
{
}

gboolean
stint_agent_session_start (StintAgentSession *self, GError **error)
{
  return 0;
}

StintAgentSession *
stint_agent_session_restart (StintAgentSession *self, GError **error)
{
  return NULL;
}

StintAgentSession *
stint_agent_session_for_job (StintJob *job)
{
  return NULL;
}

StintAgentState
stint_agent_session_get_state (StintAgentSession *self)
{
  return 0;
}

const char *
stint_agent_session_get_state_words (StintAgentSession *self)
{
  return NULL;
}

StintJob *
stint_agent_session_get_job (StintAgentSession *self)
{
  return NULL;
}

StintAgentProfile *
stint_agent_session_get_profile (StintAgentSession *self)
{
  return NULL;
}

const char *
stint_agent_session_get_directory (StintAgentSession *self)
{
  return NULL;
}

StintConversation *
stint_agent_session_get_conversation (StintAgentSession *self)
{
  return NULL;
}

const char *
stint_agent_session_get_stop_reason (StintAgentSession *self)
{
  return NULL;
}

StintAgentStep
stint_agent_session_get_step (StintAgentSession *self)
{
  return 0;
}

const char *
stint_agent_session_get_usage (StintAgentSession *self)
{
  return NULL;
}

const char *
stint_agent_session_get_session_id (StintAgentSession *self)
{
  return NULL;
}

const char *
stint_agent_session_get_error (StintAgentSession *self)
{
  return NULL;
}

StintAgentPolicy
stint_agent_session_get_policy (StintAgentSession *self)
{
  return 0;
}

void
stint_agent_session_set_policy (StintAgentSession *self, StintAgentPolicy policy)
{
}

GListModel *
stint_agent_session_get_requests (StintAgentSession *self)
{
  return NULL;
}

GListModel *
stint_agent_session_get_prompts (StintAgentSession *self)
{
  return NULL;
}

GListModel *
stint_agent_session_get_options (StintAgentSession *self)
{
  return NULL;
}

GListModel *
stint_agent_session_get_commands (StintAgentSession *self)
{
  return NULL;
}

gint64
stint_agent_session_get_turn_left (StintAgentSession *self)
{
  return 0;
}

gint64
stint_agent_session_get_idle_left (StintAgentSession *self)
{
  return 0;
}

gboolean
stint_agent_session_takes_images (StintAgentSession *self)
{
  return 0;
}

gboolean
stint_agent_session_takes_embedded (StintAgentSession *self)
{
  return 0;
}

void
stint_agent_session_prompt (StintAgentSession *self, StintAgentPrompt *prompt)
{
}

void
stint_agent_session_prompt_text (StintAgentSession *self, const char *text)
{
}

void
stint_agent_session_remove_prompt (StintAgentSession *self, StintAgentPrompt *prompt)
{
}

void
stint_agent_session_cancel (StintAgentSession *self)
{
}

void
stint_agent_session_continue (StintAgentSession *self)
{
}

void
stint_agent_session_stop (StintAgentSession *self)
{
}

gboolean
stint_agent_session_interrupt (StintAgentSession *self)
{
  return 0;
}

void
stint_agent_session_set_option (StintAgentSession *self, const char *option_id, const char *value)
{
}

void
stint_stored_session_free (StintStoredSession *self)
{
}

gboolean
stint_agent_session_can_list (StintAgentSession *self)
{
  return 0;
}

gboolean
stint_agent_session_can_delete (StintAgentSession *self)
{
  return 0;
}

gboolean
stint_agent_session_can_load (StintAgentSession *self)
{
  return 0;
}

gboolean
stint_agent_session_can_resume (StintAgentSession *self)
{
  return 0;
}

void
stint_agent_session_list_async (StintAgentSession *self, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
}

GPtrArray *
stint_agent_session_list_finish (StintAgentSession *self, GAsyncResult *result, GError **error)
{
  return NULL;
}

void
stint_agent_session_delete_async (StintAgentSession *self, const char *session_id, GCancellable *cancellable, GAsyncReadyCallback callback, gpointer user_data)
{
}

gboolean
stint_agent_session_delete_finish (StintAgentSession *self, GAsyncResult *result, GError **error)
{
  return 0;
}

StintAcpConnection *
stint_agent_session_get_connection (StintAgentSession *self)
{
  return NULL;
}
