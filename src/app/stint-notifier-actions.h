/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-application.h"

G_BEGIN_DECLS

/* Adds what notifications ask for, see stint-notifier.h, to the actions of @application. */
void stint_notifier_actions_install (StintApplication *application, StintJobList *jobs);

G_END_DECLS
