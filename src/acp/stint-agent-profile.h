/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_PROFILE (stint_agent_profile_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentProfile, stint_agent_profile, STINT, AGENT_PROFILE, GObject)

/*
 * An agent that speaks the protocol: how it is started, and how to get it. Known ones are built in;
 * the user's own and changes to the known ones are in `agents.json` in the config directory.
 */

/**
 * stint_agent_profile_new:
 * @id: a short name, for command lines
 * @name: (nullable): for people; %NULL: the id
 * @command: a command line, quoted as for a shell
 *
 * Returns: (transfer full): a profile of the user's
 */
StintAgentProfile *stint_agent_profile_new (const char *id, const char *name, const char *command);

/**
 * stint_agent_profile_new_for_command:
 * @argv: (array zero-terminated=1): a command and its arguments
 *
 * Returns: (transfer full): a profile that is nowhere kept
 */
StintAgentProfile *stint_agent_profile_new_for_command (const char *const *argv);

const char *stint_agent_profile_get_id (StintAgentProfile *self);
const char *stint_agent_profile_get_name (StintAgentProfile *self);

/* The command line as it was written. */
const char *stint_agent_profile_get_command (StintAgentProfile *self);
void stint_agent_profile_set_command (StintAgentProfile *self, const char *command);
void stint_agent_profile_set_name (StintAgentProfile *self, const char *name);

/* (transfer full) (array zero-terminated=1): its words; @error: %STINT_ERROR_UNBALANCED,
 * %STINT_ERROR_NO_COMMAND. */
char **stint_agent_profile_dup_argv (StintAgentProfile *self, GError **error);

/* (array zero-terminated=1): NAME=VALUE, for the agent alone. */
const char *const *stint_agent_profile_get_environ (StintAgentProfile *self);
void stint_agent_profile_set_environ (StintAgentProfile *self, const char *const *environ);

/* Whether the agent is told that it may use our files, or our terminals. Both unless set. */
gboolean stint_agent_profile_get_files (StintAgentProfile *self);
void stint_agent_profile_set_files (StintAgentProfile *self, gboolean files);
gboolean stint_agent_profile_get_terminals (StintAgentProfile *self);
void stint_agent_profile_set_terminals (StintAgentProfile *self, gboolean terminals);

/* Whether it came with Stint. */
gboolean stint_agent_profile_is_known (StintAgentProfile *self);

/* Whether its command is there to be executed. */
gboolean stint_agent_profile_is_installed (StintAgentProfile *self);

/* (nullable): the command that installs it, and where to read more. */
const char *stint_agent_profile_get_install (StintAgentProfile *self);
const char *stint_agent_profile_get_website (StintAgentProfile *self);

/* What "Test" found out. */
typedef struct
{
  char *name;    /* (nullable): what the agent calls itself */
  char *version; /* (nullable) */
  gint64 protocol;
  gboolean loads_sessions;
  gboolean resumes_sessions;
  gboolean takes_images;
  char **logins; /* (array zero-terminated=1): names of its ways to log in */
} StintAgentAnswer;

void stint_agent_answer_free (StintAgentAnswer *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAgentAnswer, stint_agent_answer_free)

/**
 * stint_agent_profile_test_async:
 * @self: a profile
 * @jobs: (type StintJobList): where it runs, for a moment, as a job
 * @cancellable: (nullable)
 * @callback: called exactly once
 * @user_data: for @callback
 *
 * Runs the agent as far as `initialize`, and stops it again.
 */
void stint_agent_profile_test_async (StintAgentProfile *self,
                                     gpointer jobs,
                                     GCancellable *cancellable,
                                     GAsyncReadyCallback callback,
                                     gpointer user_data);
StintAgentAnswer *stint_agent_profile_test_finish (StintAgentProfile *self,
                                                   GAsyncResult *result,
                                                   GError **error);

#define STINT_TYPE_AGENT_PROFILES (stint_agent_profiles_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentProfiles, stint_agent_profiles, STINT, AGENT_PROFILES, GObject)

/**
 * stint_agent_profiles_new:
 * @file: (nullable) (type filename): where the user's are kept; %NULL: `stint/agents.json` in the
 *   config directory
 *
 * A GListModel of StintAgentProfile: the known ones, then the user's.
 *
 * Returns: (transfer full): the profiles; that the file cannot be read is told by
 *   stint_agent_profiles_get_error()
 */
StintAgentProfiles *stint_agent_profiles_new (const char *file);

/* (nullable) (transfer none): why the file could not be read. It is not overwritten then: the next
 * save moves it aside. */
const GError *stint_agent_profiles_get_error (StintAgentProfiles *self);

/* (transfer full) (nullable): the profile with this id. */
StintAgentProfile *stint_agent_profiles_lookup (StintAgentProfiles *self, const char *id);

/* Adds one of the user's, or replaces the one with its id. */
void stint_agent_profiles_add (StintAgentProfiles *self, StintAgentProfile *profile);

/* Removes one of the user's; a known one becomes what it was. */
void stint_agent_profiles_remove (StintAgentProfiles *self, StintAgentProfile *profile);

/* Writes the user's, atomically. Small; blocks for as long. */
gboolean stint_agent_profiles_save (StintAgentProfiles *self, GError **error);

/* (transfer full): for `--agent TEXT`: the profile with that id, else TEXT as a command line. */
StintAgentProfile *stint_agent_profiles_find (StintAgentProfiles *self, const char *text);

G_END_DECLS
