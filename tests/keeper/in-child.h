/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the tests of processes share: a check that runs in a forked child, a subreaper as the keeper
 * is; descendants to look at and to signal; and ways to wait for a state without sleeping blindly.
 */
#pragma once

#include <glib.h>
#include <stdbool.h>
#include <sys/types.h>

/* Nothing takes this long, on however busy a machine. */
#define IN_CHILD_DEADLINE (60 * G_USEC_PER_SEC)

typedef void (*ChildFunc) (gpointer data);

/* Runs @check in a child that is a subreaper. It must return; what it leaves is killed. */
void in_child (ChildFunc check, gpointer data);

/* Forks @func. Returns: the child's pid, once it has called child_is_ready() or has ended. */
pid_t child_fork (ChildFunc func, gpointer data);
void child_is_ready (void);

/* Waits for ever, at any rate longer than the test. */
_Noreturn void child_rest (void);

/* Repeats @condition until it holds. Returns: whether it did before the deadline. */
bool wait_until (bool (*condition) (gpointer), gpointer data);

/* Returns: the state letter of a process in /proc/PID/stat, or 0 if there is none. */
char process_state (pid_t pid);

/* Returns: whether it is there, and neither stopped nor a zombie. */
bool process_lives (pid_t pid);

/* Waits until it has one of the states in @letters; '-' is for none at all. */
bool wait_for_state (pid_t pid, const char *letters);

/* Waits until it has ended, with all of its threads (a sanitizer has one): a zombie, or gone. */
bool wait_for_end (pid_t pid);

/* Returns: the live children of a process, by /proc; to be freed. An independent way of looking. */
GArray *process_children (pid_t pid);

/* Kills and reaps everything below this process. Returns: how many live ones were found. */
guint kill_descendants (void);

/* Memory that is shared with what is forked from here on. */
gpointer shared_new (gsize size);
void shared_free (gpointer memory, gsize size);
