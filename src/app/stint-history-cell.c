/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A cell of the history's columns. The job's title, and its menu, are a StintHistoryRow. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-cell.h"

#include "stint-history-list.h"
#include "stint-history-text.h"
#include "stint-job-text.h"
#include "stint-units.h"

struct _StintHistoryCell
{
  GtkWidget parent_instance;

  StintHistoryFact fact;
  GtkImage *icon; /* (nullable) */
  GtkInscription *text;
  const char *style; /* (nullable): of the icon */

  GObject *item;         /* (nullable): as it was given */
  StintHistoryItem *job; /* (nullable): it is a group's, or nothing's */
  StintJobGroup *group;  /* (nullable): it is a job's */
};

G_DEFINE_FINAL_TYPE (StintHistoryCell, stint_history_cell, GTK_TYPE_WIDGET)

/* Characters. The same at least and at best: a column does not move while its rows do. */
static const guint widths[] = {
  [STINT_FACT_OUTCOME] = 15,   [STINT_FACT_STARTED] = 12, [STINT_FACT_DURATION] = 8,
  [STINT_FACT_DIRECTORY] = 12, [STINT_FACT_KIND] = 15,    [STINT_FACT_TAGS] = 12,
};

static char *
dup_text (StintHistoryFact fact, const StintEntry *entry)
{
  g_autoptr (GDateTime) now = NULL;
  StintJobKind kind;

  switch (fact)
    {
    case STINT_FACT_OUTCOME:
      return stint_history_text_dup_outcome (entry);
    case STINT_FACT_STARTED:
      now = g_date_time_new_now_local ();
      return stint_history_text_format_time (entry->started_at, now, FALSE);
    case STINT_FACT_DURATION:
      return !entry->running && entry->duration > 0 ? stint_duration_format_words (entry->duration)
                                                    : g_strdup ("");
    case STINT_FACT_DIRECTORY:
      return entry->directory != NULL ? stint_job_text_dup_directory (entry->directory)
                                      : g_strdup ("");
    case STINT_FACT_KIND:
      return entry->kind != NULL && stint_job_kind_from_nick (entry->kind, &kind)
                 ? stint_job_text_dup_kind (kind)
                 : g_strdup ("");
    case STINT_FACT_TAGS:
      return stint_history_text_dup_tags (entry);
    default:
      g_assert_not_reached ();
    }
}

static void
set_style (StintHistoryCell *self, const char *style)
{
  if (self->style == style)
    return;
  if (self->style != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->icon), self->style);
  self->style = style;
  if (style != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (self->icon), style);
}

/* Of a group it is said how many of its jobs failed. */
static void
update_group (StintHistoryCell *self)
{
  g_autofree char *failures = stint_history_text_dup_failures (self->group);

  gtk_inscription_set_text (self->text, failures);
  gtk_image_set_from_icon_name (self->icon, *failures != '\0' ? "dialog-error-symbolic" : NULL);
  set_style (self, *failures != '\0' ? "error" : NULL);
}

static void
update (StintHistoryCell *self)
{
  const StintEntry *entry = self->job != NULL ? stint_history_item_get_entry (self->job) : NULL;
  g_autofree char *text = NULL;

  if (self->group != NULL)
    {
      update_group (self);
      return;
    }
  text = entry != NULL ? dup_text (self->fact, entry) : NULL;

  gtk_inscription_set_text (self->text, text);
  if (self->fact == STINT_FACT_DIRECTORY)
    gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
  if (self->icon == NULL)
    return;
  gtk_image_set_from_icon_name (self->icon,
                                entry != NULL ? stint_history_text_get_icon (entry) : NULL);
  set_style (self, entry != NULL ? stint_history_text_get_style (entry) : NULL);
}

static void
drop_item (StintHistoryCell *self)
{
  if (self->job != NULL)
    g_signal_handlers_disconnect_by_data (self->job, self);
  if (self->group != NULL)
    g_signal_handlers_disconnect_by_data (self->group, self);
  g_clear_object (&self->job);
  g_clear_object (&self->group);
  g_clear_object (&self->item);
}

void
stint_history_cell_set_item (StintHistoryCell *self, gpointer item)
{
  g_return_if_fail (STINT_IS_HISTORY_CELL (self));

  if (self->item == item)
    return;
  drop_item (self);
  self->item = item != NULL ? g_object_ref (item) : NULL;
  self->job = stint_history_list_dup_job (item);
  if (self->fact == STINT_FACT_OUTCOME)
    self->group = stint_history_list_dup_group (item);
  if (self->group != NULL)
    g_signal_connect_swapped (self->group, "changed", G_CALLBACK (update), self);
  if (self->job != NULL)
    g_signal_connect_swapped (self->job, "changed", G_CALLBACK (update), self);
  update (self);
}

static void
stint_history_cell_dispose (GObject *object)
{
  StintHistoryCell *self = STINT_HISTORY_CELL (object);
  GtkWidget *child;

  drop_item (self);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);

  G_OBJECT_CLASS (stint_history_cell_parent_class)->dispose (object);
}

static void
stint_history_cell_class_init (StintHistoryCellClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_history_cell_dispose;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "historycell");
}

static void
stint_history_cell_init (StintHistoryCell *self)
{
}

GtkWidget *
stint_history_cell_new (StintHistoryFact fact)
{
  StintHistoryCell *self = g_object_new (STINT_TYPE_HISTORY_CELL, NULL);

  self->fact = fact;
  if (fact == STINT_FACT_OUTCOME)
    {
      self->icon = GTK_IMAGE (g_object_new (GTK_TYPE_IMAGE, "accessible-role",
                                            GTK_ACCESSIBLE_ROLE_PRESENTATION, NULL));
      gtk_widget_set_parent (GTK_WIDGET (self->icon), GTK_WIDGET (self));
    }
  else
    gtk_widget_add_css_class (GTK_WIDGET (self), "dim-label");
  self->text = GTK_INSCRIPTION (gtk_inscription_new (NULL));
  gtk_inscription_set_min_chars (self->text, widths[fact]);
  gtk_inscription_set_nat_chars (self->text, widths[fact]);
  gtk_inscription_set_text_overflow (self->text, GTK_INSCRIPTION_OVERFLOW_ELLIPSIZE_END);
  gtk_inscription_set_yalign (self->text, 0.5);
  gtk_widget_set_hexpand (GTK_WIDGET (self->text), TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->text), "numeric");
  gtk_widget_set_parent (GTK_WIDGET (self->text), GTK_WIDGET (self));
  return GTK_WIDGET (self);
}
