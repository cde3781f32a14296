/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl history`: its verbs and options. What the verbs do is in the files beside this one.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-history.h"

#include "stint-cli-export.h"
#include "stint-cli-history-private.h"
#include "stint-cli-records.h"
#include "stint-cli-run.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-left-job.h"
#include "stint-result.h"
#include "stint-run-line.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

static const struct
{
  const char *verb;
  StintCliHistoryFunc run;
} verbs[] = {
  { "list", stint_cli_history_list },     { "search", stint_cli_history_search },
  { "show", stint_cli_history_show },     { "stats", stint_cli_history_stats },
  { "export", stint_cli_history_export }, { "remove", stint_cli_history_remove },
  { "prune", stint_cli_history_prune },   { "clear", stint_cli_history_clear },
  { "tag", stint_cli_history_tag },       { "untag", stint_cli_history_untag },
  { "rename", stint_cli_history_rename }, { "pin", stint_cli_history_pin },
  { "unpin", stint_cli_history_unpin },   { "backup", stint_cli_history_backup },
  { "import", stint_cli_history_import },
};

static void
clear (StintCliHistory *self)
{
  g_clear_pointer (&self->searcher, stint_searcher_free);
  g_clear_pointer (&self->archive, stint_archive_free);
  g_free (self->state);
  g_strfreev (self->words);
  g_free (self->sort);
  g_free (self->format);
  g_free (self->output);
  g_free (self->older);
  g_free (self->keep);
  g_free (self->max_size);
  g_free (self->source);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (StintCliHistory, clear)

static void
complain (const GError *error)
{
  g_printerr ("stintctl: %s\n", error->message);
}

static void
print_line (const char *words, const char *what)
{
  /* printf() counts bytes; this counts characters. */
  g_print ("  %s%*s %s\n", words, (int) MAX (20 - (gint64) g_utf8_strlen (words, -1), 0), "", what);
}

static void
print_help (void)
{
  g_print (_ ("Usage: stintctl history VERB [OPTION…] [ARG…]\n\n"
              "ID is a job's number, its name, or “last”.\n\n"));
  print_line ("list [QUERY…]", _ ("Jobs, newest first"));
  print_line ("search QUERY…", _ ("Jobs with these words, and the lines that have them"));
  print_line ("show ID", _ ("All that is known of a job"));
  print_line ("output ID", _ ("What it put out (see stintctl export --help)"));
  print_line ("export [QUERY…]",
              _ ("Jobs as JSON or CSV; of one job, --format asciicast: its output"));
  print_line ("rerun ID", _ ("Run it again, here"));
  print_line ("tag ID TAG…", _ ("Add tags"));
  print_line ("untag ID TAG…", _ ("Take tags away"));
  print_line ("rename ID [NAME]", _ ("Give it a name, or none"));
  print_line ("pin ID…", _ ("Keep it for ever"));
  print_line ("unpin ID…", _ ("No longer"));
  print_line ("remove ID…", _ ("Remove jobs and their output"));
  print_line ("prune", _ ("Remove what is too old or too much"));
  print_line ("clear --yes", _ ("Remove everything, and overwrite it"));
  print_line ("import [FILE]", _ ("Add what a shell has in its history"));
  print_line ("stats", _ ("Sums"));
  print_line ("backup FILE", _ ("Copy the database, while it is used"));
  g_print ("\n");
  print_line ("--json", _ ("An object a line"));
  print_line ("-n, --limit N", _ ("At most N jobs; 0: all (list: 50)"));
  print_line (
      "--sort ORDER",
      _ ("newest, oldest, longest, shortest, command, output, rank, title…: see stintctl(1)"));
  print_line ("--no-pager", _ ("Straight to the terminal"));
  print_line ("--no-index", _ ("Search without bringing the index up to date first"));
  print_line ("--format FORMAT", _ ("Of export: json, csv, asciicast, text, html or raw"));
  print_line ("-o, --output FILE", _ ("Of export: write to FILE"));
  print_line ("--older D", _ ("Of prune: remove what is older than D (90d; 0: any age is kept)"));
  print_line ("--keep N", _ ("Of prune: keep N jobs (0: any number)"));
  print_line ("--max-size SIZE", _ ("Of prune: keep SIZE of output (10G; 0: any)"));
  print_line ("--dry-run", _ ("Of prune and import: only say what would be done"));
  print_line ("--yes", _ ("Of clear: it is meant"));
  print_line ("--from SHELL", _ ("Of import: bash, zsh or atuin (else by the file)"));
  g_print (_ (
      "\nA QUERY is words, all of which a job has in its command, name, tags, directory or output,\n"
      "and filters: failed:yes dir:~/src since:yesterday until:2026-11-22 on:monday longer:5m\n"
      "shorter:10s exit:2 signal:SIGKILL reason:timeout kind:agent tag:nightly name:TEXT\n"
      "command:TEXT pinned:yes running:yes. “-” before one turns it round; \"in quotes\" words\n"
      "stand side by side.\n"));
}

/* `-word` is a word that a job must not have, and no option; `-n5` is one. */
static gboolean
is_unwanted_word (const char *word)
{
  return word[0] == '-' && word[1] != '-' && strlen (word) > 2 &&
         !(word[1] == 'n' && g_ascii_isdigit (word[2]));
}

static gboolean
parse (StintCliHistory *self, const char *const *argv, GError **error)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_auto (GStrv) words = NULL;
  gboolean words_begun = FALSE;
  const GOptionEntry entries[] = {
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, NULL, NULL },
    { "json", 0, 0, G_OPTION_ARG_NONE, &self->json, NULL, NULL },
    { "limit", 'n', 0, G_OPTION_ARG_INT, &self->limit, NULL, NULL },
    { "sort", 0, 0, G_OPTION_ARG_STRING, &self->sort, NULL, NULL },
    { "no-pager", 0, 0, G_OPTION_ARG_NONE, &self->no_pager, NULL, NULL },
    { "no-index", 0, 0, G_OPTION_ARG_NONE, &self->no_index, NULL, NULL },
    { "format", 0, 0, G_OPTION_ARG_STRING, &self->format, NULL, NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &self->output, NULL, NULL },
    { "older", 0, 0, G_OPTION_ARG_STRING, &self->older, NULL, NULL },
    { "keep", 0, 0, G_OPTION_ARG_STRING, &self->keep, NULL, NULL },
    { "max-size", 0, 0, G_OPTION_ARG_STRING, &self->max_size, NULL, NULL },
    { "dry-run", 0, 0, G_OPTION_ARG_NONE, &self->dry_run, NULL, NULL },
    { "yes", 0, 0, G_OPTION_ARG_NONE, &self->yes, NULL, NULL },
    { "from", 0, 0, G_OPTION_ARG_STRING, &self->source, NULL, NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->words, NULL, NULL },
    { NULL },
  };

  g_ptr_array_add (all, (char *) "stintctl");
  for (guint i = 0; argv[i] != NULL; i++)
    {
      if (!words_begun && is_unwanted_word (argv[i]))
        {
          g_ptr_array_add (all, (char *) "--");
          words_begun = TRUE;
        }
      words_begun = words_begun || strcmp (argv[i], "--") == 0;
      g_ptr_array_add (all, (char *) argv[i]);
    }
  g_ptr_array_add (all, NULL);
  words = g_strdupv ((char **) all->pdata);
  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  if (!g_option_context_parse_strv (context, &words, error))
    return FALSE;
  if (self->words == NULL)
    self->words = g_new0 (char *, 1);
  if (self->limit >= -1)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("--limit takes a number of jobs"));
  return FALSE;
}

GArray *
stint_cli_history_resolve (StintCliHistory *self, GError **error)
{
  g_autoptr (GArray) ids = g_array_new (FALSE, FALSE, sizeof (guint64));

  if (self->words[0] == NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("Which job? Its number, its name, or “last”; see stintctl history --help"));
      return NULL;
    }
  for (guint i = 0; self->words[i] != NULL; i++)
    {
      guint64 id;

      if (!stint_searcher_resolve (self->searcher, self->words[i], &id, error))
        return NULL;
      g_array_append_val (ids, id);
    }
  return g_steal_pointer (&ids);
}

void
stint_cli_history_tell_problems (StintCliHistory *self)
{
  g_autoptr (GPtrArray) problems = stint_archive_take_problems (self->archive);

  for (guint i = 0; problems != NULL && i < problems->len; i++)
    complain (g_ptr_array_index (problems, i));
}

/* The job's number as a word, for the verbs that others do. */
static char *
dup_number (StintCliHistory *self, GError **error)
{
  g_autoptr (GArray) ids = stint_cli_history_resolve (self, error);

  if (ids == NULL)
    return NULL;
  return g_strdup_printf ("%" G_GUINT64_FORMAT, g_array_index (ids, guint64, 0));
}

/* `output ID [OPTION…]` is `stintctl export`. */
static int
output (StintCliHistory *self, const char *const *argv)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) error = NULL;
  gboolean found = FALSE;

  for (guint i = 0; argv[i] != NULL; i++)
    {
      gboolean takes_value = strcmp (argv[i], "--format") == 0 ||
                             strcmp (argv[i], "--stream") == 0 || strcmp (argv[i], "-o") == 0 ||
                             strcmp (argv[i], "--output") == 0;

      if (argv[i][0] != '-' && !found)
        {
          g_autofree char *number = NULL;
          guint64 id;

          found = TRUE;
          if (!stint_searcher_resolve (self->searcher, argv[i], &id, &error))
            {
              complain (error);
              return STINT_EXIT_OWN_FAILURE;
            }
          number = g_strdup_printf ("%" G_GUINT64_FORMAT, id);
          g_strv_builder_add (builder, number);
          continue;
        }
      g_strv_builder_add (builder, argv[i]);
      if (takes_value && argv[i + 1] != NULL)
        g_strv_builder_add (builder, argv[++i]);
    }
  words = g_strv_builder_end (builder);
  return stint_cli_export ((const char *const *) words);
}

static int
rerun (StintCliHistory *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *number = dup_number (self, &error);
  g_autoptr (StintRecord) record = NULL;
  g_auto (GStrv) words = NULL;

  if (number != NULL && self->words[1] != NULL)
    g_set_error (&error, STINT_ERROR, STINT_ERROR_INVALID, _ ("rerun takes one job"));
  else if (number != NULL)
    record = stint_searcher_load (self->searcher, g_ascii_strtoull (number, NULL, 10), &error);
  /* Secrets are not kept, and a job without them would not be the same. */
  if (record != NULL && !stint_job_spec_check (record->spec, &error))
    g_clear_pointer (&record, stint_record_free);
  if (record != NULL && stint_job_spec_get_stdin_text (record->spec) != NULL)
    {
      g_set_error (&error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("This job got its prompt on standard input: run it again in the window"));
      g_clear_pointer (&record, stint_record_free);
    }
  if (record == NULL)
    {
      complain (error);
      return STINT_EXIT_OWN_FAILURE;
    }
  words = stint_run_words (record->spec);
  /* Nothing is kept open meanwhile. */
  g_clear_pointer (&self->searcher, stint_searcher_free);
  return stint_cli_run ((const char *const *) words);
}

/* Where there is never a window, a job whose stintctl was killed would be said to run for ever. A window
 * tells of them nevertheless, when there is one. */
static void
complete_interrupted (StintCliHistory *self)
{
  g_autoptr (GPtrArray) left = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_left_job_free);
  g_autoptr (GArray) recovered = g_array_new (FALSE, FALSE, sizeof (guint64));
  g_autoptr (GError) error = NULL;
  guint n_ending;

  if (stint_cli_records_has_interrupted (self->state) &&
      stint_archive_recover (self->archive, FALSE, left, recovered, &n_ending, &error) < 0)
    complain (error);
  /* Some verbs look for none. */
  stint_cli_history_tell_problems (self);
}

static int
run_verb (StintCliHistory *self, const char *verb)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *clean = NULL;

  if (strcmp (verb, "rerun") == 0)
    return rerun (self);
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (strcmp (verb, verbs[i].verb) == 0)
      {
        gboolean ok = verbs[i].run (self, &error);

        stint_cli_history_tell_problems (self);
        if (ok)
          return 0;
        /* What could not be written has been said. */
        if (error != NULL)
          complain (error);
        return STINT_EXIT_OWN_FAILURE;
      }
  clean = stint_text_clean (verb, 40);
  g_printerr (_ ("stintctl: “history” has no “%s”; see stintctl history --help\n"), clean);
  return STINT_EXIT_OWN_FAILURE;
}

int
stint_cli_history (const char *const *argv)
{
  g_auto (StintCliHistory) self = { .limit = -1 };
  g_autoptr (GError) error = NULL;
  const char *verb = argv[0];

  if (verb == NULL || strcmp (verb, "--help") == 0 || strcmp (verb, "-h") == 0)
    {
      print_help ();
      return verb != NULL ? 0 : STINT_EXIT_OWN_FAILURE;
    }
  self.state = stint_job_directories_dup_state ();
  self.searcher = stint_searcher_new (self.state);
  self.archive = stint_archive_new (self.state);
  if (strcmp (verb, "output") == 0)
    return output (&self, argv + 1);
  if (!parse (&self, argv + 1, &error))
    {
      complain (error);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (self.help)
    {
      print_help ();
      return 0;
    }
  complete_interrupted (&self);
  return run_verb (&self, verb);
}
