/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What no client can be faster than: the `calls` of bench-acp.c with the same agent, made of one write, one
 * poll and one read each, and nothing decoded. Prints the same numbers.
 *
 *   N AGENT…
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static long long
get_clock (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1000000LL + now.tv_nsec / 1000;
}

static long long
get_cpu (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000LL + usage.ru_utime.tv_usec +
         usage.ru_stime.tv_usec;
}

static void
fail (const char *what)
{
  perror (what);
  exit (1);
}

/* The agent's ends of two pipes become its stdin and stdout. */
static pid_t
start (char **argv, int *to, int *from)
{
  posix_spawn_file_actions_t actions;
  int in[2], out[2], code;
  pid_t pid;

  if (pipe2 (in, O_CLOEXEC) < 0 || pipe2 (out, O_CLOEXEC) < 0)
    fail ("pipe");
  posix_spawn_file_actions_init (&actions);
  posix_spawn_file_actions_adddup2 (&actions, in[0], 0);
  posix_spawn_file_actions_adddup2 (&actions, out[1], 1);
  code = posix_spawn (&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy (&actions);
  if (code != 0)
    {
      fprintf (stderr, "%s: %s\n", argv[0], strerror (code));
      exit (1);
    }
  close (in[0]);
  close (out[1]);
  *to = in[1];
  *from = out[0];
  return pid;
}

/* Asks, and waits for the answer's end. */
static void
ask (int to, int from, long id)
{
  char line[4096];
  ssize_t n;
  int length = snprintf (line, sizeof line,
                         "{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"session/set_mode\",\"params\":"
                         "{\"sessionId\":\"bench\",\"modeId\":\"a\"}}\n",
                         id);

  if (write (to, line, (size_t) length) != length)
    fail ("write");
  do
    {
      struct pollfd fd = { from, POLLIN, 0 };

      if (poll (&fd, 1, -1) < 0)
        fail ("poll");
      n = read (from, line, sizeof line);
      if (n <= 0)
        fail ("read");
    }
  while (line[n - 1] != '\n');
}

int
main (int argc, char **argv)
{
  long n = argc > 2 ? strtol (argv[1], NULL, 10) : 0;
  long long began, cpu;
  int to, from;
  pid_t pid;

  if (n <= 0)
    return 2;
  pid = start (argv + 2, &to, &from);
  ask (to, from, 0);
  began = get_clock ();
  cpu = get_cpu ();
  for (long i = 1; i <= n; i++)
    ask (to, from, i);
  printf ("%ld %lld %lld 0\n", n, get_clock () - began, get_cpu () - cpu);
  close (to);
  waitpid (pid, NULL, 0);
  return 0;
}
