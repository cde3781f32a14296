/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The sidebar: two places, the list of the jobs, what filters it, and what can be done with those that
 * are selected. Its menus are bound to jobs when they open. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-sidebar.h"

#include "stint-job-row.h"
#include "stint-job-text.h"
#include "stint-stack.h"

#include <glib/gi18n.h>

struct _StintSidebar
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkListBox *places;
  GtkListBoxRow *overview_row;
  GtkListBoxRow *history_row;
  GtkSearchBar *search_bar;
  GtkEditable *search_entry;
  GtkStack *stack;
  GtkLabel *empty_label;
  GtkWidget *scroller;
  GtkListView *list_view;
  GtkWidget *selected_box;
  GtkLabel *selected_label;

  /* Owned */
  StintJobBoard *board;
  GtkFilter *filter;
  GtkFilterListModel *shown; /* of StintJobEntry */
  GtkMultiSelection *selection;
  char **words;    /* (nullable): that the shown jobs have */
  GtkWidget *menu; /* (nullable): a child, the last that was opened */
  StintJobActions *menu_actions;
  StintJobActions *selected_actions;
  StintPlace place;
  gboolean activatable;
  gboolean selecting; /* by us, not by the user */
};

G_DEFINE_FINAL_TYPE (StintSidebar, stint_sidebar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_FILTERING,
  PROP_ACTIVATABLE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  PLACE_CHANGED,
  ACTIVATED,
  ACTIONS_MADE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static guint
get_n_shown (StintSidebar *self)
{
  return self->shown != NULL ? g_list_model_get_n_items (G_LIST_MODEL (self->shown)) : 0;
}

static guint
find_position (StintSidebar *self, StintJob *job)
{
  guint n_shown = get_n_shown (self);

  for (guint i = 0; i < n_shown; i++)
    {
      g_autoptr (StintJobEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->shown), i);

      if (stint_job_entry_get_job (entry) == job)
        return i;
    }
  return GTK_INVALID_LIST_POSITION;
}

/* As a person does, so that the list knows from where a range is selected. */
static void
select_position (StintSidebar *self, guint position)
{
  gtk_widget_activate_action (GTK_WIDGET (self->list_view), "list.select-item", "(ubb)", position,
                              FALSE, FALSE);
}

/* (transfer full) (element-type StintJob) */
static GPtrArray *
dup_selected (StintSidebar *self)
{
  GPtrArray *jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_autoptr (GtkBitset) selected = NULL;
  GtkBitsetIter iter;
  guint position;

  if (self->selection == NULL)
    return jobs;
  selected = gtk_selection_model_get_selection (GTK_SELECTION_MODEL (self->selection));
  if (!gtk_bitset_iter_init_first (&iter, selected, &position))
    return jobs;
  do
    {
      g_autoptr (StintJobEntry) entry =
          g_list_model_get_item (G_LIST_MODEL (self->shown), position);

      if (entry != NULL)
        g_ptr_array_add (jobs, g_object_ref (stint_job_entry_get_job (entry)));
    }
  while (gtk_bitset_iter_next (&iter, &position));
  return jobs;
}

/* The first of a section that is shown draws the section's title. */
static void
update_headings (StintSidebar *self)
{
  guint n_shown = get_n_shown (self);
  int before = -1;

  for (guint i = 0; i < n_shown; i++)
    {
      g_autoptr (StintJobEntry) entry = g_list_model_get_item (G_LIST_MODEL (self->shown), i);
      StintSection section = stint_job_entry_get_section (entry);

      stint_job_entry_set_heading (
          entry, (int) section != before ? stint_job_text_get_section (section) : NULL);
      before = (int) section;
    }
}

static void
update_empty (StintSidebar *self)
{
  gboolean filtered = self->words != NULL;

  gtk_label_set_label (self->empty_label, filtered ? _ ("No job like that") : _ ("No jobs"));
  stint_stack_show (self->stack,
                    get_n_shown (self) > 0 ? self->scroller : GTK_WIDGET (self->empty_label));
}

static void
update_selected (StintSidebar *self, GPtrArray *jobs)
{
  g_autofree char *text = NULL;

  gtk_widget_set_visible (self->selected_box, jobs->len > 1);
  g_clear_object (&self->selected_actions);
  if (jobs->len < 2)
    {
      gtk_widget_insert_action_group (GTK_WIDGET (self), "selected", NULL);
      return;
    }
  self->selected_actions = stint_job_actions_new (jobs);
  g_signal_emit (self, signals[ACTIONS_MADE], 0, self->selected_actions);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "selected",
                                  stint_job_actions_get_group (self->selected_actions));
  text = g_strdup_printf (ngettext ("%u job selected", "%u jobs selected", jobs->len), jobs->len);
  gtk_label_set_label (self->selected_label, text);
}

/* A selection tells of what is selected, not of what has gone. */
static void
check_selected (StintSidebar *self)
{
  g_autoptr (GPtrArray) jobs = dup_selected (self);
  GPtrArray *before =
      self->selected_actions != NULL ? stint_job_actions_get_jobs (self->selected_actions) : NULL;
  gboolean same = before != NULL ? before->len == jobs->len : jobs->len < 2;

  for (guint i = 0; same && before != NULL && i < jobs->len; i++)
    same = jobs->pdata[i] == before->pdata[i];
  if (!same)
    update_selected (self, jobs);
}

static void
on_items_changed (StintSidebar *self)
{
  update_headings (self);
  update_empty (self);
  check_selected (self);
}

static void
set_place (StintSidebar *self, StintPlace place)
{
  self->place = place;
  g_signal_emit (self, signals[PLACE_CHANGED], 0);
}

static void
on_selection_changed (StintSidebar *self)
{
  g_autoptr (GPtrArray) jobs = dup_selected (self);

  update_selected (self, jobs);
  if (self->selecting || jobs->len == 0)
    return;
  self->selecting = TRUE;
  gtk_list_box_unselect_all (self->places);
  self->selecting = FALSE;
  set_place (self, STINT_PLACE_JOB);
}

static void
on_place_selected (StintSidebar *self, GtkListBoxRow *row)
{
  if (self->selecting || row == NULL)
    return;
  self->selecting = TRUE;
  if (self->selection != NULL)
    gtk_selection_model_unselect_all (GTK_SELECTION_MODEL (self->selection));
  self->selecting = FALSE;
  set_place (self, row == self->overview_row ? STINT_PLACE_OVERVIEW : STINT_PLACE_HISTORY);
}

static void
on_place_activated (StintSidebar *self)
{
  g_signal_emit (self, signals[ACTIVATED], 0);
}

static void
on_row_activated (StintSidebar *self, guint position)
{
  select_position (self, position);
  g_signal_emit (self, signals[ACTIVATED], 0);
}

static gboolean
is_shown (gpointer item, gpointer user_data)
{
  StintSidebar *self = user_data;

  return stint_job_entry_matches (item, (const char *const *) self->words);
}

static void
on_filter_changed (StintSidebar *self)
{
  const char *text = gtk_editable_get_text (self->search_entry);

  g_clear_pointer (&self->words, g_strfreev);
  if (*text != '\0')
    self->words = stint_job_entry_fold (text);
  if (self->filter != NULL)
    gtk_filter_changed (self->filter, GTK_FILTER_CHANGE_DIFFERENT);
  update_headings (self);
  update_empty (self);
}

/* From the entry to the first job that is left. */
static void
on_filter_activate (StintSidebar *self)
{
  /* The entry tells of what was typed a moment later. */
  on_filter_changed (self);
  if (get_n_shown (self) == 0)
    return;
  select_position (self, 0);
  stint_sidebar_focus (self);
}

/* (transfer full): those of a menu that is opened on a job: all that are selected, if it is one of them. */
static GPtrArray *
dup_menu_jobs (StintSidebar *self, StintJob *job)
{
  g_autoptr (GPtrArray) selected = dup_selected (self);
  GPtrArray *jobs;

  if (selected->len > 1 && g_ptr_array_find (selected, job, NULL))
    return g_steal_pointer (&selected);
  jobs = g_ptr_array_new_with_free_func (g_object_unref);
  g_ptr_array_add (jobs, g_object_ref (job));
  return jobs;
}

static StintJobRow *
get_row (GtkWidget *widget)
{
  if (widget == NULL)
    return NULL;
  if (!STINT_IS_JOB_ROW (widget))
    {
      GtkWidget *row = gtk_widget_get_ancestor (widget, STINT_TYPE_JOB_ROW);

      /* The focus is the item's around it. */
      widget = row != NULL ? row : gtk_widget_get_first_child (widget);
    }
  return STINT_IS_JOB_ROW (widget) ? STINT_JOB_ROW (widget) : NULL;
}

static void
drop_menu (StintSidebar *self)
{
  g_clear_pointer (&self->menu, gtk_widget_unparent);
}

static void
open_menu (StintSidebar *self, StintJobRow *row, double x, double y)
{
  StintJob *job = stint_job_row_get_job (row);
  g_autoptr (GPtrArray) jobs = NULL;
  g_autoptr (StintJobActions) actions = NULL;
  g_autoptr (GMenuModel) model = NULL;

  if (job == NULL)
    return;
  jobs = dup_menu_jobs (self, job);
  actions = stint_job_actions_new (jobs);
  g_signal_emit (self, signals[ACTIONS_MADE], 0, actions);
  model = stint_job_actions_dup_menu (actions);

  /* One that has closed has still to be there for its action. */
  drop_menu (self);
  self->menu = gtk_popover_menu_new_from_model (model);
  gtk_widget_set_parent (self->menu, GTK_WIDGET (self));
  gtk_widget_insert_action_group (self->menu, "job", stint_job_actions_get_group (actions));
  g_set_object (&self->menu_actions, actions);
  gtk_popover_set_has_arrow (GTK_POPOVER (self->menu), FALSE);
  gtk_widget_set_halign (self->menu, GTK_ALIGN_START);
  gtk_popover_set_pointing_to (GTK_POPOVER (self->menu), &(GdkRectangle){ (int) x, (int) y, 1, 1 });
  gtk_popover_popup (GTK_POPOVER (self->menu));
}

static void
open_menu_at (StintSidebar *self, double x, double y)
{
  GtkWidget *list = GTK_WIDGET (self->list_view);
  StintJobRow *row = get_row (gtk_widget_pick (list, x, y, GTK_PICK_DEFAULT));

  if (row == NULL)
    return;
  gtk_widget_translate_coordinates (list, GTK_WIDGET (self), x, y, &x, &y);
  open_menu (self, row, x, y);
}

static void
on_secondary_pressed (StintSidebar *self, int n_press, double x, double y)
{
  open_menu_at (self, x, y);
}

static void
on_long_pressed (StintSidebar *self, double x, double y)
{
  open_menu_at (self, x, y);
}

static StintJobRow *
get_focused_row (StintSidebar *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list_view)))
    return NULL;
  return get_row (focus);
}

static void
menu_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintSidebar *self = STINT_SIDEBAR (widget);
  StintJobRow *row = get_focused_row (self);
  double x, y;

  if (row == NULL)
    return;
  gtk_widget_translate_coordinates (GTK_WIDGET (row), widget, 24,
                                    gtk_widget_get_height (GTK_WIDGET (row)), &x, &y);
  open_menu (self, row, x, y);
}

static void
dismiss_action (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  StintSidebar *self = STINT_SIDEBAR (widget);
  g_autoptr (GPtrArray) jobs = dup_selected (self);
  g_autoptr (StintJobActions) actions = NULL;

  if (jobs->len == 0)
    return;
  actions = stint_job_actions_new (jobs);
  g_signal_emit (self, signals[ACTIONS_MADE], 0, actions);
  g_action_group_activate_action (stint_job_actions_get_group (actions), "dismiss", NULL);
}

/* GtkListView would give the focus to itself: it does not know what was selected by us. */
static gboolean
focus_row_of (StintSidebar *self, StintJob *job)
{
  for (GtkWidget *item = gtk_widget_get_first_child (GTK_WIDGET (self->list_view)); item != NULL;
       item = gtk_widget_get_next_sibling (item))
    {
      StintJobRow *row = get_row (item);

      if (row != NULL && stint_job_row_get_job (row) == job && gtk_widget_grab_focus (item))
        return TRUE;
    }
  return FALSE;
}

/* As in a tree: from a part to what it is part of. */
static gboolean
go_above (StintSidebar *self, StintJobRow *row)
{
  StintJobEntry *entry = stint_job_row_get_entry (row);
  StintJobEntry *above = entry != NULL ? stint_job_entry_get_above (entry) : NULL;

  if (above == NULL || !stint_sidebar_select_job (self, stint_job_entry_get_job (above)))
    return GDK_EVENT_PROPAGATE;
  focus_row_of (self, stint_job_entry_get_job (above));
  return GDK_EVENT_STOP;
}

/* From the first row up to the places: a list view goes nowhere from there. */
static gboolean
on_key_pressed (StintSidebar *self, guint key, guint code, GdkModifierType state)
{
  gboolean rtl = gtk_widget_get_direction (GTK_WIDGET (self)) == GTK_TEXT_DIR_RTL;
  StintJobRow *row = get_focused_row (self);

  if (row != NULL && key == (rtl ? GDK_KEY_Right : GDK_KEY_Left) &&
      (state & gtk_accelerator_get_default_mod_mask ()) == 0)
    return go_above (self, row);
  if (key != GDK_KEY_Up || row == NULL || find_position (self, stint_job_row_get_job (row)) != 0)
    return GDK_EVENT_PROPAGATE;
  return gtk_widget_grab_focus (GTK_WIDGET (self->history_row)) ? GDK_EVENT_STOP
                                                                : GDK_EVENT_PROPAGATE;
}

static void
stint_sidebar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintSidebar *self = STINT_SIDEBAR (object);

  if (prop_id == PROP_FILTERING)
    g_value_set_boolean (value, gtk_search_bar_get_search_mode (self->search_bar));
  else if (prop_id == PROP_ACTIVATABLE)
    g_value_set_boolean (value, self->activatable);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_sidebar_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintSidebar *self = STINT_SIDEBAR (object);

  if (prop_id == PROP_FILTERING)
    gtk_search_bar_set_search_mode (self->search_bar, g_value_get_boolean (value));
  else if (prop_id == PROP_ACTIVATABLE)
    {
      self->activatable = g_value_get_boolean (value);
      g_object_notify_by_pspec (object, pspec);
    }
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
on_search_mode (StintSidebar *self)
{
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_FILTERING]);
}

static void
stint_sidebar_dispose (GObject *object)
{
  StintSidebar *self = STINT_SIDEBAR (object);
  GtkWidget *child;

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  self->menu = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->menu_actions);
  g_clear_object (&self->selected_actions);
  g_clear_object (&self->selection);
  g_clear_object (&self->shown);
  g_clear_object (&self->filter);
  g_clear_object (&self->board);
  g_clear_pointer (&self->words, g_strfreev);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_SIDEBAR);

  G_OBJECT_CLASS (stint_sidebar_parent_class)->dispose (object);
}

static void
stint_sidebar_class_init (StintSidebarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = stint_sidebar_get_property;
  object_class->set_property = stint_sidebar_set_property;
  object_class->dispose = stint_sidebar_dispose;

  properties[PROP_FILTERING] =
      g_param_spec_boolean ("filtering", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_ACTIVATABLE] =
      g_param_spec_boolean ("activatable", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[PLACE_CHANGED] =
      g_signal_new ("place-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIVATED] =
      g_signal_new ("activated", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIONS_MADE] = g_signal_new ("actions-made", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                        NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_ACTIONS);

  g_type_ensure (STINT_TYPE_JOB_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, places);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, overview_row);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, history_row);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, search_bar);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, search_entry);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, stack);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, empty_label);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, scroller);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, list_view);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, selected_box);
  gtk_widget_class_bind_template_child (widget_class, StintSidebar, selected_label);
  gtk_widget_class_bind_template_callback (widget_class, on_place_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_place_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_filter_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_bind_template_callback (widget_class, on_secondary_pressed);
  gtk_widget_class_bind_template_callback (widget_class, on_long_pressed);
  gtk_widget_class_bind_template_callback (widget_class, on_key_pressed);

  gtk_widget_class_install_action (widget_class, "sidebar.menu", NULL, menu_action);
  gtk_widget_class_install_action (widget_class, "sidebar.dismiss", NULL, dismiss_action);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_F10, GDK_SHIFT_MASK, "sidebar.menu",
                                       NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Menu, 0, "sidebar.menu", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Delete, 0, "sidebar.dismiss", NULL);
  gtk_widget_class_set_css_name (widget_class, "sidebar");
}

static void
stint_sidebar_init (StintSidebar *self)
{
  g_autoptr (GSimpleActionGroup) none = g_simple_action_group_new ();

  /* See stint-job-page.c. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "selected", G_ACTION_GROUP (none));
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_search_bar_connect_entry (self->search_bar, self->search_entry);
  g_signal_connect_swapped (self->search_bar, "notify::search-mode-enabled",
                            G_CALLBACK (on_search_mode), self);
}

void
stint_sidebar_set_board (StintSidebar *self, StintJobBoard *board)
{
  g_return_if_fail (STINT_IS_SIDEBAR (self));
  g_return_if_fail (STINT_IS_JOB_BOARD (board));
  g_return_if_fail (self->selection == NULL);

  self->board = g_object_ref (board);
  self->filter = GTK_FILTER (gtk_custom_filter_new (is_shown, self, NULL));
  self->shown =
      gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (board)), g_object_ref (self->filter));
  self->selection = gtk_multi_selection_new (g_object_ref (G_LIST_MODEL (self->shown)));
  /* It has heard of the change itself. */
  g_signal_connect_swapped (self->selection, "items-changed", G_CALLBACK (on_items_changed), self);
  g_signal_connect_swapped (self->selection, "selection-changed", G_CALLBACK (on_selection_changed),
                            self);
  gtk_list_view_set_model (self->list_view, GTK_SELECTION_MODEL (self->selection));
  on_items_changed (self);
}

StintPlace
stint_sidebar_get_place (StintSidebar *self)
{
  g_return_val_if_fail (STINT_IS_SIDEBAR (self), STINT_PLACE_OVERVIEW);

  return self->place;
}

void
stint_sidebar_select_place (StintSidebar *self, StintPlace place)
{
  g_return_if_fail (STINT_IS_SIDEBAR (self));
  g_return_if_fail (place != STINT_PLACE_JOB);

  gtk_list_box_select_row (self->places,
                           place == STINT_PLACE_OVERVIEW ? self->overview_row : self->history_row);
}

StintJob *
stint_sidebar_get_job (StintSidebar *self)
{
  g_autoptr (GPtrArray) jobs = NULL;

  g_return_val_if_fail (STINT_IS_SIDEBAR (self), NULL);

  jobs = dup_selected (self);
  return jobs->len == 1 ? jobs->pdata[0] : NULL;
}

gboolean
stint_sidebar_select_job (StintSidebar *self, StintJob *job)
{
  guint position;

  g_return_val_if_fail (STINT_IS_SIDEBAR (self), FALSE);
  g_return_val_if_fail (STINT_IS_JOB (job), FALSE);

  position = find_position (self, job);
  if (position == GTK_INVALID_LIST_POSITION && self->words != NULL)
    {
      gtk_search_bar_set_search_mode (self->search_bar, FALSE);
      gtk_editable_set_text (self->search_entry, "");
      on_filter_changed (self);
      position = find_position (self, job);
    }
  if (position == GTK_INVALID_LIST_POSITION)
    return FALSE;
  select_position (self, position);
  gtk_widget_activate_action (GTK_WIDGET (self->list_view), "list.scroll-to-item", "u", position);
  return TRUE;
}

gboolean
stint_sidebar_dismiss (StintSidebar *self, StintJob *job)
{
  gboolean selected, focused;
  guint position, n_shown;

  g_return_val_if_fail (STINT_IS_SIDEBAR (self), FALSE);
  g_return_val_if_fail (STINT_IS_JOB (job), FALSE);

  position = find_position (self, job);
  selected = stint_sidebar_get_job (self) == job;
  focused = get_focused_row (self) != NULL;
  if (!stint_job_board_dismiss (self->board, job))
    return FALSE;
  n_shown = get_n_shown (self);
  if (selected && n_shown > 0)
    select_position (self, MIN (position, n_shown - 1));
  else if (selected || n_shown == 0)
    stint_sidebar_select_place (self, STINT_PLACE_OVERVIEW);
  if (focused)
    stint_sidebar_focus (self);
  return TRUE;
}

void
stint_sidebar_focus (StintSidebar *self)
{
  StintJob *job;

  g_return_if_fail (STINT_IS_SIDEBAR (self));

  job = stint_sidebar_get_job (self);
  if (job != NULL && focus_row_of (self, job))
    return;
  if (self->place == STINT_PLACE_JOB && gtk_widget_grab_focus (GTK_WIDGET (self->list_view)))
    return;
  gtk_widget_grab_focus (
      GTK_WIDGET (self->place == STINT_PLACE_HISTORY ? self->history_row : self->overview_row));
}
