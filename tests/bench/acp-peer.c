/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An agent that costs as little as one can, so that what is measured is the client. It knows no JSON:
 * it finds what it needs in the lines of well-behaved clients. What a prompt says:
 *
 *   updates N      N pieces of an answer, as fast as they are read
 *   requests N     N permissions, each asked when the last was answered
 */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SESSION "\"sessionId\":\"bench\""

static char out[64 * 1024];
static size_t n_out;

static void
flush_out (void)
{
  for (size_t done = 0; done < n_out;)
    {
      ssize_t n = write (1, out + done, n_out - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n <= 0)
        exit (1);
      done += (size_t) n;
    }
  n_out = 0;
}

static void __attribute__ ((format (printf, 1, 2)))
put (const char *format, ...)
{
  va_list args;
  int n;

  if (sizeof out - n_out < 1024)
    flush_out ();
  va_start (args, format);
  n = vsnprintf (out + n_out, sizeof out - n_out, format, args);
  va_end (args);
  n_out += (size_t) n;
  out[n_out++] = '\n';
}

/* The id as the client wrote it: a number or a string. */
static void
copy_id (const char *line, char id[64])
{
  const char *at = strstr (line, "\"id\":");
  size_t n = 0;

  if (at != NULL)
    {
      at += strlen ("\"id\":");
      n = *at == '"' ? strcspn (at + 1, "\"") + 2 : strcspn (at, ",}");
    }
  if (n >= 64)
    n = 0;
  memcpy (id, at, n);
  id[n] = '\0';
}

static void
answer (const char *id, const char *result)
{
  put ("{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":%s}", id, result);
}

/* Words such as a model says them, with a line's end now and then. */
static void
say_updates (long n)
{
  static const char *const words[] = { " the", " function", " returns", " a", " list", " of",
                                       " jobs", ".\\n" };

  for (long i = 0; i < n; i++)
    put ("{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{" SESSION
         ",\"update\":{\"sessionUpdate\":\"agent_message_chunk\",\"content\":{\"type\":\"text\","
         "\"text\":\"%s\"}}}}",
         words[i % 8]);
}

static void
ask (long i)
{
  put ("{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"session/request_permission\",\"params\":{" SESSION
       ",\"toolCall\":{\"toolCallId\":\"call\",\"title\":\"Edit the file\",\"kind\":\"edit\","
       "\"status\":\"pending\"},\"options\":[{\"optionId\":\"yes\",\"name\":\"Allow\",\"kind\":"
       "\"allow_once\"},{\"optionId\":\"no\",\"name\":\"Reject\",\"kind\":\"reject_once\"}]}}",
       i);
}

int
main (void)
{
  char *line = NULL, id[64], prompt[64] = "";
  long asked = 0, wanted = 0;
  size_t size = 0;

  while (getline (&line, &size, stdin) > 0)
    {
      const char *at;

      copy_id (line, id);
      if (strstr (line, "\"method\":\"initialize\"") != NULL)
        answer (id, "{\"protocolVersion\":1,\"agentCapabilities\":{}}");
      else if (strstr (line, "\"method\":\"session/new\"") != NULL)
        answer (id, "{" SESSION ",\"modes\":{\"currentModeId\":\"a\",\"availableModes\":["
                    "{\"id\":\"a\",\"name\":\"A\"}]}}");
      else if (strstr (line, "\"method\":\"session/prompt\"") == NULL)
        {
          if (strstr (line, "\"method\":") == NULL && asked < wanted)
            ask (++asked);
          else if (strstr (line, "\"method\":") == NULL && wanted > 0)
            {
              wanted = asked = 0;
              answer (prompt, "{\"stopReason\":\"end_turn\"}");
            }
          else if (*id != '\0')
            answer (id, "{}");
        }
      else if ((at = strstr (line, "requests ")) != NULL)
        {
          wanted = strtol (at + strlen ("requests "), NULL, 10);
          memcpy (prompt, id, sizeof prompt);
          ask (++asked);
        }
      else
        {
          if ((at = strstr (line, "updates ")) != NULL)
            say_updates (strtol (at + strlen ("updates "), NULL, 10));
          answer (id, "{\"stopReason\":\"end_turn\"}");
        }
      flush_out ();
    }
  return 0;
}
