/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What of a spec is never written down, and what a spec that was read again lacks.
 */
#include "stint-error.h"
#include "stint-job-spec.h"
#include "stint-json.h"

static StintJobSpec *
read_again (StintJobSpec *spec, char **text)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec);
  g_autoptr (GError) error = NULL;
  StintJobSpec *again = stint_job_spec_from_json (node, &error);

  g_assert_no_error (error);
  *text = stint_json_to_text (node, FALSE);
  return again;
}

static void
test_secrets (void)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "deploy");
  g_autoptr (StintJobSpec) again = NULL, thrice = NULL, copy = NULL;
  g_autofree char *text = NULL, *text_again = NULL;
  g_auto (GStrv) missing = NULL, filled = NULL;
  g_autoptr (GError) error = NULL;

  stint_job_spec_add_env (spec, "PLAIN=visible", NULL);
  stint_job_spec_add_env (spec, "PIN=hidden-1", NULL);
  stint_job_spec_add_env (spec, "API_TOKEN=hidden-2", NULL);
  stint_job_spec_mark_secret (spec, "PIN");
  g_assert_true (stint_job_spec_is_secret (spec, "PIN"));
  g_assert_true (stint_job_spec_is_secret (spec, "API_TOKEN"));
  g_assert_false (stint_job_spec_is_secret (spec, "PLAIN"));

  again = read_again (spec, &text);
  g_assert_nonnull (g_strstr_len (text, -1, "visible"));
  g_assert_null (g_strstr_len (text, -1, "hidden"));
  missing = stint_job_spec_dup_missing_secrets (again);
  g_assert_cmpuint (g_strv_length (missing), ==, 2);
  g_assert_cmpstr (missing[0], ==, "PIN");
  g_assert_cmpstr (missing[1], ==, "API_TOKEN");
  g_assert_false (stint_job_spec_check (again, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);

  /* What it lacks it still lacks after another round, and in a copy. */
  thrice = read_again (again, &text_again);
  g_assert_cmpstr (text_again, ==, text);
  copy = stint_job_spec_copy (thrice);
  g_assert_true (stint_job_spec_is_secret (copy, "PIN"));
  g_assert_false (stint_job_spec_check (copy, NULL));

  g_assert_true (stint_job_spec_add_env (copy, "PIN=hidden-3", NULL));
  g_assert_true (stint_job_spec_add_env (copy, "API_TOKEN=", NULL));
  g_assert_true (stint_job_spec_check (copy, NULL));
  filled = stint_job_spec_dup_missing_secrets (copy);
  g_assert_cmpuint (g_strv_length (filled), ==, 0);
}

static void
test_keep (void)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "true");
  g_autoptr (StintJobSpec) copy = NULL, follower = NULL, again = NULL;
  g_autofree char *text = NULL;

  g_assert_true (stint_job_spec_get_keep (spec));
  stint_job_spec_set_keep (spec, FALSE);
  stint_job_spec_add_then (spec, STINT_THEN_ALWAYS, "date");
  copy = stint_job_spec_copy (spec);
  follower = stint_job_spec_new_then (spec, 0);
  again = read_again (spec, &text);
  g_assert_false (stint_job_spec_get_keep (copy));
  g_assert_false (stint_job_spec_get_keep (follower));
  g_assert_false (stint_job_spec_get_keep (again));
}

static void
test_shell (void)
{
  const char *const words[] = { "make", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "echo $0");
  g_autoptr (StintJobSpec) command = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);
  g_autoptr (StintJobSpec) again = NULL;
  g_autofree char *text = NULL;

  g_assert_false (stint_job_spec_has_shell (spec));
  stint_job_spec_set_shell (spec, "/bin/bash");
  again = read_again (spec, &text);
  g_assert_true (stint_job_spec_has_shell (again));
  g_assert_cmpstr (stint_job_spec_get_argv (again)[0], ==, "/bin/bash");
  g_assert_cmpstr (stint_job_spec_get_argv (again)[2], ==, "echo $0");
  stint_job_spec_set_shell (command, "/bin/bash");
  g_assert_false (stint_job_spec_has_shell (command));
  g_assert_cmpstr (stint_job_spec_get_argv (command)[0], ==, "make");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/engine/job-spec-secrets/secrets", test_secrets);
  g_test_add_func ("/engine/job-spec-secrets/keep", test_keep);
  g_test_add_func ("/engine/job-spec-secrets/shell", test_shell);
  return g_test_run ();
}
