/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The list of what was found: ids at once, rows a moment later, and nothing told of that did not change.
 */
#include "config.h"

#include <unistd.h>

#include "history-fixture.h"
#include "stint-history-lookup.h"
#include "stint-history-model.h"
#include "stint-job-directories.h"

#define N_MANY 3000

typedef struct
{
  guint n;
  guint position, removed, added; /* of the last */
} Changes;

static void
on_items_changed (GListModel *model, guint position, guint removed, guint added, Changes *changes)
{
  changes->n++;
  changes->position = position;
  changes->removed = removed;
  changes->added = added;
}

static void
await_search (StintHistoryModel *model)
{
  while (stint_history_model_is_busy (model))
    g_main_context_iteration (NULL, TRUE);
}

static void
search (StintHistoryModel *model, const char *text, StintHistoryGroup group)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) query =
    stint_history_query_parse (text, g_get_real_time (), &error);

  g_assert_no_error (error);
  stint_history_model_search (model, query, STINT_SORT_NEWEST, group);
  await_search (model);
}

static const StintEntry *
await_entry (StintHistoryItem *item)
{
  while (stint_history_item_get_entry (item) == NULL)
    g_main_context_iteration (NULL, TRUE);
  return stint_history_item_get_entry (item);
}

static void
add_many (HistoryFixture *fixture)
{
  g_autofree char *sql = g_strdup_printf (
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < %d) "
    "INSERT INTO jobs (kind, command, directory, tags, spec, state, created_at, reason, exit_code) "
    "SELECT 'shell', 'command ' || i, '/d' || (i %% 3), '[]', '{}', 'finished', i, 'exited', 0 FROM n",
    N_MANY - 1);

  history_fixture_sql (fixture, sql);
}

static void
test_rows (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  GListModel *list = G_LIST_MODEL (model);
  g_autoptr (StintHistoryItem) first = NULL;
  g_autoptr (StintHistoryItem) same = NULL;
  g_autoptr (StintHistoryItem) last = NULL;

  g_assert_cmpuint (g_list_model_get_n_items (list), ==, 0);
  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  search (model, "", STINT_GROUP_NONE);
  g_assert_cmpuint (g_list_model_get_n_items (list), ==, N_MANY);
  g_assert_null (g_list_model_get_item (list, N_MANY));

  first = g_list_model_get_item (list, 0);
  same = g_list_model_get_item (list, 0);
  last = g_list_model_get_item (list, N_MANY - 1);
  g_assert_true (first == same);
  g_assert_cmpstr (await_entry (first)->command, ==, "the newest");
  g_assert_cmpstr (await_entry (last)->command, ==, "command 1");
}

/* Scrolled all the way, no more rows are kept than are in view and were a moment ago. */
static void
test_flat (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  GListModel *list = G_LIST_MODEL (model);
  GWeakRef early;
  StintHistoryItem *item;

  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  search (model, "", STINT_GROUP_NONE);
  item = g_list_model_get_item (list, 0);
  g_weak_ref_init (&early, item);
  g_object_unref (item);
  for (guint i = 1; i < N_MANY; i++)
    {
      g_autoptr (StintHistoryItem) passed = g_list_model_get_item (list, i);

      g_assert_nonnull (passed);
    }
  g_assert_null (g_weak_ref_get (&early));
  g_weak_ref_clear (&early);
}

/* (transfer full): "3:0" for each group, how many jobs and how many of them failed; "?" where it is not
 * known yet. */
static char *
describe_groups (StintHistoryModel *model)
{
  GListModel *groups = G_LIST_MODEL (stint_history_model_get_groups (model));
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < g_list_model_get_n_items (groups); i++)
    {
      g_autoptr (StintJobGroup) group = g_list_model_get_item (groups, i);

      g_string_append_printf (text, "%s%u:%u", i > 0 ? " " : "", stint_job_group_get_n_jobs (group),
                              stint_job_group_get_n_failed (group));
    }
  return g_string_free (text, FALSE);
}

static void
assert_groups (StintHistoryModel *model, const char *wanted)
{
  g_autofree char *groups = describe_groups (model);

  g_assert_cmpstr (groups, ==, wanted);
}

static void
test_groups (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  g_autoptr (StintJobGroup) group = NULL;
  g_autoptr (StintHistoryItem) item = NULL;
  guint position, in_group, index;

  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  history_fixture_sql (fixture, "UPDATE jobs SET exit_code = 1 WHERE id <= 31");
  search (model, "dir:/d0 command:9", STINT_GROUP_DIRECTORY);
  g_assert_cmpuint (g_list_model_get_n_items (
                        G_LIST_MODEL (stint_history_model_get_groups (model))), ==, 1);
  search (model, "command", STINT_GROUP_DIRECTORY);
  assert_groups (model, "999:10 1000:10 1000:10");

  /* The third is of /d2, and its newest job is the last that was added but one. */
  group = g_list_model_get_item (G_LIST_MODEL (stint_history_model_get_groups (model)), 2);
  item = stint_job_group_dup_item (group, 0);
  g_assert_cmpstr (await_entry (item)->directory, ==, "/d2");
  g_assert_true (stint_history_model_find (model, stint_history_item_get_id (item), &position));
  g_assert_true (stint_group_list_find (stint_history_model_get_groups (model), position, &index,
                                        &in_group));
  g_assert_cmpuint (index, ==, 2);
  g_assert_cmpuint (in_group, ==, 0);
  g_assert_null (stint_job_group_dup_item (group, 1000));

  search (model, "command", STINT_GROUP_NONE);
  assert_groups (model, "");
  /* Who still holds one has a group without jobs, and nothing worse. */
  g_assert_null (stint_job_group_dup_item (group, 0));
}

/* A hundred groups at once, and more of them and of their jobs when the main loop has time. */
static void
test_many_groups (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  GListModel *groups = G_LIST_MODEL (stint_history_model_get_groups (model));
  g_autoptr (StintJobGroup) group = NULL;
  Changes changes = { 0 };

  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  search (model, "", STINT_GROUP_COMMAND);
  g_assert_cmpuint (g_list_model_get_n_items (groups), <, N_MANY);
  while (g_list_model_get_n_items (groups) < N_MANY)
    g_main_context_iteration (NULL, TRUE);

  history_fixture_sql (fixture, "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE "
                                "i < 20000) INSERT INTO jobs (kind, command, directory, tags, spec, state, "
                                "created_at, reason, exit_code) SELECT 'shell', 'same', '/', '[]', '{}', "
                                "'finished', i, 'exited', 0 FROM n");
  search (model, "same", STINT_GROUP_COMMAND);
  assert_groups (model, "20000:0");
  group = g_list_model_get_item (groups, 0);
  stint_job_group_unfold (group);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (group)), <, 20000);
  while (g_list_model_get_n_items (G_LIST_MODEL (group)) < 20000)
    g_main_context_iteration (NULL, TRUE);

  /* One more is one more: none of the others goes. */
  g_signal_connect (group, "items-changed", G_CALLBACK (on_items_changed), &changes);
  history_fixture_add (fixture, "same");
  stint_history_model_refresh (model);
  await_search (model);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (group)), ==, 20001);
  g_assert_cmpuint (changes.n, ==, 1);
  g_assert_cmpuint (changes.position + changes.removed, ==, 0);
  g_assert_cmpuint (changes.added, ==, 1);
}

/* A job that begins is one row more at the top; the others, and who holds them, stay. */
static void
test_refresh (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  g_autoptr (StintHistoryItem) item = NULL;
  g_autoptr (StintJobGroup) group = NULL;
  Changes changes = { 0 }, group_changes = { 0 };

  for (guint i = 0; i < 5; i++)
    history_fixture_add (fixture, "true");
  search (model, "", STINT_GROUP_DAY);
  item = g_list_model_get_item (G_LIST_MODEL (model), 0);
  await_entry (item);
  assert_groups (model, "5:0");
  group = g_list_model_get_item (G_LIST_MODEL (stint_history_model_get_groups (model)), 0);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &changes);
  g_signal_connect (group, "items-changed", G_CALLBACK (on_items_changed), &group_changes);

  stint_history_model_refresh (model);
  await_search (model);
  g_assert_cmpuint (changes.n, ==, 0);

  history_fixture_add (fixture, "true");
  history_fixture_sql (fixture, "UPDATE jobs SET name = 'renamed' WHERE id = 5");
  stint_history_model_refresh (model);
  await_search (model);
  g_assert_cmpuint (changes.n, ==, 1);
  g_assert_cmpuint (changes.position + changes.removed, ==, 0);
  g_assert_cmpuint (changes.added, ==, 1);
  /* The same group, with one more at its top. */
  g_assert_cmpuint (group_changes.n, ==, 1);
  g_assert_cmpuint (group_changes.position + group_changes.removed, ==, 0);
  g_assert_cmpuint (group_changes.added, ==, 1);
  assert_groups (model, "6:0");
  while (g_strcmp0 (stint_history_item_get_entry (item)->name, "renamed") != 0)
    g_main_context_iteration (NULL, TRUE);
}

/* Nor is a list that is longer than a page cut down to its first page meanwhile. */
static void
test_refresh_of_many (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  Changes changes = { 0 };

  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  search (model, "", STINT_GROUP_DAY);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &changes);
  history_fixture_add (fixture, "a newer one");
  stint_history_model_refresh (model);
  await_search (model);
  g_assert_cmpuint (changes.n, ==, 1);
  g_assert_cmpuint (changes.position + changes.removed, ==, 0);
  g_assert_cmpuint (changes.added, ==, 1);
}

static void
test_hide (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  g_autoptr (StintHistoryQuery) query = stint_history_query_parse ("", g_get_real_time (), NULL);
  g_autoptr (StintJobGroup) group = NULL;
  Changes changes = { 0 };

  for (guint i = 0; i < 3; i++)
    history_fixture_add (fixture, "true");
  search (model, "", STINT_GROUP_DAY);
  g_signal_connect (model, "items-changed", G_CALLBACK (on_items_changed), &changes);
  stint_history_model_hide (model, 3);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  g_assert_cmpuint (changes.removed, ==, 1);
  assert_groups (model, "2:0");
  search (model, "", STINT_GROUP_DAY);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 2);
  /* While another search is asked for, the groups are those of the last. */
  stint_history_model_search (model, query, STINT_SORT_NEWEST, STINT_GROUP_DIRECTORY);
  stint_history_model_hide (model, 2);
  assert_groups (model, "1:0");
  group = g_list_model_get_item (G_LIST_MODEL (stint_history_model_get_groups (model)), 0);
  g_assert_cmpint (stint_job_group_get_kind (group), ==, STINT_GROUP_DAY);
  await_search (model);
  stint_history_model_show (model, 2);
  await_search (model);
  stint_history_model_show (model, 3);
  await_search (model);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 3);
}

/* The last search counts, however many were begun. */
static void
test_typing (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  static const char *const typed[] = { "c", "co", "com", "command 12", "command:\"command 12\" -1200" };

  history_fixture_add (fixture, "the newest");
  add_many (fixture);
  for (guint i = 0; i < G_N_ELEMENTS (typed); i++)
    {
      g_autoptr (StintHistoryQuery) query = stint_history_query_parse (typed[i], 0, NULL);

      stint_history_model_search (model, query, STINT_SORT_NEWEST, STINT_GROUP_NONE);
    }
  await_search (model);
  /* 12, 120 to 129, and 1200 to 1299 but 1200 itself. */
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 110);
}

static void
keep_error (StintHistoryModel *model, GError *error, GError **kept)
{
  g_clear_error (kept);
  *kept = g_error_copy (error);
}

static void
test_failure (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (StintHistoryModel) model = stint_history_model_new (fixture->directory);
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autoptr (GError) error = NULL;

  g_signal_connect (model, "failed", G_CALLBACK (keep_error), &error);
  g_assert_true (g_file_set_contents (path, "no database at all", -1, NULL));
  search (model, "", STINT_GROUP_NONE);
  g_assert_nonnull (error);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (model)), ==, 0);
}

/* A job that somebody looks at is held, until nobody does. */
static void
test_find_job (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GAsyncResult) missing = NULL;
  GAsyncResult *pending = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *path = history_fixture_path (fixture, "jobs/1");
  StintJob *job;
  int lock = -1;

  history_fixture_add (fixture, "true");
  stint_history_find_job_async (fixture->history, 1, history_fixture_keep_result, &pending);
  result = history_fixture_await (&pending);
  job = stint_history_find_job_finish (fixture->history, result, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (stint_job_get_id (job), ==, 1);
  g_assert_false (stint_job_directories_take (path, &lock));
  g_assert_finalize_object (job);
  g_assert_true (stint_job_directories_take (path, &lock));
  g_assert_cmpint (close (lock), ==, 0);

  stint_history_find_job_async (fixture->history, 7, history_fixture_keep_result, &pending);
  missing = history_fixture_await (&pending);
  g_assert_null (stint_history_find_job_finish (fixture->history, missing, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  history_fixture_watch ();

  g_test_add_func ("/history-model/rows", test_rows);
  g_test_add_func ("/history-model/flat", test_flat);
  g_test_add_func ("/history-model/groups", test_groups);
  g_test_add_func ("/history-model/many-groups", test_many_groups);
  g_test_add_func ("/history-model/refresh", test_refresh);
  g_test_add_func ("/history-model/refresh-of-many", test_refresh_of_many);
  g_test_add_func ("/history-model/hide", test_hide);
  g_test_add_func ("/history-model/typing", test_typing);
  g_test_add_func ("/history-model/failure", test_failure);
  g_test_add_func ("/history-model/find-job", test_find_job);

  return g_test_run ();
}
