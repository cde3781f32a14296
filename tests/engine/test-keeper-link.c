/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The control socket from the engine's side: what is asked of a keeper reaches it, at the latest when
 * the system can carry it again.
 */
#include "config.h"

#include "stint-keeper-link.h"

#include <errno.h>
#include <glib.h>
#include <sys/socket.h>
#include <unistd.h>

/* send() is wrapped by the linker: it fails so often, like this. */
static guint n_failures;
static int failure;

ssize_t __real_send (int fd, const void *bytes, size_t size, int flags);
ssize_t __wrap_send (int fd, const void *bytes, size_t size, int flags);

ssize_t
__wrap_send (int fd, const void *bytes, size_t size, int flags)
{
  if (n_failures == 0)
    return __real_send (fd, bytes, size, flags);
  n_failures--;
  errno = failure;
  return -1;
}

/* Each request, in order, and each once. */
static void
test_no_room (gconstpointer data)
{
  static const enum keeper_request_type types[] = {
    KEEPER_REQUEST_STOP,
    KEEPER_REQUEST_PAUSE,
    KEEPER_REQUEST_KILL,
  };
  g_autoptr (StintKeeperLink) link = NULL;
  struct keeper_request request;
  int pair[2];

  g_assert_no_errno (socketpair (AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair));
  link = stint_keeper_link_new (pair[0]);
  failure = GPOINTER_TO_INT (data);
  n_failures = 3;
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    stint_keeper_link_send (link, &(struct keeper_request){ .type = types[i] });
  for (guint i = 0; i < G_N_ELEMENTS (types); i++)
    {
      ssize_t n;

      while ((n = recv (pair[1], &request, sizeof request, MSG_DONTWAIT)) < 0)
        {
          g_assert_cmpint (errno, ==, EAGAIN);
          g_assert_true (n_failures > 0 || g_main_context_pending (NULL));
          g_main_context_iteration (NULL, FALSE);
        }
      g_assert_cmpint (n, ==, sizeof request);
      g_assert_cmpuint (request.type, ==, types[i]);
    }
  g_assert_cmpuint (n_failures, ==, 0);
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_assert_cmpint (recv (pair[1], &request, sizeof request, MSG_DONTWAIT), ==, -1);
  stint_keeper_link_close (link);
  close (pair[1]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/keeper-link/full", GINT_TO_POINTER (EAGAIN), test_no_room);
  g_test_add_data_func ("/keeper-link/no-buffers", GINT_TO_POINTER (ENOBUFS), test_no_room);
  g_test_add_data_func ("/keeper-link/no-memory", GINT_TO_POINTER (ENOMEM), test_no_room);
  return g_test_run ();
}
