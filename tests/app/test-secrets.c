/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Secrets go into the keyring and come back for the same variable of the same command; where there is no
 * keyring, nothing is found and nothing fails. The keyring is libsecret's own file.
 */
#include "stint-secrets.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define PATIENCE_SECONDS 60
#define WITHOUT_KEYRING "--without-keyring"

static gboolean
on_impatient (gpointer data)
{
  g_error ("waited in vain for the keyring");
  return G_SOURCE_REMOVE;
}

typedef struct
{
  gboolean done;
  gboolean complete;
} Look;

static void
on_looked_up (GObject *source, GAsyncResult *result, gpointer user_data)
{
  Look *look = user_data;
  g_autoptr (GError) error = NULL;

  look->complete = stint_secrets_look_up_finish (STINT_JOB_SPEC (source), result, &error);
  g_assert_no_error (error);
  look->done = TRUE;
}

static gboolean
look_up (StintJobSpec *spec)
{
  Look look = { FALSE, FALSE };

  stint_secrets_look_up_async (spec, NULL, on_looked_up, &look);
  while (!look.done)
    g_main_context_iteration (NULL, TRUE);
  return look.complete;
}

static StintJobSpec *
new_spec (const char *line, const char *variable)
{
  StintJobSpec *spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, line);

  stint_job_spec_add_missing_secret (spec, variable);
  return spec;
}

static void
test_kept (void)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new_shell (STINT_JOB_KIND_SHELL, "deploy");
  g_autoptr (StintJobSpec) other_command = new_spec ("deploy --elsewhere", "PIN");
  g_autoptr (StintJobSpec) other_variable = new_spec ("deploy", "TAN");
  g_autoptr (StintJobSpec) plain = new_spec ("deploy", "PLAIN");
  g_autoptr (StintJobSpec) again = new_spec ("deploy", "PIN");
  guint impatient = g_timeout_add_seconds (PATIENCE_SECONDS, on_impatient, NULL);

  stint_job_spec_add_env (spec, "PLAIN=visible", NULL);
  stint_job_spec_add_env (spec, "PIN=12=34", NULL);
  stint_job_spec_mark_secret (spec, "PIN");
  stint_secrets_store_marked (spec);
  /* It is stored when it is: nobody is told. */
  while (!look_up (again))
    g_main_context_iteration (NULL, FALSE);
  g_source_remove (impatient);
  g_assert_cmpstr (stint_job_spec_get_env_changes (again)[0], ==, "PIN=12=34");
  g_assert_true (stint_job_spec_check (again, NULL));

  g_assert_false (look_up (other_command));
  g_assert_false (look_up (other_variable));
  g_assert_false (look_up (plain));
}

static const char *own_path;

/* What the other process below does. */
static int
run_without_keyring (void)
{
  g_autoptr (StintJobSpec) spec = new_spec ("deploy", "PIN");

  stint_secrets_store (spec, "PIN", "1234");
  g_assert_false (look_up (spec));
  return 0;
}

static void
test_no_keyring (void)
{
  const char *argv[] = { own_path, WITHOUT_KEYRING, NULL };
  g_auto (GStrv) environ = g_get_environ ();
  g_autoptr (GError) error = NULL;
  int status;

  environ = g_environ_unsetenv (environ, "SECRET_BACKEND");
  environ = g_environ_setenv (environ, "DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent", TRUE);
  g_assert_true (g_spawn_sync (NULL, (char **) argv, environ, G_SPAWN_DEFAULT, NULL, NULL, NULL, NULL,
                               &status, &error));
  g_assert_no_error (error);
  g_assert_true (g_spawn_check_wait_status (status, NULL));
}

int
main (int argc, char **argv)
{
  g_autofree char *directory = NULL;
  g_autofree char *path = NULL;
  int status;

  if (argc > 1 && g_str_equal (argv[1], WITHOUT_KEYRING))
    return run_without_keyring ();
  /* libsecret looks at this before main() does. */
  if (g_strcmp0 (g_getenv ("SECRET_BACKEND"), "file") != 0)
    {
      g_setenv ("SECRET_BACKEND", "file", TRUE);
      execv (argv[0], argv);
      g_error ("%s cannot start itself", argv[0]);
    }
  own_path = argv[0];
  directory = g_dir_make_tmp ("stint-secrets-XXXXXX", NULL);
  path = g_build_filename (directory, "keyring", NULL);
  g_setenv ("SECRET_FILE_TEST_PATH", path, TRUE);
  g_setenv ("SECRET_FILE_TEST_PASSWORD", "password", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/secrets/kept", test_kept);
  g_test_add_func ("/app/secrets/no-keyring", test_no_keyring);
  status = g_test_run ();
  g_unlink (path);
  g_rmdir (directory);
  return status;
}
