/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An agent's questions at a terminal. The terminal gives whole lines, so reading one never blocks.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-ask.h"

#include "stint-units.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <unistd.h>

struct _StintCliAsk
{
  StintAgentSession *session; /* (unowned) */
  GListModel *requests;       /* (unowned): the session's */
  gulong handler;
  int fd;
  StintCliAskFunc tell;
  gpointer user_data;
  guint source; /* reads lines */
  guint next_source;
  StintAgentRequest *request; /* (nullable): the one that is being asked */
};

static void
print_question (StintCliAsk *self)
{
  g_autofree char *title = stint_text_clean (stint_agent_request_get_title (self->request), 500);
  GPtrArray *choices = stint_agent_request_get_choices (self->request);
  g_autoptr (GString) text = g_string_new (NULL);

  g_string_append_printf (text, "? %s\n", title);
  for (guint i = 0; i < choices->len; i++)
    {
      const StintAgentChoice *choice = choices->pdata[i];
      g_autofree char *name = stint_text_clean (choice->name, 200);

      g_string_append_printf (text, "  %u  %s\n", i + 1, name);
    }
  /* Translators: somebody is to type the number of one of the lines above; Enter alone rejects */
  g_string_append (text, _ ("Number (Enter rejects): "));
  self->tell (text->str, self->user_data);
}

static gboolean
handle_line (int fd, GIOCondition condition, gpointer data)
{
  StintCliAsk *self = data;
  GPtrArray *choices;
  char line[256];
  ssize_t n = read (fd, line, sizeof line - 1);
  guint64 number;

  if (n <= 0)
    {
      /* Nobody is there any more. */
      self->source = 0;
      self->fd = -1;
      if (self->request != NULL)
        stint_agent_request_reject (self->request);
      return G_SOURCE_REMOVE;
    }
  if (self->request == NULL)
    return G_SOURCE_CONTINUE;
  line[n] = '\0';
  choices = stint_agent_request_get_choices (self->request);
  g_strstrip (line);
  if (*line == '\0')
    stint_agent_request_reject (self->request);
  else if (g_ascii_string_to_unsigned (line, 10, 1, choices->len, &number, NULL))
    stint_agent_request_choose (self->request,
                                ((StintAgentChoice *) choices->pdata[number - 1])->id);
  else
    print_question (self);
  return G_SOURCE_CONTINUE;
}

static void
refuse (StintCliAsk *self)
{
  g_autofree char *title = stint_text_clean (stint_agent_request_get_title (self->request), 500);
  g_autofree char *text =
      /* Translators: %s is what an agent has asked */
      g_strdup_printf (_ ("stintctl: rejected, since it cannot be asked here: %s\n"), title);

  self->tell (text, self->user_data);
  stint_agent_request_reject (self->request);
}

static gboolean
ask_next (gpointer data)
{
  StintCliAsk *self = data;

  self->next_source = 0;
  if (self->request != NULL && !stint_agent_request_is_answered (self->request))
    return G_SOURCE_REMOVE;
  g_clear_object (&self->request);
  self->request = g_list_model_get_item (self->requests, 0);
  if (self->request == NULL)
    return G_SOURCE_REMOVE;
  if (self->fd < 0 ||
      stint_agent_request_get_kind (self->request) != STINT_AGENT_REQUEST_PERMISSION)
    refuse (self);
  else
    print_question (self);
  return G_SOURCE_REMOVE;
}

/* Not from within the list's own signal: an answer changes it again. */
static void
handle_requests (StintCliAsk *self)
{
  if (self->next_source == 0)
    self->next_source = g_idle_add (ask_next, self);
}

StintCliAsk *
stint_cli_ask_new (StintAgentSession *session, int fd, StintCliAskFunc tell, gpointer user_data)
{
  StintCliAsk *self = g_new0 (StintCliAsk, 1);

  self->session = session;
  self->fd = fd;
  self->tell = tell;
  self->user_data = user_data;
  self->requests = stint_agent_session_get_requests (session);
  self->handler = g_signal_connect_swapped (self->requests, "items-changed",
                                            G_CALLBACK (handle_requests), self);
  if (fd >= 0)
    self->source = g_unix_fd_add (fd, G_IO_IN | G_IO_HUP | G_IO_ERR, handle_line, self);
  return self;
}

void
stint_cli_ask_free (StintCliAsk *self)
{
  g_signal_handler_disconnect (self->requests, self->handler);
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->next_source, g_source_remove);
  g_clear_object (&self->request);
  g_free (self);
}
