/* tree-solver.c: solves K + i omega C - omega^2 M of networks without loops, from the leaves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/tree-solver.h"

#include <math.h>
#include <string.h>

/* Growth of elements, and thereby of rounding, from which on a solution is refined. */
#define GROWTH 1e3
/* Largest relative residual of an accurate solution. */
#define SOLUTION_TOLERANCE 1e-12

/* Arrays are in the order of elimination (n). */
struct _IfbamTreeSolver
{
  gsize n;
  gboolean damped;
  gint32 *node;             /* node at this position */
  gint32 *next;             /* position of its last neighbour, a later one; n: none */
  double *stiffness, *pull; /* of K: on the diagonal, and to the neighbour */
  double *damping, *drag;   /* of C, as above */
  double *inertia;
  struct _Number *scratch; /* 2 (n + 1) */
};

typedef struct _Number
{
  double real, imaginary;
} Number;

/* Undamped networks need no imaginary parts, a quarter of the work: `damped` is constant. */
static inline Number
multiply_numbers (Number a, Number b, gboolean damped)
{
  if (!damped)
    return (Number){ a.real * b.real, 0 };
  return (Number){ a.real * b.real - a.imaginary * b.imaginary,
                   a.real * b.imaginary + a.imaginary * b.real };
}

static inline double
size_of (Number a)
{
  return fabs (a.real) + fabs (a.imaginary);
}

/* Smith 1962, Commun. ACM 5: avoids the overflow of squares. */
static inline Number
inverse (Number a, gboolean damped)
{
  if (!damped)
    return (Number){ 1 / a.real, 0 };
  const gboolean flat = fabs (a.real) >= fabs (a.imaginary);
  const double ratio = flat ? a.imaginary / a.real : a.real / a.imaginary;
  const double whole = flat ? a.real + a.imaginary * ratio : a.real * ratio + a.imaginary;

  return flat ? (Number){ 1 / whole, -ratio / whole } : (Number){ ratio / whole, -1 / whole };
}

static double
entry (const IfbamSparse *matrix, gint32 row, gint32 column)
{
  for (gint32 i = matrix->start[column]; i < matrix->start[column + 1]; i++)
    if (matrix->row[i] == row)
      return matrix->value[i];
  return 0;
}

/* Returns the number of neighbours in either matrix that are not eliminated, and one of them. */
static guint
count_neighbours (const IfbamSparse *stiffness, const IfbamSparse *damping, const gint32 *place,
                  gint32 node, gint32 *other)
{
  const IfbamSparse *matrix[2] = { stiffness, damping };
  guint n = 0;

  for (guint m = 0; m < 2 && matrix[m] != NULL; m++)
    for (gint32 i = matrix[m]->start[node]; i < matrix[m]->start[node + 1]; i++)
      {
        const gint32 row = matrix[m]->row[i];

        if (row == node || place[row] >= 0 || (n > 0 && row == *other)
            || (m > 0 && entry (stiffness, row, node) != 0))
          continue;
        *other = row;
        n++;
      }
  return n;
}

void
ifbam_tree_solver_free (IfbamTreeSolver *solver)
{
  if (solver == NULL)
    return;
  g_free (solver->node);
  g_free (solver->next);
  g_free (solver->stiffness);
  g_free (solver->pull);
  g_free (solver->damping);
  g_free (solver->drag);
  g_free (solver->inertia);
  g_free (solver->scratch);
  g_free (solver);
}

/* Eliminates leaves, each time along the chain behind them. FALSE: a loop is left. */
static gboolean
find_order (IfbamTreeSolver *solver, const IfbamSparse *stiffness, const IfbamSparse *damping)
{
  const gint32 n = (gint32) solver->n;
  g_autofree gint32 *place = g_new (gint32, n + 1);
  gint32 taken = 0;

  for (gint32 i = 0; i < n; i++)
    place[i] = -1;
  for (gint32 first = 0; first < n; first++)
    for (gint32 node = first, other = n; place[node] < 0; node = other)
      {
        const guint left = count_neighbours (stiffness, damping, place, node, &other);

        if (left > 1)
          break;
        place[node] = taken;
        solver->node[taken] = node;
        solver->next[taken++] = left == 0 ? n : other;
        if (left == 0)
          break;
      }
  for (gint32 i = 0; i < taken; i++)
    if (solver->next[i] < n)
      solver->next[i] = place[solver->next[i]];
  return taken == n;
}

IfbamTreeSolver *
ifbam_tree_solver_new (const IfbamSparse *stiffness, const IfbamSparse *damping,
                       const double *inertia)
{
  const gsize n = stiffness->n;
  g_autoptr (IfbamTreeSolver) solver = g_new0 (IfbamTreeSolver, 1);

  solver->n = n;
  solver->damped = damping != NULL;
  solver->node = g_new (gint32, n + 1);
  solver->next = g_new (gint32, n + 1);
  if (!find_order (solver, stiffness, damping))
    return NULL;
  solver->stiffness = g_new0 (double, n + 1);
  solver->pull = g_new0 (double, n + 1);
  solver->damping = g_new0 (double, n + 1);
  solver->drag = g_new0 (double, n + 1);
  solver->inertia = g_new0 (double, n + 1);
  solver->scratch = g_new (Number, 2 * (n + 1));
  for (gsize i = 0; i < n; i++)
    {
      const gint32 node = solver->node[i];
      const gint32 other = solver->next[i] < (gint32) n ? solver->node[solver->next[i]] : node;

      solver->stiffness[i] = entry (stiffness, node, node);
      solver->damping[i] = damping == NULL ? 0 : entry (damping, node, node);
      solver->pull[i] = other == node ? 0 : entry (stiffness, other, node);
      solver->drag[i] = other == node || damping == NULL ? 0 : entry (damping, other, node);
      solver->inertia[i] = inertia[node];
    }
  return g_steal_pointer (&solver);
}

static inline Number
diagonal (const IfbamTreeSolver *solver, double omega, gsize i)
{
  return (Number){ solver->stiffness[i] - omega * omega * solver->inertia[i],
                   omega * solver->damping[i] };
}

static inline Number
beside (const IfbamTreeSolver *solver, double omega, gsize i)
{
  return (Number){ solver->pull[i], omega * solver->drag[i] };
}

/* Computes inverse pivots; returns the growth of elements. */
G_ALWAYS_INLINE static inline double
eliminate_either (const IfbamTreeSolver *solver, double omega, Number *pivot, gboolean damped)
{
  double most = 0, grown = 0;

  memset (pivot, 0, (solver->n + 1) * sizeof *pivot);
  for (gsize i = 0; i < solver->n; i++)
    {
      const Number own = diagonal (solver, omega, i), aside = beside (solver, omega, i);
      Number change;

      if (size_of (own) + size_of (aside) > most)
        most = size_of (own) + size_of (aside);
      pivot[i] = inverse ((Number){ own.real - pivot[i].real, own.imaginary - pivot[i].imaginary },
                          damped);
      change = multiply_numbers (multiply_numbers (aside, aside, damped), pivot[i], damped);
      if (!(size_of (change) <= grown))
        grown = size_of (change);
      pivot[solver->next[i]].real += change.real;
      pivot[solver->next[i]].imaginary += change.imaginary;
    }
  return grown / most;
}

static double
eliminate (const IfbamTreeSolver *solver, double omega, Number *pivot)
{
  return solver->damped ? eliminate_either (solver, omega, pivot, TRUE)
                        : eliminate_either (solver, omega, pivot, FALSE);
}

/* x: right-hand side, then the solution. */
G_ALWAYS_INLINE static inline void
sweep_either (const IfbamTreeSolver *solver, double omega, const Number *pivot, Number *x,
              gboolean damped)
{
  const gsize n = solver->n;

  x[n] = (Number){ 0, 0 };
  for (gsize i = 0; i < n; i++)
    {
      const Number part = multiply_numbers (
          multiply_numbers (beside (solver, omega, i), pivot[i], damped), x[i], damped);

      x[solver->next[i]].real -= part.real;
      x[solver->next[i]].imaginary -= part.imaginary;
    }
  x[n] = (Number){ 0, 0 };
  for (gsize i = n; i-- > 0;)
    {
      const Number pulled =
          multiply_numbers (beside (solver, omega, i), x[solver->next[i]], damped);

      x[i] = multiply_numbers (
          pivot[i], (Number){ x[i].real - pulled.real, x[i].imaginary - pulled.imaginary }, damped);
    }
}

static void
sweep (const IfbamTreeSolver *solver, double omega, const Number *pivot, Number *x)
{
  if (solver->damped)
    sweep_either (solver, omega, pivot, x, TRUE);
  else
    sweep_either (solver, omega, pivot, x, FALSE);
}

/* Writes b - A x to `rest`; returns its size relative to the terms. */
static double
compute_residual (const IfbamTreeSolver *solver, double omega, const Number *b, const Number *x,
                  Number *rest)
{
  const gsize n = solver->n;
  double most = 0, off = 0;

  memcpy (rest, b, n * sizeof *b);
  for (gsize i = 0; i < n; i++)
    {
      const Number own = multiply_numbers (diagonal (solver, omega, i), x[i], TRUE);
      const Number here = multiply_numbers (beside (solver, omega, i), x[solver->next[i]], TRUE);
      const Number there = multiply_numbers (beside (solver, omega, i), x[i], TRUE);

      most = fmax (most, size_of (own) + size_of (here) + size_of (b[i]));
      rest[i].real -= own.real + here.real;
      rest[i].imaginary -= own.imaginary + here.imaginary;
      rest[solver->next[i]].real -= there.real;
      rest[solver->next[i]].imaginary -= there.imaginary;
    }
  for (gsize i = 0; i < n; i++)
    off = fmax (off, size_of (rest[i]));
  return off / most;
}

gboolean
ifbam_tree_solver_solve (IfbamTreeSolver *solver, double omega, const double *b_stiffness,
                         const double *b_damping, double *real, double *imaginary)
{
  const gsize n = solver->n;
  Number *pivot = solver->scratch, *x = pivot + n + 1;
  const double grown = eliminate (solver, omega, pivot);

  if (!isfinite (grown))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    x[i] = (Number){ b_stiffness[solver->node[i]], omega * b_damping[solver->node[i]] };
  sweep (solver, omega, pivot, x);
  if (grown > GROWTH)
    {
      g_autofree Number *b = g_new (Number, n + 1), *rest = g_new (Number, n + 1);

      for (gsize i = 0; i < n; i++)
        b[i] = (Number){ b_stiffness[solver->node[i]], omega * b_damping[solver->node[i]] };
      compute_residual (solver, omega, b, x, rest);
      sweep (solver, omega, pivot, rest);
      for (gsize i = 0; i < n; i++)
        {
          x[i].real += rest[i].real;
          x[i].imaginary += rest[i].imaginary;
        }
      if (!(compute_residual (solver, omega, b, x, rest) <= SOLUTION_TOLERANCE))
        return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    {
      real[solver->node[i]] = x[i].real;
      imaginary[solver->node[i]] = x[i].imaginary;
    }
  return TRUE;
}
