/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl history list`, `search`, `show`, `stats` and `export`: what only reads.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-export.h"
#include "stint-cli-file.h"
#include "stint-cli-history-private.h"
#include "stint-error.h"
#include "stint-indexer.h"
#include "stint-job-directories.h"
#include "stint-json.h"
#include "stint-result.h"
#include "stint-run-line.h"
#include "stint-search-index.h"
#include "stint-snippet.h"
#include "stint-standard-descriptors.h"
#include "stint-units.h"

#include <gio/gunixoutputstream.h>
#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_LIMIT 50
#define PAGE 200
#define LINE_CHARS 160

char *
stint_cli_format_time (gint64 usec)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (usec / G_USEC_PER_SEC);
  g_autofree char *seconds =
      time != NULL ? g_date_time_format (time, "%Y-%m-%dT%H:%M:%S") : g_strdup ("");

  return g_strdup_printf ("%s.%03dZ", seconds, (int) (usec / 1000 % 1000));
}

char *
stint_cli_format_local_time (gint64 usec)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (usec / G_USEC_PER_SEC);

  return time != NULL ? g_date_time_format (time, "%Y-%m-%d %H:%M") : g_strdup ("");
}

static void
add_tags (JsonBuilder *builder, const StintEntry *entry)
{
  json_builder_set_member_name (builder, "tags");
  json_builder_begin_array (builder);
  for (guint i = 0; entry->tags[i] != NULL; i++)
    json_builder_add_string_value (builder, entry->tags[i]);
  json_builder_end_array (builder);
}

char *
stint_cli_entry_to_json (const StintEntry *entry, const char *line)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *started = stint_cli_format_time (entry->started_at);
  g_autofree char *signal_name =
      entry->term_signal != 0 ? stint_signal_dup_name (entry->term_signal) : NULL;

  json_builder_begin_object (builder);
  stint_json_add_int (builder, "id", (gint64) entry->id);
  stint_json_add_string (builder, "name", entry->name);
  stint_json_add_string (builder, "kind", entry->kind);
  stint_json_add_string (builder, "command", entry->command);
  stint_json_add_string (builder, "cwd", entry->directory);
  add_tags (builder, entry);
  stint_json_add_bool (builder, "pinned", entry->pinned);
  stint_json_add_bool (builder, "running", entry->running);
  stint_json_add_string (builder, "startedAt", started);
  stint_json_add_int (builder, "durationMs", entry->duration / 1000);
  stint_json_add_string (builder, "reason",
                         entry->reason != STINT_REASON_NONE ? stint_reason_to_nick (entry->reason)
                                                            : NULL);
  json_builder_set_member_name (builder, "exitCode");
  if (entry->has_exit_code)
    json_builder_add_int_value (builder, entry->exit_code);
  else
    json_builder_add_null_value (builder);
  stint_json_add_string (builder, "signal", signal_name);
  stint_json_add_bool (builder, "escalated", entry->escalated);
  stint_json_add_int (builder, "leftovers", entry->leftovers);
  stint_json_add_int (builder, "outputBytes", (gint64) entry->output_bytes);
  stint_json_add_int (builder, "missingBytes", (gint64) entry->missing_bytes);
  stint_json_add_int (builder, "cpuMs", entry->cpu_time / 1000);
  stint_json_add_int (builder, "maxRssBytes", entry->max_rss);
  stint_json_add_string (builder, "error", entry->error);
  json_builder_set_member_name (builder, "follows");
  if (entry->follows != 0)
    json_builder_add_int_value (builder, (gint64) entry->follows);
  else
    json_builder_add_null_value (builder);
  stint_json_add_int (builder, "attempt", entry->attempt);
  if (line != NULL)
    stint_json_add_string (builder, "line", line);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return stint_json_to_text (root, FALSE);
}

static char *
format_entry (const StintEntry *entry)
{
  g_autofree char *time = stint_cli_format_local_time (entry->started_at);
  g_autofree char *outcome = stint_entry_dup_outcome (entry);
  g_autofree char *title = stint_entry_dup_title (entry, LINE_CHARS);
  g_autofree char *duration = NULL;

  if (entry->running)
    duration = g_strdup ("");
  else
    duration = stint_duration_format_words (entry->duration);
  return g_strdup_printf ("%6" G_GUINT64_FORMAT "%s %s  %-12s %12s  %s\n", entry->id,
                          entry->pinned ? "*" : " ", time, outcome, duration, title);
}

/* (transfer full): the words as one query. What the shell has made one word stays one. */
static StintHistoryQuery *
parse_query (char **words, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; words[i] != NULL; i++)
    {
      gboolean spaces = strpbrk (words[i], " \t\n") != NULL && strchr (words[i], '"') == NULL;
      const char *colon = strchr (words[i], ':');

      if (i > 0)
        g_string_append_c (text, ' ');
      /* A single argument is a query as it would be typed into the window. */
      if (!spaces || words[1] == NULL)
        g_string_append (text, words[i]);
      else if (colon != NULL && strcspn (words[i], " \t\n") > (gsize) (colon - words[i]))
        g_string_append_printf (text, "%.*s\"%s\"", (int) (colon - words[i]) + 1, words[i],
                                colon + 1);
      else
        g_string_append_printf (text, "\"%s\"", words[i]);
    }
  return stint_history_query_parse (text->str, g_get_real_time (), error);
}

static gboolean
get_sort (StintCliHistory *self, StintHistorySort *sort, GError **error)
{
  g_autofree char *clean = NULL;

  *sort = STINT_SORT_NEWEST;
  if (self->sort == NULL || stint_history_sort_from_nick (self->sort, sort))
    return TRUE;
  clean = stint_text_clean (self->sort, 40);
  g_set_error (
      error, STINT_ERROR, STINT_ERROR_INVALID,
      _ ("--sort takes newest, oldest, longest, shortest, command, output or rank, or title, "
         "directory, outcome, kind or tags, these also with -reverse, and “%s” is none of them"),
      clean);
  return FALSE;
}

static void
show_progress (guint64 done, guint64 total, const GError *warning, gpointer user_data)
{
  gboolean *shown = user_data;

  if (warning != NULL)
    g_printerr ("stintctl: %s\n", warning->message);
  if (!isatty (STDERR_FILENO))
    return;
  if (total < 1000 && !*shown)
    return;
  /* Translators: progress, on one line of a terminal */
  g_printerr (_ ("\rIndexing: %" PRIu64 " of %" PRIu64 " jobs"), done, total);
  if (done == total)
    g_printerr ("\r\033[K");
  *shown = done != total;
}

/* A search is of what there is now. Without an index it still finds what the rows say. */
static void
update_index (StintCliHistory *self, StintHistoryQuery *query, GError **problem)
{
  gboolean shown = FALSE;

  if (self->no_index || (stint_history_query_get_match (query) == NULL &&
                         stint_history_query_get_unwanted (query) == NULL))
    return;
  if (!stint_index_update (self->state, STINT_INDEX_DEFAULT_LIMIT,
                           show_progress, &shown, NULL, problem) &&
      g_error_matches (*problem, G_IO_ERROR, G_IO_ERROR_BUSY))
    g_clear_error (problem);
}

/* (transfer full): all that @query finds. */
static GArray *
find (StintCliHistory *self, StintHistoryQuery *query, GError **error)
{
  g_autoptr (GError) problem = NULL;
  GArray *hits;
  StintHistorySort sort;

  if (!get_sort (self, &sort, error))
    return NULL;
  update_index (self, query, &problem);
  hits =
      stint_searcher_run (self->searcher, query, sort, STINT_GROUP_NONE, NULL, NULL, NULL, error);
  /* Else it is the same. */
  if (hits != NULL && problem != NULL)
    g_printerr ("stintctl: %s\n", problem->message);
  return hits;
}

/* Whether it is worth finding which line has the words: a search of many hits shows many. */
typedef void (*EntryFunc) (StintCliHistory *self,
                           const StintEntry *entry,
                           const StintSnippet *snippet,
                           GString *text);

static StintSnippet *
find_line (StintCliHistory *self, const StintEntry *entry, const char *const *words)
{
  g_autofree char *directory = NULL;

  if (words == NULL || words[0] == NULL)
    return NULL;
  directory = stint_job_directories_dup_path (stint_searcher_get_jobs_directory (self->searcher),
                                              entry->id);
  return stint_snippet_find (directory, words, LINE_CHARS, NULL);
}

static gboolean
print_hits (StintCliHistory *self,
            GArray *hits,
            guint limit,
            const char *const *words,
            EntryFunc func,
            StintPager *pager,
            GError **error)
{
  for (guint i = 0; i < MIN (limit, hits->len); i += PAGE)
    {
      const guint64 *ids = &g_array_index (hits, guint64, i);
      guint n = MIN (PAGE, MIN (limit, hits->len) - i);
      g_autoptr (GPtrArray) entries = stint_searcher_read (self->searcher, ids, n, error);
      gboolean more = TRUE;

      if (entries == NULL)
        return FALSE;
      for (guint j = 0; j < n; j++)
        {
          g_autoptr (StintEntry) entry = g_ptr_array_index (entries, j);
          g_autoptr (StintSnippet) snippet = NULL;
          g_autoptr (GString) text = g_string_new (NULL);

          if (entry == NULL || !more)
            continue;
          snippet = find_line (self, entry, words);
          func (self, entry, snippet, text);
          more = stint_pager_print (pager, text->str);
        }
      if (!more)
        break;
    }
  return TRUE;
}

static void
format_hit (StintCliHistory *self,
            const StintEntry *entry,
            const StintSnippet *snippet,
            GString *text)
{
  gboolean colours = isatty (STDOUT_FILENO) && g_getenv ("NO_COLOR") == NULL;

  if (self->json)
    {
      g_autofree char *json =
          stint_cli_entry_to_json (entry, snippet != NULL ? snippet->text : NULL);

      g_string_append_printf (text, "%s\n", json);
      return;
    }
  else
    {
      g_autofree char *line = format_entry (entry);

      g_string_append (text, line);
    }
  if (snippet == NULL)
    return;
  g_string_append (text, "        ");
  g_string_append_len (text, snippet->text, snippet->start);
  g_string_append (text, colours ? "\033[1;4m" : "");
  g_string_append_len (text, snippet->text + snippet->start, snippet->end - snippet->start);
  g_string_append (text, colours ? "\033[0m" : "");
  g_string_append_printf (text, "%s\n", snippet->text + snippet->end);
}

static gboolean
print_query (StintCliHistory *self, guint default_limit, gboolean with_lines, GError **error)
{
  g_autoptr (StintHistoryQuery) query = parse_query (self->words, error);
  g_autoptr (GArray) hits = query != NULL ? find (self, query, error) : NULL;
  StintPager *pager;
  guint limit = self->limit < 0 ? default_limit : (guint) self->limit;
  gboolean ok;

  if (hits == NULL)
    return FALSE;
  pager = stint_pager_new (!self->no_pager && !self->json);
  ok = print_hits (self, hits, limit == 0 ? G_MAXUINT : limit,
                   with_lines ? stint_history_query_get_words (query) : NULL, format_hit, pager,
                   error);
  if (ok && !self->json && isatty (STDOUT_FILENO) && limit != 0 && hits->len > limit)
    {
      g_autofree char *more = g_strdup_printf (
          /* Translators: below a list on the terminal; how many more there are */
          g_dngettext (GETTEXT_PACKAGE, "… and %u more; --limit 0 lists all\n",
                       "… and %u more; --limit 0 lists all\n", hits->len - limit),
          hits->len - limit);

      stint_pager_print (pager, more);
    }
  return stint_pager_close (pager) && ok;
}

gboolean
stint_cli_history_list (StintCliHistory *self, GError **error)
{
  return print_query (self, DEFAULT_LIMIT, FALSE, error);
}

gboolean
stint_cli_history_search (StintCliHistory *self, GError **error)
{
  if (self->words[0] != NULL)
    return print_query (self, DEFAULT_LIMIT, TRUE, error);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("What for? Words or filters; see stintctl history --help"));
  return FALSE;
}

static void
    G_GNUC_PRINTF (3, 4) append_fact (GString *text, const char *label, const char *format, ...)
{
  g_autofree char *value = NULL;
  va_list args;

  va_start (args, format);
  value = g_strdup_vprintf (format, args);
  va_end (args);
  if (*value != '\0')
    g_string_append_printf (text, "%-12s %s\n", label, value);
}

static void
append_line (GString *text, const char *label, const char *value)
{
  g_autofree char *clean = value != NULL ? stint_text_clean (value, 4000) : NULL;

  if (clean != NULL)
    append_fact (text, label, "%s", clean);
}

static void
format_facts (StintCliHistory *self, const StintEntry *entry, StintRecord *record, GString *text)
{
  g_autofree char *started = stint_cli_format_local_time (entry->started_at);
  g_autofree char *duration = stint_duration_format_words (entry->duration);
  g_autofree char *cpu = stint_duration_format_words (entry->cpu_time);
  g_autofree char *memory = g_format_size_full ((guint64) entry->max_rss, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *output = g_format_size_full (entry->output_bytes, G_FORMAT_SIZE_IEC_UNITS);
  g_autofree char *tags = g_strjoinv (", ", entry->tags);
  g_autofree char *line = record != NULL ? stint_run_line_dup (record->spec) : NULL;
  g_autofree char *sentence =
      record != NULL ? stint_result_dup_sentence (record->result) : g_strdup (_ ("Running"));

  append_fact (text, _ ("Job"), "%" PRIu64 "%s", entry->id, entry->pinned ? _ (" (pinned)") : "");
  append_line (text, _ ("Name"), entry->name);
  append_line (text, _ ("Command"), entry->command);
  append_line (text, _ ("Directory"), entry->directory);
  append_line (text, _ ("Kind"), entry->kind);
  append_line (text, _ ("Tags"), tags);
  if (entry->follows != 0)
    append_fact (text, _ ("Follows"), "%" PRIu64, entry->follows);
  if (entry->attempt > 1)
    append_fact (text, _ ("Attempt"), "%u", entry->attempt);
  append_line (text, _ ("Started"), started);
  append_line (text, _ ("Ended"), sentence);
  if (!entry->running)
    {
      append_line (text, _ ("Took"), duration);
      append_line (text, _ ("CPU time"), cpu);
      append_line (text, _ ("Memory"), memory);
      append_line (text, _ ("Output"), output);
    }
  append_line (text, _ ("Transcript"), record != NULL ? record->directory : NULL);
  append_line (text, _ ("Again"), line);
}

static void
append_runs (StintCliHistory *self, const StintEntry *entry, GString *text)
{
  g_autoptr (GPtrArray) runs = stint_searcher_find_runs (self->searcher, entry, 10, NULL);

  if (runs == NULL || runs->len < 2)
    return;
  g_string_append_printf (text, "\n%s\n", _ ("Runs of the same command here"));
  for (guint i = 0; i < runs->len; i++)
    {
      g_autofree char *line = format_entry (g_ptr_array_index (runs, i));

      g_string_append (text, line);
    }
}

gboolean
stint_cli_history_show (StintCliHistory *self, GError **error)
{
  g_autoptr (GArray) ids = stint_cli_history_resolve (self, error);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  StintPager *pager;

  if (ids == NULL)
    return FALSE;
  entries =
      stint_searcher_read (self->searcher, (const guint64 *) (void *) ids->data, ids->len, error);
  if (entries == NULL)
    return FALSE;
  for (guint i = 0; i < entries->len; i++)
    {
      g_autoptr (StintEntry) entry = g_ptr_array_index (entries, i);
      g_autoptr (StintRecord) record = NULL;

      if (entry == NULL)
        continue;
      if (self->json)
        {
          g_autofree char *json = stint_cli_entry_to_json (entry, NULL);

          g_string_append_printf (text, "%s\n", json);
          continue;
        }
      if (!entry->running)
        record = stint_searcher_load (self->searcher, entry->id, NULL);
      g_string_append (text, i > 0 ? "\n" : "");
      format_facts (self, entry, record, text);
      append_runs (self, entry, text);
    }
  pager = stint_pager_new (!self->no_pager && !self->json);
  stint_pager_print (pager, text->str);
  return stint_pager_close (pager);
}

static const struct
{
  const char *key;
  const char *sql;
} sums[] = {
  { "jobs", "SELECT count (*) FROM jobs" },
  { "running", "SELECT count (*) FROM jobs WHERE state = 'running'" },
  { "failed", "SELECT count (*) FROM jobs WHERE state = 'finished' AND NOT (reason = 'exited' AND "
              "exit_code = 0) AND reason NOT IN ('terminated', 'killed', 'cancelled')" },
  { "pinned", "SELECT count (*) FROM jobs WHERE pinned" },
  { "durationMs", "SELECT coalesce (sum (duration), 0) / 1000 FROM jobs" },
  { "outputBytes", "SELECT coalesce (sum (stdout_bytes) + sum (stderr_bytes), 0) FROM jobs" },
};

#define TALLY_COMMANDS                                                                             \
  "SELECT substr (command, 1, 200), count (*), coalesce (sum (duration), 0) FROM jobs "            \
  "GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 10"

static char *
stats_to_json (const gint64 *values, GPtrArray *commands)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;

  json_builder_begin_object (builder);
  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    stint_json_add_int (builder, sums[i].key, values[i]);
  json_builder_set_member_name (builder, "commands");
  json_builder_begin_array (builder);
  for (guint i = 0; i < commands->len; i++)
    {
      const StintTally *tally = g_ptr_array_index (commands, i);

      json_builder_begin_object (builder);
      stint_json_add_string (builder, "command", tally->name);
      stint_json_add_int (builder, "runs", tally->count);
      stint_json_add_int (builder, "durationMs", tally->usec / 1000);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  return stint_json_to_text (root, FALSE);
}

static void
format_stats (const gint64 *values, GPtrArray *commands, GString *text)
{
  g_autofree char *time = stint_duration_format_words (values[4] * 1000);
  g_autofree char *output = g_format_size_full ((guint64) values[5], G_FORMAT_SIZE_IEC_UNITS);

  append_fact (text, _ ("Jobs"), "%" PRIi64, values[0]);
  append_fact (text, _ ("Running"), "%" PRIi64, values[1]);
  append_fact (text, _ ("Failed"), "%" PRIi64, values[2]);
  append_fact (text, _ ("Pinned"), "%" PRIi64, values[3]);
  append_fact (text, _ ("Time"), "%s", time);
  append_fact (text, _ ("Output"), "%s", output);
  for (guint i = 0; i < commands->len; i++)
    {
      const StintTally *tally = g_ptr_array_index (commands, i);
      g_autofree char *name = stint_text_clean (tally->name, 100);
      g_autofree char *taken = stint_duration_format_words (tally->usec);

      if (i == 0)
        g_string_append_printf (text, "\n%s\n", _ ("Most often"));
      g_string_append_printf (text, "%6" G_GINT64_FORMAT " %14s  %s\n", tally->count, taken, name);
    }
}

gboolean
stint_cli_history_stats (StintCliHistory *self, GError **error)
{
  gint64 values[G_N_ELEMENTS (sums)];
  g_autoptr (GPtrArray) commands = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  StintPager *pager;

  for (guint i = 0; i < G_N_ELEMENTS (sums); i++)
    if (!stint_searcher_count (self->searcher, sums[i].sql, &values[i], error))
      return FALSE;
  commands = stint_searcher_tally (self->searcher, TALLY_COMMANDS, error);
  if (commands == NULL)
    return FALSE;
  if (self->json)
    {
      g_autofree char *json = stats_to_json (values, commands);

      g_string_append_printf (text, "%s\n", json);
    }
  else
    {
      format_stats (values, commands, text);
    }
  pager = stint_pager_new (!self->no_pager && !self->json);
  stint_pager_print (pager, text->str);
  return stint_pager_close (pager);
}

void
stint_cli_append_csv (GString *line, const char *field)
{
  if (field == NULL)
    return;
  if (strpbrk (field, ",\"\r\n") == NULL)
    {
      g_string_append (line, field);
      return;
    }
  g_string_append_c (line, '"');
  for (; *field != '\0'; field++)
    {
      if (*field == '"')
        g_string_append_c (line, '"');
      g_string_append_c (line, *field);
    }
  g_string_append_c (line, '"');
}

static void
append_csv_row (const StintEntry *entry, GString *text)
{
  g_autofree char *started = stint_cli_format_time (entry->started_at);
  g_autofree char *signal_name =
      entry->term_signal != 0 ? stint_signal_dup_name (entry->term_signal) : NULL;
  g_autofree char *tags = g_strjoinv (" ", entry->tags);

  g_string_append_printf (text, "%" G_GUINT64_FORMAT ",", entry->id);
  stint_cli_append_csv (text, entry->name);
  g_string_append_printf (text, ",%s,", entry->kind);
  stint_cli_append_csv (text, entry->command);
  g_string_append_c (text, ',');
  stint_cli_append_csv (text, entry->directory);
  g_string_append_c (text, ',');
  stint_cli_append_csv (text, tags);
  g_string_append_printf (text, ",%d,%s,%" G_GINT64_FORMAT ",%s,", entry->pinned != FALSE, started,
                          entry->duration / 1000,
                          entry->reason != STINT_REASON_NONE ? stint_reason_to_nick (entry->reason)
                                                             : "");
  if (entry->has_exit_code)
    g_string_append_printf (text, "%d", entry->exit_code);
  g_string_append_printf (text,
                          ",%s,%" G_GUINT64_FORMAT ",%" G_GINT64_FORMAT ",%" G_GINT64_FORMAT "\r\n",
                          signal_name != NULL ? signal_name : "", entry->output_bytes,
                          entry->cpu_time / 1000, entry->max_rss);
}

static gboolean
write_rows (StintCliHistory *self, GArray *hits, gboolean csv, GOutputStream *out, GError **error)
{
  if (csv &&
      !g_output_stream_write_all (out,
                                  "id,name,kind,command,cwd,tags,pinned,startedAt,durationMs,"
                                  "reason,exitCode,signal,outputBytes,cpuMs,maxRssBytes\r\n",
                                  strlen ("id,name,kind,command,cwd,tags,pinned,startedAt,"
                                          "durationMs,reason,exitCode,signal,outputBytes,"
                                          "cpuMs,maxRssBytes\r\n"),
                                  NULL, NULL, error))
    return FALSE;
  for (guint i = 0; i < hits->len; i += PAGE)
    {
      const guint64 *ids = &g_array_index (hits, guint64, i);
      g_autoptr (GPtrArray) entries =
          stint_searcher_read (self->searcher, ids, MIN (PAGE, hits->len - i), error);
      g_autoptr (GString) text = g_string_new (NULL);

      if (entries == NULL)
        return FALSE;
      for (guint j = 0; j < entries->len; j++)
        {
          g_autoptr (StintEntry) entry = g_ptr_array_index (entries, j);
          g_autofree char *json = NULL;

          if (entry != NULL && csv)
            append_csv_row (entry, text);
          else if (entry != NULL)
            json = stint_cli_entry_to_json (entry, NULL);
          if (json != NULL)
            g_string_append_printf (text, "%s\n", json);
        }
      if (!g_output_stream_write_all (out, text->str, text->len, NULL, NULL, error))
        return FALSE;
    }
  return TRUE;
}

/* The output of one job: what `stintctl export` does. */
static gboolean
export_output (StintCliHistory *self, GError **error)
{
  g_autoptr (GArray) ids = stint_cli_history_resolve (self, error);
  g_autofree char *number = NULL;
  g_autofree char *format = g_strconcat ("--format=", self->format, NULL);
  g_autofree char *output =
      self->output != NULL ? g_strconcat ("--output=", self->output, NULL) : NULL;

  if (ids == NULL)
    return FALSE;
  number = g_strdup_printf ("%" G_GUINT64_FORMAT, g_array_index (ids, guint64, 0));
  return stint_cli_export ((const char *[]){ number, format, output, NULL }) == 0;
}

gboolean
stint_cli_history_export (StintCliHistory *self, GError **error)
{
  const char *format = self->format;
  g_autoptr (StintHistoryQuery) query = NULL;
  g_autoptr (GArray) hits = NULL;
  g_autoptr (GOutputStream) out = NULL;
  StintCliFile *file;
  gboolean csv;

  if (format == NULL)
    format = self->output != NULL && g_str_has_suffix (self->output, ".csv") ? "csv" : "json";
  csv = strcmp (format, "csv") == 0;
  if (!csv && strcmp (format, "json") != 0)
    return export_output (self, error);
  query = parse_query (self->words, error);
  hits = query != NULL ? find (self, query, error) : NULL;
  if (hits == NULL)
    return FALSE;
  if (self->limit > 0 && hits->len > (guint) self->limit)
    g_array_set_size (hits, (guint) self->limit);
  if (self->output == NULL)
    {
      if (!stint_standard_descriptor_was_open (STDOUT_FILENO))
        {
          g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED, _ ("Standard output is closed"));
          return FALSE;
        }
      out = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
      return write_rows (self, hits, csv, out, error);
    }
  file = stint_cli_file_open (self->output, error);
  if (file == NULL)
    return FALSE;
  if (write_rows (self, hits, csv, stint_cli_file_get_stream (file), error))
    return stint_cli_file_commit (file, error);
  stint_cli_file_free (file);
  return FALSE;
}
