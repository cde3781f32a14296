/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that starts a job. Holds the widgets; what they mean and what is wrong with it,
 * stint-new-job-form.c knows. A field is judged once the user has changed it, or wants to start. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-new-job-dialog.h"

#include "stint-error.h"
#include "stint-field-note.h"
#include "stint-job-text.h"
#include "stint-new-job-form.h"
#include "stint-new-job-more.h"
#include "stint-preset-dialog.h"
#include "stint-recents.h"
#include "stint-secrets.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define MAX_RECENTS 10
#define LABEL_CHARS 50

struct _StintNewJobDialog
{
  AdwWindow parent_instance;

  /* Template widgets */
  GtkWidget *start_button;
  GtkWidget *preset_button;
  AdwPreferencesPage *page;
  AdwComboRow *kind_row;
  AdwEntryRow *command_row;
  StintFieldNote *command_note;
  GtkMenuButton *recent_commands;
  GtkWidget *offer_row;
  AdwEntryRow *prompt_row;
  AdwEntryRow *directory_row;
  GtkMenuButton *recent_directories;
  StintFieldNote *directory_note;
  AdwEntryRow *name_row;
  AdwEntryRow *timeout_row;
  StintFieldNote *timeout_note;
  AdwEntryRow *idle_row;
  StintFieldNote *idle_note;
  AdwPreferencesGroup *more_group;

  /* Owned */
  StintSettings *settings;
  StintNewJobMore *more; /* (nullable): once it was wanted */
  GListModel *jobs;      /* (nullable) */
  StintPresets *presets; /* (nullable) */
  StintPreset *preset;   /* (nullable): that is being changed */
  StintJobSpec *base;    /* (nullable): that it was filled in with */
  GtkFileChooserNative *chooser;
  /* What we put there, as long as the user has not changed it */
  char *suggested_timeout;
  char *suggested_idle;
};

G_DEFINE_FINAL_TYPE (StintNewJobDialog, stint_new_job_dialog, ADW_TYPE_WINDOW)

enum
{
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* The order of the kinds in the dialog, the usual one first. */
static const struct
{
  StintJobKind kind;
  gboolean session;
} kinds[] = {
  { STINT_JOB_KIND_TERMINAL, FALSE },
  { STINT_JOB_KIND_SHELL, FALSE },
  { STINT_JOB_KIND_AGENT, FALSE },
  { STINT_JOB_KIND_AGENT, TRUE },
};

static char *
dup_kind_name (guint i)
{
  return kinds[i].session ? g_strdup (_ ("Agent Session")) : stint_job_text_dup_kind (kinds[i].kind);
}

static const char *
describe_kind (guint i)
{
  return kinds[i].session ? _ ("You talk with an agent: it asks before it acts, and shows what it does.")
                          : stint_job_text_describe_kind (kinds[i].kind);
}

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

static guint
get_selected_kind (StintNewJobDialog *self)
{
  guint selected = adw_combo_row_get_selected (self->kind_row);

  return selected < G_N_ELEMENTS (kinds) ? selected : 0;
}

static StintJobKind
get_kind (StintNewJobDialog *self)
{
  return kinds[get_selected_kind (self)].kind;
}

static StintNewJobForm
get_form (StintNewJobDialog *self)
{
  StintNewJobForm form = {
    .kind = get_kind (self),
    .session = kinds[get_selected_kind (self)].session,
    .name = get_text (self->name_row),
    .command = get_text (self->command_row),
    .prompt = get_text (self->prompt_row),
    .directory = get_text (self->directory_row),
    .timeout = get_text (self->timeout_row),
    .idle_timeout = get_text (self->idle_row),
    .retry_delay = "",
    .default_grace = stint_settings_get_grace (self->settings),
    .base = self->base,
  };

  if (self->more != NULL)
    stint_new_job_more_read (self->more, &form);
  return form;
}

/* FALSE: the field stands elsewhere. */
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
    case STINT_FIELD_ENVIRONMENT:
    case STINT_FIELD_GRACE:
    case STINT_FIELD_START:
    case STINT_FIELD_RETRY_DELAY:
    default:
      return FALSE;
    }
}

static void
check_field (StintNewJobDialog *self, StintFormField field)
{
  StintNewJobForm form = get_form (self);
  g_autoptr (GError) error = NULL;
  AdwEntryRow *row;
  StintFieldNote *note;

  if (!get_field (self, field, &row, &note))
    return;
  stint_new_job_form_check_field (&form, field, &error);
  stint_field_note_set_mistake (note, row, error != NULL ? error->message : NULL);
  if (field == STINT_FIELD_COMMAND)
    gtk_widget_set_visible (self->offer_row,
                            g_error_matches (error, STINT_ERROR, STINT_ERROR_WRONG_KIND));
}

static void
update_hint (StintNewJobDialog *self)
{
  StintNewJobForm form = get_form (self);
  g_autofree char *hint = stint_new_job_form_dup_hint (&form);

  stint_field_note_set_hint (self->command_note, hint);
}

static void
on_field_changed (StintNewJobDialog *self, GParamSpec *pspec, AdwEntryRow *changed)
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

/* What the user has typed stays. */
static void
suggest (AdwEntryRow *row, char **suggested, gint64 usec)
{
  g_autofree char *text = usec > 0 ? stint_duration_format (usec) : g_strdup ("");

  if (g_strcmp0 (get_text (row), *suggested) != 0)
    return;
  g_free (*suggested);
  *suggested = g_steal_pointer (&text);
  set_text (row, *suggested);
}

static void
on_kind_changed (StintNewJobDialog *self)
{
  StintJobKind kind = get_kind (self);

  adw_action_row_set_subtitle (ADW_ACTION_ROW (self->kind_row),
                               describe_kind (get_selected_kind (self)));
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (self->prompt_row),
                                 kinds[get_selected_kind (self)].session
                                     ? _ ("First Prompt")
                                     : _ ("Prompt, Given on Standard Input"));
  gtk_widget_set_visible (GTK_WIDGET (self->prompt_row), kind == STINT_JOB_KIND_AGENT);
  suggest (self->timeout_row, &self->suggested_timeout,
           stint_settings_get_timeout (self->settings, kind));
  suggest (self->idle_row, &self->suggested_idle,
           stint_settings_get_idle_timeout (self->settings, kind));
  if (stint_field_note_get_mistake (self->command_note) != NULL || *get_text (self->command_row) != '\0')
    check_field (self, STINT_FIELD_COMMAND);
  update_hint (self);
}

static void
set_kind (StintNewJobDialog *self, StintJobKind kind, gboolean session)
{
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].kind == kind && kinds[i].session == session)
      adw_combo_row_set_selected (self->kind_row, i);
}

static void
on_offer_clicked (StintNewJobDialog *self)
{
  set_kind (self, STINT_JOB_KIND_AGENT, FALSE);
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
}

static void
show_more (StintNewJobDialog *self)
{
  if (self->more != NULL)
    return;
  self->more =
      stint_new_job_more_new (self->page, stint_settings_get_grace (self->settings));
  gtk_widget_set_visible (GTK_WIDGET (self->more_group), FALSE);
}

/* The button is gone then, and the focus would be where the dialog begins. */
static void
on_more_clicked (StintNewJobDialog *self)
{
  show_more (self);
  stint_new_job_more_focus (self->more);
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
  if (self->more != NULL)
    {
      GtkWidget *wrong = stint_new_job_more_check (self->more);

      if (first == NULL)
        first = wrong;
    }
  if (first != NULL)
    gtk_widget_grab_focus (first);
  return first == NULL;
}

/* (transfer full) (nullable): what the dialog says; NULL if something is wrong, which is said. */
static StintJobSpec *
dup_spec (StintNewJobDialog *self)
{
  StintNewJobForm form;

  if (!check_all (self))
    return NULL;
  form = get_form (self);
  return stint_new_job_form_dup_spec (&form);
}

static void
on_start_clicked (StintNewJobDialog *self)
{
  g_autoptr (StintJobSpec) spec = dup_spec (self);

  if (spec == NULL)
    return;
  stint_secrets_store_marked (spec);
  g_signal_emit (self, signals[START], 0, spec);
  gtk_window_close (GTK_WINDOW (self));
}

static void
on_save_preset_clicked (StintNewJobDialog *self)
{
  g_autoptr (StintJobSpec) spec = dup_spec (self);

  if (spec == NULL)
    return;
  stint_secrets_store_marked (spec);
  gtk_window_present (GTK_WINDOW (
      stint_preset_dialog_new (GTK_WINDOW (self), self->presets, self->preset, spec)));
}

static void
recent_command_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (widget);

  set_text (self->command_row, g_variant_get_string (parameter, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
  gtk_editable_set_position (GTK_EDITABLE (self->command_row), -1);
}

static void
recent_directory_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (widget);

  set_text (self->directory_row, g_variant_get_string (parameter, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (self->directory_row));
}

static GMenuModel *
new_recents_menu (const char *action, const char *const *texts)
{
  GMenu *menu = g_menu_new ();

  for (guint i = 0; texts[i] != NULL; i++)
    {
      g_autofree char *clean = stint_text_clean (texts[i], LABEL_CHARS);
      g_auto (GStrv) parts = g_strsplit (clean, "_", -1);
      g_autofree char *label = g_strjoinv ("__", parts);
      g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

      g_menu_item_set_action_and_target (item, action, "s", texts[i]);
      g_menu_append_item (menu, item);
    }
  return G_MENU_MODEL (menu);
}

/* When it is opened, so that opening the dialog costs nothing. */
static void
create_recent_commands (GtkMenuButton *button, gpointer user_data)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (user_data);
  g_auto (GStrv) texts = stint_recents_dup_commands (self->jobs, MAX_RECENTS);
  g_autoptr (GMenuModel) menu = new_recents_menu ("recent.command", (const char *const *) texts);

  gtk_menu_button_set_menu_model (button, menu);
}

static void
create_recent_directories (GtkMenuButton *button, gpointer user_data)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (user_data);
  g_auto (GStrv) texts = stint_recents_dup_directories (self->jobs, MAX_RECENTS);
  g_autoptr (GMenuModel) menu = new_recents_menu ("recent.directory", (const char *const *) texts);

  gtk_menu_button_set_menu_model (button, menu);
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
  g_clear_object (&self->more);
  g_clear_object (&self->jobs);
  g_clear_object (&self->presets);
  g_clear_object (&self->preset);
  g_clear_object (&self->base);
  g_clear_object (&self->settings);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_NEW_JOB_DIALOG);

  G_OBJECT_CLASS (stint_new_job_dialog_parent_class)->dispose (object);
}

static void
stint_new_job_dialog_finalize (GObject *object)
{
  StintNewJobDialog *self = STINT_NEW_JOB_DIALOG (object);

  g_free (self->suggested_timeout);
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
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, preset_button);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, page);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, recent_commands);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, recent_directories);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, offer_row);
  gtk_widget_class_bind_template_child (widget_class, StintNewJobDialog, more_group);
  gtk_widget_class_bind_template_callback (widget_class, on_start_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_kind_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_field_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_choose_directory);
  gtk_widget_class_bind_template_callback (widget_class, on_offer_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_more_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_save_preset_clicked);
  gtk_widget_class_install_action (widget_class, "recent.command", "s", recent_command_action);
  gtk_widget_class_install_action (widget_class, "recent.directory", "s", recent_directory_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_new_job_dialog_init (StintNewJobDialog *self)
{
  self->suggested_timeout = g_strdup ("");
  self->suggested_idle = g_strdup ("");
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_window_set_default_widget (GTK_WINDOW (self), self->start_button);
}

/* In the list of kinds each is explained; the row itself has only its name. */
static void
on_kind_setup (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *name = gtk_label_new (NULL);
  GtkWidget *description = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_xalign (GTK_LABEL (description), 0);
  gtk_label_set_wrap (GTK_LABEL (description), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (description), 34);
  gtk_widget_add_css_class (description, "caption");
  gtk_widget_add_css_class (description, "dim-label");
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), description);
  gtk_list_item_set_child (item, box);
}

static void
on_kind_bind (GtkSignalListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *name = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  guint position = gtk_list_item_get_position (item);
  GtkStringObject *string = gtk_list_item_get_item (item);

  gtk_label_set_label (GTK_LABEL (name), gtk_string_object_get_string (string));
  if (position < G_N_ELEMENTS (kinds))
    gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (name)),
                         describe_kind (position));
}

static void
set_up_kinds (StintNewJobDialog *self)
{
  g_autoptr (GtkListItemFactory) factory = gtk_signal_list_item_factory_new ();
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++)
    gtk_string_list_take (names, dup_kind_name (i));
  g_signal_connect (factory, "setup", G_CALLBACK (on_kind_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_kind_bind), NULL);
  adw_combo_row_set_model (self->kind_row, G_LIST_MODEL (names));
  adw_combo_row_set_list_factory (self->kind_row, factory);
}

static void
fill_in (StintNewJobDialog *self, const char *directory)
{
  const char *workspace = stint_settings_get_workspace (self->settings);
  g_autofree char *shown = NULL;

  set_up_kinds (self);
  if (directory == NULL)
    directory = workspace != NULL ? workspace : "~";
  shown = g_filename_display_name (directory);
  set_text (self->directory_row, shown);
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

void
stint_new_job_dialog_set_jobs (StintNewJobDialog *self, GListModel *jobs)
{
  gboolean any;

  g_return_if_fail (STINT_IS_NEW_JOB_DIALOG (self));
  g_return_if_fail (G_IS_LIST_MODEL (jobs));

  g_set_object (&self->jobs, jobs);
  any = g_list_model_get_n_items (jobs) > 0;
  gtk_widget_set_visible (GTK_WIDGET (self->recent_commands), any);
  gtk_widget_set_visible (GTK_WIDGET (self->recent_directories), any);
  gtk_menu_button_set_create_popup_func (self->recent_commands, create_recent_commands, self, NULL);
  gtk_menu_button_set_create_popup_func (self->recent_directories, create_recent_directories, self,
                                         NULL);
}

void
stint_new_job_dialog_set_presets (StintNewJobDialog *self, StintPresets *presets)
{
  g_return_if_fail (STINT_IS_NEW_JOB_DIALOG (self));
  g_return_if_fail (STINT_IS_PRESETS (presets));

  g_set_object (&self->presets, presets);
  gtk_widget_set_visible (self->preset_button, TRUE);
}

static void
fill_limit (AdwEntryRow *row, char **suggested, gboolean said, gint64 usec)
{
  g_autofree char *text = usec > 0 ? stint_duration_format (usec) : g_strdup ("");

  if (!said)
    return;
  /* Another kind suggests nothing else. */
  g_clear_pointer (suggested, g_free);
  set_text (row, text);
}

void
stint_new_job_dialog_fill (StintNewJobDialog *self, StintJobSpec *spec)
{
  g_autofree char *line = NULL;
  g_autofree char *command = NULL;
  const char *directory, *prompt, *name;

  g_return_if_fail (STINT_IS_NEW_JOB_DIALOG (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  g_set_object (&self->base, spec);
  set_kind (self, stint_job_spec_get_kind (spec), stint_job_spec_get_session (spec));
  line = stint_job_spec_dup_command_line (spec);
  command = g_utf8_make_valid (line, -1);
  set_text (self->command_row, command);
  prompt = stint_job_spec_get_stdin_text (spec);
  set_text (self->prompt_row, prompt != NULL ? prompt : "");
  name = stint_job_spec_get_name (spec);
  set_text (self->name_row, name != NULL ? name : "");
  directory = stint_job_spec_get_directory (spec);
  if (directory != NULL)
    {
      g_autofree char *shown = g_filename_display_name (directory);

      set_text (self->directory_row, shown);
    }
  fill_limit (self->timeout_row, &self->suggested_timeout, stint_job_spec_has_timeout (spec),
              stint_job_spec_get_timeout (spec));
  fill_limit (self->idle_row, &self->suggested_idle, stint_job_spec_has_idle_timeout (spec),
              stint_job_spec_get_idle_timeout (spec));
  if (stint_new_job_more_concerns (spec, stint_settings_get_grace (self->settings)))
    {
      show_more (self);
      stint_new_job_more_fill (self->more, spec);
      gtk_widget_grab_focus (GTK_WIDGET (self->command_row));
    }
}

void
stint_new_job_dialog_set_preset (StintNewJobDialog *self, StintPreset *preset)
{
  g_return_if_fail (STINT_IS_NEW_JOB_DIALOG (self));
  g_return_if_fail (STINT_IS_PRESET (preset));

  g_set_object (&self->preset, preset);
  stint_new_job_dialog_fill (self, stint_preset_get_spec (preset));
}
