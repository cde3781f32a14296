/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with a job's output: the actions `output.*`, and the keys that reach them from the
 * pane. The window puts them where its menus find them. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-pane-private.h"

#include "stint-clipboard.h"
#include "stint-export.h"
#include "stint-opened-output.h"
#include "stint-save-dialog.h"
#include "stint-toast.h"

#include <adwaita.h>

#include <glib/gi18n.h>

/* More than this is for a file. */
#define MAX_COPY (64 * 1024 * 1024)

#define ZOOM_STEP 10

static gboolean
is_pipe (StintPane *self)
{
  return !stint_job_spec_get_tty (stint_job_get_spec (self->job));
}

static void
raise_problem (StintPane *self, const GError *error)
{
  g_signal_emit_by_name (self, "problem", error);
}

/* Shows the same anew, after something about how it is shown has changed. */
static void
reload (StintPane *self)
{
  self->replay_end = MAX (self->replay_end, stint_follower_get_offset (self->follower));
  self->replaying = self->replay_end > 0;
  stint_pane_update_live (self);
  stint_follower_set_held (self->follower, FALSE);
  stint_follower_reload (self->follower);
}

static void
find (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  stint_find_bar_open (stint_pane_ensure_find_bar (self),
                       stint_follower_get_start (self->follower));
}

static void
find_next (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_find_bar_next (stint_pane_ensure_find_bar (STINT_PANE (user_data)));
}

static void
find_previous (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_find_bar_previous (stint_pane_ensure_find_bar (STINT_PANE (user_data)));
}

static void
show_earlier (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_pane_load_earlier (STINT_PANE (user_data));
}

static void
show_end (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_pane_show_end (STINT_PANE (user_data));
}

typedef struct
{
  StintPane *pane;
  GOutputStream *stream;
} Copy;

static void
copy_free (Copy *copy)
{
  g_object_unref (copy->pane);
  g_object_unref (copy->stream);
  g_free (copy);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (Copy, copy_free)

static void
on_copied (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (Copy) copy = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) text = NULL;

  if (!stint_export_write_finish (result, &error))
    {
      if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
        raise_problem (copy->pane, error);
      return;
    }
  if (copy->pane->job == NULL || !g_output_stream_close (copy->stream, NULL, NULL))
    return;
  text = g_memory_output_stream_steal_as_bytes (G_MEMORY_OUTPUT_STREAM (copy->stream));
  stint_clipboard_offer_bytes (gtk_widget_get_clipboard (GTK_WIDGET (copy->pane)), text);
}

/* All there is, and not only what the terminal still holds. */
static void
copy_all (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);
  StintExportOptions options = {
    .format = STINT_EXPORT_TEXT,
    .tty = !is_pipe (self),
    .started_at = stint_job_get_started_at (self->job),
  };
  Copy *copy;

  if (stint_reader_get_size (stint_pane_get_reader (self)) > MAX_COPY)
    {
      g_autofree char *size = g_format_size (MAX_COPY);
      g_autoptr (GError) error = g_error_new (
          G_IO_ERROR, G_IO_ERROR_NO_SPACE,
          /* Translators: %s is a size. */
          _ ("More than %s is too much for the clipboard: use “Save Output…” instead."), size);

      raise_problem (self, error);
      return;
    }
  copy = g_new (Copy, 1);
  *copy = (Copy){ g_object_ref (self), g_memory_output_stream_new_resizable () };
  stint_export_write_async (stint_pane_get_reader (self), &options, copy->stream, NULL, NULL, self->cancellable,
                            on_copied, copy);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintPane) self = STINT_PANE (user_data);
  g_autoptr (GError) error = NULL;

  if (!stint_opened_output_finish (STINT_JOB (source), result, &error) &&
      !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    raise_problem (self, error);
}

static void
open_elsewhere (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  stint_opened_output_async (self->job, self->cancellable, on_opened, g_object_ref (self));
}

static void
on_saved (StintPane *self, GFile *file)
{
  g_autofree char *message = stint_save_dialog_dup_message (file);

  stint_toast_show (self, stint_toast_new (message));
}

static void
save (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);
  StintSaveDialog *dialog =
      stint_save_dialog_present (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self))), self->job);

  g_signal_connect_object (dialog, "saved", G_CALLBACK (on_saved), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (dialog, "problem", G_CALLBACK (raise_problem), self, G_CONNECT_SWAPPED);
}

static void
change_streams (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);
  const char *name = g_variant_get_string (value, NULL);
  StintStreams streams = STINT_STREAMS_BOTH;

  if (g_str_equal (name, "stdout"))
    streams = STINT_STREAMS_STDOUT;
  else if (g_str_equal (name, "stderr"))
    streams = STINT_STREAMS_STDERR;
  g_simple_action_set_state (action, value);
  stint_decorator_set_streams (stint_follower_get_decorator (self->follower), streams);
  reload (self);
}

static void
change_mark_stderr (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  g_simple_action_set_state (action, value);
  stint_decorator_set_mark_stderr (stint_follower_get_decorator (self->follower),
                                   g_variant_get_boolean (value));
  reload (self);
}

static void
change_timestamps (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  g_simple_action_set_state (action, value);
  stint_decorator_set_timestamps (stint_follower_get_decorator (self->follower),
                                  g_variant_get_boolean (value) ? stint_job_get_started_at (self->job) : 0);
  reload (self);
}

static void
change_wrap (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  g_object_set (self->settings, "wrap", g_variant_get_boolean (value), NULL);
}

static void
zoom (StintPane *self, int percent)
{
  g_object_set (self->settings, "font-percent", CLAMP (percent, 25, 400), NULL);
}

static void
zoom_in (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  zoom (self, (int) stint_settings_get_font_percent (self->settings) + ZOOM_STEP);
}

static void
zoom_out (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  zoom (self, (int) stint_settings_get_font_percent (self->settings) - ZOOM_STEP);
}

static void
zoom_normal (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  zoom (STINT_PANE (user_data), 100);
}

static void
play (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintPane *self = STINT_PANE (user_data);

  if (self->player != NULL)
    return;
  /* What is shown is a range of the player's own. */
  vte_terminal_set_scrollback_lines (VTE_TERMINAL (self->terminal), -1);
  self->mark_row = -1;
  self->replay_end = G_MAXUINT64;
  self->replaying = TRUE;
  stint_follower_set_held (self->follower, FALSE);
  self->player = stint_player_new (self->follower, stint_pane_get_reader (self));
  stint_pane_show_player (self);
  stint_player_play (self->player);
  stint_pane_update_live (self);
  stint_pane_update_scrolling (self);
}

void
stint_pane_close_player (StintPane *self)
{
  if (self->player == NULL)
    return;
  stint_pane_hide_player (self);
  stint_player_pause (self->player);
  g_clear_object (&self->player);
  stint_pane_show_end (self);
  stint_pane_grab_terminal (self);
}

static const GActionEntry entries[] = {
  { .name = "find", .activate = find },
  { .name = "find-next", .activate = find_next },
  { .name = "find-previous", .activate = find_previous },
  { .name = "earlier", .activate = show_earlier },
  { .name = "end", .activate = show_end },
  { .name = "copy-all", .activate = copy_all },
  { .name = "save", .activate = save },
  { .name = "open", .activate = open_elsewhere },
  { .name = "streams", .parameter_type = "s", .state = "'both'", .change_state = change_streams },
  { .name = "mark-stderr", .state = "false", .change_state = change_mark_stderr },
  { .name = "timestamps", .state = "false", .change_state = change_timestamps },
  { .name = "wrap", .state = "true", .change_state = change_wrap },
  { .name = "zoom-in", .activate = zoom_in },
  { .name = "zoom-out", .activate = zoom_out },
  { .name = "zoom-normal", .activate = zoom_normal },
  { .name = "play", .activate = play },
};

static void
set_enabled (StintPane *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
stint_pane_update_actions (StintPane *self)
{
  GAction *wrap = g_action_map_lookup_action (G_ACTION_MAP (self->actions), "wrap");
  gboolean any = stint_reader_get_size (stint_pane_get_reader (self)) > 0;

  set_enabled (self, "streams", is_pipe (self));
  set_enabled (self, "mark-stderr", is_pipe (self));
  set_enabled (self, "play", any && stint_transcript_is_complete (stint_job_get_transcript (self->job)));
  set_enabled (self, "save", any);
  set_enabled (self, "open", any);
  set_enabled (self, "copy-all", any);
  g_simple_action_set_state (G_SIMPLE_ACTION (wrap),
                             g_variant_new_boolean (stint_settings_get_wrap (self->settings)));
}

static void
on_wrap_changed (StintPane *self)
{
  stint_pane_update_actions (self);
  if (!self->live)
    reload (self);
}

void
stint_pane_add_actions (StintPane *self)
{
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries), self);
  g_signal_connect_object (self->settings, "notify::wrap", G_CALLBACK (on_wrap_changed), self,
                           G_CONNECT_SWAPPED);
  stint_pane_update_actions (self);
}

/* VTE keeps Tab for the program, and there would be no way on. */
static gboolean
move_focus (GtkWidget *widget, GVariant *direction, gpointer user_data)
{
  if (STINT_PANE (widget)->live)
    return GDK_EVENT_PROPAGATE;
  g_signal_emit_by_name (gtk_widget_get_root (widget), "move-focus",
                         (GtkDirectionType) g_variant_get_int32 (direction));
  return GDK_EVENT_STOP;
}

static void
add_tab (GtkEventController *controller, guint key, GdkModifierType modifiers, GtkDirectionType direction)
{
  GtkShortcut *shortcut = gtk_shortcut_new (gtk_keyval_trigger_new (key, modifiers),
                                            gtk_callback_action_new (move_focus, NULL, NULL));

  gtk_shortcut_set_arguments (shortcut, g_variant_new_int32 (direction));
  gtk_shortcut_controller_add_shortcut (GTK_SHORTCUT_CONTROLLER (controller), shortcut);
}

/* With Ctrl+Shift, since what has only Ctrl is the program's. */
static const struct
{
  guint key;
  const char *action;
} shortcuts[] = {
  { GDK_KEY_c, "pane.copy" },           { GDK_KEY_v, "pane.paste" },
  { GDK_KEY_Home, "output.earlier" },   { GDK_KEY_End, "output.end" },
  { GDK_KEY_g, "output.find-next" },    { GDK_KEY_h, "output.find-previous" },
  { GDK_KEY_plus, "output.zoom-in" },   { GDK_KEY_KP_Add, "output.zoom-in" },
  { GDK_KEY_underscore, "output.zoom-out" }, { GDK_KEY_KP_Subtract, "output.zoom-out" },
  { GDK_KEY_parenright, "output.zoom-normal" },
};

gboolean
stint_pane_uses_key (guint key, GdkModifierType modifiers)
{
  if (modifiers != (GDK_CONTROL_MASK | GDK_SHIFT_MASK))
    return FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    if (shortcuts[i].key == gdk_keyval_to_lower (key))
      return TRUE;
  return FALSE;
}

void
stint_pane_add_shortcuts (StintPane *self)
{
  GtkEventController *controller = gtk_shortcut_controller_new ();

  /* Before VTE, which would pass these keys on to the program. */
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    gtk_shortcut_controller_add_shortcut (
        GTK_SHORTCUT_CONTROLLER (controller),
        gtk_shortcut_new (gtk_keyval_trigger_new (shortcuts[i].key, GDK_CONTROL_MASK | GDK_SHIFT_MASK),
                          gtk_named_action_new (shortcuts[i].action)));
  add_tab (controller, GDK_KEY_Tab, 0, GTK_DIR_TAB_FORWARD);
  add_tab (controller, GDK_KEY_ISO_Left_Tab, GDK_SHIFT_MASK, GTK_DIR_TAB_BACKWARD);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}
