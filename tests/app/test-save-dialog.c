/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the output of a job is saved as, that all of it arrives, and that nothing is left or lost when
 * it does not.
 */
#include "stint-resources.h"
#include "stint-save-dialog.h"

#include "engine-fixture.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* (transfer full): a job that has ended. */
static StintJob *
run_job (const char *line, const char *name)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  stint_job_spec_set_name (spec, name);
  return fixture_run (spec);
}

static void
assert_name (const char *title, StintExportFormat format, const char *expected)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("true");
  g_autoptr (StintJob) job = NULL;
  g_autofree char *name = NULL;

  stint_job_spec_set_name (spec, title);
  job = stint_job_new (spec, NULL);
  name = stint_save_suggest_name (job, format);
  g_assert_cmpstr (name, ==, expected);
}

static void
test_names (void)
{
  assert_name ("build", STINT_EXPORT_RAW, "build.log");
  assert_name ("build", STINT_EXPORT_TEXT, "build.txt");
  assert_name ("build", STINT_EXPORT_HTML, "build.html");
  assert_name ("build", STINT_EXPORT_ASCIICAST, "build.cast");
  assert_name ("make -C src/app all", STINT_EXPORT_TEXT, "make -C src-app all.txt");
  assert_name ("a\tb\nc\033[31m", STINT_EXPORT_TEXT, "a b c [31m.txt");
  assert_name ("../../etc/passwd", STINT_EXPORT_TEXT, "etc-passwd.txt");
  assert_name ("--help", STINT_EXPORT_TEXT, "help.txt");
  assert_name (".hidden", STINT_EXPORT_TEXT, "hidden.txt");
  assert_name ("~", STINT_EXPORT_TEXT, "output.txt");
  assert_name ("a | b > c", STINT_EXPORT_TEXT, "a - b - c.txt");
  assert_name ("what?", STINT_EXPORT_TEXT, "what.txt");
  assert_name ("/", STINT_EXPORT_TEXT, "output.txt");
  assert_name ("größer 🙂", STINT_EXPORT_TEXT, "größer 🙂.txt");
}

/* However long a title is, the name fits a file system, and no character is cut. */
static void
test_long_names (void)
{
  const char *const characters[] = { "x", "ü", "€", "🙂" };

  for (guint i = 0; i < G_N_ELEMENTS (characters); i++)
    {
      g_autoptr (GString) title = g_string_new (NULL);
      g_autoptr (StintJobSpec) spec = fixture_shell ("true");
      g_autoptr (StintJob) job = NULL;
      g_autofree char *name = NULL;

      while (title->len < 100 * 1000)
        g_string_append (title, characters[i]);
      stint_job_spec_set_name (spec, title->str);
      job = stint_job_new (spec, NULL);
      name = stint_save_suggest_name (job, STINT_EXPORT_HTML);
      g_assert_true (g_utf8_validate (name, -1, NULL));
      g_assert_true (g_str_has_suffix (name, ".html"));
      g_assert_cmpuint (strlen (name), <=, 140);
      g_assert_cmpuint (strlen (name), >, 50);
    }
}

/* A place for files. */
typedef struct
{
  char *directory;
  GFile *file;
} Place;

static void
place_init (Place *place)
{
  place->directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  place->file = g_file_new_build_filename (place->directory, "saved", NULL);
}

static char *
place_read (Place *place)
{
  char *contents = NULL;

  g_file_load_contents (place->file, NULL, &contents, NULL, NULL, NULL);
  return contents;
}

/* @n_files: how many must be there: nothing is left beside what was saved. */
static void
place_clear (Place *place, guint n_files)
{
  g_autoptr (GDir) directory = g_dir_open (place->directory, 0, NULL);
  const char *name;

  g_assert_nonnull (directory);
  while ((name = g_dir_read_name (directory)) != NULL)
    {
      g_autofree char *path = g_build_filename (place->directory, name, NULL);

      g_assert_cmpuint (n_files--, >, 0);
      g_unlink (path);
    }
  g_assert_cmpuint (n_files, ==, 0);
  g_rmdir (place->directory);
  g_free (place->directory);
  g_object_unref (place->file);
}

typedef struct
{
  gboolean done;
  GError *error;
  guint n_progress;
} Outcome;

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Outcome *outcome = user_data;

  g_assert_cmpint (stint_save_finish (STINT_JOB (source), result, &outcome->error), ==,
                   outcome->error == NULL);
  outcome->done = TRUE;
}

static void
on_progress (guint64 done, guint64 total, gpointer user_data)
{
  Outcome *outcome = user_data;

  g_assert_false (outcome->done);
  g_assert_cmpuint (done, <=, total);
  outcome->n_progress++;
}

static void
save (StintJob *job,
      StintExportFormat format,
      StintStreams streams,
      GFile *file,
      Outcome *outcome)
{
  *outcome = (Outcome){ 0 };
  stint_save_async (job, format, streams, FALSE, file, on_progress, outcome, NULL, on_saved,
                    outcome);
  wait_until (outcome->done);
}

static void
test_save (void)
{
  g_autoptr (StintJob) job =
      run_job ("echo one; sleep 0.1; echo two >&2; printf '\\033[31mred\\n'", NULL);
  const struct
  {
    StintExportFormat format;
    StintStreams streams;
    const char *expected;
  } cases[] = {
    { STINT_EXPORT_RAW, STINT_STREAMS_STDOUT, "one\n\033[31mred\n" },
    { STINT_EXPORT_RAW, STINT_STREAMS_STDERR, "two\n" },
    { STINT_EXPORT_TEXT, STINT_STREAMS_STDOUT, "one\nred\n" },
  };
  Place place;
  Outcome outcome;

  /* Each takes the place of the one before. */
  place_init (&place);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *contents = NULL;

      save (job, cases[i].format, cases[i].streams, place.file, &outcome);
      g_assert_no_error (outcome.error);
      g_assert_cmpuint (outcome.n_progress, >, 0);
      contents = place_read (&place);
      g_assert_cmpstr (contents, ==, cases[i].expected);
    }
  place_clear (&place, 1);
}

static void
test_nowhere_to_save (void)
{
  g_autoptr (StintJob) job = run_job ("echo one", NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("/proc/nowhere/saved");
  g_autoptr (GFile) directory = g_file_new_for_path (g_get_tmp_dir ());
  Outcome outcome;

  save (job, STINT_EXPORT_RAW, STINT_STREAMS_BOTH, file, &outcome);
  g_assert_nonnull (outcome.error);
  g_clear_error (&outcome.error);
  save (job, STINT_EXPORT_RAW, STINT_STREAMS_BOTH, directory, &outcome);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_IS_DIRECTORY);
  g_clear_error (&outcome.error);
}

/* @before: (nullable): what is there already */
static void
cancel_with (const char *before)
{
  g_autoptr (StintJob) job = run_job ("seq 1 4000000", NULL);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *contents = NULL;
  Outcome outcome = { 0 };
  Place place;

  place_init (&place);
  if (before != NULL)
    g_assert_true (g_file_replace_contents (place.file, before, strlen (before), NULL, FALSE, 0,
                                            NULL, NULL, NULL));
  stint_save_async (job, STINT_EXPORT_HTML, STINT_STREAMS_BOTH, TRUE, place.file, on_progress,
                    &outcome, cancellable, on_saved, &outcome);
  wait_until (outcome.n_progress > 0 || outcome.done);
  g_assert_false (outcome.done);
  g_cancellable_cancel (cancellable);
  wait_until (outcome.done);
  g_assert_error (outcome.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&outcome.error);
  contents = place_read (&place);
  g_assert_true (g_strcmp0 (contents, before) == 0);
  place_clear (&place, before != NULL ? 1 : 0);
}

static void
test_cancelled (void)
{
  cancel_with (NULL);
  cancel_with ("what was there before");
}

/* What there is of it. */
static void
test_while_it_runs (void)
{
  g_autoptr (StintJobList) list = fixture_list ();
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo one; sleep 60");
  g_autoptr (StintJob) job = fixture_submit (list, spec);
  g_autofree char *contents = NULL;
  Outcome outcome;
  Place place;

  fixture_wait_for_output (job, "one");
  place_init (&place);
  save (job, STINT_EXPORT_RAW, STINT_STREAMS_BOTH, place.file, &outcome);
  g_assert_no_error (outcome.error);
  contents = place_read (&place);
  g_assert_cmpstr (contents, ==, "one\n");
  stint_job_kill (job);
  fixture_wait_for_all (list);
  place_clear (&place, 1);
}

/* What the dialog's user is told. */
typedef struct
{
  StintSaveDialog *dialog; /* weak */
  GFile *saved;
  GError *problem;
} Told;

static void
on_dialog_saved (Told *told, GFile *file)
{
  told->saved = g_object_ref (file);
}

static void
on_dialog_problem (Told *told, GError *error)
{
  told->problem = g_error_copy (error);
}

static GtkWindow *
present (Told *told, StintJob *job)
{
  GtkWindow *parent = GTK_WINDOW (gtk_window_new ());

  gtk_window_present (parent);
  *told = (Told){ .dialog = stint_save_dialog_present (parent, job) };
  g_object_add_weak_pointer (G_OBJECT (told->dialog), (gpointer *) &told->dialog);
  g_signal_connect_swapped (told->dialog, "saved", G_CALLBACK (on_dialog_saved), told);
  g_signal_connect_swapped (told->dialog, "problem", G_CALLBACK (on_dialog_problem), told);
  return parent;
}

static void
test_dialog_saves (void)
{
  g_autoptr (StintJob) job = run_job ("echo one; echo two >&2", NULL);
  g_autofree char *contents = NULL;
  g_autofree char *message = NULL;
  GtkWindow *parent;
  Place place;
  Told told;

  place_init (&place);
  parent = present (&told, job);
  g_assert_cmpint (stint_save_dialog_get_format (told.dialog), ==, STINT_EXPORT_TEXT);
  g_assert_cmpint (stint_save_dialog_get_streams (told.dialog), ==, STINT_STREAMS_BOTH);
  g_assert_false (stint_save_dialog_get_timestamps (told.dialog));
  stint_save_dialog_save (told.dialog, place.file);
  wait_until (told.dialog == NULL);
  g_assert_no_error (told.problem);
  g_assert_true (g_file_equal (told.saved, place.file));
  message = stint_save_dialog_dup_message (told.saved);
  g_assert_nonnull (strstr (message, "“saved”"));
  contents = place_read (&place);
  g_assert_nonnull (strstr (contents, "one\n"));
  g_assert_nonnull (strstr (contents, "two\n"));
  g_object_unref (told.saved);
  gtk_window_destroy (parent);
  place_clear (&place, 1);
}

static void
test_dialog_fails (void)
{
  g_autoptr (StintJob) job = run_job ("echo one", NULL);
  g_autoptr (GFile) file = g_file_new_for_path ("/proc/nowhere/saved");
  GtkWindow *parent;
  Told told;

  parent = present (&told, job);
  stint_save_dialog_save (told.dialog, file);
  wait_until (told.dialog == NULL);
  g_assert_nonnull (told.problem);
  g_assert_null (told.saved);
  g_error_free (told.problem);
  gtk_window_destroy (parent);
}

/* Closed while it saves, by its user or with the window it belongs to: nothing is told, nothing left. */
static void
test_dialog_closed (gconstpointer data)
{
  gboolean with_parent = GPOINTER_TO_INT (data);
  g_autoptr (StintJob) job = run_job ("seq 1 4000000", NULL);
  GtkWindow *parent;
  Place place;
  Told told;

  place_init (&place);
  parent = present (&told, job);
  stint_save_dialog_save (told.dialog, place.file);
  wait_until (g_file_query_exists (place.file, NULL));
  g_assert_nonnull (told.dialog);
  if (with_parent)
    gtk_window_destroy (parent);
  else
    gtk_window_close (GTK_WINDOW (told.dialog));
  /* With its window it goes at once, and what was written when it can. */
  wait_until (told.dialog == NULL);
  wait_until (g_rmdir (place.directory) == 0);
  g_assert_cmpint (g_mkdir (place.directory, 0700), ==, 0);
  g_assert_null (told.problem);
  g_assert_null (told.saved);
  if (!with_parent)
    gtk_window_destroy (parent);
  place_clear (&place, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/save/names", test_names);
  g_test_add_func ("/app/save/long-names", test_long_names);
  g_test_add_func ("/app/save/save", test_save);
  g_test_add_func ("/app/save/nowhere-to-save", test_nowhere_to_save);
  g_test_add_func ("/app/save/cancelled", test_cancelled);
  g_test_add_func ("/app/save/while-it-runs", test_while_it_runs);
  g_test_add_func ("/app/save-dialog/saves", test_dialog_saves);
  g_test_add_func ("/app/save-dialog/fails", test_dialog_fails);
  g_test_add_data_func ("/app/save-dialog/closed", GINT_TO_POINTER (FALSE), test_dialog_closed);
  g_test_add_data_func ("/app/save-dialog/closed-with-parent", GINT_TO_POINTER (TRUE),
                        test_dialog_closed);
  return g_test_run ();
}
