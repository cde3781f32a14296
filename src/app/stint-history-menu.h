/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-entry.h"

G_BEGIN_DECLS

/* (transfer full): what can be done with a job of the history: `history.…` with its id. */
GMenuModel *stint_history_menu_new (const StintEntry *entry);

G_END_DECLS
