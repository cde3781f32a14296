/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A timeline: its jobs, the one that is selected, and what a screen reader is told of it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-timeline-private.h"

#include "stint-history-text.h"
#include "stint-ticker.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define TITLE_CHARS 200

G_DEFINE_FINAL_TYPE (StintTimeline, stint_timeline, GTK_TYPE_WIDGET)

static guint selection_changed_signal;

static const StintEntry *
get_entry (StintTimeline *self, int index)
{
  return index >= 0 ? g_ptr_array_index (self->entries, index) : NULL;
}

gint64
stint_timeline_get_end (StintTimeline *self, guint index, gint64 now)
{
  const StintEntry *entry = get_entry (self, (int) index);

  return entry->running ? MAX (now, entry->started_at) : entry->started_at + entry->duration;
}

graphene_rect_t
stint_timeline_get_bar (StintTimeline *self, guint index)
{
  double a = stint_time_scale_get_x (self->scale, get_entry (self, (int) index)->started_at);
  double b = stint_time_scale_get_x (self->scale,
                                     stint_timeline_get_end (self, index, g_get_real_time ()));
  double width = stint_time_scale_get_width (self->scale);
  double left = CLAMP (MIN (a, b), -8, width + 8);
  double right = CLAMP (MAX (a, b), -8, width + 8);
  guint lane = stint_lanes_get_lane (self->lanes, index);

  if (right - left < STINT_TIMELINE_LEAST)
    {
      if (stint_time_scale_is_mirrored (self->scale))
        left = right - STINT_TIMELINE_LEAST;
      else
        right = left + STINT_TIMELINE_LEAST;
    }
  return GRAPHENE_RECT_INIT ((float) left,
                             (float) (STINT_TIMELINE_MARGIN + lane * STINT_TIMELINE_LANE),
                             (float) (right - left), (float) STINT_TIMELINE_BAR);
}

static char *
format_time (gint64 usec)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (usec / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%H:%M:%S") : g_strdup ("");
}

char *
stint_timeline_dup_sentence (const StintEntry *entry, gint64 now)
{
  g_autofree char *title = stint_entry_dup_title (entry, TITLE_CHARS);
  g_autofree char *outcome = stint_history_text_dup_outcome (entry);
  g_autofree char *begin = format_time (entry->started_at);
  g_autofree char *end = format_time (entry->started_at + entry->duration);
  g_autofree char *took = stint_duration_format_words (
      entry->running ? MAX (now - entry->started_at, 0) : entry->duration);

  if (entry->running)
    /* Translators: a job on the timeline: its name, when it started, and for how long it has run. */
    return g_strdup_printf (_ ("%s, running since %s, for %s"), title, begin, took);
  /* Translators: a job on the timeline: its name, how it ended ("Exited with code 2"), when it started
   * and ended, and how long that was. */
  return g_strdup_printf (_ ("%s, %s, from %s to %s, took %s"), title, outcome, begin, end, took);
}

/* How it stands among the others. */
static char *
dup_place (StintTimeline *self)
{
  guint n_beside = stint_lanes_count_beside (self->lanes, (guint) self->selected);
  guint n = self->entries->len;

  if (n_beside == 0)
    /* Translators: on the timeline: which job of how many this is. */
    return g_strdup_printf (_ ("Job %d of %u; nothing ran beside it"), self->selected + 1, n);
  return g_strdup_printf (
      /* Translators: on the timeline: which job of how many this is, and how many others ran at the same
       * time. The plural is of the others. */
      g_dngettext (GETTEXT_PACKAGE, "Job %d of %u; %u other ran beside it",
                   "Job %d of %u; %u others ran beside it", n_beside),
      self->selected + 1, n, n_beside);
}

static void
describe (StintTimeline *self)
{
  const StintEntry *entry = get_entry (self, self->selected);
  GtkAccessible *cursor = GTK_ACCESSIBLE (self->cursors[self->cursor]);
  g_autofree char *sentence = NULL;
  g_autofree char *place = NULL;

  if (entry != NULL)
    {
      sentence = stint_timeline_dup_sentence (entry, g_get_real_time ());
      place = dup_place (self);
    }
  gtk_accessible_update_property (
      cursor, GTK_ACCESSIBLE_PROPERTY_LABEL, sentence != NULL ? sentence : self->empty_text,
      GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, place != NULL ? place : "", -1);
}

/* Both are always there: what has just become visible cannot have the focus yet. */
static void
set_current (GtkWidget *cursor, gboolean current)
{
  gtk_widget_set_focusable (cursor, current);
  if (!current)
    gtk_accessible_update_property (GTK_ACCESSIBLE (cursor), GTK_ACCESSIBLE_PROPERTY_LABEL, "",
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, "", -1);
  gtk_accessible_update_state (GTK_ACCESSIBLE (cursor), GTK_ACCESSIBLE_STATE_HIDDEN, !current, -1);
}

static void
select_index (StintTimeline *self, int index)
{
  guint last = self->cursor;
  gboolean focused = gtk_widget_is_focus (self->cursors[last]);

  if (index != self->selected)
    {
      self->selected = index;
      self->cursor = 1 - last;
    }
  describe (self);
  if (self->cursor != last)
    {
      set_current (self->cursors[self->cursor], TRUE);
      if (focused)
        gtk_widget_grab_focus (self->cursors[self->cursor]);
      set_current (self->cursors[last], FALSE);
    }
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_signal_emit (self, selection_changed_signal, 0);
}

/* As far down as it is. */
static void
scroll_to (StintTimeline *self, guint index)
{
  double top = stint_lanes_get_lane (self->lanes, index) * STINT_TIMELINE_LANE;

  if (self->rows != NULL)
    gtk_adjustment_clamp_page (self->rows, top,
                               top + STINT_TIMELINE_LANE + 2 * STINT_TIMELINE_MARGIN);
}

void
stint_timeline_select_index (StintTimeline *self, int index, gboolean reveal)
{
  g_return_if_fail (self->entries != NULL);
  g_return_if_fail (index >= 0 && index < (int) self->entries->len);

  select_index (self, index);
  if (!reveal)
    return;
  stint_time_scale_reveal (self->scale, get_entry (self, index)->started_at,
                           stint_timeline_get_end (self, (guint) index, g_get_real_time ()));
  scroll_to (self, (guint) index);
}

static void
allocate_cursor (StintTimeline *self)
{
  GtkAllocation place = { 0, 0, gtk_widget_get_width (GTK_WIDGET (self)),
                          gtk_widget_get_height (GTK_WIDGET (self)) };

  if (self->selected >= 0)
    {
      graphene_rect_t bar = stint_timeline_get_bar (self, (guint) self->selected);

      place = (GtkAllocation){ (int) bar.origin.x, (int) bar.origin.y,
                               MAX ((int) bar.size.width, 1), (int) bar.size.height };
    }
  for (guint i = 0; i < G_N_ELEMENTS (self->cursors); i++)
    if (gtk_widget_should_layout (self->cursors[i]))
      gtk_widget_size_allocate (self->cursors[i], &place, -1);
}

static void
stint_timeline_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StintTimeline *self = STINT_TIMELINE (widget);

  stint_time_scale_set_width (self->scale, width,
                              gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL);
  allocate_cursor (self);
  gtk_popover_present (GTK_POPOVER (self->menu));
}

static void
stint_timeline_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  StintTimeline *self = STINT_TIMELINE (widget);
  guint n_lanes = self->lanes != NULL ? stint_lanes_get_n_lanes (self->lanes) : 0;

  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    *minimum = *natural = 60;
  else
    *minimum = *natural = (int) (2 * STINT_TIMELINE_MARGIN + n_lanes * STINT_TIMELINE_LANE);
  for (guint i = 0; i < G_N_ELEMENTS (self->cursors); i++)
    gtk_widget_measure (self->cursors[i], orientation, -1, NULL, NULL, NULL, NULL);
}

/* Its own width sets the scale in the middle of a layout; what follows is part of it. */
static void
on_scale_changed (StintTimeline *self)
{
  gtk_widget_queue_draw (GTK_WIDGET (self));
  if (stint_time_scale_get_width (self->scale) == gtk_widget_get_width (GTK_WIDGET (self)))
    gtk_widget_queue_allocate (GTK_WIDGET (self));
}

/* Time goes on, but what does not move is not drawn again. */
static void
on_tick (StintTimeline *self)
{
  int x = (int) stint_time_scale_get_x (self->scale, g_get_real_time ());

  if (x == self->now_x)
    return;
  self->now_x = x;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
  gtk_widget_queue_draw (GTK_WIDGET (self));
}

static void
stint_timeline_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_timeline_parent_class)->map (widget);
  stint_ticker_listen (stint_ticker_get_default (), &STINT_TIMELINE (widget)->tick,
                       G_CALLBACK (on_tick), widget);
}

static void
stint_timeline_unmap (GtkWidget *widget)
{
  stint_ticker_forget (stint_ticker_get_default (), &STINT_TIMELINE (widget)->tick);
  GTK_WIDGET_CLASS (stint_timeline_parent_class)->unmap (widget);
}

/* Text looks different now. */
static void
stint_timeline_css_changed (GtkWidget *widget, GtkCssStyleChange *change)
{
  GTK_WIDGET_CLASS (stint_timeline_parent_class)->css_changed (widget, change);
  g_hash_table_remove_all (STINT_TIMELINE (widget)->layouts);
}

static gboolean
stint_timeline_grab_focus (GtkWidget *widget)
{
  StintTimeline *self = STINT_TIMELINE (widget);

  return gtk_widget_grab_focus (self->cursors[self->cursor]);
}

static void
stint_timeline_dispose (GObject *object)
{
  StintTimeline *self = STINT_TIMELINE (object);
  GtkWidget *child;

  stint_ticker_forget (stint_ticker_get_default (), &self->tick);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (stint_timeline_parent_class)->dispose (object);
}

static void
stint_timeline_finalize (GObject *object)
{
  StintTimeline *self = STINT_TIMELINE (object);

  g_clear_pointer (&self->lanes, stint_lanes_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  g_clear_pointer (&self->layouts, g_hash_table_unref);
  g_clear_object (&self->rows);
  g_clear_object (&self->scale);
  g_free (self->empty_text);

  G_OBJECT_CLASS (stint_timeline_parent_class)->finalize (object);
}

static void
stint_timeline_class_init (StintTimelineClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_timeline_dispose;
  object_class->finalize = stint_timeline_finalize;
  widget_class->snapshot = stint_timeline_snapshot;
  widget_class->measure = stint_timeline_measure;
  widget_class->size_allocate = stint_timeline_size_allocate;
  widget_class->map = stint_timeline_map;
  widget_class->unmap = stint_timeline_unmap;
  widget_class->css_changed = stint_timeline_css_changed;
  widget_class->grab_focus = stint_timeline_grab_focus;

  selection_changed_signal = g_signal_new ("selection-changed", G_TYPE_FROM_CLASS (klass),
                                           G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  stint_timeline_bind_keys (widget_class);
  gtk_widget_class_set_css_name (widget_class, "timeline");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_LIST);
}

static GtkWidget *
make_cursor (StintTimeline *self)
{
  GtkWidget *cursor = g_object_new (GTK_TYPE_BOX,
                                    "css-name", "timelinejob",
                                    "accessible-role", GTK_ACCESSIBLE_ROLE_LIST_ITEM,
                                    "can-target", FALSE,
                                    NULL);

  gtk_widget_set_parent (cursor, GTK_WIDGET (self));
  return cursor;
}

static void
stint_timeline_init (StintTimeline *self)
{
  self->selected = -1;
  self->empty_text = g_strdup ("");
  self->layouts = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  for (guint i = 0; i < G_N_ELEMENTS (self->cursors); i++)
    {
      self->cursors[i] = make_cursor (self);
      set_current (self->cursors[i], i == 0);
    }
  self->menu = gtk_popover_menu_new_from_model (NULL);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_widget_set_overflow (GTK_WIDGET (self), GTK_OVERFLOW_HIDDEN);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Timeline"), -1);
  stint_timeline_add_controllers (self);
}

StintTimeline *
stint_timeline_new (StintTimeScale *scale, GtkAdjustment *rows)
{
  StintTimeline *self = g_object_new (STINT_TYPE_TIMELINE, NULL);

  self->scale = g_object_ref (scale);
  g_signal_connect_object (scale, "changed", G_CALLBACK (on_scale_changed), self,
                           G_CONNECT_SWAPPED);
  if (rows != NULL)
    {
      self->rows = g_object_ref (rows);
      g_signal_connect_object (rows, "value-changed", G_CALLBACK (gtk_widget_queue_draw), self,
                               G_CONNECT_SWAPPED);
    }
  describe (self);
  return self;
}

static int
find_entry (StintTimeline *self, guint64 id)
{
  for (guint i = 0; self->entries != NULL && i < self->entries->len; i++)
    if (get_entry (self, (int) i)->id == id)
      return (int) i;
  return -1;
}

/* A job that runs has its lane for itself, whatever comes. */
static StintLanes *
make_lanes (GPtrArray *entries)
{
  g_autofree StintLaneSpan *spans = g_new0 (StintLaneSpan, entries->len + 1);

  for (guint i = 0; i < entries->len; i++)
    {
      const StintEntry *entry = g_ptr_array_index (entries, i);

      spans[i].begin = entry->started_at;
      spans[i].end = entry->running ? G_MAXINT64 / 2 : entry->started_at + entry->duration;
      spans[i].weight = stint_entry_has_failed (entry);
    }
  return stint_lanes_new (spans, entries->len);
}

void
stint_timeline_set_entries (StintTimeline *self, GPtrArray *entries)
{
  const StintEntry *selected;
  guint64 id;
  int index;

  g_return_if_fail (STINT_IS_TIMELINE (self));
  g_return_if_fail (entries != NULL);

  selected = get_entry (self, self->selected);
  id = selected != NULL ? selected->id : 0;
  g_hash_table_remove_all (self->layouts);
  g_clear_pointer (&self->lanes, stint_lanes_free);
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  self->entries = g_ptr_array_ref (entries);
  self->lanes = make_lanes (entries);
  index = find_entry (self, id);
  if (index < 0)
    index = (int) entries->len - 1;
  /* The same job at another place among them is not said again. */
  if (selected != NULL && index >= 0 && get_entry (self, index)->id == id)
    self->selected = index;
  gtk_widget_queue_resize (GTK_WIDGET (self));
  select_index (self, index);
}

const StintEntry *
stint_timeline_get_selected (StintTimeline *self)
{
  g_return_val_if_fail (STINT_IS_TIMELINE (self), NULL);

  return get_entry (self, self->selected);
}

gboolean
stint_timeline_select (StintTimeline *self, guint64 id)
{
  int index;

  g_return_val_if_fail (STINT_IS_TIMELINE (self), FALSE);

  index = find_entry (self, id);
  if (index < 0)
    return FALSE;
  stint_timeline_select_index (self, index, TRUE);
  return TRUE;
}

void
stint_timeline_set_empty_text (StintTimeline *self, const char *text)
{
  g_return_if_fail (STINT_IS_TIMELINE (self));
  g_return_if_fail (text != NULL);

  g_free (self->empty_text);
  self->empty_text = g_strdup (text);
  describe (self);
}

double
stint_timeline_get_middle (StintTimeline *self)
{
  graphene_rect_t bar;
  double width;

  g_return_val_if_fail (STINT_IS_TIMELINE (self), 0);

  width = stint_time_scale_get_width (self->scale);
  if (self->selected < 0)
    return width / 2;
  bar = stint_timeline_get_bar (self, (guint) self->selected);
  return CLAMP ((double) (bar.origin.x + bar.size.width / 2), 0, width);
}
