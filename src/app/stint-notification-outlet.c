/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Asks the bus whether there is, or can be, a service that shows notifications, before any is sent. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-notification-outlet.h"

/* The two that GLib sends to, in its order; a desktop may start the second when it is asked for. */
#define GTK_SERVICE "org.gtk.Notifications"
#define FREEDESKTOP_SERVICE "org.freedesktop.Notifications"

struct _StintNotificationOutlet
{
  GObject parent_instance;

  GApplication *application; /* weak */
  GHashTable *waiting;       /* id -> GNotification: until the bus has answered */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (StintNotificationOutlet, stint_notification_outlet, G_TYPE_OBJECT)

static void
settle (StintNotificationOutlet *self, gboolean shown)
{
  GHashTableIter iter;
  gpointer id, notification;

  g_hash_table_iter_init (&iter, self->waiting);
  while (g_hash_table_iter_next (&iter, &id, &notification))
    {
      if (shown && self->application != NULL)
        g_application_send_notification (self->application, id, notification);
      g_hash_table_iter_remove (&iter);
    }
}

static void
ask (StintNotificationOutlet *self,
     const char *method,
     GVariant *parameters,
     GAsyncReadyCallback callback)
{
  GDBusConnection *connection =
      self->application != NULL ? g_application_get_dbus_connection (self->application) : NULL;

  if (connection == NULL)
    {
      if (parameters != NULL)
        g_variant_unref (g_variant_ref_sink (parameters));
      settle (self, FALSE);
      return;
    }
  g_dbus_connection_call (connection, "org.freedesktop.DBus", "/org/freedesktop/DBus",
                          "org.freedesktop.DBus", method, parameters, NULL, G_DBUS_CALL_FLAGS_NONE,
                          -1, self->cancellable, callback, g_object_ref (self));
}

static void
on_started (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintNotificationOutlet) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, &error);

  if (error != NULL)
    g_debug ("Nobody shows notifications: %s", error->message);
  settle (self, reply != NULL);
}

static void
on_names (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintNotificationOutlet) self = user_data;
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);
  g_autofree const char **names = NULL;

  if (reply != NULL)
    g_variant_get (reply, "(^a&s)", &names);
  if (names != NULL &&
      (g_strv_contains (names, GTK_SERVICE) || g_strv_contains (names, FREEDESKTOP_SERVICE)))
    settle (self, TRUE);
  else
    ask (self, "StartServiceByName", g_variant_new ("(su)", FREEDESKTOP_SERVICE, 0), on_started);
}

void
stint_notification_outlet_send (StintNotificationOutlet *self,
                                const char *id,
                                GNotification *notification)
{
  g_return_if_fail (STINT_IS_NOTIFICATION_OUTLET (self));
  g_return_if_fail (id != NULL && G_IS_NOTIFICATION (notification));

  g_hash_table_replace (self->waiting, g_strdup (id), g_object_ref (notification));
  ask (self, "ListNames", NULL, on_names);
}

void
stint_notification_outlet_withdraw (StintNotificationOutlet *self, const char *id)
{
  g_return_if_fail (STINT_IS_NOTIFICATION_OUTLET (self));

  g_hash_table_remove (self->waiting, id);
  /* There may be an earlier one of that id. */
  if (self->application != NULL)
    g_application_withdraw_notification (self->application, id);
}

static void
stint_notification_outlet_dispose (GObject *object)
{
  StintNotificationOutlet *self = STINT_NOTIFICATION_OUTLET (object);

  g_cancellable_cancel (self->cancellable);
  g_hash_table_remove_all (self->waiting);
  g_clear_weak_pointer (&self->application);

  G_OBJECT_CLASS (stint_notification_outlet_parent_class)->dispose (object);
}

static void
stint_notification_outlet_finalize (GObject *object)
{
  StintNotificationOutlet *self = STINT_NOTIFICATION_OUTLET (object);

  g_clear_object (&self->cancellable);
  g_clear_pointer (&self->waiting, g_hash_table_unref);

  G_OBJECT_CLASS (stint_notification_outlet_parent_class)->finalize (object);
}

static void
stint_notification_outlet_class_init (StintNotificationOutletClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_notification_outlet_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_notification_outlet_finalize;
}

static void
stint_notification_outlet_init (StintNotificationOutlet *self)
{
  self->waiting = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_object_unref);
  self->cancellable = g_cancellable_new ();
}

StintNotificationOutlet *
stint_notification_outlet_new (GApplication *application)
{
  StintNotificationOutlet *self = g_object_new (STINT_TYPE_NOTIFICATION_OUTLET, NULL);

  g_set_weak_pointer (&self->application, application);
  return self;
}
