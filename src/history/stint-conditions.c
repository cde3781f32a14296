/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conditions of a query, and the two or three ways to ask for each: job by job, by an index of the
 * history, or by the search index.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-conditions.h"

/* What the index has, and what it does not have yet. */
#define IN_TITLES                                                                                  \
  "SELECT rowid FROM search.titles WHERE titles MATCH ? UNION ALL "                    \
  "SELECT id FROM jobs WHERE changed > (SELECT stamp FROM search.state) UNION ALL "                \
  "SELECT id FROM jobs WHERE state = 'running'"

/* SQL, and how many times the value is in it. */
typedef struct
{
  const char *sql;
  guint n_parameters;
} Test;

typedef struct
{
  Test test;
  Test few; /* sql: NULL: the same */
  gboolean negated;
  char *text; /* (nullable): for each parameter; else the numbers */
  gint64 numbers[2];
  char *titles; /* (nullable): for MATCH */
} Condition;

static void
condition_clear (gpointer data)
{
  g_free (((Condition *) data)->text);
  g_free (((Condition *) data)->titles);
}

StintConditions *
stint_conditions_new (void)
{
  GArray *self = g_array_new (FALSE, FALSE, sizeof (Condition));

  g_array_set_clear_func (self, condition_clear);
  return self;
}

/* Takes @text. */
static void
add (StintConditions *self,
     const char *sql,
     gboolean negated,
     guint n_parameters,
     char *text,
     gint64 first,
     gint64 second)
{
  Condition condition = {
    { sql, n_parameters }, { NULL, 0 }, negated, text, { first, second }, NULL
  };

  g_array_append_val (self, condition);
}

void
stint_conditions_add (StintConditions *self, const char *sql, gboolean negated)
{
  add (self, sql, negated, 0, NULL, 0, 0);
}

void
stint_conditions_add_number (StintConditions *self,
                             const char *sql,
                             gboolean negated,
                             gint64 number)
{
  add (self, sql, negated, 1, NULL, number, 0);
}

void
stint_conditions_add_range (StintConditions *self,
                            const char *sql,
                            gboolean negated,
                            gint64 begin,
                            gint64 end)
{
  add (self, sql, negated, 2, NULL, begin, end);
}

void
stint_conditions_add_text (StintConditions *self,
                           const char *sql,
                           gboolean negated,
                           guint n_parameters,
                           char *text)
{
  add (self, sql, negated, n_parameters, text, 0, 0);
}

void
stint_conditions_set_few (StintConditions *self, const char *sql, guint n_parameters)
{
  g_array_index (self, Condition, self->len - 1).few = (Test){ sql, n_parameters };
}

void
stint_conditions_set_titles (StintConditions *self, char *match)
{
  g_array_index (self, Condition, self->len - 1).titles = match;
}

/* None are few of those that do not meet a condition. */
static gboolean
wants_few (const Condition *condition, StintFilterFlags flags)
{
  return (flags & STINT_FILTER_FEW) != 0 && !condition->negated;
}

static gboolean
uses_titles (const Condition *condition, StintFilterFlags flags)
{
  return wants_few (condition, flags) && (flags & STINT_FILTER_INDEXED) != 0 &&
         condition->titles != NULL;
}

static Test
choose (const Condition *condition, StintFilterFlags flags)
{
  return wants_few (condition, flags) && condition->few.sql != NULL &&
                 !uses_titles (condition, flags)
             ? condition->few
             : condition->test;
}

gboolean
stint_conditions_can_be_few (StintConditions *self, StintFilterFlags flags)
{
  for (guint i = 0; i < self->len; i++)
    {
      const Condition *condition = &g_array_index (self, Condition, i);

      if (uses_titles (condition, flags) || choose (condition, flags).sql != condition->test.sql)
        return TRUE;
    }
  return FALSE;
}

/* @select: ids */
static void
append_ids (GString *sql, const char *select, StintFilterFlags flags)
{
  /* The plus: FTS5 would search once more for each of them. */
  g_string_append_printf (sql, "%s IN (%s)",
                          (flags & STINT_FILTER_HITS) != 0 ? "+hit.rowid" : "jobs.id", select);
}

void
stint_conditions_append (StintConditions *self, GString *sql, StintFilterFlags flags)
{
  for (guint i = 0; i < self->len; i++)
    {
      const Condition *condition = &g_array_index (self, Condition, i);

      /* Those that are to be met as they are, so that SQLite sees which index has them. */
      g_string_append (sql, condition->negated ? " AND NOT coalesce ((" : " AND (");
      if (uses_titles (condition, flags))
        {
          append_ids (sql, IN_TITLES, flags);
          g_string_append (sql, " AND ");
        }
      if (choose (condition, flags).sql == condition->few.sql)
        append_ids (sql, condition->few.sql, flags);
      else
        g_string_append (sql, condition->test.sql);
      g_string_append (sql, condition->negated ? "), 0)" : ")");
    }
}

int
stint_conditions_bind (StintConditions *self,
                       sqlite3_stmt *statement,
                       int parameter,
                       StintFilterFlags flags)
{
  for (guint i = 0; i < self->len; i++)
    {
      const Condition *condition = &g_array_index (self, Condition, i);
      guint n_parameters = choose (condition, flags).n_parameters;

      if (uses_titles (condition, flags))
        sqlite3_bind_text (statement, parameter++, condition->titles, -1, SQLITE_STATIC);
      for (guint j = 0; j < n_parameters; j++, parameter++)
        if (condition->text != NULL)
          sqlite3_bind_text (statement, parameter, condition->text, -1, SQLITE_STATIC);
        else
          sqlite3_bind_int64 (statement, parameter, condition->numbers[j]);
    }
  return parameter;
}
