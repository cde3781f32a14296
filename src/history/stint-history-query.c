/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The language in which the history is searched: text in, conditions of SQL and FTS5 out. Nothing
 * that was typed gets into a statement other than as a bound value.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-query.h"

#include "stint-error.h"
#include "stint-job-spec.h"
#include "stint-result.h"
#include "stint-search-text.h"
#include "stint-time-words.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <signal.h>
#include <string.h>

/* What a person types has a few words; SQLite's limits on a statement are far above this. */
#define MAX_TERMS 64

#define STARTED "coalesce (jobs.started_at, jobs.created_at)"

/* SQL, and how many times the value is in it. */
typedef struct
{
  const char *sql;
  guint n_parameters;
} Test;

/* One condition: to be looked at job by job, and (if few may meet it) by an index of its own. */
typedef struct
{
  Test test;
  Test few; /* sql: NULL: the same */
  gboolean negated;
  char *text; /* (nullable): for each parameter; else the numbers */
  gint64 numbers[2];
} Condition;

/* A word for MATCH. */
typedef struct
{
  char *text; /* no quote is in it */
  gboolean phrase;
} Term;

struct _StintHistoryQuery
{
  gatomicrefcount ref_count;
  GArray *filters;  /* Condition */
  GArray *in_rows;  /* Condition: the words, for jobs that no index has */
  GPtrArray *words; /* char *, NULL-terminated once it is parsed */
  GArray *terms;    /* Term: what is matched, of the words */
  GString *match;
  GString *unwanted;
};

typedef struct
{
  StintHistoryQuery *query;
  gint64 now;
} Parser;

typedef gboolean (*ParseFunc) (Parser *parser, const char *value, gboolean negated, GError **error);

static void
condition_clear (gpointer data)
{
  g_free (((Condition *) data)->text);
}

static void
term_clear (gpointer data)
{
  g_free (((Term *) data)->text);
}

static void
add_numbers (GArray *list,
             const char *sql,
             gboolean negated,
             guint n_parameters,
             const gint64 *numbers)
{
  Condition condition = { { sql, n_parameters }, { NULL, 0 }, negated, NULL, { 0 } };

  for (guint i = 0; i < n_parameters; i++)
    condition.numbers[i] = numbers[i];
  g_array_append_val (list, condition);
}

static void
add_number (GArray *list, const char *sql, gboolean negated, guint n_parameters, gint64 number)
{
  add_numbers (list, sql, negated, n_parameters, &number);
}

/* Takes @text. */
static void
add_text (GArray *list, const char *sql, gboolean negated, guint n_parameters, char *text)
{
  Condition condition = { { sql, n_parameters }, { NULL, 0 }, negated, text, { 0 } };

  g_array_append_val (list, condition);
}

/* Of the last condition: how the jobs that meet it are found without looking at the others. A
 * statement of its own, since SQLite would rather walk the jobs in their order. */
static void
set_few (GArray *list, const char *sql, guint n_parameters)
{
  g_array_index (list, Condition, list->len - 1).few = (Test){ sql, n_parameters };
}

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
parse_failed (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("failed", value, &yes, error))
    return FALSE;
  add_number (parser->query->filters,
              yes ? STINT_FAILED_SQL
                  : "jobs.state = 'finished' AND jobs.reason = 'exited' AND jobs.exit_code = 0",
              negated, 0, 0);
  return TRUE;
}

static gboolean
parse_pinned (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("pinned", value, &yes, error))
    return FALSE;
  add_number (parser->query->filters, "jobs.pinned", negated != !yes, 0, 0);
  set_few (parser->query->filters, "jobs.id IN (SELECT id FROM jobs WHERE pinned)", 0);
  return TRUE;
}

static gboolean
parse_running (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gboolean yes;

  if (!parse_yes ("running", value, &yes, error))
    return FALSE;
  add_number (parser->query->filters, "jobs.state = 'running'", negated != !yes, 0, 0);
  set_few (parser->query->filters, "jobs.id IN (SELECT id FROM jobs WHERE state = 'running')", 0);
  return TRUE;
}

static gboolean
parse_kind (Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;
  StintJobKind kind;

  if (stint_job_kind_from_nick (value, &kind))
    {
      add_text (parser->query->filters, "jobs.kind = ?", negated, 1, g_strdup (value));
      return TRUE;
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“kind:” takes shell, terminal or agent, and “%s” is none of them"), clean);
  return FALSE;
}

static gboolean
parse_reason (Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;

  if (stint_reason_from_nick (value) != STINT_REASON_NONE)
    {
      /* By its index, which has the rare ones. */
      add_text (parser->query->filters,
                strcmp (value, "exited") == 0 ? "jobs.reason = ?"
                                              : "jobs.reason <> 'exited' AND jobs.reason = ?",
                negated, 1, g_strdup (value));
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
parse_exit (Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;
  guint64 code;

  if (g_ascii_string_to_unsigned (value, 10, 0, 255, &code, NULL))
    {
      add_number (parser->query->filters,
                  code == 0 ? "jobs.exit_code = ?" : "jobs.exit_code <> 0 AND jobs.exit_code = ?",
                  negated, 1, (gint64) code);
      return TRUE;
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“exit:” takes an exit code, 0 to 255, and “%s” is none"), clean);
  return FALSE;
}

static gboolean
parse_signal (Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *clean = NULL;

  for (int i = 1; i <= SIGRTMAX; i++)
    {
      g_autofree char *name = stint_signal_dup_name (i);
      g_autofree char *number = g_strdup_printf ("%d", i);

      if (g_ascii_strcasecmp (value, name) == 0 || strcmp (value, number) == 0 ||
          (g_str_has_prefix (name, "SIG") && g_ascii_strcasecmp (value, name + 3) == 0))
        {
          add_number (parser->query->filters, "jobs.signal = ?", negated, 1, i);
          return TRUE;
        }
    }
  clean = stint_text_clean (value, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("“signal:” takes a signal, such as SIGKILL, and “%s” is none"), clean);
  return FALSE;
}

static gboolean
parse_dir (Parser *parser, const char *value, gboolean negated, GError **error)
{
  g_autofree char *expanded = NULL;
  g_autofree char *path = NULL;

  if (value[0] == '~' && (value[1] == '/' || value[1] == '\0'))
    expanded = g_build_filename (g_get_home_dir (), value + 1, NULL);
  if (expanded == NULL && !g_path_is_absolute (value))
    {
      /* Part of a path, as somebody types it. */
      add_text (parser->query->filters, "instr (lower (jobs.directory), lower (?)) > 0", negated, 1,
                g_strdup (value));
      /* The directories, each once: from one to the next by the index. */
      set_few (parser->query->filters,
               "jobs.id IN (SELECT id FROM jobs WHERE directory IN ("
               "WITH RECURSIVE each (path) AS ("
               "SELECT min (directory) FROM jobs UNION ALL "
               "SELECT (SELECT min (directory) FROM jobs WHERE directory > path) FROM each "
               "WHERE path IS NOT NULL) "
               "SELECT path FROM each WHERE instr (lower (path), lower (?)) > 0))",
               1);
      return TRUE;
    }
  path = g_canonicalize_filename (expanded != NULL ? expanded : value, "/");
  if (strcmp (path, "/") == 0)
    return TRUE;
  add_text (parser->query->filters, "substr (jobs.directory || '/', 1, length (?)) = ?", negated, 2,
            g_strconcat (path, "/", NULL));
  /* Itself, and what is below it: '0' is the character behind the slash. */
  set_few (parser->query->filters,
           "jobs.id IN (SELECT id FROM jobs WHERE directory = substr (?, 1, length (?) - 1) OR "
           "(directory > ? AND directory < substr (?, 1, length (?) - 1) || '0'))",
           5);
  return TRUE;
}

static gboolean
parse_tag (Parser *parser, const char *value, gboolean negated, GError **error)
{
  add_text (parser->query->filters,
            "EXISTS (SELECT 1 FROM job_tags WHERE job = jobs.id AND tag = ? COLLATE NOCASE)",
            negated, 1, g_strdup (value));
  set_few (parser->query->filters,
           "jobs.id IN (SELECT job FROM job_tags WHERE tag = ? COLLATE NOCASE)", 1);
  return TRUE;
}

static gboolean
parse_name (Parser *parser, const char *value, gboolean negated, GError **error)
{
  add_text (parser->query->filters, "instr (lower (jobs.name), lower (?)) > 0", negated, 1,
            g_strdup (value));
  set_few (parser->query->filters,
           "jobs.id IN (SELECT id FROM jobs WHERE name IS NOT NULL AND "
           "instr (lower (name), lower (?)) > 0)",
           1);
  return TRUE;
}

static gboolean
parse_command (Parser *parser, const char *value, gboolean negated, GError **error)
{
  add_text (parser->query->filters, "instr (lower (jobs.command), lower (?)) > 0", negated, 1,
            g_strdup (value));
  return TRUE;
}

static gboolean
parse_since (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 begin, end;

  if (!stint_time_words_parse (value, parser->now, &begin, &end, error))
    return FALSE;
  add_number (parser->query->filters, STARTED " >= ?", negated, 1, begin);
  return TRUE;
}

static gboolean
parse_until (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 begin, end;

  if (!stint_time_words_parse (value, parser->now, &begin, &end, error))
    return FALSE;
  add_number (parser->query->filters, STARTED " < ?", negated, 1, end);
  return TRUE;
}

static gboolean
parse_on (Parser *parser, const char *value, gboolean negated, GError **error)
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
  add_numbers (parser->query->filters, STARTED " >= ? AND " STARTED " < ?", negated, 2,
               (const gint64[]){ begin, end });
  return TRUE;
}

static gboolean
parse_longer (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 usec;

  if (!stint_duration_parse (value, &usec, error))
    return FALSE;
  add_number (parser->query->filters, "jobs.duration > ?", negated, 1, usec);
  set_few (parser->query->filters, "jobs.id IN (SELECT id FROM jobs WHERE duration > ?)", 1);
  return TRUE;
}

static gboolean
parse_shorter (Parser *parser, const char *value, gboolean negated, GError **error)
{
  gint64 usec;

  if (!stint_duration_parse (value, &usec, error))
    return FALSE;
  add_number (parser->query->filters, "jobs.duration < ?", negated, 1, usec);
  set_few (parser->query->filters, "jobs.id IN (SELECT id FROM jobs WHERE duration < ?)", 1);
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

static void
add_word (StintHistoryQuery *self, const char *word, gboolean phrase, gboolean negated)
{
  GString *match = negated ? self->unwanted : self->match;
  g_autoptr (GString) text = NULL;

  if (!stint_search_text_has_words (word))
    {
      /* The index knows only words; a command can have `--` or `|`. */
      add_text (self->filters, "instr (jobs.command, ?) > 0", negated, 1, g_strdup (word));
      return;
    }
  text = g_string_new (NULL);
  stint_search_text_append (text, word, strlen (word));
  if (match->len > 0)
    g_string_append (match, negated ? " OR " : " AND ");
  g_string_append_printf (match, phrase ? "\"%s\"" : "\"%s\" *", text->str);
  if (!negated)
    {
      Term term = { g_strdup (text->str), phrase };

      g_array_append_val (self->terms, term);
      g_ptr_array_add (self->words, g_strdup (word));
    }
  add_text (self->in_rows,
            "instr (lower (jobs.command || char (10) || coalesce (jobs.name, '') || char (10) || "
            "jobs.tags || char (10) || coalesce (jobs.directory, '')), lower (?)) > 0",
            negated, 1, g_strdup (word));
}

/* @quoted: the term began with a quote, so that a colon in it is one. */
static gboolean
add_term (Parser *parser,
          const char *term,
          gboolean quoted,
          gboolean phrase,
          gboolean negated,
          GError **error)
{
  const char *colon = quoted ? NULL : strchr (term, ':');
  g_autofree char *key = colon != NULL ? g_ascii_strdown (term, colon - term) : NULL;

  if (key == NULL || *key == '\0')
    {
      add_word (parser->query, term, phrase, negated);
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (filters); i++)
    if (strcmp (key, filters[i].key) == 0)
      {
        if (colon[1] != '\0')
          return filters[i].parse (parser, colon + 1, negated, error);
        g_set_error (
            error, STINT_ERROR, STINT_ERROR_INVALID,
            /* Translators: a word of the search language */
            _ ("“%s:” takes a value right behind the colon; to search for the word, put it "
               "in quotes"),
            key);
        return FALSE;
      }
  for (guint i = 0; strlen (key) > 3 && i < G_N_ELEMENTS (filters); i++)
    if (is_slip (key, filters[i].key))
      {
        g_autofree char *clean = stint_text_clean (key, 40);

        g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                     /* Translators: what was typed, and the word of the search language like it */
                     _ ("There is no “%s:”: write “%s:”, or put it in quotes to search for it"),
                     clean, filters[i].key);
        return FALSE;
      }
  /* Output is full of "error: …". */
  add_word (parser->query, term, phrase, negated);
  return TRUE;
}

static void
skip_space (const char **p)
{
  while (**p != '\0' && g_unichar_isspace (g_utf8_get_char (*p)))
    *p = g_utf8_next_char (*p);
}

/* Reads one term: characters up to a space, of which those in quotes are taken as they are. */
static gboolean
read_term (const char **p, GString *term, gboolean *phrase, GError **error)
{
  gboolean in_quotes = FALSE;

  *phrase = FALSE;
  for (; **p != '\0' && (in_quotes || !g_unichar_isspace (g_utf8_get_char (*p)));
       *p = g_utf8_next_char (*p))
    {
      if (**p == '"')
        {
          in_quotes = !in_quotes;
          *phrase = TRUE;
          continue;
        }
      g_string_append_len (term, *p, g_utf8_next_char (*p) - *p);
    }
  if (!in_quotes)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("A quote is not closed"));
  return FALSE;
}

static gboolean
parse (Parser *parser, const char *text, GError **error)
{
  const char *p = text;
  guint n_terms = 0;

  for (skip_space (&p); *p != '\0'; skip_space (&p))
    {
      g_autoptr (GString) term = g_string_new (NULL);
      gboolean negated = p[0] == '-' && p[1] != '\0' && p[1] != '-' && !g_ascii_isspace (p[1]);
      gboolean quoted, phrase;

      if (negated)
        p++;
      quoted = *p == '"';
      if (!read_term (&p, term, &phrase, error))
        return FALSE;
      if (term->len == 0)
        continue;
      if (++n_terms > MAX_TERMS)
        {
          g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                       /* Translators: a number */
                       _ ("A search has at most %d words"), MAX_TERMS);
          return FALSE;
        }
      if (!add_term (parser, term->str, quoted, phrase, negated, error))
        return FALSE;
    }
  return TRUE;
}

static StintHistoryQuery *
query_new (void)
{
  StintHistoryQuery *self = g_new0 (StintHistoryQuery, 1);

  g_atomic_ref_count_init (&self->ref_count);
  self->filters = g_array_new (FALSE, FALSE, sizeof (Condition));
  self->in_rows = g_array_new (FALSE, FALSE, sizeof (Condition));
  g_array_set_clear_func (self->filters, condition_clear);
  g_array_set_clear_func (self->in_rows, condition_clear);
  self->words = g_ptr_array_new_with_free_func (g_free);
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, term_clear);
  self->match = g_string_new (NULL);
  self->unwanted = g_string_new (NULL);
  return self;
}

StintHistoryQuery *
stint_history_query_parse (const char *text, gint64 now, GError **error)
{
  g_autoptr (StintHistoryQuery) self = query_new ();
  Parser parser = { self, now };

  if (!g_utf8_validate (text, -1, NULL))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("The search is not UTF-8 text"));
      return NULL;
    }
  if (!parse (&parser, text, error))
    return NULL;
  g_ptr_array_add (self->words, NULL);
  return g_steal_pointer (&self);
}

StintHistoryQuery *
stint_history_query_new_titles (const char *const *terms)
{
  g_autoptr (StintHistoryQuery) self = query_new ();

  for (guint i = 0; terms[i] != NULL && self->words->len < MAX_TERMS; i++)
    {
      g_autofree char *term = g_utf8_make_valid (terms[i], -1);
      g_autoptr (GString) text = g_string_new (NULL);

      if (!stint_search_text_has_words (term))
        continue;
      stint_search_text_append (text, term, strlen (term));
      g_string_replace (text, "\"", " ", 0);
      g_string_append_printf (self->match, "%s\"%s\" *",
                              self->match->len > 0 ? " AND " : "{command name} : (", text->str);
      add_text (self->in_rows,
                "instr (lower (jobs.command || char (10) || coalesce (jobs.name, '')), lower (?)) > 0",
                FALSE, 1, g_strdup (term));
      g_ptr_array_add (self->words, g_steal_pointer (&term));
    }
  if (self->words->len == 0)
    return NULL;
  g_string_append_c (self->match, ')');
  g_ptr_array_add (self->words, NULL);
  return g_steal_pointer (&self);
}

StintHistoryQuery *
stint_history_query_ref (StintHistoryQuery *self)
{
  g_atomic_ref_count_inc (&self->ref_count);
  return self;
}

void
stint_history_query_unref (StintHistoryQuery *self)
{
  if (!g_atomic_ref_count_dec (&self->ref_count))
    return;
  g_array_unref (self->filters);
  g_array_unref (self->in_rows);
  g_ptr_array_unref (self->words);
  g_array_unref (self->terms);
  g_string_free (self->match, TRUE);
  g_string_free (self->unwanted, TRUE);
  g_free (self);
}

const char *
stint_history_query_get_match (const StintHistoryQuery *self)
{
  return self->match->len > 0 ? self->match->str : NULL;
}

char *
stint_history_query_dup_match (const StintHistoryQuery *self, StintExpandFunc expand, gpointer user_data)
{
  GString *match = g_string_new (NULL);

  for (guint i = 0; i < self->terms->len; i++)
    {
      const Term *term = &g_array_index (self->terms, Term, i);
      g_autofree char *words = term->phrase ? NULL : expand (term->text, user_data);

      g_string_append (match, i > 0 ? " AND " : "");
      if (words != NULL)
        g_string_append (match, words);
      else
        g_string_append_printf (match, term->phrase ? "\"%s\"" : "\"%s\" *", term->text);
    }
  return g_string_free (match, FALSE);
}

const char *
stint_history_query_get_unwanted (const StintHistoryQuery *self)
{
  return self->unwanted->len > 0 ? self->unwanted->str : NULL;
}

const char *const *
stint_history_query_get_words (const StintHistoryQuery *self)
{
  return (const char *const *) self->words->pdata;
}

/* None are few of those that do not meet a condition. */
static Test
choose (const Condition *condition, StintFilterFlags flags)
{
  gboolean few = (flags & STINT_FILTER_FEW) != 0 && condition->few.sql != NULL;

  return few && !condition->negated ? condition->few : condition->test;
}

static void
append_conditions (GArray *list, GString *sql, StintFilterFlags flags)
{
  for (guint i = 0; i < list->len; i++)
    {
      const Condition *condition = &g_array_index (list, Condition, i);

      /* Those that are to be met as they are, so that SQLite sees which index has them. */
      g_string_append_printf (sql, condition->negated ? " AND NOT coalesce ((%s), 0)" : " AND (%s)",
                              choose (condition, flags).sql);
    }
}

static int
bind_conditions (GArray *list, sqlite3_stmt *statement, int parameter, StintFilterFlags flags)
{
  for (guint i = 0; i < list->len; i++)
    {
      const Condition *condition = &g_array_index (list, Condition, i);
      guint n_parameters = choose (condition, flags).n_parameters;

      for (guint j = 0; j < n_parameters; j++, parameter++)
        if (condition->text != NULL)
          sqlite3_bind_text (statement, parameter, condition->text, -1, SQLITE_STATIC);
        else
          sqlite3_bind_int64 (statement, parameter, condition->numbers[j]);
    }
  return parameter;
}

gboolean
stint_history_query_can_be_few (const StintHistoryQuery *self)
{
  for (guint i = 0; i < self->filters->len; i++)
    {
      const Condition *condition = &g_array_index (self->filters, Condition, i);

      if (choose (condition, STINT_FILTER_FEW).sql == condition->few.sql)
        return TRUE;
    }
  return FALSE;
}

void
stint_history_query_append_filters (const StintHistoryQuery *self,
                                    GString *sql,
                                    StintFilterFlags flags)
{
  append_conditions (self->filters, sql, flags);
  if ((flags & STINT_FILTER_WORDS) != 0)
    append_conditions (self->in_rows, sql, flags);
}

int
stint_history_query_bind_filters (const StintHistoryQuery *self,
                                  sqlite3_stmt *statement,
                                  int first,
                                  StintFilterFlags flags)
{
  first = bind_conditions (self->filters, statement, first, flags);
  return (flags & STINT_FILTER_WORDS) != 0
             ? bind_conditions (self->in_rows, statement, first, flags)
             : first;
}
