/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * When the niceness of the two sessions is tried to be set, and when no more, without a kernel that
 * decides. With one: test-keeper-priority.c.
 */
#include "priority.h"
#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

#define LEADER 4711
#define LEADERS_FILE "/proc/4711/autogroup"
#define OWN_FILE "/proc/self/autogroup"
#define START G_GINT64_CONSTANT (1000000)

/* What stands in for the kernel. */
static struct
{
  const char *content; /* of the file */
  int open_error;
  guint n_refusals; /* the next of them are refused */
  int fd;           /* of the file that is open */
  const char *open; /* which one */
  GString *log;     /* "<session>=<what was written>", or "!" for refused */
  bool no_random;
} kernel;

int __real_open64 (const char *path, int flags, ...);
int __wrap_open64 (const char *path, int flags, ...);

int
__wrap_open64 (const char *path, int flags, ...)
{
  mode_t mode;
  va_list arguments;

  va_start (arguments, flags);
  mode = va_arg (arguments, mode_t);
  va_end (arguments);
  if (!g_str_has_suffix (path, "/autogroup"))
    return __real_open64 (path, flags, mode);

  kernel.open = g_str_equal (path, LEADERS_FILE) ? "command" : "another";
  if (g_str_equal (path, OWN_FILE))
    kernel.open = "keeper";
  if (kernel.open_error != 0)
    {
      errno = kernel.open_error;
      return -1;
    }
  kernel.fd = memfd_create ("autogroup", MFD_CLOEXEC);
  g_assert_cmpint (pwrite (kernel.fd, kernel.content, strlen (kernel.content), 0), >=, 0);
  return kernel.fd;
}

ssize_t __real_write (int fd, const void *bytes, size_t size);
ssize_t __wrap_write (int fd, const void *bytes, size_t size);

ssize_t
__wrap_write (int fd, const void *bytes, size_t size)
{
  if (fd != kernel.fd)
    return __real_write (fd, bytes, size);
  if (kernel.n_refusals > 0)
    {
      kernel.n_refusals--;
      g_string_append_printf (kernel.log, "%s! ", kernel.open);
      errno = EAGAIN;
      return -1;
    }
  g_string_append_printf (kernel.log, "%s=%.*s ", kernel.open, (int) size, (const char *) bytes);
  return (ssize_t) size;
}

ssize_t __real_getrandom (void *buffer, size_t size, unsigned flags);
ssize_t __wrap_getrandom (void *buffer, size_t size, unsigned flags);

ssize_t
__wrap_getrandom (void *buffer, size_t size, unsigned flags)
{
  if (!kernel.no_random)
    return __real_getrandom (buffer, size, flags);
  errno = ENOSYS;
  return -1;
}

static void
reset_kernel (void)
{
  if (kernel.log != NULL)
    g_string_free (kernel.log, TRUE);
  memset (&kernel, 0, sizeof kernel);
  kernel.content = "/autogroup-12 nice 0\n";
  kernel.fd = -1;
  kernel.log = g_string_new (NULL);
}

/* Ticks whenever it is due. Returns: how often that was. */
static guint
tick_to_end (struct priority *priority, pid_t leader)
{
  guint n = 0;

  for (; priority_next (priority) != KEEPER_NEVER; n++)
    {
      g_assert_cmpuint (n, <, 1000);
      priority_tick (priority, leader, priority_next (priority));
    }
  return n;
}

static void
assert_log (const char *expected)
{
  g_assert_cmpstr (g_strchomp (kernel.log->str), ==, expected);
  kernel.fd = -1;
}

static void
test_nothing (void)
{
  struct priority zero = { 0 }, priority;

  reset_kernel ();
  g_assert_cmpint (priority_next (&zero), ==, KEEPER_NEVER);
  priority_tick (&zero, LEADER, START);
  for (int niceness = -1; niceness <= 0; niceness++)
    {
      priority_start (&priority, niceness, START);
      g_assert_cmpint (priority_next (&priority), ==, KEEPER_NEVER);
      priority_tick (&priority, LEADER, START);
      g_assert_cmpint (priority_lower_session (niceness), ==, 0);
    }
  g_assert_null (kernel.open);
}

static void
test_both (void)
{
  struct priority priority;

  reset_kernel ();
  priority_start (&priority, 7, START);
  g_assert_cmpint (priority_next (&priority), >=, START + 100000);
  g_assert_cmpint (priority_next (&priority), <=, START + 300000);
  /* Woken for something else. */
  priority_tick (&priority, LEADER, priority_next (&priority) - 1);
  g_assert_null (kernel.open);
  g_assert_cmpuint (tick_to_end (&priority, LEADER), ==, 1);
  assert_log ("command=7 keeper=7");
}

static void
test_most (void)
{
  struct priority priority;

  reset_kernel ();
  priority_start (&priority, 1000, START);
  tick_to_end (&priority, LEADER);
  assert_log ("command=19 keeper=19");
}

/* Only what was refused is tried again, later each time. */
static void
test_refused (void)
{
  struct priority priority;
  gint64 last = START;

  reset_kernel ();
  kernel.n_refusals = 3;
  priority_start (&priority, 7, START);
  for (int i = 1; i <= 4; i++)
    {
      g_assert_cmpint (priority_next (&priority), >=, last + i * 100000);
      g_assert_cmpint (priority_next (&priority), <=, last + i * 300000);
      last = priority_next (&priority);
      /* The write of the one is what the other is refused for. */
      kernel.n_refusals = i < 4 ? 1 : 0;
      priority_tick (&priority, LEADER, last);
    }
  g_assert_cmpint (priority_next (&priority), ==, KEEPER_NEVER);
  assert_log ("command! command! command! command=7 keeper=7");
}

static void
test_give_up (void)
{
  struct priority priority;

  reset_kernel ();
  kernel.n_refusals = G_MAXUINT;
  priority_start (&priority, 7, START);
  g_assert_cmpuint (tick_to_end (&priority, LEADER), ==, 20);
  g_assert_cmpuint (G_MAXUINT - kernel.n_refusals, ==, 20);
}

/* Any other error is the last word for its session; what is not there is not looked for again. */
static void
test_errors (void)
{
  static const int errors[] = { ENOENT, EACCES, EPERM, ESRCH, EROFS };

  for (gsize i = 0; i < G_N_ELEMENTS (errors); i++)
    {
      struct priority priority;

      reset_kernel ();
      kernel.open_error = errors[i];
      priority_start (&priority, 7, START);
      g_assert_cmpuint (tick_to_end (&priority, LEADER), ==, 1);
      g_assert_cmpint (priority_lower_session (7), ==, errors[i]);
    }
}

/* Out of the root's group the kernel has nothing to say, and a command may have set its own. */
static void
test_content (void)
{
  static const char *const contents[] = { "", "/autogroup-12 nice 3\n", "/autogroup-12 nice -3\n",
                                          "nonsense" };

  for (gsize i = 0; i < G_N_ELEMENTS (contents); i++)
    {
      struct priority priority;

      reset_kernel ();
      kernel.content = contents[i];
      priority_start (&priority, 7, START);
      g_assert_cmpuint (tick_to_end (&priority, LEADER), ==, 1);
      g_assert_cmpstr (kernel.open, ==, "keeper");
      assert_log ("");
    }
}

/* Its pid may be another's by now. */
static void
test_no_leader (void)
{
  struct priority priority;

  reset_kernel ();
  priority_start (&priority, 7, START);
  g_assert_cmpuint (tick_to_end (&priority, 0), ==, 1);
  assert_log ("keeper=7");
}

static void
test_no_random (void)
{
  struct priority priority;

  reset_kernel ();
  kernel.no_random = true;
  priority_start (&priority, 7, START);
  g_assert_cmpint (priority_next (&priority), >=, START + 100000);
  g_assert_cmpint (priority_next (&priority), <=, START + 300000);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/priority/nothing", test_nothing);
  g_test_add_func ("/priority/both", test_both);
  g_test_add_func ("/priority/most", test_most);
  g_test_add_func ("/priority/refused", test_refused);
  g_test_add_func ("/priority/give-up", test_give_up);
  g_test_add_func ("/priority/errors", test_errors);
  g_test_add_func ("/priority/content", test_content);
  g_test_add_func ("/priority/no-leader", test_no_leader);
  g_test_add_func ("/priority/no-random", test_no_random);

  return g_test_run ();
}
