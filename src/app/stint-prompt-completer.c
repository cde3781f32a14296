/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Finds what completes a prompt, offers it at the cursor, and writes what is chosen. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-prompt-completer.h"

#include "stint-agent-option.h"
#include "stint-completion.h"
#include "stint-file-names.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_OFFERS 20

typedef enum
{
  COMPLETE_NOTHING,
  COMPLETE_COMMAND,
  COMPLETE_FILE,
  COMPLETE_HISTORY,
} Completing;

struct _StintPromptCompleter
{
  GObject parent_instance;

  GtkTextView *view;           /* not held */
  StintCompletion *completion; /* a child of the view */

  /* Owned */
  StintPromptHistory *history; /* (nullable): was looked through last */
  GListModel *commands;
  char *directory;
  GPtrArray *file_names; /* (nullable) */
  GCancellable *cancellable;

  Completing completing;
  gboolean listing;
};

G_DEFINE_FINAL_TYPE (StintPromptCompleter, stint_prompt_completer, G_TYPE_OBJECT)

enum
{
  RECALLED,
  COMPLETING,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GtkTextBuffer *
get_buffer (StintPromptCompleter *self)
{
  return gtk_text_view_get_buffer (self->view);
}

static char *
dup_text (StintPromptCompleter *self)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (get_buffer (self), &start, &end);
  return gtk_text_buffer_get_text (get_buffer (self), &start, &end, TRUE);
}

/* The text before the cursor. */
static char *
dup_before (StintPromptCompleter *self)
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

static void
offer (StintPromptCompleter *self,
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
offer_commands (StintPromptCompleter *self, const char *prefix)
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

static void
on_listed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintPromptCompleter) self = user_data;
  g_autoptr (GPtrArray) names = stint_file_names_list_finish (result, NULL);

  self->listing = FALSE;
  if (names == NULL || g_cancellable_is_cancelled (self->cancellable))
    return;
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
  self->file_names = g_steal_pointer (&names);
  stint_prompt_completer_complete (self);
}

static void
offer_files (StintPromptCompleter *self, const char *text)
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
offer_history (StintPromptCompleter *self)
{
  g_autofree char *text = dup_text (self);
  g_auto (GStrv) found = stint_prompt_history_search (self->history, text, MAX_OFFERS);

  offer (self, COMPLETE_HISTORY, (const char *const *) found, NULL);
}

void
stint_prompt_completer_complete (StintPromptCompleter *self)
{
  g_autofree char *before = NULL;
  const char *word;

  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));

  before = dup_before (self);
  word = get_last_word (before);

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
on_chosen (StintPromptCompleter *self, const char *text)
{
  GtkTextBuffer *buffer = get_buffer (self);
  g_autofree char *before = NULL;
  GtkTextIter start, cursor;

  if (self->completing == COMPLETE_HISTORY)
    {
      stint_prompt_completer_dismiss (self);
      g_signal_emit (self, signals[RECALLED], 0, text);
      return;
    }
  before = dup_before (self);
  gtk_text_buffer_get_iter_at_mark (buffer, &cursor, gtk_text_buffer_get_insert (buffer));
  start = cursor;
  gtk_text_iter_backward_chars (&start, (int) g_utf8_strlen (get_last_word (before), -1));
  g_signal_emit (self, signals[COMPLETING], 0, TRUE);
  gtk_text_buffer_delete (buffer, &start, &cursor);
  if (self->completing == COMPLETE_FILE)
    gtk_text_buffer_insert (buffer, &start, "@", 1);
  gtk_text_buffer_insert (buffer, &start, text, -1);
  gtk_text_buffer_insert (buffer, &start, " ", 1);
  g_signal_emit (self, signals[COMPLETING], 0, FALSE);
  self->completing = COMPLETE_NOTHING;
}

static void
stint_prompt_completer_dispose (GObject *object)
{
  stint_prompt_completer_close (STINT_PROMPT_COMPLETER (object));

  G_OBJECT_CLASS (stint_prompt_completer_parent_class)->dispose (object);
}

static void
stint_prompt_completer_finalize (GObject *object)
{
  StintPromptCompleter *self = STINT_PROMPT_COMPLETER (object);

  g_clear_object (&self->history);
  g_clear_object (&self->commands);
  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
  g_free (self->directory);

  G_OBJECT_CLASS (stint_prompt_completer_parent_class)->finalize (object);
}

static void
stint_prompt_completer_class_init (StintPromptCompleterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_prompt_completer_dispose;
  object_class->finalize = stint_prompt_completer_finalize;

  signals[RECALLED] = g_signal_new ("recalled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[COMPLETING] = g_signal_new ("completing", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                      G_TYPE_NONE, 1, G_TYPE_BOOLEAN);
}

static void
stint_prompt_completer_init (StintPromptCompleter *self)
{
  self->cancellable = g_cancellable_new ();
}

StintPromptCompleter *
stint_prompt_completer_new (GtkTextView *view)
{
  StintPromptCompleter *self;

  g_return_val_if_fail (GTK_IS_TEXT_VIEW (view), NULL);

  self = g_object_new (STINT_TYPE_PROMPT_COMPLETER, NULL);
  self->view = view;
  self->completion = STINT_COMPLETION (stint_completion_new ());
  gtk_widget_set_parent (GTK_WIDGET (self->completion), GTK_WIDGET (view));
  g_signal_connect_swapped (self->completion, "chosen", G_CALLBACK (on_chosen), self);
  return self;
}

void
stint_prompt_completer_close (StintPromptCompleter *self)
{
  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));

  g_cancellable_cancel (self->cancellable);
  if (self->completion != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->completion)));
  self->view = NULL;
}

void
stint_prompt_completer_set_commands (StintPromptCompleter *self, GListModel *commands)
{
  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));

  g_set_object (&self->commands, commands);
}

void
stint_prompt_completer_set_directory (StintPromptCompleter *self, const char *directory)
{
  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));

  g_free (self->directory);
  self->directory = g_strdup (directory);
  g_clear_pointer (&self->file_names, g_ptr_array_unref);
}

void
stint_prompt_completer_search (StintPromptCompleter *self, StintPromptHistory *history)
{
  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));
  g_return_if_fail (STINT_IS_PROMPT_HISTORY (history));

  g_set_object (&self->history, history);
  offer_history (self);
}

void
stint_prompt_completer_dismiss (StintPromptCompleter *self)
{
  g_return_if_fail (STINT_IS_PROMPT_COMPLETER (self));

  gtk_popover_popdown (GTK_POPOVER (self->completion));
  self->completing = COMPLETE_NOTHING;
}

gboolean
stint_prompt_completer_handle_key (StintPromptCompleter *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail (STINT_IS_PROMPT_COMPLETER (self), FALSE);

  return stint_completion_handle_key (self->completion, key, state);
}
