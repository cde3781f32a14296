/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Time, for a transcript that is played back: what had come by when. What is shown, and how fast the
 * terminal takes it, is the follower's. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-player.h"

#include "stint-index.h"
#include "stint-screen-scan.h"

#define TICK_MSEC 33

/* Forwards by so much a seek only moves the end of what is shown. */
#define NEAR (1024 * 1024)

/* What is loaded before the place of any other seek. */
#define LOAD_LINES 10000
#define LOAD_BYTES (1024 * 1024)

/* A terminal that is farther behind is too slow for this speed: what it has not shown is skipped. */
#define MAX_LAG (STINT_SCREEN_SCAN_WINDOW + 8 * 1024 * 1024)

/* While a slider is dragged: what was loaded is to be seen before the next is. */
#define LOAD_INTERVAL_MSEC 150

struct _StintPlayer
{
  GObject parent_instance;

  StintFollower *follower;
  StintReader *reader; /* borrowed from the follower's transcript */
  StintIndex *index;
  StintPlayerClock clock;
  gpointer clock_data;

  double position; /* microseconds and parts */
  gint64 duration;
  double speed;
  gint64 max_pause;
  guint tick_id; /* while it plays */
  gint64 ticked_at;
  double waited; /* microseconds of a silence, of the viewer's time */

  gboolean ours;       /* the follower shows the range that was asked for here */
  gboolean placed;     /* and has begun with it */
  guint64 shown_start; /* of that range */
  guint64 shown_end;

  guint load_id; /* a load is due */
  gint64 loaded_at;
  guint scan_id; /* a load is on its way */
  guint64 load_start;
  StintScreenScan scan; /* of what stands before that */
};

G_DEFINE_FINAL_TYPE (StintPlayer, stint_player, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_POSITION,
  PROP_DURATION,
  PROP_PLAYING,
  PROP_SPEED,
  PROP_MAX_PAUSE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static gint64
get_now (StintPlayer *self)
{
  return self->clock != NULL ? self->clock (self->clock_data) : g_get_monotonic_time ();
}

static void
look_at_duration (StintPlayer *self)
{
  guint64 n = stint_index_get_n (self->index);
  StintIndexRecord last = { 0 };

  if (n > 0 && stint_index_get (self->index, n - 1, &last) && last.time > self->duration)
    {
      self->duration = last.time;
      g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DURATION]);
    }
}

/* The number of the first record after @time. */
static guint64
find_next (StintPlayer *self, gint64 time)
{
  guint64 i = stint_index_find_time (self->index, time);
  StintIndexRecord record;

  return stint_index_get (self->index, i, &record) && record.time <= time ? i + 1 : i;
}

/* The end of what had come by now. */
static guint64
find_end (StintPlayer *self)
{
  StintIndexRecord record;

  if (stint_index_get (self->index, find_next (self, (gint64) self->position), &record))
    return record.offset;
  return stint_reader_get_size (self->reader);
}

static void
set_position (StintPlayer *self, double position)
{
  gboolean changed = (gint64) position != (gint64) self->position;

  self->position = position;
  if (changed)
    g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_POSITION]);
}

static void
end_load (StintPlayer *self)
{
  guint64 end = find_end (self);

  self->shown_start =
      MIN (self->scan.state.full_screen ? self->scan.state.entered_at : self->load_start, end);
  self->shown_end = end;
  self->ours = TRUE;
  self->placed = FALSE;
  stint_follower_show_range (self->follower, self->shown_start, G_MAXUINT64, end);
}

/* What lies before the start tells whether that is in a full-screen program, which is shown from
 * where it went there. If it cannot be read the follower meets the same error, and tells it. */
static gboolean
on_scan (gpointer user_data)
{
  StintPlayer *self = STINT_PLAYER (user_data);

  if (stint_screen_scan_step (&self->scan, NULL) == STINT_SCREEN_SCAN_MORE)
    return G_SOURCE_CONTINUE;
  self->scan_id = 0;
  end_load (self);
  return G_SOURCE_REMOVE;
}

static gboolean
on_load (gpointer user_data)
{
  StintPlayer *self = STINT_PLAYER (user_data);

  self->load_id = 0;
  self->loaded_at = g_get_monotonic_time ();
  self->load_start =
      stint_reader_find_line_start (self->reader, find_end (self), LOAD_LINES, LOAD_BYTES);
  stint_screen_scan_begin (&self->scan, self->reader, G_MAXUINT64, self->load_start,
                           STINT_SCREEN_SCAN_WINDOW);
  g_clear_handle_id (&self->scan_id, g_source_remove);
  self->scan_id = g_idle_add (on_scan, self);
  return G_SOURCE_REMOVE;
}

static void
load_later (StintPlayer *self)
{
  gint64 left = self->loaded_at + LOAD_INTERVAL_MSEC * 1000 - g_get_monotonic_time ();

  if (self->load_id != 0)
    return;
  if (self->loaded_at != 0 && left > 0)
    self->load_id = g_timeout_add ((guint) (left / 1000) + 1, on_load, self);
  else
    self->load_id = g_idle_add (on_load, self);
}

static gboolean
is_too_far_behind (StintPlayer *self)
{
  guint64 offset = stint_follower_get_offset (self->follower);

  return self->placed && self->shown_end > offset && self->shown_end - offset > MAX_LAG;
}

/* Shows what had come by now; @near: how much of it may be added to what is shown. */
static void
show (StintPlayer *self, guint64 near)
{
  guint64 end = find_end (self);

  /* One that is on its way takes the end from the position when it is there. */
  if (self->load_id != 0)
    return;
  if (self->scan_id != 0)
    {
      if (end < self->load_start ||
          (end - self->load_start > LOAD_BYTES && end - self->load_start - LOAD_BYTES > near))
        load_later (self);
      return;
    }
  if (!self->ours || end < self->shown_end || end - self->shown_end > near ||
      is_too_far_behind (self))
    {
      load_later (self);
      return;
    }
  if (end > self->shown_end)
    {
      self->shown_end = end;
      stint_follower_set_end (self->follower, end);
    }
}

static void
stop (StintPlayer *self)
{
  if (self->tick_id == 0)
    return;
  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
}

/* Where the position is after @left more microseconds of the viewer's time. */
static double
advance (StintPlayer *self, double left)
{
  double position = self->position;
  guint64 next = find_next (self, (gint64) position);
  StintIndexRecord record;

  while (left > 0 && stint_index_get (self->index, next, &record))
    {
      double needed = ((double) record.time - position) / self->speed;
      double patience =
          self->max_pause > 0 ? MAX ((double) self->max_pause - self->waited, 0) : needed;

      if (left < MIN (needed, patience))
        {
          self->waited += left;
          return position + left * self->speed;
        }
      left -= MIN (needed, patience);
      position = (double) record.time;
      self->waited = 0;
      next++;
    }
  return position;
}

static gboolean
on_tick (gpointer user_data)
{
  g_autoptr (StintPlayer) self = g_object_ref (STINT_PLAYER (user_data));
  gint64 now = get_now (self);
  double position = advance (self, (double) (now - self->ticked_at));

  self->ticked_at = now;
  set_position (self, position);
  show (self, G_MAXUINT64);
  if (self->position >= (double) self->duration)
    look_at_duration (self);
  if (self->position >= (double) self->duration)
    stop (self);
  return G_SOURCE_CONTINUE;
}

/* The follower shows something else. */
static void
on_placed (StintPlayer *self, guint64 offset)
{
  self->placed = TRUE;
  if (!self->ours || self->load_id != 0 || self->scan_id != 0)
    return;
  if (offset == self->shown_start && !stint_follower_is_at_tail (self->follower))
    return;
  self->ours = FALSE;
  stop (self);
}

static void
stint_player_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintPlayer *self = STINT_PLAYER (object);

  switch (prop_id)
    {
    case PROP_POSITION:
      g_value_set_int64 (value, (gint64) self->position);
      break;
    case PROP_DURATION:
      g_value_set_int64 (value, self->duration);
      break;
    case PROP_PLAYING:
      g_value_set_boolean (value, self->tick_id != 0);
      break;
    case PROP_SPEED:
      g_value_set_double (value, self->speed);
      break;
    case PROP_MAX_PAUSE:
      g_value_set_int64 (value, self->max_pause);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_player_set_property (GObject *object, guint prop_id, const GValue *value, GParamSpec *pspec)
{
  StintPlayer *self = STINT_PLAYER (object);

  switch (prop_id)
    {
    case PROP_SPEED:
      stint_player_set_speed (self, g_value_get_double (value));
      break;
    case PROP_MAX_PAUSE:
      stint_player_set_max_pause (self, g_value_get_int64 (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_player_dispose (GObject *object)
{
  StintPlayer *self = STINT_PLAYER (object);

  g_clear_handle_id (&self->tick_id, g_source_remove);
  g_clear_handle_id (&self->load_id, g_source_remove);
  g_clear_handle_id (&self->scan_id, g_source_remove);
  g_clear_pointer (&self->index, stint_index_free);
  if (self->follower != NULL)
    g_signal_handlers_disconnect_by_data (self->follower, self);
  g_clear_object (&self->follower);

  G_OBJECT_CLASS (stint_player_parent_class)->dispose (object);
}

static void
stint_player_class_init (StintPlayerClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stint_player_get_property;
  object_class->set_property = stint_player_set_property;
  object_class->dispose = stint_player_dispose;

  properties[PROP_POSITION] = g_param_spec_int64 ("position", NULL, NULL, 0, G_MAXINT64, 0,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_DURATION] = g_param_spec_int64 ("duration", NULL, NULL, 0, G_MAXINT64, 0,
                                                  G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_PLAYING] = g_param_spec_boolean ("playing", NULL, NULL, FALSE,
                                                   G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SPEED] =
      g_param_spec_double ("speed", NULL, NULL, STINT_PLAYER_MIN_SPEED, G_MAXDOUBLE, 1,
                           G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  properties[PROP_MAX_PAUSE] =
      g_param_spec_int64 ("max-pause", NULL, NULL, 0, G_MAXINT64, STINT_PLAYER_MAX_PAUSE,
                          G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_player_init (StintPlayer *self)
{
  self->speed = 1;
  self->max_pause = STINT_PLAYER_MAX_PAUSE;
}

StintPlayer *
stint_player_new (StintFollower *follower, StintReader *reader)
{
  StintPlayer *self;

  g_return_val_if_fail (STINT_IS_FOLLOWER (follower), NULL);
  g_return_val_if_fail (reader != NULL, NULL);

  self = g_object_new (STINT_TYPE_PLAYER, NULL);
  self->follower = g_object_ref (follower);
  self->reader = reader;
  self->index = stint_index_new (reader);
  g_signal_connect_swapped (follower, "placed", G_CALLBACK (on_placed), self);
  look_at_duration (self);
  self->position = (double) self->duration;
  return self;
}

void
stint_player_set_clock (StintPlayer *self, StintPlayerClock clock, gpointer user_data)
{
  g_return_if_fail (STINT_IS_PLAYER (self));
  g_return_if_fail (self->tick_id == 0);

  self->clock = clock;
  self->clock_data = user_data;
}

void
stint_player_play (StintPlayer *self)
{
  g_return_if_fail (STINT_IS_PLAYER (self));

  if (self->tick_id != 0)
    return;
  look_at_duration (self);
  if (self->position >= (double) self->duration)
    set_position (self, 0);
  self->ticked_at = get_now (self);
  self->waited = 0;
  self->tick_id = g_timeout_add (TICK_MSEC, on_tick, self);
  show (self, NEAR);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_PLAYING]);
}

void
stint_player_pause (StintPlayer *self)
{
  g_return_if_fail (STINT_IS_PLAYER (self));

  stop (self);
}

gboolean
stint_player_is_playing (StintPlayer *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER (self), FALSE);

  return self->tick_id != 0;
}

void
stint_player_seek (StintPlayer *self, gint64 position)
{
  g_return_if_fail (STINT_IS_PLAYER (self));

  look_at_duration (self);
  self->ticked_at = get_now (self);
  self->waited = 0;
  set_position (self, (double) CLAMP (position, 0, self->duration));
  show (self, NEAR);
}

gint64
stint_player_get_position (StintPlayer *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER (self), 0);

  return (gint64) self->position;
}

gint64
stint_player_get_duration (StintPlayer *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER (self), 0);

  return self->duration;
}

double
stint_player_get_speed (StintPlayer *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER (self), 1);

  return self->speed;
}

void
stint_player_set_speed (StintPlayer *self, double speed)
{
  g_return_if_fail (STINT_IS_PLAYER (self));
  g_return_if_fail (speed >= STINT_PLAYER_MIN_SPEED);

  if (self->speed == speed)
    return;
  /* What has gone by went by at the old one. */
  if (self->tick_id != 0)
    {
      gint64 now = get_now (self);

      set_position (self, advance (self, (double) (now - self->ticked_at)));
      self->ticked_at = now;
    }
  self->speed = speed;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SPEED]);
}

gint64
stint_player_get_max_pause (StintPlayer *self)
{
  g_return_val_if_fail (STINT_IS_PLAYER (self), 0);

  return self->max_pause;
}

void
stint_player_set_max_pause (StintPlayer *self, gint64 max_pause)
{
  g_return_if_fail (STINT_IS_PLAYER (self));
  g_return_if_fail (max_pause >= 0);

  if (self->max_pause == max_pause)
    return;
  self->max_pause = max_pause;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_MAX_PAUSE]);
}
