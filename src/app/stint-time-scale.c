/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which part of a day is looked at: zooming and panning. Arithmetic only. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-time-scale.h"

/* There is no need to look closer. */
#define LEAST_VISIBLE (2 * G_TIME_SPAN_SECOND)

struct _StintTimeScale
{
  GObject parent_instance;

  gint64 begin, end;
  gint64 from, visible;
  int width;
  gboolean mirrored;
};

G_DEFINE_FINAL_TYPE (StintTimeScale, stint_time_scale, G_TYPE_OBJECT)

static guint changed_signal;

static void
stint_time_scale_class_init (StintTimeScaleClass *klass)
{
  changed_signal = g_signal_new ("changed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_time_scale_init (StintTimeScale *self)
{
  self->end = self->visible = G_TIME_SPAN_DAY;
  self->width = 1;
}

StintTimeScale *
stint_time_scale_new (void)
{
  return g_object_new (STINT_TYPE_TIME_SCALE, NULL);
}

static void
look (StintTimeScale *self, gint64 from, gint64 visible)
{
  gint64 all = self->end - self->begin;

  visible = CLAMP (visible, MIN (LEAST_VISIBLE, all), all);
  from = CLAMP (from, self->begin, self->end - visible);
  if (from == self->from && visible == self->visible)
    return;
  self->from = from;
  self->visible = visible;
  g_signal_emit (self, changed_signal, 0);
}

void
stint_time_scale_set_bounds (StintTimeScale *self, gint64 begin, gint64 end)
{
  g_return_if_fail (STINT_IS_TIME_SCALE (self));
  g_return_if_fail (begin < end);

  if (begin == self->begin && end == self->end)
    return;
  self->begin = self->from = begin;
  self->end = end;
  self->visible = end - begin;
  g_signal_emit (self, changed_signal, 0);
}

gint64
stint_time_scale_get_begin (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 0);

  return self->begin;
}

gint64
stint_time_scale_get_end (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 0);

  return self->end;
}

void
stint_time_scale_set_width (StintTimeScale *self, int width, gboolean mirrored)
{
  g_return_if_fail (STINT_IS_TIME_SCALE (self));

  width = MAX (width, 1);
  mirrored = !!mirrored;
  if (width == self->width && mirrored == self->mirrored)
    return;
  self->width = width;
  self->mirrored = mirrored;
  g_signal_emit (self, changed_signal, 0);
}

int
stint_time_scale_get_width (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 1);

  return self->width;
}

gboolean
stint_time_scale_is_mirrored (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), FALSE);

  return self->mirrored;
}

gint64
stint_time_scale_get_from (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 0);

  return self->from;
}

gint64
stint_time_scale_get_visible (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 1);

  return self->visible;
}

double
stint_time_scale_get_step (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 1);

  return (double) self->visible / self->width;
}

double
stint_time_scale_get_x (StintTimeScale *self, gint64 time)
{
  double x;

  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 0);

  x = (double) (time - self->from) / stint_time_scale_get_step (self);
  return self->mirrored ? self->width - x : x;
}

gint64
stint_time_scale_get_time (StintTimeScale *self, double x)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), 0);

  if (self->mirrored)
    x = self->width - x;
  return self->from + (gint64) (x * stint_time_scale_get_step (self));
}

void
stint_time_scale_zoom (StintTimeScale *self, double factor, double x)
{
  gint64 time, visible;

  g_return_if_fail (STINT_IS_TIME_SCALE (self));
  g_return_if_fail (factor > 0);

  time = stint_time_scale_get_time (self, x);
  visible = (gint64) CLAMP ((double) self->visible * factor, 1, (double) (self->end - self->begin));
  visible = MAX (visible, MIN (LEAST_VISIBLE, self->end - self->begin));
  look (self,
        time - (gint64) ((double) (time - self->from) * (double) visible / (double) self->visible),
        visible);
}

gboolean
stint_time_scale_can_zoom_in (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), FALSE);

  return self->visible > LEAST_VISIBLE;
}

gboolean
stint_time_scale_can_zoom_out (StintTimeScale *self)
{
  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), FALSE);

  return self->visible < self->end - self->begin;
}

void
stint_time_scale_fit (StintTimeScale *self)
{
  g_return_if_fail (STINT_IS_TIME_SCALE (self));

  look (self, self->begin, self->end - self->begin);
}

void
stint_time_scale_set_from (StintTimeScale *self, gint64 from)
{
  g_return_if_fail (STINT_IS_TIME_SCALE (self));

  look (self, from, self->visible);
}

void
stint_time_scale_reveal (StintTimeScale *self, gint64 begin, gint64 end)
{
  gint64 from, to;

  g_return_if_fail (STINT_IS_TIME_SCALE (self));

  begin = CLAMP (begin, self->begin, self->end);
  end = CLAMP (end, begin, self->end);
  from = self->from;
  to = from + self->visible;
  /* What is longer than what is looked at is seen if a part of it is. */
  if (end - begin > self->visible)
    {
      if (end <= from || begin >= to)
        look (self, begin, self->visible);
      return;
    }
  if (begin < from)
    from = begin;
  else if (end > to)
    from = end - self->visible;
  look (self, from, self->visible);
}

gint64
stint_time_scale_get_division (StintTimeScale *self, double least)
{
  static const int seconds[] = { 1,   2,   5,    10,   15,   30,    60,    120,  300,
                                 600, 900, 1800, 3600, 7200, 10800, 21600, 43200 };
  double wanted;

  g_return_val_if_fail (STINT_IS_TIME_SCALE (self), G_TIME_SPAN_DAY);

  wanted = least * stint_time_scale_get_step (self);
  for (guint i = 0; i < G_N_ELEMENTS (seconds); i++)
    if ((double) (seconds[i] * G_TIME_SPAN_SECOND) >= wanted)
      return seconds[i] * G_TIME_SPAN_SECOND;
  return G_TIME_SPAN_DAY;
}
