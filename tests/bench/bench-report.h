/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Percentiles, and a line of the table.
 */
#pragma once

#include <glib.h>

static inline int
compare_times (gconstpointer a, gconstpointer b)
{
  gint64 first = *(const gint64 *) a, second = *(const gint64 *) b;

  return (first > second) - (first < second);
}

/* The value that @percent of @times (gint64, microseconds) do not exceed. */
static inline gint64
percentile (GArray *times, guint percent)
{
  g_array_sort (times, compare_times);
  return g_array_index (times, gint64, MIN (times->len - 1, times->len * percent / 100));
}

static inline void
report (const char *what, double value, const char *unit, double limit)
{
  g_print ("| %-62s | %8.2f %-2s | %6.2f | %s |\n", what, value, unit, limit,
           value <= limit ? "met" : "MISSED");
}
