/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-list.h"

G_BEGIN_DECLS

#define STINT_TYPE_JOB_SERVICE (stint_job_service_get_type ())
G_DECLARE_FINAL_TYPE (StintJobService, stint_job_service, STINT, JOB_SERVICE, GObject)

/**
 * StintJobServiceHost:
 * @start: submits what somebody on the bus asked for: the words of a command line of `stint`, where
 *   the caller is and what its environment is. (transfer full): the job, or %NULL with the error set
 * @present: shows a job in the window
 *
 * What the service asks of who has it. A function that is %NULL is refused on the bus.
 */
typedef struct
{
  StintJob *(*start) (const char *const *words,
                      const char *directory,
                      const char *const *environment,
                      gpointer user_data,
                      GError **error);
  void (*present) (StintJob *job, gpointer user_data);
} StintJobServiceHost;

/**
 * stint_job_service_new:
 * @jobs: what it lists
 * @host: (nullable): what else it can be asked for; copied
 * @user_data: for the functions of @host
 *
 * The jobs of a list as an object on a bus: io.github.stint.Stint.Jobs1.
 *
 * Returns: (transfer full): the service, not yet on a bus
 */
StintJobService *
stint_job_service_new (StintJobList *jobs, const StintJobServiceHost *host, gpointer user_data);

/**
 * stint_job_service_export:
 * @self: the service
 * @bus: where to
 * @path: as which object
 * @error: there is such an object already
 */
gboolean stint_job_service_export (StintJobService *self,
                                   GDBusConnection *bus,
                                   const char *path,
                                   GError **error);

/* Calls that wait for the end of a job are left without an answer: their callers see the name go. */
void stint_job_service_unexport (StintJobService *self);

G_END_DECLS
