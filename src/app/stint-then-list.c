/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What follows a job, in the dialog for a new one. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-then-list.h"

#include "stint-row-button.h"

#include <glib/gi18n.h>

typedef struct
{
  AdwEntryRow *row;
  GtkDropDown *when;
} Then;

struct _StintThenList
{
  AdwPreferencesGroup parent_instance;

  GArray *thens; /* of Then */
};

G_DEFINE_FINAL_TYPE (StintThenList, stint_then_list, ADW_TYPE_PREFERENCES_GROUP)

/* In the order of StintThen. */
static GtkDropDown *
new_when (void)
{
  const char *const names[] = {
    /* Translators: when a line that follows a job is run. */
    C_ ("then", "Always"),
    /* Translators: when a line that follows a job is run: if the job succeeds. */
    C_ ("then", "On Success"),
    /* Translators: when a line that follows a job is run: if the job fails. */
    C_ ("then", "On Failure"), NULL
  };
  GtkWidget *when = gtk_drop_down_new_from_strings (names);

  gtk_widget_set_valign (when, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (when), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("When It Is Run"), -1);
  return GTK_DROP_DOWN (when);
}

static void
on_remove (GtkWidget *button, StintThenList *self)
{
  GtkWidget *row = gtk_widget_get_ancestor (button, ADW_TYPE_ENTRY_ROW);

  for (guint i = 0; i < self->thens->len; i++)
    {
      if (GTK_WIDGET (g_array_index (self->thens, Then, i).row) != row)
        continue;
      g_array_remove_index (self->thens, i);
      /* The focus stays near to where it was. */
      if (self->thens->len > 0)
        gtk_widget_grab_focus (
            GTK_WIDGET (g_array_index (self->thens, Then, MIN (i, self->thens->len - 1)).row));
      else
        gtk_widget_child_focus (GTK_WIDGET (self), GTK_DIR_TAB_FORWARD);
      adw_preferences_group_remove (ADW_PREFERENCES_GROUP (self), row);
      return;
    }
}

void
stint_then_list_add (StintThenList *self, const char *line, StintThen when)
{
  GtkWidget *remove = stint_row_button_new ("edit-delete-symbolic", _ ("Remove This Line"));
  Then then = { ADW_ENTRY_ROW (adw_entry_row_new ()), new_when () };

  g_return_if_fail (STINT_IS_THEN_LIST (self));

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (then.row), _ ("Then Run"));
  adw_entry_row_set_activates_default (then.row, TRUE);
  adw_entry_row_set_input_hints (then.row, GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_NO_EMOJI);
  adw_entry_row_add_suffix (then.row, GTK_WIDGET (then.when));
  adw_entry_row_add_suffix (then.row, remove);
  gtk_drop_down_set_selected (then.when, when);
  g_signal_connect_object (remove, "clicked", G_CALLBACK (on_remove), self, G_CONNECT_DEFAULT);
  g_array_append_val (self->thens, then);
  adw_preferences_group_add (ADW_PREFERENCES_GROUP (self), GTK_WIDGET (then.row));
  if (line != NULL && *line != '\0')
    gtk_editable_set_text (GTK_EDITABLE (then.row), line);
  else
    gtk_widget_grab_focus (GTK_WIDGET (then.row));
}

static void
on_add_clicked (StintThenList *self)
{
  stint_then_list_add (self, NULL, STINT_THEN_ON_SUCCESS);
}

static void
stint_then_list_finalize (GObject *object)
{
  g_array_unref (STINT_THEN_LIST (object)->thens);

  G_OBJECT_CLASS (stint_then_list_parent_class)->finalize (object);
}

static void
stint_then_list_class_init (StintThenListClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_then_list_finalize;
}

static void
stint_then_list_init (StintThenList *self)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP (self);
  GtkWidget *add = stint_row_button_new ("list-add-symbolic", _ ("Add What Follows"));

  self->thens = g_array_new (FALSE, FALSE, sizeof (Then));
  adw_preferences_group_set_title (group, _ ("What Follows"));
  adw_preferences_group_set_description (group, _ ("Shell lines that run when the job has ended"));
  adw_preferences_group_set_header_suffix (group, add);
  g_signal_connect_object (add, "clicked", G_CALLBACK (on_add_clicked), self, G_CONNECT_SWAPPED);
}

GArray *
stint_then_list_list (StintThenList *self)
{
  GArray *list = g_array_new (FALSE, FALSE, sizeof (StintFormThen));

  g_return_val_if_fail (STINT_IS_THEN_LIST (self), list);

  for (guint i = 0; i < self->thens->len; i++)
    {
      Then *then = &g_array_index (self->thens, Then, i);
      StintFormThen form = { gtk_editable_get_text (GTK_EDITABLE (then->row)),
                             (StintThen) MIN (gtk_drop_down_get_selected (then->when),
                                              STINT_THEN_ON_FAILURE) };

      g_array_append_val (list, form);
    }
  return list;
}
