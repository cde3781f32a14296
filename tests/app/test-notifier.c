/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What notifications say, when they come and when they go: against a notification service of the test's
 * own, on a bus of its own. Nothing that is missing is waited for: a notification of another job that
 * comes after it shows that there was none.
 */
#include "config.h"

#include "stint-background.h"
#include "stint-notifier.h"
#include "stint-units.h"

#include "engine-fixture.h"

static const char service_xml[] =
    "<node><interface name='org.freedesktop.Notifications'>"
    "<method name='GetCapabilities'><arg type='as' direction='out'/></method>"
    "<method name='GetServerInformation'><arg type='s' direction='out'/><arg type='s' direction='out'/>"
    "<arg type='s' direction='out'/><arg type='s' direction='out'/></method>"
    "<method name='Notify'><arg type='s' direction='in'/><arg type='u' direction='in'/>"
    "<arg type='s' direction='in'/><arg type='s' direction='in'/><arg type='s' direction='in'/>"
    "<arg type='as' direction='in'/><arg type='a{sv}' direction='in'/><arg type='i' direction='in'/>"
    "<arg type='u' direction='out'/></method>"
    "<method name='CloseNotification'><arg type='u' direction='in'/></method>"
    "</interface></node>";

typedef struct
{
  char *title;
  char *body;
  char **actions; /* name and label in turn */
  gboolean closed;
  guint id;
} Shown;

static void
shown_free (gpointer data)
{
  Shown *shown = data;

  g_free (shown->title);
  g_free (shown->body);
  g_strfreev (shown->actions);
  g_free (shown);
}

/* One desktop and one application for all: GLib's notifications do not outlive an application that is
 * disposed of. */
static GDBusConnection *desktop;
static GApplication *application;
static GPtrArray *all_shown; /* of Shown, as they came */

typedef struct
{
  GPtrArray *shown; /* the same; a test begins with none */
  StintSettings *settings;
  StintJobList *jobs;
  StintNotifier *notifier;
  StintJob *seen; /* (nullable): what the user sees */
} Fixture;

static void
on_call (GDBusConnection *bus,
         const char *sender,
         const char *path,
         const char *interface,
         const char *method,
         GVariant *parameters,
         GDBusMethodInvocation *invocation,
         gpointer data)
{
  if (g_str_equal (method, "Notify"))
    {
      static guint last_id;
      Shown *shown = g_new0 (Shown, 1);

      g_variant_get (parameters, "(&su&sss^asa{sv}i)", NULL, &shown->id, NULL, &shown->title,
                     &shown->body, &shown->actions, NULL, NULL);
      if (shown->id == 0)
        shown->id = ++last_id;
      g_ptr_array_add (all_shown, shown);
      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(u)", shown->id));
    }
  else if (g_str_equal (method, "CloseNotification"))
    {
      guint id;

      g_variant_get (parameters, "(u)", &id);
      for (guint i = 0; i < all_shown->len; i++)
        if (((Shown *) all_shown->pdata[i])->id == id)
          ((Shown *) all_shown->pdata[i])->closed = TRUE;
      g_dbus_method_invocation_return_value (invocation, NULL);
    }
  else if (g_str_equal (method, "GetServerInformation"))
    {
      g_dbus_method_invocation_return_value (invocation,
                                             g_variant_new ("(ssss)", "test", "", "1", "1.2"));
    }
  else
    {
      static const char *const capabilities[] = { "actions", "body", "persistence", NULL };

      g_dbus_method_invocation_return_value (invocation, g_variant_new ("(^as)", capabilities));
    }
}

static void
on_name (GDBusConnection *bus, const char *name, gpointer data)
{
  *(gboolean *) data = TRUE;
}

static gboolean
sees (StintJob *job, gpointer data)
{
  return ((Fixture *) data)->seen == job;
}

static void
set_up_desktop (GTestDBus *daemon)
{
  static const GDBusInterfaceVTable vtable = { .method_call = on_call };
  g_autoptr (GDBusNodeInfo) node = g_dbus_node_info_new_for_xml (service_xml, NULL);
  g_autoptr (GError) error = NULL;
  gboolean has_name = FALSE;

  g_test_dbus_up (daemon);
  desktop = g_dbus_connection_new_for_address_sync (
      g_test_dbus_get_bus_address (daemon),
      G_DBUS_CONNECTION_FLAGS_AUTHENTICATION_CLIENT | G_DBUS_CONNECTION_FLAGS_MESSAGE_BUS_CONNECTION,
      NULL, NULL, &error);
  g_assert_no_error (error);
  all_shown = g_ptr_array_new_with_free_func (shown_free);
  g_dbus_connection_register_object (desktop, "/org/freedesktop/Notifications", node->interfaces[0],
                                     &vtable, NULL, NULL, &error);
  g_assert_no_error (error);
  g_bus_own_name_on_connection (desktop, "org.freedesktop.Notifications",
                                G_BUS_NAME_OWNER_FLAGS_NONE, on_name, NULL, &has_name, NULL);
  wait_until (has_name);

  application = g_application_new ("io.github.stint.Test", G_APPLICATION_DEFAULT_FLAGS);
  g_application_register (application, NULL, &error);
  g_assert_no_error (error);
}

static void
set_up (Fixture *fixture)
{
  g_ptr_array_set_size (all_shown, 0);
  fixture->shown = all_shown;
  fixture->settings = stint_settings_new ();
  g_object_set (fixture->settings, "notify-min-duration", 0u, "notify-finished", TRUE, NULL);
  fixture->jobs = fixture_list ();
  fixture->notifier =
      stint_notifier_new (application, fixture->jobs, fixture->settings, sees, fixture);
}

static void
tear_down (Fixture *fixture)
{
  g_autoptr (GPtrArray) active = stint_job_list_dup_active (fixture->jobs);

  for (guint i = 0; i < active->len; i++)
    stint_job_kill (active->pdata[i]);
  fixture_wait_for_all (fixture->jobs);
  g_assert_finalize_object (g_steal_pointer (&fixture->notifier));
  g_clear_object (&fixture->settings);
  g_clear_object (&fixture->jobs);
}

static StintJob *
start_named (Fixture *fixture, const char *name, const char *line)
{
  g_autoptr (StintJobSpec) spec = fixture_shell (line);

  stint_job_spec_set_name (spec, name);
  return fixture_submit (fixture->jobs, spec);
}

static void
run_named (Fixture *fixture, const char *name, const char *line)
{
  g_autoptr (StintJob) job = start_named (fixture, name, line);

  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
}

/* (nullable): the one with this title that is still shown. */
static Shown *
find_shown (Fixture *fixture, const char *title)
{
  for (guint i = fixture->shown->len; i > 0; i--)
    {
      Shown *shown = fixture->shown->pdata[i - 1];

      if (g_str_equal (shown->title, title) && !shown->closed)
        return shown;
    }
  return NULL;
}

/* What was sent before this has come when it returns. */
static void
flush (Fixture *fixture)
{
  static guint n_flushes;
  g_autofree char *name = g_strdup_printf ("flush %u", ++n_flushes);
  g_autofree char *title = g_strdup_printf ("“%s” failed", name);

  run_named (fixture, name, "exit 1");
  wait_until (find_shown (fixture, title) != NULL);
}

static void
on_settled (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GVariant) reply =
      g_dbus_connection_call_finish (G_DBUS_CONNECTION (source), result, NULL);

  g_assert_nonnull (reply);
  *(gboolean *) data = TRUE;
}

/* What is shown is known to GLib by its number, without which it cannot be withdrawn. */
static void
settle (void)
{
  gboolean settled = FALSE;

  g_dbus_connection_call (g_application_get_dbus_connection (application),
                          "org.freedesktop.Notifications", "/org/freedesktop/Notifications",
                          "org.freedesktop.Notifications", "GetServerInformation", NULL, NULL,
                          G_DBUS_CALL_FLAGS_NONE, G_MAXINT, NULL, on_settled, &settled);
  wait_until (settled);
}

static Shown *
wait_for_shown (Fixture *fixture, const char *title)
{
  wait_until (find_shown (fixture, title) != NULL);
  settle ();
  return find_shown (fixture, title);
}

static void
test_ends (void)
{
  Fixture fixture = { 0 };
  Shown *shown;

  set_up (&fixture);
  run_named (&fixture, "good", "exit 0");
  run_named (&fixture, "bad", "exit 3");
  wait_until (fixture.shown->len == 2);
  shown = find_shown (&fixture, "“good” succeeded");
  g_assert_nonnull (shown);
  g_assert_true (g_str_has_prefix (shown->body, "Exited with code 0") ||
                 strstr (shown->body, "after") != NULL);
  shown = find_shown (&fixture, "“bad” failed");
  g_assert_nonnull (shown);
  g_assert_nonnull (strstr (shown->body, "3"));
  g_assert_true (g_strv_contains ((const char *const *) shown->actions, "Show"));
  g_assert_true (g_strv_contains ((const char *const *) shown->actions, "Run Again"));
  tear_down (&fixture);
}

static void
test_limits (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJobSpec) wall = fixture_shell ("sleep 1000");
  g_autoptr (StintJobSpec) idle = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) first = NULL, second = NULL;

  set_up (&fixture);
  /* Limits are told of however short the job was. */
  g_object_set (fixture.settings, "notify-min-duration", 86400u, NULL);
  stint_job_spec_set_name (wall, "long");
  stint_job_spec_set_timeout (wall, 100000);
  first = fixture_submit (fixture.jobs, wall);
  stint_job_spec_set_name (idle, "quiet");
  stint_job_spec_set_idle_timeout (idle, 100000);
  second = fixture_submit (fixture.jobs, idle);
  wait_for_shown (&fixture, "“long” ran out of time");
  wait_for_shown (&fixture, "“quiet” was stopped for its silence");
  run_named (&fixture, "missing", "exit 127");
  tear_down (&fixture);
}

/* Neither what the user did, nor what they see, nor what was short, nor what they do not want. */
static void
test_not_told (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJob) stopped = NULL, killed = NULL, seen = NULL;

  set_up (&fixture);
  stopped = start_named (&fixture, "stopped", "sleep 1000");
  killed = start_named (&fixture, "killed", "sleep 1000");
  seen = start_named (&fixture, "seen", "exit 0");
  fixture.seen = seen;
  stint_job_terminate (stopped);
  stint_job_kill (killed);
  wait_until (stint_job_get_state (stopped) == STINT_JOB_FINISHED &&
              stint_job_get_state (killed) == STINT_JOB_FINISHED &&
              stint_job_get_state (seen) == STINT_JOB_FINISHED);
  g_object_set (fixture.settings, "notify-min-duration", 86400u, NULL);
  run_named (&fixture, "short", "exit 0");
  g_object_set (fixture.settings, "notify-min-duration", 0u, "notify-finished", FALSE, NULL);
  run_named (&fixture, "unwanted", "exit 0");
  flush (&fixture);
  g_assert_cmpuint (fixture.shown->len, ==, 1);
  tear_down (&fixture);
}

static void
run_words (Fixture *fixture, const char *const *words)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);
  g_autoptr (StintJob) job = fixture_submit (fixture->jobs, spec);

  wait_until (stint_job_get_state (job) == STINT_JOB_FINISHED);
}

/* Commands and jobs of these names, and no others. */
static void
test_left_out (void)
{
  const char *const by_path[] = { "/bin/sh", "-c", "exit 3", NULL };
  Fixture fixture = { 0 };

  set_up (&fixture);
  g_object_set (fixture.settings, "notify-not-for", " server  sh true ", NULL);
  run_named (&fixture, "server", "exit 3");
  run_named (&fixture, "lines", " /bin/true; exit 3");
  run_words (&fixture, by_path);
  flush (&fixture);
  g_assert_cmpuint (fixture.shown->len, ==, 1);
  run_named (&fixture, "servers", "truest; exit 3");
  wait_for_shown (&fixture, "“servers” failed");
  g_object_set (fixture.settings, "notify-not-for", "", NULL);
  run_named (&fixture, "server", "exit 3");
  wait_for_shown (&fixture, "“server” failed");
  tear_down (&fixture);
}

static void
test_withdrawn_when_seen (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJob) job = NULL;

  set_up (&fixture);
  job = start_named (&fixture, "job", "exit 0");
  wait_for_shown (&fixture, "“job” succeeded");
  /* Something else is seen. */
  stint_notifier_seen_changed (fixture.notifier);
  flush (&fixture);
  g_assert_nonnull (find_shown (&fixture, "“job” succeeded"));
  fixture.seen = job;
  stint_notifier_seen_changed (fixture.notifier);
  wait_until (find_shown (&fixture, "“job” succeeded") == NULL);
  tear_down (&fixture);
}

/* A job that has left the list is not kept because nobody looked at it: in weeks there are thousands.
 * Its notification stays. */
static void
test_unseen_leaves (void)
{
  Fixture fixture = { 0 };
  StintJob *job;

  set_up (&fixture);
  job = start_named (&fixture, "unseen", "exit 1");
  wait_for_shown (&fixture, "“unseen” failed");
  fixture_wait_for_all (fixture.jobs);
  stint_job_list_remove (fixture.jobs, job);
  g_object_add_weak_pointer (G_OBJECT (job), (gpointer *) &job);
  g_object_unref (job);
  wait_until (job == NULL);
  stint_notifier_seen_changed (fixture.notifier);
  flush (&fixture);
  g_assert_nonnull (find_shown (&fixture, "“unseen” failed"));
  tear_down (&fixture);
}

static void
test_needs_you (void)
{
  Fixture fixture = { 0 };
  g_autofree char *long_text = g_strnfill (5000, 'x');
  g_autofree char *why = g_strconcat ("May I\x1b[31m\n", long_text, "\xff", NULL);
  g_autoptr (StintJob) job = NULL;
  Shown *shown;

  set_up (&fixture);
  job = start_named (&fixture, "agent", "sleep 1000");
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_notifier_needs_you (fixture.notifier, job, why);
  wait_for_shown (&fixture, "“agent” needs you");
  shown = find_shown (&fixture, "“agent” needs you");
  g_assert_true (g_str_has_prefix (shown->body, "May I"));
  g_assert_cmpint (g_utf8_strlen (shown->body, -1), <=, 241);
  g_assert_null (strchr (shown->body, '\x1b'));
  stint_notifier_needs_nothing (fixture.notifier, job);
  wait_until (find_shown (&fixture, "“agent” needs you") == NULL);

  /* Being stopped it needs nobody. */
  stint_notifier_needs_you (fixture.notifier, job, "Again?");
  wait_for_shown (&fixture, "“agent” needs you");
  stint_job_terminate (job);
  wait_until (find_shown (&fixture, "“agent” needs you") == NULL);
  tear_down (&fixture);
}

static void
test_limit_warning (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJobSpec) spec = fixture_shell ("sleep 1000");
  g_autoptr (StintJob) job = NULL;
  Shown *shown;

  set_up (&fixture);
  stint_job_spec_set_name (spec, "job");
  stint_job_spec_set_timeout (spec, 1000 * G_USEC_PER_SEC);
  job = fixture_submit (fixture.jobs, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  g_signal_emit_by_name (job, "limit-warning", (int) STINT_REASON_TIMEOUT, 40 * G_USEC_PER_SEC);
  wait_until (fixture.shown->len == 1);
  settle ();
  shown = fixture.shown->pdata[0];
  g_assert_cmpstr (shown->title, ==, "“job” will be stopped in 40 s");
  g_assert_true (g_strv_contains ((const char *const *) shown->actions, "+10 min"));
  stint_job_set_timeout_left (job, 2000 * G_USEC_PER_SEC);
  wait_until (shown->closed);
  tear_down (&fixture);
}

/* Who is warned and then wants to hear nothing of it any more is left with no notification. */
static void
test_left_out_since (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJob) job = NULL;
  Shown *shown;

  set_up (&fixture);
  job = start_named (&fixture, "server", "sleep 1000");
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  stint_notifier_needs_you (fixture.notifier, job, "It asks.");
  wait_until (fixture.shown->len == 1);
  settle ();
  shown = fixture.shown->pdata[0];
  g_assert_false (shown->closed);
  g_object_set (fixture.settings, "notify-not-for", "server", NULL);
  g_signal_emit_by_name (job, "limit-warning", (int) STINT_REASON_TIMEOUT, 40 * G_USEC_PER_SEC);
  wait_until (shown->closed);
  g_assert_cmpuint (fixture.shown->len, ==, 1);
  tear_down (&fixture);
}

/* The notification that stands for the window says how many jobs go on, however many there were. */
static void
test_background (void)
{
  Fixture fixture;
  g_autoptr (StintBackground) background = NULL;
  g_autoptr (StintJob) first = NULL;
  g_autoptr (StintJob) second = NULL;

  set_up (&fixture);
  background = stint_background_new (application, fixture.jobs);
  first = start_named (&fixture, "first", "sleep 60");
  second = start_named (&fixture, "second", "sleep 60");
  stint_background_set_active (background, TRUE);
  wait_until (find_shown (&fixture, "2 jobs go on in the background") != NULL);
  stint_job_kill (first);
  wait_until (find_shown (&fixture, "1 job goes on in the background") != NULL);
  stint_job_kill (second);
  wait_until (!stint_background_get_active (background));
  wait_until (find_shown (&fixture, "1 job goes on in the background") == NULL);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  /* Left alone: the application has the bus until the end. */
  static GTestDBus *daemon;
  int status;

  g_test_init (&argc, &argv, NULL);
  daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  set_up_desktop (daemon);

  g_test_add_func ("/notifier/ends", test_ends);
  g_test_add_func ("/notifier/limits", test_limits);
  g_test_add_func ("/notifier/not-told", test_not_told);
  g_test_add_func ("/notifier/left-out", test_left_out);
  g_test_add_func ("/notifier/withdrawn-when-seen", test_withdrawn_when_seen);
  g_test_add_func ("/notifier/unseen-leaves", test_unseen_leaves);
  g_test_add_func ("/notifier/needs-you", test_needs_you);
  g_test_add_func ("/notifier/limit-warning", test_limit_warning);
  g_test_add_func ("/notifier/left-out-since", test_left_out_since);
  g_test_add_func ("/notifier/background", test_background);

  status = g_test_run ();
  g_test_dbus_stop (daemon);
  return status;
}
