/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The result: exit statuses, words, and what a keeper left behind.
 */
#include <gio/gio.h>

#include "stint-error.h"
#include "stint-result-private.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>

#define EXITED(code) ((code) << 8)
#define SIGNALED(number) (number)

/* B3 of the mission: exit code or signal, never both, for every possible wait status. */
static void
test_code_or_signal (void)
{
  for (int code = 0; code < 256; code++)
    {
      g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);

      stint_result_set_wait_status (result, EXITED (code));
      g_assert_true (result->has_exit_code);
      g_assert_cmpint (result->exit_code, ==, code);
      g_assert_cmpint (result->term_signal, ==, 0);
      g_assert_cmpint (stint_result_get_exit_status (result), ==, code);
      g_assert_cmpint (stint_result_is_success (result), ==, code == 0);
    }
  for (int number = 1; number < 65; number++)
    {
      g_autoptr (StintResult) result = stint_result_new (STINT_REASON_SIGNALED);

      stint_result_set_wait_status (result, SIGNALED (number));
      g_assert_false (result->has_exit_code);
      g_assert_cmpint (result->term_signal, ==, number);
      g_assert_cmpint (stint_result_get_exit_status (result), ==, 128 + number);
      g_assert_false (stint_result_is_success (result));
    }
}

/* Whatever the command's own status was, what stopped it decides. */
static void
test_exit_status (void)
{
  const struct
  {
    StintReason reason;
    StintFailure failure;
    int status;
  } cases[] = {
    { STINT_REASON_TIMEOUT, 0, 124 },    { STINT_REASON_IDLE_TIMEOUT, 0, 124 },
    { STINT_REASON_TERMINATED, 0, 143 }, { STINT_REASON_KILLED, 0, 137 },
    { STINT_REASON_CANCELLED, 0, 130 },  { STINT_REASON_INTERRUPTED, 0, 137 },
    { STINT_REASON_FAILED, STINT_FAILURE_NOT_FOUND, 127 },
    { STINT_REASON_FAILED, STINT_FAILURE_NOT_EXECUTABLE, 126 },
    { STINT_REASON_FAILED, STINT_FAILURE_OTHER, 125 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintResult) result = stint_result_new (cases[i].reason);

      result->failure = cases[i].failure;
      stint_result_set_wait_status (result, EXITED (0));
      g_assert_cmpint (stint_result_get_exit_status (result), ==, cases[i].status);
      g_assert_false (stint_result_is_success (result));
    }
}

static void
test_nicks (void)
{
  for (int reason = STINT_REASON_NONE; reason <= STINT_REASON_INTERRUPTED; reason++)
    {
      const char *nick = stint_reason_to_nick ((StintReason) reason);

      g_assert_cmpint (stint_reason_from_nick (nick), ==, reason);
    }
  g_assert_cmpint (stint_reason_from_nick ("nonsense"), ==, STINT_REASON_NONE);
}

static void
test_signal_names (void)
{
  g_autofree char *kill_name = stint_signal_dup_name (SIGKILL);
  g_autofree char *real_time = stint_signal_dup_name (SIGRTMIN + 3);

  g_assert_cmpstr (kill_name, ==, "SIGKILL");
  g_assert_cmpstr (real_time, ==, "SIGRTMIN+3");
}

static struct keeper_outcome
make_outcome (void)
{
  return (struct keeper_outcome) {
    .magic = KEEPER_OUTCOME_MAGIC,
    .version = KEEPER_VERSION,
    .reason = KEEPER_REASON_TIMEOUT,
    .has_status = 1,
    .wait_status = SIGNALED (SIGKILL),
    .escalated = 1,
    .leftovers = 2,
    .n_survivors = 1,
    .survivors = { { 77, "odd\nname" } },
    .started_at = 1000000,
    .leader_end_at = 4000000,
    .ended_at = 5000000,
    .ended_real = G_GINT64_CONSTANT (1700000000000000),
    .cpu = 123,
    .max_rss = 4096,
    .stdout_bytes = 10,
    .stderr_bytes = 20,
    .size = 30,
    .hole_start = 4,
    .hole_end = 8,
    .lost = 5,
    .store_error = 28,
  };
}

static void
test_from_outcome (void)
{
  struct keeper_outcome outcome = make_outcome ();
  g_autoptr (StintResult) result = stint_result_new_from_outcome (&outcome, "make", "/");
  g_autofree char *sentence = stint_result_dup_sentence (result);

  g_assert_cmpint (result->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (result->term_signal, ==, SIGKILL);
  g_assert_cmpint (result->duration, ==, 3000000);
  g_assert_cmpint (result->started_at, ==, G_GINT64_CONSTANT (1699999996000000));
  g_assert_cmpuint (result->n_survivors, ==, 1);
  g_assert_cmpstr (result->survivors[0].name, ==, "odd name");
  g_assert_cmpuint (result->hole_bytes, ==, 4);
  g_assert_nonnull (strstr (sentence, "SIGKILL was needed"));
  g_assert_nonnull (strstr (sentence, "2 leftover processes ended"));
  g_assert_nonnull (strstr (sentence, "odd name (77)"));
}

static void
test_failures (void)
{
  const struct
  {
    enum keeper_step step;
    int error;
    StintFailure failure;
    const char *text;
  } cases[] = {
    { KEEPER_STEP_EXEC, ENOENT, STINT_FAILURE_NOT_FOUND, "“make”" },
    { KEEPER_STEP_EXEC, EACCES, STINT_FAILURE_NOT_EXECUTABLE, "“make”" },
    { KEEPER_STEP_EXEC, E2BIG, STINT_FAILURE_NOT_EXECUTABLE, "too long" },
    { KEEPER_STEP_DIRECTORY, ENOENT, STINT_FAILURE_OTHER, "“/there”" },
    { KEEPER_STEP_FORK, EAGAIN, STINT_FAILURE_OTHER, "process" },
    { KEEPER_STEP_SESSION, EIO, STINT_FAILURE_OTHER, "terminal" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct keeper_outcome outcome = {
        .reason = KEEPER_REASON_FAILED,
        .step = cases[i].step,
        .error = cases[i].error,
      };
      g_autoptr (StintResult) result = stint_result_new_from_outcome (&outcome, "make", "/there");

      g_assert_cmpint (result->failure, ==, cases[i].failure);
      g_assert_nonnull (strstr (result->error, cases[i].text));
      g_assert_nonnull (strstr (result->error, g_strerror (cases[i].error)));
    }
}

/* A keeper's file is believed only if it is whole and of this version. */
static void
test_load (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "outcome", NULL);
  struct keeper_outcome outcome = make_outcome ();
  g_autoptr (StintResult) good = NULL;
  g_autoptr (GError) error = NULL;

  g_assert_null (stint_result_load_outcome (directory, TRUE, &error));
  g_assert_error (error, G_FILE_ERROR, G_FILE_ERROR_NOENT);
  g_clear_error (&error);

  g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL));
  good = stint_result_load_outcome (directory, TRUE, &error);
  g_assert_no_error (error);
  g_assert_cmpint (good->reason, ==, STINT_REASON_TIMEOUT);
  g_assert_cmpint (good->term_signal, ==, SIGKILL);

  g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome - 1, NULL));
  g_assert_null (stint_result_load_outcome (directory, TRUE, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA);
  g_clear_error (&error);

  outcome.version++;
  g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL));
  g_assert_null (stint_result_load_outcome (directory, TRUE, NULL));
  g_unlink (path);
  g_rmdir (directory);
}

/* Who died while they ended a job interrupted it; one that had ended by itself, or in time, did not
 * become another for that nobody could save its end. */
static void
test_load_interrupted (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, "outcome", NULL);

  for (guint reason = KEEPER_REASON_EXITED; reason <= KEEPER_REASON_INTERRUPTED; reason++)
    {
      struct keeper_outcome outcome = make_outcome ();
      gboolean asked = reason == KEEPER_REASON_TERMINATED || reason == KEEPER_REASON_KILLED ||
                       reason == KEEPER_REASON_CANCELLED;

      outcome.reason = reason;
      g_assert_true (g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL));
      for (int interrupted = 0; interrupted < 2; interrupted++)
        {
          g_autoptr (StintResult) result = stint_result_load_outcome (directory, interrupted, NULL);

          g_test_message ("%s, %d", stint_reason_to_nick ((StintReason) reason), interrupted);
          g_assert_cmpint (result->reason, ==,
                           asked && interrupted ? STINT_REASON_INTERRUPTED : (StintReason) reason);
        }
    }
  g_unlink (path);
  g_rmdir (directory);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/mission/B3/code-or-signal", test_code_or_signal);
  g_test_add_func ("/result/exit-status", test_exit_status);
  g_test_add_func ("/result/nicks", test_nicks);
  g_test_add_func ("/result/signal-names", test_signal_names);
  g_test_add_func ("/result/from-outcome", test_from_outcome);
  g_test_add_func ("/result/failures", test_failures);
  g_test_add_func ("/result/load", test_load);
  g_test_add_func ("/result/load/interrupted", test_load_interrupted);
  return g_test_run ();
}
