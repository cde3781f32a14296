/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the history. It binds and draws; what it shows is read by the model, a moment later. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-row.h"

#include "stint-history-menu.h"
#include "stint-job-text.h"
#include "stint-row-hover.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

#define TITLE_CHARS 200

struct _StintHistoryRow
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkLabel *group_label;
  GtkImage *icon;
  GtkLabel *title_label;
  GtkLabel *facts_label;
  GtkLabel *line_label;
  GtkWidget *pin_icon;
  GtkMenuButton *menu_button;

  /* Owned */
  StintHistoryItem *item; /* (nullable) */
  const char *style;
};

G_DEFINE_FINAL_TYPE (StintHistoryRow, stint_history_row, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_ITEM,
  N_PROPS
};

static GParamSpec *properties[N_PROPS];

static StintResult *
make_result (const StintEntry *entry)
{
  StintResult *result = stint_result_new (entry->reason);

  /* A shell that it was imported from may not have known it. */
  result->has_exit_code = TRUE;
  result->exit_code = entry->exit_code;
  result->term_signal = entry->term_signal;
  return result;
}

char *
stint_history_row_dup_outcome (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return g_strdup (_ ("Running"));
  result = make_result (entry);
  return stint_job_text_dup_ended (result);
}

const char *
stint_history_row_get_icon (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return "media-playback-start-symbolic";
  result = make_result (entry);
  return stint_job_text_get_ended_icon (result);
}

const char *
stint_history_row_get_style (const StintEntry *entry)
{
  g_autoptr (StintResult) result = NULL;

  if (entry->running)
    return "accent";
  result = make_result (entry);
  return stint_job_text_get_ended_style (result);
}

char *
stint_history_row_format_time (gint64 usec, GDateTime *now, gboolean day_is_known)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_utc (usec / G_USEC_PER_SEC);
  g_autoptr (GDateTime) local =
    time != NULL ? g_date_time_to_timezone (time, g_date_time_get_timezone (now)) : NULL;

  if (local == NULL)
    return g_strdup ("");
  if (day_is_known || (g_date_time_get_year (local) == g_date_time_get_year (now) &&
                       g_date_time_get_day_of_year (local) == g_date_time_get_day_of_year (now)))
    return g_date_time_format (local, "%H:%M");
  if (g_date_time_get_year (local) == g_date_time_get_year (now))
    /* Translators: the day and time a job started, for strftime(). */
    return g_date_time_format (local, _ ("%-d %b %H:%M"));
  /* Translators: the day and time a job started in another year, for strftime(). */
  return g_date_time_format (local, _ ("%-d %b %Y %H:%M"));
}

static char *
dup_day (gint64 usec, GDateTime *now)
{
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (usec / G_USEC_PER_SEC);
  g_autoptr (GDateTime) yesterday = g_date_time_add_days (now, -1);

  if (time == NULL)
    return g_strdup ("");
  if (g_date_time_get_year (time) == g_date_time_get_year (now) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (now))
    return g_strdup (_ ("Today"));
  if (g_date_time_get_year (time) == g_date_time_get_year (yesterday) &&
      g_date_time_get_day_of_year (time) == g_date_time_get_day_of_year (yesterday))
    return g_strdup (_ ("Yesterday"));
  /* Translators: a day as the title of the jobs that ran on it, for strftime(). */
  return g_date_time_format (time, _ ("%A, %-d %B %Y"));
}

static void
update_group (StintHistoryRow *self, const StintEntry *entry, GDateTime *now)
{
  g_autofree char *title = NULL;

  switch (entry != NULL ? stint_history_item_get_begins (self->item) : STINT_GROUP_NONE)
    {
    case STINT_GROUP_DAY:
      title = dup_day (entry->started_at, now);
      break;
    case STINT_GROUP_DIRECTORY:
      title = entry->directory != NULL ? stint_job_text_dup_directory (entry->directory)
                                       : g_strdup (_ ("No directory"));
      break;
    case STINT_GROUP_COMMAND:
      title = stint_text_clean (entry->command, TITLE_CHARS);
      break;
    case STINT_GROUP_NONE:
    default:
      break;
    }
  gtk_label_set_label (self->group_label, title != NULL ? title : "");
  gtk_widget_set_visible (GTK_WIDGET (self->group_label), title != NULL);
}

/* What matters first, so that a narrow row leaves out the rest. */
char *
stint_history_row_dup_facts (const StintEntry *entry, GDateTime *now)
{
  g_autofree char *time = stint_history_row_format_time (entry->started_at, now, FALSE);
  g_autofree char *outcome = stint_history_row_dup_outcome (entry);
  g_autofree char *duration = stint_duration_format_words (entry->duration);
  g_autofree char *directory =
    entry->directory != NULL ? stint_job_text_dup_directory (entry->directory) : NULL;
  g_autofree char *joined_tags = g_strjoinv (" #", entry->tags);
  g_autofree char *tags = stint_text_clean (joined_tags, TITLE_CHARS);
  GString *facts = g_string_new (outcome);

  g_string_append_printf (facts, " · %s", time);
  if (!entry->running && entry->duration > 0)
    g_string_append_printf (facts, " · %s", duration);
  if (*tags != '\0')
    g_string_append_printf (facts, " · #%s", tags);
  if (directory != NULL)
    g_string_append_printf (facts, " · %s", directory);
  return g_string_free (facts, FALSE);
}

static void
update_line (StintHistoryRow *self)
{
  const StintSnippet *snippet =
    self->item != NULL ? stint_history_item_get_snippet (self->item) : NULL;
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

/* The list item around it is what a screen reader says. Until a row has been read it is nobody's: it may
 * have been another's. */
static void
update_accessible (StintHistoryRow *self, const char *title, const StintEntry *entry)
{
  GtkWidget *item = gtk_widget_get_parent (GTK_WIDGET (self));
  g_autofree char *outcome = entry != NULL ? stint_history_row_dup_outcome (entry) : NULL;
  /* Translators: a job's name and state, for screen readers. */
  g_autofree char *label = entry != NULL ? g_strdup_printf (_ ("%s, %s"), title, outcome)
                                         : g_strdup (_ ("Reading…"));

  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, label, -1);
  if (item != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                    GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                    gtk_label_get_label (self->facts_label), -1);
}

static void
update (StintHistoryRow *self)
{
  const StintEntry *entry = self->item != NULL ? stint_history_item_get_entry (self->item) : NULL;
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *title = entry != NULL ? stint_entry_dup_title (entry, TITLE_CHARS) : NULL;
  g_autofree char *facts = entry != NULL ? stint_history_row_dup_facts (entry, now) : NULL;

  /* A row that has not been read yet is as high as one that has. */
  gtk_label_set_label (self->title_label, title != NULL && *title != '\0' ? title : " ");
  gtk_label_set_label (self->facts_label, facts != NULL ? facts : " ");
  gtk_image_set_from_icon_name (self->icon,
                                entry != NULL ? stint_history_row_get_icon (entry) : NULL);
  set_style (self, entry != NULL ? stint_history_row_get_style (entry) : NULL);
  gtk_widget_set_visible (self->pin_icon, entry != NULL && entry->pinned);
  gtk_widget_set_sensitive (GTK_WIDGET (self->menu_button), entry != NULL);
  update_group (self, entry, now);
  update_line (self);
  update_accessible (self, title, entry);
}

/* Made when it is opened: of a million rows few are. */
static void
make_menu (GtkMenuButton *button, gpointer user_data)
{
  StintHistoryRow *self = user_data;
  const StintEntry *entry = self->item != NULL ? stint_history_item_get_entry (self->item) : NULL;
  g_autoptr (GMenuModel) menu = entry != NULL ? stint_history_menu_new (entry) : NULL;

  gtk_menu_button_set_menu_model (button, menu);
}

StintHistoryItem *
stint_history_row_get_item (StintHistoryRow *self)
{
  g_return_val_if_fail (STINT_IS_HISTORY_ROW (self), NULL);

  return self->item;
}

void
stint_history_row_popup (StintHistoryRow *self)
{
  g_return_if_fail (STINT_IS_HISTORY_ROW (self));

  gtk_menu_button_popup (self->menu_button);
}

static void
on_secondary_click (StintHistoryRow *self)
{
  stint_history_row_popup (self);
}

static void
set_item (StintHistoryRow *self, StintHistoryItem *item)
{
  if (self->item == item)
    return;
  if (self->item != NULL)
    g_signal_handlers_disconnect_by_data (self->item, self);
  g_set_object (&self->item, item);
  if (item != NULL)
    g_signal_connect_swapped (item, "changed", G_CALLBACK (update), self);
  update (self);
}

static void
stint_history_row_dispose (GObject *object)
{
  StintHistoryRow *self = STINT_HISTORY_ROW (object);
  GtkWidget *child;

  if (self->item != NULL)
    g_signal_handlers_disconnect_by_data (self->item, self);
  g_clear_object (&self->item);
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
    g_param_spec_object ("item", NULL, NULL, STINT_TYPE_HISTORY_ITEM,
                         G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-history-row.ui");
  gtk_widget_class_bind_template_child (widget_class, StintHistoryRow, group_label);
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
  gtk_menu_button_set_create_popup_func (self->menu_button, make_menu, self, NULL);
  gtk_gesture_single_set_button (GTK_GESTURE_SINGLE (click), GDK_BUTTON_SECONDARY);
  g_signal_connect_swapped (click, "pressed", G_CALLBACK (on_secondary_click), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (click));
}
