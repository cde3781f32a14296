/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history as a list: how it is grouped and sorted, what the menu of a row does, also while rows change
 * places, and what the details of a job show and change.
 */
#include "stint-history-columns.h"
#include "stint-history-details.h"
#include "stint-history-list.h"
#include "stint-history-model.h"
#include "stint-history-page.h"
#include "stint-history-row.h"
#include "stint-history-text.h"
#include "stint-history-view.h"
#include "stint-run-plot.h"

#include "history-fixture.h"
#include "press-key.h"
#include "window-fixture.h"

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

/* GTK 4.8 waits half a second before it looks for a tooltip, and does not mind that the menu that the pointer
 * was over has gone meanwhile: it asks for the pointer's place in it, and what is there. Everything else
 * that it has to say ends the test. */
static gboolean
is_fatal (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  return !g_str_has_prefix (message, "gdk_surface_get_device_position: assertion ") &&
         !g_str_has_prefix (message, "_gtk_widget_find_at_coords: assertion ");
}

/* GLib's own handler says "Bail out!" of what is not fatal in the end, too. */
static void
tell (const char *domain, GLogLevelFlags level, const char *message, gpointer user_data)
{
  if (is_fatal (domain, level, message, NULL))
    g_log_default_handler (domain, level, message, NULL);
  else
    g_test_message ("not ours: %s", message);
}

static void
set_up (Fixture *fixture)
{
  g_test_log_set_fatal_handler (is_fatal, NULL);
  *fixture = (Fixture){ .history = history_fixture_new () };
  add_job (fixture, "make all", "/src/b", 2, 30, 0);
  add_job (fixture, "make all", "/src/b", 2, 10, 2);
  add_job (fixture, "cc main.c", "/src/a", 0, 20, 0);
  add_job (fixture, "make all", "/src/b", 0, 5, 0);
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

static gpointer
find_type (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      gpointer found = find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkColumnView *
get_table (Fixture *fixture)
{
  return find_type (GTK_WIDGET (fixture->page), GTK_TYPE_COLUMN_VIEW);
}

static GtkSelectionModel *
get_selection (Fixture *fixture)
{
  GtkColumnView *table = get_table (fixture);
  GtkListView *list = find_type (
      GTK_WIDGET (find_type (GTK_WIDGET (fixture->page), STINT_TYPE_HISTORY_VIEW)),
      GTK_TYPE_LIST_VIEW);

  return gtk_column_view_get_model (table) != NULL ? gtk_column_view_get_model (table)
                                                   : gtk_list_view_get_model (list);
}

/* The list that is shown, a table's or of its own. */
static GtkWidget *
get_list (Fixture *fixture)
{
  GtkColumnView *table = get_table (fixture);

  return gtk_column_view_get_model (table) != NULL
             ? gtk_widget_get_last_child (GTK_WIDGET (table))
             : find_type (find_type (GTK_WIDGET (fixture->page), STINT_TYPE_HISTORY_VIEW),
                          GTK_TYPE_LIST_VIEW);
}

static StintHistoryModel *
get_model (Fixture *fixture)
{
  return stint_history_list_get_model (STINT_HISTORY_LIST (get_selection (fixture)));
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
  /* Nobody looks yet: a search and its rows would hold up the window's first frame. */
  g_assert_false (stint_history_model_is_busy (get_model (fixture)));
  gtk_window_present (fixture->window);
  /* Which face there is room for. */
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (get_table (fixture))) == (width > 700));
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

static void
describe_row (GtkWidget *row, GString *text)
{
  g_autoptr (GObject) item = NULL;
  g_autoptr (StintJobGroup) group = NULL;
  g_autoptr (StintHistoryItem) job = NULL;

  g_object_get (row, "item", &item, NULL);
  group = stint_history_list_dup_group (item);
  job = stint_history_list_dup_job (item);
  if (group != NULL)
    {
      GtkWidget *box =
          gtk_tree_expander_get_child (GTK_TREE_EXPANDER (gtk_widget_get_first_child (row)));
      g_autofree char *count = stint_history_text_dup_count (group);
      g_autofree char *failures = stint_history_text_dup_failures (group);

      g_string_append_printf (text, "[%s, %s%s%s] ",
                              gtk_label_get_label (GTK_LABEL (gtk_widget_get_first_child (box))), count,
                              *failures != '\0' ? ", " : "", failures);
    }
  else
    {
      const StintEntry *entry = job != NULL ? stint_history_item_get_entry (job) : NULL;

      g_string_append_printf (text, "%" G_GUINT64_FORMAT " ", entry != NULL ? entry->id : 0);
    }
}

/* What the rows show, from the top: the ids of jobs, and groups: "[Today, 2 jobs, 1 failed]". */
static void
describe (GtkWidget *widget, GString *text)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (STINT_IS_HISTORY_ROW (widget))
    {
      describe_row (widget, text);
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
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 [*day, *, 2 jobs, 1 failed] 2 1 "));
  activate (&fixture, "history.group", "s", "directory");
  wait_until (shows (&fixture, "[/src/a, 1 job] 3 [/src/b, 3 jobs, 1 failed] 4 2 1 "));
  activate (&fixture, "history.group", "s", "command");
  wait_until (shows (&fixture, "[*cc main.c*, 1 job] 3 [*make all*, 3 jobs, 1 failed] 4 2 1 "));
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
  wait_until (shows (&fixture, "[Today, 3 jobs] 5 4 3 *"));
  gtk_widget_measure (GTK_WIDGET (fixture.page), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, NARROWEST);
  tear_down (&fixture);
}

/* (transfer none): the title, which stands where its column does while all are shown. */
static GtkWidget *
get_title (Fixture *fixture, guint column)
{
  GtkWidget *title = gtk_widget_get_first_child (
      gtk_widget_get_first_child (GTK_WIDGET (get_table (fixture))));

  for (guint i = 0; i < column; i++)
    title = gtk_widget_get_next_sibling (title);
  return title;
}

/* As GTK does when a title is clicked: the column is in force, with an arrow up, or is turned. */
static void
click_title (Fixture *fixture, guint column)
{
  g_autoptr (GtkColumnViewColumn) clicked =
      g_list_model_get_item (gtk_column_view_get_columns (get_table (fixture)), column);

  gtk_column_view_sort_by_column (get_table (fixture), clicked, GTK_SORT_ASCENDING);
}

static void
send_key (GtkWidget *widget, guint keyval)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (widget);

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
      gboolean handled;

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller))
        g_signal_emit_by_name (controller, "key-pressed", keyval, 0, 0, &handled);
    }
}

static void
assert_sorted (Fixture *fixture, guint column, GtkAccessibleSort wanted)
{
  g_autofree char *wrong = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (get_title (fixture, column)), GTK_ACCESSIBLE_PROPERTY_SORT, wanted);

  g_assert_cmpstr (wrong, ==, NULL);
}

enum
{
  TITLE,
  OUTCOME,
  STARTED,
  DURATION,
  DIRECTORY,
};

static void focus (Fixture *fixture, guint64 id);
static guint64 get_focused (Fixture *fixture);

/* By a click and by keys; the arrow is where the order is, wherever that was chosen. */
static void
test_titles_sort (void)
{
  Fixture fixture;
  GtkWidget *view;

  set_up (&fixture);
  show (&fixture, 900);
  activate (&fixture, "history.group", "s", "none");
  wait_until (shows (&fixture, "4 3 2 1 "));
  assert_sorted (&fixture, STARTED, GTK_ACCESSIBLE_SORT_DESCENDING);
  click_title (&fixture, DURATION);
  wait_until (shows (&fixture, "1 3 2 4 "));
  assert_sorted (&fixture, STARTED, GTK_ACCESSIBLE_SORT_NONE);
  assert_sorted (&fixture, DURATION, GTK_ACCESSIBLE_SORT_DESCENDING);
  click_title (&fixture, DURATION);
  wait_until (shows (&fixture, "4 2 3 1 "));
  assert_sorted (&fixture, DURATION, GTK_ACCESSIBLE_SORT_ASCENDING);

  view = find_type (GTK_WIDGET (fixture.page), STINT_TYPE_HISTORY_VIEW);
  /* Up from the first row, and Down to it. */
  focus (&fixture, 4);
  send_key (view, GDK_KEY_Up);
  g_assert_true (gtk_window_get_focus (fixture.window) == get_title (&fixture, DURATION));
  send_key (gtk_widget_get_parent (get_title (&fixture, DURATION)), GDK_KEY_Down);
  g_assert_cmpuint (get_focused (&fixture), ==, 4);
  g_assert_true (gtk_widget_grab_focus (get_title (&fixture, OUTCOME)));
  send_key (gtk_widget_get_parent (get_title (&fixture, OUTCOME)), GDK_KEY_Return);
  wait_until (shows (&fixture, "2 4 3 1 "));
  send_key (gtk_widget_get_parent (get_title (&fixture, OUTCOME)), GDK_KEY_Left);
  g_assert_true (gtk_window_get_focus (fixture.window) == get_title (&fixture, TITLE));
  send_key (gtk_widget_get_parent (get_title (&fixture, OUTCOME)), GDK_KEY_space);
  wait_until (shows (&fixture, "3 1 2 4 "));

  activate (&fixture, "history.sort", "s", "directory-reverse");
  wait_until (shows (&fixture, "4 2 1 3 "));
  assert_sorted (&fixture, DIRECTORY, GTK_ACCESSIBLE_SORT_DESCENDING);
  assert_sorted (&fixture, TITLE, GTK_ACCESSIBLE_SORT_NONE);
  tear_down (&fixture);
}

/* The job that is selected; 0: none is. */
static guint64
get_selected (Fixture *fixture)
{
  GtkSelectionModel *selection = get_selection (fixture);
  guint selected = stint_history_list_get_selected (STINT_HISTORY_LIST (selection));
  g_autoptr (GObject) item = selected != GTK_INVALID_LIST_POSITION
                                 ? g_list_model_get_item (G_LIST_MODEL (selection), selected)
                                 : NULL;
  g_autoptr (StintHistoryItem) job = stint_history_list_dup_job (item);

  g_assert_true (item == NULL || gtk_selection_model_is_selected (selection, selected));
  return job != NULL ? stint_history_item_get_id (job) : 0;
}

static void
focus_row (Fixture *fixture, guint position)
{
  gtk_selection_model_select_item (get_selection (fixture), position, TRUE);
  gtk_widget_grab_focus (
      GTK_WIDGET (find_type (GTK_WIDGET (fixture->page), STINT_TYPE_HISTORY_VIEW)));
}

/* Left and Right, wherever in the group one is; and a search that goes on does not unfold it again. */
static void
test_fold (gconstpointer data)
{
  Fixture fixture;
  GtkWidget *view;

  set_up (&fixture);
  show (&fixture, GPOINTER_TO_INT (data));
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 [*] 2 1 "));
  view = find_type (GTK_WIDGET (fixture.page), STINT_TYPE_HISTORY_VIEW);
  focus_row (&fixture, 2);
  g_assert_cmpuint (get_selected (&fixture), ==, 3);
  send_key (view, GDK_KEY_Left);
  wait_until (shows (&fixture, "[Today, 2 jobs] [*] 2 1 "));
  g_assert_cmpuint (stint_history_list_get_selected (STINT_HISTORY_LIST (get_selection (&fixture))), ==,
                    0);
  add_job (&fixture, "true", "/src/a", 0, 1, 0);
  wait_until (shows (&fixture, "[Today, 3 jobs] [*] 2 1 "));
  send_key (view, GDK_KEY_Right);
  wait_until (shows (&fixture, "[Today, 3 jobs] 5 4 3 [*] 2 1 "));
  /* A search has groups of its own. */
  stint_history_page_search (fixture.page, "failed:yes");
  wait_until (shows (&fixture, "[*day, *, 1 job, 1 failed] 2 "));
  tear_down (&fixture);
}

/* A job stays selected when others come, when it moves, and when there is no room for columns. */
static void
test_selection_stays (void)
{
  Fixture fixture;
  GtkWidget *table;

  set_up (&fixture);
  show (&fixture, 900);
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 [*] 2 1 "));
  table = GTK_WIDGET (get_table (&fixture));
  focus_row (&fixture, 4);
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  add_job (&fixture, "true", "/src/a", 0, 1, 0);
  wait_until (shows (&fixture, "[Today, 3 jobs] 5 4 3 [*] 2 1 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  activate (&fixture, "history.sort", "s", "oldest");
  wait_until (shows (&fixture, "[*] 1 2 [Today, 3 jobs] 3 4 5 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  activate (&fixture, "history.group", "s", "none");
  wait_until (shows (&fixture, "1 2 3 4 5 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  activate (&fixture, "history.group", "s", "directory");
  wait_until (shows (&fixture, "[/src/a, 2 jobs] 3 5 [/src/b, 3 jobs, 1 failed] 1 2 4 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);

  gtk_window_set_default_size (fixture.window, NARROWEST, 600);
  wait_until (!gtk_widget_get_mapped (table));
  wait_until (shows (&fixture, "[/src/a, 2 jobs] 3 5 [/src/b, 3 jobs, 1 failed] 1 2 4 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  gtk_window_set_default_size (fixture.window, 900, 600);
  wait_until (gtk_widget_get_mapped (table));
  wait_until (shows (&fixture, "[/src/a, 2 jobs] 3 5 [/src/b, 3 jobs, 1 failed] 1 2 4 "));
  g_assert_cmpuint (get_selected (&fixture), ==, 2);
  tear_down (&fixture);
}

static void
count (guint *n)
{
  ++*n;
}

/* How it is sorted, grouped and laid out is there again next time. */
static void
test_layout_is_kept (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  g_autofree char *columns = NULL;
  g_autofree char *widths = NULL;
  guint n_told = 0;
  Fixture fixture;

  set_up (&fixture);
  show (&fixture, 900);
  stint_history_page_set_settings (fixture.page, settings);
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
  activate (&fixture, "history.group", "s", "none");
  activate (&fixture, "history.sort", "s", "longest");
  gtk_widget_activate_action (GTK_WIDGET (fixture.page), "history.column-tags", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture.page), "history.column-started", NULL);
  {
    g_autoptr (GtkColumnViewColumn) column =
        g_list_model_get_item (gtk_column_view_get_columns (get_table (&fixture)), DIRECTORY);

    g_signal_connect_swapped (settings, "notify::history-column-widths", G_CALLBACK (count), &n_told);
    for (int width = 200; width <= 221; width++)
      gtk_column_view_column_set_fixed_width (column, width);
    /* Once for all that a drag makes of it; and what was dragged last when the window goes. */
    g_assert_cmpuint (n_told, ==, 0);
    wait_until (n_told > 0);
    g_assert_cmpuint (n_told, ==, 1);
    wait_until (shows (&fixture, "1 3 2 4 "));
    gtk_column_view_column_set_fixed_width (column, 222);
  }
  gtk_window_destroy (fixture.window);
  wait_until (fixture.window == NULL);
  g_object_get (settings, "history-columns", &columns, "history-column-widths", &widths, NULL);
  g_assert_cmpstr (columns, ==, "outcome,duration,directory,tags");
  g_assert_cmpstr (widths, ==, "directory=222");
  g_signal_handlers_disconnect_by_data (settings, &n_told);

  show (&fixture, 900);
  stint_history_page_set_settings (fixture.page, settings);
  wait_until (shows (&fixture, "1 3 2 4 "));
  g_assert_false (gtk_widget_get_visible (get_title (&fixture, STARTED)));
  wait_until (gtk_widget_get_width (get_title (&fixture, DIRECTORY)) > 200);
  tear_down (&fixture);
}

/* (transfer full): the action that a menu has for this label, and its target. */
static char *
find_action (GMenuModel *menu, const char *label, GVariant **target)
{
  for (int i = 0; i < g_menu_model_get_n_items (menu); i++)
    {
      g_autoptr (GMenuModel) section = g_menu_model_get_item_link (menu, i, G_MENU_LINK_SECTION);
      g_autofree char *found = NULL;
      char *action = NULL;

      if (section != NULL && (action = find_action (section, label, target)) != NULL)
        return action;
      if (g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_LABEL, "s", &found) &&
          g_str_equal (found, label))
        {
          *target = g_menu_model_get_item_attribute_value (menu, i, G_MENU_ATTRIBUTE_TARGET, NULL);
          g_menu_model_get_item_attribute (menu, i, G_MENU_ATTRIBUTE_ACTION, "s", &action);
          return action;
        }
    }
  return NULL;
}

/* A menu that is open is of the job that it was opened for, whatever row has come to stand there. */
static void
test_menu_keeps_its_job (void)
{
  Fixture fixture;
  GtkMenuButton *button;
  g_autoptr (GMenuModel) menu = NULL;
  g_autoptr (GVariant) target = NULL;
  g_autofree char *action = NULL;

  set_up (&fixture);
  show (&fixture, 900);
  activate (&fixture, "history.group", "s", "none");
  wait_until (shows (&fixture, "4 3 2 1 "));
  focus_row (&fixture, 0);
  wait_until (get_selected (&fixture) == 4);
  press_key (fixture.page, GDK_KEY_F10, GDK_SHIFT_MASK);
  button = find_type (gtk_window_get_focus (fixture.window), GTK_TYPE_MENU_BUTTON);
  if (button == NULL)
    button = find_type (GTK_WIDGET (get_table (&fixture)), GTK_TYPE_MENU_BUTTON);
  menu = g_object_ref (gtk_menu_button_get_menu_model (button));
  activate (&fixture, "history.sort", "s", "oldest");
  wait_until (shows (&fixture, "1 2 3 4 "));
  action = find_action (menu, "_Pin", &target);
  g_assert_nonnull (action);
  g_assert_true (gtk_widget_activate_action_variant (GTK_WIDGET (fixture.page), action, target));
  wait_until (history_fixture_count (fixture.history, "SELECT pinned FROM jobs WHERE id = 4") == 1);
  g_assert_cmpint (history_fixture_count (fixture.history, "SELECT count (*) FROM jobs WHERE pinned"), ==,
                   1);
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
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
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

/* What is removed is gone from the list at once, and from the history when nobody wants it back. */
static void
test_removal_is_undone (void)
{
  Fixture fixture;
  GtkWidget *undo;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (4));
  wait_until (shows (&fixture, "[Today, 1 job] 3 *"));
  g_assert_cmpint (history_fixture_count (fixture.history, "SELECT count(*) FROM jobs"), ==, 4);
  wait_until (find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo") != NULL);
  undo = find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo");
  g_signal_emit_by_name (undo, "clicked");
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
  tear_down (&fixture);
}

/* One offer for all of them, and it brings back as many as it says. */
static void
test_removals_are_undone_together (void)
{
  Fixture fixture;
  GtkWidget *undo;

  set_up (&fixture);
  show (&fixture, 800);
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (4));
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (3));
  wait_until (window_fixture_find_text (GTK_WIDGET (fixture.page), "2 jobs removed from the history") != NULL);
  g_assert_null (window_fixture_find_text (GTK_WIDGET (fixture.page), "Job removed from the history"));
  g_assert_cmpint (history_fixture_count (fixture.history, "SELECT count(*) FROM jobs"), ==, 4);
  g_signal_emit_by_name (find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo"), "clicked");
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));

  /* Both go when nobody wants them back; what was brought back is no part of it. */
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (4));
  wait_until (window_fixture_find_text (GTK_WIDGET (fixture.page), "Job removed from the history") != NULL);
  activate (&fixture, "history.remove", "t", G_GUINT64_CONSTANT (2));
  wait_until (window_fixture_find_text (GTK_WIDGET (fixture.page), "2 jobs removed from the history") != NULL);
  undo = find (GTK_WIDGET (fixture.page), GTK_TYPE_BUTTON, "_Undo");
  g_signal_emit_by_name (gtk_widget_get_last_child (gtk_widget_get_parent (undo)), "clicked");
  wait_until (history_fixture_count (fixture.history, "SELECT count(*) FROM jobs") == 2);
  g_assert_cmpint (history_fixture_count (fixture.history, "SELECT count(*) FROM jobs WHERE id IN (1, 3)"), ==, 2);
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
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
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
  wait_until (shows (&fixture, "[Today, 1 job] 4 "));
  tear_down (&fixture);
}

/* Rows change places: more of them than are in view, which are told apart by their ids. */

#define N_MANY 1000

static void
add_many (Fixture *fixture)
{
  g_autofree char *sql = g_strdup_printf (
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
      "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, duration, reason,"
      " exit_code) SELECT 'shell', 'job ' || i, '[]', '{}', 'finished', i * 1000000, i * 1000000,"
      " (i * 7919 %% 997) * 1000000, 'exited', 0 FROM n",
      N_MANY);

  history_fixture_sql (fixture->history, sql);
}

/* 0 for none: of the job that this row shows. */
static guint64
get_id (GtkWidget *row)
{
  StintHistoryItem *item = row != NULL && STINT_IS_HISTORY_ROW (row)
                               ? stint_history_row_get_item (STINT_HISTORY_ROW (row))
                               : NULL;

  return item != NULL ? stint_history_item_get_id (item) : 0;
}

static gboolean
shows_job (GtkWidget *widget, gpointer id)
{
  return get_id (widget) == *(guint64 *) id && gtk_widget_get_mapped (widget);
}

static GtkWidget *
find_row (Fixture *fixture, guint64 id)
{
  return window_fixture_find (GTK_WIDGET (fixture->page), shows_job, &id);
}

/* Of the row that has the focus. */
static guint64
get_focused (Fixture *fixture)
{
  StintHistoryRow *row = stint_history_view_get_focused (
      find_type (GTK_WIDGET (fixture->page), STINT_TYPE_HISTORY_VIEW));

  return row != NULL ? get_id (GTK_WIDGET (row)) : 0;
}

/* Of the row at this place, in view or not. */
static guint64
get_id_at (Fixture *fixture, guint position)
{
  g_autoptr (StintHistoryItem) item =
      g_list_model_get_item (G_LIST_MODEL (get_model (fixture)), position);

  return item != NULL ? stint_history_item_get_id (item) : 0;
}

static void
scroll_to (Fixture *fixture, guint64 id)
{
  guint position = stint_history_list_find (STINT_HISTORY_LIST (get_selection (fixture)), id);

  g_assert_cmpuint (position, !=, GTK_INVALID_LIST_POSITION);
  g_assert_true (
      gtk_widget_activate_action (get_list (fixture), "list.scroll-to-item", "u", position));
}

static void
focus (Fixture *fixture, guint64 id)
{
  GtkWidget *row;

  wait_until (find_row (fixture, id) != NULL);
  row = find_row (fixture, id);
  /* What can be done with it is known when it has been read. */
  wait_until (stint_history_item_get_entry (stint_history_row_get_item (STINT_HISTORY_ROW (row))) !=
              NULL);
  g_assert_true (
      gtk_widget_grab_focus (stint_history_row_get_list_row (STINT_HISTORY_ROW (row))));
  g_assert_cmpuint (get_focused (fixture), ==, id);
}

static void
on_activated (GtkListView *list, guint position, guint *activated)
{
  *activated = position;
}

/* Returns: which job Enter opens. */
static guint64
activate_focused (Fixture *fixture)
{
  GtkWidget *list = get_list (fixture);
  g_autoptr (GObject) item = NULL;
  g_autoptr (StintHistoryItem) job = NULL;
  guint activated = G_MAXUINT;
  gulong handler = g_signal_connect (list, "activate", G_CALLBACK (on_activated), &activated);

  g_assert_true (gtk_widget_activate (gtk_window_get_focus (fixture->window)));
  g_signal_handler_disconnect (list, handler);
  item = g_list_model_get_item (G_LIST_MODEL (get_selection (fixture)), activated);
  job = stint_history_list_dup_job (item);
  return job != NULL ? stint_history_item_get_id (job) : 0;
}

/* What has changed has been laid out and drawn. */
static void
wait_for_draw (Fixture *fixture)
{
  gtk_widget_queue_draw (GTK_WIDGET (fixture->window));
  gtk_test_widget_wait_for_draw (GTK_WIDGET (fixture->window));
}

/* The job that the menu which is open acts on; 0 for none. It is that of the row that it belongs to. */
static guint64
get_menus_job (Fixture *fixture)
{
  GtkWidget *popover = window_fixture_find_type (GTK_WIDGET (fixture->page), GTK_TYPE_POPOVER_MENU);
  g_autoptr (GMenuModel) first = NULL;
  g_autoptr (GVariant) target = NULL;

  if (popover == NULL)
    return 0;
  first = g_menu_model_get_item_link (
      gtk_popover_menu_get_menu_model (GTK_POPOVER_MENU (popover)), 0, G_MENU_LINK_SECTION);
  target = g_menu_model_get_item_attribute_value (first, 0, G_MENU_ATTRIBUTE_TARGET,
                                                  G_VARIANT_TYPE_UINT64);
  g_assert_cmpuint (get_id (gtk_widget_get_ancestor (popover, STINT_TYPE_HISTORY_ROW)), ==,
                    g_variant_get_uint64 (target));
  return g_variant_get_uint64 (target);
}

/* An open menu grabs the pointer, which programs share: if somebody else has it GTK shows none, and must be asked
 * anew. */
static gboolean
opens_menu (Fixture *fixture, guint64 id)
{
  focus (fixture, id);
  gtk_menu_button_popdown (
      GTK_MENU_BUTTON (find_type (find_row (fixture, id), GTK_TYPE_MENU_BUTTON)));
  press_key (fixture->page, GDK_KEY_F10, GDK_SHIFT_MASK);
  return window_fixture_find_type (GTK_WIDGET (fixture->page), GTK_TYPE_POPOVER_MENU) != NULL;
}

static void
open_menu (Fixture *fixture, guint64 id)
{
  wait_until (opens_menu (fixture, id));
  g_assert_cmpuint (get_menus_job (fixture), ==, id);
}

/* What other programs do to the history, and that the list has taken it in. */
static void
change_elsewhere (Fixture *fixture, const char *sql)
{
  guint64 newest;

  if (sql != NULL)
    history_fixture_sql (fixture->history, sql);
  newest = add_job (fixture, "something else", "/", 0, 1, 0);
  wait_until (get_id_at (fixture, 0) == newest);
  wait_for_draw (fixture);
}

/* Jobs come and go above and below; far down, too, where another search would not have come to yet. */
static void
test_focus_stays_on_its_job (void)
{
  static const guint64 ids[] = { 3, N_MANY / 2 };
  Fixture fixture;

  set_up (&fixture);
  add_many (&fixture);
  show (&fixture, 800);
  wait_until (get_id_at (&fixture, 0) == 4);
  for (guint i = 0; i < G_N_ELEMENTS (ids); i++)
    {
      guint64 id = ids[i];
      g_autofree char *sql =
          g_strdup_printf ("DELETE FROM jobs WHERE id IN (%u, %u)", (guint) id - 1, (guint) id + 1);

      scroll_to (&fixture, id);
      focus (&fixture, id);
      change_elsewhere (&fixture, NULL);
      g_assert_cmpuint (get_focused (&fixture), ==, id);
      change_elsewhere (&fixture, sql);
      g_assert_cmpuint (get_focused (&fixture), ==, id);
      /* Out of view, and back. */
      scroll_to (&fixture, N_MANY);
      wait_for_draw (&fixture);
      g_assert_cmpuint (get_focused (&fixture), ==, id);
      g_assert_cmpuint (activate_focused (&fixture), ==, id);
    }
  tear_down (&fixture);
}

static void
test_menu_stays_on_its_job (void)
{
  Fixture fixture;

  set_up (&fixture);
  add_many (&fixture);
  show (&fixture, 800);
  wait_until (get_id_at (&fixture, 0) == 4);
  open_menu (&fixture, 3);
  change_elsewhere (&fixture, "DELETE FROM jobs WHERE id = 2");
  g_assert_cmpuint (get_menus_job (&fixture), ==, 3);
  /* Its row goes, and with it its menu; in its place is another job. */
  change_elsewhere (&fixture, "DELETE FROM jobs WHERE id = 3");
  g_assert_cmpuint (get_menus_job (&fixture), ==, 0);
  open_menu (&fixture, 4);
  activate (&fixture, "history.sort", "s", "oldest");
  wait_until (get_id_at (&fixture, 0) == 5);
  wait_for_draw (&fixture);
  g_assert_true (get_menus_job (&fixture) == 0 || get_menus_job (&fixture) == 4);
  tear_down (&fixture);
}

/* Whether the keyboard is in a menu, which has a surface of its own. */
static gboolean
is_in_menu (Fixture *fixture)
{
  GtkWidget *focus = gtk_window_get_focus (fixture->window);

  return focus != NULL && GTK_IS_POPOVER (gtk_widget_get_native (focus));
}

/* Left would fold the group that the menu's row is in, and Up and Right take the focus out of the menu. */
static void
test_menu_has_its_keys (void)
{
  static const guint keyvals[] = { GDK_KEY_Left, GDK_KEY_Right, GDK_KEY_Up };
  Fixture fixture;
  GtkWidget *view;

  set_up (&fixture);
  show (&fixture, 900);
  wait_until (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
  view = find_type (GTK_WIDGET (fixture.page), STINT_TYPE_HISTORY_VIEW);
  open_menu (&fixture, 3);
  wait_until (is_in_menu (&fixture));
  for (guint i = 0; i < G_N_ELEMENTS (keyvals); i++)
    {
      send_key (view, keyvals[i]);
      g_assert_true (is_in_menu (&fixture));
      g_assert_true (shows (&fixture, "[Today, 2 jobs] 4 3 *"));
    }
  g_assert_cmpuint (get_menus_job (&fixture), ==, 3);
  tear_down (&fixture);
}

/* Before, while and after the rows around it come and go. What has been hit is the job that had the focus;
 * then the next has it. When a job goes that somebody else has removed, the key hits none. */
static void
test_delete_hits_its_job (void)
{
  Fixture fixture;

  set_up (&fixture);
  add_many (&fixture);
  show (&fixture, 800);
  wait_until (get_id_at (&fixture, 0) == 4);
  focus (&fixture, 3);
  history_fixture_sql (fixture.history, "DELETE FROM jobs WHERE id = 4");
  /* The list does not know yet: nobody has told it. */
  g_assert_cmpuint (get_id_at (&fixture, 0), ==, 4);
  press_key (fixture.page, GDK_KEY_Delete, 0);
  g_assert_cmpuint (get_focused (&fixture), ==, 2);
  add_job (&fixture, "something else", "/", 0, 1, 0);
  wait_until (get_id_at (&fixture, 0) > 4);
  wait_for_draw (&fixture);
  g_assert_null (find_row (&fixture, 3));
  g_assert_cmpuint (get_focused (&fixture), ==, 2);
  change_elsewhere (&fixture, "DELETE FROM jobs WHERE id = 2");
  g_assert_cmpuint (get_focused (&fixture), ==, 0);
  g_assert_false (press_is_taken (fixture.page, GDK_KEY_Delete, 0));
  tear_down (&fixture);
}

static void
assert_name (GtkWidget *widget, const char *name)
{
  g_autofree char *other = gtk_test_accessible_check_property (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name);

  g_assert_cmpstr (other, ==, NULL);
}

/* Of a row that shows another job now, and has not read it yet, nobody says the last one's name. */
static void
test_no_name_of_another (void)
{
  g_autoptr (StintHistoryItem) unread = stint_history_item_new (1);
  g_autoptr (StintHistoryItem) read = stint_history_item_new (2);
  StintEntry *entry = g_new0 (StintEntry, 1);
  GtkWidget *row = g_object_ref_sink (g_object_new (STINT_TYPE_HISTORY_ROW, NULL));

  entry->command = g_strdup ("make");
  entry->tags = g_new0 (char *, 1);
  stint_history_item_take_entry (read, entry);
  g_object_set (row, "item", read, NULL);
  assert_name (row, "make, Ended");
  g_object_set (row, "item", unread, NULL);
  assert_name (row, "Reading…");
  g_object_unref (row);
}

int
main (int argc, char **argv)
{
  const GLogLevelFlags critical = G_LOG_LEVEL_CRITICAL | G_LOG_FLAG_FATAL | G_LOG_FLAG_RECURSION;

  window_fixture_init (&argc, &argv);
  g_log_set_handler ("Gdk", critical, tell, NULL);
  g_log_set_handler ("Gtk", critical, tell, NULL);
  g_test_add_func ("/app/history-page/groups-and-sorts", test_groups_and_sorts);
  g_test_add_func ("/app/history-page/titles-sort", test_titles_sort);
  g_test_add_data_func ("/app/history-page/fold/columns", GINT_TO_POINTER (900), test_fold);
  g_test_add_data_func ("/app/history-page/fold/list", GINT_TO_POINTER (NARROWEST), test_fold);
  g_test_add_func ("/app/history-page/selection-stays", test_selection_stays);
  g_test_add_func ("/app/history-page/layout-is-kept", test_layout_is_kept);
  g_test_add_func ("/app/history-page/menu-keeps-its-job", test_menu_keeps_its_job);
  g_test_add_func ("/app/history-page/narrow", test_narrow);
  g_test_add_func ("/app/history-page/menu-of-a-row", test_menu_of_a_row);
  g_test_add_func ("/app/history-page/removal-is-undone", test_removal_is_undone);
  g_test_add_func ("/app/history-page/removals-are-undone-together", test_removals_are_undone_together);
  g_test_add_func ("/app/history-page/details", test_details);
  g_test_add_func ("/app/history-page/focus-stays-on-its-job", test_focus_stays_on_its_job);
  g_test_add_func ("/app/history-page/menu-stays-on-its-job", test_menu_stays_on_its_job);
  g_test_add_func ("/app/history-page/menu-has-its-keys", test_menu_has_its_keys);
  g_test_add_func ("/app/history-page/delete-hits-its-job", test_delete_hits_its_job);
  g_test_add_func ("/app/history-page/no-name-of-another", test_no_name_of_another);
  return window_fixture_run ();
}
