/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that starts a job. Holds the widgets; what they mean and what is wrong with it,
 * stint-new-job-form.c knows. A field is judged once the user has changed it, or wants to start. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-new-job-dialog.h"

#include "stint-field-note.h"
#include "stint-job-text.h"
#include "stint-new-job-form.h"
#include "stint-units.h"

#include <glib/gi18n.h>

/* A line of the environment: an entry row and the note below it, both in variable_list. */
typedef struct
{
  AdwEntryRow *row;
  StintFieldNote *note;
} Variable;

struct _StintNewJobDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  GtkWidget *start_button;
  AdwComboRow *kind_row;
  AdwEntryRow *command_row;
  StintFieldNote *command_note;
  AdwEntryRow *prompt_row;
  AdwEntryRow *directory_row;
  StintFieldNote *directory_note;
  AdwEntryRow *name_row;
  AdwEntryRow *timeout_row;
  StintFieldNote *timeout_note;
  AdwEntryRow *idle_row;
  StintFieldNote *idle_note;
  AdwEntryRow *grace_row;
  StintFieldNote *grace_note;
  GtkListBox *variable_list;

  /* Owned */
  StintSettings *settings;
  GArray *variables; /* of Variable */
  GtkFileChooserNative *chooser;
  char *suggested_idle; /* what we put there, as long as the user has not changed it */
};

G_DEFINE_FINAL_TYPE (StintNewJobDialog, stint_new_job_dialog, ADW_TYPE_WINDOW)

enum
{
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* The order of the kinds in the dialog, the usual one first. */
static const StintJobKind kinds[] = { STINT_JOB_KIND_TERMINAL, STINT_JOB_KIND_SHELL,
                                      STINT_JOB_KIND_AGENT };

static const char *
get_text (AdwEntryRow *row)
{
  return gtk_editable_get_text (GTK_EDITABLE (row));
}

static void
set_text (AdwEntryRow *row, const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (row), text);
}

static StintJobKind
get_kind (StintNewJobDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->kind_row);

  return selected < G_N_ELEMENTS (kinds) ? kinds[selected] : kinds[0];
}

/* (transfer container): borrowed texts, as long as no widget changes. */
static const char **
list_variables (StintNewJobDialog *self)
{
  g_autoptr (GPtrArray) lines = g_ptr_array_new ();

  for (guint i = 0; i < self->variables->len; i++)
    g_ptr_array_add (lines, (gpointer) get_text (g_array_index (self->variables, Variable, i).row));
  g_ptr_array_add (lines, NULL);
  return (const char **) g_ptr_array_free (g_steal_pointer (&lines), FALSE);
}

static StintNewJobForm
get_form (StintNewJobDialog *self, const char *const *environment)
{
  return (StintNewJobForm){
    .kind = get_kind (self),
    .name = get_text (self->name_row),
    .command = get_text (self->command_row),
    .prompt = get_text (self->prompt_row),
    .directory = get_text (self->directory_row),
    .timeout = get_text (self->timeout_row),
    .idle_timeout = get_text (self->idle_row),
    .grace = get_text (self->grace_row),
    .environment = environment,
    .default_grace = stint_settings_get_grace (self->settings),
  };
}

/* FALSE: the field has a row for each of its lines. */
static gboolean
get_field (StintNewJobDialog *self, StintFormField field, AdwEntryRow **row, StintFieldNote **note)
{
  switch (field)
    {
    case STINT_FIELD_COMMAND:
      *row = self->command_row;
      *note = self->command_note;
      return TRUE;
    case STINT_FIELD_DIRECTORY:
      *row = self->directory_row;
      *note = self->directory_note;
      return TRUE;
    case STINT_FIELD_TIMEOUT:
      *row = self->timeout_row;
      *note = self->timeout_note;
      return TRUE;
    case STINT_FIELD_IDLE_TIMEOUT:
      *row = self->idle_row;
      *note = self->idle_note;
      return TRUE;
    case STINT_FIELD_GRACE:
      *row = self->grace_row;
      *note = self->grace_note;
      return TRUE;
    case STINT_FIELD_ENVIRONMENT:
    default:
      return FALSE;
    }
}

static void
check_field (StintNewJobDialog *self, StintFormField field)
{
  StintNewJobForm form = get_form (self, NULL);
  g_autoptr (GError) error = NULL;
  AdwEntryRow *row;
  StintFieldNote *note;

  if (!get_field (self, field, &row, &note))
    return;
  stint_new_job_form_check_field (&form, field, &error);
  stint_field_note_set_mistake (note, row, error != NULL ? error->message : NULL);
}

static gboolean
check_variable (Variable *variable)
{
  g_autoptr (GError) error = NULL;

  stint_new_job_form_check_variable (get_text (variable->row), &error);
  stint_field_note_set_mistake (variable->note, variable->row,
                                error != NULL ? error->message : NULL);
  return error == NULL;
}

static void
update_hint (StintNewJobDialog *self)
{
  StintNewJobForm form = get_form (self, NULL);
  g_autofree char *hint = stint_new_job_form_dup_hint (&form);

  stint_field_note_set_hint (self->command_note, hint);
}

static void
on_field_changed (StintNewJobDialog *self, AdwEntryRow *changed)
{
  for (StintFormField field = STINT_FIELD_COMMAND; field < STINT_FIELD_ENVIRONMENT; field++)
    {
      AdwEntryRow *row;
      StintFieldNote *note;

      if (get_field (self, field, &row, &note) && row == changed)
        check_field (self, field);
    }
  if (changed == self->command_row)
    update_hint (self);
}

/* An agent begins with an idle limit and the others with none; what the user has typed stays. */
static void
suggest_idle_limit (StintNewJobDialog *self)
{
  gint64 idle =
      stint_settings_get_idle_timeout (self->settings, get_kind (self));

  if (g_strcmp0 (get_text (self->idle_row), self->suggested_idle) != 0)
    return;
  g_free (self->suggested_idle);
  self->suggested_idle = idle > 0 ? stint_duration_format (idle) : g_strdup ("");
  set_text (self->idle_row, self->suggested_idle);
}

static void
on_kind_changed (StintNewJobDialog *self)
{
  StintJobKind kind = get_kind (self);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->kind_row),
                               stint_job_text_describe_kind (kind));
  gtk_widget_set_visible (GTK_WIDGET (self->prompt_row), kind == STINT_JOB_KIND_AGENT);
  suggest_idle_limit (self);
  update_hint (self);
}

static void
on_variable_changed (AdwEntryRow *row, gpointer user_data)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (user_data);

  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable *variable = &g_array_index (self->variables, Variable, i);

      if (variable->row == row)
        check_variable (variable);
    }
}

static void
on_remove_variable (GtkWidget *button, gpointer user_data)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (user_data);
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);

  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable variable = g_array_index (self->variables, Variable, i);

      if (GTK_WIDGET (variable.row) != row)
        continue;
      g_array_remove_index (self->variables, i);
      gtk_list_box_remove (self->variable_list, GTK_WIDGET (variable.note));
      gtk_list_box_remove (self->variable_list, GTK_WIDGET (variable.row));
      break;
    }
  gtk_widget_set_visible (GTK_WIDGET (self->variable_list), self->variables->len > 0);
}

static void
on_add_variable (StintNewJobDialog *self)
{
  GtkWidget *remove = gtk_button_new_from_icon_name ("edit-delete-symbolic");
  Variable variable = {
    .row = ADW_ENTRY_ROW (adw_entry_row_new ()),
    .note = STINT_FIELD_NOTE (stint_field_note_new ()),
  };

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (variable.row), _ ("NAME=VALUE"));
  adw_entry_row_set_activates_default (variable.row, TRUE);
  adw_entry_row_set_input_hints (variable.row,
                                 GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_NO_EMOJI);
  gtk_widget_set_valign (remove, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (remove, "flat");
  gtk_widget_set_tooltip_text (remove, _ ("Remove This Variable"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (remove), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Remove This Variable"), -1);
  adw_entry_row_add_suffix (variable.row, remove);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove_variable), self,
                           G_CONNECT_DEFAULT);
  g_signal_connect_object (variable.row, "changed", G_CALLBACK (on_variable_changed), self,
                           G_CONNECT_DEFAULT);

  g_array_append_val (self->variables, variable);
  gtk_list_box_append (self->variable_list, GTK_WIDGET (variable.row));
  gtk_list_box_append (self->variable_list, GTK_WIDGET (variable.note));
  gtk_widget_set_visible (GTK_WIDGET (self->variable_list), TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (variable.row));
}

/* Says what is wrong at every field, and goes to the first. */
static gboolean
check_all (StintNewJobDialog *self)
{
  GtkWidget *first = NULL;

  for (StintFormField field = STINT_FIELD_COMMAND; field < STINT_FIELD_ENVIRONMENT; field++)
    {
      AdwEntryRow *row;
      StintFieldNote *note;

      check_field (self, field);
      if (first == NULL && get_field (self, field, &row, &note) &&
          stint_field_note_get_mistake (note) != NULL)
        first = GTK_WIDGET (row);
    }
  for (guint i = 0; i < self->variables->len; i++)
    {
      Variable *variable = &g_array_index (self->variables, Variable, i);

      if (!check_variable (variable) && first == NULL)
        first = GTK_WIDGET (variable->row);
    }
  if (first != NULL)
    gtk_widget_grab_focus (first);
  return first == NULL;
}

static void
on_start_clicked (StintNewJobDialog *self)
{
  g_autofree const char **variables = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  StintNewJobForm form;

  if (!check_all (self))
    return;
  variables = list_variables (self);
  form = get_form (self, variables);
  spec = stint_new_job_form_dup_spec (&form);
  g_signal_emit (self, signals[START], 0, spec);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_directory_chosen (StintNewJobDialog *self, int response)
{
  g_autoptr (GFile) file = NULL;

  if (response == GTK_RESPONSE_ACCEPT)
    file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser));
  if (file != NULL && g_file_peek_path (file) != NULL)
    {
      g_autofree char *shown = g_filename_display_name (g_file_peek_path (file));

      set_text (self->directory_row, shown);
    }
  g_clear_object (&self->chooser);
}

static void
on_choose_directory (StintNewJobDialog *self)
{
  const char *text = get_text (self->directory_row);

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (_ ("Choose a Directory"), GTK_WINDOW (self),
                                               GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _ ("_Choose"),
                                               _ ("_Cancel"));
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  if (g_path_is_absolute (text) && g_file_test (text, G_FILE_TEST_IS_DIR))
    {
      g_autoptr (GFile) folder = g_file_new_for_path (text);

      gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (self->chooser), folder, NULL);
    }
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_directory_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
stint_new_job_dialog_dispose (GObject *object)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (object);

  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
  g_clear_object (&self->chooser);
  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_NEW_JOB_DIALOG);

  G_OBJECT_CLASS (stint_new_job_dialog_parent_class)->dispose (object);
}

static void
stint_new_job_dialog_finalize (GObject *object)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (object);

  g_array_unref (self->variables);
  g_free (self->suggested_idle);

  G_OBJECT_CLASS (stint_new_job_dialog_parent_class)->finalize (object);
}

static void
stint_new_job_dialog_class_init (StintNewJobDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_new_job_dialog_dispose;
  object_class->finalize = stint_new_job_dialog_finalize;

  signals[START] = g_signal_new ("start", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_SPEC);

  g_type_ensure (STINT_TYPE_FIELD_NOTE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-new-job-dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, start_button);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, kind_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, command_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, command_note);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, prompt_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, directory_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, directory_note);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, name_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, timeout_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, timeout_note);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, idle_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, idle_note);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, grace_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, grace_note);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, variable_list);
  gtk_widget_class_bind_template_callback (widget_class, on_start_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_kind_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_field_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_directory);
  gtk_widget_class_bind_template_callback (widget_class, on_add_variable);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_new_job_dialog_init (StintNewJobDialog *self)
{
  self->variables = g_array_new (FALSE, FALSE, sizeof (Variable));
  self->suggested_idle = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->start_button);
}

static void
fill_in (StintNewJobDialog *self, const char *directory)
{
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  g_autofree char *grace = stint_duration_format (stint_settings_get_grace (self->settings));
  const char *workspace = stint_settings_get_workspace (self->settings);
  g_autofree char *shown = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gtk_string_list_take (names, stint_job_text_dup_kind (kinds[i]));
  adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (names));

  if (directory == NULL)
    directory = workspace != NULL ? workspace : "~";
  shown = g_filename_display_name (directory);
  set_text (self->directory_row, shown);
  set_text (self->grace_row, grace);
  on_kind_changed (self);
}

StintNewJobDialog *
stint_new_job_dialog_new (GtkWindow *parent, StintSettings *settings, const char *directory)
{
  StintNewJobDialog *self;
  int width, height;

  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_NEW_JOB_DIALOG, "transient-for", parent, NULL);
  self->settings = g_object_ref (settings);
  fill_in (self, directory);
  /* Not wider than the window it stands on, if that is a narrow one. */
  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  if (gtk_widget_get_width (GTK_WIDGET (parent)) > 0)
    gtk_window_set_default_size (GTK_WINDOW (self),
                                 MIN (width, gtk_widget_get_width (GTK_WIDGET (parent))), height);
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
  return self;
}
