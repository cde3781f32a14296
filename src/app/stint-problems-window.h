/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-problems.h"

G_BEGIN_DECLS

#define STINT_TYPE_PROBLEMS_WINDOW (stint_problems_window_get_type ())
G_DECLARE_FINAL_TYPE (
    StintProblemsWindow, stint_problems_window, STINT, PROBLEMS_WINDOW, AdwWindow)

/**
 * stint_problems_window_new:
 * @parent: (nullable): the window that it belongs to
 * @problems: what it lists, the newest first
 *
 * Returns: (transfer none): a window with everything that went wrong, to be presented
 */
StintProblemsWindow *stint_problems_window_new (GtkWindow *parent, StintProblems *problems);

G_END_DECLS
