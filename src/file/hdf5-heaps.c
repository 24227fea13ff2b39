/* hdf5-heaps.c: whether the library can read the texts of a file in HDF5
 *
 * A heap is "GCOL", a version, its size, then objects: a number, how often it is meant, its size, its bytes; what is left is
 * free, an object numbered 0 (HDF5 File Format Specification 3.0, III.E). We write all of them when a file is made, before
 * its rows.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/hdf5-heaps.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#define BLOCK (1024 * 1024) /* bytes; so many without a heap are no heap's neighbours */
#define HEAD  16            /* bytes, of a heap and of an object */

static const char signature[] = "GCOL\1";

static guint64
get_size (const guint8 *place)
{
  guint64 size;

  memcpy (&size, place + 8, sizeof size);
  return GUINT64_FROM_LE (size);
}

/* Objects fill a heap, with numbers that rise. */
static gboolean
is_whole (const guint8 *heap, gsize size)
{
  guint last = 0;

  for (gsize at = HEAD; at < size;)
    {
      const guint number = heap[at] + 256u * heap[at + 1];
      const gsize room = size - at;
      guint64 taken;

      /* Too little for an object's head is free, too. */
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

/* The file's beginning, so long at least where it is. */
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

/* Where the next heap begins; the end: there is none near. */
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
are_whole (int fd)
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
ifbam_text_heaps_are_whole (const char *path)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  const gboolean whole = fd < 0 || are_whole (fd);

  if (fd >= 0)
    close (fd);
  return whole;
}
