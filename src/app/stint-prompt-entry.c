/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prompt: what its keys do, and what it is made of. What becomes of it, others decide. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-prompt-entry.h"

#include "stint-attachments.h"
#include "stint-prompt-completer.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintPromptEntry
{
  GtkWidget parent_instance;

  /* Template widgets */
  StintAttachments *attachments;
  GtkScrolledWindow *scroller;
  GtkTextView *view;
  GtkWidget *placeholder;
  GtkWidget *stop_button;
  GtkWidget *send_button;

  /* Owned */
  StintPromptCompleter *completer;
  StintPromptHistory *history;
  char *directory;
  char *draft;              /* (nullable): what was written before history was looked through */

  GtkEventController *keys; /* the view's */
  int back;                 /* how far in the history; -1: not there */
  gboolean busy;
  gboolean setting;
  gboolean waiting; /* to be sent, as soon as what goes with it is loaded */
};

G_DEFINE_FINAL_TYPE (StintPromptEntry, stint_prompt_entry, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_BUSY,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  SEND,
  STOP,
  INTERRUPT,
  QUIT,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GtkTextBuffer *
get_buffer (StintPromptEntry *self)
{
  return gtk_text_view_get_buffer (self->view);
}

char *
stint_prompt_entry_dup_text (StintPromptEntry *self)
{
  GtkTextIter start, end;

  g_return_val_if_fail (STINT_IS_PROMPT_ENTRY (self), NULL);

  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  return gtk_text_buffer_get_text (get_buffer (self), &start, &end, TRUE);
}

static gboolean
is_empty (StintPromptEntry *self)
{
  return gtk_text_buffer_get_char_count (get_buffer (self)) == 0;
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, StintPromptEntry *self)
{
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    stint_attachments_add_file (self->attachments, l->data);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  return TRUE;
}

/* By the keys or by the menu of the text. Files are text too, for those who want no files. */
static void
on_paste (StintPromptEntry *self)
{
  if (stint_attachments_paste (self->attachments, gtk_widget_get_clipboard (GTK_WIDGET (self))))
    g_signal_stop_emission_by_name (self->view, "paste-clipboard");
}

/* Sending */

/* (transfer full): the paths that are named by "@", whether there is something or not. */
static GStrv
dup_named (StintPromptEntry *self, const char *text)
{
  g_autoptr (GStrvBuilder) paths = g_strv_builder_new ();
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);

  for (guint i = 0; words[i] != NULL && self->directory != NULL; i++)
    {
      g_autofree char *path = NULL;

      if (words[i][0] != '@' || words[i][1] == '\0')
        continue;
      path = g_canonicalize_filename (words[i] + 1, self->directory);
      g_strv_builder_add (paths, path);
    }
  return g_strv_builder_end (paths);
}

static void
attach_named (StintPromptEntry *self, StintAgentPrompt *prompt, const char *text)
{
  g_auto (GStrv) paths = dup_named (self, text);

  for (guint i = 0; paths[i] != NULL; i++)
    {
      if (g_file_test (paths[i], G_FILE_TEST_EXISTS))
        stint_agent_prompt_attach_file (prompt, paths[i]);
    }
}

/* What went with a prompt is seen again, and can be taken away; what its text names goes when the text still does. */
static void
take_back_attachments (StintPromptEntry *self, StintAgentPrompt *prompt)
{
  guint n_attachments = stint_agent_prompt_get_n_attachments (prompt);
  g_auto (GStrv) named = dup_named (self, stint_agent_prompt_get_text (prompt));

  for (guint i = 0; i < n_attachments; i++)
    {
      const char *mime_type;
      GBytes *image;
      const char *path = stint_agent_prompt_get_attachment (prompt, i, &image, &mime_type);

      if (path == NULL)
        stint_attachments_add_image (self->attachments, image, mime_type);
      else if (!g_strv_contains ((const char *const *) named, path))
        {
          g_autoptr (GFile) file = g_file_new_for_path (path);

          stint_attachments_add_file (self->attachments, file);
        }
    }
}

static void
send (StintPromptEntry *self)
{
  g_autofree char *text = g_strchomp (stint_prompt_entry_dup_text (self));
  g_autoptr (StintAgentPrompt) prompt = NULL;

  if (strcmp (text, "/quit") == 0)
    {
      stint_prompt_entry_set_text (self, "");
      g_signal_emit (self, signals[QUIT], 0);
      return;
    }
  if (text[0] == '\0' && stint_attachments_get_n (self->attachments) == 0)
    return;
  self->waiting = stint_attachments_is_loading (self->attachments);
  if (self->waiting)
    return;
  prompt = stint_agent_prompt_new (text);
  attach_named (self, prompt, text);
  stint_attachments_move_to (self->attachments, prompt);
  stint_prompt_history_add (self->history, text);
  stint_prompt_entry_set_text (self, "");
  g_signal_emit (self, signals[SEND], 0, prompt);
}

static void
on_send_clicked (StintPromptEntry *self)
{
  send (self);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
on_stop_clicked (StintPromptEntry *self)
{
  g_signal_emit (self, signals[STOP], 0);
}

/* Keys */

/* Returns: whether the cursor can't go further that way by itself. */
static gboolean
is_at_edge (StintPromptEntry *self, int step)
{
  GtkTextIter cursor;

  if (gtk_text_buffer_get_has_selection (get_buffer (self)))
    return FALSE;
  gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor,
                                    gtk_text_buffer_get_insert (get_buffer (self)));
  return step < 0 ? !gtk_text_view_backward_display_line (self->view, &cursor)
                  : !gtk_text_view_forward_display_line (self->view, &cursor) ||
                        gtk_text_iter_is_end (&cursor);
}

static gboolean
go_through_history (StintPromptEntry *self, int step)
{
  int n = (int) stint_prompt_history_get_n (self->history);
  int back = self->back + step;
  g_autofree char *text = NULL;

  if (back < -1 || back >= n || (self->back == -1 && step < 0))
    return FALSE;
  if (self->back == -1)
    {
      g_free (self->draft);
      self->draft = stint_prompt_entry_dup_text (self);
    }
  text =
      g_strdup (back == -1 ? self->draft : stint_prompt_history_get (self->history, (guint) back));
  stint_prompt_entry_set_text (self, text);
  self->back = back;
  return TRUE;
}

/* Whether the key with this letter is pressed with Control, whatever layout is active and Caps Lock says. */
static gboolean
is_control (StintPromptEntry *self, guint pressed, guint key)
{
  GdkEvent *event = gtk_event_controller_get_current_event (self->keys);

  if (event == NULL)
    return gdk_keyval_to_lower (pressed) == key;
  return gdk_key_event_matches (event, key, GDK_CONTROL_MASK) != GDK_KEY_MATCH_NONE;
}

static gboolean
on_control_key (StintPromptEntry *self, guint key)
{
  if (is_control (self, key, GDK_KEY_c))
    {
      if (gtk_text_buffer_get_has_selection (get_buffer (self)))
        return FALSE;
      g_signal_emit (self, signals[INTERRUPT], 0);
      return TRUE;
    }
  if (is_control (self, key, GDK_KEY_d))
    {
      if (!is_empty (self) || stint_attachments_get_n (self->attachments) > 0)
        return FALSE;
      g_signal_emit (self, signals[QUIT], 0);
      return TRUE;
    }
  if (!is_control (self, key, GDK_KEY_r))
    return FALSE;
  stint_prompt_completer_search (self->completer, self->history);
  return TRUE;
}

/* Whether an input method wants it: Enter ends a word that is being composed, and the arrows choose
 * one, before they mean anything here. */
static gboolean
is_composing (StintPromptEntry *self, guint key)
{
  GdkEvent *event = gtk_event_controller_get_current_event (self->keys);

  return event != NULL &&
         (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_Up ||
          key == GDK_KEY_Down) &&
         gtk_text_view_im_context_filter_keypress (self->view, event);
}

static gboolean
on_key (StintPromptEntry *self, guint key, guint code, GdkModifierType state)
{
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();

  if (modifiers == 0 && is_composing (self, key))
    return TRUE;
  if (stint_prompt_completer_handle_key (self->completer, key, state))
    return TRUE;
  if (modifiers == GDK_CONTROL_MASK)
    return on_control_key (self, key);
  if (modifiers != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
      send (self);
      return TRUE;
    case GDK_KEY_Up:
      return is_at_edge (self, -1) && go_through_history (self, 1);
    case GDK_KEY_Down:
      return is_at_edge (self, 1) && go_through_history (self, -1);
    default:
      return FALSE;
    }
}

static void
on_changed (StintPromptEntry *self)
{
  gtk_widget_set_visible (self->placeholder, is_empty (self));
  /* Not what was to be sent. */
  self->waiting = FALSE;
  if (self->setting)
    return;
  self->back = -1;
  stint_prompt_completer_complete (self->completer);
}

static void
on_completing (StintPromptEntry *self, gboolean now)
{
  self->setting = now;
}

static void
on_attachment_removed (StintPromptEntry *self)
{
  self->waiting = FALSE;
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
on_problem (StintPromptEntry *self, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, error);
}

/* The prompt does not go without it unless the user says so again. */
static void
on_attachment_problem (StintPromptEntry *self, GError *error)
{
  self->waiting = FALSE;
  on_problem (self, error);
}

static void
on_attachments_settled (StintPromptEntry *self)
{
  if (self->waiting)
    send (self);
}

static gboolean
stint_prompt_entry_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_PROMPT_ENTRY (widget)->view));
}

static void
stint_prompt_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_BUSY)
    g_value_set_boolean (value, STINT_PROMPT_ENTRY (object)->busy);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_prompt_entry_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  StintPromptEntry *self = STINT_PROMPT_ENTRY (object);

  if (prop_id != PROP_BUSY)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (self->busy == g_value_get_boolean (value))
    return;
  self->busy = g_value_get_boolean (value);
  gtk_widget_set_visible (self->stop_button, self->busy);
  gtk_widget_set_tooltip_text (self->send_button, self->busy
                                                      ? _ ("Send When This Turn Has Ended (Enter)")
                                                      : _ ("Send (Enter)"));
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_prompt_entry_dispose (GObject *object)
{
  StintPromptEntry *self = STINT_PROMPT_ENTRY (object);
  GtkWidget *child;

  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  if (self->completer != NULL)
    stint_prompt_completer_close (self->completer);
  g_clear_object (&self->completer);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PROMPT_ENTRY);

  G_OBJECT_CLASS (stint_prompt_entry_parent_class)->dispose (object);
}

static void
stint_prompt_entry_finalize (GObject *object)
{
  StintPromptEntry *self = STINT_PROMPT_ENTRY (object);

  g_free (self->directory);
  g_free (self->draft);

  G_OBJECT_CLASS (stint_prompt_entry_parent_class)->finalize (object);
}

static void
stint_prompt_entry_class_init (StintPromptEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_prompt_entry_dispose;
  object_class->finalize = stint_prompt_entry_finalize;
  object_class->get_property = stint_prompt_entry_get_property;
  object_class->set_property = stint_prompt_entry_set_property;
  widget_class->grab_focus = stint_prompt_entry_grab_focus;

  properties[PROP_BUSY] =
      g_param_spec_boolean ("busy", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[SEND] = g_signal_new ("send", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, STINT_TYPE_AGENT_PROMPT);
  signals[STOP] =
      g_signal_new ("stop", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[INTERRUPT] =
      g_signal_new ("interrupt", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[QUIT] =
      g_signal_new ("quit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);

  g_type_ensure (STINT_TYPE_ATTACHMENTS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-prompt-entry.ui");
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, attachments);
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, view);
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, placeholder);
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, stop_button);
  gtk_widget_class_bind_template_child (widget_class, StintPromptEntry, send_button);
  gtk_widget_class_bind_template_callback (widget_class, on_send_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_attachment_removed);
  gtk_widget_class_bind_template_callback (widget_class, on_attachments_settled);
  gtk_widget_class_bind_template_callback (widget_class, on_attachment_problem);
  gtk_widget_class_set_css_name (widget_class, "promptentry");
}

static void
stint_prompt_entry_init (StintPromptEntry *self)
{
  GtkEventController *controller;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->back = -1;
  self->completer = stint_prompt_completer_new (self->view);
  g_signal_connect_swapped (self->completer, "recalled", G_CALLBACK (stint_prompt_entry_set_text),
                            self);
  g_signal_connect_swapped (self->completer, "completing", G_CALLBACK (on_completing), self);
  g_signal_connect_swapped (get_buffer (self), "changed", G_CALLBACK (on_changed), self);
  g_signal_connect_swapped (self->view, "paste-clipboard", G_CALLBACK (on_paste), self);

  /* Before the text view, which has uses of its own for some. */
  controller = self->keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), controller);

  controller = GTK_EVENT_CONTROLLER (gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY));
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect (controller, "drop", G_CALLBACK (on_drop), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

GtkWidget *
stint_prompt_entry_new (void)
{
  return g_object_new (STINT_TYPE_PROMPT_ENTRY, NULL);
}

void
stint_prompt_entry_set_history (StintPromptEntry *self, StintPromptHistory *history)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));
  g_return_if_fail (STINT_IS_PROMPT_HISTORY (history));

  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_set_object (&self->history, history);
  g_signal_connect_swapped (history, "problem", G_CALLBACK (on_problem), self);
}

void
stint_prompt_entry_set_commands (StintPromptEntry *self, GListModel *commands)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  stint_prompt_completer_set_commands (self->completer, commands);
}

void
stint_prompt_entry_set_directory (StintPromptEntry *self, const char *directory)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  g_free (self->directory);
  self->directory = g_strdup (directory);
  stint_prompt_completer_set_directory (self->completer, directory);
}

void
stint_prompt_entry_set_takes_images (StintPromptEntry *self, gboolean takes_images)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  stint_attachments_set_takes_images (self->attachments, takes_images);
}

void
stint_prompt_entry_set_text (StintPromptEntry *self, const char *text)
{
  GtkTextIter end;

  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  self->waiting = FALSE;
  self->setting = TRUE;
  gtk_text_buffer_set_text (get_buffer (self), text, -1);
  self->setting = FALSE;
  gtk_text_buffer_get_end_iter (get_buffer (self), &end);
  gtk_text_buffer_place_cursor (get_buffer (self), &end);
  stint_prompt_completer_dismiss (self->completer);
  self->back = -1;
}

void
stint_prompt_entry_edit (StintPromptEntry *self, StintAgentPrompt *prompt)
{
  g_autofree char *written = NULL;

  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));
  g_return_if_fail (STINT_IS_AGENT_PROMPT (prompt));

  /* What was being written is still found by Up. */
  written = g_strchomp (stint_prompt_entry_dup_text (self));
  if (self->history != NULL)
    stint_prompt_history_add (self->history, written);
  take_back_attachments (self, prompt);
  stint_prompt_entry_set_text (self, stint_agent_prompt_get_text (prompt));
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

void
stint_prompt_entry_attach (StintPromptEntry *self, GFile *file)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  stint_attachments_add_file (self->attachments, file);
}

void
stint_prompt_entry_attach_texture (StintPromptEntry *self, GdkTexture *texture)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  stint_attachments_add_texture (self->attachments, texture);
}

void
stint_prompt_entry_set_picture_directory (StintPromptEntry *self, const char *directory)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  stint_attachments_set_directory (self->attachments, directory);
}

guint
stint_prompt_entry_get_n_attachments (StintPromptEntry *self)
{
  g_return_val_if_fail (STINT_IS_PROMPT_ENTRY (self), 0);

  return stint_attachments_get_n (self->attachments);
}
