/* phases.c: masters and slaves: the objects exchange messages and compute, one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/phases.h"

#include "base/ifbam-error.h"
#include "dialogue/object-evaluator.h"
#include "event/event.h"

guint
ifbam_dialogue_turns (const IfbamRunSpec *spec)
{
  return spec->scheme->latency                         ? 1
         : ifbam_scheme_tableau (spec->scheme) != NULL ? 2
                                                       : 2 * spec->scheme->n_stages;
}

/* Which of a source's targets a node is; n_targets: none of them. */
static guint
target_of (const IfbamAgent *source, gsize node)
{
  guint k = 0;

  while (k < source->n_targets && source->targets[k].node != node)
    k++;
  return k;
}

/* At which of its ports a link or source hears a node; n_ports, or n_targets: at none. */
static guint
end_of (const IfbamAgent *link, const IfbamAgent *node, gboolean node_is_left)
{
  const guint side = node_is_left ? 0 : 1;
  guint e = 0;

  if (link->info->kind == IFBAM_KIND_SOURCE)
    return target_of (link, node->node);
  if (ifbam_agent_n_ends (link) == 2)
    return link->node_at[side] == node->node ? side : link->n_ports;
  /* Who stands on one node, or between balls, has no sides. */
  while (e < link->n_ports && link->node_at[e] != node->node)
    e++;
  return e;
}

/* Its part in the dialogue by hand; NULL: there is none. */
static IfbamAgent *
agent_of (const IfbamElement *element)
{
  return element->home == NULL || element->home->dialogue == NULL
             ? NULL
             : ifbam_dialogue_agent (element->home->dialogue, element);
}

/* What stands between two nodes is a link to them, and beside it a node, to which it talks by itself. */
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
      g_critical ("\"%s\" and \"%s\" can't talk before ifbam_network_reset()", from->name,
                  to->name);
      return;
    }
  own = as_link (sender, receiver);
  receiver = as_link (receiver, sender);
  sender = own;
  link = ifbam_agent_is_node (sender) ? receiver : sender;
  node = ifbam_agent_is_node (sender) ? sender : receiver;
  if (!ifbam_agent_is_node (node) || ifbam_agent_is_node (link))
    {
      g_critical ("\"%s\" and \"%s\" can't talk: a node talks to a link or a source", from->name,
                  to->name);
      return;
    }
  end = end_of (link, node, (node == sender) == sender_is_left);
  n = link->info->kind == IFBAM_KIND_SOURCE ? link->n_targets : link->n_ports;
  if (link->dialogue != node->dialogue || end == n)
    {
      g_critical ("\"%s\" does not stand on the %s of \"%s\"", from->name,
                  sender_is_left ? "left" : "right", to->name);
      return;
    }
  if (link->info->kind == IFBAM_KIND_SOURCE && sender != link)
    return;
  if (link->info->kind != IFBAM_KIND_IMPULSE)
    ifbam_agent_speak (sender, receiver, end);
}

/**
 * ifbam_element_master_from_left:
 * @sender: the element that stands on the left
 * @receiver: the element that hears it
 *
 * Master phase: @sender, standing on the left of @receiver, tells what it computed last: a link or a
 * source its force, a node its position and velocity. (Grabysz 1994, section 3.) What keeps others apart
 * or strikes them hears here where they are, and gives its impulses in ifbam_network_settle().
 */
void
ifbam_element_master_from_left (IfbamElement *sender, IfbamElement *receiver)
{
  master (sender, receiver, TRUE);
}

/**
 * ifbam_element_master_from_right:
 * @sender: the element that stands on the right
 * @receiver: the element that hears it
 *
 * Master phase: as ifbam_element_master_from_left(), with @sender on the right of @receiver.
 */
void
ifbam_element_master_from_right (IfbamElement *sender, IfbamElement *receiver)
{
  master (sender, receiver, FALSE);
}

static void
source_answers (IfbamAgent *source, double time)
{
  for (guint k = 0; k < source->n_targets; k++)
    ifbam_source_answers (source, k, time);
}

static void
node_moves (IfbamAgent *agent, guint stage, guint64 step)
{
  const IfbamRunSpec *spec = agent->dialogue->spec;
  double force = ifbam_node_force (agent);

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
    ifbam_given_update (agent->dialogue->numbers, agent->node, stage, step, agent->column);
  if (spec->scheme->latency)
    ifbam_columns_flip (agent->column);
}

/* A change of an element acts from now on, or is refused aloud. */
static void
take_changes (IfbamDialogue *dialogue)
{
  if (ifbam_dialogue_take_changes (dialogue) && dialogue->engine != NULL)
    ifbam_objects_take_changes (dialogue);
}

/* Where something may happen within the cycle. */
static void
slave_among_events (IfbamAgent *agent, guint stage, gboolean links_turn)
{
  const gboolean latency = agent->dialogue->spec->scheme->latency;

  if (agent->info->kind == IFBAM_KIND_IMPULSE)
    return;
  if (ifbam_agent_is_node (agent) && (latency || !links_turn))
    ifbam_objects_node_slave (agent, latency ? 0 : stage);
  else if (!ifbam_agent_is_node (agent) && (latency || links_turn))
    ifbam_objects_link_slave (agent, latency ? 0 : stage);
}

static void slave (IfbamAgent *agent);

/* A link hears its own states and tells them their rates, without being told to. */
static void
states_follow (IfbamAgent *agent)
{
  if (agent->info->kind != IFBAM_KIND_LINK || (agent->single != NULL && agent->single->place > 0))
    return;
  for (guint e = ifbam_agent_n_ends (agent); e < agent->n_ports; e++)
    {
      IfbamAgent *inner = agent->dialogue->nodes->pdata[agent->node_at[e]];

      ifbam_agent_speak (agent, inner, e);
      ifbam_agent_speak (inner, agent, e);
      slave (inner);
    }
}

/* So do a link's further relations compute; a node talks with what ties it, too. */
static void
compute_further (IfbamAgent *agent)
{
  for (guint k = 0; k < agent->n_further; k++)
    {
      IfbamAgent *further = agent->further[k];

      if (ifbam_agent_is_node (agent))
        {
          const guint own = ifbam_agent_n_ends (further) - 1;

          ifbam_agent_speak (further, agent, own);
          ifbam_agent_speak (agent, further, own);
        }
      slave (further);
    }
}

/* Whether somebody else tells it when to compute. */
static gboolean
follows (const IfbamAgent *agent)
{
  return ifbam_agent_is_state_node (agent) || (agent->single != NULL && agent->single->place > 0);
}

static void
slave (IfbamAgent *agent)
{
  const IfbamRunSpec *spec = agent->dialogue->spec;
  const gboolean latency = spec->scheme->latency;
  const guint turns = ifbam_dialogue_turns (spec);
  const guint64 step = agent->turn / turns;
  const guint stage = (guint) (agent->turn % turns) / 2;
  const gboolean links_turn = agent->turn % 2 == 0;

  take_changes (agent->dialogue);
  states_follow (agent);
  compute_further (agent);
  if (agent->dialogue->engine != NULL && step > agent->dialogue->settled)
    {
      g_critical ("\"%s\" has finished its cycle and waits for ifbam_network_settle()",
                  agent->name);
      return;
    }
  if (agent->dialogue->engine != NULL)
    slave_among_events (agent, stage, links_turn);
  else if (ifbam_agent_is_node (agent) && (latency || !links_turn))
    node_moves (agent, latency ? 0 : stage, step);
  else if (agent->info->kind == IFBAM_KIND_SOURCE && (latency || links_turn))
    source_answers (agent, ifbam_engine_source_time (spec, latency ? 0 : stage, (gint64) step));
  else if (agent->info->kind == IFBAM_KIND_LINK && (latency || links_turn))
    ifbam_link_answers (agent, spec->scheme->mean);
  agent->turn++;
}

/**
 * ifbam_element_slave:
 * @element: an element
 *
 * Slave phase: @element computes from what it heard what it will say next. Under a flip-flop scheme
 * (`original`, `averaged`) this is one time step. Under the others links compute in one turn and
 * nodes in the next, and each stage of the scheme takes two turns.
 *
 * Numbers that were set since the last phase (a mass, a stiffness, a restitution) act from now on. What can't
 * (whom an element stands between, where it starts, given motions, lists, courses, shapes, composites, the settings)
 * is refused with a critical warning, and has its old value again: it can be set before ifbam_network_reset().
 *
 * In a network in which something happens at time_events (impacts, frictions, switches, impulses) the
 * elements wait after a cycle for ifbam_network_settle().
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

/* Compression or rate. */
static double
link_delta (const IfbamAgent *link, gboolean of_rate)
{
  const IfbamGeometry *geometry = link->info->link->geometry;
  const double *said = of_rate ? link->hears.rate : link->hears.position;
  double delta, rate, row[IFBAM_MAX_PORTS];

  if (link->single != NULL)
    {
      rate =
          ifbam_link_measure_at (link->single, link->hears.position, link->hears.rate, &delta, row);
      return of_rate ? rate : delta;
    }
  return geometry->scaled ? said[0] - ifbam_geometry_ratio (geometry, link->law) * said[1]
                          : said[0] - said[1];
}

/* All that it gave in the last cycle. */
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
 * @quantity: of a node: its coordinate or rate ("position", "velocity", "angle", "speed"); of a link
 *   or source: "force"; of a link: "compression", "rate"; of one with modes: "mode", "impulse"
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * What an element says at this moment of a dialogue, in SI units. (Under a flip-flop scheme the
 * velocity stands half a step before the position; a run's course has both at the same time.) An impulse
 * is all that an element gave in the cycle that ifbam_network_settle() settled last, in N s, N m s or C.
 *
 * Returns: the number; NaN with @error set when it has no such quantity
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
        return agent->says;
      if (agent->single != NULL && g_str_equal (quantity, "mode"))
        return agent->mode;
      if ((agent->single != NULL || element->info->kind == IFBAM_KIND_IMPULSE)
          && g_str_equal (quantity, "impulse"))
        return impulse_of (agent);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "compression"))
        return link_delta (agent, FALSE);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "rate"))
        return link_delta (agent, TRUE);
    }
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               agent == NULL ? "\"%s\" says nothing before ifbam_network_reset() (%s)"
                             : "\"%s\" has no quantity \"%s\"",
               element->name, quantity);
  return NAN;
}

static void
nodes_speak_to (IfbamDialogue *dialogue, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamAgent *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_agent_speak (dialogue->nodes->pdata[link->node_at[e]], link, e);
    }
}

static void
nodes_speak (IfbamDialogue *dialogue)
{
  nodes_speak_to (dialogue, dialogue->links);
  nodes_speak_to (dialogue, dialogue->unbatched_links);
}

static void
speak_to_nodes (IfbamDialogue *dialogue, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamAgent *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_agent_speak (link, dialogue->nodes->pdata[link->node_at[e]], e);
    }
}

static void
links_speak (IfbamDialogue *dialogue)
{
  speak_to_nodes (dialogue, dialogue->links);
  speak_to_nodes (dialogue, dialogue->unbatched_links);
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *source = dialogue->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        ifbam_agent_speak (source, dialogue->nodes->pdata[source->targets[k].node], k);
    }
}

void
ifbam_dialogue_master (IfbamDialogue *dialogue)
{
  links_speak (dialogue);
  nodes_speak (dialogue);
}

void
ifbam_dialogue_slave (IfbamDialogue *dialogue)
{
  const GPtrArray *all[] = { dialogue->links, dialogue->sources, dialogue->unbatched_links,
                             dialogue->impulses, dialogue->nodes };

  /* Also where nobody speaks: of points alone. */
  take_changes (dialogue);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      if (!follows (all[k]->pdata[i]))
        slave (all[k]->pdata[i]);
}

/* Who has not gone through the cycle; NULL: all have who have something to compute. */
static const IfbamAgent *
find_unfinished (const IfbamDialogue *dialogue, guint64 turns)
{
  const GPtrArray *all[] = { dialogue->links, dialogue->sources, dialogue->unbatched_links,
                             dialogue->nodes };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      {
        const IfbamAgent *agent = all[k]->pdata[i];

        if (agent->turn != turns && !agent->info->fixed)
          return agent;
      }
  return NULL;
}

const char *
ifbam_dialogue_late (const IfbamDialogue *dialogue)
{
  const IfbamAgent *late =
      dialogue->engine == NULL
          ? NULL
          : find_unfinished (dialogue,
                             (dialogue->settled + 1) * ifbam_dialogue_turns (dialogue->spec));

  return late == NULL ? NULL : late->name;
}

char *
ifbam_dialogue_settle (IfbamDialogue *dialogue)
{
  const char *failure;
  double time;

  if (dialogue->engine == NULL)
    return NULL;
  take_changes (dialogue);
  ifbam_objects_settle (dialogue);
  failure = ifbam_objects_failure (dialogue, &time);
  return failure == NULL ? NULL : g_strdup_printf ("at t = %g s: %s", time, failure);
}

/* Links and sources answer to the first words. */
static void
first_answers (IfbamDialogue *dialogue, gboolean mean, double source_time)
{
  for (guint i = 0; i < dialogue->links->len; i++)
    ifbam_link_answers (dialogue->links->pdata[i], mean);
  for (guint i = 0; i < dialogue->sources->len; i++)
    source_answers (dialogue->sources->pdata[i], source_time);
}

static void
begin (IfbamDialogue *dialogue, gboolean before, const double *acceleration)
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
        ifbam_given_begin (dialogue->numbers, i, before, agent->column);
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
      nodes_speak (dialogue);
      return;
    }
  /* One round of messages for the accelerations. */
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
  nodes_speak (dialogue);
  first_answers (dialogue, FALSE, 0.0);
  links_speak (dialogue);
  for (guint i = 0; i < model->n_free; i++)
    {
      const IfbamAgent *agent = dialogue->nodes->pdata[i];

      acceleration[i] = ifbam_node_force (agent) * agent->inverse_inertia;
    }
  if (spec->scheme->latency)
    {
      begin (dialogue, TRUE, acceleration);
      nodes_speak (dialogue);
      first_answers (dialogue, spec->scheme->mean, ifbam_engine_source_time (spec, 0, -1));
    }
  begin (dialogue, FALSE, acceleration);
  nodes_speak (dialogue);
}

void
ifbam_dialogue_rebuild (IfbamDialogue *dialogue, guint64 steps)
{
  const GPtrArray *all[] = { dialogue->nodes, dialogue->links, dialogue->sources };
  const IfbamScheme *scheme = dialogue->spec->scheme;

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      ((IfbamAgent *) all[k]->pdata[i])->turn = steps * ifbam_dialogue_turns (dialogue->spec);
  for (gsize i = 0; i < dialogue->model->n_nodes; i++)
    {
      IfbamAgent *agent = dialogue->nodes->pdata[i];

      if (i < dialogue->model->n_free)
        {
          ifbam_scheme_rebuild (scheme, 1, agent->column, dialogue->spec->step);
          continue;
        }
      if (steps == 0)
        ifbam_given_begin (dialogue->numbers, i, FALSE, agent->column);
      else if (!scheme->latency)
        ifbam_given_update (dialogue->numbers, i, scheme->n_stages - 1, steps - 1, agent->column);
      for (guint c = 0; c < 2 && scheme->latency && steps > 0; c++)
        ifbam_given_message (dialogue->numbers, i, 0, (gint64) steps - c, agent->column[2 * c],
                             agent->column[2 * c + 1]);
    }
  nodes_speak (dialogue);
}
