/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the menus of the history's page do with a job, which they name by its id: rows come and go. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-page-private.h"

#include "stint-clipboard.h"
#include "stint-history-change.h"
#include "stint-history-details.h"
#include "stint-history-lookup.h"
#include "stint-run-line.h"
#include "stint-save-dialog.h"
#include "stint-toast.h"

#include <glib/gi18n.h>

/* How long a removal can be undone, s. */
#define UNDO_SECONDS 10

/* What is to be done with a job that is being read. */
typedef enum
{
  USE_RUN_AGAIN,
  USE_EDIT,
  USE_COPY_COMMAND,
  USE_COPY_LINE,
  USE_OPEN_DIRECTORY,
  USE_SAVE_OUTPUT,
  USE_SHOW_BESIDE,
} Use;

typedef struct
{
  StintHistoryPage *page;
  Use use;
} Fetch;

static void
say (StintHistoryPage *self, const char *text)
{
  AdwToast *toast = stint_toast_new (text);

  adw_toast_set_timeout (toast, 3);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static void
open_directory (StintHistoryPage *self, StintJobSpec *spec)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *uri = NULL;
  const char *directory = stint_job_spec_get_directory (spec);

  if (directory != NULL)
    uri = g_filename_to_uri (directory, NULL, &error);
  if (uri != NULL)
    gtk_show_uri (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), uri, GDK_CURRENT_TIME);
  else if (error != NULL)
    stint_history_page_emit_problem (self, _ ("The directory cannot be opened"), error);
}

static void
copy (StintHistoryPage *self, const char *text)
{
  stint_clipboard_offer_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), text);
  say (self, _ ("Copied"));
}

static void
run_again (StintHistoryPage *self, StintJobSpec *spec)
{
  g_autoptr (GError) error = NULL;

  /* A value that is kept secret is asked for where the rest can be changed. */
  if (!stint_job_spec_check (spec, &error))
    {
      say (self, error->message);
      stint_history_page_emit_spec (self, TRUE, spec);
      return;
    }
  stint_history_page_emit_spec (self, FALSE, spec);
}

static void
on_saved (StintHistoryPage *self, GFile *file)
{
  g_autofree char *message = stint_save_dialog_dup_message (file);

  say (self, message);
}

static void
on_not_saved (StintHistoryPage *self, GError *error)
{
  stint_history_page_emit_problem (self, _ ("The output could not be saved"), error);
}

static void
save_output (StintHistoryPage *self, StintJob *job)
{
  StintSaveDialog *dialog;

  if (stint_job_get_transcript (job) == NULL)
    {
      say (self, _ ("The output of this job is no longer there"));
      return;
    }
  dialog = stint_save_dialog_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), job);
  g_signal_connect_object (dialog, "saved", G_CALLBACK (on_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "problem", G_CALLBACK (on_not_saved), self, G_CONNECT_SWAPPED);
}

static void
use_spec (StintHistoryPage *self, Use use, StintJobSpec *original)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (original);
  g_autofree char *text = NULL;

  switch (use)
    {
    case USE_RUN_AGAIN:
      run_again (self, spec);
      break;
    case USE_EDIT:
      stint_history_page_emit_spec (self, TRUE, spec);
      break;
    case USE_COPY_COMMAND:
      text = stint_job_spec_dup_command_line (spec);
      copy (self, text);
      break;
    case USE_COPY_LINE:
      text = stint_run_line_dup (spec);
      copy (self, text);
      break;
    case USE_OPEN_DIRECTORY:
      open_directory (self, spec);
      break;
    case USE_SAVE_OUTPUT:
    case USE_SHOW_BESIDE:
    default:
      g_assert_not_reached ();
    }
}

static void
use_job (StintHistoryPage *self, Use use, StintJob *job)
{
  if (use == USE_SAVE_OUTPUT)
    save_output (self, job);
  else if (use == USE_SHOW_BESIDE)
    stint_history_page_emit_beside (self, job);
  else
    use_spec (self, use, stint_job_get_spec (job));
}

static void
on_fetched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autofree Fetch *fetch = user_data;
  g_autoptr (StintHistoryPage) self = fetch->page;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_history_find_job_finish (STINT_HISTORY (source), result, &error);

  if (self->history == NULL)
    return;
  if (job != NULL)
    use_job (self, fetch->use, job);
  else
    stint_history_page_emit_problem (self, _ ("The job cannot be read"), error);
}

static void
fetch (StintHistoryPage *self, GVariant *parameter, Use use)
{
  Fetch *data;

  if (self->history == NULL)
    return;
  data = g_new0 (Fetch, 1);
  data->page = g_object_ref (self);
  data->use = use;
  stint_history_find_job_async (self->history, g_variant_get_uint64 (parameter), on_fetched, data);
}

static void
on_run_again (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_RUN_AGAIN);
}

static void
on_edit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_EDIT);
}

static void
on_copy_command (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_COPY_COMMAND);
}

static void
on_copy_line (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_COPY_LINE);
}

static void
on_open_directory (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_OPEN_DIRECTORY);
}

static void
on_save_output (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  fetch (user_data, parameter, USE_SAVE_OUTPUT);
}

static void
on_open_beside (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  StintJob *job = stint_history_page_find_live (self, g_variant_get_uint64 (parameter));

  if (job != NULL)
    stint_history_page_emit_beside (self, job);
  else
    fetch (self, parameter, USE_SHOW_BESIDE);
}

static void
on_open (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_history_page_open (user_data, g_variant_get_uint64 (parameter));
}

static void
on_show_in_timeline (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  guint64 id;
  gint64 started_at;

  g_variant_get (parameter, "(tx)", &id, &started_at);
  gtk_toggle_button_set_active (self->timeline_button, TRUE);
  stint_history_day_show_job (self->day, id, started_at);
  gtk_widget_grab_focus (GTK_WIDGET (self->day));
}

static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!stint_history_change_finish (STINT_HISTORY (source), result, NULL, &error))
    stint_history_page_emit_problem (self, _ ("The history cannot be changed"), error);
}

static void
on_pin (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  if (self->history != NULL)
    stint_history_pin_async (self->history, g_variant_get_uint64 (parameter), TRUE, on_changed,
                             g_object_ref (self));
}

static void
on_unpin (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  if (self->history != NULL)
    stint_history_pin_async (self->history, g_variant_get_uint64 (parameter), FALSE, on_changed,
                             g_object_ref (self));
}

static void
on_details (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  GtkWindow *window = GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self)));

  if (self->history != NULL)
    gtk_window_present (GTK_WINDOW (
        stint_history_details_new (window, self->history, g_variant_get_uint64 (parameter))));
}

/* What has been removed and can still be brought back, all at once. Nothing keeps the page for it: when the page goes,
 * so does the toast, and the jobs are removed. */
struct _StintHistoryRemoval
{
  StintHistoryPage *page; /* weak */
  StintHistory *history;
  AdwToast *toast;      /* that offers it; the overlay's */
  GPtrArray *dismissed; /* of StintJob: were in the sidebar */
  GArray *ids;          /* of guint64 */
  gboolean undone;
};

typedef StintHistoryRemoval Removal;

static Removal *
removal_new (StintHistoryPage *page)
{
  Removal *removal = g_new0 (Removal, 1);

  g_set_weak_pointer (&removal->page, page);
  removal->history = g_object_ref (page->history);
  removal->dismissed = g_ptr_array_new_with_free_func (g_object_unref);
  removal->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  return removal;
}

static void
removal_free (Removal *removal)
{
  g_clear_weak_pointer (&removal->page);
  g_object_unref (removal->history);
  g_ptr_array_unref (removal->dismissed);
  g_array_unref (removal->ids);
  g_free (removal);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Removal, removal_free)

static void
set_hidden (StintHistoryPage *self, guint64 id, gboolean hidden)
{
  if (hidden)
    stint_history_model_hide (self->model, id);
  else
    stint_history_model_show (self->model, id);
  stint_history_day_set_hidden (self->day, id, hidden);
}

static void
show_again (Removal *removal)
{
  for (guint i = 0; i < removal->ids->len; i++)
    set_hidden (removal->page, g_array_index (removal->ids, guint64, i), FALSE);
}

static void
on_removed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Removal) removal = user_data;
  g_autoptr (GError) error = NULL;
  StintHistoryPage *self = removal->page;
  StintRemoved removed = { 0 };
  gboolean ok = stint_history_change_finish (STINT_HISTORY (source), result, &removed, &error);

  if (self == NULL || self->history == NULL)
    {
      if (!ok)
        g_message ("A job was not removed from the history: %s", error->message);
      return;
    }
  if (!ok)
    stint_history_page_emit_problem (self,
                                     ngettext ("The job was not removed", "The jobs were not removed",
                                               removal->ids->len),
                                     error);
  else if (removed.n_held > 0)
    {
      g_autofree char *text =
          g_strdup_printf (ngettext ("%u job is open somewhere, and was kept",
                                     "%u jobs are open somewhere, and were kept", removed.n_held),
                           removed.n_held);

      say (self, text);
    }
  show_again (removal);
}

/* What is removed from now on is not undone with it. */
static void
leave_page (Removal *removal)
{
  if (removal->page != NULL && removal->page->removal == removal)
    removal->page->removal = NULL;
}

static void
on_undo (Removal *removal)
{
  StintHistoryPage *self = removal->page;

  removal->undone = TRUE;
  leave_page (removal);
  if (self == NULL || self->model == NULL)
    return;
  show_again (removal);
  for (guint i = 0; i < removal->dismissed->len && self->board != NULL; i++)
    stint_job_board_add_finished (self->board, removal->dismissed->pdata[i], FALSE);
}

static void
on_toast_dismissed (AdwToast *toast, Removal *removal)
{
  /* Another one offers it by now. */
  if (toast != removal->toast)
    return;
  leave_page (removal);
  if (removal->undone)
    {
      removal_free (removal);
      return;
    }
  /* A job that was opened from the history keeps it there as long as anybody has it. */
  g_ptr_array_set_size (removal->dismissed, 0);
  stint_history_remove_async (removal->history, &g_array_index (removal->ids, guint64, 0),
                              removal->ids->len, on_removed, removal);
}

/* One toast for all, or each would wait for the one before, and Undo bring back another job than was removed just now.
 * It is a new one: the last to be removed has as much time as the first. */
static void
offer_undo (Removal *removal)
{
  guint n_jobs = removal->ids->len;
  g_autofree char *several = g_strdup_printf (
      ngettext ("%u job removed from the history", "%u jobs removed from the history", n_jobs), n_jobs);
  AdwToast *before = removal->toast;

  removal->toast = stint_toast_new (n_jobs == 1 ? _ ("Job removed from the history") : several);
  if (before != NULL)
    {
      g_signal_handlers_disconnect_by_data (before, removal);
      adw_toast_dismiss (before);
    }
  adw_toast_set_button_label (removal->toast, _ ("_Undo"));
  adw_toast_set_timeout (removal->toast, UNDO_SECONDS);
  g_signal_connect_swapped (removal->toast, "button-clicked", G_CALLBACK (on_undo), removal);
  g_signal_connect (removal->toast, "dismissed", G_CALLBACK (on_toast_dismissed), removal);
  adw_toast_overlay_add_toast (removal->page->toasts, removal->toast);
}

/* (transfer full) (nullable): the job, if it was in the sidebar, and has been taken off it. */
static StintJob *
take_off_board (StintHistoryPage *self, guint64 id)
{
  g_autoptr (StintJob) job = NULL;

  if (self->board == NULL || !g_set_object (&job, stint_history_page_find_live (self, id)) ||
      stint_job_board_find (self->board, job) == NULL ||
      !stint_job_board_dismiss (self->board, job))
    return NULL;
  return g_steal_pointer (&job);
}

/* Another row has the focus when this job's goes: GTK would leave the list. */
static void
move_focus_from (StintHistoryPage *self, guint64 id)
{
  StintHistoryRow *row = stint_history_page_get_focused (self);
  StintHistoryItem *item = row != NULL ? stint_history_row_get_item (row) : NULL;

  if (item != NULL && stint_history_item_get_id (item) == id)
    stint_history_view_leave_row (self->view, row);
}

static void
on_remove (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  guint64 id = g_variant_get_uint64 (parameter);
  StintJob *dismissed;

  if (self->history == NULL)
    return;
  if (self->removal == NULL)
    self->removal = removal_new (self);
  g_array_append_val (self->removal->ids, id);
  dismissed = take_off_board (self, id);
  if (dismissed != NULL)
    g_ptr_array_add (self->removal->dismissed, dismissed);
  move_focus_from (self, id);
  set_hidden (self, id, TRUE);
  offer_undo (self->removal);
}

static void
on_search_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryPage) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!stint_history_change_finish (STINT_HISTORY (source), result, NULL, &error))
    stint_history_page_emit_problem (self, _ ("The search cannot be saved"), error);
  else if (self->history != NULL)
    stint_history_page_update_saved (self);
}

static void
on_save_search (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  const char *text = gtk_editable_get_text (self->search_entry);

  if (self->history == NULL)
    return;
  if (*text == '\0')
    {
      say (self, _ ("Type a search first"));
      return;
    }
  stint_history_save_search_async (self->history, text, text, on_search_saved, g_object_ref (self));
  say (self, _ ("Search saved"));
}

static void
on_forget_search (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  if (self->history != NULL)
    stint_history_save_search_async (self->history, g_variant_get_string (parameter, NULL), NULL,
                                     on_search_saved, g_object_ref (self));
}

static void
on_use_search (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  stint_history_page_search (self, g_variant_get_string (parameter, NULL));
  gtk_widget_grab_focus (GTK_WIDGET (self));
}

static void
append_search (GMenu *menu, const char *name, const char *action, const char *target)
{
  g_autoptr (GMenuItem) item = NULL;
  g_autoptr (GString) label = g_string_new (NULL);

  /* No letter of it is a mnemonic. */
  for (const char *p = name; *p != '\0'; p++)
    {
      if (*p == '_')
        g_string_append_c (label, '_');
      g_string_append_c (label, *p);
    }
  item = g_menu_item_new (label->str, NULL);
  g_menu_item_set_action_and_target (item, action, "s", target);
  g_menu_append_item (menu, item);
}

static void
fill_saved (StintHistoryPage *self, GHashTable *saved)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) first = g_menu_new ();
  g_autoptr (GMenu) uses = g_menu_new ();
  g_autoptr (GMenu) forgets = g_menu_new ();
  g_autoptr (GMenu) last = g_menu_new ();
  g_autoptr (GList) names =
      g_list_sort (g_hash_table_get_keys (saved), (GCompareFunc) g_utf8_collate);

  g_menu_append (first, _ ("_Save This Search"), "history.save-search");
  g_menu_append_section (menu, NULL, G_MENU_MODEL (first));
  for (GList *l = names; l != NULL; l = l->next)
    {
      append_search (uses, l->data, "history.use-search", g_hash_table_lookup (saved, l->data));
      append_search (forgets, l->data, "history.forget-search", l->data);
    }
  if (names != NULL)
    {
      g_menu_append_section (menu, NULL, G_MENU_MODEL (uses));
      g_menu_append_submenu (last, _ ("_Forget"), G_MENU_MODEL (forgets));
      g_menu_append_section (menu, NULL, G_MENU_MODEL (last));
    }
  gtk_menu_button_set_menu_model (self->saved_button, G_MENU_MODEL (menu));
}

static void
on_saved_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryPage) self = user_data;
  g_autoptr (GHashTable) saved =
      stint_history_read_saved_finish (STINT_HISTORY (source), result, NULL);

  /* What is wrong with the history is told by the search. */
  if (saved != NULL && self->history != NULL)
    fill_saved (self, saved);
}

void
stint_history_page_update_saved (StintHistoryPage *self)
{
  stint_history_read_saved_async (self->history, on_saved_read, g_object_ref (self));
}

void
stint_history_page_add_actions (StintHistoryPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "open", .activate = on_open, .parameter_type = "t" },
    { .name = "open-beside", .activate = on_open_beside, .parameter_type = "t" },
    { .name = "save-output", .activate = on_save_output, .parameter_type = "t" },
    { .name = "details", .activate = on_details, .parameter_type = "t" },
    { .name = "show-in-timeline", .activate = on_show_in_timeline, .parameter_type = "(tx)" },
    { .name = "run-again", .activate = on_run_again, .parameter_type = "t" },
    { .name = "edit", .activate = on_edit, .parameter_type = "t" },
    { .name = "copy-command", .activate = on_copy_command, .parameter_type = "t" },
    { .name = "copy-line", .activate = on_copy_line, .parameter_type = "t" },
    { .name = "open-directory", .activate = on_open_directory, .parameter_type = "t" },
    { .name = "pin", .activate = on_pin, .parameter_type = "t" },
    { .name = "unpin", .activate = on_unpin, .parameter_type = "t" },
    { .name = "remove", .activate = on_remove, .parameter_type = "t" },
    { .name = "save-search", .activate = on_save_search },
    { .name = "use-search", .activate = on_use_search, .parameter_type = "s" },
    { .name = "forget-search", .activate = on_forget_search, .parameter_type = "s" },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
}
