/* drive-law.h: a prescribed motion; freestanding C
 *
 *   x(t) = position + velocity t + amplitude sin (2 pi frequency t + phase)
 *   or a measured course x(t)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/sine.h"

typedef struct
{
  double position;  /* [m] */
  double velocity;  /* [m/s] */
  double amplitude; /* [m] */
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
} DriveLaw;

static inline void
drive_motion (const DriveLaw *p, const IfbamInterpolant *course, double time, double *position,
              double *rate, double *acceleration)
{
  double omega = IFBAM_TWO_PI * p->frequency;
  double sine, cosine;

  if (course)
    {
      ifbam_interpolant_at (course, time, position, rate, acceleration);
      return;
    }
  ifbam_sine_cosine (p->frequency * time + p->phase / IFBAM_TWO_PI, &sine, &cosine);
  *position = p->position + p->velocity * time + p->amplitude * sine;
  *rate = p->velocity + p->amplitude * omega * cosine;
  *acceleration = -(p->amplitude * omega * omega * sine);
}
