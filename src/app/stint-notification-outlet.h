/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintNotificationOutlet:
 *
 * The way of notifications out of the application. Where nobody shows notifications they are dropped:
 * what they say is in the window too, and GLib would complain of each.
 */
#define STINT_TYPE_NOTIFICATION_OUTLET (stint_notification_outlet_get_type ())
G_DECLARE_FINAL_TYPE (StintNotificationOutlet,
                      stint_notification_outlet,
                      STINT,
                      NOTIFICATION_OUTLET,
                      GObject)

/* @application is not kept alive by it. */
StintNotificationOutlet *stint_notification_outlet_new (GApplication *application);

/* Shows @notification as @id, in place of an earlier one of that id, once it is known that somebody
 * shows it. */
void stint_notification_outlet_send (StintNotificationOutlet *self,
                                     const char *id,
                                     GNotification *notification);

/* Takes it back, whether it has been shown yet or not. */
void stint_notification_outlet_withdraw (StintNotificationOutlet *self, const char *id);

G_END_DECLS
