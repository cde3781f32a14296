/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The environment in the dialog for a new job. What is wrong with a row, the form knows. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-environment-table.h"

#include "stint-field-note.h"
#include "stint-row-button.h"

#include <glib/gi18n.h>
#include <string.h>

/* The rows of one variable, one below the other. */
typedef struct
{
  AdwEntryRow *name;
  AdwEntryRow *value;
  GtkDropDown *mode;
  StintFieldNote *note;
} Variable;

struct _StintEnvironmentTable
{
  AdwPreferencesGroup parent_instance;

  GPtrArray *variables; /* of Variable */
};

G_DEFINE_FINAL_TYPE (StintEnvironmentTable, stint_environment_table, ADW_TYPE_PREFERENCES_GROUP)

static const char *
get_text (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

static void
set_text (AdwEntryRow *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text != NULL ? text : "");
}

static StintVariableMode
get_mode (Variable *variable)
{
  return (StintVariableMode) MIN (gtk_drop_down_get_selected (variable->mode),
                                  STINT_VARIABLE_UNSET);
}

static StintFormVariable
get_form (Variable *variable)
{
  return (StintFormVariable){ get_text (variable->name), get_text (variable->value),
                              get_mode (variable) };
}

static gboolean
check (Variable *variable)
{
  StintFormVariable form = get_form (variable);
  g_autoptr (GError) error = NULL;

  stint_new_job_form_check_variable (&form, &error);
  stint_field_note_set_mistake (variable->note, variable->name,
                                error != NULL ? error->message : NULL);
  return error == NULL;
}

static Variable *
find (StintEnvironmentTable *self, gpointer widget)
{
  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable *variable = self->variables->pdata[i];

      if (widget == variable->name || widget == variable->value || widget == variable->mode)
        return variable;
    }
  return NULL;
}

static void
on_mode_changed (GtkDropDown *mode, GParamSpec *pspec, StintEnvironmentTable *self)
{
  Variable *variable = find (self, mode);
  GtkEditable *text;

  if (variable == NULL)
    return;
  text = gtk_editable_get_delegate (GTK_EDITABLE (variable->value));
  gtk_text_set_visibility (GTK_TEXT (text), get_mode (variable) != STINT_VARIABLE_SECRET);
  gtk_editable_set_editable (GTK_EDITABLE (variable->value),
                             get_mode (variable) != STINT_VARIABLE_UNSET);
  stint_field_note_set_hint (
      variable->note, get_mode (variable) == STINT_VARIABLE_SECRET
                          ? _ ("Kept in the keyring, if there is one. Without a value here it is "
                               "looked up there, or asked for when the job is run.")
                          : NULL);
  check (variable);
}

/* NAME=VALUE that was pasted or typed as one goes to both fields. */
static void
split (Variable *variable)
{
  g_autofree char *text = g_strdup (get_text (variable->name));
  char *equals = strchr (text, '=');

  if (equals == NULL || equals == text || *get_text (variable->value) != '\0')
    return;
  *equals = '\0';
  set_text (variable->value, equals + 1);
  set_text (variable->name, text);
  gtk_widget_grab_focus (GTK_WIDGET (variable->value));
  gtk_editable_set_position (GTK_EDITABLE (variable->value), -1);
}

static void
on_name_changed (AdwEntryRow *row, GParamSpec *pspec, StintEnvironmentTable *self)
{
  Variable *variable = find (self, row);

  if (variable == NULL)
    return;
  split (variable);
  if (get_mode (variable) == STINT_VARIABLE_SET &&
      stint_variable_sounds_secret (get_text (variable->name)))
    gtk_drop_down_set_selected (variable->mode, STINT_VARIABLE_SECRET);
  check (variable);
}

static void
on_value_changed (AdwEntryRow *row, GParamSpec *pspec, StintEnvironmentTable *self)
{
  Variable *variable = find (self, row);

  if (variable != NULL)
    check (variable);
}

static void
on_remove (GtkWidget *button, StintEnvironmentTable *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);
  Variable *variable = find (self, gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW));
  g_autofree Variable *removed = NULL;
  guint position;

  if (variable == NULL || !g_ptr_array_find (self->variables, variable, &position))
    return;
  removed = g_ptr_array_steal_index (self->variables, position);
  /* The focus stays near to where it was. */
  if (self->variables->len > 0)
    gtk_widget_grab_focus (GTK_WIDGET (
        ((Variable *) self->variables->pdata[MIN (position, self->variables->len - 1)])->name));
  else
    gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
  adw_preferences_group_remove (group, GTK_WIDGET (removed->note));
  adw_preferences_group_remove (group, GTK_WIDGET (removed->value));
  adw_preferences_group_remove (group, GTK_WIDGET (removed->name));
}

static AdwEntryRow *
new_entry (const char *title)
{
  AdwEntryRow *row = ADW_ENTRY_ROW (adw_entry_row_new ());

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_entry_row_set_activates_default (row, TRUE);
  adw_entry_row_set_input_hints (row, GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_NO_EMOJI);
  return row;
}

/* In the order of StintVariableMode. */
static GtkDropDown *
new_mode (void)
{
  const char *const names[] = {
    /* Translators: what is done with a variable of the environment: it is set. */
    C_ ("variable", "Set"),
    /* Translators: what is done with a variable of the environment: its value is kept secret. */
    C_ ("variable", "Secret"),
    /* Translators: what is done with a variable of the environment: it is taken away. */
    C_ ("variable", "Unset"), NULL
  };
  GtkWidget *mode = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_valign (mode, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (mode), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What Is Done With It"), -1);
  return GTK_DROP_DOWN (mode);
}

void
stint_environment_table_add (StintEnvironmentTable *self,
                             const char *name,
                             const char *value,
                             StintVariableMode mode)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);
  Variable *variable = g_new0 (Variable, 1);
  GtkWidget *remove = stint_row_button_new ("edit-delete-symbolic", _ ("Remove This Variable"));

  g_return_if_fail (STINT_IS_ENVIRONMENT_TABLE (self));

  variable->name = new_entry (_ ("Variable"));
  variable->value = new_entry (_ ("Value"));
  variable->mode = new_mode ();
  variable->note = STINT_FIELD_NOTE (stint_field_note_new ());
  adw_entry_row_add_suffix (variable->name, remove);
  adw_entry_row_add_suffix (variable->value, GTK_WIDGET (variable->mode));
  g_ptr_array_add (self->variables, variable);
  adw_preferences_group_add (group, GTK_WIDGET (variable->name));
  adw_preferences_group_add (group, GTK_WIDGET (variable->value));
  adw_preferences_group_add (group, GTK_WIDGET (variable->note));

  set_text (variable->name, name);
  set_text (variable->value, value);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove), self, G_CONNECT_DEFAULT);
  g_signal_connect_object (variable->name, "notify::text", G_CALLBACK (on_name_changed), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (variable->value, "notify::text", G_CALLBACK (on_value_changed), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (variable->mode, "notify::selected", G_CALLBACK (on_mode_changed), self,
                           G_CONNECT_DEFAULT);
  gtk_drop_down_set_selected (variable->mode, mode);
  if (name == NULL || *name == '\0')
    gtk_widget_grab_focus (GTK_WIDGET (variable->name));
}

static void
on_add_clicked (StintEnvironmentTable *self)
{
  stint_environment_table_add (self, NULL, NULL, STINT_VARIABLE_SET);
}

static void
stint_environment_table_finalize (GObject *object)
{
  g_ptr_array_unref (STINT_ENVIRONMENT_TABLE (object)->variables);

  G_OBJECT_CLASS (stint_environment_table_parent_class)->finalize (object);
}

static void
stint_environment_table_class_init (StintEnvironmentTableClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_environment_table_finalize;
}

static void
stint_environment_table_init (StintEnvironmentTable *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);
  GtkWidget *add = stint_row_button_new ("list-add-symbolic", _ ("Add a Variable"));

  self->variables = g_ptr_array_new_with_free_func (g_free);
  adw_preferences_group_set_title (group, _ ("Environment"));
  adw_preferences_group_set_description (group,
                                         _ ("Variables that this job gets, or does not get"));
  adw_preferences_group_set_header_suffix (group, add);
  g_signal_connect_object (add, "clicked", G_CALLBACK (on_add_clicked), self, G_CONNECT_SWAPPED);
}

void
stint_environment_table_fill (StintEnvironmentTable *self, StintJobSpec *spec)
{
  const char *const *changes;
  g_auto (GStrv) missing = NULL;

  g_return_if_fail (STINT_IS_ENVIRONMENT_TABLE (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  changes = stint_job_spec_get_env_changes (spec);
  for (guint i = 0; changes[i] != NULL; i++)
    {
      const char *equals = strchr (changes[i], '=');
      g_autofree char *name =
          equals != NULL ? g_strndup (changes[i], (gsize) (equals - changes[i])) : NULL;

      if (name == NULL)
        stint_environment_table_add (self, changes[i], NULL, STINT_VARIABLE_UNSET);
      else if (stint_job_spec_is_secret (spec, name))
        stint_environment_table_add (self, name, equals + 1, STINT_VARIABLE_SECRET);
      else
        stint_environment_table_add (self, name, equals + 1, STINT_VARIABLE_SET);
    }
  missing = stint_job_spec_dup_missing_secrets (spec);
  for (guint i = 0; missing[i] != NULL; i++)
    stint_environment_table_add (self, missing[i], NULL, STINT_VARIABLE_SECRET);
}

GArray *
stint_environment_table_list (StintEnvironmentTable *self)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (StintFormVariable));

  g_return_val_if_fail (STINT_IS_ENVIRONMENT_TABLE (self), list);

  for (guint i = 0; i < self->variables->len; i++)
    {
      StintFormVariable form = get_form (self->variables->pdata[i]);

      g_array_append_val (list, form);
    }
  return list;
}

GtkWidget *
stint_environment_table_check (StintEnvironmentTable *self)
{
  GtkWidget *first = NULL;

  g_return_val_if_fail (STINT_IS_ENVIRONMENT_TABLE (self), NULL);

  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable *variable = self->variables->pdata[i];

      if (!check (variable) && first == NULL)
        first = GTK_WIDGET (variable->name);
    }
  return first;
}
