/* object-engine.c: engine that runs a network as a dialogue of its elements
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/phases.h"

typedef struct
{
  IfbamEngine base;
  IfbamDialogue *dialogue;
  double *position, *rate;                    /* of the messages, for the listener (n_nodes) */
  double *column[IFBAM_MAX_COLUMNS], *flight; /* for saved states (n_free), (n_slots + n_sources) */
} ObjectsEngine;

static void
start (IfbamEngine *base)
{
  ObjectsEngine *self = (ObjectsEngine *) base;

  base->steps = 0;
  if (self->dialogue != NULL)
    ifbam_dialogue_free (self->dialogue);
  self->dialogue = ifbam_dialogue_new (base->model, base->spec);
  ifbam_dialogue_start (self->dialogue);
}

static void
call_listener (ObjectsEngine *self, guint stage)
{
  const IfbamScheme *scheme = self->base.spec->scheme;

  for (guint i = 0; i < self->dialogue->nodes->len; i++)
    {
      const IfbamAgent *agent = self->dialogue->nodes->pdata[i];

      self->position[i] = *agent->column[scheme->message_position];
      self->rate[i] = *agent->column[scheme->message_rate];
    }
  self->base.listener (self->base.listener_data, stage, self->position, self->rate);
}

static void
get_nodes (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  ObjectsEngine *self = (ObjectsEngine *) base;
  const IfbamModel *model = base->model;
  const IfbamRunSpec *spec = base->spec;

  for (gsize i = first; i < last; i++)
    {
      IfbamAgent *agent = self->dialogue->nodes->pdata[i];

      if (i < model->n_free)
        spec->scheme->observe (0, 1, agent->column, &position[i - first], &rate[i - first]);
      else
        {
          IfbamMotion motion = ifbam_model_given (
              model, i, (double) (base->steps - ifbam_engine_lookahead (spec)) * spec->step);

          position[i - first] = motion.position;
          rate[i - first] = motion.rate;
        }
    }
}

static void
record_probes (ObjectsEngine *self, const IfbamProbes *probes, guint64 began)
{
  gsize row;

  if (probes == NULL || !ifbam_probes_row (self->base.spec, probes, began, self->base.steps, &row))
    return;
  for (gsize i = 0; i < probes->n; i++)
    get_nodes (&self->base, probes->node[i], probes->node[i] + 1,
               &probes->position[row * probes->n + i], &probes->rate[row * probes->n + i]);
}

static gboolean
advance (IfbamEngine *base, guint64 steps, const IfbamProbes *probes)
{
  ObjectsEngine *self = (ObjectsEngine *) base;
  const guint n_rounds = ifbam_dialogue_rounds_per_step (base->spec);
  const guint64 began = base->steps, end = began + steps;

  while (base->steps < end)
    {
      for (guint round_index = 0; round_index < n_rounds; round_index++)
        {
          ifbam_dialogue_master (self->dialogue);
          if (base->listener != NULL && round_index % 2 == 0)
            call_listener (self, round_index / 2);
          ifbam_dialogue_slave (self->dialogue);
        }
      base->steps++;
      record_probes (self, probes, began);
    }
  return TRUE;
}

/* State: columns as in the compiled engine */

/* Copies the state out of the agents to the columns, or back. */
static void
copy_state (ObjectsEngine *self, gboolean out)
{
  const IfbamModel *model = self->base.model;
  const IfbamDialogue *dialogue = self->dialogue;

  for (gsize i = 0; i < model->n_free; i++)
    for (guint c = 0; c < ifbam_scheme_n_state_columns (self->base.spec->scheme); c++)
      {
        double *own = ((IfbamAgent *) dialogue->nodes->pdata[i])->column[c];

        *(out ? &self->column[c][i] : own) = *(out ? own : &self->column[c][i]);
      }
  for (guint i = 0; i < dialogue->links->len; i++)
    {
      IfbamAgent *link = dialogue->links->pdata[i];
      gsize index;
      const IfbamBatch *batch = ifbam_model_batch (model, link->slot, &index);
      double *near = &self->flight[link->slot], *far = &self->flight[batch->far_slot + index];

      if (out && batch->law->geometry->scaled)
        *far = link->far;
      if (out)
        *near = link->output;
      else
        {
          link->output = *near;
          link->far = *far;
        }
      for (guint k = 0; k < batch->law->n_states; k++)
        {
          double *flow = &self->flight[batch->state_slot[k] + index];

          *(out ? flow : &link->rates[k]) = *(out ? &link->rates[k] : flow);
        }
    }
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        {
          double *own = &source->targets[k].output, *flight = &self->flight[source->slot + k];

          *(out ? flight : own) = *(out ? own : flight);
        }
    }
}

static GArray *
list_state (IfbamEngine *base, gboolean write)
{
  ObjectsEngine *self = (ObjectsEngine *) base;
  GArray *columns = g_array_new (FALSE, FALSE, sizeof (IfbamStateColumn));

  if (!write)
    copy_state (self, TRUE);
  ifbam_state_add_scheme (columns, base->model, base->spec->scheme, self->column, self->flight);
  return columns;
}

static void
rebuild (IfbamEngine *base, guint64 steps)
{
  ObjectsEngine *self = (ObjectsEngine *) base;

  base->steps = steps;
  copy_state (self, FALSE);
  ifbam_dialogue_rebuild (self->dialogue, steps);
}

static void
engine_free (IfbamEngine *base)
{
  ObjectsEngine *self = (ObjectsEngine *) base;

  if (self->dialogue != NULL)
    ifbam_dialogue_free (self->dialogue);
  ifbam_parameter_values_free (base->numbers);
  ifbam_event_log_free (base->log);
  g_free (self->position);
  g_free (self->rate);
  g_free (self->flight);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    g_free (self->column[c]);
  g_free (self);
}

static const IfbamEngineClass objects_class = { .start = start,
                                                .advance = advance,
                                                .get_nodes = get_nodes,
                                                .list_state = list_state,
                                                .rebuild = rebuild,
                                                .free = engine_free };

IfbamEngine *
ifbam_objects_engine_new (const IfbamModel *model, const IfbamRunSpec *spec)
{
  ObjectsEngine *self = g_new0 (ObjectsEngine, 1);

  self->base = (IfbamEngine){ .class = &objects_class,
                              .model = model,
                              .spec = spec,
                              .numbers = ifbam_parameter_values_new (model, spec, 1),
                              .records_probes = TRUE,
                              .log = ifbam_event_log_new () };
  self->position = g_new (double, model->n_nodes + 1);
  self->rate = g_new (double, model->n_nodes + 1);
  self->flight = g_new0 (double, ifbam_model_n_forces (model) + 1);
  for (guint c = 0; c < ifbam_scheme_n_state_columns (spec->scheme); c++)
    self->column[c] = g_new0 (double, model->n_free + 1);
  return &self->base;
}
