/* voltage-source-law.h: a prescribed voltage; freestanding C
 *
 *   v(t) = voltage + amplitude sin (2 pi frequency t + phase)   [V]
 *   or a measured course v(t)
 *
 * A node's coordinate is its flux linkage, the integral of the voltage from t = 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/sine.h"

typedef struct
{
  double voltage;   /* [V] */
  double amplitude; /* [V] */
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
} VoltageSourceLaw;

IFBAM_ALWAYS_INLINE void
voltage_source_motion (const VoltageSourceLaw *p, const IfbamInterpolant *course, double time,
                       double *flux, double *voltage, double *slope)
{
  double omega = IFBAM_TWO_PI * p->frequency, turns = p->phase / IFBAM_TWO_PI;
  double sine, cosine, half_sine, half_cosine, mean_sine, mean_cosine, second, steady, swing;

  if (course)
    {
      ifbam_interpolant_at (course, time, voltage, slope, &second);
      *flux = ifbam_interpolant_integral (course, time);
      return;
    }
  ifbam_sine_cosine (p->frequency * time + turns, &sine, &cosine);
  *voltage = p->voltage + p->amplitude * sine;
  *slope = p->amplitude * omega * cosine;
  /* (cos phase - cos (omega t + phase)) / omega, without the difference: it would be nothing but
   * rounding where the frequency is low. Without a branch: it stands in loops of vectors. */
  ifbam_sine_cosine (0.5 * p->frequency * time, &half_sine, &half_cosine);
  ifbam_sine_cosine (0.5 * p->frequency * time + turns, &mean_sine, &mean_cosine);
  steady = p->amplitude * sine * time;
  swing = p->amplitude * (2.0 / omega) * half_sine * mean_sine;
  *flux = p->voltage * time + (p->frequency == 0.0 ? steady : swing);
}
