/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Whether a silent job is at work: the judgement on given numbers, and looks at a real process.
 */
#include "activity.h"

#include "clock.h"

#include <glib.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND ((int64_t) 1000000)
#define MSEC ((int64_t) 1000)

static void
test_judgement (void)
{
  const struct
  {
    int64_t used;
    int64_t elapsed;
    bool work;
  } cases[] = {
    { 0, SECOND, false },
    { 20 * MSEC, SECOND, true },        /* a fiftieth */
    { 19 * MSEC, SECOND, false },
    { 10 * MSEC, 100 * MSEC, true },    /* one tick of the clock */
    { 9 * MSEC, 100 * MSEC, false },    /* less than can be measured */
    { 10 * MSEC, 15 * SECOND, false },  /* a cursor that blinks */
    { 300 * MSEC, 15 * SECOND, true },
    { 60 * SECOND, 15 * SECOND, true }, /* four of them at once */
    { -50 * MSEC, SECOND, false },      /* one that nobody waited for has taken its time along */
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (activity_is_work (cases[i].used, cases[i].elapsed), ==, cases[i].work);
}

/* When to look: an eighth of the limit, within bounds; never if it does not matter. */
static void
test_interval (void)
{
  const struct
  {
    bool enabled;
    int64_t idle;
    int64_t next; /* after the begin; 0: never */
  } cases[] = {
    { true, 8 * SECOND, SECOND }, { true, 1, 100 * MSEC }, { true, 3600 * SECOND, 15 * SECOND },
    { true, 0, 0 }, { false, 8 * SECOND, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      struct activity activity;

      activity_start (&activity, cases[i].enabled, 1000 * SECOND, cases[i].idle, 0);
      g_assert_cmpint (activity_next (&activity), ==,
                       cases[i].next > 0 ? 1000 * SECOND + cases[i].next : INT64_MAX);
      g_assert_false (activity_look (&activity, 1000 * SECOND, 0));
      activity_set_idle (&activity, 1000 * SECOND, 0, 0);
      g_assert_cmpint (activity_next (&activity), ==, INT64_MAX);
      activity_clear (&activity);
    }
}

/* What has been reaped counts too: a compiler's passes are short. */
static void
test_reaped (void)
{
  struct activity activity;

  activity_start (&activity, true, 1000 * SECOND, 8 * SECOND, 5 * SECOND);
  g_assert_false (activity_look (&activity, 1001 * SECOND, 5 * SECOND));
  g_assert_true (activity_look (&activity, 1002 * SECOND, 6 * SECOND));
  g_assert_false (activity_look (&activity, 1003 * SECOND, 6 * SECOND));
  activity_clear (&activity);
}

static void
G_GNUC_NORETURN
spin (void)
{
  for (volatile guint i = 0;; i++)
    ;
}

/* A grandchild that computes is work, and none as soon as it is stopped. */
static void
test_tree (void)
{
  struct activity activity;
  pid_t child = fork (), group;
  int64_t now;

  if (child == 0)
    {
      pid_t grandchild;

      setpgid (0, 0);
      prctl (PR_SET_PDEATHSIG, SIGKILL);
      grandchild = fork ();
      if (grandchild == 0)
        {
          prctl (PR_SET_PDEATHSIG, SIGKILL);
          spin ();
        }
      for (;;)
        pause ();
    }
  g_assert_cmpint (child, >, 0);
  setpgid (child, child);
  group = -child;

  activity_start (&activity, true, clock_monotonic (), 8 * SECOND, 0);
  do
    g_usleep (50 * MSEC);
  while (!activity_look (&activity, clock_monotonic (), 0));

  g_assert_cmpint (kill (group, SIGSTOP), ==, 0);
  /* What it used before it was stopped may still be seen, once or twice. */
  do
    g_usleep (50 * MSEC);
  while (activity_look (&activity, clock_monotonic (), 0));
  now = clock_monotonic ();
  g_usleep (200 * MSEC);
  g_assert_false (activity_look (&activity, now + 200 * MSEC, 0));

  g_assert_cmpint (kill (group, SIGCONT), ==, 0);
  do
    g_usleep (50 * MSEC);
  while (!activity_look (&activity, clock_monotonic (), 0));

  kill (group, SIGKILL);
  waitpid (child, NULL, 0);
  activity_clear (&activity);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/activity/judgement", test_judgement);
  g_test_add_func ("/activity/interval", test_interval);
  g_test_add_func ("/activity/reaped", test_reaped);
  g_test_add_func ("/activity/tree", test_tree);
  return g_test_run ();
}
