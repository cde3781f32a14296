/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The window process, as a command line sees it; and which job a word means, there and in the history.
 */
#define G_LOG_DOMAIN "stintctl"
#include "config.h"

#include "stint-cli-window.h"

#include "stint-bus.h"
#include "stint-cli-records.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-units.h"

#include <glib/gi18n.h>
#include <inttypes.h>
#include <string.h>

/* More jobs of one name than this are not named one by one. */
#define MOST_NAMED 8

StintBusJobs *
stint_cli_window_connect (gboolean start, GError **error)
{
  g_autoptr (StintBusJobs) window = NULL;
  g_autoptr (GError) why = NULL;
  g_autofree char *owner = NULL;
  GDBusProxyFlags flags =
      G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES | G_DBUS_PROXY_FLAGS_DO_NOT_CONNECT_SIGNALS;

  stint_bus_register_errors ();
  if (!start)
    flags |= G_DBUS_PROXY_FLAGS_DO_NOT_AUTO_START;
  window = stint_bus_jobs_proxy_new_for_bus_sync (G_BUS_TYPE_SESSION, flags, APP_ID, STINT_BUS_PATH,
                                                  NULL, &why);
  if (window == NULL)
    {
      g_debug ("No session bus: %s", why->message);
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                           _ ("There is no session bus, and so no window of Stint to be reached"));
      return NULL;
    }
  owner = g_dbus_proxy_get_name_owner (G_DBUS_PROXY (window));
  if (owner == NULL)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                           _ ("Stint’s window is not there; “stint” starts it"));
      return NULL;
    }
  g_dbus_connection_set_exit_on_close (g_dbus_proxy_get_connection (G_DBUS_PROXY (window)), FALSE);
  g_dbus_proxy_set_default_timeout (G_DBUS_PROXY (window), G_MAXINT);
  return g_steal_pointer (&window);
}

int
stint_cli_window_get_pid (StintBusJobs *window)
{
  g_autoptr (GVariant) reply = NULL;
  guint32 pid = 0;

  if (window == NULL)
    return 0;
  reply = g_dbus_connection_call_sync (g_dbus_proxy_get_connection (G_DBUS_PROXY (window)),
                                       "org.freedesktop.DBus", "/org/freedesktop/DBus",
                                       "org.freedesktop.DBus", "GetConnectionUnixProcessID",
                                       g_variant_new ("(s)", APP_ID), G_VARIANT_TYPE ("(u)"),
                                       G_DBUS_CALL_FLAGS_NONE, -1, NULL, NULL);
  if (reply != NULL)
    g_variant_get (reply, "(u)", &pid);
  return (int) pid;
}

guint64
stint_cli_get_id (GVariant *facts)
{
  guint64 id = 0;

  g_variant_lookup (facts, "id", "t", &id);
  return id;
}

const char *
stint_cli_get_text (GVariant *facts, const char *name)
{
  const char *text = NULL;

  g_variant_lookup (facts, name, "&s", &text);
  return text;
}

gint64
stint_cli_get_number (GVariant *facts, const char *name, gint64 otherwise)
{
  g_autoptr (GVariant) value = g_variant_lookup_value (facts, name, NULL);

  if (value == NULL)
    return otherwise;
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT64))
    return g_variant_get_int64 (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_INT32))
    return g_variant_get_int32 (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT64))
    return (gint64) g_variant_get_uint64 (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_UINT32))
    return g_variant_get_uint32 (value);
  return otherwise;
}

const char *
stint_cli_get_bytes (GVariant *facts, const char *name)
{
  const char *bytes = NULL;

  g_variant_lookup (facts, name, "^&ay", &bytes);
  return bytes;
}

gboolean
stint_cli_has_finished (GVariant *facts)
{
  return g_strcmp0 (stint_cli_get_text (facts, "state"), "finished") == 0;
}

gboolean
stint_cli_is_in_window (StintBusJobs *window, GVariant *facts)
{
  g_autoptr (GVariant) found = NULL;

  return window != NULL &&
         stint_bus_jobs_call_get_sync (window, stint_cli_get_id (facts), &found, NULL, NULL);
}

/* (transfer full) (nullable): with @error only if something went wrong. */
static GVariant *
read_one (guint64 id, const char *name, gboolean running, GError **error)
{
  g_autofree char *state = stint_job_directories_dup_state ();
  const StintCliRecordQuery query = { id, name, running, 1 };
  g_autoptr (GPtrArray) found = stint_cli_records_read (state, &query, error);

  return found != NULL && found->len > 0 ? g_variant_ref (found->pdata[0]) : NULL;
}

static GVariant *
find_by_id (StintBusJobs *window, guint64 id, GError **error)
{
  g_autoptr (GVariant) facts = NULL;
  g_autoptr (GError) why = NULL;

  if (window != NULL && stint_bus_jobs_call_get_sync (window, id, &facts, NULL, NULL))
    return g_steal_pointer (&facts);
  facts = read_one (id, NULL, FALSE, &why);
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  else if (facts == NULL)
    g_set_error (error, STINT_ERROR, STINT_ERROR_NO_JOB,
                 /* Translators: a job's number */
                 _ ("There is no job %" PRIu64), id);
  return g_steal_pointer (&facts);
}

/* What the window lists, newest first; an empty list without a window. */
static GVariant *
list_window (StintBusJobs *window, gboolean all)
{
  g_autoptr (GVariant) jobs = NULL;

  if (window == NULL || !stint_bus_jobs_call_list_sync (window, all, &jobs, NULL, NULL))
    jobs = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE_VARDICT, NULL, 0));
  return g_steal_pointer (&jobs);
}

static GVariant *
find_last (StintBusJobs *window, gboolean active, GError **error)
{
  g_autoptr (GVariant) jobs = list_window (window, !active);
  g_autoptr (GVariant) last = NULL;
  g_autoptr (GVariant) kept = NULL;
  g_autoptr (GError) why = NULL;

  for (gsize i = 0; i < g_variant_n_children (jobs); i++)
    {
      g_autoptr (GVariant) facts = g_variant_get_child_value (jobs, i);

      if (last == NULL || stint_cli_get_id (facts) > stint_cli_get_id (last))
        {
          g_clear_pointer (&last, g_variant_unref);
          last = g_steal_pointer (&facts);
        }
    }
  kept = read_one (0, NULL, active, &why);
  if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return NULL;
    }
  if (kept != NULL && active && stint_cli_has_finished (kept))
    g_clear_pointer (&kept, g_variant_unref);
  if (kept != NULL && (last == NULL || stint_cli_get_id (kept) > stint_cli_get_id (last)))
    return g_steal_pointer (&kept);
  if (last == NULL)
    g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NO_JOB,
                         active ? _ ("No job is running") : _ ("There is no job yet"));
  return g_steal_pointer (&last);
}

static gboolean
goes_by (GVariant *facts, const char *word)
{
  const char *name = stint_cli_get_text (facts, "name");

  if (name == NULL)
    name = stint_cli_get_text (facts, "command");
  return g_strcmp0 (name, word) == 0;
}

static void
set_ambiguous (const char *word, GPtrArray *found, GError **error)
{
  g_autofree char *clean = stint_text_clean (word, 40);
  g_autoptr (GString) ids = g_string_new (NULL);

  for (guint i = 0; i < MIN (found->len, MOST_NAMED); i++)
    g_string_append_printf (ids, "%s%" PRIu64, i > 0 ? ", " : "",
                            stint_cli_get_id (found->pdata[i]));
  if (found->len > MOST_NAMED)
    g_string_append (ids, ", …");
  g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
               /* Translators: a name, and a list of numbers */
               _ ("There are several running jobs “%s”; say which by its number: %s"), clean,
               ids->str);
}

/* Returns: the unfinished jobs that @word means: of the window, and of the history those it does not
 * know. */
static GPtrArray *
find_active_by_name (StintBusJobs *window, const char *word, GError **error)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_with_free_func ((GDestroyNotify) g_variant_unref);
  g_autoptr (GVariant) jobs = list_window (window, FALSE);
  g_autofree char *state = stint_job_directories_dup_state ();
  const StintCliRecordQuery query = { 0, word, TRUE, 100 };
  g_autoptr (GPtrArray) kept = stint_cli_records_read (state, &query, error);
  gsize n_listed = g_variant_n_children (jobs);

  if (kept == NULL)
    return NULL;
  for (gsize i = 0; i < n_listed; i++)
    {
      g_autoptr (GVariant) facts = g_variant_get_child_value (jobs, i);

      if (goes_by (facts, word))
        g_ptr_array_add (found, g_steal_pointer (&facts));
    }
  for (guint i = 0; i < kept->len; i++)
    {
      if (!stint_cli_has_finished (kept->pdata[i]) &&
          !stint_cli_is_in_window (window, kept->pdata[i]))
        g_ptr_array_add (found, g_variant_ref (kept->pdata[i]));
    }
  return g_steal_pointer (&found);
}

static GVariant *
find_by_name (StintBusJobs *window, const char *word, gboolean active, GError **error)
{
  g_autoptr (GPtrArray) found = find_active_by_name (window, word, error);
  g_autofree char *clean = stint_text_clean (word, 40);
  g_autoptr (GVariant) facts = NULL;
  g_autoptr (GError) why = NULL;

  if (found == NULL)
    return NULL;
  if (found->len == 1)
    return g_variant_ref (found->pdata[0]);
  if (found->len > 1)
    {
      set_ambiguous (word, found, error);
      return NULL;
    }
  facts = read_one (0, word, FALSE, &why);
  if (why != NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  else if (facts == NULL)
    g_set_error (error, STINT_ERROR, STINT_ERROR_NO_JOB,
                 /* Translators: a name */
                 _ ("There is no job “%s”: a job is a number, a name, or “last”"), clean);
  return g_steal_pointer (&facts);
}

GVariant *
stint_cli_find_job (StintBusJobs *window, const char *word, gboolean active, GError **error)
{
  g_autoptr (GVariant) facts = NULL;
  guint64 id;

  if (strcmp (word, "last") == 0)
    return find_last (window, active, error);
  if (g_ascii_string_to_unsigned (word, 10, 1, STINT_MAX_JOB_ID, &id, NULL))
    facts = find_by_id (window, id, error);
  else
    facts = find_by_name (window, word, active, error);
  if (facts != NULL && active && stint_cli_has_finished (facts))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_NOT_RUNNING,
                   /* Translators: a job's number */
                   _ ("Job %" PRIu64 " has ended"), stint_cli_get_id (facts));
      return NULL;
    }
  return g_steal_pointer (&facts);
}
