/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * StintCliJob:
 * @directory: (type filename): its directory, which may not be there
 * @spec: what was run
 * @started_at: microseconds since 1970
 * @running: the history says that it runs
 *
 * A job as the history has it.
 */
typedef struct
{
  guint64 id;
  char *directory;
  StintJobSpec *spec;
  gint64 started_at;
  gboolean running;
} StintCliJob;

void stint_cli_job_free (StintCliJob *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintCliJob, stint_cli_job_free)

/**
 * stint_cli_lookup:
 * @state: (type filename): where the history is
 * @id: which job, 0: the last one
 * @error: there is no such job, or the history cannot be read
 *
 * Finds a job without changing anything: no history is made, brought up to date or moved aside.
 *
 * Returns: (transfer full): the job, or %NULL
 */
StintCliJob *stint_cli_lookup (const char *state, guint64 id, GError **error);

/**
 * stint_cli_check_kept:
 * @directory: (nullable) (type filename): a job's directory
 * @id: whose
 * @error: there is none any more, or it is somebody else's, as of a job that was run under sudo
 *
 * Returns: whether what the job put out can be read: what cannot would look like no output
 */
gboolean stint_cli_check_kept (const char *directory, guint64 id, GError **error);

G_END_DECLS
