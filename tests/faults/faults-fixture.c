/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See faults-fixture.h.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "faults-fixture.h"

#include <ftw.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sqlite3.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST_GAP (100 * 1000)
#define TICK_MS 5

struct _FaultsGaps
{
  guint source;
  gint64 last;
  gint64 waited; /* for a processor, up to then */
  gint64 longest;
};

static char *directory;

static gboolean
turn (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

void
faults_init (int *argc, char ***argv)
{
  g_autofree char *template = g_strdup ("/tmp/stint-faults-XXXXXX");

  /* Before GLib asks for it. G_TEST_OPTION_ISOLATE_DIRS leaks. */
  directory = g_strdup (mkdtemp (template));
  g_assert_nonnull (directory);
  g_setenv ("TMPDIR", directory, TRUE);
  g_setenv ("XDG_STATE_HOME", directory, TRUE);
  g_test_init (argc, argv, NULL);
  prctl (PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
  g_timeout_add (20, turn, NULL);
}

static int
remove_entry (const char *path, const struct stat *status, int type, struct FTW *ftw)
{
  return remove (path);
}

int
faults_run (void)
{
  int status = g_test_run ();

  nftw (directory, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
  g_clear_pointer (&directory, g_free);
  return status;
}

double
faults_get_patience (void)
{
  double load = 0, patience = g_strcmp0 (g_getenv ("STINT_TEST_SANITIZED"), "1") == 0 ? 8 : 1;

  if (getloadavg (&load, 1) == 1)
    patience *= MAX (1, 2 * load / (double) g_get_num_processors ());
  return patience;
}

StintHistory *
faults_history_new (void)
{
  g_autofree char *state = g_dir_make_tmp ("history-XXXXXX", NULL);

  return stint_history_new (state);
}

StintJobSpec *
faults_shell (const char *line)
{
  StintJobSpec *spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);

  stint_job_spec_set_directory (spec, "/");
  return spec;
}

static void
keep_result (GObject *source, GAsyncResult *result, gpointer data)
{
  *(GAsyncResult **) data = g_object_ref (result);
}

guint
faults_count_saved (StintHistory *history, StintReason reason)
{
  g_autoptr (GAsyncResult) result = NULL;
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (GError) error = NULL;
  guint n = 0;

  stint_history_load_async (history, 100000, keep_result, &result);
  wait_until (result != NULL);
  jobs = stint_history_load_finish (history, result, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < jobs->len; i++)
    n += stint_job_get_result (jobs->pdata[i])->reason == reason;
  return n;
}

guint
faults_count_children (void)
{
  guint n = 0;
  g_autoptr (GDir) tasks = g_dir_open ("/proc/self/task", 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (tasks)) != NULL)
    {
      g_autofree char *path = g_strdup_printf ("/proc/self/task/%s/children", name);
      g_autofree char *children = NULL;

      if (g_file_get_contents (path, &children, NULL, NULL))
        for (const char *p = children; *p != '\0'; p++)
          n += *p == ' ';
    }
  return n;
}

guint
faults_count_descriptors (void)
{
  g_autoptr (GDir) dir = g_dir_open ("/proc/self/fd", 0, NULL);
  guint n = 0;

  while (g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

guint
faults_count_settled_descriptors (void)
{
  guint n = faults_count_descriptors ();
  guint n_same = 0;

  while (n_same < 5 || faults_count_children () > 0)
    {
      guint again;

      g_main_context_iteration (NULL, TRUE);
      again = faults_count_descriptors ();
      n_same = again == n ? n_same + 1 : 0;
      n = again;
    }
  return n;
}

/* Microseconds that this thread was ready to run and did not. */
static gint64
get_waited (void)
{
  g_autofree char *text = NULL;
  unsigned long long ran, waited;

  if (!g_file_get_contents ("/proc/thread-self/schedstat", &text, NULL, NULL) ||
      sscanf (text, "%llu %llu", &ran, &waited) != 2)
    return 0;
  return (gint64) (waited / 1000);
}

static gboolean
note_gap (gpointer data)
{
  FaultsGaps *self = data;
  gint64 now = g_get_monotonic_time ();
  gint64 waited = get_waited ();

  self->longest = MAX (self->longest, now - self->last - (waited - self->waited) - TICK_MS * 1000);
  self->last = now;
  self->waited = waited;
  return G_SOURCE_CONTINUE;
}

FaultsGaps *
faults_gaps_new (void)
{
  FaultsGaps *self = g_new0 (FaultsGaps, 1);

  self->last = g_get_monotonic_time ();
  self->waited = get_waited ();
  self->source = g_timeout_add_full (G_PRIORITY_HIGH, TICK_MS, note_gap, self, NULL);
  return self;
}

gint64
faults_gaps_end (FaultsGaps *self)
{
  gint64 longest;

  note_gap (self);
  longest = self->longest;
  g_source_remove (self->source);
  g_free (self);
  return longest;
}

gint64
faults_get_longest_gap (void)
{
  return (gint64) (LONGEST_GAP * faults_get_patience ());
}

static void
note (FaultsCalls *calls, StintResult *result, GError *error)
{
  calls->called++;
  calls->cancelled = g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  if (!calls->cancelled)
    g_assert_no_error (error);
  g_clear_pointer (&calls->result, stint_result_unref);
  calls->result = result;
  g_clear_error (&error);
}

void
faults_note_waited (GObject *source, GAsyncResult *async_result, gpointer data)
{
  GError *error = NULL;
  StintResult *result = stint_job_wait_finish (STINT_JOB (source), async_result, &error);

  note (data, result, error);
}

void
faults_note_run (GObject *source, GAsyncResult *async_result, gpointer data)
{
  GError *error = NULL;
  StintResult *result = stint_job_run_finish (STINT_JOB (source), async_result, &error);

  note (data, result, error);
}

guint
faults_count_miscalled (const FaultsCalls *calls, guint n)
{
  guint n_miscalled = 0;

  for (guint i = 0; i < n; i++)
    n_miscalled += calls[i].called != 1 || calls[i].cancelled == (calls[i].result != NULL);
  return n_miscalled;
}

void
faults_calls_clear (FaultsCalls *calls, guint n)
{
  for (guint i = 0; i < n; i++)
    g_clear_pointer (&calls[i].result, stint_result_unref);
}

StintJob *
faults_submit (StintJobList *list, StintJobSpec *spec, FaultsCalls *calls)
{
  g_autoptr (StintJobSpec) owned = spec;
  g_autoptr (GError) error = NULL;
  StintJob *job = stint_job_list_submit (list, owned, NULL, &error);

  g_assert_no_error (error);
  if (calls != NULL)
    stint_job_wait_async (job, NULL, faults_note_waited, calls);
  return job;
}

gboolean
faults_is_idle (StintJobList *list)
{
  return stint_job_list_get_n_active (list) == 0 && stint_job_list_get_n_saving (list) == 0;
}

static char *
read_output (StintJob *job)
{
  StintTranscript *transcript = stint_job_get_transcript (job);
  g_autoptr (GBytes) bytes = NULL;
  gsize size = 0;
  const char *text = NULL;

  if (transcript != NULL)
    bytes = stint_reader_read_stream (stint_transcript_get_reader (transcript), STINT_STREAM_STDOUT,
                                      G_MAXINT32, NULL);
  if (bytes != NULL)
    text = g_bytes_get_data (bytes, &size);
  return g_strndup (text != NULL ? text : "", size);
}

static gboolean
has_written (StintJob *job, const char *text)
{
  g_autofree char *output = read_output (job);

  return strstr (output, text) != NULL;
}

void
faults_wait_for_output (StintJob *job, const char *text)
{
  wait_until (has_written (job, text));
}

int
faults_read_number (StintJob *job, const char *name)
{
  g_autofree char *output = read_output (job);
  const char *at = strstr (output, name);

  g_assert_nonnull (at);
  return atoi (at + strlen (name));
}

char *
faults_query (StintHistory *history, const char *sql)
{
  g_autofree char *path = g_build_filename (stint_history_get_directory (history), "history.db", NULL);
  sqlite3_stmt *statement;
  sqlite3 *db;
  char *text;

  g_assert_cmpint (sqlite3_open_v2 (path, &db, SQLITE_OPEN_READWRITE, NULL), ==, SQLITE_OK);
  sqlite3_busy_timeout (db, 30000);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  text = g_strdup ((const char *) sqlite3_column_text (statement, 0));
  sqlite3_finalize (statement);
  sqlite3_close (db);
  return text;
}

guint
faults_count_left (void)
{
  while (waitpid (-1, NULL, WNOHANG) > 0)
    ;
  return faults_count_children ();
}

void
faults_end_left (void)
{
  g_autofree char *path = g_strdup_printf ("/proc/self/task/%d/children", (int) getpid ());

  while (faults_count_left () > 0)
    {
      g_autofree char *text = NULL;
      g_auto (GStrv) pids = NULL;

      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      pids = g_strsplit (text, " ", -1);
      for (guint i = 0; pids[i] != NULL; i++)
        if (atoi (pids[i]) > 1)
          kill (atoi (pids[i]), SIGKILL);
      g_usleep (1000);
    }
}

void
faults_without (const char *protection)
{
  static char *whole;
  g_autofree char *path = NULL;

  if (whole == NULL)
    whole = g_strdup (g_getenv ("STINT_KEEPER"));
  if (protection != NULL)
    path = g_strdup_printf ("%s/keeper-without-%s", g_getenv ("STINT_KEEPER_WITHOUT_DIR"), protection);
  g_setenv ("STINT_KEEPER", path != NULL ? path : whole, TRUE);
}
