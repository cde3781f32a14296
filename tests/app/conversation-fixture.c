/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Conversations without an agent.
 */
#include "conversation-fixture.h"

#include <json-glib/json-glib.h>
#include <string.h>

static gint64 now = G_GINT64_CONSTANT (1700000000) * G_USEC_PER_SEC;

static void
feed_json (StintConversation *conversation, StintAcpDirection direction, const char *json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) node = json_from_string (json, &error);

  g_assert_no_error (error);
  g_assert_nonnull (node);
  now += 2 * G_USEC_PER_SEC;
  stint_conversation_feed (conversation, direction, now, node);
}

void
fixture_feed (StintConversation *conversation, StintAcpDirection direction, const char *json, ...)
{
  g_autofree char *text = NULL;
  va_list list;

  va_start (list, json);
  text = g_strdup_vprintf (json, list);
  va_end (list);
  g_strdelimit (text, "'", '"');
  feed_json (conversation, direction, text);
}

void
fixture_update (StintConversation *conversation, const char *json, ...)
{
  g_autofree char *update = NULL;
  va_list list;

  va_start (list, json);
  update = g_strdup_vprintf (json, list);
  va_end (list);
  fixture_feed (conversation, STINT_ACP_FROM_AGENT,
                "{'jsonrpc':'2.0','method':'session/update','params':{'sessionId':'s','update':%s}}", update);
}

static char *
quote (const char *text)
{
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), text);

  return json_to_string (node, FALSE);
}

void
fixture_say (StintConversation *conversation, const char *kind, const char *text)
{
  g_autofree char *quoted = quote (text);
  g_autofree char *json = NULL;

  json = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s\",\"update\":"
                          "{\"sessionUpdate\":\"%s\",\"content\":{\"type\":\"text\",\"text\":%s}}}}",
                          kind, quoted);
  feed_json (conversation, STINT_ACP_FROM_AGENT, json);
}

void
fixture_prompt (StintConversation *conversation, const char *text)
{
  g_autofree char *quoted = quote (text);
  g_autofree char *json = NULL;

  json = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"s\","
                          "\"prompt\":[{\"type\":\"text\",\"text\":%s}]}}",
                          quoted);
  feed_json (conversation, STINT_ACP_TO_AGENT, json);
}

void
fixture_stop (StintConversation *conversation, const char *reason)
{
  fixture_feed (conversation, STINT_ACP_FROM_AGENT, "{'jsonrpc':'2.0','id':7,'result':{'stopReason':'%s'}}", reason);
}
