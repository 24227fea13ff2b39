/* dialogue.c: masters and slaves: the objects exchange messages and compute, one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/dialogue.h"

#include <string.h>

#include "base/ifbam-error.h"
#include "elements/registry.h"
#include "event/event-forces.h"
#include "event/event-state.h"

void
ifbam_voice_free (IfbamVoice *voice)
{
  if (voice == NULL)
    return;
  g_free (voice->heard);
  g_free (voice->pulls);
  g_free (voice->said);
  g_free (voice->parameters);
  g_free (voice->targets);
  g_free (voice);
}

static gboolean
is_node (const IfbamElement *element)
{
  return element->info->kind <= IFBAM_KIND_GIVEN_NODE;
}

guint
ifbam_cast_turns (const IfbamModel *model)
{
  return model->scheme->latency ? 1 : 2 * model->scheme->n_stages;
}

/* Speaking */

double
ifbam_voice_far (const IfbamElement *link)
{
  return link->info->link->geometry->scaled ? link->voice->far : link->voice->says;
}

void
ifbam_voice_speak (const IfbamElement *sender, IfbamElement *receiver, guint end)
{
  if (is_node (sender))
    {
      const IfbamVoice *node = sender->voice;
      const IfbamScheme *scheme = node->model->scheme;
      IfbamVoice *link = receiver->voice;

      link->ends.position[end] = *node->column[scheme->said_position];
      link->ends.rate[end] = *node->column[scheme->said_rate];
      if (scheme->latency)
        {
          link->ends.earlier_position[end] = *node->column[2];
          link->ends.earlier_rate[end] = *node->column[3];
        }
    }
  else if (sender->voice->single != NULL)
    receiver->voice->pulls[sender->voice->port[end]] =
        (IfbamPull){ sender->voice->says != 0, sender->voice->row[end] * sender->voice->says };
  else if (sender->info->kind == IFBAM_KIND_SOURCE)
    receiver->voice->heard[sender->voice->targets[end].port] = sender->voice->targets[end].says;
  else
    receiver->voice->heard[sender->voice->port[end]] =
        end == 1 ? ifbam_voice_far (sender) : sender->voice->says;
}

/* Which of a source's targets a node is; n_targets: none of them. */
static guint
target_of (const IfbamVoice *source, gsize node)
{
  guint k = 0;

  while (k < source->n_targets && source->targets[k].node != node)
    k++;
  return k;
}

/* end: of the link: 0 where its left node is concerned, 1 for the right. */
static void
master (IfbamElement *sender, IfbamElement *receiver, gboolean sender_is_left)
{
  const IfbamElement *link, *node;
  guint end;

  g_return_if_fail (IFBAM_IS_ELEMENT (sender) && IFBAM_IS_ELEMENT (receiver));
  link = is_node (sender) ? receiver : sender;
  node = is_node (sender) ? sender : receiver;
  end = (node == sender) == sender_is_left ? 0 : 1;
  if (sender->voice == NULL || receiver->voice == NULL)
    {
      g_critical ("\"%s\" and \"%s\" can't talk before ifbam_network_reset()", sender->name,
                  receiver->name);
      return;
    }
  if (!is_node (node) || is_node (link))
    {
      g_critical ("\"%s\" and \"%s\" can't talk: a node talks to a link or a source", sender->name,
                  receiver->name);
      return;
    }
  if (link->info->kind == IFBAM_KIND_SOURCE)
    end = target_of (link->voice, node->voice->node);
  if (link->voice->model != node->voice->model
      || (link->info->kind == IFBAM_KIND_SOURCE ? end == link->voice->n_targets
                                                : link->voice->end[end] != node->voice->node))
    {
      g_critical ("\"%s\" does not stand on the %s of \"%s\"", sender->name,
                  sender_is_left ? "left" : "right", receiver->name);
      return;
    }
  if (link->info->kind != IFBAM_KIND_SOURCE || sender == link)
    ifbam_voice_speak (sender, receiver, end);
}

/**
 * ifbam_element_master_from_left:
 * @sender: the element that stands on the left
 * @receiver: the element that hears it
 *
 * Master phase: @sender, standing on the left of @receiver, tells what it computed last: a link or a
 * source its force, a node its position and velocity. (Grabysz 1994, section 3.)
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

/* Computing */

void
ifbam_link_answers (IfbamElement *element, gboolean mean)
{
  static const guint32 left = 0, right = 1;
  IfbamVoice *voice = element->voice;
  IfbamLinkBatch batch = { .parameters = voice->parameters,
                           .left = &left,
                           .right = &right,
                           .position = voice->ends.position,
                           .rate = voice->ends.rate,
                           .earlier_position = voice->ends.earlier_position,
                           .earlier_rate = voice->ends.earlier_rate,
                           .answer = &voice->says,
                           .far = &voice->far };

  (mean ? voice->kernels->mean : voice->kernels->force) (&batch, 0, 1);
}

void
ifbam_single_answers (IfbamElement *link)
{
  IfbamVoice *voice = link->voice;
  double delta;
  const double rate =
      ifbam_link_hear (voice->single, voice->ends.position, voice->ends.rate, &delta, voice->row);

  voice->says = voice->single->law->force == NULL
                    ? 0
                    : voice->single->law->force (voice->single->numbers, voice->mode, delta, rate);
}

void
ifbam_single_answers_ahead (IfbamElement *link, gboolean mean)
{
  IfbamVoice *voice = link->voice;

  voice->next =
      voice->single->law->force == NULL
          ? 0
          : ifbam_link_mean (voice->single, voice->mode, &voice->ends, mean, voice->next_row);
}

void
ifbam_single_takes_flight (IfbamElement *link)
{
  link->voice->says = link->voice->next;
  memcpy (link->voice->row, link->voice->next_row, sizeof link->voice->row);
}

double
ifbam_source_answers (IfbamElement *source, guint target, double time)
{
  IfbamVoice *voice = source->voice;

  voice->targets[target].says = source->info->value (
      ifbam_element_law (source), source->course, time,
      source->info->potential != NULL ? 1.0 / voice->targets[target].inverse_inertia : 0.0);
  voice->says = target == 0 ? voice->targets[0].says : voice->says + voice->targets[target].says;
  return voice->targets[target].says;
}

static void
source_answers (IfbamElement *element, double time)
{
  for (guint k = 0; k < element->voice->n_targets; k++)
    ifbam_source_answers (element, k, time);
}

double
ifbam_node_feels (const IfbamVoice *voice)
{
  const guint32 *port = voice->model->port + voice->model->port_start[voice->node];
  double sum = -0.0;

  for (guint p = 0; p < voice->n_ports; p++)
    sum += port[p] & 1 ? -voice->heard[p] : voice->heard[p];
  for (guint p = 0; p < voice->n_pulls; p++)
    if (voice->pulls[p].acts)
      sum -= voice->pulls[p].force;
  return sum;
}

static void
node_moves (IfbamElement *element, guint stage, guint64 step)
{
  IfbamVoice *voice = element->voice;
  const IfbamModel *model = voice->model;
  double force = ifbam_node_feels (voice);

  if (element->info->kind == IFBAM_KIND_FREE_NODE)
    {
      IfbamNodeBatch batch = { .inverse_inertia = &voice->inverse_inertia,
                               .port = { &force },
                               .step = model->step };

      for (guint c = 0; c < model->scheme->n_columns; c++)
        batch.column[c] = voice->column[c];
      model->scheme->update[stage][IFBAM_ISA_BASELINE][0](&batch, 0, 1);
    }
  else
    ifbam_given_update (model, voice->node, stage, step, voice->column);
  if (model->scheme->latency)
    ifbam_columns_flip (voice->column);
}

/**
 * ifbam_element_slave:
 * @element: an element
 *
 * Slave phase: @element computes from what it heard what it will say next. Under a flip-flop scheme
 * (`original`, `averaged`) this is one time step. Under the others links compute in one turn and
 * nodes in the next, and each stage of the scheme takes two turns.
 */
void
ifbam_element_slave (IfbamElement *element)
{
  IfbamVoice *voice;
  const IfbamModel *model;
  guint turns, stage;
  guint64 step;
  gboolean links_turn;

  g_return_if_fail (IFBAM_IS_ELEMENT (element));
  voice = element->voice;
  if (voice == NULL)
    {
      g_critical ("\"%s\" can't compute before ifbam_network_reset()", element->name);
      return;
    }
  model = voice->model;
  turns = ifbam_cast_turns (model);
  step = voice->turn / turns;
  stage = (guint) (voice->turn % turns) / 2;
  links_turn = voice->turn % 2 == 0;
  voice->turn++;
  if (is_node (element))
    {
      if (model->scheme->latency || !links_turn)
        node_moves (element, model->scheme->latency ? 0 : stage, step);
    }
  else if (model->scheme->latency || links_turn)
    {
      if (element->info->kind == IFBAM_KIND_SOURCE)
        source_answers (element, ifbam_engine_source_time (
                                     model, model->scheme->latency ? 0 : stage, (gint64) step));
      else
        ifbam_link_answers (element, model->scheme->mean);
    }
}

/* Compression or rate. */
static double
link_delta (const IfbamElement *link, const double said[2])
{
  const IfbamGeometry *geometry = link->info->link->geometry;

  return geometry->scaled
             ? said[0] - ifbam_geometry_ratio (geometry, ifbam_element_law (link)) * said[1]
             : said[0] - said[1];
}

/**
 * ifbam_element_get_quantity:
 * @element: an element that takes part in a dialogue (see ifbam_network_reset())
 * @quantity: of a node: its coordinate or rate ("position", "velocity", "angle", "speed"); of a link
 *   or source: "force"; of a link: "compression", "rate"
 * @error: return location for an error of the domain IFBAM_ERROR
 *
 * What an element says at this moment of a dialogue, in SI units. (Under a flip-flop scheme the
 * velocity stands half a step before the position; a run's course has both at the same time.)
 *
 * Returns: the number; NaN with @error set when it has no such quantity
 */
double
ifbam_element_get_quantity (IfbamElement *element, const char *quantity, GError **error)
{
  const IfbamVoice *voice;

  g_return_val_if_fail (IFBAM_IS_ELEMENT (element) && quantity != NULL, NAN);
  voice = element->voice;
  if (voice != NULL && is_node (element))
    {
      const IfbamDomainInfo *words =
          ifbam_domain_info (ifbam_model_node_domain (voice->model, voice->node));

      if (g_str_equal (quantity, words->coordinate))
        return *voice->column[0];
      if (g_str_equal (quantity, words->rate))
        return *voice->column[1];
    }
  else if (voice != NULL)
    {
      if (g_str_equal (quantity, "force")
          || g_str_equal (quantity, ifbam_domain_info (element->info->domain)->effort))
        return voice->says;
      if (ifbam_element_in_batches (element->info) && g_str_equal (quantity, "compression"))
        return link_delta (element, voice->ends.position);
      if (ifbam_element_in_batches (element->info) && g_str_equal (quantity, "rate"))
        return link_delta (element, voice->ends.rate);
    }
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               voice == NULL ? "\"%s\" says nothing before ifbam_network_reset() (%s)"
                             : "\"%s\" has no quantity \"%s\"",
               element->name, quantity);
  return NAN;
}

/* The cast */

static IfbamElement *
cast_element (const IfbamSpan *span, gsize member)
{
  IfbamElement *element;
  g_autofree char *name = NULL;
  GType type;

  if (span->letter == NULL)
    return g_object_ref (span->element);
  /* A composite's member has no object until somebody wants it to talk. */
  name = ifbam_span_name (span, member);
  ifbam_element_info_by_name (span->info->name, &type);
  element = ifbam_element_new (type, name);
  ifbam_span_law (span, member, ifbam_element_law (element));
  return element;
}

static void
voice_new (IfbamElement *element, const IfbamModel *model)
{
  ifbam_voice_free (element->voice);
  element->voice = g_new0 (IfbamVoice, 1);
  element->voice->model = model;
}

static void
add_node (IfbamCast *cast, const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  IfbamElement *element = cast_element (span, member);
  IfbamVoice *voice;

  voice_new (element, model);
  voice = element->voice;
  voice->node = node;
  voice->n_ports = model->port_start[node + 1] - model->port_start[node];
  voice->heard = g_new0 (double, voice->n_ports + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    voice->column[c] = &voice->own[c];
  if (node < model->n_free)
    voice->inverse_inertia = model->inverse_inertia[node];
  g_ptr_array_add (cast->nodes, element);
}

static void
add_link (IfbamCast *cast, const IfbamModel *model, gsize link)
{
  gsize member, index;
  const IfbamSpan *span = ifbam_model_link_span (model, link, &member);
  IfbamElement *element = cast_element (span, member);
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);
  IfbamVoice *voice;

  voice_new (element, model);
  voice = element->voice;
  voice->slot = model->link_slot[link];
  voice->n_ends = 2;
  voice->end[0] = batch->left[index];
  voice->end[1] = batch->right[index];
  voice->kernels = batch->kernels;
  voice->parameters = g_new (const double *, batch->n_numbers);
  for (guint k = 0; k < batch->n_numbers; k++)
    voice->parameters[k] = &ifbam_element_law (element)[k];
  g_ptr_array_add (cast->links, element);
  cast->slot_link[voice->slot] = element;
}

static void
add_single (IfbamCast *cast, const IfbamModel *model, guint number)
{
  const IfbamLink *link = &g_array_index (model->singles, IfbamLink, number);
  IfbamElement *element = g_object_ref (link->element);
  IfbamVoice *voice;

  voice_new (element, model);
  voice = element->voice;
  voice->single = link;
  voice->number = number;
  voice->n_ends = link->n_ends;
  for (guint e = 0; e < link->n_ends; e++)
    {
      IfbamVoice *node = ((IfbamElement *) cast->nodes->pdata[link->node[e]])->voice;

      voice->end[e] = link->node[e];
      voice->port[e] = node->n_pulls++;
      node->pulls = g_renew (IfbamPull, node->pulls, node->n_pulls);
      node->pulls[voice->port[e]] = (IfbamPull){ FALSE, 0 };
    }
  g_ptr_array_add (cast->singles, element);
}

/* Which port of its node each link and source speaks to: the file's order again. */
static void
number_ports (IfbamCast *cast, const IfbamModel *model)
{
  g_autofree guint *next = g_new0 (guint, model->n_nodes + 1);

  for (gsize i = 0; i < model->n_links; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->links->pdata[i])->voice;

      for (guint e = 0; e < 2; e++)
        voice->port[e] = next[voice->end[e]]++;
    }
  for (guint i = 0; i < cast->sources->len; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->sources->pdata[i])->voice;

      for (guint k = 0; k < voice->n_targets; k++)
        voice->targets[k].port = next[voice->targets[k].node]++;
    }
}

/* The source that is number `first` of the model, with all its nodes. */
static void
add_source (IfbamCast *cast, const IfbamModel *model, gsize first)
{
  IfbamElement *element = g_object_ref (model->sources->pdata[first]);
  IfbamVoice *voice;
  gsize end = first;

  while (end < model->n_sources && model->sources->pdata[end] == element)
    end++;
  voice_new (element, model);
  voice = element->voice;
  voice->slot = model->n_slots + first;
  voice->n_targets = (guint) (end - first);
  voice->targets = g_malloc0_n (voice->n_targets, sizeof *voice->targets);
  for (guint k = 0; k < voice->n_targets; k++)
    {
      const guint32 node = model->source_node[first + k];

      voice->targets[k].node = node;
      voice->targets[k].inverse_inertia =
          ((IfbamElement *) cast->nodes->pdata[node])->voice->inverse_inertia;
      cast->source_of[first + k] = element;
    }
  g_ptr_array_add (cast->sources, element);
}

IfbamCast *
ifbam_cast_new (const IfbamModel *model)
{
  IfbamCast *cast = g_new0 (IfbamCast, 1);

  cast->nodes = g_ptr_array_new_with_free_func (g_object_unref);
  cast->links = g_ptr_array_new_with_free_func (g_object_unref);
  cast->sources = g_ptr_array_new_with_free_func (g_object_unref);
  cast->singles = g_ptr_array_new_with_free_func (g_object_unref);
  cast->slot_link = g_new0 (IfbamElement *, model->n_slots + 1);
  cast->source_of = g_new0 (IfbamElement *, model->n_sources + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    add_node (cast, model, i);
  for (gsize i = 0; i < model->n_links; i++)
    add_link (cast, model, i);
  for (gsize i = 0; i < model->n_sources; i++)
    if (((IfbamElement *) model->sources->pdata[i])->index == i)
      add_source (cast, model, i);
  number_ports (cast, model);
  for (guint i = 0; i < model->singles->len; i++)
    add_single (cast, model, i);
  return cast;
}

void
ifbam_cast_free (IfbamCast *cast)
{
  GPtrArray *all[] = { cast->nodes, cast->links, cast->sources, cast->singles };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    {
      for (guint i = 0; i < all[k]->len; i++)
        g_clear_pointer (&((IfbamElement *) all[k]->pdata[i])->voice, ifbam_voice_free);
      g_ptr_array_unref (all[k]);
    }
  g_free (cast->slot_link);
  g_free (cast->source_of);
  g_free (cast);
}

static void
nodes_speak (IfbamCast *cast)
{
  for (guint i = 0; i < cast->links->len; i++)
    {
      IfbamElement *link = cast->links->pdata[i];

      for (guint e = 0; e < 2; e++)
        ifbam_voice_speak (cast->nodes->pdata[link->voice->end[e]], link, e);
    }
}

static void
links_speak (IfbamCast *cast)
{
  for (guint i = 0; i < cast->links->len; i++)
    {
      IfbamElement *link = cast->links->pdata[i];

      for (guint e = 0; e < 2; e++)
        ifbam_voice_speak (link, cast->nodes->pdata[link->voice->end[e]], e);
    }
  for (guint i = 0; i < cast->sources->len; i++)
    {
      IfbamElement *source = cast->sources->pdata[i];

      for (guint k = 0; k < source->voice->n_targets; k++)
        ifbam_voice_speak (source, cast->nodes->pdata[source->voice->targets[k].node], k);
    }
}

void
ifbam_cast_master (IfbamCast *cast)
{
  links_speak (cast);
  nodes_speak (cast);
}

void
ifbam_cast_slave (IfbamCast *cast)
{
  for (guint i = 0; i < cast->links->len; i++)
    ifbam_element_slave (cast->links->pdata[i]);
  for (guint i = 0; i < cast->sources->len; i++)
    ifbam_element_slave (cast->sources->pdata[i]);
  for (guint i = 0; i < cast->nodes->len; i++)
    ifbam_element_slave (cast->nodes->pdata[i]);
}

/* Links and sources answer to the first words. */
static void
first_answers (IfbamCast *cast, gboolean mean, double source_time)
{
  for (guint i = 0; i < cast->links->len; i++)
    ifbam_link_answers (cast->links->pdata[i], mean);
  for (guint i = 0; i < cast->sources->len; i++)
    source_answers (cast->sources->pdata[i], source_time);
}

static void
begin (IfbamCast *cast, gboolean before, const double *acceleration)
{
  for (guint i = 0; i < cast->nodes->len; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;
      const IfbamModel *model = voice->model;
      IfbamMotion motion = ifbam_model_initial (model, i);

      if (i < model->n_free)
        ifbam_model_begin (model) (before, 1, voice->column, &motion.position, &motion.rate,
                                   &acceleration[i], model->step);
      else
        ifbam_given_begin (model, i, before, voice->column);
    }
}

void
ifbam_cast_start (IfbamCast *cast)
{
  const IfbamModel *model = NULL;
  g_autofree double *acceleration = g_new0 (double, cast->nodes->len + 1);

  /* One round of messages for the accelerations. */
  for (guint i = 0; i < cast->nodes->len; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;
      IfbamMotion motion;

      model = voice->model;
      motion = ifbam_model_initial (model, i);
      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        voice->column[c] = &voice->own[c];
      *voice->column[model->scheme->said_position] = motion.position;
      *voice->column[model->scheme->said_rate] = motion.rate;
    }
  if (model == NULL)
    return;
  nodes_speak (cast);
  first_answers (cast, FALSE, 0.0);
  links_speak (cast);
  for (guint i = 0; i < model->n_free; i++)
    {
      const IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;

      acceleration[i] = ifbam_node_feels (voice) * voice->inverse_inertia;
    }
  if (model->scheme->latency)
    {
      begin (cast, TRUE, acceleration);
      nodes_speak (cast);
      first_answers (cast, model->scheme->mean, ifbam_engine_source_time (model, 0, -1));
    }
  begin (cast, FALSE, acceleration);
  nodes_speak (cast);
}
