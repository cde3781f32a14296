/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rooms of the window: stint-window.c its life, -list the sidebar, -pages the content,
 * -actions what keys and menus ask for, -problems what is told. */

#include "stint-job-order.h"
#include "stint-job-page.h"
#include "stint-pane.h"
#include "stint-window.h"

G_BEGIN_DECLS

struct _StintWindow
{
  AdwApplicationWindow parent_instance;

  /* Template widgets */
  AdwToastOverlay *toast_overlay;
  AdwLeaflet *leaflet;
  GtkWidget *sidebar;
  GtkWidget *content;
  AdwWindowTitle *list_title;
  GtkMenuButton *menu_button;
  GtkStack *list_stack;
  GtkWidget *list_empty;
  GtkWidget *list_scroller;
  GtkListView *list_view;
  AdwWindowTitle *page_title;
  GtkStack *content_stack;
  GtkWidget *content_empty;
  StintJobPage *page;

  /* Owned */
  StintJobList *jobs;
  StintSettings *settings;
  StintProblems *problems;
  StintPresets *presets; /* (nullable) */
  StintJobOrder *order;
  GtkSingleSelection *selection;
  GSignalGroup *page_job_signals;
  StintJob *focus_job;       /* gets the focus when it can be typed into */
  GtkWindow *new_job_dialog; /* weak */
  gboolean has_size;
};

/* stint-window.c */

/* The user wants this to be run. */
void stint_window_start (StintWindow *self, StintJobSpec *spec);

/* stint-window-list.c */

void stint_window_set_up_list (StintWindow *self);
void stint_window_update_list (StintWindow *self);
void stint_window_focus_selected_row (StintWindow *self);

/* stint-window-pages.c */

void stint_window_set_up_pages (StintWindow *self);
void stint_window_bind_pages (GtkWidgetClass *widget_class);

/* @job: (nullable) */
void stint_window_show_page_of (StintWindow *self, StintJob *job);
void stint_window_on_selection (StintWindow *self);
void stint_window_show_content (StintWindow *self);
void stint_window_update_narrow (StintWindow *self);
void stint_window_update_folded (StintWindow *self);
void stint_window_run_again (StintWindow *self, StintJob *job);

/* (nullable) (transfer none): the pane that has the focus. */
StintPane *stint_window_get_focused_pane (StintWindow *self);

/* stint-window-actions.c */

void stint_window_install_actions (GtkWidgetClass *widget_class);

/* stint-window-starting.c */

void stint_window_set_up_starting (StintWindow *self);

/* stint-window-problems.c */

void stint_window_set_up_problems (StintWindow *self);

G_END_DECLS
