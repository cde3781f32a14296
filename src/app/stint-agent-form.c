/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Rows made of a schema, and values made of rows. Whether the values are right is the request's
 * affair: it knows the schema too. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-agent-form.h"

#include "stint-acp-message.h"
#include "stint-button-names.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

typedef enum
{
  FIELD_TEXT,
  FIELD_NUMBER,
  FIELD_INTEGER,
  FIELD_SWITCH,
  FIELD_CHOICE,
  FIELD_CHOICES,
} FieldKind;

typedef struct
{
  char *name;
  FieldKind kind;
  gboolean required;
  GtkWidget *row;
  GtkWidget *widget; /* the switch */
  GPtrArray *values; /* of char *: of a choice */
  GPtrArray *checks; /* of GtkCheckButton: of choices */
} Field;

struct _StintAgentForm
{
  GtkWidget parent_instance;

  GtkListBox *list;
  GPtrArray *fields;
};

G_DEFINE_FINAL_TYPE (StintAgentForm, stint_agent_form, GTK_TYPE_WIDGET)

enum
{
  SUBMIT,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
field_free (Field *self)
{
  g_free (self->name);
  g_ptr_array_unref (self->values);
  g_ptr_array_unref (self->checks);
  g_free (self);
}

static void
on_activated (StintAgentForm *self)
{
  g_signal_emit (self, signals[SUBMIT], 0);
}

static gboolean
is_required (JsonObject *schema, const char *name)
{
  JsonArray *required = stint_acp_get_array (schema, "required");

  for (guint i = 0; required != NULL && i < json_array_get_length (required); i++)
    {
      JsonNode *node = json_array_get_element (required, i);

      if (JSON_NODE_HOLDS_VALUE (node) && g_strcmp0 (json_node_get_string (node), name) == 0)
        return TRUE;
    }
  return FALSE;
}

/* The values of `enum`, or of `oneOf`/`anyOf` with titles. Returns: their names. */
static GPtrArray *
read_values (Field *field, JsonObject *property)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  JsonArray *plain = stint_acp_get_array (property, "enum");
  JsonArray *titled = stint_acp_get_array (property, "oneOf");

  if (titled == NULL)
    titled = stint_acp_get_array (property, "anyOf");
  for (guint i = 0; titled != NULL && i < json_array_get_length (titled); i++)
    {
      JsonObject *object = stint_acp_array_object (titled, i);
      const char *value = stint_acp_get_string (object, "const");
      const char *title = stint_acp_get_string (object, "title");

      if (value == NULL)
        continue;
      g_ptr_array_add (field->values, g_strdup (value));
      g_ptr_array_add (names, g_strdup (title != NULL ? title : value));
    }
  for (guint i = 0; titled == NULL && plain != NULL && i < json_array_get_length (plain); i++)
    {
      JsonNode *node = json_array_get_element (plain, i);

      if (!JSON_NODE_HOLDS_VALUE (node) || json_node_get_string (node) == NULL)
        continue;
      g_ptr_array_add (field->values, g_strdup (json_node_get_string (node)));
      g_ptr_array_add (names, g_strdup (json_node_get_string (node)));
    }
  return names;
}

static char *
dup_title (Field *field, JsonObject *property)
{
  const char *title = stint_acp_get_string (property, "title");

  if (title == NULL)
    title = field->name;
  /* Translators: after the name of a field that may be left empty. */
  return field->required || field->kind == FIELD_SWITCH
             ? g_strdup (title)
             : g_strdup_printf (_ ("%s (Optional)"), title);
}

static char *
dup_default (JsonObject *property)
{
  JsonNode *node = json_object_has_member (property, "default")
                       ? json_object_get_member (property, "default")
                       : NULL;

  if (node == NULL || !JSON_NODE_HOLDS_VALUE (node))
    return NULL;
  if (json_node_get_value_type (node) == G_TYPE_STRING)
    return json_node_dup_string (node);
  return json_to_string (node, FALSE);
}

static void
make_entry (StintAgentForm *self, Field *field, JsonObject *property)
{
  g_autofree char *text = dup_default (property);
  const char *format = stint_acp_get_string (property, "format");

  field->row =
      g_strcmp0 (format, "password") == 0 ? stint_button_names_new_password_row ()
                                          : adw_entry_row_new ();
  if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (field->row), text);
  if (field->kind != FIELD_TEXT)
    gtk_text_set_input_purpose (GTK_TEXT (gtk_editable_get_delegate (GTK_EDITABLE (field->row))),
                                GTK_INPUT_PURPOSE_NUMBER);
  g_signal_connect_swapped (field->row, "entry-activated", G_CALLBACK (on_activated), self);
}

static void
make_switch (Field *field, JsonObject *property)
{
  field->row = adw_action_row_new ();
  field->widget = gtk_switch_new ();
  gtk_widget_set_valign (field->widget, GTK_ALIGN_CENTER);
  gtk_switch_set_active (GTK_SWITCH (field->widget),
                         stint_acp_get_boolean (property, "default", FALSE));
  adw_action_row_add_suffix (ADW_ACTION_ROW (field->row), field->widget);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (field->row), field->widget);
}

static void
make_choice (Field *field, GPtrArray *names, JsonObject *property)
{
  g_autofree char *chosen = dup_default (property);
  GtkStringList *model = gtk_string_list_new (NULL);

  field->row = adw_combo_row_new ();
  /* Nothing is chosen for the user. */
  if (!field->required)
    g_ptr_array_insert (field->values, 0, NULL);
  if (!field->required)
    gtk_string_list_append (model, _ ("None"));
  for (guint i = 0; i < names->len; i++)
    gtk_string_list_append (model, names->pdata[i]);
  adw_combo_row_set_model (ADW_COMBO_ROW (field->row), G_LIST_MODEL (model));
  for (guint i = 0; i < field->values->len; i++)
    if (chosen != NULL && g_strcmp0 (field->values->pdata[i], chosen) == 0)
      adw_combo_row_set_selected (ADW_COMBO_ROW (field->row), i);
  g_object_unref (model);
}

static gboolean
is_in_default (JsonObject *property, const char *value)
{
  JsonArray *chosen = stint_acp_get_array (property, "default");

  for (guint i = 0; chosen != NULL && i < json_array_get_length (chosen); i++)
    {
      JsonNode *node = json_array_get_element (chosen, i);

      if (JSON_NODE_HOLDS_VALUE (node) && g_strcmp0 (json_node_get_string (node), value) == 0)
        return TRUE;
    }
  return FALSE;
}

static void
make_choices (Field *field, GPtrArray *names, JsonObject *property)
{
  field->row = adw_expander_row_new ();
  adw_expander_row_set_expanded (ADW_EXPANDER_ROW (field->row), TRUE);
  for (guint i = 0; i < names->len; i++)
    {
      GtkWidget *row = adw_action_row_new ();
      GtkWidget *check = gtk_check_button_new ();

      adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
      adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), names->pdata[i]);
      gtk_check_button_set_active (GTK_CHECK_BUTTON (check),
                                   is_in_default (property, field->values->pdata[i]));
      gtk_accessible_update_property (GTK_ACCESSIBLE (check), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                      names->pdata[i], -1);
      adw_action_row_add_prefix (ADW_ACTION_ROW (row), check);
      adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), check);
      adw_expander_row_add_row (ADW_EXPANDER_ROW (field->row), row);
      g_ptr_array_add (field->checks, check);
    }
}

static void
make_row (StintAgentForm *self, Field *field, JsonObject *property)
{
  const char *type = stint_acp_get_string (property, "type");
  const char *description = stint_acp_get_string (property, "description");
  g_autoptr (GPtrArray) names = NULL;
  g_autofree char *title = NULL;

  if (g_strcmp0 (type, "array") == 0)
    {
      JsonObject *items = stint_acp_get_object (property, "items");

      field->kind = FIELD_CHOICES;
      names = items != NULL ? read_values (field, items) : g_ptr_array_new ();
      make_choices (field, names, property);
    }
  else
    {
      names = read_values (field, property);
      if (names->len > 0)
        {
          field->kind = FIELD_CHOICE;
          make_choice (field, names, property);
        }
      else if (g_strcmp0 (type, "boolean") == 0)
        {
          field->kind = FIELD_SWITCH;
          make_switch (field, property);
        }
      else
        {
          field->kind = g_strcmp0 (type, "number") == 0    ? FIELD_NUMBER
                        : g_strcmp0 (type, "integer") == 0 ? FIELD_INTEGER
                                                           : FIELD_TEXT;
          make_entry (self, field, property);
        }
    }

  title = dup_title (field, property);
  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (field->row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (field->row), title);
  if (field->widget != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (field->widget), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    title, -1);
  gtk_list_box_append (self->list, field->row);
  if (description == NULL)
    return;
  if (ADW_IS_ACTION_ROW (field->row))
    {
      g_autofree char *escaped = g_markup_escape_text (description, -1);

      adw_action_row_set_subtitle (ADW_ACTION_ROW (field->row), escaped);
    }
  gtk_widget_set_tooltip_text (field->row, description);
  gtk_accessible_update_property (GTK_ACCESSIBLE (field->row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  description, -1);
}

static void
stint_agent_form_dispose (GObject *object)
{
  StintAgentForm *self = STINT_AGENT_FORM (object);

  if (self->list != NULL)
    gtk_widget_unparent (GTK_WIDGET (self->list));
  self->list = NULL;
  g_clear_pointer (&self->fields, g_ptr_array_unref);

  G_OBJECT_CLASS (stint_agent_form_parent_class)->dispose (object);
}

static void
stint_agent_form_class_init (StintAgentFormClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_agent_form_dispose;

  signals[SUBMIT] = g_signal_new ("submit", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_layout_manager_type (GTK_WIDGET_CLASS (klass), GTK_TYPE_BIN_LAYOUT);
}

static void
stint_agent_form_init (StintAgentForm *self)
{
  self->fields = g_ptr_array_new_with_free_func ((GDestroyNotify) field_free);
  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "boxed-list");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("What the agent asks for"), -1);
  gtk_widget_set_parent (GTK_WIDGET (self->list), GTK_WIDGET (self));
}

GtkWidget *
stint_agent_form_new (JsonObject *schema)
{
  StintAgentForm *self = g_object_new (STINT_TYPE_AGENT_FORM, NULL);
  JsonObject *properties = schema != NULL ? stint_acp_get_object (schema, "properties") : NULL;
  g_autoptr (GList) names = properties != NULL ? json_object_get_members (properties) : NULL;

  for (GList *l = names; l != NULL; l = l->next)
    {
      JsonObject *property = stint_acp_get_object (properties, l->data);
      Field *field;

      if (property == NULL)
        continue;
      field = g_new0 (Field, 1);
      field->name = g_strdup (l->data);
      field->required = is_required (schema, l->data);
      field->values = g_ptr_array_new_with_free_func (g_free);
      field->checks = g_ptr_array_new ();
      g_ptr_array_add (self->fields, field);
      make_row (self, field, property);
    }
  return GTK_WIDGET (self);
}

/* What is no number stays a text: who checks the values says so. */
static void
add_number (JsonObject *object, Field *field, const char *text)
{
  char *end;
  gint64 integer = g_ascii_strtoll (text, &end, 10);

  if (*end == '\0')
    {
      json_object_set_int_member (object, field->name, integer);
      return;
    }
  {
    double number = g_ascii_strtod (text, &end);

    if (*end == '\0')
      json_object_set_double_member (object, field->name, number);
    else
      json_object_set_string_member (object, field->name, text);
  }
}

static void
add_value (JsonObject *object, Field *field)
{
  switch (field->kind)
    {
    case FIELD_SWITCH:
      json_object_set_boolean_member (object, field->name,
                                      gtk_switch_get_active (GTK_SWITCH (field->widget)));
      break;
    case FIELD_CHOICE:
      {
        guint selected = adw_combo_row_get_selected (ADW_COMBO_ROW (field->row));

        if (selected < field->values->len && field->values->pdata[selected] != NULL)
          json_object_set_string_member (object, field->name, field->values->pdata[selected]);
        break;
      }
    case FIELD_CHOICES:
      {
        JsonArray *array = json_array_new ();

        for (guint i = 0; i < field->checks->len; i++)
          if (gtk_check_button_get_active (field->checks->pdata[i]))
            json_array_add_string_element (array, field->values->pdata[i]);
        json_object_set_array_member (object, field->name, array);
        break;
      }
    case FIELD_TEXT:
    case FIELD_NUMBER:
    case FIELD_INTEGER:
    default:
      {
        const char *text = gtk_editable_get_text (GTK_EDITABLE (field->row));

        if (text[0] == '\0')
          break;
        if (field->kind == FIELD_TEXT)
          json_object_set_string_member (object, field->name, text);
        else
          add_number (object, field, text);
        break;
      }
    }
}

JsonNode *
stint_agent_form_dup_content (StintAgentForm *self)
{
  JsonNode *node;
  JsonObject *object;

  g_return_val_if_fail (STINT_IS_AGENT_FORM (self), NULL);

  object = json_object_new ();
  for (guint i = 0; i < self->fields->len; i++)
    add_value (object, self->fields->pdata[i]);
  node = json_node_alloc ();
  json_node_init_object (node, object);
  json_object_unref (object);
  return node;
}

GtkWidget *
stint_agent_form_get_row (StintAgentForm *self, const char *name)
{
  g_return_val_if_fail (STINT_IS_AGENT_FORM (self), NULL);

  for (guint i = 0; i < self->fields->len; i++)
    if (g_strcmp0 (((Field *) self->fields->pdata[i])->name, name) == 0)
      return ((Field *) self->fields->pdata[i])->row;
  return NULL;
}
