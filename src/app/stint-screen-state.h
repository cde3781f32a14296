/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-escape.h"

G_BEGIN_DECLS

#define STINT_SCREEN_STATE_MODES 16
#define STINT_SCREEN_STATE_SGR 160

/*< private >: what lasts */
typedef struct
{
  char sgr[STINT_SCREEN_STATE_SGR]; /* whole sequences, since the last reset */
  guint sgr_length;
  guint8 charset; /* of G0, 0: as it was */
  gboolean keypad;
  guint n_modes;
  struct
  {
    gint32 number;
    gboolean set;
  } modes[STINT_SCREEN_STATE_MODES];
} StintScreenMemory;

/**
 * StintScreenState:
 * @full_screen: whether the terminal shows its alternate screen
 * @entered_at: offset of the sequence that switched to it, if it does
 *
 * What a terminal would remember of output that it is not fed: which of its screens is shown, its
 * colours, character set and private modes. Begins as zeroes.
 */
typedef struct
{
  gboolean full_screen;
  guint64 entered_at;

  /*< private >*/
  StintEscape escape;
  guint64 sequence_at;
  StintScreenMemory now;
  StintScreenMemory before; /* it went to full screen */
} StintScreenState;

/**
 * stint_screen_state_scan:
 * @self: what is known so far
 * @offset: where @data stands in the output
 * @data: (array length=length): the next bytes; a sequence may be cut anywhere
 * @length: how many
 */
void
stint_screen_state_scan (StintScreenState *self, guint64 offset, const guint8 *data, gsize length);

/* Output is missing here: a sequence that it cut off has ended. */
void stint_screen_state_cut (StintScreenState *self);

/* Back to where it went to full screen, just before that. */
void stint_screen_state_rewind (StintScreenState *self);

/* Appends what brings a terminal that has been reset into this state, but for the alternate screen. */
void stint_screen_state_append (const StintScreenState *self, GString *out);

/* Appends only colours and the like. */
void stint_screen_state_append_sgr (const StintScreenState *self, GString *out);

G_END_DECLS
