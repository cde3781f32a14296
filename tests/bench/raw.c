/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * raw pty|pipe|splice FILE COMMAND…
 *
 * The limit: nothing but a loop that takes the output of a command to a file.
 */
#include <errno.h>
#include <fcntl.h>
#include <pty.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BUFFER_SIZE (256 * 1024)

static pid_t
start_on_pty (int *fd, char **argv)
{
  struct winsize size = { .ws_row = 24, .ws_col = 80 };
  pid_t pid = forkpty (fd, NULL, NULL, &size);

  if (pid == 0)
    {
      execvp (argv[0], argv);
      _exit (126);
    }
  return pid;
}

static pid_t
start_on_pipe (int *fd, char **argv)
{
  int fds[2];
  pid_t pid;

  if (pipe2 (fds, O_CLOEXEC) != 0)
    return -1;
  pid = fork ();
  if (pid == 0)
    {
      dup2 (fds[1], STDOUT_FILENO);
      execvp (argv[0], argv);
      _exit (126);
    }
  close (fds[1]);
  *fd = fds[0];
  return pid;
}

/* Returns: what read() or splice() does; of a pty EIO is the end. */
static ssize_t
pass (int from, int to, int spliced)
{
  static char buffer[BUFFER_SIZE];
  ssize_t n;

  if (spliced)
    return splice (from, NULL, to, NULL, BUFFER_SIZE, SPLICE_F_MOVE);
  n = read (from, buffer, sizeof buffer);
  return n > 0 ? write (to, buffer, (size_t) n) : n;
}

int
main (int argc, char **argv)
{
  int from = -1, to, status;
  ssize_t n;
  pid_t pid;

  if (argc < 4)
    return 126;
  to = open (argv[2], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  pid = strcmp (argv[1], "pty") == 0 ? start_on_pty (&from, argv + 3) : start_on_pipe (&from, argv + 3);
  if (to < 0 || pid < 0)
    return 126;
  do
    n = pass (from, to, strcmp (argv[1], "splice") == 0);
  while (n > 0 || (n < 0 && errno == EINTR));
  if (n < 0 && errno != EIO)
    perror ("raw");
  return waitpid (pid, &status, 0) == pid && status == 0 ? 0 : 1;
}
