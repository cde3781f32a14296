/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gtk/gtk.h>
#include <json-glib/json-glib.h>

G_BEGIN_DECLS

#define STINT_TYPE_AGENT_FORM (stint_agent_form_get_type ())
G_DECLARE_FINAL_TYPE (StintAgentForm, stint_agent_form, STINT, AGENT_FORM, GtkWidget)

/*
 * A form that an agent asks to be filled in: a row for each property of its schema, with what it
 * begins with. Strings, numbers, switches, one of several, several of several.
 *
 * Signals:
 *
 *   submit ()   Enter was pressed in a row
 */

/* @schema: an object with `properties`, and perhaps `required`. */
GtkWidget *stint_agent_form_new (JsonObject *schema);

/* (transfer full): an object of what was filled in; what was left empty and need not be there is not. */
JsonNode *stint_agent_form_dup_content (StintAgentForm *self);

/* (nullable) (transfer none): the row of a property, for tests and for the focus. */
GtkWidget *stint_agent_form_get_row (StintAgentForm *self, const char *name);

G_END_DECLS
