/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-acp-lines.h. What has been given out is taken from the buffer with the next read, or when it was
 * long and nothing follows: no line is copied, and none is searched twice for its end.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-lines.h"

#include <string.h>
#include <unistd.h>

struct _StintAcpLines
{
  GByteArray *buffer;
  gsize max;
  gsize start;         /* of what has not been given out */
  gsize scanned;       /* of that holds no newline */
  gboolean large;      /* the buffer has grown beyond what is kept */
  gboolean discarding; /* the rest of a line that is too long */
};

StintAcpLines *
stint_acp_lines_new (gsize max)
{
  StintAcpLines *self = g_new0 (StintAcpLines, 1);

  self->buffer = g_byte_array_new ();
  self->max = max;
  return self;
}

void
stint_acp_lines_free (StintAcpLines *self)
{
  if (self == NULL)
    return;
  g_byte_array_unref (self->buffer);
  g_free (self);
}

static void
drop_given_out (StintAcpLines *self)
{
  if (self->start == 0)
    return;
  g_byte_array_remove_range (self->buffer, 0, (guint) self->start);
  self->start = 0;
  if (self->large && self->buffer->len < STINT_ACP_KEPT)
    {
      GByteArray *old = g_steal_pointer (&self->buffer);

      self->buffer = g_byte_array_append (g_byte_array_new (), old->data, old->len);
      g_byte_array_unref (old);
      self->large = FALSE;
    }
}

/* After a long line it may be long until the next. */
static void
drop_long (StintAcpLines *self)
{
  if (self->large && self->start == self->buffer->len)
    drop_given_out (self);
}

gssize
stint_acp_lines_read (StintAcpLines *self, int fd, gsize size)
{
  guint length;
  gssize n;

  drop_given_out (self);
  length = self->buffer->len;
  g_byte_array_set_size (self->buffer, length + (guint) size);
  n = read (fd, self->buffer->data + length, size);
  g_byte_array_set_size (self->buffer, length + (guint) MAX (n, 0));
  self->large = self->large || self->buffer->len > STINT_ACP_KEPT;
  return n;
}

/* Gives out @length bytes, and @end of them, the end of a line, without being told. */
static const char *
give_out (StintAcpLines *self, gsize *length, gsize end)
{
  const char *line = (const char *) self->buffer->data + self->start;

  self->start += *length + end;
  self->scanned = 0;
  if (*length > 0 && line[*length - 1] == '\r')
    (*length)--;
  return line;
}

const char *
stint_acp_lines_next (StintAcpLines *self, gsize *length, gboolean *too_long)
{
  if (too_long != NULL)
    *too_long = FALSE;
  while (self->start + self->scanned < self->buffer->len)
    {
      const char *data = (const char *) self->buffer->data + self->start;
      gsize left = self->buffer->len - self->start;
      const char *newline = memchr (data + self->scanned, '\n', left - self->scanned);
      gboolean wanted = !self->discarding;
      const char *line;

      if (newline == NULL && !self->discarding && left <= self->max)
        {
          self->scanned = left;
          break;
        }
      self->discarding = newline == NULL;
      *length = newline != NULL ? (gsize) (newline - data) : left;
      line = give_out (self, length, newline != NULL ? 1 : 0);
      if (!wanted || *length == 0)
        continue;
      if (too_long != NULL)
        *too_long = self->discarding || *length > self->max;
      return line;
    }
  drop_long (self);
  return NULL;
}

const char *
stint_acp_lines_rest (StintAcpLines *self, gsize *length)
{
  *length = self->discarding ? 0 : self->buffer->len - self->start;
  if (*length > 0)
    return give_out (self, length, 0);
  drop_long (self);
  return NULL;
}

gsize
stint_acp_lines_get_rest (StintAcpLines *self)
{
  return self->discarding ? G_MAXSIZE : self->buffer->len - self->start;
}
