/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A job's place on the board: section, what it needs, whether it has been looked at, and the text
 * by which it is found. Where it stands, the board decides. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-entry-private.h"

#include <string.h>

/* However long a command is, finding it must not take long. */
#define HAYSTACK_CHARS 4000

G_DEFINE_FINAL_TYPE (StintJobEntry, stint_job_entry, G_TYPE_OBJECT)

enum
{
  PROP_0,
  PROP_JOB,
  PROP_SECTION,
  PROP_HEADING,
  PROP_NEED,
  PROP_UNREAD,
  PROP_ABOVE,
  N_PROPS,
};

static GParamSpec *properties[N_PROPS];

static void
stint_job_entry_get_property (GObject *object, guint prop_id, GValue *value, GParamSpec *pspec)
{
  StintJobEntry *self = STINT_JOB_ENTRY (object);

  switch (prop_id)
    {
    case PROP_JOB:
      g_value_set_object (value, self->job);
      break;
    case PROP_SECTION:
      g_value_set_int (value, (int) self->section);
      break;
    case PROP_HEADING:
      g_value_set_string (value, self->heading);
      break;
    case PROP_NEED:
      g_value_set_string (value, self->need);
      break;
    case PROP_UNREAD:
      g_value_set_boolean (value, self->unread);
      break;
    case PROP_ABOVE:
      g_value_set_object (value, self->above);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, prop_id, pspec);
    }
}

static void
stint_job_entry_finalize (GObject *object)
{
  StintJobEntry *self = STINT_JOB_ENTRY (object);

  g_clear_object (&self->job);
  g_free (self->heading);
  g_free (self->need);
  g_free (self->haystack);
  g_free (self->asks);

  G_OBJECT_CLASS (stint_job_entry_parent_class)->finalize (object);
}

static void
stint_job_entry_class_init (StintJobEntryClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);

  object_class->get_property = stint_job_entry_get_property;
  object_class->finalize = stint_job_entry_finalize;

  properties[PROP_JOB] = g_param_spec_object ("job", NULL, NULL, STINT_TYPE_JOB,
                                              G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_SECTION] =
      g_param_spec_int ("section", NULL, NULL, 0, STINT_N_SECTIONS - 1, 0,
                        G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_HEADING] =
      g_param_spec_string ("heading", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_NEED] =
      g_param_spec_string ("need", NULL, NULL, NULL, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_UNREAD] =
      g_param_spec_boolean ("unread", NULL, NULL, FALSE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  properties[PROP_ABOVE] =
      g_param_spec_object ("above", NULL, NULL, STINT_TYPE_JOB_ENTRY,
                           G_PARAM_READABLE | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (object_class, N_PROPS, properties);
}

static void
stint_job_entry_init (StintJobEntry *self)
{
}

StintJobEntry *
stint_job_entry_new (StintJob *job)
{
  StintJobEntry *self = g_object_new (STINT_TYPE_JOB_ENTRY, NULL);

  self->job = g_object_ref (job);
  return self;
}

StintJob *
stint_job_entry_get_job (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), NULL);

  return self->job;
}

StintSection
stint_job_entry_get_section (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), STINT_SECTION_RECENT);

  return self->section;
}

void
stint_job_entry_set_section (StintJobEntry *self, StintSection section)
{
  if (self->section == section)
    return;
  self->section = section;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_SECTION]);
}

StintJobEntry *
stint_job_entry_get_above (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), NULL);

  return self->above;
}

void
stint_job_entry_set_above (StintJobEntry *self, StintJobEntry *above)
{
  if (self->above == above)
    return;
  self->above = above;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_ABOVE]);
}

const char *
stint_job_entry_get_need (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), NULL);

  return self->need;
}

void
stint_job_entry_set_need (StintJobEntry *self, const char *need)
{
  if (g_strcmp0 (self->need, need) == 0)
    return;
  g_free (self->need);
  self->need = g_strdup (need);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_NEED]);
}

const char *
stint_job_entry_get_heading (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), NULL);

  return self->heading;
}

void
stint_job_entry_set_heading (StintJobEntry *self, const char *heading)
{
  g_return_if_fail (STINT_IS_JOB_ENTRY (self));

  if (g_strcmp0 (self->heading, heading) == 0)
    return;
  g_free (self->heading);
  self->heading = g_strdup (heading);
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_HEADING]);
}

gboolean
stint_job_entry_get_unread (StintJobEntry *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), FALSE);

  return self->unread;
}

void
stint_job_entry_update_unread (StintJobEntry *self)
{
  guint64 bytes;
  gboolean unread;

  g_return_if_fail (STINT_IS_JOB_ENTRY (self));

  bytes = stint_job_get_output_bytes (self->job);
  if (self->looked_at)
    self->looked_bytes = bytes;
  unread = bytes > self->looked_bytes;
  if (self->unread == unread)
    return;
  self->unread = unread;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_UNREAD]);
}

void
stint_job_entry_set_looked_at (StintJobEntry *self, gboolean looked_at)
{
  g_return_if_fail (STINT_IS_JOB_ENTRY (self));

  /* What came until now has been looked at if it was looked at until now. */
  stint_job_entry_update_unread (self);
  self->looked_at = looked_at;
  stint_job_entry_update_unread (self);
}

static char *
fold (const char *text)
{
  g_autofree char *normal = g_utf8_normalize (text, -1, G_NORMALIZE_ALL);

  return normal != NULL ? g_utf8_casefold (normal, -1) : g_strdup ("");
}

static void
append (GString *haystack, const char *text)
{
  g_autofree char *valid = text != NULL ? g_utf8_make_valid (text, -1) : NULL;

  if (valid != NULL)
    g_string_append_printf (haystack, "%s\n", valid);
}

static const char *
get_haystack (StintJobEntry *self)
{
  StintJobSpec *spec = stint_job_get_spec (self->job);
  g_autoptr (GString) haystack = NULL;
  g_autofree char *line = NULL;
  g_autofree char *clamped = NULL;

  if (self->haystack != NULL)
    return self->haystack;
  haystack = g_string_new (NULL);
  append (haystack, stint_job_spec_get_name (spec));
  append (haystack, stint_job_spec_get_directory (spec));
  for (const char *const *tag = stint_job_spec_get_tags (spec); tag != NULL && *tag != NULL; tag++)
    append (haystack, *tag);
  line = stint_job_spec_dup_command_line (spec);
  append (haystack, line);
  clamped = g_utf8_substring (haystack->str, 0,
                              MIN (g_utf8_strlen (haystack->str, -1), HAYSTACK_CHARS));
  self->haystack = fold (clamped);
  return self->haystack;
}

gboolean
stint_job_entry_matches (StintJobEntry *self, const char *const *words)
{
  g_return_val_if_fail (STINT_IS_JOB_ENTRY (self), FALSE);

  for (; words != NULL && *words != NULL; words++)
    {
      if (**words != '\0' && strstr (get_haystack (self), *words) == NULL)
        return FALSE;
    }
  return TRUE;
}

char **
stint_job_entry_fold (const char *text)
{
  g_autofree char *valid = NULL;
  g_autofree char *folded = NULL;

  g_return_val_if_fail (text != NULL, NULL);

  valid = g_utf8_make_valid (text, -1);
  folded = fold (valid);
  return g_strsplit_set (g_strstrip (folded), " \t", -1);
}
