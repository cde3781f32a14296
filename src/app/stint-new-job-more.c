/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The part of the dialog for a new job that most jobs do not need. It is half of all its widgets, and
 * so it is not made before somebody wants it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-new-job-more.h"

#include "stint-environment-table.h"
#include "stint-field-note.h"
#include "stint-then-list.h"
#include "stint-units.h"

struct _StintNewJobMore
{
  GObject parent_instance;

  GtkBuilder *builder;
  gint64 default_grace;

  /* Of the builder */
  StintEnvironmentTable *environment;
  StintThenList *then;
  AdwComboRow *on_idle_row;
  AdwComboRow *idle_by_row;
  GtkSwitch *leftovers_switch;
  GtkSpinButton *retries_spin;
  AdwEntryRow *tags_row;
  GtkSwitch *unkept_switch;

  /* What was last read */
  GArray *variables;
  GArray *thens;
};

G_DEFINE_FINAL_TYPE (StintNewJobMore, stint_new_job_more, G_TYPE_OBJECT)

/* In the order in which they stand. */
static const char *const groups[] = { "environment", "stopping", "schedule", "then", "keeping" };

static const struct
{
  StintFormField field;
  const char *row;
  const char *note;
} checked[] = {
  { STINT_FIELD_GRACE, "grace_row", "grace_note" },
  { STINT_FIELD_START, "start_row", "start_note" },
  { STINT_FIELD_RETRY_DELAY, "retry_delay_row", "retry_delay_note" },
};

static gpointer
get (StintNewJobMore *self, const char *name)
{
  return gtk_builder_get_object (self->builder, name);
}

static const char *
get_text (StintNewJobMore *self, const char *name)
{
  return gtk_editable_get_text (GTK_EDITABLE (get (self, name)));
}

static void
set_text (StintNewJobMore *self, const char *name, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (get (self, name)), text != NULL ? text : "");
}

static void
set_duration (StintNewJobMore *self, const char *name, gint64 usec)
{
  g_autofree char *text = usec > 0 ? stint_duration_format (usec) : NULL;

  set_text (self, name, text);
}

/* Returns: (transfer none) (nullable): the row, if it is wrong. */
static GtkWidget *
check_field (StintNewJobMore *self, guint i)
{
  StintNewJobForm form = { .grace = get_text (self, "grace_row"),
                           .start = get_text (self, "start_row"),
                           .retry_delay = get_text (self, "retry_delay_row") };
  AdwEntryRow *row = get (self, checked[i].row);
  g_autoptr (GError) error = NULL;

  stint_new_job_form_check_field (&form, checked[i].field, &error);
  stint_field_note_set_mistake (get (self, checked[i].note), row,
                                error != NULL ? error->message : NULL);
  return error != NULL ? GTK_WIDGET (row) : NULL;
}

static void
on_text_changed (StintNewJobMore *self, GParamSpec *pspec, GtkWidget *row)
{
  for (guint i = 0; i < G_N_ELEMENTS (checked); i++)
    if (get (self, checked[i].row) == row)
      check_field (self, i);
}

static void
stint_new_job_more_dispose (GObject *object)
{
  StintNewJobMore *self = STINT_NEW_JOB_MORE (object);

  g_clear_object (&self->builder);
  g_clear_pointer (&self->variables, g_array_unref);
  g_clear_pointer (&self->thens, g_array_unref);

  G_OBJECT_CLASS (stint_new_job_more_parent_class)->dispose (object);
}

static void
stint_new_job_more_class_init (StintNewJobMoreClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_new_job_more_dispose;

  g_type_ensure (STINT_TYPE_ENVIRONMENT_TABLE);
  g_type_ensure (STINT_TYPE_FIELD_NOTE);
  g_type_ensure (STINT_TYPE_THEN_LIST);
}

static void
stint_new_job_more_init (StintNewJobMore *self)
{
  self->builder = gtk_builder_new_from_resource ("/io/github/stint/Stint/stint-new-job-more.ui");
  self->environment = get (self, "environment");
  self->then = get (self, "then");
  self->on_idle_row = get (self, "on_idle_row");
  self->idle_by_row = get (self, "idle_by_row");
  self->leftovers_switch = get (self, "leftovers_switch");
  self->retries_spin = get (self, "retries_spin");
  self->tags_row = get (self, "tags_row");
  self->unkept_switch = get (self, "unkept_switch");
  gtk_text_set_activates_default (
      GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (self->retries_spin))), TRUE);
  for (guint i = 0; i < G_N_ELEMENTS (checked); i++)
    g_signal_connect_object (get (self, checked[i].row), "notify::text",
                             G_CALLBACK (on_text_changed), self, G_CONNECT_SWAPPED);
}

StintNewJobMore *
stint_new_job_more_new (AdwPreferencesPage *page, gint64 default_grace)
{
  StintNewJobMore *self;

  g_return_val_if_fail (ADW_IS_PREFERENCES_PAGE (page), NULL);

  self = g_object_new (STINT_TYPE_NEW_JOB_MORE, NULL);
  self->default_grace = default_grace;
  set_duration (self, "grace_row", default_grace);
  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    adw_preferences_page_add (page, get (self, groups[i]));
  return self;
}

void
stint_new_job_more_set_visible (StintNewJobMore *self, gboolean visible)
{
  g_return_if_fail (STINT_IS_NEW_JOB_MORE (self));

  for (guint i = 0; i < G_N_ELEMENTS (groups); i++)
    gtk_widget_set_visible (get (self, groups[i]), visible);
}

void
stint_new_job_more_focus (StintNewJobMore *self)
{
  g_return_if_fail (STINT_IS_NEW_JOB_MORE (self));

  gtk_widget_child_focus (GTK_WIDGET (self->environment), GTK_DIR_TAB_FORWARD);
}

void
stint_new_job_more_fill (StintNewJobMore *self, StintJobSpec *spec)
{
  g_autofree char *tags = NULL;
  gint64 retry_delay;

  g_return_if_fail (STINT_IS_NEW_JOB_MORE (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  stint_environment_table_fill (self->environment, spec);
  adw_combo_row_set_selected (self->on_idle_row, stint_job_spec_get_on_idle (spec));
  adw_combo_row_set_selected (self->idle_by_row, stint_job_spec_get_idle_by (spec));
  if (stint_job_spec_has_grace (spec))
    {
      g_autofree char *grace = stint_duration_format (stint_job_spec_get_grace (spec));

      set_text (self, "grace_row", grace);
    }
  gtk_switch_set_active (self->leftovers_switch,
                         stint_job_spec_get_leftovers (spec) == STINT_LEFTOVERS_WAIT);
  set_duration (self, "start_row", stint_job_spec_get_start_delay (spec));
  gtk_spin_button_set_value (self->retries_spin, stint_job_spec_get_retries (spec));
  retry_delay = stint_job_spec_get_retry_delay (spec);
  set_duration (self, "retry_delay_row",
                retry_delay != STINT_DEFAULT_RETRY_DELAY ? retry_delay : 0);
  for (guint i = 0; i < stint_job_spec_get_n_then (spec); i++)
    {
      StintThen when;
      const char *line = stint_job_spec_get_then (spec, i, &when);

      stint_then_list_add (self->then, line, when);
    }
  tags = g_strjoinv (", ", (char **) stint_job_spec_get_tags (spec));
  set_text (self, "tags_row", tags);
  gtk_switch_set_active (self->unkept_switch, !stint_job_spec_get_keep (spec));
}

gboolean
stint_new_job_more_concerns (StintJobSpec *spec, gint64 default_grace)
{
  g_auto (GStrv) missing = NULL;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), FALSE);

  missing = stint_job_spec_dup_missing_secrets (spec);
  return missing[0] != NULL || stint_job_spec_get_env_changes (spec)[0] != NULL ||
         stint_job_spec_get_on_idle (spec) != STINT_ON_IDLE_TERMINATE ||
         stint_job_spec_get_idle_by (spec) != STINT_IDLE_BY_OUTPUT ||
         (stint_job_spec_has_grace (spec) && stint_job_spec_get_grace (spec) != default_grace) ||
         stint_job_spec_get_leftovers (spec) != STINT_LEFTOVERS_TERMINATE ||
         stint_job_spec_get_start_delay (spec) > 0 || stint_job_spec_get_retries (spec) > 0 ||
         stint_job_spec_get_n_then (spec) > 0 || stint_job_spec_get_tags (spec)[0] != NULL ||
         !stint_job_spec_get_keep (spec);
}

void
stint_new_job_more_read (StintNewJobMore *self, StintNewJobForm *form)
{
  g_return_if_fail (STINT_IS_NEW_JOB_MORE (self));
  g_return_if_fail (form != NULL);

  g_clear_pointer (&self->variables, g_array_unref);
  g_clear_pointer (&self->thens, g_array_unref);
  self->variables = stint_environment_table_list (self->environment);
  self->thens = stint_then_list_list (self->then);

  form->variables = (const StintFormVariable *) self->variables->data;
  form->n_variables = self->variables->len;
  form->then = (const StintFormThen *) self->thens->data;
  form->n_then = self->thens->len;
  form->grace = get_text (self, "grace_row");
  form->on_idle =
      (StintOnIdle) MIN (adw_combo_row_get_selected (self->on_idle_row), STINT_ON_IDLE_NOTIFY);
  form->idle_by =
      (StintIdleBy) MIN (adw_combo_row_get_selected (self->idle_by_row), STINT_IDLE_BY_ACTIVITY);
  form->wait_for_leftovers = gtk_switch_get_active (self->leftovers_switch);
  form->start = get_text (self, "start_row");
  form->retries = (guint) gtk_spin_button_get_value_as_int (self->retries_spin);
  form->retry_delay = get_text (self, "retry_delay_row");
  form->tags = get_text (self, "tags_row");
  form->unkept = gtk_switch_get_active (self->unkept_switch);
}

GtkWidget *
stint_new_job_more_check (StintNewJobMore *self)
{
  GtkWidget *first;

  g_return_val_if_fail (STINT_IS_NEW_JOB_MORE (self), NULL);

  first = stint_environment_table_check (self->environment);
  for (guint i = 0; i < G_N_ELEMENTS (checked); i++)
    {
      GtkWidget *wrong = check_field (self, i);

      if (first == NULL)
        first = wrong;
    }
  return first;
}
