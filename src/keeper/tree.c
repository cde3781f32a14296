/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Walks /proc/PID/task/TID/children downwards from this process. Because it is a subreaper, nothing
 * that a job started can leave this tree: not by setsid, not by forking twice.
 */
#include "tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A tree that changes whenever we look is not looked at for ever. */
#define MAX_LOOKS 4

/* A directory, a file in it, and what that speaks of: so many are open at once. */
#define N_RESERVED 3

static int reserved[N_RESERVED];
static bool has_reserve;

static void
take_reserve (void)
{
  for (int i = 0; has_reserve && i < N_RESERVED; i++)
    reserved[i] = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
}

static void
release_reserve (void)
{
  for (int i = 0; has_reserve && i < N_RESERVED; i++)
    if (reserved[i] >= 0)
      close (reserved[i]);
}

void
tree_reserve (void)
{
  has_reserve = true;
  take_reserve ();
}

/* Fills in @process from /proc/PID/stat. Returns: whether there is such a process. Dead is a zombie
 * (one whose last thread has ended, not one whose first thread has). */
static bool
read_stat (int32_t pid, struct tree_process *process)
{
  char path[64], line[1024], state;
  const char *name, *rest;
  int fd, parent, group, session;
  long threads;
  unsigned long long start, user, system;
  long long children_user, children_system;
  ssize_t length;
  size_t name_length;

  snprintf (path, sizeof path, "/proc/%d/stat", pid);
  fd = open (path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  length = read (fd, line, sizeof line - 1);
  close (fd);
  if (length <= 0)
    return false;
  line[length] = '\0';

  /* The name may hold anything, spaces and parentheses too; the rest may not. */
  name = strchr (line, '(');
  rest = strrchr (line, ')');
  if (name == NULL || rest == NULL || rest < name)
    return false;
  name++;
  if (sscanf (rest + 1,
              " %c %d %d %d %*d %*d %*u %*u %*u %*u %*u %llu %llu %lld %lld %*d %*d %ld %*d %llu",
              &state, &parent, &group, &session, &user, &system, &children_user, &children_system,
              &threads, &start) != 10)
    return false;

  name_length = (size_t) (rest - name);
  if (name_length >= sizeof process->name)
    name_length = sizeof process->name - 1;

  *process = (struct tree_process) {
    .pid = pid,
    .parent = parent,
    .group = group,
    .session = session,
    .start = start,
    .cpu = user + system + (uint64_t) children_user + (uint64_t) children_system,
    .dead = (state == 'Z' || state == 'X') && threads <= 1,
    .runnable = state == 'R' || (state == 'Z' && threads > 1),
  };
  memcpy (process->name, name, name_length);
  return true;
}

static bool
append (struct tree *tree, const struct tree_process *process)
{
  if (tree->n == tree->capacity)
    {
      size_t capacity = tree->capacity > 0 ? 2 * tree->capacity : 16;
      struct tree_process *processes =
        realloc (tree->processes, capacity * sizeof *processes);

      if (processes == NULL)
        return false;
      tree->processes = processes;
      tree->capacity = capacity;
    }
  tree->processes[tree->n++] = *process;
  return true;
}

/* Appends the children that one thread has. */
static void
append_children_of_thread (struct tree *tree, int task_fd, const char *tid)
{
  char path[300], chunk[4096];
  ssize_t length;
  int fd;
  int64_t pid = 0;

  snprintf (path, sizeof path, "%s/children", tid);
  fd = openat (task_fd, path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return;

  while ((length = read (fd, chunk, sizeof chunk)) > 0)
    for (ssize_t i = 0; i < length; i++)
      {
        struct tree_process process;

        if (chunk[i] >= '0' && chunk[i] <= '9')
          {
            pid = pid * 10 + (chunk[i] - '0');
            continue;
          }
        if (pid > 1 && read_stat ((int32_t) pid, &process))
          append (tree, &process);
        pid = 0;
      }
  close (fd);
}

static void
append_children (struct tree *tree, int32_t pid)
{
  char path[64];
  DIR *tasks;
  struct dirent *entry;

  snprintf (path, sizeof path, "/proc/%d/task", pid);
  tasks = opendir (path);
  if (tasks == NULL)
    return;
  while ((entry = readdir (tasks)) != NULL)
    if (entry->d_name[0] != '.')
      append_children_of_thread (tree, dirfd (tasks), entry->d_name);
  closedir (tasks);
}

static int
compare (const void *a, const void *b)
{
  const struct tree_process *first = a, *second = b;

  return (first->pid > second->pid) - (first->pid < second->pid);
}

static struct tree_process *
find (const struct tree *tree, int32_t pid)
{
  struct tree_process key = { .pid = pid };

  if (tree->n == 0)
    return NULL;
  return bsearch (&key, tree->processes, tree->n, sizeof key, compare);
}

void
tree_clear (struct tree *tree)
{
  free (tree->processes);
  *tree = (struct tree) { 0 };
}

/* A process that moved up while we looked was seen twice. */
static void
sort (struct tree *tree)
{
  size_t kept = 0;

  if (tree->n > 1)
    qsort (tree->processes, tree->n, sizeof *tree->processes, compare);
  for (size_t i = 0; i < tree->n; i++)
    if (kept == 0 || tree->processes[kept - 1].pid != tree->processes[i].pid)
      tree->processes[kept++] = tree->processes[i];
  tree->n = kept;
}

/* What is known of those who were found. Returns: whether any is not known, or has ended since. */
static bool
recognize (struct tree *found, const struct tree *known)
{
  bool changed = false;

  for (size_t i = 0; i < found->n; i++)
    {
      struct tree_process *process = &found->processes[i];
      const struct tree_process *before = find (known, process->pid);

      process->is_new = true;
      if (before != NULL && before->start == process->start)
        {
          process->sent = before->sent;
          process->denied = before->denied;
          process->is_new = before->is_new;
          changed = changed || before->dead != process->dead;
        }
      else
        {
          changed = true;
        }
    }
  return changed;
}

/* Adds who is known, and was not found although it lives. Returns: whether any was not found. */
static bool
add_missed (struct tree *found, const struct tree *known)
{
  struct tree missed = { 0 };
  bool changed = false;

  for (size_t i = 0; i < known->n; i++)
    {
      const struct tree_process *before = &known->processes[i];
      struct tree_process process;

      if (before->dead || find (found, before->pid) != NULL)
        continue;
      changed = true;
      if (read_stat (before->pid, &process) && process.start == before->start)
        append (&missed, &process);
    }
  for (size_t i = 0; i < missed.n; i++)
    append (found, &missed.processes[i]);
  tree_clear (&missed);
  sort (found);
  return changed;
}

/* Appends the children of one that was found. If it has ended meanwhile its id may have been a stranger's
 * already, so nothing is taken: its own have moved up. Returns: whether it has. */
static bool
append_children_of_found (struct tree *found, size_t i)
{
  const struct tree_process parent = found->processes[i];
  const size_t n = found->n;
  struct tree_process again;

  append_children (found, parent.pid);
  if (found->n == n || (read_stat (parent.pid, &again) && again.start == parent.start))
    return false;
  found->n = n;
  return true;
}

/* Returns: whether the tree is not what it was, the dead among it. */
static bool
look (struct tree *tree)
{
  struct tree found = { 0 };
  bool changed = false;

  append_children (&found, getpid ());
  for (size_t i = 0; i < found.n; i++)
    changed = append_children_of_found (&found, i) || changed;
  sort (&found);
  changed = add_missed (&found, tree) || changed;
  changed = recognize (&found, tree) || changed;

  tree_clear (tree);
  *tree = found;
  return changed;
}

/* When a process ends its children move up, maybe to where we have been already: as long as something
 * changes, we look again. */
size_t
tree_walk (struct tree *tree)
{
  size_t n_new = 0, kept = 0;
  int looks = 0;

  for (size_t i = 0; i < tree->n; i++)
    tree->processes[i].is_new = false;
  release_reserve ();
  while (look (tree) && ++looks < MAX_LOOKS)
    ;
  take_reserve ();

  for (size_t i = 0; i < tree->n; i++)
    {
      if (tree->processes[i].dead)
        continue;
      n_new += tree->processes[i].is_new;
      tree->processes[kept++] = tree->processes[i];
    }
  tree->n = kept;
  return n_new;
}

int64_t
tree_cpu (const struct tree *tree)
{
  long ticks = sysconf (_SC_CLK_TCK);
  uint64_t sum = 0;

  for (size_t i = 0; i < tree->n; i++)
    sum += tree->processes[i].cpu;
  return ticks > 0 ? (int64_t) (sum * 1000000 / (uint64_t) ticks) : 0;
}

/* A child of ours stays itself until we reap it. Anything else is pinned by a pidfd first, and then
 * looked at again: is it still the one that the walk found, and still in our tree? */
static int
signal_checked (const struct tree_process *process, int signal)
{
  struct tree_process again;
  int fd, status = -1;

  if (process->parent == getpid ())
    return kill (process->pid, signal);

  fd = (int) syscall (SYS_pidfd_open, process->pid, 0);
  if (fd < 0)
    return -1;
  if (read_stat (process->pid, &again) && again.start == process->start &&
      (again.parent == process->parent || again.parent == getpid ()))
    status = (int) syscall (SYS_pidfd_send_signal, fd, signal, NULL, 0);
  else
    errno = ESRCH;
  close (fd);
  return status;
}

bool
tree_signal (struct tree_process *process, int signal)
{
  int status;

  if (process->pid <= 1 || process->pid == getpid ())
    return false;
  release_reserve ();
  status = signal_checked (process, signal);
  if (status < 0 && errno == EPERM)
    process->denied = true;
  take_reserve ();
  return status == 0;
}

void
tree_signal_group (int32_t leader, int signal)
{
  if (leader > 1 && leader != getpgrp () && leader != getpid ())
    kill (-leader, signal);
}
