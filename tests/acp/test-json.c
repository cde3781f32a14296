/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON as agents write it: what json-glib could not read is mended, and what is none is refused, wherever
 * it stops.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-acp-json.h"

#include <string.h>

static JsonNode *
parse (const char *text)
{
  return stint_acp_parse_json (text, strlen (text), NULL, NULL);
}

/* What json-glib alone reads as no text, as the end of one, or not at all. */
static void
test_mended (void)
{
  static const struct
  {
    const char *text;
    const char *value;
    gboolean has_nul;
  } texts[] = {
    { "\"h\u00e9 \\ud83d\\ude00\"", "h\u00e9 \U0001F600", FALSE },
    { "\"a\\ud83d\"", "a\uFFFD", FALSE },
    { "\"a\\ude00b\"", "a\uFFFDb", FALSE },
    { "\"\\ud83d\\ud83d\\ude00\"", "\uFFFD\U0001F600", FALSE },
    { "\"a\\u0000b\"", "a\uFFFDb", TRUE },
    { "\"a\\\\u0000\"", "a\\u0000", FALSE },
    { "\"a\xff\"", "a\uFFFD", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      gboolean has_nul;
      g_autoptr (JsonNode) node =
        stint_acp_parse_json (texts[i].text, strlen (texts[i].text), &has_nul, NULL);

      g_test_message ("text %u", i); /* not all of them are UTF-8 */
      g_assert_nonnull (node);
      g_assert_cmpstr (json_node_get_string (node), ==, texts[i].value);
      g_assert_cmpint (has_nul, ==, texts[i].has_nul);
    }
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "", " ", "{", "[", "]", "}", "{]", "[}", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\":1", "{a:1}", "{1:1}", "{\"a\" 1}",
    "[1", "[1,", "[,1]", "[1 2]", "tru", "nul", "\"a", "\"\\",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node =
        stint_acp_parse_json (texts[i], strlen (texts[i]), NULL, &error);

      g_test_message ("%s", texts[i]);
      g_assert_null (node);
      g_assert_nonnull (error);
    }
}

static void
test_cut (void)
{
  static const char text[] = "{\"a\\n\\ud83d\\ude00\":[true,null,-1.5e+10,{\"b\":\"c\"}]}";

  for (gsize length = 0; length <= sizeof text - 1; length++)
    {
      g_autofree char *copy = g_memdup2 (text, MAX (length, 1));
      g_autoptr (JsonNode) node = stint_acp_parse_json (copy, length, NULL, NULL);

      g_assert_true ((node != NULL) == (length == sizeof text - 1));
    }
}

static void
test_depth (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (JsonNode) deep = NULL, deeper = NULL;

  for (guint i = 0; i < STINT_ACP_MAX_DEPTH; i++)
    {
      g_string_prepend_c (text, '[');
      g_string_append_c (text, ']');
    }
  deep = parse (text->str);
  g_assert_nonnull (deep);
  g_string_prepend_c (text, '[');
  g_string_append_c (text, ']');
  deeper = parse (text->str);
  g_assert_null (deeper);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/json/mended", test_mended);
  g_test_add_func ("/acp/json/refused", test_refused);
  g_test_add_func ("/acp/json/cut", test_cut);
  g_test_add_func ("/acp/json/depth", test_depth);
  return g_test_run ();
}
