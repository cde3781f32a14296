/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STINT_REPLACEMENT_CHARACTER 0xfffdu

/* The longest part of a character that is not all of it, in bytes. */
#define STINT_UTF8_MAX_PART 3

/**
 * StintUtf8:
 *
 * Decodes UTF-8 that comes in any pieces. All zeros is its beginning. What is invalid becomes one
 * U+FFFD for each longest part that could have begun a character, as in all browsers and in VTE.
 */
typedef struct
{
  /*< private >*/
  guint32 value;
  guint8 missing; /* bytes of the character that has begun */
  guint8 lower;   /* what the next one may be */
  guint8 upper;
} StintUtf8;

/**
 * stint_utf8_next:
 * @self: where it stands
 * @data: (array length=size): what comes next
 * @size: how much, more than 0
 * @used: (out): how many bytes were taken: 0 if the first one shows that the character before it,
 *   which is told now, is not whole
 * @character: (out): what they are
 *
 * Returns: %FALSE if the character is not whole yet; then all of @data has been taken
 */
gboolean stint_utf8_next (
  StintUtf8 *self, const guint8 *data, gsize size, gsize *used, gunichar *character);

/* Whether a character has begun that is not whole yet. */
gboolean stint_utf8_has_begun (const StintUtf8 *self);

/* Nothing follows. Returns: whether a character had begun, which U+FFFD stands for */
gboolean stint_utf8_finish (StintUtf8 *self);

/* How many bytes at the start of @data, %STINT_UTF8_MAX_PART at most, are the rest of a character that was cut off. */
gsize stint_utf8_count_rest (const guint8 *data, gsize size);

/* How many bytes at the end of @data, %STINT_UTF8_MAX_PART at most, begin a character that is cut off. */
gsize stint_utf8_count_begun (const guint8 *data, gsize size);

/* How many bytes from @data on are below 0x80. */
gsize stint_utf8_count_ascii (const guint8 *data, gsize size);

G_END_DECLS
