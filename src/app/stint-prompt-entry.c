/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The prompt: what its keys do, what is attached to it, what completes it. What becomes of it, others
 * decide. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-prompt-entry.h"

#include "stint-agent-option.h"
#include "stint-completion.h"
#include "stint-file-names.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_OFFERS 20
#define MAX_IMAGE (8 * 1024 * 1024) /* bytes: what is larger goes as a link */

typedef enum
{
  COMPLETE_NOTHING,
  COMPLETE_COMMAND,
  COMPLETE_FILE,
  COMPLETE_HISTORY,
} Completing;

typedef struct
{
  char *path;
  GBytes *image; /* (nullable) */
  char *mime_type;
  GtkWidget *chip;
} Attachment;

struct _StintPromptEntry
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkFlowBox *attachments;
  GtkScrolledWindow *scroller;
  GtkTextView *view;
  GtkWidget *placeholder;
  GtkWidget *stop_button;
  GtkWidget *send_button;

  /* Owned */
  StintCompletion *completion; /* a child */
  StintPromptHistory *history;
  GListModel *commands;
  char *directory;
  GPtrArray *attached;      /* of Attachment */
  StintAgentPrompt *edited; /* (nullable): was taken back to be written again */
  GPtrArray *file_names;    /* (nullable) */
  GCancellable *cancellable;
  char *draft; /* (nullable): what was written before history was looked through */

  GtkEventController *keys; /* the view's */
  Completing completing;
  int back; /* how far in the history; -1: not there */
  gboolean listing;
  gboolean takes_images;
  gboolean busy;
  gboolean setting;
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

static void
attachment_free (Attachment *self)
{
  g_free (self->path);
  g_clear_pointer (&self->image, g_bytes_unref);
  g_free (self->mime_type);
  g_free (self);
}

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

/* The text before the cursor. */
static char *
dup_before (StintPromptEntry *self)
{
  GtkTextIter start, cursor;

  gtk_text_buffer_get_start_iter (get_buffer (self), &start);
  gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor,
                                    gtk_text_buffer_get_insert (get_buffer (self)));
  return gtk_text_buffer_get_text (get_buffer (self), &start, &cursor, TRUE);
}

/* The last word of what stands before the cursor. */
static const char *
get_last_word (const char *text)
{
  const char *word = text + strlen (text);

  while (word > text && !g_ascii_isspace (word[-1]))
    word--;
  return word;
}

/* Completing */

static void
offer (StintPromptEntry *self,
       Completing what,
       const char *const *texts,
       const char *const *details)
{
  GdkRectangle where;
  GtkTextIter cursor;

  self->completing = what;
  if (texts != NULL && texts[0] != NULL)
    {
      gtk_text_buffer_get_iter_at_mark (get_buffer (self), &cursor,
                                        gtk_text_buffer_get_insert (get_buffer (self)));
      gtk_text_view_get_iter_location (self->view, &cursor, &where);
      gtk_text_view_buffer_to_window_coords (self->view, GTK_TEXT_WINDOW_WIDGET, where.x, where.y,
                                             &where.x, &where.y);
      where.y = MAX (where.y, 0);
      gtk_popover_set_pointing_to (GTK_POPOVER (self->completion), &where);
    }
  stint_completion_offer (self->completion, texts, details);
}

static void
offer_commands (StintPromptEntry *self, const char *prefix)
{
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) details = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; self->commands != NULL && i < g_list_model_get_n_items (self->commands); i++)
    {
      g_autoptr (StintAgentCommand) command = g_list_model_get_item (self->commands, i);
      const char *name = stint_agent_command_get_name (command);

      if (!g_str_has_prefix (name, prefix) || texts->len >= MAX_OFFERS)
        continue;
      g_ptr_array_add (texts, g_strconcat ("/", name, NULL));
      g_ptr_array_add (details, g_strdup (stint_agent_command_get_description (command)));
    }
  if (g_str_has_prefix ("quit", prefix))
    {
      g_ptr_array_add (texts, g_strdup ("/quit"));
      g_ptr_array_add (details, g_strdup (_ ("End the agent")));
    }
  g_ptr_array_add (texts, NULL);
  g_ptr_array_add (details, NULL);
  offer (self, COMPLETE_COMMAND, (const char *const *) texts->pdata,
         (const char *const *) details->pdata);
}

static void complete (StintPromptEntry *self);

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintPromptEntry) self = user_data;
  g_autoptr (GPtrArray) names = stint_file_names_list_finish (result, NULL);

  self->listing = FALSE;
  if (names == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
  self->file_names = g_steal_pointer (&names);
  complete (self);
}

static void
offer_files (StintPromptEntry *self, const char *text)
{
  g_auto (GStrv) names = NULL;

  if (self->file_names == NULL)
    {
      if (!self->listing && self->directory != NULL)
        {
          self->listing = TRUE;
          stint_file_names_list_async (self->directory, self->cancellable, on_listed,
                                       g_object_ref (self));
        }
      return;
    }
  names = stint_file_names_match (self->file_names, text, MAX_OFFERS);
  offer (self, COMPLETE_FILE, (const char *const *) names, NULL);
}

static void
offer_history (StintPromptEntry *self)
{
  g_autofree char *text = stint_prompt_entry_dup_text (self);
  g_auto (GStrv) found = stint_prompt_history_search (self->history, text, MAX_OFFERS);

  offer (self, COMPLETE_HISTORY, (const char *const *) found, NULL);
}

static void
complete (StintPromptEntry *self)
{
  g_autofree char *before = dup_before (self);
  const char *word = get_last_word (before);

  if (self->completing == COMPLETE_HISTORY && stint_completion_is_open (self->completion))
    offer_history (self);
  else if (word == before && word[0] == '/')
    offer_commands (self, word + 1);
  else if (word[0] == '@')
    offer_files (self, word + 1);
  else
    {
      /* What is there may have changed when it is looked for again. */
      if (!self->listing)
        g_clear_pointer (&self->file_names, g_ptr_array_unref);
      offer (self, COMPLETE_NOTHING, NULL, NULL);
    }
}

static void
on_chosen (StintPromptEntry *self, const char *text)
{
  GtkTextBuffer *buffer = get_buffer (self);
  g_autofree char *before = NULL;
  GtkTextIter start, cursor;

  if (self->completing == COMPLETE_HISTORY)
    {
      self->completing = COMPLETE_NOTHING;
      stint_prompt_entry_set_text (self, text);
      return;
    }
  before = dup_before (self);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  start = cursor;
  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (get_last_word (before), -1));
  self->setting = TRUE;
  gtk_text_buffer_delete (buffer, &start, &cursor);
  if (self->completing == COMPLETE_FILE)
    gtk_text_buffer_insert (buffer, &start, "@", 1);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_insert (buffer, &start, " ", 1);
  self->setting = FALSE;
  self->completing = COMPLETE_NOTHING;
}

/* Attachments */

static void
remove_attachment (StintPromptEntry *self, Attachment *attachment)
{
  gtk_flow_box_remove (self->attachments, gtk_widget_get_parent (attachment->chip));
  g_ptr_array_remove (self->attached, attachment);
  gtk_widget_set_visible (GTK_WIDGET (self->attachments), self->attached->len > 0);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

static void
on_chip_clicked (GtkButton *chip, StintPromptEntry *self)
{
  for (guint i = 0; i < self->attached->len; i++)
    if (((Attachment *) self->attached->pdata[i])->chip == GTK_WIDGET (chip))
      {
        remove_attachment (self, self->attached->pdata[i]);
        return;
      }
}

static void
add_attachment (StintPromptEntry *self, Attachment *attachment)
{
  g_autofree char *name = g_filename_display_basename (attachment->path);
  g_autofree char *path = g_filename_display_name (attachment->path);
  g_autofree char *label = NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *text = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 24);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name (attachment->image != NULL
                                                                   ? "image-x-generic-symbolic"
                                                                   : "text-x-generic-symbolic"));
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  attachment->chip = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (attachment->chip), box);
  gtk_widget_set_tooltip_text (attachment->chip, path);
  /* Translators: %s is the name of a file. */
  label = g_strdup_printf (_ ("Remove the attachment %s"), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (attachment->chip), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  g_signal_connect (attachment->chip, "clicked", G_CALLBACK (on_chip_clicked), self);
  g_ptr_array_add (self->attached, attachment);
  gtk_flow_box_insert (self->attachments, attachment->chip, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (attachment->chip), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->attachments), TRUE);
}

typedef struct
{
  StintPromptEntry *self;
  Attachment *attachment;
} Loading;

static void
on_image_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Loading *loading = user_data;
  g_autoptr (StintPromptEntry) self = loading->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = g_file_load_bytes_finish (G_FILE (source), result, NULL, &error);

  if (g_cancellable_is_cancelled (self->cancellable))
    {
      attachment_free (loading->attachment);
      return;
    }
  if (bytes == NULL)
    {
      g_signal_emit (self, signals[PROBLEM], 0, error);
      attachment_free (loading->attachment);
      return;
    }
  if (g_bytes_get_size (bytes) <= MAX_IMAGE)
    loading->attachment->image = g_steal_pointer (&bytes);
  add_attachment (self, loading->attachment);
}

void
stint_prompt_entry_attach (StintPromptEntry *self, GFile *file)
{
  g_autofree char *path = NULL;
  g_autofree char *type = NULL;
  Attachment *attachment;

  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));
  g_return_if_fail (G_IS_FILE (file));

  path = g_file_get_path (file);
  if (path == NULL)
    {
      g_autoptr (GError) error = g_error_new_literal (
          G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Only files on this machine can be attached"));

      g_signal_emit (self, signals[PROBLEM], 0, error);
      return;
    }
  type = g_content_type_guess (path, NULL, 0, NULL);
  attachment = g_new0 (Attachment, 1);
  attachment->path = g_steal_pointer (&path);
  attachment->mime_type = g_content_type_get_mime_type (type);
  if (self->takes_images && attachment->mime_type != NULL &&
      g_str_has_prefix (attachment->mime_type, "image/"))
    {
      Loading *loading = g_new (Loading, 1);

      *loading = (Loading){ g_object_ref (self), attachment };
      g_file_load_bytes_async (file, self->cancellable, on_image_loaded, loading);
      return;
    }
  add_attachment (self, attachment);
}

static gboolean
on_drop (GtkDropTarget *target, const GValue *value, double x, double y, StintPromptEntry *self)
{
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    stint_prompt_entry_attach (self, l->data);
  gtk_widget_grab_focus (GTK_WIDGET (self->view));
  return TRUE;
}

/* Sending */

/* Files that are named by "@". */
static void
attach_named (StintPromptEntry *self, StintAgentPrompt *prompt, const char *text)
{
  g_auto (GStrv) words = g_strsplit_set (text, " \t\n", -1);

  for (guint i = 0; words[i] != NULL; i++)
    {
      g_autofree char *path = NULL;

      if (words[i][0] != '@' || words[i][1] == '\0' || self->directory == NULL)
        continue;
      path = g_canonicalize_filename (words[i] + 1, self->directory);
      if (g_file_test (path, G_FILE_TEST_EXISTS))
        stint_agent_prompt_attach_file (prompt, path);
    }
}

static void
attach_all (StintPromptEntry *self, StintAgentPrompt *prompt)
{
  for (guint i = 0; i < self->attached->len; i++)
    {
      const Attachment *attachment = self->attached->pdata[i];

      if (attachment->image != NULL)
        stint_agent_prompt_attach_image (prompt, attachment->image, attachment->mime_type);
      else
        stint_agent_prompt_attach_file (prompt, attachment->path);
    }
  while (self->attached->len > 0)
    remove_attachment (self, self->attached->pdata[0]);
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
  if (text[0] == '\0' && self->attached->len == 0)
    return;
  prompt = self->edited != NULL ? g_steal_pointer (&self->edited) : stint_agent_prompt_new (text);
  stint_agent_prompt_set_text (prompt, text);
  attach_named (self, prompt, text);
  attach_all (self, prompt);
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

static gboolean
on_control_key (StintPromptEntry *self, guint key)
{
  switch (key)
    {
    case GDK_KEY_c:
      if (gtk_text_buffer_get_has_selection (get_buffer (self)))
        return FALSE;
      g_signal_emit (self, signals[INTERRUPT], 0);
      return TRUE;
    case GDK_KEY_d:
      if (!is_empty (self) || self->attached->len > 0)
        return FALSE;
      g_signal_emit (self, signals[QUIT], 0);
      return TRUE;
    case GDK_KEY_r:
      offer_history (self);
      return TRUE;
    default:
      return FALSE;
    }
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
  if (stint_completion_handle_key (self->completion, key, state))
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
  if (self->setting)
    return;
  self->back = -1;
  complete (self);
}

static void
on_problem (StintPromptEntry *self, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, error);
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

  g_cancellable_cancel (self->cancellable);
  if (self->history != NULL)
    g_signal_handlers_disconnect_by_data (self->history, self);
  g_clear_object (&self->history);
  g_clear_object (&self->commands);
  g_clear_object (&self->edited);
  if (self->completion != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->completion));
  self->completion = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PROMPT_ENTRY);

  G_OBJECT_CLASS (stint_prompt_entry_parent_class)->dispose (object);
}

static void
stint_prompt_entry_finalize (GObject *object)
{
  StintPromptEntry *self = STINT_PROMPT_ENTRY (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
  g_ptr_array_unref (self->attached);
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
  gtk_widget_class_set_css_name (widget_class, "promptentry");
}

static void
stint_prompt_entry_init (StintPromptEntry *self)
{
  GtkEventController *controller;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->back = -1;
  self->cancellable = g_cancellable_new ();
  self->attached = g_ptr_array_new_with_free_func ((GDestroyNotify) attachment_free);
  self->completion = STINT_COMPLETION (stint_completion_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->completion), GTK_WIDGET (self->view));
  g_signal_connect_swapped (self->completion, "chosen", G_CALLBACK (on_chosen), self);
  g_signal_connect_swapped (get_buffer (self), "changed", G_CALLBACK (on_changed), self);

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

  g_set_object (&self->commands, commands);
}

void
stint_prompt_entry_set_directory (StintPromptEntry *self, const char *directory)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  g_free (self->directory);
  self->directory = g_strdup (directory);
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
}

void
stint_prompt_entry_set_takes_images (StintPromptEntry *self, gboolean takes_images)
{
  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  self->takes_images = takes_images;
}

void
stint_prompt_entry_set_text (StintPromptEntry *self, const char *text)
{
  GtkTextIter end;

  g_return_if_fail (STINT_IS_PROMPT_ENTRY (self));

  self->setting = TRUE;
  gtk_text_buffer_set_text (get_buffer (self), text, -1);
  self->setting = FALSE;
  gtk_text_buffer_get_end_iter (get_buffer (self), &end);
  gtk_text_buffer_place_cursor (get_buffer (self), &end);
  gtk_popover_popdown (GTK_POPOVER (self->completion));
  self->completing = COMPLETE_NOTHING;
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
  g_set_object (&self->edited, prompt);
  stint_prompt_entry_set_text (self, stint_agent_prompt_get_text (prompt));
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

guint
stint_prompt_entry_get_n_attachments (StintPromptEntry *self)
{
  g_return_val_if_fail (STINT_IS_PROMPT_ENTRY (self), 0);

  return self->attached->len;
}
