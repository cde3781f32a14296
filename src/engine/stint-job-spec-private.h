/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/* Neither yes nor no, neither a duration nor none: the kind decides. */
#define STINT_UNSET (-1)

typedef struct
{
  StintThen when;
  char *line;
} StintThenLine;

struct _StintJobSpec
{
  GObject parent_instance;

  StintJobKind kind;
  gboolean sealed;
  char **argv;
  char *shell_line;
  char *name;
  char *directory;
  char **inherited; /* (nullable): the caller's environment */
  GPtrArray *env_changes;
  GPtrArray *secrets;         /* names of variables that are to be kept secret, whatever they are called */
  GPtrArray *missing_secrets; /* names of variables whose values the history does not have */
  GPtrArray *tags;
  char *stdin_text;
  gboolean unkept;
  guint64 parent;  /* 0: none */
  gboolean session;
  char *session_id; /* (nullable): of an earlier one */
  gint64 timeout; /* or STINT_UNSET */
  gint64 idle_timeout; /* or STINT_UNSET */
  StintIdleBy idle_by;
  StintOnIdle on_idle;
  gint64 grace; /* or STINT_UNSET */
  guint64 output_limit;
  int niceness; /* or STINT_UNSET */
  StintLeftovers leftovers;
  int tty; /* or STINT_UNSET */
  guint columns;
  guint rows;
  gint64 start_delay;
  gint64 start_at; /* microseconds since 1970 */
  guint retries;
  gint64 retry_delay;
  GPtrArray *then; /* of StintThenLine */
};

void stint_job_spec_copy_secrets (StintJobSpec *to, StintJobSpec *from);

/* Its lines that are to follow, alone, as JSON; and those of such a text behind the others. */
char *stint_job_spec_then_to_text (StintJobSpec *self);
void stint_job_spec_add_then_from_text (StintJobSpec *self, const char *text);

/* Makes what stint-job-spec-schedule.c looks after. */
void stint_job_spec_init_schedule (StintJobSpec *self);
void stint_job_spec_copy_schedule (StintJobSpec *to, StintJobSpec *from);

G_END_DECLS
