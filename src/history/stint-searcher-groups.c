/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What stands together among the hits of a search: how much of it, and how much of that went wrong.
 * Searching is in stint-searcher-run.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-searcher-private.h"

#include <stdlib.h>

/* Rows between two looks at the cancellable. */
#define PATIENCE 10000

static int
compare_ids (gconstpointer a, gconstpointer b)
{
  guint64 first = *(const guint64 *) a, second = *(const guint64 *) b;

  return first < second ? -1 : first > second;
}

/* (transfer full) (element-type guint64): in order. Failures are few, and have an index: asking each of a great
 * many hits would read every row. */
static GArray *
read_failed (StintSearcher *self, GCancellable *cancellable, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  sqlite3_stmt *statement = stint_database_prepare (
      self->database, "SELECT id FROM jobs WHERE " STINT_FAILED_SQL, error);
  gboolean row = statement != NULL;

  while (row)
    {
      guint64 id;

      if (!stint_database_step (self->database, statement, &row, error))
        return NULL;
      if (!row)
        break;
      id = (guint64) sqlite3_column_int64 (statement, 0);
      g_array_append_val (ids, id);
      if (ids->len % PATIENCE == 0 && g_cancellable_set_error_if_cancelled (cancellable, error))
        {
          sqlite3_reset (statement);
          return NULL;
        }
    }
  if (statement == NULL)
    return NULL;
  g_array_sort (ids, compare_ids);
  return g_steal_pointer (&ids);
}

/* The same of these hits alone, which are a page: it does not wait for all failures there are. */
static GArray *
read_failed_of (StintSearcher *self, const guint64 *hits, guint n_hits, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  sqlite3_stmt *statement = stint_database_prepare (
      self->database, "SELECT 1 FROM jobs WHERE id = ?1 AND " STINT_FAILED_SQL, error);

  if (statement == NULL)
    return NULL;
  for (guint i = 0; i < n_hits; i++)
    {
      guint64 id = STINT_HIT_ID (hits[i]);
      gboolean row;

      sqlite3_bind_int64 (statement, 1, (gint64) id);
      if (!stint_database_step (self->database, statement, &row, error))
        return NULL;
      if (row)
        g_array_append_val (ids, id);
      sqlite3_reset (statement);
    }
  g_array_sort (ids, compare_ids);
  return g_steal_pointer (&ids);
}

static gboolean
has (const GArray *ids, guint64 id)
{
  return ids->len > 0 &&
         bsearch (&id, ids->data, ids->len, sizeof (guint64), compare_ids) != NULL;
}

GArray *
stint_searcher_dup_groups (StintSearcher *self,
                           const guint64 *hits,
                           guint n_hits,
                           GCancellable *cancellable,
                           GError **error)
{
  g_autoptr (GArray) groups = g_array_new (FALSE, FALSE, sizeof (StintHitGroup));
  g_autoptr (GArray) failed = NULL;
  StintHitGroup *group = NULL;

  if (self->keys->len == 0 || n_hits == 0)
    return g_steal_pointer (&groups);
  failed = n_hits <= STINT_FIRST_PAGE ? read_failed_of (self, hits, n_hits, error)
                                      : read_failed (self, cancellable, error);
  if (failed == NULL)
    return NULL;
  for (guint i = 0; i < n_hits; i++)
    {
      /* A job whose time is none has no day, and stands first. */
      if ((hits[i] & STINT_HIT_GROUP_START) != 0 || group == NULL)
        {
          guint n = groups->len;
          guint64 key = n < self->keys->len ? g_array_index (self->keys, guint64, n) : 0;
          StintHitGroup begun = { key, i, 0, 0 };

          g_array_append_val (groups, begun);
          group = &g_array_index (groups, StintHitGroup, n);
        }
      group->n_hits++;
      group->n_failed += has (failed, STINT_HIT_ID (hits[i]));
    }
  return g_steal_pointer (&groups);
}
