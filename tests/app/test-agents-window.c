/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window with all agents: with none installed it says how to get one; one that is there can be
 * started, and what is started is in the directory that was asked for.
 */
#include "stint-agent-session.h"
#include "stint-agents-window.h"
#include "stint-resources.h"

#include "engine-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct
{
  char *directory;
  char *file;
  StintJobList *jobs;
  StintAgentProfiles *profiles;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  fixture->file = g_build_filename (fixture->directory, "agents.json", NULL);
  fixture->jobs = fixture_list ();
  fixture->profiles = stint_agent_profiles_new (fixture->file);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_object_unref (fixture->profiles);
  g_object_unref (fixture->jobs);
  g_unlink (fixture->file);
  g_rmdir (fixture->directory);
  g_free (fixture->file);
  g_free (fixture->directory);
}

/* (nullable): a label or a button with this text. */
static GtkWidget *
find_text (GtkWidget *widget, const char *text)
{
  const char *shown = GTK_IS_LABEL (widget)    ? gtk_label_get_text (GTK_LABEL (widget))
                      : GTK_IS_BUTTON (widget) ? gtk_button_get_label (GTK_BUTTON (widget))
                                               : NULL;

  if (shown != NULL && strstr (shown, text) != NULL)
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_text (child, text);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkWidget *
new_window (Fixture *fixture, const char *directory)
{
  GtkWidget *window = stint_agents_window_new (NULL, fixture->jobs, fixture->profiles, directory);

  gtk_window_present (GTK_WINDOW (window));
  return window;
}

static void
test_none_is_installed (Fixture *fixture, gconstpointer data)
{
  GtkWidget *window = new_window (fixture, fixture->directory);

  g_assert_nonnull (find_text (window, "No agent is installed"));
  g_assert_nonnull (find_text (window, "npm install"));
  g_assert_null (find_text (window, "_Start"));
  gtk_window_destroy (GTK_WINDOW (window));
}

static void
on_start (StintJobSpec **start, StintJobSpec *spec)
{
  g_set_object (start, spec);
}

static void
test_one_is_started (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintAgentProfile) profile = stint_agent_profile_new ("mine", "Mine", "/bin/cat");
  g_autoptr (StintJobSpec) spec = NULL;
  GtkWidget *window;

  stint_agent_profiles_add (fixture->profiles, profile);
  window = new_window (fixture, fixture->directory);
  g_assert_null (find_text (window, "No agent is installed"));
  g_signal_connect_swapped (window, "start", G_CALLBACK (on_start), &spec);
  g_signal_emit_by_name (find_text (window, "_Start"), "clicked");
  g_assert_nonnull (spec);
  g_assert_true (stint_job_spec_get_session (spec));
  g_assert_cmpstr (stint_job_spec_get_argv (spec)[0], ==, "/bin/cat");
  g_assert_cmpstr (stint_job_spec_get_name (spec), ==, "Mine");
  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, fixture->directory);
}

/* Said, and nothing is started. */
static void
test_wrong_directory (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintAgentProfile) profile = stint_agent_profile_new ("mine", "Mine", "/bin/cat");
  GtkWidget *window;

  stint_agent_profiles_add (fixture->profiles, profile);
  window = new_window (fixture, "/nonexistent/directory");
  g_signal_emit_by_name (find_text (window, "_Start"), "clicked");
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (fixture->jobs)), ==, 0);
  gtk_window_destroy (GTK_WINDOW (window));
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  /* No agent is in an empty place. */
  g_setenv ("PATH", "/nonexistent", TRUE);
  g_test_add ("/agents-window/none-is-installed", Fixture, NULL, set_up, test_none_is_installed, tear_down);
  g_test_add ("/agents-window/one-is-started", Fixture, NULL, set_up, test_one_is_started, tear_down);
  g_test_add ("/agents-window/wrong-directory", Fixture, NULL, set_up, test_wrong_directory, tear_down);
  return g_test_run ();
}
