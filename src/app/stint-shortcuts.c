/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Which key does what. help-overlay.ui tells the same to the user. */

#include "config.h"

#include "stint-shortcuts.h"

typedef struct
{
  const char *action;
  const char *always; /* (nullable): with Ctrl+Shift */
  const char *plain;  /* (nullable): withdrawn while a program takes the keys */
} Shortcut;

static const Shortcut shortcuts[] = {
  { "app.quit", "<Control><Shift>q", "<Control>q" },
  { "window.close", "<Control><Shift>w", "<Control>w" },
  { "win.new-job", "<Control><Shift>n", "<Control>n" },
  { "win.focus-list", "<Control><Shift>l", "F9" },
  { "win.focus-pane", "<Control><Shift>o", NULL },
  { "shown.terminate", "<Control><Shift>t", NULL },
  { "shown.kill", "<Control><Shift>k", NULL },
  { "shown.restart", "<Control><Shift>e", NULL },
  { "shown.pause", "<Control><Shift>p", NULL },
  { "win.filter", "<Control><Shift>j", "<Control>j" },
  { "win.overview", "<Alt>Home", NULL },
  { "win.history", "<Control><Shift>y", NULL },
  { "win.back", "<Alt>Left", NULL },
  { "win.next-page", "<Control><Shift>period", NULL },
  { "win.close-page", "<Control><Shift>x", NULL },
  { "shown-output.find", "<Control><Shift>f", "<Control>f" },
  { "shown-output.save", "<Control><Shift>s", "<Control>s" },
  { "shown-output.zoom-in", "<Control><Shift>plus", "<Control>plus" },
  { "shown-output.zoom-out", "<Control><Shift>underscore", "<Control>minus" },
  { "shown-output.zoom-normal", "<Control><Shift>parenright", "<Control>0" },
  /* Like that of the help: an item of a menu. */
  { "app.preferences", "<Control>comma", NULL },
  { "shown.run-again", "<Control><Shift>r", NULL },
  /* On most keyboards this needs Shift. And GTK 4.8 fails when an item of a menu loses its last
   * key. */
  { "win.show-help-overlay", "<Control>question", "F1" },
};

void
stint_shortcuts_apply (GtkApplication *application, gboolean taken)
{
  g_return_if_fail (GTK_IS_APPLICATION (application));

  for (guint i = 0; i < G_N_ELEMENTS (shortcuts); i++)
    {
      const char *keys[3] = { NULL };
      guint n_keys = 0;

      /* The first is the one that menus and tooltips show. */
      if (shortcuts[i].plain != NULL && !taken)
        keys[n_keys++] = shortcuts[i].plain;
      if (shortcuts[i].always != NULL)
        keys[n_keys++] = shortcuts[i].always;
      gtk_application_set_accels_for_action (application, shortcuts[i].action, keys);
    }
}
