/* manual-step.c: steps of the event engine with stages computed by the objects of the dialogue
 *
 * The parts of ifbam_event_step (); between them the objects exchange messages and compute.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/manual-step.h"

#include "event/flip-flop-steps.h"
#include "event/forces.h"
#include "event/constraint-reactions.h"

void
ifbam_event_open (IfbamEventEngine *self)
{
  const IfbamScheme *scheme = self->scheme;
  const double step = self->base.spec->step;

  if (self->latency)
    {
      for (guint c = 0; c < scheme->n_columns; c++)
        self->objects->keep (self, NULL, self->column[c], self->next[c]);
      return;
    }
  ifbam_event_floors (self);
  if (ifbam_scheme_tableau (scheme) != NULL)
    {
      /* Objects send their present state; the stages are solved later, for all objects together. */
      for (guint c = 0; c < 2; c++)
        {
          self->objects->keep (self, NULL, c == 0 ? self->x : self->v, self->work[c]);
          self->objects->keep (self, NULL, c == 0 ? self->x : self->v,
                               self->work[c == 0 ? scheme->said_position : scheme->said_rate]);
        }
      return;
    }
  if (scheme->stage_time[0] > 0)
    ifbam_event_accelerations (self, IFBAM_NONE, self->x, self->v, ifbam_event_after (self, 0),
                               TRUE);
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  self->objects->begin (self, component, scheme, self->x, self->v, step);
  ifbam_event_place (self, IFBAM_NONE,
                     ifbam_engine_source_time (self->base.spec, 0, (gint64) self->step),
                     self->work[scheme->said_position], self->work[scheme->said_rate]);
  ifbam_event_reach_said (self, IFBAM_NONE, scheme, step, self->x, self->v);
}

void
ifbam_event_agree (IfbamEventEngine *self, guint stage)
{
  const IfbamScheme *scheme = self->scheme;

  if (ifbam_scheme_tableau (scheme) != NULL)
    return;
  if (!self->latency)
    {
      ifbam_event_react_all (
          self, IFBAM_NONE, self->work[scheme->said_position], self->work[scheme->said_rate],
          ifbam_engine_source_time (self->base.spec, stage, (gint64) self->step));
      return;
    }
  ifbam_event_land (self);
  ifbam_event_cycle_react (self, self->step, self->next);
}

void
ifbam_event_arrive (IfbamEventEngine *self)
{
  const double step = self->base.spec->step;

  if (self->latency)
    {
      ifbam_event_cycle_flip (self, self->step, self->next);
      ifbam_event_show_row (self);
      return;
    }
  if (ifbam_scheme_tableau (self->scheme) != NULL)
    return;
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  self->objects->observe (self, component, self->scheme, self->x1, self->v1);
  if (ifbam_scheme_leans (self->scheme) > 0)
    ifbam_event_keep (self, IFBAM_NONE, self->work[ifbam_scheme_leans (self->scheme)], self->a1);
  ifbam_event_place (self, IFBAM_NONE, ifbam_event_after (self, step), self->x1, self->v1);
  ifbam_event_reach_moved (self, IFBAM_NONE, self->scheme, step, self->x1, self->v1);
  for (guint i = 0; i < self->holding->len; i++)
    ifbam_event_fix (self, ifbam_island (self, g_array_index (self->holding, guint32, i)), self->x1,
                     self->v1, step, self->scheme->meets != IFBAM_MEETS_AFTER);
}
