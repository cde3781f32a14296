/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads JSON into json-glib's nodes, in one pass: an agent's update costs a third of what
 * JsonParser takes for it, and what agents write (texts cut in the middle of a character, U+0000,
 * nesting without end) is a case here and not a repair of the text beforehand.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-json.h"

#include "stint-error.h"

#include <float.h>
#include <glib/gi18n-lib.h>
#include <string.h>

#define REPLACEMENT 0xfffd

typedef struct
{
  const char *at;
  const char *end;
  GString *text; /* the string or number that was read last */
  guint depth;
  gboolean has_nul;
} Parser;

static JsonNode *parse_value (Parser *self);

static void
skip_space (Parser *self)
{
  while (self->at < self->end &&
         (*self->at == ' ' || *self->at == '\t' || *self->at == '\n' || *self->at == '\r'))
    self->at++;
}

/* Returns: whether @byte comes next, which is then behind. */
static gboolean
accept (Parser *self, char byte)
{
  skip_space (self);
  if (self->at == self->end || *self->at != byte)
    return FALSE;
  self->at++;
  return TRUE;
}

/* Strings */

/* Returns: the code unit whose four digits come next, or -1. */
static int
peek_unit (const char *at, const char *end)
{
  int unit = 0;

  if (end - at < 4)
    return -1;
  for (guint i = 0; i < 4; i++)
    {
      int digit = g_ascii_xdigit_value (at[i]);

      if (digit < 0)
        return -1;
      unit = unit * 16 + digit;
    }
  return unit;
}

/* After "\u". A character of two halves is one only if the second comes at once. */
static gboolean
parse_unicode (Parser *self)
{
  int unit = peek_unit (self->at, self->end), next = -1;
  gunichar character;

  if (unit < 0)
    return FALSE;
  self->at += 4;
  character = (gunichar) unit;
  if (unit >= 0xd800 && unit < 0xdc00 && self->end - self->at >= 2 && self->at[0] == '\\' &&
      self->at[1] == 'u')
    next = peek_unit (self->at + 2, self->end);
  if (next >= 0xdc00 && next < 0xe000)
    {
      self->at += 6;
      character = 0x10000 + (((gunichar) unit - 0xd800) << 10) + ((gunichar) next - 0xdc00);
    }
  else if (unit == 0 || (unit >= 0xd800 && unit < 0xe000))
    {
      self->has_nul = self->has_nul || unit == 0;
      character = REPLACEMENT;
    }
  g_string_append_unichar (self->text, character);
  return TRUE;
}

static gboolean
parse_escape (Parser *self)
{
  static const char names[] = "\"\\/bfnrt", bytes[] = "\"\\/\b\f\n\r\t";
  const char *name;

  if (self->at == self->end || *self->at == '\0')
    return FALSE;
  if (*self->at == 'u')
    {
      self->at++;
      return parse_unicode (self);
    }
  name = strchr (names, *self->at++);
  if (name == NULL)
    return FALSE;
  g_string_append_c (self->text, bytes[name - names]);
  return TRUE;
}

/* After the quotation mark. What should have been escaped and was not is taken as it is. */
static gboolean
parse_string (Parser *self)
{
  g_string_truncate (self->text, 0);
  for (;;)
    {
      const char *start = self->at;

      while (self->at < self->end && *self->at != '"' && *self->at != '\\')
        self->at++;
      g_string_append_len (self->text, start, self->at - start);
      if (self->at == self->end)
        return FALSE;
      if (*self->at++ == '"')
        return TRUE;
      if (!parse_escape (self))
        return FALSE;
    }
}

/* Numbers */

/* Returns: whether there was one digit at least. */
static gboolean
skip_digits (Parser *self)
{
  const char *start = self->at;

  while (self->at < self->end && g_ascii_isdigit (*self->at))
    self->at++;
  return self->at > start;
}

/* Returns: whether what lies between is a number, as JSON has them; *whole, if it is a whole one. */
static gboolean
skip_number (Parser *self, gboolean *whole)
{
  *whole = TRUE;
  if (*self->at == '-')
    self->at++;
  if (self->at < self->end && *self->at == '0')
    self->at++;
  else if (!skip_digits (self))
    return FALSE;
  if (self->at < self->end && *self->at == '.')
    {
      *whole = FALSE;
      self->at++;
      if (!skip_digits (self))
        return FALSE;
    }
  if (self->at < self->end && (*self->at == 'e' || *self->at == 'E'))
    {
      *whole = FALSE;
      self->at++;
      if (self->at < self->end && (*self->at == '+' || *self->at == '-'))
        self->at++;
      if (!skip_digits (self))
        return FALSE;
    }
  return TRUE;
}

static JsonNode *
parse_number (Parser *self)
{
  const char *start = self->at;
  gboolean whole;
  gint64 number;
  double real;

  if (!skip_number (self, &whole))
    return NULL;
  g_string_truncate (self->text, 0);
  g_string_append_len (self->text, start, self->at - start);
  if (whole && g_ascii_string_to_signed (self->text->str, 10, G_MININT64, G_MAXINT64, &number, NULL))
    return json_node_init_int (json_node_alloc (), number);
  /* What is too large for a double would be written as what is no JSON. */
  real = g_ascii_strtod (self->text->str, NULL);
  return json_node_init_double (json_node_alloc (), CLAMP (real, -DBL_MAX, DBL_MAX));
}

/* Values. Each is NULL if it is none. */

static JsonNode *
parse_word (Parser *self, const char *word, JsonNode *node)
{
  gsize length = strlen (word);

  if ((gsize) (self->end - self->at) >= length && memcmp (self->at, word, length) == 0)
    {
      self->at += length;
      return node;
    }
  json_node_unref (node);
  return NULL;
}

static gboolean
parse_members (Parser *self, JsonObject *object)
{
  if (accept (self, '}'))
    return TRUE;
  do
    {
      g_autofree char *long_name = NULL;
      char short_name[64];
      const char *name;
      JsonNode *value;

      if (!accept (self, '"') || !parse_string (self))
        return FALSE;
      if (self->text->len < sizeof short_name)
        name = memcpy (short_name, self->text->str, self->text->len + 1);
      else
        name = long_name = g_strndup (self->text->str, self->text->len);
      if (!accept (self, ':') || (value = parse_value (self)) == NULL)
        return FALSE;
      json_object_set_member (object, name, value);
    }
  while (accept (self, ','));
  return accept (self, '}');
}

static JsonNode *
parse_object (Parser *self)
{
  g_autoptr (JsonObject) object = json_object_new ();

  if (!parse_members (self, object))
    return NULL;
  return json_node_init_object (json_node_alloc (), object);
}

static gboolean
parse_elements (Parser *self, JsonArray *array)
{
  if (accept (self, ']'))
    return TRUE;
  do
    {
      JsonNode *value = parse_value (self);

      if (value == NULL)
        return FALSE;
      json_array_add_element (array, value);
    }
  while (accept (self, ','));
  return accept (self, ']');
}

static JsonNode *
parse_array (Parser *self)
{
  g_autoptr (JsonArray) array = json_array_new ();

  if (!parse_elements (self, array))
    return NULL;
  return json_node_init_array (json_node_alloc (), array);
}

static JsonNode *
parse_nested (Parser *self, JsonNode *(*parse) (Parser *))
{
  JsonNode *node;

  /* One level of the stack for each. */
  if (self->depth == STINT_ACP_MAX_DEPTH)
    return NULL;
  self->depth++;
  self->at++;
  node = parse (self);
  self->depth--;
  return node;
}

static JsonNode *
parse_value (Parser *self)
{
  skip_space (self);
  if (self->at == self->end)
    return NULL;
  switch (*self->at)
    {
    case '{':
      return parse_nested (self, parse_object);
    case '[':
      return parse_nested (self, parse_array);
    case '"':
      self->at++;
      return parse_string (self)
                 ? json_node_init_string (json_node_alloc (), self->text->str)
                 : NULL;
    case 't':
      return parse_word (self, "true", json_node_init_boolean (json_node_alloc (), TRUE));
    case 'f':
      return parse_word (self, "false", json_node_init_boolean (json_node_alloc (), FALSE));
    case 'n':
      return parse_word (self, "null", json_node_init_null (json_node_alloc ()));
    default:
      return *self->at == '-' || g_ascii_isdigit (*self->at) ? parse_number (self) : NULL;
    }
}

JsonNode *
stint_acp_parse_json (const char *line, gsize length, gboolean *has_nul, GError **error)
{
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *valid = NULL;
  Parser parser = { 0 };

  if (length > STINT_ACP_MAX_LINE + STINT_ACP_MAX_ENVELOPE)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("A line of the protocol is too long"));
      return NULL;
    }
  if (!g_utf8_validate_len (line, length, NULL))
    {
      line = valid = g_utf8_make_valid (line, (gssize) length);
      length = strlen (valid);
    }
  parser.at = line;
  parser.end = line + length;
  parser.text = g_string_new (NULL);
  node = parse_value (&parser);
  skip_space (&parser);
  g_string_free (parser.text, TRUE);
  if (has_nul != NULL)
    *has_nul = parser.has_nul;
  if (node == NULL || parser.at < parser.end)
    {
      /* Translators: JSON is a format of text; the number counts from 0 */
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("This is no JSON, or its values lie too deep: see byte %u"),
                   (guint) (parser.at - line));
      return NULL;
    }
  return g_steal_pointer (&node);
}
