/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keeper-command MODE [ARGUMENT]: a command for the tests of the keeper to run. libc only, so that
 * what it says of its own state is what it was given.
 */
#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* No fork bomb gets larger than this, whatever fails. */
#define MAX_FORKS 2000

static void
print_file_lines (const char *path, const char *const *prefixes)
{
  char line[1024];
  FILE *file = fopen (path, "re");

  while (file != NULL && fgets (line, sizeof line, file) != NULL)
    for (int i = 0; prefixes[i] != NULL; i++)
      if (strncmp (line, prefixes[i], strlen (prefixes[i])) == 0)
        fputs (line, stdout);
  if (file != NULL)
    fclose (file);
}

/* Everything that a command inherits, a line each. */
static int
print_state (void)
{
  static const char *const prefixes[] = { "SigBlk:", "SigIgn:", "SigCgt:", NULL };
  struct winsize size = { 0 };
  struct rlimit files;
  char cwd[4096];

  printf ("fds:");
  for (int fd = 0; fd < 1024; fd++)
    if (fcntl (fd, F_GETFD) >= 0)
      printf (" %d", fd);
  printf ("\n");
  print_file_lines ("/proc/self/status", prefixes);
  printf ("leads session: %d\n", getsid (0) == getpid ());
  printf ("leads group: %d\n", getpgrp () == getpid ());
  printf ("in foreground: %d\n", tcgetpgrp (0) == getpid ());
  printf ("controlling terminal: %d\n", open ("/dev/tty", O_RDWR | O_CLOEXEC) >= 0);
  printf ("terminals: %d%d%d\n", isatty (0), isatty (1), isatty (2));
  if (ioctl (0, TIOCGWINSZ, &size) == 0)
    printf ("size: %u %u\n", size.ws_col, size.ws_row);
  getrlimit (RLIMIT_NOFILE, &files);
  printf ("nofile: %llu\n", (unsigned long long) files.rlim_cur);
  printf ("cwd: %s\n", getcwd (cwd, sizeof cwd));
  printf ("oom: ");
  fflush (stdout);
  print_file_lines ("/proc/self/oom_score_adj", (const char *const[]) { "", NULL });
  return 0;
}

static void
write_all (int fd, const void *bytes, size_t size)
{
  for (size_t done = 0; done < size;)
    {
      ssize_t n = write (fd, (const char *) bytes + done, size - done);

      if (n > 0)
        done += (size_t) n;
      else if (errno != EINTR)
        _exit (1);
    }
}

/* job-directory.h's, without GLib. */
static uint8_t
pattern_at (uint64_t offset)
{
  return (uint8_t) (((offset + 1) * UINT64_C (0x9e3779b97f4a7c15)) >> 56);
}

/* Writes that many bytes that tell their own place. A terminal would change some of them. */
static int
write_pattern (uint64_t size)
{
  static uint8_t chunk[64 * 1024];

  for (uint64_t offset = 0; offset < size;)
    {
      size_t n = sizeof chunk < size - offset ? sizeof chunk : (size_t) (size - offset);

      for (size_t i = 0; i < n; i++)
        chunk[i] = pattern_at (offset + i);
      write_all (1, chunk, n);
      offset += n;
    }
  return 0;
}

/* Counts the SIGTERMs that it gets, and tells of each. */
static volatile sig_atomic_t n_terms;

static void
count_term (int signal)
{
  n_terms++;
}

static _Noreturn void
count_terms (void)
{
  sigset_t blocked, open;

  sigemptyset (&blocked);
  sigaddset (&blocked, SIGTERM);
  sigprocmask (SIG_BLOCK, &blocked, &open);
  signal (SIGTERM, count_term);
  write_all (1, "ready\n", 6);
  for (;;)
    {
      char line[32];
      int n = n_terms;

      sigsuspend (&open);
      if (n_terms != n)
        write_all (1, line, (size_t) snprintf (line, sizeof line, "term %d\n", (int) n_terms));
    }
}

/* A daemon by the book: forks twice, its own session, nothing open but what @keep says. */
static int
start_daemon (const char *keep)
{
  int fds[2];
  char byte;

  if (pipe (fds) < 0)
    return 1;
  if (fork () == 0)
    {
      setsid ();
      if (fork () != 0)
        _exit (0);
      signal (SIGHUP, SIG_IGN);
      signal (SIGTERM, SIG_IGN);
      for (int fd = keep != NULL ? 3 : 0; fd < 1024; fd++)
        close (fd);
      for (;;)
        pause ();
    }
  /* Until it has closed this too. */
  close (fds[1]);
  wait (NULL);
  return read (fds[0], &byte, 1) == 0 ? 0 : 1;
}

/* A fork bomb: ignores what can be ignored, and for each child that ends makes two. */
static int bomb_fd; /* one byte a fork that is still allowed */
static int left_fd; /* one byte a process that has left for a session of its own */

static void
fork_bomber (int depth)
{
  char byte;

  if (read (bomb_fd, &byte, 1) != 1 || fork () != 0)
    return;
  if ((depth & 1) && setsid () >= 0)
    write_all (left_fd, "", 1);
  for (int i = 0; i < 2 && depth < 6; i++)
    fork_bomber (depth + 1);
  for (;;)
    {
      if (waitpid (-1, NULL, 0) < 0)
        {
          pause ();
          continue;
        }
      fork_bomber (depth);
      fork_bomber (depth);
    }
}

static _Noreturn void
run_bomb (void)
{
  static char bytes[MAX_FORKS];
  int fds[2], left[2];
  char byte;

  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  if (pipe2 (fds, O_NONBLOCK) < 0 || pipe2 (left, 0) < 0)
    _exit (1);
  left_fd = left[1];
  write_all (fds[1], bytes, sizeof bytes);
  bomb_fd = fds[0];
  fork_bomber (1);
  fork_bomber (1);
  /* Whoever kills it now finds some that are not of its group. */
  if (read (left[0], &byte, 1) != 1)
    _exit (1);
  write_all (1, "ready\n", 6);
  for (;;)
    {
      if (waitpid (-1, NULL, 0) < 0)
        pause ();
      else
        fork_bomber (1);
    }
}

int
main (int argc, char *argv[])
{
  const char *mode = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : NULL;

  if (strcmp (mode, "state") == 0)
    return print_state ();
  if (strcmp (mode, "pattern") == 0 && argument != NULL)
    return write_pattern (strtoull (argument, NULL, 10));
  if (strcmp (mode, "terms") == 0)
    count_terms ();
  if (strcmp (mode, "daemon") == 0)
    return start_daemon (argument);
  if (strcmp (mode, "bomb") == 0)
    run_bomb ();
  fprintf (stderr, "keeper-command: what is '%s'?\n", mode);
  return 2;
}
