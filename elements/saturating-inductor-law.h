/* saturating-inductor-law.h: inductor with a saturating core; freestanding C
 *
 *   I = psi/Ls - (1/Ls - 1/L) psi_s tanh (psi/psi_s)               [A]   psi = flux + delta [V s]
 *   V = psi^2/(2 Ls) - (1/Ls - 1/L) psi_s^2 ln cosh (psi/psi_s)    [J]
 *
 * L: inductance at small flux linkage, Ls: far beyond psi_s. delta = flux_left - flux_right, the
 * integral of the voltage. A curve of two slopes as in Chua & Stromsmoe 1970, "Lumped-circuit
 * models for nonlinear inductors exhibiting hysteresis loops", IEEE Transactions on Circuit Theory
 * 17, 564-574, without their loss.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

#include "elements/exponential.h"

typedef struct
{
  double inductance; /* L [H] */
  double saturated;  /* Ls [H] */
  double saturation; /* psi_s [V s] */
  double flux;       /* at the start [V s] */
} SaturatingInductorLaw;

/* tanh u by e^(-2 |u|), without cancellation */
IFBAM_ALWAYS_INLINE double
saturation_bend (double u)
{
  const double growth = exponential_growth (-2.0 * fabs (u));
  const double size = -growth / (2.0 + growth);

  return u < 0.0 ? -size : size;
}

/* ln cosh u. |u| < 1: cosh^2 u = 1 + sinh^2 u, ln (1 + s) with Kahan's correction (1979) */
IFBAM_ALWAYS_INLINE double
saturation_area (double u)
{
  const double size = fabs (u), growth = exponential_growth (-2.0 * size);
  const double within = size < 1.0 ? size : 1.0,
               sinh = 0.5 * (exponential_growth (within) - exponential_growth (-within));
  const double square = sinh * sinh, sum = 1.0 + square;
  const double near = 0.5 * (ifbam_logarithm (sum) - ((sum - 1.0) - square) / sum);

  return size < 1.0 ? near : size + ifbam_logarithm (1.0 + 0.5 * growth);
}

IFBAM_ALWAYS_INLINE double
saturating_inductor_force (const SaturatingInductorLaw *p, int mode, double delta, double rate)
{
  const double psi = p->flux + delta;

  (void) mode, (void) rate;
  return psi / p->saturated
         - (1.0 / p->saturated - 1.0 / p->inductance) * p->saturation
               * saturation_bend (psi / p->saturation);
}

IFBAM_ALWAYS_INLINE double
saturating_inductor_energy (const SaturatingInductorLaw *p, int mode, double delta)
{
  const double psi = p->flux + delta;

  (void) mode;
  return 0.5 * psi * psi / p->saturated
         - (1.0 / p->saturated - 1.0 / p->inductance) * (p->saturation * p->saturation)
               * saturation_area (psi / p->saturation);
}

static inline int
saturating_inductor_slopes (const SaturatingInductorLaw *p, int mode, double delta, double rate,
                            double *stiffness, double *damping)
{
  const double bend = saturation_bend ((p->flux + delta) / p->saturation);

  (void) mode, (void) rate;
  *stiffness =
      1.0 / p->saturated - (1.0 / p->saturated - 1.0 / p->inductance) * (1.0 - bend * bend);
  *damping = 0.0;
  return p->saturated != p->inductance;
}
