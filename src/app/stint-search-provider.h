/* SPDX-License-Identifier: GPL-3.0-or-later */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

#define STINT_TYPE_SEARCH_PROVIDER (stint_search_provider_get_type ())
G_DECLARE_FINAL_TYPE (StintSearchProvider, stint_search_provider, STINT, SEARCH_PROVIDER, GObject)

/* Below the application's own object; data/io.github.stint.Stint.search-provider.ini.in says so too. */
#define STINT_SEARCH_PROVIDER_PATH "/io/github/stint/Stint/SearchProvider"

/* How many results there are at most. */
#define STINT_SEARCH_RESULTS 12

/* How long the process stays for the next question, s. */
#define STINT_SEARCH_LINGER 15

/*
 * What the desktop's own search asks of Stint: org.gnome.Shell.SearchProvider2. Jobs are found by name and
 * command. It shows no window; nothing of the history is opened before the first question.
 *
 * Signals:
 *
 *   open (guint64 id)            a result has been chosen
 *   search (const char *query)   all results are wanted
 *   index-lost ()                the search index was found damaged: stint_history_index_again()
 */

/**
 * stint_search_provider_new:
 * @application: (nullable): held while it is asked, and a little longer
 * @directory: (type filename): where the history is
 *
 * Returns: (transfer full): the provider, not yet on a bus
 */
StintSearchProvider *stint_search_provider_new (GApplication *application, const char *directory);

/* @error: there is such an object already. */
gboolean
stint_search_provider_export (StintSearchProvider *self, GDBusConnection *bus, GError **error);
void stint_search_provider_unexport (StintSearchProvider *self);

/* (transfer full): what finds, on the page of the history, what these terms found. */
char *stint_search_provider_dup_query (const char *const *terms);

G_END_DECLS
