/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The controls of a player. What they say is the player's; they keep nothing. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-player-bar.h"

#include "stint-units.h"

#include <glib/gi18n.h>

/* The arrow keys move by a hundredth, and by a second at least. */
#define STEPS 100
#define PAGES 10

static const double speeds[] = { 1, 2, 4, 8, 16 };

struct _StintPlayerBar
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkWidget *play_button;
  GtkWidget *scale;
  GtkAdjustment *adjustment;
  GtkLabel *time_label;
  GtkDropDown *speed_drop_down;
  GtkWidget *close_button;

  /* Owned */
  StintPlayer *player;
  GSignalGroup *player_signals;

  gboolean narrow;
  gboolean updating; /* the controls follow the player, not the user */
};

G_DEFINE_FINAL_TYPE (StintPlayerBar, stint_player_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_PLAYER,
  PROP_NARROW,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What has begun counts for the whole, not for what has gone by. */
static char *
dup_clock (gint64 usec, gboolean whole)
{
  return stint_duration_format_clock (whole ? usec : usec / G_USEC_PER_SEC * G_USEC_PER_SEC);
}

static void
update_position (StintPlayerBar *self)
{
  gint64 position = stint_player_get_position (self->player);
  gint64 duration = stint_player_get_duration (self->player);
  g_autofree char *now = dup_clock (position, position >= duration);
  g_autofree char *total = dup_clock (duration, TRUE);
  g_autofree char *both = NULL;
  g_autofree char *text = NULL;

  self->updating = TRUE;
  gtk_adjustment_set_value (self->adjustment, (double) position / G_USEC_PER_SEC);
  self->updating = FALSE;

  /* Translators: how far a playback is, and how long the whole is: "0:12 / 3:45". */
  both = g_strdup_printf (_ ("%s / %s"), now, total);
  if (g_strcmp0 (gtk_label_get_label (self->time_label), self->narrow ? now : both) == 0)
    return;
  gtk_label_set_label (self->time_label, self->narrow ? now : both);
  gtk_label_set_width_chars (self->time_label,
                             (int) g_utf8_strlen (total, -1) * (self->narrow ? 1 : 2) +
                                 (self->narrow ? 0 : 2));
  /* Translators: how far a playback is, and how long the whole is, to be spoken. */
  text = g_strdup_printf (_ ("%s of %s"), now, total);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->time_label), text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->scale), GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT,
                                  text, -1);
}

static void
update_duration (StintPlayerBar *self)
{
  double seconds = (double) stint_player_get_duration (self->player) / G_USEC_PER_SEC;

  self->updating = TRUE;
  gtk_adjustment_set_upper (self->adjustment, seconds);
  gtk_adjustment_set_step_increment (self->adjustment, MAX (seconds / STEPS, 1));
  gtk_adjustment_set_page_increment (self->adjustment, MAX (seconds / PAGES, 5));
  self->updating = FALSE;
  gtk_widget_set_sensitive (self->scale, seconds > 0);
  gtk_label_set_label (self->time_label, "");
  update_position (self);
}

static void
update_playing (StintPlayerBar *self)
{
  gboolean playing = self->player != NULL && stint_player_is_playing (self->player);
  const char *label = playing ? _ ("Pause") : _ ("Play");

  gtk_button_set_icon_name (GTK_BUTTON (self->play_button), playing
                                                                ? "media-playback-pause-symbolic"
                                                                : "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text (self->play_button, label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->play_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
}

static void
update_speed (StintPlayerBar *self)
{
  guint i = 0;

  while (i < G_N_ELEMENTS (speeds) && speeds[i] != stint_player_get_speed (self->player))
    i++;
  self->updating = TRUE;
  gtk_drop_down_set_selected (self->speed_drop_down,
                              i < G_N_ELEMENTS (speeds) ? i : GTK_INVALID_LIST_POSITION);
  self->updating = FALSE;
}

static void
on_play_clicked (StintPlayerBar *self)
{
  if (self->player == NULL)
    return;
  if (stint_player_is_playing (self->player))
    stint_player_pause (self->player);
  else
    stint_player_play (self->player);
}

static void
on_value_changed (StintPlayerBar *self)
{
  if (self->updating || self->player == NULL)
    return;
  stint_player_seek (self->player,
                     (gint64) (gtk_adjustment_get_value (self->adjustment) * G_USEC_PER_SEC + 0.5));
}

static void
on_speed_selected (StintPlayerBar *self)
{
  guint i = gtk_drop_down_get_selected (self->speed_drop_down);

  if (!self->updating && self->player != NULL && i < G_N_ELEMENTS (speeds))
    stint_player_set_speed (self->player, speeds[i]);
}

static void
on_close_clicked (StintPlayerBar *self)
{
  if (self->player != NULL)
    stint_player_pause (self->player);
  g_signal_emit (self, signals[CLOSED], 0);
}

static void
toggle (GtkWidget *widget, const char *action_name, GVariant *parameter)
{
  on_play_clicked (STINT_PLAYER_BAR (widget));
}

static void
stint_player_bar_unmap (GtkWidget *widget)
{
  StintPlayerBar *self = STINT_PLAYER_BAR (widget);

  if (self->player != NULL)
    stint_player_pause (self->player);
  GTK_WIDGET_CLASS (stint_player_bar_parent_class)->unmap (widget);
}

static gboolean
stint_player_bar_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (STINT_PLAYER_BAR (widget)->play_button);
}

static void
set_narrow (StintPlayerBar *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  if (self->player != NULL)
    update_position (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NARROW]);
}

static void
stint_player_bar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintPlayerBar *self = STINT_PLAYER_BAR (object);

  switch (prop_id)
    {
    case PROP_PLAYER:
      g_value_set_object (value, self->player);
      break;
    case PROP_NARROW:
      g_value_set_boolean (value, self->narrow);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_player_bar_set_property (GObject *object,
                               guint prop_id,
                               const GValue *value,
                               GParamSpec *pspec)
{
  StintPlayerBar *self = STINT_PLAYER_BAR (object);

  switch (prop_id)
    {
    case PROP_PLAYER:
      stint_player_bar_set_player (self, g_value_get_object (value));
      break;
    case PROP_NARROW:
      set_narrow (self, g_value_get_boolean (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_player_bar_dispose (GObject *object)
{
  StintPlayerBar *self = STINT_PLAYER_BAR (object);
  GtkWidget *child;

  if (self->player_signals != NULL)
    g_signal_group_set_target (self->player_signals, NULL);
  g_clear_object (&self->player_signals);
  g_clear_object (&self->player);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_PLAYER_BAR);

  G_OBJECT_CLASS (stint_player_bar_parent_class)->dispose (object);
}

static void
stint_player_bar_class_init (StintPlayerBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_player_bar_get_property;
  object_class->set_property = stint_player_bar_set_property;
  object_class->dispose = stint_player_bar_dispose;
  widget_class->unmap = stint_player_bar_unmap;
  widget_class->grab_focus = stint_player_bar_grab_focus;

  properties[PROP_PLAYER] =
      g_param_spec_object ("player", NULL, NULL, STINT_TYPE_PLAYER,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CLOSED] = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);

  /* From the slider too: buttons take the key for themselves before. */
  gtk_widget_class_install_action (widget_class, "player.toggle", NULL, toggle);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_space, 0, "player.toggle", NULL);

  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-player-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, play_button);
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, scale);
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, adjustment);
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, time_label);
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, speed_drop_down);
  gtk_widget_class_bind_template_child (widget_class, StintPlayerBar, close_button);
  gtk_widget_class_bind_template_callback (widget_class, on_play_clicked);
  gtk_widget_class_bind_template_callback (widget_class, on_value_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_speed_selected);
  gtk_widget_class_bind_template_callback (widget_class, on_close_clicked);
  gtk_widget_class_set_css_name (widget_class, "playerbar");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_TOOLBAR);
}

static void
fill_speeds (StintPlayerBar *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);

  for (guint i = 0; i < G_N_ELEMENTS (speeds); i++)
    /* Translators: how many times as fast: "2×". */
    gtk_string_list_take (list, g_strdup_printf (_ ("%g×"), speeds[i]));
  gtk_drop_down_set_model (self->speed_drop_down, G_LIST_MODEL (list));
}

static void
stint_player_bar_init (StintPlayerBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Playback"), -1);

  self->player_signals = g_signal_group_new (STINT_TYPE_PLAYER);
  g_signal_group_connect_swapped (self->player_signals, "notify::position",
                                  G_CALLBACK (update_position), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::duration",
                                  G_CALLBACK (update_duration), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::playing",
                                  G_CALLBACK (update_playing), self);
  g_signal_group_connect_swapped (self->player_signals, "notify::speed", G_CALLBACK (update_speed),
                                  self);
  fill_speeds (self);
  /* What takes the focus is the button in it, to which GTK 4.8 does not pass its name on. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (GTK_WIDGET (self->speed_drop_down))),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, _ ("Speed"), -1);
  update_playing (self);
}

GtkWidget *
stint_player_bar_new (void)
{
  return g_object_new (STINT_TYPE_PLAYER_BAR, NULL);
}

StintPlayer *
stint_player_bar_get_player (StintPlayerBar *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER_BAR (self), NULL);

  return self->player;
}

void
stint_player_bar_set_player (StintPlayerBar *self, StintPlayer *player)
{
  g_return_if_fail (STINT_IS_PLAYER_BAR (self));
  g_return_if_fail (player == NULL || STINT_IS_PLAYER (player));

  if (!g_set_object (&self->player, player))
    return;
  g_signal_group_set_target (self->player_signals, player);
  gtk_widget_set_sensitive (self->play_button, player != NULL);
  gtk_widget_set_sensitive (GTK_WIDGET (self->speed_drop_down), player != NULL);
  gtk_widget_set_sensitive (self->scale, FALSE);
  update_playing (self);
  if (player != NULL)
    {
      update_duration (self);
      update_speed (self);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYER]);
}
