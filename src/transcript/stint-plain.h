/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* From text byte `at` on, up to the next run, the bytes stand side by side in the output, from
 * `offset`. */
typedef struct
{
  gsize at;
  guint64 offset;
} StintPlainRun;

/**
 * StintPlain:
 * @text: a part of a transcript without control sequences and control characters; TAB stays, and
 *   both LF and CR have become LF
 * @length: bytes of @text
 * @with_offsets: whether to note where in the output the text stands, at some cost
 *
 * What a person would search. A line end also ends a control sequence that has begun: so any part
 * of a transcript that begins at a line can be made plain without what came before it.
 */
typedef struct
{
  guint8 *text;
  gsize length;
  gboolean with_offsets;

  /*< private >*/
  gsize capacity;
  GArray *runs; /* of StintPlainRun */
} StintPlain;

void stint_plain_init (StintPlain *self);
void stint_plain_clear (StintPlain *self);

/* Empty again; keeps the memory. */
void stint_plain_reset (StintPlain *self);

/**
 * stint_plain_append:
 * @self: a text
 * @raw: (array length=size): output, from the beginning of a line
 * @size: how much
 * @offset: where in the output @raw stands
 */
void stint_plain_append (StintPlain *self, const guint8 *raw, gsize size, guint64 offset);

/* What is appended next is another line. */
void stint_plain_end_line (StintPlain *self);

/* Where in the output byte @at of the text, which is there, stands. Needs `with_offsets`. */
guint64 stint_plain_get_offset (const StintPlain *self, gsize at);

/* The first byte of the text that stands at or behind @offset in the output, or `length`. Needs
 * `with_offsets`. */
gsize stint_plain_find_offset (const StintPlain *self, guint64 offset);

G_END_DECLS
