/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What keys, menus and notifications ask the application for. What concerns one job is in
 * stint-notifier-actions.c, presets are in stint-preset-actions.c. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-application-private.h"

#include "stint-agent-launch.h"
#include "stint-client.h"
#include "stint-history-clearing.h"
#include "stint-settings-dialog.h"

#include <glib/gi18n.h>

static void
quit_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_closing_close (STINT_APPLICATION (user_data)->closing, TRUE);
}

static void
show_window_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_application_present (STINT_APPLICATION (user_data));
}

/* Who presses the button of the notification has been told what runs. */
static void
stop_all_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_shutdown_begin (STINT_APPLICATION (user_data)->shutdown, "stop all");
}

static void
about_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintApplication *self = STINT_APPLICATION (user_data);
  static const char *const developers[] = { "The Stint contributors", NULL };

  adw_show_about_window (self->window != NULL ? GTK_WINDOW (self->window) : NULL,
                         "application-name", _ ("Stint"),
                         "application-icon", APP_ID,
                         "version", PACKAGE_VERSION,
                         "comments", _ ("Runs agents and shell commands, each for its allotted time"),
                         "developers", developers,
                         "developer-name", "The Stint contributors",
                         "license-type", GTK_LICENSE_GPL_3_0,
                         /* Translators: your names, one a line; they are shown as credits. */
                         "translator-credits", _ ("translator-credits"),
                         NULL);
}

static void
on_clear_history (StintApplication *self)
{
  stint_history_clearing_ask (ADW_PREFERENCES_WINDOW (self->settings_dialog), self->history,
                              self->board, self->problems);
}

static void
preferences_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintApplication *self = STINT_APPLICATION (user_data);

  if (self->settings_dialog == NULL)
    {
      GtkWindow *parent = self->window != NULL ? GTK_WINDOW (self->window) : NULL;

      g_set_weak_pointer (&self->settings_dialog,
                          GTK_WINDOW (stint_settings_dialog_new (parent, self->settings)));
      g_signal_connect_object (self->settings_dialog, "clear-history",
                               G_CALLBACK (on_clear_history), self, G_CONNECT_SWAPPED);
    }
  gtk_window_present (self->settings_dialog);
}

static void
agents_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_agent_launch_ask (STINT_APPLICATION (user_data));
}

static void
manage_presets_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintApplication *self = STINT_APPLICATION (user_data);

  stint_application_present (self);
  stint_window_manage_presets (self->window);
}

static void
new_job_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_application_ask_new_job (STINT_APPLICATION (user_data), NULL);
}

static void
history_action (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_application_present_list (STINT_APPLICATION (user_data), NULL);
}

void
stint_application_install_actions (StintApplication *self)
{
  static const GActionEntry entries[] = {
    { .name = "quit", .activate = quit_action },
    { .name = "manage-presets", .activate = manage_presets_action },
    { .name = STINT_BACKGROUND_SHOW_ACTION, .activate = show_window_action },
    { .name = STINT_BACKGROUND_STOP_ACTION, .activate = stop_all_action },
    { .name = "preferences", .activate = preferences_action },
    { .name = "agents", .activate = agents_action },
    { .name = "about", .activate = about_action },
    { .name = "new-job", .activate = new_job_action },
    { .name = "history", .activate = history_action },
    /* Its jobs listen to it: see stint-command-line.c. */
    { .name = STINT_CLIENT_CANCEL_ACTION, .parameter_type = "s", .activate = NULL },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (self), entries, G_N_ELEMENTS (entries), self);
}
