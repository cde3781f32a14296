/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-json.h.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-json.h"

char *
stint_json_to_text (JsonNode *node, gboolean pretty)
{
  g_autofree char *json = json_to_string (node, pretty);
  g_autoptr (GString) text = g_string_new (json);

  /* It can only be within a string. */
  g_string_replace (text, "\x1f", "\\u001f", 0);
  return g_string_free (g_steal_pointer (&text), FALSE);
}
