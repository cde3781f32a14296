/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stint_row_button_new:
 * @icon: an icon's name
 * @label: what it does: its tooltip, and its name for who does not see it
 *
 * Returns: (transfer floating): a flat button for the end of a row
 */
GtkWidget *stint_row_button_new (const char *icon, const char *label);

G_END_DECLS
