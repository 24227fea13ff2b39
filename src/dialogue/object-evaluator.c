/* object-evaluator.c: the objects answer what the event engine asks: each from its own state and what it has heard
 *
 * What a node says of itself it keeps, by the column of the engine that the answer is for; what it has said
 * is told to that column, which is all that the engine knows of it.
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

/* Columns of nodes have numbers by their memory: it stays when they change places. */
enum
{
  N_PLAIN = 10,
  N_COLUMNS = N_PLAIN + 3 * IFBAM_MAX_COLUMNS,
};

typedef struct
{
  IfbamDialogue *dialogue;
  const double *column[N_COLUMNS];
  const double *output[IFBAM_N_ANSWERS];
  gboolean owned; /* the cast goes with the engine */
} Questions;

static guint
number_of (const double *const *columns, guint n, const double *column)
{
  guint i = 0;

  while (i < n && columns[i] != column)
    i++;
  g_assert (i < n);
  return i;
}

static guint
column_of (const IfbamEventEngine *self, const double *column)
{
  return number_of (((const Questions *) self->evaluator_data)->column, N_COLUMNS, column);
}

static const IfbamDialogue *
dialogue_of (const IfbamEventEngine *self)
{
  return ((const Questions *) self->evaluator_data)->dialogue;
}

/* Tells the engine what a node says of itself in a column. */
static void
tell (const IfbamAgent *node, guint number, double *column)
{
  column[node->node] = node->said[number];
}

/* Walks */

typedef void (*NodeAnswer) (IfbamEventEngine *self, IfbamAgent *node, gpointer data);

static void
call_nodes (IfbamEventEngine *self, const IfbamComponent *first, NodeAnswer output, gpointer data)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  IFBAM_FOR_COMPONENTS_FROM (component, first)
  IFBAM_FOR_NODES (range, component)
  for (gsize i = range->first; i < range->last; i++)
    output (self, node_at (dialogue, i), data);
}

/* Forces */

/* Nodes speak to a link that is between them. */
static void
hear_now (const IfbamDialogue *dialogue, IfbamAgent *link, guint position, guint rate)
{
  for (guint e = 0; e < link->n_ports; e++)
    {
      const IfbamAgent *node = node_at (dialogue, link->node_at[e]);

      link->hears.position[e] = node->said[position];
      link->hears.rate[e] = node->said[rate];
    }
}

static void
hear_cycle (const IfbamDialogue *dialogue, IfbamAgent *link, const guint *number)
{
  hear_now (dialogue, link, number[0], number[1]);
  for (guint e = 0; e < link->n_ports; e++)
    {
      const IfbamAgent *node = node_at (dialogue, link->node_at[e]);

      link->hears.earlier_position[e] = node->said[number[2]];
      link->hears.earlier_rate[e] = node->said[number[3]];
    }
}

static void
hear (const IfbamDialogue *dialogue, IfbamAgent *link, const guint *number, gboolean mean)
{
  if (mean)
    hear_cycle (dialogue, link, number);
  else
    hear_now (dialogue, link, number[0], number[1]);
}

/* A link is told its mode, and that of what presses it. */
static void
take_mode (const IfbamEventEngine *self, IfbamAgent *link, guint32 number)
{
  link->mode = self->links.state[number].mode;
  link->hears.pressing = ifbam_link_pressing_mode (self, ifbam_link (self, number));
}

/* A link or source speaks to the nodes at its ends. */
static void
speak (const IfbamDialogue *dialogue, const IfbamAgent *speaker)
{
  for (guint e = 0; e < speaker->n_ports; e++)
    ifbam_agent_speak (speaker, dialogue->nodes->pdata[speaker->node_at[e]], e);
}

static void
link_tells (const IfbamEventEngine *self, const IfbamAgent *link, double *output)
{
  const IfbamModel *model = self->base.model;
  gsize index;
  const IfbamBatch *batch = ifbam_model_batch (model, link->slot, &index);

  output[link->slot] = link->says;
  if (batch->law->geometry->scaled)
    output[batch->far_slot + index] = link->far;
  for (guint k = 0; k < batch->law->n_states; k++)
    output[batch->state_slot[k] + index] = link->flow[k];
}

static IfbamAgent *
source_at (const IfbamEventEngine *self, guint32 number, guint *target)
{
  IfbamAgent *source = dialogue_of (self)->source_of[number];

  *target = (guint) (number - (source->slot - self->base.model->n_slots));
  return source;
}

static double
evaluate_source (const IfbamEventEngine *self, IfbamAgent *source, guint target, double time)
{
  const gsize number = source->slot - self->base.model->n_slots + target;

  if (!self->schedule.is_on[number])
    return source->says = source->targets[target].says = 0;
  ifbam_source_answers (source, target, ifbam_event_source_time (self, (guint32) number, time));
  if (self->schedule.strength[number] != 1)
    source->says = source->targets[target].says *= self->schedule.strength[number];
  return source->targets[target].says;
}

/* What each says, and tells the engine. */

static void
link_says (IfbamEventEngine *self, IfbamAgent *link, gboolean mean)
{
  ifbam_link_answers (link, mean);
  link_tells (self, link, self->nodes.link_forces);
}

static void
single_says (IfbamEventEngine *self, IfbamAgent *link, gboolean mean)
{
  IfbamLinkState *state = &self->links.state[link->number];

  if (mean)
    {
      ifbam_single_answers_to_end (link);
      ifbam_single_takes_flight (link);
    }
  else
    ifbam_single_answers (link);
  state->force = link->says;
  memcpy (state->row, link->row, sizeof state->row);
  memcpy (self->nodes.link_forces + link->single->state_slot, link->flow,
          link->single->law->n_states * sizeof *link->flow);
}

static guint
answer_of (const IfbamEventEngine *self, const double *output)
{
  return number_of (((const Questions *) self->evaluator_data)->output, IFBAM_N_ANSWERS, output);
}

static void
link_says_ahead (IfbamEventEngine *self, IfbamAgent *link, double *output)
{
  const guint a = answer_of (self, output);

  ifbam_link_answers (link, self->scheme->mean);
  link->answers[a].says = link->says;
  link->answers[a].far = link->far;
  memcpy (link->answers[a].flow, link->flow, sizeof link->flow);
  link_tells (self, link, output);
}

static void
source_says_ahead (IfbamEventEngine *self, IfbamAgent *source, guint target, double time,
                   double *output)
{
  output[source->slot + target] = source->targets[target].answers[answer_of (self, output)] =
      evaluate_source (self, source, target, time);
}

static void
single_says_ahead (IfbamEventEngine *self, IfbamAgent *link, double *output)
{
  IfbamLinkState *state = &self->links.state[link->number];

  ifbam_single_answers_ahead (link, self->scheme->mean);
  state->next_force = link->next;
  memcpy (state->next_row, link->next_row, sizeof state->next_row);
  memcpy (link->answers[answer_of (self, output)].flow, link->flow, sizeof link->flow);
  memcpy (output + link->single->state_slot, link->flow,
          link->single->law->n_states * sizeof *link->flow);
}

/* Under a flip-flop scheme links and sources take up what they said in a column. */
static void
take_up (const IfbamEventEngine *self, const double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  const guint a = answer_of (self, output);

  for (guint i = 0; i < dialogue->links->len; i++)
    {
      IfbamAgent *link = dialogue->links->pdata[i];

      link->says = link->answers[a].says;
      link->far = link->answers[a].far;
      memcpy (link->flow, link->answers[a].flow, sizeof link->flow);
    }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    {
      IfbamAgent *link = dialogue->unbatched_links->pdata[i];

      memcpy (link->flow, link->answers[a].flow, sizeof link->flow);
    }
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        source->targets[k].says = source->targets[k].answers[a];
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
output (IfbamEventEngine *self, const IfbamComponent *component, double *const *column,
        gboolean mean, double time)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  guint said[4];

  for (guint c = 0; c < (mean ? 4 : 2); c++)
    said[c] = column_of (self, column[c]);
  IFBAM_FOR_RANGES (range, component, links)
  for (gsize i = range->first; i < range->last; i++)
    {
      IfbamAgent *link = link_at (self, range, i);

      if (link == NULL)
        continue;
      hear (dialogue, link, said, mean);
      link_says (self, link, mean);
      speak (dialogue, link);
    }
  IFBAM_FOR_LIST (number, component, sources)
  {
    guint target;
    IfbamAgent *source = source_at (self, *number, &target);

    self->nodes.link_forces[source->slot + target] = evaluate_source (self, source, target, time);
    ifbam_agent_speak (source, dialogue->nodes->pdata[source->targets[target].node], target);
  }
  IFBAM_FOR_LIST (number, component, forces)
  {
    IfbamAgent *link = dialogue->unbatched_links->pdata[*number];

    take_mode (self, link, *number);
    hear (dialogue, link, said, mean);
    single_says (self, link, mean);
    speak (dialogue, link);
  }
}

static const double *
law (const IfbamEventEngine *self, const IfbamBatch *batch, gsize index, double *room)
{
  (void) room;
  return dialogue_of (self)->slot_link[batch->first_slot + index]->law;
}

static void
store_node_force (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  (void) data;
  node->force = ifbam_node_force (node);
  self->nodes.force[node->node] = node->force;
}

static void
compute_forces (IfbamEventEngine *self, const IfbamComponent *first, double *const *column,
                gboolean mean, double time)
{
  IFBAM_FOR_COMPONENTS_FROM (component, first)
  output (self, component, column, mean, time);
  call_nodes (self, first, store_node_force, NULL);
}

static void
hold (IfbamEventEngine *self, const IfbamLink *link, const double *row, double reaction)
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
  double *position, *rate;         /* the engine's columns */
  double *const *column;           /* the same, of the scheme */
  guint number[IFBAM_MAX_COLUMNS]; /* theirs */
} Step;

static Step
step_new (const IfbamEventEngine *self, const IfbamScheme *scheme, double *const *column)
{
  Step step = { .scheme = scheme, .column = column };

  for (guint c = 0; c < scheme->n_columns; c++)
    step.number[c] = column_of (self, column[c]);
  return step;
}

static void
node_begins (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  /* Of the end of its last step, if nothing has changed the node since. */
  const double acceleration =
      ifbam_scheme_carried_acceleration (step->scheme) > 0 && !isnan (node->said[step->a])
          ? node->said[step->a]
          : node->force * node->inverse_inertia;
  double *column[IFBAM_MAX_COLUMNS];

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    column[c] = &node->said[step->number[c]];
  step->scheme->begin (FALSE, 1, column, &node->said[step->x], &node->said[step->v], &acceleration,
                       step->h);
  for (guint c = 0; c < step->scheme->n_columns; c++)
    tell (node, step->number[c], step->column[c]);
}

static void
begin (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme,
       const double *x, const double *v, double h)
{
  Step step = step_new (self, scheme, self->nodes.work);

  step.x = column_of (self, x);
  step.v = column_of (self, v);
  step.a = column_of (self, self->nodes.a);
  step.h = h;
  call_nodes (self, first, node_begins, &step);
}

static void
move_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  IfbamNodeBatch batch = { .inverse_inertia = &node->inverse_inertia,
                           .port = { &node->force },
                           .step = step->h };

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    batch.column[c] = &node->said[step->number[c]];
  step->scheme->update[step->stage][IFBAM_ISA_BASELINE][0](&batch, 0, 1);
  for (guint c = 0; c < step->scheme->n_columns; c++)
    tell (node, step->number[c], step->column[c]);
}

static void
move (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme, guint stage,
      const IfbamNodeBatch *nodes)
{
  Step step = step_new (self, scheme, nodes->column);

  step.stage = stage;
  step.h = nodes->step;
  call_nodes (self, first, move_node, &step);
}

static void
show_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Step *step = data;
  double *column[IFBAM_MAX_COLUMNS];

  (void) self;
  for (guint c = 0; c < step->scheme->n_columns; c++)
    column[c] = &node->said[step->number[c]];
  step->scheme->observe (0, 1, column, &node->said[step->x], &node->said[step->v]);
  tell (node, step->x, step->position);
  tell (node, step->v, step->rate);
}

static void
observe (IfbamEventEngine *self, const IfbamComponent *first, const IfbamScheme *scheme, double *x,
         double *v)
{
  Step step = step_new (self, scheme, self->nodes.work);

  step.x = column_of (self, x);
  step.v = column_of (self, v);
  step.position = x;
  step.rate = v;
  call_nodes (self, first, show_node, &step);
}

static void
place_node (const IfbamEventEngine *self, const IfbamAgent *node, double time, double *position,
            double *rate)
{
  const guint x = column_of (self, position), v = column_of (self, rate);
  IfbamMotion motion = node->info->motion (node->law, node->course,
                                           ifbam_event_motion_time (self, node->node, time));

  ifbam_parameter_values_apply_scale (self->base.numbers, node->node, &motion);
  node->said[x] = motion.position;
  node->said[v] = motion.rate;
  tell (node, x, position);
  tell (node, v, rate);
}

static void
place (IfbamEventEngine *self, const IfbamComponent *component, double time, double *position,
       double *rate)
{
  IFBAM_FOR_LIST (node, component, givens)
  place_node (self, node_at (dialogue_of (self), *node), time, position, rate);
}

typedef struct
{
  guint from, to;
} Copy;

static void
keep_node (IfbamEventEngine *self, IfbamAgent *node, gpointer data)
{
  const Copy *copy = data;

  (void) self;
  node->said[copy->to] = node->said[copy->from];
}

static void
keep (IfbamEventEngine *self, const IfbamComponent *component, const double *from, double *to)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  Copy copy = { column_of (self, from), column_of (self, to) };

  if (component != NULL)
    call_nodes (self, component, keep_node, &copy);
  else
    for (guint i = 0; i < dialogue->nodes->len; i++)
      keep_node (self, node_at (dialogue, i), &copy);
}

/* Flip-flop schemes */

static void
cycle_answer (IfbamEventEngine *self, const IfbamComponent *component, double *const *column,
              double time, double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);
  const Step step = step_new (self, self->scheme, column);

  IFBAM_FOR_RANGES (range, component, links)
  for (gsize i = range->first; i < range->last; i++)
    {
      IfbamAgent *link = link_at (self, range, i);

      if (link == NULL)
        continue;
      hear_cycle (dialogue, link, step.number);
      link_says_ahead (self, link, output);
    }
  IFBAM_FOR_LIST (number, component, sources)
  {
    guint target;
    IfbamAgent *source = source_at (self, *number, &target);

    source_says_ahead (self, source, target, time, output);
  }
  IFBAM_FOR_LIST (number, component, own)
  {
    IfbamAgent *link = dialogue->unbatched_links->pdata[*number];

    take_mode (self, link, *number);
    hear_cycle (dialogue, link, step.number);
    single_says_ahead (self, link, output);
  }
}

static void
take_flight (IfbamEventEngine *self, guint32 number)
{
  ifbam_single_takes_flight (dialogue_of (self)->unbatched_links->pdata[number]);
}

static void
cycle_gather (IfbamEventEngine *self, const double *output)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  take_up (self, output);
  for (guint i = 0; i < dialogue->links->len; i++)
    speak (dialogue, dialogue->links->pdata[i]);
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      const IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        ifbam_agent_speak (source, dialogue->nodes->pdata[source->targets[k].node], k);
    }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    speak (dialogue, dialogue->unbatched_links->pdata[i]);
  for (gsize i = 0; i < self->base.model->n_free; i++)
    store_node_force (self, node_at (dialogue, i), NULL);
}

/* Messages of the instant */

static void
push (IfbamEventEngine *self, guint32 number, double impulse)
{
  IfbamDialogue *dialogue = ((Questions *) self->evaluator_data)->dialogue;
  IfbamAgent *node = node_at (dialogue, number);
  const guint v = column_of (self, self->nodes.v);

  dialogue->hits += dialogue->told;
  dialogue->told = FALSE;
  if (node->hit != dialogue->hits)
    node->came = node->said[v];
  node->hit = dialogue->hits;
  node->said[v] += impulse * node->inverse_inertia;
  tell (node, v, self->nodes.v);
}

static void
set_values (IfbamEventEngine *self, const guint32 *nodes, guint n, guint n_columns,
            double *const *column)
{
  for (guint c = 0; c < n_columns; c++)
    for (guint i = 0; i < n; i++)
      node_at (dialogue_of (self), nodes[i])->said[column_of (self, column[c])] =
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

/* All of them, by their columns: nodes, links under a mode, forces that are under way. */
static void
stand (IfbamEventEngine *self)
{
  const Questions *asked = self->evaluator_data;
  const IfbamDialogue *dialogue = asked->dialogue;

  for (guint i = 0; i < dialogue->nodes->len; i++)
    for (guint c = 0; c < N_COLUMNS; c++)
      if (asked->column[c] != NULL)
        node_at (dialogue, i)->said[c] = asked->column[c][i];
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    {
      IfbamAgent *link = dialogue->unbatched_links->pdata[i];

      take_mode (self, link, i);
      link->says = 0; /* until its force is evaluated */
      speak (dialogue, link);
      link->next = self->links.state[i].next_force;
      memcpy (link->next_row, self->links.state[i].next_row, sizeof link->next_row);
      if (self->latency)
        memcpy (link->answers[answer_of (self, self->history.next_flight)].flow,
                self->history.next_flight + link->single->state_slot,
                link->single->law->n_states * sizeof *link->flow);
    }
  for (guint i = 0; i < dialogue->links->len && self->latency; i++)
    {
      IfbamAgent *link = dialogue->links->pdata[i];
      const guint a = answer_of (self, self->history.next_flight);
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (self->base.model, link->slot, &index);

      link->answers[a].says = self->history.next_flight[link->slot];
      link->answers[a].far = self->history.next_flight[batch->far_slot + index];
      for (guint k = 0; k < batch->law->n_states; k++)
        link->answers[a].flow[k] = self->history.next_flight[batch->state_slot[k] + index];
    }
  for (guint i = 0; i < dialogue->sources->len && self->latency; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        source->targets[k].answers[answer_of (self, self->history.next_flight)] =
            self->history.next_flight[source->slot + k];
    }
}

static void
log_event (IfbamEventEngine *self, const guint32 *node, const double *row, guint n)
{
  IfbamDialogue *dialogue = ((Questions *) self->evaluator_data)->dialogue;
  const double impulse =
      g_array_index (self->base.log->events, IfbamEvent, self->base.log->events->len - 1).impulse;
  IfbamMeeting meeting = { .n = n };

  dialogue->told = TRUE;
  if (dialogue->meetings == NULL)
    return;
  for (guint e = 0; e < n; e++)
    {
      const IfbamAgent *end = node_at (dialogue, node[e]);

      meeting.node[e] = node[e];
      meeting.impulse[e] = row == NULL ? impulse : -row[e] * impulse;
      meeting.leaves[e] = end->said[column_of (self, self->nodes.v)];
      meeting.came[e] = end->hit == dialogue->hits ? end->came : meeting.leaves[e];
    }
  g_array_append_val (dialogue->meetings, meeting);
}

static void
begin_elimination (IfbamEventEngine *self, IfbamSystem *system, const IfbamStage *stage,
                   double from, double time, guint turn)
{
  ifbam_dialogue_begin_elimination (((Questions *) self->evaluator_data)->dialogue, system, stage,
                                    from, time, turn);
}

static void
end_elimination (IfbamEventEngine *self, IfbamSystem *system)
{
  ifbam_dialogue_end_elimination (((Questions *) self->evaluator_data)->dialogue, system);
}

static const IfbamEvaluator answers = { .sets_fixed = TRUE,
                                        .compute_forces = compute_forces,
                                        .begin_step = begin,
                                        .run_stage = move,
                                        .end_step = observe,
                                        .set_given = place,
                                        .compute_cycle_forces = cycle_answer,
                                        .sum_cycle_forces = cycle_gather,
                                        .get_parameters = law,
                                        .copied = keep,
                                        .force_sent = take_flight,
                                        .impulse_applied = push,
                                        .reaction_subtracted = hold,
                                        .values_set = set_values,
                                        .rows_set = set_rows,
                                        .state_restored = stand,
                                        .system_assembled = begin_elimination,
                                        .system_solved = end_elimination,
                                        .event_logged = log_event };

static void
questions_free (gpointer asked)
{
  Questions *questions = asked;

  if (questions->owned)
    ifbam_dialogue_free (questions->dialogue);
  g_free (questions);
}

IfbamEngine *
ifbam_objects_engine_of (IfbamDialogue *dialogue, gboolean unlocated)
{
  IfbamEngine *base = ifbam_event_engine_new (dialogue->model, dialogue->spec, unlocated);
  IfbamEventEngine *self = (IfbamEventEngine *) base;
  Questions *asked = g_new0 (Questions, 1);
  const double *plain[N_PLAIN] = { self->nodes.x,  self->nodes.v,  self->nodes.x1, self->nodes.v1,
                                   self->nodes.xt, self->nodes.vt, self->nodes.x2, self->nodes.v2,
                                   self->nodes.a,  self->nodes.a1 };

  memcpy (asked->column, plain, sizeof plain);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    {
      asked->column[N_PLAIN + 3 * c] = self->nodes.work[c];
      asked->column[N_PLAIN + 3 * c + 1] = self->history.column[c];
      asked->column[N_PLAIN + 3 * c + 2] = self->history.next[c];
    }
  asked->output[0] = self->nodes.link_forces;
  asked->output[1] = self->history.flight;
  asked->output[2] = self->history.next_flight;
  asked->dialogue = dialogue;
  for (guint i = 0; i < dialogue->nodes->len; i++)
    {
      IfbamAgent *node = node_at (dialogue, i);

      node->said = g_new0 (double, N_COLUMNS);
      self->nodes.inverse_mass[i] = i < dialogue->model->n_free ? node->inverse_inertia : 0;
    }
  self->evaluator = &answers;
  self->links.unbatched = dialogue->own_singles;
  if (self->links.aimed != NULL)
    self->links.aimed = dialogue->own_singles;
  self->free_evaluator_data = questions_free;
  self->evaluator_data = asked;
  dialogue->engine = self;
  return base;
}

IfbamEngine *
ifbam_objects_event_engine_new (const IfbamModel *model, const IfbamRunSpec *spec,
                                gboolean unlocated)
{
  IfbamEngine *base = ifbam_objects_engine_of (ifbam_dialogue_new (model, spec), unlocated);

  ((Questions *) ((IfbamEventEngine *) base)->evaluator_data)->owned = TRUE;
  return base;
}

/* By hand */

/* All nodes say what they are: the engine keeps nothing of them from one cycle to the next. */
static void
say_all (IfbamEventEngine *self)
{
  const Questions *asked = self->evaluator_data;

  for (guint i = 0; i < asked->dialogue->nodes->len; i++)
    {
      const IfbamAgent *node = node_at (asked->dialogue, i);

      for (guint c = 0; c < N_COLUMNS; c++)
        if (asked->column[c] != NULL)
          tell (node, c, (double *) asked->column[c]);
      self->nodes.force[i] = node->force;
      self->nodes.inverse_mass[i] = i < self->base.model->n_free ? node->inverse_inertia : 0;
    }
}

/* What nodes say by hand is what the coming stage begins with. */
static void
face_cycle (IfbamEventEngine *self)
{
  const IfbamDialogue *dialogue = dialogue_of (self);

  for (guint i = 0; i < dialogue->nodes->len; i++)
    for (guint c = 0; c < self->scheme->n_columns; c++)
      {
        IfbamAgent *node = node_at (dialogue, i);

        node->column[c] = &node->said[column_of (
            self, (self->latency ? self->history.column : self->nodes.work)[c])];
      }
  /* Given nodes are at the row where what they say leans forward. */
  if (!self->latency && self->scheme->message_position > 0)
    for (guint i = (guint) self->base.model->n_free; i < dialogue->nodes->len; i++)
      {
        const IfbamAgent *node = node_at (dialogue, i);

        *node->column[0] = node->said[column_of (self, self->nodes.x)];
        *node->column[1] = node->said[column_of (self, self->nodes.v)];
      }
  for (guint i = 0; i < dialogue->unbatched_links->len; i++)
    ((IfbamAgent *) dialogue->unbatched_links->pdata[i])->mode = self->links.state[i].mode;
  if (self->latency)
    take_up (self, self->history.flight);
}

void
ifbam_objects_start (IfbamDialogue *dialogue)
{
  IfbamEventEngine *self = (IfbamEventEngine *) ifbam_objects_engine_of (dialogue, FALSE);

  dialogue->owns_engine = TRUE;
  self->is_manual = TRUE;
  ifbam_engine_record_events (&self->base);
  dialogue->meetings = g_array_new (FALSE, FALSE, sizeof (IfbamMeeting));
  dialogue->hits = 1;
  ifbam_engine_start (&self->base);
  ifbam_event_begin_manual_step (self);
  face_cycle (self);
}

void
ifbam_objects_settle (IfbamDialogue *dialogue)
{
  IfbamEventEngine *self = dialogue->engine;

  g_array_set_size (self->base.log->events, 0);
  g_array_set_size (dialogue->meetings, 0);
  dialogue->told = TRUE;
  if (dialogue->eliminations != NULL)
    g_ptr_array_set_size (dialogue->eliminations, 0);
  say_all (self);
  ifbam_event_end_manual_step (self);
  face_cycle (self);
  dialogue->settled++;
}

/* The time of a stage's messages. */
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

  if (link->single != NULL && self->latency)
    single_says_ahead (self, link, self->history.next_flight);
  else if (link->single != NULL)
    single_says (self, link, FALSE);
  else if (link->info->kind == IFBAM_KIND_SOURCE)
    for (guint k = 0; k < link->n_targets; k++)
      if (self->latency)
        source_says_ahead (self, link, k, time, self->history.next_flight);
      else
        evaluate_source (self, link, k, time);
  else if (self->latency)
    link_says_ahead (self, link, self->history.next_flight);
  else
    link_says (self, link, FALSE);
}

/* Who holds has to agree, when all have summed what they heard. */
static void
eliminate_in_stage (IfbamEventEngine *self, guint stage, guint64 turn)
{
  IfbamDialogue *dialogue = ((Questions *) self->evaluator_data)->dialogue;

  if (dialogue->agreed > turn)
    return;
  dialogue->agreed = turn + 1;
  for (guint i = 0; i < dialogue->nodes->len; i++)
    store_node_force (self, node_at (dialogue, i), NULL);
  say_all (self);
  ifbam_event_react_in_manual_step (self, stage);
}

void
ifbam_objects_node_slave (IfbamAgent *node, guint stage)
{
  IfbamEventEngine *self = node->dialogue->engine;
  Step step = step_new (self, self->scheme, self->latency ? self->history.next : self->nodes.work);

  eliminate_in_stage (self, stage, node->turn);
  step.stage = stage;
  step.h = self->base.spec->step;
  if (ifbam_scheme_tableau (self->scheme) != NULL)
    return; /* where all have to agree they go on from */
  if (node->info->kind == IFBAM_KIND_FREE_NODE)
    move_node (self, node, &step);
  else if (self->latency)
    {
      double *column[IFBAM_MAX_COLUMNS];

      for (guint c = 0; c < self->scheme->n_columns; c++)
        column[c] = &node->said[step.number[c]];
      ifbam_given_update (self->base.numbers, node->node, 0, self->step, column);
    }
  else if (stage + 1 < self->scheme->n_stages)
    place_node (self, node, stage_time (self, stage + 1),
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
ifbam_objects_take_changes (IfbamDialogue *dialogue)
{
  say_all (dialogue->engine);
  ifbam_event_update_parameters (dialogue->engine);
}

const GArray *
ifbam_objects_events (const IfbamDialogue *dialogue)
{
  return dialogue->engine == NULL ? NULL : dialogue->engine->base.log->events;
}

gboolean
ifbam_objects_reaction (const IfbamAgent *single, double *reaction)
{
  const IfbamEventEngine *engine = single->dialogue->engine;

  *reaction = engine->links.state[single->number].reaction;
  return ifbam_link_is_active (engine, single->number)
         || ifbam_link_slip (engine, single->number) != 0;
}
