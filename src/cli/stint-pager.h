/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * StintPager:
 *
 * Where long output goes: on a terminal to `$STINT_PAGER`, else `$PAGER`, else `less`; otherwise, and
 * if there is none or it is "" or "cat", to standard output itself.
 */
typedef struct _StintPager StintPager;

/* (transfer full): @wanted: FALSE: straight to standard output. */
StintPager *stint_pager_new (gboolean wanted);

/* Returns: FALSE: nobody reads any more, or it cannot be written; say no more. */
gboolean stint_pager_print (StintPager *self, const char *text);

/* Waits until the reader has seen enough. Returns: FALSE if not all could be written; a reader that
 * went away is none of our failures */
gboolean stint_pager_close (StintPager *self);

G_END_DECLS
