/* SPDX-License-Identifier: GPL-3.0-or-later */

/* `stint`: decides what this process is, the window process or a client of it. */

#include "config.h"

#include "stint-application.h"
#include "stint-client.h"
#include "stint-current-directory.h"
#include "stint-keeper-launch.h"
#include "stint-launch.h"
#include "stint-locale.h"

#include <glib/gi18n.h>
#include <signal.h>

/* What a window with a few jobs takes. With fewer GLib and GTK end the process, or draw no text. */
#define MIN_DESCRIPTORS 128

static int
run_application (GApplicationFlags flags, int argc, char **argv)
{
  g_autoptr (StintApplication) application = NULL;
  g_autoptr (GError) error = NULL;
  int status;

  /* A client that goes away while we write to it must not end us. No job inherits this. */
  signal (SIGPIPE, SIG_IGN);
  stint_descriptors_raise_limit ();
  if (!stint_descriptors_check_limit (MIN_DESCRIPTORS, &error))
    {
      g_printerr ("stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }

  /* For the jobs that are started from the window: what their terminal is, and not who activated
   * us. */
  g_setenv ("TERM", "xterm-256color", TRUE);
  g_setenv ("COLORTERM", "truecolor", TRUE);
  g_unsetenv ("DBUS_STARTER_ADDRESS");
  g_unsetenv ("DBUS_STARTER_BUS_TYPE");

  /* It is set: GTK would set it anew. */
  gtk_disable_setlocale ();
  /* Before the name on the bus is taken, for whoever waits for it. */
  if (!gtk_init_check ())
    {
      g_printerr (_ ("stint: there is no display to show a window on; “stintctl run” runs a job without one\n"));
      return STINT_EXIT_OWN_FAILURE;
    }

  application = stint_application_new (flags);
  status = g_application_run (G_APPLICATION (application), argc, argv);
  return status != 0 ? status : stint_application_get_exit_status (application);
}

/* In this terminal, unless there is one elsewhere: it is not handed over to that. */
static int
run_foreground (int argc, char **argv)
{
  g_autoptr (GDBusConnection) bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, NULL);

  if (bus != NULL && stint_client_has_service (bus))
    {
      g_printerr (_ ("stint: --foreground: Stint is already running, and has one window\n"));
      return STINT_EXIT_OWN_FAILURE;
    }
  return run_application (bus != NULL ? G_APPLICATION_DEFAULT_FLAGS : G_APPLICATION_NON_UNIQUE,
                          argc, argv);
}

static int
run_client (const StintLaunch *launch, int argc, char **argv)
{
  g_autoptr (GDBusConnection) bus = NULL;
  g_autoptr (GError) error = NULL;

  bus = g_bus_get_sync (G_BUS_TYPE_SESSION, NULL, &error);
  if (bus == NULL)
    {
      g_printerr (_ ("stint: no session bus: the window belongs to this terminal\n"));
      return run_application (G_APPLICATION_NON_UNIQUE, argc, argv);
    }
  g_dbus_connection_set_exit_on_close (bus, FALSE);
  return stint_client_run (bus, (const char *const *) argv, launch->wait);
}

/* Where a job of this command line would run, whoever runs it. */
static gboolean
check_directory (const StintLaunch *launch, GError **error)
{
  g_autofree char *directory = NULL;

  if (launch->mode != STINT_LAUNCH_RUN && launch->mode != STINT_LAUNCH_AGENT)
    return TRUE;
  directory = stint_current_directory_dup_for (stint_run_options_get_directory (launch->options),
                                               error);
  return directory != NULL;
}

int
main (int argc, char **argv)
{
  g_autoptr (StintLaunch) launch = NULL;
  g_autoptr (GError) error = NULL;

  stint_locale_init ();
  g_set_prgname ("stint");

  if (argc == 2 && g_str_equal (argv[1], "--gapplication-service"))
    return run_application (G_APPLICATION_IS_SERVICE, argc, argv);

  launch = stint_launch_parse ((const char *const *) argv + MIN (argc, 1), &error);
  if (launch == NULL)
    {
      g_printerr ("stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (launch->mode == STINT_LAUNCH_HELP)
    {
      g_autofree char *text = stint_launch_describe ();

      g_print ("%s", text);
      return 0;
    }
  if (launch->mode == STINT_LAUNCH_VERSION)
    {
      g_print ("stint %s\n", PACKAGE_VERSION);
      return 0;
    }
  if (!check_directory (launch, &error))
    {
      g_printerr ("stint: %s\n", error->message);
      return STINT_EXIT_OWN_FAILURE;
    }
  if (launch->foreground)
    return run_foreground (argc, argv);
  return run_client (launch, argc, argv);
}
