/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error domain.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-error.h"

#include <errno.h>
#include <glib/gi18n-lib.h>

G_DEFINE_QUARK (stint-error-quark, stint_error)

const char *
stint_error_describe (int code)
{
  if (code == EMFILE)
    return _ ("Too many open files: this process may open no more (“ulimit -n” shows and sets how many)");
  return g_strerror (code);
}
