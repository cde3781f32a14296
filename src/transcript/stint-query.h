/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintQueryFlags:
 * @STINT_QUERY_CASELESS: upper and lower case are the same
 * @STINT_QUERY_WHOLE_WORDS: no letter, digit or underscore stands beside a hit
 * @STINT_QUERY_REGEX: the text is a regular expression (PCRE2's) and not what it says
 */
typedef enum
{
  STINT_QUERY_CASELESS = 1 << 0,
  STINT_QUERY_WHOLE_WORDS = 1 << 1,
  STINT_QUERY_REGEX = 1 << 2,
} StintQueryFlags;

/**
 * StintQuery:
 *
 * What to find in lines of plain text: in each line by itself, from left to right, never empty.
 * Immutable; any thread.
 */
typedef struct _StintQuery StintQuery;

/**
 * stint_query_new:
 * @text: what to find; "" is never found
 * @flags: how
 * @error: %G_IO_ERROR_INVALID_ARGUMENT, for people: a bad expression and at which character
 *
 * Returns: (transfer full): the query, or %NULL
 */
StintQuery *stint_query_new (const char *text, StintQueryFlags flags, GError **error);

StintQuery *stint_query_ref (StintQuery *self);
void stint_query_unref (StintQuery *self);

/**
 * stint_query_dup_pattern:
 * @self: a query
 * @caseless: (out) (optional): whether PCRE2_CASELESS is to be set
 *
 * Returns: (transfer full): a PCRE2 pattern, for PCRE2_UTF and PCRE2_MULTILINE, that finds the same
 */
char *stint_query_dup_pattern (StintQuery *self, gboolean *caseless);

/* Bytes each of which is in the line of every hit, before its control sequences are removed as
 * well; "" if none is known. */
const char *stint_query_get_needed_bytes (StintQuery *self);

/**
 * StintSeeker:
 *
 * Looks for a query in one text after the other. One thread at a time.
 */
typedef struct _StintSeeker StintSeeker;

StintSeeker *stint_seeker_new (StintQuery *query);
void stint_seeker_free (StintSeeker *self);

/**
 * stint_seeker_begin:
 * @self: a seeker
 * @text: (array length=length): lines, of any bytes, each but the last ended by LF; it stays there
 *   while it is searched, and what is not UTF-8 in it may be overwritten
 * @length: its bytes
 * @cancelled: (nullable): set from anywhere, not 0: as if nothing more were found
 */
void stint_seeker_begin (StintSeeker *self, guint8 *text, gsize length, const gint *cancelled);

/* The next hit, and FALSE when there are no more. */
gboolean stint_seeker_next (StintSeeker *self, gsize *start, gsize *end);

/* How many lines since the seeker was made were given up, because the expression is too hard for
 * them. */
guint64 stint_seeker_get_n_given_up (StintSeeker *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintQuery, stint_query_unref)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintSeeker, stint_seeker_free)

G_END_DECLS
