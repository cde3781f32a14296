/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The processes of a job, to name them. To end them is the keeper's, who can do so without ever
 * hitting a stranger.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-processes.h"

#include "stint-units.h"

#include <glib/gi18n-lib.h>
#include <stdlib.h>
#include <string.h>

#define NAME_CHARS 40

G_DEFINE_BOXED_TYPE (StintProcess, stint_process, stint_process_copy, stint_process_free)

StintProcess *
stint_process_copy (const StintProcess *self)
{
  StintProcess *copy = g_new0 (StintProcess, 1);

  *copy = *self;
  copy->name = g_strdup (self->name);
  return copy;
}

void
stint_process_free (StintProcess *self)
{
  g_free (self->name);
  g_free (self);
}

/* Returns: (transfer full) (nullable): NULL for one that has ended, be it a zombie. */
static StintProcess *
look_at (int pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *stat = NULL, *name = NULL;
  const char *open, *close;
  StintProcess *process;

  if (!g_file_get_contents (path, &stat, NULL, NULL))
    return NULL;
  /* The name may hold anything, parentheses too; what follows it may not. */
  open = strchr (stat, '(');
  close = strrchr (stat, ')');
  if (open == NULL || close == NULL || close < open || close[1] == '\0' ||
      strchr ("ZX", close[2]) != NULL)
    return NULL;
  name = g_strndup (open + 1, (gsize) (close - open - 1));
  process = g_new0 (StintProcess, 1);
  process->pid = pid;
  process->name = stint_text_clean (name, NAME_CHARS);
  process->stuck = close[2] == 'D';
  return process;
}

static void
append_children (GArray *pids, int pid, guint max)
{
  g_autofree char *tasks = g_strdup_printf ("/proc/%d/task", pid);
  g_autoptr (GDir) dir = g_dir_open (tasks, 0, NULL);
  const char *task;

  while (dir != NULL && (task = g_dir_read_name (dir)) != NULL)
    {
      g_autofree char *path = g_build_filename (tasks, task, "children", NULL);
      g_autofree char *children = NULL;
      char *rest;

      if (!g_file_get_contents (path, &children, NULL, NULL))
        continue;
      for (int child = (int) strtol (children, &rest, 10); child > 0 && pids->len < max;
           child = (int) strtol (rest, &rest, 10))
        g_array_append_val (pids, child);
    }
}

GPtrArray *
stint_processes_below (int root, const char *skip, guint max)
{
  GPtrArray *processes = g_ptr_array_new_with_free_func ((GDestroyNotify) stint_process_free);
  g_autoptr (GArray) pids = g_array_new (FALSE, FALSE, sizeof (int));
  guint n_children;

  append_children (pids, root, max);
  n_children = pids->len;
  for (guint i = 0; i < pids->len; i++)
    {
      int pid = g_array_index (pids, int, i);
      g_autoptr (StintProcess) process = look_at (pid);

      append_children (pids, pid, max);
      if (process == NULL || (i < n_children && g_strcmp0 (process->name, skip) == 0))
        continue;
      g_ptr_array_add (processes, g_steal_pointer (&process));
    }
  return processes;
}

char *
stint_processes_describe (GPtrArray *processes, guint max_named)
{
  g_autoptr (GString) text = g_string_new (NULL);
  guint n_named = MIN (processes->len, max_named);
  guint n_more = processes->len - n_named;

  for (guint i = 0; i < n_named; i++)
    {
      const StintProcess *process = processes->pdata[i];

      /* Translators: between the names of processes in a list */
      g_string_append (text, i > 0 ? _ (", ") : "");
      /* Translators: a process's name and id */
      g_string_append_printf (text, _ ("%s (%d)"), process->name, process->pid);
    }
  if (n_more == 0)
    return g_string_free (g_steal_pointer (&text), FALSE);
  /* Translators: the names of some processes, and how many there are besides */
  return g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%s and %u more", "%s and %u more", n_more),
                          text->str, n_more);
}
