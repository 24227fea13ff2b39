/* drive-law.h: a prescribed motion; freestanding C
 *
 *   x(t) = position + velocity t + acceleration t^2 / 2 + amplitude w(t); w: see base/waveform.h
 *   or scale times a measured course x(t)
 *   or position + the integral of a course of velocities
 *   or position + velocity t + the double integral of a course of accelerations
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/interpolant.h"
#include "base/waveform.h"

typedef struct
{
  IfbamWaveform wave;  /* [m]; its value is the position */
  double velocity;     /* [m/s] */
  double acceleration; /* [m/s2] */
  double scale;        /* of the course */
  double of;           /* quantity of the course: DRIVE_... */
  IfbamCourseForm form;
} DriveLaw;

enum
{
  DRIVE_POSITION,
  DRIVE_VELOCITY,
  DRIVE_ACCELERATION,
};

static inline int
drive_is_plain (const DriveLaw *p)
{
  return p->wave.shape == IFBAM_WAVE_SINE && p->acceleration == 0;
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
  double w, second;

  if (course)
    {
      if (p->of == DRIVE_ACCELERATION)
        {
          ifbam_interpolant_at (course, time, acceleration, &w, &second);
          *rate = ifbam_interpolant_integral (course, time);
          *position = ifbam_interpolant_integral_twice (course, time);
        }
      else if (p->of == DRIVE_VELOCITY)
        {
          ifbam_interpolant_at (course, time, rate, acceleration, &second);
          *position = ifbam_interpolant_integral (course, time);
        }
      else
        ifbam_interpolant_at (course, time, position, rate, acceleration);
      *position = p->scale * *position;
      *rate *= p->scale;
      *acceleration *= p->scale;
      if (p->of != DRIVE_POSITION)
        *position += p->wave.value + p->velocity * time;
      if (p->of != DRIVE_POSITION)
        *rate += p->velocity;
      return;
    }
  if (drive_is_plain (p))
    {
      drive_plain (p, time, position, rate, acceleration);
      return;
    }
  ifbam_waveform_at (&p->wave, time, &w, rate, acceleration);
  *position =
      p->wave.value + (p->velocity + 0.5 * p->acceleration * time) * time + p->wave.amplitude * w;
  *rate = p->velocity + p->acceleration * time + p->wave.amplitude * *rate;
  *acceleration = p->acceleration + p->wave.amplitude * *acceleration;
}
