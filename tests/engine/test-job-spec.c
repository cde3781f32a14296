/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The spec: defaults, directory, environment, and its JSON.
 */
#include "stint-error.h"
#include "stint-job-spec.h"
#include "stint-json.h"

#include <string.h>

static const char *const make_argv[] = { "make", "-j4", "two words", NULL };

static void
test_defaults (void)
{
  g_autoptr (StintJobSpec) shell = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);
  g_autoptr (StintJobSpec) terminal = stint_job_spec_new (STINT_JOB_KIND_TERMINAL, make_argv);
  g_autoptr (StintJobSpec) agent = stint_job_spec_new (STINT_JOB_KIND_AGENT, make_argv);

  g_assert_false (stint_job_spec_get_tty (shell));
  g_assert_true (stint_job_spec_get_tty (terminal));
  g_assert_cmpint (stint_job_spec_get_idle_timeout (shell), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (terminal), ==, 0);
  g_assert_cmpint (stint_job_spec_get_timeout (agent), ==, 0);
  g_assert_cmpint (stint_job_spec_get_grace (agent), ==, 5 * G_USEC_PER_SEC);
  g_assert_cmpuint (stint_job_spec_get_output_limit (agent), ==, 1u << 30);
}

/* C5 of the mission: 600 s, or a sixth of the wall-clock limit if that is less, or one's own. */
static void
test_agent_idle_default (void)
{
  g_autoptr (StintJobSpec) agent = stint_job_spec_new (STINT_JOB_KIND_AGENT, make_argv);

  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 600 * G_USEC_PER_SEC);
  stint_job_spec_set_timeout (agent, 60 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 10 * G_USEC_PER_SEC);
  stint_job_spec_set_timeout (agent, G_GINT64_CONSTANT (7200) * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 600 * G_USEC_PER_SEC);
  stint_job_spec_set_idle_timeout (agent, 3 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 3 * G_USEC_PER_SEC);
  stint_job_spec_set_idle_timeout (agent, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 0);
}

static void
test_titles (void)
{
  g_autoptr (StintJobSpec) words = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);
  g_autoptr (StintJobSpec) line = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "a | b\nc");
  g_autofree char *words_line = stint_job_spec_dup_command_line (words);
  g_autofree char *line_title = stint_job_spec_dup_title (line);
  g_autofree char *named = NULL;

  g_assert_cmpstr (words_line, ==, "make -j4 'two words'");
  g_assert_cmpstr (line_title, ==, "a | b c");
  stint_job_spec_set_name (words, "Nightly\033build");
  named = stint_job_spec_dup_title (words);
  g_assert_cmpstr (named, ==, "Nightly build");
}

static void
assert_resolved (const char *own,
                 const char *caller,
                 const char *workspace,
                 const char *const *environ,
                 const char *expected)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);

  stint_job_spec_set_directory (spec, own);
  stint_job_spec_resolve (spec, caller, workspace, environ);
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, expected);
}

static void
test_directory (void)
{
  const char *const with[] = { "STINT_WORKSPACE=/w", NULL };
  const char *const without[] = { "A=b", NULL };

  assert_resolved ("/own", "/caller", "/setting", with, "/own");
  assert_resolved ("sub", "/caller", "/setting", with, "/caller/sub");
  assert_resolved (NULL, "/caller", "/setting", with, "/caller");
  assert_resolved (NULL, NULL, "/setting", with, "/w");
  assert_resolved ("sub", NULL, "/setting", with, "/w/sub");
  assert_resolved (NULL, NULL, "/setting", without, "/setting");
  assert_resolved (NULL, NULL, "", NULL, g_get_home_dir ());
  assert_resolved (NULL, NULL, NULL, NULL, g_get_home_dir ());
}

/* E3 of the mission: the parent's, the job's id, the user's own last. */
static void
test_environment (void)
{
  const char *const caller[] = { "A=1", "B=2", "STINT_JOB_ID=outer", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environ = NULL;

  stint_job_spec_resolve (spec, "/d", NULL, caller);
  g_assert_true (stint_job_spec_add_env (spec, "B=x=y", &error));
  g_assert_true (stint_job_spec_add_env (spec, "C=", &error));
  g_assert_true (stint_job_spec_unset_env (spec, "A", &error));
  g_assert_no_error (error);
  environ = stint_job_spec_dup_environ (spec, 12);
  g_assert_null (g_environ_getenv (environ, "A"));
  g_assert_cmpstr (g_environ_getenv (environ, "B"), ==, "x=y");
  g_assert_cmpstr (g_environ_getenv (environ, "C"), ==, "");
  g_assert_cmpstr (g_environ_getenv (environ, "STINT_JOB_ID"), ==, "12");
  g_assert_cmpstr (g_environ_getenv (environ, "PWD"), ==, "/d");

  g_assert_false (stint_job_spec_add_env (spec, "NOVALUE", &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  g_clear_error (&error);
  g_assert_false (stint_job_spec_add_env (spec, "=x", NULL));
  g_assert_false (stint_job_spec_unset_env (spec, "", NULL));
}

static void
test_check (void)
{
  const char *const none[] = { NULL }, *const blank[] = { "", NULL };
  g_autoptr (StintJobSpec) empty = stint_job_spec_new (STINT_JOB_KIND_SHELL, none);
  g_autoptr (StintJobSpec) nameless = stint_job_spec_new (STINT_JOB_KIND_SHELL, blank);
  g_autoptr (StintJobSpec) spaces = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, " \t");
  g_autoptr (GError) error = NULL;

  g_assert_false (stint_job_spec_check (empty, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_NO_COMMAND);
  g_assert_false (stint_job_spec_check (nameless, NULL));
  g_assert_true (stint_job_spec_check (spaces, NULL));
  g_assert_true (stint_job_spec_is_blank (spaces));
  g_assert_false (stint_job_spec_is_blank (empty));
}

static StintJobSpec *
make_full_spec (void)
{
  const char *const argv[] = { "tool", "not\xff" "utf8", "", "new\nline", "unit\x1f" "separator", NULL };
  StintJobSpec *spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);

  stint_job_spec_set_name (spec, "Näme");
  stint_job_spec_set_directory (spec, "/tmp/\xfe");
  stint_job_spec_set_stdin_text (spec, "the prompt");
  stint_job_spec_add_env (spec, "PLAIN=value", NULL);
  stint_job_spec_unset_env (spec, "GONE", NULL);
  stint_job_spec_add_tag (spec, "nightly");
  stint_job_spec_set_timeout (spec, 1000001);
  stint_job_spec_set_idle_timeout (spec, 0);
  stint_job_spec_set_grace (spec, 0);
  stint_job_spec_set_output_limit (spec, 12345678);
  stint_job_spec_set_niceness (spec, 11);
  stint_job_spec_set_leftovers (spec, STINT_LEFTOVERS_WAIT);
  stint_job_spec_set_tty (spec, TRUE);
  stint_job_spec_set_size (spec, 132, 43);
  stint_job_spec_set_idle_by (spec, STINT_IDLE_BY_ACTIVITY);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  stint_job_spec_set_start_at (spec, G_GINT64_CONSTANT (1900000000000001));
  stint_job_spec_set_retries (spec, 3);
  stint_job_spec_set_retry_delay (spec, 1234567);
  stint_job_spec_add_then (spec, STINT_THEN_ON_SUCCESS, "deploy 'it'");
  stint_job_spec_add_then (spec, STINT_THEN_ON_FAILURE, "alert \xff");
  stint_job_spec_add_then (spec, STINT_THEN_ALWAYS, "beep");
  return spec;
}

static void
assert_same (StintJobSpec *a, StintJobSpec *b)
{
  guint a_columns, a_rows, b_columns, b_rows;

  g_assert_cmpstrv (stint_job_spec_get_argv (a), stint_job_spec_get_argv (b));
  g_assert_cmpstrv (stint_job_spec_get_env_changes (a), stint_job_spec_get_env_changes (b));
  g_assert_cmpstrv (stint_job_spec_get_tags (a), stint_job_spec_get_tags (b));
  g_assert_cmpstr (stint_job_spec_get_shell_line (a), ==, stint_job_spec_get_shell_line (b));
  g_assert_cmpstr (stint_job_spec_get_name (a), ==, stint_job_spec_get_name (b));
  g_assert_cmpstr (stint_job_spec_get_directory (a), ==, stint_job_spec_get_directory (b));
  g_assert_cmpstr (stint_job_spec_get_stdin_text (a), ==, stint_job_spec_get_stdin_text (b));
  g_assert_cmpint (stint_job_spec_get_kind (a), ==, stint_job_spec_get_kind (b));
  g_assert_cmpint (stint_job_spec_get_timeout (a), ==, stint_job_spec_get_timeout (b));
  g_assert_cmpint (stint_job_spec_get_idle_timeout (a), ==, stint_job_spec_get_idle_timeout (b));
  g_assert_cmpint (stint_job_spec_get_grace (a), ==, stint_job_spec_get_grace (b));
  g_assert_cmpuint (stint_job_spec_get_output_limit (a), ==, stint_job_spec_get_output_limit (b));
  g_assert_cmpuint (stint_job_spec_get_niceness (a), ==, stint_job_spec_get_niceness (b));
  g_assert_cmpint (stint_job_spec_has_niceness (a), ==, stint_job_spec_has_niceness (b));
  g_assert_cmpint (stint_job_spec_get_leftovers (a), ==, stint_job_spec_get_leftovers (b));
  g_assert_cmpint (stint_job_spec_get_tty (a), ==, stint_job_spec_get_tty (b));
  g_assert_cmpint (stint_job_spec_get_idle_by (a), ==, stint_job_spec_get_idle_by (b));
  g_assert_cmpint (stint_job_spec_get_on_idle (a), ==, stint_job_spec_get_on_idle (b));
  g_assert_cmpint (stint_job_spec_get_start_delay (a), ==, stint_job_spec_get_start_delay (b));
  g_assert_cmpint (stint_job_spec_get_start_at (a), ==, stint_job_spec_get_start_at (b));
  g_assert_cmpuint (stint_job_spec_get_retries (a), ==, stint_job_spec_get_retries (b));
  g_assert_cmpint (stint_job_spec_get_retry_delay (a), ==, stint_job_spec_get_retry_delay (b));
  g_assert_cmpuint (stint_job_spec_get_n_then (a), ==, stint_job_spec_get_n_then (b));
  for (guint i = 0; i < stint_job_spec_get_n_then (a); i++)
    {
      StintThen a_when, b_when;

      g_assert_cmpstr (stint_job_spec_get_then (a, i, &a_when), ==,
                       stint_job_spec_get_then (b, i, &b_when));
      g_assert_cmpint (a_when, ==, b_when);
    }
  stint_job_spec_get_size (a, &a_columns, &a_rows);
  stint_job_spec_get_size (b, &b_columns, &b_rows);
  g_assert_cmpuint (a_columns, ==, b_columns);
  g_assert_cmpuint (a_rows, ==, b_rows);
}

static StintJobSpec *
through_json (StintJobSpec *spec)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec), parsed = NULL;
  g_autofree char *text = stint_json_to_text (node, FALSE);
  g_autoptr (GError) error = NULL;
  StintJobSpec *back;

  g_assert_null (strchr (text, 0x1f));

  parsed = json_from_string (text, &error);
  g_assert_no_error (error);
  back = stint_job_spec_from_json (parsed, &error);
  g_assert_no_error (error);
  return back;
}

static void
test_json (void)
{
  g_autoptr (StintJobSpec) full = make_full_spec (), full_back = through_json (full);
  g_autoptr (StintJobSpec) line = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "echo 'a' | b");
  g_autoptr (StintJobSpec) line_back = through_json (line);
  g_autoptr (StintJobSpec) copy = stint_job_spec_copy (full);
  g_autoptr (StintJobSpec) delayed = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "x");
  g_autoptr (StintJobSpec) delayed_back = NULL;

  stint_job_spec_set_start_delay (delayed, 90000000);
  delayed_back = through_json (delayed);
  g_assert_cmpint (stint_job_spec_get_start_delay (delayed_back), ==, 90000000);
  g_assert_cmpuint (stint_job_spec_get_n_then (full_back), ==, 3);
  assert_same (full, full_back);
  assert_same (line, line_back);
  assert_same (full, copy);
}

/* The values of secrets, and the inherited environment, never get into the history. */
static void
test_json_secrets (void)
{
  const char *const caller[] = { "INHERITED=inherited-value", NULL };
  const char *const secrets[] = { "MY_TOKEN=s3cret", "API_KEY=s3cret", "client_secret=s3cret", "PASSWORD=s3cret" };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);
  g_autoptr (StintJobSpec) back = NULL;
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  stint_job_spec_resolve (spec, "/", NULL, caller);
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    g_assert_true (stint_job_spec_add_env (spec, secrets[i], NULL));
  stint_job_spec_add_env (spec, "OPEN=shown", NULL);
  node = stint_job_spec_to_json (spec);
  text = json_to_string (node, FALSE);
  g_assert_null (strstr (text, "s3cret"));
  g_assert_null (strstr (text, "inherited-value"));
  g_assert_nonnull (strstr (text, "MY_TOKEN"));
  g_assert_nonnull (strstr (text, "shown"));
  back = through_json (spec);
  g_assert_cmpuint (g_strv_length ((char **) stint_job_spec_get_env_changes (back)), ==, 1);

  /* And without them it is not run again as if nothing were missing. */
  g_assert_true (stint_job_spec_check (spec, NULL));
  g_assert_false (stint_job_spec_check (back, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
  g_assert_nonnull (strstr (error->message, "MY_TOKEN"));
  for (guint i = 0; i < G_N_ELEMENTS (secrets); i++)
    {
      g_assert_false (stint_job_spec_check (back, NULL));
      g_assert_true (stint_job_spec_add_env (back, secrets[i], NULL));
    }
  g_assert_true (stint_job_spec_check (back, NULL));
}

static void
test_json_damaged (void)
{
  const char *const cases[] = {
    "null", "[]", "{}", "{\"kind\":\"shell\"}", "{\"kind\":7,\"shell\":\"x\"}",
    "{\"kind\":\"shell\",\"argv\":[]}", "{\"kind\":\"shell\",\"argv\":{}}",
    "{\"kind\":\"other\",\"shell\":\"x\"}", "{\"kind\":\"shell\",\"argv\":[1,null,[]]}",
  };
  const char *strange = "{\"kind\":\"shell\",\"shell\":\"x\",\"env\":[7,[],[\"\"],[null,1],{}],\"tags\":3,"
                        "\"then\":[1,{},{\"when\":\"never\",\"shell\":\"x\"},{\"when\":\"always\"}],"
                        "\"retries\":-1,\"idleBy\":7,\"startAt\":\"soon\",\"timeout\":-5,\"columns\":0,\"tty\":9,\"name\":[1]}";
  g_autoptr (JsonNode) node = json_from_string (strange, NULL);
  g_autoptr (StintJobSpec) spec = stint_job_spec_from_json (node, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (JsonNode) bad = json_from_string (cases[i], NULL);
      g_autoptr (GError) error = NULL;

      g_assert_null (stint_job_spec_from_json (bad, &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_DAMAGED);
    }
  g_assert_nonnull (spec);
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_n_then (spec), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_retries (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_by (spec), ==, STINT_IDLE_BY_ACTIVITY);
  g_assert_cmpint (stint_job_spec_get_start_at (spec), ==, 0);
}

/* The pauses between attempts double, up to five minutes, or to the first one if that is more. */
static void
test_retry_pauses (void)
{
  const struct
  {
    gint64 delay;
    guint attempt;
    gint64 pause;
  } cases[] = {
    { 1000000, 1, 1000000 },   { 1000000, 2, 2000000 },   { 1000000, 3, 4000000 },
    { 1000000, 9, 256000000 }, { 1000000, 10, 300000000 }, { 1000000, 1000, 300000000 },
    { 600000000, 1, 600000000 }, { 600000000, 5, 600000000 }, { 0, 1, 0 }, { 0, 50, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, make_argv);

      stint_job_spec_set_retry_delay (spec, cases[i].delay);
      g_assert_cmpint (stint_job_spec_get_retry_pause (spec, cases[i].attempt), ==, cases[i].pause);
    }
}

/* What follows a job runs where and as it ran, and knows what comes after itself. */
static void
test_new_then (void)
{
  const char *const caller[] = { "INHERITED=value", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, make_argv), then = NULL;
  g_auto (GStrv) environ = NULL;
  StintThen when;

  stint_job_spec_resolve (spec, "/tmp", NULL, caller);
  stint_job_spec_add_env (spec, "OWN=1", NULL);
  stint_job_spec_add_tag (spec, "nightly");
  stint_job_spec_set_timeout (spec, 1000000);
  stint_job_spec_set_retries (spec, 5);
  stint_job_spec_set_start_delay (spec, 1000000);
  stint_job_spec_set_stdin_text (spec, "prompt");
  stint_job_spec_add_then (spec, STINT_THEN_ALWAYS, "first");
  stint_job_spec_add_then (spec, STINT_THEN_ON_SUCCESS, "second");
  stint_job_spec_add_then (spec, STINT_THEN_ON_FAILURE, "third");
  stint_job_spec_seal (spec);

  then = stint_job_spec_new_then (spec, 1);
  environ = stint_job_spec_dup_environ (then, 1);
  g_assert_cmpstr (stint_job_spec_get_shell_line (then), ==, "second");
  g_assert_cmpint (stint_job_spec_get_kind (then), ==, STINT_JOB_KIND_SHELL);
  g_assert_cmpstr (stint_job_spec_get_directory (then), ==, "/tmp");
  g_assert_cmpstr (g_environ_getenv (environ, "INHERITED"), ==, "value");
  g_assert_cmpstr (g_environ_getenv (environ, "OWN"), ==, "1");
  g_assert_cmpstr (stint_job_spec_get_tags (then)[0], ==, "nightly");
  g_assert_cmpint (stint_job_spec_get_timeout (then), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (then), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_retries (then), ==, 0);
  g_assert_cmpint (stint_job_spec_get_start_delay (then), ==, 0);
  g_assert_null (stint_job_spec_get_stdin_text (then));
  g_assert_cmpuint (stint_job_spec_get_n_then (then), ==, 1);
  g_assert_cmpstr (stint_job_spec_get_then (then, 0, &when), ==, "third");
  g_assert_cmpint (when, ==, STINT_THEN_ON_FAILURE);
}

/* A part of another job is kept as such, and run again it is a job of its own. */
static void
test_parts (void)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_AGENT, "true");
  g_autoptr (StintJobSpec) loaded = NULL, copy = NULL;
  g_autoptr (JsonNode) node = NULL;

  g_assert_cmpuint (stint_job_spec_get_parent (spec), ==, 0);
  g_assert_false (stint_job_spec_get_session (spec));
  stint_job_spec_set_parent (spec, 12);
  stint_job_spec_set_session (spec, TRUE);
  node = stint_job_spec_to_json (spec);
  loaded = stint_job_spec_from_json (node, NULL);
  g_assert_cmpuint (stint_job_spec_get_parent (loaded), ==, 12);
  g_assert_true (stint_job_spec_get_session (loaded));
  copy = stint_job_spec_copy (spec);
  g_assert_cmpuint (stint_job_spec_get_parent (copy), ==, 0);
  g_assert_true (stint_job_spec_get_session (copy));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job-spec/defaults", test_defaults);
  g_test_add_func ("/job-spec/parts", test_parts);
  g_test_add_func ("/job-spec/agent-idle-default", test_agent_idle_default);
  g_test_add_func ("/job-spec/titles", test_titles);
  g_test_add_func ("/job-spec/directory", test_directory);
  g_test_add_func ("/job-spec/environment", test_environment);
  g_test_add_func ("/job-spec/check", test_check);
  g_test_add_func ("/job-spec/json", test_json);
  g_test_add_func ("/job-spec/json/secrets", test_json_secrets);
  g_test_add_func ("/job-spec/json/damaged", test_json_damaged);
  g_test_add_func ("/job-spec/retry-pauses", test_retry_pauses);
  g_test_add_func ("/job-spec/new-then", test_new_then);
  return g_test_run ();
}
