/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The syntax of control sequences (ECMA-48, as terminals read it), and nothing of what they mean.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-escape.h"

#include <string.h>

#define ESCAPE 0x1b
#define MAX_PARAMETER 65535

enum
{
  GROUND,
  AFTER_ESCAPE,
  AFTER_INTERMEDIATE, /* ESC and 0x20 to 0x2f */
  CSI_START,
  CSI_PARAMETERS,
  CSI_INTERMEDIATE,
  CSI_IGNORED,         /* not well formed: nothing until its final byte */
  IN_STRING,
  STRING_AFTER_ESCAPE, /* ESC: of the terminator, or what ends the string all the same */
};

static gboolean
is_control (guint8 byte)
{
  return byte < 0x20 || byte == 0x7f;
}

/* Returns: how many bytes from @data on are neither control characters nor DEL. */
static gsize
count_text (const guint8 *data, gsize size)
{
  gsize i = 0;

  /* Eight bytes at a time: a byte below 0x20 or equal to 0x7f has its high bit set in `found`; one
   * behind such a byte may have it too, which the loop below sorts out. */
  for (; i + 8 <= size; i += 8)
    {
      const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
      const guint64 highs = ones << 7;
      guint64 word, del, found;

      memcpy (&word, data + i, sizeof word);
      del = word ^ (ones * 0x7f);
      found = ((word - ones * 0x20) & ~word & highs) | ((del - ones) & ~del & highs);
      if (found != 0)
        break;
    }
  while (i < size && !is_control (data[i]))
    i++;
  return i;
}

static void
begin (StintEscape *self)
{
  self->prefix = 0;
  self->intermediate = 0;
  self->final = 0;
  self->n_parameters = 0;
  self->colons = 0;
}

static StintEscapeKind
end (StintEscape *self, guint8 final, StintEscapeKind kind)
{
  self->state = GROUND;
  self->final = final;
  return kind;
}

static StintEscapeKind
take_after_escape (StintEscape *self, guint8 byte)
{
  if (byte >= 0x20 && byte <= 0x2f)
    {
      /* More than one is not in use; the last one counts. */
      self->intermediate = byte;
      self->state = AFTER_INTERMEDIATE;
      return STINT_ESCAPE_NONE;
    }
  if (self->state == AFTER_ESCAPE && byte == '[')
    {
      self->state = CSI_START;
      return STINT_ESCAPE_NONE;
    }
  if (self->state == AFTER_ESCAPE && strchr ("]PX^_", byte) != NULL)
    {
      self->state = IN_STRING;
      self->final = byte;
      return STINT_ESCAPE_NONE;
    }
  return end (self, byte, byte < 0x7f ? STINT_ESCAPE_SIMPLE : STINT_ESCAPE_NONE);
}

static void
add_digit (StintEscape *self, guint8 digit)
{
  gint32 *parameter;

  if (self->n_parameters == 0)
    self->parameters[self->n_parameters++] = -1;
  parameter = &self->parameters[self->n_parameters - 1];
  *parameter = MIN (MAX (*parameter, 0) * 10 + digit, MAX_PARAMETER);
}

static void
add_parameter (StintEscape *self, gboolean colon)
{
  if (self->n_parameters == 0)
    self->parameters[self->n_parameters++] = -1;
  if (self->n_parameters == STINT_ESCAPE_MAX_PARAMETERS)
    {
      self->state = CSI_IGNORED;
      return;
    }
  if (colon)
    self->colons |= 1u << self->n_parameters;
  self->parameters[self->n_parameters++] = -1;
}

static StintEscapeKind
take_csi (StintEscape *self, guint8 byte)
{
  if (byte >= 0x40 && byte <= 0x7e)
    return end (self, byte, self->state == CSI_IGNORED ? STINT_ESCAPE_NONE : STINT_ESCAPE_CSI);
  if (byte >= 0x80)
    return end (self, byte, STINT_ESCAPE_NONE);
  if (self->state == CSI_IGNORED)
    return STINT_ESCAPE_NONE;

  if (byte >= 0x20 && byte <= 0x2f)
    {
      self->intermediate = byte;
      self->state = CSI_INTERMEDIATE;
    }
  else if (self->state == CSI_INTERMEDIATE)
    {
      self->state = CSI_IGNORED;
    }
  else if (byte >= 0x3c && byte <= 0x3f)
    {
      if (self->state == CSI_START)
        self->prefix = byte;
      self->state = self->state == CSI_START ? CSI_PARAMETERS : CSI_IGNORED;
    }
  else
    {
      self->state = CSI_PARAMETERS;
      if (byte <= '9')
        add_digit (self, byte - '0');
      else
        add_parameter (self, byte == ':');
    }
  return STINT_ESCAPE_NONE;
}

/* Within a sequence. */
static StintEscapeKind
take (StintEscape *self, guint8 byte)
{
  switch (self->state)
    {
    case AFTER_ESCAPE:
    case AFTER_INTERMEDIATE:
      return take_after_escape (self, byte);
    case STRING_AFTER_ESCAPE:
      if (byte == '\\')
        return end (self, self->final, STINT_ESCAPE_STRING);
      self->state = AFTER_ESCAPE;
      begin (self);
      return take_after_escape (self, byte);
    default:
      return take_csi (self, byte);
    }
}

/* A control character within a sequence. */
static StintEscapeKind
take_control (StintEscape *self, guint8 byte)
{
  switch (byte)
    {
    case ESCAPE:
      begin (self);
      self->state = AFTER_ESCAPE;
      return STINT_ESCAPE_NONE;
    case 0x18: /* CAN */
    case 0x1a: /* SUB */
      return end (self, byte, STINT_ESCAPE_NONE);
    case 0x7f:
      return STINT_ESCAPE_NONE;
    default:
      /* Acted on in the middle of the sequence, which goes on. */
      self->final = byte;
      return STINT_ESCAPE_CONTROL;
    }
}

/* Passes over a string: at the speed of memory, for one may be very long. */
static StintEscapeKind
take_string (StintEscape *self, const guint8 *data, gsize size, gsize *used)
{
  gsize at = 0;

  while (at < size && (data[at] >= 0x20 || data[at] == '\t' || data[at] == '\r'))
    at++;
  *used = at;
  if (at == size)
    return STINT_ESCAPE_NONE;
  if (data[at] == '\n')
    {
      *used = at + 1;
      return end (self, '\n', STINT_ESCAPE_CONTROL);
    }
  *used = at + 1;
  if (data[at] == ESCAPE)
    self->state = STRING_AFTER_ESCAPE;
  else if (data[at] == 0x07)
    return end (self, self->final, STINT_ESCAPE_STRING);
  else if (data[at] == 0x18 || data[at] == 0x1a)
    return end (self, data[at], STINT_ESCAPE_NONE);
  return STINT_ESCAPE_NONE;
}

static StintEscapeKind
step (StintEscape *self, const guint8 *data, gsize size, gsize *used)
{
  guint8 byte = data[0];

  if (self->state == IN_STRING)
    return take_string (self, data, size, used);

  *used = 1;
  if (self->state != GROUND)
    return is_control (byte) ? take_control (self, byte) : take (self, byte);
  if (!is_control (byte))
    {
      *used = count_text (data, size);
      return STINT_ESCAPE_TEXT;
    }
  if (byte == ESCAPE)
    {
      begin (self);
      self->state = AFTER_ESCAPE;
      return STINT_ESCAPE_NONE;
    }
  self->final = byte;
  return STINT_ESCAPE_CONTROL;
}

StintEscapeKind
stint_escape_next (StintEscape *self, const guint8 *data, gsize size, gsize *used)
{
  StintEscapeKind kind;

  *used = 0;
  do
    {
      gsize n;

      kind = step (self, data + *used, size - *used, &n);
      *used += n;
    }
  while (kind == STINT_ESCAPE_NONE && self->state != GROUND && *used < size);
  return kind;
}

gboolean
stint_escape_is_ground (const StintEscape *self)
{
  return self->state == GROUND;
}
