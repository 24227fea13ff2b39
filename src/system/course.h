/* course.h: what a course of a network knows beyond its names
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "system/ifbam-course.h"

/* A course whose signals have these units: static texts (as many). */
IfbamCourse *ifbam_course_new_with_units (const char *const *signals, const char *const *units);
