/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* `stintctl prompt`. @argv: what follows it. Returns: the exit status. */
int stint_cli_prompt (const char *const *argv);

G_END_DECLS
