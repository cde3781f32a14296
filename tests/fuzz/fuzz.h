/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What each fuzz target is: see meson.build.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

/* Takes any bytes. Returns: 0. Whatever must not be ends the process. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
