/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * stint_opened_output_async:
 * @job: a job that has a transcript
 * @cancellable: (nullable):
 * @callback: called when the other program has been asked, or why it was not
 * @user_data: for @callback
 *
 * Opens the output of a job, as plain text and what there is of it now, in the program that the desktop
 * has for text. It gets a copy in the user's cache, which is removed by a later call when it is a day old.
 * More than a clipboard takes is refused: that is for a file that the user has chosen.
 */
void stint_opened_output_async (StintJob *job,
                                GCancellable *cancellable,
                                GAsyncReadyCallback callback,
                                gpointer user_data);
gboolean stint_opened_output_finish (StintJob *job, GAsyncResult *result, GError **error);

G_END_DECLS
