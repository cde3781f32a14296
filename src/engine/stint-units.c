/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Durations, sizes and clean text: what people write and read.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-units.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MSEC G_GINT64_CONSTANT (1000)
#define SECOND (1000 * MSEC)
#define MINUTE (60 * SECOND)
#define HOUR (60 * MINUTE)
#define DAY (24 * HOUR)

static const struct
{
  const char *name;
  gint64 usec;
} units[] = {
  { "d", DAY }, { "h", HOUR }, { "m", MINUTE }, { "s", SECOND }, { "ms", MSEC },
};

/* What people write too. */
static const struct
{
  const char *name;
  gint64 usec;
} long_units[] = {
  { "days", DAY },       { "day", DAY },       { "hours", HOUR },     { "hour", HOUR },
  { "hrs", HOUR },       { "hr", HOUR },       { "minutes", MINUTE }, { "minute", MINUTE },
  { "mins", MINUTE },    { "min", MINUTE },    { "seconds", SECOND }, { "second", SECOND },
  { "secs", SECOND },    { "sec", SECOND },
};

static const char *
skip_blanks (const char *text)
{
  return text + strspn (text, " \t");
}

/* Returns: microseconds, or 0 if there is no such unit. */
static gint64
look_up_unit (const char *name, gsize length)
{
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (strlen (units[i].name) == length && strncmp (name, units[i].name, length) == 0)
      return units[i].usec;
  for (gsize i = 0; i < G_N_ELEMENTS (long_units); i++)
    if (strlen (long_units[i].name) == length && strncmp (name, long_units[i].name, length) == 0)
      return long_units[i].usec;
  return 0;
}

/* Reads one "1.5h" off @text. Returns: what follows it, or NULL. */
static const char *
parse_part (const char *text, double *usec, gboolean *had_unit)
{
  char *end;
  double number;
  gsize length;
  gint64 unit;

  text = skip_blanks (text);
  /* g_ascii_strtod takes signs, exponents, "inf" and hexadecimal numbers too. */
  length = strspn (text, "0123456789.");
  if (length == 0 || strspn (text, ".") == length)
    return NULL;
  number = g_ascii_strtod (text, &end);
  if (end != text + length)
    return NULL;

  end = (char *) skip_blanks (end);
  length = strspn (end, "abcdefghijklmnopqrstuvwxyz");
  *had_unit = length > 0;
  if (length == 0)
    {
      *usec = number * SECOND;
      return end;
    }
  unit = look_up_unit (end, length);
  if (unit == 0)
    return NULL;
  *usec = number * (double) unit;
  return skip_blanks (end + length);
}

gboolean
stint_duration_parse (const char *text, gint64 *usec, GError **error)
{
  const char *rest = text;
  double sum = 0;
  gboolean had_unit = TRUE;

  g_return_val_if_fail (text != NULL && usec != NULL, FALSE);

  /* Without a unit there is only one number: "1h30" could be minutes or seconds. */
  do
    {
      double part = 0;

      rest = parse_part (rest, &part, &had_unit);
      sum += part;
    }
  while (rest != NULL && *rest != '\0' && had_unit);

  if (rest == NULL || *rest != '\0' || (!had_unit && strpbrk (text, "dhms") != NULL) ||
      sum > (double) (G_MAXINT64 / 4))
    {
      g_autofree char *clean = stint_text_clean (text, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: do not translate the examples */
                   _ ("“%s” is not a duration: write 90, 1.5s, 5m, 2h or 250ms, and 0 for none"),
                   clean);
      return FALSE;
    }
  /* However short it is, it is not "none". */
  *usec = sum > 0 ? MAX ((gint64) (sum + 0.5), 1) : 0;
  return TRUE;
}

char *
stint_duration_format (gint64 usec)
{
  g_autoptr (GString) text = g_string_new (NULL);

  usec = MAX (usec, 0) / MSEC * MSEC;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (usec >= units[i].usec)
      {
        g_string_append_printf (text, "%" G_GINT64_FORMAT "%s", usec / units[i].usec, units[i].name);
        usec %= units[i].usec;
      }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : g_strdup ("0");
}

char *
stint_duration_format_clock (gint64 usec)
{
  gint64 seconds = (MAX (usec, 0) + SECOND - 1) / SECOND;

  if (seconds >= 3600)
    return g_strdup_printf ("%" G_GINT64_FORMAT ":%02d:%02d", seconds / 3600,
                            (int) (seconds / 60 % 60), (int) (seconds % 60));
  return g_strdup_printf ("%d:%02d", (int) (seconds / 60), (int) (seconds % 60));
}

char *
stint_duration_format_words (gint64 usec)
{
  gint64 seconds = MAX (usec, 0) / SECOND;

  if (usec < SECOND)
    /* Translators: a duration in milliseconds */
    return g_strdup_printf (_ ("%d ms"), (int) (MAX (usec, 0) / MSEC));
  if (usec < 10 * SECOND && usec % SECOND != 0)
    /* Translators: a duration in seconds with one decimal */
    return g_strdup_printf (_ ("%.1f s"), (double) usec / SECOND);
  if (seconds < 60)
    /* Translators: a duration in seconds */
    return g_strdup_printf (_ ("%d s"), (int) seconds);
  if (seconds < 3600 && seconds % 60 == 0)
    /* Translators: a duration in minutes */
    return g_strdup_printf (_ ("%d min"), (int) (seconds / 60));
  if (seconds < 3600)
    /* Translators: a duration in minutes and seconds */
    return g_strdup_printf (_ ("%d min %d s"), (int) (seconds / 60), (int) (seconds % 60));
  /* Translators: a duration in hours and minutes */
  return g_strdup_printf (_ ("%d h %d min"), (int) (seconds / 3600), (int) (seconds / 60 % 60));
}

static gboolean
is_digits (const char *text, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (!g_ascii_isdigit (text[i]))
      return FALSE;
  return TRUE;
}

static int
two_digits (const char *text)
{
  return (text[0] - '0') * 10 + text[1] - '0';
}

/* HH:MM or HH:MM:SS. */
static gboolean
parse_time_of_day (const char *text, int *hour, int *minute, int *second)
{
  gsize length = strlen (text);

  if ((length != 5 && length != 8) || !is_digits (text, 2) || text[2] != ':' ||
      !is_digits (text + 3, 2))
    return FALSE;
  if (length == 8 && (text[5] != ':' || !is_digits (text + 6, 2)))
    return FALSE;
  *hour = two_digits (text);
  *minute = two_digits (text + 3);
  *second = length == 8 ? two_digits (text + 6) : 0;
  return *hour < 24 && *minute < 60 && *second < 60;
}

/* Returns: (transfer full) (nullable): the day and the time of the day, or the next such time. */
static GDateTime *
parse_time (const char *text, GDateTime *now)
{
  GTimeZone *zone = g_date_time_get_timezone (now);
  g_autoptr (GDateTime) today = NULL, tomorrow = NULL;
  int year, month, day, hour, minute, second;

  if (strlen (text) > 11 && (text[10] == ' ' || text[10] == 'T') && is_digits (text, 4) &&
      text[4] == '-' && is_digits (text + 5, 2) && text[7] == '-' && is_digits (text + 8, 2))
    {
      if (!parse_time_of_day (text + 11, &hour, &minute, &second))
        return NULL;
      return g_date_time_new (zone, two_digits (text) * 100 + two_digits (text + 2),
                              two_digits (text + 5), two_digits (text + 8), hour, minute, second);
    }
  if (!parse_time_of_day (text, &hour, &minute, &second))
    return NULL;
  g_date_time_get_ymd (now, &year, &month, &day);
  today = g_date_time_new (zone, year, month, day, hour, minute, second);
  if (today == NULL || g_date_time_compare (today, now) > 0)
    return g_steal_pointer (&today);
  /* Not 24 hours later: a day may have 23 or 25. */
  tomorrow = g_date_time_add_days (now, 1);
  g_date_time_get_ymd (tomorrow, &year, &month, &day);
  return g_date_time_new (zone, year, month, day, hour, minute, second);
}

gboolean
stint_start_time_parse (const char *text, GDateTime *now, gint64 *real_usec, GError **error)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *clean = NULL;

  g_return_val_if_fail (text != NULL && now != NULL && real_usec != NULL, FALSE);

  time = parse_time (text, now);
  if (time != NULL && g_date_time_compare (time, now) > 0)
    {
      *real_usec = g_date_time_to_unix (time) * G_USEC_PER_SEC;
      return TRUE;
    }
  clean = stint_text_clean (text, 40);
  if (time != NULL)
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 _ ("“%s” is past: write a time that is to come"), clean);
  else
    g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                 /* Translators: do not translate the examples */
                 _ ("“%s” is not a time: write 03:00, 15:04:05 or 2030-01-31 03:00"), clean);
  return FALSE;
}

gboolean
stint_size_parse (const char *text, guint64 *bytes, GError **error)
{
  static const char suffixes[] = "KMGT";
  guint64 number = 0;
  guint shift = 0;
  const char *end = text, *suffix;

  g_return_val_if_fail (text != NULL && bytes != NULL, FALSE);

  while (g_ascii_isdigit (*end) && number < G_MAXUINT64 / 16)
    number = number * 10 + (guint64) (*end++ - '0');
  if (end != text && *end != '\0' && (suffix = strchr (suffixes, *end)) != NULL)
    {
      shift = 10 * (guint) (suffix - suffixes + 1);
      end++;
    }
  if (end == text || *end != '\0' || number > ((guint64) G_MAXINT64 >> shift))
    {
      g_autofree char *clean = stint_text_clean (text, 40);

      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: do not translate the examples */
                   _ ("“%s” is not a size: write bytes, or 64K, 1M or 1G"), clean);
      return FALSE;
    }
  *bytes = number << shift;
  return TRUE;
}

char *
stint_text_clean (const char *text, guint max_chars)
{
  g_autofree char *valid = NULL;
  g_autoptr (GString) clean = g_string_new (NULL);
  guint n = 0;
  gboolean gap = FALSE;

  /* A megabyte is not worth looking at for forty characters: four bytes each at most, and runs of
   * what is dropped. */
  valid = g_utf8_make_valid (text != NULL ? text : "",
                             text != NULL ? (gssize) strnlen (text, (gsize) max_chars * 8 + 64) : 0);
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    {
      gunichar c = g_utf8_get_char (p);
      GUnicodeType type = g_unichar_type (c);

      /* Format characters can turn the direction of what follows: not in somebody else's label. */
      if (type == G_UNICODE_CONTROL || type == G_UNICODE_FORMAT ||
          type == G_UNICODE_LINE_SEPARATOR || type == G_UNICODE_PARAGRAPH_SEPARATOR || c == ' ')
        {
          gap = clean->len > 0;
          continue;
        }
      if (n + (gap ? 1 : 0) >= max_chars)
        {
          g_string_append (clean, "…");
          break;
        }
      if (gap)
        {
          g_string_append_c (clean, ' ');
          n++;
        }
      gap = FALSE;
      g_string_append_unichar (clean, c);
      n++;
    }
  return g_string_free (g_steal_pointer (&clean), FALSE);
}
