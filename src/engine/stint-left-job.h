/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * StintLeftJob:
 * @id: its id
 * @spec: what it runs
 * @directory: (type filename): its directory
 * @follows: the id of the job that it followed, 0: none
 * @attempt: which attempt it is, 1 being the first
 * @added: (nullable): what is to follow it beside what @spec says, as stint_job_dup_added() gave it
 *
 * What is known of a job that another process has started and that still runs: enough to go on with
 * it.
 */
typedef struct
{
  guint64 id;
  StintJobSpec *spec;
  char *directory;
  guint64 follows;
  guint attempt;
  char *added;
} StintLeftJob;

/* (transfer full): a first attempt that follows nothing. */
StintLeftJob *stint_left_job_new (guint64 id, StintJobSpec *spec, const char *directory);
StintLeftJob *stint_left_job_copy (const StintLeftJob *self);
void stint_left_job_free (StintLeftJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintLeftJob, stint_left_job_free)

G_END_DECLS
