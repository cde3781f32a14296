/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Jobs that are called so, or whose command reads so: what the desktop's search asks for at each key.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-titles.h"

/* Rows that are read at once, and at most: of one command there may be many runs before another comes. */
#define BATCH 64
#define MAX_ROWS 2048

static gboolean
is_the_same (const StintEntry *a, const StintEntry *b)
{
  return g_strcmp0 (a->name, b->name) == 0 && g_strcmp0 (a->command, b->command) == 0 &&
         g_strcmp0 (a->directory, b->directory) == 0;
}

static gboolean
is_known (GPtrArray *entries, const StintEntry *entry)
{
  for (guint i = 0; i < entries->len; i++)
    if (is_the_same (entries->pdata[i], entry))
      return TRUE;
  return FALSE;
}

/* Takes what is new of @read, which may have gone meanwhile. */
static void
take (GPtrArray *entries, GPtrArray *read, guint limit)
{
  for (guint i = 0; i < read->len; i++)
    {
      g_autoptr (StintEntry) entry = g_steal_pointer (&read->pdata[i]);

      if (entry != NULL && entries->len < limit && !is_known (entries, entry))
        g_ptr_array_add (entries, g_steal_pointer (&entry));
    }
}

GPtrArray *
stint_searcher_find_titles (StintSearcher *self,
                            const char *const *terms,
                            guint limit,
                            GCancellable *cancellable,
                            GError **error)
{
  g_autoptr (GPtrArray) entries =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_entry_free);
  g_autoptr (StintHistoryQuery) query = stint_history_query_new_titles (terms);
  g_autoptr (GArray) hits = NULL;

  if (query == NULL)
    return g_steal_pointer (&entries);
  hits = stint_searcher_run (self, query, STINT_SORT_NEWEST, STINT_GROUP_NONE, NULL, NULL,
                             cancellable, error);
  if (hits == NULL)
    return NULL;
  for (guint i = 0; i < MIN (hits->len, MAX_ROWS) && entries->len < limit; i += BATCH)
    {
      g_autoptr (GPtrArray) read =
          stint_searcher_read (self, &g_array_index (hits, guint64, i), MIN (BATCH, hits->len - i),
                               error);

      if (read == NULL)
        return NULL;
      take (entries, read, limit);
    }
  return g_steal_pointer (&entries);
}
