/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <sqlite3.h>

#include "stint-job.h"
#include "stint-left-job.h"
#include "stint-owner.h"

G_BEGIN_DECLS

/**
 * StintRow:
 * @id: 0 until it has one
 * @command: the command line, for people
 * @tags: a JSON array
 * @spec: a JSON object, of stint_job_spec_to_json()
 * @created_at: microseconds since 1970
 * @follows: the id of the job that it followed, 0: none
 * @attempt: 1: the first
 * @result: (nullable): %NULL while the job runs
 *
 * A job as the table has it. All text is UTF-8.
 */
typedef struct
{
  guint64 id;
  char *name;
  const char *kind;
  char *command;
  char *directory;
  char *tags;
  char *spec;
  gboolean unkept; /* it is not to be written */
  gint64 created_at;
  guint64 follows;
  guint attempt;
  StintResult *result;
} StintRow;

/* (transfer full): for what follows nothing, and for a job that is about to be started. */
StintRow *stint_row_new (StintJobSpec *spec);
StintRow *stint_row_new_for (StintJob *job);

/* (transfer full): for a job that has finished. */
StintRow *stint_row_new_finished (StintJob *job);
void stint_row_free (StintRow *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintRow, stint_row_free)

/**
 * StintRecord:
 *
 * A finished job as it was read from the table.
 */
typedef struct
{
  guint64 id;
  StintJobSpec *spec;
  StintResult *result;
  guint64 follows;
  guint attempt;
  char *directory; /* (nullable): of the job, set by the reader */
} StintRecord;

/* (transfer full): the job that it was. */
StintJob *stint_record_new_job (const StintRecord *self);

void stint_record_free (StintRecord *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintRecord, stint_record_free)

/*
 * The columns that a result fills, in the order of stint_row_bind_result(), and their parameters:
 * every statement has the id as ?1 and the result from ?2 on.
 */
#define STINT_ROW_RESULT_COLUMNS                                                                   \
  "reason, failure, exit_code, signal, started_at, duration, escalated, leftovers, survivors, "    \
  "error, cpu_time, max_rss, stdout_bytes, stderr_bytes, lost_bytes, hole_bytes, store_error"
#define STINT_ROW_RESULT_PARAMETERS                                                                \
  "?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18"

/* Binds everything; a row without a result is running and belongs to @owner. */
/* clang-format off */
#define STINT_ROW_INSERT                                                                           \
  "INSERT INTO jobs (id, " STINT_ROW_RESULT_COLUMNS ", "                                           \
  "state, name, kind, command, directory, tags, spec, created_at, "                                \
  "owner_pid, owner_start, boot_id, follows, attempt) "                                            \
  "VALUES (?1, " STINT_ROW_RESULT_PARAMETERS ", "                                                  \
  "?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, ?27, ?28, ?29, ?30, ?31)"
/* clang-format on */
void stint_row_bind (const StintRow *self, const StintOwner *owner, sqlite3_stmt *statement);

/* Who runs it, whether it is let go, and what was added to follow it. */
#define STINT_ROW_NOTE                                                                             \
  "UPDATE jobs SET detached = ?2, owner_pid = ?3, owner_start = ?4, boot_id = ?5, "                \
  "added_lines = ?6 WHERE id = ?1 AND state = 'running'"
void stint_row_bind_note (guint64 id,
                          gboolean detached,
                          const char *added,
                          const StintOwner *owner,
                          sqlite3_stmt *statement);

#define STINT_ROW_FINISH                                                                           \
  "UPDATE jobs SET state = 'finished', (" STINT_ROW_RESULT_COLUMNS                                 \
  ") = (" STINT_ROW_RESULT_PARAMETERS ") WHERE id = ?1"
void stint_row_bind_result (guint64 id, const StintResult *result, sqlite3_stmt *statement);

/* The columns from which stint_row_read_left() reads a job that has not finished, and how many they
 * are. */
#define STINT_ROW_LEFT_COLUMNS "id, spec, follows, attempt, added_lines"
#define STINT_ROW_N_LEFT_COLUMNS 5

/**
 * stint_row_read_left:
 * @statement: at a row that has %STINT_ROW_LEFT_COLUMNS
 * @first: the first of these columns
 * @directory: (type filename): the job's
 * @error: %STINT_ERROR_DAMAGED: its spec cannot be read
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintLeftJob *stint_row_read_left (sqlite3_stmt *statement,
                                   int first,
                                   const char *directory,
                                   GError **error);

/* (transfer full): the spec in @column, or %NULL with @error set. */
StintJobSpec *stint_row_read_spec (sqlite3_stmt *statement, int column, GError **error);

/**
 * stint_row_read:
 * @statement: at a row of %STINT_ROW_SELECT or %STINT_ROW_SELECT_ONE
 * @error: %STINT_ERROR_DAMAGED
 *
 * Returns: (transfer full): the record, or %NULL
 */
#define STINT_ROW_COLUMNS "id, " STINT_ROW_RESULT_COLUMNS ", spec, name, follows, attempt"
#define STINT_ROW_SELECT                                                                           \
  "SELECT " STINT_ROW_COLUMNS " FROM jobs WHERE state = 'finished' "                               \
  "ORDER BY id DESC LIMIT ?1"
#define STINT_ROW_SELECT_ONE                                                                       \
  "SELECT " STINT_ROW_COLUMNS " FROM jobs WHERE id = ?1 "                                          \
  "AND state = 'finished'"
StintRecord *stint_row_read (sqlite3_stmt *statement, GError **error);

G_END_DECLS
