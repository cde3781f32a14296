/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-keeper-launch.h"

#include "protocol.h"

G_BEGIN_DECLS

/**
 * StintKeeperHandover:
 * @channels: what the engine holds of any keeper
 * @pty_fd: the master of the job's pty, or -1
 * @adoption: how the job stands
 *
 * What the keeper of a job that was let go gives to the engine that comes for it.
 */
typedef struct
{
  StintKeeperChannels channels;
  int pty_fd;
  struct keeper_adoption adoption;
} StintKeeperHandover;

/* Closes the descriptors that nobody has taken (a taker sets them to -1). Until its control socket is
 * closed the keeper takes the caller for the job's engine. */
void stint_keeper_handover_free (StintKeeperHandover *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintKeeperHandover, stint_keeper_handover_free)

/**
 * stint_keeper_adopt_async:
 * @directory: (type filename): a job directory
 * @name: the socket in it: %KEEPER_FILE_CONTROL, or that of an owner who shares the job
 * @callback: called once the keeper has answered, or does not
 * @user_data: for @callback
 *
 * Asks the keeper of a job that was let go for the job. One that is stopped (SIGSTOP) is continued.
 */
void stint_keeper_adopt_async (const char *directory,
                               const char *name,
                               GAsyncReadyCallback callback,
                               gpointer user_data);

/**
 * stint_keeper_adopt_finish:
 * @result: of the callback
 * @error: %G_IO_ERROR_NOT_FOUND or %G_IO_ERROR_CONNECTION_REFUSED: nobody keeps the job any more;
 *   %G_IO_ERROR_BUSY: another engine has it; %G_IO_ERROR_TIMED_OUT; %STINT_ERROR_TOO_NEW: it is
 *   another build's
 *
 * Returns: (transfer full): what was handed over, or %NULL
 */
StintKeeperHandover *stint_keeper_adopt_finish (GAsyncResult *result, GError **error);

G_END_DECLS
