/* agent.c: an element's part in a dialogue: what it has heard, and what it says to that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/agent.h"

#include <string.h>

#include "event/event.h"

guint
ifbam_voice_n_ends (const IfbamVoice *link)
{
  return link->single != NULL ? link->single->n_ports : link->kernels != NULL ? 2 : link->n_ports;
}

/* Speaking */

double
ifbam_voice_far (const IfbamVoice *link)
{
  return link->info->link->geometry->scaled ? link->far : link->says;
}

/* Which port of a further relation hears what the link hears at an end; n_ports: none. */
static guint
further_end (const IfbamVoice *link, const IfbamVoice *further, guint end)
{
  guint e = 0;

  while (e < further->n_ports && further->node_at[e] != link->node_at[end])
    e++;
  return e;
}

void
ifbam_voice_speak (const IfbamVoice *sender, IfbamVoice *receiver, guint end)
{
  const gboolean from_node = ifbam_voice_is_node (sender);
  const IfbamVoice *link = from_node ? receiver : sender;

  for (guint k = 0; k < link->n_further; k++)
    {
      const guint its_end = further_end (link, link->further[k], end);

      if (its_end < link->further[k]->n_ports)
        ifbam_voice_speak (from_node ? sender : link->further[k],
                           from_node ? link->further[k] : receiver, its_end);
    }
  if (from_node)
    {
      const IfbamScheme *scheme = sender->cast->spec->scheme;

      receiver->hears.position[end] = *sender->column[scheme->message_position];
      receiver->hears.rate[end] = *sender->column[scheme->message_rate];
      if (scheme->latency)
        {
          receiver->hears.earlier_position[end] = *sender->column[2];
          receiver->hears.earlier_rate[end] = *sender->column[3];
        }
    }
  else if (sender->single != NULL && end < sender->single->n_ports)
    receiver->pulls[sender->port[end]] =
        (IfbamPull){ sender->says != 0, sender->row[end] * sender->says };
  else if (sender->single != NULL && sender->single->law->n_states > 0)
    receiver->heard[sender->port[end]] = sender->flow[end - sender->single->n_ports];
  else if (sender->single != NULL)
    return; /* a further relation only hears them */
  else if (sender->info->kind == IFBAM_KIND_SOURCE)
    receiver->heard[sender->targets[end].port] = sender->targets[end].says;
  else
    receiver->heard[sender->port[end]] = end >= 2   ? sender->flow[end - 2]
                                         : end == 1 ? ifbam_voice_far (sender)
                                                    : sender->says;
}

/* Computing */

void
ifbam_link_answers (IfbamVoice *voice, gboolean mean)
{
  static const guint32 left = 0, right = 1, states[IFBAM_MAX_STATES] = { 2, 3 };
  IfbamLinkBatch batch = { .parameters = voice->parameters,
                           .left = &left,
                           .right = &right,
                           .position = voice->hears.position,
                           .rate = voice->hears.rate,
                           .earlier_position = voice->hears.earlier_position,
                           .earlier_rate = voice->hears.earlier_rate,
                           .answer = &voice->says,
                           .far = &voice->far };

  for (guint k = 0; k < voice->info->link->n_states; k++)
    {
      batch.state[k] = &states[k];
      batch.flow[k] = &voice->flow[k];
    }
  (mean ? voice->kernels->mean : voice->kernels->force) (&batch, 0, 1);
}

void
ifbam_single_answers (IfbamVoice *voice)
{
  double delta;
  const double rate = ifbam_link_measure_at (voice->single, voice->hears.position,
                                             voice->hears.rate, &delta, voice->row);

  voice->says =
      voice->single->law->force == NULL
          ? 0
          : ifbam_link_force (voice->single, voice->mode, voice->hears.pressing, delta, rate,
                              voice->hears.position, voice->hears.rate, voice->flow);
}

void
ifbam_single_answers_ahead (IfbamVoice *voice, gboolean mean)
{
  voice->next = voice->single->law->force == NULL
                    ? 0
                    : ifbam_link_mean (voice->single, voice->mode, &voice->hears, mean,
                                       voice->next_row, voice->flow);
}

void
ifbam_single_answers_to_end (IfbamVoice *voice)
{
  voice->next = voice->single->law->force == NULL
                    ? 0
                    : ifbam_link_mean_to_end (voice->single, voice->mode, &voice->hears,
                                              voice->next_row, voice->flow);
}

void
ifbam_single_takes_flight (IfbamVoice *link)
{
  link->says = link->next;
  memcpy (link->row, link->next_row, sizeof link->row);
}

double
ifbam_source_answers (IfbamVoice *voice, guint target, double time)
{
  const IfbamVoice *node = voice->cast->nodes->pdata[voice->targets[target].node];

  voice->targets[target].says = voice->info->value (
      voice->law, voice->course, time, voice->info->potential != NULL ? node->inertia : 0.0);
  voice->says = target == 0 ? voice->targets[0].says : voice->says + voice->targets[target].says;
  return voice->targets[target].says;
}

void
ifbam_node_weigh (IfbamVoice *voice)
{
  voice->inertia = voice->info->inertia (voice->law);
  voice->inverse_inertia =
      voice->inertia > 0 ? 1.0 / voice->inertia : voice->cast->model->inverse_inertia[voice->node];
}

double
ifbam_node_feels (const IfbamVoice *voice)
{
  const IfbamModel *model = voice->cast->model;
  const guint32 *port = model->port + model->port_start[voice->node];
  double sum = IFBAM_NO_FORCE;

  for (guint p = 0; p < voice->n_ports; p++)
    sum += ifbam_with_sign (voice->heard[p], port[p]);
  for (guint p = 0; p < voice->n_pulls; p++)
    if (voice->pulls[p].acts)
      sum -= voice->pulls[p].force;
  return sum;
}

/* The cast */

static IfbamVoice *
voice_new (IfbamCast *cast, GPtrArray *among, const IfbamElementInfo *info,
           const IfbamElement *element, char *name, double *law, double *own_law)
{
  IfbamVoice *voice = g_new0 (IfbamVoice, 1);

  voice->cast = cast;
  voice->info = info;
  voice->element = element;
  voice->name = name;
  voice->law = own_law != NULL ? own_law : law;
  voice->own_law = own_law;
  if (element != NULL && element->id < cast->model->n_places)
    cast->voice_of[element->id] = voice;
  g_ptr_array_add (among, voice);
  return voice;
}

static void
voice_free (gpointer data)
{
  IfbamVoice *voice = data;

  g_free (voice->name);
  g_free (voice->own_law);
  g_free (voice->further);
  g_free (voice->heard);
  g_free (voice->pulls);
  g_free (voice->said);
  g_free (voice->parameters);
  g_free (voice->targets);
  g_free (voice);
}

IfbamVoice *
ifbam_cast_voice (const IfbamCast *cast, const IfbamElement *element)
{
  IfbamVoice *voice = element->id < cast->model->n_places ? cast->voice_of[element->id] : NULL;

  return voice != NULL && voice->element == element ? voice : NULL;
}

static void
add_node (IfbamCast *cast, const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  const gboolean lone = span->letter == NULL;
  double *law = lone ? NULL : g_malloc (span->info->law_size + 1);
  IfbamVoice *voice;

  if (!lone)
    ifbam_span_law (span, member, law);
  voice = voice_new (cast, cast->nodes, span->info, lone ? span->element : NULL,
                     ifbam_span_name (span, member), lone ? span->law : NULL, law);
  voice->node = node;
  voice->course = lone ? span->course : NULL;
  voice->n_ports = model->port_start[node + 1] - model->port_start[node];
  voice->heard = g_new0 (double, voice->n_ports + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    voice->column[c] = &voice->own[c];
  if (node < model->n_free)
    ifbam_node_weigh (voice);
}

static void
add_link (IfbamCast *cast, const IfbamModel *model, gsize link)
{
  gsize member, index;
  const IfbamSpan *span = ifbam_model_link_span (model, link, &member);
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);
  double *law = g_new (double, IFBAM_MAX_LAW);
  IfbamVoice *voice;

  ifbam_model_link_law (model, link, law);
  voice = voice_new (cast, cast->links, span->info, span->letter == NULL ? span->element : NULL,
                     ifbam_span_name (span, member), NULL, law);
  voice->slot = model->link_slot[link];
  voice->n_ports = 2;
  voice->node_at[0] = batch->left[index];
  voice->node_at[1] = batch->right[index];
  for (guint k = 0; k < batch->law->n_states; k++)
    voice->node_at[voice->n_ports++] = batch->state[k][index];
  voice->kernels = batch->kernels;
  voice->parameters = g_new (const double *, batch->n_numbers);
  for (guint k = 0; k < batch->n_numbers; k++)
    voice->parameters[k] = &voice->law[k];
  cast->slot_link[voice->slot] = voice;
}

/* A composite's member is nobody's. */
static const IfbamElement *
own_element (const IfbamElement *element)
{
  return ifbam_element_kind (element) == IFBAM_KIND_COMPOSITE ? NULL : element;
}

static void
add_single (IfbamCast *cast, guint number)
{
  IfbamLink *link = &cast->own_singles[number];
  const IfbamElement *element = own_element (link->element);
  IfbamVoice *first = link->place == 0 ? NULL : cast->voice_of[link->element->id], *voice;

  /* A further relation has the numbers of its link. */
  voice = voice_new (cast, cast->unbatched_links, link->info, first == NULL ? element : NULL,
                     g_strdup (link->name), first == NULL ? NULL : first->law,
                     first == NULL ? g_memdup2 (link->numbers, link->info->law_size) : NULL);
  if (first != NULL)
    {
      first->further = g_renew (IfbamVoice *, first->further, first->n_further + 1);
      first->further[first->n_further++] = voice;
    }
  link->numbers = voice->law;
  voice->single = link;
  voice->number = number;
  voice->n_ports = link->n_ports + link->n_states;
  /* What keeps a state hears nobody else. */
  for (guint e = link->n_ports; e < voice->n_ports; e++)
    voice->node_at[e] = link->node[e];
  for (guint e = 0; e < link->n_ports; e++)
    {
      IfbamVoice *node = cast->nodes->pdata[link->node[e]];

      voice->node_at[e] = link->node[e];
      voice->port[e] = node->n_pulls++;
      node->pulls = g_renew (IfbamPull, node->pulls, node->n_pulls);
      node->pulls[voice->port[e]] = (IfbamPull){ FALSE, 0 };
    }
}

/* Which port of its node each link and source speaks to: the file's order again. */
static void
number_ports (IfbamCast *cast, const IfbamModel *model)
{
  g_autofree guint *next = g_new0 (guint, model->n_nodes + 1);

  for (gsize i = 0; i < model->n_links; i++)
    {
      IfbamVoice *voice = cast->links->pdata[i];

      for (guint e = 0; e < voice->n_ports; e++)
        voice->port[e] = next[voice->node_at[e]]++;
    }
  for (guint i = 0; i < cast->sources->len; i++)
    {
      IfbamVoice *voice = cast->sources->pdata[i];

      for (guint k = 0; k < voice->n_targets; k++)
        voice->targets[k].port = next[voice->targets[k].node]++;
    }
}

/* The source that is number `first` of the model, with all its nodes. */
static void
add_source (IfbamCast *cast, const IfbamModel *model, gsize first)
{
  const IfbamSource *source = ifbam_model_source_of (model, first);
  IfbamVoice *voice = voice_new (cast, cast->sources, source->info, own_element (source->element),
                                 g_strdup (source->name), source->law, NULL);
  gsize end = first;

  while (end < model->n_sources && model->sources->pdata[end] == source)
    end++;
  voice->slot = model->n_slots + first;
  voice->course = source->course;
  voice->n_targets = (guint) (end - first);
  voice->targets = g_malloc0_n (voice->n_targets, sizeof *voice->targets);
  for (guint k = 0; k < voice->n_targets; k++)
    {
      voice->targets[k].node = model->source_node[first + k];
      cast->source_of[first + k] = voice;
    }
}

static void
add_impulse (IfbamCast *cast, const IfbamImpulse *impulse)
{
  IfbamVoice *voice = voice_new (cast, cast->impulses, impulse->element->info, impulse->element,
                                 g_strdup (impulse->element->name), impulse->law, NULL);

  voice->n_ports = impulse->n_nodes;
  for (guint e = 0; e < impulse->n_nodes; e++)
    voice->node_at[e] = impulse->node[e];
}

IfbamCast *
ifbam_cast_new (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamCast *cast = g_new0 (IfbamCast, 1);
  GPtrArray **all[] = { &cast->nodes, &cast->links, &cast->sources, &cast->unbatched_links,
                        &cast->impulses };

  cast->model = model;
  cast->spec = spec;
  cast->numbers = ifbam_parameter_values_new (model, spec, 1);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    *all[k] = g_ptr_array_new_with_free_func (voice_free);
  cast->slot_link = g_new0 (IfbamVoice *, model->n_slots + 1);
  cast->source_of = g_new0 (IfbamVoice *, model->n_sources + 1);
  cast->voice_of = g_new0 (IfbamVoice *, model->n_places + 1);
  cast->own_singles =
      g_memdup2 (model->unbatched_links->data, model->unbatched_links->len * sizeof (IfbamLink));
  for (gsize i = 0; i < model->n_nodes; i++)
    add_node (cast, model, i);
  for (gsize i = 0; i < model->n_links; i++)
    add_link (cast, model, i);
  for (gsize i = 0; i < model->n_sources; i++)
    if (ifbam_model_source_of (model, i)->first == i)
      add_source (cast, model, i);
  number_ports (cast, model);
  for (guint i = 0; i < model->unbatched_links->len; i++)
    add_single (cast, i);
  for (guint i = 0; i < model->impulses->len; i++)
    add_impulse (cast, &g_array_index (model->impulses, IfbamImpulse, i));
  return cast;
}

void
ifbam_cast_free (IfbamCast *cast)
{
  GPtrArray *all[] = { cast->nodes, cast->links, cast->sources, cast->unbatched_links,
                       cast->impulses };

  if (cast->owns_engine)
    ifbam_engine_free (&cast->engine->base);
  g_clear_pointer (&cast->watched, g_array_unref);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    g_ptr_array_unref (all[k]);
  g_free (cast->own_singles);
  g_free (cast->slot_link);
  g_free (cast->source_of);
  g_free (cast->voice_of);
  g_clear_pointer (&cast->meetings, g_array_unref);
  g_clear_pointer (&cast->agreements, g_ptr_array_unref);
  ifbam_parameter_values_free (cast->numbers);
  g_free (cast);
}
