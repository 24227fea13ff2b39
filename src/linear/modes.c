/* modes.c: eigenfrequencies, damping and mode shapes of a network linearised about its start
 *
 * The tangents of the laws give M x'' + C x' + K x = 0 (see system-matrices.h). Its solutions
 * x exp (s t) are the modes: (s^2 M + s C + K) x = 0 (Tisseur & Meerbergen 2001, "The quadratic
 * eigenvalue problem", SIAM Review 43, 235).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/modes.h"

#include <math.h>
#include <string.h>

#include "linear/single-thread-blas.h"
#include "linear/massless-modes.h"
#include "base/fail.h"
#include "file/file.h"

/* Up to this number of nodes all modes are computed in any case; */
#define SMALL 300
/* up to this one if more than a quarter of the modes is requested; */
#define MEDIUM 3000
/* the same limits with damping, which doubles the states and removes symmetry. */
#define SMALL_DAMPED  100
#define MEDIUM_DAMPED 1000
/* Relative to the largest entry: imaginary parts that are rounding; entries that are equal. */
#define REAL  1e-9
#define EQUAL 1e-9

/**
 * IfbamModes:
 *
 * Modes of a network that is linearised about its start. The scheme, sources and rates have no
 * effect. Given nodes are at rest.
 */
struct _IfbamModes
{
  GObject parent_instance;
  gsize n_nodes;
  GArray *modes;        /* IfbamMode */
  GPtrArray *shapes;    /* double* each (n_nodes) */
  GPtrArray *imaginary; /* double* each (n_nodes), or NULL */
  char **nodes;         /* names, in the order of the file */
  char **nonlinear;     /* names of links */
  gboolean held;        /* of a mechanism that is not in equilibrium */
};

G_DEFINE_FINAL_TYPE (IfbamModes, ifbam_modes, G_TYPE_OBJECT)

static void
ifbam_modes_init (IfbamModes *modes)
{
  modes->modes = g_array_new (FALSE, FALSE, sizeof (IfbamMode));
  modes->shapes = g_ptr_array_new_with_free_func (g_free);
  modes->imaginary = g_ptr_array_new_with_free_func (g_free);
}

static void
ifbam_modes_finalize (GObject *object)
{
  IfbamModes *modes = IFBAM_MODES (object);

  g_array_unref (modes->modes);
  g_ptr_array_unref (modes->shapes);
  g_ptr_array_unref (modes->imaginary);
  g_strfreev (modes->nodes);
  g_strfreev (modes->nonlinear);
  G_OBJECT_CLASS (ifbam_modes_parent_class)->finalize (object);
}

static void
ifbam_modes_class_init (IfbamModesClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = ifbam_modes_finalize;
}

/* Choice */

static int
compare_distances (gconstpointer a, gconstpointer b, gpointer request)
{
  const IfbamEigenpair *one = *(const IfbamEigenpair *const *) a;
  const IfbamEigenpair *other = *(const IfbamEigenpair *const *) b;
  const double d = ifbam_modes_distance (request, one->s);
  const double e = ifbam_modes_distance (request, other->s);

  return d < e ? -1 : d > e;
}

static int
compare_frequencies (gconstpointer a, gconstpointer b)
{
  const IfbamEigenpair *one = *(const IfbamEigenpair *const *) a;
  const IfbamEigenpair *other = *(const IfbamEigenpair *const *) b;

  if (cimag (one->s) != cimag (other->s))
    return cimag (one->s) < cimag (other->s) ? -1 : 1;
  if ((one->kind == IFBAM_MODE_FREE) != (other->kind == IFBAM_MODE_FREE))
    return one->kind == IFBAM_MODE_FREE ? -1 : 1;
  return creal (one->s) > creal (other->s) ? -1 : creal (one->s) < creal (other->s);
}

/* Returns displacements of nodes in the order of the file. */
static double *
expand (const IfbamSmallMotions *motions, const double *shape)
{
  const IfbamModel *model = motions->model;
  double *column = g_new (double, model->n_free + 1);

  if (motions->null_space == NULL && model->number == NULL)
    memcpy (column, shape, model->n_free * sizeof *column);
  else
    for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
      column[i] = ifbam_small_motions_node (motions, ifbam_model_named_node (model, i), shape);
  return column;
}

/* Scales a shape so that its largest entry is 1; of equal ones the first in the file. */
static void
scale_real (gsize n, double *shape)
{
  double most = 0, scale = 1;

  for (gsize i = 0; i < n; i++)
    most = fabs (shape[i]) > most ? fabs (shape[i]) : most;
  for (gsize i = 0; i < n; i++)
    if (fabs (shape[i]) >= (1 - EQUAL) * most && most > 0)
      {
        scale = 1 / shape[i];
        break;
      }
  for (gsize i = 0; i < n; i++)
    shape[i] *= scale;
}

/* As scale_real (), by a complex factor. imaginary becomes NULL if the shape is then real. */
static void
scale_complex (gsize n, double *shape, double **imaginary)
{
  double most = 0, largest_imaginary = 0;
  double complex scale = 1;

  for (gsize i = 0; i < n; i++)
    most = MAX (most, hypot (shape[i], (*imaginary)[i]));
  for (gsize i = 0; i < n; i++)
    if (hypot (shape[i], (*imaginary)[i]) >= (1 - EQUAL) * most && most > 0)
      {
        scale = 1 / (shape[i] + I * (*imaginary)[i]);
        break;
      }
  for (gsize i = 0; i < n; i++)
    {
      const double complex x = (shape[i] + I * (*imaginary)[i]) * scale;

      shape[i] = creal (x);
      (*imaginary)[i] = cimag (x);
      largest_imaginary = MAX (largest_imaginary, fabs (cimag (x)));
    }
  if (largest_imaginary <= REAL)
    g_clear_pointer (imaginary, g_free);
}

/* Returns the damping ratio; of an overdamped pair the exponents' mean over their geometric one. */
static double
damping_ratio_of (const IfbamEigenpair *pair)
{
  if (pair->partner < 0)
    return -0.5 * (creal (pair->s) + pair->partner) / sqrt (creal (pair->s) * pair->partner);
  return creal (pair->s) != 0 ? -creal (pair->s) / cabs (pair->s) : 0.0;
}

static void
add_pair (IfbamModes *modes, const IfbamSmallMotions *motions, const IfbamEigenpair *pair)
{
  const gboolean decays = creal (pair->s) != 0;
  const IfbamMode mode = { .kind = pair->kind,
                           .frequency = cimag (pair->s) / (2 * G_PI),
                           .damping_ratio = damping_ratio_of (pair),
                           .decay_rate = decays ? -creal (pair->s) : 0.0 };
  double *shape = expand (motions, pair->shape);
  double *imaginary = pair->imaginary != NULL ? expand (motions, pair->imaginary) : NULL;

  if (imaginary != NULL)
    scale_complex (ifbam_model_n_named_free (motions->model), shape, &imaginary);
  else
    scale_real (ifbam_model_n_named_free (motions->model), shape);
  g_array_append_val (modes->modes, mode);
  g_ptr_array_add (modes->shapes, shape);
  g_ptr_array_add (modes->imaginary, imaginary);
}

static char **
list_nodes (const IfbamModel *model)
{
  char **names = g_new0 (char *, model->n_free + 1);

  for (gsize i = 0; i < ifbam_model_n_named_free (model); i++)
    names[i] = ifbam_model_node_name (model, ifbam_model_named_node (model, i));
  return names;
}

static gboolean
solve (const IfbamEigenproblem *problem, const IfbamModesRequest *request, GPtrArray *pairs,
       GError **error)
{
  const gboolean damped = problem->motions->has_damping;
  const gsize n = problem->n, small = damped ? SMALL_DAMPED : SMALL;
  const gsize medium = damped ? MEDIUM_DAMPED : MEDIUM;
  const gboolean most = request->count == 0 || 4 * (gsize) request->count > n;
  g_autoptr (GError) failure = NULL;

  if (n == 0)
    return TRUE;
  if (problem->motions->circulations->len > 0)
    {
      if (n <= MEDIUM_DAMPED)
        return ifbam_modes_solve_dense (problem, pairs, error);
      return ifbam_fail (error, IFBAM_ERROR_NETWORK,
                         "a force follows the position of others, and there are %" G_GSIZE_FORMAT
                         " coordinates: such modes are found of at most %d",
                         n, MEDIUM_DAMPED);
    }
  if (!request->some && (n <= small || (n <= medium && most)))
    return ifbam_modes_solve_dense (problem, pairs, error);
  if (ifbam_modes_solve_sparse (problem, request, pairs, &failure))
    return TRUE;
  /* A soft part of a stiff network is lost in a sparse matrix, but not by the dense method. */
  if (request->some || n > medium || !g_error_matches (failure, IFBAM_ERROR, IFBAM_ERROR_NETWORK))
    {
      g_propagate_error (error, g_steal_pointer (&failure));
      return FALSE;
    }
  g_ptr_array_set_size (pairs, 0);
  return ifbam_modes_solve_dense (problem, pairs, error);
}

/* Computes modes with massless coordinates. */
static gboolean
solve_massless (const IfbamSmallMotions *motions, GPtrArray *pairs, GError **error)
{
  const IfbamEigenproblem problem = { .motions = motions, .n = motions->n };
  const gsize n = motions->n;
  g_auto (IfbamMasslessModes) light = { 0 };

  if (!ifbam_massless_modes_find (motions, MEDIUM_DAMPED, TRUE, &light, error))
    return FALSE;
  for (gsize k = 0; k < light.n_bodies; k++)
    {
      IfbamEigenpair *pair = ifbam_eigenpair_new (&problem, 0.0, IFBAM_MODE_FREE, FALSE);

      memcpy (pair->shape, light.body + k * n, n * sizeof (double));
      g_ptr_array_add (pairs, pair);
    }
  for (gsize k = 2 * light.n_bodies + light.n_neutral; k < light.n; k++)
    {
      const double complex s = light.value[k];
      IfbamEigenpair *pair;

      if (cimag (s) < 0)
        continue;
      pair = ifbam_eigenpair_new (&problem, s,
                                  cimag (s) != 0  ? IFBAM_MODE_OSCILLATING
                                  : creal (s) > 0 ? IFBAM_MODE_UNSTABLE
                                                  : IFBAM_MODE_OVERDAMPED,
                                  cimag (s) != 0);
      for (gsize i = 0; i < n; i++)
        {
          pair->shape[i] = creal (light.shape[k * n + i]);
          if (pair->imaginary != NULL)
            pair->imaginary[i] = cimag (light.shape[k * n + i]);
        }
      g_ptr_array_add (pairs, pair);
    }
  return TRUE;
}

/* has_massless: massless coordinates remain, as springs and dampers act on them together. */
static IfbamSmallMotions *
find_motions (const IfbamModel *model, const IfbamRunSpec *spec, gboolean *has_massless,
              GError **error)
{
  g_autoptr (GError) failure = NULL;
  IfbamSmallMotions *motions = ifbam_small_motions_new (model, spec, &failure);

  *has_massless = motions == NULL && model->n_junctions > 0;
  if (*has_massless)
    return ifbam_small_motions_new_with_massless (model, spec, error);
  if (motions == NULL)
    g_propagate_error (error, g_steal_pointer (&failure));
  return motions;
}

IfbamModes *
ifbam_modes_new_for_model (const IfbamModel *model, const IfbamRunSpec *spec,
                           const IfbamModesRequest *request, GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  gboolean has_massless;
  g_autoptr (IfbamSmallMotions) motions = find_motions (model, spec, &has_massless, error);
  g_autoptr (GPtrArray) pairs =
      g_ptr_array_new_with_free_func ((GDestroyNotify) ifbam_eigenpair_free);
  g_autoptr (IfbamModes) modes = NULL;
  g_auto (IfbamEigenproblem) problem = { 0 };

  if (motions == NULL)
    return NULL;
  if (!has_massless)
    ifbam_eigenproblem_init (&problem, motions);
  if (!(has_massless ? solve_massless (motions, pairs, error)
                     : solve (&problem, request, pairs, error)))
    return NULL;
  if (!has_massless)
    ifbam_eigenproblem_pair_overdamped (&problem, pairs);
  g_ptr_array_sort_with_data (pairs, compare_distances, (gpointer) request);
  if (request->count > 0 && pairs->len > request->count)
    g_ptr_array_set_size (pairs, (int) request->count);
  g_ptr_array_sort (pairs, compare_frequencies);
  modes = g_object_new (IFBAM_TYPE_MODES, NULL);
  modes->n_nodes = ifbam_model_n_named_free (model);
  modes->nodes = list_nodes (model);
  modes->nonlinear = ifbam_small_motions_list_nonlinear (motions);
  modes->held = motions->held_at_start;
  for (guint i = 0; i < pairs->len; i++)
    add_pair (modes, motions, pairs->pdata[i]);
  return g_steal_pointer (&modes);
}

/**
 * ifbam_modes_get_modes:
 * @modes: modes
 * @n_modes: (out): their number
 *
 * Returns the modes without their shapes.
 *
 * Returns: (transfer none) (array length=n_modes): the modes, by frequency
 */
const IfbamMode *
ifbam_modes_get_modes (IfbamModes *modes, gsize *n_modes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes), NULL);
  *n_modes = modes->modes->len;
  return (const IfbamMode *) (gpointer) modes->modes->data;
}

/**
 * ifbam_modes_get_bytes:
 * @modes: modes
 *
 * Returns the modes of ifbam_modes_get_modes() as an array of structures, without a copy: a
 * #IfbamMode has its kind in 4 bytes, 4 bytes of padding, and three doubles.
 *
 * Returns: (transfer full): the modes, independent of @modes
 */
GBytes *
ifbam_modes_get_bytes (IfbamModes *modes)
{
  G_STATIC_ASSERT (sizeof (IfbamMode) == 32 && G_STRUCT_OFFSET (IfbamMode, frequency) == 8);
  g_return_val_if_fail (IFBAM_IS_MODES (modes), NULL);
  return ifbam_object_bytes (modes, modes->modes->data, modes->modes->len * sizeof (IfbamMode));
}

/**
 * ifbam_modes_get_nodes:
 * @modes: modes
 *
 * Returns the nodes of the entries of a shape.
 *
 * Returns: (transfer none) (array zero-terminated=1): the free nodes' names, in the file's order
 */
const char *const *
ifbam_modes_get_nodes (IfbamModes *modes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes), NULL);
  return (const char *const *) modes->nodes;
}

/**
 * ifbam_modes_get_shape:
 * @modes: modes
 * @mode: index of a mode, from 0
 * @n_nodes: (out): number of entries
 *
 * Returns the shape of a mode.
 *
 * Returns: (transfer none) (array length=n_nodes): the displacement of every free node, the largest
 *   being 1; of a complex shape, its real part
 */
const double *
ifbam_modes_get_shape (IfbamModes *modes, gsize mode, gsize *n_nodes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes) && mode < modes->shapes->len, NULL);
  *n_nodes = modes->n_nodes;
  return modes->shapes->pdata[mode];
}

/**
 * ifbam_modes_get_shape_bytes:
 * @modes: modes
 * @mode: index of a mode, from 0
 *
 * Returns the shape of ifbam_modes_get_shape() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the displacements, independent of @modes
 */
GBytes *
ifbam_modes_get_shape_bytes (IfbamModes *modes, gsize mode)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes) && mode < modes->shapes->len, NULL);
  return ifbam_object_bytes (modes, modes->shapes->pdata[mode], modes->n_nodes * sizeof (double));
}

/**
 * ifbam_modes_get_imaginary_shape:
 * @modes: modes
 * @mode: index of a mode, from 0
 * @n_nodes: (out): number of entries; 0 if the shape is real
 *
 * Returns the imaginary part of a mode shape.
 *
 * Returns: (transfer none) (array length=n_nodes) (nullable): the imaginary part; %NULL if all
 *   nodes move in phase or in antiphase
 */
const double *
ifbam_modes_get_imaginary_shape (IfbamModes *modes, gsize mode, gsize *n_nodes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes) && mode < modes->imaginary->len, NULL);
  *n_nodes = modes->imaginary->pdata[mode] != NULL ? modes->n_nodes : 0;
  return modes->imaginary->pdata[mode];
}

/**
 * ifbam_modes_get_imaginary_shape_bytes:
 * @modes: modes
 * @mode: index of a mode, from 0
 *
 * Returns the shape of ifbam_modes_get_imaginary_shape() as an array of doubles, without a copy.
 *
 * Returns: (transfer full): the displacements, independent of @modes; no bytes if the shape is real
 */
GBytes *
ifbam_modes_get_imaginary_shape_bytes (IfbamModes *modes, gsize mode)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes) && mode < modes->imaginary->len, NULL);
  return ifbam_object_bytes (modes, modes->imaginary->pdata[mode],
                             (modes->imaginary->pdata[mode] != NULL ? modes->n_nodes : 0)
                                 * sizeof (double));
}

/**
 * ifbam_modes_list_nonlinear:
 * @modes: modes
 *
 * Lists nonlinear links, for which the modes are those of small motions only.
 *
 * Returns: (transfer full) (array zero-terminated=1): the names of the links; for a law with modes,
 *   with the mode at the start: "bumper (open)"
 */
char **
ifbam_modes_list_nonlinear (IfbamModes *modes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes), NULL);
  return g_strdupv (modes->nonlinear);
}

/**
 * ifbam_modes_get_held:
 * @modes: modes
 *
 * Tests for a mechanism with a start that is no equilibrium. Its modes are those with constant
 * forces that hold it there.
 *
 * Returns: whether it is so
 */
gboolean
ifbam_modes_get_held (IfbamModes *modes)
{
  g_return_val_if_fail (IFBAM_IS_MODES (modes), FALSE);
  return modes->held;
}
