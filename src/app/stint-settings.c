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

  guint max_running;
  guint scrollback_lines;
  guint grace_seconds;
  guint agent_idle_seconds;
  int job_niceness;
  int window_width;
  int window_height;
  gboolean window_maximized;
  gboolean confirm_close;
  gboolean wrap;
  int font_percent;
  char *workspace;
  char *font;
};

G_DEFINE_FINAL_TYPE (StintSettings, stint_settings, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_MAX_RUNNING,
  PROP_SCROLLBACK_LINES,
  PROP_GRACE_SECONDS,
  PROP_AGENT_IDLE_SECONDS,
  PROP_JOB_NICENESS,
  PROP_WINDOW_WIDTH,
  PROP_WINDOW_HEIGHT,
  PROP_WINDOW_MAXIMIZED,
  PROP_CONFIRM_CLOSE,
  PROP_WRAP,
  PROP_FONT_PERCENT,
  PROP_WORKSPACE,
  PROP_FONT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static guint *
uint_field (StintSettings *self, guint prop_id)
{
  switch (prop_id)
    {
    case PROP_MAX_RUNNING:
      return &self->max_running;
    case PROP_SCROLLBACK_LINES:
      return &self->scrollback_lines;
    case PROP_GRACE_SECONDS:
      return &self->grace_seconds;
    case PROP_AGENT_IDLE_SECONDS:
      return &self->agent_idle_seconds;
    default:
      return NULL;
    }
}

static int *
int_field (StintSettings *self, guint prop_id)
{
  switch (prop_id)
    {
    case PROP_JOB_NICENESS:
      return &self->job_niceness;
    case PROP_WINDOW_WIDTH:
      return &self->window_width;
    case PROP_WINDOW_HEIGHT:
      return &self->window_height;
    case PROP_WINDOW_MAXIMIZED:
      return &self->window_maximized;
    case PROP_CONFIRM_CLOSE:
      return &self->confirm_close;
    case PROP_WRAP:
      return &self->wrap;
    case PROP_FONT_PERCENT:
      return &self->font_percent;
    default:
      return NULL;
    }
}

static char **
string_field (StintSettings *self, guint prop_id)
{
  return prop_id == PROP_WORKSPACE ? &self->workspace : &self->font;
}

static void
stint_settings_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintSettings *self = STINT_SETTINGS (object);

  if (G_IS_PARAM_SPEC_UINT (pspec))
    g_value_set_uint (value, *uint_field (self, prop_id));
  else if (G_IS_PARAM_SPEC_INT (pspec))
    g_value_set_int (value, *int_field (self, prop_id));
  else if (G_IS_PARAM_SPEC_BOOLEAN (pspec))
    g_value_set_boolean (value, *int_field (self, prop_id));
  else
    g_value_set_string (value, *string_field (self, prop_id));
}

static void
stint_settings_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintSettings *self = STINT_SETTINGS (object);

  if (G_IS_PARAM_SPEC_UINT (pspec))
    {
      guint *field = uint_field (self, prop_id);

      if (*field == g_value_get_uint (value))
        return;
      *field = g_value_get_uint (value);
    }
  else if (G_IS_PARAM_SPEC_INT (pspec) || G_IS_PARAM_SPEC_BOOLEAN (pspec))
    {
      int *field = int_field (self, prop_id);
      int new_value =
          G_IS_PARAM_SPEC_INT (pspec) ? g_value_get_int (value) : g_value_get_boolean (value);

      if (*field == new_value)
        return;
      *field = new_value;
    }
  else
    {
      char **field = string_field (self, prop_id);

      if (g_strcmp0 (*field, g_value_get_string (value)) == 0)
        return;
      g_free (*field);
      *field = g_value_dup_string (value);
    }
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

  g_free (self->workspace);
  g_free (self->font);

  G_OBJECT_CLASS (stint_settings_parent_class)->finalize (object);
}

static void
stint_settings_class_init (StintSettingsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;

  object_class->get_property = stint_settings_get_property;
  object_class->set_property = stint_settings_set_property;
  object_class->dispose = stint_settings_dispose;
  object_class->finalize = stint_settings_finalize;

  properties[PROP_MAX_RUNNING] =
      g_param_spec_uint ("max-running", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_SCROLLBACK_LINES] =
      g_param_spec_uint ("scrollback-lines", NULL, NULL, 0, G_MAXUINT, 10000, flags);
  properties[PROP_GRACE_SECONDS] =
      g_param_spec_uint ("grace-seconds", NULL, NULL, 0, G_MAXUINT, 5, flags);
  properties[PROP_AGENT_IDLE_SECONDS] =
      g_param_spec_uint ("agent-idle-seconds", NULL, NULL, 0, G_MAXUINT, 600, flags);
  properties[PROP_JOB_NICENESS] = g_param_spec_int ("job-niceness", NULL, NULL, 0, 19, 19, flags);
  properties[PROP_WINDOW_WIDTH] =
      g_param_spec_int ("window-width", NULL, NULL, 0, G_MAXINT, 1100, flags);
  properties[PROP_WINDOW_HEIGHT] =
      g_param_spec_int ("window-height", NULL, NULL, 0, G_MAXINT, 720, flags);
  properties[PROP_WINDOW_MAXIMIZED] =
      g_param_spec_boolean ("window-maximized", NULL, NULL, FALSE, flags);
  properties[PROP_CONFIRM_CLOSE] = g_param_spec_boolean ("confirm-close", NULL, NULL, TRUE, flags);
  properties[PROP_WRAP] = g_param_spec_boolean ("wrap", NULL, NULL, TRUE, flags);
  properties[PROP_FONT_PERCENT] =
      g_param_spec_int ("font-percent", NULL, NULL, 25, 400, 100, flags);
  properties[PROP_WORKSPACE] = g_param_spec_string ("workspace", NULL, NULL, "", flags);
  properties[PROP_FONT] = g_param_spec_string ("font", NULL, NULL, "", flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_settings_init (StintSettings *self)
{
  GSettingsSchemaSource *source = g_settings_schema_source_get_default ();
  g_autoptr (GSettingsSchema) schema = NULL;

  for (guint i = 1; i < N_PROPS; i++)
    g_object_set_property (G_OBJECT (self), properties[i]->name,
                           g_param_spec_get_default_value (properties[i]));

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

StintSettings *
stint_settings_new (void)
{
  return g_object_new (STINT_TYPE_SETTINGS, NULL);
}

guint
stint_settings_get_max_running (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return self->max_running;
}

static const char *
null_if_empty (const char *text)
{
  return text != NULL && text[0] != '\0' ? text : NULL;
}

const char *
stint_settings_get_workspace (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return null_if_empty (self->workspace);
}

guint
stint_settings_get_scrollback_lines (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return self->scrollback_lines;
}

const char *
stint_settings_get_font (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), NULL);

  return null_if_empty (self->font);
}

gboolean
stint_settings_get_confirm_close (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), TRUE);

  return self->confirm_close;
}

gboolean
stint_settings_get_wrap (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), TRUE);

  return self->wrap;
}

guint
stint_settings_get_font_percent (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 100);

  return (guint) self->font_percent;
}

gint64
stint_settings_get_grace (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (gint64) self->grace_seconds * G_USEC_PER_SEC;
}

gint64
stint_settings_get_agent_idle (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (gint64) self->agent_idle_seconds * G_USEC_PER_SEC;
}

guint
stint_settings_get_job_niceness (StintSettings *self)
{
  g_return_val_if_fail (STINT_IS_SETTINGS (self), 0);

  return (guint) self->job_niceness;
}

void
stint_settings_get_window (StintSettings *self, int *width, int *height, gboolean *maximized)
{
  g_return_if_fail (STINT_IS_SETTINGS (self));

  *width = self->window_width;
  *height = self->window_height;
  *maximized = self->window_maximized;
}

void
stint_settings_set_window (StintSettings *self, int width, int height, gboolean maximized)
{
  g_return_if_fail (STINT_IS_SETTINGS (self));

  g_object_set (self, "window-maximized", maximized, NULL);
  if (width > 0 && height > 0)
    g_object_set (self, "window-width", width, "window-height", height, NULL);
}
