/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-empty SECONDS
 *
 * The main loop's gaps of an empty window: what a busy machine does to anybody.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"

#include <gtk/gtk.h>

static gboolean
set_true (gpointer data)
{
  *(gboolean *) data = TRUE;
  return G_SOURCE_REMOVE;
}

static void
run_for (double seconds)
{
  gboolean over = FALSE;

  g_timeout_add ((guint) (seconds * 1000), set_true, &over);
  while (!over)
    g_main_context_iteration (NULL, TRUE);
}

int
main (int argc, char **argv)
{
  GtkWidget *window;
  Gaps gaps;

  gtk_init ();
  window = gtk_window_new ();
  gtk_window_present (GTK_WINDOW (window));
  run_for (2);
  gaps_begin (&gaps);
  run_for (argc > 1 ? g_ascii_strtod (argv[1], NULL) : 10);
  gaps_end (&gaps);
  return 0;
}
