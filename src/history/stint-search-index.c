/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The search index's file. FTS5 keeps no copy of the text: what a document was made of is given once
 * more to take it out, read again from the transcript.
 */
#define G_LOG_DOMAIN "stint-history"
#include "config.h"

#include "stint-search-index.h"

#include "stint-beginnings.h"
#include "stint-database.h"
#include "stint-error.h"
#include "stint-job-directories.h"
#include "stint-plain.h"
#include "stint-reader.h"
#include "stint-search-text.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

/* What was found damaged, until that has been told. It is looked at by nobody. */
#define DAMAGED_SUFFIX ".damaged"

/* SQLite's, ms; only other indexers, who are kept out by the lock, hold it longer. */
#define PATIENCE 4000

/* How long who has the lock is waited for: who removes jobs is done in a moment, who indexes a whole
 * history is not. */
#define LOCK_PATIENCE_USEC (3 * G_USEC_PER_SEC)
#define LOCK_RETRY_USEC 10000
#define CHUNK (64 * 1024)

struct _StintSearchIndex
{
  char *path;
  char *lock_path;
  char *jobs;
  int lock_fd; /* -1: closed */
  sqlite3 *db;
  StintBeginnings *beginnings; /* (nullable): of the document that is written, once one has been */
};

/* `docs` has the words, and the beginnings of all of them as words; `words` the longer ones without their
 * places: to look through it for words takes a small part of the time (stint-vocabulary.c); `titles` what a part
 * of a command or a name is found by: its rows have all that is asked for, and perhaps not in one piece. */
#define TOKENIZE                                                                                   \
  "tokenize = '" STINT_TOKENIZER " " STINT_TOKENIZER_ARGUMENT " " STINT_TOKENIZER_VALUE "'"
#define HASH_SIZE "'hashsize', " G_STRINGIFY (STINT_INDEX_PIECE)

static const char tables[] =
    "CREATE TABLE state (identity INTEGER NOT NULL, stamp INTEGER NOT NULL) STRICT;"
    "CREATE TABLE documents ("
    "  id INTEGER PRIMARY KEY, command TEXT, name TEXT, tags TEXT, directory TEXT,"
    "  bytes INTEGER NOT NULL"
    ") STRICT;"
    "CREATE VIRTUAL TABLE docs USING fts5 (command, name, tags, directory, output, beginnings,"
    "  content = '', " TOKENIZE ");"
    "INSERT INTO docs (docs, rank) VALUES (" HASH_SIZE ");"
    "CREATE VIRTUAL TABLE words USING fts5 (word, content = '', columnsize = 0, detail = none,"
    "  " TOKENIZE ");"
    "INSERT INTO words (words, rank) VALUES (" HASH_SIZE ");"
    "CREATE VIRTUAL TABLE titles USING fts5 (command, name, content = '', tokenize = 'trigram',"
    "  detail = column);";

char *
stint_search_index_dup_path (const char *directory)
{
  return g_build_filename (directory, "search.db", NULL);
}

StintSearchIndex *
stint_search_index_new (const char *directory)
{
  StintSearchIndex *self = g_new0 (StintSearchIndex, 1);

  self->path = stint_search_index_dup_path (directory);
  self->lock_path = g_build_filename (directory, "search.lock", NULL);
  self->jobs = g_build_filename (directory, "jobs", NULL);
  self->lock_fd = -1;
  return self;
}

static void
disconnect (StintSearchIndex *self)
{
  g_clear_pointer (&self->beginnings, stint_beginnings_free);
  sqlite3_close (g_steal_pointer (&self->db));
}

void
stint_search_index_close (StintSearchIndex *self)
{
  disconnect (self);
  if (self->lock_fd >= 0)
    close (self->lock_fd);
  self->lock_fd = -1;
}

void
stint_search_index_free (StintSearchIndex *self)
{
  stint_search_index_close (self);
  g_free (self->path);
  g_free (self->lock_path);
  g_free (self->jobs);
  g_free (self);
}

void
stint_search_document_free (StintSearchDocument *self)
{
  g_free (self->command);
  g_free (self->name);
  g_free (self->tags);
  g_free (self->directory);
  if (self->output != NULL)
    g_string_free (self->output, TRUE);
  g_free (self);
}

/* Our statements are right: one that is said to be wrong means that the tables are not. */
gboolean
stint_search_index_is_damage (int rc)
{
  return (rc & 0xff) == SQLITE_CORRUPT || (rc & 0xff) == SQLITE_NOTADB ||
         (rc & 0xff) == SQLITE_ERROR;
}

int
stint_search_index_read_integer (sqlite3 *db, const char *sql, gint64 *value)
{
  sqlite3_stmt *statement = NULL;
  int rc = sqlite3_prepare_v2 (db, sql, -1, &statement, NULL);

  if (rc == SQLITE_OK)
    rc = sqlite3_step (statement);
  if (rc == SQLITE_ROW)
    *value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return rc;
}

/* A byte of the header, or the file's mode, says that it may only be read: for who writes it that is as bad
 * as damage, unless no other could be made in its place. */
static gboolean
is_closed_to_writing (StintSearchIndex *self, int rc)
{
  g_autofree char *directory = g_path_get_dirname (self->path);

  return (rc & 0xff) == SQLITE_READONLY && access (directory, W_OK) == 0;
}

static gboolean
set_error_for (StintSearchIndex *self, int rc, const char *why, GError **error)
{
  GQuark domain = STINT_ERROR;
  int code = STINT_ERROR_FAILED;

  if (stint_search_index_is_damage (rc) || is_closed_to_writing (self, rc))
    {
      code = STINT_ERROR_DAMAGED;
    }
  else if ((rc & 0xff) == SQLITE_BUSY)
    {
      domain = G_IO_ERROR;
      code = G_IO_ERROR_BUSY;
    }
  /* Translators: a file name, and why */
  g_set_error (error, domain, code, _ ("“%s” cannot be used: %s"), self->path, why);
  return FALSE;
}

static gboolean
set_error (StintSearchIndex *self, GError **error)
{
  return self->db != NULL
             ? set_error_for (self, sqlite3_errcode (self->db), stint_database_describe_error (self->db), error)
             : set_error_for (self, SQLITE_NOMEM, g_strerror (ENOMEM), error);
}

static gboolean
execute (StintSearchIndex *self, const char *sql, GError **error)
{
  return sqlite3_exec (self->db, sql, NULL, NULL, NULL) == SQLITE_OK || set_error (self, error);
}

static gboolean
take_lock (StintSearchIndex *self, GCancellable *cancellable, GError **error)
{
  gint64 end = g_get_monotonic_time () + LOCK_PATIENCE_USEC;
  int saved_errno;

  if (self->lock_fd >= 0)
    return TRUE;
  self->lock_fd = g_open (self->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  saved_errno = errno;
  while (self->lock_fd >= 0)
    {
      /* Where there are no locks there is nobody to keep out but by SQLite's. */
      if (flock (self->lock_fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
        return TRUE;
      saved_errno = errno;
      if (g_get_monotonic_time () >= end || g_cancellable_is_cancelled (cancellable))
        break;
      g_usleep (LOCK_RETRY_USEC);
    }
  g_set_error (error, G_IO_ERROR, saved_errno == EWOULDBLOCK ? G_IO_ERROR_BUSY : G_IO_ERROR_FAILED,
               /* Translators: a file name, and why */
               _ ("“%s” cannot be locked: %s"), self->lock_path, stint_error_describe (saved_errno));
  stint_search_index_close (self);
  return FALSE;
}

static gboolean
connect_to_file (StintSearchIndex *self, GError **error)
{
  int fd = g_open (self->path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

  if (fd >= 0)
    close (fd);
  if (sqlite3_open_v2 (self->path, &self->db,
                       SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE,
                       NULL) != SQLITE_OK)
    return set_error (self, error);
  sqlite3_busy_timeout (self->db, PATIENCE);
  return execute (self, "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL", error);
}

/* @stamp: (out): what it has taken in; @current: (out): an index of another version or history is not,
 * and that is no damage. */
static gboolean
look_at_state (StintSearchIndex *self,
               gint64 identity,
               gint64 *stamp,
               gboolean *current,
               GError **error)
{
  gint64 version = 0, found = ~identity;
  int rc = stint_search_index_read_integer (self->db, "PRAGMA user_version", &version);

  if (rc == SQLITE_ROW && version == STINT_INDEX_VERSION)
    rc = stint_search_index_read_integer (self->db, "SELECT identity FROM state", &found);
  if (rc == SQLITE_ROW && found == identity)
    rc = stint_search_index_read_integer (self->db, "SELECT stamp FROM state", stamp);
  *current = rc == SQLITE_ROW && version == STINT_INDEX_VERSION && found == identity;
  if (rc == SQLITE_DONE)
    return set_error_for (self, SQLITE_CORRUPT, _ ("it is incomplete"), error);
  return rc == SQLITE_ROW || set_error (self, error);
}

static void
remove_files (StintSearchIndex *self)
{
  static const char *const suffixes[] = { "-wal", "-shm", "-journal", "" };

  disconnect (self);
  for (guint i = 0; i < G_N_ELEMENTS (suffixes); i++)
    {
      g_autofree char *path = g_strconcat (self->path, suffixes[i], NULL);

      g_unlink (path);
    }
}

/* With the lock. */
static void
set_aside (StintSearchIndex *self)
{
  g_autofree char *damaged = g_strconcat (self->path, DAMAGED_SUFFIX, NULL);

  g_rename (self->path, damaged);
  remove_files (self);
}

gboolean
stint_search_index_take_damage (StintSearchIndex *self, GError **warning)
{
  g_autofree char *damaged = g_strconcat (self->path, DAMAGED_SUFFIX, NULL);

  if (g_unlink (damaged) < 0)
    return FALSE;
  g_set_error (warning, STINT_ERROR, STINT_ERROR_DAMAGED,
               _ ("The search index was damaged, and is made again from the history. Until that is "
                  "done, searches may miss words of the output."));
  return TRUE;
}

void
stint_search_index_condemn (StintSearchIndex *self, const StintFileIdentity *file)
{
  g_autoptr (GCancellable) at_once = g_cancellable_new ();

  g_cancellable_cancel (at_once);
  /* Who has the lock writes, and will find out. */
  if (!take_lock (self, at_once, NULL))
    return;
  /* What it was may have been made again since: the one that is there now is sound. */
  if (stint_file_identity_holds (file, self->path))
    set_aside (self);
  stint_search_index_close (self);
}

static gboolean
make (StintSearchIndex *self, gint64 identity, GError **error)
{
  g_autofree char *state = g_strdup_printf ("INSERT INTO state VALUES (%" G_GINT64_FORMAT
                                            ", 0); PRAGMA user_version = %d",
                                            identity, STINT_INDEX_VERSION);

  remove_files (self);
  return connect_to_file (self, error) && execute (self, "BEGIN IMMEDIATE", error) &&
         execute (self, tables, error) && execute (self, state, error) &&
         execute (self, "COMMIT", error);
}

/* One that is damaged, absent, of another version or of another history is made again. One that only
 * cannot be reached now, for want of a descriptor or of memory, stays. */
static gboolean
connect_or_make (StintSearchIndex *self, gint64 identity, gint64 *stamp, GError **error)
{
  g_autoptr (GError) why = NULL;
  gboolean current = FALSE;

  *stamp = 0;
  if ((self->db != NULL || connect_to_file (self, &why)) &&
      look_at_state (self, identity, stamp, &current, &why) && current)
    return TRUE;
  if (g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    {
      set_aside (self);
    }
  else if (why != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&why));
      return FALSE;
    }
  return make (self, identity, error);
}

gboolean
stint_search_index_open (StintSearchIndex *self,
                         gint64 identity,
                         gint64 *stamp,
                         GCancellable *cancellable,
                         GError **error)
{
  if (!take_lock (self, cancellable, error))
    return FALSE;
  if (connect_or_make (self, identity, stamp, error))
    return TRUE;
  stint_search_index_close (self);
  return FALSE;
}

/* Makes @size bytes from @offset on plain, and appends their words. */
static void
append_range (GString *output,
              StintReader *reader,
              guint64 offset,
              guint64 size,
              GCancellable *cancellable)
{
  g_autofree guint8 *buffer = g_malloc (CHUNK);
  guint64 end = offset + size;
  StintPlain plain = { .with_offsets = FALSE };
  guint64 skipped = 0;

  stint_plain_init (&plain);
  while (offset < end && !g_cancellable_is_cancelled (cancellable))
    {
      guint64 start = offset;
      gssize n = stint_reader_read (reader, &offset, buffer, (gsize) MIN (CHUNK, end - offset),
                                    &skipped, NULL);

      if (n <= 0)
        break;
      if (offset - (guint64) n != start)
        stint_plain_end_line (&plain);
      stint_plain_append (&plain, buffer, (gsize) n, offset - (guint64) n);
    }
  stint_search_text_append (output, (const char *) plain.text, plain.length);
  g_string_append_c (output, '\n');
  stint_plain_clear (&plain);
}

GString *
stint_search_index_read_output (const char *directory, guint64 limit, GCancellable *cancellable)
{
  g_autoptr (StintReader) reader = stint_reader_new (directory);
  guint64 size = stint_reader_get_size (reader);
  GString *output = g_string_new (NULL);
  guint64 tail;

  if (size <= limit)
    {
      if (size > 0)
        append_range (output, reader, 0, size, cancellable);
      return output;
    }
  append_range (output, reader, 0, limit / 2, cancellable);
  tail = stint_reader_find_line_start (reader, size - limit / 2, 0, 4096);
  append_range (output, reader, tail, size - tail, cancellable);
  return output;
}

static int
bind_words (StintSearchIndex *self,
            sqlite3_stmt *statement,
            int parameter,
            const char *text,
            gboolean is_title)
{
  g_autoptr (GString) words = g_string_new (NULL);

  if (text != NULL)
    stint_search_text_append (words, text, strlen (text));
  sqlite3_bind_text (statement, parameter, words->str, (int) words->len, SQLITE_TRANSIENT);
  return stint_beginnings_add (self->beginnings, words->str, words->len, is_title);
}

/* Returns: an SQLite result code */
static int
bind_document (StintSearchIndex *self, sqlite3_stmt *statement, const StintSearchDocument *document)
{
  /* The first two are titles. */
  const char *texts[] = { document->command, document->name, document->tags, document->directory };
  const GString *output = document->output, *beginnings;
  int parameter = 1, rc = SQLITE_OK;

  if (self->beginnings == NULL)
    self->beginnings = stint_beginnings_new (self->db);
  if (self->beginnings == NULL)
    return SQLITE_NOMEM;
  stint_beginnings_clear (self->beginnings);
  sqlite3_bind_int64 (statement, parameter++, (gint64) document->id);
  for (guint i = 0; rc == SQLITE_OK && i < G_N_ELEMENTS (texts); i++)
    rc = bind_words (self, statement, parameter++, texts[i], i < 2);
  sqlite3_bind_text (statement, parameter++, output->str, (int) output->len, SQLITE_STATIC);
  if (rc == SQLITE_OK)
    rc = stint_beginnings_add (self->beginnings, output->str, output->len, FALSE);
  beginnings = stint_beginnings_get_text (self->beginnings);
  sqlite3_bind_text (statement, parameter, beginnings->str, (int) beginnings->len, SQLITE_STATIC);
  return rc;
}

static gboolean
run (StintSearchIndex *self, sqlite3_stmt *statement, GError **error)
{
  return sqlite3_step (statement) == SQLITE_DONE || set_error (self, error);
}

/* @sql: an INSERT into `docs`, which FTS5 also takes things out by. */
static gboolean
write_words (StintSearchIndex *self,
             const char *sql,
             const StintSearchDocument *document,
             GError **error)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok;
  int rc;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK)
    return set_error (self, error);
  rc = bind_document (self, statement, document);
  ok = rc == SQLITE_OK ? run (self, statement, error)
                       : set_error_for (self, rc, sqlite3_errstr (rc), error);
  sqlite3_finalize (statement);
  return ok;
}

/* As write_words(), for `words`: those of what was bound last. */
static gboolean
write_vocabulary (StintSearchIndex *self, const char *sql, guint64 id, GError **error)
{
  const GString *words = stint_beginnings_get_words (self->beginnings);
  sqlite3_stmt *statement = NULL;
  gboolean ok;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK)
    return set_error (self, error);
  sqlite3_bind_int64 (statement, 1, (gint64) id);
  sqlite3_bind_text (statement, 2, words->str, (int) words->len, SQLITE_STATIC);
  ok = run (self, statement, error);
  sqlite3_finalize (statement);
  return ok;
}

/* As write_words(), for `titles`. */
static gboolean
write_titles (StintSearchIndex *self,
              const char *sql,
              const StintSearchDocument *document,
              GError **error)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok;

  if (sqlite3_prepare_v2 (self->db, sql, -1, &statement, NULL) != SQLITE_OK)
    return set_error (self, error);
  sqlite3_bind_int64 (statement, 1, (gint64) document->id);
  sqlite3_bind_text (statement, 2, document->command, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 3, document->name, -1, SQLITE_STATIC);
  ok = run (self, statement, error);
  sqlite3_finalize (statement);
  return ok;
}

/* (transfer full) (nullable): what is indexed of job @id, but for its output; @bytes: of that. */
static StintSearchDocument *
read_document (StintSearchIndex *self, guint64 id, gint64 *bytes)
{
  StintSearchDocument *document = NULL;
  sqlite3_stmt *statement = NULL;

  if (sqlite3_prepare_v2 (self->db,
                          "SELECT command, name, tags, directory, bytes FROM documents "
                          "WHERE id = ?1",
                          -1, &statement, NULL) == SQLITE_OK)
    {
      sqlite3_bind_int64 (statement, 1, (gint64) id);
      if (sqlite3_step (statement) == SQLITE_ROW)
        {
          document = g_new0 (StintSearchDocument, 1);
          document->id = id;
          document->command = g_strdup ((const char *) sqlite3_column_text (statement, 0));
          document->name = g_strdup ((const char *) sqlite3_column_text (statement, 1));
          document->tags = g_strdup ((const char *) sqlite3_column_text (statement, 2));
          document->directory = g_strdup ((const char *) sqlite3_column_text (statement, 3));
          *bytes = sqlite3_column_int64 (statement, 4);
        }
    }
  sqlite3_finalize (statement);
  return document;
}

/* In a transaction. */
static gboolean
take_out (StintSearchIndex *self, StintSearchDocument *old, GError **error)
{
  g_autofree char *forget =
      g_strdup_printf ("DELETE FROM documents WHERE id = %" G_GUINT64_FORMAT, old->id);

  return write_words (self,
                      "INSERT INTO docs (docs, rowid, command, name, tags, directory, output, "
                      "beginnings) VALUES ('delete', ?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                      old, error) &&
         write_vocabulary (
             self, "INSERT INTO words (words, rowid, word) VALUES ('delete', ?1, ?2)", old->id, error) &&
         write_titles (self,
                       "INSERT INTO titles (titles, rowid, command, name) "
                       "VALUES ('delete', ?1, ?2, ?3)",
                       old, error) &&
         execute (self, forget, error);
}

static gboolean
put_in (StintSearchIndex *self, const StintSearchDocument *document, guint64 limit, GError **error)
{
  sqlite3_stmt *statement = NULL;
  gboolean ok;

  if (!write_words (self,
                    "INSERT INTO docs (rowid, command, name, tags, directory, output, beginnings) "
                    "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
                    document, error) ||
      !write_vocabulary (self, "INSERT INTO words (rowid, word) VALUES (?1, ?2)", document->id,
                         error) ||
      !write_titles (self, "INSERT INTO titles (rowid, command, name) VALUES (?1, ?2, ?3)",
                     document, error))
    return FALSE;
  if (sqlite3_prepare_v2 (self->db, "INSERT INTO documents VALUES (?1, ?2, ?3, ?4, ?5, ?6)", -1,
                          &statement, NULL) != SQLITE_OK)
    return set_error (self, error);
  sqlite3_bind_int64 (statement, 1, (gint64) document->id);
  sqlite3_bind_text (statement, 2, document->command, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 3, document->name, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 4, document->tags, -1, SQLITE_STATIC);
  sqlite3_bind_text (statement, 5, document->directory, -1, SQLITE_STATIC);
  sqlite3_bind_int64 (statement, 6, (gint64) limit);
  ok = run (self, statement, error);
  sqlite3_finalize (statement);
  return ok;
}

/* (transfer full) (nullable): with its output, read before any lock is held. */
static StintSearchDocument *
read_old (StintSearchIndex *self, guint64 id)
{
  gint64 bytes = 0;
  StintSearchDocument *old = read_document (self, id, &bytes);
  g_autofree char *directory = NULL;

  if (old == NULL)
    return NULL;
  directory = stint_job_directories_dup_path (self->jobs, id);
  old->output = stint_search_index_read_output (directory, (guint64) bytes, NULL);
  return old;
}

static gboolean
write_all (StintSearchIndex *self,
           GPtrArray *olds,
           GPtrArray *documents,
           guint64 limit,
           gint64 stamp,
           GError **error)
{
  g_autofree char *sql =
      g_strdup_printf ("UPDATE state SET stamp = max (stamp, %" G_GINT64_FORMAT ")", stamp);

  if (!execute (self, "BEGIN IMMEDIATE", error))
    return FALSE;
  for (guint i = 0; i < olds->len; i++)
    if (!take_out (self, g_ptr_array_index (olds, i), error))
      return FALSE;
  for (guint i = 0; documents != NULL && i < documents->len; i++)
    if (!put_in (self, g_ptr_array_index (documents, i), limit, error))
      return FALSE;
  return execute (self, sql, error) && execute (self, "COMMIT", error);
}

/* Puts an end to what went wrong; a damaged one is made again when it is opened next. */
static gboolean
give_up (StintSearchIndex *self, GError *why, GError **error)
{
  if (!sqlite3_get_autocommit (self->db))
    sqlite3_exec (self->db, "ROLLBACK", NULL, NULL, NULL);
  if (g_error_matches (why, STINT_ERROR, STINT_ERROR_DAMAGED))
    set_aside (self);
  g_propagate_error (error, why);
  return FALSE;
}

gboolean
stint_search_index_put (StintSearchIndex *self,
                        GPtrArray *documents,
                        guint64 limit,
                        gint64 stamp,
                        GError **error)
{
  g_autoptr (GPtrArray) olds =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_search_document_free);
  GError *why = NULL;

  for (guint i = 0; i < documents->len; i++)
    {
      const StintSearchDocument *document = g_ptr_array_index (documents, i);
      StintSearchDocument *old = read_old (self, document->id);

      if (old != NULL)
        g_ptr_array_add (olds, old);
    }
  return write_all (self, olds, documents, limit, stamp, &why) || give_up (self, why, error);
}

gboolean
stint_search_index_remove (StintSearchIndex *self, guint64 id, GError **error)
{
  g_autoptr (GPtrArray) olds =
      g_ptr_array_new_with_free_func ((GDestroyNotify) stint_search_document_free);
  StintSearchDocument *old;
  GError *why = NULL;

  /* It was set aside: who makes it again leaves out what is gone. */
  if (self->db == NULL)
    return TRUE;
  old = read_old (self, id);
  if (old == NULL)
    return TRUE;
  g_ptr_array_add (olds, old);
  return write_all (self, olds, NULL, 0, 0, &why) || give_up (self, why, error);
}
