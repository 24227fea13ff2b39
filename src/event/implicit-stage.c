/* implicit-stage.c: equations of an implicit stage, and their solution by Newton's method
 *
 * An iteration changes velocities w and reactions lambda by
 *   (M/a + C + a K) dw + J^T dlambda = F (u, w) - J^T lambda - M (w - V) / a
 *   J dw = -(J (w - V) + a Jdot w)
 * C, K: force derivatives; J: rows of the active constraints. No iterate depends on another step:
 * a run that continues from a state gets bitwise equal results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/implicit-stage.h"

#include <string.h>

#include "event/clusters.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"
#include "event/forces.h"

#define VELOCITY_TOLERANCE                                                                         \
  1e-13 /* relative change of velocities at which Newton's method has converged */
/* Relative change of reactions that counts as converged. Below it, an iteration that does not halve
 * the largest change has reached rounding. */
#define REACTION_TOLERANCE 1e-9
#define MAX_ITERATIONS     40 /* Newton iterations in a stage */
/* After this many iterations without a change of velocities, reactions count as converged: those
 * that tend to 0 keep getting smaller. */
#define STILL_TURNS 6
/* From this iteration on, a change may be compared with the largest values of the whole stage: the
 * present velocity of a node at rest is no scale. */
#define SETTLING_TURNS 8
void
ifbam_substep_publish (IfbamEventEngine *self, const IfbamSubstep *part, double *column)
{
  IFBAM_EVALUATE (self, values_set, ifbam_system_nodes (part->system),
                  ifbam_system_n_nodes (part->system), 1, &column);
}

/* Completes the message columns of an iterate. Links that take the mean over a path get the
 * positions and velocities of two cycles (extrapolation.h). */
void
ifbam_substep_complete_columns (IfbamEventEngine *self, const IfbamSubstep *part)
{
  const IfbamImplicit *own = self->implicit;
  const IfbamScheme *scheme = part->scheme;
  double *const *column = self->nodes.work;
  double *u = column[scheme->said_position], *w = column[scheme->said_rate];

  ifbam_substep_publish (self, part, u);
  ifbam_substep_publish (self, part, w);
  if (!scheme->mean)
    return;
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double start = own->position[*i], rate = own->rate[*i], end = 2 * w[*i] - rate;

    column[0][*i] = start;
    column[1][*i] = 0.5 * (3 * rate - end);
    column[2][*i] = start - part->h * w[*i];
    column[3][*i] = 0.5 * (5 * rate - 3 * end);
  }
  for (guint c = 0; c < 4; c++)
    ifbam_substep_publish (self, part, column[c]);
}

/* Computes the forces of links and sources at the present iterate. */
void
ifbam_substep_evaluate_forces (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  const IfbamScheme *scheme = part->scheme;

  if (scheme->mean)
    ifbam_event_mean_forces (self, part->number, self->nodes.work, time);
  else
    ifbam_event_forces (self, part->number, self->nodes.work[scheme->said_position],
                        self->nodes.work[scheme->said_rate], time);
}

/* Constraint rows */

guint
ifbam_substep_n_rows (const IfbamSubstep *part)
{
  return part->island->rows == NULL ? 0 : part->island->rows->len;
}

/* Returns J (w - V) + a Jdot w of a constraint [m/s]. Side effect: stores its Jacobian row. */
static double
acceleration_left (IfbamEventEngine *self, const IfbamSubstep *part, guint32 number, double time)
{
  const double *u = self->nodes.work[part->scheme->said_position],
               *w = self->nodes.work[part->scheme->said_rate];
  const gsize n_free = self->base.model->n_free;
  const IfbamLink *link = ifbam_link (self, number);
  double *row = self->links.state[number].row;
  double sum = part->a * ifbam_link_measure_acceleration (link, u, w, row);

  for (guint e = 0; e < link->n_ports; e++)
    {
      const guint32 node = link->node[e];

      sum += row[e]
             * (node < n_free ? w[node] - self->implicit->from_rate[node]
                              : part->a * ifbam_numbers_motion (self->base.numbers, node, time)[2]);
    }
  return sum;
}

/* Returns J w of a constraint [m/s]. */
static double
rate_left (const IfbamEventEngine *self, const IfbamSubstep *part, guint32 number)
{
  const double *w = self->nodes.work[part->scheme->said_rate];
  const IfbamLink *link = ifbam_link (self, number);
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    sum += self->links.state[number].row[e] * w[link->node[e]];
  return sum;
}

/* Sets the right side of the constraint rows, and applies the present reactions to the forces. Near
 * a singular position the condition is J w = 0, with J of the first iteration. Accelerations would
 * be large there for small forbidden velocities, and reactions hardly exert forces. */
void
ifbam_substep_set_constraint_residuals (IfbamEventEngine *self, const IfbamSubstep *part,
                                        double time, guint turn)
{
  const double *u = self->nodes.work[part->scheme->said_position],
               *w = self->nodes.work[part->scheme->said_rate];
  double *right = ifbam_system_rhs (part->system) + ifbam_system_n_nodes (part->system);

  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 number = g_array_index (part->island->rows, guint32, k);

      if (!part->is_singular || turn == 0)
        ifbam_link_measure_rows (self, number, u, w);
      right[k] = part->is_singular ? -rate_left (self, part, number)
                                   : -acceleration_left (self, part, number, time);
    }
  if (ifbam_substep_n_rows (part) > 0)
    ifbam_event_apply_reactions (self, part->island);
}

/* Newton's method */

/* Largest change of a velocity and its scale, per domain [m/s]. */
typedef struct
{
  double change[IFBAM_N_DOMAINS], size[IFBAM_N_DOMAINS];
} Change;

static double
largest_part (const Change *change)
{
  double largest = 0;

  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    {
      const double part = change->size[d] > 0 ? change->change[d] / change->size[d] : 0;

      if (isnan (change->change[d]) || isnan (change->size[d]))
        return INFINITY;
      if (!(part <= largest))
        largest = part;
    }
  return largest;
}

/* Largest velocities per domain, also those due to reactions [m/s], and force of a stage [N]. */
typedef struct
{
  double size[IFBAM_N_DOMAINS], force;
} Scale;

/* Starts with the largest positions (divided by a) and velocities in the cluster so far. */
static void
scale_init (Scale *scale, const IfbamEventEngine *self, const IfbamSubstep *part)
{
  *scale = (Scale){ .force = 0 };
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const IfbamMagnitudes *extent = ifbam_event_node_extent (self, *i);
    double *size = &scale->size[self->clusters.node_domain[*i]];

    *size = MAX (*size, MAX (extent->rate, extent->position / part->a));
  }
}

static void
scale_widen (Scale *scale, const IfbamEventEngine *self, const IfbamSubstep *part,
             const Change *change, double largest)
{
  scale->force = MAX (scale->force, largest);
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    scale->size[d] = MAX (scale->size[d], change->size[d]);
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 number = g_array_index (part->island->rows, guint32, k);
      const IfbamLink *link = ifbam_link (self, number);

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < self->base.model->n_free
            && !ifbam_model_is_junction (self->base.model, link->node[e]))
          {
            double *size = &scale->size[self->clusters.node_domain[link->node[e]]];

            *size = MAX (*size,
                         part->a * self->nodes.inverse_mass[link->node[e]]
                             * fabs (self->links.state[number].row[e] * part->island->lambda[k]));
          }
    }
}

/* Adds the solution to w, u, lambda; returns the largest relative change. still: counts iterations
 * without a change of velocities. beside: (out) the change relative to the stage's scales. */
static double
apply_solution (IfbamEventEngine *self, const IfbamSubstep *part, guint *still, Scale *scale,
                double *beside)
{
  const double *right = ifbam_system_rhs (part->system), a = part->a;
  const double *from = self->implicit->from_position;
  double *u = self->nodes.work[part->scheme->said_position],
         *w = self->nodes.work[part->scheme->said_rate];
  double most = 0, largest = 0;
  Change change = { { 0 }, { 0 } };
  double moved;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double by = *right++;
    const guint8 d = self->clusters.node_domain[*i];

    w[*i] += by;
    u[*i] = from[*i] + a * w[*i];
    if (!(fabs (by) <= change.change[d])) /* a NaN stays */
      change.change[d] = fabs (by);
    change.size[d] = MAX (change.size[d], MAX (fabs (w[*i]), fabs (u[*i]) / a));
  }
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      part->island->lambda[k] += right[k];
      most = MAX (most, fabs (right[k]));
      largest = MAX (largest, fabs (part->island->lambda[k]));
    }
  if (most > 0) /* compared with node forces a reaction may be rounding */
    IFBAM_FOR_SUBSTEP_NODES (i, part)
  largest = MAX (largest, fabs (self->nodes.force[*i]));
  moved = largest_part (&change);
  scale_widen (scale, self, part, &change, largest);
  memcpy (change.size, scale->size, sizeof change.size);
  *beside =
      MAX (largest_part (&change),
           scale->force > 0 ? most / scale->force * (VELOCITY_TOLERANCE / REACTION_TOLERANCE) : 0);
  *still = moved <= VELOCITY_TOLERANCE ? *still + 1 : 0;
  return part->is_singular || *still >= STILL_TURNS
             ? moved
             : MAX (moved,
                    largest > 0 ? most / largest * (VELOCITY_TOLERANCE / REACTION_TOLERANCE) : 0);
}

/* Updates the directions of sliding frictions that several reactions bound. */
static void
lean (IfbamEventEngine *self, const IfbamSubstep *part)
{
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 carried =
          ifbam_event_friction_of_carriers (self, g_array_index (part->island->rows, guint32, k));

      if (carried != IFBAM_NONE)
        ifbam_event_turn_carrier_direction (self, carried, &part->island->lambda[k]);
    }
}

/* Returns the force residual of a node [N]; that of a massless node has no inertia force. */
static double
force_residual (const IfbamEventEngine *self, const IfbamSubstep *part, guint32 node,
                const double *w)
{
  if (ifbam_model_is_junction (self->base.model, node))
    return self->nodes.force[node];
  return part->clamped ? 0
                       : self->nodes.force[node]
                             - (w[node] - self->implicit->from_rate[node])
                                   / (part->a * self->nodes.inverse_mass[node]);
}

/* Returns the work of an iteration, as counted by the interrupt check (see
 * IFBAM_WORK_BETWEEN_CHECKS). */
guint
ifbam_substep_work (const IfbamSubstep *part)
{
  return (guint) MIN (ifbam_system_n_nodes (part->system), IFBAM_WORK_BETWEEN_CHECKS);
}

/* Solves a stage from the iterate in the message columns. FALSE: no convergence, or failed. */
gboolean
ifbam_substep_solve (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  const IfbamStage stage = { part->a, part->scheme->mean, part->clamped,
                             part->scheme->mean
                                 ? self->nodes.work
                                 : (double *[]){ self->nodes.work[part->scheme->said_position],
                                                 self->nodes.work[part->scheme->said_rate] },
                             part->stage };
  const double *w = self->nodes.work[part->scheme->said_rate];
  double last = INFINITY;
  guint still = 0;
  Scale scale;

  scale_init (&scale, self, part);
  for (guint turn = 0; turn < MAX_ITERATIONS; turn++)
    {
      double *right = ifbam_system_rhs (part->system), change, beside;

      if (!ifbam_event_may_continue (self, part->from, ifbam_substep_work (part)))
        return FALSE;
      ifbam_substep_complete_columns (self, part);
      ifbam_substep_evaluate_forces (self, part, time);
      ifbam_substep_set_constraint_residuals (self, part, time, turn);
      IFBAM_FOR_SUBSTEP_NODES (i, part)
      *right++ = force_residual (self, part, *i, w);
      self->implicit->n_factorings += ifbam_system_factor (part->system, self, &stage);
      IFBAM_EVALUATE (self, system_assembled, part->system, &stage, part->from, time, turn);
      ifbam_system_solve (part->system);
      IFBAM_EVALUATE (self, system_solved, part->system);
      change = apply_solution (self, part, &still, &scale, &beside);
      lean (self, part);
      if (change <= VELOCITY_TOLERANCE
          || (turn == 0 && ifbam_system_is_linear (part->system) && change < 1e300)
          || (change <= REACTION_TOLERANCE && change > 0.5 * last)
          || (turn >= SETTLING_TURNS && beside <= VELOCITY_TOLERANCE))
        return TRUE;
      if (!(change < INFINITY))
        return FALSE;
      last = change;
    }
  return FALSE;
}
