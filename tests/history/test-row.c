/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every field of a result and of a spec goes into the table and comes out again.
 */
#include "config.h"

#include <errno.h>
#include <signal.h>

#include "history-fixture.h"
#include "stint-error.h"
#include "stint-survivors.h"

static gboolean
survivors_equal (const StintResult *a, const StintResult *b)
{
  if (a->n_survivors != b->n_survivors)
    return FALSE;
  for (guint i = 0; i < a->n_survivors; i++)
    if (a->survivors[i].pid != b->survivors[i].pid ||
        g_strcmp0 (a->survivors[i].name, b->survivors[i].name) != 0)
      return FALSE;
  return TRUE;
}

static gboolean
results_equal (const StintResult *a, const StintResult *b)
{
  return a->reason == b->reason && a->failure == b->failure &&
         a->has_exit_code == b->has_exit_code && a->exit_code == b->exit_code &&
         a->term_signal == b->term_signal && a->escalated == b->escalated &&
         a->leftovers == b->leftovers && survivors_equal (a, b) &&
         g_strcmp0 (a->error, b->error) == 0 && a->started_at == b->started_at &&
         a->duration == b->duration && a->cpu_time == b->cpu_time && a->max_rss == b->max_rss &&
         a->stdout_bytes == b->stdout_bytes && a->stderr_bytes == b->stderr_bytes &&
         a->lost_bytes == b->lost_bytes && a->hole_bytes == b->hole_bytes &&
         a->store_error == b->store_error;
}

static void
add_survivor (StintResult *result, int pid, const char *name)
{
  result->survivors = g_renew (StintSurvivor, result->survivors, result->n_survivors + 1);
  result->survivors[result->n_survivors++] = (StintSurvivor){ pid, g_strdup (name) };
}

/* Every field has a value of its own. */
static StintResult *
full_result (void)
{
  StintResult *result = stint_result_new (STINT_REASON_TIMEOUT);

  result->failure = STINT_FAILURE_NOT_EXECUTABLE;
  result->term_signal = SIGKILL;
  result->escalated = TRUE;
  result->leftovers = 4000000000u;
  add_survivor (result, 4194304, "sudo \"x\"\\");
  add_survivor (result, 7, "größe");
  result->error = g_strdup ("Cannot run “ä”: 'no'; DROP TABLE jobs; --");
  result->started_at = 1700000000123457;
  result->duration = 61000001;
  result->cpu_time = 12345678901;
  result->max_rss = 98765432109;
  result->stdout_bytes = G_MAXINT64;
  result->stderr_bytes = G_GUINT64_CONSTANT (1) << 40;
  result->lost_bytes = 3;
  result->hole_bytes = G_GUINT64_CONSTANT (5) << 33;
  result->store_error = ENOSPC;
  return result;
}

static StintResult *
round_trip (StintResult *result)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = history_fixture_spec ("true");
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (fixture, spec);
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (GError) error = NULL;

  history_fixture_finish (fixture, place->id, spec, result, &error);
  g_assert_no_error (error);
  history_fixture_reopen (fixture);
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  history_fixture_assert_no_problem (fixture);
  return stint_result_ref (stint_job_get_result (g_ptr_array_index (jobs, 0)));
}

static void
test_full (void)
{
  g_autoptr (StintResult) result = full_result ();
  g_autoptr (StintResult) loaded = round_trip (result);

  g_assert_true (results_equal (result, loaded));
}

/* The control: the comparison sees a difference in any field. */
static void
test_comparison (void)
{
#define ASSERT_SEEN(change)                                                                        \
  G_STMT_START                                                                                     \
  {                                                                                                \
    g_autoptr (StintResult) a = full_result ();                                                    \
    g_autoptr (StintResult) b = full_result ();                                                    \
    g_assert_true (results_equal (a, b));                                                          \
    change;                                                                                        \
    g_assert_false (results_equal (a, b));                                                         \
  }                                                                                                \
  G_STMT_END

  ASSERT_SEEN (b->reason = STINT_REASON_KILLED);
  ASSERT_SEEN (b->failure = STINT_FAILURE_NONE);
  ASSERT_SEEN (b->has_exit_code = TRUE);
  ASSERT_SEEN (b->exit_code = 1);
  ASSERT_SEEN (b->term_signal = 0);
  ASSERT_SEEN (b->escalated = FALSE);
  ASSERT_SEEN (b->leftovers--);
  ASSERT_SEEN (b->survivors[1].pid++);
  ASSERT_SEEN (b->survivors[1].name[0] = 'x');
  ASSERT_SEEN (add_survivor (b, 8, "x"));
  ASSERT_SEEN (b->error[0] = 'x');
  ASSERT_SEEN (b->started_at++);
  ASSERT_SEEN (b->duration++);
  ASSERT_SEEN (b->cpu_time++);
  ASSERT_SEEN (b->max_rss++);
  ASSERT_SEEN (b->stdout_bytes--);
  ASSERT_SEEN (b->stderr_bytes++);
  ASSERT_SEEN (b->lost_bytes++);
  ASSERT_SEEN (b->hole_bytes++);
  ASSERT_SEEN (b->store_error++);
#undef ASSERT_SEEN
}

static void
test_every_reason (void)
{
  for (int reason = STINT_REASON_EXITED; reason <= STINT_REASON_INTERRUPTED; reason++)
    {
      g_autoptr (StintResult) result = stint_result_new ((StintReason) reason);
      g_autoptr (StintResult) loaded = NULL;

      result->failure = (StintFailure) (reason % (STINT_FAILURE_OTHER + 1));
      loaded = round_trip (result);
      g_assert_true (results_equal (result, loaded));
      g_assert_cmpint (loaded->reason, ==, reason);
      g_assert_null (loaded->error);
      g_assert_cmpuint (loaded->n_survivors, ==, 0);
    }
}

/* 0 is a code, and not the same as none. */
static void
test_exit_code_zero (void)
{
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintResult) loaded = NULL;

  stint_result_set_wait_status (result, 0);
  loaded = round_trip (result);
  g_assert_true (loaded->has_exit_code);
  g_assert_cmpint (loaded->exit_code, ==, 0);
  g_assert_true (stint_result_is_success (loaded));
}

static char *
dup_json (StintJobSpec *spec)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec);

  return json_to_string (node, FALSE);
}

static void
test_spec (void)
{
  const char *const argv[] = { "printf", "%s\n", "it's", "b\xffytes", "", NULL };
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_CANCELLED);
  g_autoptr (GPtrArray) jobs = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  StintJobSpec *loaded;

  stint_job_spec_set_name (spec, "Ä name");
  stint_job_spec_set_directory (spec, "/tmp/d\xffr");
  stint_job_spec_set_timeout (spec, 90 * G_USEC_PER_SEC);
  stint_job_spec_set_output_limit (spec, G_GUINT64_CONSTANT (1) << 41);
  stint_job_spec_set_leftovers (spec, STINT_LEFTOVERS_WAIT);
  stint_job_spec_set_stdin_text (spec, "prompt");
  stint_job_spec_add_tag (spec, "one \"tag\"");
  stint_job_spec_add_tag (spec, "two");
  g_assert_true (stint_job_spec_add_env (spec, "A=b=c", NULL));
  stint_job_spec_seal (spec);
  place = history_fixture_begin_spec (fixture, spec);
  g_assert_false (place->scratch);
  g_assert_true (history_fixture_finish (fixture, place->id, spec, result, NULL));

  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  loaded = stint_job_get_spec (g_ptr_array_index (jobs, 0));
  before = dup_json (spec);
  after = dup_json (loaded);
  g_assert_cmpstr (before, ==, after);
  g_assert_cmpstrv (stint_job_spec_get_argv (loaded), argv);
  g_assert_cmpstr (stint_job_spec_get_directory (loaded), ==, "/tmp/d\xffr");

  /* The columns for people are valid text. */
  g_assert_cmpint (
      history_fixture_count (fixture, "SELECT count (*) FROM jobs WHERE kind = 'agent' "
                                      "AND name = 'Ä name' AND directory = '/tmp/d\xef\xbf\xbdr' "
                                      "AND command LIKE 'printf %' AND json_valid (spec) "
                                      "AND json_extract (tags, '$[0]') = 'one \"tag\"' "
                                      "AND json_array_length (tags) = 2"),
      ==, 1);
}

static void
test_survivors_text (void)
{
  static const char *const damaged[] = {
    "",
    "{}",
    "[1]",
    "[{\"pid\":1}]",
    "[{\"name\":\"x\"}]",
    "[{\"pid\":1,\"name\":\"x\"},{}]",
    "[{\"pid\":-1,\"name\":\"x\"}]",
    "[{\"pid\":\"1\",\"name\":\"x\"}]",
    "[",
  };
  StintSurvivor *survivors;
  guint n;

  for (guint i = 0; i < G_N_ELEMENTS (damaged); i++)
    {
      g_assert_false (stint_survivors_from_json (damaged[i], &survivors, &n));
      g_assert_null (survivors);
      g_assert_cmpuint (n, ==, 0);
    }
  g_assert_false (stint_survivors_from_json (NULL, &survivors, &n));
  g_assert_true (stint_survivors_from_json ("[]", &survivors, &n));
  g_assert_cmpuint (n, ==, 0);
  g_assert_true (stint_survivors_from_json ("[{\"pid\":1,\"name\":\"x\"}]", &survivors, &n));
  g_assert_cmpuint (n, ==, 1);
  g_assert_cmpint (survivors[0].pid, ==, 1);
  g_assert_cmpstr (survivors[0].name, ==, "x");
  g_free (survivors[0].name);
  g_free (survivors);
}

/* One row that cannot be read is left out and said; the others are there. */
static void
test_unreadable (gconstpointer change)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *sql = g_strdup_printf ("PRAGMA ignore_check_constraints = ON;"
                                          "UPDATE jobs SET %s WHERE id = 2",
                                          (const char *) change);
  g_autoptr (GPtrArray) all = NULL;
  g_autoptr (GPtrArray) readable = NULL;

  for (guint i = 0; i < 3; i++)
    history_fixture_add (fixture, "true");
  all = history_fixture_load (fixture);
  g_assert_cmpuint (all->len, ==, 3);
  history_fixture_assert_no_problem (fixture);

  history_fixture_sql (fixture, sql);
  readable = history_fixture_load (fixture);
  history_fixture_assert_problem (fixture, STINT_ERROR_DAMAGED);
  g_assert_cmpuint (readable->len, ==, 2);
  g_assert_cmpuint (stint_job_get_id (g_ptr_array_index (readable, 0)), ==, 3);
  g_assert_cmpuint (stint_job_get_id (g_ptr_array_index (readable, 1)), ==, 1);
}

static void
test_many_unreadable (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GPtrArray) jobs = NULL;

  for (guint i = 0; i < 5; i++)
    history_fixture_add (fixture, "true");
  history_fixture_sql (fixture, "UPDATE jobs SET spec = '' WHERE id > 1");
  jobs = history_fixture_load (fixture);
  g_assert_cmpuint (jobs->len, ==, 1);
  history_fixture_assert_problem (fixture, STINT_ERROR_DAMAGED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();
  g_test_add_func ("/row/full", test_full);
  g_test_add_func ("/row/comparison", test_comparison);
  g_test_add_func ("/row/every-reason", test_every_reason);
  g_test_add_func ("/row/exit-code-zero", test_exit_code_zero);
  g_test_add_func ("/row/spec", test_spec);
  g_test_add_func ("/row/survivors-text", test_survivors_text);
  g_test_add_data_func ("/row/unreadable/spec", "spec = '{'", test_unreadable);
  g_test_add_data_func ("/row/unreadable/spec-other", "spec = '[1]'", test_unreadable);
  g_test_add_data_func ("/row/unreadable/spec-empty", "spec = ''", test_unreadable);
  g_test_add_data_func ("/row/unreadable/reason", "reason = 'nonsense'", test_unreadable);
  g_test_add_data_func ("/row/unreadable/no-reason", "reason = NULL", test_unreadable);
  g_test_add_data_func ("/row/unreadable/failure", "failure = NULL", test_unreadable);
  g_test_add_data_func ("/row/unreadable/survivors", "survivors = 'x'", test_unreadable);
  g_test_add_data_func ("/row/unreadable/both", "exit_code = 1, signal = 9", test_unreadable);
  g_test_add_func ("/row/unreadable/many", test_many_unreadable);
  return g_test_run ();
}
