/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The filters of the history's language: what `key:value` asks of a job.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-filters.h"

#include "stint-error.h"
#include "stint-job-spec.h"
#include "stint-result.h"
#include "stint-search-text.h"
#include "stint-time-words.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

#define STARTED "coalesce (jobs.started_at, jobs.created_at)"

typedef struct
{
  StintConditions *conditions;
  gint64 now;
} Parser;

typedef gboolean (*ParseFunc) (const Parser *parser,
                               const char *value,
                               gboolean negated,
                               GError **error);

static gboolean
parse_yes (const char *key, const char *value, gboolean *yes, GError **error)
{
  g_autofree char *clean = NULL;

  *yes = g_ascii_strcasecmp (value, "yes") == 0 || strcmp (value, "1") == 0 ||
         g_ascii_strcasecmp (value, "true") == 0;
  if (*yes || g_ascii_strcasecmp (value, "no") == 0 || strcmp (value, "0") == 0 ||
      g_ascii_strcasecmp (value, "false") == 0)
    return TRUE;
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: a word of the search language, and what was typed behind it; yes and
                * no are to be typed as they are */
               _ ("“%s:” takes yes or no, and “%s” is neither"), key, clean);
  return FALSE;
}

static gboolean
parse_failed (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("failed", value, &yes, error))
    return FALSE;
  stint_conditions_add (
      parser->conditions,
      yes ? STINT_FAILED_SQL
          : "jobs.state = 'finished' AND jobs.reason = 'exited' AND jobs.exit_code = 0",
      negated);
  return TRUE;
}

static gboolean
parse_pinned (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("pinned", value, &yes, error))
    return FALSE;
  stint_conditions_add (parser->conditions, "jobs.pinned", negated != !yes);
  stint_conditions_set_few (parser->conditions, "SELECT id FROM jobs WHERE pinned", 0);
  return TRUE;
}

static gboolean
parse_running (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("running", value, &yes, error))
    return FALSE;
  stint_conditions_add (parser->conditions, "jobs.state = 'running'", negated != !yes);
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE state = 'running'", 0);
  return TRUE;
}

static gboolean
parse_kind (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;
  StintJobKind kind;

  if (stint_job_kind_from_nick (value, &kind))
    {
      stint_conditions_add_text (parser->conditions, "jobs.kind = ?", negated, 1, g_strdup (value));
      stint_conditions_set_few (parser->conditions, "SELECT id FROM jobs WHERE kind = ?",
                                1);
      return TRUE;
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“kind:” takes shell, terminal or agent, and “%s” is none of them"), clean);
  return FALSE;
}

static gboolean
parse_reason (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;

  if (stint_reason_from_nick (value) != STINT_REASON_NONE)
    {
      /* By its index, which has the rare ones. */
      stint_conditions_add_text (parser->conditions,
                                 strcmp (value, "exited") == 0
                                     ? "jobs.reason = ?"
                                     : "jobs.reason <> 'exited' AND jobs.reason = ?",
                                 negated, 1, g_strdup (value));
      if (strcmp (value, "exited") != 0)
        stint_conditions_set_few (
            parser->conditions,
            "SELECT id FROM jobs WHERE reason <> 'exited' AND reason = ?", 1);
      return TRUE;
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“reason:” takes exited, signaled, timeout, idle-timeout, terminated, killed, "
                  "cancelled, failed or interrupted, and “%s” is none of them"),
               clean);
  return FALSE;
}

static gboolean
parse_exit (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;
  guint64 code;

  if (g_ascii_string_to_unsigned (value, 10, 0, 255, &code, NULL))
    {
      stint_conditions_add_number (parser->conditions,
                                   code == 0 ? "jobs.exit_code = ?"
                                             : "jobs.exit_code <> 0 AND jobs.exit_code = ?",
                                   negated, (gint64) code);
      if (code != 0)
        stint_conditions_set_few (
            parser->conditions,
            "SELECT id FROM jobs WHERE exit_code <> 0 AND exit_code = ?", 1);
      return TRUE;
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“exit:” takes an exit code, 0 to 255, and “%s” is none"), clean);
  return FALSE;
}

static gboolean
parse_signal (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;

  for (int i = 1; i <= SIGRTMAX; i++)
    {
      g_autofree char *name = stint_signal_dup_name (i);
      g_autofree char *number = g_strdup_printf ("%d", i);

      if (g_ascii_strcasecmp (value, name) == 0 || strcmp (value, number) == 0 ||
          (g_str_has_prefix (name, "SIG") && g_ascii_strcasecmp (value, name + 3) == 0))
        {
          stint_conditions_add_number (parser->conditions, "jobs.signal = ?", negated, i);
          stint_conditions_set_few (parser->conditions,
                                    "SELECT id FROM jobs WHERE signal = ?", 1);
          return TRUE;
        }
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“signal:” takes a signal, such as SIGKILL, and “%s” is none"), clean);
  return FALSE;
}

static gboolean
parse_dir (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *expanded = NULL;
  g_autofree char *path = NULL;

  if (value[0] == '~' && (value[1] == '/' || value[1] == '\0'))
    expanded = g_build_filename (g_get_home_dir (), value + 1, NULL);
  if (expanded == NULL && !g_path_is_absolute (value))
    {
      /* Part of a path, as somebody types it. */
      stint_conditions_add_text (parser->conditions,
                                 "instr (lower (jobs.directory), lower (?)) > 0", negated, 1,
                                 g_strdup (value));
      /* The directories, each once: from one to the next by the index. */
      stint_conditions_set_few (
          parser->conditions,
          "SELECT id FROM jobs WHERE directory IN ("
          "WITH RECURSIVE each (path) AS ("
          "SELECT min (directory) FROM jobs UNION ALL "
          "SELECT (SELECT min (directory) FROM jobs WHERE directory > path) FROM each "
          "WHERE path IS NOT NULL) "
          "SELECT path FROM each WHERE instr (lower (path), lower (?)) > 0)",
          1);
      return TRUE;
    }
  path = g_canonicalize_filename (expanded != NULL ? expanded : value, "/");
  if (strcmp (path, "/") == 0)
    return TRUE;
  stint_conditions_add_text (parser->conditions,
                             "substr (jobs.directory || '/', 1, length (?)) = ?", negated, 2,
                             g_strconcat (path, "/", NULL));
  /* Itself, and what is below it: '0' is the character behind the slash. */
  stint_conditions_set_few (
      parser->conditions,
      "SELECT id FROM jobs WHERE directory = substr (?, 1, length (?) - 1) OR "
      "(directory > ? AND directory < substr (?, 1, length (?) - 1) || '0')",
      5);
  return TRUE;
}

static gboolean
parse_tag (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  stint_conditions_add_text (
      parser->conditions,
      "EXISTS (SELECT 1 FROM job_tags WHERE job = jobs.id AND tag = ? COLLATE NOCASE)", negated, 1,
      g_strdup (value));
  stint_conditions_set_few (
      parser->conditions, "SELECT job FROM job_tags WHERE tag = ? COLLATE NOCASE", 1);
  return TRUE;
}

static gboolean
parse_name (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  stint_conditions_add_text (parser->conditions, "instr (lower (jobs.name), lower (?)) > 0",
                             negated, 1, g_strdup (value));
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE name IS NOT NULL AND "
                            "instr (lower (name), lower (?)) > 0",
                            1);
  stint_conditions_set_titles (parser->conditions, stint_search_text_dup_trigrams ("name", value));
  return TRUE;
}

static gboolean
parse_command (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  stint_conditions_add_text (parser->conditions, "instr (lower (jobs.command), lower (?)) > 0",
                             negated, 1, g_strdup (value));
  stint_conditions_set_titles (parser->conditions,
                               stint_search_text_dup_trigrams ("command", value));
  return TRUE;
}

static gboolean
parse_since (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 begin, end;

  if (!stint_time_words_parse (value, parser->now, &begin, &end, error))
    return FALSE;
  stint_conditions_add_number (parser->conditions, STARTED " >= ?", negated, begin);
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE " STARTED " >= ?", 1);
  return TRUE;
}

static gboolean
parse_until (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 begin, end;

  if (!stint_time_words_parse (value, parser->now, &begin, &end, error))
    return FALSE;
  stint_conditions_add_number (parser->conditions, STARTED " < ?", negated, end);
  return TRUE;
}

static gboolean
parse_on (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 begin, end;

  if (!stint_time_words_parse (value, parser->now, &begin, &end, error))
    return FALSE;
  if (end == begin)
    {
      g_autofree char *clean = stint_text_clean (value, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("“on:” takes a day, such as yesterday or 2026-11-22, and “%s” is none"),
                   clean);
      return FALSE;
    }
  stint_conditions_add_range (parser->conditions, STARTED " >= ? AND " STARTED " < ?", negated,
                              begin, end);
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE " STARTED " >= ? AND " STARTED
                            " < ?",
                            2);
  return TRUE;
}

static gboolean
parse_longer (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 usec;

  if (!stint_duration_parse (value, &usec, error))
    return FALSE;
  stint_conditions_add_number (parser->conditions, "jobs.duration > ?", negated, usec);
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE duration > ?", 1);
  return TRUE;
}

static gboolean
parse_shorter (const Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 usec;

  if (!stint_duration_parse (value, &usec, error))
    return FALSE;
  stint_conditions_add_number (parser->conditions, "jobs.duration < ?", negated, usec);
  stint_conditions_set_few (parser->conditions,
                            "SELECT id FROM jobs WHERE duration < ?", 1);
  return TRUE;
}

static const struct
{
  const char *key;
  ParseFunc parse;
} filters[] = {
  { "failed", parse_failed },   { "pinned", parse_pinned }, { "running", parse_running },
  { "kind", parse_kind },       { "reason", parse_reason }, { "exit", parse_exit },
  { "signal", parse_signal },   { "dir", parse_dir },       { "directory", parse_dir },
  { "tag", parse_tag },         { "name", parse_name },     { "command", parse_command },
  { "since", parse_since },     { "after", parse_since },   { "until", parse_until },
  { "before", parse_until },    { "on", parse_on },         { "longer", parse_longer },
  { "shorter", parse_shorter },
};

/* Whether one slip of the finger makes @b of @a: a letter more, less, other, or two exchanged. */
static gboolean
is_slip (const char *a, const char *b)
{
  gsize i = 0;

  while (a[i] != '\0' && a[i] == b[i])
    i++;
  return strcmp (a + i, b + i + (b[i] != '\0')) == 0 ||
         strcmp (a + i + (a[i] != '\0'), b + i) == 0 ||
         (a[i] != '\0' && b[i] != '\0' &&
          (strcmp (a + i + 1, b + i + 1) == 0 ||
           (a[i + 1] == b[i] && a[i] == b[i + 1] && a[i + 1] != '\0' &&
            strcmp (a + i + 2, b + i + 2) == 0)));
}

gboolean
stint_history_filter_exists (const char *key)
{
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (strcmp (key, filters[i].key) == 0)
      return TRUE;
  return FALSE;
}

const char *
stint_history_filter_guess (const char *key)
{
  for (guint i = 0; strlen (key) > 3 && i < G_N_ELEMENTS (filters); i++)
    if (is_slip (key, filters[i].key))
      return filters[i].key;
  return NULL;
}

gboolean
stint_history_filter_parse (const char *key,
                            const char *value,
                            gboolean negated,
                            gint64 now,
                            StintConditions *conditions,
                            GError **error)
{
  const Parser parser = { conditions, now };

  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (strcmp (key, filters[i].key) == 0)
      return filters[i].parse (&parser, value, negated, error);
  g_return_val_if_reached (FALSE);
}
