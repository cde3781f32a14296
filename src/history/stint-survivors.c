/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes that could not be ended, as one column of a row.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <json-glib/json-glib.h>

#include "stint-survivors.h"

#include "stint-json.h"

char *
stint_survivors_to_json (const StintSurvivor *survivors, guint n_survivors)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_ARRAY);
  g_autoptr (JsonArray) array = json_array_new ();

  for (guint i = 0; i < n_survivors; i++)
    {
      g_autoptr (JsonObject) object = json_object_new ();
      g_autofree char *name = g_utf8_make_valid (survivors[i].name, -1);

      json_object_set_int_member (object, "pid", survivors[i].pid);
      json_object_set_string_member (object, "name", name);
      json_array_add_object_element (array, g_steal_pointer (&object));
    }
  json_node_set_array (node, array);
  return stint_json_to_text (node, FALSE);
}

static gboolean
read_survivor (JsonNode *node, StintSurvivor *survivor)
{
  JsonObject *object;
  const char *name;
  gint64 pid;

  if (!JSON_NODE_HOLDS_OBJECT (node))
    return FALSE;
  object = json_node_get_object (node);
  name = json_object_get_string_member_with_default (object, "name", NULL);
  pid = json_object_get_int_member_with_default (object, "pid", 0);
  if (name == NULL || pid <= 0 || pid > G_MAXINT32)
    return FALSE;
  survivor->pid = (int) pid;
  survivor->name = g_strdup (name);
  return TRUE;
}

gboolean
stint_survivors_from_json (const char *text, StintSurvivor **survivors, guint *n_survivors)
{
  g_autoptr (JsonNode) node = text != NULL ? json_from_string (text, NULL) : NULL;
  JsonArray *array;
  guint n;

  *survivors = NULL;
  *n_survivors = 0;
  if (node == NULL || !JSON_NODE_HOLDS_ARRAY (node))
    return FALSE;
  array = json_node_get_array (node);
  n = json_array_get_length (array);
  if (n == 0)
    return TRUE;

  *survivors = g_new0 (StintSurvivor, n);
  for (guint i = 0; i < n; i++)
    {
      if (!read_survivor (json_array_get_element (array, i), &(*survivors)[i]))
        {
          for (guint j = 0; j < i; j++)
            g_free ((*survivors)[j].name);
          g_clear_pointer (survivors, g_free);
          return FALSE;
        }
    }
  *n_survivors = n;
  return TRUE;
}
