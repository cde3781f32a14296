/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The bars of a pane, made when somebody first asks for them: most panes are only looked at, and what
 * a page costs is waited for. */

#include "config.h"

#include "stint-pane-private.h"

StintFindBar *
stint_pane_ensure_find_bar (StintPane *self)
{
  if (self->find_bar == NULL)
    {
      self->find_bar = g_object_new (STINT_TYPE_FIND_BAR, NULL);
      stint_find_bar_set_transcript (self->find_bar, stint_job_get_transcript (self->job));
      g_signal_connect_swapped (self->find_bar, "hit", G_CALLBACK (stint_pane_show_hit), self);
      g_signal_connect_swapped (self->find_bar, "closed", G_CALLBACK (stint_pane_grab_terminal), self);
      gtk_box_prepend (self->box, GTK_WIDGET (self->find_bar));
    }
  return self->find_bar;
}

char *
stint_pane_dup_pattern (StintPane *self, gboolean *caseless)
{
  *caseless = FALSE;
  return self->find_bar != NULL ? stint_find_bar_dup_pattern (self->find_bar, caseless) : NULL;
}

void
stint_pane_show_player (StintPane *self)
{
  if (self->player_bar == NULL)
    {
      self->player_bar = STINT_PLAYER_BAR (stint_player_bar_new ());
      g_signal_connect_swapped (self->player_bar, "closed", G_CALLBACK (stint_pane_close_player), self);
      gtk_revealer_set_child (self->player_revealer, GTK_WIDGET (self->player_bar));
    }
  stint_player_bar_set_player (self->player_bar, self->player);
  gtk_revealer_set_reveal_child (self->player_revealer, TRUE);
  gtk_widget_grab_focus (GTK_WIDGET (self->player_bar));
}

void
stint_pane_hide_player (StintPane *self)
{
  stint_player_bar_set_player (self->player_bar, NULL);
  gtk_revealer_set_reveal_child (self->player_revealer, FALSE);
}
