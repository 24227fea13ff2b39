/* course-file.h: courses from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "system/course.h"

/* A result in HDF5, by its first bytes, or else CSV ("-": standard input). NULL with IFBAM_ERROR_COURSE. */
IfbamCourse *ifbam_course_new_from_any_file (const char *path, GError **error);
