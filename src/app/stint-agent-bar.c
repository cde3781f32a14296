/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bar of an agent session: its state, its options, its permissions. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-bar.h"

#include "stint-ticker.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintAgentBar
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkSpinner *spinner;
  GtkBox *status_box;
  GtkLabel *state_label;
  GtkLabel *limit_label;
  GtkLabel *usage_label;
  GtkWidget *options_button;
  GtkBox *options_box;
  GtkMenuButton *policy_button;
  GtkWidget *sessions_button;
  GtkWidget *log_button;

  /* Owned */
  StintAgentSession *session;
  GSignalGroup *session_signals;
  GListModel *options;
  GSimpleActionGroup *actions;
  GSimpleAction *policy_action;
  gulong tick;
  gboolean show_output;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (StintAgentBar, stint_agent_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_SHOW_OUTPUT,
  PROP_NARROW,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  SHOW_LOG,
  SHOW_SESSIONS,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const char *const policy_names[] = { "ask", "allow-reads", "allow-in-directory", "reject",
                                            "allow" };

const char *
stint_agent_policy_to_words (StintAgentPolicy policy)
{
  switch (policy)
    {
    case STINT_AGENT_ALLOW_READS:
      return _ ("Reads allowed");
    case STINT_AGENT_ALLOW_IN_DIRECTORY:
      return _ ("Directory allowed");
    case STINT_AGENT_ALLOW:
      return _ ("All allowed");
    case STINT_AGENT_REJECT:
      return _ ("All rejected");
    case STINT_AGENT_ASK:
    default:
      return _ ("Asks");
    }
}

static void
update_limit (StintAgentBar *self)
{
  gint64 left =
      self->session != NULL ? stint_agent_session_get_turn_left (self->session) : STINT_NEVER;
  gint64 idle =
      self->session != NULL ? stint_agent_session_get_idle_left (self->session) : STINT_NEVER;
  g_autofree char *clock = NULL;
  g_autofree char *text = NULL;
  g_autofree char *shorter = NULL;

  if (left != STINT_NEVER && (idle == STINT_NEVER || left <= idle))
    {
      clock = stint_duration_format_clock (left);
      /* Translators: %s is a time such as 4:59. */
      text = g_strdup_printf (_ ("%s left"), clock);
    }
  else if (idle != STINT_NEVER)
    {
      clock = stint_duration_format_clock (idle);
      /* Translators: how long the agent may stay silent; %s is a time such as 9:59. */
      text = g_strdup_printf (_ ("silent: %s left"), clock);
    }
  gtk_widget_set_visible (GTK_WIDGET (self->limit_label), text != NULL);
  /* Translators: %s is a time such as 4:59. */
  shorter = self->narrow && clock != NULL ? g_strdup_printf (_ ("%s left"), clock) : g_strdup (text);
  gtk_label_set_label (self->limit_label, shorter != NULL ? shorter : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->limit_label), text);
}

static const char *
get_step_words (StintAgentStep step)
{
  switch (step)
    {
    case STINT_AGENT_STEP_CANCEL:
      return _ ("Stopping: cancelling the turn…");
    case STINT_AGENT_STEP_CLOSE_INPUT:
      return _ ("Stopping: its input is closed…");
    case STINT_AGENT_STEP_TERMINATE:
      return _ ("Stopping: SIGTERM was sent…");
    case STINT_AGENT_STEP_KILL:
      return _ ("Stopping: SIGKILL was sent…");
    case STINT_AGENT_STEP_NONE:
    default:
      return NULL;
    }
}

static void
update_state (StintAgentBar *self)
{
  StintAgentState state =
      self->session != NULL ? stint_agent_session_get_state (self->session) : STINT_AGENT_ENDED;
  const char *words =
      self->session != NULL ? stint_agent_session_get_state_words (self->session) : _ ("Ended");
  const char *step = self->session != NULL && state == STINT_AGENT_STOPPING
                         ? get_step_words (stint_agent_session_get_step (self->session))
                         : NULL;
  gboolean works = state == STINT_AGENT_STARTING || state == STINT_AGENT_TURN ||
                   state == STINT_AGENT_CANCELLING || state == STINT_AGENT_STOPPING;

  gtk_label_set_label (self->state_label, step != NULL ? step : words);
  /* The words say it too, and need its room. */
  gtk_widget_set_visible (GTK_WIDGET (self->spinner), works && !self->narrow);
  gtk_spinner_set_spinning (self->spinner, works);
  if (state == STINT_AGENT_WAITING)
    gtk_widget_add_css_class (GTK_WIDGET (self->state_label), "warning");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->state_label), "warning");
  gtk_widget_set_sensitive (GTK_WIDGET (self->policy_button), state != STINT_AGENT_ENDED);
  gtk_widget_set_sensitive (self->options_button, state != STINT_AGENT_ENDED);
  gtk_widget_set_visible (self->sessions_button,
                          self->session != NULL && state != STINT_AGENT_ENDED &&
                              stint_agent_session_can_list (self->session));
  update_limit (self);
}

/* In a narrow window what is left of the time is below the state, or neither could be read. */
static void
update_status_box (StintAgentBar *self)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->status_box),
                                  self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_set_spacing (self->status_box, self->narrow ? 0 : 8);
}

static void
update_usage (StintAgentBar *self)
{
  const char *usage = self->session != NULL ? stint_agent_session_get_usage (self->session) : NULL;

  gtk_label_set_label (self->usage_label, usage != NULL ? usage : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->usage_label), usage);
  /* Where there is not room for both, the state is what is read. */
  gtk_widget_set_visible (GTK_WIDGET (self->usage_label), !self->narrow);
  gtk_widget_set_hexpand (GTK_WIDGET (self->status_box), self->narrow);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->state_label), self->narrow ? usage : NULL);
}

/* It is seen whenever it is not "ask". */
static void
update_policy (StintAgentBar *self)
{
  StintAgentPolicy policy =
      self->session != NULL ? stint_agent_session_get_policy (self->session) : STINT_AGENT_ASK;
  GtkWidget *button = GTK_WIDGET (self->policy_button);

  gtk_menu_button_set_label (self->policy_button, stint_agent_policy_to_words (policy));
  if (policy == STINT_AGENT_ASK)
    gtk_widget_remove_css_class (button, "warning");
  else
    gtk_widget_add_css_class (button, "warning");
  gtk_widget_set_visible (button, self->session != NULL);
  g_simple_action_set_state (self->policy_action, g_variant_new_string (policy_names[policy]));
}

static void
on_policy (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintAgentBar *self = user_data;

  for (guint i = 0; i < G_N_ELEMENTS (policy_names); i++)
    if (self->session != NULL &&
        g_strcmp0 (policy_names[i], g_variant_get_string (value, NULL)) == 0)
      stint_agent_session_set_policy (self->session, (StintAgentPolicy) i);
}

/* Options */

typedef struct
{
  StintAgentBar *bar;
  StintAgentOption *option;
} Row;

static void
row_free (gpointer data, GClosure *closure)
{
  Row *row = data;

  g_object_unref (row->option);
  g_free (row);
}

static void
on_value_selected (GtkDropDown *dropdown, GParamSpec *pspec, Row *row)
{
  GPtrArray *values = stint_agent_option_get_values (row->option);
  guint selected = gtk_drop_down_get_selected (dropdown);
  const StintAgentValue *value;

  if (row->bar->session == NULL || selected >= values->len)
    return;
  value = values->pdata[selected];
  if (g_strcmp0 (value->value, stint_agent_option_get_value (row->option)) != 0)
    stint_agent_session_set_option (row->bar->session, stint_agent_option_get_id (row->option),
                                    value->value);
}

static void
on_switched (GtkSwitch *widget, GParamSpec *pspec, Row *row)
{
  const char *value = gtk_switch_get_active (widget) ? "true" : "false";

  if (row->bar->session != NULL &&
      g_strcmp0 (value, stint_agent_option_get_value (row->option)) != 0)
    stint_agent_session_set_option (row->bar->session, stint_agent_option_get_id (row->option),
                                    value);
}

static GtkWidget *
new_switch (Row *row)
{
  GtkWidget *widget = gtk_switch_new ();

  gtk_widget_set_halign (widget, GTK_ALIGN_START);
  gtk_switch_set_active (GTK_SWITCH (widget),
                         g_strcmp0 (stint_agent_option_get_value (row->option), "true") == 0);
  g_signal_connect_data (widget, "notify::active", G_CALLBACK (on_switched), row, row_free, 0);
  return widget;
}

static GtkWidget *
new_dropdown (Row *row)
{
  GPtrArray *values = stint_agent_option_get_values (row->option);
  GtkStringList *names = gtk_string_list_new (NULL);
  GtkWidget *widget;
  guint selected = GTK_INVALID_LIST_POSITION;

  for (guint i = 0; i < values->len; i++)
    {
      const StintAgentValue *value = values->pdata[i];
      g_autofree char *name = value->group != NULL
                                  ? g_strdup_printf ("%s: %s", value->group, value->name)
                                  : g_strdup (value->name);

      gtk_string_list_append (names, name);
      if (g_strcmp0 (value->value, stint_agent_option_get_value (row->option)) == 0)
        selected = i;
    }
  widget = gtk_drop_down_new (G_LIST_MODEL (names), NULL);
  gtk_drop_down_set_selected (GTK_DROP_DOWN (widget), selected);
  g_signal_connect_data (widget, "notify::selected", G_CALLBACK (on_value_selected), row, row_free,
                         0);
  return widget;
}

static void
add_option (StintAgentBar *self, StintAgentOption *option)
{
  GtkWidget *label = gtk_label_new (stint_agent_option_get_name (option));
  Row *row = g_new (Row, 1);
  GtkWidget *widget;

  *row = (Row){ self, g_object_ref (option) };
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "caption-heading");
  widget = stint_agent_option_is_boolean (option) ? new_switch (row) : new_dropdown (row);
  gtk_widget_set_tooltip_text (widget, stint_agent_option_get_description (option));
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  stint_agent_option_get_name (option), -1);
  gtk_box_append (self->options_box, label);
  gtk_box_append (self->options_box, widget);
}

static void
update_options (StintAgentBar *self)
{
  GtkWidget *child;
  guint n = self->options != NULL ? g_list_model_get_n_items (self->options) : 0;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->options_box))) != NULL)
    gtk_box_remove (self->options_box, child);
  for (guint i = 0; i < n; i++)
    {
      g_autoptr (StintAgentOption) option = g_list_model_get_item (self->options, i);

      add_option (self, option);
    }
  gtk_widget_set_visible (self->options_button, n > 0);
}

static void
on_sessions_clicked (StintAgentBar *self)
{
  g_signal_emit (self, signals[SHOW_SESSIONS], 0);
}

static void
on_log_clicked (StintAgentBar *self)
{
  g_signal_emit (self, signals[SHOW_LOG], 0);
}

static void
stint_agent_bar_map (GtkWidget *widget)
{
  StintAgentBar *self = STINT_AGENT_BAR (widget);

  GTK_WIDGET_CLASS (stint_agent_bar_parent_class)->map (widget);
  stint_ticker_listen (stint_ticker_get_default (), &self->tick, G_CALLBACK (update_limit), self);
  update_limit (self);
}

static void
stint_agent_bar_unmap (GtkWidget *widget)
{
  stint_ticker_forget (stint_ticker_get_default (), &STINT_AGENT_BAR (widget)->tick);
  GTK_WIDGET_CLASS (stint_agent_bar_parent_class)->unmap (widget);
}

static void
stint_agent_bar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintAgentBar *self = STINT_AGENT_BAR (object);

  if (prop_id == PROP_SHOW_OUTPUT || prop_id == PROP_NARROW)
    g_value_set_boolean (value, prop_id == PROP_NARROW ? self->narrow : self->show_output);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_agent_bar_set_property (GObject *object,
                              guint prop_id,
                              const GValue *value,
                              GParamSpec *pspec)
{
  StintAgentBar *self = STINT_AGENT_BAR (object);
  gboolean *property = prop_id == PROP_SHOW_OUTPUT ? &self->show_output
                       : prop_id == PROP_NARROW    ? &self->narrow
                                                   : NULL;

  if (property == NULL)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (*property == g_value_get_boolean (value))
    return;
  *property = g_value_get_boolean (value);
  if (prop_id == PROP_NARROW)
    {
      if (self->narrow)
        gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
      else
        gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
      update_usage (self);
      update_status_box (self);
      update_state (self);
    }
  g_object_notify_by_pspec (object, pspec);
}

static void
set_options (StintAgentBar *self, GListModel *options)
{
  if (self->options != NULL)
    g_signal_handlers_disconnect_by_data (self->options, self);
  g_set_object (&self->options, options);
  if (options != NULL)
    g_signal_connect_swapped (options, "items-changed", G_CALLBACK (update_options), self);
}

static void
stint_agent_bar_dispose (GObject *object)
{
  StintAgentBar *self = STINT_AGENT_BAR (object);
  GtkWidget *child;

  if (self->session_signals != NULL)
    g_signal_group_set_target (self->session_signals, NULL);
  g_clear_object (&self->session_signals);
  set_options (self, NULL);
  g_clear_object (&self->session);
  g_clear_object (&self->actions);
  g_clear_object (&self->policy_action);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_AGENT_BAR);

  G_OBJECT_CLASS (stint_agent_bar_parent_class)->dispose (object);
}

static void
stint_agent_bar_class_init (StintAgentBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->dispose = stint_agent_bar_dispose;
  object_class->get_property = stint_agent_bar_get_property;
  object_class->set_property = stint_agent_bar_set_property;
  widget_class->map = stint_agent_bar_map;
  widget_class->unmap = stint_agent_bar_unmap;

  properties[PROP_SHOW_OUTPUT] =
      g_param_spec_boolean ("show-output", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
  signals[SHOW_LOG] = g_signal_new ("show-log", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0,
                                    NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[SHOW_SESSIONS] = g_signal_new ("show-sessions", G_TYPE_FROM_CLASS (klass),
                                         G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-agent-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, spinner);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, status_box);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, state_label);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, limit_label);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, usage_label);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, options_button);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, options_box);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, policy_button);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, sessions_button);
  gtk_widget_class_bind_template_child (widget_class, StintAgentBar, log_button);
  gtk_widget_class_bind_template_callback (widget_class, on_sessions_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_log_clicked);
  gtk_widget_class_set_css_name (widget_class, "agentbar");
}

static void
stint_agent_bar_init (StintAgentBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  self->actions = g_simple_action_group_new ();
  self->policy_action =
      g_simple_action_new_stateful ("policy", G_VARIANT_TYPE_STRING, g_variant_new_string ("ask"));
  g_signal_connect (self->policy_action, "change-state", G_CALLBACK (on_policy), self);
  g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (self->policy_action));
  gtk_widget_insert_action_group (GTK_WIDGET (self), "agent", G_ACTION_GROUP (self->actions));

  self->session_signals = g_signal_group_new (STINT_TYPE_AGENT_SESSION);
  g_signal_group_connect_swapped (self->session_signals, "notify::state", G_CALLBACK (update_state),
                                  self);
  g_signal_group_connect_swapped (self->session_signals, "notify::step", G_CALLBACK (update_state),
                                  self);
  g_signal_group_connect_swapped (self->session_signals, "notify::usage", G_CALLBACK (update_usage),
                                  self);
  g_signal_group_connect_swapped (self->session_signals, "notify::policy",
                                  G_CALLBACK (update_policy), self);
  stint_agent_bar_set_session (self, NULL);
}

void
stint_agent_bar_set_session (StintAgentBar *self, StintAgentSession *session)
{
  g_return_if_fail (STINT_IS_AGENT_BAR (self));
  g_return_if_fail (session == NULL || STINT_IS_AGENT_SESSION (session));

  g_set_object (&self->session, session);
  g_signal_group_set_target (self->session_signals, session);
  set_options (self, session != NULL ? stint_agent_session_get_options (session) : NULL);
  update_options (self);
  update_state (self);
  update_usage (self);
  update_status_box (self);
  update_policy (self);
}
