-- The search index of the second version, as that made it, with what it had of one job.
CREATE TABLE state (identity INTEGER NOT NULL, stamp INTEGER NOT NULL) STRICT;
CREATE TABLE documents (
  id INTEGER PRIMARY KEY, command TEXT, name TEXT, tags TEXT, directory TEXT,
  bytes INTEGER NOT NULL
) STRICT;
CREATE VIRTUAL TABLE docs USING fts5 (command, name, tags, directory, output, beginnings,
  content = '', tokenize = 'unicode61 remove_diacritics 2');
INSERT INTO docs (docs, rank) VALUES ('hashsize', 4194304);
CREATE VIRTUAL TABLE titles USING fts5 (command, name, content = '', tokenize = 'trigram',
  detail = column);
INSERT INTO docs (rowid, command, name, tags, directory, output, beginnings)
  VALUES (1, 'true', '', '[]', '/tmp', 'superseded', 't tr tm s su ');
INSERT INTO titles (rowid, command, name) VALUES (1, 'true', NULL);
INSERT INTO documents VALUES (1, 'true', NULL, '[]', '/tmp', 1048576);
INSERT INTO state VALUES (0, 1);
PRAGMA user_version = 2;
