/* interpolant.h: interpolation of a measured course; freestanding C
 *
 *   linear   straight lines between the points
 *   cubic    piecewise cubic Hermite interpolation; the slope at an inner point is that of the
 *            parabola through it and its neighbours, at the ends that of the first and last parabola
 *            (Catmull-Rom for uniform points; de Boor 1978, chapter IV, "piecewise cubic Bessel
 *            interpolation"). The error is of the third order, the rate is continuous.
 *   held     the value of the last point before
 *
 * Each piece is a polynomial, so that integrals are exact.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/interval.h"

enum
{
  IFBAM_COURSE_LINEAR,
  IFBAM_COURSE_CUBIC,
  IFBAM_COURSE_HELD,
};

/* Values before the first point and after the last one. */
enum
{
  IFBAM_COURSE_REFUSE, /* none are needed: as hold */
  IFBAM_COURSE_HOLD,   /* those of the first and last point */
  IFBAM_COURSE_ZERO,
  IFBAM_COURSE_REPEAT, /* periodic; at the last point the value of the first */
};

typedef struct
{
  unsigned long n;        /* points, at least 2 */
  const double *time;     /* increasing [s] (n) */
  const double *value;    /* (n) */
  const double *integral; /* of the course from time 0 to each point (n) */
  const double *twice;    /* integral of that from time 0 to each point (n) */
  int interpolation;      /* IFBAM_COURSE_LINEAR, ... */
  int outside;            /* IFBAM_COURSE_REFUSE, ... */
} IfbamInterpolant;

/* Numbers of a law that describe its course. */
typedef struct
{
  double interpolation, outside; /* as above */
  double shift;                  /* added to the times [s] */
} IfbamCourseForm;

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

/* A piece's polynomial, s after its first point: value + s (slope + s (second + s third)). */
typedef struct
{
  double value, slope, second, third;
} IfbamInterpolantPiece;

/* Returns the piece from point low to low + 1. */
IFBAM_INLINE_ONCE IfbamInterpolantPiece
ifbam_interpolant_piece (const IfbamInterpolant *course, unsigned long low)
{
  const double *t = course->time, *y = course->value;
  double width = t[low + 1] - t[low];
  double secant = (y[low + 1] - y[low]) / width;
  double slope0, slope1;
  IfbamInterpolantPiece piece = { y[low], 0.0, 0.0, 0.0 };

  if (course->interpolation == IFBAM_COURSE_LINEAR)
    piece.slope = secant;
  if (course->interpolation != IFBAM_COURSE_CUBIC)
    return piece;
  slope0 = ifbam_interpolant_slope (course, low);
  slope1 = ifbam_interpolant_slope (course, low + 1);
  piece.slope = slope0;
  piece.second = (3.0 * secant - 2.0 * slope0 - slope1) / width;
  piece.third = (slope0 + slope1 - 2.0 * secant) / (width * width);
  return piece;
}

/* Return the integral of a piece over s [s], and the integral of that. */
IFBAM_ALWAYS_INLINE double
ifbam_interpolant_area (const IfbamInterpolantPiece *c, double s)
{
  return s * (c->value + s * (c->slope / 2.0 + s * (c->second / 3.0 + s * (c->third / 4.0))));
}

IFBAM_ALWAYS_INLINE double
ifbam_interpolant_area_twice (const IfbamInterpolantPiece *c, double s)
{
  return s * s
         * (c->value / 2.0 + s * (c->slope / 6.0 + s * (c->second / 12.0 + s * (c->third / 20.0))));
}

/* A time on a course: s [s] after a point, and the polynomial there. */
typedef struct
{
  unsigned long low;
  double s, periods; /* periods: whole ones before it, of a periodic course */
  IfbamInterpolantPiece piece;
} IfbamInterpolantPlace;

IFBAM_INLINE_ONCE IfbamInterpolantPlace
ifbam_interpolant_place (const IfbamInterpolant *course, double time)
{
  const double *t = course->time, *y = course->value;
  const unsigned long last = course->n - 1;
  IfbamInterpolantPlace place = { 0, 0.0, 0.0, { 0.0, 0.0, 0.0, 0.0 } };
  int inside;

  if (course->outside == IFBAM_COURSE_REPEAT && (time < t[0] || time >= t[last]))
    {
      const double period = t[last] - t[0];

      place.periods = floor ((time - t[0]) / period);
      time -= place.periods * period;
      time = time < t[0] ? t[0] : time > t[last] ? t[last] : time;
    }
  inside = time >= t[0]
           && (course->interpolation == IFBAM_COURSE_HELD ? time < t[last] : time <= t[last]);
  place.low = time < t[0] ? 0 : inside ? ifbam_interval (t, course->n, time) : last;
  place.s = time - t[place.low];
  if (inside)
    place.piece = ifbam_interpolant_piece (course, place.low);
  else if (course->outside != IFBAM_COURSE_ZERO || place.s == 0.0)
    place.piece.value = y[place.low];
  return place;
}

/* Returns value, rate and second rate at a time. */
IFBAM_INLINE_ONCE void
ifbam_interpolant_at (const IfbamInterpolant *course, double time, double *value, double *rate,
                      double *second)
{
  const IfbamInterpolantPlace place = ifbam_interpolant_place (course, time);
  const IfbamInterpolantPiece c = place.piece;
  const double s = place.s;

  *value = c.value + s * (c.slope + s * (c.second + s * c.third));
  *rate = c.slope + s * (2.0 * c.second + s * (3.0 * c.third));
  *second = 2.0 * c.second + s * (6.0 * c.third);
}

/* Returns the integral from time 0 to a time. */
IFBAM_INLINE_ONCE double
ifbam_interpolant_integral (const IfbamInterpolant *course, double time)
{
  const IfbamInterpolantPlace place = ifbam_interpolant_place (course, time);
  const double *integral = course->integral;
  const double own = integral[place.low] + ifbam_interpolant_area (&place.piece, place.s);

  return place.periods == 0.0 ? own : own + place.periods * (integral[course->n - 1] - integral[0]);
}

/* Returns the integral, from time 0 to a time, of that integral. */
IFBAM_INLINE_ONCE double
ifbam_interpolant_integral_twice (const IfbamInterpolant *course, double time)
{
  const IfbamInterpolantPlace place = ifbam_interpolant_place (course, time);
  const double *t = course->time, *integral = course->integral, *twice = course->twice;
  const unsigned long last = course->n - 1;
  const double s = place.s, k = place.periods;
  const double area = integral[last] - integral[0];
  const double own =
      twice[place.low] + s * integral[place.low] + ifbam_interpolant_area_twice (&place.piece, s);

  if (k == 0.0)
    return own;
  /* The integral of the periods before, k area, acts over the time within this one. */
  return own + k * (twice[last] - twice[0])
         + k * area * ((t[last] - t[0]) * 0.5 * (k - 1.0) + (t[place.low] - t[0] + s));
}

/* Fills course->integral and course->twice at two arrays (n). */
IFBAM_INLINE_ONCE void
ifbam_interpolant_integrate (IfbamInterpolant *course, double *integral, double *twice)
{
  const double *t = course->time;
  double start, start_twice;

  course->integral = integral;
  course->twice = twice;
  integral[0] = twice[0] = 0.0;
  for (unsigned long i = 1; i < course->n; i++)
    {
      const double s = t[i] - t[i - 1];
      const IfbamInterpolantPiece piece = ifbam_interpolant_piece (course, i - 1);

      integral[i] = integral[i - 1] + ifbam_interpolant_area (&piece, s);
      twice[i] = twice[i - 1] + s * integral[i - 1] + ifbam_interpolant_area_twice (&piece, s);
    }
  start = ifbam_interpolant_integral (course, 0.0);
  start_twice = ifbam_interpolant_integral_twice (course, 0.0);
  for (unsigned long i = 0; i < course->n; i++)
    {
      twice[i] -= start_twice + start * t[i];
      integral[i] -= start;
    }
}
