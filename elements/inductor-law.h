/* inductor-law.h: ideal inductor; freestanding C
 *
 *   I = I0 + delta / L   [A]   delta = flux_left - flux_right [V s], the integral of the voltage
 *   V = L I^2 / 2        [J]
 *
 * Faraday 1832; as a prestressed spring: Firestone 1933. The current flows from left to right.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double inductance; /* L [H] */
  double current;    /* I0 [A] */
} InductorLaw;

static inline double
inductor_force (const InductorLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) rate;
  return p->current + delta / p->inductance;
}

static inline double
inductor_energy (const InductorLaw *p, int mode, double delta)
{
  double current = p->current + delta / p->inductance;

  (void) mode;
  return 0.5 * p->inductance * (current * current);
}
