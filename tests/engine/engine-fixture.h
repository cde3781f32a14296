/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the engine's tests share: jobs that are run to their end on the real main loop, and looks at
 * the processes they leave.
 */
#pragma once

#include "stint-job-list.h"
#include "stint-job.h"

/* How long a test waits in vain on the busiest of machines. */
#define FIXTURE_PATIENCE_USEC (180 * G_USEC_PER_SEC)

/* Iterates the main context until @condition holds; fails the test when that has lasted too long. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    gint64 wait_deadline_ = g_get_monotonic_time () + FIXTURE_PATIENCE_USEC;                       \
    fixture_start_watchdog ();                                                                     \
    while (!(condition))                                                                           \
      {                                                                                            \
        if (g_get_monotonic_time () > wait_deadline_)                                              \
          g_error ("%s:%d: waited in vain for %s", __FILE__, __LINE__, #condition);                \
        g_main_context_iteration (NULL, TRUE);                                                     \
      }                                                                                            \
  }                                                                                                \
  G_STMT_END

/* Makes the main context turn now and then, so that wait_until() sees its deadline and states that
 * only /proc tells. */
void fixture_start_watchdog (void);

/* (transfer full): a background job of @line. */
StintJobSpec *fixture_shell (const char *line);

/* (transfer full): a job in @list that has been submitted. */
StintJob *fixture_submit (StintJobList *list, StintJobSpec *spec);

/* (transfer full): a list on a scratch store. */
StintJobList *fixture_list (void);

/* Waits until all jobs of @list have ended, been reaped and been saved. */
void fixture_wait_for_all (StintJobList *list);

/* Runs @spec to its end on a list of its own. Returns: (transfer full): the job. */
StintJob *fixture_run (StintJobSpec *spec);

/* (transfer full): what @job wrote to @stream. */
char *fixture_read (StintJob *job, StintStream stream);

/* Waits until @job has written @text. */
void fixture_wait_for_output (StintJob *job, const char *text);

/* Whether a process with this pid is there, a zombie or not. */
gboolean fixture_pid_exists (int pid);

/* The number that follows @name in what @job wrote, such as a pid in "child 123". */
int fixture_read_number (StintJob *job, const char *name);

/* How many children this process has, zombies included. */
guint fixture_count_children (void);

guint fixture_count_descriptors (void);

/* (transfer full): a connection of its own to the bus of @daemon. */
GDBusConnection *fixture_connect_to_bus (GTestDBus *daemon);
