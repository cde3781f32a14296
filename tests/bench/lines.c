/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * lines BYTES          coloured log lines, partly not ASCII, each another one, always the same ones
 * lines flood [BYTES]  a mebibyte of them over and over, at next to no cost; without BYTES for ever
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1024 * 1024)
#define LONGEST 512

static const char *const levels[] = { "\033[32mINFO\033[0m ", "\033[36mDEBUG\033[0m",
                                      "\033[1;33mWARN\033[0m ", "\033[1;31mERROR\033[0m" };
static const char *const words[] = { "request",  "worker", "Größe",    "naïve", "→",      "cache",
                                     "finished", "in",     "задача",   "日本語", "🚀",     "with",
                                     "timeout",  "of",     "\033[4mhttp://example.org/\033[24m",
                                     "✓",        "bytes",  "retrying", "für",   "socket", "closed",
                                     "module" };

static uint32_t state = 1;

static uint32_t
pick (uint32_t n)
{
  state = state * 1664525 + 1013904223;
  return (state >> 8) % n;
}

/* Returns: the length of one line, of about 100 bytes, written to @at. */
static size_t
make_line (char *at, uint32_t number)
{
  int length = sprintf (at, "\033[2m12:%02u:%02u.%03u\033[0m %s \033[35m%08x\033[0m", number / 60000 % 60,
                        number / 1000 % 60, number % 1000, levels[pick (4)], pick (1u << 24));

  for (uint32_t n = 3 + pick (7); n > 0; n--)
    length += sprintf (at + length, " %s", words[pick (sizeof words / sizeof *words)]);
  at[length++] = '\n';
  return (size_t) length;
}

static size_t
make_block (char *block)
{
  static uint32_t number;
  size_t length = 0;

  while (length < BLOCK)
    length += make_line (block + length, number++);
  return length;
}

static void
write_all (const char *bytes, size_t length)
{
  while (length > 0)
    {
      ssize_t n = write (STDOUT_FILENO, bytes, length);

      if (n <= 0)
        exit (1);
      bytes += n;
      length -= (size_t) n;
    }
}

int
main (int argc, char **argv)
{
  static char block[BLOCK + LONGEST];
  int flood = argc > 1 && strcmp (argv[1], "flood") == 0;
  unsigned long long wanted = argc > 1 + flood ? strtoull (argv[1 + flood], NULL, 10) : UINT64_MAX;
  size_t length = make_block (block);

  for (unsigned long long written = 0; written < wanted; written += length)
    {
      if (written > 0 && !flood)
        length = make_block (block);
      write_all (block, length);
    }
  return 0;
}
