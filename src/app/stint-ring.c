/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The ring of a countdown. Draws in the text's colour, so that it follows every style. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-ring.h"

#include <math.h>

#define SIZE 16
#define STROKE 2.5
#define TRACK_ALPHA 0.2F

struct _StintRing
{
  GtkWidget parent_instance;

  double fraction;
};

G_DEFINE_FINAL_TYPE (StintRing, stint_ring, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FRACTION,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
stint_ring_measure (GtkWidget *widget,
                    GtkOrientation orientation,
                    int for_size,
                    int *minimum,
                    int *natural,
                    int *minimum_baseline,
                    int *natural_baseline)
{
  *minimum = *natural = SIZE;
}

static void
stint_ring_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StintRing *self = STINT_RING (widget);
  double width = gtk_widget_get_width (widget);
  double height = gtk_widget_get_height (widget);
  double radius = MIN (width, height) / 2 - STROKE / 2;
  GdkRGBA color, track;
  cairo_t *cr;

  if (radius <= 0)
    return;
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &color);
  track = color;
  track.alpha *= TRACK_ALPHA;

  cr = gtk_snapshot_append_cairo (snapshot,
                                  &GRAPHENE_RECT_INIT (0, 0, (float) width, (float) height));
  cairo_set_line_width (cr, STROKE);
  gdk_cairo_set_source_rgba (cr, &track);
  cairo_arc (cr, width / 2, height / 2, radius, 0, 2 * G_PI);
  cairo_stroke (cr);
  if (self->fraction > 0)
    {
      gdk_cairo_set_source_rgba (cr, &color);
      cairo_arc (cr, width / 2, height / 2, radius, -G_PI / 2 + 2 * G_PI * (1 - self->fraction),
                 1.5 * G_PI);
      cairo_stroke (cr);
    }
  cairo_destroy (cr);
}

static void
stint_ring_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_FRACTION)
    g_value_set_double (value, stint_ring_get_fraction (STINT_RING (object)));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_ring_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_FRACTION)
    stint_ring_set_fraction (STINT_RING (object), g_value_get_double (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_ring_class_init (StintRingClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_ring_get_property;
  object_class->set_property = stint_ring_set_property;
  widget_class->measure = stint_ring_measure;
  widget_class->snapshot = stint_ring_snapshot;

  properties[PROP_FRACTION] =
      g_param_spec_double ("fraction", NULL, NULL, 0, 1, 0,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_css_name (widget_class, "ring");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void
stint_ring_init (StintRing *self)
{
  gtk_widget_set_valign (GTK_WIDGET (self), GTK_ALIGN_CENTER);
}

double
stint_ring_get_fraction (StintRing *self)
{
  g_return_val_if_fail (STINT_IS_RING (self), 0);

  return self->fraction;
}

void
stint_ring_set_fraction (StintRing *self, double fraction)
{
  g_return_if_fail (STINT_IS_RING (self));

  fraction = CLAMP (fraction, 0, 1);
  /* Less than this moves no pixel. */
  if (fabs (self->fraction - fraction) < 0.002)
    return;
  self->fraction = fraction;
  gtk_widget_queue_draw (GTK_WIDGET (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FRACTION]);
}
