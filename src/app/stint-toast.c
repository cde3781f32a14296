/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A toast's own title is one line of markup, cut off where there is no room: of an error in a narrow window
 * next to nothing is left. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-toast.h"

/* What is longer is a matter of its details. */
#define MAX_LINES 4
#define MAX_CHARS 60

AdwToast *
stint_toast_new (const char *text)
{
  AdwToast *toast = adw_toast_new ("");
  GtkWidget *label;

  g_return_val_if_fail (text != NULL, toast);

  label = gtk_label_new (text);
  gtk_widget_add_css_class (label, "heading");
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  /* Else it asks for the width at which it is a paragraph, however much room there is. */
  gtk_label_set_natural_wrap_mode (GTK_LABEL (label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_CHARS);
  gtk_label_set_lines (GTK_LABEL (label), MAX_LINES);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  adw_toast_set_custom_title (toast, label);
  return toast;
}
