/* wave.h: the nearest point of a sine-shaped line; freestanding C
 *
 *   Y(x) = a sin (2 pi x / wavelength)
 *
 * A line through a crest or a trough is an axis of symmetry, so the nearest point is between the
 * same crest and trough as the point itself. There the phase f of the nearest point obeys
 *   g(f) = f - f0 + (A sin f - n) A cos f = 0,   A = k |a|, n = k y, k = 2 pi / wavelength
 * where g' = 1 + A^2 cos 2f + A n sin f is a quadratic in sin f that is positive between its roots,
 * one on either side of 0: g increases between two points and decreases outside, so a distance has
 * one minimum, which Newton's method with bounds finds from any start.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "base/sine.h"

typedef struct
{
  double distance;  /* positive above the line [m] */
  double normal[2]; /* of the line at the nearest point, upward: d distance / d (x, y) */
  double curvature; /* of the parallel line through the point, positive if concave upward [1/m] */
} IfbamNearest;

static inline IfbamNearest
ifbam_wave_nearest (double amplitude, double wavelength, double x, double y)
{
  IfbamNearest nearest = { y, { 0.0, 1.0 }, 0.0 };
  const double steepness = IFBAM_TWO_PI / wavelength * fabs (amplitude);
  const double height = IFBAM_TWO_PI / wavelength * y;
  double turns = x / wavelength, forward = 1.0;
  double start, phase, low = -0.25 * IFBAM_TWO_PI, high = 0.25 * IFBAM_TWO_PI;
  double sine, cosine, slope, incline, root;

  if (amplitude == 0.0)
    return nearest;
  turns -= ifbam_nearest (turns);
  if (amplitude < 0.0)
    forward = -forward, turns = -turns;
  if (turns > 0.25)
    forward = -forward, turns = 0.5 - turns;
  else if (turns < -0.25)
    forward = -forward, turns = -0.5 - turns;
  start = phase = turns * IFBAM_TWO_PI;
  for (int i = 1;; i++)
    {
      double residue, step, next;

      ifbam_sine_cosine (phase / IFBAM_TWO_PI, &sine, &cosine);
      residue = phase - start + (steepness * sine - height) * (steepness * cosine);
      slope = 1.0 + steepness * (steepness * (cosine - sine) * (cosine + sine) + height * sine);
      if (slope > 0.0)
        {
          step = -residue / slope;
          if (residue > 0.0)
            high = phase;
          else
            low = phase;
          /* The distance is stationary here, and its gradient has full precision. */
          if (fabs (step) < 1e-8 || i == 100)
            {
              const double s = sine;

              phase += step;
              sine += step * (cosine - 0.5 * step * sine);
              cosine -= step * (s + 0.5 * step * cosine);
              break;
            }
          next = phase + step;
        }
      else
        {
          if (sine < 0.0)
            low = phase;
          else
            high = phase;
          next = low - 1.0;
        }
      /* An occasional bisection ensures convergence. */
      if (!(next > low && next < high) || i % 8 == 0)
        next = 0.5 * (low + high);
      if (!(next > low && next < high))
        break;
      phase = next;
    }
  incline = steepness * cosine;
  root = sqrt (1.0 + incline * incline);
  nearest.normal[0] = -forward * incline / root;
  nearest.normal[1] = 1.0 / root;
  nearest.distance =
      ((phase - start) * incline * (wavelength / IFBAM_TWO_PI) + (y - fabs (amplitude) * sine))
      / root;
  nearest.curvature =
      slope > 0.0 ? -steepness * sine * (IFBAM_TWO_PI / wavelength) / (root * slope) : 0.0;
  return nearest;
}

/* Returns the smallest radius of curvature, at crests and troughs [m]. */
static inline double
ifbam_wave_radius (double amplitude, double wavelength)
{
  const double k = IFBAM_TWO_PI / wavelength;

  return 1.0 / (fabs (amplitude) * k * k);
}
