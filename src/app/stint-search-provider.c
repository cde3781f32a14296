/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs for the desktop's own search. A thread looks; who asks again does not wait for the last answer. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-search-provider.h"

#include "stint-history-text.h"
#include "stint-history-titles.h"
#include "stint-search-provider-generated.h"

#include <string.h>

#define TITLE_CHARS 200

/* Of a command that can be copied. */
#define CLIPBOARD_CHARS 4000

struct _StintSearchProvider
{
  GObject parent_instance;

  GApplication *application; /* (nullable) */
  char *directory;
  StintShellSearchProvider2 *skeleton;
  GCancellable *cancellable; /* (nullable): of the search that is going on */
  guint linger_id;           /* while it holds the application */
};

G_DEFINE_FINAL_TYPE (StintSearchProvider, stint_search_provider, G_TYPE_OBJECT)

enum
{
  OPEN,
  SEARCH,
  INDEX_LOST,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

/* What a thread does, and for whom. */
typedef struct
{
  StintSearchProvider *provider; /* until it is answered: the thread may keep the rest longer */
  GDBusMethodInvocation *invocation;
  char *directory;
  char **terms; /* a search; else rows are read */
  GArray *ids;
  gboolean index_lost; /* the answer: the search index was damaged */
} Question;

static void
question_free (gpointer data)
{
  Question *self = data;

  g_clear_pointer (&self->ids, g_array_unref);
  g_strfreev (self->terms);
  g_free (self->directory);
  g_clear_object (&self->provider);
  g_free (self);
}

static gboolean
on_lingered (gpointer user_data)
{
  StintSearchProvider *self = user_data;

  self->linger_id = 0;
  g_application_release (self->application);
  return G_SOURCE_REMOVE;
}

/* Nobody waits for a process that was started for one question, to be started for the next. */
static void
linger (StintSearchProvider *self)
{
  if (self->application == NULL)
    return;
  if (self->linger_id == 0)
    g_application_hold (self->application);
  else
    g_source_remove (self->linger_id);
  self->linger_id = g_timeout_add_seconds (STINT_SEARCH_LINGER, on_lingered, self);
}

static void
look (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Question *question = data;
  g_autoptr (StintSearcher) searcher = stint_searcher_new (question->directory);
  GError *error = NULL;
  GPtrArray *entries;

  if (question->terms != NULL)
    entries =
        stint_searcher_find_titles (searcher, (const char *const *) question->terms,
                                    STINT_SEARCH_RESULTS, cancellable, &error);
  else
    entries = stint_searcher_read (searcher, (const guint64 *) (gpointer) question->ids->data,
                                   question->ids->len, &error);
  question->index_lost = stint_searcher_take_lost_index (searcher);
  if (entries != NULL)
    g_task_return_pointer (task, entries, (GDestroyNotify) g_ptr_array_unref);
  else
    g_task_return_error (task, error);
}

static void
ask (Question *question, GCancellable *cancellable, GAsyncReadyCallback callback)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, question);

  g_task_set_source_tag (task, ask);
  g_task_set_task_data (task, question, question_free);
  g_task_run_in_thread (task, look);
}

static Question *
question_new (StintSearchProvider *self, GDBusMethodInvocation *invocation)
{
  Question *question = g_new0 (Question, 1);

  linger (self);
  question->provider = g_object_ref (self);
  question->invocation = invocation;
  question->directory = g_strdup (self->directory);
  return question;
}

static void
on_searched (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (StintSearchProvider) self = g_steal_pointer (&question->provider);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();
  g_auto (GStrv) ids = NULL;

  if (question->index_lost)
    g_signal_emit (self, signals[INDEX_LOST], 0);
  if (entries == NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    {
      g_dbus_method_invocation_return_gerror (question->invocation, error);
      return;
    }
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    {
      g_autofree char *id =
          g_strdup_printf ("%" G_GUINT64_FORMAT, ((StintEntry *) entries->pdata[i])->id);

      g_strv_builder_add (builder, id);
    }
  ids = g_strv_builder_end (builder);
  /* Both calls are answered alike. */
  g_dbus_method_invocation_return_value (question->invocation, g_variant_new ("(^as)", ids));
}

static void
search (StintSearchProvider *self, GDBusMethodInvocation *invocation, const char *const *terms)
{
  Question *question = question_new (self, invocation);

  /* Nobody looks at what was found for less. */
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  self->cancellable = g_cancellable_new ();
  question->terms = g_strdupv ((char **) terms);
  ask (question, self->cancellable, on_searched);
}

static gboolean
handle_initial (StintSearchProvider *self,
                GDBusMethodInvocation *invocation,
                const char *const *terms)
{
  search (self, invocation, terms);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_subsearch (StintSearchProvider *self,
                  GDBusMethodInvocation *invocation,
                  const char *const *previous,
                  const char *const *terms)
{
  search (self, invocation, terms);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static void
append_meta (GVariantBuilder *metas, const StintEntry *entry, GDateTime *now)
{
  g_autofree char *id = g_strdup_printf ("%" G_GUINT64_FORMAT, entry->id);
  g_autofree char *title = stint_entry_dup_title (entry, TITLE_CHARS);
  g_autofree char *facts = stint_history_text_dup_facts (entry, now);
  g_autofree char *command = g_utf8_substring (
      entry->command, 0, MIN (g_utf8_strlen (entry->command, -1), CLIPBOARD_CHARS));
  g_autoptr (GIcon) icon = g_themed_icon_new (stint_history_text_get_icon (entry));
  g_autoptr (GVariant) serialized = g_icon_serialize (icon);

  g_variant_builder_open (metas, G_VARIANT_TYPE_VARDICT);
  g_variant_builder_add (metas, "{sv}", "id", g_variant_new_string (id));
  g_variant_builder_add (metas, "{sv}", "name", g_variant_new_string (title));
  g_variant_builder_add (metas, "{sv}", "description", g_variant_new_string (facts));
  g_variant_builder_add (metas, "{sv}", "icon", serialized);
  g_variant_builder_add (metas, "{sv}", "clipboardText", g_variant_new_string (command));
  g_variant_builder_close (metas);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Question *question = user_data;
  g_autoptr (StintSearchProvider) self = g_steal_pointer (&question->provider);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = g_task_propagate_pointer (G_TASK (result), &error);
  g_autoptr (GDateTime) now = g_date_time_new_now_local ();
  GVariantBuilder metas;

  if (entries == NULL)
    {
      g_dbus_method_invocation_return_gerror (question->invocation, error);
      return;
    }
  g_variant_builder_init (&metas, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < entries->len; i++)
    {
      /* One can have been removed since it was found. */
      g_autoptr (StintEntry) entry = entries->pdata[i];

      if (entry != NULL)
        append_meta (&metas, entry, now);
    }
  stint_shell_search_provider2_complete_get_result_metas (
      self->skeleton, question->invocation, g_variant_builder_end (&metas));
}

static gboolean
parse_id (const char *text, guint64 *id)
{
  return g_ascii_string_to_unsigned (text, 10, 1, G_MAXINT64, id, NULL);
}

static gboolean
handle_metas (StintSearchProvider *self, GDBusMethodInvocation *invocation, const char *const *ids)
{
  Question *question = question_new (self, invocation);

  question->ids = g_array_new (FALSE, FALSE, sizeof (guint64));
  for (guint i = 0; ids[i] != NULL && question->ids->len < STINT_SEARCH_RESULTS; i++)
    {
      guint64 id;

      if (parse_id (ids[i], &id))
        g_array_append_val (question->ids, id);
    }
  ask (question, NULL, on_read);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_activate (StintSearchProvider *self,
                 GDBusMethodInvocation *invocation,
                 const char *text,
                 const char *const *terms,
                 guint32 timestamp)
{
  guint64 id;

  linger (self);
  if (!parse_id (text, &id))
    {
      g_dbus_method_invocation_return_error (invocation, G_DBUS_ERROR, G_DBUS_ERROR_INVALID_ARGS,
                                             "“%s” is not a job", text);
      return G_DBUS_METHOD_INVOCATION_HANDLED;
    }
  stint_shell_search_provider2_complete_activate_result (self->skeleton, invocation);
  g_signal_emit (self, signals[OPEN], 0, id);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
handle_launch (StintSearchProvider *self,
               GDBusMethodInvocation *invocation,
               const char *const *terms,
               guint32 timestamp)
{
  g_autofree char *query = stint_search_provider_dup_query (terms);

  linger (self);
  stint_shell_search_provider2_complete_launch_search (self->skeleton, invocation);
  g_signal_emit (self, signals[SEARCH], 0, query);
  return G_DBUS_METHOD_INVOCATION_HANDLED;
}

static gboolean
is_plain (const char *term)
{
  for (const char *p = term; *p != '\0'; p = g_utf8_next_char (p))
    if (!g_unichar_isalnum (g_utf8_get_char (p)) && (p == term || strchr ("-_./", *p) == NULL))
      return FALSE;
  return TRUE;
}

char *
stint_search_provider_dup_query (const char *const *terms)
{
  GString *query = g_string_new (NULL);

  for (guint i = 0; terms[i] != NULL; i++)
    {
      g_autofree char *term = g_utf8_make_valid (terms[i], -1);

      g_strdelimit (term, "\"\\\n\t", ' ');
      g_strstrip (term);
      if (*term == '\0')
        continue;
      /* In quotes a colon and a minus sign are nothing but that. */
      g_string_append_printf (query, is_plain (term) ? "%s%s" : "%s\"%s\"",
                              query->len > 0 ? " " : "", term);
    }
  return g_string_free (query, FALSE);
}

static void
stint_search_provider_dispose (GObject *object)
{
  StintSearchProvider *self = STINT_SEARCH_PROVIDER (object);

  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->cancellable);
  if (self->linger_id != 0)
    {
      g_clear_handle_id (&self->linger_id, g_source_remove);
      g_application_release (self->application);
    }
  if (self->skeleton != NULL)
    stint_search_provider_unexport (self);
  g_clear_object (&self->skeleton);

  G_OBJECT_CLASS (stint_search_provider_parent_class)->dispose (object);
}

static void
stint_search_provider_finalize (GObject *object)
{
  g_free (STINT_SEARCH_PROVIDER (object)->directory);

  G_OBJECT_CLASS (stint_search_provider_parent_class)->finalize (object);
}

static void
stint_search_provider_class_init (StintSearchProviderClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_search_provider_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_search_provider_finalize;

  signals[OPEN] =
      g_signal_new ("open", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1, G_TYPE_UINT64);
  signals[SEARCH] = g_signal_new ("search", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, G_TYPE_STRING);
  signals[INDEX_LOST] =
      g_signal_new ("index-lost", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void
stint_search_provider_init (StintSearchProvider *self)
{
  const struct
  {
    const char *signal;
    GCallback handler;
  } calls[] = {
    { "handle-get-initial-result-set", G_CALLBACK (handle_initial) },
    { "handle-get-subsearch-result-set", G_CALLBACK (handle_subsearch) },
    { "handle-get-result-metas", G_CALLBACK (handle_metas) },
    { "handle-activate-result", G_CALLBACK (handle_activate) },
    { "handle-launch-search", G_CALLBACK (handle_launch) },
  };

  self->skeleton = stint_shell_search_provider2_skeleton_new ();
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++)
    g_signal_connect_object (self->skeleton, calls[i].signal, calls[i].handler, self,
                             G_CONNECT_SWAPPED);
}

StintSearchProvider *
stint_search_provider_new (GApplication *application, const char *directory)
{
  StintSearchProvider *self;

  g_return_val_if_fail (application == NULL || G_IS_APPLICATION (application), NULL);
  g_return_val_if_fail (directory != NULL, NULL);

  self = g_object_new (STINT_TYPE_SEARCH_PROVIDER, NULL);
  self->application = application;
  self->directory = g_strdup (directory);
  return self;
}

gboolean
stint_search_provider_export (StintSearchProvider *self, GDBusConnection *bus, GError **error)
{
  g_return_val_if_fail (STINT_IS_SEARCH_PROVIDER (self), FALSE);
  g_return_val_if_fail (G_IS_DBUS_CONNECTION (bus), FALSE);

  return g_dbus_interface_skeleton_export (G_DBUS_INTERFACE_SKELETON (self->skeleton), bus,
                                           STINT_SEARCH_PROVIDER_PATH, error);
}

void
stint_search_provider_unexport (StintSearchProvider *self)
{
  GDBusInterfaceSkeleton *skeleton;

  g_return_if_fail (STINT_IS_SEARCH_PROVIDER (self));

  skeleton = G_DBUS_INTERFACE_SKELETON (self->skeleton);
  if (g_dbus_interface_skeleton_get_connection (skeleton) != NULL)
    g_dbus_interface_skeleton_unexport (skeleton);
}
