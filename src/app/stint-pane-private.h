/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The pane's fields, and what its three files call of each other: stint-pane.c ties job, follower and
 * terminal together, stint-pane-scroll.c decides which part of the transcript is shown,
 * stint-pane-actions.c is what can be done with it.
 */
#pragma once

#include "stint-pane.h"

#include "stint-find-bar.h"
#include "stint-follower.h"
#include "stint-player-bar.h"
#include "stint-terminal.h"

G_BEGIN_DECLS

/* What is loaded at once when the transcript is looked at elsewhere than at its end. */
#define STINT_PANE_PAGE_LINES 10000
#define STINT_PANE_PAGE_BYTES (1024 * 1024)

struct _StintPane
{
  GtkWidget parent_instance;

  /* Template widgets */
  StintTerminal *terminal;
  GtkWidget *placeholder;
  GtkWidget *earlier_button;
  GtkWidget *later_button;
  GtkWidget *end_button;
  GtkBox *box;
  GtkRevealer *player_revealer;

  /* Made when they are first wanted; (nullable) */
  StintFindBar *find_bar;
  StintPlayerBar *player_bar;

  /* Owned */
  StintJob *job;
  StintSettings *settings;
  StintFollower *follower;
  StintIndex *index;
  StintPlayer *player; /* (nullable): while it plays back */
  GSimpleActionGroup *actions;
  GCancellable *cancellable; /* of what is under way for the actions */

  guint64 replay_end; /* what stands before it is a recording: nothing in it is answered */
  gboolean replaying;
  gint64 hidden_at; /* monotonic, 0: never */
  gboolean live;

  /* Where to stand when a range has been loaded. */
  glong mark_row;      /* -1: there is no mark */
  glong mark_shift;    /* of the terminal's rows then */
  double mark_share;   /* how far down in the view the mark is to be */
  gboolean select_hit; /* the mark is the end of a hit */
  guint64 range_end;
};

GtkAdjustment *stint_pane_get_adjustment (StintPane *self);

/* What reads the job's output on the main thread. */
StintReader *stint_pane_get_reader (StintPane *self);

/* Whether the terminal shows what comes, and what is typed may reach the job. */
void stint_pane_update_live (StintPane *self);

/* The bar that finds in the transcript, made if there is none yet. */
StintFindBar *stint_pane_ensure_find_bar (StintPane *self);

/* What the find bar looks for, as a pattern: (transfer full) (nullable) */
char *stint_pane_dup_pattern (StintPane *self, gboolean *caseless);

/* The bar for the player that the pane has, with the focus. */
void stint_pane_show_player (StintPane *self);
void stint_pane_hide_player (StintPane *self);

/* There is nobody to type for. */
void stint_pane_hide_cursor (StintPane *self);

/* Takes up what the settings say about the terminal. */
void stint_pane_update_settings (StintPane *self);

/* Part of the transcript other than its end; see stint_follower_show_range(). */
void stint_pane_show_range (StintPane *self, guint64 start, guint64 mark, double mark_share, guint64 end);

/* The end, and what comes. */
void stint_pane_show_end (StintPane *self);

void stint_pane_show_hit (StintPane *self, guint64 start, guint64 end);

/* From the follower's signals. */
void stint_pane_handle_placed (StintPane *self);
void stint_pane_handle_mark (StintPane *self);
void stint_pane_handle_shown (StintPane *self);

void stint_pane_connect_scrolling (StintPane *self);
void stint_pane_update_scrolling (StintPane *self);
void stint_pane_load_earlier (StintPane *self);
void stint_pane_load_later (StintPane *self);

void stint_pane_add_actions (StintPane *self);
void stint_pane_add_shortcuts (StintPane *self);
void stint_pane_close_player (StintPane *self);
void stint_pane_grab_terminal (StintPane *self);
void stint_pane_update_actions (StintPane *self);

G_END_DECLS
