/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rooms of the timeline: stint-timeline.c has the jobs and the selection, -draw draws them, -input
 * is the pointer's and the keys'. */

#include "stint-lanes.h"
#include "stint-timeline.h"

G_BEGIN_DECLS

#define STINT_TIMELINE_LANE 30.0
#define STINT_TIMELINE_BAR 24.0
#define STINT_TIMELINE_MARGIN 6.0

/* What is shorter cannot be seen, pixels. */
#define STINT_TIMELINE_LEAST 4.0

struct _StintTimeline
{
  GtkWidget parent_instance;

  /* Owned */
  StintTimeScale *scale;
  GtkAdjustment *rows; /* (nullable) */
  GPtrArray *entries;  /* (nullable) of StintEntry */
  StintLanes *lanes;   /* (nullable) */
  GHashTable *layouts; /* index -> PangoLayout */
  char *empty_text;
  GtkWidget *menu;

  /* The selected job as a widget of its own, that can have the focus; the next selected is the other, so
   * that the focus moves and screen readers say it. */
  GtkWidget *cursors[2];
  guint cursor;
  int selected; /* -1: none */

  double pointer_x;
  gint64 grabbed;     /* what was looked at when it was grabbed */
  gint64 pinched;     /* the same for two fingers */
  int now_x;
  gulong tick;
};

/* stint-timeline.c */

/* @index: of a job; @reveal: bring it into view. */
void stint_timeline_select_index (StintTimeline *self, int index, gboolean reveal);
gint64 stint_timeline_get_end (StintTimeline *self, guint index, gint64 now);

/* Where the bar of a job is, pixels. */
graphene_rect_t stint_timeline_get_bar (StintTimeline *self, guint index);

/* stint-timeline-draw.c */

void stint_timeline_snapshot (GtkWidget *widget, GtkSnapshot *snapshot);

/* stint-timeline-input.c */

void stint_timeline_bind_keys (GtkWidgetClass *widget_class);
void stint_timeline_add_controllers (StintTimeline *self);

/* What a wheel or two fingers do: @dx and @dy are notches or pixels, as @unit says. Returns: FALSE if it
 * is not for this */
gboolean stint_timeline_scroll (StintTimeline *self,
                                GdkScrollUnit unit,
                                GdkModifierType state,
                                double dx,
                                double dy);

/* Finds what is drawn there. Returns: FALSE if nothing is. */
gboolean stint_timeline_find (StintTimeline *self, double x, double y, StintLanePiece *piece);

G_END_DECLS
