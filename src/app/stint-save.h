/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-export.h"
#include "stint-job.h"

G_BEGIN_DECLS

/* (transfer full): a file name for the output of @job, from its title, with the suffix of @format. */
char *stint_save_suggest_name (StintJob *job, StintExportFormat format);

/**
 * stint_save_async:
 * @job: a job that has a transcript
 * @format: how
 * @streams: which, of a job on pipes
 * @timestamps: whether lines of text and HTML begin with their time
 * @file: where to; what is there stays as it is until all has been written, and if that fails
 * @progress: (nullable): how far it is
 * @progress_data: for @progress, which is never called after @callback
 * @cancellable: (nullable):
 * @callback: called when @file is there, or nothing of it is left
 * @user_data: for @callback
 *
 * Writes the output of a job, what there is of it now.
 */
void stint_save_async (StintJob *job,
                       StintExportFormat format,
                       StintStreams streams,
                       gboolean timestamps,
                       GFile *file,
                       StintExportProgress progress,
                       gpointer progress_data,
                       GCancellable *cancellable,
                       GAsyncReadyCallback callback,
                       gpointer user_data);
gboolean stint_save_finish (StintJob *job, GAsyncResult *result, GError **error);

G_END_DECLS
