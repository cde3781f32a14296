/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS

/**
 * StintProcess:
 * @pid: process id
 * @name: its name, clean UTF-8
 * @stuck: it is in an uninterruptible wait, for a disk or a network file system: even SIGKILL
 *   waits for that
 *
 * A live process, for a person to see. Whoever signals it looks again first.
 */
typedef struct
{
  int pid;
  char *name;
  gboolean stuck;
} StintProcess;

#define STINT_TYPE_PROCESS (stint_process_get_type ())
GType stint_process_get_type (void);

StintProcess *stint_process_copy (const StintProcess *self);
void stint_process_free (StintProcess *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintProcess, stint_process_free)

/**
 * stint_processes_below:
 * @root: a process id
 * @skip: (nullable): a name; @root's children of this name are left out, not what is below them
 * @max: the most to look at
 *
 * Reads /proc, without blocking. A tree that changes meanwhile may show less.
 *
 * Returns: (transfer full) (element-type StintProcess): the live descendants of @root, parents first
 */
GPtrArray *stint_processes_below (int root, const char *skip, guint max);

/* (transfer full): "make (1234), cc1 (1240) and 3 more": the first @max_named of @processes. */
char *stint_processes_describe (GPtrArray *processes, guint max_named);

G_END_DECLS
