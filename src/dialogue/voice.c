/* voice.c: an element's part in a dialogue: what it has heard, and what it says to that
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/voice.h"

#include <string.h>

#include "element/inner.h"
#include "elements/registry.h"
#include "event/event-forces.h"
#include "event/event-state.h"

static void
voice_clear (IfbamElement *element)
{
  IfbamVoice *voice = g_steal_pointer (&element->voice);

  if (voice == NULL)
    return;
  element->changes = NULL;
  ifbam_known_free (voice->known, element);
  g_free (voice->heard);
  g_free (voice->pulls);
  g_free (voice->said);
  g_free (voice->law);
  g_free (voice->parameters);
  g_free (voice->targets);
  g_free (voice);
}

gboolean
ifbam_element_is_node (const IfbamElement *element)
{
  return element->info->kind <= IFBAM_KIND_GIVEN_NODE;
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
  if (ifbam_element_is_node (sender))
    {
      const IfbamVoice *node = sender->voice;
      const IfbamScheme *scheme = node->cast->spec->scheme;
      IfbamVoice *link = receiver->voice;

      link->hears.position[end] = *node->column[scheme->said_position];
      link->hears.rate[end] = *node->column[scheme->said_rate];
      if (scheme->latency)
        {
          link->hears.earlier_position[end] = *node->column[2];
          link->hears.earlier_rate[end] = *node->column[3];
        }
    }
  else if (sender->voice->single != NULL)
    receiver->voice->pulls[sender->voice->port[end]] =
        (IfbamPull){ sender->voice->says != 0, sender->voice->row[end] * sender->voice->says };
  else if (sender->info->kind == IFBAM_KIND_SOURCE)
    receiver->voice->heard[sender->voice->targets[end].port] = sender->voice->targets[end].says;
  else
    receiver->voice->heard[sender->voice->port[end]] = end >= 2   ? sender->voice->flow[end - 2]
                                                       : end == 1 ? ifbam_voice_far (sender)
                                                                  : sender->voice->says;
}

/* Computing */

void
ifbam_link_answers (IfbamElement *element, gboolean mean)
{
  static const guint32 left = 0, right = 1, states[IFBAM_MAX_STATES] = { 2, 3 };
  IfbamVoice *voice = element->voice;
  IfbamLinkBatch batch = { .parameters = voice->parameters,
                           .left = &left,
                           .right = &right,
                           .position = voice->hears.position,
                           .rate = voice->hears.rate,
                           .earlier_position = voice->hears.earlier_position,
                           .earlier_rate = voice->hears.earlier_rate,
                           .answer = &voice->says,
                           .far = &voice->far };

  for (guint k = 0; k < element->info->link->n_states; k++)
    {
      batch.state[k] = &states[k];
      batch.flow[k] = &voice->flow[k];
    }
  (mean ? voice->kernels->mean : voice->kernels->force) (&batch, 0, 1);
}

void
ifbam_single_answers (IfbamElement *link)
{
  IfbamVoice *voice = link->voice;
  double delta;
  const double rate =
      ifbam_link_hear (voice->single, voice->hears.position, voice->hears.rate, &delta, voice->row);

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
          : ifbam_link_mean (voice->single, voice->mode, &voice->hears, mean, voice->next_row);
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
      ifbam_element_law (source), voice->course, time,
      source->info->potential != NULL ? 1.0 / voice->targets[target].inverse_inertia : 0.0);
  voice->says = target == 0 ? voice->targets[0].says : voice->says + voice->targets[target].says;
  return voice->targets[target].says;
}

double
ifbam_node_feels (const IfbamVoice *voice)
{
  const guint32 *port = voice->model->port + voice->model->port_start[voice->node];
  double sum = IFBAM_SILENCE;

  for (guint p = 0; p < voice->n_ports; p++)
    sum += ifbam_with_sign (voice->heard[p], port[p]);
  for (guint p = 0; p < voice->n_pulls; p++)
    if (voice->pulls[p].acts)
      sum -= voice->pulls[p].force;
  return sum;
}

/* The cast */

void
ifbam_cast_watch (IfbamCast *cast, IfbamElement *element)
{
  if (g_hash_table_contains (cast->watched, element))
    return;
  g_hash_table_insert (cast->watched, g_object_ref (element), ifbam_known_new (element));
  element->changes = &cast->changes;
}

/* What keeps a state of a link goes with it, from dialogue to dialogue (transfer full). */
static IfbamElement *
inner_of (IfbamElement *link, const char *name)
{
  IfbamElement *inner = g_object_get_data (G_OBJECT (link), name);

  if (inner == NULL)
    {
      inner = ifbam_inner_new (name);
      g_object_set_data_full (G_OBJECT (link), name, inner, g_object_unref);
    }
  return g_object_ref (inner);
}

static IfbamElement *
cast_element (IfbamCast *cast, const IfbamSpan *span, gsize member)
{
  IfbamElement *element;
  g_autofree char *name = NULL;
  GType type;

  if (span->letter == NULL)
    return g_object_ref (span->element);
  name = ifbam_span_name (span, member);
  if (span->info == ifbam_inner_info ())
    return inner_of (span->element, name);
  /* A composite's member has no object until somebody wants it to talk. */
  ifbam_cast_watch (cast, span->element);
  ifbam_element_info_by_name (span->info->name, &type);
  element = ifbam_element_new (type, name);
  ifbam_span_law (span, member, ifbam_element_law (element));
  return element;
}

static void
voice_new (IfbamCast *cast, IfbamElement *element, const IfbamModel *model)
{
  voice_clear (element);
  element->voice = g_new0 (IfbamVoice, 1);
  element->voice->model = model;
  element->voice->cast = cast;
  element->voice->known = ifbam_known_new (element);
  element->changes = &cast->changes;
}

static void
add_node (IfbamCast *cast, const IfbamModel *model, gsize node)
{
  gsize member;
  const IfbamSpan *span = ifbam_model_node_span (model, node, &member);
  IfbamElement *element = cast_element (cast, span, member);
  IfbamVoice *voice;

  voice_new (cast, element, model);
  voice = element->voice;
  voice->node = node;
  voice->course = span->letter == NULL ? span->course : NULL;
  voice->n_ports = model->port_start[node + 1] - model->port_start[node];
  voice->heard = g_new0 (double, voice->n_ports + 1);
  for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
    voice->column[c] = &voice->own[c];
  if (node < model->n_free)
    voice->inverse_inertia = element->info->inverse_inertia (ifbam_element_law (element));
  g_ptr_array_add (cast->nodes, element);
}

static void
add_link (IfbamCast *cast, const IfbamModel *model, gsize link)
{
  gsize member, index;
  const IfbamSpan *span = ifbam_model_link_span (model, link, &member);
  IfbamElement *element = cast_element (cast, span, member);
  const IfbamBatch *batch = ifbam_model_batch (model, model->link_slot[link], &index);
  IfbamVoice *voice;

  voice_new (cast, element, model);
  voice = element->voice;
  voice->slot = model->link_slot[link];
  voice->n_ports = 2;
  voice->node_at[0] = batch->left[index];
  voice->node_at[1] = batch->right[index];
  for (guint k = 0; k < batch->law->n_states; k++)
    voice->node_at[voice->n_ports++] = batch->state[k][index];
  voice->kernels = batch->kernels;
  voice->parameters = g_new (const double *, batch->n_numbers);
  for (guint k = 0; k < batch->n_numbers; k++)
    voice->parameters[k] =
        element->info->prepare == NULL || ifbam_element_has_number (element->info, k)
            ? &ifbam_element_law (element)[k]
            : &batch->parameters[k][index];
  g_ptr_array_add (cast->links, element);
  cast->slot_link[voice->slot] = element;
}

static void
add_single (IfbamCast *cast, const IfbamModel *model, guint number)
{
  IfbamLink *link = &cast->own_singles[number];
  IfbamElement *element = g_object_ref (link->element);
  IfbamVoice *voice;

  voice_new (cast, element, model);
  voice = element->voice;
  if (ifbam_element_law_is_made (element->info))
    voice->law = g_memdup2 (link->numbers, element->info->law_size);
  link->numbers = voice->law != NULL ? voice->law : (const void *) ifbam_element_law (element);
  voice->single = link;
  voice->number = number;
  voice->n_ports = link->n_ports;
  for (guint e = 0; e < link->n_ports; e++)
    {
      IfbamVoice *node = ((IfbamElement *) cast->nodes->pdata[link->node[e]])->voice;

      voice->node_at[e] = link->node[e];
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

      for (guint e = 0; e < voice->n_ports; e++)
        voice->port[e] = next[voice->node_at[e]]++;
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
  const IfbamSource *source = ifbam_model_source_of (model, first);
  IfbamElement *element = g_object_ref (source->element);
  IfbamVoice *voice;
  gsize end = first;

  while (end < model->n_sources && model->sources->pdata[end] == source)
    end++;
  voice_new (cast, element, model);
  voice = element->voice;
  voice->slot = model->n_slots + first;
  voice->course = source->course;
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

static void
add_impulse (IfbamCast *cast, const IfbamModel *model, const IfbamImpulse *impulse)
{
  IfbamElement *element = g_object_ref (impulse->element);

  voice_new (cast, element, model);
  element->voice->n_ports = 1;
  element->voice->node_at[0] = impulse->node;
  g_ptr_array_add (cast->impulses, element);
}

/* Whether the ends of a single link stand to each other as they did before. */
static gboolean
keeps_shape (const IfbamElement *element)
{
  static const double point[IFBAM_MAX_SHAPE];
  const IfbamGeometry *geometry = element->voice->single->geometry;
  double before[IFBAM_MAX_SHAPE] = { 0 }, after[IFBAM_MAX_SHAPE] = { 0 };

  if (geometry->shape == NULL)
    return TRUE;
  geometry->shape (element->voice->known->law, point, point, before);
  geometry->shape (ifbam_element_law (element), point, point, after);
  return memcmp (before, after, sizeof before) == 0;
}

/* FALSE where a change of numbers does not act by itself, and nobody here can make it so. */
static gboolean
takes_numbers (IfbamElement *element)
{
  IfbamVoice *voice = element->voice;
  const IfbamElementInfo *info = element->info;

  if (info->form != 0 || info->kind == IFBAM_KIND_GIVEN_NODE || info->prepare != NULL)
    return FALSE;
  if (info->kind == IFBAM_KIND_FREE_NODE)
    voice->inverse_inertia = info->inverse_inertia (ifbam_element_law (element));
  else if (voice->single != NULL)
    {
      if (info->link_law != NULL || !keeps_shape (element))
        return FALSE;
      for (guint k = 0; voice->law != NULL && k * sizeof (double) < info->law_size; k++)
        if (ifbam_element_has_number (info, k))
          ((double *) voice->law)[k] = ifbam_element_law (element)[k];
    }
  else if (voice->kernels != NULL)
    {
      if (info->link->has_modes != NULL && info->link->has_modes (ifbam_element_law (element)))
        return FALSE;
      voice->kernels = &info->link->kernels[info->link->points (ifbam_element_law (element)) - 1];
    }
  return TRUE;
}

static gboolean
is_faulty (IfbamElement *element)
{
  g_autoptr (GArray) issues = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));

  g_array_set_clear_func (issues, (GDestroyNotify) ifbam_issue_clear);
  ifbam_element_check (element, issues);
  return issues->len > 0;
}

/* Returns what is known then; taken becomes TRUE where that has changed. */
static IfbamKnown *
take_change (IfbamElement *element, IfbamKnown *known, gboolean talks, gboolean *taken)
{
  const IfbamChange change = ifbam_known_change (known, element);

  if (change == IFBAM_CHANGE_NONE)
    return known;
  if (!talks || change == IFBAM_CHANGE_OTHERS || is_faulty (element) || !takes_numbers (element))
    {
      g_critical ("\"%s\" can't be changed so in a dialogue, and stays as it was (change it before "
                  "ifbam_network_reset())",
                  element->info->kind == IFBAM_KIND_SETTINGS ? element->info->name : element->name);
      ifbam_known_put_back (known, element);
    }
  else
    *taken = TRUE;
  ifbam_known_free (known, element);
  return ifbam_known_new (element);
}

gboolean
ifbam_cast_take_changes (IfbamCast *cast)
{
  const GPtrArray *all[] = { cast->nodes, cast->links, cast->sources, cast->singles,
                             cast->impulses };
  GHashTableIter watched;
  gpointer element, known;
  gboolean taken = FALSE;

  g_hash_table_iter_init (&watched, cast->watched);
  while (g_hash_table_iter_next (&watched, &element, &known))
    g_hash_table_iter_replace (&watched, take_change (element, known, FALSE, &taken));
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      {
        IfbamElement *talks = all[k]->pdata[i];

        talks->voice->known = take_change (talks, talks->voice->known, TRUE, &taken);
      }
  for (guint i = 0; i < cast->sources->len; i++)
    {
      IfbamVoice *source = ((IfbamElement *) cast->sources->pdata[i])->voice;

      for (guint t = 0; t < source->n_targets; t++)
        source->targets[t].inverse_inertia =
            ((IfbamElement *) cast->nodes->pdata[source->targets[t].node])->voice->inverse_inertia;
    }
  return taken;
}

IfbamCast *
ifbam_cast_new (const IfbamModel *model, const IfbamRunSpec *spec)
{
  IfbamCast *cast = g_new0 (IfbamCast, 1);

  cast->model = model;
  cast->spec = spec;
  cast->numbers = ifbam_numbers_new (model, spec, 1);
  cast->impulses = g_ptr_array_new_with_free_func (g_object_unref);
  cast->nodes = g_ptr_array_new_with_free_func (g_object_unref);
  cast->links = g_ptr_array_new_with_free_func (g_object_unref);
  cast->sources = g_ptr_array_new_with_free_func (g_object_unref);
  cast->singles = g_ptr_array_new_with_free_func (g_object_unref);
  cast->watched = g_hash_table_new (NULL, NULL);
  cast->slot_link = g_new0 (IfbamElement *, model->n_slots + 1);
  cast->source_of = g_new0 (IfbamElement *, model->n_sources + 1);
  for (gsize i = 0; i < model->n_nodes; i++)
    add_node (cast, model, i);
  for (gsize i = 0; i < model->n_links; i++)
    add_link (cast, model, i);
  for (gsize i = 0; i < model->n_sources; i++)
    if (ifbam_model_source_of (model, i)->first == i)
      add_source (cast, model, i);
  number_ports (cast, model);
  cast->own_singles = g_memdup2 (model->singles->data, model->singles->len * sizeof (IfbamLink));
  for (guint i = 0; i < model->singles->len; i++)
    add_single (cast, model, i);
  for (guint i = 0; i < model->impulses->len; i++)
    add_impulse (cast, model, &g_array_index (model->impulses, IfbamImpulse, i));
  return cast;
}

void
ifbam_cast_free (IfbamCast *cast)
{
  GPtrArray *all[] = { cast->nodes, cast->links, cast->sources, cast->singles, cast->impulses };
  GHashTableIter watched;
  gpointer element, known;

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    {
      for (guint i = 0; i < all[k]->len; i++)
        voice_clear (all[k]->pdata[i]);
      g_ptr_array_unref (all[k]);
    }
  g_free (cast->own_singles);
  g_hash_table_iter_init (&watched, cast->watched);
  while (g_hash_table_iter_next (&watched, &element, &known))
    {
      ((IfbamElement *) element)->changes = NULL;
      ifbam_known_free (known, element);
      g_object_unref (element);
    }
  g_hash_table_unref (cast->watched);
  g_free (cast->slot_link);
  g_free (cast->source_of);
  g_clear_pointer (&cast->meetings, g_array_unref);
  if (cast->owns_engine)
    ifbam_engine_free (&cast->engine->base);
  ifbam_numbers_free (cast->numbers);
  g_free (cast);
}
