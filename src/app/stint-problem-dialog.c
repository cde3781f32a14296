/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The details of a problem. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-problem-dialog.h"

#include "stint-clipboard.h"

#include <adwaita.h>
#include <glib/gi18n.h>

static void
on_response (AdwMessageDialog *dialog, const char *response, StintProblem *problem)
{
  g_autofree char *text = NULL;

  if (g_strcmp0 (response, "copy") != 0)
    return;
  text = stint_problem_dup_text (problem);
  stint_clipboard_offer_text (gtk_widget_get_clipboard (GTK_WIDGET (dialog)), text);
}

void
stint_problem_dialog_present (StintProblem *problem, GtkWindow *parent)
{
  AdwMessageDialog *dialog;
  GtkWidget *label;

  g_return_if_fail (STINT_IS_PROBLEM (problem));

  dialog =
      ADW_MESSAGE_DIALOG (adw_message_dialog_new (parent, stint_problem_get_title (problem), NULL));
  gtk_window_set_title (GTK_WINDOW (dialog), stint_problem_get_title (problem));
  adw_message_dialog_add_responses (dialog, "copy", _ ("C_opy"), "close", _ ("_Close"), NULL);
  adw_message_dialog_set_default_response (dialog, "close");
  adw_message_dialog_set_close_response (dialog, "close");

  label = gtk_label_new (stint_problem_get_details (problem));
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 50);
  adw_message_dialog_set_extra_child (dialog, label);

  g_signal_connect_data (dialog, "response", G_CALLBACK (on_response), g_object_ref (problem),
                         (GClosureNotify) (void (*) (void)) g_object_unref, G_CONNECT_DEFAULT);
  gtk_window_present (GTK_WINDOW (dialog));
}
