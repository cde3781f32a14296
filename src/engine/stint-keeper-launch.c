/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Starts a keeper: fills in its launch block and hands over its descriptors, each under a fixed
 * number. On GLib's posix_spawn path, which a directory, a child setup or closing descriptors would
 * leave: the keeper does all three itself.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-keeper-launch.h"

#include "stint-error.h"
#include "stint-strays.h"

#include "protocol.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* What memory pressure should take before the app (0) and after a runaway tab (1000). */
#define JOB_OOM_SCORE_ADJ 500

/* What spawning takes besides the keeper's own descriptors. */
#define SPAWN_DESCRIPTORS 8

static rlim_t original_descriptor_limit;

void
stint_descriptors_raise_limit (void)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur == limit.rlim_max)
    return;
  original_descriptor_limit = limit.rlim_cur;
  limit.rlim_cur = limit.rlim_max;
  setrlimit (RLIMIT_NOFILE, &limit);
}

gboolean
stint_descriptors_check_limit (guint wanted, GError **error)
{
  struct rlimit limit;

  if (getrlimit (RLIMIT_NOFILE, &limit) < 0 || limit.rlim_cur >= wanted)
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_FAILED,
               _ ("Only %u files may be open at once, and %u are needed: allow more "
                  "(“ulimit -n %u”) and start it again"),
               (guint) limit.rlim_cur, wanted, wanted);
  return FALSE;
}

static gboolean
set_errno_error (GError **error, const char *what)
{
  int code = errno;

  g_set_error (error, G_IO_ERROR, g_io_error_from_errno (code), "%s: %s", what, stint_error_describe (code));
  return FALSE;
}

/* Gives @fd to the keeper under the next number, and writes that number into the launch block. */
static gboolean
give (GSubprocessLauncher *launcher, int *next, int fd, int32_t *number, GError **error)
{
  if (fd < 0)
    return set_errno_error (error, _ ("Cannot prepare the job"));
  *number = (*next)++;
  g_subprocess_launcher_take_fd (launcher, fd, *number);
  return TRUE;
}

static int
duplicate (int fd)
{
  return fcntl (fd, F_DUPFD_CLOEXEC, 3);
}

/* Writes all of @content into a new memfd that nobody can change any more. */
static int
make_sealed_memfd (const char *name, const struct iovec *parts, guint n_parts)
{
  int fd = memfd_create (name, MFD_CLOEXEC | MFD_ALLOW_SEALING);

  for (guint i = 0; fd >= 0 && i < n_parts; i++)
    for (gsize done = 0; done < parts[i].iov_len;)
      {
        ssize_t n = write (fd, (const char *) parts[i].iov_base + done, parts[i].iov_len - done);

        if (n < 0 && errno == EINTR)
          continue;
        if (n <= 0)
          {
            close (fd);
            return -1;
          }
        done += (gsize) n;
      }
  if (fd >= 0)
    {
      lseek (fd, 0, SEEK_SET);
      fcntl (fd, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
    }
  return fd;
}

static void
append_strings (GByteArray *strings, const char *const *words, uint32_t *count)
{
  for (*count = 0; words[*count] != NULL; (*count)++)
    g_byte_array_append (strings, (const guint8 *) words[*count], (guint) strlen (words[*count]) + 1);
}

static int
make_launch_block (struct keeper_launch *block, StintJobSpec *spec, StintJobPlace *place)
{
  g_autoptr (GByteArray) strings = g_byte_array_new ();
  g_auto (GStrv) environ = stint_job_spec_dup_environ (spec, place->id);
  const char *directory = stint_job_spec_get_directory (spec);
  struct iovec parts[2];

  /* By this the job's processes are known if nothing else holds them together any more. */
  environ = g_environ_setenv (environ, STINT_STRAYS_MARK, place->directory, TRUE);
  if (directory == NULL)
    directory = "";
  g_byte_array_append (strings, (const guint8 *) directory, (guint) strlen (directory) + 1);
  append_strings (strings, stint_job_spec_get_argv (spec), &block->argc);
  append_strings (strings, (const char *const *) environ, &block->envc);
  block->strings_size = strings->len;

  parts[0] = (struct iovec) { block, sizeof *block };
  parts[1] = (struct iovec) { strings->data, strings->len };
  return make_sealed_memfd ("stint-launch", parts, G_N_ELEMENTS (parts));
}

static void
fill_in_settings (struct keeper_launch *block, StintJobSpec *spec, StintJobPlace *place)
{
  guint columns, rows;

  stint_job_spec_get_size (spec, &columns, &rows);
  *block = (struct keeper_launch) {
    .magic = KEEPER_LAUNCH_MAGIC,
    .version = KEEPER_VERSION,
    .pty_fd = -1,
    .narration_fd = -1,
    .stdio = { { KEEPER_STDIO_NULL, -1 }, { KEEPER_STDIO_NULL, -1 }, { KEEPER_STDIO_NULL, -1 } },
    .timeout = stint_job_spec_get_timeout (spec),
    .idle = stint_job_spec_get_idle_timeout (spec),
    .grace = stint_job_spec_get_grace (spec),
    .output_limit = stint_job_spec_get_output_limit (spec),
    .nofile_soft = original_descriptor_limit,
    .oom_score_adj = JOB_OOM_SCORE_ADJ,
    .niceness = (int32_t) stint_job_spec_get_niceness (spec),
    .idle_action = stint_job_spec_get_on_idle (spec) == STINT_ON_IDLE_NOTIFY ? KEEPER_IDLE_NOTIFY
                                                                             : KEEPER_IDLE_TERMINATE,
    .idle_by = stint_job_spec_get_idle_by (spec) == STINT_IDLE_BY_ACTIVITY ? KEEPER_IDLE_BY_ACTIVITY
                                                                           : KEEPER_IDLE_BY_OUTPUT,
  };
  if (stint_job_spec_get_tty (spec))
    {
      block->columns = (uint16_t) columns;
      block->rows = (uint16_t) rows;
    }
  if (stint_job_spec_get_leftovers (spec) == STINT_LEFTOVERS_WAIT)
    block->flags |= KEEPER_LEFTOVERS_WAIT;
  if (place->scratch)
    block->flags |= KEEPER_SCRATCH;
}

static gboolean
give_stdin (GSubprocessLauncher *launcher,
            int *next,
            StintJobSpec *spec,
            const StintStdio *stdio,
            struct keeper_stdio *keeper_stdio,
            GError **error)
{
  const char *text = stint_job_spec_get_stdin_text (spec);
  int fd;

  if (stdio->stdin_fd >= 0)
    fd = duplicate (stdio->stdin_fd);
  else if (text != NULL)
    fd = make_sealed_memfd ("stint-stdin", &(struct iovec) { (void *) text, strlen (text) }, 1);
  else
    return TRUE;
  keeper_stdio->kind = KEEPER_STDIO_PASS;
  return give (launcher, next, fd, &keeper_stdio->fd, error);
}

static gboolean
give_stdio (GSubprocessLauncher *launcher,
            int *next,
            StintJobSpec *spec,
            const StintStdio *stdio,
            struct keeper_launch *block,
            GError **error)
{
  gboolean tty = stint_job_spec_get_tty (spec);

  if (tty)
    block->stdio[0].kind = KEEPER_STDIO_PTY;
  if (!give_stdin (launcher, next, spec, stdio, &block->stdio[0], error))
    return FALSE;

  for (int i = 0; i < 2; i++)
    {
      struct keeper_stdio *keeper_stdio = &block->stdio[i + 1];

      keeper_stdio->kind = tty                       ? KEEPER_STDIO_PTY
                           : stdio->tee_fds[i] >= 0 ? KEEPER_STDIO_TEE
                                                    : KEEPER_STDIO_CAPTURE;
      if (stdio->tee_fds[i] >= 0 && (!tty || i == 0) &&
          !give (launcher, next, duplicate (stdio->tee_fds[i]), &keeper_stdio->fd, error))
        return FALSE;
    }
  if (tty || stdio->stdout_fd < 0)
    return TRUE;
  block->stdio[1].kind = KEEPER_STDIO_PASS;
  if (!give (launcher, next, duplicate (stdio->stdout_fd), &block->stdio[1].fd, error))
    return FALSE;
  if (stdio->narration_fd >= 0)
    return give (launcher, next, duplicate (stdio->narration_fd), &block->narration_fd, error);
  return TRUE;
}

/* Makes what is shared with the keeper: ours to @channels, the keeper's to the launcher. */
static gboolean
give_channels (GSubprocessLauncher *launcher,
               int *next,
               StintJobPlace *place,
               StintKeeperChannels *channels,
               struct keeper_launch *block,
               GError **error)
{
  int pair[2];

  if (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, pair) < 0)
    return set_errno_error (error, _ ("Cannot prepare the job"));
  channels->control_fd = pair[0];
  if (!give (launcher, next, pair[1], &block->control_fd, error))
    return FALSE;

  channels->counters_fd = memfd_create ("stint-counters", MFD_CLOEXEC);
  channels->wakeup_fd = eventfd (0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (channels->counters_fd < 0 || channels->wakeup_fd < 0 ||
      ftruncate (channels->counters_fd, sizeof (struct keeper_counters)) < 0)
    return set_errno_error (error, _ ("Cannot prepare the job"));

  return give (launcher, next, duplicate (channels->counters_fd), &block->counters_fd, error) &&
         give (launcher, next, duplicate (channels->wakeup_fd), &block->wakeup_fd, error) &&
         give (launcher, next, open (place->directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC),
               &block->directory_fd, error) &&
         give (launcher, next, g_steal_fd (&place->lock_fd), &block->lock_fd, error);
}

/* GLib 2.74 ends the whole program if descriptors run out while it spawns (it takes a failed dup for
 * success), and may close strangers' before. It wants one for each of ours, /dev/null, and a few to
 * wait by: whether they can be had is found out first. */
static gboolean
check_room (int any_fd, int n_given, GError **error)
{
  int fds[KEEPER_LAUNCH_FD + 32];
  guint wanted = (guint) n_given + SPAWN_DESCRIPTORS, n = 0;
  int code;

  while (n < wanted && (fds[n] = fcntl (any_fd, F_DUPFD_CLOEXEC, KEEPER_LAUNCH_FD)) >= 0)
    n++;
  code = errno;
  for (guint i = 0; i < n; i++)
    close (fds[i]);
  errno = code;
  return n == wanted || set_errno_error (error, _ ("Cannot prepare the job"));
}

static void
close_channels (StintKeeperChannels *channels)
{
  int *fds[] = { &channels->control_fd, &channels->counters_fd, &channels->wakeup_fd };

  for (guint i = 0; i < G_N_ELEMENTS (fds); i++)
    {
      if (*fds[i] >= 0)
        close (*fds[i]);
      *fds[i] = -1;
    }
}

static const char *
get_keeper_path (void)
{
  const char *path = g_getenv ("STINT_KEEPER");

  return path != NULL && *path != '\0' ? path : KEEPER_PATH;
}

GSubprocess *
stint_keeper_launch (StintJobSpec *spec,
                     StintJobPlace *place,
                     const StintStdio *stdio,
                     int pty_fd,
                     StintKeeperChannels *channels,
                     GError **error)
{
  /* Nothing of its own environment may act on the keeper: a job's LD_PRELOAD is in the block. */
  const char *const no_environ[] = { NULL };
  const char *const argv[] = { get_keeper_path (), NULL };
  g_autoptr (GSubprocessLauncher) launcher =
    g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_INHERIT_FDS);
  g_autoptr (GSubprocess) process = NULL;
  struct keeper_launch block;
  int next = KEEPER_LAUNCH_FD + 1, launch_fd;

  *channels = (StintKeeperChannels) { -1, -1, -1 };
  g_subprocess_launcher_set_environ (launcher, (char **) no_environ);
  fill_in_settings (&block, spec, place);

  if (!give_channels (launcher, &next, place, channels, &block, error) ||
      !give_stdio (launcher, &next, spec, stdio, &block, error) ||
      (pty_fd >= 0 && !give (launcher, &next, duplicate (pty_fd), &block.pty_fd, error)))
    {
      close_channels (channels);
      return NULL;
    }

  launch_fd = make_launch_block (&block, spec, place);
  if (launch_fd < 0)
    {
      set_errno_error (error, _ ("Cannot prepare the job"));
      close_channels (channels);
      return NULL;
    }
  g_subprocess_launcher_take_fd (launcher, launch_fd, KEEPER_LAUNCH_FD);

  if (!check_room (channels->control_fd, next - KEEPER_LAUNCH_FD, error))
    {
      close_channels (channels);
      return NULL;
    }
  process = g_subprocess_launcher_spawnv (launcher, argv, error);
  if (process == NULL)
    {
      g_prefix_error (error, "%s: ", _ ("Cannot start the keeper"));
      close_channels (channels);
    }
  return g_steal_pointer (&process);
}
