/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-field-note.h"

G_BEGIN_DECLS

#define STINT_TYPE_DURATION_ROW (stint_duration_row_get_type ())
G_DECLARE_FINAL_TYPE (StintDurationRow, stint_duration_row, STINT, DURATION_ROW, AdwEntryRow)

/*
 * An entry for a duration as people write it, "10m" or "1h 30m"; an empty one is 0. What is no
 * duration is said at once, and leaves the value as it was.
 *
 * Properties:
 *
 *   seconds   uint             the value, in whole seconds; to be bound to a setting
 *   maximum   uint             the most seconds that are accepted
 *   note      StintFieldNote   where a mistake is said: the row below this one
 */

G_END_DECLS
