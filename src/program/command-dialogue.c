/* command-dialogue.c: ifbam dialogue: the messages of the elements, in words
 *
 * After Grabysz (1994), section 3: a spring states its force, a mass the position to which it was
 * taken. The objects are advanced by hand; the text contains their messages.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/dialogue-elimination.h"
#include "program/dialogue-speech.h"
#include "dialogue/dialogue.h"
#include "base/fail.h"
#include "file/file.h"
#include "run/run.h"

static gboolean
say (const IfbamListener *listener, const char *text, GError **error)
{
  g_string_append (listener->line, text);
  return ifbam_listener_hear (listener, NULL, error);
}

typedef void (*Speech) (GString *text, const IfbamAgent *speaker, const IfbamDialogue *dialogue);

static gboolean
all_speak (const IfbamListener *listener, const IfbamDialogue *dialogue, const GPtrArray *elements,
           Speech speech, GError **error)
{
  gboolean fine = TRUE;

  for (guint i = 0; fine && i < elements->len; i++)
    {
      speech (listener->line, elements->pdata[i], dialogue);
      fine = ifbam_listener_hear (listener, elements->pdata[i], error);
    }
  return fine;
}

/* Writes the messages of a turn; without flip-flop, nodes and links take turns. */
static gboolean
write_master (const IfbamListener *listener, const IfbamDialogue *dialogue, guint64 turn,
              GError **error)
{
  const gboolean latency = dialogue->spec->scheme->latency;
  const guint turns = ifbam_dialogue_rounds_per_step (dialogue->spec);
  gboolean fine = TRUE;

  if (turn % turns == 0)
    {
      g_string_append_printf (listener->line, "Step %" G_GUINT64_FORMAT ", t = %.9g s\n",
                              turn / turns, (double) (turn / turns) * dialogue->spec->step);
      fine = ifbam_listener_hear (listener, NULL, error);
    }
  fine = fine && say (listener, " master\n", error);
  if (latency || turn % 2 == 1)
    fine = fine && all_speak (listener, dialogue, dialogue->links, ifbam_speech_of_link, error)
           && all_speak (listener, dialogue, dialogue->unbatched_links, ifbam_speech_of_unbatched,
                         error)
           && all_speak (listener, dialogue, dialogue->sources, ifbam_speech_of_source, error);
  if (latency || turn % 2 == 0)
    for (guint i = 0; fine && i < dialogue->nodes->len; i++)
      {
        if (ifbam_agent_is_state_node (dialogue->nodes->pdata[i]))
          continue;
        ifbam_speech_of_node (listener->line, dialogue->nodes->pdata[i], dialogue, turn);
        fine = ifbam_listener_hear (listener, dialogue->nodes->pdata[i], error);
      }
  return fine;
}

static gboolean
write_slave (const IfbamListener *listener, const IfbamDialogue *dialogue, guint64 turn,
             GError **error)
{
  const gboolean latency = dialogue->spec->scheme->latency;
  gboolean fine = say (listener, " slave\n", error);

  if (latency || turn % 2 == 1)
    for (guint i = 0; fine && i < dialogue->unbatched_links->len; i++)
      if (ifbam_speech_of_reaction (listener->line, dialogue->unbatched_links->pdata[i], dialogue))
        fine = ifbam_listener_hear (listener, dialogue->unbatched_links->pdata[i], error);
  return fine
         && say (listener,
                 latency         ? "  Every element computes what it will say next.\n"
                 : turn % 2 == 0 ? "  The links compute their answers from what they heard.\n"
                 : dialogue->spec->scheme->implicit != NULL
                     ? "  The nodes have to agree on where they go: so that the forces there are "
                       "those that take them there.\n"
                     : "  The nodes compute where these take them.\n",
                 error);
}

/* Events */

static const IfbamAgent *
find_agent (const GPtrArray *agents, const char *name)
{
  for (guint i = 0; i < agents->len; i++)
    if (g_str_equal (((const IfbamAgent *) agents->pdata[i])->name, name))
      return agents->pdata[i];
  return NULL;
}

static gboolean
write_event (const IfbamListener *listener, const IfbamDialogue *dialogue, guint number,
             GError **error)
{
  const IfbamEvent *event = &g_array_index (ifbam_objects_events (dialogue), IfbamEvent, number);
  const IfbamEventRecord *meeting = &g_array_index (dialogue->records, IfbamEventRecord, number);
  const IfbamAgent *speaker = find_agent (dialogue->unbatched_links, event->element);
  gboolean fine;

  if (speaker == NULL)
    speaker = find_agent (dialogue->impulses, event->element);
  g_string_append_printf (listener->line, "  %s at t = %.9g s: \"", event->element, event->time);
  ifbam_speech_of_event (listener->line, dialogue, speaker, event);
  g_string_append (listener->line, ".\"\n");
  fine = ifbam_listener_hear (listener, speaker, error);
  for (guint e = 0; fine && e < meeting->n && event->impulse != 0; e++)
    {
      const IfbamAgent *node = dialogue->nodes->pdata[meeting->node[e]];
      const IfbamDomainInfo *words = ifbam_speech_words (dialogue, meeting->node[e]);

      if (node->info->kind == IFBAM_KIND_GIVEN_NODE || meeting->impulse[e] == 0)
        continue;
      g_string_append_printf (listener->line,
                              "  %s: \"I came with v = %.9g %s, get %.9g %s, and leave with v = "
                              "%.9g %s.\"\n",
                              node->name, meeting->before[e], words->rate_unit, meeting->impulse[e],
                              words->impulse_unit, meeting->after[e], words->rate_unit);
      fine = ifbam_listener_hear (listener, node, error);
    }
  return fine;
}

/* Writes the events of the last cycle, or of the start. */
static gboolean
tell_events (const IfbamListener *listener, const IfbamDialogue *dialogue, GError **error)
{
  const GArray *events = ifbam_objects_events (dialogue);
  gboolean fine = TRUE;

  if (events == NULL || events->len == 0)
    return TRUE;
  fine = say (listener, " events\n", error);
  for (guint i = 0; fine && i < events->len; i++)
    fine = write_event (listener, dialogue, i, error);
  return fine;
}

/* Counts the nodes before objects are created; the network keeps the model for the reset. */
static gboolean
is_readable (IfbamNetwork *network, GError **error)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model =
      ifbam_network_compile_or_error (network, FALSE, &spec, NULL, error);

  if (model == NULL)
    return FALSE;
  if (model->n_nodes > IFBAM_MAX_ELIMINATION_NODES)
    return ifbam_fail (error, IFBAM_ERROR_USAGE,
                       "a dialogue of %" G_GSIZE_FORMAT
                       " nodes is too long to be read (%u nodes at most)",
                       model->n_nodes, IFBAM_MAX_ELIMINATION_NODES);
  ifbam_network_keep_checked (network, g_steal_pointer (&model), &spec);
  return TRUE;
}

gboolean
ifbam_command_dialogue_lines (IfbamNetwork *network, guint cycles, guint64 later,
                              IfbamLineFunc said, gpointer data, GError **error)
{
  g_autoptr (GString) line = g_string_new (NULL);
  IfbamListener listener = { NULL, line, said, data };
  const guint64 at_start = later >= cycles && cycles > 1 ? 1 : cycles;
  guint64 turns;

  if (!is_readable (network, error) || !ifbam_network_reset (network, error))
    return FALSE;
  listener.dialogue = network->home.dialogue;
  if (!tell_events (&listener, network->home.dialogue, error))
    return FALSE;
  ifbam_dialogue_record_eliminations (network->home.dialogue);
  turns = ifbam_dialogue_rounds_per_step (network->home.dialogue->spec);
  for (guint64 turn = 0; turn < (at_start < cycles ? later + cycles - 1 : cycles) * turns; turn++)
    {
      const gboolean told = turn / turns < at_start || turn / turns >= later;

      ifbam_dialogue_master (network->home.dialogue);
      if (told && !write_master (&listener, network->home.dialogue, turn, error))
        return FALSE;
      ifbam_dialogue_slave (network->home.dialogue);
      if (told && !write_slave (&listener, network->home.dialogue, turn, error))
        return FALSE;
      if (turn % turns == turns - 1
          && (!ifbam_network_settle (network, error)
              || (told
                  && !(ifbam_dialogue_write_eliminations (network->home.dialogue, said, data, error)
                       && tell_events (&listener, network->home.dialogue, error)))))
        return FALSE;
    }
  return TRUE;
}

static gboolean
print_line (gpointer data, const IfbamAgent *speaker, const char *line, GError **error)
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

/* Energy of the scheme */

/* Writes frequency and growth of the mode that grows fastest. For this frequency modes count with
 * their own damping ratios; the growth is that of the network's worst mode. */
static void
write_growing_mode (GString *text, const IfbamLoaded *loaded)
{
  const IfbamRunSpec *spec = &loaded->spec;
  g_autoptr (IfbamStability) stability = ifbam_stability_new (loaded->model, spec, FALSE, NULL);
  double omega = 0, most = -INFINITY, rate;

  if (stability == NULL)
    return;
  rate = ifbam_stability_growth (stability, spec->scheme, spec->step).rate;
  for (gsize i = 0; i < stability->n_modes; i++)
    {
      const double complex mode = spec->step * stability->mode[i];
      const double growth =
          ifbam_scheme_growth_damped (spec->scheme, cabs (mode), -2 * creal (mode), NULL);

      omega = growth > most ? fabs (cimag (stability->mode[i])) : omega;
      most = fmax (most, growth);
    }
  if (rate > 0)
    g_string_append_printf (
        text, "Mode that grows: %.6g Hz, its amplitude by the factor %.9g in each step.\n",
        (stability->mode != NULL ? omega : stability->fastest) / (2 * G_PI),
        exp (rate * spec->step));
  else if (!isnan (rate))
    g_string_append (text, "No mode grows at this step.\n");
}

/* Writes the energies of all elements, their sum, and the rest of the energy balance. */
static void
write_energy (GString *text, const IfbamSchemeEnergy *energy)
{
  const IfbamSchemeEnergyTerm difference = {
    .name = "difference",
    .step = energy->measured.step - energy->events.step - energy->sum.step,
    .total = energy->measured.total - energy->events.total - energy->sum.total,
  };
  const IfbamSchemeEnergyTerm *sums[] = { &energy->sum, &energy->events, &energy->measured,
                                          &difference };

  for (guint i = 0; i < energy->n + G_N_ELEMENTS (sums); i++)
    {
      const IfbamSchemeEnergyTerm *term = i < energy->n ? &energy->term[i] : sums[i - energy->n];

      if (term != &energy->events || term->total != 0)
        g_string_append_printf (text, "  %-16s  %14.6g  %14.6g\n", term->name, term->step + 0.0,
                                term->total + 0.0);
    }
}

static int
print_energy (const IfbamNetworkOptions *options, const char *path, int steps)
{
  g_auto (IfbamLoaded) loaded = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamSchemeEnergy) energy = NULL;
  g_autoptr (GString) text = g_string_new (NULL);
  gboolean goes_on;

  if (!ifbam_load (&loaded, options, path, FALSE, &error))
    return ifbam_command_fail (error);
  goes_on = ifbam_scheme_energy_applies (loaded.model, &loaded.spec);
  if (!goes_on && loaded.model->unbatched_links->len > 0)
    return ifbam_loaded_fail (
        &loaded, g_error_new_literal (IFBAM_ERROR, IFBAM_ERROR_USAGE, IFBAM_SCHEME_ENERGY_FAULT));
  if (!goes_on)
    g_string_append (text, "No energy per element: " IFBAM_SCHEME_ENERGY_FAULT ".\n");
  else
    {
      energy = ifbam_scheme_energy_new (ifbam_engine_new_as_needed (loaded.model, &loaded.spec, 1));
      g_string_append_printf (text, "Energy that %s brings [J]\n%34s  %14s\n",
                              loaded.spec.scheme->name, "in this step", "so far");
    }
  for (int step = 1; step <= steps && goes_on; step++)
    {
      goes_on = ifbam_scheme_energy_step (energy);
      g_string_append_printf (text, "Step %d, t = %.9g s\n", step, energy->time);
      write_energy (text, energy);
      if (!print_line (text, NULL, "", &error))
        return ifbam_command_fail (error);
    }
  if (!goes_on && energy != NULL)
    g_string_append (text, "The run diverges: values are not finite.\n");
  write_growing_mode (text, &loaded);
  return ifbam_command_print (text->str);
}

static int
command_dialogue (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  int cycles = 3;
  gboolean of_energy = FALSE;
  const GOptionEntry entries[] = {
    { "cycles", 'n', 0, G_OPTION_ARG_INT, &cycles, "number of steps (default 3)", "N" },
    { "energy", 0, 0, G_OPTION_ARG_NONE, &of_energy,
      "print the energy that the scheme itself brings, per element and step", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  if (cycles < 1)
    return ifbam_command_usage (command, "-n: want 1 or more, not %d", cycles);
  if (of_energy)
    return print_energy (&options, argv[1], cycles);
  network = ifbam_command_load (&options, argv[1], &error);
  if (network == NULL)
    return ifbam_command_fail (error);
  return print_dialogue (network, cycles);
}

const IfbamCommand ifbam_command_dialogue = {
  "dialogue",
  "NETWORK",
  "print the messages between elements in the first steps",
  "  ifbam dialogue networks/one-dof.ini\n"
  "  ifbam dialogue networks/two-dof.ini -n 5 --scheme verlet\n"
  "  ifbam dialogue networks/two-capacitors.ini -n 52\n"
  "  ifbam dialogue networks/three-dof.ini --energy --scheme original\n",
  command_dialogue,
  "scheme step start set",
};
