/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-settings.h"

G_BEGIN_DECLS

/**
 * stint_job_defaults_apply:
 * @settings: the settings
 * @spec: an unsealed spec
 *
 * Gives a job what the settings say of its kind and its maker did not: limits, grace, priority,
 * shell. An agent's idle limit is at most a sixth of its time limit.
 */
void stint_job_defaults_apply (StintSettings *settings, StintJobSpec *spec);

/* As an agent's, whatever its kind: of a spec of which an agent session is made. */
void stint_job_defaults_apply_to_session (StintSettings *settings, StintJobSpec *spec);

G_END_DECLS
