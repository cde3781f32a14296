/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* How many combining characters a cell holds; more are dropped. */
#define STINT_MAX_MARKS 8

/**
 * StintMarks:
 *
 * Sequences of combining characters, each known by a number, so that a cell stays small. 0 is the
 * empty one. There are few in any text; when there is no number left, marks are dropped.
 */
typedef struct _StintMarks StintMarks;

StintMarks *stint_marks_new (void);
void stint_marks_free (StintMarks *self);

/* The number of sequence @number with @mark behind it. */
guint16 stint_marks_add (StintMarks *self, guint16 number, gunichar mark);

/* (array length=n): what sequence @number consists of. */
const gunichar *stint_marks_get (StintMarks *self, guint16 number, guint *n);

G_END_DECLS
