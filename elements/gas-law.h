/* gas-law.h: pressure and work of a gas by its volume; freestanding C
 *
 *   p = p0 s^-n,  W = p0 V0 (s^(1-n) - 1)/(n - 1), for n = 1: -p0 V0 ln s,  s = V/V0 = 1 - c
 *
 * with the exponent n (1: isothermal; 1.4: adiabatic, for air; Poisson 1823). W is the work of
 * compression from V0. Below V0/100, where the law of gases no longer holds, the pressure is
 * continued by its tangent: each volume has a pressure, none is negative.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "base/power.h"

#define GAS_LEAST 1e-2 /* fraction of the volume */

/* (e^u - 1)/u: by its series for small u (Abramowitz & Stegun 1964, 4.2.1), against cancellation */
IFBAM_ALWAYS_INLINE double
gas_growth (double u)
{
  const double series =
      1.0
      + u * (1.0 / 2)
            * (1.0
               + u * (1.0 / 3)
                     * (1.0
                        + u * (1.0 / 4)
                              * (1.0
                                 + u * (1.0 / 5)
                                       * (1.0
                                          + u * (1.0 / 6)
                                                * (1.0 + u * (1.0 / 7) * (1.0 + u * (1.0 / 8)))))));

  return fabs (u) < 0.03125 ? series : (ifbam_exponential (u) - 1.0) / u;
}

/* ln s for a compression c within GAS_WITHIN, the law's range. 1 - c would lose digits for small c
 * (Kahan 1979, as in Goldberg 1991, theorem 4). */
IFBAM_ALWAYS_INLINE double
gas_logarithm (double c)
{
  const double s = 1.0 - c;

  return ifbam_logarithm (s) - ((s - 1.0) + c) / s;
}

#define GAS_WITHIN(c) ((c) < 1.0 - GAS_LEAST ? (c) : 1.0 - GAS_LEAST)

/* p/p0 */
IFBAM_ALWAYS_INLINE double
gas_pressure (double c, double exponent)
{
  const double within = GAS_WITHIN (c);

  return ifbam_exponential (-exponent * gas_logarithm (within))
         * (1.0 + exponent * (c - within) / (1.0 - within));
}

/* W/(p0 V0) */
IFBAM_ALWAYS_INLINE double
gas_work (double c, double exponent)
{
  const double within = GAS_WITHIN (c), beyond = c - within;
  const double logarithm = -gas_logarithm (within);

  return logarithm * gas_growth ((exponent - 1.0) * logarithm)
         + ifbam_exponential (exponent * logarithm) * beyond
               * (1.0 + 0.5 * exponent * beyond / (1.0 - within));
}

/* d (p/p0)/dc */
IFBAM_ALWAYS_INLINE double
gas_stiffness (double c, double exponent)
{
  const double within = GAS_WITHIN (c);

  return ifbam_exponential (-exponent * gas_logarithm (within)) * exponent / (1.0 - within);
}
