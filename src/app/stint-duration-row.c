/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A duration that can be typed, as a property in seconds. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-duration-row.h"

#include "stint-units.h"

#include <glib/gi18n.h>
#include <string.h>

struct _StintDurationRow
{
  AdwEntryRow parent_instance;

  guint seconds;
  guint maximum;
  StintFieldNote *note; /* weak */
  gboolean typing;      /* the value comes from the text, which stays as it was written */
};

G_DEFINE_FINAL_TYPE (StintDurationRow, stint_duration_row, ADW_TYPE_ENTRY_ROW)

enum
{
  PROP_0,
  PROP_SECONDS,
  PROP_MAXIMUM,
  PROP_NOTE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static gboolean
parse (StintDurationRow *self, guint *seconds, GError **error)
{
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self));
  gint64 usec = 0;

  if (text[strspn (text, " \t")] != '\0' && !stint_duration_parse (text, &usec, error))
    return FALSE;
  if (usec > (gint64) self->maximum * G_USEC_PER_SEC)
    {
      g_autofree char *most =
          stint_duration_format_words ((gint64) self->maximum * G_USEC_PER_SEC);

      /* Translators: %s is a duration, such as “1 h”. */
      g_set_error (error, G_OPTION_ERROR, G_OPTION_ERROR_BAD_VALUE, _ ("At most %s"), most);
      return FALSE;
    }
  /* However short it is, it is not "none". */
  *seconds = (guint) ((usec + G_USEC_PER_SEC - 1) / G_USEC_PER_SEC);
  return TRUE;
}

static void
on_changed (StintDurationRow *self)
{
  g_autoptr (GError) error = NULL;
  guint seconds = self->seconds;

  parse (self, &seconds, &error);
  if (self->note != NULL)
    stint_field_note_set_mistake (self->note, ADW_ENTRY_ROW (self),
                                  error != NULL ? error->message : NULL);
  if (seconds == self->seconds)
    return;
  self->typing = TRUE;
  g_object_set (self, "seconds", seconds, NULL);
  self->typing = FALSE;
}

static void
set_seconds (StintDurationRow *self, guint seconds)
{
  if (self->seconds == seconds)
    return;
  self->seconds = seconds;
  if (!self->typing)
    {
      g_autofree char *text =
          seconds > 0 ? stint_duration_format ((gint64) seconds * G_USEC_PER_SEC) : g_strdup ("");

      gtk_editable_set_text (GTK_EDITABLE (self), text);
    }
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SECONDS]);
}

static void
stint_duration_row_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintDurationRow *self = STINT_DURATION_ROW (object);

  switch (prop_id)
    {
    case PROP_SECONDS:
      g_value_set_uint (value, self->seconds);
      break;
    case PROP_MAXIMUM:
      g_value_set_uint (value, self->maximum);
      break;
    case PROP_NOTE:
      g_value_set_object (value, self->note);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_duration_row_set_property (GObject *object,
                                 guint prop_id,
                                 const GValue *value,
                                 GParamSpec *pspec)
{
  StintDurationRow *self = STINT_DURATION_ROW (object);

  switch (prop_id)
    {
    case PROP_SECONDS:
      set_seconds (self, g_value_get_uint (value));
      break;
    case PROP_MAXIMUM:
      self->maximum = g_value_get_uint (value);
      break;
    case PROP_NOTE:
      g_set_weak_pointer (&self->note, g_value_get_object (value));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_duration_row_dispose (GObject *object)
{
  StintDurationRow *self = STINT_DURATION_ROW (object);

  g_clear_weak_pointer (&self->note);

  G_OBJECT_CLASS (stint_duration_row_parent_class)->dispose (object);
}

static void
stint_duration_row_class_init (StintDurationRowClass *klass)
{
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stint_duration_row_get_property;
  object_class->set_property = stint_duration_row_set_property;
  object_class->dispose = stint_duration_row_dispose;

  properties[PROP_SECONDS] = g_param_spec_uint ("seconds", NULL, NULL, 0, G_MAXUINT, 0, flags);
  properties[PROP_MAXIMUM] =
      g_param_spec_uint ("maximum", NULL, NULL, 0, G_MAXUINT, G_MAXUINT, flags);
  properties[PROP_NOTE] = g_param_spec_object ("note", NULL, NULL, STINT_TYPE_FIELD_NOTE, flags);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_duration_row_init (StintDurationRow *self)
{
  self->maximum = G_MAXUINT;
  adw_entry_row_set_input_hints (ADW_ENTRY_ROW (self),
                                 GTK_INPUT_HINT_NO_SPELLCHECK | GTK_INPUT_HINT_NO_EMOJI);
  /* Not "changed": a text that is replaced is empty for a moment. */
  g_signal_connect (self, "notify::text", G_CALLBACK (on_changed), NULL);
}
