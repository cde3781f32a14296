/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The protocol log: a line of JSON for each message that passed, `{"t":TIME,"d":"in","m":…}`, in the
 * order in which they passed. The message is there as it was written.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-acp-log.h"

#include "stint-acp-lines.h"
#include "stint-json.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define READ_SIZE (64 * 1024)

/* Around a message in its line. */
#define MAX_ENVELOPE 128

static const char *const directions[] = { "in", "out", "junk", "host" };

struct _StintAcpLog
{
  guint64 limit;

  /* Of who flushes */
  int fd; /* -1: it cannot be written */
  GString *writing;

  /* Shared, under the lock */
  GMutex lock;
  GString *buffer; /* what has not been flushed */
  int error;
  guint64 size;    /* of the file, and of what is being written */
  guint64 dropped; /* messages */
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
  self->writing = g_string_new (NULL);
  g_mutex_init (&self->lock);
  /* What nobody reads is an error and not waited for; it is written by a thread that may wait. */
  self->fd = open (path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (self->fd < 0)
    self->error = errno;
  else
    g_unix_set_fd_nonblocking (self->fd, FALSE, NULL);
  return self;
}

static void
fail (StintAcpLog *self, int code)
{
  g_mutex_lock (&self->lock);
  self->error = code;
  g_mutex_unlock (&self->lock);
  close (g_steal_fd (&self->fd));
}

guint64
stint_acp_log_flush (StintAcpLog *self)
{
  GString *filled;
  guint64 size;

  g_string_truncate (self->writing, 0);
  g_mutex_lock (&self->lock);
  filled = self->buffer;
  self->buffer = self->writing;
  self->size += filled->len;
  size = self->size;
  g_mutex_unlock (&self->lock);
  self->writing = filled;

  for (gsize done = 0; self->fd >= 0 && done < filled->len;)
    {
      ssize_t n = write (self->fd, filled->str + done, filled->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          fail (self, n < 0 ? errno : EIO);
          break;
        }
      done += (gsize) n;
    }
  if (filled->allocated_len > STINT_ACP_KEPT)
    {
      g_string_free (filled, TRUE);
      self->writing = g_string_new (NULL);
    }
  return size;
}

/* What an agent writes to its stdout by mistake may be any bytes. */
static char *
quote_junk (const char *line, gsize length)
{
  g_autofree char *valid = g_utf8_make_valid (line, (gssize) MIN (length, READ_SIZE));
  g_autoptr (JsonNode) node = json_node_init_string (json_node_alloc (), valid);

  return stint_json_to_text (node, FALSE);
}

/* To be called with the lock. */
static void
put (StintAcpLog *self, StintAcpDirection direction, const char *line, gsize length)
{
  char time[24];

  g_snprintf (time, sizeof time, "%" G_GINT64_FORMAT, g_get_real_time ());
  g_string_append (self->buffer, "{\"t\":");
  g_string_append (self->buffer, time);
  g_string_append (self->buffer, ",\"d\":\"");
  g_string_append (self->buffer, directions[direction]);
  g_string_append (self->buffer, "\",\"m\":");
  g_string_append_len (self->buffer, line, (gssize) length);
  g_string_append (self->buffer, "}\n");
}

void
stint_acp_log_append (StintAcpLog *self,
                      StintAcpDirection direction,
                      const char *line,
                      gsize length)
{
  g_autofree char *quoted = NULL;

  if (direction == STINT_ACP_JUNK)
    {
      quoted = quote_junk (line, length);
      line = quoted;
      length = strlen (quoted);
    }
  g_mutex_lock (&self->lock);
  if (self->error == 0 &&
      self->size + self->buffer->len + length + MAX_ENVELOPE > self->limit)
    self->dropped++;
  else if (self->error == 0)
    put (self, direction, line, length);
  g_mutex_unlock (&self->lock);
}

gsize
stint_acp_log_get_unwritten (StintAcpLog *self)
{
  gsize length;

  g_mutex_lock (&self->lock);
  length = self->buffer->len;
  g_mutex_unlock (&self->lock);
  return length;
}

int
stint_acp_log_get_error (StintAcpLog *self)
{
  int error;

  g_mutex_lock (&self->lock);
  error = self->error;
  g_mutex_unlock (&self->lock);
  return error;
}

void
stint_acp_log_free (StintAcpLog *self)
{
  if (self == NULL)
    return;
  if (self->dropped > 0)
    {
      g_autofree char *dropped = g_strdup_printf ("{\"dropped\":%" G_GUINT64_FORMAT "}", self->dropped);

      put (self, STINT_ACP_HOST, dropped, strlen (dropped));
    }
  stint_acp_log_flush (self);
  if (self->fd >= 0)
    close (self->fd);
  g_string_free (self->buffer, TRUE);
  g_string_free (self->writing, TRUE);
  g_mutex_clear (&self->lock);
  g_free (self);
}

/* Reading */

struct _StintAcpLogReader
{
  int fd;
  StintAcpLines *lines;
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
  /* Longer than any line that was written: not one of ours. */
  self->lines = stint_acp_lines_new (2u * STINT_ACP_MAX_LINE);
  return self;
}

/* Returns: (nullable): the next whole line. */
static const char *
next_line (StintAcpLogReader *self, gsize *length)
{
  const char *line;
  gssize n;

  while ((line = stint_acp_lines_next (self->lines, length, NULL)) == NULL)
    {
      do
        n = stint_acp_lines_read (self->lines, self->fd, READ_SIZE);
      while (n < 0 && errno == EINTR);
      if (n <= 0)
        return NULL;
    }
  return line;
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
  stint_acp_lines_free (self->lines);
  g_free (self);
}
