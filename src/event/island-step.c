/* island-step.c: one step of an island, and the stages of explicit schemes
 *
 * Reactions have no latency. In each stage, the links' forces give the free accelerations a of the
 * nodes. Then the reactions of the active constraints follow from J M^-1 P^T lambda = J a + Jdot v,
 * and the nodes move. After the step, their coordinates are projected onto the constraints.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/island-step.h"

#include <math.h>

#include "event/forces.h"
#include "event/implicit-step.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/event-log.h"
#include "event/step-work.h"

#define ROW_WORK 4 /* work of an active constraint in a stage, relative to that of a node */

void
ifbam_event_set_nodes (const IfbamEventEngine *self, const IfbamScheme *scheme,
                       double *const *column, double h, IfbamNodeBatch *nodes)
{
  nodes->inverse_inertia = self->nodes.inverse_mass;
  nodes->port[0] = nodes->inputs = self->nodes.force;
  nodes->ports = self->nodes.port;
  nodes->step = h;
  for (guint c = 0; c < scheme->n_columns; c++)
    {
      IFBAM_SCALAR_LOOP;
      nodes->column[c] = column[c];
    }
}

/* Returns whether all accelerations at the step's start are carried over from the step before. */
static gboolean
has_carried_accelerations (const IfbamEventEngine *self, const IfbamComponent *first)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    if (isnan (self->nodes.a[i]))
      return FALSE;
  return TRUE;
}

/* Returns the time of a stage's messages [s]; for a whole step it is bitwise as in all engines. */
static double
time_of (const IfbamEventEngine *self, const IfbamScheme *scheme, guint stage, double from,
         double h)
{
  return scheme == self->scheme && from == 0 && h == self->base.spec->step
             ? ifbam_engine_source_time (self->base.spec, stage, (gint64) self->step)
             : ifbam_event_time_at (self, from) + scheme->stage_time[stage] * h;
}

/* Returns the number of islands of a step (IFBAM_NONE: all) that may have active constraints. */
static guint
count_constrained (const IfbamEventEngine *self, guint32 island)
{
  return island == IFBAM_NONE ? self->islands.constrained->len : 1;
}

/* Returns the i-th of these islands. */
static guint32
with_rows (const IfbamEventEngine *self, guint32 island, guint i)
{
  return island == IFBAM_NONE ? g_array_index (self->islands.constrained, guint32, i) : island;
}

/* Returns the work of a stage with active constraints, as IFBAM_WORK_BETWEEN_CHECKS; 0: none is
 * active. */
static guint
count_work (const IfbamEventEngine *self, guint32 island)
{
  gsize rows = 0;

  for (guint i = 0; i < count_constrained (self, island); i++)
    {
      const IfbamIsland *own = ifbam_island (self, with_rows (self, island, i));

      rows += own->rows == NULL ? 0 : own->rows->len;
    }
  return (guint) MIN (ROW_WORK * rows, IFBAM_WORK_BETWEEN_CHECKS);
}

static void
step_by_stages (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme, double from,
                double h, const double *x, const double *v, double *x1, double *v1,
                gboolean account)
{
  const double start = ifbam_event_time_at (self, from), end = ifbam_event_time_at (self, from + h);
  const gboolean weighted = scheme->stage_weight[0] > 0;
  const guint leans = ifbam_scheme_carried_acceleration (scheme);
  double *const *column = self->nodes.work;
  double *message_position = column[scheme->message_position],
         *message_rate = column[scheme->message_rate];
  const IfbamComponent *const whole = ifbam_first_component (self, island);
  const guint work = count_work (self, island);
  const gboolean holds = work > 0, moving = ifbam_event_has_moving (self);
  double time[IFBAM_MAX_STAGES];
  IfbamNodeBatch nodes;

  for (guint stage = 0; stage < scheme->n_stages; stage++)
    time[stage] = time_of (self, scheme, stage, from, h);
  if (moving)
    ifbam_event_cache_motions (self, island, time, scheme->n_stages);
  ifbam_event_set_nodes (self, scheme, column, h, &nodes);
  if (leans > 0 && (account || !has_carried_accelerations (self, whole)))
    ifbam_event_accelerations (self, island, x, v, start, TRUE);
  else if (account && !weighted)
    {
      ifbam_event_forces (self, island, x, v, start);
      ifbam_event_solve_all_reactions (self, island, x, v, start);
    }
  if (account && !weighted)
    ifbam_event_add_powers (self, island, x, v, 0.5 * h, TRUE);
  IFBAM_EVALUATE (self, begin_step, whole, scheme, x, v, h);
  for (guint stage = 0; stage < scheme->n_stages; stage++)
    {
      if (moving && (stage == 0 || time[stage] != time[stage - 1]))
        ifbam_event_set_given (self, island, time[stage], message_position, message_rate);
      if (stage == 0 && holds)
        ifbam_event_satisfy_by_messages (self, island, scheme, h, x, v);
      ifbam_event_forces (self, island, message_position, message_rate, time[stage]);
      if (holds)
        ifbam_event_solve_all_reactions (self, island, message_position, message_rate, time[stage]);
      /* A failure or an interrupt ends the run: the step's end is not needed. */
      if (!ifbam_event_may_continue (self, from, work))
        return;
      if (account && weighted)
        ifbam_event_add_powers (self, island, message_position, message_rate,
                                h * scheme->stage_weight[stage], stage == 0);
      IFBAM_EVALUATE (self, run_stage, whole, scheme, stage, &nodes);
    }
  IFBAM_EVALUATE (self, end_step, whole, scheme, x1, v1);
  if (leans > 0 && x1 == self->nodes.x1)
    ifbam_event_copy_nodes (self, island, self->nodes.work[leans], self->nodes.a1);
  if (moving)
    ifbam_event_set_given (self, island, end, x1, v1);
  ifbam_event_satisfy_by_moves (self, island, scheme, h, x1, v1);
  for (guint i = 0; i < count_constrained (self, island); i++)
    ifbam_event_project (self, ifbam_island (self, with_rows (self, island, i)), x1, v1, from + h,
                         scheme->constraint_timing != IFBAM_CONSTRAINTS_AFTER);
  if (account && !weighted)
    {
      ifbam_event_forces (self, island, x1, v1, end);
      ifbam_event_solve_all_reactions (self, island, x1, v1, end);
      ifbam_event_add_powers (self, island, x1, v1, 0.5 * h, FALSE);
    }
}

/* Returns whether a mechanism's constraints may become dependent at stages that need reactions. */
static gboolean
can_be_singular (const IfbamEventEngine *self, const IfbamIsland *island, const IfbamScheme *scheme)
{
  return scheme->constraint_timing == IFBAM_CONSTRAINTS_AFTER && self->adaptive == NULL
         && ifbam_island_is_mechanism (island);
}

void
ifbam_event_watch_pivots (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme)
{
  for (guint i = 0; i < count_constrained (self, island); i++)
    {
      IfbamIsland *own = ifbam_island (self, with_rows (self, island, i));

      if (can_be_singular (self, own, scheme))
        ifbam_constraint_system_watch_pivots (&own->system, own->rows->len);
    }
}

/* A step from x, v at `from` to x1, v1. */
typedef struct
{
  double from, h;
  const double *x, *v;
  double *x1, *v1;
  gboolean account;
} Step;

/* At a singular position of a mechanism the reactions are finite. A stage violates the constraints
 * slightly, and may compute far larger reactions. Such a step is repeated by velocity Verlet, the
 * reactions of which bring positions back to the constraints (Andersen 1983, RATTLE). */
static void
repeat_singular (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme,
                 const Step *step)
{
  for (guint i = 0; i < count_constrained (self, island); i++)
    {
      const guint32 index = with_rows (self, island, i);
      IfbamIsland *own = ifbam_island (self, index);

      if (!can_be_singular (self, own, scheme)
          || !ifbam_constraint_system_is_singular (&own->system))
        continue;
      ifbam_event_discard_accelerations (self, index);
      step_by_stages (self, index, ifbam_scheme_by_name ("verlet"), step->from, step->h, step->x,
                      step->v, step->x1, step->v1, step->account);
    }
}

void
ifbam_event_repeat_singular_step (IfbamEventEngine *self)
{
  const Step step = { .h = self->base.spec->step,
                      .x = self->nodes.x,
                      .v = self->nodes.v,
                      .x1 = self->nodes.x1,
                      .v1 = self->nodes.v1,
                      .account = self->account.is_kept };

  repeat_singular (self, IFBAM_NONE, self->scheme, &step);
}

void
ifbam_event_step (IfbamEventEngine *self, guint32 island, const IfbamScheme *scheme, double from,
                  double h, const double *x, const double *v, double *x1, double *v1,
                  gboolean account)
{
  if (ifbam_scheme_tableau (scheme) != NULL)
    {
      ifbam_event_step_implicit (self, island, scheme, from, h, x, v, x1, v1, account);
      return;
    }
  ifbam_event_watch_pivots (self, island, scheme);
  step_by_stages (self, island, scheme, from, h, x, v, x1, v1, account);
  repeat_singular (self, island, scheme, &(Step){ from, h, x, v, x1, v1, account });
}
