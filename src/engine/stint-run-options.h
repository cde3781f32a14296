/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-job-spec.h"

G_BEGIN_DECLS

/**
 * StintRunOptions:
 *
 * The options that `stintctl run` and `stint` share, as they were given.
 */
typedef struct _StintRunOptions StintRunOptions;

/**
 * stint_run_options_parse:
 * @argv: (array zero-terminated=1): the words after the program's name (and its verb)
 * @extra: (nullable) (array zero-terminated=1): further options the caller takes, such as `--wait`;
 *   one that ends in `=` takes a value, such as `--max-jobs=`
 * @error: %STINT_ERROR_INVALID, one line that names what is wrong and what would be right
 *
 * Options end at the first word that is not one, or at `--`; the rest is the command, untouched.
 *
 * Returns: (transfer full): the options, or %NULL
 */
StintRunOptions *stint_run_options_parse (const char *const *argv, const char *const *extra, GError **error);
void stint_run_options_free (StintRunOptions *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintRunOptions, stint_run_options_free)

/* Whether one of @extra was given. */
gboolean stint_run_options_has (const StintRunOptions *self, const char *option);

/* (nullable): what the one of @extra that takes a value, `--max-jobs=`, was last given. */
const char *stint_run_options_get_extra (const StintRunOptions *self, const char *option);

/* (nullable) (type filename): FILE of `--json FILE`. */
const char *stint_run_options_get_json (const StintRunOptions *self);

/* (nullable) (type filename): DIR of `--cwd DIR`, as it was written. */
const char *stint_run_options_get_directory (const StintRunOptions *self);

gboolean stint_run_options_get_quiet (const StintRunOptions *self);
gboolean stint_run_options_get_no_history (const StintRunOptions *self);

/* Whether there is anything to run: words, or `--shell`. */
gboolean stint_run_options_has_command (const StintRunOptions *self);

/**
 * stint_run_options_to_spec:
 * @self: the options
 * @default_kind: the kind without `--kind`
 * @default_tty: whether it runs on a pty without `--tty` and `--pipes`
 *
 * Returns: (transfer full): the spec, unsealed and not resolved
 */
StintJobSpec *stint_run_options_to_spec (const StintRunOptions *self,
                                         StintJobKind default_kind,
                                         gboolean default_tty);

/**
 * stint_run_options_check_kind:
 * @self: the options
 * @spec: what stint_run_options_to_spec() made of them
 * @error: %STINT_ERROR_WRONG_KIND, one line
 *
 * Returns: %FALSE if it would run an agent's command as a background shell job, and nobody said
 *   `--kind shell`
 */
gboolean stint_run_options_check_kind (const StintRunOptions *self, StintJobSpec *spec, GError **error);

/**
 * stint_run_options_check_session:
 * @self: the options
 * @option: the option that asks for an agent session, to be named
 * @error: %STINT_ERROR_INVALID, one line
 *
 * Returns: %FALSE if one was given that an agent session cannot heed: it has its own command and
 *   terminal, and is no use run again
 */
gboolean stint_run_options_check_session (const StintRunOptions *self, const char *option, GError **error);

/* (transfer full): the lines of `--help` that list the options, translated. */
char *stint_run_options_describe (void);

G_END_DECLS
