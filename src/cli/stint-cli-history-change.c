/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * `stintctl history remove`, `prune`, `clear`, `tag`, `untag`, `rename`, `pin`, `unpin`, `backup`: what
 * changes the history, or copies it.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-history-private.h"
#include "stint-error.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <json-glib/json-glib.h>
#include <string.h>

static void
tell_removed (StintCliHistory *self, const StintRemoved *removed)
{
  g_autofree char *size = g_format_size_full (removed->bytes, G_FORMAT_SIZE_IEC_UNITS);

  if (self->json)
    {
      g_print ("{\"removed\":%u,\"bytes\":%" G_GUINT64_FORMAT ",\"held\":%u}\n", removed->n_jobs,
               removed->bytes, removed->n_held);
      return;
    }
  /* Translators: followed by how much space that was */
  g_print (g_dngettext (GETTEXT_PACKAGE, "Removed %u job (%s)\n", "Removed %u jobs (%s)\n",
                        removed->n_jobs),
           removed->n_jobs, size);
  if (removed->n_held > 0)
    g_print (g_dngettext (GETTEXT_PACKAGE, "%u job runs or is looked at, and was kept\n",
                          "%u jobs run or are looked at, and were kept\n", removed->n_held),
             removed->n_held);
}

static gboolean
remove_ids (StintCliHistory *self, GArray *ids, GError **error)
{
  StintRemoved removed;

  if (!stint_archive_remove (self->archive, (const guint64 *) (void *) ids->data, ids->len,
                             &removed, error))
    return FALSE;
  tell_removed (self, &removed);
  return stint_archive_sweep (self->archive, error);
}

gboolean
stint_cli_history_remove (StintCliHistory *self, GError **error)
{
  g_autoptr (GArray) ids = stint_cli_history_resolve (self, error);

  return ids != NULL && remove_ids (self, ids, error);
}

static gboolean
no_words (StintCliHistory *self, const char *verb, GError **error)
{
  g_autofree char *clean = NULL;

  if (self->words[0] == NULL)
    return TRUE;
  clean = stint_text_clean (self->words[0], 40);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: a verb of the command line, and the word behind it */
               _ ("“%s” takes options only, and “%s” is none"), verb, clean);
  return FALSE;
}

static gboolean
parse_retention (StintCliHistory *self, StintRetention *retention, GError **error)
{
  if (self->older != NULL && !stint_duration_parse (self->older, &retention->max_age, error))
    {
      g_prefix_error (error, "%s: ", "--older");
      return FALSE;
    }
  if (self->max_size != NULL && !stint_size_parse (self->max_size, &retention->max_bytes, error))
    {
      g_prefix_error (error, "%s: ", "--max-size");
      return FALSE;
    }
  if (self->keep == NULL ||
      g_ascii_string_to_unsigned (self->keep, 10, 0, G_MAXINT64, &retention->max_jobs, NULL))
    return TRUE;
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("--keep takes a number of jobs"));
  return FALSE;
}

gboolean
stint_cli_history_prune (StintCliHistory *self, GError **error)
{
  /* What is asked for is done, and nothing else: without an option, the usual. */
  gboolean said = self->older != NULL || self->keep != NULL || self->max_size != NULL;
  StintRetention retention = said ? (StintRetention){ 0 } : STINT_RETENTION_DEFAULT;
  g_autoptr (GArray) ids = NULL;

  if (!no_words (self, "prune", error) || !parse_retention (self, &retention, error))
    return FALSE;
  ids = stint_archive_find_expired (self->archive, &retention, g_get_real_time (), error);
  if (ids == NULL)
    return FALSE;
  if (!self->dry_run)
    return remove_ids (self, ids, error);
  if (self->json)
    g_print ("{\"wouldRemove\":%u}\n", ids->len);
  else
    g_print (g_dngettext (GETTEXT_PACKAGE, "%u job would be removed\n",
                          "%u jobs would be removed\n", ids->len),
             ids->len);
  return TRUE;
}

gboolean
stint_cli_history_clear (StintCliHistory *self, GError **error)
{
  StintRemoved removed;

  if (!no_words (self, "clear", error))
    return FALSE;
  if (!self->yes)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   _ ("This removes every job, its output, and what is pinned: say --yes"));
      return FALSE;
    }
  if (!stint_archive_clear (self->archive, &removed, error))
    return FALSE;
  tell_removed (self, &removed);
  return TRUE;
}

/* The first word's job, as the list shows it. */
static StintEntry *
read_first (StintCliHistory *self, const char *verb, guint n_wanted, GError **error)
{
  g_autoptr (GPtrArray) entries = NULL;
  guint64 id;

  if (g_strv_length (self->words) < n_wanted)
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: a verb of the command line */
                   _ ("“%s” takes a job and what it is to have; see stintctl history --help"),
                   verb);
      return NULL;
    }
  if (!stint_searcher_resolve (self->searcher, self->words[0], &id, error))
    return NULL;
  entries = stint_searcher_read (self->searcher, &id, 1, error);
  if (entries == NULL)
    return NULL;
  return g_steal_pointer (&g_ptr_array_index (entries, 0));
}

static gboolean
change_tags (StintCliHistory *self, const char *verb, gboolean add, GError **error)
{
  g_autoptr (StintEntry) entry = read_first (self, verb, 2, error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) tags = NULL;
  const char *const *given = (const char *const *) self->words + 1;

  if (entry == NULL)
    return FALSE;
  for (guint i = 0; entry->tags[i] != NULL; i++)
    if (!g_strv_contains (given, entry->tags[i]))
      g_strv_builder_add (builder, entry->tags[i]);
  for (guint i = 0; add && given[i] != NULL; i++)
    g_strv_builder_add (builder, given[i]);
  tags = g_strv_builder_end (builder);
  return stint_archive_set_tags (self->archive, entry->id, (const char *const *) tags, error);
}

gboolean
stint_cli_history_tag (StintCliHistory *self, GError **error)
{
  return change_tags (self, "tag", TRUE, error);
}

gboolean
stint_cli_history_untag (StintCliHistory *self, GError **error)
{
  return change_tags (self, "untag", FALSE, error);
}

gboolean
stint_cli_history_rename (StintCliHistory *self, GError **error)
{
  g_autoptr (StintEntry) entry = read_first (self, "rename", 1, error);
  g_autofree char *name = NULL;

  if (entry == NULL)
    return FALSE;
  name = g_strjoinv (" ", self->words + 1);
  return stint_archive_rename (self->archive, entry->id, name, error);
}

static gboolean
pin (StintCliHistory *self, gboolean pinned, GError **error)
{
  g_autoptr (GArray) ids = stint_cli_history_resolve (self, error);

  return ids != NULL && stint_archive_pin (self->archive, (const guint64 *) (void *) ids->data,
                                           ids->len, pinned, error);
}

gboolean
stint_cli_history_pin (StintCliHistory *self, GError **error)
{
  return pin (self, TRUE, error);
}

gboolean
stint_cli_history_unpin (StintCliHistory *self, GError **error)
{
  return pin (self, FALSE, error);
}

gboolean
stint_cli_history_backup (StintCliHistory *self, GError **error)
{
  if (g_strv_length (self->words) == 1)
    return stint_searcher_backup (self->searcher, self->words[0], error);
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID, _ ("“backup” takes the file to write to"));
  return FALSE;
}
