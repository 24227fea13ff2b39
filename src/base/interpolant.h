/* interpolant.h: interpolation of a measured course; freestanding C
 *
 * Piecewise cubic Hermite interpolation; the slope at an inner point is that of the parabola
 * through it and its neighbours, at the ends that of the first and last parabola (Catmull-Rom for
 * uniform points; de Boor 1978, chapter IV, "piecewise cubic Bessel interpolation"). The error is
 * of the third order, the rate is continuous from the first to the last point inclusive. Before and
 * after them the value is constant, with rate 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interval.h"

typedef struct
{
  unsigned long n;        /* points, at least 2 */
  const double *time;     /* increasing [s] (n) */
  const double *value;    /* (n) */
  const double *integral; /* of the course from time 0 to each point (n); see below */
  /* For straight lines between the points: the integral from time 0, and its own (2 n); or NULL. */
  const double *line;
} IfbamInterpolant;

/* A course among the doubles of a law, for any size of a pointer. */
#define IFBAM_COURSE_OF_LAW(name)                                                                  \
  union                                                                                            \
  {                                                                                                \
    const IfbamInterpolant *name;                                                                  \
    double name##_place;                                                                           \
  }

IFBAM_INLINE_ONCE double
ifbam_interpolant_slope (const IfbamInterpolant *course, unsigned long i)
{
  const double *t = course->time, *y = course->value;
  unsigned long middle = i == 0 ? 1 : i == course->n - 1 ? i - 1 : i;
  double left, right, curvature;

  if (course->n == 2)
    return (y[1] - y[0]) / (t[1] - t[0]);
  left = (y[middle] - y[middle - 1]) / (t[middle] - t[middle - 1]);
  right = (y[middle + 1] - y[middle]) / (t[middle + 1] - t[middle]);
  curvature = (right - left) / (t[middle + 1] - t[middle - 1]);
  /* Newton's form of the parabola, differentiated at point i. */
  return left + curvature * ((t[i] - t[middle - 1]) + (t[i] - t[middle]));
}

/* The cubic from point low to low + 1, s after low: value + s (slope + s (second + s third)). */
typedef struct
{
  double value, slope, second, third;
} IfbamInterpolantCubic;

IFBAM_INLINE_ONCE IfbamInterpolantCubic
ifbam_interpolant_cubic (const IfbamInterpolant *course, unsigned long low)
{
  const double *t = course->time, *y = course->value;
  double width = t[low + 1] - t[low];
  double slope0 = ifbam_interpolant_slope (course, low);
  double slope1 = ifbam_interpolant_slope (course, low + 1);
  double secant = (y[low + 1] - y[low]) / width;
  IfbamInterpolantCubic cubic;

  cubic.value = y[low];
  cubic.slope = slope0;
  cubic.second = (3.0 * secant - 2.0 * slope0 - slope1) / width;
  cubic.third = (slope0 + slope1 - 2.0 * secant) / (width * width);
  return cubic;
}

/* Returns the last point at or before a time between the first and the last, at most n - 2. */
IFBAM_INLINE_ONCE unsigned long
ifbam_interpolant_before (const IfbamInterpolant *course, double time)
{
  return ifbam_interval (course->time, course->n, time);
}

/* Returns value, rate and second rate at a time. */
IFBAM_INLINE_ONCE void
ifbam_interpolant_at (const IfbamInterpolant *course, double time, double *value, double *rate,
                      double *second)
{
  const double *t = course->time, *y = course->value;
  unsigned long low;
  double s;
  IfbamInterpolantCubic c;

  *rate = *second = 0.0;
  if (time < t[0] || time > t[course->n - 1])
    {
      *value = time < t[0] ? y[0] : y[course->n - 1];
      return;
    }
  low = ifbam_interpolant_before (course, time);
  c = ifbam_interpolant_cubic (course, low);
  s = time - t[low];
  *value = c.value + s * (c.slope + s * (c.second + s * c.third));
  *rate = c.slope + s * (2.0 * c.second + s * (3.0 * c.third));
  *second = 2.0 * c.second + s * (6.0 * c.third);
}

/* Returns the integral of the cubic after a point, over a time s. */
IFBAM_INLINE_ONCE double
ifbam_interpolant_area (const IfbamInterpolant *course, unsigned long low, double s)
{
  IfbamInterpolantCubic c = ifbam_interpolant_cubic (course, low);

  return s * (c.value + s * (c.slope / 2.0 + s * (c.second / 3.0 + s * (c.third / 4.0))));
}

/* Returns the integral from time 0 to a time, with the constant values outside. */
IFBAM_INLINE_ONCE double
ifbam_interpolant_integral (const IfbamInterpolant *course, double time)
{
  const double *t = course->time;
  unsigned long last = course->n - 1, low;

  if (time < t[0])
    return course->integral[0] + course->value[0] * (time - t[0]);
  if (time > t[last])
    return course->integral[last] + course->value[last] * (time - t[last]);
  low = ifbam_interpolant_before (course, time);
  return course->integral[low] + ifbam_interpolant_area (course, low, time - t[low]);
}

/* Fills course->integral at `integral` (n). */
IFBAM_INLINE_ONCE void
ifbam_interpolant_integrate (IfbamInterpolant *course, double *integral)
{
  double start;

  course->integral = integral;
  integral[0] = 0.0;
  for (unsigned long i = 1; i < course->n; i++)
    integral[i] = integral[i - 1]
                  + ifbam_interpolant_area (course, i - 1, course->time[i] - course->time[i - 1]);
  start = ifbam_interpolant_integral (course, 0.0);
  for (unsigned long i = 0; i < course->n; i++)
    integral[i] -= start;
}

/* Returns for the straight lines between the points, 0 before the first and after the last: value,
 * its integral from time 0, and the integral of that, without an error of their own. */
IFBAM_INLINE_ONCE void
ifbam_interpolant_line_at (const IfbamInterpolant *course, double time, double *place,
                           double *speed, double *value)
{
  const double *t = course->time, *y = course->value;
  const unsigned long last = course->n - 1;
  const unsigned long low = time < t[0]      ? 0
                            : time > t[last] ? last
                                             : ifbam_interpolant_before (course, time);
  const int inside = low < last && time >= t[0];
  const double s = time - t[low];
  const double slope = inside ? (y[low + 1] - y[low]) / (t[low + 1] - t[low]) : 0.0;
  const double first = inside ? y[low] : 0.0;

  *value = first + s * slope;
  *speed = course->line[low] + s * (first + s * (slope / 2.0));
  *place = course->line[course->n + low]
           + s * (course->line[low] + s * (first / 2.0 + s * (slope / 6.0)));
}

/* Fills course->line at `line` (2 n). */
IFBAM_INLINE_ONCE void
ifbam_interpolant_join (IfbamInterpolant *course, double *line)
{
  const double *t = course->time, *y = course->value;
  double *speed = line, *place = line + course->n, at, rate, value;

  course->line = line;
  speed[0] = place[0] = 0.0;
  for (unsigned long i = 1; i < course->n; i++)
    {
      const double s = t[i] - t[i - 1];

      speed[i] = speed[i - 1] + s * (0.5 * (y[i - 1] + y[i]));
      place[i] = place[i - 1] + s * (speed[i - 1] + s * (y[i - 1] / 3.0 + y[i] / 6.0));
    }
  ifbam_interpolant_line_at (course, 0.0, &at, &rate, &value);
  for (unsigned long i = 0; i < course->n; i++)
    {
      place[i] -= at + rate * t[i];
      speed[i] -= rate;
    }
}
