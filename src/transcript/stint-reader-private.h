/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-index.h"
#include "stint-job-file.h"
#include "stint-reader.h"

#include "protocol.h"

G_BEGIN_DECLS

/* The file of index records, which the reader keeps open; NULL with @error set if it cannot be read. */
StintJobFile *stint_reader_get_index_file (StintReader *self, GError **error);

/* Changes when it has been closed: what is opened next may be the compressed file, in which the same
 * records stand elsewhere. */
guint stint_reader_get_n_closed (StintReader *self);

/* How long it is, and what of it is gone. */
void stint_reader_get_index_extent (StintReader *self,
                                    StintJobFile *file,
                                    guint64 *size,
                                    guint64 *hole_start,
                                    guint64 *hole_end);

/* Record @i as the keeper wrote it; FALSE if there is none. */
gboolean
stint_index_get_raw (StintIndex *self, guint64 i, struct keeper_index_record *record);

G_END_DECLS
