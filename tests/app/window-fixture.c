/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "config.h"

#include "window-fixture.h"

#include "stint-resources.h"

static AdwApplication *application;

void
window_fixture_init (int *argc, char ***argv)
{
  g_test_init (argc, argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  application = adw_application_new ("io.github.stint.Test", G_APPLICATION_NON_UNIQUE);
  /* With the style of the program. */
  g_application_set_resource_base_path (G_APPLICATION (application), "/io/github/stint/Stint");
  g_application_register (G_APPLICATION (application), NULL, NULL);
  /* AdwLeaflet 1.2 leaks a page's picture when it is folded and slides from one page to another. */
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
}

int
window_fixture_run (void)
{
  int status = g_test_run ();

  g_clear_object (&application);
  return status;
}

AdwApplication *
window_fixture_get_application (void)
{
  return application;
}

void
window_fixture_reopen (WindowFixture *self)
{
  g_assert_null (self->window);
  self->window = stint_window_new (application, self->jobs, self->board, self->settings,
                                   self->problems);
  g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *) &self->window);
  gtk_window_present (GTK_WINDOW (self->window));
  wait_until (gtk_widget_get_width (GTK_WIDGET (self->window)) > 0);
}

void
window_fixture_set_up_with (WindowFixture *self, int width, StintJobList *jobs)
{
  self->jobs = jobs;
  self->board = stint_job_board_new (jobs);
  self->settings = stint_settings_new ();
  stint_settings_set_window (self->settings, width, 600, FALSE);
  self->problems = stint_problems_new ();
  self->window = NULL;
  window_fixture_reopen (self);
}

void
window_fixture_set_up (WindowFixture *self, int width)
{
  window_fixture_set_up_with (self, width, fixture_list ());
}

void
window_fixture_tear_down (WindowFixture *self)
{
  g_autoptr (GPtrArray) active = stint_job_list_dup_active (self->jobs);

  if (self->window != NULL)
    gtk_window_destroy (GTK_WINDOW (self->window));
  wait_until (self->window == NULL);
  for (guint i = 0; i < active->len; i++)
    stint_job_kill (active->pdata[i]);
  fixture_wait_for_all (self->jobs);
  g_clear_object (&self->problems);
  g_clear_object (&self->settings);
  g_clear_object (&self->board);
  g_clear_object (&self->jobs);
}

StintJob *
window_fixture_start (WindowFixture *self, StintJobKind kind, const char *line)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (kind, line);

  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  stint_job_spec_set_timeout (spec, G_GINT64_CONSTANT (3600) * G_USEC_PER_SEC);
  return fixture_submit (self->jobs, spec);
}

StintJob *
window_fixture_show (WindowFixture *self, StintJobKind kind, const char *line)
{
  StintJob *job = window_fixture_start (self, kind, line);

  stint_window_show_job (self->window, job);
  return job;
}

void
window_fixture_activate (WindowFixture *self, const char *action)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (self->window), action, NULL));
}

GtkWidget *
window_fixture_find (GtkWidget *widget, WidgetTest test, gpointer data)
{
  if (test (widget, data))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = window_fixture_find (child, test, data);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static gboolean
is_of_type (GtkWidget *widget, gpointer data)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (widget, *(GType *) data) && gtk_widget_get_mapped (widget);
}

GtkWidget *
window_fixture_find_type (GtkWidget *widget, GType type)
{
  return window_fixture_find (widget, is_of_type, &type);
}

static gboolean
says (GtkWidget *widget, gpointer data)
{
  return GTK_IS_LABEL (widget) && gtk_widget_get_mapped (widget) &&
         g_str_has_prefix (gtk_label_get_text (GTK_LABEL (widget)), data);
}

GtkWidget *
window_fixture_find_text (GtkWidget *widget, const char *text)
{
  return window_fixture_find (widget, says, (gpointer) text);
}

GtkWindow *
window_fixture_find_dialog (gpointer window)
{
  g_autoptr (GList) windows = gtk_window_list_toplevels ();

  for (GList *link = windows; link != NULL; link = link->next)
    {
      if (link->data != window && gtk_widget_get_mapped (link->data) &&
          gtk_window_get_transient_for (link->data) == GTK_WINDOW (window))
        return link->data;
    }
  return NULL;
}
