/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs that wait: their places, their times, and what can be done about both.
 */
#include "engine-fixture.h"

#define SEC G_GINT64_CONSTANT (1000000)

typedef struct
{
  StintJobList *list;
  GPtrArray *jobs;
  GString *order; /* the names of the jobs, as they start */
} Fixture;

static void
note_start (StintJob *job, GParamSpec *pspec, Fixture *fixture)
{
  if (stint_job_get_state (job) == STINT_JOB_STARTING)
    g_string_append (fixture->order, stint_job_get_title (job));
}

static StintJob *
submit (Fixture *fixture, const char *name, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);
  StintJob *job;

  stint_job_spec_set_name (spec, name);
  job = fixture_submit (fixture->list, spec);
  g_ptr_array_add (fixture->jobs, job);
  g_signal_connect (job, "notify::state", G_CALLBACK (note_start), fixture);
  return job;
}

/* One at once: a job that runs, and as many as are asked for behind it, a, b, c... */
static void
set_up_behind (Fixture *fixture, guint n)
{
  StintJob *first;

  stint_job_list_set_max_running (fixture->list, 1);
  first = submit (fixture, "0", "sleep 1000");
  for (guint i = 0; i < n; i++)
    {
      const char name[] = { (char) ('a' + i), '\0' };

      submit (fixture, name, "true");
    }
  wait_until (stint_job_get_state (first) == STINT_JOB_RUNNING);
}

static StintJob *
get (Fixture *fixture, guint i)
{
  return fixture->jobs->pdata[i];
}

static void
finish (Fixture *fixture)
{
  stint_job_kill (get (fixture, 0));
  fixture_wait_for_all (fixture->list);
}

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->jobs = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->order = g_string_new (NULL);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_wait_for_all (fixture->list);
  for (guint i = 0; i < fixture->jobs->len; i++)
    g_signal_handlers_disconnect_by_data (get (fixture, i), fixture);
  g_clear_object (&fixture->list);
  g_ptr_array_unref (fixture->jobs);
  g_string_free (fixture->order, TRUE);
}

static void
count_notify (GObject *object, GParamSpec *pspec, guint *count)
{
  (*count)++;
}

/* Each knows its place, is told when it moves up, and has none when it runs. */
static void
test_positions (Fixture *fixture, gconstpointer data)
{
  guint n_told = 0;

  set_up_behind (fixture, 3);
  g_assert_cmpuint (stint_job_list_get_position (fixture->list, get (fixture, 0)), ==, 0);
  for (guint i = 1; i <= 3; i++)
    {
      g_assert_cmpuint (stint_job_list_get_position (fixture->list, get (fixture, i)), ==, i);
      wait_until (stint_job_get_queue_position (get (fixture, i)) == i);
    }
  g_assert_cmpuint (stint_job_list_get_n_queued (fixture->list), ==, 3);
  g_signal_connect (get (fixture, 3), "notify::queue-position", G_CALLBACK (count_notify), &n_told);
  stint_job_terminate (get (fixture, 1));
  wait_until (stint_job_get_queue_position (get (fixture, 3)) == 2);
  g_assert_cmpuint (n_told, ==, 1);
  g_assert_cmpuint (stint_job_get_queue_position (get (fixture, 1)), ==, 0);
  finish (fixture);
  g_assert_cmpstr (fixture->order->str, ==, "0bc");
  g_assert_cmpuint (stint_job_get_queue_position (get (fixture, 3)), ==, 0);
}

static void
note_position (StintJob *job, GParamSpec *pspec, guint *highest)
{
  *highest = MAX (*highest, stint_job_get_queue_position (job));
}

/* Whoever waits for nobody is told no place in the queue, not even for a moment. */
static void
test_no_position (Fixture *fixture, gconstpointer data)
{
  guint highest = 0;

  for (guint limit = 0; limit <= 2; limit += 2)
    {
      stint_job_list_set_max_running (fixture->list, limit);
      for (guint i = 0; i < 2; i++)
        {
          StintJob *job = submit (fixture, "x", "true");

          g_assert_cmpuint (stint_job_get_queue_position (job), ==, 0);
          g_signal_connect (job, "notify::queue-position", G_CALLBACK (note_position), &highest);
        }
      fixture_wait_for_all (fixture->list);
    }
  g_assert_cmpuint (highest, ==, 0);
}

/* With more room fewer of them wait, and with none all do. */
static void
test_room_changes (Fixture *fixture, gconstpointer data)
{
  set_up_behind (fixture, 3);
  wait_until (stint_job_get_queue_position (get (fixture, 3)) == 3);
  stint_job_list_set_max_running (fixture->list, 2);
  wait_until (stint_job_get_queue_position (get (fixture, 3)) < 3);
  finish (fixture);
}

static void
test_move_up (Fixture *fixture, gconstpointer data)
{
  set_up_behind (fixture, 4);
  g_assert_true (stint_job_list_move_up (fixture->list, get (fixture, 3)));
  g_assert_cmpuint (stint_job_list_get_position (fixture->list, get (fixture, 3)), ==, 2);
  g_assert_cmpuint (stint_job_list_get_position (fixture->list, get (fixture, 2)), ==, 3);
  g_assert_true (stint_job_list_move (fixture->list, get (fixture, 4), 1));
  g_assert_true (stint_job_list_move (fixture->list, get (fixture, 1), 99));
  /* The first one stays where it is; one that runs has nowhere to go. */
  g_assert_true (stint_job_list_move_up (fixture->list, get (fixture, 4)));
  g_assert_false (stint_job_list_move_up (fixture->list, get (fixture, 0)));
  finish (fixture);
  g_assert_cmpstr (fixture->order->str, ==, "0dcba");
}

/* The control: without a move they start in the order in which they came. */
static void
test_order (Fixture *fixture, gconstpointer data)
{
  set_up_behind (fixture, 4);
  finish (fixture);
  g_assert_cmpstr (fixture->order->str, ==, "0abcd");
}

/* Starting one now is over the limit, and does not make room for the others. */
static void
test_start_now (Fixture *fixture, gconstpointer data)
{
  StintJob *last;

  set_up_behind (fixture, 2);
  last = submit (fixture, "z", "sleep 1000");
  g_assert_true (stint_job_list_start_now (fixture->list, last));
  wait_until (stint_job_get_state (last) == STINT_JOB_RUNNING);
  g_assert_false (stint_job_list_start_now (fixture->list, last));
  g_assert_cmpint (stint_job_get_state (get (fixture, 1)), ==, STINT_JOB_QUEUED);
  stint_job_kill (get (fixture, 0));
  wait_until (stint_job_get_state (get (fixture, 0)) == STINT_JOB_FINISHED &&
              stint_job_list_get_n_saving (fixture->list) == 0);
  g_assert_cmpint (stint_job_get_state (get (fixture, 1)), ==, STINT_JOB_QUEUED);
  stint_job_kill (last);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->order->str, ==, "0zab");
}

static StintJob *
submit_later (Fixture *fixture, gint64 delay, gint64 start_at)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  StintJob *job;

  stint_job_spec_set_name (spec, "later");
  if (delay > 0)
    stint_job_spec_set_start_delay (spec, delay);
  else
    stint_job_spec_set_start_at (spec, start_at);
  job = fixture_submit (fixture->list, spec);
  g_ptr_array_add (fixture->jobs, job);
  g_signal_connect (job, "notify::state", G_CALLBACK (note_start), fixture);
  return job;
}

/* In a moment, by the one clock and by the other: not before, and not never. */
static void
test_delay (Fixture *fixture, gconstpointer data)
{
  gint64 before = g_get_monotonic_time (), before_real = g_get_real_time ();
  StintJob *in = submit_later (fixture, 300000, 0);
  StintJob *at = submit_later (fixture, 0, before_real + 400000);
  StintJob *past = submit_later (fixture, 0, before_real - SEC);

  g_assert_cmpint (stint_job_get_start_left (in), <=, 300000);
  g_assert_cmpint (stint_job_get_start_at (in), >=, before_real + 300000);
  g_assert_cmpint (stint_job_get_start_at (at), ==, before_real + 400000);
  g_assert_cmpint (stint_job_get_start_left (past), ==, G_MAXINT64);
  g_assert_cmpuint (stint_job_list_get_position (fixture->list, in), ==, 0);
  /* They count as work to be done: nobody goes home while they wait. */
  g_assert_cmpuint (stint_job_list_get_n_active (fixture->list), ==, 3);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpint (g_get_monotonic_time () - before, >=, 300000);
  g_assert_cmpint (stint_job_get_result (in)->started_at, >=, before_real + 300000 - 50000);
  g_assert_cmpint (stint_job_get_result (at)->started_at, >=, before_real + 400000 - 50000);
  g_assert_true (stint_result_is_success (stint_job_get_result (in)));
  g_assert_true (stint_result_is_success (stint_job_get_result (past)));
  g_assert_cmpint (stint_job_get_start_at (in), ==, 0);
}

/* When its time has come it takes its place behind those that wait for their turn. */
static void
test_delay_then_turn (Fixture *fixture, gconstpointer data)
{
  StintJob *in;

  set_up_behind (fixture, 2);
  in = submit_later (fixture, 50000, 0);
  wait_until (stint_job_get_queue_position (in) == 3);
  g_assert_cmpint (stint_job_get_state (in), ==, STINT_JOB_QUEUED);
  finish (fixture);
  g_assert_cmpstr (fixture->order->str, ==, "0ablater");
}

/* One that waits for its time can be started, and can be cancelled. */
static void
test_delay_cut_short (Fixture *fixture, gconstpointer data)
{
  StintJob *now = submit_later (fixture, 3600 * SEC, 0);
  StintJob *never = submit_later (fixture, 0, g_get_real_time () + 3600 * SEC);

  g_assert_true (stint_job_list_start_now (fixture->list, now));
  g_assert_cmpint (stint_job_get_start_left (now), ==, G_MAXINT64);
  stint_job_terminate (never);
  fixture_wait_for_all (fixture->list);
  g_assert_true (stint_result_is_success (stint_job_get_result (now)));
  g_assert_cmpint (stint_job_get_result (never)->reason, ==, STINT_REASON_TERMINATED);
  g_assert_cmpint (stint_job_get_result (never)->started_at, ==, 0);
  g_assert_cmpint (stint_job_get_start_at (never), ==, 0);
}

/* Once closed nothing starts, neither by its turn nor by its time nor by hand. */
static void
test_closed (Fixture *fixture, gconstpointer data)
{
  StintJob *later;

  set_up_behind (fixture, 1);
  later = submit_later (fixture, 1, 0);
  stint_job_list_close (fixture->list);
  g_assert_false (stint_job_list_start_now (fixture->list, get (fixture, 1)));
  stint_job_kill (get (fixture, 0));
  wait_until (stint_job_list_get_n_active (fixture->list) == 2 &&
              stint_job_list_get_n_saving (fixture->list) == 0);
  stint_job_stop (get (fixture, 1), STINT_REASON_CANCELLED, -1);
  stint_job_stop (later, STINT_REASON_CANCELLED, -1);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->order->str, ==, "0");
}

#define add(path, function)                                                                        \
  g_test_add (path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/queue/positions", test_positions);
  add ("/queue/no-position", test_no_position);
  add ("/queue/room-changes", test_room_changes);
  add ("/queue/move-up", test_move_up);
  add ("/queue/order", test_order);
  add ("/queue/start-now", test_start_now);
  add ("/queue/delay", test_delay);
  add ("/queue/delay/then-turn", test_delay_then_turn);
  add ("/queue/delay/cut-short", test_delay_cut_short);
  add ("/queue/closed", test_closed);
  return g_test_run ();
}
