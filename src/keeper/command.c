/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See command.h. What runs between fork and exec is below; the process has one thread, so all of
 * libc may be used there.
 */
#include "command.h"

#include "priority.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static void
fail (int error_fd, enum keeper_step step, int error)
{
  const struct command_failure failure = { .step = (int32_t) step, .error = error };
  ssize_t n = write (error_fd, &failure, sizeof failure);

  (void) n;
  _exit (127);
}

/* An ignored signal and a blocked one survive exec, and the app ignores SIGPIPE. By the system call:
 * glibc keeps two signals to itself, and its posix_spawn leaves them ignored. */
static void
reset_signals (void)
{
  const struct
  {
    void (*handler) (int);
    unsigned long flags;
    void (*restorer) (void);
    unsigned long mask[2];
  } standard = { .handler = SIG_DFL };
  sigset_t none;

  for (int signal = 1; signal < NSIG; signal++)
    syscall (SYS_rt_sigaction, signal, &standard, NULL, (size_t) (NSIG - 1) / 8);
  sigemptyset (&none);
  sigprocmask (SIG_SETMASK, &none, NULL);
}

/* Under memory pressure the job is to go, not the app. Never lowers what is set already. */
static void
raise_oom_score (int32_t score)
{
  char text[16];
  ssize_t length;
  int fd = open ("/proc/self/oom_score_adj", O_RDWR | O_CLOEXEC);

  if (fd < 0)
    return;
  length = read (fd, text, sizeof text - 1);
  if (length > 0)
    {
      text[length] = '\0';
      if (atoi (text) < score)
        {
          length = snprintf (text, sizeof text, "%d", score);
          length = pwrite (fd, text, (size_t) length, 0);
        }
    }
  close (fd);
}

static void
restore_descriptor_limit (uint64_t soft)
{
  struct rlimit limit;

  if (soft == 0 || getrlimit (RLIMIT_NOFILE, &limit) < 0)
    return;
  limit.rlim_cur = soft < limit.rlim_max ? soft : limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

static const char *
find_path (char *const *environ)
{
  for (; *environ != NULL; environ++)
    if (strncmp (*environ, "PATH=", 5) == 0)
      return *environ + 5;
  return "/usr/local/bin:/usr/bin:/bin";
}

/* Executes @path, a script without `#!` by the shell, as execvp does. Returns: only on failure. */
static void
execute_file (const char *path, const struct launch *launch)
{
  char **argv;

  execve (path, launch->argv, launch->environ);
  if (errno != ENOEXEC)
    return;

  argv = calloc ((size_t) launch->block.argc + 2, sizeof *argv);
  if (argv == NULL)
    return;
  argv[0] = (char *) "/bin/sh";
  argv[1] = (char *) path;
  memcpy (argv + 2, launch->argv + 1, launch->block.argc * sizeof *argv);
  execve (argv[0], argv, launch->environ);
  free (argv);
}

/* Whether @error says no more than that it is not at this place, as far as execvp goes on: some file
 * systems that have gone say it in other words. */
static bool
is_absent (int error)
{
  return error == ENOENT || error == ENOTDIR || error == ESTALE || error == ENODEV ||
         error == ETIMEDOUT;
}

/* Looks the command up in the PATH of its own environment. Returns: only on failure, with errno. */
static void
execute (const struct launch *launch)
{
  const char *name = launch->argv[0], *path = find_path (launch->environ), *end;
  size_t size = strlen (path) + strlen (name) + 3;
  char *file;
  bool denied = false;

  if (strchr (name, '/') != NULL)
    {
      execute_file (name, launch);
      return;
    }

  file = malloc (size);
  if (file == NULL || *name == '\0')
    {
      errno = file == NULL ? ENOMEM : ENOENT;
      return;
    }
  for (;; path = end + 1)
    {
      end = strchrnul (path, ':');
      /* An empty element is the current directory. */
      if (end == path)
        snprintf (file, size, "./%s", name);
      else
        snprintf (file, size, "%.*s/%s", (int) (end - path), path, name);
      execute_file (file, launch);
      if (errno == EACCES)
        denied = true;
      else if (!is_absent (errno))
        return;
      if (*end == '\0')
        break;
    }
  errno = denied ? EACCES : ENOENT;
}

static void
become_command (const struct launch *launch, const int stdio[3], int terminal, int error_fd, pid_t parent)
{
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (127);
  reset_signals ();

  if (setsid () < 0)
    fail (error_fd, KEEPER_STEP_SESSION, errno);
  /* Before anything of the command runs; if it is refused now, the worker tries again. */
  priority_lower_session (launch->block.niceness);
  if (terminal >= 0 && ioctl (terminal, TIOCSCTTY, 0) < 0)
    fail (error_fd, KEEPER_STEP_SESSION, errno);
  for (int fd = 0; fd <= 2; fd++)
    if (stdio[fd] >= 0 && dup2 (stdio[fd], fd) < 0)
      fail (error_fd, KEEPER_STEP_STDIO, errno);

  raise_oom_score (launch->block.oom_score_adj);
  restore_descriptor_limit (launch->block.nofile_soft);
  if (*launch->directory != '\0' && chdir (launch->directory) < 0)
    fail (error_fd, KEEPER_STEP_DIRECTORY, errno);

  execute (launch);
  fail (error_fd, KEEPER_STEP_EXEC, errno);
}

int
command_start (struct command *command,
               const struct launch *launch,
               const int stdio[3],
               int terminal)
{
  pid_t parent = getpid ();
  int pipe_fds[2];

  if (pipe2 (pipe_fds, O_CLOEXEC) < 0)
    return errno;

  command->pid = fork ();
  if (command->pid < 0)
    {
      int error = errno;

      close (pipe_fds[0]);
      close (pipe_fds[1]);
      return error;
    }
  if (command->pid == 0)
    become_command (launch, stdio, terminal, pipe_fds[1], parent);

  close (pipe_fds[1]);
  command->error_fd = pipe_fds[0];
  return 0;
}
