/* junction-law.h: massless node; freestanding C
 *
 *   0 = sum of the forces   (Kirchhoff 1845 for currents; d'Alembert 1743 with a mass of 0)
 *
 * With springs (or inductors) alone the sum determines the position; with a damper the velocity,
 * and the start position is a parameter.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  /* at the start, if not determined by the links [m], angle [rad], flux [V s] */
  double position;
} JunctionLaw;

static inline double
junction_inertia (const JunctionLaw *p)
{
  (void) p;
  return 0.0;
}
