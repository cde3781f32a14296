/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-reader.h"
#include "stint-screen-state.h"

G_BEGIN_DECLS

/* So much of what stands before a place is looked through at most, and so much of it in one turn. */
#define STINT_SCREEN_SCAN_WINDOW (16 * 1024 * 1024)
#define STINT_SCREEN_SCAN_PIECE (128 * 1024)

typedef enum
{
  STINT_SCREEN_SCAN_MORE,
  STINT_SCREEN_SCAN_DONE,
  STINT_SCREEN_SCAN_FAILED,
} StintScreenScanStep;

/**
 * StintScreenScan:
 * @state: what a terminal would remember of what has been looked through
 *
 * Looks through output that is not shown, in pieces that a main loop bears, for the state in which it
 * would have left a terminal. All zeros is one that looks at nothing.
 */
typedef struct
{
  StintScreenState state;

  /*< private >*/
  StintReader *reader; /* borrowed */
  guint64 offset;
  guint64 target;
} StintScreenScan;

/**
 * stint_screen_scan_begin:
 * @self: a scan
 * @reader: what to read; must live as long as this goes on
 * @from: where `state` holds; %G_MAXUINT64: it is not known anywhere
 * @target: the place before which to look
 * @window: how far back; if @from is farther, it begins there with nothing known
 */
void stint_screen_scan_begin (
  StintScreenScan *self, StintReader *reader, guint64 from, guint64 target, guint64 window);

/* Looks through one piece. After a failure, with @error set, `state` is that of what could be read. */
StintScreenScanStep stint_screen_scan_step (StintScreenScan *self, GError **error);

G_END_DECLS
