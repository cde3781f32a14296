/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Combining characters, by number.
 */
#define G_LOG_DOMAIN "stint-transcript"
#include "config.h"

#include "stint-marks.h"

typedef struct
{
  gunichar marks[STINT_MAX_MARKS];
  guint n;
} Sequence;

struct _StintMarks
{
  GArray *sequences;   /* Sequence; the first one is empty */
  GHashTable *numbers; /* gint64, number << 32 | mark, to the number of what that makes */
};

StintMarks *
stint_marks_new (void)
{
  StintMarks *self = g_new0 (StintMarks, 1);

  self->sequences = g_array_new (FALSE, TRUE, sizeof (Sequence));
  g_array_set_size (self->sequences, 1);
  self->numbers = g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, NULL);
  return self;
}

void
stint_marks_free (StintMarks *self)
{
  g_array_unref (self->sequences);
  g_hash_table_unref (self->numbers);
  g_free (self);
}

guint16
stint_marks_add (StintMarks *self, guint16 number, gunichar mark)
{
  gint64 key = (gint64) ((guint64) number << 32 | mark);
  gpointer known = g_hash_table_lookup (self->numbers, &key);
  Sequence sequence;

  if (known != NULL)
    return (guint16) GPOINTER_TO_UINT (known);
  sequence = g_array_index (self->sequences, Sequence, number);
  if (sequence.n == STINT_MAX_MARKS || self->sequences->len > G_MAXUINT16)
    return number;
  sequence.marks[sequence.n++] = mark;
  g_array_append_val (self->sequences, sequence);
  g_hash_table_insert (self->numbers, g_memdup2 (&key, sizeof key),
                       GUINT_TO_POINTER (self->sequences->len - 1));
  return (guint16) (self->sequences->len - 1);
}

const gunichar *
stint_marks_get (StintMarks *self, guint16 number, guint *n)
{
  const Sequence *sequence = &g_array_index (self->sequences, Sequence, number);

  *n = sequence->n;
  return sequence->marks;
}
