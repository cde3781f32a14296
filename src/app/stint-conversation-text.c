/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A conversation in a text buffer: where each item's stretch begins, what of it has been written, and
 * what is written anew when it grows. What a stretch looks like is stint-text-writer.c's and
 * stint-text-tool.c's affair. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-conversation-text-private.h"

#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

/* Bytes of a text that one call takes, and that are shown of an item at all. */
#define MAX_TAKE (64 * 1024)
#define MAX_SHOWN (2 * 1024 * 1024)

struct _StintConversationText
{
  GObject parent_instance;

  GtkTextBuffer *buffer;
  StintConversationTags *tags;
  GPtrArray *entries; /* of StintTextEntry */
};

G_DEFINE_FINAL_TYPE (StintConversationText, stint_conversation_text, G_TYPE_OBJECT)

static void
link_clear (StintTextLink *link)
{
  g_free (link->target);
}

static void
entry_free (StintTextEntry *self)
{
  g_object_unref (self->item);
  g_object_unref (self->start);
  stint_markdown_free (self->markdown);
  g_array_unref (self->blocks);
  g_array_unref (self->links);
  g_free (self->last_text);
  g_free (self);
}

static StintTextEntry *
get_entry (StintConversationText *self, guint i)
{
  return self->entries->pdata[i];
}

/* Deletes an entry's stretch from @offset on, and stands there. */
static void
begin_writing (StintConversationText *self, guint i, guint offset, StintTextWriter *writer)
{
  StintTextEntry *entry = get_entry (self, i);
  GtkTextIter start, end;

  stint_conversation_text_get_bounds (self, i, &start, &end);
  *writer = (StintTextWriter){ .buffer = self->buffer,
                               .tags = self->tags,
                               .entry = entry,
                               .origin = (guint) gtk_text_iter_get_offset (&start) };
  gtk_text_buffer_get_iter_at_offset (self->buffer, &writer->at, (int) (writer->origin + offset));
  if (!gtk_text_iter_equal (&writer->at, &end))
    gtk_text_buffer_delete (self->buffer, &writer->at, &end);
  while (entry->links->len > 0 &&
         g_array_index (entry->links, StintTextLink, entry->links->len - 1).end > offset)
    g_array_set_size (entry->links, entry->links->len - 1);
}

/* Where the next one begins is where this one ends. */
static void
end_writing (StintConversationText *self, guint i, StintTextWriter *writer)
{
  if (i + 1 < self->entries->len)
    gtk_text_buffer_move_mark (self->buffer, get_entry (self, i + 1)->start, &writer->at);
}

/* If the last block has only grown at its end, writes just that. A long listing would be written
 * again and again otherwise. */
static gboolean
extend_last_block (StintConversationText *self, guint i, const StintMarkdownBlock *block)
{
  StintTextEntry *entry = get_entry (self, i);
  StintTextWriter writer;
  GtkTextIter start, end;
  gsize size;

  if (entry->last_text == NULL || block->spans->len > 0 || block->kind != entry->last_kind)
    return FALSE;
  size = strlen (entry->last_text);
  if (size == 0 || strncmp (block->text, entry->last_text, size) != 0)
    return FALSE;
  if (block->text[size] == '\0')
    return TRUE;
  stint_conversation_text_get_bounds (self, i, &start, &end);
  writer = (StintTextWriter){ .buffer = self->buffer,
                              .tags = self->tags,
                              .entry = entry,
                              .origin = (guint) gtk_text_iter_get_offset (&start),
                              .at = end };
  gtk_text_iter_backward_char (&writer.at);
  {
    GtkTextIter before = writer.at;
    guint from = stint_text_writer_get_offset (&writer);
    GSList *tags;

    gtk_text_iter_backward_char (&before);
    tags = gtk_text_iter_get_tags (&before);

    stint_text_writer_put (&writer, block->text + size, STINT_TAG_END);
    for (GSList *l = tags; l != NULL; l = l->next)
      if (l->data != self->tags->tags[STINT_TAG_BLOCK])
        stint_text_writer_apply (&writer, from, l->data);
    g_slist_free (tags);
  }
  gtk_text_iter_forward_char (&writer.at);
  end_writing (self, i, &writer);
  return TRUE;
}

static void
note_last_block (StintTextEntry *entry, const StintMarkdownBlock *block)
{
  g_clear_pointer (&entry->last_text, g_free);
  if (block->spans->len == 0)
    entry->last_text = g_strdup (block->text);
  entry->last_kind = block->kind;
}

/* Takes what the item's text has grown by, as far as one call goes. Returns: whether there is more. */
static gboolean
grow_markdown (StintConversationText *self, guint i, guint depth)
{
  StintTextEntry *entry = get_entry (self, i);
  const char *text = stint_conversation_item_get_text (entry->item);
  gsize left = strlen (text) - entry->taken;
  gsize size = MIN (left, MAX_TAKE);
  StintTextWriter writer;
  guint first, n_blocks;

  if (left == 0)
    return FALSE;
  if (entry->taken >= MAX_SHOWN)
    return FALSE;
  while (size < left && ((guchar) text[entry->taken + size] & 0xc0) == 0x80)
    size++;
  first = stint_markdown_append (entry->markdown, text + entry->taken, (gssize) size);
  entry->taken += size;
  n_blocks = stint_markdown_get_n_blocks (entry->markdown);
  if (n_blocks == 0)
    return size < left;
  if (first + 1 != entry->blocks->len || n_blocks != entry->blocks->len ||
      !extend_last_block (self, i, stint_markdown_get_block (entry->markdown, n_blocks - 1)))
    {
      GtkTextIter start, end;
      guint offset;

      stint_conversation_text_get_bounds (self, i, &start, &end);
      if (first < entry->blocks->len)
        offset = g_array_index (entry->blocks, guint, first);
      else if (entry->blocks->len > 0)
        offset = (guint) (gtk_text_iter_get_offset (&end) - gtk_text_iter_get_offset (&start));
      else
        offset = entry->body;
      begin_writing (self, i, offset, &writer);
      g_array_set_size (entry->blocks, MIN (first, entry->blocks->len));
      for (guint b = entry->blocks->len; b < n_blocks; b++)
        {
          guint block = stint_text_writer_get_offset (&writer) - writer.origin;

          g_array_append_val (entry->blocks, block);
          stint_text_writer_put_block (&writer, stint_markdown_get_block (entry->markdown, b),
                                       depth);
        }
      end_writing (self, i, &writer);
    }
  note_last_block (entry, stint_markdown_get_block (entry->markdown, n_blocks - 1));
  if (entry->taken >= MAX_SHOWN && size < left)
    {
      GtkTextIter start, end;

      stint_conversation_text_get_bounds (self, i, &start, &end);
      begin_writing (self, i,
                     (guint) (gtk_text_iter_get_offset (&end) - gtk_text_iter_get_offset (&start)),
                     &writer);
      stint_text_writer_put (&writer, _ ("The rest is not shown here; it is in what is saved."),
                             STINT_TAG_DIM, STINT_TAG_END);
      stint_text_writer_put (&writer, "\n", STINT_TAG_END);
      end_writing (self, i, &writer);
      return FALSE;
    }
  return size < left;
}

static void
put_thought_header (StintTextWriter *writer, gboolean folded)
{
  StintConversationItem *item = writer->entry->item;
  gint64 took =
      stint_conversation_item_get_end_time (item) - stint_conversation_item_get_time (item);
  g_autofree char *time = stint_duration_format_words (MAX (took, G_USEC_PER_SEC));
  g_autofree char *words = NULL;
  g_autofree char *line = NULL;

  /* Translators: what an agent thought, after this, and how long it took: "Thought for 12 s". */
  words = stint_conversation_item_is_open (item) ? g_strdup (_ ("Thinking"))
                                                 : g_strdup_printf (_ ("Thought for %s"), time);
  line = g_strdup_printf ("%s%s", folded ? "▸ " : "▾ ", words);
  {
    StintTextLink link = { .start = stint_text_writer_get_offset (writer) - writer->origin,
                           .kind = STINT_LINK_FOLD };

    stint_text_writer_put (writer, line, STINT_TAG_HEADER, STINT_TAG_DIM, STINT_TAG_END);
    link.end = stint_text_writer_get_offset (writer) - writer->origin;
    g_array_append_val (writer->entry->links, link);
  }
  stint_text_writer_put (writer, "\n", STINT_TAG_HEADER, STINT_TAG_END);
}

static void
put_prompt (StintTextWriter *writer)
{
  const char *text = stint_conversation_item_get_text (writer->entry->item);
  g_autofree char *shown = g_strndup (text, MIN (strlen (text), MAX_SHOWN));
  g_autofree char *valid = g_utf8_make_valid (shown, -1);

  g_strchomp (valid);
  stint_text_writer_put (writer, _ ("You"), STINT_TAG_SPEAKER, STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_SPEAKER, STINT_TAG_END);
  stint_text_writer_put (writer, valid, STINT_TAG_PROMPT, STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_PROMPT, STINT_TAG_END);
}

static void
put_notice (StintTextWriter *writer)
{
  StintConversationItem *item = writer->entry->item;
  const char *text = stint_conversation_item_get_text (item);
  StintTag tag;
  const char *word;

  switch (stint_conversation_item_get_severity (item))
    {
    case STINT_NOTICE_ERROR:
      word = _ ("✗ Error: ");
      tag = STINT_TAG_FAILED;
      break;
    case STINT_NOTICE_WARNING:
      word = _ ("⚠ Warning: ");
      tag = STINT_TAG_WARNING;
      break;
    case STINT_NOTICE_INFO:
    default:
      word = "ℹ ";
      tag = STINT_TAG_DIM;
      break;
    }
  stint_text_writer_put (writer, word, STINT_TAG_STRONG, STINT_TAG_HEADER, tag, STINT_TAG_END);
  stint_text_writer_put (writer, text, STINT_TAG_HEADER, tag, STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_HEADER, STINT_TAG_END);
}

static void
put_stop (StintTextWriter *writer)
{
  StintConversationItem *item = writer->entry->item;
  const char *reason = stint_conversation_item_get_stop_reason (item);
  gboolean fine = g_strcmp0 (reason, "end_turn") == 0 || g_strcmp0 (reason, "cancelled") == 0;
  g_autoptr (GDateTime) time =
      g_date_time_new_from_unix_local (stint_conversation_item_get_time (item) / G_USEC_PER_SEC);
  g_autofree char *clock = time != NULL ? g_date_time_format (time, "%H:%M") : g_strdup ("");
  g_autofree char *line = NULL;

  /* Translators: how a turn of an agent ended, and when. */
  line = g_strdup_printf (_ ("%s · %s"), stint_conversation_item_get_text (item), clock);
  stint_text_writer_put (writer, fine ? "■ " : "✗ ", STINT_TAG_STOP,
                         fine ? STINT_TAG_DIM : STINT_TAG_FAILED, STINT_TAG_END);
  stint_text_writer_put (writer, line, STINT_TAG_STOP, fine ? STINT_TAG_DIM : STINT_TAG_FAILED,
                         STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_STOP, STINT_TAG_END);
}

/* All of it but what grows. */
static void
write_all (StintConversationText *self, guint i)
{
  StintTextEntry *entry = get_entry (self, i);
  StintTextWriter writer;

  begin_writing (self, i, 0, &writer);
  g_array_set_size (entry->links, 0);
  switch (stint_conversation_item_get_kind (entry->item))
    {
    case STINT_CONVERSATION_PROMPT:
      put_prompt (&writer);
      break;
    case STINT_CONVERSATION_THOUGHT:
      put_thought_header (&writer, entry->folded);
      break;
    case STINT_CONVERSATION_PLAN:
      stint_text_writer_put_plan (&writer);
      break;
    case STINT_CONVERSATION_TOOL:
      stint_text_writer_put_tool (&writer, entry->folded);
      break;
    case STINT_CONVERSATION_NOTICE:
      put_notice (&writer);
      break;
    case STINT_CONVERSATION_STOP:
      put_stop (&writer);
      break;
    case STINT_CONVERSATION_ANSWER:
    default:
      /* A stretch is never empty. */
      stint_text_writer_put (&writer, "\n", STINT_TAG_END);
      break;
    }
  end_writing (self, i, &writer);
}

/* Forgets what was written of a text that grows. */
static void
restart_markdown (StintConversationText *self, guint i)
{
  StintTextEntry *entry = get_entry (self, i);
  GtkTextIter start, end;

  stint_conversation_text_get_bounds (self, i, &start, &end);
  g_clear_pointer (&entry->markdown, stint_markdown_free);
  entry->markdown = stint_markdown_new ();
  entry->taken = 0;
  g_clear_pointer (&entry->last_text, g_free);
  /* An answer takes the place of what stands for it until there is something to write. */
  entry->body = stint_conversation_item_get_kind (entry->item) == STINT_CONVERSATION_ANSWER
                    ? 0
                    : (guint) (gtk_text_iter_get_offset (&end) - gtk_text_iter_get_offset (&start));
  g_array_set_size (entry->blocks, 0);
}

static gboolean
write_anew (StintConversationText *self, guint i)
{
  StintTextEntry *entry = get_entry (self, i);
  StintConversationKind kind = stint_conversation_item_get_kind (entry->item);

  write_all (self, i);
  restart_markdown (self, i);
  if (kind == STINT_CONVERSATION_ANSWER)
    return grow_markdown (self, i, 0);
  if (kind == STINT_CONVERSATION_THOUGHT && !entry->folded)
    return grow_markdown (self, i, 1);
  return FALSE;
}

static void
stint_conversation_text_finalize (GObject *object)
{
  StintConversationText *self = STINT_CONVERSATION_TEXT (object);

  g_ptr_array_unref (self->entries);
  stint_conversation_tags_free (self->tags);
  g_object_unref (self->buffer);

  G_OBJECT_CLASS (stint_conversation_text_parent_class)->finalize (object);
}

static void
stint_conversation_text_class_init (StintConversationTextClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_conversation_text_finalize;
}

static void
stint_conversation_text_init (StintConversationText *self)
{
  self->buffer = gtk_text_buffer_new (NULL);
  gtk_text_buffer_set_enable_undo (self->buffer, FALSE);
  self->tags = stint_conversation_tags_new (gtk_text_buffer_get_tag_table (self->buffer));
  self->entries = g_ptr_array_new_with_free_func ((GDestroyNotify) entry_free);
}

StintConversationText *
stint_conversation_text_new (void)
{
  return g_object_new (STINT_TYPE_CONVERSATION_TEXT, NULL);
}

GtkTextBuffer *
stint_conversation_text_get_buffer (StintConversationText *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), NULL);

  return self->buffer;
}

void
stint_conversation_text_set_dark (StintConversationText *self, gboolean dark)
{
  g_return_if_fail (STINT_IS_CONVERSATION_TEXT (self));

  stint_conversation_tags_set_dark (self->tags, dark);
}

guint
stint_conversation_text_get_n_items (StintConversationText *self)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), 0);

  return self->entries->len;
}

StintConversationItem *
stint_conversation_text_get_item (StintConversationText *self, guint i)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), NULL);
  g_return_val_if_fail (i < self->entries->len, NULL);

  return get_entry (self, i)->item;
}

gboolean
stint_conversation_text_add (StintConversationText *self, StintConversationItem *item)
{
  StintTextEntry *entry;
  GtkTextIter end;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (STINT_IS_CONVERSATION_ITEM (item), FALSE);

  entry = g_new0 (StintTextEntry, 1);
  entry->item = g_object_ref (item);
  entry->blocks = g_array_new (FALSE, FALSE, sizeof (guint));
  entry->links = g_array_new (FALSE, FALSE, sizeof (StintTextLink));
  g_array_set_clear_func (entry->links, (GDestroyNotify) link_clear);
  gtk_text_buffer_get_end_iter (self->buffer, &end);
  entry->start = g_object_ref (gtk_text_buffer_create_mark (self->buffer, NULL, &end, TRUE));
  g_ptr_array_add (self->entries, entry);
  entry->folded = stint_conversation_item_get_kind (item) == STINT_CONVERSATION_THOUGHT ||
                  (stint_conversation_item_get_kind (item) == STINT_CONVERSATION_TOOL &&
                   stint_text_tool_begins_folded (item));
  return write_anew (self, self->entries->len - 1);
}

gboolean
stint_conversation_text_update (StintConversationText *self, guint i)
{
  StintTextEntry *entry;
  StintConversationKind kind;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (i < self->entries->len, FALSE);

  entry = get_entry (self, i);
  kind = stint_conversation_item_get_kind (entry->item);
  if (kind == STINT_CONVERSATION_ANSWER &&
      strlen (stint_conversation_item_get_text (entry->item)) >= entry->taken)
    return grow_markdown (self, i, 0);
  if (kind == STINT_CONVERSATION_THOUGHT && stint_conversation_item_is_open (entry->item))
    return !entry->folded && grow_markdown (self, i, 1);
  if (kind == STINT_CONVERSATION_TOOL && !entry->folded_by_user)
    entry->folded = stint_text_tool_begins_folded (entry->item);
  return write_anew (self, i);
}

void
stint_conversation_text_get_bounds (StintConversationText *self,
                                    guint i,
                                    GtkTextIter *start,
                                    GtkTextIter *end)
{
  g_return_if_fail (STINT_IS_CONVERSATION_TEXT (self));
  g_return_if_fail (i < self->entries->len);

  gtk_text_buffer_get_iter_at_mark (self->buffer, start, get_entry (self, i)->start);
  if (i + 1 < self->entries->len)
    gtk_text_buffer_get_iter_at_mark (self->buffer, end, get_entry (self, i + 1)->start);
  else
    gtk_text_buffer_get_end_iter (self->buffer, end);
}

guint
stint_conversation_text_find (StintConversationText *self, const GtkTextIter *iter)
{
  guint low = 0, high;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), 0);
  g_return_val_if_fail (self->entries->len > 0, 0);

  high = self->entries->len;
  while (high - low > 1)
    {
      guint middle = (low + high) / 2;
      GtkTextIter start;

      gtk_text_buffer_get_iter_at_mark (self->buffer, &start, get_entry (self, middle)->start);
      if (gtk_text_iter_compare (iter, &start) < 0)
        high = middle;
      else
        low = middle;
    }
  return low;
}

StintLinkKind
stint_conversation_text_get_link (StintConversationText *self,
                                  const GtkTextIter *iter,
                                  const char **target)
{
  StintTextEntry *entry;
  GtkTextIter start;
  guint offset;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), STINT_LINK_NONE);

  if (self->entries->len == 0)
    return STINT_LINK_NONE;
  entry = get_entry (self, stint_conversation_text_find (self, iter));
  gtk_text_buffer_get_iter_at_mark (self->buffer, &start, entry->start);
  offset = (guint) (gtk_text_iter_get_offset (iter) - gtk_text_iter_get_offset (&start));
  for (guint i = 0; i < entry->links->len; i++)
    {
      const StintTextLink *link = &g_array_index (entry->links, StintTextLink, i);

      if (offset < link->start || offset >= link->end)
        continue;
      if (target != NULL)
        *target = link->target;
      return link->kind;
    }
  return STINT_LINK_NONE;
}

gboolean
stint_conversation_text_is_foldable (StintConversationText *self, guint i)
{
  StintConversationItem *item;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (i < self->entries->len, FALSE);

  item = get_entry (self, i)->item;
  return stint_conversation_item_get_kind (item) == STINT_CONVERSATION_THOUGHT ||
         (stint_conversation_item_get_kind (item) == STINT_CONVERSATION_TOOL &&
          stint_text_tool_has_body (item));
}

gboolean
stint_conversation_text_is_folded (StintConversationText *self, guint i)
{
  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (i < self->entries->len, FALSE);

  return get_entry (self, i)->folded;
}

gboolean
stint_conversation_text_set_folded (StintConversationText *self, guint i, gboolean folded)
{
  StintTextEntry *entry;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (i < self->entries->len, FALSE);

  entry = get_entry (self, i);
  entry->folded_by_user = TRUE;
  if (!stint_conversation_text_is_foldable (self, i) || entry->folded == folded)
    return FALSE;
  entry->folded = folded;
  return write_anew (self, i);
}

static gboolean
holds (const char *text, const char *folded_needle)
{
  g_autofree char *folded_text = text != NULL ? g_utf8_casefold (text, -1) : NULL;

  return folded_text != NULL && strstr (folded_text, folded_needle) != NULL;
}

gboolean
stint_conversation_text_hides (StintConversationText *self, guint i, const char *text)
{
  StintTextEntry *entry;
  g_autofree char *needle = NULL;
  GPtrArray *contents;

  g_return_val_if_fail (STINT_IS_CONVERSATION_TEXT (self), FALSE);
  g_return_val_if_fail (i < self->entries->len, FALSE);
  g_return_val_if_fail (text != NULL, FALSE);

  entry = get_entry (self, i);
  if (!entry->folded || !stint_conversation_text_is_foldable (self, i))
    return FALSE;
  needle = g_utf8_casefold (text, -1);
  if (stint_conversation_item_get_kind (entry->item) == STINT_CONVERSATION_THOUGHT)
    return holds (stint_conversation_item_get_text (entry->item), needle);
  contents = stint_conversation_item_get_contents (entry->item);
  for (guint c = 0; c < contents->len; c++)
    if (holds (((StintToolContent *) contents->pdata[c])->text, needle))
      return TRUE;
  return holds (stint_conversation_item_get_input (entry->item), needle) ||
         holds (stint_conversation_item_get_output (entry->item), needle);
}
