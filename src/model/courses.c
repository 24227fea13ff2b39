/* courses.c: the measured courses of a model, and the steps that resolve them
 *
 * A step resolves a course if linear interpolation between steps loses at most the fraction
 * MAX_LOST: mean distance to the course's points, relative to the points' mean distance from their
 * mean.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "model/courses.h"

#include <math.h>
#include <string.h>

#define MAX_LOST 0.05

static void
add (GArray *courses, const IfbamElement *element, const IfbamInterpolant *course)
{
  const IfbamNamedCourse named = { element, course };

  for (guint i = 0; i < courses->len; i++)
    if (g_array_index (courses, IfbamNamedCourse, i).course == course)
      return;
  if (course != NULL)
    g_array_append_val (courses, named);
}

GArray *
ifbam_model_list_courses (const IfbamModel *model)
{
  GArray *courses = g_array_new (FALSE, FALSE, sizeof (IfbamNamedCourse));

  for (gsize i = 0; i < model->n_sources; i++)
    {
      const IfbamSource *source = model->sources->pdata[i];

      add (courses, source->element, source->course);
    }
  for (guint i = 0; i < model->node_spans->len; i++)
    {
      const IfbamSpan *span = &g_array_index (model->node_spans, IfbamSpan, i);

      if (span->letter == NULL && span->info->motion != NULL)
        add (courses, span->element, span->course);
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    {
      const IfbamInterpolant *course;

      if (link->info->course_parameter == 0)
        continue;
      memcpy (&course, (const double *) link->numbers + link->info->course_parameter - 1,
              sizeof course);
      add (courses, link->element, course);
    }
  return courses;
}

static double
value_at (const IfbamInterpolant *course, double time)
{
  double value, rate, second;

  ifbam_interpolant_at (course, time, &value, &rate, &second);
  return value;
}

/* Returns the fraction lost by a step among the course's points from `from` to before `until`. */
static double
lost_part (const IfbamInterpolant *course, gsize from, gsize until, double mean, double step)
{
  double row = -1, before = 0, after = 0, lost = 0, all = 0;

  for (gsize i = from; i < until; i++)
    {
      const double steps = floor (course->time[i] / step), part = course->time[i] / step - steps;

      if (steps != row)
        {
          before = value_at (course, steps * step);
          after = value_at (course, (steps + 1) * step);
          row = steps;
        }
      lost += fabs (course->value[i] - (before + part * (after - before)));
      all += fabs (course->value[i] - mean);
    }
  return all > 0 ? lost / all : 0;
}

double
ifbam_course_resolving_step (const IfbamInterpolant *course, double step, double duration)
{
  gsize from = 0, until = course->n;
  double shortest = INFINITY, mean = 0;

  while (from < until && course->time[from] < 0)
    from++;
  while (until > from && course->time[until - 1] > duration)
    until--;
  for (gsize i = from; i < until; i++)
    {
      mean += course->value[i] / (double) (until - from);
      shortest = i == from ? shortest : fmin (shortest, course->time[i] - course->time[i - 1]);
    }
  while (step > shortest && lost_part (course, from, until, mean, step) > MAX_LOST)
    step *= 0.5;
  return step;
}

void
ifbam_model_check_courses (const IfbamModel *model, double duration, double tolerance,
                           GArray *issues)
{
  g_autoptr (GArray) courses = ifbam_model_list_courses (model);

  for (guint i = 0; i < courses->len; i++)
    {
      const IfbamNamedCourse *named = &g_array_index (courses, IfbamNamedCourse, i);
      const IfbamInterpolant *course = named->course;
      const double first = course->time[0], last = course->time[course->n - 1];
      IfbamIssue issue = { .element = (IfbamElement *) named->element, .key = "course" };

      if (course->outside != IFBAM_COURSE_REFUSE
          || (first <= tolerance && last >= duration - tolerance))
        continue;
      issue.text = g_strdup_printf (
          "is from %.10g s to %.10g s, and the run from 0 s to %.10g s (want outside = hold, zero "
          "or repeat, a shift of its times, or another duration)",
          first, last, duration);
      g_array_append_val (issues, issue);
    }
}

gboolean
ifbam_course_is_unchanged (const IfbamElement *element, const void *law)
{
  const IfbamCourseForm *now =
                            ifbam_element_course_form (element->info, ifbam_element_law (element)),
                        *then = ifbam_element_course_form (element->info, law);

  return now == NULL || ifbam_element_slots (element)[IFBAM_SLOT_COURSE] == NULL
         || (now->interpolation == then->interpolation && now->outside == then->outside
             && now->shift == then->shift);
}

gboolean
ifbam_model_resolves_courses (const IfbamModel *model, double step, double duration)
{
  g_autoptr (GArray) courses = ifbam_model_list_courses (model);

  for (guint i = 0; i < courses->len; i++)
    if (ifbam_course_resolving_step (g_array_index (courses, IfbamNamedCourse, i).course, step,
                                     duration)
        < step)
      return FALSE;
  return TRUE;
}

double
ifbam_model_time_events_per_step (const IfbamModel *model, double step)
{
  double n = 0;

  for (guint i = 0; i < model->recurrent->len; i++)
    {
      const double period = g_array_index (model->recurrent, IfbamTimeEvent, i).period;

      n += period > 0 ? step / period : 1;
    }
  return n;
}
