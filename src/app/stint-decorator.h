/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include "stint-index.h"
#include "stint-screen-state.h"
#include "stint-timestamp.h"

G_BEGIN_DECLS

/* What StintDecorator puts before each line with timestamps on: columns, a space at its end. */
#define STINT_DECORATOR_TIMESTAMP_WIDTH (STINT_TIMESTAMP_WIDTH + 1)

/**
 * StintDecorator:
 *
 * Makes of recorded output what a terminal is to show: carriage returns for a pipe's line feeds, the
 * wanted stream only, standard error in red, and before each line the time at which it began. Takes
 * the output in order and in any chunks.
 */
typedef struct _StintDecorator StintDecorator;

/**
 * stint_decorator_new:
 * @reader: what the output comes from; must outlive the decorator
 * @pipe: whether a line feed stands alone
 *
 * Returns: (transfer full): a decorator that does no more than that
 */
StintDecorator *stint_decorator_new (StintReader *reader, gboolean pipe);
void stint_decorator_free (StintDecorator *self);

/* Output is missing here, and a line that says so has been shown. */
void stint_decorator_cut (StintDecorator *self);

/* These hold for what comes next. */
void stint_decorator_set_streams (StintDecorator *self, StintStreams streams);
void stint_decorator_set_mark_stderr (StintDecorator *self, gboolean mark_stderr);

/* @start: microseconds since 1970 at which the command started; 0 takes the times off again. */
void stint_decorator_set_timestamps (StintDecorator *self, gint64 start);

/* Whether what goes in comes out. */
gboolean stint_decorator_is_plain (StintDecorator *self);

/* The terminal begins with an empty line, in @state. */
void stint_decorator_restart (StintDecorator *self, const StintScreenState *state);

/**
 * stint_decorator_transform:
 * @self: a decorator
 * @offset: where @data stands in the output
 * @data: (array length=length): the output
 * @length: how much
 * @out: what the terminal is to be fed is appended here
 */
void stint_decorator_transform (
  StintDecorator *self, guint64 offset, const guint8 *data, gsize length, GString *out);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (StintDecorator, stint_decorator_free)

G_END_DECLS
