/* quick-exponential.h: e^x with more digits than a double, without branches; freestanding C
 *
 * Nearly always the rounded result is that of the exact exponential, and the error says when (Ziv 1991,
 * Fast evaluation of elementary mathematical functions with correctly rounded last bit).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/power.h"

/* Error of a quick exponential, relative to 1: eleven units of the last place of 4.2e-5. */
#define IFBAM_QUICK_ERROR 5e-20

IFBAM_ALWAYS_INLINE IfbamPair
ifbam_pair_add (IfbamPair a, IfbamPair b)
{
  const double high = a.high + b.high, part = high - a.high;
  const double rest = (a.high - (high - part)) + (b.high - part);

  return ifbam_sum (high, rest + (a.low + b.low));
}

IFBAM_ALWAYS_INLINE IfbamPair
ifbam_pair_multiply (IfbamPair a, IfbamPair b)
{
  const IfbamPair product = ifbam_product (a.high, b.high);

  return ifbam_sum (product.high, product.low + (a.high * b.low + a.low * b.high));
}

/* Returns x 2^k, rounded. */
IFBAM_ALWAYS_INLINE double
ifbam_pair_scaled (IfbamPair x, double k)
{
  const double half = ifbam_nearest (0.5 * k);

  return (x.high + x.low) * ifbam_two_to (half) * ifbam_two_to (k - half);
}

/* e^x without the power of two *k, -746 < x < 710; its error is below IFBAM_QUICK_ERROR: the terms from
 * x^5/120 on have the digits of a double only. */
IFBAM_ALWAYS_INLINE IfbamPair
ifbam_quick_exponential (double x, double *k)
{
  IfbamPair r, square, cube, fourth;
  double near, far;

  *k = ifbam_nearest (x * (1.0 / (IFBAM_LN2_HIGH + IFBAM_LN2_LOW)));
  r = ifbam_sum (x - *k * IFBAM_LN2_HIGH, -*k * IFBAM_LN2_LOW);
  square = ifbam_pair_multiply (r, r);
  cube = ifbam_pair_multiply (square, r);
  fourth = ifbam_pair_multiply (square, square);
  near = (1.0 / 120 + r.high * (1.0 / 720)) + square.high * (1.0 / 5040 + r.high * (1.0 / 40320));
  far = (1.0 / 362880 + r.high * (1.0 / 3628800))
        + square.high * (1.0 / 39916800 + r.high * (1.0 / 479001600));
  far += fourth.high
         * ((1.0 / 6227020800 + r.high * (1.0 / 87178291200))
            + square.high * (1.0 / 1307674368000 + r.high * (1.0 / 20922789888000)));
  cube = ifbam_pair_multiply (cube, (IfbamPair){ 1.0 / 6, 9.25185853854297e-18 });
  fourth = ifbam_pair_multiply (fourth, (IfbamPair){ 1.0 / 24, 2.3129646346357427e-18 });
  fourth.low += (square.high * square.high * r.high) * (near + square.high * square.high * far);
  r = ifbam_pair_add ((IfbamPair){ 1, 0 }, r);
  r = ifbam_pair_add (r, (IfbamPair){ 0.5 * square.high, 0.5 * square.low });
  return ifbam_pair_add (r, ifbam_pair_add (cube, fourth));
}

/* Returns TRUE if the error of a quick exponential can't change its rounded value. */
IFBAM_ALWAYS_INLINE int
ifbam_quick_is_rounded (IfbamPair x)
{
  return x.high + (x.low - IFBAM_QUICK_ERROR) == x.high + (x.low + IFBAM_QUICK_ERROR);
}
