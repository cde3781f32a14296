/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Pages of jobs, side by side: how they are laid out, and which is the current one. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-pages.h"

/* What a bar needs to show all that it has side by side: so many pixels, and at large text so many
 * characters. */
#define ROOMY_WIDTH 620
#define ROOMY_CHARS 78

struct _StintPages
{
  GtkWidget parent_instance;

  GtkWidget *scroller; /* never scrolls, but lets the pages be narrower than they want to be */
  GtkWidget *grid;
  GPtrArray *pages; /* of StintJobPage, children of the grid */
  StintJobPage *current;
  StintJob *previous; /* nullable: what the current one showed before */
  StintSettings *settings;
  gboolean narrow;
  gboolean tight; /* the columns are too narrow for all of a bar */
  guint tight_id;
};

G_DEFINE_FINAL_TYPE (StintPages, stint_pages, GTK_TYPE_WIDGET)

enum
{
  PROP_0,
  PROP_NARROW,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

enum
{
  PAGE_MADE,
  CURRENT_CHANGED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static gboolean is_tight (StintPages *self);

/* One beside the other, from three on in two rows. */
static void
lay_out (StintPages *self)
{
  guint n_pages = self->pages->len;
  gboolean several = n_pages > 1 && !self->narrow;
  GtkLayoutManager *layout = gtk_widget_get_layout_manager (self->grid);

  self->tight = is_tight (self);
  for (guint i = 0; i < n_pages; i++)
    {
      GtkWidget *page = self->pages->pdata[i];
      GtkLayoutChild *child = gtk_layout_manager_get_layout_child (layout, page);
      gboolean alone_in_row = n_pages == 3 && i == 2;

      g_object_set (child, "column", (int) (i % 2), "row", (int) (i / 2), "column-span",
                    alone_in_row ? 2 : 1, NULL);
      gtk_widget_set_visible (page, !self->narrow || self->pages->pdata[i] == self->current);
      g_object_set (page, "narrow", self->narrow || (self->tight && !(several && alone_in_row)),
                    "closable", several, NULL);
      if (several && self->pages->pdata[i] == self->current)
        gtk_widget_add_css_class (page, "current");
      else
        gtk_widget_remove_css_class (page, "current");
    }
}

static double
get_roomy_width (StintPages *self)
{
  PangoContext *context = gtk_widget_get_pango_context (GTK_WIDGET (self));
  PangoFontMetrics *metrics = pango_context_get_metrics (context, NULL, NULL);
  int char_width = pango_font_metrics_get_approximate_char_width (metrics);

  pango_font_metrics_unref (metrics);
  return MAX (ROOMY_WIDTH, (double) char_width * ROOMY_CHARS / PANGO_SCALE);
}

static gboolean
is_tight (StintPages *self)
{
  GtkAdjustment *adjustment =
      gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller));
  int n_columns = self->pages->len > 1 && !self->narrow ? 2 : 1;
  double width = gtk_adjustment_get_page_size (adjustment);

  /* Before there is a size nothing may make the window wider than the narrowest. */
  return width / n_columns < get_roomy_width (self);
}

static void
on_tight (gpointer user_data)
{
  StintPages *self = STINT_PAGES (user_data);

  self->tight_id = 0;
  self->tight = is_tight (self);
  lay_out (self);
}

/* Not now: what is being laid out must not change meanwhile. */
static void
on_width (StintPages *self)
{
  if (self->tight_id == 0 && self->tight != is_tight (self))
    self->tight_id = g_idle_add_once (on_tight, self);
}

static void
on_close (StintPages *self, StintJobPage *page)
{
  stint_pages_close (self, page);
}

static StintJobPage *
add_page (StintPages *self)
{
  StintJobPage *page = g_object_new (STINT_TYPE_JOB_PAGE, "hexpand", TRUE, "vexpand", TRUE, NULL);

  if (self->settings != NULL)
    stint_job_page_set_settings (page, self->settings);
  g_ptr_array_add (self->pages, page);
  gtk_widget_set_parent (GTK_WIDGET (page), self->grid);
  g_signal_connect_object (page, "close", G_CALLBACK (on_close), self, G_CONNECT_SWAPPED);
  g_signal_emit (self, signals[PAGE_MADE], 0, page);
  return page;
}

static void
stint_pages_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  if (prop_id == PROP_NARROW)
    g_value_set_boolean (value, STINT_PAGES (object)->narrow);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
}

static void
stint_pages_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintPages *self = STINT_PAGES (object);

  if (prop_id != PROP_NARROW)
    {
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
      return;
    }
  self->narrow = g_value_get_boolean (value);
  lay_out (self);
  g_object_notify_by_pspec (object, pspec);
}

static void
stint_pages_dispose (GObject *object)
{
  StintPages *self = STINT_PAGES (object);

  g_clear_handle_id (&self->tight_id, g_source_remove);
  for (guint i = 0; i < self->pages->len; i++)
    gtk_widget_unparent (self->pages->pdata[i]);
  g_ptr_array_set_size (self->pages, 0);
  self->current = NULL;
  self->grid = NULL;
  if (self->scroller != NULL)
    g_signal_handlers_disconnect_by_data (
        gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)), self);
  g_clear_pointer (&self->scroller, gtk_widget_unparent);
  g_clear_object (&self->settings);
  g_clear_object (&self->previous);

  G_OBJECT_CLASS (stint_pages_parent_class)->dispose (object);
}

static void
stint_pages_finalize (GObject *object)
{
  g_ptr_array_unref (STINT_PAGES (object)->pages);

  G_OBJECT_CLASS (stint_pages_parent_class)->finalize (object);
}

static void
stint_pages_class_init (StintPagesClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  GType type = G_TYPE_FROM_CLASS (klass);

  object_class->get_property = stint_pages_get_property;
  object_class->set_property = stint_pages_set_property;
  object_class->dispose = stint_pages_dispose;
  object_class->finalize = stint_pages_finalize;

  properties[PROP_NARROW] =
      g_param_spec_boolean ("narrow", NULL, NULL, FALSE,
                            G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);

  signals[PAGE_MADE] = g_signal_new ("page-made", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, STINT_TYPE_JOB_PAGE);
  signals[CURRENT_CHANGED] = g_signal_new ("current-changed", type, G_SIGNAL_RUN_LAST, 0, NULL,
                                           NULL, NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "pages");
}

static void
stint_pages_init (StintPages *self)
{
  self->pages = g_ptr_array_new ();
  self->grid = g_object_new (GTK_TYPE_GRID, "row-homogeneous", TRUE, "column-homogeneous", TRUE,
                             "row-spacing", 1, "column-spacing", 1, NULL);
  self->scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "hscrollbar-policy", GTK_POLICY_EXTERNAL,
                                 "vscrollbar-policy", GTK_POLICY_NEVER, "kinetic-scrolling", FALSE,
                                 "focusable", FALSE, "child", self->grid, NULL);
  gtk_widget_set_parent (self->scroller, GTK_WIDGET (self));
  self->tight = TRUE;
  g_signal_connect_swapped (
      gtk_scrolled_window_get_hadjustment (GTK_SCROLLED_WINDOW (self->scroller)),
      "notify::page-size", G_CALLBACK (on_width), self);
}

void
stint_pages_set_settings (StintPages *self, StintSettings *settings)
{
  g_return_if_fail (STINT_IS_PAGES (self));
  g_return_if_fail (STINT_IS_SETTINGS (settings));

  g_set_object (&self->settings, settings);
  for (guint i = 0; i < self->pages->len; i++)
    stint_job_page_set_settings (self->pages->pdata[i], settings);
}

StintJobPage *
stint_pages_get_current (StintPages *self)
{
  g_return_val_if_fail (STINT_IS_PAGES (self), NULL);

  /* Not before somebody listens for the pages that are made. */
  if (self->current == NULL && self->grid != NULL)
    {
      self->current = add_page (self);
      lay_out (self);
    }
  return self->current;
}

void
stint_pages_set_current (StintPages *self, StintJobPage *page)
{
  g_return_if_fail (STINT_IS_PAGES (self));
  g_return_if_fail (STINT_IS_JOB_PAGE (page));

  if (self->current == page)
    return;
  self->current = page;
  lay_out (self);
  g_signal_emit (self, signals[CURRENT_CHANGED], 0);
}

static StintJobPage *
find_page_of (StintPages *self, StintJob *job)
{
  for (guint i = 0; job != NULL && i < self->pages->len; i++)
    {
      if (stint_job_page_get_job (self->pages->pdata[i]) == job)
        return self->pages->pdata[i];
    }
  return NULL;
}

void
stint_pages_show (StintPages *self, StintJob *job)
{
  StintJobPage *page;

  g_return_if_fail (STINT_IS_PAGES (self));
  g_return_if_fail (job == NULL || STINT_IS_JOB (job));

  page = find_page_of (self, job);
  if (page == NULL)
    {
      page = stint_pages_get_current (self);
      g_set_object (&self->previous, stint_job_page_get_job (page));
      stint_job_page_set_job (page, job);
    }
  self->current = page;
  lay_out (self);
  g_signal_emit (self, signals[CURRENT_CHANGED], 0);
}

void
stint_pages_show_beside (StintPages *self, StintJob *job)
{
  StintJobPage *current;

  g_return_if_fail (STINT_IS_PAGES (self));
  g_return_if_fail (STINT_IS_JOB (job));

  current = stint_pages_get_current (self);
  /* Who got to it through the list wants it beside what was shown before. */
  if (stint_job_page_get_job (current) == job && self->pages->len < STINT_MOST_PAGES &&
      self->previous != NULL && find_page_of (self, self->previous) == NULL)
    stint_job_page_set_job (current, self->previous);
  if (find_page_of (self, job) == NULL && stint_job_page_get_job (current) != NULL &&
      self->pages->len < STINT_MOST_PAGES)
    self->current = add_page (self);
  g_clear_object (&self->previous);
  stint_pages_show (self, job);
}

void
stint_pages_close (StintPages *self, StintJobPage *page)
{
  GtkRoot *root;
  GtkWidget *focus;
  guint index;

  g_return_if_fail (STINT_IS_PAGES (self));
  g_return_if_fail (STINT_IS_JOB_PAGE (page));

  if (self->pages->len < 2 || !g_ptr_array_find (self->pages, page, &index))
    return;
  root = gtk_widget_get_root (GTK_WIDGET (self));
  focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  g_ptr_array_remove_index (self->pages, index);
  if (self->current == page)
    self->current = self->pages->pdata[MIN (index, self->pages->len - 1)];
  /* The focus goes on in the page that is now the current one. */
  if (focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (page)))
    stint_job_page_focus_pane (self->current);
  gtk_widget_unparent (GTK_WIDGET (page));
  lay_out (self);
  g_signal_emit (self, signals[CURRENT_CHANGED], 0);
}

void
stint_pages_forget (StintPages *self, StintJob *job)
{
  StintJobPage *page;

  g_return_if_fail (STINT_IS_PAGES (self));

  while ((page = find_page_of (self, job)) != NULL && self->pages->len > 1)
    stint_pages_close (self, page);
}

guint
stint_pages_get_n_pages (StintPages *self)
{
  g_return_val_if_fail (STINT_IS_PAGES (self), 0);

  return self->pages->len;
}

StintJobPage *
stint_pages_get_page (StintPages *self, guint index)
{
  g_return_val_if_fail (STINT_IS_PAGES (self), NULL);
  g_return_val_if_fail (index < self->pages->len, NULL);

  return self->pages->pdata[index];
}

StintJobPage *
stint_pages_find (StintPages *self, GtkWidget *widget)
{
  GtkWidget *page;

  g_return_val_if_fail (STINT_IS_PAGES (self), NULL);

  page = widget != NULL ? gtk_widget_get_ancestor (widget, STINT_TYPE_JOB_PAGE) : NULL;
  return page != NULL && g_ptr_array_find (self->pages, page, NULL) ? STINT_JOB_PAGE (page) : NULL;
}
