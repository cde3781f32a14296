/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The most that one line may hold, and how deep its arrays and objects may lie in each other. */
#define STINT_ACP_MAX_LINE (32 * 1024 * 1024)
#define STINT_ACP_MAX_DEPTH 128

/* How much more a line of the log may hold, around its message. */
#define STINT_ACP_MAX_ENVELOPE 256

/**
 * stint_acp_parse_json:
 * @line: (array length=length): any bytes
 * @length: of @line
 * @has_nul: (out) (optional): whether a string held U+0000, which has become U+FFFD
 * @error: what is wrong with it; too long and too deep are wrong
 *
 * Invalid UTF-8 and half a surrogate pair are read as U+FFFD. From any thread.
 *
 * Returns: (transfer full): the value, or %NULL
 */
JsonNode *stint_acp_parse_json (const char *line, gsize length, gboolean *has_nul, GError **error);

G_END_DECLS
