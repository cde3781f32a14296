/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * asciicast v2: a line of JSON for the header, and one for each event.
 * https://docs.asciinema.org/manual/asciicast/v2/
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-export-private.h"
#include "stint-utf8.h"

struct StintCast
{
  StintUtf8 utf8[2];         /* by stream: a character may be cut between two events */
  gboolean resynchronize[2]; /* something is missing before what comes next */
  gboolean after_cr;
  gint64 time; /* of the last event */
};

static void
append_json_character (StintSink *sink, gunichar character)
{
  char text[6];

  if (character == '"' || character == '\\')
    {
      text[0] = '\\';
      text[1] = (char) character;
      stint_sink_append (sink, text, 2);
    }
  else if (character == '\n')
    stint_sink_append (sink, "\\n", 2);
  else if (character == '\r')
    stint_sink_append (sink, "\\r", 2);
  /* 0x2028 and 0x2029 end a line for some readers of JSON. */
  else if (character < 0x20 || (character >= 0x7f && character < 0xa0) || character == 0x2028 ||
           character == 0x2029)
    stint_sink_printf (sink, "\\u%04x", character);
  else
    stint_sink_append (sink, text, (gsize) g_unichar_to_utf8 (character, text));
}

static void
append_json_text (StintSink *sink, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  stint_sink_append (sink, "\"", 1);
  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    append_json_character (sink, g_utf8_get_char (p));
  stint_sink_append (sink, "\"", 1);
}

/* Returns: how many bytes from @data on need nothing to be a part of a JSON string. */
static gsize
count_plain (const guint8 *data, gsize size)
{
  gsize i = 0;

  while (i < size && data[i] >= 0x20 && data[i] < 0x7f && data[i] != '"' && data[i] != '\\')
    i++;
  return i;
}

static void
append_character (StintExport *self, gunichar character)
{
  struct StintCast *cast = self->cast;

  /* A player is a terminal, which does not return the carriage by itself. */
  if (character == '\n' && !self->options->tty && !cast->after_cr)
    stint_sink_append (&self->sink, "\\r", 2);
  cast->after_cr = character == '\r';
  append_json_character (&self->sink, character);
}

static void
begin_event (StintExport *self, gint64 time, char type)
{
  stint_sink_printf (&self->sink, "[%" G_GINT64_FORMAT ".%06" G_GINT64_FORMAT ", \"%c\", \"",
                     time / G_USEC_PER_SEC, time % G_USEC_PER_SEC, type);
}

static void
end_event (StintExport *self)
{
  stint_sink_append (&self->sink, "\"]\n", 3);
}

/* An event begins with its first character: a piece may be no more than a part of one. */
static void
append_output (StintExport *self, const StintPiece *piece, gsize at, StintUtf8 *utf8)
{
  gboolean begun = FALSE;

  while (at < piece->size)
    {
      gsize plain = 0, used = 0;
      gunichar character = 0;

      if (!stint_utf8_has_begun (utf8))
        plain = count_plain (piece->data + at, piece->size - at);
      if (plain == 0 &&
          !stint_utf8_next (utf8, piece->data + at, piece->size - at, &used, &character))
        break;
      if (!begun)
        begin_event (self, piece->time, 'o');
      begun = TRUE;
      if (plain > 0)
        {
          stint_sink_append (&self->sink, (const char *) piece->data + at, plain);
          self->cast->after_cr = FALSE;
        }
      else
        {
          append_character (self, character);
        }
      at += plain + used;
    }
  if (begun)
    end_event (self);
}

static void
take_data (StintExport *self, const StintPiece *piece)
{
  guint stream = piece->stream == STINT_STREAM_STDERR;
  gsize at = 0;

  if (self->cast->resynchronize[stream])
    at = stint_utf8_count_rest (piece->data, piece->size);
  self->cast->resynchronize[stream] = FALSE;
  append_output (self, piece, at, &self->cast->utf8[stream]);
}

/* The rest of a character that will not come. */
static void
give_up_characters (StintExport *self, gint64 time)
{
  for (guint i = 0; i < G_N_ELEMENTS (self->cast->utf8); i++)
    if (stint_utf8_finish (&self->cast->utf8[i]))
      {
        begin_event (self, time, 'o');
        append_character (self, STINT_REPLACEMENT_CHARACTER);
        end_event (self);
      }
}

static void
take_missing (StintExport *self, const StintPiece *piece)
{
  g_autofree char *note = stint_export_dup_note (piece);

  give_up_characters (self, piece->time);
  self->cast->resynchronize[0] = self->cast->resynchronize[1] = TRUE;
  begin_event (self, piece->time, 'm');
  for (const char *p = note; *p != '\0'; p = g_utf8_next_char (p))
    append_json_character (&self->sink, g_utf8_get_char (p));
  end_event (self);
}

static void
take (StintExport *self, const StintPiece *piece)
{
  self->cast->time = piece->time;
  switch (piece->kind)
    {
    case STINT_PIECE_DATA:
      take_data (self, piece);
      break;
    case STINT_PIECE_RESIZE:
      begin_event (self, piece->time, 'r');
      stint_sink_printf (&self->sink, "%ux%u", piece->columns, piece->rows);
      end_event (self);
      break;
    case STINT_PIECE_REMOVED:
    case STINT_PIECE_LOST:
    default:
      take_missing (self, piece);
      break;
    }
}

static void
begin (StintExport *self)
{
  const StintExportOptions *options = self->options;

  self->cast = g_new0 (struct StintCast, 1);
  stint_sink_printf (&self->sink, "{\"version\": 2, \"width\": %u, \"height\": %u", self->columns,
                     self->rows);
  if (options->started_at > 0)
    stint_sink_printf (&self->sink, ", \"timestamp\": %" G_GINT64_FORMAT,
                       options->started_at / G_USEC_PER_SEC);
  if (options->title != NULL)
    {
      stint_sink_append_text (&self->sink, ", \"title\": ");
      append_json_text (&self->sink, options->title);
    }
  if (options->command != NULL)
    {
      stint_sink_append_text (&self->sink, ", \"command\": ");
      append_json_text (&self->sink, options->command);
    }
  stint_sink_append_text (&self->sink, ", \"env\": {\"TERM\": \"xterm-256color\"}}\n");
}

static void
end (StintExport *self)
{
  give_up_characters (self, self->cast->time);
}

const StintExportFormatClass stint_export_cast_class = {
  .nick = "asciicast",
  .suffix = ".cast",
  .begin = begin,
  .take = take,
  .end = end,
};
