/* magnus-law.h: lift of a ball or body that turns in air; freestanding C
 *
 *   S w (-v_y, v_x)   [N]
 *
 * w: angular speed, v: velocity. Its row is w (v_y, -v_x) (geometry-plane.c), along which it says S, and does no work;
 * there is no compression that could store any. (Magnus 1852; of a ball in an ideal fluid S is a part of what it
 * displaces: Rubinow & Keller 1961.)
 *
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
