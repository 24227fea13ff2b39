/* course-checks.h: what every analysis asks of a course's rows
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "file/ifbam-course.h"

/* Fewer make no spectrum. */
#define IFBAM_LEAST_ROWS 8

/* FALSE with IFBAM_ERROR_COURSE and the message. */
gboolean ifbam_rows_refuse (GError **error, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* FALSE with an error where n rows are fewer than `least`; purpose: "for a spectrum". */
gboolean ifbam_rows_are_enough (gsize n, gsize least, const char *purpose, GError **error);

/* The step [s] of at least two evenly spaced times [n]. */
gboolean ifbam_rows_step (const double *times, gsize n, double *step, GError **error);

/* The largest absolute value of values [n], all of which must be finite, their sums too. */
gboolean ifbam_rows_largest (const double *values, gsize n, double *largest, GError **error);

/* Returns the evenly spaced rows of a course (transfer full): without the two rows before and after an event, and at even
 * times where those of the file differ from them by rounding only, to *unit [s] (0: they do not). NULL: there are none. */
IfbamCourse *ifbam_course_even (IfbamCourse *course, double *unit);

void ifbam_rows_remove_mean (double *values, gsize n);
