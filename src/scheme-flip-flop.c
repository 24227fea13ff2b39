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
#include "scheme.h"

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
static void
update (guint stage, gsize n, double *const *column, const double *inverse_inertia,
        const double *force, double step)
{
  const double *restrict x = column[POSITION];
  double *restrict x1 = column[EARLIER_POSITION];
  double *restrict v1 = column[EARLIER_RATE];
  const double two_steps = 2.0 * step;

  (void) stage;
  for (gsize i = 0; i < n; i++)
    {
      double rate = v1[i] + (two_steps * inverse_inertia[i]) * force[i];

      v1[i] = rate;
      x1[i] = x[i] + step * rate;
    }
}

static void
observe (gsize n, double *const *column, double *position, double *rate)
{
  for (gsize i = 0; i < n; i++)
    {
      position[i] = column[EARLIER_POSITION][i];
      rate[i] = 0.5 * (column[EARLIER_RATE][i] + column[RATE][i]);
    }
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
  .latency = TRUE, .velocity_lag = 0.5, .n_columns = N_COLUMNS, .said_position = POSITION,         \
  .said_rate = RATE, .n_stages = 1, .begin = begin_warm, .begin_cold = begin_cold,                 \
  .update = update, .observe = observe

extern const IfbamScheme ifbam_scheme_original, ifbam_scheme_averaged;

/* (z-1)^2 (z+1) + 2 h^2 z = 0 */
const IfbamScheme ifbam_scheme_original = {
  .name = "original",
  .summary = "the paper's first: links answer for the positions that they hear",
  .stability = "grows at every step, at about omega^2 step / 4 per second",
  .source = "Grabysz 1994, eqs. 4.1 to 4.3",
  .order = 1,
  FLIP_FLOP,
  .characteristic = { { 1 }, { -1, 2 }, { -1 }, { 1 } },
};

/* (z-1)^2 (z+1) + h^2 (3z-1) = 0 */
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
};
