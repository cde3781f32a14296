/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list: the queue, the limit of jobs at once, what is refused, and what a failing store does.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-scratch-store.h"

#include <glib/gstdio.h>

static guint
count_in_state (StintJobList *list, StintJobState state)
{
  guint n = 0;

  for (guint i = 0; i < g_list_model_get_n_items (G_LIST_MODEL (list)); i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (list), i);

      n += stint_job_get_state (job) == state;
    }
  return n;
}

static void
note_most (StintJobList *list, GParamSpec *pspec, guint *most)
{
  guint running = count_in_state (list, STINT_JOB_RUNNING) + count_in_state (list, STINT_JOB_STARTING);

  *most = MAX (*most, running);
}

/* Ten jobs, two at once. */
static void
test_queue (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);
  guint most = 0;

  stint_job_list_set_max_running (list, 2);
  g_signal_connect (list, "notify::n-active", G_CALLBACK (note_most), &most);
  for (guint i = 0; i < 10; i++)
    {
      g_autoptr (StintJobSpec) spec = fixture_shell ("true");

      g_ptr_array_add (jobs, fixture_submit (list, spec));
    }
  fixture_wait_for_all (list);
  g_assert_cmpuint (most, <=, 2);
  for (guint i = 0; i < jobs->len; i++)
    {
      const StintResult *result = stint_job_get_result (jobs->pdata[i]);

      g_assert_true (stint_result_is_success (result));
    }
}

/* One at once, in their order: each writes its number. Of two at once the second may be the first to start. */
static void
test_in_order (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autofree char *directory = g_dir_make_tmp ("stint-order-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "order", NULL);
  g_autofree char *order = NULL;

  stint_job_list_set_max_running (list, 1);
  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *line = g_strdup_printf ("printf %u >> '%s'", i, path);
      g_autoptr (StintJobSpec) spec = fixture_shell (line);
      g_autoptr (StintJob) job = fixture_submit (list, spec);
    }
  fixture_wait_for_all (list);
  g_assert_true (g_file_get_contents (path, &order, NULL, NULL));
  g_assert_cmpstr (order, ==, "01234");
  g_unlink (path);
  g_rmdir (directory);
}

/* The control of the limit: without it all run at once. */
static void
test_no_limit (void)
{
  g_autoptr (StintJobList) list = fixture_list ();

  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
      g_autoptr (StintJob) job = fixture_submit (list, spec);
    }
  wait_until (count_in_state (list, STINT_JOB_RUNNING) == 4);
  for (guint i = 0; i < 4; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (list), i);

      stint_job_kill (job);
    }
  fixture_wait_for_all (list);
}

/* More room starts what waits, and one that is stopped while it waits never starts. */
static void
test_room (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (GPtrArray) kept = g_ptr_array_new_with_free_func (g_object_unref);
  StintJob *jobs[3];

  stint_job_list_set_max_running (list, 1);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");

      jobs[i] = fixture_submit (list, spec);
      g_ptr_array_add (kept, jobs[i]);
    }
  wait_until (stint_job_get_state (jobs[0]) == STINT_JOB_RUNNING && stint_job_get_id (jobs[2]) != 0);
  g_assert_cmpint (stint_job_get_state (jobs[1]), ==, STINT_JOB_QUEUED);
  stint_job_terminate (jobs[1]);
  wait_until (stint_job_get_state (jobs[1]) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (jobs[1])->reason, ==, STINT_REASON_TERMINATED);
  g_assert_cmpint (stint_job_get_result (jobs[1])->started_at, ==, 0);
  g_assert_cmpint (stint_job_get_state (jobs[2]), ==, STINT_JOB_QUEUED);
  stint_job_list_set_max_running (list, 2);
  wait_until (stint_job_get_state (jobs[2]) == STINT_JOB_RUNNING);
  stint_job_kill (jobs[0]);
  stint_job_kill (jobs[2]);
  fixture_wait_for_all (list);
}

/* E2 of the mission: a job without a command is refused. And nothing starts once it is closed. */
static void
test_refused (void)
{
  const char *const none[] = { NULL };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) empty = stint_job_spec_new (STINT_JOB_KIND_SHELL, none);
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (GError) error = NULL;

  g_assert_null (stint_job_list_submit (list, empty, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_NO_COMMAND);
  g_clear_error (&error);
  stint_job_list_close (list);
  g_assert_null (stint_job_list_submit (list, spec, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_SHUTTING_DOWN);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 0);
}

static void
test_model (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) a = fixture_shell ("true"), b = fixture_shell ("true");
  g_autoptr (StintJobSpec) old_spec = fixture_shell ("old");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJob) old = stint_job_new_finished (7777, old_spec, result, NULL);
  g_autoptr (StintJob) first = fixture_submit (list, a), second = fixture_submit (list, b), found = NULL;
  StintJob *expected[] = { second, first, old };

  stint_job_list_append_finished (list, old);
  for (guint i = 0; i < 3; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (list), i);

      g_assert_true (job == expected[i]);
    }
  found = stint_job_list_lookup (list, 7777);
  g_assert_true (found == old);
  g_assert_null (stint_job_list_lookup (list, 4711));
  fixture_wait_for_all (list);
  stint_job_list_remove (list, first);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 2);
}

/* A store that fails, at the beginning or at the end. */

#define TEST_TYPE_BAD_STORE (test_bad_store_get_type ())
G_DECLARE_FINAL_TYPE (TestBadStore, test_bad_store, TEST, BAD_STORE, GObject)

struct _TestBadStore
{
  GObject parent_instance;

  gboolean fail_begin;
};

static void
bad_begin_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (store, NULL, callback, data);

  if (TEST_BAD_STORE (store)->fail_begin)
    g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_FAILED, "no room");
  else
    g_task_return_pointer (task, stint_scratch_store_make_place (1, NULL),
                           (GDestroyNotify) stint_job_place_free);
}

static StintJobPlace *
bad_begin_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}

static void
bad_finish_async (StintJobStore *store, StintJob *job, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GTask) task = g_task_new (store, NULL, callback, data);

  g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_FAILED, "disk gone");
}

static gboolean
bad_finish_finish (StintJobStore *store, GAsyncResult *result, GError **error)
{
  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
bad_store_iface_init (StintJobStoreInterface *iface)
{
  iface->begin_async = bad_begin_async;
  iface->begin_finish = bad_begin_finish;
  iface->finish_async = bad_finish_async;
  iface->finish_finish = bad_finish_finish;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (TestBadStore,
                               test_bad_store,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (STINT_TYPE_JOB_STORE, bad_store_iface_init))

static void
test_bad_store_class_init (TestBadStoreClass *klass)
{
}

static void
test_bad_store_init (TestBadStore *self)
{
}

static void
note_problem (StintJobList *list, StintJob *job, GError *error, char **message)
{
  g_assert_null (*message);
  *message = g_strdup (error->message);
}

static void
run_on_bad_store (gboolean fail_begin, StintReason reason, const char *problem)
{
  g_autoptr (TestBadStore) store = g_object_new (TEST_TYPE_BAD_STORE, NULL);
  g_autoptr (StintJobList) list = stint_job_list_new (STINT_JOB_STORE (store));
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autofree char *message = NULL;
  g_autoptr (StintJob) job = NULL;

  store->fail_begin = fail_begin;
  g_signal_connect (list, "problem", G_CALLBACK (note_problem), &message);
  job = fixture_submit (list, spec);
  fixture_wait_for_all (list);
  g_assert_cmpint (stint_job_get_result (job)->reason, ==, reason);
  g_assert_cmpstr (message, ==, problem);
  if (fail_begin)
    g_assert_cmpstr (stint_job_get_result (job)->error, ==, "no room");
}

static void
test_store_fails (void)
{
  run_on_bad_store (TRUE, STINT_REASON_FAILED, NULL);
  run_on_bad_store (FALSE, STINT_REASON_EXITED, "disk gone");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job-list/queue", test_queue);
  g_test_add_func ("/job-list/in-order", test_in_order);
  g_test_add_func ("/job-list/no-limit", test_no_limit);
  g_test_add_func ("/job-list/room", test_room);
  g_test_add_func ("/job-list/refused", test_refused);
  g_test_add_func ("/job-list/model", test_model);
  g_test_add_func ("/job-list/store-fails", test_store_fails);
  return g_test_run ();
}
