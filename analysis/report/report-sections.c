/* report-sections.c: sections of a report of a network, as data for its page
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "report/report-sections.h"

#include <math.h>
#include <string.h>

#include "linear/linear.h"
#include "engine/engine.h"
#include "spectrum/ifbam-dispersion.h"
#include "base/ifbam-error.h"
#include "spectrum/ifbam-refinement.h"
#include "file/file.h"
#include "figure/figure.h"

#define MAX_ELEMENTS    120 /* in the table */
#define SPECTRUM_POINTS 1200
#define MAX_PEAKS       20
#define VISIBLE         1e-3 /* fraction of the highest amplitude that is visible in a spectrum */
#define CURVE_POINTS    401  /* of the stability chart */
#define MIN_ANGLE       1e-3 /* angular frequency times step */
#define MAX_ANGLE       4.0
#define MIN_GROWTH      1e-13 /* per step; less is rounding of the roots */
#define FEW_MODES       40    /* free nodes; in smaller networks all modes are shown */
#define SOME_MODES      12
#define SHAPE_POINTS    60
#define MAX_NONLINEAR   12
#define ENERGY_POINTS   800

IfbamReport *
ifbam_report_new (void)
{
  IfbamReport *report = g_new0 (IfbamReport, 1);

  report->json = ifbam_json_writer_new (FALSE);
  report->numbers = g_array_new (FALSE, FALSE, sizeof (float));
  return report;
}

void
ifbam_report_free (IfbamReport *report)
{
  if (report == NULL)
    return;
  ifbam_json_writer_free (report->json);
  g_array_unref (report->numbers);
  g_free (report);
}

void
ifbam_report_add_numbers (IfbamReport *report, const double *values, gsize n, gsize stride)
{
  for (gsize i = 0; i < n; i += stride)
    {
      const float value = (float) values[i];

      g_array_append_val (report->numbers, value);
    }
}

void
ifbam_report_summary (IfbamReport *report, IfbamNetwork *network, const IfbamModel *model,
                      const IfbamRunSpec *spec, double frequency)
{
  ifbam_json_record (
      report->json, "summary",
      "free_nodes,given_nodes,links,sources,scheme,start,step,steps,duration,fastest_frequency,"
      "sha256",
      "%zu%zu%zu%zu%s%s%g%zu%g%g%s", ifbam_model_n_named_free (model), ifbam_model_n_given (model),
      model->n_links + ifbam_model_n_unbatched (model), model->n_sources + model->impulses->len,
      spec->scheme->name, spec->cold ? "cold" : "warm", spec->step, spec->last_step,
      (double) spec->last_step * spec->step, frequency / (2 * G_PI), network->sha256);
}

/* Elements */

/* Adds an element between nodes (n); frees its labels. */
static void
add_element (IfbamReport *report, const IfbamModel *model, IfbamElementLabels words,
             const guint32 *nodes, guint n)
{
  g_autoptr (GString) names = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    {
      g_autofree char *name = ifbam_model_node_name (model, nodes[i]);

      g_string_append_printf (names, "%s%s", i > 0 ? ", " : "", name);
    }
  ifbam_json_record (report->json, NULL, "name,class,joins,values", "%s%s%s%s", words.name,
                     words.info->name, names->str, words.values);
  ifbam_element_labels_clear (&words);
}

static void
add_link (IfbamReport *report, const IfbamLinkIter *at)
{
  const IfbamLink *link = at->link;
  const gboolean has_one_end =
      at->slot < G_MAXSIZE && ifbam_model_is_rest (at->model, link->node[1]);

  add_element (report, at->model, ifbam_link_labels (at), link->node,
               has_one_end ? 1 : link->n_ports);
}

void
ifbam_report_elements (IfbamReport *report, const IfbamModel *model)
{
  ifbam_json_array (report->json, "elements");
  for (gsize i = 0; i < MIN (ifbam_model_n_named (model), MAX_ELEMENTS); i++)
    add_element (report, model, ifbam_node_labels (model, ifbam_model_named_node (model, i)), NULL,
                 0);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_BATCHED | IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    if (at.number < MAX_ELEMENTS && at.link->place == 0)
      add_link (report, &at);
  for (gsize i = 0; i < MIN (model->n_sources, MAX_ELEMENTS); i++)
    add_element (report, model,
                 ifbam_element_labels (model, ifbam_model_source_of (model, i)->element),
                 &model->source_node[i], 1);
  for (guint i = 0; i < MIN (model->impulses->len, MAX_ELEMENTS); i++)
    {
      const IfbamImpulse *impulse = &g_array_index (model->impulses, IfbamImpulse, i);

      add_element (report, model, ifbam_element_labels (model, impulse->element), impulse->node,
                   impulse->n_nodes);
    }
  ifbam_json_end (report->json);
}

/* Courses */

/* Adds {"interval": s, "rows", "stretch": see decimation.h, "n": points, "at": index}: from `at` on
 * the points of the first signal, then those of the next, and so on. */
static void
add_series (IfbamReport *report, const char *member, const IfbamDecimatedSeries *trace)
{
  const float *points;

  if (trace == NULL)
    {
      ifbam_json_string (report->json, member, NULL);
      return;
    }
  points = (const float *) (gconstpointer) trace->points->data;
  ifbam_json_record (report->json, member, "interval,rows,stretch,n,at", "%g%zu%zu%zu%u",
                     trace->interval, trace->n_rows, trace->stretch, trace->n_points,
                     report->numbers->len);
  for (guint s = 0; s < trace->n_signals; s++)
    for (gsize i = 0; i < trace->n_points; i++)
      g_array_append_val (report->numbers, points[i * trace->n_signals + s]);
}

static void
add_run (IfbamReport *report, const IfbamStepSizeRun *step_run, guint n_signals)
{
  static const char *const ends[] = { "finished", "diverged", "stuck", "rattled" };

  ifbam_json_object (report->json, NULL);
  ifbam_json_add (report->json, "growth,end,ended", "%g%s%g", step_run->growth, ends[step_run->end],
                  step_run->ended);
  ifbam_json_array (report->json, "strays");
  for (guint s = 0; s < n_signals; s++)
    ifbam_json_number (report->json, NULL, step_run->errors[s]);
  ifbam_json_end (report->json);
  add_series (report, "whole", step_run->whole);
  add_series (report, "head", step_run->head);
  ifbam_json_end (report->json);
}

static void
add_signals (IfbamReport *report, const IfbamSignals *signals)
{
  ifbam_json_array (report->json, "signals");
  for (guint i = 0; i < signals->signals->len; i++)
    {
      const char *quantity, *unit;

      ifbam_json_object (report->json, NULL);
      ifbam_json_string (report->json, "name", signals->names->pdata[i]);
      if (!ifbam_signal_unit (signals->names->pdata[i], &quantity, &unit))
        quantity = "";
      ifbam_json_add (report->json, "quantity,unit", "%s%s", quantity,
                      (char *) signals->units->pdata[i]);
      ifbam_json_end (report->json);
    }
  ifbam_json_end (report->json);
}

void
ifbam_report_step_sizes (IfbamReport *report, const IfbamStepSizeStudy *study,
                         const IfbamSignals *signals)
{
  ifbam_json_object (report->json, "ladder");
  ifbam_json_add (report->json, "frequency,duration,head,own", "%g%g%g%u", study->frequency,
                  study->duration, study->head, study->own);
  ifbam_json_numbers (report->json, "steps", study->steps, study->n_steps);
  add_signals (report, signals);
  ifbam_json_array (report->json, "schemes");
  for (guint s = 0; s < study->n_schemes; s++)
    {
      ifbam_json_object (report->json, NULL);
      ifbam_json_add (report->json, "name,summary,stability,order", "%s%s%s%zu",
                      study->schemes[s]->name, study->schemes[s]->summary,
                      study->schemes[s]->stability, (guint64) study->schemes[s]->order);
      ifbam_json_array (report->json, "rungs");
      for (guint i = 0; i < study->n_steps; i++)
        add_run (report, ifbam_step_size_study_run (study, s, i), study->n_signals);
      ifbam_json_end (report->json);
      ifbam_json_end (report->json);
    }
  ifbam_json_end (report->json);
  ifbam_json_end (report->json);
}

/* Spectra */

/* Adds amplitudes up to the last visible frequency, thinned to the largest of each interval. */
static void
add_amplitudes (IfbamReport *report, IfbamSpectrum *spectrum)
{
  gsize n, shown = 0;
  const double *frequencies = ifbam_spectrum_get_frequencies (spectrum, &n);
  const double *amplitudes = ifbam_spectrum_get_amplitudes (spectrum, &n);
  const guint at = report->numbers->len;
  double largest = 0;
  gsize stretch, n_points = 0;

  for (gsize i = 0; i < n; i++)
    largest = MAX (largest, amplitudes[i]);
  /* near the Nyquist frequency flip-flop schemes have a spurious line */
  for (gsize i = 0; i < n * 0.95; i++)
    if (amplitudes[i] > VISIBLE * largest)
      shown = i;
  shown = MIN (n, (gsize) (1.25 * (double) shown) + 16);
  stretch = (shown + SPECTRUM_POINTS - 1) / SPECTRUM_POINTS;
  for (guint column = 0; column < 2; column++)
    for (gsize i = 0; i < shown; i += stretch)
      {
        gsize best = i;

        for (gsize j = i; j < MIN (i + stretch, shown); j++)
          if (amplitudes[j] > amplitudes[best])
            best = j;
        ifbam_report_add_numbers (report, &(column == 0 ? frequencies : amplitudes)[best], 1, 1);
        n_points += column;
      }
  ifbam_json_add (report->json, "n,at", "%zu%u", n_points, at);
}

/* Analysis of one signal: its spectrum or an error, and the highest peaks refined, by frequency. */
typedef struct
{
  const double *times, *values; /* (n_rows) */
  gsize n_rows;
  IfbamSpectrum *spectrum; /* NULL: error */
  GError *error;
  IfbamLine *lines; /* (n_lines) */
  gsize n_lines;
  gsize n_peaks; /* number of all peaks */
} Analysis;

static void
analyse (gpointer data, gpointer nothing)
{
  Analysis *analysis = data;
  g_autofree IfbamPeak *peaks = NULL;

  (void) nothing;
  analysis->spectrum = ifbam_spectrum_new (analysis->times, analysis->values, analysis->n_rows,
                                           IFBAM_WINDOW_HANN, &analysis->error);
  if (analysis->spectrum == NULL)
    return;
  peaks = ifbam_spectrum_find_peaks (analysis->spectrum, IFBAM_SPECTRUM_THRESHOLD, TRUE,
                                     &analysis->n_peaks);
  analysis->lines = ifbam_refine_peaks (analysis->times, analysis->values, analysis->n_rows, peaks,
                                        MIN (analysis->n_peaks, MAX_PEAKS),
                                        IFBAM_SPECTRUM_THRESHOLD, &analysis->n_lines, NULL);
}

static void
analysis_clear (gpointer data)
{
  Analysis *analysis = data;

  g_clear_object (&analysis->spectrum);
  g_clear_error (&analysis->error);
  g_free (analysis->lines);
}

/* Analyses all signals, in parallel. */
static GArray *
analyse_all (IfbamCourse *course, guint n)
{
  GArray *analyses = g_array_sized_new (FALSE, TRUE, sizeof (Analysis), n);
  GThreadPool *threads =
      g_thread_pool_new (analyse, NULL, (int) g_get_num_processors (), FALSE, NULL);

  g_array_set_clear_func (analyses, analysis_clear);
  g_array_set_size (analyses, n);
  for (guint i = 0; i < n; i++)
    {
      Analysis *analysis = &g_array_index (analyses, Analysis, i);

      analysis->times = ifbam_course_get_times (course, &analysis->n_rows);
      analysis->values = ifbam_course_get_values (course, ifbam_course_get_signals (course)[i],
                                                  &analysis->n_rows, NULL);
      g_thread_pool_push (threads, analysis, NULL);
    }
  g_thread_pool_free (threads, FALSE, TRUE);
  return analyses;
}

/* Frequencies are corrected for the scheme's error. */
static void
add_peaks (IfbamReport *report, const IfbamRunSpec *spec, const Analysis *analysis)
{
  ifbam_json_array (report->json, "peaks");
  for (gsize i = 0; i < analysis->n_lines; i++)
    {
      const IfbamLine *line = &analysis->lines[i];
      double corrected = NAN, corrected_decay_rate;

      if (!isnan (line->decay_rate))
        ifbam_undo_dispersion (spec->scheme->name, spec->step, line->frequency, line->decay_rate,
                               &corrected, &corrected_decay_rate, NULL);
      ifbam_json_record (report->json, NULL, "frequency,amplitude,corrected_frequency", "%g%g%g",
                         line->frequency, line->peak, corrected);
    }
  ifbam_json_end (report->json);
  ifbam_json_count (report->json, "n_peaks", analysis->n_peaks);
}

void
ifbam_report_spectra (IfbamReport *report, const IfbamRunSpec *spec, IfbamCourse *course,
                      const char *const *units, guint n)
{
  const char *const *signals = ifbam_course_get_signals (course);
  g_autoptr (GArray) analyses = analyse_all (course, n);

  ifbam_json_array (report->json, "spectra");
  for (guint i = 0; i < n; i++)
    {
      const Analysis *analysis = &g_array_index (analyses, Analysis, i);

      ifbam_json_object (report->json, NULL);
      ifbam_json_add (report->json, "signal,unit,message", "%s%s%s", signals[i], units[i],
                      analysis->error != NULL ? analysis->error->message : NULL);
      if (analysis->spectrum != NULL)
        {
          ifbam_json_number (report->json, "resolution",
                             ifbam_spectrum_get_resolution (analysis->spectrum));
          add_amplitudes (report, analysis->spectrum);
          add_peaks (report, spec, analysis);
        }
      ifbam_json_end (report->json);
    }
  ifbam_json_end (report->json);
}

/* Modes */

typedef struct
{
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} ModesProgress;

static gboolean
modes_progress (gpointer data, const char *what)
{
  const ModesProgress *progress = data;

  (void) what;
  return progress->progress == NULL || progress->progress (progress->data, 0);
}

static void
add_mode (IfbamReport *report, IfbamModes *modes, const IfbamMode *mode, gsize number)
{
  static const char *const kinds[] = { [IFBAM_MODE_OSCILLATING] = "oscillating",
                                       [IFBAM_MODE_FREE] = "free",
                                       [IFBAM_MODE_OVERDAMPED] = "overdamped",
                                       [IFBAM_MODE_UNSTABLE] = "unstable" };
  gsize n;
  const double *shape = ifbam_modes_get_shape (modes, number, &n);
  const gsize stride = MAX ((n + SHAPE_POINTS - 1) / SHAPE_POINTS, 1);

  ifbam_json_object (report->json, NULL);
  ifbam_json_add (report->json, "kind,frequency,damping_ratio,decay_rate,at", "%s%g%g%g%u",
                  kinds[mode->kind], mode->frequency, mode->damping_ratio, mode->decay_rate,
                  report->numbers->len);
  ifbam_report_add_numbers (report, shape, n, stride);
  ifbam_json_count (report->json, "n", (gint64) ((n + stride - 1) / stride));
  ifbam_json_end (report->json);
}

/* Computes modes about the start; of a held mechanism, about its equilibrium if there is one. */
static IfbamModes *
find_modes (const IfbamModel *model, const IfbamRunSpec *spec, const IfbamModesRequest *request,
            gboolean *at_rest, GError **error)
{
  g_autoptr (IfbamModes) modes = ifbam_modes_new_for_model (model, spec, request, error);
  g_autoptr (IfbamEquilibrium) rest = NULL;
  IfbamRunSpec there = *spec; /* its start is not owned */
  IfbamModes *found;

  if (modes == NULL || !ifbam_modes_get_held (modes))
    return g_steal_pointer (&modes);
  rest = ifbam_equilibrium_new (model, spec, NULL);
  if (rest == NULL)
    return g_steal_pointer (&modes);
  there.start_position = rest->position;
  there.still = TRUE;
  found = ifbam_modes_new_for_model (model, &there, request, NULL);
  *at_rest = found != NULL;
  return found != NULL ? found : g_steal_pointer (&modes);
}

gboolean
ifbam_report_modes (IfbamReport *report, const IfbamModel *model, const IfbamRunSpec *spec,
                    gboolean (*progress) (gpointer data, double part), gpointer data,
                    GError **error)
{
  ModesProgress own_progress = { progress, data };
  const IfbamModesRequest request = { .count = model->n_free <= FEW_MODES ? 0 : SOME_MODES,
                                      .progress = modes_progress,
                                      .data = &own_progress };
  g_autoptr (GError) own = NULL;
  gboolean at_rest = FALSE;
  g_autoptr (IfbamModes) modes = find_modes (model, spec, &request, &at_rest, &own);
  gsize n = 0;
  const IfbamMode *mode = modes == NULL ? NULL : ifbam_modes_get_modes (modes, &n);
  g_auto (GStrv) nonlinear = modes == NULL ? NULL : ifbam_modes_list_nonlinear (modes);

  if (g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
    {
      g_propagate_error (error, g_steal_pointer (&own));
      return FALSE;
    }
  ifbam_json_object (report->json, "modes");
  ifbam_json_add (report->json, "message,all,about", "%s%i%s", own != NULL ? own->message : NULL,
                  request.count == 0,
                  at_rest                                         ? "rest"
                  : modes != NULL && ifbam_modes_get_held (modes) ? "held"
                                                                  : NULL);
  ifbam_json_array (report->json, "nonlinear");
  for (guint i = 0; nonlinear != NULL && nonlinear[i] != NULL && i < MAX_NONLINEAR; i++)
    ifbam_json_string (report->json, NULL, nonlinear[i]);
  ifbam_json_end (report->json);
  ifbam_json_array (report->json, "modes");
  for (gsize i = 0; i < n; i++)
    add_mode (report, modes, &mode[i], i);
  ifbam_json_end (report->json);
  ifbam_json_end (report->json);
  return TRUE;
}

/* Stability */

void
ifbam_report_stability (IfbamReport *report, const IfbamStepSizeStudy *study)
{
  guint n;
  const IfbamScheme *const *schemes = ifbam_schemes (&n);
  double angle[CURVE_POINTS], growth[CURVE_POINTS];

  ifbam_json_object (report->json, "stability");
  ifbam_json_add (report->json, "n,at", "%d%u", CURVE_POINTS, report->numbers->len);
  for (guint i = 0; i < CURVE_POINTS; i++)
    angle[i] = MIN_ANGLE * pow (MAX_ANGLE / MIN_ANGLE, i / (CURVE_POINTS - 1.0));
  ifbam_report_add_numbers (report, angle, CURVE_POINTS, 1);
  for (guint s = 0; s < n; s++)
    {
      for (guint i = 0; i < CURVE_POINTS; i++)
        {
          growth[i] =
              ifbam_scheme_growth (ifbam_step_size_study_acting (study, schemes[s]), angle[i]);
          if (fabs (growth[i]) < MIN_GROWTH)
            growth[i] = 0;
        }
      ifbam_report_add_numbers (report, growth, CURVE_POINTS, 1);
    }
  ifbam_json_array (report->json, "longest_steps");
  for (guint s = 0; s < n; s++)
    ifbam_json_number (report->json, NULL, study->longest_step[s]);
  ifbam_json_end (report->json);
  ifbam_json_end (report->json);
}

/* Energy */

enum
{
  KINETIC,
  POTENTIAL,
  DISSIPATED,
  SUPPLIED,
  N_SUMS,
};

typedef struct
{
  IfbamEnergies *energies;
  gboolean (*progress) (gpointer data, double part);
  gpointer data;
} EnergyRun;

static gboolean
take_energies (gpointer data, double time, const double *values, GError **error)
{
  IfbamEnergies *energies = ((EnergyRun *) data)->energies;
  const double energy = values[KINETIC] + values[POTENTIAL];
  const double balance = energy + values[DISSIPATED] - values[SUPPLIED];
  const double row[] = { values[KINETIC],    values[POTENTIAL], energy,
                         values[DISSIPATED], values[SUPPLIED],  balance };

  (void) error;
  if (time == 0)
    energies->first = energy;
  energies->worst = fmax (energies->worst, fabs (balance - energies->first));
  energies->largest = fmax (energies->largest, energy);
  memcpy (energies->last, values, N_SUMS * sizeof *values);
  energies->last[N_SUMS] = balance;
  ifbam_decimated_series_row (energies->whole, row);
  if (energies->head != NULL)
    ifbam_decimated_series_row (energies->head, row);
  return TRUE;
}

static gboolean
pass_progress (gpointer data, double part)
{
  const EnergyRun *energy_run = data;

  return energy_run->progress == NULL || energy_run->progress (energy_run->data, part);
}

gboolean
ifbam_energies_run (IfbamEnergies *energies, const IfbamModel *model, GHashTable *by_name,
                    const IfbamRunSpec *spec, double head,
                    gboolean (*progress) (gpointer data, double part), gpointer data,
                    GError **error)
{
  g_autofree char *reason = NULL;
  g_autoptr (IfbamSignals) signals = ifbam_signals_new (
      model, by_name, "network.kinetic, network.potential, network.dissipated, network.supplied",
      &reason);
  const double interval = spec->step * (double) spec->stride;
  EnergyRun energy_run = { energies, progress, data };
  IfbamRunTask run = { .row = take_energies, .progress = pass_progress, .data = &energy_run };
  g_autoptr (GError) own = NULL;

  *energies = (IfbamEnergies){ .ended = NAN };
  energies->whole =
      ifbam_decimated_series_new (6, interval, spec->last_step / spec->stride + 1, ENERGY_POINTS);
  if (head > 0)
    energies->head = ifbam_decimated_series_new (6, interval, (guint64) floor (head / interval) + 1,
                                                 ENERGY_POINTS);
  if (!ifbam_run (&run, model, signals, spec, &own))
    {
      if (!ifbam_run_stopped (&run, own))
        {
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      energies->ended = run.time;
    }
  ifbam_decimated_series_end (energies->whole);
  if (head > 0)
    ifbam_decimated_series_end (energies->head);
  return TRUE;
}

void
ifbam_energies_clear (IfbamEnergies *energies)
{
  ifbam_decimated_series_free (energies->whole);
  ifbam_decimated_series_free (energies->head);
}

void
ifbam_report_energies (IfbamReport *report, const IfbamEnergies *energies, double duration)
{
  static const char *const names[] = { "kinetic", "potential", "dissipated", "supplied",
                                       "balance" };

  ifbam_json_object (report->json, "energy");
  ifbam_json_add (report->json, "duration,first", "%g%g", duration, energies->first);
  for (guint i = 0; i < G_N_ELEMENTS (names); i++)
    ifbam_json_number (report->json, names[i], energies->last[i]);
  ifbam_json_add (report->json, "worst,largest,ended", "%g%g%g", energies->worst, energies->largest,
                  energies->ended);
  add_series (report, "whole", energies->whole);
  add_series (report, "head", energies->head);
  ifbam_json_end (report->json);
}
