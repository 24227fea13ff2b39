/* modes-sparse.c: some modes of a large network, by ARPACK
 *
 * Lanczos and Arnoldi methods with implicit restarts (ARPACK; Lehoucq, Sorensen & Yang 1998) on the
 * inverse, which has the requested modes as its largest eigenvalues: of M^-1/2 (K - sigma M) M^-1/2
 * without damping, of the first-order system with damping. Missing modes, such as one of two equal
 * eigenvalues, are detected by the number of negative pivots of K - lambda M (Sylvester 1852;
 * Parlett 1998, section 3.3), and searched for orthogonally to the known ones.
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include <arpack/arpack.h>
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/ifbam-error.h"
#include "base/compare.h"
#include "linear/eigenproblem.h"

/* Tolerance of a Ritz vector's residual; an eigenvalue's error is its square. */
#define TOLERANCE    1e-10
#define MAX_RESTARTS 100
#define MAX_ROUNDS   8
/* Relative distances from an eigenvalue: of a count of modes, of a shift. */
#define COUNT_DISTANCE 1e-6
#define SHIFT_DISTANCE 1e-7
/* Eigenvalues below this fraction of the operator's largest have too few digits; they are found
 * after that one is projected out. */
#define SPREAD 1e-7
/* Rows of a basis in a block of the product. */
#define ROWS 256
/* Entries of a factor per node up to which a solution is cheap. */
#define CHEAP_FACTOR_ENTRIES 8
/* Shift for unsupported bodies, relative to the lowest eigenfrequency. */
#define BODY_SHIFT 0.1
/* Eigenvalues below this fraction of the shift are zero. */
#define ZERO_RATIO 1e-8

typedef struct
{
  const IfbamEigenproblem *problem;
  const IfbamModesRequest *request;
  GError **error;
  gsize n;
  IfbamSparse *stiffness, *damping; /* damping: NULL if there is none */
  double *inertia;                  /* M (n) */
  double *weight;                   /* M^1/2 (n) */
  gsize *pinned;                    /* a coordinate of each body, pinned (n_bodies) */
  double *rigid; /* unit vectors of the bodies' motions, which have no common entries, in u (n) */
  guint operations;

  /* The operator */
  guint power;                   /* power of the operator without damping */
  double complex shift;          /* of s^2 = lambda without damping, of s with damping */
  IfbamSparse *real, *imaginary; /* factored matrix; imaginary may be NULL */
  IfbamFactor *factor;
  GPtrArray *found;                /* double*: unit vectors that are projected out, in u */
  double *work[4];                 /* (n) */
  double complex *complex_work[2]; /* (n), or NULL */
  double scale;                    /* scale of rates in states [1/s] */
} Search;

static gboolean fail (Search *search, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
fail (Search *search, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  if (search->error != NULL && *search->error == NULL)
    *search->error = g_error_new_valist (IFBAM_ERROR, IFBAM_ERROR_NETWORK, format, arguments);
  va_end (arguments);
  return FALSE;
}

static gboolean
no_memory (Search *search)
{
  return fail (search, "memory is too short for the modes of %" G_GSIZE_FORMAT " free nodes",
               search->n);
}

/* FALSE: interrupted. */
static gboolean
report_progress (Search *search, const char *what)
{
  if (search->request->progress == NULL || search->request->progress (search->request->data, what))
    return TRUE;
  if (search->error != NULL && *search->error == NULL)
    g_set_error_literal (search->error, IFBAM_ERROR, IFBAM_ERROR_INTERRUPTED,
                         "interrupted: nothing is written");
  return FALSE;
}

/* Operators */

static void
drop_factor (Search *search)
{
  g_clear_pointer (&search->factor, ifbam_factor_free);
  g_clear_pointer (&search->real, ifbam_sparse_free);
  g_clear_pointer (&search->imaginary, ifbam_sparse_free);
}

/* Factors K - sigma M; moves sigma aside if it is an eigenvalue. */
static gboolean
factor_shifted (Search *search, double sigma)
{
  IfbamFactorStatus status = IFBAM_FACTOR_SINGULAR;

  if (!report_progress (search, "factoring"))
    return FALSE;
  for (int attempt = 0; attempt < 3 && status == IFBAM_FACTOR_SINGULAR; attempt++)
    {
      const gboolean positive = sigma == 0 && !search->problem->motions->indefinite;
      const IfbamFactorKind kind = positive ? IFBAM_FACTOR_CHOLESKY : IFBAM_FACTOR_LDL;

      drop_factor (search);
      search->shift = sigma * (1 + attempt * SHIFT_DISTANCE);
      search->real = ifbam_sparse_sum (1.0, search->stiffness, 0.0, NULL, -creal (search->shift),
                                       search->inertia);
      /* Pinning one coordinate of each body doesn't change the solution for forces in balance. */
      for (gsize b = 0; b < search->problem->n_bodies && sigma == 0; b++)
        ifbam_sparse_pin (search->real, search->pinned[b]);
      search->factor = ifbam_factor_new (search->real, kind, &status);
      if (status == IFBAM_FACTOR_SINGULAR)
        search->factor = ifbam_factor_new (search->real, IFBAM_FACTOR_LU, &status);
    }
  if (status == IFBAM_FACTOR_NO_MEMORY)
    return no_memory (search);
  if (status == IFBAM_FACTOR_SINGULAR)
    return fail (
        search,
        "the stiffness matrix is singular to rounding: springs cancel each other, or some are "
        "too soft beside the others");
  return TRUE;
}

/* Projects out rigid motions and known modes. */
static void
project (const Search *search, double *u)
{
  const IfbamEigenproblem *problem = search->problem;

  if (problem->n_bodies > 0)
    {
      g_autofree double *part = g_new0 (double, problem->n_bodies);

      for (gsize i = 0; i < search->n; i++)
        if (problem->body[i] != IFBAM_NO_BODY)
          part[problem->body[i]] += search->rigid[i] * u[i];
      for (gsize i = 0; i < search->n; i++)
        if (problem->body[i] != IFBAM_NO_BODY)
          u[i] -= part[problem->body[i]] * search->rigid[i];
    }
  for (guint f = 0; f < search->found->len; f++)
    {
      const double *vector = search->found->pdata[f];
      double sum = 0;

      for (gsize i = 0; i < search->n; i++)
        sum += vector[i] * u[i];
      for (gsize i = 0; i < search->n; i++)
        u[i] -= sum * vector[i];
    }
}

/* Computes M^1/2 (K - sigma M)^-1 M^1/2 u, or its square. */
static gboolean
apply_undamped (Search *search, const double *u, double *result)
{
  const gsize n = search->n;
  const double *weight = search->weight;
  double *right = search->work[0];

  for (gsize i = 0; i < n; i++)
    right[i] = u[i];
  for (guint power = 0; power < search->power; power++)
    {
      project (search, right);
      for (gsize i = 0; i < n; i++)
        right[i] *= weight[i];
      if (search->shift == 0)
        for (gsize b = 0; b < search->problem->n_bodies; b++)
          right[search->pinned[b]] = 0.0;
      if (!ifbam_factor_solve (search->factor, right, result))
        return no_memory (search);
      for (gsize i = 0; i < n; i++)
        result[i] *= weight[i];
      project (search, result);
      if (power + 1 < search->power)
        memcpy (right, result, n * sizeof *right);
    }
  return TRUE;
}

/* Factors sigma^2 M + sigma C + K. */
static gboolean
factor_quadratic (Search *search, double complex sigma)
{
  IfbamFactorStatus status = IFBAM_FACTOR_SINGULAR;

  if (!report_progress (search, "factoring"))
    return FALSE;
  for (int attempt = 0; attempt < 3 && status == IFBAM_FACTOR_SINGULAR; attempt++)
    {
      const double complex s = sigma * (1 + attempt * SHIFT_DISTANCE);

      drop_factor (search);
      search->shift = s;
      search->real = ifbam_sparse_sum (1.0, search->stiffness, creal (s), search->damping,
                                       creal (s * s), search->inertia);
      if (cimag (s) != 0)
        search->imaginary = ifbam_sparse_sum (0.0, search->stiffness, cimag (s), search->damping,
                                              cimag (s * s), search->inertia);
      search->factor = search->imaginary != NULL
                           ? ifbam_factor_new_complex (search->real, search->imaginary, &status)
                           : ifbam_factor_new (search->real, IFBAM_FACTOR_LU, &status);
    }
  if (status == IFBAM_FACTOR_NO_MEMORY)
    return no_memory (search);
  if (status == IFBAM_FACTOR_SINGULAR)
    return fail (search, "the network's dynamic stiffness is singular at the frequency asked for");
  return TRUE;
}

/* Computes the real part of (A - sigma)^-1 z of the first-order system in z = (u, u'/scale): (s^2 M
 * + s C + K) x = -(M (g + sigma f) + C f), x' = sigma x + f. Positions of bodies are projected out
 * of u, since their zero eigenvalue would be double, with half the digits. */
static gboolean
apply_damped (Search *search, const double *z, double *result)
{
  const double *root = search->problem->root;
  const gsize n = search->n;
  const double complex sigma = search->shift;
  double *f = search->work[0], *damped = search->work[1], *right = search->work[2];
  double *x = search->work[3];

  memcpy (f, z, n * sizeof *f);
  project (search, f);
  for (gsize i = 0; i < n; i++)
    f[i] *= root[i];
  ifbam_sparse_multiply (search->damping, f, damped);
  if (search->imaginary != NULL)
    {
      double complex *b = search->complex_work[0], *y = search->complex_work[1];

      for (gsize i = 0; i < n; i++)
        b[i] =
            -(search->inertia[i] * (root[i] * search->scale * z[n + i] + sigma * f[i]) + damped[i]);
      if (!ifbam_factor_solve_complex (search->factor, b, y))
        return no_memory (search);
      for (gsize i = 0; i < n; i++)
        {
          result[i] = creal (y[i]) / root[i];
          result[n + i] = (creal (sigma * y[i]) + f[i]) / (root[i] * search->scale);
        }
      project (search, result);
      return TRUE;
    }
  for (gsize i = 0; i < n; i++)
    right[i] = -(search->inertia[i] * (root[i] * search->scale * z[n + i] + creal (sigma) * f[i])
                 + damped[i]);
  if (!ifbam_factor_solve (search->factor, right, x))
    return no_memory (search);
  for (gsize i = 0; i < n; i++)
    {
      result[i] = x[i] / root[i];
      result[n + i] = (creal (sigma) * x[i] + f[i]) / (root[i] * search->scale);
    }
  project (search, result);
  return TRUE;
}

/* ARPACK */

typedef struct
{
  gboolean symmetric;
  gsize size;   /* length of a vector */
  int n_wanted; /* number of eigenvalues */
  int n_basis;

  int n_found;
  double *basis;            /* (n_basis, size), then eigenvectors */
  double *real, *imaginary; /* eigenvalues of the operator (n_wanted + 1) */
} Iteration;

static void
iteration_clear (Iteration *iteration)
{
  g_free (iteration->basis);
  g_free (iteration->real);
  g_free (iteration->imaginary);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Iteration, iteration_clear)

/* Makes a start vector with a component of every mode; equal in all calls of a round. */
static void
make_start (double *start, gsize n, guint round)
{
  guint64 state = 0x9e3779b97f4a7c15u * (round + 1);

  for (gsize i = 0; i < n; i++)
    {
      /* Knuth's MMIX (TAOCP 2, section 3.3.4) */
      state = state * 6364136223846793005u + 1442695040888963407u;
      start[i] = 0.5 + (double) (state >> 11) * 0x1p-53;
    }
}

/* Computes Ritz vectors as dseupd does, but multiplies the basis by blocks of rows, for the cache.
 * Eigenvectors of the tridiagonal matrix (subdiagonal from the second number on, then its diagonal)
 * that have converged are used, those of the largest eigenvalues. */
static gboolean
take_ritz_vectors (Search *search, Iteration *iteration, const double *tridiagonal,
                   const double *residual)
{
  const gsize n = iteration->size, m = (gsize) iteration->n_basis;
  g_autofree double *diagonal = g_memdup2 (tridiagonal + m, m * sizeof (double));
  g_autofree double *beside = g_memdup2 (tridiagonal + 1, m * sizeof (double));
  g_autofree double *vectors = g_new (double, m *m), *chosen = g_new (double, m *m);
  g_autofree double *block = g_new (double, ROWS *m);
  double rest = 0, largest;
  gsize low = 0, high = m;

  for (gsize i = 0; i < n; i++)
    rest += residual[i] * residual[i];
  if (LAPACKE_dstev (LAPACK_COL_MAJOR, 'V', (int) m, diagonal, beside, vectors, (int) m) != 0)
    return fail (search, "ARPACK failed (its tridiagonal matrix has no eigenvalues)");
  largest = fmax (fabs (diagonal[0]), fabs (diagonal[m - 1]));
  iteration->n_found = 0;
  /* Ascending order: the larger magnitude is at one of the ends. */
  while (low < high && iteration->n_found < iteration->n_wanted)
    {
      const gsize j = fabs (diagonal[low]) > fabs (diagonal[high - 1]) ? low++ : --high;

      if (sqrt (rest) * fabs (vectors[m - 1 + j * m]) > TOLERANCE * fabs (diagonal[j])
          || fabs (diagonal[j]) < SPREAD * largest)
        continue;
      memcpy (chosen + (gsize) iteration->n_found * m, vectors + j * m, m * sizeof (double));
      iteration->real[iteration->n_found++] = diagonal[j];
    }
  for (gsize first = 0; first < n; first += ROWS)
    {
      const gsize rows = MIN (ROWS, n - first);

      cblas_dgemm (CblasColMajor, CblasNoTrans, CblasNoTrans, (int) rows, iteration->n_found,
                   (int) m, 1.0, iteration->basis + first, (int) n, chosen, (int) m, 0.0, block,
                   ROWS);
      for (int j = 0; j < iteration->n_found; j++)
        memcpy (iteration->basis + first + (gsize) j * n, block + (gsize) j * ROWS,
                rows * sizeof (double));
    }
  return TRUE;
}

static gboolean
iterate (Search *search, Iteration *iteration, guint round)
{
  const int n = (int) iteration->size, ncv = iteration->n_basis, nev = iteration->n_wanted;
  const int n_small = iteration->symmetric ? ncv * (ncv + 8) : 3 * ncv * (ncv + 2);
  g_autofree double *start = g_try_malloc (iteration->size * sizeof (double));
  g_autofree double *columns = g_try_malloc (3 * iteration->size * sizeof (double));
  g_autofree double *small = g_try_malloc ((gsize) n_small * sizeof (double));
  g_autofree double *extra = g_new0 (double, 3 * (gsize) ncv);
  g_autofree int *select = g_new0 (int, (gsize) ncv);
  int parameters[11] = { 1, 0, MAX_RESTARTS, 1, 0, 0, 1 }, places[14] = { 0 };
  int ido = 0, info = 1;

  iteration->basis = g_try_malloc (iteration->size * ((gsize) ncv + 1) * sizeof (double));
  iteration->real = g_new0 (double, (gsize) nev + 2);
  iteration->imaginary = g_new0 (double, (gsize) nev + 2);
  if (start == NULL || columns == NULL || small == NULL || iteration->basis == NULL)
    return no_memory (search);
  make_start (start, iteration->size, round);
  for (;;)
    {
      const double *in;
      double *out;

      if (iteration->symmetric)
        dsaupd_c (&ido, "I", n, "LM", nev, TOLERANCE, start, ncv, iteration->basis, n, parameters,
                  places, columns, small, n_small, &info);
      else
        dnaupd_c (&ido, "I", n, "LM", nev, TOLERANCE, start, ncv, iteration->basis, n, parameters,
                  places, columns, small, n_small, &info);
      if (ido != 1 && ido != -1)
        break;
      in = columns + places[0] - 1;
      out = columns + places[1] - 1;
      search->operations++;
      if (!(iteration->symmetric ? apply_undamped : apply_damped) (search, in, out)
          || !report_progress (search, "iterating"))
        return FALSE;
    }
  /* After the last restart, converged vectors are used, if there are any. */
  if (info == 1 && (parameters[4] == 0 || !iteration->symmetric))
    return fail (search, "ARPACK found only %d of %d modes in %d restarts (ask for fewer)",
                 parameters[4], nev, MAX_RESTARTS);
  if (info < 0)
    return fail (search, "ARPACK failed (info %d)", info);
  if (iteration->symmetric)
    return take_ritz_vectors (search, iteration, small + places[4] - 1, start);
  dneupd_c (TRUE, "A", select, iteration->real, iteration->imaginary, iteration->basis, n, 0.0, 0.0,
            extra, "I", n, "LM", nev, TOLERANCE, start, ncv, iteration->basis, n, parameters,
            places, columns, small, n_small, &info);
  if (info < 0)
    return fail (search, "ARPACK failed (info %d)", info);
  iteration->n_found = parameters[4];
  return TRUE;
}

/* Allocates memory for `wanted` eigenvalues, and for a basis twice as large. */
static gboolean
plan_iteration (Search *search, Iteration *iteration, gsize wanted)
{
  const gsize basis = MIN (MAX (2 * wanted + 1, 20), iteration->size);

  if (wanted > iteration->size / 2 || wanted > G_MAXINT32 / 4 || iteration->size > G_MAXINT32
      || basis + 8 > (gsize) G_MAXINT32 / basis)
    return fail (search,
                 "that is too large a part of a network's modes to search for: ask for "
                 "fewer than half of %" G_GSIZE_FORMAT,
                 search->n);
  iteration->n_wanted = (int) wanted;
  iteration->n_basis = (int) basis;
  return TRUE;
}

/* Without damping */

static void
add_undamped (Search *search, const double *vector, GPtrArray *pairs)
{
  const IfbamEigenproblem *problem = search->problem;
  g_autofree double *shape = g_new (double, search->n);
  double *kept = g_new (double, search->n), square = 0, lambda;
  gboolean is_null;

  for (gsize i = 0; i < search->n; i++)
    square += vector[i] * vector[i];
  for (gsize i = 0; i < search->n; i++)
    {
      kept[i] = vector[i] / sqrt (square);
      shape[i] = problem->root[i] * kept[i];
    }
  lambda = ifbam_eigenproblem_quotient (problem, shape, &is_null);
  g_ptr_array_add (search->found, kept);
  if (is_null)
    {
      IfbamEigenpair *pair = ifbam_eigenpair_new (problem, 0.0, IFBAM_MODE_FREE, FALSE);

      memcpy (pair->shape, shape, search->n * sizeof *shape);
      g_ptr_array_add (pairs, pair);
    }
  else
    ifbam_eigenproblem_add_real (problem, lambda, 0.0, shape, pairs);
}

/* Returns the distance of the farthest of the requested modes. */
static double
find_reach (const Search *search, const GPtrArray *pairs, gsize *n_within)
{
  g_autoptr (GArray) distances = g_array_new (FALSE, FALSE, sizeof (double));
  const guint most = MIN (search->request->count, pairs->len);
  double reach;

  *n_within = 0;
  if (most == 0)
    return 0.0;
  for (guint i = 0; i < pairs->len; i++)
    {
      const IfbamEigenpair *pair = pairs->pdata[i];
      const double distance = ifbam_modes_distance (search->request, pair->s);

      /* Without damping, an unstable pair of real eigenvalues is one eigenvalue of K. */
      if (search->damping != NULL || !(cimag (pair->s) == 0 && creal (pair->s) < 0))
        g_array_append_val (distances, distance);
    }
  g_array_sort (distances, ifbam_compare_doubles);
  reach = g_array_index (distances, double, MIN (most, distances->len) - 1);
  for (guint i = 0; i < distances->len; i++)
    *n_within += g_array_index (distances, double, i) <= reach * (1 + COUNT_DISTANCE);
  return reach;
}

/* Counts the eigenvalues of K below lambda M. A test solution checks the pivots. */
static gboolean
count_below (Search *search, double lambda, gsize *count)
{
  IfbamFactorStatus status = IFBAM_FACTOR_SINGULAR;

  for (int attempt = 0; attempt < 3; attempt++)
    {
      g_autoptr (IfbamSparse) matrix =
          ifbam_sparse_sum (1.0, search->stiffness, 0.0, NULL,
                            -lambda * (1 + attempt * SHIFT_DISTANCE), search->inertia);
      g_autoptr (IfbamFactor) factor = NULL;

      if (!report_progress (search, "counting"))
        return FALSE;
      factor = ifbam_factor_new (matrix, IFBAM_FACTOR_LDL, &status);
      if (status == IFBAM_FACTOR_NO_MEMORY)
        return no_memory (search);
      if (factor != NULL)
        {
          *count = ifbam_factor_count_negative (factor);
          return TRUE;
        }
    }
  return fail (search, "the modes that were found could not be counted");
}

/* Counts the modes within a distance. */
static gboolean
count_within (Search *search, double reach, gsize *count)
{
  const double omega = 2 * G_PI * search->request->near, far = reach * (1 + COUNT_DISTANCE);
  const double high = (omega + far) * (omega + far);
  const double low = far < omega ? (omega - far) * (omega - far) : omega * omega - far * far;
  gsize below = 0;

  if (!count_below (search, high, count))
    return FALSE;
  if ((low > 0 || search->problem->motions->indefinite) && !count_below (search, low, &below))
    return FALSE;
  *count = *count > below ? *count - below : 0;
  return TRUE;
}

static gboolean
find_undamped (Search *search, GPtrArray *pairs)
{
  const double omega = 2 * G_PI * search->request->near;
  const gsize count = search->request->count, bodies = search->problem->n_bodies;
  gsize wanted = omega > 0 || search->problem->motions->indefinite ? count
                 : count > bodies                                  ? count - bodies
                                                                   : 0;

  ifbam_eigenproblem_add_bodies (search->problem, pairs);
  if (wanted == 0)
    return TRUE;
  if (!factor_shifted (search, omega * omega))
    return FALSE;
  /* If a solution is cheaper than orthogonalisation, the square of the operator needs fewer
   * vectors, since wanted eigenvalues are farther apart. It maps both sides of a shift alike. */
  search->power =
      omega == 0 && !search->problem->motions->indefinite
              && ifbam_factor_entries (search->factor) < CHEAP_FACTOR_ENTRIES * (double) search->n
          ? 2
          : 1;
  for (guint round = 0; round < MAX_ROUNDS; round++)
    {
      g_auto (Iteration) iteration = { .symmetric = TRUE, .size = search->n };
      gsize within, counted;
      double reach;

      if (!plan_iteration (search, &iteration, wanted) || !iterate (search, &iteration, round))
        return FALSE;
      for (int i = 0; i < iteration.n_found; i++)
        {
          if (!report_progress (search, "refining"))
            return FALSE;
          add_undamped (search, iteration.basis + (gsize) i * search->n, pairs);
        }
      reach = find_reach (search, pairs, &within);
      search->power = 1;
      if (pairs->len < count)
        {
          wanted = count - pairs->len;
          continue;
        }
      if (!count_within (search, reach, &counted))
        return FALSE;
      if (within >= counted)
        return TRUE;
      wanted = (counted - within) << round;
    }
  return fail (search,
               "ARPACK left out modes that are there, %d times (ask for fewer or more; or some "
               "springs are too soft beside the others)",
               MAX_ROUNDS);
}

/* With damping */

/* Finds the undamped mode nearest to an angular frequency: *frequency, and the decay rate by the
 * dampers [1/s]; 0: there is none. */
static gboolean
find_nearest (Search *search, double omega, double *frequency, double *decay)
{
  const IfbamEigenproblem *problem = search->problem;
  g_autofree double *x = g_new (double, search->n);
  g_auto (Iteration) iteration = { .symmetric = TRUE, .size = search->n };
  gboolean is_null;
  double square = 0;

  *frequency = *decay = 0;
  if (!factor_shifted (search, omega * omega) || !plan_iteration (search, &iteration, 1)
      || !iterate (search, &iteration, 0))
    return FALSE;
  if (iteration.n_found == 0)
    return TRUE;
  for (gsize i = 0; i < search->n; i++)
    {
      square += iteration.basis[i] * iteration.basis[i];
      x[i] = problem->root[i] * iteration.basis[i];
    }
  *frequency = sqrt (fabs (ifbam_eigenproblem_quotient (problem, x, &is_null)));
  *decay =
      0.5 * ifbam_small_motions_form (problem->motions, problem->motions->damping, x, x) / square;
  return TRUE;
}

/* Computes the eigenvalues s that the operator maps to theta; returns their number. */
static guint
invert_theta (const Search *search, double complex theta, double complex *s)
{
  const double decay = creal (search->shift), omega = cimag (search->shift);
  double complex root;

  if (omega == 0)
    {
      s[0] = search->shift + 1 / theta;
      return 1;
    }
  /* theta = p / (p^2 + omega^2), p = s - decay */
  root = csqrt (1 - 4 * theta * theta * omega * omega);
  s[0] = decay + (1 + root) / (2 * theta);
  s[1] = decay + (1 - root) / (2 * theta);
  return 2;
}

static void
add_damped (Search *search, const double *real, const double *imaginary, double complex theta,
            GPtrArray *pairs)
{
  const IfbamEigenproblem *problem = search->problem;
  const gsize n = search->n;
  /* For unsupported bodies, only the rates contain the whole shape. */
  const gsize part = problem->n_bodies > 0 ? n : 0;
  IfbamEigenpair *pair =
      ifbam_eigenpair_new (problem, 0.0, IFBAM_MODE_OVERDAMPED, imaginary != NULL);
  double complex near[2];
  const guint n_near = invert_theta (search, theta, near);

  for (gsize i = 0; i < n; i++)
    {
      pair->shape[i] = problem->root[i] * real[part + i];
      if (imaginary != NULL)
        pair->imaginary[i] = problem->root[i] * imaginary[part + i];
    }
  pair->s = ifbam_eigenproblem_refine (problem, near, n_near, pair->shape, pair->imaginary);
  if (problem->n_bodies > 0 && cabs (pair->s) < ZERO_RATIO * cabs (search->shift))
    {
      ifbam_eigenpair_free (pair); /* rigid drift */
      return;
    }
  pair->kind = cimag (pair->s) != 0  ? IFBAM_MODE_OSCILLATING
               : creal (pair->s) > 0 ? IFBAM_MODE_UNSTABLE
                                     : IFBAM_MODE_OVERDAMPED;
  if (cimag (pair->s) < 0)
    {
      pair->s = conj (pair->s);
      for (gsize i = 0; i < n; i++)
        pair->imaginary[i] = -pair->imaginary[i];
    }
  g_ptr_array_add (pairs, pair);
}

/* Returns a lower bound of the operator's eigenvalues for s within a reach. The real part of 1 / (s
 * - sigma) over the conjugates is p / (p^2 + omega^2) for sigma = decay + i omega and p = s -
 * decay; in a disk about sigma it is least towards 0. */
static double
min_eigenvalue_within (const Search *search, double reach)
{
  const double complex wanted = I * (2 * G_PI * search->request->near);
  const double omega = cimag (search->shift), radius = reach + cabs (search->shift - wanted);

  if (omega > 0)
    return radius < omega ? (omega - radius) / ((2 * omega - radius) * radius) : 0.0;
  return 1 / radius;
}

/* Adds the modes of an iteration; *least: the operator's smallest eigenvalue. */
static gboolean
add_damped_modes (Search *search, const Iteration *iteration, GPtrArray *pairs, double *least)
{
  *least = INFINITY;
  for (int i = 0; i < iteration->n_found; i++)
    {
      const double *vector = iteration->basis + (gsize) i * iteration->size;
      const gboolean is_complex = iteration->imaginary[i] != 0;

      if (is_complex && i + 1 == iteration->n_found)
        break; /* half a pair */
      if (!report_progress (search, "refining"))
        return FALSE;
      *least = fmin (*least, hypot (iteration->real[i], iteration->imaginary[i]));
      add_damped (search, vector, is_complex ? vector + iteration->size : NULL,
                  iteration->real[i] + I * iteration->imaginary[i], pairs);
      i += is_complex;
    }
  return TRUE;
}

/* Finds damped modes. The shift is at the expected mode of the wanted frequency: damped modes lie
 * in a row beside the imaginary axis. The nearest modes are certain if a disk that contains them
 * was searched; if this needs over four times as many modes, the nearest known ones are taken. */
static gboolean
find_damped (Search *search, GPtrArray *pairs)
{
  const double omega = 2 * G_PI * search->request->near;
  const gsize bodies = search->problem->n_bodies;
  const gsize enough = 2 * ((gsize) search->request->count + bodies);
  gsize wanted = enough;
  double frequency, decay;

  if (!find_nearest (search, omega, &frequency, &decay))
    return FALSE;
  search->power = 1;
  search->scale = omega > 0 ? omega : frequency > 0 ? frequency : 1.0;
  if (!factor_quadratic (search, omega > 0    ? (decay < omega ? -decay : 0) + I * omega
                                 : bodies > 0 ? BODY_SHIFT * search->scale
                                              : 0))
    return FALSE;
  for (guint round = 0;; round++)
    {
      g_auto (Iteration) iteration = { .symmetric = FALSE, .size = 2 * search->n };
      double least, needed;
      gsize n_within;

      g_ptr_array_set_size (pairs, 0);
      ifbam_eigenproblem_add_bodies (search->problem, pairs);
      if (!plan_iteration (search, &iteration, wanted) || !iterate (search, &iteration, round))
        return FALSE;
      if (!add_damped_modes (search, &iteration, pairs, &least))
        return FALSE;
      needed = min_eigenvalue_within (search, find_reach (search, pairs, &n_within));
      if (pairs->len >= search->request->count
          && (least <= needed * (1 + COUNT_DISTANCE) || wanted >= 4 * enough))
        return TRUE;
      /* A shift at 0 shows all eigenvalues in such a disk. */
      if (needed == 0 && !factor_quadratic (search, bodies > 0 ? BODY_SHIFT * search->scale : 0.0))
        return FALSE;
      wanted = MIN (2 * wanted, wanted < search->n ? search->n : 2 * wanted);
    }
}

static gboolean
prepare (Search *search)
{
  gsize bodies = 0;

  const IfbamEigenproblem *problem = search->problem;
  const IfbamSmallMotions *motions = problem->motions;
  g_autofree double *norm = g_new0 (double, problem->n_bodies + 1);

  /* With many nodes each part takes long. */
  if (!report_progress (search, "assembling"))
    return FALSE;
  search->stiffness = ifbam_small_motions_matrix (motions, motions->stiffness, search->error);
  if (search->stiffness == NULL || !report_progress (search, "assembling"))
    return FALSE;
  if (motions->has_damping)
    {
      search->damping = ifbam_small_motions_matrix (motions, motions->damping, search->error);
      if (search->damping == NULL || !report_progress (search, "assembling"))
        return FALSE;
    }
  for (gsize i = 0; i < search->n; i++)
    {
      search->inertia[i] = motions->inertia[i];
      search->weight[i] = sqrt (motions->inertia[i]);
      /* Indices of bodies increase with their first coordinate. */
      if (problem->body[i] != IFBAM_NO_BODY && problem->body[i] == bodies)
        search->pinned[bodies++] = i;
      search->rigid[i] = problem->lever[i] / problem->root[i];
      if (problem->body[i] != IFBAM_NO_BODY)
        norm[problem->body[i]] += search->rigid[i] * search->rigid[i];
    }
  for (gsize i = 0; i < search->n; i++)
    if (problem->body[i] != IFBAM_NO_BODY)
      search->rigid[i] /= sqrt (norm[problem->body[i]]);
  return TRUE;
}

gboolean
ifbam_modes_solve_sparse (const IfbamEigenproblem *problem, const IfbamModesRequest *request,
                          GPtrArray *pairs, GError **error)
{
  const gsize n = problem->n;
  const gboolean damped = problem->motions->has_damping;
  Search search = { .problem = problem, .request = request, .error = error, .n = n };
  gboolean fine;

  if (request->count == 0)
    return fail (&search, "there are %" G_GSIZE_FORMAT " modes, too many to find all: say how many",
                 n);
  search.found = g_ptr_array_new_with_free_func (g_free);
  search.inertia = g_new (double, n);
  search.weight = g_new (double, n);
  search.pinned = g_new (gsize, problem->n_bodies + 1);
  search.power = 1;
  search.rigid = g_new (double, n);
  for (guint w = 0; w < (damped ? 4 : 1); w++)
    search.work[w] = g_new (double, n);
  for (guint w = 0; w < 2 && damped && request->near > 0; w++)
    search.complex_work[w] = g_new (double complex, n);
  fine = prepare (&search) && (damped ? find_damped : find_undamped) (&search, pairs);
  drop_factor (&search);
  ifbam_sparse_free (search.stiffness);
  ifbam_sparse_free (search.damping);
  g_ptr_array_unref (search.found);
  g_free (search.inertia);
  g_free (search.weight);
  g_free (search.pinned);
  g_free (search.rigid);
  for (guint w = 0; w < 4; w++)
    g_free (search.work[w]);
  for (guint w = 0; w < 2; w++)
    g_free (search.complex_work[w]);
  return fine;
}
