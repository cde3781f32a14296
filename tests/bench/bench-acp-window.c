/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-acp-window N AGENTS AGENT…
 *
 * The whole window process, with so many agents at once and the conversation of one of them shown, in each of
 * which N updates come. Prints how long they took until all of them were on the screen, and the longest gap of
 * the main loop meanwhile and its 99th percentile, all in microseconds.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"
#include "bench-widgets.h"

#include "stint-agent-launch.h"
#include "stint-agent-session.h"
#include "stint-conversation-view.h"
#include "stint-keeper-launch.h"
#include "stint-window.h"

#include <signal.h>
#include <stdlib.h>

static StintApplication *app;

/* How much of the conversation has been written for the screen, in characters. */
static int
get_n_written (void)
{
  GList *windows = gtk_application_get_windows (GTK_APPLICATION (app));
  GtkWidget *view = find_mapped (GTK_WIDGET (windows->data), STINT_TYPE_CONVERSATION_VIEW);
  GtkWidget *text = view != NULL ? find_mapped (view, GTK_TYPE_TEXT_VIEW) : NULL;

  return text != NULL
           ? gtk_text_buffer_get_char_count (gtk_text_view_get_buffer (GTK_TEXT_VIEW (text)))
           : 0;
}

/* Returns: when the conversation was written last; it has not changed for a second since. */
static gint64
wait_until_written (void)
{
  gint64 changed = g_get_monotonic_time ();
  int written = get_n_written ();

  while (g_get_monotonic_time () < changed + G_USEC_PER_SEC)
    {
      g_main_context_iteration (NULL, TRUE);
      if (get_n_written () != written)
        {
          written = get_n_written ();
          changed = g_get_monotonic_time ();
        }
    }
  return changed;
}

static void
handle_turn_ended (guint *n_over)
{
  (*n_over)++;
}

/* Returns: an agent that is ready. */
static StintAgentSession *
start (char **argv, guint *n_over)
{
  g_autoptr (StintJobSpec) spec =
    stint_job_spec_new (STINT_JOB_KIND_AGENT, (const char *const *) argv);
  g_auto (GStrv) own = g_get_environ ();
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = NULL;
  StintAgentSession *session;

  stint_job_spec_set_session (spec, TRUE);
  stint_job_spec_resolve (spec, "/", NULL, (const char *const *) own);
  job = stint_agent_launch_spec (app, spec, &error);
  if (job == NULL)
    g_error ("%s", error->message);
  session = stint_agent_session_for_job (job);
  while (stint_agent_session_get_state (session) != STINT_AGENT_READY)
    {
      if (stint_agent_session_get_state (session) == STINT_AGENT_ENDED)
        g_error ("The agent has ended: %s", stint_agent_session_get_error (session));
      g_main_context_iteration (NULL, TRUE);
    }
  g_signal_connect_swapped (session, "turn-ended", G_CALLBACK (handle_turn_ended), n_over);
  return session;
}

static gboolean
measure (gpointer data)
{
  char **argv = data;
  g_autofree char *prompt = g_strdup_printf ("updates %s", argv[0]);
  guint n_agents = (guint) MAX (1, atoi (argv[1])), n_over = 0;
  g_autofree StintAgentSession **sessions = g_new (StintAgentSession *, n_agents);
  gint64 began;
  Gaps gaps;

  for (guint i = 0; i < n_agents; i++)
    sessions[i] = start (argv + 2, &n_over);

  gaps_begin (&gaps);
  began = g_get_monotonic_time ();
  for (guint i = 0; i < n_agents; i++)
    stint_agent_session_prompt_text (sessions[i], prompt);
  while (n_over < n_agents)
    g_main_context_iteration (NULL, TRUE);
  g_print ("%" G_GINT64_FORMAT " ", wait_until_written () - began);
  gaps_end (&gaps);
  g_application_quit (G_APPLICATION (app));
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  if (argc < 4)
    return 126;

  /* As main.c does. */
  signal (SIGPIPE, SIG_IGN);
  stint_descriptors_raise_limit ();
  app = stint_application_new (G_APPLICATION_NON_UNIQUE);
  g_idle_add (measure, argv + 1);
  g_application_run (G_APPLICATION (app), 1, argv);
  g_object_unref (app);
  return 0;
}
