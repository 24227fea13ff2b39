/* scheme-runge-kutta.c: the classical Runge-Kutta scheme of order four
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme.h"

enum
{
  POSITION,
  RATE,
  SAID_POSITION,
  SAID_RATE,
  POSITION_SUM,
  RATE_SUM,
  N_COLUMNS,
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
static void
update (guint stage, gsize n, double *const *column, const double *inverse_inertia,
        const double *force, double step)
{
  double *restrict x = column[POSITION], *restrict v = column[RATE];
  double *restrict said_x = column[SAID_POSITION], *restrict said_v = column[SAID_RATE];
  double *restrict sum_x = column[POSITION_SUM], *restrict sum_v = column[RATE_SUM];
  const double reach = stage == 2 ? step : 0.5 * step;
  const double sixth = step / 6.0;

  switch (stage)
    {
    case 0:
      for (gsize i = 0; i < n; i++)
        {
          double acceleration = inverse_inertia[i] * force[i];

          sum_x[i] = said_v[i];
          sum_v[i] = acceleration;
          said_x[i] = x[i] + reach * said_v[i];
          said_v[i] = v[i] + reach * acceleration;
        }
      break;
    case 1:
    case 2:
      for (gsize i = 0; i < n; i++)
        {
          double acceleration = inverse_inertia[i] * force[i];

          sum_x[i] += 2.0 * said_v[i];
          sum_v[i] += 2.0 * acceleration;
          said_x[i] = x[i] + reach * said_v[i];
          said_v[i] = v[i] + reach * acceleration;
        }
      break;
    default:
      for (gsize i = 0; i < n; i++)
        {
          double acceleration = inverse_inertia[i] * force[i];

          x[i] += sixth * (sum_x[i] + said_v[i]);
          v[i] += sixth * (sum_v[i] + acceleration);
          said_x[i] = x[i];
          said_v[i] = v[i];
        }
      break;
    }
}

static void
observe (gsize n, double *const *column, double *position, double *rate)
{
  for (gsize i = 0; i < n; i++)
    {
      position[i] = column[POSITION][i];
      rate[i] = column[RATE][i];
    }
}

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
  .n_stages = 4,
  .stage_time = { 0.0, 0.5, 0.5, 1.0 },
  .stage_weight = { 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0 },
  .begin = begin,
  .update = update,
  .observe = observe,
  .characteristic = { { 1, 0, 0, -1.0 / 72, 1.0 / 576 }, { -2, 1, -1.0 / 12 }, { 1 } },
};
