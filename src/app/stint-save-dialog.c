/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks how to save, then where, and shows how far it is if that takes a moment. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-save-dialog.h"

#include "stint-units.h"

#include <glib/gi18n.h>

/* What takes no longer does not flash by. */
#define PATIENCE_MSEC 300

#define NAME_CHARS 60

struct _StintSaveDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  GtkWidget *save_button;
  GtkStack *stack;
  GtkWidget *options_page;
  AdwComboRow *format_row;
  GtkWidget *streams_row;
  GtkWidget *timestamps_row;
  GtkSwitch *timestamps_switch;
  GtkWidget *progress_page;
  GtkLabel *progress_label;
  GtkProgressBar *progress_bar;
  GtkLabel *note_label;

  /* Owned */
  StintJob *job;
  GtkFileChooserNative *chooser; /* while it is shown */
  GCancellable *cancellable;     /* while it saves */
  GFile *file;
  guint patience_id;
};

/* A save that is under way does not keep its dialog: that goes with its parent, which ends the save. */
typedef struct
{
  StintSaveDialog *dialog; /* weak */
} Saving;

G_DEFINE_FINAL_TYPE (StintSaveDialog, stint_save_dialog, ADW_TYPE_WINDOW)

enum
{
  SAVED,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const char *
describe (StintExportFormat format)
{
  switch (format)
    {
    case STINT_EXPORT_TEXT:
      return _ ("As it stood on the terminal, without colors");
    case STINT_EXPORT_HTML:
      return _ ("A web page, with colors");
    case STINT_EXPORT_ASCIICAST:
      return _ ("With its timing, for asciinema");
    case STINT_EXPORT_RAW:
    default:
      return _ ("The bytes as they were written");
    }
}

static gboolean
has_timestamps (StintExportFormat format)
{
  return format == STINT_EXPORT_TEXT || format == STINT_EXPORT_HTML;
}

static void
on_format_selected (StintSaveDialog *self)
{
  StintExportFormat format = stint_save_dialog_get_format (self);

  gtk_label_set_label (self->note_label, describe (format));
  gtk_widget_set_sensitive (self->timestamps_row, has_timestamps (format));
}

static gboolean
on_patience_over (gpointer user_data)
{
  StintSaveDialog *self = STINT_SAVE_DIALOG (user_data);

  self->patience_id = 0;
  gtk_stack_set_visible_child (self->stack, self->progress_page);
  gtk_widget_set_visible (self->save_button, FALSE);
  return G_SOURCE_REMOVE;
}

static void
on_progress (guint64 done, guint64 total, gpointer user_data)
{
  Saving *saving = user_data;

  if (saving->dialog != NULL)
    gtk_progress_bar_set_fraction (saving->dialog->progress_bar,
                                   total > 0 ? (double) done / (double) total : 1);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Saving *saving = user_data;
  StintSaveDialog *self = saving->dialog;
  g_autoptr (GError) error = NULL;
  gboolean saved = stint_save_finish (STINT_JOB (source), result, &error);

  g_clear_weak_pointer (&saving->dialog);
  if (self == NULL)
    return;
  g_clear_object (&self->cancellable);
  if (saved)
    g_signal_emit (self, signals[SAVED], 0, self->file);
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    g_signal_emit (self, signals[PROBLEM], 0, error);
  gtk_window_destroy (GTK_WINDOW (self));
}

static void
on_chooser_response (StintSaveDialog *self, int response)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser));
  gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  if (file != NULL)
    stint_save_dialog_save (self, file);
}

static void
on_save_clicked (StintSaveDialog *self)
{
  g_autofree char *name = stint_save_suggest_name (self->job, stint_save_dialog_get_format (self));

  if (self->chooser != NULL || self->cancellable != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (_ ("Save Output"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), name);
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chooser_response), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* While it saves it goes when what was written is gone. */
static gboolean
stint_save_dialog_close_request (GtkWindow *window)
{
  StintSaveDialog *self = STINT_SAVE_DIALOG (window);

  if (self->cancellable == NULL)
    return GTK_WINDOW_CLASS (stint_save_dialog_parent_class)->close_request (window);
  g_cancellable_cancel (self->cancellable);
  return GDK_EVENT_STOP;
}

static void
stint_save_dialog_dispose (GObject *object)
{
  StintSaveDialog *self = STINT_SAVE_DIALOG (object);

  g_clear_handle_id (&self->patience_id, g_source_remove);
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  g_clear_object (&self->job);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_SAVE_DIALOG);

  G_OBJECT_CLASS (stint_save_dialog_parent_class)->dispose (object);
}

static void
stint_save_dialog_finalize (GObject *object)
{
  g_clear_object (&STINT_SAVE_DIALOG (object)->file);

  G_OBJECT_CLASS (stint_save_dialog_parent_class)->finalize (object);
}

static void
stint_save_dialog_class_init (StintSaveDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_save_dialog_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_save_dialog_finalize;
  GTK_WINDOW_CLASS (klass)->close_request = stint_save_dialog_close_request;

  signals[SAVED] = g_signal_new ("saved", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, G_TYPE_FILE);
  signals[PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-save-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, save_button);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, stack);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, options_page);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, format_row);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, streams_row);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, timestamps_row);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, timestamps_switch);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, note_label);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, progress_page);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, progress_label);
  gtk_widget_class_bind_template_child (widget_class, StintSaveDialog, progress_bar);
  gtk_widget_class_bind_template_callback (widget_class, on_format_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_save_clicked);
}

static void
stint_save_dialog_init (StintSaveDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  adw_combo_row_set_selected (self->format_row, STINT_EXPORT_TEXT);
  on_format_selected (self);
}

StintSaveDialog *
stint_save_dialog_present (GtkWindow *parent, StintJob *job)
{
  StintSaveDialog *self;

  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);
  g_return_val_if_fail (stint_job_get_transcript (job) != NULL, NULL);

  self = g_object_new (STINT_TYPE_SAVE_DIALOG, "transient-for", parent, NULL);
  self->job = g_object_ref (job);
  gtk_widget_set_visible (self->streams_row, !stint_job_spec_get_tty (stint_job_get_spec (job)));
  gtk_window_present (GTK_WINDOW (self));
  return self;
}

StintExportFormat
stint_save_dialog_get_format (StintSaveDialog *self)
{
  g_return_val_if_fail (STINT_IS_SAVE_DIALOG (self), STINT_EXPORT_RAW);

  return (StintExportFormat) adw_combo_row_get_selected (self->format_row);
}

StintStreams
stint_save_dialog_get_streams (StintSaveDialog *self)
{
  g_return_val_if_fail (STINT_IS_SAVE_DIALOG (self), STINT_STREAMS_BOTH);

  return (StintStreams) adw_combo_row_get_selected (ADW_COMBO_ROW (self->streams_row));
}

gboolean
stint_save_dialog_get_timestamps (StintSaveDialog *self)
{
  g_return_val_if_fail (STINT_IS_SAVE_DIALOG (self), FALSE);

  return has_timestamps (stint_save_dialog_get_format (self)) &&
         gtk_switch_get_active (self->timestamps_switch);
}

void
stint_save_dialog_save (StintSaveDialog *self, GFile *file)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;
  g_autofree char *text = NULL;
  Saving *saving;

  g_return_if_fail (STINT_IS_SAVE_DIALOG (self));
  g_return_if_fail (G_IS_FILE (file));
  g_return_if_fail (self->cancellable == NULL);

  path = g_file_get_basename (file);
  name = stint_text_clean (path, NAME_CHARS);
  /* Translators: %s is the name of a file. */
  text = g_strdup_printf (_ ("Saving “%s”…"), name);
  gtk_label_set_label (self->progress_label, text);
  gtk_progress_bar_set_fraction (self->progress_bar, 0);
  gtk_widget_set_sensitive (self->save_button, FALSE);
  gtk_widget_set_sensitive (self->options_page, FALSE);

  g_set_object (&self->file, file);
  self->cancellable = g_cancellable_new ();
  self->patience_id = g_timeout_add (PATIENCE_MSEC, on_patience_over, self);
  saving = g_new0 (Saving, 1);
  g_set_weak_pointer (&saving->dialog, self);
  stint_save_async (self->job, stint_save_dialog_get_format (self),
                    stint_save_dialog_get_streams (self), stint_save_dialog_get_timestamps (self),
                    file, on_progress, saving, self->cancellable, on_saved, saving);
}

char *
stint_save_dialog_dup_message (GFile *file)
{
  g_autofree char *path = NULL;
  g_autofree char *name = NULL;

  g_return_val_if_fail (G_IS_FILE (file), NULL);

  path = g_file_get_basename (file);
  name = stint_text_clean (path, NAME_CHARS);
  /* Translators: %s is the name of a file. */
  return g_strdup_printf (_ ("Saved as “%s”"), name);
}
