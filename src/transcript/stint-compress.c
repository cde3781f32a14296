/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compresses what a finished job has left. Holds the job's lock meanwhile, so that two programs never
 * do it at once; a keeper that still works holds it too.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-compress.h"

#include "stint-frames.h"
#include "stint-index.h"
#include "stint-job-file.h"
#include "stint-outcome.h"
#include "stint-reader-private.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NEW_SUFFIX STINT_JOB_FILE_COMPRESSED ".new" /* while it is being written */

/* The directory of one job, locked. */
typedef struct
{
  int fd;
  int lock_fd;
} Place;

static void
place_clear (Place *place)
{
  if (place->fd >= 0)
    close (place->fd);
  if (place->lock_fd >= 0)
    close (place->lock_fd);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Place, place_clear)

static gboolean
fail (GError **error, const char *directory, int code)
{
  g_set_error (error, G_IO_ERROR, code == EWOULDBLOCK ? G_IO_ERROR_BUSY : g_io_error_from_errno (code),
               _ ("Cannot compress the output in “%s”: %s"), directory, g_strerror (code));
  return FALSE;
}

static gboolean
place_open (Place *place, const char *directory, GError **error)
{
  place->lock_fd = -1;
  place->fd = open (directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (place->fd < 0)
    return fail (error, directory, errno);
  place->lock_fd = openat (place->fd, KEEPER_FILE_LOCK, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (place->lock_fd < 0)
    return fail (error, directory, errno);
  if (flock (place->lock_fd, LOCK_EX | LOCK_NB) < 0)
    return fail (error, directory, errno);
  return TRUE;
}

static gboolean
has_file (const char *directory, const char *name)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);

  return g_file_test (path, G_FILE_TEST_EXISTS);
}

gboolean
stint_compress_is_due (const char *directory)
{
  g_autofree char *path = g_build_filename (directory, KEEPER_FILE_OUTPUT, NULL);
  struct stat status;

  return has_file (directory, KEEPER_FILE_OUTCOME) && lstat (path, &status) == 0 &&
         S_ISREG (status.st_mode) && status.st_size >= STINT_COMPRESS_MIN_SIZE;
}

static gssize
read_output (void *buffer, gsize size, guint64 offset, gpointer user_data, GError **error)
{
  return stint_reader_read (user_data, &offset, buffer, size, NULL, error);
}

/* Gives the index without what its hole took: nobody asks for a record by its place in the file. */
static gssize
read_index (void *buffer, gsize size, guint64 offset, gpointer user_data, GError **error)
{
  const gsize record_size = sizeof (struct keeper_index_record);
  guint8 *bytes = buffer;
  gsize done = 0;

  while (done < size)
    {
      guint64 i = (offset + done) / record_size;
      gsize within = (gsize) ((offset + done) % record_size);
      gsize n = MIN (record_size - within, size - done);
      struct keeper_index_record record;

      if (!stint_index_get_raw (user_data, i, &record))
        break;
      memcpy (bytes + done, (const guint8 *) &record + within, n);
      done += n;
    }
  return (gssize) done;
}

typedef struct
{
  const char *name;
  guint64 size;
  guint64 hole_start;
  guint64 hole_end;
  StintFramesSource source;
  gpointer data;
} Work;

/* Writes NAME.zst.new and gives it its name, after it has reached the disk. */
static gboolean
compress_file (Place *place, const char *directory, const Work *work, GCancellable *cancellable, GError **error)
{
  g_autofree char *new_name = g_strconcat (work->name, NEW_SUFFIX, NULL);
  g_autofree char *name = g_strconcat (work->name, STINT_JOB_FILE_COMPRESSED, NULL);
  int fd = openat (place->fd, new_name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
  gboolean written;

  if (fd < 0)
    return fail (error, directory, errno);
  written = stint_frames_write (fd, work->size, work->hole_start, work->hole_end, work->source,
                                work->data, cancellable, error);
  if (written && (fdatasync (fd) < 0 || renameat (place->fd, new_name, place->fd, name) < 0))
    written = fail (error, directory, errno);
  close (fd);
  if (!written)
    unlinkat (place->fd, new_name, 0);
  return written;
}

/* What is about to be deleted must be what the reader gives, and an index that cannot be opened just
 * now must not be taken for an empty one. */
static gboolean
check_source (Place *place, StintReader *reader, const char *directory, GError **error)
{
  g_autoptr (GError) problem = NULL;
  struct stat status;

  if (fstatat (place->fd, KEEPER_FILE_OUTPUT, &status, AT_SYMLINK_NOFOLLOW) < 0)
    return fail (error, directory, errno);
  if ((guint64) status.st_size > stint_reader_get_size (reader))
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA,
                   _ ("The output in “%s” is longer than its keeper said"), directory);
      return FALSE;
    }
  if (stint_reader_get_index_file (reader, &problem) == NULL &&
      !g_error_matches (problem, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
  return TRUE;
}

static gboolean
compress_both (Place *place, const char *directory, GCancellable *cancellable, GError **error)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory);
  g_autoptr (StintIndex) index = stint_index_new (reader);
  Work output = { .name = KEEPER_FILE_OUTPUT, .source = read_output, .data = reader };
  Work records = { .name = KEEPER_FILE_INDEX, .source = read_index, .data = index };

  if (!check_source (place, reader, directory, error))
    return FALSE;
  output.size = stint_reader_get_size (reader);
  stint_reader_get_hole (reader, &output.hole_start, &output.hole_end);
  records.size = stint_index_get_n (index) * sizeof (struct keeper_index_record);
  if (!compress_file (place, directory, &records, cancellable, error))
    return FALSE;
  return compress_file (place, directory, &output, cancellable, error);
}

gboolean
stint_compress_directory (const char *directory, GCancellable *cancellable, GError **error)
{
  g_auto (Place) place = { -1, -1 };

  if (!place_open (&place, directory, error))
    return FALSE;
  /* Somebody was faster, or was killed between the last two steps. */
  if (!has_file (directory, KEEPER_FILE_OUTPUT))
    return TRUE;
  if (!compress_both (&place, directory, cancellable, error))
    return FALSE;
  fsync (place.fd);
  /* The index first: as long as `output` is there, all of this can be done again. */
  unlinkat (place.fd, KEEPER_FILE_INDEX, 0);
  unlinkat (place.fd, KEEPER_FILE_OUTPUT, 0);
  return TRUE;
}
