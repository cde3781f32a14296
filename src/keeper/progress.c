/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See progress.h.
 */
#include "progress.h"

#include "protocol.h"

#include <stdbool.h>
#include <string.h>

#define ESCAPE 033
#define BELL 007

#define BLOCK 512

static const char BEGINNING[] = { ESCAPE, ']', '9', ';', '4', ';' };

/* Of what is meant for another reader nothing is taken. */
static void
tell (const struct progress *progress, _Atomic uint32_t *told)
{
  uint32_t state = progress->values[0];
  uint32_t percent = progress->fields > 1 ? progress->values[1] : KEEPER_PROGRESS_PERCENT (*told);

  if (state >= KEEPER_N_PROGRESS)
    return;
  if (state == KEEPER_PROGRESS_NONE || percent > 100)
    percent = state == KEEPER_PROGRESS_NONE ? 0 : 100;
  *told = KEEPER_PROGRESS (state, percent);
}

/* A byte within a sequence. */
static void
take (struct progress *progress, uint8_t byte, _Atomic uint32_t *told)
{
  uint16_t *value = &progress->values[progress->fields - 1];

  if (byte >= '0' && byte <= '9')
    {
      if (*value < 1000)
        *value = (uint16_t) (*value * 10 + byte - '0');
      return;
    }
  if (byte == ';' && progress->fields < 2)
    {
      progress->fields++;
      return;
    }
  progress->matched = byte == ESCAPE;
  if (byte == BELL || byte == ESCAPE)
    tell (progress, told);
}

/* Whether one may begin in a block; the byte behind the block is looked at too. Without a branch, the
 * compiler compares many bytes at once: coloured lines are full of other escapes. */
static bool
may_begin (const uint8_t *bytes)
{
  uint8_t found = 0;

  for (size_t i = 0; i < BLOCK; i++)
    found |= (uint8_t) ((bytes[i] == ESCAPE) & (bytes[i + 1] == ']'));
  return found != 0;
}

static void
read_block (struct progress *progress, const uint8_t *bytes, const uint8_t *end, _Atomic uint32_t *told)
{
  for (; bytes < end; bytes++)
    {
      if (progress->matched == 0)
        {
          bytes = memchr (bytes, ESCAPE, (size_t) (end - bytes));
          if (bytes == NULL)
            return;
          progress->matched = 1;
        }
      else if (progress->matched == sizeof BEGINNING)
        take (progress, *bytes, told);
      else if (*bytes != (uint8_t) BEGINNING[progress->matched])
        progress->matched = *bytes == ESCAPE;
      else if (++progress->matched == sizeof BEGINNING)
        *progress = (struct progress) { .matched = progress->matched, .fields = 1 };
    }
}

void
progress_read (struct progress *progress,
               const uint8_t *bytes,
               size_t size,
               _Atomic uint32_t *told)
{
  size_t at = 0;

  while (at < size)
    {
      size_t end = size - at > BLOCK ? at + BLOCK : size;

      if (progress->matched > 0 || end == size || may_begin (bytes + at))
        read_block (progress, bytes + at, bytes + end, told);
      at = end;
    }
}
