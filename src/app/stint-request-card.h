/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>

#include "stint-agent-request.h"

G_BEGIN_DECLS

#define STINT_TYPE_REQUEST_CARD (stint_request_card_get_type ())
G_DECLARE_FINAL_TYPE (StintRequestCard, stint_request_card, STINT, REQUEST_CARD, GtkWidget)

/*
 * One request of an agent's, and the ways to answer it. While the focus is in it the digits choose,
 * from 1 on.
 */
GtkWidget *stint_request_card_new (StintAgentRequest *request);
StintAgentRequest *stint_request_card_get_request (StintRequestCard *self);

/* Answers with choice @number, counted from 1. Returns: whether there is one. */
gboolean stint_request_card_choose (StintRequestCard *self, guint number);

#define STINT_TYPE_REQUEST_BAR (stint_request_bar_get_type ())
G_DECLARE_FINAL_TYPE (StintRequestBar, stint_request_bar, STINT, REQUEST_BAR, GtkWidget)

/* All requests that are open, the oldest first. Hidden without any. Alt and a digit answer the oldest,
 * wherever the focus is in what holds the bar. */
GtkWidget *stint_request_bar_new (void);

/* @requests: (nullable): of StintAgentRequest. */
void stint_request_bar_set_requests (StintRequestBar *self, GListModel *requests);

/* (nullable): the oldest one's. */
StintRequestCard *stint_request_bar_get_first (StintRequestBar *self);

G_END_DECLS
