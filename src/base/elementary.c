/* elementary.c: elementary functions, computed with twice the digits of a double
 *
 * A number is the sum of two doubles (Dekker 1971, A floating-point technique for extending the
 * available precision). Sine, cosine and exponential are their Taylor series after a reduction of
 * the argument; logarithm and arc tangent are a step of Newton's method from an approximation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "base/elementary.h"

#include "base/quick-exponential.h"

/* Terms of a series up to |x| = pi/4: the rest is below 1e-33. */
#define SERIES_TERMS 28
/* Largest angle: larger ones have lost the digits of their place in a turn. */
#define MAX_ANGLE 1e9
/* Largest power that is a product. */
#define MAX_WHOLE_POWER 1024

/* ln 2 without the two parts of power.h */
#define LN2_REST 1.1612227229362532e-26

static const IfbamPair half_pi = { 1.5707963267948966, 6.123233995736766e-17 };

static IfbamPair
negative (IfbamPair a)
{
  return (IfbamPair){ -a.high, -a.low };
}

static IfbamPair
divide (IfbamPair a, IfbamPair b)
{
  const double first = a.high / b.high;
  const IfbamPair rest =
      ifbam_pair_add (a, negative (ifbam_pair_multiply (b, (IfbamPair){ first, 0 })));
  const double second = rest.high / b.high;
  const IfbamPair last =
      ifbam_pair_add (rest, negative (ifbam_pair_multiply (b, (IfbamPair){ second, 0 })));

  return ifbam_pair_add (ifbam_sum (first, second), (IfbamPair){ last.high / b.high, 0 });
}

static IfbamPair
of (double x)
{
  return (IfbamPair){ x, 0 };
}

/* Returns the sum of sign^k x^n / n! over n = first, first + step, ..., with k = 0, 1, ... */
static IfbamPair
series (IfbamPair x, int first, int step, double sign)
{
  IfbamPair term = first == 0 ? of (1) : x, sum = term;

  for (int n = first + 1; n < SERIES_TERMS; n++)
    {
      term = divide (ifbam_pair_multiply (term, x), of (n));
      if ((n - first) % step == 0)
        {
          term = step == 2 ? (IfbamPair){ sign * term.high, sign * term.low } : term;
          sum = ifbam_pair_add (sum, term);
        }
    }
  return sum;
}

/* Sine and cosine of x [rad] */
static void
sine_cosine (IfbamPair x, IfbamPair *sine, IfbamPair *cosine)
{
  const double quarters = ifbam_nearest (x.high / half_pi.high);
  /* The third part of pi/2: quarters of up to 10^9 cost no digits. */
  IfbamPair rest = ifbam_pair_add (x, negative (ifbam_product (quarters, half_pi.high)));
  IfbamPair s, c;

  rest = ifbam_pair_add (rest, negative (ifbam_product (quarters, half_pi.low)));
  rest = ifbam_pair_add (rest, of (quarters * 1.4973849048591833e-33));
  s = series (rest, 1, 2, -1);
  c = series (rest, 0, 2, -1);
  switch ((int) ((long) quarters & 3))
    {
    case 0:
      *sine = s, *cosine = c;
      break;
    case 1:
      *sine = c, *cosine = negative (s);
      break;
    case 2:
      *sine = negative (s), *cosine = negative (c);
      break;
    default:
      *sine = negative (c), *cosine = s;
      break;
    }
}

static double
rounded (IfbamPair x)
{
  return x.high + x.low;
}

/* e^x; *k: the power of two by which the result is to be multiplied */
static IfbamPair
exponential (IfbamPair x, double *k)
{
  IfbamPair rest;

  *k = ifbam_nearest (x.high * (1.0 / (IFBAM_LN2_HIGH + IFBAM_LN2_LOW)));
  rest = ifbam_pair_add (x, of (-*k * IFBAM_LN2_HIGH));
  rest = ifbam_pair_add (rest, negative (ifbam_product (*k, IFBAM_LN2_LOW)));
  return series (ifbam_pair_add (rest, of (-*k * LN2_REST)), 0, 1, 1);
}

/* ln x for a positive, finite x; near 1 it is 2 artanh s, s = (x - 1) / (x + 1), as its digits would cancel. */
static IfbamPair
logarithm (double x)
{
  const IfbamPair first = ifbam_logarithm_of (x);
  IfbamPair s, square, sum = of (0), ratio;
  double k, half;

  if (fabs (x - 1) < 0.01)
    {
      s = divide (of (x - 1), ifbam_pair_add (of (x), of (1)));
      square = ifbam_pair_multiply (s, s);
      for (int n = 15; n > 0; n -= 2)
        sum = ifbam_pair_add (ifbam_pair_multiply (sum, square), divide (of (2), of (n)));
      return ifbam_pair_multiply (s, sum);
    }
  ratio = exponential (negative (first), &k);
  half = ifbam_nearest (0.5 * k);
  x = x * ifbam_two_to (half) * ifbam_two_to (k - half);
  return ifbam_pair_add (first, ifbam_pair_add (ifbam_pair_multiply (ratio, of (x)), of (-1)));
}

/* arctan of a / b, b >= 0 */
static IfbamPair
arctangent (IfbamPair a, IfbamPair b)
{
  const int is_steep = fabs (a.high) > b.high;
  const double sign = a.high < 0 ? -1 : 1;
  const IfbamPair x = !is_steep  ? divide (a, b)
                      : sign < 0 ? divide (negative (b), negative (a))
                                 : divide (b, a);
  /* Its error is below 0.005, and that of a step e^7/7. */
  IfbamPair angle = of (x.high / (1 + 0.28 * x.high * x.high)), sine, cosine;

  for (int i = 0; i < 2; i++)
    {
      IfbamPair error;
      double square;

      sine_cosine (angle, &sine, &cosine);
      error = divide (ifbam_pair_add (ifbam_pair_multiply (x, cosine), negative (sine)),
                      ifbam_pair_add (cosine, ifbam_pair_multiply (x, sine)));
      square = error.high * error.high;
      angle = ifbam_pair_add (angle, error);
      angle = ifbam_pair_add (angle, of (error.high * square * (square / 5 - 1.0 / 3)));
    }
  if (!is_steep)
    return angle;
  return sign > 0 ? ifbam_pair_add (half_pi, negative (angle))
                  : ifbam_pair_add (negative (half_pi), negative (angle));
}

/* Functions */

double
ifbam_exact_sine (double x)
{
  IfbamPair sine, cosine;

  sine_cosine (of (x), &sine, &cosine);
  return fabs (x) > MAX_ANGLE ? NAN : x == 0 ? x : rounded (sine);
}

double
ifbam_exact_cosine (double x)
{
  IfbamPair sine, cosine;

  sine_cosine (of (x), &sine, &cosine);
  return fabs (x) > MAX_ANGLE ? NAN : rounded (cosine);
}

double
ifbam_exact_tangent (double x)
{
  IfbamPair sine, cosine;

  sine_cosine (of (x), &sine, &cosine);
  return fabs (x) > MAX_ANGLE ? NAN : x == 0 ? x : rounded (divide (sine, cosine));
}

/* arcsin x, |x| < 1 */
static IfbamPair
arcsine (double x)
{
  const IfbamPair square =
      ifbam_pair_multiply (ifbam_pair_add (of (1), of (x)), ifbam_pair_add (of (1), of (-x)));
  const double root = sqrt (square.high);
  const IfbamPair rest = ifbam_pair_add (square, negative (ifbam_product (root, root)));

  return arctangent (of (x), ifbam_sum (root, rest.high / (2 * root)));
}

double
ifbam_exact_arcsine (double x)
{
  return x == 0 ? x : fabs (x) < 1 ? rounded (arcsine (x)) : fabs (x) == 1 ? x * half_pi.high : NAN;
}

double
ifbam_exact_arccosine (double x)
{
  return fabs (x) < 1 ? rounded (ifbam_pair_add (half_pi, negative (arcsine (x))))
         : x == 1     ? 0
         : x == -1    ? 2 * half_pi.high
                      : NAN;
}

double
ifbam_exact_arctangent (double x)
{
  return x != x || fabs (x) < 1e-150 ? x
         : fabs (x) < 1e300          ? rounded (arctangent (of (x), of (1)))
                                     : copysign (half_pi.high, x);
}

double
ifbam_exact_exponential (double x)
{
  double k;
  IfbamPair result;

  if (!(x > -746 && x < 710))
    return x != x ? x : x > 0 ? INFINITY : 0;
  result = ifbam_quick_exponential (x, &k);
  if (!ifbam_quick_is_rounded (result))
    result = exponential (of (x), &k);
  return ifbam_pair_scaled (result, k);
}

double
ifbam_exact_logarithm (double x)
{
  return x > 0 && x < INFINITY ? rounded (logarithm (x)) : x == 0 ? -INFINITY : x > 0 ? x : NAN;
}

double
ifbam_exact_power (double x, double y)
{
  const int is_whole = y == trunc (y), is_odd = is_whole && fmod (y, 2) != 0;
  const double size = ifbam_power (fabs (x), y), sign = x < 0 && is_odd ? -1 : 1;
  IfbamPair product = of (1), factor = of (x);
  double k = 0;

  if (y == 0 || x == 1)
    return 1;
  if (y == 2)
    return x * x;
  if (x < 0 && !is_whole)
    return NAN;
  if (!(size > 1e-280 && size < 1e280))
    return sign * size;
  if (!is_whole || fabs (y) > MAX_WHOLE_POWER)
    {
      product = exponential (ifbam_pair_multiply (logarithm (fabs (x)), of (y)), &k);
      return sign * ifbam_pair_scaled (product, k);
    }
  for (unsigned n = (unsigned) fabs (y); n > 0; n >>= 1)
    {
      product = n & 1 ? ifbam_pair_multiply (product, factor) : product;
      factor = n > 1 ? ifbam_pair_multiply (factor, factor) : factor;
    }
  return rounded (y < 0 ? divide (of (1), product) : product);
}
