/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What is known of jobs, for people to read. It goes to a terminal: nothing in it may be a control
 * character.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-show.h"

#include "stint-cli-window.h"
#include "stint-job-facts.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>

#define TITLE_CHARS 200
#define TEXT_CHARS 4000

static const char *
get_state_word (GVariant *facts)
{
  static const struct
  {
    const char *nick;
    const char *word;
  } words[] = {
    { "queued", N_ ("queued") },     { "starting", N_ ("starting") }, { "running", N_ ("running") },
    { "stopping", N_ ("stopping") }, { "finished", N_ ("ended") },
  };
  const char *state = stint_cli_get_text (facts, "state");
  gboolean paused = FALSE;

  g_variant_lookup (facts, "paused", "b", &paused);
  if (paused)
    return _ ("paused");
  for (guint i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_strcmp0 (state, words[i].nick) == 0)
      return _ (words[i].word);
  return "";
}

/* (transfer full): a state, or how it ended in a word: the command's own status, or the reason. */
static char *
dup_short_state (GVariant *facts)
{
  const char *reason = stint_cli_get_text (facts, "reason");
  const char *signal_name = stint_cli_get_text (facts, "signal");
  gint64 code = stint_cli_get_number (facts, "exitCode", -1);
  gint64 percent = stint_cli_get_number (facts, "progress", -1);

  if (reason == NULL && percent >= 0)
    /* Translators: a state, and how much of its work a job has done, in a narrow column: "running 45%" */
    return g_strdup_printf (_ ("%s %d%%"), get_state_word (facts), (int) percent);
  if (reason == NULL)
    return g_strdup (get_state_word (facts));
  if (g_str_equal (reason, "exited") && code >= 0)
    /* Translators: a command's exit code, in a narrow column */
    return g_strdup_printf (_ ("exit %d"), (int) code);
  if (g_str_equal (reason, "signaled") && signal_name != NULL)
    return g_strdup (signal_name);
  return g_strdup (reason);
}

static char *
dup_clock (GVariant *facts, const char *name)
{
  gint64 ms = stint_cli_get_number (facts, name, -1);

  return ms < 0 ? g_strdup ("") : stint_duration_format_clock (ms * 1000);
}

static char *
dup_nearest_limit (GVariant *facts)
{
  gint64 wall = stint_cli_get_number (facts, "timeoutLeftMs", G_MAXINT64);
  gint64 idle = stint_cli_get_number (facts, "idleLeftMs", G_MAXINT64);

  return dup_clock (facts, wall <= idle ? "timeoutLeftMs" : "idleLeftMs");
}

static void
print_columns (const char *id,
               const char *state,
               const char *time,
               const char *left,
               const char *title)
{
  /* printf() counts bytes; these count characters. */
  g_print ("%6s  %s%*s  %8s  %8s  %s\n", id, state,
           (int) MAX (13 - (gint64) g_utf8_strlen (state, -1), 0), "", time, left, title);
}

void
stint_cli_print_table (GPtrArray *jobs)
{
  if (jobs->len == 0)
    return;
  /* Translators: titles of columns: a job's number; its state; how long it has run; how much time it
   * has left; what it is. Short. */
  print_columns (_ ("ID"), _ ("STATE"), _ ("TIME"), _ ("LEFT"), _ ("JOB"));
  for (guint i = 0; i < jobs->len; i++)
    {
      GVariant *facts = jobs->pdata[i];
      g_autofree char *id = g_strdup_printf ("%" PRIu64, stint_cli_get_id (facts));
      g_autofree char *state = dup_short_state (facts);
      g_autofree char *elapsed = dup_clock (facts, "elapsedMs");
      g_autofree char *left = dup_nearest_limit (facts);
      g_autofree char *title = stint_text_clean (stint_cli_get_text (facts, "title"), TITLE_CHARS);

      print_columns (id, state, elapsed, left, title);
    }
}

static void
print_line (const char *label, const char *text)
{
  g_autofree char *clean = NULL;

  if (text == NULL || text[0] == '\0')
    return;
  clean = stint_text_clean (text, TEXT_CHARS);
  g_print ("%s%*s %s\n", label, (int) MAX (16 - (gint64) g_utf8_strlen (label, -1), 0), "", clean);
}

static void
print_duration (const char *label, GVariant *facts, const char *name)
{
  gint64 ms = stint_cli_get_number (facts, name, -1);
  g_autofree char *text = ms >= 0 ? stint_duration_format_words (ms * 1000) : NULL;

  print_line (label, text);
}

static void
print_bytes (const char *label, GVariant *facts, const char *name)
{
  const char *bytes = stint_cli_get_bytes (facts, name);
  g_autofree char *text = bytes != NULL ? g_filename_display_name (bytes) : NULL;

  print_line (label, text);
}

/* Nothing is said of a number below @least. */
static void
print_count (const char *label, gint64 number, gint64 least)
{
  g_autofree char *text = number >= least ? g_strdup_printf ("%" PRId64, number) : NULL;

  print_line (label, text);
}

static void
print_percent (const char *label, GVariant *facts, const char *name)
{
  gint64 percent = stint_cli_get_number (facts, name, -1);
  g_autofree char *text = percent >= 0 ? g_strdup_printf ("%d%%", (int) percent) : NULL;

  print_line (label, text);
}

void
stint_cli_print_facts (GVariant *facts)
{
  g_autofree char *id = g_strdup_printf ("%" PRIu64, stint_cli_get_id (facts));
  const char *sentence = stint_cli_get_text (facts, "sentence");
  guint64 bytes = (guint64) stint_cli_get_number (facts, "outputBytes", 0);
  g_autofree char *output = g_format_size (bytes);
  gboolean elsewhere = g_strcmp0 (stint_cli_get_text (facts, "owner"), "terminal") == 0;

  print_line (_ ("Job:"), id);
  print_line (_ ("Name:"), stint_cli_get_text (facts, "name"));
  print_line (_ ("Command:"), stint_cli_get_text (facts, "command"));
  print_bytes (_ ("Directory:"), facts, "cwd");
  print_line (_ ("State:"), sentence != NULL ? sentence : get_state_word (facts));
  if (elsewhere && sentence == NULL)
    print_line (_ ("Where:"), _ ("in a terminal"));
  print_count (_ ("Follows:"), stint_cli_get_number (facts, "follows", 0), 1);
  print_count (_ ("Attempt:"), stint_cli_get_number (facts, "attempt", 1), 2);
  print_percent (_ ("Progress:"), facts, "progress");
  print_line (_ ("Started:"), stint_cli_get_text (facts, "startedAt"));
  print_duration (_ ("Time:"), facts, "elapsedMs");
  print_duration (_ ("Time left:"), facts, "timeoutLeftMs");
  print_duration (_ ("Silence left:"), facts, "idleLeftMs");
  if (bytes > 0)
    print_line (_ ("Output:"), output);
  print_bytes (_ ("Transcript:"), facts, "directory");
  print_line (_ ("Warning:"), stint_cli_get_text (facts, "warning"));
}

GVariant *
stint_cli_finish_facts (GVariant *facts, const StintResult *result)
{
  g_autoptr (GVariantDict) dict = g_variant_dict_new (facts);
  g_autofree char *sentence = stint_result_dup_sentence (result);

  g_variant_dict_insert (dict, "state", "s", stint_job_state_to_nick (STINT_JOB_FINISHED));
  g_variant_dict_insert (dict, "reason", "s", stint_reason_to_nick (result->reason));
  if (result->has_exit_code)
    g_variant_dict_insert (dict, "exitCode", "i", result->exit_code);
  g_variant_dict_insert (dict, "exitStatus", "i", stint_result_get_exit_status (result));
  g_variant_dict_insert (dict, "durationMs", "x", result->duration / 1000);
  g_variant_dict_insert (dict, "sentence", "s", sentence);
  return g_variant_ref_sink (g_variant_dict_end (dict));
}
