/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Programs that stop at a question on their terminal or ring its bell, and until when they need the
 * user.
 */
#include "stint-terminal-asks.h"

#include "engine-fixture.h"

#define QUIET_MS 50

typedef struct
{
  StintJobList *list;
  StintJobBoard *board;
  StintTerminalAsks *asks;
  gboolean seen;
  guint n_asked; /* how often it was asked whether the bell is seen */
} Fixture;

static gboolean
sees (StintJob *job, gpointer user_data)
{
  Fixture *fixture = user_data;

  fixture->n_asked++;
  return fixture->seen;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->list = fixture_list ();
  fixture->board = stint_job_board_new (fixture->list);
  fixture->asks =
      stint_terminal_asks_new (fixture->list, fixture->board, NULL, sees, fixture, QUIET_MS);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  fixture_wait_for_all (fixture->list);
  g_object_unref (fixture->asks);
  g_object_unref (fixture->board);
  g_object_unref (fixture->list);
}

static StintJob *
submit (Fixture *fixture, const char *line, gboolean tty)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  stint_job_spec_set_tty (spec, tty);
  return fixture_submit (fixture->list, spec);
}

static const char *
get_need (Fixture *fixture, StintJob *job)
{
  return stint_job_entry_get_need (stint_job_board_find (fixture->board, job));
}

static StintSection
get_section (Fixture *fixture, StintJob *job)
{
  return stint_job_entry_get_section (stint_job_board_find (fixture->board, job));
}

static void
type (StintJob *job, const char *text)
{
  g_autoptr (GBytes) bytes = g_bytes_new_static (text, strlen (text));
  g_autoptr (GError) error = NULL;

  stint_job_write (job, bytes, &error);
  g_assert_no_error (error);
}

static void
test_a_question_needs_you_until_it_is_answered (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture,
                                     "printf 'Name? '; read x; echo hello; read y; "
                                     "printf 'Password: '; stty -echo; read z",
                                     TRUE);

  wait_until (get_need (fixture, job) != NULL);
  g_assert_cmpstr (get_need (fixture, job), ==, "Asks a question");
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_NEEDS_YOU);
  /* That it is looked at answers nothing. */
  stint_job_board_set_seen (fixture->board, job);
  g_assert_nonnull (get_need (fixture, job));

  type (job, "ann\n");
  wait_until (get_need (fixture, job) == NULL);
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_RUNNING);
  fixture_wait_for_output (job, "hello");

  /* Where nothing is echoed, too. */
  type (job, "go on\n");
  fixture_wait_for_output (job, "Password: ");
  wait_until (get_need (fixture, job) != NULL);
  stint_job_kill (job);
  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
  g_assert_null (get_need (fixture, job));
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_RECENT);
}

static void
test_a_bell_needs_you_until_it_is_seen (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture,
                                     "printf '\\033]0;title\\a\\a\\n'; read x; "
                                     "printf 'more\\a\\n'; exec sleep 60",
                                     TRUE);

  wait_until (get_need (fixture, job) != NULL);
  g_assert_cmpstr (get_need (fixture, job), ==, "Rang the bell");
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_NEEDS_YOU);
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  stint_job_board_set_seen (fixture->board, job);
  g_assert_null (get_need (fixture, job));
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_RUNNING);

  /* The one of before is not told again; the next one is not told to who hears it. */
  fixture->seen = TRUE;
  type (job, "x\n");
  wait_until (fixture->n_asked == 2);
  g_assert_null (get_need (fixture, job));
  stint_job_kill (job);
}

/* It goes away by itself when the program goes on, and does not come back with what comes next. */
static void
test_output_takes_a_bell_back (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job =
      submit (fixture, "printf '\\a'; read x; read y; printf 'Name? '; exec sleep 60", TRUE);

  wait_until (get_need (fixture, job) != NULL);
  g_assert_cmpstr (get_need (fixture, job), ==, "Rang the bell");
  type (job, "x\n");
  wait_until (get_need (fixture, job) == NULL);
  type (job, "y\n");
  wait_until (get_need (fixture, job) != NULL);
  g_assert_cmpstr (get_need (fixture, job), ==, "Asks a question");
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  stint_job_kill (job);
}

/* While it writes without end it is only looked at now and then, and yet its end is not missed. */
static void
test_a_bell_after_a_flood (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = submit (fixture, "timeout 1 yes; printf '\\a'; exec sleep 60", TRUE);
  g_autoptr (StintJob) other = NULL;

  wait_until (get_need (fixture, job) != NULL);
  other = submit (fixture, "true", FALSE);
  wait_until (stint_job_get_state (other) == STINT_JOB_FINISHED);
  g_assert_cmpstr (get_need (fixture, job), ==, "Rang the bell");
  stint_job_kill (job);
}

/* The bell shows that it has been looked at. The same words are a question in the test above, where
 * the terminal takes lines. */
static void
test_programs_that_read_keys_do_not_ask (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) job = NULL;

  fixture->seen = TRUE;
  job = submit (fixture, "stty -icanon; printf 'Name\\a? '; exec sleep 60", TRUE);
  wait_until (fixture->n_asked == 1);
  g_assert_null (get_need (fixture, job));
  g_assert_cmpint (get_section (fixture, job), ==, STINT_SECTION_RUNNING);
  stint_job_kill (job);
}

/* Without a terminal nobody could answer. The job with one is asked about after it. */
static void
test_pipes_do_not_ask (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) pipe = submit (fixture, "printf 'Name? \\a'; exec sleep 60", FALSE);
  g_autoptr (StintJob) job = NULL;

  fixture_wait_for_output (pipe, "Name?");
  job = submit (fixture, "printf 'Name? \\a'; exec sleep 60", TRUE);
  wait_until (get_need (fixture, job) != NULL);
  g_assert_null (get_need (fixture, pipe));
  g_assert_cmpuint (fixture->n_asked, ==, 1);
  stint_job_kill (pipe);
  stint_job_kill (job);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/app/terminal-asks/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("a-question-needs-you-until-it-is-answered", test_a_question_needs_you_until_it_is_answered);
  ADD ("a-bell-needs-you-until-it-is-seen", test_a_bell_needs_you_until_it_is_seen);
  ADD ("output-takes-a-bell-back", test_output_takes_a_bell_back);
  ADD ("a-bell-after-a-flood", test_a_bell_after_a_flood);
  ADD ("programs-that-read-keys-do-not-ask", test_programs_that_read_keys_do_not_ask);
  ADD ("pipes-do-not-ask", test_pipes_do_not_ask);
#undef ADD
  return g_test_run ();
}
