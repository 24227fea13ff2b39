/* stability.c: growth rates of a network's modes under the schemes, and the longest stable steps
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/stability.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "linear/critical-step.h"
#include "linear/eigenvalues.h"
#include "linear/massless-modes.h"
#include "event/event.h"
#include "base/fail.h"
#include "linear/scheme-growth.h"

/* Largest sizes of dense matrices: nodes of a network, length of a state. */
#define MAX_DENSE_NODES 400
#define MAX_DENSE_STATE 320
/* For quick answers, within milliseconds. */
#define QUICK_DENSE_NODES 60
#define QUICK_DENSE_STATE 120
/* Largest number of nodes for the matrix polynomial, with up to four times as many rows. */
#define MAX_MATRIX_NODES   100
#define QUICK_MATRIX_NODES 60
/* Limits for ARPACK, which keeps 30 vectors of a state. */
#define MAX_STATE 5000
#define MAX_NODES 1000000
/* Limits of work: products of a matrix and a vector times their length; steps times nodes. */
#define MAX_PRODUCTS   2e7
#define MAX_STEPS      2e9
#define POWER_STEPS    5e8
#define QUICK_PRODUCTS 2e6
#define QUICK_STEPS    5e7
/* Limit of states with matrices: their number times the cube of the coordinates. */
#define MAX_STATES   2e8
#define QUICK_STATES 2e6
/* Growth per step by rounding. */
#define NOISE           1e-12
#define NONLINEAR_NOISE 1e-11
/* If growth begins at a step, it is more than this multiple of the rounding at twice the step. */
#define VISIBLE 1e3
/* Fraction of a step at which its growth can't be seen any more. */
#define SHORTER_RATIO 0.01
/* Growth that overflows, or is not found. */
#define MAX_EXCESS 1e3
/* Largest distance from 1 of the multiplier of a neutral coordinate. */
#define NEUTRAL 1e-6
/* A row is redundant if this fraction of its square, or less, is independent of others. */
#define DEPENDENT 1e-18
/* A mode that loses less of its amplitude per radian is undamped. */
#define UNDAMPED 1e-11

struct _IfbamMultipliers
{
  const IfbamScheme *scheme;
  double step;
  double complex *value; /* NULL: overflow */
  gsize n;
  gboolean unsolved; /* NULL, as a step has no solution */
};

/* Finite difference for a row's rotation, relative to the coordinates. */
#define ROTATION_DIFFERENCE 1e-6

/* The network */

/* Computes the largest row sums of M^-1 K and M^-1 C. */
static void
find_bounds (const IfbamLinearization *linearization, double *bound, double *damping)
{
  const IfbamModel *model = linearization->model;
  g_autofree double *row = g_new0 (double, model->n_free + 1);
  g_autofree double *damping_row = g_new0 (double, model->n_free + 1);
  double largest = 0, largest_damping = 0;

  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_STORED); ifbam_link_iter_next (&at);)
    {
      const guint32 *end = at.link->node;
      const double across[2] = { 1, fabs (ifbam_link_ratio (at.link)) };
      const double k = fabs (linearization->stiffness[at.slot]);
      const double c = fabs (linearization->damping[at.slot]);

      for (guint e = 0; e < 2; e++)
        if (end[e] < model->n_free)
          {
            const double sum =
                across[e] * (across[e] + (end[1 - e] < model->n_free ? across[1 - e] : 0));

            row[end[e]] += k * sum * model->inverse_inertia[end[e]];
            damping_row[end[e]] += c * sum * model->inverse_inertia[end[e]];
          }
    }
  for (gsize i = 0; i < model->n_free; i++)
    {
      largest = fmax (largest, row[i]);
      largest_damping = fmax (largest_damping, damping_row[i]);
    }
  *bound = sqrt (largest);
  *damping = largest_damping;
}

/* Returns the angular rate of a link between points [1/s], which needs as short a step. */
static double
turning_rate (const IfbamModel *model, const IfbamLink *link, const double *position,
              const double *rate)
{
  double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], row[2][IFBAM_MAX_PORTS], delta;
  double size = 1e-3, speed = 0, reach, turned = 0, whole = 0;

  if (link->geometry->straight || !ifbam_link_is_of_mechanism (link))
    return 0;
  for (guint e = 0; e < link->n_ports; e++)
    {
      size = fmax (size, fabs (position[link->node[e]]));
      speed = fmax (speed, fabs (rate[link->node[e]]));
    }
  if (speed == 0)
    return 0;
  reach = ROTATION_DIFFERENCE * size / speed;
  for (guint side = 0; side < 2; side++)
    {
      for (guint e = 0; e < link->n_ports; e++)
        {
          v[e] = rate[link->node[e]];
          x[e] = position[link->node[e]] + (side == 0 ? -reach : reach) * v[e];
        }
      link->geometry->measure (link->shape, x, v, &delta, row[side]);
    }
  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      {
        const double by = row[1][e] - row[0][e], own = row[1][e] + row[0][e];

        turned += by * by * model->inverse_inertia[link->node[e]];
        whole += own * own * model->inverse_inertia[link->node[e]];
      }
  return whole > 0 ? sqrt (turned / whole) / reach : 0;
}

static double
inverse_mass_along (const IfbamModel *model, const IfbamLink *link, const double *row)
{
  double sum = 0;

  for (guint e = 0; e < link->n_ports; e++)
    if (link->node[e] < model->n_free)
      sum += row[e] * row[e] * model->inverse_inertia[link->node[e]];
  return sum;
}

/* Adds a link to the bounds' squares: in its mode, and in all modes with a linear law. */
static void
add_single (const IfbamModel *model, const IfbamLink *link, const double *position,
            const double *rate, double *stiffness, double *damping)
{
  const double turning = turning_rate (model, link, position, rate);
  double delta, speed, row[IFBAM_MAX_PORTS], inertia, room[IFBAM_MAX_LAW];
  const void *numbers = ifbam_link_parameters_at (link, position, rate, IFBAM_ANY_MODE, room);
  int now;

  *stiffness = fmax (*stiffness, turning * turning);
  if (link->law->force == NULL)
    return;
  speed = ifbam_link_measure (link, position, rate, &delta, row);
  now = link->law->mode (numbers, delta, speed);
  inertia = inverse_mass_along (model, link, row);
  if (link->geometry->force_direction != NULL)
    {
      double x[IFBAM_MAX_PORTS], v[IFBAM_MAX_PORTS], measured_row[IFBAM_MAX_PORTS];

      ifbam_link_read_ports (link, position, x);
      ifbam_link_read_ports (link, rate, v);
      link->geometry->measure (link->shape, x, v, &delta, measured_row);
      inertia = sqrt (inertia * inverse_mass_along (model, link, measured_row));
    }
  /* the number of unnamed modes is not known: only the present one counts */
  for (int mode = link->law->modes != NULL ? 0 : now;
       link->law->modes != NULL ? link->law->modes[mode] != NULL : mode == now; mode++)
    {
      const IfbamForceDerivatives own =
          ifbam_link_differentiate (link, numbers, mode, delta, speed);

      if (own.nonlinear != 0 && mode != now)
        continue;
      *stiffness = fmax (*stiffness, 2 * fabs (own.stiffness) * inertia);
      *damping = fmax (*damping, 2 * fabs (own.damping) * inertia);
    }
}

gboolean
ifbam_stability_bounds_at (const IfbamModel *model, const double *position, const double *rate,
                           double *bound, double *damping)
{
  g_autoptr (IfbamLinearization) linearization = NULL;
  double stiffest = 0, strongest = 0;

  for (gsize i = 0; i < model->n_free; i++)
    if (!isfinite (position[i]) || !isfinite (rate[i]))
      return FALSE;
  linearization = ifbam_linearization_new (model, NULL, position, rate);
  if (linearization->first_not_finite < model->n_links)
    return FALSE;
  find_bounds (linearization, bound, damping);
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    add_single (model, link, position, rate, &stiffest, &strongest);
  *bound = sqrt (*bound * *bound + stiffest);
  *damping += strongest;
  return isfinite (*bound) && isfinite (*damping);
}

/* Operator M^-1/2 S M^-1/2 for derivatives S of K or C. */
typedef struct
{
  const IfbamStability *stability;
  const double *slope;
  double *x, *y; /* of all nodes */
} Symmetric;

static void
symmetric_init (Symmetric *symmetric, const IfbamStability *stability, const double *slope)
{
  symmetric->stability = stability;
  symmetric->slope = slope;
  symmetric->x = g_new (double, stability->model->n_nodes + 1);
  symmetric->y = g_new (double, stability->model->n_nodes + 1);
}

static void
symmetric_clear (Symmetric *symmetric)
{
  g_free (symmetric->x);
  g_free (symmetric->y);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Symmetric, symmetric_clear)

static void
symmetric_multiply (gpointer data, const double *x, double *y)
{
  const Symmetric *own = data;
  const IfbamModel *model = own->stability->model;

  memset (own->x, 0, model->n_nodes * sizeof *own->x);
  memset (own->y, 0, model->n_nodes * sizeof *own->y);
  for (gsize i = 0; i < model->n_free; i++)
    own->x[i] = x[i] * sqrt (model->inverse_inertia[i]);
  ifbam_linearization_multiply (own->stability->linearization, own->slope, own->x, own->y);
  for (gsize i = 0; i < model->n_free; i++)
    y[i] = own->y[i] * sqrt (model->inverse_inertia[i]);
}

static double *
symmetric_matrix (const IfbamStability *self, const double *slope)
{
  const gsize n = self->model->n_free;
  g_auto (Symmetric) symmetric = { 0 };
  g_autofree double *unit = g_new0 (double, n + 1);
  double *matrix = g_new (double, n *n + 1);

  symmetric_init (&symmetric, self, slope);
  for (gsize j = 0; j < n; j++)
    {
      unit[j] = 1;
      symmetric_multiply (&symmetric, unit, matrix + j * n);
      unit[j] = 0;
    }
  return matrix;
}

static int
compare_sizes (const void *a, const void *b)
{
  const double one = cabs (*(const double complex *) a), other = cabs (*(const double complex *) b);

  return one < other ? -1 : one > other;
}

/* Sorts eigenvalues by magnitude, keeps one of two conjugates, and omits the first `zeros`. */
static void
keep_modes (IfbamStability *self, double complex *value, gsize n, gsize zeros)
{
  qsort (value, n, sizeof *value, compare_sizes);
  self->mode = g_new (double complex, n + 1);
  self->least_decay = INFINITY;
  for (gsize i = zeros; i < n; i++)
    if (cimag (value[i]) >= 0)
      {
        self->mode[self->n_modes++] = value[i];
        /* gyroscopic modes may be faster than those of springs alone */
        self->fastest = fmax (self->fastest, cimag (value[i]));
        self->least_decay = fmin (self->least_decay, -creal (value[i]) / cabs (value[i]));
        if (creal (value[i]) > UNDAMPED * cabs (value[i]))
          self->own_growth = fmax (self->own_growth, creal (value[i]));
      }
}

static void
keep_extremes (IfbamStability *self, gsize n, const double *squares)
{
  self->fastest = sqrt (fmax (0, squares[n - 1]));
  self->slowest = self->fastest;
  for (gsize i = 0; i < n; i++)
    if (squares[i] > 1e-14 * squares[n - 1])
      {
        self->slowest = sqrt (squares[i]);
        break;
      }
}

/* Returns the number of state nodes, which follow the motions. */
static gsize
n_followers (const IfbamStability *self)
{
  return self->mechanism != NULL || self->is_state ? 0 : self->model->n_state_nodes;
}

/* x'' + K x = 0: exp (lambda t) with lambda^2 = -kappa. */
static void
find_undamped_modes (IfbamStability *self, const double *squares)
{
  const gsize n = self->n;
  g_autofree double complex *value = g_new (double complex, 2 * n + 1);

  for (gsize i = 0; i < n; i++)
    {
      value[2 * i] = squares[i] < 0 ? sqrt (-squares[i]) : I * sqrt (squares[i]);
      value[2 * i + 1] = -value[2 * i];
    }
  keep_modes (self, value, 2 * n, 2 * (self->n_bodies + self->n_neutral + n_followers (self)));
}

/* Replaces A by P A P with the projection P without rigid motions, in u = M^1/2 x. */
static void
project_matrix (const IfbamStability *self, double *matrix)
{
  const IfbamModel *model = self->model;
  const IfbamRigidBodies *bodies = self->bodies;
  const gsize n = model->n_free;
  g_autofree double *part = g_new (double, bodies->n + 1);

  for (guint side = 0; side < 2 && bodies->n > 0; side++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize along = side == 0 ? 1 : n, across = side == 0 ? n : 1;
        double *line = matrix + j * across;

        memset (part, 0, bodies->n * sizeof *part);
        for (gsize i = 0; i < n; i++)
          if (bodies->body[i] < bodies->n)
            part[bodies->body[i]] +=
                bodies->shape[i] / sqrt (model->inverse_inertia[i]) * line[i * along];
        for (gsize i = 0; i < n; i++)
          if (bodies->body[i] < bodies->n)
            line[i * along] -= bodies->shape[i] / sqrt (model->inverse_inertia[i])
                               * (part[bodies->body[i]] / bodies->weight[bodies->body[i]]);
      }
}

/* Returns the unit matrix without rigid motions. */
static double *
identity_matrix (const IfbamStability *self)
{
  const gsize n = self->n;
  double *identity = g_new0 (double, n *n + 1);

  for (gsize i = 0; i < n; i++)
    identity[i * n + i] = ifbam_model_is_state_node (self->model, i) ? 0 : 1;
  project_matrix (self, identity);
  return identity;
}

/* Solves the quadratic eigenproblem as a linear one of twice the size (Tisseur & Meerbergen 2001,
 * SIAM Review 43), in units of the fastest mode. */
static void
find_damped_modes (IfbamStability *self, const double *stiffness)
{
  const gsize n = self->n;
  const double unit = fmax (self->bound, self->damping);
  const double *damping = self->damping_matrix, *identity = self->identity;
  g_autofree double *matrix = g_new0 (double, 4 * n * n + 1);
  g_autofree double complex *value = g_new (double complex, 2 * n + 1);

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      {
        matrix[j * 2 * n + n + i] = -stiffness[j * n + i] / (unit * unit);
        matrix[(n + j) * 2 * n + i] = identity[j * n + i];
        matrix[(n + j) * 2 * n + n + i] = -damping[j * n + i] / unit;
      }
  if (!ifbam_eigenvalues_general (2 * n, matrix, value))
    return;
  for (gsize i = 0; i < 2 * n; i++)
    value[i] *= unit;
  keep_modes (self, value, 2 * n, 2 * (self->n_bodies + n_followers (self)) + self->n_neutral);
}

/* Finds the fastest mode only; the bound remains if this fails. */
static void
find_fastest (IfbamStability *self)
{
  const double products = (self->quick ? QUICK_PRODUCTS : MAX_PRODUCTS)
                          / (double) (self->model->n_free + self->model->n_links);
  g_auto (Symmetric) symmetric = { 0 };
  double square;

  self->fastest = self->bound;
  self->fastest_is_bound = TRUE;
  if (self->model->n_free > MAX_NODES || products < 50)
    return;
  symmetric_init (&symmetric, self, self->linearization->stiffness);
  if (ifbam_eigenvalue_extreme (self->model->n_free, symmetric_multiply, &symmetric, TRUE, 1e-12,
                                (guint) fmin (products, 1e5), &square))
    {
      self->fastest = sqrt (fmax (0, square));
      self->fastest_is_bound = FALSE;
    }
}

/* Computes magnitudes of the eigenvalues of an unsymmetric matrix (overwritten). */
static gboolean
find_sizes (gsize n, double *matrix, double *sizes)
{
  g_autofree double complex *value = g_new (double complex, n + 1);

  if (!ifbam_eigenvalues_general (n, matrix, value))
    return FALSE;
  qsort (value, n, sizeof *value, compare_sizes);
  for (gsize i = 0; i < n; i++)
    sizes[i] = cabs (value[i]);
  return TRUE;
}

static void
find_modes (IfbamStability *self)
{
  const gsize n = self->n;
  const gboolean even = self->mechanism == NULL || self->mechanism->motions->circulations->len == 0;
  const double *matrix = self->stiffness_matrix;
  g_autofree double *copy = g_memdup2 (matrix, n * n * sizeof *matrix);
  g_autofree double *squares = g_new (double, n);

  if (!(even ? ifbam_eigenvalues_symmetric (n, copy, squares) : find_sizes (n, copy, squares)))
    {
      if (self->mechanism == NULL)
        find_fastest (self);
      return;
    }
  self->fastest_is_bound = FALSE;
  keep_extremes (self, n, squares);
  if (!self->has_damping)
    find_undamped_modes (self, squares);
  else if (2 * n <= (self->quick ? QUICK_DENSE_STATE : MAX_DENSE_STATE))
    {
      if (self->mechanism == NULL)
        {
          self->damping_matrix = symmetric_matrix (self, self->linearization->damping);
          self->identity = identity_matrix (self);
        }
      find_damped_modes (self, matrix);
    }
}

/* Takes bounds and matrices from a mechanism; computes its modes if it is small. */
static void
find_mechanism (IfbamStability *self)
{
  IfbamMechanism *mechanism = self->mechanism;
  const gsize most = self->quick ? QUICK_DENSE_NODES : MAX_DENSE_NODES;
  g_auto (GStrv) nonlinear = ifbam_small_motions_list_nonlinear (mechanism->motions);

  self->has_damping = mechanism->motions->has_damping;
  self->n_nonlinear = g_strv_length (nonlinear);
  self->bound = self->fastest = mechanism->bound;
  self->fastest_is_bound = mechanism->bound > 0;
  self->damping = mechanism->damping;
  self->n_bodies = mechanism->n_bodies;
  self->n_neutral = mechanism->n_neutral;
  self->method = IFBAM_STABILITY_POLYNOMIAL;
  /* States of the start are part of the mechanism, unless its equilibrium is in other modes. */
  for (guint i = self->active_modes->len; i-- > 0;)
    {
      IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->from_start && one->n_changes > 0
          && one->mode != mechanism->motions->mode[one->change[0].number])
        one->from_start = one->persists = FALSE;
      else if (one->from_start)
        g_array_remove_index (self->active_modes, i);
    }
  if (mechanism->stiffness == NULL || mechanism->n > most)
    return;
  self->n = mechanism->n;
  if (self->n == 0)
    {
      self->mode = g_new0 (double complex, 1);
      return;
    }
  self->stiffness_matrix = g_steal_pointer (&mechanism->stiffness);
  if (self->n <= (self->quick ? QUICK_MATRIX_NODES : MAX_MATRIX_NODES))
    {
      self->damping_matrix = g_steal_pointer (&mechanism->damping_matrix);
      self->identity = g_steal_pointer (&mechanism->identity);
      self->method = IFBAM_STABILITY_MAP;
    }
  find_modes (self);
}

/* Discrete states */

/* Returns a link's row in coordinates of unit inertia (transfer full) (n). */
static double *
row_of_coordinates (const IfbamStability *self, const IfbamModeChange *change)
{
  const IfbamModel *model = self->model;
  const IfbamSmallMotions *motions = self->mechanism != NULL ? self->mechanism->motions : NULL;
  double *row = g_new0 (double, self->n + 1);
  g_autofree double *unit = g_new0 (double, self->n + 1);

  for (guint e = 0; e < change->link->n_ports; e++)
    {
      const guint32 node = change->link->node[e];

      if (node >= model->n_free)
        continue;
      if (motions == NULL)
        {
          row[node] += change->row[e] * sqrt (model->inverse_inertia[node]);
          continue;
        }
      ifbam_small_motions_force_input (motions, node, unit);
      for (gsize i = 0; i < self->n; i++)
        row[i] += change->row[e] * unit[i] / sqrt (motions->inertia[i]);
    }
  return row;
}

/* Adds J^T s J to both matrices. */
static void
add_slopes (IfbamStability *self, const IfbamModeChange *change, double stiffness, double damping)
{
  const gsize n = self->n;
  g_autofree double *row = row_of_coordinates (self, change);

  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      {
        self->stiffness_matrix[j * n + i] += stiffness * row[i] * row[j];
        self->damping_matrix[j * n + i] += damping * row[i] * row[j];
      }
}

/* Returns the largest row sum of a matrix (Gershgorin 1931). */
static double
gershgorin_bound (gsize n, const double *matrix)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    {
      double sum = 0;

      for (gsize j = 0; j < n; j++)
        sum += fabs (matrix[j * n + i]);
      most = fmax (most, sum);
    }
  return most;
}

/* Returns the same network with copies of matrices (n)(n), without modes (transfer full). */
static IfbamStability *
copy_for_state (const IfbamStability *self, const double *stiffness, const double *damping)
{
  const gsize size = (self->n * self->n + 1) * sizeof (double);
  IfbamStability *state = g_memdup2 (self, sizeof *self);

  state->is_state = state->has_damping = TRUE;
  state->method = IFBAM_STABILITY_MAP;
  state->stiffness_matrix = g_memdup2 (stiffness, size);
  state->damping_matrix = g_memdup2 (damping, size);
  state->identity = NULL;
  state->mode = NULL;
  state->n_modes = 0;
  state->bodies = NULL;
  state->own_growth = 0;
  state->least_decay = NAN;
  state->active_modes = g_array_new (FALSE, FALSE, sizeof (IfbamActiveMode));
  state->last = g_new0 (struct _IfbamMultipliers, 1);
  return state;
}

gboolean
ifbam_stability_find_state (IfbamStability *state)
{
  const IfbamMechanism *mechanism = state->mechanism;
  const IfbamRunSpec *spec = state->spec;
  double stiffness, damping;
  IfbamUnsupported unsupported = { 0 };

  if (state->mode != NULL)
    return TRUE;
  ifbam_unsupported_limits (state->bound, state->damping,
                            isfinite (spec->step) ? (double) spec->last_step * spec->step : 0,
                            &stiffness, &damping);
  if (!ifbam_unsupported_find (state->n, state->stiffness_matrix, state->damping_matrix,
                               mechanism == NULL || mechanism->motions->circulations->len == 0,
                               stiffness, damping, &unsupported))
    return FALSE;
  state->n_bodies = unsupported.n_bodies;
  state->n_neutral = unsupported.n_neutral;
  g_free (state->identity);
  state->identity = unsupported.identity;
  find_damped_modes (state, state->stiffness_matrix);
  return state->mode != NULL;
}

/* Returns the derivatives that a change replaces in this network's matrices: those of the link's
 * mode in the equilibrium of a mechanism, else at the start. */
static void
replaced_slopes (const IfbamStability *self, const IfbamModeChange *change, double *stiffness,
                 double *damping)
{
  const int *mode = self->mechanism != NULL ? self->mechanism->motions->mode : NULL;

  *stiffness = change->own_stiffness;
  *damping = change->own_damping;
  for (guint i = 0; mode != NULL && i < self->active_modes->len; i++)
    {
      const IfbamModeChange *other =
          &g_array_index (self->active_modes, IfbamActiveMode, i).change[0];

      if (other->link == change->link && other->mode == mode[change->number])
        {
          *stiffness = other->stiffness;
          *damping = other->damping;
        }
    }
}

/* Returns the network at the start with its active unbatched links (transfer full). */
static IfbamStability *
state_at_start (const IfbamStability *self)
{
  g_autofree double *damping = self->damping_matrix != NULL ? NULL
                               : self->mechanism != NULL
                                   ? g_new0 (double, self->n * self->n + 1)
                                   : symmetric_matrix (self, self->linearization->damping);
  IfbamStability *state = copy_for_state (
      self, self->stiffness_matrix, self->damping_matrix != NULL ? self->damping_matrix : damping);

  for (guint i = 0; i < self->active_modes->len && self->mechanism == NULL; i++)
    {
      const IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->from_start && one->n_changes == 1)
        add_slopes (state, &one->change[0], one->change[0].stiffness, one->change[0].damping);
    }
  return state;
}

static void
find_bounds_of_state (IfbamStability *state)
{
  state->bound = state->fastest = sqrt (gershgorin_bound (state->n, state->stiffness_matrix));
  state->damping = gershgorin_bound (state->n, state->damping_matrix);
  state->fastest_is_bound = TRUE;
}

/* Replaces A by P A P with the projection P that removes a unit vector (n). */
static void
project_out (gsize n, const double *unit, double *matrix)
{
  for (guint side = 0; side < 2; side++)
    for (gsize j = 0; j < n; j++)
      {
        const gsize along = side == 0 ? 1 : n;
        double *line = matrix + j * (side == 0 ? n : 1);
        double part = 0;

        for (gsize i = 0; i < n; i++)
          part += unit[i] * line[i * along];
        for (gsize i = 0; i < n; i++)
          line[i * along] -= part * unit[i];
      }
}

/* Makes the last row (n) a unit vector orthogonal to the others. FALSE: it depends on them. */
static gboolean
make_unit_row (GPtrArray *rows, gsize n)
{
  double *row = g_ptr_array_index (rows, rows->len - 1);
  double whole = 0, rest = 0;

  for (gsize i = 0; i < n; i++)
    whole += row[i] * row[i];
  for (guint k = 0; k + 1 < rows->len; k++)
    {
      const double *other = g_ptr_array_index (rows, k);
      double part = 0;

      for (gsize i = 0; i < n; i++)
        part += other[i] * row[i];
      for (gsize i = 0; i < n; i++)
        row[i] -= part * other[i];
    }
  for (gsize i = 0; i < n; i++)
    rest += row[i] * row[i];
  for (gsize i = 0; i < n && rest > 0; i++)
    row[i] /= sqrt (rest);
  return rest > DEPENDENT * whole;
}

IfbamStability *
ifbam_stability_new_closed (const IfbamStability *self, const GArray *closed)
{
  const gsize n = self->n;
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_free);
  IfbamStability *state;

  if (self->stiffness_matrix == NULL || n == 0
      || n > (self->quick ? QUICK_MATRIX_NODES : MAX_MATRIX_NODES))
    return NULL;
  state = state_at_start (self);
  for (guint i = 0; i < closed->len; i++)
    {
      g_ptr_array_add (rows,
                       row_of_coordinates (self, &g_array_index (closed, IfbamModeChange, i)));
      if (make_unit_row (rows, n))
        {
          project_out (n, g_ptr_array_index (rows, rows->len - 1), state->stiffness_matrix);
          project_out (n, g_ptr_array_index (rows, rows->len - 1), state->damping_matrix);
        }
      else
        g_ptr_array_set_size (rows, (gint) rows->len - 1);
    }
  find_bounds_of_state (state);
  return state;
}

static void
make_state (IfbamStability *self, const IfbamStability *start, IfbamActiveMode *one)
{
  IfbamStability *state = copy_for_state (start, start->stiffness_matrix, start->damping_matrix);

  for (guint k = 0; k < one->n_changes && !one->from_start; k++)
    {
      const IfbamModeChange *change = &one->change[k];
      double stiffness, damping;

      replaced_slopes (self, change, &stiffness, &damping);
      add_slopes (state, change, change->stiffness - stiffness, change->damping - damping);
    }
  find_bounds_of_state (state);
  one->state = state;
}

/* Returns the fastest state without matrices; NULL: all have them. */
static IfbamActiveMode *
fastest_without_state (const IfbamStability *self)
{
  IfbamActiveMode *fastest = NULL;

  for (guint i = 0; i < self->active_modes->len; i++)
    {
      IfbamActiveMode *one = &g_array_index (self->active_modes, IfbamActiveMode, i);

      if (one->state == NULL && one->n_changes > 0
          && (fastest == NULL || ifbam_active_mode_speed (one) > ifbam_active_mode_speed (fastest)))
        fastest = one;
    }
  return fastest;
}

/* Adds the start of a mechanism that is examined in equilibrium, with its larger derivatives. */
static void
add_start_of_mechanism (IfbamStability *self)
{
  const IfbamMechanism *mechanism = self->mechanism;
  IfbamActiveMode start = { .from_start = TRUE, .persists = TRUE, .listed = TRUE };

  if (mechanism == NULL || mechanism->start_stiffness == NULL || self->damping_matrix == NULL)
    return;
  start.state = copy_for_state (self, mechanism->start_stiffness, mechanism->start_damping);
  find_bounds_of_state (start.state);
  g_array_append_val (self->active_modes, start);
}

/* Makes the matrices of states of small networks, within limits of work. */
static void
find_states (IfbamStability *self)
{
  const gsize most = self->quick ? QUICK_MATRIX_NODES : MAX_MATRIX_NODES;
  const double states =
      (self->quick ? QUICK_STATES : MAX_STATES) / pow ((double) MAX (self->n, 4), 3);
  IfbamStability *start;
  IfbamActiveMode *one;

  add_start_of_mechanism (self);
  if (self->active_modes->len == 0 || self->stiffness_matrix == NULL || self->n == 0
      || self->n > most || self->active_modes->len > IFBAM_MAX_STATES_EXAMINED)
    return;
  start = state_at_start (self);
  for (double n = 0; n < states && (one = fastest_without_state (self)) != NULL; n++)
    make_state (self, start, one);
  ifbam_stability_free (start);
}

/* Returns the largest length of a state with latency. */
static gsize
max_state_length (const IfbamModel *model)
{
  return IFBAM_MAX_COLUMNS * model->n_free + model->n_slots;
}

static IfbamStabilityMethod
choose_method (const IfbamStability *self)
{
  const gsize size = max_state_length (self->model);

  if (!self->linearization->has_damping && self->linearization->n_nonlinear == 0)
    return IFBAM_STABILITY_POLYNOMIAL;
  if (self->linearization->n_nonlinear == 0
      && self->model->n_free <= (self->quick ? QUICK_MATRIX_NODES : MAX_MATRIX_NODES))
    return IFBAM_STABILITY_MAP;
  if (size <= (self->quick ? QUICK_DENSE_STATE : 2 * MAX_DENSE_STATE))
    return IFBAM_STABILITY_MAP;
  return size <= MAX_STATE ? IFBAM_STABILITY_ARNOLDI : IFBAM_STABILITY_POWER;
}

/* Finds the modes of a network with junctions. */
static gboolean
find_massless_modes (IfbamStability *self, GError **error)
{
  g_auto (IfbamMasslessModes) modes = { 0 };
  g_auto (GStrv) nonlinear = NULL;
  g_autoptr (IfbamSmallMotions) motions =
      ifbam_small_motions_new_with_massless (self->model, self->spec, error);

  if (motions == NULL
      || !ifbam_massless_modes_find (
          motions, (self->quick ? QUICK_DENSE_STATE : MAX_DENSE_STATE) / 2, FALSE, &modes, error))
    return FALSE;
  nonlinear = ifbam_small_motions_list_nonlinear (motions);
  self->light = self->has_damping = TRUE;
  self->n_nonlinear = g_strv_length (nonlinear);
  self->n_bodies = modes.n_bodies;
  self->n_neutral = modes.n_neutral;
  self->method = IFBAM_STABILITY_MAP;
  keep_modes (self, modes.value, modes.n, 2 * self->n_bodies + self->n_neutral);
  for (gsize i = 0; i < self->n_modes; i++)
    {
      self->bound = fmax (self->bound, cabs (self->mode[i]));
      if (cimag (self->mode[i]) > 0)
        self->fastest = fmax (self->fastest, cabs (self->mode[i]));
    }
  self->damping = self->bound;
  return TRUE;
}

/* TRUE if the scheme can run the network. */
static gboolean
can_run (const IfbamStability *self, const IfbamScheme *scheme)
{
  return !self->light || ifbam_scheme_allows_junctions (scheme);
}

IfbamStability *
ifbam_stability_new (const IfbamModel *model, const IfbamRunSpec *spec, gboolean quick,
                     GError **error)
{
  g_autoptr (IfbamStability) self = g_new0 (IfbamStability, 1);
  g_autoptr (IfbamRigidBodies) unsprung = NULL;

  self->model = model;
  self->spec = spec;
  self->quick = quick;
  self->least_decay = NAN;
  self->last = g_new0 (struct _IfbamMultipliers, 1);
  self->linearization = ifbam_linearization_new (model, spec, NULL, NULL);
  if (self->linearization->first_not_finite < model->n_links)
    {
      g_autofree char *name = ifbam_model_link_name (model, self->linearization->first_not_finite);

      return ifbam_fail_null (error, IFBAM_ERROR_NETWORK,
                              "\"%s\": its law has no finite slope at the start", name);
    }
  if (model->n_junctions > 0)
    {
      self->active_modes = g_array_new (FALSE, FALSE, sizeof (IfbamActiveMode));
      return find_massless_modes (self, error) ? g_steal_pointer (&self) : NULL;
    }
  self->active_modes = ifbam_active_modes_find (self->linearization, error);
  if (self->active_modes == NULL)
    return NULL;
  if (ifbam_model_is_mechanism (model))
    self->mechanism =
        ifbam_mechanism_new (model, spec, quick ? QUICK_DENSE_NODES : MAX_DENSE_NODES);
  if (self->mechanism != NULL)
    {
      find_mechanism (self);
      find_states (self);
      return g_steal_pointer (&self);
    }
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->geometry->force_direction != NULL)
      return ifbam_fail_null (
          error, IFBAM_ERROR_NETWORK,
          "%s: the effect of steps on forces by other positions is not known here", link->name);
  self->has_damping = self->linearization->has_damping;
  self->n_nonlinear = self->linearization->n_nonlinear;
  find_bounds (self->linearization, &self->bound, &self->damping);
  self->method = choose_method (self);
  self->bodies = ifbam_rigid_bodies_new (self->linearization, TRUE);
  self->n_bodies = self->bodies->n;
  unsprung = ifbam_rigid_bodies_new (self->linearization, FALSE);
  self->n_neutral = unsprung->n - self->bodies->n;
  if (model->n_free > 0 && model->n_free <= (quick ? QUICK_DENSE_NODES : MAX_DENSE_NODES))
    {
      self->n = model->n_free;
      self->stiffness_matrix = symmetric_matrix (self, self->linearization->stiffness);
      find_modes (self);
    }
  else
    find_fastest (self);
  find_states (self);
  return g_steal_pointer (&self);
}

void
ifbam_stability_free (IfbamStability *self)
{
  if (self == NULL)
    return;
  for (guint i = 0; self->active_modes != NULL && i < self->active_modes->len; i++)
    ifbam_stability_free (g_array_index (self->active_modes, IfbamActiveMode, i).state);
  if (self->active_modes != NULL)
    g_array_unref (self->active_modes);
  if (!self->is_state)
    {
      ifbam_linearization_free (self->linearization);
      ifbam_rigid_bodies_free (self->bodies);
      ifbam_mechanism_free (self->mechanism);
    }
  g_free (self->mode);
  g_free (self->stiffness_matrix);
  g_free (self->damping_matrix);
  g_free (self->identity);
  if (self->last != NULL)
    g_free (self->last->value);
  g_free (self->last);
  g_free (self);
}

gboolean
ifbam_stability_is_by_reactions (const IfbamStability *self)
{
  const double *turning = self->mechanism != NULL ? self->mechanism->turning : NULL;
  double most = 0, other = 0;

  for (gsize i = 0; turning != NULL && self->stiffness_matrix != NULL && i < self->n * self->n; i++)
    {
      most = fmax (most, fabs (turning[i]));
      other = fmax (other, fabs (self->stiffness_matrix[i] - turning[i]));
    }
  return most > 0 && other <= 1e-9 * most;
}

/* Growth */

static double
noise_of (const IfbamStability *self)
{
  return self->linearization->n_nonlinear > 0 ? NONLINEAR_NOISE : NOISE;
}

/* Computes multipliers of a linear network from the scheme's polynomial, with M^-1 K step^2 and
 * M^-1 C step in place of h^2 and d, by its companion matrix (Gohberg, Lancaster & Rodman 1982,
 * Matrix Polynomials). It is much smaller than the state. Bodies give z^degree = 0. */
static double complex *
multipliers_by_matrix (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n)
{
  const gsize nodes = self->n;
  const double *turning = self->mechanism != NULL ? self->mechanism->turning : NULL;
  const guint shift = scheme->damped[0] != 0; /* times z */
  guint degree = IFBAM_MAX_DEGREE;
  gsize size;
  const double *identity = self->identity;
  g_autofree double *matrix = NULL;
  g_autofree double complex *value = NULL;

  while (scheme->characteristic[degree][0] == 0)
    degree--;
  degree += shift;
  size = *n = degree * nodes;
  matrix = g_new0 (double, size *size + 1);
  value = g_new (double complex, size + 1);
  for (guint k = 0; k < degree; k++)
    {
      const double *undamped = k < shift ? NULL : scheme->characteristic[k - shift];
      const guint power = k + 1 - shift; /* d sum z^(j-1) damped[j] */
      const double own = undamped != NULL ? undamped[0] : 0;
      const double stiff = (undamped != NULL ? undamped[1] : 0) * step * step;
      const double damped = power <= IFBAM_MAX_DEGREE ? scheme->damped[power] * step : 0;
      /* Reactions have no latency: they act along the rows half a cycle before, h^2 (z^2 + z)/2 for
       * each half of a cycle of two steps. */
      const double middle = k - shift == 1 || k - shift == 2 ? step * step : 0;

      for (gsize j = 0; j < nodes; j++)
        for (gsize i = 0; i < nodes; i++)
          matrix[(k * nodes + j) * size + (degree - 1) * nodes + i] =
              -(own * identity[j * nodes + i] + stiff * self->stiffness_matrix[j * nodes + i]
                + damped * self->damping_matrix[j * nodes + i]
                + (turning != NULL && scheme->latency ? (middle - stiff) * turning[j * nodes + i]
                                                      : 0));
    }
  for (gsize i = 0; i + nodes < size; i++)
    matrix[(i + nodes) * size + i] = 1;
  for (gsize i = 0; i < size * size; i++)
    if (!isfinite (matrix[i]))
      return NULL;
  if (!ifbam_eigenvalues_general (size, matrix, value))
    return NULL;
  qsort (value, size, sizeof *value, compare_sizes);
  *n = size - degree * self->n_bodies;
  memmove (value, value + degree * self->n_bodies, *n * sizeof *value);
  return g_steal_pointer (&value);
}

/* Computes multipliers of a linear network under a Runge-Kutta scheme: R (lambda step). */
static double complex *
multipliers_by_modes (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n)
{
  double complex *value = g_new (double complex, 2 * self->n_modes + 1);

  *n = 0;
  for (gsize i = 0; i < self->n_modes; i++)
    {
      const double complex factor = ifbam_scheme_factor (scheme, self->mode[i] * step);

      value[(*n)++] = factor;
      value[(*n)++] = conj (factor);
    }
  return value;
}

/* TRUE if multipliers follow from a polynomial of matrices. */
static gboolean
has_matrix_polynomial (const IfbamStability *self)
{
  return self->light || self->mechanism != NULL || self->is_state
         || (self->linearization->n_nonlinear == 0 && self->damping_matrix != NULL
             && self->n <= MAX_MATRIX_NODES);
}

/* Returns multipliers but the 1 of neutral coordinates. unsolved: NULL as a step failed. */
static double complex *
find_multipliers (const IfbamStability *self, const IfbamScheme *scheme, double step, gsize *n,
                  gboolean *unsolved)
{
  const gboolean linear = has_matrix_polynomial (self);
  g_autoptr (IfbamStepMap) map = NULL;
  double complex *value;

  *unsolved = FALSE;
  if ((linear || self->linearization->n_nonlinear == 0) && self->mode != NULL
      && scheme->stability_function[0] != 0)
    return multipliers_by_modes (self, scheme, step, n);
  if ((self->mechanism != NULL || self->is_state) && scheme->stability_function[0] != 0)
    return NULL;
  if (!linear || scheme->stability_function[0] != 0)
    map = ifbam_step_map_new (self->linearization, self->bodies, scheme, step);
  value = map != NULL ? ifbam_step_map_multipliers (map, n)
                      : multipliers_by_matrix (self, scheme, step, n);
  *unsolved = map != NULL && ifbam_step_map_has_failed (map);
  for (gsize i = 0; i < self->n_neutral + n_followers (self) && value != NULL && *n > 0; i++)
    {
      gsize nearest = 0;

      for (gsize j = 1; j < *n; j++)
        if (cabs (value[j] - 1) < cabs (value[nearest] - 1))
          nearest = j;
      /* The state of a node that only follows a motion is constant; others relax. */
      if (i < self->n_neutral || cabs (value[nearest] - 1) < NEUTRAL)
        value[nearest] = value[--*n];
    }
  return value;
}

double complex *
ifbam_stability_multipliers (const IfbamStability *self, const IfbamScheme *scheme, double step,
                             gsize *n)
{
  struct _IfbamMultipliers *last = self->last;

  if (!can_run (self, scheme))
    return NULL;
  if (last->scheme != scheme || last->step != step)
    {
      g_free (last->value);
      last->value = find_multipliers (self, scheme, step, &last->n, &last->unsolved);
      last->scheme = scheme;
      last->step = step;
    }
  *n = last->n;
  return last->value == NULL ? NULL : g_memdup2 (last->value, (last->n + 1) * sizeof *last->value);
}

static double
worst_of (const IfbamStability *self, const double complex *value, gsize n)
{
  double largest = 0;

  for (gsize i = 0; i < n; i++)
    largest = fmax (largest, cabs (value[i]));
  /* Growth below the noise is rounding. */
  return fabs (log (largest)) <= noise_of (self) ? 0 : log (largest);
}

typedef struct
{
  IfbamStepMap *map;
  guint steps;
  gboolean finite;
} Power;

static void
multiply_power (gpointer data, const double *x, double *y)
{
  Power *power = data;
  const gsize n = ifbam_step_map_size (power->map);

  ifbam_step_map_apply (power->map, power->steps, x, y);
  for (gsize i = 0; i < n; i++)
    if (!isfinite (y[i]))
      {
        power->finite = FALSE;
        y[i] = 0;
      }
}

/* Returns the work of a step, in steps of a node or link. */
static double
step_work (const IfbamStability *self, const IfbamScheme *scheme)
{
  return (double) (self->model->n_free + self->model->n_links) * scheme->n_stages
         * (self->linearization->n_nonlinear > 0 ? 4 : 1);
}

/* Computes multipliers of the largest modulus from powers of the map. Slow modes with little decay,
 * or fast modes at the end of a chain's band, are so close that only high powers separate them;
 * powers keep the order of moduli. If two are not separated, the modulus of either is accurate. */
static gboolean
worst_by_arnoldi (const IfbamStability *self, const IfbamScheme *scheme, IfbamStepMap *map,
                  guint max_steps, double *worst)
{
  const double work = step_work (self, scheme);
  double left = self->quick ? QUICK_STEPS : MAX_STEPS;

  for (guint steps = 1; steps <= max_steps; steps *= 64)
    {
      Power power = { map, steps, TRUE };
      const guint products = (guint) fmin (self->quick ? 100 : 200, left / (work * steps));
      double complex value[4];
      gsize n, kept = 0;

      if (products < 80)
        return FALSE;
      left -= work * steps * products;
      n = ifbam_eigenvalues_largest (ifbam_step_map_size (map), multiply_power, &power, 4, 1e-6,
                                     products, value);
      if (!power.finite)
        return FALSE;
      for (gsize i = 0; i < n; i++)
        if (!(self->n_neutral + self->model->n_state_nodes > 0 && cabs (value[i] - 1) < 1e-7))
          value[kept++] = value[i];
      /* A factor near 1 has too few digits; a higher power is used. */
      if (kept == 0 || fabs (log (cabs (value[0]))) < 1e-2)
        continue;
      *worst = worst_of (self, value, kept) / steps;
      return TRUE;
    }
  return FALSE;
}

/* Estimates the worst mode's growth from a deviation's energy in the second half of many steps. */
static double
worst_by_power (const IfbamStability *self, const IfbamScheme *scheme, IfbamStepMap *map,
                gboolean sign)
{
  /* Slow decay takes long to dominate. */
  const guint block = 64, most = sign ? 64 : 16384;
  const gsize n = ifbam_step_map_size (map);
  const guint blocks = (guint) fmax (4, fmin (most, (self->quick ? QUICK_STEPS : POWER_STEPS)
                                                        / (step_work (self, scheme) * block)));
  g_autofree double *x = g_new (double, n + 1), *y = g_new (double, n + 1);
  guint32 state = 1;
  double sum = 0;

  for (gsize i = 0; i < n; i++)
    {
      state = (guint32) ((guint64) state * 48271 % 2147483647);
      x[i] = (double) state / 2147483647.0 - 0.5;
    }
  for (guint b = 0; b < blocks; b++)
    {
      const double before = ifbam_step_map_energy (map, x);
      double after;

      ifbam_step_map_apply (map, block, x, y);
      after = ifbam_step_map_energy (map, y);
      if (!isfinite (after))
        return INFINITY;
      if (after == 0 || before == 0)
        return -INFINITY;
      if (b >= blocks / 2)
        sum += 0.5 * log (after / before);
      for (gsize i = 0; i < n; i++)
        x[i] = y[i] / sqrt (after);
    }
  return sum / (block * (blocks - blocks / 2));
}

/* TRUE if the map is too large for a dense matrix. */
static gboolean
is_large (const IfbamStability *self)
{
  return self->method == IFBAM_STABILITY_ARNOLDI || self->method == IFBAM_STABILITY_POWER;
}

/* Returns ln |z| of the worst mode per step, possibly an estimate; NaN: no mode, or
 * (IFBAM_UNSOLVED) a step has no solution. sign: only the sign is needed. */
static double
find_worst (const IfbamStability *self, const IfbamScheme *scheme, double step, gboolean sign,
            IfbamCertainty *certainty)
{
  g_autofree double complex *value = NULL;
  gsize n;

  *certainty = IFBAM_CERTAIN;
  if (!can_run (self, scheme))
    return NAN;
  /* In such a short step the change is rounding. */
  if (step * fmax (self->bound, self->damping) < NOISE)
    return self->bound > 0 || self->damping > 0 ? 0 : NAN;
  /* All implicit schemes are A-stable. */
  if (scheme->implicit != NULL && is_large (self) && !(self->least_decay < -UNDAMPED))
    {
      *certainty = IFBAM_AT_MOST;
      return 0;
    }
  if (is_large (self))
    {
      g_autoptr (IfbamStepMap) map =
          ifbam_step_map_new (self->linearization, self->bodies, scheme, step);
      double worst = NAN;

      if (!ifbam_step_map_has_failed (map)
          && !(self->method == IFBAM_STABILITY_ARNOLDI
               && worst_by_arnoldi (self, scheme, map, sign ? 64 : 4096, &worst)))
        {
          *certainty = IFBAM_ABOUT;
          worst = worst_by_power (self, scheme, map, sign);
        }
      if (!ifbam_step_map_has_failed (map))
        return worst;
      *certainty = IFBAM_UNSOLVED;
      return NAN;
    }
  value = ifbam_stability_multipliers (self, scheme, step, &n);
  if (value == NULL && self->last->unsolved)
    {
      *certainty = IFBAM_UNSOLVED;
      return NAN;
    }
  if (value == NULL) /* overflow */
    return INFINITY;
  return n == 0 ? NAN : worst_of (self, value, n);
}

static IfbamGrowth
growth_by_polynomial (const IfbamStability *self, const IfbamScheme *scheme, double step)
{
  IfbamGrowth growth = { .rate = NAN };

  if (self->fastest == 0)
    return growth;
  growth.rate = ifbam_scheme_growth (scheme, self->fastest * step) / step;
  growth.certainty = self->fastest_is_bound ? IFBAM_AT_MOST : IFBAM_CERTAIN;
  for (gsize i = 0; i < self->n_modes; i++)
    growth.rate =
        fmax (growth.rate, ifbam_scheme_growth (scheme, cabs (self->mode[i]) * step) / step);
  /* The slowest mode may decay less. */
  if (self->mode == NULL && growth.rate < 0)
    growth = (IfbamGrowth){ 0, IFBAM_AT_MOST };
  return growth;
}

IfbamGrowth
ifbam_stability_growth (const IfbamStability *self, const IfbamScheme *scheme, double step)
{
  IfbamGrowth growth;

  if (self->method == IFBAM_STABILITY_POLYNOMIAL)
    return growth_by_polynomial (self, scheme, step);
  growth.rate = find_worst (self, scheme, step, FALSE, &growth.certainty) / step;
  return growth;
}

/* Steps */

/* Returns the growth beyond the rate, per step: positive if the step is too long. */
static double
excess (const IfbamStability *self, const IfbamScheme *scheme, double rate, double step)
{
  IfbamCertainty certainty;
  const double worst = find_worst (self, scheme, step, TRUE, &certainty);

  return certainty == IFBAM_UNSOLVED ? MAX_EXCESS
         : isnan (worst)             ? -1
                         : fmax (-MAX_EXCESS, fmin (MAX_EXCESS + rate * step, worst)) - rate * step;
}

/* Finds a root between good (value <= 0) and bad, approached from the good side: Oliveira &
 * Takahashi 2021, "ITP", ACM Trans. Math. Softw. 47 (1). */
static double
find_root (const IfbamStability *self, const IfbamScheme *scheme, double rate, double good,
           double bad, double bad_value)
{
  const double tolerance = (self->method == IFBAM_STABILITY_ARNOLDI ? 1e-3 : 1e-9) * good;
  const double width = bad - good;
  const int halvings = (int) ceil (log2 (width / (2 * tolerance))) + 1;
  double good_value = excess (self, scheme, rate, good);

  for (int i = 0; bad - good > 2 * tolerance && i < 100; i++)
    {
      const double middle = 0.5 * (good + bad);
      const double radius = tolerance * exp2 (halvings - i) - 0.5 * (bad - good);
      const double nudge = 0.2 / width * (bad - good) * (bad - good);
      double x = (bad_value * good - good_value * bad) / (bad_value - good_value), value;

      /* towards the middle, by at most nudge */
      x = fabs (middle - x) <= nudge ? middle : x + copysign (nudge, middle - x);
      if (fabs (x - middle) > radius)
        x = middle - copysign (fmax (0, radius), middle - x);
      value = excess (self, scheme, rate, x);
      if (value > 0)
        {
          bad = x;
          bad_value = value;
        }
      else
        {
          good = x;
          good_value = value;
        }
    }
  return good;
}

static double complex *
all_multipliers (gconstpointer data, const IfbamScheme *scheme, double step, gsize *n)
{
  return ifbam_stability_multipliers (data, scheme, step, n);
}

/* TRUE if latency affects forces, but not the reactions that restore the motion. */
static gboolean
oscillates_by_reactions (const IfbamStability *self, const IfbamScheme *scheme)
{
  return scheme->latency && self->mechanism != NULL && self->mechanism->turning != NULL;
}

/* TRUE if there is growth at every step, hidden by rounding at short ones: no decay below the step,
 * and growth by a power of the step. A step with unknown growth counts as one. */
static gboolean
is_lost_in_rounding (const IfbamStability *self, const IfbamScheme *scheme, double rate,
                     double step)
{
  double twice;

  if (excess (self, scheme, rate, step / 2) < 0)
    return FALSE;
  twice = excess (self, scheme, rate, 2 * step);
  return twice < VISIBLE * noise_of (self) || twice >= MAX_EXCESS;
}

/* TRUE if the symmetric part of C is positive definite, but for rounding. */
static gboolean
is_damped (const IfbamStability *self)
{
  const gsize n = self->n;
  g_autofree double *matrix = g_new (double, n *n + 1);
  double most = 0;

  if (self->damping_matrix == NULL)
    return self->own_growth == 0;
  for (gsize i = 0; i < n * n; i++)
    most = fmax (most, fabs (self->damping_matrix[i]));
  for (gsize j = 0; j < n; j++)
    for (gsize i = 0; i < n; i++)
      matrix[j * n + i] = 0.5 * (self->damping_matrix[j * n + i] + self->damping_matrix[i * n + j])
                          + (i == j ? 1e-12 * n * most : 0);
  return most == 0 || ifbam_is_positive_definite (n, matrix);
}

/* Returns a step at which growth exceeds the rate. */
static double
crossing_by_map (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double limit = ifbam_scheme_limit (scheme);
  /* growth at every step exceeds rounding from some step on */
  const double least = self->method == IFBAM_STABILITY_ARNOLDI ? 1e-4 : 1e-7;
  double step = fmin (self->bound > 0 ? (limit > 0 ? limit : 1) / self->bound : INFINITY,
                      self->damping > 0 ? 1 / self->damping : INFINITY);
  const double first = step;
  double value;

  if (!isfinite (step) || (scheme->implicit != NULL && !(self->least_decay < -UNDAMPED)))
    return INFINITY;
  if (self->least_decay < -UNDAMPED && rate == 0)
    return 0; /* the network's own growth */
  if (self->least_decay < UNDAMPED && limit == 0 && rate == 0
      && !oscillates_by_reactions (self, scheme))
    return 0;
  if (has_matrix_polynomial (self) && scheme->stability_function[0] == 0 && self->mode != NULL
      && !oscillates_by_reactions (self, scheme))
    {
      const struct _IfbamMultipliers *last = self->last;
      const IfbamCriticalStep crossing = { .n = self->n,
                                           .stiffness = self->stiffness_matrix,
                                           .damping = self->damping_matrix,
                                           .identity = self->identity,
                                           .mode = self->mode,
                                           .n_modes = self->n_modes,
                                           .multipliers = all_multipliers,
                                           .data = self,
                                           .known = last->scheme == scheme ? last->value : NULL,
                                           .n_known = last->n,
                                           .known_step = last->step };
      const double found = ifbam_critical_step_find (&crossing, scheme, rate);

      if (!isnan (found))
        return found;
    }
  value = excess (self, scheme, rate, step);
  if (value > 0)
    {
      double bad = step, bad_value = value;

      for (;;)
        {
          step *= 0.5;
          if (step < least * first)
            return 0;
          value = excess (self, scheme, rate, step);
          if (value <= 0)
            {
              step = find_root (self, scheme, rate, step, bad, bad_value);
              return is_lost_in_rounding (self, scheme, rate, step) ? 0 : step;
            }
          bad = step;
          bad_value = value;
        }
    }
  for (int i = 0; i < 40; i++)
    {
      value = excess (self, scheme, rate, 2 * step);
      if (value > 0)
        return find_root (self, scheme, rate, step, 2 * step, value);
      step *= 2;
    }
  return INFINITY;
}

/* Negative damping may also drive spurious factors, faster at shorter steps: then returns 0. */
static double
longest_by_map (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double step = crossing_by_map (self, scheme, rate);

  if (!(step > 0 && isfinite (step)) || is_damped (self))
    return step;
  return excess (self, scheme, rate, SHORTER_RATIO * step) <= 0 ? step : 0;
}

/* TRUE if the longest step is found from the map. */
static gboolean
uses_map (const IfbamStability *self)
{
  return self->method == IFBAM_STABILITY_MAP
         || (self->method == IFBAM_STABILITY_ARNOLDI && !self->quick);
}

gboolean
ifbam_stability_has_steps (const IfbamStability *self)
{
  return uses_map (self) || (self->damping == 0 && !self->fastest_is_bound);
}

double
ifbam_stability_longest_step (const IfbamStability *self, const IfbamScheme *scheme, double rate)
{
  const double fastest = self->fastest;
  double step;

  if (!can_run (self, scheme))
    return NAN;
  if (uses_map (self))
    return longest_by_map (self, scheme, rate);
  /* Stabilisation by dampers of schemes that otherwise grow at every step is not examined. */
  if (rate == 0 && ifbam_scheme_limit (scheme) == 0 && self->has_damping)
    return NAN;
  if (rate > 0)
    step = ifbam_scheme_longest_step (scheme, fastest, 1, rate);
  else
    step = fastest > 0 ? ifbam_scheme_limit (scheme) / fastest : INFINITY;
  /* Explicit schemes are stable up to step * damping of 0.3 (averaged) to 2.8 (rk4). */
  return self->damping > 0 ? fmin (step, 0.25 / self->damping) : step;
}

double
ifbam_stability_critical_step (const IfbamStability *self, const IfbamScheme *scheme)
{
  return ifbam_stability_longest_step (self, scheme, 0);
}

/* Modes */

double complex
ifbam_stability_mode (const IfbamStability *self, double up_to)
{
  double complex fastest = 0;

  if (self->mode == NULL)
    return I * fmin (self->fastest, up_to);
  for (gsize i = 0; i < self->n_modes; i++)
    if (cimag (self->mode[i]) > 0 && cimag (self->mode[i]) <= up_to
        && cimag (self->mode[i]) > cimag (fastest))
      fastest = self->mode[i];
  return fastest;
}

double complex
ifbam_stability_nearest (const double complex *value, gsize n, double step, double complex mode)
{
  const double complex exact = cexp (mode * step);
  double complex nearest = value[0];

  for (gsize i = 1; i < n; i++)
    if (cabs (value[i] - exact) < cabs (nearest - exact))
      nearest = value[i];
  return clog (nearest) / step;
}

double complex
ifbam_stability_seen (const IfbamStability *self, const IfbamScheme *scheme, double step,
                      double complex mode)
{
  double growth, angle;

  if (self->method == IFBAM_STABILITY_MAP)
    {
      gsize n;
      g_autofree double complex *value = ifbam_stability_multipliers (self, scheme, step, &n);

      return value != NULL && n > 0 ? ifbam_stability_nearest (value, n, step, mode)
                                    : ifbam_complex (NAN, NAN);
    }
  angle = ifbam_scheme_mode (scheme, cabs (mode) * step, &growth);
  return ifbam_complex (creal (mode) + growth / step, angle / step);
}
