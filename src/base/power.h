/* power.h: exponential, logarithm and powers, in plain arithmetic; freestanding C
 *
 * The C library's exp, log and pow depend on the processor. These use only +, -, *, / and the bits
 * of numbers, so are the same everywhere, and without branches, so loops are vectorized.
 *
 * e^x = 2^k e^r, where r = x - k ln 2 uses ln 2 in two parts (Cody & Waite 1980, Software manual
 * for the elementary functions, chapter 6), |r| <= ln 2 / 2, by the series up to r^13/13!:
 * the rest is below 5e-18.
 *
 * ln x = k ln 2 + 2 artanh s, s = (m - 1)/(m + 1), x = 2^k m, m from sqrt 1/2 to sqrt 2 (Abramowitz
 * & Stegun 1964, 4.1.27), by the series in s^2 <= 0.0295 up to s^23/23: the rest is below 1e-20.
 * It is a sum of two doubles by exact sums and products (Dekker 1971, A floating-point technique
 * for extending the available precision), as e^(y ln x) multiplies errors of ln x by up to 745.
 *
 * Over 10^7 arguments each, the largest errors in units of the last place: e^x 0.78, ln x 0.51,
 * x^y 0.95.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "base/sine.h"

typedef struct
{
  double high, low; /* the value is their sum */
} IfbamPair;

IFBAM_ALWAYS_INLINE uint64_t
ifbam_bits_of (double number)
{
  uint64_t bits;

  memcpy (&bits, &number, sizeof bits);
  return bits;
}

IFBAM_ALWAYS_INLINE double
ifbam_of_bits (uint64_t bits)
{
  double number;

  memcpy (&number, &bits, sizeof number);
  return number;
}

/* 2^k for a whole k from -1022 to 1023 */
IFBAM_ALWAYS_INLINE double
ifbam_two_to (double k)
{
  return ifbam_of_bits (ifbam_bits_of (k + (6755399441055744.0 + 1023.0)) << 52);
}

/* a b. The upper half of a number's digits is exact in products, and so is the rest. */
IFBAM_ALWAYS_INLINE IfbamPair
ifbam_product (double a, double b)
{
  const double a1 = ifbam_of_bits (ifbam_bits_of (a) & 0xfffffffff8000000u), a2 = a - a1;
  const double b1 = ifbam_of_bits (ifbam_bits_of (b) & 0xfffffffff8000000u), b2 = b - b1;
  const double high = a * b;

  return (IfbamPair){ high, ((a1 * b1 - high) + a1 * b2 + a2 * b1) + a2 * b2 };
}

/* a + b, |a| >= |b| or a = 0 */
IFBAM_ALWAYS_INLINE IfbamPair
ifbam_sum (double a, double b)
{
  const double high = a + b;

  return (IfbamPair){ high, b - (high - a) };
}

#define IFBAM_LN2_HIGH                                                                             \
  6.93147180369123816490e-01 /* with 32 digits, so that its products with k are exact */
#define IFBAM_LN2_LOW 1.90821492927058770002e-10

/* e^(x + low), |low| below 1e-10 */
IFBAM_ALWAYS_INLINE double
ifbam_exponential_of (double x, double low)
{
  /* Beyond them it is infinite or 0; NaN remains. */
  const double within = x > 710.0 ? 710.0 : x < -746.0 ? -746.0 : x;
  const double k = ifbam_nearest (within * (1.0 / (IFBAM_LN2_HIGH + IFBAM_LN2_LOW)));
  const double half =
      ifbam_nearest (0.5 * k); /* 2^k may be out of range even if the result is not */
  const IfbamPair r = ifbam_sum (within - k * IFBAM_LN2_HIGH, low - k * IFBAM_LN2_LOW);
  const double square = r.high * r.high, fourth = square * square;
  const double near = (0.5 + r.high * (1.0 / 6)) + square * (1.0 / 24 + r.high * (1.0 / 120));
  const double middle =
      (1.0 / 720 + r.high * (1.0 / 5040)) + square * (1.0 / 40320 + r.high * (1.0 / 362880));
  const double far = (1.0 / 3628800 + r.high * (1.0 / 39916800))
                     + square * (1.0 / 479001600 + r.high * (1.0 / 6227020800));
  const IfbamPair first = ifbam_sum (1.0, r.high);
  const double sum =
      first.high + (first.low + (square * (near + fourth * (middle + fourth * far)) + r.low));

  return sum * ifbam_two_to (half) * ifbam_two_to (k - half);
}

/* ln x for a positive, finite x */
IFBAM_ALWAYS_INLINE IfbamPair
ifbam_logarithm_of (double x)
{
  const int small = x < 2.2250738585072014e-308;
  const uint64_t bits = ifbam_bits_of (small ? x * 18014398509481984.0 : x); /* 2^54 */
  /* The exponent of bits / sqrt 1/2: m is then between sqrt 1/2 and sqrt 2. */
  const uint64_t exponent = (bits - 0x3fe6a09e667f3bcdu + (UINT64_C (1023) << 52)) >> 52;
  const double k = ifbam_of_bits (0x4330000000000000u | exponent) - (4503599627370496.0 + 1023.0)
                   - (small ? 54.0 : 0.0);
  const double m = ifbam_of_bits (bits - ((exponent - 1023u) << 52));
  const double f = m - 1.0, d = m + 1.0;
  IfbamPair s, q, w, v, sum, all;
  double square, fourth, rest;

  s.high = f / d;
  q = ifbam_product (s.high, d);
  s.low = (((f - q.high) - q.low) - s.high * (m - (d - 1.0))) / d;
  q = ifbam_product (s.high, s.high);
  q.low += 2.0 * s.high * s.low;
  square = q.high * q.high;
  fourth = square * square;
  rest = ((1.0 / 5 + q.high * (1.0 / 7)) + square * (1.0 / 9 + q.high * (1.0 / 11)))
         + fourth
               * (((1.0 / 13 + q.high * (1.0 / 15)) + square * (1.0 / 17 + q.high * (1.0 / 19)))
                  + fourth * (1.0 / 21 + q.high * (1.0 / 23)));
  /* w = s^2/3 + s^4/5 + ..., v = s w, 2 artanh s = 2 (s + v); 1/3 = its double + 1.85e-17 */
  sum = ifbam_sum (1.0 / 3, rest * q.high);
  sum.low += 1.850371707708594e-17;
  w = ifbam_product (q.high, sum.high);
  w.low += q.high * sum.low + q.low * sum.high;
  v = ifbam_product (s.high, w.high);
  v.low += s.high * w.low + s.low * w.high;
  sum = ifbam_sum (2.0 * s.high, 2.0 * v.high);
  sum.low += 2.0 * (s.low + v.low);
  all = ifbam_sum (k * IFBAM_LN2_HIGH, sum.high);
  all.low += sum.low + k * IFBAM_LN2_LOW;
  return ifbam_sum (all.high, all.low);
}

IFBAM_ALWAYS_INLINE double
ifbam_exponential (double x)
{
  return ifbam_exponential_of (x, 0.0);
}

/* As log() of the C library. */
IFBAM_ALWAYS_INLINE double
ifbam_logarithm (double x)
{
  const double result = ifbam_logarithm_of (x).high;

  return x > 0.0 && x < INFINITY ? result : x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
}

/* Returns x^y of x >= 0, as pow() of the C library; of x < 0 NAN, even for integers y. */
IFBAM_ALWAYS_INLINE double
ifbam_power (double x, double y)
{
  const int proper = x > 0.0 && x < INFINITY;
  const IfbamPair logarithm = ifbam_logarithm_of (x);
  const double base = proper ? logarithm.high : x == 0.0 ? -INFINITY : x > 0.0 ? x : NAN;
  const IfbamPair exact = ifbam_product (y, base);
  const double rest = exact.low + y * logarithm.low;
  const double result =
      ifbam_exponential_of (y * base, proper && fabs (y * base) < 800.0 ? rest : 0.0);

  return y == 0.0 || x == 1.0 ? 1.0 : result;
}
