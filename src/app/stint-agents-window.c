/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The agents that Stint knows, a row each. What is changed is saved when it is. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agents-window.h"

#include "stint-agent-session.h"
#include "stint-clipboard.h"
#include "stint-toast.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintAgentsWindow
{
  AdwWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwPreferencesGroup *agents;
  GtkEditable *directory;
  GtkEditable *prompt;
  GtkEditable *new_name;
  GtkEditable *new_command;
  GPtrArray *rows; /* of GtkWidget, in @agents */

  StintJobList *jobs;
  StintAgentProfiles *profiles;
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (StintAgentsWindow, stint_agents_window, ADW_TYPE_WINDOW)

enum
{
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What the handlers of one agent's row need. */
typedef struct
{
  StintAgentsWindow *window;
  StintAgentProfile *profile;
  GtkWidget *row;
  GtkWidget *answer; /* what Test found out */
  GtkWidget *test;
} Row;

static void fill (StintAgentsWindow *self);

static void
row_free (gpointer data, GObject *widget)
{
  Row *row = data;

  g_object_unref (row->profile);
  g_free (row);
}

static void
say (StintAgentsWindow *self, const char *text)
{
  adw_toast_overlay_add_toast (self->toasts, stint_toast_new (text));
}

static void
save (StintAgentsWindow *self)
{
  g_autoptr (GError) error = NULL;

  if (!stint_agent_profiles_save (self->profiles, &error))
    say (self, error->message);
}

static void
on_start (GtkButton *button, Row *row)
{
  StintAgentsWindow *self = row->window;
  const char *text = gtk_editable_get_text (self->directory);
  const char *prompt = gtk_editable_get_text (self->prompt);
  g_autofree char *directory =
      text[0] == '~' ? g_strconcat (g_get_home_dir (), text + 1, NULL) : g_strdup (text);
  g_auto (GStrv) argv = NULL;
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (GError) error = NULL;

  if (!g_path_is_absolute (directory) || !g_file_test (directory, G_FILE_TEST_IS_DIR))
    {
      say (self, _ ("There is no such directory"));
      gtk_widget_add_css_class (GTK_WIDGET (self->directory), "error");
      gtk_widget_grab_focus (GTK_WIDGET (self->directory));
      return;
    }
  argv = stint_agent_profile_dup_argv (row->profile, &error);
  if (argv == NULL)
    {
      say (self, error->message);
      return;
    }
  spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, (const char *const *) argv);
  stint_job_spec_set_session (spec, TRUE);
  stint_job_spec_set_name (spec, stint_agent_profile_get_name (row->profile));
  stint_job_spec_set_directory (spec, directory);
  if (prompt[0] != '\0')
    stint_job_spec_set_stdin_text (spec, prompt);
  g_signal_emit (self, signals[START], 0, spec);
  gtk_window_close (GTK_WINDOW (self));
}

/* Testing: the window may be closed, and the row gone, before the answer comes. */
typedef struct
{
  GWeakRef answer;
  GWeakRef test;
} Test;

static void
test_free (Test *test)
{
  g_weak_ref_clear (&test->answer);
  g_weak_ref_clear (&test->test);
  g_free (test);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Test, test_free)

static char *
describe (const StintAgentAnswer *answer)
{
  GString *text = g_string_new (NULL);

  /* Translators: an agent's name and version, as it says, and the protocol's version. */
  g_string_append_printf (text, _ ("%s %s answers, protocol %d"),
                          answer->name != NULL ? answer->name : _ ("The agent"),
                          answer->version != NULL ? answer->version : "", (int) answer->protocol);
  if (answer->loads_sessions || answer->resumes_sessions)
    g_string_append_printf (text, "\n%s", _ ("It can go on with old sessions."));
  if (answer->takes_images)
    g_string_append_printf (text, "\n%s", _ ("It takes images."));
  return g_string_free (text, FALSE);
}

static void
on_tested (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Test) test = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintAgentAnswer) answer =
      stint_agent_profile_test_finish (STINT_AGENT_PROFILE (source), result, &error);
  g_autoptr (GtkLabel) label = g_weak_ref_get (&test->answer);
  g_autoptr (GtkWidget) button = g_weak_ref_get (&test->test);
  g_autofree char *text = answer != NULL ? describe (answer) : g_strdup (error->message);

  if (label != NULL)
    gtk_label_set_label (label, text);
  if (button != NULL)
    gtk_widget_set_sensitive (button, TRUE);
}

static void
on_test (GtkButton *button, Row *row)
{
  Test *test = g_new0 (Test, 1);

  g_weak_ref_init (&test->answer, row->answer);
  g_weak_ref_init (&test->test, row->test);
  gtk_label_set_label (GTK_LABEL (row->answer), _ ("It is started…"));
  gtk_widget_set_visible (row->answer, TRUE);
  gtk_widget_set_sensitive (row->test, FALSE);
  stint_agent_profile_test_async (row->profile, row->window->jobs, row->window->cancellable,
                                  on_tested, test);
}

static void
on_command (AdwEntryRow *entry, Row *row)
{
  stint_agent_profile_set_command (row->profile, gtk_editable_get_text (GTK_EDITABLE (entry)));
  stint_agent_profiles_add (row->window->profiles, row->profile);
  save (row->window);
  fill (row->window);
}

static void
on_files (GtkSwitch *widget, GParamSpec *pspec, Row *row)
{
  stint_agent_profile_set_files (row->profile, gtk_switch_get_active (widget));
  stint_agent_profiles_add (row->window->profiles, row->profile);
  save (row->window);
}

static void
on_terminals (GtkSwitch *widget, GParamSpec *pspec, Row *row)
{
  stint_agent_profile_set_terminals (row->profile, gtk_switch_get_active (widget));
  stint_agent_profiles_add (row->window->profiles, row->profile);
  save (row->window);
}

static void
on_remove (GtkButton *button, Row *row)
{
  StintAgentsWindow *self = row->window;

  stint_agent_profiles_remove (self->profiles, row->profile);
  save (self);
  fill (self);
}

static void
on_copy (GtkButton *button, Row *row)
{
  stint_clipboard_offer_text (gtk_widget_get_clipboard (GTK_WIDGET (button)),
                              stint_agent_profile_get_install (row->profile));
  say (row->window, _ ("Copied"));
}

static GtkWidget *
new_button (const char *label, const char *style)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  if (style != NULL)
    gtk_widget_add_css_class (button, style);
  return button;
}

static void
add_switch (Row *row, const char *title, gboolean active, GCallback callback)
{
  GtkWidget *line = adw_action_row_new ();
  GtkWidget *widget = gtk_switch_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (line), title);
  gtk_widget_set_valign (widget, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (widget), active);
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  adw_action_row_add_suffix (ADW_ACTION_ROW (line), widget);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (line), widget);
  g_signal_connect (widget, "notify::active", callback, row);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row->row), line);
}

static void
add_test (Row *row)
{
  GtkWidget *line = adw_action_row_new ();
  GtkWidget *remove;

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (line), "");
  row->answer = gtk_label_new (NULL);
  gtk_label_set_wrap (GTK_LABEL (row->answer), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (row->answer), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (row->answer), 0);
  gtk_widget_set_margin_top (row->answer, 6);
  gtk_widget_set_margin_bottom (row->answer, 6);
  gtk_widget_set_visible (row->answer, FALSE);
  adw_action_row_add_prefix (ADW_ACTION_ROW (line), row->answer);
  row->test = new_button (_ ("_Test"), NULL);
  gtk_widget_set_tooltip_text (row->test,
                               _ ("Starts the agent for a moment, and shows what it answers"));
  g_signal_connect (row->test, "clicked", G_CALLBACK (on_test), row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (line), row->test);
  remove =
      new_button (stint_agent_profile_is_known (row->profile) ? _ ("_Reset") : _ ("_Remove"), NULL);
  g_signal_connect (remove, "clicked", G_CALLBACK (on_remove), row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (line), remove);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row->row), line);
}

static void
add_install (Row *row)
{
  const char *install = stint_agent_profile_get_install (row->profile);
  GtkWidget *line = adw_action_row_new ();
  GtkWidget *copy = new_button (_ ("_Copy"), NULL);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (line), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (line), install);
  g_signal_connect (copy, "clicked", G_CALLBACK (on_copy), row);
  adw_action_row_add_suffix (ADW_ACTION_ROW (line), copy);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row->row), line);
}

static GtkWidget *
new_row (StintAgentsWindow *self, StintAgentProfile *profile)
{
  Row *row = g_new0 (Row, 1);
  GtkWidget *command = adw_entry_row_new ();
  gboolean installed = stint_agent_profile_is_installed (profile);
  g_autofree char *name = NULL;

  row->window = self;
  row->profile = g_object_ref (profile);
  row->row = adw_expander_row_new ();
  g_object_weak_ref (G_OBJECT (row->row), row_free, row);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row->row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row->row),
                                 stint_agent_profile_get_name (profile));
  adw_expander_row_set_subtitle (ADW_EXPANDER_ROW (row->row),
                                 installed ? _ ("Installed")
                                           : _ ("Not installed: open to see how to get it"));
  if (installed)
    {
      GtkWidget *start = new_button (_ ("_Start"), "suggested-action");

      /* Translators: %s is an agent. */
      name = g_strdup_printf (_ ("Start %s"), stint_agent_profile_get_name (profile));
      gtk_accessible_update_property (GTK_ACCESSIBLE (start), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                      -1);
      g_signal_connect (start, "clicked", G_CALLBACK (on_start), row);
      adw_expander_row_add_action (ADW_EXPANDER_ROW (row->row), start);
    }
  if (!installed && stint_agent_profile_get_install (profile) != NULL)
    add_install (row);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (command), _ ("Command"));
  gtk_editable_set_text (GTK_EDITABLE (command), stint_agent_profile_get_command (profile));
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (command), TRUE);
  g_signal_connect (command, "apply", G_CALLBACK (on_command), row);
  adw_expander_row_add_row (ADW_EXPANDER_ROW (row->row), command);
  add_switch (row, _ ("May ask Stint for files"), stint_agent_profile_get_files (profile),
              G_CALLBACK (on_files));
  add_switch (row, _ ("May ask Stint for terminals"), stint_agent_profile_get_terminals (profile),
              G_CALLBACK (on_terminals));
  add_test (row);
  return row->row;
}

static void
fill (StintAgentsWindow *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->profiles));
  guint n_installed = 0;

  for (guint i = 0; i < self->rows->len; i++)
    adw_preferences_group_remove (self->agents, self->rows->pdata[i]);
  g_ptr_array_set_size (self->rows, 0);
  /* Those that can be started first. */
  for (guint pass = 0; pass < 2; pass++)
    for (guint i = 0; i < n; i++)
      {
        g_autoptr (StintAgentProfile) profile =
            g_list_model_get_item (G_LIST_MODEL (self->profiles), i);
        gboolean installed = stint_agent_profile_is_installed (profile);
        GtkWidget *row;

        if (installed != (pass == 0))
          continue;
        n_installed += installed;
        row = new_row (self, profile);
        g_ptr_array_add (self->rows, row);
        adw_preferences_group_add (self->agents, row);
      }
  adw_preferences_group_set_description (
      self->agents, n_installed > 0 ? NULL
                                    : _ ("No agent is installed. Open one below to see "
                                         "how to get it, or add a command that speaks "
                                         "the Agent Client Protocol."));
}

static void
on_add (StintAgentsWindow *self)
{
  const char *name = gtk_editable_get_text (self->new_name);
  const char *command = gtk_editable_get_text (self->new_command);
  g_autoptr (StintAgentProfile) profile = NULL;
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;

  if (name[0] == '\0')
    {
      say (self, _ ("Give it a name"));
      gtk_widget_grab_focus (GTK_WIDGET (self->new_name));
      return;
    }
  profile = stint_agent_profile_new (name, name, command);
  argv = stint_agent_profile_dup_argv (profile, &error);
  if (argv == NULL)
    {
      say (self, error->message);
      gtk_widget_grab_focus (GTK_WIDGET (self->new_command));
      return;
    }
  stint_agent_profiles_add (self->profiles, profile);
  save (self);
  gtk_editable_set_text (self->new_name, "");
  gtk_editable_set_text (self->new_command, "");
  fill (self);
}

static GtkEditable *
add_entry (AdwPreferencesGroup *group, const char *title, const char *text)
{
  GtkWidget *row = adw_entry_row_new ();

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  gtk_editable_set_text (GTK_EDITABLE (row), text);
  adw_preferences_group_add (group, row);
  return GTK_EDITABLE (row);
}

static void
on_directory_changed (StintAgentsWindow *self)
{
  gtk_widget_remove_css_class (GTK_WIDGET (self->directory), "error");
}

static void
stint_agents_window_dispose (GObject *object)
{
  StintAgentsWindow *self = STINT_AGENTS_WINDOW (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->jobs);
  g_clear_object (&self->profiles);

  G_OBJECT_CLASS (stint_agents_window_parent_class)->dispose (object);
}

static void
stint_agents_window_finalize (GObject *object)
{
  StintAgentsWindow *self = STINT_AGENTS_WINDOW (object);

  g_ptr_array_unref (self->rows);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (stint_agents_window_parent_class)->finalize (object);
}

static void
stint_agents_window_class_init (StintAgentsWindowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_agents_window_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_agents_window_finalize;

  signals[START] = g_signal_new ("start", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_SPEC);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
stint_agents_window_init (StintAgentsWindow *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  AdwPreferencesGroup *where = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  AdwPreferencesGroup *add = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  GtkWidget *button = new_button (_ ("_Add"), "flat");

  self->cancellable = g_cancellable_new ();
  self->rows = g_ptr_array_new ();
  adw_preferences_group_set_title (where, _ ("New Session"));
  self->directory = add_entry (where, _ ("Directory"), "");
  g_signal_connect_object (self->directory, "changed", G_CALLBACK (on_directory_changed), self,
                           G_CONNECT_SWAPPED);
  self->prompt = add_entry (where, _ ("What to Say First (Optional)"), "");
  self->agents = ADW_PREFERENCES_GROUP (adw_preferences_group_new ());
  adw_preferences_group_set_title (self->agents, _ ("Agents"));
  adw_preferences_group_set_title (add, _ ("Another Agent"));
  adw_preferences_group_set_header_suffix (add, button);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_add), self);
  self->new_name = add_entry (add, _ ("Name"), "");
  self->new_command = add_entry (add, _ ("Command"), "");
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), where);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), self->agents);
  adw_preferences_page_add (ADW_PREFERENCES_PAGE (page), add);

  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  gtk_widget_set_vexpand (page, TRUE);
  adw_toast_overlay_set_child (self->toasts, page);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Agents"));
  gtk_window_set_default_size (GTK_WINDOW (self), 520, 640);
  gtk_widget_set_size_request (GTK_WIDGET (self), 360, 294);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
}

GtkWidget *
stint_agents_window_new (GtkWindow *parent,
                         StintJobList *jobs,
                         StintAgentProfiles *profiles,
                         const char *directory)
{
  StintAgentsWindow *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (directory != NULL, NULL);

  self = g_object_new (STINT_TYPE_AGENTS_WINDOW, "transient-for", parent, "modal", parent != NULL,
                       NULL);
  self->jobs = g_object_ref (jobs);
  self->profiles = profiles != NULL ? g_object_ref (profiles) : stint_agent_profiles_new (NULL);
  gtk_editable_set_text (self->directory, directory);
  if (stint_agent_profiles_get_error (self->profiles) != NULL)
    say (self, stint_agent_profiles_get_error (self->profiles)->message);
  fill (self);
  return GTK_WIDGET (self);
}
