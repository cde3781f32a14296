/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

/* The rooms of the application: stint-application.c its life, -actions what keys, menus and notifications
 * ask for. */

#include "stint-application.h"

#include "stint-agent-asks.h"
#include "stint-background.h"
#include "stint-closing.h"
#include "stint-earlier-jobs.h"
#include "stint-inhibitor.h"
#include "stint-job-service.h"
#include "stint-notifier.h"
#include "stint-palette.h"
#include "stint-preset-actions.h"
#include "stint-scheduled.h"
#include "stint-search-provider.h"
#include "stint-starter.h"
#include "stint-terminal-asks.h"
#include "stint-window.h"

G_BEGIN_DECLS

struct _StintApplication
{
  AdwApplication parent_instance;

  /* Owned */
  StintSettings *settings;
  StintPalette *palette;
  StintPresets *presets;
  StintPresetActions *preset_actions;
  StintStarter *starter;
  StintProblems *problems;
  StintHistory *history;
  StintJobList *jobs;
  StintJobBoard *board;
  StintAgentAsks *agent_asks;
  StintTerminalAsks *terminal_asks;
  StintJobService *service;
  StintSearchProvider *search_provider;
  StintShutdown *shutdown;
  StintClosing *closing;
  StintEarlierJobs *earlier;
  StintBackground *background;
  StintNotifier *notifier;
  StintInhibitor *inhibitor;
  StintScheduled *scheduled;

  /* Weak */
  StintWindow *window;
  GtkWindow *settings_dialog;

  gboolean held; /* while jobs run */
  int exit_status;
};

/* stint-application-actions.c */

void stint_application_install_actions (StintApplication *self);

G_END_DECLS
