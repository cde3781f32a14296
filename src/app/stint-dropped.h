/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * stint_dropped_dup_spec:
 * @file: what was dropped on the window
 *
 * What somebody means who drops a file: a folder is where to run something, a program or a script what
 * to run, in its folder, and any other file is an argument of something to come.
 *
 * Returns: (transfer full) (nullable): for the dialog; %NULL if it has no path
 */
StintJobSpec *stint_dropped_dup_spec (GFile *file);

G_END_DECLS
