/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-result.h"

#include "protocol.h"

G_BEGIN_DECLS

/* What the keeper said, for people: @command and @directory name what could not be started. */
StintResult *stint_result_new_from_outcome (const struct keeper_outcome *outcome,
                                            const char *command,
                                            const char *directory);

G_END_DECLS
