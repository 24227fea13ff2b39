/* dialogue-speech.c: messages and events of a dialogue, in words
 *
 * After Grabysz (1994), section 3: a spring states its force, a mass its new position.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/dialogue-speech.h"

#include <math.h>
#include <string.h>

const IfbamDomainInfo *
ifbam_speech_words (const IfbamDialogue *dialogue, guint32 node)
{
  return ifbam_domain_info (ifbam_model_node_domain (dialogue->model, node));
}

static const char *
name_of (const IfbamDialogue *dialogue, guint32 node)
{
  return ((const IfbamAgent *) dialogue->nodes->pdata[node])->name;
}

/* Returns the separator in front of an entry of a list: "b, c and d". */
static const char *
before_name (guint number, guint n)
{
  return number == 0 ? "" : number + 1 < n ? ", " : " and ";
}

/* Returns the ball or body of which a node is a coordinate, or NULL. */
static const IfbamElement *
body_of (const IfbamDialogue *dialogue, guint32 node)
{
  gsize member;
  const IfbamElement *element = ifbam_model_node_span (dialogue->model, node, &member)->element;
  const guint form = element->info->form;

  return form == IFBAM_FORM_BALL || form == IFBAM_FORM_BODY ? element : NULL;
}

/* Returns the name at a link's endpoint: a body with several coordinates there, or the node. */
static const char *
end_name (const IfbamDialogue *dialogue, const IfbamAgent *agent, guint end)
{
  const IfbamElement *body = body_of (dialogue, agent->node_at[end]);

  for (guint e = 0; body != NULL && e < ifbam_agent_n_ends (agent); e++)
    if (e != end && body_of (dialogue, agent->node_at[e]) == body)
      return body->name;
  return name_of (dialogue, agent->node_at[end]);
}

static void
add_names (GString *text, const IfbamDialogue *dialogue, const IfbamAgent *agent)
{
  const guint n = ifbam_agent_n_ends (agent); /* the others are its state nodes */
  const char *names[IFBAM_MAX_PORTS];
  guint n_names = 0;

  for (guint e = 0; e < n; e++)
    {
      const char *name = end_name (dialogue, agent, e);
      guint k = 0;

      while (k < n_names && !g_str_equal (names[k], name))
        k++;
      names[k] = name;
      n_names = MAX (n_names, k + 1);
    }
  for (guint k = 0; k < n_names; k++)
    g_string_append_printf (text, "%s%s", before_name (k, n_names), names[k]);
}

/* Appends the internal states of a link. */
static void
add_states (GString *text, const IfbamAgent *link, const IfbamDialogue *dialogue)
{
  const IfbamLaw *law = link->info->link;

  for (guint k = 0; k < law->n_states; k++)
    {
      const IfbamAgent *inner =
          dialogue->nodes->pdata[link->node_at[ifbam_agent_n_ends (link) + k]];
      g_autofree char *unit = ifbam_domain_unit (link->info->domain, law->states[k].unit);

      g_string_append_printf (
          text, " My own %s is %.9g %s, and changes by %.9g %s/s.", law->states[k].name,
          *inner->column[dialogue->spec->scheme->message_rate], unit, link->rates[k], unit);
    }
}

/* Appends the forces on both nodes of a link. */
static void
add_shares (GString *text, const IfbamDialogue *dialogue, const IfbamAgent *agent, double left,
            double right)
{
  const IfbamDomainInfo *words = ifbam_speech_words (dialogue, agent->node_at[0]);

  g_string_append_printf (text, ": %.9g %s on you, %s, and %.9g %s on you, %s", left,
                          words->effort_unit, name_of (dialogue, agent->node_at[0]), right,
                          words->effort_unit, name_of (dialogue, agent->node_at[1]));
}

void
ifbam_speech_of_link (GString *text, const IfbamAgent *link, const IfbamDialogue *dialogue)
{
  const IfbamDomainInfo *words = ifbam_speech_words (dialogue, link->node_at[0]);

  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, dialogue, link);
  g_string_append_printf (text, ": \"I act with the %s F = %.9g %s", words->effort,
                          link->output + 0.0, words->effort_unit); /* avoids -0 */
  add_shares (text, dialogue, link, 0 - link->output, ifbam_agent_right_force (link) + 0.0);
  g_string_append_c (text, '.');
  add_states (text, link, dialogue);
  g_string_append (text, "\"\n");
}

void
ifbam_speech_of_source (GString *text, const IfbamAgent *source, const IfbamDialogue *dialogue)
{
  for (guint k = 0; k < source->n_targets; k++)
    {
      const guint32 node = source->targets[k].node;
      const IfbamDomainInfo *words = ifbam_speech_words (dialogue, node);

      g_string_append_printf (text, "  %s to %s: \"I act on you with the %s F = %.9g %s.\"\n",
                              source->name, name_of (dialogue, node), words->effort,
                              source->targets[k].output + 0.0, words->effort_unit);
    }
}

/* TRUE if a link can change its mode. */
static gboolean
has_modes (const IfbamLink *link)
{
  IfbamGuard guards[IFBAM_MAX_GUARDS];

  return (link->law->constraint != NULL
          && link->law->constraint (link->numbers, 0).kind != IFBAM_CONSTRAINT_NONE)
         || link->law->toggle != NULL
         || (link->law->guards != NULL && link->law->guards (link->numbers, 0, guards) > 0);
}

/* Appends a geometry's phrase with the names of its endpoints. */
static void
add_phrase (GString *text, const IfbamAgent *link, const char *phrase)
{
  static const char *const ends[] = { "my left one", "my right end" };
  char *const *names = ifbam_link_end_names (link->unbatched);
  const gsize start = text->len;

  g_string_append (text, phrase);
  for (guint e = 0; names != NULL && names[0] != NULL && e < G_N_ELEMENTS (ends); e++)
    {
      const char *place = strstr (text->str + start, ends[e]);

      if (place == NULL)
        continue;
      g_string_insert (text, place - text->str, names[e]);
      g_string_erase (text, strstr (text->str + start, ends[e]) - text->str,
                      (gssize) strlen (ends[e]));
    }
}

/* Returns the quantity that a bilateral constraint keeps constant, or NULL. */
static const char *
kept_by (const IfbamAgent *agent)
{
  const IfbamLink *link = agent->unbatched;

  return ifbam_link_is_fixed (link) ? link->geometry->constraint_text : NULL;
}

/* Appends the force of an unbatched link, with its forces on two nodes or its effect. */
static void
add_force (GString *text, const IfbamDialogue *dialogue, const IfbamAgent *agent, double force)
{
  const IfbamDomainInfo *words = ifbam_speech_words (dialogue, agent->node_at[0]);

  g_string_append_printf (text, "the %s F = %.9g %s", words->effort, force + 0.0,
                          words->effort_unit);
  if (agent->unbatched->geometry->straight && ifbam_agent_n_ends (agent) == 2)
    add_shares (text, dialogue, agent, 0 - force, force + 0.0);
  else if (agent->unbatched->geometry->positive_text != NULL && force != 0)
    {
      g_string_append (text, ": ");
      add_phrase (text, agent,
                  force > 0 ? agent->unbatched->geometry->positive_text
                            : agent->unbatched->geometry->negative_text);
    }
}

void
ifbam_speech_of_unbatched (GString *text, const IfbamAgent *link, const IfbamDialogue *dialogue)
{
  double reaction;

  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, dialogue, link);
  g_string_append (text, ": \"");
  if (kept_by (link) != NULL)
    {
      g_string_append (text, "I keep ");
      add_phrase (text, link, kept_by (link));
      g_string_append (text, ", with what it takes.\"\n");
      return;
    }
  if (link->unbatched->law->modes != NULL)
    g_string_append_printf (text, "My mode is %s; ", link->unbatched->law->modes[link->mode]);
  else if (has_modes (link->unbatched))
    g_string_append_printf (text, "My mode is %d; ", link->mode);
  if (ifbam_objects_reaction (link, &reaction))
    g_string_append (text, "I act with what it takes.");
  else if (link->output == 0)
    g_string_append (text, "I do not act.");
  else
    {
      g_string_append (text, "I act with ");
      add_force (text, dialogue, link, link->output);
      g_string_append (text, ".");
    }
  if (link->unbatched->law->n_states > 0)
    add_states (text, link, dialogue);
  g_string_append (text, "\"\n");
}

gboolean
ifbam_speech_of_reaction (GString *text, const IfbamAgent *link, const IfbamDialogue *dialogue)
{
  double reaction;

  if (!ifbam_objects_reaction (link, &reaction))
    return FALSE;
  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, dialogue, link);
  g_string_append (text, ": \"It takes ");
  add_force (text, dialogue, link, reaction);
  g_string_append (text, ".\"\n");
  return TRUE;
}

static void
find_listeners (GPtrArray *listeners, const GPtrArray *links, gsize node)
{
  for (guint i = 0; i < links->len; i++)
    {
      const IfbamAgent *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node_at[e] == node)
          g_ptr_array_add (listeners, link->name);
    }
}

static void
add_listeners (GString *text, const IfbamDialogue *dialogue, gsize node)
{
  g_autoptr (GPtrArray) listeners = g_ptr_array_new ();

  find_listeners (listeners, dialogue->links, node);
  find_listeners (listeners, dialogue->unbatched_links, node);
  for (guint i = 0; i < listeners->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? " to " : before_name (i, listeners->len),
                            (const char *) listeners->pdata[i]);
}

/* Symbols of a coordinate and its rate; in the plane those of their axis. */
typedef struct
{
  const char *coordinate, *rate;
} Symbols;

static Symbols
symbols_of (const IfbamAgent *node)
{
  if (node->element == NULL && g_str_has_suffix (node->name, ".x"))
    return (Symbols){ "x", "vx" };
  if (node->element == NULL && g_str_has_suffix (node->name, ".y"))
    return (Symbols){ "y", "vy" };
  return (Symbols){ "x", "v" };
}

/* Appends the start, and the message's values if they differ from it. */
static void
node_starts (GString *text, const IfbamAgent *node, const IfbamScheme *scheme)
{
  const IfbamDomainInfo *words = ifbam_speech_words (node->dialogue, (guint32) node->node);
  const IfbamMotion start = ifbam_start (node->dialogue->model, node->dialogue->spec, node->node);
  const double position = *node->column[scheme->message_position];
  const double rate = *node->column[scheme->message_rate];
  const Symbols symbols = symbols_of (node);

  g_string_append_printf (text, "I start at the %s %s = %.9g %s, with the %s %s = %.9g %s.",
                          words->coordinate, symbols.coordinate, start.position,
                          words->coordinate_unit, words->rate, symbols.rate, start.rate,
                          words->rate_unit);
  if (position != start.position)
    g_string_append_printf (text, " Answer to where the step takes me: %s = %.9g %s, %s = %.9g %s.",
                            symbols.coordinate, position, words->coordinate_unit, symbols.rate,
                            rate, words->rate_unit);
  else if (rate != start.rate)
    g_string_append_printf (text, " My %s half a step ago was %s = %.9g %s.", words->rate,
                            symbols.rate, rate, words->rate_unit);
}

void
ifbam_speech_of_node (GString *text, const IfbamAgent *node, const IfbamDialogue *dialogue,
                      guint64 turn)
{
  const IfbamScheme *scheme = dialogue->spec->scheme;
  const IfbamDomainInfo *words = ifbam_speech_words (dialogue, (guint32) node->node);
  const double position = *node->column[scheme->message_position];
  const double rate = *node->column[scheme->message_rate];
  const Symbols symbols = symbols_of (node);
  const gboolean given = node->info->kind == IFBAM_KIND_GIVEN_NODE;

  g_string_append_printf (text, "  %s", node->name);
  add_listeners (text, dialogue, node->node);
  g_string_append (text, ": \"");
  if (node->info->fixed)
    g_string_append_printf (text, "I stand at the %s %s = %.9g %s.", words->coordinate,
                            symbols.coordinate, position, words->coordinate_unit);
  else if (turn == 0)
    node_starts (text, node, scheme);
  else if (given)
    g_string_append_printf (
        text, "As prescribed, I have shifted myself to the %s %s = %.9g %s; my %s is %s = %.9g %s.",
        words->coordinate, symbols.coordinate, position, words->coordinate_unit, words->rate,
        symbols.rate, rate, words->rate_unit);
  else if (turn % ifbam_dialogue_rounds_per_step (dialogue->spec) > 0)
    g_string_append_printf (text, "I try the %s %s = %.9g %s, with the %s %s = %.9g %s.",
                            words->coordinate, symbols.coordinate, position, words->coordinate_unit,
                            words->rate, symbols.rate, rate, words->rate_unit);
  else
    {
      g_string_append_printf (
          text,
          "As a result of the %ss I have shifted myself to the %s %s = %.9g %s; "
          "my %s is %s = %.9g %s.",
          words->effort, words->coordinate, symbols.coordinate, *node->column[0],
          words->coordinate_unit, words->rate, symbols.rate, *node->column[1], words->rate_unit);
      if (scheme->stage_time[0] > 0 && ifbam_scheme_tableau (scheme) == NULL)
        g_string_append_printf (text, " The step takes me to %s = %.9g %s, %s = %.9g %s.",
                                symbols.coordinate, position, words->coordinate_unit, symbols.rate,
                                rate, words->rate_unit);
    }
  g_string_append (text, "\"\n");
}

/* Appends the bodies at a link's endpoints. */
static void
add_bodies (GString *text, const IfbamAgent *link)
{
  char *const *names = link->unbatched == NULL ? NULL : ifbam_link_end_names (link->unbatched);

  for (guint i = 0; names != NULL && names[i] != NULL; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? "" : " and ", names[i]);
}

static void
add_impulse (GString *text, const IfbamDomainInfo *words, double impulse)
{
  const gboolean charge = g_str_equal (words->impulse_unit, "C");

  g_string_append_printf (text, "the %s = %.9g %s", charge ? "charge q" : "impulse p", impulse,
                          words->impulse_unit);
}

void
ifbam_speech_of_event (GString *text, const IfbamDialogue *dialogue, const IfbamAgent *agent,
                       const IfbamEvent *event)
{
  const IfbamDomainInfo *words = ifbam_speech_words (dialogue, agent->node_at[0]);
  const gboolean changes = agent->unbatched != NULL && !g_str_equal (event->word, "impact");

  if (agent->unbatched == NULL)
    {
      g_string_append (text, "I strike with ");
      add_impulse (text, words, event->impulse);
    }
  else if (event->impulse != 0
           && agent->unbatched->law->constraint (agent->unbatched->numbers, agent->mode).kind
                  == IFBAM_CONSTRAINT_CONTACT)
    {
      add_bodies (text, agent);
      g_string_append (text, " meet: I give ");
      add_impulse (text, words, event->impulse);
      if (changes)
        g_string_append_printf (text, ", and %s", event->word);
    }
  else if (g_str_equal (event->word, "rise") || g_str_equal (event->word, "fall"))
    g_string_append_printf (text, "What I watch %ss past a level of mine", event->word);
  else
    {
      g_string_append_printf (text, "I %s", changes ? event->word : "hold");
      if (event->impulse != 0)
        {
          g_string_append (text, ", and give ");
          add_impulse (text, words, event->impulse);
        }
    }
  if (event->energy_change != 0)
    g_string_append_printf (text, "; %.9g J are %s", fabs (event->energy_change),
                            event->energy_change < 0 ? "lost" : "brought");
}
