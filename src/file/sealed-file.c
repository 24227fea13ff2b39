/* sealed-file.c: files in HDF5 that are complete or absent, with a checksum
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/sealed-file.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "base/fail.h"
#include "file/output-file.h"

/* Head of the file, which HDF5 reserves for programs. It has a checksum of the rest, because the
 * library may crash on a damaged file. */
#define HEAD  512 /* bytes */
#define MAGIC "ifbam, in HDF5 from byte 512 on, whose SHA-256 is "
#define CHUNK (128 * 1024) /* bytes hashed at once */

/* Without times of day: equal contents are equal bytes. */
static gboolean
put_file (const char *beside, gboolean (*put) (hid_t file, gconstpointer data), gconstpointer data)
{
  AutoHid how = H5Pcreate (H5P_FILE_ACCESS), made = H5Pcreate (H5P_FILE_CREATE),
          file = H5I_INVALID_HID;

  if (how <= 0 || made <= 0 || H5Pset_libver_bounds (how, H5F_LIBVER_V110, H5F_LIBVER_V110) < 0
      || H5Pset_userblock (made, HEAD) < 0 || H5Pset_obj_track_times (made, FALSE) < 0)
    return FALSE;
  file = H5Fcreate (beside, H5F_ACC_TRUNC, made, how);
  if (file <= 0 || !put (file, data) || H5Fflush (file, H5F_SCOPE_GLOBAL) < 0)
    return FALSE;
  /* Closing also writes. */
  return H5Fclose (ifbam_hdf5_take (&file)) >= 0;
}

char *
ifbam_sum_rest (int fd)
{
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *bytes = g_malloc (CHUNK);
  gssize n;

  while ((n = read (fd, bytes, CHUNK)) > 0)
    g_checksum_update (sum, bytes, n);
  return n < 0 ? NULL : g_strdup (g_checksum_get_string (sum));
}

/* Returns the checksum of the bytes behind the head (transfer full); NULL with errno, 0: no
 * head. */
static char *
sum_file (int fd, char head[HEAD])
{
  errno = 0;
  return read (fd, head, HEAD) == HEAD ? ifbam_sum_rest (fd) : NULL;
}

/* Writes the head; FALSE with errno. */
static gboolean
put_head (int fd, const char head[HEAD])
{
  gsize done = 0;

  while (done < HEAD)
    {
      const gssize n = pwrite (fd, head + done, HEAD - done, (off_t) done);

      if (n <= 0 && errno != EINTR)
        return FALSE;
      done += (gsize) MAX (n, 0);
    }
  return TRUE;
}

static gboolean
put_sum (const char *beside)
{
  const int fd = g_open (beside, O_RDWR | O_CLOEXEC, 0);
  char head[HEAD];
  g_autofree char *sum = fd < 0 ? NULL : sum_file (fd, head);
  gboolean fine = sum != NULL;

  memset (head, 0, sizeof head);
  g_snprintf (head, sizeof head, "%s%s\n", MAGIC, sum != NULL ? sum : "");
  fine = fine && put_head (fd, head);
  return (fd < 0 || close (fd) == 0) && fine;
}

char *
ifbam_sealed_old_name (const char *path)
{
  return g_strconcat (path, ".before", NULL);
}

/* Gives the existing file a second name; its own is replaced atomically by the new file. */
static gboolean
keep_old_file (const char *path, GError **error)
{
  g_autofree char *before = ifbam_sealed_old_name (path);

  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return TRUE;
  if ((g_unlink (before) == 0 || errno == ENOENT) && link (path, before) == 0)
    return TRUE;
  return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: %s", before, g_strerror (errno));
}

/* After a crash between both names, they refer to the same file, which must not be overwritten. */
static void
separate_from_old_file (const char *path)
{
  g_autofree char *before = ifbam_sealed_old_name (path);

  if (ifbam_output_is_same (path, before))
    g_unlink (before);
}

gboolean
ifbam_sealed_write (const char *path, gboolean keeps_before,
                    gboolean (*put) (hid_t file, gconstpointer data), gconstpointer data,
                    GError **error)
{
  g_autoptr (IfbamOutput) output = NULL;

  ifbam_hdf5_disable_messages ();
  if (keeps_before)
    separate_from_old_file (path);
  output = ifbam_output_new (path, error);
  if (output == NULL)
    return FALSE;
  if (ifbam_output_beside (output) == NULL)
    return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: is no regular file (HDF5 needs one)", path);
  if (!put_file (ifbam_output_beside (output), put, data))
    return ifbam_hdf5_fail (path, "can't be written", IFBAM_ERROR_WRITE, error);
  if (!put_sum (ifbam_output_beside (output)))
    return ifbam_fail (error, IFBAM_ERROR_WRITE, "%s: %s", path, g_strerror (errno));
  return ifbam_output_close (output, error) && (!keeps_before || keep_old_file (path, error))
         && ifbam_output_finish (output, error);
}

static gboolean
check_sum (const char *path, const IfbamHdf5Kind *kind, GError **error)
{
  const int fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  char head[HEAD];
  /* Of another kind of file only the head is read: it may be endless. */
  const gssize n = fd < 0 ? -1 : pread (fd, head, HEAD, 0);
  const gboolean is_sealed = n == HEAD && strncmp (head, MAGIC, strlen (MAGIC)) == 0;
  g_autofree char *sum = is_sealed ? sum_file (fd, head) : NULL, *wanted = NULL;
  const int failure = n < 0 || is_sealed ? errno : 0;

  if (fd >= 0)
    close (fd);
  if (sum == NULL && failure != 0)
    return ifbam_hdf5_refuse (path, error, "%s", g_strerror (failure));
  if (sum == NULL)
    return ifbam_hdf5_refuse (path, error, "%s", kind->none);
  wanted = g_strconcat (sum, "\n", NULL);
  return strncmp (head + strlen (MAGIC), wanted, strlen (wanted)) == 0
         || ifbam_hdf5_refuse (path, error, "is damaged: its checksum is another one");
}

hid_t
ifbam_sealed_open (const char *path, const IfbamHdf5Kind *kind, gboolean sealed, GError **error)
{
  return sealed && !check_sum (path, kind, error) ? H5I_INVALID_HID
                                                  : ifbam_hdf5_open_kind (path, kind, error);
}
