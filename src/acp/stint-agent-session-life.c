/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The life of a StintAgentSession, from its job's start to its end: the pipes, the connection, the
 * conversation and its narration, and what each of them needs to know of the others.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-session-private.h"

#include "stint-units.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* After the job's end, for what is still in the pipe. */
#define CLOSE_TIMEOUT_MS 2000

/* Of what the agent wrote to stderr, when it ends badly. */
#define STDERR_TAIL 2000

/* A protocol's pipe that holds much is read and written with few system calls. */
#define PIPE_SIZE (1024 * 1024)

/* Sessions by their jobs; neither is held. */
static GHashTable *sessions;

/* The end */

static void
add_stderr (StintAgentSession *self, GString *text)
{
  StintTranscript *transcript = stint_job_get_transcript (self->job);
  g_autoptr (GBytes) bytes = NULL;
  g_autofree char *tail = NULL;
  gsize size;
  const char *data;

  if (transcript != NULL)
    bytes = stint_reader_read_stream (stint_transcript_get_reader (transcript), STINT_STREAM_STDERR,
                                      STDERR_TAIL, NULL);
  data = bytes != NULL ? g_bytes_get_data (bytes, &size) : NULL;
  if (data == NULL || size == 0)
    return;
  tail = g_utf8_make_valid (data, (gssize) size);
  g_strchomp (tail);
  g_string_append_printf (text, "\n%s", tail);
}

static const char *
name_end (StintAgentSession *self)
{
  switch (self->lost ? STINT_REASON_NONE : self->stop_cause)
    {
    case STINT_REASON_TIMEOUT:
      return "timeout";
    case STINT_REASON_IDLE_TIMEOUT:
      return "idle-timeout";
    case STINT_REASON_NONE:
      return "ended";
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
    case STINT_REASON_EXITED:
    case STINT_REASON_SIGNALED:
    case STINT_REASON_FAILED:
    case STINT_REASON_INTERRUPTED:
    default:
      return "cancelled";
    }
}

/* What became of a turn that the agent did not end itself. */
static void
note_end (StintAgentSession *self, const char *sentence)
{
  g_autoptr (GString) text = g_string_new (sentence);
  JsonObject *note = json_object_new ();

  if (self->lost || self->stop_cause == STINT_REASON_NONE)
    add_stderr (self, text);
  json_object_set_string_member (note, "stop", name_end (self));
  json_object_set_string_member (note, "text", text->str);
  stint_agent_session_note (self, note);
}

/* Why there is no session the agent tells its stderr, often alone; all of it is there only now. */
static void
note_failed_start (StintAgentSession *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autofree char *notice = NULL;

  add_stderr (self, text);
  if (text->len == 0)
    return;
  /* Translators: %s is what a program has written, of several lines. */
  notice = g_strdup_printf (_ ("The agent has written:%s"), text->str);
  stint_agent_session_note_notice (self, STINT_NOTICE_WARNING, notice);
  g_string_prepend (text, self->error);
  stint_agent_session_set_error (self, text->str);
}

static void
end (StintAgentSession *self)
{
  g_autoptr (StintAgentSession) alive = g_object_ref (self);
  g_autofree char *sentence = stint_result_dup_sentence (stint_job_get_result (self->job));
  gboolean in_turn = self->in_turn;

  if (self->state == STINT_AGENT_ENDED)
    return;
  g_clear_handle_id (&self->start_source, g_source_remove);
  g_clear_handle_id (&self->step_source, g_source_remove);
  g_clear_handle_id (&self->close_source, g_source_remove);
  stint_agent_session_take_back (self);
  if (in_turn)
    note_end (self, sentence);
  else if (self->failed_start)
    note_failed_start (self);
  else if (self->lost || (self->error == NULL && !self->starts_again &&
                          self->stop_cause == STINT_REASON_NONE && !self->probes))
    {
      g_autoptr (GString) text = g_string_new (sentence);

      add_stderr (self, text);
      stint_agent_session_note_notice (self, STINT_NOTICE_WARNING, text->str);
    }
  if (self->error == NULL || self->lost)
    stint_agent_session_set_error (self, sentence);
  stint_agent_session_withdraw_all (self);
  if (self->terminals != NULL)
    stint_agent_terminals_end (self->terminals);
  stint_agent_session_set_state (self, STINT_AGENT_ENDED);
  if (in_turn)
    stint_agent_session_end_turn (self, name_end (self));
  g_cancellable_cancel (self->cancellable);
  stint_agent_session_check_log (self);
  if (self->connection != NULL)
    stint_acp_connection_close (self->connection);
  if (self->narrator != NULL)
    stint_narrator_close (self->narrator);
  g_hash_table_remove (sessions, self->job);
  if (self->starts_again)
    stint_agent_session_start_again (self);
  g_object_unref (self);
}

static gboolean
handle_close_timeout (gpointer data)
{
  StintAgentSession *self = data;

  self->close_source = 0;
  end (self);
  return G_SOURCE_REMOVE;
}

static void
handle_closed (StintAcpConnection *connection, const GError *error, StintAgentSession *self)
{
  if (stint_job_get_state (self->job) == STINT_JOB_FINISHED)
    end (self);
  else if (!stint_agent_session_is_over (self))
    {
      /* It says nothing any more, so it is of no use. It may be ending by itself just now. */
      stint_agent_session_set_error (self, error->message);
      self->lost = TRUE;
      stint_agent_session_stop_for (self, STINT_REASON_NONE, STINT_AGENT_STEP_CLOSE_INPUT);
    }
}

/* The connection */

static gboolean
handle_request (StintAcpConnection *connection, StintAcpRequest *request, StintAgentSession *self)
{
  return stint_agent_session_handle_request (self, request);
}

static void
handle_notification (StintAcpConnection *connection,
                     const char *method,
                     JsonNode *params,
                     StintAgentSession *self)
{
  stint_agent_session_handle_notification (self, method, params);
}

static void
handle_message (StintAcpConnection *connection,
                int direction,
                gint64 time,
                JsonNode *message,
                StintAgentSession *self)
{
  stint_conversation_feed (self->conversation, (StintAcpDirection) direction, time, message);
}

static void
handle_terminal (StintAgentTerminals *terminals,
                 const char *id,
                 StintJob *job,
                 StintAgentSession *self)
{
  JsonObject *note = json_object_new (), *terminal = json_object_new ();

  json_object_set_string_member (terminal, "terminalId", id);
  json_object_set_int_member (terminal, "jobId", (gint64) stint_job_get_id (job));
  json_object_set_object_member (note, "terminal", terminal);
  stint_agent_session_note (self, note);
}

static void
handle_written (StintAgentFiles *files,
                const char *path,
                const char *old_text,
                const char *new_text,
                StintAgentSession *self)
{
  JsonObject *note = json_object_new (), *written = json_object_new ();

  json_object_set_string_member (written, "path", path);
  if (old_text != NULL)
    json_object_set_string_member (written, "oldText", old_text);
  json_object_set_string_member (written, "newText", new_text);
  json_object_set_object_member (note, "write", written);
  stint_agent_session_note (self, note);
}

static gboolean
handle_outside (StintAgentFiles *files,
                StintAcpRequest *request,
                const char *path,
                StintAgentSession *self)
{
  return stint_agent_session_handle_outside (self, request, path);
}

/* Microseconds that the agent could have run and was not let: where others have the processors a niced
 * job gets ready late, and that is no fault of its own. 0: not known. */
static gint64
get_held_up (StintAgentSession *self)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/schedstat", stint_job_get_pid (self->job));
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;

  /* Of the kernel's, and so read at once. */
  if (!g_file_get_contents (path, &text, NULL, NULL))
    return 0;
  fields = g_strsplit (text, " ", 3);
  if (fields[0] == NULL || fields[1] == NULL)
    return 0;
  return (gint64) (g_ascii_strtoull (fields[1], NULL, 10) / 1000);
}

static gboolean handle_start_timeout (gpointer data);

static void
wait_for_start (StintAgentSession *self, gint64 usec)
{
  self->start_source =
      g_timeout_add ((guint) CLAMP (usec / 1000 + 1, 1, G_MAXUINT), handle_start_timeout, self);
}

static gboolean
handle_start_timeout (gpointer data)
{
  StintAgentSession *self = data;
  gint64 left =
      self->started_at + self->limits.start + get_held_up (self) - g_get_monotonic_time ();
  g_autofree char *limit = stint_duration_format_words (self->limits.start);
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;

  self->start_source = 0;
  if (left > 0)
    {
      wait_for_start (self, left);
      return G_SOURCE_REMOVE;
    }
  /* Translators: %s is a duration, such as "30 s" */
  text = g_strdup_printf (_ ("The agent did not get ready within %s"), limit);
  error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_TIMED_OUT, text);
  self->failed_start = TRUE;
  stint_agent_session_set_error (self, text);
  stint_agent_session_note_notice (self, STINT_NOTICE_ERROR, text);
  stint_agent_session_emit_problem (self, error);
  stint_agent_session_stop_for (self, STINT_REASON_TIMEOUT, STINT_AGENT_STEP_CLOSE_INPUT);
  return G_SOURCE_REMOVE;
}

void
stint_agent_session_connect (StintAgentSession *self)
{
  self->connection =
      stint_acp_connection_new (g_steal_fd (&self->read_fd), g_steal_fd (&self->write_fd),
                                stint_job_get_directory (self->job));
  g_signal_connect_object (self->connection, "message", G_CALLBACK (handle_message), self, 0);
  g_signal_connect_object (self->connection, "request", G_CALLBACK (handle_request), self, 0);
  g_signal_connect_object (self->connection, "notification", G_CALLBACK (handle_notification), self,
                           0);
  g_signal_connect_object (self->connection, "closed", G_CALLBACK (handle_closed), self, 0);
  self->narrator = stint_narrator_new (self->conversation, g_steal_fd (&self->narration_fd));
  self->terminals =
      stint_agent_terminals_new (self->jobs, stint_job_get_id (self->job), self->directory,
                                 self->limits.terminal, self->limits.terminal_idle);
  stint_agent_terminals_set_wishes (self->terminals, self->wishes);
  g_signal_connect_object (self->terminals, "created", G_CALLBACK (handle_terminal), self, 0);
  g_signal_connect_object (self->terminals, "changed",
                           G_CALLBACK (stint_agent_session_note_activity), self, G_CONNECT_SWAPPED);
  self->started_at = g_get_monotonic_time ();
  if (self->limits.start > 0)
    wait_for_start (self, self->limits.start);
  stint_agent_session_initialize (self);
}

/* The job */

/* Not by the session's own steps, whose SIGTERM and SIGKILL are after the end of its input. */
static gboolean
is_stopped_by_others (StintAgentSession *self)
{
  StintReason reason = stint_job_get_stop_reason (self->job);

  return reason != STINT_REASON_NONE &&
         (self->step < STINT_AGENT_STEP_TERMINATE || reason != STINT_REASON_TERMINATED);
}

static void
handle_job_state (StintJob *job, GParamSpec *pspec, StintAgentSession *self)
{
  switch (stint_job_get_state (job))
    {
    case STINT_JOB_RUNNING:
      if (self->connection == NULL)
        stint_agent_session_connect (self);
      break;
    case STINT_JOB_STOPPING:
      /* Somebody has stopped the job itself, or its process has left others behind. */
      if (self->stop_cause == STINT_REASON_NONE)
        self->stop_cause = stint_job_get_stop_reason (job);
      if (is_stopped_by_others (self))
        stint_agent_session_stay_ended (self);
      if (!stint_agent_session_is_over (self))
        {
          stint_agent_session_withdraw_all (self);
          stint_agent_session_set_state (self, STINT_AGENT_STOPPING);
        }
      break;
    case STINT_JOB_FINISHED:
      if (self->connection == NULL || stint_acp_connection_is_closed (self->connection))
        end (self);
      else if (self->close_source == 0)
        self->close_source = g_timeout_add (CLOSE_TIMEOUT_MS, handle_close_timeout, self);
      break;
    case STINT_JOB_QUEUED:
    case STINT_JOB_STARTING:
    default:
      break;
    }
}

static gboolean
open_pipes (StintAgentSession *self, StintStdio *stdio, GError **error)
{
  int input[2], output[2], narration[2];

  if (!g_unix_open_pipe (input, FD_CLOEXEC, error))
    return FALSE;
  stdio->stdin_fd = input[0];
  self->write_fd = input[1];
  if (!g_unix_open_pipe (output, FD_CLOEXEC, error))
    return FALSE;
  self->read_fd = output[0];
  stdio->stdout_fd = output[1];
  if (!g_unix_open_pipe (narration, FD_CLOEXEC, error))
    return FALSE;
  stdio->narration_fd = narration[0];
  self->narration_fd = narration[1];
  /* Failing to is no loss. */
  fcntl (self->write_fd, F_SETPIPE_SZ, PIPE_SIZE);
  fcntl (self->read_fd, F_SETPIPE_SZ, PIPE_SIZE);
  fcntl (self->narration_fd, F_SETPIPE_SZ, PIPE_SIZE);
  return TRUE;
}

static gboolean
add_environ (StintJobSpec *spec, const char *const *changes, GError **error)
{
  for (guint i = 0; changes[i] != NULL; i++)
    if (!(strchr (changes[i], '=') != NULL ? stint_job_spec_add_env (spec, changes[i], error)
                                           : stint_job_spec_unset_env (spec, changes[i], error)))
      return FALSE;
  return TRUE;
}

gboolean
stint_agent_session_apply_environ (StintAgentSession *self, StintJobSpec *spec, GError **error)
{
  const char *const *changes =
      self->wishes != NULL ? stint_job_spec_get_env_changes (self->wishes) : NULL;

  if (self->wishes != NULL && stint_job_spec_has_environ (self->wishes))
    {
      g_auto (GStrv) environ = stint_job_spec_dup_environ (self->wishes, 0);

      stint_job_spec_resolve (spec, NULL, NULL, (const char *const *) environ);
    }
  for (guint i = 0; changes != NULL && changes[i] != NULL; i++)
    {
      g_autofree char *name = g_strndup (changes[i], strcspn (changes[i], "="));

      if (stint_job_spec_is_secret (self->wishes, name))
        stint_job_spec_mark_secret (spec, name);
    }
  return add_environ (spec, stint_agent_profile_get_environ (self->profile), error) &&
         (changes == NULL || add_environ (spec, changes, error));
}

static void
apply_wishes (StintAgentSession *self, StintJobSpec *spec)
{
  StintJobSpec *wishes = self->wishes;
  const char *const *tags = stint_job_spec_get_tags (wishes);

  for (guint i = 0; tags[i] != NULL; i++)
    stint_job_spec_add_tag (spec, tags[i]);
  if (stint_job_spec_has_niceness (wishes))
    stint_job_spec_set_niceness (spec, stint_job_spec_get_niceness (wishes));
  stint_job_spec_set_output_limit (spec, stint_job_spec_get_output_limit (wishes));
  stint_job_spec_set_leftovers (spec, stint_job_spec_get_leftovers (wishes));
  stint_job_spec_set_keep (spec, stint_job_spec_get_keep (wishes));
  if (stint_job_spec_get_start_at (wishes) > 0)
    stint_job_spec_set_start_at (spec, stint_job_spec_get_start_at (wishes));
  else
    stint_job_spec_set_start_delay (spec, stint_job_spec_get_start_delay (wishes));
  for (guint i = 0; i < stint_job_spec_get_n_then (wishes); i++)
    {
      StintThen when;
      const char *line = stint_job_spec_get_then (wishes, i, &when);

      stint_job_spec_add_then (spec, when, line);
    }
}

static StintJobSpec *
make_spec (StintAgentSession *self, GError **error)
{
  g_auto (GStrv) argv = stint_agent_profile_dup_argv (self->profile, error);
  g_autoptr (StintJobSpec) spec = NULL;

  if (argv == NULL)
    return NULL;
  spec = stint_job_spec_new (STINT_JOB_KIND_AGENT, (const char *const *) argv);
  stint_job_spec_set_session (spec, TRUE);
  stint_job_spec_set_name (spec, self->name != NULL ? self->name
                                                    : stint_agent_profile_get_name (self->profile));
  stint_job_spec_set_directory (spec, self->directory);
  stint_job_spec_set_timeout (spec, self->timeout);
  /* No idle limit: silence has three meanings here, which the session tells apart. */
  stint_job_spec_set_grace (spec, self->limits.cancel_grace);
  if (self->wishes != NULL)
    apply_wishes (self, spec);
  if (!stint_agent_session_apply_environ (self, spec, error))
    return NULL;
  return g_steal_pointer (&spec);
}

gboolean
stint_agent_session_start (StintAgentSession *self, GError **error)
{
  StintStdio stdio = STINT_STDIO_NONE;
  g_autoptr (StintJobSpec) spec = NULL;
  StintJob *job = NULL;

  g_return_val_if_fail (STINT_IS_AGENT_SESSION (self) && self->job == NULL, FALSE);

  spec = make_spec (self, error);
  if (spec == NULL)
    return FALSE;
  if (open_pipes (self, &stdio, error))
    job = stint_job_list_submit (self->jobs, spec, &stdio, error);
  stint_stdio_close (&stdio);
  if (job == NULL)
    return FALSE;

  g_ptr_array_add (self->directories, NULL);
  self->files = stint_agent_files_new ((const char *const *) self->directories->pdata);
  g_signal_connect_object (self->files, "outside", G_CALLBACK (handle_outside), self, 0);
  g_signal_connect_object (self->files, "written", G_CALLBACK (handle_written), self, 0);
  if (sessions == NULL)
    sessions = g_hash_table_new (NULL, NULL);
  g_hash_table_insert (sessions, job, self);
  g_object_ref (self); /* until end() */
  g_signal_connect_object (job, "notify::state", G_CALLBACK (handle_job_state), self, 0);
  stint_agent_session_take_job (self, job);
  return TRUE;
}

StintAgentSession *
stint_agent_session_for_job (StintJob *job)
{
  return sessions != NULL ? g_hash_table_lookup (sessions, job) : NULL;
}

/* Another agent's sessions may have the same ids. */
static gboolean
is_of_agent (StintAgentSession *self, StintAgentProfile *profile)
{
  return g_strcmp0 (stint_agent_profile_get_command (self->profile),
                    stint_agent_profile_get_command (profile)) == 0;
}

StintAgentSession *
stint_agent_session_find (StintAgentProfile *profile, const char *session_id)
{
  GHashTableIter iter;
  gpointer value;

  g_return_val_if_fail (STINT_IS_AGENT_PROFILE (profile), NULL);
  g_return_val_if_fail (session_id != NULL, NULL);

  if (sessions == NULL)
    return NULL;
  g_hash_table_iter_init (&iter, sessions);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    {
      StintAgentSession *self = value;
      const char *id = self->session_id != NULL ? self->session_id : self->wanted_id;

      if (g_strcmp0 (id, session_id) == 0 && is_of_agent (self, profile))
        return self;
    }
  return NULL;
}
