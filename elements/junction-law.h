/* junction-law.h: where links meet, without inertia; freestanding C
 *
 *   0 = sum of the forces   (Kirchhoff 1845 of currents; d'Alembert 1743 with a mass of 0)
 *
 * Where only springs end in it (or inductors, as for fluxes), the sum says where it is; where a damper does, how fast it
 * goes, and where it starts is its own.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double
      position; /* at the start, as far as its links leave it open [m], angle [rad], flux [V s] */
} JunctionLaw;

static inline double
junction_inertia (const JunctionLaw *p)
{
  (void) p;
  return 0.0;
}
