/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command says of its own progress, in the control sequence of ConEmu and systemd:
 * ESC ] 9 ; 4 ; STATE ; PERCENT, ended by BEL or ESC \. Looked for on the way of the output, so that a
 * job that nobody looks at tells it too. libc only.
 */
#pragma once

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

struct progress
{
  uint8_t matched; /* how much of a sequence's beginning the last bytes were */
  uint8_t fields;  /* how many of its numbers have begun */
  uint16_t values[2];
};

/* Reads on, and tells what was said last, as KEEPER_PROGRESS() packs it; a percentage that is left
 * out stays. */
void progress_read (struct progress *progress,
                    const uint8_t *bytes,
                    size_t size,
                    _Atomic uint32_t *told);
