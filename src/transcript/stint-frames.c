/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compressed files that can be read from the middle: our own skippable frame, zstd frames of one
 * size, and the seek table of zstd's seekable format.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-frames.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* Larger ones compress better, smaller ones are read faster from the middle. */
#define FRAME_SIZE (1024u * 1024u)
#define LEVEL 3

/* What a frame of somebody else's making may decompress to. */
#define MAX_FRAME_SIZE (16u * 1024u * 1024u)

#define HEADER_MAGIC 0x184d2a50u /* a skippable frame */
#define TABLE_MAGIC 0x184d2a5eu
#define FOOTER_MAGIC 0x8f92eab1u
#define OUR_MAGIC 0x464b5453u /* "STKF" */

/* All numbers in the file are little-endian. */
typedef struct
{
  guint32 magic;
  guint32 size; /* of what follows */
  guint32 our_magic;
  guint32 version;
  guint64 length;
  guint64 hole_start;
  guint64 hole_end;
} Header;

typedef struct
{
  guint32 compressed;
  guint32 decompressed;
} Entry;

#define FOOTER_SIZE 9 /* number of frames, descriptor, magic: not aligned */

typedef struct
{
  guint64 at;     /* in the compressed file */
  guint64 offset; /* of what it holds, without the hole */
} Place;

struct _StintFrames
{
  int fd;
  guint64 size;
  guint64 hole_start;
  guint64 hole_end;
  guint32 n;
  Place *places; /* n + 1 */
  ZSTD_DCtx *context;

  guint8 *frame; /* the one read last, decompressed */
  guint32 frame_number;
  gsize frame_length; /* 0: none */
  guint8 *compressed;
  gsize compressed_room;
};

static gboolean
fail_damaged (GError **error)
{
  g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                       _ ("The compressed output is damaged"));
  return FALSE;
}

static gboolean
fail_errno (GError **error, const char *format, int code)
{
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), format, g_strerror (code));
#pragma GCC diagnostic pop
  return FALSE;
}

static gboolean
read_all (int fd, void *buffer, gsize size, guint64 offset, GError **error)
{
  gsize done = 0;

  while (done < size)
    {
      ssize_t n = pread (fd, (guint8 *) buffer + done, size - done, (off_t) (offset + done));

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        return fail_errno (error, _ ("Cannot read the compressed output: %s"), errno);
      if (n == 0)
        return fail_damaged (error);
      done += (gsize) n;
    }
  return TRUE;
}

static gboolean
write_all (int fd, const void *buffer, gsize size, GError **error)
{
  gsize done = 0;

  while (done < size)
    {
      ssize_t n = write (fd, (const guint8 *) buffer + done, size - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        return fail_errno (error, _ ("Cannot write the compressed output: %s"),
                           n < 0 ? errno : ENOSPC);
      done += (gsize) n;
    }
  return TRUE;
}

static gboolean
read_header (StintFrames *self, guint64 file_size, GError **error)
{
  Header header;

  if (file_size < sizeof header)
    return fail_damaged (error);
  if (!read_all (self->fd, &header, sizeof header, 0, error))
    return FALSE;
  self->size = GUINT64_FROM_LE (header.length);
  self->hole_start = GUINT64_FROM_LE (header.hole_start);
  self->hole_end = GUINT64_FROM_LE (header.hole_end);
  if (GUINT32_FROM_LE (header.magic) != HEADER_MAGIC ||
      GUINT32_FROM_LE (header.size) != sizeof header - 8 ||
      GUINT32_FROM_LE (header.our_magic) != OUR_MAGIC || GUINT32_FROM_LE (header.version) != 1 ||
      self->hole_start > self->hole_end || self->hole_end > self->size || self->size > G_MAXINT64)
    return fail_damaged (error);
  return TRUE;
}

/* Returns: the length of the table, without its footer; 0 if there is none. */
static guint64
find_table (StintFrames *self, guint64 file_size, GError **error)
{
  guint8 footer[FOOTER_SIZE];
  guint32 n, magic, head[2];
  guint64 length;

  if (!read_all (self->fd, footer, sizeof footer, file_size - sizeof footer, error))
    return 0;
  memcpy (&n, footer, sizeof n);
  memcpy (&magic, footer + 5, sizeof magic);
  self->n = GUINT32_FROM_LE (n);
  length = (guint64) self->n * sizeof (Entry);
  if (GUINT32_FROM_LE (magic) != FOOTER_MAGIC || footer[4] != 0 ||
      file_size < sizeof (Header) + sizeof head + length + sizeof footer)
    return fail_damaged (error), 0;
  if (!read_all (self->fd, head, sizeof head, file_size - sizeof footer - length - sizeof head, error))
    return 0;
  if (GUINT32_FROM_LE (head[0]) != TABLE_MAGIC ||
      GUINT32_FROM_LE (head[1]) != length + sizeof footer)
    return fail_damaged (error), 0;
  return length + sizeof head;
}

static gboolean
read_table (StintFrames *self, guint64 file_size, GError **error)
{
  guint64 table_size = find_table (self, file_size, error);
  guint64 table_at = file_size - FOOTER_SIZE - table_size;
  guint64 at = sizeof (Header), offset = 0;
  g_autofree Entry *entries = NULL;

  if (table_size == 0)
    return FALSE;
  /* As many as the file has room for: it has been read that far. */
  entries = g_new (Entry, self->n);
  self->places = g_new (Place, (gsize) self->n + 1);
  if (!read_all (self->fd, entries, self->n * sizeof *entries, table_at + 8, error))
    return FALSE;
  for (guint32 i = 0; i < self->n; i++)
    {
      guint32 decompressed = GUINT32_FROM_LE (entries[i].decompressed);

      self->places[i] = (Place){ at, offset };
      at += GUINT32_FROM_LE (entries[i].compressed);
      offset += decompressed;
      if (at > table_at || decompressed == 0 || decompressed > MAX_FRAME_SIZE)
        return fail_damaged (error);
    }
  self->places[self->n] = (Place){ at, offset };
  if (at != table_at || offset != self->size - (self->hole_end - self->hole_start))
    return fail_damaged (error);
  return TRUE;
}

StintFrames *
stint_frames_open (int fd, GError **error)
{
  g_autoptr (StintFrames) self = g_new0 (StintFrames, 1);
  struct stat status;

  self->fd = fd;
  if (fstat (fd, &status) < 0)
    return fail_errno (error, _ ("Cannot read the compressed output: %s"), errno), NULL;
  if (!read_header (self, (guint64) status.st_size, error) ||
      !read_table (self, (guint64) status.st_size, error))
    return NULL;
  self->context = ZSTD_createDCtx ();
  return g_steal_pointer (&self);
}

void
stint_frames_free (StintFrames *self)
{
  if (self->fd >= 0)
    close (self->fd);
  ZSTD_freeDCtx (self->context);
  g_free (self->places);
  g_free (self->frame);
  g_free (self->compressed);
  g_free (self);
}

guint64
stint_frames_get_size (StintFrames *self)
{
  return self->size;
}

void
stint_frames_get_hole (StintFrames *self, guint64 *start, guint64 *end)
{
  *start = self->hole_start;
  *end = self->hole_end;
}

static guint32
find_frame (StintFrames *self, guint64 offset)
{
  guint32 low = 0, high = self->n;

  while (high - low > 1)
    {
      guint32 middle = low + (high - low) / 2;

      if (self->places[middle].offset <= offset)
        low = middle;
      else
        high = middle;
    }
  return low;
}

static gboolean
load_frame (StintFrames *self, guint32 number, GError **error)
{
  const Place *place = &self->places[number];
  gsize compressed = (gsize) (place[1].at - place[0].at);
  gsize length = (gsize) (place[1].offset - place[0].offset);

  if (self->frame_length > 0 && self->frame_number == number)
    return TRUE;
  if (compressed > ZSTD_compressBound (MAX_FRAME_SIZE))
    return fail_damaged (error);
  if (compressed > self->compressed_room)
    {
      self->compressed = g_realloc (self->compressed, compressed);
      self->compressed_room = compressed;
    }
  self->frame = g_realloc (self->frame, MAX (length, FRAME_SIZE));
  self->frame_length = 0;
  if (!read_all (self->fd, self->compressed, compressed, place->at, error))
    return FALSE;
  if (ZSTD_decompressDCtx (self->context, self->frame, length, self->compressed, compressed) != length)
    return fail_damaged (error);
  self->frame_number = number;
  self->frame_length = length;
  return TRUE;
}

gssize
stint_frames_pread (StintFrames *self, void *buffer, gsize size, guint64 offset, GError **error)
{
  guint64 end = offset < self->hole_start ? self->hole_start : self->size;
  guint64 stored = offset < self->hole_start ? offset : offset - (self->hole_end - self->hole_start);
  guint32 number;
  gsize within;

  if (self->hole_start == self->hole_end)
    {
      end = self->size;
      stored = offset;
    }
  if (offset >= end || size == 0)
    return 0;
  /* Who asks has it from elsewhere that this is there: one of the two is damaged. */
  if (offset >= self->hole_start && offset < self->hole_end)
    return fail_damaged (error), -1;
  number = find_frame (self, stored);
  if (!load_frame (self, number, error))
    return -1;
  within = (gsize) (stored - self->places[number].offset);
  size = (gsize) MIN ((guint64) MIN (size, self->frame_length - within), end - offset);
  memcpy (buffer, self->frame + within, size);
  return (gssize) size;
}

typedef struct
{
  int fd;
  ZSTD_CCtx *context;
  ZSTD_DCtx *check;
  guint8 *plain;
  guint8 *checked;
  guint8 *compressed;
  GArray *entries; /* Entry */
} Writer;

static void
writer_init (Writer *writer, int fd)
{
  *writer = (Writer){
    .fd = fd,
    .context = ZSTD_createCCtx (),
    .check = ZSTD_createDCtx (),
    .plain = g_malloc (FRAME_SIZE),
    .checked = g_malloc (FRAME_SIZE),
    .compressed = g_malloc (ZSTD_compressBound (FRAME_SIZE)),
    .entries = g_array_new (FALSE, FALSE, sizeof (Entry)),
  };
  ZSTD_CCtx_setParameter (writer->context, ZSTD_c_compressionLevel, LEVEL);
  ZSTD_CCtx_setParameter (writer->context, ZSTD_c_checksumFlag, 1);
}

static void
writer_clear (Writer *writer)
{
  ZSTD_freeCCtx (writer->context);
  ZSTD_freeDCtx (writer->check);
  g_free (writer->plain);
  g_free (writer->checked);
  g_free (writer->compressed);
  g_array_unref (writer->entries);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Writer, writer_clear)

static gboolean
write_header (Writer *writer, guint64 size, guint64 hole_start, guint64 hole_end, GError **error)
{
  const Header header = {
    .magic = GUINT32_TO_LE (HEADER_MAGIC),
    .size = GUINT32_TO_LE (sizeof header - 8),
    .our_magic = GUINT32_TO_LE (OUR_MAGIC),
    .version = GUINT32_TO_LE (1),
    .length = GUINT64_TO_LE (size),
    .hole_start = GUINT64_TO_LE (hole_start),
    .hole_end = GUINT64_TO_LE (hole_end),
  };

  return write_all (writer->fd, &header, sizeof header, error);
}

static gboolean
write_frame (Writer *writer, gsize size, GError **error)
{
  gsize compressed = ZSTD_compress2 (writer->context, writer->compressed,
                                     ZSTD_compressBound (FRAME_SIZE), writer->plain, size);
  Entry entry = { GUINT32_TO_LE ((guint32) compressed), GUINT32_TO_LE ((guint32) size) };

  if (ZSTD_isError (compressed) ||
      ZSTD_decompressDCtx (writer->check, writer->checked, FRAME_SIZE, writer->compressed,
                           compressed) != size ||
      memcmp (writer->plain, writer->checked, size) != 0)
    {
      g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_FAILED,
                           _ ("Compressing the output did not give it back unchanged"));
      return FALSE;
    }
  g_array_append_val (writer->entries, entry);
  return write_all (writer->fd, writer->compressed, compressed, error);
}

static gboolean
write_table (Writer *writer, GError **error)
{
  guint8 footer[FOOTER_SIZE] = { 0 };
  guint32 n = GUINT32_TO_LE (writer->entries->len), magic = GUINT32_TO_LE (FOOTER_MAGIC);
  gsize size = writer->entries->len * sizeof (Entry);
  guint32 head[2] = { GUINT32_TO_LE (TABLE_MAGIC), GUINT32_TO_LE ((guint32) (size + sizeof footer)) };

  memcpy (footer, &n, sizeof n);
  memcpy (footer + 5, &magic, sizeof magic);
  return write_all (writer->fd, head, sizeof head, error) &&
         (size == 0 || write_all (writer->fd, writer->entries->data, size, error)) &&
         write_all (writer->fd, footer, sizeof footer, error);
}

/* Fills the frame up to @end. Returns: how much there was; -1 on error. */
static gssize
fill_frame (Writer *writer,
            guint64 *offset,
            guint64 hole_start,
            guint64 hole_end,
            guint64 size,
            StintFramesSource source,
            gpointer user_data,
            GError **error)
{
  gsize filled = 0;

  while (filled < FRAME_SIZE)
    {
      guint64 end;
      gssize n;

      if (*offset >= hole_start && *offset < hole_end)
        *offset = hole_end;
      end = *offset < hole_start ? hole_start : size;
      if (*offset >= end)
        break;
      n = source (writer->plain + filled, (gsize) MIN (FRAME_SIZE - filled, end - *offset), *offset,
                  user_data, error);
      if (n < 0)
        return -1;
      if (n == 0)
        {
          g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT,
                               _ ("The output is shorter than its keeper said"));
          return -1;
        }
      filled += (gsize) n;
      *offset += (guint64) n;
    }
  return (gssize) filled;
}

gboolean
stint_frames_write (int fd,
                    guint64 size,
                    guint64 hole_start,
                    guint64 hole_end,
                    StintFramesSource source,
                    gpointer user_data,
                    GCancellable *cancellable,
                    GError **error)
{
  g_auto (Writer) writer = { 0 };
  guint64 offset = 0;

  g_return_val_if_fail (hole_start <= hole_end && hole_end <= size, FALSE);

  if (hole_start == hole_end)
    hole_start = hole_end = size;
  writer_init (&writer, fd);
  if (!write_header (&writer, size, hole_start, hole_end, error))
    return FALSE;
  while (TRUE)
    {
      gssize filled;

      if (g_cancellable_set_error_if_cancelled (cancellable, error))
        return FALSE;
      filled = fill_frame (&writer, &offset, hole_start, hole_end, size, source, user_data, error);
      if (filled < 0)
        return FALSE;
      if (filled == 0)
        break;
      if (!write_frame (&writer, (gsize) filled, error))
        return FALSE;
    }
  return write_table (&writer, error);
}
