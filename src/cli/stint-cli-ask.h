/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-agent-session.h"

G_BEGIN_DECLS

typedef struct _StintCliAsk StintCliAsk;

/**
 * stint_cli_ask_new:
 * @session: an agent
 * @fd: the terminal that is typed at, or -1: nobody is there
 *
 * Asks on stderr what the agent asks, one question after the other, by numbers. What cannot be asked
 * so (forms, pages, logins), and everything when nobody is there, is rejected and told.
 */
StintCliAsk *stint_cli_ask_new (StintAgentSession *session, int fd);
void stint_cli_ask_free (StintCliAsk *self);

G_END_DECLS
