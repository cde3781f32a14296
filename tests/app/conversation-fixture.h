/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-conversation.h"

G_BEGIN_DECLS

/* What an agent says, made up line by line. Single quotes stand for double ones. */

/* The agent's or our own message; %NULL ends @json's parameters as in printf. */
void fixture_feed (StintConversation *conversation, StintAcpDirection direction, const char *json, ...)
  G_GNUC_PRINTF (3, 4);

/* A `session/update` with this update. */
void fixture_update (StintConversation *conversation, const char *json, ...) G_GNUC_PRINTF (2, 3);

/* A piece of an answer (or of a thought); any text. */
void fixture_say (StintConversation *conversation, const char *kind, const char *text);

/* The user's prompt, which begins a turn, and how the turn ends. */
void fixture_prompt (StintConversation *conversation, const char *text);
void fixture_stop (StintConversation *conversation, const char *reason);

G_END_DECLS
