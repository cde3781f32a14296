/* SPDX-License-Identifier: GPL-3.0-or-later */

/* The protocol log of a job, in a window: a row for each message, its JSON below the list. It is read
 * in a thread, a batch at a time, and goes on when the log has grown. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-protocol-log.h"

#include "stint-acp-log.h"
#include "stint-agent-session.h"

#include <adwaita.h>
#include <glib/gi18n.h>
#include <string.h>

#define BATCH 500
#define MAX_ROW 200      /* characters of a message that its row shows */
#define MAX_DETAIL 65536 /* bytes of it that are shown below */

/* A message. */
#define STINT_TYPE_LOG_ROW (stint_log_row_get_type ())
G_DECLARE_FINAL_TYPE (StintLogRow, stint_log_row, STINT, LOG_ROW, GObject)

struct _StintLogRow
{
  GObject parent_instance;

  StintAcpDirection direction;
  char *title;
  char *text;
};

G_DEFINE_FINAL_TYPE (StintLogRow, stint_log_row, G_TYPE_OBJECT)

static void
stint_log_row_finalize (GObject *object)
{
  StintLogRow *self = STINT_LOG_ROW (object);

  g_free (self->title);
  g_free (self->text);

  G_OBJECT_CLASS (stint_log_row_parent_class)->finalize (object);
}

static void
stint_log_row_class_init (StintLogRowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_log_row_finalize;
}

static void
stint_log_row_init (StintLogRow *self)
{
}

/* The window */

#define STINT_TYPE_PROTOCOL_LOG (stint_protocol_log_get_type ())
G_DECLARE_FINAL_TYPE (StintProtocolLog, stint_protocol_log, STINT, PROTOCOL_LOG, AdwWindow)

struct _StintProtocolLog
{
  AdwWindow parent_instance;

  GListStore *rows;
  GtkCustomFilter *filter;
  GtkSingleSelection *selection;
  GtkWidget *search;
  GtkDropDown *direction;
  GtkTextView *detail;
  GtkLabel *count;

  StintAcpLogReader *reader; /* lent to the thread while it reads */
  GCancellable *cancellable;
  gboolean reading;
  gboolean again;
};

G_DEFINE_FINAL_TYPE (StintProtocolLog, stint_protocol_log, ADW_TYPE_WINDOW)

static const char *
get_arrow (StintAcpDirection direction)
{
  switch (direction)
    {
    case STINT_ACP_FROM_AGENT:
      return _ ("Agent →");
    case STINT_ACP_TO_AGENT:
      return _ ("→ Agent");
    case STINT_ACP_JUNK:
      return _ ("No message");
    case STINT_ACP_HOST:
    default:
      return _ ("Note");
    }
}

static char *
dup_title (const StintAcpLogEntry *entry)
{
  JsonObject *object = entry->node != NULL ? stint_acp_node_object (entry->node) : NULL;
  JsonObject *params = object != NULL ? stint_acp_get_object (object, "params") : NULL;
  const char *method = object != NULL ? stint_acp_get_string (object, "method") : NULL;
  JsonObject *update = params != NULL ? stint_acp_get_object (params, "update") : NULL;
  const char *kind = update != NULL ? stint_acp_get_string (update, "sessionUpdate") : NULL;
  g_autoptr (GDateTime) time = g_date_time_new_from_unix_local (entry->time / G_USEC_PER_SEC);
  g_autofree char *clock = time != NULL ? g_date_time_format (time, "%H:%M:%S") : g_strdup ("");
  const char *what;

  if (method != NULL)
    what = method;
  else if (object != NULL && stint_acp_has (object, "error"))
    what = _ ("Error");
  else if (object != NULL && json_object_has_member (object, "result"))
    what = _ ("Answer");
  else
    what = "";
  return g_strdup_printf ("%s.%03d  %s  %s%s%s", clock, (int) (entry->time / 1000 % 1000),
                          get_arrow (entry->direction), what, kind != NULL ? " · " : "",
                          kind != NULL ? kind : "");
}

static StintLogRow *
new_row (const StintAcpLogEntry *entry)
{
  StintLogRow *row = g_object_new (STINT_TYPE_LOG_ROW, NULL);

  row->direction = entry->direction;
  row->title = dup_title (entry);
  row->text = entry->node != NULL ? json_to_string (entry->node, FALSE)
                                  : g_utf8_make_valid (entry->text != NULL ? entry->text : "", -1);
  return row;
}

static void
read_batch (GTask *task, gpointer source, gpointer task_data, GCancellable *cancellable)
{
  StintAcpLogReader *reader = task_data;
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  while (rows->len < BATCH)
    {
      g_autoptr (StintAcpLogEntry) entry = stint_acp_log_reader_next (reader);

      if (entry == NULL)
        break;
      g_ptr_array_add (rows, new_row (entry));
    }
  g_task_return_pointer (task, rows, (GDestroyNotify) g_ptr_array_unref);
}

static void read_more (StintProtocolLog *self);

static void
update_count (StintProtocolLog *self)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (self->selection));
  g_autofree char *text = g_strdup_printf (ngettext ("%u message", "%u messages", n), n);

  gtk_label_set_label (self->count, text);
}

static void
on_batch (GObject *source, GAsyncResult *result, gpointer user_data)
{
  StintProtocolLog *self = STINT_PROTOCOL_LOG (source);
  g_autoptr (GPtrArray) rows = g_task_propagate_pointer (G_TASK (result), NULL);
  gboolean more = rows != NULL && rows->len == BATCH;

  self->reading = FALSE;
  if (g_cancellable_is_cancelled (self->cancellable))
    return;
  if (rows != NULL)
    g_list_store_splice (self->rows, g_list_model_get_n_items (G_LIST_MODEL (self->rows)), 0,
                         rows->pdata, rows->len);
  update_count (self);
  if (more || self->again)
    read_more (self);
}

static void
read_more (StintProtocolLog *self)
{
  g_autoptr (GTask) task = NULL;

  self->again = self->reading;
  if (self->reading || self->reader == NULL)
    return;
  self->reading = TRUE;
  task = g_task_new (self, NULL, on_batch, NULL);
  g_task_set_source_tag (task, read_more);
  g_task_set_task_data (task, self->reader, NULL);
  g_task_run_in_thread (task, read_batch);
}

static gboolean
is_shown (gpointer item, gpointer user_data)
{
  StintProtocolLog *self = user_data;
  StintLogRow *row = item;
  guint direction = gtk_drop_down_get_selected (self->direction);
  const char *text = gtk_editable_get_text (GTK_EDITABLE (self->search));

  if (direction > 0 && row->direction != (StintAcpDirection) (direction - 1))
    return FALSE;
  return text[0] == '\0' || strcasestr (row->title, text) != NULL ||
         strcasestr (row->text, text) != NULL;
}

static void
on_filter (StintProtocolLog *self)
{
  gtk_filter_changed (GTK_FILTER (self->filter), GTK_FILTER_CHANGE_DIFFERENT);
  update_count (self);
}

static void
on_selected (StintProtocolLog *self)
{
  StintLogRow *row = gtk_single_selection_get_selected_item (self->selection);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (self->detail);
  g_autoptr (JsonNode) node = NULL;
  g_autofree char *pretty = NULL;
  const char *text;
  const char *end;

  if (row == NULL)
    {
      gtk_text_buffer_set_text (buffer, "", -1);
      return;
    }
  node = strlen (row->text) <= MAX_DETAIL ? json_from_string (row->text, NULL) : NULL;
  pretty = node != NULL ? json_to_string (node, TRUE) : NULL;
  text = pretty != NULL ? pretty : row->text;
  g_utf8_validate_len (text, MIN (strlen (text), MAX_DETAIL), &end);
  gtk_text_buffer_set_text (buffer, text, (int) (end - text));
}

static void
on_setup (GtkListItemFactory *factory, GtkListItem *item)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *title = gtk_label_new (NULL);
  GtkWidget *text = gtk_label_new (NULL);

  gtk_label_set_xalign (GTK_LABEL (title), 0);
  gtk_label_set_ellipsize (GTK_LABEL (title), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (title, "numeric");
  gtk_label_set_xalign (GTK_LABEL (text), 0);
  gtk_label_set_ellipsize (GTK_LABEL (text), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (text, "dim-label");
  gtk_widget_add_css_class (text, "caption");
  gtk_box_append (GTK_BOX (box), title);
  gtk_box_append (GTK_BOX (box), text);
  gtk_list_item_set_child (item, box);
}

static void
on_bind (GtkListItemFactory *factory, GtkListItem *item)
{
  StintLogRow *row = gtk_list_item_get_item (item);
  GtkWidget *title = gtk_widget_get_first_child (gtk_list_item_get_child (item));
  g_autofree char *text = NULL;
  const char *end;

  g_utf8_validate_len (row->text, MIN (strlen (row->text), MAX_ROW), &end);
  text = g_strndup (row->text, (gsize) (end - row->text));
  g_strdelimit (text, "\n\r\t", ' ');
  gtk_accessible_update_property (
      GTK_ACCESSIBLE (gtk_widget_get_parent (gtk_list_item_get_child (item))),
      GTK_ACCESSIBLE_PROPERTY_LABEL, row->title, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, text, -1);
  gtk_label_set_label (GTK_LABEL (title), row->title);
  gtk_label_set_label (GTK_LABEL (gtk_widget_get_next_sibling (title)), text);
}

static GtkWidget *
new_list (StintProtocolLog *self)
{
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  GtkFilterListModel *model;
  GtkWidget *list, *scroller = gtk_scrolled_window_new ();

  self->rows = g_list_store_new (STINT_TYPE_LOG_ROW);
  self->filter = gtk_custom_filter_new (is_shown, self, NULL);
  model = gtk_filter_list_model_new (G_LIST_MODEL (g_object_ref (self->rows)),
                                     GTK_FILTER (g_object_ref (self->filter)));
  self->selection = gtk_single_selection_new (G_LIST_MODEL (model));
  gtk_single_selection_set_autoselect (self->selection, FALSE);
  g_signal_connect_object (self->selection, "notify::selected-item", G_CALLBACK (on_selected), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect (factory, "setup", G_CALLBACK (on_setup), NULL);
  g_signal_connect (factory, "bind", G_CALLBACK (on_bind), NULL);
  list = gtk_list_view_new (GTK_SELECTION_MODEL (g_object_ref (self->selection)), factory);
  gtk_accessible_update_property (GTK_ACCESSIBLE (list), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Messages"), -1);
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), list);
  return scroller;
}

static GtkWidget *
new_detail (StintProtocolLog *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new ();

  self->detail = GTK_TEXT_VIEW (gtk_text_view_new ());
  gtk_text_view_set_editable (self->detail, FALSE);
  gtk_text_view_set_monospace (self->detail, TRUE);
  gtk_text_view_set_accepts_tab (self->detail, FALSE);
  gtk_text_view_set_wrap_mode (self->detail, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_left_margin (self->detail, 12);
  gtk_text_view_set_right_margin (self->detail, 12);
  gtk_text_view_set_top_margin (self->detail, 8);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->detail), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("The selected message"), -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->detail));
  return scroller;
}

static GtkWidget *
new_tools (StintProtocolLog *self)
{
  const char *const directions[] = { _ ("All"),         _ ("From the Agent"), _ ("To the Agent"),
                                     _ ("No Messages"), _ ("Notes"),          NULL };
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);

  self->search = gtk_search_entry_new ();
  gtk_widget_set_hexpand (self->search, TRUE);
  g_object_set (self->search, "placeholder-text", _ ("Method or text"), "width-chars", 6, NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->search), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Method or text"), -1);
  g_signal_connect_object (self->search, "search-changed", G_CALLBACK (on_filter), self,
                           G_CONNECT_SWAPPED);
  self->direction = GTK_DROP_DOWN (gtk_drop_down_new_from_strings (directions));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->direction), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Direction"), -1);
  g_signal_connect_object (self->direction, "notify::selected", G_CALLBACK (on_filter), self,
                           G_CONNECT_SWAPPED);
  gtk_box_append (GTK_BOX (box), self->search);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->direction));
  gtk_widget_add_css_class (box, "toolbar");
  return box;
}

static void
stint_protocol_log_dispose (GObject *object)
{
  StintProtocolLog *self = STINT_PROTOCOL_LOG (object);

  g_cancellable_cancel (self->cancellable);
  g_clear_object (&self->rows);
  g_clear_object (&self->filter);
  g_clear_object (&self->selection);

  G_OBJECT_CLASS (stint_protocol_log_parent_class)->dispose (object);
}

static void
stint_protocol_log_finalize (GObject *object)
{
  StintProtocolLog *self = STINT_PROTOCOL_LOG (object);

  g_clear_pointer (&self->reader, stint_acp_log_reader_free);
  g_clear_object (&self->cancellable);

  G_OBJECT_CLASS (stint_protocol_log_parent_class)->finalize (object);
}

static void
stint_protocol_log_class_init (StintProtocolLogClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = stint_protocol_log_dispose;
  G_OBJECT_CLASS (klass)->finalize = stint_protocol_log_finalize;
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Escape, 0, "window.close",
                                       NULL);
}

static void
stint_protocol_log_init (StintProtocolLog *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *paned = gtk_paned_new (GTK_ORIENTATION_VERTICAL);
  GtkWidget *header = adw_header_bar_new ();

  self->cancellable = g_cancellable_new ();
  self->count = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->count), "numeric");
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), GTK_WIDGET (self->count));
  gtk_box_append (GTK_BOX (box), header);
  gtk_box_append (GTK_BOX (box), new_tools (self));
  gtk_paned_set_start_child (GTK_PANED (paned), new_list (self));
  gtk_paned_set_end_child (GTK_PANED (paned), new_detail (self));
  gtk_paned_set_position (GTK_PANED (paned), 300);
  gtk_widget_set_vexpand (paned, TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (paned), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  /* Translators: what the two parts of a window are. */
                                  _ ("Messages, and the one that is selected"), -1);
  gtk_box_append (GTK_BOX (box), paned);
  adw_window_set_content (ADW_WINDOW (self), box);
  gtk_window_set_title (GTK_WINDOW (self), _ ("Protocol Log"));
  gtk_window_set_default_size (GTK_WINDOW (self), 640, 560);
  gtk_widget_set_size_request (GTK_WIDGET (self), 360, 294);
  gtk_window_set_destroy_with_parent (GTK_WINDOW (self), TRUE);
  update_count (self);
}

static void
show_error (StintProtocolLog *self, const GError *error)
{
  gtk_text_buffer_set_text (gtk_text_view_get_buffer (self->detail), error->message, -1);
}

void
stint_protocol_log_present (StintJob *job, GtkWindow *parent)
{
  StintProtocolLog *self;
  StintAgentSession *session;
  StintAcpConnection *connection;
  g_autoptr (GError) error = NULL;

  g_return_if_fail (STINT_IS_JOB (job));
  g_return_if_fail (GTK_IS_WINDOW (parent));

  self = g_object_new (STINT_TYPE_PROTOCOL_LOG, "transient-for", parent, NULL);
  session = stint_agent_session_for_job (job);
  connection = session != NULL ? stint_agent_session_get_connection (session) : NULL;
  if (stint_job_get_directory (job) != NULL)
    self->reader = stint_acp_log_reader_new (stint_job_get_directory (job), &error);
  if (self->reader == NULL && error != NULL)
    show_error (self, error);
  if (connection != NULL)
    g_signal_connect_object (connection, "logged", G_CALLBACK (read_more), self, G_CONNECT_SWAPPED);
  read_more (self);
  gtk_window_present (GTK_WINDOW (self));
}
