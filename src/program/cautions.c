/* cautions.c: warnings about courses, samples and scheduled events that do not fit the steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/cautions.h"

#include <math.h>

#include "base/number-text.h"
#include "model/model.h"

/* More scheduled events than this in a step need more time than the step. */
#define MANY_TIME_EVENTS 1000
/* Number of courses that are named. */
#define MAX_COURSES 5

static void
add_course (GPtrArray *texts, const IfbamNamedCourse *named, const IfbamRunSpec *spec,
            double duration)
{
  const IfbamInterpolant *course = named->course;
  const double first = course->time[0], last = course->time[course->n - 1];
  double step;

  if (course->outside != IFBAM_COURSE_REPEAT && (last <= 0 || first >= duration))
    {
      g_ptr_array_add (
          texts, g_strdup_printf (
                     "the course of \"%s\" is from %.10g s to %.10g s, and the run from 0 s to "
                     "%.10g s: the course is %s all the time",
                     named->element->name, first, last, duration,
                     course->outside == IFBAM_COURSE_ZERO ? "0"
                     : last <= 0                          ? "at its last value"
                                                          : "at its first value"));
      return;
    }
  if (spec->tolerance > 0)
    return;
  step = ifbam_course_resolving_step (course, spec->step, duration);
  if (step < spec->step)
    g_ptr_array_add (
        texts, g_strdup_printf (
                   "the step of %s s is too long for the course of \"%s\" between its ends. A "
                   "step of %s s would do",
                   IFBAM_NUMBER (spec->step), named->element->name, IFBAM_NUMBER (step)));
}

/* Returns the longest sampling interval [s], in whole steps, that shows a mode [1/s]. */
static double
interval_for (const IfbamRunSpec *spec, double omega)
{
  return fmax (1, ceil (G_PI / (omega * spec->step)) - 1) * spec->step;
}

static char *
rows_text (const IfbamRunSpec *spec, double omega, const char *consequence)
{
  const double interval = (double) spec->stride * spec->step;

  return g_strdup_printf (
      "a mode of %.4g Hz lies above half of %.4g rows a second: %s (want sample = %.4g s or less)",
      omega / (2 * G_PI), 1 / interval, consequence, interval_for (spec, omega));
}

/* TRUE if a mode is too fast for the sampling interval. */
static gboolean
is_hidden (const IfbamRunSpec *spec, double omega)
{
  return spec->stride > 1 && omega * (double) spec->stride * spec->step > G_PI;
}

/* TRUE if a velocity on which only a damper acts may change its sign at each step: the scheme of
 * the mean force multiplies it by (1 - r / 2) / (1 + r / 2), r = decay rate times step (Hairer &
 * Wanner 1996, IV.3). Dampers of links with modes are included in each reachable mode. */
static gboolean
oscillates_each_step (const IfbamRunSpec *spec, const IfbamStability *stability)
{
  double fastest = stability->has_damping ? stability->damping : 0;

  for (guint i = 0; i < stability->active_modes->len; i++)
    {
      const IfbamActiveMode *one = &g_array_index (stability->active_modes, IfbamActiveMode, i);

      if (one->persists || one->from_start)
        fastest = fmax (fastest, one->damping);
    }
  return spec->scheme->implicit != NULL && spec->scheme->mean && fastest * spec->step > 2;
}

GPtrArray *
ifbam_cautions_list (const IfbamModel *model, const IfbamRunSpec *spec,
                     const IfbamStability *stability)
{
  const double duration = (double) spec->last_step * spec->step;
  const double time_events = ifbam_model_time_events_per_step (model, spec->step);
  GPtrArray *texts = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GArray) courses = ifbam_model_list_courses (model);

  for (guint i = 0; i < courses->len && texts->len < MAX_COURSES; i++)
    add_course (texts, &g_array_index (courses, IfbamNamedCourse, i), spec, duration);
  if (time_events > MANY_TIME_EVENTS)
    g_ptr_array_add (
        texts,
        g_strdup_printf (
            "a step has %.3g instants at which sources, drives or controllers change: the run "
            "stops at each of them, %.3g in all",
            time_events, time_events * (double) spec->last_step));
  if (stability != NULL && oscillates_each_step (spec, stability))
    g_ptr_array_add (texts, g_strdup_printf ("\"%s\" does not damp a decay that is faster than the "
                                             "step: the course jumps to and fro at each step "
                                             "(tr-bdf2, esdirk4 and implicit-euler damp it)",
                                             spec->scheme->name));
  return texts;
}

char *
ifbam_cautions_rows_text (const IfbamRunSpec *spec, const IfbamStability *stability)
{
  return stability != NULL && stability->slowest > 0 && is_hidden (spec, stability->slowest)
             ? rows_text (spec, stability->slowest, "the rows show no mode as it swings")
             : NULL;
}

char *
ifbam_cautions_alias_text (const IfbamModel *model, const IfbamRunSpec *spec)
{
  g_autoptr (IfbamStability) stability = ifbam_stability_new (model, spec, TRUE, NULL);
  const double omega =
      stability == NULL || !(stability->fastest > 0)
          ? 0
          : fabs (
              cimag (ifbam_stability_mode (stability, nextafter (stability->fastest, INFINITY))));

  return is_hidden (spec, omega)
             ? rows_text (spec, omega, "the spectrum shows this mode at a lower frequency")
             : NULL;
}
