/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The walk over a job's processes finds each of them, whatever it does to get away, and a signal
 * reaches who was meant or nobody.
 */
#include "in-child.h"
#include "tree.h"
#include "worker-private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* kill() is wrapped by the linker: the next one is refused. */
static gboolean refuse_kill;
static guint n_kills;

int __real_kill (pid_t pid, int signal);
int __wrap_kill (pid_t pid, int signal);

int
__wrap_kill (pid_t pid, int signal)
{
  n_kills++;
  if (!refuse_kill)
    return __real_kill (pid, signal);
  errno = EPERM;
  return -1;
}

/* What happens just before the walk looks at something of this name, the first time. */
static char *moment;
static pid_t dies_then;
static pid_t becomes_then; /* its id is that one's then; 0: nobody's yet */

/* Returns: whether it was the moment. */
static gboolean
await_moment (const char *path)
{
  if (g_strcmp0 (path, moment) != 0)
    return FALSE;
  g_clear_pointer (&moment, g_free);
  kill (dies_then, SIGKILL);
  g_assert_true (wait_for_end (dies_then));
  return TRUE;
}

int __real_open64 (const char *path, int flags, ...);
int __wrap_open64 (const char *path, int flags, ...);
DIR *__real_opendir (const char *path);
DIR *__wrap_opendir (const char *path);

int
__wrap_open64 (const char *path, int flags, ...)
{
  await_moment (path);
  return __real_open64 (path, flags);
}

DIR *
__wrap_opendir (const char *path)
{
  g_autofree char *other = NULL;

  if (await_moment (path) && becomes_then != 0)
    {
      g_assert_cmpint (waitpid (dies_then, NULL, 0), ==, dies_then);
      other = g_strdup_printf ("/proc/%d/task", becomes_then);
    }
  return __real_opendir (other != NULL ? other : path);
}

/* Who the processes of a test are, in shared memory. */
struct family
{
  _Atomic pid_t child;
  _Atomic pid_t grandchild;
  _Atomic pid_t daemon;
  _Atomic guint signals;
};

static struct tree_process *
find (const struct tree *tree, pid_t pid)
{
  for (size_t i = 0; i < tree->n; i++)
    if (tree->processes[i].pid == pid)
      return &tree->processes[i];
  return NULL;
}

static void
rest (gpointer data)
{
  child_is_ready ();
  child_rest ();
}

static void
check_empty (gpointer data)
{
  struct tree tree = { 0 };

  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_cmpuint (tree.n, ==, 0);
  tree_clear (&tree);
}

static void
be_grandchild (gpointer data)
{
  struct family *family = data;

  family->grandchild = getpid ();
  setsid ();
  child_is_ready ();
  child_rest ();
}

static void
be_daemon (gpointer data)
{
  struct family *family = data;

  family->daemon = getpid ();
  for (int fd = 3; fd < 100; fd++)
    close (fd);
  close (0);
  close (1);
  close (2);
  child_rest ();
}

/* Forks twice, in a session of its own, and closes everything. */
static void
be_daemons_parent (gpointer data)
{
  struct family *family = data;

  setsid ();
  if (fork () == 0)
    be_daemon (data);
  while (family->daemon == 0)
    g_usleep (1000);
}

static void
be_child (gpointer data)
{
  child_fork (be_grandchild, data);
  rest (data);
}

static void
make_family (struct family *family)
{
  pid_t parent;

  family->child = child_fork (be_child, family);
  parent = child_fork (be_daemons_parent, family);
  g_assert_cmpint (waitpid (parent, NULL, 0), ==, parent);
}

static void
assert_sorted (const struct tree *tree)
{
  for (size_t i = 1; i < tree->n; i++)
    g_assert_cmpint (tree->processes[i - 1].pid, <, tree->processes[i].pid);
}

static void
check_family (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };
  struct tree_process *process;

  make_family (family);
  g_assert_cmpuint (tree_walk (&tree), ==, 3);
  g_assert_cmpuint (tree.n, ==, 3);
  assert_sorted (&tree);

  process = find (&tree, family->child);
  g_assert_nonnull (process);
  g_assert_cmpint (process->parent, ==, getpid ());
  g_assert_cmpint (process->group, ==, getpgrp ());
  g_assert_cmpint (process->session, ==, getsid (0));

  process = find (&tree, family->grandchild);
  g_assert_nonnull (process);
  g_assert_cmpint (process->parent, ==, family->child);
  g_assert_cmpint (process->session, ==, family->grandchild);
  g_assert_cmpint (process->group, ==, family->grandchild);

  /* It cannot get away: we are a subreaper. */
  process = find (&tree, family->daemon);
  g_assert_nonnull (process);
  g_assert_cmpint (process->parent, ==, getpid ());
  g_assert_cmpint (process->session, !=, getsid (0));

  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_cmpuint (tree.n, ==, 3);
  tree_clear (&tree);
}

/* The control: without it the daemon is out of reach. */
static void
check_without_subreaper (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };

  prctl (PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  make_family (family);
  tree_walk (&tree);
  g_assert_cmpuint (tree.n, ==, 2);
  g_assert_null (find (&tree, family->daemon));
  tree_clear (&tree);
}

static void
exit_at_once (gpointer data)
{
}

static void
check_zombies (gpointer data)
{
  struct tree tree = { 0 };
  pid_t pid = child_fork (exit_at_once, NULL);

  g_assert_true (wait_for_end (pid));
  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_cmpuint (tree.n, ==, 0);
  tree_clear (&tree);
}

static void
rest_with_name (gpointer data)
{
  prctl (PR_SET_NAME, data);
  rest (data);
}

/* The name is anybody's choice; what follows it in /proc/PID/stat has to be found all the same. */
static void
check_names (gpointer data)
{
  static const char *const names[] = {
    ") (",           ") Z 1 1 1", "a b c",  "((((((((((((((", "))))))))))))))",
    ") R 1 2 3 (x)", "",          "\n)\n", "\xff\xfe)",
  };
  struct tree tree = { 0 };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    {
      pid_t pid = child_fork (rest_with_name, (gpointer) names[i]);
      struct tree_process *process;

      tree_walk (&tree);
      process = find (&tree, pid);
      g_assert_nonnull (process);
      g_assert_cmpint (process->parent, ==, getpid ());
      g_assert_cmpint (process->group, ==, getpgrp ());
      g_assert_cmpuint (process->start, >, 0);
      g_assert_cmpmem (process->name, strlen (process->name), names[i], strlen (names[i]));
    }
  g_assert_cmpuint (tree.n, ==, G_N_ELEMENTS (names));
  tree_clear (&tree);
}

static void *
fork_in_thread (void *data)
{
  struct family *family = data;

  family->child = child_fork (rest, NULL);
  for (;;)
    pause ();
  return NULL;
}

/* Its first thread ends, another one runs on and has children: it is no zombie. */
static void
be_headless (gpointer data)
{
  struct family *family = data;
  pthread_t thread;

  g_assert_cmpint (pthread_create (&thread, NULL, fork_in_thread, family), ==, 0);
  while (family->child == 0)
    g_usleep (1000);
  child_is_ready ();
  pthread_exit (NULL);
}

static void
check_threads (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };
  pid_t headless = child_fork (be_headless, family);

  g_assert_true (wait_for_state (headless, "Z"));
  tree_walk (&tree);
  g_assert_cmpuint (tree.n, ==, 2);
  g_assert_nonnull (find (&tree, headless));
  g_assert_nonnull (find (&tree, family->child));
  g_assert_cmpint (find (&tree, family->child)->parent, ==, headless);
  tree_clear (&tree);
}

/* More than one read of /proc/PID/task/TID/children can give. */
static void
check_many (gpointer data)
{
  enum { N = 1500 };
  struct tree tree = { 0 };
  pid_t pids[N];

  for (gsize i = 0; i < N; i++)
    {
      pids[i] = fork ();
      g_assert_cmpint (pids[i], >=, 0);
      if (pids[i] == 0)
        child_rest ();
    }
  g_assert_cmpuint (tree_walk (&tree), ==, N);
  assert_sorted (&tree);
  for (gsize i = 0; i < N; i++)
    g_assert_nonnull (find (&tree, pids[i]));
  tree_clear (&tree);
}

static void
be_chain (gpointer data)
{
  if (GPOINTER_TO_UINT (data) > 1)
    child_fork (be_chain, GUINT_TO_POINTER (GPOINTER_TO_UINT (data) - 1));
  rest (NULL);
}

static void
check_deep (gpointer data)
{
  struct tree tree = { 0 };

  child_fork (be_chain, GUINT_TO_POINTER (200));
  g_assert_cmpuint (tree_walk (&tree), ==, 200);
  tree_clear (&tree);
}

static void
check_marks (gpointer data)
{
  struct tree tree = { 0 };
  pid_t first = child_fork (rest, NULL), second = child_fork (rest, NULL);

  g_assert_cmpuint (tree_walk (&tree), ==, 2);
  find (&tree, first)->sent = TREE_SENT_TERM;
  find (&tree, second)->denied = true;
  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_cmpuint (find (&tree, first)->sent, ==, TREE_SENT_TERM);
  g_assert_cmpuint (find (&tree, second)->sent, ==, 0);
  g_assert_true (find (&tree, second)->denied);

  /* The same pid, another process. */
  find (&tree, first)->start--;
  g_assert_cmpuint (tree_walk (&tree), ==, 1);
  g_assert_cmpuint (find (&tree, first)->sent, ==, 0);

  kill (second, SIGKILL);
  g_assert_true (wait_for_end (second));
  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_cmpuint (tree.n, ==, 1);
  tree_clear (&tree);
}

static void
check_signal (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };

  make_family (family);
  tree_walk (&tree);
  g_assert_true (tree_signal (find (&tree, family->child), SIGSTOP));
  g_assert_true (wait_for_state (family->child, "T"));
  g_assert_true (tree_signal (find (&tree, family->grandchild), SIGKILL));
  g_assert_true (wait_for_end (family->grandchild));
  g_assert_true (tree_signal (find (&tree, family->daemon), SIGKILL));
  g_assert_true (wait_for_end (family->daemon));

  /* Gone meanwhile. */
  g_assert_false (tree_signal (find (&tree, family->grandchild), SIGKILL) &&
                  kill (family->grandchild, 0) < 0);
  tree_clear (&tree);
}

/* The parent dies between the walk and the signal: still ours, and still the same. */
static void
check_signal_orphan (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };

  make_family (family);
  tree_walk (&tree);
  kill (family->child, SIGKILL);
  g_assert_cmpint (waitpid (family->child, NULL, 0), ==, family->child);
  g_assert_true (tree_signal (find (&tree, family->grandchild), SIGKILL));
  g_assert_true (wait_for_end (family->grandchild));
  tree_clear (&tree);
}

static struct tree_process
changed (const struct tree *tree, pid_t pid, uint64_t start, int32_t parent)
{
  struct tree_process process = *find (tree, pid);

  process.start = start != 0 ? start : process.start;
  process.parent = parent != 0 ? parent : process.parent;
  return process;
}

/* A pid that has come round, to another process or to one that is none of ours. */
static void
check_strangers (gpointer data)
{
  struct family *family = data;
  struct tree tree = { 0 };
  struct tree_process process;

  make_family (family);
  tree_walk (&tree);

  process = changed (&tree, family->grandchild, find (&tree, family->grandchild)->start + 1, 0);
  g_assert_false (tree_signal (&process, SIGKILL));
  process = changed (&tree, family->grandchild, 0, family->daemon);
  g_assert_false (tree_signal (&process, SIGKILL));
  process = changed (&tree, family->grandchild, 0, 1);
  g_assert_false (tree_signal (&process, SIGKILL));
  g_assert_false (process.denied);
  g_assert_true (process_lives (family->grandchild));

  /* Never 1, never all, never a group, never ourselves. */
  process = *find (&tree, family->child);
  for (int32_t pid = -2; pid <= 1; pid++)
    {
      process.pid = pid;
      process.parent = getpid ();
      g_assert_false (tree_signal (&process, SIGKILL));
    }
  process.pid = getpid ();
  g_assert_false (tree_signal (&process, SIGKILL));
  g_assert_true (process_lives (family->child));
  tree_clear (&tree);
}

static void
check_denied (gpointer data)
{
  struct tree tree = { 0 };
  pid_t pid = child_fork (rest, NULL);

  tree_walk (&tree);
  refuse_kill = TRUE;
  g_assert_false (tree_signal (find (&tree, pid), SIGKILL));
  refuse_kill = FALSE;
  g_assert_true (find (&tree, pid)->denied);
  tree_walk (&tree);
  g_assert_true (find (&tree, pid)->denied);
  tree_clear (&tree);
}

static void
lead_group (gpointer data)
{
  setpgid (0, 0);
  child_fork (rest, NULL);
  rest (NULL);
}

/* A process ends while the walk is between it and its children: they move up to where it has been. */
static void
check_moves_up (gpointer data)
{
  static const char *const moments[] = { "stat", "task" };

  for (gsize i = 0; i < G_N_ELEMENTS (moments); i++)
    for (guint known = 0; known < 2; known++)
      {
        struct family *family = data;
        struct tree tree = { 0 };
        pid_t child = child_fork (be_child, family);

        if (known)
          {
            g_assert_cmpuint (tree_walk (&tree), ==, 2);
            find (&tree, family->grandchild)->sent = TREE_SENT_TERM;
          }
        dies_then = child;
        moment = g_strdup_printf ("/proc/%d/%s", child, moments[i]);
        g_assert_cmpuint (tree_walk (&tree), ==, known ? 0 : 1);
        g_assert_null (moment);
        g_assert_cmpuint (tree.n, ==, 1);
        g_assert_nonnull (find (&tree, family->grandchild));
        g_assert_cmpint (find (&tree, family->grandchild)->parent, ==, getpid ());
        g_assert_cmpuint (find (&tree, family->grandchild)->sent, ==, known ? TREE_SENT_TERM : 0);
        tree_clear (&tree);
        kill_descendants ();
      }
}

/* It ends, and its id is a stranger's before its children are read: those are the stranger's (of whom
 * this process is one). */
static void
check_reused (gpointer data)
{
  struct tree tree = { 0 };

  dies_then = child_fork (rest, NULL);
  becomes_then = getppid ();
  moment = g_strdup_printf ("/proc/%d/task", dies_then);
  g_assert_cmpuint (tree_walk (&tree), ==, 0);
  g_assert_null (moment);
  g_assert_null (find (&tree, getpid ()));
  g_assert_cmpuint (tree.n, ==, 0);
  becomes_then = 0;
  tree_clear (&tree);
}

/* One whose parent is another by now has no warden, whoever has that one's id. */
static void
check_warden (gpointer data)
{
  struct worker worker = { .warden = child_fork (rest, NULL) };
  guint before = n_kills;

  worker_signal_warden (&worker, WARDEN_SIGNAL_HANG_UP);
  worker_signal_warden (&worker, WARDEN_SIGNAL_ADOPTED);
  g_assert_cmpuint (n_kills, ==, before);
  g_assert_true (process_lives (worker.warden));

  worker.warden = getppid ();
  worker_signal_warden (&worker, 0);
  g_assert_cmpuint (n_kills, ==, before + 1);
}

static void
check_group (gpointer data)
{
  struct tree tree = { 0 };
  pid_t leader = child_fork (lead_group, NULL), other = child_fork (rest, NULL), member;
  g_autoptr (GArray) members = process_children (leader);

  g_assert_cmpuint (members->len, ==, 1);
  member = g_array_index (members, pid_t, 0);

  /* Our own, everybody's, init's: not these. */
  tree_signal_group (getpgrp (), SIGKILL);
  tree_signal_group (0, SIGKILL);
  tree_signal_group (1, SIGKILL);
  tree_signal_group (-1, SIGKILL);
  tree_signal_group (-leader, SIGKILL);
  g_assert_true (process_lives (leader));
  g_assert_true (process_lives (other));

  tree_signal_group (leader, SIGKILL);
  g_assert_true (wait_for_end (leader));
  g_assert_true (wait_for_end (member));
  g_assert_true (process_lives (other));
  tree_clear (&tree);
}

static void
test_in_child (gconstpointer check)
{
  struct family *family = shared_new (sizeof *family);

  in_child ((ChildFunc) check, family);
  shared_free (family, sizeof *family);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/keeper/tree/empty", check_empty, test_in_child);
  g_test_add_data_func ("/keeper/tree/family", check_family, test_in_child);
  g_test_add_data_func ("/keeper/tree/without-subreaper", check_without_subreaper, test_in_child);
  g_test_add_data_func ("/keeper/tree/zombies", check_zombies, test_in_child);
  g_test_add_data_func ("/keeper/tree/names", check_names, test_in_child);
  g_test_add_data_func ("/keeper/tree/threads", check_threads, test_in_child);
  g_test_add_data_func ("/keeper/tree/many", check_many, test_in_child);
  g_test_add_data_func ("/keeper/tree/deep", check_deep, test_in_child);
  g_test_add_data_func ("/keeper/tree/marks", check_marks, test_in_child);
  g_test_add_data_func ("/keeper/tree/moves-up", check_moves_up, test_in_child);
  g_test_add_data_func ("/keeper/tree/signal", check_signal, test_in_child);
  g_test_add_data_func ("/keeper/tree/signal-orphan", check_signal_orphan, test_in_child);
  g_test_add_data_func ("/keeper/tree/strangers", check_strangers, test_in_child);
  g_test_add_data_func ("/keeper/tree/denied", check_denied, test_in_child);
  g_test_add_data_func ("/keeper/tree/reused", check_reused, test_in_child);
  g_test_add_data_func ("/keeper/tree/warden", check_warden, test_in_child);
  g_test_add_data_func ("/keeper/tree/group", check_group, test_in_child);

  return g_test_run ();
}
