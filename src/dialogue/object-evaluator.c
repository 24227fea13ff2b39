/* object-evaluator.c: evaluator that computes the event engine's forces and motions by agents
 *
 * Each agent computes from its own state and received messages. A node stores its values by the
 * engine's columns, and copies them to these columns: the engine reads nothing else of it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/object-evaluator.h"

#include <string.h>

#include "dialogue/elimination.h"
#include "event/event.h"

static IfbamAgent *
node_at (const IfbamDialogue *dialogue, gsize node)
{
  return dialogue->nodes->pdata[node];
}

/* Columns are identified by address: pointers to them are exchanged, the memory stays. */
enum
{
  N_SINGLE = 10,
  N_COLUMNS = N_SINGLE + 3 * IFBAM_MAX_COLUMNS,
};

typedef struct
{
  IfbamDialogue *dialogue;
  const double *column[N_COLUMNS];
  const double *output[IFBAM_N_OUTPUTS];
  gboolean owned; /* the engine frees the dialogue */
} EvaluatorData;

static guint
index_of (const double *const *columns, guint n, const double *column)
{
  guint i = 0;

  while (i < n && columns[i] != column)
    i++;
  g_assert (i < n);
  return i;
}

static guint
index_of_column (const IfbamEventEngine *self, const double *column)
{
  return index_of (((const EvaluatorData *) self->evaluator_data)->column, N_COLUMNS, column);
}

static const IfbamDialogue *
dialogue_of (const IfbamEventEngine *self)
{
  return ((const EvaluatorData *) self->evaluator_data)->dialogue;
}

/* Stores a node's value in the engine's column. */
static void
store_value (const IfbamAgent *node, guint index, double *column)
{
  column[node->node] = node->values[index];
}

typedef void (*NodeCall) (IfbamEventEngine *self, IfbamAgent *node, gpointer data);

static void
call_nodes (IfbamEventEngine *self, const IfbamComponent *first, NodeCall call, gpointer data)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    call (self, node_at (dialogue, i), data);
}

/* Forces */

/* Sends the nodes' present values to a link. */
static void
read_nodes (const IfbamDialogue *dialogue, IfbamAgent *link, guint position, guint rate)
{
  for (guint e = 0; e < link->n_ports; e++)
    {
      const IfbamAgent *node = node_at (dialogue, link->node_at[e]);

      link->inputs.position[e] = node->values[position];
      link->inputs.rate[e] = node->values[rate];
    }
}

static void
read_nodes_of_cycle (const IfbamDialogue *dialogue, IfbamAgent *link, const guint *index)
{
  read_nodes (dialogue, link, index[0], index[1]);
  for (guint e = 0; e < link->n_ports; e++)
    {
      const IfbamAgent *node = node_at (dialogue, link->node_at[e]);

      link->inputs.earlier_position[e] = node->values[index[2]];
      link->inputs.earlier_rate[e] = node->values[index[3]];
    }
}

static void
read_inputs (const IfbamDialogue *dialogue, IfbamAgent *link, const guint *index, gboolean mean)
{
  if (mean)
    read_nodes_of_cycle (dialogue, link, index);
  else
    read_nodes (dialogue, link, index[0], index[1]);
}

/* Sets the modes of a link and of the link that presses it. */
static void
set_mode (const IfbamEventEngine *self, IfbamAgent *link, guint32 index)
{
  link->mode = self->links.state[index].mode;
  link->inputs.pressing = ifbam_link_pressing_mode (self, ifbam_link (self, index));
}

/* Sends a link's forces to its nodes. */
static void
send (const IfbamDialogue *dialogue, const IfbamAgent *sender)
{
  for (guint e = 0; e < sender->n_ports; e++)
    ifbam_agent_send (sender, dialogue->nodes->pdata[sender->node_at[e]], e);
}

static void
store_link (const IfbamEventEngine *self, const IfbamAgent *link, double *output)
{
  const IfbamModel *model = self->base.model;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (model, link->slot, &index);

  output[link->slot] = link->output;
  if (batch->law->geometry->scaled)
    output[batch->far_slot + index] = link->far;
  for (guint k = 0; k < batch->law->n_states; k++)
    output[batch->state_slot[k] + index] = link->rates[k];
}

static IfbamAgent *
source_at (const IfbamEventEngine *self, guint32 index, guint *target)
{
  IfbamAgent *source = dialogue_of (self)->source_of[index];

  *target = (guint) (index - (source->slot - self->base.model->n_slots));
  return source;
}

static double
evaluate_source (const IfbamEventEngine *self, IfbamAgent *source, guint target, double time)
{
  const gsize i = source->slot - self->base.model->n_slots + target;

  if (!self->schedule.is_on[i])
    return source->output = source->targets[target].output = 0;
  ifbam_agent_compute_source (source, target, ifbam_event_source_time (self, (guint32) i, time));
  if (self->schedule.strength[i] != 1)
    source->output = source->targets[target].output *= self->schedule.strength[i];
  return source->targets[target].output;
}

/* Outputs, stored in the engine's columns */

static void
compute_link (IfbamEventEngine *self, IfbamAgent *link, gboolean mean)
{
  ifbam_agent_compute_link (link, mean);
  store_link (self, link, self->nodes.link_forces);
}

static void
compute_unbatched (IfbamEventEngine *self, IfbamAgent *link, gboolean mean)
{
  IfbamLinkState *state = &self->links.state[link->index];

  if (mean)
    {
      ifbam_agent_compute_step_mean (link);
      ifbam_agent_take_next_output (link);
    }
  else
    ifbam_agent_compute_unbatched (link);
  state->force = link->output;
  memcpy (state->row, link->row, sizeof state->row);
  memcpy (self->nodes.link_forces + link->unbatched->state_slot, link->rates,
          link->unbatched->law->n_states * sizeof *link->rates);
}

static guint
output_index (const IfbamEventEngine *self, const double *output)
{
  return index_of (((const EvaluatorData *) self->evaluator_data)->output, IFBAM_N_OUTPUTS, output);
}

static void
compute_link_next_cycle (IfbamEventEngine *self, IfbamAgent *link, double *output)
{
  const guint a = output_index (self, output);

  ifbam_agent_compute_link (link, self->scheme->mean);
  link->outputs[a].output = link->output;
  link->outputs[a].far = link->far;
  memcpy (link->outputs[a].rates, link->rates, sizeof link->rates);
  store_link (self, link, output);
}

static void
compute_source_next_cycle (IfbamEventEngine *self, IfbamAgent *source, guint target, double time,
                           double *output)
{
  output[source->slot + target] = source->targets[target].outputs[output_index (self, output)] =
      evaluate_source (self, source, target, time);
}

static void
compute_unbatched_next_cycle (IfbamEventEngine *self, IfbamAgent *link, double *output)
{
  IfbamLinkState *state = &self->links.state[link->index];

  ifbam_agent_compute_next_cycle (link, self->scheme->mean);
  state->next_force = link->next_output;
  memcpy (state->next_row, link->next_row, sizeof state->next_row);
  memcpy (link->outputs[output_index (self, output)].rates, link->rates, sizeof link->rates);
  memcpy (output + link->unbatched->state_slot, link->rates,
          link->unbatched->law->n_states * sizeof *link->rates);
}

/* Flip-flop schemes: makes the outputs of a column the present ones. */
static void
take_outputs (const IfbamEventEngine *self, const double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  const guint a = output_index (self, output);

  for (guint i = 0; i < dialogue->links->len; i++)
    {
      IfbamAgent *link = dialogue->links->pdata[i];

      link->output = link->outputs[a].output;
      link->far = link->outputs[a].far;
      memcpy (link->rates, link->outputs[a].rates, sizeof link->rates);
    }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    {
      IfbamAgent *link = dialogue->unbatched_links->pdata[i];

      memcpy (link->rates, link->outputs[a].rates, sizeof link->rates);
    }
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        source->targets[k].output = source->targets[k].outputs[a];
    }
}

/* Returns link i of a range's batch; NULL: i is a gap between links. */
static IfbamAgent *
link_at (const IfbamEventEngine *self, const IfbamIndexRange *range, gsize i)
{
  const GArray *batches = self->base.model->batches;

  return dialogue_of (self)
      ->slot_link[g_array_index (batches, IfbamBatch, range->batch).first_slot + i];
}

static void
compute_component (IfbamEventEngine *self, const IfbamComponent *component, double *const *column,
                   gboolean mean, double time)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  guint columns[4];

  for (guint c = 0; c < (mean ? 4 : 2); c++)
    columns[c] = index_of_column (self, column[c]);
  IFBAM_FOR_RANGES (range, component, links)
  for (gsize i = range->first; i < range->last; i++)
    {
      IfbamAgent *link = link_at (self, range, i);

      if (link == NULL)
        continue;
      read_inputs (dialogue, link, columns, mean);
      compute_link (self, link, mean);
      send (dialogue, link);
    }
  IFBAM_FOR_LIST (index, component, sources)
  {
    guint target;
    IfbamAgent *source = source_at (self, *index, &target);

    self->nodes.link_forces[source->slot + target] = evaluate_source (self, source, target, time);
    ifbam_agent_send (source, dialogue->nodes->pdata[source->targets[target].node], target);
  }
  IFBAM_FOR_LIST (index, component, forces)
  {
    IfbamAgent *link = dialogue->unbatched_links->pdata[*index];

    set_mode (self, link, *index);
    read_inputs (dialogue, link, columns, mean);
    compute_unbatched (self, link, mean);
    send (dialogue, link);
  }
}

static const double *
get_parameters (const IfbamEventEngine *self, const IfbamBatch *batch, gsize index, double *scratch)
{
  (void) scratch;
  return dialogue_of (self)->slot_link[batch->first_slot + index]->law;
}

static void
store_node_force (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  (void) data;
  node->force = ifbam_agent_sum_forces (node);
  self->nodes.force[node->node] = node->force;
}

static void
compute_forces (IfbamEventEngine *self, const IfbamComponent *first, double *const *column,
                gboolean mean, double time)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  compute_component (self, component, column, mean, time);
  call_nodes (self, first, store_node_force, NULL);
}

static void
subtract (IfbamEventEngine *self, const IfbamLink *link, const double *row, double reaction)
{
  for (guint e = 0; e < link->n_ports; e++)
    node_at (dialogue_of (self), link->node[e])->force -= row[e] * reaction;
}

/* A step */

typedef struct
{
  const IfbamScheme *scheme;
  double h;
  guint stage, x, v, a;
  double *position, *rate;        /* the engine's columns */
  double *const *column;          /* of the scheme */
  guint index[IFBAM_MAX_COLUMNS]; /* of `column` in nodes' values */
} Step;

static Step
step_new (const IfbamEventEngine *self, const IfbamScheme *scheme, double *const *column)
{
  Step step = { .scheme = scheme, .column = column };

  for (guint c = 0; c < scheme->n_columns; c++)
    step.index[c] = index_of_column (self, column[c]);
  return step;
}

static void
begin_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  /* Of the last step's end, if the node is unchanged since. */
  const double acceleration =
      ifbam_scheme_carried_acceleration (step->scheme) > 0 && !isnan (node->values[step->a])
          ? node->values[step->a]
          : node->force * node->inverse_inertia;
  double *column[IFBAM_MAX_COLUMNS];

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    column[c] = &node->values[step->index[c]];
  step->scheme->begin (FALSE, 1, column, &node->values[step->x], &node->values[step->v],
                       &acceleration, step->h);
  for (guint c = 0; c < step->scheme->n_columns; c++)
    store_value (node, step->index[c], step->column[c]);
}

static void
begin_step (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
            const double *x, const double *v, double h)
{
  Step step = step_new (self, scheme, self->nodes.work);

  step.x = index_of_column (self, x);
  step.v = index_of_column (self, v);
  step.a = index_of_column (self, self->nodes.a);
  step.h = h;
  call_nodes (self, first, begin_node, &step);
}

static void
run_node_stage (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  IfbamNodeBatch batch = { .inverse_inertia = &node->inverse_inertia,
                           .port = { &node->force },
                           .step = step->h };

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    batch.column[c] = &node->values[step->index[c]];
  step->scheme->update[step->stage][IFBAM_ISA_BASELINE][0](&batch, 0, 1);
  for (guint c = 0; c < step->scheme->n_columns; c++)
    store_value (node, step->index[c], step->column[c]);
}

static void
run_stage (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
           guint stage, const IfbamNodeBatch *nodes)
{
  Step step = step_new (self, scheme, nodes->column);

  step.stage = stage;
  step.h = nodes->step;
  call_nodes (self, first, run_node_stage, &step);
}

static void
observe_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  double *column[IFBAM_MAX_COLUMNS];

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    column[c] = &node->values[step->index[c]];
  step->scheme->observe (0, 1, column, &node->values[step->x], &node->values[step->v]);
  store_value (node, step->x, step->position);
  store_value (node, step->v, step->rate);
}

static void
end_step (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme, double *x,
          double *v)
{
  Step step = step_new (self, scheme, self->nodes.work);

  step.x = index_of_column (self, x);
  step.v = index_of_column (self, v);
  step.position = x;
  step.rate = v;
  call_nodes (self, first, observe_node, &step);
}

static void
set_given_node (const IfbamEventEngine *self, const IfbamAgent *node, double time, double *position,
                double *rate)
{
  const guint x = index_of_column (self, position), v = index_of_column (self, rate);
  IfbamMotion motion = node->info->motion (node->law, node->course,
                                           ifbam_event_motion_time (self, node->node, time));

  ifbam_parameter_values_apply_scale (self->base.numbers, node->node, &motion);
  node->values[x] = motion.position;
  node->values[v] = motion.rate;
  store_value (node, x, position);
  store_value (node, v, rate);
}

static void
set_given (IfbamEventEngine *self, const IfbamComponent *component, double time, double *position,
           double *rate)
{
  IFBAM_FOR_LIST (node, component, givens)
  set_given_node (self, node_at (dialogue_of (self), *node), time, position, rate);
}

typedef struct
{
  guint from, to;
} Copy;

static void
copy_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Copy *copy = data;

  (void) self;
  node->values[copy->to] = node->values[copy->from];
}

static void
copy_nodes (IfbamEventEngine *self, const IfbamComponent *component, const double *from, double *to)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  Copy copy = { index_of_column (self, from), index_of_column (self, to) };

  if (component != NULL)
    call_nodes (self, component, copy_node, &copy);
  else
    for (guint i = 0; i < dialogue->nodes->len; i++)
      copy_node (self, node_at (dialogue, i), &copy);
}

/* Flip-flop schemes */

static void
compute_cycle_forces (IfbamEventEngine *self, const IfbamComponent *component,
                      double *const *column, double time, double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  const Step step = step_new (self, self->scheme, column);

  IFBAM_FOR_RANGES (range, component, links)
  for (gsize i = range->first; i < range->last; i++)
    {
      IfbamAgent *link = link_at (self, range, i);

      if (link == NULL)
        continue;
      read_nodes_of_cycle (dialogue, link, step.index);
      compute_link_next_cycle (self, link, output);
    }
  IFBAM_FOR_LIST (index, component, sources)
  {
    guint target;
    IfbamAgent *source = source_at (self, *index, &target);

    compute_source_next_cycle (self, source, target, time, output);
  }
  IFBAM_FOR_LIST (index, component, own)
  {
    IfbamAgent *link = dialogue->unbatched_links->pdata[*index];

    set_mode (self, link, *index);
    read_nodes_of_cycle (dialogue, link, step.index);
    compute_unbatched_next_cycle (self, link, output);
  }
}

static void
send_force (IfbamEventEngine *self, guint32 index)
{
  ifbam_agent_take_next_output (dialogue_of (self)->unbatched_links->pdata[index]);
}

static void
sum_cycle_forces (IfbamEventEngine *self, const double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  take_outputs (self, output);
  for (guint i = 0; i < dialogue->links->len; i++)
    send (dialogue, dialogue->links->pdata[i]);
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      const IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        ifbam_agent_send (source, dialogue->nodes->pdata[source->targets[k].node], k);
    }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    send (dialogue, dialogue->unbatched_links->pdata[i]);
  for (gsize i = 0; i < self->base.model->n_free; i++)
    store_node_force (self, node_at (dialogue, i), NULL);
}

/* Changes by events */

static void
apply_impulse (IfbamEventEngine *self, guint32 index, double impulse)
{
  IfbamDialogue *dialogue = ((EvaluatorData *) self->evaluator_data)->dialogue;
  IfbamAgent *node = node_at (dialogue, index);
  const guint v = index_of_column (self, self->nodes.v);

  dialogue->n_impacts += dialogue->has_logged_impact;
  dialogue->has_logged_impact = FALSE;
  if (node->impact != dialogue->n_impacts)
    node->rate_before = node->values[v];
  node->impact = dialogue->n_impacts;
  node->values[v] += impulse * node->inverse_inertia;
  store_value (node, v, self->nodes.v);
}

static void
set_values (IfbamEventEngine *self, const guint32 *nodes, guint n, guint n_columns,
            double *const *column)
{
  for (guint c = 0; c < n_columns; c++)
    for (guint i = 0; i < n; i++)
      node_at (dialogue_of (self), nodes[i])->values[index_of_column (self, column[c])] =
          column[c][nodes[i]];
}

static void
set_rows (IfbamEventEngine *self, const GArray *links, guint n_columns, double *const *column)
{
  for (guint i = 0; i < links->len; i++)
    {
      const IfbamLink *link = ifbam_link (self, g_array_index (links, guint32, i));

      set_values (self, link->node, link->n_ports, n_columns, column);
    }
}

/* Restores all agents from the columns: nodes, modes of links, forces in transit. */
static void
restore_state (IfbamEventEngine *self)
{
  const EvaluatorData *data = self->evaluator_data;
  const IfbamDialogue *dialogue = data->dialogue;

  for (guint i = 0; i < dialogue->nodes->len; i++)
    for (guint c = 0; c < N_COLUMNS; c++)
      if (data->column[c] != NULL)
        node_at (dialogue, i)->values[c] = data->column[c][i];
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    {
      IfbamAgent *link = dialogue->unbatched_links->pdata[i];

      set_mode (self, link, i);
      link->output = 0; /* until its force is evaluated */
      send (dialogue, link);
      link->next_output = self->links.state[i].next_force;
      memcpy (link->next_row, self->links.state[i].next_row, sizeof link->next_row);
      if (self->latency)
        memcpy (link->outputs[output_index (self, self->history.next_flight)].rates,
                self->history.next_flight + link->unbatched->state_slot,
                link->unbatched->law->n_states * sizeof *link->rates);
    }
  for (guint i = 0; i < dialogue->links->len && self->latency; i++)
    {
      IfbamAgent *link = dialogue->links->pdata[i];
      const guint a = output_index (self, self->history.next_flight);
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (self->base.model, link->slot, &index);

      link->outputs[a].output = self->history.next_flight[link->slot];
      link->outputs[a].far = self->history.next_flight[batch->far_slot + index];
      for (guint k = 0; k < batch->law->n_states; k++)
        link->outputs[a].rates[k] = self->history.next_flight[batch->state_slot[k] + index];
    }
  for (guint i = 0; i < dialogue->sources->len && self->latency; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        source->targets[k].outputs[output_index (self, self->history.next_flight)] =
            self->history.next_flight[source->slot + k];
    }
}

static void
log_event (IfbamEventEngine *self, const guint32 *node, const double *row, guint n)
{
  IfbamDialogue *dialogue = ((EvaluatorData *) self->evaluator_data)->dialogue;
  const double impulse =
      g_array_index (self->base.log->events, IfbamEvent, self->base.log->events->len - 1).impulse;
  IfbamEventRecord record = { .n = n };

  dialogue->has_logged_impact = TRUE;
  if (dialogue->records == NULL)
    return;
  for (guint e = 0; e < n; e++)
    {
      const IfbamAgent *end = node_at (dialogue, node[e]);

      record.node[e] = node[e];
      record.impulse[e] = row == NULL ? impulse : -row[e] * impulse;
      record.after[e] = end->values[index_of_column (self, self->nodes.v)];
      record.before[e] = end->impact == dialogue->n_impacts ? end->rate_before : record.after[e];
    }
  g_array_append_val (dialogue->records, record);
}

static void
begin_elimination (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage,
                   double from, double time, guint round_index)
{
  ifbam_dialogue_begin_elimination (((EvaluatorData *) self->evaluator_data)->dialogue, system,
                                    stage, from, time, round_index);
}

static void
end_elimination (IfbamEventEngine *self, IfbamSystem *system)
{
  ifbam_dialogue_end_elimination (((EvaluatorData *) self->evaluator_data)->dialogue, system);
}

static const IfbamEvaluator object_evaluator = { .sets_fixed = TRUE,
                                                 .compute_forces = compute_forces,
                                                 .begin_step = begin_step,
                                                 .run_stage = run_stage,
                                                 .end_step = end_step,
                                                 .set_given = set_given,
                                                 .compute_cycle_forces = compute_cycle_forces,
                                                 .sum_cycle_forces = sum_cycle_forces,
                                                 .get_parameters = get_parameters,
                                                 .copied = copy_nodes,
                                                 .force_sent = send_force,
                                                 .impulse_applied = apply_impulse,
                                                 .reaction_subtracted = subtract,
                                                 .values_set = set_values,
                                                 .rows_set = set_rows,
                                                 .state_restored = restore_state,
                                                 .system_assembled = begin_elimination,
                                                 .system_solved = end_elimination,
                                                 .event_logged = log_event };

static void
evaluator_data_free (gpointer pointer)
{
  EvaluatorData *data = pointer;

  if (data->owned)
    ifbam_dialogue_free (data->dialogue);
  g_free (data);
}

IfbamEngine *
ifbam_objects_engine_of (IfbamDialogue *dialogue, gboolean unlocated)
{
  IfbamEngine *base = ifbam_event_engine_new (dialogue->model, dialogue->spec, unlocated);
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  EvaluatorData *data = g_new0 (EvaluatorData, 1);
  const double *single[N_SINGLE] = { self->nodes.x,  self->nodes.v,  self->nodes.x1, self->nodes.v1,
                                     self->nodes.xt, self->nodes.vt, self->nodes.x2, self->nodes.v2,
                                     self->nodes.a,  self->nodes.a1 };

  memcpy (data->column, single, sizeof single);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      data->column[N_SINGLE + 3 * c] = self->nodes.work[c];
      data->column[N_SINGLE + 3 * c + 1] = self->history.column[c];
      data->column[N_SINGLE + 3 * c + 2] = self->history.next[c];
    }
  data->output[0] = self->nodes.link_forces;
  data->output[1] = self->history.flight;
  data->output[2] = self->history.next_flight;
  data->dialogue = dialogue;
  for (guint i = 0; i < dialogue->nodes->len; i++)
    {
      IfbamAgent *node = node_at (dialogue, i);

      node->values = g_new0 (double, N_COLUMNS);
      self->nodes.inverse_mass[i] = i < dialogue->model->n_free ? node->inverse_inertia : 0;
    }
  self->evaluator = &object_evaluator;
  self->links.unbatched = dialogue->own_unbatched_links;
  if (self->links.aimed != NULL)
    self->links.aimed = dialogue->own_unbatched_links;
  self->free_evaluator_data = evaluator_data_free;
  self->evaluator_data = data;
  dialogue->engine = self;
  return base;
}

IfbamEngine *
ifbam_objects_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                gboolean unlocated)
{
  IfbamEngine *base = ifbam_objects_engine_of (ifbam_dialogue_new (model, spec), unlocated);

  ((EvaluatorData *) ((IfbamEventEngine *) base)->evaluator_data)->owned = TRUE;
  return base;
}

/* Manual dialogue */

/* Stores all values of all nodes: between steps they can be changed. */
static void
store_all_nodes (IfbamEventEngine *self)
{
  const EvaluatorData *data = self->evaluator_data;

  for (guint i = 0; i < data->dialogue->nodes->len; i++)
    {
      const IfbamAgent *node = node_at (data->dialogue, i);

      for (guint c = 0; c < N_COLUMNS; c++)
        if (data->column[c] != NULL)
          store_value (node, c, (double *) data->column[c]);
      self->nodes.force[i] = node->force;
      self->nodes.inverse_mass[i] = i < self->base.model->n_free ? node->inverse_inertia : 0;
    }
}

/* Makes the values at the start of the coming stage the nodes' messages. */
static void
expose_node_columns (IfbamEventEngine *self)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  for (guint i = 0; i < dialogue->nodes->len; i++)
    for (guint c = 0; c < self->scheme->n_columns; c++)
      {
        IfbamAgent *node = node_at (dialogue, i);

        node->column[c] = &node->values[index_of_column (
            self, (self->latency ? self->history.column : self->nodes.work)[c])];
      }
  /* Given nodes have the sample's values where messages are extrapolated. */
  if (!self->latency && self->scheme->message_position > 0)
    for (guint i = (guint) self->base.model->n_free; i < dialogue->nodes->len; i++)
      {
        const IfbamAgent *node = node_at (dialogue, i);

        *node->column[0] = node->values[index_of_column (self, self->nodes.x)];
        *node->column[1] = node->values[index_of_column (self, self->nodes.v)];
      }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    ((IfbamAgent *) dialogue->unbatched_links->pdata[i])->mode = self->links.state[i].mode;
  if (self->latency)
    take_outputs (self, self->history.flight);
}

void
ifbam_objects_start (IfbamDialogue *dialogue)
{
  IfbamEventEngine *self = (IfbamEventEngine *) ifbam_objects_engine_of (dialogue, FALSE);

  dialogue->owns_engine = TRUE;
  self->is_manual = TRUE;
  ifbam_engine_record_events (&self->base);
  dialogue->records = g_array_new (FALSE, FALSE, sizeof (IfbamEventRecord));
  dialogue->n_impacts = 1;
  ifbam_engine_start (&self->base);
  ifbam_event_begin_manual_step (self);
  expose_node_columns (self);
}

void
ifbam_objects_settle (IfbamDialogue *dialogue)
{
  IfbamEventEngine *self = dialogue->engine;

  g_array_set_size (self->base.log->events, 0);
  g_array_set_size (dialogue->records, 0);
  dialogue->has_logged_impact = TRUE;
  if (dialogue->eliminations != NULL)
    g_ptr_array_set_size (dialogue->eliminations, 0);
  store_all_nodes (self);
  ifbam_event_end_manual_step (self);
  expose_node_columns (self);
  dialogue->settled_steps++;
}

/* Returns the time of a stage's messages [s]. */
static double
stage_time (const IfbamEventEngine *self, guint stage)
{
  return ifbam_engine_source_time (self->base.spec, stage, (gint64) self->step);
}

void
ifbam_objects_link_slave (IfbamAgent *link, guint stage)
{
  IfbamEventEngine *self = link->dialogue->engine;
  const double time = stage_time (self, stage);

  if (link->unbatched != NULL && self->latency)
    compute_unbatched_next_cycle (self, link, self->history.next_flight);
  else if (link->unbatched != NULL)
    compute_unbatched (self, link, FALSE);
  else if (link->info->kind == IFBAM_KIND_SOURCE)
    for (guint k = 0; k < link->n_targets; k++)
      if (self->latency)
        compute_source_next_cycle (self, link, k, time, self->history.next_flight);
      else
        evaluate_source (self, link, k, time);
  else if (self->latency)
    compute_link_next_cycle (self, link, self->history.next_flight);
  else
    compute_link (self, link, FALSE);
}

/* Solves for the reactions of a stage, once per round, from all nodes' forces. */
static void
eliminate_in_stage (IfbamEventEngine *self, guint stage, guint64 round_index)
{
  IfbamDialogue *dialogue = ((EvaluatorData *) self->evaluator_data)->dialogue;

  if (dialogue->rounds_eliminated > round_index)
    return;
  dialogue->rounds_eliminated = round_index + 1;
  for (guint i = 0; i < dialogue->nodes->len; i++)
    store_node_force (self, node_at (dialogue, i), NULL);
  store_all_nodes (self);
  ifbam_event_react_in_manual_step (self, stage);
}

void
ifbam_objects_node_slave (IfbamAgent *node, guint stage)
{
  IfbamEventEngine *self = node->dialogue->engine;
  Step step = step_new (self, self->scheme, self->latency ? self->history.next : self->nodes.work);

  eliminate_in_stage (self, stage, node->rounds);
  step.stage = stage;
  step.h = self->base.spec->step;
  if (ifbam_scheme_tableau (self->scheme) != NULL)
    return; /* the solution of the stage moves the nodes */
  if (node->info->kind == IFBAM_KIND_FREE_NODE)
    run_node_stage (self, node, &step);
  else if (self->latency)
    {
      double *column[IFBAM_MAX_COLUMNS];

      for (guint c = 0; c < self->scheme->n_columns; c++)
        column[c] = &node->values[step.index[c]];
      ifbam_given_update (self->base.numbers, node->node, 0, self->step, column);
    }
  else if (stage + 1 < self->scheme->n_stages)
    set_given_node (self, node, stage_time (self, stage + 1),
                    self->nodes.work[self->scheme->message_position],
                    self->nodes.work[self->scheme->message_rate]);
}

const char *
ifbam_objects_failure (const IfbamDialogue *dialogue, double *time)
{
  const IfbamEventLog *log = dialogue->engine->base.log;

  *time = log->failure_time;
  return log->failure;
}

void
ifbam_objects_apply_changes (IfbamDialogue *dialogue)
{
  store_all_nodes (dialogue->engine);
  ifbam_event_update_parameters (dialogue->engine);
}

const GArray *
ifbam_objects_events (const IfbamDialogue *dialogue)
{
  return dialogue->engine == NULL ? NULL : dialogue->engine->base.log->events;
}

gboolean
ifbam_objects_reaction (const IfbamAgent *link, double *reaction)
{
  const IfbamEventEngine *engine = link->dialogue->engine;

  *reaction = engine->links.state[link->index].reaction;
  return ifbam_link_is_active (engine, link->index) || ifbam_link_slip (engine, link->index) != 0;
}
