/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-problems.h"

G_BEGIN_DECLS

/**
 * stint_problem_dialog_present:
 * @problem: what went wrong
 * @parent: (nullable): the window it belongs to
 *
 * Shows a problem in full, to be read and copied.
 */
void stint_problem_dialog_present (StintProblem *problem, GtkWindow *parent);

G_END_DECLS
