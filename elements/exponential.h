/* exponential.h: e^u - 1 and its integral, without cancellation for small u; freestanding C
 *
 * Beyond u = 500, outside of any useful range, e^u is continued by its tangent, so that all values
 * are finite. For |u| < 1 the series is used (Abramowitz & Stegun 1964, 4.2.1), up to u^18/18!: the
 * remainder is below 1e-17.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/power.h"

/* (e^u - 1 - u)/u^2 for |u| < 1 */
IFBAM_ALWAYS_INLINE double
exponential_series (double u)
{
  double sum = 1.0 / 6402373705728000.0;

  sum = sum * u + 1.0 / 355687428096000.0;
  sum = sum * u + 1.0 / 20922789888000.0;
  sum = sum * u + 1.0 / 1307674368000.0;
  sum = sum * u + 1.0 / 87178291200.0;
  sum = sum * u + 1.0 / 6227020800.0;
  sum = sum * u + 1.0 / 479001600.0;
  sum = sum * u + 1.0 / 39916800.0;
  sum = sum * u + 1.0 / 3628800.0;
  sum = sum * u + 1.0 / 362880.0;
  sum = sum * u + 1.0 / 40320.0;
  sum = sum * u + 1.0 / 5040.0;
  sum = sum * u + 1.0 / 720.0;
  sum = sum * u + 1.0 / 120.0;
  sum = sum * u + 1.0 / 24.0;
  sum = sum * u + 1.0 / 6.0;
  return sum * u + 0.5;
}

#define EXPONENTIAL_NEAR(u) ((u) > 1.0 ? 1.0 : (u) < -1.0 ? -1.0 : (u))
#define EXPONENTIAL_MOST(u) ((u) > 500.0 ? 500.0 : (u))

/* e^u, continued by its tangent */
IFBAM_ALWAYS_INLINE double
exponential_value (double u)
{
  const double limited = EXPONENTIAL_MOST (u);

  return ifbam_exponential (limited) * (1.0 + (u - limited));
}

/* slope of exponential_value */
IFBAM_ALWAYS_INLINE double
exponential_slope (double u)
{
  return ifbam_exponential (EXPONENTIAL_MOST (u));
}

/* Returns the fraction of a change of u by which the tangent at u still describes e^u: limiting of
 * junction voltages, Nagel 1975, SPICE2, section 4.2 */
IFBAM_ALWAYS_INLINE double
exponential_step_limit (double u, double by)
{
  const double from = u > 0.0 ? u : 0.0, beyond = u + by - from;

  return beyond > 2.0 ? (from - u + ifbam_logarithm (1.0 + beyond)) / by : 1.0;
}

/* e^u - 1 */
IFBAM_ALWAYS_INLINE double
exponential_growth (double u)
{
  const double near = EXPONENTIAL_NEAR (u);

  return near == u ? near + near * near * exponential_series (near) : exponential_value (u) - 1.0;
}

/* e^u - 1 - u, the integral of exponential_growth from 0 */
IFBAM_ALWAYS_INLINE double
exponential_area (double u)
{
  const double near = EXPONENTIAL_NEAR (u), beyond = u - EXPONENTIAL_MOST (u);

  return near == u ? near * near * exponential_series (near)
                   : exponential_slope (u) * (1.0 + beyond * (1.0 + 0.5 * beyond)) - 1.0 - u;
}
