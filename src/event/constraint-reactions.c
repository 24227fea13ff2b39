/* constraint-reactions.c: reactions of active constraints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/constraint-reactions.h"

#include <math.h>

#include "event/constraint-projection.h"
#include "event/constraint-rows.h"
#include "event/event-context.h"
#include "event/event-links.h"
#include "event/forces.h"
#include "event/load-sharing.h"

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

      island->lambda[i] = ifbam_event_row_acceleration (self, ifbam_link (self, index),
                                                        self->links.state[index].row, FALSE, 0);
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

      island->lambda[i] = ifbam_event_row_acceleration (self, link, row, TRUE, time) + bend;
      ifbam_event_measure_carried (self, index, position, rate);
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
