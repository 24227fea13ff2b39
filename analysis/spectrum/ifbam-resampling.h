/* ifbam-resampling.h: courses at equidistant times
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

IfbamCourse *ifbam_course_resample (IfbamCourse *course, double interval, GError **error);

#pragma GCC visibility pop
G_END_DECLS
