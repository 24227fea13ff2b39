/* course-file.c: courses from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "store/ifbam-course-file.h"

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

/**
 * ifbam_course_new_from_file:
 * @path: (type filename): a file; "-" is standard input
 * @error: return location for an error
 *
 * Reads courses from a result in HDF5, as `ifbam run -o FILE.h5` writes it (it may still grow), or else from a CSV
 * file, as ifbam_course_new_from_csv() does. The first bytes tell which of them it is. Of a result the units of
 * the signals are known, too.
 *
 * Returns: (transfer full): a new course, or %NULL with %IFBAM_ERROR_COURSE, which says file and reason
 */
IfbamCourse *
ifbam_course_new_from_file (const char *path, GError **error)
{
  return strcmp (path, "-") != 0 && is_hdf5 (path) ? ifbam_result_read_course (path, error)
                                                   : ifbam_course_new_from_csv (path, error);
}
