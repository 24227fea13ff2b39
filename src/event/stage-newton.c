/* stage-newton.c: Newton's method for an implicit stage, damped iterations, continuation
 *
 * An iteration changes velocities w and reactions lambda by
 *   (M/a + C + a K) dw + J^T dlambda = F (u, w) - J^T lambda - M (w - V) / a
 *   J dw = -(J (w - V) + a Jdot w)
 * C, K: force derivatives; J: rows of the active constraints. No iterate depends on another step:
 * a run that continues from a state gets bitwise equal results.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/stage-newton.h"

#include <string.h>

#include "event/clusters.h"
#include "event/load-sharing.h"
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
#define CONVERGED_ITERATIONS 6
/* From this iteration on, a change may be compared with the largest values of the whole stage: the
 * present velocity of a node at rest is no scale. */
#define STAGE_SCALE_ITERATIONS 8
#define RESIDUAL_ROUNDING      1e-12 /* of the largest reaction */
#define SHORT_STAGE_RESIDUAL   1e-3  /* of the last iterate [of the first one's] */

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
    const IfbamMagnitudes *extent = ifbam_event_node_magnitudes (self, *i);
    double *size = &scale->size[self->clusters.node_domain[*i]];

    *size = MAX (*size, MAX (extent->rate, part->clamped ? 0 : extent->position / part->a));
  }
}

static void
scale_widen (Scale *scale, const IfbamEventEngine *self, const IfbamSubstep *part,
             const Change *change, double largest)
{
  /* Iterates of massless nodes, and reactions then, may be far beyond any solution. */
  if (ifbam_system_has_junctions (part->system))
    {
      scale->force = largest;
      return;
    }
  scale->force = MAX (scale->force, largest);
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    scale->size[d] = MAX (scale->size[d], change->size[d]);
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    {
      const guint32 index = g_array_index (part->island->rows, guint32, k);
      const IfbamLink *link = ifbam_link (self, index);

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < self->base.model->n_free
            && !ifbam_model_is_junction (self->base.model, link->node[e]))
          {
            double *size = &scale->size[self->clusters.node_domain[link->node[e]]];

            *size =
                MAX (*size, part->a * self->nodes.inverse_mass[link->node[e]]
                                * fabs (self->links.state[index].row[e] * part->island->lambda[k]));
          }
    }
}

/* Returns whether a change of a velocity changes the position by no more than rounding. */
static gboolean
is_rounding (const IfbamSubstep *part, double by, double position)
{
  return fabs (by) * part->a <= 8 * DBL_EPSILON * fabs (position);
}

/* Adds the solution to w, u, lambda; returns the largest relative change. still: counts iterations
 * without a change of velocities. beside: (out) the change relative to the stage's scales. */
static double
apply_solution (IfbamEventEngine *self, const IfbamSubstep *part, guint *still, Scale *scale,
                double *beside)
{
  const double *right = ifbam_system_rhs (part->system), a = part->a;
  const double *from = self->implicit->from_position;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];
  double most = 0, largest = 0;
  Change change = { { 0 }, { 0 } };
  double moved;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double by = *right++;
    const guint8 d = self->clusters.node_domain[*i];

    w[*i] += by;
    u[*i] = from[*i] + a * w[*i];
    /* In short stages only changes of positions below rounding are compared with positions. */
    if (!(fabs (by) <= change.change[d]) && !(part->clamped && is_rounding (part, by, u[*i])))
      change.change[d] = fabs (by); /* a NaN stays */
    change.size[d] = MAX (change.size[d], MAX (fabs (w[*i]), part->clamped ? 0 : fabs (u[*i]) / a));
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
  return part->is_singular || *still >= CONVERGED_ITERATIONS
             ? moved
             : MAX (moved,
                    largest > 0 ? most / largest * (VELOCITY_TOLERANCE / REACTION_TOLERANCE) : 0);
}

/* Updates the directions of sliding frictions that several reactions bound. */
static void
update_friction_directions (IfbamEventEngine *self, const IfbamSubstep *part)
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
                             - (w[node] - (1 - part->missing) * self->implicit->from_rate[node])
                                   / (part->a * self->nodes.inverse_mass[node]);
}

static IfbamStage
stage_of (IfbamEventEngine *self, const IfbamSubstep *part, double *column[2])
{
  column[0] = self->nodes.work[part->scheme->message_position];
  column[1] = self->nodes.work[part->scheme->message_rate];
  return (IfbamStage){ part->a, part->scheme->mean, part->clamped,
                       part->scheme->mean ? self->nodes.work : column, part->stage };
}

/* Computes the right side at the iterate in the message columns: force residuals. */
static void
find_residuals (IfbamEventEngine *self, const IfbamSubstep *part, double time, guint iteration)
{
  double *right = ifbam_system_rhs (part->system),
         *w = self->nodes.work[part->scheme->message_rate];
  const double *at_rest = part->at_rest;

  ifbam_substep_complete_columns (self, part);
  ifbam_substep_evaluate_forces (self, part, time);
  if (at_rest != NULL)
    IFBAM_FOR_SUBSTEP_NODES (i, part)
  self->nodes.force[*i] -= part->missing * *at_rest++;
  ifbam_substep_set_constraint_residuals (self, part, time, iteration);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  *right++ = force_residual (self, part, *i, w);
}

/* Stores the largest force residuals of massless nodes (IFBAM_N_DOMAINS). */
static void
find_largest_residuals (const IfbamEventEngine *self, const IfbamSubstep *part, double *largest)
{
  const double *right = ifbam_system_rhs (part->system);

  memset (largest, 0, IFBAM_N_DOMAINS * sizeof *largest);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    double *own = &largest[self->clusters.node_domain[*i]];

    if (ifbam_model_is_junction (self->base.model, *i))
      *own = MAX (*own, fabs (*right));
    right++;
  }
}

/* Returns whether the last iterate does not balance forces better than the first. Small corrections
 * may be due to a very large derivative of an exponential law, or to a very large velocity. force: the
 * largest reaction [N], against which a small residual is rounding. */
static gboolean
is_unbalanced (const IfbamSubstep *part, const double *first, const double *last, double force)
{
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    if (!(last[d] <= (part->clamped ? SHORT_STAGE_RESIDUAL : 1) * first[d])
        && !(last[d] <= RESIDUAL_ROUNDING * force))
      return TRUE;
  return FALSE;
}

/* Returns whether the island has massless nodes and nonlinear equations. */
static gboolean
is_nonlinear_massless (const IfbamSubstep *part)
{
  return ifbam_system_has_junctions (part->system) && !ifbam_system_is_linear (part->system);
}

/* Shortens the solution to the fraction by which laws are nearly linear. Returns the fraction. */
static double
shorten (IfbamEventEngine *self, const IfbamSubstep *part, const IfbamStage *stage)
{
  const double length = ifbam_system_step_limit (part->system, self, stage);
  const guint n = ifbam_system_n_nodes (part->system) + ifbam_substep_n_rows (part);
  double *right = ifbam_system_rhs (part->system);

  for (guint i = 0; i < n && length < 1; i++)
    right[i] *= length;
  return length;
}

/* Newton's method from the iterate in the message columns. FALSE: no convergence, or failed. */
static gboolean
iterate (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  double *column[2], last = INFINITY, first_force[IFBAM_N_DOMAINS], force[IFBAM_N_DOMAINS];
  const IfbamStage stage = stage_of (self, part, column);
  const gboolean bends = is_nonlinear_massless (part);
  /* In a short stage the pivot of a spring may be near rounding: further iterations refine it. */
  const gboolean is_solved_at_once = ifbam_system_is_linear (part->system) && !part->clamped;
  guint still = 0;
  Scale scale;

  scale_init (&scale, self, part);
  for (guint iteration = 0; iteration < MAX_ITERATIONS; iteration++)
    {
      double change, beside, length;

      if (!ifbam_event_may_continue (self, part->from, ifbam_substep_work (part)))
        return FALSE;
      find_residuals (self, part, time, iteration);
      if (bends)
        find_largest_residuals (self, part, iteration == 0 ? first_force : force);
      self->implicit->count.factorings += ifbam_system_factor (part->system, self, &stage, NULL);
      IFBAM_EVALUATE (self, system_assembled, part->system, &stage, part->from, time, iteration);
      ifbam_system_solve (part->system);
      IFBAM_EVALUATE (self, system_solved, part->system);
      length = bends ? shorten (self, part, &stage) : 1;
      change = apply_solution (self, part, &still, &scale, &beside);
      update_friction_directions (self, part);
      if (length < 1 && change < INFINITY)
        continue;
      if (change <= VELOCITY_TOLERANCE || (iteration == 0 && is_solved_at_once && change < 1e300)
          || (change <= REACTION_TOLERANCE && change > 0.5 * last)
          || (iteration >= STAGE_SCALE_ITERATIONS && beside <= VELOCITY_TOLERANCE))
        return !bends || iteration < 2 || !is_unbalanced (part, first_force, force, scale.force);
      if (!(change < INFINITY))
        return FALSE;
      last = change;
    }
  return FALSE;
}

/* Damped iterations for massless nodes: a shorter step does not make their equations easier.
 *
 * A step is shortened until the correction that would follow with the same matrix is smaller: the
 * natural monotonicity test (Deuflhard 2011, Newton Methods for Nonlinear Problems, 3.3). A shift of
 * the diagonals (Levenberg 1944) limits the steps of nodes that nothing holds, such as a source
 * between blocking diodes. It is no part of the residual. If no step is short enough, the shift
 * grows, as in pseudo-transient continuation (Kelley & Keyes 1998). */
#define FIRST_SHIFT 1e-9  /* of the conductances of linear links and of inertias in a step */
#define MIN_SHIFT   1e-15 /* reached after successful iterations; solutions need FINAL_SHIFT */
#define FINAL_SHIFT 1e-12
#define MAX_SHIFT   1e6
#define MAX_DAMPED  400 /* iterations */
#define MIN_LENGTH  0x1p-48

typedef struct
{
  guint n;              /* nodes and constraint rows */
  double *start, *step; /* iterate, correction: velocities, then reactions (n) */
  /* Largest velocities [m/s]; conductances of linear links and inertias [N s/m], by domain. */
  double size[IFBAM_N_DOMAINS], diagonal[IFBAM_N_DOMAINS];
} Damped;

static void
store_iterate (const IfbamEventEngine *self, const IfbamSubstep *part, double *iterate)
{
  const double *w = self->nodes.work[part->scheme->message_rate];

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  *iterate++ = w[*i];
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++)
    *iterate++ = part->island->lambda[k];
}

/* Sets the iterate start + length * step. step: NULL: start. */
static void
set_iterate (IfbamEventEngine *self, const IfbamSubstep *part, const double *start,
             const double *step, double length)
{
  const double *from = self->implicit->from_position;
  double *u = self->nodes.work[part->scheme->message_position],
         *w = self->nodes.work[part->scheme->message_rate];
  guint at = 0;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    w[*i] = start[at] + (step != NULL ? length * step[at] : 0);
    u[*i] = from[*i] + part->a * w[*i];
    at++;
  }
  for (guint k = 0; k < ifbam_substep_n_rows (part); k++, at++)
    part->island->lambda[k] = start[at] + (step != NULL ? length * step[at] : 0);
  update_friction_directions (self, part);
}

/* Returns the largest change of a velocity [of the domain's largest at the start: iterates may be
 * far beyond]. Changes of positions below rounding count as 0. */
static double
largest_change (const IfbamEventEngine *self, const IfbamSubstep *part, const Damped *damped,
                const double *step)
{
  const double *u = self->nodes.work[part->scheme->message_position];
  double most = 0;

  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    const double by = fabs (*step++);
    const double share = by / damped->size[self->clusters.node_domain[*i]];

    if (isnan (by))
      return INFINITY;
    if (!is_rounding (part, by, u[*i]))
      most = MAX (most, share);
  }
  return most;
}

/* Returns the size of the correction that follows start + length * step, with the present factors. */
static double
try_length (IfbamEventEngine *self, const IfbamSubstep *part, double time, const Damped *damped,
            double length)
{
  set_iterate (self, part, damped->start, damped->step, length);
  find_residuals (self, part, time, 1);
  ifbam_system_solve (part->system);
  return largest_change (self, part, damped, ifbam_system_rhs (part->system));
}

#define SLOW_CORRECTION_RATIO                                                                      \
  0.1 /* ratio of corrections: longer steps are tried, as an exponential law has e^-1 */

/* Sets the iterate at the length of the correction that makes the next one small enough; returns
 * the next one's size. length: (out) 0: no length will do. */
static double
search_along (IfbamEventEngine *self, const IfbamSubstep *part, double time, const Damped *damped,
              double change, double *length)
{
  double next = try_length (self, part, time, damped, 1);

  if (next > change && change <= REACTION_TOLERANCE)
    next = 0; /* rounding */
  /* Where nothing holds a node, forces do not change at first: the next correction is as large. */
  for (*length = 1; next > change && next > VELOCITY_TOLERANCE;)
    {
      *length *= 0.5;
      if (*length < MIN_LENGTH || self->base.log->failure != NULL)
        {
          *length = 0;
          return change;
        }
      next = try_length (self, part, time, damped, *length);
    }
  while (*length >= 1 && next > SLOW_CORRECTION_RATIO * change && next > VELOCITY_TOLERANCE
         && self->base.log->failure == NULL)
    {
      const double further = try_length (self, part, time, damped, 2 * *length);

      if (!(further < 0.5 * next))
        return try_length (self, part, time, damped, *length);
      *length *= 2;
      change = next;
      next = further;
    }
  return next;
}

static void
damped_init (Damped *damped, IfbamEventEngine *self, const IfbamSubstep *part)
{
  memset (damped->diagonal, 0, sizeof damped->diagonal);
  memset (damped->size, 0, sizeof damped->size);
  ifbam_system_find_diagonals (part->system, self, damped->diagonal);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    double *size = &damped->size[self->clusters.node_domain[*i]];

    *size = MAX (*size, ifbam_event_node_magnitudes (self, *i)->rate);
  }
  for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
    if (!(damped->size[d] > 0))
      damped->size[d] = 1;
}

/* Solves a stage from the iterate in `start`. FALSE: no convergence, or failed. */
static gboolean
iterate_damped (IfbamEventEngine *self, const IfbamSubstep *part, double time, Damped *damped)
{
  double *column[2], share = FIRST_SHIFT;
  const IfbamStage stage = stage_of (self, part, column);

  damped_init (damped, self, part);
  for (guint iteration = 0; iteration < MAX_DAMPED; iteration++)
    {
      double shift[IFBAM_N_DOMAINS], change, length, next;

      if (!ifbam_event_may_continue (self, part->from, ifbam_substep_work (part)))
        return FALSE;
      for (guint d = 0; d < IFBAM_N_DOMAINS; d++)
        shift[d] = share * damped->diagonal[d];
      set_iterate (self, part, damped->start, NULL, 0);
      find_residuals (self, part, time, iteration);
      ifbam_system_factor (part->system, self, &stage, shift);
      self->implicit->count.factorings++;
      ifbam_system_solve (part->system);
      memcpy (damped->step, ifbam_system_rhs (part->system), damped->n * sizeof *damped->step);
      change = largest_change (self, part, damped, damped->step);
      next = search_along (self, part, time, damped, change, &length);
      if (length == 0)
        {
          share *= 100;
          if (share > MAX_SHIFT)
            return FALSE;
          continue;
        }
      store_iterate (self, part, damped->start);
      if (next <= VELOCITY_TOLERANCE && share <= FINAL_SHIFT)
        return TRUE;
      share = MAX (share / 10, MIN_SHIFT);
    }
  return FALSE;
}

/* Continuation: given motions, velocities of nodes with inertia, and forces at rest grow from 0, where
 * nothing moves, to their values (source stepping: Nagel 1975, SPICE2, 4.3). Each solution is near the
 * next one, so that exponential laws do not overflow. */
#define FIRST_LOAD 0x1p-4 /* part of the loads that is applied first */
#define MIN_LOAD   0x1p-20

/* Sets the given nodes to the applied part of their velocities, and the iterate; the nodes that keep
 * their velocities get the same part of them. */
static void
apply_loads (IfbamEventEngine *self, const IfbamSubstep *part, double time, double *iterate)
{
  double *const column[] = { self->nodes.work[part->scheme->message_position],
                             self->nodes.work[part->scheme->message_rate] };
  const double share = 1 - part->missing;
  guint at = 0;

  ifbam_event_set_given (self, part->number, time, column[0], column[1]);
  IFBAM_FOR_COMPONENTS (component, part->number)
  IFBAM_FOR_LIST (node, component, givens)
  {
    column[1][*node] = share * ifbam_event_motion_now (self, *node, time).rate;
    IFBAM_EVALUATE (self, values_set, node, 1, 2, column);
  }
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  {
    if (part->clamped && !ifbam_model_is_junction (self->base.model, *i))
      iterate[at] = share * self->implicit->from_rate[*i];
    at++;
  }
  set_iterate (self, part, iterate, NULL, 0);
}

/* Sets the forces without velocities [N] (nodes of the system), at the positions X of the stage. still: an iterate of
 * zeros. */
static void
find_forces_at_rest (IfbamEventEngine *self, IfbamSubstep *part, double time, double *still,
                     double *at_rest)
{
  part->missing = 1;
  apply_loads (self, part, time, still);
  ifbam_substep_complete_columns (self, part);
  ifbam_substep_evaluate_forces (self, part, time);
  IFBAM_FOR_SUBSTEP_NODES (i, part)
  *at_rest++ = self->nodes.force[*i];
}

/* Solves a stage by continuation. FALSE: no convergence, or failed. */
static gboolean
solve_under_growing_loads (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  const guint n = ifbam_system_n_nodes (part->system) + ifbam_substep_n_rows (part);
  IFBAM_SHORT_LIST (double, at_rest, n);
  IFBAM_SHORT_LIST (double, found, n);
  IFBAM_SHORT_LIST (double, next, n);
  IfbamSubstep growing = *part;
  double share = 0, step = FIRST_LOAD;

  memset (found, 0, n * sizeof *found);
  find_forces_at_rest (self, &growing, time, found, at_rest);
  growing.at_rest = at_rest;
  while (share < 1)
    {
      const double to = MIN (1, share + step);

      growing.missing = 1 - to;
      memcpy (next, found, n * sizeof *next);
      apply_loads (self, &growing, time, next);
      if (iterate (self, &growing, time))
        {
          store_iterate (self, &growing, found);
          share = to;
          step *= 2;
        }
      else if ((step /= 4) < MIN_LOAD || self->base.log->failure != NULL)
        break;
    }
  ifbam_event_set_given (self, part->number, time, self->nodes.work[part->scheme->message_position],
                         self->nodes.work[part->scheme->message_rate]);
  return share == 1;
}

gboolean
ifbam_substep_solve (IfbamEventEngine *self, const IfbamSubstep *part, double time)
{
  const guint n = ifbam_system_n_nodes (part->system) + ifbam_substep_n_rows (part);
  IFBAM_SHORT_LIST (double, start, n);
  IFBAM_SHORT_LIST (double, step, n);
  IFBAM_SHORT_LIST (double, last, n);
  Damped damped = { .n = n, .start = start, .step = step };

  if (!is_nonlinear_massless (part))
    return iterate (self, part, time);
  store_iterate (self, part, start);
  if (iterate (self, part, time))
    return TRUE;
  store_iterate (self, part, last);
  if (self->base.log->failure == NULL && iterate_damped (self, part, time, &damped))
    {
      self->implicit->count.damped++;
      return TRUE;
    }
  if (!part->scheme->mean && self->base.log->failure == NULL
      && solve_under_growing_loads (self, part, time))
    {
      self->implicit->count.continued++;
      return TRUE;
    }
  set_iterate (self, part, last, NULL, 0);
  return FALSE;
}
