/* forces.c: forces of links and sources, and motions of given nodes, by component or island
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "event/forces.h"

#include "event/event-log.h"

#include <math.h>
#include <string.h>

double
ifbam_event_source_time (const IfbamEventEngine *self, guint32 source, double time)
{
  return self->base.spec->steady
             ? 0
             : CLAMP (time, self->schedule.piece_from[source], self->schedule.piece_until[source]);
}

/* Counts the nodes as work for the interrupt check: most long computations evaluate forces. */
static inline void
count_work (IfbamEventEngine *self, const IfbamComponent *first)
{
  gsize n = 0;

  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  n += range->last - range->first;
  ifbam_event_may_continue (self, self->base.interrupt.work_time,
                            (guint) MIN (n, IFBAM_WORK_BETWEEN_CHECKS));
}

static void
evaluate_forces (IfbamEventEngine *self, guint32 island, double *const *column, gboolean mean,
                 double time)
{
  const IfbamComponent *first = ifbam_first_component (self, island);

  IFBAM_EVALUATE (self, compute_forces, first, column, mean, time);
  count_work (self, first);
}

void
ifbam_event_forces (IfbamEventEngine *self, guint32 island, const double *position,
                    const double *rate, double time)
{
  double *const column[2] = { (double *) position, (double *) rate };

  evaluate_forces (self, island, column, FALSE, time);
}

void
ifbam_event_mean_forces (IfbamEventEngine *self, guint32 island, double *const *column, double time)
{
  evaluate_forces (self, island, column, TRUE, time);
}

void
ifbam_event_set_given (IfbamEventEngine *self, guint32 island, double time, double *position,
                       double *rate)
{
  if (!ifbam_event_has_moving (self))
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_EVALUATE (self, set_given, component, time, position, rate);
}

void
ifbam_event_set_fixed_nodes (IfbamEventEngine *self)
{
  const IfbamModel *model = self->base.model;
  double *const position[] = { self->nodes.x,
                               self->nodes.x1,
                               self->nodes.xt,
                               self->nodes.x2,
                               self->nodes.work[self->scheme->message_position],
                               self->nodes.work[self->restart_scheme->message_position] };
  double *const rate[] = { self->nodes.v,
                           self->nodes.v1,
                           self->nodes.vt,
                           self->nodes.v2,
                           self->nodes.work[self->scheme->message_rate],
                           self->nodes.work[self->restart_scheme->message_rate] };

  for (gsize i = model->n_free; i < model->n_nodes; i++)
    for (guint k = 0; k < G_N_ELEMENTS (position); k++)
      {
        const IfbamMotion motion = ifbam_event_motion (self, i, 0);

        position[k][i] = motion.position;
        rate[k][i] = motion.rate;
      }
}

void
ifbam_event_cache_motions (const IfbamEventEngine *self, guint32 island, const double *time,
                           guint n)
{
  if (self->evaluator->sets_fixed || self->base.numbers->n_moving == 0)
    return;
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_LIST (node, component, moving)
  for (guint k = 0; k < n; k++)
    ifbam_parameter_values_motion (self->base.numbers, *node, time[k]);
}

void
ifbam_event_copy_nodes (IfbamEventEngine *self, guint32 island, const double *from, double *to)
{
  IFBAM_FOR_COMPONENTS (component, island)
  {
    IFBAM_FOR_NODES (range, component)
    memcpy (to + range->first, from + range->first, (range->last - range->first) * sizeof (double));
    IFBAM_EVALUATE (self, copied, component, from, to);
  }
}

void
ifbam_event_discard_accelerations (IfbamEventEngine *self, guint32 island)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_FOR_NODES (range, component)
  for (guint32 i = (guint32) range->first; i < range->last; i++)
    {
      self->nodes.a[i] = NAN;
      IFBAM_EVALUATE (self, values_set, &i, 1, 1, &self->nodes.a);
    }
}

void
ifbam_event_cycle_forces (IfbamEventEngine *self, guint32 island, double *const *column,
                          double source_time, double *output)
{
  IFBAM_FOR_COMPONENTS (component, island)
  IFBAM_EVALUATE (self, compute_cycle_forces, component, column, source_time, output);
  count_work (self, ifbam_first_component (self, island));
}

void
ifbam_event_take_forces_in_flight (IfbamEventEngine *self)
{
  for (guint j = 0; j < self->base.model->unbatched_links->len; j++)
    {
      IfbamLinkState *state = &self->links.state[j];

      state->force = state->flight;
      memcpy (state->row, state->flight_row, sizeof state->row);
    }
}

void
ifbam_event_cycle_gather (IfbamEventEngine *self, const double *output)
{
  ifbam_event_take_forces_in_flight (self);
  IFBAM_EVALUATE (self, sum_cycle_forces, output);
}
