/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Ending a whole tree: SIGTERM once to each, one grace, SIGKILL until nothing is left. In a child
 * that is a subreaper and reaps as the worker does, with a clock of our own.
 */
#include "in-child.h"
#include "stopper.h"

#include <errno.h>
#include <glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define START ((int64_t) 1000000000)
#define SECOND ((int64_t) 1000000)
#define MAX_MEMBERS 8

/* No fork bomb of a test gets larger than this, whatever fails. */
#define MAX_FORKS 2000

struct member
{
  _Atomic pid_t pid;
  _Atomic guint received[NSIG];
};

struct crew
{
  struct member members[MAX_MEMBERS];
  _Atomic guint forks;
  _Atomic guint leave; /* 1: the one that is to leave its group may, 2: it has */
};

static struct crew *crew; /* shared */
static struct member *self;

/* kill() is wrapped by the linker: SIGKILL may be without effect, as for sudo or in the kernel. */
static gboolean without_sigkill;
static gboolean sigkill_is_late; /* sent, and not come yet */

/* What happens just before, and just after, a group is signalled. */
static void (*before_group) (void);
static void (*after_group) (void);

int __real_kill (pid_t pid, int signal);
int __wrap_kill (pid_t pid, int signal);

int
__wrap_kill (pid_t pid, int signal)
{
  if (pid < 0 && before_group != NULL)
    {
      before_group ();
      before_group = NULL;
    }
  if (pid < 0 && after_group != NULL)
    {
      int status = __real_kill (pid, signal);

      after_group ();
      after_group = NULL;
      return status;
    }
  if (sigkill_is_late && signal == SIGKILL)
    return 0;
  if (!without_sigkill || signal != SIGKILL)
    return __real_kill (pid, signal);
  errno = EPERM;
  return -1;
}

/* The members of a job. */

static void
count_signal (int signal)
{
  self->received[signal]++;
}

static void
count_and_exit (int signal)
{
  self->received[signal]++;
  _exit (0);
}

static void
listen_to_signals (guint n, void (*on_term) (int))
{
  self = &crew->members[n];
  signal (SIGHUP, count_signal);
  signal (SIGCONT, count_signal);
  signal (SIGTERM, on_term);
  self->pid = getpid ();
}

enum what
{
  STUBBORN = 1 << 8, /* does not end on SIGTERM */
  OWN_SESSION = 1 << 9,
  OWN_GROUP = 1 << 10,
  WITH_CHILD = 1 << 11, /* has the next member as its child */
  IN_GROUP = 1 << 12,   /* of the first member */
  BUSY = 1 << 13,
};

/* @data: the number of the member, and what it is. */
static void
be_member (gpointer data)
{
  guint what = GPOINTER_TO_UINT (data), n = what & 0xff;

  if (what & OWN_SESSION)
    setsid ();
  if (what & OWN_GROUP)
    setpgid (0, 0);
  if (what & IN_GROUP)
    setpgid (0, crew->members[0].pid);
  listen_to_signals (n, what & STUBBORN ? count_signal : count_and_exit);
  if (what & WITH_CHILD)
    child_fork (be_member, GUINT_TO_POINTER ((n + 1) | (what & STUBBORN)));
  child_is_ready ();
  while (what & BUSY)
    ;
  child_rest ();
}

static pid_t
add_member (guint n, guint what)
{
  return child_fork (be_member, GUINT_TO_POINTER (n | what));
}

static guint
received (guint n, int signal)
{
  return crew->members[n].received[signal];
}

/* Reaps all that has ended, as the worker does. Returns: whether children are left. */
static bool
reap (struct stopper *stopper, int64_t now)
{
  for (;;)
    {
      siginfo_t info = { 0 };

      if (waitid (P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
        return false;
      if (info.si_pid == 0)
        break;
      if (info.si_pid == stopper->leader)
        {
          stopper_leader_ended (stopper, stopper->phase == STOPPER_RESTING);
          waitpid (info.si_pid, NULL, 0);
          stopper->leader = 0;
        }
      else
        {
          waitpid (info.si_pid, NULL, 0);
        }
    }
  if (stopper->phase == STOPPER_KILLING)
    stopper_tick (stopper, now);
  return true;
}

static struct stopper *running_down;

static bool
is_empty (gpointer data)
{
  return !reap (running_down, *(int64_t *) data);
}

/* Returns: whether everything ended, without the clock going on. */
static bool
run_down (struct stopper *stopper, int64_t now)
{
  running_down = stopper;
  return wait_until (is_empty, &now);
}

static bool
has_received (gpointer data)
{
  guint what = GPOINTER_TO_UINT (data);

  return received (what & 0xff, (int) (what >> 8)) > 0;
}

static void
await_signal (guint n, int signal)
{
  g_assert_true (wait_until (has_received, GUINT_TO_POINTER (n | (guint) signal << 8)));
}

static void
check_terminate (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | WITH_CHILD);

  add_member (2, OWN_SESSION | WITH_CHILD);
  add_member (4, OWN_GROUP);
  stopper_init (&stopper, leader, false);
  g_assert_cmpint (stopper_next (&stopper), ==, KEEPER_NEVER);
  stopper_terminate (&stopper, START, 5 * SECOND);
  g_assert_cmpint (stopper_next (&stopper), ==, START + 5 * SECOND);
  g_assert_true (run_down (&stopper, START));
  for (guint n = 0; n <= 4; n++)
    {
      g_assert_cmpuint (received (n, SIGTERM), ==, 1);
      g_assert_cmpuint (received (n, SIGHUP), ==, 0);
    }
  g_assert_false (stopper.escalated);
  g_assert_cmpuint (stopper.leftovers, ==, 0);
  stopper_clear (&stopper);
}

/* Asked twenty times, each process gets one SIGTERM, and there is one grace. */
static void
check_terminate_again (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN | WITH_CHILD);

  add_member (2, OWN_SESSION | STUBBORN);
  stopper_init (&stopper, leader, false);
  for (int i = 0; i < 20; i++)
    {
      stopper_terminate (&stopper, START + i * SECOND, 60 * SECOND);
      stopper_ask_newcomers (&stopper);
      stopper_tick (&stopper, START + i * SECOND);
    }
  for (guint n = 0; n <= 2; n++)
    {
      await_signal (n, SIGTERM);
      await_signal (n, SIGCONT);
      g_assert_cmpuint (received (n, SIGTERM), ==, 1);
    }
  g_assert_cmpint (stopper_next (&stopper), ==, START + 60 * SECOND);

  /* A shorter grace ends earlier, a longer one changes nothing. */
  stopper_terminate (&stopper, START + 20 * SECOND, 10 * SECOND);
  g_assert_cmpint (stopper_next (&stopper), ==, START + 30 * SECOND);
  stopper_terminate (&stopper, START + 21 * SECOND, KEEPER_NEVER);
  g_assert_cmpint (stopper_next (&stopper), ==, START + 30 * SECOND);
  g_assert_false (stopper.escalated);

  stopper_tick (&stopper, START + 30 * SECOND - 1);
  g_assert_cmpint (stopper.phase, ==, STOPPER_TERMINATING);
  stopper_tick (&stopper, START + 30 * SECOND);
  g_assert_cmpint (stopper.phase, ==, STOPPER_KILLING);
  g_assert_true (stopper.escalated);
  g_assert_true (run_down (&stopper, START + 30 * SECOND));
  stopper_clear (&stopper);
}

/* Without a grace, and with one that never ends. */
static void
check_grace_edges (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN);

  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, KEEPER_NEVER);
  g_assert_cmpint (stopper_next (&stopper), ==, KEEPER_NEVER);
  stopper_tick (&stopper, KEEPER_NEVER - 1);
  g_assert_cmpint (stopper.phase, ==, STOPPER_TERMINATING);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);

  leader = add_member (1, OWN_SESSION | STUBBORN);
  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, 0);
  g_assert_cmpint (stopper.phase, ==, STOPPER_KILLING);
  g_assert_true (run_down (&stopper, START));
  g_assert_cmpuint (received (1, SIGTERM), ==, 0);
  stopper_clear (&stopper);
}

/* On a terminal: SIGHUP for every group of its session, and for no other session. */
static void
check_terminal (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN | WITH_CHILD);
  pid_t daemon = add_member (2, OWN_SESSION | STUBBORN);

  (void) daemon;
  stopper_init (&stopper, leader, true);
  stopper_terminate (&stopper, START, 60 * SECOND);
  for (guint n = 0; n <= 2; n++)
    await_signal (n, SIGTERM);
  await_signal (0, SIGHUP);
  await_signal (1, SIGHUP);
  await_signal (2, SIGCONT);
  g_assert_cmpuint (received (0, SIGHUP), ==, 1);
  g_assert_cmpuint (received (1, SIGHUP), ==, 1);
  g_assert_cmpuint (received (2, SIGHUP), ==, 0);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);
}

static void
be_shell (gpointer data)
{
  setsid ();
  listen_to_signals (0, count_signal);
  add_member (1, OWN_GROUP | STUBBORN);
  child_is_ready ();
  child_rest ();
}

static void
check_groups_of_session (gpointer data)
{
  struct stopper stopper;
  pid_t leader = child_fork (be_shell, NULL);

  stopper_init (&stopper, leader, true);
  stopper_terminate (&stopper, START, 60 * SECOND);
  await_signal (1, SIGHUP);
  await_signal (1, SIGTERM);
  g_assert_cmpuint (received (1, SIGTERM), ==, 1);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);
}

static void
be_leaver (gpointer data)
{
  listen_to_signals (1, count_and_exit);
  child_is_ready ();
  while (crew->leave == 0)
    g_usleep (1000);
  setsid ();
  crew->leave = 2;
  child_rest ();
}

static void
be_leader_of_leaver (gpointer data)
{
  setsid ();
  listen_to_signals (0, count_and_exit);
  child_fork (be_leaver, NULL);
  child_is_ready ();
  child_rest ();
}

static bool
has_left (gpointer data)
{
  return crew->leave == 2;
}

static void
let_leave (void)
{
  crew->leave = 1;
  g_assert_true (wait_until (has_left, NULL));
}

/* It goes to a session of its own after it was seen in the group, and before the group is signalled. */
static void
check_leaves_group (gpointer data)
{
  struct stopper stopper;
  pid_t leader = child_fork (be_leader_of_leaver, NULL);

  before_group = let_leave;
  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, 60 * SECOND);
  g_assert_true (run_down (&stopper, START));
  g_assert_cmpuint (received (1, SIGTERM), ==, 1);
  g_assert_cmpint (stopper.phase, ==, STOPPER_TERMINATING);
  stopper_clear (&stopper);
}

static void
check_newcomers (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN);

  stopper_init (&stopper, leader, false);
  add_member (1, STUBBORN);
  stopper_ask_newcomers (&stopper);
  g_assert_cmpuint (received (1, SIGTERM), ==, 0);

  stopper_terminate (&stopper, START, 60 * SECOND);
  await_signal (1, SIGTERM);
  add_member (2, STUBBORN);
  stopper_ask_newcomers (&stopper);
  await_signal (2, SIGTERM);
  g_assert_cmpuint (received (1, SIGTERM), ==, 1);
  g_assert_cmpuint (received (2, SIGTERM), ==, 1);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);
}

static void
answer (void)
{
  add_member (1, IN_GROUP | STUBBORN);
  add_member (2, STUBBORN);
}

/* What a trap runs to tidy up may do so, until the leader itself has ended; what is elsewhere may have
 * been missed. */
static void
check_answer (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_GROUP | STUBBORN);

  after_group = answer;
  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, 60 * SECOND);
  await_signal (2, SIGTERM);
  /* Its handler runs after that of any SIGTERM that was sent before. */
  kill (crew->members[1].pid, SIGHUP);
  await_signal (1, SIGHUP);
  g_assert_cmpuint (received (1, SIGTERM), ==, 0);

  stopper_ask_newcomers (&stopper);
  await_signal (1, SIGTERM);
  g_assert_cmpuint (received (0, SIGTERM), ==, 1);
  g_assert_cmpuint (received (2, SIGTERM), ==, 1);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);
}

static void
check_kill (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN | WITH_CHILD);

  add_member (2, OWN_SESSION | STUBBORN | WITH_CHILD);
  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, START);
  stopper_kill (&stopper, START + SECOND / 2);
  g_assert_cmpint (stopper.give_up_at, ==, START + SECOND);
  g_assert_true (run_down (&stopper, START));
  for (guint n = 0; n <= 3; n++)
    g_assert_cmpuint (received (n, SIGTERM), ==, 0);
  g_assert_false (stopper.escalated);
  stopper_clear (&stopper);
}

/* What was killed together with the command is no leftover of it, whichever is reaped first. */
static void
check_kill_leaves_nothing (gpointer data)
{
  for (int i = 0; i < 100; i++)
    {
      struct stopper stopper;
      pid_t leader = add_member (0, OWN_SESSION | STUBBORN | WITH_CHILD);

      for (guint n = 2; n < MAX_MEMBERS; n++)
        add_member (n, OWN_SESSION | STUBBORN);
      stopper_init (&stopper, leader, false);
      stopper_kill (&stopper, START);
      g_assert_true (run_down (&stopper, START));
      g_assert_cmpuint (stopper.leftovers, ==, 0);
      stopper_clear (&stopper);
    }
}

/* Stopped processes keep SIGTERM pending: they are woken for it. */
static void
check_stopped (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | WITH_CHILD);
  pid_t daemon = add_member (2, OWN_SESSION);

  for (guint n = 0; n <= 1; n++)
    kill (crew->members[n].pid, SIGSTOP);
  kill (daemon, SIGSTOP);
  g_assert_true (wait_for_state (leader, "T") && wait_for_state (daemon, "T") &&
                 wait_for_state (crew->members[1].pid, "T"));
  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, 60 * SECOND);
  g_assert_true (run_down (&stopper, START));
  for (guint n = 0; n <= 2; n++)
    g_assert_cmpuint (received (n, SIGTERM), ==, 1);
  stopper_clear (&stopper);
}

static void
be_leader_of_stubborn (gpointer data)
{
  setsid ();
  listen_to_signals (0, count_and_exit);
  add_member (1, STUBBORN);
  child_is_ready ();
  child_rest ();
}

static bool
is_reaped (gpointer data)
{
  reap (data, START);
  return ((struct stopper *) data)->leader == 0;
}

/* The leader ends on SIGTERM, its child does not: the grace goes on, and SIGKILL reaches it. */
static void
check_leader_first (gpointer data)
{
  struct stopper stopper;
  pid_t leader = child_fork (be_leader_of_stubborn, NULL);

  stopper_init (&stopper, leader, false);
  stopper_terminate (&stopper, START, 5 * SECOND);
  g_assert_true (wait_until (is_reaped, &stopper));
  await_signal (1, SIGTERM);
  g_assert_true (process_lives (crew->members[1].pid));
  g_assert_cmpint (stopper_next (&stopper), ==, START + 5 * SECOND);
  stopper_tick (&stopper, START + 5 * SECOND);
  g_assert_true (run_down (&stopper, START + 5 * SECOND));
  g_assert_true (stopper.escalated);
  g_assert_cmpuint (stopper.leftovers, ==, 1);
  stopper_clear (&stopper);
}

static void
exit_leaving_two (gpointer data)
{
  setsid ();
  add_member (1, STUBBORN);
  add_member (2, OWN_SESSION);
}

static void
check_leftovers (gpointer data)
{
  for (int count = 0; count <= 1; count++)
    {
      struct stopper stopper;
      pid_t leader = child_fork (exit_leaving_two, NULL);

      g_assert_true (wait_for_end (leader));
      stopper_init (&stopper, leader, false);
      g_assert_cmpuint (stopper_leader_ended (&stopper, count), ==, 2);
      g_assert_cmpuint (stopper.leftovers, ==, count ? 2 : 0);
      /* The group is reached though its leader is a zombie. */
      stopper_terminate (&stopper, START, 5 * SECOND);
      await_signal (1, SIGTERM);
      waitpid (leader, NULL, 0);
      stopper.leader = 0;
      stopper_tick (&stopper, START + 5 * SECOND);
      g_assert_true (run_down (&stopper, START + 5 * SECOND));
      if (count)
        g_assert_cmpuint (stopper.leftovers, ==, 2);
      stopper_clear (&stopper);
    }
}

/* Fork bombs. */

static void be_bomber (gpointer data);

static void
fork_bomber (guint depth)
{
  if (crew->forks++ < MAX_FORKS && fork () == 0)
    {
      be_bomber (GUINT_TO_POINTER (depth));
      _exit (0);
    }
}

/* Ignores all there is to ignore, and for each child that ends it makes two. */
static void
be_bomber (gpointer data)
{
  guint depth = GPOINTER_TO_UINT (data);

  signal (SIGTERM, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  if (depth & 1)
    setsid ();
  if (depth < 6)
    for (int i = 0; i < 2; i++)
      fork_bomber (depth + 1);
  child_is_ready ();
  while (waitpid (-1, NULL, 0) > 0 || errno == EINTR)
    for (int i = 0; i < 2; i++)
      fork_bomber (depth);
  child_rest ();
}

static bool
has_grown (gpointer data)
{
  return crew->forks >= 30;
}

static void
check_fork_bomb (gpointer data)
{
  struct stopper stopper;
  pid_t leader = child_fork (be_bomber, GUINT_TO_POINTER (1));
  guint before;

  g_assert_true (wait_until (has_grown, NULL));
  before = crew->forks;
  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  g_test_message ("%u forks before, %u after", before, crew->forks);
  /* What stands still when it is killed forks no more. */
  g_assert_cmpuint (crew->forks, <, before + 60);
  stopper_clear (&stopper);
}

static void
be_racer (gpointer data)
{
  setsid ();
  signal (SIGCHLD, SIG_IGN);
  child_is_ready ();
  /* Moves on to a new process again and again. */
  while (crew->forks++ < 100000)
    {
      pid_t pid = fork ();

      if (pid > 0)
        _exit (0);
    }
  child_rest ();
}

/* A process that is always another one is caught all the same. */
static void
check_racer (gpointer data)
{
  struct stopper stopper;
  pid_t leader = child_fork (be_racer, NULL);

  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, START);
  g_assert_true (run_down (&stopper, START));
  g_assert_cmpuint (crew->forks, <, 100000);
  stopper_clear (&stopper);
}

static void
check_pause (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | WITH_CHILD), newcomer;

  add_member (2, OWN_SESSION);
  stopper_init (&stopper, leader, false);
  stopper_pause (&stopper);
  for (guint n = 0; n <= 2; n++)
    g_assert_true (wait_for_state (crew->members[n].pid, "T"));

  newcomer = add_member (3, 0);
  stopper_pause (&stopper);
  g_assert_true (wait_for_state (newcomer, "T"));

  for (int i = 0; i < 2; i++)
    {
      stopper_resume (&stopper);
      for (guint n = 0; n <= 3; n++)
        g_assert_true (wait_for_state (crew->members[n].pid, "SR"));
      stopper_pause (&stopper);
      for (guint n = 0; n <= 3; n++)
        g_assert_true (wait_for_state (crew->members[n].pid, "T"));
    }

  /* Paused, it can be asked to end. */
  stopper_terminate (&stopper, START, 60 * SECOND);
  g_assert_true (run_down (&stopper, START));
  stopper_clear (&stopper);
}

/* What cannot be killed is named, and not waited for. */
static void
check_give_up (gpointer data)
{
  struct stopper stopper;
  struct keeper_survivor survivors[KEEPER_MAX_SURVIVORS];
  int64_t now = START;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN), other = add_member (1, STUBBORN);

  without_sigkill = TRUE;
  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, now);
  while (stopper_next (&stopper) != KEEPER_NEVER && now <= START + 2 * SECOND)
    {
      now = stopper_next (&stopper);
      g_assert_cmpint (stopper.phase, ==, STOPPER_KILLING);
      stopper_tick (&stopper, now);
    }
  g_assert_cmpint (stopper.phase, ==, STOPPER_GAVE_UP);
  g_assert_cmpint (now, ==, START + SECOND);
  g_assert_cmpuint (stopper_name_survivors (&stopper, survivors), ==, 2);
  g_assert_true (survivors[0].pid == leader || survivors[1].pid == leader);
  g_assert_true (survivors[0].pid == other || survivors[1].pid == other);
  g_assert_cmpuint (strnlen (survivors[0].name, sizeof survivors[0].name), >, 0);
  without_sigkill = FALSE;
  stopper_clear (&stopper);
}

/* Who is killed and waits for a processor to end on is no survivor: on a busy machine that takes its time,
 * though not for ever. The control is check_give_up(): who sleeps on is given up. */
static void
check_wait_for_processor (gpointer data)
{
  struct stopper stopper;
  int64_t now = START;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN | BUSY);

  sigkill_is_late = TRUE;
  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, now);
  now = START + 5 * SECOND;
  stopper_tick (&stopper, now);
  g_assert_cmpint (stopper.phase, ==, STOPPER_KILLING);
  g_assert_cmpint (stopper_next (&stopper), <, KEEPER_NEVER);
  now = START + 10 * SECOND;
  stopper_tick (&stopper, now);
  g_assert_cmpint (stopper.phase, ==, STOPPER_GAVE_UP);
  sigkill_is_late = FALSE;
  stopper_clear (&stopper);
}

/* Who could not be reached yet is killed, and not given up, though it is late: the keeper had no turn
 * meanwhile. */
static void
check_found_late (gpointer data)
{
  struct stopper stopper;
  pid_t leader = add_member (0, OWN_SESSION | STUBBORN), late;

  stopper_init (&stopper, leader, false);
  stopper_kill (&stopper, START);
  late = add_member (1, OWN_SESSION | STUBBORN);
  g_assert_true (wait_for_state (late, "S"));
  stopper_tick (&stopper, START + 5 * SECOND);
  g_assert_cmpint (stopper.phase, ==, STOPPER_KILLING);
  g_assert_true (run_down (&stopper, START + 5 * SECOND));
  stopper_clear (&stopper);
}

/* More than fit are not written. */
static void
check_many_survivors (gpointer data)
{
  struct stopper stopper;
  struct keeper_survivor survivors[KEEPER_MAX_SURVIVORS + 1] = { 0 };

  for (int i = 0; i < KEEPER_MAX_SURVIVORS + 5; i++)
    add_member (0, STUBBORN);
  stopper_init (&stopper, 0, false);
  g_assert_cmpuint (stopper_name_survivors (&stopper, survivors), ==, KEEPER_MAX_SURVIVORS);
  g_assert_cmpint (survivors[KEEPER_MAX_SURVIVORS].pid, ==, 0);
  stopper_clear (&stopper);
}

static void
test_in_child (gconstpointer check)
{
  crew = shared_new (sizeof *crew);
  in_child ((ChildFunc) check, NULL);
  shared_free (crew, sizeof *crew);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/keeper/stopper/terminate", check_terminate, test_in_child);
  g_test_add_data_func ("/keeper/stopper/terminate-again", check_terminate_again, test_in_child);
  g_test_add_data_func ("/keeper/stopper/grace-edges", check_grace_edges, test_in_child);
  g_test_add_data_func ("/keeper/stopper/terminal", check_terminal, test_in_child);
  g_test_add_data_func ("/keeper/stopper/groups-of-session", check_groups_of_session,
                        test_in_child);
  g_test_add_data_func ("/keeper/stopper/newcomers", check_newcomers, test_in_child);
  g_test_add_data_func ("/keeper/stopper/answer", check_answer, test_in_child);
  g_test_add_data_func ("/keeper/stopper/kill", check_kill, test_in_child);
  g_test_add_data_func ("/keeper/stopper/stopped", check_stopped, test_in_child);
  g_test_add_data_func ("/keeper/stopper/leader-first", check_leader_first, test_in_child);
  g_test_add_data_func ("/keeper/stopper/leftovers", check_leftovers, test_in_child);
  g_test_add_data_func ("/keeper/stopper/fork-bomb", check_fork_bomb, test_in_child);
  g_test_add_data_func ("/keeper/stopper/racer", check_racer, test_in_child);
  g_test_add_data_func ("/keeper/stopper/pause", check_pause, test_in_child);
  g_test_add_data_func ("/keeper/stopper/give-up", check_give_up, test_in_child);
  g_test_add_data_func ("/keeper/stopper/wait-for-processor", check_wait_for_processor,
                        test_in_child);
  g_test_add_data_func ("/keeper/stopper/found-late", check_found_late, test_in_child);
  g_test_add_data_func ("/keeper/stopper/many-survivors", check_many_survivors, test_in_child);
  g_test_add_data_func ("/keeper/stopper/leaves-group", check_leaves_group, test_in_child);
  g_test_add_data_func ("/keeper/stopper/kill-leaves-nothing", check_kill_leaves_nothing,
                        test_in_child);

  return g_test_run ();
}
