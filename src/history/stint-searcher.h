/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-entry.h"
#include "stint-history-query.h"
#include "stint-row.h"

G_BEGIN_DECLS

/**
 * StintHistorySort:
 * @STINT_SORT_NEWEST: by when they started
 * @STINT_SORT_COMMAND: by the command; @STINT_SORT_TITLE: by the name, or the command of what has none
 * @STINT_SORT_OUTCOME: what runs, what failed, what was stopped, what ended well; newest first
 * @STINT_SORT_RANK: best hits first; without words: newest first
 */
typedef enum
{
  STINT_SORT_NEWEST,
  STINT_SORT_OLDEST,
  STINT_SORT_LONGEST,
  STINT_SORT_SHORTEST,
  STINT_SORT_COMMAND,
  STINT_SORT_OUTPUT,
  STINT_SORT_RANK,
  STINT_SORT_TITLE,
  STINT_SORT_TITLE_REVERSE,
  STINT_SORT_DIRECTORY,
  STINT_SORT_DIRECTORY_REVERSE,
  STINT_SORT_OUTCOME,
  STINT_SORT_OUTCOME_REVERSE,
  STINT_SORT_KIND,
  STINT_SORT_KIND_REVERSE,
  STINT_SORT_TAGS,
  STINT_SORT_TAGS_REVERSE,
} StintHistorySort;

/**
 * StintHistoryGroup:
 *
 * What stands together; groups come in the order of their first job when days, else of their names, and from
 * the last name where directories are sorted by %STINT_SORT_DIRECTORY_REVERSE, or commands by
 * %STINT_SORT_TITLE_REVERSE.
 */
typedef enum
{
  STINT_GROUP_NONE,
  STINT_GROUP_DAY,
  STINT_GROUP_DIRECTORY,
  STINT_GROUP_COMMAND,
} StintHistoryGroup;

/* "newest", ...: for command lines and settings, not translated. */
gboolean stint_history_sort_from_nick (const char *nick, StintHistorySort *sort);

/* Of a hit: the first of its group. The rest is the job's id. */
#define STINT_HIT_GROUP_START (G_GUINT64_CONSTANT (1) << 63)
#define STINT_HIT_ID(hit) ((hit) & ~STINT_HIT_GROUP_START)

/**
 * StintHitGroup:
 * @key: tells it from the others of any search that groups alike
 * @first: where its hits begin
 * @n_hits: how many there are
 * @n_failed: how many of these are of jobs that failed, see stint_entry_has_failed()
 *
 * A group among the hits of a search.
 */
typedef struct
{
  guint64 key;
  guint first;
  guint n_hits;
  guint n_failed;
} StintHitGroup;

/* How many hits make a first page. */
#define STINT_FIRST_PAGE 100

/**
 * StintSearcher:
 *
 * Reads and searches the history, over a connection of its own: it waits for no writer, and no
 * writer for it. For one thread at a time, which may wait.
 */
typedef struct _StintSearcher StintSearcher;

/* (transfer full): @directory: (type filename): the history's. Opens nothing yet. */
StintSearcher *stint_searcher_new (const char *directory);
void stint_searcher_free (StintSearcher *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintSearcher, stint_searcher_free)

/* (type filename) */
const char *stint_searcher_get_jobs_directory (StintSearcher *self);

/* The first hits, in the order of the result unless jobs were imported; until it returns. */
typedef void (*StintFirstPageFunc) (const guint64 *hits, guint n_hits, gpointer user_data);

/**
 * stint_searcher_run:
 * @self: a searcher
 * @query: what for
 * @sort: in which order
 * @group: what stands together
 * @first_page: (nullable): called once there are %STINT_FIRST_PAGE, if there are as many
 * @user_data: for @first_page
 * @cancellable: (nullable): looked at every few thousand rows
 * @error: the history cannot be read, or was cancelled
 *
 * Returns: (transfer full) (element-type guint64): all hits: 8 bytes each, whatever there is
 */
GArray *stint_searcher_run (StintSearcher *self,
                            StintHistoryQuery *query,
                            StintHistorySort sort,
                            StintHistoryGroup group,
                            StintFirstPageFunc first_page,
                            gpointer user_data,
                            GCancellable *cancellable,
                            GError **error);

/**
 * stint_searcher_dup_groups:
 * @self: a searcher
 * @hits: (element-type guint64): what its last search found, or the first page of it
 * @n_hits: how many
 * @cancellable: (nullable): looked at while the history is read
 * @error: the history cannot be read, or was cancelled
 *
 * To be asked for before the next search, or while stint_searcher_run() gives the first page: of that then.
 *
 * Returns: (transfer full) (element-type StintHitGroup): the groups of @hits in their order; none where
 *   nothing was asked to stand together; %NULL with @error set
 */
GArray *stint_searcher_dup_groups (StintSearcher *self,
                                   const guint64 *hits,
                                   guint n_hits,
                                   GCancellable *cancellable,
                                   GError **error);

/* Whether a search has found the index damaged since the last call, and done without: it is to be made
 * again, by stint_index_update(). */
gboolean stint_searcher_take_lost_index (StintSearcher *self);

/**
 * stint_searcher_read:
 * @self: a searcher
 * @ids: (array length=n_ids): of jobs
 * @n_ids: how many
 * @error: the history cannot be read
 *
 * Returns: (transfer full) (element-type StintEntry): one each, %NULL for those that are gone
 */
GPtrArray *
stint_searcher_read (StintSearcher *self, const guint64 *ids, guint n_ids, GError **error);

/* (transfer full): a finished job with its spec, to show or run again. */
StintRecord *stint_searcher_load (StintSearcher *self, guint64 id, GError **error);

/**
 * stint_searcher_resolve:
 * @self: a searcher
 * @text: a job's number, `last`, or a name: the newest job that has it
 * @id: (out): which it is
 * @error: %STINT_ERROR_INVALID if there is none
 */
gboolean
stint_searcher_resolve (StintSearcher *self, const char *text, guint64 *id, GError **error);

/* (transfer full) (element-type StintEntry): the newest @limit runs of the same command in the same
 * directory, newest first; @entry is one of them if it is among the newest. */
GPtrArray *stint_searcher_find_runs (StintSearcher *self,
                                     const StintEntry *entry,
                                     guint limit,
                                     GError **error);

/* One number that @sql, a constant, selects. */
gboolean
stint_searcher_count (StintSearcher *self, const char *sql, gint64 *value, GError **error);

/* Names and counts, the most frequent first. @sql, a constant, selects name, count and a time. */
typedef struct
{
  char *name;
  gint64 count;
  gint64 usec;
} StintTally;

void stint_tally_free (StintTally *self);
GPtrArray *stint_searcher_tally (StintSearcher *self, const char *sql, GError **error);

/* (transfer full): the saved searches: name -> query. */
GHashTable *stint_searcher_read_saved (StintSearcher *self, GError **error);

/* Writes a copy of the whole database to @path, while others write. */
gboolean stint_searcher_backup (StintSearcher *self, const char *path, GError **error);

G_END_DECLS
