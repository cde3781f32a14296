/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-conditions.h"

G_BEGIN_DECLS

/* Whether there is a filter @key, in small letters. */
gboolean stint_history_filter_exists (const char *key);

/* (nullable): the filter of which one slip of the finger makes @key. */
const char *stint_history_filter_guess (const char *key);

/**
 * stint_history_filter_parse:
 * @key: a filter that exists
 * @value: as it was typed behind the colon, not empty
 * @negated: whether it is turned round
 * @now: microseconds since 1970
 * @conditions: gets what the filter asks
 * @error: %STINT_ERROR_INVALID, for people: what is wrong, and what would be right
 */
gboolean stint_history_filter_parse (const char *key,
                                     const char *value,
                                     gboolean negated,
                                     gint64 now,
                                     StintConditions *conditions,
                                     GError **error);

G_END_DECLS
