/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is dropped on the window: a folder, a program, a script, another file; and that a dialog comes
 * with it before anything runs.
 */
#include "stint-dropped.h"
#include "stint-new-job-dialog.h"

#include "window-fixture.h"

#include <glib/gstdio.h>

typedef struct
{
  char *directory;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;

  fixture->directory = g_dir_make_tmp ("stint dropped-XXXXXX", &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) names = g_dir_open (fixture->directory, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (names)) != NULL)
    {
      g_autofree char *path = g_build_filename (fixture->directory, name, NULL);

      g_unlink (path);
    }
  g_rmdir (fixture->directory);
  g_free (fixture->directory);
}

/* (transfer full): a file in the directory. */
static GFile *
make_file (Fixture *fixture, const char *name, int mode)
{
  g_autofree char *path = g_build_filename (fixture->directory, name, NULL);
  g_autoptr (GError) error = NULL;

  g_file_set_contents_full (path, "#!/bin/sh\n", -1, G_FILE_SET_CONTENTS_NONE, mode, &error);
  g_assert_no_error (error);
  return g_file_new_for_path (path);
}

static void
test_files (Fixture *fixture, gconstpointer data)
{
  static const struct
  {
    const char *name;
    int mode;
    const char *argv[3];
  } files[] = {
    { "build.sh", 0755, { "./build.sh" } },
    { "two words", 0755, { "./two words" } },
    /* Nobody may execute it: it is given to who can run it. */
    { "plain.sh", 0644, { "sh", "plain.sh" } },
    { "plain.py", 0644, { "python3", "plain.py" } },
    /* No program at all: an argument of something to come. */
    { "notes.txt", 0644, { "notes.txt" } },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    {
      g_autoptr (GFile) file = make_file (fixture, files[i].name, files[i].mode);
      g_autoptr (StintJobSpec) spec = stint_dropped_dup_spec (file);

      g_assert_nonnull (spec);
      g_assert_cmpint (stint_job_spec_get_kind (spec), ==, STINT_JOB_KIND_TERMINAL);
      g_assert_cmpstrv (stint_job_spec_get_argv (spec), files[i].argv);
      g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, fixture->directory);
    }
}

static void
test_folder (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) folder = g_file_new_for_path (fixture->directory);
  g_autoptr (StintJobSpec) spec = stint_dropped_dup_spec (folder);

  g_assert_cmpstr (stint_job_spec_get_directory (spec), ==, fixture->directory);
  g_assert_cmpstr (stint_job_spec_get_shell_line (spec), ==, "");
}

static void
test_no_path (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_uri ("https://example.org/build.sh");

  g_assert_null (stint_dropped_dup_spec (file));
}

/* As GTK calls it when a button is let go over the window. Returns: whether it was taken. */
static gboolean
drop (GtkWidget *window, GFile *file)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (window);
  g_auto (GValue) value = G_VALUE_INIT;
  GdkFileList *files = gdk_file_list_new_from_array (&file, 1);
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, files);
  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !taken; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_DROP_TARGET (controller))
        g_signal_emit_by_name (controller, "drop", &value, 10.0, 10.0, &taken);
    }
  return taken;
}

static gboolean
holds_text (GtkWidget *widget, gpointer text)
{
  return GTK_IS_TEXT (widget) && gtk_widget_get_mapped (widget) &&
         g_strcmp0 (gtk_editable_get_text (GTK_EDITABLE (widget)), text) == 0;
}

static void
test_on_the_window (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) script = make_file (fixture, "build.sh", 0755);
  g_autoptr (GFile) far_away = g_file_new_for_uri ("https://example.org/build.sh");
  WindowFixture window;
  GtkWindow *dialog;

  window_fixture_set_up (&window, 1000);
  g_assert_false (drop (GTK_WIDGET (window.window), far_away));
  g_assert_null (window_fixture_find_dialog (window.window));

  g_assert_true (drop (GTK_WIDGET (window.window), script));
  wait_until (window_fixture_find_dialog (window.window) != NULL);
  dialog = window_fixture_find_dialog (window.window);
  g_assert_true (STINT_IS_NEW_JOB_DIALOG (dialog));
  g_assert_nonnull (window_fixture_find (GTK_WIDGET (dialog), holds_text, (gpointer) "./build.sh"));
  g_assert_nonnull (window_fixture_find (GTK_WIDGET (dialog), holds_text, fixture->directory));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (window.jobs)), ==, 0);
  gtk_window_destroy (dialog);
  window_fixture_tear_down (&window);
}

int
main (int argc, char **argv)
{
  window_fixture_init (&argc, &argv);

#define ADD(path, test) g_test_add (path, Fixture, NULL, set_up, test, tear_down)
  ADD ("/app/dropped/files", test_files);
  ADD ("/app/dropped/folder", test_folder);
  ADD ("/app/dropped/no-path", test_no_path);
  ADD ("/app/dropped/on-the-window", test_on_the_window);
#undef ADD
  return window_fixture_run ();
}
