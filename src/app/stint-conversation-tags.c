/* SPDX-License-Identifier: GPL-3.0-or-later */

/* How a conversation looks: a text tag for each style, in the colours of light and dark. */

#define G_LOG_DOMAIN "stint-app"

#include "config.h"

#include "stint-conversation-tags.h"

#define MAX_DEPTH 16

static void
colour (GtkTextTag *tag, const char *property, const char *value)
{
  GdkRGBA rgba;

  gdk_rgba_parse (&rgba, value);
  g_object_set (tag, property, &rgba, NULL);
}

StintConversationTags *
stint_conversation_tags_new (GtkTextTagTable *table)
{
  StintConversationTags *self = g_new0 (StintConversationTags, 1);
  GtkTextTag **tags = self->tags;

  self->table = g_object_ref (table);
  self->indents = g_ptr_array_new ();
  for (guint i = 0; i < STINT_N_TAGS; i++)
    {
      tags[i] = gtk_text_tag_new (NULL);
      gtk_text_tag_table_add (table, tags[i]);
      g_object_unref (tags[i]);
    }

  g_object_set (tags[STINT_TAG_SPEAKER], "weight", PANGO_WEIGHT_BOLD, "scale", 0.9,
                "pixels-above-lines", 18, "pixels-below-lines", 2, NULL);
  g_object_set (tags[STINT_TAG_PROMPT], "left-margin", STINT_CONVERSATION_MARGIN + 8,
                "right-margin", STINT_CONVERSATION_MARGIN + 8, "pixels-above-lines", 3,
                "pixels-below-lines", 3, NULL);
  g_object_set (tags[STINT_TAG_BLOCK], "pixels-above-lines", 6, NULL);
  g_object_set (tags[STINT_TAG_HEADING_1], "weight", PANGO_WEIGHT_BOLD, "scale", 1.4,
                "pixels-above-lines", 14, NULL);
  g_object_set (tags[STINT_TAG_HEADING_2], "weight", PANGO_WEIGHT_BOLD, "scale", 1.2,
                "pixels-above-lines", 12, NULL);
  g_object_set (tags[STINT_TAG_HEADING_3], "weight", PANGO_WEIGHT_BOLD, "scale", 1.05,
                "pixels-above-lines", 10, NULL);
  g_object_set (tags[STINT_TAG_STRONG], "weight", PANGO_WEIGHT_BOLD, NULL);
  g_object_set (tags[STINT_TAG_EMPHASIS], "style", PANGO_STYLE_ITALIC, NULL);
  g_object_set (tags[STINT_TAG_STRUCK], "strikethrough", TRUE, NULL);
  g_object_set (tags[STINT_TAG_CODE], "family", "monospace", "scale", 0.95, NULL);
  g_object_set (tags[STINT_TAG_CODE_BLOCK], "family", "monospace", "scale", 0.95, "left-margin",
                STINT_CONVERSATION_MARGIN + 8, "wrap-mode", GTK_WRAP_WORD_CHAR, NULL);
  g_object_set (tags[STINT_TAG_QUOTE], "style", PANGO_STYLE_ITALIC, NULL);
  g_object_set (tags[STINT_TAG_LINK], "underline", PANGO_UNDERLINE_SINGLE, NULL);
  g_object_set (tags[STINT_TAG_HEADER], "pixels-above-lines", 8, "indent", -18, "left-margin",
                STINT_CONVERSATION_MARGIN, NULL);
  g_object_set (tags[STINT_TAG_BODY], "left-margin",
                STINT_CONVERSATION_MARGIN + STINT_CONVERSATION_INDENT, "pixels-above-lines", 3,
                NULL);
  g_object_set (tags[STINT_TAG_ADDED], "family", "monospace", "scale", 0.95, NULL);
  g_object_set (tags[STINT_TAG_REMOVED], "family", "monospace", "scale", 0.95, NULL);
  g_object_set (tags[STINT_TAG_MONO], "family", "monospace", "scale", 0.95, NULL);
  g_object_set (tags[STINT_TAG_STOP], "pixels-above-lines", 10, "scale", 0.9, NULL);
  stint_conversation_tags_set_dark (self, FALSE);
  return self;
}

void
stint_conversation_tags_free (StintConversationTags *self)
{
  if (self == NULL)
    return;
  g_ptr_array_unref (self->indents);
  g_object_unref (self->table);
  g_free (self);
}

void
stint_conversation_tags_set_dark (StintConversationTags *self, gboolean dark)
{
  GtkTextTag **tags = self->tags;
  const char *dim = dark ? "#c0bfbc" : "#5e5c64";

  g_return_if_fail (self != NULL);

  colour (tags[STINT_TAG_PROMPT], "paragraph-background-rgba",
          dark ? "rgba(120,174,237,0.20)" : "rgba(53,132,228,0.12)");
  colour (tags[STINT_TAG_CODE], "background-rgba",
          dark ? "rgba(255,255,255,0.10)" : "rgba(0,0,0,0.07)");
  colour (tags[STINT_TAG_CODE_BLOCK], "paragraph-background-rgba",
          dark ? "rgba(255,255,255,0.07)" : "rgba(0,0,0,0.05)");
  colour (tags[STINT_TAG_QUOTE], "foreground-rgba", dim);
  colour (tags[STINT_TAG_LINK], "foreground-rgba", dark ? "#99c1f1" : "#1a5fb4");
  colour (tags[STINT_TAG_DIM], "foreground-rgba", dim);
  colour (tags[STINT_TAG_STOP], "foreground-rgba", dim);
  colour (tags[STINT_TAG_DONE], "foreground-rgba", dark ? "#8ff0a4" : "#1b6f37");
  colour (tags[STINT_TAG_FAILED], "foreground-rgba", dark ? "#ff938c" : "#a51d2d");
  colour (tags[STINT_TAG_WARNING], "foreground-rgba", dark ? "#f8e45c" : "#7d4b00");
  colour (tags[STINT_TAG_ADDED], "paragraph-background-rgba",
          dark ? "rgba(51,209,122,0.22)" : "rgba(46,194,126,0.22)");
  colour (tags[STINT_TAG_REMOVED], "paragraph-background-rgba",
          dark ? "rgba(246,97,81,0.24)" : "rgba(224,27,36,0.15)");
}

GtkTextTag *
stint_conversation_tags_get_indent (StintConversationTags *self, guint depth, gboolean hanging)
{
  guint i = 2 * MIN (depth, MAX_DEPTH) + (hanging ? 1 : 0);

  g_return_val_if_fail (self != NULL, NULL);

  while (self->indents->len <= i)
    g_ptr_array_add (self->indents, NULL);
  if (self->indents->pdata[i] == NULL)
    {
      GtkTextTag *tag = gtk_text_tag_new (NULL);

      g_object_set (tag, "left-margin",
                    STINT_CONVERSATION_MARGIN +
                        (int) MIN (depth, MAX_DEPTH) * STINT_CONVERSATION_INDENT,
                    NULL);
      if (hanging)
        g_object_set (tag, "indent", -STINT_CONVERSATION_INDENT + 6, NULL);
      gtk_text_tag_table_add (self->table, tag);
      self->indents->pdata[i] = tag;
      g_object_unref (tag);
    }
  return self->indents->pdata[i];
}
