/* scheme-runge-kutta.c: the classical Runge-Kutta scheme of order four
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme/scheme-kernel.h"
#include "scheme/scheme-plain.h"

enum
{
  POSITION,
  RATE,
  SAID_POSITION,
  SAID_RATE,
  POSITION_SUM,
  RATE_SUM,
  N_COLUMNS, /* c0 to c5 below, in this order */
};

static void
begin (gboolean before, gsize n, double *const *column, const double *position, const double *rate,
       const double *acceleration, double step)
{
  (void) before;
  (void) acceleration;
  (void) step;
  for (gsize i = 0; i < n; i++)
    {
      column[POSITION][i] = column[SAID_POSITION][i] = position[i];
      column[RATE][i] = column[SAID_RATE][i] = rate[i];
    }
}

/* Slopes k_s = (said rate, acceleration) of stages 0 to 3; the next stage is said at the start plus
 * reach * k_s, the step ends at the start plus tau (k_0 + 2 k_1 + 2 k_2 + k_3)/6. */
IFBAM_INLINE void
say_next (IFBAM_NODE_COLUMNS, gsize i, double acceleration, double reach)
{
  (void) c4, (void) c5;
  c2[i] = c0[i] + reach * c3[i];
  c3[i] = c1[i] + reach * acceleration;
}

IFBAM_INLINE void
first (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c4[i] = c3[i];
  c5[i] = acceleration;
  say_next (c0, c1, c2, c3, c4, c5, i, acceleration, 0.5 * step);
}

IFBAM_INLINE void
second (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c4[i] += 2.0 * c3[i];
  c5[i] += 2.0 * acceleration;
  say_next (c0, c1, c2, c3, c4, c5, i, acceleration, 0.5 * step);
}

IFBAM_INLINE void
third (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c4[i] += 2.0 * c3[i];
  c5[i] += 2.0 * acceleration;
  say_next (c0, c1, c2, c3, c4, c5, i, acceleration, step);
}

IFBAM_INLINE void
fourth (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  double acceleration = inverse_inertia * force;

  c0[i] += (step / 6.0) * (c4[i] + c3[i]);
  c1[i] += (step / 6.0) * (c5[i] + acceleration);
  c2[i] = c0[i];
  c3[i] = c1[i];
}

IFBAM_NODE_KERNELS (first)
IFBAM_NODE_KERNELS (second)
IFBAM_NODE_KERNELS (third)
IFBAM_NODE_KERNELS (fourth)

extern const IfbamScheme ifbam_scheme_rk4;

/* z = 1 + ih - h^2/2 - i h^3/6 + h^4/24 and its conjugate:
 * z^2 - (2 - h^2 + h^4/12) z + 1 - h^6/72 + h^8/576 = 0 */
const IfbamScheme ifbam_scheme_rk4 = {
  .name = "rk4",
  .summary = "classical Runge-Kutta: fourth order, four rounds of forces per step",
  .stability = "stable for step < 2.828 / omega; amplitudes decay at about omega^6 step^5 / 144 "
               "per second",
  .source = "Kutta 1901; Hairer, Norsett & Wanner 1993, Solving ODEs I, II.1",
  .order = 4,
  .n_columns = N_COLUMNS,
  .said_position = SAID_POSITION,
  .said_rate = SAID_RATE,
  .derivative = { 0, 1, 0, 1, 1, 2 },
  .n_stages = 4,
  .stage_time = { 0.0, 0.5, 0.5, 1.0 },
  .stage_weight = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 },
  .begin = begin,
  .update = { IFBAM_NODE_ROWS (first), IFBAM_NODE_ROWS (second), IFBAM_NODE_ROWS (third),
              IFBAM_NODE_ROWS (fourth) },
  .update_few = { IFBAM_FEW_ROW (first), IFBAM_FEW_ROW (second), IFBAM_FEW_ROW (third),
                  IFBAM_FEW_ROW (fourth) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1, 0, 0, -1.0 / 72, 1.0 / 576 }, { -2, 1, -1.0 / 12 }, { 1 } },
  .stability_function = { 1, 1, 1.0 / 2, 1.0 / 6, 1.0 / 24 },
};
