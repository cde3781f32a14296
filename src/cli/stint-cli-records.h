/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintCliRecordQuery:
 * @id: this job, 0: any
 * @name: (nullable): jobs of this name or, if they have none, this command
 * @running: only jobs that have not finished
 * @limit: how many at most
 */
typedef struct
{
  guint64 id;
  const char *name;
  gboolean running;
  guint limit;
} StintCliRecordQuery;

/**
 * stint_cli_records_read:
 * @state: (type filename): where the history is
 * @query: which jobs
 * @error: the history cannot be read
 *
 * Reads jobs without changing anything: no history is made, brought up to date or moved aside. A job
 * that is said to run and whose owner is dead is told as interrupted.
 *
 * Returns: (transfer full) (element-type GVariant): facts as stint_job_facts_new() has them, newest
 *   first
 */
GPtrArray *
stint_cli_records_read (const char *state, const StintCliRecordQuery *query, GError **error);

/* Whether a job of the history in @state is said to run that nobody runs any more; not if that cannot be
 * read: who goes on to read it tells. */
gboolean stint_cli_records_has_interrupted (const char *state);

G_END_DECLS
