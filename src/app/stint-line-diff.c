/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Two texts, compared by lines: the longest common subsequence of what lies between the lines that
 * are the same at the beginning and at the end. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-line-diff.h"

#include <string.h>

/* Pairs of lines that are compared at most: a few milliseconds. */
#define MAX_PAIRS (1000 * 1000)

typedef struct
{
  const char *text;
  gsize size;
  guint hash;
} Line;

static GArray *
split (const char *text)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (Line));

  while (text != NULL && *text != '\0')
    {
      const char *end = strchrnul (text, '\n');
      Line line = { .text = text, .size = (gsize) (end - text), .hash = 5381 };

      for (const char *p = text; p < end; p++)
        line.hash = line.hash * 33 + (guchar) *p;
      g_array_append_val (lines, line);
      text = *end == '\n' ? end + 1 : end;
    }
  return lines;
}

static gboolean
is_same (const Line *a, const Line *b)
{
  return a->hash == b->hash && a->size == b->size && memcmp (a->text, b->text, a->size) == 0;
}

static void
add (GArray *out, const Line *lines, guint n, StintLineChange change)
{
  for (guint i = 0; i < n; i++)
    {
      StintDiffLine line = { change, lines[i].text, lines[i].size };

      g_array_append_val (out, line);
    }
}

/* lengths[i * (n_new + 1) + j]: of the longest common subsequence of what follows line i and line j. */
static guint16 *
measure (const Line *old_lines, guint n_old, const Line *new_lines, guint n_new)
{
  guint width = n_new + 1;
  guint16 *lengths = g_new0 (guint16, (gsize) (n_old + 1) * width);

  for (guint i = n_old; i-- > 0;)
    for (guint j = n_new; j-- > 0;)
      lengths[i * width + j] = is_same (&old_lines[i], &new_lines[j])
                                   ? lengths[(i + 1) * width + j + 1] + 1
                                   : MAX (lengths[(i + 1) * width + j], lengths[i * width + j + 1]);
  return lengths;
}

static void
compare (GArray *out, const Line *old_lines, guint n_old, const Line *new_lines, guint n_new)
{
  g_autofree guint16 *lengths = NULL;
  guint width = n_new + 1;
  guint i = 0, j = 0;

  if ((guint64) n_old * n_new > MAX_PAIRS || MIN (n_old, n_new) == 0)
    {
      add (out, old_lines, n_old, STINT_LINE_REMOVED);
      add (out, new_lines, n_new, STINT_LINE_ADDED);
      return;
    }
  lengths = measure (old_lines, n_old, new_lines, n_new);
  while (i < n_old || j < n_new)
    {
      if (i < n_old && j < n_new && is_same (&old_lines[i], &new_lines[j]))
        {
          add (out, &new_lines[j], 1, STINT_LINE_SAME);
          i++;
          j++;
        }
      else if (j == n_new ||
               (i < n_old && lengths[(i + 1) * width + j] >= lengths[i * width + j + 1]))
        add (out, &old_lines[i++], 1, STINT_LINE_REMOVED);
      else
        add (out, &new_lines[j++], 1, STINT_LINE_ADDED);
    }
}

/* Leaves out what is further than @context from a change. */
static GArray *
keep_context (GArray *all, guint context)
{
  GArray *kept = g_array_new (FALSE, FALSE, sizeof (StintDiffLine));
  g_autofree gboolean *shown = g_new0 (gboolean, all->len + 1);
  gboolean in_gap = FALSE;

  for (guint i = 0; i < all->len; i++)
    {
      if (g_array_index (all, StintDiffLine, i).change == STINT_LINE_SAME)
        continue;
      for (guint j = i > context ? i - context : 0; j <= i + context && j < all->len; j++)
        shown[j] = TRUE;
    }
  for (guint i = 0; i < all->len; i++)
    {
      StintDiffLine gap = { .change = STINT_LINE_GAP, .text = "" };

      if (shown[i])
        g_array_append_val (kept, g_array_index (all, StintDiffLine, i));
      else if (!in_gap)
        g_array_append_val (kept, gap);
      in_gap = !shown[i];
    }
  return kept;
}

GArray *
stint_line_diff (const char *old_text,
                 const char *new_text,
                 guint context,
                 guint *n_added,
                 guint *n_removed)
{
  g_autoptr (GArray) old_lines = NULL;
  g_autoptr (GArray) new_lines = NULL;
  g_autoptr (GArray) all = g_array_new (FALSE, FALSE, sizeof (StintDiffLine));
  const Line *a, *b;
  guint n_old, n_new, head = 0, tail = 0;

  g_return_val_if_fail (new_text != NULL, NULL);

  old_lines = split (old_text);
  new_lines = split (new_text);
  a = (const Line *) (gpointer) old_lines->data;
  b = (const Line *) (gpointer) new_lines->data;
  n_old = old_lines->len;
  n_new = new_lines->len;
  while (head < n_old && head < n_new && is_same (&a[head], &b[head]))
    head++;
  while (tail < n_old - head && tail < n_new - head &&
         is_same (&a[n_old - 1 - tail], &b[n_new - 1 - tail]))
    tail++;

  if (n_new > 0)
    add (all, b, head, STINT_LINE_SAME);
  if (n_old + n_new > 0)
    compare (all, a + head, n_old - head - tail, b + head, n_new - head - tail);
  if (tail > 0)
    add (all, b + n_new - tail, tail, STINT_LINE_SAME);

  *n_added = *n_removed = 0;
  for (guint i = 0; i < all->len; i++)
    {
      *n_added += g_array_index (all, StintDiffLine, i).change == STINT_LINE_ADDED;
      *n_removed += g_array_index (all, StintDiffLine, i).change == STINT_LINE_REMOVED;
    }
  return keep_context (all, context);
}
