/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The terminals of a session. Decided here, where the protocol says nothing:
 *
 * - A terminal is a pty with no input: what asks a question fails instead of hanging. No pager.
 * - `command` alone is a program if there is one of that name, else a line for the shell.
 * - A terminal has ended when its job has: its command has been reaped, its output is whole, and
 *   what the command left behind has been ended (a background child does not hold it up for longer
 *   than the short grace).
 * - `kill` is SIGTERM, then SIGKILL after the same short grace, to the whole tree, and is answered
 *   when it has ended. `release` does the same and is answered at once; who waits is answered with
 *   how it ended.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-terminals.h"

#include "stint-terminal-output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* Agents wait for the answer to `kill` within their own time limits. */
#define GRACE (1500 * G_TIME_SPAN_MILLISECOND)

/* What makes a line one for the shell, if no program has that name. */
#define SHELL_SYNTAX " \t\n|&;<>()$`\\\"'*?[#~=%{"

struct _StintAgentTerminals
{
  GObject parent_instance;

  StintJobList *jobs;
  guint64 parent;
  char *directory;
  StintJobSpec *wishes; /* (nullable) */
  gint64 timeout;
  gint64 idle_timeout;

  GHashTable *terminals; /* Terminal by id */
  guint next_id;
  guint n_running;
};

/* Lives while it is in the table or somebody waits for it. */
typedef struct
{
  char *id;
  StintJob *job;
  guint64 limit; /* of its output, in bytes */
} Terminal;

enum
{
  SIGNAL_CREATED,
  SIGNAL_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAgentTerminals, stint_agent_terminals, G_TYPE_OBJECT)

static void
terminal_clear (gpointer data)
{
  Terminal *terminal = data;

  g_free (terminal->id);
  g_clear_object (&terminal->job);
}

static void
terminal_unref (gpointer terminal)
{
  g_rc_box_release_full (terminal, terminal_clear);
}

static JsonNode *
object_node (JsonObject **object)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);

  *object = json_object_new ();
  json_node_take_object (node, *object);
  return node;
}

/* How it ended: a code or a signal, and never both. */
static void
add_exit_status (JsonObject *object, const StintResult *result)
{
  if (result->has_exit_code)
    json_object_set_int_member (object, "exitCode", result->exit_code);
  else
    json_object_set_null_member (object, "exitCode");

  if (!result->has_exit_code && result->term_signal != 0)
    {
      g_autofree char *name = stint_signal_dup_name (result->term_signal);

      json_object_set_string_member (object, "signal", name);
    }
  else
    {
      json_object_set_null_member (object, "signal");
    }
}

/* create */

static gboolean
is_program (const char *command)
{
  g_autofree char *path = g_find_program_in_path (command);

  return path != NULL;
}

static StintJobSpec *
make_spec (const char *command, JsonArray *args)
{
  guint n = args != NULL ? json_array_get_length (args) : 0;
  g_autoptr (GPtrArray) argv = NULL;

  if (n == 0 && strpbrk (command, SHELL_SYNTAX) != NULL && !is_program (command))
    return stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, command);

  argv = g_ptr_array_new ();
  g_ptr_array_add (argv, (gpointer) command);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (argv, (gpointer) json_array_get_string_element (args, i));
  g_ptr_array_add (argv, NULL);
  return stint_job_spec_new (STINT_JOB_KIND_SHELL, (const char *const *) argv->pdata);
}

static gboolean
are_strings (JsonArray *array)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonNode *node = json_array_get_element (array, i);

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_value_type (node) != G_TYPE_STRING)
        return FALSE;
    }
  return TRUE;
}

static gboolean
add_environ (StintJobSpec *spec, JsonArray *env, GError **error)
{
  /* Nobody is there to leave a pager. */
  stint_job_spec_add_env (spec, "PAGER=", NULL);
  stint_job_spec_add_env (spec, "GIT_PAGER=cat", NULL);
  for (guint i = 0; env != NULL && i < json_array_get_length (env); i++)
    {
      JsonObject *variable = stint_acp_array_object (env, i);
      const char *name = stint_acp_get_string (variable, "name");
      const char *value = stint_acp_get_string (variable, "value");
      g_autofree char *change = NULL;

      if (name == NULL || value == NULL)
        continue;
      change = g_strdup_printf ("%s=%s", name, value);
      if (!stint_job_spec_add_env (spec, change, error))
        return FALSE;
    }
  return TRUE;
}

/* Inherited, and so kept nowhere: some of it may be secret. */
static void
apply_wishes (StintJobSpec *wishes, StintJobSpec *spec)
{
  g_auto (GStrv) environ = stint_job_spec_dup_environ (wishes, 0);

  environ = g_environ_setenv (environ, "PWD", stint_job_spec_get_directory (spec), TRUE);
  stint_job_spec_resolve (spec, NULL, NULL, (const char *const *) environ);
  if (stint_job_spec_has_niceness (wishes))
    stint_job_spec_set_niceness (spec, stint_job_spec_get_niceness (wishes));
  stint_job_spec_set_keep (spec, stint_job_spec_get_keep (wishes));
}

/* Returns: (transfer full) (nullable): the spec; else the request has been answered. */
static StintJobSpec *
read_spec (StintAgentTerminals *self, StintAcpRequest *request)
{
  JsonObject *params = stint_acp_request_get_params (request);
  const char *command = stint_acp_get_string (params, "command");
  const char *cwd = stint_acp_get_string (params, "cwd");
  JsonArray *args = stint_acp_get_array (params, "args");
  g_autoptr (StintJobSpec) spec = NULL;
  g_autoptr (GError) error = NULL;

  if (command == NULL || *command == '\0' || !are_strings (args))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS,
                                      "command, args: must be strings");
      return NULL;
    }
  if (stint_acp_request_has_nul (request))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "command: holds U+0000");
      return NULL;
    }
  if (cwd != NULL && !g_path_is_absolute (cwd))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "cwd: must be absolute");
      return NULL;
    }

  spec = make_spec (command, args);
  stint_job_spec_set_tty (spec, TRUE);
  stint_job_spec_set_directory (spec, cwd != NULL ? cwd : self->directory);
  stint_job_spec_set_parent (spec, self->parent);
  stint_job_spec_set_timeout (spec, self->timeout);
  stint_job_spec_set_idle_timeout (spec, self->idle_timeout);
  stint_job_spec_set_grace (spec, GRACE);
  if (self->wishes != NULL)
    apply_wishes (self->wishes, spec);
  if (!add_environ (spec, stint_acp_get_array (params, "env"), &error))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "env: %s", error->message);
      return NULL;
    }
  return g_steal_pointer (&spec);
}

static StintJob *
submit (StintAgentTerminals *self, StintJobSpec *spec, GError **error)
{
  StintStdio stdio = STINT_STDIO_NONE;
  StintJob *job;

  stdio.stdin_fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  job = stint_job_list_submit (self->jobs, spec, &stdio, error);
  stint_stdio_close (&stdio);
  return job;
}

static void
handle_ended (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (StintAgentTerminals) self = data;
  g_autoptr (StintResult) ended = stint_job_wait_finish (STINT_JOB (source), result, NULL);

  self->n_running--;
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);
}

/* Whom to answer once the command runs, or has been seen not to. */
typedef struct
{
  StintAgentTerminals *self;
  Terminal *terminal;
  StintAcpRequest *request;
  gboolean told;
} Creation;

static void
creation_free (gpointer data, GClosure *closure)
{
  Creation *creation = data;

  g_object_unref (creation->self);
  terminal_unref (creation->terminal);
  g_object_unref (creation->request);
  g_free (creation);
}

static void
tell_created (Creation *creation)
{
  StintAgentTerminals *self = creation->self;
  JsonObject *object;
  JsonNode *node;

  if (creation->told)
    return;
  creation->told = TRUE;
  g_signal_emit (self, signals[SIGNAL_CREATED], 0, creation->terminal->id, creation->terminal->job);
  /* An agent that no longer wants it never learns its id. */
  if (stint_acp_request_is_answered (creation->request))
    {
      g_hash_table_remove (self->terminals, creation->terminal->id);
      stint_job_stop (creation->terminal->job, STINT_REASON_CANCELLED, GRACE);
      return;
    }
  node = object_node (&object);
  json_object_set_string_member (object, "terminalId", creation->terminal->id);
  stint_acp_request_return (creation->request, node);
}

static void
handle_creation (StintJob *job, GParamSpec *pspec, Creation *creation)
{
  StintJobState state = stint_job_get_state (job);
  const StintResult *result = stint_job_get_result (job);

  if (creation->told || state < STINT_JOB_RUNNING)
    return;
  if (state == STINT_JOB_FINISHED && result->reason == STINT_REASON_FAILED)
    {
      creation->told = TRUE;
      g_hash_table_remove (creation->self->terminals, creation->terminal->id);
      stint_acp_request_return_error (creation->request, STINT_ACP_INTERNAL_ERROR, "%s",
                                      result->error != NULL ? result->error
                                                            : "The command cannot be run");
    }
  else
    {
      tell_created (creation);
    }
  /* It holds the job, which holds it. */
  g_signal_handlers_disconnect_by_data (job, creation);
}

static void
create (StintAgentTerminals *self, StintAcpRequest *request)
{
  JsonObject *params = stint_acp_request_get_params (request);
  g_autoptr (StintJobSpec) spec = read_spec (self, request);
  g_autoptr (GError) error = NULL;
  g_autoptr (StintJob) job = NULL;
  Terminal *terminal;
  Creation *creation;
  gint64 limit;

  if (spec == NULL)
    return;
  job = submit (self, spec, &error);
  if (job == NULL)
    {
      stint_acp_request_return_error (request, STINT_ACP_INTERNAL_ERROR, "%s", error->message);
      return;
    }

  terminal = g_rc_box_new0 (Terminal);
  terminal->id = g_strdup_printf ("term_%u", ++self->next_id);
  terminal->job = g_object_ref (job);
  limit = stint_acp_get_int (params, "outputByteLimit", STINT_TERMINAL_OUTPUT_CEILING);
  /* What does not fit into 63 bits comes out of json-glib as negative: no limit is meant. */
  terminal->limit = limit >= 0 ? (guint64) limit : STINT_TERMINAL_OUTPUT_CEILING;
  g_hash_table_insert (self->terminals, terminal->id, terminal);
  self->n_running++;
  stint_job_wait_async (job, NULL, handle_ended, g_object_ref (self));
  g_signal_emit (self, signals[SIGNAL_CHANGED], 0);

  /* Answered when the command runs: one that cannot be executed is an error, never a terminal. */
  creation = g_new0 (Creation, 1);
  creation->self = g_object_ref (self);
  creation->terminal = g_rc_box_acquire (terminal);
  creation->request = g_object_ref (request);
  g_signal_connect_data (job, "notify::state", G_CALLBACK (handle_creation), creation,
                         creation_free, 0);
}

/* output */

typedef struct
{
  StintReader *reader; /* (nullable): it has never had a transcript */
  guint64 limit;
  gboolean complete;
  StintResult *result; /* (nullable): it runs */
  StintAcpRequest *request;
  char *text;
  gboolean truncated;
} Output;

static void
output_free (gpointer data)
{
  Output *output = data;

  g_clear_pointer (&output->reader, stint_reader_free);
  g_clear_pointer (&output->result, stint_result_unref);
  g_clear_object (&output->request);
  g_free (output->text);
  g_free (output);
}

static void
read_output (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Output *output = data;

  if (output->reader != NULL)
    output->text = stint_terminal_output_read (output->reader, output->limit, output->complete,
                                               &output->truncated);
  else
    output->text = g_strdup ("");
  g_task_return_boolean (task, TRUE);
}

static void
handle_output (GObject *source, GAsyncResult *result, gpointer data)
{
  Output *output = g_task_get_task_data (G_TASK (result));
  JsonObject *object;
  JsonNode *node = object_node (&object);

  json_object_set_string_member (object, "output", output->text);
  json_object_set_boolean_member (object, "truncated", output->truncated);
  if (output->result != NULL)
    {
      JsonObject *status = json_object_new ();

      add_exit_status (status, output->result);
      json_object_set_object_member (object, "exitStatus", status);
    }
  stint_acp_request_return (output->request, node);
  /* Here and not with the task, which its thread may be the last to hold: they are of this thread. */
  g_clear_pointer (&output->reader, stint_reader_free);
  g_clear_object (&output->request);
}

static void
answer_output (Terminal *terminal, StintAcpRequest *request)
{
  StintTranscript *transcript = stint_job_get_transcript (terminal->job);
  StintResult *ended = stint_job_get_result (terminal->job);
  g_autoptr (GTask) task = g_task_new (NULL, NULL, handle_output, NULL);
  Output *output = g_new0 (Output, 1);

  if (transcript != NULL)
    output->reader = stint_reader_dup (stint_transcript_get_reader (transcript));
  output->limit = terminal->limit;
  output->complete = ended != NULL;
  output->result = ended != NULL ? stint_result_ref (ended) : NULL;
  output->request = g_object_ref (request);
  g_task_set_task_data (task, output, output_free);
  g_task_run_in_thread (task, read_output);
}

/* wait_for_exit and kill */

static void
handle_waited (GObject *source, GAsyncResult *async_result, gpointer data)
{
  g_autoptr (StintAcpRequest) request = data;
  g_autoptr (StintResult) result = stint_job_wait_finish (STINT_JOB (source), async_result, NULL);
  JsonObject *object;
  JsonNode *node;

  if (g_str_equal (stint_acp_request_get_method (request), "terminal/kill"))
    {
      stint_acp_request_return (request, NULL);
      return;
    }
  node = object_node (&object);
  add_exit_status (object, result);
  stint_acp_request_return (request, node);
}

static void
release (StintAgentTerminals *self, Terminal *terminal, StintAcpRequest *request)
{
  stint_job_stop (terminal->job, STINT_REASON_CANCELLED, GRACE);
  g_hash_table_remove (self->terminals, terminal->id);
  stint_acp_request_return (request, NULL);
}

void
stint_agent_terminals_set_wishes (StintAgentTerminals *self, StintJobSpec *wishes)
{
  g_return_if_fail (STINT_IS_AGENT_TERMINALS (self));
  g_return_if_fail (wishes == NULL || STINT_IS_JOB_SPEC (wishes));

  g_set_object (&self->wishes, wishes);
}

void
stint_agent_terminals_handle (StintAgentTerminals *self, StintAcpRequest *request)
{
  const char *method = stint_acp_request_get_method (request);
  const char *id = stint_acp_get_string (stint_acp_request_get_params (request), "terminalId");
  Terminal *terminal = id != NULL ? g_hash_table_lookup (self->terminals, id) : NULL;

  g_return_if_fail (STINT_IS_AGENT_TERMINALS (self));

  if (g_str_equal (method, "terminal/create"))
    {
      create (self, request);
      return;
    }
  if (id == NULL)
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "terminalId: missing");
      return;
    }
  if (terminal == NULL)
    {
      stint_acp_request_return_error (request, STINT_ACP_NOT_FOUND, "There is no terminal “%s”",
                                      id);
      return;
    }

  if (g_str_equal (method, "terminal/output"))
    answer_output (terminal, request);
  else if (g_str_equal (method, "terminal/wait_for_exit"))
    stint_job_wait_async (terminal->job, NULL, handle_waited, g_object_ref (request));
  else if (g_str_equal (method, "terminal/kill"))
    {
      stint_job_stop (terminal->job, STINT_REASON_TERMINATED, GRACE);
      stint_job_wait_async (terminal->job, NULL, handle_waited, g_object_ref (request));
    }
  else
    release (self, terminal, request);
}

guint
stint_agent_terminals_get_n_running (StintAgentTerminals *self)
{
  return self->n_running;
}

void
stint_agent_terminals_end (StintAgentTerminals *self)
{
  GHashTableIter iter;
  gpointer value;

  g_return_if_fail (STINT_IS_AGENT_TERMINALS (self));

  g_hash_table_iter_init (&iter, self->terminals);
  while (g_hash_table_iter_next (&iter, NULL, &value))
    stint_job_stop (((Terminal *) value)->job, STINT_REASON_CANCELLED, GRACE);
  g_hash_table_remove_all (self->terminals);
}

static void
stint_agent_terminals_finalize (GObject *object)
{
  StintAgentTerminals *self = STINT_AGENT_TERMINALS (object);

  g_hash_table_unref (self->terminals);
  g_free (self->directory);
  g_clear_object (&self->wishes);
  g_clear_object (&self->jobs);
  G_OBJECT_CLASS (stint_agent_terminals_parent_class)->finalize (object);
}

static void
stint_agent_terminals_class_init (StintAgentTerminalsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_terminals_finalize;

  signals[SIGNAL_CREATED] =
      g_signal_new ("created", STINT_TYPE_AGENT_TERMINALS, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 2, G_TYPE_STRING, STINT_TYPE_JOB);
  signals[SIGNAL_CHANGED] = g_signal_new ("changed", STINT_TYPE_AGENT_TERMINALS, G_SIGNAL_RUN_LAST,
                                          0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_agent_terminals_init (StintAgentTerminals *self)
{
  self->terminals = g_hash_table_new_full (g_str_hash, g_str_equal, NULL, terminal_unref);
}

StintAgentTerminals *
stint_agent_terminals_new (StintJobList *jobs,
                           guint64 parent,
                           const char *directory,
                           gint64 timeout,
                           gint64 idle_timeout)
{
  StintAgentTerminals *self = g_object_new (STINT_TYPE_AGENT_TERMINALS, NULL);

  self->jobs = g_object_ref (jobs);
  self->parent = parent;
  self->directory = g_strdup (directory);
  self->timeout = timeout;
  self->idle_timeout = idle_timeout;
  return self;
}
