/* command-dialogue.c: ifbam dialogue: who says what to whom, in words
 *
 * As the paper tells it (Grabysz 1994, section 3): the spring says with what force it acts, the mass
 * says where that has taken it. Where links have modes, what is told is what the event engine has at each
 * step, reactions included, and the events on the way.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "motion/estimate.h"
#include "program/command.h"
#include "dialogue/dialogue.h"
#include "base/ifbam-error.h"
#include "system/output.h"
#include "run/run.h"

static void
link_speaks (GString *text, const IfbamElement *link, const GPtrArray *nodes)
{
  const IfbamDomainInfo *words = ifbam_domain_info (link->info->domain);
  const IfbamVoice *voice = link->voice;
  const IfbamElement *left = nodes->pdata[voice->end[0]], *right = nodes->pdata[voice->end[1]];

  g_string_append_printf (text,
                          "  %s to %s and %s: \"I act with the %s F = %.9g %s: %.9g %s on you, "
                          "%s, and %.9g %s on you, %s.\"\n",
                          link->name, left->name, right->name, words->effort, voice->says,
                          words->effort_unit, -voice->says, words->effort_unit, left->name,
                          ifbam_voice_far (link), words->effort_unit, right->name);
}

static void
source_speaks (GString *text, const IfbamElement *source, const GPtrArray *nodes)
{
  const IfbamDomainInfo *words = ifbam_domain_info (source->info->domain);

  for (guint k = 0; k < source->voice->n_targets; k++)
    {
      const IfbamElement *node = nodes->pdata[source->voice->targets[k].node];

      g_string_append_printf (text, "  %s to %s: \"I act on you with the %s F = %.9g %s.\"\n",
                              source->name, node->name, words->effort,
                              source->voice->targets[k].says, words->effort_unit);
    }
}

static void
node_speaks (GString *text, const IfbamElement *node, const IfbamCast *cast, guint64 turn)
{
  const IfbamVoice *voice = node->voice;
  const IfbamModel *model = voice->model;
  const IfbamRunSpec *spec = voice->cast->spec;
  const IfbamScheme *scheme = spec->scheme;
  const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, voice->node));
  const double position = *voice->column[scheme->said_position];
  const double rate = *voice->column[scheme->said_rate];
  const gboolean given = node->info->kind == IFBAM_KIND_GIVEN_NODE;
  guint listeners = 0;

  const IfbamLink *links = (const IfbamLink *) (gconstpointer) model->singles->data;

  g_string_append_printf (text, "  %s", node->name);
  for (guint p = 0; p < voice->n_ports; p++)
    for (guint i = 0; i < cast->links->len; i++)
      {
        const IfbamElement *link = cast->links->pdata[i];

        for (guint e = 0; e < 2; e++)
          if (link->voice->end[e] == voice->node && link->voice->port[e] == p)
            g_string_append_printf (text, "%s%s", listeners++ == 0 ? " to " : " and ", link->name);
      }
  for (guint i = 0; i < model->singles->len; i++)
    for (guint e = 0; e < links[i].n_ends; e++)
      if (links[i].node[e] == voice->node)
        g_string_append_printf (text, "%s%s", listeners++ == 0 ? " to " : " and ",
                                links[i].element->name);
  if (node->info->fixed)
    g_string_append_printf (text, ": \"I stand at the %s x = %.9g %s.\"\n", words->coordinate,
                            position, words->coordinate_unit);
  else if (turn == 0)
    g_string_append_printf (text, ": \"I start at the %s x = %.9g %s, with the %s v = %.9g %s.\"\n",
                            words->coordinate, position, words->coordinate_unit, words->rate, rate,
                            words->rate_unit);
  else
    g_string_append_printf (text,
                            ": \"%s%s%s I have shifted myself to the %s x = %.9g %s; my %s is v = "
                            "%.9g %s.\"\n",
                            given ? "As prescribed" : "As a result of the ",
                            given ? "" : words->effort, given ? "," : "s", words->coordinate,
                            position, words->coordinate_unit, words->rate, rate, words->rate_unit);
}

typedef struct
{
  GString *line;
  IfbamSaid said;
  gpointer data;
} Listener;

/* Hands over the line. */
static gboolean
hand_over (const Listener *listener, const IfbamElement *speaker, GError **error)
{
  const gboolean fine = listener->said (listener->data, speaker, listener->line->str, error);

  g_string_truncate (listener->line, 0);
  return fine;
}

static gboolean
say (const Listener *listener, const char *text, GError **error)
{
  g_string_append (listener->line, text);
  return hand_over (listener, NULL, error);
}

/* What is said in a turn: under a flip-flop all speak; else nodes and links take turns. */
static gboolean
tell_turn (const Listener *listener, const IfbamCast *cast, const IfbamRunSpec *spec, guint64 turn,
           GError **error)
{
  const gboolean latency = spec->scheme->latency;
  const guint turns = ifbam_cast_turns (spec);
  gboolean fine = TRUE;

  if (turn % turns == 0)
    g_string_append_printf (listener->line, "Step %" G_GUINT64_FORMAT ", t = %.9g s\n",
                            turn / turns, (double) (turn / turns) * spec->step);
  if (turn % turns == 0 && !hand_over (listener, NULL, error))
    return FALSE;
  fine = say (listener, " master\n", error);
  if (latency || turn % 2 == 1)
    {
      for (guint i = 0; fine && i < cast->links->len; i++)
        {
          link_speaks (listener->line, cast->links->pdata[i], cast->nodes);
          fine = hand_over (listener, cast->links->pdata[i], error);
        }
      for (guint i = 0; fine && i < cast->sources->len; i++)
        {
          source_speaks (listener->line, cast->sources->pdata[i], cast->nodes);
          fine = hand_over (listener, cast->sources->pdata[i], error);
        }
    }
  if (latency || turn % 2 == 0)
    for (guint i = 0; fine && i < cast->nodes->len; i++)
      {
        node_speaks (listener->line, cast->nodes->pdata[i], cast, turn);
        fine = hand_over (listener, cast->nodes->pdata[i], error);
      }
  return fine && say (listener, " slave\n", error)
         && say (listener,
                 latency         ? "  Every element computes what it will say next.\n"
                 : turn % 2 == 0 ? "  The links compute their forces from what they heard.\n"
                                 : "  The nodes compute where the forces take them.\n",
                 error);
}

/* Networks with events: what the event engine has, row by row */

typedef struct
{
  const Listener *listener;
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  IfbamCast *cast;
  GArray *events; /* IfbamEvent: not told yet */
  guint64 row;
} Reading;

/* What watches nothing stays in its one mode. */
static gboolean
has_modes (const IfbamLink *link)
{
  IfbamGuard guards[IFBAM_MAX_GUARDS];

  return (link->law->relation != NULL
          && link->law->relation (link->numbers, 0).kind != IFBAM_RELATION_NONE)
         || link->law->toggle != NULL
         || (link->law->guards != NULL && link->law->guards (link->numbers, 0, guards) > 0);
}

static void
single_speaks (GString *text, const IfbamLink *link, const GPtrArray *nodes, double force, int mode)
{
  const IfbamDomainInfo *words = ifbam_domain_info (link->element->info->domain);
  const char *name[IFBAM_MAX_ENDS];

  g_string_append_printf (text, "  %s", link->element->name);
  for (guint e = 0; e < link->n_ends; e++)
    {
      name[e] = ((const IfbamElement *) nodes->pdata[link->node[e]])->name;
      g_string_append_printf (text, "%s%s", e == 0 ? " to " : " and ", name[e]);
    }
  g_string_append (text, ": \"");
  if (link->law->modes != NULL)
    g_string_append_printf (text, "My mode is %s; ", link->law->modes[mode]);
  else if (has_modes (link))
    g_string_append_printf (text, "My mode is %d; ", mode);
  if (force == 0)
    g_string_append (text, "I do not act.\"\n");
  else if (link->geometry->straight && link->n_ends == 2)
    g_string_append_printf (text,
                            "I act with the %s F = %.9g %s: %.9g %s on you, %s, and %.9g %s on "
                            "you, %s.\"\n",
                            words->effort, force, words->effort_unit, -force, words->effort_unit,
                            name[0], force, words->effort_unit, name[1]);
  else
    g_string_append_printf (text, "I act with the %s F = %.9g %s.\"\n", words->effort, force,
                            words->effort_unit);
}

/* Whose event it was, and the domain of its numbers. */
static const IfbamElement *
event_element (const IfbamModel *model, const char *name, IfbamDomain *domain)
{
  for (guint i = 0; i < model->impulses->len; i++)
    {
      const IfbamImpulse *impulse = &g_array_index (model->impulses, IfbamImpulse, i);

      *domain = ifbam_model_node_domain (model, impulse->node);
      if (g_str_equal (impulse->element->name, name))
        return impulse->element;
    }
  for (guint i = 0; i < model->singles->len; i++)
    {
      const IfbamElement *element = g_array_index (model->singles, IfbamLink, i).element;

      *domain = element->info->domain;
      if (g_str_equal (element->name, name))
        return element;
    }
  return NULL;
}

static gboolean
tell_event (const Reading *reading, const IfbamEvent *event, GError **error)
{
  GString *text = reading->listener->line;
  IfbamDomain domain = IFBAM_DOMAIN_ANY;
  const IfbamElement *element = event_element (reading->model, event->element, &domain);
  const IfbamDomainInfo *words = ifbam_domain_info (domain);
  /* What only watches may watch anything. */
  const gboolean counts = domain != IFBAM_DOMAIN_ANY;

  g_string_append_printf (text, "  %s at t = %.9g s: \"%s", event->element, event->time,
                          event->word);
  if (event->impulse != 0)
    g_string_append_printf (text, "; I give the impulse p = %.9g %s s", event->impulse,
                            words->effort_unit);
  if (counts && event->rate_before != event->rate_after)
    g_string_append_printf (text, "; the %s goes from %.9g to %.9g %s", words->rate,
                            event->rate_before, event->rate_after, words->rate_unit);
  if (event->energy_change != 0)
    g_string_append_printf (text, "; %.9g J %s", fabs (event->energy_change),
                            event->energy_change < 0 ? "are lost" : "are brought");
  g_string_append (text, ".\"\n");
  return hand_over (reading->listener, element, error);
}

static gboolean
keep_event (gpointer data, const IfbamEvent *event, GError **error)
{
  Reading *reading = data;

  (void) error;
  g_array_append_val (reading->events, *event);
  return TRUE;
}

/* Those up to a row. */
static gboolean
tell_events (Reading *reading, double time, GError **error)
{
  guint n = 0;
  gboolean fine = TRUE;

  while (n < reading->events->len && g_array_index (reading->events, IfbamEvent, n).time <= time)
    n++;
  if (n == 0)
    return TRUE;
  fine = say (reading->listener, " events\n", error);
  for (guint i = 0; fine && i < n; i++)
    fine = tell_event (reading, &g_array_index (reading->events, IfbamEvent, i), error);
  g_array_remove_range (reading->events, 0, n);
  return fine;
}

static gboolean
tell_row (gpointer data, double time, const double *values, GError **error)
{
  Reading *reading = data;
  const Listener *listener = reading->listener;
  const IfbamModel *model = reading->model;
  const IfbamRunSpec *spec = reading->spec;
  const IfbamCast *cast = reading->cast;
  gboolean fine;

  g_string_append_printf (listener->line, "Step %" G_GUINT64_FORMAT ", t = %.9g s\n", reading->row,
                          time);
  fine = hand_over (listener, NULL, error) && tell_events (reading, time + 1e-9 * spec->step, error)
         && say (listener, " messages\n", error);
  for (guint i = 0; fine && i < cast->links->len; i++)
    {
      const IfbamElement *link = cast->links->pdata[i];

      link->voice->says = *values++;
      if (link->info->link->geometry->scaled)
        link->voice->far =
            ifbam_geometry_ratio (link->info->link->geometry, ifbam_element_law (link))
            * link->voice->says;
      link_speaks (listener->line, link, cast->nodes);
      fine = hand_over (listener, link, error);
    }
  for (guint i = 0; fine && i < model->singles->len; i++, values += 2)
    {
      const IfbamLink *link = &g_array_index (model->singles, IfbamLink, i);

      single_speaks (listener->line, link, cast->nodes, values[0], (int) values[1]);
      fine = hand_over (listener, link->element, error);
    }
  for (guint i = 0; fine && i < cast->sources->len; i++)
    {
      const IfbamElement *source = cast->sources->pdata[i];
      IfbamVoice *voice = source->voice;

      for (guint k = 0; k < voice->n_targets; k++)
        voice->targets[k].says = ifbam_model_source (model, voice->slot - model->n_slots + k, time);
      source_speaks (listener->line, source, cast->nodes);
      fine = hand_over (listener, source, error);
    }
  for (guint i = 0; fine && i < cast->nodes->len; i++, values += 2)
    {
      const IfbamElement *node = cast->nodes->pdata[i];

      *node->voice->column[spec->scheme->said_position] = values[0];
      *node->voice->column[spec->scheme->said_rate] = values[1];
      node_speaks (listener->line, node, cast, reading->row);
      fine = hand_over (listener, node, error);
    }
  reading->row++;
  return fine;
}

static void
listen_to (IfbamSignals *signals, IfbamSignalKind kind, gboolean single, gsize number)
{
  const IfbamSignal signal = { kind, single, number };

  g_array_append_val (signals->signals, signal);
}

/* What tell_row() reads, in its order. */
static IfbamSignals *
all_that_is_said (const IfbamModel *model)
{
  IfbamSignals *signals = g_new0 (IfbamSignals, 1);

  signals->names = g_ptr_array_new ();
  signals->units = g_ptr_array_new ();
  signals->signals = g_array_new (FALSE, FALSE, sizeof (IfbamSignal));
  for (gsize i = 0; i < model->n_links; i++)
    listen_to (signals, IFBAM_SIGNAL_FORCE, FALSE, i);
  for (guint i = 0; i < model->singles->len; i++)
    {
      listen_to (signals, IFBAM_SIGNAL_FORCE, TRUE, i);
      listen_to (signals, IFBAM_SIGNAL_MODE, TRUE, i);
    }
  for (gsize i = 0; i < model->n_nodes; i++)
    {
      listen_to (signals, IFBAM_SIGNAL_POSITION, FALSE, i);
      listen_to (signals, IFBAM_SIGNAL_RATE, FALSE, i);
    }
  return signals;
}

static gboolean
tell_events_and_rows (const Listener *listener, const IfbamModel *model, guint cycles,
                      IfbamRunSpec *spec, GError **error)
{
  g_autoptr (IfbamSignals) signals = all_that_is_said (model);
  Reading reading = { .listener = listener,
                      .model = model,
                      .spec = spec,
                      .cast = ifbam_cast_new (model, spec),
                      .events = g_array_new (FALSE, FALSE, sizeof (IfbamEvent)) };
  IfbamRunTask run = {
    .event = keep_event, .row = tell_row, .data = &reading, .advise = ifbam_step_advice
  };
  gboolean fine;

  spec->stride = 1;
  spec->last_step = cycles - 1;
  fine = ifbam_run (&run, model, signals, spec, error);
  g_array_unref (reading.events);
  ifbam_cast_free (reading.cast);
  return fine;
}

static gboolean
is_readable (const IfbamModel *model, GError **error)
{
  if (model->n_nodes <= IFBAM_MOST_SPEAKERS)
    return TRUE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
               "the dialogue of %" G_GSIZE_FORMAT " nodes is more than anybody reads (%u at most)",
               model->n_nodes, IFBAM_MOST_SPEAKERS);
  return FALSE;
}

gboolean
ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, IfbamSaid said, gpointer data,
                              GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const Listener listener = { line, said, data };
  g_autoptr (IfbamModel) model = NULL;
  g_auto (IfbamRunSpec) spec = { 0 };
  guint64 turns;

  model = ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);
  if (model == NULL || !is_readable (model, error))
    return FALSE;
  if (ifbam_model_has_events (model))
    return tell_events_and_rows (&listener, model, cycles, &spec, error);
  if (!ifbam_network_reset (network, error))
    return FALSE;
  turns = (guint64) cycles * ifbam_cast_turns (&network->spec);
  for (guint64 turn = 0; turn < turns; turn++)
    {
      ifbam_cast_master (network->cast);
      if (!tell_turn (&listener, network->cast, &network->spec, turn, error))
        return FALSE;
      ifbam_cast_slave (network->cast);
    }
  return TRUE;
}

static gboolean
print_line (gpointer data, const IfbamElement *speaker, const char *line, GError **error)
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

  if (!ifbam_command_dialogue_lines (network, (guint) cycles, print_line, text, &error))
    return ifbam_command_fail (error);
  return ifbam_command_print (text->str);
}

static int
command_dialogue (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  int cycles = 3;
  const GOptionEntry entries[] = {
    { "cycles", 'n', 0, G_OPTION_ARG_INT, &cycles, "how many steps (default 3)", "N" },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_dialogue, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  int exit_code;

  (void) program;
  ifbam_network_options_add (&options, context);
  if (!ifbam_command_parse (&ifbam_command_dialogue, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  if (cycles < 1)
    return ifbam_command_usage (&ifbam_command_dialogue, "-n wants 1 or more, not %d", cycles);
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
};
