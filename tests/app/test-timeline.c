/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A day of the history as its user meets it: what is read, what the keys do, what is said.
 */
#include "stint-history-day.h"
#include "stint-history-span.h"
#include "stint-resources.h"
#include "stint-timeline-private.h"

#include "engine-fixture.h"
#include "history-fixture.h"
#include "press-key.h"

#include <adwaita.h>

#define HOUR G_TIME_SPAN_HOUR

typedef struct
{
  HistoryFixture *history;
  GtkWindow *window; /* weak */
  StintHistoryDay *day;
  StintTimeline *timeline;
  gint64 midnight; /* of a day in the past */
  guint64 opened;
} Fixture;

/* A job that ran at that time of the day. Returns: its id */
static guint64
add_job (HistoryFixture *history, const char *line, gint64 started_at, gint64 duration, int exit_code)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (line);
  g_autoptr (StintJobPlace) place = history_fixture_begin_spec (history, spec);
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GError) error = NULL;

  stint_result_set_wait_status (result, exit_code << 8);
  result->started_at = started_at;
  result->duration = duration;
  history_fixture_finish (history, place->id, spec, result, &error);
  g_assert_no_error (error);
  return place->id;
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  ((Fixture *) user_data)->opened = g_variant_get_uint64 (parameter);
}

static GtkWidget *
find_type (GtkWidget *widget, GType type)
{
  if (G_TYPE_CHECK_INSTANCE_TYPE (widget, type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_type (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gint64
get_midnight (int days_ago)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autoptr (GDateTime) day = g_date_time_add_days (now, -days_ago);
  g_autoptr (GDateTime) midnight =
      g_date_time_new_local (g_date_time_get_year (day), g_date_time_get_month (day),
                             g_date_time_get_day_of_month (day), 0, 0, 0);

  return g_date_time_to_unix (midnight) * G_USEC_PER_SEC;
}

static void
set_up (Fixture *fixture)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = on_open, .parameter_type = "t" },
  };
  g_autoptr (GSimpleActionGroup) actions = g_simple_action_group_new ();

  *fixture = (Fixture){ .history = history_fixture_new (), .midnight = get_midnight (3) };
  g_action_map_add_action_entries (G_ACTION_MAP (actions), entries, G_N_ELEMENTS (entries), fixture);
  fixture->day = g_object_new (STINT_TYPE_HISTORY_DAY, NULL);
  fixture->timeline =
      STINT_TIMELINE (find_type (GTK_WIDGET (fixture->day), STINT_TYPE_TIMELINE));
  stint_history_day_set_history (fixture->day, fixture->history->history);
  g_set_weak_pointer (&fixture->window, GTK_WINDOW (gtk_window_new ()));
  gtk_widget_insert_action_group (GTK_WIDGET (fixture->window), "history", G_ACTION_GROUP (actions));
  gtk_window_set_default_size (fixture->window, 800, 400);
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->day));
  gtk_window_present (fixture->window);
  wait_until (gtk_widget_get_width (GTK_WIDGET (fixture->timeline)) > 0);
}

static void
tear_down (Fixture *fixture)
{
  gtk_window_destroy (fixture->window);
  wait_until (fixture->window == NULL);
  /* What was being read has been let go. */
  wait_until (G_OBJECT (fixture->history->history)->ref_count == 1);
  history_fixture_free (fixture->history);
}

/* The job that the keyboard is at, as a screen reader says it. */
static void
assert_said (Fixture *fixture, const char *name, const char *description)
{
  GtkWidget *focus = gtk_window_get_focus (fixture->window);
  g_autofree char *wrong = NULL;
  g_autofree char *also_wrong = NULL;

  g_assert_nonnull (focus);
  g_assert_true (gtk_widget_is_ancestor (focus, GTK_WIDGET (fixture->timeline)));
  wrong = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focus),
                                              GTK_ACCESSIBLE_PROPERTY_LABEL, name);
  g_assert_cmpstr (wrong, ==, NULL);
  also_wrong = gtk_test_accessible_check_property (GTK_ACCESSIBLE (focus),
                                                   GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description);
  g_assert_cmpstr (also_wrong, ==, NULL);
}

static guint64
get_selected (Fixture *fixture)
{
  const StintEntry *entry = stint_timeline_get_selected (fixture->timeline);

  return entry != NULL ? entry->id : 0;
}

static void
test_keys (void)
{
  Fixture fixture;
  guint64 first, second, third;
  GtkWidget *focus;

  set_up (&fixture);
  first = add_job (fixture.history, "make all", fixture.midnight + HOUR, 2 * HOUR, 0);
  second = add_job (fixture.history, "make check", fixture.midnight + 2 * HOUR, HOUR / 2, 2);
  third = add_job (fixture.history, "sleep 1", fixture.midnight + 20 * HOUR, G_TIME_SPAN_SECOND, 0);
  stint_history_day_show (fixture.day, fixture.midnight + 5 * HOUR);
  wait_until (get_selected (&fixture) == third);
  g_assert_true (gtk_widget_grab_focus (GTK_WIDGET (fixture.day)));
  assert_said (&fixture, "sleep 1, Done, from 20:00:00 to 20:00:01, took 1 s",
               "Job 3 of 3; nothing ran beside it");

  press_key (fixture.timeline, GDK_KEY_Left, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, second);
  assert_said (&fixture, "make check, Exited with code 2, from 02:00:00 to 02:30:00, took 30 min",
               "Job 2 of 3; 1 other ran beside it");
  focus = gtk_window_get_focus (fixture.window);
  /* To what ran beside it; the focus moves, or nobody would be told. */
  press_key (fixture.timeline, GDK_KEY_Up, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, first);
  g_assert_true (gtk_window_get_focus (fixture.window) != focus);
  press_key (fixture.timeline, GDK_KEY_Down, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, second);
  press_key (fixture.timeline, GDK_KEY_End, 0);
  press_key (fixture.timeline, GDK_KEY_Right, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, third);
  press_key (fixture.timeline, GDK_KEY_Home, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, first);
  press_key (fixture.timeline, GDK_KEY_Return, 0);
  g_assert_cmpuint (fixture.opened, ==, first);

  /* Right to left, the arrows go where they point. */
  gtk_widget_set_direction (GTK_WIDGET (fixture.timeline), GTK_TEXT_DIR_RTL);
  press_key (fixture.timeline, GDK_KEY_Left, 0);
  g_assert_cmpuint (get_selected (&fixture), ==, second);
  tear_down (&fixture);
}

static void
test_days (void)
{
  Fixture fixture;
  guint64 earlier, later;

  set_up (&fixture);
  earlier = add_job (fixture.history, "earlier", fixture.midnight - HOUR, 2 * HOUR, 0);
  later = add_job (fixture.history, "later", fixture.midnight + 5 * HOUR, HOUR, 0);
  stint_history_day_show_job (fixture.day, earlier, fixture.midnight);
  wait_until (get_selected (&fixture) == earlier);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.day));
  /* It ran over midnight, and is on both days; the other is on one. */
  press_key (fixture.timeline, GDK_KEY_Page_Up, 0);
  g_assert_cmpint (g_date_time_to_unix (stint_history_day_get_day (fixture.day)), ==,
                   get_midnight (4) / G_USEC_PER_SEC);
  wait_until (get_selected (&fixture) == earlier);
  assert_said (&fixture, "earlier, Done, from 23:00:00 to 01:00:00, took 2 h 0 min",
               "Job 1 of 1; nothing ran beside it");
  press_key (fixture.timeline, GDK_KEY_Page_Up, 0);
  wait_until (get_selected (&fixture) == 0);
  gtk_widget_activate_action (GTK_WIDGET (fixture.day), "day.next", NULL);
  gtk_widget_activate_action (GTK_WIDGET (fixture.day), "day.next", NULL);
  wait_until (get_selected (&fixture) == later);
  /* There is no tomorrow. */
  gtk_widget_activate_action (GTK_WIDGET (fixture.day), "day.today", NULL);
  g_assert_false (gtk_widget_activate_action (GTK_WIDGET (fixture.day), "day.next", NULL) &&
                  g_date_time_to_unix (stint_history_day_get_day (fixture.day)) >
                      get_midnight (0) / G_USEC_PER_SEC);
  tear_down (&fixture);
}

static GtkWidget *
find_label (GtkWidget *widget, const char *text)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
      g_str_equal (gtk_label_get_label (GTK_LABEL (widget)), text))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_label (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static void
test_search_applies (void)
{
  g_autoptr (StintHistoryQuery) failed = NULL;
  g_autoptr (StintHistoryQuery) other = NULL;
  Fixture fixture;
  guint64 good, bad;

  set_up (&fixture);
  bad = add_job (fixture.history, "make bad", fixture.midnight + HOUR, HOUR, 1);
  good = add_job (fixture.history, "make good", fixture.midnight + 2 * HOUR, HOUR, 0);
  stint_history_day_show (fixture.day, fixture.midnight);
  wait_until (get_selected (&fixture) == good);
  g_assert_nonnull (find_label (GTK_WIDGET (fixture.day), "2 jobs, 1 failed"));
  failed = stint_history_query_parse ("failed:yes make", g_get_real_time (), NULL);
  stint_history_day_set_query (fixture.day, failed);
  wait_until (get_selected (&fixture) == bad);
  g_assert_nonnull (find_label (GTK_WIDGET (fixture.day), "1 job, 1 failed"));
  other = stint_history_query_parse ("nothing-like-this", g_get_real_time (), NULL);
  stint_history_day_set_query (fixture.day, other);
  wait_until (get_selected (&fixture) == 0);
  wait_until (find_label (GTK_WIDGET (fixture.day), "Nothing found on this day") != NULL);
  gtk_widget_grab_focus (GTK_WIDGET (fixture.day));
  assert_said (&fixture, "Nothing found on this day", "");
  tear_down (&fixture);
}

/* A job that is being removed is not shown, and is again when that is undone. */
static void
test_hidden (void)
{
  Fixture fixture;
  guint64 first, second;

  set_up (&fixture);
  first = add_job (fixture.history, "first", fixture.midnight + HOUR, HOUR, 0);
  second = add_job (fixture.history, "second", fixture.midnight + 2 * HOUR, HOUR, 0);
  stint_history_day_show (fixture.day, fixture.midnight);
  wait_until (get_selected (&fixture) == second);
  stint_history_day_set_hidden (fixture.day, second, TRUE);
  wait_until (get_selected (&fixture) == first);
  g_assert_false (stint_timeline_select (fixture.timeline, second));
  stint_history_day_set_hidden (fixture.day, second, FALSE);
  wait_until (stint_timeline_select (fixture.timeline, second));
  tear_down (&fixture);
}

/* A telephone has room for it, whatever the jobs are called. */
static void
test_narrow (void)
{
  Fixture fixture;
  g_autofree char *word = g_strnfill (300, 'x');
  guint64 id;
  int minimum;

  set_up (&fixture);
  id = add_job (fixture.history, word, fixture.midnight + HOUR, HOUR, 0);
  stint_history_day_show (fixture.day, fixture.midnight);
  wait_until (get_selected (&fixture) == id);
  gtk_widget_measure (GTK_WIDGET (fixture.day), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  g_assert_cmpint (minimum, <=, 360);
  tear_down (&fixture);
}

/* Short ones that stand close are one block, which says so; closer, they are themselves. */
static void
test_blocks (void)
{
  Fixture fixture;
  g_autofree char *block = NULL;
  g_autofree char *one = NULL;
  g_autofree char *none = NULL;
  double x;
  guint64 last = 0;

  set_up (&fixture);
  for (guint i = 0; i < 5; i++)
    last = add_job (fixture.history, "quick",
                    fixture.midnight + 12 * HOUR + i * 2 * G_TIME_SPAN_SECOND, G_TIME_SPAN_SECOND,
                    i == 2);
  stint_history_day_show (fixture.day, fixture.midnight);
  wait_until (get_selected (&fixture) == last);
  x = gtk_widget_get_width (GTK_WIDGET (fixture.timeline)) / 2.0;
  block = stint_timeline_dup_tooltip (fixture.timeline, x + 2, 18);
  g_assert_cmpstr (block, ==,
                   "5 jobs that ran one after the other, 1 failed. Zoom in to see them.");
  none = stint_timeline_dup_tooltip (fixture.timeline, 10, 18);
  g_assert_null (none);
  for (guint i = 0; i < 30; i++)
    press_key (fixture.timeline, GDK_KEY_plus, 0);
  /* The selected one is still looked at. */
  x = stint_timeline_get_middle (fixture.timeline);
  one = stint_timeline_dup_tooltip (fixture.timeline, x, 18);
  g_assert_cmpstr (one, ==, "quick, Done, from 12:00:08 to 12:00:09, took 1 s");
  press_key (fixture.timeline, GDK_KEY_0, 0);
  tear_down (&fixture);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* A day with very many: read elsewhere than on the main thread, drawn, and one can go through them. */
static void
test_many (void)
{
  Fixture fixture;
  g_autofree char *sql = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;

  set_up (&fixture);
  sql = g_strdup_printf (
      "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) "
      "INSERT INTO jobs (kind, command, tags, spec, state, created_at, started_at, duration, reason,"
      " exit_code) SELECT 'shell', 'job ' || i, '[]', '{}', 'finished', t, t,"
      " (i * 7919 %% 60) * 1000000, 'exited', i %% 10 = 0 FROM (SELECT i, %" G_GINT64_FORMAT
      " + i * 8000000 AS t FROM n)",
      fixture.midnight);
  add_job (fixture.history, "before", fixture.midnight - HOUR, 1, 0);
  history_fixture_sql (fixture.history, sql);
  stint_history_read_span_async (fixture.history->history, NULL, fixture.midnight,
                                 fixture.midnight + 24 * HOUR, NULL, on_read, &result);
  wait_until (result != NULL);
  entries = stint_history_read_span_finish (fixture.history->history, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 10000);
  g_clear_object (&result);

  stint_history_day_show (fixture.day, fixture.midnight);
  wait_until (get_selected (&fixture) != 0);
  g_assert_nonnull (find_label (GTK_WIDGET (fixture.day), "10000 jobs, 1000 failed"));
  gtk_widget_grab_focus (GTK_WIDGET (fixture.day));
  for (guint i = 0; i < 50; i++)
    press_key (fixture.timeline, GDK_KEY_Left, 0);
  g_assert_cmpstr (stint_timeline_get_selected (fixture.timeline)->command, ==, "job 9950");
  tear_down (&fixture);
}

/* What began before is found, also if it still runs; what is not of the day is not; and who no longer
 * wants to know is not told. */
static void
test_span (void)
{
  g_autoptr (HistoryFixture) history = history_fixture_new ();
  gint64 day = get_midnight (2);
  guint64 over, within, running;
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) cancelled_result = NULL;
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GPtrArray) none = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *sql = NULL;

  add_job (history, "earlier", day - 2 * HOUR, HOUR, 0);
  over = add_job (history, "over", day - 30 * HOUR, 100 * HOUR, 0);
  within = add_job (history, "within", day + HOUR, 0, 0);
  add_job (history, "later", day + 24 * HOUR, HOUR, 0);
  place = history_fixture_begin (history, "still running");
  running = place->id;
  sql = g_strdup_printf ("UPDATE jobs SET started_at = %" G_GINT64_FORMAT " WHERE id = %" G_GUINT64_FORMAT,
                         day - 3000 * HOUR, running);
  history_fixture_sql (history, sql);
  stint_history_read_span_async (history->history, NULL, day, day + 24 * HOUR, NULL, on_read,
                                 &result);
  stint_history_read_span_async (history->history, NULL, day, day + 24 * HOUR, cancellable, on_read,
                                 &cancelled_result);
  g_cancellable_cancel (cancellable);
  wait_until (result != NULL && cancelled_result != NULL);
  entries = stint_history_read_span_finish (history->history, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (entries->len, ==, 3);
  g_assert_cmpuint (((StintEntry *) entries->pdata[0])->id, ==, running);
  g_assert_true (((StintEntry *) entries->pdata[0])->running);
  g_assert_cmpuint (((StintEntry *) entries->pdata[1])->id, ==, over);
  g_assert_cmpuint (((StintEntry *) entries->pdata[2])->id, ==, within);
  none = stint_history_read_span_finish (history->history, cancelled_result, &error);
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_null (none);
  g_clear_object (&result);
  g_clear_object (&cancelled_result);
}

/* A wheel moves by notches, a finger by pixels; and what is not for it is left to the lanes. */
static void
test_scroll (void)
{
  Fixture fixture;
  StintTimeScale *scale;
  double width, step, ratio;
  gint64 from, visible;

  set_up (&fixture);
  scale = fixture.timeline->scale;
  width = stint_time_scale_get_width (scale);
  stint_time_scale_zoom (scale, 0.25, width / 2);
  from = stint_time_scale_get_from (scale);
  visible = stint_time_scale_get_visible (scale);
  step = stint_time_scale_get_step (scale);

  /* Far less than a notch, which is 8 % of what is seen. */
  g_assert_true (stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_SURFACE, 0, 4, 1));
  ratio = (double) (stint_time_scale_get_from (scale) - from) / step;
  g_assert_cmpfloat_with_epsilon (ratio, 10, 0.1);
  stint_time_scale_set_from (scale, from);
  g_assert_true (stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_WHEEL, 0, 1, 0));
  ratio = (double) (stint_time_scale_get_from (scale) - from) / (double) visible;
  g_assert_cmpfloat_with_epsilon (ratio, 0.08, 0.001);
  /* A wheel has but one direction: Shift is the other. */
  stint_time_scale_set_from (scale, from);
  g_assert_true (
      stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_WHEEL, GDK_SHIFT_MASK, 0, -1));
  g_assert_cmpint (stint_time_scale_get_from (scale), <, from);
  stint_time_scale_set_from (scale, from);
  g_assert_false (stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_SURFACE, 0, 3, 12));
  g_assert_cmpint (stint_time_scale_get_from (scale), ==, from);

  /* Up is closer, as much as it is; to the side is neither. */
  g_assert_true (
      stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_WHEEL, GDK_CONTROL_MASK, 1, 0));
  g_assert_cmpint (stint_time_scale_get_visible (scale), ==, visible);
  g_assert_true (
      stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_WHEEL, GDK_CONTROL_MASK, 0, -1));
  ratio = (double) stint_time_scale_get_visible (scale) / (double) visible;
  g_assert_cmpfloat_with_epsilon (ratio, 1 / 1.5, 0.001);
  g_assert_true (
      stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_WHEEL, GDK_CONTROL_MASK, 0, 1));
  for (guint i = 0; i < 10; i++)
    g_assert_true (
        stint_timeline_scroll (fixture.timeline, GDK_SCROLL_UNIT_SURFACE, GDK_CONTROL_MASK, 0, -4));
  ratio = (double) stint_time_scale_get_visible (scale) / (double) visible;
  g_assert_cmpfloat_with_epsilon (ratio, 1 / 1.5, 0.001);
  tear_down (&fixture);
}

/* A place so many hours to the east: @east is from -23 to 23. */
static void
go_to (int east)
{
  g_autofree char *zone = g_strdup_printf ("HERE%+d", -east);

  g_setenv ("TZ", zone, TRUE);
}

static int
get_hours_to_noon (void)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  return 12 - g_date_time_get_hour (now);
}

/* The days of a test are as long as others, and do not end meanwhile. */
static void
go_where_it_is_noon (void)
{
  go_to (get_hours_to_noon ());
}

/* Who looks at today is still looking at it on the next day, and it is yesterday. */
static void
test_midnight (void)
{
  int noon = get_hours_to_noon ();
  int west = noon > 0 ? noon - 24 : noon;
  GtkWindow *window = GTK_WINDOW (gtk_window_new ());
  StintHistoryDay *day;
  g_autoptr (GDateTime) before = NULL;

  go_to (west);
  day = g_object_new (STINT_TYPE_HISTORY_DAY, NULL);
  before = g_date_time_ref (stint_history_day_get_day (day));
  gtk_window_set_child (window, GTK_WIDGET (day));
  gtk_window_present (window);
  wait_until (find_label (GTK_WIDGET (day), "Today") != NULL);
  gtk_widget_activate_action (GTK_WIDGET (day), "day.next", NULL);
  g_assert_true (stint_history_day_get_day (day) == before);

  /* Not a whole day: its midnight would be the same moment. */
  go_to (west + 23);
  wait_until (find_label (GTK_WIDGET (day), "Yesterday") != NULL);
  g_assert_true (stint_history_day_get_day (day) == before);
  gtk_widget_activate_action (GTK_WIDGET (day), "day.next", NULL);
  wait_until (find_label (GTK_WIDGET (day), "Today") != NULL);
  gtk_window_destroy (window);
  go_where_it_is_noon ();
}

/* The clocks are put forward at midnight: the day begins at one, and ends as every other does. */
static void
test_no_midnight (void)
{
  Fixture fixture;
  g_autoptr (GDateTime) noon = NULL;
  g_autoptr (GDateTime) next = NULL;

  g_setenv ("TZ", "HERE0SUMMER,M4.5.5/0,M10.5.4/24", TRUE);
  set_up (&fixture);
  noon = g_date_time_new_local (2026, 4, 24, 12, 0, 0);
  next = g_date_time_new_local (2026, 4, 25, 0, 0, 0);
  stint_history_day_show (fixture.day, g_date_time_to_unix (noon) * G_USEC_PER_SEC);
  g_assert_cmpint (g_date_time_get_hour (stint_history_day_get_day (fixture.day)), ==, 1);
  g_assert_cmpint (stint_time_scale_get_end (fixture.timeline->scale), ==,
                   g_date_time_to_unix (next) * G_USEC_PER_SEC);
  g_assert_cmpint (stint_time_scale_get_begin (fixture.timeline->scale), ==,
                   (g_date_time_to_unix (next) - 23 * 3600) * G_USEC_PER_SEC);
  tear_down (&fixture);
  go_where_it_is_noon ();
}

static void
assert_day (StintHistoryDay *day, const char *wanted)
{
  g_autofree char *text = g_date_time_format (stint_history_day_get_day (day), "%Y-%m-%d");

  g_assert_cmpstr (text, ==, wanted);
}

/* The arrows of the calendar look at another day at once, and leave it open; so every day can be had. */
/* An open menu grabs the pointer, which programs share: if somebody else has it GTK shows none, and must be asked
 * anew. */
static gboolean
opens (GtkWidget *popover)
{
  if (gtk_widget_get_mapped (popover))
    return TRUE;
  gtk_popover_popdown (GTK_POPOVER (popover));
  gtk_popover_popup (GTK_POPOVER (popover));
  return gtk_widget_get_mapped (popover);
}

static void
test_calendar (void)
{
  Fixture fixture;
  GtkWidget *calendar, *popover, *arrow;
  g_autoptr (GDateTime) last = g_date_time_new_local (2026, 3, 31, 12, 0, 0);
  g_autoptr (GDateTime) other = g_date_time_new_local (2026, 1, 12, 12, 0, 0);

  set_up (&fixture);
  calendar = find_type (GTK_WIDGET (fixture.day), GTK_TYPE_CALENDAR);
  popover = gtk_widget_get_ancestor (calendar, GTK_TYPE_POPOVER);
  stint_history_day_show (fixture.day, g_date_time_to_unix (last) * G_USEC_PER_SEC);
  wait_until (opens (popover));

  /* The first of them is to the month before. It has no such day. */
  arrow = find_type (calendar, GTK_TYPE_BUTTON);
  g_signal_emit_by_name (arrow, "clicked");
  assert_day (fixture.day, "2026-02-28");
  g_assert_true (gtk_widget_get_visible (popover));
  g_signal_emit_by_name (arrow, "clicked");
  assert_day (fixture.day, "2026-01-28");
  g_assert_true (gtk_widget_get_visible (popover));
  /* A day of the same month: a click. */
  gtk_calendar_select_day (GTK_CALENDAR (calendar), other);
  assert_day (fixture.day, "2026-01-12");
  wait_until (!gtk_widget_get_visible (popover));
  tear_down (&fixture);
}

static void
count_signal (guint *count)
{
  (*count)++;
}

/* A job that cannot be shown is missed once, and not gone to whenever it can be had later. */
static void
test_not_found (void)
{
  Fixture fixture;
  guint n_missed = 0, n_problems = 0;
  guint64 first, last;

  set_up (&fixture);
  g_signal_connect_swapped (fixture.day, "not-found", G_CALLBACK (count_signal), &n_missed);
  g_signal_connect_swapped (fixture.day, "problem", G_CALLBACK (count_signal), &n_problems);
  first = add_job (fixture.history, "first", fixture.midnight + HOUR, HOUR, 0);
  last = add_job (fixture.history, "last", fixture.midnight + 3 * HOUR, HOUR, 0);
  stint_history_day_show_job (fixture.day, first, fixture.midnight);
  wait_until (get_selected (&fixture) == first);
  g_assert_cmpuint (n_missed, ==, 0);
  stint_history_day_show_job (fixture.day, 4711, fixture.midnight);
  wait_until (n_missed == 1);

  history_fixture_sql (fixture.history, "ALTER TABLE jobs RENAME TO away");
  stint_history_day_show_job (fixture.day, last, fixture.midnight);
  wait_until (n_problems == 1);
  history_fixture_sql (fixture.history, "ALTER TABLE away RENAME TO jobs");
  g_assert_true (stint_timeline_select (fixture.timeline, first));
  add_job (fixture.history, "new", fixture.midnight + 2 * HOUR, HOUR, 0);
  stint_history_day_refresh (fixture.day);
  wait_until (find_label (GTK_WIDGET (fixture.day), "3 jobs") != NULL);
  g_assert_cmpuint (get_selected (&fixture), ==, first);
  g_assert_cmpuint (n_missed, ==, 1);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  go_where_it_is_noon ();
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  g_test_add_func ("/app/timeline/keys", test_keys);
  g_test_add_func ("/app/timeline/days", test_days);
  g_test_add_func ("/app/timeline/search-applies", test_search_applies);
  g_test_add_func ("/app/timeline/hidden", test_hidden);
  g_test_add_func ("/app/timeline/narrow", test_narrow);
  g_test_add_func ("/app/timeline/blocks", test_blocks);
  g_test_add_func ("/app/timeline/many", test_many);
  g_test_add_func ("/app/timeline/span", test_span);
  g_test_add_func ("/app/timeline/scroll", test_scroll);
  g_test_add_func ("/app/timeline/midnight", test_midnight);
  g_test_add_func ("/app/timeline/no-midnight", test_no_midnight);
  g_test_add_func ("/app/timeline/calendar", test_calendar);
  g_test_add_func ("/app/timeline/not-found", test_not_found);
  return g_test_run ();
}
