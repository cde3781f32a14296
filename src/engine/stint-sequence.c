/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a spec asks to follow its job: another attempt, and the lines to run then. Both are
 * continuations like any other; the next job brings its own.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-sequence.h"

#include "stint-job-private.h"
#include "stint-job-spec-private.h"

#include <string.h>

/* Before the condition and the line, in the name of one that was added. */
#define ADDED "then run "

/* Returns: (transfer full): the spec of attempt @attempt, 2 being the first retry. */
static StintJobSpec *
new_attempt (StintJobSpec *spec, guint attempt)
{
  StintJobSpec *again = stint_job_spec_copy (spec);

  stint_job_spec_set_start_delay (again, stint_job_spec_get_retry_pause (spec, attempt - 1));
  return again;
}

static gboolean
meets (StintThen when, StintEnding ending)
{
  return when == STINT_THEN_ALWAYS ||
         (when == STINT_THEN_ON_SUCCESS && ending == STINT_ENDING_SUCCESS) ||
         (when == STINT_THEN_ON_FAILURE && ending == STINT_ENDING_FAILURE);
}

/* Returns: (transfer full) (nullable): the first line whose condition @ending meets. As in a shell,
 * those before it are passed over. */
static StintJobSpec *
new_then (StintJobSpec *spec, StintEnding ending)
{
  for (guint i = 0; i < stint_job_spec_get_n_then (spec); i++)
    {
      StintThen when;

      stint_job_spec_get_then (spec, i, &when);
      if (meets (when, ending))
        return stint_job_spec_new_then (spec, i);
    }
  return NULL;
}

static gboolean
has_retry (StintJobSpec *spec, guint attempt)
{
  return attempt <= stint_job_spec_get_retries (spec);
}

StintJobSpec *
stint_sequence_next (StintJobSpec *spec, guint attempt, StintEnding ending, guint *next_attempt)
{
  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec) && attempt > 0, NULL);

  *next_attempt = 1;
  if (ending != STINT_ENDING_FAILURE || !has_retry (spec, attempt))
    return new_then (spec, ending);
  *next_attempt = attempt + 1;
  return new_attempt (spec, attempt + 1);
}

static gboolean
start_next (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  guint attempt;
  g_autoptr (StintJobSpec) next =
    stint_sequence_next (stint_job_get_spec (job), stint_job_get_attempt (job),
                         stint_result_get_ending (stint_job_get_result (job)), &attempt);
  g_autoptr (StintJob) follower = NULL;
  g_autofree char *added = NULL;

  if (next == NULL)
    return TRUE;
  follower = stint_job_list_submit_after (owner, job, next, attempt, error);
  if (follower == NULL)
    return FALSE;
  /* What was added waits for the last attempt as the spec's own lines do. */
  if (attempt > stint_job_get_attempt (job))
    added = stint_job_move_added (job);
  if (added != NULL)
    stint_sequence_attach_added (owner, follower, added);
  return TRUE;
}

static void
attach (StintJobList *list, StintJob *job, const char *name, const StintContinuationFuncs *funcs)
{
  g_autoptr (StintContinuation) continuation = stint_continuation_new (name, funcs, NULL, NULL);

  stint_job_list_add_continuation (list, job, continuation);
}

void
stint_sequence_attach (StintJobList *list, StintJob *job)
{
  static const StintContinuationFuncs retry = { .failed = start_next };
  static const StintContinuationFuncs then = { start_next, start_next, start_next };
  static const StintContinuationFuncs then_but_failed = {
    .succeeded = start_next,
    .cancelled = start_next,
  };
  StintJobSpec *spec = stint_job_get_spec (job);
  gboolean retries = has_retry (spec, stint_job_get_attempt (job));

  /* A failure is the last attempt's before anything follows it. */
  if (retries)
    attach (list, job, STINT_SEQUENCE_RETRY, &retry);
  if (stint_job_spec_get_n_then (spec) > 0)
    attach (list, job, STINT_SEQUENCE_THEN, retries ? &then_but_failed : &then);
}

static gboolean
start_added (gpointer owner, StintJob *job, gpointer data, GError **error)
{
  g_autoptr (StintJob) follower = NULL;

  if (stint_job_has_moved_added (job))
    return TRUE;
  follower = stint_job_list_submit_after (owner, job, data, 1, error);
  return follower != NULL;
}

void
stint_sequence_add (StintJobList *list, StintJob *job, StintThen when, const char *line)
{
  static const StintContinuationFuncs funcs[] = {
    [STINT_THEN_ALWAYS] = { start_added, start_added, start_added },
    [STINT_THEN_ON_SUCCESS] = { .succeeded = start_added },
    [STINT_THEN_ON_FAILURE] = { .failed = start_added },
  };
  g_autoptr (StintJobSpec) alone = NULL;
  g_autoptr (StintContinuation) continuation = NULL;
  g_autofree char *name = NULL;

  g_return_if_fail (STINT_IS_JOB_LIST (list) && STINT_IS_JOB (job));
  g_return_if_fail ((guint) when < G_N_ELEMENTS (funcs) && line != NULL);

  alone = stint_job_spec_copy (stint_job_get_spec (job));
  stint_job_spec_clear_schedule (alone);
  stint_job_spec_add_then (alone, when, line);
  name = g_strconcat (ADDED, stint_then_to_nick (when), " ", line, NULL);
  continuation = stint_continuation_new (name, &funcs[when], stint_job_spec_new_then (alone, 0),
                                         g_object_unref);
  /* First: of a job that has ended it runs now, whatever was moved before. */
  stint_job_note_added (job, when, line);
  stint_job_list_add_continuation (list, job, continuation);
}

const char *
stint_sequence_get_added_line (const char *name)
{
  const char *line;

  g_return_val_if_fail (name != NULL, NULL);

  line = g_str_has_prefix (name, ADDED) ? strchr (name + strlen (ADDED), ' ') : NULL;
  return line != NULL ? line + 1 : NULL;
}

/* Returns: (transfer full): a spec whose lines are those of @added. */
static StintJobSpec *
read_added (StintJobSpec *spec, const char *added)
{
  StintJobSpec *lines = stint_job_spec_copy (spec);

  stint_job_spec_clear_schedule (lines);
  stint_job_spec_add_then_from_text (lines, added);
  return lines;
}

void
stint_sequence_attach_added (StintJobList *list, StintJob *job, const char *added)
{
  g_autoptr (StintJobSpec) lines = read_added (stint_job_get_spec (job), added);

  for (guint i = 0; i < stint_job_spec_get_n_then (lines); i++)
    {
      StintThen when;
      const char *line = stint_job_spec_get_then (lines, i, &when);

      stint_sequence_add (list, job, when, line);
    }
}

gboolean
stint_sequence_has_next (const StintLeftJob *left, StintEnding ending)
{
  g_autoptr (StintJobSpec) lines = read_added (left->spec, left->added);
  guint attempt;
  g_autoptr (StintJobSpec) next =
    stint_sequence_next (left->spec, left->attempt, ending, &attempt);
  gboolean found = next != NULL;

  for (guint i = 0; i < stint_job_spec_get_n_then (lines) && !found; i++)
    {
      StintThen when;

      stint_job_spec_get_then (lines, i, &when);
      found = meets (when, ending);
    }
  return found;
}
