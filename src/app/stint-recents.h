/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * stint_recents_dup_commands:
 * @jobs: a list of StintJob, newest first
 * @max: how many at most
 *
 * Returns: (transfer full) (array zero-terminated=1): the command lines of the last jobs, each once;
 *   those of jobs that are to leave no trace, and what is not UTF-8, left out
 */
char **stint_recents_dup_commands (GListModel *jobs, guint max);

/* The same for the directories. */
char **stint_recents_dup_directories (GListModel *jobs, guint max);

G_END_DECLS
