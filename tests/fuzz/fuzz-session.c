/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A session with an agent that says anything at any time: requests, news, answers to what was asked and was
 * not, while the user says, cancels, answers and stops. Nothing is run: its job never starts, and its
 * terminals cannot. Whatever was said, the session ends, and nothing keeps what was its.
 *
 * The first byte says where it stands at the beginning, and its policy. A line that begins with ! is what
 * the user does; any other is the agent's.
 */
#include "fuzz.h"

#include "stint-agent-session-private.h"
#include "stint-scratch-store.h"

#include <glib-unix.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#define MAX_LINES 64

#define INITIALIZED                                                                                          \
  "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{\"protocolVersion\":1,\"agentCapabilities\":{\"loadSession\":"  \
  "true,\"promptCapabilities\":{\"image\":true,\"embeddedContext\":true},\"sessionCapabilities\":{\"list\":" \
  "{},\"resume\":{},\"close\":{},\"delete\":{}}},\"authMethods\":[{\"id\":\"a\",\"name\":\"A\"}]}}"
#define OPENED                                                                                              \
  "{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{\"sessionId\":\"s\",\"modes\":{\"currentModeId\":\"a\","       \
  "\"availableModes\":[{\"id\":\"a\",\"name\":\"A\"},{\"id\":\"b\",\"name\":\"B\"}]}}}"

typedef struct
{
  StintJobList *jobs;
  StintAgentSession *session;
  int to;   /* the session, as its agent */
  int from;
} Agent;

static char *directory;

static void
remove_directory (void)
{
  g_autoptr (GDir) dir = g_dir_open (directory, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (directory, name, NULL);

      g_remove (path);
    }
  g_rmdir (directory);
  g_free (directory);
}

static void
set_up_once (void)
{
  if (directory != NULL)
    return;
  /* What an agent wants to be run is not. */
  g_setenv ("STINT_KEEPER", "/nowhere/stint-keeper", TRUE);
  signal (SIGPIPE, SIG_IGN);
  directory = g_dir_make_tmp ("stint-fuzz-XXXXXX", NULL);
  atexit (remove_directory);
}

/* What the session has written is of no interest, but it must not fill the pipe. */
static void
hear (Agent *self)
{
  char bytes[4096];

  while (read (self->from, bytes, sizeof bytes) > 0)
    ;
}

/* Until nothing is to be done, and nothing unread. */
static void
turn (Agent *self)
{
  int unread = 0;

  do
    {
      hear (self);
      while (g_main_context_iteration (NULL, FALSE))
        ;
    }
  while (self->to >= 0 && !stint_acp_connection_is_closed (self->session->connection) &&
         ioctl (self->to, FIONREAD, &unread) == 0 && unread > 0);
}

static void
say (Agent *self, const char *line, size_t length)
{
  g_autofree char *text = g_strdup_printf ("%.*s\n", (int) length, line);
  /* Nobody may read it any more, or it has hung up. */
  ssize_t n = self->to >= 0 ? write (self->to, text, strlen (text)) : -1;

  (void) n;
  turn (self);
}

static void
answer (StintAgentSession *session, gboolean reject)
{
  g_autoptr (StintAgentRequest) request =
    g_list_model_get_item (stint_agent_session_get_requests (session), 0);
  GPtrArray *choices = request != NULL ? stint_agent_request_get_choices (request) : NULL;
  const StintAgentChoice *choice = choices != NULL && choices->len > 0 ? choices->pdata[0] : NULL;

  if (request == NULL)
    return;
  /* A permission without a tool call is for a file that is not ours. */
  if (reject || (stint_agent_request_get_kind (request) == STINT_AGENT_REQUEST_PERMISSION &&
                 stint_agent_request_get_item (request) == NULL))
    stint_agent_request_reject (request);
  else if (choice != NULL && choice->supported && !choice->needs_terminal)
    stint_agent_request_choose (request, choice->id);
  else if (stint_agent_request_get_kind (request) == STINT_AGENT_REQUEST_FORM)
    {
      JsonNode *content = json_node_new (JSON_NODE_OBJECT);

      json_node_take_object (content, json_object_new ());
      stint_agent_request_accept (request, content, NULL);
    }
  else
    stint_agent_request_dismiss (request);
}

static void
hang_up (Agent *self)
{
  if (self->to >= 0)
    close (g_steal_fd (&self->to));
}

/* Threads that end do not all wake the loop. */
static gboolean
tick (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

static void
act (Agent *self, char what)
{
  switch (what)
    {
    case 'p':
      stint_agent_session_prompt_text (self->session, "Hello");
      break;
    case 'a':
      answer (self->session, FALSE);
      break;
    case 'r':
      answer (self->session, TRUE);
      break;
    case 'c':
      stint_agent_session_cancel (self->session);
      break;
    case 'g':
      stint_agent_session_continue (self->session);
      break;
    case 'i':
      stint_agent_session_interrupt (self->session);
      break;
    case 'o':
      stint_agent_session_set_option (self->session, "mode", "b");
      break;
    case 'w':
      stint_agent_session_set_policy (self->session, STINT_AGENT_ALLOW_IN_DIRECTORY);
      break;
    default:
      hang_up (self);
      break;
    }
  turn (self);
}

static void
start (Agent *self, StintAgentPolicy policy)
{
  const char *const argv[] = { "/nowhere/agent", NULL };
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (StintAgentProfile) profile = stint_agent_profile_new_for_command (argv);
  g_autoptr (StintJobSpec) wishes = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  StintAgentLimits limits = { .cancel_grace = G_TIME_SPAN_MILLISECOND };
  int in[2], out[2];

  stint_job_spec_set_start_delay (wishes, 24 * G_TIME_SPAN_HOUR);
  self->jobs = stint_job_list_new (store);
  self->session = stint_agent_session_new (self->jobs, profile, directory);
  stint_agent_session_set_limits (self->session, &limits);
  stint_agent_session_set_policy (self->session, policy);
  stint_agent_session_set_wishes (self->session, wishes);
  g_assert_true (stint_agent_session_start (self->session, NULL));

  /* Instead of its job's. */
  g_assert_true (g_unix_open_pipe (in, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (out, FD_CLOEXEC, NULL));
  close (self->session->read_fd);
  close (self->session->write_fd);
  self->session->read_fd = in[0];
  self->session->write_fd = out[1];
  self->to = in[1];
  self->from = out[0];
  g_unix_set_fd_nonblocking (self->from, TRUE, NULL);
  stint_agent_session_connect (self->session);
}

/* So far it has come when the agent begins to say anything. */
static void
go_to (Agent *self, unsigned stage)
{
  if (stage > 0)
    say (self, INITIALIZED, strlen (INITIALIZED));
  if (stage > 1)
    say (self, OPENED, strlen (OPENED));
  if (stage > 2)
    act (self, 'p');
  if (stage > 3)
    act (self, 'c');
}

/* Its terminals fail, and its files are read and written in threads: all of that comes to an end. */
static void
end (Agent *self)
{
  gpointer things[] = { self->session->connection, self->session->files, self->session->terminals,
                        self->session->conversation, self->session };
  guint ticks;

  for (guint i = 0; i < G_N_ELEMENTS (things); i++)
    g_object_add_weak_pointer (things[i], &things[i]);
  hang_up (self);
  stint_agent_session_stop (self->session);
  ticks = g_timeout_add (10, (GSourceFunc) tick, NULL);
  while (stint_agent_session_get_state (self->session) != STINT_AGENT_ENDED ||
         stint_job_list_get_n_active (self->jobs) > 0 || stint_job_list_get_n_saving (self->jobs) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_object_unref (self->session);
  g_object_unref (self->jobs);
  for (guint i = 0; i < G_N_ELEMENTS (things); i++)
    while (things[i] != NULL)
      g_main_context_iteration (NULL, TRUE);
  g_source_remove (ticks);
  close (self->from);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  Agent agent;

  if (size == 0)
    return 0;
  set_up_once ();
  /* Never the policy that allows what is elsewhere to be written. */
  start (&agent, (StintAgentPolicy) (data[0] / 8 % STINT_AGENT_ALLOW));
  go_to (&agent, data[0] % 5);
  data++;
  size--;
  for (int n = 0; n < MAX_LINES && size > 0; n++)
    {
      const uint8_t *newline = memchr (data, '\n', size);
      size_t length = newline != NULL ? (size_t) (newline - data) : size;

      if (length > 1 && data[0] == '!')
        act (&agent, (char) data[1]);
      else if (length > 0)
        say (&agent, (const char *) data, length);
      data += newline != NULL ? length + 1 : length;
      size -= newline != NULL ? length + 1 : length;
    }
  end (&agent);
  return 0;
}
