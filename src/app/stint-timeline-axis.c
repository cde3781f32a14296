/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The hours above a timeline, as close as there is room for. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-timeline-axis.h"

#define HEIGHT 24
#define TICK 5.0f

struct _StintTimelineAxis
{
  GtkWidget parent_instance;

  StintTimeScale *scale;
};

G_DEFINE_FINAL_TYPE (StintTimelineAxis, stint_timeline_axis, GTK_TYPE_WIDGET)

static void
append_label (GtkWidget *widget,
              GtkSnapshot *snapshot,
              const GdkRGBA *colour,
              gint64 time,
              gboolean seconds,
              float x)
{
  g_autoptr (GDateTime) local = g_date_time_new_from_unix_local (time / G_USEC_PER_SEC);
  g_autofree char *text = NULL;
  g_autoptr (PangoLayout) layout = NULL;
  int width, height;

  if (local == NULL)
    return;
  text = g_date_time_format (local, seconds ? "%H:%M:%S" : "%H:%M");
  layout = gtk_widget_create_pango_layout (widget, text);
  pango_layout_get_pixel_size (layout, &width, &height);
  /* Beside its line: what stands in the middle of it would be cut at the ends of the day. */
  x = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL ? x - (float) width - 4 : x + 4;
  gtk_snapshot_save (snapshot);
  gtk_snapshot_translate (snapshot, &GRAPHENE_POINT_INIT (x, (float) (HEIGHT - height) / 2));
  gtk_snapshot_append_layout (snapshot, layout, colour);
  gtk_snapshot_restore (snapshot);
}

static void
stint_timeline_axis_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StintTimelineAxis *self = STINT_TIMELINE_AXIS (widget);
  gint64 division = stint_time_scale_get_division (self->scale, STINT_TIMELINE_DIVISION);
  gint64 begin = stint_time_scale_get_begin (self->scale);
  gint64 from = stint_time_scale_get_from (self->scale);
  gint64 to = from + stint_time_scale_get_visible (self->scale);
  GdkRGBA colour;

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &colour);
  gtk_snapshot_push_clip (snapshot,
                          &GRAPHENE_RECT_INIT (0, 0, (float) gtk_widget_get_width (widget),
                                               (float) gtk_widget_get_height (widget)));
  for (gint64 time = begin + (from - begin) / division * division; time < to; time += division)
    {
      float x = (float) stint_time_scale_get_x (self->scale, time);

      gtk_snapshot_append_color (snapshot, &colour,
                                 &GRAPHENE_RECT_INIT (x, HEIGHT - TICK, 1, TICK));
      append_label (widget, snapshot, &colour, time, division < G_TIME_SPAN_MINUTE, x);
    }
  gtk_snapshot_pop (snapshot);
}

static void
stint_timeline_axis_measure (GtkWidget *widget,
                             GtkOrientation orientation,
                             int for_size,
                             int *minimum,
                             int *natural,
                             int *minimum_baseline,
                             int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 60;
}

static void
stint_timeline_axis_finalize (GObject *object)
{
  g_object_unref (STINT_TIMELINE_AXIS (object)->scale);

  G_OBJECT_CLASS (stint_timeline_axis_parent_class)->finalize (object);
}

static void
stint_timeline_axis_class_init (StintTimelineAxisClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stint_timeline_axis_finalize;
  widget_class->snapshot = stint_timeline_axis_snapshot;
  widget_class->measure = stint_timeline_axis_measure;
  gtk_widget_class_set_css_name (widget_class, "timelineaxis");
  /* Each job says its own times. */
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
stint_timeline_axis_init (StintTimelineAxis *self)
{
}

StintTimelineAxis *
stint_timeline_axis_new (StintTimeScale *scale)
{
  StintTimelineAxis *self = g_object_new (STINT_TYPE_TIMELINE_AXIS, NULL);

  self->scale = g_object_ref (scale);
  g_signal_connect_object (scale, "changed", G_CALLBACK (gtk_widget_queue_draw), self,
                           G_CONNECT_SWAPPED);
  return self;
}
