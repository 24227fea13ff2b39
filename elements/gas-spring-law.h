/* gas-spring-law.h: gas between two pistons, or a piston and the head; freestanding C
 *
 *   F = area (pressure (length/(length - delta))^exponent - ambient)   [N]
 *
 * delta = x_left - x_right, in the plane length - distance [m]; `length`, `pressure` hold at delta
 * = 0.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/gas-law.h"

typedef struct
{
  double area;     /* [m2] */
  double pressure; /* absolute [Pa] */
  double ambient;  /* absolute [Pa] */
  double exponent;
  double length; /* [m] */
} GasSpringLaw;

IFBAM_ALWAYS_INLINE double
gas_spring_force (const GasSpringLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->area * (p->pressure * gas_pressure (delta / p->length, p->exponent) - p->ambient);
}

IFBAM_ALWAYS_INLINE double
gas_spring_energy (const GasSpringLaw *p, int mode, double delta)
{
  (void) mode;
  return p->area
         * (p->pressure * p->length * gas_work (delta / p->length, p->exponent)
            - p->ambient * delta);
}

static inline int
gas_spring_slopes (const GasSpringLaw *p, int mode, double delta, double rate, double *stiffness,
                   double *damping)
{
  (void) mode, (void) rate;
  *stiffness = p->area * p->pressure * gas_stiffness (delta / p->length, p->exponent) / p->length;
  *damping = 0.0;
  return 1;
}
