/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A day of the history: which one, what is read of it, and what is around its timeline. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-day.h"

#include "stint-history-row.h"
#include "stint-history-span.h"
#include "stint-ticker.h"
#include "stint-timeline-axis.h"
#include "stint-timeline.h"

#include <glib/gi18n.h>

#define ZOOM 1.5

struct _StintHistoryDay
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkLabel *day_label;
  GtkPopover *popover;
  GtkCalendar *calendar;
  GtkLabel *count_label;
  GtkBox *axis_box;
  GtkScrolledWindow *scroller;
  GtkLabel *empty_label;
  GtkScrollbar *scrollbar;
  GtkWidget *selected_box;
  StintHistoryRow *selected_row;

  /* Owned */
  StintHistory *history;     /* (nullable) */
  StintHistoryQuery *query;  /* (nullable) */
  GCancellable *cancellable; /* of what is being read */
  StintTimeScale *scale;
  GtkAdjustment *part; /* of the day */
  GDateTime *day;
  GHashTable *hidden; /* set of ids */

  /* Borrowed */
  StintTimeline *timeline;

  guint64 wanted; /* the job that is to be selected; 0: none */
  gulong tick;    /* while it is mapped */
};

G_DEFINE_FINAL_TYPE (StintHistoryDay, stint_history_day, GTK_TYPE_WIDGET)

enum
{
  PROBLEM,
  NOT_FOUND,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GDateTime *
get_midnight (GDateTime *time)
{
  GDateTime *midnight =
      g_date_time_new_local (g_date_time_get_year (time), g_date_time_get_month (time),
                             g_date_time_get_day_of_month (time), 0, 0, 0);

  return midnight != NULL ? midnight : g_date_time_ref (time);
}

static gint64
to_usec (GDateTime *time)
{
  return g_date_time_to_unix (time) * G_USEC_PER_SEC;
}

static gboolean
is_same_day (GDateTime *a, GDateTime *b)
{
  return g_date_time_get_year (a) == g_date_time_get_year (b) &&
         g_date_time_get_day_of_year (a) == g_date_time_get_day_of_year (b);
}

static char *
dup_title (GDateTime *day)
{
  g_autoptr (GDateTime) today = g_date_time_new_now_local ();
  g_autoptr (GDateTime) yesterday = g_date_time_add_days (today, -1);

  if (is_same_day (day, today))
    return g_strdup (_ ("Today"));
  if (is_same_day (day, yesterday))
    return g_strdup (_ ("Yesterday"));
  if (g_date_time_get_year (day) == g_date_time_get_year (today))
    /* Translators: a day of this year on a button, for strftime(). */
    return g_date_time_format (day, _ ("%a, %-d %b"));
  /* Translators: a day of another year on a button, for strftime(). */
  return g_date_time_format (day, _ ("%-d %b %Y"));
}

static void
update_actions (StintHistoryDay *self)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  gtk_widget_action_set_enabled (GTK_WIDGET (self), "day.next",
                                 g_date_time_compare (self->day, now) < 0 &&
                                     !is_same_day (self->day, now));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "day.zoom-in",
                                 stint_time_scale_can_zoom_in (self->scale));
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "day.zoom-out",
                                 stint_time_scale_can_zoom_out (self->scale));
}

/* What is another when the next day has begun. */
static void
update_today (StintHistoryDay *self)
{
  g_autofree char *title = dup_title (self->day);

  gtk_label_set_label (self->day_label, title);
  update_actions (self);
}

static void
on_scale_changed (StintHistoryDay *self)
{
  double from = (double) (stint_time_scale_get_from (self->scale) -
                          stint_time_scale_get_begin (self->scale));
  double all = (double) (stint_time_scale_get_end (self->scale) -
                         stint_time_scale_get_begin (self->scale));
  double visible = (double) stint_time_scale_get_visible (self->scale);

  gtk_adjustment_configure (self->part, from, 0, all, visible / 10, visible / 2, visible);
  gtk_widget_set_visible (GTK_WIDGET (self->scrollbar),
                          stint_time_scale_can_zoom_out (self->scale));
  update_actions (self);
}

static void
on_part_moved (StintHistoryDay *self)
{
  stint_time_scale_set_from (self->scale, stint_time_scale_get_begin (self->scale) +
                                              (gint64) gtk_adjustment_get_value (self->part));
}

static void
on_selected (StintHistoryDay *self)
{
  const StintEntry *entry = stint_timeline_get_selected (self->timeline);
  g_autoptr (StintHistoryItem) item = NULL;

  if (entry != NULL)
    {
      item = stint_history_item_new (entry->id);
      stint_history_item_take_entry (item, stint_entry_copy (entry));
    }
  g_object_set (self->selected_row, "item", item, NULL);
  gtk_widget_set_visible (self->selected_box, item != NULL);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "day.open", item != NULL);
}

static char *
dup_count (GPtrArray *entries)
{
  guint n_failed = 0;

  if (entries->len == 0)
    return g_strdup ("");
  for (guint i = 0; i < entries->len; i++)
    n_failed += stint_entry_has_failed (entries->pdata[i]);
  if (entries->len == STINT_SPAN_JOBS)
    /* Translators: there are more jobs on this day than are shown. */
    return g_strdup_printf (_ ("The first %'u jobs"), entries->len);
  if (n_failed == 0)
    return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'u job", "%'u jobs", entries->len),
                            entries->len);
  return g_strdup_printf (
      /* Translators: two counts of jobs of a day; the plural is of the first. */
      g_dngettext (GETTEXT_PACKAGE, "%'u job, %'u failed", "%'u jobs, %'u failed", entries->len),
      entries->len, n_failed);
}

static void
take_entries (StintHistoryDay *self, GPtrArray *entries)
{
  g_autofree char *count = dup_count (entries);

  gtk_label_set_label (self->count_label, count);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->count_label), *count != '\0' ? count : NULL);
  stint_timeline_set_entries (self->timeline, entries);
}

static void
set_empty_text (StintHistoryDay *self, const char *text)
{
  gtk_label_set_label (self->empty_label, text);
  gtk_widget_set_visible (GTK_WIDGET (self->empty_label), *text != '\0');
  stint_timeline_set_empty_text (self->timeline, text);
}

static gboolean
is_searched (StintHistoryDay *self)
{
  g_autoptr (GString) sql = g_string_new (NULL);

  if (self->query != NULL)
    stint_history_query_append_filters (self->query, sql, STINT_FILTER_WORDS);
  return sql->len > 0;
}

static void
leave_out_hidden (StintHistoryDay *self, GPtrArray *entries)
{
  for (guint i = entries->len; i > 0 && g_hash_table_size (self->hidden) > 0; i--)
    if (g_hash_table_contains (self->hidden, &((StintEntry *) entries->pdata[i - 1])->id))
      g_ptr_array_remove_index (entries, i - 1);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryDay) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries =
      stint_history_read_span_finish (STINT_HISTORY (source), result, &error);
  guint64 wanted = self->wanted;

  /* Something else is being read, or it is gone. */
  if (g_task_get_cancellable (G_TASK (result)) != self->cancellable)
    return;
  g_clear_object (&self->cancellable);
  /* Whatever the answer is: by the next one the user looks at something else. */
  self->wanted = 0;
  if (entries == NULL)
    {
      g_signal_emit (self, signals[PROBLEM], 0, error);
      return;
    }
  leave_out_hidden (self, entries);
  take_entries (self, entries);
  set_empty_text (self, entries->len > 0     ? ""
                        : is_searched (self) ? _ ("Nothing found on this day")
                                             : _ ("Nothing ran on this day"));
  if (wanted != 0 && !stint_timeline_select (self->timeline, wanted))
    g_signal_emit (self, signals[NOT_FOUND], 0);
}

static void
stop_reading (StintHistoryDay *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
}

void
stint_history_day_refresh (StintHistoryDay *self)
{
  g_return_if_fail (STINT_IS_HISTORY_DAY (self));

  update_today (self);
  if (self->history == NULL || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  stop_reading (self);
  self->cancellable = g_cancellable_new ();
  stint_history_read_span_async (self->history, self->query,
                                 stint_time_scale_get_begin (self->scale),
                                 stint_time_scale_get_end (self->scale), self->cancellable, on_read,
                                 g_object_ref (self));
}

/* @day: (transfer full): some time on it */
static void
set_day (StintHistoryDay *self, GDateTime *day)
{
  g_autoptr (GDateTime) time = day;
  g_autoptr (GDateTime) midnight = get_midnight (time);
  /* A day of 23 or 25 hours ends at its midnight too; and one that has none, as its clocks are put
   * forward then, begins at one o'clock, but the next does not. */
  g_autoptr (GDateTime) later = g_date_time_add_days (midnight, 1);
  g_autoptr (GDateTime) next = get_midnight (later);
  g_autoptr (GPtrArray) none = NULL;

  if (self->day == NULL || !g_date_time_equal (midnight, self->day))
    {
      none = g_ptr_array_new ();
      g_clear_pointer (&self->day, g_date_time_unref);
      self->day = g_steal_pointer (&midnight);
      self->wanted = 0;
      stint_time_scale_set_bounds (self->scale, to_usec (self->day), to_usec (next));
      take_entries (self, none);
      set_empty_text (self, "");
    }
  stint_history_day_refresh (self);
}

/* The arrows take the date along to another month, with which its day may have to change: then it is
 * looked at already, and one goes on choosing. */
static void
on_date_changed (StintHistoryDay *self)
{
  g_autoptr (GDateTime) date = gtk_calendar_get_date (self->calendar);
  gboolean same_month = g_date_time_get_year (date) == g_date_time_get_year (self->day) &&
                        g_date_time_get_month (date) == g_date_time_get_month (self->day);

  if (is_same_day (date, self->day))
    return;
  set_day (self, g_steal_pointer (&date));
  if (same_month)
    gtk_popover_popdown (self->popover);
}

static void
on_popover_shown (StintHistoryDay *self)
{
  gtk_calendar_select_day (self->calendar, self->day);
}

static void
move (GtkWidget *widget, const char *action, GVariant *parameter)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (widget);

  set_day (self, g_date_time_add_days (self->day, g_str_equal (action, "day.previous") ? -1 : 1));
}

static void
go_to_today (GtkWidget *widget, const char *action, GVariant *parameter)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (widget);

  set_day (self, g_date_time_new_now_local ());
  gtk_popover_popdown (self->popover);
}

static void
zoom (GtkWidget *widget, const char *action, GVariant *parameter)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (widget);

  stint_time_scale_zoom (self->scale, g_str_equal (action, "day.zoom-in") ? 1 / ZOOM : ZOOM,
                         stint_timeline_get_middle (self->timeline));
}

static void
fit (GtkWidget *widget, const char *action, GVariant *parameter)
{
  stint_time_scale_fit (STINT_HISTORY_DAY (widget)->scale);
}

static void
open_selected (GtkWidget *widget, const char *action, GVariant *parameter)
{
  const StintEntry *entry = stint_timeline_get_selected (STINT_HISTORY_DAY (widget)->timeline);

  if (entry != NULL)
    gtk_widget_activate_action (widget, "history.open", "t", entry->id);
}

/* Other programs run jobs too. */
static void
stint_history_day_map (GtkWidget *widget)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (widget);

  GTK_WIDGET_CLASS (stint_history_day_parent_class)->map (widget);
  stint_ticker_listen (stint_ticker_get_default (), &self->tick, G_CALLBACK (update_today), self);
  stint_history_day_refresh (self);
}

static void
stint_history_day_unmap (GtkWidget *widget)
{
  stint_ticker_forget (stint_ticker_get_default (), &STINT_HISTORY_DAY (widget)->tick);
  GTK_WIDGET_CLASS (stint_history_day_parent_class)->unmap (widget);
}

static gboolean
stint_history_day_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_HISTORY_DAY (widget)->timeline));
}

static void
stint_history_day_dispose (GObject *object)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (object);
  GtkWidget *child;

  stop_reading (self);
  stint_ticker_forget (stint_ticker_get_default (), &self->tick);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->history);
  g_clear_pointer (&self->query, stint_history_query_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_HISTORY_DAY);

  G_OBJECT_CLASS (stint_history_day_parent_class)->dispose (object);
}

static void
stint_history_day_finalize (GObject *object)
{
  StintHistoryDay *self = STINT_HISTORY_DAY (object);

  g_clear_pointer (&self->hidden, g_hash_table_unref);
  g_clear_object (&self->part);
  g_clear_object (&self->scale);
  g_clear_pointer (&self->day, g_date_time_unref);

  G_OBJECT_CLASS (stint_history_day_parent_class)->finalize (object);
}

static void
stint_history_day_class_init (StintHistoryDayClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_history_day_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_history_day_finalize;
  widget_class->map = stint_history_day_map;
  widget_class->unmap = stint_history_day_unmap;
  widget_class->grab_focus = stint_history_day_grab_focus;

  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[NOT_FOUND] =
      g_signal_new ("not-found", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_install_action (widget_class, "day.previous", NULL, move);
  gtk_widget_class_install_action (widget_class, "day.next", NULL, move);
  gtk_widget_class_install_action (widget_class, "day.today", NULL, go_to_today);
  gtk_widget_class_install_action (widget_class, "day.zoom-in", NULL, zoom);
  gtk_widget_class_install_action (widget_class, "day.zoom-out", NULL, zoom);
  gtk_widget_class_install_action (widget_class, "day.fit", NULL, fit);
  gtk_widget_class_install_action (widget_class, "day.open", NULL, open_selected);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, 0, "day.previous", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, 0, "day.next", NULL);

  g_type_ensure (STINT_TYPE_HISTORY_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-day.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, day_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, popover);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, calendar);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, count_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, axis_box);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, empty_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, scrollbar);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, selected_box);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryDay, selected_row);
  gtk_widget_class_bind_template_callback (widget_class, on_date_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_popover_shown);
  gtk_widget_class_set_css_name (widget_class, "historyday");
}

static void
stint_history_day_init (StintHistoryDay *self)
{
  GtkWidget *axis;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->hidden = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  self->scale = stint_time_scale_new ();
  self->part = g_object_ref_sink (gtk_adjustment_new (0, 0, 1, 0, 0, 1));
  gtk_scrollbar_set_adjustment (self->scrollbar, self->part);
  self->timeline =
      stint_timeline_new (self->scale, gtk_scrolled_window_get_vadjustment (self->scroller));
  gtk_scrolled_window_set_child (self->scroller, GTK_WIDGET (self->timeline));
  axis = GTK_WIDGET (stint_timeline_axis_new (self->scale));
  gtk_widget_set_hexpand (axis, TRUE);
  gtk_box_append (self->axis_box, axis);
  g_signal_connect_object (self->scale, "changed", G_CALLBACK (on_scale_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->part, "value-changed", G_CALLBACK (on_part_moved), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->timeline, "selection-changed", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  on_selected (self);
  set_day (self, g_date_time_new_now_local ());
}

void
stint_history_day_set_history (StintHistoryDay *self, StintHistory *history)
{
  g_return_if_fail (STINT_IS_HISTORY_DAY (self));
  g_return_if_fail (STINT_IS_HISTORY (history));

  if (g_set_object (&self->history, history))
    stint_history_day_refresh (self);
}

void
stint_history_day_set_query (StintHistoryDay *self, StintHistoryQuery *query)
{
  g_return_if_fail (STINT_IS_HISTORY_DAY (self));
  g_return_if_fail (query != NULL);

  stint_history_query_ref (query);
  g_clear_pointer (&self->query, stint_history_query_unref);
  self->query = query;
  stint_history_day_refresh (self);
}

void
stint_history_day_show (StintHistoryDay *self, gint64 time)
{
  GDateTime *day;

  g_return_if_fail (STINT_IS_HISTORY_DAY (self));

  day = g_date_time_new_from_unix_local (time / G_USEC_PER_SEC);
  if (day != NULL)
    set_day (self, day);
}

void
stint_history_day_show_job (StintHistoryDay *self, guint64 id, gint64 started_at)
{
  g_return_if_fail (STINT_IS_HISTORY_DAY (self));

  stint_history_day_show (self, started_at);
  self->wanted = id;
}

void
stint_history_day_set_hidden (StintHistoryDay *self, guint64 id, gboolean hidden)
{
  g_return_if_fail (STINT_IS_HISTORY_DAY (self));

  if (hidden)
    g_hash_table_add (self->hidden, g_memdup2 (&id, sizeof id));
  else
    g_hash_table_remove (self->hidden, &id);
  stint_history_day_refresh (self);
}

GDateTime *
stint_history_day_get_day (StintHistoryDay *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_DAY (self), NULL);

  return self->day;
}
