/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The protocol log: a line of JSON for each message that passed, `{"t":TIME,"d":"in","m":…}`, in the
 * order in which they passed. The message is there as it was written.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-log.h"

#include "stint-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Written when there is this much, or when there is time. */
#define BUFFER_SIZE (256 * 1024)
#define READ_SIZE (64 * 1024)

/* Around a message in its line. */
#define MAX_ENVELOPE 128

static const char *const directions[] = { "in", "out", "junk", "host" };

struct _StintAcpLog
{
  int fd; /* -1: it cannot be written */
  int error;
  guint64 limit;
  guint64 size;    /* of the file */
  guint64 dropped; /* messages */
  GString *buffer;
};

void
stint_acp_log_entry_free (StintAcpLogEntry *self)
{
  g_clear_pointer (&self->node, json_node_unref);
  g_free (self->text);
  g_free (self);
}

StintAcpLog *
stint_acp_log_new (const char *directory, guint64 limit)
{
  StintAcpLog *self = g_new0 (StintAcpLog, 1);
  g_autofree char *path = g_build_filename (directory, STINT_ACP_LOG_FILE, NULL);

  self->limit = limit;
  self->buffer = g_string_new (NULL);
  self->fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (self->fd < 0)
    self->error = errno;
  return self;
}

static void
fail (StintAcpLog *self, int code)
{
  self->error = code;
  close (self->fd);
  self->fd = -1;
}

guint64
stint_acp_log_flush (StintAcpLog *self)
{
  for (gsize done = 0; self->fd >= 0 && done < self->buffer->len;)
    {
      ssize_t n = write (self->fd, self->buffer->str + done, self->buffer->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          fail (self, errno);
          break;
        }
      done += (gsize) n;
      self->size += (guint64) n;
    }
  g_string_truncate (self->buffer, 0);
  return self->size;
}

/* What an agent writes to its stdout by mistake may be any bytes. */
static char *
quote_junk (const char *line, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (line, (gssize) MIN (length, READ_SIZE));
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);

  return stint_json_to_text (node, FALSE);
}

void
stint_acp_log_append (StintAcpLog *self,
                      StintAcpDirection direction,
                      const char *line,
                      gsize length)
{
  g_autofree char *quoted = NULL;

  if (self->fd < 0)
    return;
  if (self->size + self->buffer->len + length + MAX_ENVELOPE > self->limit)
    {
      self->dropped++;
      return;
    }
  if (direction == STINT_ACP_JUNK)
    {
      quoted = quote_junk (line, length);
      line = quoted;
      length = strlen (quoted);
    }
  g_string_append_printf (self->buffer,
                          "{\"t\":%" G_GINT64_FORMAT ",\"d\":\"%s\",\"m\":", g_get_real_time (),
                          directions[direction]);
  g_string_append_len (self->buffer, line, (gssize) length);
  g_string_append (self->buffer, "}\n");
  if (self->buffer->len >= BUFFER_SIZE)
    stint_acp_log_flush (self);
}

int
stint_acp_log_get_error (StintAcpLog *self)
{
  return self->error;
}

void
stint_acp_log_free (StintAcpLog *self)
{
  if (self == NULL)
    return;
  if (self->dropped > 0)
    g_string_append_printf (self->buffer,
                            "{\"t\":%" G_GINT64_FORMAT
                            ",\"d\":\"host\",\"m\":{\"dropped\":%" G_GUINT64_FORMAT "}}\n",
                            g_get_real_time (), self->dropped);
  stint_acp_log_flush (self);
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->buffer, TRUE);
  g_free (self);
}

/* Reading */

struct _StintAcpLogReader
{
  int fd;
  GByteArray *buffer; /* what has been read and not given out */
  gsize start;
  gsize scanned; /* of the buffer, from `start` on, holds no newline */
};

StintAcpLogReader *
stint_acp_log_reader_new (const char *directory, GError **error)
{
  g_autofree char *path = g_build_filename (directory, STINT_ACP_LOG_FILE, NULL);
  StintAcpLogReader *self;
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);

  if (fd < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("The protocol log of this job cannot be read: %s"), g_strerror (code));
      return NULL;
    }
  self = g_new0 (StintAcpLogReader, 1);
  self->fd = fd;
  self->buffer = g_byte_array_new ();
  return self;
}

/* Returns: whether there was more. */
static gboolean
read_more (StintAcpLogReader *self)
{
  guint length;
  ssize_t n;

  if (self->start > 0)
    {
      g_byte_array_remove_range (self->buffer, 0, (guint) self->start);
      self->start = 0;
    }
  length = self->buffer->len;
  /* Longer than any line that was written: not one of ours. */
  if (length > 2u * STINT_ACP_MAX_LINE)
    {
      g_byte_array_set_size (self->buffer, 0);
      self->scanned = 0;
      length = 0;
    }
  g_byte_array_set_size (self->buffer, length + READ_SIZE);
  do
    n = read (self->fd, self->buffer->data + length, READ_SIZE);
  while (n < 0 && errno == EINTR);
  g_byte_array_set_size (self->buffer, length + (guint) MAX (n, 0));
  return n > 0;
}

/* Returns: (nullable): the next whole line. */
static char *
next_line (StintAcpLogReader *self, gsize *length)
{
  do
    {
      char *line = (char *) self->buffer->data + self->start;
      gsize left = self->buffer->len - self->start;
      char *newline =
          left > self->scanned ? memchr (line + self->scanned, '\n', left - self->scanned) : NULL;

      if (newline != NULL)
        {
          *length = (gsize) (newline - line);
          self->start += *length + 1;
          self->scanned = 0;
          return line;
        }
      self->scanned = left;
    }
  while (read_more (self));
  return NULL;
}

static StintAcpLogEntry *
parse_entry (const char *line, gsize length)
{
  g_autoptr (StintAcpLogEntry) entry = g_new0 (StintAcpLogEntry, 1);
  g_autoptr (JsonNode) node = stint_acp_parse_json (line, length, NULL, NULL);
  JsonObject *object = stint_acp_node_object (node);
  const char *direction = stint_acp_get_string (object, "d");
  JsonNode *message = object != NULL ? json_object_get_member (object, "m") : NULL;
  guint i;

  for (i = 0; i < G_N_ELEMENTS (directions); i++)
    if (g_strcmp0 (direction, directions[i]) == 0)
      break;
  if (i == G_N_ELEMENTS (directions) || message == NULL)
    return NULL;
  entry->direction = (StintAcpDirection) i;
  entry->time = stint_acp_get_int (object, "t", 0);
  if (entry->direction == STINT_ACP_JUNK)
    entry->text = g_strdup (stint_acp_get_string (object, "m"));
  else
    entry->node = json_node_ref (message);
  return g_steal_pointer (&entry);
}

StintAcpLogEntry *
stint_acp_log_reader_next (StintAcpLogReader *self)
{
  const char *line;
  gsize length;

  while ((line = next_line (self, &length)) != NULL)
    {
      StintAcpLogEntry *entry = parse_entry (line, length);

      if (entry != NULL)
        return entry;
    }
  return NULL;
}

void
stint_acp_log_reader_free (StintAcpLogReader *self)
{
  close (self->fd);
  g_byte_array_unref (self->buffer);
  g_free (self);
}
