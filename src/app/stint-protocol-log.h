/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-job.h"

G_BEGIN_DECLS

/* A window with all that passed between Stint and a job's agent, as it passes: filtered by direction
 * and by what a line holds. */
void stint_protocol_log_present (StintJob *job, GtkWindow *parent);

G_END_DECLS
