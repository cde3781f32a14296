/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How long earlier and later runs of a command took, and how they ended, as bars. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-run-plot.h"

#include "stint-entry.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define HEIGHT 72
#define MAX_BAR 18.0f
#define GAP 2.0f
#define LEAST 3.0f

typedef struct
{
  double height; /* of the longest, 0 to 1 */
  gboolean failed;
  gboolean marked;
} Bar;

struct _StintRunPlot
{
  GtkWidget parent_instance;

  GArray *bars; /* Bar, the oldest first */
};

G_DEFINE_FINAL_TYPE (StintRunPlot, stint_run_plot, GTK_TYPE_WIDGET)

static void
get_colour (GtkWidget *widget, const char *name, GdkRGBA *colour)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);

  if (!gtk_style_context_lookup_color (context, name, colour))
    gtk_style_context_get_color (context, colour);
}

static void
stint_run_plot_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StintRunPlot *self = STINT_RUN_PLOT (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  float step = self->bars->len > 0 ? MIN (width / (float) self->bars->len, MAX_BAR + GAP) : 0;
  gboolean rtl = gtk_widget_get_direction (widget) == GTK_TEXT_DIR_RTL;
  GdkRGBA good, bad, text;

  get_colour (widget, "success_color", &good);
  get_colour (widget, "error_color", &bad);
  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &text);
  for (guint i = 0; i < self->bars->len; i++)
    {
      const Bar *bar = &g_array_index (self->bars, Bar, i);
      float tall = LEAST + (float) bar->height * (height - LEAST - 4);
      float x = rtl ? width - step * (float) (i + 1) : step * (float) i;
      float wide = MAX (step - GAP, 1.0f);

      gtk_snapshot_append_color (snapshot, bar->failed ? &bad : &good,
                                 &GRAPHENE_RECT_INIT (x, height - 4 - tall, wide, tall));
      /* Not by colour alone: what failed has a foot, what is shown a line below. */
      if (bar->failed)
        gtk_snapshot_append_color (snapshot, &text,
                                   &GRAPHENE_RECT_INIT (x, height - 4 - tall, wide, 1.5f));
      if (bar->marked)
        gtk_snapshot_append_color (snapshot, &text, &GRAPHENE_RECT_INIT (x, height - 2, wide, 2));
    }
}

static void
stint_run_plot_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  *minimum = *natural = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : 60;
}

static void
stint_run_plot_finalize (GObject *object)
{
  g_array_unref (STINT_RUN_PLOT (object)->bars);

  G_OBJECT_CLASS (stint_run_plot_parent_class)->finalize (object);
}

static void
stint_run_plot_class_init (StintRunPlotClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = stint_run_plot_finalize;
  widget_class->snapshot = stint_run_plot_snapshot;
  widget_class->measure = stint_run_plot_measure;
  gtk_widget_class_set_css_name (widget_class, "runplot");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_IMG);
}

static void
stint_run_plot_init (StintRunPlot *self)
{
  self->bars = g_array_new (FALSE, FALSE, sizeof (Bar));
}

StintRunPlot *
stint_run_plot_new (void)
{
  return g_object_new (STINT_TYPE_RUN_PLOT, NULL);
}

/* What it shows, for who does not see it. */
static void
describe (StintRunPlot *self, guint n_failed, gint64 longest)
{
  g_autofree char *duration = stint_duration_format_words (longest);
  g_autofree char *text = NULL;

  /* Translators: a number of runs of a command, how many of them failed, and how long one took. */
  text = g_strdup_printf (g_dngettext (GETTEXT_PACKAGE, "%u run, %u failed, the longest took %s",
                                       "%u runs, %u failed, the longest took %s", self->bars->len),
                          self->bars->len, n_failed, duration);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), text);
}

void
stint_run_plot_set_runs (StintRunPlot *self, GPtrArray *runs, guint64 id)
{
  gint64 longest = 0;
  guint n_failed = 0;

  g_return_if_fail (STINT_IS_RUN_PLOT (self));

  g_array_set_size (self->bars, 0);
  for (guint i = 0; i < runs->len; i++)
    longest = MAX (longest, ((StintEntry *) g_ptr_array_index (runs, i))->duration);
  for (guint i = runs->len; i > 0; i--)
    {
      const StintEntry *entry = g_ptr_array_index (runs, i - 1);
      Bar bar = { longest > 0 ? (double) entry->duration / (double) longest : 0,
                  stint_entry_has_failed (entry), entry->id == id };

      n_failed += bar.failed;
      g_array_append_val (self->bars, bar);
    }
  describe (self, n_failed, longest);
  gtk_widget_queue_draw (GTK_WIDGET (self));
}
