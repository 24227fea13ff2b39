/* event-loop.c: a step of the event engine: prediction, events, end of the step
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/event-loop.h"

#include "base/printed.h"
#include "event/adaptive-steps.h"
#include "event/constraint-check.h"
#include "event/event-candidates.h"
#include "event/event-engine-internal.h"
#include "event/forces.h"
#include "event/penetration-correction.h"
#include "event/prediction.h"
#include "event/process-candidates.h"
#include "event/slip-direction.h"
#include "event/step-size-control.h"
#include "event/candidate-queue.h"
#include "event/clusters.h"
#include "event/flip-flop-steps.h"
#include "event/monitors.h"
#include "event/step-work.h"

void
ifbam_event_end_friction_starts (IfbamEventEngine *self)
{
  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      IfbamLinkState *state = &self->links.state[j];
      double delta, row[IFBAM_MAX_PORTS], rate;

      if (!ifbam_friction_starts (state->mode))
        continue;
      if (ifbam_link_constraint (self, j).kind != IFBAM_CONSTRAINT_FRICTION)
        continue;
      rate = ifbam_link_measure (ifbam_link (self, j), self->nodes.x, self->nodes.v, &delta, row);
      if (rate * ifbam_friction_direction (state->mode)
          > MAX (ifbam_event_magnitudes (self, j)->rate_threshold,
                 ifbam_link_constraint (self, j).adhesion))
        state->mode = rate > 0 ? IFBAM_MODE_FORWARD : IFBAM_MODE_BACKWARD;
    }
}

void
ifbam_event_reset_counters (IfbamEventEngine *self)
{
  for (guint k = 0; k < self->clusters.n; k++)
    self->clusters.list[k].n_fallbacks = 0;
  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      self->links.state[j].n_events = self->links.state[j].n_repeated = 0;
      self->links.state[j].last_fired = -INFINITY;
      self->links.state[j].recorded_until = 0;
      self->links.state[j].is_suspended = FALSE;
    }
}

/* Completes a step: books its work, and makes its end the present state. */
static void
close_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  (IFBAM_IS_PRINTED && self->unlocated ? ifbam_monitors_check_at_end (self)
                                       : ifbam_monitors_check (self, step));
  if (self->adaptive != NULL)
    ifbam_adaptive_reach_sample (self);
  else
    ifbam_event_check_constraints (self);
  if (self->account.is_kept && !self->latency)
    ifbam_event_book (self, IFBAM_NONE);
  else if (self->account.is_kept)
    for (guint i = 0; i < self->islands.list->len; i++)
      {
        const IfbamIsland *island = ifbam_island (self, i);

        if (island->n_components > 0 && island->uses_restart)
          ifbam_event_book (self, i);
      }
  ifbam_swap_columns (&self->nodes.x, &self->nodes.x1);
  ifbam_swap_columns (&self->nodes.v, &self->nodes.v1);
  ifbam_swap_columns (&self->nodes.a, &self->nodes.a1);
  self->step++;
  /* corners at the step boundary count as passed */
  if (self->schedule.edges->len > 0 || self->base.numbers->motion_scale != NULL)
    ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time (self), self->nodes.x, self->nodes.v);
  ifbam_event_reset_counters (self);
  for (guint i = 0; i < self->islands.list->len; i++)
    {
      IfbamIsland *island = ifbam_island (self, i);

      island->time = self->adaptive != NULL ? island->time - step : 0;
      island->until = self->adaptive != NULL ? island->until - step : step;
      island->uses_restart &= self->latency;
    }
  ifbam_event_end_friction_starts (self);
  ifbam_event_update_slip_directions (self, IFBAM_NONE);
  ifbam_monitors_begin (self);
}

/* Returns whether nothing moved in the present step. The next step is then equal and is skipped. */
static gboolean
is_at_rest (const IfbamEventEngine *self)
{
  if (!self->quiet || !self->autonomous || self->unlocated || self->latency)
    return FALSE;
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    if (ifbam_event_node_moves (self, i))
      return FALSE;
  return TRUE;
}

void
ifbam_event_do_step (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;
  double due;

  if (self->at_rest && !ifbam_schedule_is_due (&self->schedule, self->step, &due))
    {
      self->step++;
      return;
    }
  self->quiet = self->adaptive == NULL;
  ifbam_schedule_discard_past (&self->schedule);
  ifbam_event_update_thresholds (self);
  ifbam_candidates_begin_step (self);
  ifbam_monitors_outdate (&self->monitors);
  if (self->adaptive != NULL)
    ifbam_adaptive_leave_sample (self);
  else
    {
      ifbam_event_predict_all (self);
      for (guint i = 0; i < self->islands.list->len; i++)
        {
          ifbam_island (self, i)->time = 0;
          ifbam_island (self, i)->until = step;
        }
    }
  /* WebAssembly builds always locate events. */
  if (IFBAM_IS_PRINTED && self->unlocated)
    ifbam_event_process_at_step_end (self);
  else
    {
      ifbam_event_find_island_candidates (self, IFBAM_NONE);
      for (guint i = 0; i < self->islands.constrained->len; i++)
        ifbam_event_find_reaction_candidates (
            self, g_array_index (self->islands.constrained, guint32, i));
      ifbam_event_restart_sliding (self);
      ifbam_event_process_candidates (self);
    }
  self->at_rest = is_at_rest (self);
  close_step (self);
  ifbam_event_book_between_given (self);
  if (self->latency)
    ifbam_event_complete_cycle (self);
  else
    ifbam_event_correct_penetration (self);
}
