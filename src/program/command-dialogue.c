/* command-dialogue.c: ifbam dialogue: who says what to whom, in words
 *
 * As the paper tells it (Grabysz 1994, section 3): the spring says with what force it acts, the mass
 * says where that has taken it. The objects talk by hand: what is told is what they say.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "program/dialogue-elimination.h"
#include "dialogue/dialogue.h"
#include "base/fail.h"
#include "file/file.h"
#include "run/run.h"

/* The words of what stands between nodes are theirs. */
static const IfbamDomainInfo *
words_of (const IfbamCast *cast, guint32 node)
{
  return ifbam_domain_info (ifbam_model_node_domain (cast->model, node));
}

static const char *
name_of (const IfbamCast *cast, guint32 node)
{
  return ((const IfbamVoice *) cast->nodes->pdata[node])->name;
}

/* What stands before the name of a list's element `number`: "b, c and d" */
static const char *
before_name (guint number, guint n)
{
  return number == 0 ? "" : number + 1 < n ? ", " : " and ";
}

/* The ball or body whose coordinate a node is; NULL: it is none. */
static const IfbamElement *
body_of (const IfbamCast *cast, guint32 node)
{
  gsize member;
  const IfbamElement *element = ifbam_model_node_span (cast->model, node, &member)->element;
  const guint form = element->info->form;

  return form == IFBAM_FORM_BALL || form == IFBAM_FORM_BODY ? element : NULL;
}

/* Who is at an end of a link: a ball or body is one, where several of its coordinates are. */
static const char *
end_name (const IfbamCast *cast, const IfbamVoice *voice, guint end)
{
  const IfbamElement *body = body_of (cast, voice->node_at[end]);

  for (guint e = 0; body != NULL && e < ifbam_voice_n_ends (voice); e++)
    if (e != end && body_of (cast, voice->node_at[e]) == body)
      return body->name;
  return name_of (cast, voice->node_at[end]);
}

static void
add_names (GString *text, const IfbamCast *cast, const IfbamVoice *voice)
{
  const guint n = ifbam_voice_n_ends (voice); /* the others are its own states */
  const char *names[IFBAM_MAX_PORTS];
  guint n_names = 0;

  for (guint e = 0; e < n; e++)
    {
      const char *name = end_name (cast, voice, e);
      guint k = 0;

      while (k < n_names && !g_str_equal (names[k], name))
        k++;
      names[k] = name;
      n_names = MAX (n_names, k + 1);
    }
  for (guint k = 0; k < n_names; k++)
    g_string_append_printf (text, "%s%s", before_name (k, n_names), names[k]);
}

/* What a link keeps to itself. */
static void
add_states (GString *text, const IfbamVoice *link, const IfbamCast *cast)
{
  const IfbamLaw *law = link->info->link;

  for (guint k = 0; k < law->n_states; k++)
    {
      const IfbamVoice *inner = cast->nodes->pdata[link->node_at[ifbam_voice_n_ends (link) + k]];
      g_autofree char *unit = ifbam_domain_unit (link->info->domain, law->states[k].unit);

      g_string_append_printf (text, " My own %s is %.9g %s, and changes by %.9g %s/s.",
                              law->states[k].name, *inner->column[cast->spec->scheme->said_rate],
                              unit, link->flow[k], unit);
    }
}

/* What a force is on the two nodes at a link's ends. */
static void
add_shares (GString *text, const IfbamCast *cast, const IfbamVoice *voice, double left,
            double right)
{
  const IfbamDomainInfo *words = words_of (cast, voice->node_at[0]);

  g_string_append_printf (text, ": %.9g %s on you, %s, and %.9g %s on you, %s", left,
                          words->effort_unit, name_of (cast, voice->node_at[0]), right,
                          words->effort_unit, name_of (cast, voice->node_at[1]));
}

static void
link_speaks (GString *text, const IfbamVoice *link, const IfbamCast *cast)
{
  const IfbamDomainInfo *words = words_of (cast, link->node_at[0]);

  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, cast, link);
  g_string_append_printf (text, ": \"I act with the %s F = %.9g %s", words->effort,
                          link->says + 0.0, words->effort_unit); /* no -0 */
  add_shares (text, cast, link, 0 - link->says, ifbam_voice_far (link) + 0.0);
  g_string_append_c (text, '.');
  add_states (text, link, cast);
  g_string_append (text, "\"\n");
}

static void
source_speaks (GString *text, const IfbamVoice *source, const IfbamCast *cast)
{
  for (guint k = 0; k < source->n_targets; k++)
    {
      const guint32 node = source->targets[k].node;
      const IfbamDomainInfo *words = words_of (cast, node);

      g_string_append_printf (text, "  %s to %s: \"I act on you with the %s F = %.9g %s.\"\n",
                              source->name, name_of (cast, node), words->effort,
                              source->targets[k].says + 0.0, words->effort_unit);
    }
}

/* What watches nothing stays in its one mode. */
static gboolean
has_modes (const IfbamLink *link)
{
  IfbamGuard guards[IFBAM_MAX_GUARDS];

  return (link->law->relation != NULL
          && link->law->relation (link->numbers, 0).kind != IFBAM_CONSTRAINT_NONE)
         || link->law->toggle != NULL
         || (link->law->guards != NULL && link->law->guards (link->numbers, 0, guards) > 0);
}

/* What a geometry says, with the names of its ends, where these have such. */
static void
add_phrase (GString *text, const IfbamVoice *link, const char *phrase)
{
  static const char *const ends[] = { "my left one", "my right end" };
  char *const *names = ifbam_link_end_names (link->single);
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

/* What a link keeps that never lets go; NULL: it may let go, or there are no words for it. */
static const char *
kept_by (const IfbamVoice *voice)
{
  const IfbamLink *link = voice->single;

  return link->law->relation != NULL
                 && link->law->relation (link->numbers, voice->mode).kind == IFBAM_CONSTRAINT_FIXED
             ? link->geometry->keeps
             : NULL;
}

/* A force of a link that stands single, with its shares where these are all that there is to say, or with what it does. */
static void
add_force (GString *text, const IfbamCast *cast, const IfbamVoice *voice, double force)
{
  const IfbamDomainInfo *words = words_of (cast, voice->node_at[0]);

  g_string_append_printf (text, "the %s F = %.9g %s", words->effort, force + 0.0,
                          words->effort_unit);
  if (voice->single->geometry->straight && ifbam_voice_n_ends (voice) == 2)
    add_shares (text, cast, voice, 0 - force, force + 0.0);
  else if (voice->single->geometry->above != NULL && force != 0)
    {
      g_string_append (text, ": ");
      add_phrase (text, voice,
                  force > 0 ? voice->single->geometry->above : voice->single->geometry->below);
    }
}

static void
single_speaks (GString *text, const IfbamVoice *link, const IfbamCast *cast)
{
  double reaction;

  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, cast, link);
  g_string_append (text, ": \"");
  if (kept_by (link) != NULL)
    {
      g_string_append (text, "I keep ");
      add_phrase (text, link, kept_by (link));
      g_string_append (text, ", with what it takes.\"\n");
      return;
    }
  if (link->single->law->modes != NULL)
    g_string_append_printf (text, "My mode is %s; ", link->single->law->modes[link->mode]);
  else if (has_modes (link->single))
    g_string_append_printf (text, "My mode is %d; ", link->mode);
  if (ifbam_objects_hold (link, &reaction))
    g_string_append (text, "I act with what it takes.");
  else if (link->says == 0)
    g_string_append (text, "I do not act.");
  else
    {
      g_string_append (text, "I act with ");
      add_force (text, cast, link, link->says);
      g_string_append (text, ".");
    }
  if (link->single->law->n_states > 0)
    add_states (text, link, cast);
  g_string_append (text, "\"\n");
}

/* What it took, when all had summed their forces. */
static gboolean
single_agrees (GString *text, const IfbamVoice *link, const IfbamCast *cast)
{
  double reaction;

  if (!ifbam_objects_hold (link, &reaction))
    return FALSE;
  g_string_append_printf (text, "  %s to ", link->name);
  add_names (text, cast, link);
  g_string_append (text, ": \"It takes ");
  add_force (text, cast, link, reaction);
  g_string_append (text, ".\"\n");
  return TRUE;
}

static void
find_listeners (GPtrArray *listeners, const GPtrArray *links, gsize node)
{
  for (guint i = 0; i < links->len; i++)
    {
      const IfbamVoice *link = links->pdata[i];

      for (guint e = 0; e < link->n_ports; e++)
        if (link->node_at[e] == node)
          g_ptr_array_add (listeners, link->name);
    }
}

static void
add_listeners (GString *text, const IfbamCast *cast, gsize node)
{
  g_autoptr (GPtrArray) listeners = g_ptr_array_new ();

  find_listeners (listeners, cast->links, node);
  find_listeners (listeners, cast->singles, node);
  for (guint i = 0; i < listeners->len; i++)
    g_string_append_printf (text, "%s%s", i == 0 ? " to " : before_name (i, listeners->len),
                            (const char *) listeners->pdata[i]);
}

/* What a coordinate and its rate are called: in the plane by their axis. */
typedef struct
{
  const char *coordinate, *rate;
} Symbols;

static Symbols
symbols_of (const IfbamVoice *node)
{
  if (node->element == NULL && g_str_has_suffix (node->name, ".x"))
    return (Symbols){ "x", "vx" };
  if (node->element == NULL && g_str_has_suffix (node->name, ".y"))
    return (Symbols){ "y", "vy" };
  return (Symbols){ "x", "v" };
}

/* The start, and what is said of it that is not the start. */
static void
node_starts (GString *text, const IfbamVoice *node, const IfbamScheme *scheme)
{
  const IfbamDomainInfo *words =
      ifbam_domain_info (ifbam_model_node_domain (node->cast->model, node->node));
  const IfbamMotion start = ifbam_start (node->cast->model, node->cast->spec, node->node);
  const double position = *node->column[scheme->said_position];
  const double rate = *node->column[scheme->said_rate];
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

static void
node_speaks (GString *text, const IfbamVoice *node, const IfbamCast *cast, guint64 turn)
{
  const IfbamScheme *scheme = cast->spec->scheme;
  const IfbamDomainInfo *words = words_of (cast, (guint32) node->node);
  const double position = *node->column[scheme->said_position];
  const double rate = *node->column[scheme->said_rate];
  const Symbols symbols = symbols_of (node);
  const gboolean given = node->info->kind == IFBAM_KIND_GIVEN_NODE;

  g_string_append_printf (text, "  %s", node->name);
  add_listeners (text, cast, node->node);
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
  else if (turn % ifbam_cast_turns (cast->spec) > 0)
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

static gboolean
say (const IfbamListener *listener, const char *text, GError **error)
{
  g_string_append (listener->line, text);
  return ifbam_listener_hear (listener, NULL, error);
}

typedef void (*Speech) (GString *text, const IfbamVoice *speaker, const IfbamCast *cast);

static gboolean
all_speak (const IfbamListener *listener, const IfbamCast *cast, const GPtrArray *elements,
           Speech speech, GError **error)
{
  gboolean fine = TRUE;

  for (guint i = 0; fine && i < elements->len; i++)
    {
      speech (listener->line, elements->pdata[i], cast);
      fine = ifbam_listener_hear (listener, elements->pdata[i], error);
    }
  return fine;
}

/* What is said in a turn: under a flip-flop all speak; else nodes and links take turns. */
static gboolean
tell_master (const IfbamListener *listener, const IfbamCast *cast, guint64 turn, GError **error)
{
  const gboolean latency = cast->spec->scheme->latency;
  const guint turns = ifbam_cast_turns (cast->spec);
  gboolean fine = TRUE;

  if (turn % turns == 0)
    {
      g_string_append_printf (listener->line, "Step %" G_GUINT64_FORMAT ", t = %.9g s\n",
                              turn / turns, (double) (turn / turns) * cast->spec->step);
      fine = ifbam_listener_hear (listener, NULL, error);
    }
  fine = fine && say (listener, " master\n", error);
  if (latency || turn % 2 == 1)
    fine = fine && all_speak (listener, cast, cast->links, link_speaks, error)
           && all_speak (listener, cast, cast->singles, single_speaks, error)
           && all_speak (listener, cast, cast->sources, source_speaks, error);
  if (latency || turn % 2 == 0)
    for (guint i = 0; fine && i < cast->nodes->len; i++)
      {
        if (ifbam_voice_is_inner (cast->nodes->pdata[i]))
          continue;
        node_speaks (listener->line, cast->nodes->pdata[i], cast, turn);
        fine = ifbam_listener_hear (listener, cast->nodes->pdata[i], error);
      }
  return fine;
}

static gboolean
tell_slave (const IfbamListener *listener, const IfbamCast *cast, guint64 turn, GError **error)
{
  const gboolean latency = cast->spec->scheme->latency;
  gboolean fine = say (listener, " slave\n", error);

  if (latency || turn % 2 == 1)
    for (guint i = 0; fine && i < cast->singles->len; i++)
      if (single_agrees (listener->line, cast->singles->pdata[i], cast))
        fine = ifbam_listener_hear (listener, cast->singles->pdata[i], error);
  return fine
         && say (listener,
                 latency         ? "  Every element computes what it will say next.\n"
                 : turn % 2 == 0 ? "  The links compute their answers from what they heard.\n"
                 : cast->spec->scheme->implicit != NULL
                     ? "  The nodes have to agree on where they go: so that the forces there are "
                       "those that take them there.\n"
                     : "  The nodes compute where these take them.\n",
                 error);
}

/* Events */

static const IfbamVoice *
find_voice (const GPtrArray *voices, const char *name)
{
  for (guint i = 0; i < voices->len; i++)
    if (g_str_equal (((const IfbamVoice *) voices->pdata[i])->name, name))
      return voices->pdata[i];
  return NULL;
}

/* Who meets: a ball is one, though it has two coordinates. */
static void
add_bodies (GString *text, const IfbamVoice *link)
{
  char *const *names = link->single == NULL ? NULL : ifbam_link_end_names (link->single);

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

/* What a link or impulse tells of an event: two meet, or its mode changes; it strikes. */
static void
add_event (GString *text, const IfbamCast *cast, const IfbamVoice *voice, const IfbamEvent *event)
{
  const IfbamDomainInfo *words = words_of (cast, voice->node_at[0]);
  const gboolean changes = voice->single != NULL && !g_str_equal (event->word, "impact");

  if (voice->single == NULL)
    {
      g_string_append (text, "I strike with ");
      add_impulse (text, words, event->impulse);
    }
  else if (event->impulse != 0
           && voice->single->law->relation (voice->single->numbers, voice->mode).kind
                  == IFBAM_CONSTRAINT_CONTACT)
    {
      add_bodies (text, voice);
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

static gboolean
tell_event (const IfbamListener *listener, const IfbamCast *cast, guint number, GError **error)
{
  const IfbamEvent *event = &g_array_index (ifbam_objects_events (cast), IfbamEvent, number);
  const IfbamMeeting *meeting = &g_array_index (cast->meetings, IfbamMeeting, number);
  const IfbamVoice *speaker = find_voice (cast->singles, event->element);
  gboolean fine;

  if (speaker == NULL)
    speaker = find_voice (cast->impulses, event->element);
  g_string_append_printf (listener->line, "  %s at t = %.9g s: \"", event->element, event->time);
  add_event (listener->line, cast, speaker, event);
  g_string_append (listener->line, ".\"\n");
  fine = ifbam_listener_hear (listener, speaker, error);
  for (guint e = 0; fine && e < meeting->n && event->impulse != 0; e++)
    {
      const IfbamVoice *node = cast->nodes->pdata[meeting->node[e]];
      const IfbamDomainInfo *words = words_of (cast, meeting->node[e]);

      if (node->info->kind == IFBAM_KIND_GIVEN_NODE || meeting->impulse[e] == 0)
        continue;
      g_string_append_printf (listener->line,
                              "  %s: \"I came with v = %.9g %s, get %.9g %s, and leave with v = "
                              "%.9g %s.\"\n",
                              node->name, meeting->came[e], words->rate_unit, meeting->impulse[e],
                              words->impulse_unit, meeting->leaves[e], words->rate_unit);
      fine = ifbam_listener_hear (listener, node, error);
    }
  return fine;
}

/* What happened in the last cycle, or at the start. */
static gboolean
tell_events (const IfbamListener *listener, const IfbamCast *cast, GError **error)
{
  const GArray *events = ifbam_objects_events (cast);
  gboolean fine = TRUE;

  if (events == NULL || events->len == 0)
    return TRUE;
  fine = say (listener, " events\n", error);
  for (guint i = 0; fine && i < events->len; i++)
    fine = tell_event (listener, cast, i, error);
  return fine;
}

/* Counts the nodes before an object is made of each; the model is kept for the reset that follows. */
static gboolean
is_readable (IfbamNetwork *network, GError **error)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);

  if (model == NULL)
    return FALSE;
  if (model->n_nodes > IFBAM_MOST_SPEAKERS)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "a dialogue of %" G_GSIZE_FORMAT
                       " nodes is too long to be read (%u nodes at most)",
                       model->n_nodes, IFBAM_MOST_SPEAKERS);
  ifbam_network_keep_checked (network, g_steal_pointer (&model), &spec);
  return TRUE;
}

gboolean
ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, guint64 later, IfbamSaid said,
                              gpointer data, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  IfbamListener listener = { NULL, line, said, data };
  const guint64 at_start = later >= cycles && cycles > 1 ? 1 : cycles;
  guint64 turns;

  if (!is_readable (network, error) || !ifbam_network_reset (network, error))
    return FALSE;
  listener.cast = network->home.cast;
  if (!tell_events (&listener, network->home.cast, error))
    return FALSE;
  ifbam_cast_listen (network->home.cast);
  turns = ifbam_cast_turns (network->home.cast->spec);
  for (guint64 turn = 0; turn < (at_start < cycles ? later + cycles - 1 : cycles) * turns; turn++)
    {
      const gboolean told = turn / turns < at_start || turn / turns >= later;

      ifbam_cast_master (network->home.cast);
      if (told && !tell_master (&listener, network->home.cast, turn, error))
        return FALSE;
      ifbam_cast_slave (network->home.cast);
      if (told && !tell_slave (&listener, network->home.cast, turn, error))
        return FALSE;
      if (turn % turns == turns - 1
          && (!ifbam_network_settle (network, error)
              || (told
                  && !(ifbam_dialogue_tell_agreements (network->home.cast, said, data, error)
                       && tell_events (&listener, network->home.cast, error)))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
print_line (gpointer data, const IfbamVoice *speaker, const char *line, GError **error)
{
  GString *text = data;
  gboolean fine;

  (void) speaker;
  g_string_append (text, line);
  if (text->len < 1 << 16)
    return TRUE;
  fine = ifbam_output_put (NULL, text->str, text->len, error);
  g_string_truncate (text, 0);
  return fine;
}

static int
print_dialogue (IfbamNetwork *network, int cycles)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new (NULL);

  if (!ifbam_command_dialogue_lines (network, (guint) cycles, 0, print_line, text, &error))
    return ifbam_command_fail (error);
  return ifbam_command_print (text->str);
}

static int
command_dialogue (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  int cycles = 3;
  const GOptionEntry entries[] = {
    { "cycles", 'n', 0, G_OPTION_ARG_INT, &cycles, "how many steps (default 3)", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  if (cycles < 1)
    return ifbam_command_usage (command, "-n wants 1 or more, not %d", cycles);
  network = ifbam_command_load (&options, argv[1], &error);
  if (network == NULL)
    return ifbam_command_fail (error);
  return print_dialogue (network, cycles);
}

const IfbamCommand ifbam_command_dialogue = {
  "dialogue",
  "NETWORK",
  "print the conversation of the first steps, in words",
  "  ifbam dialogue networks/one-dof.ini\n"
  "  ifbam dialogue networks/two-dof.ini -n 5 --scheme verlet\n"
  "  ifbam dialogue networks/two-capacitors.ini -n 52\n",
  command_dialogue,
  "scheme step start set",
};
