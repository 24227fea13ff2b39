/* force-law.h: a prescribed force; freestanding C
 *
 *   F(t) = value + amplitude w(t)   for start <= t < end, else 0; w: see base/waveform.h
 *   or a measured course F(t)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/waveform.h"

typedef struct
{
  IfbamWaveform wave; /* [N] */
  double start;       /* [s] */
  double end;         /* [s] */
  double side;        /* side of the monitor's level: 0 above, 1 below */
  double scale;       /* of the course */
  IfbamCourseForm form;
} ForceLaw;

static inline int
force_is_plain (const ForceLaw *p)
{
  return p->wave.shape == IFBAM_WAVE_SINE;
}

static inline double
force_plain (const ForceLaw *p, double time)
{
  if (time < p->start || time >= p->end)
    return 0.0;
  return p->wave.value
         + p->wave.amplitude * ifbam_sine (p->wave.frequency * time + p->wave.phase / IFBAM_TWO_PI);
}

static inline double
force_value (const ForceLaw *p, const IfbamInterpolant *course, double time)
{
  double value, rate, second;

  if (time < p->start || time >= p->end)
    return 0.0;
  if (course)
    {
      ifbam_interpolant_at (course, time, &value, &rate, &second);
      return p->scale * value;
    }
  if (force_is_plain (p))
    return force_plain (p, time);
  ifbam_waveform_at (&p->wave, time, &value, &rate, &second);
  return p->wave.value + p->wave.amplitude * value;
}
