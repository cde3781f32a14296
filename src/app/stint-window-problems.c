/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What went wrong is told in a toast that stays, with its details to copy. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-problem-dialog.h"

#include <glib/gi18n.h>

static void
on_details_clicked (StintProblem *problem, AdwToast *toast)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  stint_problem_dialog_present (problem, gtk_application_get_active_window (application));
}

static void
on_problem_raised (StintWindow *self, StintProblem *problem)
{
  g_autofree char *title = g_markup_escape_text (stint_problem_get_title (problem), -1);
  AdwToast *toast = adw_toast_new (title);

  adw_toast_set_timeout (toast, 0);
  adw_toast_set_button_label (toast, _ ("_Details"));
  g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_details_clicked),
                         g_object_ref (problem), (GClosureNotify) (void (*) (void)) g_object_unref,
                         G_CONNECT_SWAPPED);
  adw_toast_overlay_add_toast (self->toast_overlay, toast);
}

void
stint_window_set_up_problems (StintWindow *self)
{
  g_signal_connect_object (self->problems, "raised", G_CALLBACK (on_problem_raised), self,
                           G_CONNECT_SWAPPED);
}
