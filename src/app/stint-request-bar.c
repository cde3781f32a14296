/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The cards of all open requests, one below the other. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-request-card.h"

#include <glib/gi18n.h>

struct _StintRequestBar
{
  GtkWidget parent_instance;

  GtkWidget *scroller;
  GtkBox *box;
  GListModel *requests;
};

G_DEFINE_FINAL_TYPE (StintRequestBar, stint_request_bar, GTK_TYPE_WIDGET)

static GtkWidget *
get_card (StintRequestBar *self, guint i)
{
  GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (self->box));

  while (child != NULL && i-- > 0)
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static void
on_items_changed (StintRequestBar *self, guint position, guint removed, guint added)
{
  gboolean had_focus = gtk_widget_get_focus_child (GTK_WIDGET (self)) != NULL;

  for (; removed > 0; removed--)
    gtk_box_remove (self->box, get_card (self, position));
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (StintAgentRequest) request = g_list_model_get_item (self->requests, position + i);
      GtkWidget *before = position + i > 0 ? get_card (self, position + i - 1) : NULL;

      gtk_box_insert_child_after (self->box, stint_request_card_new (request), before);
    }
  gtk_widget_set_visible (GTK_WIDGET (self), g_list_model_get_n_items (self->requests) > 0);
  /* The next one waits too. */
  if (had_focus && get_card (self, 0) != NULL)
    gtk_widget_grab_focus (get_card (self, 0));
}

static void
set_requests (StintRequestBar *self, GListModel *requests)
{
  if (self->requests != NULL)
    {
      GtkWidget *card;

      g_signal_handlers_disconnect_by_data (self->requests, self);
      while (self->box != NULL && (card = get_card (self, 0)) != NULL)
        gtk_box_remove (self->box, card);
    }
  g_set_object (&self->requests, requests);
}

static void
stint_request_bar_dispose (GObject *object)
{
  StintRequestBar *self = STINT_REQUEST_BAR (object);

  set_requests (self, NULL);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  self->box = NULL;

  G_OBJECT_CLASS (stint_request_bar_parent_class)->dispose (object);
}

static void
stint_request_bar_class_init (StintRequestBarClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_request_bar_dispose;
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (GTK_WIDGET_CLASS (klass), "requestbar");
}

static void
stint_request_bar_init (StintRequestBar *self)
{
  self->box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  self->scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->scroller), 320);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->scroller), GTK_WIDGET (self->box));
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}

GtkWidget *
stint_request_bar_new (void)
{
  return g_object_new (STINT_TYPE_REQUEST_BAR, NULL);
}

void
stint_request_bar_set_requests (StintRequestBar *self, GListModel *requests)
{
  g_return_if_fail (STINT_IS_REQUEST_BAR (self));

  set_requests (self, requests);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
  if (requests == NULL)
    return;
  g_signal_connect_swapped (requests, "items-changed", G_CALLBACK (on_items_changed), self);
  on_items_changed (self, 0, 0, g_list_model_get_n_items (requests));
}

StintRequestCard *
stint_request_bar_get_first (StintRequestBar *self)
{
  GtkWidget *card;

  g_return_val_if_fail (STINT_IS_REQUEST_BAR (self), NULL);

  card = get_card (self, 0);
  return card != NULL ? STINT_REQUEST_CARD (card) : NULL;
}
