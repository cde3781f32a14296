/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Conversation or output. The conversations of sessions that run stay as they are while others are
 * looked at: with what is being written, and where they are scrolled to. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-page.h"

#include "stint-agent-bar.h"
#include "stint-protocol-log.h"
#include "stint-sessions-dialog.h"
#include "stint-stack.h"

#include <glib/gi18n.h>

/* Views of sessions that have ended; they can be made again. */
#define MAX_OLD 4

struct _StintAgentPage
{
  GtkWidget parent_instance;

  StintAgentBar *bar;
  GtkStack *stack;
  GtkWidget *child;
  GPtrArray *views;     /* of StintAgentView, children of the stack; the last used last */
  StintAgentView *view; /* (nullable) */
  StintJob *job;
};

G_DEFINE_FINAL_TYPE (StintAgentPage, stint_agent_page, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_CHILD,
  PROP_SHOWS_OUTPUT,
  PROP_NARROW,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  PROBLEM,
  OPEN_JOB,
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean
is_agent (StintJob *job)
{
  return job != NULL && stint_job_spec_get_session (stint_job_get_spec (job));
}

static void
on_problem (StintAgentPage *self, GError *error, StintAgentView *view)
{
  g_signal_emit (self, signals[PROBLEM], 0, stint_agent_view_get_job (view), error);
}

static void
on_session_problem (StintAgentView *view, GError *error, StintAgentSession *session)
{
  g_signal_emit_by_name (view, "problem", error);
}

static void
on_open_job (StintAgentPage *self, guint64 id)
{
  g_signal_emit (self, signals[OPEN_JOB], 0, id);
}

static void
on_start (StintAgentPage *self, StintJobSpec *spec)
{
  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_restarted (StintAgentPage *self, StintAgentSession *session)
{
  StintJob *job = stint_agent_session_get_job (session);

  if (job != NULL && stint_job_get_id (job) != 0)
    g_signal_emit (self, signals[OPEN_JOB], 0, stint_job_get_id (job));
}

static void
drop_old (StintAgentPage *self)
{
  guint n_old = 0;

  for (guint i = self->views->len; i-- > 0;)
    {
      StintAgentView *view = self->views->pdata[i];

      if (view == self->view ||
          stint_job_get_state (stint_agent_view_get_job (view)) != STINT_JOB_FINISHED)
        continue;
      if (++n_old <= MAX_OLD)
        continue;
      g_ptr_array_remove_index (self->views, i);
      gtk_stack_remove (self->stack, GTK_WIDGET (view));
    }
}

static StintAgentView *
find_view (StintAgentPage *self, StintJob *job)
{
  StintAgentView *view;
  StintAgentSession *session = stint_agent_session_for_job (job);

  for (guint i = 0; i < self->views->len; i++)
    {
      view = self->views->pdata[i];
      if (stint_agent_view_get_job (view) != job)
        continue;
      g_ptr_array_remove_index (self->views, i);
      /* It was made before the session was known: what it shows is not live. */
      if (session != NULL && stint_agent_view_get_session (view) == NULL)
        {
          gtk_stack_remove (self->stack, GTK_WIDGET (view));
          break;
        }
      g_ptr_array_add (self->views, view);
      return view;
    }
  view = STINT_AGENT_VIEW (stint_agent_view_new (job));
  g_signal_connect_object (view, "problem", G_CALLBACK (on_problem), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "open-job", G_CALLBACK (on_open_job), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "restarted", G_CALLBACK (on_restarted), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (view, "start", G_CALLBACK (on_start), self, G_CONNECT_SWAPPED);
  if (session != NULL)
    g_signal_connect_object (session, "problem", G_CALLBACK (on_session_problem), view,
                             G_CONNECT_SWAPPED);
  gtk_stack_add_child (self->stack, GTK_WIDGET (view));
  g_ptr_array_add (self->views, view);
  return view;
}

static void
update (StintAgentPage *self)
{
  gboolean shows_output;

  g_object_get (self->bar, "show-output", &shows_output, NULL);
  if (self->view != NULL && !shows_output)
    stint_stack_show (self->stack, GTK_WIDGET (self->view));
  else if (self->child != NULL)
    stint_stack_show (self->stack, self->child);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SHOWS_OUTPUT]);
}

static void
on_show_log (StintAgentPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (self->job != NULL && GTK_IS_WINDOW (root))
    stint_protocol_log_present (self->job, GTK_WINDOW (root));
}

static void
on_show_sessions (StintAgentPage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  StintAgentSession *session =
      self->view != NULL ? stint_agent_view_get_session (self->view) : NULL;
  GtkWidget *dialog;

  if (session == NULL || !GTK_IS_WINDOW (root))
    return;
  dialog = stint_sessions_dialog_new (GTK_WINDOW (root), session);
  g_signal_connect_object (dialog, "start", G_CALLBACK (on_start), self, G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
stint_agent_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintAgentPage *self = STINT_AGENT_PAGE (object);

  if (prop_id == PROP_SHOWS_OUTPUT)
    g_value_set_boolean (value, stint_agent_page_shows_output (self));
  else if (prop_id == PROP_CHILD)
    g_value_set_object (value, self->child);
  else if (prop_id == PROP_NARROW)
    g_object_get_property (G_OBJECT (self->bar), "narrow", value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_agent_page_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  if (prop_id == PROP_CHILD)
    stint_agent_page_set_child (STINT_AGENT_PAGE (object), g_value_get_object (value));
  else if (prop_id == PROP_NARROW)
    g_object_set_property (G_OBJECT (STINT_AGENT_PAGE (object)->bar), "narrow", value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static gboolean
stint_agent_page_grab_focus (GtkWidget *widget)
{
  GtkWidget *child = gtk_stack_get_visible_child (STINT_AGENT_PAGE (widget)->stack);

  return child != NULL && gtk_widget_grab_focus (child);
}

static void
stint_agent_page_dispose (GObject *object)
{
  StintAgentPage *self = STINT_AGENT_PAGE (object);
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->job);
  g_clear_pointer (&self->views, g_ptr_array_unref);

  G_OBJECT_CLASS (stint_agent_page_parent_class)->dispose (object);
}

static void
stint_agent_page_class_init (StintAgentPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->dispose = stint_agent_page_dispose;
  object_class->get_property = stint_agent_page_get_property;
  object_class->set_property = stint_agent_page_set_property;
  widget_class->grab_focus = stint_agent_page_grab_focus;

  properties[PROP_CHILD] = g_param_spec_object ("child", NULL, NULL, GTK_TYPE_WIDGET,
                                                G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SHOWS_OUTPUT] = g_param_spec_boolean ("shows-output", NULL, NULL, TRUE,
                                                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] = g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                                                  G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, STINT_TYPE_JOB, G_TYPE_ERROR);
  signals[OPEN_JOB] = g_signal_new ("open-job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BOX_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "agentpage");
}

static void
stint_agent_page_init (StintAgentPage *self)
{
  gtk_orientable_set_orientation (
      GTK_ORIENTABLE (gtk_widget_get_layout_manager (GTK_WIDGET (self))), GTK_ORIENTATION_VERTICAL);
  self->views = g_ptr_array_new ();
  self->bar = g_object_new (STINT_TYPE_AGENT_BAR, "visible", FALSE, NULL);
  g_signal_connect_object (self->bar, "notify::show-output", G_CALLBACK (update), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "show-log", G_CALLBACK (on_show_log), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->bar, "show-sessions", G_CALLBACK (on_show_sessions), self,
                           G_CONNECT_SWAPPED);
  gtk_widget_set_parent (GTK_WIDGET (self->bar), GTK_WIDGET (self));
  self->stack = GTK_STACK (gtk_stack_new ());
  gtk_widget_set_vexpand (GTK_WIDGET (self->stack), TRUE);
  gtk_widget_set_parent (GTK_WIDGET (self->stack), GTK_WIDGET (self));
}

void
stint_agent_page_set_child (StintAgentPage *self, GtkWidget *child)
{
  g_return_if_fail (STINT_IS_AGENT_PAGE (self));
  g_return_if_fail (GTK_IS_WIDGET (child));
  g_return_if_fail (self->child == NULL);

  self->child = child;
  gtk_stack_add_child (self->stack, child);
}

void
stint_agent_page_set_job (StintAgentPage *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_AGENT_PAGE (self));
  g_return_if_fail (job == NULL || STINT_IS_JOB (job));

  if (g_set_object (&self->job, job))
    g_object_set (self->bar, "show-output", FALSE, NULL);
  self->view = is_agent (job) ? find_view (self, job) : NULL;
  stint_agent_bar_set_session (
      self->bar, self->view != NULL ? stint_agent_view_get_session (self->view) : NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->bar), self->view != NULL);
  drop_old (self);
  update (self);
}

gboolean
stint_agent_page_shows_output (StintAgentPage *self)
{
  g_return_val_if_fail (STINT_IS_AGENT_PAGE (self), TRUE);

  return stint_agent_page_get_view (self) == NULL;
}

StintAgentView *
stint_agent_page_get_view (StintAgentPage *self)
{
  gboolean shows_output;

  g_return_val_if_fail (STINT_IS_AGENT_PAGE (self), NULL);

  g_object_get (self->bar, "show-output", &shows_output, NULL);
  return shows_output ? NULL : self->view;
}
