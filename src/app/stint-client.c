/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The thin client that `stint COMMAND` is. It speaks the D-Bus interface of GApplication, so that
 * it can tell an answer from a window process that died, and needs no toolkit. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-client.h"

#include "stint-launch.h"

#include <glib-unix.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <unistd.h>

#define APP_PATH "/io/github/stint/Stint"
#define CLIENT_PATH "/io/github/stint/Stint/client"
#define START_SECONDS 60

static const char client_xml[] = "<node><interface name='org.gtk.private.CommandLine'>"
                                 "<method name='Print'><arg type='s' direction='in'/></method>"
                                 "<method name='PrintError'><arg type='s' direction='in'/></method>"
                                 "</interface></node>";

typedef struct
{
  GDBusConnection *bus;
  gboolean wait;
  gboolean cancelled;
  int status;
  GMainLoop *loop;
} Client;

/* A window process that is being started. */
typedef struct
{
  GMainLoop *loop;
  guint watch_id;
  guint timeout_id;
  guint child_id;
  int errors_fd; /* its standard error, -1: it is not our child */
  gboolean found;
  gboolean died;
} Start;

static void
on_name_appeared (GDBusConnection *bus, const char *name, const char *owner, gpointer user_data)
{
  Start *start = user_data;

  start->found = TRUE;
  g_main_loop_quit (start->loop);
}

static gboolean
on_start_timeout (gpointer user_data)
{
  Start *start = user_data;

  start->timeout_id = 0;
  g_main_loop_quit (start->loop);
  return G_SOURCE_REMOVE;
}

static void
on_child_exited (GPid pid, int wait_status, gpointer user_data)
{
  Start *start = user_data;

  start->child_id = 0;
  start->died = TRUE;
  g_main_loop_quit (start->loop);
}

gboolean
stint_client_has_service (GDBusConnection *bus)
{
  g_autoptr (GVariant) reply = NULL;
  gboolean owned = FALSE;

  reply = g_dbus_connection_call_sync (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "NameHasOwner",
                                       g_variant_new ("(s)", APP_ID), G_VARIANT_TYPE ("(b)"),
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (reply != NULL)
    g_variant_get (reply, "(b)", &owned);
  return owned;
}

/* By the bus, which is how the desktop starts it too. Without an installed service file: FALSE. */
static gboolean
activate_by_bus (GDBusConnection *bus)
{
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL;

  reply = g_dbus_connection_call_sync (bus, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "StartServiceByName",
                                       g_variant_new ("(su)", APP_ID, 0), G_VARIANT_TYPE ("(u)"),
                                       G_DBUS_CALL_FLAGS_NONE, START_SECONDS * 1000, NULL, &error);
  if (reply == NULL)
    g_debug ("Not started by the bus: %s", error->message);
  return reply != NULL;
}

static void
leave_session (gpointer user_data)
{
  setsid ();
}

static char *
read_last_line (int fd)
{
  char text[4096];
  gsize length = 0;
  gssize got;
  const char *line;

  if (!g_unix_set_fd_nonblocking (fd, TRUE, NULL))
    return NULL;
  while ((got = read (fd, text + length, sizeof text - 1 - length)) > 0)
    length += (gsize) got;
  text[length] = '\0';
  g_strchomp (text);
  line = strrchr (text, '\n');
  line = line != NULL ? line + 1 : text;
  return line[0] != '\0' ? g_utf8_make_valid (line, -1) : NULL;
}

/* In a session of its own: a terminal that is closed does not take the window along. */
static gboolean
spawn_service (Start *start)
{
  const char *const argv[] = { "/proc/self/exe", "--gapplication-service", NULL };
  g_autoptr (GError) error = NULL;
  GPid pid;

  if (!g_spawn_async_with_pipes ("/", (char **) argv, NULL,
                                 G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                                 leave_session, NULL, &pid, NULL, NULL, &start->errors_fd, &error))
    {
      g_printerr ("stint: %s\n", error->message);
      return FALSE;
    }
  start->child_id = g_child_watch_add (pid, on_child_exited, start);
  return TRUE;
}

static void
say_not_started (Start *start)
{
  g_autofree char *line = start->errors_fd >= 0 ? read_last_line (start->errors_fd) : NULL;

  if (!start->died)
    g_printerr (_ ("stint: the window process did not appear within %d s\n"), START_SECONDS);
  else if (line != NULL)
    g_printerr (_ ("stint: the window process could not start: %s\n"), line);
  else
    g_printerr (_ ("stint: the window process could not start\n"));
}

static gboolean
ensure_service (GDBusConnection *bus)
{
  Start start = { .errors_fd = -1 };

  if (stint_client_has_service (bus) || activate_by_bus (bus))
    return TRUE;
  if (!spawn_service (&start))
    return FALSE;

  start.loop = g_main_loop_new (NULL, FALSE);
  start.watch_id = g_bus_watch_name_on_connection (bus, APP_ID, G_BUS_NAME_WATCHER_FLAGS_NONE,
                                                   on_name_appeared, NULL, &start, NULL);
  start.timeout_id = g_timeout_add_seconds (START_SECONDS, on_start_timeout, &start);
  g_main_loop_run (start.loop);

  /* Another client's window process may have been faster; then ours has ended. */
  if (!start.found && start.died)
    start.found = stint_client_has_service (bus);
  if (!start.found)
    say_not_started (&start);

  g_bus_unwatch_name (start.watch_id);
  g_clear_handle_id (&start.timeout_id, g_source_remove);
  g_clear_handle_id (&start.child_id, g_source_remove);
  if (start.errors_fd >= 0)
    close (start.errors_fd);
  g_main_loop_unref (start.loop);
  return start.found;
}

static void
on_print (GDBusConnection *bus,
          const char *sender,
          const char *object_path,
          const char *interface_name,
          const char *method_name,
          GVariant *parameters,
          GDBusMethodInvocation *invocation,
          gpointer user_data)
{
  const char *text;

  g_variant_get (parameters, "(&s)", &text);
  if (g_str_equal (method_name, "PrintError"))
    g_printerr ("%s", text);
  else
    g_print ("%s", text);
  g_dbus_method_invocation_return_value (invocation, NULL);
}

static void
on_answer (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Client *client = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (reply != NULL)
    {
      g_variant_get (reply, "(i)", &client->status);
    }
  else
    {
      g_printerr (_ ("stint: the window process ended before it answered\n"));
      client->status = client->wait ? STINT_EXIT_SIGNAL_BASE + SIGKILL : STINT_EXIT_OWN_FAILURE;
    }
  g_main_loop_quit (client->loop);
}

static gboolean
on_interrupt (gpointer user_data)
{
  Client *client = user_data;
  GVariantBuilder parameters;

  if (client->cancelled || !client->wait)
    {
      client->status = STINT_EXIT_SIGNAL_BASE + SIGINT;
      g_main_loop_quit (client->loop);
      return G_SOURCE_CONTINUE;
    }
  client->cancelled = TRUE;
  g_variant_builder_init (&parameters, G_VARIANT_TYPE ("av"));
  g_variant_builder_add (&parameters, "v",
                         g_variant_new_string (g_dbus_connection_get_unique_name (client->bus)));
  g_dbus_connection_call (
      client->bus, APP_ID, APP_PATH, "org.gtk.Actions", "Activate",
      g_variant_new ("(sava{sv})", STINT_CLIENT_CANCEL_ACTION, &parameters, NULL), NULL,
      G_DBUS_CALL_FLAGS_NO_AUTO_START, -1, NULL, NULL, NULL);
  return G_SOURCE_CONTINUE;
}

/* What GApplication sends with SEND_ENVIRONMENT, and who we are. */
static GVariant *
build_platform_data (GDBusConnection *bus)
{
  g_auto (GStrv) environ_copy = g_get_environ ();
  g_autofree char *directory = g_get_current_dir ();
  const char *startup_id = g_getenv ("DESKTOP_STARTUP_ID");
  const char *token = g_getenv ("XDG_ACTIVATION_TOKEN");
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (&builder, "{sv}", "cwd", g_variant_new_bytestring (directory));
  g_variant_builder_add (&builder, "{sv}", "environ",
                         g_variant_new_bytestring_array ((const char *const *) environ_copy, -1));
  if (startup_id != NULL && g_utf8_validate (startup_id, -1, NULL))
    g_variant_builder_add (&builder, "{sv}", "desktop-startup-id",
                           g_variant_new_string (startup_id));
  if (token != NULL && g_utf8_validate (token, -1, NULL))
    g_variant_builder_add (&builder, "{sv}", "activation-token", g_variant_new_string (token));
  g_variant_builder_add (&builder, "{sv}", STINT_CLIENT_NAME_KEY,
                         g_variant_new_string (g_dbus_connection_get_unique_name (bus)));
  return g_variant_builder_end (&builder);
}

int
stint_client_run (GDBusConnection *bus, const char *const *argv, gboolean wait)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_print };
  g_autoptr (GDBusNodeInfo) node = NULL;
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  Client client = { .bus = bus, .wait = wait, .loop = loop };
  guint registration, interrupt_id;

  g_return_val_if_fail (G_IS_DBUS_CONNECTION (bus), STINT_EXIT_OWN_FAILURE);
  g_return_val_if_fail (argv != NULL, STINT_EXIT_OWN_FAILURE);

  if (!ensure_service (bus))
    return STINT_EXIT_OWN_FAILURE;

  node = g_dbus_node_info_new_for_xml (client_xml, NULL);
  registration = g_dbus_connection_register_object (bus, CLIENT_PATH, node->interfaces[0], &vtable,
                                                    &client, NULL, NULL);
  interrupt_id = g_unix_signal_add (SIGINT, on_interrupt, &client);
  g_dbus_connection_call (
      bus, APP_ID, APP_PATH, "org.gtk.Application", "CommandLine",
      g_variant_new ("(o^aay@a{sv})", CLIENT_PATH, argv, build_platform_data (bus)),
      G_VARIANT_TYPE ("(i)"), G_DBUS_CALL_FLAGS_NO_AUTO_START, G_MAXINT, NULL, on_answer, &client);
  g_main_loop_run (loop);

  g_source_remove (interrupt_id);
  g_dbus_connection_unregister_object (bus, registration);
  return client.status;
}
