/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Presets as menu items and keys. Their keys have Ctrl and Shift, like all of the application's that
 * act while a program takes the others: see stint-shortcuts.c. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-preset-actions.h"

#include "stint-error.h"
#include "stint-pane.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define LABEL_CHARS 40
#define MAX_IN_MENU 12
#define ACTION "start-preset"

struct _StintPresetActions
{
  GObject parent_instance;

  GtkApplication *application;
  StintPresets *presets;
  GSimpleAction *action;
  GMenu *menu;
  GPtrArray *with_keys; /* of char *: detailed actions that have been given a key */
};

G_DEFINE_FINAL_TYPE (StintPresetActions, stint_preset_actions, G_TYPE_OBJECT)

enum
{
  START,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static char *
dup_detailed_action (StintPreset *preset)
{
  g_autoptr (GVariant) id =
      g_variant_ref_sink (g_variant_new_string (stint_preset_get_id (preset)));

  return g_action_print_detailed_name ("app." ACTION, id);
}

/* As it is, and not as a mnemonic. */
static char *
dup_label (StintPreset *preset)
{
  g_autofree char *clean = stint_text_clean (stint_preset_get_name (preset), LABEL_CHARS);
  g_auto (GStrv) parts = g_strsplit (clean, "_", -1);

  return g_strjoinv ("__", parts);
}

/* The items go first: GTK 4.8 fails when an item that is shown loses its last key. */
static void
clear (StintPresetActions *self)
{
  const char *const none[] = { NULL };

  g_menu_remove_all (self->menu);
  for (guint i = 0; i < self->with_keys->len; i++)
    gtk_application_set_accels_for_action (self->application, self->with_keys->pdata[i], none);
  g_ptr_array_set_size (self->with_keys, 0);
}

static void
update (StintPresetActions *self)
{
  guint n_presets = g_list_model_get_n_items (G_LIST_MODEL (self->presets));

  clear (self);
  for (guint i = 0; i < n_presets; i++)
    {
      g_autoptr (StintPreset) preset = g_list_model_get_item (G_LIST_MODEL (self->presets), i);
      const char *keys[] = { stint_preset_get_shortcut (preset), NULL };
      g_autofree char *detailed = dup_detailed_action (preset);

      if (keys[0] != NULL && gtk_accelerator_parse (keys[0], NULL, NULL))
        {
          gtk_application_set_accels_for_action (self->application, detailed, keys);
          g_ptr_array_add (self->with_keys, g_strdup (detailed));
        }
      if (i < MAX_IN_MENU)
        {
          g_autofree char *label = dup_label (preset);

          g_menu_append (self->menu, label, detailed);
        }
    }
  if (n_presets > 0)
    g_menu_append (self->menu, _ ("_Manage Presets…"), "app.manage-presets");
}

static void
on_activate (StintPresetActions *self, GVariant *parameter)
{
  StintPreset *preset =
      stint_presets_lookup (self->presets, g_variant_get_string (parameter, NULL));
  g_autoptr (StintJobSpec) spec = NULL;

  if (preset == NULL)
    return;
  spec = stint_preset_dup_job_spec (preset);
  g_signal_emit (self, signals[START], 0, spec);
}

static void
stint_preset_actions_dispose (GObject *object)
{
  StintPresetActions *self = STINT_PRESET_ACTIONS (object);

  g_clear_object (&self->presets);
  g_clear_object (&self->action);
  g_clear_object (&self->menu);
  self->application = NULL;

  G_OBJECT_CLASS (stint_preset_actions_parent_class)->dispose (object);
}

static void
stint_preset_actions_finalize (GObject *object)
{
  g_ptr_array_unref (STINT_PRESET_ACTIONS (object)->with_keys);

  G_OBJECT_CLASS (stint_preset_actions_parent_class)->finalize (object);
}

static void
stint_preset_actions_class_init (StintPresetActionsClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->dispose = stint_preset_actions_dispose;
  object_class->finalize = stint_preset_actions_finalize;

  signals[START] = g_signal_new ("start", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                 NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_JOB_SPEC);
}

static void
stint_preset_actions_init (StintPresetActions *self)
{
  self->menu = g_menu_new ();
  self->with_keys = g_ptr_array_new_with_free_func (g_free);
}

StintPresetActions *
stint_preset_actions_new (GtkApplication *application, StintPresets *presets)
{
  StintPresetActions *self;

  g_return_val_if_fail (GTK_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (STINT_IS_PRESETS (presets), NULL);

  self = g_object_new (STINT_TYPE_PRESET_ACTIONS, NULL);
  self->application = application;
  self->presets = g_object_ref (presets);
  self->action = g_simple_action_new (ACTION, G_VARIANT_TYPE_STRING);
  g_signal_connect_object (self->action, "activate", G_CALLBACK (on_activate), self,
                           G_CONNECT_SWAPPED);
  g_action_map_add_action (G_ACTION_MAP (application), G_ACTION (self->action));
  g_signal_connect_object (presets, "items-changed", G_CALLBACK (update), self, G_CONNECT_SWAPPED);
  update (self);
  return self;
}

GMenuModel *
stint_preset_actions_get_menu (StintPresetActions *self)
{
  g_return_val_if_fail (STINT_IS_PRESET_ACTIONS (self), NULL);

  return G_MENU_MODEL (self->menu);
}

static gboolean
set_mistake (GError **error, const char *message)
{
  g_set_error_literal (error, STINT_ERROR, STINT_ERROR_INVALID, message);
  return FALSE;
}

gboolean
stint_preset_actions_check_shortcut (GtkApplication *application,
                                     StintPresets *presets,
                                     StintPreset *but,
                                     const char *shortcut,
                                     GError **error)
{
  const GdkModifierType both = GDK_CONTROL_MASK | GDK_SHIFT_MASK;
  g_auto (GStrv) actions = NULL;
  GdkModifierType modifiers;
  StintPreset *other;
  guint key;

  if (!gtk_accelerator_parse (shortcut, &key, &modifiers) || key == 0)
    return set_mistake (error, _ ("This is no key combination"));
  if ((modifiers & both) != both)
    return set_mistake (error, _ ("Hold Ctrl and Shift: all other keys belong to the programs in "
                                  "terminals"));
  other = stint_presets_find_shortcut (presets, shortcut, but);
  if (other != NULL)
    {
      g_autofree char *name = stint_text_clean (stint_preset_get_name (other), LABEL_CHARS);

      /* Translators: %s is the name of a preset. */
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("“%s” has this one"), name);
      return FALSE;
    }
  /* The application's are asked before the pane's. */
  if (stint_pane_uses_key (key, modifiers))
    return set_mistake (error, _ ("Stint uses this one itself"));
  actions = gtk_application_get_actions_for_accel (application, shortcut);
  for (guint i = 0; actions != NULL && actions[i] != NULL; i++)
    if (!g_str_has_prefix (actions[i], "app." ACTION))
      return set_mistake (error, _ ("Stint uses this one itself"));
  return TRUE;
}
