/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The way out: everything ended and saved, within its bounds, from every cause.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-scratch-store.h"
#include "stint-shutdown.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>
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
  wait_until (stint_job_get_pid (job) > 1);
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

/* Ten jobs, three that ignore SIGTERM, one that has forked away: all ended, with nothing to tell. */
static void
test_many (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < 10; i++)
    g_ptr_array_add (jobs,
                     start (fixture, i < 3   ? "trap '' TERM; echo ready; while :; do sleep 1; done"
                                     : i < 4 ? "(setsid sleep 1000 &); echo ready; sleep 1000"
                                             : "echo ready; sleep 1000"));
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_no_error (fixture->error);
  g_assert_true (fixture->clean);
  for (guint i = 0; i < 10; i++)
    {
      const StintResult *result = stint_job_get_result (jobs->pdata[i]);

      g_assert_cmpint (result->reason, ==, STINT_REASON_CANCELLED);
      g_assert_cmpint (result->escalated, ==, i < 3);
    }
}

/* Asked twice, or by Stop now, it does not wait for any grace: what would have ended in its own time
 * is killed. */
static void
test_at_once (Fixture *fixture, gconstpointer data)
{
  gboolean stop_now = GPOINTER_TO_INT (data);
  g_autoptr (StintJob) job = start (fixture, "trap 'sleep 1000' TERM; echo ready; while :; do sleep 1; done");

  stint_shutdown_begin (fixture->shutdown, "test");
  if (stop_now)
    stint_shutdown_stop_now (fixture->shutdown);
  else
    stint_shutdown_begin (fixture->shutdown, "again");
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_cmpstr (stint_shutdown_get_cause (fixture->shutdown), ==, "test");
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
  /* It was never asked, or had no time to answer. */
  g_assert_cmpint (stint_job_get_result (job)->term_signal, ==, SIGKILL);
}

static gpointer
cancel_in_thread (gpointer data)
{
  g_cancellable_cancel (data);
  return NULL;
}

/* Whoever finds a cause adds it by its name, and cancels it from where it is. */
static void
test_cause (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GCancellable) first = g_cancellable_new (), second = g_cancellable_new ();
  g_autoptr (StintJob) job = start (fixture, "echo ready; sleep 1000");

  stint_shutdown_add_cause (fixture->shutdown, "end of the prompt", first);
  stint_shutdown_add_cause (fixture->shutdown, "end of the session", second);
  g_assert_null (stint_shutdown_get_cause (fixture->shutdown));
  g_thread_join (g_thread_new ("cause", cancel_in_thread, second));
  wait_until (fixture->n_calls == 1);
  g_assert_true (fixture->clean);
  g_assert_cmpstr (stint_shutdown_get_cause (fixture->shutdown), ==, "end of the session");
  g_assert_true (g_cancellable_is_cancelled (stint_shutdown_get_cancellable (fixture->shutdown)));
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, STINT_REASON_CANCELLED);
}

static gboolean
note_followed (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  *(gboolean *) data = TRUE;
  return TRUE;
}

/* A1: the end of a job and the cause of a shutdown are ready at once, and the cause is seen first.
 * The control: without the cause the same end is followed. */
static void
test_cause_first (Fixture *fixture, gconstpointer data)
{
  static const StintContinuationFuncs funcs = { note_followed, note_followed, note_followed };
  gboolean with_cause = GPOINTER_TO_INT (data), followed = FALSE;
  g_autoptr (GCancellable) cause = g_cancellable_new ();
  g_autofree char *directory = g_dir_make_tmp ("stint-shutdown-XXXXXX", NULL);
  g_autofree char *fifo = g_build_filename (directory, "fifo", NULL);
  g_autofree char *line = g_strdup_printf ("echo ready; read line < %s", fifo);
  g_autoptr (StintContinuation) continuation =
    stint_continuation_new ("note", &funcs, &followed, NULL);
  g_autoptr (StintJob) job = NULL;

  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  job = start (fixture, line);
  stint_job_list_add_continuation (fixture->list, job, continuation);
  stint_shutdown_add_cause (fixture->shutdown, "test", cause);
  /* It ends, and its keeper has said so and is gone; all of that waits until we look. */
  close (open (fifo, O_WRONLY | O_CLOEXEC));
  while (fixture_count_children () > 0)
    g_usleep (1000);
  g_assert_cmpint (stint_job_get_state (job), ==, STINT_JOB_RUNNING);
  if (with_cause)
    g_cancellable_cancel (cause);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_cmpint (followed, ==, !with_cause);
  if (!with_cause)
    stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_remove (fifo);
  g_rmdir (directory);
}

static gboolean
names (GPtrArray *processes, const char *name)
{
  for (guint i = 0; i < processes->len; i++)
    if (strcmp (((StintProcess *) processes->pdata[i])->name, name) == 0)
      return TRUE;
  return FALSE;
}

/* What it waits for, process by process; the keeper's own are nobody's business. */
static void
test_waiting (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job =
    start (fixture, "trap '' TERM; (setsid sleep 1000 &); echo ready; while :; do sleep 1; done");
  g_autoptr (GPtrArray) waiting = NULL, processes = NULL, after = NULL;
  g_autofree char *text = NULL;

  stint_shutdown_begin (fixture->shutdown, "test");
  waiting = stint_shutdown_dup_waiting (fixture->shutdown);
  g_assert_cmpuint (waiting->len, ==, 1);
  g_assert_true (waiting->pdata[0] == job);
  processes = stint_job_dup_processes (job, 100);
  g_assert_true (names (processes, "sh"));
  g_assert_false (names (processes, "stint-keeper"));
  g_assert_cmpint (((StintProcess *) processes->pdata[0])->pid, ==, stint_job_get_pid (job));
  text = stint_processes_describe (processes, 1);
  g_assert_true (g_str_has_prefix (text, "sh ("));
  stint_shutdown_stop_now (fixture->shutdown);
  wait_until (fixture->n_calls == 1);
  after = stint_job_dup_processes (job, 100);
  g_assert_cmpuint (after->len, ==, 0);
}

/* A store that never says that it has saved. */

#define TEST_TYPE_STUCK_STORE (test_stuck_store_get_type ())
G_DECLARE_FINAL_TYPE (TestStuckStore, test_stuck_store, TEST, STUCK_STORE, GObject)

struct _TestStuckStore
{
  GObject parent_instance;

  GPtrArray *tasks;
};

static void
stuck_begin_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (store, NULL, callback, data);
  static guint64 id;

  g_task_return_pointer (task, stint_scratch_store_make_place (++id, NULL),
                         (GDestroyNotify) stint_job_place_free);
}

static StintJobPlace *
stuck_begin_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
stuck_finish_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_ptr_array_add (TEST_STUCK_STORE (store)->tasks, g_task_new (store, NULL, callback, data));
}

static gboolean
stuck_finish_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
stuck_store_iface_init (StintJobStoreInterface *iface)
{
  iface->begin_async = stuck_begin_async;
  iface->begin_finish = stuck_begin_finish;
  iface->finish_async = stuck_finish_async;
  iface->finish_finish = stuck_finish_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestStuckStore,
                               test_stuck_store,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (STINT_TYPE_JOB_STORE, stuck_store_iface_init))

static void
test_stuck_store_class_init (TestStuckStoreClass *klass)
{
}

static void
test_stuck_store_init (TestStuckStore *self)
{
  self->tasks = g_ptr_array_new_with_free_func (g_object_unref);
}

/* Its tasks hold the store: it is let go when they have answered. */
static void
answer_all (TestStuckStore *store)
{
  g_autoptr (GPtrArray) tasks = g_steal_pointer (&store->tasks);

  for (guint i = 0; i < tasks->len; i++)
    g_task_return_boolean (tasks->pdata[i], TRUE);
}

/* What cannot be killed is named, what is not saved is counted, and neither is waited for for ever. */
static void
test_stuck (Fixture *fixture, gconstpointer data)
{
  g_autofree char *keeper =
    g_build_filename (g_getenv ("STINT_KEEPER_WITHOUT_DIR"), "keeper-without-sigkill", NULL);
  g_autofree char *real_keeper = g_strdup (g_getenv ("STINT_KEEPER"));
  g_autoptr (TestStuckStore) store = g_object_new (TEST_TYPE_STUCK_STORE, NULL);
  g_autoptr (StintJob) saving = NULL, immortal = NULL;
  g_autofree char *named = NULL;
  gint64 begun;
  int pid;

  g_clear_object (&fixture->shutdown);
  g_clear_object (&fixture->list);
  fixture->list = stint_job_list_new (STINT_JOB_STORE (store));
  fixture->shutdown = stint_shutdown_new (fixture->list);
  stint_shutdown_wait_async (fixture->shutdown, handle_over, fixture);

  saving = start (fixture, "echo ready; sleep 1000");
  g_setenv ("STINT_KEEPER", keeper, TRUE);
  immortal = start (fixture, "trap '' TERM; echo ready; while :; do sleep 1; done");
  if (real_keeper != NULL)
    g_setenv ("STINT_KEEPER", real_keeper, TRUE);
  else
    g_unsetenv ("STINT_KEEPER");
  pid = stint_job_get_pid (immortal);

  begun = g_get_monotonic_time ();
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, >=, 5 * G_USEC_PER_SEC);
  g_assert_false (fixture->clean);
  g_test_message ("%s", fixture->error->message);
  named = g_strdup_printf ("sh (%d)", pid);
  g_assert_nonnull (strstr (fixture->error->message, named));
  g_assert_nonnull (strstr (fixture->error->message, "saved in time"));
  g_assert_cmpint (stint_job_get_result (saving)->reason, ==, STINT_REASON_CANCELLED);

  /* With what it had started: that is stopped, and nobody else would end it. */
  g_assert_no_errno (kill (-pid, SIGKILL));
  wait_until (stint_job_get_state (immortal) == STINT_JOB_FINISHED);
  answer_all (store);
  wait_until (fixture_count_children () == 0 && stint_job_list_get_n_saving (fixture->list) == 0);
}

/* The control of the bound: a job with a grace of an hour is killed by the shutdown's. */
static void
test_long_grace (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec =
    fixture_shell ("trap '' TERM; echo ready; while :; do sleep 1; done");
  g_autoptr (StintJob) job = NULL;
  gint64 begun;

  stint_job_spec_set_grace (spec, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  job = fixture_submit (fixture->list, spec);
  fixture_wait_for_output (job, "ready");
  begun = g_get_monotonic_time ();
  stint_shutdown_begin (fixture->shutdown, "test");
  wait_until (fixture->n_calls == 1);
  g_assert_cmpint (g_get_monotonic_time () - begun, >, 3500000);
  g_assert_true (fixture->clean);
  g_assert_true (stint_job_get_result (job)->escalated);
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
  add ("/shutdown/twice", GINT_TO_POINTER (FALSE), test_at_once);
  add ("/shutdown/stop-now", GINT_TO_POINTER (TRUE), test_at_once);
  add ("/shutdown/cause", NULL, test_cause);
  add ("/shutdown/cause/first", GINT_TO_POINTER (TRUE), test_cause_first);
  add ("/shutdown/cause/first/control", GINT_TO_POINTER (FALSE), test_cause_first);
  add ("/shutdown/waiting", NULL, test_waiting);
  add ("/shutdown/stuck", NULL, test_stuck);
  add ("/shutdown/long-grace", NULL, test_long_grace);
  add ("/shutdown/queue", NULL, test_queue);
  add ("/shutdown/during-spawn", NULL, test_during_spawn);
  add ("/shutdown/signal/term", GINT_TO_POINTER (SIGTERM), test_signal);
  add ("/shutdown/signal/int", GINT_TO_POINTER (SIGINT), test_signal);
  add ("/shutdown/signal/hup", GINT_TO_POINTER (SIGHUP), test_signal);
  add ("/shutdown/late-waiter", NULL, test_late_waiter);
  return g_test_run ();
}
