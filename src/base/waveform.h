/* waveform.h: time functions of sources and drives: sine, chirp, step, ramp, pulse, pulse-width
 * modulation, noise, half-sine; freestanding C
 *
 *   u(t) = value + amplitude w(t)
 *
 *   sine    w = sin (2 pi frequency t + phase)
 *   chirp   w = sin (2 pi (from s + (to - from) s^2 / (2 over)) + phase),
 *           s = t - at, then continues with the frequency `to`
 *   step    w = 1 from `at` on
 *   ramp    w = (t - at) / over, from 0 to 1
 *   pulse   w rises within `rise` from `at` on, is 1 until at + over, and falls as fast
 *   pwm     the same with over = duty * period, again in each period
 *   half-sine
 *           w = sin (pi (t - at) / over) from `at` to at + over
 *   noise   w = A', A = sum of narrow bands j = 0 to IFBAM_WAVE_BANDS - 1, in the band (from, to):
 *           A_j = Re ((a_j(t) + i b_j(t)) exp (i omega_j t)) / omega_j
 *           a_j and b_j are random numbers at even intervals, weighted by cubic B-splines
 *
 * Noise is filtered shot noise (Rice 1944, Mathematical analysis of random noise): nearly Gaussian,
 * with mean square 1 and without a period. Random numbers at an interval of 1/(3 width) make a band
 * with the power density sinc^8 (f / (3 width)); the sum of all bands is flat: within
 * 2 % from from + 0.03 (to - from) to to - 0.03 (to - from), and below 10^-4 of that outside, more
 * than 0.02 (to - from) from the edges. The bands are narrow at both ends, especially at the lower
 * one, for sharp edges, and noise from 0 on is flat down to 0.01 `to`. As A, w, w' and w'' are
 * computed from the same splines (de Boor 1978, chapter IX), motion and rates agree.
 *
 * All but sine and noise are 0 before `at`. A random number is a function of the seed, the band and
 * the interval (Steele, Lea & Flood 2014, SplitMix), so noise is a function of seed and time.
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
  IFBAM_WAVE_HALF_SINE,
};

#define IFBAM_WAVE_BANDS   40 /* of noise */
#define IFBAM_WAVE_CORNERS 4  /* of a pulse */

typedef struct
{
  double value;     /* constant part of u */
  double amplitude; /* of u */
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

/* Returns 64 random bits, a function of the seed and the count. */
IFBAM_INLINE_ONCE uint64_t
ifbam_waveform_random (double seed, uint64_t count)
{
  uint64_t bits = (uint64_t) seed * 0xd1342543de82ef95u + (count + 1) * 0x9e3779b97f4a7c15u;

  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
  return bits ^ bits >> 31;
}

/* Returns a number of mean 0 and mean square IFBAM_WAVE_SQUARE from 32 random bits: t + BEND t^3,
 * where t is the sum of two uniform numbers minus 1. BEND makes the kurtosis 3. */
#define IFBAM_WAVE_BEND   0.453
#define IFBAM_WAVE_SQUARE (1.0 / 6 + IFBAM_WAVE_BEND * (2.0 / 15 + IFBAM_WAVE_BEND / 28))

IFBAM_INLINE_ONCE double
ifbam_waveform_normal (uint32_t bits)
{
  const double t = ((int) (bits & 0xffff) + (int) (bits >> 16) - 65535) * 0x1p-16;

  return t * (1 + IFBAM_WAVE_BEND * (t * t));
}

/* Returns the lower edge of a band of noise [Hz]; that of band IFBAM_WAVE_BANDS is `to`. */
IFBAM_INLINE_ONCE double
ifbam_waveform_edge (const IfbamWaveform *p, unsigned band)
{
  const double part = band * (1.0 / IFBAM_WAVE_BANDS);

  return p->from + (p->to - p->from) * (part * part * part * (4.0 - 3.0 * part));
}

/* Returns a time in units of a band's random numbers: number n is active from n to n + 4. The
 * numbers of bands start at different times (multiples of the golden section). */
IFBAM_INLINE_ONCE double
ifbam_waveform_place (double width, unsigned band, double time)
{
  const double place = 3.0 * width * time + 0.6180339887498949 * band;

  return fabs (place) < 0x1p52 ? place : 0.0;
}

/* Writes the value of the cubic spline over four numbers c at s = 0 to 1 into c[0], and its first,
 * second and third derivative by s, times small, small^2, small^3, into c[1 .. 3]. All times 6. */
IFBAM_INLINE_ONCE void
ifbam_waveform_spline (double *c, double s, double small)
{
  const double c0 = c[0] + 4.0 * c[1] + c[2], c1 = 3.0 * (c[2] - c[0]);
  const double c2 = 3.0 * (c[0] + c[2]) - 6.0 * c[1], c3 = c[3] - c[0] + 3.0 * (c[1] - c[2]);

  c[0] = c0 + s * (c1 + s * (c2 + s * c3));
  c[1] = small * (c1 + s * (2.0 * c2 + s * (3.0 * c3)));
  c[2] = small * small * (2.0 * c2 + s * (6.0 * c3));
  c[3] = small * small * small * (6.0 * c3);
}

/* Adds a band of noise to A, w, w' and w'' (sum[0 .. 3]). */
IFBAM_INLINE_ONCE void
ifbam_waveform_add_band (const IfbamWaveform *p, unsigned band, double time, double *sum)
{
  const double low = ifbam_waveform_edge (p, band);
  const double width = ifbam_waveform_edge (p, band + 1) - low, frequency = low + 0.5 * width;
  const double omega = IFBAM_TWO_PI * frequency, slow = 1 / omega, small = 3.0 * width * slow;
  const double place = ifbam_waveform_place (width, band, time), first = floor (place);
  const uint64_t count = (uint64_t) (int64_t) first * IFBAM_WAVE_BANDS + band;
  /* The mean squares of the B-spline and of its derivative are 151/315 and 2/3;
   * ifbam_waveform_spline() multiplies by six. */
  const double square =
      36 * IFBAM_WAVE_SQUARE * (p->to - p->from) * (151.0 / 315 + small * small * (2.0 / 3));
  double scale = sqrt (width / square) * slow, part[2][4], sine, cosine;

  for (unsigned k = 0; k < 4; k++)
    {
      const uint64_t bits = ifbam_waveform_random (p->seed, count + k * IFBAM_WAVE_BANDS);

      part[0][k] = ifbam_waveform_normal ((uint32_t) bits);
      part[1][k] = ifbam_waveform_normal ((uint32_t) (bits >> 32));
    }
  ifbam_waveform_spline (part[0], place - first, small);
  ifbam_waveform_spline (part[1], place - first, small);
  ifbam_sine_cosine (frequency * time, &sine, &cosine);
  /* Each derivative by omega t changes the envelope to its own derivative plus i times itself. */
  for (unsigned k = 0; k < 4; k++, scale *= omega)
    {
      sum[k] += scale * (part[0][0] * cosine - part[1][0] * sine);
      for (unsigned i = 0; i + k < 3; i++)
        {
          const double real = part[0][i];

          part[0][i] = part[0][i + 1] - part[1][i];
          part[1][i] = part[1][i + 1] + real;
        }
    }
}

/* Writes A, w, w' and w'' of noise at a time into sum[0 .. 3]. */
IFBAM_INLINE_ONCE void
ifbam_waveform_noise (const IfbamWaveform *p, double time, double *sum)
{
  sum[0] = sum[1] = sum[2] = sum[3] = 0;
  for (unsigned band = 0; band < IFBAM_WAVE_BANDS; band++)
    ifbam_waveform_add_band (p, band, time, sum);
}

IFBAM_INLINE_ONCE double
ifbam_waveform_width (const IfbamWaveform *p)
{
  return p->shape == IFBAM_WAVE_PWM ? p->duty * p->period : p->over;
}

/* Returns a corner of a pulse in its first period, 0 to 3 [s]. Later ones are computed by the same
 * additions, plus multiples of the period: equal to the last bit. */
IFBAM_INLINE_ONCE double
ifbam_waveform_corner (const IfbamWaveform *p, int corner)
{
  const double width = ifbam_waveform_width (p);

  return corner == 0   ? p->at
         : corner == 1 ? p->at + p->rise
         : corner == 2 ? p->at + width
                       : p->at + (width + p->rise);
}

/* TRUE if it repeats in each period: with a duty of 0 or 1 it does not. */
IFBAM_INLINE_ONCE int
ifbam_waveform_recurs (const IfbamWaveform *p)
{
  return p->shape == IFBAM_WAVE_PWM && p->duty > 0 && p->duty < 1;
}

/* Returns the index of a time's period; negative: before the first. */
IFBAM_INLINE_ONCE double
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

IFBAM_INLINE_ONCE void
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

/* Returns the integral of the pulses from `at` to a time. */
IFBAM_INLINE_ONCE double
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

/* Computes w, w' and w'' at a time. */
IFBAM_INLINE_ONCE void
ifbam_waveform_at (const IfbamWaveform *p, double time, double *w, double *rate, double *second)
{
  const double s = time - p->at;
  double sine, cosine, omega, frequency, turns, sum[4];

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
      ifbam_waveform_noise (p, time, sum);
      *w = sum[1];
      *rate = sum[2];
      *second = sum[3];
      return;
    case IFBAM_WAVE_HALF_SINE:
      if (s < 0 || time >= p->at + p->over)
        return;
      omega = 0.5 * IFBAM_TWO_PI / p->over;
      ifbam_sine_cosine (0.5 * (s / p->over), &sine, &cosine);
      *w = sine;
      *rate = omega * cosine;
      *second = -(omega * omega * sine);
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

/* Returns the integral of sin 2 pi (frequency t + turns) from 0 to a time: (cos phase - cos (omega
 * t + phase)) / omega without the difference's rounding errors at low frequencies. */
IFBAM_ALWAYS_INLINE double
ifbam_waveform_sine_area (double frequency, double turns, double time, double sine)
{
  const double omega = IFBAM_TWO_PI * frequency;
  double half_sine, half_cosine, mean_sine, mean_cosine;

  ifbam_sine_cosine (0.5 * frequency * time, &half_sine, &half_cosine);
  ifbam_sine_cosine (0.5 * frequency * time + turns, &mean_sine, &mean_cosine);
  return frequency == 0.0 ? sine * time : (2.0 / omega) * half_sine * mean_sine;
}

/* Returns the integral of an endless chirp from s on (near: to its frequency 0, to avoid
 * differences of large numbers): phase vertex -+ pi x^2/2, frequency x sqrt (|sweep|/2). */
IFBAM_INLINE_ONCE double
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

IFBAM_INLINE_ONCE double
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

/* The integral of a half-sine from its begin on: 1 - cos x without a difference. */
IFBAM_INLINE_ONCE double
ifbam_waveform_half_sine_area (const IfbamWaveform *p, double s)
{
  double sine, cosine;

  ifbam_sine_cosine (s < p->over ? 0.25 * (s / p->over) : 0.25, &sine, &cosine);
  return 4 * p->over / IFBAM_TWO_PI * (sine * sine);
}

/* The same for a chirp, step, ramp, half-sine or pulses. */
IFBAM_INLINE_ONCE double
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
  if (p->shape == IFBAM_WAVE_HALF_SINE)
    return ifbam_waveform_half_sine_area (p, s);
  return s < p->over ? s * s / (2 * p->over) : s - 0.5 * p->over;
}

IFBAM_INLINE_ONCE double
ifbam_waveform_area (const IfbamWaveform *p, double time)
{
  double sum[4], start[4];

  if (p->shape != IFBAM_WAVE_NOISE)
    return ifbam_waveform_area_since (p, time) - ifbam_waveform_area_since (p, 0);
  ifbam_waveform_noise (p, time, sum);
  ifbam_waveform_noise (p, 0, start);
  return sum[0] - start[0];
}
