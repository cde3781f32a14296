/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What both sides of the bus agree on, besides the interface.
 */
#define G_LOG_DOMAIN "stint-bus"
#include "config.h"

#include "stint-bus.h"

#include "stint-error.h"

#define ERROR_PREFIX "io.github.stint.Stint.Error."

void
stint_bus_register_errors (void)
{
  static const GDBusErrorEntry entries[] = {
    { STINT_ERROR_FAILED, ERROR_PREFIX "Failed" },
    { STINT_ERROR_INVALID, ERROR_PREFIX "Invalid" },
    { STINT_ERROR_UNBALANCED, ERROR_PREFIX "Unbalanced" },
    { STINT_ERROR_WRONG_KIND, ERROR_PREFIX "WrongKind" },
    { STINT_ERROR_NO_COMMAND, ERROR_PREFIX "NoCommand" },
    { STINT_ERROR_SHUTTING_DOWN, ERROR_PREFIX "ShuttingDown" },
    { STINT_ERROR_NOT_RUNNING, ERROR_PREFIX "NotRunning" },
    { STINT_ERROR_NO_JOB, ERROR_PREFIX "NoJob" },
  };
  static gsize registered;

  if (!g_once_init_enter (&registered))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (entries); i++)
    g_dbus_error_register_error (STINT_ERROR, entries[i].error_code, entries[i].dbus_error_name);
  g_once_init_leave (&registered, 1);
}
