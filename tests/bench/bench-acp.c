/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Stint as the client of an agent, without a window: engine, keeper, log, conversation and transcript as
 * the window has them. Prints numbers for `tests/bench/acp`, which runs the official SDK's client beside
 * it (acp-client.mjs): what was counted, and what it took, in microseconds, of the clock, of this
 * process, and of its keeper.
 *
 *   calls N AGENT…       N requests to the agent, one after the other
 *   requests N AGENT…    N permissions, asked one after the other
 *   updates N AGENT…     a turn with N updates
 *   turns N AGENT…       N turns, one after the other
 *   memory N AGENT…      as `updates`, five times; prints what is resident after each, in KiB
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "stint-agent-session.h"
#include "stint-scratch-store.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

static StintAgentSession *session;
static guint n_turns, n_answers, n_updates;

static void
handle_turn_ended (void)
{
  n_turns++;
}

static void
handle_notification (void)
{
  n_updates++;
}

static void
wait_for_state (StintAgentState state)
{
  while (stint_agent_session_get_state (session) != state)
    {
      if (stint_agent_session_get_state (session) == STINT_AGENT_ENDED)
        g_error ("The agent has ended: %s", stint_agent_session_get_error (session));
      g_main_context_iteration (NULL, TRUE);
    }
}

static void
run_turn (const char *text)
{
  guint before = n_turns;

  stint_agent_session_prompt_text (session, text);
  while (n_turns == before)
    g_main_context_iteration (NULL, TRUE);
}

static void
handle_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node =
      stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), result, &error);

  g_assert_no_error (error);
  n_answers++;
}

static void
run_calls (guint n)
{
  const char *id = stint_agent_session_get_session_id (session);

  for (guint i = 0; i < n; i++)
    {
      JsonNode *params = json_node_new (JSON_NODE_OBJECT);
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "sessionId", id);
      json_object_set_string_member (object, "modeId", "a");
      json_node_take_object (params, object);
      stint_acp_connection_call_async (stint_agent_session_get_connection (session),
                                       "session/set_mode", params, NULL, handle_answer, NULL);
      while (n_answers == i)
        g_main_context_iteration (NULL, TRUE);
    }
}

/* What it costs */

static gint64
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * G_USEC_PER_SEC + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

/* Of the keeper's two processes, below @pid. */
static gint64
get_keeper_cpu (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", pid, pid);
  g_autofree char *children = NULL;
  g_auto (GStrv) words = NULL;
  gint64 sum = 0;

  if (!g_file_get_contents (path, &children, NULL, NULL))
    return 0;
  words = g_strsplit (g_strstrip (children), " ", -1);
  for (guint i = 0; words[i] != NULL && *words[i] != '\0'; i++)
    {
      g_autofree char *name_path = g_strdup_printf ("/proc/%s/comm", words[i]);
      g_autofree char *time_path = g_strdup_printf ("/proc/%s/schedstat", words[i]);
      g_autofree char *name = NULL, *times = NULL;

      if (g_file_get_contents (name_path, &name, NULL, NULL) &&
          g_str_has_prefix (name, "stint-keeper") &&
          g_file_get_contents (time_path, &times, NULL, NULL))
        sum += g_ascii_strtoll (times, NULL, 10) / 1000 + get_keeper_cpu (atoi (words[i]));
    }
  return sum;
}

static guint64
get_resident (void)
{
  g_autofree char *status = NULL;
  const char *at;

  if (!g_file_get_contents ("/proc/self/status", &status, NULL, NULL) ||
      (at = strstr (status, "VmRSS:")) == NULL)
    return 0;
  return g_ascii_strtoull (at + strlen ("VmRSS:"), NULL, 10);
}

static void
measure (const char *what, guint n)
{
  g_autofree char *prompt = g_strdup_printf ("%s %u", what, n);
  gint64 began, cpu, keeper;

  if (g_str_equal (what, "memory"))
    {
      g_autofree char *updates = g_strdup_printf ("updates %u", n);

      for (guint i = 0; i < 5; i++)
        {
          run_turn (updates);
          g_print ("%s%" G_GUINT64_FORMAT, i > 0 ? " " : "", get_resident ());
        }
      g_print ("\n");
      return;
    }

  began = g_get_monotonic_time ();
  cpu = get_cpu ();
  keeper = get_keeper_cpu ((int) getpid ());
  if (g_str_equal (what, "calls"))
    run_calls (n);
  else if (g_str_equal (what, "turns"))
    while (n_turns < n)
      run_turn ("Hi");
  else
    run_turn (prompt);
  g_print ("%u %" G_GINT64_FORMAT " %" G_GINT64_FORMAT " %" G_GINT64_FORMAT "\n",
           g_str_equal (what, "updates") ? n_updates : n, g_get_monotonic_time () - began,
           get_cpu () - cpu, get_keeper_cpu ((int) getpid ()) - keeper);
}

int
main (int argc, char **argv)
{
  g_autoptr (StintJobStore) store = stint_scratch_store_new ();
  g_autoptr (StintJobList) jobs = stint_job_list_new (store);
  g_autoptr (StintAgentProfile) profile = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_get_current_dir ();

  if (argc < 4)
    return 2;
  signal (SIGPIPE, SIG_IGN);
  profile = stint_agent_profile_new_for_command ((const char *const *) argv + 3);
  session = stint_agent_session_new (jobs, profile, directory);
  stint_agent_session_set_policy (session, STINT_AGENT_ALLOW);
  g_signal_connect (session, "turn-ended", G_CALLBACK (handle_turn_ended), NULL);
  if (!stint_agent_session_start (session, &error))
    g_error ("%s", error->message);
  wait_for_state (STINT_AGENT_READY);
  g_signal_connect (stint_agent_session_get_connection (session), "notification",
                    G_CALLBACK (handle_notification), NULL);
  measure (argv[1], (guint) atoi (argv[2]));

  stint_agent_session_stop (session);
  while (stint_job_list_get_n_active (jobs) > 0 || stint_job_list_get_n_saving (jobs) > 0)
    g_main_context_iteration (NULL, TRUE);
  g_clear_object (&session);
  return 0;
}
