/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Durations, sizes, clean text.
 */
#include "stint-error.h"
#include "stint-units.h"

#include <string.h>

static void
test_duration_good (void)
{
  const struct
  {
    const char *text;
    gint64 usec;
  } cases[] = {
    { "90", 90000000 },     { "1.5s", 1500000 },       { "5m", 300000000 },
    { "2h", 7200000000 },   { "250ms", 250000 },       { "0", 0 },
    { "1h30m", 5400000000 }, { "1d", 86400000000 },    { "0.001", 1000 },
    { "1m30s", 90000000 },  { ".5s", 500000 },         { "1 s", 1000000 },
    { "1h 30m", 5400000000 }, { "10 min", 600000000 },  { "2 hours 5 minutes", 7500000000 },
    { " 5m ", 300000000 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 usec = -1;

      g_assert_true (stint_duration_parse (cases[i].text, &usec, &error));
      g_assert_no_error (error);
      g_assert_cmpint (usec, ==, cases[i].usec);
    }
}

static void
test_duration_bad (void)
{
  const char *const cases[] = { "",    "x",    "5x",   "-1",       "1h30", "s",     "1 x",  "1e3",
                                "inf", "0x10", "1.2.3s", ".", "99999999999999d", "5M", "1,5s", "nan" };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 usec = 42;

      g_assert_false (stint_duration_parse (cases[i], &usec, &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i]));
      g_assert_cmpint (usec, ==, 42);
    }
}

/* What is formatted can be read again. */
static void
test_duration_round_trip (void)
{
  for (guint i = 0; i < 1000; i++)
    {
      gint64 usec = (gint64) (g_test_rand_double_range (0, 1e9)) * 1000, back = -1;
      g_autofree char *text = stint_duration_format (usec);

      g_assert_true (stint_duration_parse (text, &back, NULL));
      g_assert_cmpint (back, ==, usec);
    }
}

static void
test_duration_clock (void)
{
  const struct
  {
    gint64 usec;
    const char *text;
  } cases[] = {
    { 0, "0:00" },         { 1, "0:01" },           { 1000000, "0:01" },      { 59999999, "1:00" },
    { 60000001, "1:01" }, { 3599000000, "59:59" }, { 3600000000, "1:00:00" }, { -5, "0:00" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = stint_duration_format_clock (cases[i].usec);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_duration_words (void)
{
  const struct
  {
    gint64 usec;
    const char *text;
  } cases[] = {
    { 3000, "3 ms" },          { 1200000, "1.2 s" },       { 12000000, "12 s" },
    { 134000000, "2 min 14 s" }, { 600000000, "10 min" }, { 3900000000, "1 h 5 min" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *text = stint_duration_format_words (cases[i].usec);

      g_assert_cmpstr (text, ==, cases[i].text);
    }
}

static void
test_size (void)
{
  const struct
  {
    const char *text;
    guint64 bytes;
  } good[] = {
    { "0", 0 }, { "64K", 65536 }, { "1M", 1048576 }, { "1G", 1073741824 }, { "123", 123 },
    { "2T", G_GUINT64_CONSTANT (2199023255552) },
  };
  const char *const bad[] = { "", "K", "1.5M", "-1", "1KB", "1k", "99999999999999999999", "9999999999G" };

  for (guint i = 0; i < G_N_ELEMENTS (good); i++)
    {
      guint64 bytes = 1;

      g_assert_true (stint_size_parse (good[i].text, &bytes, NULL));
      g_assert_cmpuint (bytes, ==, good[i].bytes);
    }
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++)
    {
      g_autoptr (GError) error = NULL;
      guint64 bytes = 1;

      g_assert_false (stint_size_parse (bad[i], &bytes, &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_assert_cmpuint (bytes, ==, 1);
    }
}

static void
test_clean (void)
{
  const struct
  {
    const char *text;
    guint max;
    const char *clean;
  } cases[] = {
    { "make -j4", 100, "make -j4" },
    { "a\n\tb", 100, "a b" },
    { "  a  ", 100, "a" },
    { "a\033[31mb", 100, "a [31mb" },
    { "abcdef", 3, "abc…" },
    { "a\xff" "b", 100, "a\xef\xbf\xbd" "b" },
    { "right\xe2\x80\xaeleft", 100, "right left" },
    { "äöü", 2, "äö…" },
    { NULL, 10, "" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *clean = stint_text_clean (cases[i].text, cases[i].max);

      g_assert_cmpstr (clean, ==, cases[i].clean);
    }
}

/* A megabyte of anything becomes a short, valid line. */
static void
test_clean_huge (void)
{
  g_autofree char *huge = g_malloc0 (1024 * 1024 + 1);
  g_autofree char *clean = NULL;

  for (guint i = 0; i < 1024 * 1024; i++)
    huge[i] = (char) g_test_rand_int_range (1, 256);
  clean = stint_text_clean (huge, 100);
  g_assert_true (g_utf8_validate (clean, -1, NULL));
  g_assert_cmpint (g_utf8_strlen (clean, -1), <=, 101);
}

/* A time of the day is the next one; a day may have 23 or 25 hours. */
static void
test_start_time (void)
{
  const struct
  {
    const char *text;
    const char *expected; /* or NULL */
  } cases[] = {
    { "12:31", "2030-03-30T12:31:00+01:00" },
    { "12:30", "2030-03-31T12:30:00+02:00" }, /* that is now */
    { "03:00", "2030-03-31T03:00:00+02:00" }, /* the clocks go forward at 02:00 */
    { "23:59:59", "2030-03-30T23:59:59+01:00" },
    { "2030-04-01 00:00", "2030-04-01T00:00:00+02:00" },
    { "2030-04-01T06:07:08", "2030-04-01T06:07:08+02:00" },
    { "2030-03-30 12:30", NULL }, { "2029-12-31 00:00", NULL }, { "2030-02-30 00:00", NULL },
    { "24:00", NULL }, { "12:60", NULL }, { "1:00", NULL }, { "noon", NULL }, { "", NULL },
    { "12:31x", NULL }, { "+1:00", NULL }, { "12:31:60", NULL }, { "2030-04-01", NULL },
  };
  g_autoptr (GTimeZone) zone = g_time_zone_new_identifier ("CET-1CEST,M3.5.0,M10.5.0/3");
  g_autoptr (GDateTime) now = NULL;

  g_assert_nonnull (zone);
  now = g_date_time_new (zone, 2030, 3, 30, 12, 30, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GDateTime) expected =
        cases[i].expected != NULL ? g_date_time_new_from_iso8601 (cases[i].expected, NULL) : NULL;
      g_autoptr (GError) error = NULL;
      gint64 usec = 42;

      g_test_message ("%s", cases[i].text);
      g_assert_cmpint (stint_start_time_parse (cases[i].text, now, &usec, &error), ==,
                       expected != NULL);
      if (expected != NULL)
        {
          g_assert_cmpint (usec, ==, g_date_time_to_unix (expected) * G_USEC_PER_SEC);
          continue;
        }
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_assert_nonnull (strstr (error->message, cases[i].text));
      g_assert_cmpint (usec, ==, 42);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/units/duration/good", test_duration_good);
  g_test_add_func ("/units/duration/bad", test_duration_bad);
  g_test_add_func ("/units/duration/round-trip", test_duration_round_trip);
  g_test_add_func ("/units/duration/clock", test_duration_clock);
  g_test_add_func ("/units/duration/words", test_duration_words);
  g_test_add_func ("/units/size", test_size);
  g_test_add_func ("/units/clean", test_clean);
  g_test_add_func ("/units/clean/huge", test_clean_huge);
  g_test_add_func ("/units/start-time", test_start_time);
  return g_test_run ();
}
