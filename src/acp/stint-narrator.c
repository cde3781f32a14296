/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A conversation as a plain stream, which the keeper records as the transcript of an agent's job.
 * What the agent says is cleaned of control characters: it is text, not a program for the terminal.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-narrator.h"

#include <errno.h>
#include <glib-unix.h>
#include <glib/gi18n-lib.h>
#include <string.h>
#include <unistd.h>

/* What waits for its reader at most. */
#define MAX_PENDING (4 * 1024 * 1024)

/* What waits for more: an agent's words come one by one, and each write wakes the keeper. */
#define ENOUGH (16 * 1024)

/* That of the messages themselves: what came in one turn of the main loop is written together. */
#define PRIORITY (G_PRIORITY_HIGH_IDLE + 25)

#define BOLD "\033[1m"
#define DIM "\033[2m"
#define PLAIN "\033[0m"

struct _StintNarrator
{
  GObject parent_instance;

  StintConversation *conversation;
  int fd; /* -1: closed */
  GString *pending;
  gsize left_out;
  guint source; /* until it can be written */
  guint turn;   /* until this turn of the main loop is over */
  gboolean in_line; /* the last byte was no newline */
};

G_DEFINE_FINAL_TYPE (StintNarrator, stint_narrator, G_TYPE_OBJECT)

static gboolean handle_writable (int fd, GIOCondition condition, gpointer data);

static void
close_fd (StintNarrator *self)
{
  g_clear_handle_id (&self->source, g_source_remove);
  g_clear_handle_id (&self->turn, g_source_remove);
  if (self->fd >= 0)
    close (g_steal_fd (&self->fd));
  g_string_truncate (self->pending, 0);
}

static void
flush (StintNarrator *self)
{
  gsize done = 0;

  while (self->fd >= 0 && done < self->pending->len)
    {
      ssize_t n = write (self->fd, self->pending->str + done, self->pending->len - done);

      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0 && errno == EAGAIN)
        break;
      if (n < 0)
        {
          close_fd (self);
          return;
        }
      done += (gsize) n;
    }
  g_string_erase (self->pending, 0, (gssize) done);
  if (self->pending->len > 0 && self->source == 0)
    self->source = g_unix_fd_add (self->fd, G_IO_OUT, handle_writable, self);
}

static gboolean
handle_writable (int fd, GIOCondition condition, gpointer data)
{
  StintNarrator *self = data;

  self->source = 0;
  flush (self);
  return G_SOURCE_REMOVE;
}

static gboolean
handle_turn (gpointer data)
{
  StintNarrator *self = data;

  self->turn = 0;
  if (self->source == 0)
    flush (self);
  return G_SOURCE_REMOVE;
}

/* Writes what is pending, now or with what comes in this turn of the main loop. */
static void
flush_soon (StintNarrator *self)
{
  if (self->source != 0 || self->pending->len == 0)
    return;
  if (self->pending->len >= ENOUGH)
    flush (self);
  else if (self->turn == 0)
    self->turn = g_idle_add_full (PRIORITY, handle_turn, self, NULL);
}

static void
put (StintNarrator *self, const char *text, gsize length)
{
  if (self->fd < 0 || length == 0)
    return;
  if (self->pending->len + length > MAX_PENDING)
    {
      self->left_out += length;
      return;
    }
  if (self->left_out > 0)
    {
      g_autofree char *size = g_format_size (self->left_out);

      /* Translators: %s is an amount, such as "3 MB" */
      g_string_append_printf (self->pending, _ ("\n[%s left out]\n"), size);
      self->left_out = 0;
    }
  g_string_append_len (self->pending, text, (gssize) length);
  self->in_line = text[length - 1] != '\n';
}

/* Text of the agent's, without control characters but line feeds and tabs. */
static void
say (StintNarrator *self, const char *text)
{
  while (*text != '\0')
    {
      const char *end = text;

      while ((guchar) *end >= 0x20 || *end == '\n' || *end == '\t')
        {
          /* The other control characters, U+0080 to U+009F, are two bytes each. */
          if (*end == 0x7f || ((guchar) *end == 0xc2 && (guchar) end[1] < 0xa0))
            break;
          end++;
        }
      put (self, text, (gsize) (end - text));
      text = end;
      if ((guchar) *text == 0xc2 && text[1] != '\0')
        text += 2;
      else if (*text != '\0')
        text++;
    }
}

static void
new_line (StintNarrator *self)
{
  if (self->in_line)
    put (self, "\n", 1);
}

static void
style (StintNarrator *self, const char *sequence)
{
  gboolean in_line = self->in_line;

  put (self, sequence, strlen (sequence));
  self->in_line = in_line;
}

static void
say_line (StintNarrator *self, const char *sequence, const char *mark, const char *text)
{
  new_line (self);
  style (self, sequence);
  put (self, mark, strlen (mark));
  say (self, text);
  style (self, PLAIN);
  new_line (self);
}

static void
say_plan (StintNarrator *self, StintConversationItem *item)
{
  GPtrArray *entries = stint_conversation_item_get_entries (item);

  for (guint i = 0; i < entries->len; i++)
    {
      const StintPlanEntry *entry = entries->pdata[i];

      say_line (self, DIM, entry->status == STINT_TOOL_COMPLETED ? "  [x] " : "  [ ] ",
                entry->text);
    }
}

static void
say_item (StintNarrator *self, StintConversationItem *item)
{
  const char *text = stint_conversation_item_get_text (item);

  switch (stint_conversation_item_get_kind (item))
    {
    case STINT_CONVERSATION_PROMPT:
      say_line (self, BOLD, "> ", text);
      break;
    case STINT_CONVERSATION_TOOL:
      say_line (self, DIM, "• ", text);
      break;
    case STINT_CONVERSATION_NOTICE:
      say_line (self, BOLD, "! ", text);
      break;
    case STINT_CONVERSATION_STOP:
      say_line (self, DIM, "— ", text);
      break;
    case STINT_CONVERSATION_ANSWER:
    case STINT_CONVERSATION_THOUGHT:
      new_line (self);
      break;
    case STINT_CONVERSATION_PLAN:
    default:
      break;
    }
}

static void
handle_items (StintConversation *conversation,
              guint position,
              guint removed,
              guint added,
              StintNarrator *self)
{
  for (guint i = 0; i < added; i++)
    {
      g_autoptr (StintConversationItem) item =
          g_list_model_get_item (G_LIST_MODEL (conversation), position + i);

      say_item (self, item);
    }
  flush_soon (self);
}

static void
handle_appended (StintConversation *conversation,
                 StintConversationItem *item,
                 const char *text,
                 StintNarrator *self)
{
  gboolean thought = stint_conversation_item_get_kind (item) == STINT_CONVERSATION_THOUGHT;

  if (thought)
    style (self, DIM);
  say (self, text);
  if (thought)
    style (self, PLAIN);
  flush_soon (self);
}

static void
handle_changed (StintConversation *conversation, StintConversationItem *item, StintNarrator *self)
{
  StintConversationKind kind = stint_conversation_item_get_kind (item);

  if (kind == STINT_CONVERSATION_PLAN)
    say_plan (self, item);
  else if (kind == STINT_CONVERSATION_TOOL && !stint_conversation_item_is_open (item))
    {
      g_autofree char *line =
          /* Translators: a step of an agent's, and how it ended: "Read a.c: done" */
          g_strdup_printf (_ ("%s: %s"), stint_conversation_item_get_text (item),
                           stint_tool_status_to_words (stint_conversation_item_get_status (item)));

      say_line (self, DIM, "  ", line);
    }
  flush_soon (self);
}

static void
handle_display (StintConversation *conversation,
                StintConversationItem *item,
                const char *text,
                StintNarrator *self)
{
  say (self, text);
  flush_soon (self);
}

void
stint_narrator_close (StintNarrator *self)
{
  g_return_if_fail (STINT_IS_NARRATOR (self));

  new_line (self);
  flush (self);
  close_fd (self);
}

static void
stint_narrator_dispose (GObject *object)
{
  StintNarrator *self = STINT_NARRATOR (object);

  if (self->fd >= 0)
    stint_narrator_close (self);
  g_clear_object (&self->conversation);
  G_OBJECT_CLASS (stint_narrator_parent_class)->dispose (object);
}

static void
stint_narrator_finalize (GObject *object)
{
  g_string_free (STINT_NARRATOR (object)->pending, TRUE);
  G_OBJECT_CLASS (stint_narrator_parent_class)->finalize (object);
}

static void
stint_narrator_class_init (StintNarratorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_narrator_dispose;
  object_class->finalize = stint_narrator_finalize;
}

static void
stint_narrator_init (StintNarrator *self)
{
  self->fd = -1;
  self->pending = g_string_new (NULL);
}

StintNarrator *
stint_narrator_new (StintConversation *conversation, int fd)
{
  StintNarrator *self = g_object_new (STINT_TYPE_NARRATOR, NULL);

  self->conversation = g_object_ref (conversation);
  self->fd = fd;
  g_unix_set_fd_nonblocking (fd, TRUE, NULL);
  g_signal_connect_object (conversation, "items-changed", G_CALLBACK (handle_items), self, 0);
  g_signal_connect_object (conversation, "item-appended", G_CALLBACK (handle_appended), self, 0);
  g_signal_connect_object (conversation, "item-changed", G_CALLBACK (handle_changed), self, 0);
  g_signal_connect_object (conversation, "display-output", G_CALLBACK (handle_display), self, 0);
  return self;
}
