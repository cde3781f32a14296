/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

#include "stint-job.h"
#include "stint-left-job.h"

G_BEGIN_DECLS

/**
 * stint_job_facts_new:
 * @job: a job in any state
 *
 * What is told about a job on the bus and by `--json`: a dictionary `a{sv}` that the interface
 * io.github.stint.Stint.Jobs1 describes.
 *
 * Returns: (transfer none): a floating variant
 */
GVariant *stint_job_facts_new (StintJob *job);

/**
 * stint_job_facts_new_elsewhere:
 * @left: the job
 * @started_at: microseconds since 1970
 *
 * The same of a job that another process runs, as far as the history knows it.
 *
 * Returns: (transfer none): a floating variant
 */
GVariant *stint_job_facts_new_elsewhere (const StintLeftJob *left, gint64 started_at);

/**
 * stint_job_facts_to_json:
 * @facts: what stint_job_facts_new() made
 *
 * Returns: (transfer full): the same as an object; bytes become UTF-8, as well as they can be
 */
JsonNode *stint_job_facts_to_json (GVariant *facts);

/* "queued", "running", ...: for files and command lines, not translated. */
const char *stint_job_state_to_nick (StintJobState state);

G_END_DECLS
