/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Points and spans in time as people type them.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-time-words.h"

#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <stdio.h>
#include <string.h>

/* Ages beyond this are before all history. */
#define MAX_AGE (G_GINT64_CONSTANT (1000) * 366 * 86400 * G_USEC_PER_SEC)

static gint64
to_usec (GDateTime *time)
{
  return g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time);
}

/* Returns: (transfer full) (nullable): the local midnight at the beginning of @time's day. */
static GDateTime *
dup_midnight (GDateTime *time)
{
  return g_date_time_new_local (g_date_time_get_year (time), g_date_time_get_month (time),
                                g_date_time_get_day_of_month (time), 0, 0, 0);
}

/* A day that lies @days after the one of @now: it need not have 24 hours. */
static gboolean
set_day (gint64 now, int days, gint64 *begin, gint64 *end)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (now / G_USEC_PER_SEC);
  g_autoptr (GDateTime) midnight = time != NULL ? dup_midnight (time) : NULL;
  g_autoptr (GDateTime) first = midnight != NULL ? g_date_time_add_days (midnight, days) : NULL;
  g_autoptr (GDateTime) next = midnight != NULL ? g_date_time_add_days (midnight, days + 1) : NULL;

  if (first == NULL || next == NULL)
    return FALSE;
  *begin = to_usec (first);
  *end = to_usec (next);
  return TRUE;
}

static gboolean
parse_weekday (const char *text, gint64 now, gint64 *begin, gint64 *end)
{
  static const char *const names[] = { "monday", "tuesday",  "wednesday", "thursday",
                                       "friday", "saturday", "sunday" };
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (now / G_USEC_PER_SEC);

  for (int i = 0; time != NULL && i < 7; i++)
    if (g_ascii_strcasecmp (text, names[i]) == 0 ||
        (strlen (text) == 3 && g_ascii_strncasecmp (text, names[i], 3) == 0))
      {
        int back = (g_date_time_get_day_of_week (time) - 1 - i + 7) % 7;

        return set_day (now, -back, begin, end);
      }
  return FALSE;
}

/* The whole of @text is what @format, which ends with %n, takes. */
#define SCANS(text, consumed, n, format, ...)                                                      \
  (consumed = -1,                                                                                  \
   sscanf (text, format "%n", __VA_ARGS__, &consumed) == n && consumed == (int) strlen (text))

static gboolean
parse_date (const char *text, gint64 *begin, gint64 *end)
{
  g_autoptr (GDateTime) first = NULL;
  g_autoptr (GDateTime) next = NULL;
  int year, month, day, hour = 0, minute = 0, second = 0, consumed;
  char separator;

  if (strspn (text, "0123456789-:T") != strlen (text))
    return FALSE;
  if (SCANS (text, consumed, 2, "%4d-%2d", &year, &month))
    {
      first = g_date_time_new_local (year, month, 1, 0, 0, 0);
      next = first != NULL ? g_date_time_add_months (first, 1) : NULL;
    }
  else if (SCANS (text, consumed, 3, "%4d-%2d-%2d", &year, &month, &day))
    {
      first = g_date_time_new_local (year, month, day, 0, 0, 0);
      next = first != NULL ? g_date_time_add_days (first, 1) : NULL;
    }
  else if (SCANS (text, consumed, 6, "%4d-%2d-%2d%c%2d:%2d", &year, &month, &day, &separator, &hour,
                  &minute) ||
           SCANS (text, consumed, 7, "%4d-%2d-%2d%c%2d:%2d:%2d", &year, &month, &day, &separator,
                  &hour, &minute, &second))
    {
      if (separator == 'T')
        first = g_date_time_new_local (year, month, day, hour, minute, second);
      next = first != NULL ? g_date_time_ref (first) : NULL;
    }
  if (first == NULL || next == NULL)
    return FALSE;
  *begin = to_usec (first);
  *end = to_usec (next);
  return TRUE;
}

static gboolean
parse_clock (const char *text, gint64 now, gint64 *begin, gint64 *end)
{
  g_autoptr (GDateTime) today = g_date_time_new_from_unix_local (now / G_USEC_PER_SEC);
  g_autoptr (GDateTime) time = NULL;
  int hour, minute, second = 0, consumed;

  if (today == NULL || strspn (text, "0123456789:") != strlen (text) ||
      (!SCANS (text, consumed, 2, "%2d:%2d", &hour, &minute) &&
       !SCANS (text, consumed, 3, "%2d:%2d:%2d", &hour, &minute, &second)))
    return FALSE;
  time = g_date_time_new_local (g_date_time_get_year (today), g_date_time_get_month (today),
                                g_date_time_get_day_of_month (today), hour, minute, second);
  if (time == NULL)
    return FALSE;
  *begin = *end = to_usec (time);
  return TRUE;
}

static gboolean
parse_age (const char *text, gint64 now, gint64 *begin, gint64 *end)
{
  g_autofree char *days = NULL;
  guint64 weeks;
  gint64 age;
  gsize length = strlen (text);

  if (length == 0 || g_ascii_isdigit (text[length - 1]))
    return FALSE;
  if (g_ascii_tolower (text[length - 1]) == 'w')
    {
      days = g_strndup (text, length - 1);
      if (!g_ascii_string_to_unsigned (days, 10, 0, 50000, &weeks, NULL))
        return FALSE;
      age = (gint64) weeks * 7 * 86400 * G_USEC_PER_SEC;
    }
  else if (!stint_duration_parse (text, &age, NULL))
    {
      return FALSE;
    }
  *begin = *end = now - MIN (age, MAX_AGE);
  return TRUE;
}

gboolean
stint_time_words_parse (const char *text, gint64 now, gint64 *begin, gint64 *end, GError **error)
{
  g_autofree char *clean = NULL;

  if (g_ascii_strcasecmp (text, "now") == 0)
    {
      *begin = *end = now;
      return TRUE;
    }
  if ((g_ascii_strcasecmp (text, "today") == 0 && set_day (now, 0, begin, end)) ||
      (g_ascii_strcasecmp (text, "yesterday") == 0 && set_day (now, -1, begin, end)) ||
      parse_weekday (text, now, begin, end) || parse_date (text, begin, end) ||
      parse_clock (text, now, begin, end) || parse_age (text, now, begin, end))
    return TRUE;
  clean = stint_text_clean (text, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: what was typed. The words are to be typed as they are. */
               _ ("“%s” is no time: write today, yesterday, monday, 3d, 2h, 14:30, 2026-11-22 or "
                  "2026-11-22T14:30"),
               clean);
  return FALSE;
}
