/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks for the values of a job's secret variables, which are written nowhere but into the keyring. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-secret-dialog.h"

#include "stint-button-names.h"
#include "stint-secrets.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define NAME_CHARS 60

struct _StintSecretDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  AdwPreferencesGroup *group;
  GtkSwitch *remember;
  GtkWidget *run_button;

  /* Owned */
  StintJobSpec *spec;
  char **names;
  GPtrArray *rows; /* of AdwEntryRow, one for each name */
};

G_DEFINE_FINAL_TYPE (StintSecretDialog, stint_secret_dialog, ADW_TYPE_WINDOW)

enum
{
  FILLED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
on_run_clicked (StintSecretDialog *self)
{
  for (guint i = 0; i < self->rows->len; i++)
    {
      const char *value = gtk_editable_get_text (GTK_EDITABLE (self->rows->pdata[i]));
      g_autofree char *change = g_strconcat (self->names[i], "=", value, NULL);

      stint_job_spec_add_env (self->spec, change, NULL);
      if (gtk_switch_get_active (self->remember))
        stint_secrets_store (self->spec, self->names[i], value);
    }
  g_signal_emit (self, signals[FILLED], 0);
  gtk_window_close (GTK_WINDOW (self));
}

static void
stint_secret_dialog_dispose (GObject *object)
{
  StintSecretDialog *self = STINT_SECRET_DIALOG (object);

  g_clear_object (&self->spec);
  g_clear_pointer (&self->names, g_strfreev);
  g_clear_pointer (&self->rows, g_ptr_array_unref);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_SECRET_DIALOG);

  G_OBJECT_CLASS (stint_secret_dialog_parent_class)->dispose (object);
}

static void
stint_secret_dialog_class_init (StintSecretDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_secret_dialog_dispose;

  signals[FILLED] = g_signal_new ("filled", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-secret-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintSecretDialog, group);
  gtk_widget_class_bind_template_child (widget_class, StintSecretDialog, remember);
  gtk_widget_class_bind_template_child (widget_class, StintSecretDialog, run_button);
  gtk_widget_class_bind_template_callback (widget_class, on_run_clicked);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_secret_dialog_init (StintSecretDialog *self)
{
  self->rows = g_ptr_array_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->run_button);
}

StintSecretDialog *
stint_secret_dialog_new (GtkWindow *parent, StintJobSpec *spec)
{
  StintSecretDialog *self;
  g_autofree char *title = NULL;
  g_autofree char *text = NULL;
  g_autofree char *escaped = NULL;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  self = g_object_new (STINT_TYPE_SECRET_DIALOG, "transient-for", parent, NULL);
  self->spec = g_object_ref (spec);
  self->names = stint_job_spec_dup_missing_secrets (spec);
  title = stint_job_spec_dup_title (spec);
  /* Translators: %s is a job’s name. */
  text = g_strdup_printf (_ ("“%s” needs values that were not written down."), title);
  escaped = g_markup_escape_text (text, -1);
  adw_preferences_group_set_description (self->group, escaped);
  for (guint i = 0; self->names[i] != NULL; i++)
    {
      GtkWidget *row = stint_button_names_new_password_row ();
      g_autofree char *name = stint_text_clean (self->names[i], NAME_CHARS);

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), name);
      adw_entry_row_set_activates_default (ADW_ENTRY_ROW (row), TRUE);
      adw_preferences_group_add (self->group, row);
      g_ptr_array_add (self->rows, row);
    }
  if (self->rows->len > 0)
    gtk_widget_grab_focus (self->rows->pdata[0]);
  return self;
}
