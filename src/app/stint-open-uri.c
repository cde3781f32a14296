/* SPDX-License-Identifier: GPL-3.0-or-later */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-open-uri.h"

#include <gdk/gdk.h>

void
stint_open_uri_async (const char *uri,
                        GCancellable *cancellable,
                        GAsyncReadyCallback callback,
                        gpointer user_data)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GdkAppLaunchContext) context = NULL;

  g_return_if_fail (uri != NULL);

  /* Its token lets the other program's window come to the front. */
  if (display != NULL)
    context = gdk_display_get_app_launch_context (display);
  g_app_info_launch_default_for_uri_async (uri, G_APP_LAUNCH_CONTEXT (context), cancellable,
                                           callback, user_data);
}
