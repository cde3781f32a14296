/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with a job of the history. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-history-menu.h"

#include <glib/gi18n.h>

static void
append (GMenu *menu, const char *label, const char *action, guint64 id)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, NULL);

  g_menu_item_set_action_and_target (item, action, "t", id);
  g_menu_append_item (menu, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
  g_object_unref (section);
}

/* With its time: it is shown on its day. */
static void
append_timeline (GMenu *menu, const StintEntry *entry)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (_ ("Show in the _Timeline"), NULL);

  g_menu_item_set_action_and_target (item, "history.show-in-timeline", "(tx)", entry->id,
                                     entry->started_at);
  g_menu_append_item (menu, item);
}

GMenuModel *
stint_history_menu_new (const StintEntry *entry)
{
  GMenu *menu = g_menu_new ();
  GMenu *section = g_menu_new ();
  guint64 id = entry->id;

  append (section, _ ("_Open"), "history.open", id);
  append (section, _ ("Open _Beside"), "history.open-beside", id);
  append (section, _ ("_Details…"), "history.details", id);
  append_timeline (section, entry);
  append_section (menu, section);
  section = g_menu_new ();
  if (!entry->running)
    {
      append (section, _ ("_Run Again"), "history.run-again", id);
      append (section, _ ("_Edit and Run…"), "history.edit", id);
    }
  append (section, _ ("_Copy Command"), "history.copy-command", id);
  if (!entry->running)
    append (section, _ ("Copy as “_stint” Line"), "history.copy-line", id);
  if (!entry->running && entry->output_bytes > 0)
    append (section, _ ("_Save Output…"), "history.save-output", id);
  if (entry->directory != NULL)
    append (section, _ ("Open D_irectory"), "history.open-directory", id);
  append_section (menu, section);
  section = g_menu_new ();
  append (section, entry->pinned ? _ ("Un_pin") : _ ("_Pin"),
          entry->pinned ? "history.unpin" : "history.pin", id);
  if (!entry->running)
    append (section, _ ("Re_move"), "history.remove", id);
  append_section (menu, section);
  return G_MENU_MODEL (menu);
}
