/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The CPU priority of the keeper and the job: lower than what they inherit, so that a busy job leaves
 * the window its share. Best effort: no job fails for it. libc only.
 */
#pragma once

#include <stdint.h>

/* Adds @niceness to the caller's, and to that of its session. 0 or less changes nothing. What is forked
 * afterwards inherits it, but for the session's. */
void priority_lower (int32_t niceness);

/* The same for the caller's session alone: after setsid(). */
void priority_lower_session (int32_t niceness);
