/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A process is told from every other, and a dead one from a live one.
 */
#include "config.h"

#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stint-owner.h"

static void
test_self (void)
{
  StintOwner owner;

  stint_owner_init_self (&owner);
  g_assert_cmpint (owner.pid, ==, getpid ());
  g_assert_cmpuint (owner.start_time, >, 0);
  g_assert_cmpuint (strlen (owner.boot_id), ==, 36);
  g_assert_true (stint_owner_is_alive (&owner));
}

static void
test_others (void)
{
  StintOwner self, other;

  stint_owner_init_self (&self);
  other = self;
  other.start_time++;
  g_assert_false (stint_owner_is_alive (&other));
  other = self;
  other.boot_id[0] = other.boot_id[0] == '0' ? '1' : '0';
  g_assert_false (stint_owner_is_alive (&other));
  other = self;
  other.boot_id[0] = '\0';
  g_assert_false (stint_owner_is_alive (&other));
  other = self;
  other.pid = 0;
  g_assert_false (stint_owner_is_alive (&other));
  other = self;
  other.pid = -1;
  g_assert_false (stint_owner_is_alive (&other));
}

/* The name in /proc/PID/stat may look like the rest of the line. */
static void
test_odd_name (void)
{
  StintOwner before, owner;
  char name[16];

  stint_owner_init_self (&before);
  g_assert_no_errno (prctl (PR_GET_NAME, name));
  g_assert_no_errno (prctl (PR_SET_NAME, "x) Z 1 (y z"));
  stint_owner_init_self (&owner);
  g_assert_true (stint_owner_is_alive (&owner));
  g_assert_cmpuint (owner.start_time, ==, before.start_time);
  g_assert_no_errno (prctl (PR_SET_NAME, name));
}

/* Nobody may ever reap it. */
static void
test_zombie (void)
{
  int to_child[2], from_child[2];
  StintOwner owner;
  siginfo_t info;
  pid_t pid;

  g_assert_no_errno (pipe (to_child));
  g_assert_no_errno (pipe (from_child));
  pid = fork ();
  if (pid == 0)
    {
      stint_owner_init_self (&owner);
      if (write (from_child[1], &owner, sizeof owner) != sizeof owner)
        _exit (1);
      close (to_child[1]);
      _exit (read (to_child[0], &owner, 1) == 0 ? 0 : 1);
    }
  g_assert_cmpint (read (from_child[0], &owner, sizeof owner), ==, sizeof owner);
  g_assert_cmpint (owner.pid, ==, pid);
  g_assert_true (stint_owner_is_alive (&owner));

  close (to_child[1]);
  g_assert_no_errno (waitid (P_PID, (id_t) pid, &info, WEXITED | WNOWAIT));
  g_assert_false (stint_owner_is_alive (&owner));
  g_assert_cmpint (waitpid (pid, NULL, 0), ==, pid);
  g_assert_false (stint_owner_is_alive (&owner));
  close (to_child[0]);
  close (from_child[0]);
  close (from_child[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/owner/self", test_self);
  g_test_add_func ("/owner/others", test_others);
  g_test_add_func ("/owner/odd-name", test_odd_name);
  g_test_add_func ("/owner/zombie", test_zombie);
  return g_test_run ();
}
