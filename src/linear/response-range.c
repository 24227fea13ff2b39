/* response-range.c: modes and frequencies of a response
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/response-range.h"

#include <math.h>

#include "base/compare.h"
#include "base/fail.h"
#include "linear/modes.h"

/* Modes that are computed, to resolve their peaks. */
#define SOME_MODES 40
/* In networks with more coordinates, modes take longer than the response: few are computed, if the
 * range needs them, and none with damping. */
#define LARGE     20000
#define FEW_MODES 4
/* A damping ratio below it is rounding. */
#define UNDAMPED 1e-12
/* Distance of the nearest frequencies to an undamped mode, relative to it. */
#define MIN_MODE_DISTANCE 1e-4

typedef struct
{
  IfbamResponseProgress progress;
  gpointer data;
  gboolean interrupted;
} Watch;

static gboolean
watch_modes (gpointer data, const char *what)
{
  Watch *watch = data;

  (void) what;
  watch->interrupted = watch->progress != NULL && !watch->progress (watch->data, 0.0);
  return !watch->interrupted;
}

gboolean
ifbam_response_set_interrupted (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
}

gboolean
ifbam_response_find_modes (IfbamResponseSystem *system, IfbamResponseRange *range,
                           IfbamResponseProgress progress, gpointer data, GError **error)
{
  const gboolean given = !isnan (range->from) && !isnan (range->to);
  const gboolean large = system->motions->n > LARGE;
  Watch watch = { progress, data, FALSE };
  IfbamModesRequest request = { .count = SOME_MODES, .progress = watch_modes, .data = &watch };
  double lowest = INFINITY, highest = 0;
  g_autoptr (GError) failure = NULL;
  const IfbamMode *modes = NULL;
  gsize n = 0;

  if (given)
    request.near = range->linear ? 0.5 * (range->from + range->to) : sqrt (range->from * range->to);
  if (large)
    request.count = FEW_MODES;
  if (!large || (!system->motions->has_damping && !given))
    system->modes = ifbam_modes_new_for_model (system->model, system->spec, &request, &failure);
  if (watch.interrupted)
    return ifbam_response_set_interrupted (error);
  /* Without modes, peaks are only resolved by the range's points. */
  g_free (system->modes_fault);
  system->modes_fault = failure == NULL ? NULL : g_strdup (failure->message);
  if (system->modes != NULL)
    modes = ifbam_modes_get_modes (system->modes, &n);
  for (gsize i = 0; i < n; i++)
    if (modes[i].frequency > 0)
      {
        lowest = fmin (lowest, modes[i].frequency);
        highest = fmax (highest, modes[i].frequency);
      }
  if (isnan (range->from))
    range->from = isnan (range->to) ? lowest / 4 : fmin (lowest / 4, range->to / 100);
  if (isnan (range->to))
    range->to = fmax (highest * 2, range->from * 100);
  if (given || (highest > 0 && range->from < range->to))
    return TRUE;
  return ifbam_fail (
      error, IFBAM_ERROR_USAGE, "%s%s%s%s: want --from and --to, such as --from 1 --to 100",
      system->modes != NULL ? "nothing swings by itself" : "the eigenfrequencies are not known",
      failure == NULL ? "" : " (", failure == NULL ? "" : failure->message,
      failure == NULL ? "" : ")");
}

double *
ifbam_response_eigenfrequencies (const IfbamResponseSystem *system, double from, double to,
                                 gsize *n)
{
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  double *frequencies = g_new (double, n_modes + 1);

  *n = 0;
  for (gsize i = 0; i < n_modes; i++)
    if (modes[i].frequency > 0 && modes[i].frequency >= from && modes[i].frequency <= to)
      frequencies[(*n)++] = modes[i].frequency;
  return frequencies;
}

gboolean
ifbam_response_is_unstable (const IfbamResponseSystem *system)
{
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);

  for (gsize i = 0; i < n_modes; i++)
    if (modes[i].kind == IFBAM_MODE_UNSTABLE || modes[i].damping_ratio < -1e-9)
      return TRUE;
  return FALSE;
}

static void
add_frequency (GArray *grid, const IfbamResponseRange *range, double frequency)
{
  if (frequency > range->from && frequency < range->to)
    g_array_append_val (grid, frequency);
}

/* Adds points around a mode, with distances that grow up to the spacing of the range. */
static void
add_peak (GArray *grid, const IfbamResponseRange *range, const IfbamMode *mode)
{
  const double spacing = range->linear
                             ? (range->to - range->from) / (range->n_points - 1) / mode->frequency
                             : log (range->to / range->from) / (range->n_points - 1);
  const gboolean damped = fabs (mode->damping_ratio) > UNDAMPED;
  double distance = damped ? 0.25 * fabs (mode->damping_ratio) : MIN_MODE_DISTANCE;

  if (damped)
    add_frequency (grid, range, mode->frequency);
  for (guint i = 0; distance < spacing && i < 200; i++)
    {
      add_frequency (grid, range, mode->frequency * (1 + distance));
      add_frequency (grid, range, mode->frequency * (1 - distance));
      /* Equal distances near the peak, then growing ones. */
      distance = damped && i < 7 ? distance + 0.25 * fabs (mode->damping_ratio) : 1.4 * distance;
    }
}

double *
ifbam_response_grid (const IfbamResponseSystem *system, const IfbamResponseRange *range, gsize *n)
{
  g_autoptr (GArray) grid = g_array_new (FALSE, FALSE, sizeof (double));
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  double *numbers;

  for (guint i = 0; i < range->n_points; i++)
    {
      const double part = range->n_points < 2 ? 0.0 : (double) i / (range->n_points - 1);
      double frequency = range->linear ? range->from + part * (range->to - range->from)
                                       : range->from * pow (range->to / range->from, part);

      if (i > 0 && i + 1 == range->n_points)
        frequency = range->to;
      g_array_append_val (grid, frequency);
    }
  for (gsize i = 0; i < n_modes && range->n_points > 1 && !range->exact; i++)
    if (modes[i].frequency > 0)
      add_peak (grid, range, &modes[i]);
  g_array_sort (grid, ifbam_compare_doubles);
  numbers = (double *) (gpointer) grid->data;
  *n = 0;
  for (guint i = 0; i < grid->len; i++)
    if (*n == 0 || numbers[i] > numbers[*n - 1])
      numbers[(*n)++] = numbers[i];
  return g_memdup2 (numbers, *n * sizeof *numbers);
}
