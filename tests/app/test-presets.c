/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Presets: kept in a file that several processes change, none of whose contents is ever lost.
 */
#include "stint-presets.h"

#include "stint-error.h"
#include "stint-preset-file.h"

#include <glib/gstdio.h>

#define PATIENCE_SECONDS 60

typedef struct
{
  char *directory;
  char *path;
  StintPresets *presets;
  GError *problem;
} Fixture;

static gboolean
on_impatient (gpointer data)
{
  g_error ("waited in vain for %s", (const char *) data);
  return G_SOURCE_REMOVE;
}

#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    guint impatient = g_timeout_add_seconds (PATIENCE_SECONDS, on_impatient, (gpointer) #condition); \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
    g_source_remove (impatient);                                                                   \
  }                                                                                                \
  G_STMT_END

static void
on_problem (Fixture *fixture, GError *error)
{
  if (fixture->problem == NULL)
    fixture->problem = g_error_copy (error);
}

static void
open_presets (Fixture *fixture)
{
  fixture->presets = stint_presets_new (fixture->directory);
  g_signal_connect_swapped (fixture->presets, "problem", G_CALLBACK (on_problem), fixture);
}

static void
fixture_set_up (Fixture *fixture)
{
  g_autofree char *parent = g_dir_make_tmp ("stint-presets-XXXXXX", NULL);

  *fixture = (Fixture){ .directory = g_build_filename (parent, "stint", NULL) };
  fixture->path = g_build_filename (fixture->directory, STINT_PRESET_FILE_NAME, NULL);
}

static void
fixture_tear_down (Fixture *fixture)
{
  g_autofree char *parent = g_path_get_dirname (fixture->directory);
  const char *argv[] = { "rm", "-rf", parent, NULL };

  g_clear_object (&fixture->presets);
  g_clear_error (&fixture->problem);
  g_spawn_sync (NULL, (char **) argv, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, NULL, NULL, NULL);
  g_free (fixture->directory);
  g_free (fixture->path);
}

static guint
count (StintPresets *presets)
{
  return g_list_model_get_n_items (G_LIST_MODEL (presets));
}

static StintPreset *
new_preset (const char *id, const char *name)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "make check");

  stint_job_spec_set_timeout (spec, 5 * G_USEC_PER_SEC);
  stint_job_spec_add_env (spec, "PLAIN=1", NULL);
  stint_job_spec_add_env (spec, "API_TOKEN=hidden", NULL);
  return stint_preset_new (id, name, NULL, NULL, spec);
}

/* What another process does. */
static void
update_elsewhere (Fixture *fixture, StintPreset *put, const char *remove)
{
  g_autoptr (GError) error = NULL, problem = NULL;
  g_autoptr (GPtrArray) presets =
      stint_preset_file_update (fixture->directory, put, remove, &problem, &error);

  g_assert_no_error (error);
  g_assert_no_error (problem);
  g_assert_nonnull (presets);
}

static void
test_kept (void)
{
  g_autoptr (StintPreset) preset = NULL;
  g_autoptr (StintJobSpec) started = NULL;
  g_autofree char *text = NULL;
  StintPreset *again;
  Fixture fixture;
  GStatBuf status;

  fixture_set_up (&fixture);
  open_presets (&fixture);
  {
    g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_AGENT, "review");

    stint_job_spec_add_env (spec, "API_TOKEN=hidden", NULL);
    preset = stint_preset_new (NULL, "Review", "star-symbolic", "<Shift><Control>r", spec);
  }
  stint_presets_put (fixture.presets, preset);
  g_assert_cmpuint (count (fixture.presets), ==, 1);
  g_assert_true (stint_presets_flush (fixture.presets));
  g_clear_object (&fixture.presets);

  g_assert_true (g_file_get_contents (fixture.path, &text, NULL, NULL));
  g_assert_null (g_strstr_len (text, -1, "hidden"));
  g_assert_cmpint (g_stat (fixture.path, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 0777, ==, 0600);

  open_presets (&fixture);
  wait_until (count (fixture.presets) == 1);
  again = stint_presets_lookup (fixture.presets, stint_preset_get_id (preset));
  g_assert_nonnull (again);
  g_assert_true (stint_preset_equal (again, preset));
  g_assert_cmpstr (stint_preset_get_icon (again), ==, "star-symbolic");
  g_assert_cmpstr (stint_preset_get_shortcut (again), ==, "<Shift><Control>r");
  g_assert_true (stint_presets_find_shortcut (fixture.presets, "<Shift><Control>r", NULL) == again);
  g_assert_null (stint_presets_find_shortcut (fixture.presets, "<Shift><Control>r", again));
  g_assert_cmpstr (stint_job_spec_get_shell_line (stint_preset_get_spec (again)), ==, "review");
  started = stint_preset_dup_job_spec (again);
  g_assert_true (started != stint_preset_get_spec (again));
  g_assert_cmpstr (stint_job_spec_get_name (started), ==, "Review");
  g_assert_no_error (fixture.problem);
  fixture_tear_down (&fixture);
}

static void
test_sorted_and_changed (void)
{
  g_autoptr (StintPreset) b = new_preset ("id-b", "Build");
  g_autoptr (StintPreset) a = new_preset ("id-a", "Audit");
  g_autoptr (StintPreset) z = new_preset ("id-a", "Zip");
  g_autoptr (StintPreset) first = NULL;
  Fixture fixture;

  fixture_set_up (&fixture);
  open_presets (&fixture);
  stint_presets_put (fixture.presets, b);
  stint_presets_put (fixture.presets, a);
  first = g_list_model_get_item (G_LIST_MODEL (fixture.presets), 0);
  g_assert_true (first == a);
  stint_presets_put (fixture.presets, z);
  g_assert_cmpuint (count (fixture.presets), ==, 2);
  g_assert_true (stint_presets_lookup (fixture.presets, "id-a") == z);

  /* And back again: what Undo does. */
  stint_presets_remove (fixture.presets, b);
  g_assert_cmpuint (count (fixture.presets), ==, 1);
  stint_presets_put (fixture.presets, b);
  g_assert_true (stint_presets_flush (fixture.presets));
  g_clear_object (&fixture.presets);
  open_presets (&fixture);
  wait_until (count (fixture.presets) == 2);
  fixture_tear_down (&fixture);
}

/* Neither takes back what the other has done, and each sees it. */
static void
test_two_processes (void)
{
  g_autoptr (StintPreset) ours = new_preset ("ours", "Ours");
  g_autoptr (StintPreset) more = new_preset ("more", "More");
  g_autoptr (StintPreset) theirs = new_preset ("theirs", "Theirs");
  Fixture fixture;

  fixture_set_up (&fixture);
  open_presets (&fixture);
  stint_presets_put (fixture.presets, ours);
  g_assert_true (stint_presets_flush (fixture.presets));
  update_elsewhere (&fixture, theirs, NULL);
  stint_presets_put (fixture.presets, more);
  wait_until (count (fixture.presets) == 3);

  update_elsewhere (&fixture, NULL, "ours");
  wait_until (count (fixture.presets) == 2);
  g_assert_null (stint_presets_lookup (fixture.presets, "ours"));
  g_assert_no_error (fixture.problem);
  fixture_tear_down (&fixture);
}

static guint
count_damaged (Fixture *fixture)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->directory, 0, NULL);
  const char *name;
  guint n = 0;

  while ((name = g_dir_read_name (dir)) != NULL)
    n += g_str_has_prefix (name, STINT_PRESET_FILE_NAME ".damaged-");
  return n;
}

static void
test_damaged (void)
{
  static const char *const texts[] = {
    "", "{", "[]", "{\"version\": \"x\", \"presets\": []}", "{\"version\": 1}",
    "{\"version\": 1, \"presets\": [3]}", "{\"version\": 1, \"presets\": [{\"id\": \"x\"}]}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (StintPreset) preset = new_preset ("new", "New");
      Fixture fixture;

      fixture_set_up (&fixture);
      g_assert_cmpint (g_mkdir (fixture.directory, 0700), ==, 0);
      g_assert_true (g_file_set_contents (fixture.path, texts[i], -1, NULL));
      open_presets (&fixture);
      wait_until (fixture.problem != NULL);
      g_assert_error (fixture.problem, STINT_ERROR, STINT_ERROR_DAMAGED);
      g_assert_cmpuint (count_damaged (&fixture), ==, 1);
      stint_presets_put (fixture.presets, preset);
      g_assert_true (stint_presets_flush (fixture.presets));
      g_assert_true (g_file_test (fixture.path, G_FILE_TEST_EXISTS));
      g_assert_cmpuint (count_damaged (&fixture), ==, 1);
      fixture_tear_down (&fixture);
    }
}

static void
test_newer (void)
{
  static const char newer[] = "{\"version\": 2, \"presets\": {}}";
  g_autoptr (StintPreset) preset = new_preset ("new", "New");
  g_autofree char *text = NULL;
  Fixture fixture;

  fixture_set_up (&fixture);
  g_assert_cmpint (g_mkdir (fixture.directory, 0700), ==, 0);
  g_assert_true (g_file_set_contents (fixture.path, newer, -1, NULL));
  open_presets (&fixture);
  stint_presets_put (fixture.presets, preset);
  wait_until (fixture.problem != NULL);
  g_assert_error (fixture.problem, STINT_ERROR, STINT_ERROR_TOO_NEW);
  g_assert_true (stint_presets_flush (fixture.presets));
  g_assert_true (g_file_get_contents (fixture.path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, newer);
  fixture_tear_down (&fixture);
}

/* Where nothing can be written it says so, and goes on. */
static void
test_not_writable (void)
{
  g_autoptr (StintPreset) preset = new_preset ("new", "New");
  Fixture fixture;

  fixture_set_up (&fixture);
  g_assert_true (g_file_set_contents (fixture.directory, "a file", -1, NULL));
  open_presets (&fixture);
  stint_presets_put (fixture.presets, preset);
  wait_until (fixture.problem != NULL);
  g_assert_cmpuint (count (fixture.presets), ==, 1);
  fixture_tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/presets/kept", test_kept);
  g_test_add_func ("/app/presets/sorted-and-changed", test_sorted_and_changed);
  g_test_add_func ("/app/presets/two-processes", test_two_processes);
  g_test_add_func ("/app/presets/damaged", test_damaged);
  g_test_add_func ("/app/presets/newer", test_newer);
  g_test_add_func ("/app/presets/not-writable", test_not_writable);
  return g_test_run ();
}
