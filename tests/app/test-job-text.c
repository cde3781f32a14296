/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs in words: every way of ending has its own, with an icon and a style that go with it.
 */
#include "stint-job-text.h"

#include "stint-units.h"

#include <string.h>
#include <sys/wait.h>

static StintJob *
new_ended (StintReason reason, int exit_code, int signal_number)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "true");
  g_autoptr (StintResult) result = stint_result_new (reason);

  if (signal_number != 0)
    stint_result_set_wait_status (result, signal_number);
  else if (exit_code >= 0)
    stint_result_set_wait_status (result, exit_code << 8);
  result->started_at = G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC;
  result->duration = 134 * G_USEC_PER_SEC;
  return stint_job_new_finished (5, spec, result, NULL);
}

static void
assert_ended (StintJob *job, const char *words, const char *icon, const char *style)
{
  g_autofree char *state = stint_job_text_dup_state (job);

  g_assert_cmpstr (state, ==, words);
  g_assert_cmpstr (stint_job_text_get_icon (job), ==, icon);
  g_assert_cmpstr (stint_job_text_get_style (job), ==, style);
  g_object_unref (job);
}

static void
test_every_end (void)
{
  assert_ended (new_ended (STINT_REASON_EXITED, 0, 0), "Done", "object-select-symbolic", "success");
  assert_ended (new_ended (STINT_REASON_EXITED, 3, 0), "Exited with code 3",
                "dialog-error-symbolic", "error");
  assert_ended (new_ended (STINT_REASON_SIGNALED, -1, 11), "Ended by SIGSEGV",
                "dialog-error-symbolic", "error");
  assert_ended (new_ended (STINT_REASON_TIMEOUT, -1, 15), "Time limit reached", "alarm-symbolic",
                "warning");
  assert_ended (new_ended (STINT_REASON_IDLE_TIMEOUT, -1, 15), "No output for too long",
                "alarm-symbolic", "warning");
  assert_ended (new_ended (STINT_REASON_TERMINATED, 0, 0), "Terminated",
                "media-playback-stop-symbolic", "dim-label");
  assert_ended (new_ended (STINT_REASON_KILLED, -1, 9), "Killed", "media-playback-stop-symbolic",
                "dim-label");
  assert_ended (new_ended (STINT_REASON_CANCELLED, -1, 15), "Cancelled",
                "media-playback-stop-symbolic", "dim-label");
  assert_ended (new_ended (STINT_REASON_FAILED, -1, 0), "Could not start", "dialog-error-symbolic",
                "error");
  assert_ended (new_ended (STINT_REASON_INTERRUPTED, -1, 0), "Interrupted",
                "dialog-warning-symbolic", "warning");
}

static void
test_times (void)
{
  g_autoptr (StintJob) job = new_ended (STINT_REASON_EXITED, 0, 0);
  g_autoptr (GTimeZone) zone = g_time_zone_new_utc ();
  g_autoptr (GDateTime) same_day = g_date_time_new (zone, 2023, 11, 14, 23, 0, 0);
  g_autoptr (GDateTime) next_day = g_date_time_new (zone, 2023, 11, 15, 1, 0, 0);
  g_autofree char *elapsed = stint_job_text_dup_elapsed (job);
  g_autofree char *today = stint_job_text_dup_started (job, same_day);
  g_autofree char *earlier = stint_job_text_dup_started (job, next_day);

  g_assert_cmpstr (elapsed, ==, "2 min 14 s");
  g_assert_cmpstr (today, ==, "22:13");
  g_assert_cmpstr (earlier, ==, "14 Nov 22:13");
  g_assert_null (stint_job_text_dup_kill_countdown (job));
}

static void
test_fraction (void)
{
  g_assert_cmpfloat (stint_job_text_get_fraction (5, 10), ==, 0.5);
  g_assert_cmpfloat (stint_job_text_get_fraction (20, 10), ==, 1);
  g_assert_cmpfloat (stint_job_text_get_fraction (-3, 10), ==, 0);
  g_assert_cmpfloat (stint_job_text_get_fraction (5, 0), ==, 0);
  g_assert_cmpfloat (stint_job_text_get_fraction (STINT_NEVER, 10), ==, 0);
}

static void
test_directory (void)
{
  g_autofree char *below = g_build_filename (g_get_home_dir (), "a", "b", NULL);
  g_autofree char *beside = g_strconcat (g_get_home_dir (), "x", NULL);
  g_autofree char *shown_below = stint_job_text_dup_directory (below);
  g_autofree char *shown_home = stint_job_text_dup_directory (g_get_home_dir ());
  g_autofree char *shown_beside = stint_job_text_dup_directory (beside);
  g_autofree char *shown_strange = stint_job_text_dup_directory ("/a\nb\xff");

  g_assert_cmpstr (shown_below, ==, "~/a/b");
  g_assert_cmpstr (shown_home, ==, "~");
  g_assert_cmpstr (shown_beside, ==, beside);
  g_assert_true (g_utf8_validate (shown_strange, -1, NULL));
  g_assert_null (strchr (shown_strange, '\n'));
}

int
main (int argc, char **argv)
{
  g_setenv ("HOME", "/home/someone", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/job-text/every-end", test_every_end);
  g_test_add_func ("/app/job-text/times", test_times);
  g_test_add_func ("/app/job-text/fraction", test_fraction);
  g_test_add_func ("/app/job-text/directory", test_directory);
  return g_test_run ();
}
