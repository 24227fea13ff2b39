/* ground-law.h: fixed position; freestanding C
 *
 *   x(t) = position
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"

typedef struct
{
  double position; /* [m], or angle [rad] */
} GroundLaw;

static inline void
ground_motion (const GroundLaw *p, const IfbamInterpolant *course, double time, double *position,
               double *rate, double *acceleration)
{
  (void) course;
  (void) time;
  *position = p->position;
  *rate = 0.0;
  *acceleration = 0.0;
}

static inline int
ground_is_plain (const GroundLaw *p)
{
  (void) p;
  return 1;
}

static inline void
ground_plain (const GroundLaw *p, double time, double *position, double *rate, double *acceleration)
{
  ground_motion (p, 0, time, position, rate, acceleration);
}
