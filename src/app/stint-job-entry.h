/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job.h"

G_BEGIN_DECLS

/**
 * StintSection:
 * @STINT_SECTION_NEEDS_YOU: waits for the user, or failed and has not been seen
 * @STINT_SECTION_RUNNING: starting, running or stopping
 * @STINT_SECTION_QUEUED: waits for its turn
 * @STINT_SECTION_RECENT: ended since Stint started, or not seen yet
 *
 * The sections of the list, in their order.
 */
typedef enum
{
  STINT_SECTION_NEEDS_YOU,
  STINT_SECTION_RUNNING,
  STINT_SECTION_QUEUED,
  STINT_SECTION_RECENT,
} StintSection;

#define STINT_N_SECTIONS (STINT_SECTION_RECENT + 1)

#define STINT_TYPE_JOB_ENTRY (stint_job_entry_get_type ())
G_DECLARE_FINAL_TYPE (StintJobEntry, stint_job_entry, STINT, JOB_ENTRY, GObject)

/*
 * A job's place on the board: what the list shows of it beside the job itself. The board makes and
 * moves them.
 *
 * Properties:
 *
 *   job      StintJob
 *   section  int       StintSection
 *   heading  string    the section's title, if it is the first one of it that is shown; else NULL
 *   need     string    what it wants of the user, in words; NULL: nothing, or that is its state
 *   unread   boolean   there is output that nobody has looked at
 *   above    StintJobEntry   (nullable): the job whose part it is, as an agent's terminals are; such
 *            entries follow that one, in its section
 */

StintJob *stint_job_entry_get_job (StintJobEntry *self);
StintSection stint_job_entry_get_section (StintJobEntry *self);

/* (nullable) */
const char *stint_job_entry_get_need (StintJobEntry *self);

/* (nullable) (transfer none) */
StintJobEntry *stint_job_entry_get_above (StintJobEntry *self);

/* (nullable) */
const char *stint_job_entry_get_heading (StintJobEntry *self);
void stint_job_entry_set_heading (StintJobEntry *self, const char *heading);

gboolean stint_job_entry_get_unread (StintJobEntry *self);

/* Compares what the job has written with what was looked at. Cheap: whoever ticks calls it. */
void stint_job_entry_update_unread (StintJobEntry *self);

/* While somebody looks at its output there is nothing unread. */
void stint_job_entry_set_looked_at (StintJobEntry *self, gboolean looked_at);

/**
 * stint_job_entry_matches:
 * @self: an entry
 * @words: (array zero-terminated=1): of stint_job_entry_fold()
 *
 * Returns: whether all of the words are in its name, command, directory or tags
 */
gboolean stint_job_entry_matches (StintJobEntry *self, const char *const *words);

/* (transfer full) (array zero-terminated=1): the words of what was typed to filter by. */
char **stint_job_entry_fold (const char *text);

G_END_DECLS
