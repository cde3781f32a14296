/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Keeps the session from ending while jobs run. The reason that the desktop shows has their number, and
 * so is said anew when that changes. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-inhibitor.h"

#include <glib/gi18n.h>

struct _StintInhibitor
{
  GObject parent_instance;

  GtkApplication *application; /* weak: it owns us */
  StintJobList *jobs;
  StintSettings *settings;
  guint cookie; /* 0: the desktop was not asked, or cannot be */
  guint n_told;
  GtkApplicationInhibitFlags flags;
};

G_DEFINE_FINAL_TYPE (StintInhibitor, stint_inhibitor, G_TYPE_OBJECT)

static void
release (StintInhibitor *self)
{
  if (self->cookie != 0 && self->application != NULL)
    gtk_application_uninhibit (self->application, self->cookie);
  self->cookie = 0;
}

static void
update (StintInhibitor *self)
{
  guint n_active = stint_job_list_get_n_active (self->jobs);
  GtkApplicationInhibitFlags flags = 0;
  g_autofree char *reason = NULL;
  guint old;

  if (n_active > 0)
    flags = GTK_APPLICATION_INHIBIT_LOGOUT;
  if (n_active > 0 && stint_settings_get_inhibit_suspend (self->settings))
    flags |= GTK_APPLICATION_INHIBIT_SUSPEND;
  if (flags == self->flags && n_active == self->n_told)
    return;
  self->flags = flags;
  self->n_told = n_active;
  if (flags == 0 || self->application == NULL)
    {
      release (self);
      return;
    }
  /* Translators: why the session should not end, said by the desktop. */
  reason =
      g_strdup_printf (ngettext ("%u job is running", "%u jobs are running", n_active), n_active);
  /* The new one first: between them the session could end. */
  old = self->cookie;
  self->cookie = gtk_application_inhibit (
      self->application, gtk_application_get_active_window (self->application), flags, reason);
  if (old != 0)
    gtk_application_uninhibit (self->application, old);
}

static void
stint_inhibitor_dispose (GObject *object)
{
  StintInhibitor *self = STINT_INHIBITOR (object);

  release (self);
  g_clear_weak_pointer (&self->application);
  g_clear_object (&self->jobs);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_inhibitor_parent_class)->dispose (object);
}

static void
stint_inhibitor_class_init (StintInhibitorClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_inhibitor_dispose;
}

static void
stint_inhibitor_init (StintInhibitor *self)
{
}

StintInhibitor *
stint_inhibitor_new (GtkApplication *application, StintJobList *jobs, StintSettings *settings)
{
  StintInhibitor *self;

  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_INHIBITOR, NULL);
  g_set_weak_pointer (&self->application, application);
  self->jobs = g_object_ref (jobs);
  self->settings = g_object_ref (settings);
  g_signal_connect_object (jobs, "notify::n-active", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify::inhibit-suspend", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  update (self);
  return self;
}

GtkApplicationInhibitFlags
stint_inhibitor_get_flags (StintInhibitor *self)
{
  g_return_val_if_fail (STINT_IS_INHIBITOR (self), 0);

  return self->flags;
}
