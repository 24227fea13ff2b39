/* force-law.h: a prescribed force; freestanding C
 *
 *   F(t) = value + amplitude sin (2 pi frequency t + phase)   for start <= t < end, else 0
 *   or a measured course F(t)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/sine.h"

typedef struct
{
  double value;     /* [N] */
  double amplitude; /* [N] */
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
  double start;     /* [s] */
  double end;       /* [s] */
} ForceLaw;

static inline double
force_value (const ForceLaw *p, const IfbamInterpolant *course, double time)
{
  double value, rate, second;

  if (time < p->start || time >= p->end)
    return 0.0;
  if (course)
    {
      ifbam_interpolant_at (course, time, &value, &rate, &second);
      return value;
    }
  return p->value + p->amplitude * ifbam_sine (p->frequency * time + p->phase / IFBAM_TWO_PI);
}
