/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Terminals and files, as an agent asks for them: the lines B1 to B7 of what Stint must do, and what
 * agents that were measured really send.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include "stint-terminal-output.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs a turn. Returns: (transfer full): what it has said. What is ended gently gets two signals on a
 * terminal, and either may be the one: here both are SIGTERM. */
static char *
run (Fixture *self, const char *prompt)
{
  gsize before = strlen (fixture_get_answers (self));
  g_autoptr (GString) said = NULL;

  g_assert_cmpstr (fixture_run_turn (self, prompt), ==, "end_turn");
  said = g_string_new (fixture_get_answers (self) + before);
  g_string_replace (said, "SIGHUP", "SIGTERM", 0);
  return g_strdup (said->str);
}

static void
assert_turn (Fixture *self, const char *prompt, const char *said)
{
  g_autofree char *found = run (self, prompt);

  g_assert_cmpstr (found, ==, said);
}

static void
assert_turn_holds (Fixture *self, const char *prompt, const char *part)
{
  g_autofree char *found = run (self, prompt);

  if (strstr (found, part) == NULL)
    g_error ("“%s” is not in “%s”", part, found);
}

/* B1 and B3: any number of waits, before and after the end; a code or a signal, never both. */
static void
test_b1_b3 (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  assert_turn (&f, "waiters",
               "[{\"exitCode\": 7, \"signal\": null}, {\"exitCode\": 7, \"signal\": null}, "
               "{\"exitCode\": 7, \"signal\": null}]");
  assert_turn_holds (&f, "shell kill -9 $$", "[{\"exitCode\": null, \"signal\": \"SIGKILL\"}");
  fixture_tear_down (&f);
}

/* B2 and B6: killed it stays valid, gently or not; killing what has ended is no error. */
static void
test_b2_b6 (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  assert_turn (&f, "kill echo ready; sleep 1000",
               "[false, {}, {\"exitCode\": null, \"signal\": \"SIGTERM\"}, {}, "
               "{\"exitCode\": null, \"signal\": \"SIGTERM\"}]");
  assert_turn (&f, "kill trap '' TERM HUP; echo ready; while :; do sleep 1; done",
               "[false, {}, {\"exitCode\": null, \"signal\": \"SIGKILL\"}, {}, "
               "{\"exitCode\": null, \"signal\": \"SIGKILL\"}]");
  /* One that is stopped can be ended too. */
  assert_turn_holds (&f, "kill echo ready; kill -STOP $$", "\"signal\": \"SIG");
  fixture_tear_down (&f);
}

/* B4: ids are of one session, and end with the release. */
static void
test_b4_b7 (void)
{
  Fixture f;
  guint n;

  fixture_set_up (&f, "", NULL);
  assert_turn_holds (&f, "unknown", "-32002");
  assert_turn_holds (&f, "release", "[{}, {\"exitCode\": null, \"signal\": \"SIG");
  assert_turn_holds (&f, "release", ", -32002, -32002, -32002]");
  /* B7: what was shown is still there. */
  n = g_list_model_get_n_items (G_LIST_MODEL (f.jobs));
  g_assert_cmpuint (n, ==, 3);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (G_LIST_MODEL (f.jobs), i);
      StintJobSpec *spec = stint_job_get_spec (job);

      g_assert_cmpuint (stint_job_spec_get_parent (spec), ==,
                        stint_job_get_id (stint_agent_session_get_job (f.session)));
      g_assert_nonnull (stint_job_get_transcript (job));
    }
  fixture_tear_down (&f);
}

/* B5: create, race a timer against the wait, kill, read the output, release. */
static void
test_b5 (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  assert_turn (&f, "timeout",
               "{\"output\": \"partial\\n\", \"truncated\": false, "
               "\"exitStatus\": {\"exitCode\": null, \"signal\": \"SIGTERM\"}}");
  fixture_tear_down (&f);
}

static void
test_commands (void)
{
  g_autofree char *cwd = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  /* A line for the shell, arguments that are none, and what has blanks, quotes and nothing in it. */
  assert_turn_holds (&f, "shell echo a | tr a b && exit 3", "[{\"exitCode\": 3, \"signal\": null}, {\"output\": \"b\\n\"");
  assert_turn_holds (&f, "shell true", "[{\"exitCode\": 0");
  assert_turn_holds (&f,
                     "terminal {\"command\": \"printf\", \"args\": [\"%s,\", \"a b\", \"$x\", \"\", \"'\\\"\", \"n\\nl\"]}",
                     "{\"output\": \"a b,$x,,'\\\",n\\nl,\"");
  cwd = g_strdup_printf ("\"output\": \"%s\\nyes\\n\"", f.directory);
  assert_turn_holds (&f,
                     "terminal {\"command\": \"pwd; echo $MINE\", \"args\": null, "
                     "\"env\": [{\"name\": \"MINE\", \"value\": \"yes\"}]}",
                     cwd);
  assert_turn_holds (&f, "terminal {\"command\": \"pwd\", \"cwd\": \"/\"}", "\"output\": \"/\\n\"");
  /* What cannot be run is an error, and never a terminal that hangs. */
  assert_turn (&f, "terminal {\"command\": \"pwd\", \"cwd\": \"relative\"}", "-32602");
  assert_turn (&f, "terminal {\"command\": \"/no/such/command\"}", "-32603");
  assert_turn (&f, "terminal {\"command\": \"pwd\", \"cwd\": \"/no/such/directory\"}", "-32603");
  assert_turn (&f, "terminal {\"command\": \"\"}", "-32602");
  /* Who asks finds nothing, and there is no pager. */
  assert_turn_holds (&f, "shell read x; echo got $?", "\"output\": \"got 1\\n\"");
  assert_turn_holds (&f, "shell echo \"$PAGER.$GIT_PAGER\"; test -t 1 && echo tty", "\"output\": \".cat\\ntty\\n\"");
  fixture_tear_down (&f);
}

static void
test_output (void)
{
  Fixture f;

  fixture_set_up (&f, "", NULL);
  assert_turn_holds (&f, "shell printf '\\033[31mred\\033[0m\\r\\nline\\n'", "\"output\": \"red\\nline\\n\", \"truncated\": false");
  assert_turn_holds (&f, "terminal {\"command\": \"printf\", \"args\": [\"a\u00e4\u20ac\"], \"outputByteLimit\": 4}",
                     "\"output\": \"\\u20ac\", \"truncated\": true");
  assert_turn_holds (&f, "terminal {\"command\": \"printf\", \"args\": [\"abc\"], \"outputByteLimit\": 0}",
                     "\"output\": \"\", \"truncated\": true");
  assert_turn_holds (&f, "terminal {\"command\": \"printf\", \"args\": [\"abc\"], \"outputByteLimit\": 1099511627776}",
                     "\"output\": \"abc\", \"truncated\": false");
  assert_turn_holds (&f, "terminal {\"command\": \"printf\", \"args\": [\"abc\"], \"outputByteLimit\": 18446744073709551615}",
                     "\"output\": \"abc\", \"truncated\": false");
  assert_turn_holds (&f, "terminal {\"command\": \"seq 100000\", \"outputByteLimit\": 13}",
                     "\"output\": \"99999\\n100000\\n\", \"truncated\": true");
  fixture_tear_down (&f);
}

static void
test_trees (void)
{
  StintAgentLimits limits = STINT_AGENT_LIMITS_DEFAULT;
  Fixture f;

  /* A child in the background does not hold up the end; no process outlives its terminal. */
  fixture_set_up (&f, "", NULL);
  assert_turn_holds (&f, "shell setsid sleep 1000 & echo started", "[{\"exitCode\": 0");
  assert_turn_holds (&f, "unawaited", "[-32800, true]");
  /* What the agent leaves behind ends with it. */
  assert_turn (&f, "leave", "left");
  fixture_tear_down (&f);

  /* A terminal that hangs is ended by its own limit, and the turn goes on. */
  limits.terminal = 300 * G_TIME_SPAN_MILLISECOND;
  fixture_set_up (&f, "", &limits);
  assert_turn (&f, "hang", "{\"exitCode\": null, \"signal\": \"SIGTERM\"}");
  fixture_tear_down (&f);
  limits.terminal = 0;
  limits.terminal_idle = 300 * G_TIME_SPAN_MILLISECOND;
  fixture_set_up (&f, "", &limits);
  assert_turn (&f, "hang", "{\"exitCode\": null, \"signal\": \"SIGTERM\"}");
  fixture_tear_down (&f);
}

/* The user ends a terminal: the agent's wait is answered, and its turn goes on. */
static void
test_user_terminates (void)
{
  StintConversationItem *tool;
  const StintToolContent *content;
  g_autoptr (StintJob) job = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_agent_session_prompt_text (f.session, "terminal {\"command\": \"sleep 1000\"}");
  wait_until ((tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL)) != NULL);
  content = stint_conversation_item_get_contents (tool)->pdata[0];
  job = stint_job_list_lookup (f.jobs, content->job_id);
  g_assert_nonnull (job);
  stint_job_terminate (job);
  wait_until (f.n_turns == 1);
  g_assert_nonnull (strstr (fixture_get_answers (&f), "[{\"exitCode\": null, \"signal\": \"SIG"));
  g_object_unref (tool);
  fixture_tear_down (&f);
}

/* A limit of jobs at once: an agent's terminals do not wait for the agent to end. */
static void
test_many (void)
{
  guint descriptors;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  stint_job_list_set_max_running (f.jobs, 1);
  assert_turn (&f, "many 5", "[0]");
  descriptors = fixture_count_descriptors ();
  assert_turn (&f, "many 30", "[0]");
  fixture_tear_down (&f);
  g_assert_cmpuint (fixture_count_descriptors (), <=, descriptors + 3 * 30);
}

static void
test_text (void)
{
  static const struct
  {
    const char *raw;
    gsize size;
    guint64 limit;
    gboolean complete;
    const char *text;
    gboolean truncated;
  } cases[] = {
    { "abc", 3, 3, TRUE, "abc", FALSE },
    { "abc", 3, 2, TRUE, "bc", TRUE },
    { "", 0, 0, TRUE, "", FALSE },
    { "a\xc3\xa4", 3, 2, TRUE, "\u00e4", TRUE },
    { "a\xc3\xa4", 3, 1, TRUE, "", TRUE },
    { "\xf0\x9f\x98\x80x", 5, 4, TRUE, "x", TRUE },
    { "a\xc3", 2, 10, FALSE, "a", FALSE },
    { "a\xc3", 2, 10, TRUE, "a\ufffd", FALSE },
    { "\xff\xfe", 2, 3, TRUE, "\ufffd", TRUE },
    { "1\r2\r\n3\r\r\n4", 10, 99, TRUE, "1\n2\n3\n4", FALSE },
    { "a\0b\b\033]0;title\007c\033[2Jd", 20, 99, TRUE, "abcd", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      gboolean truncated;
      g_autofree char *text =
        stint_terminal_output_to_text ((const guint8 *) cases[i].raw, cases[i].size, cases[i].limit,
                                       cases[i].complete, &truncated);

      g_assert_cmpstr (text, ==, cases[i].text);
      g_assert_cmpint (truncated, ==, cases[i].truncated);
    }
}

/* Files */

static void
write_file (Fixture *self, const char *name, const char *content, gssize length)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);

  g_assert_true (g_file_set_contents (path, content, length, NULL));
}

static void
test_read (void)
{
  g_autofree char *big = g_strnfill (17 * 1024 * 1024, 'x'), *fifo = NULL, *prompt = NULL;
  static const struct
  {
    const char *what;
    const char *said;
  } cases[] = {
    { "a", "{\"content\": \"\\ufeffone\\r\\ntwo\\nthree\"}" },
    { "a line=2", "{\"content\": \"two\\nthree\"}" },
    { "a line=2 limit=1", "{\"content\": \"two\\n\"}" },
    { "a line=9", "{\"content\": \"\"}" },
    { "a limit=0", "{\"content\": \"\"}" },
    { "none", "-32002" },
    { "binary", "-32602" },
    { "big", "-32602" },
    { "fifo", "-32602" },
    { ".", "-32603" },
  };
  Fixture f;

  fixture_set_up (&f, "", NULL);
  write_file (&f, "a", "\xef\xbb\xbfone\r\ntwo\nthree", -1);
  write_file (&f, "binary", "\xff\0\1", 3);
  write_file (&f, "big", big, 17 * 1024 * 1024);
  fifo = g_build_filename (f.directory, "fifo", NULL);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_free (prompt);
      prompt = g_strdup_printf ("read %s/%s", f.directory, cases[i].what);
      assert_turn (&f, prompt, cases[i].said);
    }
  assert_turn (&f, "read relative", "-32602");
  fixture_tear_down (&f);
}

static void
assert_file (Fixture *self, const char *name, const char *content)
{
  g_autofree char *path = g_build_filename (self->directory, name, NULL);
  g_autofree char *found = NULL;

  g_assert_true (g_file_get_contents (path, &found, NULL, NULL));
  g_assert_cmpstr (found, ==, content);
}

static void
test_write (void)
{
  g_autofree char *prompt = NULL, *executable = NULL;
  g_autoptr (StintConversationItem) tool = NULL;
  const StintToolContent *diff;
  struct stat status;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  write_file (&f, "script", "old\n", -1);
  executable = g_build_filename (f.directory, "script", NULL);
  /* A mode that the umask would not let a new file have. */
  g_assert_cmpint (chmod (executable, 0772), ==, 0);
  prompt = g_strdup_printf ("write [\"%s/script\", \"new\\r\\n\u00e4\"]", f.directory);
  assert_turn (&f, prompt, "{}");
  assert_file (&f, "script", "new\r\n\u00e4");
  g_assert_cmpint (stat (executable, &status), ==, 0);
  g_assert_cmpint (status.st_mode & 07777, ==, 0772);
  /* It is kept as a diff. */
  tool = fixture_find_item (&f, STINT_CONVERSATION_TOOL);
  diff = stint_conversation_item_get_contents (tool)->pdata[0];
  g_assert_cmpstr (diff->old_text, ==, "old\n");
  g_assert_cmpstr (diff->text, ==, "new\r\n\u00e4");

  /* It makes what is missing. */
  g_free (prompt);
  prompt = g_strdup_printf ("write [\"%s/deep/down/file\", \"\"]", f.directory);
  assert_turn (&f, prompt, "{}");
  assert_file (&f, "deep/down/file", "");
  g_free (prompt);
  prompt = g_strdup_printf ("write [\"%s/nul\", \"a\\u0000b\"]", f.directory);
  assert_turn (&f, prompt, "-32602");
  g_free (prompt);
  prompt = g_strdup_printf ("write [\"%s/deep\", \"x\"]", f.directory);
  assert_turn (&f, prompt, "-32603");
  fixture_tear_down (&f);
}

/* A link that leads out of the session's directory leads to a question. */
static void
test_outside (void)
{
  g_autofree char *outside = g_dir_make_tmp ("stint-outside-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (outside, "file", NULL);
  g_autofree char *link = NULL, *prompt = NULL, *dots = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_true (g_file_set_contents (file, "secret", -1, NULL));
  link = g_build_filename (f.directory, "link", NULL);
  g_assert_cmpint (symlink (outside, link), ==, 0);
  prompt = g_strdup_printf ("read %s/link/file", f.directory);
  for (guint i = 0; i < 2; i++)
    {
      g_autoptr (StintAgentRequest) request = NULL;

      stint_agent_session_prompt_text (f.session, prompt);
      request = fixture_wait_for_request (&f);
      g_assert_nonnull (strstr (stint_agent_request_get_title (request), file));
      if (i == 0)
        stint_agent_request_reject (request);
      else
        stint_agent_request_choose (request, "allow");
      wait_until (f.n_turns == 1 + i);
    }
  g_assert_cmpstr (fixture_get_answers (&f), ==, "-32602{\"content\": \"secret\"}");

  stint_agent_session_set_policy (f.session, STINT_AGENT_REJECT);
  dots = g_strdup_printf ("read %s/../%s/file", f.directory, outside + strlen (g_get_tmp_dir ()) + 1);
  assert_turn (&f, dots, "-32602");
  fixture_tear_down (&f);
  unlink (file);
  rmdir (outside);
}

/* Reads that wait for the user, and be they many, keep no other one waiting; and have their turn
 * once they are allowed. */
static void
test_many_outside (void)
{
  const guint n = 20;
  g_autofree char *outside = g_dir_make_tmp ("stint-outside-XXXXXX", NULL);
  g_autofree char *secret = g_build_filename (outside, "file", NULL);
  g_autofree char *inside = NULL, *prompt = NULL;
  GListModel *requests;
  guint n_read = 0;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  inside = g_build_filename (f.directory, "file", NULL);
  g_assert_true (g_file_set_contents (secret, "secret", -1, NULL));
  g_assert_true (g_file_set_contents (inside, "inside", -1, NULL));
  prompt = g_strdup_printf ("read_all %s %u %s", secret, n, inside);
  stint_agent_session_prompt_text (f.session, prompt);
  requests = stint_agent_session_get_requests (f.session);
  wait_until (g_str_equal (fixture_get_answers (&f), "{\"content\": \"inside\"}"));
  wait_until (g_list_model_get_n_items (requests) == n);
  while (g_list_model_get_n_items (requests) > 0)
    {
      g_autoptr (StintAgentRequest) request = g_list_model_get_item (requests, 0);

      /* The first is not. */
      stint_agent_request_choose (request,
                                  g_list_model_get_n_items (requests) == n ? "reject" : "allow");
    }
  wait_until (f.n_turns == 1);
  for (const char *at = fixture_get_answers (&f); (at = strstr (at, "secret")) != NULL; at++)
    n_read++;
  g_assert_cmpuint (n_read, ==, n - 1);

  /* It ends before they have had their turn. */
  stint_agent_session_prompt_text (f.session, prompt);
  wait_until (g_list_model_get_n_items (requests) == n);
  stint_agent_session_set_policy (f.session, STINT_AGENT_ALLOW);
  stint_job_kill (stint_agent_session_get_job (f.session));
  fixture_tear_down (&f);
  unlink (secret);
  rmdir (outside);
}

/* What was allowed is that file, and none that the path leads to since. ".." behind a link is that of
 * where the link leads. */
static void
test_moved (void)
{
  g_autofree char *outside = g_dir_make_tmp ("stint-outside-XXXXXX", NULL);
  g_autofree char *one = g_build_filename (outside, "one", NULL), *two = g_build_filename (outside, "two", NULL);
  g_autofree char *secret = g_build_filename (outside, "file", NULL);
  g_autofree char *link = NULL, *prompt = NULL, *dots = NULL;
  g_autoptr (StintAgentRequest) first = NULL, second = NULL;
  Fixture f;

  fixture_set_up (&f, "", NULL);
  g_assert_cmpint (g_mkdir (one, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (two, 0700), ==, 0);
  g_assert_true (g_file_set_contents (secret, "secret", -1, NULL));
  link = g_build_filename (f.directory, "link", NULL);
  g_assert_cmpint (symlink (one, link), ==, 0);
  prompt = g_strdup_printf ("read %s/link/file", f.directory);
  stint_agent_session_prompt_text (f.session, prompt);
  first = fixture_wait_for_request (&f);
  g_assert_nonnull (strstr (stint_agent_request_get_title (first), one));
  g_assert_cmpint (g_unlink (link), ==, 0);
  g_assert_cmpint (symlink (two, link), ==, 0);
  stint_agent_request_choose (first, "allow");
  second = fixture_wait_for_request (&f);
  g_assert_nonnull (strstr (stint_agent_request_get_title (second), two));
  stint_agent_request_reject (second);
  wait_until (f.n_turns == 1);
  g_assert_cmpstr (fixture_get_answers (&f), ==, "-32602");

  stint_agent_session_set_policy (f.session, STINT_AGENT_REJECT);
  dots = g_strdup_printf ("read %s/link/../file", f.directory);
  assert_turn (&f, dots, "-32602");
  fixture_tear_down (&f);
  g_unlink (secret);
  g_rmdir (one);
  g_rmdir (two);
  g_rmdir (outside);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/terminals/B1 B3 any number of waits", test_b1_b3);
  g_test_add_func ("/acp/terminals/B2 B6 kill keeps it", test_b2_b6);
  g_test_add_func ("/acp/terminals/B4 B7 release frees it", test_b4_b7);
  g_test_add_func ("/acp/terminals/B5 timeout pattern", test_b5);
  g_test_add_func ("/acp/terminals/commands", test_commands);
  g_test_add_func ("/acp/terminals/output", test_output);
  g_test_add_func ("/acp/terminals/trees", test_trees);
  g_test_add_func ("/acp/terminals/user-terminates", test_user_terminates);
  g_test_add_func ("/acp/terminals/many", test_many);
  g_test_add_func ("/acp/terminals/text", test_text);
  g_test_add_func ("/acp/files/read", test_read);
  g_test_add_func ("/acp/files/write", test_write);
  g_test_add_func ("/acp/files/outside", test_outside);
  g_test_add_func ("/acp/files/many-outside", test_many_outside);
  g_test_add_func ("/acp/files/moved", test_moved);
  return g_test_run ();
}
