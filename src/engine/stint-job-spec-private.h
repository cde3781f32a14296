/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/* Neither yes nor no, neither a duration nor none: the kind decides. */
#define STINT_UNSET (-1)

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
  GPtrArray *missing_secrets; /* names of variables whose values the history does not have */
  GPtrArray *tags;
  char *stdin_text;
  guint64 parent; /* 0: none */
  gboolean session;
  gint64 timeout;
  gint64 idle_timeout; /* or STINT_UNSET */
  gint64 grace;
  guint64 output_limit;
  int niceness; /* or STINT_UNSET */
  StintLeftovers leftovers;
  int tty; /* or STINT_UNSET */
  guint columns;
  guint rows;
};

G_END_DECLS
