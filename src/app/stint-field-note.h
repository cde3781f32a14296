/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define STINT_TYPE_FIELD_NOTE (stint_field_note_get_type ())
G_DECLARE_FINAL_TYPE (StintFieldNote, stint_field_note, STINT, FIELD_NOTE, AdwPreferencesRow)

/* A line below an entry row, which says how the entry is meant or what is wrong with it. It is
 * hidden while it says nothing. */

GtkWidget *stint_field_note_new (void);

/* @hint: (nullable): shown while nothing is wrong. */
void stint_field_note_set_hint (StintFieldNote *self, const char *hint);

/**
 * stint_field_note_set_mistake:
 * @self: the note
 * @row: the entry row it stands below, which is marked, for screen readers too
 * @mistake: (nullable): what is wrong with the entry
 */
void stint_field_note_set_mistake (StintFieldNote *self, AdwEntryRow *row, const char *mistake);

/* (nullable) */
const char *stint_field_note_get_mistake (StintFieldNote *self);

G_END_DECLS
