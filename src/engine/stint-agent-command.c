/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Which commands are those of agents. A guess by name, made to warn: what it does not know is run.
 */
#define G_LOG_DOMAIN "stint-engine"
#include "config.h"

#include "stint-agent-command.h"

#include "stint-error.h"
#include "stint-job-spec-private.h"

#include <glib/gi18n-lib.h>
#include <string.h>

#define MAX_MARKS 5

static const struct
{
  const char *program;
  const char *marks[MAX_MARKS]; /* words that are followed by something to do */
  const char *next;             /* (nullable): goes on with the last session in the same directory */
} agents[] = {
  { "claude", { "-p", "--print" }, "claude -p --continue {prompt}" },
  { "codex", { "exec", "e" }, "codex exec resume --last {prompt}" },
  { "gemini",
    { "-p", "--prompt", "-i", "--prompt-interactive" },
    "gemini --resume latest -p {prompt}" },
  { "qwen", { "-p", "--prompt", "-i", "--prompt-interactive" }, "qwen --continue -p {prompt}" },
  { "opencode", { "run" }, "opencode run --continue {prompt}" },
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

char *
stint_agent_command_dup_next (StintJobSpec *spec)
{
  const char *program;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);

  if (stint_job_spec_get_kind (spec) != STINT_JOB_KIND_AGENT || stint_job_spec_get_session (spec))
    return NULL;
  program = stint_agent_command_find (spec);
  for (guint i = 0; program != NULL && i < G_N_ELEMENTS (agents); i++)
    if (strcmp (program, agents[i].program) == 0)
      return g_strdup (agents[i].next);
  return NULL;
}

/* Puts @prompt into each word that has a place for it; a prompt is one word, whatever is in it. */
static gboolean
fill_in (char **words, const char *prompt)
{
  gboolean found = FALSE;

  for (; *words != NULL; words++)
    {
      g_autoptr (GString) word = NULL;

      if (strstr (*words, STINT_AGENT_COMMAND_PROMPT) == NULL)
        continue;
      found = TRUE;
      word = g_string_new (*words);
      g_string_replace (word, STINT_AGENT_COMMAND_PROMPT, prompt, 0);
      g_free (*words);
      *words = g_string_free (g_steal_pointer (&word), FALSE);
    }
  return found;
}

StintJobSpec *
stint_agent_command_new_next (StintJobSpec *spec,
                              const char *line,
                              const char *prompt,
                              GError **error)
{
  g_autoptr (StintJobSpec) next = NULL;
  g_auto (GStrv) words = NULL;
  g_autoptr (GError) mistake = NULL;

  g_return_val_if_fail (STINT_IS_JOB_SPEC (spec), NULL);
  g_return_val_if_fail (line != NULL && prompt != NULL, NULL);

  if (!g_shell_parse_argv (line, NULL, &words, &mistake))
    {
      g_set_error (error, STINT_ERROR, STINT_ERROR_INVALID,
                   /* Translators: %s is what is wrong with its quotes. */
                   _ ("The command cannot be understood: %s"), mistake->message);
      return NULL;
    }
  next = stint_job_spec_copy (spec);
  stint_job_spec_clear_schedule (next);
  stint_job_spec_set_stdin_text (next, fill_in (words, prompt) ? NULL : prompt);
  g_clear_pointer (&next->shell_line, g_free);
  g_strfreev (next->argv);
  next->argv = g_steal_pointer (&words);
  return g_steal_pointer (&next);
}
