/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The way of a job from the window to the list: secrets first, since they may be refused, then the
 * environment. Nothing here waits; what is not at hand is asked for. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-starter.h"

#include "stint-secret-dialog.h"
#include "stint-secrets.h"

struct _StintStarter
{
  GObject parent_instance;

  StintSettings *settings;
  StintLoginEnvironment *login_environment; /* (nullable) */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (StintStarter, stint_starter, G_TYPE_OBJECT)

enum
{
  READY,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* One job on its way. */
typedef struct
{
  StintStarter *starter;
  StintJobSpec *spec;
  GtkWindow *parent; /* weak */
} Start;

static void
start_free (Start *start)
{
  g_clear_weak_pointer (&start->parent);
  g_clear_object (&start->spec);
  g_clear_object (&start->starter);
  g_free (start);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Start, start_free)

static void
finish (Start *start, const char *const *environ)
{
  g_autoptr (Start) own = start;

  if (!stint_job_spec_has_environ (own->spec))
    stint_job_spec_resolve (own->spec, NULL, stint_settings_get_workspace (own->starter->settings),
                            environ);
  g_signal_emit (own->starter, signals[READY], 0, own->spec);
}

static void
on_environment (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Start *start = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environ = stint_login_environment_read_finish (STINT_LOGIN_ENVIRONMENT (source),
                                                                result, &error);

  if (error != NULL)
    g_signal_emit (start->starter, signals[PROBLEM], 0, error);
  /* A terminal's programs are to know what it is, whatever the login shell said. */
  environ = g_environ_setenv (environ, "TERM", "xterm-256color", TRUE);
  environ = g_environ_setenv (environ, "COLORTERM", "truecolor", TRUE);
  finish (start, (const char *const *) environ);
}

static void
find_environment (Start *start)
{
  StintStarter *self = start->starter;
  g_auto (GStrv) own = NULL;

  if (self->login_environment != NULL && !stint_job_spec_has_environ (start->spec))
    {
      stint_login_environment_read_async (self->login_environment, on_environment, start);
      return;
    }
  own = g_get_environ ();
  finish (start, (const char *const *) own);
}

static void
on_filled (StintSecretDialog *dialog, gpointer user_data)
{
  g_signal_handlers_disconnect_by_data (dialog, user_data);
  find_environment (user_data);
}

/* Closed without an answer. */
static void
on_refused (StintSecretDialog *dialog, gpointer user_data)
{
  start_free (user_data);
}

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Start) start = user_data;
  g_autoptr (GError) error = NULL;
  StintSecretDialog *dialog;

  if (stint_secrets_look_up_finish (start->spec, result, &error))
    {
      find_environment (g_steal_pointer (&start));
      return;
    }
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  dialog = stint_secret_dialog_new (start->parent, start->spec);
  g_signal_connect (dialog, "filled", G_CALLBACK (on_filled), start);
  g_signal_connect (dialog, "destroy", G_CALLBACK (on_refused), start);
  g_steal_pointer (&start);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
stint_starter_dispose (GObject *object)
{
  StintStarter *self = STINT_STARTER (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->login_environment);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_starter_parent_class)->dispose (object);
}

static void
stint_starter_finalize (GObject *object)
{
  g_clear_object (&STINT_STARTER (object)->cancellable);

  G_OBJECT_CLASS (stint_starter_parent_class)->finalize (object);
}

static void
stint_starter_class_init (StintStarterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_starter_dispose;
  object_class->finalize = stint_starter_finalize;

  signals[READY] = g_signal_new ("ready", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_starter_init (StintStarter *self)
{
  self->cancellable = g_cancellable_new ();
}

StintStarter *
stint_starter_new (StintSettings *settings, StintLoginEnvironment *login_environment)
{
  StintStarter *self;

  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_STARTER, NULL);
  self->settings = g_object_ref (settings);
  self->login_environment = login_environment != NULL ? g_object_ref (login_environment) : NULL;
  return self;
}

static void
on_prepared (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintStarter) self = user_data;
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) environ = stint_login_environment_read_finish (STINT_LOGIN_ENVIRONMENT (source),
                                                                result, &error);

  if (error != NULL)
    g_signal_emit (self, signals[PROBLEM], 0, error);
}

void
stint_starter_prepare (StintStarter *self)
{
  g_return_if_fail (STINT_IS_STARTER (self));

  if (self->login_environment != NULL)
    stint_login_environment_read_async (self->login_environment, on_prepared, g_object_ref (self));
}

void
stint_starter_start (StintStarter *self, StintJobSpec *spec, GtkWindow *parent)
{
  g_auto (GStrv) missing = NULL;
  Start *start;

  g_return_if_fail (STINT_IS_STARTER (self));
  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  start = g_new0 (Start, 1);
  start->starter = g_object_ref (self);
  start->spec = g_object_ref (spec);
  g_set_weak_pointer (&start->parent, parent);
  missing = stint_job_spec_dup_missing_secrets (spec);
  if (missing[0] != NULL)
    stint_secrets_look_up_async (spec, self->cancellable, on_looked_up, start);
  else
    find_environment (start);
}
