/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/**
 * stint_stack_show:
 * @stack: a stack
 * @child: one of its children
 *
 * Shows one child and hides all others. Without this a screen reader finds, in GTK 4.8, the pages
 * that nobody sees.
 */
void stint_stack_show (GtkStack *stack, GtkWidget *child);

G_END_DECLS
