/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The notification that stands for the window while jobs run without one. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-background.h"

#include "stint-notification-outlet.h"

#include <glib/gi18n.h>

/* The notification is changed no more often. */
#define UPDATE_SECONDS 1

struct _StintBackground
{
  GObject parent_instance;

  GApplication *application; /* weak */
  StintNotificationOutlet *outlet;
  StintJobList *jobs;
  gboolean active;
  guint n_told;    /* how many jobs the notification speaks of */
  guint update_id;
};

G_DEFINE_FINAL_TYPE (StintBackground, stint_background, G_TYPE_OBJECT)

static void
send (StintBackground *self, GNotificationPriority priority)
{
  g_autoptr (GNotification) notification = stint_background_dup_notification (self);

  self->n_told = stint_job_list_get_n_active (self->jobs);
  g_notification_set_priority (notification, priority);
  stint_notification_outlet_send (self->outlet, STINT_BACKGROUND_NOTIFICATION, notification);
}

/* The number is put right where it stands, and nobody is disturbed for it. */
static gboolean
on_update (gpointer user_data)
{
  StintBackground *self = user_data;

  self->update_id = 0;
  if (self->active && self->application != NULL &&
      stint_job_list_get_n_active (self->jobs) != self->n_told)
    send (self, G_NOTIFICATION_PRIORITY_LOW);
  return G_SOURCE_REMOVE;
}

/* Jobs tend to come and go together. */
static void
on_n_active (StintBackground *self)
{
  if (!self->active)
    return;
  if (stint_job_list_get_n_active (self->jobs) == 0)
    stint_background_set_active (self, FALSE);
  else if (self->update_id == 0)
    self->update_id = g_timeout_add_seconds (UPDATE_SECONDS, on_update, self);
}

static void
stint_background_dispose (GObject *object)
{
  StintBackground *self = STINT_BACKGROUND (object);

  if (self->jobs != NULL)
    stint_background_set_active (self, FALSE);
  g_clear_handle_id (&self->update_id, g_source_remove);
  g_clear_object (&self->outlet);
  g_clear_weak_pointer (&self->application);
  g_clear_object (&self->jobs);

  G_OBJECT_CLASS (stint_background_parent_class)->dispose (object);
}

static void
stint_background_class_init (StintBackgroundClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_background_dispose;
}

static void
stint_background_init (StintBackground *self)
{
}

StintBackground *
stint_background_new (GApplication *application, StintJobList *jobs)
{
  StintBackground *self;

  g_return_val_if_fail (G_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);

  self = g_object_new (STINT_TYPE_BACKGROUND, NULL);
  g_set_weak_pointer (&self->application, application);
  self->outlet = stint_notification_outlet_new (application);
  self->jobs = g_object_ref (jobs);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (on_n_active), self,
                           G_CONNECT_SWAPPED);
  return self;
}

GNotification *
stint_background_dup_notification (StintBackground *self)
{
  guint n_active;
  g_autofree char *title = NULL;
  GNotification *notification;

  g_return_val_if_fail (STINT_IS_BACKGROUND (self), NULL);

  n_active = stint_job_list_get_n_active (self->jobs);
  title = g_strdup_printf (ngettext ("%u job goes on in the background",
                                     "%u jobs go on in the background", n_active),
                           n_active);
  notification = g_notification_new (title);
  g_notification_set_body (notification, _ ("Stint has no window now, but keeps their limits."));
  g_notification_set_default_action (notification, "app." STINT_BACKGROUND_SHOW_ACTION);
  g_notification_add_button (notification, _ ("Show"), "app." STINT_BACKGROUND_SHOW_ACTION);
  g_notification_add_button (notification, _ ("Stop All"), "app." STINT_BACKGROUND_STOP_ACTION);
  return notification;
}

void
stint_background_set_active (StintBackground *self, gboolean active)
{
  g_return_if_fail (STINT_IS_BACKGROUND (self));

  if (self->active == active)
    return;
  self->active = active;
  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->application == NULL)
    return;
  if (active)
    send (self, G_NOTIFICATION_PRIORITY_NORMAL);
  else
    stint_notification_outlet_withdraw (self->outlet, STINT_BACKGROUND_NOTIFICATION);
}

gboolean
stint_background_get_active (StintBackground *self)
{
  g_return_val_if_fail (STINT_IS_BACKGROUND (self), FALSE);

  return self->active;
}
