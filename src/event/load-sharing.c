/* load-sharing.c: redundant rows share loads; frictions of several carriers
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/load-sharing.h"

#include <math.h>
#include <string.h>

#include "event/constraint-rows.h"
#include "event/event-context.h"
#include "event/event-links.h"

#define MAX_DIRECTION_ITERATIONS                                                                   \
  12 /* iterations for the direction of the reaction of several carriers */

#define DIRECTION_TOLERANCE 1e-15 /* changes of this direction below it are rounding */

/* Most iterations for friction forces with load sharing. Friction is a small part of the reactions,
 * and each iteration multiplies the error by about that part. */
#define MAX_FRICTION_ITERATIONS 60

gboolean
ifbam_event_turn_carrier_direction (IfbamEventEngine *self, guint32 carried, const double *reaction)
{
  IfbamLinkState *state = &self->links.state[carried];
  const guint n = ifbam_link (self, carried)->n_carriers;
  double size = 0, change = 0;

  for (guint k = 0; k < n; k++)
    size += reaction[k] * reaction[k];
  size = sqrt (size);
  for (guint k = 0; k < n; k++)
    {
      const double share = size > 0 ? reaction[k] / size : 0;

      change = MAX (change, fabs (share - state->carrier_direction[k]));
      state->carrier_direction[k] = share;
    }
  return change > DIRECTION_TOLERANCE;
}

double
ifbam_carrier_size (const double *reaction, guint n)
{
  double sum = 0;

  if (n == 1)
    return reaction[0];
  for (guint k = 0; k < n; k++)
    sum += reaction[k] * reaction[k];
  return sqrt (sum);
}

double
ifbam_link_friction_limit (const IfbamEventEngine *self, guint32 carried, const double *reaction)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, carried);

  return constraint.breakaway
             * ifbam_carrier_size (reaction, ifbam_link (self, carried)->n_carriers)
         + constraint.preload;
}

guint32
ifbam_event_friction_of_carriers (const IfbamEventEngine *self, guint32 index)
{
  IFBAM_FOR_CARRIED (carried, index)
  if (ifbam_link (self, carried)->n_carriers > 1 && ifbam_link (self, carried)->carrier == index
      && ifbam_link_slip (self, carried) != 0)
    return carried;
  return IFBAM_NONE;
}

/* Whether rows are redundant; updates their list. Rows are exactly dependent only where constraints
 * are met, elsewhere nearly, with arbitrary loads: then the last list remains valid. */
static gboolean
has_redundant_rows (IfbamIsland *island)
{
  const IfbamConstraintSystem *system = &island->system;

  if (system->n_vanished > 0)
    {
      if (island->redundant == NULL)
        island->redundant = g_array_new (FALSE, FALSE, sizeof (guint32));
      g_array_set_size (island->redundant, 0);
      g_array_append_vals (island->redundant, system->vanished, system->n_vanished);
    }
  return island->redundant != NULL && island->redundant->len > 0;
}

gboolean
ifbam_island_row_is_redundant (const IfbamIsland *island, guint row)
{
  gboolean spared = FALSE;

  for (guint s = 0; island->shares_load && s < island->redundant->len; s++)
    spared |= g_array_index (island->redundant, guint32, s) == row;
  return spared;
}

static double
product_of (const double *weight, const double *a, const double *b, guint n)
{
  double sum = 0;

  for (guint i = 0; i < n; i++)
    sum += weight[i] * a[i] * b[i];
  return sum;
}

/* Adds `times` the accelerations by the friction forces `brake` (n rows) [N] to context->change. */
static void
add_friction_forces (IfbamEventEngine *self, const IfbamIsland *island, const double *brake,
                     double times)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const guint32 carried = ifbam_event_friction_of_carriers (self, index);
      const IfbamLink *link = ifbam_link (self, index);

      for (guint e = 0; carried != IFBAM_NONE && e < link->n_ports; e++)
        self->context->change[link->node[e]] += times * self->links.state[carried].row[e] * brake[i]
                                                * self->nodes.inverse_mass[link->node[e]];
    }
}

/* Computes the forces `brake` of frictions with several carriers from lambda. TRUE: one changed. */
static gboolean
solve_friction_forces (IfbamEventEngine *self, const IfbamIsland *island, double *brake)
{
  gboolean changed = FALSE;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const guint32 carried = ifbam_event_friction_of_carriers (self, index);
      double sum = 0;

      if (carried == IFBAM_NONE)
        continue;
      ifbam_event_turn_carrier_direction (self, carried, &island->lambda[i]);
      for (guint k = 0; k < ifbam_link (self, carried)->n_carriers; k++)
        sum += ifbam_link_slip_on (self, carried, index + k) * island->lambda[i + k];
      changed |= fabs (sum - brake[i]) > DIRECTION_TOLERANCE * fabs (sum);
      brake[i] = sum;
    }
  return changed;
}

/* Solves for the right-hand side `asked` without redundant rows, then shares loads by least norm.
 * Friction changes reactions little: its forces follow by fixed-point iteration. */
static void
solve_sharing (IfbamEventEngine *self, IfbamIsland *island, const double *rhs)
{
  const guint n = island->rows->len, n_redundant = island->redundant->len, m = n - n_redundant;
  const IfbamConstraintRow *rows = island->system.rows;
  const double *change = self->context->change;
  IFBAM_SHORT_LIST (IfbamConstraintRow, kept, n);
  IFBAM_SHORT_LIST (guint, place, n);
  IFBAM_SHORT_LIST (double, b, n);
  IFBAM_SHORT_LIST (double, weight, n);
  IFBAM_SHORT_LIST (double, brake, n);
  IFBAM_SHORT_LIST (double, null, (gsize) n *n_redundant);
  gboolean changed = TRUE;
  guint k = 0;

  memset (null, 0, (gsize) n * n_redundant * sizeof *null);
  for (guint i = 0; i < n; i++)
    {
      const double own = ifbam_row_product (&rows[i], &rows[i], self->nodes.inverse_mass);

      weight[i] = 1 / (rows[i].share * (island->has_fixed && own > 0 ? own : 1));
      brake[i] = 0;
      if (ifbam_island_row_is_redundant (island, i))
        continue;
      kept[k] = rows[i];
      place[k++] = i;
    }
  ifbam_constraint_system_set (&island->independent, kept, m, self->nodes.inverse_mass,
                               self->nodes.scratch);
  for (guint s = 0; s < n_redundant; s++)
    {
      const guint32 row = g_array_index (island->redundant, guint32, s);
      double *own = null + (gsize) s * n;

      for (guint i = 0; i < m; i++)
        b[i] = ifbam_row_product (&kept[i], &rows[row], self->nodes.inverse_mass);
      ifbam_constraint_system_solve (&island->independent, b, b);
      own[row] = 1;
      for (guint i = 0; i < m; i++)
        own[place[i]] = -b[i];
      for (guint other = 0; other < s; other++)
        {
          const double *last = null + (gsize) other * n;
          const double part =
              product_of (weight, own, last, n) / product_of (weight, last, last, n);

          for (guint i = 0; i < n; i++)
            own[i] -= part * last[i];
        }
    }
  for (guint iteration = 0; iteration < MAX_FRICTION_ITERATIONS && changed; iteration++)
    {
      add_friction_forces (self, island, brake, 1);
      for (guint i = 0; i < m; i++)
        {
          b[i] = rhs[place[i]];
          for (guint e = 0; e < kept[i].n_ports; e++)
            b[i] -= kept[i].row[e] * change[kept[i].node[e]];
        }
      for (guint i = 0; i < n; i++)
        for (guint e = 0; e < rows[i].n_ports; e++)
          self->context->change[rows[i].node[e]] = 0;
      ifbam_constraint_system_solve (&island->independent, b, b);
      memset (island->lambda, 0, n * sizeof *island->lambda);
      for (guint i = 0; i < m; i++)
        island->lambda[place[i]] = b[i];
      for (guint s = 0; s < n_redundant; s++)
        {
          const double *own = null + (gsize) s * n;
          const double part =
              product_of (weight, island->lambda, own, n) / product_of (weight, own, own, n);

          for (guint i = 0; i < n; i++)
            island->lambda[i] -= part * own[i];
        }
      changed = solve_friction_forces (self, island, brake);
    }
}

gboolean
ifbam_event_turn_carrier_directions (IfbamEventEngine *self, IfbamIsland *island)
{
  gboolean has_changed = FALSE;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 carried =
          ifbam_event_friction_of_carriers (self, g_array_index (island->rows, guint32, i));

      /* The rows of its carriers are consecutive. */
      if (carried != IFBAM_NONE)
        has_changed |= ifbam_event_turn_carrier_direction (self, carried, &island->lambda[i]);
    }
  if (has_changed)
    ifbam_event_factor_rows (self, island, TRUE);
  return has_changed;
}

/* The force of a friction with several carriers is mu times the norm of their reactions. Along the
 * direction of these the norm is linear: each iteration takes the direction of the one before and
 * is one of Newton's method. The first one omits friction. */
void
ifbam_event_solve_rows (IfbamEventEngine *self, IfbamIsland *island)
{
  const guint n = island->rows->len;
  gboolean has_changed = FALSE;

  island->shares_load = FALSE;
  for (guint i = 0; i < n && island->has_variable_rows; i++)
    {
      const guint32 carried =
          ifbam_event_friction_of_carriers (self, g_array_index (island->rows, guint32, i));

      if (carried == IFBAM_NONE)
        continue;
      memset (self->links.state[carried].carrier_direction, 0,
              sizeof self->links.state[carried].carrier_direction);
      has_changed = TRUE;
    }
  if (island->has_variable_rows)
    ifbam_event_factor_rows (self, island, TRUE);
  if (!has_changed)
    {
      ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
      return;
    }
  IFBAM_SHORT_LIST (double, rhs, n);
  memcpy (rhs, island->lambda, n * sizeof *rhs);
  if (has_redundant_rows (island))
    {
      island->shares_load = TRUE;
      solve_sharing (self, island, rhs);
      return;
    }
  for (guint iteration = 0; has_changed && iteration < MAX_DIRECTION_ITERATIONS; iteration++)
    {
      ifbam_constraint_system_solve (&island->system, rhs, island->lambda);
      has_changed = ifbam_event_turn_carrier_directions (self, island);
    }
}
