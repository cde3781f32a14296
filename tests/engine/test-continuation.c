/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows a job, by its end; retries and further lines; and that nothing does after a shutdown.
 */
#include "engine-fixture.h"

#include "stint-error.h"
#include "stint-sequence.h"

#include <string.h>

typedef struct
{
  StintJobList *list;
  GString *log;    /* what ran, a letter each */
  GString *failed; /* names of the continuations that failed */
} Fixture;

static void
handle_failed (StintJobList *list,
               StintJob *job,
               StintContinuation *continuation,
               const GError *error,
               Fixture *fixture)
{
  g_assert_nonnull (error);
  g_string_append_printf (fixture->failed, "%s ", stint_continuation_get_name (continuation));
}

static void
fixture_set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->log = g_string_new (NULL);
  fixture->failed = g_string_new (NULL);
  g_signal_connect (fixture->list, "continuation-failed", G_CALLBACK (handle_failed), fixture);
}

static void
fixture_tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_wait_for_all (fixture->list);
  g_clear_object (&fixture->list);
  g_string_free (fixture->log, TRUE);
  g_string_free (fixture->failed, TRUE);
}

static gboolean
note_success (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_string_append_c (data, 's');
  return TRUE;
}

static gboolean
note_failure (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_string_append_c (data, 'f');
  return TRUE;
}

static gboolean
note_cancel (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_string_append_c (data, 'c');
  return TRUE;
}

static gboolean
fail (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_string_append_c (data, '!');
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_FAILED, "for the test");
  return FALSE;
}

static const StintContinuationFuncs note_all = { note_success, note_failure, note_cancel };
static const StintContinuationFuncs fail_always = { fail, fail, fail };

static void
follow (Fixture *fixture, StintJob *job, const char *name, const StintContinuationFuncs *funcs)
{
  g_autoptr (StintContinuation) continuation =
    stint_continuation_new (name, funcs, fixture->log, NULL);

  stint_job_list_add_continuation (fixture->list, job, continuation);
}

static StintJob *
start (Fixture *fixture, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  return fixture_submit (fixture->list, spec);
}

static void
test_endings (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) good = start (fixture, "true"), bad = NULL, dead = NULL, missing = NULL;
  g_autoptr (StintJob) stopped = NULL, killed = NULL;
  const char *const none[] = { "/nonexistent/command", NULL };
  g_autoptr (StintJobSpec) missing_spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, none);

  follow (fixture, good, "note", &note_all);
  fixture_wait_for_all (fixture->list);
  bad = start (fixture, "exit 3");
  follow (fixture, bad, "note", &note_all);
  fixture_wait_for_all (fixture->list);
  dead = start (fixture, "kill -KILL $$");
  follow (fixture, dead, "note", &note_all);
  fixture_wait_for_all (fixture->list);
  missing = fixture_submit (fixture->list, missing_spec);
  follow (fixture, missing, "note", &note_all);
  fixture_wait_for_all (fixture->list);
  stopped = start (fixture, "sleep 1000");
  follow (fixture, stopped, "note", &note_all);
  wait_until (stint_job_get_state (stopped) == STINT_JOB_RUNNING);
  stint_job_terminate (stopped);
  fixture_wait_for_all (fixture->list);
  killed = start (fixture, "sleep 1000");
  follow (fixture, killed, "note", &note_all);
  stint_job_kill (killed);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str, ==, "sfffcc");
}

/* D5: several by name on one job; the same name again takes the place of the first; and one that is
 * added after the end runs now. */
static void
test_names (Fixture *fixture, gconstpointer data)
{
  static const StintContinuationFuncs failure_alone = { .failed = note_failure };
  g_autoptr (StintJob) job = start (fixture, "true");
  g_autoptr (GPtrArray) planned = NULL, left = NULL;

  follow (fixture, job, "one", &fail_always);
  follow (fixture, job, "two", &note_all);
  follow (fixture, job, "three", &note_all);
  follow (fixture, job, "four", &failure_alone);
  follow (fixture, job, "one", &note_all);
  g_assert_true (stint_job_list_remove_continuation (fixture->list, job, "three"));
  g_assert_false (stint_job_list_remove_continuation (fixture->list, job, "three"));
  planned = stint_job_list_dup_continuations (fixture->list, job);
  g_assert_cmpuint (planned->len, ==, 3);
  g_assert_cmpstr (stint_continuation_get_name (planned->pdata[0]), ==, "one");
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str, ==, "ss");
  left = stint_job_list_dup_continuations (fixture->list, job);
  g_assert_cmpuint (left->len, ==, 0);

  follow (fixture, job, "late", &note_all);
  g_assert_cmpstr (fixture->log->str, ==, "sss");
}

/* One that fails is told, and the others run all the same. */
static void
test_error (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, "true");

  follow (fixture, job, "bad", &fail_always);
  follow (fixture, job, "good", &note_all);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str, ==, "!s");
  g_assert_cmpstr (fixture->failed->str, ==, "bad ");
}

/* D1: nothing follows once the token is cancelled, neither what waits nor what is added. */
static void
test_shutdown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = start (fixture, "true");

  follow (fixture, job, "note", &note_all);
  stint_job_list_close (fixture->list);
  g_assert_true (g_cancellable_is_cancelled (stint_job_list_get_cancellable (fixture->list)));
  stint_job_stop (job, STINT_REASON_CANCELLED, -1);
  fixture_wait_for_all (fixture->list);
  follow (fixture, job, "late", &note_all);
  g_assert_cmpstr (fixture->log->str, ==, "");
  g_assert_cmpstr (fixture->failed->str, ==, "");
}

static gboolean
close_and_submit (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintJob) next = NULL;

  stint_job_list_close (owner);
  next = stint_job_list_submit_after (owner, job, spec, 1, error);
  g_assert_null (next);
  return FALSE;
}

/* And again before it starts anything: one that was running when the shutdown began starts nothing,
 * which is no failure; and those after it are not run. */
static void
test_shutdown_inside (Fixture *fixture, gconstpointer data)
{
  static const StintContinuationFuncs funcs = { .succeeded = close_and_submit };
  g_autoptr (StintJob) job = start (fixture, "true");

  follow (fixture, job, "first", &funcs);
  follow (fixture, job, "second", &note_all);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpstr (fixture->log->str, ==, "");
  g_assert_cmpstr (fixture->failed->str, ==, "");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 1);
}

static gboolean
submit_next (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintJob) next = stint_job_list_submit_after (owner, job, spec, 1, error);

  g_string_append_c (data, '+');
  return next != NULL;
}

static void
note_idle (StintJobList *list, GParamSpec *pspec, Fixture *fixture)
{
  if (stint_job_list_get_n_active (list) == 0)
    g_string_append_c (fixture->log, '0');
}

/* D2: a chain without a loop, and the list is never done before its end. */
static void
test_chain (Fixture *fixture, gconstpointer data)
{
  static const StintContinuationFuncs funcs = { .succeeded = submit_next };
  g_autoptr (StintJob) job = start (fixture, "true"), second = NULL;
  g_autoptr (GPtrArray) followers = NULL;

  g_signal_connect (fixture->list, "notify::n-active", G_CALLBACK (note_idle), fixture);
  follow (fixture, job, "next", &funcs);
  wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
  followers = stint_job_list_dup_followers (fixture->list, job);
  g_assert_cmpuint (followers->len, ==, 1);
  second = g_object_ref (followers->pdata[0]);
  g_assert_cmpuint (stint_job_get_follows (second), ==, stint_job_get_id (job));
  g_assert_cmpuint (stint_job_get_follows (job), ==, 0);
  follow (fixture, second, "end", &note_all);
  fixture_wait_for_all (fixture->list);
  g_assert_true (g_str_has_prefix (fixture->log->str, "+s0"));
}

/* Sequences */

/* The titles of all jobs in the order in which they were submitted. */
static char *
dup_titles (Fixture *fixture)
{
  g_autoptr (GString) titles = g_string_new (NULL);

  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (fixture->list)); i > 0; i--)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (fixture->list), i - 1);

      g_string_append_printf (titles, "%s%s", titles->len > 0 ? "; " : "",
                              stint_job_get_title (job));
    }
  return g_string_free (g_steal_pointer (&titles), FALSE);
}

typedef struct
{
  const char *line;
  StintThen when[3];
  const char *then[3];
  const char *ran;
} SequenceCase;

/* As `;`, `&&` and `||` do. */
static void
test_then (Fixture *fixture, gconstpointer data)
{
  const SequenceCase *one = data;
  g_autoptr (StintJobSpec) spec = fixture_shell (one->line);
  g_autoptr (StintJob) job = NULL;
  g_autofree char *titles = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (one->then) && one->then[i] != NULL; i++)
    stint_job_spec_add_then (spec, one->when[i], one->then[i]);
  job = fixture_submit (fixture->list, spec);
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==, one->ran);
}

#define ALWAYS STINT_THEN_ALWAYS
#define GOOD STINT_THEN_ON_SUCCESS
#define BAD STINT_THEN_ON_FAILURE

static const SequenceCase sequence_cases[] = {
  { "true", { GOOD }, { "exit 4" }, "true; exit 4" },
  { "false", { GOOD }, { "exit 4" }, "false" },
  { "true", { BAD }, { "exit 4" }, "true" },
  { "false", { BAD }, { "exit 4" }, "false; exit 4" },
  { "false", { ALWAYS, ALWAYS }, { "true", "exit 4" }, "false; true; exit 4" },
  { "true", { GOOD, BAD, ALWAYS }, { "true", "exit 4", "exit 5" }, "true; true; exit 5" },
  { "true", { GOOD, BAD, ALWAYS }, { "false", "exit 4", "exit 5" }, "true; false; exit 4; exit 5" },
  { "false", { GOOD, BAD }, { "exit 4", "exit 5" }, "false; exit 5" },
};

/* Whatever was stopped is neither: what always runs does. */
static void
test_then_stopped (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = NULL;
  g_autofree char *titles = NULL;

  stint_job_spec_add_then (spec, GOOD, "exit 4");
  stint_job_spec_add_then (spec, BAD, "exit 5");
  stint_job_spec_add_then (spec, ALWAYS, "exit 6");
  stint_job_spec_set_retries (spec, 3);
  job = fixture_submit (fixture->list, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_job_terminate (job);
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==, "sleep 1000; exit 6");
}

/* Three attempts, longer and longer apart, and what follows comes after the last. */
static void
test_retry (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("exit 3");
  g_autoptr (StintJob) job = NULL, last = NULL, third = NULL, second = NULL;
  g_autofree char *titles = NULL;

  stint_job_spec_set_retries (spec, 2);
  stint_job_spec_set_retry_delay (spec, 100000);
  stint_job_spec_add_then (spec, BAD, "true");
  job = fixture_submit (fixture->list, spec);
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==, "exit 3; exit 3; exit 3; true");
  last = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  third = g_list_model_get_item (G_LIST_MODEL (fixture->list), 1);
  second = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);
  g_assert_cmpuint (stint_job_get_attempt (job), ==, 1);
  g_assert_cmpuint (stint_job_get_attempt (second), ==, 2);
  g_assert_cmpuint (stint_job_get_attempt (third), ==, 3);
  g_assert_cmpuint (stint_job_get_attempt (last), ==, 1);
  g_assert_cmpuint (stint_job_get_follows (second), ==, stint_job_get_id (job));
  g_assert_cmpuint (stint_job_get_follows (last), ==, stint_job_get_id (third));
  g_assert_cmpint (stint_job_get_started_at (second) - stint_job_get_started_at (job), >=, 90000);
  g_assert_cmpint (stint_job_get_started_at (third) - stint_job_get_started_at (second), >=, 190000);
}

/* A success ends the attempts. The control is above. */
static void
test_retry_success (Fixture *fixture, gconstpointer data)
{
  g_autofree char *mark = g_build_filename (g_get_tmp_dir (), "stint-retry-XXXXXX", NULL);
  g_autofree char *line = NULL, *titles = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (StintJob) job = NULL;

  g_assert_nonnull (g_mkdtemp (mark));
  line = g_strdup_printf ("rmdir %s && exit 7; exit 0", mark);
  spec = fixture_shell (line);
  stint_job_spec_set_name (spec, "it");
  stint_job_spec_set_retries (spec, 5);
  stint_job_spec_set_retry_delay (spec, 1000);
  stint_job_spec_add_then (spec, GOOD, "true");
  job = fixture_submit (fixture->list, spec);
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==, "it; it; true");
}

/* C7: no retry after an idle end unless one was asked for. */
static void
test_no_retry_unasked (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) plain = fixture_shell ("sleep 1000"), asked = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) first = NULL, second = NULL;

  stint_job_spec_set_idle_timeout (plain, 50000);
  first = fixture_submit (fixture->list, plain);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpint (stint_job_get_result (first)->reason, ==, STINT_REASON_IDLE_TIMEOUT);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 1);

  stint_job_spec_set_idle_timeout (asked, 50000);
  stint_job_spec_set_retries (asked, 1);
  stint_job_spec_set_retry_delay (asked, 0);
  second = fixture_submit (fixture->list, asked);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 3);
}

/* Added lines */

/* The same line may be to follow two endings: neither takes the other's place. */
static void
test_added_twice (Fixture *fixture, gconstpointer data)
{
  const StintThen first = GPOINTER_TO_INT (data);
  const StintThen second = first == GOOD ? BAD : GOOD;
  g_autoptr (StintJob) good = start (fixture, "exec sleep 0"), bad = start (fixture, "exit 4");
  g_autoptr (GPtrArray) planned = NULL;
  g_autofree char *titles = NULL;

  for (guint i = 0; i < 2; i++)
    {
      StintJob *job = i == 0 ? good : bad;

      stint_sequence_add (fixture->list, job, first, "echo it");
      stint_sequence_add (fixture->list, job, second, "echo it");
    }
  planned = stint_job_list_dup_continuations (fixture->list, good);
  g_assert_cmpuint (planned->len, ==, 2);
  for (guint i = 0; i < planned->len; i++)
    g_assert_cmpstr (
        stint_sequence_get_added_line (stint_continuation_get_name (planned->pdata[i])), ==,
        "echo it");
  g_assert_null (stint_sequence_get_added_line (STINT_SEQUENCE_THEN));
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==, "exec sleep 0; exit 4; echo it; echo it");
}

/* Three attempts, of which the last succeeds or fails: what was added follows that one, and nothing the
 * others. */
static void
test_added_retry (Fixture *fixture, gconstpointer data)
{
  gboolean succeeds = GPOINTER_TO_INT (data);
  g_autofree char *marks = g_build_filename (g_get_tmp_dir (), "stint-retry-XXXXXX", NULL);
  g_autofree char *line = NULL, *titles = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (StintJob) job = NULL, last = NULL;

  g_assert_nonnull (g_mkdtemp (marks));
  line = g_strdup_printf ("mkdir %s/1 && exit 7; mkdir %s/2 && exit 7; rm -r %s; exit %d", marks,
                          marks, marks, succeeds ? 0 : 7);
  spec = fixture_shell (line);
  stint_job_spec_set_name (spec, "it");
  stint_job_spec_set_retries (spec, 2);
  stint_job_spec_set_retry_delay (spec, 1000);
  job = fixture_submit (fixture->list, spec);
  stint_sequence_add (fixture->list, job, GOOD, "echo good");
  stint_sequence_add (fixture->list, job, BAD, "echo bad");
  stint_sequence_add (fixture->list, job, ALWAYS, "echo always");
  fixture_wait_for_all (fixture->list);
  titles = dup_titles (fixture);
  g_assert_cmpstr (titles, ==,
                   succeeds ? "it; it; it; echo good; echo always"
                            : "it; it; it; echo bad; echo always");
  last = g_list_model_get_item (G_LIST_MODEL (fixture->list), 2);
  g_assert_cmpuint (stint_job_get_attempt (last), ==, 3);

  /* To what has ended it follows now, though the others had gone to the next attempt. */
  stint_sequence_add (fixture->list, job, BAD, "echo late");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 6);
}

/* A retry that waits is cancelled by the shutdown like anything else that is queued. */
static void
test_retry_shutdown (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("false");
  g_autoptr (StintJob) job = NULL, again = NULL;

  stint_job_spec_set_retries (spec, 1);
  stint_job_spec_set_retry_delay (spec, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  stint_job_spec_add_then (spec, ALWAYS, "true");
  job = fixture_submit (fixture->list, spec);
  wait_until (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)) == 2);
  again = g_list_model_get_item (G_LIST_MODEL (fixture->list), 0);
  g_assert_cmpint (stint_job_get_start_left (again), >, G_GINT64_CONSTANT (3000) * G_USEC_PER_SEC);
  stint_job_list_close (fixture->list);
  stint_job_stop (again, STINT_REASON_CANCELLED, -1);
  fixture_wait_for_all (fixture->list);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->list)), ==, 2);
}

#define add(path, function)                                                                        \
  g_test_add (path, Fixture, NULL, fixture_set_up, function, fixture_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add ("/continuation/endings", test_endings);
  add ("/continuation/names", test_names);
  add ("/continuation/error", test_error);
  add ("/continuation/shutdown", test_shutdown);
  add ("/continuation/shutdown/inside", test_shutdown_inside);
  add ("/continuation/chain", test_chain);
  for (guint i = 0; i < G_N_ELEMENTS (sequence_cases); i++)
    {
      g_autofree char *path = g_strdup_printf ("/sequence/then/%u", i);

      g_test_add (path, Fixture, &sequence_cases[i], fixture_set_up, test_then, fixture_tear_down);
    }
  add ("/sequence/then/stopped", test_then_stopped);
  add ("/sequence/retry", test_retry);
  add ("/sequence/retry/success", test_retry_success);
  add ("/sequence/retry/unasked", test_no_retry_unasked);
  add ("/sequence/retry/shutdown", test_retry_shutdown);
  g_test_add ("/sequence/added/retry/success", Fixture, GINT_TO_POINTER (TRUE), fixture_set_up,
              test_added_retry, fixture_tear_down);
  g_test_add ("/sequence/added/retry/failure", Fixture, GINT_TO_POINTER (FALSE), fixture_set_up,
              test_added_retry, fixture_tear_down);
  g_test_add ("/sequence/added/twice/failure-last", Fixture, GINT_TO_POINTER (GOOD), fixture_set_up,
              test_added_twice, fixture_tear_down);
  g_test_add ("/sequence/added/twice/success-last", Fixture, GINT_TO_POINTER (BAD), fixture_set_up,
              test_added_twice, fixture_tear_down);
  return g_test_run ();
}
