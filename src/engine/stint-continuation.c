/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What follows a job. When it runs, and whether, is the list's decision.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-continuation.h"

struct _StintContinuation
{
  GObject parent_instance;

  char *name;
  StintContinuationFuncs funcs;
  gpointer data;
  GDestroyNotify destroy;
  gboolean ran;
};

G_DEFINE_FINAL_TYPE (StintContinuation, stint_continuation, G_TYPE_OBJECT)

const char *
stint_continuation_get_name (StintContinuation *self)
{
  return self->name;
}

gboolean
stint_continuation_run (StintContinuation *self, gpointer owner, StintJob *job, GError **error)
{
  StintContinuationFunc func = NULL;

  g_return_val_if_fail (STINT_IS_CONTINUATION (self), FALSE);
  g_return_val_if_fail (stint_job_get_state (job) == STINT_JOB_FINISHED, FALSE);

  if (self->ran)
    return TRUE;
  self->ran = TRUE;
  switch (stint_result_get_ending (stint_job_get_result (job)))
    {
    case STINT_ENDING_SUCCESS:
      func = self->funcs.succeeded;
      break;
    case STINT_ENDING_FAILURE:
      func = self->funcs.failed;
      break;
    case STINT_ENDING_CANCELLED:
    default:
      func = self->funcs.cancelled;
      break;
    }
  return func == NULL || func (owner, job, self->data, error);
}

static void
stint_continuation_finalize (GObject *object)
{
  StintContinuation *self = STINT_CONTINUATION (object);

  if (self->destroy != NULL)
    self->destroy (self->data);
  g_free (self->name);
  G_OBJECT_CLASS (stint_continuation_parent_class)->finalize (object);
}

static void
stint_continuation_class_init (StintContinuationClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_continuation_finalize;
}

static void
stint_continuation_init (StintContinuation *self)
{
}

StintContinuation *
stint_continuation_new (const char *name,
                        const StintContinuationFuncs *funcs,
                        gpointer data,
                        GDestroyNotify destroy)
{
  StintContinuation *self;

  g_return_val_if_fail (name != NULL && funcs != NULL, NULL);

  self = g_object_new (STINT_TYPE_CONTINUATION, NULL);
  self->name = g_strdup (name);
  self->funcs = *funcs;
  self->data = data;
  self->destroy = destroy;
  return self;
}
