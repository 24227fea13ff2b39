/* command-check.c: ifbam check: size, scheme and stability of a network, without a run
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>

#include "program/cautions.h"
#include "program/command.h"
#include "program/command-list.h"
#include "base/number-text.h"
#include "model/model.h"
#include "linear/linear.h"
#include "run/run.h"

static const char *
plural (gsize n)
{
  return n == 1 ? "" : "s";
}

/* Counts of the network; the model may be a sample of it. */
typedef struct
{
  gboolean sampled;
  guint64 nodes, given, links, signals;
} Counts;

/* Counts elements, not the nodes on which they act. */
static gsize
count_sources (const IfbamModel *model)
{
  gsize n = 0;

  for (gsize i = 0; i < model->n_sources; i++)
    n += ifbam_model_source_of (model, i)->first == i;
  return n;
}

/* Counts links with modes, except monitors. */
static gsize
count_links (const IfbamModel *model)
{
  gsize n = 0;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    n += link->info->signal == NULL && link->place == 0;
  return n;
}

static Counts
counts_of (const IfbamModel *model, const IfbamSignals *signals)
{
  return (Counts){ FALSE, ifbam_model_n_named_free (model), ifbam_model_n_given (model),
                   model->n_links + count_links (model), signals->signals->len };
}

/* Counts repeated members of composites, and compiles a sample of them. */
static IfbamModel *
compile_sample (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
                GArray *issues)
{
  Counts *counts = data;
  g_autoptr (GArray) doubts = ifbam_issues_new ();
  g_autoptr (IfbamNetworkGraph) graph = NULL;
  g_autoptr (IfbamModel) model = NULL;
  IfbamSubnetwork *sample;

  graph = ifbam_network_graph_new (network, doubts);
  sample = graph == NULL ? NULL : ifbam_network_graph_sample (graph);
  if (sample == NULL)
    return ifbam_network_compile (network, TRUE, spec, signals, issues);
  model = ifbam_network_graph_compile (graph, sample, spec, signals, issues);
  if (model == NULL)
    return NULL;
  /* These need the whole network. */
  if (spec->chosen != NULL || spec->equilibrium || (*signals)->elsewhere)
    {
      g_clear_pointer (signals, ifbam_signals_free);
      ifbam_run_spec_clear (spec);
      return ifbam_network_compile (network, TRUE, spec, signals, issues);
    }
  *counts = counts_of (model, *signals);
  if (spec->record == NULL)
    counts->signals += graph->n_free - counts->nodes;
  counts->sampled = TRUE;
  counts->nodes = graph->n_free;
  counts->links = graph->n_links;
  return g_steal_pointer (&model);
}

/* Largest number of names that are listed. */
#define MAX_NAMES 5

/* Adds redundant constraints, the first as text: "three" follows from "one" and "two". */
static void
add_dependence (IfbamAnswer *answer, const IfbamModel *model, const IfbamDegreesOfFreedom *freedom)
{
  const guint n = freedom->dependence == NULL ? 0 : freedom->dependence->len;

  ifbam_answer_begin_list (answer, "dependent_relations");
  for (guint i = 0; i < n; i++)
    {
      const IfbamDependence *dependence = &g_array_index (freedom->dependence, IfbamDependence, i);
      const char *name = ifbam_unbatched_link (model, dependence->relation)->name;
      g_autoptr (GString) others = g_string_new (NULL);

      ifbam_answer_begin_record (answer, NULL);
      ifbam_answer_add_data (answer, "relation", "%s", name);
      ifbam_answer_begin_list (answer, "follows_from");
      for (guint k = 0; k < dependence->n; k++)
        {
          const char *other = ifbam_unbatched_link (model, dependence->others[k])->name;
          const gboolean is_last = k + 1 == dependence->n;

          ifbam_answer_add_data (answer, "", "%s", other);
          if (k < MAX_NAMES)
            g_string_append_printf (others, "%s\"%s\"",
                                    k == 0    ? ""
                                    : is_last ? " and "
                                              : ", ",
                                    other);
        }
      ifbam_answer_end (answer);
      ifbam_answer_end (answer);
      if (dependence->n > MAX_NAMES)
        g_string_append_printf (others, " and %u more", dependence->n - MAX_NAMES);
      if (i < MAX_NAMES)
        ifbam_answer_add_note (
            answer, "%s\"%s\" %s%s\n", i == 0 ? "redundant " : "          ", name,
            dependence->n == 0 ? "joins parts that can't move by themselves" : "follows from ",
            others->str);
    }
  ifbam_answer_end (answer);
  if (n > MAX_NAMES)
    ifbam_answer_add_note (answer, "          and %u more\n", n - MAX_NAMES);
}

static gboolean
has_contact_law (const IfbamModel *model)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->law->constraint != NULL
        && link->law->constraint (link->numbers, IFBAM_MODE_OPEN).kind == IFBAM_CONSTRAINT_CONTACT)
      return TRUE;
  return model->impulses->len > 0;
}

/* Adds "pins ...": frictions bounded by several reactions have no impulse in an impact. */
static void
add_pins (IfbamAnswer *answer, const IfbamModel *model, gboolean redundant)
{
  const gboolean hits = has_contact_law (model);
  guint n = 0;

  for (const IfbamLink *link = NULL; (hits || redundant) && ifbam_unbatched_next (model, &link);)
    {
      if (link->n_carriers < 2)
        continue;
      if (n < MAX_NAMES)
        ifbam_answer_add_note (answer, "%s\"%s\"", n == 0 ? "pins      " : ", ",
                               link->element->name);
      n++;
    }
  if (n > MAX_NAMES)
    ifbam_answer_add_note (answer, " and %u more", n - MAX_NAMES);
  if (n > 0)
    ifbam_answer_add_note (answer, ": %s%s%s\n", hits ? "hits pass without friction" : "",
                           hits && redundant ? "; " : "",
                           redundant ? "how much friction is a matter of how redundant relations "
                                       "share their load"
                                     : "");
}

/* Adds "freedom   6 coordinates, 5 relations: 1 degree of freedom". */
static void
add_freedom (IfbamAnswer *answer, const IfbamModel *model, double step)
{
  g_auto (IfbamDegreesOfFreedom) freedom = ifbam_model_degrees_of_freedom (model);
  g_autofree char *turning = ifbam_model_turning_text (model, step);
  const guint free = freedom.coordinates + freedom.redundant - freedom.relations;

  if (freedom.relations == 0)
    return;
  ifbam_answer_add (answer, "coordinates,-,relations", "freedom   %u coordinate%s, %u relation%s",
                    freedom.coordinates, plural (freedom.coordinates), freedom.relations,
                    plural (freedom.relations));
  ifbam_answer_add_data (answer, "redundant_relations", "%u", freedom.redundant);
  if (freedom.redundant > 0)
    ifbam_answer_add_note (answer, " (%u of them follow%s from the others)", freedom.redundant,
                           freedom.redundant == 1 ? "s" : "");
  ifbam_answer_add_note (answer, ": %u degree%s of freedom\n", free, plural (free));
  add_dependence (answer, model, &freedom);
  add_pins (answer, model, freedom.redundant > 0);
  if (turning != NULL)
    ifbam_answer_add_note (answer, "turning   %s\n", turning);
}

static void
add_assessment (IfbamAnswer *answer, const IfbamModel *model, const IfbamRunSpec *spec,
                const IfbamStability *stability)
{
  static const char *const certainties[] = { "", "up to ", "about " };
  const IfbamStepAssessment found =
      stability == NULL || spec->tolerance > 0
          ? (IfbamStepAssessment){ .growth.rate = NAN }
          : ifbam_step_assess (stability, spec->scheme, spec->step,
                               (double) spec->last_step * spec->step, FALSE);
  const IfbamStepAssessment *assessment = &found;
  const double rate = assessment->growth.rate;
  const char *laws = stability != NULL && stability->n_nonlinear > 0
                         ? ", while laws are no steeper than at the start"
                         : "";
  g_autofree char *growing_mode =
      assessment->growing_mode == NULL ? NULL : ifbam_active_mode_text (assessment->growing_mode);

  ifbam_answer_add_data (answer, "growth_rate", "%g", rate);
  if (spec->tolerance > 0)
    return;
  if (stability == NULL)
    ifbam_answer_add_note (
        answer, model->n_junctions > 0
                    ? "stability modes too fast for the step decay at once (junctions have "
                      "no inertia, and need such a scheme)\n"
                    : "stability not known: a law has no finite slope at the start\n");
  else if (assessment->growth.certainty == IFBAM_UNSOLVED)
    ifbam_answer_add_note (answer,
                           "stability not known: under %s a step of %s s near the start has no "
                           "solution (choose a shorter step, or another scheme)\n",
                           assessment->scheme->name, IFBAM_NUMBER (assessment->step));
  else if (growing_mode != NULL)
    ifbam_answer_add_note (answer,
                           "stability too long a step %s: the scheme is stable up to %s%.3g s; "
                           "a mode grows at up to %.3g per second\n",
                           growing_mode, assessment->at_least ? "at least " : "",
                           assessment->longest_step, rate);
  else if (!(rate > 1e-12))
    ifbam_answer_add_note (answer, "stability the scheme lets no mode grow at this step%s\n", laws);
  else if (isinf (rate))
    ifbam_answer_add_note (answer, "stability too long a step: a mode grows beyond all numbers\n");
  else if (assessment->while_open)
    ifbam_answer_add_note (
        answer,
        "stability the scheme lets no mode grow, but while diodes and the like are open: at "
        "%s%.3g per second\n",
        certainties[assessment->growth.certainty], rate);
  else if (assessment->is_visible && assessment->critical_step > 0
           && assessment->critical_step < assessment->step)
    ifbam_answer_add_note (answer,
                           "stability too long a step: the scheme is stable up to %s%.3g s; "
                           "a mode grows at %s%.3g per second\n",
                           assessment->at_least ? "at least " : "", assessment->critical_step,
                           certainties[assessment->growth.certainty], rate);
  else
    ifbam_answer_add_note (answer,
                           "stability the scheme lets %s mode grow at %s%.3g per second%s\n",
                           stability->has_damping ? "a" : "this",
                           certainties[assessment->growth.certainty], rate, laws);
}

/* Returns the steps of a run under a tolerance while the fastest mode [1/s] oscillates. */
static double
expected_steps (const IfbamRunSpec *spec, double fastest)
{
  return (double) spec->last_step * spec->step
         / ifbam_scheme_adaptive_step (spec->scheme, fastest, spec->tolerance);
}

static void
add_steps (IfbamAnswer *answer, const IfbamRunSpec *spec, double fastest)
{
  g_autofree char *chosen =
      spec->chosen == NULL ? g_strdup ("") : g_strdup_printf (" (auto: %s)", spec->chosen);

  if (spec->tolerance > 0)
    ifbam_answer_add (answer, "tolerance,step",
                      "step      chosen for a tolerance of %a, at first %a s; rows every %a s by "
                      "dense output",
                      spec->tolerance, spec->first, spec->step);
  else
    ifbam_answer_add (answer, "step,-,steps", "step      %a s%s, %lu steps", spec->step, chosen,
                      spec->last_step);
  if (spec->tolerance > 0)
    ifbam_answer_add_data (answer, "expected_steps,steps", "%g%lu",
                           fastest > 0 ? expected_steps (spec, fastest) : NAN, spec->last_step);
  ifbam_answer_add (answer, "duration", ", until %g s\n", (double) spec->last_step * spec->step);
}

static void
add_fastest (IfbamAnswer *answer, const IfbamRunSpec *spec, const IfbamStability *stability)
{
  const double fastest = stability != NULL ? stability->fastest : 0;
  const char *at_most = stability != NULL && stability->fastest_is_bound ? "at most " : "";

  ifbam_answer_add_data (answer, "fastest_frequency,fastest_is_at_most,nonlinear_links", "%g%i%zu",
                         stability != NULL ? fastest / (2 * G_PI) : NAN, *at_most != '\0',
                         stability != NULL ? stability->n_nonlinear : 0);
  if (!(fastest > 0))
    return;
  ifbam_answer_add_note (
      answer, "fastest   %s%.6g Hz (from the laws' slopes %s)", at_most, fastest / (2 * G_PI),
      stability->mechanism != NULL && stability->mechanism->at_rest ? "where it is at rest"
                                                                    : "at the start");
  if (spec->tolerance > 0)
    ifbam_answer_add_note (answer, "; while it swings the tolerance needs over %.2g steps\n",
                           expected_steps (spec, fastest));
  else
    ifbam_answer_add_note (answer, "; angular frequency times step is %s%.3g\n", at_most,
                           fastest * spec->step);
}

static int
print (const IfbamLoaded *loaded, gboolean json, const Counts *counts,
       const IfbamStability *stability)
{
  const IfbamModel *model = loaded->model;
  const IfbamRunSpec *spec = &loaded->spec;
  const gsize moded = count_links (model);
  g_autofree char *modes = g_strdup_printf (", %zu of them with modes", moded);
  g_autoptr (GPtrArray) warnings = ifbam_cautions_list (model, spec, stability);
  g_autofree char *rows_warning = ifbam_cautions_rows_text (spec, stability);
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  ifbam_answer_add (answer, "title,-,free_nodes,given_nodes,links",
                    "%s%snodes     %lu free, %lu given\nlinks     %lu",
                    loaded->title != NULL ? loaded->title : "", loaded->title != NULL ? "\n" : "",
                    counts->nodes, counts->given, counts->links);
  ifbam_answer_add_data (answer, "links_with_modes", "%zu", moded);
  ifbam_answer_add (answer, "-,sources,scheme,-,start",
                    "%s\nsources   %zu\nscheme    %s (order %d), %s start\n",
                    moded > 0 ? modes : "", count_sources (model), spec->scheme->name,
                    spec->scheme->order, ifbam_command_start (spec));
  add_steps (answer, spec, stability != NULL ? stability->fastest : 0);
  ifbam_answer_add (answer, "signals,-,rows", "record    %lu signal%s, %lu rows\n", counts->signals,
                    plural (counts->signals), spec->last_step / spec->stride + 1);
  add_fastest (answer, spec, stability);
  add_freedom (answer, model, spec->tolerance > 0 ? spec->first : spec->step);
  add_assessment (answer, model, spec, stability);
  for (guint i = 0; i < warnings->len; i++)
    ifbam_answer_add_note (answer, "warning   %s\n", (const char *) warnings->pdata[i]);
  if (rows_warning != NULL)
    ifbam_answer_add_note (answer, "warning   %s\n", rows_warning);
  return ifbam_answer_finish (answer);
}

/* Prints one name per line, or {"signals": [...]}. */
static int
print_names (const char *key, char *names, gboolean json)
{
  IfbamAnswer *answer = ifbam_answer_new (json, NULL);

  ifbam_answer_begin_list (answer, key);
  for (char *end; (end = strchr (names, '\n')) != NULL; names = end + 1)
    {
      *end = '\0';
      ifbam_answer_add (answer, "", "%s\n", names);
    }
  ifbam_answer_end (answer);
  return ifbam_answer_finish (answer);
}

static int
command_check (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autofree char *list = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_STRING, &list,
      "print names only: signals, settings, numbers (that can be varied) or inputs", "WHAT" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  Counts counts = { 0 };
  const IfbamCompiling compiling = { compile_sample, &counts, ifbam_network_checksum };
  g_autoptr (IfbamStability) stability = NULL;
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  if (list != NULL ? !ifbam_load (&loaded, &options, argv[1], TRUE, &error)
                   : !ifbam_load_by (&loaded, &options, argv[1], &compiling, &error))
    return ifbam_command_fail (error);
  if (list != NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      return ifbam_command_list (list, loaded.network, loaded.model, names, &error)
                 ? print_names (list, names->str, json)
                 : ifbam_command_fail (error);
    }
  if (counts.nodes == 0)
    counts = counts_of (loaded.model, loaded.signals);
  stability = ifbam_stability_new (loaded.model, &loaded.spec, TRUE, NULL);
  /* A sample has the bound of the whole network, but not its modes. */
  if (stability != NULL && counts.sampled && stability->fastest > 0)
    {
      stability->fastest = stability->bound;
      stability->fastest_is_bound = TRUE;
    }
  return print (&loaded, json, &counts, stability);
}

const IfbamCommand ifbam_command_check = {
  "check",
  "NETWORK",
  "describe a network and assess its step; nothing is run",
  "  ifbam check networks/two-dof.ini\n"
  "  ifbam check networks/two-dof.ini --step 1ms --json\n"
  "  ifbam check networks/two-dof.ini --list signals\n",
  command_check,
  "scheme step duration start record sample tolerance set",
};
