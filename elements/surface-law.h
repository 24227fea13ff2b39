/* surface-law.h: ground with waves; freestanding C
 *
 *   y = height + amplitude sin (2 pi x / wavelength)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"

typedef struct
{
  double height;     /* [m] */
  double amplitude;  /* [m] */
  double wavelength; /* [m] */
} SurfaceLaw;

/* The node's coordinate is the height. */
static inline void
surface_motion (const SurfaceLaw *p, const IfbamInterpolant *course, double time, double *position,
                double *rate, double *acceleration)
{
  (void) course;
  (void) time;
  *position = p->height;
  *rate = 0.0;
  *acceleration = 0.0;
}

static inline int
surface_is_plain (const SurfaceLaw *p)
{
  (void) p;
  return 1;
}

static inline void
surface_plain (const SurfaceLaw *p, double time, double *position, double *rate,
               double *acceleration)
{
  surface_motion (p, 0, time, position, rate, acceleration);
}
