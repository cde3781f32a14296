/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Exports: each format, what is missing, and streams that fail.
 */
#include "stint-export.h"
#include "stint-timestamp.h"

#include "transcript-fixture.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <string.h>

/* 2026-11-21 12:00:00.250 UTC */
#define STARTED_AT (G_GINT64_CONSTANT (1795262400) * G_USEC_PER_SEC + 250000)

static char *
export_all (Directory *directory, const StintExportOptions *options)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory->path);
  g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();
  g_autoptr (GError) error = NULL;

  g_assert_true (stint_export_write (reader, options, out, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
  g_assert_true (g_output_stream_write_all (out, "", 1, NULL, NULL, NULL));
  g_assert_true (g_output_stream_close (out, NULL, NULL));
  return g_memory_output_stream_steal_data (G_MEMORY_OUTPUT_STREAM (out));
}

static void
assert_export (Directory *directory, const StintExportOptions *options, const char *expected)
{
  g_autofree char *text = export_all (directory, options);

  g_assert_cmpstr (text, ==, expected);
}

/* What stands in the page between its last <pre> and the end. */
static void
assert_html (Directory *directory, const StintExportOptions *options, const char *expected)
{
  g_autofree char *page = export_all (directory, options);
  const char *start;
  char *end;

  g_assert_true (g_str_has_prefix (page, "<!DOCTYPE html>\n"));
  g_assert_true (g_str_has_suffix (page, "</pre>\n</body>\n</html>\n"));
  g_assert_true (g_utf8_validate (page, -1, NULL));
  g_assert_null (strstr (page, "<script"));
  start = g_strrstr (page, "<pre>\n");
  g_assert_nonnull (start);
  end = g_strrstr (page, "</pre>");
  *end = '\0';
  g_assert_cmpstr (start + strlen ("<pre>\n"), ==, expected);
}

static void
test_names (void)
{
  const struct
  {
    const char *file;
    StintExportFormat format;
  } cases[] = {
    { "a.txt", STINT_EXPORT_TEXT },   { "a.html", STINT_EXPORT_HTML },
    { "a.HTM", STINT_EXPORT_HTML },   { "a.cast", STINT_EXPORT_ASCIICAST },
    { "a.log", STINT_EXPORT_RAW },    { "a", STINT_EXPORT_RAW },
    { "a.html/b", STINT_EXPORT_RAW }, { ".txt", STINT_EXPORT_TEXT },
    { "", STINT_EXPORT_RAW },
  };
  StintExportFormat format;

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (stint_export_format_from_file (cases[i].file), ==, cases[i].format);
  for (guint i = STINT_EXPORT_RAW; i <= STINT_EXPORT_ASCIICAST; i++)
    {
      g_assert_true (stint_export_format_from_nick (stint_export_format_to_nick (i), &format));
      g_assert_cmpint (format, ==, i);
      g_assert_cmpint (stint_export_format_from_file (stint_export_format_get_suffix (i)), ==, i);
    }
  g_assert_false (stint_export_format_from_nick ("pdf", &format));
  g_assert_false (stint_export_format_from_nick (NULL, &format));
}

static void
test_pipes (void)
{
  g_auto (Directory) directory = { 0 };
  StintExportOptions options = { .format = STINT_EXPORT_RAW, .started_at = STARTED_AT };

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "one \033[1;31mred\033[0m <&>\n");
  directory_append_text (&directory, KEEPER_STREAM_STDERR, "oh \"no\"\n");
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "x\xe6\x97");
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "\xa5 \xff\n");
  directory_write_outcome (&directory, 0, 0);

  assert_export (&directory, &options,
                 "one \033[1;31mred\033[0m <&>\noh \"no\"\nx\xe6\x97\xa5 \xff\n");
  options.format = STINT_EXPORT_TEXT;
  assert_export (&directory, &options, "one red <&>\noh \"no\"\nx\xe6\x97\xa5 \xef\xbf\xbd\n");
  options.timestamps = TRUE;
  assert_export (&directory, &options,
                 "12:00:00.251 one red <&>\n12:00:00.252 oh \"no\"\n"
                 "12:00:00.253 x\xe6\x97\xa5 \xef\xbf\xbd\n");
  options.streams = STINT_STREAMS_STDERR;
  assert_export (&directory, &options, "12:00:00.252 oh \"no\"\n");
  options.timestamps = FALSE;
  options.streams = STINT_STREAMS_STDOUT;
  assert_export (&directory, &options, "one red <&>\nx\xe6\x97\xa5 \xef\xbf\xbd\n");

  options.streams = STINT_STREAMS_BOTH;
  options.format = STINT_EXPORT_HTML;
  assert_html (&directory, &options,
               "one <span class=\"r b f1\">red</span> &lt;&amp;&gt;\n"
               "<span class=\"r err\">oh &quot;no&quot;</span>\nx\xe6\x97\xa5 \xef\xbf\xbd\n");

  options.format = STINT_EXPORT_ASCIICAST;
  options.title = "a \"title\"\x1f\xff";
  options.command = "printf '\\n'";
  assert_export (
      &directory, &options,
      "{\"version\": 2, \"width\": 80, \"height\": 24, \"timestamp\": 1795262400, "
      "\"title\": \"a \\\"title\\\"\\u001f\xef\xbf\xbd\", \"command\": \"printf '\\\\n'\", "
      "\"env\": {\"TERM\": \"xterm-256color\"}}\n"
      "[0.001000, \"o\", \"one \\u001b[1;31mred\\u001b[0m <&>\\r\\n\"]\n"
      "[0.002000, \"o\", \"oh \\\"no\\\"\\r\\n\"]\n"
      "[0.003000, \"o\", \"x\"]\n"
      "[0.004000, \"o\", \"\xe6\x97\xa5 \xef\xbf\xbd\\r\\n\"]\n");
}

static void
test_terminal (void)
{
  g_auto (Directory) directory = { 0 };
  StintExportOptions options = { .format = STINT_EXPORT_TEXT, .tty = TRUE };

  directory_init (&directory);
  directory_append_record (&directory, KEEPER_INDEX_RESIZE, 10 << 16 | 4);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "10%\r100%  \r\n0123456789abc\r\n");
  directory_append_record (&directory, KEEPER_INDEX_RESIZE, 20 << 16 | 4);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT,
                         "0123456789abc\n|\033[7mi\033[0m\033[38;5;208mx");
  directory_write_outcome (&directory, 0, 0);

  assert_export (&directory, &options, "100%\n0123456789abc\n0123456789abc\n             |ix\n");
  options.format = STINT_EXPORT_HTML;
  assert_html (&directory, &options,
               "100%\n0123456789abc\n0123456789abc\n             |<span class=\"r fd bd\">i</span>"
               "<span class=\"r\" style=\"color:#ff8700;\">x</span>\n");
  options.format = STINT_EXPORT_ASCIICAST;
  assert_export (
      &directory, &options,
      "{\"version\": 2, \"width\": 10, \"height\": 4, \"env\": {\"TERM\": \"xterm-256color\"}}\n"
      "[0.002000, \"o\", \"10%\\r100%  \\r\\n0123456789abc\\r\\n\"]\n"
      "[0.003000, \"r\", \"20x4\"]\n"
      "[0.004000, \"o\", \"0123456789abc\\n|\\u001b[7mi\\u001b[0m\\u001b[38;5;208mx\"]\n");
}

static void
test_nothing (void)
{
  g_auto (Directory) directory = { 0 };
  StintExportOptions options = { .format = STINT_EXPORT_RAW, .tty = TRUE };

  directory_init (&directory);
  directory_write_outcome (&directory, 0, 0);
  assert_export (&directory, &options, "");
  options.format = STINT_EXPORT_TEXT;
  assert_export (&directory, &options, "");
  options.format = STINT_EXPORT_HTML;
  options.title = "<b>&\n\xff\"";
  assert_html (&directory, &options, "");
  {
    g_autofree char *page = export_all (&directory, &options);

    g_assert_nonnull (strstr (page, "<title>&lt;b&gt;&amp; \xef\xbf\xbd&quot;</title>"));
  }
}

/* A hole and a loss are told where they are, and break neither characters nor lines. */
static void
test_missing (void)
{
  g_auto (Directory) directory = { 0 };
  StintExportOptions options = { .format = STINT_EXPORT_RAW };
  g_autofree char *before = g_strnfill (4094, 'a'), *filler = g_strnfill (8192, 'h'),
                  *expected = NULL, *cast = NULL;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, before);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "\xe6\x97");
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, filler);
  directory_append_text (&directory, KEEPER_STREAM_STDERR,
                         "\xa5"
                         "after\n");
  directory_append_record (&directory, KEEPER_INDEX_LOST, 5000);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "last");
  directory_write_outcome (&directory, 4096, 4096 + 8192);

  expected = g_strconcat (before,
                          "\xe6\x97\xa5"
                          "after\nlast",
                          NULL);
  assert_export (&directory, &options, expected);
  g_free (expected);

  options.format = STINT_EXPORT_TEXT;
  expected = g_strconcat (before,
                          "\xef\xbf\xbd\n\xe2\x80\xa6 8.2\xc2\xa0kB removed by the output limit "
                          "\xe2\x80\xa6\nafter\n\xe2\x80\xa6 5.0\xc2\xa0kB could not be stored "
                          "\xe2\x80\xa6\nlast\n",
                          NULL);
  assert_export (&directory, &options, expected);
  g_free (expected);

  options.format = STINT_EXPORT_HTML;
  expected =
      g_strconcat (before,
                   "\xef\xbf\xbd\n<span class=\"note\">\xe2\x80\xa6 8.2\xc2\xa0kB removed by the "
                   "output limit \xe2\x80\xa6</span>\n<span class=\"r err\">after</span>\n"
                   "<span class=\"note\">\xe2\x80\xa6 5.0\xc2\xa0kB could not be stored "
                   "\xe2\x80\xa6</span>\nlast\n",
                   NULL);
  assert_html (&directory, &options, expected);

  options.format = STINT_EXPORT_ASCIICAST;
  cast = export_all (&directory, &options);
  g_assert_nonnull (strstr (cast,
                            ", \"m\", \"\xe2\x80\xa6 8.2\xc2\xa0kB removed by the output limit "
                            "\xe2\x80\xa6\"]\n"));
  g_assert_nonnull (strstr (cast, ", \"o\", \"after\\r\\n\"]\n"));
  g_assert_nonnull (
      strstr (cast, ", \"m\", \"\xe2\x80\xa6 5.0\xc2\xa0kB could not be stored \xe2\x80\xa6\"]\n"));
}

/* Every byte there is, cut at every place, in every format. */
static void
test_all_bytes (void)
{
  for (guint cut = 0; cut < 256; cut += 5)
    for (guint format = STINT_EXPORT_RAW; format <= STINT_EXPORT_ASCIICAST; format++)
      {
        g_auto (Directory) directory = { 0 };
        StintExportOptions options = { .format = format, .tty = cut % 2 };
        g_autofree char *text = NULL;
        char bytes[256];

        for (guint i = 0; i < sizeof bytes; i++)
          bytes[i] = (char) i;
        directory_init (&directory);
        directory_append (&directory, KEEPER_STREAM_STDOUT, bytes, cut);
        directory_append (&directory, KEEPER_STREAM_STDOUT, bytes + cut, sizeof bytes - cut);
        directory_write_outcome (&directory, 0, 0);
        text = export_all (&directory, &options);
        if (format != STINT_EXPORT_RAW)
          g_assert_true (g_utf8_validate (text, -1, NULL));
        if (format == STINT_EXPORT_ASCIICAST)
          for (const char *p = text; *p != '\0'; p++)
            g_assert_true (*p == '\n' || (guint8) *p >= 0x20);
      }
}

typedef struct
{
  GMainLoop *loop;
  guint64 done;
  guint64 total;
  gboolean finished;
  GError *error;
} Answer;

static void
handle_progress (guint64 done, guint64 total, gpointer user_data)
{
  Answer *answer = user_data;

  g_assert_false (answer->finished);
  g_assert_cmpuint (done, >=, answer->done);
  g_assert_cmpuint (done, <=, total);
  answer->done = done;
  answer->total = total;
}

static void
handle_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Answer *answer = user_data;

  stint_export_write_finish (result, &answer->error);
  answer->finished = TRUE;
  g_main_loop_quit (answer->loop);
}

static void
test_async (void)
{
  g_auto (Directory) directory = { 0 };
  StintExportOptions options = { .format = STINT_EXPORT_TEXT };
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GOutputStream) out = g_memory_output_stream_new_resizable ();
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Answer answer = { .loop = loop }, cancelled = { .loop = loop };
  StintReader *reader;

  directory_init (&directory);
  directory_append_text (&directory, KEEPER_STREAM_STDOUT, "text\n");
  directory_write_outcome (&directory, 0, 0);
  reader = stint_reader_new (directory.path);

  stint_export_write_async (reader, &options, out, handle_progress, &answer, NULL, handle_written,
                            &answer);
  g_main_loop_run (loop);
  g_assert_no_error (answer.error);
  g_assert_cmpuint (answer.done, ==, 5);
  g_assert_cmpuint (answer.total, ==, 5);
  g_assert_cmpuint (g_memory_output_stream_get_data_size (G_MEMORY_OUTPUT_STREAM (out)), ==, 5);

  /* The reader is the caller's own: the thread has another. */
  g_cancellable_cancel (cancellable);
  stint_export_write_async (reader, &options, out, NULL, NULL, cancellable, handle_written,
                            &cancelled);
  stint_reader_free (reader);
  g_main_loop_run (loop);
  g_assert_error (cancelled.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&cancelled.error);
}

static void
test_errors (void)
{
  StintExportOptions options = { .format = STINT_EXPORT_RAW };

  for (; options.format <= STINT_EXPORT_ASCIICAST; options.format++)
    {
      g_auto (Directory) directory = { 0 };
      g_autoptr (StintReader) reader = NULL;
      g_autoptr (GOutputStream) out = NULL;
      g_autoptr (GError) error = NULL;
      g_autofree char *output = NULL;
      char small[3];

      directory_init (&directory);
      directory_append_text (&directory, KEEPER_STREAM_STDOUT, "more than three bytes\n");
      directory_write_outcome (&directory, 0, 0);
      reader = stint_reader_new (directory.path);
      out = g_memory_output_stream_new (small, sizeof small, NULL, NULL);
      g_assert_false (stint_export_write (reader, &options, out, NULL, NULL, NULL, &error));
      g_assert_error (error, G_IO_ERROR, G_IO_ERROR_NO_SPACE);
      g_clear_error (&error);
      g_clear_pointer (&reader, stint_reader_free);
      g_clear_object (&out);

      output = g_build_filename (directory.path, "output", NULL);
      g_assert_cmpint (g_unlink (output), ==, 0);
      reader = stint_reader_new (directory.path);
      out = g_memory_output_stream_new_resizable ();
      g_assert_false (stint_export_write (reader, &options, out, NULL, NULL, NULL, &error));
      g_assert_nonnull (error);
    }
}

/* What a damaged index or history says neither overflows nor is shown as anything but a time. */
static void
test_timestamps (void)
{
  StintTimestamp timestamp;

  stint_timestamp_init (&timestamp, 0);
  g_assert_cmpstr (stint_timestamp_format (&timestamp, 3723004999), ==, "01:02:03.004");
  g_assert_cmpstr (stint_timestamp_format (&timestamp, 3723005000), ==, "01:02:03.005");
  g_assert_cmpstr (stint_timestamp_format (&timestamp, -1500000), ==, "00:00:00.000");
  g_assert_cmpstr (stint_timestamp_format (&timestamp, G_MININT64), ==, "00:00:00.000");
  stint_timestamp_init (&timestamp, G_USEC_PER_SEC);
  g_assert_cmpstr (stint_timestamp_format (&timestamp, 0), ==, "00:00:01.000");
  stint_timestamp_init (&timestamp, G_MAXINT64);
  g_assert_cmpuint (strlen (stint_timestamp_format (&timestamp, G_MAXINT64)), ==, STINT_TIMESTAMP_WIDTH);
}

int
main (int argc, char *argv[])
{
  g_setenv ("TZ", "UTC", TRUE);
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/export/names", test_names);
  g_test_add_func ("/export/pipes", test_pipes);
  g_test_add_func ("/export/terminal", test_terminal);
  g_test_add_func ("/export/nothing", test_nothing);
  g_test_add_func ("/export/missing", test_missing);
  g_test_add_func ("/export/all-bytes", test_all_bytes);
  g_test_add_func ("/export/async", test_async);
  g_test_add_func ("/export/errors", test_errors);
  g_test_add_func ("/export/timestamps", test_timestamps);
  return g_test_run ();
}
