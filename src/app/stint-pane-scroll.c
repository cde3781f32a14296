/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which part of the transcript a pane shows: its end, or a range around what somebody looks at. Nothing
 * moves away under who reads. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-pane-private.h"

#include <math.h>

#define PCRE2_CODE_UNIT_WIDTH 0
#include <pcre2.h>

/* What is shown around a hit. */
#define HIT_LINES 2000
#define HIT_BYTES (256 * 1024)

GtkAdjustment *
stint_pane_get_adjustment (StintPane *self)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (self->terminal));
}

static gboolean
is_scrolled_up (StintPane *self)
{
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);

  return gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) <
         gtk_adjustment_get_upper (adjustment) - 0.5;
}

static gboolean
is_at_top (StintPane *self)
{
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);

  return gtk_adjustment_get_value (adjustment) < gtk_adjustment_get_lower (adjustment) + 0.5;
}

/* Whether the terminal has no room for so many rows more without losing some. */
static gboolean
lacks_room (StintPane *self, guint rows)
{
  glong kept = vte_terminal_get_scrollback_lines (VTE_TERMINAL (self->terminal));

  return kept >= 0 && gtk_adjustment_get_upper (stint_pane_get_adjustment (self)) + rows > (double) kept;
}

void
stint_pane_update_scrolling (StintPane *self)
{
  gboolean at_tail, scrolled_up;

  if (self->follower == NULL)
    return;
  at_tail = stint_follower_is_at_tail (self->follower);
  scrolled_up = is_scrolled_up (self);
  stint_follower_set_may_skip (self->follower, !scrolled_up);
  stint_follower_set_held (self->follower, at_tail && scrolled_up && lacks_room (self, STINT_FOLLOWER_READING_CHUNK));

  gtk_widget_set_visible (self->end_button, self->player == NULL && (scrolled_up || !at_tail));
  gtk_widget_set_visible (self->later_button,
                          self->player == NULL && !at_tail && !scrolled_up &&
                            self->range_end < stint_reader_get_size (stint_pane_get_reader (self)));
  gtk_widget_set_visible (self->earlier_button,
                          self->player == NULL && is_at_top (self) &&
                            !stint_follower_is_full_screen (self->follower) &&
                            (stint_follower_get_start (self->follower) > 0 || lacks_room (self, 1)));
}

void
stint_pane_connect_scrolling (StintPane *self)
{
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);

  g_signal_connect_object (adjustment, "value-changed", G_CALLBACK (stint_pane_update_scrolling), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (adjustment, "changed", G_CALLBACK (stint_pane_update_scrolling), self,
                           G_CONNECT_SWAPPED);
}

void
stint_pane_show_range (StintPane *self, guint64 start, guint64 mark, double mark_share, guint64 end)
{
  self->mark_row = -1;
  self->mark_share = mark_share;
  self->select_hit = FALSE;
  self->range_end = end;
  /* All of a range stays in reach, however many lines it has. */
  vte_terminal_set_scrollback_lines (VTE_TERMINAL (self->terminal), -1);
  self->replay_end = G_MAXUINT64;
  self->replaying = TRUE;
  /* It would move the end of what is another's range by now. */
  if (self->player != NULL)
    stint_player_pause (self->player);
  stint_follower_set_held (self->follower, FALSE);
  stint_follower_show_range (self->follower, start, mark, end);
  stint_pane_update_live (self);
}

void
stint_pane_show_end (StintPane *self)
{
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);

  self->mark_row = -1;
  if (!stint_follower_is_at_tail (self->follower))
    {
      stint_pane_update_settings (self);
      self->replay_end = stint_reader_get_size (stint_pane_get_reader (self));
      self->replaying = self->replay_end > 0;
      stint_follower_show_tail (self->follower);
      stint_pane_update_live (self);
    }
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
  stint_pane_update_scrolling (self);
}

/* Where the first line begins that is still shown. */
static guint64
find_shown_start (StintPane *self)
{
  guint64 start = stint_follower_get_start (self->follower);
  double rows = gtk_adjustment_get_upper (stint_pane_get_adjustment (self));
  guint64 by_rows;

  if (!lacks_room (self, 1))
    return start;
  /* Some has scrolled out. A line has a row or more: not so many lines are left. */
  by_rows = stint_reader_find_line_start (stint_pane_get_reader (self), stint_follower_get_offset (self->follower),
                                          (guint64) rows, 8 * STINT_PANE_PAGE_BYTES);
  return MAX (start, by_rows);
}

void
stint_pane_load_earlier (StintPane *self)
{
  guint64 shown = find_shown_start (self);
  guint64 size = stint_reader_get_size (stint_pane_get_reader (self)), start;

  if (shown == 0)
    return;
  start = stint_reader_find_line_start (stint_pane_get_reader (self), shown - 1, STINT_PANE_PAGE_LINES,
                                        STINT_PANE_PAGE_BYTES);
  stint_pane_show_range (self, start, shown, 0.5, MIN (size, shown + STINT_PANE_PAGE_BYTES));
}

void
stint_pane_load_later (StintPane *self)
{
  guint64 shown = self->range_end;
  guint64 size = stint_reader_get_size (stint_pane_get_reader (self)), start;

  start = stint_reader_find_line_start (stint_pane_get_reader (self), shown, STINT_PANE_PAGE_LINES,
                                        STINT_PANE_PAGE_BYTES);
  stint_pane_show_range (self, start, shown, 0.9, MIN (size, shown + STINT_PANE_PAGE_BYTES));
}

void
stint_pane_show_hit (StintPane *self, guint64 start, guint64 end)
{
  guint64 size = stint_reader_get_size (stint_pane_get_reader (self));
  guint64 from = stint_reader_find_line_start (stint_pane_get_reader (self), start, HIT_LINES, HIT_BYTES);

  stint_pane_show_range (self, from, end, 0.4, MIN (size, end + HIT_BYTES));
  self->select_hit = TRUE;
}

void
stint_pane_handle_placed (StintPane *self)
{
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);

  /* What emptied the terminal has reset it too. */
  if (!stint_job_spec_get_tty (stint_job_get_spec (self->job)))
    stint_pane_hide_cursor (self);
  if (!stint_settings_get_wrap (self->settings) && !self->live)
    vte_terminal_feed (VTE_TERMINAL (self->terminal), "\033[?7l", -1);
  gtk_adjustment_set_value (adjustment, gtk_adjustment_get_upper (adjustment));
}

/* VTE marks the hit itself: it is the last one so far. */
static void
select_hit (StintPane *self)
{
  VteTerminal *vte = VTE_TERMINAL (self->terminal);
  gboolean caseless;
  g_autofree char *pattern = stint_pane_dup_pattern (self, &caseless);
  g_autoptr (VteRegex) regex = NULL;

  if (pattern != NULL)
    regex = vte_regex_new_for_search (
      pattern, -1, PCRE2_UTF | PCRE2_MULTILINE | (caseless ? PCRE2_CASELESS : 0), NULL);
  vte_terminal_unselect_all (vte);
  vte_terminal_search_set_regex (vte, regex, 0);
  vte_terminal_search_set_wrap_around (vte, FALSE);
  if (regex != NULL)
    vte_terminal_search_find_previous (vte);
}

void
stint_pane_handle_mark (StintPane *self)
{
  glong column;

  vte_terminal_get_cursor_position (VTE_TERMINAL (self->terminal), &column, &self->mark_row);
  self->mark_shift = stint_terminal_get_row_shift (self->terminal);
  if (self->select_hit)
    select_hit (self);
}

/* VTE tells its size and place only after what it was fed: in the next frame they hold. It counts its
 * rows from the first it ever had, its adjustment from the first it still has: what is the same is how
 * far it is to the end. */
static gboolean
scroll_to_mark (GtkWidget *widget, GdkFrameClock *clock, gpointer user_data)
{
  StintPane *self = STINT_PANE (widget);
  GtkAdjustment *adjustment = stint_pane_get_adjustment (self);
  double share = self->mark_share * gtk_adjustment_get_page_size (adjustment);
  glong column, last_row;
  glong mark_row = self->mark_row + stint_terminal_get_row_shift (self->terminal) - self->mark_shift;

  vte_terminal_get_cursor_position (VTE_TERMINAL (self->terminal), &column, &last_row);
  if (self->mark_row >= 0)
    gtk_adjustment_set_value (adjustment, floor (gtk_adjustment_get_upper (adjustment) - 1 -
                                                 (double) (last_row - mark_row) - share));
  self->mark_row = -1;
  stint_pane_update_scrolling (self);
  return G_SOURCE_REMOVE;
}

void
stint_pane_handle_shown (StintPane *self)
{
  if (self->mark_row >= 0)
    gtk_widget_add_tick_callback (GTK_WIDGET (self), scroll_to_mark, NULL, NULL);
  stint_pane_update_scrolling (self);
}
