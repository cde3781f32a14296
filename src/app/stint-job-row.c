/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A row of the sidebar: what a job is, what it does, how long it has and had; and above the first of a
 * section, its title. Ticks only while it is mapped and its job has not finished. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-row.h"

#include "stint-job-text.h"
#include "stint-ring.h"
#include "stint-ticker.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

/* Pixels, of a job that is part of the one above it. */
#define INDENT 26

struct _StintJobRow
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkLabel *heading_label;
  GtkWidget *body;
  GtkImage *kind_icon;
  GtkLabel *title_label;
  GtkLabel *state_label;
  GtkLabel *side_label;
  GtkWidget *unread_mark;
  GtkWidget *ring;
  GtkImage *state_icon;

  /* Owned */
  StintJobEntry *entry; /* nullable: a row that shows a job only */
  StintJob *job;
  GSignalGroup *job_signals;
  GSignalGroup *entry_signals;
  gulong tick_id;
  const char *style;
  gboolean plain; /* without its section's heading */
};

G_DEFINE_FINAL_TYPE (StintJobRow, stint_job_row, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_ENTRY,
  PROP_JOB,
  PROP_PLAIN,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
update_unread (StintJobRow *self)
{
  gboolean unread = self->entry != NULL && stint_job_entry_get_unread (self->entry);

  gtk_widget_set_visible (self->unread_mark, unread);
  if (unread)
    gtk_widget_add_css_class (GTK_WIDGET (self->title_label), "unread");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->title_label), "unread");
}

/* What it does now, or why it ended; and for how long. */
static char *
dup_second_line (StintJobRow *self)
{
  const char *need = self->entry != NULL ? stint_job_entry_get_need (self->entry) : NULL;
  g_autofree char *state = need != NULL ? g_strdup (need) : stint_job_text_dup_state (self->job);
  g_autofree char *progress = stint_job_text_dup_progress (self->job);
  g_autofree char *kill = stint_job_text_dup_kill_countdown (self->job);
  g_autofree char *more = kill != NULL ? g_steal_pointer (&kill)
                                       : stint_job_text_dup_elapsed (self->job);

  if (more == NULL)
    more = stint_job_text_dup_waiting (self->job);
  if (more == NULL)
    return g_steal_pointer (&state);
  if (progress != NULL)
    /* Translators: a job's state, how much of its work it has done, and how long it has run, in the
     * list: "Running · 45% · 1:23". */
    return g_strdup_printf (_ ("%s · %s · %s"), state, progress, more);
  /* Translators: a job's state and how long it has run, in the list: "Running · 1:23". */
  return g_strdup_printf (_ ("%s · %s"), state, more);
}

/* (nullable) */
static StintJobEntry *
get_above (StintJobRow *self)
{
  return self->entry != NULL && !self->plain ? stint_job_entry_get_above (self->entry) : NULL;
}

/* What changes from second to second. */
static void
update_times (StintJobRow *self)
{
  g_autofree char *second = dup_second_line (self);
  g_autofree char *side = NULL;
  gboolean finished = stint_job_get_state (self->job) == STINT_JOB_FINISHED;
  gboolean limited;
  gint64 left;
  double fraction;

  gtk_label_set_label (self->state_label, second);
  limited = stint_job_text_get_nearest_limit (self->job, &left, &fraction);
  gtk_widget_set_visible (self->ring, limited);
  gtk_widget_set_visible (GTK_WIDGET (self->state_icon), !limited);
  if (limited)
    {
      side = stint_duration_format_clock (MAX (left, 0));
      stint_ring_set_fraction (STINT_RING (self->ring), fraction);
    }
  else if (finished)
    {
      g_autoptr (GDateTime) now = g_date_time_new_now_local ();

      side = stint_job_text_dup_started (self->job, now);
    }
  gtk_label_set_label (self->side_label, side != NULL ? side : "");
  gtk_widget_set_visible (GTK_WIDGET (self->side_label), side != NULL);
  if (self->entry != NULL)
    stint_job_entry_update_unread (self->entry);
}

static void
update_ticking (StintJobRow *self)
{
  StintTicker *ticker = stint_ticker_get_default ();

  if (self->job != NULL && gtk_widget_get_mapped (GTK_WIDGET (self)) &&
      stint_job_get_state (self->job) != STINT_JOB_FINISHED)
    stint_ticker_listen (ticker, &self->tick_id, G_CALLBACK (update_times), self);
  else
    stint_ticker_forget (ticker, &self->tick_id);
}

/* What a screen reader says beside name and state. */
static char *
dup_description (StintJobRow *self)
{
  const char *need = self->entry != NULL ? stint_job_entry_get_need (self->entry) : NULL;
  gboolean unread = self->entry != NULL && stint_job_entry_get_unread (self->entry);

  if (need != NULL && unread)
    /* Translators: of a job that needs the user, for screen readers; %s says what for. */
    return g_strdup_printf (_ ("Needs you: %s. New output"), need);
  if (need != NULL)
    /* Translators: of a job that needs the user, for screen readers; %s says what for. */
    return g_strdup_printf (_ ("Needs you: %s"), need);
  return g_strdup (unread ? _ ("New output") : "");
}

static void
describe (GtkWidget *widget, const char *label, const char *description)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, description, -1);
}

/* The list item around it, or around what it is a part of. */
static GtkWidget *
get_item (StintJobRow *self)
{
  GtkWidget *widget = GTK_WIDGET (self);

  while (widget != NULL && strcmp (gtk_widget_get_css_name (widget), "row") != 0)
    widget = gtk_widget_get_parent (widget);
  return widget;
}

/* The name of a list item is what a screen reader says; it holds what does not change every
 * second. */
static void
update_accessible (StintJobRow *self)
{
  GtkWidget *item = get_item (self);
  g_autofree char *state = stint_job_text_dup_state (self->job);
  g_autofree char *description = dup_description (self);
  StintJobEntry *above = get_above (self);
  g_autofree char *label = NULL;

  if (above != NULL)
    /* Translators: a job's name and state, and the name of the job whose part it is, for screen readers. */
    label = g_strdup_printf (_ ("%s, %s, part of %s"), stint_job_get_title (self->job), state,
                             stint_job_get_title (stint_job_entry_get_job (above)));
  else
    /* Translators: a job's name and state, for screen readers. */
    label = g_strdup_printf (_ ("%s, %s"), stint_job_get_title (self->job), state);

  describe (GTK_WIDGET (self), label, description);
  if (item != NULL)
    describe (item, label, description);
}

/* Made when it is asked for: each text that is set makes GTK ask the display where the pointer is, and
 * wait for the answer, for as many rows as are made or changed. */
static gboolean
stint_job_row_query_tooltip (GtkWidget *widget, int x, int y, gboolean by_key, GtkTooltip *tooltip)
{
  StintJobRow *self = STINT_JOB_ROW (widget);

  if (self->job == NULL)
    return FALSE;
  if (!by_key && gtk_widget_pick (widget, x, y, GTK_PICK_DEFAULT) == self->unread_mark)
    gtk_tooltip_set_text (tooltip, _ ("New output"));
  else
    gtk_tooltip_set_text (tooltip, stint_job_get_title (self->job));
  return TRUE;
}

static void
update (StintJobRow *self)
{
  const char *style = stint_job_text_get_style (self->job);
  const char *heading =
      self->entry != NULL && !self->plain ? stint_job_entry_get_heading (self->entry) : NULL;

  gtk_label_set_label (self->heading_label, heading != NULL ? heading : "");
  gtk_widget_set_visible (GTK_WIDGET (self->heading_label), heading != NULL);
  gtk_widget_set_margin_start (self->body, get_above (self) != NULL ? INDENT : 0);
  gtk_label_set_label (self->title_label, stint_job_get_title (self->job));
  gtk_image_set_from_icon_name (
      self->kind_icon,
      stint_job_text_get_kind_icon (stint_job_spec_get_kind (stint_job_get_spec (self->job))));
  gtk_image_set_from_icon_name (self->state_icon, stint_job_text_get_icon (self->job));
  if (self->style != NULL)
    gtk_widget_remove_css_class (GTK_WIDGET (self->state_icon), self->style);
  gtk_widget_add_css_class (GTK_WIDGET (self->state_icon), style);
  self->style = style;

  update_times (self);
  update_unread (self);
  update_accessible (self);
  update_ticking (self);
}

static void
take_job (StintJobRow *self, StintJob *job)
{
  if (!g_set_object (&self->job, job))
    return;
  g_signal_group_set_target (self->job_signals, job);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_JOB]);
}

static void
update_all (StintJobRow *self)
{
  if (self->job != NULL)
    update (self);
  else
    update_ticking (self);
}

static void
set_job (StintJobRow *self, StintJob *job)
{
  take_job (self, job);
  update_all (self);
}

static void
set_entry (StintJobRow *self, StintJobEntry *entry)
{
  if (!g_set_object (&self->entry, entry))
    return;
  g_signal_group_set_target (self->entry_signals, entry);
  take_job (self, entry != NULL ? stint_job_entry_get_job (entry) : NULL);
  update_all (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ENTRY]);
}

static void
set_plain (StintJobRow *self, gboolean plain)
{
  if (self->plain == plain)
    return;
  self->plain = plain;
  if (self->job != NULL)
    update (self);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAIN]);
}

static void
stint_job_row_map (GtkWidget *widget)
{
  StintJobRow *self = STINT_JOB_ROW (widget);

  GTK_WIDGET_CLASS (stint_job_row_parent_class)->map (widget);
  if (self->job != NULL)
    update (self);
}

static void
stint_job_row_unmap (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (stint_job_row_parent_class)->unmap (widget);
  update_ticking (STINT_JOB_ROW (widget));
}

static void
stint_job_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_JOB)
    g_value_set_object (value, STINT_JOB_ROW (object)->job);
  else if (prop_id == PROP_ENTRY)
    g_value_set_object (value, STINT_JOB_ROW (object)->entry);
  else if (prop_id == PROP_PLAIN)
    g_value_set_boolean (value, STINT_JOB_ROW (object)->plain);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_job_row_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_JOB)
    set_job (STINT_JOB_ROW (object), g_value_get_object (value));
  else if (prop_id == PROP_ENTRY)
    set_entry (STINT_JOB_ROW (object), g_value_get_object (value));
  else if (prop_id == PROP_PLAIN)
    set_plain (STINT_JOB_ROW (object), g_value_get_boolean (value));
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_job_row_dispose (GObject *object)
{
  StintJobRow *self = STINT_JOB_ROW (object);
  GtkWidget *child;

  stint_ticker_forget (stint_ticker_get_default (), &self->tick_id);
  if (self->job_signals != NULL)
    g_signal_group_set_target (self->job_signals, NULL);
  if (self->entry_signals != NULL)
    g_signal_group_set_target (self->entry_signals, NULL);
  g_clear_object (&self->job_signals);
  g_clear_object (&self->entry_signals);
  g_clear_object (&self->job);
  g_clear_object (&self->entry);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_JOB_ROW);

  G_OBJECT_CLASS (stint_job_row_parent_class)->dispose (object);
}

static void
stint_job_row_class_init (StintJobRowClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  object_class->get_property = stint_job_row_get_property;
  object_class->set_property = stint_job_row_set_property;
  object_class->dispose = stint_job_row_dispose;
  widget_class->map = stint_job_row_map;
  widget_class->unmap = stint_job_row_unmap;
  widget_class->query_tooltip = stint_job_row_query_tooltip;

  properties[PROP_ENTRY] =
      g_param_spec_object ("entry", NULL, NULL, STINT_TYPE_JOB_ENTRY,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_JOB] =
      g_param_spec_object ("job", NULL, NULL, STINT_TYPE_JOB,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_PLAIN] =
      g_param_spec_boolean ("plain", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  g_type_ensure (STINT_TYPE_RING);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-job-row.ui");
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, heading_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, body);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, kind_icon);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, title_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, state_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, side_label);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, unread_mark);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, ring);
  gtk_widget_class_bind_template_child (widget_class, StintJobRow, state_icon);
  gtk_widget_class_set_css_name (widget_class, "jobrow");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stint_job_row_init (StintJobRow *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  gtk_widget_set_has_tooltip (GTK_WIDGET (self), TRUE);

  self->job_signals = g_signal_group_new (STINT_TYPE_JOB);
  g_signal_group_connect_swapped (self->job_signals, "notify", G_CALLBACK (update), self);
  g_signal_group_connect_swapped (self->job_signals, "limits-changed", G_CALLBACK (update), self);
  self->entry_signals = g_signal_group_new (STINT_TYPE_JOB_ENTRY);
  g_signal_group_connect_swapped (self->entry_signals, "notify", G_CALLBACK (update), self);
}

StintJob *
stint_job_row_get_job (StintJobRow *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ROW (self), NULL);

  return self->job;
}

StintJobEntry *
stint_job_row_get_entry (StintJobRow *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ROW (self), NULL);

  return self->entry;
}
