/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rooms of the history's page: stint-history-page.c searches and lists, -actions does what its
 * menus ask for. */

#include <adwaita.h>

#include "stint-history-day.h"
#include "stint-history-model.h"
#include "stint-history-page.h"
#include "stint-history-row.h"
#include "stint-history-view.h"

G_BEGIN_DECLS

/* What can still be undone: see stint-history-actions.c. */
typedef struct _StintHistoryRemoval StintHistoryRemoval;

struct _StintHistoryPage
{
  GtkWidget parent_instance;

  /* Template widgets */
  AdwToastOverlay *toasts;
  GtkEditable *search_entry;
  GtkMenuButton *saved_button;
  GtkMenuButton *view_button;
  GtkToggleButton *timeline_button;
  GtkLabel *mistake_label;
  GtkStack *stack;
  GtkLabel *empty_label;
  StintHistoryView *view;
  GMenu *columns_section;
  StintHistoryDay *day;
  GtkLabel *status_label;

  /* Owned */
  StintJobList *jobs;       /* (nullable) */
  StintJobBoard *board;     /* (nullable) */
  StintHistory *history;    /* (nullable) */
  StintHistoryModel *model; /* (nullable) */
  GSimpleActionGroup *actions;
  StintSettings *settings; /* (nullable) */
  char *sort;
  char *group;
  guint refresh_source;
  StintHistoryRemoval *removal; /* (nullable): its toast's */
  gboolean searched; /* once at least: who never looks waits for nothing */
  guint64 index_done, index_total;
};

/* stint-history-page.c */

void stint_history_page_emit_problem (StintHistoryPage *self, const char *title, GError *error);
void stint_history_page_emit_beside (StintHistoryPage *self, StintJob *job);

/* (transfer none) (nullable): the job, if the window has it. */
StintJob *stint_history_page_find_live (StintHistoryPage *self, guint64 id);

/* (transfer none) (nullable): the row that has the focus, or what is in it. */
StintHistoryRow *stint_history_page_get_focused (StintHistoryPage *self);
void stint_history_page_emit_spec (StintHistoryPage *self, gboolean edit, StintJobSpec *spec);

/* stint-history-actions.c */

/* `history.…`, of its rows and menus. */
void stint_history_page_add_actions (StintHistoryPage *self);

/* Reads the saved searches into their menu. */
void stint_history_page_update_saved (StintHistoryPage *self);

G_END_DECLS
