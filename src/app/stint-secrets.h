/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-job-spec.h"

G_BEGIN_DECLS

/*
 * The values of secret variables, in the user's keyring: for each variable of each command. Where
 * there is no keyring nothing is found and nothing is kept, which is no error: they are asked for.
 */

/**
 * stint_secrets_look_up_async:
 * @spec: an unsealed spec that lacks values
 * @callback: called when what the keyring has is in @spec
 * @user_data: for @callback
 */
void stint_secrets_look_up_async (StintJobSpec *spec,
                                  GCancellable *cancellable,
                                  GAsyncReadyCallback callback,
                                  gpointer user_data);

/* Returns: whether @spec lacks none any more */
gboolean stint_secrets_look_up_finish (StintJobSpec *spec, GAsyncResult *result, GError **error);

/* Keeps the value of @variable for the command of @spec, if there is a keyring. */
void stint_secrets_store (StintJobSpec *spec, const char *variable, const char *value);

/* Keeps the values of all variables that were marked as secret. */
void stint_secrets_store_marked (StintJobSpec *spec);

G_END_DECLS
