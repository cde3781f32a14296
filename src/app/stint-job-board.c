/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The jobs of this session in their sections: who stands where, who needs the user and until when.
 * One sorted array; a job that changes moves alone, so that whoever shows the list keeps its rows. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-job-board.h"

#include "stint-job-entry-private.h"

#include <glib/gi18n.h>
#include <stdlib.h>
#include <string.h>

struct _StintJobBoard
{
  GObject parent_instance;

  StintJobList *jobs;
  GPtrArray *entries; /* of StintJobEntry, sorted */
  GHashTable *by_job; /* StintJob → StintJobEntry, both borrowed from the entries */
  guint counts[STINT_N_SECTIONS]; /* of those that are part of nothing */
  guint places[STINT_N_SECTIONS]; /* of all */
  guint64 last_serial;
  guint64 last_end_serial;
  guint sort_id;
};

static void stint_job_board_init_list_model (GListModelInterface *interface);

G_DEFINE_FINAL_TYPE_WITH_CODE (StintJobBoard,
                               stint_job_board,
                               G_TYPE_OBJECT,
                               G_IMPLEMENT_INTERFACE (G_TYPE_LIST_MODEL,
                                                      stint_job_board_init_list_model))

enum
{
  COUNTS_CHANGED,
  NEEDS_YOU,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static StintJobEntry *
get_entry (StintJobBoard *self, guint index)
{
  return g_ptr_array_index (self->entries, index);
}

static gboolean
is_finished (const StintJobEntry *entry)
{
  return stint_job_get_state (entry->job) == STINT_JOB_FINISHED;
}

static gboolean
is_silent (const StintJobEntry *entry)
{
  return !is_finished (entry) && stint_job_get_silent (entry->job);
}

/* What the user stopped never needs them. */
static gboolean
is_failure (StintJob *job)
{
  StintResult *result = stint_job_get_result (job);

  switch (result->reason)
    {
    case STINT_REASON_EXITED:
      return !stint_result_is_success (result);
    case STINT_REASON_SIGNALED:
    case STINT_REASON_TIMEOUT:
    case STINT_REASON_IDLE_TIMEOUT:
    case STINT_REASON_FAILED:
    case STINT_REASON_INTERRUPTED:
      return TRUE;
    case STINT_REASON_NONE:
    case STINT_REASON_TERMINATED:
    case STINT_REASON_KILLED:
    case STINT_REASON_CANCELLED:
    default:
      return FALSE;
    }
}

/* (nullable): what it wants of the user, in words. */
static const char *
get_need (const StintJobEntry *entry)
{
  if (entry->asks != NULL)
    return entry->asks;
  if (entry->rang)
    /* Translators: what a job needs the user for: its program made the terminal beep. */
    return _ ("Rang the bell");
  return is_silent (entry) ? _ ("No output for too long") : NULL;
}

/* What it needs, or one of its parts does. */
static const char *
find_need (StintJobBoard *self, const StintJobEntry *entry)
{
  const char *need = get_need (entry);

  for (guint i = 1; need == NULL && i <= entry->n_below; i++)
    need = get_need (get_entry (self, entry->index + i));
  return need;
}

static StintSection
choose_section (const StintJobEntry *entry, const char *need)
{
  if (need != NULL || entry->failed)
    return STINT_SECTION_NEEDS_YOU;
  switch (stint_job_get_state (entry->job))
    {
    case STINT_JOB_QUEUED:
      return STINT_SECTION_QUEUED;
    case STINT_JOB_FINISHED:
      return STINT_SECTION_RECENT;
    case STINT_JOB_STARTING:
    case STINT_JOB_RUNNING:
    case STINT_JOB_STOPPING:
    default:
      return STINT_SECTION_RUNNING;
    }
}

static int
compare_serials (guint64 first, guint64 second)
{
  return first < second ? -1 : first > second;
}

/* Whose turn is next; then who waits for a time; the oldest first where that says nothing. */
static int
compare_queued (const StintJobEntry *first, const StintJobEntry *second)
{
  /* 0, for no position, comes last. */
  guint first_position = stint_job_get_queue_position (first->job) - 1;
  guint second_position = stint_job_get_queue_position (second->job) - 1;

  if (first_position != second_position)
    return first_position < second_position ? -1 : 1;
  return compare_serials (first->serial, second->serial);
}

static int
compare_tops (const StintJobEntry *first, const StintJobEntry *second)
{
  int sections = (int) first->section - (int) second->section;

  if (sections != 0)
    return sections;
  if (first->section == STINT_SECTION_QUEUED)
    return compare_queued (first, second);
  if (first->section == STINT_SECTION_RECENT)
    return compare_serials (second->end_serial, first->end_serial);
  return compare_serials (second->serial, first->serial);
}

/* The newest first, but in the queue the one whose turn is next; and parts behind what they are part
 * of. */
static int
compare (const StintJobEntry *first, const StintJobEntry *second)
{
  const StintJobEntry *first_top = first->above != NULL ? first->above : first;
  const StintJobEntry *second_top = second->above != NULL ? second->above : second;

  if (first_top != second_top)
    return compare_tops (first_top, second_top);
  if (first == first_top || second == second_top)
    return (first != first_top) - (second != second_top);
  return compare_serials (second->serial, first->serial);
}

/* Where an entry belongs among the others: all but @n from @from, which are it and its parts. */
static guint
find_place (StintJobBoard *self, const StintJobEntry *entry, guint from, guint n)
{
  guint low = 0;
  guint high = self->entries->len - n;

  while (low < high)
    {
      guint middle = low + (high - low) / 2;

      if (compare (get_entry (self, middle < from ? middle : middle + n), entry) < 0)
        low = middle + 1;
      else
        high = middle;
    }
  return low;
}

static void
update_indexes (StintJobBoard *self, guint first, guint last)
{
  for (guint i = first; i <= last && i < self->entries->len; i++)
    get_entry (self, i)->index = i;
}

/* By @step. */
static void
count (StintJobBoard *self, const StintJobEntry *entry, int step)
{
  self->places[entry->section] += (guint) step;
  if (entry->above == NULL)
    self->counts[entry->section] += (guint) step;
}

static void
insert (StintJobBoard *self, StintJobEntry *entry)
{
  guint place = find_place (self, entry, 0, 0);

  count (self, entry, 1);
  if (entry->above != NULL)
    entry->above->n_below++;
  g_ptr_array_insert (self->entries, (int) place, entry);
  update_indexes (self, place, self->entries->len);
  g_list_model_items_changed (G_LIST_MODEL (self), place, 0, 1);
}

/* One change that holds both places, and the parts with it: whoever shows the list finds the entry again
 * in it. Who shows a part of it has to look again at one that has @changed its section, wherever it
 * stands. */
static void
move (StintJobBoard *self, StintJobEntry *entry, gboolean changed)
{
  guint from = entry->index;
  guint n = 1 + entry->n_below;
  guint to = find_place (self, entry, from, n);
  guint first = MIN (from, to);
  guint size = MAX (from, to) - first + n;
  gpointer *places = self->entries->pdata;
  g_autofree gpointer *moved = NULL;

  if (to != from)
    {
      moved = g_memdup2 (places + from, n * sizeof *places);
      if (to < from)
        memmove (places + to + n, places + to, (from - to) * sizeof *places);
      else
        memmove (places + from, places + from + n, (to - from) * sizeof *places);
      memcpy (places + to, moved, n * sizeof *places);
      update_indexes (self, first, first + size - 1);
    }
  if (to != from || changed)
    g_list_model_items_changed (G_LIST_MODEL (self), first, size, size);
}

static void
remove_one (StintJobBoard *self, StintJobEntry *entry)
{
  g_autoptr (StintJobEntry) kept = g_object_ref (entry);
  guint index = entry->index;

  g_signal_handlers_disconnect_by_data (entry->job, self);
  g_hash_table_remove (self->by_job, entry->job);
  count (self, entry, -1);
  if (entry->above != NULL)
    entry->above->n_below--;
  entry->above = NULL;
  g_ptr_array_remove_index (self->entries, index);
  update_indexes (self, index, self->entries->len);
  g_list_model_items_changed (G_LIST_MODEL (self), index, 1, 0);
}

/* What it has ended with goes with it. What still runs goes too: it is as good as ended. */
static void
remove_entry (StintJobBoard *self, StintJobEntry *entry)
{
  g_autoptr (StintJobEntry) kept = g_object_ref (entry);

  while (entry->n_below > 0)
    remove_one (self, get_entry (self, entry->index + entry->n_below));
  remove_one (self, entry);
}

/* The oldest of the recent ones are the last of all. */
static void
drop_oldest (StintJobBoard *self)
{
  while (self->counts[STINT_SECTION_RECENT] > STINT_BOARD_MOST_RECENT)
    {
      StintJobEntry *last = get_entry (self, self->entries->len - 1);

      remove_entry (self, last->above != NULL ? last->above : last);
    }
}

/* An agent may have hundreds. */
static void
drop_oldest_below (StintJobBoard *self, StintJobEntry *entry)
{
  guint n_ended = 0;

  for (guint i = 1; i <= entry->n_below;)
    {
      StintJobEntry *part = get_entry (self, entry->index + i);

      if (is_finished (part) && ++n_ended > STINT_BOARD_MOST_BELOW)
        remove_one (self, part);
      else
        i++;
    }
}

static void
set_section (StintJobBoard *self, StintJobEntry *entry, StintSection section)
{
  for (guint i = 0; i <= entry->n_below; i++)
    {
      StintJobEntry *part = get_entry (self, entry->index + i);

      count (self, part, -1);
      stint_job_entry_set_section (part, section);
      count (self, part, 1);
    }
}

static void update_entry (StintJobBoard *self, StintJobEntry *entry);

/* Who has not looked at a hundred failures will not look at the first of them: the history has it. */
static void
let_oldest_failure_go (StintJobBoard *self)
{
  StintJobEntry *oldest = NULL;

  if (self->counts[STINT_SECTION_NEEDS_YOU] <= STINT_BOARD_MOST_FAILED)
    return;
  for (guint i = 0; i < self->places[STINT_SECTION_NEEDS_YOU]; i++)
    {
      StintJobEntry *entry = get_entry (self, i);

      if (entry->failed && (oldest == NULL || entry->end_serial < oldest->end_serial))
        oldest = entry;
    }
  if (oldest == NULL)
    return;
  oldest->failed = FALSE;
  update_entry (self, oldest);
}

static void
update_entry (StintJobBoard *self, StintJobEntry *entry)
{
  g_autoptr (StintJobEntry) kept = g_object_ref (entry);
  StintSection before = entry->section;
  StintSection section;
  const char *need;

  if (entry->above != NULL)
    {
      g_autoptr (StintJobEntry) above = g_object_ref (entry->above);

      stint_job_entry_set_need (entry, get_need (entry));
      drop_oldest_below (self, above);
      update_entry (self, above);
      return;
    }
  need = find_need (self, entry);
  section = choose_section (entry, need);
  stint_job_entry_set_need (entry, need);
  if (section != before)
    set_section (self, entry, section);
  move (self, entry, section != before);
  if (section == before)
    return;
  drop_oldest (self);
  g_signal_emit (self, signals[COUNTS_CHANGED], 0);
  if (section == STINT_SECTION_NEEDS_YOU)
    {
      g_signal_emit (self, signals[NEEDS_YOU], 0, entry);
      let_oldest_failure_go (self);
    }
}

static void
on_state (StintJobBoard *self, GParamSpec *pspec, StintJob *job)
{
  StintJobEntry *entry = g_hash_table_lookup (self->by_job, job);

  if (is_finished (entry) && entry->end_serial == 0)
    {
      entry->end_serial = ++self->last_end_serial;
      g_clear_pointer (&entry->asks, g_free);
      entry->rang = FALSE;
      entry->failed = entry->above == NULL && is_failure (job);
    }
  update_entry (self, entry);
}

/* It has been silent for too long, and goes on; or it says something again. */
static void
on_silent (StintJobBoard *self, GParamSpec *pspec, StintJob *job)
{
  update_entry (self, g_hash_table_lookup (self->by_job, job));
}

static int
compare_entries (gconstpointer a, gconstpointer b)
{
  return compare (*(StintJobEntry *const *) a, *(StintJobEntry *const *) b);
}

/* Positions change by the dozen: the queue is sorted once for all of them, when there is time. */
static gboolean
on_sort_queue (gpointer user_data)
{
  StintJobBoard *self = STINT_JOB_BOARD (user_data);
  guint first = self->places[STINT_SECTION_NEEDS_YOU] + self->places[STINT_SECTION_RUNNING];
  guint n_queued = self->places[STINT_SECTION_QUEUED];
  gboolean changed = FALSE;

  self->sort_id = 0;
  if (n_queued < 2)
    return G_SOURCE_REMOVE;
  qsort (self->entries->pdata + first, n_queued, sizeof (gpointer), compare_entries);
  for (guint i = first; i < first + n_queued; i++)
    changed = changed || get_entry (self, i)->index != i;
  if (changed)
    {
      update_indexes (self, first, first + n_queued - 1);
      g_list_model_items_changed (G_LIST_MODEL (self), first, n_queued, n_queued);
    }
  return G_SOURCE_REMOVE;
}

static void
on_queue_position (StintJobBoard *self)
{
  if (self->sort_id == 0)
    self->sort_id = g_idle_add_full (G_PRIORITY_DEFAULT, on_sort_queue, self, NULL);
}

/* (nullable) */
static StintJobEntry *
find_above (StintJobBoard *self, StintJob *job)
{
  guint64 id = stint_job_spec_get_parent (stint_job_get_spec (job));
  g_autoptr (StintJob) parent = id != 0 ? stint_job_list_lookup (self->jobs, id) : NULL;
  StintJobEntry *above = stint_job_board_find (self, parent);

  return above != NULL && above->above != NULL ? above->above : above;
}

static StintJobEntry *
add (StintJobBoard *self, StintJob *job)
{
  StintJobEntry *entry = stint_job_entry_new (job);

  stint_job_entry_set_above (entry, find_above (self, job));
  entry->serial = ++self->last_serial;
  if (is_finished (entry))
    entry->end_serial = ++self->last_end_serial;
  g_hash_table_insert (self->by_job, job, entry);
  g_signal_connect_object (job, "notify::state", G_CALLBACK (on_state), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "notify::silent", G_CALLBACK (on_silent), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (job, "notify::queue-position", G_CALLBACK (on_queue_position), self,
                           G_CONNECT_SWAPPED);
  return entry;
}

static void
insert_new (StintJobBoard *self, StintJobEntry *entry)
{
  stint_job_entry_set_section (entry, entry->above != NULL
                                          ? entry->above->section
                                          : choose_section (entry, get_need (entry)));
  insert (self, entry);
  if (entry->above != NULL)
    drop_oldest_below (self, entry->above);
  drop_oldest (self);
  let_oldest_failure_go (self);
  g_signal_emit (self, signals[COUNTS_CHANGED], 0);
}

/* What is no longer in the list of jobs is not on the board either. */
static void
remove_strangers (StintJobBoard *self)
{
  g_autoptr (GHashTable) known = g_hash_table_new_full (NULL, NULL, g_object_unref, NULL);
  guint n_jobs = g_list_model_get_n_items (G_LIST_MODEL (self->jobs));

  for (guint i = 0; i < n_jobs; i++)
    g_hash_table_add (known, g_list_model_get_item (G_LIST_MODEL (self->jobs), i));
  for (guint i = self->entries->len; i > 0; i--)
    {
      if (i <= self->entries->len && !g_hash_table_contains (known, get_entry (self, i - 1)->job))
        remove_entry (self, get_entry (self, i - 1));
    }
  g_signal_emit (self, signals[COUNTS_CHANGED], 0);
}

static void
on_items_changed (StintJobBoard *self, guint position, guint removed, guint added, GListModel *jobs)
{
  if (removed > 0)
    remove_strangers (self);
  /* The newest is the first. */
  for (guint i = position + added; i > position; i--)
    {
      g_autoptr (StintJob) job = g_list_model_get_item (jobs, i - 1);

      if (!g_hash_table_contains (self->by_job, job) &&
          stint_job_get_state (job) != STINT_JOB_FINISHED)
        insert_new (self, add (self, job));
    }
}

static GType
stint_job_board_get_item_type (GListModel *model)
{
  return STINT_TYPE_JOB_ENTRY;
}

static guint
stint_job_board_get_n_items (GListModel *model)
{
  return STINT_JOB_BOARD (model)->entries->len;
}

static gpointer
stint_job_board_get_item (GListModel *model, guint position)
{
  StintJobBoard *self = STINT_JOB_BOARD (model);

  return position < self->entries->len ? g_object_ref (get_entry (self, position)) : NULL;
}

static void
stint_job_board_init_list_model (GListModelInterface *interface)
{
  interface->get_item_type = stint_job_board_get_item_type;
  interface->get_n_items = stint_job_board_get_n_items;
  interface->get_item = stint_job_board_get_item;
}

static void
stint_job_board_dispose (GObject *object)
{
  StintJobBoard *self = STINT_JOB_BOARD (object);

  for (guint i = 0; i < self->entries->len; i++)
    g_signal_handlers_disconnect_by_data (get_entry (self, i)->job, self);
  g_clear_handle_id (&self->sort_id, g_source_remove);
  g_hash_table_remove_all (self->by_job);
  g_ptr_array_set_size (self->entries, 0);
  g_clear_object (&self->jobs);

  G_OBJECT_CLASS (stint_job_board_parent_class)->dispose (object);
}

static void
stint_job_board_finalize (GObject *object)
{
  StintJobBoard *self = STINT_JOB_BOARD (object);

  g_hash_table_unref (self->by_job);
  g_ptr_array_unref (self->entries);

  G_OBJECT_CLASS (stint_job_board_parent_class)->finalize (object);
}

static void
stint_job_board_class_init (StintJobBoardClass *klass)
{
  GType type = G_TYPE_FROM_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_job_board_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_job_board_finalize;

  signals[COUNTS_CHANGED] =
      g_signal_new ("counts-changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[NEEDS_YOU] = g_signal_new ("needs-you", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                                     G_TYPE_NONE, 1, STINT_TYPE_JOB_ENTRY);
}

static void
stint_job_board_init (StintJobBoard *self)
{
  self->entries = g_ptr_array_new_with_free_func (g_object_unref);
  self->by_job = g_hash_table_new (NULL, NULL);
}

StintJobBoard *
stint_job_board_new (StintJobList *jobs)
{
  StintJobBoard *self;

  g_return_val_if_fail (STINT_IS_JOB_LIST (jobs), NULL);

  self = g_object_new (STINT_TYPE_JOB_BOARD, NULL);
  self->jobs = g_object_ref (jobs);
  g_signal_connect_object (jobs, "items-changed", G_CALLBACK (on_items_changed), self,
                           G_CONNECT_SWAPPED);
  on_items_changed (self, 0, 0, g_list_model_get_n_items (G_LIST_MODEL (jobs)),
                    G_LIST_MODEL (jobs));
  return self;
}

guint
stint_job_board_get_count (StintJobBoard *self, StintSection section)
{
  g_return_val_if_fail (STINT_IS_JOB_BOARD (self), 0);
  g_return_val_if_fail (section < STINT_N_SECTIONS, 0);

  return self->counts[section];
}

StintJobEntry *
stint_job_board_find (StintJobBoard *self, StintJob *job)
{
  g_return_val_if_fail (STINT_IS_JOB_BOARD (self), NULL);

  return job != NULL ? g_hash_table_lookup (self->by_job, job) : NULL;
}

void
stint_job_board_add_finished (StintJobBoard *self, StintJob *job, gboolean unseen)
{
  StintJobEntry *entry;

  g_return_if_fail (STINT_IS_JOB_BOARD (self));
  g_return_if_fail (STINT_IS_JOB (job) && stint_job_get_state (job) == STINT_JOB_FINISHED);

  if (g_hash_table_contains (self->by_job, job))
    return;
  entry = add (self, job);
  entry->failed =
      unseen && is_failure (job) && stint_job_spec_get_parent (stint_job_get_spec (job)) == 0;
  if (!unseen)
    stint_job_entry_set_looked_at (entry, TRUE);
  insert_new (self, entry);
}

gboolean
stint_job_board_dismiss (StintJobBoard *self, StintJob *job)
{
  StintJobEntry *entry;

  g_return_val_if_fail (STINT_IS_JOB_BOARD (self), FALSE);

  entry = stint_job_board_find (self, job);
  if (entry == NULL || !is_finished (entry))
    return FALSE;
  remove_entry (self, entry);
  g_signal_emit (self, signals[COUNTS_CHANGED], 0);
  return TRUE;
}

void
stint_job_board_set_seen (StintJobBoard *self, StintJob *job)
{
  StintJobEntry *entry;

  g_return_if_fail (STINT_IS_JOB_BOARD (self));

  entry = stint_job_board_find (self, job);
  if (entry == NULL || (!entry->failed && !entry->rang))
    return;
  entry->failed = FALSE;
  entry->rang = FALSE;
  update_entry (self, entry);
}

void
stint_job_board_set_rang (StintJobBoard *self, StintJob *job, gboolean rang)
{
  StintJobEntry *entry;

  g_return_if_fail (STINT_IS_JOB_BOARD (self));

  entry = stint_job_board_find (self, job);
  if (entry == NULL || entry->rang == rang || (is_finished (entry) && rang))
    return;
  entry->rang = rang;
  update_entry (self, entry);
}

void
stint_job_board_set_asks (StintJobBoard *self, StintJob *job, const char *what)
{
  StintJobEntry *entry;

  g_return_if_fail (STINT_IS_JOB_BOARD (self));

  entry = stint_job_board_find (self, job);
  if (entry == NULL || (is_finished (entry) && what != NULL))
    return;
  g_free (entry->asks);
  entry->asks = g_strdup (what);
  update_entry (self, entry);
}
