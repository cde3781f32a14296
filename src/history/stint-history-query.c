/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The language in which the history is searched: text in, conditions of SQL and words of FTS5 out. Nothing
 * that was typed gets into a statement other than as a bound value. Its filters are in
 * stint-history-filters.c.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-history-query.h"

#include "stint-beginnings.h"
#include "stint-conditions.h"
#include "stint-error.h"
#include "stint-history-filters.h"
#include "stint-search-text.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <string.h>

/* What a person types has a few words; SQLite's limits on a statement are far above this. */
#define MAX_TERMS 64

/* Letters: words that begin with fewer are in nearly every job, none of which is a better hit than another; and
 * to merge what all of them have could not be cancelled. */
#define LEAST_RANKED 3

/* A word for MATCH. */
typedef struct
{
  char *text;  /* no quote is in it */
  char *match; /* as the index finds it soonest */
  gboolean expands; /* the words that begin so can be looked up one by one */
} Term;

struct _StintHistoryQuery
{
  gatomicrefcount ref_count;
  StintConditions *filters;
  StintConditions *in_rows; /* the words, for jobs that no index has */
  GPtrArray *words;         /* char *, NULL-terminated once it is parsed */
  GArray *terms;            /* Term: what is matched, of the words */
  GString *match;
  GString *rank_match; /* the same by the words themselves, which rank it */
  GString *unwanted;
};

typedef struct
{
  StintHistoryQuery *query;
  gint64 now;
} Parser;

static void
term_clear (gpointer data)
{
  g_free (((Term *) data)->text);
  g_free (((Term *) data)->match);
}

static void
add_word (StintHistoryQuery *self, const char *word, gboolean phrase, gboolean negated)
{
  GString *match = negated ? self->unwanted : self->match;
  g_autoptr (GString) text = NULL;
  g_autofree char *beginning = NULL;
  g_autofree char *wanted = NULL;

  if (!stint_search_text_has_words (word))
    {
      /* The index knows only words; a command can have `--` or `|`. */
      stint_conditions_add_text (self->filters, "instr (jobs.command, ?) > 0", negated, 1,
                                 g_strdup (word));
      return;
    }
  text = g_string_new (NULL);
  stint_search_text_append (text, word, strlen (word));
  beginning = phrase ? NULL : stint_beginnings_dup_word (text->str, FALSE);
  wanted = beginning != NULL ? g_strdup_printf ("\"%s\"", beginning)
                             : g_strdup_printf (phrase ? "\"%s\"" : "\"%s\" *", text->str);
  if (match->len > 0)
    g_string_append (match, negated ? " OR " : " AND ");
  g_string_append (match, wanted);
  if (!negated)
    {
      Term term = { g_strdup (text->str), g_steal_pointer (&wanted), !phrase && beginning == NULL };

      if (self->rank_match->len > 0)
        g_string_append (self->rank_match, " AND ");
      if (beginning != NULL && g_utf8_strlen (text->str, -1) < LEAST_RANKED)
        g_string_append_printf (self->rank_match, "\"%s\"", beginning);
      else
        g_string_append_printf (self->rank_match, phrase ? "\"%s\"" : "\"%s\" *", text->str);
      g_array_append_val (self->terms, term);
      g_ptr_array_add (self->words, g_strdup (word));
    }
  stint_conditions_add_text (
      self->in_rows,
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
  const char *meant;

  if (key == NULL || *key == '\0')
    {
      add_word (parser->query, term, phrase, negated);
      return TRUE;
    }
  if (stint_history_filter_exists (key))
    {
      if (colon[1] != '\0')
        return stint_history_filter_parse (key, colon + 1, negated, parser->now,
                                           parser->query->filters, error);
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a word of the search language */
                   _ ("“%s:” takes a value right behind the colon; to search for the word, put it "
                      "in quotes"),
                   key);
      return FALSE;
    }
  meant = stint_history_filter_guess (key);
  if (meant != NULL)
    {
      g_autofree char *clean = stint_text_clean (key, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: what was typed, and the word of the search language like it */
                   _ ("There is no “%s:”: write “%s:”, or put it in quotes to search for it"),
                   clean, meant);
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
  self->filters = stint_conditions_new ();
  self->in_rows = stint_conditions_new ();
  self->words = g_ptr_array_new_with_free_func (g_free);
  self->terms = g_array_new (FALSE, FALSE, sizeof (Term));
  g_array_set_clear_func (self->terms, term_clear);
  self->match = g_string_new (NULL);
  self->rank_match = g_string_new (NULL);
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
      g_autofree char *beginning = NULL;

      if (!stint_search_text_has_words (term))
        continue;
      stint_search_text_append (text, term, strlen (term));
      g_string_replace (text, "\"", " ", 0);
      beginning = stint_beginnings_dup_word (text->str, TRUE);
      g_string_append (self->match, self->match->len > 0 ? " AND " : "");
      g_string_append_printf (self->match,
                              beginning != NULL ? "\"%s\"" : "({command name} : \"%s\" *)",
                              beginning != NULL ? beginning : text->str);
      stint_conditions_add_text (
          self->in_rows,
          "instr (lower (jobs.command || char (10) || coalesce (jobs.name, '')), lower (?)) > 0",
          FALSE, 1, g_strdup (term));
      g_ptr_array_add (self->words, g_steal_pointer (&term));
    }
  if (self->words->len == 0)
    return NULL;
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
  g_string_free (self->rank_match, TRUE);
  g_string_free (self->unwanted, TRUE);
  g_free (self);
}

const char *
stint_history_query_get_match (const StintHistoryQuery *self)
{
  return self->match->len > 0 ? self->match->str : NULL;
}

const char *
stint_history_query_get_rank_match (const StintHistoryQuery *self)
{
  return self->rank_match->len > 0 ? self->rank_match->str
                                   : stint_history_query_get_match (self);
}

char *
stint_history_query_dup_match (const StintHistoryQuery *self,
                               StintExpandFunc expand,
                               gpointer user_data)
{
  GString *match = g_string_new (self->terms->len > 0 ? NULL : self->match->str);

  for (guint i = 0; i < self->terms->len; i++)
    {
      const Term *term = &g_array_index (self->terms, Term, i);
      g_autofree char *words = term->expands ? expand (term->text, user_data) : NULL;

      g_string_append_printf (match, "%s%s", i > 0 ? " AND " : "",
                              words != NULL ? words : term->match);
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

gboolean
stint_history_query_can_be_few (const StintHistoryQuery *self, StintFilterFlags flags)
{
  return stint_conditions_can_be_few (self->filters, flags | STINT_FILTER_FEW);
}

void
stint_history_query_append_filters (const StintHistoryQuery *self,
                                    GString *sql,
                                    StintFilterFlags flags)
{
  stint_conditions_append (self->filters, sql, flags);
  if ((flags & STINT_FILTER_WORDS) != 0)
    stint_conditions_append (self->in_rows, sql, flags);
}

int
stint_history_query_bind_filters (const StintHistoryQuery *self,
                                  sqlite3_stmt *statement,
                                  int first,
                                  StintFilterFlags flags)
{
  first = stint_conditions_bind (self->filters, statement, first, flags);
  return (flags & STINT_FILTER_WORDS) != 0
             ? stint_conditions_bind (self->in_rows, statement, first, flags)
             : first;
}
