/* shooting.c: equations of a periodic motion, their Jacobian and solution
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "orbit/shooting.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

/* Differences of the fourth order: their error is STEP^4 / 30 of the fifth derivative plus 1.5
 * roundings over STEP. Smaller ones where a run over the first has other events. */
static const double differences[] = { 1e-3, 1e-5, 1e-7 };
/* Largest relative distance of the differences of the fourth and second order of a smooth motion. */
#define SMOOTH 1e-3
/* Largest last correction of a solution, and of one that rounding prevents from being corrected. */
#define CONVERGED  1e-11
#define EXACT      1e-13 /* residual that needs no correction */
#define STAGNATING 1e-7
/* Largest first correction along a branch. */
#define MAX_CORRECTION 0.5
#define MAX_ITERATIONS 25
/* A Jacobian is computed anew if the residual does not fall to this part. */
#define CONTRACTION 0.25
/* Singular values below this part of the largest are 0: unknowns that no equation determines, such
 * as the position of a body that nothing holds, stay as they are. */
#define RANK 1e-11
/* Distances from the start [scales] between which a motion has left and is back. */
#define FAR  0.8
#define NEAR 0.2

void
ifbam_solution_free (IfbamSolution *solution)
{
  if (solution == NULL)
    return;
  g_free (solution->unknown);
  g_free (solution->jacobian);
  g_free (solution->tangent);
  g_clear_pointer (&solution->events, g_array_unref);
  g_free (solution->nearly);
  g_free (solution);
}

/* Unknowns */

double
ifbam_shooting_number (const IfbamShooting *shooting, const double *unknown)
{
  const gsize last = shooting->n_unknowns - 1;

  return shooting->map->variation == NULL ? NAN : unknown[last] * shooting->scale[last];
}

double
ifbam_shooting_period (const IfbamShooting *shooting, const double *unknown)
{
  return shooting->map->source == NULL ? unknown[shooting->n] * shooting->scale[shooting->n]
                                       : ifbam_period_map_period (shooting->map);
}

void
ifbam_shooting_get_state (const IfbamShooting *shooting, const double *unknown, double *state)
{
  for (gsize i = 0; i < shooting->n; i++)
    state[i] = unknown[i] * shooting->scale[i];
}

/* Reports the part of the number's range up to the present number; FALSE: interrupted. */
static gboolean
may_continue (const IfbamShooting *shooting, const double *unknown)
{
  const IfbamOrbitRequest *request = shooting->map->request;
  const IfbamVariation *variation = shooting->map->variation;
  double part = 0;

  if (variation != NULL)
    part = (ifbam_shooting_number (shooting, unknown) - variation->values[0])
           / (variation->values[1] - variation->values[0]);
  return request->progress == NULL || request->progress (request->data, CLAMP (part, 0, 1));
}

/* Computes the residual of each equation (n_rows). */
static gboolean
evaluate (IfbamShooting *shooting, const double *unknown, double *residual, GArray **events,
          GError **error)
{
  IfbamPeriodMap *map = shooting->map;
  const gsize n = shooting->n;
  g_autofree double *state = g_new (double, n), *end = g_new (double, n);
  IfbamPeriodRun run = { .state = state, .steps = map->steps, .end = end, .events = events };

  ifbam_shooting_get_state (shooting, unknown, state);
  if (!may_continue (shooting, unknown))
    return ifbam_fail (error, IFBAM_ERROR_INTERRUPTED, "interrupted");
  if (!ifbam_period_map_load (map, ifbam_shooting_number (shooting, unknown), error))
    return FALSE;
  run.time = ifbam_shooting_period (shooting, unknown);
  if (!ifbam_period_map_run (map, &run, error))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    residual[i] = end[i] / shooting->scale[i] - unknown[i];
  if (shooting->n_rows > n)
    residual[n] = 0;
  for (gsize i = 0; i < n && shooting->n_rows > n; i++)
    residual[n] += shooting->flow[i] * (unknown[i] - shooting->anchor[i]);
  return TRUE;
}

GArray *
ifbam_shooting_list_events (IfbamShooting *shooting, const double *unknown)
{
  g_autofree double *residual = g_new (double, shooting->n_rows);
  GArray *events = NULL;

  return evaluate (shooting, unknown, residual, &events, NULL) ? events : NULL;
}

/* Computes a column of the Jacobian by differences of a size. *error_part: distance from those of the
 * second order, relative to the larger of 1 and the derivative. *other: element with other events
 * than the solution (transfer full); NULL: none. */
static gboolean
differentiate (IfbamShooting *shooting, const IfbamSolution *solution, gsize column, double size,
               double *error_part, char **other, GError **error)
{
  static const double at[] = { 1, -1, 2, -2 };
  static const double fourth[] = { 8, -8, -1, 1 }, second[] = { 6, -6, 0, 0 };
  const gsize rows = shooting->n_rows;
  double *derivative = solution->jacobian + column * rows, difference = 0, largest = 1;
  g_autofree double *moved =
      g_memdup2 (solution->unknown, shooting->n_unknowns * sizeof *solution->unknown);
  g_autofree double *residual = g_new (double, rows), *rough = g_new0 (double, rows);

  memset (derivative, 0, rows * sizeof *derivative);
  for (guint k = 0; k < G_N_ELEMENTS (at); k++)
    {
      g_autoptr (GArray) own = NULL;

      moved[column] = solution->unknown[column] + at[k] * size;
      if (!evaluate (shooting, moved, residual, &own, error))
        return FALSE;
      for (gsize i = 0; i < rows; i++)
        {
          derivative[i] += fourth[k] * residual[i] / (12 * size);
          rough[i] += second[k] * residual[i] / (12 * size);
        }
      if (*other == NULL)
        *other = ifbam_events_compare (solution->events, own);
    }
  for (gsize i = 0; i < rows; i++)
    {
      difference = fmax (difference, fabs (derivative[i] - rough[i]));
      largest = fmax (largest, fabs (derivative[i]));
    }
  *error_part = difference / largest;
  return TRUE;
}

/* Computes a column of the Jacobian by the largest differences at which the motion is smooth. With
 * other events very close by it can still be smooth, as with a slip that a stuck friction ends at
 * once. */
static gboolean
find_column (IfbamShooting *shooting, IfbamSolution *solution, gsize column, GError **error)
{
  double error_part = INFINITY;
  g_autofree char *named = NULL;

  for (guint k = 0; k < G_N_ELEMENTS (differences); k++)
    {
      const gboolean is_last = k + 1 == G_N_ELEMENTS (differences);
      g_autofree char *other = NULL;
      g_autoptr (GError) own = NULL;

      if (!differentiate (shooting, solution, column, differences[k], &error_part, &other, &own))
        {
          if (!is_last && !g_error_matches (own, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED))
            continue;
          g_propagate_error (error, g_steal_pointer (&own));
          return FALSE;
        }
      if (error_part < SMOOTH && (other == NULL || is_last))
        return TRUE;
      if (other != NULL)
        {
          g_free (named);
          named = g_steal_pointer (&other);
        }
    }
  if (solution->nearly == NULL)
    solution->nearly = g_steal_pointer (&named);
  return TRUE;
}

static gboolean
find_jacobian (IfbamShooting *shooting, IfbamSolution *solution, GError **error)
{
  const gsize n_columns = shooting->n_unknowns - (shooting->map->variation == NULL);

  g_clear_pointer (&solution->nearly, g_free);
  for (gsize j = 0; j < n_columns; j++)
    if (!find_column (shooting, solution, j, error))
      return FALSE;
  return TRUE;
}

/* Solves J x = right (n_rows), normal . x = last, by least norm. */
static gboolean
solve_bordered (const IfbamShooting *shooting, const double *jacobian, const double *normal,
                const double *right, double last, double *x)
{
  const gsize m = shooting->n_unknowns, rows = shooting->n_rows;
  g_autofree double *matrix = g_new (double, m *m), *singular = g_new (double, m);
  lapack_int rank;

  for (gsize j = 0; j < m; j++)
    {
      memcpy (matrix + j * m, jacobian + j * rows, rows * sizeof *matrix);
      if (rows > shooting->n) /* the present plane of the start */
        matrix[j * m + shooting->n] = j < shooting->n ? shooting->flow[j] : 0;
      matrix[j * m + rows] = normal[j];
    }
  memcpy (x, right, rows * sizeof *x);
  x[rows] = last;
  return LAPACKE_dgelsd (LAPACK_COL_MAJOR, (lapack_int) m, (lapack_int) m, 1, matrix,
                         (lapack_int) m, x, (lapack_int) m, singular, RANK, &rank)
         == 0;
}

static double
norm (const double *x, gsize n)
{
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    sum += x[i] * x[i];
  return sqrt (sum);
}

/* Broyden's update: the Jacobian explains the change of the residual by a correction. */
static void
update_jacobian (const IfbamShooting *shooting, double *jacobian, const double *correction,
                 const double *residual)
{
  const double size = norm (correction, shooting->n_unknowns);

  for (gsize j = 0; j < shooting->n_unknowns && size > 0; j++)
    for (gsize i = 0; i < shooting->n_rows; i++)
      jacobian[j * shooting->n_rows + i] += residual[i] * correction[j] / (size * size);
}

/* Iteration */
typedef struct
{
  IfbamShooting *shooting;
  IfbamSolution *solution;
  const double *normal;
  double *residual, *correction; /* (n_rows), (n_unknowns) */
  double before, moved;          /* last residual, last correction */
  gboolean has_jacobian;         /* to begin with, of a solution nearby */
} Newton;

/* One iteration. *done: the solution is found. */
static gboolean
iterate (Newton *newton, gboolean *done, GError **error)
{
  IfbamShooting *shooting = newton->shooting;
  IfbamSolution *solution = newton->solution;
  const gsize m = shooting->n_unknowns;
  double size;

  g_clear_pointer (&solution->events, g_array_unref);
  if (!evaluate (shooting, solution->unknown, newton->residual, &solution->events, error))
    return FALSE;
  size = norm (newton->residual, shooting->n_rows);
  *done = size < EXACT || newton->moved < CONVERGED
          || (newton->moved < STAGNATING && size > 0.5 * newton->before);
  if (*done)
    return TRUE;
  if (isinf (newton->before) ? !newton->has_jacobian : size > CONTRACTION * newton->before)
    {
      if (!find_jacobian (shooting, solution, error))
        return FALSE;
    }
  else if (isfinite (newton->before))
    update_jacobian (shooting, solution->jacobian, newton->correction, newton->residual);
  newton->before = size;
  for (gsize i = 0; i < shooting->n_rows; i++)
    newton->residual[i] *= -1;
  if (!solve_bordered (shooting, solution->jacobian, newton->normal, newton->residual, 0,
                       newton->correction))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the equations are singular");
  newton->moved = norm (newton->correction, m);
  if (!isfinite (newton->moved) || (newton->has_jacobian && newton->moved > MAX_CORRECTION))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "a correction is too large");
  for (gsize i = 0; i < m; i++)
    solution->unknown[i] += newton->correction[i];
  return TRUE;
}

/* Computes Jacobian and tangent of a solution. */
static gboolean
complete (IfbamShooting *shooting, IfbamSolution *solution, const double *normal, GError **error)
{
  const gsize m = shooting->n_unknowns;
  g_autofree double *zero = g_new0 (double, m);
  double size;

  if (!find_jacobian (shooting, solution, error))
    return FALSE;
  if (!solve_bordered (shooting, solution->jacobian, normal, zero, 1, solution->tangent))
    return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the equations are singular");
  size = norm (solution->tangent, m);
  for (gsize i = 0; i < m; i++)
    solution->tangent[i] /= size;
  return isfinite (size) || ifbam_fail (error, IFBAM_ERROR_NETWORK, "the equations are singular");
}

IfbamSolution *
ifbam_shooting_solve (IfbamShooting *shooting, const double *guess, const double *normal,
                      const double *jacobian, gboolean full, GError **error)
{
  const gsize m = shooting->n_unknowns;
  g_autoptr (IfbamSolution) solution = g_new0 (IfbamSolution, 1);
  g_autofree double *residual = g_new0 (double, m), *correction = g_new0 (double, m);
  Newton newton = { shooting,
                    solution,
                    normal,
                    residual,
                    correction,
                    .before = INFINITY,
                    .moved = INFINITY,
                    .has_jacobian = jacobian != NULL };
  gboolean done = FALSE;

  solution->unknown = g_memdup2 (guess, m * sizeof *guess);
  solution->jacobian = g_new0 (double, m * shooting->n_rows);
  solution->tangent = g_memdup2 (normal, m * sizeof *normal);
  if (jacobian != NULL)
    memcpy (solution->jacobian, jacobian, m * shooting->n_rows * sizeof *jacobian);
  for (guint k = 0; k < MAX_ITERATIONS && !done; k++)
    {
      if (!iterate (&newton, &done, error))
        return NULL;
      solution->iterations = k;
    }
  if (!done)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK, "Newton's method does not converge");
  if (full && !complete (shooting, solution, normal, error))
    return NULL;
  return g_steal_pointer (&solution);
}

/* Start */

gboolean
ifbam_shooting_anchor (IfbamShooting *shooting, const double *unknown, GError **error)
{
  const gsize n = shooting->n;
  IfbamPeriodMap *map = shooting->map;
  g_autofree double *state = g_new (double, n), *end = g_new (double, n);
  IfbamPeriodRun run = { .state = state, .steps = 1, .end = end };
  double size;

  if (shooting->n_rows == n)
    return TRUE;
  ifbam_shooting_get_state (shooting, unknown, state);
  if (!ifbam_period_map_load (map, ifbam_shooting_number (shooting, unknown), error))
    return FALSE;
  run.time = ifbam_shooting_period (shooting, unknown) / (double) map->steps;
  if (!ifbam_period_map_run (map, &run, error))
    return FALSE;
  memcpy (shooting->anchor, unknown, n * sizeof *unknown);
  for (gsize i = 0; i < n; i++)
    shooting->flow[i] = end[i] / shooting->scale[i] - unknown[i];
  size = norm (shooting->flow, n);
  for (gsize i = 0; i < n && size > 0; i++)
    shooting->flow[i] /= size;
  return size > 0 || ifbam_fail (error, IFBAM_ERROR_NETWORK, "the network is at rest");
}

/* States of a run, one after the other. */
typedef struct
{
  gsize n;
  GArray *states; /* double (steps)(n) */
} Track;

static void
add_state (gpointer data, const double *state)
{
  Track *track = data;

  g_array_append_vals (track->states, state, (guint) track->n);
}

/* Sets the scales of the states to half their ranges. Those that are constant get the largest range
 * of positions, or of rates. */
static void
find_scales (IfbamShooting *shooting, const Track *track)
{
  const gsize n = track->n, n_rows = track->states->len / n;
  const double *states = (const double *) (gconstpointer) track->states->data;

  for (gsize i = 0; i < n; i++)
    {
      double low = INFINITY, high = -INFINITY;

      for (gsize k = 0; k < n_rows; k++)
        {
          low = fmin (low, states[k * n + i]);
          high = fmax (high, states[k * n + i]);
        }
      shooting->scale[i] = 0.5 * (high - low);
    }
  for (gsize half = 0; half < n; half += n / 2)
    {
      double largest = 0;

      for (gsize i = half; i < half + n / 2; i++)
        largest = fmax (largest, shooting->scale[i]);
      for (gsize i = half; i < half + n / 2; i++)
        if (!(shooting->scale[i] > 1e-6 * largest))
          shooting->scale[i] = largest > 0 ? largest : 1;
    }
}

/* Returns the steps after which a track comes back to its start, at a minimum of the distance, after
 * it was far away; 0: it does not. */
static guint64
find_return (const IfbamShooting *shooting, const Track *track)
{
  const gsize n = track->n, n_rows = track->states->len / n;
  const double *states = (const double *) (gconstpointer) track->states->data;
  double before = 0;
  gboolean far = FALSE;

  for (gsize k = 0; k < n_rows; k++)
    {
      double distance = 0;

      for (gsize i = 0; i < n; i++)
        distance = fmax (distance, fabs (states[k * n + i] - states[i]) / shooting->scale[i]);
      far = far || distance > FAR;
      if (far && before < NEAR && distance > before)
        return k - 1;
      before = distance;
    }
  return 0;
}

/* Finds a motion nearby by runs from the file's start; its unknowns are the guess. */
static gboolean
settle (IfbamShooting *shooting, double *state, GError **error)
{
  IfbamPeriodMap *map = shooting->map;
  const IfbamOrbitRequest *request = map->request;
  const double step = map->spec.step;
  IfbamPeriodRun run = { .state = state, .end = state };
  Track track = { shooting->n, shooting->track };
  guint64 period;

  run.steps = request->free ? map->spec.last_step : map->steps;
  run.time = request->free ? step * (double) run.steps : ifbam_period_map_period (map);
  ifbam_period_map_get_start (map, state);
  for (guint k = 0; k < (request->free ? 1 : request->settling); k++)
    if (!ifbam_period_map_run (map, &run, error))
      return FALSE;
  add_state (&track, state);
  run.listener = add_state;
  run.data = &track;
  if (!ifbam_period_map_run (map, &run, error))
    return FALSE;
  memcpy (state, track.states->data, shooting->n * sizeof *state);
  find_scales (shooting, &track);
  if (!request->free)
    return TRUE;
  period = find_return (shooting, &track);
  map->steps = period * request->periods;
  shooting->scale[shooting->n] = step * (double) map->steps;
  shooting->guess[shooting->n] = 1;
  return period > 0
         || ifbam_fail (error, IFBAM_ERROR_NETWORK,
                        "no motion that repeats was found within the duration of the file");
}

gboolean
ifbam_shooting_init (IfbamShooting *shooting, const IfbamOrbitRequest *request, GError **error)
{
  IfbamPeriodMap *map = ifbam_period_map_new (request, error);
  g_autofree double *state = NULL;

  *shooting = (IfbamShooting){ .map = map };
  if (map == NULL)
    return FALSE;
  shooting->n = map->n;
  shooting->n_rows = map->n + request->free;
  shooting->n_unknowns = shooting->n_rows + 1;
  shooting->scale = g_new0 (double, shooting->n_unknowns);
  shooting->guess = g_new0 (double, shooting->n_unknowns);
  shooting->anchor = g_new0 (double, map->n);
  shooting->flow = g_new0 (double, map->n);
  shooting->track = g_array_new (FALSE, FALSE, sizeof (double));
  state = g_new (double, map->n);
  if (!settle (shooting, state, error))
    return FALSE;
  g_clear_pointer (&shooting->track, g_array_unref);
  for (gsize i = 0; i < map->n; i++)
    shooting->guess[i] = state[i] / shooting->scale[i];
  shooting->scale[shooting->n_rows] =
      map->variation == NULL ? 1 : fabs (map->variation->values[1] - map->variation->values[0]);
  shooting->guess[shooting->n_rows] =
      map->variation == NULL ? 0 : map->number / shooting->scale[shooting->n_rows];
  return ifbam_shooting_anchor (shooting, shooting->guess, error);
}

void
ifbam_shooting_clear (IfbamShooting *shooting)
{
  g_clear_pointer (&shooting->map, ifbam_period_map_free);
  g_clear_pointer (&shooting->track, g_array_unref);
  g_free (shooting->scale);
  g_free (shooting->guess);
  g_free (shooting->anchor);
  g_free (shooting->flow);
}
