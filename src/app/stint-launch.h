/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-result.h"
#include "stint-run-options.h"

G_BEGIN_DECLS

/**
 * StintLaunchMode:
 * @STINT_LAUNCH_HELP: print the options
 * @STINT_LAUNCH_VERSION: print the version
 * @STINT_LAUNCH_PRESENT: show the window
 * @STINT_LAUNCH_NEW_JOB: show the window with its dialog for a new job
 * @STINT_LAUNCH_HISTORY: show the window with the jobs of the past
 * @STINT_LAUNCH_RUN: run a job
 * @STINT_LAUNCH_AGENT: begin a session with an agent
 *
 * What `stint` was asked to do.
 */
typedef enum
{
  STINT_LAUNCH_HELP,
  STINT_LAUNCH_VERSION,
  STINT_LAUNCH_PRESENT,
  STINT_LAUNCH_NEW_JOB,
  STINT_LAUNCH_HISTORY,
  STINT_LAUNCH_RUN,
  STINT_LAUNCH_AGENT,
} StintLaunchMode;

/**
 * StintLaunch:
 * @mode: what to do
 * @foreground: whether this process is to be the window process
 * @wait: whether to wait for the job's end
 * @max_jobs: how many jobs run at once from now on, 0: as many as are submitted, -1: not said
 * @agent: (nullable): which one, or its command
 * @options: the job's options
 * @query: (nullable): what to look for among the jobs of the past
 *
 * A command line of `stint`, understood. The client and the window process both read it by
 * stint_launch_parse(): the client to refuse what is wrong, the window process to do it.
 */
typedef struct
{
  StintLaunchMode mode;
  gboolean foreground;
  gboolean wait;
  int max_jobs;
  const char *agent;
  StintRunOptions *options;
  char *query;
} StintLaunch;

/**
 * stint_launch_parse:
 * @argv: (array zero-terminated=1): the words after the program's name
 * @error: %STINT_ERROR_INVALID, one line
 *
 * Returns: (transfer full): what was asked for, or %NULL
 */
StintLaunch *stint_launch_parse (const char *const *argv, GError **error);
void stint_launch_free (StintLaunch *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintLaunch, stint_launch_free)

/**
 * stint_launch_dup_spec:
 * @self: a launch that runs a job
 *
 * Returns: (transfer full): its spec, not resolved: a terminal job unless it says otherwise
 */
StintJobSpec *stint_launch_dup_spec (const StintLaunch *self);

/* (transfer full): the text of `--help`, translated. */
char *stint_launch_describe (void);

G_END_DECLS
