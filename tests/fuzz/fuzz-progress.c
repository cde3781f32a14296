/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a command says of its progress, in any output: the keeper reads it on the way. Wherever a read
 * ends the same is found, and nothing else is told than a state and a percentage.
 */
#include "fuzz.h"
#include "progress.h"
#include "protocol.h"

#include <glib.h>
#include <string.h>

static uint32_t
read_in_pieces (const uint8_t *data, size_t size, size_t piece)
{
  struct progress progress = { 0 };
  _Atomic uint32_t told = 0;

  for (size_t at = 0; at < size; at += piece)
    {
      /* On the heap: what is read behind a piece is found by the sanitizer. */
      size_t length = MIN (piece, size - at);
      g_autofree uint8_t *copy = g_memdup2 (data + at, length);

      progress_read (&progress, copy, length, &told);
      g_assert_cmpuint (KEEPER_PROGRESS_STATE (told), <, KEEPER_N_PROGRESS);
      g_assert_cmpuint (KEEPER_PROGRESS_PERCENT (told), <=, 100);
    }
  return told;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  uint32_t whole = read_in_pieces (data, size, MAX (size, 1));

  g_assert_cmpuint (read_in_pieces (data, size, 1), ==, whole);
  g_assert_cmpuint (read_in_pieces (data, size, 513), ==, whole);
  if (size > 0)
    g_assert_cmpuint (read_in_pieces (data, size, 1 + data[0] % 64), ==, whole);
  return 0;
}
