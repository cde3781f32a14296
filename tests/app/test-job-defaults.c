/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the settings give a job, and that what its maker said stays.
 */
#include "stint-job-defaults.h"

#define SECOND G_GINT64_CONSTANT (1000000)

static StintJobSpec *
new_spec (StintJobKind kind)
{
  return stint_job_spec_new_shell (kind, "true");
}

static StintSettings *
new_settings (void)
{
  StintSettings *settings = stint_settings_new ();

  g_object_set (settings, "shell-timeout-seconds", 60, "terminal-timeout-seconds", 0,
                "agent-timeout-seconds", 3600, "shell-idle-seconds", 20, "agent-idle-seconds", 900,
                "grace-seconds", 7, "job-niceness", 3, "shell", "/bin/bash", NULL);
  return settings;
}

static void
test_given (void)
{
  g_autoptr (StintSettings) settings = new_settings ();
  g_autoptr (StintJobSpec) shell = new_spec (STINT_JOB_KIND_SHELL);
  g_autoptr (StintJobSpec) terminal = new_spec (STINT_JOB_KIND_TERMINAL);
  g_autoptr (StintJobSpec) agent = new_spec (STINT_JOB_KIND_AGENT);

  stint_job_defaults_apply (settings, shell);
  g_assert_cmpint (stint_job_spec_get_timeout (shell), ==, 60 * SECOND);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (shell), ==, 20 * SECOND);
  g_assert_cmpint (stint_job_spec_get_grace (shell), ==, 7 * SECOND);
  g_assert_cmpuint (stint_job_spec_get_niceness (shell), ==, 3);
  g_assert_cmpstr (stint_job_spec_get_argv (shell)[0], ==, "/bin/bash");

  stint_job_defaults_apply (settings, terminal);
  g_assert_cmpint (stint_job_spec_get_timeout (terminal), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (terminal), ==, 0);

  /* C5 of the mission: or a sixth of the wall-clock limit if that is less. */
  stint_job_defaults_apply (settings, agent);
  g_assert_cmpint (stint_job_spec_get_timeout (agent), ==, 3600 * SECOND);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (agent), ==, 600 * SECOND);
}

/* `stint --agent` makes its session of what is no spec of an agent; what was asked for wins. */
static void
test_session (void)
{
  g_autoptr (StintSettings) settings = new_settings ();
  g_autoptr (StintJobSpec) spec = new_spec (STINT_JOB_KIND_TERMINAL);
  g_autoptr (StintJobSpec) asked = new_spec (STINT_JOB_KIND_TERMINAL);

  stint_job_defaults_apply_to_session (settings, spec);
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 3600 * SECOND);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 600 * SECOND);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, 7 * SECOND);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 3);
  stint_job_spec_set_timeout (asked, 5 * SECOND);
  stint_job_spec_set_idle_timeout (asked, 0);
  stint_job_defaults_apply_to_session (settings, asked);
  g_assert_cmpint (stint_job_spec_get_timeout (asked), ==, 5 * SECOND);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (asked), ==, 0);
}

/* Be it no limit at all. */
static void
test_said (void)
{
  const char *const words[] = { "make", NULL };
  g_autoptr (StintSettings) settings = new_settings ();
  g_autoptr (StintJobSpec) spec = new_spec (STINT_JOB_KIND_SHELL);
  g_autoptr (StintJobSpec) command = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);

  stint_job_spec_set_timeout (spec, 0);
  stint_job_spec_set_idle_timeout (spec, 0);
  stint_job_spec_set_grace (spec, 0);
  stint_job_spec_set_niceness (spec, 0);
  stint_job_spec_set_shell (spec, "/bin/dash");
  stint_job_defaults_apply (settings, spec);
  g_assert_cmpint (stint_job_spec_get_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 0);
  g_assert_cmpint (stint_job_spec_get_grace (spec), ==, 0);
  g_assert_cmpuint (stint_job_spec_get_niceness (spec), ==, 0);
  g_assert_cmpstr (stint_job_spec_get_argv (spec)[0], ==, "/bin/dash");

  stint_job_defaults_apply (settings, command);
  g_assert_cmpstr (stint_job_spec_get_argv (command)[0], ==, "make");
}

/* What ran once runs with the same limits again, whatever the settings are by then. */
static void
test_run_again (void)
{
  g_autoptr (StintSettings) settings = new_settings ();
  g_autoptr (StintJobSpec) spec = new_spec (STINT_JOB_KIND_SHELL);
  g_autoptr (StintJobSpec) again = NULL;
  g_autoptr (JsonNode) node = NULL;

  node = stint_job_spec_to_json (spec);
  again = stint_job_spec_from_json (node, NULL);
  stint_job_defaults_apply (settings, again);
  g_assert_cmpint (stint_job_spec_get_timeout (again), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/job-defaults/given", test_given);
  g_test_add_func ("/app/job-defaults/session", test_session);
  g_test_add_func ("/app/job-defaults/said", test_said);
  g_test_add_func ("/app/job-defaults/run-again", test_run_again);
  return g_test_run ();
}
