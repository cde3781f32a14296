/* SPDX-License-Identifier: GPL-3.0-or-later */

/* An agent session on its job's page: brings its session and the widgets that show it together. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-view.h"

#include "stint-prompt-entry.h"
#include "stint-request-card.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintAgentView
{
  GtkWidget parent_instance;

  /* Template widgets */
  StintConversationView *conversation;
  StintRequestBar *requests;
  GtkWidget *queue;
  GtkListBox *queue_list;
  GtkWidget *continue_button;
  StintPromptEntry *entry;
  GtkWidget *ended;
  GtkLabel *ended_label;
  GtkWidget *restart_button;

  /* Owned */
  StintJob *job;
  StintAgentSession *session; /* (nullable) */
  GListModel *prompts;
  GListModel *open_requests;
  GCancellable *cancellable;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (StintAgentView, stint_agent_view, GTK_TYPE_WIDGET)

enum
{
  PROBLEM,
  OPEN_JOB,
  RESTARTED,
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
raise_problem (StintAgentView *self, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, error);
}

/* Whether the agent said that it can go on with this session. */
static gboolean
can_continue (StintAgentView *self)
{
  StintConversation *conversation = stint_conversation_view_get_conversation (self->conversation);

  return conversation != NULL && stint_conversation_can_continue (conversation);
}

/* What starting it again would lead to, before it is tried. */
static void
show_restart (StintAgentView *self)
{
  gboolean continues = can_continue (self);

  gtk_button_set_label (GTK_BUTTON (self->restart_button),
                        continues ? _ ("_Continue") : _ ("_Begin Anew"));
  gtk_widget_set_tooltip_text (
      self->restart_button,
      continues ? _ ("Starts the agent again, and goes on with this conversation")
                : _ ("Starts the agent again; it cannot go on with this conversation"));
  gtk_widget_set_visible (self->restart_button, TRUE);
}

/* What has ended, why, and whether it can go on. */
static void
show_end (StintAgentView *self)
{
  const char *why = self->session != NULL ? stint_agent_session_get_error (self->session) : NULL;
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->ended, TRUE);
  gtk_widget_set_visible (GTK_WIDGET (self->entry), FALSE);
  if (stint_job_get_state (self->job) != STINT_JOB_FINISHED)
    {
      gtk_label_set_label (self->ended_label, _ ("Another program speaks with this agent."));
      gtk_widget_set_visible (self->restart_button, FALSE);
      return;
    }
  if (why != NULL && why[0] != '\0')
    /* Translators: %s is why, a sentence. */
    text = g_strdup_printf (_ ("The agent has ended: %s"), why);
  else
    text = g_strdup (_ ("The agent has ended."));
  gtk_label_set_label (self->ended_label, text);
  show_restart (self);
}

static void
update_continue (StintAgentView *self)
{
  gtk_widget_set_visible (self->continue_button,
                          self->session != NULL &&
                              stint_agent_session_get_state (self->session) == STINT_AGENT_READY);
}

static void
on_state (StintAgentView *self)
{
  StintAgentState state = stint_agent_session_get_state (self->session);

  g_object_set (self->entry, "busy",
                state == STINT_AGENT_TURN || state == STINT_AGENT_WAITING ||
                    state == STINT_AGENT_CANCELLING,
                NULL);
  stint_prompt_entry_set_takes_images (self->entry,
                                       stint_agent_session_takes_images (self->session));
  /* With what else is kept of the job. */
  stint_prompt_entry_set_picture_directory (self->entry, stint_job_get_directory (self->job));
  update_continue (self);
  if (state == STINT_AGENT_ENDED)
    show_end (self);
}

/* What waits to be said */

static void
on_edit (GtkButton *button, StintAgentView *self)
{
  int i = gtk_list_box_row_get_index (
      GTK_LIST_BOX_ROW (gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW)));
  g_autoptr (StintAgentPrompt) prompt = g_list_model_get_item (self->prompts, (guint) i);

  if (prompt == NULL)
    return;
  stint_agent_session_remove_prompt (self->session, prompt);
  stint_prompt_entry_edit (self->entry, prompt);
}

static void
on_remove (GtkButton *button, StintAgentView *self)
{
  int i = gtk_list_box_row_get_index (
      GTK_LIST_BOX_ROW (gtk_widget_get_ancestor (GTK_WIDGET (button), GTK_TYPE_LIST_BOX_ROW)));
  g_autoptr (StintAgentPrompt) prompt = g_list_model_get_item (self->prompts, (guint) i);

  if (prompt != NULL)
    stint_agent_session_remove_prompt (self->session, prompt);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

static GtkWidget *
new_queue_button (const char *icon, const char *name, GCallback callback, StintAgentView *self)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text (button, name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect (button, "clicked", callback, self);
  return button;
}

static GtkWidget *
new_queue_row (gpointer item, gpointer user_data)
{
  StintAgentView *self = user_data;
  const char *text = stint_agent_prompt_get_text (item);
  g_autofree char *line = g_strndup (text, strcspn (text, "\n"));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new (line);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_margin_start (label, 12);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), new_queue_button ("document-edit-symbolic", _ ("Edit This Prompt"),
                                                   G_CALLBACK (on_edit), self));
  gtk_box_append (GTK_BOX (box), new_queue_button ("user-trash-symbolic", _ ("Remove This Prompt"),
                                                   G_CALLBACK (on_remove), self));
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, line, -1);
  return row;
}

static void
on_prompts (StintAgentView *self)
{
  gtk_widget_set_visible (self->queue, g_list_model_get_n_items (self->prompts) > 0);
  update_continue (self);
}

/* Who is writing is not disturbed; who is not is taken to the question. */
static void
on_requests (StintAgentView *self, guint position, guint removed, guint added)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  g_autofree char *written = stint_prompt_entry_dup_text (self->entry);
  StintRequestCard *card = stint_request_bar_get_first (self->requests);

  if (focus != NULL && !gtk_widget_is_ancestor (focus, GTK_WIDGET (self)))
    return;
  if (added > 0 && card != NULL && written[0] == '\0')
    gtk_widget_grab_focus (GTK_WIDGET (card));
  else if (card == NULL && removed > 0)
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
}

/* Talking */

static void
on_send (StintAgentView *self, StintAgentPrompt *prompt)
{
  if (self->session != NULL)
    stint_agent_session_prompt (self->session, prompt);
  stint_conversation_view_show_end (self->conversation);
}

static void
on_stop (StintAgentView *self)
{
  if (self->session != NULL)
    stint_agent_session_cancel (self->session);
}

static void
on_continue (StintAgentView *self)
{
  if (self->session != NULL)
    stint_agent_session_continue (self->session);
}

static void
on_interrupt (StintAgentView *self)
{
  if (self->session != NULL)
    stint_agent_session_interrupt (self->session);
}

static void
on_quit (StintAgentView *self)
{
  if (self->session != NULL)
    stint_agent_session_stop (self->session);
}

static void
on_entry_problem (StintAgentView *self, GError *error)
{
  raise_problem (self, error);
}

static void
on_restarted (StintAgentView *self, StintAgentSession *next)
{
  g_signal_emit (self, signals[RESTARTED], 0, next);
}

/* Of a session that this process has not led: there is only what was kept of it. */
static void
start_again (StintAgentView *self)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (self->job));

  /* Now, and once: it has been waited for, and what was to follow it has followed. */
  stint_job_spec_clear_schedule (spec);
  if (can_continue (self))
    stint_job_spec_set_session_id (spec,
                                   stint_conversation_get_session_id (
                                       stint_conversation_view_get_conversation (self->conversation)));
  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_restart (StintAgentView *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintAgentSession) session = NULL;

  if (self->session == NULL)
    {
      start_again (self);
      return;
    }
  session = stint_agent_session_restart (self->session, &error);
  if (session == NULL)
    raise_problem (self, error);
  else
    g_signal_emit (self, signals[RESTARTED], 0, session);
}

/* Opening and saving */

static char *
dup_uri (StintAgentView *self, StintLinkKind kind, const char *target)
{
  const char *directory = stint_job_spec_get_directory (stint_job_get_spec (self->job));
  g_autofree char *path = NULL;
  char *line;

  if (kind == STINT_LINK_URI &&
      (g_str_has_prefix (target, "https://") || g_str_has_prefix (target, "http://") ||
       g_str_has_prefix (target, "mailto:")))
    return g_strdup (target);
  if (kind == STINT_LINK_URI && strstr (target, "://") != NULL &&
      !g_str_has_prefix (target, "file://"))
    return NULL;
  path = g_str_has_prefix (target, "file://") ? g_filename_from_uri (target, NULL, NULL)
                                              : g_canonicalize_filename (target, directory);
  if (path == NULL)
    return NULL;
  line = strrchr (path, ':');
  if (line != NULL && !g_file_test (path, G_FILE_TEST_EXISTS) &&
      line[1 + strspn (line + 1, "0123456789")] == '\0')
    *line = '\0';
  return g_filename_to_uri (path, NULL, NULL);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintAgentView) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!gtk_show_uri_full_finish (GTK_WINDOW (source), result, &error) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    raise_problem (self, error);
}

static void
on_open (StintAgentView *self, int kind, const char *target)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  g_autofree char *uri = NULL;

  if (kind == STINT_LINK_JOB)
    {
      g_signal_emit (self, signals[OPEN_JOB], 0, g_ascii_strtoull (target, NULL, 10));
      return;
    }
  uri = dup_uri (self, (StintLinkKind) kind, target);
  if (uri == NULL)
    {
      g_autoptr (GError) error = g_error_new (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                              _ ("“%s” is nothing that can be opened"), target);

      raise_problem (self, error);
      return;
    }
  if (GTK_IS_WINDOW (root))
    gtk_show_uri_full (GTK_WINDOW (root), uri, GDK_CURRENT_TIME, self->cancellable, on_opened,
                       g_object_ref (self));
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintAgentView) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!g_file_replace_contents_finish (G_FILE (source), result, NULL, &error))
    raise_problem (self, error);
}

static void
on_chosen (StintAgentView *self, int response)
{
  StintConversation *conversation = stint_conversation_view_get_conversation (self->conversation);
  g_autoptr (GFile) file = NULL;
  g_autoptr (GBytes) bytes = NULL;
  char *markdown;

  if (response == GTK_RESPONSE_ACCEPT && conversation != NULL)
    {
      file = gtk_file_chooser_get_file (GTK_FILE_CHOOSER (self->chooser));
      markdown = stint_conversation_to_markdown (conversation);
      bytes = g_bytes_new_take (markdown, strlen (markdown));
      g_file_replace_contents_bytes_async (file, bytes, NULL, FALSE,
                                           G_FILE_CREATE_REPLACE_DESTINATION, NULL, on_saved,
                                           g_object_ref (self));
    }
  g_clear_object (&self->chooser);
}

static void
on_save (StintAgentView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (_ ("Save the Conversation"),
                                               GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                                               GTK_FILE_CHOOSER_ACTION_SAVE, NULL, NULL);
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (self->chooser), TRUE);
  /* Translators: the name of a file. */
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (self->chooser), _ ("Conversation.md"));
  g_signal_connect_object (self->chooser, "response", G_CALLBACK (on_chosen), self,
                           G_CONNECT_SWAPPED);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

/* Setting up */

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintAgentView) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!stint_conversation_load_finish (STINT_CONVERSATION (source), result, &error) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    raise_problem (self, error);
  if (!g_cancellable_is_cancelled (self->cancellable))
    show_end (self);
}

static void
set_up_old (StintAgentView *self)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  const char *directory = stint_job_get_directory (self->job);

  stint_conversation_view_set_conversation (self->conversation, conversation);
  if (directory != NULL)
    stint_conversation_load_async (conversation, directory, self->cancellable, on_loaded,
                                   g_object_ref (self));
  else
    show_end (self);
  gtk_widget_set_visible (GTK_WIDGET (self->entry), FALSE);
  g_signal_connect_object (self->job, "notify::state", G_CALLBACK (show_end), self,
                           G_CONNECT_SWAPPED);
}

static void
set_up_live (StintAgentView *self)
{
  StintAgentSession *session = self->session;

  stint_conversation_view_set_conversation (self->conversation,
                                            stint_agent_session_get_conversation (session));
  stint_prompt_entry_set_history (self->entry, stint_prompt_history_get_default ());
  stint_prompt_entry_set_commands (self->entry, stint_agent_session_get_commands (session));
  stint_prompt_entry_set_directory (self->entry, stint_agent_session_get_directory (session));
  stint_request_bar_set_requests (self->requests, stint_agent_session_get_requests (session));
  self->open_requests = g_object_ref (stint_agent_session_get_requests (session));
  g_signal_connect_object (self->open_requests, "items-changed", G_CALLBACK (on_requests), self,
                           G_CONNECT_SWAPPED);
  self->prompts = g_object_ref (stint_agent_session_get_prompts (session));
  gtk_list_box_bind_model (self->queue_list, self->prompts, new_queue_row, self, NULL);
  g_signal_connect_object (self->prompts, "items-changed", G_CALLBACK (on_prompts), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "notify::state", G_CALLBACK (on_state), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (session, "restarted", G_CALLBACK (on_restarted), self,
                           G_CONNECT_SWAPPED);
  on_prompts (self);
  on_state (self);
}

/* Alt and a digit, wherever the focus is in here. */
static gboolean
on_key (StintAgentView *self, guint key, guint code, GdkModifierType state)
{
  StintRequestCard *card = stint_request_bar_get_first (self->requests);

  if ((state & gtk_accelerator_get_default_mod_mask ()) != GDK_ALT_MASK || card == NULL ||
      key < GDK_KEY_1 || key > GDK_KEY_9)
    return FALSE;
  return stint_request_card_choose (card, key - GDK_KEY_1 + 1);
}

static gboolean
stint_agent_view_grab_focus (GtkWidget *widget)
{
  StintAgentView *self = STINT_AGENT_VIEW (widget);
  StintRequestCard *card = stint_request_bar_get_first (self->requests);

  if (card != NULL && gtk_widget_grab_focus (GTK_WIDGET (card)))
    return TRUE;
  if (gtk_widget_get_visible (GTK_WIDGET (self->entry)))
    return gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  return gtk_widget_grab_focus (GTK_WIDGET (self->conversation));
}

static void
stint_agent_view_dispose (GObject *object)
{
  StintAgentView *self = STINT_AGENT_VIEW (object);
  GtkWidget *child;

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->chooser);
  if (self->queue_list != NULL)
    gtk_list_box_bind_model (self->queue_list, NULL, NULL, NULL, NULL);
  g_clear_object (&self->prompts);
  g_clear_object (&self->open_requests);
  g_clear_object (&self->session);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_AGENT_VIEW);

  G_OBJECT_CLASS (stint_agent_view_parent_class)->dispose (object);
}

static void
stint_agent_view_finalize (GObject *object)
{
  StintAgentView *self = STINT_AGENT_VIEW (object);

  g_clear_object (&self->cancellable);
  g_clear_object (&self->job);

  G_OBJECT_CLASS (stint_agent_view_parent_class)->finalize (object);
}

static void
stint_agent_view_class_init (StintAgentViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_agent_view_dispose;
  object_class->finalize = stint_agent_view_finalize;
  widget_class->grab_focus = stint_agent_view_grab_focus;

  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[OPEN_JOB] = g_signal_new ("open-job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[RESTARTED] = g_signal_new ("restarted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, STINT_TYPE_AGENT_SESSION);
  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);

  g_type_ensure (STINT_TYPE_CONVERSATION_VIEW);
  g_type_ensure (STINT_TYPE_REQUEST_BAR);
  g_type_ensure (STINT_TYPE_PROMPT_ENTRY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-agent-view.ui");
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, conversation);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, requests);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, queue);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, queue_list);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, continue_button);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, entry);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, ended);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, ended_label);
  gtk_widget_class_bind_template_child (widget_class, StintAgentView, restart_button);
  gtk_widget_class_bind_template_callback (widget_class, on_open);
  gtk_widget_class_bind_template_callback (widget_class, on_save);
  gtk_widget_class_bind_template_callback (widget_class, on_continue);
  gtk_widget_class_bind_template_callback (widget_class, on_send);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_interrupt);
  gtk_widget_class_bind_template_callback (widget_class, on_quit);
  gtk_widget_class_bind_template_callback (widget_class, on_entry_problem);
  gtk_widget_class_bind_template_callback (widget_class, on_restart);
  gtk_widget_class_set_css_name (widget_class, "agentview");
}

static void
stint_agent_view_init (StintAgentView *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  self->cancellable = g_cancellable_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

GtkWidget *
stint_agent_view_new (StintJob *job)
{
  StintAgentView *self = g_object_new (STINT_TYPE_AGENT_VIEW, NULL);
  StintAgentSession *session = stint_agent_session_for_job (job);

  self->job = g_object_ref (job);
  if (session != NULL)
    {
      self->session = g_object_ref (session);
      set_up_live (self);
    }
  else
    set_up_old (self);
  return GTK_WIDGET (self);
}

StintJob *
stint_agent_view_get_job (StintAgentView *self)
{
  g_return_val_if_fail (STINT_IS_AGENT_VIEW (self), NULL);

  return self->job;
}

StintAgentSession *
stint_agent_view_get_session (StintAgentView *self)
{
  g_return_val_if_fail (STINT_IS_AGENT_VIEW (self), NULL);

  return self->session;
}

StintConversationView *
stint_agent_view_get_conversation_view (StintAgentView *self)
{
  g_return_val_if_fail (STINT_IS_AGENT_VIEW (self), NULL);

  return self->conversation;
}
