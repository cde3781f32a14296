/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the user says to an agent, until it goes, and as the protocol's blocks of content.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-prompt.h"

#include "stint-agent-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Of a file, and of all of a prompt's, in bytes: more the agent reads by itself, as much as it wants. */
#define MAX_TEXT (64 * 1024)
#define MAX_TEXTS (256 * 1024)

typedef struct
{
  char *path;  /* of a file */
  char *text;  /* (nullable): what is in it, once it has been read */
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
  g_free (attachment->text);
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
  *mime_type = attachment->data != NULL ? attachment->mime_type : NULL;
  return attachment->path;
}

/* Reading */

/* In the thread: what is read, and of whom it is. */
typedef struct
{
  GPtrArray *files;    /* of Attachment, copies */
  GPtrArray *problems; /* of sentences */
} Reading;

static void
reading_free (gpointer data)
{
  Reading *reading = data;

  g_ptr_array_unref (reading->files);
  g_clear_pointer (&reading->problems, g_ptr_array_unref);
  g_free (reading);
}

/* Returns: (nullable): the text; what is none is %NULL with an errno of 0. */
static char *
read_text (const char *path, gsize max, gsize *length)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  g_autofree char *text = NULL;
  struct stat status;
  int code = 0;

  errno = fd < 0 ? errno : 0;
  if (fd < 0)
    return NULL;
  if (fstat (fd, &status) == 0 && S_ISREG (status.st_mode) && status.st_size <= (off_t) max)
    {
      text = stint_agent_read_all (fd, max, length);
      code = text == NULL ? errno : 0;
    }
  close (fd);
  errno = code;
  if (text == NULL || *length > max || !g_utf8_validate_len (text, *length, NULL))
    return NULL;
  return g_steal_pointer (&text);
}

static void
read_files (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Reading *reading = data;
  gsize left = MAX_TEXTS;

  for (guint i = 0; i < reading->files->len; i++)
    {
      Attachment *file = reading->files->pdata[i];
      gsize length = 0;

      file->text = read_text (file->path, MIN (MAX_TEXT, left), &length);
      if (file->text != NULL)
        {
          g_autofree char *type = g_content_type_guess (file->path, (const guchar *) file->text, length, NULL);

          file->mime_type = g_content_type_get_mime_type (type);
          left -= length;
        }
      else if (errno != 0)
        {
          g_autofree char *name = g_filename_display_name (file->path);

          /* Translators: the first %s is a file, the second why, such as "Permission denied" */
          g_ptr_array_add (reading->problems,
                           g_strdup_printf (_ ("%s could not be read, the agent gets a link to it: %s"),
                                            name, g_strerror (errno)));
        }
    }
  g_task_return_boolean (task, TRUE);
}

gboolean
stint_agent_prompt_has_files (StintAgentPrompt *self)
{
  g_return_val_if_fail (STINT_IS_AGENT_PROMPT (self), FALSE);

  for (guint i = 0; i < self->attachments->len; i++)
    if (((const Attachment *) self->attachments->pdata[i])->path != NULL)
      return TRUE;
  return FALSE;
}

void
stint_agent_prompt_read_async (StintAgentPrompt *self,
                               GAsyncReadyCallback callback,
                               gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (self, NULL, callback, user_data);
  Reading *reading = g_new0 (Reading, 1);

  g_return_if_fail (STINT_IS_AGENT_PROMPT (self));

  reading->files = g_ptr_array_new_with_free_func (attachment_free);
  reading->problems = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < self->attachments->len; i++)
    {
      const Attachment *attachment = self->attachments->pdata[i];
      Attachment *file;

      if (attachment->path == NULL)
        continue;
      file = g_new0 (Attachment, 1);
      file->path = g_strdup (attachment->path);
      g_ptr_array_add (reading->files, file);
    }
  g_task_set_source_tag (task, stint_agent_prompt_read_async);
  g_task_set_task_data (task, reading, reading_free);
  g_task_run_in_thread (task, read_files);
}

static void
take_text (StintAgentPrompt *self, Attachment *file)
{
  for (guint i = 0; i < self->attachments->len; i++)
    {
      Attachment *attachment = self->attachments->pdata[i];

      if (g_strcmp0 (attachment->path, file->path) != 0)
        continue;
      g_free (attachment->text);
      g_free (attachment->mime_type);
      attachment->text = g_steal_pointer (&file->text);
      attachment->mime_type = g_steal_pointer (&file->mime_type);
      return;
    }
}

GPtrArray *
stint_agent_prompt_read_finish (StintAgentPrompt *self, GAsyncResult *result)
{
  Reading *reading;

  g_return_val_if_fail (g_task_is_valid (result, self), NULL);

  reading = g_task_get_task_data (G_TASK (result));
  for (guint i = 0; i < reading->files->len; i++)
    take_text (self, reading->files->pdata[i]);
  return g_steal_pointer (&reading->problems);
}

/* Blocks */

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
text_to_block (const Attachment *attachment)
{
  JsonObject *block = json_object_new (), *resource = json_object_new ();
  g_autofree char *uri = g_filename_to_uri (attachment->path, NULL, NULL);

  json_object_set_string_member (resource, "uri", uri);
  json_object_set_string_member (resource, "text", attachment->text);
  if (attachment->mime_type != NULL)
    json_object_set_string_member (resource, "mimeType", attachment->mime_type);
  json_object_set_string_member (block, "type", "resource");
  json_object_set_object_member (block, "resource", resource);
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
stint_agent_prompt_to_blocks (StintAgentPrompt *self, gboolean images, gboolean embedded)
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

      if (attachment->path != NULL && attachment->text != NULL && embedded)
        json_array_add_object_element (blocks, text_to_block (attachment));
      else if (attachment->path != NULL)
        json_array_add_object_element (blocks, link_to_block (attachment->path));
      else if (images)
        json_array_add_object_element (blocks, image_to_block (attachment));
    }
  return blocks;
}
