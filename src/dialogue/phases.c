/* phases.c: masters and slaves: the objects exchange messages and compute, one by one
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "dialogue/phases.h"

#include "base/ifbam-error.h"
#include "dialogue/object-evaluator.h"
#include "event/event.h"

guint
ifbam_cast_turns (const IfbamRunSpec *spec)
{
  return spec->scheme->latency                         ? 1
         : ifbam_scheme_tableau (spec->scheme) != NULL ? 2
                                                       : 2 * spec->scheme->n_stages;
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
end_of (const IfbamVoice *link, const IfbamVoice *node, gboolean node_is_left)
{
  const guint side = node_is_left ? 0 : 1;
  guint e = 0;

  if (link->info->kind == IFBAM_KIND_SOURCE)
    return target_of (link, node->node);
  if (ifbam_voice_n_ends (link) == 2)
    return link->node_at[side] == node->node ? side : link->n_ports;
  /* Who stands on one node, or between balls, has no sides. */
  while (e < link->n_ports && link->node_at[e] != node->node)
    e++;
  return e;
}

/* Its part in the dialogue by hand; NULL: there is none. */
static IfbamVoice *
voice_of (const IfbamElement *element)
{
  return element->home == NULL || element->home->cast == NULL
             ? NULL
             : ifbam_cast_voice (element->home->cast, element);
}

/* What stands between two nodes is a link to them, and beside it a node, to which it talks by itself. */
static IfbamVoice *
as_link (IfbamVoice *voice, const IfbamVoice *other)
{
  return ifbam_voice_is_node (voice) && ifbam_voice_is_node (other) && voice->n_further > 0
             ? voice->further[0]
             : voice;
}

static void
master (IfbamElement *from, IfbamElement *to, gboolean sender_is_left)
{
  const IfbamVoice *link, *node;
  IfbamVoice *sender, *receiver, *own;
  guint end, n;

  g_return_if_fail (IFBAM_IS_ELEMENT (from) && IFBAM_IS_ELEMENT (to));
  sender = voice_of (from);
  receiver = voice_of (to);
  if (sender == NULL || receiver == NULL)
    {
      g_critical ("\"%s\" and \"%s\" can't talk before ifbam_network_reset()", from->name,
                  to->name);
      return;
    }
  own = as_link (sender, receiver);
  receiver = as_link (receiver, sender);
  sender = own;
  link = ifbam_voice_is_node (sender) ? receiver : sender;
  node = ifbam_voice_is_node (sender) ? sender : receiver;
  if (!ifbam_voice_is_node (node) || ifbam_voice_is_node (link))
    {
      g_critical ("\"%s\" and \"%s\" can't talk: a node talks to a link or a source", from->name,
                  to->name);
      return;
    }
  end = end_of (link, node, (node == sender) == sender_is_left);
  n = link->info->kind == IFBAM_KIND_SOURCE ? link->n_targets : link->n_ports;
  if (link->cast != node->cast || end == n)
    {
      g_critical ("\"%s\" does not stand on the %s of \"%s\"", from->name,
                  sender_is_left ? "left" : "right", to->name);
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
source_answers (IfbamVoice *source, double time)
{
  for (guint k = 0; k < source->n_targets; k++)
    ifbam_source_answers (source, k, time);
}

static void
node_moves (IfbamVoice *voice, guint stage, guint64 step)
{
  const IfbamRunSpec *spec = voice->cast->spec;
  double force = ifbam_node_feels (voice);

  if (voice->info->kind == IFBAM_KIND_FREE_NODE)
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
  if (ifbam_cast_take_changes (cast) && cast->engine != NULL)
    ifbam_objects_take_changes (cast);
}

/* Where something may happen within the cycle. */
static void
slave_among_events (IfbamVoice *voice, guint stage, gboolean links_turn)
{
  const gboolean latency = voice->cast->spec->scheme->latency;

  if (voice->info->kind == IFBAM_KIND_IMPULSE)
    return;
  if (ifbam_voice_is_node (voice) && (latency || !links_turn))
    ifbam_objects_node_slave (voice, latency ? 0 : stage);
  else if (!ifbam_voice_is_node (voice) && (latency || links_turn))
    ifbam_objects_link_slave (voice, latency ? 0 : stage);
}

static void slave (IfbamVoice *voice);

/* A link hears its own states and tells them their rates, without being told to. */
static void
states_follow (IfbamVoice *voice)
{
  if (voice->info->kind != IFBAM_KIND_LINK || (voice->single != NULL && voice->single->place > 0))
    return;
  for (guint e = ifbam_voice_n_ends (voice); e < voice->n_ports; e++)
    {
      IfbamVoice *inner = voice->cast->nodes->pdata[voice->node_at[e]];

      ifbam_voice_speak (voice, inner, e);
      ifbam_voice_speak (inner, voice, e);
      slave (inner);
    }
}

/* So do a link's further relations compute; a node talks with what ties it, too. */
static void
further_follow (IfbamVoice *voice)
{
  for (guint k = 0; k < voice->n_further; k++)
    {
      IfbamVoice *further = voice->further[k];

      if (ifbam_voice_is_node (voice))
        {
          const guint own = ifbam_voice_n_ends (further) - 1;

          ifbam_voice_speak (further, voice, own);
          ifbam_voice_speak (voice, further, own);
        }
      slave (further);
    }
}

/* Whether somebody else tells it when to compute. */
static gboolean
follows (const IfbamVoice *voice)
{
  return ifbam_voice_is_inner (voice) || (voice->single != NULL && voice->single->place > 0);
}

static void
slave (IfbamVoice *voice)
{
  const IfbamRunSpec *spec = voice->cast->spec;
  const gboolean latency = spec->scheme->latency;
  const guint turns = ifbam_cast_turns (spec);
  const guint64 step = voice->turn / turns;
  const guint stage = (guint) (voice->turn % turns) / 2;
  const gboolean links_turn = voice->turn % 2 == 0;

  take_changes (voice->cast);
  states_follow (voice);
  further_follow (voice);
  if (voice->cast->engine != NULL && step > voice->cast->settled)
    {
      g_critical ("\"%s\" has finished its cycle and waits for ifbam_network_settle()",
                  voice->name);
      return;
    }
  if (voice->cast->engine != NULL)
    slave_among_events (voice, stage, links_turn);
  else if (ifbam_voice_is_node (voice) && (latency || !links_turn))
    node_moves (voice, latency ? 0 : stage, step);
  else if (voice->info->kind == IFBAM_KIND_SOURCE && (latency || links_turn))
    source_answers (voice, ifbam_engine_source_time (spec, latency ? 0 : stage, (gint64) step));
  else if (voice->info->kind == IFBAM_KIND_LINK && (latency || links_turn))
    ifbam_link_answers (voice, spec->scheme->mean);
  voice->turn++;
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
  IfbamVoice *voice;

  g_return_if_fail (IFBAM_IS_ELEMENT (element));
  voice = voice_of (element);
  if (voice == NULL)
    g_critical ("\"%s\" can't compute before ifbam_network_reset()", element->name);
  else
    slave (voice);
}

/* Compression or rate. */
static double
link_delta (const IfbamVoice *link, gboolean of_rate)
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
impulse_of (const IfbamVoice *voice)
{
  const GArray *events = ifbam_objects_events (voice->cast);
  double sum = 0;

  for (guint i = 0; i < events->len; i++)
    if (g_str_equal (g_array_index (events, IfbamEvent, i).element, voice->name))
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
  voice = voice_of (element);
  if (voice != NULL && ifbam_voice_is_node (voice))
    {
      const IfbamDomainInfo *words =
          ifbam_domain_info (ifbam_model_node_domain (voice->cast->model, voice->node));

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
        return impulse_of (voice);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "compression"))
        return link_delta (voice, FALSE);
      if (element->info->kind == IFBAM_KIND_LINK && g_str_equal (quantity, "rate"))
        return link_delta (voice, TRUE);
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
      IfbamVoice *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_voice_speak (cast->nodes->pdata[link->node_at[e]], link, e);
    }
}

static void
nodes_speak (IfbamCast *cast)
{
  nodes_speak_to (cast, cast->links);
  nodes_speak_to (cast, cast->unbatched_links);
}

static void
speak_to_nodes (IfbamCast *cast, const GPtrArray *links)
{
  for (guint i = 0; i < links->len; i++)
    {
      IfbamVoice *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        ifbam_voice_speak (link, cast->nodes->pdata[link->node_at[e]], e);
    }
}

static void
links_speak (IfbamCast *cast)
{
  speak_to_nodes (cast, cast->links);
  speak_to_nodes (cast, cast->unbatched_links);
  for (guint i = 0; i < cast->sources->len; i++)
    {
      IfbamVoice *source = cast->sources->pdata[i];

      for (guint k = 0; k < source->n_targets; k++)
        ifbam_voice_speak (source, cast->nodes->pdata[source->targets[k].node], k);
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
  const GPtrArray *all[] = { cast->links, cast->sources, cast->unbatched_links, cast->impulses,
                             cast->nodes };

  /* Also where nobody speaks: of points alone. */
  take_changes (cast);
  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      if (!follows (all[k]->pdata[i]))
        slave (all[k]->pdata[i]);
}

/* Who has not gone through the cycle; NULL: all have who have something to compute. */
static const IfbamVoice *
find_late (const IfbamCast *cast, guint64 turns)
{
  const GPtrArray *all[] = { cast->links, cast->sources, cast->unbatched_links, cast->nodes };

  for (guint k = 0; k < G_N_ELEMENTS (all); k++)
    for (guint i = 0; i < all[k]->len; i++)
      {
        const IfbamVoice *voice = all[k]->pdata[i];

        if (voice->turn != turns && !voice->info->fixed)
          return voice;
      }
  return NULL;
}

const char *
ifbam_cast_late (const IfbamCast *cast)
{
  const IfbamVoice *late =
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
      IfbamVoice *voice = cast->nodes->pdata[i];
      const IfbamModel *model = cast->model;
      const IfbamRunSpec *spec = cast->spec;
      IfbamMotion motion = ifbam_start (model, spec, i);

      if (i < model->n_free)
        ifbam_spec_begin (spec) (before, 1, voice->column, &motion.position, &motion.rate,
                                 &acceleration[i], spec->step);
      else
        ifbam_given_begin (cast->numbers, i, before, voice->column);
    }
}

void
ifbam_cast_start (IfbamCast *cast)
{
  const IfbamModel *model = cast->model;
  const IfbamRunSpec *spec = cast->spec;
  g_autofree double *acceleration = g_new0 (double, cast->nodes->len + 1);

  if (ifbam_engine_by_events (model, spec))
    {
      ifbam_objects_start (cast);
      nodes_speak (cast);
      return;
    }
  /* One round of messages for the accelerations. */
  for (guint i = 0; i < cast->nodes->len; i++)
    {
      IfbamVoice *voice = cast->nodes->pdata[i];
      IfbamMotion motion;

      motion = ifbam_start (model, spec, i);
      for (guint c = 0; c < IFBAM_MAX_COLUMNS; c++)
        voice->column[c] = &voice->own[c];
      *voice->column[spec->scheme->message_position] = motion.position;
      *voice->column[spec->scheme->message_rate] = motion.rate;
    }
  nodes_speak (cast);
  first_answers (cast, FALSE, 0.0);
  links_speak (cast);
  for (guint i = 0; i < model->n_free; i++)
    {
      const IfbamVoice *voice = cast->nodes->pdata[i];

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
      ((IfbamVoice *) all[k]->pdata[i])->turn = steps * ifbam_cast_turns (cast->spec);
  for (gsize i = 0; i < cast->model->n_nodes; i++)
    {
      IfbamVoice *voice = cast->nodes->pdata[i];

      if (i < cast->model->n_free)
        {
          ifbam_scheme_rebuild (scheme, 1, voice->column, cast->spec->step);
          continue;
        }
      if (steps == 0)
        ifbam_given_begin (cast->numbers, i, FALSE, voice->column);
      else if (!scheme->latency)
        ifbam_given_update (cast->numbers, i, scheme->n_stages - 1, steps - 1, voice->column);
      for (guint c = 0; c < 2 && scheme->latency && steps > 0; c++)
        ifbam_given_message (cast->numbers, i, 0, (gint64) steps - c, voice->column[2 * c],
                             voice->column[2 * c + 1]);
    }
  nodes_speak (cast);
}
