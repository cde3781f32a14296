/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Text for the clipboard, as bytes: GTK 4.8 hangs for ever on X11 when somebody asks for a long string,
 * because it closes a converter of its own, and with it the other's stream, in the thread that would have
 * to serve it. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-clipboard.h"

#include <string.h>

void
stint_clipboard_offer_bytes (GdkClipboard *clipboard, GBytes *text)
{
  g_autoptr (GdkContentProvider) provider = NULL;

  g_return_if_fail (GDK_IS_CLIPBOARD (clipboard));
  g_return_if_fail (text != NULL);

  provider = gdk_content_provider_new_for_bytes ("text/plain;charset=utf-8", text);
  gdk_clipboard_set_content (clipboard, provider);
}

void
stint_clipboard_offer_text (GdkClipboard *clipboard, const char *text)
{
  g_autoptr (GBytes) bytes = NULL;

  g_return_if_fail (text != NULL);

  bytes = g_bytes_new (text, strlen (text));
  stint_clipboard_offer_bytes (clipboard, bytes);
}
