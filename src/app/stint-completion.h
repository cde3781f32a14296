/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define STINT_TYPE_COMPLETION (stint_completion_get_type ())
G_DECLARE_FINAL_TYPE (StintCompletion, stint_completion, STINT, COMPLETION, GtkPopover)

/*
 * Texts to choose from, beside a text that keeps the focus.
 *
 * Signals:
 *
 *   chosen (const char *text)
 */

GtkWidget *stint_completion_new (void);

/* @texts: what is chosen; @details: (nullable): beside each. Without any it is closed. */
void stint_completion_offer (StintCompletion *self,
                             const char *const *texts,
                             const char *const *details);
gboolean stint_completion_is_open (StintCompletion *self);

/* Up, Down, Enter, Tab and Escape while it is open. Returns: whether it has taken the key. */
gboolean stint_completion_handle_key (StintCompletion *self, guint key, GdkModifierType state);

G_END_DECLS
