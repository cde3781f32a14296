/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-new-job-form.h"

G_BEGIN_DECLS

#define STINT_TYPE_THEN_LIST (stint_then_list_get_type ())
G_DECLARE_FINAL_TYPE (StintThenList, stint_then_list, STINT, THEN_LIST, AdwPreferencesGroup)

/* What follows a job: shell lines, each with when it is run. */

/* Adds a row, with the focus in it if it is empty. */
void stint_then_list_add (StintThenList *self, const char *line, StintThen when);

/* (transfer full): an array of StintFormThen, whose texts are valid until a row changes. */
GArray *stint_then_list_list (StintThenList *self);

G_END_DECLS
