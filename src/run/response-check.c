/* response-check.c: simulated runs, compared with the linear response of a network
 *
 * Two runs from the same start, one with a sine as input: with linear laws their difference is the
 * response to the sine alone. It is the steady response plus free motions with known eigenvalues. A
 * least-squares fit of the sine, these motions and a drift separates them, without waiting for
 * decay, which undamped motions never show. Motions outside of the fit (of many modes only the
 * nearest are in it) are suppressed by the window of Blackman and Harris (Harris 1978, "On the use
 * of windows for harmonic analysis", Proc. IEEE 66, 51).
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "elements/registry.h"
#include "base/compare.h"
#include "linear/linear.h"
#include "base/fail.h"
#include "base/number-text.h"
#include "file/file.h"
#include "run/prepare-network.h"
#include "run/run-loop.h"

/* Modes in the fit, and modes computed. */
#define MAX_FITTED 40
#define MAX_KNOWN  60
/* Minimum of the sine's periods, and of its beats with the nearest mode. */
#define PERIODS 16
#define BEATS   1.5
/* Bins from which on the window suppresses a motion. */
#define WINDOW_BINS 6
/* Minimum of steps per period of the sine. */
#define STEPS_PER_PERIOD 60
/* Angular frequency of the fastest mode times the step, for rk4: error h^5 / 120 per step. */
#define ACCURATE_ANGLE 0.15
/* Rows of the fit, unless it has more columns. */
#define ROWS 4000
/* Minimum relative distance of frequencies from lightly damped modes. */
#define APART         0.05
#define LIGHT_DAMPING 0.02
/* Largest displacement with linear and with nonlinear laws [m, rad, V s]. */
#define LARGE_DISPLACEMENT 1e-2
#define SMALL_DISPLACEMENT 1e-6
/* Relative to an output's largest amplitude; smaller ones are compared with this fraction of it. */
#define AMPLITUDE_FLOOR 1e-6

typedef struct
{
  const IfbamResponseSystem *system;
  const IfbamResponseCheck *check;
  gboolean linear;
  IfbamModes *modes; /* next to the frequency */
  double amplitude;  /* of the force, or of the given node's position */
  double frequency, step, duration, sample;
  double part; /* fraction done */
  double share;
} Run;

/* Networks */

static char *
format_number (double number)
{
  return g_strdup (IFBAM_NUMBER (number));
}

static gboolean
set_text (IfbamElement *element, const char *key, const char *text, GError **error)
{
  const int param = ifbam_element_param_index (element->info, key);
  char *reason = NULL;

  if (param >= 0 && ifbam_element_parse (element, (guint) param, text, &reason))
    return TRUE;
  g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK, "%s: %s: %s", element->name, key,
               reason != NULL ? reason : "there is no such key");
  g_free (reason);
  return FALSE;
}

static gboolean
set_number (IfbamElement *element, const char *key, double number, GError **error)
{
  g_autofree char *text = format_number (number);

  return set_text (element, key, text, error);
}

/* Returns a class of sources or given nodes with a sine in a domain. */
static const char *
find_class (IfbamKind kind, IfbamDomain domain)
{
  guint n;
  const GType *types = ifbam_element_types (&n);

  for (guint i = 0; i < n; i++)
    {
      const IfbamElementInfo *info = ifbam_element_type_info (types[i]);

      if (info->kind == kind && (info->domain == domain || info->domain == IFBAM_DOMAIN_ANY)
          && ifbam_element_param_index (info, "amplitude") >= 0
          && ifbam_element_param_index (info, "frequency") >= 0
          && (kind != IFBAM_KIND_GIVEN_NODE || ifbam_element_param_index (info, "position") >= 0))
        return info->name;
    }
  return NULL;
}

static IfbamElement *
add_element (IfbamNetwork *network, IfbamKind kind, IfbamDomain domain, const char *wanted,
             GError **error)
{
  g_autofree char *name = g_strdup (wanted);
  const char *class = find_class (kind, domain);

  for (guint i = 2; ifbam_network_get_element (network, name) != NULL; i++)
    {
      g_free (name);
      name = g_strdup_printf ("%s-%u", wanted, i);
    }
  if (class != NULL)
    return ifbam_network_add (network, class, name, error);
  return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "there is no class of sines in %s",
                          ifbam_domain_info (domain)->name);
}

/* Replaces a given node's element: the node rests at its start position, apart from the sine. */
static IfbamElement *
replace_node (IfbamNetwork *network, const char *name, IfbamDomain domain, double position,
              GError **error)
{
  IfbamElement *old = ifbam_network_get_element (network, name), *element;
  guint at;

  if (old == NULL || old->info->form != IFBAM_FORM_NODE
      || !g_ptr_array_find (network->elements, old, &at))
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "%s: what has a shape can't be driven by a run", name);
  g_hash_table_remove (network->by_name, old->name);
  g_ptr_array_remove_index (network->elements, at);
  element = add_element (network, IFBAM_KIND_GIVEN_NODE, domain, name, error);
  return element != NULL && set_number (element, "position", position, error) ? element : NULL;
}

static gboolean
add_input (const Run *run, IfbamNetwork *network, gboolean driven, GError **error)
{
  const IfbamResponseInput *input = &run->system->input;
  const IfbamModel *model = run->system->model;
  const IfbamRunSpec *spec = run->system->spec;
  const IfbamDomain domain = ifbam_model_node_domain (model, input->node);
  g_autofree char *node = ifbam_model_node_name (model, input->node);
  IfbamElement *element =
      input->motion ? replace_node (network, node, domain,
                                    ifbam_start (model, spec, input->node).position, error)
                    : add_element (network, IFBAM_KIND_SOURCE, domain, "response-input", error);

  return element != NULL && (input->motion || set_text (element, "on", node, error))
         && set_number (element, "amplitude", driven ? run->amplitude : 0.0, error)
         && set_number (element, "frequency", run->frequency, error);
}

/* Returns the settings of the command line, overridden by those of the run. */
static char **
make_settings (const Run *run)
{
  const IfbamResponseSystem *system = run->system;
  g_autofree char *record = g_strjoinv (",", (char **) system->signals->names->pdata);
  g_autofree char *step = format_number (run->step), *duration = format_number (run->duration);
  g_autofree char *sample = format_number (run->sample);
  GPtrArray *settings = g_ptr_array_new ();

  for (guint i = 0; run->check->settings != NULL && run->check->settings[i] != NULL; i++)
    g_ptr_array_add (settings, g_strdup (run->check->settings[i]));
  if (!run->check->own_scheme)
    {
      g_ptr_array_add (settings, g_strdup ("network.scheme=rk4"));
      if (system->spec->cold)
        g_ptr_array_add (settings, g_strdup ("network.start=warm"));
    }
  g_ptr_array_add (settings, g_strconcat ("network.step=", step, NULL));
  g_ptr_array_add (settings, g_strconcat ("network.duration=", duration, NULL));
  g_ptr_array_add (settings, g_strconcat ("network.sample=", sample, NULL));
  g_ptr_array_add (settings, g_strconcat ("network.record=", record, NULL));
  g_ptr_array_add (settings, NULL);
  return (char **) g_ptr_array_free (settings, FALSE);
}

static gboolean
append_row (gpointer data, double time, const double *values, GError **error)
{
  (void) error;
  ifbam_course_append_row (((gpointer *) data)[0], time, values);
  return TRUE;
}

static gboolean
show_progress (gpointer data, double part)
{
  const Run *run = ((gpointer *) data)[1];

  return run->check->progress == NULL
         || run->check->progress (run->check->data, run->part + run->share * part);
}

static IfbamCourse *
run_network (Run *run, gboolean driven, GError **error)
{
  g_auto (GStrv) settings = make_settings (run);
  g_autoptr (IfbamNetwork) network =
      ifbam_network_new_from_bytes (run->check->bytes, (const char *const *) settings, error);
  g_autoptr (IfbamSignals) signals = NULL;
  g_autoptr (IfbamModel) model = NULL;
  g_autoptr (IfbamCourse) course = NULL;
  gpointer data[2] = { NULL, run };
  IfbamRunTask request = { .allow_divergence = TRUE,
                           .collects = TRUE,
                           .row = append_row,
                           .progress = show_progress,
                           .data = data,
                           .advise = ifbam_step_advice,
                           .expects_growth = ifbam_growth_is_expected };
  g_auto (IfbamRunSpec) spec = { 0 };

  if (network == NULL || !add_input (run, network, driven, error))
    return NULL;
  model = ifbam_network_compile_or_error (network, TRUE, &spec, &signals, error);
  if (model == NULL)
    return NULL;
  course = ifbam_signals_course (signals);
  data[0] = course;
  if (!ifbam_run (&request, model, signals, &spec, error))
    return NULL;
  run->part += run->share;
  return g_steal_pointer (&course);
}

/* Fit */

/* Blackman-Harris, four terms. */
static double
window (double part)
{
  return 0.35875 - 0.48829 * cos (2 * G_PI * part) + 0.14128 * cos (4 * G_PI * part)
         - 0.01168 * cos (6 * G_PI * part);
}

typedef struct
{
  double decay, omega; /* [1/s] */
} Motion;

static int
compare_motions (gconstpointer a, gconstpointer b, gpointer omega)
{
  const double x = fabs (((const Motion *) a)->omega - *(const double *) omega);
  const double y = fabs (((const Motion *) b)->omega - *(const double *) omega);

  return x < y ? -1 : x > y;
}

/* Returns the free motions nearest to the sine (Motion). */
static GArray *
list_motions (const Run *run)
{
  GArray *motions = g_array_new (FALSE, FALSE, sizeof (Motion));
  double omega = 2 * G_PI * run->frequency;
  gsize n = 0;
  const IfbamMode *modes = ifbam_modes_get_modes (run->modes, &n);

  for (gsize i = 0; i < n; i++)
    {
      const Motion motion = { modes[i].decay_rate, 2 * G_PI * modes[i].frequency };

      if (modes[i].kind != IFBAM_MODE_FREE)
        g_array_append_val (motions, motion);
    }
  g_array_sort_with_data (motions, compare_motions, &omega);
  if (motions->len > MAX_FITTED)
    g_array_set_size (motions, MAX_FITTED);
  return motions;
}

/* Sets one column of the fit, of unit length. */
static void
put_column (double *column, gsize n, const double *weight, const double *time, double decay,
            double omega, double shift, gboolean drift)
{
  double square = 0;

  for (gsize i = 0; i < n; i++)
    {
      column[i] = weight[i] * exp (-decay * time[i]) * sin (omega * time[i] + shift)
                  * (drift ? time[i] : 1.0);
      square += column[i] * column[i];
    }
  for (gsize i = 0; i < n && square > 0; i++)
    column[i] /= sqrt (square);
}

static double
length_of (const double *weight, const double *time, gsize n, double omega, double shift)
{
  double square = 0;

  for (gsize i = 0; i < n; i++)
    square += pow (weight[i] * sin (omega * time[i] + shift), 2);
  return sqrt (square);
}

/* Fits each output, per unit of amplitude. */
static gboolean
fit (const Run *run, IfbamCourse *driven, IfbamCourse *free_run, double complex *outputs,
     GError **error)
{
  gsize n, n_free;
  const double *time = ifbam_course_get_times (driven, &n);
  const char *const *names = ifbam_course_get_signals (driven);
  const guint n_outputs = g_strv_length ((char **) names);
  g_autoptr (GArray) motions = list_motions (run);
  const gsize columns = 4 + 2 * (gsize) motions->len, rows = MAX (n, columns);
  const double omega = 2 * G_PI * run->frequency;
  g_autofree double *weight = g_new (double, n), *matrix = g_new0 (double, rows *columns);
  g_autofree double *right = g_new0 (double, rows *n_outputs);
  g_autofree lapack_int *pivot = g_new0 (lapack_int, columns);
  lapack_int rank;
  double length[2];

  for (gsize i = 0; i < n; i++)
    weight[i] = window (((double) i + 0.5) / (double) n);
  put_column (matrix, n, weight, time, 0, omega, 0, FALSE);
  put_column (matrix + rows, n, weight, time, 0, omega, G_PI_2, FALSE);
  put_column (matrix + 2 * rows, n, weight, time, 0, 0, G_PI_2, FALSE);
  put_column (matrix + 3 * rows, n, weight, time, 0, 0, G_PI_2, TRUE);
  for (guint k = 0; k < motions->len; k++)
    {
      const Motion *motion = &g_array_index (motions, Motion, k);

      put_column (matrix + (4 + 2 * k) * rows, n, weight, time, motion->decay, motion->omega, 0,
                  FALSE);
      put_column (matrix + (5 + 2 * k) * rows, n, weight, time, motion->decay, motion->omega,
                  G_PI_2, FALSE);
    }
  for (guint k = 0; k < n_outputs; k++)
    {
      const double *with = ifbam_course_get_values (driven, names[k], &n, error);
      const double *without = ifbam_course_get_values (free_run, names[k], &n_free, error);

      if (with == NULL || without == NULL)
        return FALSE;
      for (gsize i = 0; i < n && i < n_free; i++)
        right[k * rows + i] = weight[i] * (with[i] - without[i]);
    }
  if (LAPACKE_dgelsy (LAPACK_COL_MAJOR, (lapack_int) rows, (lapack_int) columns,
                      (lapack_int) n_outputs, matrix, (lapack_int) rows, right, (lapack_int) rows,
                      pivot, 1e-12, &rank)
      != 0)
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the driven run can't be fitted by a sine");
  length[0] = length_of (weight, time, n, omega, 0);
  length[1] = length_of (weight, time, n, omega, G_PI_2);
  for (guint k = 0; k < n_outputs; k++)
    outputs[k] =
        (right[k * rows] / length[0] + I * (right[k * rows + 1] / length[1])) / run->amplitude;
  return TRUE;
}

/* Plan of the runs */

/* Returns the relative distance from the nearest lightly damped mode. */
static double
find_distance (const IfbamResponseSystem *system, double frequency)
{
  gsize n = 0;
  const IfbamMode *modes = system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n);
  double distance = INFINITY;

  for (gsize i = 0; i < n; i++)
    if (modes[i].frequency > 0 && modes[i].damping_ratio < LIGHT_DAMPING)
      distance = fmin (distance, fabs (modes[i].frequency / frequency - 1));
  return distance;
}

/* Returns a frequency near the wanted one, apart from the modes. */
static double
choose_frequency (const IfbamResponseSystem *system, const IfbamResponseRange *range, double wanted)
{
  double best = wanted, farthest = find_distance (system, wanted);

  for (int k = 1; k <= 30 && farthest < APART; k++)
    for (int side = -1; side <= 1; side += 2)
      {
        const double frequency = wanted * (1 + 0.01 * k * side);
        const double distance = find_distance (system, frequency);

        if (frequency >= range->from && frequency <= range->to && distance > farthest)
          {
            best = frequency;
            farthest = distance;
          }
      }
  return best;
}

static double
wanted_frequency (const IfbamResponseCheck *check, guint i)
{
  const double part = ((double) i + 0.5) / check->n_points;

  return check->range.linear ? check->range.from + part * (check->range.to - check->range.from)
                             : check->range.from * pow (check->range.to / check->range.from, part);
}

/* Returns a duration that separates the sine from all modes. */
static double
find_duration (const Run *run)
{
  g_autoptr (GArray) apart = g_array_new (FALSE, FALSE, sizeof (double));
  gsize n = 0;
  const IfbamMode *modes = ifbam_modes_get_modes (run->modes, &n);
  double duration = PERIODS / run->frequency;

  for (gsize i = 0; i < n; i++)
    {
      const double distance = fabs (modes[i].frequency - run->frequency);

      /* Motions that decay in that time do not matter. */
      if (modes[i].frequency > 0 && distance > 0 && modes[i].decay_rate * duration < 40)
        g_array_append_val (apart, distance);
    }
  g_array_sort (apart, ifbam_compare_doubles);
  if (apart->len > 0)
    duration = fmax (duration, BEATS / g_array_index (apart, double, 0));
  /* The window has to suppress modes outside of the fit. */
  if (apart->len > MAX_FITTED)
    duration = fmax (duration, WINDOW_BINS / g_array_index (apart, double, MAX_FITTED));
  return duration;
}

static gboolean
find_step (Run *run, GError **error)
{
  const IfbamModel *model = run->system->model;
  const IfbamRunSpec *spec = run->system->spec;
  g_autofree double *position = g_new (double, model->n_nodes + 1);
  g_autofree double *rate = g_new (double, model->n_nodes + 1);
  double bound, damping;

  ifbam_start_range (model, spec, 0, model->n_nodes, position, rate);
  if (!ifbam_stability_bounds_at (model, position, rate, &bound, &damping))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                       "the network's laws are not finite at the start");
  run->step = 1 / (STEPS_PER_PERIOD * run->frequency);
  if (bound > 0)
    run->step = fmin (run->step, ACCURATE_ANGLE / bound);
  if (damping > 0)
    run->step = fmin (run->step, ACCURATE_ANGLE / damping);
  return TRUE;
}

/* Sets the samples of a fit on steps; the duration is a multiple of their interval. */
static void
find_rows (Run *run)
{
  const double steps = ceil (find_duration (run) / run->step);
  const double stride = fmax (1, floor (steps / ROWS));

  run->sample = stride * run->step;
  run->duration = run->sample * ceil (steps / stride);
}

static gboolean
watch_modes (gpointer data, const char *what)
{
  const Run *run = data;

  (void) what;
  return run->check->progress == NULL || run->check->progress (run->check->data, run->part);
}

static gboolean
check_at (Run *run, double complex *linear, double complex *driven, GError **error)
{
  const IfbamResponseSystem *system = run->system;
  const double complex s = I * (2 * G_PI * run->frequency);
  const IfbamModesRequest request = {
    .count = MAX_KNOWN, .near = run->frequency, .progress = watch_modes, .data = run
  };
  g_autoptr (IfbamCourse) with = NULL, without = NULL;
  g_autoptr (IfbamModes) modes =
      ifbam_modes_new_for_model (system->model, system->spec, &request, error);
  double largest;

  if (modes == NULL)
    return FALSE;
  run->modes = modes;

  if (!ifbam_response_at (system, run->frequency, linear, &largest, error))
    return FALSE;
  run->amplitude = (run->linear ? LARGE_DISPLACEMENT : SMALL_DISPLACEMENT)
                   / fmax (largest, system->input.motion ? 1.0 : 0.0);
  if (!isfinite (run->amplitude))
    run->amplitude = 1;
  if (run->check->own_scheme)
    run->step = system->spec->step;
  else if (!find_step (run, error))
    return FALSE;
  find_rows (run);
  with = run_network (run, TRUE, error);
  without = with == NULL ? NULL : run_network (run, FALSE, error);
  if (without == NULL || !fit (run, with, without, driven, error))
    return FALSE;
  for (guint i = 0; i < system->signals->signals->len; i++)
    for (guint k = 0; k < system->input.order; k++)
      driven[i] /= s;
  return TRUE;
}

static void
compare_outputs (const IfbamResponseSystem *system, GArray *findings, double frequency,
                 const double complex *linear, const double complex *driven, const double *largest)
{
  for (guint i = 0; i < system->signals->signals->len; i++)
    {
      const double size = fmax (cabs (linear[i]), AMPLITUDE_FLOOR * largest[i]);
      const double off = cabs (driven[i] - linear[i]);
      const IfbamResponseFinding finding = { .frequency = frequency,
                                             .output = i,
                                             .linear = linear[i],
                                             .driven = driven[i],
                                             .difference = off == 0 ? 0 : off / size,
                                             .agrees = off <= IFBAM_RESPONSE_TOLERANCE * size };

      g_array_append_val (findings, finding);
    }
}

/* Computes the largest amplitudes of the outputs, over the wanted frequencies. */
static gboolean
find_largest (const IfbamResponseSystem *system, const IfbamResponseCheck *check,
              const double *frequencies, double *largest, GError **error)
{
  const guint n = system->signals->signals->len;
  g_autofree double complex *outputs = g_new (double complex, n + 1);

  for (guint k = 0; k < check->n_points; k++)
    {
      if (!ifbam_response_at (system, frequencies[k], outputs, NULL, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        largest[i] = fmax (largest[i], cabs (outputs[i]));
    }
  return TRUE;
}

GArray *
ifbam_response_check (const IfbamResponseSystem *system, const IfbamResponseCheck *check,
                      double *step, const char **scheme, GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  const guint n = system->signals->signals->len;
  g_auto (GStrv) nonlinear = ifbam_small_motions_list_nonlinear (system->motions);
  g_autoptr (GArray) findings = g_array_new (FALSE, FALSE, sizeof (IfbamResponseFinding));
  g_autofree double complex *linear = g_new (double complex, n + 1);
  g_autofree double complex *driven = g_new (double complex, n + 1);
  g_autofree double *largest = g_new0 (double, n + 1);
  g_autofree double *frequencies = g_new (double, check->n_points + 1);
  Run run = {
    .system = system, .check = check, .linear = nonlinear[0] == NULL, .share = 0.5 / check->n_points
  };

  if (ifbam_response_is_unstable (system))
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "the network moves away from its start by itself: a driven run "
                            "does not come to a steady response");
  for (guint k = 0; k < check->n_points; k++)
    frequencies[k] = choose_frequency (system, &check->range, wanted_frequency (check, k));
  if (!find_largest (system, check, frequencies, largest, error))
    return NULL;
  for (guint k = 0; k < check->n_points; k++)
    {
      run.frequency = frequencies[k];
      if (!check_at (&run, linear, driven, error))
        return NULL;
      compare_outputs (system, findings, run.frequency, linear, driven, largest);
    }
  *step = run.step;
  *scheme = check->own_scheme ? system->spec->scheme->name : "rk4";
  return g_steal_pointer (&findings);
}
