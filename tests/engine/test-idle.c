/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The limits while a job runs: silences that are told of, what breaks one, warnings, more time, and
 * pauses. What has to happen before a limit would end the job is tested with a keeper that does not
 * hold limits, so that a slow machine changes nothing.
 */
#include "engine-fixture.h"

#include "stint-units.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <sys/stat.h>
#include <unistd.h>

#define SEC G_GINT64_CONSTANT (1000000)

typedef struct
{
  StintJobList *list;
  StintJob *job;
  char *directory;
  char *fifo;
  int fifo_fd;
  guint n_expired;
  guint n_warnings;
  int warned_of;
  gint64 warned_left;
} Fixture;

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->directory = g_dir_make_tmp ("stint-idle-XXXXXX", NULL);
  fixture->fifo = g_build_filename (fixture->directory, "fifo", NULL);
  g_assert_cmpint (mkfifo (fixture->fifo, 0600), ==, 0);
  /* For both ends: neither the job nor we wait for the other to open it. */
  fixture->fifo_fd = open (fixture->fifo, O_RDWR | O_CLOEXEC);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->job != NULL)
    stint_job_kill (fixture->job);
  fixture_wait_for_all (fixture->list);
  if (fixture->job != NULL)
    g_signal_handlers_disconnect_by_data (fixture->job, fixture);
  g_clear_object (&fixture->job);
  g_clear_object (&fixture->list);
  close (fixture->fifo_fd);
  g_remove (fixture->fifo);
  g_rmdir (fixture->directory);
  g_free (fixture->fifo);
  g_free (fixture->directory);
}

static void
handle_expired (StintJob *job, Fixture *fixture)
{
  fixture->n_expired++;
}

static void
handle_warning (StintJob *job, int reason, gint64 left, Fixture *fixture)
{
  fixture->n_warnings++;
  fixture->warned_of = reason;
  fixture->warned_left = left;
}

/* A job that repeats each line that say() tells it. */
static StintJobSpec *
make_echo (Fixture *fixture)
{
  g_autofree char *line =
    g_strdup_printf ("echo ready; while read word; do echo $word; done < %s", fixture->fifo);

  return fixture_shell (line);
}

static void
say (Fixture *fixture, const char *word)
{
  g_autofree char *line = g_strconcat (word, "\n", NULL);
  gsize length = strlen (line);

  g_assert_cmpint (write (fixture->fifo_fd, line, length), ==, (gssize) length);
}

static void
start (Fixture *fixture, StintJobSpec *spec)
{
  fixture->job = fixture_submit (fixture->list, spec);
  g_signal_connect (fixture->job, "idle-expired", G_CALLBACK (handle_expired), fixture);
  g_signal_connect (fixture->job, "limit-warning", G_CALLBACK (handle_warning), fixture);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_RUNNING);
}

/* A keeper that holds no limits: only what the engine says of them is there. */
static void
start_unlimited (Fixture *fixture, StintJobSpec *spec)
{
  g_autofree char *keeper =
    g_build_filename (g_getenv ("STINT_KEEPER_WITHOUT_DIR"), "keeper-without-limits", NULL);
  g_autofree char *real_keeper = g_strdup (g_getenv ("STINT_KEEPER"));

  g_setenv ("STINT_KEEPER", keeper, TRUE);
  start (fixture, spec);
  g_setenv ("STINT_KEEPER", real_keeper, TRUE);
}

static void
wait_for (gint64 usec)
{
  gint64 end = g_get_monotonic_time () + usec;

  wait_until (g_get_monotonic_time () >= end);
}

/* Once for each silence, and the job goes on. */
static void
test_notify (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC / 5);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  start (fixture, spec);
  wait_until (fixture->n_expired == 1 && stint_job_get_silent (fixture->job));
  wait_for (SEC);
  g_assert_cmpuint (fixture->n_expired, ==, 1);
  g_assert_cmpint (stint_job_get_state (fixture->job), ==, STINT_JOB_RUNNING);

  say (fixture, "again");
  fixture_wait_for_output (fixture->job, "again");
  wait_until (fixture->n_expired == 2);
  /* It is not warned of what is only told. */
  g_assert_cmpuint (fixture->n_warnings, ==, 0);
}

/* What was silent is not any more as soon as there is output. */
static void
test_silence_ends (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC / 5);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  start (fixture, spec);
  wait_until (stint_job_get_silent (fixture->job));
  /* From now on there is no limit: the next silence is none. */
  stint_job_set_idle_limit (fixture->job, 0);
  say (fixture, "again");
  wait_until (!stint_job_get_silent (fixture->job));
}

/* The control: by default the same silence ends the job. */
static void
test_terminate (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC / 5);
  start (fixture, spec);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (fixture->job)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpuint (fixture->n_expired, ==, 0);
  g_assert_false (stint_job_get_silent (fixture->job));
}

/* A silence that was told of ends the job as soon as it is meant to. */
static void
test_action_changes (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC / 5);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  start (fixture, spec);
  wait_until (fixture->n_expired == 1);
  g_assert_cmpint (stint_job_get_on_idle (fixture->job), ==, STINT_ON_IDLE_NOTIFY);
  stint_job_set_on_idle (fixture->job, STINT_ON_IDLE_TERMINATE);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (fixture->job)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
}

/* Other changes leave the action as it is: it was once forgotten on the way. */
static void
test_action_stays (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  start (fixture, spec);
  stint_job_set_timeout_left (fixture->job, 1000 * SEC);
  stint_job_set_idle_limit (fixture->job, SEC / 5);
  wait_until (fixture->n_expired == 1);
  g_assert_cmpint (stint_job_get_state (fixture->job), ==, STINT_JOB_RUNNING);
}

/* A job that computes and says nothing. */
static void
test_activity (Fixture *fixture, gconstpointer data)
{
  StintIdleBy idle_by = GPOINTER_TO_UINT (data);
  /* Its child computes: the whole tree counts. */
  g_autoptr (StintJobSpec) spec =
    fixture_shell ("end=$(($(date +%s) + 5)); (while [ $(date +%s) -lt $end ]; do :; done); exit 0");

  stint_job_spec_set_idle_timeout (spec, idle_by == STINT_IDLE_BY_ACTIVITY ? 3 * SEC : SEC);
  stint_job_spec_set_idle_by (spec, idle_by);
  start (fixture, spec);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (fixture->job)->reason, ==,
                   idle_by == STINT_IDLE_BY_ACTIVITY ? STINT_REASON_EXITED
                                                     : STINT_REASON_IDLE_TIMEOUT);
}

/* And one that waits is idle all the same. */
static void
test_no_activity (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC);
  stint_job_spec_set_idle_by (spec, STINT_IDLE_BY_ACTIVITY);
  start (fixture, spec);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (fixture->job)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
}

/* A tenth before the end, once. */
static void
test_warning (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_timeout (spec, 2 * SEC);
  start_unlimited (fixture, spec);
  g_assert_cmpuint (fixture->n_warnings, ==, 0);
  wait_until (fixture->n_warnings == 1);
  g_assert_cmpint (fixture->warned_of, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (fixture->warned_left, <=, 2 * SEC / 10);
  g_assert_cmpint (stint_job_get_elapsed (fixture->job), >=, 2 * SEC - 2 * SEC / 10);
  wait_for (SEC / 2);
  g_assert_cmpuint (fixture->n_warnings, ==, 1);
}

/* The idle limit's moves on with the output, and comes once for each silence. */
static void
test_idle_warning (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_idle_timeout (spec, SEC);
  start_unlimited (fixture, spec);
  wait_until (fixture->n_warnings == 1);
  g_assert_cmpint (fixture->warned_of, ==, STINT_REASON_IDLE_TIMEOUT);
  wait_for (SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 1);
  say (fixture, "again");
  fixture_wait_for_output (fixture->job, "again");
  wait_until (fixture->n_warnings == 2);
}

/* More time takes the warning back: near the new end it comes again. At most a minute before. */
static void
test_more_time (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_timeout (spec, 10000 * SEC);
  start (fixture, spec);
  stint_job_set_timeout_left (fixture->job, 100 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 0);
  stint_job_set_timeout_left (fixture->job, 59 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 1);
  g_assert_cmpint (fixture->warned_left, >, 0);
  stint_job_set_timeout_left (fixture->job, 55 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 1);
  stint_job_set_timeout_left (fixture->job, 655 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 1);
  g_assert_cmpint (stint_job_get_timeout_left (fixture->job), >, 600 * SEC);
  stint_job_set_timeout_left (fixture->job, 58 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 2);
  stint_job_set_timeout_left (fixture->job, STINT_NEVER);
  g_assert_cmpint (stint_job_get_timeout_left (fixture->job), ==, STINT_NEVER);
  g_assert_cmpint (stint_job_get_state (fixture->job), ==, STINT_JOB_RUNNING);
}

/* In a pause both countdowns stand still, are set as well, and go on from there. */
static void
test_pause (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);
  gint64 timeout_left, idle_left, resumed_at, went;

  stint_job_spec_set_timeout (spec, 10000 * SEC);
  stint_job_spec_set_idle_timeout (spec, 5000 * SEC);
  start (fixture, spec);
  stint_job_pause (fixture->job);
  timeout_left = stint_job_get_timeout_left (fixture->job);
  idle_left = stint_job_get_idle_left (fixture->job);
  wait_for (SEC / 5);
  g_assert_cmpint (stint_job_get_timeout_left (fixture->job), ==, timeout_left);
  /* More, if the last output was counted only now. */
  g_assert_cmpint (stint_job_get_idle_left (fixture->job), >=, idle_left);

  stint_job_set_timeout_left (fixture->job, 700 * SEC);
  stint_job_set_idle_limit (fixture->job, 900 * SEC);
  idle_left = stint_job_get_idle_left (fixture->job);
  g_assert_cmpint (idle_left, <=, 900 * SEC);
  wait_for (SEC / 5);
  g_assert_cmpint (stint_job_get_timeout_left (fixture->job), ==, 700 * SEC);
  g_assert_cmpint (stint_job_get_idle_left (fixture->job), ==, idle_left);
  /* Near the end, and nothing to warn of while it stands still. */
  stint_job_set_timeout_left (fixture->job, 30 * SEC);
  g_assert_cmpuint (fixture->n_warnings, ==, 0);
  stint_job_set_timeout_left (fixture->job, 700 * SEC);

  resumed_at = g_get_monotonic_time ();
  stint_job_resume (fixture->job);
  wait_for (SEC / 5);
  timeout_left = stint_job_get_timeout_left (fixture->job);
  went = g_get_monotonic_time () - resumed_at;
  /* The pause is no part of any silence: as much of each is gone as has passed since. */
  g_assert_cmpint (timeout_left, >=, 700 * SEC - went);
  g_assert_cmpint (timeout_left, <=, 700 * SEC - SEC / 5);
  g_assert_cmpint (stint_job_get_idle_left (fixture->job), >=,
                   idle_left - (g_get_monotonic_time () - resumed_at));
}

/* The keeper counts as the engine does: a limit that was set in a pause ends the job after it. */
static void
test_set_in_pause (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = make_echo (fixture);

  stint_job_spec_set_timeout (spec, 10000 * SEC);
  start (fixture, spec);
  stint_job_pause (fixture->job);
  stint_job_set_timeout_left (fixture->job, SEC / 10);
  wait_for (SEC / 2);
  g_assert_cmpint (stint_job_get_state (fixture->job), ==, STINT_JOB_RUNNING);
  stint_job_resume (fixture->job);
  wait_until (stint_job_get_state (fixture->job) == STINT_JOB_FINISHED);
  g_assert_cmpint (stint_job_get_result (fixture->job)->reason, ==, STINT_REASON_TIMEOUT);
}

#define add(path, data, function)                                                                  \
  g_test_add (path, Fixture, GUINT_TO_POINTER (data), fixture_set_up, function, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/idle/notify", 0, test_notify);
  add ("/idle/silence-ends", 0, test_silence_ends);
  add ("/idle/terminate", 0, test_terminate);
  add ("/idle/action-changes", 0, test_action_changes);
  add ("/idle/action-stays", 0, test_action_stays);
  add ("/idle/activity", STINT_IDLE_BY_ACTIVITY, test_activity);
  add ("/idle/activity/control", STINT_IDLE_BY_OUTPUT, test_activity);
  add ("/idle/activity/none", 0, test_no_activity);
  add ("/limits/warning", 0, test_warning);
  add ("/limits/warning/idle", 0, test_idle_warning);
  add ("/limits/more-time", 0, test_more_time);
  add ("/limits/pause", 0, test_pause);
  add ("/limits/set-in-pause", 0, test_set_in_pause);
  return g_test_run ();
}
