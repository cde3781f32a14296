/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * feed-at-once FILE
 *
 * A window that does what Stint's must not: when FILE is there, all of it is given to the terminal in one
 * turn of the main loop. It has Stint's name on the bus.
 */
#include <vte/vte.h>

static const char *path;

static gboolean
on_poll (gpointer user_data)
{
  g_autofree char *contents = NULL;
  gsize length;

  if (!g_file_get_contents (path, &contents, &length, NULL))
    return G_SOURCE_CONTINUE;
  vte_terminal_feed (VTE_TERMINAL (user_data), contents, (gssize) length);
  return G_SOURCE_REMOVE;
}

static void
on_activate (GtkApplication *application)
{
  GtkWidget *window = gtk_application_window_new (application);
  GtkWidget *terminal = vte_terminal_new ();

  gtk_window_set_child (GTK_WINDOW (window), terminal);
  gtk_window_present (GTK_WINDOW (window));
  g_timeout_add (20, on_poll, terminal);
}

int
main (int argc, char **argv)
{
  g_autoptr (GtkApplication) application =
      gtk_application_new ("io.github.stint.Stint", 0);

  path = argv[1];
  g_signal_connect (application, "activate", G_CALLBACK (on_activate), NULL);
  return g_application_run (G_APPLICATION (application), 1, argv);
}
