/* runge-kutta-stage.h: classical Runge-Kutta scheme of order four: a node's stages; freestanding C
 *
 * Kutta 1901; Hairer, Norsett & Wanner 1993, Solving ODEs I, II.1.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/plain-stage.h"

enum
{
  RUNGE_KUTTA_POSITION,
  RUNGE_KUTTA_RATE,
  RUNGE_KUTTA_SAID_POSITION,
  RUNGE_KUTTA_SAID_RATE,
  RUNGE_KUTTA_POSITION_SUM,
  RUNGE_KUTTA_RATE_SUM,
  RUNGE_KUTTA_COLUMNS, /* c0 to c5 below, in this order */
};

static inline void
runge_kutta_begin (int before, size_t n, double *const *column, const double *position,
                   const double *rate, const double *acceleration, double step)
{
  (void) before;
  (void) acceleration;
  (void) step;
  for (size_t i = 0; i < n; i++)
    {
      column[RUNGE_KUTTA_POSITION][i] = column[RUNGE_KUTTA_SAID_POSITION][i] = position[i];
      column[RUNGE_KUTTA_RATE][i] = column[RUNGE_KUTTA_SAID_RATE][i] = rate[i];
    }
}

/* Slopes k_s = (message's rate, acceleration) of stages 0 to 3. The next stage's message is the
 * start plus reach * k_s; the step's end is the start plus tau (k_0 + 2 k_1 + 2 k_2 + k_3)/6. */
IFBAM_INLINE void
runge_kutta_set_next_message (IFBAM_NODE_COLUMNS, size_t i, double acceleration, double reach)
{
  (void) c4, (void) c5;
  c2[i] = c0[i] + reach * c3[i];
  c3[i] = c1[i] + reach * acceleration;
}

IFBAM_INLINE void
runge_kutta_first (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c4[i] = c3[i];
  c5[i] = acceleration;
  runge_kutta_set_next_message (c0, c1, c2, c3, c4, c5, i, acceleration, 0.5 * step);
}

/* Stages 1 and 2; reach: to the next stage. */
IFBAM_INLINE void
runge_kutta_middle (IFBAM_NODE_COLUMNS, size_t i, double acceleration, double reach)
{
  c4[i] += 2.0 * c3[i];
  c5[i] += 2.0 * acceleration;
  runge_kutta_set_next_message (c0, c1, c2, c3, c4, c5, i, acceleration, reach);
}

IFBAM_INLINE void
runge_kutta_second (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  runge_kutta_middle (c0, c1, c2, c3, c4, c5, i, inverse_inertia * force, 0.5 * step);
}

IFBAM_INLINE void
runge_kutta_third (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  runge_kutta_middle (c0, c1, c2, c3, c4, c5, i, inverse_inertia * force, step);
}

IFBAM_INLINE void
runge_kutta_fourth (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c0[i] += (step / 6.0) * (c4[i] + c3[i]);
  c1[i] += (step / 6.0) * (c5[i] + acceleration);
  c2[i] = c0[i];
  c3[i] = c1[i];
}
