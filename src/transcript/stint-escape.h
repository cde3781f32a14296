/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define STINT_ESCAPE_MAX_PARAMETERS 32

/**
 * StintEscapeKind:
 * @STINT_ESCAPE_TEXT: printable bytes, of any encoding
 * @STINT_ESCAPE_CONTROL: one C0 control character or DEL, in `final`
 * @STINT_ESCAPE_SIMPLE: ESC, `intermediate` or 0, `final`
 * @STINT_ESCAPE_CSI: a control sequence: `prefix` (one of <=>? or 0), parameters, `intermediate`, `final`
 * @STINT_ESCAPE_STRING: an OSC, DCS, SOS, PM or APC string that has ended; `final` is what began it
 *   (one of ]PX^_). What it said is not kept: nobody acts on it
 * @STINT_ESCAPE_NONE: bytes were taken that are not whole yet, or that mean nothing
 */
typedef enum
{
  STINT_ESCAPE_NONE,
  STINT_ESCAPE_TEXT,
  STINT_ESCAPE_CONTROL,
  STINT_ESCAPE_SIMPLE,
  STINT_ESCAPE_CSI,
  STINT_ESCAPE_STRING,
} StintEscapeKind;

/**
 * StintEscape:
 *
 * Cuts a terminal's output into text and control sequences, in any chunks. All zeros is its
 * beginning. Its memory is flat whatever it is fed. A string that a line feed interrupts has ended:
 * an unterminated one must not swallow the rest of a log.
 */
typedef struct
{
  /* Of the sequence that was told last. */
  guint8 prefix;
  guint8 intermediate;
  guint8 final;
  guint8 n_parameters;
  gint32 parameters[STINT_ESCAPE_MAX_PARAMETERS]; /* -1: left out */
  guint32 colons; /* bit i: parameter i is a part of the one before it */

  /*< private >*/
  guint8 state;
} StintEscape;

/**
 * stint_escape_next:
 * @self: where it stands
 * @data: (array length=size): what comes next
 * @size: how much, more than 0
 * @used: (out): how many bytes of @data what is told consists of; always more than 0
 *
 * Returns: what the first @used bytes of @data are, or have completed
 */
StintEscapeKind
stint_escape_next (StintEscape *self, const guint8 *data, gsize size, gsize *used);

/* Whether the next byte is not part of a sequence that has begun. */
gboolean stint_escape_is_ground (const StintEscape *self);

G_END_DECLS
