/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Ties one job to one terminal: a follower feeds it, what is typed goes to the job, and so does its
 * size. There is no pty here; the job's is the engine's. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-pane-private.h"

#include "stint-clipboard.h"

#include <glib/gi18n.h>
#include <string.h>

/* How much of the end of a transcript fills the scrollback, by the lines it holds; and how much may be
 * waiting before it is skipped. */
#define BYTES_PER_LINE 60
#define MIN_TAIL (256 * 1024)
#define MAX_TAIL (4 * 1024 * 1024)

/* So much of it is shown at once when a job is opened: one chunk, for somebody waits. What stands before is
 * a button away. */
#define SHOWN_TAIL (256 * 1024)
#define EXTRA_ROWS 200

/* A job this young has asked its terminal nothing that is out of date: its questions are answered. */
#define YOUNG_USEC (2 * G_USEC_PER_SEC)

#define HIDE_CURSOR "\033[?25l"

G_DEFINE_FINAL_TYPE (StintPane, stint_pane, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_LIVE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

StintReader *
stint_pane_get_reader (StintPane *self)
{
  return stint_transcript_get_reader (stint_job_get_transcript (self->job));
}

static gboolean
is_running_on_tty (StintPane *self)
{
  StintJobState state = stint_job_get_state (self->job);

  return (state == STINT_JOB_RUNNING || state == STINT_JOB_STOPPING) &&
         stint_job_spec_get_tty (stint_job_get_spec (self->job)) &&
         !stint_job_is_elsewhere (self->job);
}

void
stint_pane_hide_cursor (StintPane *self)
{
  vte_terminal_feed (VTE_TERMINAL (self->terminal), HIDE_CURSOR, -1);
}

void
stint_pane_update_live (StintPane *self)
{
  gboolean live = is_running_on_tty (self) && !self->replaying && stint_follower_is_at_tail (self->follower);

  vte_terminal_set_input_enabled (VTE_TERMINAL (self->terminal), live);
  if (self->live == live)
    return;
  self->live = live;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LIVE]);
}

static void
update_placeholder (StintPane *self)
{
  gboolean empty = stint_job_get_state (self->job) == STINT_JOB_FINISHED &&
                   stint_reader_get_size (stint_pane_get_reader (self)) == 0;

  gtk_widget_set_visible (self->placeholder, empty);
}

static void
tell_size (StintPane *self)
{
  VteTerminal *vte = VTE_TERMINAL (self->terminal);

  /* Before it has been given room its size means nothing. */
  if (!self->replaying && is_running_on_tty (self) && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      gtk_widget_get_width (GTK_WIDGET (self->terminal)) > 0)
    stint_job_resize (self->job, (guint) vte_terminal_get_column_count (vte),
                      (guint) vte_terminal_get_row_count (vte));
}

static void
on_state_changed (StintPane *self)
{
  stint_pane_update_live (self);
  update_placeholder (self);
  stint_pane_update_actions (self);
  tell_size (self);
}

static void
on_feed (const guint8 *data, gsize length, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  vte_terminal_feed (VTE_TERMINAL (self->terminal), (const char *) data, (gssize) length);
}

/* VTE has worked off what it was fed; how long this turn of the main loop has taken is the price. */
static void
on_contents_changed (StintPane *self)
{
  GSource *source = g_main_current_source ();
  gint64 busy = source != NULL ? g_get_monotonic_time () - g_source_get_time (source) : -1;

  if (!stint_terminal_is_resizing (self->terminal))
    stint_follower_acknowledge (self->follower, busy);
}

static void
on_painted (StintPane *self, gint64 busy)
{
  stint_follower_painted (self->follower, busy);
}

static void
end_replay (StintPane *self)
{
  if (!self->replaying)
    return;
  self->replaying = FALSE;
  self->replay_end = 0;
  stint_terminal_follow_allocation (self->terminal);
  stint_pane_update_live (self);
  tell_size (self);
}

static void
on_before_chunk (StintPane *self, guint64 offset)
{
  guint columns, rows;

  if (!self->replaying)
    return;
  if (offset >= self->replay_end)
    end_replay (self);
  else if (stint_job_spec_get_tty (stint_job_get_spec (self->job)) &&
           stint_index_find_size (self->index, offset, &columns, &rows))
    stint_terminal_set_recorded_size (self->terminal, columns, rows);
}

static void
on_caught_up (StintPane *self)
{
  if (stint_follower_is_at_tail (self->follower))
    end_replay (self);
  update_placeholder (self);
  stint_pane_update_actions (self);
  if (!self->live)
    stint_pane_hide_cursor (self);
  stint_pane_handle_shown (self);
}

static void
on_follower_problem (StintPane *self, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, error);
}

/* Typed keys, pasted text, and the terminal's answers to the program's questions. */
static void
on_commit (StintPane *self, const char *text, guint length)
{
  g_autoptr (GBytes) bytes = NULL;
  g_autoptr (GError) error = NULL;

  if (!self->live)
    return;
  bytes = g_bytes_new (text, length);
  if (!stint_job_write (self->job, bytes, &error))
    g_signal_emit (self, signals[PROBLEM], 0, error);
}

void
stint_pane_update_settings (StintPane *self)
{
  VteTerminal *vte = VTE_TERMINAL (self->terminal);
  const char *font = stint_settings_get_font (self->settings);
  g_autoptr (PangoFontDescription) description =
      font != NULL ? pango_font_description_from_string (font) : NULL;
  guint lines = stint_settings_get_scrollback_lines (self->settings);
  gsize tail = CLAMP ((gsize) lines * BYTES_PER_LINE, MIN_TAIL, MAX_TAIL);

  stint_terminal_set_high_contrast (
      STINT_TERMINAL (self->terminal),
      g_strcmp0 (stint_settings_get_palette (self->settings), "high-contrast") == 0);
  vte_terminal_set_font (vte, description);
  vte_terminal_set_font_scale (vte, stint_settings_get_font_percent (self->settings) / 100.0);
  stint_follower_set_backlog (self->follower, lines, MIN (tail, SHOWN_TAIL), 2 * tail);
  /* For VTE what is seen is a part of it, and a notice of ours takes a row too. */
  if (stint_follower_is_at_tail (self->follower))
    vte_terminal_set_scrollback_lines (vte, (glong) lines + EXTRA_ROWS);
}

static void
on_clipboard_text (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintPane) self = STINT_PANE (user_data);
  g_autofree char *text = gdk_clipboard_read_text_finish (GDK_CLIPBOARD (source), result, NULL);

  if (text != NULL && self->live)
    vte_terminal_paste_text (VTE_TERMINAL (self->terminal), text);
}

static void
paste (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintPane *self = STINT_PANE (widget);

  if (self->live)
    gdk_clipboard_read_text_async (gtk_widget_get_clipboard (widget), NULL, on_clipboard_text,
                                   g_object_ref (self));
}

/* VTE's own copy offers formats that not everybody reads. */
static void
copy (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintPane *self = STINT_PANE (widget);
  g_autoptr (GBytes) bytes = NULL;
  char *text = NULL;

  if (vte_terminal_get_has_selection (VTE_TERMINAL (self->terminal)))
    text = vte_terminal_get_text_selected (VTE_TERMINAL (self->terminal), VTE_FORMAT_TEXT);
  if (text == NULL)
    return;
  bytes = g_bytes_new_take (text, strlen (text));
  stint_clipboard_offer_bytes (gtk_widget_get_clipboard (GTK_WIDGET (self)), bytes);
}

/* What a program asked while nobody looked, it no longer asks. */
static void
replay_hidden (StintPane *self)
{
  guint64 size = stint_reader_get_size (stint_pane_get_reader (self));

  if (!self->live || self->hidden_at == 0 || g_get_monotonic_time () - self->hidden_at < YOUNG_USEC ||
      size <= stint_follower_get_offset (self->follower))
    return;
  self->replay_end = size;
  self->replaying = TRUE;
  stint_pane_update_live (self);
}

static void
stint_pane_map (GtkWidget *widget)
{
  StintPane *self = STINT_PANE (widget);

  GTK_WIDGET_CLASS (stint_pane_parent_class)->map (widget);
  replay_hidden (self);
  stint_follower_start (self->follower);
  tell_size (self);
}

static void
stint_pane_unmap (GtkWidget *widget)
{
  StintPane *self = STINT_PANE (widget);

  self->hidden_at = g_get_monotonic_time ();
  stint_follower_stop (self->follower);
  GTK_WIDGET_CLASS (stint_pane_parent_class)->unmap (widget);
}

void
stint_pane_grab_terminal (StintPane *self)
{
  gtk_widget_grab_focus (GTK_WIDGET (self->terminal));
}

static gboolean
stint_pane_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_PANE (widget)->terminal));
}

static void
stint_pane_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_LIVE)
    g_value_set_boolean (value, STINT_PANE (object)->live);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_pane_dispose (GObject *object)
{
  StintPane *self = STINT_PANE (object);
  GtkWidget *child;

  self->live = FALSE; /* who still waits for the clipboard finds no terminal */
  if (self->follower != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->follower, self);
      stint_follower_stop (self->follower);
    }
  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->player);
  g_clear_object (&self->follower);
  g_clear_object (&self->actions);
  g_clear_pointer (&self->index, stint_index_free);
  g_clear_object (&self->job);
  g_clear_object (&self->settings);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  self->find_bar = NULL;
  self->player_bar = NULL;
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PANE);

  G_OBJECT_CLASS (stint_pane_parent_class)->dispose (object);
}

static void
stint_pane_class_init (StintPaneClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_pane_get_property;
  object_class->dispose = stint_pane_dispose;
  widget_class->map = stint_pane_map;
  widget_class->unmap = stint_pane_unmap;
  widget_class->grab_focus = stint_pane_grab_focus;

  properties[PROP_LIVE] =
      g_param_spec_boolean ("live", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_ERROR);

  gtk_widget_class_install_action (widget_class, "pane.copy", NULL, copy);
  gtk_widget_class_install_action (widget_class, "pane.paste", NULL, paste);

  g_type_ensure (STINT_TYPE_TERMINAL);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-pane.ui");
  gtk_widget_class_bind_template_child (widget_class, StintPane, terminal);
  gtk_widget_class_bind_template_child (widget_class, StintPane, placeholder);
  gtk_widget_class_bind_template_child (widget_class, StintPane, earlier_button);
  gtk_widget_class_bind_template_child (widget_class, StintPane, later_button);
  gtk_widget_class_bind_template_child (widget_class, StintPane, end_button);
  gtk_widget_class_bind_template_child (widget_class, StintPane, box);
  gtk_widget_class_bind_template_child (widget_class, StintPane, player_revealer);
  gtk_widget_class_bind_template_callback (widget_class, stint_pane_load_earlier);
  gtk_widget_class_bind_template_callback (widget_class, stint_pane_load_later);
  gtk_widget_class_bind_template_callback (widget_class, stint_pane_show_end);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "pane");
}

static void
stint_pane_init (StintPane *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->mark_row = -1;
  self->cancellable = g_cancellable_new ();
  stint_pane_add_shortcuts (self);
  g_signal_connect_object (self->terminal, "contents-changed", G_CALLBACK (on_contents_changed),
                           self, G_CONNECT_SWAPPED);
  g_signal_connect_object (self->terminal, "painted", G_CALLBACK (on_painted), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->terminal, "commit", G_CALLBACK (on_commit), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->terminal, "grid-changed", G_CALLBACK (tell_size), self,
                           G_CONNECT_SWAPPED);
}

static void
set_up_follower (StintPane *self)
{
  StintTranscript *transcript = stint_job_get_transcript (self->job);

  self->index = stint_index_new (stint_pane_get_reader (self));
  self->follower = stint_follower_new (
      transcript, !stint_job_spec_get_tty (stint_job_get_spec (self->job)), on_feed, self);
  g_signal_connect_swapped (self->follower, "placed", G_CALLBACK (stint_pane_handle_placed), self);
  g_signal_connect_swapped (self->follower, "mark-reached", G_CALLBACK (stint_pane_handle_mark), self);
  g_signal_connect_swapped (self->follower, "before-chunk", G_CALLBACK (on_before_chunk), self);
  g_signal_connect_swapped (self->follower, "caught-up", G_CALLBACK (on_caught_up), self);
  g_signal_connect_swapped (self->follower, "problem", G_CALLBACK (on_follower_problem), self);

  if (stint_job_get_state (self->job) == STINT_JOB_FINISHED ||
      stint_job_get_elapsed (self->job) > YOUNG_USEC)
    {
      self->replay_end = stint_reader_get_size (stint_pane_get_reader (self));
      self->replaying = self->replay_end > 0;
    }
}

StintPane *
stint_pane_new (StintJob *job, StintSettings *settings)
{
  g_autofree char *label = NULL;
  StintPane *self;

  g_return_val_if_fail (STINT_IS_JOB (job), NULL);
  g_return_val_if_fail (stint_job_get_transcript (job) != NULL, NULL);
  g_return_val_if_fail (STINT_IS_SETTINGS (settings), NULL);

  self = g_object_new (STINT_TYPE_PANE, NULL);
  self->job = g_object_ref (job);
  self->settings = g_object_ref (settings);

  /* Translators: %s is a job's name. */
  label = g_strdup_printf (_ ("Output of %s"), stint_job_get_title (job));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->terminal), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);

  set_up_follower (self);
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_state_changed), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (settings, "notify", G_CALLBACK (stint_pane_update_settings), self,
                           G_CONNECT_SWAPPED);
  stint_pane_update_settings (self);
  stint_pane_add_actions (self);
  stint_pane_connect_scrolling (self);
  stint_pane_update_live (self);
  update_placeholder (self);
  return self;
}

GActionGroup *
stint_pane_get_actions (StintPane *self)
{
  g_return_val_if_fail (STINT_IS_PANE (self), NULL);

  return G_ACTION_GROUP (self->actions);
}

StintJob *
stint_pane_get_job (StintPane *self)
{
  g_return_val_if_fail (STINT_IS_PANE (self), NULL);

  return self->job;
}

gboolean
stint_pane_is_live (StintPane *self)
{
  g_return_val_if_fail (STINT_IS_PANE (self), FALSE);

  return self->live;
}

gboolean
stint_pane_get_size (StintPane *self, guint *columns, guint *rows)
{
  VteTerminal *vte;

  g_return_val_if_fail (STINT_IS_PANE (self), FALSE);

  vte = VTE_TERMINAL (self->terminal);
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)) || self->replaying)
    return FALSE;
  *columns = (guint) vte_terminal_get_column_count (vte);
  *rows = (guint) vte_terminal_get_row_count (vte);
  return TRUE;
}
