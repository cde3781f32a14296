/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Something that only the user can answer, and its one answer.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-request-private.h"

struct _StintAgentRequest
{
  GObject parent_instance;

  StintAgentRequestKind kind;
  char *title;
  StintConversationItem *item; /* (nullable) */
  GPtrArray *choices;          /* of StintAgentChoice */
  JsonObject *schema;
  char *url;
  gboolean answered;
  StintAgentReplyFunc func;
  gpointer data;
  GDestroyNotify destroy;
};

enum
{
  SIGNAL_ANSWERED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAgentRequest, stint_agent_request, G_TYPE_OBJECT)

static void
choice_free (gpointer data)
{
  StintAgentChoice *choice = data;

  g_free (choice->id);
  g_free (choice->name);
  g_free (choice->description);
  g_free (choice);
}

static void
stint_agent_request_finalize (GObject *object)
{
  StintAgentRequest *self = STINT_AGENT_REQUEST (object);

  if (self->destroy != NULL)
    self->destroy (self->data);
  g_free (self->title);
  g_clear_object (&self->item);
  g_ptr_array_unref (self->choices);
  g_clear_pointer (&self->schema, json_object_unref);
  g_free (self->url);
  G_OBJECT_CLASS (stint_agent_request_parent_class)->finalize (object);
}

static void
stint_agent_request_class_init (StintAgentRequestClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_request_finalize;
  signals[SIGNAL_ANSWERED] = g_signal_new ("answered", STINT_TYPE_AGENT_REQUEST, G_SIGNAL_RUN_LAST,
                                           0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_agent_request_init (StintAgentRequest *self)
{
  self->choices = g_ptr_array_new_with_free_func (choice_free);
}

StintAgentRequest *
stint_agent_request_new (StintAgentRequestKind kind,
                         const char *title,
                         StintAgentReplyFunc func,
                         gpointer data,
                         GDestroyNotify destroy)
{
  StintAgentRequest *self = g_object_new (STINT_TYPE_AGENT_REQUEST, NULL);

  self->kind = kind;
  self->title = g_strdup (title);
  self->func = func;
  self->data = data;
  self->destroy = destroy;
  return self;
}

void
stint_agent_request_set_item (StintAgentRequest *self, StintConversationItem *item)
{
  g_set_object (&self->item, item);
}

void
stint_agent_request_set_schema (StintAgentRequest *self, JsonObject *schema)
{
  self->schema = json_object_ref (schema);
}

void
stint_agent_request_set_url (StintAgentRequest *self, const char *url)
{
  self->url = g_strdup (url);
}

StintAgentChoice *
stint_agent_request_add_choice (StintAgentRequest *self, const char *id, const char *name)
{
  StintAgentChoice *choice = g_new0 (StintAgentChoice, 1);

  choice->id = g_strdup (id);
  choice->name = g_strdup (name != NULL ? name : id);
  choice->kind = STINT_OPTION_OTHER;
  choice->supported = TRUE;
  g_ptr_array_add (self->choices, choice);
  return choice;
}

/* Takes @content. */
static void
answer (StintAgentRequest *self, StintAgentReply reply, const char *id, JsonNode *content)
{
  g_autoptr (StintAgentRequest) alive = g_object_ref (self);

  if (self->answered)
    {
      g_clear_pointer (&content, json_node_unref);
      return;
    }
  self->answered = TRUE;
  self->func (self, reply, id, content, self->data);
  g_signal_emit (self, signals[SIGNAL_ANSWERED], 0);
}

static StintAgentChoice *
find_choice (StintAgentRequest *self, const char *id)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      StintAgentChoice *choice = self->choices->pdata[i];

      if (g_strcmp0 (choice->id, id) == 0)
        return choice;
    }
  return NULL;
}

static const char *
find_kind (StintAgentRequest *self, StintOptionKind kind)
{
  for (guint i = 0; i < self->choices->len; i++)
    {
      const StintAgentChoice *choice = self->choices->pdata[i];

      if (choice->kind == kind)
        return choice->id;
    }
  return NULL;
}

const char *
stint_agent_request_find_allow (StintAgentRequest *self, gboolean always)
{
  const char *id = find_kind (self, STINT_OPTION_ALLOW_ONCE);

  return id != NULL || !always ? id : find_kind (self, STINT_OPTION_ALLOW_ALWAYS);
}

void
stint_agent_request_choose (StintAgentRequest *self, const char *choice_id)
{
  StintAgentChoice *choice;

  g_return_if_fail (STINT_IS_AGENT_REQUEST (self));

  choice = find_choice (self, choice_id);
  g_return_if_fail (choice != NULL && choice->supported);
  answer (self, STINT_AGENT_CHOSEN, choice->id, NULL);
}

void
stint_agent_request_reject (StintAgentRequest *self)
{
  const char *id;

  g_return_if_fail (STINT_IS_AGENT_REQUEST (self));

  if (self->kind != STINT_AGENT_REQUEST_PERMISSION)
    {
      answer (self, STINT_AGENT_DECLINED, NULL, NULL);
      return;
    }
  id = find_kind (self, STINT_OPTION_REJECT_ONCE);
  if (id == NULL)
    id = find_kind (self, STINT_OPTION_REJECT_ALWAYS);
  answer (self, id != NULL ? STINT_AGENT_CHOSEN : STINT_AGENT_REJECTED, id, NULL);
}

gboolean
stint_agent_request_accept (StintAgentRequest *self, JsonNode *content, GError **error)
{
  g_autoptr (JsonNode) owned = content;

  g_return_val_if_fail (STINT_IS_AGENT_REQUEST (self), FALSE);
  g_return_val_if_fail (
      self->kind == STINT_AGENT_REQUEST_FORM || self->kind == STINT_AGENT_REQUEST_URL, FALSE);

  if (self->kind == STINT_AGENT_REQUEST_FORM)
    {
      JsonObject *object = content != NULL && JSON_NODE_HOLDS_OBJECT (content)
                               ? json_node_get_object (content)
                               : NULL;

      if (!stint_agent_form_check (self->schema, object, error))
        return FALSE;
    }
  answer (self, STINT_AGENT_ACCEPTED, NULL, g_steal_pointer (&owned));
  return TRUE;
}

void
stint_agent_request_dismiss (StintAgentRequest *self)
{
  g_return_if_fail (STINT_IS_AGENT_REQUEST (self));
  answer (self, STINT_AGENT_DISMISSED, NULL, NULL);
}

void
stint_agent_request_withdraw (StintAgentRequest *self)
{
  answer (self, STINT_AGENT_WITHDRAWN, NULL, NULL);
}

StintAgentRequestKind
stint_agent_request_get_kind (StintAgentRequest *self)
{
  return self->kind;
}

const char *
stint_agent_request_get_title (StintAgentRequest *self)
{
  return self->title;
}

StintConversationItem *
stint_agent_request_get_item (StintAgentRequest *self)
{
  return self->item;
}

GPtrArray *
stint_agent_request_get_choices (StintAgentRequest *self)
{
  return self->choices;
}

JsonObject *
stint_agent_request_get_schema (StintAgentRequest *self)
{
  return self->schema;
}

const char *
stint_agent_request_get_url (StintAgentRequest *self)
{
  return self->url;
}

gboolean
stint_agent_request_is_answered (StintAgentRequest *self)
{
  return self->answered;
}
