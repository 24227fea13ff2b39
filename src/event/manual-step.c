/* manual-step.c: steps of the event engine with stages computed by the objects of the dialogue
 *
 * The parts of ifbam_event_step (); between them the objects exchange messages and compute.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/manual-step.h"

#include "event/forces.h"
#include "event/constraint-projection.h"
#include "event/constraint-reactions.h"
#include "event/clusters.h"
#include "event/flip-flop-steps.h"
#include "event/island-step.h"

void
ifbam_event_begin_manual_step (IfbamEventEngine *self)
{
  const IfbamComponent *whole = ifbam_first_component (self, IFBAM_NONE);
  const IfbamScheme *scheme = self->scheme;
  const double step = self->base.spec->step;

  if (self->latency)
    {
      for (guint c = 0; c < scheme->n_columns; c++)
        self->evaluator->copied (self, NULL, self->history.column[c], self->history.next[c]);
      return;
    }
  ifbam_event_update_thresholds (self);
  if (ifbam_scheme_tableau (scheme) != NULL)
    {
      /* Objects send their present state; the stages are solved later, for all objects together. */
      for (guint c = 0; c < 2; c++)
        {
          self->evaluator->copied (self, NULL, c == 0 ? self->nodes.x : self->nodes.v,
                                   self->nodes.work[c]);
          self->evaluator->copied (
              self, NULL, c == 0 ? self->nodes.x : self->nodes.v,
              self->nodes.work[c == 0 ? scheme->message_position : scheme->message_rate]);
        }
      return;
    }
  if (scheme->stage_time[0] > 0)
    ifbam_event_accelerations (self, IFBAM_NONE, self->nodes.x, self->nodes.v,
                               ifbam_event_time_at (self, 0), TRUE);
  ifbam_event_watch_pivots (self, IFBAM_NONE, scheme);
  IFBAM_EVALUATE (self, begin_step, whole, scheme, self->nodes.x, self->nodes.v, step);
  ifbam_event_set_given (
      self, IFBAM_NONE, ifbam_engine_source_time (self->base.spec, 0, (gint64) self->step),
      self->nodes.work[scheme->message_position], self->nodes.work[scheme->message_rate]);
  ifbam_event_satisfy_by_messages (self, IFBAM_NONE, scheme, step, self->nodes.x, self->nodes.v);
}

void
ifbam_event_react_in_manual_step (IfbamEventEngine *self, guint stage)
{
  const IfbamScheme *scheme = self->scheme;

  if (ifbam_scheme_tableau (scheme) != NULL)
    return;
  if (!self->latency)
    {
      ifbam_event_solve_all_reactions (
          self, IFBAM_NONE, self->nodes.work[scheme->message_position],
          self->nodes.work[scheme->message_rate],
          ifbam_engine_source_time (self->base.spec, stage, (gint64) self->step));
      return;
    }
  ifbam_event_take_forces_in_flight (self);
  ifbam_event_cycle_apply_reactions (self, self->step, self->history.next);
}

void
ifbam_event_read_manual_step (IfbamEventEngine *self)
{
  const IfbamComponent *whole = ifbam_first_component (self, IFBAM_NONE);
  const double step = self->base.spec->step;

  if (self->latency)
    {
      ifbam_event_cycle_exchange_columns (self, self->step, self->history.next);
      ifbam_event_compute_sample (self);
      return;
    }
  if (ifbam_scheme_tableau (self->scheme) != NULL)
    return;
  IFBAM_EVALUATE (self, end_step, whole, self->scheme, self->nodes.x1, self->nodes.v1);
  if (ifbam_scheme_carried_acceleration (self->scheme) > 0)
    ifbam_event_copy_nodes (self, IFBAM_NONE,
                            self->nodes.work[ifbam_scheme_carried_acceleration (self->scheme)],
                            self->nodes.a1);
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time_at (self, step), self->nodes.x1,
                         self->nodes.v1);
  ifbam_event_satisfy_by_moves (self, IFBAM_NONE, self->scheme, step, self->nodes.x1,
                                self->nodes.v1);
  for (guint i = 0; i < self->islands.constrained->len; i++)
    ifbam_event_project (self, ifbam_constrained_island (self, i), self->nodes.x1, self->nodes.v1,
                         step, self->scheme->constraint_timing != IFBAM_CONSTRAINTS_AFTER);
  ifbam_event_repeat_singular_step (self);
}
