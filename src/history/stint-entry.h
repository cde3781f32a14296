/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <sqlite3.h>

#include "stint-result.h"

G_BEGIN_DECLS

/**
 * StintEntry:
 * @name: (nullable): the user's name for it
 * @kind: "shell", "terminal", "agent"
 * @command: the command line, for people
 * @directory: (nullable): where it ran
 * @tags: (array zero-terminated=1):
 * @reason: %STINT_REASON_NONE while it runs
 * @started_at: microseconds since 1970
 * @duration: microseconds; 0 while it runs
 * @term_signal: 0: none
 * @error: (nullable): what went wrong, a sentence
 *
 * A job as a list shows it. Text is UTF-8, and as it was: clean it before it is shown.
 */
typedef struct
{
  guint64 id;
  char *name;
  char *kind;
  char *command;
  char *directory;
  char **tags;
  gboolean pinned;
  gboolean running;
  StintReason reason;
  gboolean has_exit_code;
  int exit_code;
  int term_signal;
  gint64 started_at;
  gint64 duration;
  gint64 cpu_time;
  gint64 max_rss;
  guint64 output_bytes;
  guint64 missing_bytes;
  gboolean escalated;
  guint leftovers;
  char *error;
  guint64 follows; /* the job that it followed, 0: none */
  guint attempt;   /* 1: the first */
} StintEntry;

/* The columns that stint_entry_read() takes, of `jobs`; @command: what is read as its command. */
#define STINT_ENTRY_COLUMNS STINT_ENTRY_COLUMNS_AS ("command")
#define STINT_ENTRY_COLUMNS_AS(command)                                                            \
  "jobs.id, name, kind, " command ", directory, tags, pinned, state, reason, exit_code, signal, "      \
  "coalesce (started_at, created_at), duration, cpu_time, max_rss, "                               \
  "coalesce (stdout_bytes, 0) + coalesce (stderr_bytes, 0), "                                      \
  "coalesce (lost_bytes, 0) + coalesce (hole_bytes, 0), escalated, leftovers, error, "             \
  "follows, attempt"

/* (transfer full): the row that @statement is at. Whatever it holds. */
StintEntry *stint_entry_read (sqlite3_stmt *statement);

/* (transfer full) */
StintEntry *stint_entry_copy (const StintEntry *self);
void stint_entry_free (StintEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintEntry, stint_entry_free)

/* Whether something went wrong with it that nobody asked for, as `failed:yes` has it. */
gboolean stint_entry_has_failed (const StintEntry *self);

/* (transfer full): its name, else its command; cleaned and clamped to @max_chars. */
char *stint_entry_dup_title (const StintEntry *self, guint max_chars);

/* (transfer full): how it ended, in few words, translated: "exit 2", "timeout", "running". */
char *stint_entry_dup_outcome (const StintEntry *self);

G_END_DECLS
