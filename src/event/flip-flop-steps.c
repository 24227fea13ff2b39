/* flip-flop-steps.c: cycles of the flip-flop (two-step) schemes, forces in flight, histories
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/flip-flop-steps.h"

#include <string.h>

#include "event/forces.h"
#include "event/penetration-correction.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/constraint-rows.h"
#include "event/load-sharing.h"
#include "event/island-step.h"
#include "event/slip-direction.h"
#include "event/step-work.h"

static void
impose_columns (IfbamEventEngine *self, gsize node, guint n, double *const *column)
{
  const guint32 index = (guint32) node;

  IFBAM_EVALUATE (self, values_set, &index, 1, n, column);
}

/* Returns the position of a node in the new cycle, without reactions. */
static double
free_position (const IfbamEventEngine *self, guint32 node, guint64 step, double *const *column)
{
  const double h = self->base.spec->step;

  if (node >= self->base.model->n_free)
    return ifbam_event_motion (self, node, (double) (step + 1) * h).position;
  return column[0][node]
         + h * (column[3][node] + 2 * h * self->nodes.inverse_mass[node] * self->nodes.force[node]);
}

/* Sets the new positions x2; returns the largest displacement of a node by a reaction [m]. */
static double
set_positions_with_reactions (IfbamEventEngine *self, const IfbamIsland *island, guint64 step,
                              double *const *column)
{
  const double h = self->base.spec->step;
  double displacement = 0;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        self->nodes.x2[link->node[e]] = free_position (self, link->node[e], step, column);
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      IfbamConstraintRow row;

      ifbam_link_row (self, index, 1, &row);
      ifbam_link_force_direction (self, index, &row);
      for (guint e = 0; e < row.n_ports; e++)
        {
          const double by =
              2 * h * h * self->nodes.inverse_mass[row.node[e]] * row.pull[e] * island->lambda[i];

          self->nodes.x2[row.node[e]] -= by;
          displacement = MAX (displacement, fabs (by));
        }
    }
  return displacement;
}

/* Returns the residual of a constraint at the new positions x2 [m]. Where a row on velocities turns
 * (a friction that sticks), it is the displacement along the row in the middle of the cycle: the
 * rows of half a cycle earlier let the end drift, with an error of order 1. */
static double
cycle_residual (const IfbamEventEngine *self, guint32 index, double *const *column)
{
  const IfbamLink *link = ifbam_link (self, index);
  const IfbamConstraintKind kind = ifbam_link_constraint (self, index).kind;
  double x[IFBAM_MAX_PORTS], displacement[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;

  if (link->geometry->velocity_term == NULL || kind == IFBAM_CONSTRAINT_CONTACT
      || kind == IFBAM_CONSTRAINT_FIXED)
    return ifbam_event_constraint_residual (self, index, self->nodes.x2, column[1]);
  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      x[e] = 0.5 * (column[0][node] + self->nodes.x2[node]);
      displacement[e] = self->nodes.x2[node] - column[0][node];
    }
  return ifbam_link_measure_at (link, x, displacement, &delta, row);
}

/* Corrects reactions, which only make J v = 0, until positions meet the curved constraints. */
static void
correct_reactions (IfbamEventEngine *self, IfbamIsland *island, guint64 step, double *const *column)
{
  const double h = self->base.spec->step;
  const guint n = island->rows->len;
  IFBAM_SHORT_LIST (double, rest, n);
  double left = INFINITY;

  for (guint iteration = 0;; iteration++)
    {
      const double displacement = set_positions_with_reactions (self, island, step, column);
      double most = 0;
      guint asked = 0;

      island->is_violated = FALSE;
      for (guint i = 0; i < n; i++)
        {
          const guint32 index = g_array_index (island->rows, guint32, i);
          const double residue = cycle_residual (self, index, column);

          if (ifbam_island_row_is_redundant (island, i))
            continue;
          most = MAX (most, fabs (residue));
          island->is_violated |=
              fabs (residue) > ifbam_event_magnitudes (self, index)->position_threshold
                                   + 4 * DBL_EPSILON * displacement;
          rest[asked++] = residue / (2 * h * h);
        }
      if (!island->is_violated || iteration >= self->limits.iterations)
        return;
      if (most > IFBAM_REFACTOR_RATIO * left && !island->shares_load)
        ifbam_event_factor_towards (self, island, self->nodes.x2, column[1], TRUE);
      left = most;
      ifbam_constraint_system_solve (island->shares_load ? &island->independent : &island->system,
                                     rest, rest);
      asked = 0;
      for (guint i = 0; i < n; i++)
        if (!ifbam_island_row_is_redundant (island, i))
          island->lambda[i] += rest[asked++];
      /* Most of a reaction may curve the path: frictions follow its direction. */
      if (!island->shares_load)
        ifbam_event_turn_carrier_directions (self, island);
    }
}

/* Computes and applies reactions: lambda = (J M^-1 P^T)^-1 J (v[i-1] + 2 tau M^-1 F) / (2 tau), tau
 * the step, so that J v = 0 in the new cycle. Curved constraints use the rows half a cycle earlier:
 * the velocities before and after the reaction are at equal distances from that time. */
static void
apply_island_reactions (IfbamEventEngine *self, IfbamIsland *island, guint64 step,
                        double *const *column)
{
  const double h = self->base.spec->step;

  for (guint i = 0; i < island->rows->len; i++)
    {
      const guint32 index = g_array_index (island->rows, guint32, i);
      const IfbamLink *link = ifbam_link (self, index);
      const double *row = self->links.state[index].row;
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], sum = 0;

      for (guint e = 0; e < link->n_ports; e++)
        {
          const guint32 node = link->node[e];

          x[e] = 0.5 * (column[0][node] + column[2][node]);
          v[e] = column[1][node];
        }
      ifbam_link_measure_rows_at (self, index, x, v);
      for (guint e = 0; e < link->n_ports; e++)
        {
          guint32 node = link->node[e];
          double rate;

          if (node < self->base.model->n_free)
            rate =
                column[3][node] + 2 * h * self->nodes.inverse_mass[node] * self->nodes.force[node];
          else
            rate = (ifbam_event_motion (self, node, (double) (step + 1) * h).position
                    - ifbam_event_motion (self, node, (double) step * h).position)
                   / h;
          sum += row[e] * rate;
        }
      island->lambda[i] = sum / (2 * h);
    }
  ifbam_event_solve_rows (self, island);
  if (island->has_variable_rows)
    correct_reactions (self, island, step, column);
  ifbam_event_apply_reactions (self, island);
}

void
ifbam_event_cycle_apply_reactions (IfbamEventEngine *self, guint64 step, double *const *column)
{
  for (guint i = 0; i < self->islands.constrained->len; i++)
    apply_island_reactions (self, ifbam_constrained_island (self, i), step, column);
}

/* Projects the new positions onto the active constraints; velocities follow from the positions. */
static void
project_island (IfbamEventEngine *self, IfbamIsland *island, double *const *column, guint64 step)
{
  const double time = (double) (step + 1 - self->step) * self->base.spec->step;

  IFBAM_FOR_COMPONENTS_FROM (component, ifbam_component (self, island->first))
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      self->nodes.x2[i] = column[0][i];
      self->nodes.v2[i] = column[1][i];
    }
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        if (self->nodes.inverse_mass[link->node[e]] == 0)
          {
            self->nodes.x2[link->node[e]] = column[0][link->node[e]];
            self->nodes.v2[link->node[e]] = column[1][link->node[e]];
          }
    }
  ifbam_event_project (self, island, self->nodes.x2, self->nodes.v2, time, FALSE);
  for (guint i = 0; i < island->rows->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (island->rows, guint32, i));

      for (guint e = 0; e < link->n_ports; e++)
        {
          guint32 node = link->node[e];

          if (self->nodes.inverse_mass[node] == 0 || self->nodes.x2[node] == column[0][node])
            continue;
          column[0][node] = self->nodes.x2[node];
          column[1][node] = (column[0][node] - column[2][node]) / self->base.spec->step;
          ifbam_event_set_evaluator_node (self, node, column[0], column[1]);
        }
    }
}

void
ifbam_event_cycle_exchange_columns (IfbamEventEngine *self, guint64 step, double **column)
{
  ifbam_columns_flip (column);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    project_island (self, ifbam_constrained_island (self, i), column, step);
}

/* Advances all nodes by one cycle (index: step), by the gathered forces and the reactions to them.
 * column: the columns of a cycle; (out) those of the next one. */
static void
advance_cycle (IfbamEventEngine *self, guint64 step, double **column)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  IfbamNodeBatch nodes;

  ifbam_event_set_nodes (self, self->scheme, column, spec->step, &nodes);
  ifbam_event_cycle_apply_reactions (self, step, column);
  IFBAM_EVALUATE (self, run_stage, ifbam_first_component (self, IFBAM_NONE), self->scheme, 0,
                  &nodes);
  for (gsize i = model->n_free; i < model->n_nodes; i++)
    {
      double *const own[] = { column[0] + i, column[1] + i, column[2] + i, column[3] + i };

      ifbam_given_update (self->base.numbers, i, 0, step, own);
      ifbam_event_set_evaluator_node (self, (guint32) i, column[2], column[3]);
    }
  ifbam_event_cycle_exchange_columns (self, step, column);
}

static void
set_given_nodes (IfbamEventEngine *self)
{
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time (self), self->nodes.x, self->nodes.v);
}

void
ifbam_event_compute_next_cycle (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  const IfbamRunSpec *spec = self->base.spec;
  const double source_time = ifbam_engine_source_time (spec, 0, (gint64) self->step);

  ifbam_event_cycle_forces (self, IFBAM_NONE, self->history.column, source_time,
                            self->history.next_flight);
  for (guint c = 0; c < self->scheme->n_columns; c++)
    {
      IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
      IFBAM_FOR_NODES (range, component)
      memcpy (self->history.next[c] + range->first, self->history.column[c] + range->first,
              (range->last - range->first) * sizeof (double));
      memcpy (self->history.next[c] + model->n_free, self->history.column[c] + model->n_free,
              (model->n_nodes - model->n_free) * sizeof (double));
      IFBAM_EVALUATE (self, copied, NULL, self->history.column[c], self->history.next[c]);
    }
  ifbam_event_cycle_gather (self, self->history.flight);
  advance_cycle (self, self->step, self->history.next);
  ifbam_event_compute_sample (self);
}

void
ifbam_event_compute_sample (IfbamEventEngine *self)
{
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (range, component)
  {
    self->scheme->observe (range->first, range->last, self->history.next,
                           self->nodes.x + range->first, self->nodes.v + range->first);
    for (gsize i = range->first; i < range->last; i++)
      ifbam_event_set_evaluator_node (self, (guint32) i, self->nodes.x, self->nodes.v);
  }
  set_given_nodes (self);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_project (self, ifbam_constrained_island (self, i), self->nodes.x, self->nodes.v, 0,
                         FALSE);
}

static void
send_next_force (IfbamEventEngine *self, guint32 link)
{
  IfbamLinkState *state = &self->links.state[link];

  state->flight = state->next_force;
  memcpy (state->flight_row, state->next_row, sizeof state->flight_row);
  IFBAM_EVALUATE (self, force_sent, link);
}

/* Computes the forces in flight from the columns of the cycle before, in next[]. */
static void
compute_forces_in_flight (IfbamEventEngine *self, guint32 index)
{
  ifbam_event_cycle_forces (self, index, self->history.next,
                            ifbam_engine_source_time (self->base.spec, 0, (gint64) self->step - 1),
                            self->history.flight);
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_LIST (link, component, own)
  send_next_force (self, *link);
}

/* Rebuilds the history of an island after steps by the restart scheme: integrates backward in the
 * present modes and, where a slip has just started, in its direction. Straight histories or old forces in flight would reduce the order by one. For
 * given nodes, next[] has the columns of the cycle before. */
static void
rebuild (IfbamEventEngine *self, guint32 index)
{
  const double h = self->base.spec->step;

  ifbam_event_hold_slip_directions (self, index);
  ifbam_event_step (self, index, self->restart_scheme, 0, -h, self->nodes.x, self->nodes.v,
                    self->nodes.xt, self->nodes.vt, FALSE);
  ifbam_event_step (self, index, self->restart_scheme, -h, -h, self->nodes.xt, self->nodes.vt,
                    self->nodes.x2, self->nodes.v2, FALSE);
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      self->history.column[0][i] = self->nodes.x[i];
      self->history.column[1][i] = (self->nodes.x[i] - self->nodes.xt[i]) / h;
      self->history.column[2][i] = self->history.next[0][i] = self->nodes.xt[i];
      self->history.column[3][i] = self->history.next[1][i] =
          (self->nodes.xt[i] - self->nodes.x2[i]) / h;
      self->history.next[2][i] = self->nodes.x2[i];
      impose_columns (self, i, 4, self->history.column);
      impose_columns (self, i, 3, self->history.next);
    }
  ifbam_event_step (self, index, self->restart_scheme, -2 * h, -h, self->nodes.x2, self->nodes.v2,
                    self->nodes.xt, self->nodes.vt, FALSE);
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    {
      self->history.next[3][i] = (self->history.next[2][i] - self->nodes.xt[i]) / h;
      impose_columns (self, i, 1, &self->history.next[3]);
    }
  compute_forces_in_flight (self, index);
  ifbam_event_copy_slip_directions (self);
}

void
ifbam_event_set_given_columns (IfbamEventEngine *self, gint64 step, double *const *column)
{
  const IfbamModel *model = self->base.model;

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    for (guint c = 0; c < 2; c++)
      {
        ifbam_given_message (self->base.numbers, i, 0, step - c, &column[2 * c][i],
                             &column[2 * c + 1][i]);
        ifbam_event_set_evaluator_node (self, (guint32) i, column[2 * c], column[2 * c + 1]);
      }
}

/* Sets an island's history at the start by the scheme's own rule, as in all engines. */
static void
begin_history (IfbamEventEngine *self, guint32 index)
{
  const IfbamScheme *scheme = self->scheme;

  ifbam_event_accelerations (self, index, self->nodes.x, self->nodes.v, ifbam_event_time (self),
                             FALSE);
  IFBAM_FOR_COMPONENTS (component, index)
  IFBAM_FOR_NODES (range, component)
  for (guint before = 0; before < 2; before++)
    {
      double *const *column = before ? self->history.next : self->history.column;
      const gsize first = range->first;
      double *part[IFBAM_MAX_COLUMNS];

      for (guint c = 0; c < scheme->n_columns; c++)
        part[c] = column[c] + first;
      scheme->begin (before, range->last - first, part, self->nodes.x + first,
                     self->nodes.v + first, self->nodes.acceleration + first,
                     self->base.spec->step);
      for (gsize i = first; i < range->last; i++)
        impose_columns (self, i, scheme->n_columns, column);
    }
  compute_forces_in_flight (self, index);
}

void
ifbam_event_begin_history (IfbamEventEngine *self)
{
  ifbam_event_set_given_columns (self, 0, self->history.column);
  ifbam_event_set_given_columns (self, -1, self->history.next);
  for (guint i = 0; i < self->islands.list->len; i++)
    {
      const IfbamIsland *island = ifbam_island (self, i);

      if (island->n_components == 0)
        continue;
      /* The parabola of the scheme's start would violate active constraints. */
      if (island->rows != NULL && island->rows->len > 0)
        rebuild (self, i);
      else
        begin_history (self, i);
    }
}

void
ifbam_event_complete_cycle (IfbamEventEngine *self)
{
  for (guint c = 0; c < self->scheme->n_columns; c++)
    ifbam_swap_columns (&self->history.column[c], &self->history.next[c]);
  ifbam_swap_columns (&self->history.flight, &self->history.next_flight);
  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    send_next_force (self, j);
  ifbam_event_set_given_columns (self, (gint64) self->step - 1, self->history.next);
  for (guint i = 0; i < self->islands.list->len; i++)
    if (ifbam_island (self, i)->n_components > 0 && ifbam_island (self, i)->uses_restart)
      rebuild (self, i);
  ifbam_event_correct_penetration (self);
  if (!self->is_manual)
    ifbam_event_compute_next_cycle (self);
  if (self->account.is_kept)
    ifbam_event_cycle_work (self, FALSE);
  for (guint i = 0; i < self->islands.list->len; i++)
    ifbam_island (self, i)->uses_restart = FALSE;
}

void
ifbam_step_history_init (IfbamStepHistory *self, const IfbamModel *model)
{
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      self->column[c] = g_new0 (double, model->n_nodes + 1);
      self->next[c] = g_new0 (double, model->n_nodes + 1);
    }
  self->flight = g_new0 (double, model->n_slots + model->n_sources + 1);
  self->next_flight = g_new0 (double, model->n_slots + model->n_sources + 1);
}

void
ifbam_step_history_clear (IfbamStepHistory *self)
{
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      g_free (self->column[c]);
      g_free (self->next[c]);
    }
  g_free (self->flight);
  g_free (self->next_flight);
}
