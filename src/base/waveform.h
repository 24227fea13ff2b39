/* waveform.h: what sources and drives do in time: sine, chirp, step, ramp, pulse, pulse-width modulation, noise;
 * freestanding C
 *
 *   u(t) = value + amplitude w(t)
 *
 *   sine    w = sin (2 pi frequency t + phase)
 *   chirp   w = sin (2 pi (from s + (to - from) s^2 / (2 over)) + phase), s = t - at, then on with the frequency `to`
 *   step    w = 1 from `at` on
 *   ramp    w = (t - at) / over, from 0 to 1
 *   pulse   w rises within `rise` from `at` on, is 1 until at + over, and falls as fast
 *   pwm     the same with over = duty * period, again in each period
 *   noise   w = sqrt (2/N) sum sin (2 pi f_j t + phi_j), f_j at random in the j-th part of the band (from, to),
 *           phi_j at random: of mean square 1, near to Gaussian, and nothing of it is outside the band (Shinozuka &
 *           Deodatis 1991, Simulation of stochastic processes by spectral representation)
 *
 * All but sine and noise are 0 before `at`. What is at random is counted, not drawn (Steele, Lea & Flood 2014, SplitMix,
 * of a seed and a number), so it is the same everywhere, at whatever times it is asked.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>
#include <stdint.h>

#include "base/fresnel.h"

enum
{
  IFBAM_WAVE_SINE,
  IFBAM_WAVE_CHIRP,
  IFBAM_WAVE_STEP,
  IFBAM_WAVE_RAMP,
  IFBAM_WAVE_PULSE,
  IFBAM_WAVE_PWM,
  IFBAM_WAVE_NOISE,
};

#define IFBAM_WAVE_LINES   64 /* of noise */
#define IFBAM_WAVE_CORNERS 4  /* of a pulse */

typedef struct
{
  double value;     /* what it drives */
  double amplitude; /* likewise */
  double frequency; /* [Hz] */
  double phase;     /* [rad] */
  double shape;     /* one of the above */
  double from, to;  /* [Hz] */
  double over;      /* [s] */
  double at;        /* [s] */
  double period;    /* [s] */
  double duty;      /* of the period */
  double rise;      /* [s] */
  double seed;
} IfbamWaveform;

/* A number from 0 to 1, by a seed and a count. */
static inline double
ifbam_waveform_random (double seed, uint64_t count)
{
  uint64_t bits = (uint64_t) seed * 0xd1342543de82ef95u + (count + 1) * 0x9e3779b97f4a7c15u;

  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  bits ^= bits >> 31;
  return (double) (bits >> 11) * 0x1p-53;
}

/* The sum of a sine's frequency [Hz] and phase [turns] in a line of the noise. */
static inline void
ifbam_waveform_line (const IfbamWaveform *p, unsigned j, double *frequency, double *turns)
{
  const double width = (p->to - p->from) / IFBAM_WAVE_LINES;

  *frequency = p->from + width * ((double) j + ifbam_waveform_random (p->seed, 2 * j));
  *turns = ifbam_waveform_random (p->seed, 2 * j + 1);
}

static inline double
ifbam_waveform_width (const IfbamWaveform *p)
{
  return p->shape == IFBAM_WAVE_PWM ? p->duty * p->period : p->over;
}

/* Where a pulse has its corners in its first turn, 0 to 3 [s]. The later ones are `turn` periods later, added as here:
 * instants that are given for them are the same to the last bit. */
static inline double
ifbam_waveform_corner (const IfbamWaveform *p, int corner)
{
  const double width = ifbam_waveform_width (p);

  return corner == 0   ? p->at
         : corner == 1 ? p->at + p->rise
         : corner == 2 ? p->at + width
                       : p->at + (width + p->rise);
}

/* Whether it comes again in each period: a duty of 0 or 1 does not. */
static inline int
ifbam_waveform_recurs (const IfbamWaveform *p)
{
  return p->shape == IFBAM_WAVE_PWM && p->duty > 0 && p->duty < 1;
}

/* In which turn of a pulse a time is; negative: in none yet. */
static inline double
ifbam_waveform_turn (const IfbamWaveform *p, double time)
{
  double turn;

  if (time < p->at)
    return -1;
  if (!ifbam_waveform_recurs (p))
    return 0;
  turn = floor ((time - p->at) / p->period);
  if (time < p->at + turn * p->period)
    turn -= 1;
  else if (time >= p->at + (turn + 1) * p->period)
    turn += 1;
  return turn;
}

static inline void
ifbam_waveform_pulse (const IfbamWaveform *p, double time, double *w, double *rate)
{
  const double turn = ifbam_waveform_turn (p, time), later = turn * p->period;
  const int always = p->shape == IFBAM_WAVE_PWM && p->duty >= 1;
  double begins = ifbam_waveform_corner (p, 0) + later, ends;

  *w = *rate = 0;
  if (turn < 0 || (p->shape == IFBAM_WAVE_PWM && p->duty <= 0))
    return;
  if (time < ifbam_waveform_corner (p, 1) + later)
    {
      *w = (time - begins) / p->rise;
      *rate = 1 / p->rise;
      return;
    }
  ends = ifbam_waveform_corner (p, 2) + later;
  if (always || time < ends)
    *w = 1;
  else if (time < ifbam_waveform_corner (p, 3) + later)
    {
      *w = 1 - (time - ends) / p->rise;
      *rate = -1 / p->rise;
    }
}

/* The pulses' area from `at` to a time. */
static inline double
ifbam_waveform_pulse_area (const IfbamWaveform *p, double time)
{
  const double turn = ifbam_waveform_turn (p, time), width = ifbam_waveform_width (p);
  const int always = p->shape == IFBAM_WAVE_PWM && p->duty >= 1;
  double s, rest;

  if (turn < 0 || (p->shape == IFBAM_WAVE_PWM && p->duty <= 0))
    return 0;
  s = time - (p->at + turn * p->period);
  if (s < p->rise)
    return turn * width + s * s / (2 * p->rise);
  if (always || s < width)
    return turn * width + (s - 0.5 * p->rise);
  rest = width + p->rise - s;
  return turn * width + (rest > 0 ? width - rest * rest / (2 * p->rise) : width);
}

/* w, w' and w'' at a time. */
static inline void
ifbam_waveform_at (const IfbamWaveform *p, double time, double *w, double *rate, double *second)
{
  const double s = time - p->at;
  double sine, cosine, omega, frequency, turns;

  *w = *rate = *second = 0;
  switch ((int) p->shape)
    {
    case IFBAM_WAVE_CHIRP:
      if (s < 0)
        return;
      frequency = s < p->over ? p->from + (p->to - p->from) * (s / p->over) : p->to;
      turns = s < p->over ? s * (0.5 * (p->from + frequency))
                          : p->over * (0.5 * (p->from + p->to)) + (s - p->over) * p->to;
      omega = IFBAM_TWO_PI * frequency;
      ifbam_sine_cosine (turns + p->phase / IFBAM_TWO_PI, &sine, &cosine);
      *w = sine;
      *rate = omega * cosine;
      *second = -(omega * omega * sine)
                + (s < p->over ? IFBAM_TWO_PI * ((p->to - p->from) / p->over) * cosine : 0);
      return;
    case IFBAM_WAVE_STEP:
      *w = s < 0 ? 0 : 1;
      return;
    case IFBAM_WAVE_RAMP:
      *w = s < 0 ? 0 : time < p->at + p->over ? s / p->over : 1;
      *rate = s >= 0 && time < p->at + p->over ? 1 / p->over : 0;
      return;
    case IFBAM_WAVE_PULSE:
    case IFBAM_WAVE_PWM:
      ifbam_waveform_pulse (p, time, w, rate);
      return;
    case IFBAM_WAVE_NOISE:
      for (unsigned j = 0; j < IFBAM_WAVE_LINES; j++)
        {
          ifbam_waveform_line (p, j, &frequency, &turns);
          omega = IFBAM_TWO_PI * frequency;
          ifbam_sine_cosine (frequency * time + turns, &sine, &cosine);
          *w += sine;
          *rate += omega * cosine;
          *second -= omega * omega * sine;
        }
      *w *= sqrt (2.0 / IFBAM_WAVE_LINES);
      *rate *= sqrt (2.0 / IFBAM_WAVE_LINES);
      *second *= sqrt (2.0 / IFBAM_WAVE_LINES);
      return;
    case IFBAM_WAVE_SINE:
    default:
      omega = IFBAM_TWO_PI * p->frequency;
      ifbam_sine_cosine (p->frequency * time + p->phase / IFBAM_TWO_PI, &sine, &cosine);
      *w = sine;
      *rate = omega * cosine;
      *second = -(omega * omega * sine);
    }
}

/* The integral of sin 2 pi (frequency t + turns) from 0 to a time: (cos phase - cos (omega t + phase)) / omega without
 * the difference, which would be nothing but rounding where the frequency is low. */
IFBAM_ALWAYS_INLINE double
ifbam_waveform_sine_area (double frequency, double turns, double time, double sine)
{
  const double omega = IFBAM_TWO_PI * frequency;
  double half_sine, half_cosine, mean_sine, mean_cosine;

  ifbam_sine_cosine (0.5 * frequency * time, &half_sine, &half_cosine);
  ifbam_sine_cosine (0.5 * frequency * time + turns, &mean_sine, &mean_cosine);
  return frequency == 0.0 ? sine * time : (2.0 / omega) * half_sine * mean_sine;
}

/* Of a chirp in its sweep, from s on to where it would sweep for ever (near: to where it stands still, so that what is small
 * is no difference of what is not): its phase is a vertex less or more pi x^2/2, where the frequency is
 * x sqrt (|sweep|/2). */
static inline double
ifbam_waveform_chirp_rest (const IfbamWaveform *p, double s, int near)
{
  const double sweep = (p->to - p->from) / p->over, frequency = p->from + sweep * s;
  const double turns = s * (0.5 * (p->from + frequency)) + p->phase / IFBAM_TWO_PI;
  const double x = frequency > 0 ? frequency * sqrt (2.0 / fabs (sweep)) : 0;
  double sine, cosine, g, f;

  ifbam_sine_cosine (turns, &sine, &cosine);
  if (near)
    ifbam_fresnel_near (x, 0, &g, &f);
  else
    ifbam_fresnel (x, &g, &f);
  return (sweep > 0 ? g * sine + f * cosine : f * cosine - g * sine) / sqrt (2.0 * fabs (sweep));
}

static inline double
ifbam_waveform_chirp_area (const IfbamWaveform *p, double s)
{
  const double within = s < p->over ? s : p->over, turns = p->phase / IFBAM_TWO_PI;
  const double there = turns + p->over * (0.5 * (p->from + p->to));
  const double most = p->from > p->to ? p->from : p->to;
  double sum;
  int near;

  if (p->from == p->to)
    return ifbam_waveform_sine_area (p->from, turns, s, ifbam_sine (turns));
  near = most * sqrt (2.0 * p->over / fabs (p->to - p->from)) < IFBAM_FRESNEL_NEAR;
  sum = ifbam_waveform_chirp_rest (p, 0, near) - ifbam_waveform_chirp_rest (p, within, near);
  return s > within ? sum + ifbam_waveform_sine_area (p->to, there, s - p->over, ifbam_sine (there))
                    : sum;
}

/* Likewise of a chirp, step, ramp, pulses or noise. */
static inline double
ifbam_waveform_area_since (const IfbamWaveform *p, double time)
{
  const double s = time - p->at;

  if (p->shape == IFBAM_WAVE_PULSE || p->shape == IFBAM_WAVE_PWM)
    return ifbam_waveform_pulse_area (p, time);
  if (s < 0)
    return 0;
  if (p->shape == IFBAM_WAVE_STEP)
    return s;
  if (p->shape == IFBAM_WAVE_CHIRP)
    return ifbam_waveform_chirp_area (p, s);
  return s < p->over ? s * s / (2 * p->over) : s - 0.5 * p->over;
}

static inline double
ifbam_waveform_area (const IfbamWaveform *p, double time)
{
  double sum = 0, frequency, turns;

  if (p->shape != IFBAM_WAVE_NOISE)
    return ifbam_waveform_area_since (p, time) - ifbam_waveform_area_since (p, 0);
  for (unsigned j = 0; j < IFBAM_WAVE_LINES; j++)
    {
      ifbam_waveform_line (p, j, &frequency, &turns);
      sum += ifbam_waveform_sine_area (frequency, turns, time, ifbam_sine (turns));
    }
  return sum * sqrt (2.0 / IFBAM_WAVE_LINES);
}
