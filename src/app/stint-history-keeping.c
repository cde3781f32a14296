/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What the window's process does for the history besides running jobs. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-keeping.h"

#include "stint-history-change.h"

#include <glib/gi18n.h>

#define PRUNE_SECONDS (6 * 3600)

#define DAY (G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC)

typedef struct
{
  GWeakRef history;
  GWeakRef settings;
  GWeakRef problems;
} Keeping;

static void
keeping_free (gpointer data)
{
  Keeping *self = data;

  g_weak_ref_clear (&self->history);
  g_weak_ref_clear (&self->settings);
  g_weak_ref_clear (&self->problems);
  g_free (self);
}

static void
on_pruned (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintProblems) problems = user_data;
  g_autoptr (GError) error = NULL;

  /* What was removed is told by StintHistory::pruned. */
  if (!stint_history_change_finish (STINT_HISTORY (source), result, NULL, &error))
    stint_problems_raise (problems, _ ("Old jobs could not be removed from the history"), error);
}

static gboolean
prune (gpointer data)
{
  Keeping *self = data;
  g_autoptr (StintHistory) history = g_weak_ref_get (&self->history);
  g_autoptr (StintSettings) settings = g_weak_ref_get (&self->settings);
  StintProblems *problems = g_weak_ref_get (&self->problems);
  StintRetention retention;

  if (history == NULL || settings == NULL || problems == NULL)
    {
      g_clear_object (&problems);
      return G_SOURCE_CONTINUE; /* the history's end removes it */
    }
  retention = (StintRetention){
    .max_age = (gint64) stint_settings_get_history_days (settings) * DAY,
    .max_jobs = stint_settings_get_history_jobs (settings),
    .max_bytes = stint_settings_get_history_bytes (settings),
  };
  stint_history_prune_async (history, &retention, on_pruned, problems);
  return G_SOURCE_CONTINUE;
}

static void
stop (gpointer data, GObject *where)
{
  g_source_remove (GPOINTER_TO_UINT (data));
}

void
stint_history_keeping_begin (StintHistory *history,
                             StintSettings *settings,
                             StintProblems *problems)
{
  Keeping *self = g_new0 (Keeping, 1);
  guint source;

  g_weak_ref_init (&self->history, history);
  g_weak_ref_init (&self->settings, settings);
  g_weak_ref_init (&self->problems, problems);
  stint_history_compress (history);
  stint_history_index (history, stint_settings_get_history_search_bytes (settings));
  prune (self);
  source = g_timeout_add_seconds_full (G_PRIORITY_LOW, PRUNE_SECONDS, prune, self, keeping_free);
  g_object_weak_ref (G_OBJECT (history), stop, GUINT_TO_POINTER (source));
}
