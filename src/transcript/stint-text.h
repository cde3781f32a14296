/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_text_from_bytes:
 * @bytes: any bytes
 *
 * Returns: (transfer full): valid UTF-8, with U+FFFD for what is not; a sequence that is cut off at
 *   either end is left out
 */
char *stint_text_from_bytes (GBytes *bytes);

G_END_DECLS
