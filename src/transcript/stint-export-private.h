/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-export.h"
#include "stint-screen.h"
#include "stint-sink.h"
#include "stint-timestamp.h"
#include "stint-walk.h"

G_BEGIN_DECLS

/* An export that is under way. */
typedef struct
{
  const StintExportOptions *options;
  StintSink sink;
  guint columns; /* the terminal's, at first */
  guint rows;

  StintScreen *screen; /* text and HTML */
  gboolean continues;  /* the line that was written last goes on */
  StintTimestamp timestamp;

  struct StintCast *cast; /* asciicast */
} StintExport;

/**
 * StintExportFormatClass:
 *
 * How a format is written: @begin, @take for each piece of the wanted streams, @end.
 */
typedef struct
{
  const char *nick;
  const char *suffix;
  void (*begin) (StintExport *self);
  void (*take) (StintExport *self, const StintPiece *piece);
  void (*end) (StintExport *self);
} StintExportFormatClass;

extern const StintExportFormatClass stint_export_text_class;
extern const StintExportFormatClass stint_export_html_class;
extern const StintExportFormatClass stint_export_cast_class;

/* Gives a piece to the screen. What is missing: finishes the lines before it, then calls @tell. */
void stint_export_take_lines (StintExport *self,
                              const StintPiece *piece,
                              void (*tell) (StintExport *self, const char *note));

/* Text and HTML: ends the line that was written last, if it goes on. */
void stint_export_end_line (StintExport *self);

/* (transfer full): what a person is told of bytes that are missing. */
char *stint_export_dup_note (const StintPiece *piece);

G_END_DECLS
