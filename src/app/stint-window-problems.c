/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What went wrong is told in a toast that stays, with its details to copy, or says how much it is; and as long as
 * there is something, the main menu has it all. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-window-private.h"

#include "stint-problem-dialog.h"
#include "stint-problems-window.h"
#include "stint-toast.h"

#include <glib/gi18n.h>

static void
on_details_clicked (StintProblem *problem, AdwToast *toast)
{
  GtkApplication *application = GTK_APPLICATION (g_application_get_default ());

  stint_problem_dialog_present (problem, gtk_application_get_active_window (application));
}

static void
on_show_problems (StintWindow *self)
{
  if (self->problems_window == NULL)
    g_set_weak_pointer (&self->problems_window, GTK_WINDOW (stint_problems_window_new (
                                                    GTK_WINDOW (self), self->problems)));
  gtk_window_present (self->problems_window);
}

/* (transfer full) (nullable): says all that went wrong since the last one was closed. */
static AdwToast *
make_toast (gpointer user_data)
{
  StintWindow *self = STINT_WINDOW (user_data);
  g_autofree char *title = NULL;
  AdwToast *toast;

  if (self->told == NULL)
    return NULL;
  if (self->n_told == 1)
    {
      toast = stint_toast_new (stint_problem_get_title (self->told));
      adw_toast_set_button_label (toast, _ ("_Details"));
      g_signal_connect_data (toast, "button-clicked", G_CALLBACK (on_details_clicked),
                             g_object_ref (self->told),
                             (GClosureNotify) (void (*) (void)) g_object_unref, G_CONNECT_SWAPPED);
      return toast;
    }
  title = g_strdup_printf (
      self->told_late
          ? ngettext ("%u problem while there was no window", "%u problems while there was no window",
                      self->n_told)
          : ngettext ("%u problem", "%u problems", self->n_told),
      self->n_told);
  toast = stint_toast_new (title);
  adw_toast_set_button_label (toast, _ ("_Show"));
  g_signal_connect_object (toast, "button-clicked", G_CALLBACK (on_show_problems), self,
                           G_CONNECT_SWAPPED);
  return toast;
}

/* @late: there was no window when they were raised */
static void
tell (StintWindow *self, StintProblem *last, guint n_problems, gboolean late)
{
  gboolean stays = stint_toast_stays (self->toast_overlay);

  g_set_object (&self->told, last);
  self->n_told = stays ? self->n_told + n_problems : n_problems;
  self->told_late = late;
  stint_toast_stay (self->toast_overlay, make_toast, self);
}

static void
on_problem_raised (StintWindow *self, StintProblem *problem)
{
  tell (self, problem, 1, FALSE);
  stint_problems_set_told (self->problems);
}

/* What went wrong while there was no window. */
static void
tell_untold (StintWindow *self)
{
  guint n_problems = g_list_model_get_n_items (G_LIST_MODEL (self->problems));
  guint n_untold = stint_problems_get_n_untold (self->problems);
  g_autoptr (StintProblem) last = NULL;

  stint_problems_set_told (self->problems);
  if (n_untold == 0)
    return;
  last = g_list_model_get_item (G_LIST_MODEL (self->problems), n_problems - 1);
  tell (self, last, n_untold, TRUE);
}

/* How many there are is in the item. */
static void
update_menu (StintWindow *self)
{
  guint n_problems = g_list_model_get_n_items (G_LIST_MODEL (self->problems));
  g_autofree char *label = NULL;

  g_menu_remove_all (self->problems_section);
  if (n_problems == 0)
    {
      stint_toast_stay_no_more (self->toast_overlay);
      return;
    }
  /* Translators: an item of the main menu. */
  label = g_strdup_printf (ngettext ("%u P_roblem…", "%u P_roblems…", n_problems), n_problems);
  g_menu_append (self->problems_section, label, "win.problems");
}

static void
add_to_menu (StintWindow *self)
{
  g_autoptr (GSimpleAction) action = g_simple_action_new ("problems", NULL);
  g_autoptr (GMenu) section = g_menu_new ();
  GMenuModel *menu = gtk_menu_button_get_menu_model (self->menu_button);

  g_signal_connect_object (action, "activate", G_CALLBACK (on_show_problems), self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (action));
  self->problems_section = section;
  g_menu_insert_section (G_MENU (menu), 1, NULL, G_MENU_MODEL (section));
  g_signal_connect_object (self->problems, "items-changed", G_CALLBACK (update_menu), self,
                           G_CONNECT_SWAPPED);
  update_menu (self);
}

void
stint_window_set_up_problems (StintWindow *self)
{
  add_to_menu (self);
  g_signal_connect_object (self->problems, "raised", G_CALLBACK (on_problem_raised), self,
                           G_CONNECT_SWAPPED);
  tell_untold (self);
}
