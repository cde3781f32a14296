/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The dialog that shows a job of the history and what can be changed of it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-details.h"

#include "stint-entry.h"
#include "stint-history-change.h"
#include "stint-history-lookup.h"
#include "stint-history-text.h"
#include "stint-job-text.h"
#include "stint-run-plot.h"
#include "stint-toast.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define RUNS 60
#define RUNS_LISTED 8
#define LINE_CHARS 2000

struct _StintHistoryDetails
{
  AdwWindow parent_instance;

  AdwToastOverlay *toasts;
  AdwPreferencesPage *page;
  StintHistory *history;
  guint64 id;
  gboolean pinned;
};

G_DEFINE_FINAL_TYPE (StintHistoryDetails, stint_history_details, ADW_TYPE_WINDOW)

static void
say (StintHistoryDetails *self, const GError *error)
{
  adw_toast_overlay_add_toast (self->toasts, stint_toast_new (error->message));
}

static void
on_changed (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryDetails) self = user_data;
  g_autoptr (GError) error = NULL;

  if (!stint_history_change_finish (STINT_HISTORY (source), result, NULL, &error) &&
      self->toasts != NULL)
    say (self, error);
}

static void
on_name (AdwEntryRow *row, StintHistoryDetails *self)
{
  stint_history_rename_async (self->history, self->id, gtk_editable_get_text (GTK_EDITABLE (row)),
                              on_changed, g_object_ref (self));
}

static void
on_tags (AdwEntryRow *row, StintHistoryDetails *self)
{
  g_auto (GStrv) tags = g_strsplit_set (gtk_editable_get_text (GTK_EDITABLE (row)), ", \t", -1);

  stint_history_set_tags_async (self->history, self->id, (const char *const *) tags, on_changed,
                                g_object_ref (self));
}

static void
on_pinned (StintHistoryDetails *self, GParamSpec *pspec, GtkSwitch *widget)
{
  if (gtk_switch_get_active (widget) == self->pinned)
    return;
  self->pinned = gtk_switch_get_active (widget);
  stint_history_pin_async (self->history, self->id, self->pinned, on_changed, g_object_ref (self));
}

static void
add_changeable (StintHistoryDetails *self, const StintEntry *entry)
{
  GtkWidget *group = adw_preferences_group_new ();
  GtkWidget *name = adw_entry_row_new ();
  GtkWidget *tags = adw_entry_row_new ();
  GtkWidget *pin = adw_action_row_new ();
  GtkWidget *pin_switch = gtk_switch_new ();
  g_autofree char *joined = g_strjoinv (" ", entry->tags);

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (name), _ ("Name"));
  gtk_editable_set_text (GTK_EDITABLE (name), entry->name != NULL ? entry->name : "");
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (name), TRUE);
  g_signal_connect (name, "apply", G_CALLBACK (on_name), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (tags), _ ("Tags, with spaces between them"));
  gtk_editable_set_text (GTK_EDITABLE (tags), joined);
  adw_entry_row_set_show_apply_button (ADW_ENTRY_ROW (tags), TRUE);
  g_signal_connect (tags, "apply", G_CALLBACK (on_tags), self);

  self->pinned = entry->pinned;
  gtk_switch_set_active (GTK_SWITCH (pin_switch), entry->pinned);
  gtk_widget_set_valign (pin_switch, GTK_ALIGN_CENTER);
  g_signal_connect_swapped (pin_switch, "notify::active", G_CALLBACK (on_pinned), self);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (pin), _ ("Pinned"));
  adw_action_row_set_subtitle (ADW_ACTION_ROW (pin), _ ("Kept however old it is"));
  adw_action_row_add_suffix (ADW_ACTION_ROW (pin), pin_switch);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (pin), pin_switch);

  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), name);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), tags);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), pin);
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

static void
add_fact (GtkWidget *group, const char *title, const char *value)
{
  GtkWidget *row;
  g_autofree char *clean = value != NULL ? stint_text_clean (value, LINE_CHARS) : NULL;

  if (clean == NULL || *clean == '\0')
    return;
  row = adw_action_row_new ();
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), clean);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 0);
  gtk_widget_add_css_class (row, "property");
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), row);
}

static void
add_facts (StintHistoryDetails *self, const StintEntry *entry)
{
  GtkWidget *group = adw_preferences_group_new ();
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *number = g_strdup_printf ("%" G_GUINT64_FORMAT, entry->id);
  g_autofree char *started = stint_history_text_format_time (entry->started_at, now, FALSE);
  g_autofree char *outcome = stint_history_text_dup_outcome (entry);
  g_autofree char *duration = stint_duration_format_words (entry->duration);
  g_autofree char *cpu = stint_duration_format_words (entry->cpu_time);
  g_autofree char *memory = g_format_size ((guint64) MAX (entry->max_rss, 0));
  g_autofree char *output = g_format_size (entry->output_bytes);
  g_autofree char *missing = g_format_size (entry->missing_bytes);

  add_fact (group, _ ("Job"), number);
  add_fact (group, _ ("Command"), entry->command);
  add_fact (group, _ ("Directory"), entry->directory);
  add_fact (group, _ ("Started"), started);
  add_fact (group, _ ("Outcome"), outcome);
  add_fact (group, _ ("What went wrong"), entry->error);
  if (!entry->running)
    {
      add_fact (group, _ ("Took"), duration);
      add_fact (group, _ ("Processor time"), cpu);
      add_fact (group, _ ("Memory, at most"), memory);
      add_fact (group, _ ("Output"), output);
    }
  if (entry->missing_bytes > 0)
    add_fact (group, _ ("Output that was not kept"), missing);
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

static GtkWidget *
make_run_row (const StintEntry *run, gboolean shown)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *icon = gtk_image_new_from_icon_name (stint_history_text_get_icon (run));
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  g_autofree char *started = stint_history_text_format_time (run->started_at, now, FALSE);
  g_autofree char *outcome = stint_history_text_dup_outcome (run);
  g_autofree char *duration = stint_duration_format_words (run->duration);
  g_autofree char *facts = run->running ? g_strdup (outcome)
                                        : g_strdup_printf ("%s · %s", outcome, duration);
  g_autofree char *title = NULL;

  /* Translators: in a list of runs: when the one that is shown started. */
  title = shown ? g_strdup_printf (_ ("%s (this one)"), started) : g_strdup (started);
  gtk_widget_add_css_class (icon, stint_history_text_get_style (run));
  adw_action_row_add_prefix (ADW_ACTION_ROW (row), icon);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), facts);
  return row;
}

static void
add_runs (StintHistoryDetails *self, const StintEntry *entry, GPtrArray *runs)
{
  GtkWidget *group;
  StintRunPlot *plot;

  if (runs->len < 2)
    return;
  group = adw_preferences_group_new ();
  plot = stint_run_plot_new ();
  adw_preferences_group_set_title (ADW_PREFERENCES_GROUP (group), _ ("Runs of the Same Command"));
  stint_run_plot_set_runs (plot, runs, entry->id);
  gtk_widget_set_margin_bottom (GTK_WIDGET (plot), 12);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (group), GTK_WIDGET (plot));
  for (guint i = 0; i < MIN (runs->len, RUNS_LISTED); i++)
    {
      const StintEntry *run = g_ptr_array_index (runs, i);

      adw_preferences_group_add (ADW_PREFERENCES_GROUP (group),
                                 make_run_row (run, run->id == entry->id));
    }
  adw_preferences_page_add (self->page, ADW_PREFERENCES_GROUP (group));
}

static void
on_found (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintHistoryDetails) self = user_data;
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) runs = NULL;
  g_autoptr (StintEntry) entry = NULL;

  runs = stint_history_find_runs_finish (STINT_HISTORY (source), result, &error);
  if (self->toasts == NULL)
    return;
  if (runs == NULL)
    {
      say (self, error);
      return;
    }
  entry = g_ptr_array_steal_index (runs, 0);
  add_changeable (self, entry);
  add_facts (self, entry);
  add_runs (self, entry, runs);
}

static void
stint_history_details_dispose (GObject *object)
{
  StintHistoryDetails *self = STINT_HISTORY_DETAILS (object);

  self->toasts = NULL;
  self->page = NULL;
  g_clear_object (&self->history);

  G_OBJECT_CLASS (stint_history_details_parent_class)->dispose (object);
}

static void
stint_history_details_class_init (StintHistoryDetailsClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_history_details_dispose;
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
stint_history_details_init (StintHistoryDetails *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_preferences_page_new ();
  GtkWidget *toasts = adw_toast_overlay_new ();

  self->page = ADW_PREFERENCES_PAGE (page);
  self->toasts = ADW_TOAST_OVERLAY (toasts);
  gtk_widget_set_vexpand (toasts, TRUE);
  adw_toast_overlay_set_child (self->toasts, page);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), toasts);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Details of the Job"));
  gtk_window_set_modal (GTK_WINDOW (self), TRUE);
  gtk_window_set_default_size (GTK_WINDOW (self), 560, 640);
  gtk_widget_set_size_request (GTK_WIDGET (self), 340, 200);
}

StintHistoryDetails *
stint_history_details_new (GtkWindow *parent, StintHistory *history, guint64 id)
{
  StintHistoryDetails *self =
    g_object_new (STINT_TYPE_HISTORY_DETAILS, "transient-for", parent, NULL);

  self->history = g_object_ref (history);
  self->id = id;
  stint_history_find_runs_async (history, id, RUNS, on_found, g_object_ref (self));
  return self;
}
