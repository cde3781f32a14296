/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The pointer and the keys on a timeline. Time runs to where one reads to, and so do the arrows. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-timeline-private.h"

#include "stint-history-menu.h"

#include <glib/gi18n.h>
#include <math.h>

/* How much closer a key or a notch of a wheel looks. */
#define ZOOM 1.5

/* How far a notch moves, of what is looked at. */
#define PAN 0.08

/* What a finger moves is moved as far as GTK's own scrolling moves it; and so many pixels of it look as
 * much closer as a notch. */
#define FINGER 2.5
#define FINGER_NOTCH 40.0

/* One misses by so much, pixels. */
#define NEAR 3.0

/* Finding */

typedef struct
{
  double x; /* in the direction of time */
  double distance;
  StintLanePiece piece;
} Search;

static void
look_at_piece (const StintLanePiece *piece, gpointer user_data)
{
  Search *search = user_data;
  double distance = MAX (MAX (piece->from - search->x, search->x - piece->to), 0);

  if (distance > NEAR || (search->piece.count > 0 && distance >= search->distance))
    return;
  search->piece = *piece;
  search->distance = distance;
}

gboolean
stint_timeline_find (StintTimeline *self, double x, double y, StintLanePiece *piece)
{
  double width = stint_time_scale_get_width (self->scale);
  Search search = { .x = stint_time_scale_is_mirrored (self->scale) ? width - x : x };
  gint64 from = stint_time_scale_get_from (self->scale);
  int lane = (int) ((y - STINT_TIMELINE_MARGIN) / STINT_TIMELINE_LANE);

  if (self->lanes == NULL || y < STINT_TIMELINE_MARGIN ||
      lane >= (int) stint_lanes_get_n_lanes (self->lanes))
    return FALSE;
  stint_lanes_walk (self->lanes, (guint) lane, from,
                    from + stint_time_scale_get_visible (self->scale),
                    stint_time_scale_get_step (self->scale), STINT_TIMELINE_LEAST, look_at_piece,
                    &search);
  *piece = search.piece;
  return search.piece.count > 0;
}

char *
stint_timeline_dup_tooltip (StintTimeline *self, double x, double y)
{
  StintLanePiece piece;

  g_return_val_if_fail (STINT_IS_TIMELINE (self), NULL);

  if (!stint_timeline_find (self, x, y, &piece))
    return NULL;
  if (piece.count == 1)
    return stint_timeline_dup_sentence (g_ptr_array_index (self->entries, piece.first),
                                        g_get_real_time ());
  if (piece.weight == 0)
    return g_strdup_printf (
        g_dngettext (GETTEXT_PACKAGE, "%u job that ran for a moment. Zoom in to see it.",
                     "%u jobs that ran one after the other. Zoom in to see them.", piece.count),
        piece.count);
  return g_strdup_printf (
      /* Translators: two counts; the plural is of the first. */
      g_dngettext (GETTEXT_PACKAGE, "%u job, %u failed. Zoom in to see it.",
                   "%u jobs that ran one after the other, %u failed. Zoom in to see them.",
                   piece.count),
      piece.count, piece.weight);
}

static gboolean
on_query_tooltip (StintTimeline *self, int x, int y, gboolean keyboard, GtkTooltip *tooltip)
{
  g_autofree char *text = keyboard ? NULL : stint_timeline_dup_tooltip (self, x, y);

  if (text == NULL)
    return FALSE;
  gtk_tooltip_set_text (tooltip, text);
  return TRUE;
}

/* Acting */

static void
open_selected (StintTimeline *self)
{
  const StintEntry *entry = stint_timeline_get_selected (self);

  if (entry != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "history.open", "t", entry->id);
}

static void
popup_menu (StintTimeline *self)
{
  const StintEntry *entry = stint_timeline_get_selected (self);
  g_autoptr (GMenuModel) menu = NULL;
  graphene_rect_t bar;

  if (entry == NULL)
    return;
  menu = stint_history_menu_new (entry);
  bar = stint_timeline_get_bar (self, (guint) self->selected);
  gtk_popover_menu_set_menu_model (GTK_POPOVER_MENU (self->menu), menu);
  gtk_popover_set_pointing_to (
      GTK_POPOVER (self->menu),
      &(GdkRectangle){ (int) bar.origin.x, (int) bar.origin.y, MAX ((int) bar.size.width, 1),
                       (int) bar.size.height });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
pan (StintTimeline *self, double share)
{
  stint_time_scale_set_from (
      self->scale, stint_time_scale_get_from (self->scale) +
                       (gint64) ((double) stint_time_scale_get_visible (self->scale) * share));
}

/* Keys */

static gboolean
on_step (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintTimeline *self = STINT_TIMELINE (widget);
  int step = g_variant_get_int32 (arguments);
  int n = self->entries != NULL ? (int) self->entries->len : 0;

  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    step = -step;
  if (n > 0)
    stint_timeline_select_index (self, CLAMP (self->selected + step, 0, n - 1), TRUE);
  return TRUE;
}

static gboolean
on_edge (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintTimeline *self = STINT_TIMELINE (widget);
  int n = self->entries != NULL ? (int) self->entries->len : 0;

  if (n > 0)
    stint_timeline_select_index (self, g_variant_get_int32 (arguments) < 0 ? 0 : n - 1, TRUE);
  return TRUE;
}

/* To what ran beside it. */
static gboolean
on_lane (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintTimeline *self = STINT_TIMELINE (widget);
  int lane, index;

  if (self->selected < 0)
    return TRUE;
  lane = (int) stint_lanes_get_lane (self->lanes, (guint) self->selected) +
         g_variant_get_int32 (arguments);
  index = lane >= 0 ? stint_lanes_find_beside (self->lanes, (guint) self->selected, (guint) lane)
                    : -1;
  if (index >= 0)
    stint_timeline_select_index (self, index, TRUE);
  else
    gtk_widget_error_bell (widget);
  return TRUE;
}

static gboolean
on_zoom (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  StintTimeline *self = STINT_TIMELINE (widget);

  stint_time_scale_zoom (self->scale, g_variant_get_int32 (arguments) > 0 ? 1 / ZOOM : ZOOM,
                         stint_timeline_get_middle (self));
  return TRUE;
}

static gboolean
on_fit (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  stint_time_scale_fit (STINT_TIMELINE (widget)->scale);
  return TRUE;
}

static gboolean
on_pan (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  int direction = g_variant_get_int32 (arguments);

  if (gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL)
    direction = -direction;
  pan (STINT_TIMELINE (widget), direction * 2 * PAN);
  return TRUE;
}

static gboolean
on_open (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  open_selected (STINT_TIMELINE (widget));
  return TRUE;
}

static gboolean
on_menu (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  popup_menu (STINT_TIMELINE (widget));
  return TRUE;
}

/* One that still runs stays. */
static gboolean
on_remove (GtkWidget *widget, GVariant *arguments, gpointer user_data)
{
  const StintEntry *entry = stint_timeline_get_selected (STINT_TIMELINE (widget));

  if (entry == NULL || entry->running)
    gtk_widget_error_bell (widget);
  else
    gtk_widget_activate_action (widget, "history.remove", "t", entry->id);
  return TRUE;
}

void
stint_timeline_bind_keys (GtkWidgetClass *widget_class)
{
  static const struct
  {
    guint key, keypad;
    GdkModifierType modifiers;
    GtkShortcutFunc func;
    int argument;
  } keys[] = {
    { GDK_KEY_Left, GDK_KEY_KP_Left, 0, on_step, -1 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, 0, on_step, 1 },
    { GDK_KEY_Up, GDK_KEY_KP_Up, 0, on_lane, -1 },
    { GDK_KEY_Down, GDK_KEY_KP_Down, 0, on_lane, 1 },
    { GDK_KEY_Home, GDK_KEY_KP_Home, 0, on_edge, -1 },
    { GDK_KEY_End, GDK_KEY_KP_End, 0, on_edge, 1 },
    { GDK_KEY_Left, GDK_KEY_KP_Left, GDK_CONTROL_MASK, on_pan, -1 },
    { GDK_KEY_Right, GDK_KEY_KP_Right, GDK_CONTROL_MASK, on_pan, 1 },
    { GDK_KEY_plus, GDK_KEY_KP_Add, 0, on_zoom, 1 },
    { GDK_KEY_equal, GDK_KEY_equal, 0, on_zoom, 1 },
    { GDK_KEY_minus, GDK_KEY_KP_Subtract, 0, on_zoom, -1 },
    { GDK_KEY_plus, GDK_KEY_KP_Add, GDK_CONTROL_MASK, on_zoom, 1 },
    { GDK_KEY_equal, GDK_KEY_equal, GDK_CONTROL_MASK, on_zoom, 1 },
    { GDK_KEY_minus, GDK_KEY_KP_Subtract, GDK_CONTROL_MASK, on_zoom, -1 },
    { GDK_KEY_0, GDK_KEY_KP_0, 0, on_fit, 0 },
    { GDK_KEY_0, GDK_KEY_KP_0, GDK_CONTROL_MASK, on_fit, 0 },
    { GDK_KEY_Return, GDK_KEY_KP_Enter, 0, on_open, 0 },
    { GDK_KEY_space, GDK_KEY_KP_Space, 0, on_open, 0 },
    { GDK_KEY_Delete, GDK_KEY_KP_Delete, 0, on_remove, 0 },
    { GDK_KEY_Menu, GDK_KEY_Menu, 0, on_menu, 0 },
    { GDK_KEY_F10, GDK_KEY_F10, GDK_SHIFT_MASK, on_menu, 0 },
  };

  for (guint i = 0; i < G_N_ELEMENTS (keys); i++)
    {
      gtk_widget_class_add_binding (widget_class, keys[i].key, keys[i].modifiers, keys[i].func, "i",
                                    keys[i].argument);
      if (keys[i].keypad != keys[i].key)
        gtk_widget_class_add_binding (widget_class, keys[i].keypad, keys[i].modifiers,
                                      keys[i].func, "i", keys[i].argument);
    }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Up, 0, "day.previous", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Page_Down, 0, "day.next", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Page_Up, 0, "day.previous", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_KP_Page_Down, 0, "day.next", NULL);
}

/* The pointer */

static void
on_motion (StintTimeline *self, double x, double y)
{
  self->pointer_x = x;
}

gboolean
stint_timeline_scroll (StintTimeline *self,
                       GdkScrollUnit unit,
                       GdkModifierType state,
                       double dx,
                       double dy)
{
  gboolean finger = unit == GDK_SCROLL_UNIT_SURFACE;

  if ((state & GDK_CONTROL_MASK) != 0)
    {
      stint_time_scale_zoom (self->scale, pow (ZOOM, finger ? dy / FINGER_NOTCH : dy),
                             self->pointer_x);
      return TRUE;
    }
  if ((state & GDK_SHIFT_MASK) != 0 && dx == 0)
    {
      dx = dy;
      dy = 0;
    }
  /* A finger never goes straight: up and down it scrolls the lanes. */
  if (fabs (dx) <= fabs (dy))
    return FALSE;
  if (stint_time_scale_is_mirrored (self->scale))
    dx = -dx;
  pan (self, finger ? dx * FINGER / stint_time_scale_get_width (self->scale) : dx * PAN);
  return TRUE;
}

static gboolean
on_scroll (StintTimeline *self, double dx, double dy, GtkEventControllerScroll *scroll)
{
  return stint_timeline_scroll (
      self, gtk_event_controller_scroll_get_unit (scroll),
      gtk_event_controller_get_current_event_state (GTK_EVENT_CONTROLLER (scroll)), dx, dy);
}

/* The first look at what is one block is a closer one. */
static void
on_pressed (StintTimeline *self, int n_press, double x, double y, GtkGesture *click)
{
  StintLanePiece piece;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!stint_timeline_find (self, x, y, &piece))
    return;
  if (n_press == 2 && piece.count > 1)
    stint_time_scale_zoom (self->scale, 1 / (ZOOM * ZOOM * ZOOM), x);
  else if (n_press == 2)
    open_selected (self);
  else
    stint_timeline_select_index (self, (int) piece.first, FALSE);
}

static void
on_secondary_pressed (StintTimeline *self, int n_press, double x, double y)
{
  StintLanePiece piece;

  gtk_widget_grab_focus (GTK_WIDGET (self));
  if (!stint_timeline_find (self, x, y, &piece))
    return;
  stint_timeline_select_index (self, (int) piece.first, FALSE);
  popup_menu (self);
}

static void
on_drag_begin (StintTimeline *self, double x, double y)
{
  self->grabbed = stint_time_scale_get_from (self->scale);
}

static void
on_drag_update (StintTimeline *self, double dx, double dy, GtkGesture *drag)
{
  if (!gtk_drag_check_threshold (GTK_WIDGET (self), 0, 0, (int) dx, 0))
    return;
  gtk_gesture_set_state (drag, GTK_EVENT_SEQUENCE_CLAIMED);
  if (stint_time_scale_is_mirrored (self->scale))
    dx = -dx;
  stint_time_scale_set_from (
      self->scale, self->grabbed - (gint64) (dx * stint_time_scale_get_step (self->scale)));
}

static void
on_pinch_begin (StintTimeline *self)
{
  self->pinched = stint_time_scale_get_visible (self->scale);
}

static void
on_pinch (StintTimeline *self, double scale, GtkGesture *pinch)
{
  double x = stint_timeline_get_middle (self), y = 0;
  double now = (double) stint_time_scale_get_visible (self->scale);

  gtk_gesture_get_bounding_box_center (pinch, &x, &y);
  if (scale > 0)
    stint_time_scale_zoom (self->scale, (double) self->pinched / scale / now, x);
}

static void
add (StintTimeline *self, gpointer controller, const char *signal, GCallback callback)
{
  g_signal_connect_swapped (controller, signal, callback, self);
}

void
stint_timeline_add_controllers (StintTimeline *self)
{
  GtkEventController *motion = gtk_event_controller_motion_new ();
  GtkEventController *scroll =
      gtk_event_controller_scroll_new (GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES);
  GtkGesture *click = gtk_gesture_click_new ();
  GtkGesture *secondary = gtk_gesture_click_new ();
  GtkGesture *drag = gtk_gesture_drag_new ();
  GtkGesture *pinch = gtk_gesture_zoom_new ();
  GtkEventController *all[] = { motion,
                                scroll,
                                GTK_EVENT_CONTROLLER (click),
                                GTK_EVENT_CONTROLLER (secondary),
                                GTK_EVENT_CONTROLLER (drag),
                                GTK_EVENT_CONTROLLER (pinch) };

  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (secondary), GDK_BUTTON_SECONDARY);
  add (self, motion, "motion", G_CALLBACK (on_motion));
  add (self, scroll, "scroll", G_CALLBACK (on_scroll));
  add (self, click, "pressed", G_CALLBACK (on_pressed));
  add (self, secondary, "pressed", G_CALLBACK (on_secondary_pressed));
  add (self, drag, "drag-begin", G_CALLBACK (on_drag_begin));
  add (self, drag, "drag-update", G_CALLBACK (on_drag_update));
  add (self, pinch, "begin", G_CALLBACK (on_pinch_begin));
  add (self, pinch, "scale-changed", G_CALLBACK (on_pinch));
  for (guint i = 0; i < G_N_ELEMENTS (all); i++)
    gtk_widget_add_controller (GTK_WIDGET (self), all[i]);
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);
  g_signal_connect (self, "query-tooltip", G_CALLBACK (on_query_tooltip), NULL);
}
