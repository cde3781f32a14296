/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * stint_run_words:
 * @spec: a spec
 *
 * The words behind `stintctl run` that make @spec again. A secret, whose value is not kept, is left
 * out, and so is when it was to start; a prompt on standard input cannot be said by options and is left out too.
 *
 * Returns: (transfer full) (array zero-terminated=1) (element-type filename): the words
 */
char **stint_run_words (StintJobSpec *spec);

/* (transfer full): `stint …`, quoted for a shell: what runs it again in the window. */
char *stint_run_line_dup (StintJobSpec *spec);

G_END_DECLS
