/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a conversation looks like in a text buffer, what is folded, where its links lead; and that what
 * grows piece by piece looks as what is written at once.
 */
#include "stint-conversation-text.h"
#include "stint-line-diff.h"

#include "conversation-fixture.h"

#include <string.h>

static char *
read_buffer (StintConversationText *text)
{
  GtkTextBuffer *buffer = stint_conversation_text_get_buffer (text);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

/* Writes all that is new, and anew what may have changed. */
static void
write_all (StintConversationText *text, StintConversation *conversation)
{
  guint n_items = g_list_model_get_n_items (G_LIST_MODEL (conversation));

  for (guint i = 0; i < n_items; i++)
    {
      g_autoptr (StintConversationItem) item = g_list_model_get_item (G_LIST_MODEL (conversation), i);

      if (i >= stint_conversation_text_get_n_items (text))
        stint_conversation_text_add (text, item);
      while (stint_conversation_text_update (text, i))
        ;
    }
}

static StintConversationText *
write_new (StintConversation *conversation)
{
  StintConversationText *text = stint_conversation_text_new ();

  write_all (text, conversation);
  return text;
}

static void
assert_shows (StintConversationText *text, const char *expected)
{
  g_autofree char *shown = read_buffer (text);

  if (strstr (shown, expected) == NULL)
    g_error ("%s is not in: %s", expected, shown);
}

static void
assert_hides (StintConversationText *text, const char *unexpected)
{
  g_autofree char *shown = read_buffer (text);

  if (strstr (shown, unexpected) != NULL)
    g_error ("%s is in: %s", unexpected, shown);
}

static void
find_text (StintConversationText *text, const char *what, GtkTextIter *iter)
{
  GtkTextIter end;

  gtk_text_buffer_get_start_iter (stint_conversation_text_get_buffer (text), iter);
  g_assert_true (gtk_text_iter_forward_search (iter, what, 0, iter, &end, NULL));
}

static void
assert_link (StintConversationText *text, const char *at, StintLinkKind kind, const char *target)
{
  const char *found = NULL;
  GtkTextIter iter;

  find_text (text, at, &iter);
  g_assert_cmpint (stint_conversation_text_get_link (text, &iter, &found), ==, kind);
  g_assert_cmpstr (found, ==, target);
}

static void
test_turn (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = NULL;

  fixture_prompt (conversation, "Make it\nwork");
  fixture_say (conversation, "agent_thought_chunk", "Let me *see*.");
  fixture_say (conversation, "agent_message_chunk", "It is **done**: see [this](https://x.org).\n\n- one\n");
  fixture_stop (conversation, "end_turn");
  text = write_new (conversation);
  assert_shows (text, "You\nMake it\nwork\n");
  assert_shows (text, "▸ Thought for ");
  assert_hides (text, "Let me");
  assert_shows (text, "It is done: see this.\n• one\n");
  assert_shows (text, "■ ");
  assert_link (text, "this.", STINT_LINK_URI, "https://x.org");
  assert_link (text, "done", STINT_LINK_NONE, NULL);
}

/* In whatever pieces it comes. */
static void
test_pieces (void)
{
  static const char source[] = "# Head\n\nSome *text* and `code`, grün 🙂.\n\n```c\nint x;\n\nint y;\n```\n1. a\n2. b\n   - c\n\n"
                               "| a | b |\n|---|---|\n| 1 | 2 |\n\n> quote\n\nend [link](u)";
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) grown = stint_conversation_text_new ();
  g_autoptr (StintConversationText) whole = NULL;
  g_autofree char *shown = NULL;
  g_autofree char *expected = NULL;

  for (const char *p = source; *p != '\0'; p = g_utf8_next_char (p))
    {
      g_autofree char *piece = g_strndup (p, (gsize) (g_utf8_next_char (p) - p));

      fixture_say (conversation, "agent_message_chunk", piece);
      write_all (grown, conversation);
    }
  /* It stands between others too. */
  fixture_stop (conversation, "end_turn");
  write_all (grown, conversation);
  whole = write_new (conversation);
  shown = read_buffer (grown);
  expected = read_buffer (whole);
  g_assert_cmpstr (shown, ==, expected);
  assert_shows (grown, "int x;\n\nint y;\n");
  assert_link (grown, "link", STINT_LINK_URI, "u");
}

/* What was written last is not always what grows next. */
static void
test_growing_in_the_middle (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = stint_conversation_text_new ();

  fixture_update (conversation, "{'sessionUpdate':'tool_call','toolCallId':'t','title':'First','kind':'execute','status':'in_progress'}");
  fixture_say (conversation, "agent_message_chunk", "After it.");
  write_all (text, conversation);
  fixture_update (conversation, "{'sessionUpdate':'tool_call_update','toolCallId':'t','status':'completed',"
                                "'content':[{'type':'content','content':{'type':'text','text':'hidden output'}}]}");
  write_all (text, conversation);
  assert_shows (text, "▸ ✓ First — ");
  assert_shows (text, "\nAfter it.\n");
  assert_hides (text, "hidden output");
  g_assert_true (stint_conversation_text_hides (text, 0, "HIDDEN"));
  g_assert_false (stint_conversation_text_hides (text, 0, "elsewhere"));
  stint_conversation_text_set_folded (text, 0, FALSE);
  assert_shows (text, "hidden output\nAfter it.\n");
  fixture_say (conversation, "agent_message_chunk", " More.");
  write_all (text, conversation);
  assert_shows (text, "After it. More.\n");
  stint_conversation_text_set_folded (text, 0, TRUE);
  assert_hides (text, "hidden output");
  assert_shows (text, "\nAfter it. More.\n");
}

static void
test_diff_is_shown (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = NULL;

  fixture_update (conversation,
                  "{'sessionUpdate':'tool_call','toolCallId':'t','title':'Edit','kind':'edit','status':'completed',"
                  "'content':[{'type':'diff','path':'/a/b.c','oldText':'one\\ntwo\\nthree\\n','newText':'one\\n2\\nthree\\nfour\\n'}]}");
  text = write_new (conversation);
  assert_shows (text, "/a/b.c (+2 −1)\n  one\n− two\n+ 2\n  three\n+ four\n");
  assert_link (text, "/a/b.c", STINT_LINK_FILE, "/a/b.c");
}

static void
test_plan (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = NULL;

  fixture_prompt (conversation, "go");
  fixture_update (conversation, "{'sessionUpdate':'plan','entries':[{'content':'First','priority':'high','status':'completed'},"
                                "{'content':'Second','priority':'low','status':'in_progress'},"
                                "{'content':'Third','priority':'low','status':'pending'}]}");
  text = write_new (conversation);
  assert_shows (text, "Plan\n☑ First\n▶ Second — ");
  assert_shows (text, "☐ Third\n");
}

/* The line that leads to a terminal is there though the rest is folded. */
static void
test_terminal_link (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = NULL;
  StintConversationItem *item;

  fixture_update (conversation, "{'sessionUpdate':'tool_call','toolCallId':'t','title':'Run','kind':'execute','status':'in_progress',"
                                "'content':[{'type':'terminal','terminalId':'x'}]}");
  text = write_new (conversation);
  item = stint_conversation_text_get_item (text, 0);
  ((StintToolContent *) stint_conversation_item_get_contents (item)->pdata[0])->job_id = 12;
  write_all (text, conversation);
  g_assert_true (stint_conversation_text_is_folded (text, 0));
  assert_link (text, "(Job 12)", STINT_LINK_JOB, "12");
}

static void
test_very_long_lines (void)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autoptr (StintConversationText) text = NULL;
  g_autoptr (GString) line = g_string_new ("```\n");
  GtkTextIter iter;

  while (line->len < 200 * 1000)
    g_string_append (line, "ü");
  fixture_say (conversation, "agent_message_chunk", line->str);
  text = write_new (conversation);
  gtk_text_buffer_get_start_iter (stint_conversation_text_get_buffer (text), &iter);
  do
    g_assert_cmpint (gtk_text_iter_get_chars_in_line (&iter), <=, 2001);
  while (gtk_text_iter_forward_line (&iter));
  g_assert_cmpint (gtk_text_buffer_get_char_count (stint_conversation_text_get_buffer (text)), >=, 99 * 1000);
}

static void
assert_diff (const char *old_text, const char *new_text, guint context, const char *expected)
{
  guint n_added, n_removed, n_plus = 0, n_minus = 0;
  g_autoptr (GArray) lines = stint_line_diff (old_text, new_text, context, &n_added, &n_removed);
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint i = 0; i < lines->len; i++)
    {
      const StintDiffLine *line = &g_array_index (lines, StintDiffLine, i);

      g_string_append_c (text, " +-."[line->change]);
      g_string_append_len (text, line->text, (gssize) line->size);
      g_string_append_c (text, '|');
      n_plus += line->change == STINT_LINE_ADDED;
      n_minus += line->change == STINT_LINE_REMOVED;
    }
  g_assert_cmpstr (text->str, ==, expected);
  g_assert_cmpuint (n_plus, ==, n_added);
  g_assert_cmpuint (n_minus, ==, n_removed);
}

static void
test_line_diff (void)
{
  assert_diff (NULL, "a\nb\n", 3, "+a|+b|");
  assert_diff ("a\nb\n", "", 3, "-a|-b|");
  assert_diff ("", "", 3, "");
  assert_diff ("a\nb\nc\n", "a\nb\nc\n", 1, ".|");
  assert_diff ("a\nb\nc\nd\ne\n", "a\nb\nX\nd\ne", 1, ".| b|-c|+X| d|.|");
  assert_diff ("a\nb\nc\n", "b\nc\nd\n", 3, "-a| b| c|+d|");
}

/* Too much to be compared well is still all there. */
static void
test_large_diff (void)
{
  g_autoptr (GString) a = g_string_new (NULL);
  g_autoptr (GString) b = g_string_new (NULL);
  g_autoptr (GArray) lines = NULL;
  guint n_added, n_removed;

  for (guint i = 0; i < 3000; i++)
    {
      g_string_append_printf (a, "a%u\n", i);
      g_string_append_printf (b, "b%u\n", i);
    }
  lines = stint_line_diff (a->str, b->str, 3, &n_added, &n_removed);
  g_assert_cmpuint (n_added, ==, 3000);
  g_assert_cmpuint (n_removed, ==, 3000);
  g_assert_cmpuint (lines->len, ==, 6000);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/conversation-text/turn", test_turn);
  g_test_add_func ("/conversation-text/pieces", test_pieces);
  g_test_add_func ("/conversation-text/growing-in-the-middle", test_growing_in_the_middle);
  g_test_add_func ("/conversation-text/diff-is-shown", test_diff_is_shown);
  g_test_add_func ("/conversation-text/plan", test_plan);
  g_test_add_func ("/conversation-text/terminal-link", test_terminal_link);
  g_test_add_func ("/conversation-text/very-long-lines", test_very_long_lines);
  g_test_add_func ("/conversation-text/line-diff", test_line_diff);
  g_test_add_func ("/conversation-text/large-diff", test_large_diff);
  return g_test_run ();
}
