/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The board: in which section each job stands, what needs the user and until when, and what stays in
 * place when it changes.
 */
#include "stint-job-board.h"

#include "engine-fixture.h"

#include <glib/gstdio.h>
#include <gtk/gtk.h>

static void
assert_board (StintJobBoard *board, StintJob **jobs, guint n_jobs)
{
  GListModel *model = G_LIST_MODEL (board);

  g_assert_cmpuint (g_list_model_get_n_items (model), ==, n_jobs);
  for (guint i = 0; i < n_jobs; i++)
    {
      g_autoptr (StintJobEntry) entry = g_list_model_get_item (model, i);

      g_assert_true (stint_job_entry_get_job (entry) == jobs[i]);
      g_assert_true (stint_job_board_find (board, jobs[i]) == entry);
    }
}

static void
assert_section (StintJobBoard *board, StintJob *job, StintSection section)
{
  StintJobEntry *entry = stint_job_board_find (board, job);

  g_assert_nonnull (entry);
  g_assert_cmpint (stint_job_entry_get_section (entry), ==, section);
}

static StintJob *
submit (StintJobList *list, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  return fixture_submit (list, spec);
}

static void
wait_for_state (StintJob *job, StintJobState state)
{
  wait_until (stint_job_get_state (job) == state);
}

static void
test_sections (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) done = submit (list, "true");
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;
  g_autoptr (StintJob) waiting = NULL;
  g_autoptr (StintJob) later = NULL;

  wait_for_state (done, STINT_JOB_FINISHED);
  stint_job_list_set_max_running (list, 2);
  first = submit (list, "sleep 60");
  second = submit (list, "sleep 60");
  waiting = submit (list, "sleep 60");
  later = submit (list, "sleep 60");
  wait_for_state (first, STINT_JOB_RUNNING);
  wait_for_state (second, STINT_JOB_RUNNING);
  /* The newest first, but whose turn is next in the queue. */
  assert_board (board, (StintJob *[]){ second, first, waiting, later, done }, 5);
  assert_section (board, waiting, STINT_SECTION_QUEUED);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RUNNING), ==, 2);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_QUEUED), ==, 2);

  /* What the user stopped needs nobody. */
  stint_job_kill (second);
  wait_for_state (second, STINT_JOB_FINISHED);
  wait_for_state (waiting, STINT_JOB_RUNNING);
  assert_board (board, (StintJob *[]){ waiting, first, later, second, done }, 5);
  assert_section (board, second, STINT_SECTION_RECENT);

  stint_job_kill (later);
  wait_for_state (later, STINT_JOB_FINISHED);
  assert_section (board, later, STINT_SECTION_RECENT);
  stint_job_kill (waiting);
  stint_job_kill (first);
  fixture_wait_for_all (list);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RECENT), ==, 5);
}

static void
on_needs_you (StintJobBoard *board, StintJobEntry *entry, guint *n_times)
{
  (*n_times)++;
}

static void
test_a_failure_needs_you_until_it_is_seen (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) failed = NULL;
  g_autoptr (StintJob) done = NULL;
  guint n_times = 0;

  g_signal_connect (board, "needs-you", G_CALLBACK (on_needs_you), &n_times);
  failed = submit (list, "exit 3");
  wait_for_state (failed, STINT_JOB_FINISHED);
  done = submit (list, "true");
  wait_for_state (done, STINT_JOB_FINISHED);
  assert_section (board, failed, STINT_SECTION_NEEDS_YOU);
  assert_section (board, done, STINT_SECTION_RECENT);
  g_assert_cmpuint (n_times, ==, 1);

  stint_job_board_set_seen (board, failed);
  assert_section (board, failed, STINT_SECTION_RECENT);
  /* In the order in which they ended. */
  assert_board (board, (StintJob *[]){ done, failed }, 2);
  g_assert_cmpuint (n_times, ==, 1);
}

static void
test_a_timeout_needs_you (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 60");
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_timeout (spec, 100000);
  job = fixture_submit (list, spec);
  wait_for_state (job, STINT_JOB_FINISHED);
  assert_section (board, job, STINT_SECTION_NEEDS_YOU);
}

static void
test_who_asks_needs_you_until_it_is_answered (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) asking = submit (list, "sleep 60");
  g_autoptr (StintJob) other = submit (list, "sleep 60");

  wait_for_state (asking, STINT_JOB_RUNNING);
  wait_for_state (other, STINT_JOB_RUNNING);
  stint_job_board_set_asks (board, asking, "May it write?");
  assert_section (board, asking, STINT_SECTION_NEEDS_YOU);
  assert_board (board, (StintJob *[]){ asking, other }, 2);
  g_assert_cmpstr (stint_job_entry_get_need (stint_job_board_find (board, asking)), ==,
                   "May it write?");
  /* To be looked at is not to be answered. */
  stint_job_board_set_seen (board, asking);
  assert_section (board, asking, STINT_SECTION_NEEDS_YOU);
  stint_job_board_set_asks (board, asking, NULL);
  assert_section (board, asking, STINT_SECTION_RUNNING);
  assert_board (board, (StintJob *[]){ other, asking }, 2);

  /* Nor does it ask after its end. */
  stint_job_board_set_asks (board, asking, "May it write?");
  stint_job_kill (asking);
  wait_for_state (asking, STINT_JOB_FINISHED);
  assert_section (board, asking, STINT_SECTION_RECENT);
  stint_job_kill (other);
  fixture_wait_for_all (list);
}

static void
test_silence_needs_you_until_it_speaks (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autofree char *fifo = g_build_filename (g_get_tmp_dir (), "stint-board-XXXXXX", NULL);
  g_autofree char *directory = g_mkdtemp (fifo) != NULL ? g_strdup (fifo) : NULL;
  g_autofree char *go = g_build_filename (directory, "go", NULL);
  g_autofree char *line =
      g_strdup_printf ("while [ ! -e %s ]; do sleep 0.1; done; echo word; exec sleep 60", go);
  g_autoptr (StintJobSpec) spec = fixture_shell (line);
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_set_idle_timeout (spec, 200000);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  job = fixture_submit (list, spec);
  wait_until (stint_job_board_get_count (board, STINT_SECTION_NEEDS_YOU) == 1);
  g_assert_nonnull (stint_job_entry_get_need (stint_job_board_find (board, job)));
  stint_job_set_idle_limit (job, 0);
  g_assert_true (g_file_set_contents (go, "", -1, NULL));
  wait_until (stint_job_board_get_count (board, STINT_SECTION_RUNNING) == 1);
  g_assert_null (stint_job_entry_get_need (stint_job_board_find (board, job)));
  stint_job_kill (job);
  fixture_wait_for_all (list);
  g_remove (go);
  g_rmdir (directory);
}

/* Jobs of the history are not on the board, but what ended unseen is. */
static void
test_history (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_INTERRUPTED);
  g_autoptr (StintJob) old = stint_job_new_finished (7, spec, result, NULL);

  stint_job_list_append_finished (list, old);
  assert_board (board, NULL, 0);
  stint_job_board_add_finished (board, old, TRUE);
  assert_board (board, (StintJob *[]){ old }, 1);
  assert_section (board, old, STINT_SECTION_NEEDS_YOU);
  stint_job_board_add_finished (board, old, TRUE);
  assert_board (board, (StintJob *[]){ old }, 1);
}

static void
test_dismiss (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) running = submit (list, "sleep 60");
  g_autoptr (StintJob) failed = submit (list, "false");

  wait_for_state (running, STINT_JOB_RUNNING);
  wait_for_state (failed, STINT_JOB_FINISHED);
  g_assert_false (stint_job_board_dismiss (board, running));
  g_assert_true (stint_job_board_dismiss (board, failed));
  g_assert_false (stint_job_board_dismiss (board, failed));
  assert_board (board, (StintJob *[]){ running }, 1);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_NEEDS_YOU), ==, 0);
  /* The list of jobs still has it, and it can come back. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (list)), ==, 2);
  stint_job_board_add_finished (board, failed, FALSE);
  assert_section (board, failed, STINT_SECTION_RECENT);
  stint_job_kill (running);
  fixture_wait_for_all (list);
  /* And what is taken off the list goes from the board. */
  stint_job_list_remove (list, failed);
  g_assert_null (stint_job_board_find (board, failed));
}

static void
test_most_recent (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (StintJob) first = NULL;

  for (guint i = 1; i <= STINT_BOARD_MOST_RECENT + 3; i++)
    {
      g_autoptr (StintJob) job = stint_job_new_finished (i, spec, result, NULL);

      if (i == 1)
        first = g_object_ref (job);
      stint_job_list_append_finished (list, job);
      stint_job_board_add_finished (board, job, FALSE);
    }
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RECENT), ==,
                    STINT_BOARD_MOST_RECENT);
  g_assert_null (stint_job_board_find (board, first));
}

/* Of a hundred and more failures that nobody has looked at the oldest make room. */
static void
test_most_failed (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_TIMEOUT);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func (g_object_unref);

  for (guint i = 0; i < STINT_BOARD_MOST_FAILED + 3; i++)
    {
      StintJob *job = stint_job_new_finished (i + 1, spec, result, NULL);

      g_ptr_array_add (jobs, job);
      stint_job_list_append_finished (list, job);
      stint_job_board_add_finished (board, job, TRUE);
      assert_section (board, job, STINT_SECTION_NEEDS_YOU);
    }
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_NEEDS_YOU), ==,
                    STINT_BOARD_MOST_FAILED);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RECENT), ==, 3);
  for (guint i = 0; i < jobs->len; i++)
    assert_section (board, jobs->pdata[i], i < 3 ? STINT_SECTION_RECENT : STINT_SECTION_NEEDS_YOU);
}

static void
test_unread (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) job = submit (list, "echo word; exec sleep 60");
  StintJobEntry *entry;

  fixture_wait_for_output (job, "word\n");
  entry = stint_job_board_find (board, job);
  stint_job_entry_update_unread (entry);
  g_assert_true (stint_job_entry_get_unread (entry));
  stint_job_entry_set_looked_at (entry, TRUE);
  g_assert_false (stint_job_entry_get_unread (entry));
  stint_job_entry_set_looked_at (entry, FALSE);
  stint_job_entry_update_unread (entry);
  g_assert_false (stint_job_entry_get_unread (entry));
  stint_job_kill (job);
  fixture_wait_for_all (list);
}

static gboolean
matches (StintJobEntry *entry, const char *text)
{
  g_auto (GStrv) words = stint_job_entry_fold (text);

  return stint_job_entry_matches (entry, (const char *const *) words);
}

static void
test_filter (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJobSpec) spec = fixture_shell ("make Straße \xff");
  g_autoptr (StintJob) job = NULL;
  StintJobEntry *entry;

  stint_job_spec_set_name (spec, "Nightly Build");
  stint_job_spec_add_tag (spec, "ci");
  job = fixture_submit (list, spec);
  entry = stint_job_board_find (board, job);
  g_assert_true (matches (entry, ""));
  g_assert_true (matches (entry, "  "));
  g_assert_true (matches (entry, "nightly"));
  g_assert_true (matches (entry, "BUILD make"));
  g_assert_true (matches (entry, "STRASSE ci"));
  g_assert_false (matches (entry, "nightly clean"));
  g_assert_false (matches (entry, "\xff\xfe"));
  fixture_wait_for_all (list);
}

/* A selection, and with it an open menu or the page, stays on its job however the board changes. */
static void
test_selection_stays_on_the_jobs (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (GtkMultiSelection) selection =
      gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (board)));
  GtkSelectionModel *model = GTK_SELECTION_MODEL (selection);
  StintJob *jobs[4];

  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      jobs[i] = submit (list, "sleep 60");
      wait_for_state (jobs[i], STINT_JOB_RUNNING);
    }
  /* Shown in reverse: these are jobs 2 and 0. */
  gtk_selection_model_select_item (model, 1, TRUE);
  gtk_selection_model_select_item (model, 3, FALSE);
  for (guint step = 0; step < 3; step++)
    {
      g_autoptr (GtkBitset) selected = NULL;

      if (step == 0)
        stint_job_board_set_asks (board, jobs[1], "Go on?");
      else if (step == 1)
        stint_job_kill (jobs[2]);
      else
        stint_job_board_set_asks (board, jobs[0], "Go on?");
      wait_until (step != 1 || stint_job_get_state (jobs[2]) == STINT_JOB_FINISHED);
      selected = gtk_selection_model_get_selection (model);
      g_assert_cmpuint (gtk_bitset_get_size (selected), ==, 2);
      for (guint i = 0; i < 2; i++)
        {
          g_autoptr (StintJobEntry) entry =
              g_list_model_get_item (G_LIST_MODEL (board), gtk_bitset_get_nth (selected, i));
          StintJob *job = stint_job_entry_get_job (entry);

          g_assert_true (job == jobs[0] || job == jobs[2]);
        }
    }
  for (guint i = 0; i < G_N_ELEMENTS (jobs); i++)
    {
      stint_job_kill (jobs[i]);
      g_object_unref (jobs[i]);
    }
  fixture_wait_for_all (list);
}

static StintJob *
submit_part (StintJobList *list, StintJob *of, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  stint_job_spec_set_parent (spec, stint_job_get_id (of));
  return fixture_submit (list, spec);
}

/* As an agent's terminals: they are where it is, whatever becomes of them. */
static void
test_parts (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobBoard) board = stint_job_board_new (list);
  g_autoptr (StintJob) agent = submit (list, "sleep 60");
  g_autoptr (StintJob) other = NULL, first = NULL, second = NULL;
  StintJobEntry *entry;

  wait_for_state (agent, STINT_JOB_RUNNING);
  first = submit_part (list, agent, "exit 3");
  other = submit (list, "sleep 60");
  second = submit_part (list, agent, "sleep 60");
  wait_for_state (other, STINT_JOB_RUNNING);
  wait_for_state (second, STINT_JOB_RUNNING);
  wait_for_state (first, STINT_JOB_FINISHED);
  /* The newest of each first; that a part has failed is no matter of the user's. */
  assert_board (board, (StintJob *[]){ other, agent, second, first }, 4);
  assert_section (board, first, STINT_SECTION_RUNNING);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RUNNING), ==, 2);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_NEEDS_YOU), ==, 0);
  entry = stint_job_board_find (board, first);
  g_assert_true (stint_job_entry_get_above (entry) == stint_job_board_find (board, agent));
  g_assert_null (stint_job_entry_get_above (stint_job_board_find (board, other)));

  /* What a part needs, all of them go to the top for. */
  stint_job_board_set_asks (board, second, "a word");
  assert_board (board, (StintJob *[]){ agent, second, first, other }, 4);
  assert_section (board, second, STINT_SECTION_NEEDS_YOU);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_NEEDS_YOU), ==, 1);
  g_assert_cmpstr (stint_job_entry_get_need (stint_job_board_find (board, agent)), ==, "a word");
  stint_job_board_set_asks (board, second, NULL);
  assert_board (board, (StintJob *[]){ other, agent, second, first }, 4);
  g_assert_null (stint_job_entry_get_need (stint_job_board_find (board, agent)));

  /* What has ended of them is shown to a number. */
  for (guint i = 0; i < STINT_BOARD_MOST_BELOW; i++)
    {
      g_autoptr (StintJob) more = submit_part (list, agent, "true");

      wait_for_state (more, STINT_JOB_FINISHED);
    }
  g_assert_null (stint_job_board_find (board, first));
  g_assert_nonnull (stint_job_board_find (board, second));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (board)), ==, 3 + STINT_BOARD_MOST_BELOW);

  stint_job_kill (second);
  stint_job_kill (agent);
  wait_for_state (agent, STINT_JOB_FINISHED);
  wait_for_state (second, STINT_JOB_FINISHED);
  /* The oldest that has ended goes; the others are where the agent is. */
  g_assert_null (stint_job_board_find (board, second));
  assert_section (board, agent, STINT_SECTION_RECENT);
  {
    g_autoptr (StintJobEntry) part = g_list_model_get_item (G_LIST_MODEL (board), 2);

    g_assert_true (stint_job_entry_get_above (part) == stint_job_board_find (board, agent));
    g_assert_cmpint (stint_job_entry_get_section (part), ==, STINT_SECTION_RECENT);
  }
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RECENT), ==, 1);
  stint_job_board_dismiss (board, agent);
  assert_board (board, (StintJob *[]){ other }, 1);
  g_assert_cmpuint (stint_job_board_get_count (board, STINT_SECTION_RECENT), ==, 0);
  stint_job_kill (other);
  fixture_wait_for_all (list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/job-board/sections", test_sections);
  g_test_add_func ("/app/job-board/a-failure-needs-you-until-it-is-seen",
                   test_a_failure_needs_you_until_it_is_seen);
  g_test_add_func ("/app/job-board/a-timeout-needs-you", test_a_timeout_needs_you);
  g_test_add_func ("/app/job-board/who-asks-needs-you-until-it-is-answered",
                   test_who_asks_needs_you_until_it_is_answered);
  g_test_add_func ("/app/job-board/silence-needs-you-until-it-speaks",
                   test_silence_needs_you_until_it_speaks);
  g_test_add_func ("/app/job-board/history", test_history);
  g_test_add_func ("/app/job-board/parts", test_parts);
  g_test_add_func ("/app/job-board/dismiss", test_dismiss);
  g_test_add_func ("/app/job-board/most-recent", test_most_recent);
  g_test_add_func ("/app/job-board/most-failed", test_most_failed);
  g_test_add_func ("/app/job-board/unread", test_unread);
  g_test_add_func ("/app/job-board/filter", test_filter);
  g_test_add_func ("/app/job-board/selection-stays-on-the-jobs", test_selection_stays_on_the_jobs);
  return g_test_run ();
}
