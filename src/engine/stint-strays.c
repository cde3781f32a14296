/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-strays.h. Looks through /proc, so nothing here is for the main thread.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-strays.h"

#include "stint-units.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is still there after this time is stuck in the kernel, or not ours to kill. */
#define PATIENCE_USEC G_USEC_PER_SEC

/* Unless it only waits for a processor: it is looked at again so often. */
#define LOOK_AGAIN_USEC (G_USEC_PER_SEC / 20)

#define NAME_CHARS 32
#define MOST_NAMED 8

typedef struct
{
  int pid;
  int fd; /* a pidfd */
  char *name;
  gboolean denied;
} Stray;

static void
stray_clear (gpointer data)
{
  Stray *stray = data;

  if (stray->fd >= 0)
    close (stray->fd);
  g_free (stray->name);
}

static char *
read_file (int pid, const char *name, gsize *size)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/%s", pid, name);
  char *text = NULL;

  return g_file_get_contents (path, &text, size, NULL) ? text : NULL;
}

static gboolean
has_mark (int pid, const char *mark)
{
  gsize size = 0, length = strlen (mark);
  g_autofree char *environ = read_file (pid, "environ", &size);

  for (gsize at = 0; environ != NULL && at < size; at += strlen (environ + at) + 1)
    if (strncmp (environ + at, mark, length + 1) == 0)
      return TRUE;
  return FALSE;
}

/* One that has ended and is not reaped yet has no environment any more, and is nothing to end. */
static gboolean
take_if_marked (GArray *strays, int pid, const char *mark)
{
  Stray stray = { .pid = pid, .fd = -1 };
  g_autofree char *name = NULL;

  if (!has_mark (pid, mark))
    return FALSE;
  stray.fd = (int) syscall (SYS_pidfd_open, pid, 0);
  if (stray.fd < 0 || !has_mark (pid, mark))
    {
      stray_clear (&stray);
      return FALSE;
    }
  name = read_file (pid, "comm", NULL);
  stray.name = stint_text_clean (name != NULL ? g_strchomp (name) : "?", NAME_CHARS);
  g_array_append_val (strays, stray);
  return TRUE;
}

static gboolean
is_known (GArray *strays, int pid)
{
  for (guint i = 0; i < strays->len; i++)
    if (g_array_index (strays, Stray, i).pid == pid)
      return TRUE;
  return FALSE;
}

/* Calls @func for every process but this one. Returns: for how many it returned TRUE. */
static guint
for_each_process (gboolean (*func) (int pid, gpointer data), gpointer data)
{
  g_autoptr (GDir) proc = g_dir_open ("/proc", 0, NULL);
  const char *name;
  guint n = 0;

  while (proc != NULL && (name = g_dir_read_name (proc)) != NULL)
    {
      int pid = atoi (name);

      if (pid > 1 && pid != (int) getpid ())
        n += func (pid, data);
    }
  return n;
}

typedef struct
{
  GArray *strays;
  char *mark;
} Hunt;

static gboolean
look_at (int pid, gpointer data)
{
  Hunt *hunt = data;

  return !is_known (hunt->strays, pid) && take_if_marked (hunt->strays, pid, hunt->mark);
}

static void
send (Stray *stray, int signal)
{
  if (syscall (SYS_pidfd_send_signal, stray->fd, signal, NULL, 0) < 0 && errno == EPERM)
    stray->denied = TRUE;
}

/* What stands still cannot fork: stop until nobody new is found, then kill. */
static void
kill_all (Hunt *hunt)
{
  guint n = 0;

  while (for_each_process (look_at, hunt) > 0)
    for (; n < hunt->strays->len; n++)
      send (&g_array_index (hunt->strays, Stray, n), SIGSTOP);
  for (guint i = 0; i < hunt->strays->len; i++)
    send (&g_array_index (hunt->strays, Stray, i), SIGKILL);
}

/* Whether it waits for a processor, or has one; or others of its threads may, since its first has ended. */
static gboolean
is_runnable (const Stray *stray)
{
  g_autofree char *stat = read_file (stray->pid, "stat", NULL);
  const char *rest = stat != NULL ? strrchr (stat, ')') : NULL;
  char state;
  long threads;

  return rest != NULL &&
         sscanf (rest, ") %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld",
                 &state, &threads) == 2 &&
         (state == 'R' || (state == 'Z' && threads > 1));
}

static gboolean
ends_until (const Stray *stray, gint64 deadline)
{
  struct pollfd polled = { .fd = stray->fd, .events = POLLIN };
  int n;

  do
    {
      gint64 left = deadline - g_get_monotonic_time ();

      n = poll (&polled, 1, left > 0 ? (int) (left / 1000) + 1 : 0);
    }
  while (n < 0 && errno == EINTR);
  return n == 1;
}

static gboolean
wait_for_end (const Stray *stray, gint64 killed_at, gint64 patience)
{
  if (ends_until (stray, killed_at + PATIENCE_USEC))
    return TRUE;
  while (is_runnable (stray))
    {
      gint64 now = g_get_monotonic_time ();

      if (now >= killed_at + patience)
        return FALSE;
      if (ends_until (stray, now + LOOK_AGAIN_USEC))
        return TRUE;
    }
  /* It is not, or is not any more. */
  return ends_until (stray, 0);
}

static void
add_survivor (StintResult *result, const Stray *stray)
{
  result->survivors = g_renew (StintSurvivor, result->survivors, result->n_survivors + 1);
  result->survivors[result->n_survivors].pid = stray->pid;
  result->survivors[result->n_survivors].name = g_strdup (stray->name);
  result->n_survivors++;
}

static void
name_ended (StintResult *result, guint n_ended, const char *names)
{
  g_free (result->error);
  /* Translators: processes that a job had left and that were killed; %s is their names and ids */
  result->error = g_strdup_printf (
      g_dngettext (GETTEXT_PACKAGE,
                   "The keeper of the job was killed. %u process of the job that it "
                   "left was found and ended: %s",
                   "The keeper of the job was killed. %u processes of the job that "
                   "it left were found and ended: %s",
                   n_ended),
      n_ended, names);
}

void
stint_strays_end (const char *directory, gint64 patience, StintResult *result)
{
  g_autoptr (GArray) strays = g_array_new (FALSE, FALSE, sizeof (Stray));
  g_autoptr (GString) names = g_string_new (NULL);
  Hunt hunt = { strays, g_strdup_printf (STINT_STRAYS_MARK "=%s", directory) };
  gint64 killed_at;
  guint n_ended = 0;

  g_array_set_clear_func (strays, stray_clear);
  kill_all (&hunt);
  killed_at = g_get_monotonic_time ();
  g_free (hunt.mark);
  for (guint i = 0; i < strays->len; i++)
    {
      const Stray *stray = &g_array_index (strays, Stray, i);

      if (stray->denied || !wait_for_end (stray, killed_at, patience))
        {
          add_survivor (result, stray);
          continue;
        }
      if (n_ended++ < MOST_NAMED)
        g_string_append_printf (names, "%s%s (%d)", names->len > 0 ? ", " : "", stray->name,
                                stray->pid);
    }
  if (n_ended > MOST_NAMED)
    g_string_append (names, ", …");
  result->leftovers += n_ended;
  result->escalated = result->escalated || n_ended > 0;
  if (n_ended > 0)
    name_ended (result, n_ended, names->str);
}

typedef struct
{
  char *directory;
  StintResult *result;
} Order;

static void
order_free (gpointer data)
{
  Order *order = data;

  g_free (order->directory);
  stint_result_unref (order->result);
  g_free (order);
}

static void
end_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Order *order = data;

  stint_strays_end (order->directory, STINT_STRAYS_PATIENCE, order->result);
  g_task_return_pointer (task, stint_result_ref (order->result),
                         (GDestroyNotify) stint_result_unref);
}

void
stint_strays_end_async (const char *directory,
                        StintResult *result,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, NULL, callback, user_data);
  Order *order = g_new0 (Order, 1);

  order->directory = g_strdup (directory);
  order->result = stint_result_ref (result);
  g_task_set_source_tag (task, stint_strays_end_async);
  g_task_set_task_data (task, order, order_free);
  g_task_run_in_thread (task, end_in_thread);
}

StintResult *
stint_strays_end_finish (GAsyncResult *result)
{
  g_return_val_if_fail (g_task_is_valid (result, NULL), NULL);
  return g_task_propagate_pointer (G_TASK (result), NULL);
}

/* A keeper has an empty environment; it is known by its program and by the directory it has open. */
static gboolean
continue_if_keeper (int pid, gpointer data)
{
  const struct stat *wanted = data;
  g_autofree char *name = read_file (pid, "comm", NULL);
  g_autofree char *path = g_strdup_printf ("/proc/%d/fd", pid);
  g_autoptr (GDir) fds = NULL;
  const char *number;
  int fd;

  if (name == NULL || !g_str_has_prefix (name, "stint-keeper"))
    return FALSE;
  fd = (int) syscall (SYS_pidfd_open, pid, 0);
  fds = fd >= 0 ? g_dir_open (path, 0, NULL) : NULL;
  while (fds != NULL && (number = g_dir_read_name (fds)) != NULL)
    {
      g_autofree char *link = g_build_filename (path, number, NULL);
      struct stat status;

      if (stat (link, &status) == 0 && status.st_dev == wanted->st_dev &&
          status.st_ino == wanted->st_ino)
        {
          syscall (SYS_pidfd_send_signal, fd, SIGCONT, NULL, 0);
          close (fd);
          return TRUE;
        }
    }
  if (fd >= 0)
    close (fd);
  return FALSE;
}

guint
stint_strays_continue_keeper (const char *directory)
{
  struct stat status;

  if (stat (directory, &status) < 0)
    return 0;
  return for_each_process (continue_if_keeper, &status);
}
