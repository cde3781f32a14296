/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * SGR: colours and the like.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-style.h"

/* Parameter @i, 0 if it was left out or there is none. */
static guint
get_parameter (const StintEscape *sgr, guint i)
{
  return i < sgr->n_parameters && sgr->parameters[i] > 0 ? (guint) sgr->parameters[i] : 0;
}

static gboolean
is_part (const StintEscape *sgr, guint i)
{
  return i < sgr->n_parameters && (sgr->colons >> i & 1) != 0;
}

static guint32
to_rgb (const StintEscape *sgr, guint i)
{
  guint red = get_parameter (sgr, i), green = get_parameter (sgr, i + 1),
        blue = get_parameter (sgr, i + 2);

  if (red > 255 || green > 255 || blue > 255)
    return G_MAXUINT32;
  return STINT_COLOR_RGB | red << 16 | green << 8 | blue;
}

static guint32
to_indexed (const StintEscape *sgr, guint i)
{
  guint index = get_parameter (sgr, i);

  return index <= 255 ? STINT_COLOR_INDEXED | index : G_MAXUINT32;
}

/* 38, 48 or 58 at @i. Returns: how many parameters it consists of; *color is G_MAXUINT32 if it
 * makes no sense. */
static guint
read_color (const StintEscape *sgr, guint i, guint32 *color)
{
  guint n = 1;

  *color = G_MAXUINT32;
  if (is_part (sgr, i + 1))
    {
      while (is_part (sgr, i + n))
        n++;
      /* 38:2:r:g:b, or with a colour space before r, as the standard has it. */
      if (get_parameter (sgr, i + 1) == 2 && n >= 5)
        *color = to_rgb (sgr, n == 5 ? i + 2 : i + 3);
      else if (get_parameter (sgr, i + 1) == 5 && n >= 3)
        *color = to_indexed (sgr, i + 2);
      return n;
    }
  if (get_parameter (sgr, i + 1) == 2 && i + 4 < sgr->n_parameters)
    {
      *color = to_rgb (sgr, i + 2);
      return 5;
    }
  if (get_parameter (sgr, i + 1) == 5 && i + 2 < sgr->n_parameters)
    {
      *color = to_indexed (sgr, i + 2);
      return 3;
    }
  /* Whatever follows would be taken for something else. */
  return sgr->n_parameters - i;
}

static void
set_flags (StintStyle *self, guint flags)
{
  self->flags |= (guint16) flags;
}

static void
clear_flags (StintStyle *self, guint flags)
{
  self->flags &= (guint16) ~flags;
}

static void
reset (StintStyle *self)
{
  *self = (StintStyle){ .flags = self->flags & STINT_STYLE_STDERR };
}

static void
apply_color (StintStyle *self, guint code)
{
  if (code >= 30 && code <= 37)
    self->foreground = STINT_COLOR_INDEXED | (code - 30);
  else if (code == 39)
    self->foreground = STINT_COLOR_DEFAULT;
  else if (code >= 40 && code <= 47)
    self->background = STINT_COLOR_INDEXED | (code - 40);
  else if (code == 49)
    self->background = STINT_COLOR_DEFAULT;
  else if (code >= 90 && code <= 97)
    self->foreground = STINT_COLOR_INDEXED | (code - 90 + 8);
  else if (code >= 100 && code <= 107)
    self->background = STINT_COLOR_INDEXED | (code - 100 + 8);
}

static void
apply_code (StintStyle *self, guint code)
{
  /* 1 to 9, as flags; 0 and 10 (a font) are none. */
  static const guint16 flags[] = {
    [1] = STINT_STYLE_BOLD,      [2] = STINT_STYLE_DIM,       [3] = STINT_STYLE_ITALIC,
    [4] = STINT_STYLE_UNDERLINE, [5] = STINT_STYLE_BLINK,     [6] = STINT_STYLE_BLINK,
    [7] = STINT_STYLE_INVERSE,   [8] = STINT_STYLE_INVISIBLE, [9] = STINT_STYLE_STRIKE,
  };

  if (code == 0)
    reset (self);
  else if (code < G_N_ELEMENTS (flags))
    set_flags (self, flags[code]);
  else if (code == 21)
    set_flags (self, STINT_STYLE_UNDERLINE);
  else if (code == 22)
    clear_flags (self, STINT_STYLE_BOLD | STINT_STYLE_DIM);
  else if (code >= 23 && code <= 29 && code != 26)
    clear_flags (self, flags[code - 20]);
  else
    apply_color (self, code);
}

void
stint_style_apply (StintStyle *self, const StintEscape *sgr)
{
  if (sgr->n_parameters == 0)
    reset (self);
  for (guint i = 0; i < sgr->n_parameters;)
    {
      guint code = get_parameter (sgr, i), n = 1;
      guint32 color;

      if (code == 38 || code == 48 || code == 58)
        {
          n = read_color (sgr, i, &color);
          if (color != G_MAXUINT32 && code == 38)
            self->foreground = color;
          else if (color != G_MAXUINT32 && code == 48)
            self->background = color;
        }
      else if (code == 4 && is_part (sgr, i + 1))
        {
          /* 4:0 none, 4:1 to 4:5 kinds of them. */
          if (get_parameter (sgr, i + 1) == 0)
            clear_flags (self, STINT_STYLE_UNDERLINE);
          else
            set_flags (self, STINT_STYLE_UNDERLINE);
        }
      else if (!is_part (sgr, i + 1))
        {
          apply_code (self, code);
        }
      i += n;
      while (is_part (sgr, i))
        i++;
    }
}

guint32
stint_color_from_index (guint index)
{
  static const guint8 levels[] = { 0, 95, 135, 175, 215, 255 };
  guint gray;

  g_return_val_if_fail (index >= 16 && index <= 255, 0);

  if (index < 232)
    {
      index -= 16;
      return (guint32) levels[index / 36] << 16 | (guint32) levels[index / 6 % 6] << 8 |
             levels[index % 6];
    }
  gray = 8 + 10 * (index - 232);
  return gray << 16 | gray << 8 | gray;
}
