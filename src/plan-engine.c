/* plan-engine.c: executes a plan: batches of links, ranges of nodes, cycle by cycle
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <string.h>

#include "engine.h"

/* Nodes whose forces are summed before they are used: the sums stay in the nearest cache. */
#define RANGE 512

typedef struct
{
  IfbamEngine base;
  /* All that changes in a run is this one block: columns (n_nodes each), then answers. */
  double *block;
  double *column[IFBAM_MAX_COLUMNS];
  double *answer[2]; /* what the links and sources say; [1]: next, with latency */
  gsize *moving;     /* given nodes that move (n_moving) */
  gsize n_moving;
  double *acceleration; /* of the start only (n_nodes) */
} PlanEngine;

static gsize
n_answers (const IfbamPlan *plan)
{
  return plan->n_links + plan->n_sources;
}

/* The links of all batches answer to messages in the given columns. */
static void
links_answer (const IfbamPlan *plan, gboolean mean, double *const *column, guint position,
              guint rate, double *answer)
{
  for (guint b = 0; b < plan->batches->len; b++)
    {
      const IfbamBatch *batch = &g_array_index (plan->batches, IfbamBatch, b);
      IfbamLinkBatch arguments = {
        .parameters = (const double *const *) batch->parameters,
        .left = batch->left,
        .right = batch->right,
        .position = column[position],
        .rate = column[rate],
        .earlier_position = mean ? column[2] : NULL,
        .earlier_rate = mean ? column[3] : NULL,
        .answer = answer + batch->first_slot,
      };

      (mean ? batch->kernels->mean : batch->kernels->force) (&arguments, 0, batch->count);
    }
}

static void
sources_answer (const IfbamPlan *plan, double time, double *answer)
{
  for (gsize i = 0; i < plan->n_sources; i++)
    answer[plan->n_links + i] = ifbam_plan_source (plan, i, time);
}

/* Sums of the forces on nodes first <= i < last, in the order of the file. -0.0 is the sum of none:
 * it changes nothing that it is added to. */
static void
gather (const IfbamPlan *plan, const double *answer, gsize first, gsize last, double *force)
{
  for (gsize i = first; i < last; i++)
    {
      double sum = -0.0;

      for (guint32 p = plan->port_start[i]; p < plan->port_start[i + 1]; p++)
        {
          double said = answer[plan->port[p] >> 1];

          sum += plan->port[p] & 1 ? -said : said;
        }
      force[i - first] = sum;
    }
}

static void
nodes_update (PlanEngine *self, guint stage)
{
  const IfbamPlan *plan = self->base.plan;
  double *column[IFBAM_MAX_COLUMNS] = { NULL };
  double force[RANGE];

  for (gsize first = 0; first < plan->n_free; first += RANGE)
    {
      gsize last = MIN (first + RANGE, plan->n_free);

      for (guint c = 0; c < plan->scheme->n_columns; c++)
        column[c] = self->column[c] + first;
      gather (plan, self->answer[0], first, last, force);
      plan->scheme->update (stage, last - first, column, plan->inverse_inertia + first, force,
                            plan->step);
    }
  for (gsize i = 0; i < self->n_moving; i++)
    {
      gsize node = self->moving[i];

      for (guint c = 0; c < plan->scheme->n_columns; c++)
        column[c] = self->column[c] + node;
      ifbam_given_update (plan, node, stage, self->base.steps, column);
    }
}

static void
advance (IfbamEngine *base, guint64 steps)
{
  PlanEngine *self = (PlanEngine *) base;
  const IfbamPlan *plan = base->plan;
  const IfbamScheme *scheme = plan->scheme;

  for (guint64 end = base->steps + steps; base->steps < end; base->steps++)
    for (guint stage = 0; stage < scheme->n_stages; stage++)
      {
        double *answer = self->answer[scheme->latency ? 1 : 0];

        links_answer (plan, scheme->mean, self->column, scheme->said_position, scheme->said_rate,
                      answer);
        sources_answer (plan, ifbam_engine_source_time (plan, stage, (gint64) base->steps), answer);
        if (base->listener != NULL)
          base->listener (base->listener_data, stage, self->column[scheme->said_position],
                          self->column[scheme->said_rate]);
        nodes_update (self, stage);
        if (scheme->latency)
          {
            self->answer[1] = self->answer[0];
            self->answer[0] = answer;
            ifbam_columns_flip (self->column);
          }
      }
}

static void
begin (PlanEngine *self, gboolean before, const double *position, const double *rate)
{
  const IfbamPlan *plan = self->base.plan;
  double *column[IFBAM_MAX_COLUMNS] = { NULL };

  ifbam_plan_begin (plan) (before, plan->n_free, self->column, position, rate, self->acceleration,
                           plan->step);
  for (gsize node = plan->n_free; node < plan->n_nodes; node++)
    {
      for (guint c = 0; c < plan->scheme->n_columns; c++)
        column[c] = self->column[c] + node;
      ifbam_given_begin (plan, node, before, column);
    }
}

static void
start (IfbamEngine *base)
{
  PlanEngine *self = (PlanEngine *) base;
  const IfbamPlan *plan = base->plan;
  g_autofree double *position = g_new (double, plan->n_nodes + 1);
  g_autofree double *rate = g_new (double, plan->n_nodes + 1);
  double *said[2] = { position, rate };

  base->steps = 0;
  for (gsize i = 0; i < plan->n_nodes; i++)
    {
      IfbamMotion motion = ifbam_plan_initial (plan, i);

      position[i] = motion.position;
      rate[i] = motion.rate;
    }
  /* One round of messages for the accelerations. */
  self->acceleration = g_new (double, plan->n_free + 1);
  links_answer (plan, FALSE, said, 0, 1, self->answer[0]);
  sources_answer (plan, 0.0, self->answer[0]);
  gather (plan, self->answer[0], 0, plan->n_free, self->acceleration);
  for (gsize i = 0; i < plan->n_free; i++)
    self->acceleration[i] *= plan->inverse_inertia[i];
  if (plan->scheme->latency)
    {
      begin (self, TRUE, position, rate);
      links_answer (plan, plan->scheme->mean, self->column, 0, 1, self->answer[0]);
      sources_answer (plan, ifbam_engine_source_time (plan, 0, -1), self->answer[0]);
    }
  begin (self, FALSE, position, rate);
  g_clear_pointer (&self->acceleration, g_free);
}

static void
observe (IfbamEngine *base, gsize first, gsize last, double *position, double *rate)
{
  PlanEngine *self = (PlanEngine *) base;
  const IfbamPlan *plan = base->plan;
  gsize last_free = MIN (last, plan->n_free);
  double *column[IFBAM_MAX_COLUMNS] = { NULL };

  if (first < last_free)
    {
      for (guint c = 0; c < plan->scheme->n_columns; c++)
        column[c] = self->column[c] + first;
      plan->scheme->observe (last_free - first, column, position, rate);
    }
  for (gsize i = MAX (first, plan->n_free); i < last; i++)
    {
      IfbamMotion motion = ifbam_plan_given (
          plan, i, (double) (base->steps - ifbam_engine_lookahead (plan)) * plan->step);

      position[i - first] = motion.position;
      rate[i - first] = motion.rate;
    }
}

static void
engine_free (IfbamEngine *base)
{
  PlanEngine *self = (PlanEngine *) base;

  g_free (self->block);
  g_free (self->moving);
  g_free (self);
}

IfbamEngine *
ifbam_plan_engine_new (const IfbamPlan *plan)
{
  PlanEngine *self = g_new0 (PlanEngine, 1);
  const guint n_columns = plan->scheme->n_columns;
  const guint buffers = plan->scheme->latency ? 2 : 1;
  double *place;

  self->base = (IfbamEngine){
    .plan = plan, .start = start, .advance = advance, .observe = observe, .free = engine_free
  };
  self->block = g_new0 (double, n_columns * plan->n_nodes + buffers * n_answers (plan) + 1);
  place = self->block;
  for (guint c = 0; c < n_columns; c++, place += plan->n_nodes)
    self->column[c] = place;
  for (guint b = 0; b < buffers; b++, place += n_answers (plan))
    self->answer[b] = place;
  self->moving = g_new (gsize, plan->n_nodes - plan->n_free + 1);
  for (gsize i = plan->n_free; i < plan->n_nodes; i++)
    {
      gsize member;

      if (!ifbam_plan_node_span (plan, i, &member)->info->fixed)
        self->moving[self->n_moving++] = i;
    }
  return &self->base;
}
