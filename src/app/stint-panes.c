/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A small cache of panes, the one that is shown first, then by when they were shown last. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-panes.h"

#include "stint-stack.h"

struct _StintPanes
{
  GtkWidget parent_instance;

  GtkWidget *stack;
  GtkWidget *blank;
  GQueue panes; /* of StintPane, borrowed from the stack; the one shown last comes first */
};

G_DEFINE_FINAL_TYPE (StintPanes, stint_panes, GTK_TYPE_WIDGET)

enum
{
  PANE_MADE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static GList *
find_link (StintPanes *self, StintJob *job)
{
  for (GList *link = self->panes.head; link != NULL; link = link->next)
    {
      if (stint_pane_get_job (link->data) == job)
        return link;
    }
  return NULL;
}

static void
stint_panes_dispose (GObject *object)
{
  StintPanes *self = STINT_PANES (object);

  g_queue_clear (&self->panes);
  g_clear_pointer (&self->stack, gtk_widget_unparent);

  G_OBJECT_CLASS (stint_panes_parent_class)->dispose (object);
}

static void
stint_panes_class_init (StintPanesClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_panes_dispose;
  signals[PANE_MADE] = g_signal_new ("pane-made", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_PANE);
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "panes");
}

static void
stint_panes_init (StintPanes *self)
{
  g_queue_init (&self->panes);
  self->stack = gtk_stack_new ();
  /* A pane that is kept must not decide how small the window can be. */
  gtk_stack_set_hhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_stack_set_vhomogeneous (GTK_STACK (self->stack), FALSE);
  gtk_widget_set_vexpand (self->stack, TRUE);
  gtk_widget_set_parent (self->stack, GTK_WIDGET (self));
  self->blank = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  gtk_stack_add_child (GTK_STACK (self->stack), self->blank);
}

StintPane *
stint_panes_show (StintPanes *self, StintJob *job, StintSettings *settings)
{
  StintPane *pane;
  GList *link;

  g_return_val_if_fail (STINT_IS_PANES (self), NULL);
  g_return_val_if_fail (job == NULL || STINT_IS_JOB (job), NULL);

  if (job == NULL || stint_job_get_transcript (job) == NULL)
    {
      stint_stack_show (GTK_STACK (self->stack), self->blank);
      return NULL;
    }

  link = find_link (self, job);
  if (link != NULL)
    {
      pane = link->data;
      g_queue_unlink (&self->panes, link);
      g_queue_push_head_link (&self->panes, link);
    }
  else
    {
      pane = stint_pane_new (job, settings);
      gtk_stack_add_child (GTK_STACK (self->stack), GTK_WIDGET (pane));
      g_queue_push_head (&self->panes, pane);
      g_signal_emit (self, signals[PANE_MADE], 0, pane);
    }
  stint_stack_show (GTK_STACK (self->stack), GTK_WIDGET (pane));

  while (self->panes.length > STINT_PANES_KEPT)
    gtk_stack_remove (GTK_STACK (self->stack), g_queue_pop_tail (&self->panes));
  return pane;
}

StintPane *
stint_panes_get_visible (StintPanes *self)
{
  GtkWidget *visible;

  g_return_val_if_fail (STINT_IS_PANES (self), NULL);

  if (self->stack == NULL)
    return NULL;
  visible = gtk_stack_get_visible_child (GTK_STACK (self->stack));
  return STINT_IS_PANE (visible) ? STINT_PANE (visible) : NULL;
}

guint
stint_panes_get_n_kept (StintPanes *self)
{
  g_return_val_if_fail (STINT_IS_PANES (self), 0);

  return self->panes.length;
}
