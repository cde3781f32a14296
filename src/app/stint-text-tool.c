/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What a tool call and a plan look like in a conversation. What a sign or a colour says a word says
 * too. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-conversation-text-private.h"
#include "stint-line-diff.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

#define DIFF_CONTEXT 3
#define MAX_DIFF_LINES 400
#define MAX_OUTPUT_LINES 40
#define MAX_TEXT (16 * 1024) /* bytes of a text that a tool shows */

static const char *
get_sign (StintToolStatus status)
{
  switch (status)
    {
    case STINT_TOOL_PENDING:
      return "○";
    case STINT_TOOL_IN_PROGRESS:
      return "◐";
    case STINT_TOOL_COMPLETED:
      return "✓";
    case STINT_TOOL_FAILED:
      return "✗";
    case STINT_TOOL_CANCELLED:
    default:
      return "⊘";
    }
}

static StintTag
get_status_tag (StintToolStatus status)
{
  return status == STINT_TOOL_COMPLETED ? STINT_TAG_DONE
         : status == STINT_TOOL_FAILED  ? STINT_TAG_FAILED
                                        : STINT_TAG_DIM;
}

gboolean
stint_text_tool_has_body (StintConversationItem *item)
{
  return stint_conversation_item_get_contents (item)->len > 0 ||
         stint_conversation_item_get_locations (item)->len > 0 ||
         stint_conversation_item_get_input (item) != NULL ||
         stint_conversation_item_get_output (item) != NULL;
}

/* What changed is shown, what was read or said is not. */
gboolean
stint_text_tool_begins_folded (StintConversationItem *item)
{
  GPtrArray *contents = stint_conversation_item_get_contents (item);

  for (guint i = 0; i < contents->len; i++)
    if (((StintToolContent *) contents->pdata[i])->kind == STINT_TOOL_CONTENT_DIFF)
      return FALSE;
  return stint_conversation_item_get_status (item) != STINT_TOOL_FAILED;
}

static void
put_note (StintTextWriter *writer, const char *text)
{
  stint_text_writer_put (writer, text, STINT_TAG_BODY, STINT_TAG_DIM, STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_BODY, STINT_TAG_END);
}

static void
put_header (StintTextWriter *writer, gboolean foldable, gboolean folded)
{
  StintConversationItem *item = writer->entry->item;
  StintToolStatus status = stint_conversation_item_get_status (item);
  gint64 took =
      stint_conversation_item_get_end_time (item) - stint_conversation_item_get_time (item);
  const char *title = stint_conversation_item_get_text (item);
  g_autofree char *line = NULL;
  g_autofree char *short_title = g_strndup (title, strcspn (title, "\n"));
  g_autofree char *state = NULL;

  if (status != STINT_TOOL_PENDING && status != STINT_TOOL_IN_PROGRESS && took >= G_USEC_PER_SEC)
    {
      g_autofree char *time = stint_duration_format_words (took);

      /* Translators: how a tool call ended, and how long it took: "done, 3 s". */
      state = g_strdup_printf (_ ("%s, %s"), stint_tool_status_to_words (status), time);
    }
  else
    state = g_strdup (stint_tool_status_to_words (status));
  line = g_strdup_printf ("%s%s ", foldable ? (folded ? "▸ " : "▾ ") : "", get_sign (status));

  {
    guint from = stint_text_writer_get_offset (writer);

    stint_text_writer_put (writer, line, get_status_tag (status), STINT_TAG_HEADER, STINT_TAG_END);
    stint_text_writer_put (writer, short_title, STINT_TAG_HEADER, STINT_TAG_END);
    stint_text_writer_put (writer, " — ", STINT_TAG_DIM, STINT_TAG_HEADER, STINT_TAG_END);
    stint_text_writer_put (writer, state, get_status_tag (status), STINT_TAG_HEADER, STINT_TAG_END);
    if (foldable)
      {
        StintTextLink link = { .start = from - writer->origin,
                               .end = stint_text_writer_get_offset (writer) - writer->origin,
                               .kind = STINT_LINK_FOLD };

        g_array_append_val (writer->entry->links, link);
      }
    stint_text_writer_put (writer, "\n", STINT_TAG_HEADER, STINT_TAG_END);
  }
}

static void
put_clamped (StintTextWriter *writer, const char *text, StintTag tag)
{
  g_autofree char *shown = NULL;
  const char *end;

  if (strlen (text) <= MAX_TEXT)
    shown = g_strdup (text);
  else
    {
      g_utf8_validate_len (text, MAX_TEXT, &end);
      shown = g_strndup (text, (gsize) (end - text));
    }
  g_strchomp (shown);
  stint_text_writer_put (writer, shown, STINT_TAG_BODY, tag, STINT_TAG_END);
  stint_text_writer_put (writer, "\n", STINT_TAG_BODY, STINT_TAG_END);
  if (strlen (text) > MAX_TEXT)
    put_note (writer, _ ("The rest is not shown here; it is in what is saved."));
}

/* The last lines of an output. */
static void
put_tail (StintTextWriter *writer, const char *text)
{
  const char *from = text + strlen (text);
  guint n = 0;

  while (from > text && n <= MAX_OUTPUT_LINES && text + strlen (text) - from < MAX_TEXT)
    n += *--from == '\n';
  if (from > text)
    {
      from = strchr (from, '\n') != NULL ? strchr (from, '\n') + 1 : from;
      put_note (writer, _ ("The end of its output:"));
    }
  while (((guchar) *from & 0xc0) == 0x80)
    from++;
  put_clamped (writer, from, STINT_TAG_MONO);
}

static void
put_diff_line (StintTextWriter *writer, const StintDiffLine *line)
{
  static const char *const signs[] = { "  ", "+ ", "− ", "⋯" };
  g_autofree char *text = g_strndup (line->text, line->size);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *whole = g_strconcat (signs[line->change], valid, "\n", NULL);

  stint_text_writer_put (writer, whole, STINT_TAG_BODY,
                         line->change == STINT_LINE_ADDED     ? STINT_TAG_ADDED
                         : line->change == STINT_LINE_REMOVED ? STINT_TAG_REMOVED
                                                              : STINT_TAG_MONO,
                         STINT_TAG_END);
}

static void
put_diff (StintTextWriter *writer, const StintToolContent *content)
{
  guint n_added, n_removed;
  g_autoptr (GArray) lines = NULL;
  g_autofree char *counts = NULL;

  if (content->text == NULL)
    return;
  lines = stint_line_diff (content->old_text, content->text, DIFF_CONTEXT, &n_added, &n_removed);
  /* Translators: how many lines of a file were added and removed, after its name. */
  counts = g_strdup_printf (_ (" (+%u −%u)"), n_added, n_removed);
  stint_text_writer_put (writer, "", STINT_TAG_BODY, STINT_TAG_END);
  {
    guint from = stint_text_writer_get_offset (writer);

    stint_text_writer_put_link (writer, content->path != NULL ? content->path : "?",
                                STINT_LINK_FILE, content->path, STINT_TAG_LINK);
    stint_text_writer_put (writer, counts, STINT_TAG_DIM, STINT_TAG_END);
    if (content->old_text == NULL)
      stint_text_writer_put (writer, _ (" new file"), STINT_TAG_DIM, STINT_TAG_END);
    stint_text_writer_put (writer, "\n", STINT_TAG_END);
    stint_text_writer_apply (writer, from, writer->tags->tags[STINT_TAG_BODY]);
  }
  for (guint i = 0; i < lines->len && i < MAX_DIFF_LINES; i++)
    put_diff_line (writer, &g_array_index (lines, StintDiffLine, i));
  if (lines->len > MAX_DIFF_LINES)
    {
      g_autofree char *rest = NULL;

      rest =
          g_strdup_printf (ngettext ("%u more line is not shown here; it is in what is saved.",
                                     "%u more lines are not shown here; they are in what is saved.",
                                     lines->len - MAX_DIFF_LINES),
                           lines->len - MAX_DIFF_LINES);
      put_note (writer, rest);
    }
}

/* The line that leads to a terminal's own page: never folded. */
static void
put_terminal_link (StintTextWriter *writer, const StintToolContent *content)
{
  g_autofree char *target = NULL;
  g_autofree char *text = NULL;
  guint from = stint_text_writer_get_offset (writer);

  if (content->job_id == 0)
    return;
  target = g_strdup_printf ("%" PRIu64, content->job_id);
  /* Translators: leads to the page of a terminal that an agent has opened; the number is its job's. */
  text = g_strdup_printf (_ ("Open Its Terminal (Job %" PRIu64 ")"), content->job_id);
  stint_text_writer_put_link (writer, text, STINT_LINK_JOB, target, STINT_TAG_LINK);
  stint_text_writer_put (writer, "\n", STINT_TAG_END);
  stint_text_writer_apply (writer, from, writer->tags->tags[STINT_TAG_BODY]);
}

static void
put_terminal (StintTextWriter *writer, const StintToolContent *content)
{
  g_autofree char *end = NULL;

  if (content->text != NULL && content->text[0] != '\0')
    put_tail (writer, content->text);
  if (!content->has_ended)
    return;
  if (content->exit_signal != NULL)
    end = g_strdup_printf (_ ("Ended by %s"), content->exit_signal);
  else if (content->has_code)
    end = g_strdup_printf (_ ("Exited with code %d"), content->exit_code);
  else
    end = g_strdup (_ ("Ended"));
  put_note (writer, end);
}

static void
put_content (StintTextWriter *writer, const StintToolContent *content)
{
  switch (content->kind)
    {
    case STINT_TOOL_CONTENT_TEXT:
      if (content->text != NULL && strlen (content->text) <= MAX_TEXT)
        stint_text_writer_put_markdown (writer, content->text, 1);
      else if (content->text != NULL)
        put_clamped (writer, content->text, STINT_TAG_MONO);
      break;
    case STINT_TOOL_CONTENT_DIFF:
      put_diff (writer, content);
      break;
    case STINT_TOOL_CONTENT_TERMINAL:
      put_terminal (writer, content);
      break;
    case STINT_TOOL_CONTENT_MEDIA:
    default:
      if (content->text != NULL)
        put_note (writer, content->text);
      break;
    }
}

static void
put_body (StintTextWriter *writer)
{
  StintConversationItem *item = writer->entry->item;
  GPtrArray *contents = stint_conversation_item_get_contents (item);
  GPtrArray *locations = stint_conversation_item_get_locations (item);
  const char *input = stint_conversation_item_get_input (item);
  const char *output = stint_conversation_item_get_output (item);

  for (guint i = 0; i < locations->len && i < 20; i++)
    {
      guint from = stint_text_writer_get_offset (writer);

      stint_text_writer_put_link (writer, locations->pdata[i], STINT_LINK_FILE, locations->pdata[i],
                                  STINT_TAG_LINK);
      stint_text_writer_put (writer, "\n", STINT_TAG_END);
      stint_text_writer_apply (writer, from, writer->tags->tags[STINT_TAG_BODY]);
    }
  for (guint i = 0; i < contents->len; i++)
    put_content (writer, contents->pdata[i]);
  if (input != NULL)
    {
      put_note (writer, _ ("What went in:"));
      put_clamped (writer, input, STINT_TAG_MONO);
    }
  if (output != NULL && contents->len == 0)
    {
      put_note (writer, _ ("What came out:"));
      put_clamped (writer, output, STINT_TAG_MONO);
    }
}

void
stint_text_writer_put_tool (StintTextWriter *self, gboolean folded)
{
  StintConversationItem *item = self->entry->item;
  GPtrArray *contents = stint_conversation_item_get_contents (item);
  const char *decision = stint_conversation_item_get_decision (item);

  put_header (self, stint_text_tool_has_body (item), folded);
  if (decision != NULL)
    {
      /* Translators: %s is what the user, or a rule, answered when the agent asked for permission. */
      g_autofree char *line = g_strdup_printf (_ ("Answered: %s"), decision);

      put_note (self, line);
    }
  for (guint i = 0; i < contents->len; i++)
    {
      const StintToolContent *content = contents->pdata[i];

      if (content->kind == STINT_TOOL_CONTENT_TERMINAL)
        put_terminal_link (self, content);
    }
  if (!folded)
    put_body (self);
}

void
stint_text_writer_put_plan (StintTextWriter *self)
{
  GPtrArray *entries = stint_conversation_item_get_entries (self->entry->item);

  stint_text_writer_put (self, _ ("Plan"), STINT_TAG_STRONG, STINT_TAG_HEADER, STINT_TAG_END);
  stint_text_writer_put (self, "\n", STINT_TAG_HEADER, STINT_TAG_END);
  for (guint i = 0; i < entries->len; i++)
    {
      const StintPlanEntry *entry = entries->pdata[i];
      gboolean done = entry->status == STINT_TOOL_COMPLETED;
      guint from = stint_text_writer_get_offset (self);

      stint_text_writer_put (self,
                             done                                      ? "☑ "
                             : entry->status == STINT_TOOL_IN_PROGRESS ? "▶ "
                                                                       : "☐ ",
                             get_status_tag (entry->status), STINT_TAG_END);
      stint_text_writer_put (self, entry->text != NULL ? entry->text : "",
                             done ? STINT_TAG_DIM : STINT_TAG_BODY, STINT_TAG_END);
      if (entry->status == STINT_TOOL_IN_PROGRESS)
        {
          stint_text_writer_put (self, " — ", STINT_TAG_DIM, STINT_TAG_END);
          stint_text_writer_put (self, stint_tool_status_to_words (entry->status), STINT_TAG_DIM,
                                 STINT_TAG_END);
        }
      stint_text_writer_put (self, "\n", STINT_TAG_END);
      stint_text_writer_apply (self, from, self->tags->tags[STINT_TAG_BODY]);
    }
}
