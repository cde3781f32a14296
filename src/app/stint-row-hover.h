/* SPDX-License-Identifier: GPL-3.0-or-later */

#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stint_row_hover_ignore:
 * @row: the child of a list's item, or of a cell in a table's
 *
 * Where a single click activates, GTK 4.8 selects what the pointer comes over, and keeps the items of what
 * was selected. When what the pointer is over is unmapped, by scrolling say, it comes over something else: then
 * the item that is just being unmapped can be freed, and the program ends. To be called when @row gets its
 * root. What the pointer is over looks the same: that is the style's.
 */
void stint_row_hover_ignore (GtkWidget *row);

G_END_DECLS
