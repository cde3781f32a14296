/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * keeper-without: the keeper with one of its protections switched off, so that a test can be seen to
 * fail without it. Which one is said by the name it is started by, keeper-without-PROTECTION, since
 * its environment is empty. The linker wraps the functions that the keeper calls, see meson.build.
 */
#include "clock.h"
#include "job-limits.h"
#include "recorder.h"
#include "stopper.h"
#include "stream.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the disk of `room` holds. */
#define ROOM (1024 * 1024)

#define PREFIX "keeper-without-"

static bool
without (const char *protection)
{
  const char *name = program_invocation_short_name;

  return strncmp (name, PREFIX, strlen (PREFIX)) == 0 &&
         strcmp (name + strlen (PREFIX), protection) == 0;
}

/* The warden is the process that main() runs in. */
static pid_t warden;

static void __attribute__ ((constructor))
note_warden (void)
{
  warden = getpid ();
}

/* subreaper, deathsig */

int __real_prctl (int option, ...);
int __wrap_prctl (int option, ...);

int
__wrap_prctl (int option, ...)
{
  va_list arguments;
  unsigned long argument;

  va_start (arguments, option);
  argument = va_arg (arguments, unsigned long);
  va_end (arguments);
  if ((option == PR_SET_CHILD_SUBREAPER && without ("subreaper")) ||
      (option == PR_SET_PDEATHSIG && without ("deathsig")))
    return 0;
  return __real_prctl (option, argument);
}

/* sigterm, sigkill, hangup, continue, freeze; reset-signals; haste: SIGKILL to the leader takes effect just
 * when the keeper has given up */

static bool
is_withheld (int signal)
{
  return (signal == SIGTERM && without ("sigterm") && getpid () != warden) ||
         (signal == SIGKILL && (without ("sigkill") || without ("haste"))) ||
         (signal == SIGHUP && without ("hangup")) || (signal == SIGCONT && without ("continue")) ||
         (signal == SIGSTOP && without ("freeze"));
}

int __real_kill (pid_t pid, int signal);
int __wrap_kill (pid_t pid, int signal);

static pid_t last_killed;

int
__wrap_kill (pid_t pid, int signal)
{
  if (signal == SIGKILL && pid > 1)
    last_killed = pid;
  return is_withheld (signal) ? 0 : __real_kill (pid, signal);
}

long __real_syscall (long number, ...);
long __wrap_syscall (long number, ...);

long
__wrap_syscall (long number, ...)
{
  va_list arguments;
  long a[4];

  va_start (arguments, number);
  for (int i = 0; i < 4; i++)
    a[i] = va_arg (arguments, long);
  va_end (arguments);
  if ((number == SYS_pidfd_send_signal && is_withheld ((int) a[1])) ||
      (number == SYS_rt_sigaction && without ("reset-signals")))
    return 0;
  return __real_syscall (number, a[0], a[1], a[2], a[3]);
}

uint32_t __real_stopper_name_survivors (struct stopper *stopper, struct keeper_survivor *survivors);
uint32_t __wrap_stopper_name_survivors (struct stopper *stopper, struct keeper_survivor *survivors);

uint32_t
__wrap_stopper_name_survivors (struct stopper *stopper, struct keeper_survivor *survivors)
{
  siginfo_t info;

  if (without ("haste") && last_killed != 0)
    {
      __real_kill (last_killed, SIGKILL);
      waitid (P_PID, (id_t) last_killed, &info, WEXITED | WNOWAIT);
      last_killed = 0;
    }
  return __real_stopper_name_survivors (stopper, survivors);
}

/* tree: only the leader's group is signalled, as a plain timeout(1) does */

bool __real_tree_signal (struct tree_process *process, int signal);
bool __wrap_tree_signal (struct tree_process *process, int signal);

bool
__wrap_tree_signal (struct tree_process *process, int signal)
{
  return without ("tree") || __real_tree_signal (process, signal);
}

/* reserve */

void __real_tree_reserve (void);
void __wrap_tree_reserve (void);

void
__wrap_tree_reserve (void)
{
  if (!without ("reserve"))
    __real_tree_reserve ();
}

/* close-range, session */

int __real_close_range (unsigned first, unsigned last, int flags);
int __wrap_close_range (unsigned first, unsigned last, int flags);

int
__wrap_close_range (unsigned first, unsigned last, int flags)
{
  return without ("close-range") ? 0 : __real_close_range (first, last, flags);
}

pid_t __real_setsid (void);
pid_t __wrap_setsid (void);

pid_t
__wrap_setsid (void)
{
  return without ("session") ? 0 : __real_setsid ();
}

/* wall-clock: somebody sets it a day forward and back all the time, which is no protection but harmless;
 * suspend: the machine slept for a day before the job's end, which is harmless too;
 * monotonic: by the one clock that must not be set */

#define DAY INT64_C (86400000000)

int64_t __real_clock_real (void);
int64_t __wrap_clock_real (void);

static bool has_slept;

int64_t
__wrap_clock_real (void)
{
  static int calls;

  if (has_slept && without ("suspend"))
    return __real_clock_real () + DAY;
  if (!without ("wall-clock"))
    return __real_clock_real ();
  return __real_clock_real () + (calls++ % 2 == 0 ? DAY : -DAY);
}

int64_t __real_clock_monotonic (void);
int64_t __wrap_clock_monotonic (void);

int64_t
__wrap_clock_monotonic (void)
{
  static int64_t first;
  int64_t now = __real_clock_monotonic ();

  if (first == 0)
    first = now;
  return without ("monotonic") && now > first + 500000 ? now + DAY : now;
}

/* drain, nonblocking */

void __real_stream_drain (struct stream *stream, struct recorder *recorder);
void __wrap_stream_drain (struct stream *stream, struct recorder *recorder);

void
__wrap_stream_drain (struct stream *stream, struct recorder *recorder)
{
  if (!without ("drain"))
    __real_stream_drain (stream, recorder);
}

int __real_fcntl64 (int fd, int command, ...);
int __wrap_fcntl64 (int fd, int command, ...);

int
__wrap_fcntl64 (int fd, int command, ...)
{
  va_list arguments;
  long argument;

  va_start (arguments, command);
  argument = va_arg (arguments, long);
  va_end (arguments);
  if (command == F_SETFL && without ("nonblocking"))
    return 0;
  return __real_fcntl64 (fd, command, argument);
}

/* limits, hold */

int64_t __real_limits_next (const struct limits *limits);
int64_t __wrap_limits_next (const struct limits *limits);

int64_t
__wrap_limits_next (const struct limits *limits)
{
  return without ("limits") ? LIMITS_NEVER : __real_limits_next (limits);
}

void __real_limits_hold_idle (struct limits *limits, int64_t now);
void __wrap_limits_hold_idle (struct limits *limits, int64_t now);

void
__wrap_limits_hold_idle (struct limits *limits, int64_t now)
{
  if (!without ("hold"))
    __real_limits_hold_idle (limits, now);
}

/* end-of-file: the engine's death is not noticed */

ssize_t __real_recv (int fd, void *bytes, size_t size, int flags);
ssize_t __wrap_recv (int fd, void *bytes, size_t size, int flags);

ssize_t
__wrap_recv (int fd, void *bytes, size_t size, int flags)
{
  ssize_t n = __real_recv (fd, bytes, size, flags);

  if (n != 0 || !without ("end-of-file"))
    return n;
  /* Its end makes every poll return: not too often. */
  usleep (10000);
  errno = EAGAIN;
  return -1;
}

/* finish: what was lost last, and that the transcript was removed, is not told; holes: a file system
 * that can make none; room: a disk that is full */

void __real_recorder_finish (struct recorder *recorder, int64_t now);
void __wrap_recorder_finish (struct recorder *recorder, int64_t now);

void
__wrap_recorder_finish (struct recorder *recorder, int64_t now)
{
  has_slept = true;
  if (!without ("finish"))
    __real_recorder_finish (recorder, now);
}

int __real_fallocate64 (int fd, int mode, off_t offset, off_t size);
int __wrap_fallocate64 (int fd, int mode, off_t offset, off_t size);

int
__wrap_fallocate64 (int fd, int mode, off_t offset, off_t size)
{
  if (!without ("holes"))
    return __real_fallocate64 (fd, mode, offset, size);
  errno = EOPNOTSUPP;
  return -1;
}

ssize_t __real_pwrite64 (int fd, const void *bytes, size_t size, off_t offset);
ssize_t __wrap_pwrite64 (int fd, const void *bytes, size_t size, off_t offset);

ssize_t
__wrap_pwrite64 (int fd, const void *bytes, size_t size, off_t offset)
{
  if (without ("room") && offset >= ROOM)
    {
      errno = ENOSPC;
      return -1;
    }
  if (without ("room") && offset + (off_t) size > ROOM)
    size = (size_t) (ROOM - offset);
  return __real_pwrite64 (fd, bytes, size, offset);
}

/* mounts: what was mounted on these directories has gone */

int __real_execve (const char *path, char *const *argv, char *const *environ);
int __wrap_execve (const char *path, char *const *argv, char *const *environ);

int
__wrap_execve (const char *path, char *const *argv, char *const *environ)
{
  static const struct
  {
    const char *directory;
    int error;
  } gone[] = { { "/stale/", ESTALE }, { "/no-device/", ENODEV }, { "/no-server/", ETIMEDOUT } };

  for (size_t i = 0; without ("mounts") && i < sizeof gone / sizeof *gone; i++)
    if (strncmp (path, gone[i].directory, strlen (gone[i].directory)) == 0)
      {
        errno = gone[i].error;
        return -1;
      }
  return __real_execve (path, argv, environ);
}

/* takeover: the warden ends when its worker does */

void __real_stopper_kill (struct stopper *stopper, int64_t now);
void __wrap_stopper_kill (struct stopper *stopper, int64_t now);

void
__wrap_stopper_kill (struct stopper *stopper, int64_t now)
{
  if (getpid () == warden && without ("takeover"))
    _exit (1);
  __real_stopper_kill (stopper, now);
}
