/* magnet-law.h: pull of a pole on a body that moves past it; freestanding C
 *
 *   V = -strength / r,  r^2 = (delta - pole)^2 + core^2     [J]
 *   F = strength (delta - pole) / r^3                       [N]
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double strength; /* [N m2] */
  double pole;     /* where it is [m] */
  double core;     /* how near the body comes to it at most [m] */
} MagnetLaw;

static inline double
magnet_distance (const MagnetLaw *p, double delta)
{
  return sqrt ((delta - p->pole) * (delta - p->pole) + p->core * p->core);
}

static inline double
magnet_force (const MagnetLaw *p, int mode, double delta, double rate)
{
  const double r = magnet_distance (p, delta);

  (void) mode, (void) rate;
  return p->strength * (delta - p->pole) / (r * r * r);
}

static inline double
magnet_energy (const MagnetLaw *p, int mode, double delta)
{
  (void) mode;
  return -p->strength / magnet_distance (p, delta);
}
