/* course-file.c: courses from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "file/ifbam-course-file.h"

#include <string.h>

#include "file/hdf5.h"
#include "file/result.h"

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
  return strcmp (path, "-") != 0 && ifbam_hdf5_is_file (path)
             ? ifbam_result_read_course (path, error)
             : ifbam_course_new_from_csv (path, error);
}
