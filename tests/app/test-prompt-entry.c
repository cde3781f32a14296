/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Where prompts are written: what its keys do, what completes it; and the history of prompts, which is
 * there again after a restart, for its owner alone.
 */
#include "stint-agent-option.h"
#include "stint-completion.h"
#include "stint-file-names.h"
#include "stint-prompt-entry.h"
#include "stint-resources.h"

#include <adwaita.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct
{
  char *directory;
  char *file;
  StintPromptHistory *history;
  GtkWindow *window;
  StintPromptEntry *entry;
  GPtrArray *sent; /* of StintAgentPrompt */
  guint n_interrupts;
  guint n_quits;
  guint n_problems;
} Fixture;

static void
on_send (Fixture *fixture, StintAgentPrompt *prompt)
{
  g_ptr_array_add (fixture->sent, g_object_ref (prompt));
}

static void
count (guint *n)
{
  ++*n;
}

static void
wait_for_load (StintPromptHistory *history)
{
  gint loaded = 0;
  gulong id = g_signal_connect_swapped (history, "loaded", G_CALLBACK (g_atomic_int_inc), &loaded);

  while (!g_atomic_int_get (&loaded))
    g_main_context_iteration (NULL, TRUE);
  g_signal_handler_disconnect (history, id);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->directory = g_dir_make_tmp ("stint-test-XXXXXX", NULL);
  fixture->file = g_build_filename (fixture->directory, "state", "prompts", NULL);
  fixture->history = stint_prompt_history_new (fixture->file);
  wait_for_load (fixture->history);
  fixture->sent = g_ptr_array_new_with_free_func (g_object_unref);
  fixture->entry = STINT_PROMPT_ENTRY (stint_prompt_entry_new ());
  stint_prompt_entry_set_history (fixture->entry, fixture->history);
  g_signal_connect_swapped (fixture->entry, "send", G_CALLBACK (on_send), fixture);
  g_signal_connect_swapped (fixture->entry, "interrupt", G_CALLBACK (count), &fixture->n_interrupts);
  g_signal_connect_swapped (fixture->entry, "quit", G_CALLBACK (count), &fixture->n_quits);
  g_signal_connect_swapped (fixture->entry, "problem", G_CALLBACK (count), &fixture->n_problems);
  fixture->window = GTK_WINDOW (gtk_window_new ());
  gtk_window_set_child (fixture->window, GTK_WIDGET (fixture->entry));
  gtk_window_present (fixture->window);
  while (!gtk_widget_get_mapped (GTK_WIDGET (fixture->entry)) || gtk_widget_get_width (GTK_WIDGET (fixture->entry)) == 0)
    g_main_context_iteration (NULL, TRUE);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *state = g_path_get_dirname (fixture->file);

  gtk_window_destroy (fixture->window);
  while (!stint_prompt_history_is_saved (fixture->history) || g_main_context_pending (NULL))
    g_main_context_iteration (NULL, TRUE);
  g_assert_finalize_object (fixture->history);
  g_unlink (fixture->file);
  g_rmdir (state);
  g_rmdir (fixture->directory);
  g_ptr_array_unref (fixture->sent);
  g_free (fixture->file);
  g_free (fixture->directory);
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

static StintCompletion *
get_completion (Fixture *fixture)
{
  return STINT_COMPLETION (find_widget (GTK_WIDGET (fixture->entry), STINT_TYPE_COMPLETION));
}

static gboolean
press (Fixture *fixture, guint key, GdkModifierType state)
{
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->entry), GTK_TYPE_TEXT_VIEW);
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (view);
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

/* As if it was typed. */
static void
type (Fixture *fixture, const char *text)
{
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->entry), GTK_TYPE_TEXT_VIEW);

  gtk_text_buffer_insert_at_cursor (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), text, -1);
}

static void
assert_text (Fixture *fixture, const char *expected)
{
  g_autofree char *text = stint_prompt_entry_dup_text (fixture->entry);

  g_assert_cmpstr (text, ==, expected);
}

static const char *
get_sent (Fixture *fixture, guint i)
{
  g_assert_cmpuint (i, <, fixture->sent->len);
  return stint_agent_prompt_get_text (fixture->sent->pdata[i]);
}

static void
test_enter_sends (Fixture *fixture, gconstpointer data)
{
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  g_assert_cmpuint (fixture->sent->len, ==, 0);

  type (fixture, "one\ntwo\n");
  g_assert_false (press (fixture, GDK_KEY_Return, GDK_SHIFT_MASK));
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  g_assert_cmpstr (get_sent (fixture, 0), ==, "one\ntwo");
  assert_text (fixture, "");
}

static void
test_ways_out (Fixture *fixture, gconstpointer data)
{
  type (fixture, "/quit");
  /* The command's completion takes the first. */
  press (fixture, GDK_KEY_Escape, 0);
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  g_assert_cmpuint (fixture->n_quits, ==, 1);
  g_assert_cmpuint (fixture->sent->len, ==, 0);

  g_assert_true (press (fixture, GDK_KEY_d, GDK_CONTROL_MASK));
  /* With Caps Lock. */
  g_assert_true (press (fixture, GDK_KEY_D, GDK_CONTROL_MASK));
  g_assert_cmpuint (fixture->n_quits, ==, 3);
  type (fixture, "text");
  g_assert_false (press (fixture, GDK_KEY_d, GDK_CONTROL_MASK));
  g_assert_cmpuint (fixture->n_quits, ==, 3);

  g_assert_true (press (fixture, GDK_KEY_c, GDK_CONTROL_MASK));
  g_assert_cmpuint (fixture->n_interrupts, ==, 1);
}

static void
test_history_keys (Fixture *fixture, gconstpointer data)
{
  type (fixture, "first");
  press (fixture, GDK_KEY_Return, 0);
  type (fixture, "second");
  press (fixture, GDK_KEY_Return, 0);
  type (fixture, "draft");

  g_assert_true (press (fixture, GDK_KEY_Up, 0));
  assert_text (fixture, "second");
  g_assert_true (press (fixture, GDK_KEY_Up, 0));
  assert_text (fixture, "first");
  g_assert_false (press (fixture, GDK_KEY_Up, 0));
  g_assert_true (press (fixture, GDK_KEY_Down, 0));
  assert_text (fixture, "second");
  g_assert_true (press (fixture, GDK_KEY_Down, 0));
  assert_text (fixture, "draft");

  stint_prompt_entry_set_text (fixture->entry, "FIR");
  g_assert_true (press (fixture, GDK_KEY_r, GDK_CONTROL_MASK));
  g_assert_true (stint_completion_is_open (get_completion (fixture)));
  g_assert_true (press (fixture, GDK_KEY_Return, 0));
  assert_text (fixture, "first");
  g_assert_cmpuint (fixture->sent->len, ==, 2);
}

static void
test_history_is_kept (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintPromptHistory) again = NULL;
  GStatBuf status;

  stint_prompt_history_add (fixture->history, "line\nand \\n");
  stint_prompt_history_add (fixture->history, "twice");
  stint_prompt_history_add (fixture->history, "twice");
  stint_prompt_history_add (fixture->history, "");
  while (!stint_prompt_history_is_saved (fixture->history))
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpint (g_stat (fixture->file, &status), ==, 0);
  g_assert_cmpuint (status.st_mode & 0777, ==, 0600);

  again = stint_prompt_history_new (fixture->file);
  wait_for_load (again);
  g_assert_cmpuint (stint_prompt_history_get_n (again), ==, 2);
  g_assert_cmpstr (stint_prompt_history_get (again, 0), ==, "twice");
  g_assert_cmpstr (stint_prompt_history_get (again, 1), ==, "line\nand \\n");
}

/* Threads write, and they come in any order. */
static void
test_history_keeps_order (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintPromptHistory) again = NULL;

  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("prompt %u", i);

      stint_prompt_history_add (fixture->history, text);
    }
  while (!stint_prompt_history_is_saved (fixture->history))
    g_main_context_iteration (NULL, TRUE);

  again = stint_prompt_history_new (fixture->file);
  wait_for_load (again);
  g_assert_cmpuint (stint_prompt_history_get_n (again), ==, 200);
  for (guint i = 0; i < 200; i++)
    {
      g_autofree char *text = g_strdup_printf ("prompt %u", i);

      g_assert_cmpstr (stint_prompt_history_get (again, 199 - i), ==, text);
    }
}

static void
on_problem (StintPromptHistory *history, GError *error, char **message)
{
  g_free (*message);
  *message = g_strdup (error->message);
}

/* It is said, and what was said is known all the same. */
static void
test_history_cannot_be_kept (Fixture *fixture, gconstpointer data)
{
  g_autofree char *below_a_file = NULL;
  g_autofree char *message = NULL;
  g_autoptr (StintPromptHistory) history = NULL;

  stint_prompt_history_add (fixture->history, "makes the file");
  while (!stint_prompt_history_is_saved (fixture->history))
    g_main_context_iteration (NULL, TRUE);
  below_a_file = g_build_filename (fixture->file, "no", "way", NULL);
  history = stint_prompt_history_new (below_a_file);
  g_signal_connect (history, "problem", G_CALLBACK (on_problem), &message);
  stint_prompt_history_add (history, "hello");
  while (!stint_prompt_history_is_saved (history) || message == NULL)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpstr (stint_prompt_history_get (history, 0), ==, "hello");
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
}

static void
test_completes_commands (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GListStore) commands = g_list_store_new (STINT_TYPE_AGENT_COMMAND);
  g_autoptr (JsonNode) node =
      json_from_string ("[{\"name\":\"review\",\"description\":\"Looks\"},{\"name\":\"commit\",\"description\":\"Keeps\"}]", NULL);

  stint_agent_commands_replace (commands, json_node_get_array (node));
  stint_prompt_entry_set_commands (fixture->entry, G_LIST_MODEL (commands));
  type (fixture, "/re");
  g_assert_true (stint_completion_is_open (get_completion (fixture)));
  g_assert_true (press (fixture, GDK_KEY_Tab, 0));
  assert_text (fixture, "/review ");
  g_assert_false (stint_completion_is_open (get_completion (fixture)));
}

static void
test_completes_files (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->directory, "needle.txt", NULL);
  g_autoptr (JsonArray) blocks = NULL;

  g_assert_true (g_file_set_contents (path, "x", 1, NULL));
  stint_prompt_entry_set_directory (fixture->entry, fixture->directory);
  type (fixture, "look at @need");
  while (!stint_completion_is_open (get_completion (fixture)))
    g_main_context_iteration (NULL, TRUE);
  press (fixture, GDK_KEY_Return, 0);
  assert_text (fixture, "look at @needle.txt ");
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpstr (get_sent (fixture, 0), ==, "look at @needle.txt");
  g_assert_cmpuint (stint_agent_prompt_get_n_attachments (fixture->sent->pdata[0]), ==, 1);
  g_unlink (path);
}

static void
test_attachments (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GFile) file = g_file_new_for_path ("/etc/hostname");
  g_autoptr (GFile) other = g_file_new_for_path ("/etc/passwd");

  stint_prompt_entry_attach (fixture->entry, file);
  stint_prompt_entry_attach (fixture->entry, other);
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 2);
  type (fixture, "see");
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpuint (stint_agent_prompt_get_n_attachments (fixture->sent->pdata[0]), ==, 2);
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 0);

  /* Sent again, and with one of them again, it has each of them once; what was being written when it
   * was taken back is found by Up. */
  type (fixture, "a draft");
  stint_prompt_entry_edit (fixture->entry, fixture->sent->pdata[0]);
  assert_text (fixture, "see");
  press (fixture, GDK_KEY_Up, 0);
  assert_text (fixture, "a draft");
  stint_prompt_entry_attach (fixture->entry, other);
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpuint (stint_agent_prompt_get_n_attachments (fixture->sent->pdata[1]), ==, 2);
}

static gboolean
is_chip (GtkWidget *widget)
{
  return GTK_IS_BUTTON (widget) && GTK_IS_FLOW_BOX_CHILD (gtk_widget_get_parent (widget));
}

static GtkWidget *
find_chip (GtkWidget *widget)
{
  GtkWidget *found = is_chip (widget) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_chip (child);
  return found;
}

/* What went with a prompt that is taken back is shown, and goes again only if nobody takes it away. */
static void
test_attachments_of_an_edited_prompt (Fixture *fixture, gconstpointer data)
{
  g_autoptr (StintAgentPrompt) prompt = stint_agent_prompt_new ("see");
  g_autoptr (GBytes) image = g_bytes_new_static ("png", 3);
  g_autofree char *named = g_build_filename (fixture->directory, "named", NULL);

  g_assert_true (g_file_set_contents (named, "", 0, NULL));
  stint_prompt_entry_set_directory (fixture->entry, fixture->directory);
  stint_agent_prompt_attach_file (prompt, "/etc/passwd");
  stint_agent_prompt_attach_image (prompt, image, "image/png");
  stint_agent_prompt_set_text (prompt, "@named see");
  stint_agent_prompt_attach_file (prompt, named);
  stint_prompt_entry_edit (fixture->entry, prompt);
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 2);
  g_signal_emit_by_name (find_chip (GTK_WIDGET (fixture->entry)), "clicked");
  stint_prompt_entry_set_text (fixture->entry, "see");
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpuint (stint_agent_prompt_get_n_attachments (fixture->sent->pdata[0]), ==, 1);
  g_assert_cmpint (g_unlink (named), ==, 0);
}

static GdkTexture *
new_texture (void)
{
  g_autoptr (GBytes) bytes = g_bytes_new_take (g_malloc0 (16), 16);

  return gdk_memory_texture_new (2, 2, GDK_MEMORY_R8G8B8A8, bytes, 8);
}

static void
wait_for_attachments (Fixture *fixture, guint n)
{
  while (stint_prompt_entry_get_n_attachments (fixture->entry) < n)
    g_main_context_iteration (NULL, TRUE);
}

static void
wait_for_sent (Fixture *fixture, guint n)
{
  while (fixture->sent->len < n)
    g_main_context_iteration (NULL, TRUE);
}

/* What is loaded has a spinner. */
static void
wait_for_load_of_attachments (Fixture *fixture)
{
  while (find_widget (GTK_WIDGET (fixture->entry), GTK_TYPE_SPINNER) != NULL)
    g_main_context_iteration (NULL, TRUE);
}

static const char *
get_block (JsonArray *blocks, guint i, const char *member)
{
  return json_object_get_string_member_with_default (json_array_get_object_element (blocks, i), member,
                                                     NULL);
}

static gboolean
find_note (GtkWidget *widget, const char *part)
{
  if (GTK_IS_LABEL (widget) && gtk_widget_get_visible (widget) &&
      strstr (gtk_label_get_label (GTK_LABEL (widget)), part) != NULL)
    return TRUE;
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (find_note (child, part))
      return TRUE;
  return FALSE;
}

/* To an agent that takes pictures they go as such; another one is told of a file, and so is the user. */
static void
test_pasted_pictures (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = new_texture ();
  g_autoptr (JsonArray) blocks = NULL, linked = NULL;
  g_autofree char *path = NULL;

  stint_prompt_entry_set_takes_images (fixture->entry, TRUE);
  stint_prompt_entry_attach_texture (fixture->entry, texture);
  wait_for_attachments (fixture, 1);
  wait_for_load_of_attachments (fixture);
  g_assert_false (find_note (GTK_WIDGET (fixture->entry), "takes no pictures"));
  type (fixture, "look");
  press (fixture, GDK_KEY_Return, 0);
  blocks = stint_agent_prompt_to_blocks (fixture->sent->pdata[0], TRUE, FALSE);
  g_assert_cmpstr (get_block (blocks, 1, "type"), ==, "image");
  g_assert_cmpstr (get_block (blocks, 1, "mimeType"), ==, "image/png");

  stint_prompt_entry_set_takes_images (fixture->entry, FALSE);
  stint_prompt_entry_set_picture_directory (fixture->entry, fixture->directory);
  stint_prompt_entry_attach_texture (fixture->entry, texture);
  wait_for_attachments (fixture, 1);
  wait_for_load_of_attachments (fixture);
  g_assert_true (find_note (GTK_WIDGET (fixture->entry), "takes no pictures"));
  type (fixture, "look");
  press (fixture, GDK_KEY_Return, 0);
  linked = stint_agent_prompt_to_blocks (fixture->sent->pdata[1], FALSE, FALSE);
  g_assert_cmpstr (get_block (linked, 1, "type"), ==, "resource_link");
  path = g_filename_from_uri (get_block (linked, 1, "uri"), NULL, NULL);
  g_assert_true (g_str_has_prefix (path, fixture->directory));
  g_assert_cmpint (g_unlink (path), ==, 0);
}

/* What is sent before its picture is ready waits for it, and goes with it; unless more is written. */
static void
test_waits_for_picture (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GdkTexture) texture = new_texture ();
  g_autoptr (JsonArray) blocks = NULL;

  stint_prompt_entry_set_takes_images (fixture->entry, TRUE);
  stint_prompt_entry_attach_texture (fixture->entry, texture);
  type (fixture, "look");
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpuint (fixture->sent->len, ==, 0);
  assert_text (fixture, "look");
  wait_for_sent (fixture, 1);
  assert_text (fixture, "");
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 0);
  blocks = stint_agent_prompt_to_blocks (fixture->sent->pdata[0], TRUE, FALSE);
  g_assert_cmpstr (get_block (blocks, 0, "text"), ==, "look");
  g_assert_cmpstr (get_block (blocks, 1, "type"), ==, "image");

  stint_prompt_entry_attach_texture (fixture->entry, texture);
  type (fixture, "look");
  press (fixture, GDK_KEY_Return, 0);
  type (fixture, " here");
  wait_for_load_of_attachments (fixture);
  g_assert_cmpuint (fixture->sent->len, ==, 1);
  press (fixture, GDK_KEY_Return, 0);
  g_assert_cmpstr (get_sent (fixture, 1), ==, "look here");
  g_assert_cmpuint (stint_agent_prompt_get_n_attachments (fixture->sent->pdata[1]), ==, 1);
}

/* Only what is a file, and is small enough, is read; what cannot be had does not go silently. */
static void
test_odd_pictures (Fixture *fixture, gconstpointer data)
{
  g_autofree char *pipe_path = g_build_filename (fixture->directory, "pipe.png", NULL);
  g_autofree char *large_path = g_build_filename (fixture->directory, "large.png", NULL);
  g_autoptr (GFile) pipe = g_file_new_for_path (pipe_path);
  g_autoptr (GFile) large = g_file_new_for_path (large_path);
  g_autoptr (JsonArray) blocks = NULL;

  g_assert_no_errno (mkfifo (pipe_path, 0600));
  g_assert_true (g_file_set_contents (large_path, "", 0, NULL));
  g_assert_no_errno (truncate (large_path, 9 * 1024 * 1024));
  stint_prompt_entry_set_takes_images (fixture->entry, TRUE);

  stint_prompt_entry_attach (fixture->entry, pipe);
  type (fixture, "look");
  press (fixture, GDK_KEY_Return, 0);
  while (fixture->n_problems == 0)
    g_main_context_iteration (NULL, TRUE);
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 0);
  g_assert_cmpuint (fixture->sent->len, ==, 0);
  assert_text (fixture, "look");

  stint_prompt_entry_attach (fixture->entry, large);
  press (fixture, GDK_KEY_Return, 0);
  wait_for_sent (fixture, 1);
  blocks = stint_agent_prompt_to_blocks (fixture->sent->pdata[0], TRUE, FALSE);
  g_assert_cmpstr (get_block (blocks, 1, "type"), ==, "resource_link");
  g_assert_cmpuint (fixture->n_problems, ==, 1);
  g_unlink (pipe_path);
  g_unlink (large_path);
}

/* By the keys, as by any other way of pasting; text is pasted as text. */
static void
test_paste (Fixture *fixture, gconstpointer data)
{
  GtkWidget *view = find_widget (GTK_WIDGET (fixture->entry), GTK_TYPE_TEXT_VIEW);
  GdkClipboard *clipboard = gtk_widget_get_clipboard (view);
  g_autoptr (GdkTexture) texture = new_texture ();
  g_autofree char *text = NULL;

  stint_prompt_entry_set_takes_images (fixture->entry, TRUE);
  gdk_clipboard_set_texture (clipboard, texture);
  g_signal_emit_by_name (view, "paste-clipboard");
  /* At once, though it is still to be read. */
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 1);
  assert_text (fixture, "");

  gdk_clipboard_set_text (clipboard, "words");
  g_signal_emit_by_name (view, "paste-clipboard");
  while (*(text = stint_prompt_entry_dup_text (fixture->entry)) == '\0')
    {
      g_clear_pointer (&text, g_free);
      g_main_context_iteration (NULL, TRUE);
    }
  g_assert_cmpstr (text, ==, "words");
  g_assert_cmpuint (stint_prompt_entry_get_n_attachments (fixture->entry), ==, 1);
  wait_for_load_of_attachments (fixture);
}

static void
test_matching_names (void)
{
  static const char *const files[] = { "src/", "src/main.c", "docs/source.md", "README" };
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_auto (GStrv) found = NULL;
  g_autofree char *joined = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (files); i++)
    g_ptr_array_add (names, (gpointer) files[i]);
  found = stint_file_names_match (names, "SO", 10);
  joined = g_strjoinv (" ", found);
  g_assert_cmpstr (joined, ==, "docs/source.md");
  g_clear_pointer (&found, g_strfreev);
  g_free (joined);
  found = stint_file_names_match (names, "m", 3);
  joined = g_strjoinv (" ", found);
  g_assert_cmpstr (joined, ==, "src/main.c docs/source.md README");
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
#define ADD(name, function) g_test_add ("/prompt-entry/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("enter-sends", test_enter_sends);
  ADD ("ways-out", test_ways_out);
  ADD ("history-keys", test_history_keys);
  ADD ("history-is-kept", test_history_is_kept);
  ADD ("history-keeps-order", test_history_keeps_order);
  ADD ("history-cannot-be-kept", test_history_cannot_be_kept);
  ADD ("completes-commands", test_completes_commands);
  ADD ("completes-files", test_completes_files);
  ADD ("attachments", test_attachments);
  ADD ("attachments-of-an-edited-prompt", test_attachments_of_an_edited_prompt);
  ADD ("pasted-pictures", test_pasted_pictures);
  ADD ("waits-for-picture", test_waits_for_picture);
  ADD ("odd-pictures", test_odd_pictures);
  ADD ("paste", test_paste);
  g_test_add_func ("/prompt-entry/matching-names", test_matching_names);
  return g_test_run ();
}
