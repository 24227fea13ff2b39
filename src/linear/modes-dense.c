/* modes-dense.c: all modes of a network, by LAPACK
 *
 * M^-1/2 K M^-1/2 is solved by divide and conquer (LAPACK's dsyevd). Its errors in the lowest
 * eigenvalues are roundings of the highest one, too large for soft parts of a stiff network.
 * Therefore the vectors are refined: with E = k^1/2 J M^-1/2, one row per link, the columns of E
 * Phi are nearly orthogonal, and one-sided Jacobi rotations (LAPACK's dgesvj; Drmac & Veselic 2008,
 * SIAM J. Matrix Anal. Appl. 29, 1322) compute every singular value, an angular frequency, to all
 * digits.
 *
 * With damping the modes are those of the first-order system of the undamped modes' coordinates q
 * (Foss 1958), with y = (|Omega| q, q'):
 *   y' = [0, |Omega|; -+|Omega|, -Gamma] y,    Gamma = Phi^T C Phi
 * Forces that follow positions (circulations, unsymmetric K) add -Phi^T S Phi |Omega|^-1;
 * coordinates on which only they act have a scale of their own in place of |Omega|. If Gamma is
 * diagonal, as for Rayleigh damping, each mode has its own quadratic equation.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/fail.h"
#include "linear/eigenproblem.h"

/* Damping between two modes smaller than this fraction of their own is rounding. */
#define UNCOUPLED 1e-11
/* A mode with less than this fraction of the strongest damping has none. */
#define UNDAMPED 1e-26
/* With more links per node, refinement costs too much. */
#define MAX_ROWS 8

typedef struct
{
  const IfbamEigenproblem *problem;
  gsize n, n_elastic; /* the last n - n_elastic columns are rigid motions */
  double *vector;     /* Phi, in u, by columns (n, n) */
  double *value;      /* of K (n); 0 for rigid motions */
} Basis;

static void
basis_clear (Basis *basis)
{
  g_free (basis->vector);
  g_free (basis->value);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Basis, basis_clear)

static gboolean
fail (GError **error, const char *routine, int info)
{
  if (info == LAPACK_WORK_MEMORY_ERROR)
    g_set_error_literal (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                         "the network is too large to find all of its modes: memory is short");
  else
    g_set_error (error, IFBAM_ERROR, IFBAM_ERROR_NETWORK,
                 "LAPACK's %s found no eigenvalues (info %d)", routine, info);
  return FALSE;
}

/* Called for every row with a nonzero derivative, with entries in u. */
typedef void (*RowFunc) (gpointer data, const IfbamCoordinateRow *row, double slope);

static void
each_row (const IfbamEigenproblem *problem, const double *slope, RowFunc func, gpointer data)
{
  g_auto (IfbamMotionIter) iter = { 0 };
  IfbamCoordinateRow *row;

  ifbam_motion_iter_init (&iter, problem->motions);
  while ((row = ifbam_motion_iter_next (&iter)) != NULL)
    {
      if (slope[row->number] == 0)
        continue;
      for (gsize i = 0; i < row->n; i++)
        row->entry[i] *= problem->root[row->at[i]];
      func (data, row, slope[row->number]);
    }
}

static void
count_row (gpointer data, const IfbamCoordinateRow *row, double slope)
{
  (void) row;
  (void) slope;
  ++*(gsize *) data;
}

static void
add_to_matrix (gpointer data, const IfbamCoordinateRow *row, double slope)
{
  const Basis *basis = data;

  for (gsize i = 0; i < row->n; i++)
    for (gsize j = 0; j < row->n; j++)
      basis->vector[row->at[i] + row->at[j] * basis->n] += row->entry[i] * (slope * row->entry[j]);
}

/* Writes unit vectors of the bodies' motions, after the elastic columns. */
static void
write_bodies (Basis *basis)
{
  const IfbamEigenproblem *problem = basis->problem;

  for (gsize body = 0; body < problem->n_bodies; body++)
    {
      double *column = basis->vector + (basis->n_elastic + body) * basis->n, square = 0;

      for (gsize i = 0; i < basis->n; i++)
        {
          column[i] = problem->body[i] == body ? problem->lever[i] / problem->root[i] : 0.0;
          square += column[i] * column[i];
        }
      for (gsize i = 0; i < basis->n; i++)
        column[i] /= sqrt (square);
    }
}

/* Solves the undamped problem. The bodies' motions are shifted beyond all eigenvalues (Wielandt
 * deflation), so that the other vectors stay orthogonal to them. */
static gboolean
find_undamped (Basis *basis, GError **error)
{
  const IfbamEigenproblem *problem = basis->problem;
  const gsize n = basis->n;
  double bound = 0;
  int info;

  each_row (problem, problem->motions->stiffness, add_to_matrix, basis);
  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n; j++)
        sum += fabs (basis->vector[j + i * n]);
      bound = MAX (bound, sum);
    }
  if (problem->n_bodies > 0)
    {
      g_autofree double *norm = g_new0 (double, problem->n_bodies);
      const double shift = bound > 0 ? 2 * bound : 1.0;

      for (gsize i = 0; i < n; i++)
        if (problem->body[i] != IFBAM_NO_BODY)
          norm[problem->body[i]] +=
              problem->lever[i] * problem->lever[i] / (problem->root[i] * problem->root[i]);
      for (gsize i = 0; i < n; i++)
        for (gsize j = 0; j < n; j++)
          if (problem->body[i] != IFBAM_NO_BODY && problem->body[i] == problem->body[j])
            basis->vector[i + j * n] += shift * problem->lever[i] * problem->lever[j]
                                        / (problem->root[i] * problem->root[j])
                                        / norm[problem->body[i]];
    }
  info = LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) n, basis->vector, (lapack_int) n,
                         basis->value);
  if (info != 0)
    return fail (error, "dsyevd", info);
  write_bodies (basis);
  for (gsize i = basis->n_elastic; i < n; i++)
    basis->value[i] = 0.0;
  return TRUE;
}

/* Rows of k^1/2 J M^-1/2 Phi. */
typedef struct
{
  const Basis *basis;
  double *rows; /* by columns (n_rows, n_elastic) */
  gsize n_rows, n;
} Rows;

static void
put_row (gpointer data, const IfbamCoordinateRow *row, double slope)
{
  Rows *rows = data;
  const double root = sqrt (slope);

  for (gsize j = 0; j < rows->basis->n_elastic; j++)
    {
      const double *column = rows->basis->vector + j * rows->basis->n;
      double sum = 0;

      for (gsize i = 0; i < row->n; i++)
        sum += row->entry[i] * column[row->at[i]];
      rows->rows[rows->n + j * rows->n_rows] = root * sum;
    }
  rows->n++;
}

/* Refines vectors and values of the elastic modes, if possible; FALSE: too little memory. */
static gboolean
refine_elastic (Basis *basis, GError **error)
{
  const IfbamEigenproblem *problem = basis->problem;
  const double *stiffness = problem->motions->stiffness;
  const gsize n = basis->n, m = basis->n_elastic;
  g_autofree double *singular = g_new (double, m + 1);
  g_autofree double *rows = NULL, *vectors = NULL;
  Rows list = { .basis = basis };
  double statistics[6] = { 0 };
  int info;

  each_row (problem, stiffness, count_row, &list.n_rows);
  if (m == 0 || problem->motions->indefinite || list.n_rows > MAX_ROWS * n)
    return TRUE;
  list.n_rows = MAX (list.n_rows, m);
  rows = list.rows = g_try_malloc0 (list.n_rows * m * sizeof (double));
  vectors = g_try_malloc (n * m * sizeof (double));
  if (rows == NULL || vectors == NULL)
    return fail (error, "dgesvj", LAPACK_WORK_MEMORY_ERROR);
  each_row (problem, stiffness, put_row, &list);
  memcpy (vectors, basis->vector, n * m * sizeof (double));
  info = LAPACKE_dgesvj (LAPACK_COL_MAJOR, 'G', 'N', 'A', (lapack_int) list.n_rows, (lapack_int) m,
                         rows, (lapack_int) list.n_rows, singular, (lapack_int) n, vectors,
                         (lapack_int) n, statistics);
  if (info != 0)
    return info != LAPACK_WORK_MEMORY_ERROR || fail (error, "dgesvj", info);
  /* Singular values are in descending order. */
  for (gsize j = 0; j < m; j++)
    {
      const double omega = statistics[0] * singular[m - 1 - j];

      memcpy (basis->vector + j * n, vectors + (m - 1 - j) * n, n * sizeof (double));
      basis->value[j] = omega * omega;
    }
  return TRUE;
}

/* TRUE if some circulation follows the shape. */
static gboolean
has_circulation (const IfbamEigenproblem *problem, const double *shape)
{
  const GArray *circulations = problem->motions->circulations;

  for (guint g = 0; g < circulations->len; g++)
    {
      const IfbamGyration *own = &g_array_index (circulations, IfbamGyration, g);
      double sum = 0, gross = 0;

      for (guint e = 0; e < own->n; e++)
        {
          const double part = own->measured_row[e]
                              * ifbam_small_motions_node (problem->motions, own->node[e], shape);

          sum += part;
          gross += fabs (part);
        }
      if (fabs (sum) > UNCOUPLED * gross)
        return TRUE;
    }
  return FALSE;
}

/* Sets eigenvalues that are rounding to 0, and adds rigid-body modes for them. */
static void
settle_values (Basis *basis, GPtrArray *pairs)
{
  const IfbamEigenproblem *problem = basis->problem;
  g_autofree double *shape = g_new (double, basis->n);

  for (gsize j = 0; j < basis->n_elastic; j++)
    {
      const double *column = basis->vector + j * basis->n;
      gboolean is_null;
      double quotient;

      for (gsize i = 0; i < basis->n; i++)
        shape[i] = problem->root[i] * column[i];
      quotient = ifbam_eigenproblem_quotient (problem, shape, &is_null);
      if (is_null && !has_circulation (problem, shape))
        {
          IfbamEigenpair *pair = ifbam_eigenpair_new (problem, 0.0, IFBAM_MODE_FREE, FALSE);

          memcpy (pair->shape, shape, basis->n * sizeof (double));
          g_ptr_array_add (pairs, pair);
        }
      if (is_null)
        basis->value[j] = 0.0;
      else if (problem->motions->indefinite)
        basis->value[j] = quotient;
    }
}

/* Damping */

typedef struct
{
  const Basis *basis;
  double *gamma; /* Phi^T C Phi (n, n) */
  double *gross; /* its diagonal from absolute values of all terms (n) */
  double *row;   /* (n) */
} Damping;

static void
add_damper (gpointer data, const IfbamCoordinateRow *row, double slope)
{
  Damping *damping = data;
  const gsize n = damping->basis->n;

  for (gsize j = 0; j < n; j++)
    {
      damping->row[j] = 0;
      for (gsize i = 0; i < row->n; i++)
        damping->row[j] += row->entry[i] * damping->basis->vector[row->at[i] + j * n];
      damping->gross[j] += fabs (slope) * damping->row[j] * damping->row[j];
    }
  for (gsize j = 0; j < n; j++)
    {
      const double force = slope * damping->row[j];

      for (gsize i = 0; i < n && force != 0; i++)
        damping->gamma[i + j * n] += damping->row[i] * force;
    }
}

/* Adds Phi^T G Phi of gyrations or circulations; gross (or NULL): diagonal of absolute values. */
static void
add_gyrations (const Basis *basis, const GArray *gyrations, double *matrix, double *gross)
{
  const IfbamSmallMotions *motions = basis->problem->motions;
  const gsize n = basis->n;
  g_autofree double *shape = g_new (double, n + 1), *moved = NULL;

  for (guint g = 0; g < gyrations->len; g++)
    {
      const IfbamGyration *gyration = &g_array_index (gyrations, IfbamGyration, g);
      const guint ports = gyration->n;

      moved = g_renew (double, moved, n *ports + 1);
      for (gsize j = 0; j < n; j++)
        {
          for (gsize i = 0; i < n; i++)
            shape[i] = basis->problem->root[i] * basis->vector[i + j * n];
          for (guint e = 0; e < ports; e++)
            moved[e + j * ports] = ifbam_small_motions_node (motions, gyration->node[e], shape);
        }
      for (gsize j = 0; j < n; j++)
        for (guint f = 0; f < ports; f++)
          for (guint e = 0; e < ports; e++)
            {
              const double force = gyration->matrix[e + f * ports] * moved[f + j * ports];

              if (gross != NULL)
                gross[j] += fabs (force * moved[f + j * ports]);
              for (gsize i = 0; i < n && force != 0; i++)
                matrix[i + j * n] += moved[e + i * ports] * force;
            }
    }
}

static void
find_gamma (const Basis *basis, double *gamma)
{
  const gsize n = basis->n;
  g_autofree double *gross = g_new0 (double, n), *row = g_new (double, n);
  Damping damping = { basis, gamma, gross, row };
  double most = 0;

  memset (gamma, 0, n * n * sizeof (double));
  each_row (basis->problem, basis->problem->motions->damping, add_damper, &damping);
  add_gyrations (basis, basis->problem->motions->gyrations, gamma, gross);
  for (gsize j = 0; j < n; j++)
    most = MAX (most, gross[j]);
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n && gross[j] <= UNDAMPED * most; i++)
      gamma[i + j * n] = gamma[j + i * n] = 0.0;
}

/* TRUE if all modes are uncoupled. */
static gboolean
is_diagonal (const double *gamma, gsize n)
{
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < j; i++)
      if (!(fabs (gamma[i + j * n])
            <= UNCOUPLED * sqrt (fabs (gamma[i + i * n] * gamma[j + j * n]))))
        return FALSE;
  return TRUE;
}

static void
add_column (const Basis *basis, gsize j, double damping, GPtrArray *pairs)
{
  const IfbamEigenproblem *problem = basis->problem;
  g_autofree double *shape = g_new (double, basis->n);

  for (gsize i = 0; i < basis->n; i++)
    shape[i] = problem->root[i] * basis->vector[i + j * basis->n];
  ifbam_eigenproblem_add_real (problem, basis->value[j], damping, shape, pairs);
}

/* Index of each mode's coordinate and rate in the first-order system; n_states: none. */
typedef struct
{
  gsize n_states;
  gsize *coordinate, *rate; /* (n) */
  double *scale;            /* factor from a coordinate to its state [1/s] (n) */
} States;

/* follows: matrix of circulations (n)(n), or NULL. */
static void
place_states (const Basis *basis, const double *gamma, const double *follows, States *states)
{
  const gsize n = basis->n;
  double most = 0;

  for (gsize i = 0; follows != NULL && i < n * n; i++)
    most = fmax (most, fabs (follows[i]));
  states->n_states = 0;
  for (gsize j = 0; j < n; j++)
    {
      gboolean damped = FALSE, followed = FALSE;

      for (gsize i = 0; i < n; i++)
        {
          damped |= gamma[i + j * n] != 0;
          followed |= follows != NULL && fabs (follows[i + j * n]) > UNCOUPLED * most;
        }
      states->coordinate[j] = states->rate[j] = G_MAXSIZE;
      states->scale[j] = basis->value[j] != 0 ? sqrt (fabs (basis->value[j])) : sqrt (most);
      if (basis->value[j] != 0 || followed)
        states->coordinate[j] = states->n_states++;
      /* The rate of a motion without stiffness and damping is constant. */
      if (basis->value[j] != 0 || damped || followed)
        states->rate[j] = states->n_states++;
    }
}

/* Diagonalises damping among the rigid motions, which separates fully free ones. */
static gboolean
diagonalize_rigid_damping (Basis *basis, double *gamma, GError **error)
{
  const gsize n = basis->n, first = basis->n_elastic, r = n - first;
  g_autofree double *block = g_new (double, r *r + 1), *values = g_new (double, r + 1);
  g_autofree double *turned = g_new0 (double, n *r + 1);
  int info;

  for (gsize j = 0; j < r; j++)
    for (gsize i = 0; i < r; i++)
      block[i + j * r] = gamma[first + i + (first + j) * n];
  info = LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) r, block, (lapack_int) r, values);
  if (info != 0)
    return fail (error, "dsyevd", info);
  for (gsize j = 0; j < r; j++)
    for (gsize k = 0; k < r; k++)
      for (gsize i = 0; i < n; i++)
        turned[i + j * n] += basis->vector[i + (first + k) * n] * block[k + j * r];
  memcpy (basis->vector + first * n, turned, n * r * sizeof (double));
  return TRUE;
}

/* Adds the pair of an eigenvector y of the first-order system. */
static void
add_state (const Basis *basis, const States *states, double complex s, const double *real,
           const double *imaginary, GPtrArray *pairs)
{
  const IfbamEigenproblem *problem = basis->problem;
  const gsize n = basis->n;
  const gboolean is_complex = cimag (s) != 0;
  IfbamEigenpair *pair = ifbam_eigenpair_new (
      problem, s,
      is_complex ? IFBAM_MODE_OSCILLATING
                 : (creal (s) > 0 ? IFBAM_MODE_UNSTABLE : IFBAM_MODE_OVERDAMPED),
      is_complex);

  for (gsize j = 0; j < n; j++)
    {
      const double omega = states->scale[j];
      const gboolean by_rate = states->coordinate[j] == G_MAXSIZE || cabs (s) > omega;
      const gsize place = by_rate ? states->rate[j] : states->coordinate[j];
      double complex q;

      if (place == G_MAXSIZE)
        continue;
      q = (real[place] + (is_complex ? I * imaginary[place] : 0)) / (by_rate ? s : omega);
      for (gsize i = 0; i < n; i++)
        {
          const double x = problem->root[i] * basis->vector[i + j * n];

          pair->shape[i] += x * creal (q);
          if (is_complex)
            pair->imaginary[i] += x * cimag (q);
        }
    }
  pair->s = ifbam_eigenproblem_refine (problem, &s, 1, pair->shape, pair->imaginary);
  g_ptr_array_add (pairs, pair);
}

static gboolean
find_damped (const Basis *basis, const double *gamma, GPtrArray *pairs, GError **error)
{
  const gsize n = basis->n;
  const GArray *circulations = basis->problem->motions->circulations;
  g_autofree gsize *places = g_new (gsize, 2 * n);
  g_autofree double *scale = g_new (double, n + 1);
  g_autofree double *follows = circulations->len == 0 ? NULL : g_new0 (double, n *n + 1);
  States states = { .coordinate = places, .rate = places + n, .scale = scale };
  g_autofree double *matrix = NULL, *vectors = NULL, *real = NULL, *imaginary = NULL;
  gsize m;
  int info;

  if (follows != NULL)
    add_gyrations (basis, circulations, follows, NULL);
  place_states (basis, gamma, follows, &states);
  m = states.n_states;
  matrix = g_try_malloc0 ((m * m + 1) * sizeof (double));
  vectors = g_try_malloc ((m * m + 1) * sizeof (double));
  if (matrix == NULL || vectors == NULL)
    return fail (error, "dgeev", LAPACK_WORK_MEMORY_ERROR);
  real = g_new (double, m + 1);
  imaginary = g_new (double, m + 1);
  for (gsize j = 0; j < n; j++)
    {
      const double omega = scale[j];

      if (states.coordinate[j] != G_MAXSIZE)
        {
          matrix[states.coordinate[j] + states.rate[j] * m] = omega;
          if (basis->value[j] != 0)
            matrix[states.rate[j] + states.coordinate[j] * m] =
                basis->value[j] > 0 ? -omega : omega;
        }
      for (gsize i = 0; i < n && follows != NULL && states.coordinate[j] != G_MAXSIZE; i++)
        if (states.rate[i] != G_MAXSIZE)
          matrix[states.rate[i] + states.coordinate[j] * m] -= follows[i + j * n] / omega;
      for (gsize i = 0; i < n && states.rate[j] != G_MAXSIZE; i++)
        if (states.rate[i] != G_MAXSIZE)
          matrix[states.rate[i] + states.rate[j] * m] = -gamma[i + j * n];
    }
  info = LAPACKE_dgeev (LAPACK_COL_MAJOR, 'N', 'V', (lapack_int) m, matrix, (lapack_int) m, real,
                        imaginary, NULL, 1, vectors, (lapack_int) m);
  if (info != 0)
    return fail (error, "dgeev", info);
  for (gsize j = 0; j < m; j++)
    if (imaginary[j] >= 0)
      add_state (basis, &states, real[j] + I * imaginary[j], vectors + j * m, vectors + (j + 1) * m,
                 pairs);
  return TRUE;
}

static gboolean
add_damped (Basis *basis, GPtrArray *pairs, GError **error)
{
  const gsize n = basis->n;
  g_autofree double *gamma = g_try_malloc (n * n * sizeof (double));

  if (gamma == NULL)
    return fail (error, "dgeev", LAPACK_WORK_MEMORY_ERROR);
  find_gamma (basis, gamma);
  if (basis->problem->motions->circulations->len == 0 && is_diagonal (gamma, n))
    {
      for (gsize j = 0; j < n; j++)
        add_column (basis, j, gamma[j + j * n], pairs);
      return TRUE;
    }
  if (n - basis->n_elastic > 1 && basis->problem->motions->gyrations->len == 0
      && basis->problem->motions->circulations->len == 0)
    {
      if (!diagonalize_rigid_damping (basis, gamma, error))
        return FALSE;
      find_gamma (basis, gamma);
    }
  return find_damped (basis, gamma, pairs, error);
}

gboolean
ifbam_modes_solve_dense (const IfbamEigenproblem *problem, GPtrArray *pairs, GError **error)
{
  const gsize n = problem->n;
  g_autofree char *lack = NULL;
  g_auto (Basis) basis = { .problem = problem, .n = n, .n_elastic = n - problem->n_bodies };

  /* LAPACK needs as much memory as the vectors, four times as much for states of damped modes */
  lack = ifbam_memory_lack ((problem->motions->has_damping ? 12.0 : 4.0) * (double) n * (double) n
                            * sizeof (double));
  if (lack != NULL)
    return ifbam_fail (
        error, IFBAM_ERROR_NETWORK,
        "all modes of %" G_GSIZE_FORMAT " coordinates need %s (ask for some: --count)", n, lack);
  basis.vector = g_try_malloc0 (n * n * sizeof (double));
  basis.value = g_new (double, n);
  if (basis.vector == NULL)
    return fail (error, "dsyevd", LAPACK_WORK_MEMORY_ERROR);
  if (!find_undamped (&basis, error) || !refine_elastic (&basis, error))
    return FALSE;
  ifbam_eigenproblem_add_bodies (problem, pairs);
  settle_values (&basis, pairs);
  if (problem->motions->has_damping)
    return add_damped (&basis, pairs, error);
  for (gsize j = 0; j < basis.n_elastic; j++)
    add_column (&basis, j, 0.0, pairs);
  return TRUE;
}
