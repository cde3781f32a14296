/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * All agents: the known ones, changed as the user wants them, and the user's own. The file holds only
 * what the user has said. One that is damaged is never written over: it is moved aside.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-profile-private.h"

#include "stint-acp-message.h"
#include "stint-error.h"
#include "stint-json.h"

#include <errno.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

struct _StintAgentProfiles
{
  GObject parent_instance;

  char *file;
  GListStore *profiles;
  GError *error;
};

static void list_model_iface_init (GListModelInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintAgentProfiles,
                               stint_agent_profiles,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_iface_init))

/* Returns: (transfer full) (nullable) */
static StintAgentProfile *
find (StintAgentProfiles *self, const char *id, guint *position)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->profiles));

  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentProfile) profile =
          g_list_model_get_item (G_LIST_MODEL (self->profiles), i);

      if (g_strcmp0 (stint_agent_profile_get_id (profile), id) == 0)
        {
          *position = i;
          return g_steal_pointer (&profile);
        }
    }
  return NULL;
}

static void
read_profiles (StintAgentProfiles *self, JsonArray *array)
{
  for (guint i = 0; array != NULL && i < json_array_get_length (array); i++)
    {
      JsonObject *object = stint_acp_array_object (array, i);
      const char *id = stint_acp_get_string (object, "id");
      g_autoptr (StintAgentProfile) profile = NULL;
      guint position;

      if (id == NULL)
        continue;
      profile = find (self, id, &position);
      if (profile == NULL)
        {
          profile = stint_agent_profile_new (id, NULL, "");
          g_list_store_append (self->profiles, profile);
        }
      stint_agent_profile_read (profile, object);
    }
}

static void
load (StintAgentProfiles *self)
{
  g_autoptr (JsonNode) node = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (!g_file_get_contents (self->file, &text, &length, &error))
    {
      if (!g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
        self->error = g_steal_pointer (&error);
      return;
    }
  node = stint_acp_parse_json (text, length, NULL, &error);
  if (stint_acp_node_object (node) == NULL)
    {
      self->error = g_error_new (STINT_ERROR, STINT_ERROR_DAMAGED,
                                 _ ("The list of agents, %s, cannot be read: %s"), self->file,
                                 error != NULL ? error->message : _ ("it is not an object"));
      return;
    }
  read_profiles (self, stint_acp_get_array (json_node_get_object (node), "agents"));
}

StintAgentProfiles *
stint_agent_profiles_new (const char *file)
{
  StintAgentProfiles *self = g_object_new (STINT_TYPE_AGENT_PROFILES, NULL);
  StintAgentProfile *profile;

  self->file = file != NULL
                   ? g_strdup (file)
                   : g_build_filename (g_get_user_config_dir (), "stint", "agents.json", NULL);
  for (guint i = 0; (profile = stint_agent_profile_new_known (i)) != NULL; i++)
    {
      g_list_store_append (self->profiles, profile);
      g_object_unref (profile);
    }
  load (self);
  return self;
}

const GError *
stint_agent_profiles_get_error (StintAgentProfiles *self)
{
  return self->error;
}

StintAgentProfile *
stint_agent_profiles_lookup (StintAgentProfiles *self, const char *id)
{
  guint position;

  g_return_val_if_fail (STINT_IS_AGENT_PROFILES (self), NULL);
  return find (self, id, &position);
}

StintAgentProfile *
stint_agent_profiles_find (StintAgentProfiles *self, const char *text)
{
  g_autofree char *name = NULL;
  StintAgentProfile *profile;

  g_return_val_if_fail (STINT_IS_AGENT_PROFILES (self) && text != NULL, NULL);

  profile = stint_agent_profiles_lookup (self, text);
  if (profile != NULL)
    return profile;
  name = g_path_get_basename (text);
  return stint_agent_profile_new (text, name, text);
}

void
stint_agent_profiles_add (StintAgentProfiles *self, StintAgentProfile *profile)
{
  g_autoptr (StintAgentProfile) old = NULL;
  guint position;

  g_return_if_fail (STINT_IS_AGENT_PROFILES (self) && STINT_IS_AGENT_PROFILE (profile));

  old = find (self, stint_agent_profile_get_id (profile), &position);
  if (old != NULL)
    g_list_store_splice (self->profiles, position, 1, (gpointer *) &profile, 1);
  else
    g_list_store_append (self->profiles, profile);
}

void
stint_agent_profiles_remove (StintAgentProfiles *self, StintAgentProfile *profile)
{
  g_autoptr (StintAgentProfile) known = NULL;
  guint position;

  g_return_if_fail (STINT_IS_AGENT_PROFILES (self));

  if (!g_list_store_find (self->profiles, profile, &position))
    return;
  for (guint i = 0; (known = stint_agent_profile_new_known (i)) != NULL; i++)
    {
      if (g_str_equal (stint_agent_profile_get_id (known), stint_agent_profile_get_id (profile)))
        break;
      g_clear_object (&known);
    }
  if (known != NULL)
    g_list_store_splice (self->profiles, position, 1, (gpointer *) &known, 1);
  else
    g_list_store_remove (self->profiles, position);
}

/* Returns: whether what cannot be read is out of the way. */
static gboolean
move_aside (StintAgentProfiles *self, GError **error)
{
  g_autofree char *aside = NULL;
  int code;

  if (self->error == NULL)
    return TRUE;
  aside = g_strconcat (self->file, ".damaged", NULL);
  if (g_rename (self->file, aside) == 0)
    {
      g_clear_error (&self->error);
      return TRUE;
    }
  code = errno;
  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), _ ("Cannot move %s aside: %s"),
               self->file, g_strerror (code));
  return FALSE;
}

gboolean
stint_agent_profiles_save (StintAgentProfiles *self, GError **error)
{
  g_autoptr (JsonNode) node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  JsonArray *array = json_array_new ();
  g_autofree char *directory = NULL, *text = NULL;
  guint n;

  g_return_val_if_fail (STINT_IS_AGENT_PROFILES (self), FALSE);

  json_node_take_object (node, object);
  json_object_set_array_member (object, "agents", array);
  n = g_list_model_get_n_items (G_LIST_MODEL (self->profiles));
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentProfile) profile =
          g_list_model_get_item (G_LIST_MODEL (self->profiles), i);

      if (stint_agent_profile_is_changed (profile))
        json_array_add_object_element (array, stint_agent_profile_write (profile));
    }
  text = stint_json_to_text (node, TRUE);
  directory = g_path_get_dirname (self->file);
  g_mkdir_with_parents (directory, 0700);
  /* It may hold keys, in the agents' environment. */
  return move_aside (self, error) &&
         g_file_set_contents_full (self->file, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600,
                                   error);
}

static GType
get_item_type (GListModel *model)
{
  return STINT_TYPE_AGENT_PROFILE;
}

static guint
get_n_items (GListModel *model)
{
  return g_list_model_get_n_items (G_LIST_MODEL (STINT_AGENT_PROFILES (model)->profiles));
}

static gpointer
get_item (GListModel *model, guint position)
{
  return g_list_model_get_item (G_LIST_MODEL (STINT_AGENT_PROFILES (model)->profiles), position);
}

static void
list_model_iface_init (GListModelInterface *iface)
{
  iface->get_item_type = get_item_type;
  iface->get_n_items = get_n_items;
  iface->get_item = get_item;
}

static void
stint_agent_profiles_finalize (GObject *object)
{
  StintAgentProfiles *self = STINT_AGENT_PROFILES (object);

  g_free (self->file);
  g_clear_object (&self->profiles);
  g_clear_error (&self->error);
  G_OBJECT_CLASS (stint_agent_profiles_parent_class)->finalize (object);
}

static void
stint_agent_profiles_class_init (StintAgentProfilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_profiles_finalize;
}

static void
stint_agent_profiles_init (StintAgentProfiles *self)
{
  self->profiles = g_list_store_new (STINT_TYPE_AGENT_PROFILE);
  g_signal_connect_object (self->profiles, "items-changed", G_CALLBACK (g_list_model_items_changed),
                           self, G_CONNECT_SWAPPED);
}
