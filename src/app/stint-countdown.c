/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One limit of a job, counting down. Shows what it is given; the job bar ticks. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-countdown.h"

#include "stint-job-text.h"
#include "stint-ring.h"
#include "stint-units.h"

#include <glib/gi18n.h>

/* The part of a limit from which on it is about to end the job: a tenth, at most a minute. */
#define LOW_FRACTION 0.1
#define LOW_USEC (60 * G_USEC_PER_SEC)

struct _StintCountdown
{
  GtkWidget parent_instance;

  GtkWidget *ring;
  GtkLabel *caption_label;
  GtkLabel *value_label;
};

G_DEFINE_FINAL_TYPE (StintCountdown, stint_countdown, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_CAPTION,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
stint_countdown_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintCountdown *self = STINT_COUNTDOWN (object);

  if (prop_id == PROP_CAPTION)
    g_value_set_string (value, gtk_label_get_label (self->caption_label));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_countdown_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  StintCountdown *self = STINT_COUNTDOWN (object);

  if (prop_id == PROP_CAPTION)
    gtk_label_set_label (self->caption_label, g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_countdown_dispose (GObject *object)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (object))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (object), STINT_TYPE_COUNTDOWN);

  G_OBJECT_CLASS (stint_countdown_parent_class)->dispose (object);
}

static void
stint_countdown_class_init (StintCountdownClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_countdown_get_property;
  object_class->set_property = stint_countdown_set_property;
  object_class->dispose = stint_countdown_dispose;

  properties[PROP_CAPTION] =
      g_param_spec_string ("caption", NULL, NULL, "", G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (STINT_TYPE_RING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-countdown.ui");
  gtk_widget_class_bind_template_child (widget_class, StintCountdown, ring);
  gtk_widget_class_bind_template_child (widget_class, StintCountdown, caption_label);
  gtk_widget_class_bind_template_child (widget_class, StintCountdown, value_label);
  gtk_widget_class_set_css_name (widget_class, "countdown");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stint_countdown_init (StintCountdown *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
stint_countdown_set (StintCountdown *self, gint64 left, gint64 total)
{
  g_autofree char *text = NULL;
  double fraction = stint_job_text_get_fraction (left, total);
  gboolean low;

  g_return_if_fail (STINT_IS_COUNTDOWN (self));

  gtk_widget_set_visible (self->ring, left != STINT_NEVER);
  if (left == STINT_NEVER)
    text = g_strdup (_ ("No limit"));
  else
    text = stint_duration_format_clock (MAX (left, 0));
  gtk_label_set_label (self->value_label, text);
  stint_ring_set_fraction (STINT_RING (self->ring), fraction);

  low = left != STINT_NEVER && fraction <= LOW_FRACTION && left <= LOW_USEC;
  if (low)
    gtk_widget_add_css_class (GTK_WIDGET (self), "warning");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "warning");
}
