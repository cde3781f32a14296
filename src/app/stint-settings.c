/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The settings as one typed object. The only place that knows their keys. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-settings.h"

#include <gio/gio.h>

struct _StintSettings
{
  GObject parent_instance;

  GSettings *settings; /* (nullable): without an installed schema */
  GValue *values;      /* one for each property */
};

G_DEFINE_FINAL_TYPE (StintSettings, stint_settings, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_MAX_RUNNING,
  PROP_WORKSPACE,
  PROP_SHELL,
  PROP_SHELL_TIMEOUT_SECONDS,
  PROP_SHELL_IDLE_SECONDS,
  PROP_TERMINAL_TIMEOUT_SECONDS,
  PROP_TERMINAL_IDLE_SECONDS,
  PROP_AGENT_TIMEOUT_SECONDS,
  PROP_AGENT_IDLE_SECONDS,
  PROP_GRACE_SECONDS,
  PROP_JOB_NICENESS,
  PROP_HISTORY_DAYS,
  PROP_HISTORY_JOBS,
  PROP_HISTORY_MEGABYTES,
  PROP_HISTORY_SEARCH_KIB,
  PROP_HISTORY_SORT,
  PROP_HISTORY_GROUP,
  PROP_HISTORY_COLUMNS,
  PROP_HISTORY_COLUMN_WIDTHS,
  PROP_NOTIFY_MIN_DURATION,
  PROP_NOTIFY_NOT_FOR,
  PROP_NOTIFY_FINISHED,
  PROP_NOTIFY_FAILED,
  PROP_NOTIFY_NEEDS_YOU,
  PROP_NOTIFY_LIMIT_WARNING,
  PROP_INHIBIT_SUSPEND,
  PROP_SCROLLBACK_LINES,
  PROP_FONT,
  PROP_FONT_PERCENT,
  PROP_PALETTE,
  PROP_WRAP,
  PROP_CONFIRM_CLOSE,
  PROP_BACKGROUND_ON_CLOSE,
  PROP_WINDOW_WIDTH,
  PROP_WINDOW_HEIGHT,
  PROP_WINDOW_MAXIMIZED,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
stint_settings_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  g_value_copy (&STINT_SETTINGS (object)->values[prop_id], value);
}

static void
stint_settings_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  GValue *own = &STINT_SETTINGS (object)->values[prop_id];

  if (g_param_values_cmp (pspec, own, value) == 0)
    return;
  g_value_copy (value, own);
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_settings_dispose (GObject *object)
{
  StintSettings *self = STINT_SETTINGS (object);

  g_clear_object (&self->settings);

  G_OBJECT_CLASS (stint_settings_parent_class)->dispose (object);
}

static void
stint_settings_finalize (GObject *object)
{
  StintSettings *self = STINT_SETTINGS (object);

  for (guint i = 1; i < N_PROPS; i++)
    g_value_unset (&self->values[i]);
  g_free (self->values);

  G_OBJECT_CLASS (stint_settings_parent_class)->finalize (object);
}

#define FLAGS (G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS)

static void
add_count (guint prop_id, const char *name, guint value)
{
  properties[prop_id] = g_param_spec_uint (name, NULL, NULL, 0, G_MAXUINT, value, FLAGS);
}

static void
add_int (guint prop_id, const char *name, int min, int max, int value)
{
  properties[prop_id] = g_param_spec_int (name, NULL, NULL, min, max, value, FLAGS);
}

static void
add_switch (guint prop_id, const char *name, gboolean value)
{
  properties[prop_id] = g_param_spec_boolean (name, NULL, NULL, value, FLAGS);
}

static void
add_string (guint prop_id, const char *name, const char *value)
{
  properties[prop_id] = g_param_spec_string (name, NULL, NULL, value, FLAGS);
}

/* The defaults are those of the schema, for where it is not installed; a test compares them. */
static void
stint_settings_class_init (StintSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stint_settings_get_property;
  object_class->set_property = stint_settings_set_property;
  object_class->dispose = stint_settings_dispose;
  object_class->finalize = stint_settings_finalize;

  add_count (PROP_MAX_RUNNING, "max-running", 0);
  add_string (PROP_WORKSPACE, "workspace", "");
  add_string (PROP_SHELL, "shell", "");
  add_count (PROP_SHELL_TIMEOUT_SECONDS, "shell-timeout-seconds", 0);
  add_count (PROP_SHELL_IDLE_SECONDS, "shell-idle-seconds", 0);
  add_count (PROP_TERMINAL_TIMEOUT_SECONDS, "terminal-timeout-seconds", 0);
  add_count (PROP_TERMINAL_IDLE_SECONDS, "terminal-idle-seconds", 0);
  add_count (PROP_AGENT_TIMEOUT_SECONDS, "agent-timeout-seconds", 0);
  add_count (PROP_AGENT_IDLE_SECONDS, "agent-idle-seconds", 600);
  add_count (PROP_GRACE_SECONDS, "grace-seconds", 5);
  add_int (PROP_JOB_NICENESS, "job-niceness", 0, 19, 19);
  add_count (PROP_HISTORY_DAYS, "history-days", 90);
  add_count (PROP_HISTORY_JOBS, "history-jobs", 0);
  add_count (PROP_HISTORY_MEGABYTES, "history-megabytes", 10240);
  add_count (PROP_HISTORY_SEARCH_KIB, "history-search-kib", 1024);
  add_string (PROP_HISTORY_SORT, "history-sort", "newest");
  add_string (PROP_HISTORY_GROUP, "history-group", "day");
  add_string (PROP_HISTORY_COLUMNS, "history-columns", "outcome,started,duration,directory");
  add_string (PROP_HISTORY_COLUMN_WIDTHS, "history-column-widths", "");
  add_count (PROP_NOTIFY_MIN_DURATION, "notify-min-duration", 10);
  add_string (PROP_NOTIFY_NOT_FOR, "notify-not-for", "");
  add_switch (PROP_NOTIFY_FINISHED, "notify-finished", TRUE);
  add_switch (PROP_NOTIFY_FAILED, "notify-failed", TRUE);
  add_switch (PROP_NOTIFY_NEEDS_YOU, "notify-needs-you", TRUE);
  add_switch (PROP_NOTIFY_LIMIT_WARNING, "notify-limit-warning", TRUE);
  add_switch (PROP_INHIBIT_SUSPEND, "inhibit-suspend", FALSE);
  add_count (PROP_SCROLLBACK_LINES, "scrollback-lines", 10000);
  add_string (PROP_FONT, "font", "");
  add_int (PROP_FONT_PERCENT, "font-percent", 25, 400, 100);
  add_string (PROP_PALETTE, "palette", "system");
  add_switch (PROP_WRAP, "wrap", TRUE);
  add_switch (PROP_CONFIRM_CLOSE, "confirm-close", TRUE);
  add_switch (PROP_BACKGROUND_ON_CLOSE, "background-on-close", FALSE);
  add_int (PROP_WINDOW_WIDTH, "window-width", 0, G_MAXINT, 1100);
  add_int (PROP_WINDOW_HEIGHT, "window-height", 0, G_MAXINT, 720);
  add_switch (PROP_WINDOW_MAXIMIZED, "window-maximized", FALSE);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_settings_init (StintSettings *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  self->values = g_new0 (GValue, N_PROPS);
  for (guint i = 1; i < N_PROPS; i++)
    {
      g_value_init (&self->values[i], G_PARAM_SPEC_VALUE_TYPE (properties[i]));
      g_param_value_set_default (properties[i], &self->values[i]);
    }

  /* g_settings_new() would abort. */
  if (source != NULL)
    schema = g_settings_schema_source_lookup (source, APP_ID, TRUE);
  if (schema == NULL)
    {
      g_message ("The settings schema %s is not installed: defaults are used", APP_ID);
      return;
    }

  self->settings = g_settings_new_full (schema, NULL, NULL);
  for (guint i = 1; i < N_PROPS; i++)
    {
      if (g_settings_schema_has_key (schema, properties[i]->name))
        g_settings_bind (self->settings, properties[i]->name, self, properties[i]->name,
                         G_SETTINGS_BIND_DEFAULT);
    }
}

static guint
get_count (StintSettings *self, guint prop_id)
{
  return g_value_get_uint (&self->values[prop_id]);
}

static int
get_int (StintSettings *self, guint prop_id)
{
  return g_value_get_int (&self->values[prop_id]);
}

static gboolean
get_switch (StintSettings *self, guint prop_id)
{
  return g_value_get_boolean (&self->values[prop_id]);
}

/* (nullable): NULL if it is empty. */
static const char *
get_string (StintSettings *self, guint prop_id)
{
  const char *text = g_value_get_string (&self->values[prop_id]);

  return text != NULL && text[0] != '\0' ? text : NULL;
}

static gint64
get_seconds (StintSettings *self, guint prop_id)
{
  return (gint64) get_count (self, prop_id) * G_USEC_PER_SEC;
}

StintSettings *
stint_settings_new (void)
{
  return g_object_new (STINT_TYPE_SETTINGS, NULL);
}

guint
stint_settings_get_max_running (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_count (self, PROP_MAX_RUNNING);
}

const char *
stint_settings_get_workspace (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_WORKSPACE);
}

guint
stint_settings_get_scrollback_lines (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_count (self, PROP_SCROLLBACK_LINES);
}

const char *
stint_settings_get_font (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_FONT);
}

gboolean
stint_settings_get_confirm_close (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), TRUE);

  return get_switch (self, PROP_CONFIRM_CLOSE);
}

gboolean
stint_settings_get_wrap (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), TRUE);

  return get_switch (self, PROP_WRAP);
}

guint
stint_settings_get_font_percent (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 100);

  return (guint) get_int (self, PROP_FONT_PERCENT);
}

gint64
stint_settings_get_grace (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_seconds (self, PROP_GRACE_SECONDS);
}

gint64
stint_settings_get_timeout (StintSettings *self, StintJobKind kind)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  switch (kind)
    {
    case STINT_JOB_KIND_SHELL:
      return get_seconds (self, PROP_SHELL_TIMEOUT_SECONDS);
    case STINT_JOB_KIND_TERMINAL:
      return get_seconds (self, PROP_TERMINAL_TIMEOUT_SECONDS);
    case STINT_JOB_KIND_AGENT:
    default:
      return get_seconds (self, PROP_AGENT_TIMEOUT_SECONDS);
    }
}

gint64
stint_settings_get_idle_timeout (StintSettings *self, StintJobKind kind)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  switch (kind)
    {
    case STINT_JOB_KIND_SHELL:
      return get_seconds (self, PROP_SHELL_IDLE_SECONDS);
    case STINT_JOB_KIND_TERMINAL:
      return get_seconds (self, PROP_TERMINAL_IDLE_SECONDS);
    case STINT_JOB_KIND_AGENT:
    default:
      return get_seconds (self, PROP_AGENT_IDLE_SECONDS);
    }
}

const char *
stint_settings_get_shell (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_SHELL);
}

gint64
stint_settings_get_notify_min_duration (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_seconds (self, PROP_NOTIFY_MIN_DURATION);
}

const char *
stint_settings_get_notify_not_for (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_NOTIFY_NOT_FOR);
}

gboolean
stint_settings_get_notify_finished (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_NOTIFY_FINISHED);
}

gboolean
stint_settings_get_notify_failed (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_NOTIFY_FAILED);
}

gboolean
stint_settings_get_notify_needs_you (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_NOTIFY_NEEDS_YOU);
}

gboolean
stint_settings_get_notify_limit_warning (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_NOTIFY_LIMIT_WARNING);
}

gboolean
stint_settings_get_inhibit_suspend (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_INHIBIT_SUSPEND);
}

gboolean
stint_settings_get_background_on_close (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), FALSE);

  return get_switch (self, PROP_BACKGROUND_ON_CLOSE);
}

const char *
stint_settings_get_palette (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), "system");

  return get_string (self, PROP_PALETTE);
}

guint
stint_settings_get_history_days (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_count (self, PROP_HISTORY_DAYS);
}

guint
stint_settings_get_history_jobs (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return get_count (self, PROP_HISTORY_JOBS);
}

guint64
stint_settings_get_history_bytes (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (guint64) get_count (self, PROP_HISTORY_MEGABYTES) << 20;
}

guint64
stint_settings_get_history_search_bytes (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (guint64) get_count (self, PROP_HISTORY_SEARCH_KIB) << 10;
}

const char *
stint_settings_get_history_sort (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_HISTORY_SORT);
}

const char *
stint_settings_get_history_group (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return get_string (self, PROP_HISTORY_GROUP);
}

guint
stint_settings_get_job_niceness (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (guint) get_int (self, PROP_JOB_NICENESS);
}

void
stint_settings_get_window (StintSettings *self, int *width, int *height, gboolean *maximized)
{
  g_return_if_fail (STINT_IS_SETTINGS (self));

  *width = get_int (self, PROP_WINDOW_WIDTH);
  *height = get_int (self, PROP_WINDOW_HEIGHT);
  *maximized = get_switch (self, PROP_WINDOW_MAXIMIZED);
}

void
stint_settings_set_window (StintSettings *self, int width, int height, gboolean maximized)
{
  g_return_if_fail (STINT_IS_SETTINGS (self));

  g_object_set (self, "window-maximized", maximized, NULL);
  if (width > 0 && height > 0)
    g_object_set (self, "window-width", width, "window-height", height, NULL);
}
