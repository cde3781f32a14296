/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-export.h"
#include "stint-job.h"

G_BEGIN_DECLS

/**
 * StintCliSave:
 *
 * `--save FILE` and `--save-format FORMAT` of `stintctl run`: the output as a file, once the job
 * has ended.
 */
typedef struct _StintCliSave StintCliSave;

/**
 * stint_cli_save_take_options:
 * @argv: (array zero-terminated=1): the words after `stintctl run`
 * @rest: (out) (transfer full) (array zero-terminated=1): the same without what was taken
 * @save: (out) (transfer full) (nullable): what was asked for, %NULL: nothing
 * @error: %STINT_ERROR_INVALID
 *
 * Takes its options out of those of a job.
 */
gboolean stint_cli_save_take_options (const char *const *argv,
                                      char ***rest,
                                      StintCliSave **save,
                                      GError **error);
void stint_cli_save_free (StintCliSave *self);

/* Before the job is started: whether the file can be written. */
gboolean stint_cli_save_open (StintCliSave *self, GError **error);

/**
 * stint_cli_save_write_async:
 * @self: an open one
 * @job: a job that has ended and whose directory is still there
 * @cancellable: (nullable): leaves no file
 * @callback: called when it is done
 * @user_data: for @callback
 */
void stint_cli_save_write_async (StintCliSave *self,
                                 StintJob *job,
                                 GCancellable *cancellable,
                                 GAsyncReadyCallback callback,
                                 gpointer user_data);
gboolean stint_cli_save_write_finish (StintCliSave *self, GAsyncResult *result, GError **error);

/* (transfer full): the lines of `--help`, translated. */
char *stint_cli_save_describe (void);

/* FORMAT of an option; FALSE with %STINT_ERROR_INVALID, which names @option. */
gboolean stint_cli_parse_format (const char *option,
                                 const char *nick,
                                 StintExportFormat *format,
                                 GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintCliSave, stint_cli_save_free)

G_END_DECLS
