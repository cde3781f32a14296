/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Drawing a timeline. How a job ended is told by colour, and by form for who sees none: what failed is
 * striped, what was stopped is an outline, what runs is open at its end, and each has its icon. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-timeline-private.h"

#include "stint-history-text.h"
#include "stint-timeline-axis.h"

#include <adwaita.h>
#include <math.h>

#define EDGE 3.0f
#define RADIUS 4.0f
#define ICON 16.0f
#define STRIPE 8.0f
#define TITLE_CHARS 120

/* Of text in a bar, pixels. */
#define LEAST_TEXT 28.0f

typedef struct
{
  GtkSnapshot *snapshot;
  StintTimeline *timeline;
  GdkRGBA text, good, bad, warning, accent;
  gboolean strong; /* high contrast */
  float y;         /* of the lane's bars */
  double now_x;    /* in the direction of time */
} Drawing;

static GdkRGBA
with_alpha (const GdkRGBA *colour, float alpha)
{
  GdkRGBA made = *colour;

  made.alpha *= alpha;
  return made;
}

static void
look_up (GtkWidget *widget, const char *name, GdkRGBA *colour)
{
  GtkStyleContext *context = gtk_widget_get_style_context (widget);

  if (!gtk_style_context_lookup_color (context, name, colour))
    gtk_style_context_get_color (context, colour);
}

static gboolean
was_stopped (const StintEntry *entry)
{
  return !entry->running && !stint_entry_has_failed (entry) && entry->reason != STINT_REASON_EXITED;
}

static const GdkRGBA *
get_colour (const Drawing *drawing, const StintEntry *entry)
{
  const char *style = stint_history_text_get_style (entry);

  if (g_str_equal (style, "accent"))
    return &drawing->accent;
  if (g_str_equal (style, "error"))
    return &drawing->bad;
  if (g_str_equal (style, "warning"))
    return &drawing->warning;
  return g_str_equal (style, "success") ? &drawing->good : &drawing->text;
}

/* Diagonals, in what is failed. */
static void
append_stripes (GtkSnapshot *snapshot, const graphene_rect_t *bar, const GdkRGBA *colour)
{
  const GdkRGBA none = with_alpha (colour, 0);
  const GskColorStop stops[] = { { 0, *colour }, { 0.5f, *colour }, { 0.5f, none }, { 1, none } };

  gtk_snapshot_append_repeating_linear_gradient (
      snapshot, bar, &bar->origin,
      &GRAPHENE_POINT_INIT (bar->origin.x + STRIPE, bar->origin.y + STRIPE), stops,
      G_N_ELEMENTS (stops));
}

static void
append_body (const Drawing *drawing, const StintEntry *entry, const graphene_rect_t *bar)
{
  const GdkRGBA *colour = get_colour (drawing, entry);
  GdkRGBA tint = with_alpha (colour, drawing->strong ? 0.1f : 0.22f);
  const GdkRGBA none = with_alpha (colour, 0);
  float right = bar->origin.x + bar->size.width;
  gboolean mirrored = stint_time_scale_is_mirrored (drawing->timeline->scale);

  if (entry->running)
    {
      const GskColorStop stops[] = { { 0, with_alpha (colour, 0.4f) }, { 1, none } };

      gtk_snapshot_append_linear_gradient (
          drawing->snapshot, bar, &GRAPHENE_POINT_INIT (mirrored ? right : bar->origin.x, 0),
          &GRAPHENE_POINT_INIT (mirrored ? bar->origin.x : right, 0), stops, G_N_ELEMENTS (stops));
      return;
    }
  if (!was_stopped (entry))
    gtk_snapshot_append_color (drawing->snapshot, &tint, bar);
  if (stint_entry_has_failed (entry))
    append_stripes (drawing->snapshot, bar, &tint);
}

static void
append_outline (const Drawing *drawing, const GskRoundedRect *rounded, const GdkRGBA *colour, float width)
{
  const float widths[] = { width, width, width, width };
  const GdkRGBA colours[] = { *colour, *colour, *colour, *colour };

  gtk_snapshot_append_border (drawing->snapshot, rounded, widths, colours);
}

static PangoLayout *
get_layout (StintTimeline *self, guint index)
{
  PangoLayout *layout = g_hash_table_lookup (self->layouts, GUINT_TO_POINTER (index));
  g_autofree char *title = NULL;

  if (layout != NULL)
    return layout;
  title = stint_entry_dup_title (g_ptr_array_index (self->entries, index), TITLE_CHARS);
  layout = gtk_widget_create_pango_layout (GTK_WIDGET (self), title);
  pango_layout_set_ellipsize (layout, PANGO_ELLIPSIZE_END);
  pango_layout_set_single_paragraph_mode (layout, TRUE);
  g_hash_table_insert (self->layouts, GUINT_TO_POINTER (index), layout);
  return layout;
}

static void
append_icon (const Drawing *drawing, const StintEntry *entry, float x)
{
  GtkWidget *widget = GTK_WIDGET (drawing->timeline);
  GtkIconTheme *theme = gtk_icon_theme_get_for_display (gtk_widget_get_display (widget));
  g_autoptr (GtkIconPaintable) icon =
      gtk_icon_theme_lookup_icon (theme, stint_history_text_get_icon (entry), NULL, (int) ICON,
                                  gtk_widget_get_scale_factor (widget),
                                  gtk_widget_get_direction (widget), 0);

  gtk_snapshot_save (drawing->snapshot);
  gtk_snapshot_translate (
      drawing->snapshot,
      &GRAPHENE_POINT_INIT (x, drawing->y + ((float) STINT_TIMELINE_BAR - ICON) / 2));
  gtk_symbolic_paintable_snapshot_symbolic (GTK_SYMBOLIC_PAINTABLE (icon), drawing->snapshot, ICON,
                                            ICON, &drawing->text, 1);
  gtk_snapshot_restore (drawing->snapshot);
}

/* What there is room for: the icon, then the name. */
static void
append_words (const Drawing *drawing, guint index, const graphene_rect_t *bar)
{
  const StintEntry *entry = g_ptr_array_index (drawing->timeline->entries, index);
  gboolean mirrored = stint_time_scale_is_mirrored (drawing->timeline->scale);
  float left = MAX (bar->origin.x, 0);
  float right = MIN (bar->origin.x + bar->size.width,
                     (float) stint_time_scale_get_width (drawing->timeline->scale));
  float room = right - left - EDGE - 8;
  PangoLayout *layout;
  int height;

  if (room < ICON)
    return;
  append_icon (drawing, entry, mirrored ? right - EDGE - 4 - ICON : left + EDGE + 4);
  room -= ICON + 6;
  if (room < LEAST_TEXT)
    return;
  layout = get_layout (drawing->timeline, index);
  pango_layout_set_width (layout, (int) room * PANGO_SCALE);
  pango_layout_set_alignment (layout, PANGO_ALIGN_LEFT);
  pango_layout_get_pixel_size (layout, NULL, &height);
  gtk_snapshot_save (drawing->snapshot);
  gtk_snapshot_translate (
      drawing->snapshot,
      &GRAPHENE_POINT_INIT (mirrored ? left + 4 : left + EDGE + 4 + ICON + 6,
                            drawing->y + floorf (((float) STINT_TIMELINE_BAR - (float) height) / 2)));
  gtk_snapshot_append_layout (drawing->snapshot, layout, &drawing->text);
  gtk_snapshot_restore (drawing->snapshot);
}

static void
append_bar (const Drawing *drawing, guint index, const graphene_rect_t *bar)
{
  const StintEntry *entry = g_ptr_array_index (drawing->timeline->entries, index);
  const GdkRGBA *colour = get_colour (drawing, entry);
  gboolean mirrored = stint_time_scale_is_mirrored (drawing->timeline->scale);
  GdkRGBA dim = with_alpha (colour, 0.5f);
  GskRoundedRect rounded;

  gsk_rounded_rect_init_from_rect (&rounded, bar, RADIUS);
  gtk_snapshot_push_rounded_clip (drawing->snapshot, &rounded);
  append_body (drawing, entry, bar);
  if (!was_stopped (entry))
    gtk_snapshot_append_color (
        drawing->snapshot, colour,
        &GRAPHENE_RECT_INIT (mirrored ? bar->origin.x + bar->size.width - EDGE : bar->origin.x,
                             bar->origin.y, EDGE, bar->size.height));
  append_words (drawing, index, bar);
  gtk_snapshot_pop (drawing->snapshot);
  if (was_stopped (entry) || (drawing->strong && !entry->running))
    append_outline (drawing, &rounded, drawing->strong ? colour : &dim, 1);
}

/* Too small for more than a form: what failed is as high as a bar, the rest is lower. */
static void
append_block (const Drawing *drawing, const StintLanePiece *piece, const graphene_rect_t *bar)
{
  const StintEntry *entry = g_ptr_array_index (drawing->timeline->entries, piece->first);
  const GdkRGBA *colour = piece->count == 1   ? get_colour (drawing, entry)
                          : piece->weight > 0 ? &drawing->bad
                                              : &drawing->good;
  graphene_rect_t block = *bar;

  if (piece->weight == 0)
    graphene_rect_inset (&block, 0, 6);
  gtk_snapshot_append_color (drawing->snapshot, colour, &block);
}

static void
append_piece (const StintLanePiece *piece, gpointer user_data)
{
  const Drawing *drawing = user_data;
  StintTimeline *self = drawing->timeline;
  const StintEntry *entry = g_ptr_array_index (self->entries, piece->first);
  double width = stint_time_scale_get_width (self->scale);
  double from = MAX (piece->from, -16);
  double to = MIN (piece->to, width + 16);
  graphene_rect_t bar;

  if (entry->running && piece->count == 1)
    to = MAX (MIN (to, drawing->now_x), from + STINT_TIMELINE_LEAST);
  /* One that ends where the next begins still is another one. */
  if (to - from > 3)
    to -= 1;
  graphene_rect_init (&bar,
                      (float) (stint_time_scale_is_mirrored (self->scale) ? width - to : from),
                      drawing->y, (float) (to - from), (float) STINT_TIMELINE_BAR);
  if (piece->count == 1 && bar.size.width >= 3 * EDGE)
    append_bar (drawing, piece->first, &bar);
  else
    append_block (drawing, piece, &bar);
}

static void
append_grid (const Drawing *drawing, float height)
{
  StintTimeScale *scale = drawing->timeline->scale;
  gint64 division = stint_time_scale_get_division (scale, STINT_TIMELINE_DIVISION);
  gint64 begin = stint_time_scale_get_begin (scale);
  gint64 from = stint_time_scale_get_from (scale);
  gint64 to = from + stint_time_scale_get_visible (scale);
  GdkRGBA line = with_alpha (&drawing->text, 0.1f);

  for (gint64 time = begin + (from - begin) / division * division; time < to; time += division)
    gtk_snapshot_append_color (
        drawing->snapshot, &line,
        &GRAPHENE_RECT_INIT ((float) stint_time_scale_get_x (scale, time), 0, 1, height));
}

static void
append_now (const Drawing *drawing, float height)
{
  double width = stint_time_scale_get_width (drawing->timeline->scale);
  double x = stint_time_scale_is_mirrored (drawing->timeline->scale) ? width - drawing->now_x
                                                                     : drawing->now_x;

  if (x >= 0 && x <= width)
    gtk_snapshot_append_color (drawing->snapshot, &drawing->accent,
                               &GRAPHENE_RECT_INIT ((float) x, 0, 1.5f, height));
}

static void
append_selection (const Drawing *drawing)
{
  StintTimeline *self = drawing->timeline;
  graphene_rect_t bar;
  GskRoundedRect rounded;

  if (self->selected < 0)
    return;
  bar = stint_timeline_get_bar (self, (guint) self->selected);
  graphene_rect_inset (&bar, -2, -2);
  gsk_rounded_rect_init_from_rect (&rounded, &bar, RADIUS + 2);
  append_outline (drawing, &rounded, &drawing->accent, drawing->strong ? 3 : 2);
}

static void
append_lanes (Drawing *drawing)
{
  StintTimeline *self = drawing->timeline;
  guint n_lanes = self->lanes != NULL ? stint_lanes_get_n_lanes (self->lanes) : 0;
  double top = self->rows != NULL ? gtk_adjustment_get_value (self->rows) : 0;
  double page = self->rows != NULL ? gtk_adjustment_get_page_size (self->rows)
                                   : gtk_widget_get_height (GTK_WIDGET (self));
  guint first = (guint) MAX ((top - STINT_TIMELINE_MARGIN) / STINT_TIMELINE_LANE, 0);
  guint last = (guint) MAX ((top + page) / STINT_TIMELINE_LANE, 0);
  gint64 from = stint_time_scale_get_from (self->scale);

  for (guint lane = first; lane < n_lanes && lane <= last; lane++)
    {
      drawing->y = (float) (STINT_TIMELINE_MARGIN + lane * STINT_TIMELINE_LANE);
      stint_lanes_walk (self->lanes, lane, from,
                        from + stint_time_scale_get_visible (self->scale),
                        stint_time_scale_get_step (self->scale), STINT_TIMELINE_LEAST,
                        append_piece, drawing);
    }
}

void
stint_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot)
{
  StintTimeline *self = STINT_TIMELINE (widget);
  float width = (float) gtk_widget_get_width (widget);
  float height = (float) gtk_widget_get_height (widget);
  Drawing drawing = { .snapshot = snapshot, .timeline = self };

  gtk_style_context_get_color (gtk_widget_get_style_context (widget), &drawing.text);
  look_up (widget, "success_color", &drawing.good);
  look_up (widget, "error_color", &drawing.bad);
  look_up (widget, "warning_color", &drawing.warning);
  look_up (widget, "accent_color", &drawing.accent);
  drawing.strong = adw_style_manager_get_high_contrast (
      adw_style_manager_get_for_display (gtk_widget_get_display (widget)));
  drawing.now_x = (double) (g_get_real_time () - stint_time_scale_get_from (self->scale)) /
                  stint_time_scale_get_step (self->scale);
  gtk_snapshot_push_clip (snapshot, &GRAPHENE_RECT_INIT (0, 0, width, height));
  append_grid (&drawing, height);
  append_lanes (&drawing);
  append_now (&drawing, height);
  append_selection (&drawing);
  gtk_snapshot_pop (snapshot);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!GTK_IS_NATIVE (child))
      gtk_widget_snapshot_child (widget, child, snapshot);
}
