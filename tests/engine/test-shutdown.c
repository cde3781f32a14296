/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way out: everything ended and saved, within its bounds, from every cause.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-shutdown.h"

#include <signal.h>
#include <string.h>

typedef struct
{
  StintJobList *list;
  StintShutdown *shutdown;
  guint n_calls;
  gboolean clean;
  GError *error;
} Fixture;

static void
handle_over (GObject *source, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  fixture->n_calls++;
  g_clear_error (&fixture->error);
  fixture->clean =
    stint_shutdown_wait_finish (STINT_SHUTDOWN (source), result, &fixture->error);
}

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->shutdown = stint_shutdown_new (fixture->list);
  stint_shutdown_wait_async (fixture->shutdown, handle_over, fixture);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  g_clear_object (&fixture->shutdown);
  g_clear_object (&fixture->list);
  g_clear_error (&fixture->error);
  g_assert_cmpuint (fixture_count_children (), ==, 0);
}

static StintJob *
start (Fixture *fixture, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);
  StintJob *job = fixture_submit (fixture->list, spec);

  fixture_wait_for_output (job, "ready");
  return job;
}

static void
test_empty (Fixture *fixture, gconstpointer data)
{
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_true (stint_shutdown_get_begun (fixture->shutdown));
}

/* Ten jobs, three that ignore SIGTERM, one that has forked away: gone within the bound. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  gint64 begun;

  for (guint i = 0; i < 10; i++)
    g_ptr_array_add (jobs,
                     start (fixture, i < 3   ? "trap '' TERM; echo ready; while :; do sleep 1; done"
                                     : i < 4 ? "(setsid sleep 1000 &); echo ready; sleep 1000"
                                             : "echo ready; sleep 1000"));
  begun = g_get_monotonic_time ();
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 6 * G_USEC_PER_SEC);
  g_assert_true (fixture->clean);
  for (guint i = 0; i < 10; i++)
    {
      const StintResult *result = stint_job_get_result (jobs->pdata[i]);

      g_assert_cmpint (result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (result->escalated, ==, i < 3);
    }
}

/* Asked twice it does not wait for any grace. */
static void
test_twice (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, "trap '' TERM; echo ready; while :; do sleep 1; done");
  gint64 begun = g_get_monotonic_time ();

  stint_shutdown_begin (fixture->shutdown, "test");
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 3 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
}

/* The control of the bound: a job with a grace of a minute takes no longer than the shutdown's. */
static void
test_long_grace (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec =
    fixture_shell ("trap '' TERM; echo ready; while :; do sleep 1; done");
  g_autoptr (StintJob) job = NULL;
  gint64 begun;

  stint_job_spec_set_grace (spec, 60 * G_USEC_PER_SEC);
  job = fixture_submit (fixture->list, spec);
  fixture_wait_for_output (job, "ready");
  begun = g_get_monotonic_time ();
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, >, 3500000);
  g_assert_cmpint (g_get_monotonic_time () - begun, <, 6 * G_USEC_PER_SEC);
}

/* Queued jobs never start, and end as cancelled too; nothing new is taken. */
static void
test_queue (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) queued_spec = fixture_shell ("true"), late = fixture_shell ("true");
  g_autoptr (StintJob) running = NULL, queued = NULL;
  g_autoptr (GError) error = NULL;

  stint_job_list_set_max_running (fixture->list, 1);
  running = start (fixture, "echo ready; sleep 1000");
  queued = fixture_submit (fixture->list, queued_spec);
  stint_shutdown_begin (fixture->shutdown, "test");
  g_assert_null (stint_job_list_submit (fixture->list, late, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN);
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_cmpint (stint_job_get_result (queued)->reason, ==, STINT_REASON_CANCELLED);
  g_assert_cmpint (stint_job_get_result (queued)->started_at, ==, 0);
}

/* A job that was just submitted, whose keeper is being spawned. */
static void
test_during_spawn (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = fixture_submit (fixture->list, spec);

  wait_until (stint_job_get_state (job) == STINT_JOB_STARTING);
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
}

/* Row 20: a signal takes the same way, and is remembered. */
static void
test_signal (Fixture *fixture, gconstpointer data)
{
  int number = GPOINTER_TO_INT (data);
  g_autoptr (StintJob) job = start (fixture, "echo ready; sleep 1000");

  stint_shutdown_watch_signals (fixture->shutdown);
  raise (number);
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_cmpint (stint_shutdown_get_signal (fixture->shutdown), ==, number);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
}

/* Waiting after the end is answered too. */
static void
test_late_waiter (Fixture *fixture, gconstpointer data)
{
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  stint_shutdown_wait_async (fixture->shutdown, handle_over, fixture);
  wait_until (fixture->n_calls == 2);
}

#define add(path, data, function)                                                                  \
  g_test_add (path, Fixture, data, fixture_set_up, function, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/shutdown/empty", NULL, test_empty);
  add ("/shutdown/many", NULL, test_many);
  add ("/shutdown/twice", NULL, test_twice);
  add ("/shutdown/long-grace", NULL, test_long_grace);
  add ("/shutdown/queue", NULL, test_queue);
  add ("/shutdown/during-spawn", NULL, test_during_spawn);
  add ("/shutdown/signal/term", GINT_TO_POINTER (SIGTERM), test_signal);
  add ("/shutdown/signal/int", GINT_TO_POINTER (SIGINT), test_signal);
  add ("/shutdown/signal/hup", GINT_TO_POINTER (SIGHUP), test_signal);
  add ("/shutdown/late-waiter", NULL, test_late_waiter);
  return g_test_run ();
}
