/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The history as a list: how it is grouped and sorted, what the menu of a row does, also while rows change
 * places, and what the details of a job show and change.
 */
#include "stint-history-details.h"
#include "stint-history-model.h"
#include "stint-history-page.h"
#include "stint-history-row.h"
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

static void
set_up (Fixture *fixture)
{
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

static StintHistoryModel *
get_model (Fixture *fixture)
{
  GtkWidget *list = find (GTK_WIDGET (fixture->page), GTK_TYPE_LIST_VIEW, NULL);

  return STINT_HISTORY_MODEL (gtk_no_selection_get_model (
      GTK_NO_SELECTION (gtk_list_view_get_model (GTK_LIST_VIEW (list)))));
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
      StintHistoryItem *item = stint_history_row_get_item (STINT_HISTORY_ROW (widget));
      const StintEntry *entry;

      if (!gtk_widget_get_mapped (widget))
        return;
      entry = item != NULL ? stint_history_item_get_entry (item) : NULL;
      if (gtk_widget_get_visible (group))
        g_string_append_printf (text, "[%s] ", gtk_label_get_label (GTK_LABEL (group)));
      g_string_append_printf (text, "%" G_GUINT64_FORMAT " ", entry != NULL ? entry->id : 0);
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
  GtkWidget *focus = gtk_window_get_focus (fixture->window);

  return focus != NULL ? get_id (gtk_widget_get_first_child (focus)) : 0;
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
  GtkWidget *list = find (GTK_WIDGET (fixture->page), GTK_TYPE_LIST_VIEW, NULL);
  guint position = 0;

  while (get_id_at (fixture, position) != id)
    position++;
  g_assert_true (gtk_widget_activate_action (list, "list.scroll-to-item", "u", position));
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
  g_assert_true (gtk_widget_grab_focus (gtk_widget_get_parent (row)));
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
  GtkWidget *list = find (GTK_WIDGET (fixture->page), GTK_TYPE_LIST_VIEW, NULL);
  guint activated = G_MAXUINT;
  gulong handler = g_signal_connect (list, "activate", G_CALLBACK (on_activated), &activated);

  g_assert_true (gtk_widget_activate (gtk_window_get_focus (fixture->window)));
  g_signal_handler_disconnect (list, handler);
  return get_id_at (fixture, activated);
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

static void
open_menu (Fixture *fixture, guint64 id)
{
  focus (fixture, id);
  press_key (fixture->page, GDK_KEY_F10, GDK_SHIFT_MASK);
  wait_until (window_fixture_find_type (GTK_WIDGET (fixture->page), GTK_TYPE_POPOVER_MENU) != NULL);
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
  g_autoptr (StintHistoryItem) unread = stint_history_item_new (1, STINT_GROUP_NONE);
  g_autoptr (StintHistoryItem) read = stint_history_item_new (2, STINT_GROUP_NONE);
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
  window_fixture_init (&argc, &argv);
  g_test_add_func ("/app/history-page/groups-and-sorts", test_groups_and_sorts);
  g_test_add_func ("/app/history-page/narrow", test_narrow);
  g_test_add_func ("/app/history-page/menu-of-a-row", test_menu_of_a_row);
  g_test_add_func ("/app/history-page/removal-is-undone", test_removal_is_undone);
  g_test_add_func ("/app/history-page/details", test_details);
  g_test_add_func ("/app/history-page/focus-stays-on-its-job", test_focus_stays_on_its_job);
  g_test_add_func ("/app/history-page/menu-stays-on-its-job", test_menu_stays_on_its_job);
  g_test_add_func ("/app/history-page/delete-hits-its-job", test_delete_hits_its_job);
  g_test_add_func ("/app/history-page/no-name-of-another", test_no_name_of_another);
  return window_fixture_run ();
}
