/* shockley-diode-law.h: exponential diode, anode (left) to cathode (right); freestanding C
 *
 *   I = Is (e^(v/w) - 1) - Ib (e^(-(v + B)/w) - e^(-B/w))   [A]
 *   v = voltage [V], w = emission * thermal voltage
 *
 * The second term is the reverse breakdown at the voltage B (Zener diode); none for B = 0. Shockley
 * 1949, "The theory of p-n junctions in semiconductors and p-n junction transistors", Bell System
 * Technical Journal 28, 435-489.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "elements/exponential.h"

typedef struct
{
  double saturation;        /* Is [A] */
  double emission;          /* 1 to 2 */
  double thermal;           /* k T/q [V] */
  double breakdown;         /* B [V] */
  double breakdown_current; /* Ib [A] */
} ShockleyDiodeLaw;

IFBAM_ALWAYS_INLINE double
shockley_diode_force (const ShockleyDiodeLaw *p, int mode, double delta, double rate)
{
  const double w = p->emission * p->thermal;
  const double back =
      exponential_value (-(rate + p->breakdown) / w) - exponential_value (-p->breakdown / w);

  (void) mode, (void) delta;
  return p->saturation * exponential_growth (rate / w)
         - (p->breakdown > 0.0 ? p->breakdown_current : 0.0) * back;
}

static inline double
shockley_diode_energy (const ShockleyDiodeLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline double
shockley_diode_step_limit (const ShockleyDiodeLaw *p, double delta, double rate, double by_delta,
                           double by_rate)
{
  const double w = p->emission * p->thermal;
  const double onward = exponential_step_limit (rate / w, by_rate / w);
  const double back = exponential_step_limit (-(rate + p->breakdown) / w, -by_rate / w);

  (void) delta, (void) by_delta;
  return p->breakdown > 0.0 && back < onward ? back : onward;
}

static inline int
shockley_diode_slopes (const ShockleyDiodeLaw *p, int mode, double delta, double rate,
                       double *stiffness, double *damping)
{
  const double w = p->emission * p->thermal;

  (void) mode, (void) delta;
  *stiffness = 0.0;
  *damping = p->saturation / w * exponential_slope (rate / w)
             + (p->breakdown > 0.0 ? p->breakdown_current / w : 0.0)
                   * exponential_slope (-(rate + p->breakdown) / w);
  return 1;
}
