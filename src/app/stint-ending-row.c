/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job of which Stint waits that it ends, and its processes by name: looked at once a second. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-ending-row.h"

#include "stint-job-row.h"
#include "stint-ticker.h"

#define MOST_LOOKED_AT 50
#define MOST_NAMED 4

struct _StintEndingRow
{
  GtkWidget parent_instance;

  /* Template widgets */
  StintJobRow *row;
  GtkLabel *processes_label;

  /* Owned */
  StintJob *job;
  gulong tick_id;
};

G_DEFINE_FINAL_TYPE (StintEndingRow, stint_ending_row, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_JOB,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
update (StintEndingRow *self)
{
  g_autoptr (GPtrArray) processes = NULL;
  g_autofree char *text = NULL;

  if (self->job != NULL)
    processes = stint_job_dup_processes (self->job, MOST_LOOKED_AT);
  if (processes != NULL && processes->len > 0)
    text = stint_processes_describe (processes, MOST_NAMED);
  gtk_label_set_label (self->processes_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->processes_label), text != NULL);
}

static void
update_ticking (StintEndingRow *self)
{
  StintTicker *ticker = stint_ticker_get_default ();

  if (self->job != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)))
    stint_ticker_listen (ticker, &self->tick_id, G_CALLBACK (update), self);
  else
    stint_ticker_forget (ticker, &self->tick_id);
}

static void
stint_ending_row_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_ending_row_parent_class)->map (widget);
  update_ticking (STINT_ENDING_ROW (widget));
}

static void
stint_ending_row_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_ending_row_parent_class)->unmap (widget);
  update_ticking (STINT_ENDING_ROW (widget));
}

static void
stint_ending_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_JOB)
    g_value_set_object (value, STINT_ENDING_ROW (object)->job);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_ending_row_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  StintEndingRow *self = STINT_ENDING_ROW (object);

  if (prop_id != PROP_JOB)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (!g_set_object (&self->job, g_value_get_object (value)))
    return;
  g_object_set (self->row, "job", self->job, NULL);
  update (self);
  update_ticking (self);
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_ending_row_dispose (GObject *object)
{
  StintEndingRow *self = STINT_ENDING_ROW (object);
  GtkWidget *child;

  stint_ticker_forget (stint_ticker_get_default (), &self->tick_id);
  g_clear_object (&self->job);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_ENDING_ROW);

  G_OBJECT_CLASS (stint_ending_row_parent_class)->dispose (object);
}

static void
stint_ending_row_class_init (StintEndingRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_ending_row_get_property;
  object_class->set_property = stint_ending_row_set_property;
  object_class->dispose = stint_ending_row_dispose;
  widget_class->map = stint_ending_row_map;
  widget_class->unmap = stint_ending_row_unmap;

  properties[PROP_JOB] =
      g_param_spec_object ("job", NULL, NULL, STINT_TYPE_JOB,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (STINT_TYPE_JOB_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-ending-row.ui");
  gtk_widget_class_bind_template_child (widget_class, StintEndingRow, row);
  gtk_widget_class_bind_template_child (widget_class, StintEndingRow, processes_label);
}

static void
stint_ending_row_init (StintEndingRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
