/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/*
 * One connection to `history.db`, for one thread at a time.
 *
 * Errors: %STINT_ERROR_DAMAGED and %STINT_ERROR_TOO_NEW, which stint_database_set_aside() is for;
 * %STINT_ERROR_FAILED, which may pass.
 */
typedef struct _StintDatabase StintDatabase;

/**
 * stint_database_new:
 * @directory: (type filename): where it is, an absolute path
 *
 * Opens nothing yet.
 *
 * Returns: (transfer full): the connection
 */
StintDatabase *stint_database_new (const char *directory);
void stint_database_free (StintDatabase *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintDatabase, stint_database_free)

/**
 * stint_database_open:
 * @self: a database
 * @error: it cannot be used
 *
 * Opens it, makes it or brings it up to date, unless that has been done. Before every use: it also
 * notices a file that another process has moved aside, and goes over to the new one.
 */
gboolean stint_database_open (StintDatabase *self, GError **error);

/* Returns: what was wrong the last time, in words for the user: the system's where those of SQLite do
 * not say why. Valid until @db is used again. */
const char *stint_database_describe_error (sqlite3 *db);

/* A transaction that writes: it has the lock from its beginning, so that it never has to start over. */
gboolean stint_database_begin (StintDatabase *self, GError **error);
gboolean stint_database_commit (StintDatabase *self, GError **error);

/* No effect outside a transaction. */
void stint_database_rollback (StintDatabase *self);

/**
 * stint_database_prepare:
 * @self: an open database
 * @sql: a statement; a constant, since it is kept by its address
 * @error: it cannot be prepared
 *
 * Returns: (transfer none): the statement, reset, until the database is closed
 */
sqlite3_stmt *stint_database_prepare (StintDatabase *self, const char *sql, GError **error);

/**
 * stint_database_step:
 * @self: an open database
 * @statement: of stint_database_prepare()
 * @row: (out): whether there is a row to read; else the statement has been reset
 * @error: it failed, and has been reset
 */
gboolean
stint_database_step (StintDatabase *self, sqlite3_stmt *statement, gboolean *row, GError **error);

/* Runs a statement that gives no rows, and resets it. */
gboolean stint_database_run (StintDatabase *self, sqlite3_stmt *statement, GError **error);

/* (transfer none): the connection of an open database, for what is not a constant statement. */
sqlite3 *stint_database_get_handle (StintDatabase *self);

/* Sets @error to what SQLite's result code @rc of that connection means. */
void stint_database_set_sqlite_error (StintDatabase *self, int rc, GError **error);

/* Rows that the last statement changed. */
int stint_database_get_n_changes (StintDatabase *self);

/**
 * stint_database_checkpoint:
 * @self: a database, open or not
 *
 * Moves what was written into the database proper, if enough has come together. This flushes to the
 * disk, which takes long, and is nothing that anybody need wait for.
 */
void stint_database_checkpoint (StintDatabase *self);

/**
 * stint_database_set_aside:
 * @self: a database
 * @why: the error that it gave
 * @problem: (out) (transfer full) (nullable): what the user should know
 *
 * If @why says that the file is damaged or newer than this Stint, renames it, unless another
 * process has done so, so that the next stint_database_open() begins a new one.
 *
 * Returns: whether trying again makes sense
 */
gboolean stint_database_set_aside (StintDatabase *self, const GError *why, GError **problem);

G_END_DECLS
