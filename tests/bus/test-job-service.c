/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The jobs as an object on a bus: what is listed, what can be asked, what is told unasked.
 */
#include "config.h"

#include "engine-fixture.h"

#include "stint-bus-generated.h"
#include "stint-bus.h"
#include "stint-error.h"
#include "stint-job-service.h"

typedef struct
{
  GTestDBus *daemon;
  GDBusConnection *service_bus;
  GDBusConnection *client_bus;
  StintJobList *jobs;
  StintJobService *service;
  StintBusJobs *proxy;
  GPtrArray *told; /* of strings: "added 1", "changed 1 running", "removed 1" */
  StintJob *presented;
} Fixture;

static char *
describe (const char *what, GVariant *facts)
{
  const char *state = "";
  guint64 id = 0;

  g_variant_lookup (facts, "id", "t", &id);
  g_variant_lookup (facts, "state", "&s", &state);
  return g_strdup_printf ("%s %" G_GUINT64_FORMAT " %s", what, id, state);
}

static void
on_added (Fixture *fixture, GVariant *facts)
{
  g_ptr_array_add (fixture->told, describe ("added", facts));
}

static void
on_changed (Fixture *fixture, GVariant *facts)
{
  g_ptr_array_add (fixture->told, describe ("changed", facts));
}

static void
on_removed (Fixture *fixture, guint64 id)
{
  g_ptr_array_add (fixture->told, g_strdup_printf ("removed %" G_GUINT64_FORMAT, id));
}

static gboolean
was_told (Fixture *fixture, const char *what)
{
  return g_ptr_array_find_with_equal_func (fixture->told, what, g_str_equal, NULL);
}

static StintJob *
start_shell (const char *const *words,
             const char *directory,
             const char *const *environment,
             gpointer data,
             GError **error)
{
  Fixture *fixture = data;
  g_autoptr (StintJobSpec) spec = NULL;

  if (words[0] == NULL)
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_NO_COMMAND, "nothing to run");
      return NULL;
    }
  spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, words);
  stint_job_spec_resolve (spec, directory, NULL, environment);
  return stint_job_list_submit (fixture->jobs, spec, NULL, error);
}

static void
present (StintJob *job, gpointer data)
{
  Fixture *fixture = data;

  g_set_object (&fixture->presented, job);
}

static void
set_up (Fixture *fixture)
{
  const StintJobServiceHost host = { start_shell, present };
  g_autoptr (GError) error = NULL;

  fixture->daemon = g_test_dbus_new (G_TEST_DBUS_NONE);
  g_test_dbus_up (fixture->daemon);
  fixture->service_bus = fixture_connect_to_bus (fixture->daemon);
  fixture->client_bus = fixture_connect_to_bus (fixture->daemon);
  fixture->jobs = fixture_list ();
  fixture->told = g_ptr_array_new_with_free_func (g_free);
  fixture->service = stint_job_service_new (fixture->jobs, &host, fixture);
  stint_job_service_export (fixture->service, fixture->service_bus, STINT_BUS_PATH, &error);
  g_assert_no_error (error);
  /* Nobody asks the service for its properties before the main loop runs. */
  fixture->proxy = stint_bus_jobs_proxy_new_sync (
      fixture->client_bus, G_DBUS_PROXY_FLAGS_DO_NOT_LOAD_PROPERTIES,
      g_dbus_connection_get_unique_name (fixture->service_bus), STINT_BUS_PATH, NULL, &error);
  g_assert_no_error (error);
  g_signal_connect_swapped (fixture->proxy, "job-added", G_CALLBACK (on_added), fixture);
  g_signal_connect_swapped (fixture->proxy, "job-changed", G_CALLBACK (on_changed), fixture);
  g_signal_connect_swapped (fixture->proxy, "job-removed", G_CALLBACK (on_removed), fixture);
}

static void
tear_down (Fixture *fixture)
{
  g_autoptr (GPtrArray) active = stint_job_list_dup_active (fixture->jobs);

  for (guint i = 0; i < active->len; i++)
    stint_job_kill (active->pdata[i]);
  fixture_wait_for_all (fixture->jobs);
  g_clear_object (&fixture->presented);
  g_clear_object (&fixture->proxy);
  g_assert_finalize_object (g_steal_pointer (&fixture->service));
  g_clear_object (&fixture->jobs);
  g_dbus_connection_close_sync (fixture->client_bus, NULL, NULL);
  g_dbus_connection_close_sync (fixture->service_bus, NULL, NULL);
  g_clear_object (&fixture->client_bus);
  g_clear_object (&fixture->service_bus);
  g_test_dbus_down (fixture->daemon);
  g_clear_object (&fixture->daemon);
  g_clear_pointer (&fixture->told, g_ptr_array_unref);
}

typedef struct
{
  gboolean done;
  GVariant *reply;
  GError *error;
} Answer;

static void
on_answer (GObject *source, GAsyncResult *result, gpointer data)
{
  Answer *answer = data;

  answer->reply = g_dbus_proxy_call_finish (G_DBUS_PROXY (source), result, &answer->error);
  answer->done = TRUE;
}

static void
begin_call (Fixture *fixture, const char *method, GVariant *parameters, Answer *answer)
{
  *answer = (Answer){ 0 };
  g_dbus_proxy_call (G_DBUS_PROXY (fixture->proxy), method, parameters, G_DBUS_CALL_FLAGS_NONE,
                     G_MAXINT, NULL, on_answer, answer);
}

/* (transfer full): the reply, of a call that must succeed. */
static GVariant *
call (Fixture *fixture, const char *method, GVariant *parameters)
{
  Answer answer;

  begin_call (fixture, method, parameters, &answer);
  wait_until (answer.done);
  g_assert_no_error (answer.error);
  return answer.reply;
}

static void
call_done (Fixture *fixture, const char *method, GVariant *parameters)
{
  g_autoptr (GVariant) reply = call (fixture, method, parameters);

  g_assert_cmpuint (g_variant_n_children (reply), ==, 0);
}

static void
assert_refused (Fixture *fixture, const char *method, GVariant *parameters, StintError code)
{
  Answer answer;

  begin_call (fixture, method, parameters, &answer);
  wait_until (answer.done);
  g_assert_error (answer.error, STINT_ERROR, (int) code);
  g_clear_error (&answer.error);
}

static GVariant *
words (const char *const *argv)
{
  static const char *const environment[] = { "PATH=/usr/bin:/bin", "MARK=mine", NULL };

  return g_variant_new ("(^aay^ay^aay)", argv, "/tmp", environment);
}

static guint64
start (Fixture *fixture, const char *line)
{
  const char *const argv[] = { "/bin/sh", "-c", line, NULL };
  g_autoptr (GVariant) reply = call (fixture, "Start", words (argv));
  guint64 id;

  g_variant_get (reply, "(t)", &id);
  return id;
}

static GVariant *
get (Fixture *fixture, guint64 id)
{
  g_autoptr (GVariant) reply = call (fixture, "Get", g_variant_new ("(t)", id));

  return g_variant_get_child_value (reply, 0);
}

static void
assert_fact (GVariant *facts, const char *name, const char *expected)
{
  const char *text = NULL;

  g_variant_lookup (facts, name, "&s", &text);
  g_assert_cmpstr (text, ==, expected);
}

static void
test_start_and_wait (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GVariant) facts = NULL;
  const char *cwd = NULL;
  gint32 number = -1;
  guint64 id;

  set_up (&fixture);
  id = start (&fixture, "test \"$MARK\" = mine && exit 3");
  g_assert_cmpuint (id, >, 0);
  reply = call (&fixture, "Wait", g_variant_new ("(t)", id));
  facts = g_variant_get_child_value (reply, 0);
  assert_fact (facts, "state", "finished");
  assert_fact (facts, "reason", "exited");
  assert_fact (facts, "owner", "window");
  g_assert_true (g_variant_lookup (facts, "exitCode", "i", &number));
  g_assert_cmpint (number, ==, 3);
  g_assert_false (g_variant_lookup (facts, "signal", "s", NULL));
  g_assert_true (g_variant_lookup (facts, "cwd", "^&ay", &cwd));
  g_assert_cmpstr (cwd, ==, "/tmp");

  /* Again, now that it has ended. */
  g_clear_pointer (&reply, g_variant_unref);
  reply = call (&fixture, "Wait", g_variant_new ("(t)", id));
  tear_down (&fixture);
}

static void
test_not_started (void)
{
  static const char *const missing[] = { "/nonexistent/command", NULL };
  static const char *const nothing[] = { NULL };
  Fixture fixture = { 0 };

  set_up (&fixture);
  assert_refused (&fixture, "Start", words (missing), STINT_ERROR_FAILED);
  assert_refused (&fixture, "Start", words (nothing), STINT_ERROR_NO_COMMAND);
  tear_down (&fixture);
}

static void
test_queued_is_accepted (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GVariant) facts = NULL;
  guint64 first, second;

  set_up (&fixture);
  stint_job_list_set_max_running (fixture.jobs, 1);
  first = start (&fixture, "sleep 1000");
  second = start (&fixture, "sleep 1000");
  facts = get (&fixture, second);
  assert_fact (facts, "state", "queued");
  assert_refused (&fixture, "Pause", g_variant_new ("(t)", second), STINT_ERROR_NOT_RUNNING);
  call_done (&fixture, "Terminate", g_variant_new ("(t)", second));
  g_clear_pointer (&facts, g_variant_unref);
  facts = get (&fixture, second);
  assert_fact (facts, "reason", "terminated");
  g_clear_pointer (&facts, g_variant_unref);
  facts = get (&fixture, first);
  assert_fact (facts, "state", "running");
  tear_down (&fixture);
}

static guint
count_listed (Fixture *fixture, gboolean all)
{
  g_autoptr (GVariant) reply = call (fixture, "List", g_variant_new ("(b)", all));
  g_autoptr (GVariant) jobs = g_variant_get_child_value (reply, 0);

  return (guint) g_variant_n_children (jobs);
}

static void
test_list (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (StintJob) job = NULL;
  guint64 id;

  set_up (&fixture);
  g_assert_cmpuint (count_listed (&fixture, TRUE), ==, 0);
  id = start (&fixture, "exit 0");
  reply = call (&fixture, "Wait", g_variant_new ("(t)", id));
  start (&fixture, "sleep 1000");
  g_assert_cmpuint (count_listed (&fixture, FALSE), ==, 1);
  g_assert_cmpuint (count_listed (&fixture, TRUE), ==, 2);
  job = stint_job_list_lookup (fixture.jobs, id);
  stint_job_list_remove (fixture.jobs, job);
  g_assert_cmpuint (count_listed (&fixture, TRUE), ==, 1);
  assert_refused (&fixture, "Get", g_variant_new ("(t)", id), STINT_ERROR_NO_JOB);
  assert_refused (&fixture, "Get", g_variant_new ("(t)", G_GUINT64_CONSTANT (0)),
                  STINT_ERROR_NO_JOB);
  tear_down (&fixture);
}

static void
test_stopping (void)
{
  Fixture fixture = { 0 };
  g_autoptr (GVariant) terminated = NULL, killed = NULL;
  g_autoptr (GVariant) facts = NULL;
  Answer first, second;
  guint64 id;

  set_up (&fixture);
  /* Any number may wait. */
  id = start (&fixture, "sleep 1000");
  begin_call (&fixture, "Wait", g_variant_new ("(t)", id), &first);
  begin_call (&fixture, "Wait", g_variant_new ("(t)", id), &second);
  call_done (&fixture, "Terminate", g_variant_new ("(t)", id));
  wait_until (first.done && second.done);
  facts = g_variant_get_child_value (first.reply, 0);
  assert_fact (facts, "reason", "terminated");
  g_variant_unref (first.reply);
  g_variant_unref (second.reply);
  assert_refused (&fixture, "Kill", g_variant_new ("(t)", id), STINT_ERROR_NOT_RUNNING);

  id = start (&fixture, "trap '' TERM; sleep 1000");
  call_done (&fixture, "Kill", g_variant_new ("(t)", id));
  killed = call (&fixture, "Wait", g_variant_new ("(t)", id));
  g_clear_pointer (&facts, g_variant_unref);
  facts = g_variant_get_child_value (killed, 0);
  assert_fact (facts, "reason", "killed");
  tear_down (&fixture);
}

static gint64
get_number (Fixture *fixture, guint64 id, const char *name)
{
  g_autoptr (GVariant) facts = get (fixture, id);
  gint64 number = -1;

  g_variant_lookup (facts, name, "x", &number);
  return number;
}

static void
test_limits (void)
{
  const char *const argv[] = { "sleep", "1000", NULL };
  Fixture fixture = { 0 };
  g_autoptr (StintJobSpec) spec = stint_job_spec_new (STINT_JOB_KIND_SHELL, argv);
  g_autoptr (StintJob) job = NULL;
  g_autoptr (GVariant) facts = NULL;
  gint64 left;
  guint64 id;

  set_up (&fixture);
  stint_job_spec_resolve (spec, "/tmp", NULL, NULL);
  stint_job_spec_set_timeout (spec, 1000 * G_USEC_PER_SEC);
  job = fixture_submit (fixture.jobs, spec);
  wait_until (stint_job_get_state (job) == STINT_JOB_RUNNING);
  id = stint_job_get_id (job);

  /* Paused, its limits stand still. */
  call_done (&fixture, "Pause", g_variant_new ("(t)", id));
  left = get_number (&fixture, id, "timeoutLeftMs");
  g_assert_cmpint (left, >, 0);
  g_assert_cmpint (left, <=, 1000 * 1000);
  call_done (&fixture, "Extend", g_variant_new ("(tsx)", id, "timeout", 60 * G_USEC_PER_SEC));
  g_assert_cmpint (get_number (&fixture, id, "timeoutLeftMs"), ==, left + 60 * 1000);
  call_done (&fixture, "Extend", g_variant_new ("(tsx)", id, "timeout", (gint64) 0));
  g_assert_cmpint (get_number (&fixture, id, "timeoutLeftMs"), ==, -1);
  call_done (&fixture, "Resume", g_variant_new ("(t)", id));
  g_assert_false (stint_job_get_paused (job));

  assert_refused (&fixture, "Extend", g_variant_new ("(tsx)", id, "timeout", (gint64) 1),
                  STINT_ERROR_INVALID);
  assert_refused (&fixture, "Extend", g_variant_new ("(tsx)", id, "idle", (gint64) 1),
                  STINT_ERROR_INVALID);
  assert_refused (&fixture, "Extend", g_variant_new ("(tsx)", id, "patience", (gint64) 1),
                  STINT_ERROR_INVALID);
  assert_refused (&fixture, "Extend", g_variant_new ("(tsx)", id, "timeout", (gint64) -1),
                  STINT_ERROR_INVALID);
  tear_down (&fixture);
}

static void
test_changes_are_told (void)
{
  Fixture fixture = { 0 };
  g_autoptr (StintJob) job = NULL;
  guint64 id;

  set_up (&fixture);
  id = start (&fixture, "sleep 1000");
  job = stint_job_list_lookup (fixture.jobs, id);
  wait_until (was_told (&fixture, "changed 1 running"));
  g_assert_cmpuint (stint_bus_jobs_get_active (fixture.proxy), <=, 1);
  stint_job_kill (job);
  wait_until (was_told (&fixture, "changed 1 finished"));
  stint_job_list_remove (fixture.jobs, job);
  wait_until (was_told (&fixture, "removed 1"));
  g_assert_true (g_str_has_prefix (fixture.told->pdata[0], "added "));
  tear_down (&fixture);
}

static void
test_present (void)
{
  Fixture fixture = { 0 };
  guint64 id;

  set_up (&fixture);
  id = start (&fixture, "exit 0");
  call_done (&fixture, "Present", g_variant_new ("(t)", id));
  g_assert_cmpuint (stint_job_get_id (fixture.presented), ==, id);
  tear_down (&fixture);
}

/* The bus drops whoever sends what is not UTF-8. */
static void
test_any_bytes (void)
{
  const char *const argv[] = { "/bin/sh", "-c", "exit 0", "caf\xe9\x1b[31m", NULL };
  Fixture fixture = { 0 };
  g_autoptr (GVariant) reply = NULL, facts = NULL, list = NULL;
  g_autofree const char **kept = NULL;
  guint64 id;

  set_up (&fixture);
  reply = call (&fixture, "Start", words (argv));
  g_variant_get (reply, "(t)", &id);
  facts = get (&fixture, id);
  list = g_variant_lookup_value (facts, "argv", G_VARIANT_TYPE_BYTESTRING_ARRAY);
  kept = g_variant_get_bytestring_array (list, NULL);
  g_assert_cmpstr (kept[3], ==, argv[3]);
  tear_down (&fixture);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/job-service/start-and-wait", test_start_and_wait);
  g_test_add_func ("/job-service/not-started", test_not_started);
  g_test_add_func ("/job-service/queued-is-accepted", test_queued_is_accepted);
  g_test_add_func ("/job-service/list", test_list);
  g_test_add_func ("/job-service/stopping", test_stopping);
  g_test_add_func ("/job-service/limits", test_limits);
  g_test_add_func ("/job-service/changes-are-told", test_changes_are_told);
  g_test_add_func ("/job-service/present", test_present);
  g_test_add_func ("/job-service/any-bytes", test_any_bytes);

  return g_test_run ();
}
