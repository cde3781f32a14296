/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job directory with anything in it, made text, HTML and asciicast of. The first byte says how:
 * bit 0 a terminal, 1 an index of its own, 2 a hole, 3 timestamps, 4 and 5 which streams. With an
 * index the next byte says how many records there are, of four bytes each: kind and stream, where,
 * two more.
 */
#include "fuzz.h"

#include "protocol.h"
#include "stint-export.h"
#include "stint-screen.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static char *directory;

static void
remove_directory (void)
{
  static const char *const names[] = { "output", "index", "outcome" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      g_autofree char *path = g_build_filename (directory, names[i], NULL);

      g_unlink (path);
    }
  g_rmdir (directory);
  g_clear_pointer (&directory, g_free);
}

/* In memory, if that is a place: it is written very often. */
static void
make_directory (void)
{
  directory = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR)
                  ? g_mkdtemp (g_strdup ("/dev/shm/stint-fuzz-XXXXXX"))
                  : g_dir_make_tmp ("stint-fuzz-XXXXXX", NULL);
  g_assert_nonnull (directory);
}

static void
write_file (const char *name, const void *data, gsize size)
{
  g_autofree char *path = g_build_filename (directory, name, NULL);
  FILE *file = fopen (path, "w");

  g_assert_nonnull (file);
  g_assert_cmpuint (fwrite (data, 1, size, file), ==, size);
  g_assert_cmpint (fclose (file), ==, 0);
}

/* Returns: how much of @data that took. */
static gsize
write_index (const uint8_t *data, size_t size, gsize output_size)
{
  guint n = size > 0 ? MIN (data[0], (size - 1) / 4) : 0;
  g_autofree struct keeper_index_record *records = g_new0 (struct keeper_index_record, n + 1);
  guint64 offset = 0;

  for (guint i = 0; i < n; i++)
    {
      const uint8_t *bytes = data + 1 + 4 * i;

      /* Mostly in order. */
      offset = bytes[1] == 0xff ? bytes[2] : offset + bytes[1];
      records[i] = (struct keeper_index_record){
        .offset = MIN (offset, output_size),
        .time = 1000 * (gint64) i + bytes[2],
        .kind = bytes[0] % 4,
        .value = bytes[0] % 4 == KEEPER_INDEX_RESIZE ? (guint32) bytes[2] << 16 | bytes[3]
                                                     : bytes[0] >> 7,
      };
    }
  write_file ("index", records, n * sizeof *records);
  return size > 0 ? 1 + 4 * (gsize) n : 0;
}

static void
check_cast (const char *text, gsize size)
{
  const char *line = text;

  while (line < text + size)
    {
      const char *end = memchr (line, '\n', (gsize) (text + size - line));

      g_assert_nonnull (end);
      g_assert_true (*line == (line == text ? '{' : '['));
      g_assert_true (end[-1] == (line == text ? '}' : ']'));
      for (const char *p = line; p < end; p++)
        g_assert_true ((guint8) *p >= 0x20 && *p != 0x7f);
      line = end + 1;
    }
}

static void
check (StintExportFormat format, const char *text, gsize size)
{
  if (format == STINT_EXPORT_RAW)
    return;
  g_assert_true (g_utf8_validate_len (text, size, NULL));
  if (format == STINT_EXPORT_ASCIICAST)
    check_cast (text, size);
  else
    for (gsize i = 0; i < size; i++)
      g_assert_true (text[i] == '\n' || ((guint8) text[i] >= 0x20 && text[i] != 0x7f));
}

static void
export_to (const StintExportOptions *options)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory);
  g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_export_write (reader, options, out, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  check (options->format, g_memory_output_stream_get_data (G_MEMORY_OUTPUT_STREAM (out)),
         g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (out)));
}

static void
take_line (const StintLine *line, gpointer user_data)
{
  g_string_append_len (user_data, line->text, (gssize) line->size);
  g_string_append_c (user_data, line->wrapped ? '\\' : '\n');
}

static char *
render (gboolean tty, const uint8_t *data, gsize size, gsize step)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (StintScreen) screen = stint_screen_new (tty, 12, 5, take_line, text);

  for (gsize at = 0; at < size; at += step)
    stint_screen_feed (screen, STINT_STREAM_STDOUT, at, 0, data + at, MIN (step, size - at));
  stint_screen_finish (screen);
  return g_string_free (g_steal_pointer (&text), FALSE);
}

/* However it is cut, it says the same. */
static void
try_cuts (gboolean tty, const uint8_t *data, gsize size)
{
  g_autofree char *whole = render (tty, data, size, MAX (size, 1));
  g_autofree char *single = render (tty, data, size, 1);
  g_autofree char *pieces = render (tty, data, size, 7);

  g_assert_cmpstr (whole, ==, single);
  g_assert_cmpstr (whole, ==, pieces);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  struct keeper_outcome outcome = { .magic = KEEPER_OUTCOME_MAGIC, .version = KEEPER_VERSION };
  uint8_t how = size > 0 ? data[0] : 0;
  StintExportOptions options = {
    .title = "<a&\"\x1f\xff",
    .command = "\\\"",
    .tty = (how & 1) != 0,
    .timestamps = (how & 8) != 0,
    .streams = (StintStreams) ((how >> 4 & 3) % 3),
  };
  gsize used = size > 0;

  make_directory ();
  if ((how & 2) != 0)
    used += write_index (data + used, size - used, size);
  else
    write_file ("index", "", 0);
  write_file ("output", data + used, size - used);
  outcome.size = size - used;
  if ((how & 4) != 0)
    {
      outcome.hole_start = (size - used) / 3;
      outcome.hole_end = (size - used) / 2;
    }
  write_file ("outcome", &outcome, sizeof outcome);
  for (; options.format <= STINT_EXPORT_ASCIICAST; options.format++)
    export_to (&options);
  try_cuts (options.tty, data + used, size - used);
  remove_directory ();
  return 0;
}
