/* drive-law.h: a prescribed motion; freestanding C
 *
 *   x(t) = position + velocity t + amplitude w(t); w: see base/waveform.h
 *   or a measured course x(t)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/waveform.h"

typedef struct
{
  IfbamWaveform wave; /* [m]; its value is the position */
  double velocity;    /* [m/s] */
} DriveLaw;

static inline int
drive_is_plain (const DriveLaw *p)
{
  return p->wave.shape == IFBAM_WAVE_SINE;
}

IFBAM_ALWAYS_INLINE void
drive_plain (const DriveLaw *p, double time, double *position, double *rate, double *acceleration)
{
  double omega = IFBAM_TWO_PI * p->wave.frequency;
  double sine, cosine;

  ifbam_sine_cosine (p->wave.frequency * time + p->wave.phase / IFBAM_TWO_PI, &sine, &cosine);
  *position = p->wave.value + p->velocity * time + p->wave.amplitude * sine;
  *rate = p->velocity + p->wave.amplitude * omega * cosine;
  *acceleration = -(p->wave.amplitude * omega * omega * sine);
}

static inline void
drive_motion (const DriveLaw *p, const IfbamInterpolant *course, double time, double *position,
              double *rate, double *acceleration)
{
  double w;

  if (course)
    {
      ifbam_interpolant_at (course, time, position, rate, acceleration);
      return;
    }
  if (drive_is_plain (p))
    {
      drive_plain (p, time, position, rate, acceleration);
      return;
    }
  ifbam_waveform_at (&p->wave, time, &w, rate, acceleration);
  *position = p->wave.value + p->velocity * time + p->wave.amplitude * w;
  *rate = p->velocity + p->wave.amplitude * *rate;
  *acceleration *= p->wave.amplitude;
}
