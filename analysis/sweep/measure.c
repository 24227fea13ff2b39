/* measure.c: measures without a run: responses and modes
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/measure.h"

#include <complex.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

/* For the peak of a response. */
#define RESPONSE_POINTS 200
#define NARROWINGS      40
/* Peaks on the grid that are lower than this part of the highest are not refined. */
#define SECOND_PEAK 0.5

/* Modes of larger networks may be computed by ARPACK, which is not thread-safe. */
#define MAX_AT_ONCE 100
/* Additional modes that are computed for tracking. */
#define MORE_MODES 10
/* Relative difference of the same mode in another search, by rounding. */
#define SAME 1e-9

static gboolean
may_continue (const IfbamMeasureWatch *watch)
{
  return watch->may_continue == NULL || watch->may_continue (watch->data);
}

static gboolean
watch_search (gpointer data, const char *what)
{
  (void) what;
  return may_continue (data);
}

static gboolean
watch_response (gpointer data, double part)
{
  (void) part;
  return may_continue (data);
}

/* Computes the response at a frequency. */
static gboolean
take_answer (IfbamResponseSystem *system, double frequency, const IfbamMeasureWatch *watch,
             double complex *answer, GError **error)
{
  if (may_continue (watch))
    return ifbam_response_at (system, frequency, answer, NULL, error);
  return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted");
}

/* Refines a maximum between two frequencies: replaces best (frequency, amplitude) by a larger one. */
static gboolean
refine_peak (IfbamResponseSystem *system, double from, double to, const IfbamMeasureWatch *watch,
             double best[2], GError **error)
{
  for (guint i = 0; i < NARROWINGS; i++)
    {
      const double third[2] = { from + (to - from) / 3, to - (to - from) / 3 };
      double height[2];

      for (guint k = 0; k < 2; k++)
        {
          double complex answer;

          if (!take_answer (system, third[k], watch, &answer, error))
            return FALSE;
          height[k] = cabs (answer);
          if (height[k] > best[1])
            {
              best[0] = third[k];
              best[1] = height[k];
            }
        }
      if (height[0] < height[1])
        from = third[0];
      else
        to = third[1];
    }
  return TRUE;
}

/* Finds the maximum on a grid, which is closest near peaks. All peaks are refined that could be the
 * highest: between points of the grid one may be higher than another on it. */
static gboolean
find_peak (IfbamResponseSystem *system, const double *grid, gsize n, const IfbamMeasureWatch *watch,
           double best[2], GError **error)
{
  g_autofree double *height = g_new (double, n + 1);

  for (gsize i = 0; i < n; i++)
    {
      double complex answer;

      if (!take_answer (system, grid[i], watch, &answer, error))
        return FALSE;
      height[i] = cabs (answer);
      if (height[i] > best[1])
        {
          best[0] = grid[i];
          best[1] = height[i];
        }
    }
  for (gsize i = 0; i < n; i++)
    if (height[i] > SECOND_PEAK * best[1] && (i == 0 || height[i] >= height[i - 1])
        && (i + 1 == n || height[i] > height[i + 1])
        && !refine_peak (system, grid[i > 0 ? i - 1 : 0], grid[MIN (i + 1, n - 1)], watch, best,
                         error))
      return FALSE;
  return TRUE;
}

/* Computes the maximum of a response and its frequency; no values if it is infinite. */
static gboolean
take_response (const IfbamMeasure *measure, const IfbamModel *model, const IfbamRunSpec *spec,
               GHashTable *by_name, const IfbamMeasureWatch *watch, double *values, GError **error)
{
  const char *const outputs[] = { measure->output, NULL };
  IfbamResponseRange range = { NAN, NAN, RESPONSE_POINTS, FALSE, FALSE };
  g_autoptr (IfbamResponseSystem) system =
      ifbam_response_system_new (model, spec, by_name, measure->input, outputs, error);
  g_autofree double *grid = NULL, *own = NULL;
  double best[2] = { NAN, -1 };
  gsize n = 0;

  values[0] = values[1] = NAN;
  if (system == NULL
      || !ifbam_response_find_modes (system, &range, watch_response, (gpointer) watch, error))
    return FALSE;
  own = ifbam_response_eigenfrequencies (system, range.from, range.to, &n);
  for (gsize i = 0; i < n; i++)
    {
      double complex answer;

      if (!take_answer (system, own[i], watch, &answer, error))
        return FALSE;
      if (!isfinite (cabs (answer)))
        return TRUE;
    }
  grid = ifbam_response_grid (system, &range, &n);
  if (!find_peak (system, grid, n, watch, best, error))
    return FALSE;
  memcpy (values, best, sizeof best);
  return TRUE;
}

gboolean
ifbam_measures_has_modes (const IfbamMeasures *measures)
{
  return measures->n_modes > 0 || measures->n_responses > 0;
}

/* For searches that are not thread-safe. */
static GMutex one_at_a_time;

static gboolean
begin_search (const IfbamModel *model)
{
  if (model->n_free > MAX_AT_ONCE)
    g_mutex_lock (&one_at_a_time);
  return model->n_free > MAX_AT_ONCE;
}

gboolean
ifbam_measures_take_responses (const IfbamMeasures *measures, const IfbamModel *model,
                               const IfbamRunSpec *spec, GHashTable *by_name,
                               const IfbamMeasureWatch *watch, double *values, GError **error)
{
  const gboolean alone = begin_search (model);
  gboolean fine = TRUE;

  for (guint i = 0; i < measures->measures->len && fine; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);

      if (measure->kind == IFBAM_MEASURE_RESPONSE)
        fine = take_response (measure, model, spec, by_name, watch, values + measure->first, error);
    }
  if (alone)
    g_mutex_unlock (&one_at_a_time);
  return fine;
}

IfbamModes *
ifbam_measures_find_modes (const IfbamMeasures *measures, const IfbamModel *model,
                           const IfbamRunSpec *spec, const IfbamMeasureWatch *watch, GError **error)
{
  /* In small networks all modes are computed: any may be in a column of another variant. */
  const guint more = measures->by_rank || model->n_free > MAX_AT_ONCE ? 0 : MORE_MODES;
  const IfbamModesRequest request = { .count = measures->n_modes + more,
                                      .progress = watch_search,
                                      .data = (gpointer) watch };
  const gboolean alone = begin_search (model);
  IfbamModes *modes = ifbam_modes_new_for_model (model, spec, &request, error);

  if (alone)
    g_mutex_unlock (&one_at_a_time);
  return modes;
}

void
ifbam_measures_put_mode (const IfbamMeasures *measures, guint column, const IfbamMode *mode,
                         double *values)
{
  for (guint i = 0; i < measures->measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);

      if (ifbam_measure_is_of_modes (measure->kind) && column < measure->n)
        values[measure->first + column] = mode == NULL ? NAN
                                          : measure->kind == IFBAM_MEASURE_FREQUENCIES
                                              ? mode->frequency
                                              : mode->damping_ratio;
    }
}

/* Returns the nearest of a variant's values, if it is equal but for rounding. */
static double
known_number (const double *values, guint n, double number)
{
  double nearest = number, least = SAME * MAX (fabs (number), 1);

  for (guint i = 0; i < n; i++)
    if (fabs (values[i] - number) <= least)
      {
        least = fabs (values[i] - number);
        nearest = values[i];
      }
  return nearest;
}

void
ifbam_measures_restore_mode (const IfbamMeasures *measures, const double *values, IfbamMode *mode)
{
  for (guint i = 0; i < measures->measures->len; i++)
    {
      const IfbamMeasure *measure = &g_array_index (measures->measures, IfbamMeasure, i);
      double *number =
          measure->kind == IFBAM_MEASURE_FREQUENCIES ? &mode->frequency : &mode->damping_ratio;

      if (ifbam_measure_is_of_modes (measure->kind))
        *number = known_number (values + measure->first, measure->n, *number);
    }
}
