/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Finding in a whole transcript, uncompressed and compressed, against grep and ripgrep on the same
 * bytes in the same run, all at the niceness that the search gives its threads.
 *
 * bench-find [MiB]: 1024 if not said. All is read once before: it is in the page cache if that has
 * room.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"

#include "protocol.h"
#include "stint-find.h"
#include "stint-frames.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define ROUNDS 3

typedef struct
{
  const char *name;
  const char *text;
  StintQueryFlags flags;
  const char *options; /* grep's, for the same */
} Query;

static const Query queries[] = {
  { "literal, 1 of 1000 lines", "needle-in-haystack", 0, "-F" },
  { "literal, every line", "worker", 0, "-F" },
  { "caseless", "NEEDLE-in-hayStack", STINT_QUERY_CASELESS, "-F -i" },
  { "whole word", "needle", STINT_QUERY_WHOLE_WORDS, "-F -w" },
  { "UTF-8", "Größe übel", 0, "-F" },
  { "regular expression", "needle-[a-z]+-hay", STINT_QUERY_REGEX, "-E" },
  { "regular expression without a literal", "[A-F]{3}[0-9]{4}x", STINT_QUERY_REGEX, "-E" },
  { "expression of words", "\\w+-in-\\w+", STINT_QUERY_REGEX, "-E" },
  { "alternatives", "needle|haystack-of", STINT_QUERY_REGEX, "-E" },
};

/* About 100 bytes a line, with three colours in it. */
static guint64
write_output (const char *path, guint64 size)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 done = 0, line = 0;
  FILE *file = g_fopen (path, "wb");

  while (done < size)
    {
      guint32 n = (guint32) (line * 2654435761u);

      g_string_truncate (text, 0);
      g_string_append_printf (
          text,
          "\033[32m%02u:%02u:%02u\033[0m \033[1mINFO\033[0m worker-%u: request %08x done in %u ms",
          (guint) (line / 3600 % 24), (guint) (line / 60 % 60), (guint) (line % 60), n % 16, n,
          n % 977);
      g_string_append (text, line % 5 == 0 ? ", Größe übel: ≥ 4 kB" : ", size was below four kB");
      if (line % 1000 == 500)
        g_string_append (text, " needle-in-haystack");
      g_string_append_c (text, '\n');
      fwrite (text->str, 1, text->len, file);
      done += text->len;
      line++;
    }
  fclose (file);
  return done;
}

/* As a job that has ended has one. */
static void
write_outcome (const char *path, guint64 size)
{
  struct keeper_outcome outcome = { .magic = KEEPER_OUTCOME_MAGIC,
                                    .version = KEEPER_VERSION,
                                    .size = size };

  g_file_set_contents (path, (const char *) &outcome, sizeof outcome, NULL);
}

static gssize
read_source (void *buffer, gsize size, guint64 offset, gpointer data, GError **error)
{
  return pread (GPOINTER_TO_INT (data), buffer, size, (off_t) offset);
}

static void
compress (const char *from, const char *to)
{
  g_autoptr (GError) error = NULL;
  int in = g_open (from, O_RDONLY | O_CLOEXEC, 0),
      out = g_open (to, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  guint64 size = (guint64) lseek (in, 0, SEEK_END);

  if (!stint_frames_write (out, size, 0, 0, read_source, GINT_TO_POINTER (in), NULL, &error))
    g_error ("%s", error->message);
  close (in);
  close (out);
}

static gint64
time_command (const char *command, guint64 *count)
{
  g_autofree char *quoted = g_shell_quote (command), *line = g_strdup_printf ("sh -c %s", quoted);
  g_autofree char *output = NULL;
  gint64 begun = g_get_monotonic_time ();

  g_spawn_command_line_sync (line, &output, NULL, NULL, NULL);
  *count = g_ascii_strtoull (output != NULL ? output : "", NULL, 10);
  return g_get_monotonic_time () - begun;
}

typedef struct
{
  GMainLoop *loop;
  gint64 begun;
  gint64 first;
  gint64 done;
  guint64 n_hits;
} Run;

static void
handle_first (StintFind *find, guint64 start, guint64 end, gpointer data)
{
  Run *run = data;

  run->first = g_get_monotonic_time () - run->begun;
}

static void
handle_done (StintFind *find, guint64 n_hits, gpointer data)
{
  Run *run = data;

  run->done = g_get_monotonic_time () - run->begun;
  run->n_hits = n_hits;
  g_main_loop_quit (run->loop);
}

static void
time_find (const char *directory, const Query *query, guint64 from, Run *run, gint64 *gap)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory);
  g_autoptr (StintFind) find = stint_find_new (reader, query->text, query->flags, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Gaps gaps;

  *run = (Run){ .loop = loop };
  g_signal_connect (find, "first-hit", G_CALLBACK (handle_first), run);
  g_signal_connect (find, "done", G_CALLBACK (handle_done), run);
  gaps_begin (&gaps);
  run->begun = g_get_monotonic_time ();
  stint_find_start (find, from);
  g_main_loop_run (loop);
  gaps_turn (&gaps);
  g_source_remove (gaps.timer);
  *gap = MAX (*gap, percentile (gaps.gaps, 100));
  g_array_unref (gaps.gaps);
}

/* The median of three, for each. */
static void
compare (const char *directory,
         const char *kind,
         const char *source,
         const char *file,
         const Query *query,
         gint64 *gap)
{
  g_autoptr (GArray) ours = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) firsts = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) greps = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autoptr (GArray) rgs = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *grep = g_strdup_printf ("%s LC_ALL=C.UTF-8 nice -n 10 grep -c %s -e '%s' %s",
                                           source, query->options, query->text, file);
  g_autofree char *rg =
      g_strdup_printf ("%s nice -n 10 rg -c %s -e '%s' %s", source,
                       strcmp (query->options, "-E") == 0 ? "" : query->options, query->text, file);
  g_autofree char *name = NULL, *first_name = NULL, *rg_name = NULL;
  guint64 n_grep = 0, n_rg = 0;
  Run run;

  for (guint i = 0; i < ROUNDS; i++)
    {
      gint64 took;

      time_find (directory, query, 0, &run, gap);
      g_array_append_val (ours, run.done);
      g_array_append_val (firsts, run.first);
      took = time_command (grep, &n_grep);
      g_array_append_val (greps, took);
      took = time_command (rg, &n_rg);
      g_array_append_val (rgs, took);
    }
  g_print ("  %s, %s: %.0f ms, grep %.0f ms, rg %.0f ms; %" G_GUINT64_FORMAT
           " hits, grep %" G_GUINT64_FORMAT " lines, rg %" G_GUINT64_FORMAT "\n",
           kind, query->name, (double) percentile (ours, 50) / 1000,
           (double) percentile (greps, 50) / 1000, (double) percentile (rgs, 50) / 1000, run.n_hits,
           n_grep, n_rg);
  name = g_strdup_printf ("find, %s: %s / grep -c", kind, query->name);
  report (name, (double) percentile (ours, 50) / (double) percentile (greps, 50), "x", 2);
  rg_name = g_strdup_printf ("find, %s: %s / rg -c", kind, query->name);
  report (rg_name, (double) percentile (ours, 50) / (double) percentile (rgs, 50), "x", 2);
  first_name = g_strdup_printf ("find, %s: %s, first hit", kind, query->name);
  report (first_name, (double) percentile (firsts, 50) / 1000, "ms", 100);
}

/* What a person waits for after F3. */
static void
time_locating (const char *directory, const char *kind)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory);
  g_autoptr (StintFind) find = stint_find_new (reader, queries[0].text, 0, NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GArray) times = g_array_new (FALSE, FALSE, sizeof (gint64));
  g_autofree char *name = g_strdup_printf ("find, %s: where a hit is, 99th percentile", kind);
  Run run = { .loop = loop };

  g_signal_connect (find, "done", G_CALLBACK (handle_done), &run);
  stint_find_start (find, 0);
  g_main_loop_run (loop);
  for (guint i = 0; i < 500; i++)
    {
      gint64 begun = g_get_monotonic_time (), took;
      StintFindHit hit;

      if (!stint_find_locate (find, (i * 7919u) % run.n_hits, &hit))
        g_error ("A hit is gone");
      took = g_get_monotonic_time () - begun;
      g_array_append_val (times, took);
    }
  report (name, (double) percentile (times, 99) / 1000, "ms", 10);
}

static gboolean
handle_time_out (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/* What the machine does to a main loop that has nothing to do. */
static void
time_resting (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Gaps gaps;

  g_timeout_add (3000, handle_time_out, loop);
  gaps_begin (&gaps);
  g_main_loop_run (loop);
  g_source_remove (gaps.timer);
  report ("longest gap of the main loop in 3 s without a search",
          (double) percentile (gaps.gaps, 100) / 1000, "ms", 16);
  g_array_unref (gaps.gaps);
}

static void
compare_all (const char *directory, const char *kind, const char *source, const char *file)
{
  g_autofree char *name = g_strdup_printf ("find, %s: longest gap of the main loop", kind);
  gint64 gap = 0;

  for (guint i = 0; i < G_N_ELEMENTS (queries); i++)
    compare (directory, kind, source, file, &queries[i], &gap);
  report (name, (double) gap / 1000, "ms", 16);
  time_locating (directory, kind);
}

int
main (int argc, char **argv)
{
  guint64 size = (argc > 1 ? g_ascii_strtoull (argv[1], NULL, 10) : 1024) * 1024 * 1024;
  g_autofree char *directory = g_dir_make_tmp ("stint-bench-XXXXXX", NULL);
  g_autofree char *output = g_build_filename (directory, "output", NULL);
  g_autofree char *outcome = g_build_filename (directory, "outcome", NULL);
  g_autofree char *compressed = g_strconcat (output, ".zst", NULL);
  g_autofree char *zstdcat = g_strdup_printf ("zstdcat '%s' |", compressed);
  g_autofree char *file = g_shell_quote (output);

  write_outcome (outcome, write_output (output, size));
  time_resting ();
  compare_all (directory, "plain", "", file);
  compress (output, compressed);
  g_unlink (output);
  compare_all (directory, "compressed", zstdcat, "");
  g_unlink (compressed);
  g_unlink (outcome);
  return g_rmdir (directory) == 0 ? 0 : 1;
}
