/* tree-solver.c: solves K + i omega C - omega^2 M of networks without loops, from the leaves
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/tree-solver.h"

#include <math.h>
#include <string.h>

/* Growth of elements, and thereby of rounding, from which on a solution is refined. */
#define GROWTH 1e3
/* Largest relative residual of an accurate solution. */
#define WELL 1e-12

/* Arrays are in the order of elimination (n). */
struct _IfbamForest
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
times (Number a, Number b, gboolean damped)
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
look_round (const IfbamSparse *stiffness, const IfbamSparse *damping, const gint32 *place,
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
ifbam_forest_free (IfbamForest *forest)
{
  if (forest == NULL)
    return;
  g_free (forest->node);
  g_free (forest->next);
  g_free (forest->stiffness);
  g_free (forest->pull);
  g_free (forest->damping);
  g_free (forest->drag);
  g_free (forest->inertia);
  g_free (forest->scratch);
  g_free (forest);
}

/* Eliminates leaves, each time along the chain behind them. FALSE: a loop is left. */
static gboolean
find_order (IfbamForest *forest, const IfbamSparse *stiffness, const IfbamSparse *damping)
{
  const gint32 n = (gint32) forest->n;
  g_autofree gint32 *place = g_new (gint32, n + 1);
  gint32 taken = 0;

  for (gint32 i = 0; i < n; i++)
    place[i] = -1;
  for (gint32 first = 0; first < n; first++)
    for (gint32 node = first, other = n; place[node] < 0; node = other)
      {
        const guint left = look_round (stiffness, damping, place, node, &other);

        if (left > 1)
          break;
        place[node] = taken;
        forest->node[taken] = node;
        forest->next[taken++] = left == 0 ? n : other;
        if (left == 0)
          break;
      }
  for (gint32 i = 0; i < taken; i++)
    if (forest->next[i] < n)
      forest->next[i] = place[forest->next[i]];
  return taken == n;
}

IfbamForest *
ifbam_forest_new (const IfbamSparse *stiffness, const IfbamSparse *damping, const double *inertia)
{
  const gsize n = stiffness->n;
  g_autoptr (IfbamForest) forest = g_new0 (IfbamForest, 1);

  forest->n = n;
  forest->damped = damping != NULL;
  forest->node = g_new (gint32, n + 1);
  forest->next = g_new (gint32, n + 1);
  if (!find_order (forest, stiffness, damping))
    return NULL;
  forest->stiffness = g_new0 (double, n + 1);
  forest->pull = g_new0 (double, n + 1);
  forest->damping = g_new0 (double, n + 1);
  forest->drag = g_new0 (double, n + 1);
  forest->inertia = g_new0 (double, n + 1);
  forest->scratch = g_new (Number, 2 * (n + 1));
  for (gsize i = 0; i < n; i++)
    {
      const gint32 node = forest->node[i];
      const gint32 other = forest->next[i] < (gint32) n ? forest->node[forest->next[i]] : node;

      forest->stiffness[i] = entry (stiffness, node, node);
      forest->damping[i] = damping == NULL ? 0 : entry (damping, node, node);
      forest->pull[i] = other == node ? 0 : entry (stiffness, other, node);
      forest->drag[i] = other == node || damping == NULL ? 0 : entry (damping, other, node);
      forest->inertia[i] = inertia[node];
    }
  return g_steal_pointer (&forest);
}

static inline Number
diagonal (const IfbamForest *forest, double omega, gsize i)
{
  return (Number){ forest->stiffness[i] - omega * omega * forest->inertia[i],
                   omega * forest->damping[i] };
}

static inline Number
beside (const IfbamForest *forest, double omega, gsize i)
{
  return (Number){ forest->pull[i], omega * forest->drag[i] };
}

/* Computes inverse pivots; returns the growth of elements. */
G_ALWAYS_INLINE static inline double
eliminate_either (const IfbamForest *forest, double omega, Number *pivot, gboolean damped)
{
  double most = 0, grown = 0;

  memset (pivot, 0, (forest->n + 1) * sizeof *pivot);
  for (gsize i = 0; i < forest->n; i++)
    {
      const Number own = diagonal (forest, omega, i), aside = beside (forest, omega, i);
      Number change;

      if (size_of (own) + size_of (aside) > most)
        most = size_of (own) + size_of (aside);
      pivot[i] = inverse ((Number){ own.real - pivot[i].real, own.imaginary - pivot[i].imaginary },
                          damped);
      change = times (times (aside, aside, damped), pivot[i], damped);
      if (!(size_of (change) <= grown))
        grown = size_of (change);
      pivot[forest->next[i]].real += change.real;
      pivot[forest->next[i]].imaginary += change.imaginary;
    }
  return grown / most;
}

static double
eliminate (const IfbamForest *forest, double omega, Number *pivot)
{
  return forest->damped ? eliminate_either (forest, omega, pivot, TRUE)
                        : eliminate_either (forest, omega, pivot, FALSE);
}

/* x: right-hand side, then the solution. */
G_ALWAYS_INLINE static inline void
sweep_either (const IfbamForest *forest, double omega, const Number *pivot, Number *x,
              gboolean damped)
{
  const gsize n = forest->n;

  x[n] = (Number){ 0, 0 };
  for (gsize i = 0; i < n; i++)
    {
      const Number part = times (times (beside (forest, omega, i), pivot[i], damped), x[i], damped);

      x[forest->next[i]].real -= part.real;
      x[forest->next[i]].imaginary -= part.imaginary;
    }
  x[n] = (Number){ 0, 0 };
  for (gsize i = n; i-- > 0;)
    {
      const Number pulled = times (beside (forest, omega, i), x[forest->next[i]], damped);

      x[i] = times (pivot[i],
                    (Number){ x[i].real - pulled.real, x[i].imaginary - pulled.imaginary }, damped);
    }
}

static void
sweep (const IfbamForest *forest, double omega, const Number *pivot, Number *x)
{
  if (forest->damped)
    sweep_either (forest, omega, pivot, x, TRUE);
  else
    sweep_either (forest, omega, pivot, x, FALSE);
}

/* Writes b - A x to `rest`; returns its size relative to the terms. */
static double
find_rest (const IfbamForest *forest, double omega, const Number *b, const Number *x, Number *rest)
{
  const gsize n = forest->n;
  double most = 0, off = 0;

  memcpy (rest, b, n * sizeof *b);
  for (gsize i = 0; i < n; i++)
    {
      const Number own = times (diagonal (forest, omega, i), x[i], TRUE);
      const Number here = times (beside (forest, omega, i), x[forest->next[i]], TRUE);
      const Number there = times (beside (forest, omega, i), x[i], TRUE);

      most = fmax (most, size_of (own) + size_of (here) + size_of (b[i]));
      rest[i].real -= own.real + here.real;
      rest[i].imaginary -= own.imaginary + here.imaginary;
      rest[forest->next[i]].real -= there.real;
      rest[forest->next[i]].imaginary -= there.imaginary;
    }
  for (gsize i = 0; i < n; i++)
    off = fmax (off, size_of (rest[i]));
  return off / most;
}

gboolean
ifbam_forest_solve (IfbamForest *forest, double omega, const double *b_stiffness,
                    const double *b_damping, double *real, double *imaginary)
{
  const gsize n = forest->n;
  Number *pivot = forest->scratch, *x = pivot + n + 1;
  const double grown = eliminate (forest, omega, pivot);

  if (!isfinite (grown))
    return FALSE;
  for (gsize i = 0; i < n; i++)
    x[i] = (Number){ b_stiffness[forest->node[i]], omega * b_damping[forest->node[i]] };
  sweep (forest, omega, pivot, x);
  if (grown > GROWTH)
    {
      g_autofree Number *b = g_new (Number, n + 1), *rest = g_new (Number, n + 1);

      for (gsize i = 0; i < n; i++)
        b[i] = (Number){ b_stiffness[forest->node[i]], omega * b_damping[forest->node[i]] };
      find_rest (forest, omega, b, x, rest);
      sweep (forest, omega, pivot, rest);
      for (gsize i = 0; i < n; i++)
        {
          x[i].real += rest[i].real;
          x[i].imaginary += rest[i].imaginary;
        }
      if (!(find_rest (forest, omega, b, x, rest) <= WELL))
        return FALSE;
    }
  for (gsize i = 0; i < n; i++)
    {
      real[forest->node[i]] = x[i].real;
      imaginary[forest->node[i]] = x[i].imaginary;
    }
  return TRUE;
}
