/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done from a notification. It may be an old one: of a job that is no longer listed, or
 * that has ended since. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-notifier-actions.h"

#include "stint-notifier.h"
#include "stint-units.h"

/* "+10 min" */
#define MORE_TIME (G_GINT64_CONSTANT (600) * G_USEC_PER_SEC)

typedef struct
{
  StintApplication *application; /* weak: it owns the actions */
  StintJobList *jobs;
} Context;

static void
context_free (gpointer data, GClosure *closure)
{
  Context *context = data;

  g_clear_weak_pointer (&context->application);
  g_clear_object (&context->jobs);
  g_free (context);
}

static StintJob *
lookup (Context *context, GVariant *id)
{
  return stint_job_list_lookup (context->jobs, g_variant_get_uint64 (id));
}

static void
show_job (Context *context, GVariant *id)
{
  g_autoptr (StintJob) job = lookup (context, id);

  if (job != NULL)
    stint_application_show_job (context->application, job);
  else
    stint_application_present_list (context->application, NULL);
}

static void
run_again (Context *context, GVariant *id)
{
  g_autoptr (StintJob) job = lookup (context, id);

  if (job != NULL)
    stint_application_run_again (context->application, job);
  else
    stint_application_present_list (context->application, NULL);
}

/* To the limit that is nearer. */
static void
give_more_time (Context *context, GVariant *id)
{
  g_autoptr (StintJob) job = lookup (context, id);
  gint64 wall, idle;

  if (job == NULL || stint_job_get_state (job) != STINT_JOB_RUNNING)
    return;
  wall = stint_job_get_timeout_left (job);
  idle = stint_job_get_idle_left (job);
  if (idle < wall)
    stint_job_set_idle_limit (job, stint_job_get_idle_total (job) + MORE_TIME);
  else if (wall != STINT_NEVER)
    stint_job_set_timeout_left (job, wall + MORE_TIME);
}

static void
add (StintApplication *application, StintJobList *jobs, const char *name, GCallback handler)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, G_VARIANT_TYPE_UINT64);
  Context *context = g_new0 (Context, 1);

  g_set_weak_pointer (&context->application, application);
  context->jobs = g_object_ref (jobs);
  g_signal_connect_data (action, "activate", handler, context, context_free, G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (action));
}

void
stint_notifier_actions_install (StintApplication *application, StintJobList *jobs)
{
  g_return_if_fail (STINT_IS_APPLICATION (application));
  g_return_if_fail (STINT_IS_JOB_LIST (jobs));

  add (application, jobs, STINT_NOTIFIER_SHOW_ACTION, G_CALLBACK (show_job));
  add (application, jobs, STINT_NOTIFIER_RUN_AGAIN_ACTION, G_CALLBACK (run_again));
  add (application, jobs, STINT_NOTIFIER_MORE_TIME_ACTION, G_CALLBACK (give_more_time));
}
