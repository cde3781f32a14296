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
  const char *right[] = { "A=1", "", "B=", "  ", "C=x=y", NULL };
  const char *no_value[] = { "A=1", "NAME", NULL };
  const char *no_name[] = { "=1", NULL };
  StintNewJobForm form = new_form (STINT_JOB_KIND_TERMINAL, "true");

  form.environment = right;
  assert_right (&form);
  form.environment = no_value;
  assert_mistake (&form, STINT_FIELD_ENVIRONMENT, "NAME=VALUE");
  form.environment = no_name;
  assert_mistake (&form, STINT_FIELD_ENVIRONMENT, "no name");
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
  const char *environment[] = { "A=1", "", "B=x=y", NULL };
  const char *const changes[] = { "A=1", "B=x=y", NULL };
  StintNewJobForm form = new_form (STINT_JOB_KIND_AGENT, "agent");
  g_autoptr (StintJobSpec) spec = NULL;

  form.name = "Nightly";
  form.prompt = "do it";
  form.directory = "/tmp";
  form.timeout = "5m";
  form.idle_timeout = "90";
  form.grace = "250ms";
  form.environment = environment;
  spec = stint_new_job_form_dup_spec (&form);
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "Nightly");
  g_assert_cmpstr (stint_job_spec_get_stdin_text (spec), ==, "do it");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, "/tmp");
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 300 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 90 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, G_USEC_PER_SEC / 4);
  g_assert_true (g_strv_equal (stint_job_spec_get_env_changes (spec), changes));
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

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/new-job-form/command", test_command);
  g_test_add_func ("/app/new-job-form/directory", test_directory);
  g_test_add_func ("/app/new-job-form/durations", test_durations);
  g_test_add_func ("/app/new-job-form/environment", test_environment);
  g_test_add_func ("/app/new-job-form/first-mistake-comes-first", test_first_mistake_comes_first);
  g_test_add_func ("/app/new-job-form/shell-syntax", test_shell_syntax);
  g_test_add_func ("/app/new-job-form/how-it-is-run", test_how_it_is_run);
  g_test_add_func ("/app/new-job-form/hint", test_hint);
  g_test_add_func ("/app/new-job-form/spec", test_spec);
  g_test_add_func ("/app/new-job-form/empty-fields", test_empty_fields);
  return g_test_run ();
}
