/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-find.h"

G_BEGIN_DECLS

/* For tests: before it is started. */
void stint_find_set_chunk_size (StintFind *self, gsize chunk_size);
void stint_find_set_n_threads (StintFind *self, guint n_threads);

/* Threads of all searches that have not ended yet. */
guint stint_find_count_threads (void);

G_END_DECLS
