/* course-checks.h: checks of a course's rows before an analysis
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"

/* Least number of rows for a spectrum. */
#define IFBAM_LEAST_ROWS 8

/* Sets IFBAM_ERROR_COURSE with the message; returns FALSE. */
gboolean ifbam_rows_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* FALSE with an error if n is less than `least`; purpose: "for a spectrum". */
gboolean ifbam_rows_are_enough (gsize n, gsize least, const char *purpose, GError **error);

/* Computes the step [s] of at least two equidistant times (n). */
gboolean ifbam_rows_step (const double *times, gsize n, double *step, GError **error);

/* Computes the largest absolute value of values (n), which must be finite, and have finite sums. */
gboolean ifbam_rows_largest (const double *values, gsize n, double *largest, GError **error);

/* Returns the equidistant rows of a course (transfer full), without the two rows before and after
 * an event. If the file's times differ from equidistant ones by rounding to *unit [s] only, they
 * are replaced (*unit 0: they are not). NULL: there are none. */
IfbamCourse *ifbam_course_even (IfbamCourse *course, double *unit);

void ifbam_rows_remove_mean (double *values, gsize n);
