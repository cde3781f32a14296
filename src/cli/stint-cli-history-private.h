/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-archive-edit.h"
#include "stint-pager.h"
#include "stint-searcher.h"

G_BEGIN_DECLS

/* What the verbs of `stintctl history` have in common: the options that were given, and the words. */
typedef struct
{
  char *state; /* the history's directory */
  char **words;
  gboolean help;
  gboolean json;
  gboolean all;
  gboolean dry_run;
  gboolean yes;
  gboolean no_pager;
  gboolean no_index;
  int limit;
  char *sort;
  char *format;
  char *output;
  char *older;
  char *keep;
  char *max_size;
  char *source;
  StintSearcher *searcher;
  StintArchive *archive;
} StintCliHistory;

typedef gboolean (*StintCliHistoryFunc) (StintCliHistory *self, GError **error);

gboolean stint_cli_history_list (StintCliHistory *self, GError **error);
gboolean stint_cli_history_search (StintCliHistory *self, GError **error);
gboolean stint_cli_history_show (StintCliHistory *self, GError **error);
gboolean stint_cli_history_stats (StintCliHistory *self, GError **error);
gboolean stint_cli_history_export (StintCliHistory *self, GError **error);
gboolean stint_cli_history_remove (StintCliHistory *self, GError **error);
gboolean stint_cli_history_prune (StintCliHistory *self, GError **error);
gboolean stint_cli_history_clear (StintCliHistory *self, GError **error);
gboolean stint_cli_history_tag (StintCliHistory *self, GError **error);
gboolean stint_cli_history_untag (StintCliHistory *self, GError **error);
gboolean stint_cli_history_rename (StintCliHistory *self, GError **error);
gboolean stint_cli_history_pin (StintCliHistory *self, GError **error);
gboolean stint_cli_history_unpin (StintCliHistory *self, GError **error);
gboolean stint_cli_history_backup (StintCliHistory *self, GError **error);
gboolean stint_cli_history_import (StintCliHistory *self, GError **error);

/* Resolves all words: numbers, names, `last`. (transfer full): guint64; NULL with @error set, also if
 * there is none. */
GArray *stint_cli_history_resolve (StintCliHistory *self, GError **error);

/* Says on standard error what the archive met. */
void stint_cli_history_tell_problems (StintCliHistory *self);

/* (transfer full): @entry as one line of JSON, without the newline. */
char *stint_cli_entry_to_json (const StintEntry *entry, const char *line);

/* (transfer full): RFC 3339, UTC, milliseconds. */
char *stint_cli_format_time (gint64 usec);

/* (transfer full): as people read it: "2026-11-22 14:30". */
char *stint_cli_format_local_time (gint64 usec);

/* Adds it, quoted for CSV where need be. */
void stint_cli_append_csv (GString *line, const char *field);

G_END_DECLS
