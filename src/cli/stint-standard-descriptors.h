/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_standard_descriptors_ensure:
 *
 * Opens those of the descriptors 0 to 2 that the caller has closed on /dev/null, so that nothing that
 * is opened later is taken for one of them. To be called before anything else.
 */
void stint_standard_descriptors_ensure (void);

/* Returns: whether the caller had @fd open, 0 to 2. */
gboolean stint_standard_descriptor_was_open (int fd);

G_END_DECLS
