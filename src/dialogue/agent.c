/* agent.c: agents, the participants of a dialogue: received messages and computed outputs
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/agent.h"

#include <string.h>

#include "event/event.h"

guint
ifbam_agent_n_ends (const IfbamAgent *link)
{
  return link->unbatched != NULL ? link->unbatched->n_ports
         : link->kernels != NULL ? 2
                                 : link->n_ports;
}

/* Messages */

double
ifbam_agent_right_force (const IfbamAgent *link)
{
  return link->info->link->geometry->scaled ? link->far : link->output;
}

/* Returns the port of a further constraint with the node of the link's port; n_ports: none. */
static guint
find_constraint_end (const IfbamAgent *link, const IfbamAgent *further, guint end)
{
  guint e = 0;

  while (e < further->n_ports && further->node_at[e] != link->node_at[end])
    e++;
  return e;
}

void
ifbam_agent_send (const IfbamAgent *sender, IfbamAgent *receiver, guint end)
{
  const gboolean from_node = ifbam_agent_is_node (sender);
  const IfbamAgent *link = from_node ? receiver : sender;

  for (guint k = 0; k < link->n_further; k++)
    {
      const guint constraint_end = find_constraint_end (link, link->further[k], end);

      if (constraint_end < link->further[k]->n_ports)
        ifbam_agent_send (from_node ? sender : link->further[k],
                          from_node ? link->further[k] : receiver, constraint_end);
    }
  if (from_node)
    {
      const IfbamScheme *scheme = sender->dialogue->spec->scheme;

      receiver->inputs.position[end] = *sender->column[scheme->message_position];
      receiver->inputs.rate[end] = *sender->column[scheme->message_rate];
      if (scheme->latency)
        {
          receiver->inputs.earlier_position[end] = *sender->column[2];
          receiver->inputs.earlier_rate[end] = *sender->column[3];
        }
    }
  else if (sender->unbatched != NULL && end < sender->unbatched->n_ports)
    receiver->summands[sender->port[end]] =
        (IfbamSummand){ sender->output != 0, sender->row[end] * sender->output };
  else if (sender->unbatched != NULL && sender->unbatched->law->n_states > 0)
    receiver->received[sender->port[end]] = sender->rates[end - sender->unbatched->n_ports];
  else if (sender->unbatched != NULL)
    return; /* a further constraint reads the states only */
  else if (sender->info->kind == IFBAM_KIND_SOURCE)
    receiver->received[sender->targets[end].port] = sender->targets[end].output;
  else
    receiver->received[sender->port[end]] = end >= 2   ? sender->rates[end - 2]
                                            : end == 1 ? ifbam_agent_right_force (sender)
                                                       : sender->output;
}

/* Outputs */

void
ifbam_agent_compute_link (IfbamAgent *agent, gboolean mean)
{
  static const guint32 left = 0, right = 1, states[IFBAM_MAX_STATES] = { 2, 3 };
  IfbamLinkBatch batch = { .parameters = agent->parameters,
                           .left = &left,
                           .right = &right,
                           .position = agent->inputs.position,
                           .rate = agent->inputs.rate,
                           .earlier_position = agent->inputs.earlier_position,
                           .earlier_rate = agent->inputs.earlier_rate,
                           .output = &agent->output,
                           .far = &agent->far };

  for (guint k = 0; k < agent->info->link->n_states; k++)
    {
      batch.state[k] = &states[k];
      batch.state_rate[k] = &agent->rates[k];
    }
  (mean ? agent->kernels->mean : agent->kernels->force) (&batch, 0, 1);
}

void
ifbam_agent_compute_unbatched (IfbamAgent *agent)
{
  double delta;
  const double rate = ifbam_link_measure_at (agent->unbatched, agent->inputs.position,
                                             agent->inputs.rate, &delta, agent->row);

  agent->output =
      agent->unbatched->law->force == NULL
          ? 0
          : ifbam_link_force (agent->unbatched, agent->mode, agent->inputs.pressing, delta, rate,
                              agent->inputs.position, agent->inputs.rate, agent->rates);
}

void
ifbam_agent_compute_next_cycle (IfbamAgent *agent, gboolean mean)
{
  agent->next_output = agent->unbatched->law->force == NULL
                           ? 0
                           : ifbam_link_mean (agent->unbatched, agent->mode, &agent->inputs, mean,
                                              agent->next_row, agent->rates);
}

void
ifbam_agent_compute_step_mean (IfbamAgent *agent)
{
  agent->next_output = agent->unbatched->law->force == NULL
                           ? 0
                           : ifbam_link_mean_to_end (agent->unbatched, agent->mode, &agent->inputs,
                                                     agent->next_row, agent->rates);
}

void
ifbam_agent_take_next_output (IfbamAgent *link)
{
  link->output = link->next_output;
  memcpy (link->row, link->next_row, sizeof link->row);
}

double
ifbam_agent_compute_source (IfbamAgent *agent, guint target, double time)
{
  const IfbamAgent *node = agent->dialogue->nodes->pdata[agent->targets[target].node];

  agent->targets[target].output = agent->info->value (
      agent->law, agent->course, time, agent->info->potential != NULL ? node->inertia : 0.0);
  agent->output =
      target == 0 ? agent->targets[0].output : agent->output + agent->targets[target].output;
  return agent->targets[target].output;
}

void
ifbam_agent_update_inertia (IfbamAgent *agent)
{
  agent->inertia = agent->info->inertia (agent->law);
  agent->inverse_inertia = agent->inertia > 0
                               ? 1.0 / agent->inertia
                               : agent->dialogue->model->inverse_inertia[agent->node];
}

double
ifbam_agent_sum_forces (const IfbamAgent *agent)
{
  const IfbamModel *model = agent->dialogue->model;
  const guint32 *port = model->port + model->port_start[agent->node];
  double sum = IFBAM_NO_FORCE;

  for (guint p = 0; p < agent->n_ports; p++)
    sum += ifbam_with_sign (agent->received[p], port[p]);
  for (guint p = 0; p < agent->n_summands; p++)
    if (agent->summands[p].is_active)
      sum -= agent->summands[p].force;
  return sum;
}

/* The dialogue */

static IfbamAgent *
agent_new (IfbamDialogue *dialogue, GPtrArray *list, const IfbamElementInfo *info,
           const IfbamElement *element, char *name, double *law, double *own_law)
{
  IfbamAgent *agent = g_new0 (IfbamAgent, 1);

  agent->dialogue = dialogue;
  agent->info = info;
  agent->element = element;
  agent->name = name;
  agent->law = own_law != NULL ? own_law : law;
  agent->own_law = own_law;
  if (element != NULL && element->id < dialogue->model->n_places)
    dialogue->agent_of[element->id] = agent;
  g_ptr_array_add (list, agent);
  return agent;
}

static void
agent_free (gpointer data)
{
  IfbamAgent *agent = data;

  g_free (agent->name);
  g_free (agent->own_law);
  g_free (agent->further);
  g_free (agent->received);
  g_free (agent->summands);
  g_free (agent->values);
  g_free (agent->parameters);
  g_free (agent->targets);
  g_free (agent);
}

IfbamAgent *
ifbam_dialogue_agent (const IfbamDialogue *dialogue, const IfbamElement *element)
{
  IfbamAgent *agent =
      element->id < dialogue->model->n_places ? dialogue->agent_of[element->id] : NULL;

  return agent != NULL && agent->element == element ? agent : NULL;
}

static void
add_node (IfbamDialogue *dialogue, const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  const gboolean is_named = span->letter == NULL;
  double *law = is_named ? NULL : g_malloc (span->info->law_size + 1);
  IfbamAgent *agent;

  if (!is_named)
    ifbam_span_law (span, member, law);
  agent = agent_new (dialogue, dialogue->nodes, span->info, is_named ? span->element : NULL,
                     ifbam_span_name (span, member), is_named ? span->law : NULL, law);
  agent->node = node;
  agent->course = is_named ? span->course : NULL;
  agent->n_ports = model->port_start[node + 1] - model->port_start[node];
  agent->received = g_new0 (double, agent->n_ports + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    agent->column[c] = &agent->own[c];
  if (node < model->n_free)
    ifbam_agent_update_inertia (agent);
}

static void
add_link (IfbamDialogue *dialogue, const IfbamModel *model, gsize link)
{
  gsize member, index;
  const IfbamSpan *span = ifbam_model_link_span (model, link, &member);
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);
  double *law = g_new (double, IFBAM_MAX_LAW);
  IfbamAgent *agent;

  ifbam_model_link_law (model, link, law);
  agent =
      agent_new (dialogue, dialogue->links, span->info, span->letter == NULL ? span->element : NULL,
                 ifbam_span_name (span, member), NULL, law);
  agent->slot = model->link_slot[link];
  agent->n_ports = 2;
  agent->node_at[0] = batch->left[index];
  agent->node_at[1] = batch->right[index];
  for (guint k = 0; k < batch->law->n_states; k++)
    agent->node_at[agent->n_ports++] = batch->state[k][index];
  agent->kernels = batch->kernels;
  agent->parameters = g_new (const double *, batch->n_numbers);
  for (guint k = 0; k < batch->n_numbers; k++)
    agent->parameters[k] = &agent->law[k];
  dialogue->slot_link[agent->slot] = agent;
}

/* Returns NULL for a composite: its members have no element. */
static const IfbamElement *
own_element (const IfbamElement *element)
{
  return ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE ? NULL : element;
}

static void
add_unbatched (IfbamDialogue *dialogue, guint index)
{
  IfbamLink *link = &dialogue->own_unbatched_links[index];
  const IfbamElement *element = own_element (link->element);
  IfbamAgent *first = link->place == 0 ? NULL : dialogue->agent_of[link->element->id], *agent;

  /* A further constraint has the parameters of its link. */
  agent =
      agent_new (dialogue, dialogue->unbatched_links, link->info, first == NULL ? element : NULL,
                 g_strdup (link->name), first == NULL ? NULL : first->law,
                 first == NULL ? g_memdup2 (link->numbers, link->info->law_size) : NULL);
  if (first != NULL)
    {
      first->further = g_renew (IfbamAgent *, first->further, first->n_further + 1);
      first->further[first->n_further++] = agent;
    }
  link->numbers = agent->law;
  agent->unbatched = link;
  agent->index = index;
  agent->n_ports = link->n_ports + link->n_states;
  /* State nodes get forces from this link only, at port 0. */
  for (guint e = link->n_ports; e < agent->n_ports; e++)
    agent->node_at[e] = link->node[e];
  for (guint e = 0; e < link->n_ports; e++)
    {
      IfbamAgent *node = dialogue->nodes->pdata[link->node[e]];

      agent->node_at[e] = link->node[e];
      agent->port[e] = node->n_summands++;
      node->summands = g_renew (IfbamSummand, node->summands, node->n_summands);
      node->summands[agent->port[e]] = (IfbamSummand){ FALSE, 0 };
    }
}

/* Assigns the nodes' ports to links and sources, in the order of the file. */
static void
assign_ports (IfbamDialogue *dialogue, const IfbamModel *model)
{
  g_autofree guint *next = g_new0 (guint, model->n_nodes + 1);

  for (gsize i = 0; i < model->n_links; i++)
    {
      IfbamAgent *agent = dialogue->links->pdata[i];

      for (guint e = 0; e < agent->n_ports; e++)
        agent->port[e] = next[agent->node_at[e]]++;
    }
  for (guint i = 0; i < dialogue->sources->len; i++)
    {
      IfbamAgent *agent = dialogue->sources->pdata[i];

      for (guint k = 0; k < agent->n_targets; k++)
        agent->targets[k].port = next[agent->targets[k].node]++;
    }
}

/* first: index in the model of the source's first node */
static void
add_source (IfbamDialogue *dialogue, const IfbamModel *model, gsize first)
{
  const IfbamSource *source = ifbam_model_source_of (model, first);
  IfbamAgent *agent =
      agent_new (dialogue, dialogue->sources, source->info, own_element (source->element),
                 g_strdup (source->name), source->law, NULL);
  gsize end = first;

  while (end < model->n_sources && model->sources->pdata[end] == source)
    end++;
  agent->slot = model->n_slots + first;
  agent->course = source->course;
  agent->n_targets = (guint) (end - first);
  agent->targets = g_malloc0_n (agent->n_targets, sizeof *agent->targets);
  for (guint k = 0; k < agent->n_targets; k++)
    {
      agent->targets[k].node = model->source_node[first + k];
      dialogue->source_of[first + k] = agent;
    }
}

static void
add_impulse (IfbamDialogue *dialogue, const IfbamImpulse *impulse)
{
  IfbamAgent *agent =
      agent_new (dialogue, dialogue->impulses, impulse->element->info, impulse->element,
                 g_strdup (impulse->element->name), impulse->law, NULL);

  agent->n_ports = impulse->n_nodes;
  for (guint e = 0; e < impulse->n_nodes; e++)
    agent->node_at[e] = impulse->node[e];
}

IfbamDialogue *
ifbam_dialogue_new (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamDialogue *dialogue = g_new0 (IfbamDialogue, 1);
  GPtrArray **all[] = { &dialogue->nodes, &dialogue->links, &dialogue->sources,
                        &dialogue->unbatched_links, &dialogue->impulses };

  dialogue->model = model;
  dialogue->spec = spec;
  dialogue->parameter_values = ifbam_parameter_values_new (model, spec, 1);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    *all[k] = g_ptr_array_new_with_free_func (agent_free);
  dialogue->slot_link = g_new0 (IfbamAgent *, model->n_slots + 1);
  dialogue->source_of = g_new0 (IfbamAgent *, model->n_sources + 1);
  dialogue->agent_of = g_new0 (IfbamAgent *, model->n_places + 1);
  dialogue->own_unbatched_links =
      g_memdup2 (model->unbatched_links->data, model->unbatched_links->len * sizeof (IfbamLink));
  for (gsize i = 0; i < model->n_nodes; i++)
    add_node (dialogue, model, i);
  for (gsize i = 0; i < model->n_links; i++)
    add_link (dialogue, model, i);
  for (gsize i = 0; i < model->n_sources; i++)
    if (ifbam_model_source_of (model, i)->first == i)
      add_source (dialogue, model, i);
  assign_ports (dialogue, model);
  for (guint i = 0; i < model->unbatched_links->len; i++)
    add_unbatched (dialogue, i);
  for (guint i = 0; i < model->impulses->len; i++)
    add_impulse (dialogue, &g_array_index (model->impulses, IfbamImpulse, i));
  return dialogue;
}

void
ifbam_dialogue_free (IfbamDialogue *dialogue)
{
  GPtrArray *all[] = { dialogue->nodes, dialogue->links, dialogue->sources,
                       dialogue->unbatched_links, dialogue->impulses };

  if (dialogue->owns_engine)
    ifbam_engine_free (&dialogue->engine->base);
  g_clear_pointer (&dialogue->watched, g_array_unref);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    g_ptr_array_unref (all[k]);
  g_free (dialogue->own_unbatched_links);
  g_free (dialogue->slot_link);
  g_free (dialogue->source_of);
  g_free (dialogue->agent_of);
  g_clear_pointer (&dialogue->records, g_array_unref);
  g_clear_pointer (&dialogue->eliminations, g_ptr_array_unref);
  ifbam_parameter_values_free (dialogue->parameter_values);
  g_free (dialogue);
}
