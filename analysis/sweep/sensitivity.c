/* sensitivity.c: derivatives of eigenvalues by the numbers of a network
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "sweep/sensitivity.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "run/run.h"
#include "sweep/sweep-axis.h"

/* Largest number of coordinates: matrices of left vectors are dense. */
#define MAX_NODES 300
/* Relative change of a number for a difference: its error is of the order of the square. */
#define CHANGE 1e-4
/* Relative distance of eigenvalues that are equal. */
#define EQUAL 1e-8
/* Relative distance from an eigenvalue at which left vectors are solved for. */
#define BESIDE 1e-9
/* Redundant constraint rows: part of the diagonal that is added. */
#define REDUNDANT 1e-13
/* A number with less effect has none, but for rounding. */
#define VISIBLE 1e-9
/* A mode with a smaller damping ratio has none. */
#define UNDAMPED 1e-12

static void
sensitivity_clear (gpointer data)
{
  IfbamSensitivity *own = data;

  g_free (own->name);
  g_free (own->frequency);
  g_free (own->damping_ratio);
}

/* M, C, K and J over the nodes at one state of the network. */
typedef struct
{
  IfbamModel *model;
  IfbamRunSpec spec;
  IfbamSmallMotions *motions;
} Pencil;

static void
pencil_clear (Pencil *pencil)
{
  ifbam_small_motions_free (pencil->motions);
  ifbam_run_spec_clear (&pencil->spec);
  g_clear_pointer (&pencil->model, ifbam_model_free);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Pencil, pencil_clear)

static gboolean
pencil_init (Pencil *pencil, IfbamNetwork *network, GError **error)
{
  *pencil = (Pencil){ 0 };
  pencil->model = ifbam_network_compile_or_error (network, FALSE, &pencil->spec, NULL, error);
  if (pencil->model != NULL)
    pencil->motions = ifbam_small_motions_new_within (pencil->model, &pencil->spec, 0, error);
  return pencil->motions != NULL;
}

/* Vectors of a mode over the nodes. */
typedef struct
{
  double complex s;
  double *right[2], *left[2]; /* real and imaginary parts (n_free) */
} Vectors;

static void
vectors_clear (gpointer data)
{
  Vectors *vectors = data;

  for (guint part = 0; part < 2; part++)
    {
      g_free (vectors->right[part]);
      g_free (vectors->left[part]);
    }
}

typedef struct
{
  IfbamNetwork *network;
  Pencil pencil;
  GArray *vectors; /* Vectors, by mode */
  IfbamSensitivities *result;
} Work;

static void
work_clear (Work *work)
{
  g_clear_object (&work->network);
  pencil_clear (&work->pencil);
  g_array_unref (work->vectors);
  ifbam_sensitivities_free (work->result);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static const Vectors *
vectors_of (const Work *work, guint mode)
{
  return &g_array_index (work->vectors, Vectors, mode);
}

/* Forms */

/* Returns y^T C x with gyrations (damping), or y^T K x with circulations. */
static double complex
form_of (const Pencil *pencil, gboolean damping, double *const *y, double *const *x)
{
  const IfbamSmallMotions *motions = pencil->motions;
  const double *slope = damping ? motions->damping : motions->stiffness;
  const GArray *across = damping ? motions->gyrations : motions->circulations;
  double complex sum = 0;

  for (guint k = 0; k < 2; k++)
    for (guint l = 0; l < 2; l++)
      sum += (k + l == 2   ? -1
              : k + l == 1 ? I
                           : 1)
             * (ifbam_small_motions_form (motions, slope, y[k], x[l])
                + ifbam_small_motions_gyration (motions, across, y[k], x[l]));
  return sum;
}

static double complex
inertia_form (const Pencil *pencil, double *const *y, double *const *x)
{
  double complex sum = 0;

  for (gsize i = 0; i < pencil->model->n_free; i++)
    if (!ifbam_model_is_junction (pencil->model, i))
      sum += ifbam_model_inertia (pencil->model, i) * (y[0][i] + I * y[1][i])
             * (x[0][i] + I * x[1][i]);
  return sum;
}

/* Returns y^T (s^2 M + s C + K) x. */
static double complex
whole_form (const Pencil *pencil, double complex s, double *const *y, double *const *x)
{
  return s * s * inertia_form (pencil, y, x) + s * form_of (pencil, TRUE, y, x)
         + form_of (pencil, FALSE, y, x);
}

/* Adds factor * J^T w to x for one constraint, and returns J x before. */
static double complex
add_row (const Pencil *pencil, guint relation, double complex factor, double *const *x)
{
  const IfbamConstraintRow *row =
      &g_array_index (pencil->motions->relations, IfbamConstraintRow, relation);
  double complex sum = 0;

  for (guint e = 0; e < row->n_ports; e++)
    if (row->node[e] < pencil->model->n_free)
      {
        sum += row->row[e] * (x[0][row->node[e]] + I * x[1][row->node[e]]);
        x[0][row->node[e]] += creal (factor) * row->row[e];
        x[1][row->node[e]] += cimag (factor) * row->row[e];
      }
  return sum;
}

/* Projects a vector onto J x = 0 of a pencil: x - J^T (J J^T)^-1 J x. */
static void
project (const Pencil *pencil, double *const *x)
{
  const gsize m = pencil->motions->relations->len;
  const gsize size = (pencil->model->n_free + 1) * sizeof (double);
  g_autofree double *unit = g_malloc0 (size), *none = g_malloc0 (size);
  double *const column[] = { unit, none };
  g_autofree double complex *matrix = g_new (double complex, m *m + 1);
  g_autofree double complex *lambda = g_new (double complex, m + 1);
  double largest = 0;

  if (m == 0)
    return;
  for (guint j = 0; j < m; j++)
    {
      lambda[j] = add_row (pencil, j, 0, x);
      add_row (pencil, j, 1, column);
      for (guint i = 0; i < m; i++)
        matrix[j * m + i] = add_row (pencil, i, 0, column);
      add_row (pencil, j, -1, column);
      largest = fmax (largest, creal (matrix[j * m + j]));
    }
  for (guint j = 0; j < m; j++)
    matrix[j * m + j] += REDUNDANT * largest;
  if (ifbam_solve_complex (m, matrix, lambda))
    for (guint j = 0; j < m; j++)
      add_row (pencil, j, -lambda[j], x);
}

/* Vectors */

/* Returns s^2 M + s C + K over the coordinates, or its transpose (n)(n). */
static double complex *
dense_matrix (const IfbamSmallMotions *motions, double complex s, gboolean transposed,
              GError **error)
{
  const gsize n = motions->n;
  g_autoptr (IfbamSparse) stiffness =
      ifbam_small_motions_matrix (motions, motions->stiffness, error);
  g_autoptr (IfbamSparse) damping =
      stiffness == NULL ? NULL : ifbam_small_motions_matrix (motions, motions->damping, error);
  const IfbamSparse *part[] = { stiffness, damping };
  double complex *matrix;

  if (damping == NULL)
    return NULL;
  matrix = g_new0 (double complex, n *n + 1);
  for (guint k = 0; k < 2; k++)
    for (gsize j = 0; j < n; j++)
      for (gint32 e = part[k]->start[j]; e < part[k]->start[j + 1]; e++)
        {
          const gsize i = (gsize) part[k]->row[e];

          matrix[transposed ? i * n + j : j * n + i] += (k == 0 ? 1 : s) * part[k]->value[e];
        }
  for (gsize i = 0; i < n; i++)
    matrix[i * n + i] += s * s * motions->inertia[i];
  return matrix;
}

/* Finds a null vector of s^2 M + s C + K, or of its transpose, by inverse iteration (Wielandt
 * 1944), over the nodes. start: of equal eigenvalues each has another one. */
static gboolean
find_vector (const IfbamSmallMotions *motions, double complex s, gboolean transposed, guint start,
             double **x, GError **error)
{
  const gsize n = motions->n, n_free = motions->model->n_free;
  g_autofree double complex *matrix = dense_matrix (motions, s * (1 + BESIDE), transposed, error);
  g_autofree double complex *z = g_new (double complex, n + 1);
  g_autofree double *part = g_new (double, n + 1);

  if (matrix == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    z[i] = 1 + (double) ((i + 1) * (start + 2) * 7919 % 101) / 101;
  for (guint turn = 0; turn < 3; turn++)
    {
      g_autofree double complex *factors = g_memdup2 (matrix, n * n * sizeof *matrix);
      double largest = 0;

      if (!ifbam_solve_complex (n, factors, z))
        return ifbam_fail (error, IFBAM_ERROR_NETWORK, "the modes' vectors can't be computed");
      for (gsize i = 0; i < n; i++)
        largest = fmax (largest, cabs (z[i]));
      for (gsize i = 0; i < n; i++)
        z[i] /= largest;
    }
  for (guint k = 0; k < 2; k++)
    {
      x[k] = g_new0 (double, n_free + 1);
      for (gsize i = 0; i < n; i++)
        part[i] = k == 0 ? creal (z[i]) : cimag (z[i]);
      for (gsize i = 0; i < n_free; i++)
        x[k][i] = ifbam_small_motions_node (motions, i, part);
    }
  return TRUE;
}

/* Returns the number of modes from one on with an equal eigenvalue. */
static guint
cluster_of (const Work *work, guint first)
{
  guint n = 1;

  while (first + n < work->vectors->len
         && cabs (vectors_of (work, first + n)->s - vectors_of (work, first)->s)
                <= EQUAL * cabs (vectors_of (work, first)->s))
    n++;
  return n;
}

static gboolean
find_vectors (Work *work, const IfbamSmallMotions *motions, GError **error)
{
  const gboolean even = motions->gyrations->len == 0 && motions->circulations->len == 0;

  for (guint i = 0; i < work->vectors->len; i++)
    {
      Vectors *own = &g_array_index (work->vectors, Vectors, i);
      const gsize size = (work->pencil.model->n_free + 1) * sizeof (double);

      if (!find_vector (motions, own->s, FALSE, i, own->right, error)
          || (!even && !find_vector (motions, own->s, TRUE, i, own->left, error)))
        return FALSE;
      for (guint k = 0; k < 2 && even; k++)
        own->left[k] = g_memdup2 (own->right[k], size);
    }
  return TRUE;
}

/* Finds the modes that oscillate, with their vectors. */
static gboolean
find_modes (Work *work, guint count, GError **error)
{
  IfbamModesRequest request = { 0 };
  const IfbamModel *model = work->pencil.model;
  g_autoptr (IfbamModes) modes =
      ifbam_modes_new_for_model (model, &work->pencil.spec, &request, error);
  g_autoptr (IfbamSmallMotions) motions = NULL;
  const IfbamMode *list;
  gsize n;

  if (modes == NULL)
    return FALSE;
  motions = model->n_junctions > 0
                ? ifbam_small_motions_new_with_massless (model, &work->pencil.spec, error)
                : ifbam_small_motions_new (model, &work->pencil.spec, error);
  if (motions == NULL)
    return FALSE;
  list = ifbam_modes_get_modes (modes, &n);
  work->result->modes = g_new (IfbamMode, n + 1);
  for (gsize i = 0; i < n; i++)
    if (list[i].frequency > 0 && (count == 0 || work->vectors->len < count))
      {
        const Vectors own = { .s = -list[i].decay_rate + I * (2 * G_PI * list[i].frequency) };

        work->result->modes[work->vectors->len] = list[i];
        g_array_append_val (work->vectors, own);
      }
  work->result->n_modes = work->vectors->len;
  return find_vectors (work, motions, error);
}

/* Derivatives */

/* Computes the changes of a cluster's equal eigenvalues per relative change of the number, from the
 * pencils at the number times 1 - CHANGE and 1 + CHANGE. */
static gboolean
differentiate (const Work *work, const Pencil *side, guint first, guint n, double complex *change)
{
  const gsize size = (work->pencil.model->n_free + 1) * sizeof (double);
  const double complex s = vectors_of (work, first)->s;
  g_autofree double complex *form = g_new0 (double complex, n *n + 1);
  g_autofree double complex *scale = g_new0 (double complex, n *n + 1);

  for (guint i = 0; i < n; i++)
    for (guint j = 0; j < n; j++)
      {
        const Vectors *y = vectors_of (work, first + i), *x = vectors_of (work, first + j);

        scale[j * n + i] = 2 * s * inertia_form (&work->pencil, y->left, x->right)
                           + form_of (&work->pencil, TRUE, y->left, x->right);
        for (guint k = 0; k < 2; k++)
          {
            g_autofree double *copy = g_malloc (4 * size);
            double *const part[] = { copy, copy + size / sizeof (double),
                                     copy + 2 * size / sizeof (double),
                                     copy + 3 * size / sizeof (double) };

            for (guint e = 0; e < 4; e++)
              memcpy (part[e], e < 2 ? y->left[e] : x->right[e - 2], size);
            project (&side[k], part);
            project (&side[k], part + 2);
            form[j * n + i] -=
                (k == 0 ? -1 : 1) / (2 * CHANGE) * whole_form (&side[k], s, part, part + 2);
          }
      }
  return ifbam_eigenvalues_complex (n, form, scale, change);
}

/* The first parameter of a free node is its inertia. */
static IfbamSensitiveKind
kind_of (const IfbamElement *element, const IfbamParam *param)
{
  return element->info->kind == IFBAM_KIND_FREE_NODE && param == element->info->params
             ? IFBAM_SENSITIVE_INERTIA
         : g_str_equal (param->key, "stiffness") ? IFBAM_SENSITIVE_STIFFNESS
                                                 : IFBAM_SENSITIVE_OTHER;
}

/* Adds a number if it changes a mode. */
static gboolean
add_number (Work *work, const IfbamElement *element, const IfbamParam *param, const Pencil *side,
            GError **error)
{
  const guint n = work->result->n_modes;
  g_autofree double complex *change = g_new0 (double complex, n + 1);
  IfbamSensitivity own = { g_strdup_printf ("%s.%s", element->name, param->key),
                           kind_of (element, param), *ifbam_element_value (element, param),
                           g_new0 (double, n + 1), g_new0 (double, n + 1) };
  gboolean visible = FALSE;

  for (guint i = 0; i < n; i += cluster_of (work, i))
    if (!differentiate (work, side, i, cluster_of (work, i), change + i))
      return ifbam_fail (error, IFBAM_ERROR_NETWORK, "%s: the derivatives can't be computed",
                         own.name);
  for (guint i = 0; i < n; i++)
    {
      const double complex s = vectors_of (work, i)->s;
      const double ratio = work->result->modes[i].damping_ratio;
      /* -Re s / |s| changes by -(Re s' |s| - Re s |s|') / |s|^2, with |s|' = Re (conj (s) s') / |s| */
      const double size = creal (conj (s) * change[i]) / cabs (s);

      own.frequency[i] = cimag (change[i]) / cimag (s);
      own.damping_ratio[i] =
          fabs (ratio) <= UNDAMPED
              ? NAN
              : -(creal (change[i]) * cabs (s) - creal (s) * size) / (cabs (s) * cabs (s)) / ratio;
      visible |= fabs (own.frequency[i]) > VISIBLE || fabs (own.damping_ratio[i]) > VISIBLE;
    }
  if (visible)
    g_array_append_val (work->result->numbers, own);
  else
    sensitivity_clear (&own);
  return TRUE;
}

/* Makes the pencils beside a number's value; FALSE: the number can't change, or *error. */
static gboolean
make_sides (const Work *work, IfbamElement *element, const IfbamParam *param, Pencil *side,
            GError **error)
{
  const IfbamTarget target = { g_intern_string (element->name), NULL, param->key };
  const double value = *ifbam_element_value (element, param);
  gboolean made = TRUE;

  for (guint k = 0; k < 2 && made; k++)
    {
      g_autofree char *reason = NULL;

      made =
          ifbam_target_check (&target, element, value * (1 + (k == 0 ? -CHANGE : CHANGE)), &reason)
          && pencil_init (&side[k], work->network, error);
    }
  *ifbam_element_value (element, param) = value;
  ifbam_element_count_change (element);
  return made;
}

/* Differentiates by each number of an element that is not 0. */
static gboolean
add_element (Work *work, IfbamElement *element, GError **error)
{
  for (guint i = 0; i < element->info->n_params; i++)
    {
      const IfbamParam *param = &element->info->params[i];
      g_auto (Pencil) lower = { 0 }, upper = { 0 };
      Pencil side[2] = { { 0 } };
      gboolean fine;

      if (param->kind != IFBAM_PARAM_NUMBER || *ifbam_element_value (element, param) == 0
          || !isfinite (*ifbam_element_value (element, param)))
        continue;
      fine = make_sides (work, element, param, side, error);
      lower = side[0];
      upper = side[1];
      if (fine && !add_number (work, element, param, side, error))
        return FALSE;
      g_clear_error (error);
    }
  return TRUE;
}

/* Adds the numbers' sums of an undamped network. */
static void
add_sums (IfbamSensitivities *result)
{
  for (guint m = 0; m < result->n_modes; m++)
    if (fabs (result->modes[m].damping_ratio) > UNDAMPED)
      return;
  result->sums = g_new0 (double, 2 * result->n_modes + 1);
  for (guint i = 0; i < result->numbers->len; i++)
    {
      const IfbamSensitivity *own = &g_array_index (result->numbers, IfbamSensitivity, i);

      for (guint m = 0; m < result->n_modes && own->kind != IFBAM_SENSITIVE_OTHER; m++)
        result->sums[2 * m + own->kind - 1] += own->frequency[m];
    }
}

static double
strength (const IfbamSensitivity *own, guint n_modes)
{
  double most = 0;

  for (guint i = 0; i < n_modes; i++)
    most = fmax (most, fmax (fabs (own->frequency[i]), fabs (own->damping_ratio[i])));
  return most;
}

static int
compare_strength (gconstpointer a, gconstpointer b, gpointer data)
{
  const guint n_modes = *(const guint *) data;
  const double one = strength (a, n_modes), other = strength (b, n_modes);

  return one > other ? -1 : one < other;
}

IfbamSensitivities *
ifbam_sensitivities_new (const IfbamNetworkBytes *bytes, const char *const *settings, guint count,
                         IfbamResponseProgress progress, gpointer data, GError **error)
{
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  g_auto (Work) work = { .network = ifbam_network_new_from_bytes (bytes, settings, error),
                         .vectors = g_array_new (FALSE, FALSE, sizeof (Vectors)),
                         .result = g_new0 (IfbamSensitivities, 1) };

  g_array_set_clear_func (work.vectors, vectors_clear);
  work.result->numbers = g_array_new (FALSE, FALSE, sizeof (IfbamSensitivity));
  g_array_set_clear_func (work.result->numbers, sensitivity_clear);
  if (work.network == NULL || !pencil_init (&work.pencil, work.network, error))
    return NULL;
  if (work.pencil.model->n_free > MAX_NODES)
    return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                            "sensitivities of %zu nodes: at most %d are possible",
                            work.pencil.model->n_free, MAX_NODES);
  if (!find_modes (&work, count, error))
    return NULL;
  for (guint i = 0; i < work.network->elements->len; i++)
    {
      if (progress != NULL && !progress (data, (double) i / work.network->elements->len))
        return ifbam_fail_null (error, IFBAM_ERROR_INTERRUPTED, "interrupted: nothing is written");
      if (!add_element (&work, work.network->elements->pdata[i], error))
        return NULL;
    }
  g_array_sort_with_data (work.result->numbers, compare_strength, &work.result->n_modes);
  add_sums (work.result);
  return g_steal_pointer (&work.result);
}

void
ifbam_sensitivities_free (IfbamSensitivities *sensitivities)
{
  if (sensitivities == NULL)
    return;
  g_free (sensitivities->modes);
  g_free (sensitivities->sums);
  g_array_unref (sensitivities->numbers);
  g_free (sensitivities);
}
