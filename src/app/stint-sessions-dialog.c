/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the agent which sessions it keeps, and shows them, as they come from it: the newest of most agents
 * are the first. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-sessions-dialog.h"

#include "stint-toast.h"
#include "stint-units.h"

#include <glib/gi18n.h>

/* Of a title, which is often the first prompt. */
#define MAX_TITLE 200

struct _StintSessionsDialog
{
  AdwWindow parent_instance;

  GtkStack *stack;
  AdwStatusPage *status;
  GtkListBox *list;
  AdwToastOverlay *toasts;

  StintAgentSession *session;
  GCancellable *cancellable;
  GPtrArray *rows; /* of Row */
};

G_DEFINE_FINAL_TYPE (StintSessionsDialog, stint_sessions_dialog, ADW_TYPE_WINDOW)

enum
{
  START,
  LISTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What the handlers of a row need; the dialog's. */
typedef struct
{
  StintSessionsDialog *dialog;
  GtkWidget *row;
  char *id;
  char *directory; /* (nullable) */
} Row;

static void
row_free (gpointer data)
{
  Row *row = data;

  g_free (row->id);
  g_free (row->directory);
  g_free (row);
}

static void
say (StintSessionsDialog *self, const char *text)
{
  AdwToast *toast = stint_toast_new (text);

  adw_toast_set_timeout (toast, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
show_status (StintSessionsDialog *self, const char *title, const char *description)
{
  g_autofree char *escaped = description != NULL ? g_markup_escape_text (description, -1) : NULL;

  adw_status_page_set_title (self->status, title);
  adw_status_page_set_description (self->status, escaped);
  gtk_stack_set_visible_child (self->stack, GTK_WIDGET (self->status));
}

/* Whether a job of this process has the session @id: two would write into it. */
static gboolean
is_open (StintSessionsDialog *self, const char *id)
{
  return stint_agent_session_find (stint_agent_session_get_profile (self->session), id) != NULL;
}

/* One that was free when it was listed may have been opened since. */
static gboolean
refuse_if_open (Row *row)
{
  if (!is_open (row->dialog, row->id))
    return FALSE;
  say (row->dialog, _ ("Another job has opened this session"));
  return TRUE;
}

static void
on_continue (GtkWidget *widget, Row *row)
{
  StintSessionsDialog *self = row->dialog;
  g_autoptr (StintJobSpec) spec = NULL;

  if (refuse_if_open (row))
    return;
  spec = stint_job_spec_copy (stint_job_get_spec (stint_agent_session_get_job (self->session)));
  stint_job_spec_clear_schedule (spec);
  stint_job_spec_set_session_id (spec, row->id);
  /* Some agents list those of other directories too. */
  if (row->directory != NULL && g_path_is_absolute (row->directory))
    stint_job_spec_set_directory (spec, row->directory);
  g_signal_emit (self, signals[START], 0, spec);
  gtk_window_close (GTK_WINDOW (self));
}

typedef struct
{
  StintSessionsDialog *dialog;
  GtkWidget *row;
} Deletion;

static void
on_deleted (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Deletion *deletion = user_data;
  g_autoptr (StintSessionsDialog) self = deletion->dialog;
  g_autoptr (GtkWidget) row = deletion->row;
  g_autoptr (GError) error = NULL;
  gboolean done =
      stint_agent_session_delete_finish (STINT_AGENT_SESSION (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (!done)
    {
      gtk_widget_set_sensitive (row, TRUE);
      say (self, error->message);
      return;
    }
  gtk_list_box_remove (self->list, row);
  if (gtk_list_box_get_row_at_index (self->list, 0) == NULL)
    show_status (self, _ ("No Sessions"), NULL);
}

static void
delete (Row *row)
{
  Deletion *deletion;

  if (refuse_if_open (row))
    return;
  deletion = g_new (Deletion, 1);
  *deletion = (Deletion){ g_object_ref (row->dialog), g_object_ref (row->row) };
  gtk_widget_set_sensitive (row->row, FALSE);
  stint_agent_session_delete_async (row->dialog->session, row->id, row->dialog->cancellable,
                                    on_deleted, deletion);
}

static void
on_response (AdwMessageDialog *question, const char *response, Row *row)
{
  if (g_str_equal (response, "delete"))
    delete (row);
}

static void
on_delete (GtkButton *button, Row *row)
{
  GtkWidget *question = adw_message_dialog_new (
      GTK_WINDOW (row->dialog), _ ("Delete This Session?"),
      _ ("The agent forgets it for good. What Stint has kept of it stays in the history."));
  adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (question), "cancel", _ ("_Cancel"),
                                    "delete", _ ("_Delete"), NULL);
  adw_message_dialog_set_response_appearance (ADW_MESSAGE_DIALOG (question), "delete",
                                              ADW_RESPONSE_DESTRUCTIVE);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (question), TRUE);
  g_signal_connect (question, "response", G_CALLBACK (on_response), row);
  gtk_window_present (GTK_WINDOW (question));
}

/* As the agent wrote it, in ISO 8601, or as people write it, if that is what it is. */
static char *
dup_time (const char *updated)
{
  g_autoptr (GTimeZone) here = g_time_zone_new_local ();
  g_autoptr (GDateTime) time = g_date_time_new_from_iso8601 (updated, here);
  g_autoptr (GDateTime) local = time != NULL ? g_date_time_to_local (time) : NULL;

  return local != NULL ? g_date_time_format (local, "%x %R") : g_strdup (updated);
}

static char *
dup_subtitle (const StintStoredSession *stored)
{
  g_autofree char *time = stored->updated != NULL ? dup_time (stored->updated) : NULL;
  g_autofree char *text = NULL;

  if (time != NULL && stored->directory != NULL)
    /* Translators: of a session of an agent: when it was last used, and its directory. */
    text = g_strdup_printf (_ ("%s · %s"), time, stored->directory);
  else if (time != NULL)
    text = g_strdup (time);
  else
    text = g_strdup (stored->directory != NULL ? stored->directory : "");
  return stint_text_clean (text, MAX_TITLE);
}

/* Returns: (nullable): why it can be neither gone on with nor deleted */
static const char *
get_mark (StintSessionsDialog *self, const char *id)
{
  if (g_strcmp0 (id, stint_agent_session_get_session_id (self->session)) == 0)
    return _ ("This one");
  /* Translators: a session with an agent that is open in another job than this one. */
  return is_open (self, id) ? _ ("In another job") : NULL;
}

static void
add_row (StintSessionsDialog *self, const StintStoredSession *stored)
{
  const char *mark = get_mark (self, stored->id);
  g_autofree char *title =
      stint_text_clean (stored->title != NULL ? stored->title : stored->id, MAX_TITLE);
  g_autofree char *subtitle = dup_subtitle (stored);
  g_autofree char *label = NULL;
  GtkWidget *row = adw_action_row_new ();
  Row *data = g_new (Row, 1);

  *data = (Row){ self, row, g_strdup (stored->id), g_strdup (stored->directory) };
  g_ptr_array_add (self->rows, data);
  g_object_set (row, "use-markup", FALSE, "title", title, "subtitle", subtitle, "title-lines", 2,
                NULL);
  if (mark == NULL)
    {
      gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
      gtk_widget_set_tooltip_text (row, _ ("Go on with this session, as another job"));
      g_signal_connect (row, "activated", G_CALLBACK (on_continue), data);
    }
  else
    {
      GtkWidget *suffix = gtk_label_new (mark);

      gtk_widget_add_css_class (suffix, "dim-label");
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), suffix);
    }
  if (mark == NULL && stint_agent_session_can_delete (self->session))
    {
      GtkWidget *button = gtk_button_new_from_icon_name ("user-trash-symbolic");

      /* Translators: %s is the title of a session with an agent. */
      label = g_strdup_printf (_ ("Delete “%s”"), title);
      gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
      gtk_widget_add_css_class (button, "flat");
      gtk_widget_set_tooltip_text (button, _ ("Delete This Session"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                      -1);
      g_signal_connect (button, "clicked", G_CALLBACK (on_delete), data);
      adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
    }
  if (mark == NULL)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
  gtk_list_box_append (self->list, row);
}

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintSessionsDialog) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) stored =
      stint_agent_session_list_finish (STINT_AGENT_SESSION (source), result, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (stored == NULL)
    show_status (self, _ ("The Agent Does Not Tell Its Sessions"), error->message);
  else if (stored->len == 0)
    show_status (self, _ ("No Sessions"), _ ("The agent has none of this directory."));
  else
    {
      for (guint i = 0; i < stored->len; i++)
        add_row (self, stored->pdata[i]);
      gtk_stack_set_visible_child_name (self->stack, "list");
      gtk_widget_child_focus (GTK_WIDGET (self->list), GTK_DIR_TAB_FORWARD);
    }
  g_signal_emit (self, signals[LISTED], 0);
}

static void
stint_sessions_dialog_dispose (GObject *object)
{
  StintSessionsDialog *self = STINT_SESSIONS_DIALOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->session);

  G_OBJECT_CLASS (stint_sessions_dialog_parent_class)->dispose (object);
}

static void
stint_sessions_dialog_finalize (GObject *object)
{
  g_clear_object (&STINT_SESSIONS_DIALOG (object)->cancellable);
  g_ptr_array_unref (STINT_SESSIONS_DIALOG (object)->rows);

  G_OBJECT_CLASS (stint_sessions_dialog_parent_class)->finalize (object);
}

static void
stint_sessions_dialog_class_init (StintSessionsDialogClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_sessions_dialog_dispose;
  object_class->finalize = stint_sessions_dialog_finalize;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[LISTED] =
      g_signal_new ("listed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
stint_sessions_dialog_init (StintSessionsDialog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *clamp = adw_clamp_new ();

  self->cancellable = g_cancellable_new ();
  self->rows = g_ptr_array_new_with_free_func (row_free);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_set_valign (GTK_WIDGET (self->list), GTK_ALIGN_START);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Sessions"), -1);
  g_object_set (clamp, "child", self->list, "margin-top", 12, "margin-bottom", 12, "margin-start",
                12, "margin-end", 12, NULL);
  g_object_set (scroller, "child", clamp, "hscrollbar-policy", GTK_POLICY_NEVER, "vexpand", TRUE,
                NULL);
  self->status = ADW_STATUS_PAGE (adw_status_page_new ());
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_stack_add_child (self->stack, GTK_WIDGET (self->status));
  gtk_stack_add_named (self->stack, scroller, "list");
  self->toasts = ADW_TOAST_OVERLAY (adw_toast_overlay_new ());
  adw_toast_overlay_set_child (self->toasts, GTK_WIDGET (self->stack));
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->toasts));
  adw_window_set_content (ADW_WINDOW (self), box);
  show_status (self, _ ("Asking the Agent…"), NULL);
}

GtkWidget *
stint_sessions_dialog_new (GtkWindow *parent, StintAgentSession *session)
{
  StintSessionsDialog *self;

  g_return_val_if_fail (STINT_IS_AGENT_SESSION (session), NULL);

  self = g_object_new (STINT_TYPE_SESSIONS_DIALOG, "transient-for", parent, "modal", TRUE,
                       "destroy-with-parent", TRUE, "title", _ ("Sessions"), "default-width", 420, "default-height", 480, NULL);
  self->session = g_object_ref (session);
  stint_agent_session_list_async (session, self->cancellable, on_listed, g_object_ref (self));
  return GTK_WIDGET (self);
}
