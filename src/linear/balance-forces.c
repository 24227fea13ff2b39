/* balance-forces.c: forces on the nodes of a network at rest, and their tangents
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/balance-forces.h"

#include <math.h>
#include <string.h>

#include "linear/unbatched-rows.h"

/* Residual forces, relative to the sum of absolute forces. */
#define RESIDUAL_TOLERANCE 1e-14
/* A coordinate that ends at 0 has no scale: its tolerance is relative to its largest value. */
#define ZERO_COORDINATE 0x1p-70
/* Limits of a projection: iterations, and deviation in roundings. */
#define MAX_PROJECTIONS 40

static void
add_force (IfbamBalance *balance, gsize node, double force)
{
  if (node >= balance->model->n_free)
    return;
  balance->force[node] += force;
  balance->gross[node] += fabs (force);
}

void
ifbam_balance_measure (const IfbamBalance *balance, const IfbamLink *link, double *x, double *delta,
                       double *row)
{
  const double still[IFBAM_MAX_PORTS] = { 0 };

  ifbam_link_read_ports (link, balance->x, x);
  link->geometry->measure (link->shape, x, still, delta, row);
}

const IfbamConstraintSpring *
ifbam_balance_spring (const IfbamBalance *balance, const IfbamLinkIter *at)
{
  static const IfbamConstraintSpring none = { .holds = FALSE };

  return at->slot < G_MAXSIZE ? &none : &balance->spring[at->number];
}

double
ifbam_constraint_spring_force (const IfbamConstraintSpring *spring, double delta)
{
  const double force = spring->multiplier + spring->stiffness * (delta - spring->rest);

  if (spring->fixed)
    return spring->multiplier;
  return !spring->holds || (spring->one_way && force < 0) ? 0.0 : force;
}

double
ifbam_balance_link_force (const IfbamLink *link, const IfbamConstraintSpring *spring, double delta)
{
  const int mode = link->law->mode (link->numbers, delta, 0.0);

  return (link->law->force != NULL ? link->law->force (link->numbers, mode, delta, 0.0) : 0.0)
         + ifbam_constraint_spring_force (spring, delta);
}

static void
add_links (IfbamBalance *balance)
{
  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_ALL_LINKS);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      const IfbamConstraintSpring *spring = ifbam_balance_spring (balance, &at);
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, force, energy = 0;

      if (spring->fixed)
        continue;
      ifbam_balance_measure (balance, link, x, &delta, row);
      force = ifbam_balance_link_force (link, spring, delta);
      if (at.slot < G_MAXSIZE)
        balance->link_force[at.slot] = force;
      for (guint e = 0; e < link->n_ports; e++)
        add_force (balance, link->node[e], -row[e] * force);
      if (link->law->energy != NULL)
        energy =
            link->law->energy (link->numbers, link->law->mode (link->numbers, delta, 0.0), delta);
      force = ifbam_constraint_spring_force (spring, delta);
      if (spring->holds)
        energy += 0.5 * force * force / spring->stiffness;
      balance->energy += energy;
      balance->energy_size += fabs (energy);
    }
}

/* Computes rows and deviations of fixed constraints. Returns the largest, in roundings. */
static double
measure_fixed (IfbamBalance *balance)
{
  double worst = 0;

  for (guint i = 0; i < balance->fixed->len; i++)
    {
      const guint32 number = g_array_index (balance->fixed, guint32, i);
      const IfbamLink *link = ifbam_unbatched_link (balance->model, number);
      IfbamConstraintRow *row = &balance->fixed_row[i];
      double x[IFBAM_MAX_PORTS], size = fabs (balance->spring[number].rest);

      *row = (IfbamConstraintRow){ .n_ports = link->n_ports, .share = 1 };
      memcpy (row->node, link->node, sizeof row->node);
      ifbam_balance_measure (balance, link, x, &balance->fixed_delta[i], row->row);
      memcpy (row->pull, row->row, sizeof row->pull);
      balance->fixed_delta[i] -= balance->spring[number].rest;
      if (link->geometry->size != NULL)
        size = fmax (size, link->geometry->size (link->shape));
      for (guint e = 0; e < link->n_ports; e++)
        size = fmax (size, fabs (row->row[e] * x[e]));
      worst = fmax (worst, fabs (balance->fixed_delta[i]) / (DBL_EPSILON * size + DBL_MIN));
    }
  return worst;
}

gboolean
ifbam_balance_project (IfbamBalance *balance)
{
  double before = INFINITY;

  if (balance->fixed->len == 0)
    return TRUE;
  for (guint iteration = 0; iteration < MAX_PROJECTIONS; iteration++)
    {
      const double far = measure_fixed (balance);

      if (far <= 4 || (far <= IFBAM_PROJECTION_ROUNDINGS && far >= 0.5 * before))
        return TRUE;
      if (!isfinite (far))
        return FALSE;
      before = far;
      ifbam_constraint_system_set (&balance->system, balance->fixed_row, balance->fixed->len,
                                   balance->inverse_mass, balance->node_scratch);
      ifbam_constraint_system_solve (&balance->system, balance->fixed_delta, balance->fixed_delta);
      for (guint i = 0; i < balance->fixed->len; i++)
        for (guint e = 0; e < balance->fixed_row[i].n_ports; e++)
          {
            const guint32 node = balance->fixed_row[i].node[e];

            balance->x[node] -= balance->inverse_mass[node] * balance->fixed_row[i].row[e]
                                * balance->fixed_delta[i];
          }
    }
  return FALSE;
}

gboolean
ifbam_balance_turns (const IfbamBalance *balance, gsize node)
{
  return ifbam_model_node_domain (balance->model, node) == IFBAM_DOMAIN_ROTATION;
}

/* Computes the reactions of fixed constraints, which cancel all forces along their rows. */
static void
solve_fixed_reactions (IfbamBalance *balance)
{
  const guint n = balance->fixed->len;

  if (n == 0)
    return;
  measure_fixed (balance);
  for (guint i = 0; i < n; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];

      balance->fixed_delta[i] = 0;
      for (guint e = 0; e < row->n_ports; e++)
        if (row->node[e] < balance->model->n_free)
          balance->fixed_delta[i] +=
              row->row[e] * balance->inverse_mass[row->node[e]] * balance->force[row->node[e]];
    }
  balance->system.even = TRUE;
  ifbam_constraint_system_set (&balance->system, balance->fixed_row, n, balance->inverse_mass,
                               balance->node_scratch);
  ifbam_constraint_system_solve (&balance->system, balance->fixed_delta, balance->fixed_delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];

      balance->spring[g_array_index (balance->fixed, guint32, i)].multiplier =
          balance->fixed_delta[i];
      for (guint e = 0; e < row->n_ports; e++)
        add_force (balance, row->node[e], -row->row[e] * balance->fixed_delta[i]);
    }
}

void
ifbam_balance_evaluate (IfbamBalance *balance)
{
  const gsize n = balance->model->n_free;

  balance->energy = balance->energy_size = 0;
  for (gsize i = 0; i < n; i++)
    {
      const double energy = balance->source[i] * balance->x[i];

      balance->force[i] = balance->source[i];
      balance->gross[i] = fabs (balance->source[i]);
      balance->energy -= energy;
      balance->energy_size += fabs (energy);
    }
  add_links (balance);
  solve_fixed_reactions (balance);
}

double
ifbam_largest_magnitude (const double *column, gsize n)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmax (most, fabs (column[i]));
  return most;
}

void
ifbam_balance_find_rounding (IfbamBalance *balance)
{
  const gsize n = balance->model->n_free;
  const gboolean fixed = balance->fixed->len > 0;
  const double far =
      fixed ? IFBAM_PROJECTION_ROUNDINGS * DBL_EPSILON * ifbam_largest_magnitude (balance->x, n)
            : 0;
  double stiffest[2] = { 0, 0 }, farthest;

  for (gsize i = 0; i < n; i++)
    balance->farthest[i] = fmax (balance->farthest[i], fabs (balance->x[i]));
  farthest = fixed ? ifbam_largest_magnitude (balance->farthest, n) : 0;
  for (gsize i = 0; i < n && fixed; i++)
    stiffest[ifbam_balance_turns (balance, i)] =
        fmax (stiffest[ifbam_balance_turns (balance, i)], balance->stiff[i]);
  stiffest[TRUE] = fmax (stiffest[TRUE], stiffest[FALSE] * balance->reach * balance->reach);
  for (gsize i = 0; i < n; i++)
    balance->rounding[i] =
        balance->stiff[i] * fmax (IFBAM_FORCE_ROUNDING * fabs (balance->x[i]), far)
        + fmax (balance->stiff[i], stiffest[ifbam_balance_turns (balance, i)]) * ZERO_COORDINATE
              * fmax (balance->farthest[i], farthest)
        + DBL_MIN;
}

double
ifbam_balance_residual (const IfbamBalance *balance)
{
  const gsize n = balance->model->n_free;
  const gboolean fixed = balance->fixed->len > 0;
  double most[2] = { 0, 0 }, worst = 0;

  for (gsize i = 0; i < n && fixed; i++)
    most[ifbam_balance_turns (balance, i)] =
        fmax (most[ifbam_balance_turns (balance, i)], balance->gross[i]);
  most[TRUE] = fmax (most[TRUE], most[FALSE] * balance->reach);
  for (gsize i = 0; i < n; i++)
    {
      const double gross = fmax (balance->gross[i], most[ifbam_balance_turns (balance, i)]);

      /* fmax () ignores NaN. */
      if (!isfinite (gross) || !isfinite (balance->force[i]))
        return INFINITY;
      worst = fmax (worst,
                    fabs (balance->force[i]) / (RESIDUAL_TOLERANCE * gross + balance->rounding[i]));
    }
  return worst;
}

/* of_law: FALSE for the spring of an exact constraint, which is no stiffness of the network. */
static void
add_row (IfbamBalance *balance, const IfbamMotionRow *row, double stiffness, gboolean of_law)
{
  IfbamMotionRow kept = { 0 };

  if (stiffness == 0)
    return;
  for (guint i = 0; i < row->n; i++)
    if (row->at[i] < balance->model->n_free)
      {
        kept.at[kept.n] = row->at[i];
        kept.entry[kept.n++] = row->entry[i];
        if (of_law)
          balance->stiff[row->at[i]] += fabs (stiffness) * row->entry[i] * row->entry[i];
      }
  if (kept.n == 0)
    return;
  g_array_append_val (balance->rows, kept);
  g_array_append_val (balance->slopes, stiffness);
}

void
ifbam_balance_list_rows (IfbamBalance *balance)
{
  const double still[IFBAM_MAX_PORTS] = { 0 };

  g_array_set_size (balance->rows, 0);
  g_array_set_size (balance->slopes, 0);
  memset (balance->stiff, 0, balance->model->n_free * sizeof (double));
  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_ALL_LINKS);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      const IfbamConstraintSpring *spring = ifbam_balance_spring (balance, &at);
      double turning[IFBAM_MAX_PORTS][IFBAM_MAX_PORTS], turning_slope[IFBAM_MAX_PORTS];
      double x[IFBAM_MAX_PORTS], delta, stiffness;
      IfbamMotionRow row = { .n = link->n_ports };
      int n;

      ifbam_balance_measure (balance, link, x, &delta, row.entry);
      for (guint e = 0; e < link->n_ports; e++)
        row.at[e] = link->node[e];
      stiffness = ifbam_link_differentiate (link, link->numbers,
                                            link->law->mode (link->numbers, delta, 0.0), delta, 0.0)
                      .stiffness;
      if (spring->holds && (!spring->one_way || ifbam_constraint_spring_force (spring, delta) > 0))
        stiffness += spring->stiffness;
      add_row (balance, &row, stiffness, !spring->fixed);
      n = ifbam_link_turning (link, x, still, ifbam_balance_link_force (link, spring, delta),
                              turning, turning_slope);
      /* without derivatives (n < 0), forces alone determine the solution */
      for (int k = 0; k < n; k++)
        {
          memcpy (row.entry, turning[k], link->n_ports * sizeof (double));
          add_row (balance, &row, turning_slope[k], TRUE);
        }
    }
}
