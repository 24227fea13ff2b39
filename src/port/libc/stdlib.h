/* stdlib.h: the part of the C library that the core uses, without a C library
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <stddef.h>

_Noreturn void abort (void);
void *malloc (size_t size);
void *calloc (size_t n, size_t size);
void *realloc (void *memory, size_t size);
void *aligned_alloc (size_t alignment, size_t size);
int posix_memalign (void **memory, size_t alignment, size_t size);
void free (void *memory);

long strtol (const char *text, char **end, int base);
unsigned long long strtoull (const char *text, char **end, int base);
void qsort (void *base, size_t n, size_t size, int (*compare) (const void *a, const void *b));

static inline long
labs (long number)
{
  return number < 0 ? -number : number;
}

/* There is no environment. */
static inline char *
getenv (const char *name)
{
  (void) name;
  return NULL;
}
