/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bar above a pane. Shows one job, and acts on exactly the one it shows. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-bar.h"

#include "stint-countdown.h"
#include "stint-job-text.h"
#include "stint-ticker.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define COMMAND_CHARS 500
#define TOOLTIP_CHARS 2000
#define WARNING_CHARS 500

struct _StintJobBar
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkLabel *command_label;
  GtkLabel *directory_label;
  GtkWidget *directory_button;
  GtkWidget *status_box;
  GtkWidget *chip;
  GtkImage *state_icon;
  GtkLabel *state_label;
  GtkLabel *elapsed_label;
  GtkWidget *progress_box;
  GtkProgressBar *progress_bar;
  GtkLabel *progress_label;
  GtkWidget *limits_box;
  StintCountdown *timeout_countdown;
  StintCountdown *idle_countdown;
  GtkLabel *kill_label;
  GtkWidget *button_box;
  GtkWidget *pause_button;
  GtkWidget *terminate_button;
  GtkWidget *kill_button;
  GtkWidget *queue_box;
  GtkLabel *queue_label;
  GtkWidget *result_box;
  GtkImage *result_icon;
  GtkLabel *result_label;
  GtkWidget *again_box;
  GtkWidget *copy_button;
  GtkWidget *close_button;
  GtkWidget *warning_box;
  GtkLabel *warning_label;

  /* Owned */
  StintJob *job;
  GSignalGroup *job_signals;
  gulong tick_id;
  gboolean narrow;
  const char *chip_style;
  const char *result_style;
};

G_DEFINE_FINAL_TYPE (StintJobBar, stint_job_bar, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_NARROW,
  PROP_CLOSABLE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  CLOSE,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
swap_style (GtkWidget *widget, const char **current, const char *style)
{
  if (*current != NULL)
    gtk_widget_remove_css_class (widget, *current);
  gtk_widget_add_css_class (widget, style);
  *current = style;
}

static void
update_progress (StintJobBar *self)
{
  g_autofree char *words = stint_job_text_dup_progress (self->job);
  guint percent;

  gtk_widget_set_visible (self->progress_box, words != NULL);
  if (words == NULL)
    return;
  stint_job_get_progress (self->job, &percent);
  gtk_progress_bar_set_fraction (self->progress_bar, percent / 100.0);
  gtk_label_set_label (self->progress_label, words);
}

/* What changes from second to second. */
static void
update_times (StintJobBar *self)
{
  g_autofree char *queue = stint_job_text_dup_queue (self->job);
  g_autofree char *elapsed = stint_job_text_dup_elapsed (self->job);
  g_autofree char *kill = stint_job_text_dup_kill_countdown (self->job);

  gtk_label_set_label (self->elapsed_label, elapsed != NULL ? elapsed : "");
  gtk_widget_set_visible (GTK_WIDGET (self->elapsed_label), elapsed != NULL);
  update_progress (self);
  gtk_label_set_label (self->kill_label, kill != NULL ? kill : "");
  gtk_label_set_label (self->queue_label, queue);
  stint_countdown_set (self->timeout_countdown, stint_job_get_timeout_left (self->job),
                       stint_job_get_timeout_total (self->job));
  stint_countdown_set (self->idle_countdown, stint_job_get_idle_left (self->job),
                       stint_job_get_idle_total (self->job));
}

static void
update_ticking (StintJobBar *self)
{
  StintTicker *ticker = stint_ticker_get_default ();

  if (self->job != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      stint_job_get_state (self->job) != STINT_JOB_FINISHED)
    stint_ticker_listen (ticker, &self->tick_id, G_CALLBACK (update_times), self);
  else
    stint_ticker_forget (ticker, &self->tick_id);
}

static void
update_result (StintJobBar *self)
{
  StintResult *result = stint_job_get_result (self->job);
  g_autofree char *sentence = NULL;

  if (result == NULL)
    return;
  sentence = stint_result_dup_sentence (result);
  gtk_label_set_label (self->result_label, sentence);
  gtk_image_set_from_icon_name (self->result_icon, stint_job_text_get_icon (self->job));
  swap_style (GTK_WIDGET (self->result_icon), &self->result_style,
              stint_job_text_get_style (self->job));
}

static void
update_terminate_tooltip (StintJobBar *self)
{
  gint64 grace = stint_job_spec_get_grace (stint_job_get_spec (self->job));
  g_autofree char *words = stint_duration_format_words (grace);
  g_autofree char *tooltip = NULL;

  /* Translators: SIGTERM is the name of a signal; %s is a duration, such as "5 s". */
  tooltip = g_strdup_printf (
      _ ("Asks everything the job started to stop (SIGTERM); what is left after %s is killed"),
      words);
  gtk_widget_set_tooltip_text (self->terminate_button, tooltip);
}

static void
update (StintJobBar *self)
{
  StintJobState state = stint_job_get_state (self->job);
  const char *warning = stint_job_get_warning (self->job);
  gboolean finished = state == STINT_JOB_FINISHED;
  gboolean queued = state == STINT_JOB_QUEUED;
  gboolean stopping = state == STINT_JOB_STOPPING;
  g_autofree char *words = stint_job_text_dup_state (self->job);

  gtk_label_set_label (self->state_label, words);
  gtk_image_set_from_icon_name (self->state_icon, stint_job_text_get_icon (self->job));
  swap_style (self->chip, &self->chip_style, stint_job_text_get_style (self->job));

  gtk_widget_set_visible (self->status_box, !finished && !queued);
  gtk_widget_set_visible (self->queue_box, queued);
  gtk_widget_set_visible (self->result_box, finished);
  gtk_widget_set_visible (self->limits_box, !stopping);
  gtk_widget_set_visible (GTK_WIDGET (self->kill_label), stopping);
  update_result (self);

  gtk_widget_set_visible (self->warning_box, warning != NULL);
  if (warning != NULL)
    {
      g_autofree char *clean = stint_text_clean (warning, WARNING_CHARS);

      gtk_label_set_label (self->warning_label, clean);
    }

  update_times (self);
  update_ticking (self);
}

/* Narrow: two lines, both limits and Terminate; the rest is in the menu. */
static void
update_narrow (StintJobBar *self)
{
  GtkOrientation orientation = self->narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL;

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->status_box), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->result_box), orientation);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->queue_box), orientation);
  gtk_box_set_spacing (GTK_BOX (self->status_box), self->narrow ? 8 : 12);
  gtk_box_set_homogeneous (GTK_BOX (self->limits_box), self->narrow);
  gtk_widget_set_hexpand (self->terminate_button, self->narrow);
  gtk_widget_set_visible (self->pause_button, !self->narrow);
  gtk_widget_set_visible (self->kill_button, !self->narrow);
  gtk_widget_set_visible (self->copy_button, !self->narrow);
  if (self->narrow)
    gtk_widget_add_css_class (GTK_WIDGET (self), "narrow");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self), "narrow");
}

/* The command, or among several pages, of which the window's title names one, the job's name. */
static void
show_command (StintJobBar *self)
{
  StintJobSpec *spec = stint_job_get_spec (self->job);
  g_autofree char *line = stint_job_spec_dup_command_line (spec);
  g_autofree char *tooltip = stint_text_clean (line, TOOLTIP_CHARS);
  gboolean by_name =
      stint_job_spec_get_name (spec) != NULL && gtk_widget_get_visible (self->close_button);
  g_autofree char *shown =
      stint_text_clean (by_name ? stint_job_get_title (self->job) : line, COMMAND_CHARS);

  gtk_label_set_label (self->command_label, shown);
  if (by_name)
    gtk_widget_remove_css_class (GTK_WIDGET (self->command_label), "monospace");
  else
    gtk_widget_add_css_class (GTK_WIDGET (self->command_label), "monospace");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->command_label), tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->command_label),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, shown, -1);
}

static void
show_spec (StintJobBar *self)
{
  const char *directory = stint_job_spec_get_directory (stint_job_get_spec (self->job));

  show_command (self);
  gtk_widget_set_visible (self->directory_button, directory != NULL);
  if (directory != NULL)
    {
      g_autofree char *shown = stint_job_text_dup_directory (directory);
      g_autofree char *whole = stint_text_clean (directory, TOOLTIP_CHARS);

      gtk_label_set_label (self->directory_label, shown);
      gtk_widget_set_tooltip_text (self->directory_button, whole);
    }
  update_terminate_tooltip (self);
}

static void
on_close_clicked (StintJobBar *self)
{
  g_signal_emit (self, signals[CLOSE], 0);
}

static void
stint_job_bar_map (GtkWidget *widget)
{
  StintJobBar *self = STINT_JOB_BAR (widget);

  GTK_WIDGET_CLASS (stint_job_bar_parent_class)->map (widget);
  if (self->job != NULL)
    update (self);
}

static void
stint_job_bar_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_job_bar_parent_class)->unmap (widget);
  update_ticking (STINT_JOB_BAR (widget));
}

static void
stint_job_bar_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_NARROW)
    g_value_set_boolean (value, STINT_JOB_BAR (object)->narrow);
  else if (prop_id == PROP_CLOSABLE)
    g_value_set_boolean (value, gtk_widget_get_visible (STINT_JOB_BAR (object)->close_button));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_job_bar_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintJobBar *self = STINT_JOB_BAR (object);

  if (prop_id == PROP_CLOSABLE)
    {
      gtk_widget_set_visible (self->close_button, g_value_get_boolean (value));
      if (self->job != NULL)
        show_command (self);
      return;
    }
  if (prop_id != PROP_NARROW)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  if (self->narrow == g_value_get_boolean (value))
    return;
  self->narrow = g_value_get_boolean (value);
  update_narrow (self);
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_job_bar_dispose (GObject *object)
{
  StintJobBar *self = STINT_JOB_BAR (object);
  GtkWidget *child;

  stint_ticker_forget (stint_ticker_get_default (), &self->tick_id);
  if (self->job_signals != NULL)
    g_signal_group_set_target (self->job_signals, NULL);
  g_clear_object (&self->job_signals);
  g_clear_object (&self->job);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_JOB_BAR);

  G_OBJECT_CLASS (stint_job_bar_parent_class)->dispose (object);
}

static void
stint_job_bar_class_init (StintJobBarClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_job_bar_get_property;
  object_class->set_property = stint_job_bar_set_property;
  object_class->dispose = stint_job_bar_dispose;
  widget_class->map = stint_job_bar_map;
  widget_class->unmap = stint_job_bar_unmap;

  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_CLOSABLE] = g_param_spec_boolean ("closable", NULL, NULL, FALSE,
                                                    G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[CLOSE] = g_signal_new ("close", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);

  g_type_ensure (STINT_TYPE_COUNTDOWN);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-job-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, command_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, directory_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, directory_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, status_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, chip);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, state_icon);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, state_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, elapsed_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, progress_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, progress_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, limits_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, timeout_countdown);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, idle_countdown);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, kill_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, button_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, pause_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, queue_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, queue_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, copy_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, close_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, terminate_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, kill_button);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, result_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, result_icon);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, result_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, again_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, warning_box);
  gtk_widget_class_bind_template_child (widget_class, StintJobBar, warning_label);
  gtk_widget_class_bind_template_callback (widget_class, on_close_clicked);
  gtk_widget_class_set_css_name (widget_class, "jobbar");
}

static void
stint_job_bar_init (StintJobBar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));

  self->job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->job_signals, "notify", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->job_signals, "limits-changed", G_CALLBACK (update), self);
}

void
stint_job_bar_set_job (StintJobBar *self, StintJob *job)
{
  g_return_if_fail (STINT_IS_JOB_BAR (self));
  g_return_if_fail (job == NULL || STINT_IS_JOB (job));

  if (!g_set_object (&self->job, job))
    return;
  g_signal_group_set_target (self->job_signals, job);
  if (job == NULL)
    {
      update_ticking (self);
      return;
    }
  show_spec (self);
  update (self);
}
