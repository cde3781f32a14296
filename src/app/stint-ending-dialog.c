/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Shown while the last jobs end: which they are, and how long they still have. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-ending-dialog.h"

#include "stint-ending-row.h"

#include <glib/gi18n.h>

struct _StintEndingDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  AdwWindowTitle *title;
  GtkWidget *saving_label;
  GtkWidget *scroller;
  GtkListView *list_view;

  /* Owned */
  GtkFilter *filter;
  GtkFilterListModel *ending;
};

G_DEFINE_FINAL_TYPE (StintEndingDialog, stint_ending_dialog, ADW_TYPE_WINDOW)

enum
{
  HURRY,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
is_ending (gpointer item, gpointer user_data)
{
  return stint_job_get_state (STINT_JOB (item)) != STINT_JOB_FINISHED;
}

static void
on_hurry_clicked (StintEndingDialog *self)
{
  g_signal_emit (self, signals[HURRY], 0);
}

static gboolean
stint_ending_dialog_close_request (GtkWindow *window)
{
  return GDK_EVENT_STOP;
}

static void
stint_ending_dialog_dispose (GObject *object)
{
  StintEndingDialog *self = STINT_ENDING_DIALOG (object);

  g_clear_object (&self->ending);
  g_clear_object (&self->filter);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_ENDING_DIALOG);

  G_OBJECT_CLASS (stint_ending_dialog_parent_class)->dispose (object);
}

static void
stint_ending_dialog_class_init (StintEndingDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_ending_dialog_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = stint_ending_dialog_close_request;

  signals[HURRY] = g_signal_new ("hurry", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (STINT_TYPE_ENDING_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-ending-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintEndingDialog, title);
  gtk_widget_class_bind_template_child (widget_class, StintEndingDialog, saving_label);
  gtk_widget_class_bind_template_child (widget_class, StintEndingDialog, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintEndingDialog, list_view);
  gtk_widget_class_bind_template_callback (widget_class, on_hurry_clicked);
}

static void
stint_ending_dialog_init (StintEndingDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

StintEndingDialog *
stint_ending_dialog_new (GtkWindow *parent, StintJobList *jobs)
{
  StintEndingDialog *self;
  GtkSelectionModel *selection;

  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);

  self = g_object_new (STINT_TYPE_ENDING_DIALOG, "transient-for", parent, NULL);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_ending, NULL, NULL));
  self->ending =
      gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (jobs)), g_object_ref (self->filter));
  selection =
      GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (G_LIST_MODEL (self->ending))));
  gtk_list_view_set_model (self->list_view, selection);
  g_object_unref (selection);
  stint_ending_dialog_update (self);
  return self;
}

void
stint_ending_dialog_update (StintEndingDialog *self)
{
  g_autofree char *subtitle = NULL;
  guint n_left;

  g_return_if_fail (STINT_IS_ENDING_DIALOG (self));

  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_MORE_STRICT);
  n_left = g_list_model_get_n_items (G_LIST_MODEL (self->ending));
  if (n_left > 0)
    subtitle =
        g_strdup_printf (ngettext ("Waiting for %u job", "Waiting for %u jobs", n_left), n_left);
  adw_window_title_set_subtitle (self->title, subtitle != NULL ? subtitle : "");
  gtk_widget_set_visible (self->scroller, n_left > 0);
  gtk_widget_set_visible (self->saving_label, n_left == 0);
}
