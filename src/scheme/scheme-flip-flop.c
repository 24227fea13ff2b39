/* scheme-flip-flop.c: the paper's two schemes, whose messages take one cycle
 *
 *   v[i+1] = v[i-1] + 2 tau F / m     central difference    (Grabysz 1994, eq. 4.1)
 *   x[i+1] = x[i] + tau v[i+1]        backward difference   (eq. 4.2)
 *
 * F was computed by the links in the cycle before: from the positions of cycle i-1 (`original`), or
 * as the mean over the path to the extrapolated positions (`averaged`, eqs. 4.4 to 4.7).
 * v[i] = (x[i] - x[i-1])/tau stands half a step before x[i].
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme/scheme-kernel.h"

enum
{
  POSITION,
  RATE,
  EARLIER_POSITION,
  EARLIER_RATE,
  N_COLUMNS,
};

/* Writes the new position and rate over the earliest; the caller then lets the columns change
 * places. */
IFBAM_INLINE void
flip_flop (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  double rate = c3[i] + ((2.0 * step) * inverse_inertia) * force;

  (void) c1, (void) c4, (void) c5;
  c3[i] = rate;
  c2[i] = c0[i] + step * rate;
}

IFBAM_NODE_KERNELS (flip_flop)

static void
observe_one (gsize node, double *const *column, double *position, double *rate)
{
  *position = column[EARLIER_POSITION][node];
  *rate = 0.5 * (column[EARLIER_RATE][node] + column[RATE][node]);
}

static void
observe (gsize first, gsize last, double *const *column, double *restrict position,
         double *restrict rate)
{
  for (gsize i = first; i < last; i++)
    observe_one (i, column, &position[i - first], &rate[i - first]);
}

/* x(-j tau) of the parabola through the start. */
static double
ghost (int j, double position, double rate, double acceleration, double step)
{
  double back = j * step;

  return position - back * rate + 0.5 * (back * back) * acceleration;
}

static void
begin_warm (gboolean before, gsize n, double *const *column, const double *position,
            const double *rate, const double *acceleration, double step)
{
  const int now = before ? 1 : 0;

  for (gsize i = 0; i < n; i++)
    {
      double x[3];

      for (int j = 0; j < 3; j++)
        x[j] = now + j == 0 ? position[i]
                            : ghost (now + j, position[i], rate[i], acceleration[i], step);
      column[POSITION][i] = x[0];
      column[EARLIER_POSITION][i] = x[1];
      column[RATE][i] = (x[0] - x[1]) / step;
      column[EARLIER_RATE][i] = (x[1] - x[2]) / step;
    }
}

/* The paper's start: nothing has moved before, and the links' first force remembers zero. */
static void
begin_cold (gboolean before, gsize n, double *const *column, const double *position,
            const double *rate, const double *acceleration, double step)
{
  (void) acceleration;
  (void) step;
  for (gsize i = 0; i < n; i++)
    {
      column[POSITION][i] = position[i];
      column[EARLIER_POSITION][i] = before ? 0.0 : position[i];
      column[RATE][i] = column[EARLIER_RATE][i] = rate[i];
    }
}

#define FLIP_FLOP                                                                                  \
  .latency = TRUE, .velocity_lag = 0.5, .row_position = EARLIER_POSITION, .n_columns = N_COLUMNS,  \
  .said_position = POSITION, .said_rate = RATE, .derivative = { 0, 1, 0, 1 }, .n_stages = 1,       \
  .begin = begin_warm, .begin_cold = begin_cold, .update = { IFBAM_NODE_ROWS (flip_flop) },        \
  .update_few = { IFBAM_FEW_ROW (flip_flop) }, .observe = observe, .observe_one = observe_one

extern const IfbamScheme ifbam_scheme_original, ifbam_scheme_averaged;

/* (z-1)^2 (z+1) + 2 h^2 z + 2 d (z-1) = 0 */
const IfbamScheme ifbam_scheme_original = {
  .name = "original",
  .summary = "the paper's first: links answer for the positions that they hear",
  .stability = "grows at every step, at about omega^2 step / 4 per second",
  .source = "Grabysz 1994, eqs. 4.1 to 4.3",
  .order = 1,
  FLIP_FLOP,
  .characteristic = { { 1 }, { -1, 2 }, { -1 }, { 1 } },
  .damped = { 0, -2, 2 },
};

/* (z-1)^2 (z+1) + h^2 (3z-1) + 2 d (z-1) (2z-1)/z = 0 */
const IfbamScheme ifbam_scheme_averaged = {
  .name = "averaged",
  .summary = "the paper's improved: links answer with the mean over the coming step",
  .stability = "grows slowly at every step, at about omega^4 step^3 / 8 per second",
  .source = "Grabysz 1994, eqs. 4.1, 4.2 and 4.4 to 4.7",
  .order = 2,
  .mean = TRUE,
  .source_lead = 0.5,
  FLIP_FLOP,
  .characteristic = { { 1, -1 }, { -1, 3 }, { -1 }, { 1 } },
  .damped = { 2, -6, 4 },
};
