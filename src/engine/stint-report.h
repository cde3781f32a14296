/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "stint-job.h"

G_BEGIN_DECLS

/**
 * stint_report_new:
 * @job: a job that has finished
 *
 * The result object of the command line's contract: `id, name, kind, argv, cwd, startedAt, ...`, with the
 * last mebibyte of stdout and stderr as text.
 *
 * Returns: (transfer full): an object
 */
JsonNode *stint_report_new (StintJob *job);

/* (transfer full) (nullable): microseconds since 1970 as RFC 3339, UTC, with milliseconds; %NULL for 0. */
char *stint_report_dup_time (gint64 usec);

G_END_DECLS
