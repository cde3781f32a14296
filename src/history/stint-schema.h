/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

/* The newest `user_version` that this Stint knows; 0 is an empty database. */
#define STINT_SCHEMA_VERSION 6

/* Reads the database's `user_version`. Returns: an SQLite result code */
int stint_schema_read_version (sqlite3 *db, int *version);

/**
 * stint_schema_update:
 * @db: a database that is older than %STINT_SCHEMA_VERSION, or was
 * @jobs: (type filename): the directory that holds the job directories
 *
 * Makes the tables, or brings them up to date, in one transaction.
 *
 * Returns: an SQLite result code
 */
int stint_schema_update (sqlite3 *db, const char *jobs);

G_END_DECLS
