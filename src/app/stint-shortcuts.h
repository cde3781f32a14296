/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stint_shortcuts_apply:
 * @application: the application
 * @taken: whether the keys belong to a program in a pane: then only combinations with Ctrl+Shift are
 *   left to the application
 *
 * Sets the keys of all actions.
 */
void stint_shortcuts_apply (GtkApplication *application, gboolean taken);

G_END_DECLS
