/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The controls of a player, with a job that has really run: what they say, that they have names, and
 * that they fit a telephone.
 */
#include "stint-player-bar.h"
#include "stint-resources.h"

#include "engine-fixture.h"

#include <adwaita.h>
#include <string.h>

#define NARROWEST 360

typedef struct
{
  StintJob *job;
  StintFollower *follower;
  StintPlayer *player;
  GtkWidget *window;
  GtkWidget *bar;
  guint n_closed;
} Fixture;

static void
on_feed (const guint8 *data, gsize length, gpointer user_data)
{
}

static void
on_closed (Fixture *fixture)
{
  fixture->n_closed++;
}

static void
set_up (Fixture *fixture)
{
  g_autoptr (StintJobSpec) spec = fixture_shell ("echo one; sleep 1.2; echo two");
  StintTranscript *transcript;

  *fixture = (Fixture){ .job = fixture_run (spec) };
  transcript = stint_job_get_transcript (fixture->job);
  fixture->follower = stint_follower_new (transcript, TRUE, on_feed, NULL);
  fixture->player = stint_player_new (fixture->follower, stint_transcript_get_reader (transcript));
  fixture->bar = stint_player_bar_new ();
  g_signal_connect_swapped (fixture->bar, "closed", G_CALLBACK (on_closed), fixture);
  stint_player_bar_set_player (STINT_PLAYER_BAR (fixture->bar), fixture->player);
  fixture->window = gtk_window_new ();
  gtk_window_set_child (GTK_WINDOW (fixture->window), fixture->bar);
  gtk_window_present (GTK_WINDOW (fixture->window));
  wait_until (gtk_widget_get_mapped (fixture->bar));
}

static void
tear_down (Fixture *fixture)
{
  gtk_window_destroy (GTK_WINDOW (fixture->window));
  g_assert_finalize_object (fixture->player);
  g_assert_finalize_object (fixture->follower);
  g_object_unref (fixture->job);
}

/* The first child of the bar, at any depth, of this type. */
static GtkWidget *
find (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find (child, type);
  return found;
}

static void
test_follows_the_player (void)
{
  GtkWidget *play, *label;
  GtkRange *scale;
  Fixture fixture;

  set_up (&fixture);
  play = find (fixture.bar, GTK_TYPE_BUTTON);
  label = find (fixture.bar, GTK_TYPE_LABEL);
  scale = GTK_RANGE (find (fixture.bar, GTK_TYPE_SCALE));
  g_assert_cmpfloat (gtk_range_get_value (scale), >, 1);
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, "0:02 / 0:02");
  gtk_test_accessible_assert_property (play, GTK_ACCESSIBLE_PROPERTY_LABEL, "Play");
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_LABEL, "Position");
  gtk_test_accessible_assert_property (scale, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT, "0:02 of 0:02");

  g_signal_emit_by_name (play, "clicked");
  g_assert_true (stint_player_is_playing (fixture.player));
  gtk_test_accessible_assert_property (play, GTK_ACCESSIBLE_PROPERTY_LABEL, "Pause");
  g_assert_cmpstr (gtk_label_get_label (GTK_LABEL (label)), ==, "0:00 / 0:02");
  /* What follows the player does not seek. */
  wait_until (gtk_range_get_value (scale) > 0.1);
  g_assert_true (stint_player_is_playing (fixture.player));
  g_assert_true (gtk_widget_activate_action (fixture.bar, "player.toggle", NULL));
  g_assert_false (stint_player_is_playing (fixture.player));

  g_object_set (fixture.bar, "narrow", TRUE, NULL);
  g_assert_null (strchr (gtk_label_get_label (GTK_LABEL (label)), '/'));
  tear_down (&fixture);
}

static void
test_controls (void)
{
  GtkWidget *close;
  GtkDropDown *speed;
  GtkRange *scale;
  Fixture fixture;

  set_up (&fixture);
  scale = GTK_RANGE (find (fixture.bar, GTK_TYPE_SCALE));
  speed = GTK_DROP_DOWN (find (fixture.bar, GTK_TYPE_DROP_DOWN));
  gtk_range_set_value (scale, 0.5);
  g_assert_cmpint (stint_player_get_position (fixture.player), ==, G_USEC_PER_SEC / 2);

  g_assert_cmpuint (gtk_drop_down_get_selected (speed), ==, 0);
  gtk_drop_down_set_selected (speed, 4);
  g_assert_cmpfloat (stint_player_get_speed (fixture.player), ==, 16);
  stint_player_set_speed (fixture.player, 2);
  g_assert_cmpuint (gtk_drop_down_get_selected (speed), ==, 1);
  stint_player_set_speed (fixture.player, 3);
  g_assert_cmpuint (gtk_drop_down_get_selected (speed), ==, GTK_INVALID_LIST_POSITION);
  g_assert_cmpfloat (stint_player_get_speed (fixture.player), ==, 3);

  stint_player_play (fixture.player);
  close = gtk_widget_get_last_child (gtk_widget_get_first_child (fixture.bar));
  g_signal_emit_by_name (close, "clicked");
  g_assert_cmpuint (fixture.n_closed, ==, 1);
  g_assert_false (stint_player_is_playing (fixture.player));
  tear_down (&fixture);
}

static void
test_out_of_sight (void)
{
  Fixture fixture;

  set_up (&fixture);
  stint_player_play (fixture.player);
  gtk_widget_set_visible (fixture.window, FALSE);
  wait_until (!stint_player_is_playing (fixture.player));

  stint_player_bar_set_player (STINT_PLAYER_BAR (fixture.bar), NULL);
  g_assert_null (stint_player_bar_get_player (STINT_PLAYER_BAR (fixture.bar)));
  g_assert_true (gtk_widget_activate_action (fixture.bar, "player.toggle", NULL));
  g_assert_false (stint_player_is_playing (fixture.player));
  tear_down (&fixture);
}

static void
test_narrowest (void)
{
  Fixture fixture;
  int minimum;

  set_up (&fixture);
  gtk_widget_measure (fixture.bar, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, <=, NARROWEST);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/app/player-bar/follows-the-player", test_follows_the_player);
  g_test_add_func ("/app/player-bar/controls", test_controls);
  g_test_add_func ("/app/player-bar/out-of-sight", test_out_of_sight);
  g_test_add_func ("/app/player-bar/narrowest", test_narrowest);
  return g_test_run ();
}
