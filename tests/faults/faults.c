/* faults.c: a preload that lets one call of the system fail: the nth allocation, write, fsync, rename, ...
 *
 * FAULT_CALL=malloc|large|write|fsync|rename|link|truncate|open|read|mode|close (large: an allocation of a page at
 * least; open: to write; read: at a place; mode: rights; close: of written files) FAULT_NUMBER=n (from 1 on; 0: none);
 * FAULT_COUNT=FILE gets how many there were, at the end. FAULT_HOW=short: a write takes half of its bytes, and is well;
 * full: it takes half, and from there on no file grows; kill: the program ends there, in the midst of a write; interrupt:
 * nothing fails, SIGINT as by Ctrl-C. Started programs (gnuplot) are unaffected.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
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
  LINK,
  TRUNCATE,
  OPEN,
  READ,
  MODE,
  CLOSE,
  N_CALLS,
};

enum
{
  FAIL,
  SHORT,
  FULL,
  KILL,
  INTERRUPT,
};

#define PAGE 4096

static const char *const names[N_CALLS] = { "malloc",   "large", "write", "fsync", "rename", "link",
                                            "truncate", "open",  "read",  "mode",  "close" };
static int kind = -1, how = FAIL;
static long number;
static atomic_long count;
static char report[4096];

__attribute__ ((constructor)) static void
begin (void)
{
  const char *call = getenv ("FAULT_CALL"), *text = getenv ("FAULT_NUMBER");
  const char *file = getenv ("FAULT_COUNT"), *manner = getenv ("FAULT_HOW");

  number = text == NULL ? 0 : atol (text);
  snprintf (report, sizeof report, "%s", file == NULL ? "" : file);
  unsetenv ("LD_PRELOAD");
  unsetenv ("FAULT_COUNT");
  for (int i = 0; call != NULL && i < N_CALLS; i++)
    if (strcmp (call, names[i]) == 0)
      kind = i;
  if (manner != NULL)
    how = strcmp (manner, "short") == 0       ? SHORT
          : strcmp (manner, "full") == 0      ? FULL
          : strcmp (manner, "kill") == 0      ? KILL
          : strcmp (manner, "interrupt") == 0 ? INTERRUPT
                                              : FAIL;
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

/* Whether it is this call's turn. */
static int
is_due (int which)
{
  return kind == which && atomic_fetch_add (&count, 1) + 1 == number;
}

/* Whether this call is to fail, and why. */
static int
fails (int which, int reason)
{
  if (!is_due (which))
    return 0;
  if (how == KILL)
    raise (SIGKILL);
  if (how == INTERRUPT)
    {
      raise (SIGINT);
      return 0;
    }
  errno = reason;
  return 1;
}

static int
fails_to_allocate (size_t size)
{
  return fails (MALLOC, ENOMEM) || (size >= PAGE && fails (LARGE, ENOMEM));
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

/* The functions that these replace. */
static void *
next (const char *name)
{
  return dlsym (RTLD_NEXT, name);
}

/* Messages of a fault are no results; nor is an eventfd, by which threads wake each other, without a type of
 * file: there a write can't fail, and GLib sleeps for ever if one does. */
static int
is_result (int file)
{
  struct stat status;

  return file != STDERR_FILENO && (fstat (file, &status) != 0 || (status.st_mode & S_IFMT) != 0);
}

/* Returns how many of a write's bytes are written; -1 with errno: it fails. place: in the file (-1: the present one). A full
 * disk has room for its present data; a killed process has written whole pages, as the kernel takes them. */
static ssize_t
room_for (int file, size_t n, off_t place, int *dies)
{
  const int due = is_due (WRITE);
  const off_t from = place < 0 ? lseek (file, 0, SEEK_CUR) : place;
  struct stat status;

  *dies = due && how == KILL;
  if (*dies)
    return from < 0                                  ? 0
           : (from + (off_t) n) / PAGE * PAGE > from ? (from + (off_t) n) / PAGE * PAGE - from
                                                     : 0;
  if (how == FULL && kind == WRITE && number > 0 && count >= number && fstat (file, &status) == 0
      && from + (off_t) n > status.st_size)
    {
      if (due && n > 1)
        return (ssize_t) n / 2;
      errno = ENOSPC;
      return -1;
    }
  if (due && how == FAIL)
    {
      errno = ENOSPC;
      return -1;
    }
  return (ssize_t) (due && how == SHORT ? (n + 1) / 2 : n);
}

ssize_t
write (int file, const void *bytes, size_t n)
{
  static ssize_t (*real) (int, const void *, size_t);
  int dies = 0;
  const ssize_t room = is_result (file) ? room_for (file, n, -1, &dies) : (ssize_t) n;
  ssize_t taken;

  if (real == NULL)
    *(void **) &real = next ("write");
  taken = room < 0 ? -1 : real (file, bytes, (size_t) room);
  if (dies)
    raise (SIGKILL);
  return taken;
}

ssize_t
pwrite (int file, const void *bytes, size_t n, off_t place)
{
  static ssize_t (*real) (int, const void *, size_t, off_t);
  int dies = 0;
  const ssize_t room = room_for (file, n, place, &dies);
  ssize_t taken;

  if (real == NULL)
    *(void **) &real = next ("pwrite");
  taken = room < 0 ? -1 : real (file, bytes, (size_t) room, place);
  if (dies)
    raise (SIGKILL);
  return taken;
}

ssize_t
pwrite64 (int file, const void *bytes, size_t n, off64_t place)
{
  return pwrite (file, bytes, n, place);
}

/* Of regular files that are written: all else is no result. */
static int
is_written (int file)
{
  struct stat status;
  const int flags = fcntl (file, F_GETFL);

  return file > STDERR_FILENO && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY
         && fstat (file, &status) == 0 && S_ISREG (status.st_mode);
}

/* Such a file is closed, but its data may be lost. */
int
close (int file)
{
  static int (*real) (int);
  const int written = kind == CLOSE && is_written (file);
  int result;

  if (real == NULL)
    *(void **) &real = next ("close");
  result = real (file);
  return written && fails (CLOSE, EIO) ? -1 : result;
}

int
fchmod (int file, mode_t mode)
{
  static int (*real) (int, mode_t);

  if (real == NULL)
    *(void **) &real = next ("fchmod");
  return fails (MODE, EPERM) ? -1 : real (file, mode);
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

int
link (const char *from, const char *to)
{
  static int (*real) (const char *, const char *);

  if (real == NULL)
    *(void **) &real = next ("link");
  return fails (LINK, EPERM) ? -1 : real (from, to);
}

int
ftruncate (int file, off_t size)
{
  static int (*real) (int, off_t);

  if (real == NULL)
    *(void **) &real = next ("ftruncate");
  return fails (TRUNCATE, EIO) ? -1 : real (file, size);
}

int
ftruncate64 (int file, off64_t size)
{
  return ftruncate (file, size);
}

/* To write: files that are read may be the machine's own. */
int
open (const char *path, int flags, ...)
{
  static int (*real) (const char *, int, ...);
  va_list arguments;
  mode_t mode;

  va_start (arguments, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (arguments, mode_t) : 0;
  va_end (arguments);
  if (real == NULL)
    *(void **) &real = next ("open");
  if ((flags & O_ACCMODE) != O_RDONLY && kind == OPEN && fails (OPEN, EMFILE))
    return -1;
  return real (path, flags, mode);
}

int
open64 (const char *path, int flags, ...)
{
  va_list arguments;
  mode_t mode;

  va_start (arguments, flags);
  mode = (flags & (O_CREAT | O_TMPFILE)) != 0 ? va_arg (arguments, mode_t) : 0;
  va_end (arguments);
  return open (path, flags, mode);
}

ssize_t
pread (int file, void *bytes, size_t n, off_t place)
{
  static ssize_t (*real) (int, void *, size_t, off_t);

  if (real == NULL)
    *(void **) &real = next ("pread");
  return fails (READ, EIO) ? -1 : real (file, bytes, n, place);
}

ssize_t
pread64 (int file, void *bytes, size_t n, off64_t place)
{
  return pread (file, bytes, n, place);
}
