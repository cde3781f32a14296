/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Everything that went wrong, the newest first: to read, to copy, to forget. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-problems-window.h"

#include "stint-clipboard.h"
#include "stint-problem-dialog.h"
#include "stint-stack.h"

#include <glib/gi18n.h>

struct _StintProblemsWindow
{
  AdwWindow parent_instance;

  /* Template widgets */
  GtkWidget *clear_button;
  GtkWidget *copy_button;
  GtkStack *stack;
  GtkWidget *scroller;
  GtkListBox *list;
  GtkWidget *empty;

  /* Owned */
  StintProblems *problems;
};

G_DEFINE_FINAL_TYPE (StintProblemsWindow, stint_problems_window, ADW_TYPE_WINDOW)

static int
compare_newest_first (gconstpointer a, gconstpointer b, gpointer user_data)
{
  gint64 first = stint_problem_get_time ((StintProblem *) a);
  gint64 second = stint_problem_get_time ((StintProblem *) b);

  return first > second ? -1 : first < second;
}

/* (transfer full): "14:03". */
static char *
dup_time (StintProblem *problem)
{
  g_autoptr (GDateTime) time =
      g_date_time_new_from_unix_local (stint_problem_get_time (problem) / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%H:%M") : g_strdup ("");
}

static void
copy (GtkWidget *widget, const char *text)
{
  stint_clipboard_offer_text (gtk_widget_get_clipboard (widget), text);
}

static void
on_copy (GtkWidget *button, StintProblem *problem)
{
  g_autofree char *text = stint_problem_dup_text (problem);

  copy (button, text);
}

static GtkWidget *
new_row (gpointer item, gpointer user_data)
{
  StintProblem *problem = STINT_PROBLEM (item);
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *button = gtk_button_new_from_icon_name ("edit-copy-symbolic");
  g_autofree char *time = dup_time (problem);
  GtkWidget *label = gtk_label_new (time);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), stint_problem_get_title (problem));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), stint_problem_get_details (problem));
  adw_action_row_set_title_lines (ADW_ACTION_ROW (row), 2);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 3);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  gtk_widget_add_css_class (label, "dim-label");
  gtk_widget_add_css_class (label, "numeric");
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, _ ("Copy"));
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Copy"), -1);
  g_signal_connect_data (button, "clicked", G_CALLBACK (on_copy), g_object_ref (problem),
                         (GClosureNotify) (void (*) (void)) g_object_unref, G_CONNECT_DEFAULT);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), label);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), button);
  g_object_set_data_full (G_OBJECT (row), "problem", g_object_ref (problem), g_object_unref);
  return row;
}

static void
on_row_activated (StintProblemsWindow *self, GtkListBoxRow *row)
{
  stint_problem_dialog_present (g_object_get_data (G_OBJECT (row), "problem"), GTK_WINDOW (self));
}

static void
on_clear (StintProblemsWindow *self)
{
  stint_problems_clear (self->problems);
}

static void
on_copy_all (StintProblemsWindow *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_problems = g_list_model_get_n_items (G_LIST_MODEL (self->problems));

  for (guint i = 0; i < n_problems; i++)
    {
      g_autoptr (StintProblem) problem = g_list_model_get_item (G_LIST_MODEL (self->problems), i);
      g_autofree char *one = stint_problem_dup_text (problem);

      g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", one);
    }
  copy (GTK_WIDGET (self), text->str);
}

static void
update (StintProblemsWindow *self)
{
  gboolean any = g_list_model_get_n_items (G_LIST_MODEL (self->problems)) > 0;

  gtk_widget_set_sensitive (self->clear_button, any);
  gtk_widget_set_sensitive (self->copy_button, any);
  stint_stack_show (self->stack, any ? self->scroller : self->empty);
}

static void
stint_problems_window_dispose (GObject *object)
{
  StintProblemsWindow *self = STINT_PROBLEMS_WINDOW (object);

  g_clear_object (&self->problems);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PROBLEMS_WINDOW);

  G_OBJECT_CLASS (stint_problems_window_parent_class)->dispose (object);
}

static void
stint_problems_window_class_init (StintProblemsWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_problems_window_dispose;

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-problems-window.ui");
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, clear_button);
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, copy_button);
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, stack);
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, list);
  gtk_widget_class_bind_template_child (widget_class, StintProblemsWindow, empty);
  gtk_widget_class_bind_template_callback (widget_class, on_clear);
  gtk_widget_class_bind_template_callback (widget_class, on_copy_all);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
}

static void
stint_problems_window_init (StintProblemsWindow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

StintProblemsWindow *
stint_problems_window_new (GtkWindow *parent, StintProblems *problems)
{
  StintProblemsWindow *self;
  g_autoptr (GtkSortListModel) sorted = NULL;

  g_return_val_if_fail (parent == NULL || GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_PROBLEMS (problems), NULL);

  self = g_object_new (STINT_TYPE_PROBLEMS_WINDOW, "transient-for", parent, NULL);
  self->problems = g_object_ref (problems);
  sorted = gtk_sort_list_model_new (
      G_LIST_MODEL (g_object_ref (problems)),
      GTK_SORTER (gtk_custom_sorter_new (compare_newest_first, NULL, NULL)));
  gtk_list_box_bind_model (self->list, G_LIST_MODEL (sorted), new_row, NULL, NULL);
  g_signal_connect_object (problems, "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}
