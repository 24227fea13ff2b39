/* dialogue.c: masters and slaves: the objects exchange messages and compute, one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/dialogue.h"

#include "base/ifbam-error.h"
#include "element/inner.h"
#include "dialogue/objects-answer.h"

guint
ifbam_cast_turns (const IfbamRunSpec *spec)
{
  return spec->scheme->latency ? 1 : 2 * spec->scheme->n_stages;
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

/* At which of its ports a link or source hears a node; n_ports, or n_targets: at none. */
static guint
end_of (const IfbamElement *link, const IfbamElement *node, gboolean node_is_left)
{
  const IfbamVoice *voice = link->voice;
  const guint side = node_is_left ? 0 : 1;
  guint e = 0;

  if (link->info->kind == IFBAM_KIND_SOURCE)
    return target_of (voice, node->voice->node);
  if (voice->n_ports == 2 || voice->kernels != NULL)
    return voice->node_at[side] == node->voice->node ? side : voice->n_ports;
  /* Who stands on one node, or between balls, has no sides. */
  while (e < voice->n_ports && voice->node_at[e] != node->voice->node)
    e++;
  return e;
}

static void
master (IfbamElement *sender, IfbamElement *receiver, gboolean sender_is_left)
{
  const IfbamElement *link, *node;
  guint end, n;

  g_return_if_fail (IFBAM_IS_ELEMENT (sender) && IFBAM_IS_ELEMENT (receiver));
  link = ifbam_element_is_node (sender) ? receiver : sender;
  node = ifbam_element_is_node (sender) ? sender : receiver;
  if (sender->voice == NULL || receiver->voice == NULL)
    {
      g_critical ("\"%s\" and \"%s\" can't talk before ifbam_network_reset()", sender->name,
                  receiver->name);
      return;
    }
  if (!ifbam_element_is_node (node) || ifbam_element_is_node (link))
    {
      g_critical ("\"%s\" and \"%s\" can't talk: a node talks to a link or a source", sender->name,
                  receiver->name);
      return;
    }
  end = end_of (link, node, (node == sender) == sender_is_left);
  n = link->info->kind == IFBAM_KIND_SOURCE ? link->voice->n_targets : link->voice->n_ports;
  if (link->voice->model != node->voice->model || end == n)
    {
      g_critical ("\"%s\" does not stand on the %s of \"%s\"", sender->name,
                  sender_is_left ? "left" : "right", receiver->name);
      return;
    }
  if (link->info->kind == IFBAM_KIND_SOURCE && sender != link)
    return;
  if (link->info->kind != IFBAM_KIND_IMPULSE)
    ifbam_voice_speak (sender, receiver, end);
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
source_answers (IfbamElement *element, double time)
{
  for (guint k = 0; k < element->voice->n_targets; k++)
    ifbam_source_answers (element, k, time);
}

static void
node_moves (IfbamElement *element, guint stage, guint64 step)
{
  IfbamVoice *voice = element->voice;
  const IfbamRunSpec *spec = voice->cast->spec;
  double force = ifbam_node_feels (voice);

  if (element->info->kind == IFBAM_KIND_FREE_NODE)
    {
      IfbamNodeBatch batch = { .inverse_inertia = &voice->inverse_inertia,
                               .port = { &force },
                               .step = spec->step };

      for (guint c = 0; c < spec->scheme->n_columns; c++)
        batch.column[c] = voice->column[c];
      spec->scheme->update[stage][IFBAM_ISA_BASELINE][0](&batch, 0, 1);
    }
  else
    ifbam_given_update (voice->cast->numbers, voice->node, stage, step, voice->column);
  if (spec->scheme->latency)
    ifbam_columns_flip (voice->column);
}

/* A change of an element acts from now on, or is refused aloud. */
static void
take_changes (IfbamCast *cast)
{
  if (cast->changes == cast->seen)
    return;
  cast->seen = cast->changes;
  if (ifbam_cast_take_changes (cast) && cast->engine != NULL)
    ifbam_objects_take_changes (cast);
}

/* Where something may happen within the cycle. */
static void
slave_among_events (IfbamElement *element, guint stage, gboolean links_turn)
{
  IfbamVoice *voice = element->voice;
  const gboolean latency = voice->cast->spec->scheme->latency;

  if (element->info->kind == IFBAM_KIND_IMPULSE)
    return;
  if (ifbam_element_is_node (element) && (latency || !links_turn))
    ifbam_objects_node_slave (voice->cast, element, latency ? 0 : stage, voice->turn);
  else if (!ifbam_element_is_node (element) && (latency || links_turn))
    ifbam_objects_link_slave (voice->cast, element, latency ? 0 : stage);
}

/* A link hears its own states and tells them their rates, without being told to. */
static void
states_follow (IfbamElement *element)
{
  const IfbamVoice *voice = element->voice;

  for (guint e = 2; voice->kernels != NULL && e < voice->n_ports; e++)
    {
      IfbamElement *inner = voice->cast->nodes->pdata[voice->node_at[e]];

      ifbam_voice_speak (element, inner, e);
      ifbam_voice_speak (inner, element, e);
      ifbam_element_slave (inner);
    }
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
 * In a network in which something happens at instants (impacts, frictions, switches, impulses) the
 * elements wait after a cycle for ifbam_network_settle().
 */
void
ifbam_element_slave (IfbamElement *element)
{
  IfbamVoice *voice;
  const IfbamRunSpec *spec;
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
  spec = voice->cast->spec;
  turns = ifbam_cast_turns (spec);
  step = voice->turn / turns;
  stage = (guint) (voice->turn % turns) / 2;
  links_turn = voice->turn % 2 == 0;
  take_changes (voice->cast);
  states_follow (element);
  if (voice->cast->engine != NULL && step > voice->cast->settled)
    {
      g_critical ("\"%s\" has finished its cycle and waits for ifbam_network_settle()",
                  element->name);
      return;
    }
  voice->turn++;
  if (voice->cast->engine != NULL)
    {
      slave_among_events (element, stage, links_turn);
      return;
    }
  if (ifbam_element_is_node (element))
    {
      if (spec->scheme->latency || !links_turn)
        node_moves (element, spec->scheme->latency ? 0 : stage, step);
    }
  else if (spec->scheme->latency || links_turn)
    {
      if (element->info->kind == IFBAM_KIND_SOURCE)
        source_answers (element, ifbam_engine_source_time (spec, spec->scheme->latency ? 0 : stage,
                                                           (gint64) step));
      else
        ifbam_link_answers (element, spec->scheme->mean);
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

/* All that it gave in the last cycle. */
static double
impulse_of (const IfbamElement *element)
{
  const GArray *events = ifbam_objects_events (element->voice->cast);
  double sum = 0;

  for (guint i = 0; i < events->len; i++)
    if (g_str_equal (g_array_index (events, IfbamEvent, i).element, element->name))
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
  const IfbamVoice *voice;

  g_return_val_if_fail (IFBAM_IS_ELEMENT (element) && quantity != NULL, NAN);
  voice = element->voice;
  if (voice != NULL && ifbam_element_is_node (element))
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
      if (voice->single != NULL && g_str_equal (quantity, "mode"))
        return voice->mode;
      if ((voice->single != NULL || element->info->kind == IFBAM_KIND_IMPULSE)
          && g_str_equal (quantity, "impulse"))
        return impulse_of (element);
      if (ifbam_element_in_batches (element->info) && g_str_equal (quantity, "compression"))
        return link_delta (element, voice->hears.position);
      if (ifbam_element_in_batches (element->info) && g_str_equal (quantity, "rate"))
        return link_delta (element, voice->hears.rate);
    }
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               voice == NULL ? "\"%s\" says nothing before ifbam_network_reset() (%s)"
                             : "\"%s\" has no quantity \"%s\"",
               element->name, quantity);
  return NAN;
}

static void
nodes_speak_to (IfbamCast *cast, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamElement *link = links->pdata[i];

      for (guint e = 0; e < link->voice->n_ports; e++)
        ifbam_voice_speak (cast->nodes->pdata[link->voice->node_at[e]], link, e);
    }
}

static void
nodes_speak (IfbamCast *cast)
{
  nodes_speak_to (cast, cast->links);
  nodes_speak_to (cast, cast->singles);
}

static void
speak_to_nodes (IfbamCast *cast, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamElement *link = links->pdata[i];

      for (guint e = 0; e < link->voice->n_ports; e++)
        ifbam_voice_speak (link, cast->nodes->pdata[link->voice->node_at[e]], e);
    }
}

static void
links_speak (IfbamCast *cast)
{
  speak_to_nodes (cast, cast->links);
  speak_to_nodes (cast, cast->singles);
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
  const GPtrArray *all[] = { cast->links, cast->sources, cast->singles, cast->impulses,
                             cast->nodes };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      if (!ifbam_element_is_inner (all[k]->pdata[i]))
        ifbam_element_slave (all[k]->pdata[i]);
}

/* Who has not gone through the cycle; NULL: all have who have something to compute. */
static const IfbamElement *
find_late (const IfbamCast *cast, guint64 turns)
{
  const GPtrArray *all[] = { cast->links, cast->sources, cast->singles, cast->nodes };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      {
        const IfbamElement *element = all[k]->pdata[i];

        if (element->voice->turn != turns && !element->info->fixed)
          return element;
      }
  return NULL;
}

const char *
ifbam_cast_late (const IfbamCast *cast)
{
  const IfbamElement *late =
      cast->engine == NULL ? NULL
                           : find_late (cast, (cast->settled + 1) * ifbam_cast_turns (cast->spec));

  return late == NULL ? NULL : late->name;
}

char *
ifbam_cast_settle (IfbamCast *cast)
{
  const char *failure;
  double time;

  if (cast->engine == NULL)
    return NULL;
  take_changes (cast);
  ifbam_objects_settle (cast);
  failure = ifbam_objects_failure (cast, &time);
  return failure == NULL ? NULL : g_strdup_printf ("at t = %g s: %s", time, failure);
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
      const IfbamRunSpec *spec = voice->cast->spec;
      IfbamMotion motion = ifbam_start (model, spec, i);

      if (i < model->n_free)
        ifbam_spec_begin (spec) (before, 1, voice->column, &motion.position, &motion.rate,
                                 &acceleration[i], spec->step);
      else
        ifbam_given_begin (voice->cast->numbers, i, before, voice->column);
    }
}

void
ifbam_cast_start (IfbamCast *cast)
{
  const IfbamModel *model = cast->model;
  const IfbamRunSpec *spec = cast->spec;
  g_autofree double *acceleration = g_new0 (double, cast->nodes->len + 1);

  if (ifbam_model_has_events (model))
    {
      ifbam_objects_start (cast);
      nodes_speak (cast);
      return;
    }
  /* One round of messages for the accelerations. */
  for (guint i = 0; i < cast->nodes->len; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;
      IfbamMotion motion;

      motion = ifbam_start (model, spec, i);
      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        voice->column[c] = &voice->own[c];
      *voice->column[spec->scheme->said_position] = motion.position;
      *voice->column[spec->scheme->said_rate] = motion.rate;
    }
  nodes_speak (cast);
  first_answers (cast, FALSE, 0.0);
  links_speak (cast);
  for (guint i = 0; i < model->n_free; i++)
    {
      const IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;

      acceleration[i] = ifbam_node_feels (voice) * voice->inverse_inertia;
    }
  if (spec->scheme->latency)
    {
      begin (cast, TRUE, acceleration);
      nodes_speak (cast);
      first_answers (cast, spec->scheme->mean, ifbam_engine_source_time (spec, 0, -1));
    }
  begin (cast, FALSE, acceleration);
  nodes_speak (cast);
}

void
ifbam_cast_stand (IfbamCast *cast, guint64 steps)
{
  const GPtrArray *all[] = { cast->nodes, cast->links, cast->sources };
  const IfbamScheme *scheme = cast->spec->scheme;

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      ((IfbamElement *) all[k]->pdata[i])->voice->turn = steps * ifbam_cast_turns (cast->spec);
  for (gsize i = 0; i < cast->model->n_nodes; i++)
    {
      IfbamVoice *voice = ((IfbamElement *) cast->nodes->pdata[i])->voice;

      if (i < cast->model->n_free)
        {
          ifbam_scheme_stand (scheme, 1, voice->column, cast->spec->step);
          continue;
        }
      if (steps == 0)
        ifbam_given_begin (cast->numbers, i, FALSE, voice->column);
      else if (!scheme->latency)
        ifbam_given_update (cast->numbers, i, scheme->n_stages - 1, steps - 1, voice->column);
      for (guint c = 0; c < 2 && scheme->latency && steps > 0; c++)
        ifbam_given_said (cast->numbers, i, 0, (gint64) steps - c, voice->column[2 * c],
                          voice->column[2 * c + 1]);
    }
  nodes_speak (cast);
}
