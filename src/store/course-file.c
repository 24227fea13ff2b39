/* course-file.c: courses from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "store/course-file.h"

#include <fcntl.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/result.h"

/* Pipes are not asked: their first bytes are wanted by whoever reads them. */
static gboolean
is_hdf5 (const char *path)
{
  static const char signature[8] = "\211HDF\r\n\032\n";
  char bytes[sizeof signature];
  struct stat state;
  gboolean equal;
  int fd;

  if (stat (path, &state) != 0 || !S_ISREG (state.st_mode))
    return FALSE;
  fd = g_open (path, O_RDONLY | O_CLOEXEC, 0);
  equal = fd >= 0 && read (fd, bytes, sizeof bytes) == (gssize) sizeof bytes
          && memcmp (bytes, signature, sizeof bytes) == 0;
  if (fd >= 0)
    close (fd);
  return equal;
}

IfbamCourse *
ifbam_course_new_from_any_file (const char *path, GError **error)
{
  return strcmp (path, "-") != 0 && is_hdf5 (path) ? ifbam_result_read_course (path, error)
                                                   : ifbam_course_new_from_csv (path, error);
}
