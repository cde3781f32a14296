/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Secrets in the keyring, by libsecret. A value goes from here into a spec's environment and nowhere
 * else. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-secrets.h"

#include <glib/gi18n.h>
#include <libsecret/secret.h>
#include <string.h>

static const SecretSchema schema = {
  .name = "io.github.stint.Stint.Variable",
  .flags = SECRET_SCHEMA_NONE,
  .attributes = {
    { "variable", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { "command", SECRET_SCHEMA_ATTRIBUTE_STRING },
    { NULL, 0 },
  },
};

/* UTF-8, as D-Bus wants it. */
static char *
dup_command (StintJobSpec *spec)
{
  g_autofree char *line = stint_job_spec_dup_command_line (spec);

  return g_utf8_make_valid (line, -1);
}

typedef struct
{
  char **names;
  guint next;
} LookUp;

static void
look_up_free (gpointer data)
{
  LookUp *look_up = data;

  g_strfreev (look_up->names);
  g_free (look_up);
}

static void look_up_next (GTask *task);

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = G_TASK (user_data);
  LookUp *look_up = g_task_get_task_data (task);
  StintJobSpec *spec = g_task_get_source_object (task);
  g_autoptr (GError) error = NULL;
  char *value = secret_password_lookup_finish (result, &error);

  if (value != NULL)
    {
      g_autofree char *change = g_strconcat (look_up->names[look_up->next], "=", value, NULL);

      stint_job_spec_add_env (spec, change, NULL);
      secret_password_free (value);
    }
  else if (error != NULL)
    {
      /* No keyring has none of the others either. */
      g_debug ("The keyring: %s", error->message);
      g_task_return_boolean (task, FALSE);
      return;
    }
  look_up->next++;
  look_up_next (task);
}

static void
look_up_next (GTask *task)
{
  LookUp *look_up = g_task_get_task_data (task);
  StintJobSpec *spec = g_task_get_source_object (task);
  g_autofree char *command = NULL;

  if (look_up->names[look_up->next] == NULL)
    {
      g_auto (GStrv) missing = stint_job_spec_dup_missing_secrets (spec);

      g_task_return_boolean (task, missing[0] == NULL);
      return;
    }
  command = dup_command (spec);
  secret_password_lookup (&schema, g_task_get_cancellable (task), on_looked_up, g_object_ref (task),
                          "variable", look_up->names[look_up->next], "command", command, NULL);
}

void
stint_secrets_look_up_async (StintJobSpec *spec,
                             GCancellable *cancellable,
                             GAsyncReadyCallback callback,
                             gpointer user_data)
{
  g_autoptr (GTask) task = NULL;
  LookUp *look_up;

  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  task = g_task_new (spec, cancellable, callback, user_data);
  g_task_set_source_tag (task, stint_secrets_look_up_async);
  look_up = g_new0 (LookUp, 1);
  look_up->names = stint_job_spec_dup_missing_secrets (spec);
  g_task_set_task_data (task, look_up, look_up_free);
  look_up_next (task);
}

gboolean
stint_secrets_look_up_finish (StintJobSpec *spec, GAsyncResult *result, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (result, spec), FALSE);

  return g_task_propagate_boolean (G_TASK (result), error);
}

static void
on_stored (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GError) error = NULL;

  if (!secret_password_store_finish (result, &error))
    g_debug ("Not kept in the keyring: %s", error->message);
}

void
stint_secrets_store (StintJobSpec *spec, const char *variable, const char *value)
{
  g_autofree char *command = NULL;
  g_autofree char *title = NULL;
  g_autofree char *label = NULL;

  g_return_if_fail (STINT_IS_JOB_SPEC (spec));
  g_return_if_fail (variable != NULL && value != NULL);

  if (!g_utf8_validate (variable, -1, NULL) || !g_utf8_validate (value, -1, NULL))
    return;
  command = dup_command (spec);
  title = stint_job_spec_dup_title (spec);
  /* Translators: how the keyring lists a secret: a variable’s name, and a job’s. */
  label = g_strdup_printf (_ ("%s for “%s” in Stint"), variable, title);
  secret_password_store (&schema, SECRET_COLLECTION_DEFAULT, label, value, NULL, on_stored, NULL,
                         "variable", variable, "command", command, NULL);
}

void
stint_secrets_store_marked (StintJobSpec *spec)
{
  const char *const *changes;

  g_return_if_fail (STINT_IS_JOB_SPEC (spec));

  changes = stint_job_spec_get_env_changes (spec);
  for (guint i = 0; changes[i] != NULL; i++)
    {
      const char *equals = strchr (changes[i], '=');
      g_autofree char *name =
          equals != NULL ? g_strndup (changes[i], (gsize) (equals - changes[i])) : NULL;

      if (name != NULL && stint_job_spec_is_secret (spec, name))
        stint_secrets_store (spec, name, equals + 1);
    }
}
