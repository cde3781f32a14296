/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * JSON as agents write it, into json-glib's nodes: what is JSON is read as json-glib itself reads it, and
 * what is none is refused, wherever it stops.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "stint-acp-json.h"

#include "stint-error.h"
#include "stint-json.h"

#include <string.h>

static JsonNode *
parse (const char *text)
{
  return stint_acp_parse_json (text, strlen (text), NULL, NULL);
}

/* As json-glib reads them. */
static void
test_same (void)
{
  static const char *const texts[] = {
    "{}", "[]", " [ ] ", "{\"a\":1}", "{ \"a\" : [ 1 , -2 , 3.5 , true , false , null ] }",
    "[0,-0,1e3,1E+3,2.5e-3,9223372036854775807,-9223372036854775808]",
    "{\"a\":{\"b\":{\"c\":[[],{},[{}]]}},\"d\":\"\"}",
    "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\\ud83d\\ude00\"", "\"h\u00e9 \U0001F600 \u2028\"",
    "{\"\":1,\"a\":1,\"a\":2}", "\t\r\n[1]\t\r\n", "true", "-1", "1.5", "[1.0]",
    "{\"a name that is longer than sixty-three bytes, as few are, is a name all the same\":1}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (JsonNode) own = parse (texts[i]);
      g_autoptr (JsonNode) other = json_from_string (texts[i], NULL);
      g_autofree char *text = NULL, *other_text = NULL;

      g_test_message ("%s", texts[i]);
      g_assert_nonnull (own);
      g_assert_nonnull (other);
      g_assert_true (json_node_equal (own, other));
      /* Members keep their order. */
      text = stint_json_to_text (own, FALSE);
      other_text = stint_json_to_text (other, FALSE);
      g_assert_cmpstr (text, ==, other_text);
    }
}

static void
test_refused (void)
{
  static const char *const texts[] = {
    "", " ", "{", "[", "]", "}", "{]", "[}", "{\"a\"", "{\"a\":", "{\"a\":}", "{\"a\":1", "{\"a\":1,}", "{a:1}",
    "{1:1}", "{\"a\" 1}", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "tru", "truex", "nul", "True", "'a'", "\"a",
    "\"\\", "\"\\x\"", "\"\\u\"", "\"\\u12\"", "\"\\u12g4\"", "-", "--1", "+1", "01", "1.", ".5", "1e", "1e+",
    "0x10", "NaN", "Infinity", "1 2", "{} x", "// words\n1", "\"a\"b",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (JsonNode) node =
        stint_acp_parse_json (texts[i], strlen (texts[i]), NULL, &error);

      g_test_message ("%s", texts[i]);
      g_assert_null (node);
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
    }
}

/* Cut off anywhere, it is refused, and nothing behind it is read: a sanitizer would see it. */
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
test_numbers (void)
{
  g_autoptr (JsonNode) node = parse ("[9223372036854775807,9223372036854775808,-1e999,1.5]");
  JsonArray *array = json_node_get_array (node);
  g_autofree char *text = stint_json_to_text (node, FALSE);
  g_autoptr (JsonNode) again = parse (text);

  g_assert_cmpint (json_array_get_int_element (array, 0), ==, G_MAXINT64);
  g_assert_true (json_node_get_value_type (json_array_get_element (array, 1)) == G_TYPE_DOUBLE);
  g_assert_cmpfloat (json_array_get_double_element (array, 3), ==, 1.5);
  /* What has been read can be written, and read again. */
  g_assert_nonnull (again);
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
  g_test_add_func ("/acp/json/same", test_same);
  g_test_add_func ("/acp/json/refused", test_refused);
  g_test_add_func ("/acp/json/cut", test_cut);
  g_test_add_func ("/acp/json/numbers", test_numbers);
  g_test_add_func ("/acp/json/depth", test_depth);
  return g_test_run ();
}
