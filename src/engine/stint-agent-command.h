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

/* Where a command has the prompt. */
#define STINT_AGENT_COMMAND_PROMPT "{prompt}"

/**
 * stint_agent_command_dup_next:
 * @spec: of an agent command
 *
 * Returns: (transfer full) (nullable): the command that goes on with what the agent of @spec did last in
 *   its directory, with %STINT_AGENT_COMMAND_PROMPT for what it is told then; %NULL: none is known
 */
char *stint_agent_command_dup_next (StintJobSpec *spec);

/**
 * stint_agent_command_new_next:
 * @spec: of an agent command that has run
 * @line: the next one's command, such as of stint_agent_command_dup_next(): words, quoted as in a shell,
 *   which does not run it. Without %STINT_AGENT_COMMAND_PROMPT the prompt is given on standard input.
 * @prompt: what the agent is told
 * @error: %STINT_ERROR_INVALID: @line has no words, or its quotes do not match
 *
 * Returns: (transfer full): the spec of the next command: where and as @spec ran, and without what was to
 *   follow that; or %NULL
 */
StintJobSpec *stint_agent_command_new_next (StintJobSpec *spec,
                                            const char *line,
                                            const char *prompt,
                                            GError **error);

G_END_DECLS
