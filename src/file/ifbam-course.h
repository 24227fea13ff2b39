/* ifbam-course.h: results of a run: time series of signals
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <glib-object.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

#define IFBAM_TYPE_COURSE (ifbam_course_get_type ())
G_DECLARE_FINAL_TYPE (IfbamCourse, ifbam_course, IFBAM, COURSE, GObject)

IfbamCourse *ifbam_course_new (const char *const *signals);
IfbamCourse *ifbam_course_new_from_csv (const char *path, GError **error);

const char *const *ifbam_course_get_signals (IfbamCourse *course);
gsize ifbam_course_get_n_rows (IfbamCourse *course);
const double *ifbam_course_get_times (IfbamCourse *course, gsize *n_rows);
const double *ifbam_course_get_values (IfbamCourse *course, const char *signal, gsize *n_rows,
                                       GError **error);
GBytes *ifbam_course_get_bytes (IfbamCourse *course, const char *signal, GError **error);
const char *ifbam_course_get_unit (IfbamCourse *course, const char *signal);
void ifbam_course_append_row (IfbamCourse *course, double time, const double *values);
void ifbam_course_truncate (IfbamCourse *course, gsize n_rows);
gboolean ifbam_course_write_csv (IfbamCourse *course, const char *path, GError **error);

#pragma GCC visibility pop
G_END_DECLS
