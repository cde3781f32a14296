/* SPDX-License-Identifier: GPL-3.0-or-later */

/* VTE as a screen only: colours, and a size that is told. Who feeds it, and where its input goes,
 * is the pane's affair. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-terminal.h"

#include <adwaita.h>

struct _StintTerminal
{
  VteTerminal parent_instance;

  gboolean high_contrast;
  gboolean resizing;
  glong row_shift;
  glong row; /* the cursor's, before the size changed */
  guint recorded_columns; /* 0: the allocation decides */
  guint recorded_rows;
  glong columns; /* as last told */
  glong rows;

  GdkFrameClock *clock; /* while it is realized */
  gulong before_id;
  gulong after_id;
  gint64 frame_begun;
  gboolean drawn; /* in this frame */
};

G_DEFINE_FINAL_TYPE (StintTerminal, stint_terminal, VTE_TYPE_TERMINAL)

enum
{
  GRID_CHANGED,
  PAINTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static const char *const palette[] = {
  "#241f31", "#c01c28", "#2ec27e", "#f5c211", "#1e78e4", "#9841bb", "#0ab9dc", "#c0bfbc",
  "#5e5c64", "#ed333b", "#57e389", "#f8e45c", "#51a1ff", "#c061cb", "#4fd2fd", "#f6f5f4",
};

/* Each far enough from the dark background, or from white, to be read on it. */
static const char *const on_dark[] = {
  "#000000", "#ff8080", "#60ff60", "#ffff60", "#80b0ff", "#ff90ff", "#60ffff", "#ffffff",
  "#b0b0b0", "#ffa0a0", "#90ff90", "#ffff90", "#a8c8ff", "#ffb0ff", "#90ffff", "#ffffff",
};
static const char *const on_white[] = {
  "#000000", "#900000", "#005000", "#5a4200", "#0000a0", "#700070", "#004a58", "#404040",
  "#303030", "#a00000", "#006000", "#604800", "#0000c0", "#800080", "#005868", "#000000",
};

static void
update_high_contrast (StintTerminal *self, gboolean dark)
{
  const char *const *names = dark ? on_dark : on_white;
  GdkRGBA colors[G_N_ELEMENTS (on_dark)];
  GdkRGBA foreground, background;

  for (guint i = 0; i < G_N_ELEMENTS (colors); i++)
    gdk_rgba_parse (&colors[i], names[i]);
  gdk_rgba_parse (&foreground, dark ? "#ffffff" : "#000000");
  gdk_rgba_parse (&background, dark ? "#1e1e1e" : "#ffffff");
  vte_terminal_set_colors (VTE_TERMINAL (self), &foreground, &background, colors,
                           G_N_ELEMENTS (colors));
}

static void
update_colors (StintTerminal *self)
{
  AdwStyleManager *manager = adw_style_manager_get_default ();
  gboolean dark = adw_style_manager_get_dark (manager);
  GdkRGBA colors[G_N_ELEMENTS (palette)];
  GdkRGBA foreground, background;

  if (self->high_contrast || adw_style_manager_get_high_contrast (manager))
    {
      update_high_contrast (self, dark);
      return;
    }
  for (guint i = 0; i < G_N_ELEMENTS (palette); i++)
    gdk_rgba_parse (&colors[i], palette[i]);
  gdk_rgba_parse (&foreground, dark ? "#ffffff" : "#1e1e1e");
  gdk_rgba_parse (&background, dark ? "#1e1e1e" : "#ffffff");
  vte_terminal_set_colors (VTE_TERMINAL (self), &foreground, &background, colors,
                           G_N_ELEMENTS (palette));
}

static glong
get_cursor_row (StintTerminal *self)
{
  glong column, row;

  vte_terminal_get_cursor_position (VTE_TERMINAL (self), &column, &row);
  return row;
}

static void
begin_resizing (StintTerminal *self)
{
  self->resizing = TRUE;
  self->row = get_cursor_row (self);
}

/* The cursor stays where it was in the text. */
static void
end_resizing (StintTerminal *self)
{
  self->row_shift += get_cursor_row (self) - self->row;
  self->resizing = FALSE;
}

static void
stint_terminal_size_allocate (GtkWidget *widget, int width, int height, int baseline)
{
  StintTerminal *self = STINT_TERMINAL (widget);
  VteTerminal *vte = VTE_TERMINAL (self);

  if (self->recorded_columns > 0)
    {
      width = (int) (self->recorded_columns * (guint) vte_terminal_get_char_width (vte));
      height = (int) (self->recorded_rows * (guint) vte_terminal_get_char_height (vte));
    }

  begin_resizing (self);
  GTK_WIDGET_CLASS (stint_terminal_parent_class)->size_allocate (widget, width, height, baseline);
  end_resizing (self);

  if (self->recorded_columns > 0)
    return;
  if (vte_terminal_get_column_count (vte) != self->columns ||
      vte_terminal_get_row_count (vte) != self->rows)
    {
      self->columns = vte_terminal_get_column_count (vte);
      self->rows = vte_terminal_get_row_count (vte);
      g_signal_emit (self, signals[GRID_CHANGED], 0);
    }
}

/* Its natural size is its grid's, which may be as wide as a recording; it takes what there is. */
static void
stint_terminal_measure (GtkWidget *widget,
                        GtkOrientation orientation,
                        int for_size,
                        int *minimum,
                        int *natural,
                        int *minimum_baseline,
                        int *natural_baseline)
{
  GTK_WIDGET_CLASS (stint_terminal_parent_class)
      ->measure (widget, orientation, for_size, minimum, natural, minimum_baseline,
                 natural_baseline);
  *natural = *minimum;
}

static void
on_before_paint (StintTerminal *self)
{
  self->frame_begun = g_get_monotonic_time ();
  self->drawn = FALSE;
}

static void
on_after_paint (StintTerminal *self)
{
  if (self->drawn)
    g_signal_emit (self, signals[PAINTED], 0, g_get_monotonic_time () - self->frame_begun);
  self->drawn = FALSE;
}

static void
stint_terminal_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StintTerminal *self = STINT_TERMINAL (widget);

  self->drawn = TRUE;
  GTK_WIDGET_CLASS (stint_terminal_parent_class)->snapshot (widget, snapshot);
}

static void
stint_terminal_realize (GtkWidget *widget)
{
  StintTerminal *self = STINT_TERMINAL (widget);

  GTK_WIDGET_CLASS (stint_terminal_parent_class)->realize (widget);
  self->clock = g_object_ref (gtk_widget_get_frame_clock (widget));
  self->before_id = g_signal_connect_swapped (self->clock, "before-paint",
                                              G_CALLBACK (on_before_paint), self);
  self->after_id =
      g_signal_connect_swapped (self->clock, "after-paint", G_CALLBACK (on_after_paint), self);
}

static void
stint_terminal_unrealize (GtkWidget *widget)
{
  StintTerminal *self = STINT_TERMINAL (widget);

  g_clear_signal_handler (&self->before_id, self->clock);
  g_clear_signal_handler (&self->after_id, self->clock);
  g_clear_object (&self->clock);
  GTK_WIDGET_CLASS (stint_terminal_parent_class)->unrealize (widget);
}

static void
stint_terminal_class_init (StintTerminalClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  widget_class->size_allocate = stint_terminal_size_allocate;
  widget_class->measure = stint_terminal_measure;
  widget_class->snapshot = stint_terminal_snapshot;
  widget_class->realize = stint_terminal_realize;
  widget_class->unrealize = stint_terminal_unrealize;

  signals[GRID_CHANGED] = g_signal_new ("grid-changed", G_TYPE_FROM_CLASS (klass),
                                        G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[PAINTED] = g_signal_new ("painted", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                   NULL, NULL, G_TYPE_NONE, 1, G_TYPE_INT64);
}

static void
stint_terminal_init (StintTerminal *self)
{
  VteTerminal *vte = VTE_TERMINAL (self);

  vte_terminal_set_audible_bell (vte, FALSE);
  vte_terminal_set_allow_hyperlink (vte, FALSE);
  vte_terminal_set_scroll_on_output (vte, FALSE);
  vte_terminal_set_scroll_on_keystroke (vte, TRUE);
  vte_terminal_set_mouse_autohide (vte, TRUE);
  vte_terminal_set_cursor_blink_mode (vte, VTE_CURSOR_BLINK_OFF);
  vte_terminal_set_bold_is_bright (vte, FALSE);
  update_colors (self);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::dark",
                           G_CALLBACK (update_colors), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (adw_style_manager_get_default (), "notify::high-contrast",
                           G_CALLBACK (update_colors), self, G_CONNECT_SWAPPED);
}

void
stint_terminal_set_high_contrast (StintTerminal *self, gboolean high_contrast)
{
  g_return_if_fail (STINT_IS_TERMINAL (self));

  if (self->high_contrast == !!high_contrast)
    return;
  self->high_contrast = !!high_contrast;
  update_colors (self);
}

void
stint_terminal_set_recorded_size (StintTerminal *self, guint columns, guint rows)
{
  g_return_if_fail (STINT_IS_TERMINAL (self));
  g_return_if_fail (columns > 0 && rows > 0);

  if (self->recorded_columns == columns && self->recorded_rows == rows)
    return;
  self->recorded_columns = columns;
  self->recorded_rows = rows;
  begin_resizing (self);
  vte_terminal_set_size (VTE_TERMINAL (self), (glong) columns, (glong) rows);
  end_resizing (self);
}

gboolean
stint_terminal_is_resizing (StintTerminal *self)
{
  g_return_val_if_fail (STINT_IS_TERMINAL (self), FALSE);

  return self->resizing;
}

glong
stint_terminal_get_row_shift (StintTerminal *self)
{
  g_return_val_if_fail (STINT_IS_TERMINAL (self), 0);

  return self->row_shift;
}

void
stint_terminal_follow_allocation (StintTerminal *self)
{
  g_return_if_fail (STINT_IS_TERMINAL (self));

  if (self->recorded_columns == 0)
    return;
  self->recorded_columns = 0;
  self->recorded_rows = 0;
  gtk_widget_queue_allocate (GTK_WIDGET (self));
}
