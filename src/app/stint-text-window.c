/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job's output as plain text. What comes is appended, in whole lines and not more often than somebody
 * can listen; where the reader is stays. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-text-window.h"

#include "stint-plain.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

/* Of a long output its end is shown. */
#define MOST_BYTES (512 * 1024)
#define UPDATE_MSEC 250
#define TITLE_CHARS 60

struct _StintTextWindow
{
  AdwWindow parent_instance;

  GtkTextBuffer *buffer;
  GtkWidget *view;
  StintTranscript *transcript; /* followed */
  guint64 offset;              /* up to where it is shown */
  guint update_id;
  gboolean begun;
};

G_DEFINE_FINAL_TYPE (StintTextWindow, stint_text_window, ADW_TYPE_WINDOW)

/* A terminal's lines end with two characters; StintPlain makes a line of each. */
static gsize
drop_returns (guint8 *raw, gsize size)
{
  gsize kept = 0;

  for (gsize i = 0; i < size; i++)
    {
      if (raw[i] != '\r' || (i + 1 < size && raw[i + 1] != '\n'))
        raw[kept++] = raw[i];
    }
  return kept;
}

/* What is there of whole lines; all of it when no more will come. */
static gsize
cut_at_line (StintTextWindow *self, const guint8 *raw, gsize size)
{
  const guint8 *last = memrchr (raw, '\n', size);

  if (stint_transcript_is_complete (self->transcript) || size == MOST_BYTES)
    return size;
  return last != NULL ? (gsize) (last - raw) + 1 : 0;
}

static void
append_text (StintTextWindow *self, const char *text, gssize length)
{
  GtkTextIter end;

  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_insert (self->buffer, &end, text, (int) length);
}

static gsize
append (StintTextWindow *self)
{
  StintReader *reader = stint_transcript_get_reader (self->transcript);
  guint64 size = stint_reader_get_size (reader);
  g_autofree guint8 *raw = g_malloc (MOST_BYTES);
  guint64 at, skipped = 0;
  gssize n_read;
  gsize used;
  StintPlain plain;

  if (size > self->offset + MOST_BYTES)
    {
      if (self->begun)
        append_text (self, _ ("\n[Some of the output is left out here]\n"), -1);
      self->offset = size - MOST_BYTES;
    }
  self->begun = TRUE;
  at = self->offset;
  n_read = stint_reader_read (reader, &at, raw, MOST_BYTES, &skipped, NULL);
  if (n_read <= 0)
    return 0;
  used = cut_at_line (self, raw, (gsize) n_read);
  self->offset = at - (guint64) n_read + used;

  stint_plain_init (&plain);
  stint_plain_append (&plain, raw, drop_returns (raw, used), 0);
  if (plain.length > 0)
    {
      g_autofree char *valid = g_utf8_make_valid ((const char *) plain.text, (gssize) plain.length);

      append_text (self, valid, -1);
    }
  stint_plain_clear (&plain);
  return used;
}

static void
on_update (gpointer user_data)
{
  StintTextWindow *self = STINT_TEXT_WINDOW (user_data);

  self->update_id = 0;
  append (self);
}

static void
on_grew (StintTextWindow *self)
{
  if (self->update_id == 0)
    self->update_id = g_timeout_add_once (UPDATE_MSEC, on_update, self);
}

static void
stint_text_window_dispose (GObject *object)
{
  StintTextWindow *self = STINT_TEXT_WINDOW (object);

  g_clear_handle_id (&self->update_id, g_source_remove);
  if (self->transcript != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->transcript, self);
      stint_transcript_unfollow (self->transcript);
    }
  g_clear_object (&self->transcript);

  G_OBJECT_CLASS (stint_text_window_parent_class)->dispose (object);
}

static void
stint_text_window_class_init (StintTextWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_text_window_dispose;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_text_window_init (StintTextWindow *self)
{
}

static GtkWidget *
new_view (StintTextWindow *self, const char *title)
{
  self->view = gtk_text_view_new ();
  self->buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view));
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_text_view_set_monospace (GTK_TEXT_VIEW (self->view), TRUE);
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view), GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (GTK_TEXT_VIEW (self->view), 12);
  gtk_text_view_set_right_margin (GTK_TEXT_VIEW (self->view), 12);
  gtk_text_view_set_top_margin (GTK_TEXT_VIEW (self->view), 12);
  gtk_text_view_set_bottom_margin (GTK_TEXT_VIEW (self->view), 12);
  /* Tab goes on to the next control, as in every text that is only read. */
  gtk_text_view_set_accepts_tab (GTK_TEXT_VIEW (self->view), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  return self->view;
}

StintTextWindow *
stint_text_window_new (GtkWindow *parent, StintJob *job)
{
  StintTextWindow *self;
  GtkWidget *box, *scroller;
  GtkTextIter end;
  g_autofree char *name = NULL;
  g_autofree char *title = NULL;
  int width;

  g_return_val_if_fail (GTK_IS_WINDOW (parent), NULL);
  g_return_val_if_fail (STINT_IS_JOB (job), NULL);
  g_return_val_if_fail (stint_job_get_transcript (job) != NULL, NULL);

  name = stint_text_clean (stint_job_get_title (job), TITLE_CHARS);
  /* Translators: the title of a window; %s is a job's name. */
  title = g_strdup_printf (_ ("Text of “%s”"), name);
  width = gtk_widget_get_width (GTK_WIDGET (parent));
  self = g_object_new (STINT_TYPE_TEXT_WINDOW, "transient-for", parent, "title", title,
                       "destroy-with-parent", TRUE, "default-width",
                       width > 0 ? MIN (width, 720) : 720, "default-height", 560, NULL);

  box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  scroller = gtk_scrolled_window_new ();
  gtk_widget_set_vexpand (scroller, TRUE);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), new_view (self, title));
  gtk_box_append (GTK_BOX (box), scroller);
  adw_window_set_content (ADW_WINDOW (self), box);

  self->transcript = g_object_ref (stint_job_get_transcript (job));
  g_signal_connect_swapped (self->transcript, "grew", G_CALLBACK (on_grew), self);
  stint_transcript_follow (self->transcript);
  while (append (self) == MOST_BYTES)
    ;
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  gtk_text_buffer_place_cursor (self->buffer, &end);
  gtk_text_view_scroll_mark_onscreen (GTK_TEXT_VIEW (self->view),
                                      gtk_text_buffer_get_insert (self->buffer));
  gtk_window_set_focus (GTK_WINDOW (self), self->view);
  return self;
}

GtkTextBuffer *
stint_text_window_get_buffer (StintTextWindow *self)
{
  g_return_val_if_fail (STINT_IS_TEXT_WINDOW (self), NULL);

  return self->buffer;
}
