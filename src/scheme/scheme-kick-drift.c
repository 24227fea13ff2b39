/* scheme-kick-drift.c: euler, symplectic-euler and verlet: one round of forces per step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "scheme/scheme-kernel.h"
#include "scheme/scheme-plain.h"

enum
{
  POSITION,
  RATE,
  ACCELERATION,
  SAID_POSITION,
  SAID_RATE,
};

/* x[i+1] = x[i] + tau v[i], v[i+1] = v[i] + tau a[i] */
IFBAM_INLINE void
euler (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  (void) c2, (void) c3, (void) c4, (void) c5;
  c0[i] += step * c1[i];
  c1[i] += (step * inverse_inertia) * force;
}

IFBAM_NODE_KERNELS (euler)

/* v[i+1] = v[i] + tau a[i], x[i+1] = x[i] + tau v[i+1] */
IFBAM_INLINE void
symplectic_euler (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
{
  (void) c2, (void) c3, (void) c4, (void) c5;
  c1[i] += (step * inverse_inertia) * force;
  c0[i] += step * c1[i];
}

IFBAM_NODE_KERNELS (symplectic_euler)

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
IFBAM_INLINE void
verlet (IFBAM_NODE_COLUMNS, gsize i, double inverse_inertia, double force, double step)
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

IFBAM_NODE_KERNELS (verlet)

extern const IfbamScheme ifbam_scheme_euler, ifbam_scheme_symplectic_euler, ifbam_scheme_verlet;

/* (z-1)^2 + h^2 + d (z-1) = 0; z = 1 + s step */
const IfbamScheme ifbam_scheme_euler = {
  .name = "euler",
  .summary = "explicit Euler: the simplest, for teaching",
  .stability = "grows at every step, at about omega^2 step / 2 per second",
  .source = "Euler 1768, Institutionum calculi integralis I, 650",
  .order = 1,
  .n_columns = 2,
  .said_position = POSITION,
  .said_rate = RATE,
  .derivative = { 0, 1 },
  .n_stages = 1,
  .begin = ifbam_scheme_begin_plain,
  .update = { IFBAM_NODE_ROWS (euler) },
  .update_few = { IFBAM_FEW_ROW (euler) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1, 1 }, { -2 }, { 1 } },
  .stability_function = { 1, 1 },
};

/* z^2 - (2 - h^2) z + 1 + d (z-1) = 0 */
const IfbamScheme ifbam_scheme_symplectic_euler = {
  .name = "symplectic-euler",
  .summary = "velocities first, then positions with the new velocities",
  .stability = "stable for step < 2 / omega; energy swings, but does not drift",
  .source = "Hairer, Lubich & Wanner 2006, Geometric Numerical Integration, I.1.4",
  .order = 1,
  .n_columns = 2,
  .said_position = POSITION,
  .said_rate = RATE,
  .derivative = { 0, 1 },
  .n_stages = 1,
  .meets = IFBAM_MEETS_MOVED,
  .begin = ifbam_scheme_begin_plain,
  .update = { IFBAM_NODE_ROWS (symplectic_euler) },
  .update_few = { IFBAM_FEW_ROW (symplectic_euler) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
  .damped = { 0, -1, 1 },
};

/* z^2 - (2 - h^2) z + 1 + d (z-1) (3z-1)/(2z) = 0 */
const IfbamScheme ifbam_scheme_verlet = {
  .name = "verlet",
  .summary = "velocity Verlet: second order, no drift of the energy",
  .stability = "stable for step < 2 / omega",
  .source = "Verlet 1967; Swope, Andersen, Berens & Wilson 1982",
  .order = 2,
  .n_columns = 5,
  .said_position = SAID_POSITION,
  .said_rate = SAID_RATE,
  .derivative = { 0, 1, 2, 0, 1 },
  .n_stages = 1,
  .meets = IFBAM_MEETS_SAID,
  .stage_time = { 1.0 },
  .begin = begin_verlet,
  .update = { IFBAM_NODE_ROWS (verlet) },
  .update_few = { IFBAM_FEW_ROW (verlet) },
  .observe = ifbam_scheme_observe_plain,
  .observe_one = ifbam_scheme_observe_plain_one,
  .characteristic = { { 1 }, { -2, 1 }, { 1 } },
  .damped = { 0.5, -2, 1.5 },
};
