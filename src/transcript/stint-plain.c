/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output without its control sequences. What they are is StintEscape's business; here is the short
 * way past colours, which are nearly all of them, and the way back from the text to the output.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-plain.h"

#include "stint-escape.h"

#include <string.h>

#define ESCAPE 0x1b

void
stint_plain_init (StintPlain *self)
{
  *self = (StintPlain){ .runs = g_array_new (FALSE, FALSE, sizeof (StintPlainRun)) };
}

void
stint_plain_clear (StintPlain *self)
{
  g_clear_pointer (&self->text, g_free);
  g_clear_pointer (&self->runs, g_array_unref);
}

void
stint_plain_reset (StintPlain *self)
{
  self->length = 0;
  g_array_set_size (self->runs, 0);
}

/* What the text does not take as it is. */
static inline gboolean
is_special (guint8 byte)
{
  return (byte < 0x20 && byte != '\n' && byte != '\t') || byte == 0x7f;
}

typedef guint8 Sixteen __attribute__ ((vector_size (16)));

/* Copies bytes up to one that is special, sixteen at a time: there is room for sixteen
 * bytes more. */
static inline guint8 *
copy_text (const guint8 **from, const guint8 *end, guint8 *to)
{
  const guint8 *at = *from;

  while (end - at >= 16)
    {
      Sixteen bytes;
      guint64 found[2];
      gsize n;

      memcpy (&bytes, at, sizeof bytes);
      memcpy (to, &bytes, sizeof bytes);
      bytes =
          (Sixteen) (((bytes < 0x20) & ((Sixteen) (bytes - '\t') > '\n' - '\t')) | (bytes == 0x7f));
      memcpy (found, &bytes, sizeof found);
      if ((found[0] | found[1]) == 0)
        {
          at += 16;
          to += 16;
          continue;
        }
      n = (gsize) __builtin_ctzll (GUINT64_FROM_LE (found[0] != 0 ? found[0] : found[1])) / 8;
      n += found[0] != 0 ? 0 : 8;
      *from = at + n;
      return to + n;
    }
  while (at < end && !is_special (*at))
    *to++ = *at++;
  *from = at;
  return to;
}

/* Returns: how long the sequence `ESC [ parameters final` at @from, of up to ten bytes, is; 0 if
 * there is none. No branch depends on what the parameters are: in a log each is another. */
static inline gsize
measure_short_csi (const guint8 *from, const guint8 *end)
{
  const guint64 ones = G_GUINT64_CONSTANT (0x0101010101010101);
  guint64 word, finals;
  guint bits;

  if (end - from < 10 || from[1] != '[')
    return 0;
  memcpy (&word, from + 2, sizeof word);
  word = GUINT64_FROM_LE (word);
  finals = word & (ones * 0x40);
  if (finals == 0)
    return 0;
  bits = (guint) __builtin_ctzll (finals) - 6;
  /* All before the first byte with that bit are 0x30 to 0x3f, and itself is 0x40 to 0x7e. */
  if (((word ^ (ones * 0x30)) & (ones * 0xf0) & ((G_GUINT64_CONSTANT (1) << bits) - 1)) != 0 ||
      ((word >> bits) & 0xff) >= 0x7f)
    return 0;
  return 3 + bits / 8;
}

static const guint8 *
find_line_end (const guint8 *from, const guint8 *end)
{
  while (from < end && *from != '\n' && *from != '\r')
    from++;
  return from;
}

/* Returns: behind the control sequence that begins at @from. @line_end is the end of its line, or
 * lies before it if that is not known. */
static const guint8 *
skip_sequence (const guint8 *from, const guint8 *end, const guint8 **line_end)
{
  StintEscape escape = { 0 };

  if (*line_end <= from)
    *line_end = find_line_end (from, end);
  do
    {
      gsize used;

      stint_escape_next (&escape, from, (gsize) (*line_end - from), &used);
      from += used;
    }
  while (from < *line_end && !stint_escape_is_ground (&escape));
  return from;
}

static void
begin_run (StintPlain *self, gsize at, guint64 offset)
{
  StintPlainRun run = { at, offset };

  if (self->runs->len > 0)
    {
      StintPlainRun *last = &g_array_index (self->runs, StintPlainRun, self->runs->len - 1);

      if (last->at == at)
        {
          last->offset = offset;
          return;
        }
    }
  g_array_append_val (self->runs, run);
}

static void
make_room (StintPlain *self, gsize size)
{
  if (self->capacity - self->length >= size)
    return;
  self->capacity = self->length + size + (self->length + size) / 8;
  self->text = g_realloc (self->text, self->capacity);
}

void
stint_plain_append (StintPlain *self, const guint8 *raw, gsize size, guint64 offset)
{
  const guint8 *from = raw, *end = raw + size, *line_end = raw;
  guint8 *to;

  make_room (self, size + 16);
  to = self->text + self->length;
  begin_run (self, self->length, offset);
  while (from < end)
    {
      gsize skipped;

      to = copy_text (&from, end, to);
      if (from == end)
        break;
      if (*from == '\r')
        {
          *to++ = '\n';
          from++;
          continue;
        }
      skipped = *from == ESCAPE ? measure_short_csi (from, end) : 1;
      from = skipped > 0 ? from + skipped : skip_sequence (from, end, &line_end);
      if (self->with_offsets)
        begin_run (self, (gsize) (to - self->text), offset + (gsize) (from - raw));
    }
  self->length = (gsize) (to - self->text);
}

void
stint_plain_end_line (StintPlain *self)
{
  make_room (self, 1);
  self->text[self->length++] = '\n';
}

guint64
stint_plain_get_offset (const StintPlain *self, gsize at)
{
  const StintPlainRun *runs = (const StintPlainRun *) (gpointer) self->runs->data;
  guint low = 0, high = self->runs->len;

  /* The last run that begins at or before it. */
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (runs[middle].at <= at)
        low = middle;
      else
        high = middle;
    }
  return runs[low].offset + (at - runs[low].at);
}

gsize
stint_plain_find_offset (const StintPlain *self, guint64 offset)
{
  const StintPlainRun *runs = (const StintPlainRun *) (gpointer) self->runs->data;
  guint low = 0, high = self->runs->len;
  gsize next, at;

  if (high == 0 || offset <= runs[0].offset)
    return 0;
  while (high - low > 1)
    {
      guint middle = low + (high - low) / 2;

      if (runs[middle].offset <= offset)
        low = middle;
      else
        high = middle;
    }
  next = low + 1 < self->runs->len ? runs[low + 1].at : self->length;
  at = runs[low].at + (gsize) MIN (offset - runs[low].offset, self->length);
  return MIN (at, next);
}
