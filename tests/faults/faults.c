/* faults.c: a preload that lets one call of the system fail: the nth allocation, write, fsync or rename
 *
 * FAULT_CALL=malloc|large|write|fsync|rename (large: an allocation of a page at least) FAULT_NUMBER=n (from 1 on; 0:
 * none); FAULT_COUNT=FILE gets how many there were, at the end. What the program starts (gnuplot) is left alone, and so
 * is what UDUNITS-2 allocates, which takes NULL for a unit.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

extern void *__libc_malloc (size_t size);
extern void *__libc_calloc (size_t n, size_t size);
extern void *__libc_realloc (void *block, size_t size);
extern void *__libc_memalign (size_t alignment, size_t size);

enum
{
  MALLOC,
  LARGE,
  WRITE,
  FSYNC,
  RENAME,
  N_CALLS,
};

#define PAGE 4096

static const char *const names[N_CALLS] = { "malloc", "large", "write", "fsync", "rename" };
static int kind = -1;
static long number;
static atomic_long count;
static char report[4096];
static _Thread_local int alone;

__attribute__ ((constructor)) static void
begin (void)
{
  const char *call = getenv ("FAULT_CALL"), *text = getenv ("FAULT_NUMBER");
  const char *file = getenv ("FAULT_COUNT");

  number = text == NULL ? 0 : atol (text);
  snprintf (report, sizeof report, "%s", file == NULL ? "" : file);
  unsetenv ("LD_PRELOAD");
  unsetenv ("FAULT_COUNT");
  for (int i = 0; call != NULL && i < N_CALLS; i++)
    if (strcmp (call, names[i]) == 0)
      kind = i;
}

__attribute__ ((destructor)) static void
end (void)
{
  char text[32];
  int file;

  if (report[0] == '\0')
    return;
  kind = -1;
  file = open (report, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || write (file, text, (size_t) snprintf (text, sizeof text, "%ld\n", count)) < 0)
    _exit (99);
  close (file);
}

/* Whether this call is to fail, and why. */
static int
fails (int which, int reason)
{
  if (kind != which || atomic_fetch_add (&count, 1) + 1 != number)
    return 0;
  errno = reason;
  return 1;
}

static int
fails_to_allocate (size_t size)
{
  return alone == 0 && (fails (MALLOC, ENOMEM) || (size >= PAGE && fails (LARGE, ENOMEM)));
}

void *
malloc (size_t size)
{
  return fails_to_allocate (size) ? NULL : __libc_malloc (size);
}

void *
calloc (size_t n, size_t size)
{
  return fails_to_allocate (n * size) ? NULL : __libc_calloc (n, size);
}

void *
realloc (void *block, size_t size)
{
  return fails_to_allocate (size) ? NULL : __libc_realloc (block, size);
}

int
posix_memalign (void **block, size_t alignment, size_t size)
{
  if (fails_to_allocate (size))
    return ENOMEM;
  *block = __libc_memalign (alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

void *
aligned_alloc (size_t alignment, size_t size)
{
  return fails_to_allocate (size) ? NULL : __libc_memalign (alignment, size);
}

void *
memalign (size_t alignment, size_t size)
{
  return fails_to_allocate (size) ? NULL : __libc_memalign (alignment, size);
}

/* What stands behind ours. */
static void *
next (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

/* What is said of a fault is none of the results; nor is what threads wake each other by, an eventfd, which has no type of
 * file: there a write can't fail, and GLib sleeps for ever if one does. */
static int
is_result (int file)
{
  struct stat status;

  return file != STDERR_FILENO && (fstat (file, &status) != 0 || (status.st_mode & S_IFMT) != 0);
}

ssize_t
write (int file, const void *bytes, size_t n)
{
  static ssize_t (*real) (int, const void *, size_t);

  if (real == NULL)
    *(void **) &real = next ("write");
  return is_result (file) && fails (WRITE, ENOSPC) ? -1 : real (file, bytes, n);
}

ssize_t
pwrite (int file, const void *bytes, size_t n, off_t place)
{
  static ssize_t (*real) (int, const void *, size_t, off_t);

  if (real == NULL)
    *(void **) &real = next ("pwrite");
  return fails (WRITE, ENOSPC) ? -1 : real (file, bytes, n, place);
}

ssize_t
pwrite64 (int file, const void *bytes, size_t n, off64_t place)
{
  return pwrite (file, bytes, n, place);
}

int
fsync (int file)
{
  static int (*real) (int);

  if (real == NULL)
    *(void **) &real = next ("fsync");
  return fails (FSYNC, EIO) ? -1 : real (file);
}

int
rename (const char *from, const char *to)
{
  static int (*real) (const char *, const char *);

  if (real == NULL)
    *(void **) &real = next ("rename");
  return fails (RENAME, EIO) ? -1 : real (from, to);
}

/* UDUNITS-2 */

#define ALONE(type, name, parameters, arguments)                                                   \
  type name parameters;                                                                            \
  type name parameters                                                                             \
  {                                                                                                \
    static type (*real) parameters;                                                                \
    type result;                                                                                   \
                                                                                                   \
    alone++;                                                                                       \
    if (real == NULL)                                                                              \
      *(void **) &real = next (#name);                                                             \
    result = real arguments;                                                                       \
    alone--;                                                                                       \
    return result;                                                                                 \
  }

ALONE (void *, ut_read_xml, (const char *path), (path))
ALONE (void *, ut_parse, (const void *system, const char *text, int encoding),
       (system, text, encoding))
ALONE (int, ut_compare, (const void *one, const void *other), (one, other))
ALONE (void *, ut_divide, (const void *one, const void *other), (one, other))
ALONE (int, ut_map_name_to_unit, (const char *text, int encoding, const void *unit),
       (text, encoding, unit))
ALONE (void *, ut_get_converter, (void *from, void *to), (from, to))
ALONE (void *, ut_get_dimensionless_unit_one, (const void *system), (system))
