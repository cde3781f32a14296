/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-cli-terminal.h.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-terminal.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

/* Nothing tells a process that it has come to the foreground. */
#define FOREGROUND_CHECK_MS 250

#define CTRL_C 0x03
#define TWICE_WITHIN G_USEC_PER_SEC

struct _StintCliTerminal
{
  GObject parent_instance;

  int fd;
  StintJob *job; /* (nullable): on a pty */
  int write_fd;  /* or a pipe */
  GByteArray *pending;
  guint input_source;
  guint output_source;
  guint foreground_source;
  guint size_source;
  gboolean raw;
  struct termios saved;
  gint64 last_ctrl_c;
};

enum
{
  SIGNAL_INTERRUPTED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintCliTerminal, stint_cli_terminal, G_TYPE_OBJECT)

static void watch_input (StintCliTerminal *self);

static gboolean
is_foreground (StintCliTerminal *self)
{
  return tcgetpgrp (self->fd) == getpgrp ();
}

/* A background process that sets a terminal's mode is stopped by SIGTTOU, unless it ignores it. */
static void
set_attributes (StintCliTerminal *self, const struct termios *attributes)
{
  void (*old) (int) = signal (SIGTTOU, SIG_IGN);

  tcsetattr (self->fd, TCSADRAIN, attributes);
  signal (SIGTTOU, old);
}

static void
enter_raw_mode (StintCliTerminal *self)
{
  struct termios raw;

  if (self->raw || self->job == NULL || tcgetattr (self->fd, &self->saved) < 0)
    return;
  raw = self->saved;
  cfmakeraw (&raw);
  set_attributes (self, &raw);
  self->raw = TRUE;
}

static gboolean
handle_foreground_check (gpointer data)
{
  StintCliTerminal *self = data;

  if (!is_foreground (self))
    return G_SOURCE_CONTINUE;
  self->foreground_source = 0;
  watch_input (self);
  return G_SOURCE_REMOVE;
}

static void
note_ctrl_c (StintCliTerminal *self, const guint8 *bytes, gsize size)
{
  for (gsize i = 0; i < size; i++)
    {
      gint64 now = g_get_monotonic_time ();

      if (bytes[i] != CTRL_C)
        continue;
      if (self->last_ctrl_c != 0 && now - self->last_ctrl_c < TWICE_WITHIN)
        {
          self->last_ctrl_c = 0;
          g_signal_emit (self, signals[SIGNAL_INTERRUPTED], 0);
          continue;
        }
      self->last_ctrl_c = now;
    }
}

static void
close_pipe (StintCliTerminal *self)
{
  g_clear_handle_id (&self->output_source, g_source_remove);
  if (self->write_fd >= 0)
    close (g_steal_fd (&self->write_fd));
}

/* Returns: whether the pipe has taken all. */
static gboolean
write_pending (StintCliTerminal *self)
{
  while (self->pending->len > 0 && self->write_fd >= 0)
    {
      ssize_t n = write (self->write_fd, self->pending->data, self->pending->len);

      if (n > 0)
        g_byte_array_remove_range (self->pending, 0, (guint) n);
      else if (n < 0 && errno == EAGAIN)
        return FALSE;
      else if (n < 0 && errno != EINTR)
        close_pipe (self);
    }
  return TRUE;
}

static gboolean
handle_writable (int fd, GIOCondition condition, gpointer data)
{
  StintCliTerminal *self = data;

  if (!write_pending (self))
    return G_SOURCE_CONTINUE;
  self->output_source = 0;
  if (self->write_fd >= 0)
    watch_input (self);
  return G_SOURCE_REMOVE;
}

/* Returns: whether more can be taken now. */
static gboolean
pass_to_pipe (StintCliTerminal *self, const guint8 *bytes, gsize size)
{
  g_byte_array_append (self->pending, bytes, (guint) size);
  if (!write_pending (self))
    {
      self->output_source = g_unix_fd_add (self->write_fd, G_IO_OUT, handle_writable, self);
      return FALSE;
    }
  return self->write_fd >= 0;
}

static void
pass_to_job (StintCliTerminal *self, const guint8 *bytes, gsize size)
{
  g_autoptr (GBytes) data = g_bytes_new (bytes, size);
  g_autoptr (GError) error = NULL;

  /* The terminal's bell, as a terminal does when its own queue is full. */
  if (!stint_job_write (self->job, data, &error) && write (STDERR_FILENO, "\a", 1) < 0)
    g_debug ("%s", error->message);
  note_ctrl_c (self, bytes, size);
}

static gboolean
handle_readable (int fd, GIOCondition condition, gpointer data)
{
  g_autoptr (StintCliTerminal) self = g_object_ref (data);
  guint8 bytes[4096];
  ssize_t n;

  if (!is_foreground (self))
    {
      self->input_source = 0;
      watch_input (self);
      return G_SOURCE_REMOVE;
    }

  n = read (fd, bytes, sizeof bytes);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return G_SOURCE_CONTINUE;
  if (n > 0 && self->job != NULL)
    {
      pass_to_job (self, bytes, (gsize) n);
      return G_SOURCE_CONTINUE;
    }
  if (n > 0 && pass_to_pipe (self, bytes, (gsize) n))
    return G_SOURCE_CONTINUE;
  if (n <= 0)
    close_pipe (self);
  self->input_source = 0;
  return G_SOURCE_REMOVE;
}

static void
watch_input (StintCliTerminal *self)
{
  if (self->input_source != 0 || self->foreground_source != 0)
    return;
  if (!is_foreground (self))
    {
      self->foreground_source = g_timeout_add (FOREGROUND_CHECK_MS, handle_foreground_check, self);
      return;
    }
  enter_raw_mode (self);
  /* Until the job takes it, the terminal keeps what is typed. */
  if (self->job != NULL && stint_job_get_state (self->job) < STINT_JOB_RUNNING)
    return;
  self->input_source = g_unix_fd_add (self->fd, G_IO_IN | G_IO_HUP | G_IO_ERR, handle_readable, self);
}

gboolean
stint_cli_terminal_get_size (StintCliTerminal *self, guint *columns, guint *rows)
{
  struct winsize size;

  if (ioctl (self->fd, TIOCGWINSZ, &size) < 0 || size.ws_col == 0 || size.ws_row == 0)
    return FALSE;
  *columns = size.ws_col;
  *rows = size.ws_row;
  return TRUE;
}

static gboolean
handle_resized (gpointer data)
{
  StintCliTerminal *self = data;
  guint columns, rows;

  if (stint_cli_terminal_get_size (self, &columns, &rows))
    stint_job_resize (self->job, columns, rows);
  return G_SOURCE_CONTINUE;
}

void
stint_cli_terminal_relay_to_job (StintCliTerminal *self, StintJob *job)
{
  g_return_if_fail (self->job == NULL && self->write_fd < 0);

  self->job = g_object_ref (job);
  self->size_source = g_unix_signal_add (SIGWINCH, handle_resized, self);
  g_signal_connect_object (job, "notify::state", G_CALLBACK (watch_input), self, G_CONNECT_SWAPPED);
  watch_input (self);
}

void
stint_cli_terminal_relay_to_pipe (StintCliTerminal *self, int write_fd)
{
  g_return_if_fail (self->job == NULL && self->write_fd < 0);

  self->write_fd = write_fd;
  fcntl (write_fd, F_SETFL, fcntl (write_fd, F_GETFL) | O_NONBLOCK);
  watch_input (self);
}

static void
stint_cli_terminal_dispose (GObject *object)
{
  StintCliTerminal *self = STINT_CLI_TERMINAL (object);

  g_clear_handle_id (&self->input_source, g_source_remove);
  g_clear_handle_id (&self->foreground_source, g_source_remove);
  g_clear_handle_id (&self->size_source, g_source_remove);
  close_pipe (self);
  if (self->raw)
    set_attributes (self, &self->saved);
  self->raw = FALSE;
  g_clear_object (&self->job);
  G_OBJECT_CLASS (stint_cli_terminal_parent_class)->dispose (object);
}

static void
stint_cli_terminal_finalize (GObject *object)
{
  g_byte_array_unref (STINT_CLI_TERMINAL (object)->pending);
  G_OBJECT_CLASS (stint_cli_terminal_parent_class)->finalize (object);
}

static void
stint_cli_terminal_class_init (StintCliTerminalClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_cli_terminal_dispose;
  object_class->finalize = stint_cli_terminal_finalize;

  signals[SIGNAL_INTERRUPTED] = g_signal_new ("interrupted", STINT_TYPE_CLI_TERMINAL, G_SIGNAL_RUN_LAST,
                                              0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_cli_terminal_init (StintCliTerminal *self)
{
  self->write_fd = -1;
  self->pending = g_byte_array_new ();
}

StintCliTerminal *
stint_cli_terminal_new (int fd)
{
  StintCliTerminal *self = g_object_new (STINT_TYPE_CLI_TERMINAL, NULL);

  self->fd = fd;
  return self;
}
