/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Durations, sizes and clean text from anything that can be typed or come from a job.
 */
#include "fuzz.h"
#include "stint-error.h"
#include "stint-units.h"

#define LABEL 40

static void
check_error (gboolean parsed, GError *error)
{
  if (!parsed)
    {
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_assert_true (g_utf8_validate (error->message, -1, NULL));
    }
  else
    {
      g_assert_no_error (error);
    }
}

/* What is formatted reads back as the same, to the millisecond. */
static void
try_duration (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *formatted = NULL, *clock = NULL, *words = NULL;
  gint64 usec = -1, back = -1;
  gboolean parsed = stint_duration_parse (text, &usec, &error);

  check_error (parsed, error);
  if (!parsed)
    {
      g_assert_cmpint (usec, ==, -1);
      return;
    }
  g_assert_cmpint (usec, >=, 0);
  formatted = stint_duration_format (usec);
  clock = stint_duration_format_clock (usec);
  words = stint_duration_format_words (usec);
  g_assert_true (*clock != '\0' && *words != '\0');
  g_assert_true (stint_duration_parse (formatted, &back, NULL));
  /* They are summed up as doubles: exact for three hundred years. */
  if (usec < (G_GINT64_CONSTANT (1) << 53))
    g_assert_cmpint (back, ==, usec / 1000 * 1000);
}

static void
try_size (const char *text)
{
  g_autoptr (GError) error = NULL;
  guint64 bytes = G_MAXUINT64;
  gboolean parsed = stint_size_parse (text, &bytes, &error);

  check_error (parsed, error);
  if (parsed)
    g_assert_cmpuint (bytes, <=, G_MAXINT64);
  else
    g_assert_cmpuint (bytes, ==, G_MAXUINT64);
}

static void
try_text (const char *text)
{
  g_autofree char *clean = stint_text_clean (text, LABEL);
  g_autofree char *twice = stint_text_clean (clean, LABEL + 1);

  g_assert_true (g_utf8_validate (clean, -1, NULL));
  /* One more for the ellipsis. */
  g_assert_cmpint (g_utf8_strlen (clean, -1), <=, LABEL + 1);
  g_assert_cmpstr (clean, ==, twice);
  for (const char *p = clean; *p != '\0'; p = g_utf8_next_char (p))
    g_assert_false (g_unichar_iscntrl (g_utf8_get_char (p)));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = g_strndup ((const char *) data, size);

  try_duration (text);
  try_size (text);
  try_text (text);
  return 0;
}
