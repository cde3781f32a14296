/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rooms of the window: stint-window.c its life, -list the sidebar and what is taken off it, -pages the
 * content, -actions what keys and menus ask for, -problems what is told. */

#include "stint-history-page.h"
#include "stint-overview.h"
#include "stint-pages.h"
#include "stint-pane.h"
#include "stint-sidebar.h"
#include "stint-window.h"

G_BEGIN_DECLS

struct _StintWindow
{
  AdwApplicationWindow parent_instance;

  /* Template widgets */
  AdwToastOverlay *toast_overlay;
  AdwLeaflet *leaflet;
  GtkWidget *sidebar_box;
  GtkWidget *content;
  AdwWindowTitle *list_title;
  GtkMenuButton *menu_button;
  StintSidebar *sidebar;
  AdwWindowTitle *page_title;
  GtkWidget *back_button;
  GtkStack *content_stack;
  StintOverview *overview;
  StintHistoryPage *history;
  StintPages *pages;

  /* Owned */
  StintJobList *jobs;
  StintJobBoard *board;
  StintSettings *settings;
  StintProblems *problems;
  StintPresets *presets; /* (nullable) */
  GSignalGroup *page_job_signals;
  GPtrArray *looked_at;      /* of StintJobEntry: whose output is shown */
  GPtrArray *dismissed;      /* of StintJob: that the toast offers to bring back */
  AdwToast *dismissed_toast; /* weak */
  StintJob *focus_job;       /* gets the focus when it can be typed into */
  GtkWindow *new_job_dialog; /* weak */
  guint seen_id;
  StintProblem *told; /* (nullable): the last of those that the toast tells of */
  guint n_told;
  gboolean told_late; /* there was no window when they were raised */
  GtkWindow *problems_window; /* weak */
  GMenu *problems_section;    /* of the main menu, which owns it */
  gboolean has_size;
};

/* stint-window.c */

/* The user wants this to be run. */
void stint_window_start (StintWindow *self, StintJobSpec *spec);

/* stint-window-list.c */

void stint_window_set_up_list (StintWindow *self);
void stint_window_bind_list (GtkWidgetClass *widget_class);
void stint_window_listen_to (StintWindow *self, StintJobActions *actions);

/* stint-window-pages.c */

void stint_window_set_up_pages (StintWindow *self);
void stint_window_bind_pages (GtkWidgetClass *widget_class);

/* Shows what is selected in the sidebar. */
void stint_window_show_selected (StintWindow *self);
void stint_window_show_content (StintWindow *self);

/* The same, and the focus goes there. A job of the history stays. */
void stint_window_focus_content (StintWindow *self);

/* Whether the user sees the pages of jobs. */
gboolean stint_window_shows_pages (StintWindow *self);
void stint_window_update_folded (StintWindow *self);

/* Who is looked at has nothing unread, and after a second has been seen. */
void stint_window_update_looked_at (StintWindow *self);

/* From the page of a job of the history back to the history. */
void stint_window_go_back (StintWindow *self);

void stint_window_run_again (StintWindow *self, StintJob *job);

/* (transfer none): the page that keys act on. */
StintJobPage *stint_window_get_page (StintWindow *self);

/* (nullable) (transfer none): the pane that has the focus. */
StintPane *stint_window_get_focused_pane (StintWindow *self);

/* stint-window-actions.c */

void stint_window_install_actions (GtkWidgetClass *widget_class);

/* stint-window-starting.c */

void stint_window_set_up_starting (StintWindow *self);

/* stint-window-problems.c */

void stint_window_set_up_problems (StintWindow *self);

G_END_DECLS
