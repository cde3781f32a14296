/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Who owns a job's row: a process, named so that no later process can be taken for it.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include <string.h>
#include <unistd.h>

#include "stint-owner.h"

/* Of the fields behind the name, counted from 0. */
#define FIELD_STATE 0
#define FIELD_START_TIME 19

static gboolean
read_stat (int pid, char *state, guint64 *start_time)
{
  g_autofree char *path = g_strdup_printf ("/proc/%d/stat", pid);
  g_autofree char *text = NULL;
  g_auto (GStrv) fields = NULL;
  const char *name_end;

  if (!g_file_get_contents (path, &text, NULL, NULL))
    return FALSE;
  /* The name may hold anything, parentheses and spaces too, and is the only field that does. */
  name_end = strrchr (text, ')');
  if (name_end == NULL || name_end[1] == '\0')
    return FALSE;
  fields = g_strsplit (name_end + 2, " ", FIELD_START_TIME + 2);
  if (g_strv_length (fields) <= FIELD_START_TIME)
    return FALSE;
  *state = fields[FIELD_STATE][0];
  return g_ascii_string_to_unsigned (fields[FIELD_START_TIME], 10, 0, G_MAXUINT64, start_time,
                                     NULL);
}

static void
read_boot_id (char *boot_id, gsize size)
{
  g_autofree char *text = NULL;

  boot_id[0] = '\0';
  if (g_file_get_contents ("/proc/sys/kernel/random/boot_id", &text, NULL, NULL))
    g_strlcpy (boot_id, g_strchomp (text), size);
}

void
stint_owner_init_self (StintOwner *self)
{
  char state;

  memset (self, 0, sizeof *self);
  self->pid = (int) getpid ();
  if (!read_stat (self->pid, &state, &self->start_time))
    self->start_time = 0;
  read_boot_id (self->boot_id, sizeof self->boot_id);
}

gboolean
stint_owner_is_of_this_boot (const StintOwner *self)
{
  char boot_id[sizeof self->boot_id];

  read_boot_id (boot_id, sizeof boot_id);
  return *boot_id != '\0' && strcmp (boot_id, self->boot_id) == 0;
}

gboolean
stint_owner_is_alive (const StintOwner *self)
{
  char boot_id[sizeof self->boot_id];
  guint64 start_time;
  char state;

  if (self->pid <= 0)
    return FALSE;
  read_boot_id (boot_id, sizeof boot_id);
  if (strcmp (boot_id, self->boot_id) != 0)
    return FALSE;
  if (!read_stat (self->pid, &state, &start_time))
    return FALSE;
  return start_time == self->start_time && state != 'Z' && state != 'X';
}
