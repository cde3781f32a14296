/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The notifications of jobs. One for each job at most: a later one replaces an earlier one, and it is
 * withdrawn when it has been seen or is no longer true. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-notifier.h"

#include "stint-notification-outlet.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define TITLE_CHARS 80
#define BODY_CHARS 240

/* What a job's notification says. */
typedef enum
{
  TOLD_NOTHING,
  TOLD_WARNING,
  TOLD_NEEDS_YOU,
  TOLD_END,
} Told;

struct _StintNotifier
{
  GObject parent_instance;

  GApplication *application; /* weak: it owns us */
  StintNotificationOutlet *outlet;
  StintJobList *jobs;
  StintSettings *settings;
  StintNotifierSees sees;
  gpointer user_data;

  GHashTable *watched; /* set of StintJob */
  GHashTable *told;    /* StintJob (not kept alive) -> Told: what is shown now */
};

G_DEFINE_FINAL_TYPE (StintNotifier, stint_notifier, G_TYPE_OBJECT)

/* (transfer full): it names the job for as long as the process runs, whatever ids there are. */
static char *
dup_name (StintJob *job)
{
  return g_strdup_printf ("job-%" PRIu64, stint_job_get_id (job));
}

/* Nobody can see it any more. What has been told of its end stays. */
static void
on_job_gone (gpointer data, GObject *job)
{
  StintNotifier *self = data;

  g_hash_table_remove (self->told, job);
}

static void
remember (StintNotifier *self, StintJob *job, Told what)
{
  if (g_hash_table_insert (self->told, job, GINT_TO_POINTER (what)))
    g_object_weak_ref (G_OBJECT (job), on_job_gone, self);
}

static gboolean
forget (StintNotifier *self, StintJob *job)
{
  if (!g_hash_table_remove (self->told, job))
    return FALSE;
  g_object_weak_unref (G_OBJECT (job), on_job_gone, self);
  return TRUE;
}

static void
withdraw (StintNotifier *self, StintJob *job)
{
  g_autofree char *name = NULL;

  if (!forget (self, job) || self->application == NULL)
    return;
  name = dup_name (job);
  stint_notification_outlet_withdraw (self->outlet, name);
}

static Told
get_told (StintNotifier *self, StintJob *job)
{
  return (Told) GPOINTER_TO_INT (g_hash_table_lookup (self->told, job));
}

static GNotification *
new_notification (StintJob *job, const char *title, const char *body)
{
  g_autofree char *clean_title = stint_text_clean (title, TITLE_CHARS + 40);
  g_autofree char *clean_body = body != NULL ? stint_text_clean (body, BODY_CHARS) : NULL;
  GNotification *notification = g_notification_new (clean_title);

  if (clean_body != NULL)
    g_notification_set_body (notification, clean_body);
  g_notification_set_default_action_and_target (notification, "app." STINT_NOTIFIER_SHOW_ACTION,
                                                "t", stint_job_get_id (job));
  return notification;
}

static void
add_button (GNotification *notification, StintJob *job, const char *label, const char *action)
{
  g_autofree char *detailed = g_strconcat ("app.", action, NULL);

  g_notification_add_button_with_target (notification, label, detailed, "t",
                                         stint_job_get_id (job));
}

/* (transfer full): the name by which a command is known: "make" of "/usr/bin/make -j4". */
static char *
dup_command_name (StintJobSpec *spec)
{
  const char *line = stint_job_spec_get_shell_line (spec);
  g_autofree char *word = NULL;

  if (line == NULL)
    return g_path_get_basename (stint_job_spec_get_argv (spec)[0]);
  line += strspn (line, " \t\n");
  word = g_strndup (line, strcspn (line, " \t\n;&|"));
  return g_path_get_basename (word);
}

/* Whether the user wants to hear nothing of such jobs. */
static gboolean
is_left_out (StintNotifier *self, StintJob *job)
{
  const char *words = stint_settings_get_notify_not_for (self->settings);
  StintJobSpec *spec = stint_job_get_spec (job);
  const char *name = stint_job_spec_get_name (spec);
  g_auto (GStrv) left_out = NULL;
  g_autofree char *command = NULL;

  if (words == NULL)
    return FALSE;
  left_out = g_strsplit_set (words, " \t\n", -1);
  command = dup_command_name (spec);
  return g_strv_contains ((const char *const *) left_out, command) ||
         (name != NULL && g_strv_contains ((const char *const *) left_out, name));
}

static void
send (StintNotifier *self, StintJob *job, Told what, GNotification *notification)
{
  g_autofree char *name = dup_name (job);

  if (self->application == NULL || stint_job_get_id (job) == 0)
    return;
  /* What was told before that was wished would be neither replaced nor withdrawn. */
  if (is_left_out (self, job))
    {
      withdraw (self, job);
      return;
    }
  remember (self, job, what);
  stint_notification_outlet_send (self->outlet, name, notification);
}

static gboolean
is_seen (StintNotifier *self, StintJob *job)
{
  return self->sees != NULL && self->sees (job, self->user_data);
}

/* (transfer full): a job's name, short enough for a title. */
static char *
dup_title_of (StintJob *job)
{
  return stint_text_clean (stint_job_get_title (job), TITLE_CHARS);
}

/* The end */

/* Returns: (nullable): the title's format; NULL for what is not told. */
static const char *
get_end_format (StintNotifier *self, const StintResult *result)
{
  gboolean succeeded = stint_result_is_success (result);
  gboolean is_long = result->duration >= stint_settings_get_notify_min_duration (self->settings);

  if (succeeded ? !stint_settings_get_notify_finished (self->settings)
                : !stint_settings_get_notify_failed (self->settings))
    return NULL;
  switch (result->reason)
    {
    case STINT_REASON_EXITED:
    case STINT_REASON_SIGNALED:
      if (!is_long)
        return NULL;
      /* Translators: titles of notifications; %s is a job's name. */
      return succeeded ? _ ("“%s” succeeded") : _ ("“%s” failed");
    case STINT_REASON_TIMEOUT:
      return _ ("“%s” ran out of time");
    case STINT_REASON_IDLE_TIMEOUT:
      return _ ("“%s” was stopped for its silence");
    case STINT_REASON_FAILED:
      return _ ("“%s” could not be started");
    case STINT_REASON_INTERRUPTED:
      return _ ("“%s” was interrupted");
    /* The user's own doing. */
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
    case STINT_REASON_NONE:
    default:
      return NULL;
    }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static char *
fill_in (const char *format, const char *name)
{
  return g_strdup_printf (format, name);
}
#pragma GCC diagnostic pop

static void
tell_end (StintNotifier *self, StintJob *job)
{
  const StintResult *result = stint_job_get_result (job);
  const char *format = get_end_format (self, result);
  g_autofree char *name = dup_title_of (job);
  g_autofree char *sentence = stint_result_dup_sentence (result);
  g_autofree char *title = NULL;
  g_autoptr (GNotification) notification = NULL;

  if (format == NULL || is_seen (self, job))
    {
      withdraw (self, job);
      return;
    }
  title = fill_in (format, name);
  notification = new_notification (job, title, sentence);
  add_button (notification, job, _ ("Show"), STINT_NOTIFIER_SHOW_ACTION);
  add_button (notification, job, _ ("Run Again"), STINT_NOTIFIER_RUN_AGAIN_ACTION);
  if (!stint_result_is_success (result))
    g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  send (self, job, TOLD_END, notification);
}

/* Before the end */

static void
on_limit_warning (StintNotifier *self, int reason, gint64 left, StintJob *job)
{
  g_autofree char *name = dup_title_of (job);
  g_autofree char *time = NULL;
  g_autofree char *title = NULL;
  g_autoptr (GNotification) notification = NULL;

  if (!stint_settings_get_notify_limit_warning (self->settings) || is_seen (self, job))
    return;
  /* Whole seconds: how many milliseconds there are is of no use. */
  time = stint_duration_format_words (MAX (left / G_USEC_PER_SEC, 1) * G_USEC_PER_SEC);
  /* Translators: a job's name, and a time: "40 s". */
  title = g_strdup_printf (_ ("“%s” will be stopped in %s"), name, time);
  notification =
      new_notification (job, title,
                        reason == STINT_REASON_IDLE_TIMEOUT
                            ? _ ("It has been silent for most of the time that it may be.")
                            : _ ("Its time is nearly over."));
  add_button (notification, job, _ ("+10 min"), STINT_NOTIFIER_MORE_TIME_ACTION);
  add_button (notification, job, _ ("Show"), STINT_NOTIFIER_SHOW_ACTION);
  g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  send (self, job, TOLD_WARNING, notification);
}

/* More time was given, or the silence has ended. */
static void
on_limits_changed (StintNotifier *self, StintJob *job)
{
  if (get_told (self, job) == TOLD_WARNING)
    withdraw (self, job);
}

static void
on_idle_expired (StintNotifier *self, StintJob *job)
{
  g_autofree char *time = stint_duration_format_words (stint_job_get_idle_total (job));
  g_autofree char *why = NULL;

  /* Translators: a time: "10 min". */
  why = g_strdup_printf (_ ("There has been no output for %s."), time);
  stint_notifier_needs_you (self, job, why);
}

/* Watching */

static void
unwatch (StintNotifier *self, StintJob *job)
{
  if (!g_hash_table_contains (self->watched, job))
    return;
  g_signal_handlers_disconnect_by_data (job, self);
  g_hash_table_remove (self->watched, job);
}

static void
on_state (StintNotifier *self, GParamSpec *pspec, StintJob *job)
{
  g_autoptr (StintJob) kept = g_object_ref (job);

  if (stint_job_get_state (job) != STINT_JOB_FINISHED)
    {
      if (stint_job_get_state (job) == STINT_JOB_STOPPING)
        withdraw (self, job);
      return;
    }
  unwatch (self, job);
  tell_end (self, job);
}

static void
watch (StintNotifier *self, StintJob *job)
{
  /* What is in a terminal is told there. */
  if (stint_job_get_state (job) == STINT_JOB_FINISHED || stint_job_is_elsewhere (job) ||
      !g_hash_table_add (self->watched, g_object_ref (job)))
    return;
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "idle-expired", G_CALLBACK (on_idle_expired), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "limits-changed", G_CALLBACK (on_limits_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "limit-warning", G_CALLBACK (on_limit_warning), self,
                           G_CONNECT_SWAPPED);
}

static void
on_items_changed (StintNotifier *self, guint position, guint removed, guint added)
{
  for (guint i = position; i < position + added; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (self->jobs), i);

      watch (self, job);
    }
}

static void
stint_notifier_dispose (GObject *object)
{
  StintNotifier *self = STINT_NOTIFIER (object);
  guint n_watched, n_told;
  g_autofree gpointer *watched = g_hash_table_get_keys_as_array (self->watched, &n_watched);
  g_autofree gpointer *told = g_hash_table_get_keys_as_array (self->told, &n_told);

  for (guint i = 0; i < n_watched; i++)
    unwatch (self, watched[i]);
  /* What has been told of an end stays: it is as true as before. */
  for (guint i = 0; i < n_told; i++)
    forget (self, told[i]);
  g_clear_object (&self->outlet);
  g_clear_weak_pointer (&self->application);
  g_clear_object (&self->jobs);
  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_notifier_parent_class)->dispose (object);
}

static void
stint_notifier_finalize (GObject *object)
{
  StintNotifier *self = STINT_NOTIFIER (object);

  g_hash_table_unref (self->watched);
  g_hash_table_unref (self->told);

  G_OBJECT_CLASS (stint_notifier_parent_class)->finalize (object);
}

static void
stint_notifier_class_init (StintNotifierClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_notifier_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_notifier_finalize;
}

static void
stint_notifier_init (StintNotifier *self)
{
  self->watched = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  self->told = g_hash_table_new (NULL, NULL);
}

StintNotifier *
stint_notifier_new (GApplication *application,
                    StintJobList *jobs,
                    StintSettings *settings,
                    StintNotifierSees sees,
                    gpointer user_data)
{
  StintNotifier *self;

  g_return_val_if_fail (G_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_NOTIFIER, NULL);
  g_set_weak_pointer (&self->application, application);
  self->outlet = stint_notification_outlet_new (application);
  self->jobs = g_object_ref (jobs);
  self->settings = g_object_ref (settings);
  self->sees = sees;
  self->user_data = user_data;
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (jobs)));
  return self;
}

void
stint_notifier_seen_changed (StintNotifier *self)
{
  g_autofree gpointer *told = NULL;
  guint n_told;

  g_return_if_fail (STINT_IS_NOTIFIER (self));

  told = g_hash_table_get_keys_as_array (self->told, &n_told);
  for (guint i = 0; i < n_told; i++)
    if (is_seen (self, told[i]))
      withdraw (self, told[i]);
}

void
stint_notifier_needs_you (StintNotifier *self, StintJob *job, const char *why)
{
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  g_autoptr (GNotification) notification = NULL;

  g_return_if_fail (STINT_IS_NOTIFIER (self));
  g_return_if_fail (STINT_IS_JOB (job));

  if (!stint_settings_get_notify_needs_you (self->settings) || is_seen (self, job) ||
      stint_job_get_state (job) == STINT_JOB_FINISHED)
    return;
  name = dup_title_of (job);
  /* Translators: the title of a notification; %s is a job's name. */
  title = g_strdup_printf (_ ("“%s” needs you"), name);
  notification = new_notification (job, title, why);
  add_button (notification, job, _ ("Show"), STINT_NOTIFIER_SHOW_ACTION);
  g_notification_set_priority (notification, G_NOTIFICATION_PRIORITY_HIGH);
  send (self, job, TOLD_NEEDS_YOU, notification);
}

void
stint_notifier_needs_nothing (StintNotifier *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_NOTIFIER (self));
  g_return_if_fail (STINT_IS_JOB (job));

  if (get_told (self, job) == TOLD_NEEDS_YOU)
    withdraw (self, job);
}
