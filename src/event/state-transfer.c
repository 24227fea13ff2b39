/* state-transfer.c: transfer of a step's state between the event engine and the compiled engine
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/state-transfer.h"

#include <string.h>

#include "event/forces.h"
#include "event/flip-flop-steps.h"

/* Copies a component's forces in flight from one column to another (n_slots + n_sources). */
static void
copy_flight (const IfbamEventEngine *self, const IfbamComponent *component, const double *from,
             double *to)
{
  const IfbamModel *model = self->base.model;

  IFBAM_FOR_RANGES (links, component, links)
  {
    const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, links->batch);
    gsize slots[1 + IFBAM_MAX_SLOTS] = { batch->first_slot };
    const guint n = 1 + ifbam_batch_slots (batch, slots + 1);

    for (guint e = 0; e < n; e++)
      memcpy (to + slots[e] + links->first, from + slots[e] + links->first,
              (links->last - links->first) * sizeof *to);
  }
  for (gsize i = component->sources; i < component->sources + component->n_sources; i++)
    {
      const gsize slot = model->n_slots + g_array_index (self->components.indices, guint32, i);

      to[slot] = from[slot];
    }
}

void
ifbam_event_write_component (const IfbamEventEngine *self, const IfbamComponent *component,
                             double *state)
{
  const IfbamModel *model = self->base.model;
  const IfbamScheme *scheme = self->base.spec->scheme;

  IFBAM_FOR_NODES (range, component)
  {
    const gsize first = range->first, n = range->last - first;
    const double *const row[] = { self->nodes.x, self->nodes.v, self->nodes.acceleration };

    for (gsize i = first; i < range->last && ifbam_scheme_carried_acceleration (scheme) > 0; i++)
      if (!isnan (self->nodes.a[i]))
        self->nodes.acceleration[i] = self->nodes.a[i];
    for (guint c = 0; c < ifbam_scheme_n_state_columns (scheme); c++)
      memcpy (state + c * model->n_free + first,
              (scheme->latency ? self->history.next[c] : row[c]) + first, n * sizeof (double));
  }
  if (scheme->latency)
    copy_flight (self, component, self->history.next_flight,
                 state + scheme->n_columns * model->n_free);
}

void
ifbam_event_read_component (IfbamEventEngine *self, const IfbamComponent *component,
                            const double *x, const double *v, const double *state)
{
  const IfbamModel *model = self->base.model;
  const IfbamScheme *scheme = self->base.spec->scheme;
  const guint leans = ifbam_scheme_carried_acceleration (scheme);

  IFBAM_FOR_NODES (range, component)
  {
    const gsize first = range->first, size = (range->last - first) * sizeof (double);

    memmove (self->nodes.x + first, x + first, size);
    memmove (self->nodes.v + first, v + first, size);
    if (leans > 0)
      memcpy (self->nodes.a + first, state + leans * model->n_free + first, size);
    if (!scheme->latency)
      continue;
    for (guint c = 0; c < scheme->n_columns; c++)
      memcpy (self->history.next[c] + first, state + c * model->n_free + first, size);
    memcpy (self->history.column[0] + first, self->history.next[2] + first, size);
    memcpy (self->history.column[1] + first, self->history.next[3] + first, size);
  }
  if (scheme->latency)
    copy_flight (self, component, state + scheme->n_columns * model->n_free,
                 self->history.next_flight);
}

void
ifbam_event_set_step (IfbamEventEngine *self, guint64 steps)
{
  self->base.steps = steps;
  self->step = steps - ifbam_engine_lookahead (self->base.spec);
  ifbam_event_set_given (self, IFBAM_NONE, ifbam_event_time (self), self->nodes.x, self->nodes.v);
  if (self->latency)
    {
      ifbam_event_set_given_columns (self, (gint64) self->step, self->history.column);
      ifbam_event_set_given_columns (self, (gint64) self->step + 1, self->history.next);
    }
}

void
ifbam_event_given_at_row (const IfbamEventEngine *self, gsize node, guint64 row, double *position,
                          double *rate)
{
  const double step = self->base.spec->step, time = (double) row * step;
  const double corner = ifbam_schedule_next_edge (&self->schedule, IFBAM_TIME_EVENT_MOTION,
                                                  (guint32) (node - self->base.model->n_free),
                                                  ((double) row - IFBAM_AT_STEP) * step);
  const IfbamMotion motion = ifbam_event_motion (
      self, node, corner <= ((double) row + IFBAM_AT_STEP) * step ? fmax (corner, time) : time);

  *position = motion.position;
  *rate = motion.rate;
}
