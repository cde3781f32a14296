/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Prompts, a line each in the file, with line ends and backslashes escaped. New ones are appended; the
 * file is written anew only when it has grown to twice what is kept. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-prompt-history.h"

#include "stint-job-directories.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct _StintPromptHistory
{
  GObject parent_instance;

  char *file;
  GPtrArray *prompts; /* of char *, the oldest first */
  guint n_lines;      /* of the file */
  gboolean is_loaded;
  guint n_saving;
};

G_DEFINE_FINAL_TYPE (StintPromptHistory, stint_prompt_history, G_TYPE_OBJECT)

enum
{
  PROBLEM,
  LOADED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* One write after the other, in the order in which they were asked for: threads come in any. */
static GMutex writing;
static GMutex queueing;
static GQueue to_write = G_QUEUE_INIT; /* of Write */

static void
set_errno_error (GTask *task, const char *file)
{
  int saved = errno;

  g_task_return_new_error (task, G_IO_ERROR, (int) g_io_error_from_errno (saved), "%s: %s", file,
                           g_strerror (saved));
}

static gboolean
write_all (int fd, const char *text, gsize size)
{
  while (size > 0)
    {
      gssize n = write (fd, text, size);

      if (n < 0 && errno != EINTR)
        return FALSE;
      if (n > 0)
        {
          text += n;
          size -= (gsize) n;
        }
    }
  return TRUE;
}

static char *
escape (const char *text)
{
  GString *line = g_string_new (NULL);

  for (const char *p = text; *p != '\0'; p++)
    {
      if (*p == '\n')
        g_string_append (line, "\\n");
      else if (*p == '\\')
        g_string_append (line, "\\\\");
      else if (*p != '\r')
        g_string_append_c (line, *p);
    }
  g_string_append_c (line, '\n');
  return g_string_free (line, FALSE);
}

static char *
unescape (const char *line, gsize size)
{
  GString *text = g_string_sized_new (size);

  for (const char *p = line; p < line + size; p++)
    {
      if (*p == '\\' && p + 1 < line + size)
        g_string_append_c (text, *++p == 'n' ? '\n' : *p);
      else
        g_string_append_c (text, *p);
    }
  return g_string_free (text, FALSE);
}

static void
load (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  const char *file = task_data;
  g_autofree char *contents = NULL;
  g_autoptr (GError) error = NULL;
  gsize size;
  GPtrArray *prompts = g_ptr_array_new_with_free_func (g_free);

  if (!g_file_get_contents (file, &contents, &size, &error))
    {
      if (g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        g_task_return_pointer (task, prompts, (GDestroyNotify) g_ptr_array_unref);
      else
        {
          g_ptr_array_unref (prompts);
          g_task_return_error (task, g_steal_pointer (&error));
        }
      return;
    }
  for (const char *line = contents, *end; line < contents + size; line = end + 1)
    {
      g_autofree char *text = NULL;

      end = memchr (line, '\n', size - (gsize) (line - contents));
      /* A line without an end was being written when something broke. */
      if (end == NULL)
        break;
      text = unescape (line, (gsize) (end - line));
      if (text[0] != '\0' && g_utf8_validate (text, -1, NULL))
        g_ptr_array_add (prompts, g_steal_pointer (&text));
    }
  g_task_return_pointer (task, prompts, (GDestroyNotify) g_ptr_array_unref);
}

static void
trim (StintPromptHistory *self)
{
  if (self->prompts->len > STINT_PROMPT_HISTORY_LIMIT)
    g_ptr_array_remove_range (self->prompts, 0, self->prompts->len - STINT_PROMPT_HISTORY_LIMIT);
}

static void
on_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StintPromptHistory *self = STINT_PROMPT_HISTORY (source);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) prompts = g_task_propagate_pointer (G_TASK (result), &error);

  self->is_loaded = TRUE;
  if (prompts == NULL)
    {
      g_signal_emit (self, signals[PROBLEM], 0, error);
      return;
    }
  self->n_lines += prompts->len;
  /* What was said meanwhile is newer. */
  for (guint i = 0; i < prompts->len; i++)
    g_ptr_array_insert (self->prompts, (int) i, g_strdup (prompts->pdata[i]));
  trim (self);
  g_signal_emit (self, signals[LOADED], 0);
}

typedef struct
{
  char *file;
  char *text;
  gboolean replace;
} Write;

static void
write_free (Write *self)
{
  g_free (self->file);
  g_free (self->text);
  g_free (self);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Write, write_free)

static void
push (Write *what)
{
  g_mutex_lock (&queueing);
  g_queue_push_tail (&to_write, what);
  g_mutex_unlock (&queueing);
}

static Write *
pop (void)
{
  Write *what;

  g_mutex_lock (&queueing);
  what = g_queue_pop_head (&to_write);
  g_mutex_unlock (&queueing);
  return what;
}

static gboolean
replace_file (const Write *what, GTask *task)
{
  g_autoptr (GError) error = NULL;

  if (g_file_set_contents_full (what->file, what->text, (gssize) strlen (what->text),
                                G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    return TRUE;
  g_task_return_error (task, g_steal_pointer (&error));
  return FALSE;
}

static gboolean
append_to_file (const Write *what, GTask *task)
{
  int fd = open (what->file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  gboolean written;

  if (fd < 0)
    {
      set_errno_error (task, what->file);
      return FALSE;
    }
  written = write_all (fd, what->text, strlen (what->text));
  if (!written)
    set_errno_error (task, what->file);
  close (fd);
  return written;
}

static void
save (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  g_autoptr (GMutexLocker) locker = g_mutex_locker_new (&writing);
  g_autoptr (Write) what = pop ();
  g_autofree char *directory = g_path_get_dirname (what->file);

  if (g_mkdir_with_parents (directory, 0700) != 0)
    {
      set_errno_error (task, directory);
      return;
    }
  if (what->replace ? replace_file (what, task) : append_to_file (what, task))
    g_task_return_boolean (task, TRUE);
}

static void
on_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StintPromptHistory *self = STINT_PROMPT_HISTORY (source);
  g_autoptr (GError) error = NULL;

  self->n_saving--;
  if (!g_task_propagate_boolean (G_TASK (result), &error))
    g_signal_emit (self, signals[PROBLEM], 0, error);
}

static void
stint_prompt_history_finalize (GObject *object)
{
  StintPromptHistory *self = STINT_PROMPT_HISTORY (object);

  g_free (self->file);
  g_ptr_array_unref (self->prompts);

  G_OBJECT_CLASS (stint_prompt_history_parent_class)->finalize (object);
}

static void
stint_prompt_history_class_init (StintPromptHistoryClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_prompt_history_finalize;

  signals[PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);
  signals[LOADED] = g_signal_new ("loaded", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_prompt_history_init (StintPromptHistory *self)
{
  self->prompts = g_ptr_array_new_with_free_func (g_free);
}

StintPromptHistory *
stint_prompt_history_new (const char *file)
{
  StintPromptHistory *self = g_object_new (STINT_TYPE_PROMPT_HISTORY, NULL);
  g_autofree char *state = stint_job_directories_dup_state ();
  g_autoptr (GTask) task = g_task_new (self, NULL, on_loaded, NULL);

  self->file = file != NULL ? g_strdup (file)
                            : g_build_filename (state, "prompts", NULL);
  g_task_set_source_tag (task, stint_prompt_history_new);
  g_task_set_task_data (task, g_strdup (self->file), g_free);
  g_task_run_in_thread (task, load);
  return self;
}

StintPromptHistory *
stint_prompt_history_get_default (void)
{
  static StintPromptHistory *history;

  if (history == NULL)
    history = stint_prompt_history_new (NULL);
  return history;
}

guint
stint_prompt_history_get_n (StintPromptHistory *self)
{
  g_return_val_if_fail (STINT_IS_PROMPT_HISTORY (self), 0);

  return self->prompts->len;
}

const char *
stint_prompt_history_get (StintPromptHistory *self, guint back)
{
  g_return_val_if_fail (STINT_IS_PROMPT_HISTORY (self), NULL);
  g_return_val_if_fail (back < self->prompts->len, NULL);

  return self->prompts->pdata[self->prompts->len - 1 - back];
}

static char *
escape_all (StintPromptHistory *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < self->prompts->len; i++)
    {
      g_autofree char *line = escape (self->prompts->pdata[i]);

      g_string_append (text, line);
    }
  return g_string_free (text, FALSE);
}

void
stint_prompt_history_add (StintPromptHistory *self, const char *text)
{
  g_autoptr (GTask) task = NULL;
  Write *what;

  g_return_if_fail (STINT_IS_PROMPT_HISTORY (self));
  g_return_if_fail (text != NULL);

  if (text[0] == '\0' || strlen (text) > STINT_PROMPT_HISTORY_MAX_BYTES ||
      (self->prompts->len > 0 && strcmp (stint_prompt_history_get (self, 0), text) == 0))
    return;
  g_ptr_array_add (self->prompts, g_strdup (text));
  trim (self);
  self->n_lines++;

  what = g_new0 (Write, 1);
  what->file = g_strdup (self->file);
  what->replace = self->is_loaded && self->n_lines > 2 * STINT_PROMPT_HISTORY_LIMIT;
  what->text = what->replace ? escape_all (self) : escape (text);
  if (what->replace)
    self->n_lines = self->prompts->len;
  self->n_saving++;
  task = g_task_new (self, NULL, on_saved, NULL);
  g_task_set_source_tag (task, stint_prompt_history_add);
  push (what);
  g_task_run_in_thread (task, save);
}

char **
stint_prompt_history_search (StintPromptHistory *self, const char *text, guint n)
{
  g_autoptr (GPtrArray) found = NULL;
  g_autoptr (GHashTable) seen = NULL;
  g_autofree char *needle = NULL;

  g_return_val_if_fail (STINT_IS_PROMPT_HISTORY (self), NULL);
  g_return_val_if_fail (text != NULL, NULL);

  found = g_ptr_array_new ();
  seen = g_hash_table_new (g_str_hash, g_str_equal);
  needle = g_utf8_casefold (text, -1);
  for (guint i = self->prompts->len; i-- > 0 && found->len < n;)
    {
      g_autofree char *folded = g_utf8_casefold (self->prompts->pdata[i], -1);

      if (strstr (folded, needle) != NULL && g_hash_table_add (seen, self->prompts->pdata[i]))
        g_ptr_array_add (found, g_strdup (self->prompts->pdata[i]));
    }
  g_ptr_array_add (found, NULL);
  return (char **) g_ptr_array_free (g_steal_pointer (&found), FALSE);
}

gboolean
stint_prompt_history_is_saved (StintPromptHistory *self)
{
  g_return_val_if_fail (STINT_IS_PROMPT_HISTORY (self), TRUE);

  return self->n_saving == 0;
}
