/* sine.h: sine and cosine of a phase in turns, in plain arithmetic; freestanding C
 *
 * The C library's sin depends on the processor: one value in a thousand differs in its last bit.
 * These use only +, - and *, so a course is the same everywhere. The Taylor series of sin and cos
 * on an eighth of a turn (|angle| <= pi/4) end at the terms a^17/17! and a^16/16!: the rest is
 * below 2e-17. (Abramowitz & Stegun 1964, 4.3.65 and 4.3.66.)
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#define IFBAM_TWO_PI 6.283185307179586476925286766559

static inline double
ifbam_sine_eighth (double angle)
{
  double s = angle * angle;
  double sum = 1.0 / 355687428096000.0;

  sum = sum * s - 1.0 / 1307674368000.0;
  sum = sum * s + 1.0 / 6227020800.0;
  sum = sum * s - 1.0 / 39916800.0;
  sum = sum * s + 1.0 / 362880.0;
  sum = sum * s - 1.0 / 5040.0;
  sum = sum * s + 1.0 / 120.0;
  sum = sum * s - 1.0 / 6.0;
  return angle + angle * (s * sum);
}

static inline double
ifbam_cosine_eighth (double angle)
{
  double s = angle * angle;
  double sum = 1.0 / 20922789888000.0;

  sum = sum * s - 1.0 / 87178291200.0;
  sum = sum * s + 1.0 / 479001600.0;
  sum = sum * s - 1.0 / 3628800.0;
  sum = sum * s + 1.0 / 40320.0;
  sum = sum * s - 1.0 / 720.0;
  sum = sum * s + 1.0 / 24.0;
  sum = sum * s - 0.5;
  return 1.0 + s * sum;
}

/* Returns the nearest integer, ties to even, for |number| < 2^51; beyond, every phase is a multiple
 * of a quarter turn in double resolution, so the argument is meaningless. */
static inline double
ifbam_nearest (double number)
{
  const double magic = 6755399441055744.0; /* 1.5 * 2^52 */

  return (number + magic) - magic;
}

/* A loop that contains a call is not vectorized. */
#ifdef __wasm__ /* size is more important than speed there; one copy of each */
#define IFBAM_ALWAYS_INLINE __attribute__ ((weak))
#elif defined IFBAM_COUNTED /* each branch once, at its place: make coverage */
#define IFBAM_ALWAYS_INLINE static inline
#else
#define IFBAM_ALWAYS_INLINE __attribute__ ((always_inline)) static inline
#endif

/* Large functions: a wasm module has one copy of each. */
#ifdef __wasm__
#define IFBAM_INLINE_ONCE __attribute__ ((weak))
#else
#define IFBAM_INLINE_ONCE static inline
#endif

/* Computes sine and cosine of 2 pi turns. */
IFBAM_ALWAYS_INLINE void
ifbam_sine_cosine (double turns, double *sine, double *cosine)
{
  double fraction = turns - ifbam_nearest (turns); /* exact, -0.5 to 0.5 */
  double quarter = ifbam_nearest (4.0 * fraction); /* -2 to 2 */
  double angle = (fraction - 0.25 * quarter) * IFBAM_TWO_PI;
  double s = ifbam_sine_eighth (angle);
  double c = ifbam_cosine_eighth (angle);

  if (quarter == 0.0)
    *sine = s, *cosine = c;
  else if (quarter == 1.0)
    *sine = c, *cosine = -s;
  else if (quarter == -1.0)
    *sine = -c, *cosine = s;
  else
    *sine = -s, *cosine = -c;
}

static inline double
ifbam_sine (double turns)
{
  double sine, cosine;

  ifbam_sine_cosine (turns, &sine, &cosine);
  return sine;
}
