/* gravity-law.h: uniform gravity; freestanding C
 *
 *   F = -m g     [N]   g: acceleration, toward negative positions
 *   V = m g x    [J]
 *
 * Galilei 1638; Newton 1687.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double acceleration; /* g [m/s2] */
} GravityLaw;

static inline double
gravity_force (const GravityLaw *p, double inertia)
{
  return -(inertia * p->acceleration);
}

static inline double
gravity_energy (const GravityLaw *p, double inertia, double position)
{
  return inertia * p->acceleration * position;
}
