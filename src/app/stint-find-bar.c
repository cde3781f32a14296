/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The face of a search through a whole transcript. The search itself is StintFind's, and showing a hit
 * is the pane's affair. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-find-bar.h"

#include "stint-find.h"

#include <glib/gi18n.h>
#include <inttypes.h>

struct _StintFindBar
{
  GtkWidget parent_instance;

  /* Template widgets */
  GtkRevealer *revealer;
  GtkEditable *entry;
  GtkWidget *previous_button;
  GtkWidget *next_button;
  GtkCheckButton *case_check;
  GtkCheckButton *word_check;
  GtkCheckButton *regex_check;
  GtkLabel *count_label;
  GtkProgressBar *progress_bar;
  GtkWidget *cancel_button;

  /* Owned */
  StintTranscript *transcript;
  StintFind *find; /* (nullable): there is nothing to find */
  char *problem;   /* (nullable): with what is to be found */
  char *searched;  /* (nullable): the text that it was made for */

  gboolean cancelled; /* what comes is not looked for by itself */
  guint extend_id; /* looks for what has come, while it is open and the job runs */
  guint64 from;
  StintFindHit hit; /* the one that is shown */
  gboolean has_hit;
  guint64 ordinal; /* its number; G_MAXUINT64: not known */
  int wanted;      /* 1 or -1: the next or previous hit, as soon as it is known */

  GCancellable *looking; /* (nullable): for what is wanted, or else for the ordinal */
  gboolean wrapped;      /* it looks around the end */
};

G_DEFINE_FINAL_TYPE (StintFindBar, stint_find_bar, GTK_TYPE_WIDGET)

enum
{
  HIT,
  CLOSED,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

static char *
dup_count (StintFindBar *self)
{
  guint64 n = stint_find_get_n_hits (self->find);

  if (n == 0)
    return g_strdup (stint_find_is_running (self->find) ? _ ("Searching…") : _ ("Not found"));
  if (self->has_hit && self->ordinal < n)
    /* Translators: which hit is shown, and how many there are */
    return g_strdup_printf (_ ("%'" PRIu64 " of %'" PRIu64), self->ordinal + 1, n);
  return g_strdup_printf (ngettext ("%'" PRIu64 " hit", "%'" PRIu64 " hits", (gulong) MIN (n, G_MAXINT)), n);
}

static char *
dup_status (StintFindBar *self)
{
  g_autofree char *count = NULL, *too_hard = NULL;
  guint n;

  if (self->problem != NULL)
    return g_strdup (self->problem);
  if (self->find == NULL)
    return g_strdup ("");
  if (stint_find_get_error (self->find) != NULL)
    return g_strdup (stint_find_get_error (self->find)->message);
  count = dup_count (self);
  n = (guint) MIN (stint_find_get_n_given_up (self->find), G_MAXINT);
  if (n == 0)
    return g_steal_pointer (&count);
  too_hard =
    g_strdup_printf (ngettext ("%'u line was too hard to search", "%'u lines were too hard to search", n), n);
  /* Translators: how many hits there are, or that there are none, and how much was not searched */
  return g_strdup_printf (_ ("%s; %s"), count, too_hard);
}

static void
update (StintFindBar *self)
{
  g_autofree char *status = dup_status (self);
  gboolean running = self->find != NULL && stint_find_is_running (self->find);
  gboolean any = self->find != NULL && stint_find_get_n_hits (self->find) > 0;
  guint64 size = self->find != NULL ? stint_find_get_size (self->find) : 0;

  gtk_label_set_label (self->count_label, status);
  gtk_widget_set_visible (GTK_WIDGET (self->progress_bar), running);
  gtk_widget_set_visible (self->cancel_button, running);
  if (size > 0)
    gtk_progress_bar_set_fraction (self->progress_bar, CLAMP ((double) stint_find_get_n_searched (self->find) /
                                                                (double) size,
                                                              0, 1));
  gtk_widget_set_sensitive (self->next_button, any);
  gtk_widget_set_sensitive (self->previous_button, any);
  if (self->problem != NULL || (self->find != NULL && !running && !any))
    gtk_widget_add_css_class (GTK_WIDGET (self->entry), "error");
  else
    gtk_widget_remove_css_class (GTK_WIDGET (self->entry), "error");
}

static void
show_hit (StintFindBar *self, const StintFindHit *hit, guint64 ordinal)
{
  self->hit = *hit;
  self->has_hit = TRUE;
  self->ordinal = ordinal;
  self->wanted = 0;
  g_signal_emit (self, signals[HIT], 0, hit->start, hit->end);
}

static void
stop_looking (StintFindBar *self)
{
  g_cancellable_cancel (self->looking);
  g_clear_object (&self->looking);
}

static void on_looked (GObject *source, GAsyncResult *result, gpointer user_data);

static void
look (StintFindBar *self, guint64 offset, int direction)
{
  stop_looking (self);
  self->looking = g_cancellable_new ();
  stint_find_look_async (self->find, offset, direction, self->looking, on_looked, self);
}

/* For what is wanted, or for the number of the hit that is shown. */
static void
go (StintFindBar *self)
{
  self->wrapped = FALSE;
  if (self->wanted > 0)
    look (self, self->has_hit ? self->hit.start + 1 : self->from, 1);
  else if (self->wanted < 0)
    look (self, self->has_hit ? self->hit.start : self->from, -1);
  else
    look (self, self->hit.start, 1);
}

static void
on_looked (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StintFindBar *self = user_data;
  StintFindHit hit;
  guint64 ordinal;
  g_autoptr (GError) error = NULL;
  StintFindAnswer answer = stint_find_look_finish (STINT_FIND (source), result, &hit, &ordinal, &error);

  /* The bar may be gone. */
  if (error != NULL)
    return;
  g_clear_object (&self->looking);
  if (self->wanted == 0)
    self->ordinal = answer == STINT_FIND_HIT && hit.start == self->hit.start ? ordinal : G_MAXUINT64;
  else if (answer == STINT_FIND_HIT)
    show_hit (self, &hit, ordinal);
  else if (answer == STINT_FIND_NONE && self->wrapped)
    self->wanted = 0;
  else if (answer == STINT_FIND_NONE)
    {
      self->wrapped = TRUE;
      look (self, self->wanted > 0 ? 0 : G_MAXUINT64, self->wanted);
    }
  update (self);
}

static void
on_progress (StintFindBar *self)
{
  if (self->looking == NULL && (self->wanted != 0 || (self->has_hit && self->ordinal == G_MAXUINT64)))
    go (self);
  update (self);
}

/* The number is another if the hole has grown over hits. */
static void
on_done (StintFindBar *self)
{
  if (self->looking == NULL && (self->wanted != 0 || self->has_hit))
    go (self);
  update (self);
}

static void
on_first_hit (StintFindBar *self, guint64 start, guint64 end)
{
  const StintFindHit hit = { start, end };

  if (!self->has_hit)
    {
      show_hit (self, &hit, G_MAXUINT64);
      go (self);
    }
  update (self);
}

static void
drop_find (StintFindBar *self)
{
  stop_looking (self);
  if (self->find != NULL)
    {
      g_signal_handlers_disconnect_by_data (self->find, self);
      stint_find_cancel (self->find);
    }
  g_clear_object (&self->find);
  g_clear_pointer (&self->problem, g_free);
  g_clear_pointer (&self->searched, g_free);
  self->cancelled = FALSE;
  self->has_hit = FALSE;
  self->wanted = 0;
}

static void
on_changed (StintFindBar *self)
{
  const char *text = gtk_editable_get_text (self->entry);
  StintQueryFlags flags = 0;
  g_autoptr (GError) error = NULL;

  if (self->has_hit)
    self->from = self->hit.start;
  drop_find (self);
  self->searched = g_strdup (text);
  if (!gtk_check_button_get_active (self->case_check))
    flags |= STINT_QUERY_CASELESS;
  if (gtk_check_button_get_active (self->word_check))
    flags |= STINT_QUERY_WHOLE_WORDS;
  if (gtk_check_button_get_active (self->regex_check))
    flags |= STINT_QUERY_REGEX;

  if (*text != '\0' && self->transcript != NULL)
    {
      self->find = stint_find_new (stint_transcript_get_reader (self->transcript), text, flags, &error);
      if (self->find == NULL)
        self->problem = g_strdup (error->message);
    }
  if (self->find != NULL)
    {
      g_signal_connect_swapped (self->find, "progress", G_CALLBACK (on_progress), self);
      g_signal_connect_swapped (self->find, "first-hit", G_CALLBACK (on_first_hit), self);
      g_signal_connect_swapped (self->find, "done", G_CALLBACK (on_done), self);
      stint_find_start (self->find, self->from);
    }
  update (self);
}

/* The entry tells of what was typed a moment later: who presses Enter before wants its first hit. Returns: whether
 * it is searched for only now */
static gboolean
search_for_typed (StintFindBar *self)
{
  if (g_strcmp0 (self->searched, gtk_editable_get_text (self->entry)) == 0)
    return FALSE;
  on_changed (self);
  return TRUE;
}

static void
on_typed (StintFindBar *self)
{
  search_for_typed (self);
}

static void
on_activate (StintFindBar *self)
{
  if (!search_for_typed (self))
    stint_find_bar_next (self);
}

static void
on_cancel (StintFindBar *self)
{
  self->cancelled = TRUE;
  self->wanted = 0;
  stop_looking (self);
  if (self->find != NULL)
    stint_find_cancel (self->find);
  update (self);
}

static void
on_stop (StintFindBar *self)
{
  stint_find_bar_close (self);
  g_signal_emit (self, signals[CLOSED], 0);
}

/* What has come since belongs to it; while it searches, as soon as that is done. */
static void
extend (StintFindBar *self)
{
  if (self->find != NULL &&
      stint_reader_get_size (stint_transcript_get_reader (self->transcript)) > stint_find_get_size (self->find))
    stint_find_extend (self->find);
}

static gboolean
on_extend (gpointer user_data)
{
  StintFindBar *self = STINT_FIND_BAR (user_data);

  if (gtk_widget_get_mapped (GTK_WIDGET (self)) && !self->cancelled)
    extend (self);
  if (self->transcript != NULL && !stint_transcript_is_complete (self->transcript))
    return G_SOURCE_CONTINUE;
  self->extend_id = 0;
  return G_SOURCE_REMOVE;
}

static void
want (StintFindBar *self, int direction)
{
  if (self->find == NULL)
    return;
  self->cancelled = FALSE;
  extend (self);
  /* Asked for again: it is under way. */
  if (self->looking == NULL || self->wanted != direction)
    {
      self->wanted = direction;
      go (self);
    }
  update (self);
}

void
stint_find_bar_next (StintFindBar *self)
{
  g_return_if_fail (STINT_IS_FIND_BAR (self));

  want (self, 1);
}

void
stint_find_bar_previous (StintFindBar *self)
{
  g_return_if_fail (STINT_IS_FIND_BAR (self));

  want (self, -1);
}

/* GtkSearchEntry has no key of its own for this. */
static gboolean
on_key_pressed (StintFindBar *self, guint key, guint code, GdkModifierType state)
{
  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter) || (state & GDK_SHIFT_MASK) == 0)
    return GDK_EVENT_PROPAGATE;
  stint_find_bar_previous (self);
  return GDK_EVENT_STOP;
}

static void
stint_find_bar_dispose (GObject *object)
{
  StintFindBar *self = STINT_FIND_BAR (object);
  GtkWidget *child;

  drop_find (self);
  g_clear_handle_id (&self->extend_id, g_source_remove);
  g_clear_object (&self->transcript);
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self))) != NULL)
    gtk_widget_unparent (child);
  gtk_widget_dispose_template (GTK_WIDGET (self), STINT_TYPE_FIND_BAR);

  G_OBJECT_CLASS (stint_find_bar_parent_class)->dispose (object);
}

static void
stint_find_bar_class_init (StintFindBarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_find_bar_dispose;

  signals[HIT] = g_signal_new ("hit", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                               G_TYPE_NONE, 2, G_TYPE_UINT64, G_TYPE_UINT64);
  signals[CLOSED] = g_signal_new ("closed", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);

  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/stint/Stint/stint-find-bar.ui");
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, revealer);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, entry);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, previous_button);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, next_button);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, case_check);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, word_check);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, regex_check);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, count_label);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, progress_bar);
  gtk_widget_class_bind_template_child (widget_class, StintFindBar, cancel_button);
  gtk_widget_class_bind_template_callback (widget_class, on_changed);
  gtk_widget_class_bind_template_callback (widget_class, on_typed);
  gtk_widget_class_bind_template_callback (widget_class, on_activate);
  gtk_widget_class_bind_template_callback (widget_class, on_stop);
  gtk_widget_class_bind_template_callback (widget_class, on_cancel);
  gtk_widget_class_bind_template_callback (widget_class, stint_find_bar_next);
  gtk_widget_class_bind_template_callback (widget_class, stint_find_bar_previous);
  gtk_widget_class_set_css_name (widget_class, "findbar");
}

static void
stint_find_bar_init (StintFindBar *self)
{
  GtkEventController *controller;

  gtk_widget_init_template (GTK_WIDGET (self));
  controller = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_CAPTURE);
  g_signal_connect_object (controller, "key-pressed", G_CALLBACK (on_key_pressed), self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (self->entry), controller);
  update (self);
}

void
stint_find_bar_set_transcript (StintFindBar *self, StintTranscript *transcript)
{
  g_return_if_fail (STINT_IS_FIND_BAR (self));

  if (!g_set_object (&self->transcript, transcript))
    return;
  drop_find (self);
  update (self);
}

void
stint_find_bar_open (StintFindBar *self, guint64 from)
{
  g_return_if_fail (STINT_IS_FIND_BAR (self));

  self->from = from;
  gtk_revealer_set_reveal_child (self->revealer, TRUE);
  if (self->extend_id == 0)
    self->extend_id = g_timeout_add_seconds (1, on_extend, self);
  gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  gtk_editable_select_region (self->entry, 0, -1);
}

void
stint_find_bar_close (StintFindBar *self)
{
  g_return_if_fail (STINT_IS_FIND_BAR (self));

  self->wanted = 0;
  stop_looking (self);
  if (self->find != NULL)
    stint_find_cancel (self->find);
  g_clear_handle_id (&self->extend_id, g_source_remove);
  gtk_revealer_set_reveal_child (self->revealer, FALSE);
  update (self);
}

char *
stint_find_bar_dup_pattern (StintFindBar *self, gboolean *caseless)
{
  g_return_val_if_fail (STINT_IS_FIND_BAR (self), NULL);

  return self->find != NULL ? stint_find_dup_pattern (self->find, caseless) : NULL;
}
