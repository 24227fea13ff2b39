/* kick-drift-stage.h: euler, symplectic-euler and verlet: a node's step; freestanding C
 *
 * Euler 1768; Hairer, Lubich & Wanner 2006, I.1.4; Verlet 1967; Swope, Andersen, Berens & Wilson
 * 1982.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/plain-stage.h"

enum
{
  VERLET_POSITION,
  VERLET_RATE,
  VERLET_ACCELERATION,
  VERLET_SAID_POSITION,
  VERLET_SAID_RATE,
};

/* x[i+1] = x[i] + tau v[i], v[i+1] = v[i] + tau a[i] */
IFBAM_INLINE void
euler (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  (void) c2, (void) c3, (void) c4, (void) c5;
  c0[i] += step * c1[i];
  c1[i] += (step * inverse_inertia) * force;
}

/* v[i+1] = v[i] + tau a[i], x[i+1] = x[i] + tau v[i+1] */
IFBAM_INLINE void
symplectic_euler (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  (void) c2, (void) c3, (void) c4, (void) c5;
  c1[i] += (step * inverse_inertia) * force;
  c0[i] += step * c1[i];
}

/* Message for the end of the coming step: the position is final, the rate an estimate with the old
 * acceleration over the whole step. Half-step velocities in dampers would give order 1. */
static inline void
verlet_set_message (size_t i, double *const *column, double step)
{
  double kick = step * column[VERLET_ACCELERATION][i];

  column[VERLET_SAID_POSITION][i] =
      column[VERLET_POSITION][i] + step * (column[VERLET_RATE][i] + 0.5 * kick);
  column[VERLET_SAID_RATE][i] = column[VERLET_RATE][i] + kick;
}

static inline void
verlet_begin (int before, size_t n, double *const *column, const double *position,
              const double *rate, const double *acceleration, double step)
{
  (void) before;
  for (size_t i = 0; i < n; i++)
    {
      column[VERLET_POSITION][i] = position[i];
      column[VERLET_RATE][i] = rate[i];
      column[VERLET_ACCELERATION][i] = acceleration[i];
      verlet_set_message (i, column, step);
    }
}

/* x[i+1] = x[i] + tau v[i] + tau^2 a[i]/2, v[i+1] = v[i] + tau (a[i] + a[i+1])/2 */
IFBAM_INLINE void
verlet (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;
  double position = c3[i];
  double rate = c1[i] + (0.5 * step) * (c2[i] + acceleration);
  double kick = step * acceleration;

  (void) c5;
  c0[i] = position;
  c1[i] = rate;
  c2[i] = acceleration;
  c3[i] = position + step * (rate + 0.5 * kick);
  c4[i] = rate + kick;
}
