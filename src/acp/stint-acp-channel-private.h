/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The inside of a StintAcpChannel, for stint-acp-channel*.c only: what the main context does is in
 * stint-acp-channel.c, what the thread does in -thread.c.
 */
#pragma once

#include "stint-acp-channel.h"
#include "stint-acp-lines.h"

G_BEGIN_DECLS

/* What the main context sends. */
#define STINT_ACP_CHANNEL_LITTLE 4096

/* What is read at a time; if there was so much there is more. A line that is longer is long. */
#define STINT_ACP_CHANNEL_READ (32 * 1024)

/* Decoded and not yet taken: bytes of lines, and messages. */
#define STINT_ACP_CHANNEL_MAX_INCOMING_BYTES (8 * 1024 * 1024)
#define STINT_ACP_CHANNEL_MAX_INCOMING 4096

/* An agent that asks and does not read the answers is not read either. */
#define STINT_ACP_CHANNEL_MAX_OUTGOING 4096

typedef struct
{
  StintAcpDirection direction;
  JsonNode *node;
  gsize size; /* about, in bytes */
} StintAcpOutgoing;

struct _StintAcpChannel
{
  /* Of the main context's thread */
  StintAcpChannelFuncs funcs;
  gpointer data;
  GSource *source;
  gpointer read_tag; /* (nullable): of the source, while the main context has the descriptors */
  gboolean pipes_fail; /* writing to nobody is an error, not the end of the process */
  gboolean ended_told;
  guint streak;  /* so often it has been read just after it had been, and nothing was sent */
  gboolean left; /* there are lines, or there may be, for which there was no time */

  /* Shared, under the lock */
  GMutex lock;
  gboolean threaded; /* the thread has the descriptors */
  GQueue incoming; /* of StintAcpMessage */
  gsize incoming_bytes;
  GQueue outgoing; /* of StintAcpOutgoing; not empty only while threaded */
  gsize outgoing_bytes;
  gboolean full;    /* it was too long, and somebody may wait until it is shorter */
  gboolean drained; /* it is */
  gboolean close_input;
  gboolean held_up; /* the agent is not read until the queues are shorter */
  gboolean quit;
  gboolean ended;
  GError *error;
  gboolean awake; /* the main loop has been woken: for the queue, lines that are left, descriptors, the end */
  gboolean log_watched; /* the thread looks into the log by itself */
  gint64 log_due; /* when the log's growth is to be told; -1: it has not grown */
  gint64 paused_until; /* the main context, which alone sets it, reads nothing before; -1: as soon as it comes */
  gint64 last_read;
  int event_fd;

  /* Of the main context, or of the thread while it is threaded */
  int read_fd; /* closed under the lock */
  int write_fd;
  StintAcpLines *lines;
  gboolean ending; /* the agent says nothing more */

  /* Any thread's to append to, the thread's to flush */
  StintAcpLog *log; /* (nullable) */

  /* Of the thread */
  gboolean came;     /* something happened while it slept */
  gboolean readable; /* the agent has spoken, or is gone */
  GQueue decoded; /* of StintAcpMessage: not handed over yet */
  GString *text;  /* what is being written */
  gsize written;
  StintAcpDirection text_direction;
  guint64 log_size;
  gint64 log_flushed; /* when it last was */
};

/* stint-acp-channel.c */
void stint_acp_channel_unref (StintAcpChannel *self);
void stint_acp_channel_wake_thread (StintAcpChannel *self);

/* To be called with the lock: the main loop wakes when it is to, and now. */
void stint_acp_channel_set_ready_time (StintAcpChannel *self);
void stint_acp_channel_wake_main (StintAcpChannel *self);

void stint_acp_channel_log (StintAcpChannel *self,
                            StintAcpDirection direction,
                            const char *line,
                            gsize length);

/**
 * stint_acp_channel_decode:
 * @line: a line of the agent's, which is logged
 * @answer: (out) (transfer full) (nullable): it is JSON, but no message: JSON-RPC wants that told
 *
 * Returns: (transfer full) (nullable): the message
 */
StintAcpMessage *stint_acp_channel_decode (StintAcpChannel *self,
                                           const char *line,
                                           gsize length,
                                           gboolean too_long,
                                           JsonNode **answer);

void stint_acp_outgoing_free (gpointer data);

/* stint-acp-channel-thread.c: the thread, which owns a reference to @data, a StintAcpChannel */
gpointer stint_acp_channel_run (gpointer data);

G_END_DECLS
