/* test-sparse-oracles.c: the sparse solver against CHOLMOD and UMFPACK, on the equations of implicit stages
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "base/sparse-solver.h"
#include "draft.h"
#include "fixture.h"
#include "linear/linear.h"
#include "linear/sparse-matrix.h"
#include "run/run.h"

/* Largest relative difference of solutions, times the matrix's condition. */
#define AGREE 1e-9
#define MOST  1200 /* nodes, with matrices computed column by column */

typedef struct
{
  guint matrices, definite;
  gsize largest;
} Met;
static Met met;

/* M/a + C + a K of a network's laws at its start, by multiplications. */
static IfbamSparse *
matrix_of (const IfbamModel *model, const IfbamRunSpec *spec, double a)
{
  const gsize n = model->n_free;
  g_autoptr (IfbamLinearization) linearization = ifbam_linearization_new (model, spec, NULL, NULL);
  g_autofree double *x = g_new0 (double, model->n_nodes + 1);
  g_autofree double *y = g_new0 (double, model->n_nodes + 1);
  g_auto (IfbamTriplets) triplets = { 0 };

  for (gsize j = 0; j < n; j++)
    {
      memset (y, 0, model->n_nodes * sizeof *y);
      x[j] = a;
      ifbam_linearization_multiply (linearization, linearization->stiffness, x, y);
      x[j] = 1;
      ifbam_linearization_multiply (linearization, linearization->damping, x, y);
      x[j] = 0;
      y[j] += ifbam_model_inertia (model, j) / a;
      for (gsize i = 0; i < n; i++)
        if (y[i] != 0)
          ifbam_triplets_add (&triplets, i, j, y[i]);
    }
  return ifbam_sparse_new (n, &triplets, NULL);
}

static gboolean
is_finite (const IfbamSparse *matrix)
{
  for (gint32 k = 0; k < matrix->start[matrix->n]; k++)
    if (!isfinite (matrix->value[k]))
      return FALSE;
  return TRUE;
}

/* The pattern with each entry's mirror image, in the solver's way; values by rows. */
static void
give (IfbamSolver *solver, const IfbamSparse *matrix)
{
  const gsize n = matrix->n;
  g_auto (IfbamTriplets) both = { 0 };
  g_autoptr (IfbamSparse) whole = NULL;
  double *value;

  /* By columns of the transposed, which are its rows. */
  for (gsize j = 0; j < n; j++)
    for (gint32 k = matrix->start[j]; k < matrix->start[j + 1]; k++)
      {
        ifbam_triplets_add (&both, j, (gsize) matrix->row[k], matrix->value[k]);
        ifbam_triplets_add (&both, (gsize) matrix->row[k], j, 0);
      }
  whole = ifbam_sparse_new (n, &both, NULL);
  assert_non_null (whole);
  ifbam_solver_set_pattern (solver, (uint32_t) n, (const uint32_t *) (gpointer) whole->start,
                            (const uint32_t *) (gpointer) whole->row);
  value = ifbam_solver_values (solver);
  memcpy (value, whole->value, (gsize) whole->start[n] * sizeof *value);
}

static void
compare (const char *what, const IfbamSparse *matrix, IfbamFactorKind kind, const double *b,
         const double *x)
{
  IfbamFactorStatus status;
  g_autoptr (IfbamFactor) factor = ifbam_factor_new (matrix, kind, &status);
  g_autofree double *y = g_new (double, matrix->n + 1);
  double largest = 0;

  /* (Falling laws may have a negative slope, which CHOLMOD's Cholesky rejects.) */
  if (factor == NULL && kind == IFBAM_FACTOR_CHOLESKY)
    return;
  if (factor == NULL)
    fail_msg ("%s: the oracle can't", what);
  assert_true (ifbam_factor_solve (factor, b, y));
  for (gsize i = 0; i < matrix->n; i++)
    largest = fmax (largest, fabs (y[i]));
  for (gsize i = 0; i < matrix->n; i++)
    if (!(fabs (x[i] - y[i]) <= AGREE * largest))
      fail_msg ("%s: number %d is %.17g, not %.17g", what, (int) i, x[i], y[i]);
  met.definite += kind == IFBAM_FACTOR_CHOLESKY;
}

/* The symmetric equations, and unsymmetric ones as with friction and controllers. */
static void
try_matrix (const char *what, IfbamSparse *matrix, GRand *random)
{
  const gsize n = matrix->n;
  IfbamSolver *solver = ifbam_solver_new ();
  g_autofree double *b = g_new (double, n + 1), *x = g_new (double, n + 1);

  for (guint lean = 0; lean < 2; lean++)
    {
      for (gsize i = 0; i < n; i++)
        b[i] = g_rand_double_range (random, -1, 1);
      for (gsize j = 0; j < n && lean; j++)
        for (gint32 k = matrix->start[j]; k < matrix->start[j + 1]; k++)
          if ((gsize) matrix->row[k] != j)
            matrix->value[k] *= g_rand_double_range (random, 0.5, 1);
      give (solver, matrix);
      assert_int_equal (ifbam_solver_factor (solver, NULL, 0), 0);
      ifbam_solver_solve (solver, b, x, 2);
      compare (what, matrix, lean ? IFBAM_FACTOR_LU : IFBAM_FACTOR_CHOLESKY, b, x);
      met.matrices++;
    }
  met.largest = MAX (met.largest, n);
  ifbam_solver_free (solver);
}

static void
try_network (const char *what, IfbamNetwork *network, GRand *random)
{
  g_auto (IfbamRunSpec) spec = { 0 };
  g_autoptr (IfbamModel) model = ifbam_network_compile_or_error (network, TRUE, &spec, NULL, NULL);

  if (model == NULL || model->n_free == 0 || model->n_free > MOST)
    return;
  /* Slow and fast modes relative to the step. */
  for (double part = 1e-2; part < 1e5; part *= 100)
    {
      g_autoptr (IfbamSparse) matrix = matrix_of (model, &spec, part * spec.step);

      if (matrix != NULL && is_finite (matrix))
        try_matrix (what, matrix, random);
    }
}

static void
test_shipped (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (21);
  g_auto (GStrv) paths = shipped_networks ("networks", G_STRFUNC);

  (void) state;
  met = (Met){ 0 };
  for (guint p = 0; paths[p] != NULL; p++)
    {
      const char *path = paths[p], *name = strrchr (path, G_DIR_SEPARATOR) + 1;
      g_autoptr (IfbamNetwork) network = open_network (path, NULL);

      try_network (name, network, random);
    }
  print_message ("# %u systems, %u by CHOLMOD, up to %d unknowns\n", met.matrices, met.definite,
                 (int) met.largest);
  assert_true (met.matrices > by_effort (60, 300, 300) && met.definite > by_effort (20, 100, 100)
               && met.largest >= by_effort (1, 1000, 1000));
}

static void
test_random (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (22);

  (void) state;
  met = (Met){ 0 };
  for (guint seed = 1; seed <= 60; seed++)
    {
      g_autoptr (GArray) pairs = g_array_new (FALSE, FALSE, sizeof (DraftPair));
      g_autofree char *row = draft_row (seed, pairs), *circuit = draft_circuit (seed, pairs);
      g_autofree char *chains = draft_chains (seed);
      g_autofree char *text =
          g_strconcat ("[network]\nformat = 1\nscheme = rk4\nstep = 5 ms\nduration = 2 s\n",
                       seed % 2 == 0 ? chains : row, seed % 2 == 0 ? "" : circuit, NULL);
      g_autofree char *what = g_strdup_printf ("random network %u", seed);
      g_autoptr (IfbamNetwork) network = text_network (text);

      try_network (what, network, random);
    }
  print_message ("# %u systems, %u by CHOLMOD, up to %d unknowns\n", met.matrices, met.definite,
                 (int) met.largest);
  assert_true (met.matrices > 300 && met.definite > 100);
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_shipped),
    cmocka_unit_test (test_random),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
