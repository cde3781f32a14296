/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STINT_TYPE_RING (stint_ring_get_type ())
G_DECLARE_FINAL_TYPE (StintRing, stint_ring, STINT, RING, GtkWidget)

/*
 * A thin ring that empties clockwise. Decoration: what it shows stands beside it in a label.
 *
 * Properties:
 *
 *   fraction  double  how much is left, 0 to 1
 */

double stint_ring_get_fraction (StintRing *self);
void stint_ring_set_fraction (StintRing *self, double fraction);

G_END_DECLS
