/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What is said at a field of a form. Which field is wrong, and why, the form decides. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-field-note.h"

struct _StintFieldNote
{
  AdwPreferencesRow parent_instance;

  GtkWidget *label;
  char *hint;
  char *mistake;
};

G_DEFINE_FINAL_TYPE (StintFieldNote, stint_field_note, ADW_TYPE_PREFERENCES_ROW)

static void
update (StintFieldNote *self)
{
  const char *text = self->mistake != NULL ? self->mistake : self->hint;

  gtk_label_set_label (GTK_LABEL (self->label), text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self), text != NULL && text[0] != '\0');
  if (self->mistake != NULL)
    {
      gtk_widget_remove_css_class (self->label, "dim-label");
      gtk_widget_add_css_class (self->label, "error");
    }
  else
    {
      gtk_widget_remove_css_class (self->label, "error");
      gtk_widget_add_css_class (self->label, "dim-label");
    }
}

/* The row is what screen readers find, the text in it what has the focus. */
static void
tell_accessible (GtkAccessible *accessible, const char *mistake)
{
  gtk_accessible_update_state (
      accessible, GTK_ACCESSIBLE_STATE_INVALID,
      mistake != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  if (mistake != NULL)
    gtk_accessible_update_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, mistake, -1);
  else
    gtk_accessible_reset_property (accessible, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

static void
stint_field_note_finalize (GObject *object)
{
  StintFieldNote *self = STINT_FIELD_NOTE (object);

  g_free (self->hint);
  g_free (self->mistake);

  G_OBJECT_CLASS (stint_field_note_parent_class)->finalize (object);
}

static void
stint_field_note_class_init (StintFieldNoteClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_field_note_finalize;
}

static void
stint_field_note_init (StintFieldNote *self)
{
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (self), FALSE);
  gtk_widget_set_focusable (GTK_WIDGET (self), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self), "field-note");

  self->label = gtk_label_new (NULL);
  gtk_label_set_xalign (GTK_LABEL (self->label), 0);
  gtk_label_set_wrap (GTK_LABEL (self->label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (self->label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_add_css_class (self->label, "caption");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (self), self->label);
  update (self);
}

GtkWidget *
stint_field_note_new (void)
{
  return g_object_new (STINT_TYPE_FIELD_NOTE, NULL);
}

void
stint_field_note_set_hint (StintFieldNote *self, const char *hint)
{
  g_return_if_fail (STINT_IS_FIELD_NOTE (self));

  if (g_strcmp0 (self->hint, hint) == 0)
    return;
  g_free (self->hint);
  self->hint = g_strdup (hint);
  update (self);
}

void
stint_field_note_set_mistake (StintFieldNote *self, AdwEntryRow *row, const char *mistake)
{
  g_return_if_fail (STINT_IS_FIELD_NOTE (self));
  g_return_if_fail (ADW_IS_ENTRY_ROW (row));

  if (g_strcmp0 (self->mistake, mistake) == 0)
    return;
  g_free (self->mistake);
  self->mistake = g_strdup (mistake);
  update (self);

  if (mistake != NULL)
    gtk_widget_add_css_class (GTK_WIDGET (row), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (row), "error");
  tell_accessible (GTK_ACCESSIBLE (row), mistake);
  tell_accessible (GTK_ACCESSIBLE (gtk_editable_get_delegate (GTK_EDITABLE (row))), mistake);
}

const char *
stint_field_note_get_mistake (StintFieldNote *self)
{
  g_return_val_if_fail (STINT_IS_FIELD_NOTE (self), NULL);

  return self->mistake;
}
