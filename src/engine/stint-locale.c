/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * See stint-locale.h.
 */
#include "config.h"

#include "stint-locale.h"

#include <glib/gi18n-lib.h>
#include <langinfo.h>
#include <locale.h>

/* What nl_langinfo() calls the ASCII of the locales C and POSIX. */
#define ASCII "ANSI_X3.4-1968"

void
stint_locale_init (void)
{
  setlocale (LC_ALL, "");
  /* A name or a prompt in such a locale is UTF-8 all the same: nobody chose ASCII there. What a job is
   * given in its environment stays as it was. */
  if (g_str_equal (nl_langinfo (CODESET), ASCII))
    setlocale (LC_CTYPE, "C.UTF-8");
  bindtextdomain (GETTEXT_PACKAGE, LOCALEDIR);
  bind_textdomain_codeset (GETTEXT_PACKAGE, "UTF-8");
  textdomain (GETTEXT_PACKAGE);
}
