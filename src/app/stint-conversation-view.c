/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation on the screen: when what has come is written, where it is scrolled to, and what keys
 * and clicks in it do. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-conversation-view.h"

#include "stint-clipboard.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

/* Of a frame, for writing. */
#define BUDGET_USEC 6000

struct _StintConversationView
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkSearchBar *search_bar;
  GtkSearchEntry *search_entry;
  GtkLabel *search_label;
  GtkScrolledWindow *scroller;
  GtkTextView *view;
  GtkWidget *end_button;

  /* Owned */
  StintConversation *conversation;
  StintConversationText *text;
  GSimpleActionGroup *actions;
  GHashTable *indices; /* StintConversationItem: its place + 1 */
  GHashTable *dirty;   /* places of what has grown or changed since it was written */
  guint tick;   /* follows the end, and has more written */
  guint writer; /* until then */

  gboolean following;
  double last_value;
  double last_upper;
};

G_DEFINE_FINAL_TYPE (StintConversationView, stint_conversation_view, GTK_TYPE_WIDGET)

enum
{
  OPEN,
  SAVE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void schedule (StintConversationView *self);

/* The button follows in the next frame: this may be told within a layout, where nothing may change. */
static void
set_following (StintConversationView *self, gboolean following)
{
  self->following = following;
  schedule (self);
}

/* Only who scrolls up leaves the end: that the text has grown moves nothing up. */
static void
on_scrolled (StintConversationView *self, GtkAdjustment *adjustment)
{
  double value = gtk_adjustment_get_value (adjustment);
  double upper = gtk_adjustment_get_upper (adjustment);

  if (value + gtk_adjustment_get_page_size (adjustment) >= upper - 24)
    set_following (self, TRUE);
  else if (value < self->last_value && upper >= self->last_upper &&
           !gtk_widget_in_destruction (GTK_WIDGET (self)))
    set_following (self, FALSE);
  self->last_value = value;
  self->last_upper = upper;
}

/* Told within a layout too. */
static void
on_extent (StintConversationView *self, GtkAdjustment *adjustment)
{
  self->last_upper = gtk_adjustment_get_upper (adjustment);
  if (self->following)
    schedule (self);
}

static gboolean
keep_at_end (StintConversationView *self)
{
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  double bottom = gtk_adjustment_get_upper (adjustment) - gtk_adjustment_get_page_size (adjustment);

  if (!self->following || gtk_adjustment_get_value (adjustment) >= bottom)
    return FALSE;
  self->last_value = 0;
  gtk_adjustment_set_value (adjustment, bottom);
  return TRUE;
}

static void
write_some (StintConversationView *self)
{
  gint64 until = g_get_monotonic_time () + BUDGET_USEC;
  GListModel *model = G_LIST_MODEL (self->conversation);
  guint n_items = g_list_model_get_n_items (model);
  GHashTableIter iter;
  gpointer key;

  /* What was there before is written before what has come since. */
  g_hash_table_iter_init (&iter, self->dirty);
  while (g_hash_table_iter_next (&iter, &key, NULL))
    {
      if (GPOINTER_TO_UINT (key) >= stint_conversation_text_get_n_items (self->text))
        continue;
      if (!stint_conversation_text_update (self->text, GPOINTER_TO_UINT (key)))
        g_hash_table_iter_remove (&iter);
      if (g_get_monotonic_time () > until)
        return;
    }
  for (guint i = stint_conversation_text_get_n_items (self->text); i < n_items; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (model, i);

      g_hash_table_remove (self->dirty, GUINT_TO_POINTER (i));
      g_hash_table_insert (self->indices, item, GUINT_TO_POINTER (i + 1));
      if (stint_conversation_text_add (self->text, item))
        g_hash_table_add (self->dirty, GUINT_TO_POINTER (i));
      if (g_get_monotonic_time () > until)
        return;
    }
}

/* Between two frames: what is written within one a text view lays out only when it is drawn, and then
 * it moves the scrollbar, which has its place already. */
static gboolean
on_write (gpointer user_data)
{
  StintConversationView *self = user_data;

  self->writer = 0;
  if (self->conversation != NULL)
    write_some (self);
  schedule (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StintConversationView *self = STINT_CONVERSATION_VIEW (widget);
  gboolean moved = keep_at_end (self);

  gtk_widget_set_visible (self->end_button, !self->following);
  if (self->writer == 0 && !stint_conversation_view_is_settled (self))
    self->writer = g_idle_add_full (G_PRIORITY_DEFAULT, on_write, self, NULL);
  if (moved || self->writer != 0)
    return G_SOURCE_CONTINUE;
  self->tick = 0;
  return G_SOURCE_REMOVE;
}

static void
schedule (StintConversationView *self)
{
  if (self->tick == 0 && gtk_widget_get_mapped (GTK_WIDGET (self)))
    self->tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), on_frame, NULL, NULL);
}

static void
on_items_changed (StintConversationView *self)
{
  schedule (self);
}

static void
on_item_changed (StintConversationView *self, StintConversationItem *item)
{
  guint index = GPOINTER_TO_UINT (g_hash_table_lookup (self->indices, item));

  if (index == 0)
    return; /* not written yet: it will be as it is then */
  g_hash_table_add (self->dirty, GUINT_TO_POINTER (index - 1));
  schedule (self);
}

static void
on_item_appended (StintConversationView *self, StintConversationItem *item, const char *text)
{
  on_item_changed (self, item);
}

static void
set_folded (StintConversationView *self, guint i, gboolean folded)
{
  if (stint_conversation_text_set_folded (self->text, i, folded))
    g_hash_table_add (self->dirty, GUINT_TO_POINTER (i));
  schedule (self);
}

/* Returns: whether there was something to open. */
static gboolean
open_at (StintConversationView *self, const GtkTextIter *iter)
{
  const char *target = NULL;
  StintLinkKind kind = stint_conversation_text_get_link (self->text, iter, &target);
  guint i;

  if (kind == STINT_LINK_NONE)
    return FALSE;
  if (kind == STINT_LINK_FOLD)
    {
      GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
      GtkTextIter start, end;

      i = stint_conversation_text_find (self->text, iter);
      set_folded (self, i, !stint_conversation_text_is_folded (self->text, i));
      stint_conversation_text_get_bounds (self->text, i, &start, &end);
      gtk_text_buffer_place_cursor (buffer, &start);
      gtk_text_view_scroll_mark_onscreen (self->view, gtk_text_buffer_get_insert (buffer));
      return TRUE;
    }
  if (target != NULL)
    {
      g_autofree char *copy = g_strdup (target);

      g_signal_emit (self, signals[OPEN], 0, (int) kind, copy);
    }
  return TRUE;
}

static void
get_iter_at (StintConversationView *self, double x, double y, GtkTextIter *iter)
{
  int buffer_x, buffer_y;

  gtk_text_view_window_to_buffer_coords (self->view, GTK_TEXT_WINDOW_WIDGET, (int) x, (int) y,
                                         &buffer_x, &buffer_y);
  gtk_text_view_get_iter_at_location (self->view, iter, buffer_x, buffer_y);
}

static void
on_released (GtkGestureClick *gesture, int n_press, double x, double y, StintConversationView *self)
{
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
  GtkTextIter iter;

  /* Who has selected something has not clicked. */
  if (n_press != 1 || gtk_text_buffer_get_has_selection (buffer))
    return;
  get_iter_at (self, x, y, &iter);
  open_at (self, &iter);
}

static void
on_motion (GtkEventControllerMotion *controller, double x, double y, StintConversationView *self)
{
  const char *target = NULL;
  GtkTextIter iter;
  StintLinkKind kind;

  get_iter_at (self, x, y, &iter);
  kind = stint_conversation_text_get_link (self->text, &iter, &target);
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self->view),
                                   kind != STINT_LINK_NONE ? "pointer" : "text");
  /* Where it leads, which is not always what it says. */
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->view), kind == STINT_LINK_URI ? target : NULL);
}

static void
move_to_item (StintConversationView *self, int step)
{
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
  guint n_items = stint_conversation_text_get_n_items (self->text);
  GtkTextIter iter, start, end;
  guint i;

  if (n_items == 0)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  i = stint_conversation_text_find (self->text, &iter);
  stint_conversation_text_get_bounds (self->text, i, &start, &end);
  if (step > 0)
    i = MIN (i + 1, n_items - 1);
  else if (gtk_text_iter_equal (&start, &iter) && i > 0)
    i--;
  stint_conversation_text_get_bounds (self->text, i, &start, &end);
  gtk_text_buffer_place_cursor (buffer, &start);
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (buffer), 0.05, FALSE, 0, 0);
}

static gboolean
on_key (StintConversationView *self, guint key, guint code, GdkModifierType state)
{
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
  GdkModifierType modifiers = state & gtk_accelerator_get_default_mod_mask ();
  GtkTextIter iter;

  if ((key == GDK_KEY_Return || key == GDK_KEY_KP_Enter || key == GDK_KEY_space) && modifiers == 0)
    {
      gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
      return open_at (self, &iter);
    }
  if (modifiers == GDK_ALT_MASK && (key == GDK_KEY_Up || key == GDK_KEY_Down))
    {
      move_to_item (self, key == GDK_KEY_Up ? -1 : 1);
      return TRUE;
    }
  return FALSE;
}

/* Finding */

static void
unfold_matches (StintConversationView *self, const char *text)
{
  for (guint i = 0; i < stint_conversation_text_get_n_items (self->text); i++)
    {
      if (!stint_conversation_text_hides (self->text, i, text))
        continue;
      /* All of it: what is searched next is in the buffer. */
      if (stint_conversation_text_set_folded (self->text, i, FALSE))
        while (stint_conversation_text_update (self->text, i))
          ;
    }
}

/* @from_start: look at the match that is selected again: the text that is looked for has grown. */
static void
find (StintConversationView *self, gboolean forward, gboolean from_start)
{
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search_entry));
  GtkTextSearchFlags flags = GTK_TEXT_SEARCH_CASE_INSENSITIVE;
  GtkTextIter start, end, match_start, match_end;
  gboolean found;

  gtk_label_set_label (self->search_label, "");
  if (text[0] == '\0')
    return;
  unfold_matches (self, text);
  gtk_text_buffer_get_selection_bounds (buffer, &start, &end);
  if (forward)
    {
      found = gtk_text_iter_forward_search (from_start ? &start : &end, text, flags, &match_start,
                                            &match_end, NULL);
      if (!found)
        {
          gtk_text_buffer_get_start_iter (buffer, &start);
          found =
              gtk_text_iter_forward_search (&start, text, flags, &match_start, &match_end, NULL);
        }
    }
  else
    {
      found = gtk_text_iter_backward_search (&start, text, flags, &match_start, &match_end, NULL);
      if (!found)
        {
          gtk_text_buffer_get_end_iter (buffer, &end);
          found = gtk_text_iter_backward_search (&end, text, flags, &match_start, &match_end, NULL);
        }
    }
  if (!found)
    {
      gtk_label_set_label (self->search_label, _ ("Not found"));
      return;
    }
  set_following (self, FALSE);
  gtk_text_buffer_select_range (buffer, &match_start, &match_end);
  gtk_text_view_scroll_to_mark (self->view, gtk_text_buffer_get_insert (buffer), 0.1, FALSE, 0, 0);
}

static void
on_search_changed (StintConversationView *self)
{
  find (self, TRUE, TRUE);
}

static void
on_find_next (StintConversationView *self)
{
  find (self, TRUE, FALSE);
}

static void
on_find_previous (StintConversationView *self)
{
  find (self, FALSE, FALSE);
}

static void
on_stop_search (StintConversationView *self)
{
  gtk_search_bar_set_search_mode (self->search_bar, FALSE);
}

static void
on_search_mode (StintConversationView *self)
{
  if (!gtk_search_bar_get_search_mode (self->search_bar))
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

/* Actions */

static void
find_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintConversationView *self = user_data;

  gtk_search_bar_set_search_mode (self->search_bar, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->search_entry));
}

static void
find_next_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  on_find_next (user_data);
}

static void
find_previous_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  on_find_previous (user_data);
}

static void
copy_all_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintConversationView *self = user_data;
  g_autofree char *markdown = NULL;

  if (self->conversation == NULL)
    return;
  markdown = stint_conversation_to_markdown (self->conversation);
  stint_clipboard_offer_text (gtk_widget_get_clipboard (GTK_WIDGET (self)), markdown);
}

/* As the agent wrote it. */
static void
copy_message_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintConversationView *self = user_data;
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (self->text);
  GtkTextIter iter;
  StintConversationItem *item;

  if (stint_conversation_text_get_n_items (self->text) == 0)
    return;
  gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
  item = stint_conversation_text_get_item (self->text,
                                           stint_conversation_text_find (self->text, &iter));
  stint_clipboard_offer_text (gtk_widget_get_clipboard (GTK_WIDGET (self)),
                              stint_conversation_item_get_text (item));
}

static void
save_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  g_signal_emit (user_data, signals[SAVE], 0);
}

static const GActionEntry entries[] = {
  { .name = "find", .activate = find_action },
  { .name = "find-next", .activate = find_next_action },
  { .name = "find-previous", .activate = find_previous_action },
  { .name = "copy-all", .activate = copy_all_action },
  { .name = "copy-message", .activate = copy_message_action },
  { .name = "save", .activate = save_action },
};

static void
update_dark (StintConversationView *self)
{
  stint_conversation_text_set_dark (self->text,
                                    adw_style_manager_get_dark (adw_style_manager_get_default ()));
}

static void
stint_conversation_view_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_conversation_view_parent_class)->map (widget);
  schedule (STINT_CONVERSATION_VIEW (widget));
}

static void
stint_conversation_view_unmap (GtkWidget *widget)
{
  StintConversationView *self = STINT_CONVERSATION_VIEW (widget);

  if (self->tick != 0)
    gtk_widget_remove_tick_callback (widget, self->tick);
  self->tick = 0;
  g_clear_handle_id (&self->writer, g_source_remove);
  GTK_WIDGET_CLASS (stint_conversation_view_parent_class)->unmap (widget);
}

static gboolean
stint_conversation_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_CONVERSATION_VIEW (widget)->view));
}

static void
stint_conversation_view_dispose (GObject *object)
{
  StintConversationView *self = STINT_CONVERSATION_VIEW (object);
  GtkWidget *child;

  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_clear_object (&self->conversation);
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (gtk_scrolled_window_get_vadjustment (self->scroller),
                                          self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_CONVERSATION_VIEW);

  G_OBJECT_CLASS (stint_conversation_view_parent_class)->dispose (object);
}

static void
stint_conversation_view_finalize (GObject *object)
{
  StintConversationView *self = STINT_CONVERSATION_VIEW (object);

  g_clear_object (&self->text);
  g_clear_object (&self->actions);
  g_hash_table_unref (self->indices);
  g_hash_table_unref (self->dirty);

  G_OBJECT_CLASS (stint_conversation_view_parent_class)->finalize (object);
}

static void
stint_conversation_view_class_init (StintConversationViewClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_conversation_view_dispose;
  object_class->finalize = stint_conversation_view_finalize;
  widget_class->map = stint_conversation_view_map;
  widget_class->unmap = stint_conversation_view_unmap;
  widget_class->grab_focus = stint_conversation_view_grab_focus;

  signals[OPEN] = g_signal_new ("open", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_STRING);
  signals[SAVE] = g_signal_new ("save", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-conversation-view.ui");
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, search_bar);
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, search_entry);
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, search_label);
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, view);
  gtk_widget_class_bind_template_child (widget_class, StintConversationView, end_button);
  gtk_widget_class_bind_template_callback (widget_class, on_search_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_find_next);
  gtk_widget_class_bind_template_callback (widget_class, on_find_previous);
  gtk_widget_class_bind_template_callback (widget_class, on_stop_search);
  gtk_widget_class_bind_template_callback (widget_class, on_search_mode);
  gtk_widget_class_bind_template_callback (widget_class, stint_conversation_view_show_end);
  gtk_widget_class_set_css_name (widget_class, "conversation");
}

static void
stint_conversation_view_init (StintConversationView *self)
{
  GtkEventController *controller;
  GtkAdjustment *adjustment;

  gtk_widget_init_template (GTK_WIDGET (self));
  self->following = TRUE;
  self->indices = g_hash_table_new (NULL, NULL);
  self->dirty = g_hash_table_new (NULL, NULL);
  self->actions = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->actions), entries, G_N_ELEMENTS (entries),
                                   self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "conversation",
                                  G_ACTION_GROUP (self->actions));
  gtk_search_bar_connect_entry (self->search_bar, GTK_EDITABLE (self->search_entry));

  controller = GTK_EVENT_CONTROLLER (gtk_gesture_click_new ());
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (controller), GDK_BUTTON_PRIMARY);
  g_signal_connect (controller, "released", G_CALLBACK (on_released), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), controller);

  controller = gtk_event_controller_motion_new ();
  g_signal_connect (controller, "motion", G_CALLBACK (on_motion), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), controller);

  controller = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), controller);

  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (update_dark), self, G_CONNECT_SWAPPED);
  adjustment = gtk_scrolled_window_get_vadjustment (self->scroller);
  g_signal_connect_swapped (adjustment, "value-changed", G_CALLBACK (on_scrolled), self);
  g_signal_connect_swapped (adjustment, "changed", G_CALLBACK (on_extent), self);
  stint_conversation_view_set_conversation (self, NULL);
}

GtkWidget *
stint_conversation_view_new (void)
{
  return g_object_new (STINT_TYPE_CONVERSATION_VIEW, NULL);
}

void
stint_conversation_view_set_conversation (StintConversationView *self,
                                          StintConversation *conversation)
{
  g_return_if_fail (STINT_IS_CONVERSATION_VIEW (self));
  g_return_if_fail (conversation == NULL || STINT_IS_CONVERSATION (conversation));

  if (self->text != NULL && self->conversation == conversation)
    return;
  if (self->conversation != NULL)
    g_signal_handlers_disconnect_by_data (self->conversation, self);
  g_set_object (&self->conversation, conversation);
  g_hash_table_remove_all (self->indices);
  g_hash_table_remove_all (self->dirty);
  g_clear_object (&self->text);
  self->text = stint_conversation_text_new ();
  update_dark (self);
  gtk_text_view_set_buffer (self->view, stint_conversation_text_get_buffer (self->text));
  set_following (self, TRUE);
  if (conversation == NULL)
    return;
  g_signal_connect_swapped (conversation, "items-changed", G_CALLBACK (on_items_changed), self);
  g_signal_connect_swapped (conversation, "item-appended", G_CALLBACK (on_item_appended), self);
  g_signal_connect_swapped (conversation, "item-changed", G_CALLBACK (on_item_changed), self);
  schedule (self);
}

StintConversation *
stint_conversation_view_get_conversation (StintConversationView *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_VIEW (self), NULL);

  return self->conversation;
}

GActionGroup *
stint_conversation_view_get_actions (StintConversationView *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_VIEW (self), NULL);

  return G_ACTION_GROUP (self->actions);
}

StintConversationText *
stint_conversation_view_get_text (StintConversationView *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_VIEW (self), NULL);

  return self->text;
}

gboolean
stint_conversation_view_is_settled (StintConversationView *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_VIEW (self), TRUE);

  return self->conversation == NULL ||
         (g_hash_table_size (self->dirty) == 0 &&
          stint_conversation_text_get_n_items (self->text) ==
              g_list_model_get_n_items (G_LIST_MODEL (self->conversation)));
}

gboolean
stint_conversation_view_is_following (StintConversationView *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_VIEW (self), FALSE);

  return self->following;
}

void
stint_conversation_view_show_end (StintConversationView *self)
{
  g_return_if_fail (STINT_IS_CONVERSATION_VIEW (self));

  set_following (self, TRUE);
}
