/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The parts of the agent protocol that need no agent: messages, the log, a connection with both ends
 * here, prompts, profiles.
 */
#define G_LOG_DOMAIN "test"
#include "config.h"

#include "acp-fixture.h"

#include "stint-acp-lines.h"
#include "stint-error.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void
test_messages (void)
{
  static const struct
  {
    const char *line;
    int kind; /* -1: none */
    gboolean invalid;
  } cases[] = {
    { "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"m\"}", STINT_ACP_KIND_REQUEST, FALSE },
    { "{\"id\":null,\"method\":\"m\"}", STINT_ACP_KIND_REQUEST, FALSE },
    { "{\"id\":\"a\",\"method\":\"m\",\"params\":[1]}", STINT_ACP_KIND_REQUEST, FALSE },
    { "{\"method\":\"m\",\"params\":null}", STINT_ACP_KIND_NOTIFICATION, FALSE },
    { "{\"id\":1,\"result\":null}", STINT_ACP_KIND_RESPONSE, FALSE },
    { "{\"id\":1,\"error\":\"odd\"}", STINT_ACP_KIND_RESPONSE, FALSE },
    { "{\"id\":1.5,\"method\":\"m\"}", -1, TRUE },
    { "{\"id\":{},\"method\":\"m\"}", -1, TRUE },
    { "{\"id\":1}", -1, TRUE },
    { "{\"result\":1}", -1, TRUE },
    { "[{\"method\":\"m\"}]", -1, TRUE },
    { "1", -1, TRUE },
    { "\"text\"", -1, TRUE },
    { "{", -1, FALSE },
    { "npm notice", -1, FALSE },
    { "", -1, FALSE },
    { "\xff", -1, FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autoptr (GError) error = NULL;
      gboolean invalid;
      g_autoptr (StintAcpMessage) message =
        stint_acp_message_decode (cases[i].line, strlen (cases[i].line), &invalid, &error);

      g_assert_cmpint (message != NULL ? (int) message->kind : -1, ==, cases[i].kind);
      g_assert_true ((message == NULL) == (error != NULL));
      g_assert_cmpint (invalid, ==, cases[i].invalid);
    }
}

static void
test_odd_text (void)
{
  static const char line[] = "{\"method\":\"m\",\"params\":{\"t\":\"a\\u0000b\\\\u0000\\ud83d\\ude00\xff\"}}";
  g_autoptr (StintAcpMessage) message = stint_acp_message_decode (line, sizeof line - 1, NULL, NULL);
  g_autofree char *deep = g_strnfill (100000, '[');
  g_autoptr (GError) error = NULL;

  g_assert_nonnull (message);
  g_assert_true (message->has_nul);
  g_assert_cmpstr (stint_acp_get_string (stint_acp_node_object (message->params), "t"), ==,
                   "a\ufffdb\\u0000\U0001F600\ufffd");
  /* It would be one level of the stack for each. */
  g_assert_null (stint_acp_message_decode (deep, 100000, NULL, &error));
  g_assert_error (error, STINT_ERROR, STINT_ERROR_INVALID);
}

/* Agents cut texts in the middle of a character, which JSON can say and UTF-8 cannot. */
static void
test_halves (void)
{
  static const struct
  {
    const char *escaped;
    const char *text;
  } cases[] = {
    { "a\\ud83d", "a\ufffd" },
    { "\\ude00b", "\ufffdb" },
    { "\\ud83d\\ud83d\\ude00", "\ufffd\U0001F600" },
    { "\\uD83D\\uDE00\\uDE00", "\U0001F600\ufffd" },
    { "\\\\ud83d", "\\ud83d" },
    { "\\ud83d\\n", "\ufffd\n" },
    { "\\ud83dx", "\ufffdx" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    {
      g_autofree char *line = g_strdup_printf ("{\"method\":\"m\",\"params\":{\"t\":\"%s\"}}", cases[i].escaped);
      g_autoptr (StintAcpMessage) message = stint_acp_message_decode (line, strlen (line), NULL, NULL);

      g_assert_nonnull (message);
      g_assert_false (message->has_nul);
      g_assert_cmpstr (stint_acp_get_string (stint_acp_node_object (message->params), "t"), ==, cases[i].text);
    }
}

static void
test_log (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-log-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, STINT_ACP_LOG_FILE, NULL);
  StintAcpLog *log = stint_acp_log_new (directory, 4096);
  g_autoptr (StintAcpLogReader) reader = NULL;
  g_autoptr (StintAcpLogEntry) entry = NULL, junk = NULL, host = NULL, last = NULL;
  g_autofree char *big = g_strnfill (5000, ' ');

  g_assert_null (stint_acp_log_reader_new ("/no/such/directory", NULL));
  stint_acp_log_append (log, STINT_ACP_FROM_AGENT, "{\"a\":1}", 7);
  stint_acp_log_append (log, STINT_ACP_JUNK, "ju\xffnk\"", 6);
  g_assert_cmpuint (stint_acp_log_flush (log), >, 0);
  reader = stint_acp_log_reader_new (directory, NULL);
  entry = stint_acp_log_reader_next (reader);
  g_assert_cmpint (entry->direction, ==, STINT_ACP_FROM_AGENT);
  g_assert_cmpint (entry->time, >, 0);
  g_assert_cmpint (stint_acp_get_int (stint_acp_node_object (entry->node), "a", 0), ==, 1);
  junk = stint_acp_log_reader_next (reader);
  g_assert_cmpstr (junk->text, ==, "ju\ufffdnk\"");
  g_assert_null (stint_acp_log_reader_next (reader));

  /* It goes on where it was; what is too much is counted. */
  stint_acp_log_append (log, STINT_ACP_FROM_AGENT, big, 5000);
  stint_acp_log_append (log, STINT_ACP_HOST, "{}", 2);
  stint_acp_log_flush (log);
  host = stint_acp_log_reader_next (reader);
  g_assert_cmpint (host->direction, ==, STINT_ACP_HOST);
  stint_acp_log_free (log);
  last = stint_acp_log_reader_next (reader);
  g_assert_cmpint (stint_acp_get_int (stint_acp_node_object (last->node), "dropped", 0), ==, 1);
  unlink (path);
  rmdir (directory);
}

static void
write_all (int fd, const char *text)
{
  g_assert_cmpint (write (fd, text, strlen (text)), ==, (gssize) strlen (text));
}

static void
assert_line (StintAcpLines *lines, const char *wanted, gboolean wanted_too_long)
{
  gboolean too_long = FALSE;
  gsize length = 0;
  const char *line = stint_acp_lines_next (lines, &length, &too_long);
  g_autofree char *text = line != NULL ? g_strndup (line, length) : NULL;

  g_assert_cmpstr (text, ==, wanted);
  g_assert_cmpint (too_long, ==, wanted_too_long);
}

static void
test_lines (void)
{
  g_autoptr (StintAcpLines) lines = stint_acp_lines_new (8);
  g_autofree char *rest = NULL;
  const char *line;
  gsize length;
  int fds[2];

  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
  write_all (fds[1], "one\n\n\r\ntwo\r\nth");
  g_assert_cmpint (stint_acp_lines_read (lines, fds[0], 100), ==, 14);
  assert_line (lines, "one", FALSE);
  assert_line (lines, "two", FALSE);
  assert_line (lines, NULL, FALSE);
  g_assert_cmpuint (stint_acp_lines_get_rest (lines), ==, 2);
  write_all (fds[1], "ree\n");
  for (guint i = 0; i < 4; i++)
    {
      assert_line (lines, NULL, FALSE);
      g_assert_cmpint (stint_acp_lines_read (lines, fds[0], 1), ==, 1);
    }
  assert_line (lines, "three", FALSE);
  g_assert_cmpuint (stint_acp_lines_get_rest (lines), ==, 0);

  /* Of what is too long the first is given out, once; the next line is itself again. */
  write_all (fds[1], "0123456789");
  stint_acp_lines_read (lines, fds[0], 100);
  assert_line (lines, "0123456789", TRUE);
  assert_line (lines, NULL, FALSE);
  write_all (fds[1], "0123456789");
  stint_acp_lines_read (lines, fds[0], 100);
  assert_line (lines, NULL, FALSE);
  g_assert_null (stint_acp_lines_rest (lines, &length));
  write_all (fds[1], "rest\n0123456789\nfour\nend");
  stint_acp_lines_read (lines, fds[0], 100);
  assert_line (lines, "0123456789", TRUE);
  assert_line (lines, "four", FALSE);
  assert_line (lines, NULL, FALSE);
  close (fds[1]);
  g_assert_cmpint (stint_acp_lines_read (lines, fds[0], 100), ==, 0);
  line = stint_acp_lines_rest (lines, &length);
  rest = g_strndup (line, length);
  g_assert_cmpstr (rest, ==, "end");
  close (fds[0]);
}

/* The buffer of a long line is given back once nothing is in it; what comes then is read as ever. */
static void
test_long_lines (void)
{
  const gsize piece = 32 * 1024, pieces = 2 * STINT_ACP_KEPT / piece;
  g_autofree char *text = g_strnfill (piece, 'x');
  g_autoptr (StintAcpLines) lines = stint_acp_lines_new (2 * STINT_ACP_KEPT);
  gsize length = 0;
  int fds[2];

  g_assert_true (g_unix_open_pipe (fds, FD_CLOEXEC, NULL));
  for (guint round = 0; round < 3; round++)
    {
      for (gsize i = 0; i < pieces; i++)
        {
          assert_line (lines, NULL, FALSE);
          write_all (fds[1], text);
          g_assert_cmpint (stint_acp_lines_read (lines, fds[0], piece), ==, (gssize) piece);
        }
      write_all (fds[1], round == 1 ? "\nnext\nhal" : "\n");
      g_assert_cmpint (stint_acp_lines_read (lines, fds[0], piece), >, 0);
      g_assert_nonnull (stint_acp_lines_next (lines, &length, NULL));
      g_assert_cmpuint (length, ==, 2 * STINT_ACP_KEPT);
      if (round == 1)
        {
          assert_line (lines, "next", FALSE);
          assert_line (lines, NULL, FALSE);
          write_all (fds[1], "f\n");
          stint_acp_lines_read (lines, fds[0], piece);
          assert_line (lines, "half", FALSE);
        }
      assert_line (lines, NULL, FALSE);
      g_assert_cmpuint (stint_acp_lines_get_rest (lines), ==, 0);
    }
  close (fds[0]);
  close (fds[1]);
}

/* A connection, and the agent's ends of its pipes. */
typedef struct
{
  StintAcpConnection *connection;
  int in[2];
  int out[2];
  GPtrArray *requests;
  guint n_notifications;
  gboolean closed;
  JsonNode *result;
  GError *error;
  gboolean returned;
} Ends;

static gboolean
handle_request (StintAcpConnection *connection, StintAcpRequest *request, Ends *ends)
{
  if (!g_str_equal (stint_acp_request_get_method (request), "known"))
    return FALSE;
  g_ptr_array_add (ends->requests, g_object_ref (request));
  return TRUE;
}

static gboolean
handle_any_request (StintAcpConnection *connection, StintAcpRequest *request, Ends *ends)
{
  g_ptr_array_add (ends->requests, g_object_ref (request));
  return TRUE;
}

static void
handle_notification (StintAcpConnection *connection, const char *method, JsonNode *params, Ends *ends)
{
  ends->n_notifications++;
}

static void
handle_closed (StintAcpConnection *connection, const GError *error, Ends *ends)
{
  ends->closed = TRUE;
}

static void
handle_called (GObject *source, GAsyncResult *result, gpointer data)
{
  Ends *ends = data;

  ends->result = stint_acp_connection_call_finish (STINT_ACP_CONNECTION (source), result, &ends->error);
  ends->returned = TRUE;
}

static void
ends_set_up (Ends *ends)
{
  *ends = (Ends) { .requests = g_ptr_array_new_with_free_func (g_object_unref) };
  g_assert_true (g_unix_open_pipe (ends->in, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (ends->out, FD_CLOEXEC, NULL));
  ends->connection = stint_acp_connection_new (ends->out[0], ends->in[1], NULL);
  g_signal_connect (ends->connection, "request", G_CALLBACK (handle_request), ends);
  g_signal_connect (ends->connection, "notification", G_CALLBACK (handle_notification), ends);
  g_signal_connect (ends->connection, "closed", G_CALLBACK (handle_closed), ends);
}

static void
ends_clear (Ends *ends)
{
  g_object_unref (ends->connection);
  close (ends->in[0]);
  if (ends->out[1] >= 0)
    close (ends->out[1]);
  g_ptr_array_unref (ends->requests);
  g_clear_pointer (&ends->result, json_node_unref);
  g_clear_error (&ends->error);
}

static void
say (Ends *ends, const char *line)
{
  g_assert_cmpint (write (ends->out[1], line, strlen (line)), ==, (gssize) strlen (line));
}

/* The next line that Stint has written. */
static char *
hear (Ends *ends)
{
  GString *line = g_string_new (NULL);
  char byte;

  while (read (ends->in[0], &byte, 1) == 1 && byte != '\n')
    g_string_append_c (line, byte);
  return g_string_free (line, FALSE);
}

static void
assert_hears (Ends *ends, const char *wanted)
{
  g_autofree char *line = hear (ends);

  g_assert_cmpstr (line, ==, wanted);
}

static void
test_connection (void)
{
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  Ends ends;

  ends_set_up (&ends);
  /* Our id 0 and the agent's have nothing to do with each other. */
  stint_acp_connection_call_async (ends.connection, "ask", NULL, NULL, handle_called, &ends);
  assert_hears (&ends, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"ask\",\"params\":{}}");
  say (&ends, "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"known\"}\n");
  wait_until (ends.requests->len == 1);
  g_assert_false (ends.returned);
  say (&ends, "{\"jsonrpc\":\"2.0\",\"id\":0,\"error\":{\"code\":-32000,\"message\":\"no\",\"data\":\"why\"}}\n");
  wait_until (ends.returned);
  g_assert_error (ends.error, STINT_ACP_ERROR, STINT_ACP_AUTH_REQUIRED);
  g_assert_nonnull (strstr (ends.error->message, "why"));
  g_clear_error (&ends.error);

  /* One answer, whatever comes. */
  stint_acp_request_return (ends.requests->pdata[0], NULL);
  stint_acp_request_return_error (ends.requests->pdata[0], 1, "late");
  assert_hears (&ends, "{\"jsonrpc\":\"2.0\",\"id\":0,\"result\":{}}");
  say (&ends, "{\"jsonrpc\":\"2.0\",\"id\":\"x\",\"method\":\"unknown\"}\n");
  {
    g_autofree char *line = NULL;

    /* The answer is made on this thread. */
    say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
    wait_until (ends.n_notifications == 1);
    line = hear (&ends);
    g_assert_nonnull (strstr (line, "-32601"));
    g_assert_nonnull (strstr (line, "\"id\":\"x\""));
  }

  /* Taken back: whoever has it does not answer, so it is answered for them. */
  say (&ends, "{\"jsonrpc\":\"2.0\",\"id\":\"1\",\"method\":\"known\"}\n");
  say (&ends, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"known\"}\n");
  wait_until (ends.requests->len == 3);
  say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":1}}\n");
  wait_until (stint_acp_request_is_answered (ends.requests->pdata[2]));
  g_assert_false (stint_acp_request_is_answered (ends.requests->pdata[1]));
  assert_hears (&ends, "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32800,\"message\":\"Request cancelled\"}}");

  /* We take back. */
  ends.returned = FALSE;
  stint_acp_connection_call_async (ends.connection, "ask", NULL, cancellable, handle_called, &ends);
  g_free (hear (&ends));
  g_cancellable_cancel (cancellable);
  wait_until (ends.returned);
  g_assert_error (ends.error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_clear_error (&ends.error);
  assert_hears (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":1}}");

  /* Its end fails what waits. */
  ends.returned = FALSE;
  stint_acp_connection_call_async (ends.connection, "ask", NULL, NULL, handle_called, &ends);
  close (g_steal_fd (&ends.out[1]));
  wait_until (ends.closed);
  g_assert_true (ends.returned);
  g_assert_error (ends.error, G_IO_ERROR, G_IO_ERROR_CLOSED);
  g_assert_true (stint_acp_request_is_answered (ends.requests->pdata[1]));
  ends_clear (&ends);
}

/* Nobody reads what Stint says, less of it than makes Stint stop reading: it waits for nobody. */
static void
test_deaf_reader (void)
{
  g_autofree char *text = g_strnfill (100000, 'x');
  Ends ends;

  ends_set_up (&ends);
  for (guint i = 0; i < 50; i++)
    {
      JsonNode *params = json_node_new (JSON_NODE_OBJECT);

      json_node_take_object (params, json_object_new ());
      json_object_set_string_member (json_node_get_object (params), "text", text);
      stint_acp_connection_notify (ends.connection, "note", params);
    }
  say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
  wait_until (ends.n_notifications == 1);
  ends_clear (&ends);
}

/* What is said to the agent, numbered, and as long as @length. */
static void
notify_number (StintAcpConnection *connection, guint number, gsize length)
{
  JsonObject *params = json_object_new ();
  g_autofree char *text = g_strnfill (length, 'x');

  json_object_set_int_member (params, "number", number);
  json_object_set_string_member (params, "text", text);
  stint_acp_connection_notify (connection, "say", stint_acp_node_new (params));
}

static gboolean
is_waiting (int fd)
{
  struct pollfd poll_fd = { fd, POLLIN, 0 };

  return poll (&poll_fd, 1, 0) == 1;
}

static gboolean
has_come (Ends *ends)
{
  return is_waiting (ends->in[0]);
}

/* Says one and takes it out of the pipe again. Returns: whether it was there at once. */
static gboolean
goes_at_once (Ends *ends)
{
  gboolean at_once;

  notify_number (ends->connection, 0, 10);
  at_once = has_come (ends);
  g_free (hear (ends));
  return at_once;
}

/* What is little goes from the main loop itself; what is much does not, and nothing overtakes it. */
static void
test_little (void)
{
  const gsize lengths[] = { 10, 10, 200000, 10, 5000, 4096, 3900, 10 };
  Ends ends;

  ends_set_up (&ends);
  g_assert_true (goes_at_once (&ends));
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    notify_number (ends.connection, i, lengths[i]);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    {
      g_autofree char *line = hear (&ends);
      g_autoptr (JsonNode) node = json_from_string (line, NULL);
      JsonObject *params = stint_acp_get_object (stint_acp_node_object (node), "params");

      g_assert_cmpint (stint_acp_get_int (params, "number", -1), ==, i);
      g_assert_cmpuint (strlen (stint_acp_get_string (params, "text")), ==, lengths[i]);
    }
  wait_until (goes_at_once (&ends));
  ends_clear (&ends);
}

/* Waits for the next microsecond. Returns: the monotonic time */
static gint64
tick (void)
{
  gint64 before = g_get_monotonic_time (), now;

  while ((now = g_get_monotonic_time ()) == before)
    ;
  return now;
}

/* What the agent has said is a sign of life: before the main loop comes to read it, and however long it is. */
static void
test_last_read (void)
{
  const gsize full = 32 * 1024; /* what is read at a time, and is a long line */
  g_autofree char *half = g_strnfill (full, ' ');
  gint64 now;
  Ends ends;

  ends_set_up (&ends);
  now = tick ();
  g_assert_cmpint (stint_acp_connection_get_last_read (ends.connection), <, now);
  say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
  g_assert_cmpint (stint_acp_connection_get_last_read (ends.connection), >=, now);
  wait_until (ends.n_notifications == 1);

  now = tick ();
  g_assert_cmpint (stint_acp_connection_get_last_read (ends.connection), <, now);
  say (&ends, half);
  wait_until (!is_waiting (ends.out[0]));
  g_assert_cmpint (stint_acp_connection_get_last_read (ends.connection), >=, now);
  ends_clear (&ends);
}

static gboolean
answer_request (StintAcpConnection *connection, StintAcpRequest *request, Ends *ends)
{
  stint_acp_request_return (request, NULL);
  return TRUE;
}

/* Checks that in @directory's log all @n requests and their answers are, each answer after its request. */
static void
assert_log_is_whole (const char *directory, gint64 n)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (StintAcpLogReader) reader = stint_acp_log_reader_new (directory, &error);
  gint64 asked = 0, answered = 0;

  g_assert_no_error (error);
  for (;;)
    {
      g_autoptr (StintAcpLogEntry) entry = stint_acp_log_reader_next (reader);
      gint64 id;

      if (entry == NULL)
        break;
      id = stint_acp_get_int (stint_acp_node_object (entry->node), "id", -1);
      if (entry->direction == STINT_ACP_FROM_AGENT)
        g_assert_cmpint (id, ==, asked++);
      else
        g_assert_cmpint (id, ==, answered++);
      g_assert_cmpint (answered, <=, asked);
    }
  g_assert_cmpint (asked, ==, n);
  g_assert_cmpint (answered, ==, n);
}

/* Who reads changes with how much comes: little by the main loop, much by the thread. Whoever it is, nothing
 * is lost, and the order stays, in the log too. */
static void
test_turns (void)
{
  /* So many requests at once, and whether the last has only half of its line. */
  const guint bursts[] = { 1, 3, 200, 1, 1, 500, 2, 40, 1 };
  g_autofree char *directory = g_dir_make_tmp ("stint-log-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, STINT_ACP_LOG_FILE, NULL);
  Ends ends = { .requests = g_ptr_array_new_with_free_func (g_object_unref) };
  guint asked = 0, heard = 0;

  g_assert_true (g_unix_open_pipe (ends.in, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (ends.out, FD_CLOEXEC, NULL));
  ends.connection = stint_acp_connection_new (ends.out[0], ends.in[1], directory);
  g_signal_connect (ends.connection, "request", G_CALLBACK (answer_request), &ends);
  g_signal_connect (ends.connection, "closed", G_CALLBACK (handle_closed), &ends);
  for (guint i = 0; i < 3 * G_N_ELEMENTS (bursts); i++)
    {
      g_autoptr (GString) text = g_string_new (NULL);

      for (guint j = 0; j < bursts[i % G_N_ELEMENTS (bursts)]; j++)
        g_string_append_printf (text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"ask\"}\n", asked++);
      /* Half a line waits for its other half without being read. */
      g_assert_cmpint (write (ends.out[1], text->str, text->len - 7), ==, (gssize) text->len - 7);
      while (heard < asked - 1)
        {
          g_main_context_iteration (NULL, FALSE);
          while (heard < asked - 1 && has_come (&ends))
            {
              g_autofree char *line = hear (&ends);
              g_autofree char *wanted = g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{}}", heard++);

              g_assert_cmpstr (line, ==, wanted);
            }
        }
      say (&ends, text->str + text->len - 7);
      wait_until (has_come (&ends));
      g_free (hear (&ends));
      heard++;
    }
  close (g_steal_fd (&ends.out[1]));
  wait_until (ends.closed);
  assert_log_is_whole (directory, asked);
  ends_clear (&ends);
  unlink (path);
  rmdir (directory);
}

/* Says something. Returns: whether it is told at once */
static gboolean
is_told_at_once (Ends *ends)
{
  guint before = ends->n_notifications;
  gboolean at_once;

  say (ends, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
  g_main_context_iteration (NULL, FALSE);
  at_once = ends->n_notifications > before;
  wait_until (ends->n_notifications > before);
  return at_once;
}

/* By chance one may come late, but not several. */
static gboolean
is_stream (Ends *ends)
{
  for (guint i = 0; i < 5; i++)
    if (is_told_at_once (ends))
      return FALSE;
  return TRUE;
}

/* Word after word is read together, until something is sent: then what comes is told at once again. A stream
 * that has dried up is none any more. */
static void
test_stream (void)
{
  guint rounds = 0;
  Ends ends;

  ends_set_up (&ends);
  g_assert_true (is_told_at_once (&ends));
  for (guint way = 0; way < 2; way++)
    {
      /* On a busy machine they do not come closely enough in every round. */
      while (!is_stream (&ends))
        g_assert_cmpuint (rounds++, <, 100000);
      if (way == 0)
        g_assert_true (goes_at_once (&ends) && is_told_at_once (&ends));
      else
        wait_until (is_told_at_once (&ends));
    }
  ends_clear (&ends);
}

static void
append_request (GString *lines, guint number, gsize length)
{
  g_autofree char *text = g_strnfill (length, 'x');

  g_string_append_printf (lines,
                          "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"known\","
                          "\"params\":{\"number\":%u,\"text\":\"%s\"}}\n",
                          number, number, text);
}

/* Long lines go through the thread, and short ones before, between and after them keep their order; so does
 * the end, behind a line that has none. */
static void
test_long_among_short (void)
{
  const gsize lengths[] = { 1, 1, 300000, 1, 40000, 20000, 1, 70000, 70000, 1 };
  g_autoptr (GString) lines = g_string_new (NULL);
  gsize written = 0;
  Ends ends;

  ends_set_up (&ends);
  g_unix_set_fd_nonblocking (ends.out[1], TRUE, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (lengths); i++)
    append_request (lines, i, lengths[i]);
  while (written < lines->len - 1)
    {
      ssize_t n = write (ends.out[1], lines->str + written, lines->len - 1 - written);

      written += (gsize) MAX (n, 0);
      g_main_context_iteration (NULL, FALSE);
    }
  close (g_steal_fd (&ends.out[1]));
  wait_until (ends.closed);
  g_assert_cmpuint (ends.requests->len, ==, G_N_ELEMENTS (lengths));
  for (guint i = 0; i < ends.requests->len; i++)
    {
      JsonObject *params = stint_acp_request_get_params (ends.requests->pdata[i]);

      g_assert_cmpint (stint_acp_get_int (params, "number", -1), ==, i);
      g_assert_cmpuint (strlen (stint_acp_get_string (params, "text")), ==, lengths[i]);
    }
  ends_clear (&ends);
}

/* Takes what has come. Returns: bytes */
static gsize
drain (int fd)
{
  char buffer[65536];
  ssize_t n = read (fd, buffer, sizeof buffer);

  return (gsize) MAX (n, 0);
}

/* The log goes to who is slow, or is not there: what has been read of the agent and not been written there is
 * never much, and all of it comes. */
static void
test_slow_log (void)
{
  const gsize wanted = 8 * 1024 * 1024, most = 3 * 1024 * 1024;
  g_autofree char *text = g_strnfill (20000, 'x');
  g_autofree char *line =
    g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"method\":\"note\",\"params\":[\"%s\"]}\n", text);
  g_autofree char *directory = g_dir_make_tmp ("stint-log-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (directory, STINT_ACP_LOG_FILE, NULL);
  const gsize length = strlen (line), n = wanted / length;
  Ends ends = { .requests = g_ptr_array_new_with_free_func (g_object_unref) };
  gsize written = 0, logged = 0;
  int log;

  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  g_assert_true (g_unix_open_pipe (ends.in, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (ends.out, FD_CLOEXEC, NULL));
  g_unix_set_fd_nonblocking (ends.out[1], TRUE, NULL);
  log = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  ends.connection = stint_acp_connection_new (ends.out[0], ends.in[1], directory);
  g_signal_connect (ends.connection, "notification", G_CALLBACK (handle_notification), &ends);
  while (ends.n_notifications < n || logged < written)
    {
      gsize at = written % length;
      ssize_t size = written < n * length ? write (ends.out[1], line + at, length - at) : -1;

      written += (gsize) MAX (size, 0);
      if (size < 0)
        logged += drain (log);
      g_assert_cmpuint (written, <, logged + most);
      g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpint (stint_acp_connection_get_log_error (ends.connection), ==, 0);
  g_clear_object (&ends.connection);
  close (log);
  close (ends.in[0]);
  close (ends.out[1]);

  /* Nobody is there at all. */
  g_assert_true (g_unix_open_pipe (ends.in, FD_CLOEXEC, NULL));
  g_assert_true (g_unix_open_pipe (ends.out, FD_CLOEXEC, NULL));
  ends.connection = stint_acp_connection_new (ends.out[0], ends.in[1], directory);
  g_assert_cmpint (stint_acp_connection_get_log_error (ends.connection), ==, ENXIO);
  ends_clear (&ends);
  unlink (path);
  rmdir (directory);
}

/* Of what it asks for and does not read only so much is made; all of it, once it reads. */
static void
test_long_answers (void)
{
  const guint n = 60;
  g_autofree char *text = g_strnfill (1024 * 1024, 'x');
  guint answered = 0, heard = 0;
  Ends ends;

  ends_set_up (&ends);
  g_signal_handlers_disconnect_by_data (ends.connection, &ends);
  g_signal_connect (ends.connection, "request", G_CALLBACK (handle_any_request), &ends);
  g_signal_connect (ends.connection, "notification", G_CALLBACK (handle_notification), &ends);
  for (guint i = 0; i < n; i++)
    {
      g_autofree char *line =
        g_strdup_printf ("{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"terminal/output\"}\n", i);

      say (&ends, line);
    }
  /* One that is taken back before it has its turn is answered so. */
  say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancel_request\",\"params\":{\"requestId\":59}}\n");
  say (&ends, "{\"jsonrpc\":\"2.0\",\"method\":\"note\"}\n");
  wait_until (ends.n_notifications == 1);
  while (answered < ends.requests->len)
    {
      JsonObject *object = json_object_new ();

      json_object_set_string_member (object, "output", text);
      stint_acp_request_return (ends.requests->pdata[answered++], stint_acp_node_new (object));
    }
  /* What is being written has left the queue, and there may have been room again. */
  g_assert_cmpuint (ends.requests->len, <, n / 2);

  g_unix_set_fd_nonblocking (ends.in[0], TRUE, NULL);
  while (heard < n)
    {
      char buffer[65536];
      ssize_t size = read (ends.in[0], buffer, sizeof buffer);

      for (ssize_t i = 0; i < size; i++)
        heard += buffer[i] == '\n';
      for (; answered < ends.requests->len; answered++)
        stint_acp_request_return (ends.requests->pdata[answered], NULL);
      if (size <= 0)
        g_main_context_iteration (NULL, FALSE);
    }
  g_assert_cmpuint (ends.requests->len, ==, n - 1);
  ends_clear (&ends);
}

static void
test_prompt (void)
{
  g_autoptr (StintAgentPrompt) prompt = stint_agent_prompt_new ("look at \xff this");
  g_autoptr (GBytes) image = g_bytes_new_static ("png", 3);
  g_autoptr (JsonArray) blocks = NULL, plain = NULL;

  stint_agent_prompt_attach_file (prompt, "/a b/c.txt");
  stint_agent_prompt_attach_image (prompt, image, "image/png");
  blocks = stint_agent_prompt_to_blocks (prompt, TRUE, TRUE);
  g_assert_cmpuint (json_array_get_length (blocks), ==, 3);
  g_assert_cmpstr (stint_acp_get_string (stint_acp_array_object (blocks, 0), "text"), ==,
                   "look at \ufffd this");
  g_assert_cmpstr (stint_acp_get_string (stint_acp_array_object (blocks, 1), "uri"), ==,
                   "file:///a%20b/c.txt");
  g_assert_cmpstr (stint_acp_get_string (stint_acp_array_object (blocks, 2), "data"), ==, "cG5n");
  /* An agent that takes no images gets none. */
  plain = stint_agent_prompt_to_blocks (prompt, FALSE, FALSE);
  g_assert_cmpuint (json_array_get_length (plain), ==, 2);
}

static void
test_profiles (void)
{
  g_autofree char *directory = g_dir_make_tmp ("stint-profiles-XXXXXX", NULL);
  g_autofree char *file = g_build_filename (directory, "agents.json", NULL);
  g_autofree char *damaged = g_strconcat (file, ".damaged", NULL);
  static const char *const environ[] = { "KEY=value", NULL };
  g_autoptr (StintAgentProfiles) profiles = stint_agent_profiles_new (file);
  g_autoptr (StintAgentProfile) own = stint_agent_profile_new ("mine", NULL, "sh -c 'echo \"a b\"'");
  g_autoptr (StintAgentProfile) known = stint_agent_profiles_lookup (profiles, "gemini");
  g_autoptr (StintAgentProfile) found = NULL, again = NULL, bare = NULL;
  g_auto (GStrv) argv = NULL;
  g_autoptr (GError) error = NULL;
  guint n_known = g_list_model_get_n_items (G_LIST_MODEL (profiles));

  g_assert_cmpuint (n_known, ==, 6);
  g_assert_true (stint_agent_profile_is_known (known));
  g_assert_nonnull (stint_agent_profile_get_install (known));
  g_assert_true (stint_agent_profile_is_installed (own));
  argv = stint_agent_profile_dup_argv (own, &error);
  g_assert_cmpstr (argv[2], ==, "echo \"a b\"");
  stint_agent_profile_set_command (known, "/no/such/gemini --acp");
  g_assert_false (stint_agent_profile_is_installed (known));
  stint_agent_profile_set_environ (own, environ);
  stint_agent_profile_set_terminals (own, FALSE);
  stint_agent_profiles_add (profiles, own);
  g_assert_true (stint_agent_profiles_save (profiles, &error));
  g_assert_no_error (error);

  g_clear_object (&profiles);
  profiles = stint_agent_profiles_new (file);
  g_assert_null (stint_agent_profiles_get_error (profiles));
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (profiles)), ==, n_known + 1);
  found = stint_agent_profiles_find (profiles, "mine");
  g_assert_cmpstr (stint_agent_profile_get_environ (found)[0], ==, "KEY=value");
  g_assert_false (stint_agent_profile_get_terminals (found));
  again = stint_agent_profiles_find (profiles, "gemini");
  g_assert_cmpstr (stint_agent_profile_get_command (again), ==, "/no/such/gemini --acp");
  stint_agent_profiles_remove (profiles, again);
  stint_agent_profiles_remove (profiles, found);
  g_assert_cmpuint (g_list_model_get_n_items (G_LIST_MODEL (profiles)), ==, n_known);
  bare = stint_agent_profiles_find (profiles, "/opt/agent --acp");
  g_assert_cmpstr (stint_agent_profile_get_command (bare), ==, "/opt/agent --acp");

  /* A file that is damaged is kept. */
  g_clear_object (&profiles);
  g_assert_true (g_file_set_contents (file, "{ no JSON", -1, NULL));
  profiles = stint_agent_profiles_new (file);
  g_assert_nonnull (stint_agent_profiles_get_error (profiles));
  g_assert_true (stint_agent_profiles_save (profiles, &error));
  g_assert_true (g_file_test (damaged, G_FILE_TEST_EXISTS));
  unlink (damaged);
  unlink (file);
  rmdir (directory);
}

static void
handle_tested (GObject *source, GAsyncResult *result, gpointer data)
{
  Ends *ends = data;
  g_autoptr (StintAgentAnswer) answer =
    stint_agent_profile_test_finish (STINT_AGENT_PROFILE (source), result, &ends->error);

  if (answer != NULL)
    {
      g_assert_cmpstr (answer->name, ==, "Fake agent");
      g_assert_cmpstr (answer->version, ==, "1.2");
      g_assert_true (answer->loads_sessions);
      g_assert_cmpuint (g_strv_length (answer->logins), ==, 0);
    }
  ends->returned = TRUE;
}

/* "Test" of an agent, of one that ends at once, and of one that is not there. */
static void
test_probe (void)
{
  g_autofree char *script = g_test_build_filename (G_TEST_DIST, "acp", "fake_agent.py", NULL);
  const char *const modes[] = { "loads", "dies", NULL };

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++)
    {
      const char *const argv[] = { modes[i] != NULL ? "/usr/bin/python3" : "/no/such/agent", "-B", script,
                                   modes[i], NULL };
      g_autoptr (StintAgentProfile) profile = stint_agent_profile_new_for_command (argv);
      g_autoptr (StintJobList) jobs = fixture_list ();
      Ends ends = { 0 };

      stint_agent_profile_test_async (profile, jobs, NULL, handle_tested, &ends);
      wait_until (ends.returned);
      g_assert_true ((ends.error == NULL) == (i == 0));
      fixture_wait_for_all (jobs);
      g_clear_error (&ends.error);
    }
}

int
main (int argc, char **argv)
{
  /* As in all that runs agents: one that ends while it is told something must not end us. */
  signal (SIGPIPE, SIG_IGN);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/acp/message/kinds", test_messages);
  g_test_add_func ("/acp/message/odd-text", test_odd_text);
  g_test_add_func ("/acp/message/halves", test_halves);
  g_test_add_func ("/acp/lines", test_lines);
  g_test_add_func ("/acp/lines/long", test_long_lines);
  g_test_add_func ("/acp/log", test_log);
  g_test_add_func ("/acp/connection", test_connection);
  g_test_add_func ("/acp/connection/deaf-reader", test_deaf_reader);
  g_test_add_func ("/acp/connection/little", test_little);
  g_test_add_func ("/acp/connection/last-read", test_last_read);
  g_test_add_func ("/acp/connection/stream", test_stream);
  g_test_add_func ("/acp/connection/long-among-short", test_long_among_short);
  g_test_add_func ("/acp/connection/slow-log", test_slow_log);
  g_test_add_func ("/acp/connection/turns", test_turns);
  g_test_add_func ("/acp/connection/long-answers", test_long_answers);
  g_test_add_func ("/acp/prompt", test_prompt);
  g_test_add_func ("/acp/profiles", test_profiles);
  g_test_add_func ("/acp/probe", test_probe);
  return g_test_run ();
}
