/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-acp-message.h"

G_BEGIN_DECLS

/* The protocol log of a job, in its directory. */
#define STINT_ACP_LOG_FILE "protocol.jsonl"

/* What it holds at most, unless told otherwise; what comes then is counted, not kept. */
#define STINT_ACP_LOG_LIMIT (G_GUINT64_CONSTANT (256) << 20)

/**
 * StintAcpDirection:
 * @STINT_ACP_FROM_AGENT: the agent wrote it
 * @STINT_ACP_TO_AGENT: we wrote it
 * @STINT_ACP_JUNK: the agent wrote it to stdout, and it is no message; `text`
 * @STINT_ACP_HOST: nobody wrote it: what Stint knows and the exchange does not say (which job a
 *   terminal is, what a file held before it was written)
 */
typedef enum
{
  STINT_ACP_FROM_AGENT,
  STINT_ACP_TO_AGENT,
  STINT_ACP_JUNK,
  STINT_ACP_HOST,
} StintAcpDirection;

/**
 * StintAcpLogEntry:
 * @time: microseconds since 1970
 * @direction: who wrote it
 * @node: (nullable): what was written; %NULL: junk
 * @text: (nullable): the junk
 */
typedef struct
{
  gint64 time;
  StintAcpDirection direction;
  JsonNode *node;
  char *text;
} StintAcpLogEntry;

void stint_acp_log_entry_free (StintAcpLogEntry *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAcpLogEntry, stint_acp_log_entry_free)

/* Writing: kept from any thread, flushed and freed by one. */

typedef struct _StintAcpLog StintAcpLog;

/**
 * stint_acp_log_new:
 * @directory: (type filename): a job directory
 * @limit: bytes
 *
 * Returns: (transfer full): the log, to be appended to. That it cannot be written is told by
 *   stint_acp_log_get_error(), and stops nothing.
 */
StintAcpLog *stint_acp_log_new (const char *directory, guint64 limit);

/* Keeps a line: JSON without a newline, or any bytes for junk. In memory, until it is flushed. */
void stint_acp_log_append (StintAcpLog *self,
                           StintAcpDirection direction,
                           const char *line,
                           gsize length);

/* Writes what is buffered; from then on a reader sees it. Returns: bytes of the file. */
guint64 stint_acp_log_flush (StintAcpLog *self);

/* Bytes that are kept and not flushed. */
gsize stint_acp_log_get_unwritten (StintAcpLog *self);

/* errno of the first write that failed, or 0. */
int stint_acp_log_get_error (StintAcpLog *self);

void stint_acp_log_free (StintAcpLog *self);

/* Reading: from any thread, while it is written and afterwards. */

typedef struct _StintAcpLogReader StintAcpLogReader;

/**
 * stint_acp_log_reader_new:
 * @directory: (type filename): a job directory
 * @error: there is no log, or it cannot be read
 *
 * Returns: (transfer full): a reader that stands at the beginning, or %NULL
 */
StintAcpLogReader *stint_acp_log_reader_new (const char *directory, GError **error);

/**
 * stint_acp_log_reader_next:
 *
 * Damaged lines are passed over.
 *
 * Returns: (transfer full) (nullable): the next entry; %NULL at the end of what there is now. When
 *   more has been written the same reader goes on.
 */
StintAcpLogEntry *stint_acp_log_reader_next (StintAcpLogReader *self);

void stint_acp_log_reader_free (StintAcpLogReader *self);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintAcpLogReader, stint_acp_log_reader_free)

G_END_DECLS
