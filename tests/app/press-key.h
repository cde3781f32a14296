/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Keys, without a keyboard.
 */
#pragma once

#include <gtk/gtk.h>

/* What the key does: the bindings of @widget's class, as GTK finds them. Returns: whether one did it. */
static inline gboolean
press_is_taken (gpointer widget, guint key, GdkModifierType modifiers)
{
  GListModel *controllers = gtk_widget_observe_controllers (widget);
  gboolean found = FALSE;

  for (guint i = 0; i < g_list_model_get_n_items (controllers) && !found; i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      if (!GTK_IS_SHORTCUT_CONTROLLER (controller))
        continue;
      for (guint j = 0; j < g_list_model_get_n_items (G_LIST_MODEL (controller)) && !found; j++)
        {
          g_autoptr (GtkShortcut) shortcut = g_list_model_get_item (G_LIST_MODEL (controller), j);
          GtkShortcutTrigger *trigger = gtk_shortcut_get_trigger (shortcut);

          if (!GTK_IS_KEYVAL_TRIGGER (trigger) ||
              gtk_keyval_trigger_get_keyval (GTK_KEYVAL_TRIGGER (trigger)) != key ||
              gtk_keyval_trigger_get_modifiers (GTK_KEYVAL_TRIGGER (trigger)) != modifiers)
            continue;
          found = gtk_shortcut_action_activate (gtk_shortcut_get_action (shortcut), 0, widget,
                                                gtk_shortcut_get_arguments (shortcut));
        }
    }
  g_object_unref (controllers);
  return found;
}

/* The same, and one does. */
static inline void
press_key (gpointer widget, guint key, GdkModifierType modifiers)
{
  g_assert_true (press_is_taken (widget, key, modifiers));
}
