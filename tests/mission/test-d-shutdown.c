/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Part D of the mission: graceful shutdown by continuations. Each test is named after its line; what
 * needs an agent is tested with that.
 */
#include "engine-fixture.h"

#include "stint-shutdown.h"

typedef struct
{
  StintJobList *list;
  StintShutdown *shutdown;
  GString *log;   /* what continuations did */
  guint n_ended;  /* jobs that have ended */
  guint begin_at; /* the shutdown begins at the end of so many of them, 0: not */
  guint n_over;
  GError *error;
} Fixture;

static void
handle_over (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_over++;
  stint_shutdown_wait_finish (STINT_SHUTDOWN (source), result, &fixture->error);
}

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->shutdown = stint_shutdown_new (fixture->list);
  fixture->log = g_string_new (NULL);
  stint_shutdown_wait_async (fixture->shutdown, handle_over, fixture);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->n_over == 0)
    stint_shutdown_begin (fixture->shutdown, "end of the test");
  wait_until (fixture->n_over == 1);
  g_clear_object (&fixture->shutdown);
  g_clear_object (&fixture->list);
  g_clear_error (&fixture->error);
  g_string_free (fixture->log, TRUE);
  g_assert_cmpuint (fixture_count_children (), ==, 0);
}

static void follow (Fixture *fixture, StintJob *job, const char *name);

static StintJob *
start (Fixture *fixture, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  return fixture_submit (fixture->list, spec);
}

/* Each end decides what follows, and what follows is followed in its turn: a chain, and no loop. */
static gboolean
go_on (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  Fixture *fixture = data;
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintJob) next = NULL;

  g_string_append_c (fixture->log, '+');
  if (fixture->begin_at > 0 && ++fixture->n_ended == fixture->begin_at)
    stint_shutdown_begin (fixture->shutdown, "in the middle");
  if (fixture->log->len >= 30)
    return TRUE;
  next = stint_job_list_submit_after (fixture->list, job, spec, 1, error);
  if (next == NULL)
    return FALSE;
  follow (fixture, next, "go on");
  return TRUE;
}

static gboolean
stop_here (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  Fixture *fixture = data;

  g_string_append_c (fixture->log, stint_result_get_ending (stint_job_get_result (job)) ==
                                       STINT_ENDING_CANCELLED ? 'c' : 'f');
  return TRUE;
}

static void
follow (Fixture *fixture, StintJob *job, const char *name)
{
  static const StintContinuationFuncs funcs = { go_on, stop_here, stop_here };
  g_autoptr (StintContinuation) continuation = stint_continuation_new (name, &funcs, fixture, NULL);

  stint_job_list_add_continuation (fixture->list, job, continuation);
}

/* Each continuation looks at the token first, and again before it starts anything. */
static void
test_d1_token (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, "true");

  /* In the first continuation, between the look and the start. */
  fixture->begin_at = 1;
  follow (fixture, job, "inside");
  follow (fixture, job, "after it");
  wait_until (fixture->n_over == 1);
  g_assert_cmpstr (fixture->log->str, ==, "+");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 1);
  g_assert_true (g_cancellable_is_cancelled (stint_shutdown_get_cancellable (fixture->shutdown)));
}

/* A chain; and that each end decides: a failed job and a cancelled one end theirs. */
static void
test_d2_chain (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) good = start (fixture, "true"), bad = NULL, cancelled = NULL;

  follow (fixture, good, "go on");
  fixture_wait_for_all (fixture->list);
  g_assert_cmpuint (fixture->log->len, ==, 30);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 30);

  bad = start (fixture, "exit 3");
  follow (fixture, bad, "go on");
  fixture_wait_for_all (fixture->list);
  cancelled = start (fixture, "sleep 1000");
  follow (fixture, cancelled, "go on");
  stint_job_stop (cancelled, STINT_REASON_CANCELLED, -1);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str + 30, ==, "fc");
}

/* All are cancelled and waited for, and what did not end is told; tests/engine/test-shutdown.c has
 * what cannot be killed or saved. */
static void
test_d4_shutdown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) one = start (fixture, "echo ready; sleep 1000");
  g_autoptr (StintJob) two = start (fixture, "trap 'sleep 0.2; exit 3' TERM; echo ready; while :; do sleep 0.1; done");

  fixture_wait_for_output (one, "ready");
  fixture_wait_for_output (two, "ready");
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_over == 1);
  g_assert_no_error (fixture->error);
  g_assert_cmpint (stint_job_get_result (one)->reason, ==, STINT_REASON_CANCELLED);
  g_assert_cmpint (stint_job_get_result (two)->reason, ==, STINT_REASON_CANCELLED);
  g_assert_cmpint (stint_job_get_result (two)->exit_code, ==, 3);
  g_assert_cmpuint (stint_job_list_get_n_saving (fixture->list), ==, 0);
}

/* Added after the end it runs now; several by name on one job. */
static void
test_d5_late (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, "exit 1");

  follow (fixture, job, "first");
  follow (fixture, job, "second");
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str, ==, "ff");
  follow (fixture, job, "late");
  g_assert_cmpstr (fixture->log->str, ==, "fff");
}

/* Several chains side by side, and a shutdown at each of many points: nothing starts after it, and
 * all that has started is cancelled or has ended. */
static void
test_d6_any_point (void)
{
  for (guint point = 1; point <= 8; point++)
    {
      Fixture fixture = { .begin_at = point };
      guint n_begun;

      fixture_set_up (&fixture, NULL);
      for (guint i = 0; i < 3; i++)
        {
          g_autoptr (StintJob) job = start (&fixture, "true");

          follow (&fixture, job, "go on");
        }
      wait_until (stint_shutdown_get_begun (fixture.shutdown));
      n_begun = g_list_model_get_n_items (G_LIST_MODEL (fixture.list));
      wait_until (fixture.n_over == 1);
      g_assert_no_error (fixture.error);
      g_assert_cmpuint (fixture.log->len, ==, point);
      g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture.list)), ==, n_begun);
      fixture_tear_down (&fixture, NULL);
    }
}

#define add(path, function)                                                                        \
  g_test_add ("/mission/" path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("D1/token", test_d1_token);
  add ("D2/chain", test_d2_chain);
  add ("D4/shutdown", test_d4_shutdown);
  add ("D5/late", test_d5_late);
  g_test_add_func ("/mission/D6/any-point", test_d6_any_point);
  return g_test_run ();
}
