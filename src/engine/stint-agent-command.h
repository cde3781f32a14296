/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * stint_agent_command_find:
 * @spec: what to run
 *
 * Looks for the command of an agent that is known, with something for it to do: on its own or as a
 * part of a shell line. `claude --version` is not one.
 *
 * Returns: (nullable): the agent's program, such as "claude"
 */
const char *stint_agent_command_find (StintJobSpec *spec);

/**
 * stint_agent_command_check:
 * @spec: what to run
 * @error: %STINT_ERROR_WRONG_KIND: why an agent is not run as a background shell job, and what would
 *   be right
 *
 * A question of the agent's would hang it there, and nothing would notice.
 *
 * Returns: %FALSE if @spec would do that
 */
gboolean stint_agent_command_check (StintJobSpec *spec, GError **error);

G_END_DECLS
