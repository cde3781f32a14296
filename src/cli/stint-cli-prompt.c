/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl prompt`: one turn of an agent, with no window. What the agent says goes to stdout, what it
 * does to stderr.
 *
 * How a permission is asked for at the terminal is in stint-cli-ask.c.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-prompt.h"

#include "stint-agent-session.h"
#include "stint-cli-ask.h"
#include "stint-cli-writer.h"
#include "stint-current-directory.h"
#include "stint-error.h"
#include "stint-history.h"
#include "stint-json.h"
#include "stint-keeper-launch.h"
#include "stint-scratch-store.h"
#include "stint-units.h"

#include <errno.h>
#include <fcntl.h>
#include <gio/gunixinputstream.h>
#include <glib-unix.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

/* How much of a prompt is read from stdin. */
#define MAX_PROMPT (16 * 1024 * 1024)

/* How much memory an answer takes that its reader does not take. */
#define MOST_UNREAD (256 * 1024 * 1024)

/* How long a reader is waited for after a signal. */
#define FLUSH_MS 1000

typedef struct
{
  /* Options */
  char *agent;
  char *permissions;
  char *json;
  char *directory;
  char *turn;
  char *idle;
  char *start;
  char *grace;
  gboolean quiet;
  gboolean no_history;
  gboolean help;
  char **words;

  StintAgentLimits limits;
  int json_fd;
  StintJobStore *store;
  StintJobList *jobs;
  StintAgentSession *session;
  StintCliAsk *ask; /* (nullable) */
  GMainLoop *loop;
  GString *answer;
  gint64 began;
  gint64 took;
  char *stop_reason; /* (nullable): no turn has ended */
  int signal_number;
  guint sources[3];
  gboolean in_line; /* of stdout */
  gboolean output_gone;
  gboolean output_cut; /* its reader was too slow */
  StintCliWriter *writer; /* of stdout */
  gboolean closing;
  gboolean all_written; /* or nobody reads it */
  guint flush_source;
} Prompt;

static void G_GNUC_PRINTF (1, 2) complain (const char *format, ...)
{
  g_autofree char *message = NULL, *clean = NULL;
  va_list args;

  va_start (args, format);
  message = g_strdup_vprintf (format, args);
  va_end (args);
  /* Some of it is what an agent said. */
  clean = stint_text_clean (message, 4000);
  g_printerr ("stintctl: %s\n", clean);
}

/* Options */

static GOptionContext *
make_context (Prompt *self)
{
  const GOptionEntry entries[] = {
    { "agent", 'a', 0, G_OPTION_ARG_STRING, &self->agent,
      N_ ("the agent: a name from the settings, or a command line"), N_ ("AGENT") },
    { "permissions", 0, 0, G_OPTION_ARG_STRING, &self->permissions,
      N_ ("what the agent may do: ask (at a terminal, the default there), allow, reject"),
      N_ ("POLICY") },
    { "json", 0, 0, G_OPTION_ARG_FILENAME, &self->json,
      N_ ("write the result as JSON to FILE; -: to stdout, instead of the answer"), N_ ("FILE") },
    { "cwd", 0, 0, G_OPTION_ARG_FILENAME, &self->directory, N_ ("where the agent works"),
      N_ ("DIR") },
    { "timeout", 0, 0, G_OPTION_ARG_STRING, &self->turn, N_ ("limit of the turn, none by default"),
      N_ ("D") },
    { "idle-timeout", 0, 0, G_OPTION_ARG_STRING, &self->idle,
      N_ ("limit of the agent's silence, 10 min by default; 0: none"), N_ ("D") },
    { "start-timeout", 0, 0, G_OPTION_ARG_STRING, &self->start,
      N_ ("limit of the agent's start, 30 s by default"), N_ ("D") },
    { "grace", 0, 0, G_OPTION_ARG_STRING, &self->grace,
      N_ ("between the steps of stopping the agent, 5 s by default"), N_ ("D") },
    { "quiet", 'q', 0, G_OPTION_ARG_NONE, &self->quiet,
      N_ ("do not tell on stderr what the agent does"), NULL },
    { "no-history", 0, 0, G_OPTION_ARG_NONE, &self->no_history, N_ ("leave no trace"), NULL },
    { "help", 'h', 0, G_OPTION_ARG_NONE, &self->help, N_ ("show this"), NULL },
    { G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &self->words, NULL, N_ ("TEXT") },
    { NULL },
  };
  GOptionContext *context = g_option_context_new (NULL);

  g_option_context_set_help_enabled (context, FALSE);
  g_option_context_set_summary (
      context,
      _ ("Says TEXT to an agent, waits until it has answered, and ends it. Without TEXT, or with “-”, "
         "the prompt is read from the standard input."));
  g_option_context_set_description (
      context,
      _ ("Exit status: 0 the agent has finished; 124 a limit ended the turn; 130 cancelled; 1 it stopped\n"
         "for another reason, which is told; 125 Stint failed."));
  g_option_context_set_translation_domain (context, GETTEXT_PACKAGE);
  g_option_context_add_main_entries (context, entries, GETTEXT_PACKAGE);
  return context;
}

static gboolean
take_duration (const char *text, gint64 *usec, GError **error)
{
  return text == NULL || stint_duration_parse (text, usec, error);
}

static gboolean
take_limits (Prompt *self, GError **error)
{
  self->limits = STINT_AGENT_LIMITS_DEFAULT;
  return take_duration (self->turn, &self->limits.turn, error) &&
         take_duration (self->idle, &self->limits.idle, error) &&
         take_duration (self->start, &self->limits.start, error) &&
         take_duration (self->grace, &self->limits.cancel_grace, error);
}

static gboolean
take_policy (Prompt *self, StintAgentPolicy *policy, gboolean *ask, GError **error)
{
  gboolean terminal = isatty (STDIN_FILENO) && isatty (STDERR_FILENO);
  const char *word = self->permissions != NULL ? self->permissions : terminal ? "ask" : "reject";

  *ask = FALSE;
  if (g_str_equal (word, "allow"))
    *policy = STINT_AGENT_ALLOW;
  else if (g_str_equal (word, "reject"))
    *policy = STINT_AGENT_REJECT;
  else if (!g_str_equal (word, "ask"))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("“%s” is no policy for permissions: ask, allow or reject"), word);
      return FALSE;
    }
  else if (!terminal)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           _ ("There is no terminal to ask at: use --permissions allow or reject"));
      return FALSE;
    }
  else
    {
      *policy = STINT_AGENT_ASK;
      *ask = TRUE;
    }
  return TRUE;
}

/* Returns: (transfer full) (nullable): what to say */
static char *
read_text (Prompt *self, GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  char buffer[4096];
  ssize_t n;

  if (self->words != NULL && g_strcmp0 (self->words[0], "-") != 0)
    return g_strjoinv (" ", self->words);
  while ((n = read (STDIN_FILENO, buffer, sizeof buffer)) != 0 && text->len <= MAX_PROMPT)
    {
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          int code = errno;

          g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code),
                       _ ("Cannot read the prompt: %s"), g_strerror (code));
          return NULL;
        }
      g_string_append_len (text, buffer, n);
    }
  if (text->len == 0 || text->len > MAX_PROMPT)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID,
                           text->len == 0
                               ? _ ("There is nothing to say; see stintctl prompt --help")
                               : _ ("The prompt is too long"));
      return NULL;
    }
  return g_strdup (text->str);
}

/* What the agent says and does */

static void
write_out (Prompt *self, const char *text, gsize length)
{
  if (self->output_gone || length == 0 || g_strcmp0 (self->json, "-") == 0)
    return;
  self->in_line = text[length - 1] != '\n';
  if (stint_cli_writer_write (self->writer, text, length) || self->output_cut)
    return;
  self->output_cut = TRUE;
  if (self->no_history)
    complain ("%s", _ ("The answer is not read: the rest of it is lost"));
  else
    complain (_ ("The answer is not read: the rest of it is only in job %" PRIu64),
              stint_job_get_id (stint_agent_session_get_job (self->session)));
}

/* What the agent has said goes to the terminal that stderr is. */
static gboolean
shares_terminal (Prompt *self)
{
  return isatty (STDOUT_FILENO) && isatty (STDERR_FILENO) && !self->output_gone &&
         g_strcmp0 (self->json, "-") != 0;
}

/* At a terminal behind what the agent has said before: it is the same one. */
static void G_GNUC_PRINTF (2, 3) tell (Prompt *self, const char *format, ...)
{
  g_autofree char *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  if (shares_terminal (self))
    write_out (self, text, strlen (text));
  else
    g_printerr ("%s", text);
}

static void
handle_appended (StintConversation *conversation,
                 StintConversationItem *item,
                 const char *text,
                 Prompt *self)
{
  g_autofree char *clean = NULL;

  if (stint_conversation_item_get_kind (item) != STINT_CONVERSATION_ANSWER)
    return;
  if (self->json != NULL)
    g_string_append (self->answer, text);
  if (!isatty (STDOUT_FILENO))
    {
      write_out (self, text, strlen (text));
      return;
    }
  /* It is text, and no program for the terminal. */
  clean = g_strdup (text);
  for (char *at = clean; *at != '\0'; at++)
    if ((g_ascii_iscntrl (*at) && *at != '\n' && *at != '\t'))
      *at = ' ';
    /* U+0080 to U+009F: some terminals take these for control sequences too. */
    else if ((guchar) *at == 0xc2 && (guchar) at[1] < 0xa0 && at[1] != '\0')
      at[0] = at[1] = ' ';
  write_out (self, clean, strlen (clean));
}

static void
end_line (Prompt *self)
{
  if (self->in_line)
    write_out (self, "\n", 1);
}

static void
tell_question (const char *text, gpointer data)
{
  Prompt *self = data;

  if (!shares_terminal (self))
    {
      tell (self, "%s", text);
      return;
    }
  end_line (self);
  tell (self, "%s", text);
  /* Who answers ends the line. */
  self->in_line = FALSE;
}

static void
handle_items (GListModel *conversation, guint position, guint removed, guint added, Prompt *self)
{
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (conversation, position + i);
      StintConversationKind kind = stint_conversation_item_get_kind (item);
      g_autofree char *text = stint_text_clean (stint_conversation_item_get_text (item), 500);

      if (kind != STINT_CONVERSATION_ANSWER)
        end_line (self);
      if (kind == STINT_CONVERSATION_TOOL && !self->quiet)
        tell (self, "• %s\n", text);
      /* What has ended it, and how, is told at the end. */
      else if (kind == STINT_CONVERSATION_NOTICE &&
               stint_conversation_item_get_severity (item) != STINT_NOTICE_ERROR &&
               stint_job_get_state (stint_agent_session_get_job (self->session)) !=
                   STINT_JOB_FINISHED)
        tell (self, "! %s\n", text);
    }
}

static void
handle_turn_ended (StintAgentSession *session, const char *reason, Prompt *self)
{
  g_free (self->stop_reason);
  self->stop_reason = g_strdup (reason);
  self->took = g_get_monotonic_time () - self->began;
  end_line (self);
  /* One that is being stopped already, after a signal, would be killed by being stopped again. */
  if (stint_agent_session_get_state (session) != STINT_AGENT_STOPPING)
    stint_agent_session_stop (session);
}

static gboolean
handle_flush_timeout (gpointer data)
{
  Prompt *self = data;

  self->flush_source = 0;
  g_main_loop_quit (self->loop);
  return G_SOURCE_REMOVE;
}

/* A slow reader gets all of it; who has been told to end does not wait for one for long. */
static void
quit_if_done (Prompt *self)
{
  if (stint_agent_session_get_state (self->session) != STINT_AGENT_ENDED ||
      stint_job_list_get_n_active (self->jobs) > 0 || stint_job_list_get_n_saving (self->jobs) > 0)
    return;
  if (self->all_written)
    {
      g_main_loop_quit (self->loop);
      return;
    }
  if (!self->closing)
    stint_cli_writer_close (self->writer);
  self->closing = TRUE;
  if (self->signal_number != 0 && self->flush_source == 0)
    self->flush_source = g_timeout_add (FLUSH_MS, handle_flush_timeout, self);
}

static void
handle_written (gboolean reader_gone, gpointer data)
{
  Prompt *self = data;

  self->all_written = TRUE;
  /* Nobody reads any more: there is no use in going on. */
  if (reader_gone && !self->output_gone && g_strcmp0 (self->json, "-") != 0)
    {
      self->output_gone = TRUE;
      if (self->session != NULL && stint_agent_session_get_state (self->session) < STINT_AGENT_STOPPING)
        stint_agent_session_stop (self->session);
    }
  quit_if_done (self);
}

static void
handle_problem (gpointer source, const GError *error, Prompt *self)
{
  complain ("%s", error->message);
}

static void
handle_save_problem (StintJobList *jobs, StintJob *job, const GError *error, Prompt *self)
{
  complain (_ ("The job was not saved: %s"), error->message);
}

static gboolean
handle_signal (Prompt *self, int number)
{
  if (self->signal_number == 0)
    self->signal_number = number;
  if (stint_agent_session_get_state (self->session) == STINT_AGENT_ENDED)
    quit_if_done (self);
  else
    stint_agent_session_stop (self->session);
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

/* The result */

static int
get_status (Prompt *self)
{
  const char *reason = self->stop_reason;

  if (self->signal_number != 0)
    return STINT_EXIT_SIGNAL_BASE + self->signal_number;
  /* Whatever the agent made of it: what it said has not been heard. */
  if (self->output_gone)
    return STINT_EXIT_SIGNAL_BASE + SIGINT;
  if (self->output_cut)
    return STINT_EXIT_OWN_FAILURE;
  if (g_strcmp0 (reason, "end_turn") == 0)
    return 0;
  if (g_strcmp0 (reason, "timeout") == 0 || g_strcmp0 (reason, "idle-timeout") == 0)
    return STINT_EXIT_LIMIT;
  if (g_strcmp0 (reason, "cancelled") == 0)
    return STINT_EXIT_SIGNAL_BASE + SIGINT;
  if (reason == NULL)
    {
      StintResult *result = stint_job_get_result (stint_agent_session_get_job (self->session));

      /* It never came as far as a turn. */
      if (result != NULL && result->reason == STINT_REASON_FAILED)
        return stint_result_get_exit_status (result);
      if (stint_agent_session_get_stop_cause (self->session) == STINT_REASON_TIMEOUT)
        return STINT_EXIT_LIMIT;
    }
  return 1;
}

static void
set_string (JsonObject *object, const char *name, const char *value)
{
  if (value != NULL)
    json_object_set_string_member (object, name, value);
  else
    json_object_set_null_member (object, name);
}

static gboolean
write_json (Prompt *self)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  g_autoptr (JsonObject) object = json_object_new ();
  StintJob *job = stint_agent_session_get_job (self->session);
  g_autofree char *text = NULL, *line = NULL;
  gsize length;

  if (self->json_fd < 0)
    return TRUE;
  json_node_set_object (node, object);
  json_object_set_int_member (object, "id", (gint64) stint_job_get_id (job));
  set_string (object, "agent",
              stint_conversation_get_agent (stint_agent_session_get_conversation (self->session)));
  set_string (object, "sessionId", stint_agent_session_get_session_id (self->session));
  set_string (object, "stopReason", self->stop_reason);
  json_object_set_string_member (object, "answer", self->answer->str);
  json_object_set_int_member (object, "durationMs", self->took / 1000);
  json_object_set_int_member (object, "exitStatus", get_status (self));
  set_string (object, "usage", stint_agent_session_get_usage (self->session));
  set_string (object, "error",
              g_strcmp0 (self->stop_reason, "end_turn") == 0
                  ? NULL
                  : stint_agent_session_get_error (self->session));
  set_string (object, "directory", self->no_history ? NULL : stint_job_get_directory (job));
  text = stint_json_to_text (node, TRUE);
  line = g_strconcat (text, "\n", NULL);
  length = strlen (line);
  for (gsize done = 0; done < length;)
    {
      ssize_t n = write (self->json_fd, line + done, length - done);

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

static gboolean
open_json (Prompt *self)
{
  if (self->json == NULL)
    return TRUE;
  self->json_fd = g_str_equal (self->json, "-")
                      ? fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3)
                      : g_open (self->json, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (self->json_fd >= 0)
    return TRUE;
  complain (_ ("Cannot write the result to “%s”: %s"), self->json, g_strerror (errno));
  return FALSE;
}

/* What the exit status alone does not say. */
static void
tell_ending (Prompt *self)
{
  const char *error = stint_agent_session_get_error (self->session);

  if (g_strcmp0 (self->stop_reason, "end_turn") == 0)
    return;
  if (self->stop_reason == NULL)
    complain ("%s", error != NULL ? error : _ ("The agent ended before it could be asked"));
  else if (error != NULL &&
           (g_str_equal (self->stop_reason, "error") || g_str_equal (self->stop_reason, "ended")))
    /* Translators: how a turn ended, and why */
    complain (_ ("%s: %s"), stint_stop_reason_to_words (self->stop_reason), error);
  else
    complain ("%s", stint_stop_reason_to_words (self->stop_reason));
}

static StintJobStore *
open_store (Prompt *self)
{
  StintHistory *history;

  if (self->no_history)
    return stint_scratch_store_new ();
  history = stint_history_new (NULL);
  g_signal_connect (history, "problem", G_CALLBACK (handle_problem), self);
  return STINT_JOB_STORE (history);
}

static gboolean
start (Prompt *self, const char *text, StintAgentPolicy policy, gboolean ask, GError **error)
{
  g_autoptr (StintAgentProfiles) profiles = stint_agent_profiles_new (NULL);
  g_autoptr (StintAgentProfile) profile = stint_agent_profiles_find (profiles, self->agent);
  g_autofree char *here = stint_current_directory_dup_for (self->directory, error);
  g_autofree char *directory = NULL;
  const struct
  {
    int number;
    GSourceFunc func;
  } watched[] = { { SIGTERM, handle_sigterm },
                  { SIGINT, handle_sigint },
                  { SIGHUP, handle_sighup } };
  StintConversation *conversation;

  if (here == NULL)
    return FALSE;
  directory = g_canonicalize_filename (self->directory != NULL ? self->directory : here, here);
  self->store = open_store (self);
  self->jobs = stint_job_list_new (self->store);
  self->session = stint_agent_session_new (self->jobs, profile, directory);
  conversation = stint_agent_session_get_conversation (self->session);
  stint_agent_session_set_limits (self->session, &self->limits);
  stint_agent_session_set_policy (self->session, policy);
  g_signal_connect (conversation, "item-appended", G_CALLBACK (handle_appended), self);
  g_signal_connect (conversation, "items-changed", G_CALLBACK (handle_items), self);
  g_signal_connect (self->session, "turn-ended", G_CALLBACK (handle_turn_ended), self);
  g_signal_connect_swapped (self->session, "notify::state", G_CALLBACK (quit_if_done), self);
  g_signal_connect_swapped (self->jobs, "notify::n-active", G_CALLBACK (quit_if_done), self);
  g_signal_connect (self->jobs, "problem", G_CALLBACK (handle_save_problem), self);
  self->ask = stint_cli_ask_new (self->session, ask ? STDIN_FILENO : -1, tell_question, self);

  for (guint i = 0; i < G_N_ELEMENTS (watched); i++)
    {
      struct sigaction action;

      if (sigaction (watched[i].number, NULL, &action) != 0 || action.sa_handler != SIG_IGN)
        self->sources[i] = g_unix_signal_add_full (G_PRIORITY_HIGH, watched[i].number,
                                                   watched[i].func, self, NULL);
    }
  self->began = g_get_monotonic_time ();
  stint_agent_session_prompt_text (self->session, text);
  return stint_agent_session_start (self->session, error);
}

static void
prompt_clear (Prompt *self)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->sources); i++)
    g_clear_handle_id (&self->sources[i], g_source_remove);
  g_clear_handle_id (&self->flush_source, g_source_remove);
  g_clear_pointer (&self->ask, stint_cli_ask_free);
  g_clear_pointer (&self->writer, stint_cli_writer_free);
  if (self->session != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->session, self);
      g_signal_handlers_disconnect_by_data (stint_agent_session_get_conversation (self->session),
                                            self);
    }
  if (self->jobs != NULL)
    g_signal_handlers_disconnect_by_data (self->jobs, self);
  g_clear_object (&self->session);
  g_clear_object (&self->jobs);
  if (STINT_IS_HISTORY (self->store) && !stint_history_close (STINT_HISTORY (self->store)))
    complain (_ ("The history does not answer; the job is completed in it at the next start"));
  g_clear_object (&self->store);
  g_clear_pointer (&self->loop, g_main_loop_unref);
  if (self->json_fd >= 0)
    close (self->json_fd);
  g_string_free (self->answer, TRUE);
  g_free (self->stop_reason);
  g_free (self->agent);
  g_free (self->permissions);
  g_free (self->json);
  g_free (self->directory);
  g_free (self->turn);
  g_free (self->idle);
  g_free (self->start);
  g_free (self->grace);
  g_strfreev (self->words);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Prompt, prompt_clear)

static int
run (Prompt *self)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  StintAgentPolicy policy;
  gboolean ask;

  if (!take_limits (self, &error) || !take_policy (self, &policy, &ask, &error) ||
      (text = read_text (self, &error)) == NULL)
    {
      complain ("%s", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (!open_json (self))
    return STINT_EXIT_OWN_FAILURE;

  /* GLib does not, before 2.81, and a reader that goes away must not end us. */
  signal (SIGPIPE, SIG_IGN);
  stint_descriptors_raise_limit ();
  self->loop = g_main_loop_new (NULL, FALSE);
  self->writer = stint_cli_writer_new (STDOUT_FILENO, MOST_UNREAD, handle_written, self, &error);
  if (self->writer == NULL || !start (self, text, policy, ask, &error))
    {
      complain ("%s", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  g_main_loop_run (self->loop);
  tell_ending (self);
  return write_json (self) ? get_status (self) : STINT_EXIT_OWN_FAILURE;
}

int
stint_cli_prompt (const char *const *argv)
{
  g_auto (Prompt) self = { .json_fd = -1, .answer = g_string_new (NULL) };
  g_autoptr (GOptionContext) context = make_context (&self);
  g_autoptr (GPtrArray) words = g_ptr_array_new_with_free_func (g_free);
  g_auto (GStrv) args = NULL;
  g_autoptr (GError) error = NULL;

  g_ptr_array_add (words, g_strdup ("stintctl prompt"));
  for (guint i = 0; argv[i] != NULL; i++)
    g_ptr_array_add (words, g_strdup (argv[i]));
  g_ptr_array_add (words, NULL);
  args = (char **) g_ptr_array_steal (words, NULL);

  if (!g_option_context_parse_strv (context, &args, &error))
    {
      complain (_ ("%s; see stintctl prompt --help"), error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (self.help)
    {
      g_autofree char *help = g_option_context_get_help (context, TRUE, NULL);

      g_set_prgname ("stintctl prompt");
      g_print ("%s", help);
      return 0;
    }
  if (self.agent == NULL)
    {
      complain (_ ("Which agent? Say --agent and a name or a command; see stintctl prompt --help"));
      return STINT_EXIT_OWN_FAILURE;
    }
  return run (&self);
}
