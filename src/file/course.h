/* course.h: units, patterns of names and files of courses
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/engine.h"
#include "file/ifbam-course.h"

/* A course whose signals have these units: static texts (as many). */
IfbamCourse *ifbam_course_new_with_units (const char *const *signals, const char *const *units);

/* A course of recorded signals, without rows (transfer full). */
IfbamCourse *ifbam_signals_course (const IfbamSignals *signals);

/* The signals of a course that texts name, its own strings (transfer container; NULL-terminated): names, with
 * or without their unit, patterns ("*.position"), ranges ("c.m[1:9:2].position"), and lists of these with commas;
 * NULL: all. NULL with IFBAM_ERROR_COURSE where one of them fits nothing. */
const char **ifbam_course_find_signals (IfbamCourse *course, const char *const *texts,
                                        GError **error);
/* The name of the one signal that is meant: as it stands there, or without its unit; NULL: there is none. */
const char *ifbam_course_find_signal (IfbamCourse *course, const char *name);

/* Gives a column another name, and multiplies its values by `scale`; `name` is as for ifbam_course_find_signal(). FALSE with
 * IFBAM_ERROR_COURSE where it is missing, or another column has the new name. */
gboolean ifbam_course_rename (IfbamCourse *course, const char *name, const char *to, double scale,
                              GError **error);

/* The digits of the times in a file. */
typedef struct
{
  double second;             /* of the file's unit of time */
  int decimals, significant; /* the most of any time; significant 0: the times were computed */
} IfbamTimeDigits;

/* Stores how the times were written, for ifbam_course_get_time_unit(). */
void ifbam_course_set_time_digits (IfbamCourse *course, const IfbamTimeDigits *digits);
/* The unit [s] of the last digit with which a time is written in the course's file: that of the most decimals of
 * any time, or of the most significant digits where that is larger; 0: the times were computed. */
double ifbam_course_get_time_unit (IfbamCourse *course, double time);

/* The names of a CSV file as a course without rows. */
IfbamCourse *ifbam_course_new_from_header (const char *path, GError **error);

/* A column's name without its unit (transfer full): of "floor [mm]" it is "floor", and *unit "mm" (transfer
 * full); of "c.m[3]" there is none, *unit is NULL. */
char *ifbam_course_split_name (const char *name, char **unit);
/* Multiplies values by a unit's factor to SI; 1/1000 is rounded once. */
void ifbam_course_scale (double *values, gsize n, double scale);
