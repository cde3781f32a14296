/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What can be done with jobs. A menu that is open, a dialog that asks and a page that is shown each
 * hold one of these, and so act on the jobs they were opened for, never on a position in a list. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-actions.h"

#include "stint-clipboard.h"
#include "stint-continue-dialog.h"
#include "stint-open-uri.h"
#include "stint-units.h"

#include <glib/gi18n.h>

#define TITLE_CHARS 40

struct _StintJobActions
{
  GObject parent_instance;

  GPtrArray *jobs;
  GSimpleActionGroup *group;
  GCancellable *cancellable; /* of the restarts that wait */
};

/* On a job that is to start again when it has ended: it may be in the hands of several of these. */
static G_DEFINE_QUARK (stint-restarting, restarting)

G_DEFINE_FINAL_TYPE (StintJobActions, stint_job_actions, G_TYPE_OBJECT)

enum
{
  START,
  EDIT,
  DISMISS,
  BESIDE,
  START_NOW,
  MOVE_UP,
  THEN,
  CONTINUE,
  SHOW_TEXT,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

typedef gboolean (*JobTest) (StintJob *job);

static gboolean
can_terminate (StintJob *job)
{
  StintJobState state = stint_job_get_state (job);

  return state == STINT_JOB_STARTING || state == STINT_JOB_RUNNING;
}

static gboolean
can_kill (StintJob *job)
{
  return can_terminate (job) || stint_job_get_state (job) == STINT_JOB_STOPPING;
}

static gboolean
is_queued (StintJob *job)
{
  return stint_job_get_state (job) == STINT_JOB_QUEUED;
}

static gboolean
is_running (StintJob *job)
{
  return stint_job_get_state (job) == STINT_JOB_RUNNING;
}

static gboolean
has_finished (StintJob *job)
{
  return stint_job_get_state (job) == STINT_JOB_FINISHED;
}

static gboolean
has_directory (StintJob *job)
{
  return stint_job_spec_get_directory (stint_job_get_spec (job)) != NULL;
}

static gboolean
can_move_up (StintJob *job)
{
  return stint_job_get_queue_position (job) > 1;
}

static gboolean
has_transcript (StintJob *job)
{
  return stint_job_get_transcript (job) != NULL;
}

static gboolean
is_any_job (StintJob *job)
{
  return TRUE;
}

static gboolean
is_any (StintJobActions *self, JobTest test)
{
  for (guint i = 0; i < self->jobs->len; i++)
    {
      if (test (self->jobs->pdata[i]))
        return TRUE;
    }
  return FALSE;
}

static void
each (StintJobActions *self, JobTest test, void (*act) (StintJob *job))
{
  /* One that ends may end this object with it. */
  g_autoptr (GPtrArray) jobs = g_ptr_array_ref (self->jobs);

  for (guint i = 0; i < jobs->len; i++)
    {
      if (test (jobs->pdata[i]))
        act (jobs->pdata[i]);
    }
}

static void
set_enabled (StintJobActions *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->group), name);

  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void update_limits (StintJobActions *self);

static void
update (StintJobActions *self)
{
  gboolean single = self->jobs->len == 1;
  gboolean paused = TRUE;
  GAction *pause = g_action_map_lookup_action (G_ACTION_MAP (self->group), "pause");

  for (guint i = 0; i < self->jobs->len; i++)
    paused = paused &&
             (!is_running (self->jobs->pdata[i]) || stint_job_get_paused (self->jobs->pdata[i]));
  set_enabled (self, "terminate", is_any (self, can_terminate));
  set_enabled (self, "kill", is_any (self, can_kill));
  set_enabled (self, "cancel", is_any (self, is_queued));
  set_enabled (self, "pause", is_any (self, is_running));
  g_simple_action_set_state (G_SIMPLE_ACTION (pause),
                             g_variant_new_boolean (paused && is_any (self, is_running)));
  set_enabled (self, "restart", single && is_any (self, can_kill));
  set_enabled (self, "run-again", is_any (self, has_finished));
  set_enabled (self, "edit", single);
  set_enabled (self, "dismiss", is_any (self, has_finished));
  set_enabled (self, "open-directory", single && is_any (self, has_directory));
  set_enabled (self, "beside", single);
  set_enabled (self, "start-now", is_any (self, is_queued));
  set_enabled (self, "move-up", is_any (self, can_move_up));
  set_enabled (self, "then", single);
  set_enabled (self, "continue", single && is_any (self, stint_continue_dialog_is_for));
  set_enabled (self, "let-go",
               single && (stint_job_can_detach (self->jobs->pdata[0]) ||
                          stint_job_get_detached (self->jobs->pdata[0])));
  g_simple_action_set_state (
      G_SIMPLE_ACTION (g_action_map_lookup_action (G_ACTION_MAP (self->group), "let-go")),
      g_variant_new_boolean (single && stint_job_get_detached (self->jobs->pdata[0])));
  set_enabled (self, "show-text", single && is_any (self, has_transcript));
  update_limits (self);
}

static void
on_terminate (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  each (user_data, can_terminate, stint_job_terminate);
}

static void
on_kill (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  each (user_data, can_kill, stint_job_kill);
}

static void
cancel (StintJob *job)
{
  stint_job_stop (job, STINT_REASON_CANCELLED, -1);
}

static void
on_cancel (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  each (user_data, is_queued, cancel);
}

static void
on_pause (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  each (user_data, is_running,
        g_variant_get_boolean (value) ? stint_job_pause : stint_job_resume);
}

static void
start_again (StintJobActions *self, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (job));

  g_signal_emit (self, signals[START], 0, spec);
}

static void
on_run_again (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  g_autoptr (GPtrArray) jobs = g_ptr_array_ref (self->jobs);
  g_autoptr (StintJobActions) kept = g_object_ref (self);

  for (guint i = 0; i < jobs->len; i++)
    {
      if (has_finished (jobs->pdata[i]))
        start_again (self, jobs->pdata[i]);
    }
}

static void
on_ended (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintJobActions) self = STINT_JOB_ACTIONS (user_data);
  g_autoptr (StintResult) ended =
      stint_job_wait_finish (STINT_JOB (source), result, NULL);

  g_object_set_qdata (source, restarting_quark (), NULL);
  /* When Stint shuts down meanwhile, whoever starts it refuses. */
  if (ended != NULL)
    start_again (self, STINT_JOB (source));
}

static void
on_restart (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  StintJob *job = self->jobs->pdata[0];

  /* Pressed again it only hurries. */
  if (g_object_get_qdata (G_OBJECT (job), restarting_quark ()) == NULL)
    {
      g_object_set_qdata (G_OBJECT (job), restarting_quark (), self);
      stint_job_wait_async (job, self->cancellable, on_ended, g_object_ref (self));
    }
  stint_job_terminate (job);
}

static void
on_edit (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  g_autoptr (StintJobSpec) spec = stint_job_spec_copy (stint_job_get_spec (self->jobs->pdata[0]));

  g_signal_emit (self, signals[EDIT], 0, spec);
}

/* What the window does with each of the jobs that pass a test. */
static void
emit_each (StintJobActions *self, guint signal, JobTest test)
{
  g_autoptr (GPtrArray) jobs = g_ptr_array_ref (self->jobs);
  g_autoptr (StintJobActions) kept = g_object_ref (self);

  for (guint i = 0; i < jobs->len; i++)
    {
      if (test (jobs->pdata[i]))
        g_signal_emit (self, signals[signal], 0, jobs->pdata[i]);
    }
}

static void
on_dismiss (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, DISMISS, has_finished);
}

static void
on_start_now (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, START_NOW, is_queued);
}

static void
on_move_up (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, MOVE_UP, can_move_up);
}

static void
on_then (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, THEN, is_any_job);
}

static void
on_continue (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, CONTINUE, stint_continue_dialog_is_for);
}

static void
on_show_text (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, SHOW_TEXT, has_transcript);
}

/* Held on to again by the same item. */
static void
on_let_go (GSimpleAction *action, GVariant *value, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  StintJob *job = self->jobs->pdata[0];
  g_autoptr (GError) error = NULL;

  if (!g_variant_get_boolean (value))
    stint_job_attach (job);
  else if (!stint_job_detach (job, &error))
    g_signal_emit (self, signals[PROBLEM], 0, job, error);
}

static void
on_beside (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  emit_each (user_data, BESIDE, is_any_job);
}

static void
on_copy_command (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  g_autoptr (GString) lines = g_string_new (NULL);
  GdkDisplay *display = gdk_display_get_default ();

  for (guint i = 0; i < self->jobs->len; i++)
    {
      g_autofree char *line =
          stint_job_spec_dup_command_line (stint_job_get_spec (self->jobs->pdata[i]));
      g_autofree char *valid = g_utf8_make_valid (line, -1);

      if (i > 0)
        g_string_append_c (lines, '\n');
      g_string_append (lines, valid);
    }
  if (display != NULL)
    stint_clipboard_offer_text (gdk_display_get_clipboard (display), lines->str);
}

static void
on_opened (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (StintJobActions) self = STINT_JOB_ACTIONS (user_data);
  g_autoptr (GError) error = NULL;

  if (!g_app_info_launch_default_for_uri_finish (result, &error))
    g_signal_emit (self, signals[PROBLEM], 0, self->jobs->pdata[0], error);
}

static void
on_open_directory (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJobActions *self = STINT_JOB_ACTIONS (user_data);
  StintJobSpec *spec = stint_job_get_spec (self->jobs->pdata[0]);
  g_autoptr (GFile) file = g_file_new_for_path (stint_job_spec_get_directory (spec));
  g_autofree char *uri = g_file_get_uri (file);

  stint_open_uri_async (uri, NULL, on_opened, g_object_ref (self));
}

/* Limits are one job's. */
static StintJob *
get_job (gpointer user_data)
{
  return STINT_JOB_ACTIONS (user_data)->jobs->pdata[0];
}

static void
on_extend_timeout (GSimpleAction *action, GVariant *seconds, gpointer user_data)
{
  StintJob *job = get_job (user_data);
  gint64 left = stint_job_get_timeout_left (job);
  gint64 more = g_variant_get_int32 (seconds) * G_USEC_PER_SEC;

  stint_job_set_timeout_left (job, left == STINT_NEVER ? more : left + more);
}

static void
on_no_timeout (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_job_set_timeout_left (get_job (user_data), STINT_NEVER);
}

/* What is left of the limit it was started with. */
static gint64
get_restored_timeout (StintJob *job)
{
  return stint_job_spec_get_timeout (stint_job_get_spec (job)) - stint_job_get_elapsed (job);
}

static void
on_restore_timeout (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJob *job = get_job (user_data);

  if (get_restored_timeout (job) > 0)
    stint_job_set_timeout_left (job, get_restored_timeout (job));
}

static void
on_extend_idle (GSimpleAction *action, GVariant *seconds, gpointer user_data)
{
  StintJob *job = get_job (user_data);
  gint64 more = g_variant_get_int32 (seconds) * G_USEC_PER_SEC;

  stint_job_set_idle_limit (job, stint_job_get_idle_total (job) + more);
}

static void
on_no_idle (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  stint_job_set_idle_limit (get_job (user_data), 0);
}

static void
on_restore_idle (GSimpleAction *action, GVariant *parameter, gpointer user_data)
{
  StintJob *job = get_job (user_data);

  stint_job_set_idle_limit (job, stint_job_spec_get_idle_timeout (stint_job_get_spec (job)));
}

static void
update_limits (StintJobActions *self)
{
  StintJob *job = get_job (self);
  StintJobSpec *spec = stint_job_get_spec (job);
  gboolean one = self->jobs->len == 1 && is_running (job);

  set_enabled (self, "extend-timeout", one);
  set_enabled (self, "extend-idle", one);
  set_enabled (self, "no-timeout", one && stint_job_get_timeout_left (job) != STINT_NEVER);
  set_enabled (self, "no-idle", one && stint_job_get_idle_total (job) > 0);
  set_enabled (self, "restore-timeout",
               one && stint_job_spec_get_timeout (spec) > 0 && get_restored_timeout (job) > 0);
  set_enabled (self, "restore-idle",
               one && stint_job_spec_get_idle_timeout (spec) > 0 &&
                   stint_job_get_idle_total (job) != stint_job_spec_get_idle_timeout (spec));
}

static void
stint_job_actions_dispose (GObject *object)
{
  StintJobActions *self = STINT_JOB_ACTIONS (object);

  for (guint i = 0; self->jobs != NULL && i < self->jobs->len; i++)
    g_signal_handlers_disconnect_by_data (self->jobs->pdata[i], self);
  g_cancellable_cancel (self->cancellable);

  G_OBJECT_CLASS (stint_job_actions_parent_class)->dispose (object);
}

static void
stint_job_actions_finalize (GObject *object)
{
  StintJobActions *self = STINT_JOB_ACTIONS (object);

  g_clear_pointer (&self->jobs, g_ptr_array_unref);
  g_clear_object (&self->group);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (stint_job_actions_parent_class)->finalize (object);
}

static void
stint_job_actions_class_init (StintJobActionsClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_job_actions_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_job_actions_finalize;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[EDIT] = g_signal_new ("edit", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                1, STINT_TYPE_JOB_SPEC);
  signals[DISMISS] = g_signal_new ("dismiss", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[BESIDE] = g_signal_new ("beside", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[START_NOW] = g_signal_new ("start-now", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[MOVE_UP] = g_signal_new ("move-up", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[THEN] = g_signal_new ("then", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[CONTINUE] = g_signal_new ("continue", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                    G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[SHOW_TEXT] = g_signal_new ("show-text", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                  G_TYPE_NONE, 1, STINT_TYPE_JOB);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 2, STINT_TYPE_JOB, G_TYPE_ERROR);
}

static void
stint_job_actions_init (StintJobActions *self)
{
  static const GActionEntry entries[] = {
    { .name = "terminate", .activate = on_terminate },
    { .name = "kill", .activate = on_kill },
    { .name = "cancel", .activate = on_cancel },
    { .name = "pause", .state = "false", .change_state = on_pause },
    { .name = "restart", .activate = on_restart },
    { .name = "run-again", .activate = on_run_again },
    { .name = "edit", .activate = on_edit },
    { .name = "extend-timeout", .parameter_type = "i", .activate = on_extend_timeout },
    { .name = "no-timeout", .activate = on_no_timeout },
    { .name = "restore-timeout", .activate = on_restore_timeout },
    { .name = "extend-idle", .parameter_type = "i", .activate = on_extend_idle },
    { .name = "no-idle", .activate = on_no_idle },
    { .name = "restore-idle", .activate = on_restore_idle },
    { .name = "dismiss", .activate = on_dismiss },
    { .name = "beside", .activate = on_beside },
    { .name = "start-now", .activate = on_start_now },
    { .name = "move-up", .activate = on_move_up },
    { .name = "then", .activate = on_then },
    { .name = "continue", .activate = on_continue },
    { .name = "let-go", .state = "false", .change_state = on_let_go },
    { .name = "show-text", .activate = on_show_text },
    { .name = "copy-command", .activate = on_copy_command },
    { .name = "open-directory", .activate = on_open_directory },
  };

  self->cancellable = g_cancellable_new ();
  self->group = g_simple_action_group_new ();
  g_action_map_add_action_entries (G_ACTION_MAP (self->group), entries, G_N_ELEMENTS (entries),
                                   self);
}

StintJobActions *
stint_job_actions_new (GPtrArray *jobs)
{
  StintJobActions *self;

  g_return_val_if_fail (jobs != NULL && jobs->len > 0, NULL);

  self = g_object_new (STINT_TYPE_JOB_ACTIONS, NULL);
  self->jobs = g_ptr_array_new_with_free_func (g_object_unref);
  for (guint i = 0; i < jobs->len; i++)
    {
      g_ptr_array_add (self->jobs, g_object_ref (jobs->pdata[i]));
      g_signal_connect_object (jobs->pdata[i], "notify::state", G_CALLBACK (update), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (jobs->pdata[i], "limits-changed", G_CALLBACK (update), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (jobs->pdata[i], "notify::queue-position", G_CALLBACK (update), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (jobs->pdata[i], "notify::detached", G_CALLBACK (update), self,
                               G_CONNECT_SWAPPED);
      g_signal_connect_object (jobs->pdata[i], "notify::paused", G_CALLBACK (update), self,
                               G_CONNECT_SWAPPED);
    }
  update (self);
  return self;
}

StintJobActions *
stint_job_actions_new_for (StintJob *job)
{
  g_autoptr (GPtrArray) jobs = NULL;

  g_return_val_if_fail (job == NULL || STINT_IS_JOB (job), NULL);

  if (job == NULL)
    return NULL;
  jobs = g_ptr_array_new ();
  g_ptr_array_add (jobs, job);
  return stint_job_actions_new (jobs);
}

GActionGroup *
stint_job_actions_get_group (StintJobActions *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ACTIONS (self), NULL);

  return G_ACTION_GROUP (self->group);
}

GPtrArray *
stint_job_actions_get_jobs (StintJobActions *self)
{
  g_return_val_if_fail (STINT_IS_JOB_ACTIONS (self), NULL);

  return self->jobs;
}

/* What is not to be done now is not in the menu. */
static void
append (GMenu *section, const char *label, const char *action)
{
  g_autoptr (GMenuItem) item = g_menu_item_new (label, action);

  g_menu_item_set_attribute (item, "hidden-when", "s", "action-disabled");
  g_menu_append_item (section, item);
}

static void
append_section (GMenu *menu, GMenu *section)
{
  g_menu_append_section (menu, NULL, G_MENU_MODEL (section));
}

GMenuModel *
stint_job_actions_dup_menu (StintJobActions *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  g_autoptr (GMenu) stop = g_menu_new ();
  g_autoptr (GMenu) again = g_menu_new ();
  g_autoptr (GMenu) more = g_menu_new ();
  g_autofree char *title = NULL;

  g_return_val_if_fail (STINT_IS_JOB_ACTIONS (self), NULL);

  if (self->jobs->len == 1)
    title = stint_text_clean (stint_job_get_title (self->jobs->pdata[0]), TITLE_CHARS);
  else
    title = g_strdup_printf (ngettext ("%u job", "%u jobs", self->jobs->len), self->jobs->len);
  append (stop, _ ("_Terminate"), "job.terminate");
  append (stop, _ ("_Kill"), "job.kill");
  append (stop, _ ("_Start Now"), "job.start-now");
  append (stop, _ ("Move _Up"), "job.move-up");
  append (stop, _ ("Ca_ncel"), "job.cancel");
  append (stop, _ ("_Paused"), "job.pause");
  g_menu_append_section (menu, title, G_MENU_MODEL (stop));
  append (again, _ ("Re_start"), "job.restart");
  append (again, _ ("Contin_ue…"), "job.continue");
  append (again, _ ("Run _Again"), "job.run-again");
  append (again, _ ("_Edit and Run…"), "job.edit");
  append (again, _ ("T_hen Run…"), "job.then");
  append (again, _ ("Keep Runnin_g After Quitting"), "job.let-go");
  append_section (menu, again);
  append (more, _ ("Show _Beside"), "job.beside");
  append (more, _ ("Show as Te_xt"), "job.show-text");
  append (more, _ ("_Copy Command"), "job.copy-command");
  append (more, _ ("_Open Directory in Files"), "job.open-directory");
  append (more, _ ("_Dismiss"), "job.dismiss");
  append_section (menu, more);
  return G_MENU_MODEL (g_steal_pointer (&menu));
}
