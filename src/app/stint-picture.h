/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gdk/gdk.h>

G_BEGIN_DECLS

/*
 * What pictures become before they go with a prompt. Both take time and neither blocks; both call
 * back in the main context of the caller.
 */

/**
 * stint_picture_load_async:
 * @file: a file with a picture
 * @max: bytes: a larger one is not read
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Reads @file if it is a regular file: a pipe would be waited for forever.
 */
void stint_picture_load_async (GFile *file,
                               guint64 max,
                               GCancellable *cancellable,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

/* %FALSE with @error set. @bytes: (out) (transfer full) (nullable): %NULL if it is too large. */
gboolean stint_picture_load_finish (GAsyncResult *result, GBytes **bytes, GError **error);

/**
 * stint_picture_make_png_async:
 * @texture: a picture
 * @path: (nullable) (type filename): where it is written to as well
 * @cancellable: (nullable): a cancellable
 * @callback: called when it is done
 * @user_data: for @callback
 *
 * Makes a PNG of @texture, in a thread.
 */
void stint_picture_make_png_async (GdkTexture *texture,
                                   const char *path,
                                   GCancellable *cancellable,
                                   GAsyncReadyCallback callback,
                                   gpointer user_data);

/* (transfer full); %NULL with @error set. */
GBytes *stint_picture_make_png_finish (GAsyncResult *result, GError **error);

G_END_DECLS
