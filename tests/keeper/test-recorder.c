/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The transcript: every byte in its place, the index true to it, both within the limit on disk, and
 * whatever the disk does the job goes on and the loss is counted.
 *
 * pwrite and fallocate are wrapped by the linker, so that each can be made to fail or to crash.
 */
#include "in-child.h"
#include "job-directory.h"
#include "recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/resource.h>
#include <unistd.h>

#define RECORD ((guint64) sizeof (struct keeper_index_record))
#define INTERVAL 10000 /* microseconds, recorder.c's */
#define BLOCK 4096
#define CHUNK (256 * 1024) /* the most that is written at once */
#define MIB (1024 * 1024)

/* Rounding to blocks, and what a file system keeps of its own for each of two files. */
#define DISK_SLACK (8 * BLOCK)

/* A byte of output can cost a record of index. The output's hole moves by whole blocks and begins
 * after one, and what the index says of either stays. */
#define INDEX_SLACK (2 * BLOCK * RECORD)

typedef struct
{
  JobDirectory *directory;
  struct keeper_counters *counters;
  struct recorder recorder;
  int wakeup_fd;
  guint64 limit;
  gint64 now;
  guint64 total;    /* bytes that were written */
  GArray *expected; /* of struct keeper_index_record */
  guint64 most;     /* on disk, ever */
  guint8 *chunk;
} Tape;

/* What the wrapped calls do. */
static struct
{
  int output_fd;
  int index_fd;
  int output_error; /* errno of writes to the output, or 0 */
  int index_error;
  guint64 output_room; /* bytes that can still be written before the error */
  int fallocate_error;
  int reserve_error; /* of what is only reserved */
  guint n_reserved;
  guint64 index_room; /* up to here the index can be written in spite of index_error */
  gboolean die_after_output; /* a crash once the bytes are written */
  gboolean die_before_punch;
  guint n_punches;
  const struct keeper_counters *counters;
} disk;

ssize_t __real_pwrite64 (int fd, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64 (int fd, const void *bytes, size_t size, off_t offset);
int __real_fallocate64 (int fd, int mode, off_t offset, off_t size);
int __wrap_fallocate64 (int fd, int mode, off_t offset, off_t size);

static int
error_of (int fd, size_t *size, off_t offset)
{
  if (fd == disk.index_fd)
    return (guint64) offset + *size <= disk.index_room ? 0 : disk.index_error;
  if (fd != disk.output_fd || disk.output_error == 0)
    return 0;
  if (disk.output_room == 0)
    return disk.output_error;
  *size = MIN (*size, disk.output_room);
  disk.output_room -= *size;
  return 0;
}

ssize_t
__wrap_pwrite64 (int fd, const void *bytes, size_t size, off_t offset)
{
  ssize_t n;
  int error = error_of (fd, &size, offset);

  if (error != 0)
    {
      errno = error;
      return -1;
    }
  n = __real_pwrite64 (fd, bytes, size, offset);
  if (disk.die_after_output && fd == disk.output_fd)
    _exit (0);
  return n;
}

int
__wrap_fallocate64 (int fd, int mode, off_t offset, off_t size)
{
  gboolean reserves = mode == FALLOC_FL_KEEP_SIZE;

  if (reserves)
    {
      g_assert_cmpint (fd, ==, disk.index_fd);
      disk.n_reserved++;
    }
  else
    {
      g_assert_cmpint (mode, ==, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE);
      disk.n_punches++;
    }
  if (reserves && disk.reserve_error != 0)
    {
      errno = disk.reserve_error;
      return -1;
    }
  if (disk.fallocate_error != 0)
    {
      errno = disk.fallocate_error;
      return -1;
    }
  if (reserves)
    return __real_fallocate64 (fd, mode, offset, size);
  /* A reader that looks again after its pread must find the hole told of. */
  if (fd == disk.output_fd)
    {
      g_assert_cmpuint (disk.counters->hole_start, <=, (guint64) offset);
      g_assert_cmpuint (disk.counters->hole_end, >=, (guint64) (offset + size));
    }
  else
    {
      g_assert_cmpuint (disk.counters->index_hole_start, <=, (guint64) offset);
      g_assert_cmpuint (disk.counters->index_hole_end, >=, (guint64) (offset + size));
    }
  if (disk.die_before_punch)
    _exit (0);
  return __real_fallocate64 (fd, mode, offset, size);
}

/* The tape. */

static void
tape_open (Tape *tape, gboolean resume)
{
  recorder_open (&tape->recorder, tape->counters, tape->wakeup_fd, tape->directory->fd, tape->limit,
                 resume);
  disk.output_fd = tape->recorder.output_fd;
  disk.index_fd = tape->recorder.index_fd;
  disk.counters = tape->counters;
}

static Tape *
tape_new (guint64 limit)
{
  Tape *tape = g_new0 (Tape, 1);

  memset (&disk, 0, sizeof disk);
  tape->directory = job_directory_new ();
  tape->counters = shared_new (sizeof *tape->counters);
  tape->wakeup_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  tape->limit = limit;
  tape->now = 1000000;
  tape->expected = g_array_new (FALSE, FALSE, sizeof (struct keeper_index_record));
  tape->chunk = g_malloc (CHUNK);
  tape_open (tape, FALSE);
  recorder_start (&tape->recorder, tape->now);
  return tape;
}

static void
tape_free (Tape *tape)
{
  recorder_close (&tape->recorder);
  memset (&disk, 0, sizeof disk);
  disk.output_fd = disk.index_fd = -1;
  close (tape->wakeup_fd);
  shared_free (tape->counters, sizeof *tape->counters);
  job_directory_free (tape->directory);
  g_array_unref (tape->expected);
  g_free (tape->chunk);
  g_free (tape);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Tape, tape_free)

/* The rule in its simplest form: a record when the stream changes or 10 ms after the last. */
static void
expect_record (Tape *tape, enum keeper_stream stream)
{
  struct keeper_index_record record = {
    .offset = tape->total,
    .time = tape->now - 1000000,
    .kind = KEEPER_INDEX_OUTPUT,
    .value = stream,
  };

  if (tape->expected->len > 0)
    {
      const struct keeper_index_record *last = &g_array_index (
        tape->expected, struct keeper_index_record, tape->expected->len - 1);

      if (last->kind == KEEPER_INDEX_OUTPUT && last->value == stream &&
          record.time - last->time < INTERVAL)
        return;
    }
  g_array_append_val (tape->expected, record);
}

static void
tape_write (Tape *tape, enum keeper_stream stream, gsize size)
{
  expect_record (tape, stream);
  pattern_fill (tape->chunk, size, tape->total);
  recorder_write (&tape->recorder, stream, tape->chunk, size, tape->now);
  tape->total += size;
}

static guint64
tape_disk_use (Tape *tape)
{
  guint64 use = job_directory_disk_use (tape->directory, KEEPER_FILE_OUTPUT) +
                job_directory_disk_use (tape->directory, KEEPER_FILE_INDEX);

  tape->most = MAX (tape->most, use);
  return use;
}

/* Everything outside the hole is what was written there. */
static void
assert_output (Tape *tape)
{
  const struct keeper_counters *counters = tape->counters;
  g_autoptr (GBytes) output = job_directory_read (tape->directory, KEEPER_FILE_OUTPUT);
  gsize size;
  const guint8 *bytes = g_bytes_get_data (output, &size);

  g_assert_cmpuint (size, ==, tape->total);
  g_assert_cmpuint (counters->size, ==, size);
  g_assert_cmpuint (counters->hole_start, <=, counters->hole_end);
  g_assert_cmpuint (counters->hole_end, <=, size);
  pattern_assert (bytes, counters->hole_start, 0);
  pattern_assert (bytes + counters->hole_end, size - counters->hole_end, counters->hole_end);
}

static void
assert_record (const struct keeper_index_record *record, const struct keeper_index_record *expected)
{
  g_assert_cmpuint (record->offset, ==, expected->offset);
  g_assert_cmpint (record->time, ==, expected->time);
  g_assert_cmpuint (record->kind, ==, expected->kind);
  g_assert_cmpuint (record->value, ==, expected->value);
}

/* Whatever can be read of the output, the index says from where and when. */
static void
assert_index (Tape *tape)
{
  const struct keeper_counters *counters = tape->counters;
  g_autoptr (GBytes) index = job_directory_read (tape->directory, KEEPER_FILE_INDEX);
  gsize size;
  const struct keeper_index_record *records = g_bytes_get_data (index, &size);
  guint64 first_behind = (counters->index_hole_end + RECORD - 1) / RECORD;

  g_assert_cmpuint (size, ==, tape->expected->len * RECORD);
  g_assert_cmpuint (counters->index_size, ==, size);
  g_assert_cmpuint (counters->index_hole_start, <=, counters->index_hole_end);
  g_assert_cmpuint (counters->index_hole_end, <=, size);
  for (guint64 i = 0; i < tape->expected->len; i++)
    if ((i + 1) * RECORD <= counters->index_hole_start || i >= first_behind)
      assert_record (&records[i],
                     &g_array_index (tape->expected, struct keeper_index_record, i));

  if (counters->index_hole_end > 0)
    {
      g_assert_cmpuint (first_behind, <, tape->expected->len);
      g_assert_cmpuint (records[first_behind].offset, <=, counters->hole_end);
      g_assert_cmpuint (g_array_index (tape->expected, struct keeper_index_record,
                                       counters->index_hole_start / RECORD)
                          .offset,
                        >=, counters->hole_start);
    }
}

static void
assert_nothing_lost (Tape *tape)
{
  g_assert_cmpuint (tape->counters->lost, ==, 0);
  g_assert_cmpuint (tape->counters->store_error, ==, 0);
  g_assert_cmpuint (tape->counters->bytes[0] + tape->counters->bytes[1], ==, tape->total);
  assert_output (tape);
  assert_index (tape);
}

static void
test_identical (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  for (int i = 0; i < 2000; i++)
    {
      tape->now += g_test_rand_int_range (0, 8000);
      tape_write (tape, (enum keeper_stream) g_test_rand_int_range (0, 2),
                  (gsize) g_test_rand_int_range (1, 5000));
    }
  assert_nothing_lost (tape);
  g_assert_cmpuint (tape->counters->hole_end, ==, 0);
  g_assert_cmpint (MAX (tape->counters->last_output[0], tape->counters->last_output[1]), ==,
                   tape->now);
}

static void
test_index (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 10);
  tape->now += INTERVAL - 1;
  tape_write (tape, KEEPER_STREAM_STDOUT, 10);
  g_assert_cmpuint (tape->counters->index_size, ==, 1 * RECORD);
  tape->now += 1;
  tape_write (tape, KEEPER_STREAM_STDOUT, 10);
  g_assert_cmpuint (tape->counters->index_size, ==, 2 * RECORD);
  tape_write (tape, KEEPER_STREAM_STDERR, 10);
  tape_write (tape, KEEPER_STREAM_STDERR, 10);
  g_assert_cmpuint (tape->counters->index_size, ==, 3 * RECORD);
  tape_write (tape, KEEPER_STREAM_STDOUT, 10);
  g_assert_cmpuint (tape->counters->index_size, ==, 4 * RECORD);
  recorder_write (&tape->recorder, KEEPER_STREAM_STDOUT, NULL, 0, tape->now + 99 * INTERVAL);
  assert_nothing_lost (tape);
  g_assert_cmpint (tape->counters->last_output[0], ==, tape->now);
}

static void
test_resize_record (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  struct keeper_index_record record = { .kind = KEEPER_INDEX_RESIZE, .value = 132 << 16 | 43 };

  tape_write (tape, KEEPER_STREAM_STDOUT, 7);
  tape->now += 5000;
  recorder_resized (&tape->recorder, 132, 43, tape->now);
  record.offset = 7;
  record.time = 5000;
  g_array_append_val (tape->expected, record);
  assert_index (tape);
}

/* A reader is woken once if it sleeps, and not at all if it does not. */
static void
test_wake (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  guint64 count = 0;

  tape_write (tape, KEEPER_STREAM_STDOUT, 1);
  g_assert_cmpint (read (tape->wakeup_fd, &count, sizeof count), ==, -1);

  tape->counters->armed = 1;
  tape_write (tape, KEEPER_STREAM_STDOUT, 1);
  tape_write (tape, KEEPER_STREAM_STDOUT, 1);
  g_assert_cmpint (read (tape->wakeup_fd, &count, sizeof count), ==, sizeof count);
  g_assert_cmpuint (count, ==, 1);
  g_assert_cmpuint (tape->counters->armed, ==, 0);

  recorder_wake (&tape->recorder);
  g_assert_cmpint (read (tape->wakeup_fd, &count, sizeof count), ==, -1);
}

/* The limit. */

typedef void (*Pattern) (Tape *tape, guint64 until);

static void
write_chunks (Tape *tape, guint64 until)
{
  while (tape->total < until)
    {
      tape->now += 1000;
      tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK);
      tape_disk_use (tape);
    }
}

/* A record of 24 bytes for each byte of output. */
static void
write_single_bytes (Tape *tape, guint64 until)
{
  for (guint64 i = 0; i < until / (RECORD + 1); i++)
    {
      tape->now += 1;
      tape_write (tape, (enum keeper_stream) (i & 1), 1);
      if (i % 256 == 0)
        tape_disk_use (tape);
    }
}

/* A short line now and then: about as much index as output. */
static void
write_lines (Tape *tape, guint64 until)
{
  for (guint64 i = 0; i < until / (RECORD + 30); i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, (enum keeper_stream) (i % 7 == 0), 30);
      if (i % 64 == 0)
        tape_disk_use (tape);
    }
}

/* The head is all output, and then comes the index. */
static void
write_chunks_and_bytes (Tape *tape, guint64 until)
{
  write_chunks (tape, until / 2);
  write_single_bytes (tape, until);
}

static void
write_anything (Tape *tape, guint64 until)
{
  while (tape->total < until)
    {
      gboolean small = g_test_rand_int_range (0, 10) != 0;

      tape->now += g_test_rand_int_range (0, 20000);
      tape_write (tape, (enum keeper_stream) g_test_rand_int_range (0, 2),
                  (gsize) g_test_rand_int_range (1, small ? 200 : 60000));
      tape_disk_use (tape);
    }
}

static const struct
{
  const char *name;
  Pattern write;
  guint64 slack;
} patterns[] = {
  { "chunks", write_chunks, 0 },
  { "single-bytes", write_single_bytes, INDEX_SLACK },
  { "lines", write_lines, INDEX_SLACK },
  { "chunks-and-bytes", write_chunks_and_bytes, INDEX_SLACK },
  { "anything", write_anything, INDEX_SLACK },
};

static const guint64 limits[] = { 1, 64 * 1024, 100 * 1000, MIB, 3 * MIB + 17 };

/* A beginning, an end, and both files on disk together within the limit. */
static void
check_limit (guint64 limit, gsize pattern)
{
  g_autoptr (Tape) tape = tape_new (limit);
  const struct keeper_counters *counters = tape->counters;
  guint64 effective = MAX (limit, 16 * BLOCK), use;

  patterns[pattern].write (tape, 5 * effective);
  use = tape_disk_use (tape);
  g_test_message ("limit %" G_GUINT64_FORMAT ", %s: %" G_GUINT64_FORMAT " on disk, at most %"
                  G_GUINT64_FORMAT "; hole %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT ", index %" G_GUINT64_FORMAT " to %" G_GUINT64_FORMAT
                  " of %" G_GUINT64_FORMAT,
                  limit, patterns[pattern].name, use, tape->most, counters->hole_start,
                  counters->hole_end, counters->size, counters->index_hole_start,
                  counters->index_hole_end, counters->index_size);

  assert_nothing_lost (tape);
  g_assert_cmpuint (tape->most, <=, effective + patterns[pattern].slack + DISK_SLACK);
  /* It keeps no less than half of what it may. */
  g_assert_cmpuint (use, >=, effective / 2);
  g_assert_cmpuint (counters->hole_end, >, counters->hole_start);
  if (patterns[pattern].write == write_chunks)
    {
      g_assert_cmpuint (counters->hole_start, >=, effective / 2 - BLOCK);
      g_assert_cmpuint (counters->size - counters->hole_end, >=, effective / 4);
    }
}

static void
test_limit (gconstpointer pattern)
{
  for (gsize i = 0; i < G_N_ELEMENTS (limits); i++)
    check_limit (limits[i], GPOINTER_TO_SIZE (pattern));
}

/* Just at the limit nothing is punched; a byte more is too much. */
static void
test_limit_edge (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  for (int i = 0; i < 3; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK);
  tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK - RECORD);
  g_assert_cmpuint (disk.n_punches, ==, 0);
  g_assert_cmpuint (tape->counters->hole_end, ==, 0);
  tape_write (tape, KEEPER_STREAM_STDOUT, 1);
  g_assert_cmpuint (disk.n_punches, >, 0);
  g_assert_cmpuint (tape->counters->hole_end, >, tape->counters->hole_start);
  assert_nothing_lost (tape);
}

/* Not each write punches: a flood of small ones would be slow. */
static void
test_limit_steps (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  for (int i = 0; i < 4 * 1024; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1024);
  g_assert_cmpuint (disk.n_punches, <=, 2 * (4 * MIB) / (MIB / 16));
  assert_nothing_lost (tape);
}

static const struct keeper_index_record *
find_record (GBytes *index, guint32 kind, guint nth)
{
  gsize size;
  const struct keeper_index_record *records = g_bytes_get_data (index, &size);

  for (gsize i = 0; i < size / RECORD; i++)
    if (records[i].kind == kind && nth-- == 0)
      return &records[i];
  return NULL;
}

/* At the end there is one record of all that was lost last, at @offset. */
static void
assert_losses (Tape *tape, guint64 offset, guint64 lost)
{
  g_autoptr (GBytes) index = NULL;
  const struct keeper_index_record *record;

  recorder_finish (&tape->recorder, tape->now);
  index = job_directory_read (tape->directory, KEEPER_FILE_INDEX);
  record = find_record (index, KEEPER_INDEX_LOST, 0);
  g_assert_nonnull (record);
  g_assert_cmpuint (record->offset, ==, offset);
  g_assert_cmpuint (record->value, ==, MIN (lost, G_MAXUINT32));
  g_assert_null (find_record (index, KEEPER_INDEX_LOST, 1));
  g_assert_cmpuint (tape->counters->lost, ==, lost);
  g_assert_cmpuint (tape->counters->lost_told, ==, lost);
}

/* A full disk, or quota, may have no room to note a hole: the limit is held again once there is. */
static void
test_hole_later (gconstpointer error)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  disk.fallocate_error = GPOINTER_TO_INT (error);
  for (int i = 0; i < 2048; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1024);
  g_assert_cmpuint (tape->counters->size, ==, tape->total);
  g_assert_cmpuint (tape->counters->hole_end, ==, tape->counters->hole_start);
  disk.fallocate_error = 0;
  tape_write (tape, KEEPER_STREAM_STDOUT, 1024);
  g_assert_cmpuint (tape_disk_use (tape), <=, MIB + DISK_SLACK);
  g_assert_cmpuint (tape->counters->lost, ==, 0);
  assert_output (tape);
}

/* No holes on this file system: the beginning is kept, the rest is counted. */
static void
test_capped (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);
  g_autoptr (GBytes) output = NULL;
  struct keeper_counters *counters = tape->counters;
  gsize size;
  const guint8 *bytes;

  disk.fallocate_error = EOPNOTSUPP;
  for (int i = 0; i < 4096; i++)
    tape_write (tape, (enum keeper_stream) (i & 1), 1024);

  output = job_directory_read (tape->directory, KEEPER_FILE_OUTPUT);
  bytes = g_bytes_get_data (output, &size);
  pattern_assert (bytes, size, 0);
  g_assert_cmpuint (size, ==, counters->size);
  g_assert_cmpuint (size, >, MIB / 2);
  g_assert_cmpuint (counters->hole_end, ==, counters->hole_start);
  g_assert_cmpuint (size + counters->lost, ==, tape->total);
  g_assert_cmpuint (counters->bytes[0] + counters->bytes[1], ==, tape->total);
  g_assert_cmpuint (counters->store_error, ==, EOPNOTSUPP);
  g_assert_cmpuint (tape_disk_use (tape), <=, MIB + DISK_SLACK);
  /* Told of in its place, and once. */
  recorder_resized (&tape->recorder, 100, 30, tape->now);
  assert_losses (tape, size, counters->lost);
  g_assert_cmpuint (counters->size, ==, size);
}

/* The same, and the worker dies: what the warden drains is not stored over the limit either. */
static void
test_capped_resume (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);
  guint64 size;

  disk.fallocate_error = EOPNOTSUPP;
  for (int i = 0; i < 2048; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1024);
  size = tape->counters->size;
  g_assert_cmpuint (tape->counters->lost, >, 0);
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  for (int i = 0; i < 16; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1024);
  g_assert_cmpuint (tape->counters->size, ==, size);
  assert_losses (tape, size, tape->total - size);
}

static void
exceed_and_die (gpointer data)
{
  disk.die_after_output = TRUE;
  tape_write (data, KEEPER_STREAM_STDOUT, CHUNK);
}

/* The worker dies when it has just gone over the limit: that there is no hole yet does not mean that
 * there can be none. */
static void
test_limit_resume (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  for (int i = 0; i < 3; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK);
  in_child (exceed_and_die, tape);
  tape->total += CHUNK;
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  for (int i = 0; i < 4; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK);
  recorder_finish (&tape->recorder, tape->now);
  g_assert_cmpuint (tape->counters->lost, ==, 0);
  g_assert_cmpuint (tape->counters->hole_start, >=, MIB / 2 - BLOCK);
  g_assert_cmpuint (tape_disk_use (tape), <=, MIB + DISK_SLACK);
  assert_output (tape);
}

/* A disk that fails. */

/* A while without room, then room again: what lies before and after is true, and the gap is told. */
static void
test_disk_full (gconstpointer data)
{
  g_autoptr (Tape) tape = tape_new (0);
  g_autoptr (GBytes) output = NULL, index = NULL;
  struct keeper_counters *counters = tape->counters;
  const struct keeper_index_record *lost, *next;
  const guint64 before = 10 * 1000 + 300, gap = 700 + 5 * 1000;
  gsize size;
  const guint8 *bytes;

  for (int i = 0; i < 10; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = GPOINTER_TO_INT (data);
  disk.output_room = 300;
  for (int i = 0; i < 6; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  g_assert_cmpuint (counters->lost, ==, gap);
  g_assert_cmpuint (counters->store_error, ==, disk.output_error);
  disk.output_error = 0;
  tape_write (tape, KEEPER_STREAM_STDERR, 1000);
  tape_write (tape, KEEPER_STREAM_STDERR, 1000);

  g_assert_cmpuint (counters->lost, ==, gap);
  g_assert_cmpuint (counters->bytes[0], ==, 16 * 1000);
  g_assert_cmpuint (counters->bytes[1], ==, 2 * 1000);
  g_assert_cmpuint (counters->size, ==, before + 2000);
  g_assert_cmpuint (counters->store_error, ==, GPOINTER_TO_UINT (data));

  output = job_directory_read (tape->directory, KEEPER_FILE_OUTPUT);
  bytes = g_bytes_get_data (output, &size);
  g_assert_cmpuint (size, ==, before + 2000);
  pattern_assert (bytes, before, 0);
  pattern_assert (bytes + before, 2000, before + gap);

  index = job_directory_read (tape->directory, KEEPER_FILE_INDEX);
  {
    guint64 told = 0;

    for (guint i = 0; (lost = find_record (index, KEEPER_INDEX_LOST, i)) != NULL; i++)
      {
        g_assert_cmpuint (lost->offset, ==, before);
        told += lost->value;
      }
    g_assert_cmpuint (told, ==, gap);
  }
  next = find_record (index, KEEPER_INDEX_OUTPUT, 0);
  g_assert_nonnull (next);
}

/* Nothing can be stored for hours: the index may not grow without end either. */
static void
test_disk_full_for_long (void)
{
  g_autoptr (Tape) tape = tape_new (64 * 1024);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = ENOSPC;
  for (int i = 0; i < 20000; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDOUT, 10);
    }
  g_assert_cmpuint (tape->counters->lost, ==, 20000 * 10);
  g_assert_cmpuint (tape_disk_use (tape), <=, 64 * 1024 + INDEX_SLACK + DISK_SLACK);
}

/* What is lost last is told of at the end; more than a record can say is told as the most it can. */
static void
test_loss_at_the_end (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = ENOSPC;
  disk.output_room = 10;
  for (int i = 0; i < 10; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDERR, 1000);
    }
  assert_losses (tape, 1010, 9990);
  /* Nothing is left to be told twice. */
  assert_losses (tape, 1010, 9990);
}

static void
test_great_loss (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = ENOSPC;
  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  tape->counters->lost += G_MAXUINT32;
  assert_losses (tape, 1000, G_MAXUINT32 + G_GUINT64_CONSTANT (1000));
}

/* The worker dies with a loss untold: the warden tells of it. */
static void
test_loss_resume (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = ENOSPC;
  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  assert_losses (tape, 1000, 2000);
}

static void
write_again_and_die (gpointer data)
{
  disk.output_error = 0;
  disk.die_after_output = TRUE;
  tape_write (data, KEEPER_STREAM_STDOUT, 500);
}

/* The same, when it could store again, and had not told of the loss before that: it is before that. */
static void
test_loss_resume_place (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.output_error = ENOSPC;
  tape_write (tape, KEEPER_STREAM_STDOUT, 2000);
  in_child (write_again_and_die, tape);
  disk.output_error = 0;
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  g_assert_cmpuint (tape->counters->size, ==, 1500);
  tape_write (tape, KEEPER_STREAM_STDOUT, 100);
  assert_losses (tape, 1000, 2000);
}

/* The disk is full, for the index too, wherever in a block that finds it: one more record fits. */
static void
test_loss_has_room (void)
{
  for (guint n = 1; n <= 2 * BLOCK / RECORD; n++)
    {
      g_autoptr (Tape) tape = tape_new (0);
      guint64 size;

      for (guint i = 0; i < n; i++)
        {
          tape->now += INTERVAL;
          tape_write (tape, KEEPER_STREAM_STDOUT, 10);
        }
      /* What is there of the index, reserved or begun, is all there is. */
      disk.index_room = job_directory_disk_use (tape->directory, KEEPER_FILE_INDEX);
      if (disk.index_room < BLOCK)
        disk.index_room = (tape->counters->index_size + BLOCK - 1) / BLOCK * BLOCK;
      disk.index_error = disk.reserve_error = ENOSPC;
      /* The output has room a while longer. */
      for (guint i = 0; i < n % 5; i++)
        {
          tape->now += INTERVAL;
          tape_write (tape, KEEPER_STREAM_STDOUT, 10);
        }
      disk.output_error = ENOSPC;
      size = tape->total;
      tape_write (tape, KEEPER_STREAM_STDOUT, 10);
      assert_losses (tape, size, 10);
    }
}

/* Short jobs, which are most of them, ask for nothing; others do so once for each block. */
static void
test_reserves_seldom (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  for (guint i = 0; i < BLOCK / RECORD - 1; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDOUT, 10);
    }
  g_assert_cmpuint (disk.n_reserved, ==, 0);
  for (guint i = 0; i < 3 * BLOCK / RECORD; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDOUT, 10);
    }
  g_assert_cmpuint (disk.n_reserved, >=, 3);
  g_assert_cmpuint (disk.n_reserved, <=, 4);
  assert_nothing_lost (tape);
}

/* Nothing can be reserved: the index grows all the same. */
static void
test_no_reserving (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  disk.reserve_error = EOPNOTSUPP;
  for (guint i = 0; i < 3 * BLOCK / RECORD; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDOUT, 10);
    }
  g_assert_cmpuint (disk.n_reserved, ==, 1);
  assert_nothing_lost (tape);
}

/* Somebody removes the transcript while it grows: what it held is lost too. */
static void
test_removed (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  recorder_finish (&tape->recorder, tape->now);
  g_assert_cmpuint (tape->counters->lost, ==, 0);
  g_assert_cmpuint (tape->counters->store_error, ==, 0);

  g_assert_no_errno (unlinkat (tape->directory->fd, KEEPER_FILE_OUTPUT, 0));
  write_chunks (tape, 3 * MIB);
  recorder_finish (&tape->recorder, tape->now);
  g_assert_cmpuint (tape->counters->lost, ==,
                    tape->total - (tape->counters->hole_end - tape->counters->hole_start));
  g_assert_cmpuint (tape->counters->store_error, ==, ENOENT);
}

/* The same, and the worker dies: what the warden drains makes no transcript with zeros before it. */
static void
test_removed_resume (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  g_assert_no_errno (unlinkat (tape->directory->fd, KEEPER_FILE_OUTPUT, 0));
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  tape_write (tape, KEEPER_STREAM_STDOUT, 500);
  recorder_finish (&tape->recorder, tape->now);
  g_assert_cmpuint (tape->counters->lost, ==, 1500);
  g_assert_cmpuint (tape->counters->store_error, ==, ENOENT);
  g_assert_cmpint (faccessat (tape->directory->fd, KEEPER_FILE_OUTPUT, F_OK, 0), ==, -1);
}

/* The index cannot be written: the output is, all the same. */
static void
test_index_full (void)
{
  g_autoptr (Tape) tape = tape_new (0);

  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.index_error = ENOSPC;
  for (int i = 0; i < 10; i++)
    {
      tape->now += INTERVAL;
      tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
    }
  g_assert_cmpuint (tape->counters->lost, ==, 0);
  g_assert_cmpuint (tape->counters->store_error, ==, ENOSPC);
  g_assert_cmpuint (tape->counters->index_size, ==, RECORD);
  assert_output (tape);
}

static void
exceed_file_size (gpointer data)
{
  Tape *tape = data;
  const struct rlimit limit = { 100 * 1000, RLIM_INFINITY };

  /* As the warden does. */
  signal (SIGXFSZ, SIG_IGN);
  g_assert_no_errno (setrlimit (RLIMIT_FSIZE, &limit));
  for (int i = 0; i < 300; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
}

static void
test_file_size_limit (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  g_autoptr (GBytes) output = NULL;

  in_child (exceed_file_size, tape);
  output = job_directory_read (tape->directory, KEEPER_FILE_OUTPUT);
  g_assert_cmpuint (g_bytes_get_size (output), ==, 100 * 1000);
  pattern_assert (g_bytes_get_data (output, NULL), 100 * 1000, 0);
  g_assert_cmpuint (tape->counters->size, ==, 100 * 1000);
  g_assert_cmpuint (tape->counters->lost, ==, 200 * 1000);
  g_assert_cmpuint (tape->counters->bytes[0], ==, 300 * 1000);
  g_assert_cmpuint (tape->counters->store_error, ==, EFBIG);
}

/* The directory is gone, or cannot be written to: a job without a transcript. */
static void
test_no_files (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  int fd = open ("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

  recorder_close (&tape->recorder);
  recorder_open (&tape->recorder, tape->counters, tape->wakeup_fd, fd, 0, FALSE);
  close (fd);
  recorder_start (&tape->recorder, tape->now);
  tape->counters->armed = 1;
  tape_write (tape, KEEPER_STREAM_STDERR, 1000);
  g_assert_cmpuint (tape->counters->lost, ==, 1000);
  g_assert_cmpuint (tape->counters->bytes[1], ==, 1000);
  g_assert_cmpuint (tape->counters->size, ==, 0);
  g_assert_cmpuint (tape->counters->store_error, !=, 0);
  g_assert_cmpuint (tape->counters->armed, ==, 0);
}

/* A link in the place of the output is not followed. */
static void
test_no_links (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  g_autoptr (JobDirectory) other = job_directory_new ();
  g_autofree char *target = g_build_filename (other->path, "precious", NULL);

  g_assert_true (g_file_set_contents (target, "kept", -1, NULL));
  recorder_close (&tape->recorder);
  g_assert_no_errno (unlinkat (tape->directory->fd, KEEPER_FILE_OUTPUT, 0));
  g_assert_no_errno (symlinkat (target, tape->directory->fd, KEEPER_FILE_OUTPUT));
  tape_open (tape, FALSE);
  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  g_assert_cmpuint (tape->counters->store_error, ==, ELOOP);
  {
    g_autoptr (GBytes) bytes = job_directory_read (other, "precious");

    g_assert_cmpuint (g_bytes_get_size (bytes), ==, 4);
  }
}

/* Crashes. */

static void
write_and_die (gpointer data)
{
  Tape *tape = data;

  for (int i = 0; i < 10; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
  disk.die_after_output = TRUE;
  tape_write (tape, KEEPER_STREAM_STDOUT, 1000);
}

/* The worker dies between writing and telling of it: nothing is lost or overwritten. */
static void
test_resume (void)
{
  g_autoptr (Tape) tape = tape_new (0);
  g_autoptr (GBytes) output = NULL;

  in_child (write_and_die, tape);
  g_assert_cmpuint (tape->counters->size, ==, 10000);
  tape->total = 11000;
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);
  g_assert_cmpuint (tape->counters->size, ==, 11000);
  tape->now += 5000;
  tape_write (tape, KEEPER_STREAM_STDERR, 1000);
  assert_output (tape);
  g_assert_cmpuint (tape->total, ==, 12000);
  {
    g_autoptr (GBytes) index = job_directory_read (tape->directory, KEEPER_FILE_INDEX);
    const struct keeper_index_record *first = find_record (index, KEEPER_INDEX_OUTPUT, 0);
    const struct keeper_index_record *second = find_record (index, KEEPER_INDEX_OUTPUT, 1);

    g_assert_cmpuint (first->offset, ==, 0);
    g_assert_cmpuint (second->offset, ==, 11000);
    g_assert_cmpuint (second->value, ==, KEEPER_STREAM_STDERR);
    g_assert_cmpint (second->time, ==, 5000);
  }
}

static void
punch_and_die (gpointer data)
{
  Tape *tape = data;

  disk.die_before_punch = TRUE;
  write_chunks (tape, 100 * MIB);
}

/* The worker dies between telling of the hole and punching it: the limit holds all the same. */
static void
test_resume_in_hole (void)
{
  g_autoptr (Tape) tape = tape_new (MIB);
  guint64 hole_end;

  in_child (punch_and_die, tape);
  tape->total = tape->counters->size;
  hole_end = tape->counters->hole_end;
  g_assert_cmpuint (hole_end, >, 0);
  recorder_close (&tape->recorder);
  tape_open (tape, TRUE);

  for (int i = 0; i < 8; i++)
    tape_write (tape, KEEPER_STREAM_STDOUT, CHUNK);
  g_assert_cmpuint (tape->counters->hole_end, >, hole_end);
  assert_output (tape);
  g_assert_cmpuint (tape_disk_use (tape), <=, MIB + DISK_SLACK);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  disk.output_fd = disk.index_fd = -1;

  g_test_add_func ("/keeper/recorder/identical", test_identical);
  g_test_add_func ("/keeper/recorder/index", test_index);
  g_test_add_func ("/keeper/recorder/resize-record", test_resize_record);
  g_test_add_func ("/keeper/recorder/wake", test_wake);
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    {
      g_autofree char *path = g_strdup_printf ("/keeper/recorder/limit/%s", patterns[i].name);

      g_test_add_data_func (path, GSIZE_TO_POINTER (i), test_limit);
    }
  g_test_add_func ("/keeper/recorder/limit-edge", test_limit_edge);
  g_test_add_func ("/keeper/recorder/limit-steps", test_limit_steps);
  g_test_add_func ("/keeper/recorder/capped", test_capped);
  g_test_add_func ("/keeper/recorder/capped-resume", test_capped_resume);
  g_test_add_func ("/keeper/recorder/limit-resume", test_limit_resume);
  g_test_add_data_func ("/keeper/recorder/hole-later", GINT_TO_POINTER (ENOSPC), test_hole_later);
  g_test_add_data_func ("/keeper/recorder/hole-later-quota", GINT_TO_POINTER (EDQUOT), test_hole_later);
  g_test_add_data_func ("/keeper/recorder/disk-full", GINT_TO_POINTER (ENOSPC), test_disk_full);
  g_test_add_data_func ("/keeper/recorder/disk-error", GINT_TO_POINTER (EIO), test_disk_full);
  g_test_add_func ("/keeper/recorder/disk-full-for-long", test_disk_full_for_long);
  g_test_add_func ("/keeper/recorder/loss-at-the-end", test_loss_at_the_end);
  g_test_add_func ("/keeper/recorder/great-loss", test_great_loss);
  g_test_add_func ("/keeper/recorder/loss-resume", test_loss_resume);
  g_test_add_func ("/keeper/recorder/loss-resume-place", test_loss_resume_place);
  g_test_add_func ("/keeper/recorder/loss-has-room", test_loss_has_room);
  g_test_add_func ("/keeper/recorder/reserves-seldom", test_reserves_seldom);
  g_test_add_func ("/keeper/recorder/no-reserving", test_no_reserving);
  g_test_add_func ("/keeper/recorder/removed", test_removed);
  g_test_add_func ("/keeper/recorder/removed-resume", test_removed_resume);
  g_test_add_func ("/keeper/recorder/index-full", test_index_full);
  g_test_add_func ("/keeper/recorder/file-size-limit", test_file_size_limit);
  g_test_add_func ("/keeper/recorder/no-files", test_no_files);
  g_test_add_func ("/keeper/recorder/no-links", test_no_links);
  g_test_add_func ("/keeper/recorder/resume", test_resume);
  g_test_add_func ("/keeper/recorder/resume-in-hole", test_resume_in_hole);

  return g_test_run ();
}
