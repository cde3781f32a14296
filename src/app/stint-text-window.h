/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

#include "stint-job.h"

G_BEGIN_DECLS

#define STINT_TYPE_TEXT_WINDOW (stint_text_window_get_type ())
G_DECLARE_FINAL_TYPE (StintTextWindow, stint_text_window, STINT, TEXT_WINDOW, AdwWindow)

/**
 * stint_text_window_new:
 * @parent: the window it belongs to
 * @job: a job that has a transcript
 *
 * The output of a job as plain text in a text view, which a screen reader can read: VTE 0.70 tells it
 * nothing. The end of it, and what comes.
 *
 * Returns: (transfer none): the window, to be presented
 */
StintTextWindow *stint_text_window_new (GtkWindow *parent, StintJob *job);

/* (transfer none): what is shown. */
GtkTextBuffer *stint_text_window_get_buffer (StintTextWindow *self);

G_END_DECLS
