/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two faces of one list, and which of them there is room for. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-view.h"

/* From here on the columns that are shown unless set otherwise have room. Application pixels. */
#define WIDE 660

/* Where a row is looked for that stands at the top: below its upper edge. */
#define TOP 3

struct _StintHistoryView
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkWidget *scroller;
  GtkListView *list_view;
  StintHistoryColumns *columns;

  /* Owned */
  StintHistoryList *list; /* (nullable) */
  gboolean wide;
  guint change_source;
  guint place; /* what is to stand at the top, once it can be scrolled */
  guint focus; /* what is to have the focus then */
  guint place_tick;
};

G_DEFINE_FINAL_TYPE (StintHistoryView, stint_history_view, GTK_TYPE_WIDGET)

static guint open_signal, sort_signal;

/* The widget that has the rows. */
static GtkWidget *
get_rows (StintHistoryView *self)
{
  return self->wide ? stint_history_columns_get_list (self->columns) : GTK_WIDGET (self->list_view);
}

/* (transfer none) (nullable): the one in @row, which is a list item's. */
static StintHistoryRow *
find_row (GtkWidget *widget)
{
  if (STINT_IS_HISTORY_ROW (widget))
    return STINT_HISTORY_ROW (widget);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      StintHistoryRow *found = find_row (child);

      if (found != NULL)
        return found;
    }
  return NULL;
}

/* (transfer none) (nullable): that of the list item that @widget is in, or is. */
static StintHistoryRow *
find_row_around (StintHistoryView *self, GtkWidget *widget)
{
  while (widget != NULL && gtk_widget_get_parent (widget) != get_rows (self))
    widget = gtk_widget_get_parent (widget);
  return widget != NULL ? find_row (widget) : NULL;
}

static GtkWidget *
get_focus (StintHistoryView *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  return root != NULL ? gtk_root_get_focus (root) : NULL;
}

static StintHistoryRow *
get_focus_row (StintHistoryView *self)
{
  GtkWidget *focus = get_focus (self);

  return focus != NULL ? find_row_around (self, focus) : NULL;
}

static guint
find_position (StintHistoryView *self, StintHistoryRow *row)
{
  g_autoptr (GObject) item = NULL;

  g_object_get (row, "item", &item, NULL);
  if (item != NULL && GTK_IS_TREE_LIST_ROW (item))
    return gtk_tree_list_row_get_position (GTK_TREE_LIST_ROW (item));
  if (item != NULL && STINT_IS_HISTORY_ITEM (item))
    return stint_history_list_find (self->list,
                                    stint_history_item_get_id (STINT_HISTORY_ITEM (item)));
  return GTK_INVALID_LIST_POSITION;
}

/* Where the keyboard is, or GTK_INVALID_LIST_POSITION. When the row that had the focus goes, GTK 4.8 can
 * leave it to the list: what is selected is where it was. */
static guint
get_focus_position (StintHistoryView *self)
{
  StintHistoryRow *row = get_focus_row (self);

  if (row != NULL)
    return find_position (self, row);
  return get_focus (self) == get_rows (self) ? stint_history_list_get_selected (self->list)
                                             : GTK_INVALID_LIST_POSITION;
}

/* A row that was far out of view has no widget yet: then GTK has the focus where it was. */
static void
go_to_row (StintHistoryView *self, guint position)
{
  GtkWidget *rows = get_rows (self);
  g_autoptr (GObject) wanted = g_list_model_get_item (G_LIST_MODEL (self->list), position);

  gtk_widget_activate_action (rows, "list.scroll-to-item", "u", position);
  for (GtkWidget *child = gtk_widget_get_first_child (rows); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    {
      StintHistoryRow *row = find_row (child);
      g_autoptr (GObject) item = NULL;

      if (row != NULL)
        g_object_get (row, "item", &item, NULL);
      if (item != NULL && item == wanted)
        {
          gtk_widget_grab_focus (child);
          return;
        }
    }
}

/* ---- What the user does ---- */

static void
on_activate (StintHistoryView *self, guint position)
{
  g_autoptr (GObject) item = g_list_model_get_item (G_LIST_MODEL (self->list), position);
  g_autoptr (StintHistoryItem) job = stint_history_list_dup_job (item);

  if (job != NULL)
    g_signal_emit (self, open_signal, 0, stint_history_item_get_id (job));
  else if (!stint_history_list_fold (self->list, position))
    stint_history_list_unfold (self->list, position);
}

static void
on_sort (StintHistoryView *self, const char *nick)
{
  g_signal_emit (self, sort_signal, 0, nick);
}

/* Before the list takes them, for which they do nothing. In a row's menu they are the menu's. */
static gboolean
on_key (StintHistoryView *self, guint keyval, guint keycode, GdkModifierType state)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  GtkWidget *focus = get_focus (self);
  guint position;

  if (focus == NULL || gtk_widget_get_native (focus) != gtk_widget_get_native (GTK_WIDGET (self)))
    return GDK_EVENT_PROPAGATE;
  if ((keyval != GDK_KEY_Left && keyval != GDK_KEY_Right && keyval != GDK_KEY_Up) ||
      self->list == NULL || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  position = get_focus_position (self);
  if (keyval == GDK_KEY_Up)
    return self->wide && position == 0 && stint_history_columns_focus_titles (self->columns);
  if (position == GTK_INVALID_LIST_POSITION)
    return GDK_EVENT_PROPAGATE;
  if ((keyval == GDK_KEY_Right) != rtl)
    {
      go_to_row (self, position);
      return stint_history_list_unfold (self->list, position);
    }
  position = stint_history_list_get_group (self->list, position);
  if (position == GTK_INVALID_LIST_POSITION)
    return GDK_EVENT_PROPAGATE;
  /* Its own row has the focus then, and before: the row that had it may be gone. */
  go_to_row (self, position);
  return stint_history_list_fold (self->list, position);
}

/* In a cell beside that with the menu, which does so itself. */
static void
on_secondary_click (GtkGestureClick *gesture, int n_press, double x, double y, StintHistoryView *self)
{
  GtkWidget *widget = gtk_widget_pick (GTK_WIDGET (self), x, y, GTK_PICK_DEFAULT);
  StintHistoryRow *row = widget != NULL ? find_row_around (self, widget) : NULL;

  if (row != NULL && gtk_widget_get_ancestor (widget, STINT_TYPE_HISTORY_ROW) == NULL)
    stint_history_row_popup (row);
}

StintHistoryRow *
stint_history_view_get_focused (StintHistoryView *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_VIEW (self), NULL);

  return get_focus_row (self);
}

void
stint_history_view_leave_row (StintHistoryView *self, StintHistoryRow *row)
{
  GtkWidget *left = stint_history_row_get_list_row (row);

  g_return_if_fail (STINT_IS_HISTORY_VIEW (self));

  for (guint back = 0; back < 2; back++)
    for (GtkWidget *other = left; other != NULL;
         other = back ? gtk_widget_get_prev_sibling (other) : gtk_widget_get_next_sibling (other))
      {
        StintHistoryRow *found = other != left ? find_row (other) : NULL;

        if (found != NULL && stint_history_row_get_item (found) != NULL &&
            gtk_widget_get_mapped (other) && gtk_widget_grab_focus (other))
          return;
      }
}

/* ---- Wide and narrow ---- */

static GtkAdjustment *
get_adjustment (StintHistoryView *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_rows (self)));
}

/* The position of the row that stands at the top, or GTK_INVALID_LIST_POSITION. */
static guint
get_place (StintHistoryView *self)
{
  GtkWidget *rows = get_rows (self);
  GtkWidget *widget = gtk_widget_pick (rows, TOP, TOP, GTK_PICK_DEFAULT);
  StintHistoryRow *row = widget != NULL ? find_row_around (self, widget) : NULL;

  if (self->list == NULL || row == NULL || gtk_adjustment_get_value (get_adjustment (self)) <= 0)
    return GTK_INVALID_LIST_POSITION;
  return find_position (self, row);
}

/* A list that has just been shown has no heights to scroll by before it was laid out. */
static gboolean
restore_place (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StintHistoryView *self = STINT_HISTORY_VIEW (widget);

  if (gtk_widget_get_height (get_rows (self)) == 0)
    return G_SOURCE_CONTINUE;
  self->place_tick = 0;
  if (self->focus != GTK_INVALID_LIST_POSITION)
    go_to_row (self, self->focus);
  if (self->place != GTK_INVALID_LIST_POSITION)
    gtk_widget_activate_action (get_rows (self), "list.scroll-to-item", "u", self->place);
  return G_SOURCE_REMOVE;
}

/* Only what is seen has the model: each would make rows of its own. */
static void
show_face (StintHistoryView *self)
{
  GtkSelectionModel *list = self->list != NULL ? GTK_SELECTION_MODEL (self->list) : NULL;

  gtk_widget_set_child_visible (self->scroller, !self->wide);
  gtk_widget_set_child_visible (GTK_WIDGET (self->columns), self->wide);
  gtk_list_view_set_model (self->list_view, self->wide ? NULL : list);
  stint_history_columns_set_model (self->columns, self->wide ? list : NULL);
}

static gboolean
change_face (gpointer user_data)
{
  StintHistoryView *self = user_data;
  gboolean focused = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;

  self->change_source = 0;
  if (self->wide == (gtk_widget_get_width (GTK_WIDGET (self)) >= WIDE))
    return G_SOURCE_REMOVE;
  self->place = get_place (self);
  self->focus = self->list != NULL ? get_focus_position (self) : GTK_INVALID_LIST_POSITION;
  self->wide = !self->wide;
  show_face (self);
  gtk_widget_queue_resize (GTK_WIDGET (self));
  if (focused)
    gtk_widget_grab_focus (GTK_WIDGET (self));
  if (self->place_tick == 0)
    self->place_tick = gtk_widget_add_tick_callback (GTK_WIDGET (self), restore_place, NULL, NULL);
  return G_SOURCE_REMOVE;
}

static GtkWidget *
get_face (StintHistoryView *self)
{
  return self->wide ? GTK_WIDGET (self->columns) : self->scroller;
}

/* No wider at least than the list is: a window with columns can be made narrow. */
static void
stint_history_view_measure (GtkWidget *widget,
                            GtkOrientation orientation,
                            int for_size,
                            int *minimum,
                            int *natural,
                            int *minimum_baseline,
                            int *natural_baseline)
{
  StintHistoryView *self = STINT_HISTORY_VIEW (widget);
  int other;

  gtk_widget_measure (self->scroller, orientation, for_size, minimum, natural, NULL, NULL);
  if (orientation == GTK_ORIENTATION_HORIZONTAL)
    return;
  gtk_widget_measure (get_face (self), orientation, for_size, &other, NULL, NULL, NULL);
  *minimum = MAX (*minimum, other);
  *natural = MAX (*natural, *minimum);
}

static void
stint_history_view_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StintHistoryView *self = STINT_HISTORY_VIEW (widget);
  int minimum;

  /* Not now: rows are made and measured for it. */
  if (self->wide != (width >= WIDE) && self->change_source == 0)
    self->change_source = g_idle_add_full (GDK_PRIORITY_REDRAW - 10, change_face, self, NULL);
  gtk_widget_measure (get_face (self), GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  gtk_widget_allocate (get_face (self), MAX (width, minimum), height, baseline, NULL);
}

static gboolean
stint_history_view_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (get_rows (STINT_HISTORY_VIEW (widget)));
}

/* ---- The model ---- */

/* A list keeps the row that is at its top there. Who looks at the top looks for what is new. */
static void
on_items_changed (StintHistoryView *self, guint position, guint n_removed, guint n_added)
{
  if (position == 0 && n_added > 0 && gtk_adjustment_get_value (get_adjustment (self)) <= 0)
    gtk_widget_activate_action (get_rows (self), "list.scroll-to-item", "u", 0);
}

static void
stint_history_view_dispose (GObject *object)
{
  StintHistoryView *self = STINT_HISTORY_VIEW (object);
  GtkWidget *child;

  g_clear_handle_id (&self->change_source, g_source_remove);
  if (self->place_tick != 0)
    gtk_widget_remove_tick_callback (GTK_WIDGET (self), self->place_tick);
  self->place_tick = 0;
  if (self->list != NULL)
    g_signal_handlers_disconnect_by_data (self->list, self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->list);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_HISTORY_VIEW);

  G_OBJECT_CLASS (stint_history_view_parent_class)->dispose (object);
}

static void
stint_history_view_class_init (StintHistoryViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_history_view_dispose;
  widget_class->measure = stint_history_view_measure;
  widget_class->size_allocate = stint_history_view_size_allocate;
  widget_class->grab_focus = stint_history_view_grab_focus;

  open_signal = g_signal_new ("open", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  sort_signal = g_signal_new ("sort", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_STRING);

  g_type_ensure (STINT_TYPE_HISTORY_ROW);
  g_type_ensure (STINT_TYPE_HISTORY_COLUMNS);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-view.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryView, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryView, list_view);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryView, columns);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_sort);
  gtk_widget_class_set_css_name (widget_class, "historyview");
}

static void
stint_history_view_init (StintHistoryView *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect (click, "pressed", G_CALLBACK (on_secondary_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
  show_face (self);
}

void
stint_history_view_set_model (StintHistoryView *self, StintHistoryModel *model)
{
  g_return_if_fail (STINT_IS_HISTORY_VIEW (self));
  g_return_if_fail (self->list == NULL);

  self->list = stint_history_list_new (model);
  show_face (self);
  /* After the view that is shown, whichever has connected last: it cannot scroll before. */
  g_signal_connect_data (self->list, "items-changed", G_CALLBACK (on_items_changed), self, NULL,
                         G_CONNECT_SWAPPED | G_CONNECT_AFTER);
}

void
stint_history_view_set_sort (StintHistoryView *self, const char *nick)
{
  g_return_if_fail (STINT_IS_HISTORY_VIEW (self));

  stint_history_columns_set_sort (self->columns, nick);
}

StintHistoryColumns *
stint_history_view_get_columns (StintHistoryView *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_VIEW (self), NULL);

  return self->columns;
}
