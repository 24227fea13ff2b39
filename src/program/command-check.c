/* command-check.c: ifbam check: reads a network, says what it is, runs nothing
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

/* What the network has; of a large one the model may be a sample. */
typedef struct
{
  gboolean sampled;
  guint64 nodes, given, links, signals;
} Counts;

/* Elements, not the nodes that they act on. */
static gsize
count_sources (const IfbamModel *model)
{
  gsize n = 0;

  for (gsize i = 0; i < model->n_sources; i++)
    n += ifbam_model_source_of (model, i)->first == i;
  return n;
}

/* Links that have modes, monitors left out. */
static gsize
count_links (const IfbamModel *model)
{
  gsize n = 0;

  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    n += link->info->hears == NULL && link->place == 0;
  return n;
}

static Counts
counts_of (const IfbamModel *model, const IfbamSignals *signals)
{
  return (Counts){ FALSE, ifbam_model_n_outer (model), ifbam_model_n_given (model),
                   model->n_links + count_links (model), signals->signals->len };
}

/* Members of composites that repeat are counted, and a sample of them is compiled. */
static IfbamModel *
compile_sample (gpointer data, IfbamNetwork *network, IfbamRunSpec *spec, IfbamSignals **signals,
                GArray *issues)
{
  Counts *counts = data;
  g_autoptr (GArray) doubts = g_array_new (FALSE, FALSE, sizeof (IfbamIssue));
  g_autoptr (IfbamSurvey) survey = NULL;
  g_autoptr (IfbamModel) model = NULL;
  IfbamExcerpt *sample;

  g_array_set_clear_func (doubts, (GDestroyNotify) ifbam_issue_clear);
  survey = ifbam_survey_new (network, doubts);
  sample = survey == NULL ? NULL : ifbam_survey_sample (survey);
  if (sample == NULL)
    return ifbam_network_compile (network, TRUE, spec, signals, issues);
  model = ifbam_survey_compile (survey, sample, spec, signals, issues);
  if (model == NULL)
    return NULL;
  /* These depend on the whole. */
  if (spec->chosen != NULL || spec->equilibrium || (*signals)->elsewhere)
    {
      g_clear_pointer (signals, ifbam_signals_free);
      ifbam_run_spec_clear (spec);
      return ifbam_network_compile (network, TRUE, spec, signals, issues);
    }
  *counts = counts_of (model, *signals);
  if (spec->record == NULL)
    counts->signals += survey->n_free - counts->nodes;
  counts->sampled = TRUE;
  counts->nodes = survey->n_free;
  counts->links = survey->n_links;
  return g_steal_pointer (&model);
}

static IfbamNetwork *
read_network (const IfbamNetworkOptions *options, const char *path, IfbamModel **model,
              IfbamRunSpec *spec, Counts *counts, GError **error)
{
  const IfbamCompiling compiling = { compile_sample, counts };
  g_autoptr (IfbamSignals) signals = NULL;
  IfbamNetwork *network =
      ifbam_command_compile_by (options, path, &compiling, model, spec, &signals, error);

  if (*model != NULL && counts->nodes == 0)
    *counts = counts_of (*model, signals);
  return network;
}

/* So many names are enough. */
#define MOST_NAMES 5

/* "redundant "three" follows from "one" and "two"" */
static void
append_dependence (GString *text, const IfbamModel *model, const IfbamFreedom *freedom)
{
  const guint n = MIN (freedom->redundant, MOST_NAMES);

  for (guint i = 0; i < n; i++)
    {
      const IfbamDependence *dependence = &g_array_index (freedom->dependence, IfbamDependence, i);
      const guint named = MIN (dependence->n, MOST_NAMES);

      g_string_append_printf (text, "%s\"%s\" %s", i == 0 ? "redundant " : "          ",
                              ifbam_unbatched_link (model, dependence->relation)->name,
                              dependence->n == 0 ? "joins what can't move by itself"
                                                 : "follows from ");
      for (guint k = 0; k < named; k++)
        g_string_append_printf (text, "%s\"%s\"",
                                k == 0                                     ? ""
                                : k + 1 == named && named == dependence->n ? " and "
                                                                           : ", ",
                                ifbam_unbatched_link (model, dependence->others[k])->name);
      if (named < dependence->n)
        g_string_append_printf (text, " and %u more", dependence->n - named);
      g_string_append_c (text, '\n');
    }
  if (n < freedom->redundant)
    g_string_append_printf (text, "          and %u more\n", freedom->redundant - n);
}

static gboolean
can_hit (const IfbamModel *model)
{
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->law->relation != NULL
        && link->law->relation (link->numbers, IFBAM_MODE_OPEN).kind == IFBAM_CONSTRAINT_CONTACT)
      return TRUE;
  return model->impulses->len > 0;
}

/* "pins      hits pass "main" without friction": in impacts frictions with several carriers are idle. */
static void
append_pins (GString *text, const IfbamModel *model, gboolean redundant)
{
  const gboolean hits = can_hit (model);
  guint n = 0;

  for (const IfbamLink *link = NULL; (hits || redundant) && ifbam_unbatched_next (model, &link);)
    {
      if (link->n_carriers < 2)
        continue;
      if (n < MOST_NAMES)
        g_string_append_printf (text, "%s\"%s\"", n == 0 ? "pins      " : ", ",
                                link->element->name);
      n++;
    }
  if (n > MOST_NAMES)
    g_string_append_printf (text, " and %u more", n - MOST_NAMES);
  if (n > 0)
    g_string_append_printf (text, ": %s%s%s\n", hits ? "hits pass without friction" : "",
                            hits && redundant ? "; " : "",
                            redundant ? "how much friction is a matter of how redundant relations "
                                        "share their load"
                                      : "");
}

/* "freedom   6 coordinates, 5 relations: 1 degree of freedom" */
static void
append_freedom (GString *text, const IfbamModel *model, double step)
{
  g_auto (IfbamFreedom) freedom = ifbam_model_freedom (model);
  g_autofree char *turning = ifbam_model_turning_text (model, step);
  const guint free = freedom.coordinates + freedom.redundant - freedom.relations;

  if (freedom.relations == 0)
    return;
  g_string_append_printf (text, "freedom   %u coordinate%s, %u relation%s", freedom.coordinates,
                          plural (freedom.coordinates), freedom.relations,
                          plural (freedom.relations));
  if (freedom.redundant > 0)
    g_string_append_printf (text, " (%u of them follow%s from the others)", freedom.redundant,
                            freedom.redundant == 1 ? "s" : "");
  g_string_append_printf (text, ": %u degree%s of freedom\n", free, plural (free));
  append_dependence (text, model, &freedom);
  append_pins (text, model, freedom.redundant > 0);
  if (turning != NULL)
    g_string_append_printf (text, "turning   %s\n", turning);
}

static void
append_verdict (GString *text, gboolean has_junctions, const IfbamStability *stability,
                const IfbamVerdict *verdict)
{
  static const char *const certainties[] = { "", "up to ", "about " };
  const double rate = verdict->growth.rate;
  const char *laws = stability != NULL && stability->n_nonlinear > 0
                         ? ", while laws are no steeper than at the start"
                         : "";
  g_autofree char *engaged =
      verdict->engaged == NULL ? NULL : ifbam_engagement_text (verdict->engaged);

  if (stability == NULL)
    g_string_append (text,
                     has_junctions
                         ? "stability what is too fast for the step decays at once (junctions have "
                           "no inertia, and want such a scheme)\n"
                         : "stability not known: a law has no finite slope at the start\n");
  else if (verdict->growth.certainty == IFBAM_UNSOLVED)
    g_string_append_printf (text,
                            "stability not known: under %s a step of %s s near the start has no "
                            "solution (choose a shorter step, or another scheme)\n",
                            verdict->scheme->name, IFBAM_NUMBER (verdict->step));
  else if (engaged != NULL)
    g_string_append_printf (text,
                            "stability too long a step %s: the scheme bears %s%.3g s; "
                            "a mode grows at up to %.3g per second\n",
                            engaged, verdict->at_least ? "at least " : "", verdict->longest_step,
                            rate);
  else if (!(rate > 1e-12))
    g_string_append_printf (text, "stability the scheme lets no mode grow at this step%s\n", laws);
  else if (isinf (rate))
    g_string_append (text, "stability too long a step: a mode grows beyond all numbers\n");
  else if (verdict->while_open)
    g_string_append_printf (
        text,
        "stability the scheme lets no mode grow, but while diodes and the like are open: at "
        "%s%.3g per second\n",
        certainties[verdict->growth.certainty], rate);
  else if (verdict->shows && verdict->critical_step > 0 && verdict->critical_step < verdict->step)
    g_string_append_printf (text,
                            "stability too long a step: the scheme bears %s%.3g s; "
                            "a mode grows at %s%.3g per second\n",
                            verdict->at_least ? "at least " : "", verdict->critical_step,
                            certainties[verdict->growth.certainty], rate);
  else
    g_string_append_printf (text, "stability the scheme lets %s mode grow at %s%.3g per second%s\n",
                            stability->has_damping ? "a" : "this",
                            certainties[verdict->growth.certainty], rate, laws);
}

/* How long steps are, or what to expect of those that a tolerance chooses. */
static char *
steps_text (const IfbamRunSpec *spec)
{
  if (spec->tolerance > 0)
    return g_strdup_printf ("chosen for a tolerance of %s, at first %s s; rows every %s s by dense "
                            "output",
                            IFBAM_NUMBER (spec->tolerance), IFBAM_NUMBER (spec->first),
                            IFBAM_NUMBER (spec->step));
  return g_strdup_printf ("%s s%s%s%s, %" G_GUINT64_FORMAT " steps", IFBAM_NUMBER (spec->step),
                          spec->chosen != NULL ? " (auto: " : "",
                          spec->chosen != NULL ? spec->chosen : "", spec->chosen != NULL ? ")" : "",
                          spec->last_step);
}

/* The steps of a run under a tolerance, if the fastest mode (angular frequency [1/s]) swings all the time. */
static double
expected_steps (const IfbamRunSpec *spec, double fastest)
{
  return (double) spec->last_step * spec->step
         / ifbam_scheme_adaptive_step (spec->scheme, fastest, spec->tolerance);
}

static char *
text_of (const IfbamNetwork *network, const IfbamModel *model, const Counts *counts,
         const IfbamRunSpec *spec, const IfbamStability *stability, const IfbamVerdict *verdict)
{
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];
  const double fastest = stability != NULL ? stability->fastest : 0;
  const char *at_most = stability != NULL && stability->fastest_is_bound ? "at most " : "";
  GString *text = g_string_new (NULL);
  guint64 rows = spec->last_step / spec->stride + 1;
  const gsize links = count_links (model);
  g_autofree char *moded = links > 0
                               ? g_strdup_printf (", %" G_GSIZE_FORMAT " of them with modes", links)
                               : g_strdup ("");
  g_autofree char *steps = steps_text (spec);
  g_autoptr (GPtrArray) cautions = ifbam_cautions_list (model, spec, stability);
  g_autofree char *rows_caution = ifbam_cautions_rows_text (spec, stability);

  if (title != NULL)
    g_string_append_printf (text, "%s\n", title);
  g_string_append_printf (text,
                          "nodes     %" G_GUINT64_FORMAT " free, %" G_GUINT64_FORMAT " given\n"
                          "links     %" G_GUINT64_FORMAT "%s\n"
                          "sources   %" G_GSIZE_FORMAT "\n"
                          "scheme    %s (order %d), %s start\n"
                          "step      %s, until %g s\n"
                          "record    %" G_GUINT64_FORMAT " signal%s, %" G_GUINT64_FORMAT " rows\n",
                          counts->nodes, counts->given, counts->links, moded, count_sources (model),
                          spec->scheme->name, spec->scheme->order, ifbam_command_start (spec),
                          steps, (double) spec->last_step * spec->step, counts->signals,
                          plural (counts->signals), rows);
  if (fastest > 0)
    g_string_append_printf (
        text, "fastest   %s%.6g Hz (from the laws' slopes %s)", at_most, fastest / (2 * G_PI),
        stability->mechanism != NULL && stability->mechanism->at_rest ? "where it is at rest"
                                                                      : "at the start");
  if (fastest > 0 && spec->tolerance > 0)
    g_string_append_printf (text, "; while it swings the tolerance needs over %.2g steps",
                            expected_steps (spec, fastest));
  else if (fastest > 0)
    g_string_append_printf (text, "; angular frequency times step is %s%.3g", at_most,
                            fastest * spec->step);
  if (fastest > 0)
    g_string_append_c (text, '\n');
  append_freedom (text, model, spec->tolerance > 0 ? spec->first : spec->step);
  if (!(spec->tolerance > 0))
    append_verdict (text, model->n_junctions > 0, stability, verdict);
  for (guint i = 0; i < cautions->len; i++)
    g_string_append_printf (text, "warning   %s\n", (const char *) cautions->pdata[i]);
  if (rows_caution != NULL)
    g_string_append_printf (text, "warning   %s\n", rows_caution);
  return g_string_free (text, FALSE);
}

static void
add_dependence (JsonBuilder *builder, const IfbamModel *model, const IfbamFreedom *freedom)
{
  ifbam_json_array (builder, "dependent_relations");
  for (guint i = 0; freedom->dependence != NULL && i < freedom->dependence->len; i++)
    {
      const IfbamDependence *dependence = &g_array_index (freedom->dependence, IfbamDependence, i);

      json_builder_begin_object (builder);
      ifbam_json_string (builder, "relation",
                         ifbam_unbatched_link (model, dependence->relation)->name);
      ifbam_json_array (builder, "follows_from");
      for (guint k = 0; k < dependence->n; k++)
        json_builder_add_string_value (builder,
                                       ifbam_unbatched_link (model, dependence->others[k])->name);
      json_builder_end_array (builder);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static int
print_json (const IfbamNetwork *network, const IfbamModel *model, const Counts *counts,
            const IfbamRunSpec *spec, const IfbamStability *stability, const IfbamVerdict *verdict)
{
  JsonBuilder *builder = json_builder_new ();
  g_auto (IfbamFreedom) freedom = ifbam_model_freedom (model);
  const char *title = ifbam_element_slots (network->settings)[IFBAM_SETTING_TITLE];

  json_builder_begin_object (builder);
  ifbam_json_string (builder, "title", title != NULL ? title : "");
  ifbam_json_count (builder, "free_nodes", counts->nodes);
  ifbam_json_count (builder, "given_nodes", counts->given);
  ifbam_json_count (builder, "links", counts->links);
  ifbam_json_count (builder, "links_with_modes", count_links (model));
  ifbam_json_count (builder, "sources", count_sources (model));
  if (freedom.relations > 0)
    {
      ifbam_json_count (builder, "coordinates", freedom.coordinates);
      ifbam_json_count (builder, "relations", freedom.relations);
      ifbam_json_count (builder, "redundant_relations", freedom.redundant);
      add_dependence (builder, model, &freedom);
    }
  ifbam_json_string (builder, "scheme", spec->scheme->name);
  ifbam_json_string (builder, "start", ifbam_command_start (spec));
  ifbam_json_number (builder, "step", spec->tolerance > 0 ? spec->first : spec->step);
  if (spec->tolerance > 0)
    {
      const double fastest = stability != NULL ? stability->fastest : 0;

      ifbam_json_number (builder, "tolerance", spec->tolerance);
      ifbam_json_number (builder, "expected_steps",
                         fastest > 0 ? expected_steps (spec, fastest) : NAN);
    }
  ifbam_json_count (builder, "steps", spec->last_step);
  ifbam_json_number (builder, "duration", (double) spec->last_step * spec->step);
  ifbam_json_count (builder, "signals", counts->signals);
  ifbam_json_count (builder, "rows", spec->last_step / spec->stride + 1);
  ifbam_json_number (builder, "fastest_frequency",
                     stability != NULL ? stability->fastest / (2 * G_PI) : NAN);
  ifbam_json_boolean (builder, "fastest_is_at_most",
                      stability != NULL && stability->fastest_is_bound);
  ifbam_json_count (builder, "nonlinear_links", stability != NULL ? stability->n_nonlinear : 0);
  ifbam_json_number (builder, "growth_rate", verdict->growth.rate);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

/* Of names, one a line: {"signals": [...]}. */
static int
print_names (const char *what, char *names, gboolean json)
{
  JsonBuilder *builder;

  if (!json)
    return ifbam_command_print (names);
  builder = json_builder_new ();
  json_builder_begin_object (builder);
  ifbam_json_array (builder, what);
  for (char *end; (end = strchr (names, '\n')) != NULL; names = end + 1)
    {
      *end = '\0';
      json_builder_add_string_value (builder, names);
    }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  return ifbam_command_print_json (builder);
}

static int
command_check (const char *program, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autofree char *list = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "list", 0, 0, G_OPTION_ARG_STRING, &list,
      "print names instead: signals, settings, numbers (which can be varied) or inputs", "WHAT" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (&ifbam_command_check, entries);
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamNetwork) network = NULL;
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autofree char *text = NULL;
  Counts counts = { 0 };
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamStability) stability = NULL;
  IfbamVerdict verdict = { .growth.rate = NAN };
  static const char *const heard[] = { "scheme", "step",      "duration", "start", "record",
                                       "sample", "tolerance", "set",      NULL };
  int exit_code;

  (void) program;
  ifbam_network_options_add (&options, context, heard);
  if (!ifbam_command_parse (&ifbam_command_check, context, &argc, &argv, 1, 1, &exit_code))
    return exit_code;
  network = list != NULL
                ? ifbam_command_compile (&options, argv[1], &model, &spec, &signals, &error)
                : read_network (&options, argv[1], &model, &spec, &counts, &error);
  if (model == NULL)
    return ifbam_command_fail (error);
  if (list != NULL)
    {
      g_autoptr (GString) names = g_string_new (NULL);

      return ifbam_command_list (list, network, model, names, &error)
                 ? print_names (list, names->str, json)
                 : ifbam_command_fail (error);
    }
  stability = ifbam_stability_new (model, &spec, TRUE, NULL);
  /* A sample has the bound of the whole, but not its modes. */
  if (stability != NULL && counts.sampled && stability->fastest > 0)
    {
      stability->fastest = stability->bound;
      stability->fastest_is_bound = TRUE;
    }
  if (stability != NULL && !(spec.tolerance > 0))
    verdict = ifbam_verdict (stability, spec.scheme, spec.step, (double) spec.last_step * spec.step,
                             FALSE);
  if (json)
    return print_json (network, model, &counts, &spec, stability, &verdict);
  text = text_of (network, model, &counts, &spec, stability, &verdict);
  return ifbam_command_print (text);
}

const IfbamCommand ifbam_command_check = {
  "check",
  "NETWORK",
  "read a network, say what it is, run nothing",
  "  ifbam check networks/two-dof.ini\n"
  "  ifbam check networks/two-dof.ini --step 1ms --json\n"
  "  ifbam check networks/two-dof.ini --list signals\n",
  command_check,
};
