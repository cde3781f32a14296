/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Output that may be longer than the screen.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-pager.h"

#include "stint-standard-descriptors.h"

#include <errno.h>
#include <gio/gio.h>
#include <glib/gi18n.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

struct _StintPager
{
  GSubprocess *process; /* (nullable) */
  int fd;
  gboolean gone;
  int failure; /* errno */
};

/* (transfer full) (nullable): the words of the pager; NULL: none is wanted. */
static char **
dup_command (void)
{
  static const char *const names[] = { "STINT_PAGER", "PAGER" };
  char **words = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    {
      const char *value = g_getenv (names[i]);

      if (value == NULL)
        continue;
      if (*value == '\0' || strcmp (value, "cat") == 0 ||
          !g_shell_parse_argv (value, NULL, &words, NULL))
        return NULL;
      return words;
    }
  return g_strsplit ("less", " ", -1);
}

static void
start (StintPager *self)
{
  g_auto (GStrv) command = dup_command ();
  g_autoptr (GSubprocessLauncher) launcher = NULL;
  GOutputStream *stream;

  if (command == NULL)
    return;
  launcher = g_subprocess_launcher_new (G_SUBPROCESS_FLAGS_STDIN_PIPE);
  /* Less than a screenful stays on the screen, and colours are colours. */
  if (g_getenv ("LESS") == NULL)
    g_subprocess_launcher_setenv (launcher, "LESS", "FRX", TRUE);
  self->process =
    g_subprocess_launcher_spawnv (launcher, (const char *const *) command, NULL);
  if (self->process == NULL)
    return;
  stream = g_subprocess_get_stdin_pipe (self->process);
  g_object_get (stream, "fd", &self->fd, NULL);
}

StintPager *
stint_pager_new (gboolean wanted)
{
  StintPager *self = g_new0 (StintPager, 1);

  self->fd = STDOUT_FILENO;
  signal (SIGPIPE, SIG_IGN);
  if (!stint_standard_descriptor_was_open (STDOUT_FILENO))
    self->failure = EBADF;
  else if (wanted && isatty (STDOUT_FILENO))
    start (self);
  return self;
}

gboolean
stint_pager_print (StintPager *self, const char *text)
{
  gsize length = strlen (text);

  while (length > 0 && !self->gone && self->failure == 0)
    {
      ssize_t n = write (self->fd, text, length);

      if (n >= 0)
        {
          text += n;
          length -= (gsize) n;
        }
      else if (errno == EPIPE)
        self->gone = TRUE;
      else if (errno != EINTR)
        self->failure = errno;
    }
  return !self->gone && self->failure == 0;
}

gboolean
stint_pager_close (StintPager *self)
{
  gboolean ok = self->failure == 0;

  if (self->process != NULL)
    {
      g_output_stream_close (g_subprocess_get_stdin_pipe (self->process), NULL, NULL);
      /* Ctrl+C is the pager's. */
      signal (SIGINT, SIG_IGN);
      g_subprocess_wait (self->process, NULL, NULL);
      g_object_unref (self->process);
    }
  if (!ok)
    g_printerr (_ ("stintctl: Cannot write: %s\n"), g_strerror (self->failure));
  g_free (self);
  return ok;
}
