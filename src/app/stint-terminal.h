/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <vte/vte.h>

G_BEGIN_DECLS

#define STINT_TYPE_TERMINAL (stint_terminal_get_type ())
G_DECLARE_FINAL_TYPE (StintTerminal, stint_terminal, STINT, TERMINAL, VteTerminal)

/*
 * A VteTerminal without a pty.
 *
 * Signals:
 *
 *   grid-changed ()        its columns or rows have changed, by its allocation
 *   painted (gint64 busy)  a frame with it has been painted, which took the main loop @busy microseconds
 */

/**
 * stint_terminal_set_recorded_size:
 * @self: a terminal
 * @columns: how wide the terminal was on which the output that is fed next was made
 * @rows: how high
 *
 * Until stint_terminal_follow_allocation() it has this size, whatever room it is given: output that
 * was made for one width is nonsense at another. Afterwards its lines are wrapped anew.
 */
void stint_terminal_set_recorded_size (StintTerminal *self, guint columns, guint rows);
void stint_terminal_follow_allocation (StintTerminal *self);

/**
 * stint_terminal_is_resizing:
 * @self: a terminal
 *
 * VTE emits `contents-changed` for another size too: then it says nothing of what it was fed.
 *
 * Returns: whether it is being given another size just now
 */
gboolean stint_terminal_is_resizing (StintTerminal *self);

/**
 * stint_terminal_get_row_shift:
 * @self: a terminal
 *
 * VTE counts its rows anew when it wraps them for another width.
 *
 * Returns: by how many rows what stood in one stands further down since @self was made; less than 0 is
 *   further up. For who remembers a row: by as much it has moved as this has changed since.
 */
glong stint_terminal_get_row_shift (StintTerminal *self);

/* Black and white, and colours that can be told from both, whatever the system says. */
void stint_terminal_set_high_contrast (StintTerminal *self, gboolean high_contrast);

G_END_DECLS
