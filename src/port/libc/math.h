/* math.h: the mathematical functions of the C library that the core uses, without a C library
 *
 * All of them are exact, with the same bits everywhere. Inexact ones (sines, powers) are in base/.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#define INFINITY __builtin_inf ()
#define NAN      __builtin_nan ("")

#define isnan(x)    __builtin_isnan (x)
#define isinf(x)    __builtin_isinf (x)
#define isfinite(x) __builtin_isfinite (x)
#define isnormal(x) __builtin_isnormal (x)
#define signbit(x)  __builtin_signbit (x)

#define sqrt(x)         __builtin_sqrt (x)
#define fabs(x)         __builtin_fabs (x)
#define floor(x)        __builtin_floor (x)
#define ceil(x)         __builtin_ceil (x)
#define trunc(x)        __builtin_trunc (x)
#define copysign(x, of) __builtin_copysign (x, of)

/* Of two zeros returns the second one, as on x86-64. */
static inline double
fmax (double x, double y)
{
  return x != x ? y : y != y || x > y ? x : y;
}

static inline double
fmin (double x, double y)
{
  return x != x ? y : y != y || x < y ? x : y;
}

/* Rounds halves away from zero. */
static inline double
round (double x)
{
  const double below = trunc (x);

  return copysign (fabs (x - below) >= 0.5 ? below + copysign (1.0, x) : below, x);
}

double fmod (double x, double y);
double nextafter (double x, double y);
double ldexp (double x, int exponent);
