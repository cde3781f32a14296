/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A job directory made of a fuzzer's input.
 */
#pragma once

#include "fuzz.h"

#include <fcntl.h>
#include <glib.h>
#include <glib/gstdio.h>
#include <unistd.h>

#include "protocol.h"

typedef struct
{
  const uint8_t *data;
  size_t size;
} FuzzInput;

/* The next @size bytes, or as many as there are. */
static inline FuzzInput
fuzz_take (FuzzInput *input, size_t size)
{
  FuzzInput taken = { input->data, MIN (size, input->size) };

  input->data += taken.size;
  input->size -= taken.size;
  return taken;
}

static inline uint64_t
fuzz_take_number (FuzzInput *input, size_t size)
{
  FuzzInput taken = fuzz_take (input, size);
  uint64_t number = 0;

  for (size_t i = 0; i < taken.size; i++)
    number = number << 8 | taken.data[i];
  return number;
}

/* One for the whole run, in memory if there is such a place; removed at the end. */
static char *fuzz_directory_path;

static inline void
fuzz_directory_write (const char *name, FuzzInput content)
{
  g_autofree char *path = g_build_filename (fuzz_directory_path, name, NULL);
  int fd = g_open (path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

  if (fd < 0 || write (fd, content.data, content.size) != (ssize_t) content.size)
    abort ();
  close (fd);
}

static inline void
fuzz_directory_remove (const char *name)
{
  g_autofree char *path = g_build_filename (fuzz_directory_path, name, NULL);

  g_unlink (path);
}

static inline void
fuzz_directory_empty (void)
{
  static const char *const names[] = { "output", "output.zst", "index", "index.zst", "outcome" };

  for (size_t i = 0; i < G_N_ELEMENTS (names); i++)
    fuzz_directory_remove (names[i]);
}

static inline void
fuzz_directory_leave (void)
{
  fuzz_directory_empty ();
  g_rmdir (fuzz_directory_path);
  g_clear_pointer (&fuzz_directory_path, g_free);
}

static inline void
fuzz_directory_enter (void)
{
  const char *where = g_file_test ("/dev/shm", G_FILE_TEST_IS_DIR) ? "/dev/shm" : g_get_tmp_dir ();

  if (fuzz_directory_path != NULL)
    return;
  fuzz_directory_path = g_build_filename (where, "stint-fuzz-XXXXXX", NULL);
  if (g_mkdtemp (fuzz_directory_path) == NULL)
    abort ();
  atexit (fuzz_directory_leave);
}

/* What the input begins with: a byte that says what is there, the outcome's numbers, and how long
 * the output is; the rest is the index. Returns: that byte. */
static inline guint
fuzz_directory_fill (FuzzInput *input)
{
  guint kind;
  uint64_t length;

  fuzz_directory_enter ();
  fuzz_directory_empty ();
  kind = (guint) fuzz_take_number (input, 1);
  if (kind & 1)
    {
      struct keeper_outcome outcome = { .magic = KEEPER_OUTCOME_MAGIC, .version = KEEPER_VERSION };
      size_t width = (kind & 2) ? 8 : 1;

      outcome.size = fuzz_take_number (input, width);
      outcome.hole_start = fuzz_take_number (input, width);
      outcome.hole_end = fuzz_take_number (input, width);
      fuzz_directory_write ("outcome", (FuzzInput){ (const uint8_t *) &outcome, sizeof outcome });
    }
  length = fuzz_take_number (input, 2);
  fuzz_directory_write ((kind & 4) ? "output.zst" : "output", fuzz_take (input, length));
  fuzz_directory_write ((kind & 8) ? "index.zst" : "index", *input);
  return kind;
}
