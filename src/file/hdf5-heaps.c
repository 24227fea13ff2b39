/* hdf5-heaps.c: validity of the text heaps of a file in HDF5
 *
 * A heap is "GCOL", a version, its size, then objects: index, reference count, size, bytes; the
 * rest is free, an object with index 0 (HDF5 File Format Specification 3.0, III.E). This program
 * writes all heaps when it creates a file, before its samples.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/hdf5-heaps.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1024 * 1024) /* bytes; heaps are closer together than this */
#define HEAD  16            /* bytes of the head of a heap and of an object */

static const char signature[] = "GCOL\1";

static guint64
get_size (const guint8 *place)
{
  guint64 size;

  memcpy (&size, place + 8, sizeof size);
  return GUINT64_FROM_LE (size);
}

/* TRUE if objects with increasing indices fill a heap. */
static gboolean
is_whole (const guint8 *heap, gsize size)
{
  guint last = 0;

  for (gsize at = HEAD; at < size;)
    {
      const guint number = heap[at] + 256u * heap[at + 1];
      const gsize room = size - at;
      guint64 taken;

      /* A rest shorter than an object's head is free. */
      if (room < HEAD)
        return TRUE;
      taken = get_size (heap + at);
      if (number == 0)
        return taken == room;
      if (number <= last || taken > room - HEAD)
        return FALSE;
      last = number;
      at += HEAD + (gsize) (taken + 7) / 8 * 8;
    }
  return TRUE;
}

/* Reads the first n bytes of the file, as far as they exist. */
static void
read_on (int fd, GByteArray *bytes, gsize n)
{
  gssize got = 1;

  while (got > 0 && bytes->len < n)
    {
      const guint before = bytes->len;

      g_byte_array_set_size (bytes, before + BLOCK);
      got = pread (fd, bytes->data + before, BLOCK, before);
      g_byte_array_set_size (bytes, before + (guint) MAX (got, 0));
    }
}

/* Returns the position of the next heap; the end: none is near. */
static gsize
find_heap (const GByteArray *bytes, gsize from)
{
  for (; from + HEAD <= bytes->len; from++)
    {
      const guint8 *start = memchr (bytes->data + from, *signature, bytes->len - from);

      from = start == NULL ? bytes->len : (gsize) (start - bytes->data);
      if (from + HEAD <= bytes->len && memcmp (start, signature, strlen (signature)) == 0)
        return from;
    }
  return bytes->len;
}

static gboolean
heaps_are_complete (int fd)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  gsize place = 0;

  read_on (fd, bytes, BLOCK);
  while ((place = find_heap (bytes, place)) < bytes->len)
    {
      const guint64 size = get_size (bytes->data + place);

      if (size < 2 * HEAD || size > G_MAXINT32 - place)
        return FALSE;
      read_on (fd, bytes, place + size);
      if (place + size > bytes->len || !is_whole (bytes->data + place, size))
        return FALSE;
      place += size;
      read_on (fd, bytes, place + BLOCK);
    }
  return TRUE;
}

gboolean
ifbam_text_heaps_are_complete (const char *path)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  const gboolean whole = fd < 0 || heaps_are_complete (fd);

  if (fd >= 0)
    close (fd);
  return whole;
}
