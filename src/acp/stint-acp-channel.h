/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The descriptors, the thread and the log of a connection: for stint-acp-connection.c only.
 */
#pragma once

#include "stint-acp-log.h"
#include "stint-acp-message.h"

G_BEGIN_DECLS

/* Called on the main context of stint_acp_channel_new(). */
typedef struct
{
  void (*message) (StintAcpMessage *message, gpointer data); /* (transfer full) */
  void (*logged) (gpointer data);                            /* the log has grown */
  void (*drained) (gpointer data);                           /* it is not full any more */
  void (*ended) (const GError *error, gpointer data);        /* nothing more comes; once */
} StintAcpChannelFuncs;

typedef struct _StintAcpChannel StintAcpChannel;

/* Bytes, about: when so much has not been written the agent is not read. */
#define STINT_ACP_CHANNEL_MAX_UNSENT (8 * 1024 * 1024)

/* Takes both descriptors. @directory: (nullable): where the log goes. */
StintAcpChannel *stint_acp_channel_new (int read_fd,
                                        int write_fd,
                                        const char *directory,
                                        const StintAcpChannelFuncs *funcs,
                                        gpointer data);

/* Sends @node: (transfer full), which nobody may change any more; %STINT_ACP_HOST only goes to the
 * log. */
void stint_acp_channel_send (StintAcpChannel *self, StintAcpDirection direction, JsonNode *node);

/* Whether as much as that waits to be written: what can wait is not to be sent before `drained`. */
gboolean stint_acp_channel_is_full (StintAcpChannel *self);

/* Closes the writing end when all that was sent has been written. */
void stint_acp_channel_close_input (StintAcpChannel *self);

/* No function is called any more. The thread ends by itself; nobody waits for it. */
void stint_acp_channel_free (StintAcpChannel *self);

/* Monotonic time at which something last came, or was there to be read; at first that of the beginning. */
gint64 stint_acp_channel_get_last_read (StintAcpChannel *self);
int stint_acp_channel_get_log_error (StintAcpChannel *self);

G_END_DECLS
