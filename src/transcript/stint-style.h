/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <glib.h>

#include "stint-escape.h"

G_BEGIN_DECLS

/* A colour: 0 is the default one; else what it is, and which. */
#define STINT_COLOR_DEFAULT 0u
#define STINT_COLOR_INDEXED 0x01000000u /* | 0 to 255 */
#define STINT_COLOR_RGB 0x02000000u     /* | 0xrrggbb */
#define STINT_COLOR_KIND 0xff000000u

/**
 * StintStyleFlags:
 *
 * How characters look. @STINT_STYLE_STDERR is where they come from: set by #StintScreen.
 */
typedef enum
{
  STINT_STYLE_BOLD = 1 << 0,
  STINT_STYLE_DIM = 1 << 1,
  STINT_STYLE_ITALIC = 1 << 2,
  STINT_STYLE_UNDERLINE = 1 << 3,
  STINT_STYLE_BLINK = 1 << 4,
  STINT_STYLE_INVERSE = 1 << 5,
  STINT_STYLE_INVISIBLE = 1 << 6,
  STINT_STYLE_STRIKE = 1 << 7,
  STINT_STYLE_STDERR = 1 << 8,
} StintStyleFlags;

/* All zeros: as text looks by default. */
typedef struct
{
  guint32 foreground;
  guint32 background;
  guint16 flags;
} StintStyle;

/* Does what a control sequence with the final `m` says. */
void stint_style_apply (StintStyle *self, const StintEscape *sgr);

/* The value of an indexed colour from 16 on, 0xrrggbb. */
guint32 stint_color_from_index (guint index);

G_END_DECLS
