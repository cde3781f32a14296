/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl run`: one job, its output passed on, its exit status ours; then what is to follow it, one
 * after the other.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-run.h"

#include "stint-cli-save.h"
#include "stint-cli-terminal.h"
#include "stint-clock-source.h"
#include "stint-standard-descriptors.h"
#include "stint-current-directory.h"
#include "stint-history.h"
#include "stint-job-share.h"
#include "stint-json.h"
#include "stint-keeper-launch.h"
#include "stint-relay.h"
#include "stint-report.h"
#include "stint-run-options.h"
#include "stint-scratch-store.h"
#include "stint-sequence.h"
#include "stint-units.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Once somebody has asked us to end, a reader that takes nothing keeps us no longer than this. */
#define FLUSH_MS 1000

typedef struct
{
  StintRunOptions *options; /* (unowned) */
  StintCliSave *save;       /* (unowned) (nullable): the output is wanted as a file */
  GCancellable *saving;     /* (nullable): while it is written */
  StintJobSpec *spec;
  guint attempt;  /* 1: the first */
  guint64 follows; /* the job before, 0: none */
  StintJobStore *store;
  StintJob *job;        /* (nullable): before its time has come */
  StintJobShare *share; /* (nullable): for the window, while it runs */
  StintStdio stdio;
  StintCliTerminal *terminal; /* (nullable): the one that is typed at */
  StintRelay *relays[2];
  guint n_relays; /* that have not ended */
  int json_fd;    /* -1: no result object is wanted */
  GMainLoop *loop;
  gboolean problem_told;
  gboolean saved; /* the job has ended and been saved */
  int signal_number;
  guint n_stops; /* how often it has been asked to end */
  guint signal_sources[3];
  guint flush_source;
  int status;
} Run;

static void G_GNUC_PRINTF (1, 2)
complain (const char *format, ...)
{
  g_autofree char *message = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  g_printerr ("stintctl: %s\n", message);
}

static void
quit_if_done (Run *run)
{
  if (run->saved && run->n_relays == 0)
    g_main_loop_quit (run->loop);
}

static gboolean
handle_flush_timeout (gpointer data)
{
  Run *run = data;

  run->flush_source = 0;
  g_main_loop_quit (run->loop);
  return G_SOURCE_REMOVE;
}

/* Being asked to end: once, as gently as the job's grace says; again, at once. Nothing follows. */
static void
stop (Run *run)
{
  gboolean again = run->n_stops++ > 0;

  if (run->job == NULL)
    g_main_loop_quit (run->loop);
  else if (!again)
    stint_job_stop (run->job, STINT_REASON_CANCELLED, -1);
  else
    stint_job_kill_for (run->job, STINT_REASON_CANCELLED);
}

/* All that is missing is that somebody reads. */
static void
bound_flush (Run *run)
{
  if (run->signal_number != 0 && run->saved && run->n_relays > 0 && run->flush_source == 0)
    run->flush_source = g_timeout_add (FLUSH_MS, handle_flush_timeout, run);
}

static gboolean
handle_signal (Run *run, int signal_number)
{
  if (run->signal_number == 0)
    run->signal_number = signal_number;
  else if (run->saved)
    g_main_loop_quit (run->loop);
  bound_flush (run);
  g_cancellable_cancel (run->saving);
  stop (run);
  return G_SOURCE_CONTINUE;
}

static gboolean
handle_sigterm (gpointer data)
{
  return handle_signal (data, SIGTERM);
}

static gboolean
handle_sigint (gpointer data)
{
  return handle_signal (data, SIGINT);
}

static gboolean
handle_sighup (gpointer data)
{
  return handle_signal (data, SIGHUP);
}

static void
handle_relay_ended (StintRelay *relay, gboolean reader_gone, gpointer data)
{
  Run *run = data;

  run->n_relays--;
  if (reader_gone && run->n_stops == 0)
    stop (run);
  quit_if_done (run);
}

static gboolean
is_same_file (int a, int b)
{
  struct stat first, second;

  return fstat (a, &first) == 0 && fstat (b, &second) == 0 && first.st_dev == second.st_dev &&
         first.st_ino == second.st_ino;
}

static gboolean
passes_output (const Run *run)
{
  return !stint_run_options_get_quiet (run->options) &&
         g_strcmp0 (stint_run_options_get_json (run->options), "-") != 0;
}

static gboolean
open_relays (Run *run, GError **error)
{
  gboolean tty = stint_job_spec_get_tty (run->spec);

  if (!passes_output (run))
    return TRUE;
  for (int i = 0; i < 2; i++)
    {
      if (i == 1 && tty)
        break;
      /* Two streams that end in one place go through one pipe, and so keep their order. */
      if (i == 1 && is_same_file (STDOUT_FILENO, STDERR_FILENO))
        {
          run->stdio.tee_fds[1] = fcntl (run->stdio.tee_fds[0], F_DUPFD_CLOEXEC, 3);
          break;
        }
      run->relays[i] = stint_relay_new (i == 0 ? STDOUT_FILENO : STDERR_FILENO,
                                        &run->stdio.tee_fds[i], handle_relay_ended, run, error);
      if (run->relays[i] == NULL)
        return FALSE;
      run->n_relays++;
    }
  return TRUE;
}

/* The command reads what we would read: our own standard input, but a terminal by way of a relay. */
static gboolean
open_input (Run *run, int *terminal_pipe, GError **error)
{
  int fds[2];

  *terminal_pipe = -1;
  if (run->terminal == NULL)
    {
      if (stint_job_spec_get_stdin_text (run->spec) == NULL &&
          stint_job_spec_get_kind (run->spec) != STINT_JOB_KIND_AGENT)
        run->stdio.stdin_fd = fcntl (STDIN_FILENO, F_DUPFD_CLOEXEC, 3);
      return TRUE;
    }
  if (stint_job_spec_get_tty (run->spec) ||
      stint_job_spec_get_kind (run->spec) == STINT_JOB_KIND_AGENT)
    return TRUE;
  if (!g_unix_open_pipe (fds, FD_CLOEXEC, error))
    return FALSE;
  run->stdio.stdin_fd = fds[0];
  *terminal_pipe = fds[1];
  return TRUE;
}

static gboolean
open_json (Run *run)
{
  const char *file = stint_run_options_get_json (run->options);

  if (file == NULL)
    return TRUE;
  if (g_strcmp0 (file, "-") != 0)
    run->json_fd = g_open (file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  else if (stint_standard_descriptor_was_open (STDOUT_FILENO))
    run->json_fd = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
  else
    errno = EBADF;
  if (run->json_fd >= 0)
    return TRUE;
  complain (_ ("Cannot write the result to “%s”: %s"), file, g_strerror (errno));
  return FALSE;
}

static gboolean
write_json (Run *run)
{
  g_autoptr (JsonNode) report = NULL;
  g_autoptr (GString) text = NULL;
  g_autofree char *json = NULL;

  if (run->json_fd < 0)
    return TRUE;
  report = stint_report_new (run->job);
  json = stint_json_to_text (report, TRUE);
  text = g_string_new (json);
  g_string_append_c (text, '\n');
  for (gsize done = 0; done < text->len;)
    {
      ssize_t n = write (run->json_fd, text->str + done, text->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        {
          complain (_ ("Cannot write the result: %s"), g_strerror (errno));
          return FALSE;
        }
      done += (gsize) n;
    }
  return TRUE;
}

static void
handle_save (GObject *source, GAsyncResult *result, gpointer data)
{
  Run *run = data;
  g_autoptr (GError) error = NULL;

  /* The job's own status says how it ended, and is not hidden by this. */
  if (!stint_cli_save_write_finish (run->save, result, &error))
    complain ("%s", error->message);
  g_clear_object (&run->saving);
  g_main_loop_quit (run->loop);
}

/* A signal that comes now gives it up. */
static void
write_save (Run *run)
{
  if (run->save == NULL)
    return;
  run->saving = g_cancellable_new ();
  stint_cli_save_write_async (run->save, run->job, run->saving, handle_save, run);
  /* Others may quit the loop too, who are of no interest any more. */
  while (run->saving != NULL)
    g_main_loop_run (run->loop);
}

/* What the command's own output and our exit status do not say. */
static void
tell_ending (Run *run)
{
  const StintResult *result = stint_job_get_result (run->job);
  g_autofree char *sentence = NULL;

  /* That the history cannot take it has been said by the history. */
  if (stint_job_get_warning (run->job) != NULL && (!run->problem_told || result->store_error != 0))
    complain ("%s", stint_job_get_warning (run->job));
  if (result->reason == STINT_REASON_EXITED || result->reason == STINT_REASON_SIGNALED)
    return;
  if (stint_run_options_get_quiet (run->options) && result->reason != STINT_REASON_FAILED)
    return;
  sentence = stint_result_dup_sentence (result);
  complain ("%s", sentence);
}

static void
handle_run (GObject *source, GAsyncResult *async_result, gpointer data)
{
  Run *run = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (StintResult) result = NULL;

  result = stint_job_run_finish (run->job, async_result, &error);
  if (error != NULL)
    complain (_ ("The job was not saved: %s"), error->message);
  run->saved = TRUE;
  g_clear_pointer (&run->share, stint_job_share_free);
  run->status = stint_result_get_exit_status (stint_job_get_result (run->job));
  g_clear_object (&run->terminal);
  bound_flush (run);
  quit_if_done (run);
}

static void
handle_problem (StintHistory *history, const GError *error, Run *run)
{
  run->problem_told = TRUE;
  complain ("%s", error->message);
}

static void
watch_signals (Run *run)
{
  /* A shell that starts us in the background ignores SIGINT for us, and nohup SIGHUP: so be it. */
  const struct
  {
    int number;
    GSourceFunc func;
  } watched[] = {
    { SIGTERM, handle_sigterm },
    { SIGINT, handle_sigint },
    { SIGHUP, handle_sighup },
  };

  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    {
      struct sigaction action;

      if (sigaction (watched[i].number, NULL, &action) == 0 && action.sa_handler == SIG_IGN)
        continue;
      run->signal_sources[i] =
        g_unix_signal_add_full (G_PRIORITY_HIGH, watched[i].number, watched[i].func, run, NULL);
    }
}

static gboolean
make_spec (Run *run, GError **error)
{
  gboolean at_terminal =
    isatty (STDIN_FILENO) && isatty (STDOUT_FILENO) && passes_output (run);
  g_autofree char *directory = NULL;
  g_auto (GStrv) environ = g_get_environ ();

  run->spec = stint_run_options_to_spec (
    run->options, at_terminal ? STINT_JOB_KIND_TERMINAL : STINT_JOB_KIND_SHELL, at_terminal);
  directory = stint_current_directory_dup_for (stint_job_spec_get_directory (run->spec), error);
  if (directory == NULL)
    return FALSE;
  stint_job_spec_resolve (run->spec, directory, NULL, (const char *const *) environ);
  return TRUE;
}

static void
take_terminal (Run *run)
{
  guint columns, rows;

  if (isatty (STDIN_FILENO))
    run->terminal = stint_cli_terminal_new (STDIN_FILENO);
  if (run->terminal != NULL && stint_cli_terminal_get_size (run->terminal, &columns, &rows))
    stint_job_spec_set_size (run->spec, columns, rows);
}

static StintJobStore *
open_store (Run *run)
{
  StintHistory *history;

  if (stint_run_options_get_no_history (run->options))
    return stint_scratch_store_new ();
  history = stint_history_new (NULL);
  g_signal_connect (history, "problem", G_CALLBACK (handle_problem), run);
  return STINT_JOB_STORE (history);
}

static gboolean
handle_due (gpointer data)
{
  g_main_loop_quit (data);
  return G_SOURCE_REMOVE;
}

/* Until its time has come, or somebody asks us to end. */
static void
wait_for_start (Run *run)
{
  gint64 start_at = stint_job_spec_get_start_at (run->spec);
  gint64 delay = stint_job_spec_get_start_delay (run->spec);
  gint64 due = g_get_monotonic_time () + delay;

  while (run->n_stops == 0 &&
         (delay > 0 ? due > g_get_monotonic_time () : start_at > g_get_real_time ()))
    {
      g_autoptr (GSource) source =
        delay > 0 ? stint_monotonic_source_new (due) : stint_wall_clock_source_new (start_at);

      g_source_set_callback (source, handle_due, run->loop, NULL);
      g_source_attach (source, NULL);
      g_main_loop_run (run->loop);
      g_source_destroy (source);
    }
}

static void
handle_idle_expired (Run *run)
{
  g_autofree char *limit = stint_duration_format_words (stint_job_get_idle_total (run->job));

  /* Translators: a duration */
  complain (_ ("No output for %s"), limit);
}

static gboolean
start (Run *run, GError **error)
{
  int terminal_pipe;

  take_terminal (run);
  if (!open_relays (run, error) || !open_input (run, &terminal_pipe, error))
    return FALSE;

  run->job = stint_job_new (run->spec, &run->stdio);
  stint_job_set_origin (run->job, run->follows, run->attempt);
  stint_stdio_close (&run->stdio);
  if (!stint_run_options_get_quiet (run->options))
    g_signal_connect_swapped (run->job, "idle-expired", G_CALLBACK (handle_idle_expired), run);
  run->share = stint_job_share_new (run->job);
  stint_job_run_async (run->job, run->store, NULL, handle_run, run);
  /* Asked to end before its time had come: it is kept as what was cancelled. */
  if (run->n_stops > 0)
    stint_job_stop (run->job, STINT_REASON_CANCELLED, -1);

  if (run->terminal != NULL && stint_job_spec_get_tty (run->spec))
    {
      stint_cli_terminal_relay_to_job (run->terminal, run->job);
      g_signal_connect_swapped (run->terminal, "interrupted", G_CALLBACK (stop), run);
    }
  else if (terminal_pipe >= 0)
    {
      stint_cli_terminal_relay_to_pipe (run->terminal, terminal_pipe);
    }
  return TRUE;
}

static void
clear_job (Run *run)
{
  g_clear_handle_id (&run->flush_source, g_source_remove);
  for (guint i = 0; i < G_N_ELEMENTS (run->relays); i++)
    g_clear_pointer (&run->relays[i], stint_relay_free);
  g_clear_object (&run->terminal);
  stint_stdio_close (&run->stdio);
  if (run->job != NULL)
    g_signal_handlers_disconnect_by_data (run->job, run);
  g_clear_pointer (&run->share, stint_job_share_free);
  g_clear_object (&run->job);
  run->saved = FALSE;
}

static void
run_clear (Run *run)
{
  for (guint i = 0; i < G_N_ELEMENTS (run->signal_sources); i++)
    g_clear_handle_id (&run->signal_sources[i], g_source_remove);
  clear_job (run);
  if (run->json_fd >= 0)
    close (run->json_fd);
  if (STINT_IS_HISTORY (run->store) && !stint_history_close (STINT_HISTORY (run->store)))
    complain (_ ("The history does not answer; the job is completed in it at the next start"));
  g_clear_object (&run->store);
  g_clear_object (&run->spec);
  g_clear_pointer (&run->loop, g_main_loop_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Run, run_clear)

/* Says why the next job is another attempt. */
static void
tell_retry (Run *run)
{
  g_autofree char *pause = stint_duration_format_words (stint_job_spec_get_start_delay (run->spec));

  if (!stint_run_options_get_quiet (run->options))
    /* Translators: which retry it is, of how many, and a duration */
    complain (_ ("Retry %u of %u in %s"), run->attempt - 1, stint_job_spec_get_retries (run->spec),
              pause);
}

/* Turns to what follows the job that has ended. Returns: FALSE if nothing does. */
static gboolean
turn_to_next (Run *run)
{
  StintEnding ending = stint_result_get_ending (stint_job_get_result (run->job));
  g_autoptr (StintJobSpec) next = NULL;
  guint attempt;

  /* Whoever asks us to end means all of it. */
  if (run->n_stops > 0)
    return FALSE;
  next = stint_sequence_next (run->spec, run->attempt, ending, &attempt);
  if (next == NULL)
    return FALSE;
  run->follows = stint_job_get_id (run->job);
  clear_job (run);
  g_set_object (&run->spec, next);
  run->attempt = attempt;
  if (attempt > 1)
    tell_retry (run);
  return TRUE;
}

static int
run_with_options (StintRunOptions *options, StintCliSave *save)
{
  g_auto (Run) run = { .options = options, .save = save, .stdio = STINT_STDIO_NONE, .json_fd = -1,
                     .attempt = 1 };
  gboolean written = TRUE;
  g_autoptr (GError) error = NULL;

  if (!open_json (&run))
    return STINT_EXIT_OWN_FAILURE;
  if (!make_spec (&run, &error) || !stint_job_spec_check (run.spec, &error) ||
      !stint_run_options_check_kind (run.options, run.spec, &error))
    {
      complain ("%s", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }

  if (save != NULL && !stint_cli_save_open (save, &error))
    {
      complain ("%s", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }

  /* GLib does not, before 2.81, and a reader that goes away must not end us. */
  signal (SIGPIPE, SIG_IGN);
  stint_descriptors_raise_limit ();
  run.store = open_store (&run);
  run.loop = g_main_loop_new (NULL, FALSE);
  watch_signals (&run);
  do
    {
      wait_for_start (&run);
      if (!start (&run, &error))
        {
          complain ("%s", error->message);
          return STINT_EXIT_OWN_FAILURE;
        }
      g_main_loop_run (run.loop);
      tell_ending (&run);
      written = write_json (&run) && written;
    }
  while (turn_to_next (&run));

  write_save (&run);
  if (!written)
    return STINT_EXIT_OWN_FAILURE;
  return run.signal_number != 0 ? STINT_EXIT_SIGNAL_BASE + run.signal_number : run.status;
}

static void
print_help (void)
{
  g_autofree char *options = stint_run_options_describe ();
  g_autofree char *save = stint_cli_save_describe ();

  g_print (_ ("Usage: stintctl run [OPTION…] COMMAND [ARG…]\n"
              "       stintctl run [OPTION…] --shell LINE\n\n"
              "Runs a command for its allotted time, and stops everything it started.\n\n"));
  g_print ("%s%s\n", options, save);
  g_print (_ ("Exit status: the command's own; 128+n when it ended by signal n; 124 a limit ended it;\n"
              "125 Stint failed; 126 cannot be executed; 127 not found; 130 cancelled; 137 killed;\n"
              "143 terminated.\n"));
}

int
stint_cli_run (const char *const *argv)
{
  static const char *const extra[] = { "--help", NULL };
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (StintCliSave) save = NULL;
  g_autoptr (StintRunOptions) options = NULL;

  if (stint_cli_save_take_options (argv, &words, &save, &error))
    options = stint_run_options_parse ((const char *const *) words, extra, &error);
  if (options == NULL)
    {
      complain ("%s", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (stint_run_options_has (options, "--help"))
    {
      print_help ();
      return 0;
    }
  if (!stint_run_options_has_command (options))
    {
      complain (_ ("There is no command to run; see stintctl run --help"));
      return STINT_EXIT_OWN_FAILURE;
    }
  return run_with_options (options, save);
}
