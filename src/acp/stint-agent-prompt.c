/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user says to an agent, until it goes, and as the protocol's blocks of content.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-prompt.h"

typedef struct
{
  char *path;  /* of a link to a file */
  GBytes *data; /* of an image */
  char *mime_type;
} Attachment;

struct _StintAgentPrompt
{
  GObject parent_instance;

  char *text;
  GPtrArray *attachments; /* of Attachment */
};

enum
{
  PROP_0,
  PROP_TEXT,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

G_DEFINE_FINAL_TYPE (StintAgentPrompt, stint_agent_prompt, G_TYPE_OBJECT)

static void
attachment_free (gpointer data)
{
  Attachment *attachment = data;

  g_free (attachment->path);
  g_clear_pointer (&attachment->data, g_bytes_unref);
  g_free (attachment->mime_type);
  g_free (attachment);
}

static void
stint_agent_prompt_finalize (GObject *object)
{
  StintAgentPrompt *self = STINT_AGENT_PROMPT (object);

  g_free (self->text);
  g_ptr_array_unref (self->attachments);
  G_OBJECT_CLASS (stint_agent_prompt_parent_class)->finalize (object);
}

static void
stint_agent_prompt_get_property (GObject *object, guint property, GValue *value, GParamSpec *pspec)
{
  if (property == PROP_TEXT)
    g_value_set_string (value, STINT_AGENT_PROMPT (object)->text);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
}

static void
stint_agent_prompt_set_property (GObject *object,
                                 guint property,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  if (property == PROP_TEXT)
    stint_agent_prompt_set_text (STINT_AGENT_PROMPT (object), g_value_get_string (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, property, pspec);
}

static void
stint_agent_prompt_class_init (StintAgentPromptClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->finalize = stint_agent_prompt_finalize;
  object_class->get_property = stint_agent_prompt_get_property;
  object_class->set_property = stint_agent_prompt_set_property;

  properties[PROP_TEXT] =
    g_param_spec_string ("text", NULL, NULL, NULL,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS | G_PARAM_EXPLICIT_NOTIFY);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_agent_prompt_init (StintAgentPrompt *self)
{
  self->text = g_strdup ("");
  self->attachments = g_ptr_array_new_with_free_func (attachment_free);
}

StintAgentPrompt *
stint_agent_prompt_new (const char *text)
{
  StintAgentPrompt *self = g_object_new (STINT_TYPE_AGENT_PROMPT, NULL);

  stint_agent_prompt_set_text (self, text);
  return self;
}

const char *
stint_agent_prompt_get_text (StintAgentPrompt *self)
{
  return self->text;
}

void
stint_agent_prompt_set_text (StintAgentPrompt *self, const char *text)
{
  g_autofree char *old = NULL;

  g_return_if_fail (STINT_IS_AGENT_PROMPT (self));

  if (g_strcmp0 (text, self->text) == 0)
    return;
  old = g_steal_pointer (&self->text);
  self->text = text != NULL ? g_utf8_make_valid (text, -1) : g_strdup ("");
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_TEXT]);
}

void
stint_agent_prompt_attach_file (StintAgentPrompt *self, const char *path)
{
  Attachment *attachment;

  g_return_if_fail (STINT_IS_AGENT_PROMPT (self) && g_path_is_absolute (path));

  /* A prompt that is edited names its files anew. */
  for (guint i = 0; i < self->attachments->len; i++)
    if (g_strcmp0 (((const Attachment *) self->attachments->pdata[i])->path, path) == 0)
      return;
  attachment = g_new0 (Attachment, 1);
  attachment->path = g_strdup (path);
  g_ptr_array_add (self->attachments, attachment);
}

void
stint_agent_prompt_attach_image (StintAgentPrompt *self, GBytes *data, const char *mime_type)
{
  Attachment *attachment;

  g_return_if_fail (STINT_IS_AGENT_PROMPT (self) && data != NULL && mime_type != NULL);

  attachment = g_new0 (Attachment, 1);
  attachment->data = g_bytes_ref (data);
  attachment->mime_type = g_strdup (mime_type);
  g_ptr_array_add (self->attachments, attachment);
}

guint
stint_agent_prompt_get_n_attachments (StintAgentPrompt *self)
{
  return self->attachments->len;
}

const char *
stint_agent_prompt_get_attachment (StintAgentPrompt *self,
                                   guint position,
                                   GBytes **image,
                                   const char **mime_type)
{
  const Attachment *attachment;

  g_return_val_if_fail (STINT_IS_AGENT_PROMPT (self), NULL);
  g_return_val_if_fail (position < self->attachments->len, NULL);

  attachment = self->attachments->pdata[position];
  *image = attachment->data;
  *mime_type = attachment->mime_type;
  return attachment->path;
}

static JsonObject *
link_to_block (const char *path)
{
  JsonObject *block = json_object_new ();
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  g_autofree char *name = g_filename_display_basename (path);

  json_object_set_string_member (block, "type", "resource_link");
  json_object_set_string_member (block, "uri", uri);
  json_object_set_string_member (block, "name", name);
  return block;
}

static JsonObject *
image_to_block (const Attachment *attachment)
{
  JsonObject *block = json_object_new ();
  gsize size;
  const guint8 *data = g_bytes_get_data (attachment->data, &size);
  g_autofree char *encoded = g_base64_encode (data, size);

  json_object_set_string_member (block, "type", "image");
  json_object_set_string_member (block, "data", encoded);
  json_object_set_string_member (block, "mimeType", attachment->mime_type);
  return block;
}

JsonArray *
stint_agent_prompt_to_blocks (StintAgentPrompt *self, gboolean images)
{
  JsonArray *blocks = json_array_new ();

  g_return_val_if_fail (STINT_IS_AGENT_PROMPT (self), blocks);

  if (*self->text != '\0' || self->attachments->len == 0)
    {
      JsonObject *block = json_object_new ();

      json_object_set_string_member (block, "type", "text");
      json_object_set_string_member (block, "text", self->text);
      json_array_add_object_element (blocks, block);
    }
  for (guint i = 0; i < self->attachments->len; i++)
    {
      const Attachment *attachment = self->attachments->pdata[i];

      if (attachment->path != NULL)
        json_array_add_object_element (blocks, link_to_block (attachment->path));
      else if (images)
        json_array_add_object_element (blocks, image_to_block (attachment));
    }
  return blocks;
}
