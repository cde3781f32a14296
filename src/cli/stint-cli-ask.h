/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-agent-session.h"

G_BEGIN_DECLS

typedef struct _StintCliAsk StintCliAsk;

/* Writes @text for the person: nothing that was said before may come after it. */
typedef void (*StintCliAskFunc) (const char *text, gpointer user_data);

/**
 * stint_cli_ask_new:
 * @session: an agent
 * @fd: the terminal that is typed at, or -1: nobody is there
 * @tell: writes the questions
 * @user_data: for @tell
 *
 * Asks by @tell what the agent asks, one question after the other, by numbers. What cannot be asked
 * so (forms, pages, logins), and everything when nobody is there, is rejected and told.
 */
StintCliAsk *
stint_cli_ask_new (StintAgentSession *session, int fd, StintCliAskFunc tell, gpointer user_data);
void stint_cli_ask_free (StintCliAsk *self);

G_END_DECLS
