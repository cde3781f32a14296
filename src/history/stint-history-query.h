/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* What nobody asked for: a job that the user stopped did not fail, and none did that runs. As an index
 * has it. */
#define STINT_FAILED_SQL                                                                           \
  "jobs.state = 'finished' AND NOT (jobs.reason = 'exited' AND jobs.exit_code = 0) AND "           \
  "jobs.reason NOT IN ('terminated', 'killed', 'cancelled')"

/**
 * StintHistoryQuery:
 *
 * What to look for in the history. Words must all be there, in the command, name, tags, directory or
 * output: `mak` also finds `make`, `"make all"` only that. `key:value` filters:
 *
 *   failed:yes|no  pinned:yes|no  running:yes|no
 *   kind:shell|terminal|agent  reason:timeout  exit:2  signal:SIGKILL
 *   dir:~/src (and below)  tag:nightly  name:TEXT  command:TEXT (parts of them)
 *   since:TIME  until:TIME  on:DAY (see stint_time_words_parse())  longer:5m  shorter:10s
 *
 * A `-` before a word or a filter turns it round. Immutable; any thread.
 */
typedef struct _StintHistoryQuery StintHistoryQuery;

/**
 * stint_history_query_parse:
 * @text: as it was typed, UTF-8
 * @now: microseconds since 1970, for `yesterday` and the like
 * @error: %STINT_ERROR_INVALID, for people: what is wrong, and what would be right
 *
 * Returns: (transfer full): the query, or %NULL
 */
StintHistoryQuery *stint_history_query_parse (const char *text, gint64 now, GError **error);

/**
 * stint_history_query_new_titles:
 * @terms: (array zero-terminated=1): what a name or a command must hold, each of them; any text: nothing
 *   in it means anything to the language above
 *
 * Returns: (transfer full) (nullable): the query; %NULL if there is no word in them
 */
StintHistoryQuery *stint_history_query_new_titles (const char *const *terms);
StintHistoryQuery *stint_history_query_ref (StintHistoryQuery *self);
void stint_history_query_unref (StintHistoryQuery *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintHistoryQuery, stint_history_query_unref)

/* (nullable): for MATCH on the index; %NULL: every job has the words. */
const char *stint_history_query_get_match (const StintHistoryQuery *self);

/* (nullable): the same jobs, found by the words that they have and not by the beginnings of those:
 * which of them have them where and how often is known then. It takes longer. */
const char *stint_history_query_get_rank_match (const StintHistoryQuery *self);

/* (transfer full) (nullable): for MATCH, in place of every word that begins with @word; %NULL: as it is. */
typedef char *(*StintExpandFunc) (const char *word, gpointer user_data);

/* (transfer full): what stint_history_query_get_match() gives, with each word that may be the beginning of
 * another one given to @expand. It has a match. */
char *stint_history_query_dup_match (const StintHistoryQuery *self,
                                     StintExpandFunc expand,
                                     gpointer user_data);

/* (array zero-terminated=1): the words that a hit has, as they were typed. */
const char *const *stint_history_query_get_words (const StintHistoryQuery *self);

/**
 * StintFilterFlags:
 * @STINT_FILTER_WORDS: the words are looked for in the rows themselves: for jobs that no index has yet,
 *   by a simpler rule
 * @STINT_FILTER_FEW: few jobs are expected to pass: they are found by indexes, whatever order they are
 *   wanted in. Without it the jobs are walked in order, and each is looked at.
 * @STINT_FILTER_INDEXED: the search index is attached, as `search`
 * @STINT_FILTER_HITS: the statement is over `search.docs` as `hit`, and `jobs` for each of its rows: what can be
 *   told by the hit's id is told before the row is read
 *
 * The same jobs pass either way.
 */
typedef enum
{
  STINT_FILTER_NONE = 0,
  STINT_FILTER_WORDS = 1 << 0,
  STINT_FILTER_FEW = 1 << 1,
  STINT_FILTER_INDEXED = 1 << 2,
  STINT_FILTER_HITS = 1 << 3,
} StintFilterFlags;

/* Whether %STINT_FILTER_FEW makes a difference to the rest of @flags. */
gboolean stint_history_query_can_be_few (const StintHistoryQuery *self, StintFilterFlags flags);

/**
 * stint_history_query_append_filters:
 * @self: a query
 * @sql: a statement over `jobs` up to and with a WHERE clause that is complete
 * @flags: how
 *
 * Appends ` AND …` for each condition, with the parameters `?` that
 * stint_history_query_bind_filters() binds.
 */
void stint_history_query_append_filters (const StintHistoryQuery *self,
                                         GString *sql,
                                         StintFilterFlags flags);

/* Binds them from parameter @first on; with the same @flags. Returns: the next free one */
int stint_history_query_bind_filters (const StintHistoryQuery *self,
                                      sqlite3_stmt *statement,
                                      int first,
                                      StintFilterFlags flags);

/**
 * stint_history_query_get_unwanted:
 * @self: a query
 *
 * Returns: (nullable): for MATCH, the words of which a job must have none; %NULL: there are none
 */
const char *stint_history_query_get_unwanted (const StintHistoryQuery *self);

G_END_DECLS
