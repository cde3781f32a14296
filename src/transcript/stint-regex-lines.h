/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/**
 * stint_regex_keep_in_line:
 * @pattern: a valid PCRE2 pattern
 *
 * What finds in many lines (with PCRE2_MULTILINE) just what @pattern finds in each by itself,
 * because nothing in it can match the end of a line: `[^"]` becomes `[^\n"]`, `\s` becomes
 * `[^\S\n]`. In plain text, which has no control characters but TAB and the ends of lines.
 *
 * Returns: (transfer full) (nullable): the pattern, or %NULL if that cannot be said
 */
char *stint_regex_keep_in_line (const char *pattern);

G_END_DECLS
