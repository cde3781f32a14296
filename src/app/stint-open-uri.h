/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * stint_open_uri_async:
 * @uri: what the user wants to see in another program
 * @cancellable: (nullable)
 *
 * Opens it in the program for its kind, whose window may come to the front. Ends with
 * g_app_info_launch_default_for_uri_finish().
 */
void stint_open_uri_async (const char *uri,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data);

G_END_DECLS
