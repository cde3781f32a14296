/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The content of the window: overview, history or pages of jobs; who is looked at; and whose the keys
 * are. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-job-text.h"
#include "stint-shortcuts.h"
#include "stint-stack.h"

#include <glib/gi18n.h>
#include <inttypes.h>

/* Who has been looked at for so long has been seen. */
#define SEEN_SECONDS 1

StintJobPage *
stint_window_get_page (StintWindow *self)
{
  return stint_pages_get_current (self->pages);
}

StintPane *
stint_window_get_focused_pane (StintWindow *self)
{
  GtkWidget *focus = gtk_window_get_focus (GTK_WINDOW (self));
  GtkWidget *pane = focus != NULL ? gtk_widget_get_ancestor (focus, STINT_TYPE_PANE) : NULL;

  return pane != NULL ? STINT_PANE (pane) : NULL;
}

/* (nullable): of the current page, which is not made for the question: nobody may want to see one. */
static StintJob *
get_page_job (StintWindow *self)
{
  return stint_pages_get_n_pages (self->pages) > 0
             ? stint_job_page_get_job (stint_window_get_page (self))
             : NULL;
}

static gboolean
shows (StintWindow *self, gpointer child)
{
  return gtk_stack_get_visible_child (self->content_stack) == GTK_WIDGET (child);
}

/* While the program in the pane takes the keys, only those with Ctrl+Shift are ours. */
static void
update_shortcuts (StintWindow *self)
{
  StintPane *pane = stint_window_get_focused_pane (self);
  gboolean taken = pane != NULL && stint_pane_is_live (pane);
  GtkApplication *application = gtk_window_get_application (GTK_WINDOW (self));

  if (application != NULL)
    stint_shortcuts_apply (application, taken);
  gtk_menu_button_set_primary (self->menu_button, !taken);
}

/* The page that has the focus is the current one. */
static void
on_focus (StintWindow *self)
{
  StintJobPage *page = stint_pages_find (self->pages, gtk_window_get_focus (GTK_WINDOW (self)));

  if (page != NULL)
    stint_pages_set_current (self->pages, page);
  update_shortcuts (self);
}

static void
on_page_live (StintWindow *self)
{
  StintJobPage *page = self->focus_job != NULL && shows (self, self->pages)
                           ? stint_window_get_page (self)
                           : NULL;

  if (page != NULL &&
      (stint_job_page_is_live (page) || stint_job_page_takes_prompts (page)) &&
      stint_job_page_get_job (page) == self->focus_job)
    {
      stint_job_page_focus_pane (page);
      g_clear_object (&self->focus_job);
    }
  update_shortcuts (self);
}

/* The command stands in the bar below; the title says what else there is to know. */
static void
show_job_title (StintWindow *self, StintJob *job)
{
  StintJobSpec *spec = stint_job_get_spec (job);
  g_autofree char *kind = stint_job_text_dup_kind (stint_job_spec_get_kind (spec));
  g_autofree char *subtitle = NULL;

  /* Translators: the number of a job, as used on the command line. */
  if (stint_job_get_id (job) != 0)
    subtitle = g_strdup_printf (_ ("Job %" PRIu64), stint_job_get_id (job));
  adw_window_title_set_title (self->page_title, stint_job_spec_get_name (spec) != NULL ||
                                                        stint_job_get_subject (job) != NULL
                                                    ? stint_job_get_title (job)
                                                    : kind);
  adw_window_title_set_subtitle (self->page_title, subtitle != NULL ? subtitle : "");
}

static void
update_page_title (StintWindow *self)
{
  StintJob *job = get_page_job (self);

  if (shows (self, self->pages) && job != NULL)
    {
      show_job_title (self, job);
      return;
    }
  adw_window_title_set_title (self->page_title,
                              shows (self, self->history) ? _ ("History") : _ ("Overview"));
  adw_window_title_set_subtitle (self->page_title, "");
}

/* Keys find them here, wherever the focus is. The pages have them as `job` and `output`; under the same
 * name GTK 4.8 would mix up which of them are enabled. */
static void
update_page_actions (StintWindow *self)
{
  StintJobPage *page = shows (self, self->pages) ? stint_window_get_page (self) : NULL;
  StintJobActions *actions = page != NULL ? stint_job_page_get_actions (page) : NULL;

  gtk_widget_insert_action_group (GTK_WIDGET (self), "shown-output",
                                  page != NULL ? stint_job_page_get_output_actions (page) : NULL);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "shown",
                                  actions != NULL ? stint_job_actions_get_group (actions) : NULL);
}

static gboolean
is_content_shown (StintWindow *self)
{
  return !adw_leaflet_get_folded (self->leaflet) ||
         adw_leaflet_get_visible_child (self->leaflet) == self->content;
}

static gboolean
on_seen (gpointer user_data)
{
  StintWindow *self = STINT_WINDOW (user_data);
  g_autoptr (GPtrArray) looked_at = g_ptr_array_ref (self->looked_at);

  self->seen_id = 0;
  for (guint i = looked_at->len; i > 0; i--)
    stint_job_board_set_seen (self->board, stint_job_entry_get_job (looked_at->pdata[i - 1]));
  return G_SOURCE_REMOVE;
}

static gboolean
is_any_to_see (StintWindow *self)
{
  for (guint i = 0; i < self->looked_at->len; i++)
    {
      if (stint_job_entry_get_section (self->looked_at->pdata[i]) == STINT_SECTION_NEEDS_YOU)
        return TRUE;
    }
  return FALSE;
}

void
stint_window_update_looked_at (StintWindow *self)
{
  g_autoptr (GPtrArray) now = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean same, to_see;
  gboolean shown = shows (self, self->pages) && is_content_shown (self) &&
                   gtk_widget_get_mapped (GTK_WIDGET (self));

  for (guint i = 0; shown && i < stint_pages_get_n_pages (self->pages); i++)
    {
      StintJobPage *page = stint_pages_get_page (self->pages, i);
      StintJobEntry *entry = stint_job_board_find (self->board, stint_job_page_get_job (page));

      if (entry != NULL && gtk_widget_get_visible (GTK_WIDGET (page)))
        g_ptr_array_add (now, g_object_ref (entry));
    }
  same = now->len == self->looked_at->len;
  for (guint i = 0; i < self->looked_at->len; i++)
    {
      if (g_ptr_array_find (now, self->looked_at->pdata[i], NULL))
        continue;
      stint_job_entry_set_looked_at (self->looked_at->pdata[i], FALSE);
      same = FALSE;
    }
  for (guint i = 0; i < now->len; i++)
    stint_job_entry_set_looked_at (now->pdata[i], TRUE);
  g_clear_pointer (&self->looked_at, g_ptr_array_unref);
  self->looked_at = g_steal_pointer (&now);

  /* Jobs that come and go elsewhere do not make it begin anew. */
  to_see = gtk_window_is_active (GTK_WINDOW (self)) && is_any_to_see (self);
  if (!same || !to_see)
    g_clear_handle_id (&self->seen_id, g_source_remove);
  if (to_see && self->seen_id == 0)
    self->seen_id = g_timeout_add_seconds (SEEN_SECONDS, on_seen, self);
  g_signal_emit_by_name (self, "shown-changed");
}

gboolean
stint_window_shows_pages (StintWindow *self)
{
  return shows (self, self->pages) && is_content_shown (self);
}

gboolean
stint_window_shows_job (StintWindow *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_WINDOW (self), FALSE);

  for (guint i = 0; i < self->looked_at->len; i++)
    if (stint_job_entry_get_job (self->looked_at->pdata[i]) == job)
      return TRUE;
  return FALSE;
}

static void
on_current_changed (StintWindow *self)
{
  StintJob *job = get_page_job (self);
  StintJob *selected = stint_sidebar_get_job (self->sidebar);

  g_signal_group_set_target (self->page_job_signals, job);
  /* Another page has got the focus: it is its job that is selected. */
  if (shows (self, self->pages) && selected != NULL && job != NULL && selected != job)
    stint_sidebar_select_job (self->sidebar, job);
  update_page_title (self);
  update_page_actions (self);
  on_page_live (self);
  stint_window_update_looked_at (self);
}

static void
show (StintWindow *self, gpointer child)
{
  stint_stack_show (self->content_stack, GTK_WIDGET (child));
  gtk_widget_set_visible (self->back_button,
                          child == (gpointer) self->pages &&
                              stint_sidebar_get_place (self->sidebar) == STINT_PLACE_HISTORY);
  on_current_changed (self);
}

void
stint_window_show_selected (StintWindow *self)
{
  StintJob *job;

  switch (stint_sidebar_get_place (self->sidebar))
    {
    case STINT_PLACE_OVERVIEW:
      show (self, self->overview);
      break;
    case STINT_PLACE_HISTORY:
      show (self, self->history);
      break;
    case STINT_PLACE_JOB:
    default:
      job = stint_sidebar_get_job (self->sidebar);
      if (job == NULL)
        return;
      stint_pages_show (self->pages, job);
      show (self, self->pages);
    }
}

/* Folded, moving through the list opens nothing; choosing does. */
static void
on_place_changed (StintWindow *self)
{
  if (adw_leaflet_get_folded (self->leaflet) &&
      adw_leaflet_get_visible_child (self->leaflet) == self->sidebar_box)
    return;
  stint_window_show_selected (self);
}

void
stint_window_show_content (StintWindow *self)
{
  stint_window_show_selected (self);
  adw_leaflet_set_visible_child (self->leaflet, self->content);
}

/* Never what stands behind it: there keys would do what nobody sees. */
static void
focus_shown (StintWindow *self)
{
  if (shows (self, self->pages))
    stint_job_page_focus_pane (stint_window_get_page (self));
  else
    gtk_widget_grab_focus (gtk_stack_get_visible_child (self->content_stack));
}

static void
on_activated (StintWindow *self)
{
  stint_window_show_content (self);
  focus_shown (self);
}

void
stint_window_focus_content (StintWindow *self)
{
  /* A job of the history is not what is selected. */
  if (gtk_widget_get_visible (self->back_button))
    adw_leaflet_set_visible_child (self->leaflet, self->content);
  else
    stint_window_show_content (self);
  focus_shown (self);
}

/* Of the overview and the history. One that is on the list is shown there. */
static void
on_show_job (StintWindow *self, StintJob *job)
{
  if (stint_sidebar_get_place (self->sidebar) == STINT_PLACE_HISTORY)
    {
      stint_pages_show (self->pages, job);
      show (self, self->pages);
      adw_leaflet_set_visible_child (self->leaflet, self->content);
    }
  else if (stint_sidebar_select_job (self->sidebar, job))
    stint_window_show_content (self);
  focus_shown (self);
}

/* Of the history: beside what was looked at last. */
static void
on_show_beside (StintWindow *self, StintJob *job)
{
  stint_pages_show_beside (self->pages, job);
  show (self, self->pages);
  adw_leaflet_set_visible_child (self->leaflet, self->content);
  stint_job_page_focus_pane (stint_window_get_page (self));
}

void
stint_window_go_back (StintWindow *self)
{
  if (stint_sidebar_get_place (self->sidebar) != STINT_PLACE_HISTORY)
    return;
  show (self, self->history);
  gtk_widget_child_focus (GTK_WIDGET (self->history), GTK_DIR_TAB_FORWARD);
}

/* Before the window has a size nothing may make it wider than the narrowest. */
static void
update_narrow (StintWindow *self)
{
  g_object_set (self->pages, "narrow", !self->has_size || adw_leaflet_get_folded (self->leaflet),
                NULL);
}

void
stint_window_update_folded (StintWindow *self)
{
  gboolean folded = adw_leaflet_get_folded (self->leaflet);

  update_narrow (self);
  g_object_set (self->sidebar, "activatable", folded, NULL);
  if (self->board != NULL)
    on_place_changed (self);
}

void
stint_window_run_again (StintWindow *self, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (job));

  stint_window_start (self, spec);
}

static void
on_page_problem (StintWindow *self, StintJob *job, GError *error, StintJobPage *page)
{
  g_autofree char *title = NULL;

  /* Translators: %s is a job's name. */
  title = g_strdup_printf (_ ("A problem with “%s”"), stint_job_get_title (job));
  stint_problems_raise (self->problems, title, error);
}

static void
on_page_actions (StintWindow *self, GParamSpec *pspec, StintJobPage *page)
{
  if (page != stint_window_get_page (self))
    return;
  update_page_actions (self);
  on_page_live (self);
}

/* A terminal of an agent's, or the agent started again. */
static void
on_page_open_job (StintWindow *self, guint64 id)
{
  g_autoptr (StintJob) job = stint_job_list_lookup (self->jobs, id);

  if (job != NULL)
    stint_window_show_job (self, job);
}

static void
on_page_made (StintWindow *self, StintJobPage *page)
{
  g_signal_connect_object (page, "open-job", G_CALLBACK (on_page_open_job), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "start", G_CALLBACK (stint_window_start), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "problem", G_CALLBACK (on_page_problem), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "actions-made", G_CALLBACK (stint_window_listen_to), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "notify::live", G_CALLBACK (on_page_live), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (page, "notify::output-actions", G_CALLBACK (on_page_actions), self,
                           G_CONNECT_SWAPPED);
}

void
stint_window_set_up_pages (StintWindow *self)
{
  self->looked_at = g_ptr_array_new_with_free_func (g_object_unref);
  self->page_job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->page_job_signals, "notify::id",
                                  G_CALLBACK (update_page_title), self);
  g_signal_group_connect_swapped (self->page_job_signals, "notify::title",
                                  G_CALLBACK (update_page_title), self);
  g_signal_connect (self, "notify::focus-widget", G_CALLBACK (on_focus), NULL);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (stint_window_update_looked_at), NULL);
  g_signal_connect_object (self->leaflet, "notify::visible-child",
                           G_CALLBACK (stint_window_update_looked_at), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->board, "counts-changed",
                           G_CALLBACK (stint_window_update_looked_at), self, G_CONNECT_SWAPPED);
  stint_pages_set_settings (self->pages, self->settings);
  stint_overview_set_board (self->overview, self->board);
  stint_history_page_set_jobs (self->history, self->jobs);
  stint_history_page_set_board (self->history, self->board);
  stint_history_page_set_settings (self->history, self->settings);
  g_signal_connect_object (self->history, "start", G_CALLBACK (stint_window_start), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "edit", G_CALLBACK (stint_window_edit_job), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->history, "problem", G_CALLBACK (stint_problems_raise),
                           self->problems, G_CONNECT_SWAPPED);
}

void
stint_window_open_job (StintWindow *self, guint64 id)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  stint_window_show_history (self, NULL);
  stint_history_page_open (self->history, id);
}

void
stint_window_set_history (StintWindow *self, StintHistory *history)
{
  g_return_if_fail (STINT_IS_WINDOW (self));

  stint_history_page_set_history (self->history, history);
}

void
stint_window_bind_pages (GtkWidgetClass *widget_class)
{
  gtk_widget_class_bind_template_callback (widget_class, stint_window_update_folded);
  gtk_widget_class_bind_template_callback (widget_class, stint_window_start);
  gtk_widget_class_bind_template_callback (widget_class, on_place_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_show_job);
  gtk_widget_class_bind_template_callback (widget_class, on_show_beside);
  gtk_widget_class_bind_template_callback (widget_class, on_page_made);
  gtk_widget_class_bind_template_callback (widget_class, on_current_changed);
}
