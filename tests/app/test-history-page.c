/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history as a list: how it is grouped and sorted, what the menu of a row does, and what the details
 * of a job show and change.
 */
#include "stint-history-details.h"
#include "stint-history-page.h"
#include "stint-history-row.h"
#include "stint-resources.h"
#include "stint-run-plot.h"

#include "engine-fixture.h"
#include "history-fixture.h"

#include <adwaita.h>

#define NARROWEST 360

typedef struct
{
  HistoryFixture *history;
  GtkWindow *window; /* weak */
  StintHistoryPage *page;
  StintJobSpec *started, *edited;
  StintJob *shown, *beside;
} Fixture;

/* Returns: its id */
static guint64
add_job (Fixture *fixture, const char *line, const char *directory, int days_ago, int seconds, int code)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (line);
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GError) error = NULL;

  stint_job_spec_set_directory (spec, directory);
  place = history_fixture_begin_spec (fixture->history, spec);
  stint_result_set_wait_status (result, code << 8);
  result->started_at = g_get_real_time () - days_ago * G_TIME_SPAN_DAY;
  result->duration = seconds * G_TIME_SPAN_SECOND;
  history_fixture_finish (fixture->history, place->id, spec, result, &error);
  g_assert_no_error (error);
  return place->id;
}

static void
keep_spec (StintHistoryPage *page, StintJobSpec *spec, StintJobSpec **kept)
{
  g_set_object (kept, spec);
}

static void
keep_job (StintHistoryPage *page, StintJob *job, StintJob **kept)
{
  g_set_object (kept, job);
}

static void
set_up (Fixture *fixture)
{
  *fixture = (Fixture){ .history = history_fixture_new () };
  add_job (fixture, "make all", "/src/b", 2, 30, 0);
  add_job (fixture, "make all", "/src/b", 2, 10, 2);
  add_job (fixture, "cc main.c", "/src/a", 0, 20, 0);
  add_job (fixture, "make all", "/src/b", 0, 5, 0);
}

static void
show (Fixture *fixture, int width)
{
  fixture->page = g_object_new (STINT_TYPE_HISTORY_PAGE, NULL);
  g_signal_connect (fixture->page, "start", G_CALLBACK (keep_spec), &fixture->started);
  g_signal_connect (fixture->page, "edit", G_CALLBACK (keep_spec), &fixture->edited);
  g_signal_connect (fixture->page, "show-job", G_CALLBACK (keep_job), &fixture->shown);
  g_signal_connect (fixture->page, "show-beside", G_CALLBACK (keep_job), &fixture->beside);
  g_set_weak_pointer (&fixture->window, GTK_WINDOW (gtk_window_new ()));
  gtk_window_set_default_size (fixture->window, width, 600);
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->page));
  stint_history_page_set_history (fixture->page, fixture->history->history);
  gtk_window_present (fixture->window);
}

static void
tear_down (Fixture *fixture)
{
  gtk_window_destroy (fixture->window);
  wait_until (fixture->window == NULL);
  g_clear_object (&fixture->started);
  g_clear_object (&fixture->edited);
  g_clear_object (&fixture->shown);
  g_clear_object (&fixture->beside);
  wait_until (G_OBJECT (fixture->history->history)->ref_count == 1);
  history_fixture_free (fixture->history);
}

/* What the rows show, from the top: "title" and before it, if there is one, "[group]". */
static void
describe (GtkWidget *widget, GString *text)
{
  if (STINT_IS_HISTORY_ROW (widget))
    {
      GtkWidget *group = gtk_widget_get_first_child (widget);
      StintHistoryItem *item = NULL;
      const StintEntry *entry;

      if (!gtk_widget_get_mapped (widget))
        return;
      g_object_get (widget, "item", &item, NULL);
      entry = item != NULL ? stint_history_item_get_entry (item) : NULL;
      if (gtk_widget_get_visible (group))
        g_string_append_printf (text, "[%s] ", gtk_label_get_label (GTK_LABEL (group)));
      g_string_append_printf (text, "%" G_GUINT64_FORMAT " ", entry != NULL ? entry->id : 0);
      g_clear_object (&item);
      return;
    }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    describe (child, text);
}

static gboolean
shows (Fixture *fixture, const char *wanted)
{
  g_autoptr (GString) text = g_string_new (NULL);

  describe (GTK_WIDGET (fixture->page), text);
  return g_pattern_match_simple (wanted, text->str);
}

static void
activate (Fixture *fixture, const char *action, const char *format, ...)
{
  GVariant *parameter;
  va_list arguments;

  va_start (arguments, format);
  parameter = g_variant_new_va (format, NULL, &arguments);
  va_end (arguments);
  g_assert_true (
      gtk_widget_activate_action_variant (GTK_WIDGET (fixture->page), action, parameter));
}

static void
test_groups_and_sorts (void)
{
  Fixture fixture;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today] 4 3 [*day, * ????] 2 1 "));
  activate (&fixture, "history.group", "s", "directory");
  wait_until (shows (&fixture, "[/src/a] 3 [/src/b] 4 2 1 "));
  activate (&fixture, "history.group", "s", "command");
  wait_until (shows (&fixture, "[*cc main.c*] 3 [*make all*] 4 2 1 "));
  activate (&fixture, "history.group", "s", "none");
  wait_until (shows (&fixture, "4 3 2 1 "));
  activate (&fixture, "history.sort", "s", "oldest");
  wait_until (shows (&fixture, "1 2 3 4 "));
  activate (&fixture, "history.sort", "s", "longest");
  wait_until (shows (&fixture, "1 3 2 4 "));
  activate (&fixture, "history.sort", "s", "shortest");
  wait_until (shows (&fixture, "4 2 3 1 "));
  stint_history_page_search (fixture.page, "failed:yes");
  wait_until (shows (&fixture, "2 "));
  tear_down (&fixture);
}

/* Two lines each, and no wider than a telephone. */
static void
test_narrow (void)
{
  g_autofree char *word = g_strnfill (300, 'x');
  Fixture fixture;
  int minimum;

  set_up (&fixture);
  add_job (&fixture, word, "/src/a/very/long/directory/that/no/telephone/has/room/for", 0, 1, 0);
  show (&fixture, NARROWEST);
  wait_until (shows (&fixture, "[Today] 5 4 3 *"));
  gtk_widget_measure (GTK_WIDGET (fixture.page), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, NARROWEST);
  tear_down (&fixture);
}

static void
on_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(char **) user_data = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);
}

/* Waits until this is on the clipboard. */
static void
wait_for_copy (Fixture *fixture, const char *wanted)
{
  GdkClipboard *clipboard = gtk_widget_get_clipboard (GTK_WIDGET (fixture->page));

  for (gboolean same = FALSE; !same;)
    {
      g_autofree char *text = NULL;

      wait_until (gdk_clipboard_is_local (clipboard));
      gdk_clipboard_read_text_async (clipboard, NULL, on_text, &text);
      wait_until (text != NULL);
      same = g_pattern_match_simple (wanted, text);
    }
}

static void
test_menu_of_a_row (void)
{
  Fixture fixture;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today] 4 3 *"));
  activate (&fixture, "history.run-again", "t", G_GUINT64_CONSTANT (2));
  wait_until (fixture.started != NULL);
  g_assert_cmpstr (stint_job_spec_get_directory (fixture.started), ==, "/src/b");
  activate (&fixture, "history.edit", "t", G_GUINT64_CONSTANT (3));
  wait_until (fixture.edited != NULL);
  g_assert_cmpstr (stint_job_spec_get_directory (fixture.edited), ==, "/src/a");
  activate (&fixture, "history.open", "t", G_GUINT64_CONSTANT (2));
  wait_until (fixture.shown != NULL);
  g_assert_cmpuint (stint_job_get_id (fixture.shown), ==, 2);
  activate (&fixture, "history.open-beside", "t", G_GUINT64_CONSTANT (4));
  wait_until (fixture.beside != NULL);
  g_assert_cmpuint (stint_job_get_id (fixture.beside), ==, 4);
  activate (&fixture, "history.copy-command", "t", G_GUINT64_CONSTANT (3));
  wait_for_copy (&fixture, "cc main.c");
  activate (&fixture, "history.copy-line", "t", G_GUINT64_CONSTANT (3));
  wait_for_copy (&fixture, "stint *cc main.c*");
  activate (&fixture, "history.pin", "t", G_GUINT64_CONSTANT (3));
  wait_until (history_fixture_count (fixture.history, "SELECT pinned FROM jobs WHERE id = 3") == 1);
  activate (&fixture, "history.unpin", "t", G_GUINT64_CONSTANT (3));
  wait_until (history_fixture_count (fixture.history, "SELECT pinned FROM jobs WHERE id = 3") == 0);
  tear_down (&fixture);
}

static GtkWidget *
find (GtkWidget *widget, GType type, const char *label)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type) &&
      (label == NULL ||
       (GTK_IS_BUTTON (widget)
            ? g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), label) == 0
            : g_strcmp0 (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget)), label) == 0)))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, type, label);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* What is removed is gone from the list at once, and from the history when nobody wants it back. */
static void
test_removal_is_undone (void)
{
  Fixture fixture;
  GtkWidget *undo;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today] 4 3 *"));
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (4));
  wait_until (shows (&fixture, "[Today] 3 *"));
  g_assert_cmpint (history_fixture_count (fixture.history, "SELECT count(*) FROM jobs"), ==, 4);
  wait_until (find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo") != NULL);
  undo = find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo");
  g_signal_emit_by_name (undo, "clicked");
  wait_until (shows (&fixture, "[Today] 4 3 *"));
  tear_down (&fixture);
}

static GtkWindow *
find_details (void)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    if (STINT_IS_HISTORY_DETAILS (link->data))
      return link->data;
  return NULL;
}

static void
change (GtkWindow *details, const char *title, const char *text)
{
  GtkWidget *row = find (GTK_WIDGET (details), ADW_TYPE_ENTRY_ROW, title);

  g_assert_nonnull (row);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  g_signal_emit_by_name (row, "apply");
}

static void
test_details (void)
{
  Fixture fixture;
  GtkWindow *details;
  GtkWidget *plot;
  g_autofree char *wrong = NULL;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today] 4 3 *"));
  activate (&fixture, "history.details", "t", G_GUINT64_CONSTANT (4));
  wait_until (find_details () != NULL);
  details = find_details ();
  /* Earlier and later runs of it: only of the same command in the same directory. */
  wait_until (find (GTK_WIDGET (details), STINT_TYPE_RUN_PLOT, NULL) != NULL);
  plot = find (GTK_WIDGET (details), STINT_TYPE_RUN_PLOT, NULL);
  wrong = gtk_test_accessible_check_property (GTK_ACCESSIBLE (plot), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                              "3 runs, 1 failed, the longest took 30 s");
  g_assert_cmpstr (wrong, ==, NULL);
  change (details, "Name", "the build");
  change (details, "Tags, with spaces between them", "nightly slow");
  wait_until (history_fixture_count (fixture.history,
                                     "SELECT count(*) FROM jobs WHERE id = 4 AND name = 'the build' "
                                     "AND tags = '[\"nightly\",\"slow\"]'") == 1);
  gtk_window_destroy (details);
  wait_until (find_details () == NULL);
  stint_history_page_search (fixture.page, "tag:slow");
  wait_until (shows (&fixture, "[Today] 4 "));
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/app/history-page/groups-and-sorts", test_groups_and_sorts);
  g_test_add_func ("/app/history-page/narrow", test_narrow);
  g_test_add_func ("/app/history-page/menu-of-a-row", test_menu_of_a_row);
  g_test_add_func ("/app/history-page/removal-is-undone", test_removal_is_undone);
  g_test_add_func ("/app/history-page/details", test_details);
  return g_test_run ();
}
