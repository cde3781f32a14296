/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The conversation on the screen: it keeps up with a flood of updates without stopping the main loop,
 * stays at the end unless somebody has scrolled up, and can be found in and opened by keys.
 */
#include "stint-conversation-view.h"
#include "stint-resources.h"

#include "conversation-fixture.h"

#include <adwaita.h>
#include <string.h>

typedef struct
{
  GtkWindow *window;
  StintConversationView *view;
  StintConversation *conversation;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->conversation = stint_conversation_new ();
  fixture->view = STINT_CONVERSATION_VIEW (stint_conversation_view_new ());
  fixture->window = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_default_size (fixture->window, 500, 400);
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->view));
  gtk_window_present (fixture->window);
  stint_conversation_view_set_conversation (fixture->view, fixture->conversation);
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture->view)) || gtk_widget_get_height (GTK_WIDGET (fixture->view)) == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  gtk_window_destroy (fixture->window);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  g_assert_finalize_object (fixture->conversation);
}

static void
wait_until_settled (Fixture *fixture)
{
  while (!stint_conversation_view_is_settled (fixture->view))
    g_main_context_iteration (NULL, TRUE);
}

static GtkWidget *
find_widget (GtkWidget *widget, GType type)
{
  if (g_type_is_a (G_OBJECT_TYPE (widget), type))
    return widget;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL; child = gtk_widget_get_next_sibling (child))
    {
      GtkWidget *found = find_widget (child, type);

      if (found != NULL)
        return found;
    }
  return NULL;
}

static GtkTextView *
get_text_view (Fixture *fixture)
{
  return GTK_TEXT_VIEW (find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_TEXT_VIEW));
}

static GtkAdjustment *
get_adjustment (Fixture *fixture)
{
  return gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (get_text_view (fixture)));
}

static char *
read_view (Fixture *fixture)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (get_text_view (fixture));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

static gboolean
is_at_end (Fixture *fixture)
{
  GtkAdjustment *adjustment = get_adjustment (fixture);

  return gtk_adjustment_get_upper (adjustment) > gtk_adjustment_get_page_size (adjustment) &&
         gtk_adjustment_get_value (adjustment) + gtk_adjustment_get_page_size (adjustment) >=
             gtk_adjustment_get_upper (adjustment) - 24;
}

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  (*(guint *) data)++;
  return G_SOURCE_CONTINUE;
}

/* It is written frame by frame, not all at once. */
static void
test_flood (Fixture *fixture, gconstpointer data)
{
  guint n_frames = 0;
  guint tick;
  g_autofree char *shown = NULL;

  fixture_prompt (fixture->conversation, "Flood");
  for (guint i = 0; i < 20000; i++)
    {
      g_autofree char *text = g_strdup_printf ("word%u%s", i, i % 20 == 19 ? "\n\n" : " ");

      fixture_say (fixture->conversation, "agent_message_chunk", text);
      if (i % 2000 == 0)
        fixture_update (fixture->conversation,
                        "{'sessionUpdate':'tool_call','toolCallId':'t%u','title':'Tool %u','kind':'other','status':'completed'}", i, i);
    }
  fixture_stop (fixture->conversation, "end_turn");
  tick = gtk_widget_add_tick_callback (GTK_WIDGET (fixture->window), count_frame, &n_frames, NULL);
  wait_until_settled (fixture);
  gtk_widget_remove_tick_callback (GTK_WIDGET (fixture->window), tick);
  g_assert_cmpuint (n_frames, >, 2);
  shown = read_view (fixture);
  g_assert_nonnull (strstr (shown, "word1 word2 "));
  g_assert_nonnull (strstr (shown, "word19998 word19999"));
  g_assert_nonnull (strstr (shown, "Tool 18000"));
}

static void
test_stays_at_the_end (Fixture *fixture, gconstpointer data)
{
  GtkAdjustment *adjustment = get_adjustment (fixture);

  for (guint i = 0; i < 100; i++)
    fixture_say (fixture->conversation, "agent_message_chunk", "A paragraph.\n\n");
  wait_until_settled (fixture);
  while (!is_at_end (fixture))
    g_main_context_iteration (NULL, TRUE);
  g_assert_true (stint_conversation_view_is_following (fixture->view));

  /* Somebody scrolls up: what comes then moves nothing. */
  gtk_adjustment_set_value (adjustment, 100);
  while (stint_conversation_view_is_following (fixture->view))
    g_main_context_iteration (NULL, TRUE);
  for (guint i = 0; i < 100; i++)
    fixture_say (fixture->conversation, "agent_message_chunk", "Another paragraph.\n\n");
  wait_until_settled (fixture);
  g_assert_false (stint_conversation_view_is_following (fixture->view));
  g_assert_false (is_at_end (fixture));

  stint_conversation_view_show_end (fixture->view);
  while (!is_at_end (fixture))
    g_main_context_iteration (NULL, TRUE);
}

static void
on_open (StintConversationView *view, int kind, const char *target, char **opened)
{
  g_free (*opened);
  *opened = g_strdup_printf ("%d %s", kind, target);
}

static void
place_cursor (Fixture *fixture, const char *at)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (get_text_view (fixture));
  GtkTextIter iter;

  gtk_text_buffer_get_start_iter (buffer, &iter);
  g_assert_true (gtk_text_iter_forward_search (&iter, at, 0, &iter, NULL, NULL));
  gtk_text_buffer_place_cursor (buffer, &iter);
}

/* As if a key was pressed in the text. */
static gboolean
press (Fixture *fixture, guint key, GdkModifierType state)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (get_text_view (fixture)));
  gboolean handled = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !handled; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (GTK_IS_EVENT_CONTROLLER_KEY (controller) &&
          gtk_event_controller_get_propagation_phase (controller) == GTK_PHASE_CAPTURE)
        g_signal_emit_by_name (controller, "key-pressed", key, 0, state, &handled);
    }
  return handled;
}

static void
test_keys (Fixture *fixture, gconstpointer data)
{
  g_autofree char *opened = NULL;
  g_autofree char *shown = NULL;

  fixture_prompt (fixture->conversation, "Hello");
  fixture_say (fixture->conversation, "agent_thought_chunk", "Deep thought");
  fixture_say (fixture->conversation, "agent_message_chunk", "See [here](https://x.org).");
  wait_until_settled (fixture);
  g_signal_connect (fixture->view, "open", G_CALLBACK (on_open), &opened);

  place_cursor (fixture, "here");
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  g_assert_cmpstr (opened, ==, "2 https://x.org");

  place_cursor (fixture, "Thought for");
  g_assert_true (press (fixture, GDK_KEY_space, 0));
  wait_until_settled (fixture);
  shown = read_view (fixture);
  g_assert_nonnull (strstr (shown, "Deep thought"));

  place_cursor (fixture, "See");
  g_assert_false (press (fixture, GDK_KEY_Return, 0));
  g_assert_true (press (fixture, GDK_KEY_Up, GDK_ALT_MASK));
  g_assert_true (press (fixture, GDK_KEY_Up, GDK_ALT_MASK));
  {
    GtkTextBuffer *buffer = gtk_text_view_get_buffer (get_text_view (fixture));
    GtkTextIter iter;

    gtk_text_buffer_get_iter_at_mark (buffer, &iter, gtk_text_buffer_get_insert (buffer));
    g_assert_cmpuint (stint_conversation_text_find (stint_conversation_view_get_text (fixture->view), &iter), ==, 0);
  }
}

/* What is folded is found too. */
static void
test_find (Fixture *fixture, gconstpointer data)
{
  GActionGroup *actions = stint_conversation_view_get_actions (fixture->view);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (get_text_view (fixture));
  GtkWidget *entry = find_widget (GTK_WIDGET (fixture->view), GTK_TYPE_SEARCH_ENTRY);
  GtkTextIter start, end;
  g_autofree char *selected = NULL;

  fixture_prompt (fixture->conversation, "Hello");
  fixture_say (fixture->conversation, "agent_thought_chunk", "A needle, hidden");
  fixture_say (fixture->conversation, "agent_message_chunk", "Nothing.");
  wait_until_settled (fixture);
  g_action_group_activate_action (actions, "find", NULL);
  gtk_editable_set_text (GTK_EDITABLE (entry), "NEEDLE");
  g_action_group_activate_action (actions, "find-next", NULL);
  g_assert_true (gtk_text_buffer_get_selection_bounds (buffer, &start, &end));
  selected = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  g_assert_cmpstr (selected, ==, "needle");
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add ("/conversation-view/flood", Fixture, NULL, set_up, test_flood, tear_down);
  g_test_add ("/conversation-view/stays-at-the-end", Fixture, NULL, set_up, test_stays_at_the_end, tear_down);
  g_test_add ("/conversation-view/keys", Fixture, NULL, set_up, test_keys, tear_down);
  g_test_add ("/conversation-view/find", Fixture, NULL, set_up, test_find, tear_down);
  return g_test_run ();
}
