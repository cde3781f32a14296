/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How jobs are started from the window: the dialog, the presets, and what is dropped on it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-dropped.h"
#include "stint-new-job-dialog.h"
#include "stint-presets-dialog.h"

/* (transfer none): the dialog, to be presented; a new one, unless there is one. */
static StintNewJobDialog *
get_dialog (StintWindow *self, const char *directory, gboolean *is_new)
{
  StintNewJobDialog *dialog;

  *is_new = self->new_job_dialog == NULL;
  if (self->new_job_dialog != NULL)
    return STINT_NEW_JOB_DIALOG (self->new_job_dialog);

  g_signal_emit_by_name (self, "new-job-wanted");
  dialog = stint_new_job_dialog_new (GTK_WINDOW (self), self->settings, directory);
  stint_new_job_dialog_set_jobs (dialog, G_LIST_MODEL (self->jobs));
  if (self->presets != NULL)
    stint_new_job_dialog_set_presets (dialog, self->presets);
  g_signal_connect_object (dialog, "start", G_CALLBACK (stint_window_start), self,
                           G_CONNECT_SWAPPED);
  g_set_weak_pointer (&self->new_job_dialog, GTK_WINDOW (dialog));
  return dialog;
}

void
stint_window_ask_new_job (StintWindow *self, const char *directory)
{
  gboolean is_new;

  g_return_if_fail (STINT_IS_WINDOW (self));

  gtk_window_present (GTK_WINDOW (get_dialog (self, directory, &is_new)));
}

void
stint_window_edit_job (StintWindow *self, StintJobSpec *spec)
{
  StintNewJobDialog *dialog;
  gboolean is_new;

  g_return_if_fail (STINT_IS_WINDOW (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  dialog = get_dialog (self, NULL, &is_new);
  /* What the user has begun to write stays. */
  if (is_new)
    stint_new_job_dialog_fill (dialog, spec);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_edit_preset (StintWindow *self, StintPreset *preset)
{
  gboolean is_new;
  StintNewJobDialog *dialog = get_dialog (self, NULL, &is_new);

  if (is_new)
    stint_new_job_dialog_set_preset (dialog, preset);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
stint_window_manage_presets (StintWindow *self)
{
  StintPresetsDialog *dialog;

  g_return_if_fail (STINT_IS_WINDOW (self));

  if (self->presets == NULL)
    return;
  dialog = stint_presets_dialog_new (GTK_WINDOW (self), self->presets);
  g_signal_connect_object (dialog, "edit", G_CALLBACK (on_edit_preset), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

void
stint_window_set_presets (StintWindow *self, StintPresets *presets, GMenuModel *menu)
{
  GMenuModel *primary;

  g_return_if_fail (STINT_IS_WINDOW (self));
  g_return_if_fail (STINT_IS_PRESETS (presets));
  g_return_if_fail (G_IS_MENU_MODEL (menu));

  g_set_object (&self->presets, presets);
  stint_overview_set_presets (self->overview, G_LIST_MODEL (presets));
  primary = gtk_menu_button_get_menu_model (self->menu_button);
  if (G_IS_MENU (primary))
    g_menu_insert_section (G_MENU (primary), 1, NULL, menu);
}

static gboolean
on_drop (StintWindow *self, const GValue *value)
{
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (GSList) files = NULL;

  if (!G_VALUE_HOLDS (value, GDK_TYPE_FILE_LIST))
    return FALSE;
  files = gdk_file_list_get_files (g_value_get_boxed (value));
  spec = files != NULL ? stint_dropped_dup_spec (files->data) : NULL;
  if (spec == NULL)
    return FALSE;
  stint_window_edit_job (self, spec);
  return TRUE;
}

void
stint_window_set_up_starting (StintWindow *self)
{
  GtkDropTarget *target = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);

  g_signal_connect_object (target, "drop", G_CALLBACK (on_drop), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (target));
}
