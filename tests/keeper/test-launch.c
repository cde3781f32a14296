/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The launch block: taken whole, or refused; never a crash, whatever it holds. And the descriptors:
 * what the block names stays, and nothing else.
 */
#include "in-child.h"
#include "launch.h"

#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define N_CORRUPTIONS 20000

static const char *const words[] = { "sh", "-c", "", "a b\nc", NULL };
static const char *const variables[] = { "PATH=/bin", "EMPTY=", "no equals sign", NULL };

static uint32_t
append_words (GByteArray *block, const char *const *all)
{
  uint32_t n = 0;

  for (; all[n] != NULL; n++)
    g_byte_array_append (block, (const guint8 *) all[n], (guint) strlen (all[n]) + 1);
  return n;
}

static void
init_header (struct keeper_launch *header)
{
  memset (header, 0, sizeof *header);
  header->magic = KEEPER_LAUNCH_MAGIC;
  header->version = KEEPER_VERSION;
  header->control_fd = header->counters_fd = header->wakeup_fd = header->directory_fd = -1;
  header->lock_fd = header->pty_fd = -1;
  for (int i = 0; i < 3; i++)
    header->stdio[i].fd = -1;
}

static GByteArray *
make_block (void)
{
  GByteArray *block = g_byte_array_new ();
  struct keeper_launch header;

  init_header (&header);
  g_byte_array_append (block, (const guint8 *) &header, sizeof header);
  g_byte_array_append (block, (const guint8 *) "/tmp", 5);
  header.argc = append_words (block, words);
  header.envc = append_words (block, variables);
  header.strings_size = block->len - sizeof header;
  memcpy (block->data, &header, sizeof header);
  return block;
}

static int
make_memfd (const void *bytes, gsize size, gboolean sealed)
{
  int fd = memfd_create ("block", MFD_CLOEXEC | MFD_ALLOW_SEALING);

  g_assert_cmpint (fd, >=, 0);
  g_assert_cmpint (write (fd, bytes, size), ==, (gssize) size);
  if (sealed)
    g_assert_no_errno (
      fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL));
  return fd;
}

/* What is accepted must be whole: every string is read to its end. */
static void
touch (const struct launch *launch)
{
  volatile gsize total = strlen (launch->directory);

  g_assert_cmpuint (launch->block.argc, >, 0);
  for (uint32_t i = 0; i < launch->block.argc; i++)
    total += strlen (launch->argv[i]);
  for (uint32_t i = 0; i < launch->block.envc; i++)
    total += strlen (launch->environ[i]);
  g_assert_cmpuint (total, <=, launch->block.strings_size);
  g_assert_null (launch->argv[launch->block.argc]);
  g_assert_null (launch->environ[launch->block.envc]);
}

/* Frees what the keeper keeps until it ends. */
static void
forget (struct launch *launch)
{
  free (launch->argv);
  free (launch->environ);
}

static int
try_block (const void *bytes, gsize size)
{
  struct launch launch = { 0 };
  int fd = make_memfd (bytes, size, FALSE), error;

  error = launch_read (&launch, fd);
  if (error == 0)
    {
      touch (&launch);
      forget (&launch);
    }
  close (fd);
  return error;
}

static void
check_round_trip (gpointer data)
{
  g_autoptr (GByteArray) block = make_block ();

  for (int sealed = 0; sealed <= 1; sealed++)
    {
      struct launch launch = { 0 };
      int fd = make_memfd (block->data, block->len, sealed);

      g_assert_cmpint (launch_read (&launch, fd), ==, 0);
      close (fd);
      touch (&launch);
      g_assert_cmpstr (launch.directory, ==, "/tmp");
      g_assert_true (g_strv_equal ((const char *const *) launch.argv, words));
      g_assert_true (g_strv_equal ((const char *const *) launch.environ, variables));
      /* The command's argv can be written to, as any program's. */
      launch.argv[0][0] = 'S';
      g_assert_cmpstr (launch.argv[0], ==, "Sh");
      forget (&launch);
    }
}

static void
check_truncated (gpointer data)
{
  g_autoptr (GByteArray) block = make_block ();

  for (guint size = 0; size < block->len; size++)
    g_assert_cmpint (try_block (block->data, size), ==, EPROTO);

  /* The size is told truly, and the strings still end too early. */
  for (guint size = sizeof (struct keeper_launch); size < block->len; size++)
    {
      struct keeper_launch *header = (struct keeper_launch *) block->data;

      header->strings_size = size - sizeof *header;
      g_assert_cmpint (try_block (block->data, size), ==, EPROTO);
    }
}

static void
check_oversized (gpointer data)
{
  g_autoptr (GByteArray) block = make_block ();
  struct keeper_launch *header;

  g_byte_array_append (block, (const guint8 *) "more", 5);
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);

  /* More strings than are counted do no harm; more counted than there are do not pass. */
  header = (struct keeper_launch *) block->data;
  header->strings_size += 5;
  g_assert_cmpint (try_block (block->data, block->len), ==, 0);
  header->envc += 2;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
  header->envc = UINT32_MAX;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
  header->envc = 0;
  header->argc = UINT32_MAX;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
  header->argc = 0;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
}

static void
check_other_build (gpointer data)
{
  g_autoptr (GByteArray) block = make_block ();
  struct keeper_launch *header = (struct keeper_launch *) block->data;

  header->version++;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
  header->version--;
  header->magic ^= 1;
  g_assert_cmpint (try_block (block->data, block->len), ==, EPROTO);
}

/* Half of the bytes that are changed are in the header, where the sizes are. */
static void
corrupt (GByteArray *block)
{
  int n = g_test_rand_int_range (1, 8);

  while (n-- > 0)
    {
      guint end = g_test_rand_bit () ? (guint) sizeof (struct keeper_launch) : block->len;

      if (end > block->len)
        end = block->len;
      block->data[g_test_rand_int_range (8, (gint32) end)] = (guint8) g_test_rand_int ();
    }
}

static void
check_corrupted (gpointer data)
{
  for (int i = 0; i < N_CORRUPTIONS; i++)
    {
      g_autoptr (GByteArray) block = make_block ();

      corrupt (block);
      if (g_test_rand_int_range (0, 4) == 0)
        g_byte_array_set_size (block, (guint) g_test_rand_int_range (0, (gint32) block->len));
      /* What was cut off is not told by a truth about the size. */
      if (g_test_rand_bit () && block->len >= sizeof (struct keeper_launch))
        ((struct keeper_launch *) block->data)->strings_size =
          block->len - sizeof (struct keeper_launch);
      try_block (block->data, block->len);
    }
}

static void
check_garbage (gpointer data)
{
  for (int i = 0; i < 1000; i++)
    {
      guint8 bytes[512];
      gsize size = (gsize) g_test_rand_int_range (0, sizeof bytes);

      for (gsize j = 0; j < size; j++)
        bytes[j] = (guint8) g_test_rand_int ();
      g_assert_cmpint (try_block (bytes, size), ==, EPROTO);
    }
}

/* What is no file at all. */
static void
check_no_file (gpointer data)
{
  struct launch launch = { 0 };
  int fds[2], fd;

  g_assert_cmpint (launch_read (&launch, -1), ==, EBADF);
  g_assert_no_errno (pipe2 (fds, O_CLOEXEC));
  g_assert_cmpint (launch_read (&launch, fds[0]), !=, 0);
  fd = open ("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  g_assert_cmpint (launch_read (&launch, fd), !=, 0);
  fd = open ("/dev/null", O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (launch_read (&launch, fd), !=, 0);

  /* Larger than any memory: refused by mmap, not by a signal. */
  fd = memfd_create ("huge", MFD_CLOEXEC);
  if (ftruncate (fd, G_MAXINT64 - 4095) == 0)
    g_assert_cmpint (launch_read (&launch, fd), !=, 0);
}

/* The descriptors. */

#define MAX_FDS 1024

/* What the child found: it has no standard output any more to complain on. */
struct found
{
  int error;
  gboolean open[MAX_FDS];
  int flags[MAX_FDS];
  gboolean is_null[3];
};

static void
look_at_descriptors (struct found *found)
{
  struct stat status;

  for (int fd = 0; fd < MAX_FDS; fd++)
    {
      found->flags[fd] = fcntl (fd, F_GETFD);
      found->open[fd] = found->flags[fd] >= 0;
    }
  for (int fd = 0; fd <= 2; fd++)
    found->is_null[fd] = fstat (fd, &status) == 0 && S_ISCHR (status.st_mode) &&
                         status.st_rdev == makedev (1, 3) &&
                         (fcntl (fd, F_GETFL) & O_ACCMODE) == O_RDWR;
}

struct adoption
{
  struct launch launch;
  int close_first; /* a standard descriptor that is missing, or -1 */
  struct found *found;
};

static void
open_many (void)
{
  for (int fd = 3; fd < 64; fd++)
    if (fcntl (fd, F_GETFD) < 0)
      dup2 (0, fd);
  dup2 (0, 500);
  dup2 (0, 700);
  dup2 (0, 701);
  dup2 (0, 1000);
}

static void
check_adoption (gpointer data)
{
  struct adoption *adoption = data;

  open_many ();
  if (adoption->close_first >= 0)
    close (adoption->close_first);
  adoption->found->error = launch_adopt_descriptors (&adoption->launch);
  look_at_descriptors (adoption->found);
}

static struct found *
adopt (const int *fds, gsize n, int close_first)
{
  struct adoption adoption = { .close_first = close_first };
  struct keeper_launch *block = &adoption.launch.block;
  int32_t *const slots[] = {
    &block->control_fd,  &block->counters_fd,  &block->wakeup_fd,
    &block->directory_fd, &block->lock_fd,      &block->pty_fd,
    &block->stdio[0].fd, &block->stdio[1].fd,  &block->stdio[2].fd,
  };

  init_header (block);
  g_assert_cmpuint (n, <=, G_N_ELEMENTS (slots));
  for (gsize i = 0; i < n; i++)
    *slots[i] = fds[i];
  adoption.found = shared_new (sizeof *adoption.found);
  in_child (check_adoption, &adoption);
  return adoption.found;
}

static gboolean
is_named (int fd, const int *fds, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (fds[i] == fd)
      return TRUE;
  return FALSE;
}

static void
assert_adopted (const int *fds, gsize n, int close_first)
{
  struct found *found = adopt (fds, n, close_first);

  g_assert_cmpint (found->error, ==, 0);
  for (int fd = 3; fd < MAX_FDS; fd++)
    {
      if (found->open[fd] != is_named (fd, fds, n))
        g_error ("Descriptor %d is %s", fd, found->open[fd] ? "open" : "closed");
      if (found->open[fd])
        g_assert_cmpint (found->flags[fd], ==, FD_CLOEXEC);
    }
  for (int fd = 0; fd <= 2; fd++)
    {
      g_assert_true (found->is_null[fd]);
      /* The command inherits them. */
      g_assert_cmpint (found->flags[fd], ==, 0);
    }
  shared_free (found, sizeof *found);
}

static void
test_adopt (void)
{
  const int in_a_row[] = { 4, 5, 6, 7, 8, 9, 10, 11, 12 };
  const int with_holes[] = { 1000, 3, 700, 40, 20, 500, 63, 701, 5 };
  const int same[] = { 10, 11, 10, 10, 11, 12 };
  const int missing[] = { 4, -1, 6, -1, 8 };

  assert_adopted (in_a_row, G_N_ELEMENTS (in_a_row), -1);
  assert_adopted (with_holes, G_N_ELEMENTS (with_holes), -1);
  assert_adopted (same, G_N_ELEMENTS (same), -1);
  assert_adopted (missing, G_N_ELEMENTS (missing), -1);
  assert_adopted (NULL, 0, -1);
}

static void
test_adopt_missing (void)
{
  const int fds[] = { 4, 900 };
  struct found *found = adopt (fds, G_N_ELEMENTS (fds), -1);

  g_assert_cmpint (found->error, ==, EBADF);
  shared_free (found, sizeof *found);
}

/* Whoever started it has no standard input, output or error. */
static void
test_adopt_closed (gconstpointer data)
{
  const int fds[] = { 4, 9 };

  assert_adopted (fds, G_N_ELEMENTS (fds), GPOINTER_TO_INT (data));
}

static void
test_in_child (gconstpointer check)
{
  in_child ((ChildFunc) check, NULL);
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/keeper/launch/round-trip", check_round_trip, test_in_child);
  g_test_add_data_func ("/keeper/launch/truncated", check_truncated, test_in_child);
  g_test_add_data_func ("/keeper/launch/oversized", check_oversized, test_in_child);
  g_test_add_data_func ("/keeper/launch/other-build", check_other_build, test_in_child);
  g_test_add_data_func ("/keeper/launch/corrupted", check_corrupted, test_in_child);
  g_test_add_data_func ("/keeper/launch/garbage", check_garbage, test_in_child);
  g_test_add_data_func ("/keeper/launch/no-file", check_no_file, test_in_child);
  g_test_add_func ("/keeper/launch/adopt", test_adopt);
  g_test_add_func ("/keeper/launch/adopt-missing", test_adopt_missing);
  g_test_add_data_func ("/keeper/launch/adopt-closed/0", GINT_TO_POINTER (0), test_adopt_closed);
  g_test_add_data_func ("/keeper/launch/adopt-closed/1", GINT_TO_POINTER (1), test_adopt_closed);
  g_test_add_data_func ("/keeper/launch/adopt-closed/2", GINT_TO_POINTER (2), test_adopt_closed);

  return g_test_run ();
}
