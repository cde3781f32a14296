/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

#include "stint-acp-log.h"
#include "stint-acp-message.h"

G_BEGIN_DECLS

#define STINT_TYPE_ACP_CONNECTION (stint_acp_connection_get_type ())
G_DECLARE_FINAL_TYPE (StintAcpConnection, stint_acp_connection, STINT, ACP_CONNECTION, GObject)

/*
 * JSON-RPC 2.0, a message a line, over two descriptors. It is read, decoded and written on the main context
 * that made the connection, but long lines, and what the agent does not take at once, by a thread, which alone
 * writes the log. What comes is told on that context, a few milliseconds at a time, below the priority of
 * drawing; of a stream of words up to 2 ms later. While that falls behind, the agent is not read.
 *
 * Signals: a handler that iterates the main context is told of the next message, or of the end, before it
 * has returned from this one.
 *
 *   request (StintAcpRequest *request) -> gboolean
 *       whether the handler takes it: it is to be answered now or later, once. What nobody takes is
 *       answered with "method not found".
 *   notification (const char *method, JsonNode *params)   params is nullable
 *   message (int direction, gint64 time, JsonNode *message)
 *       every message: as it is handed out or sent; with its place in time, as the log says it
 *   logged ()          the log has grown; at most a few times a second
 *   closed (GError *error)
 *       the agent has closed its stdout, or the connection broke; all calls that waited have failed
 */

/**
 * StintAcpRequest:
 *
 * A request of the agent's that waits for its answer.
 */
#define STINT_TYPE_ACP_REQUEST (stint_acp_request_get_type ())
G_DECLARE_FINAL_TYPE (StintAcpRequest, stint_acp_request, STINT, ACP_REQUEST, GObject)

/*
 * Signals of StintAcpRequest:
 *
 *   cancelled ()   the agent no longer wants it ($/cancel_request), or the connection is closed. Still
 *                  to be answered; who does not is answered for, with "cancelled".
 */
const char *stint_acp_request_get_method (StintAcpRequest *self);

/* (nullable) (transfer none): an object, as a rule. */
JsonObject *stint_acp_request_get_params (StintAcpRequest *self);

/* Whether a string of it held U+0000. */
gboolean stint_acp_request_has_nul (StintAcpRequest *self);
gboolean stint_acp_request_is_answered (StintAcpRequest *self);

/**
 * stint_acp_request_set_aside:
 * @self: a request
 *
 * A person is asked about it, who takes as long as it takes: meanwhile it keeps no other one
 * waiting. It is answered, or goes on by stint_acp_request_resume().
 */
void stint_acp_request_set_aside (StintAcpRequest *self);

/**
 * stint_acp_request_resume:
 * @self: a request that was set aside
 * @func: works on it
 * @data: for @func
 * @destroy: frees @data
 *
 * Calls @func when it is the request's turn again, now or later; not if it has been answered or the
 * connection has been closed by then.
 */
typedef void (*StintAcpRequestFunc) (StintAcpRequest *self, gpointer data);
void stint_acp_request_resume (StintAcpRequest *self,
                               StintAcpRequestFunc func,
                               gpointer data,
                               GDestroyNotify destroy);

/* Answers with @result: (transfer full) (nullable): %NULL is `{}`. The second answer is none. */
void stint_acp_request_return (StintAcpRequest *self, JsonNode *result);

/* Answers with an error of the protocol's. */
void stint_acp_request_return_error (StintAcpRequest *self, int code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

/**
 * stint_acp_connection_new:
 * @read_fd: (transfer full): the agent's stdout; must be the read end of a pipe of our own
 * @write_fd: (transfer full): the agent's stdin, likewise
 * @directory: (nullable) (type filename): where the log goes
 *
 * Both become non-blocking. Reading begins when the main loop runs next.
 *
 * Returns: (transfer full): the connection
 */
StintAcpConnection *stint_acp_connection_new (int read_fd, int write_fd, const char *directory);

/**
 * stint_acp_connection_call_async:
 * @self: a connection
 * @method: what to ask
 * @params: (transfer full) (nullable): an object; %NULL is `{}`
 * @cancellable: (nullable): cancelling it sends `$/cancel_request`, and completes the call at once
 * @callback: called exactly once
 * @user_data: for @callback
 */
void stint_acp_connection_call_async (StintAcpConnection *self,
                                      const char *method,
                                      JsonNode *params,
                                      GCancellable *cancellable,
                                      GAsyncReadyCallback callback,
                                      gpointer user_data);

/**
 * stint_acp_connection_call_finish:
 * @error: %STINT_ACP_ERROR with the agent's code and message; %G_IO_ERROR_CLOSED
 *
 * Returns: (transfer full): the result, or %NULL
 */
JsonNode *
stint_acp_connection_call_finish (StintAcpConnection *self, GAsyncResult *result, GError **error);

/* Sends a notification. @params: (transfer full) (nullable). */
void stint_acp_connection_notify (StintAcpConnection *self, const char *method, JsonNode *params);

/* Keeps @node: (transfer full), an object, in the log as the host's, and emits `message` for it. */
void stint_acp_connection_note (StintAcpConnection *self, JsonNode *node);

/* Closes the agent's stdin when all that was sent has been written. */
void stint_acp_connection_close_input (StintAcpConnection *self);

/* Ends it: what waits fails, nothing more is read or written. Emits no signal afterwards. */
void stint_acp_connection_close (StintAcpConnection *self);

gboolean stint_acp_connection_is_closed (StintAcpConnection *self);

/* Monotonic time at which something last came from the agent, or the connection began; now, if something
 * waits to be read. */
gint64 stint_acp_connection_get_last_read (StintAcpConnection *self);

/* errno of the first write to the log that failed, or 0. */
int stint_acp_connection_get_log_error (StintAcpConnection *self);

G_END_DECLS
