/* fit.c: numbers of a network from measured modes, frequency responses or time series
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/fit.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "run/run.h"

#define MAX_ITERATIONS 100
/* Changes of unknowns at which the iteration ends. */
#define STEP_TOLERANCE 1e-10
/* Root mean square of residuals that come from rounding alone. */
#define VANISHING 1e-10
/* Cosine of residuals and a column of the Jacobian at a minimum, by differences. */
#define ORTHOGONAL 1e-4
/* Change of an unknown for a central difference. */
#define DIFFERENCE 1e-5
/* A combination of unknowns with a smaller effect, relative to the strongest, is not determined. */
#define UNDETERMINED 1e-6
/* Part of a combination that counts. */
#define VISIBLE 1e-3

typedef struct
{
  const IfbamFitRequest *request;
  IfbamFit *fit;
  GError *error; /* of an evaluation */
} Work;

static void
work_clear (Work *work)
{
  ifbam_fit_free (work->fit);
  g_clear_error (&work->error);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

/* Residuals */

static gboolean
compute (Work *work, const double *x, double *computed, double *residual)
{
  const IfbamFitRequest *request = work->request;
  g_auto (GStrv) settings = ifbam_free_numbers_settings (work->fit->numbers, request->settings, x);

  g_clear_error (&work->error);
  if (request->progress != NULL && !request->progress (request->data, 0.5))
    return ifbam_fail (&work->error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
  return ifbam_fit_data_compute (work->fit->data, request->bytes, (const char *const *) settings,
                                 computed, residual, &work->error);
}

static int
find_residuals (const gsl_vector *x, void *data, gsl_vector *residual)
{
  Work *work = data;

  gsl_vector_set_zero (residual);
  return compute (work, x->data, work->fit->fitted, residual->data) ? GSL_SUCCESS : GSL_EBADFUNC;
}

static int
find_jacobian (const gsl_vector *x, void *data, gsl_matrix *jacobian)
{
  Work *work = data;
  const gsize n = work->fit->n;
  g_autofree double *computed = g_new (double, n + 1);
  g_autofree double *side = g_new (double, 2 * n + 1);
  g_autofree double *moved = g_memdup2 (x->data, x->size * sizeof (double));

  gsl_matrix_set_zero (jacobian);
  for (gsize j = 0; j < x->size; j++)
    {
      for (guint k = 0; k < 2; k++)
        {
          moved[j] = x->data[j] + (k == 0 ? -DIFFERENCE : DIFFERENCE);
          if (!compute (work, moved, computed, side + k * n))
            return GSL_EBADFUNC;
        }
      moved[j] = x->data[j];
      for (gsize i = 0; i < n; i++)
        gsl_matrix_set (jacobian, i, j, (side[n + i] - side[i]) / (2 * DIFFERENCE));
    }
  return GSL_SUCCESS;
}

/* Results */

/* Returns a sentence about a combination that leaves the data unchanged (transfer full). */
static char *
describe (const GArray *numbers, const gsl_vector *direction)
{
  g_autoptr (GString) names = g_string_new (NULL), parts = g_string_new (NULL);
  const gsize largest = gsl_blas_idamax (direction);
  guint n = 0, equal = 0;
  const char *pair[2] = { NULL, NULL };
  double product = 1;

  for (gsize i = 0; i < direction->size; i++)
    {
      const double part = direction->data[i] / direction->data[largest];
      const char *name = g_array_index (numbers, IfbamFreeNumber, i).name;

      if (fabs (part) < VISIBLE)
        continue;
      if (n < 2)
        pair[n] = name;
      product *= part;
      equal += fabs (part - 1) < VISIBLE;
      g_string_append_printf (names, "%s%s", n > 0 ? ", " : "", name);
      g_string_append_printf (parts, "%s%+.3g %% of %s", n > 0 ? ", " : "", part, name);
      n++;
    }
  if (n == 1)
    return g_strdup_printf ("%s has no effect on the data", pair[0]);
  if (n == 2 && equal == 2)
    return g_strdup_printf ("%s and %s only as %s / %s", pair[0], pair[1], pair[0], pair[1]);
  if (n == 2 && fabs (product + 1) < VISIBLE)
    return g_strdup_printf ("%s and %s only as %s * %s", pair[0], pair[1], pair[0], pair[1]);
  if (equal == n)
    return g_strdup_printf ("%s only up to a common factor", names->str);
  return g_strdup_printf ("the data do not change with %s", parts->str);
}

/* Finds the combinations that the Jacobian does not determine, and standard deviations. */
static void
find_certainty (Work *work, const gsl_matrix *jacobian, const gsl_vector *x)
{
  IfbamFit *fit = work->fit;
  const gsize p = x->size;
  const double degrees = fit->n > p ? (double) (fit->n - p) : 1;
  const double variance = fit->residual * fit->residual * (double) fit->n / degrees;
  gsl_matrix *square = gsl_matrix_alloc (p, p);
  gsl_vector *value = gsl_vector_alloc (p);
  gsl_matrix *vectors = gsl_matrix_alloc (p, p);
  gsl_vector *scratch = gsl_vector_alloc (p);

  /* J^T J = V S V^T, and its inverse on the determined part */
  gsl_blas_dgemm (CblasTrans, CblasNoTrans, 1, jacobian, jacobian, 0, square);
  gsl_linalg_SV_decomp (square, vectors, value, scratch);
  for (gsize k = 0; k < p; k++)
    {
      gsl_vector_view direction = gsl_matrix_column (vectors, k);
      const gboolean determined =
          value->data[k] > UNDETERMINED * UNDETERMINED * value->data[0] && value->data[k] > 0;

      if (!determined)
        {
          gsl_vector_memcpy (scratch, &direction.vector);
          g_ptr_array_add (fit->undetermined, describe (fit->numbers, scratch));
        }
      for (gsize i = 0; i < p * p; i++)
        {
          const double product =
              gsl_vector_get (&direction.vector, i / p) * gsl_vector_get (&direction.vector, i % p);

          if (determined)
            fit->covariance[i] += product * variance / value->data[k];
          else if (fabs (gsl_vector_get (&direction.vector, i / p)) > VISIBLE
                   || fabs (gsl_vector_get (&direction.vector, i % p)) > VISIBLE)
            fit->covariance[i] = NAN;
        }
    }
  for (gsize i = 0; i < p; i++)
    {
      const IfbamFreeNumber *number = &g_array_index (fit->numbers, IfbamFreeNumber, i);
      const double slope = (ifbam_free_number_at (number, x->data[i] + DIFFERENCE)
                            - ifbam_free_number_at (number, x->data[i] - DIFFERENCE))
                           / (2 * DIFFERENCE * fit->value[i]);

      for (gsize j = 0; j < p; j++)
        {
          fit->covariance[i * p + j] *= slope;
          fit->covariance[j * p + i] *= slope;
        }
    }
  for (gsize i = 0; i < p; i++)
    fit->deviation[i] = sqrt (fit->covariance[i * p + i]);
  gsl_matrix_free (square);
  gsl_vector_free (value);
  gsl_matrix_free (vectors);
  gsl_vector_free (scratch);
}

/* TRUE if the residuals at the start vanish, or are orthogonal to all columns of the Jacobian: then no
 * step reduces them, and GSL reports a failure. */
static gboolean
starts_at_minimum (const gsl_multifit_nlinear_workspace *solver)
{
  const gsl_vector *residual = gsl_multifit_nlinear_residual (solver);
  const gsl_matrix *jacobian = gsl_multifit_nlinear_jac (solver);
  const double size = gsl_blas_dnrm2 (residual);

  if (size <= VANISHING * sqrt ((double) residual->size))
    return TRUE;
  for (gsize i = 0; i < jacobian->size2; i++)
    {
      const gsl_vector_const_view column = gsl_matrix_const_column (jacobian, i);
      double product;

      gsl_blas_ddot (&column.vector, residual, &product);
      if (fabs (product) > ORTHOGONAL * size * gsl_blas_dnrm2 (&column.vector))
        return FALSE;
    }
  return TRUE;
}

/* Iterates from the start; FALSE: an evaluation failed. */
static gboolean
solve (Work *work, gsl_multifit_nlinear_workspace *solver, gsl_multifit_nlinear_fdf *problem,
       const gsl_vector *start, GError **error)
{
  IfbamFit *fit = work->fit;
  int info = 0;
  int status = gsl_multifit_nlinear_init (start, problem, solver);

  if (status == GSL_SUCCESS)
    {
      memcpy (fit->first, fit->fitted, fit->n * sizeof (double)); /* evaluated at the start */
      status = gsl_multifit_nlinear_driver (MAX_ITERATIONS, STEP_TOLERANCE, STEP_TOLERANCE, 0, NULL,
                                            NULL, &info, solver);
    }
  if (status == GSL_EBADFUNC || work->error != NULL)
    {
      g_propagate_error (error, g_steal_pointer (&work->error));
      return FALSE;
    }
  fit->iterations = (guint) gsl_multifit_nlinear_niter (solver);
  return status != GSL_EMAXITER || (info == GSL_ENOPROG && starts_at_minimum (solver))
         || ifbam_fail (error, IFBAM_ERROR_NETWORK,
                        "the fit does not converge within %d iterations (give bounds, or a start "
                        "that is nearer)",
                        MAX_ITERATIONS);
}

static gboolean
fit_numbers (Work *work, GError **error)
{
  IfbamFit *fit = work->fit;
  const gsize p = fit->numbers->len;
  const gsl_multifit_nlinear_parameters parameters = gsl_multifit_nlinear_default_parameters ();
  /* GSL wants as many residuals as unknowns: those beyond the data are 0 */
  const gsize n = MAX (fit->n, p);
  gsl_multifit_nlinear_fdf problem = {
    .f = find_residuals, .df = find_jacobian, .n = n, .p = p, .params = work
  };
  gsl_multifit_nlinear_workspace *solver =
      gsl_multifit_nlinear_alloc (gsl_multifit_nlinear_trust, &parameters, n, p);
  gsl_vector *start = gsl_vector_alloc (p);
  gboolean fine;

  for (gsize i = 0; i < p; i++)
    start->data[i] = ifbam_free_number_origin (&g_array_index (fit->numbers, IfbamFreeNumber, i));
  fine = solve (work, solver, &problem, start, error);
  if (fine)
    {
      const gsl_vector *x = gsl_multifit_nlinear_position (solver);
      g_autofree double *residual = g_new (double, fit->n + 1);

      fine = compute (work, x->data, fit->fitted, residual);
      fit->residual = cblas_dnrm2 ((int) fit->n, residual, 1) / sqrt ((double) fit->n);
      for (gsize i = 0; i < p; i++)
        fit->value[i] =
            ifbam_free_number_at (&g_array_index (fit->numbers, IfbamFreeNumber, i), x->data[i]);
      fit->settings = ifbam_free_numbers_settings (fit->numbers, work->request->settings, x->data);
      find_certainty (work, gsl_multifit_nlinear_jac (solver), x);
    }
  gsl_multifit_nlinear_free (solver);
  gsl_vector_free (start);
  return fine;
}

IfbamFit *
ifbam_fit_new (const IfbamFitRequest *request, GError **error)
{
  g_auto (Work) work = { .request = request, .fit = g_new0 (IfbamFit, 1) };
  IfbamFit *fit = work.fit;

  gsl_set_error_handler_off ();
  fit->undetermined = g_ptr_array_new_with_free_func (g_free);
  fit->numbers =
      ifbam_free_numbers_read (request->bytes, request->settings, request->varied, error);
  if (fit->numbers == NULL)
    return NULL;
  fit->data = ifbam_fit_data_new (request->path, request->input, error);
  if (fit->data == NULL)
    return NULL;
  fit->n = ifbam_fit_data_count (fit->data);
  fit->labels = ifbam_fit_data_labels (fit->data);
  fit->measured = ifbam_fit_data_measured (fit->data);
  fit->fitted = g_new0 (double, fit->n + 1);
  fit->first = g_new0 (double, fit->n + 1);
  fit->value = g_new0 (double, fit->numbers->len + 1);
  fit->deviation = g_new0 (double, fit->numbers->len + 1);
  fit->covariance = g_new0 (double, fit->numbers->len * fit->numbers->len + 1);
  return fit_numbers (&work, error) ? g_steal_pointer (&work.fit) : NULL;
}

void
ifbam_fit_free (IfbamFit *fit)
{
  if (fit == NULL)
    return;
  g_clear_pointer (&fit->numbers, g_array_unref);
  g_clear_pointer (&fit->undetermined, g_ptr_array_unref);
  g_free (fit->value);
  g_free (fit->deviation);
  g_free (fit->covariance);
  ifbam_fit_data_free (fit->data);
  g_free (fit->fitted);
  g_free (fit->first);
  g_strfreev (fit->settings);
  g_free (fit);
}
