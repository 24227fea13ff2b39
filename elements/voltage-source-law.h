/* voltage-source-law.h: a prescribed voltage; freestanding C
 *
 *   v(t) = voltage + amplitude w(t)   [V]; w: see base/waveform.h
 *   or a measured course v(t)
 *
 * A node's coordinate is its flux linkage, the integral of the voltage from t = 0.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/waveform.h"

typedef struct
{
  IfbamWaveform wave; /* [V] */
  double scale;       /* of the course */
  IfbamCourseForm form;
} VoltageSourceLaw;

static inline int
voltage_source_is_plain (const VoltageSourceLaw *p)
{
  return p->wave.shape == IFBAM_WAVE_SINE;
}

IFBAM_ALWAYS_INLINE void
voltage_source_plain (const VoltageSourceLaw *p, double time, double *flux, double *voltage,
                      double *slope)
{
  const IfbamWaveform *wave = &p->wave;
  double omega = IFBAM_TWO_PI * wave->frequency, turns = wave->phase / IFBAM_TWO_PI;
  double sine, cosine, half_sine, half_cosine, mean_sine, mean_cosine, steady, swing;

  ifbam_sine_cosine (wave->frequency * time + turns, &sine, &cosine);
  *voltage = wave->value + wave->amplitude * sine;
  *slope = wave->amplitude * omega * cosine;
  /* (cos phase - cos (omega t + phase)) / omega, as a product: the difference would be rounding
   * error at low frequencies. Without a branch, for vectorized loops. */
  ifbam_sine_cosine (0.5 * wave->frequency * time, &half_sine, &half_cosine);
  ifbam_sine_cosine (0.5 * wave->frequency * time + turns, &mean_sine, &mean_cosine);
  steady = wave->amplitude * sine * time;
  swing = wave->amplitude * (2.0 / omega) * half_sine * mean_sine;
  *flux = wave->value * time + (wave->frequency == 0.0 ? steady : swing);
}

static inline void
voltage_source_motion (const VoltageSourceLaw *p, const IfbamInterpolant *course, double time,
                       double *flux, double *voltage, double *slope)
{
  double second, w;

  if (course)
    {
      ifbam_interpolant_at (course, time, voltage, slope, &second);
      *voltage *= p->scale;
      *slope *= p->scale;
      *flux = p->scale * ifbam_interpolant_integral (course, time);
      return;
    }
  if (voltage_source_is_plain (p))
    {
      voltage_source_plain (p, time, flux, voltage, slope);
      return;
    }
  ifbam_waveform_at (&p->wave, time, &w, slope, &second);
  *voltage = p->wave.value + p->wave.amplitude * w;
  *slope *= p->wave.amplitude;
  *flux = p->wave.value * time + p->wave.amplitude * ifbam_waveform_area (&p->wave, time);
}
