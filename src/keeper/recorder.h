/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Writes the transcript: the bytes to `output`, when they came and from where to `index`, and how
 * far both have got to the counters page. Keeps both within the output limit by a hole in the
 * middle. Never fails the job: what cannot be stored is counted. libc only.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "protocol.h"

struct recorder
{
  struct keeper_counters *counters;
  int wakeup_fd;
  int output_fd; /* -1: nothing can be stored */
  int index_fd;
  uint64_t limit;
  int64_t started_at;
  uint64_t head_end; /* where the hole may begin, 0 until it is known */
  bool capped;       /* no holes on this file system: what is over the limit is only counted */
  int64_t record_at; /* the last index record's time */
  uint32_t record_stream;
  bool has_record;
  uint64_t index_room; /* up to here the index can grow even if the disk is full */
};

/* Opens the files in @directory_fd; @resume takes up the counters where another process left them.
 * Failing to is told by the counters' store_error. */
void recorder_open (struct recorder *recorder,
                    struct keeper_counters *counters,
                    int wakeup_fd,
                    int directory_fd,
                    uint64_t limit,
                    bool resume);

/* All has been recorded: tells of what was lost last, and of a transcript that was removed meanwhile.
 * To be called before the counters' last word is taken. */
void recorder_finish (struct recorder *recorder, int64_t now);

void recorder_close (struct recorder *recorder);

/* The command started at @at, monotonic: the zero of the index's times. */
void recorder_start (struct recorder *recorder, int64_t at);

/* Records @size bytes that came from @stream at @now, monotonic, and tells the reader. */
void recorder_write (struct recorder *recorder,
                     enum keeper_stream stream,
                     const void *bytes,
                     size_t size,
                     int64_t now);

/* Records a new size of the terminal. */
void recorder_resized (struct recorder *recorder, uint16_t columns, uint16_t rows, int64_t now);

/* Wakes the reader, if it sleeps. */
void recorder_wake (struct recorder *recorder);
