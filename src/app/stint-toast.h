/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef STINT_TOAST_H
#define STINT_TOAST_H

#include <adwaita.h>

G_BEGIN_DECLS

/**
 * stint_toast_new:
 * @text: plain text: a path or a part of a command may stand in it
 *
 * Returns: (transfer full): a toast that shows all of @text, in several lines where the window is narrow
 */
AdwToast *stint_toast_new (const char *text);

/**
 * stint_toast_show:
 * @widget: what is in an overlay of toasts, or one
 * @toast: (transfer full): a toast with an end
 *
 * Shows it now, or after others with an end: one that stays makes way, and comes back. No effect without an
 * overlay.
 */
void stint_toast_show (gpointer widget, AdwToast *toast);

/**
 * StintToastMake:
 * @data: who wants it shown
 *
 * Returns: (transfer full) (nullable): the toast that stays, anew; %NULL: there is nothing to be said any more
 */
typedef AdwToast *(*StintToastMake) (gpointer data);

/**
 * stint_toast_stay:
 * @overlay: where
 * @make: makes the toast, now and whenever it comes back after another
 * @data: for @make; as long as @overlay is there
 *
 * Shows a toast until the user closes it, in place of the last that stayed.
 */
void stint_toast_stay (AdwToastOverlay *overlay, StintToastMake make, gpointer data);

/* Whether one that stays has not been closed yet. */
gboolean stint_toast_stays (AdwToastOverlay *overlay);

/* Closes it. */
void stint_toast_stay_no_more (AdwToastOverlay *overlay);

G_END_DECLS

#endif
