/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Plain text: lines as they stood on the terminal.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-export-private.h"

static void
write_line (const StintLine *line, gpointer user_data)
{
  StintExport *self = user_data;
  gsize size = line->size;

  if (self->options->timestamps && !self->continues)
    stint_sink_printf (&self->sink, "%s ", stint_timestamp_format (&self->timestamp, line->time));
  /* Spaces that a background colour makes visible are not, here. */
  while (self->options->tty && !line->wrapped && size > 0 && line->text[size - 1] == ' ')
    size--;
  stint_sink_append (&self->sink, line->text, size);
  if (!line->wrapped)
    stint_sink_append (&self->sink, "\n", 1);
  self->continues = line->wrapped;
}

static void
write_note (StintExport *self, const char *note)
{
  stint_export_end_line (self);
  stint_sink_printf (&self->sink, "%s\n", note);
}

static void
begin (StintExport *self)
{
  self->screen = stint_screen_new (self->options->tty, self->columns, self->rows, write_line, self);
}

static void
take (StintExport *self, const StintPiece *piece)
{
  stint_export_take_lines (self, piece, write_note);
}

static void
end (StintExport *self)
{
  stint_screen_finish (self->screen);
  stint_export_end_line (self);
}

const StintExportFormatClass stint_export_text_class = {
  .nick = "text",
  .suffix = ".txt",
  .begin = begin,
  .take = take,
  .end = end,
};
