/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl list`, `show`, `start`, `wait`, `terminate`, `kill`, `pause`, `resume` and `extend`: what can
 * be asked of the window process, and what the history answers without it.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-jobs.h"

#include "stint-cli-records.h"
#include "stint-cli-show.h"
#include "stint-cli-window.h"
#include "stint-cli-words.h"
#include "stint-current-directory.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-job-facts.h"
#include "stint-job-store.h"
#include "stint-result.h"
#include "stint-run-options.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

/* Of the history, `list --all` shows no more than this. */
#define MOST_LISTED 1000

typedef struct _Verb Verb;

typedef struct
{
  const Verb *verb;
  char **words;
  gboolean json;
  gboolean all;
  gboolean idle;
  gboolean help;
} Call;

typedef int (*VerbFunc) (Call *call, GError **error);

struct _Verb
{
  const char *name;
  const char *arguments;
  const char *help;
  const char *more; /* (nullable): for its own --help */
  VerbFunc func;
  gboolean takes_json;
};

static int list (Call *call, GError **error);
static int show (Call *call, GError **error);
static int wait_for (Call *call, GError **error);
static int change (Call *call, GError **error);
static int extend (Call *call, GError **error);

static const Verb verbs[] = {
  { "list", "[--all] [--json]", N_ ("list the jobs that run or wait"), NULL, list, TRUE },
  { "show", "[--json] JOB", N_ ("say what is known of a job"), NULL, show, TRUE },
  { "start", "[OPTION…] COMMAND [ARG…]", N_ ("start a job in the window’s process"),
    N_ ("Takes the options of a job, as “stint” does, prints its number, and returns."), NULL,
    FALSE },
  { "wait", "[--json] JOB", N_ ("wait until a job has ended, and exit as it did"), NULL, wait_for,
    TRUE },
  { "terminate", "JOB…", N_ ("SIGTERM to all of a job, SIGKILL after its grace"), NULL, change,
    FALSE },
  { "kill", "JOB…", N_ ("SIGKILL to all of a job"), NULL, change, FALSE },
  { "pause", "JOB…", N_ ("let a job and its limits stand still"), NULL, change, FALSE },
  { "resume", "JOB…", N_ ("let it go on"), NULL, change, FALSE },
  { "extend", "[--idle] JOB D", N_ ("give a job more time: 10m, 1h; 0 takes the limit away"), NULL,
    extend, FALSE },
};

static const Verb *
find_verb (const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    if (g_strcmp0 (verbs[i].name, name) == 0)
      return &verbs[i];
  return NULL;
}

static void
print_json (GVariant *facts)
{
  g_autoptr (JsonNode) node = stint_job_facts_to_json (facts);
  g_autofree char *text = json_to_string (node, FALSE);

  g_print ("%s\n", text);
}

/* list */

static gint
compare_newest_first (gconstpointer a, gconstpointer b)
{
  guint64 first = stint_cli_get_id (*(GVariant **) a);
  guint64 second = stint_cli_get_id (*(GVariant **) b);

  return first > second ? -1 : first < second;
}

static gboolean
has_id (GPtrArray *jobs, guint n_jobs, guint64 id)
{
  for (guint i = 0; i < n_jobs; i++)
    if (stint_cli_get_id (jobs->pdata[i]) == id)
      return TRUE;
  return FALSE;
}

/* What the window has, and what only the history knows. */
static GPtrArray *
collect (gboolean all, GError **error)
{
  g_autoptr (StintBusJobs) window = stint_cli_window_connect (FALSE, NULL);
  g_autoptr (GPtrArray) jobs = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autofree char *state = stint_job_directories_dup_state ();
  const StintCliRecordQuery query = { 0, NULL, !all, MOST_LISTED };
  g_autoptr (GVariant) listed = NULL;
  g_autoptr (GPtrArray) kept = NULL;
  guint n_listed;
  int window_pid;

  if (window != NULL && !stint_bus_jobs_call_list_sync (window, all, &listed, NULL, error))
    return NULL;
  for (gsize i = 0; listed != NULL && i < g_variant_n_children (listed); i++)
    g_ptr_array_add (jobs, g_variant_get_child_value (listed, i));
  n_listed = jobs->len;
  window_pid = stint_cli_window_get_pid (window);
  kept = stint_cli_records_read (state, &query, error);
  if (kept == NULL)
    return NULL;
  for (guint i = 0; i < kept->len; i++)
    {
      GVariant *facts = kept->pdata[i];

      if (!has_id (jobs, n_listed, stint_cli_get_id (facts)) &&
          (window_pid == 0 || stint_cli_get_number (facts, "ownerPid", 0) != window_pid) &&
          (all || !stint_cli_has_finished (facts)))
        g_ptr_array_add (jobs, g_variant_ref (facts));
    }
  g_ptr_array_sort (jobs, compare_newest_first);
  return g_steal_pointer (&jobs);
}

static int
list (Call *call, GError **error)
{
  g_autoptr (GPtrArray) jobs = NULL;

  if (call->words[0] != NULL)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("list takes no job; see stintctl list --help"));
      return STINT_EXIT_OWN_FAILURE;
    }
  jobs = collect (call->all, error);
  if (jobs == NULL)
    return STINT_EXIT_OWN_FAILURE;
  if (!call->json)
    {
      stint_cli_print_table (jobs);
      return 0;
    }
  for (guint i = 0; i < jobs->len; i++)
    print_json (jobs->pdata[i]);
  return 0;
}

/* Verbs that take a job */

/* FALSE with @error set. */
static gboolean
check_one_job (Call *call, GError **error)
{
  if (call->words[0] != NULL && call->words[1] == NULL)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: a verb, twice */
               _ ("%s takes one job: its number, its name, or “last”; see stintctl %s --help"),
               call->verb->name, call->verb->name);
  return FALSE;
}

static int
show (Call *call, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  g_autoptr (GVariant) facts = NULL;

  if (!check_one_job (call, error))
    return STINT_EXIT_OWN_FAILURE;
  window = stint_cli_window_connect (FALSE, NULL);
  facts = stint_cli_find_job (window, call->words[0], FALSE, error);
  if (facts == NULL)
    return STINT_EXIT_OWN_FAILURE;
  if (call->json)
    print_json (facts);
  else
    stint_cli_print_facts (facts);
  return 0;
}

/* Returns: (transfer full) (nullable): the facts of a job that has ended. */
static GVariant *
wait_in_window (StintBusJobs *window, guint64 id, int *status, GError **error)
{
  g_autoptr (GVariant) facts = NULL;
  g_autoptr (GError) why = NULL;

  if (stint_bus_jobs_call_wait_sync (window, id, &facts, NULL, &why))
    return g_steal_pointer (&facts);
  if (why->domain == STINT_ERROR)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  *status = STINT_EXIT_SIGNAL_BASE + SIGKILL;
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_FAILED,
                       _ ("The window process ended before the job did"));
  return NULL;
}

/* The lock goes when all is reaped; how it ended is on the disk by then. */
static GVariant *
wait_for_lock (GVariant *facts, GError **error)
{
  const char *directory = stint_cli_get_bytes (facts, "directory");
  g_autofree char *state = stint_job_directories_dup_state ();
  const StintCliRecordQuery query = { stint_cli_get_id (facts), NULL, FALSE, 1 };
  g_autoptr (StintResult) result = NULL;
  g_autoptr (GPtrArray) found = NULL;

  if (directory != NULL && !stint_job_store_wait_until_unlocked (directory, error))
    return NULL;
  found = stint_cli_records_read (state, &query, error);
  if (found == NULL)
    return NULL;
  if (directory == NULL || found->len == 0)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_NO_JOB,
                   /* Translators: a job's number */
                   _ ("Job %" PRIu64 " is no longer in the history"), stint_cli_get_id (facts));
      return NULL;
    }
  if (stint_cli_has_finished (found->pdata[0]))
    return g_variant_ref (found->pdata[0]);
  /* Its owner is just about to write the row. */
  result = stint_result_load_outcome (directory, FALSE, error);
  if (result == NULL)
    return NULL;
  return stint_cli_finish_facts (found->pdata[0], result);
}

static int
wait_for (Call *call, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  g_autoptr (GVariant) facts = NULL;
  g_autoptr (GVariant) ended = NULL;
  int status = STINT_EXIT_OWN_FAILURE;

  if (!check_one_job (call, error))
    return STINT_EXIT_OWN_FAILURE;
  window = stint_cli_window_connect (FALSE, NULL);
  facts = stint_cli_find_job (window, call->words[0], FALSE, error);
  if (facts == NULL)
    return STINT_EXIT_OWN_FAILURE;
  if (stint_cli_has_finished (facts))
    ended = g_variant_ref (facts);
  else if (stint_cli_is_in_window (window, facts))
    ended = wait_in_window (window, stint_cli_get_id (facts), &status, error);
  else
    ended = wait_for_lock (facts, error);
  if (ended == NULL)
    return status;
  if (call->json)
    print_json (ended);
  return (int) stint_cli_get_number (ended, "exitStatus", STINT_EXIT_OWN_FAILURE);
}

static gboolean
change_one (const Verb *verb, StintBusJobs *window, guint64 id, GError **error)
{
  if (g_str_equal (verb->name, "terminate"))
    return stint_bus_jobs_call_terminate_sync (window, id, NULL, error);
  if (g_str_equal (verb->name, "kill"))
    return stint_bus_jobs_call_kill_sync (window, id, NULL, error);
  if (g_str_equal (verb->name, "pause"))
    return stint_bus_jobs_call_pause_sync (window, id, NULL, error);
  return stint_bus_jobs_call_resume_sync (window, id, NULL, error);
}

/* (transfer full) (nullable): a job of the window that has not finished. */
static GVariant *
find_in_window (StintBusJobs *window, const char *word, GError **error)
{
  g_autoptr (GVariant) facts = stint_cli_find_job (window, word, TRUE, error);

  if (facts == NULL || stint_cli_is_in_window (window, facts))
    return g_steal_pointer (&facts);
  g_set_error (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
               /* Translators: a job's number */
               _ ("Job %" PRIu64 " runs elsewhere, and not in Stint’s window"),
               stint_cli_get_id (facts));
  return NULL;
}

/* Every job that can be is changed, whatever becomes of the others. */
static int
change (Call *call, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  int status = 0;

  if (call->words[0] == NULL)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a verb, twice */
                   _ ("%s takes jobs: numbers, names, or “last”; see stintctl %s --help"),
                   call->verb->name, call->verb->name);
      return STINT_EXIT_OWN_FAILURE;
    }
  window = stint_cli_window_connect (FALSE, error);
  if (window == NULL)
    return STINT_EXIT_OWN_FAILURE;
  for (guint i = 0; call->words[i] != NULL; i++)
    {
      g_autoptr (GError) why = NULL;
      g_autoptr (GVariant) facts = find_in_window (window, call->words[i], &why);

      if (facts != NULL && change_one (call->verb, window, stint_cli_get_id (facts), &why))
        continue;
      stint_cli_complain (why);
      status = STINT_EXIT_OWN_FAILURE;
    }
  return status;
}

static int
extend (Call *call, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  g_autoptr (GVariant) facts = NULL;
  gint64 usec;

  if (g_strv_length (call->words) != 2)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("extend takes a job and a time; see stintctl extend --help"));
      return STINT_EXIT_OWN_FAILURE;
    }
  if (!stint_duration_parse (call->words[1], &usec, error))
    return STINT_EXIT_OWN_FAILURE;
  window = stint_cli_window_connect (FALSE, error);
  if (window == NULL)
    return STINT_EXIT_OWN_FAILURE;
  facts = find_in_window (window, call->words[0], error);
  if (facts == NULL ||
      !stint_bus_jobs_call_extend_sync (window, stint_cli_get_id (facts),
                                        call->idle ? "idle" : "timeout", usec, NULL, error))
    return STINT_EXIT_OWN_FAILURE;
  return 0;
}

/* Its words are the job's: they go on as they are. */
static int
start (const char *const *argv, GError **error)
{
  static const char *const extra[] = { "--help", NULL };
  g_autoptr (StintRunOptions) options = stint_run_options_parse (argv, extra, error);
  g_autoptr (StintBusJobs) window = NULL;
  g_autofree char *directory = NULL;
  g_auto (GStrv) environment = g_get_environ ();
  guint64 id;

  if (options == NULL)
    return STINT_EXIT_OWN_FAILURE;
  if (stint_run_options_has (options, "--help"))
    {
      g_autofree char *text = stint_run_options_describe ();

      g_print (_ ("Usage: stintctl start [OPTION…] COMMAND [ARG…]\n\n"
                  "Starts a job in the window’s process, prints its number, and returns.\n\n"));
      g_print ("%s", text);
      return 0;
    }
  directory = stint_current_directory_dup_for (stint_run_options_get_directory (options), error);
  if (directory == NULL)
    return STINT_EXIT_OWN_FAILURE;
  window = stint_cli_window_connect (TRUE, error);
  if (window == NULL ||
      !stint_bus_jobs_call_start_sync (
          window, g_variant_new_bytestring_array (argv, -1), g_variant_new_bytestring (directory),
          g_variant_new_bytestring_array ((const char *const *) environment, -1), &id, NULL, error))
    return STINT_EXIT_OWN_FAILURE;
  g_print ("%" PRIu64 "\n", id);
  return 0;
}

static void
print_help (const Verb *verb)
{
  /* Translators: a verb, its arguments, and what it does */
  g_print (_ ("Usage: stintctl %s %s\n\n"), verb->name, verb->arguments);
  g_print ("%s\n", _ (verb->help));
  if (verb->takes_json || verb->func == extend)
    g_print ("\n");
  if (verb->func == list)
    stint_cli_print_option ("--all", _ ("Those that have ended too"));
  if (verb->func == extend)
    stint_cli_print_option ("--idle",
                            _ ("The limit for silence instead of that for the whole time"));
  if (verb->takes_json)
    stint_cli_print_option ("--json", _ ("As JSON, an object a line"));
}

static int
call_verb (const Verb *verb, const char *const *argv, GError **error)
{
  Call call = { .verb = verb };
  const GOptionEntry entries[] = {
    { "help", 0, 0, G_OPTION_ARG_NONE, &call.help, NULL, NULL },
    { verb->takes_json       ? "json"
      : verb->func == extend ? "idle"
                             : NULL,
      0, 0, G_OPTION_ARG_NONE, verb->takes_json ? &call.json : &call.idle, NULL, NULL },
    { verb->func == list ? "all" : NULL, 0, 0, G_OPTION_ARG_NONE, &call.all, NULL, NULL },
    { NULL },
  };
  g_auto (GStrv) words = stint_cli_words_parse (argv, entries, error);

  if (words == NULL)
    return STINT_EXIT_OWN_FAILURE;
  if (call.help)
    {
      print_help (verb);
      return 0;
    }
  call.words = words;
  return verb->func (&call, error);
}

gboolean
stint_cli_jobs_has_verb (const char *verb)
{
  return find_verb (verb) != NULL;
}

int
stint_cli_jobs (const char *name, const char *const *argv)
{
  const Verb *verb = find_verb (name);
  g_autoptr (GError) error = NULL;
  int status;

  g_return_val_if_fail (verb != NULL, STINT_EXIT_OWN_FAILURE);

  status = verb->func == NULL ? start (argv, &error) : call_verb (verb, argv, &error);
  if (error != NULL)
    stint_cli_complain (error);
  return status;
}

char *
stint_cli_jobs_describe (void)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (verbs); i++)
    g_string_append_printf (text, "  %-10s %s\n", verbs[i].name, _ (verbs[i].help));
  return g_string_free (g_steal_pointer (&text), FALSE);
}
