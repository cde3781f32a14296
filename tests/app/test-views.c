/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Everybody: every view, wide and as narrow as a telephone, is walked widget by widget. What can have
 * the focus has a name, and nothing makes a window wider than 360 pixels.
 */
#include "config.h"

#include "stint-agents-window.h"
#include "stint-closing.h"
#include "stint-ending-dialog.h"
#include "stint-history-change.h"
#include "stint-history-details.h"
#include "stint-history-page.h"
#include "stint-new-job-dialog.h"
#include "stint-pages.h"
#include "stint-preset-dialog.h"
#include "stint-presets-dialog.h"
#include "stint-problem-dialog.h"
#include "stint-problems-window.h"
#include "stint-save-dialog.h"
#include "stint-secret-dialog.h"
#include "stint-settings-dialog.h"
#include "stint-text-window.h"
#include "stint-then-dialog.h"

#include "history-fixture.h"
#include "widget-walk.h"
#include "window-fixture.h"

#define WIDE 1000

/* A window and what is wrong in it. */
typedef struct
{
  WindowFixture window;
  int width;
  GString *faults;
} Fixture;

static void
set_up_with (Fixture *fixture, int width, StintJobList *jobs)
{
  fixture->width = width;
  fixture->faults = g_string_new (NULL);
  window_fixture_set_up_with (&fixture->window, width, jobs);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  set_up_with (fixture, GPOINTER_TO_INT (data), fixture_list ());
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  if (fixture->faults->len > 0)
    g_test_fail_printf ("%s", fixture->faults->str);
  g_string_free (fixture->faults, TRUE);
  window_fixture_tear_down (&fixture->window);
}

static void
walk (Fixture *fixture, const char *view)
{
  widget_walk (fixture->window.window, fixture->width, view, fixture->faults);
}

static void
show (Fixture *fixture, StintJob *job, const char *view)
{
  stint_window_show_job (fixture->window.window, job);
  walk (fixture, view);
}

static void
go (Fixture *fixture, const char *action, const char *view)
{
  window_fixture_activate (&fixture->window, action);
  walk (fixture, view);
}

static StintJob *
start (Fixture *fixture, StintJobKind kind, const char *line)
{
  return window_fixture_start (&fixture->window, kind, line);
}

/* A job whose name and output are as wide as anything, and that ends by SIGKILL only. */
static StintJob *
start_wide (Fixture *fixture)
{
  g_autofree char *word = g_strnfill (200, 'x');
  g_autofree char *line = g_strdup_printf ("trap '' TERM HUP; echo %s; while :; do sleep 1; done",
                                           word);
  StintJob *job = start (fixture, STINT_JOB_KIND_TERMINAL, line);

  fixture_wait_for_output (job, "x");
  return job;
}

static void
test_jobs (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintJob) running = NULL;
  g_autoptr (StintJob) failed = NULL;
  g_autoptr (StintJob) queued = NULL;

  walk (fixture, "overview, empty");
  go (fixture, "win.history", "history, empty");
  go (fixture, "win.focus-list", "list, empty");

  failed = start (fixture, STINT_JOB_KIND_SHELL, "echo out; exit 3");
  wait_until (stint_job_get_state (failed) == STINT_JOB_FINISHED);
  running = start_wide (fixture);
  stint_job_list_set_max_running (fixture->window.jobs, 1);
  queued = start (fixture, STINT_JOB_KIND_AGENT, "true");

  show (fixture, queued, "queued");
  show (fixture, failed, "failed");
  show (fixture, running, "running");
  go (fixture, "shown-output.find", "finding");
  stint_pages_show_beside (
      STINT_PAGES (window_fixture_find_type (GTK_WIDGET (fixture->window.window), STINT_TYPE_PAGES)),
      failed);
  walk (fixture, "two pages");
  go (fixture, "win.overview", "overview");
  go (fixture, "win.history", "history");
  go (fixture, "win.filter", "list, filtering");

  stint_job_terminate (running);
  wait_until (stint_job_get_state (running) == STINT_JOB_STOPPING);
  show (fixture, running, "stopping");
}

/* Dialogs, each over the window. */

static void
walk_dialog (Fixture *fixture, const char *view)
{
  GtkWindow *dialog;

  wait_until (window_fixture_find_dialog (fixture->window.window) != NULL);
  dialog = window_fixture_find_dialog (fixture->window.window);
  wait_until (gtk_widget_get_width (GTK_WIDGET (dialog)) > 0);
  /* It begins wider where there is room. */
  widget_walk (dialog, WIDE, view, fixture->faults);
  gtk_window_destroy (dialog);
}

static gboolean
is_menu_of (GtkWidget *widget, gpointer tooltip)
{
  return GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0;
}

static void
present (Fixture *fixture, gpointer dialog, const char *view)
{
  gtk_window_present (GTK_WINDOW (dialog));
  walk_dialog (fixture, view);
}

static GtkWindow *
get_parent (Fixture *fixture)
{
  return GTK_WINDOW (fixture->window.window);
}

static void
test_dialogs_of_jobs (Fixture *fixture, gconstpointer data)
{
  StintJobList *jobs = fixture->window.jobs;
  g_autoptr (StintJob) job = start_wide (fixture);
  g_autoptr (StintShutdown) shutdown = stint_shutdown_new (jobs);
  g_autoptr (StintClosing) closing = stint_closing_new (jobs, shutdown, fixture->window.settings);

  stint_then_dialog_present (get_parent (fixture), jobs, job);
  walk_dialog (fixture, "then run");
  present (fixture, stint_text_window_new (get_parent (fixture), job), "as text");
  stint_save_dialog_present (get_parent (fixture), job);
  walk_dialog (fixture, "save output");
  stint_closing_set_window (closing, get_parent (fixture));
  stint_closing_close (closing, FALSE);
  walk_dialog (fixture, "closing");
  present (fixture, stint_ending_dialog_new (get_parent (fixture), jobs), "ending");
}

/* All that is folded is unfolded. */
static void
expand (GtkWidget *widget)
{
  if (ADW_IS_EXPANDER_ROW (widget))
    adw_expander_row_set_expanded (ADW_EXPANDER_ROW (widget), TRUE);
  if (GTK_IS_EXPANDER (widget))
    gtk_expander_set_expanded (GTK_EXPANDER (widget), TRUE);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    expand (child);
}

static void
test_dialogs_of_starting (Fixture *fixture, gconstpointer data)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "agents.json", NULL);
  g_autofree char *name = g_strnfill (200, 'x');
  g_autoptr (StintPresets) presets = stint_presets_new (directory);
  g_autoptr (StintJobSpec) spec = fixture_shell ("make");
  g_autoptr (StintPreset) preset = stint_preset_new (NULL, name, NULL, "<Control>1", spec);
  g_autoptr (StintPreset) other = stint_preset_new (NULL, "Other", NULL, NULL, spec);
  g_autoptr (StintAgentProfiles) profiles = stint_agent_profiles_new (file);
  StintNewJobDialog *dialog;

  stint_job_spec_add_env (spec, "COLOUR=red", NULL);
  stint_job_spec_add_missing_secret (spec, "SOME_TOKEN");
  stint_presets_put (presets, preset);
  stint_presets_put (presets, other);
  dialog = stint_new_job_dialog_new (get_parent (fixture), fixture->window.settings, "/tmp");
  stint_new_job_dialog_set_presets (dialog, presets);
  stint_new_job_dialog_fill (dialog, spec);
  expand (GTK_WIDGET (dialog));
  present (fixture, dialog, "new job");
  present (fixture, stint_preset_dialog_new (get_parent (fixture), presets, preset, spec), "preset");
  present (fixture, stint_presets_dialog_new (get_parent (fixture), presets), "presets");
  present (fixture, stint_secret_dialog_new (get_parent (fixture), spec), "secrets");
  present (fixture,
           stint_agents_window_new (get_parent (fixture), fixture->window.jobs, profiles, directory),
           "agents");
  g_assert_true (stint_presets_flush (presets));
}

/* Each page of it. */
static void
walk_settings (Fixture *fixture)
{
  StintSettingsDialog *dialog =
      stint_settings_dialog_new (get_parent (fixture), fixture->window.settings);
  AdwViewStack *stack;
  g_autoptr (GtkSelectionModel) pages = NULL;
  guint n_pages;

  gtk_window_present (GTK_WINDOW (dialog));
  stack =
      ADW_VIEW_STACK (window_fixture_find_type (GTK_WIDGET (dialog), ADW_TYPE_VIEW_STACK));
  pages = adw_view_stack_get_pages (stack);
  n_pages = g_list_model_get_n_items (G_LIST_MODEL (pages));
  g_assert_cmpuint (n_pages, >, 3);
  for (guint i = 0; i < n_pages; i++)
    {
      g_autoptr (AdwViewStackPage) page = g_list_model_get_item (G_LIST_MODEL (pages), i);
      g_autofree char *view =
          g_strdup_printf ("preferences, %s", adw_view_stack_page_get_title (page));

      adw_view_stack_set_visible_child (stack, adw_view_stack_page_get_child (page));
      widget_walk (dialog, WIDE, view, fixture->faults);
    }
  gtk_window_destroy (GTK_WINDOW (dialog));
}

/* GTK 4.8 puts its columns side by side, however wide they are together. */
static void
walk_shortcuts (Fixture *fixture)
{
  GtkWindow *shortcuts;

  wait_until (window_fixture_find_dialog (fixture->window.window) != NULL);
  shortcuts = window_fixture_find_dialog (fixture->window.window);
  wait_until (gtk_widget_get_width (GTK_WIDGET (shortcuts)) > 0);
  /* It begins with its first page. */
  wait_until (window_fixture_find_text (GTK_WIDGET (shortcuts), "New job") != NULL);
  widget_walk (shortcuts, 0, "shortcuts", fixture->faults);
  gtk_window_close (shortcuts);
}

static void
test_dialogs_of_the_application (Fixture *fixture, gconstpointer data)
{
  g_autofree char *details = g_strnfill (2000, 'x');
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, details);
  StintProblems *problems = fixture->window.problems;
  g_autoptr (StintProblem) problem = NULL;

  stint_problems_raise (problems, details, error);
  problem = g_list_model_get_item (G_LIST_MODEL (problems), 0);
  walk (fixture, "a problem is told");
  stint_problem_dialog_present (problem, get_parent (fixture));
  walk_dialog (fixture, "problem");
  present (fixture, stint_problems_window_new (get_parent (fixture), problems), "problems");
  walk_settings (fixture);
  /* It is made when somebody asks for it. */
  g_assert_null (gtk_application_window_get_help_overlay (
      GTK_APPLICATION_WINDOW (fixture->window.window)));
  window_fixture_activate (&fixture->window, "win.show-help-overlay");
  walk_shortcuts (fixture);
}

/* The history. */

/* Whether the menu of @button is open, and lists @item. Read again, the menu is another one, and closed. */
static gboolean
is_listed (GtkWidget *button, const char *item)
{
  if (window_fixture_find_text (button, item) != NULL)
    return TRUE;
  gtk_menu_button_popup (GTK_MENU_BUTTON (button));
  return FALSE;
}

/* What the menu of the button with this @tooltip lists. */
static void
walk_menu (Fixture *fixture, const char *tooltip, const char *item, const char *view)
{
  GtkWidget *window = GTK_WIDGET (fixture->window.window);
  GtkWidget *button = window_fixture_find (window, is_menu_of, (gpointer) tooltip);

  /* It is made again when they have been read. */
  wait_until (gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button)) != NULL &&
              g_menu_model_get_n_items (
                  gtk_menu_button_get_menu_model (GTK_MENU_BUTTON (button))) > 1);
  wait_until (is_listed (button, item));
  walk (fixture, view);
  gtk_menu_button_popdown (GTK_MENU_BUTTON (button));
}

static void
walk_timeline (Fixture *fixture, guint64 id)
{
  GtkWidget *window = GTK_WIDGET (fixture->window.window);
  GtkWidget *page = window_fixture_find_type (window, STINT_TYPE_HISTORY_PAGE);

  stint_window_show_history (fixture->window.window, "");
  g_assert_true (gtk_widget_activate_action (page, "history.show-in-timeline", "(tx)", id,
                                             g_get_real_time ()));
  wait_until (window_fixture_find_text (window, "2 jobs") != NULL);
  walk (fixture, "timeline");
}

static void
save_search (Fixture *fixture, StintHistory *history, const char *text)
{
  g_autoptr (GAsyncResult) result = NULL;
  GAsyncResult *pending = NULL;

  stint_history_save_search_async (history, text, text, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  g_assert_true (stint_history_change_finish (history, result, NULL, NULL));
}

static void
test_history (gconstpointer data)
{
  HistoryFixture *history = history_fixture_new ();
  g_autofree char *line = g_strnfill (300, 'x');
  g_autofree char *tag = g_strnfill (300, 'y');
  guint64 id = history_fixture_add (history, line);
  Fixture fixture;

  history_fixture_add (history, "make install");
  set_up_with (&fixture, GPOINTER_TO_INT (data),
               stint_job_list_new (STINT_JOB_STORE (history->history)));
  save_search (&fixture, history->history, "failed:yes since:yesterday");
  save_search (&fixture, history->history, tag);
  stint_window_set_history (fixture.window.window, history->history);
  window_fixture_activate (&fixture.window, "win.history");
  wait_until (window_fixture_find_text (GTK_WIDGET (fixture.window.window), "make inst") != NULL);
  wait_until (window_fixture_find_text (GTK_WIDGET (fixture.window.window), "xxx") != NULL);
  walk (&fixture, "history, two jobs");
  stint_window_show_history (fixture.window.window, "status:nonsense:");
  walk (&fixture, "history, searched");
  walk_menu (&fixture, "Saved Searches", "failed:yes", "saved searches");
  present (&fixture, stint_history_details_new (get_parent (&fixture), history->history, id),
           "details");
  walk_timeline (&fixture, id);
  tear_down (&fixture, NULL);
  wait_until (G_OBJECT (history->history)->ref_count == 1);
  history_fixture_free (history);
}

/* The control: what the walk is for is found by it. */
static void
test_faults_are_found (void)
{
  g_autoptr (GString) faults = g_string_new (NULL);
  GtkWidget *window = gtk_window_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");

  gtk_widget_set_size_request (button, 500, -1);
  gtk_window_set_child (GTK_WINDOW (window), button);
  gtk_window_present (GTK_WINDOW (window));
  wait_until (gtk_widget_get_mapped (button));
  widget_walk (window, WIDE, "control", faults);
  g_assert_nonnull (strstr (faults->str, "GtkButton (button) has no name"));
  g_assert_nonnull (strstr (faults->str, "wide at least"));
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char **argv)
{
  gconstpointer wide = GINT_TO_POINTER (WIDE), narrow = GINT_TO_POINTER (NARROWEST);

  window_fixture_init (&argc, &argv);
  g_test_add ("/app/views/jobs-wide", Fixture, wide, set_up, test_jobs, tear_down);
  g_test_add ("/app/views/jobs-narrow", Fixture, narrow, set_up, test_jobs, tear_down);
  g_test_add ("/app/views/dialogs-of-jobs", Fixture, narrow, set_up, test_dialogs_of_jobs,
              tear_down);
  g_test_add ("/app/views/dialogs-of-starting", Fixture, narrow, set_up, test_dialogs_of_starting,
              tear_down);
  g_test_add ("/app/views/dialogs-of-the-application", Fixture, narrow, set_up,
              test_dialogs_of_the_application, tear_down);
  g_test_add_data_func ("/app/views/history-wide", wide, test_history);
  g_test_add_data_func ("/app/views/history-narrow", narrow, test_history);
  g_test_add_func ("/app/views/faults-are-found", test_faults_are_found);
  return window_fixture_run ();
}
