/* column-evaluator.c: forces and motions from columns, by the model's batches
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "event/event-engine-internal.h"
#include "event/forces.h"

/* Largest range of nodes for scalar kernels: vector loads have to wait for values just stored. */
#define MAX_SCALAR_NODES 16

/* Returns coordinates and rates of a link's ports and states, in a cycle and the one before. */
static IfbamLinkInputs
get_link_inputs (const IfbamEventEngine *self, const IfbamLink *link, double *const *column)
{
  IfbamLinkInputs inputs;

  inputs.pressing = ifbam_link_pressing_mode (self, link);

  for (guint e = 0; e < link->n_ports + link->n_states; e++)
    {
      inputs.position[e] = column[0][link->node[e]];
      inputs.rate[e] = column[1][link->node[e]];
      inputs.earlier_position[e] = column[2][link->node[e]];
      inputs.earlier_rate[e] = column[3][link->node[e]];
    }
  return inputs;
}

/* Computes the mean forces of a component's unbatched links over a path. */
static void
compute_unbatched_means (IfbamEventEngine *self, const IfbamComponent *component,
                         double *const *column)
{
  IFBAM_FOR_LIST (number, component, forces)
  {
    const IfbamLink *link = ifbam_link (self, *number);
    IfbamLinkState *state = &self->links.state[*number];
    const IfbamLinkInputs inputs = get_link_inputs (self, link, column);

    state->force = ifbam_link_mean_to_end (link, state->mode, &inputs, state->row,
                                           self->nodes.link_forces + link->state_slot);
  }
}

/* Computes the forces of a component's unbatched links. */
static inline void
compute_unbatched_forces (IfbamEventEngine *self, const IfbamComponent *component,
                          const double *position, const double *rate)
{
  IFBAM_FOR_LIST (number, component, forces)
  {
    const IfbamLink *link = ifbam_link (self, *number);
    IfbamLinkState *state = &self->links.state[*number];
    double delta, speed, x[IFBAM_MAX_ENDS], v[IFBAM_MAX_ENDS];

    speed = ifbam_link_measure (link, position, rate, &delta, state->row);
    for (guint e = 0; link->n_states > 0 && e < link->n_ports + link->n_states; e++)
      {
        x[e] = position[link->node[e]];
        v[e] = rate[link->node[e]];
      }
    state->force =
        ifbam_link_force (link, state->mode, ifbam_link_pressing_mode (self, link), delta, speed, x,
                          v, self->nodes.link_forces + link->state_slot);
  }
}

static void
compute_batched_forces (IfbamEventEngine *self, const IfbamComponent *component,
                        double *const *column, gboolean earlier, gboolean mean, double *output)
{
  const IfbamModel *model = self->base.model;

  IFBAM_FOR_RANGES (range, component, links)
  {
    const IfbamBatch *batch = &g_array_index (model->batches, IfbamBatch, range->batch);
    IfbamLinkBatch arguments;

    ifbam_batch_arguments (batch, (const double *const *) batch->parameters, 0, column[0],
                           column[1], &arguments);
    arguments.earlier_position = earlier ? column[2] : NULL;
    arguments.earlier_rate = earlier ? column[3] : NULL;
    ifbam_batch_set_outputs (batch, output, &arguments);
    (mean ? batch->kernels->mean : batch->kernels->force) (&arguments, range->first, range->last);
  }
}

static double
source_value (const IfbamEventEngine *self, guint32 source, double time)
{
  if (!isnan (self->schedule.constant[source]))
    return self->schedule.constant[source];
  if (!self->schedule.is_on[source])
    return 0;
  return self->schedule.strength[source]
         * ifbam_model_source (self->base.model, source,
                               ifbam_event_source_time (self, source, time));
}

static void
evaluate_sources (const IfbamEventEngine *self, const IfbamComponent *component, double time,
                  double *output)
{
  IFBAM_FOR_LIST (source, component, sources)
  output[self->base.model->n_slots + *source] = source_value (self, *source, time);
}

/* Sums each node's forces: links and sources in the order of the file, then unbatched links. */
static inline void
sum_forces (const IfbamEventEngine *self, const IfbamComponent *component, const double *output)
{
  const guint32 *port_start = self->base.model->port_start, *port = self->base.model->port;
  const guint32 *end_start = self->links.node_force_start, *end = self->links.node_force_ends;
  const IfbamLinkState *link = self->links.state;
  double *force = self->nodes.force;

  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first, last = range->last; i < last; i++)
    {
      double sum = IFBAM_NO_FORCE;

      for (guint32 p = port_start[i]; p < port_start[i + 1]; p++)
        sum += ifbam_with_sign (output[port[p] >> 1], port[p]);
      for (guint32 p = end_start[i]; p < end_start[i + 1]; p++)
        {
          const IfbamLinkState *state = &link[ifbam_endpoint_link (end[p])];

          if (state->force != 0)
            sum -= state->row[ifbam_endpoint_port (end[p])] * state->force;
        }
      force[i] = sum;
    }
}

static void
compute_forces (IfbamEventEngine *self, const IfbamComponent *first, double *const *column,
                gboolean mean, double time)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  {
    if (component->n_links > 0)
      compute_batched_forces (self, component, column, mean, mean, self->nodes.link_forces);
    /* The values of sources that do not depend on time are there already. */
    IFBAM_FOR_LIST (source, component, varying)
    self->nodes.link_forces[self->base.model->n_slots + *source] =
        source_value (self, *source, time);
    if (component->n_forces > 0 && mean)
      compute_unbatched_means (self, component, column);
    else if (component->n_forces > 0)
      compute_unbatched_forces (self, component, column[0], column[1]);
  }
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  sum_forces (self, component, self->nodes.link_forces);
}

static void
compute_cycle_forces (IfbamEventEngine *self, const IfbamComponent *component,
                      double *const *column, double time, double *output)
{
  const gboolean mean = self->scheme->mean;

  compute_batched_forces (self, component, column, TRUE, mean, output);
  evaluate_sources (self, component, time, output);
  IFBAM_FOR_LIST (number, component, own)
  {
    const IfbamLink *link = ifbam_link (self, *number);
    IfbamLinkState *state = &self->links.state[*number];
    const IfbamLinkInputs inputs = get_link_inputs (self, link, column);

    state->next_force = link->law->force == NULL
                            ? 0
                            : ifbam_link_mean (link, state->mode, &inputs, mean, state->next_row,
                                               output + link->state_slot);
  }
}

static void
sum_cycle_forces (IfbamEventEngine *self, const double *output)
{
  IFBAM_FOR_COMPONENTS (component, IFBAM_NONE)
  sum_forces (self, component, output);
}

static void
begin_step (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
            const double *x, const double *v, double h)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  {
    const gsize n = range->last - range->first;
    double *part[IFBAM_MAX_COLUMNS];

    for (guint c = 0; c < scheme->n_columns; c++)
      part[c] = self->nodes.work[c] + range->first;
    if (ifbam_scheme_carried_acceleration (scheme) > 0)
      for (gsize i = range->first; i < range->last; i++)
        if (!isnan (self->nodes.a[i]))
          self->nodes.acceleration[i] = self->nodes.a[i];
    scheme->begin (FALSE, n, part, x + range->first, v + range->first,
                   self->nodes.acceleration + range->first, h);
  }
}

static void
run_stage (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
           guint stage, const IfbamNodeBatch *nodes)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  {
    const gsize n = range->last - range->first;

    if (n <= MAX_SCALAR_NODES)
      scheme->update_few[stage][0](nodes, range->first, n);
    else
      scheme->update[stage][self->base.spec->isa][0](nodes, range->first, n);
  }
}

static void
end_step (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme, double *x,
          double *v)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  scheme->observe (range->first, range->last, self->nodes.work, x + range->first, v + range->first);
}

static void
set_given (IfbamEventEngine *self, const IfbamComponent *component, double time, double *position,
           double *rate)
{
  IFBAM_FOR_LIST (node, component, moving)
  {
    const IfbamMotion motion = ifbam_event_motion_now (self, *node, time);

    position[*node] = motion.position;
    rate[*node] = motion.rate;
  }
}

static const double *
get_parameters (const IfbamEventEngine *self, const IfbamBatch *batch, gsize index, double *room)
{
  (void) self;
  for (guint k = 0; k < batch->n_numbers; k++)
    room[k] = batch->parameters[k][index];
  return room;
}

static void
ignore_copy (IfbamEventEngine *self, const IfbamComponent *component, const double *from,
             double *to)
{
  (void) self, (void) component, (void) from, (void) to;
}

static void
ignore_link (IfbamEventEngine *self, guint32 link)
{
  (void) self, (void) link;
}

static void
ignore_change (IfbamEventEngine *self, guint32 node, double change)
{
  (void) self, (void) node, (void) change;
}

static void
ignore_reaction (IfbamEventEngine *self, const IfbamLink *link, const double *row, double reaction)
{
  (void) self, (void) link, (void) row, (void) reaction;
}

static void
ignore_values (IfbamEventEngine *self, const guint32 *nodes, guint n, guint n_columns,
               double *const *column)
{
  (void) self, (void) nodes, (void) n, (void) n_columns, (void) column;
}

static void
ignore_rows (IfbamEventEngine *self, const GArray *links, guint n_columns, double *const *column)
{
  (void) self, (void) links, (void) n_columns, (void) column;
}

static void
ignore_state (IfbamEventEngine *self)
{
  (void) self;
}

static void
ignore_assembly (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage, double from,
                 double time, guint iteration)
{
  (void) self, (void) system, (void) stage, (void) from, (void) time, (void) iteration;
}

static void
ignore_solution (IfbamEventEngine *self, IfbamSystem *system)
{
  (void) self, (void) system;
}

static void
ignore_event (IfbamEventEngine *self, const guint32 *node, const double *row, guint n)
{
  (void) self, (void) node, (void) row, (void) n;
}

const IfbamEvaluator ifbam_column_evaluator = { .compute_forces = compute_forces,
                                                .begin_step = begin_step,
                                                .run_stage = run_stage,
                                                .end_step = end_step,
                                                .set_given = set_given,
                                                .compute_cycle_forces = compute_cycle_forces,
                                                .sum_cycle_forces = sum_cycle_forces,
                                                .get_parameters = get_parameters,
                                                .copied = ignore_copy,
                                                .force_sent = ignore_link,
                                                .impulse_applied = ignore_change,
                                                .reaction_subtracted = ignore_reaction,
                                                .values_set = ignore_values,
                                                .rows_set = ignore_rows,
                                                .state_restored = ignore_state,
                                                .system_assembled = ignore_assembly,
                                                .system_solved = ignore_solution,
                                                .event_logged = ignore_event };
