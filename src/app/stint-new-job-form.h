/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * StintFormField:
 *
 * The fields of the dialog for a new job that can be wrong, in the order in which they stand there.
 */
typedef enum
{
  STINT_FIELD_COMMAND,
  STINT_FIELD_DIRECTORY,
  STINT_FIELD_TIMEOUT,
  STINT_FIELD_IDLE_TIMEOUT,
  STINT_FIELD_ENVIRONMENT,
  STINT_FIELD_GRACE,
  STINT_FIELD_START,
  STINT_FIELD_RETRY_DELAY,
} StintFormField;

#define STINT_N_FORM_FIELDS (STINT_FIELD_RETRY_DELAY + 1)

/**
 * StintVariableMode:
 * @STINT_VARIABLE_SET: has this value
 * @STINT_VARIABLE_SECRET: has this value, which is not written down; an empty one is looked up in the
 *   keyring or asked for
 * @STINT_VARIABLE_UNSET: is not there
 */
typedef enum
{
  STINT_VARIABLE_SET,
  STINT_VARIABLE_SECRET,
  STINT_VARIABLE_UNSET,
} StintVariableMode;

/* A row of the environment. */
typedef struct
{
  const char *name;
  const char *value;
  StintVariableMode mode;
} StintFormVariable;

/* A row of what follows. */
typedef struct
{
  const char *line;
  StintThen when;
} StintFormThen;

/**
 * StintNewJobForm:
 * @kind: what it is to be
 * @session: whether it is to be a session with an agent; @kind is an agent's then, and @prompt what is
 *   said to it first
 * @name: the user's name for it, or empty
 * @command: as typed
 * @prompt: text for an agent's standard input, or empty
 * @directory: as typed; empty: where jobs run that name none
 * @timeout: a duration, or empty for none
 * @idle_timeout: a duration, or empty for none
 * @grace: a duration, or empty for @default_grace
 * @variables: the environment; blank rows do not count
 * @then: what follows; blank rows do not count
 * @start: when: a duration from now, a time, or empty for at once
 * @retry_delay: a duration, or empty for the usual one
 * @tags: separated by commas
 * @default_grace: microseconds
 * @as_set: what the settings say of limits and grace counts where a text is empty
 * @base: (nullable): a spec whose properties that stand in no field are kept
 *
 * What stands in the dialog: borrowed texts, to be looked at by the functions below. They are pure,
 * but for looking whether a directory is there. A text that is %NULL is empty.
 */
typedef struct
{
  StintJobKind kind;
  gboolean session;
  const char *name;
  const char *command;
  const char *prompt;
  const char *directory;
  const char *timeout;
  const char *idle_timeout;
  const char *grace;
  const StintFormVariable *variables;
  guint n_variables;
  const StintFormThen *then;
  guint n_then;
  StintIdleBy idle_by;
  StintOnIdle on_idle;
  const char *start;
  guint retries;
  const char *retry_delay;
  const char *tags;
  gboolean wait_for_leftovers;
  gboolean unkept;
  gint64 default_grace;
  gboolean as_set;
  StintJobSpec *base;
} StintNewJobForm;

/**
 * stint_new_job_form_check_field:
 * @self: the form
 * @field: one of its fields
 * @error: what is wrong with it, a sentence for the user
 *
 * Returns: whether the field is right
 */
gboolean
stint_new_job_form_check_field (const StintNewJobForm *self, StintFormField field, GError **error);

/* The same for one row of the environment. */
gboolean stint_new_job_form_check_variable (const StintFormVariable *variable, GError **error);

/**
 * stint_new_job_form_find_mistake:
 * @self: the form
 * @field: (out): the first field that is wrong
 *
 * Returns: %FALSE if none is
 */
gboolean stint_new_job_form_find_mistake (const StintNewJobForm *self, StintFormField *field);

/**
 * stint_new_job_form_dup_spec:
 * @self: a form without mistakes
 *
 * Returns: (transfer full): the spec, not resolved
 */
StintJobSpec *stint_new_job_form_dup_spec (const StintNewJobForm *self);

/**
 * stint_new_job_form_dup_hint:
 * @self: the form
 *
 * Returns: (transfer full): how the command is going to be run: as which words, or by a shell
 */
char *stint_new_job_form_dup_hint (const StintNewJobForm *self);

/* Whether a command line means something to a shell that its words alone do not say. */
gboolean stint_new_job_form_needs_shell (const char *command);

G_END_DECLS
