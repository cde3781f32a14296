/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The desktop's search asks for jobs, over a real bus: what it is answered, and what is asked of the
 * program when a result is chosen.
 */
#include "stint-indexer.h"
#include "stint-search-index.h"
#include "stint-search-provider.h"
#include "stint-searcher.h"

#include "engine-fixture.h"
#include "history-fixture.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define INTERFACE "org.gnome.Shell.SearchProvider2"

typedef struct
{
  HistoryFixture *history;
  GTestDBus *daemon;
  GDBusConnection *service_bus, *client_bus;
  StintSearchProvider *provider;
  guint64 opened;
  char *searched;
} Fixture;

static void
on_open (Fixture *fixture, guint64 id)
{
  fixture->opened = id;
}

static void
on_search (Fixture *fixture, const char *query)
{
  g_free (fixture->searched);
  fixture->searched = g_strdup (query);
}

static void
set_up (Fixture *fixture)
{
  g_autoptr (GError) error = NULL;

  *fixture = (Fixture){ .history = history_fixture_new (),
                        .daemon = g_test_dbus_new (G_TEST_DBUS_NONE) };
  g_test_dbus_up (fixture->daemon);
  fixture->service_bus = fixture_connect_to_bus (fixture->daemon);
  fixture->client_bus = fixture_connect_to_bus (fixture->daemon);
  fixture->provider = stint_search_provider_new (NULL, fixture->history->directory);
  g_signal_connect_swapped (fixture->provider, "open", G_CALLBACK (on_open), fixture);
  g_signal_connect_swapped (fixture->provider, "search", G_CALLBACK (on_search), fixture);
  stint_search_provider_export (fixture->provider, fixture->service_bus, &error);
  g_assert_no_error (error);
}

static void
tear_down (Fixture *fixture)
{
  g_assert_finalize_object (g_steal_pointer (&fixture->provider));
  g_dbus_connection_close_sync (fixture->client_bus, NULL, NULL);
  g_dbus_connection_close_sync (fixture->service_bus, NULL, NULL);
  g_clear_object (&fixture->client_bus);
  g_clear_object (&fixture->service_bus);
  g_test_dbus_down (fixture->daemon);
  g_clear_object (&fixture->daemon);
  g_clear_pointer (&fixture->searched, g_free);
  history_fixture_free (fixture->history);
}

static void
keep (GObject *source, GAsyncResult *result, gpointer user_data)
{
  *(GAsyncResult **) user_data = g_object_ref (result);
}

/* (transfer full): the ids of an answer, with spaces between them. */
static char *
join_ids (GVariant *answer)
{
  g_auto (GStrv) ids = NULL;

  g_variant_get (answer, "(^as)", &ids);
  return g_strjoinv (" ", ids);
}

/* (transfer full): what is answered, or %NULL with @error set. */
static GVariant *
call (Fixture *fixture, const char *method, GVariant *arguments, GError **error)
{
  g_autoptr (GAsyncResult) result = NULL;

  g_dbus_connection_call (fixture->client_bus,
                          g_dbus_connection_get_unique_name (fixture->service_bus),
                          STINT_SEARCH_PROVIDER_PATH, INTERFACE, method, arguments, NULL,
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, keep, &result);
  wait_until (result != NULL);
  return g_dbus_connection_call_finish (fixture->client_bus, result, error);
}

/* (transfer full): the ids, with spaces between them. */
static char *
find (Fixture *fixture, const char *method, const char *const *terms)
{
  static const char *const none[] = { NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) answer = NULL;
  GVariant *arguments = g_str_equal (method, "GetInitialResultSet")
                            ? g_variant_new ("(^as)", terms)
                            : g_variant_new ("(^as^as)", none, terms);

  answer = call (fixture, method, arguments, &error);
  g_assert_no_error (error);
  return join_ids (answer);
}

static void
assert_found (Fixture *fixture, const char *term, const char *other, const char *wanted)
{
  const char *const terms[] = { term, other, NULL };
  g_autofree char *initial = find (fixture, "GetInitialResultSet", terms);
  g_autofree char *further = find (fixture, "GetSubsearchResultSet", terms);

  g_test_message ("%s %s: %s", term, other != NULL ? other : "", initial);
  g_assert_cmpstr (initial, ==, wanted);
  g_assert_cmpstr (further, ==, wanted);
}

static guint64
add_named (Fixture *fixture, const char *line, const char *name)
{
  g_autoptr (StintJobSpec) spec = history_fixture_spec (line);
  g_autoptr (StintJobPlace) place = NULL;
  g_autoptr (StintResult) result = stint_result_new (STINT_REASON_EXITED);
  g_autoptr (GError) error = NULL;

  stint_job_spec_set_name (spec, name);
  place = history_fixture_begin_spec (fixture->history, spec);
  stint_result_set_wait_status (result, 2 << 8);
  result->started_at = g_get_real_time ();
  history_fixture_finish (fixture->history, place->id, spec, result, &error);
  g_assert_no_error (error);
  return place->id;
}

static void
add_jobs (Fixture *fixture)
{
  add_named (fixture, "make all", NULL);
  add_named (fixture, "make check", "the nightly build");
  add_named (fixture, "make all", NULL);
  add_named (fixture, "echo 构建失败", "تمت عملية");
  add_named (fixture, "printf 'a \" b * ) OR command:'", NULL);
}

static void
check_terms (Fixture *fixture)
{
  /* Of the same command the newest. */
  assert_found (fixture, "make", NULL, "3 2");
  assert_found (fixture, "MAK", "al", "3");
  assert_found (fixture, "nightly", "make", "2");
  assert_found (fixture, "失败", NULL, "4");
  assert_found (fixture, "تمت", NULL, "4");
  assert_found (fixture, "nothing-like-this", NULL, "");
  /* No language: what would break a query, or mean something in one. */
  assert_found (fixture, "\"", NULL, "");
  assert_found (fixture, "", NULL, "");
  assert_found (fixture, "failed:yes", NULL, "");
  assert_found (fixture, "-make", NULL, "3 2");
  assert_found (fixture, "printf\"", NULL, "5");
  assert_found (fixture, "OR", "command:", "5");
  assert_found (fixture, "make\" OR \"printf", NULL, "");
}

static void
test_without_index (void)
{
  Fixture fixture;

  set_up (&fixture);
  /* A history in which there is nothing yet. */
  assert_found (&fixture, "make", NULL, "");
  add_jobs (&fixture);
  /* Parts of words are found too, as there is nothing to tell words apart. */
  assert_found (&fixture, "ake", NULL, "3 2");
  assert_found (&fixture, "make", NULL, "3 2");
  assert_found (&fixture, "MAKE", "all", "3");
  assert_found (&fixture, "\"", NULL, "");
  tear_down (&fixture);
}

/* What a job wrote is not what it is called: the history's own search is for that. */
static void
test_with_index (void)
{
  g_autoptr (StintHistoryQuery) control = NULL;
  g_autoptr (StintSearcher) searcher = NULL;
  g_autoptr (GArray) hits = NULL;
  g_autofree char *output = NULL;
  g_autoptr (GError) error = NULL;
  Fixture fixture;

  set_up (&fixture);
  add_jobs (&fixture);
  output = history_fixture_path (fixture.history, "jobs/1/output");
  g_file_set_contents (output, "QX77 was written\n", -1, &error);
  g_assert_no_error (error);
  stint_index_update (fixture.history->directory, STINT_INDEX_DEFAULT_LIMIT, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  check_terms (&fixture);
  assert_found (&fixture, "QX77", NULL, "");
  control = stint_history_query_parse ("QX77", g_get_real_time (), &error);
  searcher = stint_searcher_new (fixture.history->directory);
  hits = stint_searcher_run (searcher, control, STINT_SORT_NEWEST, STINT_GROUP_NONE, NULL, NULL,
                             NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (hits->len, ==, 1);
  tear_down (&fixture);
}

static void
count_call (guint *n_calls)
{
  (*n_calls)++;
}

/* It is answered all the same, and whoever indexes can be told, once. */
static void
test_damaged_index (void)
{
  g_autofree char *path = NULL;
  guint n_lost = 0;
  Fixture fixture;

  set_up (&fixture);
  g_signal_connect_swapped (fixture.provider, "index-lost", G_CALLBACK (count_call), &n_lost);
  add_jobs (&fixture);
  assert_found (&fixture, "make", NULL, "3 2");
  g_assert_cmpuint (n_lost, ==, 0);
  path = history_fixture_path (fixture.history, "search.db");
  g_assert_true (g_file_set_contents (path, "This is no database, and never was.", -1, NULL));
  assert_found (&fixture, "make", NULL, "3 2");
  g_assert_cmpuint (n_lost, ==, 1);
  tear_down (&fixture);
}

static void
test_results_are_few (void)
{
  const char *const terms[] = { "job", NULL };
  g_autofree char *found = NULL;
  g_auto (GStrv) ids = NULL;
  Fixture fixture;

  set_up (&fixture);
  for (guint i = 0; i < 2 * STINT_SEARCH_RESULTS; i++)
    {
      g_autofree char *line = g_strdup_printf ("job %u", i);

      add_named (&fixture, line, NULL);
    }
  found = find (&fixture, "GetInitialResultSet", terms);
  ids = g_strsplit (found, " ", -1);
  g_assert_cmpuint (g_strv_length (ids), ==, STINT_SEARCH_RESULTS);
  tear_down (&fixture);
}

static void
test_metas (void)
{
  static const char *const ids[] = { "2", "77", "not a job", NULL };
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GVariantIter) metas = NULL;
  g_autoptr (GVariant) meta = NULL;
  g_autoptr (GVariant) icon = NULL;
  g_autoptr (GError) error = NULL;
  const char *text;
  Fixture fixture;

  set_up (&fixture);
  add_jobs (&fixture);
  answer = call (&fixture, "GetResultMetas", g_variant_new ("(^as)", ids), &error);
  g_assert_no_error (error);
  g_variant_get (answer, "(aa{sv})", &metas);
  g_assert_cmpuint (g_variant_iter_n_children (metas), ==, 1);
  meta = g_variant_iter_next_value (metas);
  g_assert_true (g_variant_lookup (meta, "id", "&s", &text));
  g_assert_cmpstr (text, ==, "2");
  g_assert_true (g_variant_lookup (meta, "name", "&s", &text));
  g_assert_cmpstr (text, ==, "the nightly build");
  g_assert_true (g_variant_lookup (meta, "description", "&s", &text));
  g_assert_true (g_str_has_prefix (text, "Exited with code 2 · "));
  g_assert_true (g_variant_lookup (meta, "clipboardText", "&s", &text));
  g_assert_nonnull (strstr (text, "make check"));
  icon = g_variant_lookup_value (meta, "icon", NULL);
  g_assert_nonnull (icon);
  tear_down (&fixture);
}

static void
test_choosing (void)
{
  static const char *const terms[] = { "make", "dir:~", "a\"b", NULL };
  g_autoptr (GVariant) activated = NULL;
  g_autoptr (GVariant) launched = NULL;
  g_autoptr (GVariant) refused = NULL;
  g_autoptr (GError) error = NULL;
  Fixture fixture;

  set_up (&fixture);
  activated =
      call (&fixture, "ActivateResult", g_variant_new ("(s^asu)", "12", terms, 0), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fixture.opened, ==, 12);
  launched = call (&fixture, "LaunchSearch", g_variant_new ("(^asu)", terms, 0), &error);
  g_assert_no_error (error);
  g_assert_cmpstr (fixture.searched, ==, "make \"dir:~\" \"a b\"");
  refused = call (&fixture, "ActivateResult", g_variant_new ("(s^asu)", "x", terms, 0), &error);
  g_assert_null (refused);
  g_assert_error (error, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS);
  /* Whoever only looks asks nothing of the program. */
  g_assert_cmpuint (fixture.opened, ==, 12);
  tear_down (&fixture);
}

/* What the page of the history is given is understood there, whatever was typed. */
static void
test_queries_are_understood (void)
{
  static const char *const terms[] = { "failed:perhaps", "-", "\"", "a\\", "since:", "構建", "x:y\"z",
                                       NULL };
  g_autofree char *query = stint_search_provider_dup_query (terms);
  g_autoptr (GError) error = NULL;
  g_autoptr (StintHistoryQuery) parsed =
      stint_history_query_parse (query, g_get_real_time (), &error);
  g_autoptr (StintHistoryQuery) control =
      stint_history_query_parse (terms[0], g_get_real_time (), NULL);

  g_assert_no_error (error);
  g_assert_nonnull (parsed);
  g_assert_null (control);
}

/* Nothing is opened before somebody asks: here, there is nothing yet that could be. */
static void
test_lazily (void)
{
  static const char *const terms[] = { "make", NULL };
  g_autofree char *directory = g_dir_make_tmp ("stint-search-XXXXXX", NULL);
  g_autofree char *later = g_build_filename (directory, "later", NULL);
  g_autoptr (StintSearchProvider) provider = stint_search_provider_new (NULL, later);
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GVariant) answer = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *found = NULL;
  Fixture fixture;

  set_up (&fixture);
  add_jobs (&fixture);
  bus = fixture_connect_to_bus (fixture.daemon);
  stint_search_provider_export (provider, bus, &error);
  g_assert_no_error (error);
  g_assert_false (g_file_test (later, G_FILE_TEST_EXISTS));
  g_assert_no_errno (symlink (fixture.history->directory, later));
  g_dbus_connection_call (fixture.client_bus, g_dbus_connection_get_unique_name (bus),
                          STINT_SEARCH_PROVIDER_PATH, INTERFACE, "GetInitialResultSet",
                          g_variant_new ("(^as)", terms), NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
                          NULL, keep, &result);
  wait_until (result != NULL);
  answer = g_dbus_connection_call_finish (fixture.client_bus, result, &error);
  g_assert_no_error (error);
  found = join_ids (answer);
  g_assert_cmpstr (found, ==, "3 2");
  g_assert_finalize_object (g_steal_pointer (&provider));
  g_dbus_connection_close_sync (bus, NULL, NULL);
  g_unlink (later);
  g_rmdir (directory);
  tear_down (&fixture);
}

/* Who asks again before he is answered is answered all the same, the last time with what was found: he is
 * still typing before. */
static void
test_fast (void)
{
  static const char *const terms[] = { "make", NULL };
  GAsyncResult *results[20] = { NULL };
  Fixture fixture;

  set_up (&fixture);
  add_jobs (&fixture);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    g_dbus_connection_call (fixture.client_bus,
                            g_dbus_connection_get_unique_name (fixture.service_bus),
                            STINT_SEARCH_PROVIDER_PATH, INTERFACE, "GetInitialResultSet",
                            g_variant_new ("(^as)", terms), NULL, G_DBUS_CALL_FLAGS_NONE, G_MAXINT,
                            NULL, keep, &results[i]);
  for (guint i = 0; i < G_N_ELEMENTS (results); i++)
    {
      g_autoptr (GVariant) answer = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *found = NULL;

      wait_until (results[i] != NULL);
      answer = g_dbus_connection_call_finish (fixture.client_bus, results[i], &error);
      g_assert_no_error (error);
      found = join_ids (answer);
      if (i == G_N_ELEMENTS (results) - 1 || *found != '\0')
        g_assert_cmpstr (found, ==, "3 2");
      g_clear_object (&results[i]);
    }
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/search-provider/without-index", test_without_index);
  g_test_add_func ("/app/search-provider/with-index", test_with_index);
  g_test_add_func ("/app/search-provider/damaged-index", test_damaged_index);
  g_test_add_func ("/app/search-provider/results-are-few", test_results_are_few);
  g_test_add_func ("/app/search-provider/metas", test_metas);
  g_test_add_func ("/app/search-provider/choosing", test_choosing);
  g_test_add_func ("/app/search-provider/queries-are-understood", test_queries_are_understood);
  g_test_add_func ("/app/search-provider/lazily", test_lazily);
  g_test_add_func ("/app/search-provider/fast", test_fast);
  return g_test_run ();
}
