/* SPDX-License-Identifier: GPL-3.0-or-later */

/* What went wrong: raised by anybody, shown by the window, kept for later. No widgets here. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-problems.h"

#include "stint-units.h"

#define TITLE_CHARS 120
#define DETAILS_CHARS 4000
#define KEPT_PROBLEMS 200
#define SAME_CAUSE_USEC (10 * G_USEC_PER_SEC)

struct _StintProblem
{
  GObject parent_instance;

  char *title;
  char *details;
  gint64 time; /* microseconds since 1970 */
};

G_DEFINE_FINAL_TYPE (StintProblem, stint_problem, G_TYPE_OBJECT)

static void
stint_problem_finalize (GObject *object)
{
  StintProblem *self = STINT_PROBLEM (object);

  g_free (self->title);
  g_free (self->details);

  G_OBJECT_CLASS (stint_problem_parent_class)->finalize (object);
}

static void
stint_problem_class_init (StintProblemClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_problem_finalize;
}

static void
stint_problem_init (StintProblem *self)
{
}

const char *
stint_problem_get_title (StintProblem *self)
{
  g_return_val_if_fail (STINT_IS_PROBLEM (self), NULL);

  return self->title;
}

const char *
stint_problem_get_details (StintProblem *self)
{
  g_return_val_if_fail (STINT_IS_PROBLEM (self), NULL);

  return self->details;
}

gint64
stint_problem_get_time (StintProblem *self)
{
  g_return_val_if_fail (STINT_IS_PROBLEM (self), 0);

  return self->time;
}

char *
stint_problem_dup_text (StintProblem *self)
{
  g_autoptr (GDateTime) time = NULL;
  g_autofree char *when = NULL;

  g_return_val_if_fail (STINT_IS_PROBLEM (self), NULL);

  time = g_date_time_new_from_unix_local (self->time / G_USEC_PER_SEC);
  when = time != NULL ? g_date_time_format_iso8601 (time) : g_strdup ("");
  return g_strdup_printf ("%s\n%s\n%s\n", when, self->title, self->details);
}

struct _StintProblems
{
  GObject parent_instance;

  GPtrArray *problems; /* of StintProblem */
  gint64 last_at;      /* monotonic time of the last */
  guint n_untold;
};

static GType
stint_problems_get_item_type (GListModel *model)
{
  return STINT_TYPE_PROBLEM;
}

static guint
stint_problems_get_n_items (GListModel *model)
{
  return STINT_PROBLEMS (model)->problems->len;
}

static gpointer
stint_problems_get_item (GListModel *model, guint position)
{
  StintProblems *self = STINT_PROBLEMS (model);

  return position < self->problems->len ? g_object_ref (self->problems->pdata[position]) : NULL;
}

static void
list_model_init (GListModelInterface *iface)
{
  iface->get_item_type = stint_problems_get_item_type;
  iface->get_n_items = stint_problems_get_n_items;
  iface->get_item = stint_problems_get_item;
}

G_DEFINE_FINAL_TYPE_WITH_CODE (StintProblems,
                               stint_problems,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL, list_model_init))

enum
{
  RAISED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static void
stint_problems_finalize (GObject *object)
{
  StintProblems *self = STINT_PROBLEMS (object);

  g_ptr_array_unref (self->problems);

  G_OBJECT_CLASS (stint_problems_parent_class)->finalize (object);
}

static void
stint_problems_class_init (StintProblemsClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_problems_finalize;

  signals[RAISED] = g_signal_new ("raised", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, STINT_TYPE_PROBLEM);
}

static void
stint_problems_init (StintProblems *self)
{
  self->problems = g_ptr_array_new_with_free_func (g_object_unref);
}

StintProblems *
stint_problems_new (void)
{
  return g_object_new (STINT_TYPE_PROBLEMS, NULL);
}

/* One cause tends to be met in several places at once. */
static gboolean
is_told (StintProblems *self, const GError *error)
{
  gint64 now = g_get_monotonic_time ();
  gboolean told = FALSE;

  if (self->problems->len > 0 && now - self->last_at < SAME_CAUSE_USEC)
    {
      StintProblem *last = self->problems->pdata[self->problems->len - 1];
      g_autofree char *details = stint_text_clean (error->message, DETAILS_CHARS);

      told = g_str_equal (last->details, details);
    }
  self->last_at = now;
  return told;
}

void
stint_problems_raise (StintProblems *self, const char *title, const GError *error)
{
  g_autoptr (StintProblem) problem = NULL;

  g_return_if_fail (STINT_IS_PROBLEMS (self));
  g_return_if_fail (title != NULL);
  g_return_if_fail (error != NULL);

  if (is_told (self, error))
    return;
  problem = g_object_new (STINT_TYPE_PROBLEM, NULL);
  problem->title = stint_text_clean (title, TITLE_CHARS);
  problem->details = stint_text_clean (error->message, DETAILS_CHARS);
  problem->time = g_get_real_time ();
  g_printerr ("stint: %s: %s\n", problem->title, problem->details);

  if (self->problems->len == KEPT_PROBLEMS)
    {
      g_ptr_array_remove_index (self->problems, 0);
      g_list_model_items_changed (G_LIST_MODEL (self), 0, 1, 0);
    }
  g_ptr_array_add (self->problems, g_object_ref (problem));
  self->n_untold = MIN (self->n_untold + 1, KEPT_PROBLEMS);
  g_list_model_items_changed (G_LIST_MODEL (self), self->problems->len - 1, 0, 1);
  g_signal_emit (self, signals[RAISED], 0, problem);
}

void
stint_problems_clear (StintProblems *self)
{
  guint n_problems;

  g_return_if_fail (STINT_IS_PROBLEMS (self));

  n_problems = self->problems->len;
  self->n_untold = 0;
  g_ptr_array_set_size (self->problems, 0);
  if (n_problems > 0)
    g_list_model_items_changed (G_LIST_MODEL (self), 0, n_problems, 0);
}

guint
stint_problems_get_n_untold (StintProblems *self)
{
  g_return_val_if_fail (STINT_IS_PROBLEMS (self), 0);

  return self->n_untold;
}

void
stint_problems_set_told (StintProblems *self)
{
  g_return_if_fail (STINT_IS_PROBLEMS (self));

  self->n_untold = 0;
}
