/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The typed settings agree with the schema, key by key.
 */
#include "config.h"

#include "stint-settings.h"

#include <gio/gio.h>

static void
test_every_key_is_typed (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  g_autoptr (GSettingsSchema) schema =
      g_settings_schema_source_lookup (g_settings_schema_source_get_default (), APP_ID, TRUE);
  g_auto (GStrv) keys = NULL;
  guint n_properties;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (settings), &n_properties);

  g_assert_nonnull (schema);
  keys = g_settings_schema_list_keys (schema);
  for (guint i = 0; keys[i] != NULL; i++)
    if (g_object_class_find_property (G_OBJECT_GET_CLASS (settings), keys[i]) == NULL)
      g_error ("no property for the key %s", keys[i]);
  for (guint i = 0; i < n_properties; i++)
    if (!g_settings_schema_has_key (schema, properties[i]->name))
      g_error ("no key for the property %s", properties[i]->name);
}

static void
test_defaults (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();

  g_assert_cmpuint (stint_settings_get_max_running (settings), ==, 0);
  g_assert_cmpint (stint_settings_get_grace (settings), ==, 5 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_settings_get_idle_timeout (settings, STINT_JOB_KIND_AGENT), ==,
                   600 * G_USEC_PER_SEC);
  g_assert_cmpint (stint_settings_get_idle_timeout (settings, STINT_JOB_KIND_SHELL), ==, 0);
  g_assert_cmpint (stint_settings_get_timeout (settings, STINT_JOB_KIND_TERMINAL), ==, 0);
  g_assert_cmpuint (stint_settings_get_job_niceness (settings), ==, 19);
  g_assert_true (stint_settings_get_confirm_close (settings));
  g_assert_null (stint_settings_get_workspace (settings));
  g_assert_null (stint_settings_get_font (settings));
}

/* Where there is no schema the properties' own defaults are used. */
static void
test_defaults_agree (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  guint n_properties;
  g_autofree GParamSpec **properties =
      g_object_class_list_properties (G_OBJECT_GET_CLASS (settings), &n_properties);

  for (guint i = 0; i < n_properties; i++)
    {
      g_auto (GValue) value = G_VALUE_INIT;

      g_value_init (&value, G_PARAM_SPEC_VALUE_TYPE (properties[i]));
      g_object_get_property (G_OBJECT (settings), properties[i]->name, &value);
      if (!g_param_value_defaults (properties[i], &value))
        g_error ("%s has another default in the schema", properties[i]->name);
    }
}

/* One of each kind, by the accessors that others read. */
static void
test_each_kind_of_job (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();

  g_object_set (settings, "shell-timeout-seconds", 1, "terminal-timeout-seconds", 2,
                "agent-timeout-seconds", 3, "shell-idle-seconds", 4, "terminal-idle-seconds", 5,
                "agent-idle-seconds", 6, NULL);
  for (int kind = STINT_JOB_KIND_SHELL; kind <= STINT_JOB_KIND_AGENT; kind++)
    {
      g_assert_cmpint (stint_settings_get_timeout (settings, kind), ==,
                       (kind + 1) * G_USEC_PER_SEC);
      g_assert_cmpint (stint_settings_get_idle_timeout (settings, kind), ==,
                       (kind + 4) * G_USEC_PER_SEC);
    }
  g_object_set (settings, "shell-timeout-seconds", 0, "terminal-timeout-seconds", 0,
                "agent-timeout-seconds", 0, "shell-idle-seconds", 0, "terminal-idle-seconds", 0,
                "agent-idle-seconds", 600, NULL);
}

static void
count (guint *n)
{
  (*n)++;
}

static void
test_changes_arrive (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  g_autoptr (GSettings) store = g_settings_new (APP_ID);
  guint n_notified = 0;

  g_signal_connect_swapped (settings, "notify::max-running", G_CALLBACK (count), &n_notified);
  g_settings_set_uint (store, "max-running", 3);
  g_assert_cmpuint (stint_settings_get_max_running (settings), ==, 3);
  g_assert_cmpuint (n_notified, ==, 1);
  g_settings_set_string (store, "workspace", "/tmp");
  g_assert_cmpstr (stint_settings_get_workspace (settings), ==, "/tmp");
  /* A day of microseconds is more than 32 bits hold. */
  g_settings_set_uint (store, "agent-idle-seconds", 86400);
  g_assert_cmpint (stint_settings_get_idle_timeout (settings, STINT_JOB_KIND_AGENT), ==,
                   G_GINT64_CONSTANT (86400) * G_USEC_PER_SEC);
  g_settings_reset (store, "agent-idle-seconds");
  g_settings_reset (store, "max-running");
  g_settings_reset (store, "workspace");
}

static void
test_window_is_kept (void)
{
  g_autoptr (StintSettings) settings = stint_settings_new ();
  g_autoptr (GSettings) store = g_settings_new (APP_ID);
  int width, height;
  gboolean maximized;

  stint_settings_set_window (settings, 500, 400, TRUE);
  g_assert_cmpint (g_settings_get_int (store, "window-width"), ==, 500);
  stint_settings_set_window (settings, 0, -1, FALSE);
  stint_settings_get_window (settings, &width, &height, &maximized);
  g_assert_cmpint (width, ==, 500);
  g_assert_cmpint (height, ==, 400);
  g_assert_false (maximized);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/settings/every-key-is-typed", test_every_key_is_typed);
  g_test_add_func ("/app/settings/defaults", test_defaults);
  g_test_add_func ("/app/settings/defaults-agree", test_defaults_agree);
  g_test_add_func ("/app/settings/each-kind-of-job", test_each_kind_of_job);
  g_test_add_func ("/app/settings/changes-arrive", test_changes_arrive);
  g_test_add_func ("/app/settings/window-is-kept", test_window_is_kept);
  return g_test_run ();
}
