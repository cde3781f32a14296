/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#include "stint-history-query.h"

G_BEGIN_DECLS

/**
 * StintConditions:
 *
 * What a job must meet, one by one: SQL over `jobs` with values that are bound. All SQL is constant, and
 * outlives it.
 */
typedef GArray StintConditions;

StintConditions *stint_conditions_new (void);

/* A condition without a value, with the same number @n_parameters times, or with one number each. */
void stint_conditions_add (StintConditions *self, const char *sql, gboolean negated);
void stint_conditions_add_number (StintConditions *self,
                                  const char *sql,
                                  gboolean negated,
                                  gint64 number);
void stint_conditions_add_range (StintConditions *self,
                                 const char *sql,
                                 gboolean negated,
                                 gint64 begin,
                                 gint64 end);

/* Takes @text, which is bound @n_parameters times. */
void stint_conditions_add_text (StintConditions *self,
                                const char *sql,
                                gboolean negated,
                                guint n_parameters,
                                char *text);

/* Of the last condition: selects the ids of the jobs that meet it, without looking at the others; with the same
 * values, the first @n_parameters of them or the one text so many times. A statement of its own, since SQLite would
 * rather walk the jobs in their order. */
void stint_conditions_set_few (StintConditions *self, const char *sql, guint n_parameters);

/* Of the last condition: takes @match: (nullable): for MATCH on the search index's `titles`: what is not
 * found so does not meet it. */
void stint_conditions_set_titles (StintConditions *self, char *match);

/* Whether there is one with another way to find few, under @flags with %STINT_FILTER_FEW. */
gboolean stint_conditions_can_be_few (StintConditions *self, StintFilterFlags flags);

/* Appends ` AND …` for each. */
void stint_conditions_append (StintConditions *self, GString *sql, StintFilterFlags flags);

/* Binds them from @parameter on; with the same @flags. Returns: the next free one */
int stint_conditions_bind (StintConditions *self,
                           sqlite3_stmt *statement,
                           int parameter,
                           StintFilterFlags flags);

G_END_DECLS
