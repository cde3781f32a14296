/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the history's rows, cells and pages say of a job or of a group of jobs, from what was read of
 * it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-text.h"

#include "stint-job-text.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define TEXT_CHARS 200

static StintResult *
make_result (const StintEntry *entry)
{
  StintResult *result = stint_result_new (entry->reason);

  /* A shell that it was imported from may not have known it. */
  result->has_exit_code = TRUE;
  result->exit_code = entry->exit_code;
  result->term_signal = entry->term_signal;
  return result;
}

char *
stint_history_text_dup_outcome (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return g_strdup (_ ("Running"));
  result = make_result (entry);
  return stint_job_text_dup_ended (result);
}

const char *
stint_history_text_get_icon (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return "media-playback-start-symbolic";
  result = make_result (entry);
  return stint_job_text_get_ended_icon (result);
}

const char *
stint_history_text_get_style (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return "accent";
  result = make_result (entry);
  return stint_job_text_get_ended_style (result);
}

char *
stint_history_text_format_time (gint64 usec, GDateTime *now, gboolean day_is_known)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (usec / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local =
    time != NULL ? g_date_time_to_timezone (time, g_date_time_get_timezone (now)) : NULL;

  if (local == NULL)
    return g_strdup ("");
  if (day_is_known || (g_date_time_get_year (local) == g_date_time_get_year (now) &&
                       g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now)))
    return g_date_time_format (local, "%H:%M");
  if (g_date_time_get_year (local) == g_date_time_get_year (now))
    /* Translators: the day and time a job started, for strftime(). */
    return g_date_time_format (local, _ ("%-d %b %H:%M"));
  /* Translators: the day and time a job started in another year, for strftime(). */
  return g_date_time_format (local, _ ("%-d %b %Y %H:%M"));
}

static char *
dup_day (gint64 usec, GDateTime *now)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (usec / G_USEC_PER_SEC);
  g_autoptr (GDateTime) yesterday = g_date_time_add_days (now, -1);

  if (time == NULL)
    return g_strdup ("");
  if (g_date_time_get_year (time) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now))
    return g_strdup (_ ("Today"));
  if (g_date_time_get_year (time) == g_date_time_get_year (yesterday) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (yesterday))
    return g_strdup (_ ("Yesterday"));
  if (g_date_time_get_year (time) == g_date_time_get_year (now))
    /* Translators: a day as the title of the jobs that ran on it, for strftime(). */
    return g_date_time_format (time, _ ("%A, %-d %B"));
  /* Translators: a day of another year as the title of the jobs that ran on it, for strftime(). */
  return g_date_time_format (time, _ ("%A, %-d %B %Y"));
}

/* What matters first, so that a narrow row leaves out the rest. */
char *
stint_history_text_dup_facts (const StintEntry *entry, GDateTime *now)
{
  g_autofree char *time = stint_history_text_format_time (entry->started_at, now, FALSE);
  g_autofree char *outcome = stint_history_text_dup_outcome (entry);
  g_autofree char *duration = stint_duration_format_words (entry->duration);
  g_autofree char *directory =
    entry->directory != NULL ? stint_job_text_dup_directory (entry->directory) : NULL;
  g_autofree char *tags = stint_history_text_dup_tags (entry);
  GString *facts = g_string_new (outcome);

  g_string_append_printf (facts, " · %s", time);
  if (!entry->running && entry->duration > 0)
    g_string_append_printf (facts, " · %s", duration);
  if (*tags != '\0')
    g_string_append_printf (facts, " · %s", tags);
  if (directory != NULL)
    g_string_append_printf (facts, " · %s", directory);
  return g_string_free (facts, FALSE);
}

char *
stint_history_text_dup_tags (const StintEntry *entry)
{
  g_autofree char *joined = g_strjoinv (" #", entry->tags);
  g_autofree char *clean = stint_text_clean (joined, TEXT_CHARS);

  return *clean != '\0' ? g_strconcat ("#", clean, NULL) : g_strdup ("");
}

char *
stint_history_text_dup_group (StintHistoryGroup kind, const StintEntry *entry, GDateTime *now)
{
  switch (kind)
    {
    case STINT_GROUP_DAY:
      return dup_day (entry->started_at, now);
    case STINT_GROUP_DIRECTORY:
      return entry->directory != NULL ? stint_job_text_dup_directory (entry->directory)
                                      : g_strdup (_ ("No directory"));
    case STINT_GROUP_COMMAND:
      return stint_text_clean (entry->command, TEXT_CHARS);
    case STINT_GROUP_NONE:
    default:
      return g_strdup ("");
    }
}

char *
stint_history_text_dup_count (StintJobGroup *group)
{
  guint n = stint_job_group_get_n_jobs (group);

  if (n == 0)
    return g_strdup ("");
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'u job", "%'u jobs", n), n);
}

char *
stint_history_text_dup_failures (StintJobGroup *group)
{
  guint n = stint_job_group_get_n_failed (group);

  if (n == 0 || stint_job_group_get_n_jobs (group) == 0)
    return g_strdup ("");
  /* Translators: how many jobs of a group have failed. */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%'u failed", "%'u failed", n), n);
}
