/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See recorder.h.
 */
#include "recorder.h"

#include "clock.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A new index record at least this long after the last. */
#define RECORD_INTERVAL 10000

#define BLOCK 4096u

/* Less than this cannot hold a beginning, an end and a hole that is worth its punch. */
#define SMALLEST_LIMIT (16 * BLOCK)

static uint64_t
align_up (uint64_t value)
{
  return (value + BLOCK - 1) / BLOCK * BLOCK;
}

static uint64_t
align_down (uint64_t value)
{
  return value / BLOCK * BLOCK;
}

/* Returns: the bytes on disk. */
static uint64_t
stored (const struct keeper_counters *counters)
{
  return counters->size - (counters->hole_end - counters->hole_start) + counters->index_size -
         (counters->index_hole_end - counters->index_hole_start);
}

static void
note_store_error (struct recorder *recorder, int error)
{
  if (recorder->counters->store_error == 0)
    recorder->counters->store_error = (uint32_t) error;
}

static bool
is_full (int error)
{
  return error == ENOSPC || error == EDQUOT;
}

static int
open_file (struct recorder *recorder, int directory_fd, const char *name, int flags)
{
  int fd = openat (directory_fd, name, O_RDWR | O_CLOEXEC | O_NOFOLLOW | flags, 0600);

  if (fd < 0)
    note_store_error (recorder, errno);
  return fd;
}

void
recorder_close (struct recorder *recorder)
{
  if (recorder->output_fd >= 0)
    close (recorder->output_fd);
  if (recorder->index_fd >= 0)
    close (recorder->index_fd);
  recorder->output_fd = recorder->index_fd = -1;
}

void
recorder_start (struct recorder *recorder, int64_t at)
{
  recorder->started_at = at;
  recorder->counters->started_at = at;
  recorder->counters->started_real = clock_real () - (clock_monotonic () - at);
}

/* Returns: how many of @size bytes could be written at @offset of @fd. */
static size_t
write_at (struct recorder *recorder, int fd, uint64_t offset, const void *bytes, size_t size)
{
  size_t done = 0;

  while (done < size)
    {
      ssize_t n = pwrite (fd, (const char *) bytes + done, size - done, (off_t) (offset + done));

      if (n > 0)
        {
          done += (size_t) n;
          continue;
        }
      if (n < 0 && errno == EINTR)
        continue;
      note_store_error (recorder, n < 0 ? errno : ENOSPC);
      break;
    }
  return done;
}

/* What lies in a block that the index has begun can always be written. The next block is asked for
 * one record early: on a full disk there is room for one that tells of it.
 * Returns: whether there is room for another beside that one. */
static bool
has_index_room (struct recorder *recorder)
{
  uint64_t size = recorder->counters->index_size;

  if (recorder->index_room < align_up (size))
    recorder->index_room = align_up (size);
  if (size == 0 || size + 2 * sizeof (struct keeper_index_record) <= recorder->index_room)
    return true;
  if (fallocate (recorder->index_fd, FALLOC_FL_KEEP_SIZE, (off_t) recorder->index_room, BLOCK) == 0)
    {
      recorder->index_room += BLOCK;
      return true;
    }
  if (!is_full (errno))
    {
      /* Nothing can be reserved here. */
      recorder->index_room = UINT64_MAX;
      return true;
    }
  note_store_error (recorder, errno);
  return false;
}

static bool
write_record (struct recorder *recorder,
              uint64_t offset,
              uint32_t kind,
              uint32_t value,
              int64_t now)
{
  struct keeper_index_record record = {
    .offset = offset,
    .time = now - recorder->started_at,
    .kind = kind,
    .value = value,
  };
  uint64_t at = recorder->counters->index_size;

  if (write_at (recorder, recorder->index_fd, at, &record, sizeof record) != sizeof record)
    return false;
  recorder->counters->index_size = at + sizeof record;
  return true;
}

/* What was lost is missing between what was stored before and what comes. Told once it is known how
 * much it is. Returns: whether nothing is left to be told. */
static bool
write_loss (struct recorder *recorder, int64_t now)
{
  struct keeper_counters *counters = recorder->counters;
  uint64_t lost = counters->lost, untold = lost - counters->lost_told;

  if (untold == 0)
    return true;
  has_index_room (recorder);
  if (!write_record (recorder, counters->lost_at, KEEPER_INDEX_LOST,
                     untold < UINT32_MAX ? (uint32_t) untold : UINT32_MAX, now))
    return false;
  counters->lost_told = lost;
  recorder->has_record = false;
  return true;
}

static void
note_loss (struct recorder *recorder, uint64_t size)
{
  struct keeper_counters *counters = recorder->counters;

  if (counters->lost == counters->lost_told)
    counters->lost_at = counters->size;
  counters->lost += size;
}

static void
write_output_record (struct recorder *recorder, enum keeper_stream stream, int64_t now)
{
  /* The records are sorted: none goes before one that is still to come. */
  if (!write_loss (recorder, now))
    return;
  if (recorder->has_record && recorder->record_stream == stream &&
      now - recorder->record_at < RECORD_INTERVAL)
    return;
  if (!has_index_room (recorder) ||
      !write_record (recorder, recorder->counters->size, KEEPER_INDEX_OUTPUT, stream, now))
    return;
  recorder->record_at = now;
  recorder->record_stream = stream;
  recorder->has_record = true;
}

/* Returns: the place in the index of the last record at or before @offset of the output. */
static uint64_t
index_place (const struct recorder *recorder, uint64_t offset)
{
  uint64_t low = recorder->counters->index_hole_end / sizeof (struct keeper_index_record) + 1;
  uint64_t high = recorder->counters->index_size / sizeof (struct keeper_index_record);

  while (low < high)
    {
      uint64_t middle = low + (high - low) / 2;
      struct keeper_index_record record;

      if (pread (recorder->index_fd, &record, sizeof record,
                 (off_t) (middle * sizeof record)) != sizeof record)
        return 0;
      if (record.offset <= offset)
        low = middle + 1;
      else
        high = middle;
    }
  return (low - 1) * sizeof (struct keeper_index_record);
}

static bool
punch (int fd, uint64_t start, uint64_t end)
{
  return start >= end || fallocate (fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (off_t) start,
                                    (off_t) (end - start)) == 0;
}

/* What the index says of the output's hole is of no use. */
static void
punch_index (struct recorder *recorder)
{
  struct keeper_counters *counters = recorder->counters;
  uint64_t end = align_down (index_place (recorder, counters->hole_end));

  if (counters->index_hole_end == 0)
    {
      uint64_t start = align_up (index_place (recorder, counters->hole_start) +
                                 sizeof (struct keeper_index_record));

      if (start >= end)
        return;
      counters->index_hole_end = start;
      counters->index_hole_start = start;
    }
  if (end <= counters->index_hole_end)
    return;
  counters->index_hole_end = end;
  punch (recorder->index_fd, counters->index_hole_start, end);
}

/* Returns: how far the hole may reach: a quarter of the limit always stays at the end, and of an
 * index that is larger than its output (many small writes) an eighth. */
static uint64_t
latest_hole_end (const struct recorder *recorder)
{
  const struct keeper_counters *counters = recorder->counters;
  uint64_t latest =
    counters->size > recorder->limit / 4 ? counters->size - recorder->limit / 4 : 0;
  struct keeper_index_record record;
  uint64_t place;

  if (counters->index_size - counters->index_hole_end <= recorder->limit / 4)
    return latest;
  place = (counters->index_size - recorder->limit / 8) / sizeof record * sizeof record;
  if (pread (recorder->index_fd, &record, sizeof record, (off_t) place) == sizeof record &&
      record.offset > latest)
    latest = record.offset;
  return latest;
}

/* Moves the end of the hole on until the transcript fits again. Published before it is punched: a
 * reader that looks again after its pread never takes zeros for output. */
static void
enforce_limit (struct recorder *recorder)
{
  struct keeper_counters *counters = recorder->counters;
  uint64_t excess, step, end, old_end, latest;

  if (recorder->limit == 0 || recorder->capped || stored (counters) <= recorder->limit)
    return;

  if (counters->hole_end == 0)
    counters->hole_end = counters->hole_start = align_up (recorder->head_end);

  /* A step more than needed, so that not every write punches. */
  excess = stored (counters) - recorder->limit;
  step = recorder->limit / 16 > BLOCK ? recorder->limit / 16 : BLOCK;
  old_end = counters->hole_end;
  latest = latest_hole_end (recorder);
  end = old_end + excess + step;
  end = align_down (end < latest ? end : latest);
  if (end <= old_end)
    return;

  counters->hole_end = end;
  if (!punch (recorder->output_fd, counters->hole_start, end))
    {
      counters->hole_end = old_end;
      /* A full disk may have no room to note a hole either: that passes. */
      recorder->capped = !is_full (errno);
      note_store_error (recorder, errno);
      return;
    }
  punch_index (recorder);
}

/* The hole begins where the first half of the limit was full. */
static void
note_head (struct recorder *recorder)
{
  const struct keeper_counters *counters = recorder->counters;
  uint64_t half = recorder->limit / 2;

  if (recorder->head_end != 0 || recorder->limit == 0 || stored (counters) < half)
    return;
  recorder->head_end = counters->index_size < half ? half - counters->index_size : BLOCK;
  if (recorder->head_end > counters->size)
    recorder->head_end = counters->size;
}

/* The other process may have died between writing and publishing: what it wrote is there. */
static void
take_up (struct recorder *recorder)
{
  struct keeper_counters *counters = recorder->counters;
  struct stat status;

  if (fstat (recorder->output_fd, &status) == 0 && (uint64_t) status.st_size > counters->size)
    counters->size = (uint64_t) status.st_size;
  recorder->head_end = counters->hole_start;
  /* Or between publishing and making a hole; whether there can be one is seen again too. */
  note_head (recorder);
  enforce_limit (recorder);
}

void
recorder_open (struct recorder *recorder,
               struct keeper_counters *counters,
               int wakeup_fd,
               int directory_fd,
               uint64_t limit,
               bool resume)
{
  /* What is gone is not made anew: it would hold nothing of what the counters say. */
  int output_flags = resume && counters->size > 0 ? 0 : O_CREAT;
  int index_flags = resume && counters->index_size > 0 ? 0 : O_CREAT;

  *recorder = (struct recorder) {
    .counters = counters,
    .wakeup_fd = wakeup_fd,
    .limit = limit != 0 && limit < SMALLEST_LIMIT ? SMALLEST_LIMIT : limit,
    .started_at = counters->started_at,
  };
  recorder->output_fd = open_file (recorder, directory_fd, KEEPER_FILE_OUTPUT, output_flags);
  recorder->index_fd = open_file (recorder, directory_fd, KEEPER_FILE_INDEX, index_flags);
  if (resume)
    take_up (recorder);
}

/* Somebody removed the file, while it grew or before: what it holds goes with our descriptor, or has
 * gone with the worker's. */
static void
note_removal (struct recorder *recorder)
{
  struct keeper_counters *counters = recorder->counters;
  struct stat status;

  if (recorder->output_fd >= 0 && (fstat (recorder->output_fd, &status) < 0 || status.st_nlink > 0))
    return;
  note_store_error (recorder, ENOENT);
  counters->lost += counters->size - (counters->hole_end - counters->hole_start);
}

void
recorder_finish (struct recorder *recorder, int64_t now)
{
  write_loss (recorder, now);
  note_removal (recorder);
}

void
recorder_wake (struct recorder *recorder)
{
  if (atomic_exchange (&recorder->counters->armed, 0) != 0)
    {
      const uint64_t one = 1;
      ssize_t n = write (recorder->wakeup_fd, &one, sizeof one);

      (void) n; /* a full eventfd wakes its reader all the same */
    }
}

void
recorder_write (struct recorder *recorder,
                enum keeper_stream stream,
                const void *bytes,
                size_t size,
                int64_t now)
{
  struct keeper_counters *counters = recorder->counters;
  size_t written = 0;

  if (size == 0)
    return;

  if (!recorder->capped)
    {
      written = write_at (recorder, recorder->output_fd, counters->size, bytes, size);
      /* Told of before it can be read; and while nothing can be stored, the index stands still too. */
      if (written > 0)
        write_output_record (recorder, stream, now);
      counters->size += written;
    }
  if (written < size)
    note_loss (recorder, size - written);

  counters->last_output[stream] = now;
  counters->bytes[stream] += size;
  note_head (recorder);
  enforce_limit (recorder);
  recorder_wake (recorder);
}

void
recorder_resized (struct recorder *recorder, uint16_t columns, uint16_t rows, int64_t now)
{
  if (!recorder->capped && write_loss (recorder, now) && has_index_room (recorder))
    write_record (recorder, recorder->counters->size, KEEPER_INDEX_RESIZE,
                  (uint32_t) columns << 16 | rows, now);
}
