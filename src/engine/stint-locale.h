/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* The user's language for all that is said, from the environment: the first thing that a program of ours
 * does. Texts are UTF-8 where the locale has no character set of its own, as under cron. */
void stint_locale_init (void);

G_END_DECLS
