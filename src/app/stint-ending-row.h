/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_ENDING_ROW (stint_ending_row_get_type ())
G_DECLARE_FINAL_TYPE (StintEndingRow, stint_ending_row, STINT, ENDING_ROW, GtkWidget)

/*
 * A job that is being ended, with the processes that are still there.
 *
 * Properties:
 *
 *   job  StintJob  (nullable)
 */

G_END_DECLS
