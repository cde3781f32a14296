/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <stdint.h>

/* Returns: CLOCK_MONOTONIC in microseconds. */
int64_t clock_monotonic (void);

/* Returns: microseconds since 1970. */
int64_t clock_real (void);
