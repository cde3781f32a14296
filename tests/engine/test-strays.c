/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both halves of a keeper have left, as far as it does not end at once: how long it is waited for.
 * The clock is the test's own, and SIGKILL takes effect when the test says so. That strays are found
 * and ended, and no stranger is, is in tests/faults.
 */
#include "stint-result-private.h"
#include "stint-strays.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define NEVER G_MAXINT64

static gint64 waited;      /* microseconds of the test's clock */
static gint64 takes_until; /* then SIGKILL takes effect */
static GPid killed;        /* by what was withheld so far */
static gboolean interrupts; /* the next wait */

gint64 __real_g_get_monotonic_time (void);
gint64 __wrap_g_get_monotonic_time (void);

gint64
__wrap_g_get_monotonic_time (void)
{
  return __real_g_get_monotonic_time () + waited;
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
  /* Neither does it stand still. */
  if (number == SYS_pidfd_send_signal)
    return 0;
  return __real_syscall (number, a[0], a[1], a[2], a[3]);
}

int __real_poll (struct pollfd *fds, nfds_t n, int timeout);
int __wrap_poll (struct pollfd *fds, nfds_t n, int timeout);

int
__wrap_poll (struct pollfd *fds, nfds_t n, int timeout)
{
  if (interrupts)
    {
      interrupts = FALSE;
      errno = EINTR;
      return -1;
    }
  if (timeout > 0)
    waited += timeout * (G_USEC_PER_SEC / 1000);
  if (waited < takes_until)
    return __real_poll (fds, n, 0);
  kill (killed, SIGKILL);
  return __real_poll (fds, n, -1);
}

static char
state_of (pid_t pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid), *stat = NULL;

  g_assert_true (g_file_get_contents (path, &stat, NULL, NULL));
  return strrchr (stat, ')')[2];
}

/* Returns: what ending @script, which says that it is ready, came to. */
static StintResult *
end_stray (const char *script, char state, gint64 until)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *directory = g_strdup_printf ("/no/such/job/%d", (int) getpid ());
  const char *const argv[] = { "sh", "-c", script, NULL };
  g_auto (GStrv) environ = g_environ_setenv (g_get_environ (), STINT_STRAYS_MARK, directory, TRUE);
  StintResult *result = stint_result_new (STINT_REASON_INTERRUPTED);
  char word[6] = { 0 };
  int in = -1, out = -1;

  g_spawn_async_with_pipes (NULL, (char **) argv, environ,
                            G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_SEARCH_PATH, NULL, NULL, &killed,
                            &in, &out, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (read (out, word, 5), ==, 5);
  g_assert_cmpstr (word, ==, "ready");
  while (state_of (killed) != state)
    g_usleep (1000);

  waited = 0;
  takes_until = until;
  stint_strays_end (directory, STINT_STRAYS_PATIENCE, result);
  kill (killed, SIGKILL);
  g_assert_cmpint (waitpid (killed, NULL, 0), ==, killed);
  close (in);
  close (out);
  return result;
}

/* What only waits for a processor to end on is no survivor: a busy machine may take its time. */
static void
test_busy (void)
{
  g_autoptr (StintResult) result =
      end_stray ("echo ready; while :; do :; done", 'R', 5 * G_USEC_PER_SEC);

  g_assert_cmpuint (result->n_survivors, ==, 0);
  g_assert_cmpuint (result->leftovers, ==, 1);
  g_assert_nonnull (strstr (result->error, "sh ("));
}

/* Though not for ever. */
static void
test_busy_for_ever (void)
{
  g_autoptr (StintResult) result = end_stray ("echo ready; while :; do :; done", 'R', NEVER);

  g_assert_cmpint (waited, >=, 9 * G_USEC_PER_SEC);
  g_assert_cmpint (waited, <, 11 * G_USEC_PER_SEC);
  g_assert_cmpuint (result->n_survivors, ==, 1);
  g_assert_cmpint (result->survivors[0].pid, ==, killed);
  g_assert_cmpuint (result->leftovers, ==, 0);
}

/* What sleeps on is stuck, or not ours to kill, and is not waited for so long. */
static void
test_stuck (void)
{
  g_autoptr (StintResult) result = end_stray ("echo ready; read line", 'S', 5 * G_USEC_PER_SEC);

  g_assert_cmpint (waited, <, 2 * G_USEC_PER_SEC);
  g_assert_cmpuint (result->n_survivors, ==, 1);
  g_assert_cmpstr (result->survivors[0].name, ==, "sh");
  g_assert_cmpuint (result->leftovers, ==, 0);
}

/* A signal to this process says nothing of the stray. */
static void
test_interrupted (void)
{
  g_autoptr (StintResult) result = NULL;

  interrupts = TRUE;
  result = end_stray ("echo ready; read line", 'S', G_USEC_PER_SEC / 2);
  g_assert_false (interrupts);
  g_assert_cmpuint (result->n_survivors, ==, 0);
  g_assert_cmpuint (result->leftovers, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/strays/busy", test_busy);
  g_test_add_func ("/strays/busy-for-ever", test_busy_for_ever);
  g_test_add_func ("/strays/stuck", test_stuck);
  g_test_add_func ("/strays/interrupted", test_interrupted);

  return g_test_run ();
}
