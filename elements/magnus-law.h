/* magnus-law.h: lift of a ball or body that turns in air; freestanding C
 *
 *   S w (-v_y, v_x)   [N]
 *
 * w: angular speed, v: velocity. The row is w (v_y, -v_x) (geometry-plane.c), the force along it S;
 * it does no work and stores no energy. (Magnus 1852; for a ball in an ideal fluid S is a fraction
 * of the displaced mass: Rubinow & Keller 1961.)
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

typedef struct
{
  double coefficient; /* S [kg] */
} MagnusLaw;

static inline double
magnus_force (const MagnusLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta, (void) rate;
  return p->coefficient;
}

static inline double
magnus_energy (const MagnusLaw *p, int mode, double delta)
{
  (void) mode;
  return p->coefficient * delta;
}
