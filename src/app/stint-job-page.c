/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The page of one job. Brings bar and pane together; which job it is, the window says. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-page.h"

#include "stint-agent-page.h"
#include "stint-job-bar.h"
#include "stint-job-text.h"
#include "stint-panes.h"
#include "stint-stack.h"

#include <adwaita.h>
#include <glib/gi18n.h>

struct _StintJobPage
{
  GtkWidget parent_instance;

  /* Template widgets */
  StintJobBar *bar;
  StintAgentPage *agent_page;
  GtkStack *stack;
  StintPanes *panes;
  AdwStatusPage *placeholder;

  /* Owned */
  StintJob *job;
  StintSettings *settings;
  GSignalGroup *job_signals;
  StintJobActions *actions;
  gboolean narrow;
  gboolean closable;
  gboolean live;
  guint columns; /* of the last pane that had a size; 0: none had */
  guint rows;
};

G_DEFINE_FINAL_TYPE (StintJobPage, stint_job_page, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_NARROW,
  PROP_CLOSABLE,
  PROP_LIVE,
  PROP_OUTPUT_ACTIONS,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  CLOSE,
  ACTIONS_MADE,
  OPEN_JOB,
  START,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
update_live (StintJobPage *self)
{
  StintPane *pane = stint_panes_get_visible (self->panes);
  gboolean live =
      pane != NULL && stint_pane_is_live (pane) && stint_agent_page_shows_output (self->agent_page);

  if (self->live == live)
    return;
  self->live = live;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_LIVE]);
}

static void
on_pane_problem (StintJobPage *self, GError *error, StintPane *pane)
{
  g_signal_emit (self, signals[PROBLEM], 0, stint_pane_get_job (pane), error);
}

static void
on_pane_made (StintJobPage *self, StintPane *pane)
{
  g_signal_connect_object (pane, "notify::live", G_CALLBACK (update_live), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (pane, "problem", G_CALLBACK (on_pane_problem), self, G_CONNECT_SWAPPED);
}

static void
on_agent_problem (StintJobPage *self, StintJob *job, GError *error)
{
  g_signal_emit (self, signals[PROBLEM], 0, job, error);
}

static void
on_agent_open_job (StintJobPage *self, guint64 id)
{
  g_signal_emit (self, signals[OPEN_JOB], 0, id);
}

static void
on_agent_start (StintJobPage *self, StintJobSpec *spec)
{
  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_agent_switched (StintJobPage *self)
{
  if (self->agent_page == NULL)
    return;
  update_live (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "output",
                                  stint_job_page_get_output_actions (self));
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_OUTPUT_ACTIONS]);
}

static void
on_close (StintJobPage *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

static void
show_placeholder (StintJobPage *self)
{
  g_autofree char *title = stint_job_text_dup_state (self->job);
  StintResult *result = stint_job_get_result (self->job);
  const char *why = NULL;

  if (result != NULL)
    why = _ ("Its output was not kept.");
  else if (stint_job_get_queue_position (self->job) > 0)
    why = _ ("It starts when another job has ended.");
  adw_status_page_set_title (self->placeholder, title);
  adw_status_page_set_description (self->placeholder, why);
  adw_status_page_set_icon_name (self->placeholder, stint_job_text_get_icon (self->job));
  stint_stack_show (self->stack, GTK_WIDGET (self->placeholder));
}

/* A job has no transcript before it has a directory, and none after that was removed. */
static void
update_pane (StintJobPage *self)
{
  StintPane *pane =
      self->job != NULL ? stint_panes_show (self->panes, self->job, self->settings) : NULL;

  if (pane != NULL)
    stint_stack_show (self->stack, GTK_WIDGET (self->panes));
  else if (self->job != NULL)
    show_placeholder (self);
  stint_agent_page_set_job (self->agent_page, self->job);
  on_agent_switched (self);
}

static void
stint_job_page_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintJobPage *self = STINT_JOB_PAGE (object);

  switch (prop_id)
    {
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    case PROP_CLOSABLE:
      g_value_set_boolean (value, self->closable);
      break;
    case PROP_LIVE:
      g_value_set_boolean (value, self->live);
      break;
    case PROP_OUTPUT_ACTIONS:
      g_value_set_object (value, stint_job_page_get_output_actions (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_job_page_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintJobPage *self = STINT_JOB_PAGE (object);

  gboolean *property = prop_id == PROP_NARROW     ? &self->narrow
                       : prop_id == PROP_CLOSABLE ? &self->closable
                                                  : NULL;

  if (property == NULL)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (*property == g_value_get_boolean (value))
    return;
  *property = g_value_get_boolean (value);
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_job_page_dispose (GObject *object)
{
  StintJobPage *self = STINT_JOB_PAGE (object);
  GtkWidget *child;

  if (self->job_signals != NULL)
    g_signal_group_set_target (self->job_signals, NULL);
  g_clear_object (&self->job_signals);
  g_clear_object (&self->actions);
  g_clear_object (&self->job);
  g_clear_object (&self->settings);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_JOB_PAGE);

  G_OBJECT_CLASS (stint_job_page_parent_class)->dispose (object);
}

static void
stint_job_page_class_init (StintJobPageClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_job_page_get_property;
  object_class->set_property = stint_job_page_set_property;
  object_class->dispose = stint_job_page_dispose;

  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CLOSABLE] =
      g_param_spec_boolean ("closable", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_LIVE] =
      g_param_spec_boolean ("live", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_OUTPUT_ACTIONS] =
      g_param_spec_object ("output-actions", NULL, NULL, G_TYPE_ACTION_GROUP,
                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CLOSE] = g_signal_new ("close", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
  signals[ACTIONS_MADE] =
      g_signal_new ("actions-made", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_ACTIONS);
  signals[OPEN_JOB] = g_signal_new ("open-job", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[START] = g_signal_new ("start", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_SPEC);
  signals[PROBLEM] = g_signal_new ("problem", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 2, STINT_TYPE_JOB, G_TYPE_ERROR);

  g_type_ensure (STINT_TYPE_JOB_BAR);
  g_type_ensure (STINT_TYPE_PANES);
  g_type_ensure (STINT_TYPE_AGENT_PAGE);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-job-page.ui");
  gtk_widget_class_bind_template_child (widget_class, StintJobPage, bar);
  gtk_widget_class_bind_template_child (widget_class, StintJobPage, agent_page);
  gtk_widget_class_bind_template_child (widget_class, StintJobPage, stack);
  gtk_widget_class_bind_template_child (widget_class, StintJobPage, panes);
  gtk_widget_class_bind_template_child (widget_class, StintJobPage, placeholder);
  gtk_widget_class_bind_template_callback (widget_class, on_agent_problem);
  gtk_widget_class_bind_template_callback (widget_class, on_agent_open_job);
  gtk_widget_class_bind_template_callback (widget_class, on_agent_start);
  gtk_widget_class_bind_template_callback (widget_class, on_agent_switched);
  gtk_widget_class_bind_template_callback (widget_class, on_close);
  gtk_widget_class_bind_template_callback (widget_class, on_pane_made);
  gtk_widget_class_set_css_name (widget_class, "jobpage");
}

static void
stint_job_page_init (StintJobPage *self)
{
  g_autoptr (GSimpleActionGroup) none = g_simple_action_group_new ();

  /* GTK 4.8 does not tell what is in a widget already of the first group that is inserted into it. */
  gtk_widget_insert_action_group (GTK_WIDGET (self), "job", G_ACTION_GROUP (none));
  gtk_widget_init_template (GTK_WIDGET (self));

  self->job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->job_signals, "notify::state", G_CALLBACK (update_pane),
                                  self);
}

/* Bound to the job that is shown: what is pressed is done with it, whatever is shown next. */
static void
make_actions (StintJobPage *self)
{
  g_clear_object (&self->actions);
  self->actions = stint_job_actions_new_for (self->job);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "job",
                                  self->actions != NULL
                                      ? stint_job_actions_get_group (self->actions)
                                      : NULL);
  if (self->actions != NULL)
    g_signal_emit (self, signals[ACTIONS_MADE], 0, self->actions);
}

void
stint_job_page_set_settings (StintJobPage *self, StintSettings *settings)
{
  g_return_if_fail (STINT_IS_JOB_PAGE (self));
  g_return_if_fail (STINT_IS_SETTINGS (settings));

  g_set_object (&self->settings, settings);
}

StintJob *
stint_job_page_get_job (StintJobPage *self)
{
  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), NULL);

  return self->job;
}

void
stint_job_page_set_job (StintJobPage *self, StintJob *job)
{
  guint columns, rows;

  g_return_if_fail (STINT_IS_JOB_PAGE (self));
  g_return_if_fail (job == NULL || STINT_IS_JOB (job));

  /* What the last pane had is what the next job's terminal will have. */
  if (stint_job_page_get_terminal_size (self, &columns, &rows))
    {
      self->columns = columns;
      self->rows = rows;
    }
  if (!g_set_object (&self->job, job))
    return;
  g_signal_group_set_target (self->job_signals, job);
  make_actions (self);
  stint_job_bar_set_job (self->bar, job);
  update_pane (self);
}

gboolean
stint_job_page_is_live (StintJobPage *self)
{
  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), FALSE);

  return self->live;
}

gboolean
stint_job_page_takes_prompts (StintJobPage *self)
{
  StintAgentView *view;

  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), FALSE);

  view = stint_agent_page_get_view (self->agent_page);
  return view != NULL && stint_agent_view_get_session (view) != NULL;
}

StintJobActions *
stint_job_page_get_actions (StintJobPage *self)
{
  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), NULL);

  return self->actions;
}

GActionGroup *
stint_job_page_get_output_actions (StintJobPage *self)
{
  StintAgentView *view;
  StintPane *pane;

  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), NULL);

  view = stint_agent_page_get_view (self->agent_page);
  if (view != NULL)
    return stint_conversation_view_get_actions (stint_agent_view_get_conversation_view (view));
  pane = stint_panes_get_visible (self->panes);
  return pane != NULL ? stint_pane_get_actions (pane) : NULL;
}

void
stint_job_page_focus_pane (StintJobPage *self)
{
  StintPane *pane;

  g_return_if_fail (STINT_IS_JOB_PAGE (self));

  pane = stint_panes_get_visible (self->panes);
  if (!stint_agent_page_shows_output (self->agent_page))
    gtk_widget_grab_focus (GTK_WIDGET (self->agent_page));
  else if (pane != NULL)
    gtk_widget_grab_focus (GTK_WIDGET (pane));
}

gboolean
stint_job_page_get_terminal_size (StintJobPage *self, guint *columns, guint *rows)
{
  StintPane *pane;

  g_return_val_if_fail (STINT_IS_JOB_PAGE (self), FALSE);

  pane = stint_panes_get_visible (self->panes);
  if (pane != NULL && stint_pane_get_size (pane, columns, rows))
    return TRUE;
  *columns = self->columns;
  *rows = self->rows;
  return self->columns > 0;
}
