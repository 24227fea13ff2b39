/* equilibrium.c: equilibrium of a network under the forces at time 0
 *
 * Where stiffness and given nodes allow no rest, a steady state takes its place (steady-state.h).
 *
 * Newton's method on the forces, which are the gradient of the potential energy: K dx = f, with the
 * tangents of the laws (see linearization.h), and a search along dx (Armijo 1966; Nocedal & Wright
 * 2006, Numerical Optimization, 3). Where K does not support a part of the network, or is not
 * positive definite, inertia is added, less in each iteration (Kelley & Keyes 1998, "Convergence
 * analysis of pseudo-transient continuation"): an unsupported part moves until something stops it.
 *
 * Fixed constraints are satisfied in each trial: coordinates are projected along M^-1 J^T, and the
 * residual forces have no component along the rows (Rosen 1961, "The gradient projection method
 * II"). In steps the rows act as springs, and their reactions add stiffness as they turn. Others
 * are springs, corrected by their residuals (method of multipliers; Hestenes 1969, Powell 1969).
 *
 * SPDX-License-Identifier: GPL-3.0-or-later
 */
#include "linear/equilibrium.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "linear/single-thread-blas.h"
#include "model/model.h"
#include "base/dot.h"
#include "base/fail.h"
#include "base/ifbam-error.h"
#include "constraint/constraint.h"
#include "linear/linearization.h"
#include "linear/system-matrices.h"
#include "linear/sparse-matrix.h"
#include "linear/unbatched-rows.h"

#define MAX_ITERATIONS  300
#define MAX_CORRECTIONS 30
#define MAX_HALVINGS    40
/* Residual forces, relative to the sum of absolute forces; */
#define RESIDUAL_TOLERANCE 1e-14
/* on an unsupported part; */
#define UNSUPPORTED_TOLERANCE 1e-12
/* and, beyond that, rounding of the coordinates times the stiffness. */
#define FORCE_ROUNDING (16 * DBL_EPSILON)
/* A coordinate that ends at 0 has no scale: its tolerance is relative to its largest value. */
#define ZERO_COORDINATE 0x1p-70
/* Least fraction of the decrease of energy that the slope predicts. */
#define MIN_DECREASE 1e-4
/* Tolerance of a constraint's spring, relative to its compression under the multiplier. */
#define SPRING_TOLERANCE 1e-13
/* Stiffness of a constraint's spring, relative to the laws beside it. */
#define SPRING_STIFFNESS_RATIO 100
/* Largest first compression of such a spring [m]. */
#define MAX_FIRST_COMPRESSION 0.01
/* First step of an unsupported part [m, rad]; relative distance at which it is lost. */
#define FIRST_STEP    1e-3
#define LOST_DISTANCE 1e6
/* Added inertia, relative to the highest squared frequency: first, largest, omitted. */
#define FIRST_INERTIA 1e-6
#define MAX_INERTIA   1e6
#define SLIGHT        1e-9
/* A residual that stops falling is rounding up to this multiple of the tolerance. */
#define STALLED_RATIO 1e3

/* Limits of a projection: iterations, and deviation in roundings. */
#define MAX_PROJECTIONS      40
#define PROJECTION_ROUNDINGS 64
/* An energy that falls by this fraction of itself is decisive, in spite of rounding. */
#define DECISIVE_DECREASE 1e-9
/* Relative difference up to which forces are equal but for rounding. */
#define EQUAL 1e-9
/* Largest rotation in a step with fixed constraints [rad]. */
#define MAX_ROTATION 0.5

#define ALL_LINKS (IFBAM_LINKS_STORED | IFBAM_LINKS_UNBATCHED)

/* A link's constraint as a spring: force = multiplier + stiffness * (delta - rest). */
typedef struct
{
  gboolean holds;    /* the link has a constraint */
  gboolean fixed;    /* exactly satisfied: its force is the multiplier */
  gboolean one_way;  /* only pushes */
  double rest;       /* [m] */
  double multiplier; /* [N] */
  double stiffness;  /* [N/m] */
} ConstraintSpring;

/* Arrays over nodes have n_free entries, except x. */
typedef struct
{
  const IfbamModel *model;
  double *source;           /* forces of sources */
  ConstraintSpring *spring; /* (n_links) */

  double *x;          /* (n_nodes) */
  double *force;      /* residual */
  double *gross;      /* sum of absolute forces */
  double *rounding;   /* tolerance by rounding of force */
  double *farthest;   /* largest |x| so far */
  double *link_force; /* by slot */
  double energy;      /* [J] */
  double energy_size; /* sum of its absolute terms */

  /* Fixed constraints */
  GArray *fixed;                 /* guint32: links */
  IfbamConstraintRow *fixed_row; /* (fixed) */
  double *fixed_delta;           /* (fixed) */
  double reach;                  /* longest lever arm or length [m] */
  double *inverse_mass;          /* (n_nodes) */
  guint32 *node_scratch;         /* (n_nodes) */
  IfbamConstraintSystem system;  /* of fixed_row at x */

  GArray *rows;         /* IfbamMotionRow over free nodes, of the tangent stiffness */
  GArray *slopes;       /* double: their stiffnesses */
  double *stiff;        /* sum of |stiffness| by node */
  double *step;         /* dx */
  guint most;           /* iterations */
  gboolean unsupported; /* the search ended as forces push a part that nothing holds */
} Balance;

#define fail(error, ...) ifbam_fail (error, IFBAM_ERROR_NETWORK, __VA_ARGS__)

/* Forces */

static void
add_force (Balance *balance, gsize node, double force)
{
  if (node >= balance->model->n_free)
    return;
  balance->force[node] += force;
  balance->gross[node] += fabs (force);
}

static void
measure (const Balance *balance, const IfbamLink *link, double *x, double *delta, double *row)
{
  const double still[IFBAM_MAX_PORTS] = { 0 };

  ifbam_link_read_ports (link, balance->x, x);
  link->geometry->measure (link->shape, x, still, delta, row);
}

/* Returns the prop of a link; a batched one has none. */
static const ConstraintSpring *
spring_of (const Balance *balance, const IfbamLinkIter *at)
{
  static const ConstraintSpring none = { .holds = FALSE };

  return at->slot < G_MAXSIZE ? &none : &balance->spring[at->number];
}

/* Returns the force of a prop. */
static double
spring_force (const ConstraintSpring *spring, double delta)
{
  const double force = spring->multiplier + spring->stiffness * (delta - spring->rest);

  if (spring->fixed)
    return spring->multiplier;
  return !spring->holds || (spring->one_way && force < 0) ? 0.0 : force;
}

/* Returns the force of a link's law in its mode at zero rate, and of its prop. */
static double
link_force (const IfbamLink *link, const ConstraintSpring *spring, double delta)
{
  const int mode = link->law->mode (link->numbers, delta, 0.0);

  return (link->law->force != NULL ? link->law->force (link->numbers, mode, delta, 0.0) : 0.0)
         + spring_force (spring, delta);
}

static void
add_links (Balance *balance)
{
  for (IfbamLinkIter at = ifbam_links (balance->model, ALL_LINKS); ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      const ConstraintSpring *spring = spring_of (balance, &at);
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, force, energy = 0;

      if (spring->fixed)
        continue;
      measure (balance, link, x, &delta, row);
      force = link_force (link, spring, delta);
      if (at.slot < G_MAXSIZE)
        balance->link_force[at.slot] = force;
      for (guint e = 0; e < link->n_ports; e++)
        add_force (balance, link->node[e], -row[e] * force);
      if (link->law->energy != NULL)
        energy =
            link->law->energy (link->numbers, link->law->mode (link->numbers, delta, 0.0), delta);
      force = spring_force (spring, delta);
      if (spring->holds)
        energy += 0.5 * force * force / spring->stiffness;
      balance->energy += energy;
      balance->energy_size += fabs (energy);
    }
}

/* Computes rows and deviations of fixed constraints. Returns the largest, in roundings. */
static double
measure_fixed (Balance *balance)
{
  double worst = 0;

  for (guint i = 0; i < balance->fixed->len; i++)
    {
      const guint32 number = g_array_index (balance->fixed, guint32, i);
      const IfbamLink *link = ifbam_unbatched_link (balance->model, number);
      IfbamConstraintRow *row = &balance->fixed_row[i];
      double x[IFBAM_MAX_PORTS], size = fabs (balance->spring[number].rest);

      *row = (IfbamConstraintRow){ .n_ports = link->n_ports, .share = 1 };
      memcpy (row->node, link->node, sizeof row->node);
      measure (balance, link, x, &balance->fixed_delta[i], row->row);
      memcpy (row->pull, row->row, sizeof row->pull);
      balance->fixed_delta[i] -= balance->spring[number].rest;
      if (link->geometry->size != NULL)
        size = fmax (size, link->geometry->size (link->shape));
      for (guint e = 0; e < link->n_ports; e++)
        size = fmax (size, fabs (row->row[e] * x[e]));
      worst = fmax (worst, fabs (balance->fixed_delta[i]) / (DBL_EPSILON * size + DBL_MIN));
    }
  return worst;
}

/* Projects x onto the fixed constraints. FALSE: it is too far. */
static gboolean
project (Balance *balance)
{
  double before = INFINITY;

  if (balance->fixed->len == 0)
    return TRUE;
  for (guint iteration = 0; iteration < MAX_PROJECTIONS; iteration++)
    {
      const double far = measure_fixed (balance);

      if (far <= 4 || (far <= PROJECTION_ROUNDINGS && far >= 0.5 * before))
        return TRUE;
      if (!isfinite (far))
        return FALSE;
      before = far;
      ifbam_constraint_system_set (&balance->system, balance->fixed_row, balance->fixed->len,
                                   balance->inverse_mass, balance->node_scratch);
      ifbam_constraint_system_solve (&balance->system, balance->fixed_delta, balance->fixed_delta);
      for (guint i = 0; i < balance->fixed->len; i++)
        for (guint e = 0; e < balance->fixed_row[i].n_ports; e++)
          {
            const guint32 node = balance->fixed_row[i].node[e];

            balance->x[node] -= balance->inverse_mass[node] * balance->fixed_row[i].row[e]
                                * balance->fixed_delta[i];
          }
    }
  return FALSE;
}

static gboolean
turns (const Balance *balance, gsize node)
{
  return ifbam_model_node_domain (balance->model, node) == IFBAM_DOMAIN_ROTATION;
}

/* Computes the reactions of fixed constraints, which cancel all forces along their rows. */
static void
solve_fixed_reactions (Balance *balance)
{
  const guint n = balance->fixed->len;

  if (n == 0)
    return;
  measure_fixed (balance);
  for (guint i = 0; i < n; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];

      balance->fixed_delta[i] = 0;
      for (guint e = 0; e < row->n_ports; e++)
        if (row->node[e] < balance->model->n_free)
          balance->fixed_delta[i] +=
              row->row[e] * balance->inverse_mass[row->node[e]] * balance->force[row->node[e]];
    }
  balance->system.even = TRUE;
  ifbam_constraint_system_set (&balance->system, balance->fixed_row, n, balance->inverse_mass,
                               balance->node_scratch);
  ifbam_constraint_system_solve (&balance->system, balance->fixed_delta, balance->fixed_delta);
  for (guint i = 0; i < n; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];

      balance->spring[g_array_index (balance->fixed, guint32, i)].multiplier =
          balance->fixed_delta[i];
      for (guint e = 0; e < row->n_ports; e++)
        add_force (balance, row->node[e], -row->row[e] * balance->fixed_delta[i]);
    }
}

/* Computes forces and energy at x. */
static void
evaluate (Balance *balance)
{
  const gsize n = balance->model->n_free;

  balance->energy = balance->energy_size = 0;
  for (gsize i = 0; i < n; i++)
    {
      const double energy = balance->source[i] * balance->x[i];

      balance->force[i] = balance->source[i];
      balance->gross[i] = fabs (balance->source[i]);
      balance->energy -= energy;
      balance->energy_size += fabs (energy);
    }
  add_links (balance);
  solve_fixed_reactions (balance);
}

static double
largest (const double *column, gsize n)
{
  double most = 0;

  for (gsize i = 0; i < n; i++)
    most = fmax (most, fabs (column[i]));
  return most;
}

/* Computes the rounding of forces at x. Projections spread rounding over all nodes. */
static void
find_rounding (Balance *balance)
{
  const gsize n = balance->model->n_free;
  const gboolean fixed = balance->fixed->len > 0;
  const double far = fixed ? PROJECTION_ROUNDINGS * DBL_EPSILON * largest (balance->x, n) : 0;
  double stiffest[2] = { 0, 0 }, farthest;

  for (gsize i = 0; i < n; i++)
    balance->farthest[i] = fmax (balance->farthest[i], fabs (balance->x[i]));
  farthest = fixed ? largest (balance->farthest, n) : 0;
  for (gsize i = 0; i < n && fixed; i++)
    stiffest[turns (balance, i)] = fmax (stiffest[turns (balance, i)], balance->stiff[i]);
  stiffest[TRUE] = fmax (stiffest[TRUE], stiffest[FALSE] * balance->reach * balance->reach);
  for (gsize i = 0; i < n; i++)
    balance->rounding[i] = balance->stiff[i] * fmax (FORCE_ROUNDING * fabs (balance->x[i]), far)
                           + fmax (balance->stiff[i], stiffest[turns (balance, i)])
                                 * ZERO_COORDINATE * fmax (balance->farthest[i], farthest)
                           + DBL_MIN;
}

/* Returns the largest residual, relative to its tolerance. Roundings are those at the begin of the
 * step: elsewhere they may be large enough to hide the residual. */
static double
imbalance (const Balance *balance)
{
  const gsize n = balance->model->n_free;
  const gboolean fixed = balance->fixed->len > 0;
  double most[2] = { 0, 0 }, worst = 0;

  for (gsize i = 0; i < n && fixed; i++)
    most[turns (balance, i)] = fmax (most[turns (balance, i)], balance->gross[i]);
  most[TRUE] = fmax (most[TRUE], most[FALSE] * balance->reach);
  for (gsize i = 0; i < n; i++)
    {
      const double gross = fmax (balance->gross[i], most[turns (balance, i)]);

      /* fmax () ignores NaN. */
      if (!isfinite (gross) || !isfinite (balance->force[i]))
        return INFINITY;
      worst = fmax (worst,
                    fabs (balance->force[i]) / (RESIDUAL_TOLERANCE * gross + balance->rounding[i]));
    }
  return worst;
}

/* Tangents */

/* of_law: FALSE for the spring of an exact constraint, which is no stiffness of the network. */
static void
add_row (Balance *balance, const IfbamMotionRow *row, double stiffness, gboolean of_law)
{
  IfbamMotionRow kept = { 0 };

  if (stiffness == 0)
    return;
  for (guint i = 0; i < row->n; i++)
    if (row->at[i] < balance->model->n_free)
      {
        kept.at[kept.n] = row->at[i];
        kept.entry[kept.n++] = row->entry[i];
        if (of_law)
          balance->stiff[row->at[i]] += fabs (stiffness) * row->entry[i] * row->entry[i];
      }
  if (kept.n == 0)
    return;
  g_array_append_val (balance->rows, kept);
  g_array_append_val (balance->slopes, stiffness);
}

static void
list_rows (Balance *balance)
{
  const double still[IFBAM_MAX_PORTS] = { 0 };

  g_array_set_size (balance->rows, 0);
  g_array_set_size (balance->slopes, 0);
  memset (balance->stiff, 0, balance->model->n_free * sizeof (double));
  for (IfbamLinkIter at = ifbam_links (balance->model, ALL_LINKS); ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      const ConstraintSpring *spring = spring_of (balance, &at);
      double turning[IFBAM_MAX_PORTS][IFBAM_MAX_PORTS], turning_slope[IFBAM_MAX_PORTS];
      double x[IFBAM_MAX_PORTS], delta, stiffness;
      IfbamMotionRow row = { .n = link->n_ports };
      int n;

      measure (balance, link, x, &delta, row.entry);
      for (guint e = 0; e < link->n_ports; e++)
        row.at[e] = link->node[e];
      stiffness = ifbam_link_differentiate (link, link->numbers,
                                            link->law->mode (link->numbers, delta, 0.0), delta, 0.0)
                      .stiffness;
      if (spring->holds && (!spring->one_way || spring_force (spring, delta) > 0))
        stiffness += spring->stiffness;
      add_row (balance, &row, stiffness, !spring->fixed);
      n = ifbam_link_turning (link, x, still, link_force (link, spring, delta), turning,
                              turning_slope);
      /* without derivatives (n < 0), forces alone determine the solution */
      for (int k = 0; k < n; k++)
        {
          memcpy (row.entry, turning[k], link->n_ports * sizeof (double));
          add_row (balance, &row, turning_slope[k], TRUE);
        }
    }
}

/* TRUE if abs (a) exceeds abs (b) beyond rounding: messages name the first of equal forces. */
static gboolean
exceeds (double a, double b)
{
  return fabs (a) > (1 + EQUAL) * fabs (b);
}

/* Steps */

/* Parts without stiffness: those in balance are pinned, the others have to move. */
typedef struct
{
  IfbamDofGroups groups;
  guint8 *pinned, *pushed; /* (n_free) */
  gsize n_pushed;
  guint32 lead; /* node of the part with the largest sum of forces, and that sum [N] */
  double hardest;
} Unsupported;

static void
unsupported_clear (Unsupported *unsupported)
{
  ifbam_dof_groups_clear (&unsupported->groups);
  g_free (unsupported->pinned);
  g_free (unsupported->pushed);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Unsupported, unsupported_clear)

static void
find_unsupported (const Balance *balance, Unsupported *unsupported)
{
  const gsize n = balance->model->n_free;
  g_autofree double *net = g_new0 (double, n), *gross = g_new0 (double, n);

  ifbam_dof_groups_init (&unsupported->groups, n);
  unsupported->pinned = g_new0 (guint8, n + 1);
  unsupported->pushed = g_new0 (guint8, n + 1);
  unsupported->n_pushed = 0;
  unsupported->hardest = 0;
  for (guint i = 0; i < balance->rows->len; i++)
    {
      const IfbamMotionRow *row = &g_array_index (balance->rows, IfbamMotionRow, i);

      if (!ifbam_dof_groups_merge (&unsupported->groups, row))
        ifbam_dof_groups_fix (&unsupported->groups, row);
    }
  for (gsize i = 0; i < n; i++)
    {
      double lever;
      const guint32 first = ifbam_dof_groups_find (&unsupported->groups, i, &lever);

      net[first] += lever * balance->force[i];
      gross[first] += fabs (lever) * balance->gross[i];
    }
  for (gsize i = 0; i < n; i++)
    {
      double lever;
      const guint32 first = ifbam_dof_groups_find (&unsupported->groups, i, &lever);

      if (unsupported->groups.still[first])
        continue;
      if (fabs (net[first]) <= UNSUPPORTED_TOLERANCE * gross[first])
        unsupported->pinned[i] = first == i;
      else
        {
          unsupported->pushed[i] = TRUE;
          unsupported->n_pushed++;
          if (exceeds (net[first], unsupported->hardest))
            {
              unsupported->hardest = net[first];
              unsupported->lead = first;
            }
        }
    }
}

/* Solves (K + inertia M) dx = f. FALSE with SINGULAR: the matrix is not positive definite. */
static gboolean
solve (Balance *balance, const Unsupported *unsupported, double inertia, double inertia_of_all,
       IfbamFactorStatus *status, GError **error)
{
  const gsize n = balance->model->n_free;
  g_auto (IfbamTriplets) triplets = { 0 };
  g_autoptr (IfbamSparse) matrix = NULL;
  g_autoptr (IfbamFactor) factor = NULL;
  g_autofree double *right = g_memdup2 (balance->force, n * sizeof (double));

  for (guint r = 0; r < balance->rows->len; r++)
    {
      const IfbamMotionRow *row = &g_array_index (balance->rows, IfbamMotionRow, r);
      const double slope = g_array_index (balance->slopes, double, r);

      for (guint i = 0; i < row->n; i++)
        for (guint j = 0; j < row->n; j++)
          ifbam_triplets_add (&triplets, row->at[j], row->at[i],
                              row->entry[j] * (row->entry[i] * slope));
    }
  for (gsize i = 0; i < n; i++)
    {
      const double mass = ifbam_model_inertia (balance->model, i);
      const double own = inertia_of_all + (unsupported->pushed[i] ? inertia : 0.0);

      if (own > 0)
        ifbam_triplets_add (&triplets, i, i, own * mass);
    }
  *status = IFBAM_FACTOR_NO_MEMORY;
  matrix = ifbam_sparse_new (n, &triplets, error);
  if (matrix == NULL)
    return FALSE;
  for (gsize i = 0; i < n; i++)
    if (unsupported->pinned[i] && inertia_of_all == 0)
      {
        ifbam_sparse_pin (matrix, i);
        right[i] = 0.0;
      }
  factor = ifbam_factor_new (matrix, IFBAM_FACTOR_CHOLESKY, status);
  if (factor != NULL && !ifbam_factor_solve (factor, right, balance->step))
    *status = IFBAM_FACTOR_NO_MEMORY;
  if (*status == IFBAM_FACTOR_NO_MEMORY)
    return fail (error, "memory is too short to find where the network is at rest");
  return factor != NULL;
}

/* Searches along the step until energy or residual falls enough. FALSE: neither does. */
static gboolean
search_along_step (Balance *balance)
{
  const gsize n = balance->model->n_free;
  const double energy = balance->energy, size = balance->energy_size;
  const double before = imbalance (balance), slope = ifbam_dot (balance->force, balance->step, n);
  g_autofree double *from = g_memdup2 (balance->x, n * sizeof (double));
  const gboolean falls =
      slope > (balance->fixed->len > 0 ? DECISIVE_DECREASE : 64 * DBL_EPSILON) * size;
  double part = 1.0;

  /* Fixed constraints limit rotations: their tangents hold near x only. */
  for (gsize i = 0; i < n && balance->fixed->len > 0; i++)
    if (turns (balance, i))
      part = fmin (part, MAX_ROTATION / fmax (fabs (balance->step[i]), MAX_ROTATION));

  for (int halving = 0; halving < MAX_HALVINGS; halving++, part *= 0.5)
    {
      double after;

      for (gsize i = 0; i < n; i++)
        balance->x[i] = from[i] + part * balance->step[i];
      if (!project (balance))
        continue;
      evaluate (balance);
      after = imbalance (balance);
      if (isfinite (after) && isfinite (balance->energy)
          && ((after < before && (balance->fixed->len == 0 || !falls))
              || (falls && balance->energy <= energy - MIN_DECREASE * part * slope)))
        return TRUE;
    }
  memcpy (balance->x, from, n * sizeof (double));
  evaluate (balance);
  return FALSE;
}

/* "a force of 3 N" (transfer full) */
static char *
effort_text (const Balance *balance, gsize node, double force)
{
  const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (balance->model, node));

  return g_strdup_printf ("a %s of %.4g %s", words->effort, force, words->effort_unit);
}

static gboolean
report_unsupported (Balance *balance, const Unsupported *unsupported, GError **error)
{
  g_autofree char *name = ifbam_model_node_name (balance->model, unsupported->lead);
  g_autofree char *effort = effort_text (balance, unsupported->lead, unsupported->hardest);

  balance->unsupported = TRUE;
  return fail (
      error, "there is no state of rest: nothing holds %s%s against %s (a free rigid-body motion)",
      name, unsupported->n_pushed > 1 ? " and the nodes joined to it" : "", effort);
}

/* Returns the node with the largest abs (force) among the first n free nodes of the file with abs
 * (x) >= least; of equal forces the first. */
static gsize
find_largest_force (const Balance *balance, gsize n, double least)
{
  gsize hardest = G_MAXSIZE;

  for (gsize i = 0; i < n; i++)
    {
      const gsize node = ifbam_model_free_node (balance->model, i);

      if (!(fabs (balance->x[node]) < least)
          && (hardest == G_MAXSIZE || exceeds (balance->force[node], balance->force[hardest])))
        hardest = node;
    }
  return hardest;
}

static gboolean
report_failure (const Balance *balance, GError **error)
{
  const gsize worst = find_largest_force (balance, balance->model->n_free, 0);
  g_autofree char *name = ifbam_model_node_name (balance->model, worst);
  g_autofree char *effort = effort_text (balance, worst, balance->force[worst]);

  return fail (error,
               "no state of rest was found: %s is left over on %s (is there one? A start near it "
               "would help)",
               effort, name);
}

/* Reports a part without equilibrium. Constraints move other nodes along; of those displaced at
 * least half as far as the farthest one, the message names that with the largest force. */
static gboolean
report_lost_part (const Balance *balance, GError **error)
{
  const gsize n = ifbam_model_n_named_free (balance->model);
  double furthest = 0;
  g_autofree char *name = NULL;

  for (gsize i = 0; i < n; i++)
    furthest = fmax (furthest, fabs (balance->x[ifbam_model_free_node (balance->model, i)]));
  name = ifbam_model_node_name (balance->model, find_largest_force (balance, n, furthest / 2));
  return fail (
      error,
      "there is no state of rest: %s moves without end, with the nodes joined to it by rods, "
      "hinges and the like (hold it by a spring or a stop, or leave out the force on it)",
      name);
}

/* Returns an estimate of the highest squared frequency [1/s2]. */
static double
fastest (const Balance *balance)
{
  double most = 0;

  for (gsize i = 0; i < balance->model->n_free; i++)
    most = fmax (most, balance->stiff[i] * balance->model->inverse_inertia[i]);
  return most;
}

/* Inertia added to the stiffness [1/s2]. */
typedef struct
{
  double pushed; /* of unsupported parts */
  double all;    /* of all nodes, if K is not positive definite */
} Inertia;

/* Computes a step; adds inertia until the matrix is positive definite. */
static gboolean
find_step (Balance *balance, const Unsupported *unsupported, Inertia *inertia, GError **error)
{
  const double most = fastest (balance);
  IfbamFactorStatus status;

  if (unsupported->n_pushed == 0)
    inertia->pushed = 0;
  else if (inertia->pushed == 0)
    inertia->pushed = fabs (unsupported->hardest)
                      * balance->model->inverse_inertia[unsupported->lead] / FIRST_STEP;
  if (inertia->all < SLIGHT * most)
    inertia->all = 0;
  while (!solve (balance, unsupported, inertia->pushed, inertia->all, &status, error))
    {
      if (status == IFBAM_FACTOR_NO_MEMORY)
        return FALSE;
      inertia->all = inertia->all == 0 ? FIRST_INERTIA * most : 10 * inertia->all;
      if (!(inertia->all > 0 && inertia->all < MAX_INERTIA * most))
        return report_failure (balance, error);
    }
  return TRUE;
}

/* Iterates Newton's method with the present props. */
static gboolean
settle (Balance *balance, guint *iterations, GError **error)
{
  const gsize n = balance->model->n_free;
  const double lost = LOST_DISTANCE * fmax (1.0, largest (balance->x, balance->model->n_nodes));
  Inertia inertia = { 0, 0 };
  double best = INFINITY;
  guint idle = 0;

  evaluate (balance);
  for (;; ++*iterations)
    {
      g_auto (Unsupported) unsupported = { 0 };
      double rest;

      list_rows (balance);
      find_rounding (balance);
      rest = imbalance (balance);
      if (!isfinite (rest))
        return fail (error, "no state of rest was found: the forces at the start are not finite");
      find_unsupported (balance, &unsupported);
      idle = rest < 0.5 * best ? 0 : idle + 1;
      best = fmin (best, rest);
      /* along the motions that constraints leave free */
      if (balance->fixed->len > 0 && largest (balance->x, n) > lost)
        return unsupported.n_pushed > 0 ? report_unsupported (balance, &unsupported, error)
                                        : report_lost_part (balance, error);
      if (unsupported.n_pushed == 0 && (rest <= 1 || (idle > 3 && rest < STALLED_RATIO)))
        return TRUE;
      if (unsupported.n_pushed > 0 && largest (balance->x, n) > lost)
        return report_unsupported (balance, &unsupported, error);
      if (*iterations >= balance->most)
        return report_failure (balance, error);
      if (!find_step (balance, &unsupported, &inertia, error))
        return FALSE;
      if (search_along_step (balance))
        {
          inertia.pushed *= 0.1;
          inertia.all *= 0.1;
        }
      else if (unsupported.n_pushed == 0 && rest < STALLED_RATIO)
        return TRUE;
      else
        {
          inertia.pushed *= 10;
          inertia.all = inertia.all == 0 ? FIRST_INERTIA * fastest (balance) : 10 * inertia.all;
          if (inertia.all > MAX_INERTIA * fastest (balance))
            return report_failure (balance, error);
        }
    }
}

/* Constraints */

static void
make_springs (Balance *balance, IfbamEquilibrium *equilibrium)
{
  const double weight = fmax (largest (balance->gross, balance->model->n_free), DBL_MIN);
  double most = largest (balance->stiff, balance->model->n_free);

  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      const IfbamLink *link = at.link;
      ConstraintSpring *spring = &balance->spring[at.number];
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, stiff = 0;
      IfbamConstraint relation;

      measure (balance, link, x, &delta, row);
      if (spring->fixed)
        continue;
      relation = link->law->constraint (link->numbers, link->law->mode (link->numbers, delta, 0.0));
      equilibrium->n_friction += relation.kind == IFBAM_CONSTRAINT_FRICTION;
      if (relation.kind == IFBAM_CONSTRAINT_NONE || relation.kind == IFBAM_CONSTRAINT_FRICTION)
        continue;
      for (guint e = 0; e < link->n_ports; e++)
        if (link->node[e] < balance->model->n_free)
          stiff = fmax (stiff, balance->stiff[link->node[e]]);
      *spring = (ConstraintSpring){
        .holds = TRUE,
        .one_way = !ifbam_constraint_is_bilateral (relation.kind),
        .rest = relation.kind == IFBAM_CONSTRAINT_CONTACT ? relation.gap : delta,
        .stiffness = SPRING_STIFFNESS_RATIO * stiff + weight / MAX_FIRST_COMPRESSION
      };
      most = fmax (most, spring->stiffness);
    }
  /* Steps along the constraints are then longer than across by this factor. */
  for (guint i = 0; i < balance->fixed->len; i++)
    balance->spring[g_array_index (balance->fixed, guint32, i)].stiffness =
        SPRING_STIFFNESS_RATIO * most + weight / MAX_FIRST_COMPRESSION;
}

/* Finds the fixed constraints, and allocates their rows. */
static void
find_fixed (Balance *balance)
{
  const IfbamModel *model = balance->model;

  for (guint32 j = 0; j < model->unbatched_links->len; j++)
    {
      const IfbamLink *link = ifbam_unbatched_link (model, j);
      const IfbamConstraint relation = link->law->constraint (link->numbers, 0);

      if (relation.kind != IFBAM_CONSTRAINT_FIXED)
        continue;
      balance->spring[j] = (ConstraintSpring){ .holds = TRUE, .fixed = TRUE, .rest = relation.gap };
      if (link->geometry->size != NULL)
        balance->reach = fmax (balance->reach, link->geometry->size (link->shape));
      g_array_append_val (balance->fixed, j);
    }
  balance->fixed_row = g_new (IfbamConstraintRow, balance->fixed->len + 1);
  balance->fixed_delta = g_new (double, balance->fixed->len + 1);
  balance->inverse_mass = g_new0 (double, model->n_nodes + 1);
  balance->node_scratch = g_new (guint32, model->n_nodes + 1);
  memcpy (balance->inverse_mass, model->inverse_inertia, model->n_free * sizeof (double));
  memset (balance->node_scratch, 0xff, (model->n_nodes + 1) * sizeof *balance->node_scratch);
}

/* Adds lever arms that no shape states, such as a gear ratio, to reach. */
static void
find_reach (Balance *balance)
{
  for (guint i = 0; i < balance->fixed->len; i++)
    {
      const IfbamConstraintRow *row = &balance->fixed_row[i];
      double most[2] = { 0, 0 };

      for (guint e = 0; e < row->n_ports; e++)
        if (row->node[e] < balance->model->n_free)
          most[turns (balance, row->node[e])] =
              fmax (most[turns (balance, row->node[e])], fabs (row->row[e]));
      if (most[FALSE] > 0)
        balance->reach = fmax (balance->reach, most[TRUE] / most[FALSE]);
    }
}

static void
clear_fixed (Balance *balance)
{
  ifbam_constraint_system_clear (&balance->system);
  g_array_unref (balance->fixed);
  g_free (balance->fixed_row);
  g_free (balance->fixed_delta);
  g_free (balance->inverse_mass);
  g_free (balance->node_scratch);
}

/* Sets the multipliers of props to their forces. FALSE: they were exact. */
static gboolean
correct_springs (Balance *balance)
{
  const double far = balance->fixed->len > 0
                         ? PROJECTION_ROUNDINGS * largest (balance->x, balance->model->n_free)
                         : 0;
  gboolean moved = FALSE;

  for (IfbamLinkIter at = ifbam_links (balance->model, IFBAM_LINKS_UNBATCHED);
       ifbam_link_iter_next (&at);)
    {
      ConstraintSpring *spring = &balance->spring[at.number];
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta, size = far;

      if (!spring->holds || spring->fixed)
        continue;
      measure (balance, at.link, x, &delta, row);
      for (guint e = 0; e < at.link->n_ports; e++)
        size = fmax (size, fabs (x[e]));
      spring->multiplier = spring_force (spring, delta);
      moved |= spring->multiplier != 0
               && fabs (delta - spring->rest)
                      > FORCE_ROUNDING * fmax (size, fabs (spring->rest))
                            + SPRING_TOLERANCE * spring->multiplier / spring->stiffness;
    }
  return moved;
}

/* Checks */

static gboolean
given_nodes_rest (const IfbamModel *model, GError **error)
{
  for (gsize node = model->n_free; node < model->n_nodes; node++)
    {
      const IfbamMotion motion = ifbam_model_given (model, node, 0.0);
      const IfbamDomainInfo *words = ifbam_domain_info (ifbam_model_node_domain (model, node));
      g_autofree char *name = NULL;

      if (fabs (motion.rate) <= 1e-12 * (1 + fabs (motion.position)))
        continue;
      name = ifbam_model_node_name (model, node);
      return fail (
          error,
          "there is no state of rest: the %s of %s is %.4g %s at time 0 (hold it, or let it "
          "start where it turns: a sine by a phase of 90 deg or -90 deg)",
          words->rate, name, motion.rate, words->rate_unit);
    }
  return TRUE;
}

/* The equilibrium is not unique if a law has states, or a controller a memory. */
static gboolean
is_unique (const IfbamModel *model, GError **error)
{
  const IfbamSpan *span;
  gsize member;

  if (ifbam_model_controller (model) != IFBAM_NO_NODE)
    return fail (error,
                 "%s controls forces or motions, and has a memory: run the network until it rests",
                 ifbam_unbatched_link (model, ifbam_model_controller (model))->name);
  /* In an equilibrium, forces by rates are 0. */
  for (const IfbamLink *link = NULL; ifbam_unbatched_next (model, &link);)
    if (link->geometry->force_direction != NULL && link->law->force (link->numbers, 0, 1, 0) != 0)
      return fail (error,
                   "the force of %s follows the position of others, and is the slope of no "
                   "energy: run the network with dampers until it rests",
                   link->name);
  if (model->n_state_nodes == 0)
    return TRUE;
  span = ifbam_model_node_span (
      model, ifbam_model_free_node (model, ifbam_model_n_named_free (model)), &member);
  return fail (error,
               "%s has an internal state (%s), so that the equilibrium depends on the path to it: "
               "run the network with dampers until it rests",
               span->element->name, span->letter);
}

static gboolean
balance_network (Balance *balance, IfbamEquilibrium *equilibrium, GError **error)
{
  const IfbamModel *model = balance->model;

  for (gsize i = 0; i < model->n_sources; i++)
    if (model->source_node[i] < model->n_free)
      balance->source[model->source_node[i]] += ifbam_model_source (model, i, 0.0);
  find_fixed (balance);
  project (balance);
  evaluate (balance);
  find_reach (balance);
  list_rows (balance);
  make_springs (balance, equilibrium);
  for (guint correction = 0; correction < MAX_CORRECTIONS; correction++)
    if (!settle (balance, &equilibrium->iterations, error))
      return FALSE;
    else if (!correct_springs (balance))
      return TRUE;
  return report_failure (balance, error);
}

/* Returns whether a node of a circuit or of hydraulics starts with a voltage or a flow. These follow
 * from the sources, and the start only determines charges that nothing else does. */
static gboolean
starts_charged (const IfbamModel *model, const IfbamRunSpec *spec)
{
  for (gsize node = 0; node < model->n_free; node++)
    {
      const IfbamDomain domain = ifbam_model_node_domain (model, node);

      if ((domain == IFBAM_DOMAIN_ELECTRICITY || domain == IFBAM_DOMAIN_HYDRAULICS)
          && ifbam_start (model, spec, node).rate != 0)
        return TRUE;
    }
  return FALSE;
}

IfbamEquilibrium *
ifbam_equilibrium_new_within (const IfbamModel *model, const IfbamRunSpec *spec, guint most,
                              gboolean *unsupported, GError **error)
{
  g_autoptr (IfbamEquilibrium) equilibrium = g_new0 (IfbamEquilibrium, 1);
  g_autofree double *rate = NULL; /* the start's */
  G_GNUC_UNUSED g_auto (IfbamBlas) blas = ifbam_blas_begin ();
  const gsize n = model->n_free;
  Balance balance = { .model = model, .most = most };
  double **columns[] = { &balance.source, &balance.force,    &balance.gross,   &balance.stiff,
                         &balance.step,   &balance.rounding, &balance.farthest };
  gboolean fine;

  if (n == 0 && model->unbatched_links->len == 0)
    {
      fail (error, "the network has nothing with inertia that could come to rest (want a mass, an "
                   "inertia or a capacitor)");
      return NULL;
    }
  if (!given_nodes_rest (model, error) || !is_unique (model, error))
    return NULL;
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    *columns[i] = g_new0 (double, n + 1);
  balance.x = equilibrium->position = g_new0 (double, model->n_nodes + 1);
  rate = g_new (double, model->n_nodes + 1);
  balance.link_force = equilibrium->force = g_new0 (double, model->n_slots + 1);
  balance.spring = g_new0 (ConstraintSpring, model->unbatched_links->len + 1);
  balance.rows = g_array_new (FALSE, FALSE, sizeof (IfbamMotionRow));
  balance.slopes = g_array_new (FALSE, FALSE, sizeof (double));
  balance.fixed = g_array_new (FALSE, FALSE, sizeof (guint32));
  ifbam_start_range (model, spec, 0, model->n_nodes, balance.x, rate);
  fine = n == 0 || balance_network (&balance, equilibrium, error);
  if (unsupported != NULL)
    *unsupported = balance.unsupported || balance.fixed->len > 0;
  equilibrium->reaction = g_new0 (double, model->unbatched_links->len + 1);
  for (IfbamLinkIter at = ifbam_links (model, IFBAM_LINKS_UNBATCHED); ifbam_link_iter_next (&at);)
    {
      double x[IFBAM_MAX_PORTS], row[IFBAM_MAX_PORTS], delta;

      measure (&balance, at.link, x, &delta, row);
      equilibrium->reaction[at.number] = link_force (at.link, spring_of (&balance, &at), delta);
    }
  for (guint i = 0; i < G_N_ELEMENTS (columns); i++)
    g_free (*columns[i]);
  g_free (balance.spring);
  clear_fixed (&balance);
  g_array_unref (balance.rows);
  g_array_unref (balance.slopes);
  return fine ? g_steal_pointer (&equilibrium) : NULL;
}

IfbamEquilibrium *
ifbam_equilibrium_new (const IfbamModel *model, const IfbamRunSpec *spec, GError **error)
{
  const gboolean possible = ifbam_steady_state_is_possible (model, spec) && is_unique (model, NULL);
  g_autoptr (GError) why = NULL;
  IfbamEquilibrium *found = NULL;
  gboolean unsupported = TRUE;

  if (!possible || !starts_charged (model, spec))
    found = ifbam_equilibrium_new_within (model, spec, MAX_ITERATIONS, &unsupported, &why);
  if (found == NULL && possible && unsupported)
    {
      /* If the sources allow rest, the force that is left over is the better advice. */
      const gboolean advises = why != NULL && given_nodes_rest (model, NULL);

      found = ifbam_steady_state_new (model, spec, advises ? NULL : error);
      if (!advises)
        return found;
    }
  if (found == NULL)
    g_propagate_error (error, g_steal_pointer (&why));
  return found;
}
