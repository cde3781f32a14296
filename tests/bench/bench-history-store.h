/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-row.h"

#include <sqlite3.h>

/* (transfer full): one of the words of the outputs: as in a language, the n-th is met 1/n as often as the first,
 * and of each four three are made of the first: "kebatilo", "kebatilos". */
char *bench_dup_word (guint n);

/* A number for that, as often as its word is met. */
guint bench_pick_rank (GRand *rand);

/* (transfer full): job @id of @n_jobs; @finished: with its end. */
StintRow *bench_make_row (GRand *rand, guint64 id, guint64 n_jobs, gboolean finished);

/* Makes the history in @directory, with @bytes of output, and its search index. What is there stays; an index that
 * was interrupted is gone on with. */
void bench_build (const char *directory, guint64 n_jobs, guint64 bytes);

/* Ends the program unless all is well. */
void bench_check (int rc, sqlite3 *db);
void bench_execute (sqlite3 *db, const char *sql);
