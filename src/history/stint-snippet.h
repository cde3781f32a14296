/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/**
 * StintSnippet:
 * @text: a line of output that has a hit, cut to what stands around it; one line of clean UTF-8
 * @start: where in @text the hit is, in bytes
 * @end: where it ends
 */
typedef struct
{
  char *text;
  int start;
  int end;
} StintSnippet;

void stint_snippet_free (StintSnippet *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintSnippet, stint_snippet_free)

/**
 * stint_snippet_find:
 * @directory: (type filename): a job directory
 * @words: (array zero-terminated=1): what was looked for
 * @max_chars: how long a text may be, above 20
 * @cancellable: (nullable): as if nothing were found
 *
 * The line of the job's output with the most of @words, of the first that have one. Reads as much as
 * is indexed unless set otherwise. Takes its time: it is for a thread.
 *
 * Returns: (transfer full) (nullable): %NULL if the output has none of them
 */
StintSnippet *stint_snippet_find (const char *directory,
                                  const char *const *words,
                                  guint max_chars,
                                  GCancellable *cancellable);

G_END_DECLS
