/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Jobs that wait for their time when Stint quits. The file holds their specs, as the history does, with
 * the time as a point in time; it is there until the user has answered. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-scheduled.h"

#include "stint-error.h"
#include "stint-json.h"
#include "stint-units.h"

#include <adwaita.h>
#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>

#define FILE_NAME "scheduled.json"
#define MOST_LISTED 6
#define TITLE_CHARS 60

struct _StintScheduled
{
  GObject parent_instance;

  char *directory;
  char *file;
  GPtrArray *kept;            /* (nullable) of StintJobSpec: what was read and is not answered */
  AdwMessageDialog *question; /* weak */
  gboolean asked;
  gboolean read;
};

G_DEFINE_FINAL_TYPE (StintScheduled, stint_scheduled, G_TYPE_OBJECT)

enum
{
  START,
  PROBLEM,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void ask (StintScheduled *self, GtkWindow *window);

/* The file */

static GPtrArray *
parse (const char *text, gsize length, GError **error)
{
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GPtrArray) specs = g_ptr_array_new_with_free_func (g_object_unref);
  JsonNode *root;
  JsonArray *array;

  if (!json_parser_load_from_data (parser, text, (gssize) length, error))
    return NULL;
  root = json_parser_get_root (parser);
  if (root == NULL || !JSON_NODE_HOLDS_ARRAY (root))
    {
      g_set_error_literal (error, STINT_ERROR, STINT_ERROR_DAMAGED, _ ("It is no list of jobs"));
      return NULL;
    }
  array = json_node_get_array (root);
  for (guint i = 0; i < json_array_get_length (array); i++)
    {
      StintJobSpec *spec = stint_job_spec_from_json (json_array_get_element (array, i), error);

      if (spec == NULL)
        return NULL;
      g_ptr_array_add (specs, spec);
    }
  return g_steal_pointer (&specs);
}

static void
raise_problem (StintScheduled *self, const GError *error)
{
  g_autofree char *name = g_filename_display_name (self->file);
  g_autoptr (GError) problem =
      /* Translators: a file, and what is wrong with it. */
      g_error_new (STINT_ERROR, STINT_ERROR_FAILED, _ ("“%s”: %s"), name, error->message);

  g_signal_emit (self, signals[PROBLEM], 0, problem);
}

static void
on_read (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (GTask) task = user_data;
  StintScheduled *self = g_task_get_source_object (task);
  GtkWindow *window = g_task_get_task_data (task);
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;
  gsize length;

  if (self->read)
    {
      g_task_return_boolean (task, TRUE);
      return;
    }
  self->read = TRUE;
  if (g_file_load_contents_finish (G_FILE (source), result, &text, &length, NULL, &error))
    self->kept = parse (text, length, &error);
  if (error != NULL && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_NOT_FOUND))
    raise_problem (self, error);
  if (self->kept != NULL && self->kept->len == 0)
    g_clear_pointer (&self->kept, g_ptr_array_unref);
  if (self->kept != NULL && gtk_widget_get_visible (GTK_WIDGET (window)))
    ask (self, window);
  g_task_return_boolean (task, TRUE);
}

static void
forget (StintScheduled *self)
{
  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_unlink (self->file);
}

/* The question */

/* (transfer full): a job and its time, a line. */
static char *
dup_line (StintJobSpec *spec)
{
  g_autofree char *title = stint_job_spec_dup_title (spec);
  g_autofree char *clean = stint_text_clean (title, TITLE_CHARS);
  g_autoptr (GDateTime) time =
      g_date_time_new_from_unix_local (stint_job_spec_get_start_at (spec) / G_USEC_PER_SEC);
  /* Translators: a date and a time of day, short. */
  g_autofree char *when = time != NULL ? g_date_time_format (time, _ ("%-d %b, %H:%M")) : NULL;

  if (when == NULL)
    return g_steal_pointer (&clean);
  /* Translators: a date and time, and a job's name. */
  return g_strdup_printf (_ ("%s: %s"), when, clean);
}

static char *
dup_body (GPtrArray *specs)
{
  g_autoptr (GString) body =
      g_string_new (_ ("They had not begun when Stint quit. Those whose time has passed "
                       "start at once."));
  guint n_listed = MIN (specs->len, MOST_LISTED);

  g_string_append (body, "\n");
  for (guint i = 0; i < n_listed; i++)
    {
      g_autofree char *line = dup_line (specs->pdata[i]);

      g_string_append_printf (body, "\n%s", line);
    }
  if (n_listed < specs->len)
    g_string_append (body, "\n…");
  return g_string_free (g_steal_pointer (&body), FALSE);
}

static void
on_response (StintScheduled *self, const char *response)
{
  g_autoptr (GPtrArray) specs = NULL;

  g_clear_weak_pointer (&self->question);
  if (self->kept == NULL || g_strcmp0 (response, "later") == 0)
    return;
  specs = g_ptr_array_ref (self->kept);
  forget (self);
  if (g_strcmp0 (response, "start") != 0)
    return;
  for (guint i = 0; i < specs->len; i++)
    g_signal_emit (self, signals[START], 0, specs->pdata[i]);
}

static void
ask (StintScheduled *self, GtkWindow *window)
{
  guint n_kept = self->kept->len;
  g_autofree char *heading = g_strdup_printf (
      ngettext ("Start %u Scheduled Job?", "Start %u Scheduled Jobs?", n_kept), n_kept);
  g_autofree char *body = dup_body (self->kept);
  AdwMessageDialog *dialog = ADW_MESSAGE_DIALOG (adw_message_dialog_new (window, heading, body));

  gtk_window_set_title (GTK_WINDOW (dialog), heading);
  adw_message_dialog_add_responses (dialog, "later", _ ("_Later"), "discard", _ ("_Discard"),
                                    "start", _ ("_Start"), NULL);
  adw_message_dialog_set_response_appearance (dialog, "discard", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_response_appearance (dialog, "start", ADW_RESPONSE_SUGGESTED);
  adw_message_dialog_set_default_response (dialog, "start");
  adw_message_dialog_set_close_response (dialog, "later");
  g_signal_connect_object (dialog, "response", G_CALLBACK (on_response), self, G_CONNECT_SWAPPED);
  g_set_weak_pointer (&self->question, dialog);
  gtk_window_present (GTK_WINDOW (dialog));
}

static void
stint_scheduled_dispose (GObject *object)
{
  StintScheduled *self = STINT_SCHEDULED (object);

  if (self->question != NULL)
    gtk_window_destroy (GTK_WINDOW (self->question));
  g_clear_weak_pointer (&self->question);

  G_OBJECT_CLASS (stint_scheduled_parent_class)->dispose (object);
}

static void
stint_scheduled_finalize (GObject *object)
{
  StintScheduled *self = STINT_SCHEDULED (object);

  g_clear_pointer (&self->kept, g_ptr_array_unref);
  g_free (self->directory);
  g_free (self->file);

  G_OBJECT_CLASS (stint_scheduled_parent_class)->finalize (object);
}

static void
stint_scheduled_class_init (StintScheduledClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_scheduled_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_scheduled_finalize;

  signals[START] = g_signal_new ("start", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE,
                                 1, STINT_TYPE_JOB_SPEC);
  signals[PROBLEM] = g_signal_new ("problem", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                   G_TYPE_NONE, 1, G_TYPE_ERROR);
}

static void
stint_scheduled_init (StintScheduled *self)
{
}

StintScheduled *
stint_scheduled_new (const char *directory)
{
  StintScheduled *self;

  g_return_val_if_fail (directory != NULL, NULL);

  self = g_object_new (STINT_TYPE_SCHEDULED, NULL);
  self->directory = g_strdup (directory);
  self->file = g_build_filename (directory, FILE_NAME, NULL);
  return self;
}

static void
add (JsonArray *array, StintJobSpec *spec)
{
  g_autoptr (JsonNode) node = stint_job_spec_to_json (spec);

  json_array_add_element (array, g_steal_pointer (&node));
}

/* What is left of a delay is a point in time: nobody counts meanwhile. */
static void
add_waiting (JsonArray *array, StintJob *job)
{
  g_autoptr (StintJobSpec) spec = NULL;

  if (stint_job_get_state (job) != STINT_JOB_QUEUED || stint_job_get_start_at (job) == 0 ||
      stint_job_is_scratch (job))
    return;
  spec = stint_job_spec_copy (stint_job_get_spec (job));
  stint_job_spec_set_start_at (spec, stint_job_get_start_at (job));
  add (array, spec);
}

/* At the end, and without a window until then: nobody has been asked, and what is there must stay. */
static void
read_now (StintScheduled *self)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  gsize length;

  if (self->read)
    return;
  self->read = TRUE;
  if (g_file_get_contents (self->file, &text, &length, &error))
    self->kept = parse (text, length, &error);
  if (error != NULL && !g_error_matches (error, G_FILE_ERROR, G_FILE_ERROR_NOENT))
    raise_problem (self, error);
}

guint
stint_scheduled_keep (StintScheduled *self, StintJobList *jobs)
{
  g_autoptr (JsonArray) array = json_array_new ();
  g_autoptr (GPtrArray) active = NULL;
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  guint n_kept;

  g_return_val_if_fail (STINT_IS_SCHEDULED (self), 0);
  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), 0);

  active = stint_job_list_dup_active (jobs);
  for (guint i = 0; i < active->len; i++)
    add_waiting (array, active->pdata[i]);
  n_kept = json_array_get_length (array);
  if (n_kept == 0)
    return 0;
  read_now (self);
  for (guint i = 0; self->kept != NULL && i < self->kept->len; i++)
    add (array, self->kept->pdata[i]);
  root = json_node_init_array (json_node_alloc (), array);
  text = stint_json_to_text (root, TRUE);
  g_mkdir_with_parents (self->directory, 0700);
  if (g_file_set_contents_full (self->file, text, -1, G_FILE_SET_CONTENTS_CONSISTENT, 0600, &error))
    return n_kept;
  raise_problem (self, error);
  return 0;
}

void
stint_scheduled_offer (StintScheduled *self, GtkWindow *window)
{
  g_return_if_fail (STINT_IS_SCHEDULED (self));
  g_return_if_fail (GTK_IS_WINDOW (window));

  if (!self->asked)
    {
      g_autoptr (GFile) file = g_file_new_for_path (self->file);
      GTask *task = g_task_new (self, NULL, NULL, NULL);

      self->asked = TRUE;
      g_task_set_task_data (task, g_object_ref (window), g_object_unref);
      g_file_load_contents_async (file, NULL, on_read, task);
    }
}
