/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A toast's own title is one line of markup, cut off where there is no room: of an error in a narrow window
 * next to nothing is left. And an overlay shows one after the other: what stays would keep the others waiting. A high
 * priority is no help: libadwaita 1.2 fails when such a toast goes while the one below it still slides away. */

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

/* The one of an overlay that stays. */
typedef struct
{
  AdwToastOverlay *overlay; /* that owns this */
  AdwToast *toast;          /* (nullable): shown, or behind others; the overlay's */
  gboolean makes_way;
  StintToastMake make;
  gpointer data;
} Staying;

static Staying *
get_staying (AdwToastOverlay *overlay)
{
  return g_object_get_data (G_OBJECT (overlay), "stint-staying");
}

static void add_staying (Staying *staying);

static void
on_staying_dismissed (AdwToast *toast, Staying *staying)
{
  if (toast != staying->toast)
    return;
  staying->toast = NULL;
  if (staying->makes_way)
    add_staying (staying);
}

/* Connected before it is added: when it goes, the next is in the queue before the overlay looks there. */
static void
add_staying (Staying *staying)
{
  AdwToast *toast = staying->make (staying->data);

  staying->makes_way = FALSE;
  if (toast == NULL)
    return;
  adw_toast_set_timeout (toast, 0);
  g_signal_connect (toast, "dismissed", G_CALLBACK (on_staying_dismissed), staying);
  staying->toast = toast;
  adw_toast_overlay_add_toast (staying->overlay, toast);
}

void
stint_toast_show (gpointer widget, AdwToast *toast)
{
  GtkWidget *overlay;
  Staying *staying;

  g_return_if_fail (GTK_IS_WIDGET (widget));
  g_return_if_fail (ADW_IS_TOAST (toast));

  overlay = gtk_widget_get_ancestor (widget, ADW_TYPE_TOAST_OVERLAY);
  if (overlay == NULL)
    {
      g_object_unref (toast);
      return;
    }
  adw_toast_overlay_add_toast (ADW_TOAST_OVERLAY (overlay), toast);
  staying = get_staying (ADW_TOAST_OVERLAY (overlay));
  if (staying == NULL || staying->toast == NULL)
    return;
  staying->makes_way = TRUE;
  adw_toast_dismiss (staying->toast);
}

void
stint_toast_stay (AdwToastOverlay *overlay, StintToastMake make, gpointer data)
{
  Staying *staying;

  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));
  g_return_if_fail (make != NULL);

  stint_toast_stay_no_more (overlay);
  staying = get_staying (overlay);
  if (staying == NULL)
    {
      staying = g_new0 (Staying, 1);
      staying->overlay = overlay;
      g_object_set_data_full (G_OBJECT (overlay), "stint-staying", staying, g_free);
    }
  staying->make = make;
  staying->data = data;
  add_staying (staying);
}

gboolean
stint_toast_stays (AdwToastOverlay *overlay)
{
  Staying *staying;

  g_return_val_if_fail (ADW_IS_TOAST_OVERLAY (overlay), FALSE);

  staying = get_staying (overlay);
  return staying != NULL && staying->toast != NULL;
}

void
stint_toast_stay_no_more (AdwToastOverlay *overlay)
{
  g_return_if_fail (ADW_IS_TOAST_OVERLAY (overlay));

  if (stint_toast_stays (overlay))
    adw_toast_dismiss (get_staying (overlay)->toast);
}
