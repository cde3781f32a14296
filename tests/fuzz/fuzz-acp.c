/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an agent writes: any lines, decoded and told as a conversation. And what a terminal of its has
 * shown, as text.
 *
 * The first byte of a line says who wrote it.
 */
#include "fuzz.h"

#include "stint-conversation.h"
#include "stint-terminal-output.h"

#include <stdlib.h>
#include <string.h>

#define MAX_LINES 64

static void
check_text (const uint8_t *data, size_t size)
{
  for (uint64_t limit = 0; limit < 16; limit += 5)
    {
      gboolean truncated;
      g_autofree char *text = stint_terminal_output_to_text (data, size, limit, (size & 1) != 0, &truncated);

      if (strlen (text) > limit || !g_utf8_validate (text, -1, NULL))
        abort ();
    }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autoptr (StintConversation) conversation = stint_conversation_new ();
  g_autofree char *markdown = NULL;

  check_text (data, size);
  for (int n = 0; n < MAX_LINES && size > 0; n++)
    {
      const uint8_t *newline = memchr (data, '\n', size);
      size_t length = newline != NULL ? (size_t) (newline - data) : size;
      g_autoptr (StintAcpMessage) message = NULL;
      g_autoptr (GError) error = NULL;
      gboolean invalid;

      if (length > 0)
        {
          message = stint_acp_message_decode ((const char *) data + 1, length - 1, &invalid, &error);
          if ((message == NULL) != (error != NULL))
            abort ();
          if (message != NULL)
            stint_conversation_feed (conversation, data[0] % 4, 1, message->node);
          else
            {
              g_autoptr (JsonNode) node = stint_acp_parse_json ((const char *) data + 1, length - 1, NULL, NULL);

              stint_conversation_feed (conversation, data[0] % 4, 1, node);
            }
        }
      data += newline != NULL ? length + 1 : length;
      size -= newline != NULL ? length + 1 : length;
    }
  markdown = stint_conversation_to_markdown (conversation);
  if (!g_utf8_validate (markdown, -1, NULL))
    abort ();
  return 0;
}
