/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * bench-vte COMMAND…
 *
 * A window with nothing but a VTE that reads its own pty, until the command has ended and all of its
 * output has been worked off.
 */
#define G_LOG_DOMAIN "bench"
#include "config.h"

#include <vte/vte.h>

static gboolean ended;

static void
handle_spawned (VteTerminal *terminal, GPid pid, GError *error, gpointer data)
{
  if (error != NULL)
    g_error ("%s", error->message);
}

static void
handle_exited (VteTerminal *terminal, int status, gpointer data)
{
  ended = TRUE;
}

int
main (int argc, char **argv)
{
  GtkWidget *window, *terminal;

  gtk_init ();
  window = gtk_window_new ();
  terminal = vte_terminal_new ();
  gtk_window_set_default_size (GTK_WINDOW (window), 1100, 720);
  gtk_window_set_child (GTK_WINDOW (window), terminal);
  vte_terminal_set_scrollback_lines (VTE_TERMINAL (terminal), 10000);
  g_signal_connect (terminal, "child-exited", G_CALLBACK (handle_exited), NULL);
  gtk_window_present (GTK_WINDOW (window));
  while (!gtk_widget_get_mapped (terminal))
    g_main_context_iteration (NULL, TRUE);

  vte_terminal_spawn_async (VTE_TERMINAL (terminal), VTE_PTY_DEFAULT, NULL, argv + 1, NULL,
                            G_SPAWN_SEARCH_PATH, NULL, NULL, NULL, -1, NULL, handle_spawned, NULL);
  while (!ended)
    g_main_context_iteration (NULL, TRUE);
  return 0;
}
