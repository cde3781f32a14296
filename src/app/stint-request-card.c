/* SPDX-License-Identifier: GPL-3.0-or-later */

/* A request, as a card: what is asked, what it is about, and a button for each answer. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-request-card.h"

#include "stint-agent-form.h"

#include <glib/gi18n.h>
#include <string.h>

#define MAX_DETAILS 4000 /* bytes */

/* A digit that was typed for something else, or is held down, answers nothing: the focus must have
 * been here for so long without one. */
#define GUARD_MSEC 400

struct _StintRequestCard
{
  GtkWidget parent_instance;

  StintAgentRequest *request;
  GtkWidget *box;
  GtkWidget *details; /* (nullable) */
  GtkLabel *details_label;
  GtkWidget *form; /* (nullable) */
  GtkWidget *mistake;
  GtkBox *answers;
  GPtrArray *buttons; /* in the order of their digits */
  guint guard_id;     /* while digits are ignored; told to assistive technologies as busy */
};

G_DEFINE_FINAL_TYPE (StintRequestCard, stint_request_card, GTK_TYPE_WIDGET)

static GtkWidget *
new_label (const char *text, const char *style)
{
  GtkWidget *label = gtk_label_new (text);

  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  if (style != NULL)
    gtk_widget_add_css_class (label, style);
  return label;
}

/* What the tool call says of itself: its files, what goes in. */
static char *
dup_details (StintConversationItem *item)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GPtrArray *locations = stint_conversation_item_get_locations (item);
  GPtrArray *contents = stint_conversation_item_get_contents (item);
  const char *input = stint_conversation_item_get_input (item);

  for (guint i = 0; i < locations->len && i < 5; i++)
    g_string_append_printf (text, "%s\n", (const char *) locations->pdata[i]);
  for (guint i = 0; i < contents->len && i < 5; i++)
    {
      const StintToolContent *content = contents->pdata[i];

      if (content->kind == STINT_TOOL_CONTENT_TEXT && content->text != NULL)
        g_string_append_printf (text, "%s\n", content->text);
      else if (content->kind == STINT_TOOL_CONTENT_DIFF && content->path != NULL)
        g_string_append_printf (text, _ ("Changes %s (shown above)\n"), content->path);
    }
  if (input != NULL)
    g_string_append (text, input);
  if (text->len > MAX_DETAILS)
    {
      const char *end;

      g_utf8_validate_len (text->str, MAX_DETAILS, &end);
      g_string_truncate (text, (gsize) (end - text->str));
      g_string_append (text, "…");
    }
  g_strchomp (text->str);
  return g_strdup (text->str);
}

static void
update_details (StintRequestCard *self)
{
  StintConversationItem *item = stint_agent_request_get_item (self->request);
  g_autofree char *text = item != NULL ? dup_details (item) : NULL;

  if (self->details == NULL)
    return;
  gtk_widget_set_visible (self->details, text != NULL && text[0] != '\0');
  if (text != NULL)
    gtk_label_set_label (self->details_label, text);
}

static void
make_details (StintRequestCard *self)
{
  StintConversationItem *item = stint_agent_request_get_item (self->request);
  GtkWidget *label;

  if (item == NULL)
    return;
  label = new_label (NULL, "monospace");
  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (label), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Details"), -1);
  self->details = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (self->details), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (self->details), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (self->details), 120);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (self->details), label);
  self->details_label = GTK_LABEL (label);
  gtk_box_append (GTK_BOX (self->box), self->details);
  /* The tool call may still say more. */
  g_signal_connect_object (item, "changed", G_CALLBACK (update_details), self, G_CONNECT_SWAPPED);
  update_details (self);
}

static GtkWidget *
add_button (StintRequestCard *self, const char *name, const char *style)
{
  GtkWidget *button = gtk_button_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  g_autofree char *digit = NULL;
  GtkWidget *label = gtk_label_new (name);

  g_ptr_array_add (self->buttons, button);
  if (self->buttons->len <= 9)
    {
      GtkWidget *number;

      digit = g_strdup_printf ("%u", self->buttons->len);
      number = gtk_label_new (digit);
      gtk_widget_add_css_class (number, "keycap-digit");
      gtk_widget_add_css_class (number, "numeric");
      gtk_box_append (GTK_BOX (box), number);
    }
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_max_width_chars (GTK_LABEL (label), 40);
  gtk_box_append (GTK_BOX (box), label);
  gtk_widget_set_halign (box, GTK_ALIGN_CENTER);
  gtk_button_set_child (GTK_BUTTON (button), box);
  if (style != NULL)
    gtk_widget_add_css_class (button, style);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  if (digit != NULL)
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_KEY_SHORTCUTS,
                                    digit, -1);
  gtk_widget_set_halign (button, GTK_ALIGN_START);
  gtk_box_append (self->answers, button);
  return button;
}

static void
on_choice_clicked (GtkButton *button, StintRequestCard *self)
{
  GPtrArray *choices = stint_agent_request_get_choices (self->request);
  guint i;

  if (g_ptr_array_find (self->buttons, button, &i) && i < choices->len)
    {
      const StintAgentChoice *choice = choices->pdata[i];
      g_autofree char *id = g_strdup (choice->id);

      stint_agent_request_choose (self->request, id);
    }
}

static void
on_reject_clicked (StintRequestCard *self)
{
  stint_agent_request_reject (self->request);
}

static void
on_dismiss_clicked (StintRequestCard *self)
{
  stint_agent_request_dismiss (self->request);
}

static void
show_mistake (StintRequestCard *self, const GError *error)
{
  gtk_label_set_label (GTK_LABEL (self->mistake), error->message);
  gtk_widget_set_visible (self->mistake, TRUE);
}

static void
on_submit (StintRequestCard *self)
{
  g_autoptr (GError) error = NULL;

  gtk_widget_set_visible (self->mistake, FALSE);
  if (!stint_agent_request_accept (
          self->request, stint_agent_form_dup_content (STINT_AGENT_FORM (self->form)), &error))
    show_mistake (self, error);
}

static void
on_open_clicked (StintRequestCard *self)
{
  g_autoptr (GError) error = NULL;
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  gtk_show_uri (GTK_IS_WINDOW (root) ? GTK_WINDOW (root) : NULL,
                stint_agent_request_get_url (self->request), GDK_CURRENT_TIME);
  if (!stint_agent_request_accept (self->request, NULL, &error))
    show_mistake (self, error);
}

static void
make_choices (StintRequestCard *self)
{
  GPtrArray *choices = stint_agent_request_get_choices (self->request);
  gboolean login = stint_agent_request_get_kind (self->request) == STINT_AGENT_REQUEST_LOGIN;
  gboolean suggested = FALSE;

  for (guint i = 0; i < choices->len; i++)
    {
      const StintAgentChoice *choice = choices->pdata[i];
      gboolean allows = choice->kind == STINT_OPTION_ALLOW_ONCE && !login && !suggested;
      GtkWidget *button = add_button (self, choice->name, allows ? "suggested-action" : NULL);

      suggested |= allows;
      if (choice->description != NULL)
        gtk_widget_set_tooltip_text (button, choice->description);
      if (login && !choice->supported)
        {
          gtk_widget_set_sensitive (button, FALSE);
          gtk_widget_set_tooltip_text (button, _ ("Stint does not know how to log in this way"));
        }
      g_signal_connect (button, "clicked", G_CALLBACK (on_choice_clicked), self);
    }
  if (login || choices->len == 0)
    {
      GtkWidget *button = add_button (self, login ? _ ("Not Now") : _ ("Reject"), NULL);

      g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_reject_clicked), self);
    }
}

static void
make_form (StintRequestCard *self)
{
  GtkWidget *button;

  self->form = stint_agent_form_new (stint_agent_request_get_schema (self->request));
  g_signal_connect_swapped (self->form, "submit", G_CALLBACK (on_submit), self);
  gtk_box_append (GTK_BOX (self->box), self->form);
  button = add_button (self, _ ("Submit"), "suggested-action");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_submit), self);
  button = add_button (self, _ ("Decline"), NULL);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_reject_clicked), self);
  button = add_button (self, _ ("Close Without an Answer"), NULL);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_dismiss_clicked), self);
}

static void
make_page (StintRequestCard *self)
{
  const char *url = stint_agent_request_get_url (self->request);
  GtkWidget *button;

  /* The whole of it, before it is opened. */
  gtk_box_append (GTK_BOX (self->box), new_label (url, "monospace"));
  button = add_button (self, _ ("Open in Browser"), "suggested-action");
  gtk_widget_set_sensitive (button, url != NULL && (g_str_has_prefix (url, "https://") ||
                                                    g_str_has_prefix (url, "http://")));
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_open_clicked), self);
  button = add_button (self, _ ("Decline"), NULL);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (on_reject_clicked), self);
}

static const char *
get_heading (StintAgentRequestKind kind)
{
  switch (kind)
    {
    case STINT_AGENT_REQUEST_PERMISSION:
      return _ ("The agent asks for permission");
    case STINT_AGENT_REQUEST_FORM:
      return _ ("The agent asks you");
    case STINT_AGENT_REQUEST_URL:
      return _ ("The agent asks you to open a page");
    case STINT_AGENT_REQUEST_LOGIN:
    default:
      return _ ("The agent wants you to log in");
    }
}

static void
set_guarded (StintRequestCard *self, gboolean guarded)
{
  gtk_accessible_update_state (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_STATE_BUSY, guarded, -1);
}

static gboolean
on_guard_over (gpointer user_data)
{
  StintRequestCard *self = user_data;

  self->guard_id = 0;
  set_guarded (self, FALSE);
  return G_SOURCE_REMOVE;
}

static void
guard (StintRequestCard *self)
{
  g_clear_handle_id (&self->guard_id, g_source_remove);
  self->guard_id = g_timeout_add (GUARD_MSEC, on_guard_over, self);
  set_guarded (self, TRUE);
}

static gboolean
on_key (StintRequestCard *self, guint key, guint code, GdkModifierType state)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  /* Where a number may be meant as such. */
  if ((state & gtk_accelerator_get_default_mod_mask ()) != 0 ||
      (focus != NULL && GTK_IS_EDITABLE (focus)))
    return FALSE;
  if (key >= GDK_KEY_KP_1 && key <= GDK_KEY_KP_9)
    key = key - GDK_KEY_KP_1 + GDK_KEY_1;
  if (key < GDK_KEY_1 || key > GDK_KEY_9)
    return FALSE;
  if (self->guard_id != 0)
    {
      guard (self);
      return TRUE;
    }
  return stint_request_card_choose (self, key - GDK_KEY_1 + 1);
}

static gboolean
stint_request_card_grab_focus (GtkWidget *widget)
{
  StintRequestCard *self = STINT_REQUEST_CARD (widget);

  if (self->form != NULL)
    return gtk_widget_child_focus (self->form, GTK_DIR_TAB_FORWARD);
  return GTK_WIDGET_CLASS (stint_request_card_parent_class)->grab_focus (widget);
}

static void
stint_request_card_dispose (GObject *object)
{
  StintRequestCard *self = STINT_REQUEST_CARD (object);

  g_clear_handle_id (&self->guard_id, g_source_remove);
  g_clear_pointer (&self->box, gtk_widget_unparent);
  g_clear_object (&self->request);
  g_clear_pointer (&self->buttons, g_ptr_array_unref);
  self->details = NULL;

  G_OBJECT_CLASS (stint_request_card_parent_class)->dispose (object);
}

static void
stint_request_card_class_init (StintRequestCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = stint_request_card_dispose;
  widget_class->grab_focus = stint_request_card_grab_focus;
  gtk_widget_class_set_layout_manager_type (widget_class, GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_css_name (widget_class, "requestcard");
  gtk_widget_class_set_accessible_role (widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void
stint_request_card_init (StintRequestCard *self)
{
  GtkEventController *controller = gtk_event_controller_key_new ();

  self->buttons = g_ptr_array_new ();
  self->box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  gtk_widget_set_parent (self->box, GTK_WIDGET (self));
  /* It takes the focus as a whole, so that no key that was meant for something else presses a button. */
  gtk_widget_set_focusable (GTK_WIDGET (self), TRUE);
  g_signal_connect_swapped (controller, "key-pressed", G_CALLBACK (on_key), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);

  controller = gtk_event_controller_focus_new ();
  g_signal_connect_swapped (controller, "enter", G_CALLBACK (guard), self);
  gtk_widget_add_controller (GTK_WIDGET (self), controller);
}

GtkWidget *
stint_request_card_new (StintAgentRequest *request)
{
  StintRequestCard *self = g_object_new (STINT_TYPE_REQUEST_CARD, NULL);
  const char *title = stint_agent_request_get_title (request);
  const char *heading;
  g_autofree char *name = NULL;

  self->request = g_object_ref (request);
  heading = get_heading (stint_agent_request_get_kind (request));
  gtk_box_append (GTK_BOX (self->box), new_label (heading, "heading"));
  gtk_box_append (GTK_BOX (self->box), new_label (title, NULL));
  make_details (self);
  /* One below the other: their names may be long, and the window narrow. */
  self->answers = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->answers), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  _ ("Answers"), -1);
  switch (stint_agent_request_get_kind (request))
    {
    case STINT_AGENT_REQUEST_FORM:
      make_form (self);
      break;
    case STINT_AGENT_REQUEST_URL:
      make_page (self);
      break;
    case STINT_AGENT_REQUEST_PERMISSION:
    case STINT_AGENT_REQUEST_LOGIN:
    default:
      make_choices (self);
      break;
    }
  self->mistake = new_label (NULL, "error");
  gtk_widget_set_visible (self->mistake, FALSE);
  gtk_box_append (GTK_BOX (self->box), self->mistake);
  gtk_box_append (GTK_BOX (self->box), GTK_WIDGET (self->answers));
  name = g_strdup_printf ("%s: %s", heading, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self), GTK_ACCESSIBLE_PROPERTY_LABEL, name,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  _ ("The digits choose an answer."), -1);
  return GTK_WIDGET (self);
}

StintAgentRequest *
stint_request_card_get_request (StintRequestCard *self)
{
  g_return_val_if_fail (STINT_IS_REQUEST_CARD (self), NULL);

  return self->request;
}

gboolean
stint_request_card_choose (StintRequestCard *self, guint number)
{
  g_return_val_if_fail (STINT_IS_REQUEST_CARD (self), FALSE);

  if (number == 0 || number > self->buttons->len ||
      !gtk_widget_get_sensitive (self->buttons->pdata[number - 1]))
    return FALSE;
  g_signal_emit_by_name (self->buttons->pdata[number - 1], "clicked");
  return TRUE;
}
