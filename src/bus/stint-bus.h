/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* The object that stands for the window's jobs: below the name APP_ID. */
#define STINT_BUS_PATH "/io/github/stint/Stint"

/* Makes errors of #StintError keep their domain and code on their way over the bus. Both sides call
 * it; calling it again does nothing. */
void stint_bus_register_errors (void);

G_END_DECLS
