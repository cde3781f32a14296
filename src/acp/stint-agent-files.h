/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-acp-connection.h"

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_FILES (stint_agent_files_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentFiles, stint_agent_files, STINT, AGENT_FILES, GObject)

/*
 * Reads and writes files for an agent, in threads.
 *
 * Signals:
 *
 *   outside (StintAcpRequest *request, const char *path) -> gboolean
 *       the file is outside the session's directories. Who returns %TRUE calls
 *       stint_agent_files_allow() later, or answers the request; else it is refused.
 *   written (const char *path, const char *old_text, const char *new_text)
 *       a file was written; @old_text is %NULL if it was not there, or cannot be shown
 */

/* @directories: (array zero-terminated=1): absolute paths. */
StintAgentFiles *stint_agent_files_new (const char *const *directories);

/* `fs/read_text_file` and `fs/write_text_file`, whose session has been checked. */
void stint_agent_files_handle (StintAgentFiles *self, StintAcpRequest *request);

/* Does what was asked outside the directories. @path: (nullable): where it led when it was allowed:
 * if it leads elsewhere now, that is asked for anew; %NULL: wherever it leads. */
void stint_agent_files_allow (StintAgentFiles *self, StintAcpRequest *request, const char *path);

/* Whether @path, which need not exist, lies in one of the directories once links are followed. Looks
 * at the disk. From any thread. */
gboolean stint_agent_files_is_inside (StintAgentFiles *self, const char *path);

/* Returns: (nullable): at most @max + 1 bytes of what is open as @fd, with a NUL behind them; %NULL with
 * errno. Waits for the disk. */
char *stint_agent_read_all (int fd, gsize max, gsize *length);

G_END_DECLS
