/* command-dialogue.c: ifbam dialogue: who says what to whom, in words
 *
 * As the paper tells it (Grabysz 1994, section 3): the spring says with what force it acts, the mass
 * says where that has taken it.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "command.h"
#include "dialogue.h"
#include "ifbam-error.h"
#include "output.h"

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
  const IfbamPlan *plan = voice->plan;
  const IfbamScheme *scheme = plan->scheme;
  const IfbamDomainInfo *words = ifbam_domain_info (ifbam_plan_node_domain (plan, voice->node));
  const double position = *voice->column[scheme->said_position];
  const double rate = *voice->column[scheme->said_rate];
  const gboolean given = node->info->kind == IFBAM_KIND_GIVEN_NODE;
  guint listeners = 0;

  g_string_append_printf (text, "  %s", node->name);
  for (guint p = 0; p < voice->n_ports; p++)
    for (guint i = 0; i < cast->links->len; i++)
      {
        const IfbamElement *link = cast->links->pdata[i];

        for (guint e = 0; e < 2; e++)
          if (link->voice->end[e] == voice->node && link->voice->port[e] == p)
            g_string_append_printf (text, "%s%s", listeners++ == 0 ? " to " : " and ", link->name);
      }
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
tell_turn (const Listener *listener, const IfbamCast *cast, const IfbamPlan *plan, guint64 turn,
           GError **error)
{
  const gboolean latency = plan->scheme->latency;
  const guint turns = ifbam_cast_turns (plan);
  gboolean fine = TRUE;

  if (turn % turns == 0)
    g_string_append_printf (listener->line, "Step %" G_GUINT64_FORMAT ", t = %.9g s\n",
                            turn / turns, (double) (turn / turns) * plan->step);
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

gboolean
ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, IfbamSaid said, gpointer data,
                              GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  const Listener listener = { line, said, data };
  guint64 turns;

  if (!ifbam_network_reset (network, error))
    return FALSE;
  if (network->cast->nodes->len > IFBAM_MOST_SPEAKERS)
    {
      g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_USAGE,
                   "the dialogue of %u nodes is more than anybody reads (%u at most)",
                   network->cast->nodes->len, IFBAM_MOST_SPEAKERS);
      return FALSE;
    }
  turns = (guint64) cycles * ifbam_cast_turns (network->plan);
  for (guint64 turn = 0; turn < turns; turn++)
    {
      ifbam_cast_master (network->cast);
      if (!tell_turn (&listener, network->cast, network->plan, turn, error))
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
  "  ifbam dialogue networks/two-dof.ini -n 5 --scheme verlet\n",
  command_dialogue,
};
