/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-empty SECONDS [FILE]
 *
 * The main loop's gaps of an empty window: what a busy machine does to anybody. With FILE, those of a
 * window with nothing but a terminal that shows a piece of FILE, as large as a flood's, three times a
 * second: what anybody pays for a terminal's pictures.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include "bench-gaps.h"
#include "bench-loop.h"

#include <vte/vte.h>

#define PIECE (32 * 1024)
#define PAUSE_MSEC 333

typedef struct
{
  VteTerminal *terminal;
  char *text;
  gsize length;
  gsize at;
} Shower;

static gboolean
show_piece (gpointer data)
{
  Shower *self = data;

  self->at = self->at + 2 * PIECE < self->length ? self->at + PIECE : 0;
  vte_terminal_feed (self->terminal, self->text + self->at, (gssize) MIN (PIECE, self->length));
  return G_SOURCE_CONTINUE;
}

static void
add_terminal (GtkWindow *window, const char *file)
{
  static Shower shower;
  g_autoptr (GError) error = NULL;

  if (!g_file_get_contents (file, &shower.text, &shower.length, &error))
    g_error ("%s", error->message);
  shower.terminal = VTE_TERMINAL (vte_terminal_new ());
  gtk_window_set_default_size (window, 1100, 720);
  gtk_window_set_child (window, GTK_WIDGET (shower.terminal));
  g_timeout_add (PAUSE_MSEC, show_piece, &shower);
}

int
main (int argc, char **argv)
{
  GtkWidget *window;
  Gaps gaps;

  gtk_init ();
  window = gtk_window_new ();
  if (argc > 2)
    add_terminal (GTK_WINDOW (window), argv[2]);
  gtk_window_present (GTK_WINDOW (window));
  run_for (2);
  gaps_begin (&gaps);
  run_for (argc > 1 ? g_ascii_strtod (argv[1], NULL) : 10);
  gaps_end (&gaps);
  return 0;
}
