/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <sqlite3.h>

#include "stint-history-query.h"
#include "stint-history.h"
#include "stint-searcher.h"

/**
 * HistoryFixture:
 * @directory: a directory of the test's own, removed at the end
 * @history: a history in it
 * @problems: (element-type GError): what it has emitted since the last look
 */
typedef struct
{
  char *directory;
  StintHistory *history;
  GPtrArray *problems;
} HistoryFixture;

/* Ends the test program if the test hangs. */
void history_fixture_watch (void);

HistoryFixture *history_fixture_new (void);
void history_fixture_free (HistoryFixture *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (HistoryFixture, history_fixture_free)

/* Closes the history and begins with it again, as the next start of the program does. */
void history_fixture_reopen (HistoryFixture *self);

/* (transfer full): a path below the directory. */
char *history_fixture_path (HistoryFixture *self, const char *name);

/* One problem has been emitted, with this code; forgets it. */
void history_fixture_assert_problem (HistoryFixture *self, int code);
void history_fixture_assert_no_problem (HistoryFixture *self);

/* (transfer full): iterates the main context until there is one. */
GAsyncResult *history_fixture_await (GAsyncResult **result);

/* A GAsyncReadyCallback for the above; @user_data is a GAsyncResult **. */
void history_fixture_keep_result (GObject *source, GAsyncResult *result, gpointer user_data);

/* (transfer full): what the calls of the history give. */
StintJobSpec *history_fixture_spec (const char *line);
StintJobPlace *history_fixture_begin (HistoryFixture *self, const char *line);
StintJobPlace *history_fixture_begin_spec (HistoryFixture *self, StintJobSpec *spec);
gboolean history_fixture_finish (HistoryFixture *self,
                                 guint64 id,
                                 StintJobSpec *spec,
                                 StintResult *result,
                                 GError **error);
GPtrArray *history_fixture_load (HistoryFixture *self);
int history_fixture_recover (HistoryFixture *self);

/* Begins a job and finishes it with exit code 0. Returns: its id */
guint64 history_fixture_add (HistoryFixture *self, const char *line);

/* As history_fixture_add(), and the job has said @output. */
guint64 history_fixture_add_output (HistoryFixture *self, const char *line, const char *output);

/* Brings the search index up to date. Returns: (transfer full) (nullable): what people are told */
GError *history_fixture_index (HistoryFixture *self);

/* A second connection, as another program has it. */
sqlite3 *history_fixture_connect (HistoryFixture *self);
void history_fixture_sql (HistoryFixture *self, const char *sql);
int history_fixture_count (HistoryFixture *self, const char *sql);

/* How many jobs the index finds for what a user types. */
guint history_fixture_count_hits (StintSearcher *searcher, const char *text);

/* (transfer full) (nullable): the ids of what passes the filters of @text, in the rows of @db alone: "3,5". */
char *history_fixture_select (sqlite3 *db, const char *text, StintFilterFlags flags);

/* How many files of the directory begin with @prefix; (transfer full) (nullable): the first. */
guint history_fixture_find (HistoryFixture *self, const char *prefix, char **path);
