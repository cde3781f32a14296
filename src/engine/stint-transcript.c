/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Reads what a keeper records, while it does and afterwards. Never writes.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-transcript-private.h"

#include "stint-error.h"
#include "stint-result-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _StintTranscript
{
  GObject parent_instance;

  char *directory;
  StintCounters *counters; /* (nullable): while the job runs */
  int output_fd;           /* -1 until it is needed */
  int index_fd;
  gboolean measured; /* the following hold */
  guint64 size;
  guint64 hole_start;
  guint64 hole_end;
  guint64 lost;
  guint n_followers;
};

G_DEFINE_FINAL_TYPE (StintTranscript, stint_transcript, G_TYPE_OBJECT)

enum
{
  SIGNAL_GREW,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
open_file (StintTranscript *self, int *fd, const char *name, GError **error)
{
  g_autofree char *path = NULL;

  if (*fd >= 0)
    return TRUE;
  path = g_build_filename (self->directory, name, NULL);
  *fd = open (path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (*fd < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("Cannot read the output in “%s”: %s"), path, g_strerror (code));
      return FALSE;
    }
  return TRUE;
}

/* A keeper that was killed with its warden left no outcome: the file itself has to tell. */
static void
measure_file (StintTranscript *self)
{
  struct stat status;
  off_t hole, data;

  if (!open_file (self, &self->output_fd, KEEPER_FILE_OUTPUT, NULL) ||
      fstat (self->output_fd, &status) < 0)
    return;
  self->measured = TRUE;
  self->size = (guint64) status.st_size;
  hole = lseek (self->output_fd, 0, SEEK_HOLE);
  data = hole >= 0 ? lseek (self->output_fd, hole, SEEK_DATA) : -1;
  if (hole >= 0 && data > hole)
    {
      self->hole_start = (guint64) hole;
      self->hole_end = (guint64) data;
    }
}

static void
measure (StintTranscript *self)
{
  struct keeper_outcome outcome;

  if (self->counters != NULL || self->measured)
    return;
  if (stint_outcome_read (self->directory, &outcome, NULL))
    {
      self->size = outcome.size;
      self->hole_start = outcome.hole_start;
      self->hole_end = outcome.hole_end;
      self->lost = outcome.lost;
      self->measured = TRUE;
    }
  else
    {
      measure_file (self);
    }
}

guint64
stint_transcript_get_size (StintTranscript *self)
{
  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), 0);

  if (self->counters != NULL)
    return stint_counters_get_page (self->counters)->size;
  measure (self);
  return self->size;
}

gboolean
stint_transcript_is_complete (StintTranscript *self)
{
  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), TRUE);
  return self->counters == NULL;
}

void
stint_transcript_get_hole (StintTranscript *self, guint64 *start, guint64 *end)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self));

  if (self->counters != NULL)
    {
      const struct keeper_counters *page = stint_counters_get_page (self->counters);

      /* The start is set before the end the first time, and only the end moves after that. */
      *end = page->hole_end;
      *start = page->hole_start;
      if (*start > *end)
        *start = *end;
      return;
    }
  measure (self);
  *start = self->hole_start;
  *end = self->hole_end;
}

guint64
stint_transcript_get_lost (StintTranscript *self)
{
  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), 0);

  if (self->counters != NULL)
    return stint_counters_get_page (self->counters)->lost;
  measure (self);
  return self->lost;
}

/* Returns: how much can be read from *@offset in one go, which is moved out of the hole first. */
static gsize
find_readable (StintTranscript *self, guint64 *offset, gsize size, guint64 *skipped)
{
  guint64 hole_start, hole_end, end = stint_transcript_get_size (self);

  stint_transcript_get_hole (self, &hole_start, &hole_end);
  if (*offset >= hole_start && *offset < hole_end)
    {
      *skipped += hole_end - *offset;
      *offset = hole_end;
    }
  if (*offset < hole_start)
    end = MIN (end, hole_start);
  return *offset < end ? (gsize) MIN ((guint64) size, end - *offset) : 0;
}

gssize
stint_transcript_read (StintTranscript *self,
                       guint64 *offset,
                       guint8 *buffer,
                       gsize size,
                       guint64 *skipped,
                       GError **error)
{
  guint64 passed = 0, hole_start, hole_end;
  gsize wanted;
  ssize_t n;

  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self) && offset != NULL && buffer != NULL, -1);

  do
    {
      wanted = find_readable (self, offset, size, &passed);
      if (skipped != NULL)
        *skipped = passed;
      if (wanted == 0)
        return 0;
      if (!open_file (self, &self->output_fd, KEEPER_FILE_OUTPUT, error))
        return -1;
      n = pread (self->output_fd, buffer, wanted, (off_t) *offset);
      /* The hole may have grown over what was just read: then it may be zeros. */
      stint_transcript_get_hole (self, &hole_start, &hole_end);
    }
  while ((n < 0 && errno == EINTR) || (n > 0 && *offset >= hole_start && *offset < hole_end));

  if (n < 0)
    {
      int code = errno;

      g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                   _ ("Cannot read the output of the job: %s"), g_strerror (code));
      return -1;
    }
  if (*offset < hole_start && hole_start < hole_end && *offset + (guint64) n > hole_start)
    n = (ssize_t) (hole_start - *offset);
  *offset += (guint64) n;
  return n;
}

static gboolean
is_continuation (guint8 byte)
{
  return (byte & 0xc0) == 0x80;
}

guint64
stint_transcript_get_tail_offset (StintTranscript *self, gsize max_bytes)
{
  guint64 size = stint_transcript_get_size (self);
  guint64 offset = size > max_bytes ? size - max_bytes : 0, at = offset;
  guint8 buffer[4096];
  const guint8 *newline;
  gssize n;

  if (offset == 0)
    return 0;
  n = stint_transcript_read (self, &at, buffer, sizeof buffer, NULL, NULL);
  if (n <= 0)
    return offset;
  offset = at - (guint64) n;

  newline = memchr (buffer, '\n', (gsize) n);
  if (newline != NULL && newline + 1 < buffer + n)
    return offset + (guint64) (newline + 1 - buffer);
  for (gssize i = 0; i < MIN (n, 4); i++)
    if (!is_continuation (buffer[i]))
      return offset + (guint64) i;
  /* Nothing but the rest of one character; or, if there is more, no text. */
  return n <= 3 ? offset + (guint64) n : offset;
}

typedef struct
{
  guint64 start;
  guint64 end;
} Range;

/* Notes @start to @end, or as much of its end as is still wanted. The ranges come last first. */
static void
add_range (GArray *ranges, guint64 start, guint64 end, gsize *wanted)
{
  Range range = { MAX (start, end - MIN (end, *wanted)), end };

  if (range.start >= end)
    return;
  *wanted -= (gsize) (end - range.start);
  if (ranges->len > 0 && g_array_index (ranges, Range, ranges->len - 1).start == end)
    g_array_index (ranges, Range, ranges->len - 1).start = range.start;
  else
    g_array_append_val (ranges, range);
}

static gboolean
append_range (StintTranscript *self, GByteArray *bytes, const Range *range, GError **error)
{
  guint64 offset = range->start;

  while (offset < range->end)
    {
      guint8 chunk[65536];
      gssize n = stint_transcript_read (self, &offset, chunk,
                                        (gsize) MIN (sizeof chunk, range->end - offset), NULL, error);

      if (n < 0)
        return FALSE;
      if (n == 0)
        break;
      /* A hole that was passed over may end behind the range. */
      if (offset > range->end)
        n -= (gssize) MIN ((guint64) n, offset - range->end);
      g_byte_array_append (bytes, chunk, (guint) n);
    }
  return TRUE;
}

/* Returns: (nullable): the index, mapped; its length in records to @n. */
static GMappedFile *
map_index (StintTranscript *self, gsize *n)
{
  g_autoptr (GMappedFile) file = NULL;

  *n = 0;
  if (!open_file (self, &self->index_fd, KEEPER_FILE_INDEX, NULL))
    return NULL;
  file = g_mapped_file_new_from_fd (self->index_fd, FALSE, NULL);
  if (file != NULL)
    *n = g_mapped_file_get_length (file) / sizeof (struct keeper_index_record);
  return g_steal_pointer (&file);
}

/* Where the limit removed a part of the index there are zeros: what only the first record can be. The
 * hole ends at a block's edge, within a record: what is left of that one has lost its offset. */
static gboolean
is_record (const struct keeper_index_record *records, gsize i)
{
  static const struct keeper_index_record removed;

  return i == 0 || records[i].offset != 0 ||
         (records[i].time != 0 && memcmp (&records[i - 1], &removed, sizeof removed) != 0);
}

GBytes *
stint_transcript_read_stream (StintTranscript *self,
                              StintStream stream,
                              gsize max_bytes,
                              GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  g_autoptr (GArray) ranges = g_array_new (FALSE, FALSE, sizeof (Range));
  g_autoptr (GMappedFile) index = NULL;
  const struct keeper_index_record *records;
  guint64 end = stint_transcript_get_size (self), hole_start, hole_end;
  gsize n, wanted = max_bytes;

  stint_transcript_get_hole (self, &hole_start, &hole_end);
  index = map_index (self, &n);
  records = index != NULL ? (gconstpointer) g_mapped_file_get_contents (index) : NULL;

  while (n > 0 && wanted > 0)
    {
      const struct keeper_index_record *record = &records[--n];

      if (record->kind != KEEPER_INDEX_OUTPUT || !is_record (records, n) || record->offset >= end)
        continue;
      if (record->value == (guint32) stream)
        {
          /* What the hole takes is not wanted. */
          if (hole_start < hole_end && end > hole_end)
            add_range (ranges, MAX (record->offset, hole_end), end, &wanted);
          add_range (ranges, record->offset, hole_start < hole_end ? MIN (end, hole_start) : end, &wanted);
        }
      end = record->offset;
    }
  /* Without an index nobody can tell the streams apart any more. */
  if (records == NULL && stream == STINT_STREAM_STDOUT)
    add_range (ranges, 0, end, &wanted);
  for (guint i = ranges->len; i > 0; i--)
    if (!append_range (self, bytes, &g_array_index (ranges, Range, i - 1), error))
      return NULL;
  return g_byte_array_free_to_bytes (g_steal_pointer (&bytes));
}

gboolean
stint_transcript_get_size_at (StintTranscript *self, guint64 offset, guint *columns, guint *rows)
{
  g_autoptr (GMappedFile) index = NULL;
  const struct keeper_index_record *records, *found = NULL;
  gsize n;

  g_return_val_if_fail (STINT_IS_TRANSCRIPT (self), FALSE);

  index = map_index (self, &n);
  records = index != NULL ? (gconstpointer) g_mapped_file_get_contents (index) : NULL;
  while (n > 0 && (found == NULL || found->offset > offset))
    if (records[--n].kind == KEEPER_INDEX_RESIZE && is_record (records, n))
      found = &records[n];
  if (found == NULL)
    return FALSE;
  *columns = found->value >> 16;
  *rows = found->value & 0xffff;
  return *columns > 0 && *rows > 0;
}

static void
handle_grew (StintTranscript *self)
{
  g_signal_emit (self, signals[SIGNAL_GREW], 0);
}

void
stint_transcript_follow (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self));

  if (self->n_followers++ == 0 && self->counters != NULL)
    stint_counters_follow (self->counters);
}

void
stint_transcript_unfollow (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self) && self->n_followers > 0);

  if (--self->n_followers == 0 && self->counters != NULL)
    stint_counters_unfollow (self->counters);
}

static void
drop_counters (StintTranscript *self)
{
  if (self->counters == NULL)
    return;
  g_signal_handlers_disconnect_by_func (self->counters, handle_grew, self);
  if (self->n_followers > 0)
    stint_counters_unfollow (self->counters);
  g_clear_object (&self->counters);
}

void
stint_transcript_complete (StintTranscript *self)
{
  g_return_if_fail (STINT_IS_TRANSCRIPT (self));

  if (self->counters == NULL)
    return;
  self->size = stint_transcript_get_size (self);
  self->lost = stint_transcript_get_lost (self);
  stint_transcript_get_hole (self, &self->hole_start, &self->hole_end);
  self->measured = TRUE;
  drop_counters (self);
  g_signal_emit (self, signals[SIGNAL_GREW], 0);
}

void
stint_transcript_hold_open (StintTranscript *self)
{
  open_file (self, &self->output_fd, KEEPER_FILE_OUTPUT, NULL);
  open_file (self, &self->index_fd, KEEPER_FILE_INDEX, NULL);
}

static void
stint_transcript_dispose (GObject *object)
{
  drop_counters (STINT_TRANSCRIPT (object));
  G_OBJECT_CLASS (stint_transcript_parent_class)->dispose (object);
}

static void
stint_transcript_finalize (GObject *object)
{
  StintTranscript *self = STINT_TRANSCRIPT (object);

  if (self->output_fd >= 0)
    close (self->output_fd);
  if (self->index_fd >= 0)
    close (self->index_fd);
  g_free (self->directory);
  G_OBJECT_CLASS (stint_transcript_parent_class)->finalize (object);
}

static void
stint_transcript_class_init (StintTranscriptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_transcript_dispose;
  object_class->finalize = stint_transcript_finalize;

  signals[SIGNAL_GREW] = g_signal_new ("grew", STINT_TYPE_TRANSCRIPT, G_SIGNAL_RUN_LAST, 0, NULL,
                                       NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_transcript_init (StintTranscript *self)
{
  self->output_fd = -1;
  self->index_fd = -1;
}

StintTranscript *
stint_transcript_new (const char *directory)
{
  StintTranscript *self = g_object_new (STINT_TYPE_TRANSCRIPT, NULL);

  self->directory = g_strdup (directory);
  return self;
}

StintTranscript *
stint_transcript_new_live (const char *directory, StintCounters *counters)
{
  StintTranscript *self = stint_transcript_new (directory);

  self->counters = g_object_ref (counters);
  g_signal_connect_swapped (counters, "grew", G_CALLBACK (handle_grew), self);
  return self;
}

char *
stint_text_from_bytes (GBytes *bytes)
{
  gsize size;
  const char *start = g_bytes_get_data (bytes, &size);
  const char *end, *last;

  if (size == 0)
    return g_strdup ("");
  end = start + size;
  for (int i = 0; i < 3 && start < end && is_continuation ((guint8) *start); i++)
    start++;

  /* The lead byte of the last sequence, if it wants more than there is. */
  for (last = end; last > start && end - last < 4;)
    {
      guint8 byte = (guint8) * (--last);

      if (is_continuation (byte))
        continue;
      if (byte >= 0xc0 && last + g_utf8_skip[byte] > end)
        end = last;
      break;
    }
  return g_utf8_make_valid (start, end - start);
}
