/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-new-job-form.h"

G_BEGIN_DECLS

#define STINT_TYPE_ENVIRONMENT_TABLE (stint_environment_table_get_type ())
G_DECLARE_FINAL_TYPE (StintEnvironmentTable,
                      stint_environment_table,
                      STINT,
                      ENVIRONMENT_TABLE,
                      AdwPreferencesGroup)

/* The changes to a job's environment: a name, a value and what is done with it for each variable. */

/* Adds a row, with the focus in it if its name is empty. Any text may be %NULL. */
void stint_environment_table_add (StintEnvironmentTable *self,
                                  const char *name,
                                  const char *value,
                                  StintVariableMode mode);

/* Fills it with the changes of a spec, those included whose value it lacks. */
void stint_environment_table_fill (StintEnvironmentTable *self, StintJobSpec *spec);

/**
 * stint_environment_table_list:
 * @self: the table
 *
 * Returns: (transfer full): an array of StintFormVariable, whose texts are valid until a row changes
 */
GArray *stint_environment_table_list (StintEnvironmentTable *self);

/* Says what is wrong at each row. Returns: (transfer none) (nullable): the first that is wrong */
GtkWidget *stint_environment_table_check (StintEnvironmentTable *self);

G_END_DECLS
