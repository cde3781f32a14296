/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything in the history is deleted: asked, done, and told. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-clearing.h"

#include "stint-history-change.h"
#include "stint-toast.h"

#include <glib/gi18n.h>

typedef struct
{
  AdwPreferencesWindow *parent; /* weak */
  StintHistory *history;
  StintJobBoard *board;
  StintProblems *problems;
} Clearing;

static void
clearing_free (Clearing *self)
{
  g_clear_weak_pointer (&self->parent);
  g_object_unref (self->history);
  g_object_unref (self->board);
  g_object_unref (self->problems);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Clearing, clearing_free)

static void
dismiss_finished (StintJobBoard *board)
{
  for (guint i = g_list_model_get_n_items (G_LIST_MODEL (board)); i > 0; i--)
    {
      g_autoptr (StintJobEntry) entry = g_list_model_get_item (G_LIST_MODEL (board), i - 1);

      stint_job_board_dismiss (board, stint_job_entry_get_job (entry));
    }
}

static void
tell (Clearing *self, const StintRemoved *removed)
{
  g_autofree char *size = g_format_size (removed->bytes);
  /* Translators: a count of jobs, and how much space they took. */
  g_autofree char *text = g_strdup_printf (
      ngettext ("%u job was deleted (%s)", "%u jobs were deleted (%s)", removed->n_jobs),
      removed->n_jobs, size);

  if (self->parent != NULL)
    adw_preferences_window_add_toast (self->parent, stint_toast_new (text));
}

static void
on_cleared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Clearing) self = user_data;
  g_autoptr (GError) error = NULL;
  StintRemoved removed = { 0 };

  if (!stint_history_change_finish (STINT_HISTORY (source), result, &removed, &error))
    {
      stint_problems_raise (self->problems, _ ("The history was not deleted"), error);
      return;
    }
  dismiss_finished (self->board);
  tell (self, &removed);
}

static void
on_response (AdwMessageDialog *dialog, const char *response, Clearing *self)
{
  Clearing *own;

  if (g_strcmp0 (response, "delete") != 0)
    return;
  own = g_new0 (Clearing, 1);
  g_set_weak_pointer (&own->parent, self->parent);
  own->history = g_object_ref (self->history);
  own->board = g_object_ref (self->board);
  own->problems = g_object_ref (self->problems);
  stint_history_clear_async (self->history, on_cleared, own);
}

static void
closure_free (gpointer data, GClosure *closure)
{
  clearing_free (data);
}

AdwMessageDialog *
stint_history_clearing_ask (AdwPreferencesWindow *parent,
                            StintHistory *history,
                            StintJobBoard *board,
                            StintProblems *problems)
{
  AdwMessageDialog *dialog;
  Clearing *self;

  g_return_val_if_fail (ADW_IS_PREFERENCES_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_HISTORY (history), NULL);
  g_return_val_if_fail (STINT_IS_JOB_BOARD (board), NULL);
  g_return_val_if_fail (STINT_IS_PROBLEMS (problems), NULL);

  dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (
      GTK_WINDOW (parent), _ ("Delete the Whole History?"),
      _ ("All jobs that have ended, pinned ones too, their output, and the saved searches. This cannot be undone. "
         "Jobs that run or are open stay.")));
  gtk_window_set_title (GTK_WINDOW (dialog), _ ("Delete the Whole History?"));
  adw_message_dialog_add_responses (dialog, "cancel", _ ("_Cancel"), "delete",
                                    _ ("_Delete Everything"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "delete", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (dialog, "cancel");
  adw_message_dialog_set_close_response (dialog, "cancel");
  self = g_new0 (Clearing, 1);
  g_set_weak_pointer (&self->parent, parent);
  self->history = g_object_ref (history);
  self->board = g_object_ref (board);
  self->problems = g_object_ref (problems);
  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), self, closure_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  return dialog;
}
