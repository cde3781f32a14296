/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "history-fixture.h"
#include "stint-job-list.h"

/* The watchdog ends the test if it never comes true. */
#define wait_until(condition)                                                                      \
  G_STMT_START                                                                                     \
  {                                                                                                \
    while (!(condition))                                                                           \
      g_main_context_iteration (NULL, TRUE);                                                       \
  }                                                                                                \
  G_STMT_END

/*
 * The process that comes after one that let a job go: see let-go.c. Whatever a keeper leaves behind
 * becomes a child of this one, and is looked for at the end.
 */
typedef struct
{
  HistoryFixture *fixture; /* its directory holds a fifo, "fifo" */
  StintJobList *jobs;
} Next;

/* To be called once, first. */
void next_watch (void);

/* Nothing may be left: neither a process nor a zombie. */
Next *next_new (void);
void next_free (Next *next);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Next, next_free)

/* Starts @line in another process, with the settings that follow it, and waits until that has ended
 * as @how says. */
void next_let_go (Next *next, const char *how, const char *line, ...) G_GNUC_NULL_TERMINATED;

/* A command reads this line from the fifo. Waits for it. */
void next_say (Next *next, const char *line);

/* (transfer full): the one job, as this process's: however that goes; and well, when it runs. */
StintJob *next_adopt (Next *next, GError **error);
StintJob *next_adopt_well (Next *next);

/* (transfer full): what the job has written to its standard output. */
char *next_read_output (StintJob *job);
gboolean next_has_written (StintJob *job, const char *text);

/* (transfer none): how it ended, saved. */
StintResult *next_wait_for_end (Next *next, StintJob *job);
