/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the history. It binds and draws; what it shows is read by the model, a moment later. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-row.h"

#include "stint-history-list.h"
#include "stint-history-menu.h"
#include "stint-history-text.h"
#include "stint-row-hover.h"

#include <glib/gi18n.h>

#define TITLE_CHARS 200

/* Of columns: else the longest title in view would push the others aside. A day has room. */
#define TITLE_WIDTH_CHARS 20
#define GROUP_WIDTH_CHARS 24

struct _StintHistoryRow
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkTreeExpander *expander;
  GtkLabel *group_label;
  GtkLabel *count_label;
  GtkLabel *failures_label;
  GtkWidget *job_box;
  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *facts_label;
  GtkLabel *line_label;
  GtkWidget *pin_icon;
  GtkMenuButton *menu_button;

  /* Owned */
  GObject *item;          /* (nullable): as it was given */
  StintJobGroup *group;   /* (nullable): it is a job */
  StintHistoryItem *job;  /* (nullable): of a group, one of its jobs */
  gboolean in_columns;
  const char *style;
};

G_DEFINE_FINAL_TYPE (StintHistoryRow, stint_history_row, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_ITEM,
  PROP_IN_COLUMNS,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static void
update_line (StintHistoryRow *self)
{
  const StintSnippet *snippet =
    self->job != NULL ? stint_history_item_get_snippet (self->job) : NULL;
  g_autoptr (PangoAttrList) marks = NULL;

  gtk_widget_set_visible (GTK_WIDGET (self->line_label), snippet != NULL);
  if (snippet == NULL)
    return;
  marks = pango_attr_list_new ();
  for (guint i = 0; i < 2; i++)
    {
      PangoAttribute *mark = i == 0 ? pango_attr_weight_new (PANGO_WEIGHT_BOLD)
                                    : pango_attr_underline_new (PANGO_UNDERLINE_SINGLE);

      mark->start_index = (guint) snippet->start;
      mark->end_index = (guint) snippet->end;
      pango_attr_list_insert (marks, mark);
    }
  gtk_label_set_label (self->line_label, snippet->text);
  gtk_label_set_attributes (self->line_label, marks);
}

static void
set_style (StintHistoryRow *self, const char *style)
{
  if (self->style != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), self->style);
  self->style = style;
  if (style != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->icon), style);
}

GtkWidget *
stint_history_row_get_list_row (StintHistoryRow *self)
{
  GtkWidget *row;

  g_return_val_if_fail (STINT_IS_HISTORY_ROW (self), NULL);

  row = gtk_widget_get_parent (GTK_WIDGET (self));
  return row != NULL && self->in_columns ? gtk_widget_get_parent (row) : row;
}

/* The list item around it is what a screen reader says. Until a row has been read it is nobody's: it may
 * have been another's. */
static void
update_accessible (StintHistoryRow *self, const char *label, const char *description)
{
  GtkWidget *row = stint_history_row_get_list_row (self);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (row == NULL || !GTK_IS_ACCESSIBLE (row))
    return;
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
  if (self->group != NULL)
    gtk_accessible_update_state (
        GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED,
        gtk_tree_list_row_get_expanded (GTK_TREE_LIST_ROW (self->item)), -1);
  else
    gtk_accessible_reset_state (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_STATE_EXPANDED);
}

static void
update_group (StintHistoryRow *self, const StintEntry *entry, GDateTime *now)
{
  g_autofree char *title =
    entry != NULL ? stint_history_text_dup_group (stint_job_group_get_kind (self->group), entry, now)
                  : g_strdup (" ");
  g_autofree char *count = stint_history_text_dup_count (self->group);
  g_autofree char *failures = stint_history_text_dup_failures (self->group);
  g_autofree char *name = g_strjoin (", ", title, *count != '\0' ? count : failures,
                                     *count != '\0' && *failures != '\0' ? failures : NULL, NULL);

  gtk_label_set_label (self->group_label, title);
  gtk_label_set_label (self->count_label, count);
  gtk_label_set_label (self->failures_label, failures);
  /* A column says it. */
  gtk_widget_set_visible (GTK_WIDGET (self->failures_label), *failures != '\0' && !self->in_columns);
  update_accessible (self, entry != NULL ? name : _ ("Reading…"), "");
}

static void
update_job (StintHistoryRow *self, const StintEntry *entry, GDateTime *now)
{
  g_autofree char *title = entry != NULL ? stint_entry_dup_title (entry, TITLE_CHARS) : NULL;
  g_autofree char *facts = entry != NULL ? stint_history_text_dup_facts (entry, now) : NULL;
  g_autofree char *outcome = NULL;
  g_autofree char *label = NULL;

  /* A row that has not been read yet is as high as one that has. */
  gtk_label_set_label (self->title_label, title != NULL && *title != '\0' ? title : " ");
  gtk_label_set_label (self->facts_label, facts != NULL ? facts : " ");
  gtk_image_set_from_icon_name (self->icon,
                                entry != NULL ? stint_history_text_get_icon (entry) : NULL);
  set_style (self, entry != NULL ? stint_history_text_get_style (entry) : NULL);
  gtk_widget_set_visible (self->pin_icon, entry != NULL && entry->pinned);
  gtk_widget_set_sensitive (GTK_WIDGET (self->menu_button), entry != NULL);
  update_line (self);
  outcome = entry != NULL ? stint_history_text_dup_outcome (entry) : NULL;
  /* Translators: a job's name and state, for screen readers. */
  label = entry != NULL ? g_strdup_printf (_ ("%s, %s"), title, outcome) : g_strdup (_ ("Reading…"));
  update_accessible (self, label, facts != NULL ? facts : "");
}

static void
update (StintHistoryRow *self)
{
  const StintEntry *entry = self->job != NULL ? stint_history_item_get_entry (self->job) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();

  gtk_widget_set_visible (GTK_WIDGET (self->expander), self->group != NULL);
  gtk_widget_set_visible (self->job_box, self->group == NULL);
  if (self->group != NULL)
    update_group (self, entry, now);
  else
    update_job (self, entry, now);
}

/* Made when it is opened: of a million rows few are. */
static void
make_menu (GtkMenuButton *button, gpointer user_data)
{
  StintHistoryRow *self = user_data;
  const StintEntry *entry = self->job != NULL ? stint_history_item_get_entry (self->job) : NULL;
  g_autoptr (GMenuModel) menu = entry != NULL ? stint_history_menu_new (entry) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

StintHistoryItem *
stint_history_row_get_item (StintHistoryRow *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ROW (self), NULL);

  return self->group == NULL ? self->job : NULL;
}

gboolean
stint_history_row_popup (StintHistoryRow *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ROW (self), FALSE);

  if (self->group != NULL)
    return FALSE;
  gtk_menu_button_popup (self->menu_button);
  return TRUE;
}

static void
on_secondary_click (StintHistoryRow *self)
{
  stint_history_row_popup (self);
}

static void
take_job (StintHistoryRow *self, StintHistoryItem *job)
{
  g_autoptr (StintHistoryItem) old = self->job;

  if (old != NULL)
    g_signal_handlers_disconnect_by_data (old, self);
  self->job = job;
  if (job != NULL)
    g_signal_connect_swapped (job, "changed", G_CALLBACK (update), self);
}

static void
on_group_changed (StintHistoryRow *self)
{
  take_job (self, stint_job_group_dup_item (self->group, 0));
  update (self);
}

static void
drop_item (StintHistoryRow *self)
{
  take_job (self, NULL);
  if (self->group != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->group, self);
      g_signal_handlers_disconnect_by_data (self->item, self);
      gtk_tree_expander_set_list_row (self->expander, NULL);
    }
  g_clear_object (&self->group);
  g_clear_object (&self->item);
}

static void
set_item (StintHistoryRow *self, GObject *item)
{
  if (self->item == item)
    return;
  drop_item (self);
  self->item = item != NULL ? g_object_ref (item) : NULL;
  self->group = stint_history_list_dup_group (item);
  if (self->group != NULL)
    {
      take_job (self, stint_job_group_dup_item (self->group, 0));
      gtk_tree_expander_set_list_row (self->expander, GTK_TREE_LIST_ROW (item));
      g_signal_connect_swapped (self->group, "changed", G_CALLBACK (on_group_changed), self);
      g_signal_connect_swapped (item, "notify::expanded", G_CALLBACK (update), self);
    }
  else
    take_job (self, stint_history_list_dup_job (item));
  update (self);
}

static void
set_in_columns (StintHistoryRow *self, gboolean in_columns)
{
  self->in_columns = in_columns;
  gtk_widget_set_visible (GTK_WIDGET (self->icon), !in_columns);
  gtk_widget_set_visible (GTK_WIDGET (self->facts_label), !in_columns);
  gtk_label_set_max_width_chars (self->title_label, in_columns ? TITLE_WIDTH_CHARS : -1);
  gtk_label_set_max_width_chars (self->line_label, in_columns ? TITLE_WIDTH_CHARS : -1);
  gtk_label_set_max_width_chars (self->group_label, in_columns ? GROUP_WIDTH_CHARS : -1);
}

static void
stint_history_row_dispose (GObject *object)
{
  StintHistoryRow *self = STINT_HISTORY_ROW (object);
  GtkWidget *child;

  drop_item (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_HISTORY_ROW);

  G_OBJECT_CLASS (stint_history_row_parent_class)->dispose (object);
}

static void
stint_history_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_ITEM:
      g_value_set_object (value, STINT_HISTORY_ROW (object)->item);
      break;
    case PROP_IN_COLUMNS:
      g_value_set_boolean (value, STINT_HISTORY_ROW (object)->in_columns);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_row_set_property (GObject *object,
                                guint prop_id,
                                const GValue *value,
                                GParamSpec *pspec)
{
  switch (prop_id)
    {
    case PROP_ITEM:
      set_item (STINT_HISTORY_ROW (object), g_value_get_object (value));
      break;
    case PROP_IN_COLUMNS:
      set_in_columns (STINT_HISTORY_ROW (object), g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_row_root (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_history_row_parent_class)->root (widget);
  stint_row_hover_ignore (widget);
}

static void
stint_history_row_class_init (StintHistoryRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_history_row_dispose;
  object_class->get_property = stint_history_row_get_property;
  object_class->set_property = stint_history_row_set_property;
  widget_class->root = stint_history_row_root;
  properties[PROP_ITEM] =
    g_param_spec_object ("item", NULL, NULL, G_TYPE_OBJECT,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_IN_COLUMNS] =
    g_param_spec_boolean ("in-columns", NULL, NULL, FALSE,
                          G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-row.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, expander);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, group_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, count_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, failures_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, job_box);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, icon);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, facts_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, line_label);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, pin_icon);
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, menu_button);
  gtk_widget_class_set_css_name (widget_class, "historyrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stint_history_row_init (StintHistoryRow *self)
{
  GtkGesture *click = gtk_gesture_click_new ();

  gtk_widget_init_template (GTK_WIDGET (self));
  /* Else GTK focuses it instead of the row, and Enter would not open the job. The row has Shift+F10, and
   * the menu is to have the focus then. */
  gtk_widget_set_can_focus (gtk_widget_get_first_child (GTK_WIDGET (self->menu_button)), FALSE);
  gtk_menu_button_set_create_popup_func (self->menu_button, make_menu, self, NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_secondary_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
