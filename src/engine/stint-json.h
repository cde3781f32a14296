/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * stint_json_to_text:
 * @node: what to write
 * @pretty: whether for people
 *
 * json_to_string() without its fault: before 1.8 json-glib writes U+001F as it is, which no other
 * reader takes.
 *
 * Returns: (transfer full): valid JSON, without a newline at the end
 */
char *stint_json_to_text (JsonNode *node, gboolean pretty);

/* A member of the object that @builder is in; a string that is %NULL becomes null. */
void stint_json_add_string (JsonBuilder *builder, const char *name, const char *value);
void stint_json_add_int (JsonBuilder *builder, const char *name, gint64 value);
void stint_json_add_bool (JsonBuilder *builder, const char *name, gboolean value);

G_END_DECLS
