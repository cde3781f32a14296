/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A pane with the real terminal: its tail, what is earlier, the end again, hits, streams, and that
 * nothing of a recording is answered.
 */
#include "stint-pane-private.h"

#include "stint-resources.h"

#include "engine-fixture.h"
#include "transcript-fixture.h"

#include <adwaita.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  Directory directory;
  StintSettings *settings;
  StintJob *job;
  GtkWindow *window;
  StintPane *pane;
  GString *committed;
} Fixture;

static void
on_commit (Fixture *fixture, const char *text, guint length)
{
  g_string_append_len (fixture->committed, text, length);
}

static void
fixture_show (Fixture *fixture, StintJob *job)
{
  fixture->job = g_object_ref (job);
  fixture->settings = stint_settings_new ();
  fixture->committed = g_string_new (NULL);
  fixture->pane = stint_pane_new (job, fixture->settings);
  g_signal_connect_swapped (fixture->pane->terminal, "commit", G_CALLBACK (on_commit), fixture);
  fixture->window = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_default_size (fixture->window, 800, 500);
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->pane));
  gtk_window_present (fixture->window);
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (fixture->pane)));
}

/* A job that has ended and left what the directory holds. */
static void
fixture_show_finished (Fixture *fixture, StintJobKind kind)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (kind, "true");
  g_autoptr (StintResult) result = NULL;
  g_autoptr (StintJob) job = NULL;

  directory_write_outcome (&fixture->directory, 0, 0);
  result = stint_result_load_outcome (fixture->directory.path, FALSE, NULL);
  g_assert_nonnull (result);
  job = stint_job_new_finished (1, spec, result, fixture->directory.path);
  fixture_show (fixture, job);
}

static void
fixture_clear (Fixture *fixture)
{
  g_object_add_weak_pointer (G_OBJECT (fixture->pane), (gpointer *) &fixture->pane);
  gtk_window_destroy (fixture->window);
  wait_until (fixture->pane == NULL);
  g_clear_object (&fixture->job);
  g_clear_object (&fixture->settings);
  g_string_free (fixture->committed, TRUE);
  if (fixture->directory.path != NULL)
    directory_clear (&fixture->directory);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

/* What can be read without scrolling. */
static char *
dup_visible (Fixture *fixture)
{
  /* VTE 0.70 has nothing else. */
  G_GNUC_BEGIN_IGNORE_DEPRECATIONS
  return vte_terminal_get_text (VTE_TERMINAL (fixture->pane->terminal), NULL, NULL, NULL);
  G_GNUC_END_IGNORE_DEPRECATIONS
}

static gboolean
shows (Fixture *fixture, const char *text)
{
  g_autofree char *visible = dup_visible (fixture);

  return strstr (visible, text) != NULL;
}

static void
activate (Fixture *fixture, const char *name, GVariant *parameter)
{
  g_action_group_activate_action (stint_pane_get_actions (fixture->pane), name, parameter);
}

static void
append_lines (Fixture *fixture, guint from, guint to)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = from; i < to; i++)
    g_string_append_printf (text, "this is line %06u\n", i);
  directory_append (&fixture->directory, KEEPER_STREAM_STDOUT, text->str, text->len);
}

static void
scroll_to (Fixture *fixture, double value)
{
  gtk_adjustment_set_value (stint_pane_get_adjustment (fixture->pane), value);
}

/* Whether the tail begins there, not only its end that is shown first. */
static gboolean
has_tail_from (Fixture *fixture, guint line)
{
  return stint_follower_get_start (fixture->pane->follower) ==
             line * strlen ("this is line 000000\n") &&
         gtk_adjustment_get_upper (stint_pane_get_adjustment (fixture->pane)) > 10000;
}

static void
test_tail_and_earlier (void)
{
  g_auto (Fixture) fixture = { 0 };
  GtkAdjustment *adjustment;

  directory_init (&fixture.directory);
  append_lines (&fixture, 0, 200000);
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  adjustment = stint_pane_get_adjustment (fixture.pane);
  wait_until (shows (&fixture, "line 199999"));
  wait_until (has_tail_from (&fixture, 190000));
  wait_until (shows (&fixture, "line 199999"));
  g_assert_false (gtk_widget_get_visible (fixture.pane->earlier_button));
  g_assert_false (gtk_widget_get_visible (fixture.pane->end_button));

  scroll_to (&fixture, 0);
  wait_until (gtk_widget_get_visible (fixture.pane->earlier_button));
  g_assert_true (gtk_widget_get_visible (fixture.pane->end_button));
  wait_until (shows (&fixture, "of earlier output"));

  activate (&fixture, "earlier", NULL);
  wait_until (shows (&fixture, "line 190000") && shows (&fixture, "line 189999"));
  g_assert_false (stint_follower_is_at_tail (fixture.pane->follower));

  /* As far back as there is. */
  for (guint i = 0; i < 30 && stint_follower_get_start (fixture.pane->follower) > 0; i++)
    {
      guint64 start = stint_follower_get_start (fixture.pane->follower);

      activate (&fixture, "earlier", NULL);
      wait_until (stint_follower_get_start (fixture.pane->follower) < start &&
                  fixture.pane->mark_row < 0 &&
                  stint_follower_get_offset (fixture.pane->follower) >= fixture.pane->range_end);
    }
  g_assert_cmpuint (stint_follower_get_start (fixture.pane->follower), ==, 0);
  scroll_to (&fixture, gtk_adjustment_get_lower (adjustment));
  wait_until (shows (&fixture, "line 000000"));
  g_assert_false (gtk_widget_get_visible (fixture.pane->earlier_button));

  activate (&fixture, "end", NULL);
  wait_until (shows (&fixture, "line 199999"));
  wait_until (!gtk_widget_get_visible (fixture.pane->end_button));
}

static void
test_hit (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *selected = NULL;

  directory_init (&fixture.directory);
  append_lines (&fixture, 0, 100000);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "the \033[31mneed\033[32mle\033[0m is here\n");
  append_lines (&fixture, 100000, 200000);
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  wait_until (shows (&fixture, "line 199999"));

  activate (&fixture, "find", NULL);
  gtk_editable_set_text (GTK_EDITABLE (gtk_window_get_focus (fixture.window)), "NEEDLE");
  wait_until (shows (&fixture, "the needle is here"));
  wait_until (vte_terminal_get_has_selection (VTE_TERMINAL (fixture.pane->terminal)));
  selected = vte_terminal_get_text_selected (VTE_TERMINAL (fixture.pane->terminal), VTE_FORMAT_TEXT);
  g_assert_cmpstr (selected, ==, "needle");
  /* With what stands around it. */
  wait_until (shows (&fixture, "line 099999") && shows (&fixture, "line 100000"));
}

/* VTE says that its contents have changed for another size too, before it has worked off what it was fed. */
static void
test_hit_while_resized (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autofree char *selected = NULL;
  guint n_turns = 0;

  directory_init (&fixture.directory);
  append_lines (&fixture, 0, 100000);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "the needle is here\n");
  append_lines (&fixture, 100000, 200000);
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  wait_until (shows (&fixture, "line 199999"));

  activate (&fixture, "find", NULL);
  gtk_editable_set_text (GTK_EDITABLE (gtk_window_get_focus (fixture.window)), "needle");
  while (!vte_terminal_get_has_selection (VTE_TERMINAL (fixture.pane->terminal)))
    {
      GtkWidget *terminal = GTK_WIDGET (fixture.pane->terminal);

      stint_terminal_set_recorded_size (fixture.pane->terminal, 80 + n_turns++ % 2, 24);
      gtk_widget_queue_allocate (terminal);
      g_main_context_iteration (NULL, TRUE);
    }
  selected = vte_terminal_get_text_selected (VTE_TERMINAL (fixture.pane->terminal), VTE_FORMAT_TEXT);
  g_assert_cmpstr (selected, ==, "needle");
}

/* For another width VTE wraps its rows anew, and counts them anew: where the hit stands is remembered
 * as the number of a row until all that is to be shown has been fed. */
static void
test_hit_while_rows_are_counted_anew (void)
{
  g_auto (Fixture) fixture = { 0 };
  gboolean resized = FALSE;

  directory_init (&fixture.directory);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "the needle is here\n");
  append_lines (&fixture, 0, 100000);
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  wait_until (shows (&fixture, "line 099999"));

  activate (&fixture, "find", NULL);
  gtk_editable_set_text (GTK_EDITABLE (gtk_window_get_focus (fixture.window)), "needle");
  while (!resized)
    {
      g_main_context_iteration (NULL, TRUE);
      resized = fixture.pane->mark_row > 0;
    }
  stint_terminal_set_recorded_size (fixture.pane->terminal, 81, 24);
  wait_until (shows (&fixture, "the needle is here"));
}

static void
test_streams_and_timestamps (void)
{
  g_auto (Fixture) fixture = { 0 };

  directory_init (&fixture.directory);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "one\n");
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDERR, "oops\n");
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT, "two\n");
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  wait_until (shows (&fixture, "one\noops\ntwo"));
  g_action_group_change_action_state (stint_pane_get_actions (fixture.pane), "streams",
                                      g_variant_new_string ("stdout"));
  wait_until (shows (&fixture, "one\ntwo"));
  g_action_group_change_action_state (stint_pane_get_actions (fixture.pane), "streams",
                                      g_variant_new_string ("stderr"));
  wait_until (shows (&fixture, "oops") && !shows (&fixture, "one"));
  g_action_group_change_action_state (stint_pane_get_actions (fixture.pane), "streams",
                                      g_variant_new_string ("both"));
  g_action_group_change_action_state (stint_pane_get_actions (fixture.pane), "timestamps",
                                      g_variant_new_boolean (TRUE));
  wait_until (shows (&fixture, ".002 oops") || shows (&fixture, "oops"));
}

/* Rows 25 and 27: a recorded question is not answered, a title and the clipboard are not taken, and
 * what is fed is text all the same. */
static void
test_recorded_questions (void)
{
  g_auto (Fixture) fixture = { 0 };

  directory_init (&fixture.directory);
  directory_append_record (&fixture.directory, KEEPER_INDEX_RESIZE, 80 << 16 | 24);
  directory_append_text (&fixture.directory, KEEPER_STREAM_STDOUT,
                         "\033[6n\033[c\033]0;a title\007\033]52;c;c3RvbGVu\007"
                         "\033]8;;file:///etc/passwd\033\\link\033]8;;\033\\ asked\r\n");
  fixture_show_finished (&fixture, STINT_JOB_KIND_TERMINAL);
  wait_until (shows (&fixture, "link asked"));
  wait_until (!fixture.pane->replaying);
  g_assert_cmpuint (fixture.committed->len, ==, 0);
  g_assert_false (vte_terminal_get_allow_hyperlink (VTE_TERMINAL (fixture.pane->terminal)));
  g_assert_null (gdk_clipboard_get_content (gtk_widget_get_clipboard (GTK_WIDGET (fixture.pane))));

  /* Control: the same terminal answers when its input is on. */
  g_assert_false (vte_terminal_get_input_enabled (VTE_TERMINAL (fixture.pane->terminal)));
  vte_terminal_set_input_enabled (VTE_TERMINAL (fixture.pane->terminal), TRUE);
  vte_terminal_feed (VTE_TERMINAL (fixture.pane->terminal), "\033[6n", -1);
  wait_until (fixture.committed->len > 0);
}

static void
count_painted (GtkWidget *terminal, gint64 busy, guint *n)
{
  g_assert_cmpint (busy, >=, 0);
  ++*n;
}

/* What a showing costs is measured to the end of the paint, whoever asked for the frame. */
static void
test_painted (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec =
    stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "seq 1 300; echo ready; read x; echo got it");
  g_autoptr (StintJob) job = NULL;
  guint painted = 0, before;

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_transcript (job) != NULL);
  fixture_show (&fixture, job);
  g_signal_connect (fixture.pane->terminal, "painted", G_CALLBACK (count_painted), &painted);
  wait_until (shows (&fixture, "ready"));
  wait_until (painted > 0);

  before = painted;
  wait_until (stint_pane_is_live (fixture.pane));
  vte_terminal_feed_child (VTE_TERMINAL (fixture.pane->terminal), "\n", 1);
  wait_until (shows (&fixture, "got it"));
  wait_until (painted > before);
}

/* What is typed reaches the job at its end, and not while somebody looks elsewhere. */
static void
test_live (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec =
    stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "seq 1 3000; echo ready; read x; echo got $x");
  g_autoptr (StintJob) job = NULL;

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_transcript (job) != NULL);
  fixture_show (&fixture, job);
  wait_until (shows (&fixture, "ready"));
  wait_until (stint_pane_is_live (fixture.pane));

  stint_pane_show_range (fixture.pane, 0, G_MAXUINT64, 0, 1000);
  g_assert_false (stint_pane_is_live (fixture.pane));
  stint_pane_show_end (fixture.pane);
  wait_until (stint_pane_is_live (fixture.pane));
  wait_until (shows (&fixture, "ready"));
  g_signal_emit_by_name (fixture.pane->terminal, "commit", "typed\r", 6u);
  wait_until (shows (&fixture, "got typed"));
  fixture_wait_for_all (list);
}

/* Nothing moves away under who reads. */
static void
test_scrolled_up (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell (
    "seq -f 'first %06.0f' 1 9000; echo half; read go <\"$GATE\"; seq -f 'second %06.0f' 1 300000; echo last");
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *gate = g_build_filename (directory, "gate", NULL);
  g_autofree char *change = g_strconcat ("GATE=", gate, NULL);
  g_autoptr (StintJob) job = NULL;
  g_autofree char *before = NULL, *after = NULL;
  int fd;

  g_assert_cmpint (mkfifo (gate, 0600), ==, 0);
  stint_job_spec_add_env (spec, change, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_transcript (job) != NULL);
  fixture_show (&fixture, job);
  wait_until (shows (&fixture, "half"));
  scroll_to (&fixture, 4000);
  wait_until (shows (&fixture, "first 004001"));
  before = dup_visible (&fixture);

  fd = g_open (gate, O_WRONLY | O_CLOEXEC, 0);
  g_assert_cmpint (write (fd, "\n", 1), ==, 1);
  close (fd);
  fixture_wait_for_all (list);
  after = dup_visible (&fixture);
  g_assert_cmpstr (before, ==, after);

  activate (&fixture, "end", NULL);
  wait_until (shows (&fixture, "last"));
  g_unlink (gate);
  g_rmdir (directory);
}

/* What is shown otherwise is shown so at once, wherever somebody stood. */
static void
test_streams_while_scrolled_up (void)
{
  g_auto (Fixture) fixture = { 0 };

  directory_init (&fixture.directory);
  append_lines (&fixture, 0, 100000);
  fixture_show_finished (&fixture, STINT_JOB_KIND_SHELL);
  wait_until (shows (&fixture, "line 099999"));
  wait_until (has_tail_from (&fixture, 90000));
  scroll_to (&fixture, 4000);
  wait_until (gtk_widget_get_visible (fixture.pane->end_button));
  g_action_group_change_action_state (stint_pane_get_actions (fixture.pane), "streams",
                                      g_variant_new_string ("stderr"));
  wait_until (!shows (&fixture, "this is line"));
}

/* What a program asked while nobody looked is a recording when somebody does. */
static void
test_asked_while_hidden (void)
{
  g_auto (Fixture) fixture = { 0 };
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (
    STINT_JOB_KIND_TERMINAL, "echo ready; read x; printf '\\033[6n'; echo asked; read x; echo got $x");
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GBytes) go = g_bytes_new_static ("\r", 1);
  guint64 size;
  gint64 until;

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  job = fixture_submit (list, spec);
  wait_until (stint_job_get_transcript (job) != NULL);
  fixture_show (&fixture, job);
  wait_until (shows (&fixture, "ready"));

  gtk_widget_hide (GTK_WIDGET (fixture.pane));
  wait_until (!gtk_widget_get_mapped (GTK_WIDGET (fixture.pane)));
  size = stint_job_get_output_bytes (job);
  g_assert_true (stint_job_write (job, go, NULL));
  wait_until (stint_job_get_output_bytes (job) >= size + strlen ("\r\n\033[6nasked\r\n"));
  until = g_get_monotonic_time () + 2500 * 1000;
  wait_until (g_get_monotonic_time () > until);

  gtk_widget_show (GTK_WIDGET (fixture.pane));
  wait_until (shows (&fixture, "asked"));
  wait_until (stint_pane_is_live (fixture.pane));
  g_assert_cmpuint (fixture.committed->len, ==, 0);
  g_signal_emit_by_name (fixture.pane->terminal, "commit", "typed\r", 6u);
  wait_until (shows (&fixture, "got typed"));
  fixture_wait_for_all (list);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/pane/tail-and-earlier", test_tail_and_earlier);
  g_test_add_func ("/app/pane/hit", test_hit);
  g_test_add_func ("/app/pane/hit-while-resized", test_hit_while_resized);
  g_test_add_func ("/app/pane/hit-while-rows-are-counted-anew", test_hit_while_rows_are_counted_anew);
  g_test_add_func ("/app/pane/streams-and-timestamps", test_streams_and_timestamps);
  g_test_add_func ("/app/pane/recorded-questions", test_recorded_questions);
  g_test_add_func ("/app/pane/painted", test_painted);
  g_test_add_func ("/app/pane/live", test_live);
  g_test_add_func ("/app/pane/scrolled-up", test_scrolled_up);
  g_test_add_func ("/app/pane/streams-while-scrolled-up", test_streams_while_scrolled_up);
  g_test_add_func ("/app/pane/asked-while-hidden", test_asked_while_hidden);
  return g_test_run ();
}
