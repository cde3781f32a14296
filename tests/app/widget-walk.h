/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A walk through all that is on the screen, widget by widget.
 */
#pragma once

#include <gtk/gtk.h>

/* Appends to @faults, a line for each, what in @window can have the focus and has no name, and whether the
 * window cannot be as narrow as a telephone. @width: what it was asked to be, 0: that is of no interest;
 * @view: what it shows. */
void widget_walk (gpointer window, int width, const char *view, GString *faults);
