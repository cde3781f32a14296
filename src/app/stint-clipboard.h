/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* What others may paste: UTF-8. However long it is, which gdk_clipboard_set_text() does not survive. */
void stint_clipboard_offer_text (GdkClipboard *clipboard, const char *text);
void stint_clipboard_offer_bytes (GdkClipboard *clipboard, GBytes *text);

G_END_DECLS
