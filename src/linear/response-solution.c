/* response-solution.c: the response at one frequency
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/response-solution.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "linear/modes.h"

/* Relative distance within which a frequency is that of an undamped mode; */
#define RESONANCE_DISTANCE 1e-12
/* there a finite response is the limit from this relative distance. */
#define LIMIT_DISTANCE 1e-4
/* A mode with relative participation below this is not driven or not observed. */
#define UNSEEN 1e-9
/* A damping ratio below it is rounding. */
#define UNDAMPED 1e-12

static double complex
power_of (double complex s, int order)
{
  double complex power = 1.0;

  for (int i = 0; i < abs (order); i++)
    power *= s;
  return order < 0 ? 1.0 / power : power;
}

/* Returns a row times displacements (real, imaginary); driven: including the given node's. */
static double complex
row_value (const IfbamResponseSystem *system, const IfbamOutputRow *row, const double *real,
           const double *imaginary, gboolean driven)
{
  double complex sum = 0.0;

  for (guint e = 0; e < row->n; e++)
    {
      const gsize node = row->node[e];

      if (node >= system->model->n_free)
        sum += driven && system->input.motion && node == system->input.node ? row->entry[e] : 0.0;
      else
        sum += row->entry[e]
               * (ifbam_small_motions_node (system->motions, node, real)
                  + I * ifbam_small_motions_node (system->motions, node, imaginary)
                  + (driven && system->carried != NULL ? system->carried[node] : 0.0));
    }
  return sum;
}

/* Returns the force that moves a given node. */
static double complex
given_force_of (const IfbamResponseSystem *system, const GArray *given_forces, double complex s,
                const double *real, const double *imaginary, gboolean driven)
{
  double complex sum = 0;

  for (guint i = 0; i < given_forces->len; i++)
    {
      const IfbamGivenForce *pull = &g_array_index (given_forces, IfbamGivenForce, i);
      const IfbamOutputRow row = { .n = 1, .node = { pull->node }, .entry = { 1 } };

      sum += row_value (system, &row, real, imaginary, driven)
             * (pull->stiffness + s * pull->damping + I * pull->loss);
    }
  return sum;
}

static void
compute_outputs (const IfbamResponseSystem *system, double omega, const double *real,
                 const double *imaginary, double complex *outputs)
{
  const double complex s = I * omega;

  for (guint i = 0; i < system->rows->len; i++)
    {
      const IfbamOutputRow *row = &g_array_index (system->rows, IfbamOutputRow, i);
      double complex value = row_value (system, row, real, imaginary, TRUE);

      if (row->given_forces != NULL)
        value = given_force_of (system, row->given_forces, s, real, imaginary, TRUE);
      else if (row->force)
        value *= row->stiffness + s * row->damping
                 + (system->losses != NULL && row->slot != G_MAXSIZE ? I * system->losses[row->slot]
                                                                     : 0);
      outputs[i] = value * power_of (s, (int) row->order - (int) system->input.order);
    }
}

static gboolean
out_of_memory (GError **error)
{
  return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                     "there is not memory enough to factor the network's matrix");
}

static gboolean
solve_by_factors (const IfbamResponseSystem *system, double omega, double *real, double *imaginary,
                  gboolean *singular, GError **error)
{
  const gsize n = system->motions->n;
  const gboolean damped = system->damping != NULL || system->loss != NULL;
  g_autoptr (IfbamSparse) even = ifbam_sparse_sum (1.0, system->stiffness, 0.0, system->damping,
                                                   -omega * omega, system->motions->inertia);
  const IfbamSparse *beside = system->loss != NULL ? system->loss : system->stiffness;
  g_autoptr (IfbamSparse) sum =
      system->damping == NULL
          ? NULL
          : ifbam_sparse_sum (omega, system->damping, system->loss != NULL ? 1.0 : 0.0, beside, 0.0,
                              NULL);
  const IfbamSparse *odd = sum != NULL ? sum : system->loss;
  IfbamFactorStatus status;
  g_autoptr (IfbamFactor) factor = damped ? ifbam_factor_new_complex (even, odd, &status)
                                          : ifbam_factor_new (even, IFBAM_FACTOR_LU, &status);

  *singular = status == IFBAM_FACTOR_SINGULAR;
  if (factor == NULL)
    return *singular || out_of_memory (error);
  if (damped)
    {
      g_autofree double complex *b = g_new (double complex, n + 1),
                                *x = g_new (double complex, n + 1);

      for (gsize i = 0; i < n; i++)
        b[i] = system->in_stiffness[i] + I * (omega * system->in_damping[i] + system->in_loss[i]);
      if (!ifbam_factor_solve_complex (factor, b, x))
        return out_of_memory (error);
      for (gsize i = 0; i < n; i++)
        {
          real[i] = creal (x[i]);
          imaginary[i] = cimag (x[i]);
        }
      return TRUE;
    }
  memset (imaginary, 0, n * sizeof *imaginary);
  return ifbam_factor_solve (factor, system->in_stiffness, real) || out_of_memory (error);
}

/* Solves for displacements of the coordinates at an angular frequency. *singular: no solution. */
static gboolean
solve (const IfbamResponseSystem *system, double omega, double *real, double *imaginary,
       gboolean *singular, GError **error)
{
  *singular = FALSE;
  if (system->solver != NULL
      && ifbam_tree_solver_solve (system->solver, omega, system->in_stiffness, system->in_damping,
                                  real, imaginary))
    return TRUE;
  return solve_by_factors (system, omega, real, imaginary, singular, error);
}

/* Computes a mode's displacements of coordinates. */
static void
compute_shape (const IfbamResponseSystem *system, gsize mode, double *x)
{
  const IfbamSmallMotions *motions = system->motions;
  const IfbamModel *model = system->model;
  gsize n;
  const double *shape = ifbam_modes_get_shape (system->modes, mode, &n);

  memset (x, 0, motions->n * sizeof *x);
  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    {
      const gsize node = ifbam_model_named_node (model, i);
      const IfbamNullSpace *null_space = motions->null_space;

      if (null_space == NULL)
        x[node] = shape[i];
      else /* M x = Z^T M times the shape */
        for (gsize k = 0; k < ifbam_null_space_count (null_space, node); k++)
          x[null_space->first[node] + k] += null_space->factor[null_space->start[node] + k]
                                            * ifbam_model_inertia (model, node) * shape[i]
                                            / motions->inertia[null_space->first[node] + k];
    }
}

/* Adds the residues of the outputs at a mode's own frequency. */
static void
add_residues (const IfbamResponseSystem *system, gsize mode, double *residue, double *size)
{
  const IfbamSmallMotions *motions = system->motions;
  g_autofree double *x = g_new (double, motions->n + 1), *none = g_new0 (double, motions->n + 1);
  double in = 0, most = 0, mass = 0;

  compute_shape (system, mode, x);
  for (gsize i = 0; i < motions->n; i++)
    {
      in += system->in_stiffness[i] * x[i];
      most += fabs (system->in_stiffness[i]);
      mass += motions->inertia[i] * x[i] * x[i];
    }
  for (guint i = 0; i < system->rows->len; i++)
    {
      const IfbamOutputRow *row = &g_array_index (system->rows, IfbamOutputRow, i);
      double entries = 0;

      for (guint e = 0; e < row->n; e++)
        entries += fabs (row->entry[e]);
      for (guint k = 0; row->given_forces != NULL && k < row->given_forces->len; k++)
        entries += fabs (g_array_index (row->given_forces, IfbamGivenForce, k).stiffness);
      residue[i] += in
                    * creal (row->given_forces != NULL
                                 ? given_force_of (system, row->given_forces, 0, x, none, FALSE)
                                 : row_value (system, row, x, none, FALSE))
                    / mass;
      size[i] += most * entries / mass;
    }
}

/* TRUE if undamped modes have this frequency; outputs that they drive become infinite. */
static gboolean
find_resonance (const IfbamResponseSystem *system, double frequency, double complex *outputs)
{
  const guint n = system->rows->len;
  g_autofree double *residue = g_new0 (double, n + 1), *size = g_new0 (double, n + 1);
  gsize n_modes = 0;
  const IfbamMode *modes =
      system->modes == NULL ? NULL : ifbam_modes_get_modes (system->modes, &n_modes);
  gboolean any = FALSE;

  for (gsize i = 0; i < n_modes && system->loss == NULL; i++)
    if (modes[i].frequency > 0 && fabs (modes[i].damping_ratio) <= UNDAMPED
        && fabs (frequency - modes[i].frequency) <= RESONANCE_DISTANCE * frequency)
      {
        add_residues (system, i, residue, size);
        any = TRUE;
      }
  for (guint i = 0; i < n && any; i++)
    outputs[i] = fabs (residue[i]) > UNSEEN * size[i] ? INFINITY : 0.0;
  return any;
}

static gboolean
solve_at (const IfbamResponseSystem *system, double frequency, double complex *outputs,
          double *largest, gboolean *singular, GError **error)
{
  const gsize n = system->motions->n;
  const double omega = 2 * G_PI * frequency;
  double *real = system->real, *imaginary = system->imaginary;

  if (!solve (system, omega, real, imaginary, singular, error))
    return FALSE;
  if (*singular)
    return TRUE;
  compute_outputs (system, omega, real, imaginary, outputs);
  for (gsize i = 0; i < n && largest != NULL; i++)
    *largest = fmax (*largest, hypot (real[i], imaginary[i]));
  return TRUE;
}

/* Computes finite outputs at a resonance as limits: symmetric differences, extrapolated once. */
static gboolean
solve_beside (const IfbamResponseSystem *system, double frequency, double complex *outputs,
              GError **error)
{
  const guint n = system->rows->len;
  g_autofree double complex *aside = g_new0 (double complex, n + 1);
  g_autofree double complex *limit = g_new0 (double complex, n + 1);
  gboolean singular;

  for (int k = 0; k < 4; k++)
    {
      const double distance = (k & 1 ? -1 : 1) * (k < 2 ? LIMIT_DISTANCE : 2 * LIMIT_DISTANCE);

      if (!solve_at (system, frequency * (1 + distance), aside, NULL, &singular, error))
        return FALSE;
      for (guint i = 0; i < n; i++)
        limit[i] += aside[i] * (k < 2 ? 2.0 / 3 : -1.0 / 6);
    }
  for (guint i = 0; i < n; i++)
    if (isfinite (creal (outputs[i])))
      outputs[i] = limit[i];
  return TRUE;
}

gboolean
ifbam_response_at (const IfbamResponseSystem *system, double frequency, double complex *outputs,
                   double *largest, GError **error)
{
  gboolean singular;

  if (largest != NULL)
    *largest = 0;
  if (find_resonance (system, frequency, outputs))
    return solve_beside (system, frequency, outputs, error);
  if (!solve_at (system, frequency, outputs, largest, &singular, error))
    return FALSE;
  for (guint i = 0; i < system->rows->len && singular; i++)
    outputs[i] = INFINITY;
  return TRUE;
}

double
ifbam_response_phase (double complex number)
{
  const double phase = carg (number) * (180 / G_PI);

  if (!isfinite (creal (number)) || !isfinite (cimag (number)) || number == 0)
    return NAN;
  /* Motion in antiphase lags by half a period. Avoids -0. */
  return phase >= 180 ? -180.0 : phase + 0.0;
}
