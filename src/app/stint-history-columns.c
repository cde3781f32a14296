/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The history as a table: its columns, what their titles do, and which of them are shown how wide. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-columns.h"

#include "stint-history-cell.h"
#include "stint-history-row.h"

#include <glib/gi18n.h>

/* A width is told once its title is no longer dragged: each is written to a file. */
#define WIDTH_MSEC 500

/* The job's title, and each fact. */
#define N_COLUMNS 7

typedef struct
{
  const char *name;
  const char *title;
  StintHistoryFact fact; /* of all but the first */
  /* The orders that its title asks for, as an arrow up and an arrow down has it. */
  const char *ascending;
  const char *descending;
  gboolean down_first; /* what is wanted first is newest, longest, worst */
  gboolean expand;
} Kind;

static const Kind kinds[N_COLUMNS] = {
  { "title", N_ ("Job"), 0, "title", "title-reverse", FALSE, TRUE },
  { "outcome", N_ ("Outcome"), STINT_FACT_OUTCOME, "outcome-reverse", "outcome", TRUE, FALSE },
  { "started", N_ ("Started"), STINT_FACT_STARTED, "oldest", "newest", TRUE, FALSE },
  { "duration", N_ ("Duration"), STINT_FACT_DURATION, "shortest", "longest", TRUE, FALSE },
  { "directory", N_ ("Directory"), STINT_FACT_DIRECTORY, "directory", "directory-reverse", FALSE, TRUE },
  { "kind", N_ ("Kind"), STINT_FACT_KIND, "kind", "kind-reverse", FALSE, FALSE },
  { "tags", N_ ("Tags"), STINT_FACT_TAGS, "tags", "tags-reverse", FALSE, FALSE },
};

struct _StintHistoryColumns
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkColumnView *view;
  GtkColumnViewColumn *columns[N_COLUMNS]; /* not owned */
  GMenu *menu;
  const Kind *asked; /* by whom the view's sorter was asked last */
  const Kind *sort;  /* (nullable): whose order is in force */
  GtkSortType direction;
  gboolean setting;
  guint width_source;
};

G_DEFINE_FINAL_TYPE (StintHistoryColumns, stint_history_columns, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_COLUMNS,
  PROP_WIDTHS,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];
static guint sort_signal, activate_signal;

/* What a column's sorter compares by. It compares nothing: that it is asked first tells which title was
 * clicked. */
typedef struct
{
  StintHistoryColumns *columns;
  const Kind *kind;
} Question;

static int
note_asked (gconstpointer a, gconstpointer b, gpointer user_data)
{
  Question *question = user_data;

  question->columns->asked = question->kind;
  return -1;
}

/* GTK 4.8 forgets the arrow of the column before, unless it is taken away. */
static void
show_arrow (StintHistoryColumns *self, const Kind *kind, GtkSortType direction)
{
  self->setting = TRUE;
  gtk_column_view_sort_by_column (self->view, NULL, GTK_SORT_ASCENDING);
  if (kind != NULL)
    gtk_column_view_sort_by_column (self->view, self->columns[kind - kinds], direction);
  self->setting = FALSE;
  self->sort = kind;
  self->direction = direction;
}

/* What is in force is turned round. */
static void
activate_title (StintHistoryColumns *self, const Kind *kind)
{
  gboolean up = self->sort == kind ? self->direction == GTK_SORT_DESCENDING : !kind->down_first;

  show_arrow (self, kind, up ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING);
  g_signal_emit (self, sort_signal, 0, up ? kind->ascending : kind->descending);
}

static void
on_sorter_changed (GtkSorter *sorter, GtkSorterChange change, StintHistoryColumns *self)
{
  g_autoptr (GObject) one = NULL;
  g_autoptr (GObject) other = NULL;

  if (self->setting)
    return;
  one = g_object_new (G_TYPE_OBJECT, NULL);
  other = g_object_new (G_TYPE_OBJECT, NULL);
  self->asked = NULL;
  gtk_sorter_compare (sorter, one, other);
  if (self->asked != NULL)
    activate_title (self, self->asked);
}

/* ---- Titles ---- */

/* (nullable): whose title @widget is. */
static const Kind *
find_kind (StintHistoryColumns *self, GtkWidget *title)
{
  GtkWidget *widget = title;

  /* The first label in it: GTK has no other way from a title to its column. */
  while (widget != NULL && !GTK_IS_LABEL (widget))
    widget = gtk_widget_get_first_child (widget);
  for (guint i = 0; widget != NULL && i < N_COLUMNS; i++)
    if (g_strcmp0 (gtk_label_get_label (GTK_LABEL (widget)), _ (kinds[i].title)) == 0)
      return &kinds[i];
  return NULL;
}

/* To the next title, or back to the one before. */
static void
go_to_title (GtkWidget *from, gboolean next)
{
  GtkWidget *title = from;

  do
    title = next ? gtk_widget_get_next_sibling (title) : gtk_widget_get_prev_sibling (title);
  while (title != NULL && !gtk_widget_get_visible (title));
  if (title != NULL)
    gtk_widget_grab_focus (title);
}

/* A title's menu is in it, and has entries that are called like titles. */
static gboolean
on_title_key (StintHistoryColumns *self, guint keyval, guint keycode, GdkModifierType state)
{
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean forward = gtk_widget_get_direction (GTK_WIDGET (self)) != GTK_TEXT_DIR_RTL;
  gboolean is_here =
      focus != NULL && gtk_widget_get_native (focus) == gtk_widget_get_native (GTK_WIDGET (self));
  const Kind *kind = is_here ? find_kind (self, focus) : NULL;

  if (kind == NULL || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return GDK_EVENT_PROPAGATE;
  switch (keyval)
    {
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_ISO_Enter:
    case GDK_KEY_space:
      activate_title (self, kind);
      return GDK_EVENT_STOP;
    case GDK_KEY_Left:
    case GDK_KEY_Right:
      go_to_title (focus, (keyval == GDK_KEY_Right) == forward);
      return GDK_EVENT_STOP;
    case GDK_KEY_Down:
      gtk_widget_grab_focus (stint_history_columns_get_list (self));
      return GDK_EVENT_STOP;
    default:
      return GDK_EVENT_PROPAGATE;
    }
}

/* GTK 4.8 makes its titles for the pointer alone. */
static void
make_titles_reachable (StintHistoryColumns *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkEventController *keys = gtk_event_controller_key_new ();

  gtk_widget_set_can_focus (header, TRUE);
  for (GtkWidget *title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title))
    {
      const Kind *kind = find_kind (self, title);

      if (kind == NULL)
        continue;
      gtk_widget_set_can_focus (title, TRUE);
      gtk_widget_set_focusable (title, TRUE);
      gtk_widget_set_tooltip_text (title, _ ("Sort by This Column"));
      gtk_accessible_update_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      _ (kind->title), -1);
    }
  g_signal_connect_swapped (keys, "key-pressed", G_CALLBACK (on_title_key), self);
  gtk_widget_add_controller (header, keys);
}

/* What is in force is said, too. */
static void
update_title_sorts (StintHistoryColumns *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));

  for (GtkWidget *title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title))
    {
      const Kind *kind = find_kind (self, title);
      GtkAccessibleSort sort = kind == NULL || kind != self->sort           ? GTK_ACCESSIBLE_SORT_NONE
                               : self->direction == GTK_SORT_ASCENDING ? GTK_ACCESSIBLE_SORT_ASCENDING
                                                                       : GTK_ACCESSIBLE_SORT_DESCENDING;

      gtk_accessible_update_property (GTK_ACCESSIBLE (title), GTK_ACCESSIBLE_PROPERTY_SORT, sort,
                                      -1);
    }
}

/* ---- Which columns, and how wide ---- */

static char *
dup_columns (StintHistoryColumns *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 1; i < N_COLUMNS; i++)
    if (gtk_column_view_column_get_visible (self->columns[i]))
      g_string_append_printf (text, "%s%s", text->len > 0 ? "," : "", kinds[i].name);
  return g_string_free (text, FALSE);
}

/* Names that nobody knows, of a later version or mistyped, are no columns. */
static void
set_columns (StintHistoryColumns *self, const char *text)
{
  g_auto (GStrv) names = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 1; i < N_COLUMNS; i++)
    gtk_column_view_column_set_visible (
        self->columns[i], g_strv_contains ((const char *const *) names, kinds[i].name));
}

static char *
dup_widths (StintHistoryColumns *self)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < N_COLUMNS; i++)
    if (gtk_column_view_column_get_fixed_width (self->columns[i]) > 0)
      g_string_append_printf (text, "%s%s=%d", text->len > 0 ? "," : "", kinds[i].name,
                              gtk_column_view_column_get_fixed_width (self->columns[i]));
  return g_string_free (text, FALSE);
}

static int
find_width (char **widths, const char *name)
{
  guint64 width;

  for (guint i = 0; widths[i] != NULL; i++)
    {
      char *equals = strchr (widths[i], '=');

      if (equals != NULL && strncmp (widths[i], name, (gsize) (equals - widths[i])) == 0 &&
          name[equals - widths[i]] == '\0' &&
          g_ascii_string_to_unsigned (equals + 1, 10, 20, 4000, &width, NULL))
        return (int) width;
    }
  return -1;
}

static void
set_widths (StintHistoryColumns *self, const char *text)
{
  g_auto (GStrv) widths = g_strsplit (text != NULL ? text : "", ",", -1);

  for (guint i = 0; i < N_COLUMNS; i++)
    gtk_column_view_column_set_fixed_width (self->columns[i], find_width (widths, kinds[i].name));
}

static void
on_visible (StintHistoryColumns *self)
{
  if (!self->setting)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_COLUMNS]);
}

static gboolean
tell_widths (gpointer user_data)
{
  StintHistoryColumns *self = user_data;

  self->width_source = 0;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_WIDTHS]);
  return G_SOURCE_REMOVE;
}

static void
on_width (StintHistoryColumns *self)
{
  if (self->setting)
    return;
  g_clear_handle_id (&self->width_source, g_source_remove);
  self->width_source = g_timeout_add (WIDTH_MSEC, tell_widths, self);
}

/* Who listens no longer does when it is disposed of. */
static void
stint_history_columns_unroot (GtkWidget *widget)
{
  StintHistoryColumns *self = STINT_HISTORY_COLUMNS (widget);

  if (self->width_source != 0)
    {
      g_clear_handle_id (&self->width_source, g_source_remove);
      tell_widths (self);
    }
  GTK_WIDGET_CLASS (stint_history_columns_parent_class)->unroot (widget);
}

/* ---- Cells ---- */

static void
on_setup (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer user_data)
{
  const Kind *kind = user_data;

  gtk_list_item_set_child (list_item,
                           kind == kinds
                               ? g_object_new (STINT_TYPE_HISTORY_ROW, "in-columns", TRUE, NULL)
                               : stint_history_cell_new (kind->fact));
}

/* Whenever a row has come to another place, too. A cell is not emptied before: its menu may be open. */
static void
on_bind (GtkSignalListItemFactory *factory, GtkListItem *list_item, gpointer user_data)
{
  GtkWidget *child = gtk_list_item_get_child (list_item);

  if (STINT_IS_HISTORY_ROW (child))
    g_object_set (child, "item", gtk_list_item_get_item (list_item), NULL);
  else
    stint_history_cell_set_item (STINT_HISTORY_CELL (child), gtk_list_item_get_item (list_item));
}

static void
on_activate (StintHistoryColumns *self, guint position)
{
  g_signal_emit (self, activate_signal, 0, position);
}

static void
add_column (StintHistoryColumns *self, const Kind *kind)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkColumnViewColumn *column = gtk_column_view_column_new (_ (kind->title), factory);
  Question *question = g_new0 (Question, 1);
  GtkCustomSorter *sorter;

  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), (gpointer) kind);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  question->columns = self;
  question->kind = kind;
  sorter = gtk_custom_sorter_new (note_asked, question, g_free);
  gtk_column_view_column_set_sorter (column, GTK_SORTER (sorter));
  gtk_column_view_column_set_resizable (column, TRUE);
  gtk_column_view_column_set_expand (column, kind->expand);
  gtk_column_view_column_set_header_menu (column, G_MENU_MODEL (self->menu));
  g_signal_connect_swapped (column, "notify::visible", G_CALLBACK (on_visible), self);
  g_signal_connect_swapped (column, "notify::fixed-width", G_CALLBACK (on_width), self);
  gtk_column_view_append_column (self->view, column);
  self->columns[kind - kinds] = column;
  g_object_unref (sorter);
  g_object_unref (column);
}

static void
fill_menu (StintHistoryColumns *self)
{
  self->menu = g_menu_new ();
  for (guint i = 1; i < N_COLUMNS; i++)
    {
      g_autofree char *action = g_strconcat ("history.column-", kinds[i].name, NULL);

      g_menu_append (self->menu, _ (kinds[i].title), action);
    }
}

static void
stint_history_columns_dispose (GObject *object)
{
  StintHistoryColumns *self = STINT_HISTORY_COLUMNS (object);

  g_clear_handle_id (&self->width_source, g_source_remove);
  if (self->view != NULL)
    {
      g_signal_handlers_disconnect_by_data (gtk_column_view_get_sorter (self->view), self);
      for (guint i = 0; i < N_COLUMNS; i++)
        g_signal_handlers_disconnect_by_data (self->columns[i], self);
      self->view = NULL;
    }
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->menu);

  G_OBJECT_CLASS (stint_history_columns_parent_class)->dispose (object);
}

static void
stint_history_columns_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintHistoryColumns *self = STINT_HISTORY_COLUMNS (object);

  switch (prop_id)
    {
    case PROP_COLUMNS:
      g_value_take_string (value, dup_columns (self));
      break;
    case PROP_WIDTHS:
      g_value_take_string (value, dup_widths (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_history_columns_set_property (GObject *object,
                                    guint prop_id,
                                    const GValue *value,
                                    GParamSpec *pspec)
{
  StintHistoryColumns *self = STINT_HISTORY_COLUMNS (object);

  self->setting = TRUE;
  switch (prop_id)
    {
    case PROP_COLUMNS:
      set_columns (self, g_value_get_string (value));
      break;
    case PROP_WIDTHS:
      set_widths (self, g_value_get_string (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
  self->setting = FALSE;
}

static void
stint_history_columns_class_init (StintHistoryColumnsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_history_columns_dispose;
  object_class->get_property = stint_history_columns_get_property;
  object_class->set_property = stint_history_columns_set_property;
  properties[PROP_COLUMNS] = g_param_spec_string ("columns", NULL, NULL, NULL,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_WIDTHS] = g_param_spec_string ("widths", NULL, NULL, NULL,
                                                 G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  sort_signal = g_signal_new ("sort", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                              NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  activate_signal = g_signal_new ("activate", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT);
  GTK_WIDGET_CLASS (klass)->unroot = stint_history_columns_unroot;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "historycolumns");
}

static void
stint_history_columns_init (StintHistoryColumns *self)
{
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_column_view_set_single_click_activate (self->view, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Jobs that were run"), -1);
  gtk_accessible_update_property (GTK_ACCESSIBLE (stint_history_columns_get_list (self)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Jobs that were run"), -1);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "jobs");
  fill_menu (self);
  for (guint i = 0; i < N_COLUMNS; i++)
    add_column (self, &kinds[i]);
  make_titles_reachable (self);
  g_signal_connect (gtk_column_view_get_sorter (self->view), "changed",
                    G_CALLBACK (on_sorter_changed), self);
  g_signal_connect_swapped (self->view, "activate", G_CALLBACK (on_activate), self);
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->view));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
}

void
stint_history_columns_set_model (StintHistoryColumns *self, GtkSelectionModel *model)
{
  g_return_if_fail (STINT_IS_HISTORY_COLUMNS (self));

  gtk_column_view_set_model (self->view, model);
}

void
stint_history_columns_set_sort (StintHistoryColumns *self, const char *nick)
{
  const Kind *kind = NULL;
  GtkSortType direction = GTK_SORT_ASCENDING;

  g_return_if_fail (STINT_IS_HISTORY_COLUMNS (self));

  for (guint i = 0; i < N_COLUMNS; i++)
    if (g_strcmp0 (nick, kinds[i].ascending) == 0 || g_strcmp0 (nick, kinds[i].descending) == 0)
      {
        kind = &kinds[i];
        direction = g_strcmp0 (nick, kind->ascending) == 0 ? GTK_SORT_ASCENDING : GTK_SORT_DESCENDING;
      }
  show_arrow (self, kind, direction);
  update_title_sorts (self);
}

GtkWidget *
stint_history_columns_get_list (StintHistoryColumns *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_COLUMNS (self), NULL);

  return gtk_widget_get_last_child (GTK_WIDGET (self->view));
}

void
stint_history_columns_add_actions (StintHistoryColumns *self, GActionMap *map)
{
  g_return_if_fail (STINT_IS_HISTORY_COLUMNS (self));

  for (guint i = 1; i < N_COLUMNS; i++)
    {
      g_autofree char *name = g_strconcat ("column-", kinds[i].name, NULL);
      g_autoptr (GPropertyAction) action =
          g_property_action_new (name, self->columns[i], "visible");

      g_action_map_add_action (map, G_ACTION (action));
    }
}

GMenuModel *
stint_history_columns_get_menu (StintHistoryColumns *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_COLUMNS (self), NULL);

  return G_MENU_MODEL (self->menu);
}

gboolean
stint_history_columns_focus_titles (StintHistoryColumns *self)
{
  GtkWidget *header, *wanted = NULL;

  g_return_val_if_fail (STINT_IS_HISTORY_COLUMNS (self), FALSE);

  header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  for (GtkWidget *title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title))
    {
      const Kind *kind = gtk_widget_get_visible (title) ? find_kind (self, title) : NULL;

      if (kind != NULL && (wanted == NULL || kind == self->sort))
        wanted = title;
    }
  return wanted != NULL && gtk_widget_grab_focus (wanted);
}
