/* SPDX-License-Identifier: GPL-3.0-or-later */

/* Only in builds with the address sanitizer. GLib leaves its table of quarks behind when the 2048th is
 * made, for who reads it at that moment without a lock, and that would be told as a leak of ours. It is
 * the first allocation of its size, made before main(): kept here, it is reachable. */

#include <stddef.h>

/* gcc has no header for it. */
int __sanitizer_install_malloc_and_free_hooks (void (*malloc_hook) (const volatile void *, size_t),
                                               void (*free_hook) (const volatile void *));

#define TABLE_SIZE (2048 * sizeof (char *))

static const volatile void *volatile quarks;

static void
on_malloc (const volatile void *pointer, size_t size)
{
  if (quarks == NULL && size == TABLE_SIZE)
    quarks = pointer;
}

static void
on_free (const volatile void *pointer)
{
}

static void
install (void)
{
  __sanitizer_install_malloc_and_free_hooks (on_malloc, on_free);
}

/* Libraries are initialized after this, before constructors. */
__attribute__ ((section (".preinit_array"), used)) static void (*const preinit) (void) = install;
