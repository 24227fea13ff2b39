/* scheme-kick-drift.c: euler, symplectic-euler and verlet: one round of forces per step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme.h"

enum
{
  POSITION,
  RATE,
  ACCELERATION,
  SAID_POSITION,
  SAID_RATE,
};

static void
begin_plain (gboolean before, gsize n, double *const *column, const double *position,
             const double *rate, const double *acceleration, double step)
{
  (void) before;
  (void) acceleration;
  (void) step;
  for (gsize i = 0; i < n; i++)
    {
      column[POSITION][i] = position[i];
      column[RATE][i] = rate[i];
    }
}

static void
observe_plain (gsize n, double *const *column, double *position, double *rate)
{
  for (gsize i = 0; i < n; i++)
    {
      position[i] = column[POSITION][i];
      rate[i] = column[RATE][i];
    }
}

/* x[i+1] = x[i] + tau v[i], v[i+1] = v[i] + tau a[i] */
static void
update_euler (guint stage, gsize n, double *const *column, const double *inverse_inertia,
              const double *force, double step)
{
  double *restrict x = column[POSITION];
  double *restrict v = column[RATE];

  (void) stage;
  for (gsize i = 0; i < n; i++)
    {
      x[i] += step * v[i];
      v[i] += (step * inverse_inertia[i]) * force[i];
    }
}

/* v[i+1] = v[i] + tau a[i], x[i+1] = x[i] + tau v[i+1] */
static void
update_symplectic_euler (guint stage, gsize n, double *const *column, const double *inverse_inertia,
                         const double *force, double step)
{
  double *restrict x = column[POSITION];
  double *restrict v = column[RATE];

  (void) stage;
  for (gsize i = 0; i < n; i++)
    {
      v[i] += (step * inverse_inertia[i]) * force[i];
      x[i] += step * v[i];
    }
}

/* What a node says of the end of the coming step: its position there is final, its rate an estimate
 * with the old acceleration over the whole step. A damper that were given the half-step velocity
 * would make the scheme first order. */
static inline void
verlet_say (gsize i, double *const *column, double step)
{
  double kick = step * column[ACCELERATION][i];

  column[SAID_POSITION][i] = column[POSITION][i] + step * (column[RATE][i] + 0.5 * kick);
  column[SAID_RATE][i] = column[RATE][i] + kick;
}

static void
begin_verlet (gboolean before, gsize n, double *const *column, const double *position,
              const double *rate, const double *acceleration, double step)
{
  (void) before;
  for (gsize i = 0; i < n; i++)
    {
      column[POSITION][i] = position[i];
      column[RATE][i] = rate[i];
      column[ACCELERATION][i] = acceleration[i];
      verlet_say (i, column, step);
    }
}

/* x[i+1] = x[i] + tau v[i] + tau^2 a[i]/2, v[i+1] = v[i] + tau (a[i] + a[i+1])/2 */
static void
update_verlet (guint stage, gsize n, double *const *column, const double *inverse_inertia,
               const double *force, double step)
{
  double *restrict x = column[POSITION], *restrict v = column[RATE];
  double *restrict a = column[ACCELERATION];
  double *restrict said_x = column[SAID_POSITION], *restrict said_v = column[SAID_RATE];

  (void) stage;
  for (gsize i = 0; i < n; i++)
    {
      double acceleration = inverse_inertia[i] * force[i];
      double rate = v[i] + (0.5 * step) * (a[i] + acceleration);
      double kick = step * acceleration;

      x[i] = said_x[i];
      v[i] = rate;
      a[i] = acceleration;
      said_x[i] = x[i] + step * (rate + 0.5 * kick);
      said_v[i] = rate + kick;
    }
}

extern const IfbamScheme ifbam_scheme_euler, ifbam_scheme_symplectic_euler, ifbam_scheme_verlet;

/* (z-1)^2 + h^2 = 0 */
const IfbamScheme ifbam_scheme_euler = {
  .name = "euler",
  .summary = "explicit Euler: the simplest, for teaching",
  .stability = "grows at every step, at about omega^2 step / 2 per second",
  .source = "Euler 1768, Institutionum calculi integralis I, 650",
  .order = 1,
  .n_columns = 2,
  .said_position = POSITION,
  .said_rate = RATE,
  .n_stages = 1,
  .begin = begin_plain,
  .update = update_euler,
  .observe = observe_plain,
  .characteristic = { { 1, 1 }, { -2 }, { 1 } },
};

/* z^2 - (2 - h^2) z + 1 = 0 */
const IfbamScheme ifbam_scheme_symplectic_euler = {
  .name = "symplectic-euler",
  .summary = "velocities first, then positions with the new velocities",
  .stability = "stable for step < 2 / omega; energy swings, but does not drift",
  .source = "Hairer, Lubich & Wanner 2006, Geometric Numerical Integration, I.1.4",
  .order = 1,
  .n_columns = 2,
  .said_position = POSITION,
  .said_rate = RATE,
  .n_stages = 1,
  .begin = begin_plain,
  .update = update_symplectic_euler,
  .observe = observe_plain,
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
};

/* z^2 - (2 - h^2) z + 1 = 0 */
const IfbamScheme ifbam_scheme_verlet = {
  .name = "verlet",
  .summary = "velocity Verlet: second order, no drift of the energy",
  .stability = "stable for step < 2 / omega",
  .source = "Verlet 1967; Swope, Andersen, Berens & Wilson 1982",
  .order = 2,
  .n_columns = 5,
  .said_position = SAID_POSITION,
  .said_rate = SAID_RATE,
  .n_stages = 1,
  .stage_time = { 1.0 },
  .begin = begin_verlet,
  .update = update_verlet,
  .observe = observe_plain,
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
};
