/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How long the main loop is taken by many agents that speak at once.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-acp-channel.h"

#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

typedef struct
{
  StintAcpChannel *channel;
  int to;          /* what the agent says */
  int from;        /* what it is told */
  guint *n_heard;  /* messages, by all */
} Agent;

static void
agent_say (Agent *self)
{
  static const char line[] = "{\"jsonrpc\":\"2.0\",\"method\":\"line\"}\n";

  g_assert_cmpint (write (self->to, line, strlen (line)), ==, strlen (line));
}

/* Takes a millisecond. */
static void
handle_slowly (StintAcpMessage *message, gpointer data)
{
  Agent *self = data;
  gint64 until = g_get_monotonic_time () + G_TIME_SPAN_MILLISECOND;

  (*self->n_heard)++;
  while (g_get_monotonic_time () < until)
    continue;
  stint_acp_message_free (message);
}

static void
ignore (gpointer data)
{
}

static void
ignore_end (const GError *error, gpointer data)
{
}

static void
agent_init (Agent *self, guint *n_heard)
{
  const StintAcpChannelFuncs funcs = { handle_slowly, ignore, ignore, ignore_end };
  g_autoptr (GError) error = NULL;
  int in[2], out[2];

  g_unix_open_pipe (in, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  g_unix_open_pipe (out, FD_CLOEXEC, &error);
  g_assert_no_error (error);
  *self = (Agent){ .to = in[1], .from = out[0], .n_heard = n_heard };
  self->channel = stint_acp_channel_new (in[0], out[1], NULL, &funcs, self);
}

static void
agent_clear (Agent *self)
{
  stint_acp_channel_free (self->channel);
  close (self->to);
  close (self->from);
}

/* Agents that speak all at once take no more of a turn of the main loop than a few of them. */
static void
test_many (void)
{
  Agent agents[20];
  guint n_heard = 0, n_turns = 0, most = 0;
  const guint n_lines = 12, all = G_N_ELEMENTS (agents) * n_lines;

  for (guint i = 0; i < G_N_ELEMENTS (agents); i++)
    {
      agent_init (&agents[i], &n_heard);
      for (guint j = 0; j < n_lines; j++)
        agent_say (&agents[i]);
    }
  while (n_heard < all)
    {
      guint before = n_heard;

      g_main_context_iteration (NULL, TRUE);
      /* In the first turn nobody knows yet how many they are. */
      if (n_heard > before && n_turns++ > 0)
        most = MAX (most, n_heard - before);
    }
  /* Each of them is heard in each turn, and more than that only while they are few. */
  g_assert_cmpuint (most, <=, G_N_ELEMENTS (agents));
  for (guint i = 0; i < G_N_ELEMENTS (agents); i++)
    agent_clear (&agents[i]);
}

int
main (int argc, char **argv)
{
  /* As stint and stintctl do: writing to nobody is an error. */
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/channel/many", test_many);
  return g_test_run ();
}
