/* drag-law.h: air resistance; freestanding C
 *
 *   F = c |rate| rate   [N]   rate = velocity against the air [m/s]
 *
 * Newton 1687, Principia II, section VII; stores no energy.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include <math.h>

typedef struct
{
  double coefficient; /* c [kg/m], half of density times area times drag coefficient */
} DragLaw;

static inline double
drag_force (const DragLaw *p, int mode, double delta, double rate)
{
  (void) mode, (void) delta;
  return p->coefficient * (fabs (rate) * rate);
}

static inline double
drag_energy (const DragLaw *p, int mode, double delta)
{
  (void) p, (void) mode, (void) delta;
  return 0.0;
}

static inline int
drag_slopes (const DragLaw *p, int mode, double delta, double rate, double *stiffness,
             double *damping)
{
  (void) mode, (void) delta;
  *stiffness = 0.0;
  *damping = 2.0 * p->coefficient * fabs (rate);
  return p->coefficient != 0.0;
}
