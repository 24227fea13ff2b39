/* null-space.c: independent coordinates under bilateral constraints
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/null-space.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

/* A row with less than this fraction of itself independent of others is redundant. */
#define DEPENDENT 1e-10
/* A coordinate has inertia from this fraction of its weight on; massless nodes weigh 1e-9. */
#define MASSLESS 1e-8

/* Groups of coordinates that constraints join, by the lowest node of each group. */
typedef struct
{
  GArray *members; /* guint32 */
  GArray *rows;    /* guint: indices of relations */
  gsize first, n;  /* its independent coordinates; first is G_MAXSIZE before they are numbered */
  double *basis;   /* displacements of the members per coordinate (members, n) */
  double *inertia; /* of the coordinates: 1, or 0 (n) */
} Island;

typedef struct
{
  const IfbamModel *model;
  const IfbamDofGroups *groups;
  const GArray *relations;
  double *inertia;       /* of a group, at its lowest node (n_free) */
  double *weight;        /* the same, but positive also without inertia (n_free) */
  guint32 *node_scratch; /* index of a group in its island (n_free) */
  guint32 *island;       /* island of a group; G_MAXUINT32: none (n_free) */
  GArray *islands;       /* Island */
} Search;

static void
island_clear (gpointer data)
{
  Island *island = data;

  g_array_unref (island->members);
  g_array_unref (island->rows);
  g_free (island->basis);
  g_free (island->inertia);
}

/* Removes relations that join at most two groups, by merging groups, until only others are left. */
static void
merge_pairs (IfbamDofGroups *groups, GArray *relations)
{
  guint before, kept;

  do
    {
      before = relations->len;
      kept = 0;
      for (guint i = 0; i < before; i++)
        {
          const IfbamMotionRow *row = &g_array_index (relations, IfbamMotionRow, i);

          if (!ifbam_dof_groups_merge (groups, row))
            g_array_index (relations, IfbamMotionRow, kept++) = *row;
        }
      g_array_set_size (relations, kept);
    }
  while (kept < before);
}

static void
compute_group_weights (Search *search)
{
  for (gsize i = 0; i < search->model->n_free; i++)
    {
      double factor;
      const guint32 root = ifbam_dof_groups_find (search->groups, i, &factor);

      search->inertia[root] += factor * factor * ifbam_model_inertia (search->model, i);
    }
  /* The model gives massless nodes a small inertia for reactions. */
  for (gsize i = 0; i < search->model->n_free; i++)
    search->weight[i] =
        search->inertia[i] > 0 ? search->inertia[i] : 1 / search->model->inverse_inertia[i];
}

/* Returns the island of a group; creates one if needed. */
static guint32
island_of (Search *search, guint32 root)
{
  if (search->island[root] == G_MAXUINT32)
    {
      const Island island = { .members = g_array_new (FALSE, FALSE, sizeof (guint32)),
                              .rows = g_array_new (FALSE, FALSE, sizeof (guint)),
                              .first = G_MAXSIZE };

      search->island[root] = search->islands->len;
      search->node_scratch[root] = 0;
      g_array_append_val (search->islands, island);
      g_array_append_val (g_array_index (search->islands, Island, search->island[root]).members,
                          root);
    }
  return search->island[root];
}

/* Merges the smaller island into the other. */
static guint32
unite (Search *search, guint32 one, guint32 other)
{
  Island *a = &g_array_index (search->islands, Island, one);
  Island *b = &g_array_index (search->islands, Island, other);

  if (one == other)
    return one;
  if (a->members->len < b->members->len)
    return unite (search, other, one);
  for (guint i = 0; i < b->members->len; i++)
    {
      const guint32 root = g_array_index (b->members, guint32, i);

      search->island[root] = one;
      search->node_scratch[root] = a->members->len;
      g_array_append_val (a->members, root);
    }
  g_array_append_vals (a->rows, b->rows->data, b->rows->len);
  g_array_set_size (b->members, 0);
  g_array_set_size (b->rows, 0);
  return one;
}

static void
find_islands (Search *search)
{
  for (guint i = 0; i < search->relations->len; i++)
    {
      const IfbamMotionRow *row = &g_array_index (search->relations, IfbamMotionRow, i);
      guint32 island = G_MAXUINT32;

      for (guint e = 0; e < row->n; e++)
        {
          double factor;
          const guint32 root = ifbam_dof_groups_find (search->groups, row->at[e], &factor);

          if (search->groups->still[root])
            continue;
          island = island == G_MAXUINT32 ? island_of (search, root)
                                         : unite (search, island, island_of (search, root));
        }
      if (island != G_MAXUINT32)
        g_array_append_val (g_array_index (search->islands, Island, island).rows, i);
    }
}

/* Writes a relation as a column of (J W^-1/2)^T, scaled to length one. W: the weights. */
static void
put_column (const Search *search, guint index, double *column, gsize n)
{
  const IfbamMotionRow *row = &g_array_index (search->relations, IfbamMotionRow, index);
  double square = 0;

  for (guint e = 0; e < row->n; e++)
    {
      double factor;
      const guint32 root = ifbam_dof_groups_find (search->groups, row->at[e], &factor);

      if (!search->groups->still[root])
        column[search->node_scratch[root]] += row->entry[e] * factor / sqrt (search->weight[root]);
    }
  for (gsize i = 0; i < n; i++)
    square += column[i] * column[i];
  for (gsize i = 0; i < n && square > 0; i++)
    column[i] /= sqrt (square);
}

/* Householder reflections have absolute errors, too large for light coordinates in the null space.
 * The components along relations are removed once more, by the same Q and R, from the original
 * relations (Bjorck 1967, BIT 7, iterative refinement). */
static gboolean
refine_basis (const Island *island, const double *relations, const double *matrix,
              const double *scale, const lapack_int *pivot, gsize m)
{
  const gsize n = island->members->len, rank = n - island->n;
  g_autofree double *along = g_new0 (double, n * island->n + 1);

  for (gsize k = 0; k < island->n; k++)
    for (gsize j = 0; j < rank; j++)
      {
        const double *relation = relations + (gsize) (pivot[j] - 1) * n;

        for (gsize i = 0; i < n; i++)
          along[k * n + j] += relation[i] * island->basis[k * n + i];
      }
  if (LAPACKE_dtrtrs (LAPACK_COL_MAJOR, 'U', 'T', 'N', (lapack_int) rank, (lapack_int) island->n,
                      matrix, (lapack_int) n, along, (lapack_int) n)
          != 0
      || LAPACKE_dormqr (LAPACK_COL_MAJOR, 'L', 'N', (lapack_int) n, (lapack_int) island->n,
                         (lapack_int) MIN (n, m), matrix, (lapack_int) n, scale, along,
                         (lapack_int) n)
             != 0)
    return FALSE;
  for (gsize i = 0; i < n * island->n; i++)
    island->basis[i] -= along[i];
  return TRUE;
}

/* Rotates and scales the coordinates of an island with massless members so that M is diagonal: its
 * basis is orthonormal by weights. Eigenvalues of Z^T M Z near 0 belong to massless coordinates; in
 * the others the weights are negligible. */
static gboolean
separate_massless (const Search *search, Island *island)
{
  const gsize n = island->members->len, m = island->n;
  g_autofree double *matrix = g_new0 (double, m *m + 1), *value = g_new (double, m + 1);
  g_autofree double *turned = g_new0 (double, n *m + 1);
  gboolean has_massless = FALSE;

  for (gsize i = 0; i < n; i++)
    {
      const double inertia = search->inertia[g_array_index (island->members, guint32, i)];

      has_massless |= inertia == 0;
      for (gsize k = 0; k < m; k++)
        for (gsize l = 0; l < m; l++)
          matrix[k * m + l] += island->basis[k * n + i] * inertia * island->basis[l * n + i];
    }
  if (!has_massless || m == 0)
    return TRUE;
  if (LAPACKE_dsyevd (LAPACK_COL_MAJOR, 'V', 'L', (lapack_int) m, matrix, (lapack_int) m, value)
      != 0)
    return FALSE;
  for (gsize k = 0; k < m; k++)
    {
      const double scale = value[k] > MASSLESS ? 1 / sqrt (value[k]) : 1;

      island->inertia[k] = value[k] > MASSLESS ? 1 : 0;
      for (gsize l = 0; l < m; l++)
        for (gsize i = 0; i < n; i++)
          turned[k * n + i] += scale * matrix[k * m + l] * island->basis[l * n + i];
    }
  memcpy (island->basis, turned, n * m * sizeof *turned);
  return TRUE;
}

/* The last columns of Q span the null space, Q R = (J W^-1/2)^T (Businger & Golub 1965). */
static gboolean
find_basis (const Search *search, Island *island)
{
  const gsize n = island->members->len, m = island->rows->len, most = MIN (n, m);
  g_autofree double *matrix = g_new0 (double, n *m + 1), *scale = g_new (double, most + 1);
  g_autofree double *relations = NULL;
  g_autofree lapack_int *pivot = g_new0 (lapack_int, m + 1);
  gsize rank = 0;

  for (gsize j = 0; j < m; j++)
    put_column (search, g_array_index (island->rows, guint, j), matrix + j * n, n);
  relations = g_memdup2 (matrix, n * m * sizeof *matrix);
  if (LAPACKE_dgeqp3 (LAPACK_COL_MAJOR, (lapack_int) n, (lapack_int) m, matrix, (lapack_int) n,
                      pivot, scale)
      != 0)
    return FALSE;
  while (rank < most && fabs (matrix[rank * n + rank]) > DEPENDENT * fabs (matrix[0]))
    rank++;
  island->n = n - rank;
  island->basis = g_new0 (double, n * island->n + 1);
  island->inertia = g_new (double, island->n + 1);
  for (gsize k = 0; k < island->n; k++)
    island->basis[k * n + rank + k] = island->inertia[k] = 1;
  if (island->n > 0
      && LAPACKE_dormqr (LAPACK_COL_MAJOR, 'L', 'N', (lapack_int) n, (lapack_int) island->n,
                         (lapack_int) most, matrix, (lapack_int) n, scale, island->basis,
                         (lapack_int) n)
             != 0)
    return FALSE;
  if (island->n > 0 && rank > 0 && !refine_basis (island, relations, matrix, scale, pivot, m))
    return FALSE;
  for (gsize k = 0; k < island->n; k++)
    for (gsize i = 0; i < n; i++)
      island->basis[k * n + i] /=
          sqrt (search->weight[g_array_index (island->members, guint32, i)]);
  return search->model->n_junctions == 0 || separate_massless (search, island);
}

static gboolean
find_bases (const Search *search, gsize most, GError **error)
{
  for (guint i = 0; i < search->islands->len; i++)
    {
      Island *island = &g_array_index (search->islands, Island, i);

      if (island->members->len > most)
        return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                           "%u coordinates are held together: more than the %" G_GSIZE_FORMAT
                           " whose independent motions are looked for",
                           island->members->len, most);
      if (island->members->len > 0 && !find_basis (search, island))
        return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                           "memory is too short to find the motions that the constraints leave");
    }
  return TRUE;
}

/* A root is the lowest node of its group, so it precedes the others. */
static void
number_coordinates (const Search *search, IfbamNullSpace *null_space)
{
  const gsize n_free = search->model->n_free;
  gsize n_factors = 0;

  null_space->first = g_new (guint32, n_free + 1);
  null_space->start = g_new (gsize, n_free + 1);
  for (gsize i = 0; i < n_free; i++)
    {
      double factor;
      const guint32 root = ifbam_dof_groups_find (search->groups, i, &factor);
      Island *island = search->island[root] == G_MAXUINT32
                           ? NULL
                           : &g_array_index (search->islands, Island, search->island[root]);

      null_space->start[i] = n_factors;
      null_space->first[i] = 0;
      if (search->groups->still[root])
        continue;
      if (island != NULL && island->first == G_MAXSIZE)
        {
          island->first = null_space->n;
          null_space->n += island->n;
        }
      null_space->first[i] = island != NULL ? (guint32) island->first
                             : root == i    ? (guint32) null_space->n++
                                            : null_space->first[root];
      n_factors += island != NULL ? island->n : 1;
      null_space->most = MAX (null_space->most, n_factors - null_space->start[i]);
    }
  null_space->start[n_free] = n_factors;
}

static void
put_factors (const Search *search, IfbamNullSpace *null_space)
{
  null_space->factor = g_new (double, null_space->start[search->model->n_free] + 1);
  null_space->inertia = g_new0 (double, null_space->n + 1);
  for (gsize i = 0; i < search->model->n_free; i++)
    {
      double own, *factor = null_space->factor + null_space->start[i];
      const guint32 root = ifbam_dof_groups_find (search->groups, i, &own);

      if (ifbam_null_space_count (null_space, i) == 0)
        continue;
      if (search->island[root] == G_MAXUINT32)
        {
          *factor = own;
          null_space->inertia[null_space->first[i]] +=
              own * own * ifbam_model_inertia (search->model, i);
        }
      else
        {
          const Island *island = &g_array_index (search->islands, Island, search->island[root]);

          for (gsize k = 0; k < island->n; k++)
            {
              factor[k] =
                  own * island->basis[k * island->members->len + search->node_scratch[root]];
              null_space->inertia[island->first + k] = island->inertia[k];
            }
        }
    }
}

IfbamNullSpace *
ifbam_null_space_new (const IfbamModel *model, IfbamDofGroups *groups, GArray *relations,
                      gsize most, GError **error)
{
  g_autoptr (IfbamNullSpace) null_space = g_new0 (IfbamNullSpace, 1);
  g_autofree double *inertia = g_new0 (double, model->n_free + 1);
  g_autofree double *weight = g_new (double, model->n_free + 1);
  g_autofree guint32 *node_scratch = g_new0 (guint32, model->n_free + 1);
  g_autofree guint32 *island = g_new (guint32, model->n_free + 1);
  g_autoptr (GArray) islands = g_array_new (FALSE, FALSE, sizeof (Island));
  Search search = { .model = model,
                    .groups = groups,
                    .relations = relations,
                    .inertia = inertia,
                    .weight = weight,
                    .node_scratch = node_scratch,
                    .island = island,
                    .islands = islands };

  g_array_set_clear_func (islands, island_clear);
  memset (island, 0xff, model->n_free * sizeof *island);
  merge_pairs (groups, relations);
  compute_group_weights (&search);
  find_islands (&search);
  if (!find_bases (&search, most, error))
    return NULL;
  number_coordinates (&search, null_space);
  put_factors (&search, null_space);
  return g_steal_pointer (&null_space);
}

void
ifbam_null_space_free (IfbamNullSpace *null_space)
{
  if (null_space == NULL)
    return;
  g_free (null_space->inertia);
  g_free (null_space->first);
  g_free (null_space->start);
  g_free (null_space->factor);
  g_free (null_space);
}
