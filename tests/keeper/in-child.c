/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See in-child.h.
 */
#include "in-child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LOOK_INTERVAL 1000 /* microseconds */

static int ready_fd = -1;

_Noreturn void
child_rest (void)
{
  for (;;)
    pause ();
}

void
child_is_ready (void)
{
  if (ready_fd >= 0)
    close (ready_fd);
  ready_fd = -1;
}

pid_t
child_fork (ChildFunc func, gpointer data)
{
  int fds[2];
  char byte;
  pid_t pid;

  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    {
      close (fds[0]);
      if (ready_fd >= 0)
        close (ready_fd);
      ready_fd = fds[1];
      func (data);
      _exit (0);
    }
  close (fds[1]);
  while (read (fds[0], &byte, 1) < 0 && errno == EINTR)
    ;
  close (fds[0]);
  return pid;
}

bool
wait_until (bool (*condition) (gpointer), gpointer data)
{
  gint64 deadline = g_get_monotonic_time () + IN_CHILD_DEADLINE;

  while (!condition (data))
    {
      if (g_get_monotonic_time () > deadline)
        return false;
      g_usleep (LOOK_INTERVAL);
    }
  return true;
}

char
process_state (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  const char *rest;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  rest = strrchr (text, ')');
  return rest != NULL && rest[1] == ' ' ? rest[2] : 0;
}

struct wanted_state
{
  pid_t pid;
  const char *letters;
};

static bool
has_state (gpointer data)
{
  const struct wanted_state *wanted = data;
  char state = process_state (wanted->pid);

  return state == 0 ? strchr (wanted->letters, '-') != NULL
                    : strchr (wanted->letters, state) != NULL;
}

bool
process_lives (pid_t pid)
{
  char state = process_state (pid);

  return state != 0 && strchr ("ZXT", state) == NULL;
}

bool
wait_for_state (pid_t pid, const char *letters)
{
  struct wanted_state wanted = { pid, letters };

  return wait_until (has_state, &wanted);
}

/* The first thread is a zombie before the others are gone; their number stands in the same line. */
static bool
has_ended (gpointer data)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", GPOINTER_TO_INT (data));
  g_autofree char *text = NULL;
  const char *rest;
  char state;
  long threads;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return true;
  rest = strrchr (text, ')');
  g_assert_nonnull (rest);
  g_assert_cmpint (
      sscanf (rest + 1, " %c %*d %*d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %ld",
              &state, &threads),
      ==, 2);
  return (state == 'Z' || state == 'X') && threads <= 1;
}

bool
wait_for_end (pid_t pid)
{
  return wait_until (has_ended, GINT_TO_POINTER (pid));
}

/* A zombie may be one whose first thread alone has ended. */
static GArray *
list_children (pid_t pid, bool zombies)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/task/%d/children", pid, pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) words = NULL;
  GArray *pids = g_array_new (FALSE, FALSE, sizeof (pid_t));

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return pids;
  words = g_strsplit (text, " ", -1);
  for (guint i = 0; words[i] != NULL; i++)
    {
      pid_t child = atoi (words[i]);
      char state = child > 0 ? process_state (child) : 0;

      if (state != 0 && (zombies || (state != 'Z' && state != 'X')))
        g_array_append_val (pids, child);
    }
  return pids;
}

GArray *
process_children (pid_t pid)
{
  return list_children (pid, false);
}

guint
kill_descendants (void)
{
  guint found = 0;

  /* A subreaper gets, one generation at a time, all that there is. */
  for (;;)
    {
      g_autoptr (GArray) living = process_children (getpid ());
      g_autoptr (GArray) all = list_children (getpid (), true);

      found += living->len;
      for (guint i = 0; i < all->len; i++)
        kill (g_array_index (all, pid_t, i), SIGKILL);
      for (guint i = 0; i < all->len; i++)
        waitpid (g_array_index (all, pid_t, i), NULL, 0);
      if (waitpid (-1, NULL, WNOHANG) < 0 && errno == ECHILD)
        return found;
    }
}

static _Noreturn void
run_check (ChildFunc check, gpointer data)
{
  /* A crash of the check is seen by its status; so that nothing outlives the test: */
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  setpgid (0, 0);
  check (data);
  _exit (0);
}

void
in_child (ChildFunc check, gpointer data)
{
  int status = 0;
  pid_t pid;

  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  fflush (stdout);
  fflush (stderr);
  pid = fork ();
  g_assert_cmpint (pid, >=, 0);
  if (pid == 0)
    run_check (check, data);

  /* Longer than what it waits for itself, so that it can say what was missing. */
  if (!wait_for_end (pid) && !wait_for_end (pid))
    kill (pid, SIGKILL);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  kill_descendants ();
  g_assert_cmpint (status, ==, 0);
}

gpointer
shared_new (gsize size)
{
  gpointer memory = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

  g_assert_true (memory != MAP_FAILED);
  return memory;
}

void
shared_free (gpointer memory, gsize size)
{
  munmap (memory, size);
}
