/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Row 23: whoever waits for a job, gives up waiting, comes late or lets go of it: each is called exactly
 * once, and the job is run, reaped and saved all the same.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "faults-fixture.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <unistd.h>

#define N_WAITERS 16
#define N_CANCELLED 5
#define N_LATE 3

typedef struct
{
  StintHistory *history;
  StintJobList *list;
  guint n_descriptors;
} Fixture;

static gboolean
is_idle (StintJobList *list)
{
  return stint_job_list_get_n_active (list) == 0 && stint_job_list_get_n_saving (list) == 0;
}

static StintJob *
submit (Fixture *fixture, const char *line)
{
  g_autoptr (StintJobSpec) spec = faults_shell (line);
  g_autoptr (GError) error = NULL;
  StintJob *job = stint_job_list_submit (fixture->list, spec, NULL, &error);

  g_assert_no_error (error);
  return job;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  StintJob *job;

  fixture->history = faults_history_new ();
  fixture->list = stint_job_list_new (STINT_JOB_STORE (fixture->history));
  job = submit (fixture, "true");
  wait_until (is_idle (fixture->list));
  stint_job_list_remove (fixture->list, job);
  g_object_unref (job);
  fixture->n_descriptors = faults_count_settled_descriptors ();
}

/* I2, I3, and that nobody is still being waited for. */
static void
tear_down (Fixture *fixture, gconstpointer data)
{
  wait_until (fixture->list == NULL || is_idle (fixture->list));
  while (fixture->list != NULL && g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) > 0)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);

      stint_job_list_remove (fixture->list, job);
    }
  wait_until (faults_count_children () == 0);
  wait_until (faults_count_descriptors () <= fixture->n_descriptors);
  g_clear_object (&fixture->list);
  stint_history_close (fixture->history);
  g_assert_finalize_object (g_steal_pointer (&fixture->history));
}

static void
test_sixteen (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture, "sleep 0.3; exit 3");
  FaultsCalls calls[N_WAITERS + N_LATE] = { 0 };
  GCancellable *cancellables[N_WAITERS];

  for (guint i = 0; i < N_WAITERS; i++)
    {
      cancellables[i] = g_cancellable_new ();
      stint_job_wait_async (job, cancellables[i], faults_note_waited, &calls[i]);
    }
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  for (guint i = 0; i < N_CANCELLED; i++)
    g_cancellable_cancel (cancellables[3 * i]);
  wait_until (calls[0].called > 0);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_RUNNING);

  wait_until (is_idle (fixture->list));
  for (guint i = N_WAITERS; i < N_WAITERS + N_LATE; i++)
    stint_job_wait_async (job, NULL, faults_note_waited, &calls[i]);
  g_assert_cmpuint (calls[N_WAITERS].called, ==, 0); /* never within the call */
  wait_until (faults_count_miscalled (calls, G_N_ELEMENTS (calls)) == 0);

  /* Too late to change anything. */
  for (guint i = 0; i < N_WAITERS; i++)
    g_cancellable_cancel (cancellables[i]);
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_cmpuint (faults_count_miscalled (calls, G_N_ELEMENTS (calls)), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    {
      g_assert_true (calls[i].cancelled == (i < N_WAITERS && i % 3 == 0 && i / 3 < N_CANCELLED));
      if (!calls[i].cancelled)
        g_assert_cmpint (calls[i].result->exit_code, ==, 3);
    }
  for (guint i = 0; i < N_WAITERS; i++)
    g_assert_finalize_object (cancellables[i]);
  faults_calls_clear (calls, G_N_ELEMENTS (calls));
}

static void
test_cancelled_before (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture, "exec sleep 1000");
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  FaultsCalls calls[2] = { 0 };

  g_cancellable_cancel (cancellable);
  stint_job_wait_async (job, cancellable, faults_note_waited, &calls[0]);
  wait_until (calls[0].called > 0);
  g_assert_true (calls[0].cancelled);

  /* After the end as well, it is the waiter's own cancelling that counts. */
  stint_job_kill (job);
  wait_until (is_idle (fixture->list));
  stint_job_wait_async (job, cancellable, faults_note_waited, &calls[1]);
  wait_until (faults_count_miscalled (calls, 2) == 0);
  g_assert_true (calls[1].cancelled);
  faults_calls_clear (calls, 2);
}

/* From another thread, while the job ends: one of the two wins, and only once. */

static gpointer
cancel_from_thread (gpointer data)
{
  g_cancellable_cancel (data);
  return NULL;
}

static void
test_cancelled_at_the_end (Fixture *fixture, gconstpointer data)
{
  for (guint i = 0; i < 30; i++)
    {
      g_autoptr (StintJob) job = submit (fixture, "exit 0");
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      FaultsCalls calls[2] = { 0 };
      GThread *thread = NULL;

      stint_job_wait_async (job, cancellable, faults_note_waited, &calls[0]);
      stint_job_wait_async (job, NULL, faults_note_waited, &calls[1]);
      while (calls[1].called == 0)
        {
          if (thread == NULL && stint_job_get_state (job) >= STINT_JOB_RUNNING)
            thread = g_thread_new ("cancel", cancel_from_thread, cancellable);
          g_main_context_iteration (NULL, TRUE);
        }
      if (thread != NULL)
        g_thread_join (thread);
      wait_until (is_idle (fixture->list));
      for (guint j = 0; j < 10; j++)
        g_main_context_iteration (NULL, FALSE);
      g_assert_cmpuint (faults_count_miscalled (calls, 2), ==, 0);
      faults_calls_clear (calls, 2);
    }
}

/* In the callback: cancel oneself, cancel another, wait again, end the job again, let go of it. */

typedef struct
{
  StintJob *job;
  GCancellable *own;
  GCancellable *other;
  FaultsCalls calls;
  FaultsCalls again;
} Meddler;

static void
meddle (GObject *source, GAsyncResult *result, gpointer data)
{
  Meddler *self = data;

  faults_note_waited (source, result, &self->calls);
  g_cancellable_cancel (self->own);
  g_cancellable_cancel (self->other);
  stint_job_kill (self->job);
  stint_job_stop (self->job, STINT_REASON_CANCELLED, 0);
  stint_job_wait_async (self->job, NULL, faults_note_waited, &self->again);
  g_clear_object (&self->job);
}

static void
test_meddling (Fixture *fixture, gconstpointer data)
{
  StintJob *job = submit (fixture, "echo done");
  g_autoptr (GCancellable) first = g_cancellable_new (), second = g_cancellable_new ();
  Meddler meddlers[2] = {
    { .job = g_object_ref (job), .own = first, .other = second },
    { .job = g_object_ref (job), .own = second, .other = first },
  };

  for (guint i = 0; i < 2; i++)
    stint_job_wait_async (job, meddlers[i].own, meddle, &meddlers[i]);
  g_object_unref (job);
  for (guint i = 0; i < 2; i++)
    {
      wait_until (meddlers[i].again.called > 0);
      g_assert_cmpuint (faults_count_miscalled (&meddlers[i].calls, 1), ==, 0);
      g_assert_cmpuint (faults_count_miscalled (&meddlers[i].again, 1), ==, 0);
      g_assert_cmpint (meddlers[i].again.result->reason, ==, STINT_REASON_EXITED);
      faults_calls_clear (&meddlers[i].calls, 1);
      faults_calls_clear (&meddlers[i].again, 1);
    }
}

/* Nobody holds the job but the engine itself. */

static void
test_last_reference (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = g_build_filename (g_get_tmp_dir (), "done", NULL);
  g_autofree char *line =
    g_strdup_printf ("(setsid sleep 1000 &); sleep 0.3; echo yes >%s; exit 5", file);
  g_autoptr (StintJobSpec) spec = faults_shell (line);
  StintJob *job = stint_job_new (spec, NULL);
  FaultsCalls run = { 0 };
  GWeakRef weak;

  g_weak_ref_init (&weak, job);
  stint_job_run_async (job, fixture->history, NULL, faults_note_run, &run);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_object_unref (job);

  wait_until (faults_count_miscalled (&run, 1) == 0);
  g_assert_cmpint (run.result->exit_code, ==, 5);
  g_assert_cmpuint (run.result->leftovers, ==, 1);
  g_assert_true (g_file_test (file, G_FILE_TEST_EXISTS));
  g_unlink (file);
  wait_until (faults_count_children () == 0);
  g_assert_cmpuint (faults_count_saved (fixture->history, STINT_REASON_EXITED), ==, 2);

  /* And then the engine lets go as well. */
  for (guint i = 0; i < 20; i++)
    g_main_context_iteration (NULL, FALSE);
  g_assert_null (g_weak_ref_get (&weak));
  g_weak_ref_clear (&weak);
  faults_calls_clear (&run, 1);
}

static void
test_list_dropped (Fixture *fixture, gconstpointer data)
{
  StintJob *job = submit (fixture, "sleep 0.2; exit 6");
  FaultsCalls calls = { 0 };

  stint_job_wait_async (job, NULL, faults_note_waited, &calls);
  g_object_unref (job);
  g_clear_object (&fixture->list);
  wait_until (faults_count_miscalled (&calls, 1) == 0);
  g_assert_cmpint (calls.result->exit_code, ==, 6);
  faults_calls_clear (&calls, 1);
  wait_until (faults_count_children () == 0);
  wait_until (faults_count_saved (fixture->history, STINT_REASON_EXITED) == 2);
}

/* Cancelling the run itself, at each moment of its start. */

typedef enum
{
  BEFORE_THE_CALL,
  RIGHT_AFTER_IT,
  WHEN_STARTING,
  WHEN_RUNNING,
  N_MOMENTS,
} Moment;

static void
test_cancelled_run (Fixture *fixture, gconstpointer data)
{
  for (Moment moment = BEFORE_THE_CALL; moment < N_MOMENTS; moment++)
    {
      g_autoptr (StintJobSpec) spec = faults_shell ("exec sleep 1000");
      g_autoptr (StintJob) job = stint_job_new (spec, NULL);
      g_autoptr (GCancellable) cancellable = g_cancellable_new ();
      FaultsCalls calls[3] = { 0 };

      if (moment == BEFORE_THE_CALL)
        g_cancellable_cancel (cancellable);
      stint_job_wait_async (job, NULL, faults_note_waited, &calls[0]);
      stint_job_run_async (job, fixture->history, cancellable, faults_note_run, &calls[1]);
      stint_job_wait_async (job, NULL, faults_note_waited, &calls[2]);
      g_assert_cmpuint (calls[1].called, ==, 0);
      if (moment >= WHEN_STARTING)
        wait_until (stint_job_get_state (job) >=
                    (moment == WHEN_STARTING ? STINT_JOB_STARTING : STINT_JOB_RUNNING));
      g_cancellable_cancel (cancellable);

      wait_until (faults_count_miscalled (calls, 3) == 0);
      g_assert_cmpint (calls[1].result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (stint_result_get_exit_status (calls[1].result), ==, 130);
      if (moment == BEFORE_THE_CALL)
        g_assert_cmpint (calls[1].result->started_at, ==, 0);
      g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_FINISHED);
      wait_until (faults_count_children () == 0);
      g_assert_cmpuint (faults_count_saved (fixture->history, STINT_REASON_CANCELLED), ==, moment + 1u);
      faults_calls_clear (calls, 3);
    }
}

/* The check is seen to fail. */
static void
test_control (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture, "true");
  FaultsCalls never = { 0 }, twice = { 0 }, once = { 0 };

  stint_job_wait_async (job, NULL, faults_note_waited, &once);
  stint_job_wait_async (job, NULL, faults_note_waited, &twice);
  stint_job_wait_async (job, NULL, faults_note_waited, &twice);
  wait_until (once.called > 0 && twice.called > 1);
  g_assert_cmpuint (faults_count_miscalled (&once, 1), ==, 0);
  g_assert_cmpuint (faults_count_miscalled (&never, 1), ==, 1);
  g_assert_cmpuint (faults_count_miscalled (&twice, 1), ==, 1);
  faults_calls_clear (&once, 1);
  faults_calls_clear (&twice, 1);
}

int
main (int argc, char **argv)
{
  const struct
  {
    const char *path;
    void (*func) (Fixture *, gconstpointer);
  } tests[] = {
    { "/faults/waiters/sixteen", test_sixteen },
    { "/faults/waiters/cancelled-before", test_cancelled_before },
    { "/faults/waiters/cancelled-at-the-end", test_cancelled_at_the_end },
    { "/faults/waiters/meddling", test_meddling },
    { "/faults/waiters/last-reference", test_last_reference },
    { "/faults/waiters/list-dropped", test_list_dropped },
    { "/faults/waiters/cancelled-run", test_cancelled_run },
    { "/faults/waiters/control", test_control },
  };

  faults_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (tests); i++)
    g_test_add (tests[i].path, Fixture, NULL, set_up, tests[i].func, tear_down);
  return faults_run ();
}
