/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Files and images that go with a prompt. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-attachments.h"

#include "stint-picture.h"

#include <glib/gi18n.h>

#define MAX_IMAGE (8 * 1024 * 1024) /* bytes: what is larger goes as a link */

typedef struct
{
  char *path;    /* (nullable): of a picture that was pasted */
  GBytes *image; /* (nullable) */
  char *mime_type; /* (nullable): of files that are still to be named */
  GCancellable *loading; /* (nullable): while it cannot go yet */
  GtkWidget *chip;
  GtkWidget *sign; /* of its kind, in the chip */
} Attachment;

struct _StintAttachments
{
  GtkWidget parent_instance;

  GtkFlowBox *box;
  GtkLabel *note;
  GPtrArray *attached; /* of Attachment */
  char *directory; /* (nullable) */
  gboolean takes_images;
};

G_DEFINE_FINAL_TYPE (StintAttachments, stint_attachments, GTK_TYPE_WIDGET)

enum
{
  REMOVED,
  SETTLED,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
attachment_free (Attachment *self)
{
  /* Who loads it sees by this that it has gone. */
  g_cancellable_cancel (self->loading);
  g_clear_object (&self->loading);
  g_free (self->path);
  g_clear_pointer (&self->image, g_bytes_unref);
  g_free (self->mime_type);
  g_free (self);
}

static gboolean
is_picture (const Attachment *attachment)
{
  return attachment->mime_type != NULL && g_str_has_prefix (attachment->mime_type, "image/");
}

/* A picture that does not go as one is no surprise. */
static void
update_note (StintAttachments *self)
{
  const char *text = NULL;

  for (guint i = 0; i < self->attached->len; i++)
    {
      const Attachment *attachment = self->attached->pdata[i];

      if (is_picture (attachment) && attachment->image == NULL && attachment->loading == NULL)
        text = self->takes_images
                   ? _ ("A picture of more than 8 MB goes as the path of its file")
                   : _ ("This agent takes no pictures: it is told the path of the file");
    }
  gtk_label_set_label (self->note, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->note), text != NULL);
}

static void
remove_attachment (StintAttachments *self, Attachment *attachment)
{
  gtk_flow_box_remove (self->box, gtk_widget_get_parent (attachment->chip));
  g_ptr_array_remove (self->attached, attachment);
  gtk_widget_set_visible (GTK_WIDGET (self), self->attached->len > 0);
  update_note (self);
}

static void
on_chip_clicked (GtkButton *chip, StintAttachments *self)
{
  for (guint i = 0; i < self->attached->len; i++)
    if (((Attachment *) self->attached->pdata[i])->chip == GTK_WIDGET (chip))
      {
        remove_attachment (self, self->attached->pdata[i]);
        g_signal_emit (self, signals[REMOVED], 0);
        return;
      }
}

static void
show_sign (Attachment *attachment)
{
  GtkBox *box = GTK_BOX (gtk_button_get_child (GTK_BUTTON (attachment->chip)));

  if (attachment->sign != NULL)
    gtk_box_remove (box, attachment->sign);
  if (attachment->loading != NULL)
    {
      attachment->sign = gtk_spinner_new ();
      gtk_spinner_start (GTK_SPINNER (attachment->sign));
    }
  else
    attachment->sign = gtk_image_new_from_icon_name (
        attachment->image != NULL ? "image-x-generic-symbolic" : "text-x-generic-symbolic");
  gtk_box_prepend (box, attachment->sign);
  gtk_accessible_update_state (GTK_ACCESSIBLE (attachment->chip), GTK_ACCESSIBLE_STATE_BUSY,
                               attachment->loading != NULL, -1);
}

static char *
dup_name (const Attachment *attachment)
{
  if (attachment->path != NULL)
    return g_filename_display_basename (attachment->path);
  return g_strdup (is_picture (attachment) ? _ ("Pasted picture") : _ ("Pasted files"));
}

static void
add_attachment (StintAttachments *self, Attachment *attachment)
{
  g_autofree char *name = dup_name (attachment);
  g_autofree char *path =
      attachment->path != NULL ? g_filename_display_name (attachment->path) : NULL;
  g_autofree char *label = NULL;
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *text = gtk_label_new (name);

  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_MIDDLE);
  gtk_label_set_max_width_chars (GTK_LABEL (text), 24);
  gtk_box_append (GTK_BOX (box), text);
  gtk_box_append (GTK_BOX (box), gtk_image_new_from_icon_name ("window-close-symbolic"));
  attachment->chip = gtk_button_new ();
  gtk_button_set_child (GTK_BUTTON (attachment->chip), box);
  show_sign (attachment);
  gtk_widget_set_tooltip_text (attachment->chip, path);
  /* Translators: %s is the name of a file. */
  label = g_strdup_printf (_ ("Remove the attachment %s"), name);
  gtk_accessible_update_property (GTK_ACCESSIBLE (attachment->chip), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
  g_signal_connect (attachment->chip, "clicked", G_CALLBACK (on_chip_clicked), self);
  g_ptr_array_add (self->attached, attachment);
  gtk_flow_box_insert (self->box, attachment->chip, -1);
  gtk_widget_set_focusable (gtk_widget_get_parent (attachment->chip), FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self), TRUE);
  update_note (self);
}

/* What is loaded has its chip from the beginning: a prompt does not go without it. */

typedef struct
{
  StintAttachments *self;
  Attachment *attachment; /* while not cancelled */
  GCancellable *cancellable;
} Loading;

/* Adds @attachment, which it takes. Returns: (transfer full): for who loads it */
static Loading *
begin_loading (StintAttachments *self, Attachment *attachment)
{
  Loading *loading = g_new (Loading, 1);

  attachment->loading = g_cancellable_new ();
  *loading = (Loading){ g_object_ref (self), attachment, g_object_ref (attachment->loading) };
  add_attachment (self, attachment);
  return loading;
}

static void
loading_free (Loading *loading)
{
  g_object_unref (loading->self);
  g_object_unref (loading->cancellable);
  g_free (loading);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loading, loading_free)

/* Whether it was taken away meanwhile, by the user or with all of them. */
static gboolean
is_gone (const Loading *loading)
{
  return g_cancellable_is_cancelled (loading->cancellable);
}

static void
tell_if_settled (StintAttachments *self)
{
  if (!stint_attachments_is_loading (self))
    g_signal_emit (self, signals[SETTLED], 0);
}

static void
end_loading (Loading *loading)
{
  g_clear_object (&loading->attachment->loading);
  show_sign (loading->attachment);
  update_note (loading->self);
  tell_if_settled (loading->self);
}

static void
fail_loading (Loading *loading, const GError *error)
{
  remove_attachment (loading->self, loading->attachment);
  g_signal_emit (loading->self, signals[PROBLEM], 0, error);
}

static void
on_image_loaded (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = NULL;
  gboolean done = stint_picture_load_finish (result, &bytes, &error);

  if (is_gone (loading))
    return;
  if (!done)
    {
      fail_loading (loading, error);
      return;
    }
  loading->attachment->image = g_steal_pointer (&bytes);
  end_loading (loading);
}

void
stint_attachments_add_file (StintAttachments *self, GFile *file)
{
  g_autofree char *path = NULL;
  g_autofree char *type = NULL;
  Attachment *attachment;

  g_return_if_fail (STINT_IS_ATTACHMENTS (self));
  g_return_if_fail (G_IS_FILE (file));

  path = g_file_get_path (file);
  if (path == NULL)
    {
      g_autoptr (GError) error = g_error_new_literal (
          G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED, _ ("Only files on this machine can be attached"));

      g_signal_emit (self, signals[PROBLEM], 0, error);
      return;
    }
  type = g_content_type_guess (path, NULL, 0, NULL);
  attachment = g_new0 (Attachment, 1);
  attachment->path = g_steal_pointer (&path);
  attachment->mime_type = g_content_type_get_mime_type (type);
  if (self->takes_images && is_picture (attachment))
    {
      Loading *loading = begin_loading (self, attachment);

      stint_picture_load_async (file, MAX_IMAGE, loading->cancellable, on_image_loaded, loading);
      return;
    }
  add_attachment (self, attachment);
}

void
stint_attachments_add_image (StintAttachments *self, GBytes *image, const char *mime_type)
{
  Attachment *attachment;

  g_return_if_fail (STINT_IS_ATTACHMENTS (self));
  g_return_if_fail (image != NULL);

  attachment = g_new0 (Attachment, 1);
  attachment->image = g_bytes_ref (image);
  attachment->mime_type = g_strdup (mime_type);
  add_attachment (self, attachment);
}

/* Pictures that are pasted: PNG is made of them, in a file if that is how the agent gets them. */

static void
on_png (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) png = stint_picture_make_png_finish (result, &error);

  if (is_gone (loading))
    return;
  if (png == NULL)
    {
      fail_loading (loading, error);
      return;
    }
  if (loading->attachment->path == NULL)
    loading->attachment->image = g_steal_pointer (&png);
  end_loading (loading);
}

/* Returns: (nullable): %NULL if the agent can have no picture at all, which has been said. */
static Loading *
begin_picture (StintAttachments *self)
{
  Attachment *attachment;

  if (!self->takes_images && self->directory == NULL)
    {
      g_autoptr (GError) error = g_error_new_literal (G_IO_ERROR, G_IO_ERROR_NOT_SUPPORTED,
                                                      _ ("This agent takes no pictures"));

      g_signal_emit (self, signals[PROBLEM], 0, error);
      return NULL;
    }
  attachment = g_new0 (Attachment, 1);
  attachment->mime_type = g_strdup ("image/png");
  if (!self->takes_images)
    {
      g_autofree char *name =
          g_strdup_printf ("pasted-%" G_GINT64_FORMAT ".png", g_get_real_time ());

      attachment->path = g_build_filename (self->directory, name, NULL);
    }
  return begin_loading (self, attachment);
}

void
stint_attachments_add_texture (StintAttachments *self, GdkTexture *texture)
{
  Loading *loading;

  g_return_if_fail (STINT_IS_ATTACHMENTS (self));
  g_return_if_fail (GDK_IS_TEXTURE (texture));

  loading = begin_picture (self);
  if (loading != NULL)
    stint_picture_make_png_async (texture, loading->attachment->path, loading->cancellable, on_png,
                                  loading);
}

/* The clipboard */

static void
on_texture_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GdkTexture) texture =
      gdk_clipboard_read_texture_finish (GDK_CLIPBOARD (source), result, &error);
  const char *path;
  GCancellable *cancellable;

  if (is_gone (loading))
    return;
  if (texture == NULL)
    {
      fail_loading (loading, error);
      return;
    }
  path = loading->attachment->path;
  cancellable = loading->cancellable;
  stint_picture_make_png_async (texture, path, cancellable, on_png, g_steal_pointer (&loading));
}

static void
on_files_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Loading) loading = user_data;
  g_autoptr (GError) error = NULL;
  const GValue *value =
      gdk_clipboard_read_value_finish (GDK_CLIPBOARD (source), result, &error);

  if (is_gone (loading))
    return;
  if (value == NULL)
    {
      fail_loading (loading, error);
      return;
    }
  for (GSList *l = g_value_get_boxed (value); l != NULL; l = l->next)
    stint_attachments_add_file (loading->self, l->data);
  remove_attachment (loading->self, loading->attachment);
  tell_if_settled (loading->self);
}

gboolean
stint_attachments_paste (StintAttachments *self, GdkClipboard *clipboard)
{
  GdkContentFormats *formats;
  Loading *loading;

  g_return_val_if_fail (STINT_IS_ATTACHMENTS (self), FALSE);
  g_return_val_if_fail (GDK_IS_CLIPBOARD (clipboard), FALSE);

  formats = gdk_clipboard_get_formats (clipboard);
  if (gdk_content_formats_contain_gtype (formats, GDK_TYPE_FILE_LIST))
    {
      loading = begin_loading (self, g_new0 (Attachment, 1));
      gdk_clipboard_read_value_async (clipboard, GDK_TYPE_FILE_LIST, G_PRIORITY_DEFAULT,
                                      loading->cancellable, on_files_read, loading);
      return TRUE;
    }
  if (!gdk_content_formats_contain_gtype (formats, GDK_TYPE_TEXTURE) ||
      gdk_content_formats_contain_gtype (formats, G_TYPE_STRING))
    return FALSE;
  loading = begin_picture (self);
  if (loading != NULL)
    gdk_clipboard_read_texture_async (clipboard, loading->cancellable, on_texture_read, loading);
  return TRUE;
}

void
stint_attachments_set_directory (StintAttachments *self, const char *directory)
{
  g_return_if_fail (STINT_IS_ATTACHMENTS (self));

  g_free (self->directory);
  self->directory = g_strdup (directory);
}

void
stint_attachments_set_takes_images (StintAttachments *self, gboolean takes_images)
{
  g_return_if_fail (STINT_IS_ATTACHMENTS (self));

  self->takes_images = takes_images;
}

guint
stint_attachments_get_n (StintAttachments *self)
{
  g_return_val_if_fail (STINT_IS_ATTACHMENTS (self), 0);

  return self->attached->len;
}

gboolean
stint_attachments_is_loading (StintAttachments *self)
{
  g_return_val_if_fail (STINT_IS_ATTACHMENTS (self), FALSE);

  for (guint i = 0; i < self->attached->len; i++)
    if (((Attachment *) self->attached->pdata[i])->loading != NULL)
      return TRUE;
  return FALSE;
}

void
stint_attachments_move_to (StintAttachments *self, StintAgentPrompt *prompt)
{
  g_return_if_fail (STINT_IS_ATTACHMENTS (self));
  g_return_if_fail (STINT_IS_AGENT_PROMPT (prompt));
  g_return_if_fail (!stint_attachments_is_loading (self));

  while (self->attached->len > 0)
    {
      Attachment *attachment = self->attached->pdata[0];

      if (attachment->image != NULL)
        stint_agent_prompt_attach_image (prompt, attachment->image, attachment->mime_type);
      else
        stint_agent_prompt_attach_file (prompt, attachment->path);
      remove_attachment (self, attachment);
    }
}

static void
stint_attachments_dispose (GObject *object)
{
  StintAttachments *self = STINT_ATTACHMENTS (object);

  g_ptr_array_set_size (self->attached, 0);
  if (self->box != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->box)));
  if (self->note != NULL)
    gtk_widget_unparent (GTK_WIDGET (g_steal_pointer (&self->note)));

  G_OBJECT_CLASS (stint_attachments_parent_class)->dispose (object);
}

static void
stint_attachments_finalize (GObject *object)
{
  StintAttachments *self = STINT_ATTACHMENTS (object);

  g_ptr_array_unref (self->attached);
  g_free (self->directory);

  G_OBJECT_CLASS (stint_attachments_parent_class)->finalize (object);
}

static void
stint_attachments_class_init (StintAttachmentsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_attachments_dispose;
  object_class->finalize = stint_attachments_finalize;

  signals[REMOVED] =
      g_signal_new ("removed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SETTLED] =
      g_signal_new ("settled", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "attachments");
}

static void
stint_attachments_init (StintAttachments *self)
{
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  gtk_box_layout_set_spacing (
      GTK_BOX_LAYOUT (gtk_widget_get_layout_manager (GTK_WIDGET (self))), 6);
  self->attached = g_ptr_array_new_with_free_func ((GDestroyNotify) attachment_free);
  self->box = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_flow_box_set_selection_mode (self->box, GTK_SELECTION_NONE);
  gtk_flow_box_set_max_children_per_line (self->box, 4);
  gtk_flow_box_set_column_spacing (self->box, 6);
  gtk_flow_box_set_row_spacing (self->box, 6);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->box), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Attachments"), -1);
  gtk_widget_set_parent (GTK_WIDGET (self->box), GTK_WIDGET (self));
  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (self->note, 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "caption");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_widget_set_visible (GTK_WIDGET (self->note), FALSE);
  gtk_widget_set_parent (GTK_WIDGET (self->note), GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
