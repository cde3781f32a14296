/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-archive.h"

G_BEGIN_DECLS

/*
 * The thread that owns a #StintArchive and does, in their order, the requests of other threads. It
 * starts with the first request.
 */
typedef struct _StintHistoryWorker StintHistoryWorker;

/**
 * StintWorkFunc:
 * @archive: the archive
 * @data: the request
 *
 * A request, on the worker's thread.
 */
typedef void (*StintWorkFunc) (StintArchive *archive, gpointer data);

/**
 * StintDoneFunc:
 * @problems: (nullable) (element-type GError): what the user should know
 * @data: the request, which this frees
 *
 * The request has been done; in the main context that was given for it.
 */
typedef void (*StintDoneFunc) (GPtrArray *problems, gpointer data);

/* (transfer full): a worker for the archive below @directory, an absolute path. */
StintHistoryWorker *stint_history_worker_new (const char *directory);

/* Stops it, if that has not been done. */
gboolean stint_history_worker_free (StintHistoryWorker *self);

/**
 * stint_history_worker_push:
 * @self: a worker that has not been stopped
 * @context: where to call @done
 * @work: what to do
 * @done: called when it is done
 * @data: for both, at no time for both at once
 */
void stint_history_worker_push (StintHistoryWorker *self,
                                GMainContext *context,
                                StintWorkFunc work,
                                StintDoneFunc done,
                                gpointer data);

/* Blocks until all requests are done and the archive is closed, but no longer than 3 s. What is done
 * is still to be reported to the main contexts. Returns: FALSE if the thread had to be left behind. */
gboolean stint_history_worker_stop (StintHistoryWorker *self);

G_END_DECLS
