/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An index in which anything may lie.
 *
 * The input: an offset, a time, and then the directory (fuzz-directory.h).
 */
#include "fuzz-directory.h"

#include "stint-index.h"

#include <stdlib.h>

static void
walk (StintIndex *index, guint64 from)
{
  guint64 at = from;

  for (guint i = 0; i < 100; i++)
    {
      StintIndexRecord record;
      guint64 end = stint_index_find_span (index, at, &record);

      if (end < at)
        abort ();
      if (end == at || end == G_MAXUINT64)
        return;
      at = end;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput input = { data, size };
  guint64 offset = fuzz_take_number (&input, 8);
  gint64 time = (gint64) fuzz_take_number (&input, 8);
  StintIndexRecord record;
  StintReader *reader;
  StintIndex *index;
  guint columns, rows;
  gboolean is_compressed;
  guint64 n;

  is_compressed = (fuzz_directory_fill (&input) & 8) != 0;
  reader = stint_reader_new (fuzz_directory_path);
  index = stint_index_new (reader);
  n = stint_index_get_n (index);
  for (guint64 i = 0; i < MIN (n, 300); i++)
    if (!stint_index_get (index, i, &record) && !is_compressed) /* then a frame may be damaged */
      abort ();
  if (stint_index_get (index, n, &record))
    abort ();
  if (n > 0 &&
      (stint_index_find_offset (index, offset) >= n || stint_index_find_time (index, time) >= n))
    abort ();
  walk (index, 0);
  walk (index, offset);
  stint_index_find_size (index, offset, &columns, &rows);
  stint_index_free (index);
  stint_reader_free (reader);
  return 0;
}
