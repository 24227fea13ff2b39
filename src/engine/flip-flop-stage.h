/* flip-flop-stage.h: the paper's flip-flop: start, cycle and sample of a node; freestanding C
 *
 * Grabysz 1994, eqs. 4.1 to 4.3.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#pragma once

#include "engine/stage.h"

enum
{
  FLIP_FLOP_POSITION,
  FLIP_FLOP_RATE,
  FLIP_FLOP_EARLIER_POSITION,
  FLIP_FLOP_EARLIER_RATE,
  FLIP_FLOP_COLUMNS,
};

/* Stores the new position and rate over the earliest; the caller then exchanges the columns. */
IFBAM_INLINE void
flip_flop (IFBAM_NODE_COLUMNS, size_t i, double inverse_inertia, double force, double step)
{
  double rate = c3[i] + ((2.0 * step) * inverse_inertia) * force;

  (void) c1, (void) c4, (void) c5;
  c3[i] = rate;
  c2[i] = c0[i] + step * rate;
}

static inline void
flip_flop_observe (size_t node, double *const *column, double *position, double *rate)
{
  *position = column[FLIP_FLOP_EARLIER_POSITION][node];
  *rate = 0.5 * (column[FLIP_FLOP_EARLIER_RATE][node] + column[FLIP_FLOP_RATE][node]);
}

/* Returns x(-j tau) of the parabola through the start. */
static inline double
flip_flop_ghost (int j, double position, double rate, double acceleration, double step)
{
  double back = j * step;

  return position - back * rate + 0.5 * (back * back) * acceleration;
}

static inline void
flip_flop_begin (int before, size_t n, double *const *column, const double *position,
                 const double *rate, const double *acceleration, double step)
{
  const int now = before ? 1 : 0;

  for (size_t i = 0; i < n; i++)
    {
      double x[3];

      for (int j = 0; j < 3; j++)
        x[j] = now + j == 0
                   ? position[i]
                   : flip_flop_ghost (now + j, position[i], rate[i], acceleration[i], step);
      column[FLIP_FLOP_POSITION][i] = x[0];
      column[FLIP_FLOP_EARLIER_POSITION][i] = x[1];
      column[FLIP_FLOP_RATE][i] = (x[0] - x[1]) / step;
      column[FLIP_FLOP_EARLIER_RATE][i] = (x[1] - x[2]) / step;
    }
}

/* The paper's start: no motion before, and the links' first mean begins at zero. */
static inline void
flip_flop_begin_cold (int before, size_t n, double *const *column, const double *position,
                      const double *rate, const double *acceleration, double step)
{
  (void) acceleration;
  (void) step;
  for (size_t i = 0; i < n; i++)
    {
      column[FLIP_FLOP_POSITION][i] = position[i];
      column[FLIP_FLOP_EARLIER_POSITION][i] = before ? 0.0 : position[i];
      column[FLIP_FLOP_RATE][i] = column[FLIP_FLOP_EARLIER_RATE][i] = rate[i];
    }
}
