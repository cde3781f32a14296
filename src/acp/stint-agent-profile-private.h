/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * How the list of profiles makes and keeps them.
 */
#pragma once

#include "stint-agent-profile.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* The agents that Stint knows. (transfer full) (nullable): the next one, from 0 on. */
StintAgentProfile *stint_agent_profile_new_known (guint i);

/* Whether it says anything that its known self does not. */
gboolean stint_agent_profile_is_changed (StintAgentProfile *self);

/* Takes over what @object says; what it does not say stays. */
void stint_agent_profile_read (StintAgentProfile *self, JsonObject *object);
JsonObject *stint_agent_profile_write (StintAgentProfile *self);

G_END_DECLS
