/* course.h: units, patterns of names and files of courses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/column-units.h"
#include "file/ifbam-course.h"

/* Creates a course with units of the signals: static texts (as many). */
IfbamCourse *ifbam_course_new_with_units (const char *const *signals, const char *const *units);

/* Creates a course for recorded signals, without samples (transfer full). */
IfbamCourse *ifbam_signals_course (const IfbamSignals *signals);

/* Returns the signals of a course that texts name, as its own strings (transfer container;
 * NULL-terminated): names with or without units, patterns ("*.position"), ranges
 * ("c.m[1:9:2].position"), and comma-separated lists of these; NULL: all. NULL with
 * IFBAM_ERROR_COURSE if one matches nothing. */
const char **ifbam_course_find_signals (IfbamCourse *course, const char *const *texts,
                                        GError **error);
/* Returns the rows of a course from one time to another, ends included within a rounding [s]
 * (transfer full); NULL with IFBAM_ERROR_COURSE: there are none. */
IfbamCourse *ifbam_course_cut (IfbamCourse *course, double from, double to, GError **error);

/* Returns the name of a signal given with or without its unit, or by the number of its column from 2
 * on; NULL: there is none. */
const char *ifbam_course_find_signal (IfbamCourse *course, const char *name);

/* Renames a column and multiplies its values by `scale`; `name`: see ifbam_course_find_signal().
 * FALSE with IFBAM_ERROR_COURSE if it is missing, or if another column has the new name. */
gboolean ifbam_course_rename (IfbamCourse *course, const char *name, const char *to, double scale,
                              GError **error);

/* Precision of the times in a file. */
typedef struct
{
  double second;             /* the file's unit of time [s] */
  int decimals, significant; /* largest of any time; significant 0: times were computed */
} IfbamTimeDigits;

/* Stores the precision of the times, for ifbam_course_get_time_unit(). */
void ifbam_course_set_time_digits (IfbamCourse *course, const IfbamTimeDigits *digits);
/* Returns the unit [s] of a time's last digit in the course's file, from the most decimals of any
 * time, or from the most significant digits if that is larger; 0: the times were computed. */
double ifbam_course_get_time_unit (IfbamCourse *course, double time);

/* Stores the dialect of a course's CSV file, in words (transfer full); NULL: the plain one. */
void ifbam_course_set_dialect (IfbamCourse *course, char *dialect);
const char *ifbam_course_get_dialect (IfbamCourse *course);

/* Returns the names of a CSV file as a course without samples. */
IfbamCourse *ifbam_course_new_from_header (const char *path, GError **error);

/* Multiplies values by a unit's factor to SI; 1/1000 becomes a division, rounded once. */
void ifbam_course_scale (double *values, gsize n, double scale);
