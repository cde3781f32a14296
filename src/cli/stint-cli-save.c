/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl run --save`.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-save.h"

#include "stint-cli-file.h"
#include "stint-error.h"
#include "stint-run-options.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintCliSave
{
  char *path;
  gboolean has_format;
  StintExportFormat format;
  StintCliFile *file; /* once it is open */
  StintReader *reader;
};

gboolean
stint_cli_parse_format (const char *option,
                        const char *nick,
                        StintExportFormat *format,
                        GError **error)
{
  g_autofree char *clean = NULL;

  if (stint_export_format_from_nick (nick, format))
    return TRUE;
  clean = stint_text_clean (nick, 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: an option, such as --format, and its value */
               _ ("%s takes “raw”, “text”, “html” or “asciicast”, and “%s” is none of them"),
               option, clean);
  return FALSE;
}

void
stint_cli_save_free (StintCliSave *self)
{
  g_clear_pointer (&self->file, stint_cli_file_free);
  g_clear_pointer (&self->reader, stint_reader_free);
  g_free (self->path);
  g_free (self);
}

static gboolean
is_option (const char *word, const char *option)
{
  gsize length = strlen (option);

  return strncmp (word, option, length) == 0 && (word[length] == '\0' || word[length] == '=');
}

/* Whether @word would be an option, and not the value of one or a word of the command, behind
 * @words. The engine's parser knows; it takes an option of somebody else only as a whole word. */
static gboolean
is_option_behind (GPtrArray *words, const char *word)
{
  const char *extra[] = { "--help", word, NULL };
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autoptr (StintRunOptions) options = NULL;

  for (guint i = 0; i < words->len; i++)
    g_ptr_array_add (all, words->pdata[i]);
  g_ptr_array_add (all, (char *) word);
  g_ptr_array_add (all, NULL);
  options = stint_run_options_parse ((const char *const *) all->pdata, extra, NULL);
  return options != NULL && stint_run_options_has (options, word);
}

static gboolean
take_value (StintCliSave *self, const char *word, const char *value, GError **error)
{
  if (is_option (word, "--save-format"))
    {
      self->has_format = TRUE;
      return stint_cli_parse_format ("--save-format", value, &self->format, error);
    }
  if (*value == '\0' || strcmp (value, "-") == 0)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("--save takes a file; the output itself goes to standard output"));
      return FALSE;
    }
  g_free (self->path);
  self->path = g_strdup (value);
  return TRUE;
}

/* The option at argv[*i], and its value if that is a word of its own. */
static gboolean
take_option (StintCliSave *self, const char *const *argv, guint *i, GError **error)
{
  const char *word = argv[*i];
  const char *value = strchr (word, '=');
  gboolean is_format = is_option (word, "--save-format");

  if (value != NULL)
    return take_value (self, word, value + 1, error);
  value = argv[*i + 1];
  if (value == NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("%s needs a value: %s"),
                   is_format ? "--save-format" : "--save",
                   is_format ? "raw|text|html|asciicast" : "FILE");
      return FALSE;
    }
  (*i)++;
  return take_value (self, word, value, error);
}

gboolean
stint_cli_save_take_options (const char *const *argv,
                             char ***rest,
                             StintCliSave **save,
                             GError **error)
{
  g_autoptr (StintCliSave) self = g_new0 (StintCliSave, 1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  gboolean look = TRUE;

  for (guint i = 0; argv[i] != NULL; i++)
    {
      const char *word = argv[i];

      if (look && (is_option (word, "--save") || is_option (word, "--save-format")))
        {
          if (is_option_behind (words, word))
            {
              if (!take_option (self, argv, &i, error))
                return FALSE;
              continue;
            }
          /* The value of another option, which is one word; or else a word of the command. */
          g_ptr_array_add (words, (char *) word);
          look = is_option_behind (words, word);
          continue;
        }
      g_ptr_array_add (words, (char *) word);
    }
  if (self->has_format && self->path == NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("--save-format is of no use without --save"));
      return FALSE;
    }
  g_ptr_array_add (words, NULL);
  *rest = g_strdupv ((char **) words->pdata);
  *save = self->path != NULL ? g_steal_pointer (&self) : NULL;
  return TRUE;
}

gboolean
stint_cli_save_open (StintCliSave *self, GError **error)
{
  if (!self->has_format)
    self->format = stint_export_format_from_file (self->path);
  self->file = stint_cli_file_open (self->path, error);
  return self->file != NULL;
}

static void
handle_written (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  StintCliSave *self = g_task_get_task_data (task);
  GError *error = NULL;

  if (stint_export_write_finish (result, &error) &&
      stint_cli_file_commit (g_steal_pointer (&self->file), &error))
    g_task_return_boolean (task, TRUE);
  else
    g_task_return_error (task, error);
}

void
stint_cli_save_write_async (StintCliSave *self,
                            StintJob *job,
                            GCancellable *cancellable,
                            GAsyncReadyCallback callback,
                            gpointer user_data)
{
  GTask *task = g_task_new (NULL, cancellable, callback, user_data);
  StintJobSpec *spec = stint_job_get_spec (job);
  const StintResult *result = stint_job_get_result (job);
  g_autofree char *command = stint_job_spec_dup_command_line (spec);
  StintExportOptions options = {
    .format = self->format,
    .title = stint_job_get_title (job),
    .command = command,
    .tty = stint_job_spec_get_tty (spec),
    .started_at = result != NULL ? result->started_at : 0,
  };

  g_return_if_fail (self->file != NULL);

  stint_job_spec_get_size (spec, &options.columns, &options.rows);
  g_task_set_source_tag (task, stint_cli_save_write_async);
  g_task_set_task_data (task, self, NULL);
  if (stint_job_get_directory (job) == NULL)
    {
      g_task_return_new_error (task, STINT_ERROR, STINT_ERROR_FAILED, "%s",
                               _ ("the job has no output"));
      g_object_unref (task);
      return;
    }
  self->reader = stint_reader_new (stint_job_get_directory (job));
  stint_export_write_async (self->reader, &options, stint_cli_file_get_stream (self->file), NULL,
                            NULL, cancellable, handle_written, task);
}

gboolean
stint_cli_save_write_finish (StintCliSave *self, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), FALSE);

  if (g_task_propagate_boolean (G_TASK (result), error))
    return TRUE;
  if (error != NULL && *error != NULL && self->path != NULL)
    {
      g_autofree char *name = g_filename_display_name (self->path);

      /* Translators: a file name; what went wrong follows */
      g_prefix_error (error, _ ("The output was not saved to “%s”: "), name);
    }
  return FALSE;
}

char *
stint_cli_save_describe (void)
{
  return g_strdup_printf ("  %-30s %s\n  %-30s %s\n", "--save FILE",
                          _ ("Save its output to FILE when it has ended"), "--save-format FORMAT",
                          _ ("raw, text, html or asciicast; without it by FILE's suffix"));
}
