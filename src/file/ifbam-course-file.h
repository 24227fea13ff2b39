/* ifbam-course-file.h: courses from files of any kind
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

IfbamCourse *ifbam_course_new_from_file (const char *path, GError **error);

#pragma GCC visibility pop
G_END_DECLS
