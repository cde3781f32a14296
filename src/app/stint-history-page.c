/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The history, looked at: what is searched for, and the list of what was found. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-page-private.h"

#include "stint-history-lookup.h"
#include "stint-stack.h"
#include "stint-toast.h"

#include <glib/gi18n.h>
#include <inttypes.h>

/* Changes that come together make one search, ms. */
#define REFRESH_DELAY 300

G_DEFINE_FINAL_TYPE (StintHistoryPage, stint_history_page, GTK_TYPE_WIDGET)

enum
{
  SHOW_JOB,
  SHOW_BESIDE,
  START,
  EDIT,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static guint
get_n_hits (StintHistoryPage *self)
{
  return self->model != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->model)) : 0;
}

static void
update_status (StintHistoryPage *self)
{
  /* The timeline counts for itself. */
  guint n = gtk_toggle_button_get_active (self->timeline_button) ? 0 : get_n_hits (self);
  g_autofree char *text = NULL;

  if (self->index_done < self->index_total)
    /* Translators: how far the search index is; two numbers of jobs. */
    text = g_strdup_printf (
        _ ("Reading output to search it: %" PRIu64 " of %" PRIu64 " jobs"),
        self->index_done, self->index_total);
  else if (n > 0)
    text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'u job", "%'u jobs", n), n);
  gtk_label_set_label (self->status_label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->status_label), text != NULL);
}

static void
update (StintHistoryPage *self)
{
  gboolean any = get_n_hits (self) > 0;
  gboolean searched = *gtk_editable_get_text (self->search_entry) != '\0';
  gboolean busy = self->model != NULL && stint_history_model_is_busy (self->model);

  if (!any)
    gtk_label_set_label (self->empty_label, busy       ? _ ("Searching…")
                                            : searched ? _ ("Nothing found")
                                                       : _ ("Nothing has been run yet"));
  if (gtk_toggle_button_get_active (self->timeline_button))
    stint_stack_show (self->stack, GTK_WIDGET (self->day));
  else
    stint_stack_show (self->stack, GTK_WIDGET (any ? (gpointer) self->view : (gpointer) self->empty_label));
  update_status (self);
}

static StintHistoryGroup
get_group (StintHistoryPage *self)
{
  if (g_str_equal (self->group, "day"))
    return STINT_GROUP_DAY;
  if (g_str_equal (self->group, "directory"))
    return STINT_GROUP_DIRECTORY;
  return g_str_equal (self->group, "command") ? STINT_GROUP_COMMAND : STINT_GROUP_NONE;
}

/* What cannot be understood is said, and the last list stays: one is still typing. */
static void
search (StintHistoryPage *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse (
      gtk_editable_get_text (self->search_entry), g_get_real_time (), &error);
  StintHistorySort sort = STINT_SORT_NEWEST;

  gtk_label_set_label (self->mistake_label, error != NULL ? error->message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->mistake_label), error != NULL);
  if (query == NULL || self->model == NULL)
    return;
  self->searched = TRUE;
  stint_history_sort_from_nick (self->sort, &sort);
  stint_history_view_set_sort (self->view, self->sort);
  stint_history_model_search (self->model, query, sort, get_group (self));
  stint_history_day_set_query (self->day, query);
}

static void
on_search_changed (StintHistoryPage *self)
{
  search (self);
}

static gboolean
refresh (gpointer user_data)
{
  StintHistoryPage *self = user_data;

  self->refresh_source = 0;
  if (self->model != NULL)
    stint_history_model_refresh (self->model);
  stint_history_day_refresh (self->day);
  return G_SOURCE_REMOVE;
}

/* Nobody looks: it is done when somebody does. */
static void
on_changed (StintHistoryPage *self)
{
  if (self->refresh_source == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->refresh_source = g_timeout_add (REFRESH_DELAY, refresh, self);
}

static void
on_index_progress (StintHistoryPage *self, guint64 done, guint64 total)
{
  gboolean finished = done == total && self->index_done < self->index_total;

  self->index_done = done;
  self->index_total = total;
  update_status (self);
  /* More is found now. */
  if (finished)
    on_changed (self);
}

static void
on_pruned (StintHistoryPage *self, guint n_jobs, guint64 bytes)
{
  g_autofree char *size = g_format_size (bytes);
  g_autofree char *text = NULL;

  text = g_strdup_printf (
      /* Translators: what the limits of the history have taken; and how much space that was. */
      g_dngettext (GETTEXT_PACKAGE, "%u old job was removed (%s)", "%u old jobs were removed (%s)",
                   n_jobs),
      n_jobs, size);
  adw_toast_overlay_add_toast (self->toasts, stint_toast_new (text));
}

static void
on_failed (StintHistoryPage *self, GError *error)
{
  stint_history_page_emit_problem (self, _ ("The history cannot be searched"), error);
}

/* One that is no more, or of a day with more jobs than are shown. */
static void
on_not_on_timeline (StintHistoryPage *self)
{
  adw_toast_overlay_add_toast (self->toasts,
                               stint_toast_new (_ ("The job is not among those on this timeline")));
}

static void
on_timeline_toggled (StintHistoryPage *self)
{
  gboolean active = gtk_toggle_button_get_active (self->timeline_button);

  gtk_widget_set_sensitive (GTK_WIDGET (self->view_button), !active);
  update (self);
}

void
stint_history_page_emit_problem (StintHistoryPage *self, const char *title, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, title, error);
}

void
stint_history_page_emit_beside (StintHistoryPage *self, StintJob *job)
{
  g_signal_emit (self, signals[SHOW_BESIDE], 0, job);
}

void
stint_history_page_emit_spec (StintHistoryPage *self, gboolean edit, StintJobSpec *spec)
{
  g_signal_emit (self, signals[edit ? EDIT : START], 0, spec);
}

StintJob *
stint_history_page_find_live (StintHistoryPage *self, guint64 id)
{
  guint n_entries = self->board != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->board)) : 0;
  g_autoptr (StintJob) job = self->jobs != NULL ? stint_job_list_lookup (self->jobs, id) : NULL;

  /* The board has those that were opened here, too. */
  for (guint i = 0; job == NULL && i < n_entries; i++)
    {
      g_autoptr (StintJobEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->board), i);

      if (stint_job_get_id (stint_job_entry_get_job (entry)) == id)
        g_set_object (&job, stint_job_entry_get_job (entry));
    }
  return job;
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryPage) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = stint_history_find_job_finish (STINT_HISTORY (source), result, &error);

  if (job != NULL)
    g_signal_emit (self, signals[SHOW_JOB], 0, job);
  else
    stint_history_page_emit_problem (self, _ ("The job cannot be opened"), error);
}

void
stint_history_page_open (StintHistoryPage *self, guint64 id)
{
  StintJob *job;

  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));

  job = stint_history_page_find_live (self, id);

  if (job != NULL)
    g_signal_emit (self, signals[SHOW_JOB], 0, job);
  else if (self->history != NULL)
    stint_history_find_job_async (self->history, id, on_found, g_object_ref (self));
}

static void
on_view_sort (StintHistoryPage *self, const char *nick)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "history.sort", "s", nick);
}

StintHistoryRow *
stint_history_page_get_focused (StintHistoryPage *self)
{
  return stint_history_view_get_focused (self->view);
}

/* Menu and Shift+F10 on a row. */
static gboolean
popup_row_menu (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintHistoryRow *row = stint_history_page_get_focused (STINT_HISTORY_PAGE (widget));

  return row != NULL && stint_history_row_popup (row);
}

/* Delete on a row. One that has not been read yet, or still runs, stays. */
static gboolean
remove_row (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintHistoryRow *row = stint_history_page_get_focused (STINT_HISTORY_PAGE (widget));
  StintHistoryItem *item = row != NULL ? stint_history_row_get_item (row) : NULL;
  const StintEntry *entry = item != NULL ? stint_history_item_get_entry (item) : NULL;

  if (entry == NULL)
    return FALSE;
  if (entry->running)
    gtk_widget_error_bell (widget);
  else
    gtk_widget_activate_action (widget, "history.remove", "t", entry->id);
  return TRUE;
}

static void
stint_history_page_map (GtkWidget *widget)
{
  StintHistoryPage *self = STINT_HISTORY_PAGE (widget);

  GTK_WIDGET_CLASS (stint_history_page_parent_class)->map (widget);
  /* Also of what other programs have run meanwhile. */
  if (self->searched)
    stint_history_model_refresh (self->model);
  else
    search (self);
  if (self->history != NULL)
    stint_history_page_update_saved (self);
}

static void
stint_history_page_dispose (GObject *object)
{
  StintHistoryPage *self = STINT_HISTORY_PAGE (object);
  GtkWidget *child;

  g_clear_handle_id (&self->refresh_source, g_source_remove);
  if (self->model != NULL)
    g_signal_handlers_disconnect_by_data (self->model, self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->model);
  g_clear_object (&self->history);
  g_clear_object (&self->jobs);
  g_clear_object (&self->board);
  g_clear_object (&self->actions);
  g_clear_object (&self->settings);
  g_clear_pointer (&self->sort, g_free);
  g_clear_pointer (&self->group, g_free);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_HISTORY_PAGE);

  G_OBJECT_CLASS (stint_history_page_parent_class)->dispose (object);
}

static gboolean
stint_history_page_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_HISTORY_PAGE (widget)->search_entry));
}

static void
stint_history_page_class_init (StintHistoryPageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_history_page_dispose;
  widget_class->grab_focus = stint_history_page_grab_focus;
  widget_class->map = stint_history_page_map;

  signals[SHOW_JOB] = g_signal_new ("show-job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[SHOW_BESIDE] = g_signal_new ("show-beside", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                       G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[EDIT] = g_signal_new ("edit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, STINT_TYPE_JOB_SPEC);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_ERROR);

  g_type_ensure (STINT_TYPE_HISTORY_VIEW);
  g_type_ensure (STINT_TYPE_HISTORY_DAY);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, toasts);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, saved_button);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, view_button);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, timeline_button);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, mistake_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, stack);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, empty_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, view);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, columns_section);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, day);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, status_label);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, stint_history_page_open);
  gtk_widget_class_bind_template_callback (widget_class, on_view_sort);
  gtk_widget_class_bind_template_callback (widget_class, on_timeline_toggled);
  gtk_widget_class_bind_template_callback (widget_class, on_failed);
  gtk_widget_class_bind_template_callback (widget_class, on_not_on_timeline);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Menu, 0, popup_row_menu, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, popup_row_menu, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_Delete, 0, remove_row, NULL);
  gtk_widget_class_add_binding (widget_class, GDK_KEY_KP_Delete, 0, remove_row, NULL);
  gtk_widget_class_set_css_name (widget_class, "historypage");
}

/* @value: (nullable): how it is to be from now on, a word of an action, if the action has it. */
static void
choose (StintHistoryPage *self, const char *action, char **kept, const char *value)
{
  if (value == NULL)
    return;
  g_free (*kept);
  *kept = g_strdup (value);
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->actions), action)),
      g_variant_new_string (value));
}

static void
on_sort (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  choose (self, "sort", &self->sort, g_variant_get_string (parameter, NULL));
  if (self->settings != NULL)
    g_object_set (self->settings, "history-sort", self->sort, NULL);
  search (self);
}

static void
on_group (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintHistoryPage *self = user_data;

  choose (self, "group", &self->group, g_variant_get_string (parameter, NULL));
  if (self->settings != NULL)
    g_object_set (self->settings, "history-group", self->group, NULL);
  search (self);
}

static void
stint_history_page_init (StintHistoryPage *self)
{
  static const GActionEntry entries[] = {
    { .name = "sort", .activate = on_sort, .parameter_type = "s", .state = "'newest'" },
    { .name = "group", .activate = on_group, .parameter_type = "s", .state = "'day'" },
  };
  StintHistoryColumns *columns;

  self->sort = g_strdup ("newest");
  self->group = g_strdup ("day");
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  stint_history_page_add_actions (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "history", G_ACTION_GROUP (self->actions));
  gtk_widget_init_template (GTK_WIDGET (self));
  columns = stint_history_view_get_columns (self->view);
  stint_history_columns_add_actions (columns, G_ACTION_MAP (self->actions));
  g_menu_append_submenu (self->columns_section, _ ("Columns"),
                         stint_history_columns_get_menu (columns));
  update (self);
}

void
stint_history_page_set_settings (StintHistoryPage *self, StintSettings *settings)
{
  StintHistoryColumns *columns;

  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (STINT_IS_SETTINGS (settings));

  g_set_object (&self->settings, settings);
  choose (self, "sort", &self->sort, stint_settings_get_history_sort (settings));
  choose (self, "group", &self->group, stint_settings_get_history_group (settings));
  columns = stint_history_view_get_columns (self->view);
  g_object_bind_property (settings, "history-columns", columns, "columns",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  g_object_bind_property (settings, "history-column-widths", columns, "widths",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  if (self->searched)
    search (self);
}

void
stint_history_page_set_jobs (StintHistoryPage *self, StintJobList *jobs)
{
  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (STINT_IS_JOB_LIST (jobs));

  g_set_object (&self->jobs, jobs);
}

void
stint_history_page_set_board (StintHistoryPage *self, StintJobBoard *board)
{
  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (STINT_IS_JOB_BOARD (board));

  g_set_object (&self->board, board);
}

void
stint_history_page_set_history (StintHistoryPage *self, StintHistory *history)
{
  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (STINT_IS_HISTORY (history));
  g_return_if_fail (self->history == NULL);

  self->history = g_object_ref (history);
  self->model = stint_history_model_new (stint_history_get_directory (history));
  stint_history_view_set_model (self->view, self->model);
  g_signal_connect_swapped (self->model, "items-changed", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->model, "notify::busy", G_CALLBACK (update), self);
  g_signal_connect_swapped (self->model, "failed", G_CALLBACK (on_failed), self);
  g_signal_connect_object (self->model, "index-lost", G_CALLBACK (stint_history_index_again),
                           history, G_CONNECT_SWAPPED);
  g_signal_connect_object (history, "changed", G_CALLBACK (on_changed), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (history, "pruned", G_CALLBACK (on_pruned), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (history, "index-progress", G_CALLBACK (on_index_progress), self,
                           G_CONNECT_SWAPPED);
  stint_history_day_set_history (self->day, history);
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    search (self);
}

void
stint_history_page_search (StintHistoryPage *self, const char *text)
{
  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (text != NULL);

  gtk_editable_set_text (self->search_entry, text);
}
