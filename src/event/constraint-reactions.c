/* constraint-reactions.c: reactions of active constraints, and projection onto constraints
 *
 * J M^-1 P^T lambda = J a + (dJ/dt) v, a: accelerations without reactions, P: J plus the sliding
 * frictions on it. Straight constraints merge nodes; curved ones are met by Newton's method.
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/constraint-reactions.h"

#include <string.h>

#include "event/forces.h"
#include "event/event-context.h"
#include "event/event-links.h"

#define MIN_REACTION_RATIO                                                                         \
  1e-12 /* of J M^-1 J^T: the least J M^-1 P^T of a contact that can react */

void
ifbam_link_row (const IfbamEventEngine *self, guint32 index, double share, IfbamConstraintRow *row)
{
  const IfbamLink *link = ifbam_link (self, index);

  row->n_ports = link->n_ports;
  memcpy (row->node, link->node, sizeof row->node);
  memcpy (row->row, self->links.state[index].row, sizeof row->row);
  memcpy (row->pull, self->links.state[index].row, sizeof row->pull);
  row->askew = FALSE;
  row->share = share;
}

double
ifbam_link_row_share (const IfbamEventEngine *self, guint32 index)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);

  return constraint.kind == IFBAM_CONSTRAINT_FRICTION && constraint.breakaway > 0
             ? constraint.breakaway
             : 1;
}

/* Adds a sliding friction to the force direction of its carrier's row. */
static void
add_slip (const IfbamEventEngine *self, guint32 carried, guint32 index, IfbamConstraintRow *row)
{
  const double slip = ifbam_link_slip_on (self, carried, index);

  for (guint e = 0; e < row->n_ports && slip != 0; e++)
    row->pull[e] += slip * self->links.state[carried].row[e];
  row->askew |= slip != 0;
}

void
ifbam_link_force_direction_in_plane (const IfbamEventEngine *self, guint32 index,
                                     IfbamConstraintRow *row)
{
  IFBAM_FOR_CARRIED (carried, index)
  if (ifbam_link_is_in_plane (ifbam_link (self, carried)))
    add_slip (self, carried, index, row);
}

gboolean
ifbam_link_force_direction (const IfbamEventEngine *self, guint32 index, IfbamConstraintRow *row)
{
  double own = 0, moved = 0;

  IFBAM_FOR_CARRIED (carried, index)
  add_slip (self, carried, index, row);
  for (guint e = 0; e < row->n_ports && row->askew; e++)
    {
      own += row->row[e] * row->row[e] * self->nodes.inverse_mass[row->node[e]];
      moved += row->row[e] * row->pull[e] * self->nodes.inverse_mass[row->node[e]];
    }
  return !row->askew || moved > MIN_REACTION_RATIO * own;
}

void
ifbam_link_measure_rows_at (IfbamEventEngine *self, guint32 index, const double *x, const double *v)
{
  double delta;

  ifbam_link_measure_at (ifbam_link (self, index), x, v, &delta, self->links.state[index].row);
  IFBAM_FOR_CARRIED (carried, index)
  ifbam_link_measure_at (ifbam_link (self, carried), x, v, &delta, self->links.state[carried].row);
}

static void
measure_carried (IfbamEventEngine *self, guint32 index, const double *position, const double *rate)
{
  double delta;

  IFBAM_FOR_CARRIED (carried, index)
  ifbam_link_measure (ifbam_link (self, carried), position, rate, &delta,
                      self->links.state[carried].row);
}

void
ifbam_link_measure_rows (IfbamEventEngine *self, guint32 index, const double *position,
                         const double *rate)
{
  double delta;

  ifbam_link_measure (ifbam_link (self, index), position, rate, &delta,
                      self->links.state[index].row);
  measure_carried (self, index, position, rate);
}

void
ifbam_event_factor_rows (const IfbamEventEngine *self, IfbamIsland *island, gboolean pulls)
{
  const guint n = island->rows->len;
  IfbamConstraintRow *rows = ifbam_constraint_system_rows (&island->system, n);
  gboolean known = !island->rows_changed || island->system.n == n;

  if (island->rows_changed && island->redundant != NULL)
    g_array_set_size (island->redundant, 0);

  for (guint i = 0; i < n; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const double *row = self->links.state[index].row;

      if (island->rows_changed)
        {
          known = known && rows[i].n_ports == link->n_ports
                  && memcmp (rows[i].node, link->node, link->n_ports * sizeof *link->node) == 0;
          ifbam_link_row (self, index, ifbam_link_row_share (self, index), &rows[i]);
        }
      for (guint e = 0; e < link->n_ports; e++)
        {
          IFBAM_SCALAR_LOOP;
          rows[i].row[e] = rows[i].pull[e] = row[e];
        }
      rows[i].askew = FALSE;
      if (pulls && link->carries)
        ifbam_link_force_direction (self, index, &rows[i]);
    }
  island->rows_changed = FALSE;
  island->system.even = ifbam_island_shares_evenly (island);
  ifbam_constraint_system_factor (&island->system, n, known && n > 1, self->nodes.inverse_mass,
                                  self->nodes.scratch);
}

void
ifbam_event_factor_towards (IfbamEventEngine *self, IfbamIsland *island, const double *x,
                            const double *v, gboolean pulls)
{
  IfbamConstraintRow *rows = ifbam_constraint_system_rows (&island->system, island->rows->len);

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      double delta;

      ifbam_link_row (self, index, rows[i].share, &rows[i]);
      if (pulls)
        ifbam_link_force_direction (self, index, &rows[i]);
      ifbam_link_measure (ifbam_link (self, index), x, v, &delta, rows[i].row);
      rows[i].askew = TRUE;
    }
  ifbam_constraint_system_factor (&island->system, island->rows->len, TRUE,
                                  self->nodes.inverse_mass, self->nodes.scratch);
}

/* Returns J times the accelerations of the nodes; has_given: those of given nodes, too. */
static double
row_acceleration (const IfbamEventEngine *self, const IfbamLink *link, const double *row,
                  gboolean has_given, double time)
{
  const double *force = self->nodes.force, *inverse_mass = self->nodes.inverse_mass;
  const gsize n_free = self->base.model->n_free;
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      IFBAM_SCALAR_LOOP;
      sum += row[e]
             * (node < n_free ? force[node] * inverse_mass[node]
                : has_given   ? ifbam_parameter_values_motion (self->base.numbers, node, time)[2]
                              : 0);
    }
  return sum;
}

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

/* Subtracts a constraint force, row times reaction, from the forces on the link's nodes. */
static inline void
subtract_constraint_force (IfbamEventEngine *self, const IfbamLink *link, const double *row,
                           double reaction)
{
  double *force = self->nodes.force;

  for (guint e = 0; e < link->n_ports; e++)
    {
      IFBAM_SCALAR_LOOP;
      force[link->node[e]] -= row[e] * reaction;
    }
  IFBAM_EVALUATE (self, reaction_subtracted, link, row, reaction);
}

void
ifbam_event_apply_reactions (IfbamEventEngine *self, const IfbamIsland *island)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      IfbamLinkState *state = &self->links.state[index];

      state->reaction = island->lambda[i];
      subtract_constraint_force (self, link, state->row, state->reaction);
      IFBAM_FOR_CARRIED (carried, index)
      {
        const double slip = ifbam_link_slip_on (self, carried, index);
        const double part = slip * island->lambda[i];

        if (ifbam_link_slip (self, carried) == 0)
          continue;
        /* The contributions of several carriers are summed. */
        self->links.state[carried].reaction =
            part
            + (index > ifbam_link (self, carried)->carrier ? self->links.state[carried].reaction
                                                           : 0);
        subtract_constraint_force (self, link, self->links.state[carried].row, part);
      }
    }
}

/* Returns whether an island's constraints join massless and given nodes alone. */
static gboolean
joins_massless_nodes (const IfbamEventEngine *self, const IfbamIsland *island)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < self->base.model->n_free
            && !ifbam_model_is_junction (self->base.model, link->node[e]))
          return FALSE;
    }
  return TRUE;
}

/* Massless nodes have a small inertia in the rows, and reactions accelerate it with given motions.
 * Beside nodes with inertia that is a relative error of 1e-9. Without them there is no scale: then this
 * replaces the reactions by those that balance the forces, which include the reactions so far. */
static void
balance_massless_rows (IfbamEventEngine *self, IfbamIsland *island)
{
  const guint n = island->rows->len;

  if (self->base.model->n_junctions == 0 || !joins_massless_nodes (self, island))
    return;
  for (guint i = 0; i < n; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);

      island->lambda[i] =
          row_acceleration (self, ifbam_link (self, index), self->links.state[index].row, FALSE, 0);
    }
  ifbam_event_solve_rows (self, island);
  for (guint i = 0; i < n; i++)
    {
      IfbamLinkState *state = &self->links.state[g_array_index (island->rows, guint32, i)];

      state->reaction += island->lambda[i];
      island->lambda[i] = state->reaction;
    }
}

void
ifbam_event_solve_reactions (IfbamEventEngine *self, IfbamIsland *island, const double *position,
                             const double *rate, double time)
{
  if (island->rows == NULL || island->rows->len == 0)
    return;
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      double *row = self->links.state[index].row;
      const double bend = ifbam_link_measure_acceleration (link, position, rate, row);

      island->lambda[i] = row_acceleration (self, link, row, TRUE, time) + bend;
      measure_carried (self, index, position, rate);
    }
  ifbam_event_solve_rows (self, island);
  ifbam_event_apply_reactions (self, island);
  balance_massless_rows (self, island);
}

/* Values of a step's end: positions, rates, accelerations (n), and their changes per position. */
typedef struct
{
  guint n;
  double *column[3], share[3];
} StepEnd;

static gboolean
has_sliding_friction (const IfbamEventEngine *self, const IfbamIsland *island)
{
  for (guint i = 0; i < island->rows->len; i++)
    IFBAM_FOR_CARRIED (carried, g_array_index (island->rows, guint32, i))
  if (ifbam_link_slip (self, carried) != 0)
    return TRUE;
  return FALSE;
}

/* Corrects a step's end by reactions at its start, with rows and factors of the start (RATTLE,
 * Andersen 1983). The correction is no reaction and causes no friction: a part of it is left to the
 * projection of rates. x, v: the start; NULL: the stored rows are those at the start. */
static void
correct_step_end (IfbamEventEngine *self, IfbamIsland *island, const StepEnd *end, const double *x,
                  const double *v)
{
  const guint n = island->rows == NULL ? 0 : island->rows->len;
  double *const *column = end->column;
  double left = INFINITY;

  if (!ifbam_island_is_mechanism (island))
    return;
  for (guint i = 0; i < n && x != NULL; i++)
    ifbam_link_measure_rows (self, g_array_index (island->rows, guint32, i), x, v);
  if (x != NULL || has_sliding_friction (self, island))
    ifbam_event_factor_rows (self, island, FALSE);
  for (guint iteration = 0;; iteration++)
    {
      gboolean reached = iteration > 0;
      double most = 0;

      for (guint i = 0; i < n; i++)
        {
          const guint32 index = g_array_index (island->rows, guint32, i);

          island->lambda[i] = ifbam_event_constraint_residual (self, index, column[0], column[1]);
          most = MAX (most, fabs (island->lambda[i]));
          reached &=
              fabs (island->lambda[i]) <= ifbam_event_magnitudes (self, index)->position_threshold;
        }
      if (reached || iteration >= self->limits.iterations)
        break;
      if (most > IFBAM_REFACTOR_RATIO * left)
        ifbam_event_factor_towards (self, island, column[0], column[1], FALSE);
      left = most;
      ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
      for (guint i = 0; i < n; i++)
        {
          const guint32 index = g_array_index (island->rows, guint32, i);
          IfbamConstraintRow row;

          ifbam_link_row (self, index, 1, &row);
          for (guint e = 0; e < row.n_ports; e++)
            for (guint c = 0; c < end->n; c++)
              column[c][row.node[e]] -= end->share[c] * (row.pull[e] * island->lambda[i])
                                        * self->nodes.inverse_mass[row.node[e]];
        }
    }
  IFBAM_EVALUATE (self, rows_set, island->rows, end->n, column);
}

static void
correct_step_ends (IfbamEventEngine *self, guint32 island, const StepEnd *end, const double *x,
                   const double *v)
{
  if (island != IFBAM_NONE)
    {
      correct_step_end (self, ifbam_island (self, island), end, x, v);
      return;
    }
  for (guint i = 0; i < self->islands.constrained->len; i++)
    correct_step_end (self, ifbam_constrained_island (self, i), end, x, v);
}

/* An acceleration a contributes h^2 a / 2 to the position and h a to the predicted rate. */
void
ifbam_event_satisfy_by_messages (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                                 double h, const double *x, const double *v)
{
  const StepEnd end = { 3,
                        { self->nodes.work[scheme->message_position],
                          self->nodes.work[scheme->message_rate],
                          self->nodes.work[ifbam_scheme_carried_acceleration (scheme)] },
                        { 1, 2 / h, 2 / (h * h) } };

  if (scheme->constraint_timing == IFBAM_CONSTRAINTS_BY_MESSAGES)
    correct_step_ends (self, island, &end, x, v);
}

/* A rate v contributes h v to the position. */
void
ifbam_event_satisfy_by_moves (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                              double h, double *x1, double *v1)
{
  const StepEnd end = { 2, { x1, v1 }, { 1, 1 / h } };

  if (scheme->constraint_timing == IFBAM_CONSTRAINTS_BY_MOVES)
    correct_step_ends (self, island, &end, NULL, NULL);
}

void
ifbam_event_solve_all_reactions (IfbamEventEngine *self, guint32 island, const double *position,
                                 const double *rate, double time)
{
  if (island != IFBAM_NONE)
    {
      ifbam_event_solve_reactions (self, ifbam_island (self, island), position, rate, time);
      return;
    }
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_solve_reactions (self, ifbam_constrained_island (self, i), position, rate, time);
}

void
ifbam_event_accelerations (IfbamEventEngine *self, guint32 island, const double *position,
                           const double *rate, double time, gboolean reactions)
{
  ifbam_event_forces (self, island, position, rate, time);
  if (reactions)
    ifbam_event_solve_all_reactions (self, island, position, rate, time);
  IFBAM_FOR_COMPONENTS (component, island)
  {
    IFBAM_FOR_NODES (range, component)
    for (gsize i = range->first; i < range->last; i++)
      self->nodes.acceleration[i] = self->nodes.force[i] * self->nodes.inverse_mass[i];
    IFBAM_FOR_LIST (node, component, givens)
    {
      self->nodes.acceleration[*node] = ifbam_event_motion_now (self, *node, time).acceleration;
    }
  }
}

/* Returns the index of a free node in the file; the model's numbering may differ. */
static guint32
file_index (const IfbamModel *model, guint32 node)
{
  return model->file_node != NULL ? model->file_node[node] : node;
}

static guint32
leader_of (const IfbamEventEngine *self, const guint32 *members, guint n)
{
  guint32 leader = members[0];

  for (guint i = 0; i < n; i++)
    {
      guint32 node = members[i];

      if (self->nodes.inverse_mass[node] == 0)
        return node;
      if (self->nodes.inverse_mass[node] < self->nodes.inverse_mass[leader]
          || (self->nodes.inverse_mass[node] == self->nodes.inverse_mass[leader]
              && file_index (self->base.model, node) < file_index (self->base.model, leader)))
        leader = node;
    }
  return leader;
}

typedef struct
{
  guint32 row, other;
  int sign; /* sign of the listing node in the row */
} Neighbour;

/* Whether an open contact of a node is so close that a correction of the node could close it. */
static gboolean
touches (const IfbamEventEngine *self, guint32 node, double time)
{
  for (guint32 p = self->links.node_start[node]; p < self->links.node_start[node + 1]; p++)
    {
      const guint32 index = ifbam_endpoint_link (self->links.node_ends[p]);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamConstraint constraint = ifbam_link_constraint (self, index);
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;

      if (constraint.kind != IFBAM_CONSTRAINT_CONTACT || ifbam_link_is_active (self, index))
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        ifbam_event_node_at (self, link->node[e], time, &x[e], &v[e]);
      ifbam_link_measure_at (link, x, v, &delta, row);
      if (constraint.gap - delta <= 4 * ifbam_event_magnitudes (self, index)->position_threshold)
        return TRUE;
    }
  return FALSE;
}

/* Appends a node's group: nodes joined by straight constraints, the leader first. Contacts are
 * closed exactly, unless repeated corrections could push a member into an open contact. */
static void
add_group (IfbamEventEngine *self, IfbamIsland *island, GHashTable *at, guint32 node)
{
  g_autoptr (GArray) members = g_array_new (FALSE, FALSE, sizeof (guint32));
  IfbamMergedNode head;
  guint first = island->merged->len;
  gboolean position = FALSE, pushes = FALSE;

  g_array_append_val (members, node);
  self->nodes.mark[node] = 1;
  for (guint i = 0; i < members->len; i++)
    {
      const GArray *list =
          g_hash_table_lookup (at, GUINT_TO_POINTER (g_array_index (members, guint32, i)));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamConstraint constraint = ifbam_link_constraint (self, neighbour->row);

          position |= constraint.kind != IFBAM_CONSTRAINT_RIGID
                      && constraint.kind != IFBAM_CONSTRAINT_ONE_WAY;
          if (self->nodes.mark[neighbour->other] != 0)
            continue;
          self->nodes.mark[neighbour->other] = 1;
          g_array_append_val (members, neighbour->other);
        }
    }
  for (guint i = 0; i < members->len && !pushes; i++)
    pushes = g_array_index (members, guint32, i) < self->base.model->n_free
             && touches (self, g_array_index (members, guint32, i), island->time);
  head = (IfbamMergedNode){ .node = leader_of (self, (guint32 *) (gpointer) members->data,
                                               members->len) };
  head.leader = head.node;
  head.position = position;
  g_array_append_val (island->merged, head);
  self->nodes.mark[head.node] = 2;
  for (guint i = first; i < island->merged->len; i++)
    {
      const IfbamMergedNode from = g_array_index (island->merged, IfbamMergedNode, i);
      const GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (from.node));

      for (guint k = 0; list != NULL && k < list->len; k++)
        {
          const Neighbour *neighbour = &g_array_index (list, Neighbour, k);
          const IfbamConstraint constraint = ifbam_link_constraint (self, neighbour->row);
          IfbamMergedNode merged = { neighbour->other, head.node, from.offset, position };

          if (self->nodes.mark[neighbour->other] == 2)
            continue;
          self->nodes.mark[neighbour->other] = 2;
          if (constraint.kind == IFBAM_CONSTRAINT_CONTACT && !pushes)
            merged.offset -= neighbour->sign
                             * (constraint.gap - self->links.state[neighbour->row].remaining_gap);
          else
            merged.offset += self->nodes.x[neighbour->other] - self->nodes.x[from.node];
          g_array_append_val (island->merged, merged);
        }
    }
}

/* Lists a neighbour of a node. Given nodes have lists, too, so that each leads one whole group. */
static void
list_neighbour (GHashTable *at, guint32 node, guint32 row, guint32 other, int sign)
{
  GArray *list = g_hash_table_lookup (at, GUINT_TO_POINTER (node));
  Neighbour neighbour = { row, other, sign };

  if (list == NULL)
    {
      list = g_array_new (FALSE, FALSE, sizeof (Neighbour));
      g_hash_table_insert (at, GUINT_TO_POINTER (node), list);
    }
  g_array_append_val (list, neighbour);
}

void
ifbam_event_merge_nodes (IfbamEventEngine *self, IfbamIsland *island)
{
  g_autoptr (GHashTable) at = NULL;

  island->has_variable_rows = island->has_fixed = island->has_limited = FALSE;
  island->rows_changed = TRUE;
  if (island->merged != NULL)
    ifbam_array_clear (island->merged);
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->merged == NULL)
    island->merged = g_array_new (FALSE, FALSE, sizeof (IfbamMergedNode));
  island->lambda = g_renew (double, island->lambda, island->rows->len);
  at = g_hash_table_new_full (NULL, NULL, NULL, (GDestroyNotify) g_array_unref);
  for (guint i = 0; i < island->rows->len; i++)
    {
      guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamConstraintKind kind = ifbam_link_constraint (self, index).kind;

      island->has_fixed |= kind == IFBAM_CONSTRAINT_FIXED;
      island->has_limited |= !ifbam_constraint_is_bilateral (kind);
      if (!link->geometry->straight)
        {
          island->has_variable_rows = TRUE;
          continue;
        }
      list_neighbour (at, link->node[0], index, link->node[1], 1);
      list_neighbour (at, link->node[1], index, link->node[0], -1);
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < 2 && link->geometry->straight; e++)
        if (link->node[e] < self->base.model->n_free && self->nodes.mark[link->node[e]] == 0)
          add_group (self, island, at, link->node[e]);
    }
  for (guint i = 0; i < island->merged->len; i++)
    self->nodes.mark[g_array_index (island->merged, IfbamMergedNode, i).node] = 0;
  if (island->has_variable_rows)
    return;
  for (guint i = 0; i < island->rows->len; i++)
    ifbam_link_measure_rows (self, g_array_index (island->rows, guint32, i), self->nodes.x,
                             self->nodes.v);
  ifbam_event_factor_rows (self, island, TRUE);
}

/* Moves each group as one body: with its momentum and mass centre, or with a given leader. */
static void
project_groups (IfbamEventEngine *self, const IfbamIsland *island, double *x, double *v,
                double time)
{
  const IfbamModel *model = self->base.model;
  const IfbamMergedNode *merged = (const IfbamMergedNode *) (gpointer) island->merged->data;

  for (guint first = 0, last; first < island->merged->len; first = last)
    {
      const guint32 leader = merged[first].leader;
      double position = 0, rate = 0, mass = 0;

      for (last = first; last < island->merged->len && merged[last].leader == leader
                         && (last == first || merged[last].node != leader);
           last++)
        if (leader < model->n_free)
          {
            guint32 node = merged[last].node;
            double m = 1 / self->nodes.inverse_mass[node];

            mass += m;
            rate += m * v[node];
            position += m * (x[node] - merged[last].offset);
          }
      if (leader < model->n_free)
        {
          rate /= mass;
          position /= mass;
        }
      else
        {
          IfbamMotion motion =
              ifbam_event_motion_now (self, leader, ifbam_event_time_at (self, time));

          rate = motion.rate;
          position = motion.position;
        }
      for (guint i = first; i < last; i++)
        if (merged[i].node < model->n_free)
          {
            v[merged[i].node] = rate;
            if (merged[i].position)
              x[merged[i].node] = position + merged[i].offset;
            ifbam_event_set_evaluator_node (self, merged[i].node, x, v);
          }
    }
}

double
ifbam_event_constraint_residual (const IfbamEventEngine *self, guint32 index,
                                 const double *position, const double *rate)
{
  const IfbamConstraint constraint = ifbam_link_constraint (self, index);
  double row[IFBAM_MAX_PORTS], delta;

  if (constraint.kind != IFBAM_CONSTRAINT_CONTACT && constraint.kind != IFBAM_CONSTRAINT_FIXED)
    return 0;
  ifbam_link_measure (ifbam_link (self, index), position, rate, &delta, row);
  return delta - constraint.gap + self->links.state[index].remaining_gap;
}

static void
subtract_correction (IfbamEventEngine *self, const IfbamIsland *island, double *column)
{
  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const double *row = self->links.state[index].row, *inverse_mass = self->nodes.inverse_mass;
      const double reaction = island->lambda[i];

      for (guint e = 0; e < link->n_ports; e++)
        {
          IFBAM_SCALAR_LOOP;
          column[link->node[e]] -= row[e] * reaction * inverse_mass[link->node[e]];
        }
    }
}

#define MIN_ITERATIONS 3 /* Newton iterations without a test of convergence */

/* Projects positions by Newton's method along M^-1 J^T, then rates by one linear solution. */
static void
project_curved (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v)
{
  IFBAM_SHORT_LIST (double, rate, island->rows->len);
  gboolean rates = FALSE;

  for (guint iteration = 0; !rates; iteration++)
    {
      gboolean reached = iteration >= MIN_ITERATIONS;

      for (guint i = 0; i < island->rows->len; i++)
        {
          guint32 index = g_array_index (island->rows, guint32, i);
          double delta;

          rate[i] = ifbam_link_measure (ifbam_link (self, index), x, v, &delta,
                                        self->links.state[index].row);
          island->lambda[i] = ifbam_event_constraint_residual (self, index, x, v);
          reached &=
              fabs (island->lambda[i]) <= ifbam_event_magnitudes (self, index)->position_threshold;
        }
      rates = reached || iteration >= self->limits.iterations;
      if (rates)
        memcpy (island->lambda, rate, island->rows->len * sizeof *rate);
      ifbam_event_factor_rows (self, island, FALSE);
      ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
      subtract_correction (self, island, rates ? v : x);
    }
  IFBAM_EVALUATE (self, rows_set, island->rows, 2, (double *[]){ x, v });
}

#define CHORD_RATIO 0.1 /* of the residual: rows are refactored if an iteration leaves more */

/* Stores the residuals of positions, or rates, in lambda. Returns the largest one, in units of its
 * rounding threshold. measured: the stored rows are those at x. */
static double
largest_residual (IfbamEventEngine *self, IfbamIsland *island, const double *x, const double *v,
                  gboolean rates, gboolean measured)
{
  double most = 0;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const IfbamMagnitudes *scale = ifbam_event_magnitudes (self, index);
      IfbamLinkState *state = &self->links.state[index];
      double delta = 0, rate = 0;

      if (!measured)
        rate = ifbam_link_measure (link, x, v, &delta, state->row);
      for (guint e = 0; e < link->n_ports && measured; e++)
        {
          IFBAM_SCALAR_LOOP;
          rate += state->row[e] * v[link->node[e]];
        }
      if (rates)
        island->lambda[i] = rate;
      else
        {
          const IfbamConstraint constraint = ifbam_link_constraint (self, index);

          island->lambda[i] = constraint.kind == IFBAM_CONSTRAINT_FIXED ? delta
                              : constraint.kind == IFBAM_CONSTRAINT_CONTACT
                                  ? delta - constraint.gap + state->remaining_gap
                                  : 0;
        }
      most = MAX (most,
                  fabs (island->lambda[i])
                      / MAX (rates ? scale->rate_threshold : scale->position_threshold, DBL_MIN));
    }
  return most;
}

/* For mechanisms and many rows: as project_curved (), but with the factors of the first iteration while
 * these converge. A step leaves small residuals: one iteration mostly suffices. */
static void
project_by_chords (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v,
                   gboolean arrived)
{
  double *const column[] = { x, v };
  const guint first = arrived ? 1 : 0;

  for (guint rates = first; rates < 2; rates++)
    {
      double left = INFINITY;

      for (guint iteration = 0;; iteration++)
        {
          const double most = largest_residual (self, island, x, v, rates > 0,
                                                rates > first || (rates > 0 && iteration > 0));

          if (iteration == 0 ? rates == first : most > CHORD_RATIO * left)
            ifbam_event_factor_rows (self, island, FALSE);
          if ((iteration > 0 && most <= 1) || iteration >= self->limits.iterations)
            break;
          left = most;
          ifbam_constraint_system_solve (&island->system, island->lambda, island->lambda);
          subtract_correction (self, island, column[rates]);
        }
    }
  IFBAM_EVALUATE (self, rows_set, island->rows, 2 - first, column + first);
}

void
ifbam_event_project (IfbamEventEngine *self, IfbamIsland *island, double *x, double *v, double time,
                     gboolean arrived)
{
  if (island->rows == NULL || island->rows->len == 0)
    return;
  if (island->has_variable_rows && (island->has_fixed || island->rows->len >= IFBAM_MIN_CHORD_ROWS))
    project_by_chords (self, island, x, v, arrived && island->has_fixed);
  else if (island->has_variable_rows)
    project_curved (self, island, x, v);
  else
    project_groups (self, island, x, v, time);
}

GArray *
ifbam_event_list_bilateral (IfbamEventEngine *self)
{
  self->context->n_transmitting_lists++;
  return ifbam_array_reuse (&self->context->transmitting, sizeof (guint32));
}

/* Returns the bilateral constraints of the network: islands have no rows yet at the start. */
static const GArray *
list_bilateral (IfbamEventEngine *self)
{
  GArray *all = self->context->bilateral;

  if (all != NULL)
    return all;
  all = ifbam_array_reuse (&self->context->bilateral, sizeof (guint32));
  for (guint32 j = 0; j < self->base.model->unbatched_links->len; j++)
    if (ifbam_constraint_is_bilateral (ifbam_link_constraint (self, j).kind))
      g_array_append_val (all, j);
  return all;
}

gboolean
ifbam_event_has_bilateral (IfbamEventEngine *self, guint32 index)
{
  guint32 islands[IFBAM_MAX_PORTS];
  const guint n = ifbam_event_link_islands (self, index, islands);
  gboolean tied = self->starting && list_bilateral (self)->len > 0;

  for (guint k = 0; k < n; k++)
    tied |= ifbam_island (self, islands[k])->has_fixed;
  return tied;
}

void
ifbam_event_add_bilateral (IfbamEventEngine *self, const guint32 *nodes, guint n)
{
  if (self->starting && self->context->transmitting->len == 0 && list_bilateral (self)->len > 0)
    g_array_append_vals (self->context->transmitting, list_bilateral (self)->data,
                         list_bilateral (self)->len);
  for (guint e = 0; e < n; e++)
    {
      const guint32 index = ifbam_island_of (self, nodes[e]);
      IfbamIsland *island = index == IFBAM_NONE ? NULL : ifbam_island (self, index);

      if (island == NULL || island->rows == NULL
          || island->bilateral_list == self->context->n_transmitting_lists || self->starting)
        continue;
      island->bilateral_list = self->context->n_transmitting_lists;
      for (guint i = 0; i < island->rows->len; i++)
        if (ifbam_constraint_is_bilateral (
                ifbam_link_constraint (self, g_array_index (island->rows, guint32, i)).kind))
          g_array_append_val (self->context->transmitting,
                              g_array_index (island->rows, guint32, i));
    }
}
