/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_LOGIN_ENVIRONMENT (stint_login_environment_get_type ())
G_DECLARE_FINAL_TYPE (StintLoginEnvironment,
                      stint_login_environment,
                      STINT,
                      LOGIN_ENVIRONMENT,
                      GObject)

/**
 * stint_login_environment_new:
 * @shell: (nullable) (type filename): the shell to ask, %NULL: the user's login shell
 * @timeout: microseconds that it is given
 *
 * The environment that the user's login shell would give a command: with the PATH that profiles and
 * nvm set up, which a program that was started from the menu does not have. Read once, when it is
 * first asked for.
 *
 * Returns: (transfer full): nothing is read yet
 */
StintLoginEnvironment *stint_login_environment_new (const char *shell, gint64 timeout);

#define STINT_LOGIN_ENVIRONMENT_TIMEOUT (G_GINT64_CONSTANT (5) * G_USEC_PER_SEC)

/**
 * stint_login_environment_read_async:
 * @self: the environment
 * @callback: called when it is known, or is known to be out of reach
 * @user_data: for @callback
 *
 * May be called any number of times, at any time.
 */
void stint_login_environment_read_async (StintLoginEnvironment *self,
                                         GAsyncReadyCallback callback,
                                         gpointer user_data);

/**
 * stint_login_environment_read_finish:
 * @error: (nullable): why it could not be read; the first caller is told, the others only get the
 *   environment
 *
 * Returns: (transfer full) (array zero-terminated=1): never %NULL: this process's, if the shell did not
 *   answer
 */
char **stint_login_environment_read_finish (StintLoginEnvironment *self,
                                            GAsyncResult *result,
                                            GError **error);

G_END_DECLS
