/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-list.h"
#include "stint-settings.h"

G_BEGIN_DECLS

#define STINT_TYPE_NOTIFIER (stint_notifier_get_type ())
G_DECLARE_FINAL_TYPE (StintNotifier, stint_notifier, STINT, NOTIFIER, GObject)

/* The actions of the application that notifications ask for; each takes a job's id, `t`. */
#define STINT_NOTIFIER_SHOW_ACTION "show-job"
#define STINT_NOTIFIER_RUN_AGAIN_ACTION "run-job-again"
#define STINT_NOTIFIER_MORE_TIME_ACTION "more-time"

/* Whether the user sees a job now: its page, in a window that has the focus. */
typedef gboolean (*StintNotifierSees) (StintJob *job, gpointer user_data);

/**
 * stint_notifier_new:
 * @application: who notifies; registered
 * @jobs: of which jobs; those that have finished already are of no interest
 * @settings: of what
 * @sees: what needs no telling
 * @user_data: for @sees
 *
 * Tells the user what they do not see: that a job has succeeded, failed or run out of time, needs
 * them, or is about to be stopped. Never what they did themselves.
 *
 * Returns: (transfer full): the notifier
 */
StintNotifier *stint_notifier_new (GApplication *application,
                                   StintJobList *jobs,
                                   StintSettings *settings,
                                   StintNotifierSees sees,
                                   gpointer user_data);

/* The user sees something else now: what is seen need not be told any longer. */
void stint_notifier_seen_changed (StintNotifier *self);

/**
 * stint_notifier_needs_you:
 * @self: the notifier
 * @job: a job that waits for its user
 * @why: what for, a sentence, translated; cleaned and clamped here
 *
 * A permission, a question: whatever it is that a job cannot go on without.
 */
void stint_notifier_needs_you (StintNotifier *self, StintJob *job, const char *why);

/* It goes on: takes back what stint_notifier_needs_you() told. */
void stint_notifier_needs_nothing (StintNotifier *self, StintJob *job);

G_END_DECLS
