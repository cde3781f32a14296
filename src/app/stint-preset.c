/* SPDX-License-Identifier: GPL-3.0-or-later */

/* One preset, and how it is written down. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-preset.h"

#include "stint-error.h"
#include "stint-json.h"

#include <glib/gi18n.h>

struct _StintPreset
{
  GObject parent_instance;

  char *id;
  char *name;
  char *icon;
  char *shortcut; /* (nullable) */
  StintJobSpec *spec;
};

G_DEFINE_FINAL_TYPE (StintPreset, stint_preset, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_ID,
  PROP_NAME,
  PROP_ICON,
  PROP_SHORTCUT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
stint_preset_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintPreset *self = STINT_PRESET (object);

  switch (prop_id)
    {
    case PROP_ID:
      g_value_set_string (value, self->id);
      break;
    case PROP_NAME:
      g_value_set_string (value, self->name);
      break;
    case PROP_ICON:
      g_value_set_string (value, self->icon);
      break;
    case PROP_SHORTCUT:
      g_value_set_string (value, self->shortcut);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_preset_finalize (GObject *object)
{
  StintPreset *self = STINT_PRESET (object);

  g_free (self->id);
  g_free (self->name);
  g_free (self->icon);
  g_free (self->shortcut);
  g_clear_object (&self->spec);

  G_OBJECT_CLASS (stint_preset_parent_class)->finalize (object);
}

static void
stint_preset_class_init (StintPresetClass *klass)
{
  const GParamFlags flags = G_PARAM_READABLE | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stint_preset_get_property;
  object_class->finalize = stint_preset_finalize;

  properties[PROP_ID] = g_param_spec_string ("id", NULL, NULL, NULL, flags);
  properties[PROP_NAME] = g_param_spec_string ("name", NULL, NULL, NULL, flags);
  properties[PROP_ICON] = g_param_spec_string ("icon", NULL, NULL, NULL, flags);
  properties[PROP_SHORTCUT] = g_param_spec_string ("shortcut", NULL, NULL, NULL, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_preset_init (StintPreset *self)
{
}

static char *
dup_unless_empty (const char *text)
{
  return text != NULL && *text != '\0' ? g_strdup (text) : NULL;
}

/* What is kept in memory is what the file has: without the values of secrets. */
static StintJobSpec *
dup_kept_spec (StintJobSpec *spec)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec);
  StintJobSpec *kept = stint_job_spec_from_json (node, NULL);

  return kept != NULL ? kept : stint_job_spec_copy (spec);
}

StintPreset *
stint_preset_new (const char *id,
                  const char *name,
                  const char *icon,
                  const char *shortcut,
                  StintJobSpec *spec)
{
  StintPreset *self;

  g_return_val_if_fail (name != NULL && *name != '\0', NULL);
  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  self = g_object_new (STINT_TYPE_PRESET, NULL);
  self->id = id != NULL ? g_strdup (id) : g_uuid_string_random ();
  self->name = g_utf8_make_valid (name, -1);
  self->icon =
      icon != NULL && *icon != '\0' ? g_strdup (icon) : g_strdup (STINT_PRESET_DEFAULT_ICON);
  self->shortcut = dup_unless_empty (shortcut);
  self->spec = dup_kept_spec (spec);
  return self;
}

const char *
stint_preset_get_id (StintPreset *self)
{
  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  return self->id;
}

const char *
stint_preset_get_name (StintPreset *self)
{
  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  return self->name;
}

const char *
stint_preset_get_icon (StintPreset *self)
{
  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  return self->icon;
}

const char *
stint_preset_get_shortcut (StintPreset *self)
{
  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  return self->shortcut;
}

StintJobSpec *
stint_preset_get_spec (StintPreset *self)
{
  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  return self->spec;
}

StintJobSpec *
stint_preset_dup_job_spec (StintPreset *self)
{
  StintJobSpec *spec;

  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  spec = stint_job_spec_copy (self->spec);
  if (stint_job_spec_get_name (spec) == NULL)
    stint_job_spec_set_name (spec, self->name);
  return spec;
}

JsonNode *
stint_preset_to_json (StintPreset *self)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  g_return_val_if_fail (STINT_IS_PRESET (self), NULL);

  json_builder_begin_object (builder);
  json_builder_set_member_name (builder, "id");
  json_builder_add_string_value (builder, self->id);
  json_builder_set_member_name (builder, "name");
  json_builder_add_string_value (builder, self->name);
  json_builder_set_member_name (builder, "icon");
  json_builder_add_string_value (builder, self->icon);
  if (self->shortcut != NULL)
    {
      json_builder_set_member_name (builder, "shortcut");
      json_builder_add_string_value (builder, self->shortcut);
    }
  json_builder_set_member_name (builder, "spec");
  json_builder_add_value (builder, stint_job_spec_to_json (self->spec));
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static const char *
get_string (JsonObject *object, const char *name)
{
  JsonNode *node = json_object_get_member (object, name);

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node) ||
      json_node_get_value_type (node) != G_TYPE_STRING)
    return NULL;
  return json_node_get_string (node);
}

StintPreset *
stint_preset_from_json (JsonNode *node, GError **error)
{
  g_autoptr (StintJobSpec) spec = NULL;
  JsonObject *object;
  const char *id, *name;

  if (node == NULL || !JSON_NODE_HOLDS_OBJECT (node))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED,
                           _ ("A preset is not an object"));
      return NULL;
    }
  object = json_node_get_object (node);
  id = get_string (object, "id");
  name = get_string (object, "name");
  if (id == NULL || *id == '\0' || name == NULL || *name == '\0')
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED, _ ("A preset has no name"));
      return NULL;
    }
  spec = stint_job_spec_from_json (json_object_get_member (object, "spec"), error);
  if (spec == NULL)
    return NULL;
  return stint_preset_new (id, name, get_string (object, "icon"), get_string (object, "shortcut"),
                           spec);
}

gboolean
stint_preset_equal (StintPreset *a, StintPreset *b)
{
  g_autoptr (JsonNode) first = stint_preset_to_json (a);
  g_autoptr (JsonNode) second = stint_preset_to_json (b);

  return json_node_equal (first, second);
}

int
stint_preset_compare (StintPreset *a, StintPreset *b)
{
  int order = g_utf8_collate (a->name, b->name);

  return order != 0 ? order : g_strcmp0 (a->id, b->id);
}
