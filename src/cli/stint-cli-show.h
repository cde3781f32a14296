/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-result.h"

G_BEGIN_DECLS

/* Facts of jobs, as stint_job_facts_new() has them, for people. */

/* A table of several, an element each (element-type GVariant). */
void stint_cli_print_table (GPtrArray *jobs);

/* All that is known of one. */
void stint_cli_print_facts (GVariant *facts);

/**
 * stint_cli_finish_facts:
 * @facts: of a job that was running
 * @result: how it ended
 *
 * Returns: (transfer full): what is known of it now
 */
GVariant *stint_cli_finish_facts (GVariant *facts, const StintResult *result);

G_END_DECLS
