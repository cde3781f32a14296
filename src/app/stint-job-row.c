/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the sidebar: what a job is, what it does, how long it has and had. Ticks only while it
 * is mapped and its job has not finished. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-row.h"

#include "stint-job-text.h"
#include "stint-ring.h"
#include "stint-ticker.h"
#include "stint-units.h"

#include <glib/gi18n.h>

struct _StintJobRow
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *state_label;
  GtkLabel *side_label;
  GtkWidget *ring;

  /* Owned */
  StintJob *job;
  GSignalGroup *job_signals;
  gulong tick_id;
  const char *style;
};

G_DEFINE_FINAL_TYPE (StintJobRow, stint_job_row, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_JOB,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

/* What changes from second to second. */
static void
update_times (StintJobRow *self)
{
  g_autofree char *state = stint_job_text_dup_state (self->job);
  g_autofree char *elapsed = stint_job_text_dup_elapsed (self->job);
  g_autofree char *kill = stint_job_text_dup_kill_countdown (self->job);
  g_autofree char *second = NULL;
  g_autofree char *side = NULL;
  const char *more = kill != NULL ? kill : elapsed;
  gboolean limited;
  gint64 left;
  double fraction;

  /* Translators: a job's state and how long it has run, in the list: "Running · 1:23". */
  second = more != NULL ? g_strdup_printf (_ ("%s · %s"), state, more) : g_strdup (state);
  gtk_label_set_label (self->state_label, second);

  limited = stint_job_text_get_nearest_limit (self->job, &left, &fraction);
  gtk_widget_set_visible (self->ring, limited);
  if (limited)
    {
      side = stint_duration_format_clock (MAX (left, 0));
      stint_ring_set_fraction (STINT_RING (self->ring), fraction);
    }
  else if (stint_job_get_state (self->job) == STINT_JOB_FINISHED)
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_local ();

      side = stint_job_text_dup_started (self->job, now);
    }
  gtk_label_set_label (self->side_label, side != NULL ? side : "");
}

static void
update_ticking (StintJobRow *self)
{
  StintTicker *ticker = stint_ticker_get_default ();

  if (self->job != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      stint_job_get_state (self->job) != STINT_JOB_FINISHED)
    stint_ticker_listen (ticker, &self->tick_id, G_CALLBACK (update_times), self);
  else
    stint_ticker_forget (ticker, &self->tick_id);
}

/* The name of a list item is what a screen reader says; it holds what does not change every
 * second. */
static void
update_accessible (StintJobRow *self)
{
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  g_autofree char *state = stint_job_text_dup_state (self->job);
  /* Translators: a job's name and state, for screen readers. */
  g_autofree char *label = g_strdup_printf (_ ("%s, %s"), stint_job_get_title (self->job), state);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    -1);
}

static void
update (StintJobRow *self)
{
  const char *style = stint_job_text_get_style (self->job);

  gtk_label_set_label (self->title_label, stint_job_get_title (self->job));
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), stint_job_get_title (self->job));
  gtk_image_set_from_icon_name (self->icon, stint_job_text_get_icon (self->job));
  if (self->style != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), self->style);
  gtk_widget_add_css_class (GTK_WIDGET (self->icon), style);
  self->style = style;

  update_times (self);
  update_accessible (self);
  update_ticking (self);
}

static void
set_job (StintJobRow *self, StintJob *job)
{
  if (!g_set_object (&self->job, job))
    return;
  g_signal_group_set_target (self->job_signals, job);
  if (job != NULL)
    update (self);
  else
    update_ticking (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_JOB]);
}

static void
stint_job_row_map (GtkWidget *widget)
{
  StintJobRow *self = STINT_JOB_ROW (widget);

  GTK_WIDGET_CLASS (stint_job_row_parent_class)->map (widget);
  if (self->job != NULL)
    update (self);
}

static void
stint_job_row_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_job_row_parent_class)->unmap (widget);
  update_ticking (STINT_JOB_ROW (widget));
}

static void
stint_job_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_JOB)
    g_value_set_object (value, STINT_JOB_ROW (object)->job);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_job_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_JOB)
    set_job (STINT_JOB_ROW (object), g_value_get_object (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_job_row_dispose (GObject *object)
{
  StintJobRow *self = STINT_JOB_ROW (object);
  GtkWidget *child;

  stint_ticker_forget (stint_ticker_get_default (), &self->tick_id);
  if (self->job_signals != NULL)
    g_signal_group_set_target (self->job_signals, NULL);
  g_clear_object (&self->job_signals);
  g_clear_object (&self->job);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_JOB_ROW);

  G_OBJECT_CLASS (stint_job_row_parent_class)->dispose (object);
}

static void
stint_job_row_class_init (StintJobRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_job_row_get_property;
  object_class->set_property = stint_job_row_set_property;
  object_class->dispose = stint_job_row_dispose;
  widget_class->map = stint_job_row_map;
  widget_class->unmap = stint_job_row_unmap;

  properties[PROP_JOB] =
      g_param_spec_object ("job", NULL, NULL, STINT_TYPE_JOB,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (STINT_TYPE_RING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-job-row.ui");
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, icon);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, state_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, side_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, ring);
  gtk_widget_class_set_css_name (widget_class, "jobrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stint_job_row_init (StintJobRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->job_signals, "notify", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->job_signals, "limits-changed", G_CALLBACK (update), self);
}

StintJob *
stint_job_row_get_job (StintJobRow *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ROW (self), NULL);

  return self->job;
}
