/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What an agent asks, and what is answered: by digits, by buttons, by a form whose mistakes are said;
 * several at once, each for itself.
 */
#include "stint-agent-form.h"
#include "stint-agent-request-private.h"
#include "stint-request-card.h"
#include "stint-resources.h"

#include <adwaita.h>
#include <string.h>

typedef struct
{
  guint n;
  StintAgentReply reply;
  char *id;
  char *content;
} Answer;

static void
on_reply (StintAgentRequest *request, StintAgentReply reply, const char *id, JsonNode *content, gpointer data)
{
  Answer *answer = data;

  answer->n++;
  answer->reply = reply;
  g_free (answer->id);
  answer->id = g_strdup (id);
  g_free (answer->content);
  answer->content = content != NULL ? json_to_string (content, FALSE) : NULL;
  g_clear_pointer (&content, json_node_unref);
}

static void
answer_clear (Answer *answer)
{
  g_free (answer->id);
  g_free (answer->content);
}

static StintAgentRequest *
new_permission (const char *title, Answer *answer)
{
  StintAgentRequest *request = stint_agent_request_new (STINT_AGENT_REQUEST_PERMISSION, title, on_reply, answer, NULL);

  stint_agent_request_add_choice (request, "yes", "Allow")->kind = STINT_OPTION_ALLOW_ONCE;
  stint_agent_request_add_choice (request, "no", "Reject")->kind = STINT_OPTION_REJECT_ONCE;
  return request;
}

static StintRequestCard *
new_card (StintAgentRequest *request)
{
  return g_object_ref_sink (STINT_REQUEST_CARD (stint_request_card_new (request)));
}

static void
test_digits (void)
{
  Answer answer = { 0 };
  g_autoptr (StintAgentRequest) request = new_permission ("Remove", &answer);
  g_autoptr (StintRequestCard) card = new_card (request);

  g_assert_false (stint_request_card_choose (card, 0));
  g_assert_false (stint_request_card_choose (card, 3));
  g_assert_cmpuint (answer.n, ==, 0);
  g_assert_true (stint_request_card_choose (card, 2));
  g_assert_cmpuint (answer.n, ==, 1);
  g_assert_cmpint (answer.reply, ==, STINT_AGENT_CHOSEN);
  g_assert_cmpstr (answer.id, ==, "no");
  answer_clear (&answer);
}

static GtkEventController *
find_controller (StintRequestCard *card, GType type)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (card));

  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++)
    {
      g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);

      /* The card holds it. */
      if (G_TYPE_CHECK_INSTANCE_TYPE (controller, type))
        return controller;
    }
  g_assert_not_reached ();
}

static gboolean
press (StintRequestCard *card, guint key)
{
  gboolean handled = FALSE;

  g_signal_emit_by_name (find_controller (card, GTK_TYPE_EVENT_CONTROLLER_KEY), "key-pressed", key, 0,
                         0, &handled);
  return handled;
}

static gboolean
is_guarded (StintRequestCard *card)
{
  g_autofree char *differs = gtk_test_accessible_check_state (GTK_ACCESSIBLE (card),
                                                              GTK_ACCESSIBLE_STATE_BUSY, TRUE);

  return differs == NULL;
}

/* What is typed as the question takes the focus was meant for something else, and so is what is held down. */
static void
test_guard (void)
{
  Answer answer = { 0 };
  g_autoptr (StintAgentRequest) request = new_permission ("Remove", &answer);
  g_autoptr (StintRequestCard) card = new_card (request);

  g_signal_emit_by_name (find_controller (card, GTK_TYPE_EVENT_CONTROLLER_FOCUS), "enter");
  g_assert_true (is_guarded (card));
  g_assert_true (press (card, GDK_KEY_1));
  g_assert_true (press (card, GDK_KEY_KP_1));
  g_assert_cmpuint (answer.n, ==, 0);
  while (is_guarded (card))
    g_main_context_iteration (NULL, TRUE);
  /* The control. */
  g_assert_true (press (card, GDK_KEY_1));
  g_assert_cmpuint (answer.n, ==, 1);
  g_assert_cmpstr (answer.id, ==, "yes");
  answer_clear (&answer);
}

/* Each card answers its own, and goes with it. */
static void
test_several (void)
{
  Answer first = { 0 }, second = { 0 };
  g_autoptr (StintAgentRequest) one = new_permission ("One", &first);
  g_autoptr (StintAgentRequest) two = new_permission ("Two", &second);
  g_autoptr (GListStore) requests = g_list_store_new (STINT_TYPE_AGENT_REQUEST);
  g_autoptr (StintRequestBar) bar = g_object_ref_sink (STINT_REQUEST_BAR (stint_request_bar_new ()));

  stint_request_bar_set_requests (bar, G_LIST_MODEL (requests));
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
  g_list_store_append (requests, one);
  g_list_store_append (requests, two);
  g_assert_true (gtk_widget_get_visible (GTK_WIDGET (bar)));
  g_assert_true (stint_request_card_get_request (stint_request_bar_get_first (bar)) == one);
  g_list_store_remove (requests, 0);
  g_assert_true (stint_request_card_get_request (stint_request_bar_get_first (bar)) == two);
  g_assert_true (stint_request_card_choose (stint_request_bar_get_first (bar), 1));
  g_assert_cmpuint (first.n, ==, 0);
  g_assert_cmpstr (second.id, ==, "yes");
  g_list_store_remove (requests, 0);
  g_assert_false (gtk_widget_get_visible (GTK_WIDGET (bar)));
  answer_clear (&first);
  answer_clear (&second);
}

static const char schema_text[] =
    "{\"type\":\"object\",\"properties\":{"
    "\"name\":{\"type\":\"string\",\"title\":\"Name\"},"
    "\"count\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":5,\"default\":3},"
    "\"sure\":{\"type\":\"boolean\",\"default\":true},"
    "\"colour\":{\"type\":\"string\",\"enum\":[\"red\",\"blue\"],\"default\":\"blue\"},"
    "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"enum\":[\"a\",\"b\"]},\"default\":[\"b\"]}},"
    "\"required\":[\"name\"]}";

static void
test_form_values (void)
{
  g_autoptr (JsonNode) schema = json_from_string (schema_text, NULL);
  g_autoptr (StintAgentForm) form =
      g_object_ref_sink (STINT_AGENT_FORM (stint_agent_form_new (json_node_get_object (schema))));
  g_autoptr (JsonNode) content = NULL;
  JsonObject *object;

  gtk_editable_set_text (GTK_EDITABLE (stint_agent_form_get_row (form, "name")), "Ada");
  content = stint_agent_form_dup_content (form);
  object = json_node_get_object (content);
  g_assert_cmpstr (json_object_get_string_member (object, "name"), ==, "Ada");
  g_assert_cmpint (json_object_get_int_member (object, "count"), ==, 3);
  g_assert_true (json_object_get_boolean_member (object, "sure"));
  g_assert_cmpstr (json_object_get_string_member (object, "colour"), ==, "blue");
  g_assert_cmpuint (json_array_get_length (json_object_get_array_member (object, "tags")), ==, 1);
  g_assert_null (stint_agent_form_get_row (form, "other"));
}

/* A mistake is said, and the request stays open. */
static void
test_form_mistakes (void)
{
  Answer answer = { 0 };
  g_autoptr (StintAgentRequest) request =
      stint_agent_request_new (STINT_AGENT_REQUEST_FORM, "Who?", on_reply, &answer, NULL);
  g_autoptr (JsonNode) schema = json_from_string (schema_text, NULL);
  g_autoptr (StintRequestCard) card = NULL;

  stint_agent_request_set_schema (request, json_node_get_object (schema));
  card = new_card (request);
  g_assert_true (stint_request_card_choose (card, 1));
  g_assert_cmpuint (answer.n, ==, 0);
  g_assert_false (stint_agent_request_is_answered (request));
  g_assert_true (stint_request_card_choose (card, 3));
  g_assert_cmpint (answer.reply, ==, STINT_AGENT_DISMISSED);
  answer_clear (&answer);
}

int
main (int argc, char *argv[])
{
  gtk_test_init (&argc, &argv, NULL);
  adw_init ();
  g_resources_register (stint_get_resource ());
  g_test_add_func ("/request-card/digits", test_digits);
  g_test_add_func ("/request-card/guard", test_guard);
  g_test_add_func ("/request-card/several", test_several);
  g_test_add_func ("/request-card/form-values", test_form_values);
  g_test_add_func ("/request-card/form-mistakes", test_form_mistakes);
  return g_test_run ();
}
