/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The dialog for a new job as a whole: what it is filled in with comes out of it again, what it suggests,
 * and that it fits a telephone.
 */
#include "stint-new-job-dialog.h"

#include "stint-environment-table.h"
#include "stint-json.h"
#include "stint-preset-dialog.h"
#include "stint-presets-dialog.h"
#include "stint-resources.h"
#include "stint-secret-dialog.h"

#include <string.h>

/* And the shadow that a window without a window manager draws around itself. */
#define NARROWEST (360 + 20)

typedef struct
{
  GtkWindow *parent;
  StintSettings *settings;
  StintNewJobDialog *dialog;
  StintJobSpec *started;
} Fixture;

static void
on_start (Fixture *fixture, StintJobSpec *spec)
{
  g_assert_null (fixture->started);
  fixture->started = g_object_ref (spec);
}

static void
fixture_set_up (Fixture *fixture)
{
  *fixture = (Fixture){ .parent = GTK_WINDOW (gtk_window_new ()),
                        .settings = stint_settings_new () };
  fixture->dialog = stint_new_job_dialog_new (fixture->parent, fixture->settings, "/tmp");
  g_signal_connect_swapped (fixture->dialog, "start", G_CALLBACK (on_start), fixture);
}

static void
fixture_tear_down (Fixture *fixture)
{
  gtk_window_destroy (fixture->parent);
  g_clear_object (&fixture->started);
  g_clear_object (&fixture->settings);
}

static GtkWidget *
find (GtkWidget *widget, gboolean (*test) (GtkWidget *, const char *), const char *name)
{
  if (test (widget, name))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, test, name);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_row (GtkWidget *widget, const char *title)
{
  return ADW_IS_ENTRY_ROW (widget) &&
         strcmp (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), title) == 0;
}

static GtkEditable *
find_entry (gpointer window, const char *title)
{
  GtkWidget *row = find (GTK_WIDGET (window), is_row, title);

  if (row == NULL)
    g_error ("there is no entry “%s”", title);
  return GTK_EDITABLE (row);
}

static void
click_default (gpointer window)
{
  g_signal_emit_by_name (gtk_window_get_default_widget (GTK_WINDOW (window)), "clicked");
}

static int
measure (gpointer window)
{
  int minimum;

  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  return minimum;
}

static char *
describe (StintJobSpec *spec)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec);

  return stint_json_to_text (node, TRUE);
}

static StintJobSpec *
new_full_spec (StintJobKind kind)
{
  const char *const words[] = { "make", "a b", "$HOME", NULL };
  StintJobSpec *spec = kind == STINT_JOB_KIND_SHELL ? stint_job_spec_new_shell (kind, "a | b")
                                                    : stint_job_spec_new (kind, words);

  stint_job_spec_set_name (spec, "Everything & more");
  stint_job_spec_set_directory (spec, "/usr");
  stint_job_spec_set_timeout (spec, 3600 * (gint64) G_USEC_PER_SEC);
  stint_job_spec_set_idle_timeout (spec, 90 * G_USEC_PER_SEC);
  stint_job_spec_set_grace (spec, 250000);
  stint_job_spec_set_idle_by (spec, STINT_IDLE_BY_ACTIVITY);
  stint_job_spec_set_on_idle (spec, STINT_ON_IDLE_NOTIFY);
  stint_job_spec_set_leftovers (spec, STINT_LEFTOVERS_WAIT);
  stint_job_spec_set_output_limit (spec, 65536);
  stint_job_spec_set_niceness (spec, 3);
  stint_job_spec_set_tty (spec, kind == STINT_JOB_KIND_TERMINAL);
  stint_job_spec_add_env (spec, "PLAIN=x=y", NULL);
  stint_job_spec_unset_env (spec, "GONE", NULL);
  stint_job_spec_add_missing_secret (spec, "API_TOKEN");
  stint_job_spec_add_tag (spec, "nightly");
  stint_job_spec_add_tag (spec, "two words");
  stint_job_spec_set_start_delay (spec, 600 * G_USEC_PER_SEC);
  stint_job_spec_set_retries (spec, 4);
  stint_job_spec_set_retry_delay (spec, 7 * G_USEC_PER_SEC);
  stint_job_spec_add_then (spec, STINT_THEN_ON_SUCCESS, "make install");
  stint_job_spec_add_then (spec, STINT_THEN_ON_FAILURE, "notify & wait");
  stint_job_spec_set_keep (spec, FALSE);
  if (kind == STINT_JOB_KIND_AGENT)
    stint_job_spec_set_stdin_text (spec, "do it");
  return spec;
}

/* "Edit and Run" without an edit is "Run Again". */
static void
test_round_trip (void)
{
  for (int kind = STINT_JOB_KIND_SHELL; kind <= STINT_JOB_KIND_AGENT; kind++)
    {
      g_autoptr (StintJobSpec) spec = new_full_spec (kind);
      g_autofree char *before = describe (spec);
      g_autofree char *after = NULL;
      Fixture fixture;

      fixture_set_up (&fixture);
      stint_new_job_dialog_fill (fixture.dialog, spec);
      click_default (fixture.dialog);
      g_assert_nonnull (fixture.started);
      after = describe (fixture.started);
      g_assert_cmpstr (after, ==, before);
      fixture_tear_down (&fixture);
    }
}

/* A session stays one, and its limit of silence is not that of a job. */
static void
test_session (void)
{
  const char *const argv[] = { "gemini", NULL };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, argv);
  Fixture fixture;

  stint_job_spec_set_session (spec, TRUE);
  g_assert_cmpint (stint_job_spec_get_idle_timeout (spec), ==, 0);
  fixture_set_up (&fixture);
  stint_new_job_dialog_fill (fixture.dialog, spec);
  gtk_editable_set_text (find_entry (fixture.dialog, "First Prompt"), "hello");
  click_default (fixture.dialog);
  g_assert_nonnull (fixture.started);
  g_assert_true (stint_job_spec_get_session (fixture.started));
  g_assert_cmpint (stint_job_spec_get_kind (fixture.started), ==, STINT_JOB_KIND_AGENT);
  g_assert_cmpstr (stint_job_spec_get_argv (fixture.started)[0], ==, "gemini");
  g_assert_cmpstr (stint_job_spec_get_stdin_text (fixture.started), ==, "hello");
  g_assert_cmpint (stint_job_spec_get_idle_timeout (fixture.started), ==, 600 * G_TIME_SPAN_SECOND);
  fixture_tear_down (&fixture);
}

/* A plain one needs nothing of what stands behind "More". */
static void
test_plain (void)
{
  Fixture fixture;

  fixture_set_up (&fixture);
  g_assert_null (find (GTK_WIDGET (fixture.dialog), is_row, "Grace (Between SIGTERM and SIGKILL)"));
  gtk_editable_set_text (find_entry (fixture.dialog, "Command"), "echo 'a b'");
  click_default (fixture.dialog);
  g_assert_nonnull (fixture.started);
  g_assert_cmpstr (stint_job_spec_get_argv (fixture.started)[1], ==, "a b");
  g_assert_cmpstr (stint_job_spec_get_directory (fixture.started), ==, "/tmp");
  g_assert_cmpint (stint_job_spec_get_grace (fixture.started), ==, 5 * G_USEC_PER_SEC);
  g_assert_true (stint_job_spec_get_keep (fixture.started));
  fixture_tear_down (&fixture);
}

static gboolean
is_button (GtkWidget *widget, const char *label)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0;
}

/* Who goes on with the keyboard is at the first thing that "More" has brought. */
static void
test_more_has_the_focus (void)
{
  GtkWidget *focus;
  Fixture fixture;

  fixture_set_up (&fixture);
  gtk_window_present (GTK_WINDOW (fixture.dialog));
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture.dialog)))
    g_main_context_iteration (NULL, TRUE);
  gtk_widget_activate (find (GTK_WIDGET (fixture.dialog), is_button, "_More"));
  while (find (GTK_WIDGET (fixture.dialog), is_row, "Grace (Between SIGTERM and SIGKILL)") == NULL)
    g_main_context_iteration (NULL, TRUE);
  focus = gtk_window_get_focus (GTK_WINDOW (fixture.dialog));
  g_assert_nonnull (focus);
  g_assert_nonnull (gtk_widget_get_ancestor (focus, STINT_TYPE_ENVIRONMENT_TABLE));
  fixture_tear_down (&fixture);
}

static void
test_nothing_wrong_is_started (void)
{
  Fixture fixture;

  fixture_set_up (&fixture);
  click_default (fixture.dialog);
  g_assert_null (fixture.started);
  gtk_editable_set_text (find_entry (fixture.dialog, "Command"), "true");
  gtk_editable_set_text (find_entry (fixture.dialog, "Time Limit"), "soon");
  click_default (fixture.dialog);
  g_assert_null (fixture.started);
  gtk_editable_set_text (find_entry (fixture.dialog, "Time Limit"), "1h 30m");
  click_default (fixture.dialog);
  g_assert_nonnull (fixture.started);
  g_assert_cmpint (stint_job_spec_get_timeout (fixture.started), ==,
                   5400 * (gint64) G_USEC_PER_SEC);
  fixture_tear_down (&fixture);
}

/* Each kind begins with its limits, as long as nobody has written others. */
static void
test_limits_of_kinds (void)
{
  g_autoptr (StintJobSpec) agent = stint_job_spec_new_shell (STINT_JOB_KIND_AGENT, "x");
  g_autoptr (StintJobSpec) terminal = stint_job_spec_new_shell (STINT_JOB_KIND_TERMINAL, "x");
  Fixture fixture;
  GtkEditable *timeout, *idle;

  fixture_set_up (&fixture);
  g_object_set (fixture.settings, "agent-timeout-seconds", 3600, NULL);
  timeout = find_entry (fixture.dialog, "Time Limit");
  idle = find_entry (fixture.dialog, "Idle Limit (Time Without Output)");
  g_assert_cmpstr (gtk_editable_get_text (idle), ==, "");
  stint_new_job_dialog_fill (fixture.dialog, agent);
  g_assert_cmpstr (gtk_editable_get_text (timeout), ==, "1h");
  g_assert_cmpstr (gtk_editable_get_text (idle), ==, "10m");
  gtk_editable_set_text (timeout, "2h");
  stint_new_job_dialog_fill (fixture.dialog, terminal);
  g_assert_cmpstr (gtk_editable_get_text (timeout), ==, "2h");
  g_assert_cmpstr (gtk_editable_get_text (idle), ==, "");
  g_object_set (fixture.settings, "agent-timeout-seconds", 0, NULL);
  fixture_tear_down (&fixture);
}

static void
test_narrow (void)
{
  g_autoptr (StintJobSpec) spec = new_full_spec (STINT_JOB_KIND_AGENT);
  g_autofree char *long_name = g_strnfill (300, 'x');
  g_autofree char *directory = g_dir_make_tmp ("stint-dialog-XXXXXX", NULL);
  g_autoptr (StintPresets) presets = stint_presets_new (directory);
  g_autoptr (StintPreset) preset = stint_preset_new (NULL, long_name, NULL, NULL, spec);
  const char *argv[] = { "rm", "-rf", directory, NULL };
  Fixture fixture;

  fixture_set_up (&fixture);
  stint_new_job_dialog_set_presets (fixture.dialog, presets);
  g_assert_cmpint (measure (fixture.dialog), <=, NARROWEST);
  stint_new_job_dialog_fill (fixture.dialog, spec);
  g_assert_cmpint (measure (fixture.dialog), <=, NARROWEST);

  stint_presets_put (presets, preset);
  g_assert_cmpint (measure (stint_preset_dialog_new (fixture.parent, presets, preset, spec)), <=,
                   NARROWEST);
  g_assert_cmpint (measure (stint_presets_dialog_new (fixture.parent, presets)), <=, NARROWEST);
  g_assert_cmpint (measure (stint_secret_dialog_new (fixture.parent, spec)), <=, NARROWEST);
  g_assert_true (stint_presets_flush (presets));
  fixture_tear_down (&fixture);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

/* What is asked for goes into the spec, and the dialog says so. */
static void
on_filled (gboolean *filled)
{
  *filled = TRUE;
}

static void
test_secrets_are_asked_for (void)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "deploy");
  g_auto (GStrv) missing = NULL;
  StintSecretDialog *dialog;
  gboolean filled = FALSE;
  Fixture fixture;

  fixture_set_up (&fixture);
  stint_job_spec_add_missing_secret (spec, "PIN");
  dialog = stint_secret_dialog_new (fixture.parent, spec);
  g_signal_connect_swapped (dialog, "filled", G_CALLBACK (on_filled), &filled);
  gtk_editable_set_text (find_entry (dialog, "PIN"), "12=34");
  click_default (dialog);
  g_assert_true (filled);
  missing = stint_job_spec_dup_missing_secrets (spec);
  g_assert_cmpuint (g_strv_length (missing), ==, 0);
  g_assert_cmpstr (stint_job_spec_get_env_changes (spec)[0], ==, "PIN=12=34");
  fixture_tear_down (&fixture);
}

/* A preset that is changed stays the same one. */
static void
test_save_preset (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-dialog-XXXXXX", NULL);
  g_autoptr (StintPresets) presets = stint_presets_new (directory);
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "make check");
  g_autoptr (StintPreset) saved = NULL;
  g_autoptr (StintPreset) changed = NULL;
  const char *argv[] = { "rm", "-rf", directory, NULL };
  StintPresetDialog *dialog;
  Fixture fixture;

  fixture_set_up (&fixture);
  dialog = stint_preset_dialog_new (fixture.parent, presets, NULL, spec);
  g_assert_cmpstr (gtk_editable_get_text (find_entry (dialog, "Name")), ==, "make check");
  gtk_editable_set_text (find_entry (dialog, "Name"), "  ");
  click_default (dialog);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (presets)), ==, 0);
  gtk_editable_set_text (find_entry (dialog, "Name"), " Check ");
  click_default (dialog);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (presets)), ==, 1);
  saved = g_list_model_get_item (G_LIST_MODEL (presets), 0);
  g_assert_cmpstr (stint_preset_get_name (saved), ==, "Check");

  dialog = stint_preset_dialog_new (fixture.parent, presets, saved, spec);
  gtk_editable_set_text (find_entry (dialog, "Name"), "Check all");
  click_default (dialog);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (presets)), ==, 1);
  changed = g_list_model_get_item (G_LIST_MODEL (presets), 0);
  g_assert_cmpstr (stint_preset_get_name (changed), ==, "Check all");
  g_assert_cmpstr (stint_preset_get_id (changed), ==, stint_preset_get_id (saved));
  g_assert_true (stint_presets_flush (presets));
  fixture_tear_down (&fixture);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/new-job-dialog/round-trip", test_round_trip);
  g_test_add_func ("/app/new-job-dialog/session", test_session);
  g_test_add_func ("/app/new-job-dialog/plain", test_plain);
  g_test_add_func ("/app/new-job-dialog/nothing-wrong-is-started", test_nothing_wrong_is_started);
  g_test_add_func ("/app/new-job-dialog/more-has-the-focus", test_more_has_the_focus);
  g_test_add_func ("/app/new-job-dialog/limits-of-kinds", test_limits_of_kinds);
  g_test_add_func ("/app/new-job-dialog/narrow", test_narrow);
  g_test_add_func ("/app/new-job-dialog/secrets-are-asked-for", test_secrets_are_asked_for);
  g_test_add_func ("/app/new-job-dialog/save-preset", test_save_preset);
  return g_test_run ();
}
