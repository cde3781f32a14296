/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-empty SECONDS
 *
 * The main loop's gaps of an empty window: what a busy machine does to anybody.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"
#include "bench-loop.h"

#include <gtk/gtk.h>

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
