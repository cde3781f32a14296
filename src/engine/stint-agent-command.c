/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which commands are those of agents. A guess by name, made to warn: what it does not know is run.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-agent-command.h"

#include "stint-error.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MARKS 5

static const struct
{
  const char *program;
  const char *marks[MAX_MARKS]; /* words that are followed by something to do */
} agents[] = {
  { "claude", { "-p", "--print" } },
  { "codex", { "exec", "e" } },
  { "gemini", { "-p", "--prompt", "-i", "--prompt-interactive" } },
  { "qwen", { "-p", "--prompt", "-i", "--prompt-interactive" } },
  { "opencode", { "run" } },
  { "goose", { "run", "session" } },
  { "crush", { "run" } },
  { "aider", { "-m", "--message", "-f", "--message-file" } },
  { "amp", { "-x", "--execute" } },
  { "cursor-agent", { "-p", "--print" } },
  { "copilot", { "-p", "--prompt" } },
};

/* What runs the command that follows it. */
static const char *const runners[] = { "env", "exec", "nohup",  "time",   "command", "nice",
                                       "npx", "bunx", "stdbuf", "setsid", NULL };

static gboolean
is_mark (const char *word, const char *mark)
{
  gsize length = mark != NULL ? strlen (mark) : 0;

  if (mark == NULL || strncmp (word, mark, length) != 0)
    return FALSE;
  return word[length] == '\0' || (mark[0] == '-' && word[length] == '=');
}

/* Alone it talks to who starts it; with a mark, or with a sentence, it is told what to do. */
static gboolean
has_task (guint agent, const char *const *arguments)
{
  if (arguments[0] == NULL)
    return TRUE;
  for (guint i = 0; arguments[i] != NULL; i++)
    {
      if (strchr (arguments[i], ' ') != NULL)
        return TRUE;
      for (guint j = 0; j < MAX_MARKS; j++)
        if (is_mark (arguments[i], agents[agent].marks[j]))
          return TRUE;
    }
  return FALSE;
}

static gboolean
sets_variable (const char *word)
{
  return g_ascii_isalpha (word[0]) && strchr (word, '=') != NULL;
}

static const char *
find_in_words (const char *const *words)
{
  g_autofree char *program = NULL;

  while (*words != NULL)
    {
      g_autofree char *name = g_path_get_basename (*words);

      if (!sets_variable (*words) && !g_strv_contains (runners, name) && (*words)[0] != '-')
        break;
      words++;
    }
  if (*words == NULL || **words == '\0')
    return NULL;
  program = g_path_get_basename (*words);
  for (guint i = 0; i < G_N_ELEMENTS (agents); i++)
    if (strcmp (program, agents[i].program) == 0 && has_task (i, words + 1))
      return agents[i].program;
  return NULL;
}

/* Returns: the end of the command at @text: an operator outside of quotes. */
static const char *
find_command_end (const char *text)
{
  char quote = '\0';

  for (; *text != '\0'; text++)
    {
      if (*text == '\\' && quote != '\'' && text[1] != '\0')
        text++;
      else if (quote != '\0')
        quote = *text == quote ? '\0' : quote;
      else if (*text == '\'' || *text == '"')
        quote = *text;
      else if (strchr ("|&;\n()", *text) != NULL)
        break;
    }
  return text;
}

static const char *
find_in_line (const char *line)
{
  while (*line != '\0')
    {
      const char *end = find_command_end (line);
      g_autofree char *command = g_strndup (line, (gsize) (end - line));
      g_auto (GStrv) words = NULL;
      const char *found = NULL;

      if (g_shell_parse_argv (command, NULL, &words, NULL))
        found = find_in_words ((const char *const *) words);
      if (found != NULL)
        return found;
      line = *end != '\0' ? end + 1 : end;
    }
  return NULL;
}

const char *
stint_agent_command_find (StintJobSpec *spec)
{
  const char *line;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  line = stint_job_spec_get_shell_line (spec);
  return line != NULL ? find_in_line (line) : find_in_words (stint_job_spec_get_argv (spec));
}

gboolean
stint_agent_command_check (StintJobSpec *spec, GError **error)
{
  const char *agent;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), FALSE);

  /* With a terminal its question is seen, and can be answered. */
  if (stint_job_spec_get_kind (spec) != STINT_JOB_KIND_SHELL || stint_job_spec_get_tty (spec))
    return TRUE;
  agent = stint_agent_command_find (spec);
  if (agent == NULL)
    return TRUE;
  /* Translators: %s is a program, such as “claude”. */
  g_set_error (error, STINT_ERROR, STINT_ERROR_WRONG_KIND,
               _ ("“%s” is an agent: in a background shell a question would hang it, and nothing "
                  "would notice"),
               agent);
  return FALSE;
}
