/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * For the controls: the keeper with one of its protections taken out by the linker (--wrap), chosen by
 * WITHOUT_…. A row whose check passes with one of these as well checks nothing.
 */
#include "job-limits.h"
#include "stopper.h"
#include "worker.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* What is orphaned leaves the tree. Or: nobody hears of a death. */
#if defined(WITHOUT_SUBREAPER) || defined(WITHOUT_DEATH_SIGNAL)
int __real_prctl (int option, ...);
int __wrap_prctl (int option, ...);

int
__wrap_prctl (int option, ...)
{
#ifdef WITHOUT_SUBREAPER
  const int withheld = PR_SET_CHILD_SUBREAPER;
#else
  const int withheld = PR_SET_PDEATHSIG;
#endif
  va_list args;
  int value;

  va_start (args, option);
  value = va_arg (args, int);
  va_end (args);
  return option == withheld ? 0 : __real_prctl (option, value);
}
#endif

#if defined(WITHOUT_SIGKILL) || defined(WITHOUT_SIGCONT)
bool __real_tree_signal (struct tree_process *process, int signal);
bool __wrap_tree_signal (struct tree_process *process, int signal);
void __real_tree_signal_group (int32_t leader, int signal);
void __wrap_tree_signal_group (int32_t leader, int signal);

#ifdef WITHOUT_SIGKILL
#define WITHHELD SIGKILL
#else
#define WITHHELD SIGCONT
#endif

bool
__wrap_tree_signal (struct tree_process *process, int signal)
{
  return signal == WITHHELD || __real_tree_signal (process, signal);
}

void
__wrap_tree_signal_group (int32_t leader, int signal)
{
  if (signal != WITHHELD)
    __real_tree_signal_group (leader, signal);
}
#endif

/* What the command wrote last stays in the pipe. */
#ifdef WITHOUT_DRAIN
void __wrap_stream_drain (struct stream *stream, struct recorder *recorder);

void
__wrap_stream_drain (struct stream *stream, struct recorder *recorder)
{
  (void) stream;
  (void) recorder;
}
#endif

/* A job that waits for its reader counts as idle. */
#ifdef WITHOUT_HOLDING
void __wrap_limits_hold_idle (struct limits *limits, int64_t now);

void
__wrap_limits_hold_idle (struct limits *limits, int64_t now)
{
  (void) limits;
  (void) now;
}
#endif

#ifdef WITHOUT_LIMITS
int64_t __wrap_limits_next (const struct limits *limits);
enum limits_expired __wrap_limits_check (const struct limits *limits, int64_t now);

int64_t
__wrap_limits_next (const struct limits *limits)
{
  (void) limits;
  return LIMITS_NEVER;
}

enum limits_expired
__wrap_limits_check (const struct limits *limits, int64_t now)
{
  (void) limits;
  (void) now;
  return LIMITS_HOLD;
}
#endif

/* The end of the engine's socket is not seen. */
#ifdef WITHOUT_ENGINE_WATCH
ssize_t __real_recv (int fd, void *buffer, size_t size, int flags);
ssize_t __wrap_recv (int fd, void *buffer, size_t size, int flags);

ssize_t
__wrap_recv (int fd, void *buffer, size_t size, int flags)
{
  ssize_t n = __real_recv (fd, buffer, size, flags);

  if (n != 0)
    return n;
  usleep (20000);
  errno = EAGAIN;
  return -1;
}
#endif

/* Descriptors that the caller left open go on to the command. */
#ifdef WITHOUT_CLOSING
int __wrap_close_range (unsigned first, unsigned last, int flags);

int
__wrap_close_range (unsigned first, unsigned last, int flags)
{
  (void) first;
  (void) last;
  (void) flags;
  return 0;
}
#endif

#ifdef WITHOUT_SIGNAL_RESET
int __wrap_sigprocmask (int how, const sigset_t *set, sigset_t *old);
int __real_sigprocmask (int how, const sigset_t *set, sigset_t *old);

int
__wrap_sigprocmask (int how, const sigset_t *set, sigset_t *old)
{
  return how == SIG_SETMASK ? 0 : __real_sigprocmask (how, set, old);
}
#endif

/* Nothing is left behind for whoever finds the directory later. */
#ifdef WITHOUT_OUTCOME
int __wrap_outcome_write (const struct keeper_outcome *outcome, int directory_fd);

int
__wrap_outcome_write (const struct keeper_outcome *outcome, int directory_fd)
{
  (void) outcome;
  (void) directory_fd;
  return 0;
}
#endif
