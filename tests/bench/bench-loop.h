/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Turns of the default main loop.
 */
#pragma once

#include <glib.h>

static inline void
turn (void)
{
  g_main_context_iteration (NULL, TRUE);
}

static inline gboolean
loop_set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static inline void
run_for (double seconds)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) (seconds * 1000), loop_set_true, &over);
  while (!over)
    turn ();
}
