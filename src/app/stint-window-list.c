/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sidebar of the window: what is counted above it, what its menus ask for, and what is dismissed. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-continue-dialog.h"
#include "stint-text-window.h"
#include "stint-then-dialog.h"
#include "stint-toast.h"

#include <glib/gi18n.h>

/* Each new title goes to the display server. */
static void
set_title (GtkWindow *window, const char *title)
{
  if (g_strcmp0 (gtk_window_get_title (window), title) != 0)
    gtk_window_set_title (window, title);
}

static void
update_title (StintWindow *self)
{
  guint n_active = stint_job_list_get_n_active (self->jobs);
  guint n_needs = stint_job_board_get_count (self->board, STINT_SECTION_NEEDS_YOU);
  guint n_running = stint_job_board_get_count (self->board, STINT_SECTION_RUNNING);
  g_autofree char *running = NULL;
  g_autofree char *needs = NULL;
  g_autofree char *subtitle = NULL;
  g_autofree char *title = NULL;

  running = g_strdup_printf (ngettext ("%u running", "%u running", n_running), n_running);
  needs = g_strdup_printf (ngettext ("%u needs you", "%u need you", n_needs), n_needs);
  if (n_needs > 0 && n_running > 0)
    /* Translators: two counts of jobs: "1 needs you · 2 running". */
    subtitle = g_strdup_printf (_ ("%s · %s"), needs, running);
  else if (n_needs > 0)
    subtitle = g_steal_pointer (&needs);
  else if (n_running > 0)
    subtitle = g_steal_pointer (&running);
  adw_window_title_set_subtitle (self->list_title, subtitle != NULL ? subtitle : "");

  /* Translators: the window's title while jobs have not ended. */
  title = g_strdup_printf (ngettext ("Stint — %u job", "Stint — %u jobs", n_active), n_active);
  set_title (GTK_WINDOW (self), n_active > 0 ? title : _ ("Stint"));
}

static void
on_undo (StintWindow *self, AdwToast *toast)
{
  for (guint i = 0; i < self->dismissed->len; i++)
    stint_job_board_add_finished (self->board, self->dismissed->pdata[i], FALSE);
  g_ptr_array_set_size (self->dismissed, 0);
}

static void
on_toast_gone (StintWindow *self, AdwToast *toast)
{
  if (toast != self->dismissed_toast)
    return;
  g_ptr_array_set_size (self->dismissed, 0);
  g_clear_weak_pointer (&self->dismissed_toast);
}

static void
tell_of_dismissed (StintWindow *self)
{
  guint n_dismissed = self->dismissed->len;
  g_autofree char *title = g_strdup_printf (
      ngettext ("%u job taken off the list", "%u jobs taken off the list", n_dismissed),
      n_dismissed);
  AdwToast *toast = self->dismissed_toast;

  if (toast != NULL)
    {
      adw_toast_set_title (toast, title);
      return;
    }
  toast = adw_toast_new (title);
  adw_toast_set_button_label (toast, _ ("_Undo"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_undo), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (toast, "dismissed", G_CALLBACK (on_toast_gone), self, G_CONNECT_SWAPPED);
  g_set_weak_pointer (&self->dismissed_toast, toast);
  stint_toast_show (self->toast_overlay, toast);
}

static void
on_dismiss (StintWindow *self, StintJob *job)
{
  g_autoptr (StintJob) kept = g_object_ref (job);

  stint_pages_forget (self->pages, job);
  if (!stint_sidebar_dismiss (self->sidebar, job))
    return;
  g_ptr_array_add (self->dismissed, g_steal_pointer (&kept));
  tell_of_dismissed (self);
}

static void
on_edit (StintWindow *self, StintJobSpec *spec)
{
  stint_window_edit_job (self, spec);
}

typedef struct
{
  StintWindow *window;
  StintJob *job;
} Beside;

/* After the menu has given the focus back. */
static gboolean
on_focus_page (gpointer user_data)
{
  Beside *beside = user_data;

  if (gtk_widget_get_mapped (GTK_WIDGET (beside->window)))
    {
      stint_pages_show (beside->window->pages, beside->job);
      stint_job_page_focus_pane (stint_window_get_page (beside->window));
    }
  return G_SOURCE_REMOVE;
}

static void
beside_free (gpointer data)
{
  Beside *beside = data;

  g_object_unref (beside->window);
  g_object_unref (beside->job);
  g_free (beside);
}

static void
on_beside (StintWindow *self, StintJob *job)
{
  Beside *beside = g_new (Beside, 1);

  stint_pages_show_beside (self->pages, job);
  stint_sidebar_select_job (self->sidebar, job);
  stint_window_show_content (self);
  *beside = (Beside){ g_object_ref (self), g_object_ref (job) };
  g_idle_add_full (G_PRIORITY_LOW, on_focus_page, beside, beside_free);
}

static void
on_problem (StintWindow *self, StintJob *job, GError *error)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("A problem with “%s”"), stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
}

static void
on_start_now (StintWindow *self, StintJob *job)
{
  stint_job_list_start_now (self->jobs, job);
}

static void
on_move_up (StintWindow *self, StintJob *job)
{
  stint_job_list_move_up (self->jobs, job);
}

static void
on_then (StintWindow *self, StintJob *job)
{
  stint_then_dialog_present (GTK_WINDOW (self), self->jobs, job);
}

static void
on_next_prompt (StintWindow *self, StintJob *job, StintJobSpec *spec)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) next = stint_job_list_submit_after (self->jobs, job, spec, 1, &error);

  if (next != NULL)
    stint_window_show_job (self, next);
  else
    on_problem (self, job, error);
}

static void
on_continue (StintWindow *self, StintJob *job)
{
  StintContinueDialog *dialog = stint_continue_dialog_new (GTK_WINDOW (self), job);

  g_signal_connect_object (dialog, "start", G_CALLBACK (on_next_prompt), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
on_show_text (StintWindow *self, StintJob *job)
{
  gtk_window_present (GTK_WINDOW (stint_text_window_new (GTK_WINDOW (self), job)));
}

void
stint_window_listen_to (StintWindow *self, StintJobActions *actions)
{
  g_signal_connect_object (actions, "start", G_CALLBACK (stint_window_start), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "edit", G_CALLBACK (on_edit), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "dismiss", G_CALLBACK (on_dismiss), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "beside", G_CALLBACK (on_beside), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "start-now", G_CALLBACK (on_start_now), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "move-up", G_CALLBACK (on_move_up), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "then", G_CALLBACK (on_then), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "continue", G_CALLBACK (on_continue), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "show-text", G_CALLBACK (on_show_text), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (actions, "problem", G_CALLBACK (on_problem), self, G_CONNECT_SWAPPED);
}

void
stint_window_set_up_list (StintWindow *self)
{
  self->dismissed = g_ptr_array_new_with_free_func (g_object_unref);
  stint_sidebar_set_board (self->sidebar, self->board);
  g_signal_connect_object (self->board, "counts-changed", G_CALLBACK (update_title), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->jobs, "notify::n-active", G_CALLBACK (update_title), self,
                           G_CONNECT_SWAPPED);
  update_title (self);
}

void
stint_window_bind_list (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, stint_window_listen_to);
}
