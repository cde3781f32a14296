/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Transcripts are compressed behind everybody's back, and nothing of it is ever in the way.
 */
#include "config.h"

#include "stint-compactor.h"
#include "transcript-fixture.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

typedef struct
{
  char *path;
  GError *problem;
  GThread *thread; /* that is to be told */
} Jobs;

static void
note_problem (const GError *error, gpointer user_data)
{
  Jobs *jobs = user_data;

  /* Also while nobody iterates the context. */
  g_assert_true (jobs->thread == g_thread_self ());
  g_clear_error (&jobs->problem);
  jobs->problem = g_error_copy (error);
}

static void
jobs_init (Jobs *jobs)
{
  jobs->path = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  jobs->problem = NULL;
  jobs->thread = g_thread_self ();
}

static void
jobs_clear (Jobs *jobs)
{
  g_rmdir (jobs->path);
  g_free (jobs->path);
  g_clear_error (&jobs->problem);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Jobs, jobs_clear)

/* A job with 100 KB of output, in the directory of the jobs. */
static void
add_job (Jobs *jobs, Directory *directory, const char *id)
{
  g_autofree char *output = g_strnfill (100000, 'x');
  g_autofree char *path = g_build_filename (jobs->path, id, NULL);

  directory_init (directory);
  directory_append (directory, KEEPER_STREAM_STDOUT, output, 100000);
  directory_write_outcome (directory, 0, 0);
  g_assert_no_errno (g_rename (directory->path, path));
  g_free (directory->path);
  directory->path = g_steal_pointer (&path);
}

static void
test_earlier (void)
{
  g_auto (Jobs) jobs = { 0 };
  g_auto (Directory) first = { 0 }, second = { 0 };
  g_autoptr (StintCompactor) compactor = NULL;

  jobs_init (&jobs);
  add_job (&jobs, &first, "1");
  add_job (&jobs, &second, "2");
  compactor = stint_compactor_new (jobs.path, note_problem, &jobs);
  stint_compactor_wait (compactor);
  g_assert_true (directory_has (&first, "output.zst"));
  g_assert_true (directory_has (&second, "output.zst"));
  g_assert_false (directory_has (&second, "output"));
}

static void
test_added (void)
{
  g_auto (Jobs) jobs = { 0 };
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintCompactor) compactor = NULL;

  jobs_init (&jobs);
  compactor = stint_compactor_new (jobs.path, note_problem, &jobs);
  stint_compactor_wait (compactor);
  add_job (&jobs, &directory, "1");
  g_assert_true (directory_has (&directory, "output"));
  stint_compactor_add (compactor, directory.path);
  stint_compactor_wait (compactor);
  g_assert_false (directory_has (&directory, "output"));
}

/* A keeper that is not quite gone: later. */
static void
test_busy (void)
{
  g_auto (Jobs) jobs = { 0 };
  g_auto (Directory) directory = { 0 };
  g_autoptr (StintCompactor) compactor = NULL;
  g_autofree char *lock = NULL;
  int fd;

  jobs_init (&jobs);
  add_job (&jobs, &directory, "1");
  lock = g_build_filename (directory.path, "lock", NULL);
  fd = g_open (lock, O_RDWR | O_CLOEXEC, 0);
  g_assert_no_errno (flock (fd, LOCK_EX));
  compactor = stint_compactor_new (jobs.path, note_problem, &jobs);
  g_usleep (1000); /* whether it has tried by now does not matter */
  g_assert_true (directory_has (&directory, "output"));
  close (fd);
  stint_compactor_wait (compactor);
  g_assert_true (directory_has (&directory, "output.zst"));
}

/* What is wrong with a transcript is told; the next one is done all the same. */
static void
test_problem (void)
{
  g_auto (Jobs) jobs = { 0 };
  g_auto (Directory) bad = { 0 }, good = { 0 };
  g_autoptr (StintCompactor) compactor = NULL;

  jobs_init (&jobs);
  add_job (&jobs, &bad, "1");
  add_job (&jobs, &good, "2");
  g_assert_no_errno (ftruncate (bad.output_fd, 80000));
  compactor = stint_compactor_new (jobs.path, note_problem, &jobs);
  stint_compactor_wait (compactor);
  while (jobs.problem == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_error (jobs.problem, G_IO_ERROR, G_IO_ERROR_PARTIAL_INPUT);
  g_assert_true (directory_has (&bad, "output"));
  g_assert_true (directory_has (&good, "output.zst"));
}

/* A directory of somewhere else, one that is gone, and an end in the middle. */
static void
test_end (void)
{
  g_auto (Jobs) jobs = { 0 };
  g_auto (Directory) elsewhere = { 0 }, directory = { 0 };
  g_autofree char *output = g_strnfill (100000, 'x');
  StintCompactor *compactor;

  jobs_init (&jobs);
  directory_init (&elsewhere);
  directory_append (&elsewhere, KEEPER_STREAM_STDOUT, output, 100000);
  directory_write_outcome (&elsewhere, 0, 0);
  add_job (&jobs, &directory, "1");
  compactor = stint_compactor_new (jobs.path, note_problem, &jobs);
  stint_compactor_add (compactor, elsewhere.path);
  stint_compactor_free (compactor);
  g_assert_true (directory_has (&elsewhere, "output"));
  g_assert_true (directory_has (&directory, "output") != directory_has (&directory, "output.zst"));
  g_assert_false (directory_has (&directory, "output.zst.new"));
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_no_error (jobs.problem);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/compactor/earlier", test_earlier);
  g_test_add_func ("/compactor/added", test_added);
  g_test_add_func ("/compactor/busy", test_busy);
  g_test_add_func ("/compactor/problem", test_problem);
  g_test_add_func ("/compactor/end", test_end);
  return g_test_run ();
}
