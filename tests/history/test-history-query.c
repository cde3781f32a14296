/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What can be typed to search the history: times, words, filters, and what is said of mistakes. That
 * the conditions select the right jobs is in test-search.c.
 */
#include "config.h"

#include <locale.h>
#include <string.h>

#include "stint-error.h"
#include "stint-history-query.h"
#include "stint-search-text.h"
#include "stint-time-words.h"

/* 2026-11-22 15:30:00, a Sunday, where the test runs. */
static gint64
get_now (void)
{
  g_autoptr (GDateTime) time = g_date_time_new_local (2026, 11, 22, 15, 30, 0);

  return g_date_time_to_unix (time) * G_USEC_PER_SEC;
}

static char *
format (gint64 usec)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (usec / G_USEC_PER_SEC);

  return g_date_time_format (time, "%Y-%m-%d %H:%M:%S");
}

static void
test_times (void)
{
  static const struct
  {
    const char *text, *begin, *end;
  } cases[] = {
    { "today", "2026-11-22 00:00:00", "2026-11-23 00:00:00" },
    { "Yesterday", "2026-11-21 00:00:00", "2026-11-22 00:00:00" },
    { "sunday", "2026-11-22 00:00:00", "2026-11-23 00:00:00" },
    { "monday", "2026-11-16 00:00:00", "2026-11-17 00:00:00" },
    { "sat", "2026-11-21 00:00:00", "2026-11-22 00:00:00" },
    { "now", "2026-11-22 15:30:00", "2026-11-22 15:30:00" },
    { "2h", "2026-11-22 13:30:00", "2026-11-22 13:30:00" },
    { "1w", "2026-11-15 15:30:00", "2026-11-15 15:30:00" },
    { "14:05", "2026-11-22 14:05:00", "2026-11-22 14:05:00" },
    { "14:05:09", "2026-11-22 14:05:09", "2026-11-22 14:05:09" },
    { "2026-10", "2026-10-01 00:00:00", "2026-11-01 00:00:00" },
    { "2026-12", "2026-12-01 00:00:00", "2027-01-01 00:00:00" },
    { "2026-02-28", "2026-02-28 00:00:00", "2026-03-01 00:00:00" },
    { "2026-02-28T23:59", "2026-02-28 23:59:00", "2026-02-28 23:59:00" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autofree char *begin_text = NULL;
      g_autofree char *end_text = NULL;
      gint64 begin, end;

      stint_time_words_parse (cases[i].text, get_now (), &begin, &end, &error);
      g_assert_no_error (error);
      begin_text = format (begin);
      end_text = format (end);
      g_test_message ("%s: %s to %s", cases[i].text, begin_text, end_text);
      g_assert_cmpstr (begin_text, ==, cases[i].begin);
      g_assert_cmpstr (end_text, ==, cases[i].end);
    }
}

static void
test_no_times (void)
{
  static const char *const cases[] = { "",           "tomorrow",   "2026-13",    "2026-02-30",
                                       "25:00",      "14:61",      "5",          "-3d",
                                       "2026-1-1-1", "2026-11-22X10:00", "99999999w", "14:05 " };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gint64 begin, end;

      g_assert_false (stint_time_words_parse (cases[i], get_now (), &begin, &end, &error));
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
    }
}

static StintHistoryQuery *
parse (const char *text)
{
  g_autoptr (GError) error = NULL;
  StintHistoryQuery *query = stint_history_query_parse (text, get_now (), &error);

  g_assert_no_error (error);
  return query;
}

static void
test_words (void)
{
  static const struct
  {
    const char *text, *match, *unwanted;
  } cases[] = {
    { "", NULL, NULL },
    { "  \t ", NULL, NULL },
    { "maker", "\"maker\" *", NULL },
    { "makes  again", "\"makes\" * AND \"again\" *", NULL },
    { "\"make all\"", "\"make all\"", NULL },
    { "makes -clean -\"dry run\"", "\"makes\" *", "\"clean\" * OR \"dry run\"" },
    { "error: http://x", "\"error:\" * AND \"http://x\" *", NULL },
    { "\"since:yesterday\"", "\"since:yesterday\"", NULL },
    { "失败", "\" 失  败 \" *", NULL },
    { "البناء", "\"البناء\" *", NULL },
    { "--", NULL, NULL },
    /* Up to four letters are looked up among the beginnings of words, which are marked. */
    { "NEAR NOT *", "\"\356\200\200NEAR\" AND \"\356\200\200NOT\"", NULL },
    { "OR", "\"\356\200\200OR\"", NULL },
    { "failed:yes", NULL, NULL },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (StintHistoryQuery) query = parse (cases[i].text);

      g_assert_cmpstr (stint_history_query_get_match (query), ==, cases[i].match);
      g_assert_cmpstr (stint_history_query_get_unwanted (query), ==, cases[i].unwanted);
    }
}

/* What ranks a job is where and how often it has a word, which its beginning does not tell. */
static void
test_rank (void)
{
  g_autoptr (StintHistoryQuery) query = parse ("ma mak \"the end\" error -no");

  g_assert_cmpstr (stint_history_query_get_match (query), ==,
                   "\"\356\200\200ma\" AND \"\356\200\200mak\" AND \"the end\" AND \"error\" *");
  g_assert_cmpstr (stint_history_query_get_rank_match (query), ==,
                   "\"\356\200\200ma\" AND \"mak\" * AND \"the end\" AND \"error\" *");
}

/* A mistake is named, and so is what would be right. */
static void
test_mistakes (void)
{
  static const struct
  {
    const char *text, *message;
  } cases[] = {
    { "failed:perhaps", "*failed:*yes or no*perhaps*" },
    { "kind:daemon", "*shell, terminal or agent*daemon*" },
    { "exit:256", "*0 to 255*256*" },
    { "exit:-1", "*0 to 255*-1*" },
    { "signal:SIGFOO", "*SIGKILL*SIGFOO*" },
    { "reason:bored", "*timeout*bored*" },
    { "since:whenever", "*whenever*yesterday*" },
    { "on:14:30", "*day*14:30*" },
    { "longer:long", "*long*" },
    { "sicne:today", "*sicne:*since:*" },
    { "faild:yes", "*faild:*failed:*" },
    { "tagg:x", NULL }, /* "tag" is too short to be meant for sure */
    { "dir:", "*dir:*value*" },
    { "\"open", "*quote*" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      g_autoptr (StintHistoryQuery) query =
        stint_history_query_parse (cases[i].text, get_now (), &error);

      if (cases[i].message == NULL)
        continue;
      g_assert_null (query);
      g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
      g_test_message ("%s: %s", cases[i].text, error->message);
      g_assert_true (g_pattern_match_simple (cases[i].message, error->message));
    }
}

static void
test_too_many (void)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < 65; i++)
    g_string_append (text, "a ");
  g_assert_null (stint_history_query_parse (text->str, get_now (), &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
}

static void
test_text (void)
{
  static const struct
  {
    const char *raw, *text;
    gsize length;
  } cases[] = {
    { "plain text", "plain text", 10 },     { "a\0b", "a b", 3 },
    { "\xff\xfe!", "  !", 3 },              { "错误x", " 错  误 x", 7 },
    { "اللغة العربية", "اللغة العربية", 25 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      stint_search_text_append (text, cases[i].raw, cases[i].length);
      g_assert_cmpstr (text->str, ==, cases[i].text);
    }
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/history-query/times", test_times);
  g_test_add_func ("/history-query/no-times", test_no_times);
  g_test_add_func ("/history-query/words", test_words);
  g_test_add_func ("/history-query/rank", test_rank);
  g_test_add_func ("/history-query/mistakes", test_mistakes);
  g_test_add_func ("/history-query/too-many", test_too_many);
  g_test_add_func ("/history-query/text", test_text);

  return g_test_run ();
}
