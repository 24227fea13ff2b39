/* test-sparse-solver.c: the sparse solver against LAPACK, on chains, grids and random matrices; trees have no fill
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <glib.h>
#include <math.h>
#include <string.h>

#include "base/sparse-solver.h"

extern void dgesv_ (const int *n, const int *n_rhs, double *a, const int *lda, int *pivots,
                    double *b, const int *ldb, int *info);

typedef struct
{
  guint n;
  double *dense; /* by rows (n * n) */
  guint8 *there; /* its pattern */
} Matrix;

static Matrix
matrix_new (guint n)
{
  Matrix matrix = { n, g_new0 (double, n *n), g_new0 (guint8, n * n) };

  for (guint i = 0; i < n; i++)
    matrix.there[i * n + i] = 1;
  return matrix;
}

static void
matrix_clear (Matrix *matrix)
{
  g_free (matrix->dense);
  g_free (matrix->there);
}

static void
join (Matrix *matrix, guint i, guint j)
{
  matrix->there[i * matrix->n + j] = matrix->there[j * matrix->n + i] = 1;
}

/* Values by chance, with a diagonal that outweighs its row. */
static void
fill_in (Matrix *matrix, GRand *random, gboolean symmetric)
{
  const guint n = matrix->n;

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      if (matrix->there[i * n + j] && i != j)
        matrix->dense[i * n + j] =
            symmetric && j < i ? matrix->dense[j * n + i] : g_rand_double_range (random, -1, 1);
  for (guint i = 0; i < n; i++)
    {
      double sum = 0.1;

      for (guint j = 0; j < n; j++)
        if (i != j)
          sum += fabs (matrix->dense[i * n + j]);
      matrix->dense[i * n + i] = g_rand_boolean (random) && !symmetric ? -sum : sum;
    }
}

static void
set (IfbamSolver *sparse, const Matrix *matrix)
{
  const guint n = matrix->n;
  g_autofree uint32_t *start = g_new0 (uint32_t, n + 1);
  g_autofree uint32_t *column = g_new0 (uint32_t, n * n + 1);
  double *value;
  guint k = 0;

  for (guint i = 0; i < n; i++)
    {
      for (guint j = 0; j < n; j++)
        if (matrix->there[i * n + j])
          column[k++] = j;
      start[i + 1] = k;
    }
  ifbam_solver_set_pattern (sparse, n, start, column);
  value = ifbam_solver_values (sparse);
  for (guint i = 0; i < n; i++)
    for (guint e = start[i]; e < start[i + 1]; e++)
      value[e] = matrix->dense[i * n + column[e]];
}

/* Solves, and compares with LAPACK. */
static void
assert_solved (IfbamSolver *sparse, const Matrix *matrix, GRand *random)
{
  const int n = (int) matrix->n, one = 1;
  g_autofree double *b = g_new (double, matrix->n);
  g_autofree double *x = g_new (double, matrix->n);
  g_autofree double *a = g_new (double, matrix->n * matrix->n);
  g_autofree int *pivots = g_new (int, matrix->n);
  double most = 0;
  int info = 0;

  set (sparse, matrix);
  for (guint i = 0; i < matrix->n; i++)
    {
      b[i] = g_rand_double_range (random, -1, 1);
      for (guint j = 0; j < matrix->n; j++)
        a[j * matrix->n + i] = matrix->dense[i * matrix->n + j];
    }
  assert_int_equal (ifbam_solver_factor (sparse, NULL, 1e-11), 0);
  assert_true (ifbam_solver_solve (sparse, b, x, 2) < 1e-14);
  dgesv_ (&n, &one, a, &n, pivots, b, &n, &info);
  assert_int_equal (info, 0);
  for (guint i = 0; i < matrix->n; i++)
    most = fmax (most, fabs (b[i]));
  for (guint i = 0; i < matrix->n; i++)
    if (!(fabs (x[i] - b[i]) <= 1e-10 * most))
      fail_msg ("of %d rows, number %u is %.17g, not %.17g", n, i, x[i], b[i]);
}

static void
test_lapack_agrees (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (8);
  IfbamSolver *sparse = ifbam_solver_new ();

  (void) state;
  for (guint turn = 0; turn < 400; turn++)
    {
      const guint n = 1 + (guint) g_rand_int_range (random, 0, 40);
      const guint joins = (guint) g_rand_int_range (random, 0, (gint32) (3 * n));
      Matrix matrix = matrix_new (n);

      for (guint k = 0; k < joins; k++)
        join (&matrix, (guint) g_rand_int_range (random, 0, (gint32) n),
              (guint) g_rand_int_range (random, 0, (gint32) n));
      /* The same pattern twice, with other values. */
      for (guint k = 0; k < 2; k++)
        {
          fill_in (&matrix, random, turn % 2 == 0);
          assert_solved (sparse, &matrix, random);
        }
      matrix_clear (&matrix);
    }
  ifbam_solver_free (sparse);
}

static void
test_trees_fill_nothing (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (9);
  IfbamSolver *sparse = ifbam_solver_new ();
  Matrix matrix = matrix_new (200);

  (void) state;
  for (guint i = 1; i < matrix.n; i++)
    join (&matrix, i, i % 3 == 0 ? i - 1 : (guint) g_rand_int_range (random, 0, (gint32) i));
  fill_in (&matrix, random, TRUE);
  assert_solved (sparse, &matrix, random);
  assert_int_equal (ifbam_solver_fill (sparse), matrix.n - 1);
  matrix_clear (&matrix);
  /* A square of 20 by 20: by rows it would fill 20 in each column. */
  matrix = matrix_new (400);
  for (guint i = 0; i < matrix.n; i++)
    {
      if (i % 20 > 0)
        join (&matrix, i, i - 1);
      if (i >= 20)
        join (&matrix, i, i - 20);
    }
  fill_in (&matrix, random, FALSE);
  assert_solved (sparse, &matrix, random);
  print_message ("# a square of 400 rows: %u below the diagonal\n",
                 (guint) ifbam_solver_fill (sparse));
  assert_true (ifbam_solver_fill (sparse) < 4000);
  matrix_clear (&matrix);
  ifbam_solver_free (sparse);
}

/* Two rows that say the same: the vanishing pivot is told; shifted, the answer is shared between them. */
static void
test_redundant_rows_share (void **state)
{
  IfbamSolver *sparse = ifbam_solver_new ();
  Matrix matrix = matrix_new (2);
  const double b[] = { 3, 3 }, shift[] = { 1e-10, 2e-10 };
  double x[2];

  (void) state;
  join (&matrix, 0, 1);
  for (guint i = 0; i < 4; i++)
    matrix.dense[i] = 1;
  set (sparse, &matrix);
  assert_int_equal (ifbam_solver_factor (sparse, NULL, 1e-11), 1);
  assert_int_equal (ifbam_solver_factor (sparse, shift, 0), 0);
  assert_true (ifbam_solver_solve (sparse, b, x, 3) < 1e-15);
  assert_true (fabs (x[0] + x[1] - 3) < 1e-14);
  assert_true (fabs (x[0] - 2) < 1e-5);
  matrix_clear (&matrix);
  ifbam_solver_free (sparse);
}

static int
count_questions (void *data)
{
  guint *left = data;

  return *left > 0 && (*left)-- > 0;
}

/* A long factoring asks whether to go on, and stops where not; asking changes no bit. */
static void
test_interrupts_are_heard (void **state)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (5);
  IfbamSolver *sparse = ifbam_solver_new ();
  Matrix matrix = matrix_new (600);
  g_autofree double *b = g_new (double, 600), *x = g_new (double, 600), *y = g_new (double, 600);
  guint left = 1000;

  (void) state;
  for (guint i = 0; i < matrix.n; i++)
    {
      b[i] = g_rand_double (random);
      for (guint j = 0; j < i; j++)
        join (&matrix, i, j);
    }
  fill_in (&matrix, random, TRUE);
  set (sparse, &matrix);
  assert_int_equal (ifbam_solver_factor (sparse, NULL, 1e-11), 0);
  ifbam_solver_solve (sparse, b, x, 0);
  ifbam_solver_set_interrupt_check (sparse, count_questions, &left);
  assert_int_equal (ifbam_solver_factor (sparse, NULL, 1e-11), 0);
  assert_in_range (left, 990, 999);
  ifbam_solver_solve (sparse, b, y, 0);
  assert_memory_equal (x, y, 600 * sizeof *x);
  left = 1;
  ifbam_solver_factor (sparse, NULL, 1e-11);
  assert_int_equal (left, 0);
  ifbam_solver_solve (sparse, b, y, 0);
  assert_memory_not_equal (x, y, 600 * sizeof *x);
  for (guint i = 0; i < 600; i++)
    assert_true (isfinite (y[i]));
  matrix_clear (&matrix);
  ifbam_solver_free (sparse);
}

/* So does the ordering of many rows; an interrupted work begins again when the pattern is set, with the bits of an
 * uninterrupted one. */
static void
test_interrupts_are_heard_while_an_order_is_looked_for (void **state)
{
  const guint n = 400000;
  g_autofree guint32 *start = g_new (guint32, n + 1), *column = g_new (guint32, 3 * n);
  g_autofree double *b = g_new (double, n), *x = g_new (double, n), *y = g_new (double, n);
  guint32 end = 0;

  (void) state;
  for (guint i = 0; i < n; i++)
    {
      start[i] = end;
      for (guint j = i > 0 ? i - 1 : 0; j <= MIN (i + 1, n - 1); j++)
        column[end++] = j;
      b[i] = 1 + i % 7;
    }
  start[n] = end;
  for (guint most = 0; most < 3; most++)
    {
      IfbamSolver *sparse = ifbam_solver_new ();
      guint left = most == 0 ? G_MAXUINT : most - 1;

      ifbam_solver_set_interrupt_check (sparse, count_questions, &left);
      ifbam_solver_set_pattern (sparse, n, start, column);
      for (guint32 e = 0; e < end; e++)
        ifbam_solver_values (sparse)[e] = -1;
      for (guint i = 0; i < n; i++)
        ifbam_solver_values (sparse)[start[i] + (i > 0)] = 3;
      ifbam_solver_factor (sparse, NULL, 0);
      ifbam_solver_solve (sparse, b, most == 0 ? x : y, 0);
      if (most == 0)
        assert_in_range (left, 1, G_MAXUINT - 3);
      else
        {
          assert_int_equal (left, 0);
          assert_int_equal (ifbam_solver_fill (sparse), 0);
          ifbam_solver_set_interrupt_check (sparse, NULL, NULL);
          ifbam_solver_set_pattern (sparse, n, start, column);
          assert_int_equal (ifbam_solver_fill (sparse), n - 1);
          ifbam_solver_factor (sparse, NULL, 0);
          ifbam_solver_solve (sparse, b, y, 0);
          assert_memory_equal (x, y, n * sizeof *x);
        }
      ifbam_solver_free (sparse);
    }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    cmocka_unit_test (test_lapack_agrees),
    cmocka_unit_test (test_trees_fill_nothing),
    cmocka_unit_test (test_redundant_rows_share),
    cmocka_unit_test (test_interrupts_are_heard),
    cmocka_unit_test (test_interrupts_are_heard_while_an_order_is_looked_for),
  };

  return cmocka_run_group_tests (tests, NULL, NULL);
}
