/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* What only the board does with its entries. */

#include "stint-job-entry.h"

G_BEGIN_DECLS

struct _StintJobEntry
{
  GObject parent_instance;

  StintJob *job;
  StintSection section;
  char *heading;
  char *need;
  char *haystack; /* what is filtered by, folded; made when it is first needed */
  guint64 looked_bytes;
  gboolean looked_at;
  gboolean unread;

  /* The board's */
  guint index;
  guint64 serial;     /* later jobs have higher ones */
  guint64 end_serial; /* and those that ended later; 0 before the end */
  char *asks;         /* (nullable): what it was said to wait for */
  gboolean rang;      /* its bell, and nobody has seen it */
  gboolean failed;    /* and nobody has seen it */
  StintJobEntry *above; /* (nullable) (unowned): whose part it is */
  guint n_below;        /* its parts, which follow it */
};

/* (transfer full) */
StintJobEntry *stint_job_entry_new (StintJob *job);
void stint_job_entry_set_section (StintJobEntry *self, StintSection section);
void stint_job_entry_set_above (StintJobEntry *self, StintJobEntry *above);
void stint_job_entry_set_need (StintJobEntry *self, const char *need);

G_END_DECLS
