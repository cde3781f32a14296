/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The overview: an entry for a command, what can be started with a click, and what runs or needs the
 * user. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-overview.h"

#include "stint-job-row.h"
#include "stint-new-job-form.h"
#include "stint-preset.h"
#include "stint-units.h"

#include <adwaita.h>
#include <glib/gi18n.h>

/* The sidebar has them all: a row costs tens of kibibytes. */
#define MOST_LISTED 20

#define PRESET_CHARS 40
#define TOOLTIP_CHARS 500

struct _StintOverview
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkWidget *welcome;
  GtkEditable *command_entry;
  GtkWidget *run_button;
  GtkFlowBox *presets_box;
  GtkWidget *jobs_box;
  GtkLabel *needs_label;
  GtkLabel *running_label;
  GtkLabel *queued_label;
  GtkListView *list_view;
  GtkLabel *more_label;

  /* Owned */
  StintJobBoard *board;
  GListModel *listed;  /* of StintJobEntry: the first of those */
  GListModel *presets; /* of StintPreset, nullable */
};

G_DEFINE_FINAL_TYPE (StintOverview, stint_overview, GTK_TYPE_WIDGET)

enum
{
  START,
  SHOW_JOB,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
show_count (GtkLabel *label, char *text, guint count)
{
  gtk_label_set_label (label, text);
  gtk_widget_set_visible (GTK_WIDGET (label), count > 0);
  g_free (text);
}

static void
update (StintOverview *self)
{
  guint n_needs = stint_job_board_get_count (self->board, STINT_SECTION_NEEDS_YOU);
  guint n_running = stint_job_board_get_count (self->board, STINT_SECTION_RUNNING);
  guint n_queued = stint_job_board_get_count (self->board, STINT_SECTION_QUEUED);
  gboolean any = n_needs + n_running + n_queued > 0;
  guint n_more;

  gtk_widget_set_visible (self->welcome, !any);
  gtk_widget_set_visible (self->jobs_box, any);
  gtk_widget_set_visible (GTK_WIDGET (self->list_view), n_needs + n_running > 0);
  n_more = n_needs + n_running > MOST_LISTED ? n_needs + n_running - MOST_LISTED : 0;
  /* Translators: below the first of the jobs that run; the list of jobs is the sidebar. */
  show_count (self->more_label,
              g_strdup_printf (
                  ngettext ("and %u more in the list of jobs", "and %u more in the list of jobs",
                            n_more),
                  n_more),
              n_more);
  /* Translators: a count of jobs, in the overview. */
  show_count (self->needs_label,
              g_strdup_printf (ngettext ("%u needs you", "%u need you", n_needs), n_needs),
              n_needs);
  /* Translators: a count of jobs, in the overview. */
  show_count (self->running_label,
              g_strdup_printf (ngettext ("%u running", "%u running", n_running), n_running),
              n_running);
  /* Translators: a count of jobs that wait for their turn, in the overview. */
  show_count (self->queued_label,
              g_strdup_printf (ngettext ("%u queued", "%u queued", n_queued), n_queued), n_queued);
}

static void
on_changed (StintOverview *self)
{
  const char *text = gtk_editable_get_text (self->command_entry);
  g_autofree char *stripped = g_strstrip (g_strdup (text));

  gtk_widget_set_sensitive (self->run_button, *stripped != '\0');
}

static void
on_run (StintOverview *self)
{
  StintNewJobForm form = {
    .kind = STINT_JOB_KIND_TERMINAL,
    .command = gtk_editable_get_text (self->command_entry),
    .name = "",
    .prompt = "",
    .directory = "",
    .timeout = "",
    .idle_timeout = "",
    .grace = "",
    .as_set = TRUE,
  };
  g_autoptr (StintJobSpec) spec = NULL;

  if (!gtk_widget_get_sensitive (self->run_button))
    return;
  spec = stint_new_job_form_dup_spec (&form);
  gtk_editable_set_text (self->command_entry, "");
  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_row_activated (StintOverview *self, guint position)
{
  g_autoptr (StintJobEntry) entry = g_list_model_get_item (self->listed, position);

  if (entry != NULL)
    g_signal_emit (self, signals[SHOW_JOB], 0, stint_job_entry_get_job (entry));
}

static void
stint_overview_dispose (GObject *object)
{
  StintOverview *self = STINT_OVERVIEW (object);
  GtkWidget *child;

  if (self->presets_box != NULL)
    gtk_flow_box_bind_model (self->presets_box, NULL, NULL, NULL, NULL);
  self->presets_box = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  g_clear_object (&self->listed);
  g_clear_object (&self->presets);
  g_clear_object (&self->board);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_OVERVIEW);

  G_OBJECT_CLASS (stint_overview_parent_class)->dispose (object);
}

static gboolean
stint_overview_grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (STINT_OVERVIEW (widget)->command_entry));
}

static void
stint_overview_class_init (StintOverviewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_overview_dispose;
  widget_class->grab_focus = stint_overview_grab_focus;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[SHOW_JOB] = g_signal_new ("show-job", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, STINT_TYPE_JOB);

  g_type_ensure (STINT_TYPE_JOB_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/stint/Stint/stint-overview.ui");
  gtk_widget_class_bind_template_child (widget_class, StintOverview, welcome);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, command_entry);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, run_button);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, presets_box);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, jobs_box);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, needs_label);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, running_label);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, queued_label);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, list_view);
  gtk_widget_class_bind_template_child (widget_class, StintOverview, more_label);
  gtk_widget_class_bind_template_callback (widget_class, on_run);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_row_activated);
  gtk_widget_class_set_css_name (widget_class, "overview");
}

static void
stint_overview_init (StintOverview *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static gboolean
is_listed (gpointer item, gpointer user_data)
{
  StintSection section = stint_job_entry_get_section (item);

  /* The terminals of an agent are found at the agent. */
  if (stint_job_entry_get_above (item) != NULL)
    return FALSE;
  return section == STINT_SECTION_NEEDS_YOU || section == STINT_SECTION_RUNNING;
}

void
stint_overview_set_board (StintOverview *self, StintJobBoard *board)
{
  GtkFilterListModel *wanted;
  GtkSelectionModel *selection;

  g_return_if_fail (STINT_IS_OVERVIEW (self));
  g_return_if_fail (STINT_IS_JOB_BOARD (board));
  g_return_if_fail (self->board == NULL);

  self->board = g_object_ref (board);
  wanted = gtk_filter_list_model_new (g_object_ref (G_LIST_MODEL (board)),
                                      GTK_FILTER (gtk_custom_filter_new (is_listed, NULL, NULL)));
  self->listed = G_LIST_MODEL (gtk_slice_list_model_new (G_LIST_MODEL (wanted), 0, MOST_LISTED));
  selection = GTK_SELECTION_MODEL (gtk_no_selection_new (g_object_ref (self->listed)));
  gtk_list_view_set_model (self->list_view, selection);
  g_object_unref (selection);
  g_signal_connect_object (board, "counts-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
}

static void
on_preset_clicked (StintOverview *self, GtkButton *button)
{
  GtkWidget *child = gtk_widget_get_parent (GTK_WIDGET (button));
  int index = gtk_flow_box_child_get_index (GTK_FLOW_BOX_CHILD (child));
  g_autoptr (StintPreset) preset = g_list_model_get_item (self->presets, (guint) index);
  g_autoptr (StintJobSpec) spec = NULL;

  if (preset == NULL)
    return;
  spec = stint_preset_dup_job_spec (preset);
  g_signal_emit (self, signals[START], 0, spec);
}

static GtkWidget *
new_preset_button (gpointer item, gpointer user_data)
{
  StintOverview *self = user_data;
  StintPreset *preset = item;
  StintJobSpec *spec = stint_preset_get_spec (preset);
  g_autofree char *name = stint_text_clean (stint_preset_get_name (preset), PRESET_CHARS);
  g_autofree char *line = stint_job_spec_dup_command_line (spec);
  g_autofree char *tooltip = stint_text_clean (line, TOOLTIP_CHARS);
  GtkWidget *child = gtk_flow_box_child_new ();
  GtkWidget *button = gtk_button_new ();
  GtkWidget *content = adw_button_content_new ();

  adw_button_content_set_icon_name (ADW_BUTTON_CONTENT (content), stint_preset_get_icon (preset));
  adw_button_content_set_label (ADW_BUTTON_CONTENT (content), name);
  gtk_button_set_child (GTK_BUTTON (button), content);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  g_signal_connect_object (button, "clicked", G_CALLBACK (on_preset_clicked), self,
                           G_CONNECT_SWAPPED);
  /* The button in it has the focus. */
  gtk_widget_set_focusable (child, FALSE);
  gtk_flow_box_child_set_child (GTK_FLOW_BOX_CHILD (child), button);
  return child;
}

static void
update_presets (StintOverview *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->presets_box),
                          self->presets != NULL && g_list_model_get_n_items (self->presets) > 0);
}

void
stint_overview_set_presets (StintOverview *self, GListModel *presets)
{
  g_return_if_fail (STINT_IS_OVERVIEW (self));
  g_return_if_fail (presets == NULL || G_IS_LIST_MODEL (presets));

  if (self->presets == presets)
    return;
  if (self->presets != NULL)
    g_signal_handlers_disconnect_by_data (self->presets, self);
  g_set_object (&self->presets, presets);
  gtk_flow_box_bind_model (self->presets_box, presets, new_preset_button, self, NULL);
  if (presets != NULL)
    g_signal_connect_object (presets, "items-changed", G_CALLBACK (update_presets), self,
                             G_CONNECT_SWAPPED);
  update_presets (self);
}
