/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Text files, read and written for an agent. The disk is only touched in threads. A path is
 * judged by where it leads once all links are followed, and what is opened is that: whoever puts a
 * link in its place between the two gains nothing.
 */
#define G_LOG_DOMAIN "stint-acp"
#include "config.h"

#include "stint-agent-files.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is read into one answer; and what is kept of a file that is written over, to be shown. */
#define MAX_FILE (16 * 1024 * 1024)
#define MAX_OLD (1024 * 1024)

struct _StintAgentFiles
{
  GObject parent_instance;

  char **directories; /* not changed after it was made: threads read it */
};

enum
{
  SIGNAL_OUTSIDE,
  SIGNAL_WRITTEN,
  N_SIGNALS,
};

static guint signals[N_SIGNALS];

G_DEFINE_FINAL_TYPE (StintAgentFiles, stint_agent_files, G_TYPE_OBJECT)

/* One request, in a thread. */
typedef struct
{
  StintAcpRequest *request;
  char *path;
  gboolean writes;
  gboolean allowed; /* outside too */
  char *agreed;     /* (nullable): where it led when that was allowed */
  gint64 line;      /* 1-based */
  gint64 limit;     /* -1: none */
  char *content;    /* to write, or read */

  char *resolved;
  gboolean outside;
  char *old_text;
  int code;      /* of the protocol; 0: it was done */
  char *message; /* with code */
} Job;

static void
job_free (gpointer data)
{
  Job *job = data;

  g_object_unref (job->request);
  g_free (job->path);
  g_free (job->agreed);
  g_free (job->content);
  g_free (job->resolved);
  g_free (job->old_text);
  g_free (job->message);
  g_free (job);
}

static gboolean G_GNUC_PRINTF (3, 4) fail (Job *job, int code, const char *format, ...)
{
  va_list args;

  va_start (args, format);
  job->code = code;
  job->message = g_strdup_vprintf (format, args);
  va_end (args);
  return FALSE;
}

static gboolean
fail_with_errno (Job *job)
{
  int code = errno;

  return fail (job, code == ENOENT ? STINT_ACP_NOT_FOUND : STINT_ACP_INTERNAL_ERROR, "%s: %s",
               job->path, g_strerror (code));
}

/* Where @path leads, as the kernel would go: the part that exists with all links followed, and the
 * rest as it is. Returns: (nullable): %NULL with errno. */
static char *
resolve (const char *path)
{
  g_autofree char *head = g_strdup (path);
  g_autofree char *rest = NULL;

  for (;;)
    {
      g_autofree char *base = NULL, *parent = NULL, *longer = NULL;
      char *real = realpath (head, NULL);
      struct stat status;

      if (real != NULL)
        {
          char *whole = rest != NULL ? g_build_filename (real, rest, NULL) : g_strdup (real);

          free (real);
          return whole;
        }
      if (errno != ENOENT)
        return NULL;
      /* A link that leads nowhere would be followed by whoever creates the file. */
      if (lstat (head, &status) == 0 && S_ISLNK (status.st_mode))
        {
          errno = ENOENT;
          return NULL;
        }
      base = g_path_get_basename (head);
      parent = g_path_get_dirname (head);
      /* Out of a directory that is not there. */
      if (g_str_equal (base, "..") || g_str_equal (base, "."))
        {
          errno = ENOENT;
          return NULL;
        }
      longer = rest != NULL ? g_build_filename (base, rest, NULL) : g_strdup (base);
      g_free (rest);
      rest = g_steal_pointer (&longer);
      g_free (head);
      head = g_steal_pointer (&parent);
    }
}

static gboolean
is_resolved_inside (StintAgentFiles *self, const char *resolved)
{
  for (guint i = 0; self->directories[i] != NULL; i++)
    {
      g_autofree char *directory = resolve (self->directories[i]);
      gsize length = directory != NULL ? strlen (directory) : 0;

      if (length == 0)
        continue;
      if (length == 1 || (strncmp (resolved, directory, length) == 0 &&
                          (resolved[length] == '/' || resolved[length] == '\0')))
        return TRUE;
    }
  return FALSE;
}

gboolean
stint_agent_files_is_inside (StintAgentFiles *self, const char *path)
{
  g_autofree char *resolved = g_path_is_absolute (path) ? resolve (path) : NULL;

  return resolved != NULL && is_resolved_inside (self, resolved);
}

/* Opens @path, which has no links in it, if it still has none. Returns: -1 with errno. */
static int
open_resolved (const char *path, int flags)
{
  const struct open_how how = {
    .flags = (guint64) (flags | O_CLOEXEC | O_NOFOLLOW),
    .resolve = RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS,
  };
  int fd = (int) syscall (SYS_openat2, AT_FDCWD, path, &how, sizeof how);

  /* Some containers do not know the call. */
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    fd = open (path, flags | O_CLOEXEC | O_NOFOLLOW);
  return fd;
}

/* Returns: a regular file, or -1 with errno. */
static int
open_regular (const char *path, struct stat *status)
{
  int fd = open_resolved (path, O_RDONLY | O_NOCTTY | O_NONBLOCK);

  if (fd < 0)
    return -1;
  if (fstat (fd, status) == 0 && S_ISREG (status->st_mode))
    return fd;
  close (fd);
  errno = S_ISDIR (status->st_mode) ? EISDIR : EINVAL;
  return -1;
}

char *
stint_agent_read_all (int fd, gsize max, gsize *length)
{
  GString *text = g_string_new (NULL);

  while (text->len <= max)
    {
      gsize old = text->len, room = MIN (64 * 1024, max + 1 - old);
      ssize_t n;

      g_string_set_size (text, old + room);
      n = read (fd, text->str + old, room);
      g_string_set_size (text, old + (gsize) MAX (n, 0));
      if (n < 0 && errno == EINTR)
        continue;
      if (n < 0)
        {
          g_string_free (text, TRUE);
          return NULL;
        }
      if (n == 0)
        break;
    }
  *length = text->len;
  return g_string_free (text, FALSE);
}

/* Cuts @text down to @limit lines from @line on. */
static void
cut_lines (char *text, gint64 line, gint64 limit)
{
  char *start = text, *end;

  for (gint64 i = 1; i < line && *start != '\0'; i++)
    {
      char *newline = strchr (start, '\n');

      start = newline != NULL ? newline + 1 : start + strlen (start);
    }
  end = start;
  for (gint64 i = 0; i < limit && *end != '\0'; i++)
    {
      char *newline = strchr (end, '\n');

      end = newline != NULL ? newline + 1 : end + strlen (end);
    }
  if (limit >= 0)
    *end = '\0';
  memmove (text, start, strlen (start) + 1);
}

static gboolean
read_file (Job *job)
{
  struct stat status = { 0 };
  g_autofree char *text = NULL;
  gsize length;
  int fd = open_regular (job->resolved, &status);

  if (fd < 0)
    return errno == EINVAL
               ? fail (job, STINT_ACP_INVALID_PARAMS, "%s: not a regular file", job->path)
               : fail_with_errno (job);
  text = stint_agent_read_all (fd, MAX_FILE, &length);
  if (text == NULL)
    fail_with_errno (job);
  close (fd);
  if (text == NULL)
    return FALSE;
  if (length > MAX_FILE)
    return fail (job, STINT_ACP_INVALID_PARAMS, "%s: larger than 16 MiB", job->path);
  if (!g_utf8_validate_len (text, length, NULL))
    return fail (job, STINT_ACP_INVALID_PARAMS, "%s: not a text in UTF-8", job->path);
  cut_lines (text, job->line, job->limit);
  job->content = g_steal_pointer (&text);
  return TRUE;
}

/* What is written over, if it can be shown. */
static void
keep_old (Job *job, int fd)
{
  g_autofree char *text = NULL;
  gsize length;

  text = stint_agent_read_all (fd, MAX_OLD, &length);
  if (text != NULL && length <= MAX_OLD && g_utf8_validate_len (text, length, NULL))
    job->old_text = g_steal_pointer (&text);
}

/* In the directory that is open as @directory, whatever its name leads to by now. @mode: 0: as is
 * usual for a new file */
static gboolean
replace_at (Job *job, int directory, const char *parent, mode_t mode)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *base = g_path_get_basename (job->resolved);
  g_autofree char *held = g_strdup_printf ("/proc/self/fd/%d", directory);
  g_autofree char *path = g_build_filename (held, base, NULL);

  if (!g_file_set_contents_full (path, job->content, (gssize) strlen (job->content),
                                 G_FILE_SET_CONTENTS_CONSISTENT, mode != 0 ? 0600 : 0666, &error))
    {
      g_autoptr (GString) text = g_string_new (error->message);

      g_string_replace (text, held, parent, 0);
      return fail (job, STINT_ACP_INTERNAL_ERROR, "%s", text->str);
    }
  /* What was there is replaced by another file, whose mode the umask has changed. */
  if (mode != 0 && fchmodat (directory, base, mode, 0) < 0)
    return fail_with_errno (job);
  return TRUE;
}

static gboolean
write_file (Job *job)
{
  g_autofree char *parent = g_path_get_dirname (job->resolved);
  struct stat status = { 0 };
  int directory, fd = open_regular (job->resolved, &status);
  gboolean written;

  if (fd >= 0)
    {
      keep_old (job, fd);
      close (fd);
    }
  else if (errno != ENOENT)
    {
      return errno == EINVAL
                 ? fail (job, STINT_ACP_INVALID_PARAMS, "%s: not a regular file", job->path)
                 : fail_with_errno (job);
    }
  else if (g_mkdir_with_parents (parent, 0777) < 0)
    {
      return fail_with_errno (job);
    }
  directory = open_resolved (parent, O_PATH | O_DIRECTORY);
  if (directory < 0)
    return fail_with_errno (job);
  written = replace_at (job, directory, parent, status.st_mode & 07777);
  close (directory);
  return written;
}

static void
run (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  Job *job = data;

  job->resolved = resolve (job->path);
  if (job->resolved == NULL)
    fail_with_errno (job);
  else if ((!job->allowed || (job->agreed != NULL && !g_str_equal (job->agreed, job->resolved))) &&
           !is_resolved_inside (source, job->resolved))
    job->outside = TRUE;
  else if (job->writes)
    write_file (job);
  else
    read_file (job);
  g_task_return_boolean (task, TRUE);
}

static void
answer (StintAgentFiles *self, Job *job)
{
  JsonNode *node;

  if (job->code != 0)
    {
      stint_acp_request_return_error (job->request, job->code, "%s", job->message);
      return;
    }
  if (job->writes)
    {
      g_signal_emit (self, signals[SIGNAL_WRITTEN], 0, job->path, job->old_text, job->content);
      stint_acp_request_return (job->request, NULL);
      return;
    }
  node = json_node_new (JSON_NODE_OBJECT);
  json_node_take_object (node, json_object_new ());
  json_object_set_string_member (json_node_get_object (node), "content", job->content);
  stint_acp_request_return (job->request, node);
}

static void
handle_done (GObject *source, GAsyncResult *result, gpointer data)
{
  StintAgentFiles *self = STINT_AGENT_FILES (source);
  Job *job = g_task_get_task_data (G_TASK (result));
  gboolean taken = FALSE;

  if (!job->outside)
    {
      answer (self, job);
      return;
    }
  if (stint_acp_request_is_answered (job->request))
    return;
  g_signal_emit (self, signals[SIGNAL_OUTSIDE], 0, job->request, job->resolved, &taken);
  if (!taken)
    stint_acp_request_return_error (job->request, STINT_ACP_INVALID_PARAMS,
                                    "%s: outside the session's directories", job->path);
}

static void
begin (StintAgentFiles *self, StintAcpRequest *request, gboolean allowed, const char *agreed)
{
  JsonObject *params = stint_acp_request_get_params (request);
  const char *path = stint_acp_get_string (params, "path");
  gboolean writes = g_str_has_prefix (stint_acp_request_get_method (request), "fs/write");
  const char *content = stint_acp_get_string (params, "content");
  g_autoptr (GTask) task = NULL;
  Job *job;

  if (path == NULL || !g_path_is_absolute (path))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "path: must be absolute");
      return;
    }
  if (writes && content == NULL)
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS, "content: missing");
      return;
    }
  if (writes && stint_acp_request_has_nul (request))
    {
      stint_acp_request_return_error (request, STINT_ACP_INVALID_PARAMS,
                                      "content: holds U+0000, which is no text");
      return;
    }

  job = g_new0 (Job, 1);
  job->request = g_object_ref (request);
  job->path = g_strdup (path);
  job->writes = writes;
  job->allowed = allowed;
  job->agreed = g_strdup (agreed);
  job->content = writes ? g_strdup (content) : NULL;
  job->line = MAX (1, stint_acp_get_int (params, "line", 1));
  job->limit = MAX (-1, stint_acp_get_int (params, "limit", -1));
  task = g_task_new (self, NULL, handle_done, NULL);
  g_task_set_task_data (task, job, job_free);
  g_task_run_in_thread (task, run);
}

void
stint_agent_files_handle (StintAgentFiles *self, StintAcpRequest *request)
{
  g_return_if_fail (STINT_IS_AGENT_FILES (self));
  begin (self, request, FALSE, NULL);
}

void
stint_agent_files_allow (StintAgentFiles *self, StintAcpRequest *request, const char *path)
{
  g_return_if_fail (STINT_IS_AGENT_FILES (self));
  begin (self, request, TRUE, path);
}

static void
stint_agent_files_finalize (GObject *object)
{
  g_strfreev (STINT_AGENT_FILES (object)->directories);
  G_OBJECT_CLASS (stint_agent_files_parent_class)->finalize (object);
}

static void
stint_agent_files_class_init (StintAgentFilesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = stint_agent_files_finalize;

  signals[SIGNAL_OUTSIDE] = g_signal_new ("outside", STINT_TYPE_AGENT_FILES, G_SIGNAL_RUN_LAST, 0,
                                          g_signal_accumulator_true_handled, NULL, NULL,
                                          G_TYPE_BOOLEAN, 2, STINT_TYPE_ACP_REQUEST, G_TYPE_STRING);
  signals[SIGNAL_WRITTEN] = g_signal_new (
      "written", STINT_TYPE_AGENT_FILES, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 3,
      G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE, G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE,
      G_TYPE_STRING | G_SIGNAL_TYPE_STATIC_SCOPE);
}

static void
stint_agent_files_init (StintAgentFiles *self)
{
}

StintAgentFiles *
stint_agent_files_new (const char *const *directories)
{
  StintAgentFiles *self = g_object_new (STINT_TYPE_AGENT_FILES, NULL);

  self->directories = g_strdupv ((char **) directories);
  return self;
}
