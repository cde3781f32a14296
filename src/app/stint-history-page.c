/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The jobs that have ended, the newest first, and an entry to find one by name or command. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-page.h"

#include "stint-job-entry-private.h"
#include "stint-job-row.h"
#include "stint-stack.h"

#include <glib/gi18n.h>

struct _StintHistoryPage
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkEditable *search_entry;
  GtkStack *stack;
  GtkLabel *empty_label;
  GtkWidget *scroller;
  GtkListView *list_view;

  /* Owned */
  StintJobList *jobs;
  GHashTable *entries; /* StintJob → StintJobEntry: what they are found by */
  GtkFilter *filter;
  GListModel *shown; /* of StintJob */
  char **words;      /* (nullable) */
};

G_DEFINE_FINAL_TYPE (StintHistoryPage, stint_history_page, GTK_TYPE_WIDGET)

enum
{
  SHOW_JOB,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
is_shown (gpointer item, gpointer user_data)
{
  StintHistoryPage *self = user_data;
  StintJob *job = item;
  StintJobEntry *entry;

  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    return FALSE;
  if (self->words == NULL)
    return TRUE;
  entry = g_hash_table_lookup (self->entries, job);
  if (entry == NULL)
    {
      entry = stint_job_entry_new (job);
      g_hash_table_insert (self->entries, job, entry);
    }
  return stint_job_entry_matches (entry, (const char *const *) self->words);
}

static void
update (StintHistoryPage *self)
{
  gboolean any = g_list_model_get_n_items (self->shown) > 0;

  gtk_label_set_label (self->empty_label,
                       self->words != NULL ? _ ("Nothing found") : _ ("Nothing has ended yet"));
  stint_stack_show (self->stack, any ? self->scroller : GTK_WIDGET (self->empty_label));
}

static void
on_n_active (StintHistoryPage *self)
{
  gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  update (self);
}

static void
on_search_changed (StintHistoryPage *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  g_clear_pointer (&self->words, g_strfreev);
  if (*text != '\0')
    self->words = stint_job_entry_fold (text);
  if (self->filter != NULL)
    on_n_active (self);
}

static void
on_row_activated (StintHistoryPage *self, guint position)
{
  g_autoptr (StintJob) job = g_list_model_get_item (self->shown, position);

  if (job != NULL)
    g_signal_emit (self, signals[SHOW_JOB], 0, job);
}

static void
stint_history_page_dispose (GObject *object)
{
  StintHistoryPage *self = STINT_HISTORY_PAGE (object);
  GtkWidget *child;

  if (self->shown != NULL)
    g_signal_handlers_disconnect_by_data (self->shown, self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->shown);
  g_clear_object (&self->filter);
  g_clear_pointer (&self->entries, g_hash_table_unref);
  g_clear_pointer (&self->words, g_strfreev);
  g_clear_object (&self->jobs);
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

  G_OBJECT_CLASS (klass)->dispose = stint_history_page_dispose;
  widget_class->grab_focus = stint_history_page_grab_focus;

  signals[SHOW_JOB] = g_signal_new ("show-job", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB);

  g_type_ensure (STINT_TYPE_JOB_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, search_entry);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, stack);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, empty_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryPage, list_view);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_set_css_name (widget_class, "historypage");
}

static void
stint_history_page_init (StintHistoryPage *self)
{
  self->entries = g_hash_table_new_full (NULL, NULL, NULL, g_object_unref);
  gtk_widget_init_template (GTK_WIDGET (self));
}

void
stint_history_page_set_jobs (StintHistoryPage *self, StintJobList *jobs)
{
  GtkSelectionModel *selection;

  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (STINT_IS_JOB_LIST (jobs));
  g_return_if_fail (self->jobs == NULL);

  self->jobs = g_object_ref (jobs);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_shown, self, NULL));
  self->shown = G_LIST_MODEL (
      gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (jobs)), g_object_ref (self->filter)));
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (self->shown)));
  gtk_list_view_set_model (self->list_view, selection);
  g_object_unref (selection);
  g_signal_connect_swapped (self->shown, "items-changed", G_CALLBACK (update), self);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (on_n_active), self,
                           G_CONNECT_SWAPPED);
  update (self);
}

void
stint_history_page_search (StintHistoryPage *self, const char *text)
{
  g_return_if_fail (STINT_IS_HISTORY_PAGE (self));
  g_return_if_fail (text != NULL);

  gtk_editable_set_text (self->search_entry, text);
}
