/* phases.c: master and slave phases: elements exchange messages and compute, one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/phases.h"

#include "base/ifbam-error.h"
#include "dialogue/object-evaluator.h"
#include "event/event.h"

guint
ifbam_dialogue_rounds_per_step (const IfbamRunSpec *spec)
{
  return spec->scheme->latency                         ? 1
         : ifbam_scheme_tableau (spec->scheme) != NULL ? 2
                                                       : 2 * spec->scheme->n_stages;
}

/* Returns the index of a node in a source's targets; n_targets: none. */
static guint
target_index (const IfbamAgent *source, gsize node)
{
  guint k = 0;

  while (k < source->n_targets && source->targets[k].node != node)
    k++;
  return k;
}

/* Returns the port of a link, or target of a source, with a node; n_ports or n_targets: none. */
static guint
find_end (const IfbamAgent *link, const IfbamAgent *node, gboolean node_is_left)
{
  const guint side = node_is_left ? 0 : 1;
  guint e = 0;

  if (link->info->kind == IFBAM_KIND_SOURCE)
    return target_index (link, node->node);
  if (ifbam_agent_n_ends (link) == 2)
    return link->node_at[side] == node->node ? side : link->n_ports;
  /* A link on one node, or between balls, has no sides. */
  while (e < link->n_ports && link->node_at[e] != node->node)
    e++;
  return e;
}

/* Returns the agent in the manual dialogue; NULL: none. */
static IfbamAgent *
agent_of (const IfbamElement *element)
{
  return element->context == NULL || element->context->dialogue == NULL
             ? NULL
             : ifbam_dialogue_agent (element->context->dialogue, element);
}

/* Returns a branch's constraint as agent toward its two nodes. */
static IfbamAgent *
as_link (IfbamAgent *agent, const IfbamAgent *other)
{
  return ifbam_agent_is_node (agent) && ifbam_agent_is_node (other) && agent->n_further > 0
             ? agent->further[0]
             : agent;
}

static void
master (IfbamElement *from, IfbamElement *to, gboolean sender_is_left)
{
  const IfbamAgent *link, *node;
  IfbamAgent *sender, *receiver, *own;
  guint end, n;

  g_return_if_fail (IFBAM_IS_ELEMENT (from) && IFBAM_IS_ELEMENT (to));
  sender = agent_of (from);
  receiver = agent_of (to);
  if (sender == NULL || receiver == NULL)
    {
      g_critical ("\"%s\" and \"%s\" can't exchange messages before ifbam_network_reset()",
                  from->name, to->name);
      return;
    }
  own = as_link (sender, receiver);
  receiver = as_link (receiver, sender);
  sender = own;
  link = ifbam_agent_is_node (sender) ? receiver : sender;
  node = ifbam_agent_is_node (sender) ? sender : receiver;
  if (!ifbam_agent_is_node (node) || ifbam_agent_is_node (link))
    {
      g_critical ("\"%s\" and \"%s\" can't exchange messages: a node does with a link or a source",
                  from->name, to->name);
      return;
    }
  end = find_end (link, node, (node == sender) == sender_is_left);
  n = link->info->kind == IFBAM_KIND_SOURCE ? link->n_targets : link->n_ports;
  if (link->dialogue != node->dialogue || end == n)
    {
      g_critical ("\"%s\" is not on the %s of \"%s\"", from->name,
                  sender_is_left ? "left" : "right", to->name);
      return;
    }
  if (link->info->kind == IFBAM_KIND_SOURCE && sender != link)
    return;
  if (link->info->kind != IFBAM_KIND_IMPULSE)
    ifbam_agent_send (sender, receiver, end);
}

/**
 * ifbam_element_master_from_left:
 * @sender: the element on the left
 * @receiver: the element that gets the message
 *
 * Master phase: @sender, on the left of @receiver, sends its last output: a link or source its
 * force, a node its position and velocity (Grabysz 1994, section 3). Impulses of contacts follow in
 * ifbam_network_settle().
 */
void
ifbam_element_master_from_left (IfbamElement *sender, IfbamElement *receiver)
{
  master (sender, receiver, TRUE);
}

/**
 * ifbam_element_master_from_right:
 * @sender: the element on the right
 * @receiver: the element that gets the message
 *
 * Master phase: as ifbam_element_master_from_left(), with @sender on the right of @receiver.
 */
void
ifbam_element_master_from_right (IfbamElement *sender, IfbamElement *receiver)
{
  master (sender, receiver, FALSE);
}

static void
compute_source (IfbamAgent *source, double time)
{
  for (guint k = 0; k < source->n_targets; k++)
    ifbam_agent_compute_source (source, k, time);
}

static void
move_node (IfbamAgent *agent, guint stage, guint64 step)
{
  const IfbamRunSpec *spec = agent->dialogue->spec;
  double force = ifbam_agent_sum_forces (agent);

  if (agent->info->kind == IFBAM_KIND_FREE_NODE)
    {
      IfbamNodeBatch batch = { .inverse_inertia = &agent->inverse_inertia,
                               .port = { &force },
                               .step = spec->step };

      for (guint c = 0; c < spec->scheme->n_columns; c++)
        batch.column[c] = agent->column[c];
      spec->scheme->update[stage][IFBAM_ISA_BASELINE][0](&batch, 0, 1);
    }
  else
    ifbam_given_update (agent->dialogue->parameter_values, agent->node, stage, step, agent->column);
  if (spec->scheme->latency)
    ifbam_columns_flip (agent->column);
}

/* Applies changed parameters, or undoes them with a warning. */
static void
apply_changes (IfbamDialogue *dialogue)
{
  if (ifbam_dialogue_apply_changes (dialogue) && dialogue->engine != NULL)
    ifbam_objects_apply_changes (dialogue);
}

/* Slave phase of a network with events. */
static void
slave_with_events (IfbamAgent *agent, guint stage, gboolean is_link_round)
{
  const gboolean latency = agent->dialogue->spec->scheme->latency;

  if (agent->info->kind == IFBAM_KIND_IMPULSE)
    return;
  if (ifbam_agent_is_node (agent) && (latency || !is_link_round))
    ifbam_objects_node_slave (agent, latency ? 0 : stage);
  else if (!ifbam_agent_is_node (agent) && (latency || is_link_round))
    ifbam_objects_link_slave (agent, latency ? 0 : stage);
}

static void slave (IfbamAgent *agent);

/* Exchanges messages between a link and its state nodes, and computes these. */
static void
update_states (IfbamAgent *agent)
{
  if (agent->info->kind != IFBAM_KIND_LINK
      || (agent->unbatched != NULL && agent->unbatched->place > 0))
    return;
  for (guint e = ifbam_agent_n_ends (agent); e < agent->n_ports; e++)
    {
      IfbamAgent *state_node = agent->dialogue->nodes->pdata[agent->node_at[e]];

      ifbam_agent_send (agent, state_node, e);
      ifbam_agent_send (state_node, agent, e);
      slave (state_node);
    }
}

/* Computes the further constraints of a link, or the constraint of a branch after its messages. */
static void
compute_further_constraints (IfbamAgent *agent)
{
  for (guint k = 0; k < agent->n_further; k++)
    {
      IfbamAgent *further = agent->further[k];

      if (ifbam_agent_is_node (agent))
        {
          const guint own = ifbam_agent_n_ends (further) - 1;

          ifbam_agent_send (further, agent, own);
          ifbam_agent_send (agent, further, own);
        }
      slave (further);
    }
}

/* Returns TRUE if an agent is computed with its link: a state node, a further constraint. */
static gboolean
is_computed_by_link (const IfbamAgent *agent)
{
  return ifbam_agent_is_state_node (agent)
         || (agent->unbatched != NULL && agent->unbatched->place > 0);
}

static void
slave (IfbamAgent *agent)
{
  const IfbamRunSpec *spec = agent->dialogue->spec;
  const gboolean latency = spec->scheme->latency;
  const guint n_rounds = ifbam_dialogue_rounds_per_step (spec);
  const guint64 step = agent->rounds / n_rounds;
  const guint stage = (guint) (agent->rounds % n_rounds) / 2;
  const gboolean is_link_round = agent->rounds % 2 == 0;

  apply_changes (agent->dialogue);
  update_states (agent);
  compute_further_constraints (agent);
  if (agent->dialogue->engine != NULL && step > agent->dialogue->settled_steps)
    {
      g_critical ("\"%s\" has finished its cycle and waits for ifbam_network_settle()",
                  agent->name);
      return;
    }
  if (agent->dialogue->engine != NULL)
    slave_with_events (agent, stage, is_link_round);
  else if (ifbam_agent_is_node (agent) && (latency || !is_link_round))
    move_node (agent, latency ? 0 : stage, step);
  else if (agent->info->kind == IFBAM_KIND_SOURCE && (latency || is_link_round))
    compute_source (agent, ifbam_engine_source_time (spec, latency ? 0 : stage, (gint64) step));
  else if (agent->info->kind == IFBAM_KIND_LINK && (latency || is_link_round))
    ifbam_agent_compute_link (agent, spec->scheme->mean);
  agent->rounds++;
}

/**
 * ifbam_element_slave:
 * @element: an element
 *
 * Slave phase: @element computes its next output from the messages received. A round is a master
 * and a slave phase. With a flip-flop scheme (`original`, `averaged`) a step is one round. With
 * other schemes a stage is two rounds: links compute in the first, nodes in the second.
 *
 * Parameters set since the last phase (a mass, a stiffness, a restitution) act from now on. Other
 * changes (nodes of a link, start, given motions, lists, courses, shapes, composites, settings) are
 * undone with a critical warning: they are possible before ifbam_network_reset().
 * In a network with events elements wait after a step for ifbam_network_settle().
 */
void
ifbam_element_slave (IfbamElement *element)
{
  IfbamAgent *agent;

  g_return_if_fail (IFBAM_IS_ELEMENT (element));
  agent = agent_of (element);
  if (agent == NULL)
    g_critical ("\"%s\" can't compute before ifbam_network_reset()", element->name);
  else
    slave (agent);
}

/* Returns the compression or its rate. */
static double
link_delta (const IfbamAgent *link, gboolean of_rate)
{
  const IfbamGeometry *geometry = link->info->link->geometry;
  const double *values = of_rate ? link->inputs.rate : link->inputs.position;
  double delta, rate, row[IFBAM_MAX_PORTS];

  if (link->unbatched != NULL)
    {
      rate = ifbam_link_measure_at (link->unbatched, link->inputs.position, link->inputs.rate,
                                    &delta, row);
      return of_rate ? rate : delta;
    }
  return geometry->scaled ? values[0] - ifbam_geometry_ratio (geometry, link->law) * values[1]
                          : values[0] - values[1];
}

/* Returns the sum of an element's impulses in the last step [N s]. */
static double
impulse_of (const IfbamAgent *agent)
{
  const GArray *events = ifbam_objects_events (agent->dialogue);
  double sum = 0;

  for (guint i = 0; i < events->len; i++)
    if (g_str_equal (g_array_index (events, IfbamEvent, i).element, agent->name))
      sum += g_array_index (events, IfbamEvent, i).impulse;
  return sum;
}

/**
 * ifbam_element_get_quantity:
 * @element: an element that takes part in a dialogue (see ifbam_network_reset())
 * @quantity: "position", "velocity", "force", "compression", "rate", "mode", "impulse" and such
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * Returns a present value of a dialogue, in SI units. With a flip-flop scheme the velocity is half
 * a step older than the position; a run's samples have both at one time. An impulse is the sum
 * over the last step ended by ifbam_network_settle(), in N s, N m s or C.
 *
 * Returns: the value; NaN with @error set if the element has no such quantity
 */
double
ifbam_element_get_quantity (IfbamElement *element, const char *quantity, GError **error)
{
  const IfbamAgent *agent;

  g_return_val_if_fail (IFBAM_IS_ELEMENT (element) && quantity != NULL, NAN);
  agent = agent_of (element);
  if (agent != NULL && ifbam_agent_is_node (agent))
    {
      const IfbamDomainInfo *words =
          ifbam_domain_info (ifbam_model_node_domain (agent->dialogue->model, agent->node));

      if (g_str_equal (quantity, words->coordinate))
        return *agent->column[0];
      if (g_str_equal (quantity, words->rate))
        return *agent->column[1];
    }
  else if (agent != NULL)
    {
      if (g_str_equal (quantity, "force")
          || g_str_equal (quantity, ifbam_domain_info (element->info->domain)->effort))
        return agent->output;
      if (agent->unbatched != NULL && g_str_equal (quantity, "mode"))
        return agent->mode;
      if ((agent->unbatched != NULL || element->info->kind == IFBAM_KIND_IMPULSE)
          && g_str_equal (quantity, "impulse"))
        return impulse_of (agent);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "compression"))
        return link_delta (agent, FALSE);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "rate"))
        return link_delta (agent, TRUE);
    }
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               agent == NULL ? "\"%s\" has no values before ifbam_network_reset() (%s)"
                             : "\"%s\" has no quantity \"%s\"",
               element->name, quantity);
  return NAN;
}

static void
send_node_values_to (IfbamDialogue *dialogue, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamAgent *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_agent_send (dialogue->nodes->pdata[link->node_at[e]], link, e);
    }
}

static void
send_node_values (IfbamDialogue *dialogue)
{
  send_node_values_to (dialogue, dialogue->links);
  send_node_values_to (dialogue, dialogue->unbatched_links);
}

static void
send_forces_of (IfbamDialogue *dialogue, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamAgent *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_agent_send (link, dialogue->nodes->pdata[link->node_at[e]], e);
    }
}

static void
send_forces (IfbamDialogue *dialogue)
{
  send_forces_of (dialogue, dialogue->links);
  send_forces_of (dialogue, dialogue->unbatched_links);
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        ifbam_agent_send (source, dialogue->nodes->pdata[source->targets[k].node], k);
    }
}

void
ifbam_dialogue_master (IfbamDialogue *dialogue)
{
  send_forces (dialogue);
  send_node_values (dialogue);
}

void
ifbam_dialogue_slave (IfbamDialogue *dialogue)
{
  const GPtrArray *all[] = { dialogue->links, dialogue->sources, dialogue->unbatched_links,
                             dialogue->impulses, dialogue->nodes };

  /* Also without any agent that computes, for example points only. */
  apply_changes (dialogue);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      if (!is_computed_by_link (all[k]->pdata[i]))
        slave (all[k]->pdata[i]);
}

/* Returns an agent with fewer slave phases than `n_rounds`, except constant ones; NULL: none. */
static const IfbamAgent *
find_unfinished (const IfbamDialogue *dialogue, guint64 n_rounds)
{
  const GPtrArray *all[] = { dialogue->links, dialogue->sources, dialogue->unbatched_links,
                             dialogue->nodes };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      {
        const IfbamAgent *agent = all[k]->pdata[i];

        if (agent->rounds != n_rounds && !agent->info->fixed)
          return agent;
      }
  return NULL;
}

const char *
ifbam_dialogue_unfinished (const IfbamDialogue *dialogue)
{
  const IfbamAgent *unfinished =
      dialogue->engine == NULL
          ? NULL
          : find_unfinished (dialogue, (dialogue->settled_steps + 1)
                                           * ifbam_dialogue_rounds_per_step (dialogue->spec));

  return unfinished == NULL ? NULL : unfinished->name;
}

char *
ifbam_dialogue_settle (IfbamDialogue *dialogue)
{
  const char *failure;
  double time;

  if (dialogue->engine == NULL)
    return NULL;
  apply_changes (dialogue);
  ifbam_objects_settle (dialogue);
  failure = ifbam_objects_failure (dialogue, &time);
  return failure == NULL ? NULL : g_strdup_printf ("at t = %g s: %s", time, failure);
}

/* Computes the forces of links and sources at the start. */
static void
compute_first_forces (IfbamDialogue *dialogue, gboolean mean, double source_time)
{
  for (guint i = 0; i < dialogue->links->len; i++)
    ifbam_agent_compute_link (dialogue->links->pdata[i], mean);
  for (guint i = 0; i < dialogue->sources->len; i++)
    compute_source (dialogue->sources->pdata[i], source_time);
}

static void
begin_nodes (IfbamDialogue *dialogue, gboolean before, const double *acceleration)
{
  for (guint i = 0; i < dialogue->nodes->len; i++)
    {
      IfbamAgent *agent = dialogue->nodes->pdata[i];
      const IfbamModel *model = dialogue->model;
      const IfbamRunSpec *spec = dialogue->spec;
      IfbamMotion motion = ifbam_start (model, spec, i);

      if (i < model->n_free)
        ifbam_spec_begin (spec) (before, 1, agent->column, &motion.position, &motion.rate,
                                 &acceleration[i], spec->step);
      else
        ifbam_given_begin (dialogue->parameter_values, i, before, agent->column);
    }
}

void
ifbam_dialogue_start (IfbamDialogue *dialogue)
{
  const IfbamModel *model = dialogue->model;
  const IfbamRunSpec *spec = dialogue->spec;
  g_autofree double *acceleration = g_new0 (double, dialogue->nodes->len + 1);

  if (ifbam_engine_by_events (model, spec))
    {
      ifbam_objects_start (dialogue);
      send_node_values (dialogue);
      return;
    }
  /* A round for the accelerations at the start. */
  for (guint i = 0; i < dialogue->nodes->len; i++)
    {
      IfbamAgent *agent = dialogue->nodes->pdata[i];
      IfbamMotion motion;

      motion = ifbam_start (model, spec, i);
      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        agent->column[c] = &agent->own[c];
      *agent->column[spec->scheme->message_position] = motion.position;
      *agent->column[spec->scheme->message_rate] = motion.rate;
    }
  send_node_values (dialogue);
  compute_first_forces (dialogue, FALSE, 0.0);
  send_forces (dialogue);
  for (guint i = 0; i < model->n_free; i++)
    {
      const IfbamAgent *agent = dialogue->nodes->pdata[i];

      acceleration[i] = ifbam_agent_sum_forces (agent) * agent->inverse_inertia;
    }
  if (spec->scheme->latency)
    {
      begin_nodes (dialogue, TRUE, acceleration);
      send_node_values (dialogue);
      compute_first_forces (dialogue, spec->scheme->mean, ifbam_engine_source_time (spec, 0, -1));
    }
  begin_nodes (dialogue, FALSE, acceleration);
  send_node_values (dialogue);
}

void
ifbam_dialogue_rebuild (IfbamDialogue *dialogue, guint64 steps)
{
  const GPtrArray *all[] = { dialogue->nodes, dialogue->links, dialogue->sources };
  const IfbamScheme *scheme = dialogue->spec->scheme;

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      ((IfbamAgent *) all[k]->pdata[i])->rounds =
          steps * ifbam_dialogue_rounds_per_step (dialogue->spec);
  for (gsize i = 0; i < dialogue->model->n_nodes; i++)
    {
      IfbamAgent *agent = dialogue->nodes->pdata[i];

      if (i < dialogue->model->n_free)
        {
          ifbam_scheme_rebuild (scheme, 1, agent->column, dialogue->spec->step);
          continue;
        }
      if (steps == 0)
        ifbam_given_begin (dialogue->parameter_values, i, FALSE, agent->column);
      else if (!scheme->latency)
        ifbam_given_update (dialogue->parameter_values, i, scheme->n_stages - 1, steps - 1,
                            agent->column);
      for (guint c = 0; c < 2 && scheme->latency && steps > 0; c++)
        ifbam_given_message (dialogue->parameter_values, i, 0, (gint64) steps - c,
                             agent->column[2 * c], agent->column[2 * c + 1]);
    }
  send_node_values (dialogue);
}
