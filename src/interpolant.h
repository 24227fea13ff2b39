/* interpolant.h: a measured course between its points; freestanding C
 *
 * Piecewise cubic Hermite interpolation; the slope at an inner point is that of the parabola
 * through it and its neighbours, at the ends that of the first and last parabola (Catmull-Rom for
 * uniform points; de Boor 1978, chapter IV, "piecewise cubic Bessel interpolation").
 * The error is of the third order, the rate is continuous from the first to the last point, both
 * included. Before and after them the course holds its value, at rest.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  unsigned long n;     /* points, at least 2 */
  const double *time;  /* increasing [s] (n) */
  const double *value; /* (n) */
} IfbamInterpolant;

static inline double
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

/* Value, rate and second rate at a time. */
static inline void
ifbam_interpolant_at (const IfbamInterpolant *course, double time, double *value, double *rate,
                      double *second)
{
  const double *t = course->time, *y = course->value;
  unsigned long low = 0, high = course->n - 1;
  double width, s, slope0, slope1, secant, c2, c3;

  *rate = *second = 0.0;
  if (time < t[0] || time > t[high])
    {
      *value = time < t[0] ? y[0] : y[high];
      return;
    }
  while (high - low > 1)
    {
      unsigned long middle = (low + high) / 2;

      if (t[middle] <= time)
        low = middle;
      else
        high = middle;
    }
  width = t[high] - t[low];
  s = time - t[low];
  slope0 = ifbam_interpolant_slope (course, low);
  slope1 = ifbam_interpolant_slope (course, high);
  secant = (y[high] - y[low]) / width;
  c2 = (3.0 * secant - 2.0 * slope0 - slope1) / width;
  c3 = (slope0 + slope1 - 2.0 * secant) / (width * width);
  *value = y[low] + s * (slope0 + s * (c2 + s * c3));
  *rate = slope0 + s * (2.0 * c2 + s * (3.0 * c3));
  *second = 2.0 * c2 + s * (6.0 * c3);
}
