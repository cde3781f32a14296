/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A page of its own: no scripts, nothing from elsewhere, light and dark.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-export-private.h"

/* GNOME's palette, as the terminals have it. */
static const guint32 palette[16] = {
  0x241f31, 0xc01c28, 0x2ec27e, 0xf5c211, 0x1e78e4, 0x9841bb, 0x0ab9dc, 0xc0bfbc,
  0x5e5c64, 0xed333b, 0x57e389, 0xf8e45c, 0x51a1ff, 0xc061cb, 0x4fd2fd, 0xf6f5f4,
};

static const char head[] = "<!DOCTYPE html>\n"
                           "<html>\n"
                           "<head>\n"
                           "<meta charset=\"utf-8\">\n"
                           "<meta name=\"viewport\" content=\"width=device-width\">\n"
                           "<meta name=\"color-scheme\" content=\"light dark\">\n"
                           "<meta name=\"generator\" content=\"Stint\">\n";

static const char style[] =
    "@media (prefers-color-scheme:dark){:root{--fg:#fff;--bg:#1e1e1e;--note:#9a9996;--err:#ff938c}}\n"
    "body{background:var(--bg);color:var(--fg);margin:1em}\n"
    "pre{font-family:monospace;line-height:1.2;margin:0;tab-size:8;white-space:pre-wrap;"
    "overflow-wrap:anywhere;unicode-bidi:plaintext}\n"
    ".cmd,.note,.time{color:var(--note)}\n"
    ".cmd{margin-bottom:1em}\n"
    ".note{font-style:italic}\n"
    ".time{user-select:none}\n"
    ".err{color:var(--err)}\n"
    ".b{font-weight:bold}.d{opacity:.6}.i{font-style:italic}.u{text-decoration:underline}\n"
    ".s{text-decoration:line-through}.u.s{text-decoration:underline line-through}\n"
    ".h{opacity:0}\n"
    ".fd{color:var(--bg)}.bd{background:var(--fg)}\n";

/* Whatever it is, it is text. */
static void
append_escaped (StintSink *sink, const char *text, gsize size)
{
  gsize plain = 0;

  for (gsize i = 0; i < size; i++)
    {
      const char *entity;

      switch (text[i])
        {
        case '&':
          entity = "&amp;";
          break;
        case '<':
          entity = "&lt;";
          break;
        case '>':
          entity = "&gt;";
          break;
        case '"':
          entity = "&quot;";
          break;
        default:
          continue;
        }
      stint_sink_append (sink, text + plain, i - plain);
      stint_sink_append_text (sink, entity);
      plain = i + 1;
    }
  stint_sink_append (sink, text + plain, size - plain);
}

/* A text from the command line or the history: one line, without what is no text. */
static void
append_label (StintSink *sink, const char *text)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);

  for (const char *p = valid; *p != '\0'; p = g_utf8_next_char (p))
    if (g_unichar_iscntrl (g_utf8_get_char (p)))
      stint_sink_append (sink, " ", 1);
    else
      append_escaped (sink, p, (gsize) (g_utf8_next_char (p) - p));
}

static void
append_palette (StintSink *sink)
{
  stint_sink_append_text (sink,
                          "<style>\n:root{--fg:#1e1e1e;--bg:#fff;--note:#77767b;--err:#a51d2d");
  for (guint i = 0; i < G_N_ELEMENTS (palette); i++)
    stint_sink_printf (sink, ";--c%u:#%06x", i, palette[i]);
  stint_sink_append_text (sink, "}\n");
  stint_sink_append_text (sink, style);
  for (guint i = 0; i < G_N_ELEMENTS (palette); i++)
    stint_sink_printf (sink, ".f%u{color:var(--c%u)}.b%u{background:var(--c%u)}\n", i, i, i, i);
  stint_sink_append_text (sink, "</style>\n");
}

static gboolean
is_class_color (guint32 color)
{
  return (color & STINT_COLOR_KIND) == STINT_COLOR_INDEXED && (color & 0xff) < 16;
}

/* One of the 16 colours by a class; @letter: f or b. */
static void
append_color_class (StintSink *sink, char letter, guint32 color)
{
  guint index = color & 0xff;
  char name[4] = { ' ', letter, (char) ('0' + index % 10) };
  gsize size = 3;

  if (!is_class_color (color))
    return;
  /* In nearly every line of a coloured log. */
  if (index >= 10)
    {
      name[2] = '1';
      name[size++] = (char) ('0' + index % 10);
    }
  stint_sink_append (sink, name, size);
}

static void
append_color_style (StintSink *sink, const char *property, guint32 color)
{
  if (color == STINT_COLOR_DEFAULT || is_class_color (color))
    return;
  stint_sink_printf (sink, "%s:#%06x;", property,
                     (color & STINT_COLOR_KIND) == STINT_COLOR_RGB
                         ? color & 0xffffff
                         : stint_color_from_index (color & 0xff));
}

static void
append_classes (StintSink *sink, const StintStyle *looks)
{
  static const struct
  {
    StintStyleFlags flag;
    const char *name;
  } classes[] = {
    { STINT_STYLE_BOLD, " b" },      { STINT_STYLE_DIM, " d" },       { STINT_STYLE_ITALIC, " i" },
    { STINT_STYLE_UNDERLINE, " u" }, { STINT_STYLE_INVISIBLE, " h" }, { STINT_STYLE_STRIKE, " s" },
    { STINT_STYLE_STDERR, " err" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (classes); i++)
    if ((looks->flags & classes[i].flag) != 0)
      stint_sink_append_text (sink, classes[i].name);
}

/* Begins a span, unless the text looks as all text does. Returns: whether it did */
static gboolean
open_span (StintSink *sink, const StintStyle *looks)
{
  gboolean inverse = (looks->flags & STINT_STYLE_INVERSE) != 0;
  guint32 foreground = inverse ? looks->background : looks->foreground;
  guint32 background = inverse ? looks->foreground : looks->background;

  if (looks->foreground == 0 && looks->background == 0 && looks->flags == 0)
    return FALSE;
  /* A class that says nothing, so that each of the others has a space before it. */
  stint_sink_append_text (sink, "<span class=\"r");
  append_classes (sink, looks);
  append_color_class (sink, 'f', foreground);
  append_color_class (sink, 'b', background);
  if (inverse && foreground == STINT_COLOR_DEFAULT)
    stint_sink_append_text (sink, " fd");
  if (inverse && background == STINT_COLOR_DEFAULT)
    stint_sink_append_text (sink, " bd");
  stint_sink_append (sink, "\"", 1);
  if ((foreground != STINT_COLOR_DEFAULT && !is_class_color (foreground)) ||
      (background != STINT_COLOR_DEFAULT && !is_class_color (background)))
    {
      stint_sink_append_text (sink, " style=\"");
      append_color_style (sink, "color", foreground);
      append_color_style (sink, "background", background);
      stint_sink_append (sink, "\"", 1);
    }
  stint_sink_append (sink, ">", 1);
  return TRUE;
}

static void
write_line (const StintLine *line, gpointer user_data)
{
  StintExport *self = user_data;

  if (self->options->timestamps && !self->continues)
    stint_sink_printf (&self->sink, "<span class=\"time\">%s </span>",
                       stint_timestamp_format (&self->timestamp, line->time));
  for (guint i = 0; i < line->n_runs; i++)
    {
      const StintRun *run = &line->runs[i];
      gboolean span = open_span (&self->sink, &run->style);

      append_escaped (&self->sink, line->text + run->start, run->size);
      if (span)
        stint_sink_append_text (&self->sink, "</span>");
    }
  if (!line->wrapped)
    stint_sink_append (&self->sink, "\n", 1);
  self->continues = line->wrapped;
}

static void
write_note (StintExport *self, const char *note)
{
  stint_export_end_line (self);
  stint_sink_append_text (&self->sink, "<span class=\"note\">");
  append_label (&self->sink, note);
  stint_sink_append_text (&self->sink, "</span>\n");
}

static void
begin (StintExport *self)
{
  const char *title = self->options->title != NULL ? self->options->title : self->options->command;

  stint_sink_append_text (&self->sink, head);
  stint_sink_append_text (&self->sink, "<title>");
  append_label (&self->sink, title != NULL ? title : "Stint");
  stint_sink_append_text (&self->sink, "</title>\n");
  append_palette (&self->sink);
  stint_sink_append_text (&self->sink, "</head>\n<body>\n");
  if (self->options->command != NULL)
    {
      stint_sink_append_text (&self->sink, "<pre class=\"cmd\">$ ");
      append_label (&self->sink, self->options->command);
      stint_sink_append_text (&self->sink, "</pre>\n");
    }
  /* A line feed right behind <pre> is no part of it: this one. */
  stint_sink_append_text (&self->sink, "<pre>\n");
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
  stint_sink_append_text (&self->sink, "</pre>\n</body>\n</html>\n");
}

const StintExportFormatClass stint_export_html_class = {
  .nick = "html",
  .suffix = ".html",
  .begin = begin,
  .take = take,
  .end = end,
};
