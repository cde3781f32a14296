/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job directory in which anything may lie, read and searched.
 *
 * The input: the length of the query and the query, a byte of its flags, a byte that makes the
 * size of chunks, and then the directory (fuzz-directory.h).
 */
#include "fuzz-directory.h"

#include "stint-find-private.h"
#include "stint-frames.h"

#include <stdlib.h>

#define MAX_LOCATED 100

static void
read_all (StintReader *reader)
{
  guint64 offset = 0, last = 0, size = stint_reader_get_size (reader), hole_start, hole_end;
  guint8 buffer[1000];

  stint_reader_get_hole (reader, &hole_start, &hole_end);
  for (;;)
    {
      guint64 skipped = 0;
      gssize n = stint_reader_read (reader, &offset, buffer, sizeof buffer, &skipped, NULL);

      if (n <= 0)
        break;
      if (offset < last + (guint64) n || offset > size)
        abort ();
      if (offset > hole_start && offset - (guint64) n < hole_end && hole_start < hole_end)
        abort ();
      last = offset;
    }
  for (guint64 lines = 0; lines < 4; lines++)
    if (stint_reader_find_line_start (reader, size / 2, lines, 300) > MAX (size / 2, hole_end) + 3)
      abort ();
  for (guint stream = 0; stream < 2; stream++)
    {
      g_autoptr (GBytes) bytes = stint_reader_read_stream (reader, (StintStream) stream, 500, NULL);

      if (bytes != NULL && g_bytes_get_size (bytes) > 500)
        abort ();
    }
}

static void
handle_done (StintFind *find, guint64 n_hits, gpointer data)
{
  *(gboolean *) data = TRUE;
}

typedef struct
{
  gboolean is_done;
  StintFindAnswer answer;
  StintFindHit hit;
  guint64 ordinal;
} Looked;

static void
handle_looked (GObject *source, GAsyncResult *result, gpointer data)
{
  Looked *looked = data;

  looked->answer = stint_find_look_finish (STINT_FIND (source), result, &looked->hit,
                                           &looked->ordinal, NULL);
  looked->is_done = TRUE;
}

static void
search (StintReader *reader, const char *text, guint flags, gsize chunk_size)
{
  g_autoptr (StintFind) find = stint_find_new (reader, text, (StintQueryFlags) (flags & 7), NULL);
  gboolean is_done = FALSE;
  StintFindHit hit, last = { 0 };

  if (find == NULL)
    return;
  stint_find_set_chunk_size (find, chunk_size);
  stint_find_set_n_threads (find, 1);
  g_signal_connect (find, "done", G_CALLBACK (handle_done), &is_done);
  stint_find_start (find, flags >> 3);
  while (!is_done)
    g_main_context_iteration (NULL, TRUE);
  for (guint64 i = 0; i < MIN (stint_find_get_n_hits (find), MAX_LOCATED); i++)
    {
      Looked looked = { FALSE };

      if (!stint_find_locate (find, i, &hit) || hit.end <= hit.start ||
          hit.end > stint_reader_get_size (reader) || (i > 0 && hit.start <= last.start))
        abort ();
      stint_find_look_async (find, hit.start, 1, NULL, handle_looked, &looked);
      while (!looked.is_done)
        g_main_context_iteration (NULL, TRUE);
      if (looked.answer != STINT_FIND_HIT || looked.hit.end != hit.end || looked.ordinal != i)
        abort ();
      last = hit;
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput input = { data, size }, query;
  g_autofree char *text = NULL;
  StintReader *reader;
  guint flags;
  gsize chunk_size;

  query = fuzz_take (&input, MIN (fuzz_take_number (&input, 1), 40));
  text = g_strndup ((const char *) query.data, query.size);
  flags = (guint) fuzz_take_number (&input, 1);
  chunk_size = 1 + fuzz_take_number (&input, 1) * 4;
  fuzz_directory_fill (&input);

  reader = stint_reader_new (fuzz_directory_path);
  /* What is claimed and not there is only slow. */
  if (stint_reader_get_size (reader) < 100000)
    {
      read_all (reader);
      search (reader, text, flags, chunk_size);
    }
  stint_reader_free (reader);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  return 0;
}
