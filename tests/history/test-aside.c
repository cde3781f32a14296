/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Moving a database aside: only the one that was meant, and over nothing.
 */
#include "config.h"

#include <unistd.h>

#include "history-fixture.h"
#include "stint-aside.h"
#include "stint-error.h"
#include "stint-state-lock.h"

static void
write_file (HistoryFixture *fixture, const char *name, const char *text)
{
  g_autofree char *path = history_fixture_path (fixture, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

static void
assert_text (const char *path, const char *expected)
{
  g_autofree char *text = NULL;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, expected);
}

static void
test_identity (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  StintFileIdentity identity;

  stint_file_identity_read (&identity, path);
  g_assert_false (stint_file_identity_holds (&identity, path));
  write_file (fixture, "history.db", "one");
  g_assert_false (stint_file_identity_holds (&identity, path));
  stint_file_identity_read (&identity, path);
  g_assert_true (stint_file_identity_holds (&identity, path));
  write_file (fixture, "history.db", "two");
  g_assert_false (stint_file_identity_holds (&identity, path));
}

/* Somebody else was faster: what is there now is in order. */
static void
test_only_what_was_meant (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autoptr (GError) problem = NULL;
  StintFileIdentity meant, there;

  write_file (fixture, "history.db", "damaged");
  stint_file_identity_read (&meant, path);
  write_file (fixture, "history.db", "new");
  g_assert_true (stint_set_aside (fixture->directory, &meant, FALSE, 0, &problem));
  g_assert_no_error (problem);
  assert_text (path, "new");
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.", NULL), ==, 0);

  /* The control. */
  stint_file_identity_read (&there, path);
  g_assert_true (stint_set_aside (fixture->directory, &there, FALSE, 0, &problem));
  g_assert_error (problem, STINT_ERROR, STINT_ERROR_DAMAGED);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.damaged-", NULL), ==, 1);
}

/* More than one in a second. */
static void
test_over_nothing (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");

  for (guint i = 0; i < 5; i++)
    {
      g_autofree char *text = g_strdup_printf ("%u", i);
      g_autoptr (GError) problem = NULL;
      StintFileIdentity identity;

      write_file (fixture, "history.db", text);
      write_file (fixture, "history.db-wal", text);
      stint_file_identity_read (&identity, path);
      g_assert_true (stint_set_aside (fixture->directory, &identity, TRUE, 0, &problem));
      g_assert_error (problem, STINT_ERROR, STINT_ERROR_TOO_NEW);
    }
  g_assert_cmpuint (history_fixture_find (fixture, "history.db.newer-", NULL), ==, 10);
}

static void
test_lock (void)
{
  g_autoptr (HistoryFixture) fixture = history_fixture_new ();
  g_autofree char *path = history_fixture_path (fixture, "history.db");
  g_autofree char *missing = history_fixture_path (fixture, "missing");
  g_autoptr (GError) busy = NULL;
  g_autoptr (GError) problem = NULL;
  g_autoptr (GError) cannot = NULL;
  StintFileIdentity identity;
  int lock = stint_state_lock_take (fixture->directory, 0, NULL);

  g_assert_cmpint (lock, >=, 0);
  g_assert_cmpint (stint_state_lock_take (fixture->directory, 20, &busy), ==, -1);
  g_assert_error (busy, STINT_ERROR, STINT_ERROR_FAILED);
  write_file (fixture, "history.db", "damaged");
  stint_file_identity_read (&identity, path);
  g_assert_false (stint_set_aside (fixture->directory, &identity, FALSE, 20, &problem));
  g_assert_error (problem, STINT_ERROR, STINT_ERROR_FAILED);
  assert_text (path, "damaged");

  close (lock);
  lock = stint_state_lock_take (fixture->directory, 0, NULL);
  g_assert_cmpint (lock, >=, 0);
  close (lock);
  g_assert_cmpint (stint_state_lock_take (missing, 0, &cannot), ==, -1);
  g_assert_error (cannot, STINT_ERROR, STINT_ERROR_FAILED);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/aside/identity", test_identity);
  g_test_add_func ("/aside/only-what-was-meant", test_only_what_was_meant);
  g_test_add_func ("/aside/over-nothing", test_over_nothing);
  g_test_add_func ("/aside/lock", test_lock);
  return g_test_run ();
}
