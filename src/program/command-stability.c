/* command-stability.c: ifbam stability: growth of modes under each scheme, and stable steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <math.h>
#include <unistd.h>

#include "program/command.h"
#include "embed/embed.h"
#include "linear/linear.h"
#include "engine/engine.h"

typedef struct
{
  const char *title; /* NULL: none */
  const IfbamModel *model;
  const IfbamRunSpec *spec;
  const IfbamStability *stability;
  double duration;                 /* [s] */
  double up_to;                    /* [1/s] */
  double complex mode;             /* eigenvalue of the mode of interest [1/s] */
  IfbamStabilityVerdict *findings; /* (n) */
  guint n;
} Report;

/* Shows progress: large networks take long. */
static void
find_all (Report *report)
{
  const gint64 began = g_get_monotonic_time ();
  const IfbamScheme *const *schemes = ifbam_schemes (&report->n);
  gboolean shown = FALSE;

  report->findings = g_new (IfbamStabilityVerdict, report->n);
  for (guint i = 0; i < report->n; i++)
    {
      if (isatty (STDERR_FILENO) && g_get_monotonic_time () - began > 2 * G_USEC_PER_SEC)
        {
          g_printerr ("\rifbam: scheme %u of %u   ", i + 1, report->n);
          shown = TRUE;
        }
      report->findings[i] = ifbam_stability_judge (
          report->stability, schemes[i], report->spec->step, report->duration, report->mode);
    }
  if (shown)
    g_printerr ("\r%30s\r", "");
}

/* Words */

/* Relative difference up to which growth is that of the network itself. */
#define SAME_GROWTH 0.01

/* Returns "grows by 39 % over 4 s", "doubles every 29 steps". */
static char *
growth_text (const Report *report, const IfbamStabilityVerdict *growth)
{
  static const char *const certainties[] = { "", "at most ", "about ", "" };
  const char *certainty = certainties[growth->certainty];
  const double step = report->spec->step, exponent = growth->growth_rate * report->duration;
  const double doubling = G_LN2 / (growth->growth_rate * step);

  if (exponent < 1)
    return g_strdup_printf ("grows by %s%.*g %% over %g s", certainty, exponent < G_LN2 ? 2 : 3,
                            100 * expm1 (exponent), report->duration);
  if (growth->growth_rate * step > 200)
    return g_strdup ("grows beyond all numbers");
  if (doubling > 2)
    return g_strdup_printf ("doubles every %s%.*f steps",
                            growth->certainty == IFBAM_ABOUT ? "about " : "", doubling < 10 ? 1 : 0,
                            doubling);
  return g_strdup_printf ("grows %s%.3g-fold with every step", certainty,
                          exp (growth->growth_rate * step));
}

/* Returns an advised step. */
static char *
step_text (double step)
{
  return g_strdup_printf ("%g s", ifbam_step_rounded (step));
}

/* Returns the assessment of a network that grows under any scheme. */
static char *
own_assessment (const Report *report, const IfbamStabilityVerdict *finding)
{
  const double rate = finding->growth_rate, own = report->stability->own_growth;
  g_autofree char *growth = rate > 0 ? growth_text (report, finding) : g_strdup ("decays");
  g_autofree char *better = step_text (finding->longest_step);

  if (fabs (rate - own) <= fmax (SAME_GROWTH * own, IFBAM_VISIBLE_GROWTH / report->duration))
    return g_strdup_printf ("%s, as the network itself does", growth);
  if (rate < own)
    return g_strdup_printf ("%s, %s", growth,
                            rate > 0 ? "slower than the network itself"
                                     : "where the network itself grows");
  if (isfinite (finding->longest_step) && finding->longest_step > 0)
    return g_strdup_printf ("%s, faster than the network itself; %s would do", growth, better);
  return g_strdup_printf ("%s, faster than the network itself", growth);
}

static char *
assessment (const Report *report, const IfbamStabilityVerdict *finding)
{
  const double step = report->spec->step, rate = finding->growth_rate;
  g_autofree char *growth = growth_text (report, finding);
  g_autofree char *better = step_text (finding->longest_step);

  if (report->stability->light
      && !ifbam_scheme_allows_junctions (ifbam_scheme_by_name (finding->scheme)))
    return g_strdup ("takes no junctions");
  if (finding->certainty == IFBAM_UNSOLVED)
    return g_strdup ("not known: a step near the start has no solution");
  if (isnan (rate) && !isfinite (finding->critical_step))
    return g_strdup ("nothing swings");
  if (report->stability->own_growth > 0)
    return own_assessment (report, finding);
  if (rate > 0 && rate * report->duration < IFBAM_VISIBLE_GROWTH)
    return g_strdup_printf ("%s: invisible", growth);
  if (rate > 0 && finding->critical_step > 0
      && !(isfinite (finding->longest_step) && finding->longest_step > 0))
    return g_strdup_printf ("too long a step: %s", growth);
  if (rate > 0 && finding->critical_step > 0)
    return g_strdup_printf ("too long a step: %s; %s would do", growth, better);
  if (rate > 0 && isfinite (finding->longest_step) && finding->longest_step > 0)
    return g_strdup_printf ("%s; below 1 %% with %s", growth, better);
  if (rate > 0)
    return g_strdup_printf ("%s, whatever the step", growth);
  if (!(finding->critical_step > 0))
    return g_strdup ("stable at this step");
  if (isinf (finding->critical_step))
    return g_strdup ("stable at any step");
  return g_strdup_printf ("stable: the step is %.2g of the critical one",
                          step / finding->critical_step);
}

static char *
number_text (double number, const char *format)
{
  char text[64];

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  g_snprintf (text, sizeof text, format, number);
#pragma GCC diagnostic pop
  return isnan (number)   ? g_strdup ("-")
         : isinf (number) ? g_strdup ("any")
         : number == 0    ? g_strdup ("0")
                          : g_strdup (text);
}

static void
add_network (IfbamAnswer *answer, const Report *report)
{
  static const struct
  {
    const char *key, *text;
  } methods[] = {
    [IFBAM_STABILITY_POLYNOMIAL] = { "polynomial", "the schemes' characteristic polynomials at the "
                                                   "eigenfrequencies" },
    [IFBAM_STABILITY_MAP] = { "map", "the eigenvalues of the map of one step, all of them" },
    [IFBAM_STABILITY_ARNOLDI] = { "arnoldi", "the largest eigenvalues of the map of one step" },
    [IFBAM_STABILITY_POWER] = { "power", "the energy of a deviation over many steps: the network "
                                         "is too large for more" },
  };
  const IfbamStability *stability = report->stability;
  const gsize n_nodes = ifbam_model_n_named_free (report->model);
  const char *at_most = stability->fastest_is_bound ? "at most " : "";

  ifbam_answer_add_title (answer, report->title);
  ifbam_answer_add (
      answer, "-,-,-,-,-,duration", "%zu free node%s, %s, %s; step %a s, duration %g s\n", n_nodes,
      n_nodes == 1 ? "" : "s", stability->n_nonlinear > 0 ? "nonlinear" : "linear",
      stability->has_damping ? "damped" : "undamped", report->spec->step, report->duration);
  ifbam_answer_add_data (
      answer,
      "method,damped,nonlinear_links,rigid_bodies,bodies_held_by_dampers,fastest_frequency,"
      "fastest_is_at_most,frequency_of_interest",
      "%s%i%zu%zu%zu%g%i%g", methods[stability->method].key, stability->has_damping,
      stability->n_nonlinear, stability->n_bodies, stability->n_neutral,
      stability->fastest / (2 * G_PI), stability->fastest_is_bound,
      cimag (report->mode) > 0 ? cimag (report->mode) / (2 * G_PI) : NAN);
  if (stability->fastest > 0)
    ifbam_answer_add_note (
        answer, "fastest mode%s %s%.6g Hz: angular frequency times step is %s%.3g\n",
        stability->has_damping ? " (without damping)" : "", at_most,
        stability->fastest / (2 * G_PI), at_most, stability->fastest * report->spec->step);
  ifbam_answer_add_note (answer, "by %s\n\n", methods[stability->method].text);
}

/* TRUE if events may change the computed stability. */
static gboolean
has_events (const Report *report)
{
  if (report->stability->mechanism == NULL)
    return ifbam_model_has_events (report->model);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (report->model, &link);)
    if (link->law->modes != NULL && !ifbam_link_is_fixed (link))
      return TRUE;
  return FALSE;
}

static void
add_notes (IfbamAnswer *answer, const Report *report)
{
  const IfbamStability *stability = report->stability;
  const gsize n_nonlinear = stability->n_nonlinear;

  ifbam_answer_add_note (
      answer, "\n* the network's own scheme. Growth is that of the worst mode's amplitude; "
              "beyond the\n  critical step it grows (0: at every step).");
  if (cimag (report->mode) > 0)
    ifbam_answer_add_note (answer, " The frequency error is that of %s%.6g Hz.",
                           stability->mode == NULL && stability->fastest_is_bound ? "at most " : "",
                           cimag (report->mode) / (2 * G_PI));
  else if (isfinite (report->up_to))
    ifbam_answer_add_note (answer, " No mode swings at %.6g Hz or below.",
                           report->up_to / (2 * G_PI));
  ifbam_answer_add_note (answer, "\n");
  if (n_nonlinear > 0)
    ifbam_answer_add_note (
        answer, "  %" G_GSIZE_FORMAT " link%s nonlinear: all this holds near %s.\n", n_nonlinear,
        n_nonlinear == 1 ? " is" : "s are",
        stability->mechanism == NULL || !stability->mechanism->motions->held_at_start
            ? stability->mechanism != NULL && stability->mechanism->at_rest
                  ? "where the network is at rest"
                  : "the network's start"
            : "the network's start, as if it were held there");
  if (has_events (report) && stability->active_modes->len == 0)
    ifbam_answer_add_note (
        answer, "  Contacts, frictions and whatever else has events are left out: it holds "
                "between these.\n");
  for (guint i = 0; i < stability->active_modes->len; i++)
    {
      const IfbamActiveMode *one = &g_array_index (stability->active_modes, IfbamActiveMode, i);
      g_autofree char *growing_mode = ifbam_active_mode_text (one);

      if (one->listed)
        ifbam_answer_add_note (answer, "  The steps hold %s, too.\n", growing_mode);
    }
  if (stability->n_bodies > 0)
    ifbam_answer_add_note (answer,
                           "  %" G_GSIZE_FORMAT " bod%s that nothing holds: a drift does not "
                           "count as growth.\n",
                           stability->n_bodies, stability->n_bodies == 1 ? "y" : "ies");
  if (stability->n_neutral > 0)
    ifbam_answer_add_note (answer,
                           "  %" G_GSIZE_FORMAT " bod%s that only dampers hold: where %s come%s to "
                           "rest does not count.\n",
                           stability->n_neutral, stability->n_neutral == 1 ? "y" : "ies",
                           stability->n_neutral == 1 ? "it" : "they",
                           stability->n_neutral == 1 ? "s" : "");
  if (stability->own_growth > 0)
    ifbam_answer_add_note (answer,
                           "  The network itself moves away from its start, at %.4g per second: a "
                           "step that would do\n  adds to that by less than 1 %% until the end.\n",
                           stability->own_growth);
}

static void
add_finding (IfbamAnswer *answer, const Report *report, const IfbamStabilityVerdict *finding)
{
  static const char *const certainties[] = { "certain", "at_most", "about", "unsolved" };
  g_autofree char *growth =
      number_text (finding->growth_rate, finding->certainty == IFBAM_ABOUT     ? "about %.2g"
                                         : finding->certainty == IFBAM_AT_MOST ? "up to %.4g"
                                                                               : "%.4g");
  g_autofree char *critical = number_text (finding->critical_step, "%.6g");
  g_autofree char *error = number_text (100 * finding->frequency_error, "%+.3g %%");
  g_autofree char *words = assessment (report, finding);

  ifbam_answer_begin_record (answer, NULL);
  ifbam_answer_add_data (
      answer, "scheme,step,growth_rate,growth_rate_is,critical_step,longest_step,frequency_error",
      "%s%g%g%s%g%g%g", finding->scheme, report->spec->step, finding->growth_rate,
      certainties[finding->certainty], finding->critical_step, finding->longest_step,
      finding->frequency_error);
  ifbam_answer_add (answer, "-,-,-,-,-,verdict", "%s %-17s  %12s  %17s  %15s  %s\n",
                    g_str_equal (finding->scheme, report->spec->scheme->name) ? "*" : " ",
                    finding->scheme, growth, critical, error, words);
  ifbam_answer_end (answer);
}

static int
print (const IfbamLoaded *loaded, gboolean json)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (IfbamStability) stability = ifbam_command_stability_of (loaded, &error);
  /* The first step under a tolerance is assessed. */
  const IfbamRunSpec judged = ifbam_run_spec_at_first (&loaded->spec);
  Report report = { .title = loaded->title,
                    .model = loaded->model,
                    .spec = &judged,
                    .stability = stability,
                    .duration = (double) loaded->spec.last_step * loaded->spec.step,
                    .up_to = loaded->spec.up_to };
  g_autofree IfbamStabilityVerdict *findings = NULL;
  IfbamAnswer *answer;

  if (stability == NULL)
    return ifbam_command_fail (error);
  report.mode = ifbam_stability_mode (stability, report.up_to);
  find_all (&report);
  findings = report.findings;
  answer = ifbam_answer_new (json, NULL);
  add_network (answer, &report);
  ifbam_answer_add_note (answer, "  %-17s  %12s  %17s  %15s  verdict\n", "scheme", "growth [1/s]",
                         "critical step [s]", "frequency error");
  ifbam_answer_begin_list (answer, "schemes");
  for (guint i = 0; i < report.n; i++)
    add_finding (answer, &report, &findings[i]);
  ifbam_answer_end (answer);
  add_notes (answer, &report);
  return ifbam_answer_finish (answer);
}

static int
command_stability (const IfbamCommand *command, int argc, char **argv)
{
  g_auto (IfbamNetworkOptions) options = { 0 };
  g_autofree char *up_to = NULL;
  gboolean json = FALSE;
  const GOptionEntry entries[] = {
    { "up-to", 0, 0, G_OPTION_ARG_STRING, &up_to,
      "highest frequency of interest (default: the fastest mode's)", "F" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, "print JSON", NULL },
    G_OPTION_ENTRY_NULL,
  };
  g_autoptr (GOptionContext) context = ifbam_command_context (command, entries);
  g_autoptr (GError) error = NULL;
  g_auto (IfbamLoaded) loaded = { 0 };
  int exit_code;

  if (!ifbam_command_parse (command, context, &options, &argc, &argv, &exit_code))
    return exit_code;
  options.up_to = g_steal_pointer (&up_to);
  if (!ifbam_load (&loaded, &options, argv[1], TRUE, &error))
    return ifbam_command_fail (error);
  if (!ifbam_stability_applies (loaded.model, &error))
    return ifbam_loaded_fail (&loaded, error);
  return print (&loaded, json);
}

const IfbamCommand ifbam_command_stability = {
  "stability",
  "NETWORK",
  "compute the growth of modes under each scheme, and critical steps",
  "  ifbam stability networks/three-dof.ini\n"
  "  ifbam stability networks/three-dof.ini --step 1ms --up-to 30Hz\n"
  "  ifbam stability networks/duffing.ini --json\n",
  command_stability,
  "step duration start set",
};
