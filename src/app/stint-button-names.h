/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * stint_button_names_mend:
 * @widget: one of GTK's or libadwaita's own
 * @icon: (nullable): whose icon it is; %NULL: any
 * @label: what it does, translated
 *
 * Names the buttons in @widget for screen readers that GTK would call by their icon.
 */
void stint_button_names_mend (GtkWidget *widget, const char *icon, const char *label);

/* Names the buttons of the toasts that will come. */
void stint_button_names_watch_toasts (AdwToastOverlay *overlay);

/* Returns: (transfer floating): an AdwPasswordEntryRow whose button has a name. */
GtkWidget *stint_button_names_new_password_row (void);

G_END_DECLS
