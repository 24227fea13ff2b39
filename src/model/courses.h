/* courses.h: the measured courses of a model, and the steps that resolve them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

typedef struct
{
  const IfbamElement *element;
  const IfbamInterpolant *course;
} IfbamNamedCourse;

/* Returns courses of sources, given nodes, links (IfbamNamedCourse, each once; transfer full). */
GArray *ifbam_model_list_courses (const IfbamModel *model);

/* Returns the longest of step, step/2, step/4, … [s] that resolves a course to a duration [s]. */
double ifbam_course_resolving_step (const IfbamInterpolant *course, double step, double duration);

/* Adds an issue for each course that refuses times outside it, and does not reach from 0 to a
 * duration [s] within a tolerance [s]. */
void ifbam_model_check_courses (const IfbamModel *model, double duration, double tolerance,
                                GArray *issues);

/* Returns TRUE if an element has the course, and the form of it, that a law of the model has. */
gboolean ifbam_course_is_unchanged (const IfbamElement *element, const void *law);

/* Returns TRUE if a step [s] resolves all courses. */
gboolean ifbam_model_resolves_courses (const IfbamModel *model, double step, double duration);

/* Returns the count of recurrent events per step [s]. */
double ifbam_model_time_events_per_step (const IfbamModel *model, double step);
