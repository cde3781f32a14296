/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What went wrong: kept, told once, listed with the newest first, copied and forgotten.
 */
#include "config.h"

#include "stint-problems-window.h"
#include "stint-resources.h"

#include "engine-fixture.h"

static void
raise_problem (StintProblems *problems, const char *title, const char *details)
{
  g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_FAILED, details);

  stint_problems_raise (problems, title, error);
}

static StintProblem *
get (StintProblems *problems, guint position)
{
  g_autoptr (StintProblem) problem = g_list_model_get_item (G_LIST_MODEL (problems), position);

  return problem;
}

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, guint *n_removed)
{
  *n_removed += removed;
}

static void
test_kept_and_cleared (void)
{
  g_autoptr (StintProblems) problems = stint_problems_new ();
  g_autofree char *text = NULL;
  guint n_removed = 0;

  raise_problem (problems, "First", "went\x1b[31m wrong");
  /* The same cause, met again. */
  raise_problem (problems, "Second", "went\x1b[31m wrong");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (problems)), ==, 1);
  raise_problem (problems, "Third", "otherwise");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (problems)), ==, 2);
  text = stint_problem_dup_text (get (problems, 0));
  g_assert_nonnull (strstr (text, "First\nwent"));
  g_assert_null (strchr (text, '\x1b'));
  g_assert_cmpint (stint_problem_get_time (get (problems, 0)), <=,
                   stint_problem_get_time (get (problems, 1)));

  g_signal_connect (problems, "items-changed", G_CALLBACK (on_items_changed), &n_removed);
  stint_problems_clear (problems);
  stint_problems_clear (problems);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (problems)), ==, 0);
  g_assert_cmpuint (n_removed, ==, 2);
}

typedef gboolean (*WidgetTest) (GtkWidget *widget, gconstpointer data);

static GtkWidget *
find (GtkWidget *widget, WidgetTest test, gconstpointer data)
{
  if (test (widget, data))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find (child, test, data);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
has_tooltip (GtkWidget *widget, gconstpointer tooltip)
{
  return GTK_IS_BUTTON (widget) && g_strcmp0 (gtk_widget_get_tooltip_text (widget), tooltip) == 0;
}

static gboolean
is_row (GtkWidget *widget, gconstpointer data)
{
  return ADW_IS_ACTION_ROW (widget);
}

static gboolean
is_list (GtkWidget *widget, gconstpointer data)
{
  return GTK_IS_LIST_BOX (widget);
}

static gboolean
shows_nothing (GtkWidget *widget, gconstpointer data)
{
  return ADW_IS_STATUS_PAGE (widget) && gtk_widget_get_mapped (widget);
}

static void
test_window (void)
{
  g_autofree char *long_word = g_strnfill (500, 'x');
  g_autoptr (StintProblems) problems = stint_problems_new ();
  StintProblemsWindow *window;
  GtkWidget *row;
  int minimum;

  raise_problem (problems, "Old <b>", "with & markup");
  /* The list is in the order of their times. */
  while (g_get_real_time () <= stint_problem_get_time (get (problems, 0)))
    ;
  raise_problem (problems, "New", long_word);
  window = stint_problems_window_new (NULL, problems);
  gtk_window_present (GTK_WINDOW (window));
  wait_until (gtk_widget_get_mapped (GTK_WIDGET (window)));

  row = find (find (GTK_WIDGET (window), is_list, NULL), is_row, NULL);
  g_assert_cmpstr (adw_preferences_row_get_title (ADW_PREFERENCES_ROW (row)), ==, "New");
  gtk_widget_measure (GTK_WIDGET (window), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL,
                      NULL);
  /* With the shadow that a window without a window manager draws around itself. */
  g_assert_cmpint (minimum, <=, 360 + 40);

  gtk_widget_activate (find (GTK_WIDGET (window), has_tooltip, "Forget All Problems"));
  wait_until (find (GTK_WIDGET (window), shows_nothing, NULL) != NULL);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (problems)), ==, 0);
  g_assert_false (
      gtk_widget_is_sensitive (find (GTK_WIDGET (window), has_tooltip, "Forget All Problems")));
  g_object_add_weak_pointer (G_OBJECT (window), (gpointer *) &window);
  gtk_window_destroy (GTK_WINDOW (window));
  wait_until (window == NULL);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());

  g_test_add_func ("/problems/kept-and-cleared", test_kept_and_cleared);
  g_test_add_func ("/problems/window", test_window);

  return g_test_run ();
}
