/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Only in builds with the address sanitizer, whose options the keeper's empty environment does not give.
 * To look for leaks at the exit the sanitizer stops the process by ptrace; if Stint sends it SIGCONT in this
 * moment, as it does to a keeper that lives longer than its owner, the stop is lost and neither ever ends. */

const char *__asan_default_options (void);

const char *
__asan_default_options (void)
{
  return "detect_leaks=0";
}
