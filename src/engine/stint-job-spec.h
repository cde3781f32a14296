/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/**
 * StintJobKind:
 * @STINT_JOB_KIND_SHELL: runs in the background; stdout and stderr apart; no input
 * @STINT_JOB_KIND_TERMINAL: has a terminal that the user sees and types into
 * @STINT_JOB_KIND_AGENT: an agent command that works unattended; no input, idle limit by default
 */
typedef enum
{
  STINT_JOB_KIND_SHELL,
  STINT_JOB_KIND_TERMINAL,
  STINT_JOB_KIND_AGENT,
} StintJobKind;

/**
 * StintLeftovers:
 * @STINT_LEFTOVERS_TERMINATE: descendants that are there when the command itself has ended are ended
 * @STINT_LEFTOVERS_WAIT: the job goes on until the last of them has ended
 */
typedef enum
{
  STINT_LEFTOVERS_TERMINATE,
  STINT_LEFTOVERS_WAIT,
} StintLeftovers;

/**
 * StintIdleBy:
 * @STINT_IDLE_BY_OUTPUT: any byte on any stream is a sign of life
 * @STINT_IDLE_BY_ACTIVITY: output is one, and so is CPU time of anything the job started
 *
 * What sets the idle clock back.
 */
typedef enum
{
  STINT_IDLE_BY_OUTPUT,
  STINT_IDLE_BY_ACTIVITY,
} StintIdleBy;

/**
 * StintOnIdle:
 * @STINT_ON_IDLE_TERMINATE: the job is ended
 * @STINT_ON_IDLE_NOTIFY: #StintJob::idle-expired, once for each silence
 *
 * What an expired idle limit does.
 */
typedef enum
{
  STINT_ON_IDLE_TERMINATE,
  STINT_ON_IDLE_NOTIFY,
} StintOnIdle;

/**
 * StintThen:
 * @STINT_THEN_ALWAYS: however the one before it ended
 * @STINT_THEN_ON_SUCCESS: if that succeeded: its command exited with 0
 * @STINT_THEN_ON_FAILURE: if that failed: its command could not be started, exited otherwise, or a
 *   signal or a limit ended it. One that somebody stopped has neither succeeded nor failed.
 *
 * When a line that follows a job is run.
 */
typedef enum
{
  STINT_THEN_ALWAYS,
  STINT_THEN_ON_SUCCESS,
  STINT_THEN_ON_FAILURE,
} StintThen;

#define STINT_DEFAULT_SHELL "/bin/sh"
#define STINT_DEFAULT_GRACE (G_GINT64_CONSTANT (5) * G_USEC_PER_SEC)
#define STINT_DEFAULT_OUTPUT_LIMIT (G_GUINT64_CONSTANT (1) << 30)
#define STINT_MAX_NICENESS 19
#define STINT_DEFAULT_AGENT_IDLE (G_GINT64_CONSTANT (600) * G_USEC_PER_SEC)

#define STINT_MAX_RETRIES 1000
#define STINT_DEFAULT_RETRY_DELAY G_USEC_PER_SEC

#define STINT_TYPE_JOB_SPEC (stint_job_spec_get_type ())
G_DECLARE_FINAL_TYPE (StintJobSpec, stint_job_spec, STINT, JOB_SPEC, GObject)

/**
 * stint_job_spec_new:
 * @kind: what it is; decides the defaults
 * @argv: (array zero-terminated=1): the command and its arguments, in the file system's encoding
 *
 * What to run. A spec is filled in by its maker and does not change after it has been submitted:
 * from then on the setters refuse.
 *
 * Returns: (transfer full): the spec
 */
StintJobSpec *stint_job_spec_new (StintJobKind kind, const char *const *argv);

/**
 * stint_job_spec_new_shell:
 * @kind: what it is
 * @line: a line for `/bin/sh -c`; blank lines make a job that succeeds at once
 *
 * Returns: (transfer full): the spec
 */
StintJobSpec *stint_job_spec_new_shell (StintJobKind kind, const char *line);

/**
 * stint_job_spec_copy:
 * @self: a spec
 *
 * Returns: (transfer full): an unsealed copy, to change and run again
 */
StintJobSpec *stint_job_spec_copy (StintJobSpec *self);

/**
 * stint_job_spec_check:
 * @self: a spec
 * @error: %STINT_ERROR_NO_COMMAND without a command; %STINT_ERROR_INVALID if it came from the history
 *   and the value of a secret is missing
 *
 * Returns: whether the spec can be submitted
 */
gboolean stint_job_spec_check (StintJobSpec *self, GError **error);

/* From now on the setters refuse. */
void stint_job_spec_seal (StintJobSpec *self);

StintJobKind stint_job_spec_get_kind (StintJobSpec *self);

/* (array zero-terminated=1): what is executed; for a shell line `/bin/sh -c LINE`. */
const char *const *stint_job_spec_get_argv (StintJobSpec *self);

/* (nullable): the shell line, if it is one. */
const char *stint_job_spec_get_shell_line (StintJobSpec *self);

/* (type filename): runs a shell line by another shell than %STINT_DEFAULT_SHELL; no effect on words. */
void stint_job_spec_set_shell (StintJobSpec *self, const char *shell);

/* Whether its line is for another shell than %STINT_DEFAULT_SHELL. */
gboolean stint_job_spec_has_shell (StintJobSpec *self);

/* A blank shell line: nothing to run. */
gboolean stint_job_spec_is_blank (StintJobSpec *self);

/* (nullable): the user's own name for it. */
const char *stint_job_spec_get_name (StintJobSpec *self);
void stint_job_spec_set_name (StintJobSpec *self, const char *name);

/**
 * stint_job_spec_dup_title:
 * @self: a spec
 *
 * Returns: (transfer full): its name, else its command line; cleaned and clamped for a label
 */
char *stint_job_spec_dup_title (StintJobSpec *self);

/**
 * stint_job_spec_dup_command_line:
 * @self: a spec
 *
 * Returns: (transfer full): the shell line, or the arguments quoted for a shell. Not cleaned.
 */
char *stint_job_spec_dup_command_line (StintJobSpec *self);

/* (nullable) (type filename): where it runs; %NULL: resolved by stint_job_spec_resolve(). */
const char *stint_job_spec_get_directory (StintJobSpec *self);
void stint_job_spec_set_directory (StintJobSpec *self, const char *directory);

/**
 * stint_job_spec_resolve:
 * @self: an unsealed spec
 * @caller_directory: (nullable) (type filename): the caller's directory, on a command line
 * @workspace: (nullable) (type filename): the workspace setting
 * @environ: (nullable) (array zero-terminated=1): the caller's environment
 *
 * Fills in what the spec left open: the directory (its own, relative to the caller's; else the
 * caller's; else `$STINT_WORKSPACE` of @environ; else @workspace; else home) and the inherited environment.
 */
void stint_job_spec_resolve (StintJobSpec *self,
                             const char *caller_directory,
                             const char *workspace,
                             const char *const *environ);

/* Whether stint_job_spec_resolve() has given it an environment. */
gboolean stint_job_spec_has_environ (StintJobSpec *self);

/* The changes to the environment, in order: NAME=VALUE sets, NAME alone unsets. */
const char *const *stint_job_spec_get_env_changes (StintJobSpec *self);

/**
 * stint_job_spec_add_env:
 * @self: an unsealed spec
 * @change: NAME=VALUE
 * @error: %STINT_ERROR_INVALID if there is no `=` or no name
 */
gboolean stint_job_spec_add_env (StintJobSpec *self, const char *change, GError **error);
gboolean stint_job_spec_unset_env (StintJobSpec *self, const char *name, GError **error);

/* Whether the value of the variable @name is not to be written down: it was marked, or its name
 * contains TOKEN, KEY, SECRET or PASS. */
gboolean stint_job_spec_is_secret (StintJobSpec *self, const char *name);
void stint_job_spec_mark_secret (StintJobSpec *self, const char *name);

/* Whether a variable's name alone says so. */
gboolean stint_variable_sounds_secret (const char *name);

/* A secret whose value is to be given before the job is run. */
void stint_job_spec_add_missing_secret (StintJobSpec *self, const char *name);

/* (transfer full) (array zero-terminated=1): the variables whose values were not written down, of a
 * spec that was read again; stint_job_spec_add_env() gives them. */
char **stint_job_spec_dup_missing_secrets (StintJobSpec *self);

/* Whether the history keeps it; else it leaves no trace. %TRUE unless set. */
gboolean stint_job_spec_get_keep (StintJobSpec *self);
void stint_job_spec_set_keep (StintJobSpec *self, gboolean keep);

/**
 * stint_job_spec_dup_environ:
 * @self: a spec
 * @id: the job's id
 *
 * Returns: (transfer full) (array zero-terminated=1): the inherited environment (that of
 *   stint_job_spec_resolve(), else this process's), `STINT_JOB_ID`, `PWD`, then the spec's own
 *   changes
 */
char **stint_job_spec_dup_environ (StintJobSpec *self, guint64 id);

/* Microseconds; 0 is off. */
gint64 stint_job_spec_get_timeout (StintJobSpec *self);
void stint_job_spec_set_timeout (StintJobSpec *self, gint64 usec);

/* Whether its maker said it, be it 0: so for the other limits. */
gboolean stint_job_spec_has_timeout (StintJobSpec *self);

/* Microseconds; 0 is off. Unless set, an agent's is the smaller of 10 minutes and a sixth of its
 * timeout, and everything else, sessions too, has none. */
gint64 stint_job_spec_get_idle_timeout (StintJobSpec *self);
gboolean stint_job_spec_has_idle_timeout (StintJobSpec *self);
void stint_job_spec_set_idle_timeout (StintJobSpec *self, gint64 usec);

StintIdleBy stint_job_spec_get_idle_by (StintJobSpec *self);
void stint_job_spec_set_idle_by (StintJobSpec *self, StintIdleBy idle_by);
StintOnIdle stint_job_spec_get_on_idle (StintJobSpec *self);
void stint_job_spec_set_on_idle (StintJobSpec *self, StintOnIdle on_idle);

/* Microseconds between SIGTERM and SIGKILL; 0: SIGKILL at once. */
gint64 stint_job_spec_get_grace (StintJobSpec *self);
gboolean stint_job_spec_has_grace (StintJobSpec *self);
void stint_job_spec_set_grace (StintJobSpec *self, gint64 usec);

/* Bytes of transcript and index; 0: unlimited. */
guint64 stint_job_spec_get_output_limit (StintJobSpec *self);
void stint_job_spec_set_output_limit (StintJobSpec *self, guint64 bytes);

/* 0 to STINT_MAX_NICENESS, added to the niceness that the job would inherit: its CPU priority is
 * that much lower. 0 unless set. */
guint stint_job_spec_get_niceness (StintJobSpec *self);
void stint_job_spec_set_niceness (StintJobSpec *self, guint niceness);

/* Whether its maker said a niceness, be it 0. */
gboolean stint_job_spec_has_niceness (StintJobSpec *self);

StintLeftovers stint_job_spec_get_leftovers (StintJobSpec *self);
void stint_job_spec_set_leftovers (StintJobSpec *self, StintLeftovers leftovers);

/* Whether it runs on a pty. Unless set, terminal jobs do. */
gboolean stint_job_spec_get_tty (StintJobSpec *self);
void stint_job_spec_set_tty (StintJobSpec *self, gboolean tty);

/* The terminal's size when it starts; 80 by 24 unless set. */
void stint_job_spec_get_size (StintJobSpec *self, guint *columns, guint *rows);
void stint_job_spec_set_size (StintJobSpec *self, guint columns, guint rows);

/* (array zero-terminated=1) */
const char *const *stint_job_spec_get_tags (StintJobSpec *self);
void stint_job_spec_add_tag (StintJobSpec *self, const char *tag);

/* (nullable): text that the command finds on its stdin (an agent's prompt); else it finds nothing. */
const char *stint_job_spec_get_stdin_text (StintJobSpec *self);
void stint_job_spec_set_stdin_text (StintJobSpec *self, const char *text);

/* Microseconds from its submission, which stand still while the machine sleeps; 0: at once. Sets
 * aside stint_job_spec_set_start_at(). */
gint64 stint_job_spec_get_start_delay (StintJobSpec *self);
void stint_job_spec_set_start_delay (StintJobSpec *self, gint64 usec);

/* Microseconds since 1970; 0: at once. Sets aside stint_job_spec_set_start_delay(). */
gint64 stint_job_spec_get_start_at (StintJobSpec *self);
void stint_job_spec_set_start_at (StintJobSpec *self, gint64 real_usec);

/* How often it is run again if it fails (see #StintThen), at most %STINT_MAX_RETRIES; 0 unless set. */
guint stint_job_spec_get_retries (StintJobSpec *self);
void stint_job_spec_set_retries (StintJobSpec *self, guint retries);

/* Microseconds before the first retry; each further one waits twice as long as the one before it,
 * but no longer than five minutes, or this if that is more. */
gint64 stint_job_spec_get_retry_delay (StintJobSpec *self);
void stint_job_spec_set_retry_delay (StintJobSpec *self, gint64 usec);

/* Microseconds before retry @attempt, 1 being the first. */
gint64 stint_job_spec_get_retry_pause (StintJobSpec *self, guint attempt);

/**
 * stint_job_spec_add_then:
 * @self: an unsealed spec
 * @when: the condition
 * @line: a line for `/bin/sh -c`
 *
 * Adds a line to run when the job has ended. Several are run one after the other, each deciding by
 * how the last one that ran has ended: as `;`, `&&` and `||` do in a shell.
 */
void stint_job_spec_add_then (StintJobSpec *self, StintThen when, const char *line);
guint stint_job_spec_get_n_then (StintJobSpec *self);

/* (transfer none): line @i; its condition to @when. */
const char *stint_job_spec_get_then (StintJobSpec *self, guint i, StintThen *when);

/**
 * stint_job_spec_new_then:
 * @self: a spec
 * @i: which of its lines
 *
 * Returns: (transfer full): an unsealed spec that runs line @i where and as the job ran (its
 *   directory, environment, tags, terminal, grace; neither its limits of time nor its start and its
 *   retries), and is followed by the lines after @i
 */
StintJobSpec *stint_job_spec_new_then (StintJobSpec *self, guint i);

/* Nothing follows it any more, and it starts at once: for a copy that is run again by itself. */
void stint_job_spec_clear_schedule (StintJobSpec *self);
/* The id of the job that this one is part of, 0: none. It starts at once, whatever the limit of jobs
 * that run at once: the other one waits for it. A copy has none. */
guint64 stint_job_spec_get_parent (StintJobSpec *self);
void stint_job_spec_set_parent (StintJobSpec *self, guint64 parent);

/* Whether it is an agent session: it speaks the Agent Client Protocol over its stdin and stdout. */
gboolean stint_job_spec_get_session (StintJobSpec *self);
void stint_job_spec_set_session (StintJobSpec *self, gboolean session);

/* (nullable): the protocol's id of an earlier session that this one is to go on with. It is for who
 * begins the session: neither the job's own spec nor its JSON have it, so that what is run again is a
 * session of its own. */
const char *stint_job_spec_get_session_id (StintJobSpec *self);
void stint_job_spec_set_session_id (StintJobSpec *self, const char *session_id);

/**
 * stint_job_spec_to_json:
 * @self: a spec
 *
 * For the history: everything but the inherited environment and the values of secrets (names that
 * contain TOKEN, KEY, SECRET or PASS), which become %NULL. Arguments that are not UTF-8 are kept
 * byte for byte.
 *
 * Returns: (transfer full): an object
 */
JsonNode *stint_job_spec_to_json (StintJobSpec *self);

/**
 * stint_job_spec_from_json:
 * @node: what stint_job_spec_to_json() made
 * @error: %STINT_ERROR_DAMAGED
 *
 * Returns: (transfer full): the spec, or %NULL
 */
StintJobSpec *stint_job_spec_from_json (JsonNode *node, GError **error);

/* "always", "success", "failure": for files and faces, not translated. */
const char *stint_then_to_nick (StintThen when);
gboolean stint_then_from_nick (const char *nick, StintThen *when);

/* "shell", "terminal", "agent": for command lines and files, not translated. */
const char *stint_job_kind_to_nick (StintJobKind kind);
gboolean stint_job_kind_from_nick (const char *nick, StintJobKind *kind);

G_END_DECLS
