/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The error domain.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-error.h"

G_DEFINE_QUARK (stint-error-quark, stint_error)
