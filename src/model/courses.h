/* courses.h: the measured courses of a model, and the steps that resolve them
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "model/compiled-model.h"

typedef struct
{
  const char *name; /* of the element (not owned) */
  const IfbamInterpolant *course;
} IfbamNamedCourse;

/* Returns courses of sources, given nodes, links (IfbamNamedCourse, each once; transfer full). */
GArray *ifbam_model_list_courses (const IfbamModel *model);

/* Returns the longest of step, step/2, step/4, … [s] that resolves a course to a duration [s]. */
double ifbam_course_resolving_step (const IfbamInterpolant *course, double step, double duration);

/* Returns TRUE if a step [s] resolves all courses. */
gboolean ifbam_model_resolves_courses (const IfbamModel *model, double step, double duration);

/* Returns the count of recurrent events per step [s]. */
double ifbam_model_time_events_per_step (const IfbamModel *model, double step);
