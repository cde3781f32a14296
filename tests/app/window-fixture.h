/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A window with real jobs, as narrow as one likes, for tests that drive it from within.
 */
#pragma once

#include "stint-window.h"

#include "engine-fixture.h"

/* As wide as a telephone; and the shadow that a window without a window manager draws around itself. */
#define NARROWEST 360
#define SHADOW 20

typedef struct
{
  StintJobList *jobs;
  StintJobBoard *board;
  StintSettings *settings;
  StintProblems *problems;
  StintWindow *window; /* weak */
} WindowFixture;

/* For main(), before anything else: begins the test program with an application that has windows. */
void window_fixture_init (int *argc, char ***argv);

/* For main(): runs the tests. Returns: its exit status. */
int window_fixture_run (void);

/* (transfer none): what the windows belong to. */
AdwApplication *window_fixture_get_application (void);

/* Shows a window, @width pixels wide, of a list on a scratch store. */
void window_fixture_set_up (WindowFixture *self, int width);

/* The same of @jobs. (transfer full) */
void window_fixture_set_up_with (WindowFixture *self, int width, StintJobList *jobs);

/* Another window, after the first one has gone. */
void window_fixture_reopen (WindowFixture *self);

/* Ends what still runs, and waits for it. */
void window_fixture_tear_down (WindowFixture *self);

/* (transfer full): a job of @line that has been submitted, with an hour's time. */
StintJob *window_fixture_start (WindowFixture *self, StintJobKind kind, const char *line);

/* The same, and its page is shown. */
StintJob *window_fixture_show (WindowFixture *self, StintJobKind kind, const char *line);

/* An action that needs no parameter, as a key or a menu activates it. */
void window_fixture_activate (WindowFixture *self, const char *action);

typedef gboolean (*WidgetTest) (GtkWidget *widget, gpointer data);

/* (transfer none) (nullable): the first of @widget and what is in it. */
GtkWidget *window_fixture_find (GtkWidget *widget, WidgetTest test, gpointer data);

/* The first one of this type that is on the screen. */
GtkWidget *window_fixture_find_type (GtkWidget *widget, GType type);

/* The first label on the screen that begins with @text. */
GtkWidget *window_fixture_find_text (GtkWidget *widget, const char *text);

/* The last window that was opened over @window. */
GtkWindow *window_fixture_find_dialog (gpointer window);
