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

G_END_DECLS

#endif
