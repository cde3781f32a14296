/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The form of a new job: what is wrong is said at its field, what is right becomes a spec.
 */
#include "stint-new-job-form.h"

#include "stint-error.h"

#include <glib/gstdio.h>

static StintNewJobForm
new_form (StintJobKind kind, const char *command)
{
  return (StintNewJobForm){
    .kind = kind,
    .name = "",
    .command = command,
    .prompt = "",
    .directory = "",
    .timeout = "",
    .idle_timeout = "",
    .grace = "",
    .default_grace = 7 * G_USEC_PER_SEC,
  };
}

static void
assert_mistake (const StintNewJobForm *form, StintFormField field, const char *part)
{
  g_autoptr (GError) error = NULL;
  StintFormField found;

  g_assert_false (stint_new_job_form_check_field (form, field, &error));
  g_assert_nonnull (error);
  if (g_strstr_len (error->message, -1, part) == NULL)
    g_error ("“%s” does not say “%s”", error->message, part);
  g_assert_null (g_strstr_len (error->message, -1, "\n"));
  g_assert_true (stint_new_job_form_find_mistake (form, &found));
  g_assert_cmpint (found, ==, field);
}

static void
assert_right (const StintNewJobForm *form)
{
  StintFormField field;

  if (stint_new_job_form_find_mistake (form, &field))
    g_error ("field %d is called wrong", field);
}

static void
test_command (void)
{
  const char *const wrong_quotes[] = { "make 'all", "echo \"x", "sh -c 'a\"b" };
  const char *const blank[] = { "", "   ", "\t" };

  for (guint i = 0; i < G_N_ELEMENTS (wrong_quotes); i++)
    {
      StintNewJobForm form = new_form ((StintJobKind) (i % 3), wrong_quotes[i]);
      g_autoptr (GError) error = NULL;

      assert_mistake (&form, STINT_FIELD_COMMAND, "quote");
      stint_new_job_form_check_field (&form, STINT_FIELD_COMMAND, &error);
      g_assert_error (error, STINT_ERROR, STINT_ERROR_UNBALANCED);
    }
  for (guint i = 0; i < G_N_ELEMENTS (blank); i++)
    {
      StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, blank[i]);

      assert_mistake (&form, STINT_FIELD_COMMAND, "command");
    }
}

static void
test_directory (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "true");

  form.directory = "/nonexistent/stint";
  assert_mistake (&form, STINT_FIELD_DIRECTORY, "no such directory");
  form.directory = "/dev/null";
  assert_mistake (&form, STINT_FIELD_DIRECTORY, "not a directory");
  form.directory = "/dev/null/x";
  assert_mistake (&form, STINT_FIELD_DIRECTORY, "no such directory");
  form.directory = "src";
  assert_mistake (&form, STINT_FIELD_DIRECTORY, "whole path");
  form.directory = "~/nonexistent-stint";
  assert_mistake (&form, STINT_FIELD_DIRECTORY, "no such directory");

  form.directory = "";
  assert_right (&form);
  form.directory = "~";
  assert_right (&form);
  form.directory = " /tmp ";
  assert_right (&form);
}

static void
test_durations (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "true");

  form.timeout = "soon";
  assert_mistake (&form, STINT_FIELD_TIMEOUT, "soon");
  form.timeout = "5m";
  form.idle_timeout = "-3";
  assert_mistake (&form, STINT_FIELD_IDLE_TIMEOUT, "-3");
  form.idle_timeout = "90";
  form.grace = "1x";
  assert_mistake (&form, STINT_FIELD_GRACE, "1x");
  form.grace = "250ms";
  assert_right (&form);
}

static void
test_environment (void)
{
  const StintFormVariable right[] = {
    { "A", "1", STINT_VARIABLE_SET },   { "", "", STINT_VARIABLE_SET },
    { "B", "", STINT_VARIABLE_SECRET }, { " ", NULL, STINT_VARIABLE_UNSET },
    { "C", NULL, STINT_VARIABLE_UNSET },
  };
  const StintFormVariable no_name[] = { { "A", "1", STINT_VARIABLE_SET },
                                        { " ", "1", STINT_VARIABLE_SET } };
  const StintFormVariable equals[] = { { "A=B", "1", STINT_VARIABLE_SET } };
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "true");

  form.variables = right;
  form.n_variables = G_N_ELEMENTS (right);
  assert_right (&form);
  form.variables = no_name;
  form.n_variables = G_N_ELEMENTS (no_name);
  assert_mistake (&form, STINT_FIELD_ENVIRONMENT, "variable’s name");
  form.variables = equals;
  form.n_variables = 1;
  assert_mistake (&form, STINT_FIELD_ENVIRONMENT, "=");
}

static void
test_schedule (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "true");

  form.start = "later";
  assert_mistake (&form, STINT_FIELD_START, "later");
  form.start = "2001-01-01 03:00";
  assert_mistake (&form, STINT_FIELD_START, "2001");
  form.start = " 03:00 ";
  form.retry_delay = "often";
  assert_mistake (&form, STINT_FIELD_RETRY_DELAY, "often");
  form.retry_delay = "1 min";
  assert_right (&form);
}

/* E5 of the mission, at its field. */
static void
test_agent_is_no_shell_job (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_SHELL, "claude -p 'fix it' | tee log");
  g_autoptr (GError) error = NULL;

  assert_mistake (&form, STINT_FIELD_COMMAND, "claude");
  stint_new_job_form_check_field (&form, STINT_FIELD_COMMAND, &error);
  g_assert_error (error, STINT_ERROR, STINT_ERROR_WRONG_KIND);
  form.kind = STINT_JOB_KIND_AGENT;
  assert_right (&form);
  form.kind = STINT_JOB_KIND_TERMINAL;
  assert_right (&form);
}

static void
test_first_mistake_comes_first (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "'");
  StintFormField field;

  form.directory = "/nonexistent";
  form.grace = "x";
  g_assert_true (stint_new_job_form_find_mistake (&form, &field));
  g_assert_cmpint (field, ==, STINT_FIELD_COMMAND);
}

static void
test_shell_syntax (void)
{
  const char *const plain[] = {
    "make -j4",         "echo 'a | b'",        "echo \"a; b\"",
    "echo a\\|b",       "git log --format=%h", "dd if=/dev/zero of=x",
    "echo a#b",         "rsync a b:/c~",       "./run --x=1 'it''s'",
    "echo \"\\$HOME\"",
  };
  const char *const shell[] = {
    "a | b",          "a && b",      "a; b",   "a > b", "a < b",   "a &",  "echo $HOME",
    "echo \"$HOME\"", "echo `date`", "ls *.c", "ls ?",  "ls [ab]", "cd ~", "ls ~/x",
    "A=1 make",       "echo {a,b}",  "(a)",    "a # b", "! a",     "a\nb",
  };

  for (guint i = 0; i < G_N_ELEMENTS (plain); i++)
    if (stint_new_job_form_needs_shell (plain[i]))
      g_error ("needs no shell: %s", plain[i]);
  for (guint i = 0; i < G_N_ELEMENTS (shell); i++)
    if (!stint_new_job_form_needs_shell (shell[i]))
      g_error ("needs a shell: %s", shell[i]);
}

static void
assert_words (StintNewJobForm *form, const char *const *expected)
{
  g_autoptr (StintJobSpec) spec = stint_new_job_form_dup_spec (form);

  g_assert_cmpint (stint_job_spec_get_kind (spec), ==, form->kind);
  g_assert_true (g_strv_equal (stint_job_spec_get_argv (spec), expected));
}

static void
test_how_it_is_run (void)
{
  const char *const words[] = { "echo", "a b", "c", NULL };
  const char *const line[] = { "/bin/sh", "-c", "echo $HOME", NULL };
  const char *const quiet[] = { "/bin/sh", "-c", "echo a", NULL };
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "echo 'a b' c");

  assert_words (&form, words);
  form.kind = STINT_JOB_KIND_AGENT;
  assert_words (&form, words);
  form.command = "echo $HOME";
  assert_words (&form, line);
  form.kind = STINT_JOB_KIND_TERMINAL;
  assert_words (&form, line);
  form.kind = STINT_JOB_KIND_SHELL;
  assert_words (&form, line);
  form.command = "echo a";
  assert_words (&form, quiet);
}

static void
test_hint (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "echo 'a b' c");
  g_autofree char *words = stint_new_job_form_dup_hint (&form);
  g_autofree char *shell = NULL;

  g_assert_cmpstr (words, ==, "Runs: echo · a b · c");
  form.command = "a | b";
  shell = stint_new_job_form_dup_hint (&form);
  g_assert_nonnull (g_strstr_len (shell, -1, "/bin/sh -c"));
}

static void
test_spec (void)
{
  const StintFormVariable variables[] = {
    { " A ", "1", STINT_VARIABLE_SET },      { "", "", STINT_VARIABLE_SET },
    { "B", "x=y", STINT_VARIABLE_SET },      { "GONE", "z", STINT_VARIABLE_UNSET },
    { "PIN", "1234", STINT_VARIABLE_SECRET }, { "TAN", "", STINT_VARIABLE_SECRET },
  };
  const char *const changes[] = { "A=1", "B=x=y", "GONE", "PIN=1234", NULL };
  StintNewJobForm form = new_form (STINT_JOB_KIND_AGENT, "agent");
  g_autoptr (StintJobSpec) spec = NULL;
  g_auto (GStrv) missing = NULL;

  form.name = "Nightly";
  form.prompt = "do it";
  form.directory = "/tmp";
  form.timeout = "5m";
  form.idle_timeout = "90";
  form.grace = "250ms";
  form.variables = variables;
  form.n_variables = G_N_ELEMENTS (variables);
  spec = stint_new_job_form_dup_spec (&form);
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "Nightly");
  g_assert_cmpstr (stint_job_spec_get_stdin_text (spec), ==, "do it");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/tmp");
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 300 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 90 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, G_USEC_PER_SEC / 4);
  g_assert_true (g_strv_equal (stint_job_spec_get_env_changes (spec), changes));
  g_assert_true (stint_job_spec_is_secret (spec, "PIN"));
  missing = stint_job_spec_dup_missing_secrets (spec);
  g_assert_cmpuint (g_strv_length (missing), ==, 1);
  g_assert_cmpstr (missing[0], ==, "TAN");
}

static void
test_more (void)
{
  const StintFormThen then[] = { { "make install", STINT_THEN_ON_SUCCESS },
                                 { "  ", STINT_THEN_ALWAYS },
                                 { "notify", STINT_THEN_ON_FAILURE } };
  const char *const tags[] = { "nightly", "two words", NULL };
  StintNewJobForm form = new_form (STINT_JOB_KIND_SHELL, "make");
  g_autoptr (StintJobSpec) spec = NULL, later = NULL;
  StintThen when;

  form.then = then;
  form.n_then = G_N_ELEMENTS (then);
  form.idle_by = STINT_IDLE_BY_ACTIVITY;
  form.on_idle = STINT_ON_IDLE_NOTIFY;
  form.start = "10m";
  form.retries = 3;
  form.retry_delay = "2s";
  form.tags = "nightly, two words ,,";
  form.wait_for_leftovers = TRUE;
  form.unkept = TRUE;
  spec = stint_new_job_form_dup_spec (&form);
  g_assert_cmpuint (stint_job_spec_get_n_then (spec), ==, 2);
  g_assert_cmpstr (stint_job_spec_get_then (spec, 1, &when), ==, "notify");
  g_assert_cmpint (when, ==, STINT_THEN_ON_FAILURE);
  g_assert_cmpint (stint_job_spec_get_idle_by (spec), ==, STINT_IDLE_BY_ACTIVITY);
  g_assert_cmpint (stint_job_spec_get_on_idle (spec), ==, STINT_ON_IDLE_NOTIFY);
  g_assert_cmpint (stint_job_spec_get_start_delay (spec), ==, 600 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_retries (spec), ==, 3);
  g_assert_cmpint (stint_job_spec_get_retry_delay (spec), ==, 2 * G_USEC_PER_SEC);
  g_assert_true (g_strv_equal (stint_job_spec_get_tags (spec), tags));
  g_assert_cmpint (stint_job_spec_get_leftovers (spec), ==, STINT_LEFTOVERS_WAIT);
  g_assert_false (stint_job_spec_get_keep (spec));

  form.start = "2099-01-31 03:00";
  later = stint_new_job_form_dup_spec (&form);
  g_assert_cmpint (stint_job_spec_get_start_at (later), >, g_get_real_time ());
}

/* What stands in no field comes from the job that is changed. */
static void
test_base (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_SHELL, "make");
  g_autoptr (StintJobSpec) base = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "old");
  g_autoptr (StintJobSpec) spec = NULL;

  stint_job_spec_set_output_limit (base, 4096);
  stint_job_spec_set_niceness (base, 5);
  stint_job_spec_set_tty (base, TRUE);
  stint_job_spec_set_shell (base, "/bin/bash");
  form.base = base;
  spec = stint_new_job_form_dup_spec (&form);
  g_assert_cmpuint (stint_job_spec_get_output_limit (spec), ==, 4096);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 5);
  g_assert_true (stint_job_spec_get_tty (spec));
  g_assert_cmpstr (stint_job_spec_get_argv (spec)[0], ==, "/bin/bash");
  g_assert_cmpstr (stint_job_spec_get_shell_line (spec), ==, "make");
}

/* An empty limit is no limit, for an agent too: its default stands in the field. */
static void
test_empty_fields (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_AGENT, "agent");
  g_autoptr (StintJobSpec) spec = stint_new_job_form_dup_spec (&form);

  g_assert_null (stint_job_spec_get_name (spec));
  g_assert_null (stint_job_spec_get_stdin_text (spec));
  g_assert_null (stint_job_spec_get_directory (spec));
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, 7 * G_USEC_PER_SEC);
}

/* As from the overview, which has no fields for them. */
static void
test_what_the_settings_say (void)
{
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "make");
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (StintJobSpec) written = NULL;

  form.as_set = TRUE;
  spec = stint_new_job_form_dup_spec (&form);
  g_assert_false (stint_job_spec_has_timeout (spec));
  g_assert_false (stint_job_spec_has_idle_timeout (spec));
  g_assert_false (stint_job_spec_has_grace (spec));

  form.timeout = "5m";
  form.idle_timeout = "0";
  form.grace = "1s";
  written = stint_new_job_form_dup_spec (&form);
  g_assert_cmpint (stint_job_spec_get_timeout (written), ==, 300 * G_USEC_PER_SEC);
  g_assert_true (stint_job_spec_has_idle_timeout (written));
  g_assert_cmpint (stint_job_spec_get_idle_timeout (written), ==, 0);
  g_assert_cmpint (stint_job_spec_get_grace (written), ==, G_USEC_PER_SEC);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/new-job-form/command", test_command);
  g_test_add_func ("/app/new-job-form/directory", test_directory);
  g_test_add_func ("/app/new-job-form/durations", test_durations);
  g_test_add_func ("/app/new-job-form/environment", test_environment);
  g_test_add_func ("/app/new-job-form/schedule", test_schedule);
  g_test_add_func ("/app/new-job-form/agent-is-no-shell-job", test_agent_is_no_shell_job);
  g_test_add_func ("/app/new-job-form/more", test_more);
  g_test_add_func ("/app/new-job-form/base", test_base);
  g_test_add_func ("/app/new-job-form/first-mistake-comes-first", test_first_mistake_comes_first);
  g_test_add_func ("/app/new-job-form/shell-syntax", test_shell_syntax);
  g_test_add_func ("/app/new-job-form/how-it-is-run", test_how_it_is_run);
  g_test_add_func ("/app/new-job-form/hint", test_hint);
  g_test_add_func ("/app/new-job-form/spec", test_spec);
  g_test_add_func ("/app/new-job-form/empty-fields", test_empty_fields);
  g_test_add_func ("/app/new-job-form/what-the-settings-say", test_what_the_settings_say);
  return g_test_run ();
}
