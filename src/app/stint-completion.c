/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A list to choose a text from. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-completion.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_CHARS 48

struct _StintCompletion
{
  GtkPopover parent_instance;

  GtkListBox *list;
  GPtrArray *texts;
};

G_DEFINE_FINAL_TYPE (StintCompletion, stint_completion, GTK_TYPE_POPOVER)

enum
{
  CHOSEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
choose (StintCompletion *self, GtkListBoxRow *row)
{
  g_autofree char *text = NULL;

  if (row == NULL || gtk_list_box_row_get_index (row) >= (int) self->texts->len)
    return;
  text = g_strdup (self->texts->pdata[gtk_list_box_row_get_index (row)]);
  gtk_popover_popdown (GTK_POPOVER (self));
  g_signal_emit (self, signals[CHOSEN], 0, text);
}

static void
stint_completion_dispose (GObject *object)
{
  StintCompletion *self = STINT_COMPLETION (object);

  g_clear_pointer (&self->texts, g_ptr_array_unref);

  G_OBJECT_CLASS (stint_completion_parent_class)->dispose (object);
}

static void
stint_completion_class_init (StintCompletionClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_completion_dispose;

  signals[CHOSEN] = g_signal_new ("chosen", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
stint_completion_init (StintCompletion *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->texts = g_ptr_array_new_with_free_func (g_free);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "navigation-sidebar");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Completions"), -1);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (choose), self);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_propagate_natural_width (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), 240);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->list));
  gtk_popover_set_child (GTK_POPOVER (self), scroller);
  /* The text that is completed keeps the focus. */
  gtk_popover_set_autohide (GTK_POPOVER (self), FALSE);
  gtk_popover_set_has_arrow (GTK_POPOVER (self), FALSE);
  gtk_popover_set_position (GTK_POPOVER (self), GTK_POS_TOP);
  gtk_widget_add_css_class (GTK_WIDGET (self), "menu");
  gtk_widget_set_can_focus (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stint_completion_new (void)
{
  return g_object_new (STINT_TYPE_COMPLETION, NULL);
}

static GtkWidget *
new_label (const char *text, gboolean dim)
{
  g_autofree char *line = g_strdup (text);
  GtkWidget *label;

  g_strdelimit (line, "\n\r\t", ' ');
  label = gtk_label_new (line);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_CHARS);
  if (dim)
    {
      gtk_widget_add_css_class (label, "dim-label");
      gtk_widget_add_css_class (label, "caption");
    }
  return label;
}

void
stint_completion_offer (StintCompletion *self, const char *const *texts, const char *const *details)
{
  GtkWidget *row;

  g_return_if_fail (STINT_IS_COMPLETION (self));

  while ((row = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, 0))) != NULL)
    gtk_list_box_remove (self->list, row);
  g_ptr_array_set_size (self->texts, 0);
  for (guint i = 0; texts != NULL && texts[i] != NULL; i++)
    {
      GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

      gtk_box_append (GTK_BOX (box), new_label (texts[i], FALSE));
      if (details != NULL && details[i] != NULL && details[i][0] != '\0')
        gtk_box_append (GTK_BOX (box), new_label (details[i], TRUE));
      gtk_list_box_append (self->list, box);
      row = GTK_WIDGET (gtk_list_box_get_row_at_index (self->list, (int) i));
      gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, texts[i],
                                      -1);
      gtk_widget_set_focusable (row, FALSE);
      g_ptr_array_add (self->texts, g_strdup (texts[i]));
    }
  if (self->texts->len == 0)
    {
      gtk_popover_popdown (GTK_POPOVER (self));
      return;
    }
  gtk_list_box_select_row (self->list, gtk_list_box_get_row_at_index (self->list, 0));
  gtk_popover_popup (GTK_POPOVER (self));
}

gboolean
stint_completion_is_open (StintCompletion *self)
{
  g_return_val_if_fail (STINT_IS_COMPLETION (self), FALSE);

  return gtk_widget_get_visible (GTK_WIDGET (self)) && self->texts->len > 0;
}

static void
move (StintCompletion *self, int step)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->list);
  int n = (int) self->texts->len;
  int i = row != NULL ? gtk_list_box_row_get_index (row) : 0;
  GtkAdjustment *adjustment = gtk_scrolled_window_get_vadjustment (
      GTK_SCROLLED_WINDOW (gtk_popover_get_child (GTK_POPOVER (self))));
  double y;

  row = gtk_list_box_get_row_at_index (self->list, (i + step + n) % n);
  gtk_list_box_select_row (self->list, row);
  if (gtk_widget_translate_coordinates (GTK_WIDGET (row), GTK_WIDGET (self->list), 0, 0, NULL, &y))
    gtk_adjustment_clamp_page (adjustment, y, y + gtk_widget_get_height (GTK_WIDGET (row)));
}

gboolean
stint_completion_handle_key (StintCompletion *self, guint key, GdkModifierType state)
{
  g_return_val_if_fail (STINT_IS_COMPLETION (self), FALSE);

  if (!stint_completion_is_open (self) || (state & gtk_accelerator_get_default_mod_mask ()) != 0)
    return FALSE;
  switch (key)
    {
    case GDK_KEY_Up:
      move (self, -1);
      return TRUE;
    case GDK_KEY_Down:
      move (self, 1);
      return TRUE;
    case GDK_KEY_Return:
    case GDK_KEY_KP_Enter:
    case GDK_KEY_Tab:
      choose (self, gtk_list_box_get_selected_row (self->list));
      return TRUE;
    case GDK_KEY_Escape:
      gtk_popover_popdown (GTK_POPOVER (self));
      return TRUE;
    default:
      return FALSE;
    }
}
