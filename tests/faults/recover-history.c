/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the app does with the history when it starts: recovers it, until no keeper is ending a job any
 * more, and says how many rows that were.
 */
#include "config.h"

#include "stint-history.h"

#include <stdlib.h>

#define AGAIN_MS 50

typedef struct
{
  StintHistory *history;
  GMainLoop *loop;
  int n_recovered;
  int status;
} Recovery;

static gboolean recover (gpointer data);

static void
handle_recovered (GObject *source, GAsyncResult *result, gpointer data)
{
  Recovery *recovery = data;
  g_autoptr (GError) error = NULL;
  int n = stint_history_recover_finish (recovery->history, result, &error);

  if (n < 0)
    {
      g_printerr ("%s\n", error->message);
      recovery->status = 1;
      g_main_loop_quit (recovery->loop);
      return;
    }
  recovery->n_recovered += n;
  if (stint_history_get_n_ending (recovery->history) > 0)
    g_timeout_add (AGAIN_MS, recover, recovery);
  else
    g_main_loop_quit (recovery->loop);
}

static gboolean
recover (gpointer data)
{
  Recovery *recovery = data;

  stint_history_recover_async (recovery->history, handle_recovered, recovery);
  return G_SOURCE_REMOVE;
}

int
main (int argc, char **argv)
{
  g_autoptr (StintHistory) history = stint_history_new (NULL);
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Recovery recovery = { history, loop, 0, 0 };

  recover (&recovery);
  g_main_loop_run (loop);
  stint_history_close (history);
  g_print ("%d\n", recovery.n_recovered);
  return recovery.status;
}
