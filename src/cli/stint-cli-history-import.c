/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl history import`: what bash, zsh and atuin remember, as jobs that have ended. They have no
 * output.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-history-private.h"
#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <string.h>

typedef enum
{
  SOURCE_BASH,
  SOURCE_ZSH,
  SOURCE_ATUIN,
} Source;

typedef struct
{
  GPtrArray *rows;    /* StintRow: that have a time */
  GPtrArray *untimed; /* StintRow */
  gint64 file_time;   /* of those without a time of their own: not older than retention takes */
  guint n_unreadable;
} Import;

/* @exit_code: -1: not known. @duration: microseconds */
static void
add (Import *self,
     const char *command,
     const char *directory,
     gint64 started_at,
     gint64 duration,
     int exit_code)
{
  g_autofree char *line = g_utf8_make_valid (command, -1);
  g_autoptr (StintJobSpec) spec = NULL;
  StintResult *result;
  StintRow *row;

  g_strstrip (line);
  if (*line == '\0')
    return;
  spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);
  stint_job_spec_set_directory (spec, directory);
  row = stint_row_new (spec);
  result = row->result = stint_result_new (STINT_REASON_EXITED);
  result->has_exit_code = exit_code >= 0;
  result->exit_code = MAX (exit_code, 0);
  /* The row is from now, the job from then. */
  result->started_at = started_at;
  result->duration = MAX (duration, 0);
  g_ptr_array_add (started_at != self->file_time ? self->rows : self->untimed, row);
}

/* Lines; with HISTTIMEFORMAT set, a `#SECONDS` before each. */
static void
read_bash (Import *self, char **lines)
{
  gint64 time = self->file_time;
  g_autoptr (GString) command = g_string_new (NULL);
  gboolean timed = FALSE;

  for (guint i = 0; lines[i] != NULL; i++)
    {
      guint64 seconds;

      if (lines[i][0] == '#' &&
          g_ascii_string_to_unsigned (lines[i] + 1, 10, 0, G_MAXINT32, &seconds, NULL))
        {
          add (self, command->str, NULL, time, 0, -1);
          g_string_truncate (command, 0);
          time = (gint64) seconds * G_USEC_PER_SEC;
          timed = TRUE;
          continue;
        }
      /* Between two times it is one command of several lines. */
      if (timed)
        {
          g_string_append_printf (command, "%s%s", command->len > 0 ? "\n" : "", lines[i]);
          continue;
        }
      add (self, lines[i], NULL, self->file_time, 0, -1);
    }
  add (self, command->str, NULL, time, 0, -1);
}

/* zsh writes bytes above 0x82 as 0x83 and the byte exclusive-or 32. */
static void
unmetafy (char *text)
{
  char *out = text;

  for (const char *p = text; *p != '\0'; p++)
    if ((guchar) *p == 0x83 && p[1] != '\0')
      *out++ = (char) (*++p ^ 32);
    else
      *out++ = *p;
  *out = '\0';
}

/* `: SECONDS:DURATION;COMMAND`, or the command alone; a backslash at the end: it goes on. */
static void
read_zsh (Import *self, char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (GString) command = NULL;
      gint64 time = self->file_time;
      gint64 duration = 0;
      const char *text = lines[i];

      if (g_str_has_prefix (text, ": "))
        {
          char *end = NULL;
          guint64 seconds = g_ascii_strtoull (text + 2, &end, 10);
          guint64 took = *end == ':' ? g_ascii_strtoull (end + 1, &end, 10) : 0;

          if (*end == ';' && seconds <= G_MAXINT32 && took <= G_MAXINT32)
            {
              time = (gint64) seconds * G_USEC_PER_SEC;
              duration = (gint64) took * G_USEC_PER_SEC;
              text = end + 1;
            }
        }
      command = g_string_new (text);
      while (command->len > 0 && command->str[command->len - 1] == '\\' && lines[i + 1] != NULL)
        {
          g_string_truncate (command, command->len - 1);
          g_string_append_printf (command, "\n%s", lines[++i]);
        }
      unmetafy (command->str);
      add (self, command->str, NULL, time, duration, -1);
    }
}

static gint64
get_integer (JsonObject *object, const char *name, gint64 fallback)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return fallback;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return g_ascii_strtoll (json_node_get_string (node), NULL, 10);
  return json_node_get_int (node);
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

/* @timestamp of nanoseconds since 1970, or RFC 3339. */
static gint64
get_time (JsonObject *object, gint64 fallback)
{
  const char *text = get_string (object, "timestamp");
  g_autoptr (GTimeZone) utc = g_time_zone_new_utc ();
  g_autoptr (GDateTime) time = NULL;
  gint64 value;

  if (text != NULL && strchr (text, '-') != NULL)
    {
      time = g_date_time_new_from_iso8601 (text, utc);
      return time != NULL
                 ? g_date_time_to_unix (time) * G_USEC_PER_SEC + g_date_time_get_microsecond (time)
                 : fallback;
    }
  value = get_integer (object, "timestamp", 0);
  if (value <= 0)
    return fallback;
  /* Some export seconds. */
  return value > G_GINT64_CONSTANT (100000000000) ? value / 1000 : value * G_USEC_PER_SEC;
}

/* An object a line: command, cwd (or directory), timestamp, duration (ns), exit. */
static void
read_atuin (Import *self, char **lines)
{
  for (guint i = 0; lines[i] != NULL; i++)
    {
      g_autoptr (JsonNode) node = NULL;
      JsonObject *object;
      const char *directory;

      if (*g_strstrip (lines[i]) == '\0')
        continue;
      node = json_from_string (lines[i], NULL);
      object = node != NULL && JSON_NODE_HOLDS_OBJECT (node) ? json_node_get_object (node) : NULL;
      if (object == NULL || get_string (object, "command") == NULL)
        {
          self->n_unreadable++;
          continue;
        }
      directory = get_string (object, "cwd");
      if (directory == NULL)
        directory = get_string (object, "directory");
      add (self, get_string (object, "command"), directory, get_time (object, self->file_time),
           get_integer (object, "duration", 0) / 1000,
           (int) CLAMP (get_integer (object, "exit", -1), -1, 255));
    }
}

static gboolean
guess_source (StintCliHistory *self,
              const char *file,
              const char *content,
              Source *source,
              GError **error)
{
  static const char *const names[] = { "bash", "zsh", "atuin" };
  g_autofree char *clean = NULL;

  if (self->source == NULL)
    {
      g_autofree char *base = g_path_get_basename (file);

      *source = strstr (base, "zsh") != NULL || g_str_has_prefix (content, ": ") ? SOURCE_ZSH
                : content[0] == '{'                                              ? SOURCE_ATUIN
                                                                                 : SOURCE_BASH;
      return TRUE;
    }
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    if (strcmp (self->source, names[i]) == 0)
      {
        *source = (Source) i;
        return TRUE;
      }
  clean = stint_text_clean (self->source, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               _ ("--from takes bash, zsh or atuin, and “%s” is none of them"), clean);
  return FALSE;
}

/* (transfer full): what was named, or what a shell writes unless it is told otherwise. */
static char *
dup_file (StintCliHistory *self, GError **error)
{
  const char *name = g_strcmp0 (self->source, "zsh") == 0 ? ".zsh_history" : ".bash_history";

  if (self->words[0] != NULL && self->words[1] == NULL)
    return g_strdup (self->words[0]);
  if (self->words[0] == NULL && g_strcmp0 (self->source, "atuin") != 0)
    return g_build_filename (g_get_home_dir (), name, NULL);
  g_set_error (
      error, STINT_ERROR, STINT_ERROR_INVALID,
      _ ("“import” takes one file: of atuin, what “atuin history list --format json” or the "
         "like wrote, an object a line"));
  return NULL;
}

static void
tell (StintCliHistory *self, const Import *import, int n_added)
{
  if (self->json)
    {
      g_print ("{\"read\":%u,\"added\":%d,\"unreadable\":%u}\n",
               import->rows->len + import->untimed->len, n_added, import->n_unreadable);
      return;
    }
  if (self->dry_run)
    g_print (g_dngettext (GETTEXT_PACKAGE, "%u command was read\n", "%u commands were read\n",
                          import->rows->len + import->untimed->len),
             import->rows->len + import->untimed->len);
  else
    g_print (g_dngettext (GETTEXT_PACKAGE, "Added %d job\n", "Added %d jobs\n", (gulong) n_added),
             n_added);
  if (import->n_unreadable > 0)
    g_print (g_dngettext (GETTEXT_PACKAGE, "%u line was not understood\n",
                          "%u lines were not understood\n", import->n_unreadable),
             import->n_unreadable);
}

gboolean
stint_cli_history_import (StintCliHistory *self, GError **error)
{
  g_autofree char *file = dup_file (self, error);
  g_autofree char *content = NULL;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_row_free);
  g_auto (GStrv) lines = NULL;
  g_autoptr (GPtrArray) untimed = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_row_free);
  Import import = { rows, untimed, g_get_real_time (), 0 };
  GStatBuf st;
  Source source;
  int n_added = 0;

  if (file == NULL || !g_file_get_contents (file, &content, NULL, error) ||
      !guess_source (self, file, content, &source, error))
    return FALSE;
  if (g_stat (file, &st) == 0)
    import.file_time = (gint64) st.st_mtime * G_USEC_PER_SEC;
  lines = g_strsplit (content, "\n", -1);
  if (source == SOURCE_BASH)
    read_bash (&import, lines);
  else if (source == SOURCE_ZSH)
    read_zsh (&import, lines);
  else
    read_atuin (&import, lines);
  if (!self->dry_run)
    {
      int n_timed = stint_archive_import (self->archive, rows, FALSE, error);
      int n_untimed = n_timed < 0 ? -1 : stint_archive_import (self->archive, untimed, TRUE, error);

      if (n_untimed < 0)
        return FALSE;
      n_added = n_timed + n_untimed;
    }
  tell (self, &import, n_added);
  return TRUE;
}
